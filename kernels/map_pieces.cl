/*
 * A row of a mapped move: where its operands stand, and the pieces of it in which one of them has
 * one stride.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PIECES_CL
#define CLRS_MAP_PIECES_CL
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

/* Where each operand stands before a row, and the row's part that is moved. */
typedef struct row_t {
  places_t places;
  index_t column, count;
} row_t;

INLINED index_t first_run_axis(mapped_ref move) {
  return move->axis_count - move->run_axes;
}

/* The axes of a run as one operand sees them: the last of them may be one for it, though not for
 * another. */
typedef struct runs_t {
  index_t first[OPERANDS];  /* the axes from here on are one */
  index_t extent[OPERANDS]; /* of that one */
} runs_t;

INLINED runs_t find_runs(mapped_ref move) {
  runs_t runs;
  for (int operand = 0; operand < OPERANDS; operand++) {
    index_t k = move->axis_count - 1;
    const index_t stride = move->axes[k].strides[operand];
    index_t extent = move->axes[k].extent;
    while (k > first_run_axis(move) && move->axes[k - 1].strides[operand] == stride * extent) {
      k--;
      extent *= move->axes[k].extent;
    }
    runs.first[operand] = k;
    runs.extent[operand] = extent;
  }
  return runs;
}

/* Goes through a row's part in pieces that lie at one stride: `at` is where a piece is in the
 * operand, `done` where it is in the part, `length` its elements. Along the axis before the
 * pieces' own `left` more pieces follow, `step` from each other; the digit of that axis is the last
 * one already. Of a row of 128 columns with a scale for each 32, the first 100 columns are pieces
 * of 32, 32, 32 and 4, and at the first one `left` is 3. */
typedef struct piece_t {
  index_t digits[AXES];
  index_t at, inner, done, length, left, step;
} piece_t;

INLINED void count_pieces(mapped_ref move, const runs_t *runs, int operand, piece_t *piece) {
  const index_t axis = runs->first[operand] - 1;
  piece->left = piece->step = 0;
  if (axis >= first_run_axis(move)) {
    piece->left = move->axes[axis].extent - 1 - piece->digits[axis];
    piece->step = move->axes[axis].strides[operand];
    piece->digits[axis] = move->axes[axis].extent - 1;
  }
}

/* Where the row's part begins: the digits of its column, and how much of a piece is before it. */
INLINED void find_column(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                         piece_t *piece) {
  count_t rest = (count_t)row.column;
  index_t scale = 1;
  PLAIN_LOOP
  for (index_t k = move->axis_count; k-- > first_run_axis(move);) {
    const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
    piece->at += digit * move->axes[k].strides[operand];
    piece->digits[k] = digit;
    if (k >= runs->first[operand]) {
      piece->inner += digit * scale;
      scale *= move->axes[k].extent;
    }
  }
}

INLINED void start_pieces(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                          piece_t *piece) {
  piece->at = row.places.at[operand];
  piece->inner = piece->done = 0;
  if (runs->first[operand] == first_run_axis(move)) { /* one piece is all of the run */
    piece->inner = row.column;
    piece->at += row.column * move->axes[move->axis_count - 1].strides[operand];
  } else {
    find_column(move, runs, row, operand, piece);
  }
  piece->length = min(runs->extent[operand] - piece->inner, row.count);
  count_pieces(move, runs, operand, piece);
}

/* Takes a step of the axes before the one that is counted apart. */
INLINED void carry_piece(mapped_ref move, const runs_t *runs, int operand, piece_t *piece) {
  index_t k = runs->first[operand];
  while (--k >= first_run_axis(move)) {
    piece->at += move->axes[k].strides[operand];
    if (++piece->digits[k] < move->axes[k].extent) {
      break;
    }
    piece->at -= move->axes[k].extent * move->axes[k].strides[operand];
    piece->digits[k] = 0;
  }
  count_pieces(move, runs, operand, piece);
}

/* False if there is no next one. */
INLINED bool next_piece(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                        piece_t *piece) {
  piece->done += piece->length;
  if (piece->done >= row.count) {
    return false;
  }
  piece->at -= piece->inner * move->axes[move->axis_count - 1].strides[operand];
  piece->inner = 0;
  if (piece->left > 0) {
    piece->left--;
    piece->at += piece->step;
  } else {
    carry_piece(move, runs, operand, piece);
  }
  piece->length = min(runs->extent[operand], row.count - piece->done);
  return true;
}

/* Pieces at two steps: `groups` times `count` pieces. A block of Q4_0 is a group of two pieces, the
 * low and the high halves of 16 bytes, and the next group is 18 bytes on. */
typedef struct block_t {
  index_t at, length, count, step, groups, group_step;
} block_t;

/* The parts of `length` elements each, `all` at most, that fit in `rest` elements. */
INLINED index_t whole_parts(index_t rest, index_t length, index_t all) {
  return all * length <= rest ? all : rest / length;
}

/* Takes this piece and the next pieces that are whole in the row's part; *piece becomes the last
 * piece that was taken. A row of 70 blocks of two pieces, from its first piece on, is 70 groups of
 * 2; from its second piece on, the first block is 1 group of 1. */
INLINED block_t take_block(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                           piece_t *piece) {
  const index_t outer = runs->first[operand] - 2, rest = row.count - piece->done;
  block_t block = {piece->at, piece->length, 1, piece->step, 1, 0};
  if (piece->left == 0 || piece->length < runs->extent[operand]) {
    return block;
  }
  block.count = whole_parts(rest, piece->length, piece->left + 1);
  if (outer >= first_run_axis(move) && block.count == move->axes[outer + 1].extent) {
    block.groups = whole_parts(rest, block.count * piece->length,
                               move->axes[outer].extent - piece->digits[outer]);
    block.group_step = move->axes[outer].strides[operand];
  }
  const index_t more = block.count * block.groups - 1;
  piece->at += (block.groups - 1) * block.group_step + (block.count - 1) * block.step;
  piece->done += more * piece->length;
  piece->left -= block.count - 1;
  piece->digits[max(outer, (index_t)0)] += block.groups - 1;
  return block;
}

/* Elements of a parameter at one distance: number k is at `at + k * step`, and belongs to `each`
 * neighbours of the row's part, from origin + k * each on. Of a row of 128 columns with a scale for
 * each 32, the part from column 40 on has the scales 1, 2 and 3: count is 3, each 32, and origin
 * -8, for 8 elements of the first one are not in the part. */
typedef struct series_t {
  index_t at, step, count, origin, each;
} series_t;

INLINED series_t find_series(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                             const piece_t *piece) {
  const index_t stride = move->axes[move->axis_count - 1].strides[operand];
  const index_t each = runs->extent[operand], origin = piece->done - piece->inner;
  series_t series = {piece->at, stride, piece->length, piece->done, 1};
  if (stride == 0) {
    series.step = piece->step;
    series.count = min(piece->left + 1, (row.count - origin + each - 1) / each);
    series.origin = origin;
    series.each = each;
  }
  return series;
}

/* Goes on behind all pieces of a series; false if there is no next one. */
INLINED bool next_series(mapped_ref move, const runs_t *runs, const row_t row, int operand,
                         piece_t *piece) {
  if (move->axes[move->axis_count - 1].strides[operand] == 0) {
    piece->at += piece->left * piece->step;
    piece->length += piece->left * runs->extent[operand];
    piece->left = 0;
  }
  return next_piece(move, runs, row, operand, piece);
}

#endif
