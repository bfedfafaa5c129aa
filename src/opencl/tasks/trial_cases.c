/* SPDX-License-Identifier: Apache-2.0 */
#include "trial_cases.h"

#include <stdlib.h>
#include <string.h>

#include "cursor.h"
#include "dtype.h"
#include "examples.h"
#include "plan_indexed.h"
#include "table.h"
#include "view.h"
#include "work_size.h"

/* ---- memory ---- */

clrs_status clrs__trial_make_memory(uint64_t source_bytes, uint64_t destination_bytes,
                                    uint32_t index_count, clrs__trial *t, clrs_error *error) {
  t->source_bytes = (uint32_t)(source_bytes + 7) / 8 * 8;
  t->destination_bytes = (uint32_t)(destination_bytes + 7) / 8 * 8;
  t->index_bytes = (uint32_t)(index_count * sizeof *t->indices);
  t->memory = malloc((size_t)t->source_bytes + (size_t)4 * t->destination_bytes + t->index_bytes);
  CLRS_TRY_MEMORY(t->memory, error, "no memory for a self-test");
  t->source = t->memory;
  t->destination = t->source + t->source_bytes;
  t->expected = t->destination + t->destination_bytes;
  t->made = t->expected + t->destination_bytes; /* of two destinations */
  t->indices = (int32_t *)(void *)(t->made + (size_t)2 * t->destination_bytes);
  for (uint32_t i = 0; i < t->source_bytes; i++) {
    t->source[i] = (unsigned char)(i * 167 + i / 256 * 59 + 13);
  }
  for (uint32_t i = 0; i < t->destination_bytes; i++) {
    t->destination[i] = (unsigned char)(i * 29 + 128);
  }
  memcpy(t->expected, t->destination, t->destination_bytes);
  return CLRS_OK;
}

/* ---- moves and fills ---- */

/* A fill writes the source's first unit. */
static void draw_value(uint32_t bits, clrs__trial *t) {
  t->source[0] = bits < 8 ? 0xFF : t->source[0];
  for (size_t i = 0; i < sizeof t->value.bytes; i++) {
    t->value.bytes[i] = t->source[bits < 8 ? 0 : i % (bits / 8)];
  }
}

static void move_unit(const clrs__cut *cut, uint32_t from, uint32_t to, const clrs__trial *t) {
  const uint32_t bits = cut->unit_bits, source = from * bits, destination = to * bits;
  if (bits >= 8) {
    memcpy(t->expected + destination / 8, t->source + source / 8, bits / 8);
    return;
  }
  const uint32_t turn = cut->msb_first ? 8 - bits : 0, mask = (1u << bits) - 1;
  const uint32_t unit = t->source[source / 8] >> (source % 8 ^ turn) & mask;
  const uint32_t place = destination % 8 ^ turn;
  unsigned char *byte = &t->expected[destination / 8];
  *byte = (unsigned char)((*byte & ~(mask << place)) | unit << place);
}

/* `places` are the places of the stack's positions, or NULL. */
static void move_units(const clrs__nest *nest, const int64_t *places, const clrs__trial *t) {
  const int count = (int)clrs__nest_count(nest);
  for (int k = 0; k < count; k++) {
    int from = (int)nest->source_offset, to = (int)nest->destination_offset, rest = k;
    for (uint32_t i = nest->axis_count; i > 0; i--) {
      const clrs__nest_axis *axis = &nest->axes[i - 1];
      from += rest % (int)axis->extent * (int)axis->source_stride;
      to += rest % (int)axis->extent * (int)axis->destination_stride;
      rest /= (int)axis->extent;
    }
    move_unit(&clrs__plan_data_in(&t->plan)->cuts[0],
              (uint32_t)(places != NULL ? places[from] : from), (uint32_t)to, t);
  }
}

/* Returns the places of a view's elements, which the caller frees. */
static int64_t *list_places(const clrs_view *view) {
  const int64_t count = clrs__shape_count(&view->shape);
  int64_t *places = calloc((size_t)count, sizeof *places);
  clrs__cursor cursor;
  if (places != NULL) {
    clrs__cursor_start(&cursor, view);
    for (int64_t i = 0; i < count; i++) {
      places[i] = clrs__cursor_next(&cursor);
    }
  }
  return places;
}

/* Finds a cut that launches exactly this variant. */
static bool find_cut(const clrs_device_limits *limits, const clrs__variant *variant,
                     clrs__nest *nest, clrs__trial *t) {
  clrs__plan_data *data = clrs__plan_data_of(&t->plan);
  clrs__cut *cut = &data->cuts[0];
  bool found = false;
  for (int at = 0; !found && at < CLRS__TRIALS; at++) {
    clrs__encoded encoded;
    if (clrs__variant_trial(variant, limits, &data->stack, at, nest, cut)) {
      clrs__cut_limit_items(limits, cut);
      clrs__encode(limits, cut, &data->stack, variant->is_batched, &encoded);
      found = clrs__variant_equal(encoded.variant, *variant) &&
              (!variant->is_batched || (clrs__cut_fits_batch(cut) && encoded.global[1] == 1));
    }
  }
  return found;
}

clrs_status clrs__trial_make_move(const clrs_device_limits *limits, const clrs__variant *variant,
                                  clrs__trial *t, clrs_error *error) {
  clrs__plan_data *data = clrs__plan_data_of(&t->plan);
  const uint64_t bytes = clrs__bytes_of(CLRS__TRIAL_UNITS, variant->unit_bits);
  clrs__nest nest;
  clrs__plan_start(&t->plan, CLRS_OUTCOME_AFFINE);
  CLRS_TRY(clrs__trial_stack(variant->level_axes > CLRS__FEW_LEVEL_AXES, &data->stack, error));
  if (!find_cut(limits, variant, &nest, t)) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "no small move is of this variant");
  }
  t->plan.launch_count = 1;
  CLRS_TRY(clrs__trial_make_memory(bytes, bytes, 0, t, error));
  draw_value(variant->unit_bits, t);
  if (data->cuts[0].from != CLRS__FROM_STACK) {
    move_units(&nest, NULL, t);
    return CLRS_OK;
  }
  int64_t *places = list_places(&data->stack);
  CLRS_TRY_MEMORY(places, error, "no memory for a self-test");
  move_units(&nest, places, t);
  free(places);
  return CLRS_OK;
}

/* ---- gathers and scatters ---- */

/* Elements in front of the axis, of the axis, behind the axis, and indices. Rows of odd lengths,
 * rows of single elements, and rows of whole vectors and of several. */
typedef struct named_case {
  int before, extent, behind, count;
} named_case;
static const named_case named_cases[] = {{1, 37, 19, 29}, {3, 29, 1, 19},  {5, 13, 33, 11},
                                         {1, 23, 64, 17}, {1, 11, 531, 7}, {1, 63, 128, 41}};
enum { NAMED_CASES = sizeof named_cases / sizeof *named_cases, NAMED_BY_STACK = NAMED_CASES - 1 };

static clrs_dtype type_of_bits(uint32_t bits) {
  return bits == 8    ? CLRS_U8
         : bits == 16 ? CLRS_U16
         : bits == 32 ? CLRS_U32
         : bits == 64 ? CLRS_U64
                      : CLRS_C128;
}

/* The views of a case: listed, named, indices. The last case has a stack of walks. */
static clrs_status make_named_views(const clrs__variant *variant, int at,
                                    clrs_view views[CLRS_INDEXED_OPERANDS], clrs_error *error) {
  const named_case *of = &named_cases[at];
  const clrs_dtype type = type_of_bits(variant->unit_bits);
  const clrs_shape named = {3, {of->before, of->extent, of->behind}};
  const clrs_shape listed = {3, {of->before, of->count, of->behind}}, list = {1, {of->count}};
  clrs__view_make_dense(type, &listed, &views[CLRS_LISTED]);
  clrs__view_make_dense(CLRS_I32, &list, &views[CLRS_INDEX]);
  if (at < NAMED_BY_STACK) {
    clrs__view_make_dense(type, &named, &views[CLRS_NAMED]);
    return CLRS_OK;
  }
  CLRS_TRY(clrs__trial_stack(false, &views[CLRS_NAMED], error));
  views[CLRS_NAMED].dtype = type;
  return clrs_view_reshape(&views[CLRS_NAMED], &named, error);
}

static bool is_planned(const clrs_device_limits *limits, const clrs__variant *variant,
                       clrs__trial *t) {
  const clrs__plan_data *data = clrs__plan_data_in(&t->plan);
  clrs__encoded encoded;
  if (t->plan.launch_count != 1) {
    return false;
  }
  if (clrs__plan_is_any_indexed(&t->plan)) {
    return clrs__variant_equal(
        clrs__any_indexed_variant(&data->indexed.key, data->indexed.unit_bits), *variant);
  }
  clrs__encode(limits, &data->cuts[0], NULL, false, &encoded);
  return clrs__variant_equal(encoded.variant, *variant);
}

static bool plan_named(const clrs_device_limits *limits, const clrs__variant *variant,
                       const clrs_view views[CLRS_INDEXED_OPERANDS], clrs__trial *t) {
  const clrs__class *of = clrs__class_of(variant->kernel_class);
  clrs_device_limits here = *limits;
  clrs__indexed_move move = {.axis = 1, .scatters = variant->index.scatters, .limits = &here};
  here.required_class = NULL;
  here.min_index_bits = variant->index_bits;
  here.execution = of != NULL ? of->execution : limits->execution; /* index_any has no class */
  for (uint32_t i = 0; i < CLRS_INDEXED_OPERANDS; i++) {
    move.operands[i] = (clrs_operand){&views[i], 0, CLRS__BUFFER_ALIGNMENT};
  }
  return clrs__plan_indexed(&move, &t->plan, NULL) == CLRS_OK && is_planned(&here, variant, t);
}

/* All indices differ, because a scatter may write a place once. */
static clrs_status move_named(const clrs__variant *variant, int at, const clrs_view *named,
                              clrs__trial *t, clrs_error *error) {
  const named_case *of = &named_cases[at];
  const int bytes = (int)variant->unit_bits / 8, count = of->before * of->count * of->behind;
  int64_t *places = list_places(named);
  CLRS_TRY_MEMORY(places, error, "no memory for a self-test");
  for (int i = 0; i < of->count; i++) {
    t->indices[i] = (i * 5 + 3) % of->extent;
  }
  for (int i = 0; i < count; i++) {
    const int row = i / of->behind,
              named_row = row / of->count * of->extent + t->indices[row % of->count];
    const int place = (int)places[named_row * of->behind + i % of->behind];
    memcpy(t->expected + (size_t)(variant->index.scatters ? place : i) * (size_t)bytes,
           t->source + (size_t)(variant->index.scatters ? i : place) * (size_t)bytes,
           (size_t)bytes);
  }
  free(places);
  return CLRS_OK;
}

clrs_status clrs__trial_make_named(const clrs_device_limits *limits, const clrs__variant *variant,
                                   clrs__trial *t, clrs_error *error) {
  clrs_view views[CLRS_INDEXED_OPERANDS];
  for (int at = 0; at < NAMED_CASES; at++) {
    CLRS_TRY(make_named_views(variant, at, views, error));
    if (plan_named(limits, variant, views, t)) {
      const uint64_t bytes = clrs__bytes_of(CLRS__TRIAL_UNITS, variant->unit_bits);
      CLRS_TRY(clrs__trial_make_memory(bytes, bytes, (uint32_t)named_cases[at].count, t, error));
      return move_named(variant, at, &views[CLRS_NAMED], t, error);
    }
  }
  return clrs__fail(error, CLRS_UNSUPPORTED, "no small gather or scatter is of this variant");
}
