/*
 * Launches of gathers and scatters, without a device: by which kernel, with which width of indices,
 * and which positions are too far. tests/opencl shows that the launches move the right bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

#include "class/table.h"
#include "indexed/indexed_pass.h"
#include "plan/choose.h"

static clrs_view listed, named, indices;
static clrs_device_limits limits;
static clrs__cut cut;
static uint32_t alignments[CLRS_INDEXED_OPERANDS] = {1, 1, 8}; /* bytes */

/* Along the first dim of the named view. Buffers begin at the same byte. */
static clrs_status choose(bool scatters) {
  const clrs__indexed_move move = {
      .operands = {[CLRS_LISTED] = {&listed, 0, alignments[CLRS_LISTED]},
                   [CLRS_NAMED] = {&named, 0, alignments[CLRS_NAMED]},
                   [CLRS_INDEX] = {&indices, 0, 8}},
      .scatters = scatters,
      .limits = &limits};
  const clrs_move sides = {move.operands[CLRS_NAMED], move.operands[CLRS_LISTED], CLRS_COPY_ALWAYS};
  clrs__nest nest;
  clrs__address address;
  if (!clrs__indexed_find_loops(&move, &nest, &address))
    return CLRS_UNSUPPORTED;
  for (uint32_t i = address.digit_count; i < CLRS_INDEX_DIGITS; i++)
    address.digits[i] = (clrs_axis){5, INT64_MAX}; /* not a digit */
  const clrs__pass pass = {
      .move = &sides, .limits = &limits, .from = CLRS__BY_INDEX, .count = 1, .address = &address};
  return clrs__choose_cut(&pass, &nest, &cut, &error);
}

/* A dense listed view for `count` indices of rows of the named view. */
static void list(int64_t count) {
  clrs_shape shape = named.shape;
  shape.dims[0] = count;
  CHECK_OK(clrs_view_dense(named.dtype, &shape, &listed, &error), error);
  indices = view_strided(CLRS_I32, 1, &count, NULL, 0);
  limits = (clrs_device_limits)CLRS_DEVICE_LIMITS_INIT;
  limits.execution = CLRS_EXECUTION_CPU;
}

/* ---- the width of an index ---- */

#define FAR(bits) (INT64_C(1) << (bits))

typedef struct reach_row {
  int64_t count, dims[2], strides[2]; /* axes of the named view, in bytes */
  uint32_t least, bits;
} reach_row;

/* 32 bits hold places, units and positions, but for the last 512. The named rows are expanded where
 * only the other numbers are to be large. */
TEST(positions_decide_the_width_of_an_index) {
  static const reach_row rows[] = {
      {2, {3, 5}, {5, 1}, 32, 32},
      {2, {3, 5}, {5, 1}, 64, 64},
      {2, {FAR(31) - 514, 5}, {0, 1}, 32, 32},
      {2, {FAR(31) - 513, 5}, {0, 1}, 32, 64},
      {FAR(15) - 1, {3, FAR(16)}, {FAR(16), 1}, 32, 32},
      {FAR(15), {3, FAR(16)}, {FAR(16), 1}, 32, 64},
      {2, {3, 2}, {1, FAR(31) - 516}, 32, 32}, /* behind place 2 */
      {2, {3, 2}, {1, FAR(31) - 515}, 32, 64},
      {2, {3, 2}, {1, FAR(62)}, 32, 64},
      {2, {3, 2}, {FAR(29), 1}, 32, 32},
      {2, {5, 2}, {FAR(29), 1}, 32, 64},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    named = view_strided(CLRS_U8, 2, rows[i].dims, rows[i].strides, 0);
    list(rows[i].count);
    limits.min_index_bits = rows[i].least;
    CHECK_OK(choose(false), error);
    assert_int_equal(cut.kernel_class, CLRS__CLASS_CPU_ROWS);
    assert_int_equal(cut.index_bits, rows[i].bits);
  }
}

/* The second digit of a place, behind a first of 3 places. */
TEST(each_digit_decides_the_width_of_an_index) {
  for (int bits = 29; bits <= 31; bits++) {
    named = view_strided(CLRS_U8, 3, LIST(2, 3, 5), LIST(FAR(bits), 8, 1), 0);
    CHECK_OK(clrs_view_reshape(&named, &(clrs_shape){2, {6, 5}}, &error), error);
    list(2);
    CHECK_OK(choose(false), error);
    assert_int_equal(cut.address.digit_count, 2);
    assert_int_equal(cut.index_bits, bits < 31 ? 32 : 64);
  }
}

/* If elements are moved as bytes, eight for each element, every number is eight times as large. */
TEST(positions_that_bytes_do_not_count_overflow) {
  static const struct {
    int64_t dims[2], strides[2], offset;
    clrs_status status;
  } rows[] = {
      {{3, 2}, {FAR(57), 1}, FAR(57), CLRS_OK},
      {{3, 2}, {2, 1}, FAR(60), CLRS_OVERFLOW},
      {{3, 2}, {1, FAR(60)}, 0, CLRS_OVERFLOW},
      {{3, 2}, {FAR(60), 1}, 0, CLRS_OVERFLOW},
  };
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    named = view_strided(CLRS_F64, 2, rows[i / 2].dims, rows[i / 2].strides, rows[i / 2].offset);
    list(1);
    assert_int_equal(choose(i % 2 == 1), rows[i / 2].status);
    if (rows[i / 2].status != CLRS_OK)
      CHECK_SAYS(error, "a position of the move does not fit in 64 bits");
  }
}

/* ---- rows ---- */

/* Neighbours on both sides are moved as rows, also if a loop behind repeats the listed rows. */
TEST(a_row_is_the_last_loop) {
  for (int64_t count = 1; count <= 2; count++) {
    named = view_strided(CLRS_U8, 3, LIST(3, 64, 7), LIST(512, 1, 70), 0);
    list(count);
    listed = view_strided(CLRS_U8, 3, LIST(count, 64, 7), LIST(64, 1, 0), 0);
    CHECK_OK(choose(true), error);
    assert_int_equal(cut.kernel_class, CLRS__CLASS_CPU_ROWS);
    assert_int_equal(cut.nest.axes[cut.nest.axis_count - 1].extent, 64);
    assert_int_equal(cut.nest.axis_count, count + 1);
  }
}

/* Without neighbours on both sides the loops keep the order of the listed side, and a row of one
 * unit is added. */
TEST(columns_are_no_row) {
  named = view_strided(CLRS_U8, 3, LIST(3, 5, 7), LIST(64, 1, 8), 0);
  list(2);
  CHECK_OK(choose(false), error);
  assert_int_equal(cut.kernel_class, CLRS__CLASS_CPU_ROWS);
  assert_int_equal(cut.nest.axis_count, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal(cut.nest.axes[i].extent, LIST(2, 5, 7, 1)[i]);
}

/* ---- units ---- */

/* A unit is as wide as the largest power of two that divides the pitch of each named axis. */
TEST(units_are_as_wide_as_every_place_allows) {
  static const struct {
    int64_t dims[3], strides[3];
    uint32_t bits;
  } rows[] = {
      {{3, 2, 16}, {64, 32, 1}, 128}, {{3, 2, 16}, {40, 20, 1}, 32}, {{3, 2, 16}, {36, 18, 1}, 16},
      {{3, 2, 16}, {35, 32, 1}, 8},   {{3, 2, 16}, {48, 18, 1}, 16}, {{3, 2, 16}, {33, 17, 1}, 8},
      {{3, 2, 24}, {80, 40, 1}, 64},
  };
  alignments[CLRS_LISTED] = alignments[CLRS_NAMED] = 128;
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    named = view_strided(CLRS_U8, 3, rows[i / 2].dims, rows[i / 2].strides, 0);
    list(5);
    CHECK_OK(choose(i % 2 == 1), error);
    assert_int_equal(cut.unit_bits, rows[i / 2].bits);
    assert_int_equal(cut.address.digit_count, 1);
    assert_int_equal(cut.address.digits[0].stride * cut.unit_bits, rows[i / 2].strides[0] * 8);
  }
}

/* Two digits of a place: both count units, wider and narrower than an element. */
TEST(each_digit_counts_units) {
  for (uint32_t alignment = 1; alignment <= 16; alignment *= 2) {
    alignments[CLRS_LISTED] = alignments[CLRS_NAMED] = alignment;
    named = view_strided(CLRS_F32, 3, LIST(5, 3, 16), LIST(16, 128, 1), 0);
    CHECK_OK(clrs_view_reshape(&named, &(clrs_shape){2, {15, 16}}, &error), error);
    list(4);
    CHECK_OK(choose(false), error);
    assert_int_equal(cut.unit_bits, 8 * alignment);
    assert_int_equal(cut.address.digit_count, 2);
    assert_int_equal(cut.address.digits[0].stride * alignment, 128 * 4);
    assert_int_equal(cut.address.digits[1].stride * alignment, 16 * 4);
  }
}

/* Blocks of 16 bytes are written if the written buffer is aligned to blocks, and the read buffer to
 * words of 4 bytes. */
TEST(blocks_are_written_if_both_sides_are_aligned) {
  static const struct {
    uint32_t read, written;
    bool takes;
  } rows[] = {{4, 16, true}, {16, 4, false}, {2, 16, false}, {16, 2, false}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    const bool scatters = i % 2 == 1;
    alignments[scatters ? CLRS_LISTED : CLRS_NAMED] = rows[i / 2].read;
    alignments[scatters ? CLRS_NAMED : CLRS_LISTED] = rows[i / 2].written;
    named = view_strided(CLRS_U8, 2, LIST(9, 1024), NULL, 0);
    list(5);
    limits.execution = CLRS_EXECUTION_GPU;
    CHECK_OK(choose(scatters), error);
    assert_int_equal(cut.wide_destination, rows[i / 2].takes);
  }
}

/* ---- loops, or none ---- */

static void require_loops(bool has_loops) {
  assert_int_equal(choose(false), has_loops ? CLRS_OK : CLRS_UNSUPPORTED);
}

/* Behind the axis the bits of a position in the opposite order, each a loop. Indices are another
 * loop, and a row has a single unit. */
TEST(more_loops_than_arguments_hold_are_none) {
  enum { ROOM = CLRS__INDEXED_NEST_AXES };
  for (uint32_t bits = ROOM - 4; bits <= ROOM; bits++) {
    int64_t dims[CLRS_MAX_RANK] = {3}, strides[CLRS_MAX_RANK] = {FAR(20)};
    for (uint32_t i = 0; i < bits; i++) {
      dims[1 + i] = 2;
      strides[1 + i] = 2 * FAR(i);
    }
    named = view_strided(CLRS_U8, 1 + bits, dims, strides, 0);
    list(5);
    require_loops(bits + 2 <= ROOM);
  }
}

/* Dims in the opposite order as a single axis: a place is split into as many digits. */
TEST(more_digits_than_arguments_hold_are_none) {
  for (uint32_t digits = 2; digits <= CLRS_INDEX_DIGITS + 2; digits++) {
    int64_t dims[CLRS_MAX_RANK], strides[CLRS_MAX_RANK], places = 1;
    for (uint32_t i = 0; i < digits; i++) {
      dims[i] = 3;
      strides[i] = places;
      places *= 3;
    }
    named = view_strided(CLRS_U8, digits, dims, strides, 0);
    CHECK_OK(clrs_view_reshape(&named, &(clrs_shape){1, {places}}, &error), error);
    list(5);
    require_loops(digits <= CLRS_INDEX_DIGITS);
  }
}

TESTS(NULL, NULL)
