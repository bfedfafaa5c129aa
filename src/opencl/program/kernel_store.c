/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_store.h"

#include <string.h>

#include "blob.h"
#include "program_binary.h"

static size_t find(const clrs__kernel_store *store, const clrs__variant *variant) {
  size_t at = 0;
  while (at < store->count && !clrs__variant_equal(store->kernels[at].variant, *variant)) {
    at++;
  }
  return at;
}

cl_kernel clrs__kernel_store_get(const clrs__kernel_store *store, clrs__variant variant) {
  const size_t at = find(store, &variant);
  return at < store->count ? store->kernels[at].kernel : NULL;
}

/* ---- room ---- */

static size_t limit_of(const clrs__kernel_store *store) {
  return store->limit > 0 ? store->limit : CLRS__MAX_VARIANTS;
}

static clrs_status fail_full(const clrs__kernel_store *store, clrs_error *error) {
  return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                    "a context holds at most %zu kernels; those of moves, and those that batches "
                    "and sequences have, are not given up for others",
                    limit_of(store));
}

static bool may_be_evicted(const clrs__kernel_store *store, size_t at) {
  const clrs__variant *variant = &store->kernels[at].variant;
  return (clrs__variant_is_mapped(variant) || clrs__variant_is_indexed(variant)) &&
         atomic_load(&store->uses[at].holders) == 0;
}

/* The place of the kernel that was used longest ago; the count if none may go. */
static size_t find_oldest(const clrs__kernel_store *store) {
  size_t oldest = store->count;
  for (size_t at = 0; at < store->count; at++) {
    if (may_be_evicted(store, at) &&
        (oldest == store->count || store->uses[at].last < store->uses[oldest].last)) {
      oldest = at;
    }
  }
  return oldest;
}

/* Where a kernel that is not there goes: behind all others, or where another one is. */
static clrs_status find_place(clrs__kernel_store *store, bool is_kept, size_t *place,
                              clrs_error *error) {
  clrs__kept_programs *kept = &store->kept;
  *place = store->count;
  if (is_kept || store->count + kept->count < limit_of(store)) {
    return CLRS_OK;
  }
  if (kept->count > 0) {
    clrs__kept_programs_forget(kept, &kept->programs[kept->count - 1]);
    return CLRS_OK;
  }
  *place = find_oldest(store);
  return *place < store->count ? CLRS_OK : fail_full(store, error);
}

/* ---- building ---- */

/* Whatever comes of it, the next attempt is from source. */
static clrs_status build_kept(clrs__kernel_store *store, const clrs__blob_program *program,
                              clrs__built_kernel *built, clrs_error *error) {
  clrs_error said = {.status = CLRS_OK};
  const clrs__variant variant = program->variant;
  const clrs__binary binary = {program->binary.bytes, program->binary.length};
  const clrs_status status =
      clrs__kernel_from_binary(&store->target, variant, &binary, built, &said);
  clrs__kept_programs_forget(&store->kept, program);
  if (status != CLRS_OK && said.opencl_code == CL_INVALID_BINARY) {
    return clrs__kernel_build(&store->target, variant, built, error);
  }
  if (status != CLRS_OK && error != NULL) {
    *error = said;
  }
  return status;
}

static clrs_status build(clrs__kernel_store *store, clrs__variant variant, size_t *place,
                         clrs_error *error) {
  const clrs__blob_program *kept = clrs__kept_programs_get(&store->kept, &variant);
  clrs__built_kernel built;
  CLRS_TRY(find_place(store, kept != NULL, place, error));
  CLRS_TRY(kept != NULL ? build_kept(store, kept, &built, error)
                        : clrs__kernel_build(&store->target, variant, &built, error));
  if (*place < store->count) {
    clrs__built_kernel_release(&store->kernels[*place]);
  } else {
    store->count++;
  }
  store->kernels[*place] = built;
  return CLRS_OK;
}

clrs_status clrs__kernel_store_find(clrs__kernel_store *store, clrs__variant variant,
                                    clrs__held_kernel *held, clrs_error *error) {
  size_t at = find(store, &variant);
  if (at == store->count) {
    CLRS_TRY(build(store, variant, &at, error));
  }
  clrs__kernel_use *use = &store->uses[at];
  use->last = ++store->clock;
  atomic_fetch_add(&use->holders, 1);
  *held = (clrs__held_kernel){store->kernels[at].kernel, &use->holders};
  return CLRS_OK;
}

void clrs__held_kernel_give_back(const clrs__held_kernel *held) {
  atomic_fetch_sub(held->holders, 1);
}

void clrs__kernel_store_destroy(clrs__kernel_store *store) {
  while (store->count > 0) {
    clrs__built_kernel_release(&store->kernels[--store->count]);
  }
  clrs__kept_programs_destroy(&store->kept);
}

/* ---- export ---- */

static clrs__blob_text text_of(const char *text) {
  return (clrs__blob_text){(const unsigned char *)text, strlen(text)};
}

static clrs_status put_kernel(clrs__blob_writer *writer, const clrs__kernel_store *store,
                              const clrs__built_kernel *built, clrs_error *error) {
  clrs__blob_program program = {.variant = built->variant};
  const cl_device_id device = store->target.device;
  CLRS_TRY(clrs__program_binary_size(built->program, device, &program.binary.length, error));
  clrs__blob_put(writer, &program); /* room for the binary, which the driver fills in */
  if (writer->bytes == NULL || writer->size > writer->capacity) {
    return CLRS_OK;
  }
  return clrs__program_binary_read(built->program, device,
                                   writer->bytes + writer->size - program.binary.length,
                                   program.binary.length, error);
}

clrs_status clrs__kernel_store_export(const clrs__kernel_store *store, void *blob, size_t capacity,
                                      size_t *size, clrs_error *error) {
  char identity[CLRS__IDENTITY_BYTES];
  clrs__blob_writer writer = {blob, capacity, 0};
  CLRS_TRY(clrs__programs_identity(&store->target, identity, sizeof identity, error));
  clrs__blob_begin(&writer, text_of(identity), store->count + store->kept.count);
  for (size_t i = 0; i < store->count; i++) {
    CLRS_TRY(put_kernel(&writer, store, &store->kernels[i], error));
  }
  for (size_t i = 0; i < store->kept.count; i++) {
    clrs__blob_put(&writer, &store->kept.programs[i]);
  }
  clrs__blob_end(&writer);
  *size = writer.size;
  return CLRS_OK;
}

/* ---- import ---- */

static bool is_there(const clrs__kernel_store *store, const clrs__variant *variant) {
  return clrs__kernel_store_get(store, *variant) != NULL ||
         clrs__kept_programs_get(&store->kept, variant) != NULL;
}

static size_t count_new(const clrs__kernel_store *store, clrs__blob_reader reader) {
  clrs__blob_program program;
  size_t count = 0;
  while (clrs__blob_next(&reader, &program)) {
    count += !is_there(store, &program.variant);
  }
  return count;
}

/* Of a blob that was checked. */
static clrs_status keep_new(clrs__kernel_store *store, clrs__blob_reader *reader,
                            clrs_error *error) {
  clrs__blob_program program;
  const size_t most = count_new(store, *reader);
  if (most == 0) {
    return CLRS_OK;
  }
  if (store->count + store->kept.count + most > limit_of(store)) {
    return fail_full(store, error);
  }
  CLRS_TRY(clrs__kept_programs_begin(&store->kept, reader, most, error));
  while (clrs__blob_next(reader, &program)) {
    if (!is_there(store, &program.variant)) {
      clrs__kept_programs_put(&store->kept, &program);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__kernel_store_import(clrs__kernel_store *store, const void *blob, size_t size,
                                      clrs_error *error) {
  char identity[CLRS__IDENTITY_BYTES];
  clrs__blob_reader reader;
  const clrs__blob_text text = {blob, size};
  CLRS_TRY(clrs__blob_check(text, error));
  CLRS_TRY(clrs__programs_identity(&store->target, identity, sizeof identity, error));
  CLRS_TRY(clrs__blob_open(text, text_of(identity), &reader, error));
  return keep_new(store, &reader, error);
}
