/*
 * cpu_tile: the source is contiguous along rows of the chunk's first axis, the destination along its
 * second. For CPUs.
 *
 * Vectors are read along the source, transposed in registers, and written along the destination:
 * whole lines of it where its rows begin at lines; elsewhere a chunk is staged, so that most of
 * each row is whole lines all the same. A chunk that is narrower than a line is made of squares, one
 * that is narrower than SIDE of squares of 4, and one that is narrower still goes unit by unit. An
 * edge that is no multiple of a square is covered by a last square that overlaps the one before.
 * Without native code all is made of squares of 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

#define LOOK_AHEAD UNITS_PER_LINE
#define LONG_RUN_BYTES 1024

#ifdef HAS_SQUARES
#define SQUARES_PER_LINE (UNITS_PER_LINE / SIDE)

/* SIDE vectors along the source, transposed: vector i then runs along row i of the destination. */
inline void load_square(global const UNIT *source, index_t source_stride, side_t *v) {
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    global const UNIT *run = source + i * source_stride;
    PREFETCH(run + LOOK_AHEAD);
    v[i] = ((global const any_side_t *)run)->value;
  }
  transpose_square(v);
}

/* Rows of one square that follow each other without a gap are lines too. */
inline void store_dense_square(const side_t *v, global UNIT *destination) {
#pragma unroll
  for (int i = 0; i < SIDE; i += SQUARES_PER_LINE) {
    side_t line[SQUARES_PER_LINE];
#pragma unroll
    for (int row = 0; row < SQUARES_PER_LINE; row++) {
      line[row] = v[i + row];
    }
    STORE_LINE(*(uint16 *)line, (global uint16 *)(destination + i * SIDE));
  }
}

inline void move_square(global const UNIT *source, index_t source_stride, global UNIT *destination,
                        index_t destination_stride) {
  side_t v[SIDE];
  load_square(source, source_stride, v);
  if (destination_stride == SIDE && (size_t)destination % LINE_BYTES == 0) {
    store_dense_square(v, destination);
    return;
  }
#pragma unroll
  for (int i = 0; i < SIDE; i++) {
    ((global any_side_t *)(destination + i * destination_stride))->value = v[i];
  }
}

inline void move_squares(global const UNIT *source, index_t source_stride, global UNIT *destination,
                         index_t destination_stride, chunk_t chunk) {
  for (index_t r = 0; r < chunk.rows; r += SIDE) {
    const index_t row = min(r, chunk.rows - SIDE);
    for (index_t c = 0; c < chunk.columns; c += SIDE) {
      const index_t column = min(c, chunk.columns - SIDE);
      move_square(source + row + column * source_stride, source_stride,
                  destination + row * destination_stride + column, destination_stride);
    }
  }
}

#endif

#if UNIT_BITS <= 64
typedef VECTOR_OF(UNIT, 4) small_t;
typedef struct __attribute__((packed)) any_small_t {
  small_t value;
} any_small_t;

inline void move_small_square(global const UNIT *source, index_t source_stride,
                              global UNIT *destination, index_t destination_stride) {
  const small_t a = ((global const any_small_t *)source)->value;
  const small_t b = ((global const any_small_t *)(source + source_stride))->value;
  const small_t c = ((global const any_small_t *)(source + 2 * source_stride))->value;
  const small_t d = ((global const any_small_t *)(source + 3 * source_stride))->value;
  const small_t rows[4] = {(small_t)(a.x, b.x, c.x, d.x), (small_t)(a.y, b.y, c.y, d.y),
                           (small_t)(a.z, b.z, c.z, d.z), (small_t)(a.w, b.w, c.w, d.w)};
#pragma unroll
  for (int i = 0; i < 4; i++) {
    ((global any_small_t *)(destination + i * destination_stride))->value = rows[i];
  }
}

inline void move_small_squares(global const UNIT *source, index_t source_stride,
                               global UNIT *destination, index_t destination_stride,
                               chunk_t chunk) {
  for (index_t r = 0; r < chunk.rows; r += 4) {
    const index_t row = min(r, chunk.rows - 4);
    for (index_t c = 0; c < chunk.columns; c += 4) {
      const index_t column = min(c, chunk.columns - 4);
      move_small_square(source + row + column * source_stride, source_stride,
                        destination + row * destination_stride + column, destination_stride);
    }
  }
}

#endif

inline void move_by_unit(global const UNIT *source, index_t source_stride, global UNIT *destination,
                         index_t destination_stride, chunk_t chunk) {
  for (index_t row = 0; row < chunk.rows; row++) {
    for (index_t column = 0; column < chunk.columns; column++) {
      destination[row * destination_stride + column] = source[row + column * source_stride];
    }
  }
}

#ifdef HAS_LANES
/* The first `skip` rows have been written before. */
inline void store_lines(const line_t *v, index_t skip, global UNIT *destination,
                        index_t destination_stride) {
#pragma unroll
  for (int i = 0; i < LANE_UNITS; i++) {
    if (i >= skip) {
      STORE_LINE(v[i], (global line_t *)(destination + i * destination_stride));
    }
  }
}

/* As many runs of the source as a line has units, a line of each. They are copied first: runs
 * that lie a power of two apart share few places in the cache. */
inline void move_square_of_lines(global const UNIT *source, index_t source_stride, index_t ahead,
                                 global UNIT *destination, index_t destination_stride) {
  union {
    uint16 lines[UNITS_PER_LINE];
    lane_t lanes[UNITS_PER_LINE][LINE_LANES];
  } staged;
#pragma unroll 8
  for (int i = 0; i < UNITS_PER_LINE; i++) {
    global const UNIT *run = source + i * source_stride;
    PREFETCH(run + ahead);
    staged.lines[i] = ((global const any_line_t *)run)->value;
  }
  for (int part = 0; part < LINE_LANES; part++) {
    line_t v[LANE_UNITS];
#define STAGED_LANE(i) staged.lanes[i][part]
    LOAD_LANES(v, STAGED_LANE)
    store_lines(v, 0, destination + part * LANE_UNITS * destination_stride, destination_stride);
  }
}

/* The same of a lane of each run. */
inline void move_square_of_lanes(global const UNIT *source, index_t source_stride, index_t skip,
                                 global UNIT *destination, index_t destination_stride) {
  line_t v[LANE_UNITS];
#define SOURCE_LANE(i) ((global const any_lane_t *)(source + (i)*source_stride))->value
  LOAD_LANES(v, SOURCE_LANE)
  store_lines(v, skip, destination, destination_stride);
}

/* A chunk of whole lines of the destination, of at least a lane of rows. */
inline void move_lines(global const UNIT *source, index_t source_stride, index_t ahead,
                       global UNIT *destination, index_t destination_stride, chunk_t chunk) {
  index_t r = 0;
  for (; r + UNITS_PER_LINE <= chunk.rows; r += UNITS_PER_LINE) {
    for (index_t c = 0; c < chunk.columns; c += UNITS_PER_LINE) {
      move_square_of_lines(source + r + c * source_stride, source_stride, ahead,
                           destination + r * destination_stride + c, destination_stride);
    }
  }
  for (; r < chunk.rows; r += LANE_UNITS) {
    const index_t row = min(r, chunk.rows - LANE_UNITS);
    for (index_t c = 0; c < chunk.columns; c += UNITS_PER_LINE) {
      move_square_of_lanes(source + row + c * source_stride, source_stride, r - row,
                           destination + row * destination_stride + c, destination_stride);
    }
  }
}

inline bool is_of_lines(global const UNIT *destination, index_t destination_stride,
                        chunk_t chunk) {
  return (size_t)destination_stride * sizeof(UNIT) % LINE_BYTES == 0 &&
         (size_t)destination % LINE_BYTES == 0 && chunk.columns % UNITS_PER_LINE == 0 &&
         chunk.rows >= LANE_UNITS;
}

/* What to prefetch while a line is read: the next one of a long run, which the hardware would not
 * foresee in time; of short runs the same one of the next chunk. */
inline index_t look_ahead(move_ref move, count_t i, chunk_t chunk) {
  if (chunk.rows * sizeof(UNIT) >= LONG_RUN_BYTES) {
    return LOOK_AHEAD;
  }
  return i + 1 < (count_t)move->count ? find_chunk(move, i + 1).from - chunk.from : 0;
}

/* Where rows of the destination do not begin at lines, a chunk is copied to a stage first, which
 * is small enough for the second-level cache: runs of the source are then read, and rows of the
 * destination written, several lines at a time, and only the ends of a row are written unit by
 * unit. The planner makes chunks that fit (src/class/tile.c); others go in parts. */
#define RUNS_AHEAD 8

/* Of at least a lane. */
inline void stage_run(global const UNIT *run, index_t count, UNIT *staged) {
  index_t i = 0;
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    ((any_line_t *)(staged + i))->value = ((global const any_line_t *)(run + i))->value;
  }
  for (; i < count; i += LANE_UNITS) {
    const index_t at = min(i, count - LANE_UNITS);
    ((any_lane_t *)(staged + at))->value = ((global const any_lane_t *)(run + at))->value;
  }
}

inline void prefetch_run(global const UNIT *run, index_t count) {
  for (index_t i = 0; i < count; i += UNITS_PER_LINE) {
    PREFETCH(run + i);
  }
}

/* Lines of a staged run. Runs an odd number of them apart share no places in a cache. */
inline index_t staged_lines(index_t rows) {
  return (rows + UNITS_PER_LINE - 1) / UNITS_PER_LINE | 1;
}

/* A lane of rows from the stage, transposed, as rows of `band`. */
inline void transpose_band(const UNIT *staged, index_t pitch, index_t columns,
                           UNIT (*band)[CLRS_STAGE_COLUMNS]) {
  for (index_t c = 0; c < columns; c += UNITS_PER_LINE) {
    const index_t column = min(c, columns - UNITS_PER_LINE);
    const UNIT *corner = staged + column * pitch;
    line_t v[LANE_UNITS];
#define STAGED_RUN(i) ((const any_lane_t *)(corner + (i)*pitch))->value
    LOAD_LANES(v, STAGED_RUN)
#pragma unroll
    for (int i = 0; i < LANE_UNITS; i++) {
      ((any_units_t *)(band[i] + column))->value = v[i];
    }
  }
}

/* A chunk that fits the stage, of at least a lane of rows and a line of columns. */
inline void move_part(global const UNIT *source, index_t source_stride, global UNIT *destination,
                      index_t destination_stride, chunk_t chunk, UNIT *staged,
                      UNIT (*band)[CLRS_STAGE_COLUMNS]) {
  const index_t pitch = staged_lines(chunk.rows) * UNITS_PER_LINE;
  for (index_t c = 0; c < chunk.columns; c++) {
    if (c + RUNS_AHEAD < chunk.columns) {
      prefetch_run(source + (c + RUNS_AHEAD) * source_stride, chunk.rows);
    }
    stage_run(source + c * source_stride, chunk.rows, staged + c * pitch);
  }
  for (index_t r = 0; r < chunk.rows; r += LANE_UNITS) {
    const index_t row = min(r, chunk.rows - LANE_UNITS);
    transpose_band(staged + row, pitch, chunk.columns, band);
    for (index_t i = r - row; i < LANE_UNITS; i++) {
      stream_staged(band[i], destination + (row + i) * destination_stride, chunk.columns);
    }
  }
}

inline void move_staged(global const UNIT *source, index_t source_stride, global UNIT *destination,
                        index_t destination_stride, chunk_t chunk) {
  UNIT staged[CLRS_STAGE_LINES * UNITS_PER_LINE];
  UNIT band[LANE_UNITS][CLRS_STAGE_COLUMNS];
  const index_t columns = min(chunk.columns, (index_t)CLRS_STAGE_COLUMNS);
  const index_t lines = (CLRS_STAGE_LINES / columns - 1) | 1;
  const index_t rows = min(chunk.rows, lines * UNITS_PER_LINE);
  chunk_t part = chunk;
  for (index_t r = 0; r < chunk.rows; r += rows) {
    const index_t row = min(r, chunk.rows - LANE_UNITS);
    part.rows = min(rows, chunk.rows - row);
    for (index_t c = 0; c < chunk.columns; c += columns) {
      const index_t column = min(c, chunk.columns - UNITS_PER_LINE);
      part.columns = min(columns, chunk.columns - column);
      move_part(source + row + column * source_stride, source_stride,
                destination + row * destination_stride + column, destination_stride, part, staged,
                band);
    }
  }
}
#endif

inline void move_cpu_tile(global const UNIT *source, ulong source_start, global UNIT *destination,
                      ulong destination_start, move_ref move) {
  const index_t source_stride = move->column.source_stride;
  const index_t destination_stride = move->row.destination_stride;
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    const chunk_t chunk = find_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
#ifdef HAS_LANES
    if (is_of_lines(to, destination_stride, chunk)) {
      move_lines(from, source_stride, look_ahead(move, i, chunk), to, destination_stride, chunk);
      continue;
    }
    if (chunk.rows >= LANE_UNITS && chunk.columns >= UNITS_PER_LINE) {
      move_staged(from, source_stride, to, destination_stride, chunk);
      continue;
    }
#endif
#ifdef HAS_SQUARES
    if (chunk.rows >= SIDE && chunk.columns >= SIDE) {
      move_squares(from, source_stride, to, destination_stride, chunk);
      continue;
    }
#endif
#if UNIT_BITS <= 64
    if (chunk.rows >= 4 && chunk.columns >= 4) {
      move_small_squares(from, source_stride, to, destination_stride, chunk);
      continue;
    }
#endif
    move_by_unit(from, source_stride, to, destination_stride, chunk);
  }
}

MOVE_KERNEL(cpu_tile)
