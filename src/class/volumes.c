/*
 * Volumes: where the fastest axes are short on both sides, a work-group moves several of each
 * through local memory. The class gpu_short.
 *
 * The axes that are fastest in the source together with those that are fastest in the destination,
 * as many as make long runs on both sides, and then as many more as fill the volume.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "axes.h"
#include "checked.h"
#include "compose.h"
#include "rows.h"
#include "tuning.h"
#include "volume_words.h"

enum { INNER = 1, SEEN = 2 }; /* marks: of the volume; looked at for the source's run */

typedef struct volume {
  clrs__marked_nest marked;
  int64_t units, most;
  int64_t wide; /* units of a wide access */
} volume;

/* Units of a wide access. */
static int wide_units(uint32_t unit_bits) {
  return CLRS_WIDE_BYTES(unit_bits) * 8 / (int)unit_bits;
}

/* ---- which axes ---- */

/* How much of an axis goes on where a run of so many units ends: all of it, or the largest divisor,
 * but for one that makes whole accesses and is not much smaller. */
static int64_t choose_part(const volume *v, int64_t extent, int64_t run, int64_t most) {
  if (extent <= most) {
    return extent;
  }
  const int64_t step = v->wide / clrs__common_divisor(run, v->wide);
  const int64_t plain = clrs__largest_divisor(
      extent, most < CLRS__GPU_VOLUME_MOST_TRIES ? most : CLRS__GPU_VOLUME_MOST_TRIES);
  if (extent % step != 0 || most < step) {
    return plain;
  }
  const int64_t whole =
      clrs__exact_multiply(step, clrs__largest_divisor(extent / step, most / step));
  return whole >= plain / 4 ? whole : plain;
}

/* Takes an axis, or as much of it as a run of so many units should grow, into the volume; how much
 * that is. */
static int64_t take(volume *v, uint32_t at, int64_t run, int64_t growth) {
  const int64_t extent = v->marked.nest.axes[at].extent;
  if ((v->marked.marks[at] & INNER) != 0) {
    return extent;
  }
  const int64_t room = v->most / v->units;
  const int64_t part = choose_part(v, extent, run, growth < room ? growth : room);
  if (part <= 1 || !clrs__mark(&v->marked, at, part, INNER | SEEN)) {
    return 1;
  }
  v->units = clrs__exact_multiply(v->units, part);
  return part;
}

static uint32_t nearest_unseen(const volume *v) {
  const clrs__nest *nest = &v->marked.nest;
  uint32_t nearest = nest->axis_count;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const uint64_t stride = clrs__magnitude(nest->axes[i].source_stride);
    if ((v->marked.marks[i] & SEEN) == 0 && stride > 0 &&
        (nearest == nest->axis_count ||
         stride < clrs__magnitude(nest->axes[nearest].source_stride))) {
      nearest = i;
    }
  }
  return nearest;
}

/* A run may become half as long again as it is wanted. */
static int64_t growth_of(int64_t run, int64_t wanted) {
  return clrs__exact_multiply(wanted, 3) / 2 / run;
}

/* How long the run is that the volume then has in the source. */
static int64_t take_source_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  while (run < wanted) {
    const uint32_t at = nearest_unseen(v);
    if (at == v->marked.nest.axis_count) {
      break;
    }
    v->marked.marks[at] |= SEEN;
    run = clrs__exact_multiply(run, take(v, at, run, growth_of(run, wanted)));
  }
  return run;
}

/* Axes that the source's run has taken count towards this run as well. */
static void take_destination_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  for (uint32_t at = v->marked.nest.axis_count; at > 0 && run < wanted; at--) {
    run = clrs__exact_multiply(run, take(v, at - 1, run, growth_of(run, wanted)));
  }
}

/* Large volumes keep more bytes on their way and find their place less often. */
static void fill_up(volume *v, int64_t count) {
  const int64_t spare = count / v->units / CLRS__GPU_FEWEST_VOLUMES;
  const int64_t room = v->most / v->units, growth = spare < room ? spare : room;
  if (growth > 1) {
    const int64_t most = v->most;
    v->most = clrs__exact_multiply(v->units, growth);
    take_destination_run(v, v->most);
    v->most = most;
  }
}

/* Both sides need a unit step somewhere; without one no choice of axes makes a run. */
static bool has_unit_steps(const clrs__nest *nest) {
  bool in_source = false;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    in_source = in_source || clrs__magnitude(nest->axes[i].source_stride) == 1;
  }
  return in_source && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* In units. */
static int64_t wanted_run(uint32_t unit_bits) {
  return unit_bits < 8    ? CLRS__GPU_VOLUME_PACKED_RUN
         : unit_bits == 8 ? CLRS__GPU_VOLUME_BYTE_RUN
                          : CLRS__GPU_VOLUME_RUN_BITS / (int64_t)unit_bits;
}

/* Makes a volume of at most so many units; is it a good one? */
static bool choose_volume(const clrs__job *job, int64_t most, clrs__cut *cut) {
  const int64_t wanted = wanted_run(job->unit_bits);
  volume v = {.units = 1, .most = most, .wide = wide_units(job->unit_bits)};
  clrs__marked_start(&job->nest, &v.marked);
  const int64_t source_run = take_source_run(&v, wanted);
  take_destination_run(&v, wanted);
  take_destination_run(&v, CLRS__GPU_VOLUME_LEAST_UNITS);
  fill_up(&v, clrs__nest_count(&job->nest));
  cut->nest.axis_count = 0;
  clrs__append_marked(&v.marked, INNER, 0, &cut->nest);
  cut->as.volumes.outer_axis_count = cut->nest.axis_count;
  clrs__append_marked(&v.marked, INNER, INNER, &cut->nest);
  cut->as.volumes.units = v.units;
  return source_run >= wanted - source_run && v.units >= CLRS__GPU_VOLUME_LEAST_UNITS &&
         has_unit_steps(&job->nest);
}

/* ---- how wide accesses are ---- */

/* Can a side be accessed in so many units? The axes behind the first `outer` are in its order: the
 * last ones make a run without gaps, which must be a multiple, as must all other steps and the
 * start. */
static bool takes_accesses(const clrs__nest *nest, uint32_t outer, bool is_source, int64_t width) {
  const int64_t start = is_source ? nest->source_offset : nest->destination_offset;
  int64_t run = 1;
  bool in_run = true, fits = start % width == 0;
  for (uint32_t i = nest->axis_count; i > 0; i--) {
    const clrs__nest_axis *axis = &nest->axes[i - 1];
    const int64_t stride = is_source ? axis->source_stride : axis->destination_stride;
    in_run = in_run && i > outer && stride == run;
    run = in_run ? clrs__exact_multiply(run, axis->extent) : run;
    fits = fits && (in_run || stride % width == 0);
  }
  return fits && run % width == 0;
}

/* The widest accesses that each side takes: wide ones, words, or units; whole bytes are written.
 * False if not even these can be. */
static bool choose_widths(const clrs__job *job, clrs__cut *cut) {
  const int bits = (int)job->unit_bits, aligned_bits = (int)clrs__job_aligned_bits(job);
  const uint32_t outer = cut->as.volumes.outer_axis_count;
  const int widths[] = {wide_units(job->unit_bits), bits < 32 ? 32 / bits : 1,
                        bits < 8 ? 8 / bits : 1};
  int read = 1, write = 0;
  clrs__nest reads;
  clrs__volume_reads(cut, &reads);
  for (int i = 2; i >= 0; i--) {
    const int width = widths[i];
    const bool is_aligned = i == 2 || aligned_bits >= width * bits;
    if (i < 2 && is_aligned && takes_accesses(&reads, outer, true, width) &&
        clrs__volume_table_units(&reads, width) <= CLRS_TABLE_UNITS) {
      read = width;
    }
    if (is_aligned && takes_accesses(&cut->nest, outer, false, width)) {
      write = width;
    }
  }
  cut->as.volumes.read_width = read;
  cut->as.volumes.write_width = write;
  cut->aligned_bits = (uint32_t)((read > write ? read : write) * bits);
  return write > 0;
}

/* Units that the items of a group take, if accesses are not wide. */
static int most_units(uint32_t unit_bits, int width) {
  const int others = CLRS_GROUP_ITEMS * CLRS_MOST_ACCESSES(unit_bits) * width;
  return width == wide_units(unit_bits) ? (int)CLRS_VOLUME_UNITS(unit_bits) : others;
}

/* ---- the class ---- */

static bool has_local_memory(const clrs__job *job) {
  enum { MOST_BYTES = 20480 }; /* of a volume, its table and its axes, whatever the unit */
  return !clrs__is_for_cpu(job) && job->limits->local_bytes >= MOST_BYTES;
}

/* Are there words for the axes? Sets how many more than those of the nest. */
static bool has_room(const clrs__job *job, clrs__cut *cut) {
  const uint32_t axes = cut->nest.axis_count;
  if (3 * axes > CLRS_MAX_AXES) {
    return false;
  }
  const uint32_t words = clrs__volume_axis_count(cut);
  cut->as.volumes.more_axes = words > axes ? words - axes : 0;
  return words <= clrs__job_nest_room(job);
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  int64_t most = CLRS_VOLUME_UNITS(job->unit_bits);
  if (!has_local_memory(job) || (!is_required && clrs__has_long_runs(job))) {
    return false;
  }
  cut->kind = CLRS__CUT_VOLUMES;
  cut->merit = CLRS__GPU_SHORT_MERIT;
  for (;;) { /* each time with a smaller volume */
    const bool is_good = choose_volume(job, most, cut);
    const int64_t units = cut->as.volumes.units;
    if (!(is_good || (is_required && units > 1)) || !choose_widths(job, cut)) {
      return false;
    }
    const int by_reads = most_units(job->unit_bits, cut->as.volumes.read_width);
    const int by_writes = most_units(job->unit_bits, cut->as.volumes.write_width);
    most = by_reads < by_writes ? by_reads : by_writes;
    if (units <= most && has_room(job, cut)) {
      break;
    }
    most = units <= most ? units / 2 : most;
  }
  cut->work = clrs__nest_repeats(&cut->nest, cut->as.volumes.outer_axis_count);
  return true;
}

const clrs__class clrs__gpu_short = {
    .name = "gpu_short",
    .needs = "axes that source and destination share and that have small extents or divisors, "
             "whole bytes of the destination, GPU execution, and a device with work-groups of 256 "
             "items and 20 KiB of local memory",
    .execution = CLRS_EXECUTION_GPU,
    .unit_widths = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .takes_groups = true,
    .files = {"packing"},
    .own = CLRS__OWN_VOLUME,
    .best = CLRS__GPU_SHORT_MERIT,
    .fit = fit,
    .encode = clrs__encode_volume};
