/* SPDX-License-Identifier: Apache-2.0 */
#include "image.h"

#include <inttypes.h>
#include <string.h>

#include "fail.h"

clrs_status bench_storage_bytes(const clrs_layout *layout, uint64_t *bytes, clrs_error *error) {
  clrs_bounds bounds;
  CLRS_TRY(bench_bounds(layout, &bounds, error));
  const uint64_t elements = (uint64_t)bounds.highest + 1, bits = clrs_dtype_bits(layout->dtype);
  uint64_t total;
  if (__builtin_mul_overflow(elements, bits, &total) || total > UINT64_MAX - 7) {
    return clrs__fail(error, CLRS_OVERFLOW, "%" PRIu64 " elements of %" PRIu64 " bits are too many",
                      elements, bits);
  }
  *bytes = (total + 7) / 8;
  return CLRS_OK;
}

/* ---- elements ---- */

typedef struct packing {
  uint32_t bits;
  bool msb_first;
} packing;

static packing packing_of(clrs_dtype dtype) {
  return (packing){clrs_dtype_bits(dtype), dtype == CLRS_U1};
}

/* The content of the element at a position of the source. All bits of the position affect each bit
 * of the content. */
static uint64_t value_at(uint64_t position) {
  uint64_t value = (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 31)) * UINT64_C(0xd6e8feb86659fd93);
  return value ^ (value >> 32);
}

static void put_packed(unsigned char *image, packing as, uint64_t position, uint64_t value) {
  const uint32_t per_byte = 8 / as.bits, slot = (uint32_t)(position % per_byte);
  const uint32_t shift = as.bits * (as.msb_first ? per_byte - 1 - slot : slot);
  const uint32_t mask = ((1u << as.bits) - 1u) << shift;
  unsigned char *byte = image + position / per_byte;
  *byte = (unsigned char)((*byte & ~mask) | (((uint32_t)value << shift) & mask));
}

static void put(unsigned char *image, packing as, uint64_t position, uint64_t value) {
  switch (as.bits) {
  case 8:
    image[position] = (unsigned char)value;
    return;
  case 16: {
    const uint16_t narrow = (uint16_t)value;
    memcpy(image + position * 2, &narrow, 2);
    return;
  }
  case 32: {
    const uint32_t narrow = (uint32_t)value;
    memcpy(image + position * 4, &narrow, 4);
    return;
  }
  case 64:
    memcpy(image + position * 8, &value, 8);
    return;
  case 128: {
    const uint64_t wide[2] = {value, value_at(value)};
    memcpy(image + position * 16, wide, 16);
    return;
  }
  default:
    put_packed(image, as, position, value);
  }
}

void bench_fill_source(clrs_dtype dtype, void *image, uint64_t bytes) {
  const packing as = packing_of(dtype);
  const uint64_t count = as.bits < 8 ? bytes * (8 / as.bits) : bytes / (as.bits / 8);
  for (uint64_t position = 0; position < count; position++) {
    put(image, as, position, value_at(position));
  }
}

/* ---- positions ---- */

/* Dims in the order after a permutation, and the step of each dim in the position below. */
typedef struct level {
  uint32_t rank;
  int64_t dims[CLRS_MAX_RANK], strides[CLRS_MAX_RANK], offset;
} level;

static void permute_into(const bench_stage *stage, const int64_t *strides, int64_t offset,
                         level *made) {
  made->rank = stage->rank;
  made->offset = offset;
  for (uint32_t i = 0; i < stage->rank; i++) {
    made->dims[i] = stage->kept[stage->perm[i]];
    made->strides[i] = strides[stage->perm[i]];
  }
}

/* levels[0] leads into the storage. Each other level counts the elements of the level below. */
static void make_levels(const bench_case *given, level *levels) {
  permute_into(&given->stages[0], given->source.strides, given->source.offset, &levels[0]);
  for (uint32_t i = 1; i < given->stage_count; i++) {
    const bench_stage *stage = &given->stages[i];
    int64_t strides[CLRS_MAX_RANK], stride = 1;
    for (uint32_t k = stage->rank; k-- > 0; stride *= stage->dims[k]) {
      strides[k] = stride;
    }
    permute_into(stage, strides, 0, &levels[i]);
  }
}

/* Follows a count of elements of the topmost of `count` levels down to the storage. Example: a
 * level of dims 2 and 3 and strides 1 and 2 has element 4 at (1,1), which is position 3. */
static int64_t follow(const level *levels, uint32_t count, int64_t position) {
  while (count-- > 0) {
    const level *below = &levels[count];
    int64_t rest = position;
    position = below->offset; /* NOLINT(clang-analyzer-*): make_levels set every level */
    for (uint32_t i = below->rank; i-- > 0; rest /= below->dims[i]) {
      position += rest % below->dims[i] * below->strides[i];
    }
  }
  return position;
}

/* Advances to the next index of all axes except the last, with both positions. Returns false after
 * the last index. */
static bool advance(const level *top, const clrs_layout *destination, int64_t *index, int64_t *from,
                    int64_t *to) {
  for (uint32_t i = top->rank - 1; i-- > 0;) {
    *from += top->strides[i];
    *to += destination->strides[i];
    if (++index[i] < top->dims[i]) {
      return true;
    }
    *from -= top->strides[i] * top->dims[i];
    *to -= destination->strides[i] * top->dims[i];
    index[i] = 0;
  }
  return false;
}

void bench_write_expected(const bench_case *given, void *image) {
  const packing as = packing_of(given->dtype);
  const clrs_layout *destination = &given->destination;
  level levels[BENCH_STAGES];
  int64_t index[CLRS_MAX_RANK] = {0};
  make_levels(given, levels);
  const uint32_t below = given->stage_count - 1;
  const level *top = &levels[below];
  const uint32_t last = top->rank - 1;
  int64_t from = top->offset, to = destination->offset;
  do {
    /* NOLINTNEXTLINE(clang-analyzer-*): a case has an axis at least */
    for (int64_t i = 0; i < top->dims[last]; i++) {
      const int64_t position = follow(levels, below, from + i * top->strides[last]);
      put(image, as, (uint64_t)(to + i * destination->strides[last]), value_at((uint64_t)position));
    }
  } while (advance(top, destination, index, &from, &to));
}
