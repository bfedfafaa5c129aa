/*
 * Concat and pad behind the checks of their calls, for destinations of the caller's and for new
 * ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "tensor.h"

/* Of both: the tail is checked, the tensors are the context's, the destination can be written, and
 * no source shares a byte with it. */

typedef struct clrs__concat {
  size_t count;
  clrs_tensor *const *sources;
  uint32_t dim; /* along which they follow each other */
} clrs__concat;

/* Fails if the sources do not fill the destination. */
clrs_status clrs__concat_into(const clrs__concat *concat, const clrs_tensor *destination,
                              const clrs__tail *tail, clrs_error *error);

/* Is there an element where the mode has one, and a mode? */
clrs_status clrs__padding_check(const clrs_padding *padding, clrs_error *error);

/* The source, of the destination's rank and type, fits where the padding has it begin, and the
 * padding is one. */
clrs_status clrs__pad_into(clrs_tensor *source, const clrs_padding *padding,
                           const clrs_tensor *destination, const clrs__tail *tail,
                           clrs_error *error);
