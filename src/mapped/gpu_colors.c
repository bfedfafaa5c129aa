/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_colors.h"

#include "checked.h"
#include "dtype.h"
#include "gpu_cut.h"
#include "grid.h"
#include "mix.h"
#include "nest.h"
#include "resample.h"

/* A group with a table takes several pieces if enough groups are left for a large GPU, which runs
 * about 1,000 at once. */
enum { ENOUGH_GROUPS = 1024, MOST_PIECES = 8 };

/* ---- colours of a frame ---- */

/* Returns true if no parameter changes within an access, and no loop but the colours' changes the
 * numbers of the colours. */
static bool are_steady(const clrs__mapped_share *at) {
  const clrs__nest *nest = &at->nest;
  bool all = true;
  for (uint32_t i = 1; i < nest->axis_count; i++) {
    const int64_t *strides = nest->axes[i].strides;
    all = all && strides[CLRS_OF_COLORS] == 0;
    for (uint32_t k = CLRS_FIRST_VIEW; k < nest->operand_count; k++) {
      all = all && (i > 2 || (at->mixes >> k & 1) != 0 || strides[k] == 0);
    }
  }
  return all;
}

/* Axes of the pixels of an item. The other axes number the items. */
static uint32_t item_axis(const clrs__map_key *key) {
  return key->mixes != 0 ? 3 : key->ragged != 0 ? 1 : 2;
}

/* Returns true if each access to a side is aligned. */
static bool is_aligned(const clrs__mapped_share *at, const clrs__map_key *key, uint32_t side) {
  const clrs_operand *of = side == CLRS_TO ? &at->pass->destination : &at->pass->source;
  const uint8_t dtype = side == CLRS_TO ? key->to : key->from;
  const int64_t bits = clrs_dtype_bits((clrs_dtype)dtype), access = clrs__map_access(key);
  const uint64_t bytes = (uint64_t)clrs__exact_multiply(access, bits) / 8;
  bool all = (of->byte_offset | of->alignment) % bytes == 0 && at->nest.offsets[side] % access == 0;
  for (uint32_t i = item_axis(key); i < at->nest.axis_count; i++) {
    all = all && at->nest.axes[i].strides[side] % access == 0;
  }
  const int64_t color = at->nest.axes[0].strides[side];
  return all && (color == 1 || color % access == 0);
}

/* Orders the loops for the kernel: colours, the pixels of a pair, the pairs of an access. */
static bool cut_frame(bool keeps_floats, clrs__mapped_share *at, clrs__map_key *key) {
  clrs__mix_take(keeps_floats, at, key);
  if (key->mixes == 0) {
    return false;
  }
  const uint32_t last = at->nest.axis_count - 1;
  const bool are_planes = at->run_axes == 2;
  const int64_t pixels = clrs__map_access(key);
  if (are_planes) {
    clrs__move_axis(&at->nest, last - 2, last);
  }
  const int64_t pairs = at->nest.axes[last - 2].extent;
  clrs__split_loop(&at->nest, last - 2, pixels / 2);
  clrs__share_reverse(at);
  key->pixels = (uint8_t)at->nest.axes[0].extent;
  key->column_axes = are_planes ? 1 : 2;
  key->wide_source = at->nest.axes[1].strides[CLRS_FROM] == 1 && is_aligned(at, key, CLRS_FROM);
  return pairs % (pixels / 2) == 0 && at->nest.axes[1].strides[CLRS_TO] == (are_planes ? 1 : 3) &&
         at->nest.axes[2].strides[CLRS_TO] == (are_planes ? 2 : 6) && are_steady(at) &&
         is_aligned(at, key, CLRS_TO);
}

/* Returns true if every pixel has the same parameters, so that a table has the results of all
 * bytes, and a group has room for the table. The first step of a frame's map makes the colours. */
static bool is_looked_up(const clrs__mapped_share *at, const clrs__map_key *key) {
  enum { CODES = 256, NUMBER_BYTES = 8 };
  const uint32_t bits = clrs_dtype_bits((clrs_dtype)key->to);
  const uint64_t table = clrs__bytes_of(clrs__exact_multiply(key->pixels, CODES), bits);
  uint32_t halvings = key->halvings;
  bool all = clrs_dtype_bits((clrs_dtype)key->from) == 8 && bits <= 32 && key->step_count > 1;
  for (uint32_t i = 1; i < at->nest.axis_count; i++) {
    for (uint32_t k = CLRS_FIRST_VIEW; k < at->nest.operand_count; k++) {
      all = all && ((key->mixes >> k & 1) != 0 || at->nest.axes[i].strides[k] == 0);
    }
  }
  return all &&
         clrs__halve_groups(&at->pass->limits,
                            table + NUMBER_BYTES * (uint64_t)clrs__map_key_numbers(key),
                            &halvings) &&
         halvings == key->halvings;
}

/* ---- colours of a resized picture ---- */

/* Finds the loop of the colours. All other loops go by whole pixels of the result, and a pixel has
 * `colors`. */
static bool find_colors(const clrs__nest *nest, int64_t colors, uint32_t *found) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < nest->axis_count; i++) {
    if (nest->axes[i].strides[CLRS_FROM] % colors != 0) {
      *found = i;
      count++;
    }
  }
  return count == 1;
}

/* Returns true if the loop behind the colours is made of accesses: of neighbours on both sides, in
 * a row of the picture, with the same parameters. Example: rows of 640 pixels are 320 accesses of 2
 * pixels. The 638 pixels from pixel 1 on are none, because pixel 1 is the second of an access. */
static bool has_accesses(const clrs__mapped_share *at, const clrs__map_key *key, int64_t colors) {
  const clrs__nest *nest = &at->nest;
  const int64_t access = clrs__map_access(key);
  if (access == 1 || nest->axis_count < 2 || nest->axis_count + 4 > CLRS_MAX_AXES) {
    return false;
  }
  const clrs__nest_axis *loop = &nest->axes[0], *pixels = &nest->axes[1];
  const bool are_planes = pixels->strides[CLRS_TO] == 1;
  const bool are_together = loop->strides[CLRS_TO] == 1 && pixels->strides[CLRS_TO] == loop->extent;
  bool all = (are_planes || are_together) && pixels->strides[CLRS_FROM] == colors &&
             pixels->extent % access == 0 && at->pass->picture.columns % access == 0 &&
             nest->offsets[CLRS_FROM] / colors % access == 0;
  for (uint32_t k = CLRS_FIRST_VIEW; k < nest->operand_count; k++) {
    all = all && pixels->strides[k] == 0;
  }
  for (uint32_t i = 2; i < nest->axis_count; i++) {
    all = all && nest->axes[i].strides[CLRS_FROM] / colors % access == 0;
  }
  return all && is_aligned(at, key, CLRS_TO);
}

/* Orders the loops for the kernel: colours first. Pixels that are neighbours on both sides are one
 * loop with their colours, which is split. */
static bool cut_picture(clrs__mapped_share *at, clrs__map_key *key) {
  const int64_t colors = at->pass->picture.axes[CLRS__PICTURE_AXES - 1].extent;
  clrs__nest *nest = &at->nest;
  uint32_t found;
  if (key->combine == 0 || key->is_indexed || colors < 2 || !find_colors(nest, colors, &found)) {
    return false;
  }
  if (nest->axes[found].extent > colors && nest->axes[found].extent % colors == 0) {
    clrs__split_loop(nest, found++, colors);
  }
  clrs__move_axis(nest, found, nest->axis_count - 1);
  clrs__share_reverse(at);
  const clrs__nest_axis *loop = &nest->axes[0];
  const int64_t first = nest->offsets[CLRS_FROM] % colors;
  const int64_t end = first + clrs__exact_multiply(loop->extent - 1, loop->strides[CLRS_FROM]);
  key->pixels = (uint8_t)loop->extent;
  key->ragged = has_accesses(at, key, colors) ? 0 : 1;
  key->column_axes = key->ragged || nest->axes[1].strides[CLRS_TO] == 1 ? 1 : 2;
  if (!key->ragged) {
    clrs__split_loop(nest, 1, clrs__map_access(key));
    clrs__move_axis(nest, 2, 1);
  }
  return loop->extent <= CLRS_MAPPED_PLANES && end >= 0 && end < colors;
}

/* ---- work-items ---- */

static bool share_items(clrs__mapped_share *at, clrs__map_key *key) {
  at->run = 1;
  for (uint32_t i = item_axis(key); i < at->nest.axis_count; i++) {
    at->run = clrs__exact_multiply(at->run, at->nest.axes[i].extent);
  }
  key->row_axes = 1;
  key->halvings = (uint8_t)clrs__group_halvings(&at->pass->limits);
  key->spread = is_looked_up(at, key) ? CLRS_MAPPED_STEADY : 0;
  at->work = clrs__divide_up(at->run, clrs__map_group(key));
  at->per_item = key->spread != 0 ? clrs__clamp(at->work / ENOUGH_GROUPS, 1, MOST_PIECES) : 1;
  at->rows = at->chunk_rows = at->chunk_columns = 1;
  at->row_chunks = at->column_chunks = 1;
  return at->work <= clrs__grid_items_allowed(&at->pass->limits) / clrs__map_group(key);
}

bool clrs__share_colors(bool keeps_floats, clrs__mapped_share *at, clrs__map_key *key) {
  const clrs__map_key before = *key;
  clrs__nest nest;
  if (!clrs__share_has_groups(at) || clrs_dtype_bits((clrs_dtype)key->to) < 8) {
    return false;
  }
  clrs__nest_copy(&nest, &at->nest);
  key->geometry = CLRS__MAPPED_GPU_COLORS;
  if ((cut_picture(at, key) || cut_frame(keeps_floats, at, key)) && share_items(at, key)) {
    return true;
  }
  clrs__nest_copy(&at->nest, &nest);
  at->mixes = at->colors = at->run_axes = 0;
  *key = before;
  return false;
}
