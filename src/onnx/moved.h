/*
 * What a caller may hear of while a model runs: each time that bytes are moved.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_ONNX_MOVED_H
#define CLRESHAPE_ONNX_MOVED_H

#include <clreshape/clreshape.h>

typedef struct onnx_moved {
  size_t index;      /* of the node, or of the output */
  const char *name;  /* never NULL; as it is in the model: escape it before it is shown */
  const char *op;    /* the node's operator; NULL where an output is moved */
  uint32_t launches; /* of kernels */
  /* What was moved and how. Both are NULL where only a border was filled. */
  const clrs_view *view;
  const clrs_plan *plan;
} onnx_moved;

/* Who hears of it; a NULL function is nobody. What `moved` points to lives during the call. */
typedef struct onnx_observer {
  void (*moved)(void *user_data, const onnx_moved *moved);
  void *user_data;
} onnx_observer;

#endif /* CLRESHAPE_ONNX_MOVED_H */
