/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "checked.h"

clrs__text clrs__dims_text(uint32_t rank, const int64_t *dims) {
  clrs__text result = {"["};
  size_t used = 1;
  for (uint32_t i = 0; i < rank; i++) {
    char number[24];
    size_t length = (size_t)snprintf(number, sizeof number, "%s%" PRId64, i ? "," : "", dims[i]);
    if (used + length + sizeof "...]" > sizeof result.text) {
      memcpy(result.text + used, "...", 3);
      used += 3;
      break;
    }
    memcpy(result.text + used, number, length);
    used += length;
  }
  result.text[used] = ']';
  return result;
}

static clrs_status check_rank(size_t rank, clrs_error *error) {
  if (rank > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "rank %zu is over the limit of %d dims", rank,
                      CLRS_MAX_RANK);
  }
  return CLRS_OK;
}

/* A zero dim makes the count 0, but must not hide an overflow of the other dims. Strides of the
 * shape are products of the other dims. */
static clrs_status check_dims(uint32_t rank, const int64_t *dims, int64_t *count,
                              clrs_error *error) {
  int64_t product = 1;
  bool is_empty = false;
  for (uint32_t i = 0; i < rank; i++) {
    is_empty = is_empty || dims[i] == 0;
    if (dims[i] < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "dimension %u of a shape is %" PRId64 "; it must be at least 0", i,
                        dims[i]);
    }
    if (dims[i] > 0 && !clrs__multiply(product, dims[i], &product)) {
      return clrs__fail(error, CLRS_OVERFLOW,
                        "the dims %s multiply to more than 64 bits at dimension %u",
                        clrs__dims_text(rank, dims).text, i);
    }
  }
  *count = is_empty ? 0 : product;
  return CLRS_OK;
}

clrs_status clrs__shape_measure(const clrs_shape *shape, int64_t *count, clrs_error *error) {
  CLRS_TRY(check_rank(shape->rank, error));
  return check_dims(shape->rank, shape->dims, count, error);
}

clrs_status clrs__shape_check(const clrs_shape *shape, clrs_error *error) {
  int64_t count;
  return clrs__shape_measure(shape, &count, error);
}

clrs_status clrs_shape_init(size_t rank, const int64_t *dims, clrs_shape *shape,
                            clrs_error *error) {
  CLRS_TRY(clrs__require(shape, "shape", error));
  if (rank > 0) {
    CLRS_TRY(clrs__require(dims, "dims", error));
  }
  int64_t count;
  CLRS_TRY(check_rank(rank, error));
  CLRS_TRY(check_dims((uint32_t)rank, dims, &count, error));
  shape->rank = (uint32_t)rank;
  clrs__dims_copy(shape->dims, dims, shape->rank);
  return CLRS_OK;
}

int64_t clrs__shape_count(const clrs_shape *shape) {
  int64_t count = 1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    count = clrs__exact_multiply(count, shape->dims[i]); /* exact, because the shape was checked */
  }
  return count;
}

clrs_status clrs_shape_count(const clrs_shape *shape, int64_t *element_count, clrs_error *error) {
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(clrs__require(element_count, "element_count", error));
  return clrs__shape_measure(shape, element_count, error);
}

bool clrs_shape_equal(const clrs_shape *a, const clrs_shape *b) {
  if (a == NULL || b == NULL || a->rank != b->rank || a->rank > CLRS_MAX_RANK) {
    return false;
  }
  return memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}
