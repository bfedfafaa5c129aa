/*
 * What is asked of a caller's tensors before anything is done with them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "tail.h"
#include "tensor.h"

/* CLRS_INVALID_ARGUMENT if no array has room for `count` of `what`: the array is not read then. */
clrs_status clrs__tensors_check_count(size_t count, const char *what, clrs_error *error);

/* The tensor exists and belongs to this context. `what` names the parameter. */
clrs_status clrs__tensor_check_context(const clrs_tensor *tensor, const clrs_context *context,
                                       const char *what, clrs_error *error);
/* The tensor exists, and shows no slot. */
clrs_status clrs__tensor_check_known(const clrs_tensor *tensor, const char *what,
                                     clrs_error *error);
/* All three. */
clrs_status clrs__tensor_check(const clrs_tensor *tensor, const clrs_context *context,
                               const char *what, clrs_error *error);

/* The call's first tensor exists, and the queue and the wait list belong to its context. */
clrs_status clrs__tensor_check_tail(const clrs_tensor *tensor, const char *what,
                                    const clrs__tail *tail, clrs_error *error);

/* The call has a destination or makes a result, and not both. */
clrs_status clrs__check_target(const clrs_tensor *destination, clrs_tensor *const *result,
                               clrs_error *error);

/* As clrs__tensor_check, and the tensor has bytes: it is not mapped. */
clrs_status clrs__tensor_check_stored(const clrs_tensor *tensor, const clrs_context *context,
                                      const char *what, clrs_error *error);
clrs_status clrs__tensor_check_unmapped(const clrs_tensor *tensor, const char *what,
                                        clrs_error *error);

/* Bytes from the beginning of the root buffer to the last byte of the elements. */
uint64_t clrs__tensor_end(const clrs_tensor *tensor);

/* Kernels may write its elements, no two of which lie at one position. */
clrs_status clrs__tensor_check_written(const clrs_tensor *destination, clrs_error *error);

/* Kernels may read all that the source is read from. */
clrs_status clrs__tensor_check_read(const clrs_tensor *source, clrs_error *error);

/* CLRS_OVERLAP if what the source is read from may share a byte of one buffer with the other. */
clrs_status clrs__tensors_check_apart(const clrs_tensor *source, const clrs_tensor *destination,
                                      clrs_error *error);
