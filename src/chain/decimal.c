/*
 * Computes digits * 10^exponent in integers that are long enough for the exact product or quotient.
 * Only the result is rounded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "decimal.h"

#include <string.h>

#include "elements.h"
#include "integers.h"

enum {
  MOST_DIGITS = 19,      /* 19 digits fit in 64 bits */
  MOST_EXPONENT = 310,   /* one digit and this exponent exceed doubles */
  LEAST_EXPONENT = -400, /* 19 digits and this exponent are nearest to 0 */
  LIMBS = 64,            /* 10^400 * 2^64 has 44 limbs */
  SHIFT_LIMBS = 61       /* before a division: the quotient has more than 64 bits */
};

/* ---- long integers ---- */

/* Limbs of 32 bits each, the lowest first. */
typedef struct clrs__long {
  uint32_t limbs[LIMBS];
} clrs__long;

static void times_ten(clrs__long *number) {
  uint64_t carry = 0;
  for (int i = 0; i < LIMBS; i++) {
    carry += (uint64_t)number->limbs[i] * 10;
    number->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
}

/* Returns the remainder. */
static uint32_t divide_by_ten(clrs__long *number) {
  uint64_t rest = 0;
  for (int i = LIMBS; i-- > 0;) {
    rest = rest << 32 | number->limbs[i];
    number->limbs[i] = (uint32_t)(rest / 10);
    rest %= 10;
  }
  return (uint32_t)rest;
}

/* Returns the highest 64 bits. The last bit also stands for all lower bits. 64 bits exceed the bits
 * of a double so far that no rounding sees the difference. */
static clrs__number highest_bits(const clrs__long *number, bool has_more) {
  int top = LIMBS - 1;
  while (number->limbs[top] == 0) {
    top--;
  }
  clrs__number found = {.kind = CLRS_FINITE, .exponent = 32 * (top - 1)};
  const uint32_t second = top > 0 ? number->limbs[top - 1] : 0;
  const uint32_t third = top > 1 ? number->limbs[top - 2] : 0;
  const int zeros = CLRS_LEADING_ZEROS((uint64_t)number->limbs[top]) - 32;
  found.magnitude = (uint64_t)number->limbs[top] << 32 | second;
  found.magnitude = found.magnitude << zeros | (uint64_t)third >> (32 - zeros);
  has_more = has_more || (uint32_t)((uint64_t)third << zeros) != 0;
  for (int i = 0; i < top - 2; i++) {
    has_more = has_more || number->limbs[i] != 0;
  }
  found.magnitude |= has_more;
  found.exponent -= zeros;
  return found;
}

/* Computes digits * 10^exponent. digits is not 0. */
static clrs__number multiply_out(uint64_t digits, int exponent) {
  clrs__long number = {{0}};
  const int lowest = exponent < 0 ? SHIFT_LIMBS : 0;
  bool has_more = false;
  number.limbs[lowest] = (uint32_t)digits;
  number.limbs[lowest + 1] = (uint32_t)(digits >> 32);
  for (int i = 0; i < exponent; i++) {
    times_ten(&number);
  }
  for (int i = 0; i > exponent; i--) {
    has_more = divide_by_ten(&number) != 0 || has_more;
  }
  clrs__number found = highest_bits(&number, has_more);
  found.exponent -= 32 * lowest;
  return found;
}

/* ---- reading ---- */

typedef struct clrs__decimal {
  bool is_negative, has_digits;
  uint64_t digits;
  int count; /* digits from the first nonzero digit on */
  int64_t exponent;
} clrs__decimal;

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static void append_digit(clrs__decimal *number, char digit) {
  number->has_digits = true;
  number->count += number->count > 0 || digit != '0';
  if (number->count <= MOST_DIGITS) {
    number->digits = number->digits * 10 + (uint64_t)(digit - '0');
  }
}

/* Returns the length of the digits, with their sign and point. */
static size_t read_digits(clrs__span text, clrs__decimal *number) {
  size_t next = 0;
  bool has_point = false;
  if (text.length > 0 && (text.text[0] == '-' || text.text[0] == '+')) {
    number->is_negative = text.text[next++] == '-';
  }
  for (; next < text.length; next++) {
    if (text.text[next] == '.' && !has_point) {
      has_point = true;
    } else if (is_digit(text.text[next])) {
      append_digit(number, text.text[next]);
      number->exponent -= has_point;
    } else {
      break;
    }
  }
  return next;
}

static clrs_status read(clrs__span text, clrs__decimal *number, clrs_error *error) {
  size_t next = read_digits(text, number);
  if (number->has_digits && next < text.length &&
      (text.text[next] == 'e' || text.text[next] == 'E')) {
    int64_t exponent = 0;
    next++;
    CLRS_TRY(clrs__integer_parse(text.text + next, text.length - next, &exponent, error));
    const int64_t most = (int64_t)1 << 32; /* far beyond doubles */
    number->exponent += exponent > most ? most : exponent < -most ? -most : exponent;
    next = text.length;
  }
  if (!number->has_digits || next < text.length) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is not a decimal number",
                      clrs__span_show(text).text);
  }
  return number->count <= MOST_DIGITS
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED, "'%s' has more than %d digits",
                          clrs__span_show(text).text, MOST_DIGITS);
}

clrs_status clrs__decimal_parse(clrs__span text, double *value, clrs_error *error) {
  clrs__decimal read_number = {0};
  CLRS_TRY(read(text, &read_number, error));
  clrs__number number = {.kind = CLRS_FINITE};
  if (read_number.digits != 0 && read_number.exponent > MOST_EXPONENT) {
    number.kind = CLRS_INFINITE;
  } else if (read_number.digits != 0 && read_number.exponent >= LEAST_EXPONENT) {
    number = multiply_out(read_number.digits, (int)read_number.exponent);
  }
  number.sign = read_number.is_negative;
  const clrs__format format = clrs__element_of(CLRS_F64).format;
  const clrs__word code = clrs__nearest(format, number);
  if (clrs__decode(format, code).kind != CLRS_FINITE) {
    return clrs__fail(error, CLRS_OVERFLOW, "'%s' is beyond the numbers of a double",
                      clrs__span_show(text).text);
  }
  memcpy(value, &code, sizeof *value);
  return CLRS_OK;
}
