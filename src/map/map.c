/*
 * Maps by name (casts, bitcasts, normalizing, quantizing) and by step. Each map is built
 * separately, checked as a whole, and only then returned.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dtype.h"
#include "elements.h"
#include "then.h"

/* A map without steps. */
static clrs_map start(clrs_dtype from) {
  return (clrs_map){.from = from, .to = from};
}

/* The dtype was checked. */
static bool is_float(clrs_dtype dtype) {
  return clrs__element_of(dtype).kind == CLRS__FLOAT;
}

static bool is_integer(clrs_dtype dtype) {
  return clrs__element_of(dtype).kind == CLRS__INTEGER;
}

/* Casts to floats of more than 8 bits turn numbers that are too large into infinity. */
static clrs_overflow overflow_of(clrs_dtype to) {
  return is_float(to) && clrs_dtype_bits(to) > 8 ? CLRS_OVERFLOW_IEEE : CLRS_OVERFLOW_SATURATE;
}

static clrs_status append_round(clrs_map *map, clrs_dtype to, clrs_rounding rounding,
                                clrs_overflow overflow, clrs_error *error) {
  const clrs_step step = {
      .kind = CLRS_STEP_ROUND, .dtype = to, .rounding = rounding, .overflow = overflow};
  return clrs__map_append(map, &step, error);
}

/* ---- casts ---- */

static clrs_status check_dialect(clrs_dialect dialect, clrs_dtype dtype, clrs_error *error) {
  static const struct {
    const char *name;
    clrs_type_system types;
  } systems[] = {[CLRS_ONNX] = {"ONNX", CLRS_TYPES_ONNX},
                 [CLRS_OPENVINO] = {"OpenVINO", CLRS_TYPES_OPENVINO},
                 [CLRS_ONEDNN] = {"oneDNN", CLRS_TYPES_ONEDNN},
                 [CLRS_NUMPY] = {"NumPy", CLRS_TYPES_CLRESHAPE}};
  CLRS_TRY(clrs__dtype_check(dtype, error));
  if ((unsigned)dialect > (unsigned)CLRS_NUMPY) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dialect %d is unknown; clrs_dialect has 0 to %d", (int)dialect, CLRS_NUMPY);
  }
  return clrs_dtype_name(dtype, systems[dialect].types) != NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "%s has no element type %s, and so no cast of it", systems[dialect].name,
                          clrs__dtype_text(dtype));
}

static clrs_rounding rounding_of_cast(clrs_dialect dialect, clrs_dtype to) {
  if (is_integer(to)) {
    return dialect == CLRS_ONEDNN ? CLRS_ROUND_EVEN : CLRS_ROUND_ZERO;
  }
  return to == CLRS_F8E8M0 && dialect == CLRS_ONNX ? CLRS_ROUND_UP : CLRS_ROUND_EVEN;
}

/* ONNX wraps integers and leaves floats undefined. ONNX's own test data, ONNX's reference and ONNX
 * Runtime wrap floats too. */
static clrs_overflow overflow_of_cast(clrs_dialect dialect, clrs_dtype from, clrs_dtype to) {
  const bool wraps = dialect == CLRS_ONNX || (dialect != CLRS_ONEDNN && !is_float(from));
  if (is_integer(to) && wraps) {
    return CLRS_OVERFLOW_WRAP;
  }
  return is_float(to) && dialect == CLRS_NUMPY ? CLRS_OVERFLOW_IEEE : overflow_of(to);
}

clrs_status clrs_map_cast(clrs_dialect dialect, clrs_dtype from, clrs_dtype to, clrs_map *map,
                          clrs_error *error) {
  CLRS_TRY(check_dialect(dialect, from, error));
  CLRS_TRY(check_dialect(dialect, to, error));
  CLRS_TRY(clrs__require(map, "map", error));
  clrs_map made = start(from);
  if (from != to) {
    CLRS_TRY(append_round(&made, to, rounding_of_cast(dialect, to),
                          overflow_of_cast(dialect, from, to), error));
  }
  *map = made;
  return CLRS_OK;
}

clrs_status clrs_map_bitcast(clrs_dtype from, clrs_dtype to, clrs_map *map, clrs_error *error) {
  CLRS_TRY(clrs__require(map, "map", error));
  clrs_map made = start(from);
  made.to = to;
  made.reinterprets = true;
  CLRS_TRY(clrs_map_check(&made, error));
  *map = made;
  return CLRS_OK;
}

/* ---- parameters ---- */

static clrs_status take_numbers(clrs_map *map, const char *name, const clrs_numbers *numbers,
                                clrs_parameter *parameter, clrs_error *error) {
  CLRS_TRY(clrs__require(numbers, name, error));
  if ((numbers->values == NULL) != (numbers->count == 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s has %zu values%s; a tensor has NULL and 0, and a list at least 1", name,
                      numbers->count, numbers->values == NULL ? ", which are NULL" : "");
  }
  if (numbers->count > CLRS_MAP_NUMBERS - map->number_count) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%s has %zu values and the map %u; a map holds %d, and more are a tensor",
                      name, numbers->count, map->number_count, CLRS_MAP_NUMBERS);
  }
  *parameter = (clrs_parameter){
      .count = (uint32_t)numbers->count, .first = map->number_count, .spread = numbers->spread};
  for (size_t i = 0; i < numbers->count; i++) {
    map->numbers[map->number_count++] = numbers->values[i];
  }
  return CLRS_OK;
}

/* If the step rounds, it rounds half to even and saturates. */
static clrs_status append(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype, const char *name,
                          const clrs_numbers *numbers, clrs_error *error) {
  clrs_step step = {.kind = kind, .dtype = dtype};
  CLRS_TRY(take_numbers(map, name, numbers, &step.parameter, error));
  return clrs__map_append(map, &step, error);
}

static clrs_status check_goes_on(const clrs_map *map, clrs_dtype dtype, clrs_error *error) {
  CLRS_TRY(clrs_map_check(map, error));
  CLRS_TRY(clrs__dtype_check(dtype, error));
  return map->reinterprets ? clrs__fail(error, CLRS_INVALID_ARGUMENT,
                                        "a step after a bitcast; a map that reinterprets has none")
                           : CLRS_OK;
}

clrs_status clrs_map_step(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype,
                          const clrs_numbers *numbers, clrs_error *error) {
  CLRS_TRY(check_goes_on(map, dtype, error));
  clrs_map made = *map;
  if (kind == CLRS_STEP_ROUND) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a rounding has no numbers; clrs_map_round appends it");
  }
  if (kind == CLRS_STEP_RESAMPLE) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a map has no picture to resize; the operation resize of a chain has");
  }
  if (kind == CLRS_STEP_ADD_TERM) {
    const clrs_step step = {.kind = kind, .dtype = dtype};
    CLRS_TRY(clrs__map_append(&made, &step, error));
  } else {
    CLRS_TRY(append(&made, kind, dtype, "numbers", numbers, error));
  }
  *map = made;
  return CLRS_OK;
}

clrs_status clrs_map_round(clrs_map *map, clrs_dtype dtype, clrs_rounding rounding,
                           clrs_overflow overflow, clrs_error *error) {
  CLRS_TRY(check_goes_on(map, dtype, error));
  clrs_map made = *map;
  CLRS_TRY(append_round(&made, dtype, rounding, overflow, error));
  *map = made;
  return CLRS_OK;
}

/* ---- arithmetic ---- */

/* Starts a map that computes in *arithmetic. */
static clrs_status start_arithmetic(clrs_dtype from, clrs_dtype to, clrs_map *made,
                                    clrs_dtype *arithmetic, clrs_error *error) {
  CLRS_TRY(clrs__dtype_check(from, error));
  CLRS_TRY(clrs__dtype_check(to, error));
  *made = start(from);
  *arithmetic = clrs_dtype_bits(from) == 64 || clrs_dtype_bits(to) == 64 ? CLRS_F64 : CLRS_F32;
  return CLRS_OK;
}

/* Rounds half to even. Integers and floats of up to 8 bits saturate. Sets *map. */
static clrs_status end_arithmetic(clrs_map *made, clrs_dtype to, clrs_map *map, clrs_error *error) {
  CLRS_TRY(append_round(made, to, CLRS_ROUND_EVEN, overflow_of(to), error));
  *map = *made;
  return CLRS_OK;
}

clrs_status clrs_map_quantize(clrs_dtype from, clrs_dtype to, const clrs_numbers *scale,
                              const clrs_numbers *zero, clrs_map *map, clrs_error *error) {
  clrs_map made;
  clrs_dtype type;
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(start_arithmetic(from, to, &made, &type, error));
  CLRS_TRY(append(&made, CLRS_STEP_DIVIDE, type, "scale", scale, error));
  if (zero == NULL) {
    return end_arithmetic(&made, to, map, error);
  }
  CLRS_TRY(append(&made, CLRS_STEP_ROUND_AND_ADD, to, "zero", zero, error));
  *map = made;
  return CLRS_OK;
}

/* Checks that no scale is 0. A scale that divides is checked as a divisor elsewhere. */
static clrs_status check_scale(clrs_dtype type, const clrs_numbers *scale, clrs_error *error) {
  const clrs__format format = clrs__element_of(type).format;
  for (size_t i = 0; i < scale->count; i++) {
    const clrs__word code = clrs__nearest(format, clrs__number_of(scale->values[i]));
    if (clrs__decode(format, code).magnitude == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "scale %zu is %g, which is 0 in %s; a scale must not be 0", i,
                        scale->values[i], clrs__dtype_text(type));
    }
  }
  return CLRS_OK;
}

clrs_status clrs_map_dequantize(clrs_dtype from, clrs_dtype to, const clrs_numbers *scale,
                                const clrs_numbers *zero, clrs_map *map, clrs_error *error) {
  clrs_map made;
  clrs_dtype type;
  CLRS_TRY(clrs__require(map, "map", error));
  CLRS_TRY(start_arithmetic(from, to, &made, &type, error));
  if (zero != NULL) {
    CLRS_TRY(append(&made, CLRS_STEP_SUBTRACT, CLRS_I64, "zero", zero, error));
  }
  CLRS_TRY(append(&made, CLRS_STEP_MULTIPLY, type, "scale", scale, error));
  CLRS_TRY(check_scale(type, scale, error));
  return end_arithmetic(&made, to, map, error);
}
