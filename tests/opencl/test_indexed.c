/*
 * Gather and scatter by indices on a device: every width of whole bytes, any layout and stacks of
 * walks on all three sides, both index types, every rule for an index outside. Expected is what a
 * loop over all elements says. Every byte of every buffer is compared, the flag's too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/indexed.h"

#include <stdlib.h>

#include "harness/fence.h"
#include "harness/opencl_counts.h"
#include "region.h"

enum { CASES = 900, LIBRARIES = 6, MOST_COUNT = 4000 };

typedef struct fixture {
  workshop *shop;
  clrs_context *libraries[LIBRARIES];
} fixture;

static int fixture_open(void **state) {
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

static int fixture_close(void **state) {
  fixture *f = *state;
  void *shop = f->shop;
  for (size_t i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  free(f);
  return workshop_close(&shop);
}

/* ---- one tensor of a case ---- */

typedef struct side {
  region made;
  clrs_tensor *seen; /* of the shape that was wished for */
  oracle where;
} side;

/* Rows by columns of so many elements, turned, so that they are seldom one walk in another shape.
 */
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
  clrs_error error;
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

typedef struct indexed_case {
  uint64_t seed;
  bool scatters;
  clrs_dtype dtype;
  clrs_shape named, indices, listed;
  uint32_t axis;
  int64_t before, extent, middle, behind;
  side from, to, index;
  clrs_indices given;
  unsigned char element[16];
  int64_t values[MOST_COUNT], places[MOST_COUNT]; /* of the indices; -1: skipped */
  bool is_any_outside;
  cl_mem flag;
  cl_uint flag_words[3];
  clrs_tensor *flag_tensor;
} indexed_case;

typedef struct indexed_tally {
  int widths[129], skipped, clamped, from_end, flagged, empty, stacks;
} indexed_tally;

static clrs_dtype draw_dtype(test_rng *rng) {
  for (;;) {
    const clrs_dtype dtype = dtype_random(rng);
    if (clrs_dtype_bits(dtype) >= 8)
      return dtype;
  }
}

static clrs_shape draw_shape(test_rng *rng, int64_t rank, int64_t most) {
  clrs_shape shape = {.rank = (uint32_t)rank};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 3) ? 0 : rng_between(rng, 1, most);
  return shape;
}

static void draw_shapes(indexed_case *c, test_rng *rng) {
  c->named = draw_shape(rng, rng_between(rng, 1, 4), 6);
  c->axis = (uint32_t)rng_between(rng, 0, c->named.rank - 1);
  if (rng_percent(rng, 40)) /* rows of lines, and what is left of them */
    c->named.dims[c->named.rank - 1] = rng_between(rng, 8, 200);
  c->indices = draw_shape(rng, rng_between(rng, 0, 3), 4);
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

/* What an index means, by the words of the header. */
static int64_t place_of(const indexed_case *c, int64_t index) {
  const int64_t n = c->extent;
  if (c->given.from_end && index < 0 && index >= -n)
    return index + n;
  if (index >= 0 && index < n)
    return index;
  return c->given.outside == CLRS_OUTSIDE_CLAMPED && n > 0 ? (index < 0 ? 0 : n - 1) : -1;
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

/* Of a scatter no two name one place: where all are taken, an index in its rule's sense names none,
 * or, if it were clamped, the case has fewer indices. */
static void draw_values(indexed_case *c, test_rng *rng, bool is_wide) {
  bool taken[256] = {false};
  for (int64_t i = 0; i < c->middle; i++) {
    int tries = 0;
    do {
      c->values[i] = tries < 200 ? draw_index(c, rng, is_wide) : INT32_MAX;
      c->places[i] = place_of(c, c->values[i]);
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
  clrs_error error;
  c->flag = device_buffer(&f->shop->opencl, CL_MEM_READ_WRITE, sizeof c->flag_words);
  for (int i = 0; i < 3; i++)
    c->flag_words[i] = 0xa5a5a5a4u;
  device_write(&f->shop->opencl, c->flag, sizeof c->flag_words, c->flag_words);
  const clrs_layout one = {CLRS_U32, 0, {0}, {0}, 1};
  const clrs_storage storage = {c->flag, 0};
  CHECK_OK(clrs_tensor_wrap(library, &storage, &one, &c->flag_tensor, &error), error);
  c->given.flag = rng_percent(rng, 60) ? c->flag_tensor : NULL;
}

static void case_draw(const fixture *f, clrs_context *library, test_rng *rng, indexed_case *c) {
  const clrs_dtype index_type = rng_percent(rng, 50) ? CLRS_I32 : CLRS_I64;
  c->dtype = draw_dtype(rng);
  c->given.from_end = rng_percent(rng, 50);
  c->given.outside = rng_percent(rng, 50) ? CLRS_OUTSIDE_CLAMPED : CLRS_OUTSIDE_SKIPPED;
  do
    draw_shapes(c, rng);
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

static void case_free(indexed_case *c) {
  side_free(&c->index);
  side_free(&c->from);
  side_free(&c->to);
  clrs_tensor_release(c->flag_tensor);
  CL_OK(clReleaseMemObject(c->flag));
}

/* ---- what is expected ---- */

/* listed[b, i, a] and named[b, place of i, a], for all b, i and a. */
static void expect(indexed_case *c) {
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

static void require_all(const fixture *f, const indexed_case *c) {
  cl_uint flag_words[3];
  region_require(f->shop, &c->to.made, c->seed, "the destination");
  region_require(f->shop, &c->from.made, c->seed, "the source");
  region_require(f->shop, &c->index.made, c->seed, "the indices");
  device_read(&f->shop->opencl, c->flag, sizeof flag_words, flag_words);
  CHECK_SEEDED(memcmp(flag_words, c->flag_words, sizeof flag_words) == 0, c->seed,
               "the flag is %x, not %x, or what is around it changed", flag_words[1],
               c->flag_words[1]);
}

static void count_case(const indexed_case *c, indexed_tally *tally) {
  const bool has_elements = c->before * c->middle * c->behind > 0;
  bool is_any_skipped = false;
  for (int64_t i = 0; i < c->middle; i++)
    is_any_skipped = is_any_skipped || c->places[i] < 0;
  tally->widths[clrs_dtype_bits(c->dtype)]++;
  tally->empty += !has_elements;
  tally->skipped += has_elements && is_any_skipped;
  tally->clamped += has_elements && c->given.outside == CLRS_OUTSIDE_CLAMPED && c->is_any_outside;
  tally->from_end += has_elements && c->given.from_end;
  tally->flagged += c->flag_words[1] == 0xa5a5a5a5u;
  tally->stacks += clrs_tensor_view(c->from.seen)->depth > 1;
}

static void run_case(const fixture *f, uint64_t seed, bool scatters, indexed_tally *tally) {
  static indexed_case c;
  test_rng rng = rng_start(seed);
  clrs_context *library = f->libraries[seed % LIBRARIES];
  cl_event event = NULL;
  clrs_error error = {0};
  c = (indexed_case){.seed = seed, .scatters = scatters};
  case_draw(f, library, &rng, &c);
  expect(&c);
  const clrs_status status = (scatters ? clrs_enqueue_scatter : clrs_enqueue_gather)(
      library, c.from.seen, &c.given, c.to.seen, workshop_queue(f->shop, &rng), 0, NULL, &event,
      &error);
  CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
  device_finish_event(event);
  require_all(f, &c);
  count_case(&c, tally);
  case_free(&c);
}

static void run_cases(const fixture *f, uint64_t first, bool scatters) {
  static const int widths[] = {8, 16, 32, 64, 128};
  const int64_t cases = test_cases(CASES);
  indexed_tally tally = {.skipped = 0};
  first = test_seed(first);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    run_case(f, seed, scatters, &tally);
  print_message(
      "  %lld cases: %d skip, %d clamp, %d count from the end, %d raise the flag, %d have "
      "no elements, %d come from stacks\n",
      (long long)cases, tally.skipped, tally.clamped, tally.from_end, tally.flagged, tally.empty,
      tally.stacks);
  if (cases < CASES)
    return;
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    assert_true(tally.widths[widths[i]] > CASES / 20);
  assert_true(tally.skipped > CASES / 10 && tally.clamped > CASES / 20 &&
              tally.from_end > CASES / 4 && tally.flagged > CASES / 10 &&
              tally.empty > CASES / 50 && tally.stacks > 0);
}

static void gathers_read_what_the_indices_name(void **state) {
  run_cases(*state, 310000, false);
}

static void scatters_write_what_the_indices_name_and_nothing_else(void **state) {
  run_cases(*state, 320000, true);
}

/* ---- rows that are longer than a chunk, and rows in both directions ---- */

enum { LONG_ROWS = 3, LONG_BYTES = 150001 };

static cl_mem buffer_of(const fixture *f, size_t bytes, const void *from) {
  cl_mem buffer = device_buffer(&f->shop->opencl, CL_MEM_READ_WRITE, bytes);
  device_write(&f->shop->opencl, buffer, bytes, from);
  return buffer;
}

static clrs_tensor *wrap(clrs_context *library, cl_mem buffer, uint64_t byte_offset,
                         clrs_dtype dtype, clrs_shape shape) {
  clrs_layout layout;
  clrs_tensor *tensor = NULL;
  clrs_error error;
  const clrs_storage storage = {buffer, byte_offset};
  CHECK_OK(clrs_layout_init(dtype, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &layout, &tensor, &error), error);
  return tensor;
}

static void gather_long_rows(const fixture *f, clrs_context *library, uint64_t byte_offset) {
  static unsigned char table[LONG_ROWS * LONG_BYTES + 16], want[2 * LONG_BYTES + 16],
      got[2 * LONG_BYTES + 16];
  static const int32_t indices[] = {2, 7};
  const unsigned char element = 0x5c;
  test_rng rng = rng_start(byte_offset);
  clrs_error error;
  cl_event event = NULL;
  rng_fill(&rng, table, sizeof table);
  rng_fill(&rng, want, sizeof want);
  cl_mem from = buffer_of(f, sizeof table, table), to = buffer_of(f, sizeof want, want);
  cl_mem index = buffer_of(f, sizeof indices, indices);
  clrs_tensor *tensors[] = {
      wrap(library, from, byte_offset, CLRS_U8, (clrs_shape){2, {LONG_ROWS, LONG_BYTES}}),
      wrap(library, index, 0, CLRS_I32, (clrs_shape){1, {2}}),
      wrap(library, to, 16 - byte_offset, CLRS_U8, (clrs_shape){2, {2, LONG_BYTES}})};
  const clrs_indices given = {.tensor = tensors[1], .element = &element};
  memcpy(want + 16 - byte_offset, table + byte_offset + 2 * LONG_BYTES, LONG_BYTES);
  memset(want + 16 - byte_offset + LONG_BYTES, element, LONG_BYTES);
  CHECK_OK(clrs_enqueue_gather(library, tensors[0], &given, tensors[2], f->shop->opencl.queue, 0,
                               NULL, &event, &error),
           error);
  device_finish_event(event);
  device_read(&f->shop->opencl, to, sizeof got, got);
  assert_memory_equal(got, want, sizeof want);
  for (size_t i = 0; i < 3; i++)
    clrs_tensor_release(tensors[i]);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
  CL_OK(clReleaseMemObject(index));
}

static void long_rows_go_in_chunks(void **state) {
  const fixture *f = *state;
  for (size_t i = 0; i < LIBRARIES; i++)
    for (uint64_t byte_offset = 0; byte_offset <= 16; byte_offset += i % 3 == 0 ? 4 : 16)
      gather_long_rows(f, f->libraries[i], byte_offset);
}

/* ---- indices that name one place ---- */

/* Each element is that of one of the rows that go to its place. */
static void of_indices_that_name_one_place_one_wins_each_element(void **state) {
  enum { ROWS = 64, PLACES = 3, COLUMNS = 37 };
  static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_U16, CLRS_U32, CLRS_U64};
  const fixture *f = *state;
  static uint64_t rows[ROWS * COLUMNS], places[PLACES * COLUMNS], got[PLACES * COLUMNS];
  int64_t indices[ROWS];
  for (size_t round = 0; round < 4 * (size_t)LIBRARIES; round++) {
    clrs_context *library = f->libraries[round % LIBRARIES];
    const size_t width = clrs_dtype_bits(dtypes[round / LIBRARIES]) / 8;
    test_rng rng = rng_start(round);
    clrs_error error;
    cl_event event = NULL;
    rng_fill(&rng, rows, sizeof rows);
    rng_fill(&rng, places, sizeof places);
    for (int i = 0; i < ROWS; i++)
      indices[i] = rng_between(&rng, 0, PLACES - 2); /* none names the last place */
    cl_mem from = buffer_of(f, sizeof rows, rows), to = buffer_of(f, sizeof places, places);
    cl_mem index = buffer_of(f, sizeof indices, indices);
    clrs_tensor *tensors[] = {
        wrap(library, from, 0, dtypes[round / LIBRARIES], (clrs_shape){2, {ROWS, COLUMNS}}),
        wrap(library, index, 0, CLRS_I64, (clrs_shape){1, {ROWS}}),
        wrap(library, to, 0, dtypes[round / LIBRARIES], (clrs_shape){2, {PLACES, COLUMNS}})};
    const clrs_indices given = {.tensor = tensors[1]};
    CHECK_OK(clrs_enqueue_scatter(library, tensors[0], &given, tensors[2], f->shop->opencl.queue, 0,
                                  NULL, &event, &error),
             error);
    device_finish_event(event);
    device_read(&f->shop->opencl, to, sizeof got, got);
    for (int place = 0; place < PLACES - 1; place++)
      for (int c = 0; c < COLUMNS; c++) {
        unsigned char *element = (unsigned char *)got + (size_t)(place * COLUMNS + c) * width;
        bool is_one = false;
        for (int i = 0; i < ROWS; i++)
          is_one =
              is_one || (indices[i] == place &&
                         memcmp(element, (unsigned char *)rows + (size_t)(i * COLUMNS + c) * width,
                                width) == 0);
        assert_true(is_one);
      }
    const size_t written = (PLACES - 1) * COLUMNS * width;
    assert_memory_equal((unsigned char *)got + written, (unsigned char *)places + written,
                        sizeof got - written);
    for (size_t i = 0; i < 3; i++)
      clrs_tensor_release(tensors[i]);
    CL_OK(clReleaseMemObject(from));
    CL_OK(clReleaseMemObject(to));
    CL_OK(clReleaseMemObject(index));
  }
}

/* ---- pages that may not be touched ---- */

static clrs_tensor *wrap_fenced(clrs_context *library, const fenced_tensor *tensor) {
  const clrs_storage storage = {tensor->buffer, 0};
  clrs_tensor *made = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_wrap(library, &storage, &tensor->layout, &made, &error), error);
  return made;
}

static void run_fenced(const fixture *f, clrs_context *library, fenced_tensor *of, bool scatters,
                       clrs_indices given) {
  clrs_tensor *tensors[3];
  cl_event event = NULL;
  clrs_error error;
  for (int i = 0; i < 3; i++)
    tensors[i] = wrap_fenced(library, &of[i]);
  given.tensor = tensors[2];
  CHECK_OK((scatters ? clrs_enqueue_scatter
                     : clrs_enqueue_gather)(library, tensors[0], &given, tensors[1],
                                            f->shop->opencl.queue, 0, NULL, &event, &error),
           error);
  device_finish_event(event);
  for (int i = 0; i < 3; i++)
    clrs_tensor_release(tensors[i]);
}

/* Indices of random bytes, of which those of 32 bits are wild and those of 64 bits wilder, or of
 * the bytes' lowest bits, so that many are in range. */
static void no_index_leads_past_a_fence(void **state) {
  enum { PAGES = 64 };
  const fixture *f = *state;
  fenced memory[3] = {fence(PAGES), fence(PAGES), fence(PAGES)};
  const uint64_t first = test_seed(330000);
  const int64_t cases = test_cases(600);
  int64_t ran = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    test_rng rng = rng_start(seed);
    const bool scatters = rng_percent(&rng, 50);
    static indexed_case c;
    c = (indexed_case){.dtype = draw_dtype(&rng)};
    draw_shapes(&c, &rng);
    fenced_tensor of[3] = {
        {.layout = layout_random_of_shape(&rng, c.dtype, scatters ? &c.listed : &c.named, true, 0)},
        {.layout =
             layout_random_of_shape(&rng, c.dtype, scatters ? &c.named : &c.listed, false, 0)},
        {.layout = layout_random_of_shape(&rng, rng_percent(&rng, 50) ? CLRS_I32 : CLRS_I64,
                                          &c.indices, true, 0)}};
    bool fits = true;
    for (int i = 0; i < 3; i++)
      fits = fence_place(&f->shop->opencl, &memory[i], &rng, &of[i]) && fits;
    const clrs_indices given = {
        .axis = c.axis, .from_end = rng_percent(&rng, 50), .outside = (clrs_outside)(seed % 2)};
    if (fits) {
      if (rng_percent(&rng, 50)) {
        for (size_t i = 0; i < of[2].size; i++)
          of[2].bytes[i] = i % 4 == 0 ? (unsigned char)(of[2].bytes[i] % 8) : 0;
        device_write(&f->shop->opencl, of[2].buffer, of[2].size, of[2].bytes);
      }
      run_fenced(f, f->libraries[seed % LIBRARIES], of, scatters, given);
      ran++;
    }
    for (int i = 0; i < 3; i++)
      fence_remove(&of[i]);
  }
  print_message("  %lld cases\n", (long long)ran);
  assert_true(ran * 10 >= cases * 9);
  for (int i = 0; i < 3; i++)
    unfence(&memory[i]);
}

/* ---- launches ---- */

/* Rows of a table, then other rows of another table: one launch each, no copy, and nothing built
 * the second time. */
static void a_gather_is_one_launch_and_a_new_shape_builds_nothing(void **state) {
  static uint64_t bytes[4096];
  const fixture *f = *state;
  for (size_t i = 0; i < LIBRARIES; i++) {
    clrs_context *library = f->libraries[i];
    cl_mem from = buffer_of(f, sizeof bytes, bytes), to = buffer_of(f, sizeof bytes, bytes);
    cl_mem index = buffer_of(f, sizeof bytes, bytes);
    for (int64_t round = 0; round < 4; round++) {
      const clrs_shape named = {3, {3 + round, 5 + round, 16}}, indices = {2, {2, 1 + round}};
      const clrs_shape listed = {4, {2, 1 + round, 5 + round, 16}};
      clrs_tensor *tensors[] = {wrap(library, from, 0, CLRS_F32, named),
                                wrap(library, index, 0, CLRS_I64, indices),
                                wrap(library, to, 0, CLRS_F32, listed)};
      const clrs_indices given = {.tensor = tensors[1]};
      cl_event event = NULL;
      clrs_error error;
      opencl_counts_reset();
      CHECK_OK(clrs_enqueue_gather(library, tensors[0], &given, tensors[2], f->shop->opencl.queue,
                                   0, NULL, &event, &error),
               error);
      const opencl_counts counts = opencl_counted();
      device_finish_event(event);
      assert_int_equal(counts.launches, 1);
      assert_int_equal(counts.transfers, 0);
      assert_int_equal(counts.buffers, 0);
      assert_true(round == 0 || counts.from_source == 0);
      for (size_t k = 0; k < 3; k++)
        clrs_tensor_release(tensors[k]);
    }
    CL_OK(clReleaseMemObject(from));
    CL_OK(clReleaseMemObject(to));
    CL_OK(clReleaseMemObject(index));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathers_read_what_the_indices_name),
      cmocka_unit_test(scatters_write_what_the_indices_name_and_nothing_else),
      cmocka_unit_test(long_rows_go_in_chunks),
      cmocka_unit_test(of_indices_that_name_one_place_one_wins_each_element),
      cmocka_unit_test(no_index_leads_past_a_fence),
      cmocka_unit_test(a_gather_is_one_launch_and_a_new_shape_builds_nothing),
  };
  const int missing = device_missing();
  return missing ? missing : cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
