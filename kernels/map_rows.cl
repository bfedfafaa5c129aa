/*
 * map_rows: any strides, for CPUs. A row's codes are read in place if they are neighbours in the
 * source, else staged in the order of the row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif
#if MIXES
#ifndef CLRS_MAP_MIX_CL
#include "map_mix.cl"
#endif
#endif

#if RESAMPLES
/* Returns true if the run is of whole pixels, and pixels or their colours are backwards. */
INLINED bool is_flipped(mapped_ref move, const row_t row) {
  const index_t last = move->axis_count - 1, colors = move->axes[last].extent;
  const index_t color = move->axes[last].strides[CLRS_FROM];
  const index_t pixel = move->axes[last - 1].strides[CLRS_FROM];
  return move->run_axes == 2 && (color == 1 || color == -1) &&
         (pixel == colors || pixel == -colors) && row.column % colors == 0 &&
         row.count % colors == 0;
}

/* Computes the pixels forwards, and stages them in the order of the row. */
INLINED void stage_flipped(const rows_t *of, const row_t row, FROM_T *staged) {
  const loop_axis_t last = of->move->axes[of->move->axis_count - 1];
  const index_t colors = last.extent, pixels = row.count / colors, color = last.strides[CLRS_FROM];
  const index_t pixel = of->move->axes[of->move->axis_count - 2].strides[CLRS_FROM];
  const index_t first_color = color < 0 ? colors - 1 : 0;
  const index_t first = first_color + (pixel < 0 ? row.count - colors : 0);
  const index_t at = row.places.at[CLRS_FROM] + row.column / colors * pixel;
  FROM_T forwards[CLRS_MAPPED_STAGE + 2];
  sample_piece(of->source, of->move, at - first, 1, row.count, of->lines, forwards);
  for (index_t i = 0; i < pixels; i++) {
    for (index_t k = 0; k < colors; k++) {
      staged[i * colors + k] = forwards[first + i * pixel + k * color];
    }
  }
}

/* Returns the row's codes, which are computed into the stage. */
INLINED codes_ref find_codes(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  const row_t row = part.row;
  const index_t stride = of->move->axes[of->move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  if (is_flipped(of->move, row)) {
    stage_flipped(of, row, staged);
    return AS_CODES_REF(staged);
  }
  start_pieces(of->move, &of->runs, row, CLRS_FROM, &piece);
  do {
    sample_piece(of->source, of->move, piece.at, stride, piece.length, of->lines,
                 staged + piece.done);
  } while (next_piece(of->move, &of->runs, row, CLRS_FROM, &piece));
  (void)r;
  return AS_CODES_REF(staged);
}
#elif !MIXES

/* Returns the row's codes: in the source if the codes are neighbours there, else staged. */
INLINED codes_ref find_codes(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  const row_t row = part.row;
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
    const index_t done = piece.done;
    const block_t block = take_block(of->move, &of->runs, row, CLRS_FROM, &piece);
    stage_pieces(of->source, &block, stride, staged + done);
  } while (next_piece(of->move, &of->runs, row, CLRS_FROM, &piece));
  (void)r;
  return AS_CODES_REF(staged);
}
#endif

/* The source elements between the end of a row and the next row, in this chunk or the next. */
INLINED index_t gap_behind(mapped_ref move, const part_t part, index_t r) {
  const index_t step = move->axes[first_run_axis(move) - 1].strides[CLRS_FROM];
  const index_t next = r + 1 < part.rows ? step : part.ahead - (part.rows - 1) * step;
  return part.row.column + part.row.count == move->run ? next - part.row.count : 0;
}

#if !MIXES
/* Returns true if the rows are planes that are interleaved in the source, such as the colours of
 * pixels, in order or in reverse. */
INLINED bool are_planes(mapped_ref move, const part_t part) {
  const bool are_units = INDEXED + (NATIVE_CODE ? 0 : RESAMPLES) > 0 ? false : ARE_UNITS;
  const index_t step = move->axes[first_run_axis(move) - 1].strides[CLRS_FROM];
  return are_units && move->run_axes == 1 && part.rows >= 2 && part.rows <= MOST_ZIPPED &&
         part.rows == move->rows && (step == 1 || step == -1) &&
         move->axes[move->axis_count - 1].strides[CLRS_FROM] == part.rows;
}

/* Returns a plane. All planes are staged with the first row, and the planes of the next chunk are
 * prefetched. In reverse, the first row is the last plane. */
INLINED codes_ref take_plane(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  const index_t step = of->move->axes[first_run_axis(of->move) - 1].strides[CLRS_FROM];
  const index_t lowest = step < 0 ? 1 - part.rows : 0, plane = step < 0 ? part.rows - 1 - r : r;
  const index_t at = part.row.places.at[CLRS_FROM] + part.row.column * part.rows + lowest;
  if (r == 0) {
#if RESAMPLES
    FROM_T sampled[MOST_ZIPPED * CLRS_MAPPED_STAGE];
    sample_piece(of->source, of->move, at, 1, part.rows * part.row.count, of->lines, sampled);
    global const UNIT *pixels = AS_SOURCE(sampled);
#else
    global const UNIT *pixels = (global const UNIT *)of->source + at;
    prefetch_run(pixels + part.ahead, part.rows * part.row.count);
#endif
    stage_unzipped(pixels, part.rows, part.rows, part.row.count, CLRS_MAPPED_STAGE, staged);
  }
  return AS_CODES_REF(staged + plane * CLRS_MAPPED_STAGE);
}
#endif

INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      target_t target, FROM_T *staged) {
  if (are_planes(of->move, part)) {
    convert_row(take_plane(of, part, r, staged), part.row.count, stages, target);
    return;
  }
  const codes_ref codes = find_codes(of, part, r, staged);
  target.gap = codes == AS_CODES_REF(staged) ? 0 : gap_behind(of->move, part, r);
  convert_row(codes, part.row.count, stages, target);
}

MAP_PARTS_KERNEL(map_rows, MOST_ZIPPED, MOST_ZIPPED *CLRS_MAPPED_STAGE)
