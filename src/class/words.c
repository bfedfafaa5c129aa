/* SPDX-License-Identifier: Apache-2.0 */
#include "words.h"

#include "divisor.h"
#include "view.h"

/* All arguments of a kernel must fit into the 1024 bytes that OpenCL promises. Beside the words
 * there are two buffers and two starts of 8 bytes each. */
/* NOLINTBEGIN(bugprone-macro-parentheses): of a list of words, summed up */
#define ONE(name) +1
#define TWO(name) +2
/* NOLINTEND(bugprone-macro-parentheses) */
#define WORDS_FIT(words, bytes_per_word) ((words) * (bytes_per_word) + 32 <= 1024)
#define NEST_WORDS(nest_axes)                                                                      \
  ((0 CLRS_HEAD_WORDS(ONE)) + (nest_axes) * (0 CLRS_NEST_AXIS_WORDS(ONE, TWO)))
#define CHUNK_WORDS(nest_axes)                                                                     \
  (NEST_WORDS(nest_axes) + 2 * (0 CLRS_CHUNK_AXIS_WORDS(ONE)) + (0 CLRS_RUN_WORDS(ONE)))
#define UNIT_WORDS(nest_axes) (NEST_WORDS(nest_axes) + MOST_OWN_WORDS)
#define STACKED_WORDS(nest_axes, level_axes)                                                       \
  (NEST_WORDS(nest_axes) + (0 CLRS_STACK_WORDS(ONE)) +                                             \
   CLRS_MAX_LEVELS * (0 CLRS_LEVEL_WORDS(ONE)) +                                                   \
   (level_axes) * (0 CLRS_LEVEL_AXIS_WORDS(ONE, TWO)))
enum { MOST_OWN_WORDS = 0 CLRS_VOLUME_WORDS(ONE) }; /* of any class */
_Static_assert((0 CLRS_BUNDLE_WORDS(ONE)) <= MOST_OWN_WORDS, "bundles");
_Static_assert((0 CLRS_FILLED_WORDS(ONE, TWO)) <= MOST_OWN_WORDS, "rows that are filled");
_Static_assert((0 CLRS_SPAN_WORDS(ONE, TWO)) <= MOST_OWN_WORDS, "spans");
_Static_assert((0 CLRS_BOX_WORDS(ONE)) <= MOST_OWN_WORDS, "boxes");
_Static_assert(WORDS_FIT(CHUNK_WORDS(CLRS__NEST_AXES_32), 4), "32-bit chunks");
_Static_assert(WORDS_FIT(CHUNK_WORDS(CLRS__NEST_AXES_64), 8), "64-bit chunks");
_Static_assert(WORDS_FIT(UNIT_WORDS(CLRS__NEST_AXES_32), 4), "32-bit units");
_Static_assert(WORDS_FIT(UNIT_WORDS(CLRS__NEST_AXES_64), 8), "64-bit units");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__STACKED_NEST_AXES_32, CLRS__LEVEL_AXES_32), 4),
               "32-bit stack");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__STACKED_NEST_AXES_64, CLRS__LEVEL_AXES_64), 8),
               "64-bit stack");
_Static_assert(WORDS_FIT(STACKED_WORDS(CLRS__SIMPLE_NEST_AXES, CLRS__SIMPLE_LEVEL_AXES_64), 8),
               "64-bit stack under a simple nest");
_Static_assert(STACKED_WORDS(CLRS__STACKED_NEST_AXES_32, CLRS__LEVEL_AXES_32) <= CLRS__MAX_WORDS,
               "room to store them");
/* A gather or a scatter has two more buffers, indices and flag, and a gather has a value: 48
 * bytes. */
#define INDEXED_WORDS(nest_axes)                                                                   \
  (CHUNK_WORDS(nest_axes) + (nest_axes) + 2 + (0 CLRS_PLACE_WORDS(ONE)) +                          \
   CLRS_INDEX_DIGITS * (0 CLRS_LEVEL_AXIS_WORDS(ONE, TWO)))
_Static_assert(WORDS_FIT(INDEXED_WORDS(CLRS__INDEXED_NEST_AXES) + 6, 8), "indices");
_Static_assert(CLRS_MAX_LEVELS == CLRS_MAX_DEPTH, "a level for each walk of a stack");

/* Stores words one after the other. */
typedef struct storing {
  const clrs__words *words;
  clrs__words_form form;
  uint32_t divisor_bits; /* bits of the kernel's division */
  clrs__stored_words *to;
  size_t count;
} storing;

static void put(storing *s, int64_t word) {
  if (s->form.index_bits == 32) {
    s->to->as.words_32[s->count++] = (int32_t)(uint32_t)(uint64_t)word;
  } else {
    s->to->as.words_64[s->count++] = word;
  }
}

static void put_divisor(storing *s, int64_t number) {
  const clrs__divisor divisor = clrs__divisor_of(number, s->divisor_bits);
  put(s, divisor.magic);
  put(s, divisor.shift);
}

/* Appends zeros up to `words` words from `start` on. */
static void pad(storing *s, size_t start, size_t words) {
  while (s->count < start + words) {
    put(s, 0);
  }
}

#define PUT(name) put(s, from->name);
#define PUT_DIVISOR(name) put_divisor(s, from->name);

static void put_head(storing *s) {
  const clrs__words *from = s->words;
  CLRS_HEAD_WORDS(PUT)
}

static void put_own(storing *s) {
  const clrs__words *from = s->words;
  switch (s->form.own) {
  case CLRS__OWN_NONE:
    break;
  case CLRS__OWN_BUNDLE:
    CLRS_BUNDLE_WORDS(PUT)
    break;
  case CLRS__OWN_FILLED:
    CLRS_FILLED_WORDS(PUT, PUT_DIVISOR)
    break;
  case CLRS__OWN_SPAN:
    CLRS_SPAN_WORDS(PUT, PUT_DIVISOR)
    break;
  case CLRS__OWN_RUN:
    CLRS_RUN_WORDS(PUT)
    break;
  case CLRS__OWN_BOX:
    CLRS_BOX_WORDS(PUT)
    break;
  case CLRS__OWN_VOLUME:
    CLRS_VOLUME_WORDS(PUT)
    break;
  }
}

static void put_chunk_axis(storing *s, const clrs__chunk_axis_words *from) {
  CLRS_CHUNK_AXIS_WORDS(PUT)
  if (s->words->address != NULL) {
    CLRS_INDEX_STRIDE_WORDS(PUT)
  }
}

static void put_chunk(storing *s) {
  put_chunk_axis(s, &s->words->row);
  put_chunk_axis(s, &s->words->column);
}

static void put_axes(storing *s) {
  const size_t start = s->count;
  for (int64_t i = 0; i < s->words->axis_count; i++) {
    const clrs__nest_axis_words *from = &s->words->axes[i];
    s->divisor_bits = i < s->words->narrow_axes ? s->form.index_bits : 32;
    CLRS_NEST_AXIS_WORDS(PUT, PUT_DIVISOR)
    if (s->words->address != NULL) {
      CLRS_INDEX_STRIDE_WORDS(PUT)
    }
  }
  const size_t index_strides = s->words->address != NULL ? s->form.nest_axes : 0;
  s->divisor_bits = s->form.index_bits;
  pad(s, start, s->form.nest_axes * (size_t)(0 CLRS_NEST_AXIS_WORDS(ONE, TWO)) + index_strides);
}

static void put_stack(storing *s) {
  const clrs__words *from = s->words;
  CLRS_STACK_WORDS(PUT)
}

/* The offset of the lowest level is part of the source's start. */
static void put_levels(storing *s) {
  const clrs_view *stack = s->words->stack;
  const size_t start = s->count;
  for (uint32_t left = stack->depth; left > 0; left--) {
    const uint32_t i = left - 1;
    const struct {
      int64_t offset, axis_count;
    } level = {i == 0 ? 0 : stack->levels[i].offset, stack->levels[i].axis_count}, *from = &level;
    CLRS_LEVEL_WORDS(PUT)
  }
  pad(s, start, CLRS_MAX_LEVELS * (size_t)(0 CLRS_LEVEL_WORDS(ONE)));
}

#define PUT_OFFSET(name) put(s, offset), put(s, -1);

/* The last axis of a level without its own words needs no divisor. */
static void put_last_axis(storing *s, clrs_axis last, int64_t offset) {
  const clrs_axis *from = &last;
  CLRS_LEVEL_AXIS_WORDS(PUT, PUT_OFFSET)
}

static void put_level_axis(storing *s, clrs_axis axis) {
  const struct {
    int64_t extent, stride, divisor;
  } one = {axis.extent, axis.stride, axis.extent}, *from = &one;
  CLRS_LEVEL_AXIS_WORDS(PUT, PUT_DIVISOR)
}

static void put_places(storing *s) {
  const clrs__address *from = s->words->address;
  if (from == NULL) {
    return;
  }
  CLRS_PLACE_WORDS(PUT)
  for (uint32_t i = 0; i < CLRS_INDEX_DIGITS; i++) {
    put_level_axis(s, i < from->digit_count ? from->digits[i] : (clrs_axis){1, 0});
  }
}

/* Puts the axes of level i. The number of words per axis is the same for all axes. */
static void put_axes_of_level(storing *s, uint32_t i) {
  clrs__walk walk;
  clrs__view_level(s->words->stack, i, &walk);
  const uint32_t apart = s->form.is_chunked ? 0 : 1;
  for (uint32_t axis = walk.axis_count; axis > apart; axis--) {
    put_level_axis(s, walk.axes[axis - 1]);
  }
  if (apart > 0) {
    put_last_axis(s, walk.axis_count > 0 ? walk.axes[0] : (clrs_axis){1, 0},
                  i > 0 ? walk.offset : 0);
  }
}

static void put_level_axes(storing *s) {
  const size_t start = s->count;
  for (uint32_t i = s->words->stack->depth; i > 0; i--) {
    put_axes_of_level(s, i - 1);
  }
  pad(s, start, s->form.level_axes * (size_t)(0 CLRS_LEVEL_AXIS_WORDS(ONE, TWO)));
}

uint32_t clrs__count_level_axes(const clrs_view *stack) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < stack->depth; i++) {
    const uint32_t axes = stack->levels[i].axis_count;
    count += axes > 0 ? axes : 1;
  }
  return count;
}

static void put_unit_stack(storing *s) {
  const clrs__words *from = s->words;
  CLRS_UNIT_STACK_WORDS(PUT)
}

#define PUT_PART(part) put_##part(&s);

void clrs__words_store(const clrs__words *words, clrs__words_form form,
                       clrs__stored_words *stored) {
  storing s = {words, form, form.index_bits, stored, 0};
  if (words->stack != NULL && form.is_chunked) {
    CLRS_PARTS_OF_STACK(PUT_PART)
  } else if (words->stack != NULL) {
    CLRS_PARTS_OF_UNIT_STACK(PUT_PART, own)
  } else if (form.is_chunked && form.own != CLRS__OWN_BOX) {
    CLRS_PARTS_OF_CHUNKS(PUT_PART, own)
  } else {
    CLRS_PARTS_OF_UNITS(PUT_PART, own)
  }
  stored->bytes = s.count * (form.index_bits / 8);
}
