/*
 * What a batch refuses, and that then nothing is written: moves that do not keep apart, bad moves
 * among good ones. And what looks like an overlap but is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"
#include "clreshape/indexed.h"

#include <stdlib.h>

enum { MANY = 1000 };

typedef struct some_moves {
  size_t count;
  clrs_tensor *sources[MANY], *destinations[MANY];
} some_moves;

/* bytes [offset, offset + count) of the buffer, `stride` apart */
static clrs_tensor *bytes_at(const api *a, cl_mem buffer, uint64_t offset, int64_t count,
                             int64_t stride) {
  const clrs_layout layout = api_layout(CLRS_U8, 1, LIST(count), LIST(stride));
  return api_wrap(a->library, buffer, offset, &layout);
}

static void add(some_moves *moves, clrs_tensor *source, clrs_tensor *destination) {
  moves->sources[moves->count] = source;
  moves->destinations[moves->count++] = destination;
}

static void release(some_moves *moves) {
  for (size_t i = 0; i < moves->count; i++) {
    clrs_tensor_release(moves->sources[i]);
    clrs_tensor_release(moves->destinations[i]);
  }
  moves->count = 0;
}

/* Both ways of asking refuse, name both moves, and nothing was written. */
static void expect_refused(api *a, some_moves *moves, clrs_status status, const char *one,
                           const char *other) {
  const clrs_batch_moves given = {
      .count = moves->count, .sources = moves->sources, .destinations = moves->destinations};
  clrs_error error;
  clrs_batch *batch = NULL;
  cl_event event = NULL;
  CHECK_FAILS(clrs_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), status,
              error);
  CHECK_SAYS(error, one);
  CHECK_SAYS(error, other);
  CHECK_FAILS(clrs_batch_create(a->library, &given, &batch, &error), status, error);
  assert_null(event);
  assert_null(batch);
  api_expect_untouched(a);
  release(moves);
}

static void expect_done(api *a, some_moves *moves) {
  const clrs_batch_moves given = {
      .count = moves->count, .sources = moves->sources, .destinations = moves->destinations};
  clrs_error error;
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
  release(moves);
}

static void destinations_that_share_a_byte_are_refused(void **state) {
  api *a = *state;
  some_moves moves = {0};
  for (int i = 0; i < 10; i++) /* move 7 begins at the last byte of move 3 */
    add(&moves, bytes_at(a, a->source, 0, 8, 1),
        bytes_at(a, a->destination, i == 7 ? 307 : 100 * (uint64_t)i, 8, 1));
  expect_refused(a, &moves, CLRS_OVERLAP, "move 3", "move 7");
}

static void a_destination_over_another_source_is_refused(void **state) {
  api *a = *state;
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->destination, 200, 8, 1), bytes_at(a, a->destination, 100, 8, 1));
  add(&moves, bytes_at(a, a->source, 8, 8, 1), bytes_at(a, a->destination, 207, 8, 1));
  expect_refused(a, &moves, CLRS_OVERLAP, "the source of move 1", "the destination of move 2");
  add(&moves, bytes_at(a, a->destination, 0, 8, 1), bytes_at(a, a->destination, 100, 8, 1));
  add(&moves, bytes_at(a, a->destination, 200, 8, 1), bytes_at(a, a->destination, 7, 8, 1));
  expect_refused(a, &moves, CLRS_OVERLAP, "the source of move 0", "the destination of move 1");
}

static void a_move_onto_itself_is_refused(void **state) {
  api *a = *state;
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->destination, 100, 8, 1), bytes_at(a, a->destination, 104, 8, 1));
  expect_refused(a, &moves, CLRS_OVERLAP, "source and destination share", "move 1 of 2");
}

static void packed_destinations_that_share_a_byte_are_refused(void **state) {
  api *a = *state;
  some_moves moves = {0};
  const clrs_layout three = api_layout(CLRS_U4, 1, LIST(3), NULL);
  clrs_layout behind = three;
  behind.offset = 3; /* begins in the second half of byte 1 */
  add(&moves, api_wrap(a->library, a->source, 0, &three),
      api_wrap(a->library, a->destination, 0, &three));
  add(&moves, api_wrap(a->library, a->source, 0, &three),
      api_wrap(a->library, a->destination, 0, &behind));
  expect_refused(a, &moves, CLRS_OVERLAP, "move 0", "move 1");
}

/* A thousand columns of a matrix of [4, 1000]: each pair has bytes [begin, end) that meet. */
static void columns_interleave_without_meeting(void **state) {
  api *a = *state;
  some_moves moves = {0};
  unsigned char got[API_BYTES];
  for (int i = 0; i < MANY; i++)
    add(&moves, bytes_at(a, a->source, (uint64_t)i, 4, 1000),
        bytes_at(a, a->destination, (uint64_t)(MANY - 1 - i), 4, 1000));
  expect_done(a, &moves);
  device_read(&a->device, a->destination, API_BYTES, got);
  for (int i = 0; i < API_BYTES; i++)
    assert_int_equal(got[i],
                     i < 4 * MANY ? a->bytes[i / MANY * MANY + MANY - 1 - i % MANY] : a->poison[i]);
}

/* The same, but two of the thousand are one column. */
static void a_column_that_comes_twice_is_found(void **state) {
  api *a = *state;
  some_moves moves = {0};
  for (int i = 0; i < MANY; i++)
    add(&moves, bytes_at(a, a->source, (uint64_t)i, 4, 1000),
        bytes_at(a, a->destination, i == 999 ? 123 : (uint64_t)i, 4, 1000));
  expect_refused(a, &moves, CLRS_OVERLAP, "move 123", "move 999");
}

static void a_source_may_be_read_by_all(void **state) {
  api *a = *state;
  some_moves moves = {0};
  for (int i = 0; i < 500; i++)
    add(&moves, bytes_at(a, a->source, 1, 8, 1),
        bytes_at(a, a->destination, 8 * (uint64_t)i, 8, 1));
  expect_done(a, &moves);
  unsigned char got[API_BYTES];
  device_read(&a->device, a->destination, API_BYTES, got);
  for (int i = 0; i < 4000; i++)
    assert_int_equal(got[i], a->bytes[1 + i % 8]);
}

/* Two moves by indices: from bytes [0, 8) and [8, 16) of the source, by indices there, each to 8
 * bytes of the destination. Both flags lie in the destination. */
typedef struct two_by_indices {
  some_moves moves;
  clrs_indices given[2];
  const clrs_indices *gathers[2];
} two_by_indices;

static clrs_tensor *dense_at(const api *a, cl_mem buffer, uint64_t offset, clrs_dtype dtype,
                             int64_t count) {
  const clrs_layout layout = api_layout(dtype, 1, LIST(count), NULL);
  return api_wrap(a->library, buffer, offset, &layout);
}

static void open_two(const api *a, two_by_indices *two) {
  *two = (two_by_indices){.moves.count = 0};
  for (uint64_t i = 0; i < 2; i++) {
    add(&two->moves, dense_at(a, a->source, 8 * i, CLRS_U8, 8),
        dense_at(a, a->destination, 8 * i, CLRS_U8, 8));
    two->given[i] = (clrs_indices){.tensor = dense_at(a, a->source, 256 + 32 * i, CLRS_I32, 8),
                                   .flag = dense_at(a, a->destination, 64 + 4 * i, CLRS_U32, 1)};
    two->gathers[i] = &two->given[i];
  }
}

static clrs_status batch_two(const api *a, two_by_indices *two, clrs_batch **batch,
                             clrs_error *error) {
  const clrs_batch_moves moves = {.count = 2,
                                  .sources = two->moves.sources,
                                  .destinations = two->moves.destinations,
                                  .gathers = two->gathers};
  return clrs_batch_create(a->library, &moves, batch, error);
}

static void close_two(two_by_indices *two) {
  for (size_t i = 0; i < 2; i++) {
    clrs_tensor_release(two->given[i].tensor);
    clrs_tensor_release(two->given[i].flag);
  }
  release(&two->moves);
}

static void put(clrs_tensor **at, clrs_tensor *tensor) {
  clrs_tensor_release(*at);
  *at = tensor;
}

static void what_moves_by_indices_touch_keeps_apart(void **state) {
  api *a = *state;
  two_by_indices two;
  clrs_error error;
  clrs_batch *batch = NULL;
  open_two(a, &two);
  put(&two.given[1].tensor, dense_at(a, a->destination, 0, CLRS_I32, 8));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the destination of move 0 and the index tensor of move 1 share bytes");
  put(&two.given[1].tensor, dense_at(a, a->source, 256, CLRS_I32, 8)); /* may be read by both */
  put(&two.given[1].flag, dense_at(a, a->destination, 4, CLRS_U32, 1));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the destination of move 0 and the flag of move 1 share bytes");
  put(&two.given[1].flag, dense_at(a, a->destination, 8, CLRS_U32, 1));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the destination and the flag share bytes of one buffer");
  CHECK_SAYS(error, "that is move 1 of 2");
  put(&two.given[1].flag, dense_at(a, a->destination, 64, CLRS_U32, 1)); /* raised by both */
  put(&two.moves.sources[1], dense_at(a, a->destination, 64, CLRS_U8, 8));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the flag of move 0 and the source of move 1 share bytes");
  assert_null(batch);
  put(&two.moves.sources[1], dense_at(a, a->source, 8, CLRS_U8, 8));
  CHECK_OK(batch_two(a, &two, &batch, &error), error);
  assert_int_equal(clrs_batch_launches(batch), 2);
  clrs_batch_release(batch);
  close_two(&two);
  api_expect_untouched(a);
}

/* Tensors, also of indices and flags, may go before the batch is enqueued. */
static void a_batch_keeps_what_its_indices_need(void **state) {
  api *a = *state;
  two_by_indices two;
  clrs_error error;
  clrs_batch *batch = NULL;
  cl_event event = NULL;
  unsigned char got[API_BYTES], expected[API_BYTES];
  bool raised[2] = {false, false};
  memcpy(expected, a->poison, API_BYTES);
  for (size_t k = 0; k < 16; k++) {
    int32_t place;
    memcpy(&place, a->bytes + 256 + 4 * k, sizeof place);
    const bool is_there = place >= 0 && place < 8;
    expected[k] = is_there ? a->bytes[8 * (k / 8) + (size_t)place] : 0;
    raised[k / 8] = raised[k / 8] || !is_there;
  }
  for (size_t i = 0; i < 2; i++) {
    uint32_t flag;
    memcpy(&flag, a->poison + 64 + 4 * i, sizeof flag);
    flag |= raised[i];
    memcpy(expected + 64 + 4 * i, &flag, sizeof flag);
  }
  open_two(a, &two);
  CHECK_OK(batch_two(a, &two, &batch, &error), error);
  close_two(&two);
  CHECK_OK(clrs_enqueue_batch(batch, ON(a->device.queue), &event, &error), error);
  clrs_batch_release(batch);
  device_finish_event(event);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}

/* A flag of very many moves is compared as one. */
static void very_many_moves_may_raise_one_flag(void **state) {
  enum { COUNT = 6000 };
  static clrs_tensor *sources[COUNT], *destinations[COUNT];
  static const clrs_indices *gathers[COUNT];
  api *a = *state;
  clrs_batch *batch = NULL;
  clrs_error error;
  cl_mem room = device_buffer(&a->device, CL_MEM_READ_WRITE, COUNT + 8);
  const clrs_indices given = {.tensor = dense_at(a, a->source, 256, CLRS_I32, 1),
                              .flag = dense_at(a, room, COUNT, CLRS_U32, 1)};
  for (size_t i = 0; i < COUNT; i++) {
    sources[i] = dense_at(a, a->source, 0, CLRS_U8, 8);
    destinations[i] = dense_at(a, room, i, CLRS_U8, 1);
    gathers[i] = &given;
  }
  const clrs_batch_moves moves = {COUNT, sources, destinations, gathers, NULL};
  CHECK_OK(clrs_batch_create(a->library, &moves, &batch, &error), error);
  clrs_batch_release(batch);
  batch = NULL;
  put(&destinations[COUNT - 1], dense_at(a, room, COUNT + 3, CLRS_U8, 1));
  CHECK_FAILS(clrs_batch_create(a->library, &moves, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "and the destination of move 5999 share bytes");
  assert_null(batch);
  for (size_t i = 0; i < COUNT; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(destinations[i]);
  }
  clrs_tensor_release(given.tensor);
  clrs_tensor_release(given.flag);
  CL_OK(clReleaseMemObject(room));
}

static void a_bad_move_among_good_ones_is_named(void **state) {
  api *a = *state;
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 8, 7, 1));
  expect_refused(a, &moves, CLRS_COUNT_MISMATCH, "[7]", "move 1 of 2");
  cl_mem constant = device_buffer(&a->device, CL_MEM_READ_ONLY, 64);
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, constant, 8, 8, 1));
  expect_refused(a, &moves, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY", "move 1 of 2");
  CL_OK(clReleaseMemObject(constant));
}

static void what_is_missing_is_named(void **state) {
  api *a = *state;
  some_moves moves = {0};
  clrs_error error;
  clrs_batch *batch = NULL;
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  const clrs_batch_moves given = {.count = 1,
                                  .sources = moves.sources,
                                  .destinations = moves.destinations},
                         none = {.count = 0, .sources = NULL, .destinations = NULL};
  const clrs_batch_moves no_sources = {.count = 1,
                                       .sources = NULL,
                                       .destinations = moves.destinations},
                         no_targets = {.count = 1, .sources = moves.sources, .destinations = NULL};
  CHECK_FAILS(clrs_batch_create(NULL, &given, &batch, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_batch_create(a->library, NULL, &batch, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_batch_create(a->library, &given, NULL, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_batch_create(a->library, &no_sources, &batch, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "moves->sources");
  CHECK_FAILS(clrs_batch_create(a->library, &no_targets, &batch, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "moves->destinations");
  CHECK_FAILS(clrs_batch_create(a->foreign_library, &given, &batch, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_FAILS(clrs_enqueue_moves(a->library, &given, ON(NULL), NULL, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_FAILS(clrs_enqueue_moves(a->library, &given, ON(a->foreign.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs_enqueue_batch(NULL, ON(a->device.queue), NULL, &error), CLRS_INVALID_ARGUMENT,
              error);
  assert_null(batch);
  CHECK_OK(clrs_batch_create(a->library, &given, &batch, &error), error);
  CHECK_FAILS(clrs_enqueue_batch(batch, ON(a->foreign.queue), NULL, &error), CLRS_INVALID_ARGUMENT,
              error);
  clrs_batch_release(batch);
  api_expect_untouched(a);
  CHECK_OK(clrs_batch_create(a->library, &none, &batch, &error), error);
  assert_int_equal(clrs_batch_launches(batch), 0);
  clrs_batch_release(batch);
  assert_int_equal(clrs_batch_launches(NULL), 0);
  clrs_batch_retain(NULL);
  clrs_batch_release(NULL);
  release(&moves);
}

/* The batch keeps what it needs: tensors and buffers may go before it is enqueued. */
static void a_batch_outlives_its_tensors(void **state) {
  api *a = *state;
  some_moves moves = {0};
  clrs_error error;
  clrs_batch *batch = NULL;
  unsigned char got[API_BYTES];
  cl_mem source = device_buffer(&a->device, CL_MEM_READ_WRITE, API_BYTES);
  device_write(&a->device, source, API_BYTES, a->bytes);
  for (int i = 0; i < 16; i++)
    add(&moves, bytes_at(a, source, 16 * (uint64_t)i, 16, 1),
        bytes_at(a, a->destination, 16 * (uint64_t)(15 - i), 16, 1));
  const clrs_batch_moves given = {
      .count = moves.count, .sources = moves.sources, .destinations = moves.destinations};
  CHECK_OK(clrs_batch_create(a->library, &given, &batch, &error), error);
  release(&moves);
  CL_OK(clReleaseMemObject(source));
  for (int round = 0; round < 3; round++) {
    api_poison(a);
    CHECK_OK(clrs_enqueue_batch(batch, ON(a->device.queue), NULL, &error), error);
    if (round == 2)
      clrs_batch_release(batch); /* in flight */
    device_read(&a->device, a->destination, API_BYTES, got);
    for (int i = 0; i < 256; i++)
      assert_int_equal(got[i], a->bytes[(15 - i / 16) * 16 + i % 16]);
    assert_memory_equal(got + 256, a->poison + 256, API_BYTES - 256);
  }
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
#define TEST(name) cmocka_unit_test_setup_teardown(name, api_open, api_close)
  const struct CMUnitTest tests[] = {
      TEST(destinations_that_share_a_byte_are_refused),
      TEST(a_destination_over_another_source_is_refused),
      TEST(a_move_onto_itself_is_refused),
      TEST(packed_destinations_that_share_a_byte_are_refused),
      TEST(columns_interleave_without_meeting),
      TEST(a_column_that_comes_twice_is_found),
      TEST(a_source_may_be_read_by_all),
      TEST(what_moves_by_indices_touch_keeps_apart),
      TEST(a_batch_keeps_what_its_indices_need),
      TEST(very_many_moves_may_raise_one_flag),
      TEST(a_bad_move_among_good_ones_is_named),
      TEST(what_is_missing_is_named),
      TEST(a_batch_outlives_its_tensors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
