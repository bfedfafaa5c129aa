/*
 * cpu_any: any strides, for CPUs. Each row of a chunk is one loop; the strides that real
 * moves have most - broadcast, reversed, every second and third unit, and the zip and unzip of 2 to
 * 4 planes, as between planar and interleaved images, also of 3 out of pixels of 4 and in the other
 * order - have loops of their own, so that the compiler sees them. What makes lines of the
 * destination is staged and written as such.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CHUNKED
#define CHUNKED 1
#endif
#ifndef CLRS_LINES_CL
#include "lines.cl"
#endif

inline void stage_row(global const UNIT *source, index_t source_stride, index_t part,
                      UNIT *staged) {
  if (source_stride != 0) {
    stage_steps(source, source_stride, part, staged);
    return;
  }
  const UNIT value = *source;
  for (index_t i = 0; i < part; i++) {
    staged[i] = value;
  }
}

/* A row of the destination that is long enough for lines, or as many that are the same. */
inline void move_long_rows(global const UNIT *source, index_t source_stride,
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

inline void move_row(global const UNIT *source, index_t source_stride, global UNIT *destination,
                     index_t destination_stride, index_t count) {
  if (destination_stride == 1 && count >= 2 * UNITS_PER_LINE) {
    move_long_rows(source, source_stride, destination, 0, 1, count);
    return;
  }
  for (index_t i = 0; i < count; i++) {
    destination[i * destination_stride] = source[i * source_stride];
  }
}

/* Planes to interleaved: to[r * PLANES + p] = from[p * plane_stride + r * row_stride]. */
#define ZIP_ROWS(PLANES, ROW_STRIDE)                                                               \
  for (index_t r = 0; r < part; r++) {                                                             \
    _Pragma("unroll") for (index_t p = 0; p < PLANES; p++) {                                       \
      staged[r * PLANES + p] = source[p * plane_stride + r * (ROW_STRIDE)];                        \
    }                                                                                              \
  }
#define ZIP(PLANES)                                                                                \
  inline void zip_##PLANES(global const UNIT *source, index_t row_stride, index_t plane_stride,    \
                           global UNIT *destination, index_t count) {                              \
    UNIT staged[STAGE_UNITS];                                                                      \
    while (count > 0) {                                                                            \
      const index_t part = min(count, (index_t)STAGE_UNITS / 4);                                   \
      if (row_stride == 1) {                                                                       \
        ZIP_ROWS(PLANES, 1)                                                                        \
      } else {                                                                                     \
        ZIP_ROWS(PLANES, row_stride)                                                               \
      }                                                                                            \
      stream_staged(staged, destination, part *PLANES);                                            \
      source += part * row_stride;                                                                 \
      destination += part * PLANES;                                                                \
      count -= part;                                                                               \
    }                                                                                              \
  }
ZIP(2)
ZIP(3)
ZIP(4)

/* The same to pixels with room for more: to[r * pixel + p] = from[p * plane_stride + r *
 * row_stride]. That room is somebody else's, so no line is written whole: of 3 planes in pixels of
 * 4, units go to places 0, 1, 2, 4, 5, 6 and so on. In one function with the loop above, planes of
 * bytes took a tenth longer to be zipped. */
#define SPREAD_ROWS(PLANES, ROW_STRIDE)                                                            \
  for (index_t r = 0; r < count; r++) {                                                            \
    _Pragma("unroll") for (index_t p = 0; p < PLANES; p++) {                                       \
      destination[r * pixel + p] = source[p * plane_stride + r * (ROW_STRIDE)];                    \
    }                                                                                              \
  }
#define SPREAD(PLANES)                                                                             \
  inline void spread_##PLANES(global const UNIT *source, index_t row_stride, index_t plane_stride, \
                              global UNIT *destination, index_t pixel, index_t count) {            \
    if (row_stride == 1) {                                                                         \
      SPREAD_ROWS(PLANES, 1)                                                                       \
    } else {                                                                                       \
      SPREAD_ROWS(PLANES, row_stride)                                                              \
    }                                                                                              \
  }
SPREAD(2)
SPREAD(3)
SPREAD(4)

/* Interleaved to planes: to[p * plane_stride + c] = from[c * STEP + p]. */
#define UNZIP(PLANES, STEP)                                                                        \
  inline void unzip_##PLANES##_of_##STEP(global const UNIT *source, index_t plane_stride,          \
                                         global UNIT *destination, index_t count) {                \
    UNIT staged[PLANES][STAGE_UNITS / 4];                                                          \
    while (count > 0) {                                                                            \
      const index_t part = min(count, (index_t)STAGE_UNITS / 4);                                   \
      for (index_t c = 0; c < part; c++) {                                                         \
        _Pragma("unroll") for (index_t p = 0; p < PLANES; p++) {                                   \
          staged[p][c] = source[c * STEP + p];                                                     \
        }                                                                                          \
      }                                                                                            \
      for (index_t p = 0; p < PLANES; p++) {                                                       \
        stream_staged(staged[p], destination + p * plane_stride, part);                            \
      }                                                                                            \
      source += part * STEP;                                                                       \
      destination += part;                                                                         \
      count -= part;                                                                               \
    }                                                                                              \
  }
UNZIP(2, 2)
UNZIP(3, 3)
UNZIP(3, 4)
UNZIP(4, 4)

/* Which planes a chunk zips: 10 times their number, and 1 more if pixels have room for others. 0 if
 * they are no planes; zip_planes has no loop for some others. */
inline index_t planes_zipped(move_ref move, chunk_t chunk) {
  const index_t pixel = move->row.destination_stride;
  const bool zips = move->column.destination_stride == 1 && pixel >= chunk.columns;
  return zips && chunk.columns <= 4 ? 10 * chunk.columns + (pixel > chunk.columns) : 0;
}

/* Does what planes_zipped says, if there is a loop for it. */
inline bool zip_planes(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to) {
  const index_t row_stride = move->row.source_stride, plane_stride = move->column.source_stride;
  const index_t pixel = move->row.destination_stride;
  switch (planes_zipped(move, chunk)) {
  case 20:
    zip_2(from, row_stride, plane_stride, to, chunk.rows);
    return true;
  case 21:
    spread_2(from, row_stride, plane_stride, to, pixel, chunk.rows);
    return true;
  case 30:
    zip_3(from, row_stride, plane_stride, to, chunk.rows);
    return true;
  case 31:
    spread_3(from, row_stride, plane_stride, to, pixel, chunk.rows);
    return true;
  case 40:
    zip_4(from, row_stride, plane_stride, to, chunk.rows);
    return true;
  case 41:
    spread_4(from, row_stride, plane_stride, to, pixel, chunk.rows);
    return true;
  default:
    return false;
  }
}

/* Which planes a chunk unzips: 10 times their number, and the step from unit to unit of a plane in
 * the source. 34 is 3 planes out of pixels of 4. 0 if they are no planes; unzip_planes has no loop
 * for some others. */
inline index_t planes_unzipped(move_ref move, chunk_t chunk) {
  const index_t order = move->row.source_stride, step = move->column.source_stride;
  const bool unzips = (order == 1 || order == -1) && move->column.destination_stride == 1;
  return unzips && step >= chunk.rows && step <= 4 ? 10 * chunk.rows + step : 0;
}

/* Does what planes_unzipped says, if there is a loop for it. Where the units of a pixel are read
 * backwards, as for RGB out of BGR, the pixel is read forwards, and the planes are written in the
 * other order: the first one that is written is the last of the destination. */
inline bool unzip_planes(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to) {
  index_t plane_stride = move->row.destination_stride;
  if (move->row.source_stride < 0) {
    from -= chunk.rows - 1;
    to += (chunk.rows - 1) * plane_stride;
    plane_stride = -plane_stride;
  }
  switch (planes_unzipped(move, chunk)) {
  case 22:
    unzip_2_of_2(from, plane_stride, to, chunk.columns);
    return true;
  case 33:
    unzip_3_of_3(from, plane_stride, to, chunk.columns);
    return true;
  case 34:
    unzip_3_of_4(from, plane_stride, to, chunk.columns);
    return true;
  case 44:
    unzip_4_of_4(from, plane_stride, to, chunk.columns);
    return true;
  default:
    return false;
  }
}

/* Where a row begins is not foreseen by the hardware, what follows in it is. */
#define LINES_FETCHED 32

inline void fetch_row(global const UNIT *row, index_t step, index_t count) {
  const index_t units = max(step, -step), last = count - 1;
  const index_t steps = units == 0 ? count : max((index_t)UNITS_PER_LINE / units, (index_t)1);
  for (index_t i = 0; i < min(count, LINES_FETCHED * steps); i += steps) {
    PREFETCH(row + i * step);
  }
  PREFETCH(row + min(last, LINES_FETCHED * steps) * step);
}

/* The row after the last one is the first of the next chunk, at `ahead`; NULL if there is none. */
inline void move_rows(move_ref move, chunk_t chunk, global const UNIT *from, global UNIT *to,
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

inline void move_cpu_any(global const UNIT *source, ulong source_start, global UNIT *destination,
                         ulong destination_start, move_ref move) {
  chunk_t next = find_chunk(move, first_chunk(move));
  for (count_t i = first_chunk(move); i < end_chunk(move); i++) {
    const chunk_t chunk = next;
    next = find_chunk(move, i + 1);
    global const UNIT *from = source + source_start + chunk.from;
    global const UNIT *ahead = i + 1 < (count_t)move->count ? source + source_start + next.from : 0;
    global UNIT *to = destination + destination_start + chunk.to;
    if (!zip_planes(move, chunk, from, to) && !unzip_planes(move, chunk, from, to)) {
      move_rows(move, chunk, from, to, ahead);
    }
  }
}

MOVE_KERNEL(cpu_any)
