/*
 * Sequences: random tasks over slots, enqueued again and again with the slots elsewhere, against
 * the same tasks done in sequence by the oracle. Every byte of every buffer is compared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"

#include "harness/chain.h"
#include "harness/opencl_counts.h"
#include "harness/oracle_moves.h"
#include "harness/works.h"
#include "region.h"

enum { POOLS = 3, POOL_BYTES = 1 << 17, SLOTS = 6, MOST_TASKS = 24, PLACES = 3, CASES = 30 };

/* Each width is a variant that must be compiled. test_move_random tries all widths. */
static const clrs_dtype dtypes[] = {CLRS_I4, CLRS_U8, CLRS_F32, CLRS_U1, CLRS_I64};

/* The place of a slot: `start` bits from the beginning of a pool. */
typedef struct place {
  size_t pool;
  uint64_t start;
} place;

typedef struct drawn_task {
  oracle read, written; /* positions in the slots */
  clrs_view from, to;
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK];
  unsigned char element[16];
} drawn_task;

typedef struct sequence_case {
  const workshop *shop;
  clrs_context *library;
  uint64_t seed;
  test_rng rng;
  clrs_dtype dtype;
  int64_t window;            /* elements of a slot */
  uint32_t slots, read_only; /* slots from `read_only` on are no destinations */
  size_t count;
  drawn_task drawn[MOST_TASKS];
  test_task tasks[MOST_TASKS];
  place places[SLOTS];
  cl_mem *buffers;
  clrs_tensor *tensors[SLOTS];
  unsigned char *pools[POOLS], *got;
} sequence_case;

typedef struct tally {
  int64_t tasks, fills, pads, modes, within, launches, unaligned, advanced;
} tally;

/* ---- drawing ---- */

static clrs_shape draw_shape(test_rng *rng) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, 3)};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 2) ? 0 : rng_between(rng, 1, 7);
  return shape;
}

/* A layout in [first, end) of a slot. Returns false if the layout is too long. */
static bool draw_layout(sequence_case *c, const clrs_shape *shape, int64_t first, int64_t end,
                        bool is_source, clrs_layout *layout) {
  int64_t lowest = 0, highest = 0;
  *layout = layout_random_of_shape(&c->rng, c->dtype, shape, is_source, 0);
  oracle where = oracle_from_layout(layout);
  oracle_range(&where, &lowest, &highest);
  oracle_free(&where);
  if (highest >= end - first)
    return false;
  layout->offset += first + rng_between(&c->rng, 0, end - first - 1 - highest);
  return true;
}

/* The result of some operations on a layout. */
static void draw_view(sequence_case *c, const clrs_layout *layout, drawn_task *drawn) {
  drawn->read = oracle_from_layout(layout);
  CHECK_OK(clrs_view_from_layout(layout, &drawn->from, &error), error);
  for (int64_t steps = rng_between(&c->rng, 0, 2); steps > 0; steps--) {
    const move step = move_random(&c->rng, &drawn->read.shape, 300);
    CHECK_OK(move_apply_view(&step, &drawn->from, &error), error);
    move_apply_oracle(&step, &drawn->read);
  }
}

/* There must be elements to repeat. */
static bool mode_pads_nothing(clrs_pad_mode mode, int64_t extent) {
  return mode != CLRS_PAD_CONSTANT && extent == 0;
}

/* The source's shape, with a border for a pad. */
static clrs_shape draw_outer(sequence_case *c, bool pads, clrs_pad_mode mode, drawn_task *drawn) {
  clrs_shape outer = drawn->read.shape;
  for (uint32_t d = 0; pads && d < outer.rank; d++) {
    drawn->begins[d] = rng_between(&c->rng, 0, 2);
    drawn->ends[d] = rng_between(&c->rng, 0, 2);
    if (mode_pads_nothing(mode, outer.dims[d]))
      drawn->begins[d] = drawn->ends[d] = 0;
    outer.dims[d] += drawn->begins[d] + drawn->ends[d];
  }
  return outer;
}

/* Halves of a slot: for a task within one slot the source has the first half. */
static bool draw_task(sequence_case *c, tally *tally) {
  const bool fills = rng_percent(&c->rng, 15), pads = !fills && rng_percent(&c->rng, 20);
  const int64_t half = c->window / 2;
  drawn_task *drawn = &c->drawn[c->count];
  test_task *task = &c->tasks[c->count];
  clrs_layout layout;
  *drawn = (drawn_task){.begins = {0}};
  *task = (test_task){.destination = (uint32_t)rng_between(&c->rng, 0, c->read_only - 1),
                      .source = (uint32_t)rng_between(&c->rng, 0, c->slots - 1)};
  const bool within = !fills && task->source == task->destination;
  if (pads && rng_percent(&c->rng, 50))
    task->mode = (clrs_pad_mode)rng_between(&c->rng, CLRS_PAD_EDGE, CLRS_PAD_WRAP);
  const clrs_shape shape = draw_shape(&c->rng);
  if (!draw_layout(c, &shape, 0, within ? half - 8 : c->window, true, &layout))
    return false;
  draw_view(c, &layout, drawn);
  const clrs_shape outer = draw_outer(c, pads, task->mode, drawn);
  if (!draw_layout(c, &outer, within ? half : 0, c->window, false, &layout)) {
    oracle_free(&drawn->read);
    return false;
  }
  drawn->written = oracle_from_layout(&layout);
  CHECK_OK(clrs_view_from_layout(&layout, &drawn->to, &error), error);
  rng_fill(&c->rng, drawn->element, sizeof drawn->element);
  task->to = &drawn->to;
  task->from = fills ? NULL : &drawn->from;
  const bool is_constant = task->mode == CLRS_PAD_CONSTANT;
  task->element = fills || (pads && is_constant) ? drawn->element : NULL;
  task->begins = pads ? drawn->begins : NULL;
  tally->fills += fills;
  tally->pads += pads;
  tally->modes += !is_constant;
  tally->within += within;
  return true;
}

static void draw_case(sequence_case *c, tally *tally) {
  const int64_t wanted = rng_between(&c->rng, 1, MOST_TASKS);
  c->dtype = dtypes[rng_between(&c->rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  c->window = rng_percent(&c->rng, 30) ? 400 : 2000;
  c->slots = (uint32_t)rng_between(&c->rng, 1, SLOTS);
  c->read_only = (uint32_t)rng_between(&c->rng, 1, c->slots);
  while (c->count < (size_t)wanted)
    c->count += draw_task(c, tally);
  tally->tasks += wanted;
}

/* Written slots lie apart. Slots that are only read lie anywhere in the last pool. */
static void draw_places(sequence_case *c) {
  const uint64_t bits = clrs_dtype_bits(c->dtype), bytes = ((uint64_t)c->window * bits + 7) / 8 + 1;
  uint64_t taken[POOLS] = {0};
  for (uint32_t i = 0; i < c->slots; i++) {
    const bool is_written = i < c->read_only;
    place *at = &c->places[i];
    at->pool = is_written ? i % (POOLS - 1) : POOLS - 1;
    const uint64_t first =
        is_written ? taken[at->pool]
                   : (uint64_t)rng_between(&c->rng, 0, (int64_t)(POOL_BYTES - bytes - 64));
    const uint64_t byte = rng_percent(&c->rng, 50) ? (first + 15) / 16 * 16
                                                   : first + (uint64_t)rng_between(&c->rng, 0, 16);
    at->start =
        8 * byte + (bits < 8 ? (uint64_t)rng_between(&c->rng, 0, 8 / (int64_t)bits - 1) * bits : 0);
    taken[at->pool] = byte + bytes;
  }
}

/* ---- what is expected ---- */

static oracle in_pool(const sequence_case *c, uint32_t slot, const oracle *in_slot) {
  const int64_t bits = clrs_dtype_bits(c->dtype);
  oracle moved = oracle_copy(in_slot);
  const int64_t first = (int64_t)(c->places[slot].start % 8) / bits;
  for (int64_t k = 0; k < moved.count; k++)
    moved.positions[k] += bits < 8 ? first : 0;
  return moved;
}

static bit_span span_of(const sequence_case *c, uint32_t slot) {
  return bits_of(c->dtype, c->places[slot].start / 8);
}

static void put_element(sequence_case *c, const test_task *task, const drawn_task *drawn) {
  const bit_span one = {0, clrs_dtype_bits(c->dtype), false}, to = span_of(c, task->destination);
  oracle where = in_pool(c, task->destination, &drawn->written);
  for (int64_t k = 0; k < where.count; k++)
    bits_copy(&one, drawn->element, 0, &to, c->pools[c->places[task->destination].pool],
              where.positions[k]);
  oracle_free(&where);
}

static void put_source(sequence_case *c, const test_task *task, const drawn_task *drawn) {
  const bit_span from = span_of(c, task->source), to = span_of(c, task->destination);
  oracle source = in_pool(c, task->source, &drawn->read);
  oracle where = in_pool(c, task->destination, &drawn->written);
  clrs_slice slices[CLRS_MAX_RANK];
  if (task->mode != CLRS_PAD_CONSTANT)
    oracle_pad(&source, task->mode, drawn->begins, drawn->ends);
  for (uint32_t d = 0; d < source.shape.rank && task->mode == CLRS_PAD_CONSTANT; d++)
    slices[d] = (clrs_slice){d, drawn->begins[d], drawn->begins[d] + source.shape.dims[d], 1};
  oracle_slice(&where, task->mode == CLRS_PAD_CONSTANT ? source.shape.rank : 0, slices);
  bits_move(&from, c->pools[c->places[task->source].pool], &source, &to,
            c->pools[c->places[task->destination].pool], &where);
  oracle_free(&source);
  oracle_free(&where);
}

static void expect(sequence_case *c) {
  for (size_t i = 0; i < c->count; i++) {
    if (c->tasks[i].element != NULL)
      put_element(c, &c->tasks[i], &c->drawn[i]);
    if (c->tasks[i].from != NULL)
      put_source(c, &c->tasks[i], &c->drawn[i]);
  }
}

/* ---- running ---- */

/* The tensor has the bytes of the slot's window, as elements of another type. */
static clrs_tensor *tensor_of_window(const sequence_case *c, uint32_t slot,
                                     const clrs_storage *storage) {
  const int64_t bits = clrs_dtype_bits(c->dtype), first = (int64_t)c->places[slot].start / 8;
  const int64_t end = ((int64_t)c->places[slot].start + c->window * bits + 7) / 8;
  const clrs_layout bytes = {CLRS_U8, 1, {end - first}, {1}, first - (int64_t)storage->byte_offset};
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap(c->library, storage, &bytes, &tensor, &error), error);
  return tensor;
}

/* The same place is many pairs of an offset and an advance. */
static clrs_slot draw_slot(sequence_case *c, uint32_t slot, tally *tally) {
  const int64_t bits = clrs_dtype_bits(c->dtype), start = (int64_t)c->places[slot].start;
  const int64_t step = bits < 8 ? 8 : bits;
  const int64_t most = start / step;
  const int64_t by = rng_between(&c->rng, -40, most < 900 ? most : 900);
  clrs_slot at = {.advance = (by * step + (bits < 8 ? start % 8 : 0)) / bits};
  const clrs_storage storage = {c->buffers[c->places[slot].pool],
                                (uint64_t)((start - by * step) / 8)};
  if (rng_percent(&c->rng, 50))
    at.storage = storage;
  else
    at.tensor = c->tensors[slot] = tensor_of_window(c, slot, &storage);
  tally->advanced += at.advance != 0;
  tally->unaligned += start % 128 != 0;
  return at;
}

static void require_pools(const sequence_case *c) {
  for (size_t i = 0; i < POOLS; i++) {
    device_read(&c->shop->opencl, c->buffers[i], POOL_BYTES, c->got);
    for (size_t at = 0; at < POOL_BYTES; at++)
      CHECK_SEEDED(c->got[at] == c->pools[i][at], c->seed,
                   "byte %zu of pool %zu is %02x, not %02x, after %zu tasks of %u bits", at, i,
                   c->got[at], c->pools[i][at], c->count, clrs_dtype_bits(c->dtype));
  }
}

static void run_at_places(sequence_case *c, clrs_work *sequence, tally *tally) {
  clrs_slot slots[SLOTS];
  cl_event event = NULL;
  draw_places(c);
  for (uint32_t i = 0; i < c->slots; i++) {
    c->tensors[i] = NULL;
    slots[i] = draw_slot(c, i, tally);
  }
  for (size_t i = 0; i < POOLS; i++) {
    rng_fill(&c->rng, c->pools[i], POOL_BYTES);
    device_write(&c->shop->opencl, c->buffers[i], POOL_BYTES, c->pools[i]);
  }
  cl_event gate = clCreateUserEvent(c->shop->opencl.context, NULL);
  assert_non_null(gate);
  const long before = opencl_counted().launches;
  const clrs_status status = test_enqueue_slots(
      sequence, slots, &(clrs_on){workshop_queue(c->shop, &c->rng), 1, &gate}, &event, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s", error.message);
  tally->launches += opencl_counted().launches - before;
  /* all at once, because nothing holds the commands */
  CL_OK(clSetUserEventStatus(gate, CL_COMPLETE));
  CL_OK(clReleaseEvent(gate));
  for (uint32_t i = 0; i < c->slots; i++)
    clrs_tensor_release(c->tensors[i]);
  device_finish_event(event);
  expect(c);
  require_pools(c);
}

static void run_case(sequence_case *c, tally *tally) {
  clrs_work *sequence = NULL;
  draw_case(c, tally);
  const test_tasks tasks = {c->slots, c->count, c->tasks};
  const clrs_status status = test_work_of_tasks(c->library, &tasks, &sequence, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s", error.message);
  for (int i = 0; i < PLACES; i++)
    run_at_places(c, sequence, tally);
  clrs_work_release(sequence);
  for (size_t i = 0; i < c->count; i++) {
    oracle_free(&c->drawn[i].read);
    oracle_free(&c->drawn[i].written);
  }
}

SHOP_TEST(sequences_do_what_their_tasks_do_in_turn) {
  const uint64_t first = test_seed(61000);
  const int64_t cases = test_cases(CASES);
  tally tally = {0};
  sequence_case *c = malloc(sizeof *c);
  unsigned char *bytes = malloc((POOLS + 1) * (size_t)POOL_BYTES);
  cl_mem buffers[POOLS];
  assert_true(c && bytes);
  for (size_t i = 0; i < POOLS; i++)
    buffers[i] = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, POOL_BYTES);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    *c = (sequence_case){.shop = shop,
                         .library = shop->libraries[seed % 3],
                         .seed = seed,
                         .rng = rng_start(seed),
                         .buffers = buffers};
    for (size_t i = 0; i < POOLS; i++)
      c->pools[i] = bytes + i * POOL_BYTES;
    c->got = bytes + POOLS * (size_t)POOL_BYTES;
    run_case(c, &tally);
  }
  for (size_t i = 0; i < POOLS; i++)
    CL_OK(clReleaseMemObject(buffers[i]));
  print_message("%lld tasks (%lld fills, %lld pads, %lld within a slot), %lld launches; of slots "
                "%lld unaligned, %lld advanced\n",
                (long long)tally.tasks, (long long)tally.fills, (long long)tally.pads,
                (long long)tally.within, (long long)tally.launches, (long long)tally.unaligned,
                (long long)tally.advanced);
  if (cases >= CASES) /* the cases must cover the claimed variety */
    assert_true(tally.fills > 20 && tally.pads > 20 && tally.within > 20 && tally.unaligned > 60 &&
                tally.modes > 10);
  free(bytes);
  free(c);
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
