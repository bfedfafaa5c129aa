/*
 * map_tile: rows that are neighbours in the source, for CPUs. The codes of all rows of a chunk are
 * staged together, a source run for each column. Bands of rows are then transposed in registers
 * (turn.cl), and the rows of a band are converted by the map.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif
#ifndef CLRS_TURN_CL
#include "turn.cl"
#endif

INLINED bool are_planes(mapped_ref move, const part_t part) {
  (void)move;
  (void)part;
  return false;
}

/* Stages a column. Sub-byte codes become bytes. */
INLINED void stage_column(global const uchar *source, index_t at, index_t rows, FROM_T *staged) {
  if (ELEMENT(FROM).bits < 8) {
    stage_packed(source, at, staged, rows);
    return;
  }
#ifdef HAS_LANES
  if (rows >= LANE_UNITS) {
    stage_run((global const FROM_T *)source + at, rows, staged);
    return;
  }
#endif
  PLAIN_LOOP
  for (index_t r = 0; r < rows; r++) {
    staged[r] = (FROM_T)load_code(ELEMENT(FROM), source, at + r);
  }
}

/* Stages all columns, `pitch` elements apart. */
INLINED void stage_columns(const rows_t *of, const part_t part, index_t pitch, FROM_T *staged) {
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  start_pieces(of->move, &of->runs, part.row, CLRS_FROM, &piece);
  do {
    PLAIN_LOOP
    for (index_t c = 0; c < piece.length; c++) {
      stage_column(of->source, piece.at + c * stride, part.rows, staged + (piece.done + c) * pitch);
    }
  } while (next_piece(of->move, &of->runs, part.row, CLRS_FROM, &piece));
}

#ifdef HAS_LANES
/* Room for columns of whole lines plus a line, and for the columns that squares read past the last
 * column. A band of rows has room behind these. */
#define COLUMN_CODES                                                                               \
  (CLRS_MAPPED_TURNED + 2 * UNITS_PER_LINE * (CLRS_MAPPED_STAGE + UNITS_PER_LINE))

INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged) {
  const stage_t stage = {staged, staged_pitch(part.rows), part.row.count};
  const index_t band = is_narrow(stage) ? UNITS_PER_LINE : LANE_UNITS;
  FROM_T *turned = staged + COLUMN_CODES;
  if (r == 0) {
    stage_columns(of, part, stage.pitch, staged);
  }
  if (r % band == 0) {
    turn_rows(stage, r, min(band, part.rows - r), turned, stage.columns);
  }
  convert_row(AS_CODES_REF(turned + r % band * stage.columns), part.row.count, stages, target);
}

MAP_PARTS_KERNEL(map_tile, 1, COLUMN_CODES + TURNED_UNITS)
#else
INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged) {
  FROM_T *turned = staged + CLRS_MAPPED_TURNED;
  if (r == 0) {
    stage_columns(of, part, part.rows, staged);
  }
  for (index_t c = 0; c < part.row.count; c++) {
    turned[c] = staged[c * part.rows + r];
  }
  convert_row(turned, part.row.count, stages, target);
}

MAP_PARTS_KERNEL(map_tile, 1, CLRS_MAPPED_TURNED + CLRS_MAPPED_STAGE)
#endif
