/*
 * composed, if source and destination split the same positions into different digits. Tiles both
 * read and write in runs, although the two sides share no axes. For CPUs.
 *
 * A step of `rows.step` positions always leads to the next source run, and a step of `columns.step`
 * positions to the next destination run. So rows and columns form a lattice, and a tile of the
 * lattice is transposed like any tile. Its columns begin anywhere in the source and its rows
 * anywhere in the destination. So a tile begins with two tables, each found through the digits of
 * its side.
 *
 * Example: [6,10] is transposed, read as [15,4] and transposed again. In the source, [6,10],
 * position L is unit L / 6 of row L % 6. In the destination, [4,15], it is unit L / 4 of row L % 4.
 * So rows.step is 6 and columns.step is 4. Their common divisor leaves 2 residues, and in each
 * residue L = residue + 2 * (3 * row + 2 * column).
 *
 * The columns 0 to 2 and the rows 0 to 9 are almost a whole residue. But column 2 begins at L = 4 +
 * 4, which is unit 1 of a source row. So column 2 has a row -1, at L = 2, and no row 9. The side
 * with the smaller ratio, here 2, is the band, which is cut into tiles on its own. The lag of a
 * band's line is the distance by which the line is ahead, as column 2 is by 1.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_LATTICE_CL
#define CLRS_LATTICE_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#if UNIT_BITS >= 8 && LEVEL_AXES > 0
#define TILE_LINES CLRS_LATTICE_LINES

typedef struct lattice_side_t {
  index_t step;   /* positions */
  index_t ratio;  /* step divided by the common divisor of both steps */
  index_t extent; /* consecutive runs on that side */
  index_t per_tile;
} lattice_side_t;

/* by_rows: the bands consist of rows. If a tile has room for several times the lines across a band,
 * the tile takes the lines of several residues, which also follow each other on that side. */
typedef struct lattice_t {
  lattice_side_t band, across;
  index_t run, residues, block, residues_per_tile;
  bool by_rows;
} lattice_t;

typedef struct lattice_tile_t {
  index_t base; /* position of the tile's residue in its block */
  index_t residues;
  index_t first_in_band, band_count, first_across, across_count;
} lattice_tile_t;

HELPER index_t common_divisor(index_t a, index_t b) {
  while (b != 0) {
    const index_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Finds the row side. The innermost axes of the lowest walk, up to the axis of the source's runs,
 * cover a block too. */
HELPER lattice_side_t find_rows(move_ref move, index_t run, index_t block) {
  lattice_side_t rows = {1, 0, 1, move->tile_rows};
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

HELPER lattice_t find_lattice(move_ref move) {
  const nest_axis_t axis = move->axes[move->outer_axis_count];
  lattice_t lattice;
  lattice.run = move->lattice_run;
  lattice.block = axis.source_stride * axis.extent;
  lattice_side_t rows = find_rows(move, lattice.run, lattice.block);
  lattice_side_t columns = {axis.source_stride, 0, axis.extent, move->tile_columns};
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

/* Returns the distance, across the band, by which a line of the band is ahead. From line to line
 * the lag grows by less than one step. With band ratio 2 and across ratio 3, lines 0 to 3 have the
 * lags 0, 0, 1 and 2. */
HELPER index_t lag_of(const lattice_t *lattice, index_t in_band) {
  return in_band * lattice->band.ratio / lattice->across.ratio;
}

/* Returns the first line of a band with that lag. */
HELPER index_t first_with_lag(const lattice_t *lattice, index_t lag) {
  return (lag * lattice->across.ratio + lattice->band.ratio - 1) / lattice->band.ratio;
}

/* Finds a tile. All lines of the tile have the same lag, so the tile is a rectangle. In the example
 * above, lag 0 has the columns 0 and 1 with the rows 0 to 9, and lag 1 has column 2 with the rows
 * -1 to 8. */
HELPER lattice_tile_t find_wide_tile(const lattice_t *lattice, count_t i) {
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

/* The work of a piece: a whole tile, and the ragged lines before and after the tile in the band. If
 * the lines of a band have different lags, lines across the band at its ends meet only some lines
 * of the band. `first` and `end` are the limits of the three parts across the band. */
enum { BEFORE, WHOLE, AFTER, PARTS };
typedef struct lattice_part_t {
  lattice_tile_t tile;
  index_t first[PARTS], end[PARTS];
} lattice_part_t;

HELPER lattice_part_t part_of_wide_tile(const lattice_t *lattice, count_t i) {
  lattice_part_t part;
  part.tile = find_wide_tile(lattice, i);
  part.first[BEFORE] = part.end[BEFORE] = part.first[AFTER] = part.end[AFTER] = 0;
  part.first[WHOLE] = part.tile.first_across;
  part.end[WHOLE] = part.tile.first_across + part.tile.across_count;
  return part;
}

/* Finds a part of a band. The whole part of a band lies between the ends of the lines with the
 * least and the most lag. This part is cut into tiles, and the first and last tile include the
 * ragged ends. */
HELPER lattice_part_t find_part_of_band(const lattice_t *lattice, count_t i) {
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
  part.first[WHOLE] = (index_t)(i % parts) * across.per_tile - least;
  part.end[WHOLE] = min(part.first[WHOLE] + across.per_tile, across.extent - most);
  part.first[BEFORE] = -most;
  part.end[BEFORE] = i % parts == 0 ? -least : -most;
  part.first[AFTER] = max(across.extent - most, -least);
  part.end[AFTER] = i % parts == parts - 1 ? across.extent - least : part.first[AFTER];
  return part;
}

/* ---- starts of a tile's columns and rows ---- */

/* Takes the fastest digit of each rest, and adds the digit in steps of `stride` to the position. */
HELPER void add_digits(index_t extent, divisor_t divisor, index_t stride, index_t count,
                       index_t *rest, index_t *at) {
  for (index_t i = 0; i < count; i++) {
    count_t left = (count_t)rest[i];
    const index_t digit = take_digit(&left, extent, divisor);
    rest[i] = (index_t)left;
    at[i] += digit * stride;
  }
}

/* Translates each at[i] from a position of the nest to a position of the storage. */
HELPER void find_in_source(move_ref move, index_t count, index_t *at) {
  index_t rest[TILE_LINES];
  const index_t end = move->levels[0].axis_count;
  for (index_t i = 0; i < count; i++) {
    rest[i] = at[i] + move->first_position;
    at[i] = 0;
  }
  for (index_t next = 0; next < end; next++) {
    const level_axis_t axis = move->level_axes[next];
    add_digits(axis.extent, axis.divisor, axis.stride, count, rest, at);
  }
}

HELPER void find_in_destination(move_ref move, index_t count, index_t *at) {
  index_t rest[TILE_LINES];
  for (index_t i = 0; i < count; i++) {
    rest[i] = at[i];
    at[i] = 0;
  }
  for (index_t k = move->axis_count; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    add_digits(axis.extent, axis.divisor, axis.destination_stride, count, rest, at);
  }
}

/* Lists the part of each band line in the tile, [first, end) across the band, and the position of
 * its start. Returns false if some line covers only a part of the tile. */
HELPER bool list_band(const lattice_t *lattice, const lattice_tile_t *tile, index_t *first,
                      index_t *end, index_t *at) {
  bool whole = true;
  for (index_t i = 0; i < tile->band_count; i++) {
    const index_t in_band = tile->first_in_band + i,
                  before = lag_of(lattice, in_band) + tile->first_across;
    first[i] = min(max(-before, (index_t)0), tile->across_count);
    end[i] = min(max(lattice->across.extent - before, first[i]), tile->across_count);
    at[i] = tile->base;
    if (first[i] < end[i]) {
      at[i] +=
          in_band * lattice->band.step + (tile->first_across + first[i]) * lattice->across.step;
    }
    whole = whole && first[i] == 0 && end[i] == tile->across_count;
  }
  return whole;
}

/* Lists, for each line across the band, the first band line that meets it, and the position of that
 * meeting. */
HELPER void list_across(const lattice_t *lattice, const lattice_tile_t *tile, index_t *first,
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

/* The tables of a tile. Row r has the columns [first[r], end[r]). */
typedef struct lattice_tables_t {
  index_t rows, columns;
  bool whole;
  index_t from[TILE_LINES], to[TILE_LINES], first[TILE_LINES], end[TILE_LINES];
} lattice_tables_t;

/* Moves each at[i] back to the start of the whole line, as if the line were not cut off. */
HELPER void start_at_tile(index_t count, index_t run, const index_t *first, index_t *at) {
  for (index_t i = 0; i < count; i++) {
    at[i] -= first[i] * run;
  }
}

/* Lists the columns of each row. All lines across have the same part of the band, or a part that
 * ends earlier the further on the line is. */
HELPER void list_columns_of_rows(const lattice_t *lattice, const index_t *first_in_band,
                                 const index_t *band_first, const index_t *band_end,
                                 lattice_tables_t *tables) {
  index_t columns = tables->columns;
  for (index_t r = 0; r < tables->rows; r++) {
    if (tables->whole) {
      tables->first[r] = 0;
      tables->end[r] = columns;
    } else if (lattice->by_rows) {
      tables->first[r] = band_first[r];
      tables->end[r] = band_end[r];
    } else {
      while (columns > 0 && band_end[columns - 1] <= r) {
        columns--;
      }
      tables->first[r] = first_in_band[r];
      tables->end[r] = columns;
    }
  }
}

HELPER void list_tile(move_ref move, const lattice_t *lattice, const lattice_tile_t *tile,
                      lattice_tables_t *tables) {
  index_t band_first[TILE_LINES], band_end[TILE_LINES], first_in_band[TILE_LINES];
  const bool by_rows = lattice->by_rows;
  const index_t across = tile->residues * tile->across_count;
  tables->rows = by_rows ? tile->band_count : across;
  tables->columns = by_rows ? across : tile->band_count;
  tables->whole =
      list_band(lattice, tile, band_first, band_end, by_rows ? tables->to : tables->from);
  list_across(lattice, tile, first_in_band, by_rows ? tables->from : tables->to);
  find_in_destination(move, tables->rows, tables->to);
  find_in_source(move, tables->columns, tables->from);
  start_at_tile(tables->rows, lattice->run, by_rows ? band_first : first_in_band, tables->to);
  start_at_tile(tables->columns, lattice->run, by_rows ? first_in_band : band_first, tables->from);
  list_columns_of_rows(lattice, first_in_band, band_first, band_end, tables);
}
#endif

#endif
