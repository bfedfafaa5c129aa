/*
 * Slots of kept work: none, those that leave their buffers, and those that begin anywhere, at which
 * the tasks are planned again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/sequence.h>
#include <stdlib.h>
#include <string.h>

#include "harness/fault_layer.h"
#include "region.h"

/* From slot 0 to slot 1, dense. */
static clrs_sequence *copies_of(clrs_context *library, const clrs_view *from) {
  const clrs_view to = view_strided(from->dtype, from->shape.rank, from->shape.dims, NULL, 0);
  const clrs_task task = {.destination = 1, .from = from, .to = &to};
  clrs_sequence *sequence = NULL;
  clrs_error error;
  CHECK_OK(clrs_sequence_create(library, &(clrs_tasks){2, 1, &task}, &sequence, &error), error);
  return sequence;
}

static void a_sequence_without_slots_is_an_event(void **state) {
  const workshop *shop = *state;
  clrs_sequence *sequence = NULL;
  cl_event event = NULL;
  clrs_error error;
  CHECK_OK(clrs_sequence_create(shop->libraries[0], &(clrs_tasks){0, 0, NULL}, &sequence, &error),
           error);
  CHECK_OK(clrs_enqueue_sequence(sequence, NULL, shop->opencl.queue, 0, NULL, &event, &error),
           error);
  device_finish_event(event);
  clrs_sequence_release(sequence);
}

/* The first and the last bit of what is touched, and the bit behind it, each do not fit. */
static void slots_at_the_end_of_all_bits_leave_their_buffer(void **state) {
  static const struct { int64_t count, offset; } rows[] = {{1, 1}, {2, 0}, {1, 0}};
  const workshop *shop = *state;
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 64);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view from = view_strided(CLRS_F32, 1, &rows[i].count, NULL, rows[i].offset);
    const clrs_slot slots[2] = {{.storage = {buffer, INT64_MAX / 8}}, {.storage = {buffer, 32}}};
    clrs_sequence *sequence = copies_of(shop->libraries[0], &from);
    clrs_error error;
    CHECK_FAILS(clrs_enqueue_sequence(sequence, slots, shop->opencl.queue, 0, NULL, NULL, &error),
                CLRS_OUT_OF_BOUNDS, error);
    CHECK_SAYS(error, "of slot 0 leave its buffer of 64 bytes");
    clrs_sequence_release(sequence);
  }
  CL_OK(clReleaseMemObject(buffer));
}

/* Bits, `from` and `to` of them into their buffers: another plan for every pair. */
static void copy_bits(const workshop *shop, clrs_sequence *sequence, const cl_mem buffers[2],
                      int64_t from, int64_t to) {
  enum { BITS = 13 };
  unsigned char source[4] = {0x5C, 0xA3, 0x96, 0x0F}, want[4] = {0xF0, 0x0F, 0x55, 0xAA}, got[4];
  const clrs_slot slots[2] = {{.storage = {buffers[0], 0}, .advance = from},
                              {.storage = {buffers[1], 0}, .advance = to}};
  const bit_span span = bits_of(CLRS_BITS1, 0);
  clrs_error error;
  device_write(&shop->opencl, buffers[0], sizeof source, source);
  device_write(&shop->opencl, buffers[1], sizeof want, want);
  CHECK_OK(clrs_enqueue_sequence(sequence, slots, shop->opencl.queue, 0, NULL, NULL, &error),
           error);
  for (int64_t k = 0; k < BITS; k++)
    bits_copy(&span, source, from + k, &span, want, to + k);
  device_read(&shop->opencl, buffers[1], sizeof got, got);
  assert_memory_equal(got, want, sizeof got);
}

/* More plans than are kept; then those that made room for others, once more. */
static void slots_begin_in_more_ways_than_plans_are_kept(void **state) {
  const workshop *shop = *state;
  const clrs_view from = view_strided(CLRS_BITS1, 1, (const int64_t[]){13}, NULL, 0);
  clrs_sequence *sequence = copies_of(shop->libraries[0], &from);
  const cl_mem buffers[2] = {device_buffer(&shop->opencl, CL_MEM_READ_ONLY, 4),
                             device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 4)};
  for (int64_t i = 0; i < 80; i++)
    copy_bits(shop, sequence, buffers, i % 8, i / 8 % 8);
  clrs_sequence_release(sequence);
  CL_OK(clReleaseMemObject(buffers[0]));
  CL_OK(clReleaseMemObject(buffers[1]));
}

/* The plan for a slot at byte 4 needs another kernel. What fails then is done at the next call. */
static void a_plan_that_cannot_be_made_is_made_later(void **state) {
  enum { COUNT = 64, BYTES = COUNT * (int)sizeof(uint32_t) };
  const workshop *shop = *state;
  const clrs_view from = view_strided(CLRS_F32, 2, (const int64_t[]){4, 16}, NULL, 0);
  uint32_t elements[COUNT], got[COUNT];
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  fault_layer layer;
  bool is_build = false;
  clrs_error error;
  if (!fault_layer_find(&layer))
    skip();
  clrs_context *library = device_library(&shop->opencl, NULL); /* which has built nothing yet */
  clrs_sequence *sequence = copies_of(library, &from);
  cl_mem source = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, BYTES + 4),
         target = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, BYTES);
  const clrs_slot slots[2] = {{.storage = {source, 4}}, {.storage = {target, 0}}};
  for (uint32_t i = 0; i < COUNT; i++)
    elements[i] = i * 0x01030507u;
  memset(got, 0, sizeof got);
  device_write(&shop->opencl, target, BYTES, got);
  device_write_at(&shop->opencl, source, 4, BYTES, elements);
  for (; !is_build; f.nth++) {
    layer.arm(&f);
    const clrs_status status =
        clrs_enqueue_sequence(sequence, slots, shop->opencl.queue, 0, NULL, NULL, &error);
    const char *failed = layer.failed();
    layer.arm(NULL);
    assert_non_null(failed);
    is_build = strcmp(failed, "clCreateProgramWithSource") == 0;
    assert_int_equal(status, CLRS_OPENCL_ERROR);
  }
  device_read(&shop->opencl, target, BYTES, got);
  for (size_t i = 0; i < COUNT; i++)
    assert_int_equal(got[i], 0);
  CHECK_OK(clrs_enqueue_sequence(sequence, slots, shop->opencl.queue, 0, NULL, NULL, &error),
           error);
  device_read(&shop->opencl, target, BYTES, got);
  assert_memory_equal(got, elements, BYTES);
  clrs_sequence_release(sequence);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(source));
  CL_OK(clReleaseMemObject(target));
}

static void a_retained_sequence_outlives_a_release(void **state) {
  enum { COUNT = 8 };
  const workshop *shop = *state;
  const float row[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
  float got[COUNT];
  const clrs_view view = view_strided(CLRS_F32, 1, (const int64_t[]){COUNT}, NULL, 0);
  clrs_sequence *sequence = copies_of(shop->libraries[0], &view);
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 2 * sizeof row);
  const clrs_slot slots[2] = {{.storage = {buffer, 0}}, {.storage = {buffer, sizeof row}}};
  clrs_error error;
  device_write(&shop->opencl, buffer, sizeof row, row);
  clrs_sequence_retain(sequence);
  clrs_sequence_release(sequence);
  CHECK_OK(clrs_enqueue_sequence(sequence, slots, shop->opencl.queue, 0, NULL, NULL, &error),
           error);
  CL_OK(clEnqueueReadBuffer(shop->opencl.queue, buffer, CL_TRUE, sizeof row, sizeof got, got, 0,
                            NULL, NULL));
  assert_memory_equal(got, row, sizeof row);
  clrs_sequence_release(sequence);
  CL_OK(clReleaseMemObject(buffer));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sequence_without_slots_is_an_event),
      cmocka_unit_test(slots_at_the_end_of_all_bits_leave_their_buffer),
      cmocka_unit_test(slots_begin_in_more_ways_than_plans_are_kept),
      cmocka_unit_test(a_plan_that_cannot_be_made_is_made_later),
      cmocka_unit_test(a_retained_sequence_outlives_a_release),
  };
  const int missing = device_missing();
  return missing ? missing : cmocka_run_group_tests(tests, workshop_open, workshop_close);
}
