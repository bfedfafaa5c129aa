/*
 * Small calls for the self-test: for a variant of a kernel, a plan of one launch of that variant,
 * the bytes before the launch, and the bytes that the host makes of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "command.h"
#include "plan.h"

enum { CLRS__TRIAL_STEP_BYTES = 16 * 8 };

typedef struct clrs__trial {
  clrs_plan plan;
  clrs__fill_value value; /* of fills */
  uint32_t source_bytes, destination_bytes, index_bytes;
  unsigned char *memory; /* all that follows */
  unsigned char *source, *destination, *expected, *made;
  int32_t *indices;
  bool has_steps[CLRS_MAP_STEPS]; /* tensor parameters of a map */
  unsigned char steps[CLRS_MAP_STEPS][CLRS__TRIAL_STEP_BYTES];
} clrs__trial;

/* Allocates the memory, and fills the source and the destination with different patterns. */
clrs_status clrs__trial_make_memory(uint64_t source_bytes, uint64_t destination_bytes,
                                    uint32_t index_count, clrs__trial *trial, clrs_error *error);
/* Make the trial of a variant: of a move or a fill, or of a gather or a scatter. They fail with
 * CLRS_UNSUPPORTED if no small call has a launch of the variant. The trial begins with all zeros,
 * and the caller frees trial->memory in any case. */
clrs_status clrs__trial_make_move(const clrs_device_limits *limits, const clrs__variant *variant,
                                  clrs__trial *trial, clrs_error *error);
clrs_status clrs__trial_make_named(const clrs_device_limits *limits, const clrs__variant *variant,
                                   clrs__trial *trial, clrs_error *error);
