/*
 * Concat and pad into new results, against loops over indices. The memory of each result comes from
 * an earlier result with other elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/opencl_counts.h"
#include "harness/rng.h"
#include "pool_fixture.h"

enum { ROWS = 8, MOST = 128 }; /* sources are [ROWS, columns], at most MOST columns */

typedef struct part {
  clrs_tensor *tensor;
  int source;
  int64_t columns;
} part;

/* [ROWS, columns] of a source with rows of COUNT / ROWS elements. */
static part draw_part(const pools *p, test_rng *rng) {
  part made = {.source = (int)rng_between(rng, 0, SOURCES - 1), .columns = rng_between(rng, 1, 12)};
  const clrs_layout layout = {CLRS_U32, 2, {ROWS, made.columns}, {COUNT / ROWS, 1}, 0};
  const clrs_storage storage = {p->sources[made.source], 0};
  CHECK_OK(clrs_tensor_wrap(p->library, &storage, &layout, &made.tensor, &error), error);
  return made;
}

static uint32_t element(const pools *p, const part *from, int64_t row, int64_t column) {
  return p->elements[from->source][row * (COUNT / ROWS) + column];
}

/* Reads the elements, [rows, columns], and releases the result. */
static void take(const pools *p, clrs_tensor *result, int64_t rows, int64_t columns,
                 uint32_t *got) {
  const clrs_view *view = clrs_tensor_view(result);
  assert_int_equal(view->shape.rank, 2);
  assert_int_equal(view->shape.dims[0], rows);
  assert_int_equal(view->shape.dims[1], columns);
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_read(result, got, sizeof *got * (size_t)(rows * columns), ON(p->queues[0]),
                             &event, &error),
           error);
  device_finish_event(event);
  clrs_tensor_release(result);
}

static void concat_case(const pools *p, uint64_t seed) {
  static uint32_t got[ROWS * 12 * MOST];
  test_rng rng = rng_start(seed);
  const size_t count = (size_t)rng_between(&rng, 1, 12); /* 8 and more are batched */
  part parts[12];
  clrs_tensor *tensors[12], *result = NULL;
  int64_t columns = 0, at = 0;
  for (size_t i = 0; i < count; i++) {
    parts[i] = draw_part(p, &rng);
    tensors[i] = parts[i].tensor;
    columns += parts[i].columns;
  }
  CHECK_OK(clrs_enqueue_concat(count, tensors, rng_percent(&rng, 50) ? 1 : -1, NULL, &result,
                               ON(p->queues[0]), NULL, &error),
           error);
  take(p, result, ROWS, columns, got);
  for (size_t i = 0; i < count; i++) {
    for (int64_t k = 0; k < ROWS * parts[i].columns; k++) {
      const int64_t row = k / parts[i].columns, column = k % parts[i].columns;
      if (got[row * columns + at + column] != element(p, &parts[i], row, column))
        fail_msg("seed %llu: row %d, column %d of source %zu", (unsigned long long)seed, (int)row,
                 (int)column, i);
    }
    at += parts[i].columns;
    clrs_tensor_release(parts[i].tensor);
  }
}

static void pad_case(const pools *p, uint64_t seed) {
  static uint32_t got[32 * 64];
  test_rng rng = rng_start(seed);
  const part source = draw_part(p, &rng);
  const uint32_t border = 0xABCD0123u;
  const int64_t begins[] = {rng_between(&rng, 0, 5), rng_between(&rng, 0, 9)};
  const int64_t ends[] = {rng_between(&rng, 0, 5), rng_between(&rng, 0, 9)};
  const bool from_0 = rng_percent(&rng, 20), to_end = rng_percent(&rng, 20);
  const clrs_padding padding = {
      .begins = from_0 ? NULL : begins, .element = &border, .ends = to_end ? NULL : ends};
  const int64_t top = from_0 ? 0 : begins[0], left = from_0 ? 0 : begins[1];
  const int64_t rows = top + ROWS + (to_end ? 0 : ends[0]);
  const int64_t columns = left + source.columns + (to_end ? 0 : ends[1]);
  clrs_tensor *result = NULL;
  CHECK_OK(clrs_enqueue_pad(source.tensor, &padding, NULL, &result, ON(p->queues[0]), NULL, &error),
           error);
  take(p, result, rows, columns, got);
  for (int64_t k = 0; k < rows * columns; k++) {
    const int64_t row = k / columns - top, column = k % columns - left;
    const bool inside = row >= 0 && row < ROWS && column >= 0 && column < source.columns;
    if (got[k] != (inside ? element(p, &source, row, column) : border))
      fail_msg("seed %llu: element %d", (unsigned long long)seed, (int)k);
  }
  clrs_tensor_release(source.tensor);
}

POOL_TEST(concats_make_their_result) {
  const uint64_t seed = test_seed(31);
  for (int64_t i = 0; i < test_cases(60); i++)
    concat_case(*state, seed + (uint64_t)i);
}

POOL_TEST(pads_make_their_result) {
  const uint64_t seed = test_seed(47);
  for (int64_t i = 0; i < test_cases(60); i++)
    pad_case(*state, seed + (uint64_t)i);
}

/* ---- results that are not made ---- */

static cl_int give_nothing(void *user_data, const clrs_memory_request *request,
                           clrs_storage *storage) {
  (void)user_data, (void)request, (void)storage;
  return CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

POOL_TEST(without_memory_there_is_no_result) {
  const clrs_allocator allocator = {.allocate = give_nothing};
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  clrs_tensor *source = NULL, *result = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(library, p->sources[0], CLRS_U32, 1, LIST(4), &source, &error),
           error);
  const clrs_padding padding = {.begins = LIST(1), .element = p->elements};
  CHECK_FAILS(clrs_enqueue_concat(2, (clrs_tensor *[]){source, source}, 0, NULL, &result,
                                  ON(p->queues[0]), NULL, &error),
              CLRS_OPENCL_ERROR, error);
  CHECK_SAYS(error, "it was asked for a buffer of 32 bytes");
  CHECK_FAILS(clrs_enqueue_pad(source, &padding, NULL, &result, ON(p->queues[0]), NULL, &error),
              CLRS_OPENCL_ERROR, error);
  CHECK_SAYS(error, "it was asked for a buffer of 20 bytes");
  assert_null(result);
  clrs_tensor_release(source);
  clrs_context_release(library);
}

/* A single element, repeated so often that two such sources have too many elements. */
POOL_TEST(a_result_has_no_more_elements_than_can_be_counted) {
  const clrs_layout many = {CLRS_U32, 1, {INT64_MAX / 2 + 1}, {0}, 0};
  const clrs_storage storage = {p->sources[0], 0};
  clrs_tensor *source = NULL, *result = NULL;
  CHECK_OK(clrs_tensor_wrap(p->library, &storage, &many, &source, &error), error);
  CHECK_FAILS(clrs_enqueue_concat(2, (clrs_tensor *[]){source, source}, 0, NULL, &result,
                                  ON(p->queues[0]), NULL, &error),
              CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "dimension 0 of the result does not fit in 64 bits");
  assert_null(result);
  clrs_tensor_release(source);
}

/* ---- calls of several launches while others are pending ---- */

/* Number of event queries to the driver in one call. */
static int64_t questions_of_a_concat(const pools *p, clrs_tensor *const *halves,
                                     clrs_tensor *whole) {
  const int64_t before = opencl_counted().event_questions;
  CHECK_OK(clrs_enqueue_concat(2, halves, 0, whole, NULL, ON(p->queues[0]), NULL, &error), error);
  return opencl_counted().event_questions - before;
}

POOL_TEST(the_events_that_are_asked_for_do_not_grow_with_pending_calls) {
  enum { CALLS = 40 };
  clrs_tensor *halves[2], *whole = NULL;
  uint32_t got[2 * COUNT];
  for (int i = 0; i < 2; i++)
    CHECK_OK(clrs_tensor_wrap_dense(p->library, p->sources[i], CLRS_U32, 1, LIST(COUNT), &halves[i],
                                    &error),
             error);
  CHECK_OK(
      clrs_tensor_wrap_dense(p->library, p->sink, CLRS_U32, 1, LIST(2 * COUNT), &whole, &error),
      error);
  /* the second round begins with the first round's leftovers */
  for (int round = 0; round < 2; round++) {
    cl_event gate = close_gate(p, 0);
    int64_t asked = 0;
    for (int i = 0; i < CALLS; i++)
      asked = questions_of_a_concat(p, halves, whole);
    open_gate(&gate);
    CL_OK(clFinish(p->queues[0]));
    assert_in_range(asked, 0, 1);
  }
  device_read(&p->device, p->sink, sizeof got, got);
  assert_memory_equal(got, p->elements[0], sizeof p->elements[0]);
  assert_memory_equal(got + COUNT, p->elements[1], sizeof p->elements[1]);
  clrs_tensor_release(halves[0]);
  clrs_tensor_release(halves[1]);
  clrs_tensor_release(whole);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
