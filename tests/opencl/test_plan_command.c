/*
 * Plans through a map, and plans of gathers and scatters, are carried out on buffers. Plans are
 * made once, copied, warmed up, and enqueued with the tensors for the map or the indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>

#include "harness/tensors.h"
#include "map_fixture.h"

enum { ROWS = 7, COLUMNS = 40, COUNT = ROWS * COLUMNS, ZEROS_AT = 256 };

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
  const clrs_map_tensors tensors = {.steps = {&zeros, &scales}};
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

#define FIXTURE_TEST(name) TEST_OF(map_fixture, f, name, map_fixture_open, map_fixture_close)

FIXTURE_TEST(a_kept_plan_maps_on_any_buffers) {
  for (int i = 0; i < 2; i++) {
    const clrs_plan plan = dequantising_plan(i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU);
    const clrs_plan_buffers buffers = {.source = f->source,
                                       .destination = f->destination,
                                       .steps = {f->parameters, f->parameters}};
    clrs_plan kept = plan;
    fill(f);
    CHECK_OK(clrs_context_warm_up_plan(f->libraries[1 - i], &kept, &error), error);
    CHECK_OK(
        clrs_enqueue_plan(f->libraries[1 - i], &kept, &buffers, ON(f->device.queue), NULL, &error),
        error);
    CL_OK(clFinish(f->device.queue));
    expect_dequantised(f);
  }
}

static void expect_refused(const map_fixture *f, const clrs_plan *plan, clrs_plan_buffers buffers,
                           clrs_status status, const char *says) {
  CHECK_FAILS(clrs_enqueue_plan(f->libraries[0], plan, &buffers, ON(f->device.queue), NULL, &error),
              status, error);
  CHECK_SAYS(error, says);
}

FIXTURE_TEST(tensors_of_the_map_are_checked_like_the_source) {
  const clrs_plan plan = dequantising_plan(CLRS_EXECUTION_CPU);
  const clrs_plan_buffers good = {
      .source = f->source, .destination = f->destination, .steps = {f->parameters, f->parameters}};
  cl_mem small = device_buffer(&f->device, CL_MEM_READ_WRITE, ZEROS_AT + ROWS - 1);
  cl_mem unreadable = device_buffer(&f->device, CL_MEM_WRITE_ONLY, CASE_BYTES);
  clrs_plan_buffers bad = good;
  bad.steps[0] = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->steps[0] is NULL");
  bad.steps[0] = small;
  expect_refused(f, &plan, bad, CLRS_OUT_OF_BOUNDS,
                 "bytes 256 to 263 of the steps[0], a buffer of 262");
  bad = good;
  bad.steps[1] = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->steps[1] is NULL");
  bad.steps[1] = f->destination;
  expect_refused(f, &plan, bad, CLRS_OVERLAP, "the footprints of steps[1] and destination meet");
  bad.steps[1] = unreadable;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT,
                 "the steps[1]'s buffer is CL_MEM_WRITE_ONLY");
  CL_OK(clReleaseMemObject(small));
  CL_OK(clReleaseMemObject(unreadable));
}

/* ---- by indices ---- */

enum { PLACES = 11, WIDTH = 24, LISTED = 6, FLAG_AT = 512, NO_PLACE = 0x77 };
static const int32_t places[LISTED] = {3, 0, 10, 11, -2, 3};

/* Rows of bytes by indices, where an index beyond the end is flagged. */
static clrs_plan indexed_plan(const map_fixture *f, clrs_context *library, bool scatters) {
  const unsigned char element = NO_PLACE;
  clrs_tensor *named =
      map_dense(library, scatters ? f->destination : f->source, CLRS_U8, 2, LIST(PLACES, WIDTH));
  clrs_tensor *listed =
      map_dense(library, scatters ? f->source : f->destination, CLRS_U8, 2, LIST(LISTED, WIDTH));
  clrs_tensor *tensor = map_dense(library, f->parameters, CLRS_I32, 1, LIST(LISTED));
  clrs_tensor *flag = NULL;
  clrs_layout one = {.dtype = CLRS_U32};
  const clrs_storage storage = {f->parameters, FLAG_AT};
  clrs_plan plan;
  CHECK_OK(clrs_tensor_wrap(library, &storage, &one, &flag, &error), error);
  const clrs_indices indices = {
      .tensor = tensor, .from_end = true, .element = &element, .flag = flag};
  CHECK_OK(scatters ? clrs_tensor_plan_scatter(listed, &indices, named, &plan, &error)
                    : clrs_tensor_plan_gather(named, &indices, listed, &plan, &error),
           error);
  clrs_tensor_release(named);
  clrs_tensor_release(listed);
  clrs_tensor_release(tensor);
  clrs_tensor_release(flag);
  return plan;
}

static clrs_plan_buffers index_buffers(const map_fixture *f) {
  return (clrs_plan_buffers){.source = f->source,
                             .destination = f->destination,
                             .indices = f->parameters,
                             .flag = f->parameters};
}

static void fill_indices(map_fixture *f) {
  fill(f);
  memset(f->numbers, 0, CASE_BYTES);
  memcpy(f->numbers, places, sizeof places);
  device_write(&f->device, f->parameters, CASE_BYTES, f->numbers);
}

static void expect_rows(map_fixture *f, bool scatters) {
  unsigned char expected[PLACES * WIDTH];
  uint32_t flag;
  memcpy(expected, f->poison, sizeof expected);
  for (int i = 0; i < LISTED; i++) {
    const int place = places[i] < 0 ? places[i] + PLACES : places[i];
    unsigned char *row = expected + (scatters ? place : i) * WIDTH;
    if (place < PLACES)
      memcpy(row, f->bytes + (scatters ? i : place) * WIDTH, WIDTH);
    else if (!scatters)
      memset(row, NO_PLACE, WIDTH);
  }
  if (scatters) /* two indices name place 3: either row may win */
    memcpy(expected + 3 * WIDTH, f->got + 3 * WIDTH, WIDTH);
  assert_memory_equal(f->got, expected, sizeof expected);
  device_read(&f->device, f->parameters, CASE_BYTES, f->numbers);
  memcpy(&flag, f->numbers + FLAG_AT, sizeof flag);
  assert_int_equal(flag & 1, 1);
}

FIXTURE_TEST(a_kept_plan_gathers_and_scatters) {
  for (int i = 0; i < 4; i++) {
    clrs_context *library = f->libraries[i / 2];
    const bool scatters = i % 2 == 1;
    const clrs_plan plan = indexed_plan(f, library, scatters), kept = plan;
    const clrs_plan_buffers buffers = index_buffers(f);
    char text[400];
    clrs_plan_explain(&kept, text, sizeof text);
    assert_non_null(
        strstr(text, i < 2 ? "indexed: 1 launch of cpu_rows" : "indexed: 1 launch of gpu_"));
    assert_non_null(strstr(text, "writes 144 bytes; because the indices are known on the device"));
    fill_indices(f);
    CHECK_OK(clrs_context_warm_up_plan(library, &kept, &error), error);
    CHECK_OK(clrs_enqueue_plan(library, &kept, &buffers, ON(f->device.queue), NULL, &error), error);
    CL_OK(clFinish(f->device.queue));
    device_read(&f->device, f->destination, CASE_BYTES, f->got);
    expect_rows(f, scatters);
  }
}

FIXTURE_TEST(indices_and_flags_are_checked_like_the_source) {
  const clrs_plan plan = indexed_plan(f, f->libraries[0], false);
  const clrs_plan_buffers good = index_buffers(f);
  cl_mem small = device_buffer(&f->device, CL_MEM_READ_WRITE, sizeof places - 1);
  cl_mem fixed = device_buffer(&f->device, CL_MEM_READ_ONLY, CASE_BYTES);
  clrs_plan_buffers bad = good;
  bad.indices = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->indices is NULL");
  bad.indices = small;
  expect_refused(f, &plan, bad, CLRS_OUT_OF_BOUNDS, "bytes 0 to 24 of the indices, a buffer of 23");
  bad.indices = f->destination;
  expect_refused(f, &plan, bad, CLRS_OVERLAP, "the footprints of indices and destination meet");
  bad = good;
  bad.flag = NULL;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "buffers->flag is NULL");
  bad.flag = fixed;
  expect_refused(f, &plan, bad, CLRS_INVALID_ARGUMENT, "the flag's buffer is CL_MEM_READ_ONLY");
  CL_OK(clReleaseMemObject(small));
  CL_OK(clReleaseMemObject(fixed));
}

TESTS(NULL, NULL)
