/*
 * Slots of prepared work: missing slots, slots that leave the buffer, and slots that begin
 * anywhere, for which the tasks are planned again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"

#include "harness/fault_layer.h"
#include "harness/works.h"
#include "region.h"

/* From slot 0 to slot 1, dense. */
static clrs_work *copies_of(clrs_context *library, const clrs_view *from) {
  const clrs_view to = view_strided(from->dtype, from->shape.rank, from->shape.dims, NULL, 0);
  const test_task task = {.destination = 1, .from = from, .to = &to};
  clrs_work *sequence = NULL;
  CHECK_OK(test_work_of_tasks(library, &(test_tasks){2, 1, &task}, &sequence, &error), error);
  return sequence;
}

SHOP_TEST(a_sequence_without_slots_is_an_event) {
  clrs_work *sequence = NULL;
  cl_event event = NULL;
  CHECK_OK(test_work_of_tasks(shop->libraries[0], &(test_tasks){0, 0, NULL}, &sequence, &error),
           error);
  CHECK_OK(clrs_work_warm_up(sequence, &error), error);
  CHECK_OK(test_enqueue_slots(sequence, NULL, ON(shop->opencl.queue), &event, &error), error);
  device_finish_event(event);
  clrs_work_release(sequence);
}

/* The first and the last touched bit, and the bit behind, each do not fit. */
SHOP_TEST(slots_at_the_end_of_all_bits_leave_their_buffer) {
  static const struct { int64_t count, offset; } rows[] = {{1, 1}, {2, 0}, {1, 0}};
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 64);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view from = view_strided(CLRS_F32, 1, &rows[i].count, NULL, rows[i].offset);
    const clrs_slot slots[2] = {{.storage = {buffer, INT64_MAX / 8}}, {.storage = {buffer, 32}}};
    clrs_work *sequence = copies_of(shop->libraries[0], &from);
    CHECK_FAILS(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error),
                CLRS_OUT_OF_BOUNDS, error);
    CHECK_SAYS(error, "of slot 0 leave its buffer of 64 bytes");
    clrs_work_release(sequence);
  }
  CL_OK(clReleaseMemObject(buffer));
}

/* ---- where slots end ---- */

enum { HEADS = 4, LENGTH = 16, WIDTH = 8, CACHE = HEADS * LENGTH * WIDTH, FLOAT = 4 };

/* A row of each head to a cache, as `slot` says, at that position. */
static clrs_status append_at(const workshop *shop, cl_mem rows, clrs_slot slot, int64_t position,
                             clrs_error *error) {
  const int64_t dims[] = {HEADS, 1, WIDTH}, strides[] = {LENGTH * WIDTH, WIDTH, 1};
  const clrs_view from = view_strided(CLRS_F32, 3, dims, NULL, 0),
                  to = view_strided(CLRS_F32, 3, dims, strides, 0);
  const test_task task = {.destination = 1, .from = &from, .to = &to};
  clrs_work *sequence = NULL;
  slot.advance = position * WIDTH;
  const clrs_slot slots[2] = {{.storage = {rows, 0}}, slot};
  CHECK_OK(test_work_of_tasks(shop->libraries[0], &(test_tasks){2, 1, &task}, &sequence, error),
           *error);
  const clrs_status status =
      test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, error);
  CL_OK(clFinish(shop->opencl.queue));
  clrs_work_release(sequence);
  return status;
}

/* Two caches in one buffer: the first has no position 16 and no position -1, nor has the second. */
SHOP_TEST(a_slot_ends_with_its_tensor_or_its_bytes) {
  const clrs_layout cache = {CLRS_F32, 3, {HEADS, LENGTH, WIDTH}, {LENGTH * WIDTH, WIDTH, 1}, 0};
  const float zeros[2 * CACHE] = {0};
  float got[2 * CACHE], row[HEADS * WIDTH];
  for (int i = 0; i < HEADS * WIDTH; i++)
    row[i] = (float)(i + 1);
  cl_mem rows = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, sizeof row),
         arena = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, sizeof got);
  device_write(&shop->opencl, rows, sizeof row, row);
  device_write(&shop->opencl, arena, sizeof got, zeros);
  for (uint64_t which = 0; which < 2; which++) {
    const clrs_storage storage = {arena, which * CACHE * FLOAT};
    clrs_tensor *tensor = NULL;
    CHECK_OK(clrs_tensor_wrap(shop->libraries[0], &storage, &cache, &tensor, &error), error);
    const clrs_slot slots[] = {{.tensor = tensor}, {.storage = storage, .bytes = CACHE * FLOAT}};
    for (int i = 0; i < 2; i++) {
      for (int64_t position = -1; position <= LENGTH; position += LENGTH + 1) {
        assert_int_equal(append_at(shop, rows, slots[i], position, &error), CLRS_OUT_OF_BOUNDS);
        CHECK_SAYS(error, i == 0 ? "of slot 1 leave its tensor of 2048 bytes"
                                 : "of slot 1 leave its storage of 2048 bytes");
      }
      device_read(&shop->opencl, arena, sizeof got, got);
      assert_memory_equal(got, zeros, sizeof got);
    }
    clrs_tensor_release(tensor);
  }
  const clrs_slot behind = {.storage = {arena, sizeof got + FLOAT}, .bytes = FLOAT};
  assert_int_equal(append_at(shop, rows, behind, 0, &error), CLRS_OUT_OF_BOUNDS);
  CHECK_SAYS(error, "slot 1 has 4 bytes from byte 4100 on; its buffer ends at byte 4096");
  const clrs_slot first = {.storage = {arena, 0}, .bytes = CACHE * FLOAT};
  CHECK_OK(append_at(shop, rows, first, LENGTH - 1, &error), error);
  device_read(&shop->opencl, arena, sizeof got, got);
  for (int i = 0; i < 2 * CACHE; i++) {
    const int position = i / WIDTH % LENGTH, head = i / WIDTH / LENGTH;
    assert_true(got[i] ==
                (i < CACHE && position == LENGTH - 1 ? row[head * WIDTH + i % WIDTH] : 0));
  }
  CL_OK(clReleaseMemObject(rows));
  CL_OK(clReleaseMemObject(arena));
}

/* ---- slots that interleave ---- */

enum { PLACES = 64 }; /* of one buffer */

typedef struct column {
  int64_t count, stride, offset, advance; /* advance: of the slot. The rest: of the view */
} column;

static bool column_has(const column *of, int64_t place) {
  const int64_t from = place - of->offset - of->advance;
  return from >= 0 && from % of->stride == 0 && from / of->stride < of->count;
}

/* Within the buffer, though the slot may begin before the buffer. */
static column draw_column(test_rng *rng, int64_t count) {
  column made = {.count = count, .stride = rng_between(rng, 2, 8)};
  const int64_t first = rng_between(rng, 0, PLACES - 1 - (count - 1) * made.stride);
  made.offset = rng_between(rng, 0, 20);
  made.advance = first - made.offset;
  return made;
}

/* Like a move: refused if two elements meet, else done. 60 pairs, with many of both kinds. */
SHOP_TEST(slots_interleave_as_the_sides_of_a_move) {
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, PLACES * FLOAT);
  test_rng rng = rng_start(test_seed(4500));
  int refused = 0, interleaved = 0;
  for (int i = 0; i < 60; i++) {
    const column from = draw_column(&rng, 5), to = draw_column(&rng, 5);
    const clrs_view source = view_strided(CLRS_F32, 1, &from.count, &from.stride, from.offset),
                    target = view_strided(CLRS_F32, 1, &to.count, &to.stride, to.offset);
    const test_task task = {.destination = 1, .from = &source, .to = &target};
    const clrs_slot slots[2] = {{.storage = {buffer, 0}, .advance = from.advance},
                                {.storage = {buffer, 0}, .advance = to.advance}};
    uint32_t before[PLACES], got[PLACES], want[PLACES];
    clrs_work *sequence = NULL;
    bool meet = false, between = false;
    rng_fill(&rng, before, sizeof before);
    memcpy(want, before, sizeof want);
    for (int64_t at = 0; at < PLACES; at++) {
      meet = meet || (column_has(&from, at) && column_has(&to, at));
      between = between || (column_has(&to, at) && at > from.offset + from.advance &&
                            at < from.offset + from.advance + 4 * from.stride);
    }
    for (int64_t k = 0; !meet && k < to.count; k++)
      want[to.offset + to.advance + k * to.stride] =
          before[from.offset + from.advance + k * from.stride];
    device_write(&shop->opencl, buffer, sizeof before, before);
    CHECK_OK(test_work_of_tasks(shop->libraries[0], &(test_tasks){2, 1, &task}, &sequence, &error),
             error);
    const clrs_status status =
        test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error);
    CHECK_SEEDED(status == (meet ? CLRS_OVERLAP : CLRS_OK), (uint64_t)i, "%s", error.message);
    device_read(&shop->opencl, buffer, sizeof got, got);
    assert_memory_equal(got, want, sizeof got);
    refused += meet;
    interleaved += between && !meet;
    clrs_work_release(sequence);
  }
  assert_true(refused >= 10 && interleaved >= 10);
  CL_OK(clReleaseMemObject(buffer));
}

/* ---- slots and other tensors ---- */

enum { FOUR = 4, TENSOR_AT = 8, MADE = 2 * FOUR }; /* elements */

static clrs_tensor *slot_of(const workshop *shop, uint32_t slot, int64_t count, int64_t offset) {
  const clrs_view view = view_strided(CLRS_F32, 1, &count, NULL, offset);
  clrs_tensor *made = NULL;
  CHECK_OK(test_slot(shop->libraries[0], slot, &view, &made, &error), error);
  assert_null(clrs_tensor_storage(made).buffer);
  return made;
}

/* Four elements of slot 0 and the tensor go to slot 1. The next four of slot 0 are filled with
 * nines, and a fill of no elements adds nothing. */
static clrs_work *work_with(const workshop *shop, clrs_tensor *tensor) {
  static const float nine = 9;
  clrs_tensor *const read = slot_of(shop, 0, FOUR, 0), *written = slot_of(shop, 0, FOUR, FOUR),
                     *none = slot_of(shop, 0, 0, 0), *first = slot_of(shop, 1, FOUR, 0),
                     *second = slot_of(shop, 1, FOUR, FOUR);
  clrs_work *work = NULL;
  CHECK_OK(clrs_work_create(shop->libraries[0], &work, &error), error);
  CHECK_OK(clrs_work_fill(work, none, &nine, &error), error);
  CHECK_OK(clrs_work_move(work, read, first, &error), error);
  CHECK_OK(clrs_work_move(work, tensor, second, &error), error);
  CHECK_OK(clrs_work_fill(work, written, &nine, &error), error);
  clrs_tensor *const all[] = {read, written, none, first, second};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    clrs_tensor_release(all[i]);
  return work;
}

/* A slot in front of the tensor, over the tensor's first or last elements, or behind the tensor. */
SHOP_TEST(a_written_slot_shares_no_byte_with_a_tensor_of_the_work) {
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, PLACES * FLOAT),
         sink = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, MADE * FLOAT);
  const clrs_layout layout = {CLRS_F32, 1, {FOUR}, {1}, TENSOR_AT};
  clrs_tensor *tensor = NULL;
  CHECK_OK(
      clrs_tensor_wrap(shop->libraries[0], &(clrs_storage){buffer, 0}, &layout, &tensor, &error),
      error);
  clrs_work *work = work_with(shop, tensor);
  for (int place = 0; place < 20; place++) {
    const clrs_slot slots[2] = {{.storage = {buffer, (uint64_t)place * FLOAT}},
                                {.storage = {sink, 0}}};
    const bool meets = place + 2 * FOUR > TENSOR_AT && place + FOUR < TENSOR_AT + FOUR;
    float before[PLACES], want[PLACES], got[PLACES], made[MADE], found[MADE] = {0};
    for (int i = 0; i < PLACES; i++)
      want[i] = before[i] = (float)(100 + i);
    for (int i = 0; i < FOUR; i++) {
      made[i] = before[place + i];
      made[FOUR + i] = before[TENSOR_AT + i];
      want[place + FOUR + i] = meets ? want[place + FOUR + i] : 9;
    }
    if (place >= TENSOR_AT && place < TENSOR_AT + FOUR)
      continue; /* the slot shares only what both read */
    device_write(&shop->opencl, buffer, sizeof before, before);
    device_write(&shop->opencl, sink, sizeof found, found);
    const clrs_status status =
        test_enqueue_slots(work, slots, ON(shop->opencl.queue), NULL, &error);
    assert_int_equal(status, meets ? CLRS_OVERLAP : CLRS_OK);
    if (meets)
      CHECK_SAYS(error, "slot 0 and a tensor of the work share a byte of one buffer");
    device_read(&shop->opencl, buffer, sizeof got, got);
    assert_memory_equal(got, want, sizeof got);
    device_read(&shop->opencl, sink, sizeof made, got);
    assert_memory_equal(got, meets ? found : made, sizeof made);
  }
  clrs_work_release(work);
  clrs_tensor_release(tensor);
  CL_OK(clReleaseMemObject(buffer));
  CL_OK(clReleaseMemObject(sink));
}

/* ---- slots that begin anywhere ---- */

/* Copies bits, `from` and `to` bits into the buffers: another plan for every pair. */
static void copy_bits(const workshop *shop, clrs_work *sequence, const cl_mem buffers[2],
                      int64_t from, int64_t to) {
  enum { BITS = 13 };
  unsigned char source[4] = {0x5C, 0xA3, 0x96, 0x0F}, want[4] = {0xF0, 0x0F, 0x55, 0xAA}, got[4];
  const clrs_slot slots[2] = {{.storage = {buffers[0], 0}, .advance = from},
                              {.storage = {buffers[1], 0}, .advance = to}};
  const bit_span span = bits_of(CLRS_BITS1, 0);
  device_write(&shop->opencl, buffers[0], sizeof source, source);
  device_write(&shop->opencl, buffers[1], sizeof want, want);
  CHECK_OK(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error), error);
  for (int64_t k = 0; k < BITS; k++)
    bits_copy(&span, source, from + k, &span, want, to + k);
  device_read(&shop->opencl, buffers[1], sizeof got, got);
  assert_memory_equal(got, want, sizeof got);
}

/* More plans than are kept, and then the plans that were dropped, once more. */
SHOP_TEST(slots_begin_in_more_ways_than_plans_are_kept) {
  const clrs_view from = view_strided(CLRS_BITS1, 1, (const int64_t[]){13}, NULL, 0);
  clrs_work *sequence = copies_of(shop->libraries[0], &from);
  const cl_mem buffers[2] = {device_buffer(&shop->opencl, CL_MEM_READ_ONLY, 4),
                             device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 4)};
  for (int64_t i = 0; i < 80; i++)
    copy_bits(shop, sequence, buffers, i % 8, i / 8 % 8);
  clrs_work_release(sequence);
  CL_OK(clReleaseMemObject(buffers[0]));
  CL_OK(clReleaseMemObject(buffers[1]));
}

/* The plan for a slot at byte 4 needs another kernel. A failed plan is retried at the next call. */
SHOP_TEST(a_plan_that_cannot_be_made_is_made_later) {
  enum { COUNT = 64, BYTES = COUNT * (int)sizeof(uint32_t) };
  const clrs_view from = view_strided(CLRS_F32, 2, (const int64_t[]){4, 16}, NULL, 0);
  uint32_t elements[COUNT], got[COUNT];
  fault f = {1, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  fault_layer layer;
  bool is_build = false;
  if (!fault_layer_find(&layer))
    skip();
  clrs_context *library = device_library(&shop->opencl, NULL); /* which has built nothing yet */
  clrs_work *sequence = copies_of(library, &from);
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
        test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, NULL);
    const char *failed = layer.failed();
    layer.arm(NULL);
    assert_non_null(failed);
    is_build = strcmp(failed, "clCreateProgramWithSource") == 0;
    assert_int_equal(status, CLRS_OPENCL_ERROR);
  }
  device_read(&shop->opencl, target, BYTES, got);
  for (size_t i = 0; i < COUNT; i++)
    assert_int_equal(got[i], 0);
  CHECK_OK(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error), error);
  device_read(&shop->opencl, target, BYTES, got);
  assert_memory_equal(got, elements, BYTES);
  clrs_work_release(sequence);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(source));
  CL_OK(clReleaseMemObject(target));
}

SHOP_TEST(a_retained_sequence_outlives_a_release) {
  enum { COUNT = 8 };
  const float row[COUNT] = {1, 2, 3, 4, 5, 6, 7, 8};
  float got[COUNT];
  const clrs_view view = view_strided(CLRS_F32, 1, (const int64_t[]){COUNT}, NULL, 0);
  clrs_work *sequence = copies_of(shop->libraries[0], &view);
  cl_mem buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 2 * sizeof row);
  const clrs_slot slots[2] = {{.storage = {buffer, 0}}, {.storage = {buffer, sizeof row}}};
  device_write(&shop->opencl, buffer, sizeof row, row);
  clrs_work_retain(sequence);
  clrs_work_release(sequence);
  CHECK_OK(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error), error);
  CL_OK(clEnqueueReadBuffer(shop->opencl.queue, buffer, CL_TRUE, sizeof row, sizeof got, got, 0,
                            NULL, NULL));
  assert_memory_equal(got, row, sizeof row);
  clrs_work_release(sequence);
  CL_OK(clReleaseMemObject(buffer));
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
