/*
 * clreshape/map.h - maps of elements: casts, steps of arithmetic, quantizing. core.h states the
 * rules that apply to all headers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_MAP_H
#define CLRESHAPE_MAP_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------- maps
 * A map is a list of steps from an element of type `from` to an element of type `to`. Each step
 * takes the value of the step before, and gives a value of the step's own type:
 *
 *   arithmetic    The value and the step's parameter are each rounded once, half to even, to the
 *                 type of the step. The result is rounded once to that type. Two steps are two
 *                 roundings: x * a + b is never fused, as in NumPy and PyTorch.
 *   in CLRS_I32   Integers of 32 bits, in two's complement. A sum, difference, product or shift is
 *                 taken modulo 2^32, on every device. The value is a bool or an integer that an i32
 *                 holds, and nothing is rounded.
 *   a rounding    The value is rounded once to the type of the step, by the step's rounding and
 *                 overflow.
 *   zero points   A step in CLRS_I64 subtracts integers exactly. CLRS_STEP_ROUND_AND_ADD rounds to
 *                 an integer, adds the zero point, and brings the sum into range.
 *
 * Nothing is folded, contracted or reordered. A value passes unchanged from a step to the next:
 * 64-bit integers and doubles pass through no narrower type, and integers become integers by
 * integer arithmetic. A map without steps, and a map that reinterprets, keep all bits. Complex
 * numbers and strings allow no other map.
 *
 * The rules, equal on every device (clrs_map_cast has a table of dialects):
 * - A float beyond an integer's range, also infinity, becomes the nearest end of the range if the
 *   rounding saturates. If the rounding wraps, the float becomes its integer modulo 2^bits, and
 *   infinity becomes 0. NaN becomes 0, or the zero point, which stands for 0.
 * - A float beyond a float's range, after rounding, becomes the largest finite number if the
 *   rounding saturates. Under CLRS_OVERFLOW_IEEE the float becomes infinity, or NaN in a format
 *   without infinity, or the largest number in a format without both. Directed rounding stops at
 *   that number as in IEEE 754.
 * - NaN is the quiet NaN without a payload. A cast keeps the sign of NaN, and steps clear the sign.
 *   A format without NaN takes the largest positive number, as ONNX says of float4.
 * - Denormal numbers are kept as input and output. Zero keeps its sign if the format has a sign.
 * - Any value but 0 is true, also NaN. A byte of a bool is true unless it is 0.
 * - CLRS_F8E8M0 has neither zero nor sign. Zero, and a number below the smallest, become the
 *   smallest number if the rounding saturates, else NaN. A negative number becomes NaN.
 *
 * A map is a plain value, and the fields may be set by hand. Every function checks a map with
 * clrs_map_check. The fields of a bound map and of a mapped view may be set by hand, too, and are
 * checked with clrs_mapped_check.
 */

/* Rounds to the next integer, or to the next number of the target type. EVEN and AWAY round to the
 * nearest. For two equally near numbers EVEN takes the even number, and AWAY the number away from
 * zero. */
typedef enum clrs_rounding {
  CLRS_ROUND_EVEN,
  CLRS_ROUND_ZERO, /* truncates */
  CLRS_ROUND_AWAY,
  CLRS_ROUND_DOWN, /* floor */
  CLRS_ROUND_UP    /* ceiling */
} clrs_rounding;

/* The effect of a value beyond the target type's range, as the rules above say. */
typedef enum clrs_overflow {
  CLRS_OVERFLOW_SATURATE,
  CLRS_OVERFLOW_WRAP, /* integers only */
  CLRS_OVERFLOW_IEEE  /* floats only */
} clrs_overflow;

/* The element is x, and the step's parameter is p. AT_LEAST and AT_MOST clamp, and pass NaN. */
typedef enum clrs_step_kind {
  CLRS_STEP_SUBTRACT, /* x - p */
  CLRS_STEP_ADD,      /* x + p */
  CLRS_STEP_MULTIPLY, /* x * p */
  CLRS_STEP_DIVIDE,   /* x / p, a true division */
  CLRS_STEP_AT_LEAST, /* x < p ? p : x */
  CLRS_STEP_AT_MOST,  /* x > p ? p : x */
  CLRS_STEP_ROUND,    /* x rounded to the step's type, of any kind */
  /* As ROUND, to an integer of up to 32 bits, plus the integer p, before the sum is brought into
   * range */
  CLRS_STEP_ROUND_AND_ADD,
  /* Only in CLRS_I32, which has no division. p is 0 to 31. For a tensor only the low 5 bits of p
   * count. The shift right rounds down, also for negative x. Adding 2^(p-1) before the shift rounds
   * to the nearest. */
  CLRS_STEP_SHIFT_LEFT,  /* x * 2^p */
  CLRS_STEP_SHIFT_RIGHT, /* x / 2^p */
  /* A sum of products. TERM sets x aside and goes on with p. ADD_TERM adds the value that was set
   * aside last, by a TERM of the same type. Example: TERM u, MULTIPLY 3, ADD_TERM give x + u * 3,
   * with two roundings. ADD_TERM has no parameter. */
  CLRS_STEP_TERM,     /* p */
  CLRS_STEP_ADD_TERM, /* x + the value set aside */
  /* Only step 0, and only of a mapped view that a chain made: x is an element of a picture of
   * another size (clrs_resample). The type is the source's type. The type may also be f32 for a
   * source of 8- or 16-bit integers, f16 or bf16, whose elements become floats before they are
   * resized. No parameter. */
  CLRS_STEP_RESAMPLE
} clrs_step_kind;

/* The assignment of a parameter's numbers to elements: a view of the numbers with the source's
 * shape. A map therefore commutes with every movement operation: apply the operation to the source
 * and to the view. Example: three numbers along axis 1 of [8,3,4] are a view [8,3,4] with strides
 * 0, 1, 0. */
typedef enum clrs_spread_kind {
  CLRS_SPREAD_BROADCAST, /* dims are matched from the last on, as in NumPy */
  CLRS_SPREAD_AXIS,      /* a list along `axis` */
  CLRS_SPREAD_BLOCKS     /* with the source's rank, and one number per block along `axis` */
} clrs_spread_kind;

/* The spread of one parameter. */
typedef struct clrs_spread {
  clrs_spread_kind kind; /* all zeros is NumPy's broadcasting */
  int64_t axis;          /* for AXIS and BLOCKS, negative counts from the end */
  /* Number of neighbours along the axis that share a number. 0 and 1: each element has its own
   * number. As in ONNX, D elements have ceil(D / block) numbers, and the last block may be
   * shorter. */
  int64_t block;
} clrs_spread;

/* Most steps of a map. If the last step computes, the limit is one less, because a pass ends with a
 * rounding. */
#define CLRS_MAP_STEPS 16
/* Most numbers in a map, over all parameters. Numbers that parameters share count once for each
 * parameter. */
#define CLRS_MAP_NUMBERS 64
#define CLRS_MAP_VIEWS 4 /* most different views of parameters */

/* A parameter: numbers in the map, or a tensor, which clrs_map_bind takes. */
typedef struct clrs_parameter {
  uint32_t count;     /* 0: a tensor. A single number applies to every element, for any spread */
  uint32_t first;     /* in clrs_map.numbers */
  clrs_spread spread; /* the element of each number */
  /* The parameter is the source itself, as in the maps of colours that chains make. A call reads
   * the memory of the source in place of the parameter's. */
  bool is_of_source;
} clrs_parameter;

/* One step of a map. */
typedef struct clrs_step {
  clrs_step_kind kind;      /* what the step does */
  clrs_parameter parameter; /* CLRS_STEP_ROUND and CLRS_STEP_ADD_TERM have none */
  /* The type of the step's arithmetic: CLRS_F16, CLRS_BF16, CLRS_F32, CLRS_F64 or CLRS_I32.
   * CLRS_I64 subtracts integers of up to 32 bits, the zero points, from such integers. For a step
   * that rounds, the target type. */
  clrs_dtype dtype;
  clrs_rounding rounding; /* for steps that round */
  clrs_overflow overflow; /* for steps that round */
} clrs_step;

/* A list of steps, made by the functions below or by hand. */
typedef struct clrs_map {
  clrs_dtype from, to; /* `to` is the type of the last step, or `from` if there are no steps */
  bool reinterprets;   /* keeps the bits, and the fields below are ignored */
  uint32_t step_count; /* steps in use */
  clrs_step steps[CLRS_MAP_STEPS];  /* in the order of execution */
  uint32_t number_count;            /* numbers in use */
  double numbers[CLRS_MAP_NUMBERS]; /* rounded to the type of their step when they are used */
} clrs_map;

/* The functions that make a map cost O(numbers). CLRS_INVALID_ARGUMENT, with the broken rule in the
 * message, for invalid arguments. CLRS_LIMIT_EXCEEDED beyond the limits above. CLRS_UNSUPPORTED for
 * types that a map cannot read or write: CLRS_BITS*, complex numbers, strings, CLRS_NF4,
 * CLRS_F4E3M0, CLRS_U3 and CLRS_U6. Elements of the last two straddle bytes. */

/* Makes the cast of a dialect. Both types must have a name in the dialect's system. CLRS_NUMPY,
 * with ml_dtypes, has all types. A cast is one step that rounds. A cast of a type to itself has no
 * step, and can be the start of a map for clrs_map_step.
 *
 *   to             ONNX, OpenVINO, NumPy             oneDNN, and as OpenCV does
 *   integer        truncated, integers wrap          half to even, saturated
 *   bool           x != 0                            the same
 *   f16 to f64     half to even, infinity            the same
 *   f8, f6, f4     half to even, saturated           the same
 *
 * ONNX, OpenVINO and NumPy do not define a cast of a float beyond an integer's range. In ONNX's
 * dialect the float wraps here, as in ONNX's own test data: 300.7 is 44 in CLRS_U8. In the other
 * two dialects the float saturates: 300.7 is 255. Set map->steps[0].overflow for another rule.
 *
 * NumPy does not saturate floats: floats overflow there as in IEEE 754. ONNX rounds up to
 * CLRS_F8E8M0. ONNX's attribute `saturate` is the step's overflow. ONNX's `round_mode` is the
 * step's rounding: UP, DOWN, and AWAY for `nearest`. */
CLRS_CHECKED clrs_status clrs_map_cast(clrs_dialect dialect, clrs_dtype from, clrs_dtype to,
                                       clrs_map *map, clrs_error *error);
/* ONNX BitCast-26: reads the bits of one type as another type of equal width. Strings are not
 * allowed. */
CLRS_CHECKED clrs_status clrs_map_bitcast(clrs_dtype from, clrs_dtype to, clrs_map *map,
                                          clrs_error *error);

/* A parameter for the constructors. `values` are copied. NULL and 0 announce a tensor. */
typedef struct clrs_numbers {
  size_t count;         /* 0 for a tensor */
  const double *values; /* NULL for a tensor */
  clrs_spread spread;   /* the element of each number */
} clrs_numbers;

/* ONNX QuantizeLinear-28: step 0 is x / scale. Step 1 rounds half to even, adds the zero point and
 * saturates. Example: 1.3 with scale 0.5 and zero point 128 is 131 in u8. A scale must not be 0,
 * NaN or infinity after rounding to the arithmetic type. Scales in a tensor are not checked, and
 * the arithmetic is IEEE's. `zero` may be NULL for no zero point. Zero points must be integers that
 * `to` can hold. The arithmetic is in f32, or in f64 if a type has 64 bits. ONNX computes in the
 * type of the attribute `precision`, or of the scale: set map->steps[0].dtype. */
CLRS_CHECKED clrs_status clrs_map_quantize(clrs_dtype from, clrs_dtype to,
                                           const clrs_numbers *scale, const clrs_numbers *zero,
                                           clrs_map *map, clrs_error *error);
/* ONNX DequantizeLinear-28: step 0 is x - zero point and step 1 multiplies by the scale, or step 0
 * is the scale alone. Example: 131 with scale 0.5 and zero point 128 is 1.5. The difference is of
 * integers. The product is in f32, or in f64 if a type has 64 bits, and is rounded to `to`. A scale
 * must not be 0. */
CLRS_CHECKED clrs_status clrs_map_dequantize(clrs_dtype from, clrs_dtype to,
                                             const clrs_numbers *scale, const clrs_numbers *zero,
                                             clrs_map *map, clrs_error *error);

/* Appends a step, in place. The result type becomes `dtype`. A rounding in front of the step is
 * dropped if no bit of the result changes, as in clrs_map_then. The new step is always the last
 * step. Its index may therefore be less than the old step count. `numbers` must not be NaN, and may
 * be infinite only for the two clamping kinds. CLRS_STEP_ROUND_AND_ADD rounds half to even,
 * saturated. `numbers` is NULL for CLRS_STEP_ADD_TERM, and ignored. For CLRS_STEP_ROUND use
 * clrs_map_round. */
CLRS_CHECKED clrs_status clrs_map_step(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype,
                                       const clrs_numbers *numbers, clrs_error *error);
/* Appends the step CLRS_STEP_ROUND, in place. Appends nothing if no bit of the result would
 * change. */
CLRS_CHECKED clrs_status clrs_map_round(clrs_map *map, clrs_dtype dtype, clrs_rounding rounding,
                                        clrs_overflow overflow, clrs_error *error);

/* Makes one map that does `first` and then `second`, with the same bits. The source of `second` is
 * the result of `first`. The steps are the steps of both. A rounding at the end of `first` is
 * dropped if no bit changes, as for u8 -> f32 before f32 -> f16 (src/map/then.c has the cases).
 * CLRS_LIMIT_EXCEEDED if the result has more steps or numbers than a map can hold. CLRS_UNSUPPORTED
 * if either map is a bitcast. Tensor parameters keep their order: first the tensors of `first`,
 * then the tensors of `second`. `map` may be either argument. */
CLRS_CHECKED clrs_status clrs_map_then(const clrs_map *first, const clrs_map *second, clrs_map *map,
                                       clrs_error *error);

/* Describes the map: "u8 -> f16: f32, - (123 117 104) / 57.5, half to even". Writes at most `size`
 * bytes, with the terminator, and returns the length of the whole text without the terminator. The
 * text is "" for NULL and for an invalid map. */
CLRS_API size_t clrs_map_explain(const clrs_map *map, char *text, size_t size);

/* Checks everything in a map that does not depend on shapes. */
CLRS_CHECKED clrs_status clrs_map_check(const clrs_map *map, clrs_error *error);
/* Returns true if the map keeps every bit of every element, so that a move alone is enough. False
 * for NULL and for an invalid map. */
CLRS_API bool clrs_map_keeps_bits(const clrs_map *map);

/* ------------------------------------------------------------------- maps and views, on the host
 * A map has no shape. A map that is bound to a source's view has a view of the same shape for each
 * parameter. Parameters with equal spreads share a view. The views are ordinary views: apply a
 * movement operation to the source and to each view, and the bound map gives the moved result.
 */

/* The views of tensor parameters, NULL for other steps. A tensor of integers or floats may have any
 * layout. On a device a tensor of float6s, which straddle bytes, is not allowed. */
typedef struct clrs_map_tensors {
  const clrs_view *steps[CLRS_MAP_STEPS]; /* one for each step of the map */
} clrs_map_tensors;

/* The references of resizing. Each name stands for every bit of one function of one package, and
 * no two have the same bits. The NEAREST references take elements of any type, and compute none. */
typedef enum clrs_resampling {
  CLRS_RESAMPLE_NONE,
  CLRS_OPENCV_LINEAR,       /* u8: cv2.resize with INTER_LINEAR */
  CLRS_OPENCV_LINEAR_EXACT, /* u8: INTER_LINEAR_EXACT */
  CLRS_OPENCV_NEAREST,      /* INTER_NEAREST */
  CLRS_PILLOW_BILINEAR,     /* u8: Image.resize with Resampling.BILINEAR, which antialiases */
  CLRS_PILLOW_BICUBIC,      /* u8: Resampling.BICUBIC */
  CLRS_TORCH_BILINEAR,      /* f32: interpolate with "bilinear" and align_corners=False */
  CLRS_TORCH_NEAREST,       /* "nearest" */
  CLRS_TORCH_NEAREST_EXACT, /* "nearest-exact" */
  CLRS_ONNX_LINEAR,         /* f32: Resize "linear", as ONNX Runtime computes */
  CLRS_OPENVINO_LINEAR,     /* f32: Interpolate-11 "linear_onnx", half_pixel */
  CLRS_ONNX_NEAREST         /* Resize "nearest", as ONNX Runtime */
} clrs_resampling;

/* A frame of a camera. The elements of the picture are colours, computed from the planes of the
 * frame. The operation color of a chain makes frames. */
typedef struct clrs_frame {
  uint32_t format;     /* 0 for no frame, else 1 plus the place in the list of color's formats */
  uint32_t result, by; /* the places of the other two words of color */
  clrs_axis axes[3];   /* of the frame's elements: rows, columns, channels */
  int64_t pixel;       /* row-major number of the picture's first pixel */
  int64_t color;       /* of the picture's first element */
} clrs_frame;

/* The resizing of a mapped view: the picture, and the size of the result. Elements of the result
 * have no memory. The source of the mapped view therefore counts the elements of the result in
 * row-major order over [outermost, outer, rows, columns, inner]. A movement operation behind the
 * resizing moves these numbers, and the picture stays. */
typedef struct clrs_resample {
  clrs_resampling by;            /* the reference, or CLRS_RESAMPLE_NONE: no resizing */
  uint32_t coordinates, nearest; /* for ONNX's references, the words by number, else 0 */
  int64_t rows, columns;         /* of the result */
  int64_t offset;    /* position of the picture's first element in the storage, or the frame's */
  clrs_axis axes[5]; /* of the picture: outermost, outer, rows, columns, inner */
  /* For ONNX's references the scales of rows and columns. 0 stands for the quotient of the sizes.
   * For other scales, the size of the result is less than 1 away from size times scale. */
  double scales[2];
  /* With a frame, the strides of rows and columns count the frame's pixels in row-major order, and
   * the stride of `inner` counts colours. */
  clrs_frame frame;
} clrs_resample;

#define CLRS_MAP_SCALAR UINT32_MAX /* one number for every element: there is no view */

/* A map's parameters as views of the source's shape. */
typedef struct clrs_map_views {
  clrs_view source;                /* the elements that the map takes */
  uint32_t count;                  /* views in use */
  clrs_view views[CLRS_MAP_VIEWS]; /* with the source's shape, over a tensor or the map's numbers */
  uint32_t of_step[CLRS_MAP_STEPS]; /* index into `views`, or CLRS_MAP_SCALAR */
  clrs_resample resample;           /* for CLRS_STEP_RESAMPLE */
} clrs_map_views;

/* Binds a map to a source. `tensors` may be NULL if no parameter is a tensor. The source's dtype
 * must be map->from. CLRS_INVALID_ARGUMENT for a map with CLRS_STEP_RESAMPLE. */
CLRS_CHECKED clrs_status clrs_map_bind(const clrs_map *map, const clrs_view *source,
                                       const clrs_map_tensors *tensors, clrs_map_views *views,
                                       clrs_error *error);

/* A view whose elements go through a map: the result of movement operations and maps in any order.
 * A movement operation is applied to views.source and to each of views.views. A map is spread over
 * the current shape and joined with the current map. plan.h has functions that do both from
 * text. */
typedef struct clrs_mapped {
  clrs_map map;         /* the spreads refer to earlier shapes and only the views count */
  clrs_map_views views; /* the source and the parameters, moved alike */
  clrs_dtype dtype;     /* result type: map.to, or a type of equal width by a bitcast */
} clrs_mapped;

/* Makes a mapped view of `view`, with a map that keeps every bit. */
CLRS_CHECKED clrs_status clrs_mapped_init(const clrs_view *view, clrs_mapped *mapped,
                                          clrs_error *error);
/* Checks everything in a mapped view that does not depend on the memory of the source and of
 * tensors. Functions that take a mapped view begin with this check. clrs_map_apply checks the views
 * in the same way:
 *
 *   map                     clrs_map_check
 *   views.source            a view of map.from
 *   views.views             at most CLRS_MAP_VIEWS, of the source's shape
 *   of_step                 for the map's parameters: the number of a view. CLRS_MAP_SCALAR is for
 *                           a single number
 *   a view of numbers       of CLRS_F64, and within the parameter's numbers, else
 *                           CLRS_OUT_OF_BOUNDS
 *   a view of a tensor      of integers or floats. For zero points and for steps in CLRS_I32,
 *                           integers of up to 32 bits, where u32 is taken modulo 2^32
 *   resample                a reference for a map with CLRS_STEP_RESAMPLE, and for no other. The
 *                           picture has pixels, and views.source lies within the result
 *   dtype                   map.to, or a type of as many bits at the same places of a byte */
CLRS_CHECKED clrs_status clrs_mapped_check(const clrs_mapped *mapped, clrs_error *error);
/* Appends `map` to the maps of `mapped`, in place. Errors are as in clrs_map_then. map->from must
 * be mapped->dtype. `tensors` are as in clrs_map_bind, with the current shape of views.source. A
 * bitcast next to the source or the destination only changes the type that is read or written. */
CLRS_CHECKED clrs_status clrs_mapped_then(clrs_mapped *mapped, const clrs_map *map,
                                          const clrs_map_tensors *tensors, clrs_error *error);

/* Appends the maps of `after` to `mapped`, in place, with the spread parameters and the bitcasts.
 * Both must have the same shape, and the source type of `after` must be the type of `mapped`. The
 * source of `after` is ignored. Example of a use: the maps were made for a whole view, and `mapped`
 * shows a part. Errors are as in clrs_mapped_then. */
CLRS_CHECKED clrs_status clrs_mapped_join(clrs_mapped *mapped, const clrs_mapped *after,
                                          clrs_error *error);

/* Host memory from the beginning of a tensor's storage. May be unaligned, and NULL with 0 bytes. */
typedef struct clrs_bytes {
  const void *data; /* first byte */
  size_t size;      /* bytes */
} clrs_bytes;

/* The memory that clrs_map_apply reads. */
typedef struct clrs_map_data {
  clrs_bytes source;                /* of views->source */
  clrs_bytes steps[CLRS_MAP_STEPS]; /* for tensor parameters */
} clrs_map_data;

/* Maps the elements of views->source, one by one, to `destination`, dense and row-major, of
 * map->to. The function is slow and exact, and every kernel gives the same bits. The function
 * assumes the default rounding of the C library's floats, without flushing of denormals.
 * CLRS_OUT_OF_BOUNDS if memory is too small for a view. Elements that straddle bytes are supported
 * for CLRS_F6E2M3 and CLRS_F6E3M2 only, as ONNX packs the two. For packed types the bits behind the
 * last element stay unchanged. The destination must not overlap other memory of the call. Nothing
 * is written on failure. */
CLRS_CHECKED clrs_status clrs_map_apply(const clrs_map *map, const clrs_map_views *views,
                                        const clrs_map_data *data, void *destination,
                                        size_t destination_size, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_MAP_H */
