/*
 * Checks of a caller's tensors before a call uses the tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tail.h"
#include "tensor.h"

/* CLRS_INVALID_ARGUMENT if an array of `count` elements cannot exist. The array is not read
 * then. */
clrs_status clrs__tensors_check_count(size_t count, const char *what, clrs_error *error);

/* Checks that the tensor exists and belongs to this context. `what` names the parameter. */
clrs_status clrs__tensor_check_context(const clrs_tensor *tensor, const clrs_context *context,
                                       const char *what, clrs_error *error);
/* Checks that the tensor exists and is no slot tensor. */
clrs_status clrs__tensor_check_known(const clrs_tensor *tensor, const char *what,
                                     clrs_error *error);
/* Makes the checks of both functions above. */
clrs_status clrs__tensor_check(const clrs_tensor *tensor, const clrs_context *context,
                               const char *what, clrs_error *error);

/* Checks that the call's first tensor exists, and that the queue and the wait list belong to the
 * tensor's context. */
clrs_status clrs__tensor_check_tail(const clrs_tensor *tensor, const char *what,
                                    const clrs__tail *tail, clrs_error *error);

/* Checks that the call has either a destination or a result, not both. */
clrs_status clrs__check_target(const clrs_tensor *destination, clrs_tensor *const *result,
                               clrs_error *error);

/* As clrs__tensor_check, and the tensor has bytes, so is not mapped. */
clrs_status clrs__tensor_check_stored(const clrs_tensor *tensor, const clrs_context *context,
                                      const char *what, clrs_error *error);
clrs_status clrs__tensor_check_unmapped(const clrs_tensor *tensor, const char *what,
                                        clrs_error *error);

/* Bytes from the start of the root buffer to the end of the tensor's last element. */
uint64_t clrs__tensor_end(const clrs_tensor *tensor);

/* Checks that kernels may write the tensor and that no two elements share a position. */
clrs_status clrs__tensor_check_written(const clrs_tensor *destination, clrs_error *error);

/* Checks that kernels may read all bytes of the source. */
clrs_status clrs__tensor_check_read(const clrs_tensor *source, clrs_error *error);

/* CLRS_OVERLAP if the bytes of the source and of the destination may share a byte of one buffer. */
clrs_status clrs__tensors_check_apart(const clrs_tensor *source, const clrs_tensor *destination,
                                      clrs_error *error);
