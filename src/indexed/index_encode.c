/* SPDX-License-Identifier: Apache-2.0 */
#include "index_encode.h"

#include "checked.h"
#include "dtype.h"
#include "grid.h"
#include "launch_words.h"
#include "shared.h"
#include "view.h"

enum {
  GROUP_ITEMS = 256, /* of a GPU */
  FEWEST_BLOCKS = 3, /* of a run that is moved in blocks: the first and the last are in part */
  RUN_BYTES = 32768, /* of a run in a chunk of a CPU, at most; a multiple of 16 bytes */
  CHUNK_BYTES = 131072,
  ITEM_BYTES = 131072,   /* that a CPU's work-item moves, where there are as many */
  ITEM_ELEMENTS = 16384, /* that it finds one by one */
  ARGUMENT_BYTES = 4 * 16 + 16
};

/* OpenCL promises 1024 bytes for all arguments: beside the words, four buffers and their starts,
 * and the element that a gather writes. */
/* NOLINTBEGIN(bugprone-macro-parentheses): of a list of words, summed up */
#define ONE(name) +1
#define TWO(name) +2
/* NOLINTEND(bugprone-macro-parentheses) */
enum {
  ALL_WORDS = (0 CLRS_INDEXED_WORDS(ONE, TWO)) +
              CLRS_INDEXED_DIGITS * (0 CLRS_INDEXED_DIGIT_WORDS(ONE, TWO)) +
              CLRS_INDEXED_LOOPS * (0 CLRS_INDEXED_LOOP_WORDS(ONE, TWO)),
  ANY_WORDS = (0 CLRS_ANY_INDEXED_WORDS(ONE)) +
              CLRS_INDEXED_OPERANDS * (1 + 2 * CLRS_INDEXED_LEVELS + 4 * CLRS_INDEXED_AXES)
};
_Static_assert(8 * ALL_WORDS + ARGUMENT_BYTES <= 1024, "arguments");
_Static_assert((int)ALL_WORDS <= (int)CLRS__INDEXED_WORDS &&
                   (int)ANY_WORDS <= (int)CLRS__INDEXED_WORDS,
               "room to store them");
_Static_assert(CLRS_INDEXED_LEVELS >= CLRS_MAX_DEPTH + 1 && CLRS_INDEXED_AXES >= CLRS_VIEW_AXES + 3,
               "a view, and on top of it what is in front of the axis, along it, and behind it");

/* A pass, and how its work is shared out. */
typedef struct sharing {
  const clrs__indexed_pass *pass;
  clrs__nest_axis rows; /* the loop around the runs; extent 1 if there is none */
  int64_t count, per_item;
  int64_t pieces; /* index_units: of a run */
  int64_t chunk_rows, chunk_columns, row_chunks, column_chunks;
} sharing;

static int64_t block_units(const clrs__indexed_pass *pass) {
  return INT64_C(8) * CLRS_BLOCK_BYTES / pass->unit_bits;
}

/* ---- which program ---- */

static const clrs_operand *indices_of(const clrs__indexed_pass *pass) {
  return &pass->operands[CLRS_INDEX];
}

static bool is_for_cpu(const clrs__indexed_pass *pass) {
  return pass->limits.execution == CLRS_EXECUTION_CPU;
}

/* Is a run as long as some blocks of narrower units? */
static bool takes_blocks(const clrs__indexed_pass *pass) {
  const int64_t units = block_units(pass);
  return units > 1 && pass->run / units >= FEWEST_BLOCKS;
}

static void choose_key(const clrs__indexed_pass *pass, clrs__indexed_launch *launch) {
  const clrs_operand *indices = indices_of(pass);
  const uint32_t entry_bits = clrs_dtype_bits(pass->views[CLRS_INDEX].dtype);
  const uint64_t alignment = clrs__lowest_bit(indices->byte_offset | indices->alignment);
  const clrs__index_geometry geometry = !pass->has_nest    ? CLRS__INDEX_ANY
                                        : is_for_cpu(pass) ? CLRS__INDEX_ROWS
                                                           : CLRS__INDEX_UNITS;
  launch->key = (clrs__index_key){.geometry = (uint8_t)geometry,
                                  .entry_bits = (uint8_t)entry_bits,
                                  .is_unaligned = 8 * alignment < entry_bits,
                                  .scatters = pass->scatters,
                                  .in_blocks = geometry == CLRS__INDEX_UNITS && takes_blocks(pass)};
  launch->unit_bits = pass->unit_bits;
}

/* ---- 32 or 64 bits ---- */

static bool add_reach(int64_t extent, int64_t stride, int64_t *reach) {
  const int64_t step = (int64_t)(clrs__magnitude(stride) & INT64_MAX);
  return clrs__multiply_add(*reach, extent, step, reach);
}

/* From the first to the last position of an operand. */
static bool find_reach(const clrs__indexed_pass *pass, uint32_t operand, int64_t *reach) {
  bool fits = true;
  *reach = operand == CLRS_INDEX ? 0 : pass->run;
  for (uint32_t i = 0; fits && i < pass->nest.axis_count; i++) {
    const clrs__nest_axis *loop = &pass->nest.axes[i];
    fits = add_reach(loop->extent, loop->strides[operand], reach);
  }
  for (uint32_t i = 0; fits && operand == CLRS_NAMED && i < pass->digit_count; i++) {
    fits = add_reach(pass->digits[i].extent, pass->digits[i].stride, reach);
  }
  return fits;
}

/* 32 bits hold every position, every place, and counts of one bit less. */
static uint32_t index_bits_of(const clrs__indexed_pass *pass) {
  const int64_t most = INT32_MAX / 2;
  int64_t units = pass->run;
  bool fits = pass->limits.min_index_bits == 32 && pass->extent <= most;
  for (uint32_t i = 0; fits && i < pass->nest.axis_count; i++) {
    fits = clrs__multiply(units, pass->nest.axes[i].extent, &units);
  }
  fits = fits && units <= most;
  for (uint32_t operand = 0; fits && operand < CLRS_INDEXED_OPERANDS; operand++) {
    int64_t reach;
    fits = find_reach(pass, operand, &reach) && reach <= most;
  }
  return fits ? 32 : 64;
}

/* ---- sharing out ---- */

static int64_t count_runs(const clrs__indexed_pass *pass) {
  return clrs__nest_count(&pass->nest);
}

/* Chunks of a CPU: whole runs if they are short, several of them if they are shorter. */
static void share_rows(sharing *s) {
  const clrs__indexed_pass *pass = s->pass;
  const int64_t unit_bytes = pass->unit_bits / 8;
  s->chunk_columns = clrs__clamp(RUN_BYTES / unit_bytes, 1, pass->run);
  const int64_t bytes = clrs__exact_multiply(s->chunk_columns, unit_bytes);
  s->chunk_rows = clrs__clamp(CHUNK_BYTES / bytes, 1, s->rows.extent);
  s->row_chunks = clrs__divide_up(s->rows.extent, s->chunk_rows);
  s->column_chunks = clrs__divide_up(pass->run, s->chunk_columns);
  s->count = clrs__exact_multiply(s->row_chunks, s->column_chunks);
  s->count = clrs__exact_multiply(s->count, count_runs(pass) / s->rows.extent);
  s->per_item = clrs__clamp(ITEM_BYTES / clrs__exact_multiply(bytes, s->chunk_rows), 1, s->count);
  s->pieces = pass->run;
}

/* A few pieces for each work-item. A run that begins anywhere in its first block may be in one
 * block more than it fills: 5 bytes are in two. */
static void share_units(sharing *s, bool in_blocks) {
  const int64_t units = in_blocks ? block_units(s->pass) : 1;
  s->chunk_columns = s->pass->run;
  s->pieces = clrs__divide_up(s->pass->run + units - 1, units);
  s->count = clrs__exact_multiply(s->pieces, count_runs(s->pass));
  s->per_item = CLRS_INDEXED_PIECES;
  s->chunk_rows = s->row_chunks = s->column_chunks = 1;
}

static void share_elements(sharing *s) {
  s->count = clrs__shape_count(&s->pass->views[CLRS_LISTED].shape);
  s->per_item = is_for_cpu(s->pass) ? clrs__clamp(ITEM_ELEMENTS, 1, s->count) : 1;
}

/* The kernel of rows does not loop; that of units only if it must. */
static void choose_grid(sharing *s, clrs__indexed_launch *launch) {
  const clrs_device_limits *limits = &s->pass->limits;
  const int64_t least = clrs__divide_up(s->count, clrs__grid_items_allowed(limits));
  if (launch->key.geometry == CLRS__INDEX_ROWS) {
    s->per_item = clrs__clamp(s->per_item, least, s->count);
  }
  const int64_t items = clrs__divide_up(s->count, s->per_item);
  const clrs__grid grid = clrs__grid_of(items, is_for_cpu(s->pass) ? 1 : GROUP_ITEMS, limits);
  memcpy(launch->global, grid.global, sizeof launch->global);
  memcpy(launch->group, grid.group, sizeof launch->group);
  launch->loops = launch->key.geometry == CLRS__INDEX_UNITS &&
                  (int64_t)(grid.global[0] * grid.global[1]) < items;
}

/* ---- the words of loops ---- */

#define PUT_WORD(name) clrs__put_word(to, name);
#define PUT_DIVISOR(name) clrs__put_divisor(to, name);

static void put_head(clrs__launch_words *to, const sharing *s) {
  const int64_t count = s->count, count_per_item = s->per_item;
  const int64_t loop_count = s->pass->nest.axis_count > 0 ? s->pass->nest.axis_count + 1 : 2;
  const int64_t digit_count = s->pass->digit_count, extent = s->pass->extent;
  const int64_t rules = s->pass->rules;
  const int64_t chunk_rows = s->chunk_rows, chunk_columns = s->chunk_columns;
  const int64_t row_chunks = s->row_chunks, column_chunks = s->column_chunks;
  CLRS_INDEXED_WORDS(PUT_WORD, PUT_DIVISOR)
}

static void put_loop(clrs__launch_words *to, const clrs__nest_axis *loop) {
  const int64_t extent = loop->extent, listed_stride = loop->strides[CLRS_LISTED];
  const int64_t named_stride = loop->strides[CLRS_NAMED], index_stride = loop->strides[CLRS_INDEX];
  CLRS_INDEXED_LOOP_WORDS(PUT_WORD, PUT_DIVISOR)
}

static void put_digit(clrs__launch_words *to, const clrs_axis *digit) {
  const int64_t extent = digit->extent, stride = digit->stride;
  CLRS_INDEXED_DIGIT_WORDS(PUT_WORD, PUT_DIVISOR)
}

static void put_loops(clrs__launch_words *to, const sharing *s) {
  const clrs__indexed_pass *pass = s->pass;
  const clrs__nest_axis run = {s->pieces, {{1, 1, 0}}}, none = {.extent = 1};
  const clrs_axis no_digit = {1, 0};
  put_head(to, s);
  for (uint32_t i = 0; i < CLRS_INDEXED_DIGITS; i++) {
    put_digit(to, i < pass->digit_count ? &pass->digits[i] : &no_digit);
  }
  put_loop(to, &run);
  for (uint32_t i = 1; i < CLRS_INDEXED_LOOPS; i++) {
    const bool is_there = i <= pass->nest.axis_count;
    put_loop(to, is_there ? &pass->nest.axes[pass->nest.axis_count - i] : &none);
  }
}

/* ---- the words of stacks ---- */

/* Axes of one level, the innermost first. */
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

static clrs__indexed_parts parts_of(const clrs__indexed_pass *pass) {
  return clrs__indexed_parts_of(&pass->views[CLRS_NAMED], &pass->views[CLRS_INDEX], pass->axis);
}

/* From the number of an element of the listed view to the one in this view: of place 0, or of the
 * index. */
static level_axes top_level(const clrs__indexed_pass *pass, uint32_t operand) {
  const clrs__indexed_parts parts = parts_of(pass);
  if (operand == CLRS_INDEX) {
    return (level_axes){0, 3, {{parts.behind, 0}, {parts.middle, 1}, {parts.before, 0}}};
  }
  return (level_axes){0,
                      3,
                      {{parts.behind, 1},
                       {parts.middle, 0},
                       {parts.before, clrs__exact_multiply(pass->extent, parts.behind)}}};
}

static void put_zeros(clrs__launch_words *to, size_t words) {
  while (to->bytes < words * sizeof(uint64_t)) {
    clrs__put_word(to, 0);
  }
}

/* Levels, the top first, and then their axes. */
static void put_operand(clrs__launch_words *to, const clrs__indexed_pass *pass, uint32_t operand) {
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

static void put_stacks(clrs__launch_words *to, const sharing *s) {
  const clrs__indexed_pass *pass = s->pass;
  const int64_t count = s->count, count_per_item = s->per_item;
  const int64_t parts = clrs_dtype_bits(pass->views[CLRS_LISTED].dtype) / pass->unit_bits;
  const int64_t step = parts_of(pass).behind, extent = pass->extent;
  const int64_t rules = pass->rules;
  CLRS_ANY_INDEXED_WORDS(PUT_WORD)
  for (uint32_t operand = 0; operand < CLRS_INDEXED_OPERANDS; operand++) {
    put_operand(to, pass, operand);
  }
}

/* ---- launches ---- */

/* Where the kernel enters the buffers; without loops, the levels of the views have the rest. */
static void enter(const clrs__indexed_pass *pass, clrs__indexed_launch *launch) {
  for (uint32_t side = CLRS_LISTED; side <= CLRS_NAMED; side++) {
    launch->starts[side] = pass->has_nest
                               ? (uint64_t)pass->starts[side]
                               : pass->operands[side].byte_offset / (pass->unit_bits / 8);
  }
  const uint64_t bytes = launch->key.entry_bits / 8;
  const int64_t first = pass->has_nest ? pass->starts[CLRS_INDEX] : 0;
  launch->starts[CLRS_INDEX] = indices_of(pass)->byte_offset + (uint64_t)first * bytes;
}

static void share_loops(sharing *s, clrs__indexed_launch *launch) {
  const clrs__nest *nest = &s->pass->nest;
  s->rows =
      nest->axis_count > 0 ? nest->axes[nest->axis_count - 1] : (clrs__nest_axis){.extent = 1};
  launch->index_bits = index_bits_of(s->pass);
  if (launch->key.geometry == CLRS__INDEX_ROWS) {
    share_rows(s);
  } else {
    share_units(s, launch->key.in_blocks);
  }
}

static void describe(sharing *shared, clrs__indexed_launch *launch) {
  const clrs__indexed_pass *pass = shared->pass;
  choose_key(pass, launch);
  launch->is_tabled = !pass->has_nest;
  if (pass->has_nest) {
    share_loops(shared, launch);
  } else {
    launch->index_bits = 64;
    share_elements(shared);
  }
  choose_grid(shared, launch);
  enter(pass, launch);
}

void clrs__indexed_describe(const clrs__indexed_pass *pass, clrs__indexed_launch *launch) {
  sharing shared = {.pass = pass};
  describe(&shared, launch);
}

void clrs__indexed_encode(const clrs__indexed_pass *pass, clrs__indexed_launch *launch) {
  sharing shared = {.pass = pass};
  describe(&shared, launch);
  clrs__launch_words words = {launch->index_bits, (unsigned char *)launch->words, 0};
  if (pass->has_nest) {
    put_loops(&words, &shared);
  } else {
    put_stacks(&words, &shared);
  }
  launch->word_bytes = words.bytes;
}
