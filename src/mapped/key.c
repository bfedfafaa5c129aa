/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "elements.h"
#include "resample.h"
#include "status.h"
#include "tame.h"
#include "way.h"
#include "writer.h"

_Static_assert(CLRS_MAPPED_STEPS == CLRS_MAP_STEPS, "clreshape/map.h and kernels/mapped.h");
_Static_assert(
    (int)CLRS_STEP_SUBTRACT == CLRS_OP_SUBTRACT && (int)CLRS_STEP_ADD == CLRS_OP_ADD &&
        (int)CLRS_STEP_MULTIPLY == CLRS_OP_MULTIPLY && (int)CLRS_STEP_DIVIDE == CLRS_OP_DIVIDE &&
        (int)CLRS_STEP_AT_LEAST == CLRS_OP_AT_LEAST && (int)CLRS_STEP_AT_MOST == CLRS_OP_AT_MOST &&
        (int)CLRS_STEP_ROUND == CLRS_OP_ROUND &&
        (int)CLRS_STEP_ROUND_AND_ADD == CLRS_OP_ROUND_AND_ADD &&
        (int)CLRS_STEP_SHIFT_LEFT == CLRS_OP_SHIFT_LEFT &&
        (int)CLRS_STEP_SHIFT_RIGHT == CLRS_OP_SHIFT_RIGHT && (int)CLRS_STEP_TERM == CLRS_OP_TERM &&
        (int)CLRS_STEP_ADD_TERM == CLRS_OP_ADD_TERM && (int)CLRS_STEP_RESAMPLE == CLRS_OP_RESAMPLE,
    "clrs_step_kind and kernels/mapped.h");
_Static_assert((int)CLRS_OVERFLOW_SATURATE == CLRS_SATURATES &&
                   (int)CLRS_OVERFLOW_WRAP == CLRS_WRAPS && (int)CLRS_OVERFLOW_IEEE == CLRS_IEEE,
               "clrs_overflow and kernels/mapped.h");
_Static_assert((int)CLRS__BOOL == CLRS_KIND_BOOL && (int)CLRS__INTEGER == CLRS_KIND_INTEGER &&
                   (int)CLRS__FLOAT == CLRS_KIND_FLOAT,
               "clrs__value_kind and kernels/mapped.h");
_Static_assert((int)CLRS__COMBINE_NEAREST == CLRS_COMBINE_NEAREST &&
                   (int)CLRS__COMBINE_OPENCV == CLRS_COMBINE_OPENCV &&
                   (int)CLRS__COMBINE_EXACT == CLRS_COMBINE_EXACT &&
                   (int)CLRS__COMBINE_PILLOW == CLRS_COMBINE_PILLOW &&
                   (int)CLRS__COMBINE_TORCH == CLRS_COMBINE_TORCH &&
                   (int)CLRS__COMBINE_ONNX == CLRS_COMBINE_ONNX &&
                   (int)CLRS__COMBINE_OPENVINO == CLRS_COMBINE_OPENVINO,
               "clrs__combine and kernels/mapped.h");
_Static_assert(CLRS_DTYPE_COUNT <= UINT8_MAX, "a type is a byte");

/* ---- the key ---- */

/* A bitcast that keeps the bits in place is a view, and needs no program. So a bitcast here is an
 * error. */
static clrs_status check_is_computed(const clrs_map *map, clrs_error *error) {
  return !map->reinterprets
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "the bits of %s and %s lie the other way round in a byte; a bitcast "
                          "between them is not offered",
                          clrs__dtype_text(map->from), clrs__dtype_text(map->to));
}

/* Sets the origin of a step's parameter. */
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

static void take_step(const clrs_map *map, const clrs_map_views *views, uint32_t at,
                      clrs__map_key *key) {
  const clrs_step *step = &map->steps[at];
  key->kinds[at] = step->kind == CLRS_STEP_RESAMPLE ? CLRS_OP_ROUND : (uint8_t)step->kind;
  key->dtypes[at] = (uint8_t)step->dtype;
  if (clrs__step_rounds(step->kind)) {
    key->roundings[at] = (uint8_t)step->rounding;
    key->overflows[at] = (uint8_t)step->overflow;
  }
  if (clrs__step_has_parameter(step->kind)) {
    take_parameter(&step->parameter, views, views->of_step[at], at, key);
  }
}

/* Ends the steps with a rounding, even to the type that the value already has. */
static void round_to_result(clrs__map_key *key) {
  const uint32_t last = key->step_count++;
  key->kinds[last] = CLRS_STEP_ROUND;
  key->dtypes[last] = key->to;
  key->overflows[last] =
      clrs__dtype_is_integer((clrs_dtype)key->to) ? CLRS_OVERFLOW_SATURATE : CLRS_OVERFLOW_IEEE;
}

static clrs_status check_tensors(const clrs__map_key *key, clrs_error *error) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < key->step_count; i++) {
    count += key->origins[i] == CLRS_ORIGIN_TENSOR;
  }
  return count <= CLRS_MAPPED_TENSORS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "%u parameters are tensors; a kernel takes at most %d", count,
                          CLRS_MAPPED_TENSORS);
}

static void take_picture(const clrs_resample *picture, clrs__map_key *key) {
  key->combine = (uint8_t)clrs__resampling_combine(picture->by);
  if (key->combine != 0 && picture->frame.format != 0) {
    key->colors = clrs__camera_sum(&picture->frame)->dtype == CLRS_I32 ? CLRS_COLORS_INTEGERS
                                                                       : CLRS_COLORS_FLOATS;
  }
}

clrs_status clrs__map_key_of(const clrs_map *map, const clrs_map_views *views, clrs__map_key *key,
                             clrs_error *error) {
  CLRS_TRY(check_is_computed(map, error));
  memset(key, 0, sizeof *key);
  key->from = (uint8_t)clrs__map_begins(map);
  key->cast = key->from == map->from ? 0 : (uint8_t)(1 + map->from);
  key->to = (uint8_t)map->to;
  key->step_count = (uint8_t)map->step_count;
  key->view_count = (uint8_t)views->count;
  key->is_tame = clrs__map_is_tame(map);
  take_picture(&views->resample, key);
  for (uint32_t i = 0; i < map->step_count; i++) {
    take_step(map, views, i, key);
  }
  if (map->step_count > 0 && !clrs__step_rounds(map->steps[map->step_count - 1].kind)) {
    round_to_result(key);
  }
  return check_tensors(key, error);
}

/* ---- room ----
 * OpenCL promises 1024 bytes for all arguments. Besides the words, these are the buffers and starts
 * of tensors, of source and of destination. */

enum { AXES_32 = 10, AXES_64 = 6, TABLED_AXES = 64, NUMBERS = 16, TABLED_NUMBERS = 65 };

/* NOLINTBEGIN(bugprone-macro-parentheses): of a list of words, summed up */
#define ONE(name) +1
#define TWO(name) +2
/* NOLINTEND(bugprone-macro-parentheses) */
enum {
  HEAD_WORDS =
      CLRS_MAPPED_STEPS + CLRS_FIRST_VIEW + CLRS_MAP_VIEWS + (0 CLRS_MAPPED_WORDS(ONE, TWO)),
  AXIS_WORDS = 3 + CLRS_FIRST_VIEW + CLRS_MAP_VIEWS,
  BUFFER_BYTES = 16 * (2 + CLRS_MAPPED_TENSORS),
  INDEX_BYTES = 40, /* indices, flag and element. Words of 64 bits are in a buffer then */
  WORDS_32 =
      HEAD_WORDS + (AXES_32 + CLRS_INDEX_DIGITS) * AXIS_WORDS + (0 CLRS_MAPPED_INDEX_WORDS(ONE))
};
_Static_assert(8 * NUMBERS + 4 * WORDS_32 + BUFFER_BYTES + INDEX_BYTES <= 1024, "32");
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

static void put_step(clrs__writer *to, const clrs__map_key *key, uint32_t at) {
  char name[16];
  clrs__write(to, " -DOP_%u=%u -DROUNDING_%u=%u -DOVERFLOW_%u=%u -DORIGIN_%u=%u -DVIEW_%u=%u", at,
              key->kinds[at], at, key->roundings[at], at, key->overflows[at], at, key->origins[at],
              at, key->views[at]);
  snprintf(name, sizeof name, "AS_%u", at);
  put_element(to, name, key->dtypes[at]);
  snprintf(name, sizeof name, "TYPE_%u", at);
  put_element(to, name, key->types[at]);
}

void clrs__map_key_options(const clrs__map_key *key, uint32_t index_bits, char *options,
                           size_t size) {
  clrs__writer to = {options, size, 0};
  const int bits = bits_of(key->from), value_bits = clrs__map_key_value_bits(key);
  clrs__write(&to, "-cl-std=CL1.2 -DINDEX_BITS=%u -DUNIT=%s -DUNIT_BITS=%d -DCHUNKED=%d",
              index_bits, code_type(key->from), bits < 8 ? 8 : bits,
              key->geometry != CLRS__MAPPED_ANY && !clrs__map_key_is_grouped(key));
  put_element(&to, "FROM", key->from);
  put_element(&to, "TO", key->to);
  clrs__write(&to,
              " -DFROM_T=%s -DTO_T=%s -DVALUE_BITS=%d -DSTEP_COUNT=%d -DLAST=%d -DWAY=%u "
              "-DDIVISION=%u -DOPERANDS=%u -DAXES=%u -DNUMBERS=%u -DTABLED=%u -DUNALIGNED=%u",
              code_type(key->from), code_type(key->to), value_bits, key->step_count,
              key->step_count - 1, key->way, key->division,
              CLRS_FIRST_VIEW + key->view_count + key->is_indexed,
              clrs__map_key_axes(key, index_bits), clrs__map_key_numbers(key), key->is_tabled,
              key->is_unaligned);
  if (key->is_indexed) {
    clrs__write(&to, " -DINDEXED=1 -DSCATTERS=%u", key->scatters);
  }
  if (key->combine != 0) {
    clrs__write(&to, " -DRESAMPLES=%u -DCOLORED=%u", key->combine, key->colors);
  }
  if (key->cast != 0) {
    put_element(&to, "STORED", (uint8_t)clrs__map_key_stored(key));
  }
  if (key->mixes != 0) {
    clrs__write(&to, " -DMIXES=%u -DCOLORED=%u", key->mixes, key->colors);
  }
  if (clrs__map_key_is_grouped(key)) {
    clrs__write(&to,
                " -DGROUPED=1 -DACCESS=%u -DCOLUMN_AXES=%u -DROW_AXES=%u -DSPREAD=%u -DRAGGED=%u "
                "-DWIDE_SOURCE=%u -DPIXELS=%u -DCODE_BITS=%d",
                clrs__map_access(key), key->column_axes, key->row_axes, key->spread, key->ragged,
                key->wide_source, key->pixels,
                key->geometry == CLRS__MAPPED_GPU_TILE && bits < 8 ? 8 : bits);
  }
  if (key->geometry == CLRS__MAPPED_GPU_COLORS && key->spread != 0) {
    clrs__write(&to, " -DLOOPS=1");
  }
  if (key->halvings > 0) {
    clrs__write(&to, " -DGROUP_ITEMS=%d", clrs__map_group(key));
  }
  for (uint32_t i = 0; i < key->step_count; i++) {
    put_step(&to, key, i);
  }
  if ((key->division == CLRS_DIVIDES || key->division == CLRS_DIVIDES_INTEGERS) &&
      value_bits == 32) {
    clrs__write(&to, " -cl-fp32-correctly-rounded-divide-sqrt");
  }
}

const char *clrs__map_key_name(const clrs__map_key *key) {
  static const char *const names[CLRS__MAPPED_GEOMETRIES] = {
      NULL,           "map_rows",     "map_any",        "map_tile",
      "map_gpu_rows", "map_gpu_tile", "map_gpu_pixels", "map_gpu_colors"};
  return names[key->geometry];
}
