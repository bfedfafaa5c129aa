/*
 * Mapped tensors that the library makes for itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tensor.h"

/* Appends the maps of `after`, whose parameters are numbers, to the tensor of the same shape. */
clrs_status clrs__tensor_with_maps_of(clrs_tensor *tensor, const clrs_mapped *after,
                                      clrs_tensor **result, clrs_error *error);
