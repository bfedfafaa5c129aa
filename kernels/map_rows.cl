/*
 * map_rows: any strides, for CPUs. Each row's codes are taken where they are, or staged in its
 * order, if they are not neighbours already.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif
#ifndef CLRS_MAP_TABLE_CL
#include "map_table.cl"
#endif

/* The row's codes where they are neighbours in the source already, else staged. */
INLINED codes_ref find_codes(const rows_t *of, const row_t row, FROM_T *staged) {
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  start_pieces(of->move, &of->runs, row, CLRS_FROM, &piece);
#if LANES > 1
  const bool is_whole = ELEMENT(FROM).bits >= 8;
  if (is_whole && stride == 1 && piece.length == row.count) {
    return (global const FROM_T *)of->source + piece.at;
  }
#endif
  do {
    stage_piece(of->source, piece.at, stride, staged + piece.done, piece.length);
  } while (next_piece(of->move, &of->runs, row, CLRS_FROM, &piece));
  return AS_CODES_REF(staged);
}

INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged) {
  if (!convert_by_table(of->source, of->move, &of->runs, part.row, stages, target)) {
    convert_row(find_codes(of, part.row, staged), part.row.count, stages, target);
  }
  (void)r;
}

MAP_PARTS_KERNEL(map_rows, 1, CLRS_MAPPED_STAGE)
