/*
 * Any strides on both sides. The classes cpu_any and gpu_any. gpu_any is the reference for all
 * classes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "checked.h"
#include "chunks.h"
#include "tuning.h"

#define NEEDS "units of whole bytes and axes that source and destination share"

/* ---- CPU ---- */

/* Returns true if the columns step in the source, and no other axis steps by less. */
static bool is_nearest(const clrs__nest *nest) {
  const uint64_t step = clrs__magnitude(clrs__chunk_axis(nest, 1)->source_stride);
  bool nearest = step > 1;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++) {
    const uint64_t other = clrs__magnitude(nest->axes[i].source_stride);
    nearest = nearest && (nest->axes[i].extent == 1 || other >= step);
  }
  return nearest;
}

/* Returns true if bytes only change places within pixels, as from RGB to BGR. cpu_short shuffles
 * the bytes of a pixel. */
static bool changes_pixels(const clrs__nest *nest, int64_t unit_bytes) {
  const clrs__nest_axis *row = clrs__chunk_axis(nest, 0), *column = clrs__chunk_axis(nest, 1);
  return unit_bytes == 1 && clrs__magnitude(column->source_stride) == 1 &&
         clrs__magnitude(row->source_stride) / CLRS__SHORT_MOST_SPREAD <= (uint64_t)column->extent;
}

/* Returns true if runs are long and the kernel has a loop for the step. Rows that step are then up
 * to 4 times as fast as by the table of cpu_short. For narrow units this holds only if the compiler
 * knows the step. */
static bool has_good_runs(const clrs__nest *nest, int64_t unit_bytes) {
  const clrs__nest_axis *row = clrs__chunk_axis(nest, 0), *column = clrs__chunk_axis(nest, 1);
  const int64_t short_run = CLRS__ANY_SHORT_RUN_BYTES / unit_bytes, step = column->source_stride;
  if (clrs__zips_planes(nest) && row->source_stride == 1) {
    const int64_t fewest = CLRS__ANY_LEAST_ZIPPED_BYTES / unit_bytes;
    return row->extent >= CLRS__ANY_FEWEST_ZIPPED_ROWS &&
           row->extent >= clrs__divide_up(fewest, column->extent);
  }
  if (clrs__unzips_planes(nest)) {
    const int64_t least = CLRS__ANY_LEAST_UNZIPPED_BYTES / unit_bytes;
    const int64_t fewest = clrs__clamp(least, CLRS__ANY_FEWEST_UNZIPPED_UNITS, INT64_MAX);
    return row->extent >= clrs__divide_up(fewest, column->extent);
  }
  if (clrs__zips_planes(nest)) {
    return !changes_pixels(nest, unit_bytes) &&
           row->extent >= clrs__divide_up(short_run, column->extent);
  }
  if (unit_bytes >= CLRS__ANY_WIDE_UNIT_BYTES && is_nearest(nest)) {
    return column->extent >= CLRS__ANY_SHORT_WIDE_RUN_BYTES / unit_bytes;
  }
  const bool has_loop =
      step == 0 || step == -1 ||
      (step >= -CLRS_LONGEST_STEP && step <= CLRS_LONGEST_STEP && is_nearest(nest));
  return has_loop && column->extent >= short_run;
}

/* If the columns are long, makes rows of an axis along which the source repeats itself. Data that
 * is staged once is then written once for each repeat. Returns true if rows were made. */
static bool arrange_repeats(clrs__nest *nest, int64_t unit_bytes) {
  clrs__complete_axes(nest);
  const clrs__nest_axis *column = clrs__chunk_axis(nest, 1);
  if (clrs__is_run(nest) || column->destination_stride != 1 ||
      column->extent < CLRS__ANY_SHORT_RUN_BYTES / unit_bytes) {
    return false;
  }
  for (uint32_t i = nest->axis_count - 1; i > 0; i--) {
    const clrs__nest_axis *rows = &nest->axes[i - 1];
    if (rows->source_stride == 0 && rows->extent >= CLRS__ANY_FEWEST_REPEATS) {
      clrs__move_axis(nest, i - 1, nest->axis_count - 2);
      return true;
    }
  }
  return false;
}

static void cut_repeats(clrs__cut *cut, int64_t unit_bytes) {
  const clrs__nest_axis *row = clrs__chunk_axis(&cut->nest, 0);
  const clrs__nest_axis *column = clrs__chunk_axis(&cut->nest, 1);
  int64_t *extents = cut->as.chunks.extents;
  extents[0] = clrs__clamp(CLRS__ANY_MOST_REPEATS, 1, row->extent);
  extents[1] = clrs__clamp(CLRS__ANY_REPEATED_BYTES / unit_bytes, 1, column->extent);
}

/* Chooses as much as a first-level cache holds. If rows are nearer in the source than columns, a
 * chunk reads whole lines of the source. */
static void cut_chunks(clrs__cut *cut, int64_t unit_bytes) {
  const clrs__nest_axis *row = clrs__chunk_axis(&cut->nest, 0);
  const clrs__nest_axis *column = clrs__chunk_axis(&cut->nest, 1);
  const bool near_rows =
      clrs__magnitude(row->source_stride) < clrs__magnitude(column->source_stride);
  const int64_t units = CLRS__CHUNK_BYTES / unit_bytes;
  int64_t *extents = cut->as.chunks.extents;
  extents[0] = clrs__clamp(near_rows ? CLRS_LINE_BYTES / unit_bytes : 1, 1, row->extent);
  extents[1] = clrs__clamp(units / extents[0], 1, column->extent);
  extents[0] = clrs__clamp(units / extents[1], extents[0], row->extent);
}

static void arrange_required(clrs__nest *nest) {
  clrs__complete_axes(nest);
  clrs__choose_row_axis(nest);
  clrs__avoid_tiny_chunks(nest);
}

static bool fit_cpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  const int64_t unit_bytes = clrs__unit_bytes(job->unit_bits);
  const bool repeats = arrange_repeats(&cut->nest, unit_bytes);
  if (!repeats && is_required) {
    arrange_required(&cut->nest);
  } else if (!repeats && clrs__arrange(&cut->nest) != CLRS__ANY_STRIDES) {
    return false;
  }
  const bool is_good = repeats || has_good_runs(&cut->nest, unit_bytes);
  cut->merit = is_good ? CLRS__CPU_ANY_MERIT : CLRS__CPU_SHORT_RUNS_MERIT;
  clrs__nest_sort_outer_axes(&cut->nest, cut->nest.axis_count - 2);
  if (repeats) {
    cut_repeats(cut, unit_bytes);
  } else {
    cut_chunks(cut, unit_bytes);
  }
  clrs__share_chunks(cut);
  return true;
}

const clrs__class clrs__cpu_any = {.name = "cpu_any",
                                   .needs = NEEDS,
                                   .execution = CLRS_EXECUTION_CPU,
                                   .unit_widths = 8 | 16 | 32 | 64 | 128,
                                   .from = CLRS__FROM_SOURCE,
                                   .best = CLRS__CPU_ANY_MERIT,
                                   .fit = fit_cpu,
                                   .encode = clrs__encode_pieces};

/* ---- GPU ---- */

/* Returns true if every bundle of `width` units, counted through the nest, lies in one run of the
 * destination, at a multiple of `width`. The last bundle may be cut off if all units are one run.
 * Example: rows of 6 units with a pitch of 8 fit bundles of 2 units, but not of 4. */
static bool writes_bundles(const clrs__nest *nest, int64_t width) {
  int64_t run = 1;
  bool in_run = true, fits = nest->destination_offset % width == 0;
  for (uint32_t i = nest->axis_count; i > 0; i--) {
    const clrs__nest_axis *axis = &nest->axes[i - 1];
    in_run = in_run && axis->destination_stride == run;
    run = in_run ? clrs__exact_multiply(run, axis->extent) : run;
    fits = fits && (in_run || axis->destination_stride % width == 0);
  }
  return fits && (in_run || run % width == 0);
}

/* The units of a bundle: 16 bytes of the destination, 4 bytes, or a single unit of a byte or more.
 * A bundle's units lie in at most two steps of the axes before the last. */
static int64_t choose_width(const clrs__job *job) {
  const clrs__nest *nest = &job->nest;
  const int64_t bits = job->unit_bits, aligned_bits = clrs__job_aligned_bits(job);
  for (int64_t wide = job->from == CLRS__BY_INDEX ? bits : 128; wide > bits && nest->axis_count > 0;
       wide /= 4) {
    if (aligned_bits >= wide && nest->axes[nest->axis_count - 1].extent >= wide / bits &&
        writes_bundles(nest, wide / bits)) {
      return wide / bits;
    }
  }
  return 1;
}

/* Pieces of a row of a gather or a scatter: blocks if the row has some, otherwise units. A row that
 * begins inside a block can touch a further block. Example: 5 bytes can lie in two blocks. */
static int64_t row_pieces(const clrs__cut *cut) {
  const int64_t units = cut->wide_destination ? clrs__block_units(cut->unit_bits) : 1;
  return clrs__divide_up(cut->nest.axes[cut->nest.axis_count - 1].extent + units - 1, units);
}

static int64_t count_pieces(const clrs__cut *cut) {
  return clrs__exact_multiply(clrs__nest_repeats(&cut->nest, cut->nest.axis_count - 1),
                              row_pieces(cut));
}

static bool fit_named(const clrs__job *job, clrs__cut *cut) {
  const int64_t units = clrs__block_units(cut->unit_bits);
  clrs__end_in_run(&cut->nest);
  cut->kind = CLRS__CUT_UNITS;
  cut->as.units.width = 1;
  if (units > 1 &&
      cut->nest.axes[cut->nest.axis_count - 1].extent / units >= CLRS__GPU_FEWEST_BLOCKS) {
    (void)clrs__cut_take_blocks(job, cut);
  }
  cut->work = clrs__divide_up(count_pieces(cut), CLRS_NAMED_PIECES);
  cut->merit = CLRS__GPU_ANY_MERIT;
  return true;
}

static bool fit_gpu(const clrs__job *job, bool is_required, clrs__cut *cut) {
  (void)is_required;
  if (job->from == CLRS__BY_INDEX) {
    return fit_named(job, cut);
  }
  const int64_t width = choose_width(job);
  cut->kind = CLRS__CUT_UNITS;
  cut->as.units.width = width;
  cut->aligned_bits = (uint32_t)width * job->unit_bits;
  const int64_t units = clrs__nest_count(&cut->nest);
  cut->work = width > 1 ? units / width + units % width : units;
  cut->merit = CLRS__GPU_ANY_MERIT;
  return true;
}

static void encode_gpu(const clrs__cut *cut, clrs__words *words) {
  clrs__encode_pieces(cut, words);
  const int64_t width = cut->as.units.width;
  words->units_per_bundle = width;
  words->bundles = width > 1 ? clrs__nest_count(&cut->nest) / width : 0;
  if (cut->from == CLRS__BY_INDEX) {
    words->units_per_bundle = words->axes[0].extent;
    words->count = count_pieces(cut);
    words->axes[0].extent = words->axes[0].divisor = row_pieces(cut);
  }
}

const clrs__class clrs__gpu_any = {.name = "gpu_any",
                                   .needs = NEEDS,
                                   .execution = CLRS_EXECUTION_GPU,
                                   .unit_widths = 8 | 16 | 32 | 64 | 128,
                                   .from = CLRS__FROM_SOURCE | CLRS__BY_INDEX,
                                   .own = CLRS__OWN_BUNDLE,
                                   .best = CLRS__GPU_ANY_MERIT,
                                   .fit = fit_gpu,
                                   .encode = encode_gpu};
