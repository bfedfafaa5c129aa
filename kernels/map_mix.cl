/*
 * Colours of frames, for map_rows. Two neighbours share the chroma. The steps of the map begin with
 * these colours.
 *
 * The last loops of a row are the pairs and the two pixels of a pair. The rows of a chunk are then
 * the colours. If a loop of three colours is behind, a row has whole pixels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_MIX_CL
#define CLRS_MAP_MIX_CL
#ifndef CLRS_MAP_PARTS_CL
#include "map_parts.cl"
#endif
#ifndef CLRS_MIX_CL
#include "mix.cl"
#endif

#if MIXES
#if LANES > 1
/* Bytes of three interleaved colours: a shuffle of two colours, and then the third. */
#define STORE_CODES(to, codes) ((any_from_t *)(to))->value = CAST(from_lanes_t, codes)
#define OF_TWO(k, n, p) ((n) + (k)) / 3 + (((n) + (k)) % 3 == 1 ? LANES : 0)
#define OF_THIRD(k, n, p) (((n) + (k)) % 3 == 2 ? LANES + ((n) + (k)) / 3 : (k))
#define OF_PAIR(r, g, n) __builtin_shufflevector(r, g, EACH_LANE(OF_TWO, n, 0))
#define ZIPPED(r, g, b, n) __builtin_shufflevector(OF_PAIR(r, g, n), b, EACH_LANE(OF_THIRD, n, 0))
#else
#define load_steps(from, step) *(from)
#define STORE_CODES(to, codes) *(to) = (FROM_T)(codes)
#define ZIPPED(r, g, b, n) ((n) == 0 ? r : (n) == 1 ? g : b)
#endif

#if COLORED == CLRS_COLORS_GREY
#if LANES > 1 && defined(__SSSE3__)
/* Sums four pixels. The first two colours have the factors of pairs.x, the third has pairs.y. */
INLINED int4 sum_pixels(global const uchar *pixels, const int2 pairs) {
  const char16 twos = {0, -1, 1, -1, 3, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1};
  const char16 thirds = {2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1};
  const char16 bytes = as_char16(((global const any_uint4_t *)pixels)->value);
  const short8 first = as_short8(__builtin_ia32_pshufb128(bytes, twos));
  const short8 last = as_short8(__builtin_ia32_pshufb128(bytes, thirds));
  return as_int4(__builtin_ia32_pmaddwd128(first, as_short8((int4)pairs.x))) +
         as_int4(__builtin_ia32_pmaddwd128(last, as_short8((int4)pairs.y)));
}

#define GREY_OF_FOUR(k) ((sum_pixels(at + 12 * (k), pairs) + bias) >> shift)
#define GREY_OF_EIGHT(k)                                                                           \
  as_short8(__builtin_ia32_packssdw128(GREY_OF_FOUR(k), GREY_OF_FOUR((k) + 1)))
/* Stages the grey of pixels that begin at `from`, if the factors have 16 bits. Each load has 16
 * bytes, and four pixels have 12. Returns the number of pixels. */
INLINED index_t mix_whole(mapped_ref move, global const uchar *from, const int3 factors,
                          index_t count, FROM_T *staged) {
  const bool are_short = factors.x == (short)factors.x && factors.y == (short)factors.y &&
                         factors.z == (short)factors.z;
  const int2 pairs = {(factors.x & 0xffff) | factors.y << 16, factors.z & 0xffff};
  const int4 bias = (int4)(int)move->colors[0][2];
  const int shift = (int)move->color_shift;
  index_t i = 0;
  PLAIN_LOOP
  for (; are_short && i + LANES + 2 <= count; i += LANES) {
    global const uchar *at = from + 3 * i;
    const char16 grey = __builtin_ia32_packuswb128(GREY_OF_EIGHT(0), GREY_OF_EIGHT(2));
    STORE_CODES(staged + i, as_uchar16(grey));
  }
  return i;
}
#else
#define mix_whole(move, from, factors, count, staged) 0
#endif

/* Stages the grey of a piece's pixels. Lanes of fewer pixels would leave the source. */
INLINED void mix_grey(const rows_t *of, const row_t row, index_t step, const piece_t piece,
                      FROM_T *staged) {
  mapped_ref move = of->move;
  const index_t at = piece.at - row.places.at[CLRS_FROM];
  global const uchar *r = of->source + piece.at;
  global const uchar *g = of->u + row.places.at[CLRS_OF_U] + at;
  global const uchar *b = of->v + row.places.at[CLRS_OF_COLORS] + at;
  const int3 factors = {(int)move->luma_factor, (int)move->colors[0][0], (int)move->colors[0][1]};
  const uint3 by = as_uint3(factors);
  const uint bias = (uint)move->colors[0][2];
  index_t i = 0;
  if (step == 3 && g - r == 1 && b - r == 2) {
    i = mix_whole(move, r, factors, piece.length, staged);
  } else if (step == 3 && r - g == 1 && r - b == 2) {
    i = mix_whole(move, b, factors.zyx, piece.length, staged);
  }
  PLAIN_LOOP
  for (; i + LANES <= piece.length; i += LANES) {
    const uints_t sum = CAST(uints_t, load_steps(r + i * step, step)) * by.x +
                        CAST(uints_t, load_steps(g + i * step, step)) * by.y +
                        CAST(uints_t, load_steps(b + i * step, step)) * by.z + bias;
    STORE_CODES(staged + i, color_of(move, sum));
  }
  PLAIN_LOOP
  for (; i < piece.length; i++) {
    const uint sum = r[i * step] * by.x + g[i * step] * by.y + b[i * step] * by.z + bias;
    staged[i] = (FROM_T)clamp((int)sum >> (int)move->color_shift, 0, 255);
  }
}

INLINED bool are_planes(mapped_ref move, const part_t part) {
  (void)move;
  (void)part;
  return false;
}

INLINED codes_ref take_plane(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  (void)of;
  (void)part;
  (void)r;
  return AS_CODES_REF(staged);
}

INLINED codes_ref find_codes(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  const row_t row = part.row;
  const index_t step = of->move->axes[of->move->axis_count - 1].strides[CLRS_FROM];
  piece_t piece;
  start_pieces(of->move, &of->runs, row, CLRS_FROM, &piece);
  do {
    mix_grey(of, row, step, piece, staged + piece.done);
  } while (next_piece(of->move, &of->runs, row, CLRS_FROM, &piece));
  (void)r;
  return AS_CODES_REF(staged);
}
#else
/* Pixels of a row whose luma and chroma are loaded together. */
typedef struct pixels_t {
  sums_t u, v;
  global const uchar *y;
  index_t step; /* between the luma of neighbours */
} pixels_t;

/* Loads the chroma of 2 * LANES pixels from pixel number `at` of the row on. */
INLINED pixels_t load_pixels(const rows_t *of, const row_t row, index_t at) {
  mapped_ref move = of->move;
  const index_t pairs = first_run_axis(move), step = move->axes[pairs].strides[CLRS_OF_U];
  global const uchar *u_at = of->u + row.places.at[CLRS_OF_U] + at / 2 * step;
  global const uchar *v_at = of->v + row.places.at[CLRS_OF_V] + at / 2 * step;
  const index_t y_step = move->axes[pairs + 1].strides[CLRS_FROM];
  const pixels_t pixels = {CHROMA_OF(load_steps(u_at, step), move->least_luma),
                           CHROMA_OF(load_steps(v_at, step), move->color_shift),
                           of->source + row.places.at[CLRS_FROM] + at * y_step, y_step};
  return pixels;
}

/* Returns the chroma of colour n of the pixels. `axis` is the loop of the colours. */
INLINED chroma_t chroma_in(mapped_ref move, const row_t row, index_t axis, index_t n,
                           const pixels_t pixels) {
  const index_t color =
      row.places.at[CLRS_OF_COLORS] + n * move->axes[axis].strides[CLRS_OF_COLORS];
  return chroma_of(move, color, pixels.u, pixels.v);
}

/* Puts each colour of the pixels into a plane. Every row has more than 2 * LANES pixels, so the
 * last lanes begin further ahead, in a short chunk before the chunk and its planes. */
INLINED void mix_planes(const rows_t *of, const row_t row, FROM_T *planes) {
  mapped_ref move = of->move;
  const index_t axis = first_run_axis(move) - 1;
  PLAIN_LOOP
  for (index_t i = 0; i < row.count; i += 2 * LANES) {
    const index_t at = min(i, row.count - 2 * LANES);
    const pixels_t pixels = load_pixels(of, row, row.column + at);
    const sums_t a = LUMA_OF(load_steps(pixels.y, pixels.step));
    const sums_t b = LUMA_OF(load_steps(pixels.y + LANES * pixels.step, pixels.step));
    for (index_t n = 0; n < move->axes[axis].extent; n++) {
      const chroma_t chroma = chroma_in(move, row, axis, n, pixels);
      FROM_T *to = planes + n * CLRS_MAPPED_STAGE + at;
      STORE_CODES(to, color_of(move, WITH_CHROMA(a, chroma, 0)));
      STORE_CODES(to + LANES, color_of(move, WITH_CHROMA(b, chroma, LANES / 2)));
    }
  }
}

INLINED bool are_planes(mapped_ref move, const part_t part) {
  (void)part;
  return move->run_axes == 2;
}

/* Returns the codes of a colour. All colours are made with the first. */
INLINED codes_ref take_plane(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  FROM_T *planes = staged + 2 * LANES;
  if (r == 0) {
    mix_planes(of, part.row, planes);
  }
  return AS_CODES_REF(planes + r * CLRS_MAPPED_STAGE);
}

/* Stages LANES pixels. `n` is the first of these among the lanes of the chroma, which two share. */
#define COLOR_FROM(luma, k, n) CAST(LANED(uchar), color_of(move, WITH_CHROMA(luma, chroma[k], n)))
#define STAGE_PIXELS(luma, n, to)                                                                  \
  {                                                                                                \
    const LANED(uchar) red = COLOR_FROM(luma, 0, n);                                               \
    const LANED(uchar) green = COLOR_FROM(luma, 1, n);                                             \
    const LANED(uchar) blue = COLOR_FROM(luma, 2, n);                                              \
    STORE_CODES(to, ZIPPED(red, green, blue, 0));                                                  \
    STORE_CODES((to) + LANES, ZIPPED(red, green, blue, LANES));                                    \
    STORE_CODES((to) + 2 * LANES, ZIPPED(red, green, blue, 2 * LANES));                            \
  }

/* Stages the pixels of `rows` rows that share the chroma. Row r is staged at r * ROW_ROOM. */
#define ROW_ROOM (CLRS_MAPPED_STAGE + 2 * LANES * CLRS_COLORS)
INLINED void mix_pixels(const rows_t *of, const row_t row, index_t rows, FROM_T *staged) {
  mapped_ref move = of->move;
  const index_t next = move->axes[first_run_axis(move) - 1].strides[CLRS_FROM];
  const index_t axis = move->axis_count - 1, count = row.count / CLRS_COLORS;
  PLAIN_LOOP
  for (index_t i = 0; i < count; i += 2 * LANES) {
    const index_t at = min(i, count - 2 * LANES);
    const pixels_t pixels = load_pixels(of, row, row.column / CLRS_COLORS + at);
    const chroma_t chroma[CLRS_COLORS] = {chroma_in(move, row, axis, 0, pixels),
                                          chroma_in(move, row, axis, 1, pixels),
                                          chroma_in(move, row, axis, 2, pixels)};
    for (index_t r = 0; r < rows; r++) {
      global const uchar *y = pixels.y + r * next;
      FROM_T *to = staged + r * ROW_ROOM + CLRS_COLORS * at;
      const sums_t a = LUMA_OF(load_steps(y, pixels.step));
      const sums_t b = LUMA_OF(load_steps(y + LANES * pixels.step, pixels.step));
      STAGE_PIXELS(a, 0, to)
      STAGE_PIXELS(b, LANES / 2, to + CLRS_COLORS * LANES)
    }
  }
}

/* Returns true if a part's rows share the chroma, as the two rows of a frame do. */
INLINED bool share_chroma(mapped_ref move) {
  const loop_axis_t rows = move->axes[first_run_axis(move) - 1];
  return !INDEXED && move->reach == 0 && rows.strides[CLRS_OF_U] == 0 &&
         rows.strides[CLRS_OF_V] == 0 && rows.strides[CLRS_OF_COLORS] == 0;
}

/* Returns the codes of whole pixels. Two rows are staged with the first of the two. */
INLINED codes_ref find_codes(const rows_t *of, const part_t part, index_t r, FROM_T *staged) {
  const index_t together = share_chroma(of->move) ? 2 : 1, second = r % together;
  FROM_T *rows = staged + 2 * LANES * CLRS_COLORS;
  if (second == 0) {
    mix_pixels(of, part.row, min(together, part.rows - r), rows);
  }
  return AS_CODES_REF(rows + second * ROW_ROOM);
}
#endif
#endif

#endif
