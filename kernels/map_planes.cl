/*
 * map_planes: two to four planes that lie interleaved in the source, such as the colours of pixels,
 * in order or in reverse, for CPUs. They are read once for all rows of a chunk, which are the
 * planes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif

/* In lanes: of three planes, element k of plane p is number 3 * k + p of the 48 that a, b and c
 * hold.
 */
#if LANES > 1
#define NUMBER(k, count, p) ((k) * (count) + (p))
#define IN_LOW(k, count, p) (NUMBER(k, count, p) < 32 ? NUMBER(k, count, p) : 0)
#define IN_HIGH(k, count, p) (NUMBER(k, count, p) < 32 ? 0 : NUMBER(k, count, p) - 32)
#define IN_BOTH(k, count, p) (NUMBER(k, count, p) < 32 ? (k) : (k) + 16)
#define PLANE(count, p)                                                                            \
  {                                                                                                \
    const from_lanes_t low = __builtin_shufflevector(a, b, EACH_LANE(IN_LOW, count, p));           \
    const from_lanes_t high = __builtin_shufflevector(c, d, EACH_LANE(IN_HIGH, count, p));         \
    ((any_from_t *)(planes + (p)*CLRS_MAPPED_STAGE + i))->value =                                  \
        __builtin_shufflevector(low, high, EACH_LANE(IN_BOTH, count, p));                          \
  }
#define PLANES_2 PLANE(2, 0) PLANE(2, 1)
#define PLANES_3 PLANE(3, 0) PLANE(3, 1) PLANE(3, 2)
#define PLANES_4 PLANE(4, 0) PLANE(4, 1) PLANE(4, 2) PLANE(4, 3)
#define PART_PLANES(count)                                                                         \
  for (; ELEMENT(FROM).bits >= 8 && i + LANES <= columns; i += LANES) {                            \
    global const any_from_t *lanes =                                                               \
        (global const any_from_t *)((global const FROM_T *)source + at + i * count);               \
    PREFETCH((global const FROM_T *)lanes + ahead);                                                \
    const from_lanes_t a = lanes[0].value, b = lanes[1].value;                                     \
    const from_lanes_t c = lanes[count == 4 ? 2 : count - 1].value, d = lanes[count - 1].value;    \
    PLANES_##count                                                                                 \
  }
#else
#define PART_PLANES(count)
#endif
#define STAGE_PLANES(count)                                                                        \
  PLAIN_LOOP                                                                                       \
  for (; i < columns; i++) {                                                                       \
    _Pragma("unroll") for (index_t p = 0; p < count; p++) {                                        \
      planes[p * CLRS_MAPPED_STAGE + i] = (FROM_T)load_code(from, source, at + i * count + p);     \
    }                                                                                              \
  }

/* Those of the next chunk, so many elements ahead, are fetched meanwhile. */
INLINED void stage_planes(global const uchar *source, index_t at, index_t count, index_t columns,
                          index_t ahead, FROM_T *planes) {
  const element_t from = ELEMENT(FROM);
  index_t i = 0;
  (void)ahead;
  if (count == 2) {
    PART_PLANES(2)
    STAGE_PLANES(2)
  } else if (count == 3) {
    PART_PLANES(3)
    STAGE_PLANES(3)
  } else {
    PART_PLANES(4)
    STAGE_PLANES(4)
  }
}

/* In reverse, the first row is the last plane. */
INLINED void move_row(const rows_t *of, const part_t part, index_t r, const stages_t *stages,
                      const target_t target, FROM_T *staged) {
  const index_t step = of->move->axes[first_run_axis(of->move) - 1].strides[CLRS_FROM];
  const index_t lowest = step < 0 ? 1 - part.rows : 0, plane = step < 0 ? part.rows - 1 - r : r;
  if (r == 0) {
    stage_planes(of->source, part.row.places.at[CLRS_FROM] + part.row.column * part.rows + lowest,
                 part.rows, part.row.count, part.ahead, staged);
  }
  convert_row(AS_CODES_REF(staged + plane * CLRS_MAPPED_STAGE), part.row.count, stages, target);
}

/* Each plane has parameters of its own, chunk after chunk the same. */
MAP_PARTS_KERNEL(map_planes, CLRS_MAPPED_PLANES, CLRS_MAPPED_PLANES *CLRS_MAPPED_STAGE)
