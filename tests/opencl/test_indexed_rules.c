/*
 * Promises of a gather and a scatter by indices besides the elements: long rows, indices that name
 * the same place, indices of any bytes, a single launch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fence.h"
#include "harness/opencl_counts.h"
#include "indexed_case.h"

/* ---- rows that are longer than a chunk, several at a time ---- */

enum { LONG_BYTES = 40001, LONG_PLACES = 12, LONG_ROWS = 10 };
static const int32_t long_indices[LONG_ROWS] = {2, 70, 0, 11, 5, -1, 7, 3, 9, 1};

static cl_mem buffer_of(const fixture *f, size_t bytes, const void *from) {
  cl_mem buffer = device_buffer(&f->shop->opencl, CL_MEM_READ_WRITE, bytes);
  device_write(&f->shop->opencl, buffer, bytes, from);
  return buffer;
}

static clrs_tensor *wrap(clrs_context *library, cl_mem buffer, uint64_t byte_offset,
                         clrs_dtype dtype, clrs_shape shape) {
  clrs_layout layout;
  clrs_tensor *tensor = NULL;
  const clrs_storage storage = {buffer, byte_offset};
  CHECK_OK(clrs_layout_init(dtype, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &layout, &tensor, &error), error);
  return tensor;
}

/* Row i of one side, and the place that index i names on the other side. */
static void expect_long_rows(bool scatters, const unsigned char *from, unsigned char *to,
                             unsigned char element) {
  for (int i = 0; i < LONG_ROWS; i++) {
    const int32_t place = long_indices[i];
    const bool is_there = place >= 0 && place < LONG_PLACES;
    if (scatters && is_there)
      memcpy(to + (size_t)place * LONG_BYTES, from + (size_t)i * LONG_BYTES, LONG_BYTES);
    else if (!scatters && is_there)
      memcpy(to + (size_t)i * LONG_BYTES, from + (size_t)place * LONG_BYTES, LONG_BYTES);
    else if (!scatters)
      memset(to + (size_t)i * LONG_BYTES, element, LONG_BYTES);
  }
}

static void move_long_rows(const fixture *f, clrs_context *library, uint64_t byte_offset,
                           bool scatters) {
  static unsigned char from[LONG_PLACES * LONG_BYTES + 16], to[sizeof from], got[sizeof from];
  const unsigned char element = 0x5c;
  const clrs_shape places = {2, {LONG_PLACES, LONG_BYTES}}, rows = {2, {LONG_ROWS, LONG_BYTES}};
  test_rng rng = rng_start(byte_offset);
  cl_event event = NULL;
  rng_fill(&rng, from, sizeof from);
  rng_fill(&rng, to, sizeof to);
  cl_mem source = buffer_of(f, sizeof from, from), destination = buffer_of(f, sizeof to, to);
  cl_mem index = buffer_of(f, sizeof long_indices, long_indices);
  clrs_tensor *tensors[] = {
      wrap(library, source, byte_offset, CLRS_U8, scatters ? rows : places),
      wrap(library, index, 0, CLRS_I32, (clrs_shape){1, {LONG_ROWS}}),
      wrap(library, destination, 16 - byte_offset, CLRS_U8, scatters ? places : rows)};
  const clrs_indices given = {.tensor = tensors[1], .element = &element};
  expect_long_rows(scatters, from + byte_offset, to + 16 - byte_offset, element);
  CHECK_OK(enqueue_indexed(scatters, tensors[0], &given, tensors[2], ON(f->shop->opencl.queue),
                           &event, &error),
           error);
  device_finish_event(event);
  device_read(&f->shop->opencl, destination, sizeof got, got);
  assert_memory_equal(got, to, sizeof to);
  for (size_t i = 0; i < 3; i++)
    clrs_tensor_release(tensors[i]);
  CL_OK(clReleaseMemObject(source));
  CL_OK(clReleaseMemObject(destination));
  CL_OK(clReleaseMemObject(index));
}

TEST(long_rows_go_in_chunks) {
  const fixture *f = *state;
  for (size_t i = 0; i < LIBRARIES; i++)
    for (uint64_t byte_offset = 0; byte_offset <= 16; byte_offset += i % 3 == 0 ? 4 : 16) {
      move_long_rows(f, f->libraries[i], byte_offset, false);
      move_long_rows(f, f->libraries[i], byte_offset, true);
    }
}

/* ---- many short rows of a table that no cache near a core holds ---- */

enum { FAR_PLACES = 70000, FAR_ROWS = 300, FAR_UNITS = 33 };

/* Columns [0, width) of the rows. Or transposed: a single row of width 1, with the last axis
 * named. */
static void gather_far_rows(const fixture *f, clrs_context *library, int64_t width, bool is_last) {
  static uint32_t table[FAR_PLACES * FAR_UNITS], got[FAR_ROWS * FAR_UNITS];
  const uint32_t element = 77;
  const int64_t rows = is_last ? width : 1, columns = is_last ? 1 : width;
  int32_t indices[FAR_ROWS];
  cl_event event = NULL;
  for (uint32_t i = 0; i < FAR_PLACES * FAR_UNITS; i++)
    table[i] = i;
  for (int32_t i = 0; i < FAR_ROWS; i++)
    indices[i] = i % 29 == 0 && i > 200 ? FAR_PLACES : i * 233;
  cl_mem from = buffer_of(f, sizeof table, table), to = buffer_of(f, sizeof got, got);
  cl_mem index = buffer_of(f, sizeof indices, indices);
  clrs_tensor *tensors[] = {
      wrap(library, from, 0, CLRS_U32, (clrs_shape){3, {rows, FAR_PLACES, columns}}),
      wrap(library, index, 0, CLRS_I32, (clrs_shape){1, {FAR_ROWS}}),
      wrap(library, to, 0, CLRS_U32, (clrs_shape){3, {rows, FAR_ROWS, columns}})};
  const clrs_indices given = {.tensor = tensors[1], .axis = 1, .element = &element};
  CHECK_OK(clrs_enqueue_gather(tensors[0], &given, tensors[2], NULL, ON(f->shop->opencl.queue),
                               &event, &error),
           error);
  device_finish_event(event);
  device_read(&f->shop->opencl, to, sizeof got, got);
  for (int64_t k = 0; k < rows * FAR_ROWS * columns; k++) {
    const int64_t place = indices[k / columns % FAR_ROWS];
    const int64_t row = k / columns / FAR_ROWS * FAR_PLACES + place;
    assert_int_equal(got[k], place < FAR_PLACES ? row * columns + k % columns : element);
  }
  for (size_t i = 0; i < 3; i++)
    clrs_tensor_release(tensors[i]);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
  CL_OK(clReleaseMemObject(index));
}

TEST(many_short_rows_go_together) {
  static const int64_t widths[] = {1, 3, 16, FAR_UNITS};
  const fixture *f = *state;
  for (size_t i = 0; i < LIBRARIES; i++)
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
      gather_far_rows(f, f->libraries[i], widths[k], false);
      gather_far_rows(f, f->libraries[i], widths[k], true);
    }
}

/* ---- indices that name one place ---- */

/* Each element comes from one of the rows that go to the same place. */
TEST(of_indices_that_name_one_place_one_wins_each_element) {
  enum { ROWS = 64, PLACES = 3, COLUMNS = 37 };
  static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_U16, CLRS_U32, CLRS_U64};
  const fixture *f = *state;
  static uint64_t rows[ROWS * COLUMNS], places[PLACES * COLUMNS], got[PLACES * COLUMNS];
  int64_t indices[ROWS];
  for (size_t round = 0; round < 4 * (size_t)LIBRARIES; round++) {
    clrs_context *library = f->libraries[round % LIBRARIES];
    const size_t width = clrs_dtype_bits(dtypes[round / LIBRARIES]) / 8;
    if (indexed_is_wide(f, library) && width != 4)
      continue; /* see dtype_of_two */
    test_rng rng = rng_start(round);
    cl_event event = NULL;
    rng_fill(&rng, rows, sizeof rows);
    rng_fill(&rng, places, sizeof places);
    for (int i = 0; i < ROWS; i++)
      indices[i] = rng_between(&rng, 0, PLACES - 2); /* no index names the last place */
    cl_mem from = buffer_of(f, sizeof rows, rows), to = buffer_of(f, sizeof places, places);
    cl_mem index = buffer_of(f, sizeof indices, indices);
    clrs_tensor *tensors[] = {
        wrap(library, from, 0, dtypes[round / LIBRARIES], (clrs_shape){2, {ROWS, COLUMNS}}),
        wrap(library, index, 0, CLRS_I64, (clrs_shape){1, {ROWS}}),
        wrap(library, to, 0, dtypes[round / LIBRARIES], (clrs_shape){2, {PLACES, COLUMNS}})};
    const clrs_indices given = {.tensor = tensors[1]};
    CHECK_OK(clrs_enqueue_scatter(tensors[0], &given, tensors[2], ON(f->shop->opencl.queue), &event,
                                  &error),
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

/* ---- an axis that is two of the storage ---- */

/* Rows of [6, 4] that are stored as [4, 6], named by a number from 0 to 23. */
TEST(a_place_is_taken_apart_into_digits) {
  enum { FAST = 4, SLOW = 6, PLACES = FAST * SLOW, COLUMNS = 5 };
  const fixture *f = *state;
  const clrs_shape stored = {3, {FAST, SLOW, COLUMNS}}, seen = {2, {PLACES, COLUMNS}};
  uint32_t values[PLACES * COLUMNS], got[PLACES * COLUMNS];
  int64_t indices[PLACES];
  for (uint32_t i = 0; i < PLACES * COLUMNS; i++)
    values[i] = 1000 + i;
  for (int64_t i = 0; i < PLACES; i++)
    indices[i] = i * 7 % PLACES;
  for (size_t round = 0; round < LIBRARIES; round++) {
    clrs_context *library = f->libraries[round];
    cl_mem from = buffer_of(f, sizeof values, values), to = buffer_of(f, sizeof values, values);
    cl_mem index = buffer_of(f, sizeof indices, indices);
    clrs_tensor *whole = wrap(library, from, 0, CLRS_U32, stored), *named = NULL;
    clrs_tensor *listed = wrap(library, to, 0, CLRS_U32, seen);
    clrs_indices given = {.tensor = wrap(library, index, 0, CLRS_I64, (clrs_shape){1, {PLACES}})};
    clrs_view view = *clrs_tensor_view(whole);
    cl_event event = NULL;
    CHECK_OK(clrs_view_permute(&view, 3, LIST(1, 0, 2), &error), error);
    CHECK_OK(clrs_view_reshape(&view, &seen, &error), error);
    CHECK_OK(clrs_tensor_with_view(whole, &view, &named, &error), error);
    CHECK_OK(
        clrs_enqueue_gather(named, &given, listed, NULL, ON(f->shop->opencl.queue), &event, &error),
        error);
    device_finish_event(event);
    device_read(&f->shop->opencl, to, sizeof got, got);
    for (int64_t i = 0; i < PLACES; i++)
      for (int64_t c = 0; c < COLUMNS; c++) {
        const int64_t place = indices[i], row = place % FAST * SLOW + place / FAST;
        assert_int_equal(got[i * COLUMNS + c], 1000 + row * COLUMNS + c);
      }
    clrs_tensor_release(whole);
    clrs_tensor_release(named);
    clrs_tensor_release(listed);
    clrs_tensor_release(given.tensor);
    CL_OK(clReleaseMemObject(from));
    CL_OK(clReleaseMemObject(to));
    CL_OK(clReleaseMemObject(index));
  }
}

/* ---- pages that may not be touched ---- */

static clrs_tensor *wrap_fenced(clrs_context *library, const fenced_tensor *tensor) {
  const clrs_storage storage = {tensor->buffer, 0};
  clrs_tensor *made = NULL;
  CHECK_OK(clrs_tensor_wrap(library, &storage, &tensor->layout, &made, &error), error);
  return made;
}

static void run_fenced(const fixture *f, clrs_context *library, fenced_tensor *of, bool scatters,
                       clrs_indices given) {
  clrs_tensor *tensors[3];
  cl_event event = NULL;
  for (int i = 0; i < 3; i++)
    tensors[i] = wrap_fenced(library, &of[i]);
  given.tensor = tensors[2];
  CHECK_OK(enqueue_indexed(scatters, tensors[0], &given, tensors[1], ON(f->shop->opencl.queue),
                           &event, &error),
           error);
  device_finish_event(event);
  for (int i = 0; i < 3; i++)
    clrs_tensor_release(tensors[i]);
}

/* Indices of random bytes, where 64-bit indices are wilder than 32-bit indices. Or indices of the
 * bytes' lowest bits, so that many are in range. */
TEST(no_index_leads_past_a_fence) {
  enum { PAGES = 64 };
  const fixture *f = *state;
  fenced memory[3] = {fence(PAGES), fence(PAGES), fence(PAGES)};
  const uint64_t first = test_seed(330000);
  const int64_t cases = test_cases(80);
  int64_t ran = 0;
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    test_rng rng = rng_start(seed);
    const bool scatters = rng_percent(&rng, 50);
    static indexed_case c;
    clrs_context *library = f->libraries[seed % LIBRARIES];
    c = (indexed_case){.dtype = indexed_dtype_random(f, library, seed, &rng)};
    indexed_shapes_random(&c, &rng);
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
      run_fenced(f, library, of, scatters, given);
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

/* Rows of a table, then other rows of another table with the same alignment: one launch each, no
 * copy, and no build the second time. */
TEST(a_gather_is_one_launch_and_a_new_shape_builds_nothing) {
  static uint64_t bytes[4096];
  const fixture *f = *state;
  for (size_t i = 0; i < LIBRARIES; i++) {
    clrs_context *library = f->libraries[i];
    cl_mem from = buffer_of(f, sizeof bytes, bytes), to = buffer_of(f, sizeof bytes, bytes);
    cl_mem index = buffer_of(f, sizeof bytes, bytes);
    for (int64_t round = 0; round < 4; round++) {
      const clrs_shape named = {3, {3 + round, 5 + round, 64}}, indices = {2, {2, 2 + round}};
      const clrs_shape listed = {4, {2, 2 + round, 5 + round, 64}};
      clrs_tensor *tensors[] = {wrap(library, from, 0, CLRS_F32, named),
                                wrap(library, index, 0, CLRS_I64, indices),
                                wrap(library, to, 0, CLRS_F32, listed)};
      const clrs_indices given = {.tensor = tensors[1]};
      cl_event event = NULL;
      opencl_counts_reset();
      CHECK_OK(clrs_enqueue_gather(tensors[0], &given, tensors[2], NULL, ON(f->shop->opencl.queue),
                                   &event, &error),
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

TESTS_UNLESS(device_missing(), fixture_open, fixture_close)
