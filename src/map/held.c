/* SPDX-License-Identifier: Apache-2.0 */
#include "held.h"

#include <string.h>

#include "step_kind.h"

clrs__numbers_of clrs__numbers_of_type(const clrs__element *element) {
  const bool is_bool = element->kind == CLRS__BOOL;
  const int bits = is_bool ? 1 : element->is_signed ? element->bits - 1 : element->bits;
  return (clrs__numbers_of){
      .are_floats = element->kind == CLRS__FLOAT,
      .format = element->format,
      .below = element->is_signed ? (uint64_t)1 << (element->bits - 1) : 0,
      .above = clrs__ones(bits),
  };
}

/* ---- integers ---- */

/* Returns true if the format has all integers from -last to last. A mantissa of m bits has the
 * integers up to 2^(m + 1) without gaps. Example: f16 has 10 mantissa bits and counts to 2048. */
static bool float_counts_to(clrs__format format, uint64_t last) {
  const clrs__number number = clrs__decode_integer(last, false);
  const clrs__number found = clrs__decode(format, clrs__nearest(format, number));
  return format.specials != CLRS_SPECIALS_SCALE &&
         last <= (uint64_t)1 << (format.mantissa_bits + 1) &&
         clrs__round_to_integer(found, CLRS_ZERO, false).magnitude == last;
}

static bool holds_integers(const clrs__element *element, uint64_t below, uint64_t above) {
  if (element->kind == CLRS__FLOAT) {
    return float_counts_to(element->format, above > below ? above : below);
  }
  const clrs__numbers_of own = clrs__numbers_of_type(element);
  return below <= own.below && above <= own.above;
}

/* ---- floats ---- */

static bool is_at_most(clrs__number a, clrs__number b) {
  const int a_zeros = CLRS_LEADING_ZEROS(a.magnitude), b_zeros = CLRS_LEADING_ZEROS(b.magnitude);
  const int a_top = a.exponent - a_zeros, b_top = b.exponent - b_zeros;
  return a_top < b_top || (a_top == b_top && a.magnitude << a_zeros <= b.magnitude << b_zeros);
}

/* Compares NaN, infinity and the negative zero. */
static bool has_specials_of(clrs__format wide, clrs__format narrow) {
  return wide.specials == CLRS_SPECIALS_IEEE ||
         (wide.specials == CLRS_SPECIALS_FN && narrow.specials != CLRS_SPECIALS_IEEE) ||
         (wide.specials == CLRS_SPECIALS_NONE && narrow.specials == CLRS_SPECIALS_NONE);
}

/* A float is a multiple of the spacing at its exponent, and of the spacing of denormal numbers. The
 * wide format holds the float if it has at least as many mantissa bits, a spacing that is not
 * wider, and a sufficient range. Example: f32 holds bf16. */
static bool float_holds(clrs__format wide, clrs__format narrow) {
  if (memcmp(&wide, &narrow, sizeof wide) == 0) {
    return true;
  }
  return has_specials_of(wide, narrow) && wide.mantissa_bits >= narrow.mantissa_bits &&
         clrs__decode(wide, 0).exponent <= clrs__decode(narrow, 0).exponent &&
         is_at_most(clrs__decode(narrow, clrs__largest_code(narrow)),
                    clrs__decode(wide, clrs__largest_code(wide)));
}

bool clrs__holds(const clrs__element *element, const clrs__numbers_of *numbers) {
  if (!numbers->are_floats) {
    return holds_integers(element, numbers->below, numbers->above);
  }
  return element->kind == CLRS__FLOAT && float_holds(element->format, numbers->format);
}

/* ---- what arrives at a map's last step ---- */

/* The differences of numbers and zero points. Zero points in a tensor are integers of up to 32
 * bits. */
static clrs__numbers_of differences(clrs__numbers_of numbers, const clrs_parameter *zero) {
  const uint64_t most = (uint64_t)1 << 32, above = numbers.above;
  numbers.above += zero->count == 0 ? most : numbers.below;
  numbers.below += zero->count == 0 ? most : above;
  return numbers;
}

/* The numbers that arrive at the last step. */
static clrs__numbers_of arriving(const clrs_map *map) {
  const uint32_t last = map->step_count - 1;
  const clrs_step *before = last > 0 ? &map->steps[last - 1] : NULL;
  const bool are_differences =
      before != NULL && before->dtype == CLRS_I64 && clrs__step_takes_integers(before);
  const clrs__element of = clrs__element_of(clrs__type_before(map, last - are_differences));
  const clrs__numbers_of numbers = clrs__numbers_of_type(&of);
  return are_differences ? differences(numbers, &before->parameter) : numbers;
}

bool clrs__map_is_exact(const clrs_map *map) {
  if (map->step_count == 0 || map->steps[map->step_count - 1].kind != CLRS_STEP_ROUND) {
    return false;
  }
  const clrs__numbers_of numbers = arriving(map);
  const clrs__element to = clrs__element_of(map->to);
  const bool has_infinity = numbers.are_floats && numbers.format.specials == CLRS_SPECIALS_IEEE;
  const bool saturates = map->steps[map->step_count - 1].overflow == CLRS_OVERFLOW_SATURATE;
  return clrs__holds(&to, &numbers) && !(has_infinity && saturates);
}
