/*
 * gpu_any: units of whole bytes, with any strides on both sides. This is the general move, and the
 * reference for every other class.
 *
 * The index counts the nest row-major, with destination strides descending. So neighbouring
 * work-items write neighbouring units. If `units_per_bundle` destination units are contiguous and
 * aligned to a word or to 16 bytes, a work-item moves such a bundle and writes the bundle at once.
 * The host ensures that at most one step of the other axes lies inside a bundle.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef OWN_WORDS
#define OWN_WORDS bundle
#endif
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#if INDEXED
#ifndef CLRS_NAMED_PIECES_CL
#include "named_pieces.cl"
#endif
#else

#define WIDE_UNITS (128 / UNIT_BITS)

/* The source of consecutive units: the first `left` units start at `first`, and the other units at
 * `second`. `second` is the position that unit 0 would have there. */
typedef struct neighbours_t {
  index_t first, second, left, stride;
} neighbours_t;

/* Finds the source of a bundle. Example: 4 units from unit 7 on, along an axis of extent 9 and
 * source stride 2. Units 7 and 8 start at position 14. The next two are units 0 and 1 of the next
 * step, at position 100 say, so `second` is 100 - 2 * 2. */
INLINED neighbours_t find_neighbours(move_ref move, count_t unit, index_t from) {
  const nest_axis_t axis = move->axes[0];
  count_t rest = unit;
  neighbours_t found = {from, from, axis.extent - take_digit(&rest, axis.extent, axis.divisor),
                        axis.source_stride};
  if (found.left < move->units_per_bundle) {
    const count_t next = unit + (count_t)found.left;
    found.second = find_positions(move, next).from - found.left * found.stride;
  }
  return found;
}

INLINED UNIT load_neighbour(global const UNIT *source, neighbours_t of, int k) {
  return source[(k < of.left ? of.first : of.second) + k * of.stride];
}

#if UNIT_BITS < 32
/* Returns a word of units, from the k-th on. */
INLINED uint load_word(global const UNIT *source, neighbours_t of, int k) {
  uint units[WORD_UNITS], word = 0;
#pragma unroll
  for (int i = 0; i < WORD_UNITS; i++) {
    units[i] = load_neighbour(source, of, k + i);
  }
#pragma unroll
  for (int i = 0; i < WORD_UNITS; i++) {
    word |= units[i] << (i * UNIT_BITS);
  }
  return word;
}
#endif

INLINED void move_wide(global const UNIT *source, neighbours_t of, global UNIT *to) {
#if UNIT_BITS < 32
  *(global uint4 *)to =
      (uint4)(load_word(source, of, 0), load_word(source, of, WORD_UNITS),
              load_word(source, of, 2 * WORD_UNITS), load_word(source, of, 3 * WORD_UNITS));
#elif UNIT_BITS == 32
  *(global uint4 *)to = (uint4)(load_neighbour(source, of, 0), load_neighbour(source, of, 1),
                                load_neighbour(source, of, 2), load_neighbour(source, of, 3));
#elif UNIT_BITS == 64
  *(global ulong2 *)to = (ulong2)(load_neighbour(source, of, 0), load_neighbour(source, of, 1));
#else
  *to = load_neighbour(source, of, 0);
#endif
}

BODY void move_gpu_any(const work_t work, global const UNIT *source, ulong source_start,
                       global UNIT *destination, ulong destination_start, move_ref move) {
  source += source_start;
  destination += destination_start;
  const count_t width = (count_t)move->units_per_bundle, bundles = (count_t)move->bundles;
  FOR_EACH(i, work.first, work.step, move->count) {
    const bool is_bundle = i < bundles;
    const count_t unit = is_bundle ? i * width : bundles * width + (i - bundles);
    const positions_t at = find_positions(move, unit);
    if (!is_bundle) {
      destination[at.to] = source[at.from];
    } else {
      const neighbours_t of = find_neighbours(move, unit, at.from);
#if UNIT_BITS < 32
      if (width == WORD_UNITS) {
        *(global uint *)(destination + at.to) = load_word(source, of, 0);
      } else
#endif
      {
        move_wide(source, of, destination + at.to);
      }
    }
  }
}

#endif

MOVE_KERNEL(gpu_any)
