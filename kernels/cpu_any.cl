/*
 * cpu_any: any strides, for CPUs. Each row of a chunk is one loop. Frequent strides have loops of
 * their own, so that the compiler sees a constant:
 * - broadcast, reversed, and every second or third unit.
 * - interleaving and splitting 2 to 4 planes, as between planar and interleaved images. This
 *   includes 3 planes of pixels of 4 units, and planes in reverse order.
 *
 * Units that fill lines of the destination are staged and written as lines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

/* Moves a row of the destination that is long enough for lines, or `rows` rows with the same
 * units. */
HELPER void move_long_rows(global const UNIT *source, index_t source_stride,
                           global UNIT *destination, index_t destination_stride, index_t rows,
                           index_t count) {
  UNIT staged[STAGE_UNITS];
  while (count > 0) {
    const index_t part = part_to_stage(destination, count);
    stage_row(source, source_stride, part, staged);
    for (index_t row = 0; row < rows; row++) {
      stream_staged(staged, destination + row * destination_stride, part);
    }
    source += part * source_stride;
    destination += part;
    count -= part;
  }
}

HELPER void move_row(global const UNIT *source, index_t source_stride, global UNIT *destination,
                     index_t destination_stride, index_t count) {
  if (destination_stride == 1 && count >= 2 * UNITS_PER_LINE) {
    move_long_rows(source, source_stride, destination, 0, 1, count);
    return;
  }
  for (index_t i = 0; i < count; i++) {
    destination[i * destination_stride] = source[i * source_stride];
  }
}

COPY_SHORT_ROWS(write_short_rows, private)

/* Returns true if the chunk's columns are planes that become interleaved. Pixels may have room for
 * more units, and that room must not be written. */
HELPER bool is_zipped(move_ref move, chunk_t chunk) {
  return move->column.destination_stride == 1 && chunk.columns >= 2 &&
         chunk.columns <= MOST_ZIPPED && move->row.destination_stride >= chunk.columns;
}

HELPER void zip_planes(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to) {
  const index_t planes = chunk.columns, pixel = move->row.destination_stride;
  UNIT staged[STAGE_UNITS];
  while (chunk.rows > 0) {
    const index_t part = min(chunk.rows, (index_t)STAGE_UNITS / MOST_ZIPPED);
    stage_zipped(from, move->column.source_stride, move->row.source_stride, planes, part, staged);
    if (pixel == planes) {
      stream_staged(staged, to, part * planes);
    } else {
      write_short_rows(staged, planes, to, pixel, part, planes);
    }
    from += part * move->row.source_stride;
    to += part * pixel;
    chunk.rows -= part;
  }
}

/* Returns true if the chunk's rows are planes that are interleaved in the source, in either
 * order. */
HELPER bool is_unzipped(move_ref move, chunk_t chunk) {
  const index_t order = move->row.source_stride, step = move->column.source_stride;
  return (order == 1 || order == -1) && move->column.destination_stride == 1 && chunk.rows >= 2 &&
         chunk.rows <= MOST_ZIPPED && (step == chunk.rows || (chunk.rows == 3 && step == 4));
}

/* Splits pixels into planes. Pixels are read forward. If their units are in reverse, as for RGB
 * from BGR, the first row is the last plane. */
HELPER void unzip_planes(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to) {
  const index_t room = STAGE_UNITS / MOST_ZIPPED, step = move->column.source_stride;
  const bool is_reversed = move->row.source_stride < 0;
  UNIT staged[STAGE_UNITS];
  from -= is_reversed ? chunk.rows - 1 : 0;
  for (index_t c = 0; c < chunk.columns; c += room) {
    const index_t part = min(chunk.columns - c, room);
    stage_unzipped(from + c * step, chunk.rows, step, part, room, staged);
    for (index_t row = 0; row < chunk.rows; row++) {
      const index_t plane = is_reversed ? chunk.rows - 1 - row : row;
      stream_staged(staged + plane * room, to + row * move->row.destination_stride + c, part);
    }
  }
}

/* Lines that are prefetched at the start of a row. The hardware prefetches the rest of a row, but
 * not the start. */
#define LINES_FETCHED 32

HELPER void fetch_row(global const UNIT *row, index_t step, index_t count) {
  const index_t units = max(step, -step), last = count - 1;
  const index_t steps = units == 0 ? count : max((index_t)UNITS_PER_LINE / units, (index_t)1);
  for (index_t i = 0; i < min(count, LINES_FETCHED * steps); i += steps) {
    PREFETCH(row + i * step);
  }
  PREFETCH(row + min(last, LINES_FETCHED * steps) * step);
}

/* Moves rows in turn. `ahead` is the first row of the next chunk, or NULL behind the last chunk. */
HELPER void move_rows(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to,
                      global const UNIT *ahead) {
  if (move->row.source_stride == 0 && move->column.destination_stride == 1) {
    move_long_rows(from, move->column.source_stride, to, move->row.destination_stride, chunk.rows,
                   chunk.columns);
    return;
  }
  for (index_t row = 0; row < chunk.rows; row++) {
    global const UNIT *next = row + 1 < chunk.rows ? from + move->row.source_stride : ahead;
    if (next != 0) {
      fetch_row(next, move->column.source_stride, chunk.columns);
    }
    move_row(from, move->column.source_stride, to, move->column.destination_stride, chunk.columns);
    from += move->row.source_stride;
    to += move->row.destination_stride;
  }
}

BODY void move_cpu_any(const work_t work, global const UNIT *source, ulong source_start,
                       global UNIT *destination, ulong destination_start, move_ref move) {
  chunk_t next = find_chunk(move, first_chunk(move, work));
  for (count_t i = first_chunk(move, work); i < end_chunk(move, work); i++) {
    const chunk_t chunk = next;
    next = find_chunk(move, i + 1);
    global const UNIT *from = source + source_start + chunk.from;
    global const UNIT *ahead = i + 1 < (count_t)move->count ? source + source_start + next.from : 0;
    global UNIT *to = destination + destination_start + chunk.to;
    if (is_zipped(move, chunk)) {
      zip_planes(move, chunk, from, to);
    } else if (is_unzipped(move, chunk)) {
      unzip_planes(move, chunk, from, to);
    } else {
      move_rows(move, chunk, from, to, ahead);
    }
  }
}

MOVE_KERNEL(cpu_any)
