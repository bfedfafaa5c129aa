/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

#include <inttypes.h>
#include <string.h>

/* ---- random numbers ---- */

/* splitmix64. */
static uint64_t next(bench_rng *rng) {
  uint64_t value = rng->state += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

int64_t draw_between(bench_rng *rng, int64_t low, int64_t high) {
  return low + (int64_t)(next(rng) % (uint64_t)(high - low + 1));
}

bool draw_one_in(bench_rng *rng, int64_t count) {
  return draw_between(rng, 1, count) == 1;
}

int64_t draw_by_logarithm(bench_rng *rng, int64_t low, int64_t high) {
  int64_t powers = 1;
  while (low <= high >> powers) {
    powers++;
  }
  const int64_t base = low << draw_between(rng, 0, powers - 1);
  const int64_t value = draw_between(rng, base, 2 * base - 1);
  return value < high ? value : high;
}

int64_t draw_one_of(bench_rng *rng, size_t count, const int64_t *values) {
  return values[next(rng) % count];
}

void draw_permutation(bench_rng *rng, uint32_t rank, int64_t *perm) {
  for (uint32_t i = 0; i < rank; i++) {
    perm[i] = i;
  }
  for (uint32_t i = rank; i > 1; i--) {
    const int64_t other = draw_between(rng, 0, i - 1), kept = perm[other];
    perm[other] = perm[i - 1];
    perm[i - 1] = kept;
  }
}

void draw_extents(bench_rng *rng, uint32_t rank, int64_t count, int64_t *dims) {
  int64_t places[DRAWN_DIMS];
  draw_permutation(rng, rank, places);
  for (uint32_t i = 0; i < rank; i++) {
    dims[places[i]] = i + 1 == rank ? count : draw_by_logarithm(rng, count > 3 ? 2 : 1, count);
    count /= dims[places[i]];
  }
}

/* ---- cases ---- */

void draw_type(bench_rng *rng, bench_drawn *drawn) {
  static const struct {
    const char *name;
    uint32_t bits;
  } types[] = {{"u8", 8},   {"u8", 8},   {"f16", 16}, {"f16", 16},  {"f32", 32},
               {"f32", 32}, {"f32", 32}, {"f64", 64}, {"c128", 128}};
  const size_t which = next(rng) % (sizeof types / sizeof *types);
  drawn->dtype = types[which].name;
  drawn->bits = types[which].bits;
}

void draw_packed_type(bench_rng *rng, bench_drawn *drawn) {
  static const char *const names[] = {"u1", "u2", "u4"};
  const int64_t which = draw_one_of(rng, LIST(0, 1, 2, 2, 2, 2));
  drawn->dtype = names[which];
  drawn->bits = 1u << which;
}

int64_t draw_count(bench_rng *rng, uint32_t bits) {
  return draw_by_logarithm(rng, 16 << 10, 256 << 20) * 8 / bits;
}

void drawn_set_dims(drawn_side *side, size_t rank, const int64_t *dims) {
  side->rank = (uint32_t)rank;
  memcpy(side->dims, dims, rank * sizeof *dims);
}

void drawn_set_pitches(drawn_side *side, const int64_t *spare) {
  int64_t stride = 1;
  for (uint32_t i = side->rank; i-- > 0;) {
    side->strides[i] = stride;
    stride *= side->dims[i] + (spare != NULL ? spare[i] : 0);
  }
  side->strided = true;
}

void draw_pitch(bench_rng *rng, drawn_side *side) {
  int64_t spare[DRAWN_DIMS] = {0};
  const int64_t dim = draw_between(rng, 1, side->rank - 1);
  spare[dim] = draw_between(rng, 1, side->dims[dim] < 33 ? side->dims[dim] : 33);
  drawn_set_pitches(side, spare);
}

void drawn_set_result(bench_drawn *drawn, const int64_t *perm) {
  drawn->to.rank = drawn->from.rank;
  for (uint32_t i = 0; i < drawn->from.rank; i++) {
    drawn->to.dims[i] = drawn->from.dims[perm[i]];
  }
}

/* ---- chains ---- */

static void append(bench_drawn *drawn, const char *before, int64_t value) {
  const size_t used = strlen(drawn->chain);
  snprintf(drawn->chain + used, sizeof drawn->chain - used, "%s%" PRId64, before, value);
}

void drawn_permute(bench_drawn *drawn, size_t count, const int64_t *perm) {
  for (size_t i = 0; i < count; i++) {
    append(drawn, i > 0 ? "," : drawn->chain[0] != '\0' ? "/" : "", perm[i]);
  }
}

void drawn_reshape(bench_drawn *drawn, size_t count, const int64_t *dims) {
  drawn_reshape_and_cut(drawn, count, dims, dims);
}

void drawn_reshape_and_cut(bench_drawn *drawn, size_t count, const int64_t *dims,
                           const int64_t *kept) {
  for (size_t i = 0; i < count; i++) {
    append(drawn, i > 0 ? "x" : "/", dims[i]);
    if (kept[i] < dims[i]) {
      append(drawn, ":", kept[i]);
    }
  }
}

/* ---- lines ---- */

static void write_list(FILE *file, const char *between, uint32_t count, const int64_t *values) {
  for (uint32_t i = 0; i < count; i++) {
    fprintf(file, "%s%" PRId64, i > 0 ? between : "", values[i]);
  }
}

static void write_strides(FILE *file, drawn_side side) {
  if (!side.strided) {
    fputc('C', file);
    return;
  }
  write_list(file, ",", side.rank, side.strides);
  if (side.has_offset) {
    fprintf(file, "@%" PRId64, side.offset);
  }
}

void drawn_write(FILE *file, const bench_drawn *drawn) {
  fprintf(file, "%s\t", drawn->dtype);
  const uint32_t counts = drawn->is_batch ? 1 : 0;
  if (drawn->is_batch) {
    fprintf(file, "%" PRId64 "*", drawn->from.dims[0]);
  }
  write_list(file, "x", drawn->from.rank - counts, drawn->from.dims + counts);
  fputc('\t', file);
  write_strides(file, drawn->from);
  fprintf(file, "\t%s\t", drawn->chain);
  write_strides(file, drawn->to);
  fputc('\n', file);
}
