/*
 * Words as a kernel reads words: in the order of kernels/shared.h, each with the value by name, in
 * 32 and in 64 bits, and zeros in unused room.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "class/words.h"
#include "divisor.h"

enum { NEST_ROOM = 4, LEVEL_ROOM = 12 };

/* ---- reading ---- */

typedef struct reader {
  const clrs__stored_words *stored;
  uint32_t bits;
  size_t at;
} reader;

static void take(reader *from, int64_t expected) {
  const size_t i = from->at++;
  assert_true(from->at * from->bits / 8 <= from->stored->bytes);
  if (from->bits == 64)
    assert_true(from->stored->as.words_64[i] == expected);
  else
    assert_int_equal(from->stored->as.words_32[i], (int32_t)(uint32_t)(uint64_t)expected);
}

static void take_divisor(reader *from, int64_t number, uint32_t bits) {
  const clrs__divisor divisor = clrs__divisor_of(number, bits);
  take(from, divisor.magic);
  take(from, divisor.shift);
}

static void take_zeros(reader *from, size_t count) {
  while (count-- > 0)
    take(from, 0);
}

#define TAKE(name) take(from, words->name);
#define TAKE_DIVISOR(name) take_divisor(from, words->name, from->bits);

static void take_head(reader *from, const clrs__words *words) {
  CLRS_HEAD_WORDS(TAKE)
}

static void take_axes(reader *from, const clrs__words *all) {
  for (int64_t i = 0; i < all->axis_count; i++) {
    const clrs__nest_axis_words *words = &all->axes[i];
    take(from, words->extent);
    take(from, words->source_stride);
    take(from, words->destination_stride);
    take_divisor(from, words->divisor, i < all->narrow_axes ? from->bits : 32);
    if (all->address)
      take(from, words->index_stride);
  }
  take_zeros(from, (size_t)(NEST_ROOM - all->axis_count) * 5);
  take_zeros(from, all->address ? (size_t)(NEST_ROOM - all->axis_count) : 0);
}

static void take_level_axis(reader *from, int64_t extent, int64_t stride) {
  take(from, extent);
  take(from, stride);
  take_divisor(from, extent, from->bits);
}

/* ---- words to be stored ---- */

static int64_t last_number = 1 << 20;

static int64_t number(void) {
  return last_number += 12347;
}

#define SET(name) words.name = number();
#define SET_ROW(name) words.row.name = number();
#define SET_COLUMN(name) words.column.name = number();

/* Two axes, where the second divides in 32 bits. Every word is another number. */
static clrs__words make_words(void) {
  clrs__words words;
  memset(&words, 0, sizeof words);
  CLRS_BUNDLE_WORDS(SET)
  CLRS_FILLED_WORDS(SET, SET)
  CLRS_SPAN_WORDS(SET, SET)
  CLRS_RUN_WORDS(SET)
  CLRS_CHUNK_AXIS_WORDS(SET_ROW)
  CLRS_CHUNK_AXIS_WORDS(SET_COLUMN)
  CLRS_BOX_WORDS(SET)
  CLRS_VOLUME_WORDS(SET)
  CLRS_STACK_WORDS(SET)
  CLRS_HEAD_WORDS(SET)
  words.axis_count = 2;
  words.narrow_axes = 1;
  words.level_axis_count = number();
  words.row.index_stride = number();
  words.column.index_stride = number();
  for (int i = 0; i < NEST_ROOM; i++)
    words.axes[i] = (clrs__nest_axis_words){number(), -number(), number(), number(), number()};
  return words;
}

static reader store(const clrs__words *words, bool is_chunked, clrs__own_words own, uint32_t bits,
                    clrs__stored_words *stored) {
  const clrs__words_form form = {bits, NEST_ROOM, LEVEL_ROOM, is_chunked, own};
  memset(stored, 0xA5, sizeof *stored);
  clrs__words_store(words, form, stored);
  return (reader){stored, bits, 0};
}

static void require_end(const reader *from) {
  assert_int_equal(from->stored->bytes, from->at * from->bits / 8);
}

/* ---- the parts ---- */

static void take_own(reader *from, const clrs__words *words, clrs__own_words own) {
  switch (own) {
  case CLRS__OWN_NONE:
    break;
  case CLRS__OWN_BUNDLE:
    CLRS_BUNDLE_WORDS(TAKE)
    break;
  case CLRS__OWN_FILLED:
    CLRS_FILLED_WORDS(TAKE, TAKE_DIVISOR)
    break;
  case CLRS__OWN_SPAN:
    CLRS_SPAN_WORDS(TAKE, TAKE_DIVISOR)
    break;
  case CLRS__OWN_RUN:
    CLRS_RUN_WORDS(TAKE)
    break;
  case CLRS__OWN_BOX:
    CLRS_BOX_WORDS(TAKE)
    break;
  case CLRS__OWN_VOLUME:
    CLRS_VOLUME_WORDS(TAKE)
    break;
  }
}

static void take_chunk_axis(reader *from, const clrs__chunk_axis_words *words, bool is_indexed) {
  CLRS_CHUNK_AXIS_WORDS(TAKE)
  if (is_indexed)
    take(from, words->index_stride);
}

TEST(units_have_their_own_words_and_axes) {
  const clrs__words words = make_words();
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    for (clrs__own_words own = CLRS__OWN_NONE; own <= CLRS__OWN_VOLUME; own++) {
      clrs__stored_words stored;
      reader from = store(&words, own == CLRS__OWN_BOX, own, bits, &stored);
      take_head(&from, &words);
      take_own(&from, &words, own);
      take_axes(&from, &words);
      require_end(&from);
    }
  }
}

TEST(chunks_have_rows_and_columns) {
  const clrs__words words = make_words();
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    clrs__stored_words stored;
    reader from = store(&words, true, CLRS__OWN_RUN, bits, &stored);
    take_head(&from, &words);
    take_chunk_axis(&from, &words.row, false);
    take_chunk_axis(&from, &words.column, false);
    take_own(&from, &words, CLRS__OWN_RUN);
    take_axes(&from, &words);
    require_end(&from);
  }
}

TEST(addresses_have_places_and_strides_of_indices) {
  const clrs__address address = {.rules = CLRS_INDEX_CLAMPS | CLRS_INDEX_IS_LONG,
                                 .extent = 77,
                                 .digit_count = 2,
                                 .digits = {{5, 11}, {3, -7}}};
  clrs__words words = make_words();
  words.address = &address;
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    clrs__stored_words stored;
    reader from = store(&words, true, CLRS__OWN_NONE, bits, &stored);
    take_head(&from, &words);
    take_chunk_axis(&from, &words.row, true);
    take_chunk_axis(&from, &words.column, true);
    take(&from, address.extent);
    take(&from, address.rules);
    take(&from, address.digit_count);
    for (uint32_t i = 0; i < CLRS_INDEX_DIGITS; i++)
      take_level_axis(&from, i < 2 ? address.digits[i].extent : 1,
                      i < 2 ? address.digits[i].stride : 0);
    take_axes(&from, &words);
    require_end(&from);
  }
}

/* ---- stacks ---- */

/* Three levels, the top level first in the words: two axes, one axis, no axis. */
static clrs_view make_stack(void) {
  clrs_view stack;
  memset(&stack, 0, sizeof stack);
  stack.depth = 3;
  stack.levels[0] = (clrs_level){.offset = 900, .axis_count = 0};
  stack.levels[1] = (clrs_level){.offset = 40, .axis_count = 1};
  stack.levels[2] = (clrs_level){.offset = 7, .axis_count = 2};
  stack.axes[0] = (clrs_axis){6, 35};
  stack.axes[1] = (clrs_axis){4, -9};
  stack.axes[2] = (clrs_axis){10, 2};
  return stack;
}

TEST(units_of_a_stack_find_the_last_axis_without_a_divisor) {
  const clrs_view stack = make_stack();
  clrs__words words = make_words();
  words.stack = &stack;
  assert_int_equal(clrs__count_level_axes(&stack), 4);
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    clrs__stored_words stored;
    reader from = store(&words, false, CLRS__OWN_BUNDLE, bits, &stored);
    take_head(&from, &words);
    take_own(&from, &words, CLRS__OWN_BUNDLE);
    take_axes(&from, &words);
    take(&from, words.first_position);
    take(&from, words.level_axis_count);
    take_level_axis(&from, 10, 2);
    const int64_t ends[][3] = {{4, -9, 7}, {6, 35, 40}, {1, 0, 0}};
    for (size_t i = 0; i < 3; i++) {
      for (size_t k = 0; k < 3; k++)
        take(&from, ends[i][k]);
      take(&from, -1);
    }
    take_zeros(&from, (LEVEL_ROOM - 4) * 4);
    require_end(&from);
  }
}

TEST(chunks_of_a_stack_have_its_levels) {
  const clrs_view stack = make_stack();
  clrs__words words_of = make_words(), *words = &words_of;
  words->stack = &stack;
  for (uint32_t bits = 32; bits <= 64; bits += 32) {
    clrs__stored_words stored;
    reader at = store(words, true, CLRS__OWN_NONE, bits, &stored), *from = &at;
    take_head(from, words);
    take_axes(from, words);
    CLRS_STACK_WORDS(TAKE)
    const int64_t levels[][2] = {{7, 2}, {40, 1}, {0, 0}};
    for (size_t i = 0; i < 6; i++)
      take(from, levels[i / 2][i % 2]);
    take_zeros(from, (CLRS_MAX_LEVELS - 3) * 2);
    take_level_axis(from, 10, 2);
    take_level_axis(from, 4, -9);
    take_level_axis(from, 6, 35);
    take_zeros(from, (LEVEL_ROOM - 3) * 4);
    require_end(from);
  }
}

TESTS(NULL, NULL)
