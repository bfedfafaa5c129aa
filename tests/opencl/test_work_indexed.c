/*
 * A step of a decoder with a paged cache as a sequence: a scatter and a gather, both through maps,
 * with slots for indices and for a flag. Also the errors for such slots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"
#include <stddef.h>

#include "harness/tensors.h"
#include "harness/works.h"
#include "region.h"

enum { COLUMNS = 8, STEP_ROWS = 6, STEP_PLACES = 20, STEP_READS = 9, STEPS = 5 };

/* New rows are quantized on the way to the cache places that `write` names. Then the rows that
 * `read` names are dequantized into a context, behind the append. Both moves raise the same
 * flag. */
typedef struct paged_step {
  clrs_view places, write, read, flag, new_rows, context;
  clrs_mapped quantized, dequantized;
  clrs_indices rules;
  test_task tasks[2];
} paged_step;

enum { NEW_ROWS, CACHE_ROWS, WRITE_TO, READ_FROM, FLAG_OF_BOTH, CONTEXT, STEP_SLOTS };

static clrs_work *open_step(clrs_context *library, paged_step *s) {
  const int64_t rows[] = {STEP_ROWS, COLUMNS}, places[] = {STEP_PLACES, COLUMNS},
                reads[] = {STEP_READS, COLUMNS};
  clrs_work *sequence = NULL;
  s->new_rows = view_strided(CLRS_F32, 2, rows, NULL, 0);
  s->places = view_strided(CLRS_I8, 2, places, NULL, 0);
  s->context = view_strided(CLRS_F32, 2, reads, NULL, 0);
  s->write = view_strided(CLRS_I32, 1, rows, NULL, 0);
  s->read = view_strided(CLRS_I64, 1, reads, NULL, 0);
  s->flag = view_strided(CLRS_U32, 0, NULL, NULL, 0);
  s->quantized = mapped_after(&s->new_rows, "quantize=i8,0.5");
  s->dequantized = mapped_after(&s->places, "dequantize=f32,0.5");
  s->rules = (clrs_indices){.axis = 0};
  s->tasks[0] = (test_task){.source = NEW_ROWS,
                            .destination = CACHE_ROWS,
                            .mapped = &s->quantized,
                            .to = &s->places,
                            .scatter = &s->rules,
                            .index = WRITE_TO,
                            .by = &s->write,
                            .flag = FLAG_OF_BOTH,
                            .raises = &s->flag};
  s->tasks[1] = (test_task){.source = CACHE_ROWS,
                            .destination = CONTEXT,
                            .mapped = &s->dequantized,
                            .to = &s->context,
                            .gather = &s->rules,
                            .index = READ_FROM,
                            .by = &s->read,
                            .flag = FLAG_OF_BOTH,
                            .raises = &s->flag};
  const test_tasks both = {STEP_SLOTS, 2, s->tasks};
  CHECK_OK(test_work_of_tasks(library, &both, &sequence, &error), error);
  assert_int_equal(clrs_work_launches(sequence), 2);
  return sequence;
}

/* Bytes of each slot, on the host and in buffers. */
typedef struct step_bytes {
  float rows[STEP_ROWS * COLUMNS], context[STEP_READS * COLUMNS];
  int8_t cache[STEP_PLACES * COLUMNS];
  int32_t write[STEP_ROWS];
  int64_t read[STEP_READS];
  cl_uint flag;
} step_bytes;

/* Halves of whole numbers, so that no value is rounded. */
static void draw_step(test_rng *rng, step_bytes *b, bool raises) {
  for (int i = 0; i < STEP_ROWS * COLUMNS; i++)
    b->rows[i] = (float)rng_between(rng, -128, 127) / 2;
  for (int i = 0; i < STEP_ROWS; i++)
    b->write[i] = (3 * i + (int32_t)rng_between(rng, 0, 2)) % STEP_PLACES;
  for (int i = 0; i < STEP_READS; i++)
    b->read[i] = rng_between(rng, 0, STEP_PLACES - 1);
  b->read[4] = raises ? -1 : 0;
  b->flag = 0;
}

static void expect_step(step_bytes *b) {
  for (int i = 0; i < STEP_ROWS * COLUMNS; i++)
    b->cache[b->write[i / COLUMNS] * COLUMNS + i % COLUMNS] = (int8_t)(b->rows[i] * 2);
  for (int i = 0; i < STEP_READS * COLUMNS; i++) {
    const int64_t place = b->read[i / COLUMNS];
    b->context[i] = place < 0 ? 0 : (float)b->cache[place * COLUMNS + i % COLUMNS] / 2;
    b->flag |= place < 0;
  }
}

SHOP_TEST(a_step_appends_to_a_paged_cache_and_reads_it) {
  paged_step s;
  step_bytes b = {.flag = 0}, got;
  test_rng rng = rng_start(91);
  clrs_work *sequence = open_step(shop->libraries[0], &s);
  for (int step = 0; step < STEPS; step++) { /* the slots in one buffer, elsewhere in each step */
    const uint64_t start = 4 * (uint64_t)step;
    cl_mem all = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, start + sizeof b);
    cl_event event = NULL;
#define AT(member)                                                                                 \
  {                                                                                                \
    .storage = { all, start + offsetof(step_bytes, member) }                                       \
  }
    const clrs_slot slots[STEP_SLOTS] = {
        [NEW_ROWS] = AT(rows),  [CACHE_ROWS] = AT(cache),  [WRITE_TO] = AT(write),
        [READ_FROM] = AT(read), [FLAG_OF_BOTH] = AT(flag), [CONTEXT] = AT(context)};
#undef AT
    draw_step(&rng, &b, step % 2 != 0);
    CL_OK(
        clEnqueueWriteBuffer(shop->opencl.queue, all, CL_TRUE, start, sizeof b, &b, 0, NULL, NULL));
    CHECK_OK(test_enqueue_slots(sequence, slots, ON(workshop_queue(shop, &rng)), &event, &error),
             error);
    device_finish_event(event);
    expect_step(&b);
    CL_OK(clEnqueueReadBuffer(shop->opencl.queue, all, CL_TRUE, start, sizeof got, &got, 0, NULL,
                              NULL));
    assert_memory_equal(&got, &b, sizeof b);
    CL_OK(clReleaseMemObject(all));
  }
  clrs_work_release(sequence);
}

/* A slot of a flag begins at a multiple of 4 bytes, and shares no byte with another slot. */
SHOP_TEST(slots_of_a_step_are_refused) {
  paged_step s;
  clrs_work *sequence = open_step(shop->libraries[0], &s);
  cl_mem all = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, 4096),
         constant = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, 64),
         hidden = device_buffer(&shop->opencl, CL_MEM_WRITE_ONLY, 64);
  const struct {
    uint32_t slot;
    clrs_slot at;
    clrs_status status;
    const char *says;
  } rows[] = {
      {FLAG_OF_BOTH,
       {.storage = {all, 2050}},
       CLRS_INVALID_ARGUMENT,
       "behind a byte that is aligned to 2; it must be at a multiple of 4 bytes; that is task 0"},
      {FLAG_OF_BOTH, {.storage = {all, 512}}, CLRS_OVERLAP, "slots 1 and 4 share a byte"},
      {FLAG_OF_BOTH, {.storage = {all, 1024}}, CLRS_OVERLAP, "slots 2 and 4 share a byte"},
      {FLAG_OF_BOTH,
       {.storage = {constant, 0}},
       CLRS_INVALID_ARGUMENT,
       "of slot 4 is CL_MEM_READ_ONLY; a kernel may not write it"},
      {WRITE_TO,
       {.storage = {hidden, 0}},
       CLRS_INVALID_ARGUMENT,
       "of slot 2 is CL_MEM_WRITE_ONLY; a kernel may not read it"},
      {READ_FROM, {.storage = {all, 3072}}, CLRS_OVERLAP, "slots 3 and 5 share a byte"},
      {READ_FROM, {.storage = {all, 4096}}, CLRS_OUT_OF_BOUNDS, "of slot 3 leave its buffer"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_slot slots[STEP_SLOTS];
    for (uint64_t slot = 0; slot < STEP_SLOTS; slot++)
      slots[slot] = (clrs_slot){.storage = {all, 512 * slot + (slot == CONTEXT ? 512 : 0)}};
    slots[rows[i].slot] = rows[i].at;
    CHECK_FAILS(test_enqueue_slots(sequence, slots, ON(shop->opencl.queue), NULL, &error),
                rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
  }
  CL_OK(clReleaseMemObject(all));
  CL_OK(clReleaseMemObject(constant));
  CL_OK(clReleaseMemObject(hidden));
  clrs_work_release(sequence);
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
