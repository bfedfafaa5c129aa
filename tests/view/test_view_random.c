/*
 * Random chains of movement operations: after every operation the view must denote exactly the
 * positions of the oracle, and clrs_view_layout must say yes only where strides really exist.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/chain.h"
#include "harness/tensors.h"

enum { MAX_STEPS = 8, MAX_COUNT = 1500, TEXT = 2000 };

typedef struct chain_case {
  uint64_t seed;
  clrs_view view;
  oracle expected;
  char text[TEXT];
} chain_case;

typedef struct chain_tally {
  int64_t views, aliases, missed, limits, deepest;
  int64_t depth[CLRS_MAX_DEPTH + 1];
} chain_tally;

static void chain_begin(chain_case *c, test_rng *rng) {
  const layout_wish wish = {5, 12, 200, 1, true};
  const clrs_layout drawn = layout_random(rng, CLRS_F32, &wish, rng_between(rng, -50, 50));
  const clrs_shape shape = {drawn.rank, {0}};
  clrs_shape dims = shape;
  memcpy(dims.dims, drawn.dims, sizeof dims.dims);
  clrs_layout layout;
  CHECK_OK(clrs_layout_init(drawn.dtype, &dims, drawn.strides, drawn.offset, &layout, &error),
           error);
  c->expected = oracle_from_layout(&drawn);
  print_layout(&layout, c->text, sizeof c->text);
  CHECK_OK(clrs_view_from_layout(&layout, &c->view, &error), error);
}

/* A yes must come with the right positions. Counts a no if strides exist. */
static void check_verdict(const chain_case *c, chain_tally *tally) {
  clrs_error error = {0};
  clrs_layout layout;
  int64_t strides[CLRS_MAX_RANK];
  const clrs_status status = clrs_view_layout(&c->view, &layout, &error);
  const bool exists = oracle_strides(&c->expected, strides);
  tally->views++;
  tally->aliases += status == CLRS_OK;
  tally->missed += exists && status != CLRS_OK;
  if (status == CLRS_OK) {
    CHECK_SEEDED(layout.dtype == c->view.dtype, c->seed, "%s", c->text);
    CHECK_SEEDED(layout_matches(&layout, &c->expected), c->seed, "false alias: %s", c->text);
    return;
  }
  CHECK_SEEDED(status == CLRS_WOULD_COPY && error.message[0], c->seed, "%s gave %s", c->text,
               clrs_status_name(status));
}

/* Every position is inside the bounds, and for a single walk the bounds are touched. */
static void check_bounds(const chain_case *c) {
  clrs_bounds bounds;
  int64_t lowest, highest;
  CHECK_OK(clrs_view_bounds(&c->view, &bounds, &error), error);
  oracle_range(&c->expected, &lowest, &highest);
  CHECK_SEEDED(bounds.empty == (c->expected.count == 0), c->seed, "%s", c->text);
  if (bounds.empty)
    return;
  CHECK_SEEDED(bounds.lowest <= lowest && bounds.highest >= highest, c->seed, "%s", c->text);
  if (c->view.depth == 1)
    CHECK_SEEDED(bounds.lowest == lowest && bounds.highest == highest, c->seed, "%s", c->text);
}

static void check_view(const chain_case *c) {
  const char *why = NULL;
  CHECK_SEEDED(view_matches(&c->view, &c->expected, &why), c->seed, "%s: %s", why, c->text);
}

/* False if the chain met a documented limit. The view must then be unchanged. */
static bool chain_step(chain_case *c, test_rng *rng, chain_tally *tally) {
  clrs_error error = {0};
  const clrs_view before = c->view;
  const move step = move_random(rng, &c->view.shape, MAX_COUNT);
  const size_t used = strlen(c->text);
  (void)snprintf(c->text + used, sizeof c->text - used, " ");
  move_print(&step, c->text + used + 1, sizeof c->text - used - 1);
  const clrs_status status = move_apply_view(&step, &c->view, &error);
  if (status == CLRS_LIMIT_EXCEEDED) {
    assert_memory_equal(&before, &c->view, sizeof before);
    tally->limits++;
    return false;
  }
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s %s", c->text, clrs_status_name(status),
               error.message);
  move_apply_oracle(&step, &c->expected);
  return true;
}

static void run_chain(uint64_t seed, chain_tally *tally) {
  test_rng rng = rng_start(seed);
  chain_case c = {.seed = seed};
  chain_begin(&c, &rng);
  check_view(&c);
  const int64_t steps = rng_between(&rng, 1, MAX_STEPS);
  for (int64_t i = 0; i < steps && chain_step(&c, &rng, tally); i++) {
    check_view(&c);
    check_bounds(&c);
    check_verdict(&c, tally);
  }
  tally->depth[c.view.depth]++;
  oracle_free(&c.expected);
}

TEST(random_chains_denote_the_positions_of_the_oracle) {
  chain_tally tally = {0};
  const uint64_t seed = test_seed(1000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++)
    run_chain(seed + (uint64_t)i, &tally);
  print_message("%lld chains, %lld views: %lld aliases, %lld aliases missed, %lld over a limit\n",
                (long long)cases, (long long)tally.views, (long long)tally.aliases,
                (long long)tally.missed, (long long)tally.limits);
  for (int d = 0; d <= CLRS_MAX_DEPTH; d++)
    print_message("  final depth %d: %lld\n", d, (long long)tally.depth[d]);
  assert_true(tally.missed * 20000 <= tally.views); /* 0.005 % */
  assert_true(tally.limits * 1000 <= cases);
}

/* A reshape of a layout: here the answer must be exact in both directions. */
static void run_reshape(uint64_t seed, chain_tally *tally) {
  const layout_wish wish = {6, 12, 400, 1, true};
  test_rng rng = rng_start(seed);
  chain_case c = {.seed = seed};
  const clrs_layout layout = layout_random(&rng, CLRS_U8, &wish, rng_between(&rng, -9, 9));
  c.expected = oracle_from_layout(&layout);
  const clrs_shape shape = shape_random_of_count(&rng, c.expected.count);
  print_layout(&layout, c.text, sizeof c.text);
  CHECK_OK(clrs_view_from_layout(&layout, &c.view, &error), error);
  CHECK_OK(clrs_view_reshape(&c.view, &shape, &error), error);
  oracle_reshape(&c.expected, &shape);
  check_view(&c);
  check_bounds(&c);
  assert_true(c.view.depth <= 1);
  const int64_t missed = tally->missed;
  check_verdict(&c, tally);
  CHECK_SEEDED(tally->missed == missed, seed, "strides exist: %s", c.text);
  oracle_free(&c.expected);
}

TEST(a_reshape_of_a_layout_is_a_view_exactly_when_strides_exist) {
  chain_tally tally = {0};
  const uint64_t seed = test_seed(5000000);
  const int64_t cases = test_cases(20000);
  for (int64_t i = 0; i < cases; i++)
    run_reshape(seed + (uint64_t)i, &tally);
  print_message("%lld reshapes: %lld aliases\n", (long long)tally.views, (long long)tally.aliases);
  if (cases >= 1000) { /* the test must have seen both answers often */
    assert_true(tally.aliases * 10 > tally.views);
    assert_true(tally.aliases * 10 < tally.views * 9);
  }
}

TESTS(NULL, NULL)
