/* SPDX-License-Identifier: Apache-2.0 */
#include "characters.h"

#include <stdlib.h>
#include <string.h>

/* The buffer index of Arrow's utf8 view is an int32. */
#define MOST_BUFFERS ((size_t)INT32_MAX + 1)

static clrs_status retain_buffer(cl_context context, cl_mem buffer, clrs__characters *characters,
                                 clrs_error *error) {
  clrs__buffer queried;
  CLRS_TRY(clrs__require(buffer, "a character buffer", error));
  CLRS_TRY(clrs__buffer_query(context, buffer, &queried, error));
  CLRS_TRY_OPENCL("clRetainMemObject", clRetainMemObject(buffer), error);
  characters->buffers[characters->count++] = buffer;
  return CLRS_OK;
}

clrs_status clrs__characters_create(cl_context context, size_t count, const cl_mem *buffers,
                                    clrs__characters **characters, clrs_error *error) {
  if (count > 0) {
    CLRS_TRY(clrs__require(buffers, "buffers", error));
  }
  if (count > MOST_BUFFERS || count > (SIZE_MAX - sizeof(clrs__characters)) / sizeof *buffers) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "there are %zu character buffers; an index of them has 31 bits", count);
  }
  clrs__characters *created = malloc(sizeof *created + count * sizeof *buffers);
  CLRS_TRY_MEMORY(created, error, "no memory for %zu character buffers", count);
  atomic_init(&created->references, 1);
  created->count = 0;
  for (size_t i = 0; i < count; i++) {
    const clrs_status status = retain_buffer(context, buffers[i], created, error);
    if (status != CLRS_OK) {
      clrs__characters_release(created);
      return status;
    }
  }
  *characters = created;
  return CLRS_OK;
}

void clrs__characters_retain(clrs__characters *characters) {
  if (characters != NULL) {
    atomic_fetch_add(&characters->references, 1);
  }
}

void clrs__characters_release(clrs__characters *characters) {
  if (characters == NULL || atomic_fetch_sub(&characters->references, 1) > 1) {
    return;
  }
  for (size_t i = 0; i < characters->count; i++) {
    clReleaseMemObject(characters->buffers[i]);
  }
  free(characters);
}

clrs_status clrs__characters_check_shared(const clrs__characters *source,
                                          const clrs__characters *destination, clrs_error *error) {
  const size_t from = source != NULL ? source->count : 0;
  const size_t to = destination != NULL ? destination->count : 0;
  if (from != to ||
      (from > 0 && memcmp(source->buffers, destination->buffers, from * sizeof(cl_mem)) != 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the strings of the source point into %zu character buffers that are not the "
                      "destination's %zu",
                      from, to);
  }
  return CLRS_OK;
}
