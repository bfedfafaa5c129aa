/*
 * Units under a byte at any position: a work-item owns each block of bytes of the destination. The
 * class subbyte, of both executions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "axes.h"
#include "checked.h"
#include "tuning.h"

/* Orders the destination by byte. Axes that leave at least a byte free between their steps are
 * outer axes. The kernel computes the digits of inner axes from a position by division. One
 * division per axis suffices if each axis steps over all units inside it. */
static void find_spans(clrs__cut *cut) {
  const clrs__nest *nest = &cut->nest;
  const int64_t units_per_byte = 8 / (int64_t)cut->unit_bits;
  int64_t span = 0;
  cut->as.bytes.outer_axis_count = nest->axis_count;
  for (uint32_t i = nest->axis_count; i > 0;) {
    i--;
    const clrs__nest_axis *axis = &nest->axes[i];
    const int64_t gap = axis->destination_stride - span;
    cut->as.bytes.interleaves = cut->as.bytes.interleaves || gap < 1;
    span = clrs__exact_multiply_add(span, axis->extent - 1, axis->destination_stride);
    if (gap < units_per_byte) {
      cut->as.bytes.outer_axis_count = i;
      cut->as.bytes.span = span;
    }
  }
}

/* The most blocks that a span can touch. A span may begin anywhere in a block. Example: a span of
 * one unit lies in one block, a span of two units in up to two. */
static int64_t blocks_per_span(const clrs__cut *cut) {
  const int64_t block = clrs__block_units(cut->unit_bits);
  return (cut->as.bytes.span + 2 * block - 1) / block;
}

/* Returns true if both sides have runs of at least two blocks. */
static bool has_runs(const clrs__job *job) {
  if (job->from != CLRS__FROM_SOURCE || job->nest.axis_count == 0) {
    return false;
  }
  const clrs__nest_axis *last = &job->nest.axes[job->nest.axis_count - 1];
  return last->source_stride == 1 && last->destination_stride == 1 &&
         last->extent / 2 >= clrs__block_units(job->unit_bits);
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  (void)clrs__cut_take_blocks(job, cut);
  cut->kind = CLRS__CUT_BYTES;
  find_spans(cut);
  cut->work = clrs__exact_multiply(clrs__nest_repeats(&cut->nest, cut->as.bytes.outer_axis_count),
                                   blocks_per_span(cut));
  cut->share = clrs__is_for_cpu(job)
                   ? clrs__clamp(CLRS__SUBBYTE_ITEM_BYTES / CLRS_BLOCK_BYTES, 1, cut->work)
                   : 0;
  cut->merit =
      !clrs__is_for_cpu(job) && has_runs(job) ? CLRS__GPU_SUBBYTE_RUNS_MERIT : CLRS__SUBBYTE_MERIT;
  return true;
}

/* Encodes outer axes with the fastest first, then inner axes with the slowest first. */
static void encode(const clrs__cut *cut, clrs__words *words) {
  const uint32_t outer = cut->as.bytes.outer_axis_count;
  clrs__nest nest;
  clrs__nest_copy(&nest, &cut->nest);
  for (uint32_t i = 0; i < outer; i++) {
    nest.axes[i] = cut->nest.axes[outer - 1 - i];
  }
  clrs__encode_axes(cut, &nest, words);
  words->outer_axis_count = outer;
  words->span_units = cut->as.bytes.span;
  words->blocks_per_span = words->span_divisor = blocks_per_span(cut);
  for (uint32_t i = outer; i < cut->nest.axis_count; i++) {
    words->axes[i].divisor = cut->nest.axes[i].destination_stride;
  }
}

const clrs__class clrs__subbyte = {.name = "subbyte",
                                   .needs = "elements of less than a byte",
                                   .execution = CLRS_EXECUTION_AUTO,
                                   .unit_widths = 1 | 2 | 4,
                                   .from = CLRS__FROM_SOURCE | CLRS__FROM_STACK | CLRS__FROM_VALUE,
                                   .own = CLRS__OWN_SPAN,
                                   .best = CLRS__GPU_SUBBYTE_RUNS_MERIT,
                                   .files = {"blocks"},
                                   .fit = fit,
                                   .encode = encode};
