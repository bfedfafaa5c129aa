/*
 * Volumes: if the fastest axes are short on both sides, a work-group moves several steps of each
 * axis through local memory. The class gpu_short.
 *
 * A volume has the axes that are fastest in the source and the axes that are fastest in the
 * destination, as many as make long runs on both sides. More axes then fill the volume.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "classes.h"

#include "axes.h"
#include "checked.h"
#include "compose.h"
#include "grid.h"
#include "rows.h"
#include "tuning.h"
#include "volume_words.h"

/* Marks. INNER: axis of the volume. SEEN: visited for the source's run. RAGGED, RAGGED_TOO: both
 * parts of the first and of the second axis that is cut at no divisor. */
enum { INNER = 1, SEEN = 2, RAGGED = 4, RAGGED_TOO = 8 };

typedef struct volume {
  clrs__marked_nest marked;
  int64_t units, most;
  int64_t wide; /* units of a wide access */
  uint32_t ragged_count;
  uint32_t most_ragged;
  int64_t back[CLRS__RAGGED_AXES]; /* steps shared by the last two volumes along a ragged axis */
} volume;

/* ---- which axes ---- */

/* A run may exceed the wanted length by half. */
static int64_t growth_of(int64_t run, int64_t wanted) {
  return clrs__exact_multiply(wanted, 3) / 2 / run;
}

/* The largest divisor of an extent. A divisor that makes whole accesses is taken if it is not much
 * smaller. Units under a byte need whole bytes at least. */
static int64_t choose_divisor(const volume *v, int64_t extent, int64_t step, int64_t most) {
  const int64_t tries = most < CLRS__GPU_VOLUME_MOST_TRIES ? most : CLRS__GPU_VOLUME_MOST_TRIES;
  const int64_t common = clrs__common_divisor(extent, step);
  const int64_t plain = clrs__largest_divisor(extent, tries);
  const int64_t whole =
      clrs__exact_multiply(common, clrs__largest_divisor(extent / common, most / common));
  const bool are_packed = v->wide > CLRS_BLOCK_BYTES;
  return (common == step || are_packed) && whole >= plain / 4 ? whole : plain;
}

/* Returns the steps of an axis that continues a run of `run` units: all steps, or a divisor of the
 * extent. If the divisor is under half of a ragged part, the ragged part is taken, and its last
 * volume begins earlier. Example: 311 in parts of at most 96 that are multiples of 16. A volume has
 * 80 steps, and the last of four volumes begins at 311 - 80. */
static int64_t choose_part(const volume *v, int64_t extent, int64_t run, int64_t most) {
  if (extent <= most || most <= 1) {
    return extent <= most ? extent : 1;
  }
  const int64_t wanted = v->wide / clrs__common_divisor(run, v->wide);
  const int64_t step = wanted <= most ? wanted : 1;
  const int64_t divisor = choose_divisor(v, extent, step, most);
  const int64_t ragged = clrs__part_of_wholes(extent, most, step);
  return v->ragged_count < v->most_ragged && divisor < ragged / 2 ? ragged : divisor;
}

/* Marks a part of an axis as an axis of the volume. Returns false if there is no room for another
 * axis. */
static bool mark_part(volume *v, uint32_t at, int64_t part) {
  const int64_t extent = v->marked.nest.axes[at].extent;
  if (!clrs__mark(&v->marked, at, part, INNER | SEEN)) {
    return false;
  }
  if (extent % part != 0) {
    const uint8_t mark = (uint8_t)(RAGGED << v->ragged_count);
    clrs__nest_axis *outer = &v->marked.nest.axes[at];
    outer->extent++;
    v->marked.marks[at] |= mark | SEEN;
    v->marked.marks[at + 1] |= mark;
    v->back[v->ragged_count++] = clrs__exact_multiply(outer->extent, part) - extent;
  }
  return true;
}

/* The part of an axis that the destination's run wants. The destination may want the whole axis
 * even if the source's run does not. */
static int64_t growth_in_destination(const volume *v, uint32_t at, int64_t wanted) {
  int64_t run = 1;
  for (uint32_t i = v->marked.nest.axis_count; i > at + 1 && run < wanted; i--) {
    run = clrs__exact_multiply(run, v->marked.nest.axes[i - 1].extent);
  }
  return run < wanted ? growth_of(run, wanted) : 1;
}

/* Takes an axis, or `growth` steps of the axis, into the volume, to continue a run of `run` units.
 * Returns the number of steps in the volume. */
static int64_t take(volume *v, uint32_t at, int64_t run, int64_t growth) {
  const int64_t extent = v->marked.nest.axes[at].extent;
  if ((v->marked.marks[at] & INNER) != 0) {
    return extent;
  }
  const int64_t room = v->most / v->units;
  const int64_t part = choose_part(v, extent, run, growth < room ? growth : room);
  if ((v->marked.marks[at] & (RAGGED | RAGGED_TOO)) != 0 || part <= 1 || !mark_part(v, at, part)) {
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

/* Returns the length of the volume's run in the source. */
static int64_t take_source_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  while (run < wanted) {
    const uint32_t at = nearest_unseen(v);
    if (at == v->marked.nest.axis_count) {
      break;
    }
    v->marked.marks[at] |= SEEN;
    const int64_t growth = growth_of(run, wanted), other = growth_in_destination(v, at, wanted);
    const bool all = v->marked.nest.axes[at].extent <= other;
    run = clrs__exact_multiply(run, take(v, at, run, all && other > growth ? other : growth));
  }
  return run;
}

/* Axes that the source's run has taken count toward this run as well. */
static void take_destination_run(volume *v, int64_t wanted) {
  int64_t run = 1;
  for (uint32_t at = v->marked.nest.axis_count; at > 0 && run < wanted; at--) {
    run = clrs__exact_multiply(run, take(v, at - 1, run, growth_of(run, wanted)));
  }
}

/* Large volumes keep more bytes in flight, and groups compute their place less often. */
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

/* Both sides need an axis of unit step. Without unit steps, no choice of axes makes a run. */
static bool has_unit_steps(const clrs__nest *nest) {
  bool in_source = false;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    in_source = in_source || clrs__magnitude(nest->axes[i].source_stride) == 1;
  }
  return in_source && nest->axes[nest->axis_count - 1].destination_stride == 1;
}

/* The wanted length of a run in units. */
static int64_t wanted_run(uint32_t unit_bits) {
  return unit_bits < 8    ? CLRS__GPU_VOLUME_PACKED_RUN
         : unit_bits == 8 ? CLRS__GPU_VOLUME_BYTE_RUN
                          : CLRS__GPU_VOLUME_RUN_BITS / (int64_t)unit_bits;
}

/* Appends the axes that number volumes, with ragged axes last, and then the axes of a volume. */
static void append_axes(const volume *v, clrs__cut *cut) {
  const clrs__marked_nest *marked = &v->marked;
  const uint8_t ragged = RAGGED | RAGGED_TOO;
  cut->nest.axis_count = 0;
  clrs__append_marked(marked, INNER | ragged, 0, &cut->nest);
  clrs__append_marked(marked, INNER | ragged, RAGGED, &cut->nest);
  clrs__append_marked(marked, INNER | ragged, RAGGED_TOO, &cut->nest);
  cut->as.volumes.outer_axis_count = cut->nest.axis_count;
  for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
    cut->as.volumes.ragged[j] = (clrs__ragged){0, 0};
  }
  for (uint32_t i = 0, at = cut->nest.axis_count; i < marked->nest.axis_count; i++) {
    const uint8_t marks = marked->marks[i];
    if ((marks & INNER) != 0 && (marks & ragged) != 0) {
      const uint32_t number = (marks & RAGGED) != 0 ? 0 : 1;
      cut->as.volumes.ragged[v->ragged_count - 1 - number] = (clrs__ragged){at, v->back[number]};
    }
    at += (marks & INNER) != 0;
  }
  clrs__append_marked(marked, INNER, INNER, &cut->nest);
}

/* Makes a volume of at most `most` units. Returns true if the volume is good. */
static bool choose_volume(const clrs__job *job, int64_t most, uint32_t most_ragged,
                          clrs__cut *cut) {
  const int64_t wanted = wanted_run(job->unit_bits);
  volume v = {.units = 1,
              .most = most,
              .most_ragged = most_ragged,
              .wide = clrs__access_units(CLRS_ACCESS_WIDE, job->unit_bits)};
  clrs__marked_start(&job->nest, &v.marked);
  const int64_t source_run = take_source_run(&v, wanted);
  take_destination_run(&v, wanted);
  take_destination_run(&v, clrs__cut_group(cut)); /* a unit or more for each item */
  fill_up(&v, clrs__nest_count(&job->nest));
  append_axes(&v, cut);
  cut->as.volumes.units = v.units;
  return source_run >= wanted - source_run && v.units >= clrs__cut_group(cut) &&
         has_unit_steps(&job->nest);
}

/* ---- how wide accesses are ---- */

/* Returns true if each last volume along a ragged axis begins earlier by a multiple of `width`
 * units. */
static bool begins_with_accesses(const clrs__cut *cut, bool is_source, int64_t width) {
  bool fits = true;
  for (uint32_t j = 0; j < CLRS__RAGGED_AXES; j++) {
    const clrs__ragged *ragged = &cut->as.volumes.ragged[j];
    const clrs__nest_axis *axis = &cut->nest.axes[ragged->axis];
    const int64_t stride = is_source ? axis->source_stride : axis->destination_stride;
    fits = fits && (ragged->back == 0 || clrs__exact_multiply(ragged->back, stride) % width == 0);
  }
  return fits;
}

/* Returns true if a side can be accessed `width` units at a time. The axes behind the first `outer`
 * axes are in the order of the side, and the last axes make a run without gaps. The run, all other
 * steps and the start must be multiples of `width`. */
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

/* Returns true if accesses of `width` units are aligned on that side for every start of a
 * volume. */
static bool are_aligned(const clrs__job *job, const clrs__cut *cut, bool is_source, int64_t width) {
  const uint32_t outer = cut->as.volumes.outer_axis_count;
  clrs__nest reads;
  clrs__volume_reads(cut, &reads);
  return clrs__job_aligned_bits(job) >= (uint64_t)width * job->unit_bits &&
         takes_accesses(is_source ? &reads : &cut->nest, outer, is_source, width) &&
         begins_with_accesses(cut, is_source, width);
}

/* Chooses wide accesses if runs are long enough, otherwise single units. Words of the source that
 * hold a part of a unit stay inside the buffer if the buffer is aligned to words. */
static int choose_read_kind(const clrs__job *job, const clrs__cut *cut, int64_t table_units) {
  const int64_t wide = clrs__access_units(CLRS_ACCESS_WIDE, job->unit_bits);
  if (wide == 1 || table_units < wide) {
    return CLRS_ACCESS_UNIT;
  }
  if (table_units % wide == 0 && are_aligned(job, cut, true, wide)) {
    return CLRS_ACCESS_WIDE;
  }
  return clrs__takes_blocks(job->unit_bits) && clrs__job_aligned_bits(job) >= 32 ? CLRS_ACCESS_BLOCK
                                                                                 : CLRS_ACCESS_UNIT;
}

/* Chooses wide accesses, words or bytes for units under a byte. Other units are written in blocks
 * if runs are long enough, otherwise singly. Returns -1 if not even whole bytes can be written. */
static int choose_write_kind(const clrs__job *job, const clrs__cut *cut, int64_t run_units) {
  const uint32_t bits = job->unit_bits;
  const int64_t wide = clrs__access_units(CLRS_ACCESS_WIDE, bits);
  if (wide > 1 && are_aligned(job, cut, false, wide)) {
    return CLRS_ACCESS_WIDE;
  }
  if (bits >= 8) {
    const bool are_blocks = clrs__takes_blocks(bits) && run_units >= wide &&
                            job->destination_alignment >= CLRS_BLOCK_BYTES;
    return are_blocks ? CLRS_ACCESS_BLOCK : CLRS_ACCESS_UNIT;
  }
  const int64_t word = clrs__access_units(CLRS_ACCESS_WORD, bits);
  return are_aligned(job, cut, false, word)       ? CLRS_ACCESS_WORD
         : are_aligned(job, cut, false, 8 / bits) ? CLRS_ACCESS_UNIT
                                                  : -1;
}

/* The required alignment of a buffer in bits, except for blocks of the destination. */
static uint32_t aligned_bits(int kind, bool is_source, uint32_t unit_bits) {
  const bool are_words = kind == CLRS_ACCESS_WORD || (kind == CLRS_ACCESS_BLOCK && is_source);
  const uint32_t bits = kind == CLRS_ACCESS_WIDE ? CLRS_WIDE_BYTES(unit_bits) * 8
                        : are_words              ? 32
                        : is_source              ? 1
                                                 : 8;
  return bits > unit_bits ? bits : unit_bits;
}

/* Returns false if whole bytes cannot be written. */
static bool choose_kinds(const clrs__job *job, clrs__cut *cut) {
  const clrs__volume_sizes sizes = clrs__volume_sizes_of(cut);
  cut->as.volumes.read_kind = choose_read_kind(job, cut, sizes.table_units);
  cut->as.volumes.write_kind = choose_write_kind(job, cut, sizes.run_units);
  const uint32_t read = aligned_bits(cut->as.volumes.read_kind, true, job->unit_bits);
  const uint32_t write = aligned_bits(cut->as.volumes.write_kind, false, job->unit_bits);
  cut->aligned_bits = read > write ? read : write;
  cut->wide_destination = cut->as.volumes.write_kind == CLRS_ACCESS_BLOCK;
  return cut->as.volumes.write_kind >= 0;
}

/* The units of the largest volume that a group can access, up to the present units. */
static int64_t units_in_reach(const clrs__cut *cut, const clrs__volume_sizes *sizes) {
  const int64_t units = cut->as.volumes.units;
  const int64_t most[] = {clrs__most_accesses(cut->as.volumes.read_kind, cut),
                          clrs__most_accesses(cut->as.volumes.write_kind, cut)};
  const int64_t by_reads = clrs__exact_multiply(units, most[0]) / sizes->reads;
  const int64_t by_writes = clrs__exact_multiply(units, most[1]) / sizes->writes;
  return clrs__clamp(by_reads < by_writes ? by_reads : by_writes, 0, units);
}

/* ---- the class ---- */

static bool has_local_memory(const clrs__job *job, clrs__cut *cut) {
  const uint64_t more = 4096; /* bytes of table and axes */
  return !clrs__is_for_cpu(job) && clrs__halve_groups(job->limits, more, &cut->halvings);
}

/* Returns true if the words have room for the axes. Sets more_axes, the number of axes beyond the
 * nest's axes. */
static bool has_room(const clrs__job *job, const clrs__volume_sizes *sizes, clrs__cut *cut) {
  const uint32_t axes = cut->nest.axis_count;
  cut->as.volumes.more_axes = sizes->axes > axes ? sizes->axes - axes : 0;
  return sizes->axes <= clrs__job_nest_room(job);
}

/* Returns true if ragged axes pay, or there are none. Another class reads single units as well. */
static bool is_worthwhile(const clrs__cut *cut) {
  return cut->as.volumes.ragged[0].back == 0 || cut->as.volumes.read_kind != CLRS_ACCESS_UNIT;
}

/* Finds a volume with at most `most_ragged` ragged axes. */
static bool fit_volume(const clrs__job *job, bool is_required, uint32_t most_ragged,
                       clrs__cut *cut) {
  int64_t most = CLRS_VOLUME_UNITS(job->unit_bits, clrs__cut_group(cut));
  for (;;) { /* each round tries a smaller volume */
    const bool is_good = choose_volume(job, most, most_ragged, cut);
    const int64_t units = cut->as.volumes.units;
    if (!(is_good || (is_required && units > 1))) {
      return false;
    }
    if (3 * cut->nest.axis_count <= CLRS_MAX_AXES) {
      if (!choose_kinds(job, cut)) {
        return false;
      }
      const clrs__volume_sizes sizes = clrs__volume_sizes_of(cut);
      most = units_in_reach(cut, &sizes);
      if (most == units && has_room(job, &sizes, cut)) {
        return is_required || is_worthwhile(cut);
      }
    }
    most = most < units ? most : units / 2;
  }
}

static bool fit(const clrs__job *job, bool is_required, clrs__cut *cut) {
  if (!has_local_memory(job, cut) || (!is_required && clrs__has_long_runs(job))) {
    return false;
  }
  cut->kind = CLRS__CUT_VOLUMES;
  cut->merit = CLRS__GPU_SHORT_MERIT;
  if (!fit_volume(job, is_required, CLRS__RAGGED_AXES, cut) &&
      !fit_volume(job, is_required, 0, cut)) {
    return false;
  }
  cut->work = clrs__nest_repeats(&cut->nest, cut->as.volumes.outer_axis_count);
  return true;
}

const clrs__class clrs__gpu_short = {
    .name = "gpu_short",
    .needs = "axes that source and destination share, "
             "whole bytes of the destination, GPU execution, and a device with work-groups of 64 "
             "items and 8 KiB of local memory",
    .execution = CLRS_EXECUTION_GPU,
    .unit_widths = 1 | 2 | 4 | 8 | 16 | 32 | 64 | 128,
    .from = CLRS__FROM_SOURCE,
    .takes_groups = true,
    .files = {"blocks", "packing", "accesses"},
    .own = CLRS__OWN_VOLUME,
    .best = CLRS__GPU_SHORT_MERIT,
    .fit = fit,
    .encode = clrs__encode_volume};
