/*
 * Resize and Upsample of two neighbouring dims, with the bits of ONNX Runtime: a resize of chains.
 * The moves and maps behind run in the same pass.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "maps.h"
#include "operators.h"
#include "status.h"

typedef struct resize {
  const onnx_node *node;
  model_value *data;
  clrs_view view;
  clrs_shape shape;            /* of the result */
  float scales[CLRS_MAX_RANK]; /* of each dim */
  bool is_linear;
} resize;

static bool is_one(float scale) {
  return !(scale < 1) && !(scale > 1);
}

/* ---- attributes ---- */

typedef struct word {
  char text[32];
} word;

/* Reads a string attribute of letters. Other characters become '?', and no known word has 31. */
static word read_word(const onnx_node *node, const char *name, const char *otherwise) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
  word read = {""};
  if (attribute == NULL) {
    snprintf(read.text, sizeof read.text, "%s", otherwise);
    return read;
  }
  for (size_t i = 0; i < attribute->s.len && i + 1 < sizeof read.text; i++) {
    const char c = (char)attribute->s.data[i];
    read.text[i] = (char)((c >= 'a' && c <= 'z') || c == '_' ? c : '?');
  }
  return read;
}

static clrs_status check_zero(const onnx_node *node, const char *name, clrs_error *error) {
  const int64_t value = onnx_node_int(node, name, 0);
  return value == 0 ? CLRS_OK
                    : clrs__fail(error, CLRS_UNSUPPORTED, "%s is %" PRId64 "; only 0 is executed",
                                 name, value);
}

static clrs_status read_mode(resize *to, clrs_error *error) {
  const word mode = read_word(to->node, "mode", "nearest");
  CLRS_TRY(check_zero(to->node, "antialias", error));
  CLRS_TRY(check_zero(to->node, "exclude_outside", error));
  to->is_linear = strcmp(mode.text, "linear") == 0;
  return to->is_linear || strcmp(mode.text, "nearest") == 0
             ? CLRS_OK
             : clrs__fail(error, CLRS_UNSUPPORTED, "mode is %s; nearest and linear are executed",
                          mode.text);
}

/* ---- scales and sizes ---- */

/* Numbers for the dims that the axes name, or for all dims: scales or sizes. */
typedef struct amounts {
  onnx_integers axes, sizes;
  size_t count;
  float scales[CLRS_MAX_RANK];
} amounts;

static clrs_status take_scales(size_t count, const void *scales, amounts *from, clrs_error *error) {
  if (count > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "scales has %zu values; %d is the limit", count,
                      CLRS_MAX_RANK);
  }
  from->count = count;
  if (count > 0) {
    memcpy(from->scales, scales, count * sizeof *from->scales);
  }
  return CLRS_OK;
}

static clrs_status read_scales(const onnx_node *node, amounts *from, clrs_error *error) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, "scales");
  const onnx_dense *dense;
  model_value *value;
  if (attribute != NULL) {
    return take_scales(attribute->n_floats, attribute->floats, from, error);
  }
  CLRS_TRY(onnx_node_input(node, node->op->since < 11 ? 1 : 2, &value, error));
  if (value == NULL) {
    return CLRS_OK;
  }
  if (onnx_graph_dtype(value) != CLRS_F32) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "scales is of %s; it must be of float",
                      clrs_dtype_name(onnx_graph_dtype(value), CLRS_TYPES_ONNX));
  }
  CLRS_TRY(onnx_graph_dense(node->graph, value, &dense, error));
  return take_scales(dense->size / sizeof(float), dense->bytes, from, error);
}

static clrs_status read_amounts(const resize *to, amounts *from, clrs_error *error) {
  const onnx_node *node = to->node;
  *from = (amounts){.axes = onnx_node_ints(node, "axes")};
  CLRS_TRY(read_scales(node, from, error));
  CLRS_TRY(onnx_node_list(node, 3, "sizes", ONNX_INT64, CLRS_MAX_RANK, &from->sizes, error));
  const size_t wanted = from->axes.present ? from->axes.count : to->view.shape.rank;
  if ((from->count > 0) == (from->sizes.count > 0)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "there must be either scales or sizes; %s",
                      from->count > 0 ? "there are both" : "there is neither");
  }
  if (from->count + from->sizes.count != wanted) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s has %zu values; it must have %zu",
                      from->count > 0 ? "scales" : "sizes", from->count + from->sizes.count,
                      wanted);
  }
  return CLRS_OK;
}

/* Sets the scale of a dim, and the extent, which is the whole part of `size`. */
static clrs_status set_extent(resize *to, uint32_t dim, double size, float scale,
                              clrs_error *error) {
  const int64_t extent = to->view.shape.dims[dim];
  if (!(scale > 0 && size >= 0 && size <= INT32_MAX) || (extent == 0 && size >= 1)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "dimension %u of extent %" PRId64 " is resized to %g, by a scale of %g", dim,
                      extent, size, (double)scale);
  }
  to->scales[dim] = extent == 0 ? 1 : scale; /* no elements stay none, by any scale */
  to->shape.dims[dim] = (int64_t)size;
  return CLRS_OK;
}

/* The one scale of all dims that are resized, with keep_aspect_ratio_policy, or 0. */
static clrs_status read_policy(const resize *to, const amounts *from, const uint32_t *dims,
                               float *scale, clrs_error *error) {
  const word policy = read_word(to->node, "keep_aspect_ratio_policy", "stretch");
  const bool is_larger = strcmp(policy.text, "not_smaller") == 0;
  *scale = 0;
  if (strcmp(policy.text, "stretch") == 0) {
    return CLRS_OK;
  }
  if (!is_larger && strcmp(policy.text, "not_larger") != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "keep_aspect_ratio_policy is %s; it must be stretch, not_larger or "
                      "not_smaller",
                      policy.text);
  }
  for (size_t i = 0; i < from->sizes.count; i++) {
    const float one = (float)from->sizes.values[i] / (float)to->view.shape.dims[dims[i]];
    *scale = i == 0 || (one > *scale) == is_larger ? one : *scale;
  }
  return CLRS_OK;
}

/* Finds the scale and the extent of each dim. A product of floats has the bits of ONNX Runtime. */
static clrs_status find_extents(resize *to, const amounts *from, clrs_error *error) {
  const uint32_t rank = to->view.shape.rank;
  uint32_t dims[CLRS_MAX_RANK] = {0};
  float policy;
  for (uint32_t i = 0; i < rank; i++) {
    to->scales[i] = 1;
    dims[i] = i;
  }
  for (size_t i = 0; i < from->axes.count; i++) {
    CLRS_TRY(onnx_node_axis(to->node, from->axes.values[i], rank, &dims[i], error));
  }
  CLRS_TRY(read_policy(to, from, dims, &policy, error));
  for (size_t i = 0; i < from->count + from->sizes.count; i++) {
    const float extent = (float)to->view.shape.dims[dims[i]];
    const int64_t given = from->count > 0 ? 0 : from->sizes.values[i];
    const float scale = from->count > 0 ? from->scales[i]
                        : policy > 0    ? policy
                                        : (float)given / extent;
    const double product = (double)(scale * extent);
    const double size = from->count > 0 ? product : policy > 0 ? product + 0.5 : (double)given;
    CLRS_TRY(set_extent(to, dims[i], size, scale, error));
  }
  return CLRS_OK;
}

/* ---- the result ---- */

/* Finds the first of the two dims. All other dims must keep their elements. */
static clrs_status find_rows(const resize *to, uint32_t *rows, clrs_error *error) {
  const uint32_t rank = to->view.shape.rank;
  for (*rows = 0; *rows + 2 < rank && is_one(to->scales[*rows]);) {
    ++*rows;
  }
  for (uint32_t i = *rows + 2; i < rank; i++) {
    if (!is_one(to->scales[i])) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "dimensions %u and %u are resized; only two neighbours are executed", *rows,
                        i);
    }
  }
  if (rank < 2) {
    return clrs__fail(error, CLRS_UNSUPPORTED, "its input has %u dims; 2 or more are executed",
                      rank);
  }
  if (to->is_linear && (to->view.dtype != CLRS_F32 || (rank != 2 && (rank != 4 || *rows == 0)))) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "mode is linear, for dimensions %u and %u of %u of %s; it is executed for "
                      "float, of 2 dims or of 4 of which the first stays",
                      *rows, *rows + 1, rank, clrs_dtype_name(to->view.dtype, CLRS_TYPES_ONNX));
  }
  return CLRS_OK;
}

/* Nine digits say which float the scale is. The C library would write them by its locale. */
static int write_scale(float scale, char separator, char *text, size_t size) {
  double digits = (double)scale;
  int places = 0;
  for (; digits < 1e8; places++) {
    digits *= 10;
  }
  return snprintf(text, size, "%c%" PRId64 "e-%d", separator, (int64_t)(digits + 0.5), places);
}

static clrs_status write_chain(const resize *to, clrs_chain *chain, clrs_error *error) {
  const bool is_old = to->node->op->since < 11;
  const word coordinates =
      read_word(to->node, "coordinate_transformation_mode", is_old ? "asymmetric" : "half_pixel");
  const word nearest =
      read_word(to->node, "nearest_mode", is_old ? "simple" : "round_prefer_floor");
  const int64_t *dims = to->shape.dims;
  char text[300];
  uint32_t rows;
  CLRS_TRY(find_rows(to, &rows, error));
  int used = snprintf(
      text, sizeof text,
      "resize=%" PRId64 ",%" PRId64 ",%s,axis=%u,coordinate_transformation_mode=%s%s%s,"
      "scales",
      dims[rows], dims[rows + 1], to->is_linear ? "onnx_linear" : "onnx_nearest", rows,
      coordinates.text, to->is_linear ? "" : ",nearest_mode=", to->is_linear ? "" : nearest.text);
  used += write_scale(to->scales[rows], '=', text + used, sizeof text - (size_t)used);
  (void)write_scale(to->scales[rows + 1], ':', text + used, sizeof text - (size_t)used);
  return clrs_chain_parse(text, chain, error);
}

static clrs_status make(const resize *to, const clrs_chain *chain, clrs_tensor **made,
                        clrs_error *error) {
  clrs_onnx_graph *graph = to->node->graph;
  clrs_tensor *tensor;
  CLRS_TRY(onnx_graph_tensor(graph, to->data, &tensor, error));
  CLRS_TRY(clrs_tensor_with_chain(tensor, chain, NULL, made, error));
  CLRS_TRY(onnx_arena_hold(&graph->arena, *made, error));
  return onnx_check_pass(*made, error);
}

clrs_status onnx_resize(const onnx_node *node, clrs_error *error) {
  const clrs_onnx_moved moved = onnx_node_moved(node);
  resize to = {.node = node};
  amounts from;
  clrs_chain chain;
  clrs_tensor *made;
  CLRS_TRY(read_mode(&to, error));
  CLRS_TRY(onnx_node_data(node, &to.data, &to.view, error));
  to.shape = to.view.shape;
  CLRS_TRY(read_amounts(&to, &from, error));
  CLRS_TRY(find_extents(&to, &from, error));
  if (clrs_shape_equal(&to.shape, &to.view.shape)) { /* as ONNX Runtime, for any scales */
    return onnx_node_output(node, 0, to.data, &to.view, error);
  }
  CLRS_TRY(write_chain(&to, &chain, error));
  clrs_status status = make(&to, &chain, &made, error);
  if (onnx_is_apart(status)) {
    CLRS_TRY(onnx_graph_store(node->graph, to.data, &moved, &made, error));
    status = make(&to, &chain, &made, error);
  }
  CLRS_TRY(status);
  return onnx_node_give(node, made, error);
}
