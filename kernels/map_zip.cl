/*
 * Planes of the source that come to lie interleaved, such as colours that become pixels: in lanes,
 * into a stage, in the order of the row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_ZIP_CL
#define CLRS_MAP_ZIP_CL
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif

#if LANES > 1
/* Of three planes, number 16 * j + k of a, b and c interleaved is lane (16 * j + k) / 3 of plane
 * (16 * j + k) % 3. */
#define ZIPPED(k, count, j) ((j)*LANES + (k))
#define PLANE_OF(k, count, j) (ZIPPED(k, count, j) % (count))
#define PIXEL_OF(k, count, j) (ZIPPED(k, count, j) / (count))
#define FROM_AB(k, count, j)                                                                       \
  (PLANE_OF(k, count, j) < 2 ? PLANE_OF(k, count, j) * LANES + PIXEL_OF(k, count, j) : 0)
#define FROM_CD(k, count, j)                                                                       \
  (PLANE_OF(k, count, j) < 2 ? 0 : (PLANE_OF(k, count, j) - 2) * LANES + PIXEL_OF(k, count, j))
#define FROM_PAIRS(k, count, j) (PLANE_OF(k, count, j) < 2 ? (k) : (k) + LANES)
#define ZIP_LANES(count, j)                                                                        \
  {                                                                                                \
    const from_lanes_t ab = __builtin_shufflevector(a, b, EACH_LANE(FROM_AB, count, j));           \
    const from_lanes_t cd = __builtin_shufflevector(c, d, EACH_LANE(FROM_CD, count, j));           \
    ((any_from_t *)(staged + i * (count) + (j)*LANES))->value =                                    \
        __builtin_shufflevector(ab, cd, EACH_LANE(FROM_PAIRS, count, j));                          \
  }
#define ZIP_2 ZIP_LANES(2, 0) ZIP_LANES(2, 1)
#define ZIP_3 ZIP_LANES(3, 0) ZIP_LANES(3, 1) ZIP_LANES(3, 2)
#define ZIP_4 ZIP_LANES(4, 0) ZIP_LANES(4, 1) ZIP_LANES(4, 2) ZIP_LANES(4, 3)
#define LANES_OF_PLANE(p)                                                                          \
  ((global const any_from_t *)(first + min((index_t)(p), planes - 1) * stride + i))->value
#define ZIP_ALL(count)                                                                             \
  PLAIN_LOOP                                                                                       \
  for (index_t next = 0; next < pixels; next += LANES) {                                           \
    const index_t i = min(next, pixels - LANES);                                                   \
    _Pragma("unroll") for (index_t p = 0; p < (count); p++) {                                      \
      PREFETCH((global const uchar *)(first + p * stride + i) + PREFETCHED_BYTES);                 \
    }                                                                                              \
    const from_lanes_t a = LANES_OF_PLANE(0), b = LANES_OF_PLANE(1);                               \
    const from_lanes_t c = LANES_OF_PLANE(2), d = LANES_OF_PLANE(3);                               \
    ZIP_##count                                                                                    \
  }

/* Pixels whose planes are `stride` elements apart; the last lanes overlap others. */
INLINED void zip_pixels(global const FROM_T *first, index_t stride, index_t planes, index_t pixels,
                        FROM_T *staged) {
  if (pixels < LANES) {
    PLAIN_LOOP
    for (index_t i = 0; i < pixels * planes; i++) {
      const index_t pixel = i / planes;
      const index_t plane = i - pixel * planes;
      staged[i] = ((global const any_code_t *)(first + plane * stride + pixel))->code;
    }
  } else if (planes == 2) {
    ZIP_ALL(2)
  } else if (planes == 3) {
    ZIP_ALL(3)
  } else {
    ZIP_ALL(4)
  }
}

/* Are the last axis of a run planes, and the one before neighbours in each of them? */
INLINED bool is_zipped(mapped_ref move) {
  const index_t last = move->axis_count - 1;
  return ELEMENT(FROM).bits >= 8 && move->run_axes > 1 && move->axes[last].extent >= 2 &&
         move->axes[last].extent <= CLRS_MAPPED_PLANES &&
         move->axes[last - 1].strides[CLRS_FROM] == 1;
}

/* Where element `column` of a row is: in which plane of which pixel, how many pixels follow in the
 * same piece of the planes, and where in the source the pixel's first plane is. */
typedef struct pixel_t {
  index_t at, plane, following;
} pixel_t;

INLINED pixel_t find_pixel(mapped_ref move, const row_t row, index_t column) {
  const index_t last = move->axis_count - 1;
  count_t rest = (count_t)column;
  pixel_t pixel;
  pixel.at = row.places.at[CLRS_FROM];
  pixel.plane = take_digit(&rest, move->axes[last].extent, move->axes[last].divisor);
  const index_t digit =
      take_digit(&rest, move->axes[last - 1].extent, move->axes[last - 1].divisor);
  pixel.at += digit;
  pixel.following = move->axes[last - 1].extent - digit;
  PLAIN_LOOP
  for (index_t k = last - 1; k-- > first_run_axis(move);) {
    pixel.at += take_digit(&rest, move->axes[k].extent, move->axes[k].divisor) *
                move->axes[k].strides[CLRS_FROM];
  }
  return pixel;
}

/* What is left of a pixel at either end of the row's part is staged one by one. */
APART void stage_zipped(const rows_t *of, const row_t row, FROM_T *staged) {
  const index_t last = of->move->axis_count - 1, planes = of->move->axes[last].extent;
  const index_t stride = of->move->axes[last].strides[CLRS_FROM];
  index_t done = 0;
  PLAIN_LOOP
  while (done < row.count) {
    const pixel_t pixel = find_pixel(of->move, row, row.column + done);
    const index_t pixels = min(pixel.following, (row.count - done) / planes);
    if (pixel.plane != 0 || pixels == 0) {
      staged[done] = (FROM_T)load_code(ELEMENT(FROM), of->source, pixel.at + pixel.plane * stride);
      done++;
    } else {
      zip_pixels((global const FROM_T *)of->source + pixel.at, stride, planes, pixels,
                 staged + done);
      done += pixels * planes;
    }
  }
}
#endif

#endif
