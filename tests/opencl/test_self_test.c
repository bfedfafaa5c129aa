/*
 * The self-test: with a driver that makes wrong code of one kernel, nothing moves through that
 * kernel. With any other driver a kernel costs one launch more, and with a known driver none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/tensors.h"
#include "self_tested.h"

/* F32 [4, 6] to [6, 4]. */
static clrs_status transpose(const api *a, clrs_context *library, const clrs_on *on,
                             cl_event *event) {
  const clrs_layout from = api_layout(CLRS_F32, 2, (int64_t[]){6, 4}, (int64_t[]){1, 6});
  const clrs_layout to = api_layout(CLRS_F32, 2, (int64_t[]){6, 4}, NULL);
  clrs_tensor *source = api_wrap(library, a->source, 0, &from);
  clrs_tensor *destination = api_wrap(library, a->destination, 0, &to);
  const clrs_status status = clrs_enqueue_move(source, destination, on, event, &error);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

/* Enqueues the move twice, and returns the launches. */
static int64_t launches_of_two(api *a, clrs_context *library) {
  for (int i = 0; i < 2; i++) {
    api_poison(a);
    CHECK_OK(transpose(a, library, ON(a->device.queue), NULL), error);
    CL_OK(clFinish(a->device.queue));
    api_expect_transposed(a);
  }
  return falsify.launches;
}

API_TEST(known_drivers_are_not_tested) {
  clrs_context *plain = library_with(a, NULL, NULL, CLRS_EXECUTION_GPU);
  assert_false(clrs_context_self_test(plain).is_on);
  assert_int_equal(launches_of_two(a, plain), 2);
  CHECK_COUNT(plain, 0, 0, 1);
  clrs_context_release(plain);
}

API_TEST(each_kernel_costs_one_launch) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  assert_true(clrs_context_self_test(tested).is_on);
  assert_int_equal(launches_of_two(a, tested), 3);
  CHECK_COUNT(tested, 1, 0, 0);
  clrs_context_release(tested);
  clrs_context *off = library_with(a, "0", NULL, CLRS_EXECUTION_GPU);
  assert_int_equal(launches_of_two(a, off), 2);
  clrs_context_release(off);
}

API_TEST(the_environment_says_0_or_1) {
  clrs_device_report report;
  assert_int_equal(setenv("CLRS_SELF_TEST", "yes", 1), 0);
  CHECK_FAILS(clrs_device_describe(a->device.device, &report, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_SAYS(error, "CLRS_SELF_TEST is \"yes\"; it must be 0 or 1");
  assert_int_equal(unsetenv("CLRS_SELF_TEST"), 0);
}

/* F32 [64, 64] transposed, which gpu_tile moves. */
enum { SIDE = 64, SQUARE_BYTES = 4 * SIDE * SIDE };

typedef struct square {
  float numbers[SIDE][SIDE];
  cl_mem source, destination;
} square;

static square square_open(const api *a) {
  square s;
  for (int i = 0; i < SIDE * SIDE; i++)
    s.numbers[i / SIDE][i % SIDE] = (float)i;
  s.source = device_buffer(&a->device, CL_MEM_READ_WRITE, SQUARE_BYTES);
  s.destination = device_buffer(&a->device, CL_MEM_READ_WRITE, SQUARE_BYTES);
  device_write(&a->device, s.source, SQUARE_BYTES, s.numbers);
  device_write(&a->device, s.destination, SQUARE_BYTES, s.numbers);
  return s;
}

static void square_close(square *s) {
  CL_OK(clReleaseMemObject(s->source));
  CL_OK(clReleaseMemObject(s->destination));
}

static clrs_layout turned(void) {
  return api_layout(CLRS_F32, 2, (int64_t[]){SIDE, SIDE}, (int64_t[]){1, SIDE});
}

static clrs_status turn_square(const api *a, const square *s, clrs_context *library) {
  const clrs_layout from = turned();
  const clrs_layout to = api_layout(CLRS_F32, 2, (int64_t[]){SIDE, SIDE}, NULL);
  clrs_tensor *source = api_wrap(library, s->source, 0, &from);
  clrs_tensor *destination = api_wrap(library, s->destination, 0, &to);
  const clrs_status status =
      clrs_enqueue_move(source, destination, ON(a->device.queue), NULL, &error);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

static void expect_square(const api *a, const square *s, bool is_turned) {
  float got[SIDE][SIDE];
  device_read(&a->device, s->destination, sizeof got, got);
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++)
      assert_true(got[i][j] == (is_turned ? s->numbers[j][i] : s->numbers[i][j]));
}

/* The second move needs no further launch. */
API_TEST(another_kernel_takes_the_place_of_a_wrong_one) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  square s = square_open(a);
  falsify.kernel = "gpu_tile";
  for (int i = 0; i < 2; i++) {
    CHECK_OK(turn_square(a, &s, tested), error);
    expect_square(a, &s, true);
    assert_int_equal(falsify.launches, 3 + i);
  }
  CHECK_COUNT(tested, 1, 1, 0);
  const clrs_self_test found = clrs_context_self_test(tested);
  const char *said = "kernel gpu_tile for 32-bit units failed its self-test: byte 0 is wrong";
  assert_memory_equal(found.sentence, said, strlen(said));
  assert_in_range(clrs_context_limits(tested).max_group_items, 1, 63);
  square_close(&s);
  clrs_context_release(tested);
}

/* A caller's plan names a kernel, so the call fails, and a new plan succeeds. */
API_TEST(a_plan_with_a_wrong_kernel_is_refused) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  square s = square_open(a);
  const clrs_view view = view_strided(CLRS_F32, 2, LIST(SIDE, SIDE), LIST(1, SIDE), 0);
  const clrs_plan_buffers buffers = {.source = s.source, .destination = s.destination};
  clrs_plan plan;
  const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
  falsify.kernel = "gpu_tile";
  clrs_status status;
  int wrong = 0, refused = 0; /* a driver of small groups first refuses the size of a group */
  do {
    const clrs_device_limits limits = clrs_context_limits(tested);
    CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
    status = clrs_enqueue_plan(tested, &plan, &buffers, ON(a->device.queue), NULL, &error);
    if (status != CLRS_OK)
      CHECK_SAYS(error, "; a plan for the context's limits, as they are now, has another kernel");
    wrong += status != CLRS_OK && strstr(error.message, "failed its self-test") != NULL;
  } while (status != CLRS_OK && ++refused < 3);
  assert_int_equal(wrong, 1);
  expect_square(a, &s, true);
  square_close(&s);
  clrs_context_release(tested);
}

API_TEST(a_move_is_refused_if_every_kernel_is_wrong) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  square s = square_open(a);
  falsify.kernel = "gpu_";
  CHECK_FAILS(turn_square(a, &s, tested), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "kernel gpu_any for 32-bit units failed its self-test: byte 0 is wrong");
  CHECK_SAYS(error, "; the kernel is not used");
  CHECK_COUNT(tested, 0, 2, 0);
  falsify.kernel = NULL;
  expect_square(a, &s, false);
  square_close(&s);
  clrs_context_release(tested);
}

/* The programs of each class pass. Then each class is wrong and is refused. */
API_TEST(a_wrong_kernel_of_any_class_is_refused) {
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    const char *name = clrs_class_name((size_t)c);
    const uint32_t width = strstr(name, "subbyte") ? 4 : 32;
    clrs_context *tested = library_with(a, "1", name, CLRS_EXECUTION_AUTO);
    const uint32_t groups = clrs_context_limits(tested).max_group_items;
    CHECK_OK(clrs_context_warm_up(tested, name, width, &error), error);
    const size_t refused = clrs_context_limits(tested).max_group_items < groups; /* by the driver */
    const size_t programs = clrs_context_program_count(tested) - refused;
    assert_int_equal(falsify.launches, 2 * programs);
    CHECK_COUNT(tested, programs, 0, 0);
    clrs_context_release(tested);
    tested = library_with(a, "1", name, CLRS_EXECUTION_AUTO);
    falsify.kernel = name;
    falsify.byte = 8064 * width / 8 - 1; /* the last */
    for (int i = 0; i < 2; i++) {
      CHECK_FAILS(clrs_context_warm_up(tested, name, width, &error), CLRS_UNSUPPORTED, error);
      CHECK_SAYS(error, name);
      CHECK_SAYS(error, "failed its self-test: byte ");
      CHECK_SAYS(error, " of device ");
    }
    assert_int_equal(falsify.launches, 1);
    CHECK_COUNT(tested, 0, 1, 0);
    clrs_context_release(tested);
  }
}

/* Nothing moves, and no event is made. */
API_TEST(a_refused_move_leaves_the_destination) {
  clrs_context *tested = library_with(a, "1", "gpu_any", CLRS_EXECUTION_GPU);
  cl_event event = NULL;
  falsify.kernel = "gpu_any";
  CHECK_FAILS(transpose(a, tested, ON(a->device.queue), &event), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "kernel gpu_any for 32-bit units failed its self-test: byte 0 is wrong");
  assert_null(event);
  falsify.kernel = NULL;
  api_expect_untouched(a);
  clrs_context_release(tested);
}

/* A self-test that cannot be made stops no move, and is made at the next use. */
API_TEST(a_move_does_without_its_self_test) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  falsify.lacks_queues = true;
  assert_int_equal(launches_of_two(a, tested), 2);
  CHECK_COUNT(tested, 0, 0, 1);
  falsify.lacks_queues = false;
  assert_int_equal(launches_of_two(a, tested), 2 + 3);
  CHECK_COUNT(tested, 1, 0, 0);
  clrs_context_release(tested);
}

/* The caller's queue waits for a user event, and the self-test does not. */
API_TEST(the_callers_queue_may_be_blocked) {
  clrs_context *tested = library_with(a, "1", NULL, CLRS_EXECUTION_GPU);
  cl_int code;
  cl_event gate = clCreateUserEvent(a->device.context, &code), done = NULL;
  CL_OK(code);
  CHECK_OK(transpose(a, tested, &(clrs_on){a->device.queue, 1, &gate}, &done), error);
  CHECK_COUNT(tested, 1, 0, 0);
  assert_int_not_equal(device_event_status(done), CL_COMPLETE);
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  device_finish_event(done);
  api_expect_transposed(a);
  CL_OK(clReleaseEvent(gate));
  clrs_context_release(tested);
}

static void count_launch(void *user_data, const clrs_launched *launched) {
  assert_non_null(launched->event);
  ++*(int *)user_data;
}

API_TEST(observers_see_no_self_test) {
  int seen = 0;
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *tested = NULL;
  options.context = a->device.context;
  options.device = a->device.device;
  options.observer = (clrs_observer){&seen, count_launch};
  assert_int_equal(setenv("CLRS_SELF_TEST", "1", 1), 0);
  CHECK_OK(clrs_context_create(&options, &tested, &error), error);
  assert_int_equal(unsetenv("CLRS_SELF_TEST"), 0);
  falsify = (falsified){.launches = 0};
  assert_int_equal(launches_of_two(a, tested), 3);
  assert_int_equal(seen, 2);
  clrs_context_release(tested);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
