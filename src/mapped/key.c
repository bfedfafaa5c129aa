/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "elements.h"
#include "status.h"
#include "writer.h"

_Static_assert(CLRS_MAPPED_ZERO == CLRS_MAP_STEPS, "the zero point is behind the steps");
_Static_assert((int)CLRS_STEP_SUBTRACT == CLRS_OP_SUBTRACT && (int)CLRS_STEP_ADD == CLRS_OP_ADD &&
                   (int)CLRS_STEP_MULTIPLY == CLRS_OP_MULTIPLY &&
                   (int)CLRS_STEP_DIVIDE == CLRS_OP_DIVIDE &&
                   (int)CLRS_STEP_AT_LEAST == CLRS_OP_AT_LEAST &&
                   (int)CLRS_STEP_AT_MOST == CLRS_OP_AT_MOST,
               "clrs_step_kind and kernels/mapped.h");
_Static_assert((int)CLRS_OVERFLOW_SATURATE == CLRS_SATURATES &&
                   (int)CLRS_OVERFLOW_WRAP == CLRS_WRAPS && (int)CLRS_OVERFLOW_IEEE == CLRS_IEEE &&
                   (int)CLRS_ZERO_SUBTRACTED == CLRS_SUBTRACTED &&
                   (int)CLRS_ZERO_ADDED == CLRS_ADDED,
               "clrs_overflow, clrs_zero_place and kernels/mapped.h");
_Static_assert((int)CLRS__BOOL == CLRS_KIND_BOOL && (int)CLRS__INTEGER == CLRS_KIND_INTEGER &&
                   (int)CLRS__FLOAT == CLRS_KIND_FLOAT,
               "clrs__value_kind and kernels/mapped.h");
_Static_assert(CLRS_DTYPE_COUNT <= UINT8_MAX, "a type is a byte");

/* ---- the way ---- */

static bool is_small_float(const clrs__element *element) {
  return element->kind == CLRS__FLOAT && element->bits <= 16;
}

static bool is_float_of(const clrs__element *element, int bits) {
  return element->kind == CLRS__FLOAT && element->bits == bits;
}

/* Does a float stand for every element? An integer may have more bits than a float if the map
 * rounds the integer next, half to even: floats.cl takes care that nothing is rounded twice. */
static bool begins_as_float(const clrs_map *map, const clrs__element *from,
                            const clrs__element *to) {
  const bool has_steps = map->step_count > 0 && map->zero_place != CLRS_ZERO_SUBTRACTED;
  const bool is_cast = map->step_count == 0 && map->zero_place == CLRS_ZERO_NONE &&
                       to->kind == CLRS__FLOAT && map->rounding == CLRS_ROUND_EVEN;
  if (from->kind == CLRS__INTEGER) {
    return from->bits <= (has_steps || is_cast ? 32 : 16);
  }
  return from->kind == CLRS__BOOL || is_small_float(from) || is_float_of(from, 32);
}

/* Is the integer of a float or a double found without numbers.h? */
static bool ends_as_integer(const clrs_map *map) {
  return map->overflow == CLRS_OVERFLOW_SATURATE ||
         (map->overflow == CLRS_OVERFLOW_WRAP && map->zero_place != CLRS_ZERO_ADDED);
}

/* Is the float's code found without numbers.h? */
static bool ends_as_float(const clrs_map *map, const clrs__element *to) {
  if (to->kind == CLRS__INTEGER) {
    return ends_as_integer(map) && to->bits <= (map->zero_place == CLRS_ZERO_ADDED ? 16 : 32);
  }
  if (is_small_float(to)) {
    return map->rounding == CLRS_ROUND_EVEN && to->format.specials != CLRS_SPECIALS_SCALE;
  }
  return to->kind == CLRS__BOOL || is_float_of(to, 32);
}

/* Does a double stand for every element? Integers of 64 bits need a rounding half to even next. */
static bool begins_as_double(const clrs_map *map, const clrs__element *from) {
  return from->kind != CLRS__INTEGER || from->bits <= 32 || map->step_count > 0 ||
         map->rounding == CLRS_ROUND_EVEN;
}

static bool ends_as_double(const clrs_map *map, const clrs__element *to) {
  if (to->kind == CLRS__INTEGER) {
    return ends_as_integer(map);
  }
  return to->kind == CLRS__BOOL || is_float_of(to, 64) ||
         (map->rounding == CLRS_ROUND_EVEN && to->format.specials != CLRS_SPECIALS_SCALE);
}

static bool is_integral(const clrs__element *element) {
  return element->kind == CLRS__INTEGER || element->kind == CLRS__BOOL;
}

/* Does an int hold the sum of an integer of up to 16 bits and the zero point? */
static bool fits_int(const clrs__map_key *key) {
  return key->zero_place == CLRS_ZERO_NONE ||
         key->origins[CLRS_MAPPED_ZERO] != CLRS_ORIGIN_TENSOR ||
         clrs_dtype_bits((clrs_dtype)key->types[CLRS_MAPPED_ZERO]) <= 16;
}

static uint8_t choose_way(const clrs_map *map, const clrs__map_key *key,
                          const clrs__arithmetic *device) {
  const clrs__element from = clrs__element_of(map->from), to = clrs__element_of(map->to);
  if (map->step_count == 0 && map->zero_place == CLRS_ZERO_NONE && is_integral(&from) &&
      is_integral(&to)) {
    return CLRS_WAY_INTEGERS;
  }
  if ((map->step_count == 0 || map->arithmetic != CLRS_F64) && device->has_denormals &&
      begins_as_float(map, &from, &to) && ends_as_float(map, &to) && fits_int(key)) {
    return CLRS_WAY_FLOATS;
  }
  return device->has_doubles && device->has_denormals && begins_as_double(map, &from) &&
                 ends_as_double(map, &to)
             ? CLRS_WAY_DOUBLES
             : CLRS_WAY_EXACT;
}

/* ---- the key ---- */

static bool has_step(const clrs_map *map, clrs_step_kind kind) {
  for (uint32_t i = 0; i < map->step_count; i++) {
    if (map->steps[i].kind == kind) {
      return true;
    }
  }
  return false;
}

/* Are all steps before the only division sums? */
static bool divides_sums(const clrs_map *map) {
  uint32_t others = 0, divisions = 0;
  for (uint32_t i = 0; i < map->step_count; i++) {
    const clrs_step_kind kind = map->steps[i].kind;
    const bool is_sum = kind == CLRS_STEP_ADD || kind == CLRS_STEP_SUBTRACT;
    divisions += kind == CLRS_STEP_DIVIDE;
    others += kind != CLRS_STEP_DIVIDE && !is_sum && divisions == 0;
  }
  return divisions == 1 && others == 0;
}

static uint8_t choose_division(const clrs_map *map, const clrs__arithmetic *device, uint8_t way) {
  const clrs__element from = clrs__element_of(map->from);
  if (!has_step(map, CLRS_STEP_DIVIDE)) {
    return CLRS_DIVIDES_NOT;
  }
  if (map->arithmetic == CLRS_F64) {
    return CLRS_DIVIDES;
  }
  if (!device->divides || way == CLRS_WAY_DOUBLES) {
    return CLRS_DIVIDES_WIDE;
  }
  return map->arithmetic == CLRS_F32 && is_integral(&from) && divides_sums(map)
             ? CLRS_DIVIDES_INTEGERS
             : CLRS_DIVIDES;
}

/* Where bits are kept in their places there is a view, and nobody asks for a program. */
static clrs_status check_is_computed(const clrs_map *map, clrs_error *error) {
  return !map->reinterprets
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "the bits of %s and %s lie the other way round in a byte; a bitcast "
                          "between them is not offered",
                          clrs__dtype_text(map->from), clrs__dtype_text(map->to));
}

static clrs_status check_device(const clrs_map *map, const clrs__arithmetic *device,
                                clrs_error *error) {
  const char *arithmetic = clrs__dtype_text(map->arithmetic);
  if (map->step_count == 0) {
    return CLRS_OK;
  }
  if (map->arithmetic == CLRS_F64) {
    return device->has_doubles ? CLRS_OK
                               : clrs__fail(error, CLRS_UNSUPPORTED,
                                            "the map's steps are of %s, and the device has no "
                                            "cl_khr_fp64",
                                            arithmetic);
  }
  if (!device->has_denormals) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the map's steps are of %s, and the device flushes denormal floats to 0 (it "
                      "lacks CL_FP_DENORM)",
                      arithmetic);
  }
  if (has_step(map, CLRS_STEP_DIVIDE) && !device->divides && !device->has_doubles) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the map divides %s, and the device does not round quotients correctly (it "
                      "lacks CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, and cl_khr_fp64 to do it by)",
                      arithmetic);
  }
  return CLRS_OK;
}

static void take_parameter(const clrs_parameter *parameter, const clrs_map_views *views,
                           uint32_t view, uint32_t at, clrs__map_key *key) {
  key->origins[at] = view == CLRS_MAP_SCALAR ? CLRS_ORIGIN_NUMBER
                     : parameter->count > 0  ? CLRS_ORIGIN_LIST
                                             : CLRS_ORIGIN_TENSOR;
  if (view != CLRS_MAP_SCALAR) {
    key->views[at] = (uint8_t)(CLRS_FIRST_VIEW + view);
    key->types[at] = (uint8_t)views->views[view].dtype;
  }
}

clrs_status clrs__map_key_settle(const clrs_map *map, const clrs__arithmetic *device,
                                 clrs__map_key *key, clrs_error *error) {
  CLRS_TRY(check_device(map, device, error));
  key->way = choose_way(map, key, device);
  key->division = choose_division(map, device, key->way);
  return CLRS_OK;
}

clrs_status clrs__map_key_of(const clrs_map *map, const clrs_map_views *views, clrs__map_key *key,
                             clrs_error *error) {
  CLRS_TRY(check_is_computed(map, error));
  memset(key, 0, sizeof *key);
  key->from = (uint8_t)map->from;
  key->to = (uint8_t)map->to;
  key->rounding = (uint8_t)map->rounding;
  key->overflow = (uint8_t)map->overflow;
  key->zero_place = (uint8_t)map->zero_place;
  key->step_count = (uint8_t)map->step_count;
  key->arithmetic = (uint8_t)(map->step_count > 0 ? map->arithmetic : CLRS_F32);
  key->view_count = (uint8_t)views->count;
  for (uint32_t i = 0; i < map->step_count; i++) {
    key->kinds[i] = (uint8_t)map->steps[i].kind;
    take_parameter(&map->steps[i].parameter, views, views->of_step[i], i, key);
  }
  if (map->zero_place != CLRS_ZERO_NONE) {
    take_parameter(&map->zero, views, views->of_zero, CLRS_MAPPED_ZERO, key);
  }
  return CLRS_OK;
}

bool clrs__map_key_is_known(const clrs__map_key *key) {
  bool known = key->geometry < CLRS__MAPPED_GEOMETRIES && key->from < CLRS_DTYPE_COUNT &&
               key->to < CLRS_DTYPE_COUNT && key->arithmetic < CLRS_DTYPE_COUNT &&
               key->step_count <= CLRS_MAP_STEPS && key->way <= CLRS_WAY_DOUBLES &&
               key->division <= CLRS_DIVIDES_WIDE && key->view_count <= CLRS_MAP_VIEWS &&
               key->column_axes <= CLRS__MOST_JOINED_AXES &&
               key->row_axes <= CLRS__MOST_JOINED_AXES;
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    known = known && key->types[i] < CLRS_DTYPE_COUNT;
  }
  return known;
}

/* ---- room ----
 * OpenCL promises 1024 bytes for all arguments: beside the words, nine buffers and starts of
 * tensors, and two of source and destination. */

enum { AXES_32 = 10, AXES_64 = 6, TABLED_AXES = 64, NUMBERS = 16, TABLED_NUMBERS = 65 };

/* NOLINTBEGIN(bugprone-macro-parentheses): of a list of words, summed up */
#define ONE(name) +1
#define TWO(name) +2
/* NOLINTEND(bugprone-macro-parentheses) */
enum {
  HEAD_WORDS =
      CLRS_MAPPED_PARAMETERS + CLRS_FIRST_VIEW + CLRS_MAP_VIEWS + (0 CLRS_MAPPED_WORDS(ONE, TWO)),
  AXIS_WORDS = 3 + CLRS_FIRST_VIEW + CLRS_MAP_VIEWS,
  BUFFER_BYTES = 16 * (2 + CLRS_MAPPED_PARAMETERS)
};
_Static_assert(8 * NUMBERS + 4 * (HEAD_WORDS + AXES_32 * AXIS_WORDS) + BUFFER_BYTES <= 1024, "32");
_Static_assert(8 * NUMBERS + 8 * (HEAD_WORDS + AXES_64 * AXIS_WORDS) + BUFFER_BYTES <= 1024, "64");

uint32_t clrs__map_key_axes(const clrs__map_key *key, uint32_t index_bits) {
  return key->is_tabled ? TABLED_AXES : index_bits == 32 ? AXES_32 : AXES_64;
}

uint32_t clrs__map_key_numbers(const clrs__map_key *key) {
  return key->is_tabled ? TABLED_NUMBERS : NUMBERS;
}

/* ---- options ---- */

static void put_element(clrs__writer *to, const char *name, uint8_t dtype) {
  const clrs__element element = clrs__element_of((clrs_dtype)dtype);
  const clrs__format format = element.format;
  clrs__write(to, " -D%s=%d,%d,%d,%d,%d,%d,%d,%d", name, (int)element.kind, element.bits,
              element.is_signed, element.is_msb_first, format.exponent_bits, format.mantissa_bits,
              format.bias, format.specials);
}

static int bits_of(uint8_t dtype) {
  return (int)clrs_dtype_bits((clrs_dtype)dtype);
}

static const char *code_type(uint8_t dtype) {
  const int bits = bits_of(dtype);
  return bits == 64 ? "ulong" : bits == 32 ? "uint" : bits == 16 ? "ushort" : "uchar";
}

static void put_parameter(clrs__writer *to, const clrs__map_key *key, uint32_t at) {
  char name[16];
  clrs__write(to, " -DORIGIN_%u=%u -DVIEW_%u=%u", at, key->origins[at], at, key->views[at]);
  snprintf(name, sizeof name, "TYPE_%u", at);
  put_element(to, name, key->types[at]);
}

static bool zero_is_signed(const clrs__map_key *key) {
  const uint8_t type = key->zero_place == CLRS_ZERO_ADDED ? key->to : key->from;
  const uint8_t of =
      key->origins[CLRS_MAPPED_ZERO] == CLRS_ORIGIN_TENSOR ? key->types[CLRS_MAPPED_ZERO] : type;
  return clrs__element_of((clrs_dtype)of).is_signed;
}

void clrs__map_key_options(const clrs__map_key *key, uint32_t index_bits, char *options,
                           size_t size) {
  clrs__writer to = {options, size, 0};
  const int bits = bits_of(key->to);
  clrs__write(&to, "-cl-std=CL1.2 -DINDEX_BITS=%u -DUNIT=%s -DUNIT_BITS=%d -DCHUNKED=%d",
              index_bits, code_type(key->to), bits < 8 ? 8 : bits,
              key->geometry != CLRS__MAPPED_ANY && !clrs__map_key_is_grouped(key));
  put_element(&to, "FROM", key->from);
  put_element(&to, "TO", key->to);
  put_element(&to, "ARITHMETIC", key->arithmetic);
  clrs__write(&to,
              " -DFROM_T=%s -DTO_T=%s -DARITHMETIC_BITS=%d -DROUNDING=%u -DOVERFLOW_RULE=%u "
              "-DZERO_PLACE=%u -DSTEP_COUNT=%u -DWAY=%u -DDIVISION=%u -DOPERANDS=%u -DAXES=%u "
              "-DNUMBERS=%u -DTABLED=%u -DUNALIGNED=%u -DZERO_SIGNED=%d",
              code_type(key->from), code_type(key->to), bits_of(key->arithmetic), key->rounding,
              key->overflow, key->zero_place, key->step_count, key->way, key->division,
              CLRS_FIRST_VIEW + key->view_count, clrs__map_key_axes(key, index_bits),
              clrs__map_key_numbers(key), key->is_tabled, key->is_unaligned, zero_is_signed(key));
  if (clrs__map_key_is_grouped(key)) {
    clrs__write(&to, " -DGROUPED=1 -DCOLUMN_AXES=%u -DROW_AXES=%u -DSPREAD=%u -DRAGGED=%u",
                key->column_axes, key->row_axes, key->spread, key->ragged);
  }
  for (uint32_t i = 0; i < key->step_count; i++) {
    clrs__write(&to, " -DOP_%u=%u", i, key->kinds[i]);
    put_parameter(&to, key, i);
  }
  if (key->zero_place != CLRS_ZERO_NONE) {
    put_parameter(&to, key, CLRS_MAPPED_ZERO);
  }
  if ((key->division == CLRS_DIVIDES || key->division == CLRS_DIVIDES_INTEGERS) &&
      key->arithmetic != CLRS_F64) {
    clrs__write(&to, " -cl-fp32-correctly-rounded-divide-sqrt");
  }
}

const char *clrs__map_key_name(const clrs__map_key *key) {
  static const char *const names[] = {[CLRS__MAPPED_ROWS] = "map_rows",
                                      [CLRS__MAPPED_ANY] = "map_any",
                                      [CLRS__MAPPED_PLANES] = "map_planes",
                                      [CLRS__MAPPED_TILE] = "map_tile",
                                      [CLRS__MAPPED_GPU_ROWS] = "map_gpu_rows"};
  return names[key->geometry];
}
