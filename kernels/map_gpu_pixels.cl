/*
 * map_gpu_pixels: interleaved pixels of 2, 3 or 4 colours in the source become planes. For GPUs. An
 * item reads as many whole pixels as fill 16 bytes of a plane, and writes 16 bytes to each plane.
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

#define LOADS CLRS_MAPPED_PIXEL_LOADS(PIXELS *FROM_BYTES * 8)
#define TILE_VECTORS 1 /* not used */
#define PIXEL_WORDS CLRS_MAPPED_LARGER(PIXELS *FROM_BYTES / 4, 1)

/* The first pixel of this item's k-th access. */
INLINED index_t pixel_of_item(const group_t *group, int k) {
  return group->column + ((index_t)get_local_id(0) + k * GROUP_ITEMS) * ACCESS;
}

INLINED void load_pixels(global const uchar *source, const group_t *group, index_t pixel,
                         uint *words) {
  const index_t at = group->places.at[CLRS_FROM] + pixel * PIXELS;
  global const aliased_uint_t *from =
      (global const aliased_uint_t *)(source + BYTE_OF_ELEMENT(FROM_BITS, at));
  UNROLLED
  for (int i = 0; i < PIXEL_WORDS; i++) {
    words[i] = from[i];
  }
}

SHARING void move_map_gpu_pixels(global const uchar *source, global uchar *destination,
                                 mapped_ref move, const tensors_t tensors) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const group_t group = find_group(move, i);
    uint pixels[LOADS][PIXEL_WORDS];
    UNROLLED
    for (int k = 0; k < LOADS; k++) {
      if (pixel_of_item(&group, k) < move->run) {
        load_pixels(source, &group, pixel_of_item(&group, k), pixels[k]);
      }
    }
    UNROLLED
    for (int k = 0; k < LOADS * PIXELS; k++) {
      const index_t pixel = pixel_of_item(&group, k / PIXELS);
      if (pixel < move->run) {
        uint words[TO_WORDS];
        const places_t places = places_of_row(move, &group, k % PIXELS);
        const codes_at_t codes = {k % PIXELS, PIXELS};
        convert_access(move, tensors, places, pixel, NOT_KNOWN, pixels[k / PIXELS], codes, words);
        store_access(destination + BYTE_OF_ELEMENT(TO_BITS, places.at[CLRS_TO] + pixel), words);
      }
    }
  }
}

MAP_KERNEL(map_gpu_pixels)
