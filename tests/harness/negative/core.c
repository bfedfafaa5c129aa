/*
 * The negative matrix of the functions without a device: the default arguments of a row.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "core.h"

clrs_view core_view(size_t rank, const int64_t *dims) {
  clrs_shape shape;
  clrs_view view;
  memset(&view, 0, sizeof view);
  if (clrs_shape_init(rank, dims, &shape, NULL) != CLRS_OK ||
      clrs_view_dense(CLRS_F32, &shape, &view, NULL) != CLRS_OK)
    abort(); /* no shape of the matrix' own is wrong */
  return view;
}

static void point_outputs(arguments *a) {
  static clrs_plan plan; /* undefined after a failure, so not compared */
  a->dtype_out = &a->made.dtype;
  a->element_count_out = &a->made.element_count;
  a->index_out = &a->made.index;
  a->shape_out = &a->made.shape;
  a->pattern_out = &a->made.pattern;
  a->layout_out = &a->made.layout;
  a->bounds_out = &a->made.bounds;
  a->view_out = &a->made.view;
  a->blocked_out = &a->made.blocked;
  a->chain_out = &a->made.chain;
  a->plan_out = &plan;
  a->map_out = &a->made.map;
  a->views_out = &a->made.views;
  a->mapped_out = &a->made.mapped;
  a->pad_out = &a->made.pad;
}

/* Sets right values: mostly [4, 6] elements of f32, and a move from a transposed view with as many
 * elements. */
static void set_values(arguments *a) {
  static const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  a->one_view = core_view(2, LIST(4, 6));
  a->other_view = core_view(2, LIST(6, 4));
  if (clrs_view_permute(&a->other_view, 2, LIST(1, 0), NULL) != CLRS_OK)
    abort();
  a->bad_view = a->one_view;
  a->bad_view.shape.dims[0] = 1000;
  a->one_shape = a->other_shape = a->one_view.shape;
  a->one_pattern = (clrs_pattern){CLRS_ONNX, CLRS_ZERO_COPIES, 2, {8, -1}};
  a->one_layout = (clrs_layout){CLRS_F32, 2, {4, 6}, {6, 1}, 0};
  a->one_blocked = (clrs_blocked_layout){.dtype = CLRS_F32,
                                         .shape = a->one_shape,
                                         .padded_dims = {4, 8},
                                         .outer_strides = {8, 4},
                                         .block_count = 1,
                                         .blocks = {{1, 4}}};
  a->one_limits = limits;
  a->one_move = (clrs_move){.source = {&a->other_view, 0, 4},
                            .destination = {&a->one_view, 4096, 4},
                            .policy = CLRS_COPY_IF_NEEDED};
}

static void reset(arguments *a) {
  memset(a, MATRIX_POISON, sizeof *a);
  point_outputs(a);
  set_values(a);
  a->dtype = CLRS_F32;
  a->system = CLRS_TYPES_CLRESHAPE;
  a->dialect = CLRS_ONNX;
  a->zero_mode = CLRS_ZERO_COPIES;
  a->shape = a->input = a->a__shape = &a->one_shape;
  a->b__shape = &a->other_shape;
  a->pattern = &a->one_pattern;
  a->layout = &a->one_layout;
  a->view = &a->one_view;
  a->blocked = &a->one_blocked;
  a->move = &a->one_move;
  a->destination = a->b = &a->one_move.destination;
  a->a = &a->one_move.source;
  a->limits = &a->one_limits;
  a->strides = NULL;
  a->plan = NULL;
  a->text = NULL;
  a->size = 64;
  a->offset = 0;
}

int main(int count, char **words) {
  const matrix_world world = {.size = sizeof(arguments), .reset = reset};
  return matrix_main(&world, count, words);
}
