/*
 * The way in which a device computes a map: the numbers of the computation, and how these are
 * divided.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "way.h"

#include "dtype.h"
#include "elements.h"
#include "status.h"

/* ---- the way ----
 * A value between steps is a float or a double. For each of the two, every step is tested. A float,
 * or a double, must hold the value that arrives and the value that leaves. kernels/floats.cl must
 * compute the second value from the first. */

/* A step of a map whose values have `bits` bits. */
typedef struct place {
  uint8_t kind, rounding, overflow;
  clrs__element arrives, leaves; /* the element type before the first step is the source's */
  bool is_first, is_last;
  int bits;
  bool is_short; /* integers of a tensor that the step adds or subtracts have up to 16 bits */
} place;

static bool is_integral(const clrs__element *element) {
  return element->kind == CLRS__INTEGER || element->kind == CLRS__BOOL;
}

static bool rounds(uint8_t kind) {
  return clrs__step_rounds((clrs_step_kind)kind);
}

/* Returns true if step `at` computes with 32-bit integers. */
static bool computes_integers(const clrs__map_key *key, uint32_t at) {
  return key->dtypes[at] == CLRS_I32 && !rounds(key->kinds[at]);
}

/* Returns true if step `at` subtracts integers. The type of such a step is i64. */
static bool subtracts_integers(const clrs__map_key *key, uint32_t at) {
  return key->dtypes[at] == CLRS_I64 && !rounds(key->kinds[at]);
}

/* Returns true if the step rounds half to even, to a result that does not depend on the low bits of
 * a long integer. An integer that wraps depends on the low bits: of 2^63 + 5, an i32 keeps the 5,
 * and a double loses it. */
static bool rounds_long_integers(const place *at) {
  const bool wraps = at->leaves.kind == CLRS__INTEGER && at->overflow != CLRS_OVERFLOW_SATURATE;
  return rounds(at->kind) ? at->rounding == CLRS_ROUND_EVEN && !wraps &&
                                (at->bits == 64 || at->leaves.kind == CLRS__FLOAT)
                          : at->leaves.kind == CLRS__FLOAT;
}

/* Returns true if a value can stand for every element. An integer of the source may have more bits
 * than a value if it is rounded next, half to even, because floats.cl avoids double rounding. A
 * signed 32-bit integer keeps its bits between steps. */
static bool begins(const place *at) {
  const bool is_rounded = rounds_long_integers(at);
  if (at->bits == 32 && at->arrives.bits == 32 && is_integral(&at->arrives) &&
      at->arrives.is_signed && is_integral(&at->leaves)) {
    return at->leaves.bits <= 32 && at->kind != CLRS_STEP_ROUND_AND_ADD;
  }
  if (at->arrives.kind == CLRS__INTEGER) {
    return at->arrives.bits <=
           ((at->is_first || at->bits == 32) && is_rounded ? at->bits : at->bits / 2);
  }
  return at->arrives.bits <= at->bits;
}

static bool gives_integer(const place *at) {
  const bool adds = at->kind == CLRS_STEP_ROUND_AND_ADD;
  const bool is_kept = at->bits == 32 && at->leaves.is_signed;
  const int most = (at->is_last || is_kept) && !adds ? at->bits : at->bits / 2;
  return !rounds(at->kind) ||
         ((at->overflow == CLRS_OVERFLOW_SATURATE || !adds) && at->leaves.bits <= most);
}

static bool gives_float(const place *at) {
  return at->leaves.bits == at->bits ||
         (at->leaves.bits < at->bits && at->rounding == CLRS_ROUND_EVEN &&
          at->leaves.format.specials != CLRS_SPECIALS_SCALE);
}

static bool goes_by(const place *at) {
  const bool is_right = at->leaves.kind == CLRS__FLOAT     ? gives_float(at)
                        : at->leaves.kind == CLRS__INTEGER ? gives_integer(at)
                                                           : true;
  return is_right && begins(at) && (at->bits == 64 || at->is_short);
}

static bool all_go_by(const clrs__map_key *key, int bits) {
  bool all = true;
  clrs__element arrives = clrs__element_of((clrs_dtype)key->from);
  for (uint32_t i = 0; i < key->step_count; i++) {
    const place at = {
        .kind = key->kinds[i],
        .rounding = key->roundings[i],
        .overflow = key->overflows[i],
        .arrives = arrives,
        .leaves = clrs__element_of((clrs_dtype)key->dtypes[i]),
        .is_first = i == 0,
        .is_last = i + 1 == key->step_count,
        .bits = bits,
        .is_short = key->origins[i] != CLRS_ORIGIN_TENSOR ||
                    !(subtracts_integers(key, i) || rounds(key->kinds[i])) ||
                    clrs_dtype_bits((clrs_dtype)key->types[i]) <= 16,
    };
    all = all && goes_by(&at);
    arrives = at.leaves;
    if (subtracts_integers(key, i)) {
      arrives.bits = bits / 2; /* and one bit more, which a value holds too */
    }
  }
  return all;
}

static bool all_are_integers(const clrs__map_key *key) {
  clrs__element element = clrs__element_of((clrs_dtype)key->from);
  bool all = is_integral(&element);
  for (uint32_t i = 0; i < key->step_count; i++) {
    element = clrs__element_of((clrs_dtype)key->dtypes[i]);
    all = all && key->kinds[i] == CLRS_STEP_ROUND && is_integral(&element);
  }
  return all;
}

static bool computes_in_doubles(const clrs__map_key *key) {
  bool has_doubles = false;
  for (uint32_t i = 0; i < key->step_count; i++) {
    has_doubles = has_doubles || (key->dtypes[i] == CLRS_F64 && !rounds(key->kinds[i]));
  }
  return has_doubles;
}

bool clrs__map_key_keeps_floats(const clrs__map_key *key, const clrs__arithmetic *device) {
  return !device->keeps_excess && (device->has_denormals || key->is_tame);
}

/* Returns true if the map computes with floats in a way that the device lacks. Doubles can also
 * compute floats. */
static bool is_soft(const clrs__map_key *key, const clrs__arithmetic *device) {
  bool computes = false, divides = false;
  for (uint32_t i = 0; i < key->step_count; i++) {
    const bool is_of_floats =
        !rounds(key->kinds[i]) && !subtracts_integers(key, i) && !computes_integers(key, i);
    computes = computes || is_of_floats;
    divides = divides || (is_of_floats && key->kinds[i] == CLRS_STEP_DIVIDE);
  }
  return !computes_in_doubles(key) && ((computes && !clrs__map_key_keeps_floats(key, device)) ||
                                       (divides && !device->divides && !device->has_doubles &&
                                        !(device->fuses && key->is_tame)));
}

static uint8_t choose_way(const clrs__map_key *key, const clrs__arithmetic *device) {
  if (all_are_integers(key)) {
    return CLRS_WAY_INTEGERS;
  }
  if (is_soft(key, device)) {
    return CLRS_WAY_EXACT;
  }
  if (clrs__map_key_keeps_floats(key, device) && !computes_in_doubles(key) && all_go_by(key, 32)) {
    return CLRS_WAY_FLOATS;
  }
  return device->has_doubles && device->has_denormals && all_go_by(key, 64) ? CLRS_WAY_DOUBLES
                                                                            : CLRS_WAY_EXACT;
}

int clrs__map_key_value_bits(const clrs__map_key *key) {
  return key->way == CLRS_WAY_DOUBLES || computes_in_doubles(key) ? 64 : 32;
}

/* ---- division ---- */

/* Returns true if all steps before the only division are sums, in floats or integers. */
static bool divides_sums(const clrs__map_key *key) {
  uint32_t others = 0, divisions = 0;
  for (uint32_t i = 0; i + 1 < key->step_count; i++) {
    const bool divides = key->kinds[i] == CLRS_STEP_DIVIDE;
    const bool is_sum = key->kinds[i] == CLRS_STEP_ADD || key->kinds[i] == CLRS_STEP_SUBTRACT;
    const bool is_plain = key->dtypes[i] == CLRS_F32 || subtracts_integers(key, i);
    divisions += divides;
    others += divides ? !is_plain : divisions == 0 && !(is_sum && is_plain);
  }
  return divisions == 1 && others == 0;
}

static uint8_t choose_division(const clrs__map_key *key, const clrs__arithmetic *device) {
  const clrs__element from = clrs__element_of((clrs_dtype)key->from);
  uint32_t narrow = 0, wide = 0;
  for (uint32_t i = 0; i < key->step_count; i++) {
    const bool divides = key->kinds[i] == CLRS_STEP_DIVIDE;
    wide += divides && key->dtypes[i] == CLRS_F64;
    narrow += divides && key->dtypes[i] != CLRS_F64;
  }
  if (is_soft(key, device)) {
    return CLRS_DIVIDES_SOFTLY;
  }
  if (narrow == 0) {
    return wide == 0 ? CLRS_DIVIDES_NOT : CLRS_DIVIDES;
  }
  if (!device->divides || clrs__map_key_value_bits(key) == 64) {
    return device->has_doubles ? CLRS_DIVIDES_WIDE : CLRS_DIVIDES_FUSED;
  }
  return is_integral(&from) && divides_sums(key) ? CLRS_DIVIDES_INTEGERS : CLRS_DIVIDES;
}

/* ---- what the device can do ---- */

static clrs_status check_step(const clrs__map_key *key, uint32_t at, const clrs__arithmetic *device,
                              clrs_error *error) {
  const bool is_of_doubles = !rounds(key->kinds[at]) && key->dtypes[at] == CLRS_F64;
  return !is_of_doubles || device->has_doubles
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "the map's steps are of f64, and the device has no cl_khr_fp64%s",
                          device->keeps_excess ? " that rounds every result to f64" : "");
}

/* Weights of pictures are multiples of 2^-48, so sums of integers are multiples of 2^-96, and no
 * such float is denormal. */
static clrs_status check_picture(const clrs__map_key *key, const clrs__arithmetic *device,
                                 clrs_error *error) {
  const bool is_of_floats = key->combine >= CLRS_COMBINE_TORCH;
  if (device->keeps_excess && (is_of_floats || key->colors == CLRS_COLORS_FLOATS)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a picture is resized with floats, and the device keeps more bits than a "
                      "float has; OpenCV's and Pillow's references of u8 need no floats");
  }
  const clrs__element stored = clrs__element_of(clrs__map_key_stored(key));
  return !is_of_floats || device->has_denormals || is_integral(&stored)
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED,
                          "a picture of f32 is resized with denormal floats, which the device "
                          "flushes; the references of u8 need none");
}

clrs_status clrs__map_key_settle(const clrs__arithmetic *device, clrs__map_key *key,
                                 clrs_error *error) {
  for (uint32_t i = 0; i < key->step_count; i++) {
    CLRS_TRY(check_step(key, i, device, error));
  }
  CLRS_TRY(check_picture(key, device, error));
  key->way = choose_way(key, device);
  key->division = choose_division(key, device);
  key->is_tame = 0;
  return CLRS_OK;
}
