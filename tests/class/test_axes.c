/*
 * Parts of axes: the divisors and the nearly equal parts that classes cut extents into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/axes.h"
#include "harness/check.h"

#include "class/axes.h"
#include "class/tuning.h"

TEST(the_largest_divisor_is_found) {
  for (int64_t number = 1; number <= 200; number++)
    for (int64_t most = 1; most <= 220; most++) {
      const int64_t found = clrs__largest_divisor(number, most);
      assert_true(found <= most && number % found == 0);
      for (int64_t larger = found + 1; larger <= most; larger++)
        assert_true(number % larger != 0);
    }
}

/* As in axes.h. 931 is 58 times 16 and 3: neither 59 parts nor 60 to 66 have a last part of 4. */
TEST(parts_are_equal_if_the_last_is_large_enough) {
  static const struct {
    int64_t extent, most, least, part;
  } rows[] = {{100, 32, 8, 25}, {101, 32, 8, 26}, {32, 32, 8, 32}, {7, 32, 8, 7},
              {33, 32, 16, 17}, {931, 16, 4, 16}, {65, 32, 16, 22}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_int_equal(clrs__equal_part(rows[i].extent, rows[i].most, rows[i].least), rows[i].part);
}

/* A part is never too large. The last part is too small only if all tried numbers of parts leave a
 * small part, and then there are as few parts as possible. */
TEST(parts_are_too_small_only_where_none_is_better) {
  int64_t small = 0;
  for (int64_t extent = 1; extent <= 2000; extent++)
    for (int64_t most = 8; most <= 32; most += 8) {
      const int64_t part = clrs__equal_part(extent, most, 4), fewest = (extent + most - 1) / most;
      assert_true(part >= 1 && part <= most);
      if (extent % part == 0 || extent % part >= 4)
        continue;
      small++;
      for (int64_t parts = fewest; parts < fewest + CLRS__EQUAL_PART_TRIALS; parts++) {
        const int64_t other = (extent + parts - 1) / parts;
        assert_true(extent % other != 0 && extent % other < 4);
      }
      assert_int_equal((extent + part - 1) / part, fewest);
    }
  assert_true(small > 0);
}

TEST(all_parts_but_the_last_are_wholes) {
  assert_int_equal(clrs__part_of_wholes(97, 40, 16), 32);
  for (int64_t extent = 1; extent <= 300; extent++)
    for (int64_t whole = 1; whole <= 16; whole++)
      for (int64_t most = whole; most <= 64; most++) {
        const int64_t part = clrs__part_of_wholes(extent, most, whole);
        assert_true(part > 0 && part <= most && part % whole == 0);
      }
}

/* A run is the last axis, if a step of it is a step of one on both sides. Otherwise a run of one
 * unit is added. */
TEST(the_last_axis_becomes_a_run) {
  static const struct {
    size_t count;
    test_axis axes[2];
    uint32_t runs;
  } rows[] = {{0, {{0}}, 1},
              {1, {{5, 1, 1}}, 1},
              {1, {{5, 2, 1}}, 2},
              {1, {{5, 1, 2}}, 2},
              {2, {{3, 5, 8}, {5, 1, 1}}, 2},
              {2, {{5, 1, 1}, {3, 5, 0}}, 3}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs__nest nest = nest_of_axes(rows[i].count, rows[i].axes);
    nest.axes[rows[i].count] = axis_of(9, 1, 1); /* not an axis of the nest */
    clrs__end_in_run(&nest);
    assert_int_equal(nest.axis_count, rows[i].runs);
    const clrs__nest_axis *last = &nest.axes[nest.axis_count - 1];
    assert_true(last->extent == 1 || (last->source_stride == 1 && last->destination_stride == 1));
    assert_int_equal(last->extent == 1, rows[i].runs > rows[i].count);
  }
}

/* Axes of 12, 5 and 7 steps. 4 of the 12 are marked 1, the rest keeps the mark of the axis, and so
 * does the part. */
TEST(axes_are_marked_in_parts) {
  const int64_t far = INT64_MAX / 4;
  const clrs__nest nest = nest_of_axes(AXES({12, far, 1}, {5, 7, 12}, {7, 1, 60}));
  clrs__marked_nest marked;
  clrs__nest found = {.operand_count = 2};
  memset(&marked, 0xff, sizeof marked);
  clrs__marked_start(&nest, &marked);
  clrs__append_marked(&marked, 0xff, 0, &found);
  assert_int_equal(found.axis_count, 3);
  assert_memory_equal(found.axes, nest.axes, 3 * sizeof nest.axes[0]);
  assert_false(clrs__mark(&marked, 0, 6, 8)); /* a step that does not fit in 64 bits */
  assert_true(clrs__mark(&marked, 0, 12, 2)); /* whole */
  assert_true(clrs__mark(&marked, 2, 7, 4));
  assert_true(clrs__mark(&marked, 0, 4, 1)); /* a part */
  static const uint8_t marks[] = {2, 3, 0, 4};
  const clrs__nest parts = nest_of_axes(AXES({3, 4 * far, 4}, {4, far, 1}, {5, 7, 12}, {7, 1, 60}));
  assert_int_equal(marked.nest.axis_count, 4);
  assert_memory_equal(marked.marks, marks, sizeof marks);
  assert_memory_equal(marked.nest.axes, parts.axes, 4 * sizeof parts.axes[0]);
  found.axis_count = 0;
  clrs__append_marked(&marked, 3, 2, &found); /* not the part, which has mark 1 too */
  clrs__append_marked(&marked, 2, 0, &found);
  const clrs__nest chosen = nest_of_axes(AXES({3, 4 * far, 4}, {5, 7, 12}, {7, 1, 60}));
  assert_int_equal(found.axis_count, 3);
  assert_memory_equal(found.axes, chosen.axes, 3 * sizeof chosen.axes[0]);
}

TESTS(NULL, NULL)
