/*
 * The table of operations. Values are integers with commas between them, except for blocks, the
 * values of slices.c, the patterns of einops.c and the maps of map_ops.c. Each row's function
 * passes the values on to the view function of the same name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "op.h"

#include <string.h>

#include "cells.h"
#include "colors.h"
#include "einops.h"
#include "einops_apply.h"
#include "integers.h"
#include "map_ops.h"
#include "ops.h"
#include "pad_op.h"
#include "repeats.h"
#include "resize.h"
#include "shape.h"
#include "slice.h"
#include "slices.h"

/* ---- values ---- */

static clrs_status parse_integers(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t values[CLRS_MAX_RANK];
  size_t count = 0;
  CLRS_TRY(clrs__integers_parse(text.text, text.length, &count, values, error));
  return clrs__numbers_append(numbers, count, values, error);
}

/* Parses block[,DCR|CRD]. The default order is ONNX's. */
static clrs_status parse_block(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const clrs__span size = clrs__span_cut(&text, ',');
  const bool is_crd = text.text != NULL && clrs__span_is(text, "CRD");
  int64_t values[] = {0, is_crd ? CLRS__DEPTH_FIRST : CLRS__BLOCKS_FIRST};
  CLRS_TRY(clrs__integer_parse(size.text, size.length, &values[0], error));
  if (text.text != NULL && !is_crd && !clrs__span_is(text, "DCR")) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s' is no order of blocks; it is DCR or CRD",
                      clrs__span_show(text).text);
  }
  return clrs__numbers_append(numbers, 2, values, error);
}

/* ---- effects ---- */

static clrs_status reshape(const clrs__op *op, clrs_view *view, clrs_error *error) {
  clrs_pattern pattern = {op->rules.dialect, op->rules.zero_mode, op->count, {0}};
  clrs__dims_copy(pattern.values, op->values, op->count);
  return clrs_pattern_resolve(&pattern, &view->shape, &view->shape, error);
}

static clrs_status permute(const clrs__op *op, clrs_view *view, clrs_error *error) {
  return clrs_view_permute(view, op->count, op->values, error);
}

static clrs_status flip(const clrs__op *op, clrs_view *view, clrs_error *error) {
  return clrs_view_flip(view, op->count, op->values, error);
}

static clrs_status expand(const clrs__op *op, clrs_view *view, clrs_error *error) {
  clrs_shape shape;
  CLRS_TRY(clrs_shape_init(op->count, op->values, &shape, error));
  return clrs_view_expand(view, &shape, error);
}

static clrs_status channel_shuffle(const clrs__op *op, clrs_view *view, clrs_error *error) {
  return clrs__view_channel_shuffle(view, op->count > 1 ? op->values[1] : 1, op->values[0], error);
}

static clrs_status batch_to_space(const clrs__op *op, clrs_view *view, clrs_error *error) {
  return clrs__view_batch_to_space(view, op->count, op->values, error);
}

static clrs_status window(const clrs__op *op, clrs_view *view, clrs_error *error) {
  const clrs__window window = {op->values[0], op->values[1], op->values[2]};
  return clrs__view_window(view, &window, error);
}

/* The other operations call a view function with the unchanged values. */
#define CALL(name, ...)                                                                            \
  static clrs_status name(const clrs__op *op, clrs_view *view, clrs_error *error) {                \
    const int64_t *v = op->values;                                                                 \
    (void)v;                                                                                       \
    return clrs__view_##name(view, __VA_ARGS__, error);                                            \
  }

CALL(squeeze, op->count, v)
CALL(unsqueeze, op->count, v)
CALL(tile, op->count, v)
CALL(space_to_batch, op->count, v)
CALL(flatten, v[0])
CALL(repeat, v[0], v[1])
CALL(move_axis, v[0], v[1])
CALL(swap_axes, v[0], v[1])
CALL(split, v[0], v[1], v[2])
CALL(diagonal, v[0], v[1], v[2])
CALL(depth_to_space, v[0], (clrs__block_order)v[1])
CALL(space_to_depth, v[0], (clrs__block_order)v[1])

/* ---- the table ---- */

#define MANY CLRS_MAX_RANK

#define MOVES(parse, apply) parse, apply, NULL, NULL
#define MAPS(name) clrs__##name##_parse, NULL, clrs__##name##_make, NULL

/* clang-format off */
static const clrs__op_form forms[] = {
    {"reshape", false, false, 0, MANY, "reshape=0,-1, or reshape= for a scalar",
     MOVES(parse_integers, reshape)},
    {"permute", false, false, 0, MANY, "permute=0,2,1,3", MOVES(parse_integers, permute)},
    {"rearrange", true, false, 0, CLRS__CHAIN_VALUES, "rearrange=b (h d) -> b h d, h=12",
     MOVES(clrs__rearrange_parse, clrs__einops_apply)},
    {"squeeze", false, true, 1, MANY, "squeeze=0,2, or squeeze", MOVES(parse_integers, squeeze)},
    {"unsqueeze", false, false, 1, MANY, "unsqueeze=0", MOVES(parse_integers, unsqueeze)},
    {"flatten", false, false, 1, 1, "flatten=1", MOVES(parse_integers, flatten)},
    {"expand", false, false, 0, MANY, "expand=8,3,4", MOVES(parse_integers, expand)},
    {"slice", false, false, 3, 3 * MANY + 3, "slice=1:,...,-1,::2",
     MOVES(clrs__slices_parse, clrs__slices_apply)},
    {"roll", false, false, 2, 2, "roll=1,3 (axis, by how many)",
     MOVES(parse_integers, clrs__roll_apply)},
    {"flip", false, false, 1, MANY, "flip=0", MOVES(parse_integers, flip)},
    {"split", false, false, 3, 3, "split=1,3,0 (axis, parts, which)", MOVES(parse_integers, split)},
    {"depth_to_space", false, false, 2, 2, "depth_to_space=2,DCR (or CRD)",
     MOVES(parse_block, depth_to_space)},
    {"space_to_depth", false, false, 2, 2, "space_to_depth=2", MOVES(parse_block, space_to_depth)},
    {"channel_shuffle", false, false, 1, 2, "channel_shuffle=3 (groups), or 3,1",
     MOVES(parse_integers, channel_shuffle)},
    {"batch_to_space", false, false, 1, MANY, "batch_to_space=1,2,2",
     MOVES(parse_integers, batch_to_space)},
    {"space_to_batch", false, false, 1, MANY, "space_to_batch=1,2,2",
     MOVES(parse_integers, space_to_batch)},
    {"tile", false, false, 0, MANY, "tile=2,1,3", MOVES(parse_integers, tile)},
    {"repeat", false, false, 2, 2, "repeat=1,4 (axis, count), or repeat=h w -> h 3 w",
     MOVES(parse_integers, repeat)},
    {"repeat", true, false, 0, CLRS__CHAIN_VALUES, "repeat=h w -> h 3 w",
     MOVES(clrs__repeat_parse, clrs__einops_apply)},
    {"window", false, false, 3, 3, "window=1,20,10 (axis, size, step)", MOVES(parse_integers, window)},
    {"pad", false, false, 4, 2 + 2 * MANY, "pad=1:1,0:2,mode=reflect",
     MOVES(clrs__pad_parse, clrs__pad_apply)},
    {"diagonal", false, false, 3, 3, "diagonal=0,1,2 (offset, two axes)",
     MOVES(parse_integers, diagonal)},
    {"move_axis", false, false, 2, 2, "move_axis=0,-1 (from, to)", MOVES(parse_integers, move_axis)},
    {"swap_axes", false, false, 2, 2, "swap_axes=1,2", MOVES(parse_integers, swap_axes)},
    {"cast", false, false, 3, 3, "cast=f32, or cast=u8,even,saturate", MAPS(cast)},
    {"round", false, false, 3, 3, "round=i8, or round=i8,even,saturate",
     clrs__cast_parse, NULL, clrs__round_make, NULL},
    {"bitcast", false, false, 1, 1, "bitcast=bf16",
     clrs__bitcast_parse, clrs__bitcast_apply, clrs__bitcast_make, NULL},
    {"color", false, false, 3, 3, "color=nv12,rgb,opencv (frame, pixels, reference)",
     clrs__color_parse, NULL, NULL, clrs__color_mix},
    {"resize", false, false, 8, 8, "resize=480,640,opencv_linear_exact (rows, columns, reference)",
     clrs__resize_parse, NULL, NULL, clrs__resize_mix},
    {"mean", false, false, 2, 1 + CLRS_MAP_NUMBERS, "mean=0.5, or mean=1,2,3,axis=0", MAPS(mean)},
    {"std", false, false, 2, 1 + CLRS_MAP_NUMBERS, "std=0.5, or std=1,2,3,axis=0", MAPS(std)},
    {"scale", false, false, 2, 1 + CLRS_MAP_NUMBERS, "scale=2, or scale=1,2,3,axis=0",
     MAPS(scale)},
    {"bias", false, false, 2, 1 + CLRS_MAP_NUMBERS, "bias=2, or bias=1,2,3,axis=0", MAPS(bias)},
    {"sub", false, false, 2, 1 + CLRS_MAP_NUMBERS, "sub=2, or sub=1,2,3,axis=0", MAPS(sub)},
    {"div", false, false, 2, 1 + CLRS_MAP_NUMBERS, "div=2, or div=1,2,3,axis=0", MAPS(div)},
    {"mul", false, false, 2, 1 + CLRS_MAP_NUMBERS, "mul=2, or mul=1,2,3,axis=0", MAPS(mul)},
    {"add", false, false, 2, 1 + CLRS_MAP_NUMBERS, "add=2, or add=1,2,3,axis=0", MAPS(add)},
    {"min", false, false, 2, 1 + CLRS_MAP_NUMBERS, "min=6, or min=1,2,3,axis=0", MAPS(min)},
    {"max", false, false, 2, 1 + CLRS_MAP_NUMBERS, "max=0, or max=1,2,3,axis=0", MAPS(max)},
    {"shl", false, false, 2, 1 + CLRS_MAP_NUMBERS, "shl=4, or shl=1,2,3,axis=0", MAPS(shl)},
    {"shr", false, false, 2, 1 + CLRS_MAP_NUMBERS, "shr=4, or shr=1,2,3,axis=0", MAPS(shr)},
    {"clamp", false, false, 2, 2, "clamp=0,6, or clamp=0,inf", MAPS(clamp)},
    {"quantize", false, false, 5, CLRS__CHAIN_VALUES, "quantize=u8,0.02,128, or "
     "quantize=i8,0.1:0.2,0:3,1,16 (type, scales, zero points, axis, block)", MAPS(quantize)},
    {"dequantize", false, false, 5, CLRS__CHAIN_VALUES, "dequantize=f16,0.02,128, or "
     "dequantize=f16,0.1:0.2,0:3,1,16 (type, scales, zero points, axis, block)", MAPS(dequantize)},
};
/* clang-format on */

enum { FORMS = sizeof forms / sizeof forms[0] };

const clrs__op_form *clrs__op_form_at(uint32_t form) {
  return &forms[form];
}

bool clrs__chain_has_maps(const clrs_chain *chain) {
  for (uint32_t i = 0; i < chain->op_count; i++) {
    const clrs__op_form *form = clrs__op_form_at(clrs__chain_data_in(chain)->ops[i].form);
    if (form->make != NULL || form->mix != NULL) {
      return true;
    }
  }
  return false;
}

/* The number of the first form of that name, or FORMS. */
static uint32_t find_name(clrs__span name) {
  uint32_t form = 0;
  while (form < FORMS && !clrs__span_is(name, forms[form].name)) {
    form++;
  }
  return form;
}

bool clrs__op_is_named(clrs__span name) {
  return find_name(name) < FORMS;
}

/* Returns true if the next form has the same name. The second form of a name has a pattern. */
static bool has_two_forms(uint32_t form) {
  return form + 1 < FORMS && strcmp(forms[form].name, forms[form + 1].name) == 0;
}

bool clrs__op_may_have_pattern(clrs__span name) {
  const uint32_t form = find_name(name);
  return form < FORMS && (forms[form].has_pattern || has_two_forms(form));
}

static clrs_status fail_unknown(clrs__span text, clrs_error *error) {
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "unknown operation '%s'; known are %s",
                 clrs__span_show(text).text, forms[0].name);
  for (uint32_t i = 1; i < FORMS; i++) {
    if (!has_two_forms(i - 1)) {
      clrs__append(error, ", %s", forms[i].name);
    }
  }
  return CLRS_INVALID_ARGUMENT;
}

static clrs_status parse_values(clrs__span text, const clrs__op_form *form, clrs__numbers *numbers,
                                clrs_error *error) {
  const uint32_t before = numbers->count;
  if (text.text == NULL) {
    return form->is_bare
               ? CLRS_OK
               : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s needs '=' and values, as in %s",
                            form->name, form->example);
  }
  CLRS_TRY(form->parse(text, numbers, error));
  const uint32_t count = numbers->count - before;
  if (count < form->fewest || count > form->most) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s does not take %u values; write %s",
                      form->name, count, form->example);
  }
  return CLRS_OK;
}

clrs_status clrs__op_parse(clrs__span text, uint32_t *form, clrs__numbers *numbers,
                           clrs_error *error) {
  clrs__span values = text;
  const clrs__span name = clrs__span_cut(&values, '=');
  uint32_t found = find_name(name);
  if (found == FORMS) {
    return fail_unknown(text, error);
  }
  if (has_two_forms(found) && values.text != NULL && clrs__has_arrow(values)) {
    found++;
  }
  *form = found;
  return parse_values(values, &forms[found], numbers, error);
}
