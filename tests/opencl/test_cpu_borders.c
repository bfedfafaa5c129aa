/*
 * Moves of core execution at the borders of their kernels' blocks: tiles whose sides are a little
 * more or less than squares and lines, with rows of the destination that begin at lines and that do
 * not; products of short axes; planes zipped and unzipped; rows that run backward, stand still or
 * step, around the lengths that are staged. Source and destination end or begin at a page that may
 * not be touched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/bits.h"
#include "harness/fence.h"
#include "harness/tensors.h"
#include "plan/plan.h"

enum { PAGES = 512, LIBRARIES = 2, TEXT = 400, MOST_BYTES = 1 << 20 };
enum {
  TURNED = CLRS_CLASS_COUNT, /* packed, in rows and columns */
  GATHERED_ROWS,
  ROW_PARTS, /* of an axis that they do not divide */
  COLUMN_PARTS,
  NARROW_PARTS, /* the last of which has less than a line of columns that are turned */
  BOXES,        /* by their kind */
  COUNTERS = BOXES + CLRS_BOX_KINDS
};

static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_F16, CLRS_F32, CLRS_F64, CLRS_C128};
static const clrs_dtype packed_dtypes[] = {CLRS_U1, CLRS_BITS1, CLRS_U2, CLRS_I4};

typedef struct fixture {
  test_device device;
  clrs_context *libraries[LIBRARIES]; /* 32-bit and 64-bit arithmetic */
  fenced memory[2];                   /* of the source, of the destination */
} fixture;

/* A shape, and for each side how its dims lie: outermost first, and the gap after each. */
typedef struct border_case {
  uint64_t seed;
  clrs_dtype dtype;
  clrs_shape shape;
  clrs_layout sides[2];
} border_case;

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
    const clrs_device_limits limits = {
        .execution = CLRS_EXECUTION_CPU, .min_index_bits = 32 * (i + 1), .max_work_items = plenty};
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

/* ---- what is moved ---- */

/* Dims in this order from the outermost, with `gap` elements after each run of the innermost. */
static void lay_out(border_case *c, int side, const int64_t *order, int64_t gap, int64_t start) {
  int64_t strides[CLRS_MAX_RANK], step = 1;
  clrs_error error = {0};
  for (uint32_t i = c->shape.rank; i-- > 0;) {
    const int64_t dim = order[i];
    strides[dim] = step;
    step = step * c->shape.dims[dim] + (i + 1 == c->shape.rank ? gap : 0);
  }
  CHECK_OK(clrs_layout_init(c->dtype, &c->shape, strides, start, &c->sides[side], &error), error);
}

/* Mostly at the start of the buffer, which begins at a line. */
static int64_t draw_start(test_rng *rng) {
  return rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 70);
}

static int64_t draw_side(test_rng *rng) {
  static const int64_t round[] = {8, 16, 32, 64, 96, 128};
  return rng_percent(rng, 40) ? round[rng_between(rng, 0, 5)] : rng_between(rng, 1, 130);
}

/* A transpose, perhaps of one of several planes. */
static void draw_tile(border_case *c, test_rng *rng) {
  const bool planes = rng_percent(rng, 30);
  c->shape.rank = planes ? 3 : 2;
  c->shape.dims[0] = draw_side(rng);
  c->shape.dims[1] = draw_side(rng) * (rng_percent(rng, 10) ? 8 : 1);
  c->shape.dims[2] = rng_between(rng, 2, 3);
  const int64_t from[2][3] = {{1, 0, 0}, {2, 1, 0}}, to[2][3] = {{0, 1, 0}, {0, 2, 1}};
  const int64_t gap = rng_percent(rng, 60) ? 0 : rng_percent(rng, 50) ? 64 : rng_between(rng, 1, 9);
  lay_out(c, 0, from[planes], rng_percent(rng, 70) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
  lay_out(c, 1, to[planes], gap, draw_start(rng));
}

/* Few rows and many columns, whose rows would begin at lines if the buffer did: the plan is for
 * lines and the kernel stages the block, in parts. */
static void draw_long_tile(border_case *c, test_rng *rng) {
  const int64_t from[] = {1, 0}, to[] = {0, 1};
  const int64_t columns = 512 * rng_between(rng, 1, 2) + rng_between(rng, 1, 70);
  c->shape = (clrs_shape){.rank = 2, .dims = {rng_between(rng, 4, 20), columns}};
  lay_out(c, 0, from, 0, draw_start(rng));
  lay_out(c, 1, to, 64 - columns % 64, 0);
}

/* Short axes in any order, often the reverse on the other side. */
static void draw_packed(border_case *c, test_rng *rng) {
  int64_t orders[2][CLRS_MAX_RANK];
  const bool reverse = rng_percent(rng, 50);
  c->shape.rank = (uint32_t)rng_between(rng, 3, 6);
  for (uint32_t d = 0; d < c->shape.rank; d++)
    c->shape.dims[d] = rng_between(rng, 2, c->shape.rank > 4 ? 6 : 17);
  if (rng_percent(rng, 30))
    c->shape.dims[rng_between(rng, 0, c->shape.rank - 1)] =
        rng_percent(rng, 70) ? rng_between(rng, 60, 300) : rng_between(rng, 500, 3000);
  for (int side = 0; side < 2; side++) {
    rng_permutation(rng, c->shape.rank, orders[side]);
    for (uint32_t d = 0; d < c->shape.rank && side == 1 && reverse; d++)
      orders[1][d] = orders[0][c->shape.rank - 1 - d];
    lay_out(c, side, orders[side], rng_percent(rng, 85) ? 0 : rng_between(rng, 1, 5),
            draw_start(rng));
  }
}

/* Many axes of 2 to 4, in any order on either side. */
static void draw_many_axes(border_case *c, test_rng *rng) {
  int64_t orders[2][CLRS_MAX_RANK], units = 1;
  c->shape.rank = 0;
  for (int64_t most = rng_between(rng, 500, 16000); units < most; c->shape.rank++) {
    c->shape.dims[c->shape.rank] = rng_percent(rng, 50) ? 2 : rng_between(rng, 2, 4);
    units *= c->shape.dims[c->shape.rank];
  }
  for (int side = 0; side < 2; side++) {
    rng_permutation(rng, c->shape.rank, orders[side]);
    lay_out(c, side, orders[side], rng_percent(rng, 85) ? 0 : rng_between(rng, 1, 5),
            draw_start(rng));
  }
}

/* Columns that are two axes, in the other order: of long rows, or a few more than chunks have. */
static void draw_two_columns(border_case *c, test_rng *rng) {
  const int64_t from[] = {0, 1, 2}, to[] = {2, 1, 0};
  c->shape = (clrs_shape){.rank = 3, .dims = {rng_between(rng, 2, 15)}};
  if (rng_percent(rng, 50)) {
    c->shape.dims[1] = rng_between(rng, 2, 20);
    c->shape.dims[2] = rng_between(rng, 300, 4000);
  } else {
    c->shape.dims[0] = 2 * rng_between(rng, 1, 4) + 1;
    c->shape.dims[1] = 16 * rng_between(rng, 2, 18) + rng_between(rng, 0, 1);
    c->shape.dims[2] = rng_between(rng, 4, 60);
  }
  lay_out(c, 0, from, rng_percent(rng, 70) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
  lay_out(c, 1, to, 0, draw_start(rng));
}

/* 2 to 4 planes to interleaved, or back. */
static void draw_planes(border_case *c, test_rng *rng) {
  const int64_t orders[2][2] = {{0, 1}, {1, 0}};
  const bool zips = rng_percent(rng, 50);
  c->shape.rank = 2;
  c->shape.dims[0] = rng_between(rng, 2, 4);
  c->shape.dims[1] =
      rng_percent(rng, 50) ? rng_between(rng, 1, 5000) : 512 * rng_between(rng, 1, 9);
  lay_out(c, 0, orders[!zips], 0, draw_start(rng));
  lay_out(c, 1, orders[zips], 0, draw_start(rng));
}

/* The same out of pixels of up to 4, of which some are left out, or in the other order. */
static void draw_pixels(border_case *c, test_rng *rng) {
  const int64_t order[] = {0, 1}, planes = rng_between(rng, 2, 4);
  const int64_t sign = rng_percent(rng, 50) ? -1 : 1, pixel = rng_between(rng, planes, 4);
  const int64_t strides[] = {sign, pixel}, start = draw_start(rng);
  clrs_error error;
  c->shape = (clrs_shape){2, {planes, rng_between(rng, 1, 5000)}};
  CHECK_OK(clrs_layout_init(c->dtype, &c->shape, strides, start + (sign < 0 ? planes - 1 : 0),
                            &c->sides[0], &error),
           error);
  lay_out(c, 1, order, rng_percent(rng, 50) ? 0 : rng_between(rng, 1, 5), draw_start(rng));
}

/* One or a few rows whose source steps by -1, 0, 2 or more. */
static void draw_row(border_case *c, test_rng *rng) {
  const int64_t order[] = {0, 1}, steps[] = {-1, -1, -1, 0, 2, 3, 5};
  const int64_t count = rng_percent(rng, 70) ? rng_between(rng, 2, 9000) : rng_between(rng, 2, 200);
  const int64_t step = steps[rng_between(rng, 0, 6)];
  clrs_error error = {0};
  c->shape = (clrs_shape){.rank = 2, .dims = {rng_between(rng, 1, 3), count}};
  const int64_t reach = (count - 1) * (step < 0 ? -step : step) + 1;
  const int64_t strides[] = {reach + rng_between(rng, 0, 3), step};
  const int64_t start = draw_start(rng) + (step < 0 ? reach - 1 : 0);
  CHECK_OK(clrs_layout_init(c->dtype, &c->shape, strides, start, &c->sides[0], &error), error);
  lay_out(c, 1, order, rng_percent(rng, 70) ? 0 : 1, draw_start(rng));
}

/* Long columns, few to a row or many, to rows or back; perhaps of several planes, or in the order
 * of another axis. */
static void draw_bit_columns(border_case *c, test_rng *rng) {
  int64_t orders[2][3] = {{0, 1, 2}, {2, 1, 0}};
  const bool back = rng_percent(rng, 50);
  c->shape.rank = 3;
  c->shape.dims[0] = rng_percent(rng, 60) ? rng_between(rng, 100, 6000) : 64 * draw_side(rng);
  c->shape.dims[1] = rng_percent(rng, 70) ? 1 : rng_between(rng, 2, 5);
  c->shape.dims[2] = rng_percent(rng, 75) ? rng_between(rng, 1, 40) : rng_between(rng, 41, 1200);
  if (rng_percent(rng, 20))
    rng_permutation(rng, 3, orders[1]);
  lay_out(c, back, orders[0], rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
  lay_out(c, !back, orders[1], rng_percent(rng, 80) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
}

/* Runs that both sides have, in the same order or not. */
static void draw_bit_runs(border_case *c, test_rng *rng) {
  const int64_t orders[2][3] = {{0, 1, 2}, {1, 0, 2}};
  c->shape.rank = 3;
  c->shape.dims[0] = rng_between(rng, 1, 60);
  c->shape.dims[1] = rng_between(rng, 1, 20);
  c->shape.dims[2] = rng_percent(rng, 80) ? rng_between(rng, 20, 900) : rng_between(rng, 900, 9000);
  for (int side = 0; side < 2; side++)
    lay_out(c, side, orders[rng_percent(rng, 50)],
            rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
}

typedef struct family {
  const clrs_dtype *dtypes;
  int64_t dtype_count, draw_count;
  void (*draw[11])(border_case *c, test_rng *rng);
} family;

static const family wholes = {dtypes,
                              sizeof dtypes / sizeof *dtypes,
                              11,
                              {draw_tile, draw_tile, draw_long_tile, draw_packed, draw_packed,
                               draw_many_axes, draw_two_columns, draw_two_columns, draw_planes,
                               draw_pixels, draw_row}};
static const family packed = {
    packed_dtypes,
    sizeof packed_dtypes / sizeof *packed_dtypes,
    6,
    {draw_bit_columns, draw_bit_columns, draw_bit_columns, draw_bit_runs, draw_tile, draw_row}};

/* ---- moving it ---- */

static bool place(fixture *f, clrs_context *library, test_rng *rng, const border_case *c, int side,
                  operand *placed) {
  const bit_span span = bits_of(c->dtype, 0);
  clrs_bounds bounds;
  clrs_error error;
  CHECK_OK(clrs_layout_bounds(&c->sides[side], &bounds, &error), error);
  placed->size = (size_t)bits_end(&span, bounds.highest);
  if (placed->size > MOST_BYTES)
    return false;
  cl_mem buffer = fence_buffer(&f->device, &f->memory[side], rng_percent(rng, 50), placed->size,
                               &placed->bytes);
  const clrs_storage storage = {buffer, 0};
  rng_fill(rng, placed->bytes, placed->size);
  CHECK_OK(clrs_tensor_wrap(library, &storage, &c->sides[side], &placed->tensor, &error), error);
  CL_OK(clReleaseMemObject(buffer)); /* the tensor keeps it */
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

static void move_between(fixture *f, clrs_context *library, const border_case *c, operand *from,
                         operand *to, int64_t *seen) {
  const bit_span span = bits_of(c->dtype, 0);
  clrs_error error = {0};
  cl_event event = NULL;
  clrs_plan plan;
  unsigned char *expected = malloc(to->size), *got = malloc(to->size);
  assert_true(expected && got);
  memcpy(expected, to->bytes, to->size);
  bits_move(&span, from->bytes, &from->where, &span, expected, &to->where);
  CHECK_OK(clrs_tensor_plan(library, from->tensor, to->tensor, CLRS_COPY_ALWAYS, &plan, &error),
           error);
  seen[plan.launches[0].kernel_class]++;
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
    seen[BOXES + cut->as.boxes.kind]++;
  CHECK_OK(clrs_enqueue_move(library, from->tensor, to->tensor, f->device.queue, 0, NULL, &event,
                             &error),
           error);
  device_finish_event(event);
  device_read(&f->device, clrs_tensor_storage(to->tensor).buffer, to->size, got);
  require_bytes(c, got, expected, to->size);
  free(expected);
  free(got);
}

static void run_case(fixture *f, const family *family, uint64_t seed, int64_t *seen) {
  test_rng rng = rng_start(seed);
  border_case c = {.seed = seed};
  operand from, to;
  clrs_context *library = f->libraries[rng_between(&rng, 0, LIBRARIES - 1)];
  c.dtype = family->dtypes[rng_between(&rng, 0, family->dtype_count - 1)];
  family->draw[rng_between(&rng, 0, family->draw_count - 1)](&c, &rng);
  if (!place(f, library, &rng, &c, 0, &from))
    return;
  if (place(f, library, &rng, &c, 1, &to)) {
    move_between(f, library, &c, &from, &to, seen);
    unplace(&to);
  }
  unplace(&from);
}

static void core_moves_are_right_at_every_border(void **state) {
  static const clrs_class classes[] = {CLRS_CLASS_CPU_TILE, CLRS_CLASS_CPU_SHORT,
                                       CLRS_CLASS_CPU_ANY};
  int64_t seen[COUNTERS] = {0};
  const uint64_t seed = test_seed(940000);
  const int64_t cases = test_cases(2500);
  for (int64_t i = 0; i < cases; i++)
    run_case(*state, &wholes, seed + (uint64_t)i, seen);
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

static void packed_moves_are_right_at_every_border(void **state) {
  int64_t seen[COUNTERS] = {0};
  const uint64_t seed = test_seed(970000);
  const int64_t cases = test_cases(2500);
  for (int64_t i = 0; i < cases; i++)
    run_case(*state, &packed, seed + (uint64_t)i, seen);
  for (int i = 0; i < CLRS_BOX_KINDS; i++) {
    print_message("boxes of kind %d: %lld\n", i, (long long)seen[BOXES + i]);
    if (cases >= 1000)
      assert_true(seen[BOXES + i] * 60 > cases);
  }
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(core_moves_are_right_at_every_border, fixture_open,
                                      fixture_close),
      cmocka_unit_test_setup_teardown(packed_moves_are_right_at_every_border, fixture_open,
                                      fixture_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
