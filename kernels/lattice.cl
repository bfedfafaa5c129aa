/*
 * composed, where source and destination count the same positions in digits of their own: tiles
 * that both read and write in runs, though the two share no axes. For CPUs.
 *
 * A step of `rows.step` positions leads to the next run of the source, one of `columns.step` to the
 * next run of the destination, wherever it is taken: rows and columns make a lattice, and a tile of
 * it is turned as any other. Its columns begin anywhere in the source and its rows anywhere in the
 * destination, so a tile begins with two tables, each found through the digits of its side.
 *
 * With [6,10] transposed, read as [15,4] and transposed again, position L is the unit L / 6 of row
 * L % 6 in the source, of [6,10], and the unit L / 4 of row L % 4 in the destination, of [4,15]. So
 * rows.step is 6 and columns.step 4. Their common divisor leaves 2 residues, in each of which
 * L = residue + 2 * (3 * row + 2 * column). The columns 0 to 2 and the rows 0 to 9 are nearly all
 * of one: but column 2 begins at L = 4 + 4, the unit 1 of a row of the source, so it has a row -1,
 * which is L = 2, and no row 9. The side with the smaller ratio, here 2, is the band, which is cut
 * into tiles on its own; how far a line of it is ahead, as column 2 is by 1, is its lag.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_LATTICE_CL
#define CLRS_LATTICE_CL
#ifndef CLRS_TRANSPOSE_CL
#include "transpose.cl"
#endif

#if UNIT_BITS >= 8 && LEVEL_AXES > 0
#define TILE_LINES CLRS_LATTICE_LINES
#define UNIT_BYTES (UNIT_BITS / 8)

typedef struct lattice_side_t {
  index_t step;   /* positions */
  index_t ratio;  /* the same in common divisors of both steps */
  index_t extent; /* the runs that follow each other on that side */
  index_t per_tile;
} lattice_side_t;

/* by_rows: the bands are of rows. Where a tile has room for several times all that lies across a
 * band, it takes that of several residues: they too follow each other on that side. */
typedef struct lattice_t {
  lattice_side_t band, across;
  index_t run, residues, block, residues_per_tile;
  bool by_rows;
} lattice_t;

typedef struct lattice_tile_t {
  index_t base; /* the position of its residue in its block */
  index_t residues;
  index_t first_in_band, band_count, first_across, across_count;
} lattice_tile_t;

inline index_t common_divisor(index_t a, index_t b) {
  while (b != 0) {
    const index_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The innermost axes of the lowest walk, up to that of the source's runs, count a block too. */
inline lattice_side_t find_rows(move_ref move, index_t run, index_t block) {
  lattice_side_t rows = {1, 0, 1, move->rows_per_chunk};
  for (index_t k = 0; k < move->levels[0].axis_count; k++) {
    const level_axis_t axis = move->level_axes[k];
    rows.extent = axis.extent;
    if (axis.stride == run && rows.step * axis.extent == block) {
      break;
    }
    rows.step *= axis.extent;
  }
  return rows;
}

inline lattice_t find_lattice(move_ref move) {
  const nest_axis_t axis = move->axes[move->outer_axis_count];
  lattice_t lattice;
  lattice.run = move->inner_units;
  lattice.block = axis.source_stride * axis.extent;
  lattice_side_t rows = find_rows(move, lattice.run, lattice.block);
  lattice_side_t columns = {axis.source_stride, 0, axis.extent, move->rows_per_period};
  const index_t divisor = common_divisor(rows.step, columns.step);
  lattice.residues = divisor / lattice.run;
  rows.ratio = rows.step / divisor;
  columns.ratio = columns.step / divisor;
  lattice.by_rows = rows.ratio <= columns.ratio;
  lattice.band = lattice.by_rows ? rows : columns;
  lattice.across = lattice.by_rows ? columns : rows;
  lattice.residues_per_tile = max(lattice.across.per_tile / lattice.across.extent, (index_t)1);
  return lattice;
}

/* How much further on, across the band, a line of it begins: each is less than one step more. */
inline index_t lag_of(const lattice_t *lattice, index_t in_band) {
  return in_band * lattice->band.ratio / lattice->across.ratio;
}

/* The first line of a band with that lag. */
inline index_t first_with_lag(const lattice_t *lattice, index_t lag) {
  return (lag * lattice->across.ratio + lattice->band.ratio - 1) / lattice->band.ratio;
}

/* Tiles of one lag each, so that they are rectangles. */
inline lattice_tile_t find_wide_tile(const lattice_t *lattice, count_t i) {
  const count_t lags = (count_t)lattice->band.ratio;
  const count_t parts =
      (count_t)(lattice->across.ratio / lattice->band.ratio / lattice->band.per_tile + 1);
  const count_t groups = (count_t)((lattice->residues - 1) / lattice->residues_per_tile + 1);
  const index_t lag = (index_t)(i / parts % lags);
  const index_t residue = (index_t)(i / parts / lags % groups) * lattice->residues_per_tile;
  lattice_tile_t tile;
  tile.base = (index_t)(i / parts / lags / groups) * lattice->block + residue * lattice->run;
  tile.residues = min(lattice->residues_per_tile, lattice->residues - residue);
  tile.first_in_band = first_with_lag(lattice, lag) + (index_t)(i % parts) * lattice->band.per_tile;
  tile.band_count =
      min(lattice->band.per_tile, first_with_lag(lattice, lag + 1) - tile.first_in_band);
  tile.first_across = -lag;
  tile.across_count = lattice->across.extent;
  return tile;
}

/* Where the lines of a band lie ahead of each other, those at either end of what is across do not
 * meet all of it: between `ragged` and `first`, and between `end` and `ragged_end`. What lies
 * between is cut into rectangles, of which this is one; the first and the last have the ragged ends
 * beside them. */
typedef struct lattice_part_t {
  lattice_tile_t tile;
  index_t ragged, first, end, ragged_end;
} lattice_part_t;

inline lattice_part_t find_part_of_band(const lattice_t *lattice, count_t i) {
  const lattice_side_t band = lattice->band, across = lattice->across;
  const count_t parts = (count_t)((across.extent - 1) / across.per_tile + 1);
  const count_t bands = (count_t)((across.ratio - 1) / band.per_tile + 1);
  const count_t in_block = i / parts / bands;
  const index_t start = (index_t)(i / parts % bands) * band.per_tile;
  lattice_part_t part;
  part.tile.residues = 1;
  part.tile.base = (index_t)(in_block / (count_t)lattice->residues) * lattice->block +
                   (index_t)(in_block % (count_t)lattice->residues) * lattice->run;
  part.tile.first_in_band = start;
  part.tile.band_count = min(band.per_tile, across.ratio - start);
  const index_t least = lag_of(lattice, start);
  const index_t most = lag_of(lattice, start + part.tile.band_count - 1);
  part.tile.first_across = (index_t)(i % parts) * across.per_tile - least;
  part.tile.across_count = min(across.per_tile, across.extent - most - part.tile.first_across);
  part.first = i % parts == 0 ? -least : -most;
  part.ragged = -most;
  part.ragged_end = across.extent - least;
  part.end = i % parts == parts - 1 ? max(across.extent - most, -least) : part.ragged_end;
  return part;
}

/* ---- where a tile's columns and rows begin ---- */

/* at[i], a position of the nest, becomes that in the storage. */
inline void find_in_source(move_ref move, index_t count, index_t *at) {
  index_t rest[TILE_LINES];
  const index_t end = move->levels[0].axis_count;
  for (index_t i = 0; i < count; i++) {
    rest[i] = at[i] + move->first_position;
    at[i] = 0;
  }
  for (index_t next = 0; next < end; next++) {
    const level_axis_t axis = move->level_axes[next];
    for (index_t i = 0; i < count; i++) {
      count_t left = (count_t)rest[i];
      const index_t digit = take_digit(&left, axis.extent, axis.divisor);
      rest[i] = (index_t)left;
      at[i] += digit * axis.stride;
    }
  }
}

inline void find_in_destination(move_ref move, index_t count, index_t *at) {
  index_t rest[TILE_LINES];
  for (index_t i = 0; i < count; i++) {
    rest[i] = at[i];
    at[i] = 0;
  }
  for (index_t k = move->axis_count; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    for (index_t i = 0; i < count; i++) {
      count_t left = (count_t)rest[i];
      const index_t digit = take_digit(&left, axis.extent, axis.divisor);
      rest[i] = (index_t)left;
      at[i] += digit * axis.destination_stride;
    }
  }
}

/* What of each line of the band lies in the tile, [first, end) across it, and the position where it
 * begins there. False if that is not all of the tile. */
inline bool list_band(const lattice_t *lattice, const lattice_tile_t *tile, index_t *first,
                      index_t *end, index_t *at) {
  bool whole = true;
  for (index_t i = 0; i < tile->band_count; i++) {
    const index_t in_band = tile->first_in_band + i,
                  before = lag_of(lattice, in_band) + tile->first_across;
    first[i] = clamp(-before, (index_t)0, tile->across_count);
    end[i] = clamp(lattice->across.extent - before, first[i], tile->across_count);
    at[i] = tile->base;
    if (first[i] < end[i]) {
      at[i] +=
          in_band * lattice->band.step + (tile->first_across + first[i]) * lattice->across.step;
    }
    whole = whole && first[i] == 0 && end[i] == tile->across_count;
  }
  return whole;
}

/* For each line across the band, the first line of the band that meets it, and the position where
 * they do. */
inline void list_across(const lattice_t *lattice, const lattice_tile_t *tile, index_t *first,
                        index_t *at) {
  for (index_t i = 0; i < tile->across_count; i++) {
    const index_t across = tile->first_across + i;
    index_t in_band = tile->first_in_band;
    if (across < -lag_of(lattice, in_band)) {
      in_band = first_with_lag(lattice, -across);
    }
    first[i] = in_band - tile->first_in_band;
    at[i] = tile->base + across * lattice->across.step + in_band * lattice->band.step;
  }
  for (index_t i = tile->across_count; i < tile->residues * tile->across_count; i++) {
    first[i] = first[i - tile->across_count];
    at[i] = at[i - tile->across_count] + lattice->run;
  }
}

/* A tile's tables. Row r takes the columns [first[r], end[r]). */
typedef struct lattice_tables_t {
  index_t rows, columns;
  bool whole;
  index_t from[TILE_LINES], to[TILE_LINES], first[TILE_LINES], end[TILE_LINES];
} lattice_tables_t;

/* at[i] becomes where a line would begin that were not cut off. */
inline void start_at_tile(index_t count, index_t run, const index_t *first, index_t *at) {
  for (index_t i = 0; i < count; i++) {
    at[i] -= first[i] * run;
  }
}

inline void list_by_rows(move_ref move, const lattice_t *lattice, const lattice_tile_t *tile,
                         lattice_tables_t *tables) {
  index_t met[TILE_LINES];
  tables->rows = tile->band_count;
  tables->columns = tile->residues * tile->across_count;
  tables->whole = list_band(lattice, tile, tables->first, tables->end, tables->to);
  list_across(lattice, tile, met, tables->from);
  find_in_destination(move, tables->rows, tables->to);
  find_in_source(move, tables->columns, tables->from);
  start_at_tile(tables->rows, lattice->run, tables->first, tables->to);
  start_at_tile(tables->columns, lattice->run, met, tables->from);
  for (index_t r = 0; tables->whole && r < tables->rows; r++) {
    tables->end[r] = tables->columns;
  }
}

/* Columns are lines of the band, and less of them as the lag grows. */
inline void list_by_columns(move_ref move, const lattice_t *lattice, const lattice_tile_t *tile,
                            lattice_tables_t *tables) {
  index_t first[TILE_LINES], end[TILE_LINES];
  index_t columns = tile->band_count;
  tables->rows = tile->residues * tile->across_count;
  tables->columns = columns;
  tables->whole = list_band(lattice, tile, first, end, tables->from);
  list_across(lattice, tile, tables->first, tables->to);
  find_in_destination(move, tables->rows, tables->to);
  find_in_source(move, tables->columns, tables->from);
  start_at_tile(tables->columns, lattice->run, first, tables->from);
  start_at_tile(tables->rows, lattice->run, tables->first, tables->to);
  for (index_t r = 0; r < tables->rows; r++) {
    while (!tables->whole && columns > 0 && end[columns - 1] <= r) {
      columns--;
    }
    tables->end[r] = columns;
  }
}

/* ---- moving a tile ---- */

#define RUN_PART(type)                                                                             \
  typedef struct __attribute__((packed)) part_##type {                                             \
    type value;                                                                                    \
  } part_##type;                                                                                   \
  inline void gather_##type(global const uchar *source, const index_t *from, index_t count,        \
                            index_t bytes, uchar *staged) {                                        \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    for (index_t i = 0; i < count; i++) {                                                          \
      global const uchar *run = source + (size_t)from[i] * UNIT_BYTES;                             \
      const type head = ((global const part_##type *)run)->value;                                  \
      const type tail = ((global const part_##type *)(run + last))->value;                         \
      ((part_##type *)staged)->value = head;                                                       \
      ((part_##type *)(staged + last))->value = tail;                                              \
      staged += bytes;                                                                             \
    }                                                                                              \
  }
RUN_PART(ushort)
RUN_PART(uint)
RUN_PART(ulong)
RUN_PART(uint4)
RUN_PART(uint8)

/* Runs that follow each other in the stage. Short ones are two parts that overlap; none reaches
 * over the run's ends. */
inline void gather_runs(global const UNIT *source, const index_t *from, index_t count, index_t run,
                        UNIT *staged) {
  global const uchar *bytes = (global const uchar *)source;
  const index_t run_bytes = run * UNIT_BYTES;
  if (run == 1) {
    for (index_t i = 0; i < count; i++) {
      staged[i] = source[from[i]];
    }
  } else if (run_bytes < 4) {
    gather_ushort(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 8) {
    gather_uint(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 16) {
    gather_ulong(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes < 32) {
    gather_uint4(bytes, from, count, run_bytes, (uchar *)staged);
  } else if (run_bytes <= 64) {
    gather_uint8(bytes, from, count, run_bytes, (uchar *)staged);
  } else {
    for (index_t i = 0; i < count; i++) {
      for (index_t unit = 0; unit < run; unit++) {
        staged[i * run + unit] = source[from[i] + unit];
      }
    }
  }
}

/* ---- a tile ----
 * A few columns at a time are read, all rows of them: so few pages and lines the fastest caches
 * have room for, and the next columns are on their way meanwhile. What they hold is staged, a row
 * of the stage for each of the destination; then these are written, each in whole lines. */
#define COLUMNS_AT_ONCE 64
#define LONG_RUN (16 * UNITS_PER_LINE)

/* Rows of the stage lie an odd number of lines apart, not all in one set of the cache. */
inline index_t stage_pitch(index_t units) {
  return (index_t)(((units + UNITS_PER_LINE - 1) / UNITS_PER_LINE) | 1) * UNITS_PER_LINE;
}

inline void gather_tile(global const UNIT *source, index_t run, const lattice_tables_t *tables,
                        UNIT *staged, index_t pitch) {
  for (index_t c = 0; c < tables->columns; c += COLUMNS_AT_ONCE) {
    for (index_t r = 0; r < tables->rows; r++) {
      const index_t first = max(c, tables->first[r]);
      const index_t count = min(c + COLUMNS_AT_ONCE, tables->end[r]) - first;
      gather_runs(source + r * run, tables->from + first, count, run,
                  staged + r * pitch + first * run);
    }
  }
}

/* Long runs are moved on their own. */
inline void move_long_runs(global const UNIT *source, global UNIT *destination, index_t run,
                           const lattice_tables_t *tables) {
  for (index_t r = 0; r < tables->rows; r++) {
    for (index_t c = tables->first[r]; c < tables->end[r]; c++) {
      stream_run(source + tables->from[c] + r * run, destination + tables->to[r] + c * run, run);
    }
  }
}

#if defined(HAS_LANES) && defined(HAS_SQUARES)
inline lane_t load_lane(global const UNIT *run, global const UNIT *next, bool prefetches) {
  const lane_t lane = ((global const any_lane_t *)run)->value;
  if (prefetches) {
    PREFETCH(next);
  }
  return lane;
}

/* Lanes and lines that are the last begin before the end of those before, where that is needed. */
inline void turn_tile(global const UNIT *source, const lattice_tables_t *tables, UNIT *staged,
                      index_t pitch) {
  const index_t last_column = tables->columns - UNITS_PER_LINE,
                last_row = tables->rows - LANE_UNITS;
  for (index_t c = 0; c < tables->columns; c += UNITS_PER_LINE) {
    const index_t column = min(c, last_column);
    const index_t *from = tables->from + column;
    const index_t *next = tables->from + min(column + UNITS_PER_LINE, last_column);
    for (index_t r = 0; r < tables->rows; r += LANE_UNITS) {
      const index_t row = min(r, last_row);
      const bool prefetches = r % UNITS_PER_LINE == 0;
      line_t v[LANE_UNITS];
#define LANE_OF_LATTICE(i) load_lane(source + row + from[i], source + row + next[i], prefetches)
      LOAD_LANES(v, LANE_OF_LATTICE)
#pragma unroll
      for (int i = 0; i < LANE_UNITS; i++) {
        ((any_units_t *)(staged + (row + i) * pitch + column))->value = v[i];
      }
    }
  }
}
#define CAN_TURN(run, tables)                                                                      \
  (run == 1 && (tables)->whole && (tables)->rows >= LANE_UNITS &&                                  \
   (tables)->columns >= UNITS_PER_LINE)
#else
#define turn_tile(source, tables, staged, pitch) (void)0
#define CAN_TURN(run, tables) false
#endif

inline void move_tables(global const UNIT *source, global UNIT *destination, index_t run,
                        const lattice_tables_t *tables) {
  UNIT staged[CLRS_LATTICE_STAGE_LINES * UNITS_PER_LINE];
  const index_t pitch = stage_pitch(tables->columns * run);
  if (run >= LONG_RUN || tables->rows * pitch > CLRS_LATTICE_STAGE_LINES * UNITS_PER_LINE) {
    move_long_runs(source, destination, run, tables);
    return;
  }
  if (CAN_TURN(run, tables)) {
    turn_tile(source, tables, staged, pitch);
  } else {
    gather_tile(source, run, tables, staged, pitch);
  }
  for (index_t r = 0; r < tables->rows; r++) {
    const index_t first = tables->first[r] * run;
    stream_staged(staged + r * pitch + first, destination + tables->to[r] + first,
                  (tables->end[r] - tables->first[r]) * run);
  }
}

inline void move_lattice_tile(global const UNIT *source, global UNIT *destination, move_ref move,
                              const lattice_t *lattice, const lattice_tile_t *tile) {
  lattice_tables_t tables;
  if (tile->band_count <= 0 || tile->across_count <= 0) {
    return;
  }
  if (lattice->by_rows) {
    list_by_rows(move, lattice, tile, &tables);
  } else {
    list_by_columns(move, lattice, tile, &tables);
  }
  move_tables(source, destination, lattice->run, &tables);
}

/* All between two places across the band. */
inline void move_across(global const UNIT *source, global UNIT *destination, move_ref move,
                        const lattice_t *lattice, lattice_tile_t tile, index_t first, index_t end) {
  for (; first < end; first += lattice->across.per_tile) {
    tile.first_across = first;
    tile.across_count = min(end - first, lattice->across.per_tile);
    move_lattice_tile(source, destination, move, lattice, &tile);
  }
}

inline void move_lattice(global const UNIT *source, global UNIT *destination, move_ref move,
                         count_t first, count_t end) {
  const lattice_t lattice = find_lattice(move);
  const bool is_wide = lattice.across.per_tile > lattice.across.extent;
  for (count_t i = first; i < end; i++) {
    if (is_wide) {
      const lattice_tile_t tile = find_wide_tile(&lattice, i);
      move_lattice_tile(source, destination, move, &lattice, &tile);
      continue;
    }
    const lattice_part_t part = find_part_of_band(&lattice, i);
    move_across(source, destination, move, &lattice, part.tile, part.ragged, part.first);
    move_lattice_tile(source, destination, move, &lattice, &part.tile);
    move_across(source, destination, move, &lattice, part.tile, part.end, part.ragged_end);
  }
}
#endif

#endif
