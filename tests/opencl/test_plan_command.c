/*
 * Plans through a map are carried out on buffers: made without a device, copied, warmed up, and
 * enqueued with the tensors that the map reads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "harness/tensors.h"
#include "map_fixture.h"

enum { ROWS = 7, COLUMNS = 40, COUNT = ROWS * COLUMNS, ZEROS_AT = 256 };

static clrs_error error;

/* Bytes (x - zero) * scale, a scale and a zero point for each row, transposed on the way. */
static clrs_plan dequantising_plan(clrs_execution execution) {
  const clrs_numbers by_row = {0, NULL, {CLRS_SPREAD_AXIS, 0, 0}};
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_map map;
  clrs_mapped mapped;
  clrs_plan plan;
  const clrs_view bytes = view_strided(CLRS_U8, 2, LIST(ROWS, COLUMNS), NULL, 0);
  const clrs_view scales = view_strided(CLRS_F32, 1, LIST(ROWS), NULL, 0);
  const clrs_view zeros = view_strided(CLRS_U8, 1, LIST(ROWS), NULL, ZEROS_AT);
  const clrs_map_tensors tensors = {.steps = {&scales}, .zero = &zeros};
  limits.execution = execution;
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &by_row, &by_row, &map, &error), error);
  CHECK_OK(clrs_mapped_init(&bytes, &mapped, &error), error);
  CHECK_OK(clrs_mapped_then(&mapped, &map, &tensors, &error), error);
  CHECK_OK(clrs_view_permute(&mapped.views.source, 2, LIST(1, 0), &error), error);
  for (uint32_t i = 0; i < mapped.views.count; i++)
    CHECK_OK(clrs_view_permute(&mapped.views.views[i], 2, LIST(1, 0), &error), error);
  const clrs_move move = {.source = {NULL, 8, 128}, .policy = CLRS_COPY_IF_NEEDED};
  CHECK_OK(clrs_plan_mapped(&mapped, &move, &limits, &plan, &error), error);
  assert_int_equal(plan.outcome, CLRS_OUTCOME_MAPPED);
  return plan;
}

static void fill(map_fixture *f) {
  float scales[ROWS];
  for (int i = 0; i < CASE_BYTES; i++)
    f->bytes[i] = (unsigned char)(i * 37);
  for (int i = 0; i < ROWS; i++) {
    scales[i] = 0.375f * (float)(i + 1);
    f->numbers[ZEROS_AT + i] = (unsigned char)(50 + 30 * i);
  }
  memcpy(f->numbers, scales, sizeof scales);
  memset(f->poison, 0xA5, CASE_BYTES);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  device_write(&f->device, f->parameters, CASE_BYTES, f->numbers);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
}

/* The products of a difference of bytes and of a scale are exact in floats. */
static void expect_dequantised(map_fixture *f) {
  float got[COUNT];
  device_read(&f->device, f->destination, CASE_BYTES, f->got);
  memcpy(got, f->got, sizeof got);
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) {
      const int x = f->bytes[8 + row * COLUMNS + column], zero = 50 + 30 * row;
      assert_true(got[column * ROWS + row] == 0.375f * (float)((row + 1) * (x - zero)));
    }
  assert_memory_equal(f->got + sizeof got, f->poison + sizeof got, 64);
}

static void a_kept_plan_maps_on_any_buffers(void **state) {
  map_fixture *f = *state;
  map_need_steps(f);
  for (int i = 0; i < 2; i++) {
    const clrs_plan plan = dequantising_plan(i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU);
    const clrs_plan_buffers buffers = {.source = f->source,
                                       .destination = f->destination,
                                       .steps = {f->parameters},
                                       .zero = f->parameters};
    clrs_plan kept = plan;
    fill(f);
    CHECK_OK(clrs_context_warm_up_plan(f->libraries[1 - i], &kept, &error), error);
    CHECK_OK(clrs_enqueue_plan(f->libraries[1 - i], &kept, &buffers, f->device.queue, 0, NULL, NULL,
                               &error),
             error);
    CL_OK(clFinish(f->device.queue));
    expect_dequantised(f);
  }
}

static void expect_refused(const map_fixture *f, const clrs_plan *plan, clrs_plan_buffers buffers,
                           clrs_status status, const char *says) {
  CHECK_FAILS(
      clrs_enqueue_plan(f->libraries[0], plan, &buffers, f->device.queue, 0, NULL, NULL, &error),
      status, error);
  CHECK_SAYS(error, says);
}

static void tensors_of_the_map_are_checked_like_the_source(void **state) {
  map_fixture *f = *state;
  map_need_steps(f);
  const clrs_plan plan = dequantising_plan(CLRS_EXECUTION_CPU);
  const clrs_plan_buffers good = {.source = f->source,
                                  .destination = f->destination,
                                  .steps = {f->parameters},
                                  .zero = f->parameters};
  cl_mem small = device_buffer(&f->device, CL_MEM_READ_WRITE, ZEROS_AT + ROWS - 1);
  cl_mem unreadable = device_buffer(&f->device, CL_MEM_WRITE_ONLY, CASE_BYTES);
  clrs_plan_buffers bad = good;
  bad.zero = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->zero is NULL");
  bad.zero = small;
  expect_refused(f, &plan, bad, CLRS_OUT_OF_BOUNDS,
                 "bytes 256 to 263 of the zero, a buffer of 262");
  bad = good;
  bad.steps[0] = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->steps[0] is NULL");
  bad.steps[0] = f->destination;
  expect_refused(f, &plan, bad, CLRS_OVERLAP, "the footprints of steps[0] and destination meet");
  bad.steps[0] = unreadable;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT,
                 "the buffer of the steps[0] is CL_MEM_WRITE");
  CL_OK(clReleaseMemObject(small));
  CL_OK(clReleaseMemObject(unreadable));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_kept_plan_maps_on_any_buffers, map_fixture_open,
                                      map_fixture_close),
      cmocka_unit_test_setup_teardown(tensors_of_the_map_are_checked_like_the_source,
                                      map_fixture_open, map_fixture_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
