/*
 * Random operations, printed, parsed and applied: the view must show the elements that the oracle
 * lists. The host copies the elements from the view.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"

enum { MOST_STEPS = 8, MOST_COUNT = 1500, STORAGE = 1 << 16, TEXT = 600 };

typedef struct chain_case {
  uint64_t seed;
  clrs_view view;
  oracle expected;
  int64_t storage[STORAGE]; /* the value of each element is the position */
  int64_t shown[MOST_COUNT];
} chain_case;

/* False if the storage is too small for the layout. */
static bool begin(chain_case *c, test_rng *rng) {
  const layout_wish wish = {5, 9, 200, 1, true};
  clrs_layout layout = layout_random(rng, CLRS_I64, &wish, 0);
  const clrs_bounds bounds = bounds_of(&layout);
  clrs_error error;

  const int64_t shift = rng_between(rng, 0, 5) - bounds.lowest;
  if (bounds.highest + shift >= STORAGE)
    return false;
  layout.offset += shift;
  CHECK_OK(clrs_view_from_layout(&layout, &c->view, &error), error);
  c->expected = oracle_from_layout(&layout);
  return true;
}

static void check_elements(chain_case *c, const char *text) {
  clrs_error error = {0};
  const size_t size = (size_t)c->expected.count * sizeof(int64_t);
  const clrs_status status =
      clrs_view_copy_host(&c->view, c->storage, sizeof c->storage, c->shown, size, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s", text, error.message);
  CHECK_SEEDED(clrs_shape_equal(&c->view.shape, &c->expected.shape), c->seed, "%s", text);
  CHECK_SEEDED(memcmp(c->shown, c->expected.positions, size) == 0, c->seed, "%s", text);
}

/* Without axes these operations have no text. */
static bool has_text(const move *step) {
  return step->count > 0 ||
         (step->kind != MOVE_UNSQUEEZE && step->kind != MOVE_FLIP && step->kind != MOVE_SLICE);
}

/* The oracle slices as ONNX does, which clamps the start of a backward slice to the first element.
 * In text, which follows Python, that start is 0. */
static void clamp_starts(move *step, const clrs_shape *shape) {
  for (uint32_t i = 0; step->kind == MOVE_SLICE && i < step->count; i++) {
    clrs_slice *slice = &step->slices[i];
    if (slice->step < 0 && slice->start < -shape->dims[slice->axis])
      slice->start = 0;
  }
}

static bool step_on(chain_case *c, test_rng *rng) {
  move step = move_random(rng, &c->view.shape, MOST_COUNT);
  clamp_starts(&step, &c->view.shape);
  const clrs_rules rules = move_rules(&step);
  char text[TEXT];
  clrs_chain chain;
  clrs_error error = {0};
  if (!has_text(&step))
    return true;
  move_print(&step, text, sizeof text);
  CHECK_SEEDED(clrs_chain_parse(text, &chain, &error) == CLRS_OK, c->seed, "%s: %s", text,
               error.message);
  const clrs_status status = clrs_chain_apply(&chain, &rules, &c->view, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_LIMIT_EXCEEDED, c->seed, "%s: %s", text,
               error.message);
  if (status != CLRS_OK)
    return false;
  move_apply_oracle(&step, &c->expected);
  check_elements(c, text);
  return true;
}

TEST(printed_operations_show_the_elements_of_the_oracle) {
  static chain_case c;
  const uint64_t seed = test_seed(7000);
  const int64_t cases = test_cases(5000);
  int64_t run = 0;
  for (int64_t i = 0; i < STORAGE; i++)
    c.storage[i] = i;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    c.seed = seed + (uint64_t)i;
    if (!begin(&c, &rng))
      continue;
    run++;
    for (int64_t left = rng_between(&rng, 1, MOST_STEPS); left > 0 && step_on(&c, &rng); left--)
      ;
    oracle_free(&c.expected);
  }
  print_message("%lld of %lld chains\n", (long long)run, (long long)cases);
  assert_true(run * 10 >= cases * 9);
}

TESTS(NULL, NULL)
