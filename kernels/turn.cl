/*
 * Transposes runs of the source to rows of the destination, through a stage in the second-level
 * cache. A run for each column is copied to the stage, several lines of the source at a time. Bands
 * of rows are then transposed from the stage in registers, and written in whole lines. cpu_tile
 * does this if rows do not begin at lines.
 *
 * Squares are read and transposed whole, even with fewer rows or columns, and the stage has room
 * for the units that do not exist. The result of such a unit is overwritten by the next row, or
 * never written to the destination. Example: 12 columns in lines of 16 units. Row 3 is transposed
 * to the units 36 to 51 of a run. Units 48 to 51 belong to no column, and row 4, which is
 * transposed next, begins at 48.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TURN_CL
#define CLRS_TURN_CL
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

#ifdef HAS_LANES
/* Lines from the copied line to the line that is prefetched. */
#define LINES_AHEAD 96

#define STAGED_UNITS ((CLRS_STAGE_LINES + 2 * LANE_UNITS) * UNITS_PER_LINE)
#define TURNED_UNITS (TURNED_ROOM + UNITS_PER_LINE * (UNITS_PER_LINE + 2))

typedef struct stage_t {
  UNIT *units; /* a run of the source for each column */
  index_t pitch, columns;
} stage_t;

/* Stages a run of at least a lane. */
HELPER void stage_run(global const UNIT *run, index_t count, UNIT *staged) {
  index_t i = 0;
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    ((any_line_t *)(staged + i))->value = ((global const any_line_t *)(run + i))->value;
  }
  for (; i < count; i += LANE_UNITS) {
    const index_t at = min(i, count - LANE_UNITS);
    ((any_lane_t *)(staged + at))->value = ((global const any_lane_t *)(run + at))->value;
  }
}

#if UNIT_BITS <= 8
#define BACKWARDS(lane) (lane).sfedcba9876543210
#elif UNIT_BITS == 16
#define BACKWARDS(lane) (lane).s76543210
#elif UNIT_BITS == 32
#define BACKWARDS(lane) (lane).s3210
#elif UNIT_BITS == 64
#define BACKWARDS(lane) (lane).s10
#else
#define BACKWARDS(lane) (lane)
#endif

/* Stages a run whose first unit has the highest address. In lanes of 4 units, unit 0 of the stage
 * is run[0], the highest unit of the lane that begins at run[-3]. */
HELPER void stage_run_backwards(global const UNIT *run, index_t count, UNIT *staged) {
  for (index_t i = 0; i < count; i += LANE_UNITS) {
    const index_t at = min(i, count - LANE_UNITS);
    global const UNIT *lowest = run - at - (LANE_UNITS - 1);
    ((any_lane_t *)(staged + at))->value = BACKWARDS(((global const any_lane_t *)lowest)->value);
  }
}

/* Columns from the run that is copied to the run that is prefetched at the same time. */
HELPER index_t runs_ahead(index_t rows) {
  return 1 + LINES_AHEAD * UNITS_PER_LINE / rows;
}

/* Transposes LANE_UNITS rows of the stage to rows `pitch` units apart. */
HELPER void turn_band(stage_t stage, index_t row, UNIT *turned, index_t pitch) {
  for (index_t c = 0; c < stage.columns; c += UNITS_PER_LINE) {
    const index_t column = max(min(c, stage.columns - UNITS_PER_LINE), (index_t)0);
    const UNIT *corner = stage.units + row + column * stage.pitch;
    line_t v[LANE_UNITS];
#define STAGED_RUN(i) ((const any_lane_t *)(corner + (i)*stage.pitch))->value
    LOAD_LANES(v, STAGED_RUN)
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      ((any_units_t *)(turned + i * pitch + column))->value = v[i];
    }
  }
}

/* Returns true if there are so few columns that most of each line of turn_band would belong to no
 * column. */
HELPER bool is_narrow(stage_t stage) {
  return stage.columns <= 2 * LANE_UNITS;
}

/* Transposes UNITS_PER_LINE rows of LANE_UNITS columns, or of all columns if there are fewer. Each
 * lane of a transposed line is a different row. */
HELPER void turn_narrow(stage_t stage, index_t row, index_t column, UNIT *turned, index_t pitch) {
  const UNIT *corner = stage.units + row + column * stage.pitch;
  union {
    line_t lines[LANE_UNITS];
    lane_t lanes[LANE_UNITS][LINE_LANES];
  } narrow;
#define STAGED_PART(i)                                                                             \
  ((const any_lane_t *)(corner + (i) % LANE_UNITS * stage.pitch + (i) / LANE_UNITS * LANE_UNITS))  \
      ->value
  LOAD_LANES(narrow.lines, STAGED_PART)
  for (int lane = 0; lane < LINE_LANES; lane++) {
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      ((any_lane_t *)(turned + (lane * LANE_UNITS + i) * pitch + column))->value =
          narrow.lanes[i][lane];
    }
  }
}

/* Transposes `rows` rows from row `first` on, and a few more rows to fill squares. */
HELPER void turn_rows(stage_t stage, index_t first, index_t rows, UNIT *turned, index_t pitch) {
  if (is_narrow(stage)) {
    for (index_t r = 0; r < rows; r += UNITS_PER_LINE) {
      turn_narrow(stage, first + r, 0, turned + r * pitch, pitch);
      if (stage.columns > LANE_UNITS) {
        turn_narrow(stage, first + r, stage.columns - LANE_UNITS, turned + r * pitch, pitch);
      }
    }
    return;
  }
  for (index_t r = 0; r < rows; r += LANE_UNITS) {
    turn_band(stage, first + r, turned + r * pitch, pitch);
  }
}

/* Writes whole rows without gaps. Units that do not fill a line wait for the next rows. */
HELPER void write_run(global UNIT *destination, index_t count, stage_t stage, UNIT *turned) {
  const index_t band = rows_turned(stage.columns, LANE_UNITS);
  index_t waiting = 0;
  for (index_t first = 0; first < count; first += band) {
    const index_t rows = min(count - first, band);
    turn_rows(stage, first, rows, turned + waiting, stage.columns);
    waiting += rows * stage.columns;
    const bool is_last = first + rows == count;
    const index_t head = (index_t)units_before_line(destination);
    const index_t whole =
        is_last || waiting < head ? waiting : head + ((waiting - head) & -(index_t)UNITS_PER_LINE);
    stream_staged(turned, destination, whole);
    destination += whole;
    waiting -= whole;
    ((any_units_t *)turned)->value = ((any_units_t *)(turned + whole))->value;
  }
}
#endif

#endif
