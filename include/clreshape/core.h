/*
 * clreshape/core.h - errors, element types, shapes, layouts and views. core.h, map.h and plan.h are
 * the pure half of clreshape, which needs neither a device nor OpenCL.
 *
 * Everything in the pure half is a plain value, and owns nothing. A value may be copied with `=`,
 * shared between threads while no thread writes, and dropped without a call. No function of the
 * pure half allocates, prints, keeps state or touches OpenCL.
 *
 * Shapes, strides and offsets count elements. Strides and offsets may be negative or 0. Every
 * function that can fail returns a clrs_status and has a last parameter clrs_error, which may be
 * NULL. On failure no output is written and no in-place argument is changed, unless a comment says
 * so.
 *
 * CLRS_INVALID_ARGUMENT for NULL where no comment allows NULL, a number that is no enumerator, a
 * value out of range, and a list of more entries than can exist. CLRS_LIMIT_EXCEEDED for a number
 * over a limit. The length of a list is checked before the list is read. Functions without a status
 * answer as their comments say, for any argument. Fields of structs are checked like arguments,
 * except the fields of a clrs_plan and a clrs_chain, which are trusted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CORE_H
#define CLRESHAPE_CORE_H

/* The version of the headers. */
#define CLRS_VERSION_MAJOR 0
#define CLRS_VERSION_MINOR 3
#define CLRS_VERSION_PATCH 0

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(CLRS_BUILDS_DLL) /* a caller of functions needs no dllimport */
#define CLRS_API __declspec(dllexport)
#elif defined(_WIN32) || !defined(__GNUC__)
#define CLRS_API
#elif defined(CLRS_HIDDEN) /* a static library whose symbols stay in the linked binary */
#define CLRS_API __attribute__((visibility("hidden")))
#else
#define CLRS_API __attribute__((visibility("default")))
#endif
#if defined(__GNUC__)
#define CLRS_CHECKED CLRS_API __attribute__((warn_unused_result))
#else
#define CLRS_CHECKED CLRS_API
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* The version of the running library, as major * 10000 + minor * 100 + patch. A program that loads
 * the library at run time compares the result with the headers of its build. */
CLRS_API uint32_t clrs_version(void);

/* ------------------------------------------------------------------------------------ limits */

#define CLRS_MAX_RANK 32    /* dims of a shape, values of a pattern */
#define CLRS_MAX_AXES 64    /* room for axes. A walk of a view has at most 62 */
#define CLRS_MAX_DEPTH 8    /* walks in the stack of one view */
#define CLRS_VIEW_AXES 96   /* axes of all walks of one view together */
#define CLRS_MAX_LAUNCHES 8 /* launches of one plan */

/* ------------------------------------------------------------------------------------ errors */

/* The result of a call. On success a clrs_error is not written. */
typedef enum clrs_status {
  CLRS_OK = 0,
  CLRS_INVALID_ARGUMENT, /* NULL, an unknown enumerator, an axis or step out of its range */
  CLRS_INVALID_PATTERN,  /* a reshape pattern breaks a rule of its dialect */
  CLRS_COUNT_MISMATCH,   /* the element counts differ */
  CLRS_OVERFLOW,         /* a product or sum does not fit in 64 bits */
  CLRS_LIMIT_EXCEEDED,   /* more dims, axes or levels than the limits above */
  CLRS_OUT_OF_BOUNDS,    /* a layout leaves its buffer, or the caller's memory is too small */
  CLRS_OVERLAP,          /* source and destination, or two destination elements, share bytes */
  CLRS_WOULD_COPY,       /* the policy forbids a copy and no layout allows a view */
  CLRS_UNSUPPORTED,      /* correct, but not offered. The message says what */
  CLRS_OUT_OF_MEMORY,    /* host memory */
  CLRS_OPENCL_ERROR,     /* an OpenCL call failed, with the code in opencl_code */
  CLRS_BUILD_FAILURE     /* a kernel did not build. The message ends with the build log */
} clrs_status;

/* Filled on failure only. */
typedef struct clrs_error {
  clrs_status status;  /* as the call returned */
  int32_t opencl_code; /* 0 unless status is CLRS_OPENCL_ERROR or CLRS_BUILD_FAILURE */
  char message[1024];  /* a sentence with the value and the broken rule, ends with NUL */
} clrs_error;

/* The enumerator's name, such as "CLRS_OVERLAP". Never NULL. */
CLRS_API const char *clrs_status_name(clrs_status status);

/* ------------------------------------------------------------------------------ element types
 * A move needs only the width of an element. Maps also need the type. CLRS_C64 and CLRS_C128 are
 * complex numbers of two f32 and of two f64. CLRS_STRING is Arrow's 16-byte utf8 view. Packed types
 * (under 8 bits) keep element 0 in the low bits of a byte, except CLRS_U1, which OpenVINO stores
 * with element 0 in the high bit. Elements of 3 and 6 bits straddle bytes: element k of a float6
 * begins at bit 6k. Use CLRS_BITS* for types that are not in this list.
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

/* The systems that name element types. */
typedef enum clrs_type_system {
  CLRS_TYPES_CLRESHAPE, /* the enumerators above in lower case: "f32", "u4" */
  CLRS_TYPES_ONNX,      /* TensorProto.DataType in lower case: "float", "int4" */
  CLRS_TYPES_OPENVINO,  /* ov::element: "f32", "boolean" */
  CLRS_TYPES_ONEDNN     /* dnnl_data_type without its prefix: "f32", "s4" */
} clrs_type_system;

/* Width in bits: 1, 2, 3, 4, 6, 8, 16, 32, 64 or 128. 0 for a value outside the enum. */
CLRS_API uint32_t clrs_dtype_bits(clrs_dtype dtype);
/* The name in a system. NULL if the system has no such type, or for an unknown system. */
CLRS_API const char *clrs_dtype_name(clrs_dtype dtype, clrs_type_system system);
/* The type of a name. CLRS_INVALID_ARGUMENT if the system has no such name. */
CLRS_CHECKED clrs_status clrs_dtype_from_name(const char *name, clrs_type_system system,
                                              clrs_dtype *dtype, clrs_error *error);
/* TensorProto.DataType as a number (onnx.proto, opset 28). */
CLRS_CHECKED clrs_status clrs_dtype_from_onnx(int32_t data_type, clrs_dtype *dtype,
                                              clrs_error *error);
/* The inverse. 0 (UNDEFINED) if ONNX has no such type. */
CLRS_API int32_t clrs_dtype_to_onnx(clrs_dtype dtype);

/* ------------------------------------------------------------------------- shapes and patterns */

/* The dims of a tensor. */
typedef struct clrs_shape {
  uint32_t rank;               /* 0 is a scalar */
  int64_t dims[CLRS_MAX_RANK]; /* outermost first, only the first `rank` are read */
} clrs_shape;

/* Checks rank and dims (>= 0) and that the product of the non-zero dims fits in 64 bits. */
CLRS_CHECKED clrs_status clrs_shape_init(size_t rank, const int64_t *dims, clrs_shape *shape,
                                         clrs_error *error);
/* The product of the dims, 1 for a scalar. */
CLRS_CHECKED clrs_status clrs_shape_count(const clrs_shape *shape, int64_t *element_count,
                                          clrs_error *error);
/* False if a shape is NULL or has a rank over the limit. */
CLRS_API bool clrs_shape_equal(const clrs_shape *a, const clrs_shape *b);

/* The rules for reading a pattern and for casts. README.md has a table of the differences. */
typedef enum clrs_dialect {
  CLRS_ONNX,     /* Reshape-5 to -25, and the attribute of Reshape-1 */
  CLRS_OPENVINO, /* Reshape-1 */
  CLRS_ONEDNN,   /* StaticReshape, an attribute. As a tensor: DynamicReshape (s32) */
  CLRS_NUMPY     /* ndarray.reshape: zeros are literal, and a single negative value infers */
} clrs_dialect;

/* The meaning of a 0 in a pattern, with the values of ONNX's allowzero. OpenVINO's and oneDNN's
 * special_zero has the opposite values. */
typedef enum clrs_zero_mode { CLRS_ZERO_COPIES = 0, CLRS_ZERO_IS_LITERAL = 1 } clrs_zero_mode;

/* How the operations of a chain reshape and cast, and how a pattern in a buffer is read. */
typedef struct clrs_rules {
  clrs_dialect dialect;     /* of reshapes and casts */
  clrs_zero_mode zero_mode; /* ignored for CLRS_NUMPY */
} clrs_rules;

/* The request of a reshape: one value for each dim of the result. The library infers a -1 from the
 * element count. A 0 has the meaning of the zero mode. */
typedef struct clrs_pattern {
  clrs_dialect dialect;          /* the rules that read the values */
  clrs_zero_mode zero_mode;      /* ignored for CLRS_NUMPY */
  uint32_t length;               /* number of values, the rank of the result */
  int64_t values[CLRS_MAX_RANK]; /* outermost dim first */
} clrs_pattern;

/* A pattern in a dense tensor in host memory. `data` may be unaligned. */
typedef struct clrs_pattern_tensor {
  clrs_dtype dtype;    /* an integer type, by the dialect */
  size_t rank;         /* 0 or 1, by the dialect */
  const int64_t *dims; /* `rank` dims of the tensor */
  const void *data;    /* may be NULL for 0 elements */
} clrs_pattern_tensor;

/* `values` may be NULL if `length` is 0. The result is then a scalar. */
CLRS_CHECKED clrs_status clrs_pattern_init(clrs_dialect dialect, clrs_zero_mode zero_mode,
                                           size_t length, const int64_t *values,
                                           clrs_pattern *pattern, clrs_error *error);
/* Reads a pattern from a tensor, and checks the type and the rank of the tensor by the dialect.
 * ONNX has 1-D int64, oneDNN 1-D s32. OpenVINO and NumPy have any integer of 8 to 64 bits, 1-D,
 * OpenVINO also 0-D with value 1. */
CLRS_CHECKED clrs_status clrs_pattern_read(clrs_dialect dialect, clrs_zero_mode zero_mode,
                                           const clrs_pattern_tensor *tensor, clrs_pattern *pattern,
                                           clrs_error *error);
/* The shape that `pattern` makes of `input`. Example: [0,-1] makes [2,12] of [2,3,4] under ONNX.
 * CLRS_COUNT_MISMATCH in every dialect unless the element counts are equal in checked 64-bit
 * arithmetic. */
CLRS_CHECKED clrs_status clrs_pattern_resolve(const clrs_pattern *pattern, const clrs_shape *input,
                                              clrs_shape *shape, clrs_error *error);

/* ----------------------------------------------------------------------------------- layouts */

/* One strided placement of elements. Example: f32 [2,3] with strides [1,2] and offset 5 has element
 * [i,j] at position 5 + i + 2 * j of the storage, and the positions 5 to 10 in all. */
typedef struct clrs_layout {
  clrs_dtype dtype;               /* type of the elements */
  uint32_t rank;                  /* 0 is a scalar */
  int64_t dims[CLRS_MAX_RANK];    /* as in clrs_shape */
  int64_t strides[CLRS_MAX_RANK]; /* elements */
  int64_t offset;                 /* elements from the start of the tensor's storage */
} clrs_layout;

/* Makes a layout. NULL strides mean dense row-major. Makes the checks of clrs_shape_init, and
 * checks that every position fits in 64 bits. A negative lowest position is valid here, but no
 * tensor can have such a layout. */
CLRS_CHECKED clrs_status clrs_layout_init(clrs_dtype dtype, const clrs_shape *shape,
                                          const int64_t *strides, int64_t offset,
                                          clrs_layout *layout, clrs_error *error);

/* The elements of a storage that are touched. */
typedef struct clrs_bounds {
  bool empty;              /* no element is touched */
  int64_t lowest, highest; /* first and last touched position, 0 if empty */
} clrs_bounds;

/* Returns true if the elements follow each other row-major without gaps, from any offset on.
 * Strides of dims of 1 do not matter, and without elements no stride matters. False for NULL and a
 * rank over the limit. */
CLRS_API bool clrs_layout_is_dense(const clrs_layout *layout);

/* ------------------------------------------------------------------------------------- views
 * A view is a shape (what the user sees) and a walk (where the elements are). A walk is an offset
 * and a list of axes, enumerated row-major. A walk has the element count of the shape but not the
 * dims. A reshape therefore replaces the shape and keeps the walk. Only operations on dims read the
 * axes. If the axes of a walk do not factor into the dims, the operation puts a second walk on top.
 * The positions of the second walk count the elements of the first: a stack of walks. Every
 * movement operation on a view is lazy, pure and O(rank).
 *
 * Normal form: no axis of extent 1, no two neighbours that could be merged, and no walk at all if
 * the view has no elements. Treat the fields as read-only.
 *
 * Example: a dense [2,3,4] is the shape [2,3,4] over the axis (24 elements, stride 1). Permuted by
 * 2,0,1 the view is the shape [4,2,3] over the axes (4, 1) (6, 4). Reshaped to [8,3] the axes stay.
 */

/* One axis of a walk. */
typedef struct clrs_axis {
  int64_t extent, stride; /* number of places, over 1, and elements from a place to the next */
} clrs_axis;

/* One walk of a view. */
typedef struct clrs_level {
  int64_t offset;      /* position of the walk's first element */
  uint32_t axis_count; /* axes of this walk in clrs_view.axes */
} clrs_level;

/* A shape over a stack of walks. */
typedef struct clrs_view {
  clrs_dtype dtype;                  /* type of the elements */
  uint32_t depth;                    /* levels in use, 0 only for a view without elements */
  clrs_shape shape;                  /* what the user sees */
  clrs_level levels[CLRS_MAX_DEPTH]; /* levels[0] addresses the storage */
  clrs_axis axes[CLRS_VIEW_AXES];    /* axes of levels[0], then of levels[1], ... */
} clrs_view;

/* The view of a dense row-major tensor, and the view of a layout. */
CLRS_CHECKED clrs_status clrs_view_dense(clrs_dtype dtype, const clrs_shape *shape, clrs_view *view,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_from_layout(const clrs_layout *layout, clrs_view *view,
                                               clrs_error *error);
/* The strided layout that equals this view. CLRS_WOULD_COPY, with the reason, if there is none. */
CLRS_CHECKED clrs_status clrs_view_layout(const clrs_view *view, clrs_layout *layout,
                                          clrs_error *error);
/* The elements of the storage that levels[0] can touch. A walk above may leave some out. */
CLRS_CHECKED clrs_status clrs_view_bounds(const clrs_view *view, clrs_bounds *bounds,
                                          clrs_error *error);

/* Copies the elements that the view shows of `source`, which begins where the storage begins, to
 * `destination`, dense and row-major. The function copies element by element, and is meant for
 * small tensors, such as constants. Sizes are in bytes. The memory may be unaligned, must not
 * overlap, and may be NULL if nothing is read or written. CLRS_UNSUPPORTED for elements that are
 * not whole bytes. CLRS_OUT_OF_BOUNDS if memory is too small for the view. Nothing is written on
 * failure. */
CLRS_CHECKED clrs_status clrs_view_copy_host(const clrs_view *view, const void *source,
                                             size_t source_size, void *destination,
                                             size_t destination_size, clrs_error *error);

/* Movement operations, in place. A negative axis counts from the end. `count` is the length of the
 * array that follows. A comment at each function names the standard. All other operations are chain
 * text: clrs_view_apply of plan.h. */

/* One entry for each axis to be sliced. The values start and end are clamped as ONNX Slice-13 does.
 * The value step may be any but 0. Example: the elements 0 1 2 3 sliced from 3 to -100 by -2 are 3
 * and 1. The operation slice= of a chain follows Python, which differs in one case. A backward
 * slice that starts in front of the axis is empty in Python, and has the first element in ONNX. */
typedef struct clrs_slice {
  int64_t axis, start, end, step; /* axis, first index, index behind the last, distance */
} clrs_slice;

CLRS_CHECKED clrs_status clrs_view_reshape(clrs_view *view, const clrs_shape *shape,
                                           clrs_error *error); /* counts must be equal */
CLRS_CHECKED clrs_status clrs_view_permute(clrs_view *view, size_t count, const int64_t *axes,
                                           clrs_error *error); /* numpy.transpose */
/* ONNX Expand-13: multidirectional broadcast of the view's shape with `shape`. */
CLRS_CHECKED clrs_status clrs_view_expand(clrs_view *view, const clrs_shape *shape,
                                          clrs_error *error);
CLRS_CHECKED clrs_status clrs_view_slice(clrs_view *view, size_t count, const clrs_slice *slices,
                                         clrs_error *error); /* ONNX Slice-13 */
CLRS_CHECKED clrs_status clrs_view_flip(clrs_view *view, size_t count, const int64_t *axes,
                                        clrs_error *error); /* numpy.flip */

/* ----------------------------------------------------------------------------------- padding
 * numpy.pad. The border around a tensor has one value, or repeats elements of the tensor. In the
 * second case the result consists of a few boxes, and each box shows a view of the source.
 * clrs_enqueue_pad pads a tensor. The functions of this section only compute the boxes, to pad
 * several tensors alike, such as the parameters of a map, or to move the boxes by other means.
 *
 * A dim without elements has nothing to repeat. Like NumPy and ONNX, the library refuses to pad
 * such a dim in every mode but constant.
 */
typedef enum clrs_pad_mode {                     /* a b c d, with 2 before and 2 behind: */
                             CLRS_PAD_CONSTANT,  /* 0 0 a b c d 0 0 */
                             CLRS_PAD_EDGE,      /* a a a b c d d d */
                             CLRS_PAD_REFLECT,   /* c b a b c d c b */
                             CLRS_PAD_SYMMETRIC, /* b a a b c d d c */
                             CLRS_PAD_WRAP       /* c d a b c d a b */
} clrs_pad_mode; /* a border longer than the dim continues periodically */

/* Made by clrs_pad_init. */
typedef struct clrs_pad {
  clrs_pad_mode mode;                                 /* as given */
  clrs_shape shape, whole;                            /* shapes of the source and of the result */
  int64_t begins[CLRS_MAX_RANK], ends[CLRS_MAX_RANK]; /* elements in front and behind, per dim */
  size_t box_count; /* boxes of the result, disjoint and complete */
} clrs_pad;

/* begins[d] elements are in front of the source along dim d, and ends[d] elements behind. Example:
 * a source [2,3] with begins 1,0 and ends 0,2 becomes [3,5]. No value may be negative, and NULL
 * means all 0. CLRS_LIMIT_EXCEEDED if the result would have more than 8192 boxes. The number of
 * boxes is a product over the dims, and a dim that is padded on both sides by less than the extent
 * counts three. */
CLRS_CHECKED clrs_status clrs_pad_init(clrs_pad_mode mode, const clrs_shape *shape,
                                       const int64_t *begins, const int64_t *ends, clrs_pad *pad,
                                       clrs_error *error);
/* Both calls take the number of a box, from 0, and work in place. clrs_pad_source restricts a view
 * of pad->shape to the source of the box. The call clrs_pad_place restricts a view of pad->whole to
 * the destination of the box. Both results have the same shape. CLRS_LIMIT_EXCEEDED for rank
 * CLRS_MAX_RANK if the box has several pieces of a dim with gaps between the pieces, because the
 * intermediate view needs one more dim. */
CLRS_CHECKED clrs_status clrs_pad_source(const clrs_pad *pad, size_t box, clrs_view *view,
                                         clrs_error *error);
CLRS_CHECKED clrs_status clrs_pad_place(const clrs_pad *pad, size_t box, clrs_view *view,
                                        clrs_error *error);

/* ----------------------------------------------------------------------------- blocked layouts */

/* Most inner blocks of a layout. */
#define CLRS_MAX_BLOCKS 12

/* One inner block: `size` neighbouring indices of `dim` are adjacent. */
typedef struct clrs_block {
  uint32_t dim; /* index of the dim */
  int64_t size; /* number of indices, at least 1 */
} clrs_block;

/* As oneDNN's dnnl_memory_desc_t of kind dnnl_blocked. Each dim is padded to a multiple of its
 * blocks. Strides step from block to block of a dim. The blocks are dense, the last block
 * innermost. A dim may be blocked more than once. For any operation such a layout is an ordinary
 * view, in which a blocked dim has several axes. */
typedef struct clrs_blocked_layout {
  clrs_dtype dtype;                     /* type of the elements */
  clrs_shape shape;                     /* what the user sees */
  int64_t padded_dims[CLRS_MAX_RANK];   /* >= dims, multiples of their blocks */
  int64_t outer_strides[CLRS_MAX_RANK]; /* elements, from block to block */
  uint32_t block_count;                 /* blocks in use */
  clrs_block blocks[CLRS_MAX_BLOCKS];   /* outermost first */
  int64_t offset;                       /* elements */
} clrs_blocked_layout;

/* The dense layout of a common name, with the least padding. Example: "nChw16c" of [2,30,4,4] has
 * the padded_dims [2,32,4,4], the outer_strides [512,256,64,16] and one block of 16 of dim 1. The
 * names are oneDNN's, by role ("nChw16c", "NChw16n16c", "OIhw16i16o", "nhwc") or by letter
 * ("aBcd16b"), and OpenVINO's ("b_fs_yx_fsv16", "bs_fs_yx_bsv16_fsv16", "os_is_yx_isv16_osv16",
 * "bfyx"). */
CLRS_CHECKED clrs_status clrs_blocked_from_name(const char *name, clrs_dtype dtype,
                                                const clrs_shape *shape,
                                                clrs_blocked_layout *blocked, clrs_error *error);
/* The view of the elements, with blocked->shape. The view may be any source or destination. A move
 * into the view leaves the padding unchanged. To address elements and padding together, as
 * clrs_enqueue_pad does, take the view of a layout whose `shape` has the padded_dims. */
CLRS_CHECKED clrs_status clrs_blocked_view(const clrs_blocked_layout *blocked, clrs_view *view,
                                           clrs_error *error);
#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_CORE_H */
