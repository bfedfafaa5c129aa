/*
 * A look at a protobuf message before protobuf-c parses it, which follows nested messages as deep
 * as they go on the C stack and allocates hundreds of bytes for an empty one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_WIRE_H
#define CLRESHAPE_ONNX_WIRE_H

#include <protobuf-c/protobuf-c.h>

#include <clreshape/core.h>

#define ONNX_WIRE_MAX_DEPTH 64          /* messages within messages */
#define ONNX_WIRE_MAX_MESSAGES 2000000U /* in one file */

/* Every field must be whole, nesting and number of messages within the limits above, and a field
 * that holds one message must not occur twice. The message names the first byte that is wrong. */
clrs_status onnx_wire_check(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                            size_t size, clrs_error *error);

#endif /* CLRESHAPE_ONNX_WIRE_H */
