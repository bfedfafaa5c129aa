/*
 * map_gpu_colors: all colours of a pixel at once, of a frame or of a resized picture, which share
 * what they read. For GPUs. An item takes ACCESS pixels of a row, and converts the colours one
 * after the other.
 *
 * Axis 0 has the PIXELS colours of a pixel. If the kernel mixes colours, axis 1 has the two pixels
 * of a pair, and axis 2 the pairs of an access. The pixels of a picture are axis 1, or each item
 * has one pixel if RAGGED. The other axes number the items. COLUMN_AXES is 2 if the colours of the
 * pixels are neighbours in the destination, or 1 if each colour is a plane.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ACCESS
#define ACCESS 4
#endif
#ifndef PIXELS
#define PIXELS 3
#endif
#ifndef WIDE_SOURCE
#define WIDE_SOURCE 0
#endif
#ifndef CLRS_MAP_GROUP_CL
#include "map_group.cl"
#endif
#ifndef CLRS_MIX_CL
#include "mix.cl"
#endif
#ifndef CLRS_RESAMPLE_CL
#include "resample.cl"
#endif

/* The results of all codes of all colours, if every item has the same parameters. A group with such
 * a table has several pieces (LOOPS). */
#define IS_LOOKED_UP (SPREAD == CLRS_MAPPED_STEADY)
#define CODES 256
#define TILE_VECTORS (IS_LOOKED_UP ? PIXELS * CODES * (TO_BITS / 8) / 16 : 1)
typedef TO_T result_t ALIASED;
#define ITEM_AXIS (MIXES ? 3 : RAGGED ? 1 : 2)

/* The first pixel's first colour of an item. Example: extents 3 and 2 behind ITEM_AXIS, the fastest
 * first, split item 4 into the digits 1 and 1. */
INLINED places_t places_of_item(mapped_ref move, count_t item) {
  places_t places = first_places(move);
  EACH_AXIS(k, ITEM_AXIS, AXES, move->axis_count) {
    const index_t digit = take_digit(&item, move->axes[k].extent, move->axes[k].divisor);
    UNROLLED
    for (int operand = 0; operand < OPERANDS; operand++) {
      places.at[operand] += digit * move->axes[k].strides[operand];
    }
  }
  return places;
}

/* Finds the codes of all colours of the item's pixels. */
#if MIXES
/* Loads the luma of an access, at once if WIDE_SOURCE says that the bytes are aligned neighbours.
 */
INLINED void load_luma(global const uchar *y, index_t step, uchar *luma) {
  uint words[FROM_WORDS];
  if (WIDE_SOURCE) {
    load_access(y, words);
  }
  UNROLLED
  for (int i = 0; i < ACCESS; i++) {
    luma[i] = WIDE_SOURCE ? (uchar)code_in(ELEMENT(FROM), words, i) : y[i * step];
  }
}

SHARING void take_colors(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         const places_t places, FROM_T codes[PIXELS][ACCESS]) {
  const index_t chroma_step = move->axes[2].strides[CLRS_OF_U];
  uchar luma[ACCESS];
  load_luma(source + places.at[CLRS_FROM], move->axes[1].strides[CLRS_FROM], luma);
  UNROLLED
  for (int i = 0; i < ACCESS; i += 2) {
    const index_t chroma_at = i / 2 * chroma_step;
    const sums_t a = LUMA_OF(luma[i]), b = LUMA_OF(luma[i + 1]);
    const sums_t u = CHROMA_OF(tensors.u[places.at[CLRS_OF_U] + chroma_at], move->least_luma);
    const sums_t v = CHROMA_OF(tensors.v[places.at[CLRS_OF_V] + chroma_at], move->color_shift);
    UNROLLED
    for (int n = 0; n < PIXELS; n++) {
      const chroma_t chroma = chroma_of(move, n, u, v);
      codes[n][i] = (FROM_T)color_of(move, WITH_CHROMA(a, chroma, 0));
      codes[n][i + 1] = (FROM_T)color_of(move, WITH_CHROMA(b, chroma, 0));
    }
  }
}
#elif RESAMPLES > CLRS_COMBINE_NEAREST && RESAMPLES <= CLRS_COMBINE_PILLOW
/* Adds the colours of a tap, times its weight. */
SHARING void add_tap(const picture_t picture, place_t at, place_t step, const FACTORS_T *factors,
                     int weight, int *lines) {
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    lines[n] += (int)load_color(picture, at, factors[n]) * weight;
    at += step;
  }
}

/* As combine, for all colours: a tap with weight 0 is skipped for all at once. */
SHARING void take_pixel(const picture_t picture, mapped_ref move, const sampled_t of,
                        FROM_T *codes) {
  const place_t step = place_in_pixel(0, move->axes[0].strides[CLRS_FROM], move->inner_stride);
  const order_t order = find_order(move, of);
  FACTORS_T factors[PIXELS];
  int sums[PIXELS];
  place_t color = of.at;
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    factors[n] = factors_at(picture, color);
    color += step;
    sums[n] = HALF;
  }
  EACH_TAP for (index_t i = 0; i < TAPS(order.outer_count); i++) {
    const tap_t tap = order.outer[i];
    const place_t at = of.at + place_along(picture, tap.at, order.outer_stride);
    int lines[PIXELS];
    UNROLLED
    for (int n = 0; n < PIXELS; n++) {
      lines[n] = LINE_START;
    }
    EACH_TAP for (index_t k = 0; tap.weight != 0 && k < TAPS(order.count); k++) {
      const tap_t inner = order.inner[k];
      if (inner.weight != 0) {
        add_tap(picture, at + place_along(picture, inner.at, order.stride), step, factors,
                inner.weight, lines);
      }
    }
    UNROLLED
    for (int n = 0; n < PIXELS; n++) {
      sums[n] += PART_OF((line_t)LINE_OF(lines[n]), tap.weight);
    }
  }
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    codes[n] = (FROM_T)RESULT_OF(sums[n]);
  }
}
#elif RESAMPLES
SHARING void take_pixel(const picture_t picture, mapped_ref move, sampled_t of, FROM_T *codes) {
  const index_t step = move->axes[0].strides[CLRS_FROM];
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    codes[n] = combine(picture, move, of);
    of.at += place_in_pixel(0, step, move->inner_stride);
  }
}
#endif

#if RESAMPLES
/* The pixels of an access are in the same row of the picture. */
SHARING void take_colors(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         const places_t places, FROM_T codes[PIXELS][ACCESS]) {
  const picture_t picture = picture_of(source, move);
  sampled_t of = find_sampled(move, places.at[CLRS_FROM]);
  UNROLLED
  for (int k = 0; k < ACCESS; k++) {
    FROM_T pixel[PIXELS];
    take_pixel(picture, move, of, pixel);
    of.columns += move->column_taps;
    UNROLLED
    for (int n = 0; n < PIXELS; n++) {
      codes[n][k] = pixel[n];
    }
  }
  (void)tensors;
}
#elif !MIXES
#define take_colors(source, move, tensors, places, codes) (void)(source)
#endif

INLINED void go_to_next_color(mapped_ref move, places_t *places) {
  UNROLLED
  for (int operand = 0; operand < OPERANDS; operand++) {
    places->at[operand] += move->axes[0].strides[operand];
  }
}

/* Converts all codes of all colours. */
SHARING void fill_table(mapped_ref move, const tensors_t tensors) {
  places_t places = first_places(move);
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    const parameters_t p = parameters_at(move, tensors, places);
    for (int code = (int)get_local_id(0); code < CODES; code += GROUP_ITEMS) {
      ((local result_t *)tensors.tile)[n * CODES + code] = (TO_T)CONVERT((FROM_T)code, p);
    }
    go_to_next_color(move, &places);
  }
}

/* Converts the codes of colour n, and puts the results at their places in the words. */
SHARING void convert_color(mapped_ref move, const tensors_t tensors, const places_t places, int n,
                           const FROM_T *codes, uint *words) {
  parameters_t p = no_parameters();
  if (!IS_LOOKED_UP) {
    p = parameters_at(move, tensors, places);
  }
  UNROLLED
  for (int k = 0; k < ACCESS; k++) {
    const int at = COLUMN_AXES > 1 ? k * PIXELS + n : n * TO_WORDS * 32 / TO_BITS + k;
    const TO_T result = IS_LOOKED_UP ? ((local const result_t *)tensors.tile)[n * CODES + codes[k]]
                                     : (TO_T)CONVERT(codes[k], p);
    put_code(ELEMENT(TO), words, at, result);
  }
}

SHARING void move_map_gpu_colors(global const uchar *source, global uchar *destination,
                                 mapped_ref move, const tensors_t tensors) {
#if IS_LOOKED_UP
  fill_table(move, tensors);
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const count_t item = i * GROUP_ITEMS + (count_t)get_local_id(0);
    if (item < (count_t)move->run) {
      FROM_T codes[PIXELS][ACCESS];
      uint words[PIXELS * TO_WORDS];
      const places_t first = places_of_item(move, item);
      places_t places = first;
      take_colors(source, move, tensors, first, codes);
      CLEAR_WORDS(words, PIXELS * TO_WORDS)
      UNROLLED
      for (int n = 0; n < PIXELS; n++) {
        convert_color(move, tensors, places, n, codes[n], words);
        go_to_next_color(move, &places);
      }
      UNROLLED
      for (int n = 0; n < PIXELS; n++) {
        const index_t to =
            first.at[CLRS_TO] + n * (COLUMN_AXES > 1 ? ACCESS : move->axes[0].strides[CLRS_TO]);
        store_access(destination + BYTE_OF_ELEMENT(TO_BITS, to), words + n * TO_WORDS);
      }
    }
  }
}

MAP_KERNEL(map_gpu_colors)
