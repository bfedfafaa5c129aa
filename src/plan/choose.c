/*
 * Chooses the cut of a nest of elements: the unit that the kernel moves, the width of its index
 * arithmetic, and the kernel class. Each class of the execution is asked, or only the required
 * class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "choose.h"

#include "axes.h"
#include "checked.h"
#include "dtype.h"
#include "table.h"
#include "unit_width.h"
#include "view.h"
#include "work_size.h"

/* ---- index arithmetic ---- */

static uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* The largest reach of a level of a stack, or `largest`. The lowest offset is always added in 64
 * bits. */
static uint64_t largest_level(const clrs_view *stack, uint64_t largest) {
  for (uint32_t level = 0; level < stack->depth; level++) {
    clrs__walk walk;
    clrs__view_level(stack, level, &walk);
    uint64_t span = level == 0 ? 0 : clrs__magnitude(walk.offset);
    for (uint32_t i = 0; i < walk.axis_count; i++) {
      clrs__add_span(&span, walk.axes[i].extent, walk.axes[i].stride);
    }
    largest = larger(largest, span);
  }
  return largest;
}

/* The largest number in the kernel's index arithmetic. The starts of both sides are always added in
 * 64 bits. */
static uint64_t largest_index(const clrs__job *job) {
  const clrs__nest *nest = &job->nest;
  uint64_t largest = larger((uint64_t)clrs__nest_count(nest), (uint64_t)job->address.extent);
  for (uint32_t operand = 0; operand < nest->operand_count; operand++) {
    uint64_t span = clrs__axes_span(nest->axes, nest->axis_count, operand);
    for (uint32_t i = 0; i < job->address.digit_count && operand == CLRS_NAMED; i++) {
      clrs__add_span(&span, job->address.digits[i].extent, job->address.digits[i].stride);
    }
    largest = larger(largest, span);
  }
  return job->stack != NULL ? largest_level(job->stack, largest) : largest;
}

/* ---- from elements to a job ---- */

/* Moves the axis of neighbours on both sides to the end. A kernel moves the axis as a row. A nest
 * has at most one, because no two elements share a place of the written side. */
static void put_run_last(clrs__nest *nest) {
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    if (nest->axes[i].source_stride == 1 && nest->axes[i].destination_stride == 1) {
      clrs__move_axis(nest, i, nest->axis_count - 1);
    }
  }
}

/* A nest is in the order of the destination. A scatter is in the order of the source, so the sides
 * are exchanged. */
static void turn_scatter(clrs__job *job) {
  const uint32_t alignment = job->source_alignment;
  job->source_alignment = job->destination_alignment;
  job->destination_alignment = alignment;
  clrs__nest_swap_sides(&job->nest);
}

static clrs_status make_job(const clrs__pass *pass, const clrs__nest *elements, clrs__job *job,
                            clrs_error *error) {
  const bool is_only = pass->count == 1;
  job->from = pass->from;
  job->msb_first = clrs__dtype_is_msb_first(pass->move->destination.view->dtype);
  job->limits = pass->limits;
  job->stack = pass->stack;
  job->address = pass->address != NULL ? *pass->address : (clrs__address){0};
  clrs__nest_copy(&job->nest, elements);
  CLRS_TRY(clrs__job_choose_unit(pass->move, job, pass->position == 0 ? pass->stack : NULL, error));
  const clrs__class_number required = clrs__class_named(pass->limits->required_class);
  const bool stays_under_byte =
      required == CLRS__CLASS_SUBBYTE || required == CLRS__CLASS_CPU_SUBBYTE;
  if (pass->address != NULL) {
    put_run_last(&job->nest);
  }
  if ((pass->stack == NULL || is_only) && !stays_under_byte) {
    clrs__job_widen_unit(job, pass->stack);
  }
  /* The slack is for kernels that write blocks, which also look at the other units of the last
   * block. */
  const bool is_small = largest_index(job) < (uint64_t)INT32_MAX - 512;
  job->index_bits = is_small && pass->limits->min_index_bits == 32 ? 32 : 64;
  if (job->address.key.scatters) {
    turn_scatter(job);
  }
  return CLRS_OK;
}

/* ---- from a job to the best cut ---- */

static clrs_status fail_required(const clrs__job *job, clrs_error *error) {
  const clrs__class *required = clrs__class_of(clrs__class_named(job->limits->required_class));
  const char *does = job->from == CLRS__FROM_VALUE   ? "fills"
                     : job->from == CLRS__FROM_STACK ? "follows a stack of walks for"
                                                     : "moves";
  return clrs__fail(
      error, CLRS_UNSUPPORTED,
      "class %s is required, which needs %s; this launch %s %u-bit units along %u axes",
      required->name, required->needs, does, job->unit_bits, job->nest.axis_count);
}

/* In each execution, some class accepts any job. */
static void find_best(const clrs__job *job, clrs__cut *best) {
  const clrs_execution here = clrs__is_for_cpu(job) ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  clrs__cut answer;
  best->merit = 0;
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    const clrs__class *asked = clrs__classes[c];
    const bool is_here = asked->execution == CLRS_EXECUTION_AUTO || asked->execution == here;
    if (is_here && asked->best > best->merit &&
        clrs__class_ask((clrs__class_number)c, job, false, &answer) && answer.merit > best->merit) {
      clrs__cut_copy(best, &answer);
    }
  }
}

static clrs_status check_axis_room(const clrs__cut *cut, clrs_error *error) {
  if (clrs__cut_axis_count(cut) > clrs__cut_nest_room(cut) ||
      cut->level_axes > clrs__cut_level_room(cut)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the move needs a nest of %u axes over a stack of %u; in %u-bit arithmetic a "
                      "kernel takes %u and %u",
                      cut->nest.axis_count, cut->level_axes, cut->index_bits,
                      clrs__cut_nest_room(cut), clrs__cut_level_room(cut));
  }
  return CLRS_OK;
}

clrs_status clrs__choose_cut(const clrs__pass *pass, const clrs__nest *elements, clrs__cut *cut,
                             clrs_error *error) {
  const clrs__class_number required = clrs__class_named(pass->limits->required_class);
  clrs__job job;
  CLRS_TRY(make_job(pass, elements, &job, error));
  if (required == CLRS__CLASS_ANY || pass->from == CLRS__BY_INDEX) {
    find_best(&job, cut);
  } else if (!clrs__class_ask(required, &job, true, cut)) {
    return fail_required(&job, error);
  }
  clrs__cut_limit_items(pass->limits, cut);
  return check_axis_room(cut, error);
}
