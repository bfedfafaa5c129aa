/*
 * clreshape/shape.h - errors, element types, shapes and reshape patterns.
 * Included by clreshape/core.h, which says what holds for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_SHAPE_H
#define CLRESHAPE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#if defined(CLRS_HIDDEN) /* how a static library is built whose symbols stay where it is linked */
#define CLRS_API __attribute__((visibility("hidden")))
#else
#define CLRS_API __attribute__((visibility("default")))
#endif
#define CLRS_CHECKED CLRS_API __attribute__((warn_unused_result))
#else
#define CLRS_API
#define CLRS_CHECKED
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------ limits */

#define CLRS_MAX_RANK 32    /* dims of a shape, values of a pattern */
#define CLRS_MAX_AXES 64    /* axes of one walk; more is CLRS_LIMIT_EXCEEDED */
#define CLRS_MAX_DEPTH 8    /* walks in the stack of one view */
#define CLRS_VIEW_AXES 96   /* axes of all walks of one view together */
#define CLRS_MAX_LAUNCHES 8 /* launches of one plan */
#define CLRS_MAX_REASONS 4  /* reasons of one plan */

/* ------------------------------------------------------------------------------------ errors */

typedef enum clrs_status {
  CLRS_OK = 0,
  CLRS_INVALID_ARGUMENT, /* NULL, an unknown enumerator, an axis or step out of its range */
  CLRS_INVALID_PATTERN,  /* a reshape pattern breaks a rule of its dialect */
  CLRS_COUNT_MISMATCH,   /* the element counts differ */
  CLRS_OVERFLOW,         /* a product or sum does not fit in 64 bits */
  CLRS_LIMIT_EXCEEDED,   /* more dims, axes or levels than the limits above */
  CLRS_OUT_OF_BOUNDS,    /* a layout leaves its buffer */
  CLRS_OVERLAP,          /* source and destination, or two destination elements, share bytes */
  CLRS_WOULD_COPY,       /* the policy forbids a copy and no layout allows a view */
  CLRS_UNSUPPORTED,      /* correct, but not offered; the message names what */
  CLRS_OUT_OF_MEMORY,    /* host memory */
  CLRS_OPENCL_ERROR,     /* an OpenCL call failed; opencl_code says how */
  CLRS_BUILD_FAILURE     /* a kernel did not build; the message ends in the build log */
} clrs_status;

/* Filled on failure only. `message` names the offending value and the rule that it breaks. */
typedef struct clrs_error {
  clrs_status status;
  int32_t opencl_code; /* 0 unless status is CLRS_OPENCL_ERROR or CLRS_BUILD_FAILURE */
  char message[1024];
} clrs_error;

/* The enumerator's name, such as "CLRS_OVERLAP". Never NULL. */
CLRS_API const char *clrs_status_name(clrs_status status);

/* ------------------------------------------------------------------------------ element types
 * Moving data needs only the width of an element. The names serve readers and messages. Packed
 * types (under 8 bits) keep element 0 in the low bits of a byte, except CLRS_U1, which OpenVINO
 * stores with element 0 in the high bit. The float6s lie across bytes, element k from bit 6k on.
 * Types unknown to this list travel as CLRS_BITS*.
 */
/* clang-format off */
typedef enum clrs_dtype {
  CLRS_BITS1, CLRS_BITS2, CLRS_BITS4, CLRS_BITS8, CLRS_BITS16, CLRS_BITS32, CLRS_BITS64,
  CLRS_BITS128, CLRS_BOOL, CLRS_I2, CLRS_I4, CLRS_I8, CLRS_I16, CLRS_I32, CLRS_I64, CLRS_U1,
  CLRS_U2, CLRS_U3, CLRS_U4, CLRS_U6, CLRS_U8, CLRS_U16, CLRS_U32, CLRS_U64, CLRS_F16, CLRS_BF16,
  CLRS_F32, CLRS_F64, CLRS_C64, CLRS_C128, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2,
  CLRS_F8E5M2FNUZ, CLRS_F8E8M0, CLRS_F4E2M1, CLRS_F4E3M0, CLRS_NF4, CLRS_STRING, CLRS_F6E2M3,
  CLRS_F6E3M2,
  CLRS_DTYPE_COUNT
} clrs_dtype;
/* clang-format on */

typedef enum clrs_type_system {
  CLRS_TYPES_CLRESHAPE,
  CLRS_TYPES_ONNX,     /* TensorProto.DataType in lower case: "float", "int4" */
  CLRS_TYPES_OPENVINO, /* ov::element: "f32", "boolean" */
  CLRS_TYPES_ONEDNN    /* dnnl_data_type without its prefix: "f32", "s4" */
} clrs_type_system;

/* Width in bits: 1, 2, 3, 4, 6, 8, 16, 32, 64 or 128; 0 for a value outside the enum. */
CLRS_API uint32_t clrs_dtype_bits(clrs_dtype dtype);
/* The name in one system, or NULL if that system has no such type, or there is no such system. */
CLRS_API const char *clrs_dtype_name(clrs_dtype dtype, clrs_type_system system);
CLRS_CHECKED clrs_status clrs_dtype_from_name(const char *name, clrs_type_system system,
                                              clrs_dtype *dtype, clrs_error *error);
/* TensorProto.DataType as a number (onnx.proto, opset 28). */
CLRS_CHECKED clrs_status clrs_dtype_from_onnx(int32_t data_type, clrs_dtype *dtype,
                                              clrs_error *error);
/* The inverse; 0 (UNDEFINED) where ONNX has no such type. */
CLRS_API int32_t clrs_dtype_to_onnx(clrs_dtype dtype);

/* ------------------------------------------------------------------------- shapes and patterns */

typedef struct clrs_shape {
  uint32_t rank; /* 0 is a scalar */
  int64_t dims[CLRS_MAX_RANK];
} clrs_shape;

/* Checks rank and dims (>= 0) and that the product of the non-zero dims fits in 64 bits. */
CLRS_CHECKED clrs_status clrs_shape_init(size_t rank, const int64_t *dims, clrs_shape *shape,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_shape_count(const clrs_shape *shape, int64_t *element_count,
                                          clrs_error *error);
/* False if one is NULL or has a rank over the limit. */
CLRS_API bool clrs_shape_equal(const clrs_shape *a, const clrs_shape *b);
/* The index in [0, rank) of an axis in [-rank, rank), where negative ones count from the end. */
CLRS_CHECKED clrs_status clrs_axis_resolve(int64_t axis, uint32_t rank, uint32_t *index,
                                           clrs_error *error);

/* Whose rules read a pattern. The systems disagree; README.md tabulates where. */
typedef enum clrs_dialect {
  CLRS_ONNX,     /* Reshape-5 to -25, and the attribute of Reshape-1 */
  CLRS_OPENVINO, /* Reshape-1 */
  CLRS_ONEDNN,   /* StaticReshape, an attribute; as a tensor, DynamicReshape (s32) */
  CLRS_NUMPY     /* ndarray.reshape: zeros are literal, any one negative value infers */
} clrs_dialect;

/* ONNX's allowzero (its values are these); the opposite of special_zero elsewhere. */
typedef enum clrs_zero_mode { CLRS_ZERO_COPIES = 0, CLRS_ZERO_IS_LITERAL = 1 } clrs_zero_mode;

/* How a reshape reads its values, where they do not say so themselves. */
typedef struct clrs_rules {
  clrs_dialect dialect;
  clrs_zero_mode zero_mode; /* CLRS_NUMPY ignores it */
} clrs_rules;

/* What a reshape asks for: one value per dim of the result, -1 to infer, 0 as the mode says. */
typedef struct clrs_pattern {
  clrs_dialect dialect;
  clrs_zero_mode zero_mode; /* CLRS_NUMPY ignores it */
  uint32_t length;
  int64_t values[CLRS_MAX_RANK];
} clrs_pattern;

/* A pattern that is itself a tensor, dense, in host memory. `data` may be unaligned. */
typedef struct clrs_pattern_tensor {
  clrs_dtype dtype;
  size_t rank;
  const int64_t *dims;
  const void *data; /* may be NULL for 0 elements */
} clrs_pattern_tensor;

/* values may be NULL if length is 0 (the result is a scalar). */
CLRS_CHECKED clrs_status clrs_pattern_init(clrs_dialect dialect, clrs_zero_mode zero_mode,
                                           size_t length, const int64_t *values,
                                           clrs_pattern *pattern, clrs_error *error);
/* Also applies the dialect's rules on the pattern's own type and rank: ONNX 1-D int64, oneDNN 1-D
 * s32, OpenVINO and NumPy any integer of 8 to 64 bits, 1-D (OpenVINO also 0-D with value 1). */
CLRS_CHECKED clrs_status clrs_pattern_read(clrs_dialect dialect, clrs_zero_mode zero_mode,
                                           const clrs_pattern_tensor *tensor, clrs_pattern *pattern,
                                           clrs_error *error);
/* The shape that `pattern` makes of `input`. Whatever the dialect lets through, the element counts
 * must be equal in checked 64-bit arithmetic, or the answer is CLRS_COUNT_MISMATCH. */
CLRS_CHECKED clrs_status clrs_pattern_resolve(const clrs_pattern *pattern, const clrs_shape *input,
                                              clrs_shape *shape, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_SHAPE_H */
