/*
 * Programs of imported blobs that no move has needed yet. Making a kernel of a binary takes a
 * driver some milliseconds, so a blob of all kernels would cost more than the one that is needed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "blob.h"

typedef struct clrs__kept_programs {
  size_t count, blob_count, blob_room;
  clrs__blob_program *programs; /* texts point into the blobs */
  unsigned char **blobs;        /* copies; freed when there is no program left */
} clrs__kept_programs;

/* NULL if there is none. It is there until it is forgotten or more are added. */
const clrs__blob_program *clrs__kept_programs_get(const clrs__kept_programs *kept,
                                                  const clrs__variant *variant);
void clrs__kept_programs_forget(clrs__kept_programs *kept, const clrs__blob_program *program);
void clrs__kept_programs_destroy(clrs__kept_programs *kept);

/* Copies the reader's blob, and points the reader at the copy, for at most `most` programs that are
 * put then. CLRS_OUT_OF_MEMORY leaves all as it was. */
clrs_status clrs__kept_programs_begin(clrs__kept_programs *kept, clrs__blob_reader *reader,
                                      size_t most, clrs_error *error);
void clrs__kept_programs_put(clrs__kept_programs *kept, const clrs__blob_program *program);
