/* SPDX-License-Identifier: Apache-2.0 */
#include "border_cases.h"

#include "harness/check.h"

static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_F16, CLRS_F32, CLRS_F64, CLRS_C128};
static const clrs_dtype packed_dtypes[] = {CLRS_U1, CLRS_BITS1, CLRS_U2, CLRS_I4};

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

/* A transpose, perhaps within one of several planes. */
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

/* Few rows and many columns, with rows that would begin at lines if the buffer did. The plan
 * assumes lines, and the kernel stages the block in parts. */
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

/* Many small blocks, each of which lies together on both sides. */
static void draw_blocks(border_case *c, test_rng *rng) {
  c->shape.rank = (uint32_t)rng_between(rng, 3, 4);
  c->shape.dims[0] = rng_between(rng, 4000, 50000);
  for (uint32_t d = 1; d < c->shape.rank; d++) {
    c->shape.dims[d] = rng_between(rng, 1, rng_percent(rng, 70) ? 9 : 30);
    c->shape.dims[0] = c->shape.dims[0] / c->shape.dims[d] + 1;
  }
  for (int side = 0; side < 2; side++) {
    int64_t order[CLRS_MAX_RANK] = {0};
    rng_permutation(rng, c->shape.rank - 1, order + 1);
    for (uint32_t d = 1; d < c->shape.rank; d++)
      order[d]++;
    lay_out(c, side, order, rng_percent(rng, 85) ? 0 : rng_between(rng, 1, 5), draw_start(rng));
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
  c->shape = (clrs_shape){2, {planes, rng_between(rng, 1, 5000)}};
  CHECK_OK(clrs_layout_init(c->dtype, &c->shape, strides, start + (sign < 0 ? planes - 1 : 0),
                            &c->sides[0], &error),
           error);
  lay_out(c, 1, order, rng_percent(rng, 50) ? 0 : rng_between(rng, 1, 5), draw_start(rng));
}

/* A single row or a few rows, where the source steps by -1, 0, 2 or more. */
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

/* Long columns, few to a row or many, transposed to rows or back, perhaps in several planes, or in
 * the order of another axis. */
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

/* Columns of two axes, short axes inside, to rows that may begin in any bit. Or windows that slide
 * along the rows, so that two axes have the same step. */
static void draw_bit_tiles(border_case *c, test_rng *rng) {
  const int64_t from[] = {0, 1, 2}, to[] = {2, 0, 1};
  const int64_t start = draw_start(rng);
  c->shape = (clrs_shape){3, {rng_between(rng, 20, 120), rng_between(rng, 3, 25)}};
  c->shape.dims[2] = rng_percent(rng, 50) ? 64 * rng_between(rng, 1, 9) : rng_between(rng, 20, 700);
  const int64_t strides[] = {c->shape.dims[1] + c->shape.dims[2] + rng_between(rng, 0, 3), 1, 1};
  lay_out(c, 0, from, rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 9), start);
  if (rng_percent(rng, 40))
    CHECK_OK(clrs_layout_init(c->dtype, &c->shape, strides, start, &c->sides[0], &error), error);
  lay_out(c, 1, to, rng_percent(rng, 60) ? 0 : rng_between(rng, 1, 9), draw_start(rng));
}

const border_family whole_borders = {
    dtypes,
    sizeof dtypes / sizeof *dtypes,
    13,
    {draw_tile, draw_tile, draw_long_tile, draw_packed, draw_packed, draw_many_axes, draw_blocks,
     draw_blocks, draw_two_columns, draw_two_columns, draw_planes, draw_pixels, draw_row}};
const border_family packed_borders = {packed_dtypes,
                                      sizeof packed_dtypes / sizeof *packed_dtypes,
                                      7,
                                      {draw_bit_columns, draw_bit_columns, draw_bit_columns,
                                       draw_bit_runs, draw_bit_tiles, draw_tile, draw_row}};
