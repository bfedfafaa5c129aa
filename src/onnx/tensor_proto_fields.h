/*
 * The typed data fields of a TensorProto: float_data, int32_data and the others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor_proto.h"

/* At most one data field, raw_data included, and only the one that belongs to the type. */
clrs_status tensor_proto_check_fields(const Onnx__TensorProto *proto, clrs_dtype dtype,
                                      clrs_error *error);

/* Sets tensor->bytes, and tensor->owned where the field is wider than the type; the field must
 * hold exactly `size` bytes' worth of elements. tensor->dtype is set already. */
clrs_status tensor_proto_take_field(const Onnx__TensorProto *proto, uint64_t size,
                                    onnx_arena *arena, onnx_dense *tensor, clrs_error *error);
