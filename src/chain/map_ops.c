/*
 * Casts and arithmetic as operations. Errors that no source could make right, such as a scale of 0
 * or a zero point outside its type, are found when the text is parsed. The parser then makes the
 * map for the source type with the fewest restrictions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "map_ops.h"

#include <string.h>

#include "axis.h"
#include "bitcast.h"
#include "decimal.h"
#include "dtype.h"
#include "integers.h"
#include "steps.h"

/* ---- types and words ---- */

static clrs_status append_one(int64_t value, clrs__numbers *numbers, clrs_error *error) {
  return clrs__numbers_append(numbers, 1, &value, error);
}

static clrs_status parse_type(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  char name[24] = "";
  clrs_dtype dtype;
  if (text.length < sizeof name) {
    memcpy(name, text.text, text.length);
  }
  if (clrs_dtype_from_name(name, CLRS_TYPES_CLRESHAPE, &dtype, NULL) != CLRS_OK) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "'%s' is no element type, such as f32, bf16 or u8",
                      clrs__span_show(text).text);
  }
  return append_one((int64_t)dtype, numbers, error);
}

enum { UNSAID = -1, ROUNDINGS = 5, OVERFLOWS = 3 };

/* In the order of clrs_rounding and clrs_overflow. */
static const char *const rounding_words[ROUNDINGS] = {"even", "zero", "away", "down", "up"};
static const char *const overflow_words[OVERFLOWS] = {"saturate", "wrap", "ieee"};

static clrs_status parse_word(clrs__span word, int64_t *rounding, int64_t *overflow,
                              clrs_error *error) {
  const int64_t as_rounding = clrs__span_find(word, rounding_words, ROUNDINGS);
  const int64_t as_overflow = clrs__span_find(word, overflow_words, OVERFLOWS);
  int64_t *said = as_rounding != UNSAID ? rounding : overflow;
  if (as_rounding == UNSAID && as_overflow == UNSAID) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "'%s' is no rounding, which is even, zero, away, down or up, and no overflow, "
        "which is saturate, wrap or ieee",
        clrs__span_show(word).text);
  }
  if (*said != UNSAID) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is a second %s",
                      clrs__span_show(word).text, said == rounding ? "rounding" : "overflow");
  }
  *said = as_rounding != UNSAID ? as_rounding : as_overflow;
  return CLRS_OK;
}

/* type[,rounding][,overflow] */
clrs_status clrs__cast_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t words[] = {UNSAID, UNSAID};
  CLRS_TRY(parse_type(clrs__span_cut(&text, ','), numbers, error));
  while (text.text != NULL) {
    CLRS_TRY(parse_word(clrs__span_cut(&text, ','), &words[0], &words[1], error));
  }
  return clrs__numbers_append(numbers, 2, words, error);
}

clrs_status clrs__cast_make(const clrs__op *op, clrs_dtype from, clrs_map *map, clrs_error *error) {
  const int64_t *v = op->values;
  CLRS_TRY(clrs_map_cast(op->rules.dialect, from, (clrs_dtype)v[0], map, error));
  if (map->step_count > 0 && v[1] != UNSAID) {
    map->steps[0].rounding = (clrs_rounding)v[1];
  }
  if (map->step_count > 0 && v[2] != UNSAID) {
    map->steps[0].overflow = (clrs_overflow)v[2];
  }
  return clrs_map_check(map, error);
}

/* Rounds to a number of the type, and keeps the elements' type. If the text does not say otherwise,
 * integers are rounded to the nearest and saturated. */
clrs_status clrs__round_make(const clrs__op *op, clrs_dtype from, clrs_map *map,
                             clrs_error *error) {
  clrs_map there, back;
  int64_t values[] = {op->values[0], op->values[1], op->values[2]};
  if (clrs__dtype_is_integer((clrs_dtype)values[0])) {
    values[1] = values[1] == UNSAID ? CLRS_ROUND_EVEN : values[1];
    values[2] = values[2] == UNSAID ? CLRS_OVERFLOW_SATURATE : values[2];
  }
  const clrs__op cast = {values, 3, op->rules, op->shape};
  CLRS_TRY(clrs__cast_make(&cast, from, &there, error));
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, (clrs_dtype)values[0], from, &back, error));
  return clrs_map_then(&there, &back, map, error);
}

clrs_status clrs__bitcast_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  return parse_type(text, numbers, error);
}

clrs_status clrs__bitcast_make(const clrs__op *op, clrs_dtype from, clrs_map *map,
                               clrs_error *error) {
  return clrs_map_bitcast(from, (clrs_dtype)op->values[0], map, error);
}

clrs_status clrs__bitcast_apply(const clrs__op *op, clrs_view *view, clrs_error *error) {
  return clrs__view_bitcast(view, (clrs_dtype)op->values[0], error);
}

/* ---- numbers ---- */

static clrs_status append_number(double number, clrs__numbers *numbers, clrs_error *error) {
  int64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return append_one(bits, numbers, error);
}

static clrs_status parse_number(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  double number;
  CLRS_TRY(clrs__decimal_parse(text, &number, error));
  return append_number(number, numbers, error);
}

/* Stands for an axis that is not in the text. */
#define NO_AXIS INT64_MIN

/* Chooses the axis. An axis in the text must exist, even if one number goes to every element. */
static clrs_status choose_axis(const clrs__op *op, int64_t said, int64_t otherwise, int64_t *axis,
                               clrs_error *error) {
  uint32_t dim;
  *axis = said == NO_AXIS ? otherwise : said;
  return said == NO_AXIS || op->shape == NULL
             ? CLRS_OK
             : clrs__axis_normalize(said, op->shape->rank, "axis", &dim, error);
}

/* No tensor has axis NO_AXIS or NO_AXIS + 1. NO_AXIS in the text becomes NO_AXIS + 1. */
static clrs_status parse_axis(clrs__span text, int64_t *axis, clrs_error *error) {
  CLRS_TRY(clrs__integer_parse(text.text, text.length, axis, error));
  *axis = *axis == NO_AXIS ? NO_AXIS + 1 : *axis;
  return CLRS_OK;
}

/* Numbers of a chain as a map's parameter, in a separate array. */
typedef struct list {
  double values[CLRS_MAP_NUMBERS];
  clrs_numbers numbers;
} list;

static clrs_status read_list(const int64_t *bits, int64_t count, int64_t axis, int64_t block,
                             list *read, clrs_error *error) {
  if (count > CLRS_MAP_NUMBERS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "%d numbers; a map holds at most %d", (int)count,
                      CLRS_MAP_NUMBERS);
  }
  memcpy(read->values, bits, (size_t)count * sizeof *bits);
  read->numbers = (clrs_numbers){(size_t)count, read->values, {CLRS_SPREAD_AXIS, axis, block}};
  return CLRS_OK;
}

/* The values that were appended after the first `before` values, as an operation. */
static clrs__op appended(const clrs__numbers *numbers, uint32_t before) {
  return (clrs__op){
      numbers->values + before, numbers->count - before, {CLRS_NUMPY, CLRS_ZERO_COPIES}, NULL};
}

/* ---- steps ---- */

/* Makes a map without steps, for steps to be added. */
static clrs_status start_steps(const char *name, clrs_dtype type, clrs_map *map,
                               clrs_error *error) {
  if (!clrs__is_arithmetic(type) && type != CLRS_I32) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "%s computes in the elements' own type, which is %s; a cast to f16, bf16, f32, f64 or i32 "
        "has to stand before it",
        name, clrs__dtype_text(type));
  }
  return clrs_map_cast(CLRS_NUMPY, type, type, map, error);
}

/* Makes a step. The values are the axis and the numbers. */
static clrs_status make_step(const char *name, clrs_step_kind kind, const clrs__op *op,
                             clrs_dtype from, clrs_map *map, clrs_error *error) {
  list read;
  int64_t axis;
  CLRS_TRY(start_steps(name, from, map, error));
  CLRS_TRY(choose_axis(op, op->values[0], -1, &axis, error));
  CLRS_TRY(read_list(op->values + 1, (int64_t)op->count - 1, axis, 0, &read, error));
  return clrs_map_step(map, kind, from, &read.numbers, error);
}

/* Parses number[,number...][,axis=axis]. The default is the last axis. */
static clrs_status parse_step(const char *name, clrs_step_kind kind, clrs__span text,
                              clrs__numbers *numbers, clrs_error *error) {
  static const char axis[] = "axis=";
  const size_t length = sizeof axis - 1;
  const uint32_t before = numbers->count;
  clrs_map trial;
  CLRS_TRY(append_one(NO_AXIS, numbers, error));
  while (text.text != NULL) {
    const clrs__span part = clrs__span_cut(&text, ',');
    if (text.text == NULL && part.length >= length && memcmp(part.text, axis, length) == 0) {
      CLRS_TRY(parse_axis((clrs__span){part.text + length, part.length - length},
                          &numbers->values[before], error));
    } else {
      CLRS_TRY(parse_number(part, numbers, error));
    }
  }
  const clrs__op op = appended(numbers, before);
  const bool shifts = kind == CLRS_STEP_SHIFT_LEFT || kind == CLRS_STEP_SHIFT_RIGHT;
  const clrs_dtype type = shifts ? CLRS_I32 : CLRS_F64;
  return op.count > 1 ? make_step(name, kind, &op, type, &trial, error) : CLRS_OK;
}

#define STEP(name, kind)                                                                           \
  clrs_status clrs__##name##_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {   \
    return parse_step(#name, kind, text, numbers, error);                                          \
  }                                                                                                \
  clrs_status clrs__##name##_make(const clrs__op *op, clrs_dtype from, clrs_map *map,              \
                                  clrs_error *error) {                                             \
    return make_step(#name, kind, op, from, map, error);                                           \
  }

STEP(mean, CLRS_STEP_SUBTRACT)
STEP(std, CLRS_STEP_DIVIDE)
STEP(scale, CLRS_STEP_MULTIPLY)
STEP(bias, CLRS_STEP_ADD)
STEP(sub, CLRS_STEP_SUBTRACT)
STEP(div, CLRS_STEP_DIVIDE)
STEP(mul, CLRS_STEP_MULTIPLY)
STEP(add, CLRS_STEP_ADD)
STEP(min, CLRS_STEP_AT_MOST)
STEP(max, CLRS_STEP_AT_LEAST)
STEP(shl, CLRS_STEP_SHIFT_LEFT)
STEP(shr, CLRS_STEP_SHIFT_RIGHT)

/* ---- clamping ---- */

static clrs_status parse_end(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  if (clrs__span_is(text, "inf") || clrs__span_is(text, "-inf")) {
    const double infinity = 1e300 * 1e300;
    return append_number(text.text[0] == '-' ? -infinity : infinity, numbers, error);
  }
  return parse_number(text, numbers, error);
}

/* Parses lowest,highest. */
clrs_status clrs__clamp_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const uint32_t before = numbers->count;
  clrs_map trial;
  while (text.text != NULL) {
    CLRS_TRY(parse_end(clrs__span_cut(&text, ','), numbers, error));
  }
  const clrs__op op = appended(numbers, before);
  return op.count == 2 ? clrs__clamp_make(&op, CLRS_F64, &trial, error) : CLRS_OK;
}

clrs_status clrs__clamp_make(const clrs__op *op, clrs_dtype from, clrs_map *map,
                             clrs_error *error) {
  double ends[2];
  CLRS_TRY(start_steps("clamp", from, map, error));
  memcpy(ends, op->values, sizeof ends);
  if (ends[0] > ends[1]) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "clamp from %g to %g; the lowest must not be above the highest", ends[0],
                      ends[1]);
  }
  const clrs_numbers lowest = {1, &ends[0], {0}}, highest = {1, &ends[1], {0}};
  CLRS_TRY(clrs_map_step(map, CLRS_STEP_AT_LEAST, from, &lowest, error));
  return clrs_map_step(map, CLRS_STEP_AT_MOST, from, &highest, error);
}

/* ---- quantizing ---- */

/* Places among the values of a quantization. The scales follow, and then the zero points. */
enum { TYPE, AXIS, BLOCK, SCALES, FIRST_SCALE };

static clrs_status parse_numbers(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  while (text.text != NULL) {
    CLRS_TRY(parse_number(clrs__span_cut(&text, ':'), numbers, error));
  }
  return CLRS_OK;
}

typedef clrs_status parse_integer(clrs__span text, int64_t *value, clrs_error *error);

static clrs_status parse_block(clrs__span text, int64_t *block, clrs_error *error) {
  return clrs__integer_parse(text.text, text.length, block, error);
}

static clrs_status parse_optional(parse_integer *parse, clrs__span *rest, int64_t *value,
                                  clrs_error *error) {
  return rest->text == NULL ? CLRS_OK : parse(clrs__span_cut(rest, ','), value, error);
}

/* Parses type,scale[:scale...][,zero[:zero...][,axis[,block]]]. The zeros may be empty. The default
 * axis is 1, as in ONNX. */
static clrs_status parse_quantization(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t head[] = {NO_AXIS, 0, 0}; /* AXIS, BLOCK, SCALES */
  const clrs__span whole = text;
  const uint32_t before = numbers->count;
  CLRS_TRY(parse_type(clrs__span_cut(&text, ','), numbers, error));
  CLRS_TRY(clrs__numbers_append(numbers, 3, head, error));
  if (text.text == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' has a type, and no scale",
                      clrs__span_show(whole).text);
  }
  CLRS_TRY(parse_numbers(clrs__span_cut(&text, ','), numbers, error));
  numbers->values[before + SCALES] = numbers->count - before - FIRST_SCALE;
  const clrs__span zeros = text.text != NULL ? clrs__span_cut(&text, ',') : (clrs__span){NULL, 0};
  if (zeros.length > 0) {
    CLRS_TRY(parse_numbers(zeros, numbers, error));
  }
  CLRS_TRY(parse_optional(parse_axis, &text, &numbers->values[before + AXIS], error));
  CLRS_TRY(parse_optional(parse_block, &text, &numbers->values[before + BLOCK], error));
  return text.text == NULL ? CLRS_OK
                           : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                        "'%s' stands behind the block", clrs__span_show(text).text);
}

typedef clrs_status make_quantization(clrs_dtype from, clrs_dtype to, const clrs_numbers *scale,
                                      const clrs_numbers *zero, clrs_map *map, clrs_error *error);

static clrs_status make(make_quantization *named, const clrs__op *op, clrs_dtype from,
                        clrs_map *map, clrs_error *error) {
  const int64_t *v = op->values;
  const int64_t zero_count = (int64_t)op->count - FIRST_SCALE - v[SCALES];
  list scales, zeros;
  int64_t axis;
  CLRS_TRY(choose_axis(op, v[AXIS], 1, &axis, error));
  CLRS_TRY(read_list(v + FIRST_SCALE, v[SCALES], axis, v[BLOCK], &scales, error));
  CLRS_TRY(read_list(v + FIRST_SCALE + v[SCALES], zero_count, axis, v[BLOCK], &zeros, error));
  return named(from, (clrs_dtype)v[TYPE], &scales.numbers, zero_count > 0 ? &zeros.numbers : NULL,
               map, error);
}

clrs_status clrs__quantize_make(const clrs__op *op, clrs_dtype from, clrs_map *map,
                                clrs_error *error) {
  return make(clrs_map_quantize, op, from, map, error);
}

clrs_status clrs__dequantize_make(const clrs__op *op, clrs_dtype from, clrs_map *map,
                                  clrs_error *error) {
  return make(clrs_map_dequantize, op, from, map, error);
}

clrs_status clrs__quantize_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const uint32_t before = numbers->count;
  clrs_map trial;
  CLRS_TRY(parse_quantization(text, numbers, error));
  const clrs__op op = appended(numbers, before);
  return clrs__quantize_make(&op, CLRS_F64, &trial, error);
}

/* Zero points have the source's type, which is unknown here. Any zero point of 32 bits is
 * accepted. */
clrs_status clrs__dequantize_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const uint32_t before = numbers->count;
  clrs_map trial;
  CLRS_TRY(parse_quantization(text, numbers, error));
  const clrs__op op = appended(numbers, before);
  return clrs__dequantize_make(&op, CLRS_U32, &trial, NULL) == CLRS_OK
             ? CLRS_OK
             : clrs__dequantize_make(&op, CLRS_I32, &trial, error);
}
