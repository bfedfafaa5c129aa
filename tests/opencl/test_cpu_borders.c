/*
 * Moves of core execution at the borders of the kernels' blocks. Tiles with sides a little more or
 * less than squares and lines, and with rows of the destination that begin at lines or elsewhere.
 * Products of short axes, many small blocks, planes zipped and unzipped. Rows that run backward,
 * stand still or step, around the staged lengths. Source and destination end or begin at a page
 * that may not be touched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "border_cases.h"
#include "harness/bits.h"
#include "harness/fence.h"
#include "harness/tensors.h"
#include "plan/plan.h"

enum { PAGES = 512, LIBRARIES = 4, TEXT = 400, MOST_BYTES = 1 << 20 };
enum {
  TURNED = CLRS__CLASS_COUNT, /* packed, in rows and columns */
  GATHERED_ROWS,
  ROW_PARTS, /* parts that do not divide the axis */
  COLUMN_PARTS,
  NARROW_PARTS, /* the last of which has less than a line of columns that are turned */
  BOXES,        /* unpacked, and copied */
  COUNTERS = BOXES + 2
};

typedef struct fixture {
  test_device device;
  /* 32- and 64-bit arithmetic, many work-items and a single work-item */
  clrs_context *libraries[LIBRARIES];
  fenced memory[2]; /* buffers of the source and of the destination */
} fixture;

typedef struct operand {
  clrs_tensor *tensor;
  unsigned char *bytes;
  size_t size;
  oracle where;
} operand;

static int fixture_open(void **state) {
  const uint64_t plenty = UINT64_C(1) << 30;
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  for (uint32_t i = 0; i < LIBRARIES; i++) {
    const clrs_device_limits limits = {.execution = CLRS_EXECUTION_CPU,
                                       .min_index_bits = i % 2 == 0 ? 32 : 64,
                                       .max_work_items = i < 2 ? plenty : 1};
    f->libraries[i] = device_library(&f->device, &limits);
  }
  for (int i = 0; i < 2; i++)
    f->memory[i] = fence(PAGES);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  for (int i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  for (int i = 0; i < 2; i++)
    unfence(&f->memory[i]);
  device_close(&f->device);
  free(f);
  return 0;
}

/* ---- moving it ---- */

static bool place(fixture *f, clrs_context *library, test_rng *rng, const border_case *c, int side,
                  operand *placed) {
  const bit_span span = bits_of(c->dtype, 0);
  const clrs_bounds bounds = bounds_of(&c->sides[side]);
  clrs_error error;

  placed->size = (size_t)bits_end(&span, bounds.highest);
  if (placed->size > MOST_BYTES)
    return false;
  cl_mem buffer = fence_buffer(&f->device, &f->memory[side], rng_percent(rng, 50), placed->size,
                               &placed->bytes);
  const clrs_storage storage = {buffer, 0};
  rng_fill(rng, placed->bytes, placed->size);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &c->sides[side], &placed->tensor, &error), error);
  CL_OK(clReleaseMemObject(buffer)); /* the tensor retains the buffer */
  placed->where = oracle_from_layout(&c->sides[side]);
  return true;
}

static void unplace(operand *placed) {
  clrs_tensor_release(placed->tensor);
  oracle_free(&placed->where);
}

static void require_bytes(const border_case *c, const unsigned char *got,
                          const unsigned char *expected, size_t size) {
  char from[TEXT], to[TEXT];
  print_layout(&c->sides[0], from, sizeof from);
  print_layout(&c->sides[1], to, sizeof to);
  for (size_t i = 0; i < size; i++)
    CHECK_SEEDED(got[i] == expected[i], c->seed, "%s -> %s: byte %zu of %zu is %02x, not %02x",
                 from, to, i, size, got[i], expected[i]);
}

static void move_between(fixture *f, const border_case *c, operand *from, operand *to,
                         int64_t *seen) {
  const bit_span span = bits_of(c->dtype, 0);
  clrs_error error = {0};
  cl_event event = NULL;
  clrs_plan plan;
  unsigned char *expected = malloc(to->size), *got = malloc(to->size);
  assert_true(expected && got);
  memcpy(expected, to->bytes, to->size);
  bits_move(&span, from->bytes, &from->where, &span, expected, &to->where);
  CHECK_OK(clrs_tensor_plan(from->tensor, to->tensor, CLRS_COPY_ALWAYS, &plan, &error), error);
  seen[class_named(plan.launches[0].kernel_class)]++;
  const clrs__cut *cut = &clrs__plan_data_in(&plan)->cuts[0];
  if (cut->kind == CLRS__CUT_SHORT) {
    seen[TURNED] += cut->as.short_axes.turns;
    seen[GATHERED_ROWS] += cut->as.short_axes.rows > 1 && !cut->as.short_axes.turns;
    seen[ROW_PARTS] += cut->as.short_axes.row_extent != cut->as.short_axes.rows;
    seen[COLUMN_PARTS] += cut->as.short_axes.column_extent != cut->as.short_axes.columns;
    const int64_t last = cut->as.short_axes.column_extent % cut->as.short_axes.columns;
    seen[NARROW_PARTS] += cut->as.short_axes.turns && last > 0 && last * cut->unit_bits < 512;
  }
  if (cut->kind == CLRS__CUT_BOXES)
    seen[BOXES + cut->as.boxes.is_copied]++;
  CHECK_OK(clrs_enqueue_move(from->tensor, to->tensor, ON(f->device.queue), &event, &error), error);
  device_finish_event(event);
  device_read(&f->device, clrs_tensor_storage(to->tensor).buffer, to->size, got);
  require_bytes(c, got, expected, to->size);
  free(expected);
  free(got);
}

static void run_case(fixture *f, const border_family *family, uint64_t seed, int64_t *seen) {
  test_rng rng = rng_start(seed);
  border_case c = {.seed = seed};
  operand from, to;
  clrs_context *library = f->libraries[rng_between(&rng, 0, LIBRARIES - 1)];
  c.dtype = family->dtypes[rng_between(&rng, 0, family->dtype_count - 1)];
  family->draw[rng_between(&rng, 0, family->draw_count - 1)](&c, &rng);
  if (!place(f, library, &rng, &c, 0, &from))
    return;
  if (place(f, library, &rng, &c, 1, &to)) {
    move_between(f, &c, &from, &to, seen);
    unplace(&to);
  }
  unplace(&from);
}

TEST_IN(core_moves_are_right_at_every_border, fixture_open, fixture_close) {
  static const clrs__class_number classes[] = {CLRS__CLASS_CPU_TILE, CLRS__CLASS_CPU_SHORT,
                                               CLRS__CLASS_CPU_ANY};
  int64_t seen[COUNTERS] = {0};
  const uint64_t seed = test_seed(940000);
  const int64_t cases = test_cases(300);
  for (int64_t i = 0; i < cases; i++)
    run_case(*state, &whole_borders, seed + (uint64_t)i, seen);
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    print_message("%s: %lld\n", clrs_class_name(classes[i]), (long long)seen[classes[i]]);
    if (cases >= 1000)
      assert_true(seen[classes[i]] * 15 > cases);
  }
  print_message(
      "turned: %lld, gathered in rows %lld, in parts of rows %lld, of columns %lld, narrow %lld\n",
      (long long)seen[TURNED], (long long)seen[GATHERED_ROWS], (long long)seen[ROW_PARTS],
      (long long)seen[COLUMN_PARTS], (long long)seen[NARROW_PARTS]);
  if (cases >= 1000)
    assert_true(seen[TURNED] * 30 > cases && seen[GATHERED_ROWS] * 30 > cases &&
                seen[ROW_PARTS] * 200 > cases && seen[COLUMN_PARTS] * 100 > cases &&
                seen[NARROW_PARTS] * 600 > cases);
}

TEST_IN(packed_moves_are_right_at_every_border, fixture_open, fixture_close) {
  int64_t seen[COUNTERS] = {0};
  const uint64_t seed = test_seed(970000);
  const int64_t cases = test_cases(300);
  for (int64_t i = 0; i < cases; i++)
    run_case(*state, &packed_borders, seed + (uint64_t)i, seen);
  for (int i = 0; i < 2; i++) {
    print_message("boxes %s: %lld\n", i == 0 ? "unpacked" : "copied", (long long)seen[BOXES + i]);
    if (cases >= 1000)
      assert_true(seen[BOXES + i] * 60 > cases);
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
