/*
 * Operators that make known values from shapes and numbers: Shape, Size and Range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "arithmetic.h"
#include "operators.h"
#include "status.h"

static clrs_status give_integers(const onnx_node *node, size_t rank, size_t count,
                                 const int64_t *values, clrs_error *error) {
  const int64_t dims[] = {(int64_t)count};
  onnx_dense dense;
  clrs_shape shape;
  CLRS_TRY(clrs_shape_init(rank, dims, &shape, error));
  CLRS_TRY(onnx_known_make(&node->graph->arena, CLRS_I64, &shape, &dense, error));
  if (count > 0) {
    memcpy(dense.owned, values, dense.size);
  }
  return onnx_node_give_known(node, &dense, error);
}

/* Limits `bound` to 0 to rank. A negative bound counts from the end. Example: with rank 4, -1
 * becomes 3, and 9 becomes 4. */
static uint32_t clamp(int64_t bound, uint32_t rank) {
  if (bound < 0) {
    bound = bound < -(int64_t)rank ? 0 : bound + rank;
  }
  return bound > rank ? rank : (uint32_t)bound;
}

clrs_status onnx_shape(const onnx_node *node, clrs_error *error) {
  model_value *value;
  CLRS_TRY(onnx_node_need(node, 0, &value, error));
  const clrs_shape *shape = onnx_graph_shape(value);
  const uint32_t start = clamp(onnx_node_int(node, "start", 0), shape->rank);
  const uint32_t end = clamp(onnx_node_int(node, "end", shape->rank), shape->rank);
  return give_integers(node, 1, end > start ? end - start : 0, shape->dims + start, error);
}

clrs_status onnx_size(const onnx_node *node, clrs_error *error) {
  model_value *value;
  int64_t count = 0;
  CLRS_TRY(onnx_node_need(node, 0, &value, error));
  CLRS_TRY(clrs_shape_count(onnx_graph_shape(value), &count, error));
  return give_integers(node, 0, 1, &count, error);
}

/* ------------------------------------------------------------------------------------- Range */

struct range {
  clrs_dtype dtype;
  onnx_number start, limit, delta;
};

static clrs_status read_scalar(const onnx_node *node, size_t index, clrs_dtype *dtype,
                               onnx_number *number, clrs_error *error) {
  const onnx_dense *dense;
  int64_t count = 0;
  CLRS_TRY(onnx_known_operand(node, index, &dense, error));
  CLRS_TRY(clrs_shape_count(&dense->shape, &count, error));
  if (count != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "input %zu has %" PRId64 " elements; it must have 1", index, count);
  }
  if (index > 0 && dense->dtype != *dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "input %zu is %s and input 0 %s", index,
                      clrs_dtype_name(dense->dtype, CLRS_TYPES_ONNX),
                      clrs_dtype_name(*dtype, CLRS_TYPES_ONNX));
  }
  *dtype = dense->dtype;
  return onnx_number_read(dense, 0, number, error);
}

static clrs_status read_range(const onnx_node *node, struct range *read, clrs_error *error) {
  CLRS_TRY(read_scalar(node, 0, &read->dtype, &read->start, error));
  CLRS_TRY(read_scalar(node, 1, &read->dtype, &read->limit, error));
  CLRS_TRY(read_scalar(node, 2, &read->dtype, &read->delta, error));
  return CLRS_OK;
}

static clrs_status no_step(clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "delta is 0; it must not be");
}

/* Computes max(ceil((limit - start) / delta), 0). The difference of two signed numbers of 64 bits
 * needs an unsigned number of 64 bits. Example: 10, 0 and -3 give 4. */
static clrs_status count_whole(const struct range *range, int64_t *count, clrs_error *error) {
  const int64_t start = range->start.whole, limit = range->limit.whole, delta = range->delta.whole;
  if (delta == 0) {
    return no_step(error);
  }
  const bool rises = delta > 0;
  const uint64_t step = rises ? (uint64_t)delta : -(uint64_t)delta;
  uint64_t distance = 0;
  if (rises && limit > start) {
    distance = (uint64_t)limit - (uint64_t)start;
  } else if (!rises && limit < start) {
    distance = (uint64_t)start - (uint64_t)limit;
  }
  const uint64_t steps = distance / step + (distance % step != 0);
  if (steps > INT64_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW, "the range has more than 2^63-1 elements");
  }
  *count = (int64_t)steps;
  return CLRS_OK;
}

static clrs_status count_real(const struct range *range, int64_t *count, clrs_error *error) {
  if (range->delta.real == 0) {
    return no_step(error);
  }
  const double steps = ceil((range->limit.real - range->start.real) / range->delta.real);
  if (!(steps < 9007199254740992.0)) {
    return clrs__fail(error, CLRS_OVERFLOW, "the range has no finite number of elements");
  }
  *count = steps > 0 ? (int64_t)steps : 0;
  return CLRS_OK;
}

static clrs_status fill_range(const struct range *range, size_t count, onnx_dense *dense,
                              clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    /* No overflow: neither product nor sum passes the limit. */
    const onnx_number number = {
        (int64_t)((uint64_t)range->start.whole + i * (uint64_t)range->delta.whole),
        range->start.real + (double)i * range->delta.real};
    CLRS_TRY(onnx_number_write(&number, i, dense, error));
  }
  return CLRS_OK;
}

clrs_status onnx_range(const onnx_node *node, clrs_error *error) {
  struct range range = {0};
  int64_t count = 0;
  clrs_shape shape;
  onnx_dense dense;
  CLRS_TRY(read_range(node, &range, error));
  CLRS_TRY(onnx_number_is_real(range.dtype) ? count_real(&range, &count, error)
                                            : count_whole(&range, &count, error));
  CLRS_TRY(clrs_shape_init(1, &count, &shape, error));
  CLRS_TRY(onnx_known_make(&node->graph->arena, range.dtype, &shape, &dense, error));
  CLRS_TRY(fill_range(&range, (size_t)count, &dense, error));
  return onnx_node_give_known(node, &dense, error);
}
