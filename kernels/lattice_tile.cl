/*
 * Moves the tiles of a lattice, for composed. The columns of a tile begin anywhere in the source,
 * and its rows anywhere in the destination. For CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_LATTICE_TILE_CL
#define CLRS_LATTICE_TILE_CL
#ifndef CLRS_COLUMNS_CL
#include "columns.cl"
#endif
#ifndef CLRS_LATTICE_CL
#include "lattice.cl"
#endif

#if UNIT_BITS >= 8 && LEVEL_AXES > 0
/* ---- a tile ----
 * All rows of COLUMNS_AT_ONCE columns are read at a time, while the next columns are prefetched.
 * The units are staged in rows of the destination. Then each row is written in whole lines. */
#define LONG_RUN (16 * UNITS_PER_LINE)

HELPER void gather_tile(global const UNIT *source, index_t run, const lattice_tables_t *tables,
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

/* Moves long runs singly, without a stage. */
HELPER void move_long_runs(global const UNIT *source, global UNIT *destination, index_t run,
                           const lattice_tables_t *tables) {
  for (index_t r = 0; r < tables->rows; r++) {
    for (index_t c = tables->first[r]; c < tables->end[r]; c++) {
      stream_run(source + tables->from[c] + r * run, destination + tables->to[r] + c * run, run);
    }
  }
}

#if defined(HAS_LANES) && defined(HAS_SQUARES)
/* Transposes a tile. The last lane and the last line overlap those before, if necessary. */
HELPER void turn_tile(global const UNIT *source, const lattice_tables_t *tables, UNIT *staged,
                      index_t pitch) {
  const index_t last_column = tables->columns - UNITS_PER_LINE,
                last_row = tables->rows - LANE_UNITS;
  for (index_t c = 0; c < tables->columns; c += UNITS_PER_LINE) {
    const index_t column = min(c, last_column);
    const index_t *from = tables->from + column;
    const index_t *next = tables->from + min(column + UNITS_PER_LINE, last_column);
    for (index_t r = 0; r < tables->rows; r += LANE_UNITS) {
      const index_t row = min(r, last_row);
      const fetch_t fetch = {r % UNITS_PER_LINE == 0 ? source + row : 0, next};
      turn_lanes(source + row, from, fetch, staged + row * pitch + column, pitch);
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

HELPER void move_tables(global const UNIT *source, global UNIT *destination, index_t run,
                        const lattice_tables_t *tables) {
  UNIT staged[CLRS_LATTICE_STAGE_LINES * UNITS_PER_LINE];
  const index_t pitch = staged_pitch(tables->columns * run);
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

HELPER void move_lattice(global const UNIT *source, global UNIT *destination, move_ref move,
                         count_t first, count_t end) {
  const lattice_t lattice = find_lattice(move);
  const bool is_wide = lattice.across.per_tile > lattice.across.extent;
  lattice_tables_t tables;
  for (count_t i = first; i < end; i++) {
    lattice_part_t part = is_wide ? part_of_wide_tile(&lattice, i) : find_part_of_band(&lattice, i);
    for (int which = 0; which < PARTS && part.tile.band_count > 0; which++) {
      for (index_t across = part.first[which]; across < part.end[which];
           across += lattice.across.per_tile) {
        part.tile.first_across = across;
        part.tile.across_count = min(part.end[which] - across, lattice.across.per_tile);
        list_tile(move, &lattice, &part.tile, &tables);
        move_tables(source, destination, lattice.run, &tables);
      }
    }
  }
}
#endif

#endif
