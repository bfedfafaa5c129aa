/*
 * Views cut into blocks: depth_to_space, space_to_depth, channel shuffle, batch_to_space and
 * space_to_batch. Checked element by element against the index formulas of the standards, on
 * sources of any layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"
#include "harness/oracle_moves.h"
#include "harness/rng.h"

enum { CASES = 400 };

typedef struct subject {
  clrs_view view;
  oracle expected;
} subject;

/* A tensor of that shape in a random layout. */
static subject subject_of(test_rng *rng, const clrs_shape *shape) {
  subject made;
  clrs_error error;
  const clrs_layout layout = layout_random_of_shape(rng, CLRS_F32, shape, true, 3);
  CHECK_OK(clrs_view_from_layout(&layout, &made.view, &error), error);
  made.expected = oracle_from_layout(&layout);
  return made;
}

static void require_same(subject *made, uint64_t seed) {
  const char *why = "";
  CHECK_SEEDED(view_matches(&made->view, &made->expected, &why), seed, "%s", why);
  oracle_free(&made->expected);
}

static clrs_shape spatial_shape(test_rng *rng, int64_t channels, int64_t factor) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 3, 5)};
  shape.dims[0] = rng_between(rng, 0, 9) ? rng_between(rng, 1, 3) : 0;
  shape.dims[1] = channels;
  for (uint32_t d = 2; d < shape.rank; d++)
    shape.dims[d] = rng_between(rng, 1, 3) * factor;
  return shape;
}

TEST(depth_becomes_space) {
  for (uint64_t seed = test_seed(1000); seed < test_seed(1000) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    const int64_t block = rng_between(&rng, 1, 3);
    const clrs__block_order order = (clrs__block_order)rng_between(&rng, 0, 1);
    clrs_shape shape = spatial_shape(&rng, rng_between(&rng, 1, 3), 1);
    for (uint32_t d = 2; d < shape.rank; d++)
      shape.dims[1] *= block;
    subject made = subject_of(&rng, &shape);
    CHECK_OK(clrs__view_depth_to_space(&made.view, block, order, &error), error);
    oracle_depth_to_space(&made.expected, block, order);
    require_same(&made, seed);
  }
}

TEST(space_becomes_depth) {
  for (uint64_t seed = test_seed(2000); seed < test_seed(2000) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    const int64_t block = rng_between(&rng, 1, 3);
    const clrs__block_order order = (clrs__block_order)rng_between(&rng, 0, 1);
    const clrs_shape shape = spatial_shape(&rng, rng_between(&rng, 1, 4), block);
    subject made = subject_of(&rng, &shape);
    CHECK_OK(clrs__view_space_to_depth(&made.view, block, order, &error), error);
    oracle_space_to_depth(&made.expected, block, order);
    require_same(&made, seed);
  }
}

TEST(channels_are_shuffled) {
  for (uint64_t seed = test_seed(3000); seed < test_seed(3000) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    const int64_t groups = rng_between(&rng, 1, 4);
    clrs_shape shape = {.rank = (uint32_t)rng_between(&rng, 1, 4)};
    const int64_t axis = rng_between(&rng, 0, (int64_t)shape.rank - 1);
    for (uint32_t d = 0; d < shape.rank; d++)
      shape.dims[d] = rng_between(&rng, 1, 4) * (d == axis ? groups : 1);
    subject made = subject_of(&rng, &shape);
    CHECK_OK(clrs__view_channel_shuffle(&made.view, axis - (rng_percent(&rng, 50) ? shape.rank : 0),
                                        groups, &error),
             error);
    oracle_channel_shuffle(&made.expected, axis, groups);
    require_same(&made, seed);
  }
}

typedef struct batch_case {
  clrs_shape shape;
  int64_t blocks[CLRS_MAX_RANK];
} batch_case;

/* `in_batch`: the blocks are in the batch, else in the other dims. */
static batch_case batch_case_random(test_rng *rng, bool in_batch) {
  batch_case drawn = {.shape = {.rank = (uint32_t)rng_between(rng, 2, 5)}, .blocks = {1}};
  drawn.shape.dims[0] = rng_between(rng, 0, 9) ? rng_between(rng, 1, 3) : 0;
  for (uint32_t d = 1; d < drawn.shape.rank; d++) {
    const int64_t block = rng_between(rng, 1, 3);
    drawn.blocks[d] = block;
    drawn.shape.dims[d] = rng_between(rng, 1, 3) * (in_batch ? 1 : block);
    drawn.shape.dims[0] *= in_batch ? block : 1;
  }
  return drawn;
}

TEST(batch_becomes_space) {
  for (uint64_t seed = test_seed(4000); seed < test_seed(4000) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    const batch_case drawn = batch_case_random(&rng, true);
    subject made = subject_of(&rng, &drawn.shape);
    CHECK_OK(clrs__view_batch_to_space(&made.view, drawn.shape.rank, drawn.blocks, &error), error);
    oracle_batch_to_space(&made.expected, drawn.blocks);
    require_same(&made, seed);
  }
}

TEST(space_becomes_batch) {
  for (uint64_t seed = test_seed(5000); seed < test_seed(5000) + CASES; seed++) {
    test_rng rng = rng_start(seed);
    const batch_case drawn = batch_case_random(&rng, false);
    subject made = subject_of(&rng, &drawn.shape);
    CHECK_OK(clrs__view_space_to_batch(&made.view, drawn.shape.rank, drawn.blocks, &error), error);
    oracle_space_to_batch(&made.expected, drawn.blocks);
    require_same(&made, seed);
  }
}

TESTS(NULL, NULL)
