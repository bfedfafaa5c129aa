/*
 * cpu_subbyte: units of 1, 2 or 4 bits on CPUs. A box of the inner axes is read in runs of the
 * source, its images, which become a byte for each unit; these are moved from stage to stage in
 * the cache; and runs of the destination are packed from there.
 *
 * An image may hold more than the units of the box: with steps, reversed and repeated axes it is
 * all that lies from the lowest to the highest. Where a box ends inside an axis the last one
 * is smaller.
 *
 * A byte of the destination is written by one work-item alone: by that of the run which holds the
 * lowest unit in it. Bytes that a run fills are its own. At its ends the byte may hold units of
 * other runs, which are found by division, as in subbyte; bits of no unit keep what they hold.
 *
 * Without native code each byte is written as those at the ends are.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef UNIT
#define UNIT uchar
#endif
#ifndef UNIT_BITS
#define UNIT_BITS 4
#endif
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef BOXED
#define BOXED 1
#endif
#ifndef CLRS_BIT_BLOCKS_CL
#include "bit_blocks.cl"
#endif

/* Where a unit of a box lies. */
enum { SOURCE, IMAGES, RUNS, DESTINATION, SIDES };

/* Compiled once, not wherever it is called: a compiler takes a second less. */
#if NATIVE_CODE
#define APART __attribute__((noinline))
#else
#define APART inline
#endif

typedef struct box_t {
  index_t axis_count;    /* in the order of the destination, the fastest last */
  uint in_image, in_run; /* bit k: images, or runs, hold axis k */
  index_t extents[CLRS_BOX_AXES], steps[SIDES][CLRS_BOX_AXES];
  index_t from, to; /* the first unit */
  index_t ahead;    /* bytes to where the next box begins in the source */
  index_t low, image,
      run; /* where images begin before their first unit; units of an image, a run */
} box_t;

/* What all boxes have in common. Behind the axes that number boxes the nest's axes follow, and then
 * the same again with the extents of boxes and the steps in the stages. */
inline box_t start_boxes(move_ref move) {
  box_t box = {.axis_count = move->inner_units, .in_image = (uint)move->image_axes};
  const index_t first = move->outer_axis_count;
  box.in_run = (1u << box.axis_count) - (1u << move->first_run_axis);
  SHORT_LOOP for (index_t k = 0; k < box.axis_count; k++) {
    const nest_axis_t outside = move->axes[first + k];
    const nest_axis_t inside = move->axes[first + box.axis_count + k];
    box.extents[k] = inside.extent;
    box.steps[SOURCE][k] = outside.source_stride;
    box.steps[IMAGES][k] = inside.source_stride;
    box.steps[RUNS][k] = inside.destination_stride;
    box.steps[DESTINATION][k] = outside.destination_stride;
  }
  return box;
}

/* From this box to the next in the source, in bytes; 0 after the last. */
inline index_t find_next(move_ref move, count_t i, index_t from) {
  return i + 1 < (count_t)move->count
             ? (find_in_axes(move, 0, move->outer_axis_count, i + 1).from - from) / UNITS_PER_BYTE
             : 0;
}

/* The last two of the axes that number boxes are for the axes that boxes cut, if there are any. */
inline void find_box(move_ref move, count_t i, box_t *box) {
  const index_t first = move->outer_axis_count;
  count_t rest = i;
  box->from = box->to = 0;
  SHORT_LOOP for (index_t k = first; k-- > 0;) {
    const nest_axis_t axis = move->axes[k];
    const index_t digit = take_digit(&rest, axis.extent, axis.divisor);
    const index_t cut = k == first - 1 ? move->fast_cut : k == first - 2 ? move->slow_cut : -1;
    box->from += digit * axis.source_stride;
    box->to += digit * axis.destination_stride;
    if (cut >= 0) {
      const index_t most = move->axes[first + box->axis_count + cut].extent;
      box->extents[cut] = min(most, move->axes[first + cut].extent - digit * most);
    }
  }
  box->low = 0;
  box->image = box->run = 1;
  SHORT_LOOP for (index_t k = 0; k < box->axis_count; k++) {
    const index_t reach = (box->extents[k] - 1) * box->steps[SOURCE][k];
    if ((box->in_image >> k & 1) != 0) {
      box->low += min(reach, (index_t)0);
      box->image += max(reach, -reach);
    }
    box->run *= (box->in_run >> k & 1) != 0 ? box->extents[k] : 1;
  }
}

/* Places on two sides, along the axes of a box. */
typedef struct walk_t {
  index_t digits[CLRS_BOX_AXES];
  index_t from, to;
} walk_t;

inline walk_t start_walk(index_t from, index_t to) {
  walk_t walk = {{0}, from, to};
  return walk;
}

/* To the next step of all axes but those that `but` has a bit for, the last the fastest; false
 * after the last step. */
APART bool advance(const box_t *box, uint but, int side, int other, walk_t *walk) {
  SHORT_LOOP for (index_t k = box->axis_count; k-- > 0;) {
    if ((but >> k & 1) != 0) {
      continue;
    }
    if (++walk->digits[k] < box->extents[k]) {
      walk->from += box->steps[side][k];
      walk->to += box->steps[other][k];
      return true;
    }
    walk->from -= (box->extents[k] - 1) * box->steps[side][k];
    walk->to -= (box->extents[k] - 1) * box->steps[other][k];
    walk->digits[k] = 0;
  }
  return false;
}

/* ---- bytes at the ends of runs ---- */

/* Is there a unit at this place of the destination? Gives where it comes from, and how many units
 * from here on follow each other along the innermost axis, 0 for none. */
inline index_t find_units(move_ref move, index_t place, index_t *from) {
  count_t rest = (count_t)place;
  index_t left = 1;
  *from = 0;
  SHORT_LOOP for (index_t k = move->outer_axis_count + 2 * move->inner_units; k < move->axis_count;
                  k++) {
    const nest_axis_t axis = move->axes[k];
    const count_t digit = divide(rest, axis.divisor);
    if (digit >= (count_t)axis.extent) {
      return 0;
    }
    rest -= digit * (count_t)axis.destination_stride;
    *from += (index_t)digit * axis.source_stride;
    left = axis.extent - (index_t)digit;
  }
  return rest == 0 ? left : 0;
}

/* Writes the byte in which this run begins or ends, unless it holds a lower unit of another run. */
APART void write_end(move_ref move, global const uchar *source, ulong source_start,
                     global uchar *destination, ulong destination_start, ulong byte, index_t run) {
  const index_t first_place = (index_t)(long)(byte * UNITS_PER_BYTE - destination_start);
  const index_t step = move->axes[move->axis_count - 1].source_stride;
  uint value = 0, owned = 0;
  index_t left = 0, from = 0;
  SHORT_LOOP for (index_t slot = 0; slot < UNITS_PER_BYTE; slot++) {
    const index_t place = first_place + slot;
    from += step;
    left = left > 1 ? left - 1 : place < 0 ? 0 : find_units(move, place, &from);
    if (left == 0) {
      continue;
    }
    if (place < run) {
      return;
    }
    const ulong unit = source_start + (ulong)(long)from;
    const uint bits = source[unit / UNITS_PER_BYTE] >> slot_shift((uint)(unit % UNITS_PER_BYTE));
    value |= (bits & UNIT_MASK) << slot_shift((uint)slot);
    owned |= UNIT_MASK << slot_shift((uint)slot);
  }
  destination[byte] = (uchar)(owned == 0xffu ? value : (destination[byte] & ~owned) | value);
}

/* ---- boxes ---- */

#if NATIVE_CODE
/* Units of the first byte that lie before an image are unpacked too: there is room before it. */
inline void unpack_images(const box_t *box, global const uchar *source, ulong source_start,
                          uchar *images) {
  walk_t walk = start_walk(box->from + box->low, 0);
  do {
    const ulong first = source_start + (ulong)(long)walk.from;
    const index_t past = (index_t)(first % UNITS_PER_BYTE);
    unpack_bytes(source + first / UNITS_PER_BYTE,
                 (past + box->image + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, box->ahead,
                 images + walk.to - past);
  } while (advance(box, box->in_image, SOURCE, IMAGES, &walk));
}

/* The axis with a unit step in images, or -1. */
inline index_t find_rows(const box_t *box) {
  SHORT_LOOP for (index_t k = 0; k + 1 < box->axis_count; k++) {
    if (box->steps[IMAGES][k] == 1 && box->extents[k] > 1) {
      return k;
    }
  }
  return -1;
}

/* Copies pieces where both sides have the same fastest axis, and turns squares where they have
 * not. */
inline void move_stages(const box_t *box, const uchar *images, uchar *runs) {
  const index_t column = box->axis_count - 1;
  const index_t step = box->steps[IMAGES][column], columns = box->extents[column];
  const bool is_copied = step == 1;
  const index_t row = is_copied ? column - 1 : find_rows(box);
  const uint but = 1u << column | (row >= 0 ? 1u << row : 0);
  const index_t rows = row >= 0 ? box->extents[row] : 1;
  const index_t from_step = row >= 0 ? box->steps[IMAGES][row] : 0;
  const index_t to_step = row >= 0 ? box->steps[RUNS][row] : 0;
  walk_t walk = start_walk(0, 0);
  do {
    const uchar *from = images + walk.from;
    uchar *to = runs + walk.to;
    if (is_copied) {
      copy_bytes(from, from_step, to, to_step, rows, columns);
    } else if (rows > 1 && rows * columns >= 32 &&
               zip_bytes(from, step, to, to_step, rows, columns)) {
    } else if (rows > 1 && rows * columns >= 128) {
      turn_bytes(from, step, to, to_step, rows, columns);
    } else {
      for (index_t r = 0; r < rows; r++) {
        gather_bytes(from + r * from_step, step, to + r * to_step, columns);
      }
    }
  } while (advance(box, but, IMAGES, RUNS, &walk));
}
#endif

/* Writes a run that begins at this place. It is a byte for each unit, or packed; there `before`
 * units of its first byte lie before it. */
APART void write_run(move_ref move, global const uchar *source, ulong source_start,
                     global uchar *destination, ulong destination_start, index_t place,
                     index_t units, const uchar *run, uint before) {
  const ulong first = destination_start + (ulong)(long)place, end = first + (ulong)units;
  ulong byte = first / UNITS_PER_BYTE;
  if (first % UNITS_PER_BYTE != 0) {
    write_end(move, source, source_start, destination, destination_start, byte, place);
    byte++;
  }
#if NATIVE_CODE
  if (end / UNITS_PER_BYTE > byte) {
    const uint past = (uint)(byte * UNITS_PER_BYTE - first) + before;
    const index_t count = (index_t)(end / UNITS_PER_BYTE - byte);
    if (move->box_kind != CLRS_BOX_UNPACKED) {
      write_bytes(run + past / UNITS_PER_BYTE, past % UNITS_PER_BYTE * UNIT_BITS,
                  destination + byte, count);
    } else {
      pack_bytes(run + past, destination + byte, count);
    }
    byte = end / UNITS_PER_BYTE;
  }
#else
  (void)run;
  (void)before;
#endif
  SHORT_LOOP for (; byte * UNITS_PER_BYTE < end; byte++) {
    write_end(move, source, source_start, destination, destination_start, byte, place);
  }
}

#if NATIVE_CODE
/* Where the rows of a box go, in the order in which the source has them. */
inline void list_rows(const box_t *box, index_t *rows) {
  walk_t walk = start_walk(0, box->to);
  do {
    rows[walk.from] = walk.to;
  } while (advance(box, box->in_run, SOURCE, DESTINATION, &walk));
}

/* A box of columns, images without gaps, and rows. */
inline void turn_box(move_ref move, global const uchar *source, ulong source_start,
                     global uchar *destination, ulong destination_start, const box_t *box,
                     uchar *columns, uchar *rows) {
  index_t places[CLRS_TURNED_ROWS];
  const index_t pitch = CLRS_COLUMN_PITCH(box->image / UNITS_PER_BYTE);
  const index_t row_pitch = (box->run / LINE_BYTES + 1) * PACKED_BYTES;
  list_rows(box, places);
  walk_t walk = start_walk(box->from, 0);
  index_t column = 0;
  do {
    stage_column(source, source_start + (ulong)(long)walk.from, box->image, box->ahead,
                 columns + column++ * pitch);
  } while (advance(box, box->in_image, SOURCE, DESTINATION, &walk));
  for (index_t first = 0; first < box->image; first += LANE_UNITS * UNITS_PER_BYTE) {
    const index_t count = min(box->image - first, (index_t)(LANE_UNITS * UNITS_PER_BYTE));
    turn_columns(columns + first / UNITS_PER_BYTE, pitch, box->run, rows, row_pitch,
                 (count + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE);
    for (index_t r = 0; r < count; r++) {
      write_run(move, source, source_start, destination, destination_start, places[first + r],
                box->run, rows + r * row_pitch, 0);
    }
  }
}
#endif

inline void move_cpu_subbyte(global const uchar *source, ulong source_start,
                             global uchar *destination, ulong destination_start, move_ref move) {
#if NATIVE_CODE
  uchar images[CLRS_IMAGES_ROOM + 3 * LINE_BYTES], runs[CLRS_RUNS_ROOM + 2 * LINE_BYTES];
#endif
  box_t box = start_boxes(move);
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    find_box(move, i, &box);
    box.ahead = find_next(move, i, box.from);
#if NATIVE_CODE
    if (move->box_kind == CLRS_BOX_COPIED) {
      const ulong first = source_start + (ulong)(long)box.from;
      const uint before = (uint)(first % UNITS_PER_BYTE);
      read_bytes(source + first / UNITS_PER_BYTE,
                 (index_t)(before + (ulong)box.run + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, images);
      write_run(move, source, source_start, destination, destination_start, box.to, box.run, images,
                before);
      continue;
    }
    if (move->box_kind == CLRS_BOX_TURNED) {
      turn_box(move, source, source_start, destination, destination_start, &box, images, runs);
      continue;
    }
    unpack_images(&box, source, source_start, images + LINE_BYTES);
    move_stages(&box, images + LINE_BYTES - box.low, runs);
#define RUN_AT(place) (runs + (place))
#else
#define RUN_AT(place) ((const uchar *)0) /* every byte is looked up */
#endif
    walk_t walk = start_walk(0, box.to);
    do {
      write_run(move, source, source_start, destination, destination_start, walk.to, box.run,
                RUN_AT(walk.from), 0);
    } while (advance(&box, box.in_run, RUNS, DESTINATION, &walk));
  }
}

MOVE_KERNEL(cpu_subbyte)
