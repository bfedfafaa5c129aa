/*
 * The arguments of a launch as the kernels read them: move_t of kernels/move.cl, word by word.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_RUNTIME_ARGUMENTS_H
#define CLRS_RUNTIME_ARGUMENTS_H

#include "launch.h"

enum { CLRS__MAX_ARGUMENT_WORDS = 256 };

typedef struct clrs__arguments {
  uint64_t source_start, destination_start; /* units from the start of each buffer */
  size_t move_bytes;                        /* of `move`, narrowed to the launch's index width */
  union {
    int64_t words_64[CLRS__MAX_ARGUMENT_WORDS];
    int32_t words_32[CLRS__MAX_ARGUMENT_WORDS];
  } move;
} clrs__arguments;

/* With room for `nest_room` axes. `stack` is read only if the launch follows it. */
void clrs__arguments_fill(const clrs_launch *launch, const clrs_view *stack, uint32_t nest_room,
                          clrs__arguments *arguments);

#endif
