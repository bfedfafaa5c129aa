/* SPDX-License-Identifier: Apache-2.0 */
#include "index_any.h"

#include "checked.h"
#include "dtype.h"
#include "grid.h"
#include "launch_words.h"
#include "view.h"

enum { GROUP_ITEMS = 256, /* of a GPU */ ITEM_ELEMENTS = 16384 /* of a CPU's work-item */ };

/* NOLINTBEGIN(bugprone-macro-parentheses): of a list of words, summed up */
#define ONE(name) +1
/* NOLINTEND(bugprone-macro-parentheses) */
_Static_assert((0 CLRS_ANY_INDEXED_WORDS(ONE)) +
                       CLRS_INDEXED_OPERANDS *
                           (1 + 2 * CLRS_INDEXED_LEVELS + 4 * CLRS_INDEXED_AXES) <=
                   (int)CLRS__ANY_INDEXED_WORDS,
               "room to store them");
_Static_assert(CLRS_INDEXED_LEVELS >= CLRS_MAX_DEPTH + 1 && CLRS_INDEXED_AXES >= CLRS_VIEW_AXES + 3,
               "a view, and on top of it what is in front of the axis, along it, and behind it");

/* ---- the words ---- */

/* The axes of one level, the innermost first. */
typedef struct level_axes {
  int64_t offset;
  uint32_t count;
  clrs_axis axes[CLRS_MAX_AXES];
} level_axes;

static void put_level(clrs__launch_words *to, const level_axes *level) {
  clrs__put_word(to, level->offset);
  clrs__put_word(to, level->count);
}

static void put_axes(clrs__launch_words *to, const level_axes *level) {
  for (uint32_t i = 0; i < level->count; i++) {
    clrs__put_word(to, level->axes[i].extent);
    clrs__put_word(to, level->axes[i].stride);
    clrs__put_divisor(to, level->axes[i].extent);
  }
}

static level_axes level_of(const clrs_view *view, uint32_t number) {
  clrs__walk walk;
  clrs__view_level(view, number, &walk);
  level_axes level = {.offset = walk.offset, .count = walk.axis_count};
  for (uint32_t i = 0; i < walk.axis_count; i++) {
    level.axes[i] = walk.axes[walk.axis_count - 1 - i];
  }
  return level;
}

static clrs__indexed_parts parts_of(const clrs__any_indexed *pass) {
  return clrs__indexed_parts_of(&pass->views[CLRS_NAMED], &pass->views[CLRS_INDEX], pass->axis);
}

static int64_t extent_of(const clrs__any_indexed *pass) {
  return pass->views[CLRS_NAMED].shape.dims[pass->axis];
}

/* Returns the level that translates the number of a listed element to the number of an element of
 * this view: at place 0 of the named view, or in the indices. */
static level_axes top_level(const clrs__any_indexed *pass, uint32_t operand) {
  const clrs__indexed_parts parts = parts_of(pass);
  if (operand == CLRS_INDEX) {
    return (level_axes){0, 3, {{parts.behind, 0}, {parts.middle, 1}, {parts.before, 0}}};
  }
  return (level_axes){0,
                      3,
                      {{parts.behind, 1},
                       {parts.middle, 0},
                       {parts.before, clrs__exact_multiply(extent_of(pass), parts.behind)}}};
}

static void put_zeros(clrs__launch_words *to, size_t words) {
  while (to->bytes < words * sizeof(uint64_t)) {
    clrs__put_word(to, 0);
  }
}

/* Writes the levels of an operand, the top first, and then the axes of the levels. */
static void put_operand(clrs__launch_words *to, const clrs__any_indexed *pass, uint32_t operand) {
  enum { LEVEL_WORDS = 1 + 2 * CLRS_INDEXED_LEVELS, AXIS_WORDS = 4 * CLRS_INDEXED_AXES };
  const clrs_view *view = &pass->views[operand];
  const uint32_t tops = operand != CLRS_LISTED, levels = tops + view->depth;
  const size_t start = to->bytes / sizeof(uint64_t);
  clrs__put_word(to, levels);
  for (uint32_t i = 0; i < levels; i++) {
    const level_axes level = i < tops ? top_level(pass, operand) : level_of(view, levels - 1 - i);
    put_level(to, &level);
  }
  put_zeros(to, start + LEVEL_WORDS);
  for (uint32_t i = 0; i < levels; i++) {
    const level_axes level = i < tops ? top_level(pass, operand) : level_of(view, levels - 1 - i);
    put_axes(to, &level);
  }
  put_zeros(to, start + LEVEL_WORDS + AXIS_WORDS);
}

#define PUT_WORD(name) clrs__put_word(to, name);

static void put_stacks(clrs__launch_words *to, const clrs__any_indexed *pass, int64_t count,
                       int64_t count_per_item) {
  const int64_t parts = clrs_dtype_bits(pass->views[CLRS_LISTED].dtype) / pass->unit_bits;
  const int64_t step = parts_of(pass).behind, extent = extent_of(pass), rules = pass->rules;
  CLRS_ANY_INDEXED_WORDS(PUT_WORD)
  for (uint32_t operand = 0; operand < CLRS_INDEXED_OPERANDS; operand++) {
    put_operand(to, pass, operand);
  }
}

/* ---- the launch ---- */

void clrs__any_indexed_start(const clrs__indexed_move *move, clrs__any_indexed *pass) {
  uint64_t bytes = clrs_dtype_bits(move->operands[CLRS_LISTED].view->dtype) / 8;
  for (uint32_t i = 0; i < CLRS_INDEXED_OPERANDS; i++) {
    const clrs_operand *operand = &move->operands[i];
    clrs__view_copy(&pass->views[i], operand->view);
    pass->byte_offsets[i] = operand->byte_offset;
    bytes |= i == CLRS_INDEX ? 0 : operand->byte_offset | operand->alignment;
  }
  pass->key = (clrs__index_key){true, move->scatters};
  pass->axis = move->axis;
  pass->rules = clrs__indexed_rules(move);
  pass->unit_bits = (uint32_t)clrs__lowest_bit(bytes) * 8;
}

void clrs__any_indexed_encode(const clrs__any_indexed *pass, const clrs_device_limits *limits,
                              clrs__any_indexed_launch *launch) {
  const bool is_for_cpu = limits->execution == CLRS_EXECUTION_CPU;
  const int64_t count = clrs__shape_count(&pass->views[CLRS_LISTED].shape);
  const int64_t per_item = is_for_cpu ? clrs__clamp(ITEM_ELEMENTS, 1, count) : 1;
  const clrs__grid grid =
      clrs__grid_of(clrs__divide_up(count, per_item), is_for_cpu ? 1 : GROUP_ITEMS, limits);
  clrs__launch_words words = {CLRS__ANY_INDEXED_BITS, (unsigned char *)launch->words, 0};
  memcpy(launch->global, grid.global, sizeof launch->global);
  memcpy(launch->group, grid.group, sizeof launch->group);
  put_stacks(&words, pass, count, per_item);
  launch->word_bytes = words.bytes;
}
