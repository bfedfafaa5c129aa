/*
 * cpu_subbyte: units of 1, 2 or 4 bits on CPUs, a box of the inner axes at a time. What is read of
 * the source in one run is an image; what is written of the destination in one, a run. Where boxes
 * have long runs on both sides, or on one, units stay packed: parts of long runs are copied, columns
 * turned by planes of bytes (byte_planes.cl). All other boxes become a byte for each unit, move from
 * stage to stage in the cache, and are packed from there.
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
