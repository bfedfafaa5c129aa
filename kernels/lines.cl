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
#endif

/* A line that may begin at any byte. */
typedef struct __attribute__((packed)) any_line_t {
  uint16 value;
} any_line_t;

inline uint units_before_line(global const UNIT *destination) {
  const uint past = (uint)((size_t)destination % LINE_BYTES) * 8 / UNIT_BITS;
  return past == 0 ? 0 : UNITS_PER_LINE - past;
}

/* destination[0, count) = source[0, count): whole lines in the middle, units at both ends. */
inline void stream_run(global const UNIT *source, global UNIT *destination, index_t count) {
  index_t i = 0;
  const index_t head = min(count, (index_t)units_before_line(destination));
  for (; i < head; i++) {
    destination[i] = source[i];
  }
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(((global const any_line_t *)(source + i))->value,
               (global uint16 *)(destination + i));
  }
  for (; i < count; i++) {
    destination[i] = source[i];
  }
}

/* Units of a destination's run are staged in the first-level cache, so that they can be written in
 * whole lines wherever they come from. */
#define STAGE_UNITS (8192 * 8 / UNIT_BITS)

/* The next part of a run of `count` units to stage: it ends where a line does, or the run. */
inline index_t part_to_stage(global const UNIT *destination, index_t count) {
  const uint before = units_before_line(destination);
  return min(count, (index_t)(STAGE_UNITS - UNITS_PER_LINE + before));
}

typedef struct __attribute__((packed)) any_quarter_t {
  uint4 value;
} any_quarter_t;

/* Less than a line. */
inline void store_few(const UNIT *staged, global UNIT *destination, index_t count) {
  index_t i = 0;
  for (; i + UNITS_PER_LINE / 4 <= count; i += UNITS_PER_LINE / 4) {
    ((global any_quarter_t *)(destination + i))->value =
        ((const any_quarter_t *)(staged + i))->value;
  }
  for (; i < count; i++) {
    destination[i] = staged[i];
  }
}

inline void stream_staged(const UNIT *staged, global UNIT *destination, index_t count) {
  const index_t head = min(count, (index_t)units_before_line(destination));
  store_few(staged, destination, head);
  index_t i = head;
  for (; i + UNITS_PER_LINE <= count; i += UNITS_PER_LINE) {
    STORE_LINE(((const any_line_t *)(staged + i))->value, (global uint16 *)(destination + i));
  }
  store_few(staged + i, destination + i, count - i);
}

#endif
