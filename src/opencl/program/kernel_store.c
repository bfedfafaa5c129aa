/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_store.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "program_binary.h"

static size_t find(const clrs__kernel_store *store, const clrs__variant *variant) {
  size_t at = 0;
  while (at < store->count && !clrs__variant_equal(store->kernels[at].variant, *variant)) {
    at++;
  }
  return at;
}

/* ---- kept programs ---- */

static clrs__bytes title_of(const clrs__kept_program *kept) {
  return (clrs__bytes){kept->bytes, kept->title_length};
}

static clrs__bytes binary_of(const clrs__kept_program *kept) {
  return (clrs__bytes){kept->bytes + kept->title_length, kept->binary_length};
}

/* Returns the index of the program, or the count if the program is not kept. */
static size_t find_kept(const clrs__kernel_store *store, clrs__bytes title) {
  size_t at = 0;
  while (at < store->kept_count && !clrs__bytes_equal(title_of(store->kept[at]), title)) {
    at++;
  }
  return at;
}

static size_t find_kept_variant(const clrs__kernel_store *store, const clrs__variant *variant) {
  char title[CLRS__TITLE_BYTES];
  clrs__program_title(variant, title);
  return find_kept(store, clrs__bytes_of_text(title));
}

static void forget_kept(clrs__kernel_store *store, size_t at) {
  free(store->kept[at]);
  store->kept[at] = store->kept[--store->kept_count];
}

static clrs_status keep(clrs__kernel_store *store, const clrs__blob_program *program,
                        clrs_error *error) {
  const size_t title = program->title.length, binary = program->binary.length;
  clrs__kept_program **grown =
      clrs__array_grow(store->kept, store->kept_count, &store->kept_room, sizeof *grown);
  store->kept = grown != NULL ? grown : store->kept;
  clrs__kept_program *kept = grown != NULL ? malloc(sizeof *kept + title + binary) : NULL;
  CLRS_TRY_MEMORY(kept, error, "no memory for a program of %zu bytes", binary);
  *kept = (clrs__kept_program){title, binary};
  memcpy(kept->bytes, program->title.bytes, title);
  memcpy(kept->bytes + title, program->binary.bytes, binary);
  grown[store->kept_count++] = kept;
  return CLRS_OK;
}

/* ---- room ---- */

static size_t limit_of(const clrs__kernel_store *store) {
  return store->limit > 0 ? store->limit : CLRS__MAX_VARIANTS;
}

static clrs_status fail_full(const clrs__kernel_store *store, clrs_error *error) {
  return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                    "a context holds at most %zu kernels; those of moves, and those that works "
                    "have, are not given up for others",
                    limit_of(store));
}

static bool may_be_evicted(const clrs__kernel_store *store, size_t at) {
  const clrs__variant *variant = &store->kernels[at].variant;
  return (clrs__variant_is_mapped(variant) || clrs__variant_is_indexed(variant)) &&
         atomic_load(&store->uses[at].holders) == 0;
}

/* Returns the index of the least recently used kernel, or the count if no kernel may be evicted. */
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

/* Finds a place for a new kernel: behind all others, or the place of an evicted kernel. */
static clrs_status find_place(clrs__kernel_store *store, bool is_kept, size_t *place,
                              clrs_error *error) {
  *place = store->count;
  if (is_kept || store->count + store->kept_count < limit_of(store)) {
    return CLRS_OK;
  }
  if (store->kept_count > 0) {
    forget_kept(store, store->kept_count - 1);
    return CLRS_OK;
  }
  *place = find_oldest(store);
  return *place < store->count ? CLRS_OK : fail_full(store, error);
}

/* ---- building ---- */

/* Builds from the imported binary and forgets the binary, so a next attempt builds from source. */
static clrs_status build_kept(clrs__kernel_store *store, size_t kept, clrs__variant variant,
                              clrs__built_kernel *built, clrs_error *error) {
  clrs_error said = {.status = CLRS_OK};
  const clrs_status status =
      clrs__kernel_from_binary(&store->target, variant, binary_of(store->kept[kept]), built, &said);
  forget_kept(store, kept);
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
  const size_t kept = find_kept_variant(store, &variant);
  const bool is_kept = kept < store->kept_count;
  clrs__built_kernel built;
  CLRS_TRY(find_place(store, is_kept, place, error));
  CLRS_TRY(is_kept ? build_kept(store, kept, variant, &built, error)
                   : clrs__kernel_build(&store->target, variant, &built, error));
  if (*place < store->count) {
    clrs__built_kernel_release(&store->kernels[*place]);
  } else {
    store->count++;
  }
  store->kernels[*place] = built;
  atomic_store(&store->uses[*place].trial, CLRS__UNTRIED);
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
  *held = (clrs__held_kernel){store->kernels[at].kernel, store->kernels[at].most_items, use};
  return CLRS_OK;
}

void clrs__held_kernel_give_back(const clrs__held_kernel *held) {
  atomic_fetch_sub(&held->use->holders, 1);
}

void clrs__kernel_store_destroy(clrs__kernel_store *store) {
  while (store->count > 0) {
    clrs__built_kernel_release(&store->kernels[--store->count]);
  }
  while (store->kept_count > 0) {
    forget_kept(store, store->kept_count - 1);
  }
  free(store->kept);
  store->kept = NULL;
  store->kept_room = 0;
}

/* ---- export ---- */

static clrs_status put_kernel(clrs__blob_writer *writer, const clrs__kernel_store *store,
                              const clrs__built_kernel *built, clrs_error *error) {
  const cl_device_id device = store->target.device;
  char title[CLRS__TITLE_BYTES];
  clrs__bytes binary = {NULL, 0};
  clrs__program_title(&built->variant, title);
  CLRS_TRY(clrs__program_binary(built->program, device, NULL, &binary.length, error));
  (void)clrs__blob_put(writer, clrs__bytes_of_text(title));
  unsigned char *room = clrs__blob_put(writer, binary);
  return room != NULL ? clrs__program_binary(built->program, device, room, &binary.length, error)
                      : CLRS_OK;
}

clrs_status clrs__kernel_store_export(const clrs__kernel_store *store, void *blob, size_t capacity,
                                      size_t *size, clrs_error *error) {
  char identity[CLRS__IDENTITY_BYTES];
  clrs__blob_writer writer = {blob, capacity, 0};
  CLRS_TRY(clrs__programs_identity(&store->target, identity, sizeof identity, error));
  clrs__blob_begin(&writer, clrs__bytes_of_text(identity));
  for (size_t i = 0; i < store->count; i++) {
    CLRS_TRY(put_kernel(&writer, store, &store->kernels[i], error));
  }
  for (size_t i = 0; i < store->kept_count; i++) {
    (void)clrs__blob_put(&writer, title_of(store->kept[i]));
    (void)clrs__blob_put(&writer, binary_of(store->kept[i]));
  }
  clrs__blob_end(&writer);
  *size = writer.size;
  return CLRS_OK;
}

/* ---- import ---- */

static clrs_status keep_new(clrs__kernel_store *store, clrs__blob_reader reader,
                            clrs_error *error) {
  for (clrs__blob_program program; clrs__blob_next(&reader, &program);) {
    if (find_kept(store, program.title) == store->kept_count) {
      CLRS_TRY(keep(store, &program, error));
    }
  }
  for (size_t i = 0; i < store->count; i++) {
    const size_t built = find_kept_variant(store, &store->kernels[i].variant);
    if (built < store->kept_count) {
      forget_kept(store, built);
    }
  }
  return store->count + store->kept_count <= limit_of(store) ? CLRS_OK : fail_full(store, error);
}

clrs_status clrs__kernel_store_import(clrs__kernel_store *store, clrs__bytes blob,
                                      clrs_error *error) {
  const size_t before = store->kept_count;
  char identity[CLRS__IDENTITY_BYTES];
  clrs__blob_reader reader;
  CLRS_TRY(clrs__blob_check(blob, error));
  CLRS_TRY(clrs__programs_identity(&store->target, identity, sizeof identity, error));
  CLRS_TRY(clrs__blob_open(blob, clrs__bytes_of_text(identity), &reader, error));
  const clrs_status status = keep_new(store, reader, error);
  while (status != CLRS_OK && store->kept_count > before) {
    forget_kept(store,
                store->kept_count - 1); /* the programs that were there before stand in front */
  }
  return status;
}
