/* SPDX-License-Identifier: Apache-2.0 */
#include "latency_host.h"

#include "fail.h"

clrs_status latency_resolve(clrs_error *error) {
  const int64_t values[] = {0, -1, 12, 64};
  const clrs_shape input = {3, {8, 1024, 768}};
  clrs_pattern pattern;
  clrs_shape shape;
  CLRS_TRY(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 4, values, &pattern, error));
  return clrs_pattern_resolve(&pattern, &input, &shape, error);
}

/* [8,1024,768] -> [8,1024,12,64] -> [8,12,1024,64] */
clrs_status latency_view(clrs_view *view, clrs_error *error) {
  const clrs_shape joined = {3, {8, 1024, 768}}, split = {4, {8, 1024, 12, 64}};
  const int64_t perm[] = {0, 2, 1, 3};
  CLRS_TRY(clrs_view_dense(CLRS_F16, &joined, view, error));
  CLRS_TRY(clrs_view_reshape(view, &split, error));
  return clrs_view_permute(view, 4, perm, error);
}

clrs_status latency_plan(const clrs_view *view, clrs_plan *plan, clrs_error *error) {
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {.source = {.view = view, .alignment = 128},
                          .destination = {.alignment = 128},
                          .policy = CLRS_COPY_ALWAYS};
  return clrs_plan_move(&move, &limits, plan, error);
}

clrs_status latency_view_and_plan(clrs_plan *plan, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(latency_view(&view, error));
  return latency_plan(&view, plan, error);
}

/* Swin's windows of 7 by 7 out of an image of 56 by 56, their tokens: [8,56,56,96] -> [512,49,96]
 */
static clrs_status cut_windows(clrs_view *view, clrs_error *error) {
  const clrs_shape image = {4, {8, 56, 56, 96}}, grid = {6, {8, 8, 7, 8, 7, 96}};
  const clrs_shape windows = {3, {512, 49, 96}};
  const int64_t together[] = {0, 1, 3, 2, 4, 5};
  CLRS_TRY(clrs_view_dense(CLRS_F16, &image, view, error));
  CLRS_TRY(clrs_view_reshape(view, &grid, error));
  CLRS_TRY(clrs_view_permute(view, 6, together, error));
  return clrs_view_reshape(view, &windows, error);
}

/* Three heads, each repeated for two queries, of 48 tokens in reverse: -> [512,3,2,48,32] */
static clrs_status split_heads(clrs_view *view, clrs_error *error) {
  const clrs_shape heads = {4, {512, 49, 3, 32}}, repeated = {5, {512, 3, 2, 48, 32}};
  const int64_t heads_first[] = {0, 2, 1, 3}, queries[] = {2};
  const clrs_slice tokens[] = {{2, 48, 0, -1}};
  CLRS_TRY(clrs_view_reshape(view, &heads, error));
  CLRS_TRY(clrs_view_permute(view, 4, heads_first, error));
  CLRS_TRY(clrs_view_slice(view, 1, tokens, error));
  CLRS_TRY(clrs_view_unsqueeze(view, 1, queries, error));
  return clrs_view_expand(view, &repeated, error);
}

clrs_status latency_chain_and_plan(clrs_plan *plan, clrs_error *error) {
  clrs_view view;
  CLRS_TRY(cut_windows(&view, error));
  CLRS_TRY(split_heads(&view, error));
  return latency_plan(&view, plan, error);
}
