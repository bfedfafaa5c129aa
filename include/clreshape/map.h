/*
 * clreshape/map.h - what happens to each element on its way: casts, steps of arithmetic,
 * quantising. core.h says what holds for all of it.
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
 * A map is a list of steps that lead from an element of type `from` to one of type `to`. Each step
 * takes the value that the step before gave, and gives a value of its own type:
 *
 *   arithmetic    The value and the step's parameter are each rounded once, half to even, to the
 *                 type of the step. The result is rounded once to that type. Two steps are two
 *                 roundings: x * a + b is never fused, as in NumPy and PyTorch.
 *   of CLRS_I32   Integers of 32 bits, in two's complement. A sum, difference, product or shift is
 *                 the result modulo 2^32, on every device. A bool arrives, or an integer that an
 *                 i32 holds, and nothing is rounded.
 *   a rounding    The value is rounded once to the type of the step, by the step's rounding and
 *                 overflow.
 *   zero points   An integer less another integer, exactly. Or a value rounded to an integer, plus
 *                 another integer, before the sum is brought into range.
 *
 * Nothing is folded, contracted or reordered. A value goes from a step to the next as it is: 64-bit
 * integers and doubles pass through nothing narrower, and integers become integers by integer
 * arithmetic. A map without steps keeps all bits, of every type: complex numbers and strings can be
 * mapped in no other way. So are the bits kept of a map that reinterprets.
 *
 * The rules, the same on every device (clrs_map_cast has a table of dialects):
 * - A float beyond an integer's range, infinity included, is the nearest end of the range if it
 *   saturates, and its integer modulo 2^bits if it wraps, where infinity is 0. NaN is 0; with
 *   a zero point added it is that zero point, which stands for 0.
 * - A float beyond a float's range, as rounded, is the largest finite number if it saturates, and
 *   infinity under CLRS_OVERFLOW_IEEE; NaN where the format has no infinity, the largest
 *   number where it has neither. Directed rounding stops at that number where IEEE 754 does.
 * - NaN is the quiet NaN without a payload; it keeps its sign, and has none after steps. Where the
 *   format has no NaN it is the largest positive number, as ONNX says of float4.
 * - Denormal numbers are kept, in and out. Zero keeps its sign where the format has one.
 * - Anything but 0 is true, NaN too; a byte of a bool is true unless it is 0.
 * - CLRS_F8E8M0 has neither zero nor sign: zero and what is below the smallest are the smallest if
 *   they saturate, else NaN; a negative number is NaN.
 *
 * A map is a plain value. Its fields may be set by hand: every function checks them, with
 * clrs_map_check. So may those of a bound map and of a mapped view, which clrs_mapped_check checks.
 */

/* To the next integer, or number of the target. EVEN and AWAY go to the nearest, and differ in
 * which of two that are equally near: the even one, or the one away from zero. */
typedef enum clrs_rounding {
  CLRS_ROUND_EVEN,
  CLRS_ROUND_ZERO, /* truncates */
  CLRS_ROUND_AWAY,
  CLRS_ROUND_DOWN, /* floor */
  CLRS_ROUND_UP    /* ceiling */
} clrs_rounding;

typedef enum clrs_overflow {
  CLRS_OVERFLOW_SATURATE,
  CLRS_OVERFLOW_WRAP, /* integers only */
  CLRS_OVERFLOW_IEEE  /* floats only */
} clrs_overflow;

/* x, the element, and p, the step's parameter. AT_LEAST and AT_MOST clamp, and let NaN pass. */
typedef enum clrs_step_kind {
  CLRS_STEP_SUBTRACT, /* x - p */
  CLRS_STEP_ADD,      /* x + p */
  CLRS_STEP_MULTIPLY, /* x * p */
  CLRS_STEP_DIVIDE,   /* x / p, a true division */
  CLRS_STEP_AT_LEAST, /* x < p ? p : x */
  CLRS_STEP_AT_MOST,  /* x > p ? p : x */
  CLRS_STEP_ROUND,    /* x rounded to the step's type, of any kind */
  /* The same to an integer of up to 32 bits, plus p, an integer, before it is brought into range */
  CLRS_STEP_ROUND_AND_ADD,
  /* In CLRS_I32 alone, where there is no division. p is 0 to 31. Of a tensor the low 5 bits of p
   * count. The shift right rounds down, also if x is negative. A sum with 2^(p-1) before the shift
   * rounds to the nearest. */
  CLRS_STEP_SHIFT_LEFT, /* x * 2^p */
  CLRS_STEP_SHIFT_RIGHT /* x / 2^p */
} clrs_step_kind;

/* Which number of a parameter an element gets. The result is a view of the parameter's numbers that
 * has the source's shape, so that every movement operation can be applied to both alike: a map
 * commutes with all of them. Of 0 the whole struct is NumPy's broadcasting. */
typedef enum clrs_spread_kind {
  CLRS_SPREAD_BROADCAST, /* the dims are matched from the last on, as NumPy does */
  CLRS_SPREAD_AXIS,      /* a list along one axis */
  CLRS_SPREAD_BLOCKS     /* of the source's rank; along `axis` one number for each block */
} clrs_spread_kind;

typedef struct clrs_spread {
  clrs_spread_kind kind;
  int64_t axis; /* of AXIS and BLOCKS; negative ones count from the end */
  /* So many neighbours along the axis share a number; 0 and 1: each has its own. As ONNX has it, D
   * neighbours have ceil(D / block) numbers, and the last block may be shorter. */
  int64_t block;
} clrs_spread;

/* Steps of a map. One less, if the last of them computes: a pass ends with a rounding. */
#define CLRS_MAP_STEPS 16
/* Numbers that a map holds itself, of all its parameters together. Numbers that parameters share
 * count once for each parameter. */
#define CLRS_MAP_NUMBERS 64
#define CLRS_MAP_VIEWS 4 /* different views that they are spread by */

/* Numbers of the map's own, or a tensor, which clrs_map_bind takes. */
typedef struct clrs_parameter {
  uint32_t count; /* 0: a tensor. One number goes to every element, whatever the spread */
  uint32_t first; /* in clrs_map.numbers */
  clrs_spread spread;
} clrs_parameter;

typedef struct clrs_step {
  clrs_step_kind kind;
  clrs_parameter parameter; /* a step of kind CLRS_STEP_ROUND has none */
  /* In which type the step computes: CLRS_F16, CLRS_BF16, CLRS_F32, CLRS_F64 or CLRS_I32; CLRS_I64
   * to subtract integers of up to 32 bits from such integers, which are zero points. Of a step that
   * rounds: to which type. */
  clrs_dtype dtype;
  clrs_rounding rounding; /* of a step that rounds */
  clrs_overflow overflow;
} clrs_step;

typedef struct clrs_map {
  clrs_dtype from, to; /* `to` is the type of the last step, or `from` if there are no steps */
  bool reinterprets;   /* the bits stay, and of what follows nothing is read */
  uint32_t step_count;
  clrs_step steps[CLRS_MAP_STEPS];
  uint32_t number_count;
  double numbers[CLRS_MAP_NUMBERS]; /* rounded to the type of their step when they are used */
} clrs_map;

/* The functions that make a map cost O(numbers) and fail with CLRS_INVALID_ARGUMENT on what the
 * rule named in the message forbids, CLRS_LIMIT_EXCEEDED beyond the limits above, and
 * CLRS_UNSUPPORTED for types that a map cannot read or write: those without a value (CLRS_BITS*),
 * complex numbers and strings, CLRS_NF4, CLRS_F4E3M0, and CLRS_U3 and CLRS_U6, which lie across
 * bytes. */

/* The cast of a dialect, between types that its system has a name for; CLRS_NUMPY, with ml_dtypes,
 * has all. A cast is one step that rounds, and none of a type to itself: that is how a map begins
 * which clrs_map_step goes on with.
 *
 *   to             ONNX, OpenVINO, NumPy             oneDNN, and as OpenCV does
 *   integer        truncated; integers wrap          half to even, saturated
 *   bool           x != 0                            the same
 *   f16 to f64     half to even, infinity            the same
 *   f8, f6, f4     half to even, saturated           the same
 *
 * ONNX, OpenVINO and NumPy do not define a cast of a float beyond an integer's range. In ONNX's
 * dialect the float wraps here, as in ONNX's own test data: 300.7 is 44 in CLRS_U8. In the other
 * two dialects the float saturates: 300.7 is 255. Set map->steps[0].overflow for another rule.
 *
 * NumPy does not saturate floats: there they overflow as IEEE's do. ONNX rounds up to CLRS_F8E8M0;
 * its attribute `saturate` is the step's overflow, and `round_mode` its rounding: UP, DOWN, and
 * AWAY for `nearest`. */
CLRS_CHECKED clrs_status clrs_map_cast(clrs_dialect dialect, clrs_dtype from, clrs_dtype to,
                                       clrs_map *map, clrs_error *error);
/* ONNX BitCast-26: the bits of one type as those of another, of equal width, but no strings. */
CLRS_CHECKED clrs_status clrs_map_bitcast(clrs_dtype from, clrs_dtype to, clrs_map *map,
                                          clrs_error *error);

/* A parameter as the constructors take it. `values` are copied; NULL and 0 announce a tensor. */
typedef struct clrs_numbers {
  size_t count;
  const double *values;
  clrs_spread spread;
} clrs_numbers;

/* ONNX QuantizeLinear-28: x / scale, step 0, half to even, plus the zero point, step 1, saturated.
 * A scale is no 0, NaN or infinity, as the arithmetic type has it. Those in a tensor are not looked
 * at: the arithmetic is IEEE's.
 * zero may be NULL for none; else it has integers that `to` can hold. The arithmetic is f32, f64 if
 * a type has 64 bits; ONNX wants that of `precision`, or of the scale: set map->steps[0].dtype. */
CLRS_CHECKED clrs_status clrs_map_quantize(clrs_dtype from, clrs_dtype to,
                                           const clrs_numbers *scale, const clrs_numbers *zero,
                                           clrs_map *map, clrs_error *error);
/* ONNX DequantizeLinear-28: (x - zero point) * scale, steps 0 and 1, or the scale alone in step 0.
 * The difference is that of integers; the product is of f32 (f64 if a type has 64 bits), and
 * rounded to `to`. No scale is 0. */
CLRS_CHECKED clrs_status clrs_map_dequantize(clrs_dtype from, clrs_dtype to,
                                             const clrs_numbers *scale, const clrs_numbers *zero,
                                             clrs_map *map, clrs_error *error);

/* Appends a step, in place: the map is to `dtype` then. A rounding before the step goes where no
 * bit shows it, as in clrs_map_then, so that the step is the last one, and its number is not always
 * that of the steps before the call. `numbers` may be infinite for the two that clamp, never NaN.
 * CLRS_STEP_ROUND_AND_ADD is half to even, saturated; CLRS_STEP_ROUND is clrs_map_round's. */
CLRS_CHECKED clrs_status clrs_map_step(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype,
                                       const clrs_numbers *numbers, clrs_error *error);
/* The step CLRS_STEP_ROUND, in place. There is none if no bit would show it. */
CLRS_CHECKED clrs_status clrs_map_round(clrs_map *map, clrs_dtype dtype, clrs_rounding rounding,
                                        clrs_overflow overflow, clrs_error *error);

/* One map that does what `first` does and then `second`, whose source is the first's result, to the
 * last bit: the steps of the first and those of the second. A rounding that ends the first is left
 * out where no bit shows it, as of u8 -> f32 before f32 -> f16; src/map/then.c has the cases. Two
 * maps are refused only where they have more steps or numbers than one map has, which is
 * CLRS_LIMIT_EXCEEDED, and where one of the two is a bitcast, which is CLRS_UNSUPPORTED. Tensors
 * among the parameters stay in order: those of the first, then those of the second. `map` may be
 * one of the two. */
CLRS_CHECKED clrs_status clrs_map_then(const clrs_map *first, const clrs_map *second, clrs_map *map,
                                       clrs_error *error);

/* The map in words: "u8 -> f16: f32, - (123 117 104) / 57.5, half to even". Writes at most `size`
 * bytes, with the end, and returns the length of the whole text without it. "" for NULL and for
 * what clrs_map_check refuses. */
CLRS_API size_t clrs_map_explain(const clrs_map *map, char *text, size_t size);

/* Everything that can be wrong with a map but what depends on shapes. */
CLRS_CHECKED clrs_status clrs_map_check(const clrs_map *map, clrs_error *error);
/* Does the map keep every bit of every element, so that moving them is all there is to do? False
 * for NULL and for a map that clrs_map_check refuses. */
CLRS_API bool clrs_map_keeps_bits(const clrs_map *map);

/* ------------------------------------------------------------------- maps and views, on the host
 * A map knows no shape. Bound to a source's view it has, for each parameter, a view of the same
 * shape; the parameters that are spread in the same way share it. These are ordinary views: apply a
 * movement operation to the source and to each of them, and the bound map gives the moved result.
 */

/* The views of the tensors that are parameters; NULL for the others. A tensor of integers or floats
 * may have any layout. On a device there are none of float6s, which lie across bytes. */
typedef struct clrs_map_tensors {
  const clrs_view *steps[CLRS_MAP_STEPS];
} clrs_map_tensors;

#define CLRS_MAP_SCALAR UINT32_MAX /* one number for every element: there is no view */

typedef struct clrs_map_views {
  clrs_view source;
  uint32_t count;
  clrs_view views[CLRS_MAP_VIEWS];  /* of the source's shape, over a tensor or the map's numbers */
  uint32_t of_step[CLRS_MAP_STEPS]; /* which of them, or CLRS_MAP_SCALAR */
} clrs_map_views;

/* `tensors` may be NULL if no parameter is one. The source's dtype must be map->from. */
CLRS_CHECKED clrs_status clrs_map_bind(const clrs_map *map, const clrs_view *source,
                                       const clrs_map_tensors *tensors, clrs_map_views *views,
                                       clrs_error *error);

/* A view whose elements go through a map: what movement operations and maps in any order make of a
 * source. A movement operation is applied to views.source and to each of views.views; a map is
 * spread over the shape that it finds, and joins the one that is there. plan.h does both by text.
 */
typedef struct clrs_mapped {
  clrs_map map; /* its spreads are of the shapes where it was made: what counts are the views */
  clrs_map_views views;
  clrs_dtype dtype; /* of the result: map.to, or another of its width that it is bitcast to */
} clrs_mapped;

/* The view, with a map that keeps every bit. */
CLRS_CHECKED clrs_status clrs_mapped_init(const clrs_view *view, clrs_mapped *mapped,
                                          clrs_error *error);
/* Everything that can be wrong with a mapped view, but what takes the memory of its source and of
 * tensors to see. Functions that take one begin with this check, and clrs_map_apply checks the
 * views in the same way:
 *
 *   map                     clrs_map_check
 *   views.source            a view of map.from
 *   views.views             at most CLRS_MAP_VIEWS, of the source's shape
 *   of_step                 of the map's parameters: the number of a view. CLRS_MAP_SCALAR in its
 *                           place is for one number
 *   a view of numbers       of CLRS_F64, and reads no other numbers than its parameter's, else
 *                           CLRS_OUT_OF_BOUNDS
 *   a view of a tensor      of integers or floats; of zero points and of steps in CLRS_I32 integers
 *                           of up to 32 bits, of which u32 is taken modulo 2^32
 *   dtype                   map.to, or of as many bits, which lie in the same places of a byte
 */
CLRS_CHECKED clrs_status clrs_mapped_check(const clrs_mapped *mapped, clrs_error *error);
/* Maps what is there once more, in place, as clrs_map_then, with its refusals; map->from must be
 * mapped->dtype. `tensors` are as in clrs_map_bind, of the shape that views.source has now. Where a
 * bitcast need not be a pass, it is none: before a map it changes the type that is read, behind one
 * the type that is written. */
CLRS_CHECKED clrs_status clrs_mapped_then(clrs_mapped *mapped, const clrs_map *map,
                                          const clrs_map_tensors *tensors, clrs_error *error);

/* Does to what is there what `after` does to its own source, which has the same shape, in place:
 * its maps, with its parameters as they are spread there, and its bitcasts. That source's elements
 * do not matter, nor where they are; its type was that of `mapped`. Parts of a view whose maps were
 * made of the whole are mapped so. Refusals are those of clrs_mapped_then. */
CLRS_CHECKED clrs_status clrs_mapped_join(clrs_mapped *mapped, const clrs_mapped *after,
                                          clrs_error *error);

/* Host memory where a tensor's storage begins. It may be unaligned, and NULL of 0 bytes. */
typedef struct clrs_bytes {
  const void *data;
  size_t size;
} clrs_bytes;

typedef struct clrs_map_data {
  clrs_bytes source;
  clrs_bytes steps[CLRS_MAP_STEPS]; /* of the parameters that are tensors */
} clrs_map_data;

/* The reference for every kernel: maps the elements that views->source shows, one by one, to
 * `destination`, dense and row-major, of map->to. It is slow and right: it assumes the default
 * rounding of the C library's floats, and that denormals are not flushed. Memory that is too small
 * for a view is CLRS_OUT_OF_BOUNDS; elements that lie across bytes are read and written for
 * CLRS_F6E2M3 and CLRS_F6E3M2 alone, as ONNX packs them. Of packed types the bits behind the last
 * element stay. The destination must not overlap the rest. Nothing is written on failure. */
CLRS_CHECKED clrs_status clrs_map_apply(const clrs_map *map, const clrs_map_views *views,
                                        const clrs_map_data *data, void *destination,
                                        size_t destination_size, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_MAP_H */
