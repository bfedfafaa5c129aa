/*
 * Lines of --explain.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_explain.h"

#include "print.h"
#include "text.h"

void onnx_explain_plan(FILE *to, const clrs_view *view, const clrs_plan *plan) {
  char text[4096];
  if (to == NULL)
    return;
  clrs_plan_explain(plan, text, sizeof text);
  fprintf(to, "%s ", clrs_dtype_name(view->dtype, CLRS_TYPES_ONNX));
  cli_print_list(to, view->shape.rank, view->shape.dims);
  fprintf(to, ": %s\n", text);
}

void onnx_explain_node(FILE *to, size_t index, const Onnx__NodeProto *node) {
  if (to == NULL)
    return;
  fprintf(to, "node %zu ", index);
  cli_print_string(to, node->name ? node->name : "");
  fprintf(to, " (%s): ", clrs__show(node->op_type).text);
}
