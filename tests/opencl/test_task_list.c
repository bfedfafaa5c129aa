/*
 * The order of tasks: tasks that share bytes give the same result as in sequence. Also refused
 * tasks, after which nothing is written. Also tasks that seem to overlap but do not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "some_moves.h"

/* Both ways of asking refuse, name both moves, and nothing was written. */
static void expect_refused(api *a, some_moves *moves, clrs_status status, const char *one,
                           const char *other) {
  const test_moves given = {
      .count = moves->count, .sources = moves->sources, .destinations = moves->destinations};
  clrs_work *batch = NULL;
  cl_event event = NULL;
  CHECK_FAILS(test_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), status,
              error);
  CHECK_SAYS(error, one);
  CHECK_SAYS(error, other);
  CHECK_FAILS(test_work_of_moves(a->library, &given, &batch, &error), status, error);
  assert_null(event);
  assert_null(batch);
  api_expect_untouched(a);
  release(moves);
}

static void expect_done(api *a, some_moves *moves) {
  const test_moves given = {
      .count = moves->count, .sources = moves->sources, .destinations = moves->destinations};
  cl_event event = NULL;
  CHECK_OK(test_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
  release(moves);
}

/* The bytes of the destination after all tasks of a work, or after each move alone. */
static void run(api *a, const some_moves *moves, bool as_work, unsigned char *got) {
  const test_moves given = {
      .count = moves->count, .sources = moves->sources, .destinations = moves->destinations};
  cl_event event = NULL;
  api_poison(a);
  if (as_work) {
    CHECK_OK(test_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), error);
    device_finish_event(event);
  }
  for (size_t i = 0; i < moves->count && !as_work; i++) {
    CHECK_OK(clrs_enqueue_move(moves->sources[i], moves->destinations[i], ON(a->device.queue),
                               &event, &error),
             error);
    device_finish_event(event);
  }
  device_read(&a->device, a->destination, API_BYTES, got);
}

static void expect_in_order(api *a, some_moves *moves) {
  static unsigned char got[API_BYTES], expected[API_BYTES];
  run(a, moves, true, got);
  run(a, moves, false, expected);
  assert_memory_equal(got, expected, API_BYTES);
  release(moves);
}

API_TEST(destinations_that_share_a_byte_are_written_in_order) {
  some_moves moves = {0};
  for (int i = 0; i < 10; i++) /* move 7 begins at the last byte of move 3 */
    add(&moves, bytes_at(a, a->source, 8 * (uint64_t)i, 8, 1),
        bytes_at(a, a->destination, i == 7 ? 307 : 100 * (uint64_t)i, 8, 1));
  expect_in_order(a, &moves);
}

API_TEST(a_destination_over_another_source_waits) {
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->destination, 200, 8, 1), bytes_at(a, a->destination, 100, 8, 1));
  add(&moves, bytes_at(a, a->source, 8, 8, 1), bytes_at(a, a->destination, 207, 8, 1));
  expect_in_order(a, &moves);
  add(&moves, bytes_at(a, a->destination, 0, 8, 1), bytes_at(a, a->destination, 100, 8, 1));
  add(&moves, bytes_at(a, a->destination, 200, 8, 1), bytes_at(a, a->destination, 7, 8, 1));
  add(&moves, bytes_at(a, a->destination, 101, 8, 1), bytes_at(a, a->destination, 300, 8, 1));
  expect_in_order(a, &moves);
}

/* Each of 200 moves reads a byte that the previous move has written, and all moves write a common
 * byte. */
API_TEST(a_long_row_of_moves_keeps_its_order) {
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  for (uint64_t i = 0; i < 200; i++)
    add(&moves, bytes_at(a, a->destination, i + i % 3, 2, 1),
        bytes_at(a, a->destination, i % 5 == 4 ? 3000 : i + 8, 2, 1));
  expect_in_order(a, &moves);
}

API_TEST(a_move_onto_itself_is_refused) {
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->destination, 100, 8, 1), bytes_at(a, a->destination, 104, 8, 1));
  expect_refused(a, &moves, CLRS_OVERLAP, "source and destination share", "task 1 of 2");
}

API_TEST(packed_destinations_that_share_a_byte_are_written_in_order) {
  some_moves moves = {0};
  const clrs_layout three = api_layout(CLRS_U4, 1, LIST(3), NULL);
  clrs_layout behind = three;
  behind.offset = 3; /* begins in the second half of byte 1 */
  add(&moves, api_wrap(a->library, a->source, 0, &three),
      api_wrap(a->library, a->destination, 0, &three));
  add(&moves, api_wrap(a->library, a->source, 0, &three),
      api_wrap(a->library, a->destination, 0, &behind));
  expect_in_order(a, &moves);
}

/* A thousand columns of a matrix of [4, 1000]: each pair has bytes [begin, end) that meet. */
API_TEST(columns_interleave_without_meeting) {
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

/* The same, but two of the thousand moves use the same column, which the later move has written. */
API_TEST(a_column_that_comes_twice_is_written_twice) {
  some_moves moves = {0};
  for (int i = 0; i < MANY; i++)
    add(&moves, bytes_at(a, a->source, (uint64_t)i, 4, 1000),
        bytes_at(a, a->destination, i == 999 ? 123 : (uint64_t)i, 4, 1000));
  expect_in_order(a, &moves);
}

API_TEST(a_source_may_be_read_by_all) {
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

/* A launch has room for 16 buffers. A move whose source is the last goes to a second launch,
 * because the destination has no room. */
API_TEST(both_buffers_of_a_move_are_in_one_launch) {
  enum { FIRST = 14, ALL = FIRST + 1, BYTES = 8 };
  some_moves moves = {0};
  cl_mem buffers[ALL], last = device_buffer(&a->device, CL_MEM_READ_WRITE, BYTES);
  unsigned char got[BYTES];
  device_write(&a->device, last, BYTES, a->bytes + 100);
  for (int i = 0; i < ALL; i++) {
    buffers[i] = device_buffer(&a->device, CL_MEM_READ_WRITE, BYTES);
    add(&moves,
        i < FIRST ? bytes_at(a, a->source, 8 * (uint64_t)i, BYTES, 1)
                  : bytes_at(a, last, 0, BYTES, 1),
        bytes_at(a, buffers[i], 0, BYTES, 1));
  }
  const test_moves given = {
      .count = ALL, .sources = moves.sources, .destinations = moves.destinations};
  clrs_work *batch = NULL;
  CHECK_OK(test_work_of_moves(a->library, &given, &batch, &error), error);
  assert_int_equal(clrs_work_launches(batch), device_shares_launches(a->device.device) ? 2 : ALL);
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(a->device.queue), NULL, &error), error);
  for (int i = 0; i < ALL; i++) {
    device_read(&a->device, buffers[i], BYTES, got);
    assert_memory_equal(got, a->bytes + (i < FIRST ? 8 * i : 100), BYTES);
    CL_OK(clReleaseMemObject(buffers[i]));
  }
  clrs_work_release(batch);
  release(&moves);
  CL_OK(clReleaseMemObject(last));
}

API_TEST(a_bad_move_among_good_ones_is_named) {
  some_moves moves = {0};
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 8, 7, 1));
  expect_refused(a, &moves, CLRS_COUNT_MISMATCH, "[7]", "task 1 of 2");
  cl_mem constant = device_buffer(&a->device, CL_MEM_READ_ONLY, 64);
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, constant, 8, 8, 1));
  expect_refused(a, &moves, CLRS_INVALID_ARGUMENT, "CL_MEM_READ_ONLY", "task 1 of 2");
  CL_OK(clReleaseMemObject(constant));
}

API_TEST(a_prepared_work_takes_no_more_tasks) {
  some_moves moves = {0};
  clrs_work *work = NULL;
  const float element = 1;
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  CHECK_OK(clrs_work_create(a->library, &work, &error), error);
  assert_int_equal(clrs_work_launches(work), 0);
  CHECK_FAILS(clrs_work_move(work, moves.sources[0], NULL, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_OK(clrs_work_prepare(work, &error), error);
  assert_int_equal(clrs_work_launches(work), 0); /* a refused task is not added */
  CHECK_FAILS(clrs_work_move(work, moves.sources[0], moves.destinations[0], &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "it takes no more tasks");
  CHECK_FAILS(clrs_work_fill(work, moves.destinations[0], &element, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_OK(clrs_enqueue_work(work, 0, NULL, ON(a->device.queue), NULL, &error), error);
  CHECK_FAILS(clrs_enqueue_work(work, 0, NULL, ON(a->foreign.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  clrs_work_release(work);
  release(&moves);
  api_expect_untouched(a);
}

/* A work that could not be prepared takes tasks as before, and keeps the refused task. */
API_TEST(a_work_that_was_not_prepared_takes_tasks) {
  some_moves moves = {0};
  clrs_work *work = NULL;
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 8, 7, 1));
  add(&moves, bytes_at(a, a->source, 0, 8, 1), bytes_at(a, a->destination, 0, 8, 1));
  CHECK_OK(clrs_work_create(a->library, &work, &error), error);
  for (size_t i = 0; i < 2; i++) {
    CHECK_OK(clrs_work_move(work, moves.sources[i], moves.destinations[i], &error), error);
    CHECK_FAILS(clrs_work_prepare(work, &error), CLRS_COUNT_MISMATCH, error);
    CHECK_SAYS(error, i == 0 ? "task 0 of 1" : "task 0 of 2");
  }
  clrs_work_release(work);
  release(&moves);
  api_expect_untouched(a);
}

/* The batch retains tensors and buffers, so the caller may release both before enqueuing. */
API_TEST(a_batch_outlives_its_tensors) {
  some_moves moves = {0};
  clrs_work *batch = NULL;
  unsigned char got[API_BYTES];
  cl_mem source = device_buffer(&a->device, CL_MEM_READ_WRITE, API_BYTES);
  device_write(&a->device, source, API_BYTES, a->bytes);
  for (int i = 0; i < 16; i++)
    add(&moves, bytes_at(a, source, 16 * (uint64_t)i, 16, 1),
        bytes_at(a, a->destination, 16 * (uint64_t)(15 - i), 16, 1));
  const test_moves given = {
      .count = moves.count, .sources = moves.sources, .destinations = moves.destinations};
  CHECK_OK(test_work_of_moves(a->library, &given, &batch, &error), error);
  release(&moves);
  CL_OK(clReleaseMemObject(source));
  for (int round = 0; round < 3; round++) {
    api_poison(a);
    CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(a->device.queue), NULL, &error), error);
    if (round == 2)
      clrs_work_release(batch); /* in flight */
    device_read(&a->device, a->destination, API_BYTES, got);
    for (int i = 0; i < 256; i++)
      assert_int_equal(got[i], a->bytes[(15 - i / 16) * 16 + i % 16]);
    assert_memory_equal(got + 256, a->poison + 256, API_BYTES - 256);
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
