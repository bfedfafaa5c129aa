/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include "status.h"
#include "text.h"

/* Does node `from` depend on node `to`, however indirectly? `open` has room for each node, to be
 * followed once, and `met` says which have been entered. */
static bool depends(const onnx_graph *graph, size_t from, size_t to, size_t *open, bool *met) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  size_t open_count = 1;
  open[0] = from;
  met[from] = true;
  while (open_count > 0) {
    const size_t at = open[--open_count];
    if (at == to) {
      return true;
    }
    for (size_t i = 0; i < proto->node[at]->n_input; i++) {
      const model_name *next = model_values_name(&graph->values, proto->node[at]->input[i]);
      if (next != NULL && next->node < proto->n_node && !met[next->node]) {
        met[next->node] = true;
        open[open_count++] = next->node;
      }
    }
  }
  return false;
}

clrs_status onnx_order_fail(onnx_graph *graph, size_t index, const char *name, clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  const model_name *from = model_values_name(&graph->values, name);
  size_t *open;
  bool *met;
  if (from == NULL || from->node >= proto->n_node) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "its input \"%s\" is no input of the graph, no initializer and no output "
                      "of any node",
                      clrs__show(name).text);
  }
  CLRS_TRY(onnx_arena_take(&graph->arena, proto->n_node, sizeof *open, &open, error));
  CLRS_TRY(onnx_arena_take(&graph->arena, proto->n_node, sizeof *met, &met, error));
  const Onnx__NodeProto *node = proto->node[from->node];
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "its input \"%s\" is computed by node %u \"%s\" (%s), which %s",
                    clrs__show(from->text).text, from->node, clrs__show(node->name).text,
                    clrs__show(node->op_type).text,
                    depends(graph, from->node, index, open, met)
                        ? "needs this node's output: the graph has a cycle"
                        : "comes later: the nodes must be sorted topologically");
}
