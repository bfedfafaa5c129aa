/*
 * Against oneDNN. If dnnl_memory_desc_reshape finds a descriptor for a reshape, clreshape must find
 * a layout with the same strides. oneDNN finds fewer layouts, because oneDNN never looks at merged
 * axes twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <dnnl.h>

#include "harness/chain.h"
#include "harness/tensors.h"

typedef struct tally {
  int64_t asked, yes, ours;
} tally;

/* Positive strides only, because oneDNN has no other strides. Half of the cases keep most of the
 * dims. */
static clrs_layout draw_layout(test_rng *rng) {
  for (;;) {
    const layout_wish wish = {6, 8, 600, 0, false};
    clrs_layout layout = layout_random(rng, CLRS_F32, &wish, 0);
    bool positive = layout.rank > 0;
    for (uint32_t d = 0; d < layout.rank; d++)
      positive = positive && layout.strides[d] > 0;
    if (positive)
      return layout;
  }
}

static clrs_shape draw_target(test_rng *rng, const clrs_layout *layout) {
  clrs_shape target = {.rank = 0};
  int64_t count = 1;
  for (uint32_t d = 0; d < layout->rank; d++)
    count *= layout->dims[d];
  if (rng_percent(rng, 30))
    return shape_random_of_count(rng, count);
  for (uint32_t d = 0; d < layout->rank; d++) {
    const int64_t dim = layout->dims[d];
    const int64_t factor = dim % 2 == 0 ? 2 : dim % 3 == 0 ? 3 : 1;
    if (rng_percent(rng, 15))
      target.dims[target.rank++] = 1;
    if (rng_percent(rng, 25) && target.rank > 0) {
      target.dims[target.rank - 1] *= dim;
    } else if (rng_percent(rng, 30)) {
      target.dims[target.rank++] = dim / factor;
      target.dims[target.rank++] = factor;
    } else {
      target.dims[target.rank++] = dim;
    }
  }
  return target;
}

static bool ask_onednn(const clrs_layout *layout, const clrs_shape *target, int64_t *strides,
                       bool *answered) {
  dnnl_memory_desc_t before, after;
  *answered = dnnl_memory_desc_init_by_strides(&before, (int)layout->rank, layout->dims, dnnl_f32,
                                               layout->strides) == dnnl_success;
  if (!*answered ||
      dnnl_memory_desc_reshape(&after, &before, (int)target->rank, target->dims) != dnnl_success)
    return false;
  assert_int_equal(after.format_kind, dnnl_blocked);
  assert_int_equal(after.format_desc.blocking.inner_nblks, 0);
  for (uint32_t d = 0; d < target->rank; d++)
    strides[d] = after.format_desc.blocking.strides[d];
  return true;
}

static void run_case(uint64_t seed, tally *seen) {
  test_rng rng = rng_start(seed);
  clrs_view view;
  clrs_layout answer;
  char text[300];
  int64_t strides[DNNL_MAX_NDIMS];
  bool answered;
  const clrs_layout layout = draw_layout(&rng);
  const clrs_shape target = draw_target(&rng, &layout);
  if (target.rank == 0 || target.rank > DNNL_MAX_NDIMS)
    return;
  const bool yes = ask_onednn(&layout, &target, strides, &answered);
  print_layout(&layout, text, sizeof text);
  CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
  CHECK_OK(clrs_view_reshape(&view, &target, &error), error);
  const bool ours = clrs_view_layout(&view, &answer, &error) == CLRS_OK;
  seen->asked += answered;
  seen->yes += yes;
  seen->ours += answered && ours;
  CHECK_SEEDED(ours || !yes, seed, "oneDNN has a view: %s", text);
  for (uint32_t d = 0; d < target.rank && yes; d++)
    CHECK_SEEDED(target.dims[d] == 1 || answer.strides[d] == strides[d], seed,
                 "stride %u is %lld, oneDNN has %lld: %s", d, (long long)answer.strides[d],
                 (long long)strides[d], text);
}

TEST(a_view_for_onednn_is_a_view_here) {
  tally seen = {0};
  const uint64_t seed = test_seed(900000);
  const int64_t cases = test_cases(40000);
  for (int64_t i = 0; i < cases; i++)
    run_case(seed + (uint64_t)i, &seen);
  print_message("%lld cases that oneDNN can express: views there %lld, here %lld\n",
                (long long)seen.asked, (long long)seen.yes, (long long)seen.ours);
  if (cases >= 40000)
    assert_true(seen.asked >= 20000 && seen.yes * 5 > seen.asked);
}

TESTS(NULL, NULL)
