/*
 * Tasks by indices in the list of a work: the touched bytes, the retained objects and the shared
 * bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "some_moves.h"

/* Two moves by indices: from bytes [0, 8) and [8, 16) of the source, by indices there, each to 8
 * bytes of the destination. Both flags lie in the destination. */
typedef struct two_by_indices {
  some_moves moves;
  clrs_indices given[2];
  const clrs_indices *gathers[2];
} two_by_indices;

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

static clrs_status batch_two(const api *a, two_by_indices *two, clrs_work **batch,
                             clrs_error *error) {
  const test_moves moves = {.count = 2,
                            .sources = two->moves.sources,
                            .destinations = two->moves.destinations,
                            .gathers = two->gathers};
  return test_work_of_moves(a->library, &moves, batch, error);
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

/* Stages are launches here, because each move by indices is a launch. */
static void expect_two(const api *a, two_by_indices *two) {
  clrs_work *batch = NULL;
  CHECK_OK(batch_two(a, two, &batch, &error), error);
  assert_int_equal(clrs_work_launches(batch), 2);
  clrs_work_release(batch);
}

API_TEST(what_moves_by_indices_touch_may_meet_that_of_others) {
  two_by_indices two;
  clrs_work *batch = NULL;
  open_two(a, &two);
  put(&two.given[1].tensor, dense_at(a, a->destination, 0, CLRS_I32, 8));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the index tensor and the destination share bytes of one buffer");
  put(&two.given[1].tensor, dense_at(a, a->source, 256, CLRS_I32, 8)); /* may be read by both */
  put(&two.given[1].flag, dense_at(a, a->destination, 4, CLRS_U32, 1));
  expect_two(a, &two);
  put(&two.given[1].flag, dense_at(a, a->destination, 8, CLRS_U32, 1));
  CHECK_FAILS(batch_two(a, &two, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the destination and the flag share bytes of one buffer");
  CHECK_SAYS(error, "that is task 1 of 2");
  put(&two.given[1].flag, dense_at(a, a->destination, 64, CLRS_U32, 1)); /* raised by both */
  expect_two(a, &two);
  assert_null(batch);
  close_two(&two);
  api_expect_untouched(a);
}

/* Tensors, also of indices and flags, may go before the batch is enqueued. */
API_TEST(a_batch_keeps_what_its_indices_need) {
  two_by_indices two;
  clrs_work *batch = NULL;
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
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(a->device.queue), &event, &error), error);
  clrs_work_release(batch);
  device_finish_event(event);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}

/* A flag of very many moves is compared as a single write. */
API_TEST(very_many_moves_may_raise_one_flag) {
  enum { COUNT = 6000 };
  static clrs_tensor *sources[COUNT], *destinations[COUNT];
  static const clrs_indices *gathers[COUNT];
  clrs_work *batch = NULL;
  cl_mem room = device_buffer(&a->device, CL_MEM_READ_WRITE, COUNT + 8);
  const clrs_indices given = {.tensor = dense_at(a, a->source, 256, CLRS_I32, 1),
                              .flag = dense_at(a, room, COUNT, CLRS_U32, 1)};
  for (size_t i = 0; i < COUNT; i++) {
    sources[i] = dense_at(a, a->source, 0, CLRS_U8, 8);
    destinations[i] = dense_at(a, room, i, CLRS_U8, 1);
    gathers[i] = &given;
  }
  const test_moves moves = {COUNT, sources, destinations, gathers, NULL};
  CHECK_OK(test_work_of_moves(a->library, &moves, &batch, &error), error);
  clrs_work_release(batch);
  batch = NULL;
  put(&destinations[COUNT - 1], dense_at(a, room, COUNT + 3, CLRS_U8, 1));
  CHECK_FAILS(test_work_of_moves(a->library, &moves, &batch, &error), CLRS_OVERLAP, error);
  CHECK_SAYS(error, "the destination and the flag share bytes of one buffer");
  CHECK_SAYS(error, "that is task 5999 of 6000");
  assert_null(batch);
  for (size_t i = 0; i < COUNT; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(destinations[i]);
  }
  clrs_tensor_release(given.tensor);
  clrs_tensor_release(given.flag);
  CL_OK(clReleaseMemObject(room));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
