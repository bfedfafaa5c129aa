/*
 * Two bounds are known for each place between two steps. All finite numbers there are multiples of
 * 2^least, and not beyond 2^most. A rounding keeps both bounds, because a number with more bits
 * than the type is rounded to a multiple of a larger power. A number other than 0 is therefore at
 * least 2^least, and no number is denormal if `least` is at least -126. Example: bytes minus a mean
 * of 123.7, which is 16213606 * 2^-17, are multiples of 2^-17.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tame.h"

#include "elements.h"
#include "step_kind.h"

enum { LEAST_NORMAL = -126, FAR = 100, FLOAT_BITS = 24, SHORT_BITS = 16 };

typedef struct range {
  int least, most;
} range;

/* The value, and the value that a term sets aside. */
typedef struct place {
  range x, aside;
} place;

/* The numbers of a parameter, in the type of the step, and the number 1. All are multiples of
 * 2^least. Each magnitude is at least 2^smallest and less than 2^(largest + 1). */
typedef struct numbers {
  int least, smallest, largest;
  bool has_inverses; /* that two rounds find */
} numbers;

static int lower(int a, int b) {
  return a < b ? a : b;
}

static int higher(int a, int b) {
  return a > b ? a : b;
}

static range range_of(const clrs__element *element) {
  const clrs__format format = element->format;
  return element->kind == CLRS__FLOAT ? (range){1 - format.bias - format.mantissa_bits,
                                                (1 << format.exponent_bits) - format.bias}
                                      : (range){0, element->bits};
}

/* An infinity is no finite number, and 0 is a multiple of everything. */
static void add_number(clrs__format format, double value, numbers *all) {
  clrs__number number = clrs__decode(format, clrs__nearest(format, clrs__number_of(value)));
  if (number.kind != CLRS_FINITE || number.magnitude == 0) {
    return;
  }
  while ((number.magnitude & 1) == 0) {
    number.magnitude >>= 1;
    number.exponent++;
  }
  const int top = number.exponent + 63 - CLRS_LEADING_ZEROS(number.magnitude);
  all->least = lower(all->least, number.exponent);
  all->smallest = lower(all->smallest, top);
  all->largest = higher(all->largest, top);
  all->has_inverses = all->has_inverses && number.magnitude != clrs__ones(FLOAT_BITS);
}

static numbers numbers_of(const clrs_map *map, const clrs_step *step) {
  numbers all = {0, 0, 0, true};
  for (uint32_t i = 0; i < step->parameter.count; i++) {
    add_number(clrs__element_of(step->dtype).format, map->numbers[step->parameter.first + i], &all);
  }
  return all;
}

/* ---- steps ---- */

/* A quotient is more than 2^(least - largest - 1), and so a multiple of the last place of that
 * power. The remainder of the division is a multiple of the product of this last place and the
 * divisors' 2^least, and must not be denormal. Divisors and dividends must therefore be near 1.
 * Both ranges contain 1. */
static bool divide(range *x, const numbers *by) {
  x->least -= by->largest + 1 + FLOAT_BITS;
  x->most -= by->smallest;
  return x->most <= FAR && by->has_inverses && x->least + by->least >= LEAST_NORMAL;
}

/* The range of a sum, and of either summand. */
static range sum(range a, range b) {
  return (range){lower(a.least, b.least), higher(a.most, b.most) + 1};
}

static bool compute(clrs_step_kind kind, const numbers *by, place *at) {
  const range x = at->x, p = {by->least, by->largest + 1};
  if (kind == CLRS_STEP_DIVIDE) {
    return divide(&at->x, by);
  }
  at->x = kind == CLRS_STEP_MULTIPLY   ? (range){x.least + p.least, x.most + p.most}
          : kind == CLRS_STEP_TERM     ? p
          : kind == CLRS_STEP_ADD_TERM ? sum(x, at->aside)
                                       : sum(x, p); /* also of the clamps */
  at->aside = kind == CLRS_STEP_TERM ? x : at->aside;
  return true;
}

/* An integer of 32 bits takes the place of a float, but the bits are not a float. */
static bool round_to(const clrs_step *step, bool is_last, range *x) {
  const clrs__element element = clrs__element_of(step->dtype);
  const range all = range_of(&element);
  if (element.kind == CLRS__FLOAT) {
    *x = (range){higher(x->least, all.least), lower(x->most, all.most)};
    return is_last || element.format.specials != CLRS_SPECIALS_SCALE;
  }
  *x = all;
  return is_last || element.bits != 32;
}

static bool take_step(const clrs_map *map, uint32_t i, place *at) {
  const clrs_step *step = &map->steps[i];
  if (clrs__step_rounds(step->kind)) {
    return round_to(step, i + 1 == map->step_count, &at->x);
  }
  if (step->dtype == CLRS_I64) { /* a zero point of up to 32 bits */
    at->x = (range){0, higher(at->x.most, 32) + 1};
    return true;
  }
  const numbers by = numbers_of(map, step);
  return step->dtype != CLRS_I32 && step->dtype != CLRS_F64 && !clrs__step_asks_for_tensor(step) &&
         compute(step->kind, &by, at);
}

bool clrs__map_is_tame(const clrs_map *map) {
  const clrs__element from = clrs__element_of(clrs__map_begins(map));
  place at = {.x = range_of(&from)};
  bool is_tame = from.bits <= SHORT_BITS && at.x.least >= LEAST_NORMAL &&
                 !(from.kind == CLRS__FLOAT && from.format.specials == CLRS_SPECIALS_SCALE);
  for (uint32_t i = 0; i < map->step_count && is_tame; i++) {
    is_tame = take_step(map, i, &at) && at.x.least >= LEAST_NORMAL;
  }
  return is_tame;
}
