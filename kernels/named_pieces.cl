/*
 * The pieces of a gather or a scatter, for GPUs: the program of gpu_any with INDEXED. A work-item
 * moves a few pieces, and neighbouring work-items move neighbouring pieces. A piece is a unit. With
 * WIDE_DESTINATION a piece is a 16-byte block of a row, aligned in the destination (blocks.cl), and
 * a row may begin anywhere in its first block. All pieces are read before the first piece is
 * stored, so that many reads are under way at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_NAMED_PIECES_CL
#define CLRS_NAMED_PIECES_CL
#ifndef CLRS_ADDRESS_CL
#include "address.cl"
#endif
#ifndef CLRS_BLOCKS_CL
#include "blocks.cl"
#endif

#define PIECES CLRS_NAMED_PIECES

typedef struct piece_t {
  positions_t at; /* positions of the row's first unit, at first with place 0 on the named side */
  index_t column; /* pieces before this one in the row */
  bool is_there, is_named; /* the piece exists, and its index names a place */
} piece_t;

#if SCATTERS
#define NAMED_OF(at) (at).to
#else
#define NAMED_OF(at) (at).from
#endif

/* The start of both sides, and the element that a gather writes for a skipped index. */
typedef struct sides_t {
  row_start_t start;
  uint4 value;
} sides_t;

#define EACH_PIECE(p) UNROLLED for (int p = 0; p < PIECES; p++)

INLINED void step_along(const nest_axis_t axis, index_t steps, positions_t *at) {
  at->from += steps * axis.source_stride;
  at->to += steps * axis.destination_stride;
  at->index += steps * axis.index_stride;
}

/* Advances each piece by its digit of the axis. The last digit takes the rest. */
INLINED void step_pieces(const nest_axis_t axis, bool is_last, count_t *rests, piece_t *pieces) {
  if (is_last) {
    EACH_PIECE(p) {
      step_along(axis, (index_t)rests[p], &pieces[p].at);
    }
  } else {
    EACH_PIECE(p) {
      step_along(axis, take_digit(&rests[p], axis.extent, axis.divisor), &pieces[p].at);
    }
  }
}

/* The axes of the first of two loops. With 64-bit words, Intel's compiler does not unroll eight
 * steps of this length, and then copies all arguments into private memory. */
#define FIRST_AXES 8

/* Splits the number of each piece into digits, the fastest first: the column of the piece, and the
 * steps of the axes. In a gather of 7 rows of 5 pieces, piece 13 is number 3 of row 2. */
INLINED void find_pieces(move_ref move, count_t first, count_t step, piece_t *pieces) {
  const nest_axis_t row = move->axes[0];
  count_t rests[PIECES];
  EACH_PIECE(p) {
    rests[p] = first + (count_t)p * step;
    pieces[p].at.from = pieces[p].at.to = pieces[p].at.index = 0;
    pieces[p].is_there = rests[p] < (count_t)move->count;
    pieces[p].is_named = false;
    pieces[p].column = take_digit(&rests[p], row.extent, row.divisor);
  }
  EACH_AXIS(k, 1, FIRST_AXES, move->axis_count) {
    step_pieces(move->axes[k], k + 1 == move->axis_count, rests, pieces);
  }
  EACH_AXIS(k, FIRST_AXES, NEST_AXES, move->axis_count) {
    step_pieces(move->axes[k], k + 1 == move->axis_count, rests, pieces);
  }
}

/* Reads the indices and finds the named places. Returns true if some index is out of range. */
INLINED bool name_pieces(address_t address, move_ref move, piece_t *pieces) {
  const index_rules_t rules = rules_of(move->extent, move->rules);
  sum_t indices[PIECES];
  count_t rests[PIECES];
  bool is_any_outside = false;
#define LOAD_INDICES(ENTRY, type)                                                                  \
  EACH_PIECE(p) {                                                                                  \
    indices[p] = pieces[p].is_there ? ENTRY(type, address.indices, pieces[p].at.index) : 0;        \
  }
  AS_THEIR_TYPE(move->rules, LOAD_INDICES)
  EACH_PIECE(p) {
    bool is_outside;
    pieces[p].is_named =
        find_place(indices[p], rules, &rests[p], &is_outside) && pieces[p].is_there;
    is_any_outside |= is_outside && pieces[p].is_there;
  }
  EACH_AXIS(k, 0, CLRS_INDEX_DIGITS, move->digit_count) { /* units_to_place of each piece */
    const level_axis_t digit = move->digits[k];
    if (k + 1 == move->digit_count) {
      EACH_PIECE(p) {
        NAMED_OF(pieces[p].at) += (index_t)rests[p] * digit.stride;
      }
    } else {
      EACH_PIECE(p) {
        NAMED_OF(pieces[p].at) += take_digit(&rests[p], digit.extent, digit.divisor) * digit.stride;
      }
    }
  }
  return is_any_outside;
}

#if WIDE_DESTINATION

typedef struct held_t {
  uint words[BLOCK_WORDS];
} held_t;

INLINED row_block_t block_of(const sides_t *sides, move_ref move, const piece_t piece) {
  return find_row_block(later_row(sides->start, piece.at.from, piece.at.to), piece.column, 0,
                        move->units_per_bundle);
}

INLINED void load_piece(const sides_t *sides, move_ref move, const piece_t piece, held_t *held) {
  const row_block_t block = block_of(sides, move, piece);
  if (piece.is_named && is_whole(block)) {
    load_row_block(block, held->words);
  }
}

INLINED void store_piece(const sides_t *sides, move_ref move, const piece_t piece,
                         const held_t *held) {
  const row_block_t block = block_of(sides, move, piece);
  if (piece.is_named && is_whole(block)) {
    store_words((global uchar *)block.to, held->words);
  }
}

/* Moves the first or the last block of a row, and a block of a row whose index is skipped. */
INLINED void move_rest(const sides_t *sides, move_ref move, const piece_t piece) {
  const row_block_t block = block_of(sides, move, piece);
  if (piece.is_named) {
    move_part(block);
    return;
  }
#if !SCATTERS
  for (int i = 0; i < BLOCK_UNITS; i++) {
    if (block.before + i >= 0 && i < block.left) {
      block.to[i] = unit_of(sides->value, block.before + i);
    }
  }
#endif
}

/* Returns true if load_piece and store_piece do not move all of the piece. */
INLINED bool has_rest(const sides_t *sides, move_ref move, const piece_t piece) {
  const bool is_filled = SCATTERS ? false : piece.is_there;
  return piece.is_named ? !is_whole(block_of(sides, move, piece)) : is_filled;
}

INLINED index_t later_if(bool is_later, index_t earlier, index_t later) {
  return is_later ? later : earlier;
}

/* Piece number `number`, which only the run tells. All pieces are read, and none in a branch,
 * because compilers join reads in branches to one read with a variable index. */
INLINED piece_t choose_piece(const piece_t *pieces, uint number) {
  piece_t piece = pieces[0];
  EACH_PIECE(p) {
    const bool is_here = (uint)p == number;
    piece.at.from = later_if(is_here, piece.at.from, pieces[p].at.from);
    piece.at.to = later_if(is_here, piece.at.to, pieces[p].at.to);
    piece.column = later_if(is_here, piece.column, pieces[p].column);
    piece.is_named = later_if(is_here, piece.is_named, pieces[p].is_named) != 0;
  }
  return piece;
}

/* Moves the rests in a loop. Unrolled, the loop is too long for Intel's compiler, which then keeps
 * the pieces in private memory, and takes more than 128 registers on NVIDIA's GPUs. */
INLINED void move_rests(const sides_t *sides, move_ref move, const piece_t *pieces) {
  uint rests = 0; /* bit p: piece p has a rest */
  EACH_PIECE(p) {
    rests |= has_rest(sides, move, pieces[p]) ? 1u << p : 0;
  }
#pragma unroll 1
  for (uint p = 0; rests >> p != 0; p++) {
    if ((rests >> p & 1) != 0) {
      move_rest(sides, move, choose_piece(pieces, p));
    }
  }
}

#else

typedef struct held_t {
  UNIT unit;
} held_t;

INLINED void load_piece(const sides_t *sides, move_ref move, const piece_t piece, held_t *held) {
  (void)move;
#if !SCATTERS
  held->unit = unit_of(sides->value, piece.column);
#endif
  if (piece.is_named) {
    held->unit = sides->start.from[piece.at.from + piece.column];
  }
}

INLINED void store_piece(const sides_t *sides, move_ref move, const piece_t piece,
                         const held_t *held) {
  (void)move;
  if (SCATTERS ? piece.is_named : piece.is_there) {
    sides->start.to[piece.at.to + piece.column] = held->unit;
  }
}

#define move_rests(sides, move, pieces)

#endif

INLINED void move_gpu_any(const work_t work, global const UNIT *source, ulong source_start,
                          global UNIT *destination, ulong destination_start, address_t address,
                          move_ref move) {
  const sides_t sides = {{source + source_start, destination + destination_start,
                          (uint)source_start, (uint)destination_start},
                         address.value};
  const count_t item = (count_t)get_local_id(0), items = (count_t)get_local_size(0);
  FOR_EACH(i, work.first, work.step, move->count) {
    const count_t first = (i - item) * PIECES + item;
    piece_t pieces[PIECES];
    held_t held[PIECES];
    find_pieces(move, first, items, pieces);
    const bool is_any_outside = name_pieces(address, move, pieces);
    EACH_PIECE(p) {
      load_piece(&sides, move, pieces[p], &held[p]);
    }
    EACH_PIECE(p) {
      store_piece(&sides, move, pieces[p], &held[p]);
    }
    move_rests(&sides, move, pieces);
    if (is_any_outside) {
      raise_flag(address.flag, move->rules);
    }
  }
}

#endif
