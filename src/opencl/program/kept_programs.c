/* SPDX-License-Identifier: Apache-2.0 */
#include "kept_programs.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"

const clrs__blob_program *clrs__kept_programs_get(const clrs__kept_programs *kept,
                                                  const clrs__variant *variant) {
  for (size_t i = 0; i < kept->count; i++) {
    if (clrs__variant_equal(kept->programs[i].variant, *variant)) {
      return &kept->programs[i];
    }
  }
  return NULL;
}

void clrs__kept_programs_destroy(clrs__kept_programs *kept) {
  for (size_t i = 0; i < kept->blob_count; i++) {
    free(kept->blobs[i]);
  }
  free(kept->blobs);
  free(kept->programs);
  *kept = (clrs__kept_programs){0};
}

void clrs__kept_programs_forget(clrs__kept_programs *kept, const clrs__blob_program *program) {
  kept->programs[program - kept->programs] = kept->programs[kept->count - 1];
  kept->count--;
  if (kept->count == 0) {
    clrs__kept_programs_destroy(kept);
  }
}

/* Room that is not used does no harm. */
static bool reserve(clrs__kept_programs *kept, size_t most) {
  clrs__blob_program *programs =
      realloc(kept->programs, (kept->count + most) * sizeof *kept->programs);
  if (programs == NULL) {
    return false;
  }
  kept->programs = programs;
  unsigned char **blobs =
      clrs__array_grow(kept->blobs, kept->blob_count, &kept->blob_room, sizeof *blobs);
  if (blobs == NULL) {
    return false;
  }
  kept->blobs = blobs;
  return true;
}

clrs_status clrs__kept_programs_begin(clrs__kept_programs *kept, clrs__blob_reader *reader,
                                      size_t most, clrs_error *error) {
  unsigned char *copy = reserve(kept, most) ? malloc(reader->size) : NULL;
  CLRS_TRY_MEMORY(copy, error, "no memory for %zu bytes of programs", reader->size);
  memcpy(copy, reader->bytes, reader->size);
  reader->bytes = copy;
  kept->blobs[kept->blob_count++] = copy;
  return CLRS_OK;
}

void clrs__kept_programs_put(clrs__kept_programs *kept, const clrs__blob_program *program) {
  kept->programs[kept->count++] = *program;
}
