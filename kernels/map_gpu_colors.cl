/*
 * map_gpu_colors: all colours of a pixel at once, of a frame or of a resized picture, which share
 * what they read. For GPUs. An item takes ACCESS pixels of a frame's row, and converts the colours
 * one after the other. A resized picture has ACCESS 1.
 *
 * Axis 0 has the PIXELS colours of a pixel. If the kernel mixes colours, axis 1 has the two pixels
 * of a pair, and axis 2 the pairs of an access. The other axes number the items. COLUMN_AXES is 2
 * if the colours of the pixels are neighbours in the destination, or 1 if each colour is a plane.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ACCESS
#define ACCESS 4
#endif
#ifndef PIXELS
#define PIXELS 3
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

#define TILE_VECTORS 1 /* not used */
#define ITEM_AXIS (MIXES ? 3 : 1)

/* The first pixel's first colour of an item. Example: extents 3 and 2 behind ITEM_AXIS, the fastest
 * first, split item 4 into the digits 1 and 1. */
INLINED places_t places_of_item(mapped_ref move, count_t item) {
  places_t places;
  UNROLLED
  for (int operand = 0; operand < OPERANDS; operand++) {
    places.at[operand] = move->starts[operand];
  }
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
SHARING void take_colors(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         const places_t places, FROM_T codes[PIXELS][ACCESS]) {
  const index_t y_step = move->axes[1].strides[CLRS_FROM];
  const index_t chroma_step = move->axes[2].strides[CLRS_OF_U];
  UNROLLED
  for (int i = 0; i < ACCESS; i += 2) {
    global const uchar *y = source + places.at[CLRS_FROM] + i * y_step;
    const index_t chroma_at = i / 2 * chroma_step;
    const sums_t a = LUMA_OF(*y), b = LUMA_OF(y[y_step]);
    const sums_t u = CHROMA_OF(tensors.u[places.at[CLRS_OF_U] + chroma_at], move->least_luma);
    const sums_t v = CHROMA_OF(tensors.v[places.at[CLRS_OF_V] + chroma_at], move->color_shift);
    UNROLLED
    for (int n = 0; n < PIXELS; n++) {
#if COLORED == CLRS_COLORS_FLOATS
      const sums_t of_u = u * FLOAT_OF(move->colors[n][0]), of_v = v * FLOAT_OF(move->colors[n][1]);
#else
      const sums_t chroma =
          u * (uint)move->colors[n][0] + v * (uint)move->colors[n][1] + (uint)move->colors[n][2];
#endif
      codes[n][i] = (FROM_T)color_of(move, WITH_CHROMA(a, 0));
      codes[n][i + 1] = (FROM_T)color_of(move, WITH_CHROMA(b, 0));
    }
  }
}
#elif RESAMPLES
SHARING void take_colors(global const uchar *source, mapped_ref move, const tensors_t tensors,
                         const places_t places, FROM_T codes[PIXELS][ACCESS]) {
  const picture_t picture = picture_of(source, move);
  sampled_t of = find_sampled(move, places.at[CLRS_FROM]);
  const index_t step = move->axes[0].strides[CLRS_FROM];
  UNROLLED
  for (int n = 0; n < PIXELS; n++) {
    codes[n][0] = combine(picture, move, of);
    of.at += place_in_pixel(0, step, move->inner_stride);
  }
  (void)tensors;
}
#else
#define take_colors(source, move, tensors, places, codes) (void)(source)
#endif

/* Converts the codes of colour n, and puts the results at their places in the words. */
SHARING void convert_color(mapped_ref move, const tensors_t tensors, const places_t places, int n,
                           const FROM_T *codes, uint *words) {
  const parameters_t p = parameters_at(move, tensors, places);
  UNROLLED
  for (int k = 0; k < ACCESS; k++) {
    const int at = COLUMN_AXES > 1 ? k * PIXELS + n : n * TO_WORDS * 32 / TO_BITS + k;
    put_code(ELEMENT(TO), words, at, (TO_T)CONVERT(codes[k], p));
  }
}

SHARING void move_map_gpu_colors(global const uchar *source, global uchar *destination,
                                 mapped_ref move, const tensors_t tensors) {
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
        UNROLLED
        for (int operand = 0; operand < OPERANDS; operand++) {
          places.at[operand] += move->axes[0].strides[operand];
        }
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
