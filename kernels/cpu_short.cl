/*
 * cpu_short: the fastest axes of both sides are short, so neither side has long runs. But several
 * axes of the destination together fill a run without gaps. For CPUs.
 *
 * A chunk is such a run. The source positions of a chunk's units are the same in every chunk,
 * except for one offset. So a work-item lists these positions once, in a table. The work-item then
 * gathers chunk after chunk into the cache and writes each chunk in whole lines. Chunks that share
 * source lines follow each other.
 *
 * Units that are contiguous on both sides, even a few, are a run and one entry of the table. Units
 * of 8 and 16 bits that are close together in the source are moved by shuffles instead of singly
 * (shuffles.cl).
 *
 * If a run of the destination uses only a part of each source line, a chunk has several rows. The
 * rows are runs of the destination that together use the whole lines, so that each line is read
 * once. A second table lists the starts of the rows in the source. Example: a permutation of index
 * bits with the source steps 1, 2, 4, 8 and 16. A row has the steps 2 and 16, and 8 rows have the
 * others.
 *
 * If other axes fill a run of the source without gaps, a chunk is transposed. The chunk has a row
 * for each unit of that run. The columns of the chunk begin anywhere in the source, and the rows
 * anywhere in the destination, as two tables list. Rows that are contiguous in the destination are
 * written as one run.
 *
 * If no suitable divisor of an axis' extent exists, a chunk has a part of the axis, and the last
 * chunk has a smaller part. Both tables then describe a whole part, and the last chunk uses the
 * start of the tables.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef OWN_WORDS
#define OWN_WORDS run
#endif
#ifndef CLRS_SHUFFLES_CL
#include "shuffles.cl"
#endif

/* Runs of at least this many bytes are prefetched singly. For shorter runs the prefetch would cost
 * more than the wait. */
#define FETCHED_RUN_BYTES 16
/* Lines of other units are prefetched if a chunk has at least this many units of each line. */
#define FEWEST_UNITS_OF_LINE 4
#define LINES_LISTED 512
#define FEWEST_SHUFFLED_CHUNKS 6 /* chunks of a work-item that are worth a list of shuffles */
#define FEWEST_STEPS 16          /* steps of an axis that is worth a loop */
#define RUNS_UNITS (CLRS_SHORT_RUNS_BYTES * 8 / UNIT_BITS)
#define CHUNK_UNITS (UNIT_BITS > 32 ? CLRS_SHORT_BYTES * 8 / UNIT_BITS : CLRS_SHORT_UNITS)

/* Lists the positions, on one side, of the units of the axes before *end. Takes axes until there
 * are `most` units, moves *end to the first axis taken, and returns the number of units. Example:
 * the innermost axes of extent 2, step 100 and of extent 3, step 1 list 0, 1, 2, 100, 101 and
 * 102. */
HELPER index_t list_units(move_ref move, index_t most, bool in_source, index_t *end,
                          index_t *table) {
  index_t count = 1;
  table[0] = 0;
  while (*end > move->outer_axis_count && count < most) {
    const nest_axis_t axis = move->axes[--*end];
    const index_t inner = count, step = in_source ? axis.source_stride : axis.destination_stride;
    for (index_t digit = 1; digit < axis.extent; digit++) {
      for (index_t i = 0; i < inner; i++) {
        table[count + i] = table[i] + digit * step;
      }
      count += inner;
    }
  }
  return count;
}

/* The last axis: source step and extent. The extent is 0 if stage_steps has no loop for the step,
 * or if the axis is too short to be worth a loop. */
typedef struct steps_t {
  index_t step, count;
} steps_t;

HELPER steps_t find_steps(move_ref move) {
  if (move->axis_count == move->outer_axis_count || move->units_per_run > 1) {
    return (steps_t){0, 0};
  }
  const nest_axis_t axis = move->axes[move->axis_count - 1];
  const bool has_loop = axis.source_stride >= -CLRS_LONGEST_STEP &&
                        axis.source_stride <= CLRS_LONGEST_STEP && axis.source_stride != 0;
  return (steps_t){axis.source_stride, has_loop && axis.extent >= FEWEST_STEPS ? axis.extent : 0};
}

/* Writes rows, which are contiguous in `staged`. Rows that are also contiguous in the destination
 * are written as one run. */
HELPER void write_band(const UNIT *staged, index_t columns, global UNIT *destination,
                       const index_t *to, index_t rows) {
  for (index_t row = 0, next = 1; row < rows; row = next++) {
    while (next < rows && to[next] == to[next - 1] + columns) {
      next++;
    }
    stream_staged(staged + row * columns, destination + to[row], (next - row) * columns);
  }
}

/* Gathers rows of `columns` runs. The runs of all rows are gathered for COLUMNS_AT_ONCE columns at
 * a time, while the runs of the next chunk are prefetched. row_from lists the starts of the
 * rows. */
HELPER void gather_rows(global const UNIT *source, const index_t *from, index_t columns,
                        index_t run, const index_t *row_from, index_t rows,
                        global const UNIT *ahead, UNIT *staged) {
  for (index_t c = 0; c < columns; c += COLUMNS_AT_ONCE) {
    const index_t count = min((index_t)COLUMNS_AT_ONCE, columns - c);
    for (index_t i = 0; ahead != 0 && i < count; i++) {
      PREFETCH(ahead + from[c + i]);
    }
    for (index_t row = 0; row < rows; row++) {
      gather_runs(source + row_from[row], from + c, count, run, staged + (row * columns + c) * run);
    }
  }
}

/* Prefetches the runs, or lines of units, of the next chunk. These begin anywhere, and are more
 * than the hardware prefetches. */
HELPER void fetch_runs(global const UNIT *source, const index_t *from, index_t columns,
                       index_t run) {
  for (index_t c = 0; c < columns; c++) {
    prefetch_run(source + from[c], run);
  }
}

/* Moves runs of the destination whose units have a step in the source. For runs of 26 units,
 * entries 0, 26 and 52 of the table are the starts. A loop took two thirds of the time of a gather
 * by the table. The loop is in a function of its own. Inside move_run the loop kept the compiler
 * from inlining the function that gathers runs, and runs of 12 bytes took 1.5 times as long. */
HELPER void move_steps(global const UNIT *source, const index_t *from, index_t columns,
                       steps_t steps, global UNIT *destination) {
  UNIT staged[CHUNK_UNITS];
  for (index_t c = 0; c < columns; c += steps.count) {
    stage_steps(source + from[c], steps.step, steps.count, staged + c);
  }
  stream_staged(staged, destination, columns);
}

HELPER void move_run(global const UNIT *source, const index_t *from, index_t columns, index_t run,
                     global UNIT *destination) {
  UNIT staged[CHUNK_UNITS];
  gather_runs(source, from, columns, run, staged);
  stream_staged(staged, destination, columns * run);
}

HELPER void move_shuffled(global const UNIT *source, const shuffles_t *shuffles, index_t units,
                          global UNIT *destination) {
  UNIT staged[CHUNK_UNITS];
  shuffle_chunk(source, shuffles, units, staged);
  stream_staged(staged, destination, units);
}

HELPER void move_rows(global const UNIT *source, const index_t *from, index_t columns, index_t run,
                      const index_t *row_from, global const UNIT *ahead, global UNIT *destination,
                      const index_t *to, index_t rows) {
  UNIT staged[RUNS_UNITS];
  gather_rows(source, from, columns, run, row_from, rows, ahead, staged);
  write_band(staged, columns * run, destination, to, rows);
}

#if UNIT_BITS <= 64 /* the planner transposes no wider units: a line has few of them */
#ifdef HAS_LANES
/* Units of the smallest part of a chunk that is transposed before it is written: a line of each of
 * the most columns that a chunk may have. This is more than TURNED_ROOM. */
#define ROWS_ROOM (UNITS_PER_LINE * CLRS_SHORT_COLUMNS)

/* Transposes a line of rows: UNITS_PER_LINE columns at a time, and then LANE_UNITS columns at a
 * time. The last lane overlaps the lane before. With 70 columns in lanes of 16, the last lane is
 * columns 54 to 69. */
HELPER void turn_band_of_lines(global const UNIT *source, const index_t *from, index_t columns,
                               global const UNIT *next, UNIT *turned) {
  index_t c = 0;
  for (; c + UNITS_PER_LINE <= columns; c += UNITS_PER_LINE) {
    const fetch_t fetch = {next, from + c};
    turn_lines(source, from + c, fetch, turned + c, columns);
  }
  for (; c < columns; c += LANE_UNITS) {
    const index_t column = max(min(c, columns - LANE_UNITS), (index_t)0);
    const fetch_t fetch = {next, from + column};
    turn_narrow_lines(source, from + column, fetch, turned + column, columns);
  }
}

/* Transposes a part of a chunk. Units of 8 and 16 bits are transposed a line of rows at a time. For
 * 32 and 64 bits that took up to a fourth longer. The other rows go a lane of rows and a line of
 * columns at a time. The last lane and the last line overlap those before: with 70 rows in lanes of
 * 16, the last lane is rows 54 to 69. If there are fewer columns than UNITS_PER_LINE, the last
 * column is read repeatedly. The next row then overwrites the excess. With 12 columns in lines of
 * 16, row 3 is written to units 36 to 51, and row 4 from 48 on. */
HELPER void turn_part(global const UNIT *source, const index_t *from, index_t columns, index_t rows,
                      global const UNIT *ahead, UNIT *turned) {
  index_t r = 0;
  for (; UNIT_BITS <= 16 && r + UNITS_PER_LINE <= rows; r += UNITS_PER_LINE) {
    turn_band_of_lines(source + r, from, columns,
                       r + UNITS_PER_LINE < rows ? source + r + UNITS_PER_LINE : ahead,
                       turned + r * columns);
  }
  for (index_t first = r; r < rows; r += LANE_UNITS) {
    const index_t row = min(r, rows - LANE_UNITS);
    global const UNIT *next = r + UNITS_PER_LINE < rows ? source + row + UNITS_PER_LINE : ahead;
    for (index_t c = 0; c < columns; c += UNITS_PER_LINE) {
      const index_t column = max(min(c, columns - UNITS_PER_LINE), (index_t)0);
      const fetch_t fetch = {(r - first) % UNITS_PER_LINE == 0 ? next : 0, from + column};
      turn_lanes(source + row, from + column, fetch, turned + row * columns + column, columns);
    }
  }
}

/* Transposes as many rows at a time as there is room for. No part has less than a lane of rows: the
 * last part includes the rest. */
HELPER void turn_chunk_of_lines(global const UNIT *source, const index_t *from, index_t columns,
                                global UNIT *destination, const index_t *to, index_t rows,
                                global const UNIT *ahead) {
  UNIT turned[ROWS_ROOM + LANE_UNITS * CLRS_SHORT_COLUMNS + UNITS_PER_LINE];
  const index_t part = rows <= LANE_UNITS ? rows : rows_turned(columns, UNITS_PER_LINE);
  index_t count = 0;
  for (index_t first = 0; first < rows; first += count) {
    count = rows - first < part + LANE_UNITS ? rows - first : part;
    turn_part(source + first, from, columns, count,
              first + count < rows ? source + first + count : ahead, turned);
    write_band(turned, columns, destination, to + first, count);
  }
}
#endif

/* Transposes a chunk. The last part of an axis may be too small for vectors. Fewer columns than
 * UNITS_PER_LINE are enough if the table has no other columns, because the table then repeats the
 * last column. */
HELPER void turn_chunk(global const UNIT *source, const index_t *from, index_t columns,
                       global UNIT *destination, const index_t *to, index_t rows, bool has_all,
                       global const UNIT *ahead) {
#ifdef HAS_LANES
  if (rows >= LANE_UNITS && (columns >= UNITS_PER_LINE || has_all)) {
    turn_chunk_of_lines(source, from, columns, destination, to, rows, ahead);
    return;
  }
#else
  (void)has_all;
  (void)ahead;
#endif
  for (index_t row = 0; row < rows; row++) {
    for (index_t column = 0; column < columns; column++) {
      destination[to[row] + column] = source[from[column] + row];
    }
  }
}
#endif

/* Lists the lines that hold units of the axes from `axis` on, as if the first unit began a line.
 * For steps shorter than a line, one step in each line is listed. Returns the number of lines, or 0
 * if there are more than `most`. Example: for 100 steps of 4 bytes and 3 steps of a page, the list
 * has the steps 0, 16, 32 and so on of each page. */
HELPER index_t list_lines(move_ref move, index_t axis, index_t most, index_t *lines) {
  index_t count = 1;
  lines[0] = 0;
  for (; axis < move->axis_count; axis++) {
    const index_t step = move->axes[axis].source_stride, extent = move->axes[axis].extent;
    const index_t inner = count, units = max(step, -step);
    const index_t steps = units == 0 ? extent : max(UNITS_PER_LINE / units, (index_t)1);
    for (index_t digit = steps; digit < extent; digit += steps) {
      if (count + inner > most) {
        return 0;
      }
      for (index_t i = 0; i < inner; i++) {
        lines[count + i] = lines[i] + digit * step;
      }
      count += inner;
    }
  }
  return count;
}

BODY void move_cpu_short(const work_t work, global const UNIT *source, ulong source_start,
                         global UNIT *destination, ulong destination_start, move_ref move) {
  index_t from[CLRS_SHORT_UNITS], to[CLRS_SHORT_UNITS], row_from[CLRS_SHORT_ROWS];
  index_t lines[LINES_LISTED];
  const index_t run = move->units_per_run;
  index_t axis = move->axis_count - (run > 1);
  const index_t columns = list_units(move, move->units_per_row / run, true, &axis, from);
  for (index_t i = columns; i < UNITS_PER_LINE; i++) {
    from[i] = from[columns - 1];
  }
  if (!move->has_turned_rows) {
    index_t row_axis = axis;
    list_units(move, CLRS_SHORT_ROWS, true, &row_axis, row_from);
  }
  const index_t rows = list_units(move, CLRS_SHORT_UNITS, false, &axis, to);
  const bool has_lines = rows == 1 && run == 1 && columns >= FEWEST_UNITS_OF_LINE;
  const index_t most_lines = min((index_t)LINES_LISTED, columns / FEWEST_UNITS_OF_LINE);
  const index_t line_count = has_lines ? list_lines(move, axis, most_lines, lines) : 0;
  const steps_t steps = find_steps(move);
  const bool has_chunks = end_chunk(move, work) - first_chunk(move, work) >= FEWEST_SHUFFLED_CHUNKS;
  const index_t gathered = rows == 1 && has_chunks ? columns : 0;
  /* For units of 16 bits or more, a loop over steps is faster than shuffles. */
  const index_t looped = UNIT_BITS > 8 ? steps.count : 0;
  shuffles_t shuffles;
  list_shuffles(from, looped > 0 ? 0 : gathered, run, &shuffles);
  chunk_t next = find_chunk_in(move, move->outer_axis_count, first_chunk(move, work));
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const chunk_t chunk = next;
    global const UNIT *first = source + source_start + chunk.from;
    global UNIT *start = destination + destination_start + chunk.to;
    next = find_chunk_in(move, move->outer_axis_count, i + 1);
    global const UNIT *ahead = i + 1 < (count_t)move->count ? source + source_start + next.from : 0;
#if UNIT_BITS <= 64
    if (move->has_turned_rows) {
      turn_chunk(first, from, chunk.columns, start, to, chunk.rows, chunk.columns == columns,
                 ahead);
      continue;
    }
#endif
    if (rows > 1) {
      move_rows(first, from, chunk.columns, run, row_from, ahead, start, to, chunk.rows);
      continue;
    }
    if (ahead != 0) {
      const index_t step = next.from - chunk.from;
      if (run > 1 && run * UNIT_BYTES >= FETCHED_RUN_BYTES) {
        fetch_runs(ahead, from, next.columns, run);
      } else if (max(step, -step) >= UNITS_PER_LINE) {
        fetch_runs(ahead, lines, line_count, 1);
      }
    }
    if (shuffles.lane_count > 0 && chunk.columns == columns) {
      move_shuffled(first, &shuffles, columns * run, start);
    } else if (steps.count > 0 && chunk.columns % steps.count == 0) {
      move_steps(first, from, chunk.columns, steps, start);
    } else {
      move_run(first, from, chunk.columns, run, start);
    }
  }
}

MOVE_KERNEL(cpu_short)
