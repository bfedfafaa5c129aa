/*
 * A row of a mapped move: the places of the operands, and the pieces of the row. A piece is a part
 * of the row in which an operand has a constant stride.
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

/* The place of each operand at the start of a row, and the part of the row that is moved. */
typedef struct row_t {
  places_t places;
  index_t column, count;
} row_t;

INLINED index_t first_run_axis(mapped_ref move) {
  return move->axis_count - move->run_axes;
}

/* The axes of a run as each operand sees them. The last axes may be a single axis for one operand,
 * and several axes for another. */
typedef struct runs_t {
  index_t first[OPERANDS];  /* the axes from here on are one */
  index_t extent[OPERANDS]; /* extent of the single axis */
} runs_t;

/* The caller has the struct. PoCL 7.1 reads a returned struct after the struct's lifetime, when the
 * stores to it are gone (src/opencl/device/quirks.c). */
INLINED void find_runs(mapped_ref move, runs_t *runs) {
  for (int operand = 0; operand < OPERANDS; operand++) {
    index_t k = move->axis_count - 1;
    const index_t stride = move->axes[k].strides[operand];
    index_t extent = move->axes[k].extent;
    while (k > first_run_axis(move) && move->axes[k - 1].strides[operand] == stride * extent) {
      k--;
      extent *= move->axes[k].extent;
    }
    runs->first[operand] = k;
    runs->extent[operand] = extent;
  }
}

/* Walks through a row's part in pieces with a constant stride. `at` is the position of a piece in
 * the operand, `done` the position in the part, and `length` the number of elements. `left` more
 * pieces follow along the axis before the axes of the piece, `step` apart. The digit of that axis
 * is already the last digit.
 *
 * Example: a row of 128 columns has a scale for every 32 columns. The first 100 columns are pieces
 * of 32, 32, 32 and 4, and `left` is 3 at the first piece. */
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

/* Finds the start of the row's part: the digits of its column, and `inner`, the elements of a piece
 * before the part. */
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
  if (runs->first[operand] == first_run_axis(move)) { /* one piece is the whole run */
    piece->inner = row.column;
    piece->at += row.column * move->axes[move->axis_count - 1].strides[operand];
  } else {
    find_column(move, runs, row, operand, piece);
  }
  piece->length = min(runs->extent[operand] - piece->inner, row.count);
  count_pieces(move, runs, operand, piece);
}

/* Takes a step of the axes before the axis that `left` counts. */
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

/* Advances to the next piece. Returns false if there is no next piece. */
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

/* Pieces with two steps: `groups` groups of `count` pieces. A block of Q4_0 is a group of two
 * pieces, the low and the high halves of 16 bytes, and the next group is 18 bytes on. */
typedef struct block_t {
  index_t at, length, count, step, groups, group_step;
} block_t;

/* Returns how many parts of `length` elements fit in `rest` elements, at most `all`. Example: 3 of
 * 4 parts of 32 elements fit in 100 elements. */
INLINED index_t whole_parts(index_t rest, index_t length, index_t all) {
  return all * length <= rest ? all : rest / length;
}

/* Takes this piece and the next pieces that are whole in the row's part. *piece becomes the last
 * piece that was taken. Example: a row of 70 blocks of two pieces. From its first piece on, the row
 * is 70 groups of 2. From its second piece on, the first block is 1 group of 1. */
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

/* Elements of a parameter with a constant distance. Number k is at `at + k * step`, and belongs to
 * `each` neighbours of the row's part, from origin + k * each on.
 *
 * Example: a row of 128 columns has a scale for every 32 columns. The part from column 40 on has
 * the scales 1, 2 and 3. So count is 3, each is 32, and origin is -8, because 8 elements of the
 * first scale are not in the part. */
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

/* Advances past all pieces of a series. Returns false if there is no next series. */
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
