/* SPDX-License-Identifier: Apache-2.0 */
#include "result_parts.h"

#include <math.h>
#include <string.h>

#include "fail.h"
#include "inverse.h"
#include "raw.h"
#include "text.h"
#include "units.h"

/* ---- operations after the assembly ---- */

static clrs_status fail_after(const cli_assembly *assembly, size_t op, const char *why,
                              clrs_error *error) {
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "'%s' after '%s': %s; for more pipe the result into another clreshape run -",
                    clrs__show(clrs_chain_op_text(&assembly->after, op)).text,
                    clrs__show(assembly->text).text, why);
}

bool cli_parts_compute(const cli_assembled *made) {
  return !clrs_map_keeps_bits(&made->after.map);
}

bool cli_parts_border_moves(const cli_assembled *made) {
  return cli_parts_compute(made) || made->whole.depth > 1;
}

/* The dense tensor in front of an operation. */
typedef struct stage {
  clrs_shape shape;
  clrs_dtype dtype;
} stage;

static clrs_status apply_alone(const cli_assembly *assembly, size_t op, const stage *before,
                               clrs_mapped *alone, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_dense(before->dtype, &before->shape, &view, error));
  CLRS_TRY(clrs_mapped_init(&view, alone, error));
  return clrs_chain_map_one(&assembly->after, op, &assembly->rules, alone, error);
}

/* Turns a view of the shape after operation `op` into a view of the shape before. */
static clrs_status undo(const cli_assembly *assembly, size_t op, const stage *before,
                        clrs_view *view, clrs_error *error) {
  clrs_mapped alone;
  CLRS_TRY(apply_alone(assembly, op, before, &alone, error));
  return cli_view_return(&alone.views.source, &before->shape, view, error);
}

static clrs_status apply_op(const cli_assembly *assembly, size_t op, cli_assembled *made,
                            clrs_error *error) {
  clrs_mapped *after = &made->after;
  const stage before = {after->views.source.shape, after->dtype};
  clrs_view ignored;
  if (clrs_chain_map_one(&assembly->after, op, &assembly->rules, after, error) != CLRS_OK) {
    return cli_npy_name_type(&made->type, error);
  }
  if (made->type.units > 1 && (after->dtype != made->type.dtype || cli_parts_compute(made))) {
    return clrs__fail(
        error, CLRS_UNSUPPORTED,
        "'%s' after '%s': elements of type %s are moved, by their %u bytes; nothing is "
        "computed of them",
        clrs__show(clrs_chain_op_text(&assembly->after, op)).text, clrs__show(assembly->text).text,
        clrs__show(made->type.descr).text, made->type.element_bytes);
  }
  CLRS_TRY(clrs_view_dense(after->dtype, &after->views.source.shape, &ignored, error));
  if (made->is_whole || undo(assembly, op, &before, &ignored, NULL) == CLRS_OK) {
    return CLRS_OK;
  }
  made->is_whole = assembly->kind == CLI_PAD && made->type.units == 1;
  return made->is_whole
             ? CLRS_OK
             : fail_after(assembly, op,
                          "only what moves all elements to other places, as permute does, and maps "
                          "of elements may follow",
                          error);
}

/* Finds the shape and type before each operation. */
static clrs_status find_stages(const cli_assembly *assembly, const cli_assembled *made,
                               stage *stages, clrs_error *error) {
  clrs_mapped alone;
  stages[0] = (stage){made->shape, made->type.dtype};
  for (size_t i = 0; i + 1 < assembly->after.op_count; i++) {
    CLRS_TRY(apply_alone(assembly, i, &stages[i], &alone, error));
    stages[i + 1] = (stage){alone.views.source.shape, alone.dtype};
  }
  return CLRS_OK;
}

/* Moves the places in the result, and the maps' parameters, back through all operations to the
 * shape of the joined parts. */
static clrs_status turn_back(const cli_assembly *assembly, cli_assembled *made, clrs_error *error) {
  clrs_map_views *views = &made->after.views;
  stage stages[CLRS_MAX_OPS];
  CLRS_TRY(find_stages(assembly, made, stages, error));
  CLRS_TRY(clrs_view_dense(made->after.dtype, &views->source.shape, &made->whole, error));
  for (size_t op = assembly->after.op_count; op-- > 0;) {
    CLRS_TRY(undo(assembly, op, &stages[op], &made->whole, error));
    for (uint32_t i = 0; i < views->count; i++) {
      CLRS_TRY(undo(assembly, op, &stages[op], &views->views[i], error));
    }
  }
  return clrs_view_dense(made->after.map.from, &made->shape, &views->source, error);
}

/* If the type does not change, the type keeps the name, because several of NumPy's types may be one
 * type of the library. */
clrs_status cli_parts_start(const cli_assembly *assembly, cli_assembled *made, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(clrs_view_dense(made->type.dtype, &made->shape, &view, error));
  CLRS_TRY(clrs_mapped_init(&view, &made->after, error));
  for (size_t i = 0; i < assembly->after.op_count; i++) {
    CLRS_TRY(apply_op(assembly, i, made, error));
  }
  made->result_type = made->type;
  made->result = made->after.views.source.shape;
  if (made->after.dtype != made->type.dtype) {
    CLRS_TRY(cli_raw_type(made->after.dtype, &made->result_type, error));
  }
  return made->is_whole ? CLRS_OK : turn_back(assembly, made, error);
}

/* ---- a part of the whole ---- */

static void start_part(const cli_assembled *made, cli_part *part) {
  part->place = made->whole;
  part->after = made->after;
}

/* A cut applies to the part's place and to all views of the part's maps. */
typedef clrs_status (*cut_fn)(const void *how, clrs_view *view, clrs_error *error);

static clrs_status cut(cut_fn how_to, const void *how, cli_part *part, clrs_error *error) {
  clrs_map_views *views = &part->after.views;
  CLRS_TRY(how_to(how, &part->place, error));
  CLRS_TRY(how_to(how, &views->source, error));
  for (uint32_t i = 0; i < views->count; i++) {
    CLRS_TRY(how_to(how, &views->views[i], error));
  }
  return CLRS_OK;
}

/* `how` is an array with one slice for each dim. */
static clrs_status cut_slices(const void *how, clrs_view *view, clrs_error *error) {
  return clrs_view_slice(view, view->shape.rank, how, error);
}

static clrs_status cut_shape(const void *how, clrs_view *view, clrs_error *error) {
  return clrs_view_reshape(view, how, error);
}

typedef struct box_of {
  const clrs_pad *pad;
  size_t box;
} box_of;

static clrs_status cut_box(const void *how, clrs_view *view, clrs_error *error) {
  const box_of *of = how;
  return clrs_pad_place(of->pad, of->box, view, error);
}

static clrs_status in_units(const cli_assembled *made, cli_part *part, clrs_error *error) {
  const clrs_view elements = part->place;
  return made->type.units > 1 ? cli_view_in_units(&elements, made->type.units, &part->place, error)
                              : CLRS_OK;
}

clrs_status cli_part_next(const cli_assembly *assembly, const clrs_shape *shape,
                          cli_assembled *made, cli_part *part, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  const bool is_padded = assembly->kind == CLI_PAD, is_stacked = assembly->kind == CLI_STACK;
  for (uint32_t i = 0; i < made->shape.rank; i++) {
    const int64_t begin = is_padded ? assembly->before[i] : 0;
    const int64_t extent = is_padded ? made->part.dims[i] : made->shape.dims[i];
    slices[i] = (clrs_slice){i, begin, begin + extent, 1};
  }
  if (is_stacked || assembly->kind == CLI_CONCAT) {
    const int64_t extent = is_stacked ? 1 : shape->dims[made->axis];
    slices[made->axis] = (clrs_slice){made->axis, made->next, made->next + extent, 1};
    made->next += extent;
  }
  start_part(made, part);
  CLRS_TRY(cut(cut_slices, slices, part, error));
  CLRS_TRY(cut(cut_shape, shape, part, error));
  return in_units(made, part, error);
}

clrs_status cli_part_box(const cli_assembled *made, size_t box, cli_part *part, clrs_error *error) {
  start_part(made, part);
  CLRS_TRY(cut(cut_box, &(box_of){&made->pad, box}, part, error));
  return in_units(made, part, error);
}

/* Slab 2 * d lies before the part along dim d, slab 2 * d + 1 behind. Along the dims before d, a
 * slab is as long as the part. Along the dims after d, a slab spans the whole. Example: a part of
 * [2,3] padded to [4,5] has two slabs of [1,5] and two slabs of [2,1]. */
clrs_status cli_part_border(const cli_assembly *assembly, const cli_assembled *made, uint32_t slab,
                            cli_part *part, clrs_error *error) {
  clrs_slice slices[CLRS_MAX_RANK];
  const uint32_t at = slab / 2;
  for (uint32_t i = 0; i < made->shape.rank; i++) {
    const int64_t begin = assembly->before[i], end = begin + made->part.dims[i];
    slices[i] = i < at          ? (clrs_slice){i, begin, end, 1}
                : i > at        ? (clrs_slice){i, 0, made->shape.dims[i], 1}
                : slab % 2 == 0 ? (clrs_slice){i, 0, begin, 1}
                                : (clrs_slice){i, end, made->shape.dims[i], 1};
  }
  start_part(made, part);
  CLRS_TRY(cut(cut_slices, slices, part, error));
  return in_units(made, part, error);
}

clrs_status cli_part_map(const cli_assembly *assembly, const cli_assembled *made,
                         const cli_part *part, clrs_mapped *mapped, clrs_error *error) {
  if (made->type.units > 1) {
    return CLRS_OK;
  }
  const clrs_status status = clrs_mapped_join(mapped, &part->after, error);
  return status == CLRS_OK
             ? CLRS_OK
             : cli_fail_prefix(error, "what follows '%s'", clrs__show(assembly->text).text);
}

/* ---- the border's elements ---- */

static clrs_status convert(clrs_dtype from, const void *value, clrs_dtype to, void *converted,
                           clrs_error *error) {
  const clrs_shape scalar = {0, {0}};
  clrs_view view;
  clrs_map map;
  clrs_map_views views;
  const clrs_map_data data = {.source = {value, clrs_dtype_bits(from) / 8}};
  CLRS_TRY(clrs_view_dense(from, &scalar, &view, error));
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, from, to, &map, error));
  CLRS_TRY(clrs_map_bind(&map, &view, NULL, &views, error));
  return clrs_map_apply(&map, &views, &data, converted, clrs_dtype_bits(to) / 8, error);
}

static bool is_float(clrs_dtype dtype) {
  return dtype == CLRS_F16 || dtype == CLRS_BF16 || dtype == CLRS_F32 || dtype == CLRS_F64;
}

clrs_status cli_part_element(const cli_assembly *assembly, const cli_npy_type *type,
                             uint8_t element[CLI_MOST_UNIT], clrs_error *error) {
  const double value = assembly->value;
  double back = 0;
  memset(element, 0, CLI_MOST_UNIT);
  if (value == 0 && copysign(1, value) > 0) {
    return CLRS_OK;
  }
  if (type->units > 1) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "'%s': elements of type %s have no numbers; only bytes of 0 pad them",
                      clrs__show(assembly->text).text, clrs__show(type->descr).text);
  }
  if (convert(CLRS_F64, &value, type->dtype, element, error) != CLRS_OK) {
    (void)cli_npy_name_type(type, error);
    return cli_fail_prefix(error, "'%s'", clrs__show(assembly->text).text);
  }
  CLRS_TRY(convert(type->dtype, element, CLRS_F64, &back, error));
  return is_float(type->dtype) || back == value
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s': elements of type %s do not hold it",
                          clrs__show(assembly->text).text, clrs__show(type->descr).text);
}
