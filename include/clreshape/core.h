/*
 * clreshape/core.h - the pure half of clreshape: values and functions that need no device.
 *
 * Everything here is a plain value. It holds no pointer, owns nothing, may be copied with `=`,
 * shared between threads while nobody writes it, and dropped without a call. No function here
 * allocates, prints, keeps state or touches OpenCL.
 *
 * Shapes count elements; strides and offsets are in elements too and may be negative or 0. Every
 * function that can fail returns a clrs_status and takes, last, a clrs_error that may be NULL.
 * On failure no output is written and no in-place argument is changed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CORE_H
#define CLRESHAPE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLRS_VERSION_MAJOR 0
#define CLRS_VERSION_MINOR 1
#define CLRS_VERSION_PATCH 0

#if defined(__GNUC__)
#define CLRS_API __attribute__((visibility("default")))
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
 * stores with element 0 in the high bit. Types unknown to this list travel as CLRS_BITS*.
 */
/* clang-format off */
typedef enum clrs_dtype {
  CLRS_BITS1, CLRS_BITS2, CLRS_BITS4, CLRS_BITS8, CLRS_BITS16, CLRS_BITS32, CLRS_BITS64,
  CLRS_BITS128, CLRS_BOOL, CLRS_I2, CLRS_I4, CLRS_I8, CLRS_I16, CLRS_I32, CLRS_I64, CLRS_U1,
  CLRS_U2, CLRS_U3, CLRS_U4, CLRS_U6, CLRS_U8, CLRS_U16, CLRS_U32, CLRS_U64, CLRS_F16, CLRS_BF16,
  CLRS_F32, CLRS_F64, CLRS_C64, CLRS_C128, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2,
  CLRS_F8E5M2FNUZ, CLRS_F8E8M0, CLRS_F4E2M1, CLRS_F4E3M0, CLRS_NF4, CLRS_STRING,
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
/* The name in one system, or NULL if that system has no such type. */
CLRS_API const char *clrs_dtype_name(clrs_dtype dtype, clrs_type_system system);
CLRS_CHECKED clrs_status clrs_dtype_from_name(const char *name, clrs_type_system system,
                                              clrs_dtype *dtype, clrs_error *error);
/* TensorProto.DataType as a number (onnx.proto, opset 25). */
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
CLRS_API bool clrs_shape_equal(const clrs_shape *a, const clrs_shape *b);

/* Whose rules read a pattern. The systems disagree; README.md tabulates where. */
typedef enum clrs_dialect {
  CLRS_ONNX,     /* Reshape-5 to -25, and the attribute of Reshape-1 */
  CLRS_OPENVINO, /* Reshape-1 */
  CLRS_ONEDNN,   /* StaticReshape, an attribute; as a tensor, DynamicReshape (s32) */
  CLRS_NUMPY     /* ndarray.reshape: zeros are literal, any one negative value infers */
} clrs_dialect;

/* ONNX's allowzero (its values are these); the opposite of special_zero elsewhere. */
typedef enum clrs_zero_mode { CLRS_ZERO_COPIES = 0, CLRS_ZERO_IS_LITERAL = 1 } clrs_zero_mode;

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

/* ----------------------------------------------------------------------------------- layouts */

typedef struct clrs_layout {
  clrs_dtype dtype;
  uint32_t rank;
  int64_t dims[CLRS_MAX_RANK];
  int64_t strides[CLRS_MAX_RANK]; /* elements */
  int64_t offset;                 /* elements from the start of the tensor's storage */
} clrs_layout;

/* strides == NULL means dense row-major. Checks what clrs_shape_init checks, and that every
 * position fits in 64 bits. A negative lowest position is legal here; a buffer refuses it. */
CLRS_CHECKED clrs_status clrs_layout_init(clrs_dtype dtype, const clrs_shape *shape,
                                          const int64_t *strides, int64_t offset,
                                          clrs_layout *layout, clrs_error *error);

/* The lowest and highest element that is touched. `empty` if none is (the others are then 0). */
typedef struct clrs_bounds {
  bool empty;
  int64_t lowest, highest;
} clrs_bounds;

CLRS_CHECKED clrs_status clrs_layout_bounds(const clrs_layout *layout, clrs_bounds *bounds,
                                            clrs_error *error);

/* ------------------------------------------------------------------------------------- views
 * A view is a shape (what the user sees) and a walk (where the elements are). A walk is an offset
 * and a list of axes, enumerated row-major; it knows nothing of the shape but the element count.
 * So reshape replaces the shape and leaves the walk alone, and only the operations that work on
 * dims look at the axes. Where the axes of a walk do not factor into the dims, the operation puts
 * a second walk on top, whose positions count the elements of the first; views.md calls the result
 * a stack. Every movement operation on a view is lazy, pure and O(rank).
 *
 * Normal form: no axis of extent 1, no two neighbours that could be one, no walk at all if the
 * view has no elements. Treat the fields as read-only.
 */
typedef struct clrs_axis {
  int64_t extent, stride;
} clrs_axis;

typedef struct clrs_walk {
  int64_t offset;
  uint32_t axis_count;
  clrs_axis axes[CLRS_MAX_AXES];
} clrs_walk;

typedef struct clrs_level {
  int64_t offset;
  uint32_t axis_count;
} clrs_level;

typedef struct clrs_view {
  clrs_dtype dtype;
  uint32_t depth; /* levels in use; 0 only for a view without elements */
  clrs_shape shape;
  clrs_level levels[CLRS_MAX_DEPTH]; /* levels[0] addresses the storage */
  clrs_axis axes[CLRS_VIEW_AXES];    /* of levels[0], then of levels[1], ... */
} clrs_view;

CLRS_CHECKED clrs_status clrs_view_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_from_layout(const clrs_layout *layout, clrs_view *view,
                                               clrs_error *error);
/* The one strided layout that is this view, or CLRS_WOULD_COPY and why there is none. */
CLRS_CHECKED clrs_status clrs_view_layout(const clrs_view *view, clrs_layout *layout,
                                          clrs_error *error);
/* Elements of the storage that the lowest level can touch. */
CLRS_CHECKED clrs_status clrs_view_bounds(const clrs_view *view, clrs_bounds *bounds,
                                          clrs_error *error);

/* Movement operations, in place. Axes may be negative and then count from the end; `count` is the
 * length of the array after it. The standard that each follows is named beside it. */

/* One entry per axis to be sliced; start and end are clamped as ONNX Slice-13 does. */
typedef struct clrs_slice {
  int64_t axis, start, end, step;
} clrs_slice;

CLRS_CHECKED clrs_status clrs_view_reshape(clrs_view *view, const clrs_shape *shape,
                                           clrs_error *error); /* counts must be equal */
CLRS_CHECKED clrs_status clrs_view_reshape_pattern(clrs_view *view, const clrs_pattern *pattern,
                                                   clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_permute(clrs_view *view, size_t count, const int64_t *axes,
                                           clrs_error *error); /* numpy.transpose */
/* ONNX Squeeze-13; count == 0 removes every dim of 1. */
CLRS_CHECKED clrs_status clrs_view_squeeze(clrs_view *view, size_t count, const int64_t *axes,
                                           clrs_error *error);
/* ONNX Unsqueeze-13: axes index the result. */
CLRS_CHECKED clrs_status clrs_view_unsqueeze(clrs_view *view, size_t count, const int64_t *axes,
                                             clrs_error *error);
/* ONNX Flatten-13: always 2-D; axis may be -rank to rank. */
CLRS_CHECKED clrs_status clrs_view_flatten(clrs_view *view, int64_t axis, clrs_error *error);
/* ONNX Expand-13: multidirectional broadcast of the view's shape with `shape`. */
CLRS_CHECKED clrs_status clrs_view_expand(clrs_view *view, const clrs_shape *shape,
                                          clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_slice(clrs_view *view, size_t count, const clrs_slice *slices,
                                         clrs_error *error); /* ONNX Slice-13 */
CLRS_CHECKED clrs_status clrs_view_flip(clrs_view *view, size_t count, const int64_t *axes,
                                        clrs_error *error); /* numpy.flip */
/* Part number `which` of `parts`: ONNX Split-18 with num_outputs, the last part may be smaller. */
CLRS_CHECKED clrs_status clrs_view_split(clrs_view *view, int64_t axis, int64_t parts,
                                         int64_t which, clrs_error *error);

/* ------------------------------------------------------------------------------------- plans
 * A plan is the decision for one move, made before anything is enqueued and free of any handle:
 * it may be kept, copied and used with any buffers that satisfy its request.
 */

/* May a result be a new copy? The array API's copy=False, None, True. */
typedef enum clrs_copy_policy {
  CLRS_COPY_NEVER,     /* alias or CLRS_WOULD_COPY */
  CLRS_COPY_IF_NEEDED, /* alias if some strided layout allows it, else one pass */
  CLRS_COPY_ALWAYS     /* a dense copy, whatever the layout */
} clrs_copy_policy;

/* One side of a move. Bytes before byte_offset are never touched. */
typedef struct clrs_operand {
  const clrs_view *view;
  uint64_t byte_offset; /* of the view's element 0 from the start of the buffer; any value */
  uint32_t alignment;   /* bytes that the start of the buffer is known to be aligned to, >= 1 */
} clrs_operand;

typedef struct clrs_move {
  clrs_operand source;
  clrs_operand destination; /* view == NULL: an alias or a new dense buffer */
  clrs_copy_policy policy;  /* used only if there is no destination view */
} clrs_move;

/* What a plan must know of the device. CLRS_DEVICE_LIMITS_INIT suits every device. */
typedef struct clrs_device_limits {
  uint32_t min_index_bits; /* 32, or 64 to forbid 32-bit index arithmetic */
  uint64_t max_work_items; /* of one launch; beyond it each moves several units */
} clrs_device_limits;

#define CLRS_DEVICE_LIMITS_INIT                                                                    \
  { 32, (uint64_t)1 << 30 }

typedef enum clrs_outcome {
  CLRS_OUTCOME_EMPTY,   /* no elements: nothing to do */
  CLRS_OUTCOME_ALIAS,   /* the result is a layout over the source's bytes */
  CLRS_OUTCOME_AFFINE,  /* one loop nest with constant strides on both sides */
  CLRS_OUTCOME_COMPOSED /* a gather that follows the stack of walks for each element */
} clrs_outcome;

typedef enum clrs_class {
  CLRS_CLASS_GATHER,  /* whole bytes, any strides on both sides */
  CLRS_CLASS_BITS,    /* units under a byte: one work-item owns each destination byte */
  CLRS_CLASS_COMPOSED /* whole bytes through a stack of walks */
} clrs_class;

typedef struct clrs_nest_axis {
  int64_t extent, source_stride, destination_stride;
} clrs_nest_axis;

/* The canonical loop nest of a move, outermost axis first, destination strides descending and
 * positive (0 cannot occur), no axis of extent 1, mergeable axes merged. */
typedef struct clrs_nest {
  int64_t source_offset, destination_offset;
  uint32_t axis_count;
  clrs_nest_axis axes[CLRS_MAX_AXES];
} clrs_nest;

/* One kernel launch. Its nest counts units of unit_bits from the start of each buffer. In a
 * launch that follows the stack, source strides count positions of its top walk instead. */
typedef struct clrs_launch {
  clrs_class kernel_class;
  uint32_t unit_bits;        /* 1 to 128: the widest that alignment and strides allow */
  uint32_t index_bits;       /* 32 or 64, by span */
  bool msb_first;            /* CLRS_CLASS_BITS: element 0 of a byte is its high bits */
  uint32_t outer_axis_count; /* CLRS_CLASS_BITS: axes whose steps never share a byte */
  bool follows_stack;
  clrs_nest nest;
} clrs_launch;

/* Why a cheaper outcome was refused; clrs_plan_explain makes a sentence of it. */
typedef enum clrs_reason_kind {
  CLRS_REASON_DIM_HAS_NO_STRIDE, /* values: dim, its extent */
  CLRS_REASON_STACKED_WALKS,     /* values: depth */
  CLRS_REASON_DESTINATION_GIVEN, /* the caller chose the destination */
  CLRS_REASON_COPY_REQUESTED,    /* CLRS_COPY_ALWAYS */
  CLRS_REASON_AXES_DO_NOT_FACTOR /* values: the two extents that do not divide */
} clrs_reason_kind;

typedef struct clrs_reason {
  clrs_reason_kind kind;
  int64_t values[2];
} clrs_reason;

/* Bytes of a buffer, [begin, end), that a plan may touch, and the alignment it relies on. */
typedef struct clrs_footprint {
  uint64_t begin, end;
  uint32_t alignment;
} clrs_footprint;

typedef struct clrs_plan {
  clrs_outcome outcome;
  clrs_layout result; /* without a destination view: the layout of the alias or the new buffer */
  clrs_footprint source, destination;
  uint64_t bytes_read, bytes_written;
  clrs_nest nest; /* CLRS_OUTCOME_AFFINE: in elements, offsets relative to byte_offset */
  uint32_t launch_count;
  clrs_launch launches[CLRS_MAX_LAUNCHES];
  clrs_view stack; /* CLRS_OUTCOME_COMPOSED: the source's levels, in units of the launch */
  uint32_t reason_count;
  clrs_reason reasons[CLRS_MAX_REASONS];
} clrs_plan;

/* Decides. Fails with CLRS_WOULD_COPY (policy), CLRS_COUNT_MISMATCH (the views' shapes differ),
 * CLRS_INVALID_ARGUMENT (other dtype, unaligned packed type), CLRS_OVERLAP (the destination
 * touches an element twice, or this cannot be ruled out in bounded work), CLRS_UNSUPPORTED.
 * After a failure *plan is undefined. */
CLRS_CHECKED clrs_status clrs_plan_move(const clrs_move *move, const clrs_device_limits *limits,
                                        clrs_plan *plan, clrs_error *error);

/* One line of text, or one JSON object with `outcome`, `launches`, `class`, `nest`, `bytes_read`,
 * `bytes_written` and `reasons`. Like snprintf: writes at most `size` bytes with the final NUL and
 * returns the length of the whole text; text may be NULL if size is 0. */
CLRS_API size_t clrs_plan_explain(const clrs_plan *plan, char *text, size_t size);
CLRS_API size_t clrs_plan_explain_json(const clrs_plan *plan, char *text, size_t size);

/* Do the two views, over the same storage, share a byte? Exact within bounded work; where the
 * bound is reached the answer is true. Offsets are those of the operands. */
CLRS_API bool clrs_operands_overlap(const clrs_operand *a, const clrs_operand *b);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CORE_H */
