/*
 * Random gathers and scatters. See indexed_case.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "indexed_case.h"

int fixture_open(void **state) {
  static const uint64_t plenty = UINT64_C(1) << 30;
  static const clrs_device_limits limits[LIBRARIES] = {
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 64, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 32, .max_work_items = 3},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 64, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 32, .max_work_items = 7}};
  fixture *f = calloc(1, sizeof *f);
  void *shop = NULL;
  assert_non_null(f);
  assert_int_equal(workshop_open(&shop), 0);
  f->shop = shop;
  for (size_t i = 0; i < LIBRARIES; i++)
    f->libraries[i] = device_library(&f->shop->opencl, &limits[i]);
  *state = f;
  return 0;
}

int fixture_close(void **state) {
  fixture *f = *state;
  void *shop = f->shop;
  for (size_t i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  free(f);
  return workshop_close(&shop);
}

/* ---- one tensor of a case ---- */

/* A shape of rows by columns with so many elements, transposed, so that two shapes are seldom one
 * walk. */
static clrs_shape turned_shape(test_rng *rng, int64_t count) {
  int64_t rows = rng_between(rng, 1, 9);
  while (count % rows != 0)
    rows--;
  return (clrs_shape){2, {rows, count / rows}};
}

static side side_random(const fixture *f, clrs_context *library, test_rng *rng, clrs_dtype dtype,
                        const clrs_shape *shape, bool allow_repeats) {
  static const int64_t turn[] = {1, 0};
  const bool is_turned = rng_percent(rng, 35) && oracle_count(shape) > 0;
  const clrs_shape stored = is_turned ? turned_shape(rng, oracle_count(shape)) : *shape;
  const clrs_layout layout = region_layout(rng, dtype, &stored, allow_repeats);
  side s = {.made = region_random(f->shop, library, rng, &layout)};
  clrs_view view = *clrs_tensor_view(s.made.tensor);
  s.where = oracle_copy(&s.made.where);
  if (is_turned) {
    CHECK_OK(clrs_view_permute(&view, 2, turn, &error), error);
    CHECK_OK(clrs_view_reshape(&view, shape, &error), error);
    oracle_permute(&s.where, turn);
    oracle_reshape(&s.where, shape);
    if (shape->rank > 0 && rng_percent(rng, 50)) {
      CHECK_OK(clrs_view_flip(&view, 1, LIST(0), &error), error);
      oracle_flip(&s.where, 1, LIST(0));
    }
  }
  CHECK_OK(clrs_tensor_with_view(s.made.tensor, &view, &s.seen, &error), error);
  return s;
}

static void side_free(side *s) {
  clrs_tensor_release(s->seen);
  oracle_free(&s->where);
  region_free(&s->made);
}

/* ---- a case ---- */

bool indexed_is_wide(const fixture *f, const clrs_context *library) {
  return library == f->libraries[1] || library == f->libraries[4];
}

clrs_dtype indexed_dtype_random(const fixture *f, const clrs_context *library, uint64_t seed,
                                test_rng *rng) {
  enum { SEEDS_OF_A_TEST = 10000, FIRST_SEEDS = 250 };
  const bool is_first = seed % SEEDS_OF_A_TEST < FIRST_SEEDS;
  for (;;) {
    const clrs_dtype dtype = dtype_random(rng);
    if (clrs_dtype_bits(dtype) >= 8)
      return is_first && indexed_is_wide(f, library) ? dtype_of_two(dtype) : dtype;
  }
}

static clrs_shape draw_shape(test_rng *rng, int64_t rank, int64_t most) {
  clrs_shape shape = {.rank = (uint32_t)rank};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 3) ? 0 : rng_between(rng, 1, most);
  return shape;
}

void indexed_shapes_random(indexed_case *c, test_rng *rng) {
  const bool has_many = rng_percent(rng, 2); /* more than a launch has loops for */
  c->named = draw_shape(rng, has_many ? 14 : rng_between(rng, 1, 4), has_many ? 2 : 6);
  c->axis = (uint32_t)rng_between(rng, 0, c->named.rank - 1);
  if (rng_percent(rng, 40)) /* rows of lines, and the rest */
    c->named.dims[c->named.rank - 1] = rng_between(rng, 8, 200);
  /* With many axes few indices, or the result would exceed a driver's largest allocation. */
  c->indices = draw_shape(rng, rng_between(rng, 0, has_many ? 1 : 3), 4);
  c->listed.rank = 0;
  c->before = c->behind = 1;
  for (uint32_t d = 0; d < c->named.rank; d++) {
    if (d == c->axis) {
      for (uint32_t i = 0; i < c->indices.rank; i++)
        c->listed.dims[c->listed.rank++] = c->indices.dims[i];
      continue;
    }
    *(d < c->axis ? &c->before : &c->behind) *= c->named.dims[d];
    c->listed.dims[c->listed.rank++] = c->named.dims[d];
  }
  c->extent = c->named.dims[c->axis];
  c->middle = oracle_count(&c->indices);
}

static bool is_outside(const indexed_case *c, int64_t index) {
  return index >= c->extent || index < (c->given.from_end ? -c->extent : 0);
}

static int64_t draw_index(const indexed_case *c, test_rng *rng, bool is_wide) {
  const int64_t n = c->extent, kind = rng_between(rng, 0, 99);
  const int64_t wild[] = {INT32_MIN, INT32_MAX, INT32_MIN + 1, n, n + 1, -n - 1, -n, -1};
  const int64_t wide[] = {INT64_MIN,        INT64_MAX,           INT64_MIN + 1,
                          INT64_C(1) << 32, -(INT64_C(1) << 32), (INT64_C(1) << 32) - n};
  if (kind < 70 && n > 0)
    return rng_between(rng, 0, n - 1);
  if (kind < 80 && n > 0)
    return rng_between(rng, -n, -1);
  if (kind < 90 && is_wide)
    return wide[rng_between(rng, 0, 5)];
  return wild[rng_between(rng, 0, 7)];
}

/* In a scatter no two indices name the same place. If all places are taken, an index names no place
 * by the index rule. With clamped indices, the case gets fewer indices. */
static void draw_values(indexed_case *c, test_rng *rng, bool is_wide) {
  bool taken[256] = {false};
  for (int64_t i = 0; i < c->middle; i++) {
    int tries = 0;
    do {
      c->values[i] = tries < 200 ? draw_index(c, rng, is_wide) : INT32_MAX;
      c->places[i] = indexed_place(&c->given, c->extent, c->values[i]);
      assert_true(tries++ < 201);
    } while (c->scatters && c->places[i] >= 0 && taken[c->places[i]]);
    if (c->places[i] >= 0)
      taken[c->places[i]] = true;
    c->is_any_outside = c->is_any_outside || is_outside(c, c->values[i]);
  }
}

static void write_values(const fixture *f, indexed_case *c, clrs_dtype dtype) {
  region *made = &c->index.made;
  const size_t bytes = clrs_dtype_bits(dtype) / 8;
  for (int64_t i = 0; i < c->middle; i++) {
    const int32_t narrow = (int32_t)c->values[i];
    unsigned char *at = made->bytes + made->span.byte_offset;
    at += c->index.where.positions[i] * (int64_t)bytes;
    if (bytes == 4)
      memcpy(at, &narrow, sizeof narrow);
    else
      memcpy(at, &c->values[i], sizeof c->values[i]);
  }
  device_write(&f->shop->opencl, made->buffer, made->size, made->bytes);
}

static void draw_flag(const fixture *f, clrs_context *library, indexed_case *c, test_rng *rng) {
  c->flag = device_buffer(&f->shop->opencl, CL_MEM_READ_WRITE, sizeof c->flag_words);
  for (int i = 0; i < 3; i++)
    c->flag_words[i] = 0xa5a5a5a4u;
  device_write(&f->shop->opencl, c->flag, sizeof c->flag_words, c->flag_words);
  const clrs_layout one = {CLRS_U32, 0, {0}, {0}, 1};
  const clrs_storage storage = {c->flag, 0};
  CHECK_OK(clrs_tensor_wrap(library, &storage, &one, &c->flag_tensor, &error), error);
  c->given.flag = rng_percent(rng, 60) ? c->flag_tensor : NULL;
}

void indexed_case_draw(const fixture *f, clrs_context *library, test_rng *rng, indexed_case *c) {
  const clrs_dtype index_type = rng_percent(rng, 50) ? CLRS_I32 : CLRS_I64;
  c->dtype = indexed_dtype_random(f, library, c->seed, rng);
  c->given.from_end = rng_percent(rng, 50);
  c->given.outside = rng_percent(rng, 50) ? CLRS_OUTSIDE_CLAMPED : CLRS_OUTSIDE_SKIPPED;
  do
    indexed_shapes_random(c, rng);
  while (c->scatters && c->given.outside == CLRS_OUTSIDE_CLAMPED && c->middle > c->extent / 2);
  c->given.axis = (int64_t)c->axis - (rng_percent(rng, 50) ? (int64_t)c->named.rank : 0);
  c->index = side_random(f, library, rng, index_type, &c->indices, false);
  c->from = side_random(f, library, rng, c->dtype, c->scatters ? &c->listed : &c->named, true);
  c->to = side_random(f, library, rng, c->dtype, c->scatters ? &c->named : &c->listed, false);
  draw_values(c, rng, index_type == CLRS_I64);
  write_values(f, c, index_type);
  draw_flag(f, library, c, rng);
  rng_fill(rng, c->element, sizeof c->element);
  c->given.element = rng_percent(rng, 70) ? c->element : NULL;
  c->given.tensor = c->index.seen;
}

void indexed_case_free(indexed_case *c) {
  side_free(&c->index);
  side_free(&c->from);
  side_free(&c->to);
  clrs_tensor_release(c->flag_tensor);
  CL_OK(clReleaseMemObject(c->flag));
}

/* ---- what is expected ---- */

/* listed[b, i, a] and named[b, place of i, a], for all b, i and a. */
void indexed_case_expect(indexed_case *c) {
  static const unsigned char zeros[16];
  const bit_span one = {0, clrs_dtype_bits(c->dtype), false};
  region *to = &c->to.made;
  const region *from = &c->from.made;
  const int64_t count = c->before * c->middle * c->behind;
  for (int64_t k = 0; k < count; k++) {
    const int64_t b = k / c->behind / c->middle, i = k / c->behind % c->middle, a = k % c->behind;
    const int64_t named = (b * c->extent + c->places[i]) * c->behind + a;
    const bool is_skipped = c->places[i] < 0;
    if (c->scatters && !is_skipped)
      bits_copy(&from->span, from->bytes, c->from.where.positions[k], &to->span, to->bytes,
                c->to.where.positions[named]);
    else if (!c->scatters && !is_skipped)
      bits_copy(&from->span, from->bytes, c->from.where.positions[named], &to->span, to->bytes,
                c->to.where.positions[k]);
    else if (!c->scatters)
      bits_copy(&one, c->given.element != NULL ? c->given.element : zeros, 0, &to->span, to->bytes,
                c->to.where.positions[k]);
  }
  if (c->given.flag != NULL && c->is_any_outside && count > 0)
    c->flag_words[1] |= 1;
}

void indexed_case_require(const fixture *f, const indexed_case *c) {
  cl_uint flag_words[3];
  region_require(f->shop, &c->to.made, c->seed, "the destination");
  region_require(f->shop, &c->from.made, c->seed, "the source");
  region_require(f->shop, &c->index.made, c->seed, "the indices");
  device_read(&f->shop->opencl, c->flag, sizeof flag_words, flag_words);
  CHECK_SEEDED(memcmp(flag_words, c->flag_words, sizeof flag_words) == 0, c->seed,
               "the flag is %x, not %x, or what is around it changed", flag_words[1],
               c->flag_words[1]);
}
