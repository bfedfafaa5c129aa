/*
 * Medians, percentiles and geometric means, by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "bench/stats.h"

static void expect_near(double found, double expected) {
  if (!(found > expected * (1 - 1e-12) && found < expected * (1 + 1e-12)))
    fail_msg("%.17g, not %.17g", found, expected);
}

TEST(a_median_is_in_the_middle) {
  double odd[] = {5, 1, 9}, even[] = {8, 2, 4, 1}, one[] = {7};
  const bench_spread of_odd = bench_spread_of(3, odd), of_even = bench_spread_of(4, even);
  const bench_spread of_one = bench_spread_of(1, one);
  expect_near(of_odd.median, 5);
  expect_near(of_odd.least, 1);
  expect_near(of_even.median, 3); /* between 2 and 4 */
  expect_near(of_even.least, 1);
  expect_near(of_one.median, 7);
}

TEST(a_percentile_is_one_of_the_values) {
  double values[100], few[] = {3, 1, 2};
  for (int i = 0; i < 100; i++)
    values[i] = 100 - i;
  expect_near(bench_percentile(100, values, 5), 6); /* 1 to 5 lie below */
  expect_near(bench_percentile(100, values, 99), 100);
  expect_near(bench_percentile(3, few, 5), 1); /* the least, for few samples */
}

TEST(a_geometric_mean_is_the_root_of_the_product) {
  const double values[] = {2, 8}, three[] = {1, 10, 100};
  expect_near(bench_geomean(2, values), 4);
  expect_near(bench_geomean(3, three), 10);
  assert_true(bench_geomean(0, NULL) == 0);
}

TEST(the_clock_runs_forward) {
  const double before = bench_now();
  assert_true(before > 0 && bench_now() >= before);
}

TESTS(NULL, NULL)
