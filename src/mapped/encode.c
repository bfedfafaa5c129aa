/*
 * The words of a launch, which tell work-items their shares of a piece.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "encode.h"

#include <string.h>

#include "checked.h"
#include "elements.h"
#include "gpu_colors.h"
#include "gpu_cut.h"
#include "grid.h"
#include "launch_words.h"
#include "mix.h"
#include "resample.h"
#include "share.h"
#include "shared.h"
#include "step_kind.h"
#include "way.h"

enum { GROUP_ITEMS = 64 };

/* ---- positions ---- */

/* Returns the byte of the first element in a buffer. *start becomes the packed elements before the
 * first element in that byte. Example: an offset of 5 elements of 4 bits is byte 2 and start 1. */
static uint64_t enter(const clrs_operand *operand, uint8_t dtype, int64_t offset, int64_t *start) {
  const int64_t bits = clrs_dtype_bits((clrs_dtype)dtype);
  if (bits >= 8) {
    *start = 0;
    return operand->byte_offset + (uint64_t)(offset * (bits / 8));
  }
  *start = offset % (8 / bits);
  return operand->byte_offset + (uint64_t)(offset / (8 / bits));
}

/* Finds the starts in all buffers: bytes, which the call adds to each buffer, and elements, which
 * the kernel adds (enter). The offset of each operand is the position of the first element, which
 * is not negative, with two exceptions. A resized picture begins where the picture does, and the
 * kernel starts from the number of a result element. Indices begin at their first index. */
static void enter_all(clrs__mapped_share *at, clrs__mapped_launch *launch) {
  const clrs__mapped_pass *pass = at->pass;
  const clrs__map_key *key = &pass->key;
  memcpy(at->starts, at->nest.offsets, sizeof at->starts);
  launch->starts[CLRS_TO] =
      enter(&pass->destination, key->to, at->nest.offsets[CLRS_TO], &at->starts[CLRS_TO]);
  const int64_t from = key->combine != 0 ? pass->picture.offset : at->nest.offsets[CLRS_FROM];
  launch->starts[CLRS_FROM] =
      enter(&pass->source, (uint8_t)clrs__map_key_stored(key), from, &at->starts[CLRS_FROM]);
  if (key->combine != 0) {
    at->starts[CLRS_FROM] = at->nest.offsets[CLRS_FROM]; /* the number of a resized element */
  }
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (key->origins[i] == CLRS_ORIGIN_TENSOR) {
      const uint32_t view = key->views[i];
      launch->tensor_starts[i] =
          enter(&pass->parameters[i], key->types[i], at->nest.offsets[view], &at->starts[view]);
    }
  }
  if (key->is_indexed) {
    const uint32_t indices = at->nest.operand_count - 1;
    at->starts[indices] = 0;
    launch->index_start =
        pass->indices.byte_offset +
        (uint64_t)clrs__exact_multiply(at->nest.offsets[indices], clrs__index_bytes(pass->rules));
  }
}

static uint64_t picture_span(const clrs__mapped_pass *pass) {
  uint64_t span = 0;
  clrs_layout layout;
  if (pass->key.combine == 0) {
    return 0;
  }
  clrs__resample_layout(&pass->picture, clrs__map_key_stored(&pass->key), &layout);
  for (uint32_t i = 0; i < CLRS__PICTURE_AXES; i++) {
    clrs__add_span(&span, layout.dims[i], layout.strides[i]);
  }
  return span;
}

/* Returns 32 if 32 bits hold every position and place, and 31 bits every count, else 64. */
static uint32_t index_bits_of(const clrs__mapped_share *at) {
  enum { MOST = INT32_MAX / 2 };
  const clrs__mapped_pass *pass = at->pass;
  const bool is_indexed = pass->key.is_indexed;
  bool fits = pass->limits.min_index_bits == 32 && clrs__nest_count(&at->nest) <= MOST &&
              (!is_indexed || pass->extent <= MOST) && picture_span(pass) <= MOST;
  for (uint32_t i = 0; fits && i < at->nest.operand_count; i++) {
    const uint64_t places = clrs__axes_span(pass->digits, is_indexed ? pass->digit_count : 0, i);
    fits =
        places <= MOST && clrs__axes_span(at->nest.axes, at->nest.axis_count, i) <= MOST - places;
  }
  return fits ? 32 : 64;
}

/* ---- words ---- */

/* Returns a number in the kernel's form: an integer or a float. On the exact way this is the code
 * in the step's type, else the code as a value. */
static uint64_t word_of(const clrs_step *step, const clrs__map_key *key, double number) {
  const clrs_dtype value = clrs__map_key_value_bits(key) == 64 ? CLRS_F64 : CLRS_F32;
  const clrs__format format = clrs__element_of(step->dtype).format;
  const bool is_exact = key->way == CLRS_WAY_EXACT;
  const clrs__number exactly = clrs__number_of(number);
  if (!is_exact && value == CLRS_F32 && step->dtype == CLRS_I32 && !clrs__step_rounds(step->kind)) {
    return (uint32_t)(int32_t)number; /* the integer's bits */
  }
  if (clrs__step_needs_integers(step)) {
    return is_exact ? (uint64_t)(int64_t)number
                    : clrs__nearest(clrs__element_of(value).format, exactly);
  }
  const uint64_t code = clrs__nearest(format, exactly);
  return is_exact ? code
                  : clrs__nearest(clrs__element_of(value).format, clrs__decode(format, code));
}

static void put_numbers(clrs__launch_words *s, const clrs_map *map, const clrs_step *step,
                        const clrs__map_key *key) {
  for (uint32_t i = 0; i < step->parameter.count; i++) {
    const uint64_t word = word_of(step, key, map->numbers[step->parameter.first + i]);
    clrs__put_bytes(s, &word, sizeof word);
  }
}

static uint32_t count_numbers(const clrs_map *map, const clrs__map_key *key) {
  uint32_t count = 0;
  for (uint32_t i = key->first_step; i < map->step_count; i++) {
    const clrs_step *step = &map->steps[i];
    count += clrs__step_has_parameter(step->kind) ? step->parameter.count : 0;
  }
  return count;
}

/* Writes the parameters. Parameters with one number come first, in order. So a kernel for GPUs
 * knows the places of these parameters at compile time (numbers_before in
 * kernels/parameters.cl). */
static void put_parameters(clrs__launch_words *s, const clrs_map *map, const clrs__map_key *key,
                           bool are_lists, int64_t first[CLRS_MAPPED_STEPS]) {
  for (uint32_t i = 0; i < key->step_count; i++) {
    const bool is_list = key->origins[i] != CLRS_ORIGIN_NUMBER;
    if (key->origins[i] != CLRS_ORIGIN_NONE && is_list == are_lists) {
      first[i] = (int64_t)(s->bytes / 8);
      put_numbers(s, map, &map->steps[key->first_step + i], key);
    }
  }
}

static void put_all_numbers(clrs__launch_words *s, const clrs_map *map, const clrs__map_key *key) {
  const size_t room = clrs__map_key_numbers(key);
  int64_t first[CLRS_MAPPED_STEPS] = {0};
  put_parameters(s, map, key, false, first);
  put_parameters(s, map, key, true, first);
  memset(s->to + s->bytes, 0, room * 8 - s->bytes);
  s->bytes = room * 8;
  for (uint32_t i = 0; i < key->step_count; i++) {
    clrs__put_word(s, first[i]);
  }
}

static void put_axis(clrs__launch_words *s, const clrs__nest_axis *loop, uint32_t operands) {
  clrs__put_word(s, loop->extent);
  clrs__put_divisor(s, loop->extent);
  for (uint32_t i = 0; i < operands; i++) {
    clrs__put_word(s, loop->strides[i]);
  }
}

#define PUT_WORD(name) clrs__put_word(s, name);
#define PUT_DIVISOR(name) clrs__put_divisor(s, name);
static void put_head(clrs__launch_words *s, const clrs__mapped_share *at) {
  const int64_t count = at->work, chunks_per_item = at->per_item, run_axes = at->run_axes;
  const int64_t axis_count = at->nest.axis_count, run = at->run, chunk_rows = at->chunk_rows;
  const int64_t chunk_columns = at->chunk_columns, row_chunks = at->row_chunks;
  const int64_t column_chunks = at->column_chunks, period = at->period, reach = at->reach;
  const int64_t rows = at->rows;
  CLRS_MAPPED_WORDS(PUT_WORD, PUT_DIVISOR)
}

static void put_indices(clrs__launch_words *s, const clrs__mapped_pass *pass, uint32_t operands) {
  const int64_t extent = pass->extent, rules = pass->rules, digit_count = pass->digit_count;
  const clrs__nest_axis none = {.extent = 1};
  CLRS_MAPPED_INDEX_WORDS(PUT_WORD)
  for (uint32_t i = 0; i < CLRS_INDEX_DIGITS; i++) {
    put_axis(s, i < pass->digit_count ? &pass->digits[i] : &none, operands);
  }
}

/* The stride of an axis, or the first of its places in a frame. */
static int64_t picture_stride(const clrs_resample *of, bool is_row) {
  return of->frame.format != 0
             ? clrs__resample_first_place(of, is_row)
             : of->axes[is_row ? CLRS__PICTURE_ROWS : CLRS__PICTURE_COLUMNS].stride;
}

static void put_picture(clrs__launch_words *s, const clrs_resample *of) {
  const clrs__tap_axis row_axis = clrs__resample_axis(of, true);
  const clrs__tap_axis column_axis = clrs__resample_axis(of, false);
  const int64_t row_taps = clrs__taps_most(&row_axis), column_taps = clrs__taps_most(&column_axis);
  const int64_t inner = of->axes[4].extent;
  const int64_t inner_stride = of->frame.format != 0 ? 1 : of->axes[4].stride;
  const int64_t outer = of->axes[1].extent, outer_stride = of->axes[1].stride;
  const int64_t picture_rows = of->rows, picture_columns = of->columns;
  const int64_t row_stride = picture_stride(of, true);
  const int64_t column_stride = picture_stride(of, false);
  const int64_t outermost_stride = of->axes[0].stride;
  const int64_t sums_rows_first = clrs__resample_sums_rows_first(of);
  CLRS_MAPPED_PICTURE_WORDS(PUT_WORD, PUT_DIVISOR)
}

static void put_words(const clrs__mapped_share *at, clrs__mapped_launch *launch) {
  const clrs__map_key *key = &launch->key;
  const uint32_t room = clrs__map_key_axes(key, launch->index_bits);
  clrs__launch_words s = {launch->index_bits, launch->words.bytes, 0};
  put_all_numbers(&s, &at->pass->map, key);
  for (uint32_t i = 0; i < at->nest.operand_count; i++) {
    clrs__put_word(&s, at->starts[i]);
  }
  put_head(&s, at);
  const clrs__nest_axis none = {.extent = 1};
  for (uint32_t i = 0; i < room; i++) {
    put_axis(&s, i < at->nest.axis_count ? &at->nest.axes[i] : &none, at->nest.operand_count);
  }
  if (key->is_indexed) {
    put_indices(&s, at->pass, at->nest.operand_count);
  }
  if (key->combine != 0) {
    put_picture(&s, &at->pass->picture);
  }
  if (key->mixes != 0) {
    clrs__mix_put(at, key, &s);
  }
  launch->word_bytes = (s.bytes + 7) / 8 * 8; /* as the struct has it */
  memset(s.to + s.bytes, 0, launch->word_bytes - s.bytes);
}

/* ---- launches ---- */

static void share_out(clrs__mapped_share *at, clrs__mapped_launch *launch) {
  const clrs_device_limits *limits = &at->pass->limits;
  const bool is_grouped = clrs__map_key_is_grouped(&launch->key);
  const bool is_rows = launch->key.geometry != CLRS__MAPPED_ANY && !is_grouped;
  const int64_t of_group = clrs__map_group(&launch->key);
  const int64_t items = clrs__exact_multiply(at->work, is_grouped ? of_group : 1);
  if (is_rows) {
    const int64_t least = clrs__divide_up(at->work, clrs__grid_items_allowed(limits));
    at->per_item = clrs__clamp(at->per_item, least, at->work);
  }
  const int64_t group = is_grouped ? of_group : is_rows ? 1 : GROUP_ITEMS;
  const clrs__grid grid = clrs__grid_of(clrs__divide_up(items, at->per_item), group, limits);
  memcpy(launch->global, grid.global, sizeof launch->global);
  memcpy(launch->group, grid.group, sizeof launch->group);
}

/* Makes the launch without the words. `device` may be NULL. */
static clrs_status describe(const clrs__mapped_pass *pass, const clrs__arithmetic *device,
                            clrs__mapped_share *made, clrs__mapped_launch *launch,
                            clrs_error *error) {
  launch->key = pass->key;
  enter_all(made, launch);
  launch->index_bits = index_bits_of(made);
  if (made->nest.axis_count + 3 > CLRS_MAX_AXES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "the mapped move has %u axes; the limit is %d",
                      made->nest.axis_count, CLRS_MAX_AXES - 3);
  }
  const bool keeps_floats = device == NULL || clrs__map_key_keeps_floats(&pass->key, device);
  if (pass->key.geometry == CLRS__MAPPED_ROWS) {
    clrs__mix_take(keeps_floats, made, &launch->key);
    launch->key.geometry = (uint8_t)clrs__share_rows(made);
  } else if (!clrs__share_colors(keeps_floats, made, &launch->key) &&
             !clrs__share_groups(made, &launch->key)) {
    clrs__share_elements(made);
  }
  launch->key.is_tabled = false;
  launch->key.is_tabled =
      launch->in_buffer || pass->key.combine != 0 ||
      ((pass->key.is_indexed || launch->key.mixes != 0) && launch->index_bits == 64) ||
      made->nest.axis_count > clrs__map_key_axes(&launch->key, launch->index_bits) ||
      count_numbers(&pass->map, &launch->key) > clrs__map_key_numbers(&launch->key);
  share_out(made, launch);
  launch->count = clrs__nest_count(&pass->pieces.nests[launch->at]);
  return CLRS_OK;
}

clrs_status clrs__mapped_describe(const clrs__mapped_pass *pass, clrs__mapped_launch *launch,
                                  clrs_error *error) {
  clrs__mapped_share made = {.pass = pass, .nest = pass->pieces.nests[launch->at]};
  return describe(pass, NULL, &made, launch, error);
}

clrs_status clrs__mapped_encode(const clrs__mapped_pass *pass, const clrs__arithmetic *device,
                                clrs__mapped_launch *launch, clrs_error *error) {
  clrs__mapped_share made = {.pass = pass, .nest = pass->pieces.nests[launch->at]};
  CLRS_TRY(describe(pass, device, &made, launch, error));
  CLRS_TRY(clrs__map_key_settle(device, &launch->key, error));
  put_words(&made, launch);
  return CLRS_OK;
}

size_t clrs__mapped_tap_bytes(const clrs__mapped_pass *pass) {
  return clrs__resample_table_bytes(&pass->picture);
}

void clrs__mapped_put_taps(const clrs__mapped_pass *pass, unsigned char *to) {
  clrs__resample_table(&pass->picture, to);
}
