/* SPDX-License-Identifier: Apache-2.0 */
#include "fold.h"

#include <inttypes.h>
#include <string.h>

#include "status.h"

bool onnx_known_fits(clrs_dtype dtype, const clrs_shape *shape) {
  int64_t count = 0;
  return clrs_dtype_bits(dtype) % 8 == 0 && clrs_shape_count(shape, &count, NULL) == CLRS_OK &&
         count <= ONNX_KNOWN_MAX;
}

clrs_status onnx_known_make(onnx_arena *arena, clrs_dtype dtype, const clrs_shape *shape,
                            onnx_dense *dense, clrs_error *error) {
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  if (!onnx_known_fits(dtype, shape)) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%" PRId64 " elements; at most %d are computed on the host", count,
                      ONNX_KNOWN_MAX);
  }
  CLRS_TRY(onnx_arena_work(arena, (uint64_t)count, error));
  const size_t size = (size_t)count * clrs_dtype_bits(dtype) / 8;
  uint8_t *bytes;
  CLRS_TRY(onnx_arena_take(arena, size, 1, &bytes, error));
  *dense = (onnx_dense){dtype, *shape, bytes, size, bytes};
  return CLRS_OK;
}

clrs_status onnx_known_gather(onnx_arena *arena, const onnx_dense *source, const clrs_view *view,
                              onnx_dense *result, clrs_error *error) {
  CLRS_TRY(onnx_known_make(arena, source->dtype, &view->shape, result, error));
  return clrs_view_copy_host(view, source->bytes, source->size, result->owned, result->size, error);
}

/* ------------------------------------------------------------------------------------ numbers */

typedef struct number_type {
  clrs_dtype dtype;
  bool is_real;
  int64_t lowest, highest;
} number_type;

static const number_type number_types[] = {{CLRS_I64, false, INT64_MIN, INT64_MAX},
                                           {CLRS_I32, false, INT32_MIN, INT32_MAX},
                                           {CLRS_I16, false, INT16_MIN, INT16_MAX},
                                           {CLRS_I8, false, INT8_MIN, INT8_MAX},
                                           {CLRS_U64, false, 0, INT64_MAX},
                                           {CLRS_U32, false, 0, UINT32_MAX},
                                           {CLRS_U16, false, 0, UINT16_MAX},
                                           {CLRS_U8, false, 0, UINT8_MAX},
                                           {CLRS_BOOL, false, 0, 1},
                                           {CLRS_F32, true, 0, 0},
                                           {CLRS_F64, true, 0, 0}};

static const number_type *find_type(clrs_dtype dtype) {
  for (size_t i = 0; i < sizeof number_types / sizeof number_types[0]; i++) {
    if (number_types[i].dtype == dtype) {
      return &number_types[i];
    }
  }
  return NULL;
}

bool onnx_number_type(clrs_dtype dtype) {
  return find_type(dtype) != NULL;
}

bool onnx_number_is_real(clrs_dtype dtype) {
  const number_type *type = find_type(dtype);
  return type != NULL && type->is_real;
}

/* Extends a little-endian number to 64 bits. tensor_proto.c requires a little-endian host, so the
 * low bytes come first. */
static int64_t extend(const uint8_t *bytes, size_t size, bool is_signed) {
  uint64_t value = 0;
  memcpy(&value, bytes, size);
  const unsigned unused = 64 - 8 * (unsigned)size;
  if (is_signed && unused > 0 && (value >> (63 - unused) & 1) != 0) {
    value |= UINT64_MAX << (64 - unused);
  }
  int64_t result;
  memcpy(&result, &value, sizeof result);
  return result;
}

void onnx_number_load(const onnx_dense *dense, size_t index, onnx_number *number) {
  const number_type *type = find_type(dense->dtype);
  const size_t size = clrs_dtype_bits(dense->dtype) / 8;
  const uint8_t *bytes = dense->bytes + index * size;
  float single;
  *number = (onnx_number){0, 0};
  if (dense->dtype == CLRS_F32) {
    memcpy(&single, bytes, sizeof single);
    number->real = (double)single;
  } else if (dense->dtype == CLRS_F64) {
    memcpy(&number->real, bytes, sizeof number->real);
  } else {
    number->whole = extend(bytes, size, type != NULL && type->lowest < 0);
  }
}

clrs_status onnx_number_read(const onnx_dense *dense, size_t index, onnx_number *number,
                             clrs_error *error) {
  onnx_number_load(dense, index, number);
  if (dense->dtype == CLRS_U64 && number->whole < 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "value %zu is %" PRIu64 "; the host computes with at most 2^63-1", index,
                      (uint64_t)number->whole);
  }
  return CLRS_OK;
}

static void store_number(const onnx_number *number, size_t index, onnx_dense *dense) {
  const size_t size = clrs_dtype_bits(dense->dtype) / 8;
  uint8_t *bytes = dense->owned + index * size;
  const float single = (float)number->real;
  if (dense->dtype == CLRS_F32) {
    memcpy(bytes, &single, sizeof single);
  } else if (dense->dtype == CLRS_F64) {
    memcpy(bytes, &number->real, sizeof number->real);
  } else {
    memcpy(bytes, &number->whole, size);
  }
}

clrs_status onnx_number_write(const onnx_number *number, size_t index, onnx_dense *dense,
                              clrs_error *error) {
  const number_type *type = find_type(dense->dtype);
  if (type == NULL ||
      (!type->is_real && (number->whole < type->lowest || number->whole > type->highest))) {
    return clrs__fail(error, CLRS_OVERFLOW, "value %zu would be %" PRId64 ", which is no %s", index,
                      number->whole, clrs_dtype_name(dense->dtype, CLRS_TYPES_ONNX));
  }
  store_number(number, index, dense);
  return CLRS_OK;
}
