/*
 * Promises of every class, independent of tuning: random nests, each cut by every class that
 * accepts the nest, on both executions. The words for the kernel are carried out on paper, piece by
 * piece as kernels/shared.h defines the words, and move each unit of the nest exactly once. A chunk
 * is no larger than the kernel has room for, and every word fits the width of the index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "asked.h"

/* ---- cases ---- */

/* Two transposed short axes, and a long axis with an extent of few divisors now and then. As rows
 * the long axis exceeds a chunk's rows of 64 bits. */
static clrs__nest draw_parts(test_rng *rng) {
  const bool has_rows = rng_percent(rng, 40);
  const int64_t a = has_rows ? 3 : rng_between(rng, 2, 7);
  const int64_t b = has_rows ? 3 : rng_between(rng, 2, 7);
  const int64_t most = MOST_UNITS / (a * b);
  const int64_t n = has_rows ? rng_between(rng, 257, most) : rng_between(rng, 1, most);
  if (has_rows)
    return nest_of(AXES({n, 1, a * b}, {a, n, b}, {b, a * n, 1}));
  return rng_percent(rng, 50) ? nest_of(AXES({n, a * b, a * b}, {b, 1, a}, {a, b, 1}))
                              : nest_of(AXES({a, 1, b * n}, {b, a * n, n}, {n, a, 1}));
}

/* Short axes, long rows, and tiles. */
static clrs__nest draw_nest(test_rng *rng) {
  if (rng_percent(rng, 15))
    return draw_parts(rng);
  const int64_t most = rng_percent(rng, 70) ? 9 : 40;
  clrs__nest nest = nest_random(rng, most);
  if (rng_percent(rng, 30)) { /* transposed, even on both sides */
    const int64_t r = rng_between(rng, 1, 22) * 2, c = rng_between(rng, 1, 22) * 2;
    nest = nest_of(AXES({2, r * c, r * c}, {r, 1, c}, {c, r, 1}));
    nest.source_offset = rng_between(rng, 0, 3) * 2;
  }
  return nest;
}

static clrs__job draw_job(test_rng *rng, const clrs_device_limits *limits) {
  const uint32_t bits = 1u << rng_between(rng, 0, 7), bytes = bits < 8 ? 1 : bits / 8;
  clrs__job job = {.unit_bits = bits,
                   .index_bits = rng_percent(rng, 50) ? 32 : 64,
                   .from = rng_percent(rng, 85) ? CLRS__FROM_SOURCE : CLRS__FROM_VALUE,
                   .limits = limits,
                   .source_alignment = bytes << rng_between(rng, 0, 5),
                   .destination_alignment = bytes << rng_between(rng, 0, 5),
                   .nest = draw_nest(rng)};
  for (uint32_t i = 0; job.from == CLRS__FROM_VALUE && i < job.nest.axis_count; i++)
    job.nest.axes[i].source_stride = 0;
  return job;
}

TEST(every_class_moves_each_unit_once) {
  const uint64_t seed = test_seed(820000);
  const int64_t cases = test_cases(4000);
  static tally seen;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = rng_percent(&rng, 50) ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    limits.max_group_items = UINT32_C(64) << i % 3;
    limits.local_bytes = i % 5 == 0 ? 8192 : 32768;
    const clrs__job job = draw_job(&rng, &limits);
    if (nest_units(&job.nest, 0, job.nest.axis_count) <= MOST_UNITS)
      ask_all(&job, seed + (uint64_t)i, &seen);
  }
  print_message("in parts of rows %lld, of columns %lld\n", (long long)seen.row_parts,
                (long long)seen.column_parts);
  assert_true(cases < 4000 || (seen.row_parts >= 10 && seen.column_parts >= 40));
  for (int c = CLRS__CLASS_ANY + 1; cases >= 4000 && c < CLRS__CLASS_COUNT; c++)
    if (c != CLRS__CLASS_COMPOSED && (seen.free[c] < 20 || seen.required[c] < seen.free[c]))
      fail_msg("%s: %lld and %lld times", clrs_class_name((clrs__class_number)c),
               (long long)seen.free[c], (long long)seen.required[c]);
}

/* ---- the table ---- */

/* Every class has a name, which names a kernel file, and needs. Numbers that are not classes have
 * neither. */
TEST(every_class_has_a_row) {
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    const clrs__class *of = clrs__class_of((clrs__class_number)c);
    assert_true(of != NULL && of->name != NULL && of->needs != NULL && of->unit_widths != 0 &&
                of->from != 0 && of->best > 0 && of->fit != NULL && of->encode != NULL);
  }
  assert_null(clrs__class_of(CLRS__CLASS_ANY));
  assert_null(clrs__class_of(CLRS__CLASS_COUNT));
}

TESTS(NULL, NULL)
