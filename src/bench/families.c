/* SPDX-License-Identifier: Apache-2.0 */
#include "families.h"

#include <string.h>

#include "draw.h"
#include "status.h"
#include "text.h"

/* ---- the families ---- */

static void draw_transpose(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS];
  const uint32_t rank = (uint32_t)draw_one_of(rng, LIST(2, 2, 3, 3, 4, 5, 6));
  draw_type(rng, drawn);
  draw_extents(rng, rank, draw_count(rng, drawn->bits), drawn->from.dims);
  drawn->from.rank = rank;
  do { /* until the order moves something */
    draw_permutation(rng, rank, perm);
  } while (rank < 4 && perm[0] == 0 && perm[rank - 1] == rank - 1);
  drawn_permute(drawn, rank, perm);
}

/* Many axes of 2 to 6, reversed, rotated or in any order. */
static void draw_small_axes(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS];
  draw_type(rng, drawn);
  const int64_t most = draw_one_of(rng, LIST(2, 3, 4, 6));
  int64_t left = draw_count(rng, drawn->bits);
  while (drawn->from.rank < DRAWN_DIMS && left >= most) {
    const int64_t extent = draw_between(rng, 2, most);
    drawn->from.dims[drawn->from.rank++] = extent;
    left /= extent;
  }
  const uint32_t rank = drawn->from.rank;
  const int64_t how = draw_between(rng, 0, 2), turn = draw_between(rng, 1, rank - 1);
  draw_permutation(rng, rank, perm);
  for (uint32_t i = 0; i < rank && how < 2; i++) {
    perm[i] = how == 0 ? (int64_t)rank - 1 - i : (i + turn) % rank;
  }
  drawn_permute(drawn, rank, perm);
}

/* Draws N, H, W and C with about as many elements as drawn. */
static void draw_image(bench_rng *rng, bench_drawn *drawn, int64_t dims[4]) {
  drawn->bits = (uint32_t)draw_one_of(rng, LIST(8, 8, 16, 32, 32));
  drawn->dtype = drawn->bits == 8 ? "u8" : drawn->bits == 16 ? "f16" : "f32";
  const int64_t count = draw_count(rng, drawn->bits);
  dims[3] = draw_one_in(rng, 2) ? draw_between(rng, 1, 4) : draw_by_logarithm(rng, 16, 2048);
  const int64_t pixels = count / dims[3] > 49 ? count / dims[3] : 49;
  int64_t highest = 8;
  while (highest < 2048 && 4 * highest * highest <= pixels) {
    highest *= 2;
  }
  dims[1] = draw_by_logarithm(rng, 7, highest);
  dims[2] = dims[1] + draw_between(rng, 0, dims[1] / 2);
  dims[0] = pixels / (dims[1] * dims[2]);
  dims[0] = dims[0] < 1 ? 1 : dims[0];
}

/* Channels last to channels first or back, sometimes with pitches or with reversed channels. */
static void draw_images(bench_rng *rng, bench_drawn *drawn) {
  static const int64_t first[] = {0, 3, 1, 2}, last[] = {0, 2, 3, 1};
  int64_t d[4];
  draw_image(rng, drawn, d);
  const bool to_first = draw_one_in(rng, 2);
  const int64_t *perm = to_first ? first : last;
  if (to_first) {
    drawn_set_dims(&drawn->from, LIST(d[0], d[1], d[2], d[3]));
  } else {
    drawn_set_dims(&drawn->from, LIST(d[0], d[3], d[1], d[2]));
  }
  drawn_permute(drawn, 4, perm);
  if (draw_one_in(rng, 4)) {
    draw_pitch(rng, &drawn->from);
  } else if (draw_one_in(rng, 4)) {
    drawn_set_result(drawn, perm);
    draw_pitch(rng, &drawn->to);
  } else if (draw_one_in(rng, 4)) { /* RGB to BGR */
    drawn_set_pitches(&drawn->from, NULL);
    drawn->from.strides[to_first ? 3 : 1] *= -1;
  }
}

/* [batch, tokens, heads, depth] to heads first, out of q, k and v side by side or into a cache, or
 * back. */
static void draw_attention(bench_rng *rng, bench_drawn *drawn) {
  static const int64_t perm[] = {0, 2, 1, 3};
  drawn->bits = draw_one_in(rng, 3) ? 32 : 16;
  drawn->dtype = drawn->bits == 32 ? "f32" : "f16";
  const int64_t depth = draw_one_of(rng, LIST(32, 64, 64, 80, 96, 128, 128, 256));
  const int64_t heads = draw_one_of(rng, LIST(4, 8, 12, 16, 20, 25, 32, 40));
  const int64_t left = draw_count(rng, drawn->bits) / (depth * heads);
  const int64_t batch = left > 8 ? draw_by_logarithm(rng, 1, left < 64 ? left : 64) : 1;
  const int64_t tokens = left / batch > 1 ? left / batch : 1;
  const bool split = draw_one_in(rng, 2);
  drawn_set_dims(&drawn->from, LIST(batch, split ? tokens : heads, split ? heads : tokens, depth));
  drawn_permute(drawn, 4, perm);
  if (split && draw_one_in(rng, 2)) { /* q of q, k and v */
    drawn_set_pitches(&drawn->from, (const int64_t[DRAWN_DIMS]){0, 0, 2 * heads, 0});
  } else if (split && draw_one_in(rng, 2)) { /* a cache with room for more tokens */
    drawn_set_result(drawn, perm);
    drawn_set_pitches(&drawn->to,
                      (const int64_t[DRAWN_DIMS]){0, 0, draw_between(rng, 1, 4 * tokens), 0});
  }
}

/* Squares of an image, each as a row of a matrix, or back to the image. */
static void draw_patches(bench_rng *rng, bench_drawn *drawn) {
  int64_t d[4];
  draw_image(rng, drawn, d);
  const int64_t size = draw_one_of(rng, LIST(2, 4, 7, 8, 14, 16, 32));
  const int64_t patch = size < d[1] ? size : 7;
  const int64_t h = d[1] / patch, w = d[2] / patch;
  switch (draw_between(rng, 0, 3)) {
  case 0: /* channels last, kept last */
    drawn_set_dims(&drawn->from, LIST(d[0], h, patch, w, patch, d[3]));
    drawn_permute(drawn, LIST(0, 1, 3, 2, 4, 5));
    break;
  case 1: /* channels first, then last in each patch */
    drawn_set_dims(&drawn->from, LIST(d[0], d[3], h, patch, w, patch));
    drawn_permute(drawn, LIST(0, 2, 4, 3, 5, 1));
    break;
  case 2: /* channels first in each patch */
    drawn_set_dims(&drawn->from, LIST(d[0], d[3], h, patch, w, patch));
    drawn_permute(drawn, LIST(0, 2, 4, 1, 3, 5));
    break;
  default: /* patches to an image */
    drawn_set_dims(&drawn->from, LIST(d[0], h, w, patch, patch, d[3]));
    drawn_permute(drawn, LIST(0, 5, 1, 3, 2, 4));
  }
}

/* im2col: overlapping windows. The destination is larger than the source, so images are small. */
static void draw_windows(bench_rng *rng, bench_drawn *drawn) {
  int64_t d[4];
  draw_image(rng, drawn, d);
  const int64_t size = draw_one_of(rng, LIST(2, 3, 3, 3, 5, 7));
  const int64_t step = draw_between(rng, 1, size - 1);
  d[1] = d[1] / size > size ? d[1] / size : size;
  d[2] = d[2] / size > size ? d[2] / size : size;
  const int64_t rows = (d[1] - size) / step + 1, columns = (d[2] - size) / step + 1;
  const int64_t row = d[2], image = d[1] * d[2];
  drawn_set_dims(&drawn->from, LIST(d[0], d[3], size, size, rows, columns));
  const int64_t strides[] = {d[3] * image, image, row, 1, step * row, step};
  memcpy(drawn->from.strides, strides, sizeof strides);
  drawn->from.strided = true;
  if (draw_one_in(rng, 2)) {
    drawn_permute(drawn, LIST(0, 4, 5, 1, 2, 3));
  } else {
    drawn_permute(drawn, LIST(0, 1, 2, 3, 4, 5));
  }
}

/* Between planes or channels last and blocks of channels. The last block may be cut. */
static void draw_blocked(bench_rng *rng, bench_drawn *drawn) {
  int64_t d[4];
  draw_image(rng, drawn, d);
  const int64_t block = draw_one_of(rng, LIST(4, 8, 8, 16, 16, 32));
  const int64_t blocks = 1 + d[3] / block, padded = blocks * block;
  const int64_t channels = padded - draw_between(rng, 0, block - 1);
  d[0] = 1 + d[0] * d[3] / padded;
  switch (draw_between(rng, 0, 3)) {
  case 0: /* nChwXc to NCHW, with a tail */
    drawn_set_dims(&drawn->from, LIST(d[0], blocks, d[1], d[2], block));
    drawn_permute(drawn, LIST(0, 1, 4, 2, 3));
    drawn_reshape_and_cut(drawn, 4, (const int64_t[]){d[0], padded, d[1], d[2]},
                          (const int64_t[]){d[0], channels, d[1], d[2]});
    drawn_permute(drawn, LIST(0, 1, 2, 3));
    break;
  case 1: /* NCHW to nChwXc */
    drawn_set_dims(&drawn->from, LIST(d[0], blocks, block, d[1], d[2]));
    drawn_permute(drawn, LIST(0, 1, 3, 4, 2));
    break;
  case 2: /* NHWC to nChwXc */
    drawn_set_dims(&drawn->from, LIST(d[0], d[1], d[2], blocks, block));
    drawn_permute(drawn, LIST(0, 3, 1, 2, 4));
    break;
  default: /* nChwXc to NHWC */
    drawn_set_dims(&drawn->from, LIST(d[0], blocks, d[1], d[2], block));
    drawn_permute(drawn, LIST(0, 2, 3, 1, 4));
  }
}

/* Axes that the source does not have, written in any order. */
static void draw_broadcast(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS];
  const uint32_t rank = (uint32_t)draw_between(rng, 2, 4);
  draw_type(rng, drawn);
  draw_extents(rng, rank, draw_count(rng, drawn->bits), drawn->from.dims);
  drawn->from.rank = rank;
  drawn_set_pitches(&drawn->from, NULL);
  drawn->from.strides[draw_between(rng, 0, rank - 1)] = 0;
  draw_permutation(rng, rank, perm);
  drawn_permute(drawn, rank, perm);
}

/* Parts of a tensor at odd offsets, with steps of 1 to 3, sometimes backward. */
static void draw_slices(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS], spare[DRAWN_DIMS] = {0};
  const uint32_t rank = (uint32_t)draw_between(rng, 1, 4);
  draw_type(rng, drawn);
  drawn->from.rank = rank;
  draw_extents(rng, rank, draw_count(rng, drawn->bits) / 2 + 1, drawn->from.dims);
  for (uint32_t i = 0; i < rank; i++) {
    spare[i] = draw_between(rng, 0, drawn->from.dims[i] < 40 ? drawn->from.dims[i] / 2 : 40);
    perm[i] = i;
  }
  drawn_set_pitches(&drawn->from, spare);
  drawn->from.offset = draw_between(rng, 0, 40);
  for (uint32_t i = 0; i < rank; i++) {
    const int64_t step = draw_one_in(rng, 4) ? draw_between(rng, 2, 3) : 1;
    drawn->from.dims[i] = (drawn->from.dims[i] + step - 1) / step;
    drawn->from.strides[i] *= draw_one_in(rng, 5) ? -step : step;
    drawn->from.offset +=
        drawn->from.strides[i] < 0 ? -drawn->from.strides[i] * (drawn->from.dims[i] - 1) : 0;
  }
  drawn->from.has_offset = true;
  drawn_permute(drawn, rank, perm);
}

/* Parts of a wider tensor, as concatenation writes them, sometimes transposed. */
static void draw_parts(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS], spare[DRAWN_DIMS] = {0};
  const uint32_t rank = (uint32_t)draw_between(rng, 2, 4);
  draw_type(rng, drawn);
  drawn->from.rank = rank;
  draw_extents(rng, rank, draw_count(rng, drawn->bits) / 4 + 1, drawn->from.dims);
  draw_permutation(rng, rank, perm);
  const bool keeps_order = !draw_one_in(rng, 3);
  for (uint32_t i = 0; i < rank && keeps_order; i++) {
    perm[i] = i;
  }
  drawn_permute(drawn, rank, perm);
  drawn_set_result(drawn, perm);
  const int64_t axis = draw_between(rng, 1, rank - 1);
  spare[axis] = draw_between(rng, 1, 3 * drawn->to.dims[axis]);
  drawn_set_pitches(&drawn->to, spare);
}

/* Many small matrices, transposed or with their columns reversed. The columns may be the channels
 * of pixels. */
static void draw_matrices(bench_rng *rng, bench_drawn *drawn) {
  static const int64_t turned[] = {0, 2, 1}, kept[] = {0, 1, 2};
  draw_type(rng, drawn);
  const int64_t columns = draw_by_logarithm(rng, 2, 32);
  const int64_t rows = draw_one_in(rng, 4) ? 1 : draw_by_logarithm(rng, 2, 32);
  const int64_t matrices = draw_count(rng, drawn->bits) / (rows * columns);
  drawn_set_dims(&drawn->from, LIST(matrices < 1 ? 1 : matrices, rows, columns));
  const bool flips = rows == 1 || draw_one_in(rng, 4);
  if (flips) {
    drawn_set_pitches(&drawn->from, NULL);
    drawn->from.strides[2] = -1;
    drawn->from.offset = columns - 1;
    drawn->from.has_offset = true;
  }
  drawn_permute(drawn, 3, rows == 1 ? kept : turned);
}

/* Elements of 1, 2 and 4 bits: transposed, regrouped, and cut out at odd places. */
static void draw_packed(bench_rng *rng, bench_drawn *drawn) {
  int64_t perm[DRAWN_DIMS], spare[DRAWN_DIMS] = {0};
  const uint32_t rank = (uint32_t)draw_one_of(rng, LIST(2, 2, 3));
  draw_packed_type(rng, drawn);
  drawn->from.rank = rank;
  draw_extents(rng, rank, draw_count(rng, drawn->bits), drawn->from.dims);
  draw_permutation(rng, rank, perm);
  if (draw_one_in(rng, 2)) { /* even extents, as weights have */
    for (uint32_t i = 0; i < rank; i++) {
      drawn->from.dims[i] += drawn->from.dims[i] > 16 ? -drawn->from.dims[i] % 8 : 0;
    }
  }
  if (draw_one_in(rng, 3)) {
    spare[rank - 1] = draw_between(rng, 1, 9);
    drawn_set_pitches(&drawn->from, spare);
    drawn->from.offset = draw_between(rng, 0, 7);
    drawn->from.has_offset = true;
  }
  drawn_permute(drawn, rank, perm);
}

/* Axes that do not factor: [a * p, b * q] transposed, read as [b * p, a * q], transposed again. */
static void draw_composed(bench_rng *rng, bench_drawn *drawn) {
  draw_type(rng, drawn);
  const int64_t count = draw_count(rng, drawn->bits);
  const int64_t a = draw_between(rng, 2, 40), b = draw_between(rng, 2, 40);
  const int64_t run = draw_one_in(rng, 2) ? draw_between(rng, 2, 64) : 1;
  const int64_t left = count / (a * b * run) > 4 ? count / (a * b * run) : 4;
  const int64_t p = draw_by_logarithm(rng, 2, left), q = left / p > 1 ? left / p : 1;
  drawn_set_dims(&drawn->from, LIST(a * p, b * q, run));
  drawn_permute(drawn, LIST(1, 0, 2));
  drawn_reshape(drawn, LIST(b * p, a * q, run));
  drawn_permute(drawn, LIST(1, 0, 2));
}

/* Up to 2000 moves of 512 bytes to 64 KiB: axes in any order, sometimes with gaps on one side. */
static void draw_batches(bench_rng *rng, bench_drawn *drawn) {
  enum { LEAST_BYTES = 512, MOST_BYTES = 64 << 10, MOST_MOVES = 2000 };
  int64_t perm[DRAWN_DIMS] = {0};
  draw_type(rng, drawn);
  const int64_t count = draw_count(rng, drawn->bits), in_byte = 8;
  const int64_t drawn_each = draw_by_logarithm(rng, LEAST_BYTES * in_byte / drawn->bits,
                                               MOST_BYTES * in_byte / drawn->bits);
  const int64_t each = drawn_each < count / 2 ? drawn_each : count / 2;
  const int64_t moves = count / each < MOST_MOVES ? count / each : MOST_MOVES;
  const uint32_t rank = (uint32_t)draw_between(rng, 1, 4); /* of each move */
  drawn->is_batch = true;
  drawn->from.rank = 1 + rank;
  drawn->from.dims[0] = moves;
  draw_extents(rng, rank, each, drawn->from.dims + 1);
  draw_permutation(rng, rank, perm + 1);
  for (uint32_t i = 1; i <= rank; i++) {
    perm[i]++;
  }
  drawn_permute(drawn, 1 + rank, perm);
  if (draw_one_in(rng, 3)) {
    draw_pitch(rng, &drawn->from);
  } else if (draw_one_in(rng, 3)) {
    drawn_set_result(drawn, perm);
    draw_pitch(rng, &drawn->to);
  }
}

static const struct {
  const char *name;
  void (*draw)(bench_rng *rng, bench_drawn *drawn);
} families[] = {
    {"transposes", draw_transpose}, {"small-axes", draw_small_axes}, {"images", draw_images},
    {"attention", draw_attention},  {"patches", draw_patches},       {"windows", draw_windows},
    {"blocked", draw_blocked},      {"broadcast", draw_broadcast},   {"slices", draw_slices},
    {"packed", draw_packed},        {"composed", draw_composed},     {"parts", draw_parts},
    {"matrices", draw_matrices},    {"batches", draw_batches}};
enum { FAMILIES = sizeof families / sizeof *families };

/* The number of the family with that name, or FAMILIES. */
static size_t find_family(const char *name) {
  size_t i = 0;
  while (i < FAMILIES && strcmp(families[i].name, name) != 0) {
    i++;
  }
  return i;
}

clrs_status bench_family_check(const char *name, clrs_error *error) {
  char names[300] = "";
  if (find_family(name) < FAMILIES) {
    return CLRS_OK;
  }
  for (size_t i = 0; i < FAMILIES; i++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", families[i].name);
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there is no family '%s', but %s",
                    clrs__show(name).text, names);
}

static void write_case(FILE *file, uint64_t seed, size_t family, size_t number) {
  const char *name = families[family].name;
  bench_rng rng = {seed + UINT64_C(0x632be59bd9b4e019) * (number + 1) + family};
  bench_drawn drawn = {.chain = ""};
  families[family].draw(&rng, &drawn);
  fprintf(file, "%s-%zu\t%s\t", name, number, name);
  drawn_write(file, &drawn);
}

void bench_families_write(FILE *file, const bench_draw *draw) {
  const size_t only = draw->family != NULL ? find_family(draw->family) : FAMILIES;
  for (size_t i = 0; i < draw->count; i++) {
    write_case(file, draw->seed, only < FAMILIES ? only : i % FAMILIES, i);
  }
}
