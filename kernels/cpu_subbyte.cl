/*
 * cpu_subbyte: units of 1, 2 or 4 bits on CPUs, a box of the inner axes at a time. An image is a
 * part of the source that is read in one run. A run is a part of the destination that is written in
 * one run. The units of a box become a byte each, move from stage to stage in the cache, and are
 * then packed. A box that is part of a long run on both sides stays packed.
 *
 * An image may hold more than the units of the box. With steps, reversed and repeated axes, an
 * image has all units from the lowest to the highest. If an axis is not a multiple of boxes, the
 * last box is smaller.
 *
 * Each byte of the destination is written by one work-item only: the work-item of the run that
 * holds the lowest unit of the byte. Bytes that a run fills belong to that run alone. The bytes at
 * the ends of a run may hold units of other runs, which are found by division, as in subbyte. Bits
 * of no unit stay.
 *
 * Without native code all bytes are written like the bytes at the ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_BOXES_CL
#include "boxes.cl"
#endif
#ifndef CLRS_PACKED_RUNS_CL
#include "packed_runs.cl"
#endif

#if NATIVE_CODE
/* Lines that are prefetched before they are unpacked. With 48 lines instead of a whole box,
 * transposes were 1.1 times as fast. */
#define LINES_AHEAD 48

/* Returns the bytes from an image that is unpacked to the image that is prefetched at the same
 * time. The second image is some images further on along the axis of the images, or in the next box
 * if the axis is too short. */
HELPER index_t find_ahead(const box_t *box) {
  const index_t count = 1 + LINES_AHEAD * LINE_BYTES * UNITS_PER_BYTE / box->image;
  index_t ahead = box->ahead;
  SHORT_LOOP for (index_t k = 0; k < box->axis_count; k++) {
    if ((box->in_image >> k & 1) == 0) {
      ahead = count < box->extents[k] ? count * box->steps[SOURCE][k] / UNITS_PER_BYTE : box->ahead;
    }
  }
  return ahead;
}

/* Unpacks the images. Units of the first byte before an image are unpacked too, because there is
 * room before the image. */
HELPER void unpack_images(const buffers_t *buffers, const box_t *box, uchar *images) {
  const index_t ahead = find_ahead(box);
  walk_t walk = start_walk(box->from + box->low, 0);
  do {
    const ulong first = buffers->source_start + (ulong)(long)walk.from;
    const index_t past = (index_t)(first % UNITS_PER_BYTE);
    unpack_bytes(buffers->source + first / UNITS_PER_BYTE,
                 (past + box->image + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, ahead,
                 images + walk.to - past);
  } while (advance(box, box->in_image, SOURCE, IMAGES, &walk));
}

/* Returns the axis with step 1 in images, or -1. */
HELPER index_t find_rows(const box_t *box) {
  SHORT_LOOP for (index_t k = 0; k + 1 < box->axis_count; k++) {
    if (box->steps[IMAGES][k] == 1 && box->extents[k] > 1) {
      return k;
    }
  }
  return -1;
}

/* Moves units from images to runs. Copies pieces if both sides have the same fastest axis, else
 * transposes squares. */
HELPER void move_stages(const box_t *box, const uchar *images, uchar *runs) {
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
        stage_row(AS_SOURCE(from + r * from_step), step, columns, to + r * to_step);
      }
    }
  } while (advance(box, but, IMAGES, RUNS, &walk));
}

/* ---- boxes ---- */

/* Copies a part of a run that is contiguous on both sides. Returns the number of units before the
 * part in its first byte. */
HELPER uint copy_run(const buffers_t *buffers, const box_t *box, uchar *run) {
  const ulong first = buffers->source_start + (ulong)(long)box->from;
  const uint before = (uint)(first % UNITS_PER_BYTE);
  read_bytes(buffers->source + first / UNITS_PER_BYTE,
             (index_t)(before + (ulong)box->run + UNITS_PER_BYTE - 1) / UNITS_PER_BYTE, run);
  return before;
}

/* Moves a box. Runs are written from as few places as possible, because PoCL 7.1 inlines write_run
 * at each place. With seven places its compiler took half a second longer than with four. */
HELPER void move_box(move_ref move, const buffers_t *buffers, const box_t *box, uchar *images,
                     uchar *runs) {
  uint before = 0, but = ~0u; /* all axes are left out: one run */
  if (move->is_copied != 0) {
    before = copy_run(buffers, box, runs);
  } else {
    unpack_images(buffers, box, images + LINE_BYTES);
    move_stages(box, images + LINE_BYTES - box->low, runs);
    but = box->in_run;
  }
  walk_t walk = start_walk(0, box->to);
  do {
    write_run(move, buffers, walk.to, box->run, runs + walk.from, before);
  } while (advance(box, but, RUNS, DESTINATION, &walk));
}
#else
/* Moves a box by a look-up of every byte. */
HELPER void look_up_box(move_ref move, const buffers_t *buffers, const box_t *box) {
  walk_t walk = start_walk(0, box->to);
  do {
    write_run(move, buffers, walk.to, box->run, 0, 0);
  } while (advance(box, box->in_run, RUNS, DESTINATION, &walk));
}
#endif

BODY void move_cpu_subbyte(const work_t work, global const uchar *source, ulong source_start,
                           global uchar *destination, ulong destination_start, move_ref move) {
#if NATIVE_CODE
  uchar images[CLRS_BOX_ROOM + 3 * LINE_BYTES], runs[CLRS_BOX_ROOM + 3 * LINE_BYTES];
#endif
  const buffers_t buffers = {source, source_start, destination, destination_start};
  box_t box = start_boxes(move);
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
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
