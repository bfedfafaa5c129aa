/*
 * Reshape patterns: one rule set per dialect, and a final count check for all dialects.
 *
 * Sources: onnx/defs/tensor/defs.cc (Reshape-5 to -25), OpenVINO reshape_shape_inference.hpp,
 * oneDNN graph/interface/shape_infer.cpp, numpy.reshape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "checked.h"
#include "dtype.h"
#include "shape.h"

static const char *dialect_name(clrs_dialect dialect) {
  static const char *const names[] = {"ONNX", "OpenVINO", "oneDNN", "NumPy"};
  return names[dialect];
}

static clrs_status check_modes(clrs_dialect dialect, clrs_zero_mode zero_mode, clrs_error *error) {
  if ((unsigned)dialect > (unsigned)CLRS_NUMPY) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dialect %d is unknown; clrs_dialect has 0 to %d", (int)dialect, CLRS_NUMPY);
  }
  if ((unsigned)zero_mode > (unsigned)CLRS_ZERO_IS_LITERAL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "zero mode (allowzero) is %d; it must be 0 or 1", (int)zero_mode);
  }
  return CLRS_OK;
}

static clrs_status check_length(size_t length, clrs_error *error) {
  if (length > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the pattern has %zu values; the limit is %d dims", length, CLRS_MAX_RANK);
  }
  return CLRS_OK;
}

clrs_status clrs_pattern_init(clrs_dialect dialect, clrs_zero_mode zero_mode, size_t length,
                              const int64_t *values, clrs_pattern *pattern, clrs_error *error) {
  CLRS_TRY(clrs__require(pattern, "pattern", error));
  CLRS_TRY(check_modes(dialect, zero_mode, error));
  CLRS_TRY(check_length(length, error));
  if (length > 0) {
    CLRS_TRY(clrs__require(values, "values", error));
    clrs__dims_copy(pattern->values, values, (uint32_t)length);
  }
  pattern->dialect = dialect;
  pattern->zero_mode = zero_mode;
  pattern->length = (uint32_t)length;
  return CLRS_OK;
}

/* ---- resolving ---- */

/* The pattern while it is resolved. */
typedef struct resolution {
  const clrs_pattern *pattern;
  const clrs_shape *input;
  int64_t input_count;
  bool infers;
  uint32_t inferred_at;
  uint32_t copied; /* one bit for each dim copied from the input */
  clrs_shape shape;
} resolution;

static bool zero_is_literal(const clrs_pattern *pattern) {
  return pattern->dialect == CLRS_NUMPY || pattern->zero_mode == CLRS_ZERO_IS_LITERAL;
}

/* numpy.reshape documents -1, and accepts any negative value as -1. */
static bool asks_to_infer(const clrs_pattern *pattern, uint32_t i) {
  return pattern->values[i] == -1 || (pattern->dialect == CLRS_NUMPY && pattern->values[i] < 0);
}

/* OpenVINO checks this rule first. In the other dialects the order makes no difference. */
static clrs_status find_inferred(resolution *r, clrs_error *error) {
  for (uint32_t i = 0; i < r->pattern->length; i++) {
    if (!asks_to_infer(r->pattern, i)) {
      continue;
    }
    if (r->infers) {
      return clrs__fail(error, CLRS_INVALID_PATTERN,
                        "dimensions %u and %u of the pattern are %" PRId64 " and %" PRId64
                        "; only one may be inferred",
                        r->inferred_at, i, r->pattern->values[r->inferred_at],
                        r->pattern->values[i]);
    }
    r->infers = true;
    r->inferred_at = i;
  }
  return CLRS_OK;
}

static clrs_status copy_dim(resolution *r, uint32_t i, clrs_error *error) {
  if (i >= r->input->rank) {
    return clrs__fail(error, CLRS_INVALID_PATTERN,
                      "dimension %u of the pattern is 0, which copies the input's dimension; the "
                      "input %s has only %u",
                      i, clrs__dims_text(r->input->rank, r->input->dims).text, r->input->rank);
  }
  r->copied |= UINT32_C(1) << i;
  r->shape.dims[i] = r->input->dims[i];
  return CLRS_OK;
}

static clrs_status fill_dims(resolution *r, clrs_error *error) {
  r->shape.rank = r->pattern->length;
  for (uint32_t i = 0; i < r->pattern->length; i++) {
    int64_t value = r->pattern->values[i];
    const bool inferred = r->infers && i == r->inferred_at;
    if (value < 0 && !inferred) { /* a -1 is inferred: two were refused before */
      return clrs__fail(error, CLRS_INVALID_PATTERN,
                        "dimension %u of the pattern is %" PRId64
                        "; only -1 and values >= 0 are allowed",
                        i, value);
    }
    if (value == 0 && !zero_is_literal(r->pattern)) {
      CLRS_TRY(copy_dim(r, i, error));
    } else {
      r->shape.dims[i] = inferred ? 1 : value;
    }
  }
  return CLRS_OK;
}

/* The product of the dims that -1 is computed from. OpenVINO leaves out copied dims. */
static clrs_status weigh(const resolution *r, const clrs_shape *shape, int64_t *product,
                         clrs_error *error) {
  if (r->pattern->dialect != CLRS_OPENVINO || r->copied == 0) {
    return clrs__shape_measure(shape, product, error);
  }
  clrs_shape kept;
  clrs__shape_copy(&kept, shape);
  for (uint32_t i = 0; i < shape->rank; i++) {
    kept.dims[i] = r->copied >> i & 1 ? 1 : kept.dims[i];
  }
  return clrs__shape_measure(&kept, product, error);
}

static clrs_status infer_dim(resolution *r, clrs_error *error) {
  int64_t available = 0, others = 0;
  CLRS_TRY(weigh(r, r->input, &available, error));
  CLRS_TRY(weigh(r, &r->shape, &others, error));
  const bool openvino_empty = r->pattern->dialect == CLRS_OPENVINO && available == 0;
  if (others == 0 && !openvino_empty) {
    return clrs__fail(error, CLRS_INVALID_PATTERN,
                      "dimension %u of the pattern is -1 and the other dims multiply to 0; %s "
                      "leaves it undefined",
                      r->inferred_at, dialect_name(r->pattern->dialect));
  }
  if (others != 0 && available % others != 0) {
    return clrs__fail(error, CLRS_INVALID_PATTERN,
                      "dimension %u of the pattern is -1 and the other dims multiply to %" PRId64
                      ", which does not divide %" PRId64 " elements",
                      r->inferred_at, others, available);
  }
  r->shape.dims[r->inferred_at] = others == 0 ? 1 : available / others;
  return CLRS_OK;
}

static clrs_status check_counts(const resolution *r, clrs_error *error) {
  int64_t count;
  CLRS_TRY(clrs__shape_measure(&r->shape, &count, error));
  if (count != r->input_count) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH,
                      "the input %s has %" PRId64 " elements and the pattern %s asks for %" PRId64,
                      clrs__dims_text(r->input->rank, r->input->dims).text, r->input_count,
                      clrs__dims_text(r->pattern->length, r->pattern->values).text, count);
  }
  return CLRS_OK;
}

clrs_status clrs_pattern_resolve(const clrs_pattern *pattern, const clrs_shape *input,
                                 clrs_shape *shape, clrs_error *error) {
  CLRS_TRY(clrs__require(pattern, "pattern", error));
  CLRS_TRY(clrs__require(input, "input", error));
  CLRS_TRY(clrs__require(shape, "shape", error));
  CLRS_TRY(check_modes(pattern->dialect, pattern->zero_mode, error));
  CLRS_TRY(check_length(pattern->length, error));
  resolution r; /* without initial dims: most are never used */
  r.pattern = pattern;
  r.input = input;
  r.infers = false;
  r.inferred_at = r.copied = 0;
  CLRS_TRY(clrs__shape_measure(input, &r.input_count, error));
  CLRS_TRY(find_inferred(&r, error));
  CLRS_TRY(fill_dims(&r, error));
  if (r.infers) {
    CLRS_TRY(infer_dim(&r, error));
  }
  CLRS_TRY(check_counts(&r, error));
  clrs__shape_copy(shape, &r.shape);
  return CLRS_OK;
}

/* ---- patterns that are tensors ---- */

static bool dtype_is_allowed(clrs_dialect dialect, clrs_dtype dtype) {
  if (dialect == CLRS_ONNX || dialect == CLRS_ONEDNN) {
    return dtype == (dialect == CLRS_ONNX ? CLRS_I64 : CLRS_I32);
  }
  return clrs__dtype_is_integer(dtype) && clrs_dtype_bits(dtype) >= 8;
}

static clrs_status check_tensor(clrs_dialect dialect, const clrs_pattern_tensor *tensor,
                                clrs_error *error) {
  CLRS_TRY(clrs__dtype_check(tensor->dtype, error));
  if (!dtype_is_allowed(dialect, tensor->dtype)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s does not take a pattern of type %s",
                      dialect_name(dialect), clrs__dtype_text(tensor->dtype));
  }
  if (tensor->rank != 1 && !(dialect == CLRS_OPENVINO && tensor->rank == 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the pattern has rank %zu; %s takes %s",
                      tensor->rank, dialect_name(dialect),
                      dialect == CLRS_OPENVINO ? "0 or 1" : "rank 1 only");
  }
  return CLRS_OK;
}

/* Reads a value in the host's byte order, at any alignment. */
static clrs_status read_value(const clrs_pattern_tensor *tensor, size_t index, int64_t *value,
                              clrs_error *error) {
  const size_t width = clrs_dtype_bits(tensor->dtype) / 8;
  const unsigned char *bytes = (const unsigned char *)tensor->data + index * width;
  uint64_t bits = 0;
  for (size_t i = 0; i < width; i++) {
    bits |= (uint64_t)bytes[i] << clrs__byte_shift((int)i, (int)width);
  }
  if (!clrs__dtype_is_unsigned(tensor->dtype)) {
    const unsigned unused = (unsigned)(64 - 8 * width);
    /* NOLINTNEXTLINE(clang-analyzer-core.*): types of less than a byte are refused before */
    *value = (int64_t)(bits << unused) >> unused;
    return CLRS_OK;
  }
  if (bits > INT64_MAX) {
    return clrs__fail(error, CLRS_OVERFLOW,
                      "dimension %zu of the pattern is %" PRIu64 ", more than a signed 64-bit dim",
                      index, bits);
  }
  *value = (int64_t)bits;
  return CLRS_OK;
}

static clrs_status read_scalar(const clrs_pattern_tensor *tensor, clrs_error *error) {
  int64_t value = 0;
  CLRS_TRY(clrs__require(tensor->data, "data", error));
  CLRS_TRY(read_value(tensor, 0, &value, error));
  if (value != 1) {
    return clrs__fail(error, CLRS_INVALID_PATTERN,
                      "the pattern is a scalar of value %" PRId64
                      "; OpenVINO allows only 1, which makes a scalar",
                      value);
  }
  return CLRS_OK;
}

clrs_status clrs_pattern_read(clrs_dialect dialect, clrs_zero_mode zero_mode,
                              const clrs_pattern_tensor *tensor, clrs_pattern *pattern,
                              clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(check_modes(dialect, zero_mode, error));
  CLRS_TRY(check_tensor(dialect, tensor, error));
  if (tensor->rank == 0) {
    CLRS_TRY(read_scalar(tensor, error));
    return clrs_pattern_init(dialect, zero_mode, 0, NULL, pattern, error);
  }
  CLRS_TRY(clrs__require(tensor->dims, "dims", error));
  if (tensor->dims[0] < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the pattern tensor has dimension %" PRId64 "; it must be at least 0",
                      tensor->dims[0]);
  }
  if (tensor->dims[0] > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the pattern has %" PRId64 " values; the limit is %d dims", tensor->dims[0],
                      CLRS_MAX_RANK);
  }
  const size_t length = (size_t)tensor->dims[0];
  if (length > 0) {
    CLRS_TRY(clrs__require(tensor->data, "data", error));
  }
  int64_t values[CLRS_MAX_RANK];
  for (size_t i = 0; i < length; i++) {
    CLRS_TRY(read_value(tensor, i, &values[i], error));
  }
  return clrs_pattern_init(dialect, zero_mode, length, values, pattern, error);
}
