/*
 * cpu_tile: the source is contiguous along the chunk's first axis (rows), and the destination along
 * the second axis (columns). For CPUs.
 *
 * Vectors are read along the source, transposed in registers, and written along the destination. If
 * all destination rows begin at lines, vectors go straight to the destination, else through a
 * stage. Without native code everything consists of squares of 4 by 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_TURN_CL
#include "turn.cl"
#endif

#define LOOK_AHEAD UNITS_PER_LINE
#define LOOK_FAR_AHEAD (4 * UNITS_PER_LINE) /* if runs do not share places of a cache */
#define LONG_RUN_BYTES 1024

#ifndef HAS_LANES
#if UNIT_BITS <= 64
typedef VECTOR_OF(UNIT, 4) small_t;
typedef struct ANY_BYTES any_small_t {
  small_t value;
} any_small_t;

HELPER void move_small_square(global const UNIT *source, index_t source_stride,
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

HELPER void move_small_squares(global const UNIT *source, index_t source_stride,
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

HELPER void move_by_unit(global const UNIT *source, index_t step, index_t source_stride,
                         global UNIT *destination, index_t destination_stride, chunk_t chunk) {
  for (index_t row = 0; row < chunk.rows; row++) {
    for (index_t column = 0; column < chunk.columns; column++) {
      destination[row * destination_stride + column] = source[row * step + column * source_stride];
    }
  }
}

#else

/* Stores lines. The first `skip` rows have been written before. */
HELPER void store_lines(const line_t *v, index_t skip, global UNIT *destination,
                        index_t destination_stride) {
#pragma unroll
  for (int i = 0; i < LANE_UNITS; i++) {
    if (i >= skip) {
      STORE_LINE(v[i], (global line_t *)(destination + i * destination_stride));
    }
  }
}

/* Transposes a line of each of UNITS_PER_LINE source runs. The lines are copied first, because runs
 * a power of two apart share few places in the cache. */
HELPER void move_square_of_lines(global const UNIT *source, index_t source_stride, index_t ahead,
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

/* Transposes a lane of each of UNITS_PER_LINE source runs. */
HELPER void move_square_of_lanes(global const UNIT *source, index_t source_stride, index_t skip,
                                 global UNIT *destination, index_t destination_stride) {
  line_t v[LANE_UNITS];
#define SOURCE_LANE(i) ((global const any_lane_t *)(source + (i)*source_stride))->value
  LOAD_LANES(v, SOURCE_LANE)
  store_lines(v, skip, destination, destination_stride);
}

/* Moves a chunk of whole lines of the destination, with at least a lane of rows. */
HELPER void move_lines(global const UNIT *source, index_t source_stride, index_t ahead,
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

HELPER bool is_of_lines(global const UNIT *destination, index_t destination_stride, chunk_t chunk) {
  return (size_t)destination_stride * sizeof(UNIT) % LINE_BYTES == 0 &&
         (size_t)destination % LINE_BYTES == 0 && chunk.columns % UNITS_PER_LINE == 0 &&
         chunk.rows >= LANE_UNITS;
}

/* Returns the distance to prefetch while a line is read. For a long run this is the next line,
 * which the hardware would prefetch too late. For short runs it is the same line of the next
 * chunk. */
HELPER index_t look_ahead(move_ref move, count_t i, chunk_t chunk) {
  if (chunk.rows * sizeof(UNIT) >= LONG_RUN_BYTES) {
    const bool share_places = (size_t)move->column.source_stride * sizeof(UNIT) % LINE_BYTES == 0;
    return share_places ? LOOK_AHEAD : LOOK_FAR_AHEAD;
  }
  return i + 1 < (count_t)move->count ? find_chunk(move, i + 1).from - chunk.from : 0;
}

/* A tile for destination rows that do not begin at lines. The chunk is copied to a stage in the
 * second-level cache first, so that source runs are read several lines at a time. The stage is then
 * transposed, some rows at a time, and written in whole lines.
 *
 * Two chunks of a row never share a line. A chunk writes from the first line that begins inside the
 * chunk to the first line that begins behind the chunk. So a chunk stages up to a line of extra
 * columns. Example: lines have 16 units, and a row begins at unit 5 of a line. Chunks of 100
 * columns write columns 0 to 106, 107 to 202 and so on, as 5 + 107 and 5 + 203 are multiples of 16.
 * If a chunk has all columns, and rows are contiguous, the rows are written as a single run. */
typedef struct tile_t {
  global const UNIT *from;
  global UNIT *to;
  index_t step; /* source step from row to row: 1 or -1 */
  index_t source_stride, destination_stride;
  index_t rows, columns;
  index_t columns_before, columns_behind; /* columns of the same rows in other chunks */
  global const UNIT *next;                /* the next chunk, with its rows and columns */
  index_t next_rows, next_columns;
} tile_t;

/* Returns the lowest unit of a source run. */
HELPER global const UNIT *lowest_unit(global const UNIT *run, index_t step, index_t rows) {
  return step == 1 ? run : run - (rows - 1);
}

/* Prefetches run `column` of this tile, or a run of the next tile. */
HELPER void fetch_column(tile_t tile, stage_t stage, index_t column) {
  const index_t behind = column - stage.columns;
  if (behind < 0) {
    global const UNIT *run = tile.from + column * tile.source_stride;
    prefetch_run(lowest_unit(run, tile.step, tile.rows), tile.rows);
  } else if (behind < tile.next_columns) {
    global const UNIT *run = tile.next + behind * tile.source_stride;
    prefetch_run(lowest_unit(run, tile.step, tile.next_rows), tile.next_rows);
  }
}

HELPER void stage_runs(tile_t tile, stage_t stage) {
  const index_t ahead = min(runs_ahead(tile.rows), stage.columns);
  for (index_t c = 0; c < stage.columns; c++) {
    global const UNIT *run = tile.from + c * tile.source_stride;
    fetch_column(tile, stage, c + ahead);
    if (tile.step == 1) {
      stage_run(run, tile.rows, stage.units + c * stage.pitch);
    } else {
      stage_run_backwards(run, tile.rows, stage.units + c * stage.pitch);
    }
  }
}

HELPER void stage_short_runs(tile_t tile, stage_t stage) {
  for (index_t c = 0; c < stage.columns; c++) {
    for (index_t r = 0; r < tile.rows; r++) {
      stage.units[c * stage.pitch + r] = tile.from[c * tile.source_stride + r * tile.step];
    }
  }
}

/* Returns true if runs are short, and gaps between runs are smaller than the runs or absent. The
 * runs are then staged together with the gaps. */
HELPER bool is_staged_whole(tile_t tile) {
  return tile.step == 1 && tile.source_stride > 0 && tile.source_stride <= UNITS_PER_LINE &&
         tile.source_stride / 2 <= tile.rows;
}

HELPER stage_t stage_source(tile_t tile, UNIT *units) {
  stage_t stage = {units, staged_pitch(tile.rows),
                   tile.columns + min(tile.columns_behind, (index_t)UNITS_PER_LINE - 1)};
  if (is_staged_whole(tile) && stage.columns > LANE_UNITS) {
    stage.pitch = tile.source_stride;
    stage_run(tile.from, (stage.columns - 1) * stage.pitch + tile.rows, units);
  } else if (tile.rows >= LANE_UNITS) {
    stage_runs(tile, stage);
  } else {
    stage_short_runs(tile, stage);
  }
  return stage;
}

COPY_SHORT_ROWS(write_short_rows, private)

/* Writes rows with gaps between them, or rows in several chunks. */
HELPER void write_rows(tile_t tile, stage_t stage, UNIT *turned) {
  const index_t pitch = stage.columns;
  const index_t band = is_narrow(stage) ? UNITS_PER_LINE : LANE_UNITS;
  const bool is_short =
      tile.columns < UNITS_PER_LINE && tile.columns_before + tile.columns_behind == 0;
  for (index_t first = 0; first < tile.rows; first += band) {
    const index_t rows = min(tile.rows - first, band);
    turn_rows(stage, first, rows, turned, pitch);
    if (is_short) {
      write_short_rows(turned, pitch, tile.to + first * tile.destination_stride,
                       tile.destination_stride, rows, tile.columns);
      continue;
    }
    for (index_t r = 0; r < rows; r++) {
      global UNIT *row = tile.to + (first + r) * tile.destination_stride;
      const index_t begin =
          tile.columns_before == 0 ? 0 : min((index_t)units_before_line(row), stage.columns);
      const index_t end =
          tile.columns + min((index_t)units_before_line(row + tile.columns), tile.columns_behind);
      if (begin < end) {
        stream_staged(turned + r * pitch + begin, row + begin, end - begin);
      }
    }
  }
}

HELPER void move_part(tile_t tile, UNIT *staged, UNIT *turned) {
  const stage_t stage = stage_source(tile, staged);
  if (tile.destination_stride == tile.columns && tile.columns_before + tile.columns_behind == 0) {
    write_run(tile.to, tile.rows, stage, turned);
  } else {
    write_rows(tile, stage, turned);
  }
}

/* Moves a tile through the stage. If the planner expects a chunk to be staged, the chunk fits into
 * the stage (src/class/tile.c). Other chunks are moved in parts. */
HELPER void move_staged(tile_t tile) {
  UNIT staged[STAGED_UNITS], turned[TURNED_UNITS];
  const index_t most = CLRS_STAGE_COLUMNS - UNITS_PER_LINE;
  const index_t columns =
      tile.columns <= CLRS_STAGE_COLUMNS - min(tile.columns_behind, (index_t)UNITS_PER_LINE)
          ? tile.columns
          : most;
  const index_t behind = tile.columns - columns + tile.columns_behind;
  const index_t staged_columns = columns + min(behind, (index_t)UNITS_PER_LINE - 1);
  const index_t read = CLRS_COLUMNS_READ(staged_columns, UNITS_PER_LINE);
  const index_t rows = ((CLRS_STAGE_LINES / read - 1) | 1) * UNITS_PER_LINE;
  for (index_t r = 0; r < tile.rows; r += rows) {
    for (index_t c = 0; c < tile.columns; c += columns) {
      tile_t part = tile;
      part.from += r * tile.step + c * tile.source_stride;
      part.to += r * tile.destination_stride + c;
      part.rows = min(rows, tile.rows - r);
      part.columns = min(columns, tile.columns - c);
      part.columns_before += c;
      part.columns_behind += tile.columns - c - part.columns;
      move_part(part, staged, turned);
    }
  }
}

HELPER tile_t find_tile(move_ref move, count_t i, chunk_t chunk, global const UNIT *from,
                        global UNIT *to) {
  const chunk_t next = find_chunk(move, i + 1);
  const nest_axis_t parts = move->axes[move->axis_count - 1];
  count_t rest = i;
  const index_t before = take_digit(&rest, parts.extent, parts.divisor) * move->column.chunk_extent;
  return (tile_t){from,
                  to,
                  move->row.source_stride,
                  move->column.source_stride,
                  move->row.destination_stride,
                  chunk.rows,
                  chunk.columns,
                  before,
                  move->column.extent - before - chunk.columns,
                  from + (next.from - chunk.from),
                  i + 1 < (count_t)move->count ? next.rows : 0,
                  i + 1 < (count_t)move->count ? next.columns : 0};
}
#endif

BODY void move_cpu_tile(const work_t work, global const UNIT *source, ulong source_start,
                        global UNIT *destination, ulong destination_start, move_ref move) {
  const index_t step = move->row.source_stride, source_stride = move->column.source_stride;
  const index_t destination_stride = move->row.destination_stride;
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const chunk_t chunk = find_chunk(move, i);
    global const UNIT *from = source + source_start + chunk.from;
    global UNIT *to = destination + destination_start + chunk.to;
#ifdef HAS_LANES
    if (step == 1 && is_of_lines(to, destination_stride, chunk)) {
      move_lines(from, source_stride, look_ahead(move, i, chunk), to, destination_stride, chunk);
      continue;
    }
    move_staged(find_tile(move, i, chunk, from, to));
#else
#if UNIT_BITS <= 64
    if (step == 1 && chunk.rows >= 4 && chunk.columns >= 4) {
      move_small_squares(from, source_stride, to, destination_stride, chunk);
      continue;
    }
#endif
    move_by_unit(from, step, source_stride, to, destination_stride, chunk);
#endif
  }
}

MOVE_KERNEL(cpu_tile)
