/*
 * Reads and writes memory at a CPU's full speed, in lines of 64 bytes. Native code writes whole
 * lines around the cache, because a line that is written whole need not be read first.
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
/* Fetches into a larger cache level. */
#define PREFETCH_FAR(address) __builtin_prefetch((const void *)(size_t)(address), 0, 2)
#else
#define STORE_LINE(value, line) (*(line) = (value))
#define PREFETCH(address) ((void)(address))
#define PREFETCH_FAR(address) ((void)(address))
#endif

/* A stage as a source pointer. OpenCL promises no pointer for both address spaces, but native code
 * on a CPU has one address space. */
#define AS_SOURCE(staged) ((global const UNIT *)(size_t)(staged))

/* A line that may begin at any byte. */
typedef struct ANY_BYTES any_line_t {
  uint16 value;
} any_line_t;

HELPER uint units_before_line(global const UNIT *destination) {
  const uint past = (uint)((size_t)destination % LINE_BYTES) * 8 / UNIT_BITS;
  return past == 0 ? 0 : UNITS_PER_LINE - past;
}

/* Fetches the lines of a run. If the run begins inside a line, the line of the last units may not
 * be fetched. */
HELPER void prefetch_run(global const UNIT *run, index_t count) {
  for (index_t i = 0; i < count; i += UNITS_PER_LINE) {
    PREFETCH(run + i);
  }
}

/* Units of a destination run are staged in the first-level cache, so that any source can be written
 * in whole lines. */
#define STAGE_UNITS (8192 * 8 / UNIT_BITS)

/* Units from run to run of a stage: an odd number of lines, so that the runs do not share one set
 * of a cache. With 16 units per line, runs of 30 units are 48 units apart. */
HELPER index_t staged_pitch(index_t units) {
  return (index_t)((units + UNITS_PER_LINE - 1) / UNITS_PER_LINE | 1) * UNITS_PER_LINE;
}

/* The next part to stage of a run of `count` units. The part ends at the end of a line, or of the
 * run. */
HELPER index_t part_to_stage(global const UNIT *destination, index_t count) {
  const uint before = units_before_line(destination);
  return min(count, (index_t)(STAGE_UNITS - UNITS_PER_LINE + before));
}

/* Stages a run of units with a step in the source. Compilers vectorize a loop with a constant step
 * if the loop reads forward. So for steps of -2 and -3 the loop reads forward, and writes backward.
 * Steps up to CLRS_LONGEST_STEP have a loop of their own. Example: 5 units with step -2 from unit 8
 * on. The loop reads units 0, 2, 4, 6 and 8, and writes them to places 4, 3, 2, 1 and 0. */
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

/* Stages a run of any step. A step of 0 repeats one unit. */
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

/* Interleaves planes, such as colours that become pixels: staged[r * planes + p] = source[p *
 * plane_stride + r * row_stride]. Two to four planes have a loop. Example: 2 planes of 100 units
 * and a row_stride of 1. Rows 0 and 1 are the units 0, 100, 1 and 101. */
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

/* Splits pixels of `pixel` units into planes: staged[p * pitch + c] = source[c * pixel + p]. There
 * are loops for 2, 3 and 4 planes of pixels of as many units, and for 3 planes of pixels of 4
 * units. */
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

/* The rest of the file copies units of whole bytes. Kernels of sub-byte units do not use this
 * part. */
#if NATIVE_CODE && UNIT_BITS >= 8
/* Expands COPY for each type of a part. The first type that fits into the bytes returns. */
#define WIDEST_FIRST(COPY, space)                                                                  \
  COPY(uint8, space, any_32_t)                                                                     \
  COPY(uint4, space, any_16_t)                                                                     \
  COPY(ulong, space, any_8_t)                                                                      \
  COPY(uint, space, any_4_t)                                                                       \
  COPY(ushort, space, any_2_t)                                                                     \
  COPY(uchar, space, any_1_t)

/* Copies at most a line, as two parts that overlap or meet: 13 bytes are the first 8 and the last
 * 8. Parts are as small as a byte, because maps write units that begin at any byte. */
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

/* Units before the first whole line that is written, or all units if no line is whole. */
HELPER index_t head_of_run(global const UNIT *destination, index_t count) {
  return count < UNITS_PER_LINE ? count : min(count, (index_t)units_before_line(destination));
}

/* destination[0, count) = source[0, count), with whole lines in the middle and units at both
 * ends. */
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

/* Copies rows of at most a line each. The destination may have gaps between rows, and the gaps must
 * not be written. Each row is two parts that overlap or meet: 3 bytes are the first 2 and the last
 * 2. */
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

/* For other compilers every part has the type of a unit. rusticl reads data of any alignment byte
 * by byte, and took twice as long over cpu_short. */
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
