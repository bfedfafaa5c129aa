/*
 * cpu_subbyte: units of 1, 2 or 4 bits on CPUs, a box of the inner axes at a time. What is read of
 * the source in one run is an image; what is written of the destination in one, a run. Where boxes
 * have long runs on both sides, or on one, units stay packed: parts of long runs are copied, short
 * ones shifted to where they belong, columns turned by blocks of bits (bit_blocks.cl) or by planes
 * of bytes (byte_planes.cl). All other boxes become a byte for each unit, move from stage to stage
 * in the cache, and are packed from there.
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
#ifndef CLRS_BOXES_CL
#include "boxes.cl"
#endif
#ifndef CLRS_BYTE_PLANES_CL
#include "byte_planes.cl"
#endif
#ifndef CLRS_PACKED_RUNS_CL
#include "packed_runs.cl"
#endif

#if NATIVE_CODE
/* Units of the first byte that lie before an image are unpacked too: there is room before it. */
inline void unpack_images(const buffers_t *buffers, const box_t *box, uchar *images) {
  walk_t walk = start_walk(box->from + box->low, 0);
  do {
    const ulong first = buffers->source_start + (ulong)(long)walk.from;
    const index_t past = (index_t)(first % UNITS_PER_BYTE);
    unpack_bytes(buffers->source + first / UNITS_PER_BYTE,
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

/* ---- kinds of boxes ---- */

/* A part of a run that both sides have. Gives the units of its first byte that lie before it. */
inline uint copy_run(const buffers_t *buffers, const box_t *box, uchar *run) {
  const ulong first = buffers->source_start + (ulong)(long)box->from;
  const uint before = (uint)(first % UNITS_PER_BYTE);
  read_bytes(buffers->source + first / UNITS_PER_BYTE,
             (index_t)(before + (ulong)box->run + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, run);
  return before;
}

/* Runs that are made of short ones of the source. */
inline void shift_box(move_ref move, const buffers_t *buffers, const box_t *box, uchar *run) {
  const index_t last = box->axis_count - 1, units = box->extents[last];
  walk_t outside = start_walk(box->from, box->to);
  do {
    const ulong start = buffers->destination_start + (ulong)(long)outside.to;
    const uint before = (uint)(start % UNITS_PER_BYTE);
    walk_t walk = start_walk(outside.from, before);
    do {
      shift_run(buffers, buffers->source_start + (ulong)(long)walk.from, units, run, walk.to);
    } while (advance(box, ~box->in_run | 1u << last, SOURCE, RUNS, &walk));
    write_run(move, buffers, outside.to, box->run, run, before);
  } while (advance(box, box->in_run, SOURCE, DESTINATION, &outside));
}

/* Where the rows of a box go, in the order in which the source has them. The axes of an image are
 * gone through from the smallest step on. Of one with step 4, rows 0 to 3 are listed before, and
 * rows 4 to 7 lie one step further in the destination. */
inline void list_rows(const box_t *box, index_t *places) {
  index_t listed = 1;
  places[0] = box->to;
  SHORT_LOOP for (index_t k = box->axis_count; listed < box->image && k-- > 0;) {
    const index_t rows = box->extents[k] * listed;
    if ((box->in_image >> k & 1) == 0 || box->steps[SOURCE][k] != listed || rows == listed) {
      continue;
    }
    for (index_t r = listed; r < rows; r++) {
      places[r] = places[r - listed] + box->steps[DESTINATION][k];
    }
    listed = rows;
    k = box->axis_count;
  }
}

/* How many lines are fetched before they are staged: with 48 to 96, transposes of nibbles took 0.7
 * of the time that they took when each box was fetched while the one before was staged. */
#define LINES_AHEAD 48

/* Which column is fetched while one is staged: the one so many columns further on along the
 * innermost axis. Where the axis ends before, columns go on in the next box. Of 100 columns, of
 * which 40 are fetched ahead, column 10 is staged while column 50 is fetched, and column 70 while
 * column 10 of the next box is. An axis of fewer columns fetches each column's place in the next
 * box. */
typedef struct ahead_t {
  index_t columns;
  index_t near, far; /* bytes from column to column within the box, and into the next one */
} ahead_t;

inline ahead_t find_ahead(const box_t *box) {
  const index_t last = box->axis_count - 1, columns = box->extents[last];
  const index_t step = box->steps[SOURCE][last];
  const index_t count = 1 + LINES_AHEAD * LINE_BYTES * UNITS_PER_BYTE / box->image;
  ahead_t ahead = {count, box->ahead, box->ahead};
  if (count < columns) {
    ahead.near = count * step / UNITS_PER_BYTE;
    ahead.far += (count - columns) * step / UNITS_PER_BYTE;
  }
  return ahead;
}

/* The columns of a box, in the order of its runs, each N of which become blocks that are turned. */
inline void stage_blocks(const buffers_t *buffers, const box_t *box, uchar *columns,
                         index_t pitch) {
  const index_t last = box->axis_count - 1, extent = box->extents[last], image = box->image;
  const index_t bytes = (image + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
  const index_t step = box->steps[SOURCE][last];
  const ahead_t ahead = find_ahead(box);
  index_t count = 0;
  walk_t walk = start_walk(box->from, 0);
  do {
    ulong unit = buffers->source_start + (ulong)(long)walk.from;
    for (index_t i = 0; i < extent; i++, unit += (ulong)(long)step) {
      stage_column(buffers->source, unit, image,
                   i + ahead.columns < extent ? ahead.near : ahead.far, columns + count * pitch);
      if (++count % UNITS_PER_BYTE == 0) {
        turn_blocks(columns + (count - UNITS_PER_BYTE) * pitch, pitch, bytes);
      }
    }
  } while (advance(box, box->in_image | 1u << last, SOURCE, DESTINATION, &walk));
  if (count % UNITS_PER_BYTE != 0) {
    turn_blocks(columns + count / UNITS_PER_BYTE * UNITS_PER_BYTE * pitch, pitch, bytes);
  }
}

/* Do the rows of a box follow each other without a gap, in whole bytes? */
inline bool has_dense_rows(const box_t *box, const index_t *places) {
  index_t differs = box->run % UNITS_PER_BYTE;
  for (index_t r = 1; r < box->image; r++) {
    differs |= (places[r] - places[r - 1]) ^ box->run;
  }
  return differs == 0;
}

/* A box of columns, images without gaps, and rows. Row p * N + k is made of byte p of columns k,
 * N + k, 2 * N + k and so on, whose blocks have been turned. */
inline void turn_box(move_ref move, const buffers_t *buffers, const box_t *box, uchar *columns,
                     uchar *rows) {
  index_t places[CLRS_TURNED_ROWS];
  list_rows(box, places);
  const bool is_dense = has_dense_rows(box, places);
  const index_t pitch = CLRS_COLUMN_PITCH(box->image / UNITS_PER_BYTE);
  const index_t bytes = (box->run + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
  const index_t row_pitch = is_dense ? bytes : bytes + LINE_BYTES / 2;
  stage_blocks(buffers, box, columns, pitch);
  for (index_t first = 0; first < box->image; first += LANE_UNITS * UNITS_PER_BYTE) {
    const index_t count = min(box->image - first, (index_t)(LANE_UNITS * UNITS_PER_BYTE));
    SHORT_LOOP for (index_t k = 0; k < UNITS_PER_BYTE; k++) {
      turn_bytes(columns + first / UNITS_PER_BYTE + k * pitch, UNITS_PER_BYTE * pitch,
                 rows + k * row_pitch, UNITS_PER_BYTE * row_pitch,
                 (count - k + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, bytes);
    }
    const index_t together = is_dense ? count : 1;
    for (index_t r = 0; r < count; r += together) {
      write_run(move, buffers, places[first + r], together * box->run, rows + r * row_pitch, 0);
    }
  }
}

/* Do all runs of the box, of its last axis, begin where a byte does? */
inline bool begins_bytes(const buffers_t *buffers, const box_t *box) {
  ulong past = buffers->destination_start + (ulong)(long)box->to;
  SHORT_LOOP for (index_t k = 0; k + 1 < box->axis_count; k++) {
    past |= (ulong)(long)box->steps[DESTINATION][k];
  }
  return past % UNITS_PER_BYTE == 0;
}

/* Images, and runs of one axis that no image has. A byte that the runs of two boxes share is
 * written with the lower one, which reads some columns of the other for it. */
inline void unzip_box(move_ref move, const buffers_t *buffers, const box_t *box, uchar *stage,
                      uchar *run) {
  const index_t last = box->axis_count - 1, units = box->extents[last];
  const index_t more = box->ends || begins_bytes(buffers, box) ? 0 : UNITS_PER_BYTE - 1;
  const columns_t columns = {buffers->source_start + (ulong)(long)(box->from + box->low),
                             box->steps[SOURCE][last], units + more, box->image, box->ahead};
  planes_t planes;
  planes.bytes = stage;
  planes.pitch = CLRS_PLANE_PITCH((units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE);
  stage_planes(buffers->source, buffers->range, &columns, &planes);
  walk_t walk = start_walk(-box->low, box->to);
  do {
    const ulong start = buffers->destination_start + (ulong)(long)walk.to;
    const ulong end = start + (ulong)units;
    const ulong first = (start + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
    const ulong past = (box->ends ? end : end + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
    const index_t lead = (index_t)(first * UNITS_PER_BYTE - start);
    const index_t skipped = box->begins ? 0 : lead;
    const index_t written =
        (box->ends ? units : (index_t)(past * UNITS_PER_BYTE - start)) - skipped;
    combine_planes(&planes, walk.from, (uint)lead, (index_t)(past - first), run + LINE_BYTES);
    write_run(move, buffers, walk.to + skipped, written, run + LINE_BYTES - (lead > skipped),
              lead > skipped ? (uint)(UNITS_PER_BYTE - lead) : 0);
  } while (advance(box, 1u << last, SOURCE, DESTINATION, &walk));
}

/* One run, of which the first axis is in runs of the source. */
inline void zip_run(const buffers_t *buffers, const box_t *box, uchar *stage, uchar *run) {
  const index_t units = box->extents[0];
  const index_t bytes = (units + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE;
  rows_t rows;
  rows.bytes = stage;
  rows.count = 0;
  rows.pitch = CLRS_PLANE_PITCH(bytes);
  walk_t walk = start_walk(box->from, 0);
  do {
    stage_row(buffers->source, buffers->source_start + (ulong)(long)walk.from, units, box->ahead,
              &rows);
  } while (advance(box, 1, SOURCE, RUNS, &walk));
  uchar *planes = stage + rows.count * rows.pitch;
  interleave_rows(&rows, bytes, planes);
  turn_or_zip(planes, rows.pitch, run, rows.count, bytes, rows.count);
}

/* Images and runs of any kind, as bytes. */
inline void unpack_runs(const buffers_t *buffers, const box_t *box, uchar *images, uchar *runs) {
  unpack_images(buffers, box, images + LINE_BYTES);
  move_stages(box, images + LINE_BYTES - box->low, runs);
}

/* Runs are written from as few places as can be: PoCL 7.1 inlines write_run at each of them. With
 * seven places its compiler took half a second longer than with four. */
inline void move_box(move_ref move, const buffers_t *buffers, const box_t *box, uchar *images,
                     uchar *runs) {
  uint before = 0, but = ~0u; /* but for all axes: one run */
  switch (move->box_kind) {
  case CLRS_BOX_SHIFTED:
    shift_box(move, buffers, box, runs);
    return;
  case CLRS_BOX_TURNED:
    turn_box(move, buffers, box, images, runs);
    return;
  case CLRS_BOX_UNZIPPED:
    unzip_box(move, buffers, box, images, runs);
    return;
  case CLRS_BOX_COPIED:
    before = copy_run(buffers, box, runs);
    break;
  case CLRS_BOX_ZIPPED:
    zip_run(buffers, box, images, runs);
    break;
  default:
    unpack_runs(buffers, box, images, runs);
    but = box->in_run;
  }
  walk_t walk = start_walk(0, box->to);
  do {
    write_run(move, buffers, walk.to, box->run, runs + walk.from, before);
  } while (advance(box, but, RUNS, DESTINATION, &walk));
}
#else
/* Every byte is looked up. */
inline void look_up_box(move_ref move, const buffers_t *buffers, const box_t *box) {
  walk_t walk = start_walk(0, box->to);
  do {
    write_run(move, buffers, walk.to, box->run, 0, 0);
  } while (advance(box, box->in_run, RUNS, DESTINATION, &walk));
}
#endif

inline void move_cpu_subbyte(global const uchar *source, ulong source_start,
                             global uchar *destination, ulong destination_start, move_ref move) {
#if NATIVE_CODE
  uchar images[CLRS_IMAGES_ROOM + 3 * LINE_BYTES], runs[CLRS_RUNS_ROOM + 3 * LINE_BYTES];
#endif
  const buffers_t buffers = {source, source_start, destination, destination_start,
                             find_range(move, source_start)};
  box_t box = start_boxes(move);
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    find_box(move, i, &box);
    box.ahead = find_next(move, i, box.from);
#if NATIVE_CODE
    move_box(move, &buffers, &box, images, runs);
#else
    look_up_box(move, &buffers, &box);
#endif
  }
}

MOVE_KERNEL(cpu_subbyte)
