/* SPDX-License-Identifier: Apache-2.0 */
#include "short_sides.h"

#include "checked.h"
#include "chunks.h"
#include "tuning.h"

enum { ROW = 1, COLUMN = 2 }; /* marks */

/* The largest divisor that makes whole lines, or else the largest divisor that is found. Tries
 * sizes downward or numbers of parts upward, whichever are fewer. Example: 1600000 in parts of at
 * most 409. There are 409 sizes, and the tenth, 400, is a divisor. The least number of parts would
 * be 3912, and 4000 is the 89th. */
int64_t clrs__short_even_part(int64_t extent, int64_t most, int64_t inner_bytes) {
  const int64_t fewest = clrs__divide_up(extent, most);
  const bool tries_sizes = most < fewest;
  int64_t largest = 1;
  for (int64_t i = 0; i < CLRS__SHORT_MOST_TRIES && i < (tries_sizes ? most : extent - fewest + 1);
       i++) {
    const int64_t part = tries_sizes ? most - i : extent / (fewest + i);
    if (extent % part == 0 && clrs__exact_multiply(part, inner_bytes) % CLRS_LINE_BYTES == 0) {
      return part;
    }
    largest = extent % part == 0 && part > largest ? part : largest;
  }
  return largest;
}

/* Parts of an extent without a divisor nearby: multiples of whole lines if the parts are long
 * enough. Example: 97 steps of 12 bytes in parts of at most 40. 16 steps are whole lines, so parts
 * have 32 steps, and the last part has 1. */
static int64_t uneven_part(int64_t extent, int64_t most, int64_t inner_bytes) {
  const int64_t whole =
      CLRS_LINE_BYTES / clrs__common_divisor(CLRS_LINE_BYTES, inner_bytes % CLRS_LINE_BYTES);
  return clrs__part_of_wholes(extent, most, most / whole < 2 ? 1 : whole);
}

int64_t clrs__short_part(int64_t extent, int64_t most, int64_t inner_bytes) {
  const int64_t even = clrs__short_even_part(extent, most, inner_bytes);
  return even >= most / 2 ? even : uneven_part(extent, most, inner_bytes);
}

int64_t clrs__common_run(const clrs__nest *nest) {
  if (nest->axis_count == 0) {
    return 1;
  }
  const clrs__nest_axis *last = &nest->axes[nest->axis_count - 1];
  return last->source_stride == 1 && last->destination_stride == 1 ? last->extent : 1;
}

/* The search for the axes of rows and of columns. `units` are the units of a chunk. `whole` are the
 * units of all parts if a chunk has a part of its last axis. */
typedef struct search {
  clrs__marked_nest marked;
  uint32_t axis_room;
  int64_t unit_bytes;
  int64_t units[COLUMN + 1], whole[COLUMN + 1], most[COLUMN + 1];
} search;

/* Takes `part` steps of axis i. Returns false if nothing can follow. Nothing can follow a part that
 * does not divide its axis. The whole axis is then in the nest of a chunk, and the encoded words
 * get the axis of parts. */
static bool take(search *s, uint8_t kind, uint32_t i, int64_t part) {
  const int64_t extent = s->marked.nest.axes[i].extent;
  const bool divides = extent % part == 0;
  if (!clrs__mark(&s->marked, i, divides ? part : extent, kind)) {
    return false;
  }
  s->axis_room -= divides ? 0 : 1;
  s->whole[kind] = clrs__exact_multiply(s->units[kind], divides ? part : extent);
  s->units[kind] = clrs__exact_multiply(s->units[kind], part);
  return divides;
}

/* Takes the axis, or a part of the axis, that continues the units of this kind: in the source for
 * rows, in the destination for columns. */
static bool grow(search *s, uint8_t kind) {
  const int64_t units = s->units[kind], room = s->most[kind] / units;
  for (uint32_t i = 0; i < s->marked.nest.axis_count; i++) {
    const clrs__nest_axis *axis = &s->marked.nest.axes[i];
    const int64_t step = kind == ROW ? axis->source_stride : axis->destination_stride;
    if (s->marked.marks[i] != 0 || step != units) {
      continue;
    }
    int64_t part = axis->extent;
    if (part > room) {
      part = clrs__short_part(part, room, clrs__exact_multiply(units, s->unit_bytes));
      if (part == 1 || s->marked.nest.axis_count >= s->axis_room) {
        return false;
      }
    }
    return take(s, kind, i, part);
  }
  return false;
}

/* Rows and columns take axes in turns. The kind with fewer units goes first. */
static void grow_both(search *s) {
  bool more[COLUMN + 1] = {false, true, true};
  while (more[ROW] || more[COLUMN]) {
    const bool fewer_rows = s->units[ROW] <= s->units[COLUMN];
    const uint8_t kind = !more[COLUMN] || (more[ROW] && fewer_rows) ? ROW : COLUMN;
    more[kind] = grow(s, kind);
  }
}

/* Sorts by steps in the source, the largest first. */
static void sort_rows(clrs__nest *nest, uint32_t first) {
  for (uint32_t i = first + 1; i < nest->axis_count; i++) {
    const uint64_t step = clrs__magnitude(nest->axes[i].source_stride);
    uint32_t at = i;
    while (at > first && clrs__magnitude(nest->axes[at - 1].source_stride) < step) {
      at--;
    }
    clrs__move_axis(nest, i, at);
  }
}

/* Enters the chunk of the search into the cut. Rows consist of runs of `run` units. */
static void enter_chunk(const search *s, int64_t run, bool turns, clrs__cut *cut) {
  cut->nest.axis_count = 0;
  clrs__append_marked(&s->marked, ROW | COLUMN, 0, &cut->nest);
  cut->as.short_axes.outer_axis_count = cut->nest.axis_count;
  clrs__append_marked(&s->marked, ROW | COLUMN, ROW, &cut->nest);
  sort_rows(&cut->nest, cut->as.short_axes.outer_axis_count);
  clrs__append_marked(&s->marked, ROW | COLUMN, COLUMN, &cut->nest);
  cut->as.short_axes.run = (int32_t)run;
  cut->as.short_axes.turns = turns;
  cut->as.short_axes.rows = (int32_t)(s->units[ROW] / run);
  cut->as.short_axes.columns = (int32_t)s->units[COLUMN];
  cut->as.short_axes.row_extent = s->whole[ROW] / run;
  cut->as.short_axes.column_extent = s->whole[COLUMN];
}

static search start_search(const clrs__job *job) {
  search s = {.axis_room = clrs__job_nest_room(job),
              .unit_bytes = clrs__unit_bytes(job->unit_bits),
              .units = {1, 1, 1},
              .whole = {1, 1, 1}};
  clrs__marked_start(&job->nest, &s.marked);
  return s;
}

/* The axis with the nearest step at or after `reach` units of the source, within a line. Returns
 * axis_count if no axis continues the line. Axes of one element are skipped. */
static uint32_t next_in_line(const clrs__nest *nest, int64_t reach, int64_t line) {
  uint32_t nearest = nest->axis_count;
  uint64_t least = (uint64_t)line;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    const uint64_t step = clrs__magnitude(nest->axes[i].source_stride);
    if (nest->axes[i].extent > 1 && step >= (uint64_t)reach && step < least) {
      nearest = i;
      least = step;
    }
  }
  return nearest;
}

/* The part of an axis that rows need to reach the end of a line of the source. Example: of 300
 * steps of 2 bytes, 32 steps are a line. Returns 1 if there is no room. */
static int64_t part_in_line(const search *s, const clrs__nest_axis *axis, int64_t line) {
  const int64_t step = (int64_t)clrs__magnitude(axis->source_stride);
  const int64_t wanted = clrs__divide_up(line, step), room = s->most[ROW] / s->units[ROW];
  const int64_t most = wanted < room ? wanted : room;
  if (axis->extent <= most) {
    return axis->extent;
  }
  return s->marked.nest.axis_count >= s->axis_room
             ? 1
             : clrs__short_part(axis->extent, most, clrs__exact_multiply(step, s->unit_bytes));
}

/* Takes as rows the rest of a line of the source that columns leave, as far as there is room.
 * Example: axes have the steps 1, 2, 4, 8 and 16 in the source, and the columns have the steps 2
 * and 16. The steps 1, 4 and 8 become rows, and a chunk has 32 neighbours of the source. */
static void complete_lines(search *s, int64_t run) {
  const int64_t line = CLRS_LINE_BYTES / s->unit_bytes;
  int64_t reach = run;
  uint32_t i = next_in_line(&s->marked.nest, reach, line);
  for (bool more = true; more && i < s->marked.nest.axis_count;
       i = next_in_line(&s->marked.nest, reach, line)) {
    const clrs__nest_axis axis = s->marked.nest.axes[i];
    reach = clrs__exact_multiply((int64_t)clrs__magnitude(axis.source_stride), axis.extent);
    if (s->marked.marks[i] == 0) {
      const int64_t part = part_in_line(s, &axis, line);
      more = part > 1 && take(s, ROW, i, part) && part == axis.extent;
    }
  }
}

/* Returns true if the units of a row are so near in the source that a row alone reads whole lines.
 * The kernel has loops for short steps. */
static bool steps_through_lines(const clrs__job *job) {
  const clrs__nest *nest = &job->nest;
  if (nest->axis_count == 0) {
    return false;
  }
  const clrs__nest_axis *last = &nest->axes[nest->axis_count - 1];
  const uint64_t step = clrs__magnitude(last->source_stride);
  const int64_t line = CLRS_LINE_BYTES / clrs__unit_bytes(job->unit_bits);
  return step <= CLRS_LONGEST_STEP && clrs__exact_multiply((int64_t)step, last->extent) >= line;
}

/* Finds rows and columns of runs. If rows and columns take turns, neither takes all of a shared
 * axis. Example: 64 by 512 runs of 32 bytes in the other order. Columns alone would take all 512
 * runs, next to each other in the source, and leave no rows. Columns first grow further if an axis
 * belongs to both sides. */
static bool find_rows(const clrs__job *job, int64_t run, bool by_turns, search *s) {
  *s = start_search(job);
  const int64_t rows = CLRS_LINE_BYTES / s->unit_bytes / run;
  if (rows < 2) {
    return false;
  }
  if (run > 1) { /* all of the last axis */
    s->marked.marks[s->marked.nest.axis_count - 1] = COLUMN;
  }
  s->units[ROW] = s->units[COLUMN] = s->whole[ROW] = s->whole[COLUMN] = run;
  s->most[ROW] = clrs__exact_multiply(rows, run);
  s->most[COLUMN] = CLRS_SHORT_RUNS_BYTES / s->unit_bytes / rows;
  if (by_turns) {
    grow_both(s);
  } else {
    while (grow(s, COLUMN)) {
    }
    complete_lines(s, run);
  }
  return s->units[ROW] > run && s->units[COLUMN] >= CLRS__SHORT_LEAST_BYTES / s->unit_bytes;
}

bool clrs__short_rows(const clrs__job *job, clrs__cut *cut) {
  const int64_t run = clrs__common_run(&job->nest);
  search s;
  if (run == 1 && steps_through_lines(job)) {
    return false;
  }
  if (!(run > 1 && find_rows(job, run, true, &s)) && !find_rows(job, run, false, &s)) {
    return false;
  }
  enter_chunk(&s, run, false, cut);
  return true;
}

bool clrs__short_turned(const clrs__job *job, clrs__cut *cut) {
  search s = start_search(job);
  const int64_t line = CLRS_LINE_BYTES / s.unit_bytes;
  s.most[COLUMN] =
      clrs__clamp(CLRS__SHORT_TURNED_COLUMN_BYTES / s.unit_bytes, line, CLRS_SHORT_COLUMNS);
  s.most[ROW] = clrs__clamp(clrs__item_bytes(&job->nest, job->unit_bits) / s.most[COLUMN],
                            CLRS__SHORT_LEAST_ROW_BYTES, CLRS__SHORT_TURNED_ROW_BYTES) /
                s.unit_bytes;
  grow_both(&s);
  const int64_t lane = CLRS__LANE_BYTES / s.unit_bytes;
  if (s.units[ROW] < lane || s.units[COLUMN] < lane) {
    return false;
  }
  enter_chunk(&s, 1, true, cut);
  return true;
}
