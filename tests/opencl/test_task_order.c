/*
 * Moves from a stack of walks to bytes of the same buffer. The stack's lowest walk covers these
 * bytes, but the source does not. These moves are accepted. Moves that do share a byte are refused.
 *
 * The buffer is 256 rows of 16 bytes. The first 12 columns, in sequence, are cut into runs of 48
 * elements. Runs 5, 10, 21 and 26 begin in one column and end in the next column, and are stacks.
 * Runs 2 to 31 lie in columns 0 to 5. Columns 6 to 11 have room for five times 48 bytes each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"
#include "harness/works.h"
#include "task_order.h"

enum { ROWS = 256, PITCH = 16, COLUMNS = 12, RUN = 48, FIRST = 2, MOVES = 30 };

typedef struct some_moves {
  clrs_tensor *sources[MOVES], *destinations[MOVES];
  int64_t columns[MOVES], rows[MOVES]; /* first column and row of the destinations */
} some_moves;

static clrs_tensor *run_of_columns(const api *a, int64_t run) {
  clrs_error error;
  clrs_tensor *result = NULL;
  const clrs_layout layout = api_layout(CLRS_U8, 2, LIST(COLUMNS, ROWS), LIST(1, PITCH));
  const clrs_shape runs = {2, {COLUMNS * ROWS / RUN, RUN}};
  clrs_tensor *all = api_wrap(a->library, a->destination, 0, &layout);
  clrs_view view = *clrs_tensor_view(all);
  CHECK_OK(clrs_view_reshape(&view, &runs, &error), error);
  CHECK_OK(clrs_view_slice(&view, 1, &(clrs_slice){0, run, run + 1, 1}, &error), error);
  CHECK_OK(clrs_view_apply(&view, "squeeze=0", &error), error);
  CHECK_OK(clrs_tensor_with_view(all, &view, &result, &error), error);
  clrs_tensor_release(all);
  return result;
}

/* RUN bytes of a single column. */
static clrs_tensor *column_at(const api *a, int64_t column, int64_t row) {
  const clrs_layout layout = api_layout(CLRS_U8, 1, LIST(RUN), LIST(PITCH));
  return api_wrap(a->library, a->destination, (uint64_t)(row * PITCH + column), &layout);
}

static size_t stacks_of(const some_moves *moves) {
  size_t count = 0;
  for (int i = 0; i < MOVES; i++)
    count += clrs_tensor_view(moves->sources[i])->depth > 1;
  return count;
}

static void open_moves(const api *a, some_moves *moves) {
  for (int i = 0; i < MOVES; i++) {
    moves->columns[i] = 6 + i / 5;
    moves->rows[i] = i % 5 * RUN;
    moves->sources[i] = run_of_columns(a, FIRST + i);
    moves->destinations[i] = column_at(a, moves->columns[i], moves->rows[i]);
  }
}

static void release(some_moves *moves) {
  for (int i = 0; i < MOVES; i++) {
    clrs_tensor_release(moves->sources[i]);
    clrs_tensor_release(moves->destinations[i]);
  }
}

/* The expected destination after the moves, element by element. */
static void expect_moved(api *a, const some_moves *moves, int first, int end) {
  unsigned char want[API_BYTES], got[API_BYTES];
  memcpy(want, a->poison, sizeof want);
  for (int i = first; i < end; i++)
    for (int64_t k = 0; k < RUN; k++) {
      const int64_t element = (FIRST + i) * RUN + k;
      want[(moves->rows[i] + k) * PITCH + moves->columns[i]] =
          a->poison[element % ROWS * PITCH + element / ROWS];
    }
  device_read(&a->device, a->destination, sizeof got, got);
  assert_memory_equal(got, want, sizeof got);
}

API_TEST(a_batch_of_stacks_beside_their_destinations) {
  some_moves moves;
  cl_event event = NULL;
  open_moves(a, &moves);
  assert_int_equal(stacks_of(&moves), 4);
  const test_moves given = {
      .count = MOVES, .sources = moves.sources, .destinations = moves.destinations};
  CHECK_OK(test_enqueue_moves(a->library, &given, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
  expect_moved(a, &moves, 0, MOVES);
  release(&moves);
}

API_TEST(one_stack_beside_its_destination) {
  some_moves moves;
  cl_event event = NULL;
  enum { RUN_26 = 26 - FIRST };
  open_moves(a, &moves);
  CHECK_OK(clrs_enqueue_move(moves.sources[RUN_26], moves.destinations[RUN_26], ON(a->device.queue),
                             &event, &error),
           error);
  device_finish_event(event);
  expect_moved(a, &moves, RUN_26, RUN_26 + 1);
  release(&moves);
}

static size_t stages_of(size_t count, clrs_tensor *const *sources,
                        clrs_tensor *const *destinations) {
  clrs__task_list list = {.count = 0};
  clrs_error error;
  for (size_t i = 0; i < count; i++) {
    const clrs__tensor_move move = {.source = sources[i], .destination = destinations[i]};
    CHECK_OK(clrs__task_list_add(&list, &move, NULL, &error), error);
    list.given++;
  }
  CHECK_OK(clrs__task_list_order(&list, &error), error);
  const size_t stages = list.tasks[count - 1].stage + 1;
  clrs__task_list_destroy(&list);
  return stages;
}

/* Run 26 ends in row 15 of column 5. A task that writes there waits for the task that reads. */
API_TEST(the_last_byte_of_a_stack_is_found) {
  some_moves moves;
  const clrs_layout one = api_layout(CLRS_U8, 1, LIST(1), NULL);
  open_moves(a, &moves);
  for (int row = 15; row <= 16; row++) {
    clrs_tensor *from = api_wrap(a->library, a->source, 0, &one);
    clrs_tensor *to = api_wrap(a->library, a->destination, (uint64_t)row * PITCH + 5, &one);
    clrs_tensor *const sources[] = {moves.sources[26 - FIRST], from};
    clrs_tensor *const destinations[] = {moves.destinations[0], to};
    assert_int_equal(stages_of(2, sources, destinations), row == 15 ? 2 : 1);
    clrs_tensor_release(from);
    clrs_tensor_release(to);
  }
  release(&moves);
}

/* Bytes that a source may have, each found by a list of 131,072: more lists than a work pays for.
 * For the last source the work waits without need. The source's strides are puzzles, like in
 * test_overlap_stacks.c. */
API_TEST(tasks_that_take_too_many_steps_to_compare_wait) {
  enum { AXES = 17, SINGLES = 200, SIZE = 1 << 21 };
  int64_t dims[AXES], strides[AXES];
  static clrs_tensor *from[SINGLES + 1], *to[SINGLES + 1];
  for (int i = 0; i < AXES; i++) {
    dims[i] = 2;
    strides[i] = 60001 + i * 1000;
  }
  const clrs_layout puzzle = api_layout(CLRS_U8, AXES, dims, strides);
  const clrs_layout dense = api_layout(CLRS_U8, AXES, dims, NULL);
  const clrs_layout one = api_layout(CLRS_U8, 1, LIST(1), NULL);
  cl_mem buffer = device_buffer(&a->device, CL_MEM_READ_WRITE, SIZE);
  from[0] = api_wrap(a->library, buffer, 0, &puzzle);
  to[0] = api_wrap(a->library, buffer, SIZE - (1 << AXES), &dense);
  for (int i = 0; i < SINGLES; i++) { /* sums end in 000 to 017 */
    from[i + 1] = api_wrap(a->library, a->source, 0, &one);
    to[i + 1] = api_wrap(a->library, buffer, 540020 + (uint64_t)i, &one);
  }
  assert_int_equal(stages_of(20, from, to), 1);
  assert_int_equal(stages_of(SINGLES + 1, from, to), 2);
  for (int i = 0; i <= SINGLES; i++) {
    clrs_tensor_release(from[i]);
    clrs_tensor_release(to[i]);
  }
  CL_OK(clReleaseMemObject(buffer));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
