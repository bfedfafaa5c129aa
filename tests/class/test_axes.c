/*
 * Parts of axes: the divisors and the nearly equal parts that classes cut extents into.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
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

TESTS(NULL, NULL)
