/*
 * How a CPU reads and writes memory at full speed: lines of 64 bytes. In native code
 * lines are written around the cache, because a line that is written whole need not be read first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_LINES_CL
#define CLRS_LINES_CL
#ifndef CLRS_MOVE_CL
#include "move.cl"
#endif

#define JOIN(a, b) a##b
#define VECTOR_OF(unit, side) JOIN(unit, side)

#define LINE_BYTES CLRS_LINE_BYTES
#define UNITS_PER_LINE (LINE_BYTES * 8 / UNIT_BITS)

#if NATIVE_CODE
#define STORE_LINE(value, line) __builtin_nontemporal_store(value, line)
#define PREFETCH(address) __builtin_prefetch((const void *)(size_t)(address), 0, 3)
/* Into a cache with more room. */
#define PREFETCH_FAR(address) __builtin_prefetch((const void *)(size_t)(address), 0, 2)
#else
#define STORE_LINE(value, line) (*(line) = (value))
#define PREFETCH(address) ((void)(address))
#define PREFETCH_FAR(address) ((void)(address))
#endif

/* A stage as what is read. OpenCL promises no pointer for both, but on a CPU native code has one
 * address space. */
#define AS_SOURCE(staged) ((global const UNIT *)(size_t)(staged))

/* A line that may begin at any byte. */
typedef struct ANY_BYTES any_line_t {
  uint16 value;
} any_line_t;

HELPER uint units_before_line(global const UNIT *destination) {
  const uint past = (uint)((size_t)destination % LINE_BYTES) * 8 / UNIT_BITS;
  return past == 0 ? 0 : UNITS_PER_LINE - past;
}

/* Fetches the lines of a run. Where the run begins inside of a line, the line that only its last
 * units reach may be left out. */
HELPER void prefetch_run(global const UNIT *run, index_t count) {
  for (index_t i = 0; i < count; i += UNITS_PER_LINE) {
    PREFETCH(run + i);
  }
}

/* Units of a destination's run are staged in the first-level cache, so that they can be written in
 * whole lines wherever they come from. */
#define STAGE_UNITS (8192 * 8 / UNIT_BITS)

/* From run to run of a stage: an odd number of lines, so that not all runs share one set of a
 * cache.
 */
HELPER index_t staged_pitch(index_t units) {
  return (index_t)((units + UNITS_PER_LINE - 1) / UNITS_PER_LINE | 1) * UNITS_PER_LINE;
}

/* The next part of a run of `count` units to stage: it ends where a line does, or the run. */
HELPER index_t part_to_stage(global const UNIT *destination, index_t count) {
  const uint before = units_before_line(destination);
  return min(count, (index_t)(STAGE_UNITS - UNITS_PER_LINE + before));
}

/* A run of units that step in the source. Compilers make vectors of a loop whose step is a
 * constant, if the loop reads forward. For steps of -2 and -3 the loop reads forward too, and
 * writes backward: of 5 units that step by -2 from unit 8 on, it reads units 0, 2, 4, 6 and 8, and
 * writes them to places 4, 3, 2, 1 and 0. Steps up to CLRS_LONGEST_STEP have a loop. */
#define STAGE_STEPS(step)                                                                          \
  for (index_t i = 0; i < count; i++) {                                                            \
    staged[i] = source[i * (step)];                                                                \
  }                                                                                                \
  break;
#define STAGE_STEPS_BACK(step)                                                                     \
  for (index_t i = 0; i < count; i++) {                                                            \
    staged[count - 1 - i] = (source - (count - 1) * (step))[i * (step)];                           \
  }                                                                                                \
  break;
HELPER void stage_steps(global const UNIT *source, index_t step, index_t count,
                        UNIT *restrict staged) {
  switch (step) {
  case 1:
    STAGE_STEPS(1)
  case -1:
    STAGE_STEPS(-1)
  case -2:
    STAGE_STEPS_BACK(2)
  case -3:
    STAGE_STEPS_BACK(3)
  case 2:
    STAGE_STEPS(2)
  case 3:
    STAGE_STEPS(3)
  default:
    STAGE_STEPS(step)
  }
}

/* The same of any step; a step of 0 repeats one unit. */
HELPER void stage_row(global const UNIT *source, index_t step, index_t count,
                      UNIT *restrict staged) {
  if (step != 0) {
    stage_steps(source, step, count, staged);
    return;
  }
  const UNIT value = *source;
  for (index_t i = 0; i < count; i++) {
    staged[i] = value;
  }
}

/* Planes that come to lie interleaved, such as colours that become pixels: staged[r * planes + p] =
 * source[p * plane_stride + r * row_stride]. Two to four planes have a loop. An example: planes of
 * 100 units, 2 of them, with a row_stride of 1: rows 0 and 1 are the units 0, 100, 1 and 101. */
#define MOST_ZIPPED 4
#define ZIP_ROWS(count, stride)                                                                    \
  for (index_t r = 0; r < rows; r++) {                                                             \
    _Pragma("unroll") for (index_t p = 0; p < count; p++) {                                        \
      staged[r * count + p] = source[p * plane_stride + r * (stride)];                             \
    }                                                                                              \
  }
#define STAGE_ZIPPED(count)                                                                        \
  if (planes == count && row_stride == 1) {                                                        \
    ZIP_ROWS(count, 1)                                                                             \
  } else if (planes == count) {                                                                    \
    ZIP_ROWS(count, row_stride)                                                                    \
  }
HELPER void stage_zipped(global const UNIT *source, index_t plane_stride, index_t row_stride,
                         index_t planes, index_t rows,
                         UNIT *restrict staged){STAGE_ZIPPED(2) STAGE_ZIPPED(3) STAGE_ZIPPED(4)}

/* The way back, out of pixels of `pixel` units: staged[p * pitch + c] = source[c * pixel + p].
 * Pixels of which all units are planes have a loop, and 3 planes of pixels of 4. */
#define STAGE_UNZIPPED(count, step)                                                                \
  for (index_t c = 0; planes == count && pixel == step && c < columns; c++) {                      \
    _Pragma("unroll") for (index_t p = 0; p < count; p++) {                                        \
      staged[p * pitch + c] = source[c * step + p];                                                \
    }                                                                                              \
  }
HELPER void stage_unzipped(global const UNIT *source, index_t planes, index_t pixel,
                           index_t columns, index_t pitch, UNIT *restrict staged) {
  STAGE_UNZIPPED(2, 2)
  STAGE_UNZIPPED(3, 3)
  STAGE_UNZIPPED(3, 4)
  STAGE_UNZIPPED(4, 4)
}

typedef struct ANY_BYTES any_32_t {
  uint8 value;
} any_32_t;
typedef struct ANY_BYTES any_16_t {
  uint4 value;
} any_16_t;
typedef struct ANY_BYTES any_8_t {
  ulong value;
} any_8_t;
typedef struct ANY_BYTES any_4_t {
  uint value;
} any_4_t;
typedef struct ANY_BYTES any_2_t {
  ushort value;
} any_2_t;
typedef struct ANY_BYTES any_1_t {
  uchar value;
} any_1_t;

/* What follows copies units of whole bytes. No kernel of smaller ones calls it. */
#if NATIVE_CODE && UNIT_BITS >= 8
/* COPY for each type of a part; the first that is no longer than the bytes returns. */
#define WIDEST_FIRST(COPY, space)                                                                  \
  COPY(uint8, space, any_32_t)                                                                     \
  COPY(uint4, space, any_16_t)                                                                     \
  COPY(ulong, space, any_8_t)                                                                      \
  COPY(uint, space, any_4_t)                                                                       \
  COPY(ushort, space, any_2_t)                                                                     \
  COPY(uchar, space, any_1_t)

/* A line at most, as two parts that overlap or meet: of 13 bytes the first 8 and the last 8. Parts
 * are as small as a byte, as maps write units that begin at any byte. */
#define COPY_PARTS(type, space, part)                                                              \
  if (bytes >= (index_t)sizeof(type)) {                                                            \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    const type head = ((space const part *)from)->value;                                           \
    const type tail = ((space const part *)(from + last))->value;                                  \
    ((global part *)to)->value = head;                                                             \
    ((global part *)(to + last))->value = tail;                                                    \
    return;                                                                                        \
  }
#define COPY_EDGE(name, space)                                                                     \
  HELPER void name##_bytes(space const uchar *from, global uchar *to,                              \
                           index_t bytes){WIDEST_FIRST(COPY_PARTS, space)} HELPER void             \
  name(space const UNIT *source, global UNIT *destination, index_t count) {                        \
    name##_bytes((space const uchar *)source, (global uchar *)destination,                         \
                 count *(UNIT_BITS / 8));                                                          \
  }
COPY_EDGE(copy_edge, global)
COPY_EDGE(copy_staged_edge, private)

/* Units before the first whole line that is written; all of them, if they make none. */
HELPER index_t head_of_run(global const UNIT *destination, index_t count) {
  return count < UNITS_PER_LINE ? count : min(count, (index_t)units_before_line(destination));
}

/* destination[0, count) = source[0, count): whole lines in the middle, units at both ends. */
HELPER void stream_run(global const UNIT *source, global UNIT *destination, index_t count) {
  const index_t head = head_of_run(destination, count);
  index_t i = head;
  copy_edge(source, destination, head);
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(((global const any_line_t *)(source + i))->value,
               (global uint16 *)(destination + i));
  }
  copy_edge(source + i, destination + i, count - i);
}

HELPER void stream_staged(const UNIT *staged, global UNIT *destination, index_t count) {
  const index_t head = head_of_run(destination, count);
  index_t i = head;
  copy_staged_edge(staged, destination, head);
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(((const any_line_t *)(staged + i))->value, (global uint16 *)(destination + i));
  }
  copy_staged_edge(staged + i, destination + i, count - i);
}

/* Rows of at most a line. The destination may have gaps between them, which belong to somebody
 * else. Each row is two parts that overlap or meet: of 3 bytes the first 2 and the last 2. */
#define COPY_ROWS_OF(type, space, part)                                                            \
  if (bytes >= (index_t)sizeof(type)) {                                                            \
    const index_t last = bytes - (index_t)sizeof(type);                                            \
    for (index_t row = 0; row < rows; row++) {                                                     \
      const type head = ((space const part *)from)->value;                                         \
      const type tail = ((space const part *)(from + last))->value;                                \
      ((global part *)to)->value = head;                                                           \
      ((global part *)(to + last))->value = tail;                                                  \
      from += from_step;                                                                           \
      to += to_step;                                                                               \
    }                                                                                              \
    return;                                                                                        \
  }
#define COPY_SHORT_ROWS(name, space)                                                               \
  HELPER void name(space const UNIT *source, index_t source_step, global UNIT *destination,        \
                   index_t destination_step, index_t rows, index_t columns) {                      \
    const ptrdiff_t from_step = (ptrdiff_t)source_step * (ptrdiff_t)sizeof(UNIT);                  \
    const ptrdiff_t to_step = (ptrdiff_t)destination_step * (ptrdiff_t)sizeof(UNIT);               \
    const index_t bytes = columns * (index_t)sizeof(UNIT);                                         \
    space const uchar *from = (space const uchar *)source;                                         \
    global uchar *to = (global uchar *)destination;                                                \
    WIDEST_FIRST(COPY_ROWS_OF, space)                                                              \
  }
#elif !NATIVE_CODE

/* Other compilers see no parts of other types than a unit: rusticl's reads what may begin anywhere
 * byte by byte, and took twice as long over cpu_short. */
#define COPY_UNITS(name, space)                                                                    \
  HELPER void name(space const UNIT *source, global UNIT *destination, index_t count) {            \
    for (index_t i = 0; i < count; i++) {                                                          \
      destination[i] = source[i];                                                                  \
    }                                                                                              \
  }
COPY_UNITS(copy_staged_edge, private)
COPY_UNITS(stream_run, global)
COPY_UNITS(stream_staged, private)

#define COPY_SHORT_ROWS(name, space)                                                               \
  HELPER void name(space const UNIT *source, index_t source_step, global UNIT *destination,        \
                   index_t destination_step, index_t rows, index_t columns) {                      \
    for (index_t row = 0; row < rows; row++) {                                                     \
      for (index_t i = 0; i < columns; i++) {                                                      \
        destination[row * destination_step + i] = source[row * source_step + i];                   \
      }                                                                                            \
    }                                                                                              \
  }
#endif

#endif
