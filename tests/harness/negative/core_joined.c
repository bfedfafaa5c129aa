/*
 * The negative matrix: clreshape/map.h and plan.h, of maps that follow each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

/* ---- two maps ---- */

/* f32 less 1, and to u8. */
static void set_maps(arguments *a) {
  const double one = 1;
  if (clrs_map_cast(CLRS_ONNX, CLRS_F32, CLRS_F32, &a->one_map, NULL) != CLRS_OK ||
      clrs_map_step(&a->one_map, CLRS_STEP_SUBTRACT, CLRS_F32, &(clrs_numbers){1, &one, {0}},
                    NULL) != CLRS_OK ||
      clrs_map_cast(CLRS_ONNX, CLRS_F32, CLRS_U8, &a->other_map, NULL) != CLRS_OK)
    abort();
  a->first__map = a->map = &a->one_map;
  a->second__map = &a->other_map;
}

FUNCTION(clrs_map_then, set_maps(a), a->first__map, a->second__map, a->map_out) {
  ROW(first__map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(first__map, &m->a->other_map, CLRS_INVALID_ARGUMENT,
      "the first map is to u8 and the second fr");
  ROW_IF(a->one_map.from = CLRS_F16, second__map, &m->a->one_map, CLRS_INVALID_ARGUMENT,
         "to f32 and the second from f16");
  ROW_IF((a->one_map.to = a->other_map.from = CLRS_U32, a->one_map.reinterprets = true),
         second__map, &m->a->other_map, CLRS_UNSUPPORTED,
         "a bitcast from f32 to u32, and a map from u32");
  ROW(second__map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(map_out, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
}

ROWS_OF(clrs_map_explain, set_maps(a),
        matrix_say(&a->say, "%zu", clrs_map_explain(a->map, a->text, a->size))) {
  ANSWERS(map, NULL, "0");
  ANSWERS(text, NULL, "22"); /* "f32 -> f32: - 1 in f32" */
  ANSWERS(size, 0, "22");
  ANSWERS(size, SIZE_MAX, "22");
}

/* ---- mapped views ---- */

FUNCTION(clrs_mapped_init, (void)a, a->view, a->mapped_out) {
  VIEW_ROWS(view);
  ROW(mapped_out, NULL, CLRS_INVALID_ARGUMENT, "mapped is NULL");
}

/* A map of f32 that subtracts two numbers along the first dim. */
static void set_mapped(arguments *a) {
  const double numbers[] = {1, 2, 3, 4};
  const clrs_numbers list = {4, numbers, {CLRS_SPREAD_AXIS, 0, 0}};
  set_maps(a);
  memset(&a->one_tensors, 0, sizeof a->one_tensors);
  a->tensors = &a->one_tensors;
  a->mapped = &a->one_mapped;
  a->one_map.step_count = a->one_map.number_count = 0;
  if (clrs_mapped_init(&a->one_view, &a->one_mapped, NULL) != CLRS_OK ||
      clrs_map_step(&a->one_map, CLRS_STEP_SUBTRACT, CLRS_F32, &list, NULL) != CLRS_OK ||
      clrs_mapped_then(&a->one_mapped, &a->one_map, NULL, NULL) != CLRS_OK)
    abort();
}

/* Fields that kernels would use for addresses if the library trusted the fields. */
#define EDITED_ROWS                                                                                \
  ROW(mapped->dtype, CLRS_F64, CLRS_INVALID_ARGUMENT, "to f64 of 64; the widths must be equal")    \
  ROW(mapped->dtype, CLRS_STRING, CLRS_INVALID_ARGUMENT, "has none of strings")                    \
  ROW(mapped->views.of_step[0], 1, CLRS_INVALID_ARGUMENT, "has view 1; clrs_map_bind made 1")      \
  ROW(mapped->views.of_step[0], CLRS_MAP_SCALAR, CLRS_INVALID_ARGUMENT,                            \
      "a parameter of 4 numbers has CLRS_MAP_SCALAR in place of a view")                           \
  ROW(mapped->map.steps[0].parameter.count, 0, CLRS_OK, "")                                        \
  ROW(mapped->map.steps[0].parameter.count, 3, CLRS_OUT_OF_BOUNDS,                                 \
      "reads its numbers 0 to 3; it has 3, counted from 0")                                        \
  ROW(mapped->views.views[0].levels[0].offset, 1, CLRS_OUT_OF_BOUNDS, "its numbers 1 to 4; it")    \
  ROW(mapped->views.views[0].levels[0].offset, -1, CLRS_OUT_OF_BOUNDS, "its numbers -1 to 2; it")  \
  ROW(mapped->views.views[0].levels[0].offset, INT64_MAX, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)     \
  ROW(mapped->views.views[0].dtype, CLRS_F32, CLRS_INVALID_ARGUMENT, "own numbers is of f64")      \
  ROW_IF(a->mapped->views.views[0].dtype = CLRS_BOOL, mapped->map.steps[0].parameter.count, 0,     \
         CLRS_INVALID_ARGUMENT, "a parameter of bool; it must be of integers or floats")           \
  ROW(mapped->map.steps[0].dtype, 99, CLRS_INVALID_ARGUMENT, "element type 99 is unknown")         \
  ROW(mapped->map.steps[0].dtype, CLRS_I16, CLRS_INVALID_ARGUMENT, "steps in i16")                 \
  ROW_IF((a->mapped->map.steps[1] = (clrs_step){.dtype = CLRS_F32}), mapped->map.step_count, 2,    \
         CLRS_INVALID_ARGUMENT, "a parameter of 0 num")                                            \
  TAKES(mapped->views.of_step[1], 9)

#define MAPPED_ROWS                                                                                \
  ROW(mapped, NULL, CLRS_INVALID_ARGUMENT, "mapped is NULL")                                       \
  DTYPE_ROWS(mapped->dtype)                                                                        \
  ROW(mapped->map.step_count, 0, CLRS_OK, "")                                                      \
  ROW(mapped->map.from, CLRS_I32, CLRS_INVALID_ARGUMENT, "and of this map one of type 13")         \
  ROW(mapped->views.source.depth, 0, CLRS_INVALID_ARGUMENT, "a stack of 0 walks")                  \
  ROW(mapped->views.count, CLRS_MAP_VIEWS + 1, CLRS_INVALID_ARGUMENT, "views of 5 parameters")     \
  ROW(mapped->views.count, UINT32_MAX, CLRS_INVALID_ARGUMENT, "views of 4294967295 parameters")    \
  ROW(mapped->views.views[0].depth, 0, CLRS_INVALID_ARGUMENT, "a stack of 0 walks")                \
  ROW(mapped->views.views[0].shape.rank, 1, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                   \
  EDITED_ROWS

FUNCTION(clrs_mapped_check, set_mapped(a), a->mapped) {
  MAPPED_ROWS;
}

/* The source of the move has no separate view. */
static void set_mapped_move(arguments *a) {
  set_mapped(a);
  a->move->source.view = NULL;
  a->move->destination.view = NULL;
}

FUNCTION(clrs_plan_mapped, set_mapped_move(a), a->mapped, a->move, a->limits, a->plan_out) {
  MAPPED_ROWS
  ROW(move, NULL, CLRS_INVALID_ARGUMENT, "move is NULL");
  TAKES(move->source.view, &m->a->bad_view);
  ROW(move->source.alignment, 0, CLRS_INVALID_ARGUMENT, "alignment");
  ROW(move->source.byte_offset, UINT64_MAX, CLRS_OVERFLOW, "");
  ROW(move->destination.view, &m->a->bad_view, CLRS_INVALID_ARGUMENT, "");
  TAKES(move->destination.view, &m->a->other_view);
  ROW_IF(a->other_view = core_view(2, LIST(6, 4)), move->destination.view, &a->other_view,
         CLRS_COUNT_MISMATCH, "the source is [4,6] and the destination [6,4]");
  ROW_IF(a->other_view.dtype = CLRS_F16, move->destination.view, &a->other_view,
         CLRS_INVALID_ARGUMENT, "mapped to f32 and the destination f16");
  ROW_IF(a->one_view.axes[0].stride = 0, move->destination.view, &a->one_view, CLRS_OVERLAP,
         "two elements of the destination [4,6] lie at one position");
  TAKES(move->destination.byte_offset, UINT64_MAX);
  TAKES(move->destination.alignment, 0);
  ROW(move->policy, -1, CLRS_INVALID_ARGUMENT, "clrs_copy_policy has 0 to 2");
  ROW(move->policy, 3, CLRS_INVALID_ARGUMENT, "copy policy 3 is unknown");
  ROW(move->policy, CLRS_COPY_NEVER, CLRS_WOULD_COPY, "its elements are computed when it is moved");
  ROW(limits, NULL, CLRS_INVALID_ARGUMENT, "limits is NULL");
  LIMITS_ROWS(limits->);
  ROW(plan_out, NULL, CLRS_INVALID_ARGUMENT, "plan is NULL");
}

FUNCTION(clrs_mapped_then, (set_mapped(a), a->map = &a->other_map), a->mapped, a->map, a->tensors) {
  MAPPED_ROWS;
  ROW(map, NULL, CLRS_INVALID_ARGUMENT, "map is NULL");
  ROW(map->from, CLRS_I32, CLRS_INVALID_ARGUMENT, "a map from i32 of what is f32");
  TAKES(tensors, NULL); /* none is needed */
  ROW_IF((a->map = &a->one_map, a->one_map.steps[0].parameter.count = 0), tensors, NULL,
         CLRS_INVALID_ARGUMENT, "a parameter that is a tensor is NULL");
  ROW_IF((a->map = &a->one_map, a->one_map.steps[0].parameter.count = 0), tensors->steps[0],
         &m->a->bad_view, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW);
}

/* From u8 to another type. */
static void set_after(arguments *a) {
  set_mapped(a);
  a->after = &a->other_mapped;
  if (clrs_mapped_init(&a->one_view, &a->other_mapped, NULL) != CLRS_OK ||
      clrs_mapped_then(&a->other_mapped, &a->other_map, NULL, NULL) != CLRS_OK)
    abort();
}

FUNCTION(clrs_mapped_join, set_after(a), a->mapped, a->after) {
  MAPPED_ROWS;
  ROW(after, NULL, CLRS_INVALID_ARGUMENT, "mapped is NULL");
  ROW(after->map.steps[0].kind, -1, CLRS_INVALID_ARGUMENT, "clrs_step_kind has 0 to 12");
  ROW(after->views.count, CLRS_MAP_VIEWS + 1, CLRS_INVALID_ARGUMENT, "views of 5 parameters");
  ROW(after->views.of_step[0], 1, CLRS_OK, "");
  ROW_IF(a->other_mapped.map.from = CLRS_U8, after->views.source.dtype, CLRS_U8,
         CLRS_INVALID_ARGUMENT, "");
  ROW_IF(a->mapped->map.to = CLRS_F16, mapped->dtype, CLRS_F16, CLRS_INVALID_ARGUMENT, "");
  ROW_IF(a->other_mapped.views.source = core_view(2, LIST(6, 4)), after->dtype, CLRS_U8,
         CLRS_COUNT_MISMATCH, "the mapped view is [4,6], and what is to follow it is of [6,4]");
}

/* ---- chains ---- */

static void set_chain(arguments *a) {
  set_mapped(a);
  if (clrs_chain_parse("scale=2 permute=1,0", &a->one_chain, NULL) != CLRS_OK)
    abort();
  a->chain = &a->one_chain;
  a->rules = &a->one_rules;
  a->one_rules = (clrs_rules){CLRS_ONNX, CLRS_ZERO_COPIES};
}

#define CHAIN_ROWS                                                                                 \
  MAPPED_ROWS;                                                                                     \
  ROW(chain, NULL, CLRS_INVALID_ARGUMENT, "chain is NULL")                                         \
  TAKES(rules, NULL)                                                                               \
  PATTERN_MODE_ROWS(rules->dialect, rules->zero_mode)

FUNCTION(clrs_chain_map, set_chain(a), a->chain, a->rules, a->mapped) {
  CHAIN_ROWS;
}

FUNCTION(clrs_chain_map_one, (set_chain(a), a->index = 1), a->chain, a->index, a->rules,
         a->mapped) {
  CHAIN_ROWS;
  ROW(index, 2, CLRS_INVALID_ARGUMENT, "index is 2; the chain has 2 operations");
  ROW(index, SIZE_MAX, CLRS_INVALID_ARGUMENT, "index is " MOST);
}
