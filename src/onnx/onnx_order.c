/*
 * Looking for the node that computes a value, and for a way back from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_order.h"

#include <stdlib.h>

#include "fail.h"
#include "text.h"

struct order {
  const Onnx__GraphProto *graph;
  const model_values *values;
  size_t *open; /* nodes still to be followed; each is entered once */
  bool *met;
};

static clrs_status order_init(struct order *order, clrs_error *error) {
  order->open = calloc(order->graph->n_node + 1, sizeof *order->open);
  order->met = calloc(order->graph->n_node + 1, sizeof *order->met);
  if (order->open != NULL && order->met != NULL)
    return CLRS_OK;
  (void)clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory to look for the node that is missing");
  return CLRS_OUT_OF_MEMORY; /* for analysers: never CLRS_OK */
}

static void order_free(struct order *order) {
  free(order->open);
  free(order->met);
}

/* Does `from` depend on `to`, however indirectly? */
static bool depends(struct order *order, size_t from, size_t to) {
  size_t open_count = 1;
  order->open[0] = from;
  order->met[from] = true;
  while (open_count > 0) {
    const size_t at = order->open[--open_count];
    if (at == to)
      return true;
    for (size_t i = 0; i < order->graph->node[at]->n_input; i++) {
      const model_name *next = model_values_name(order->values, order->graph->node[at]->input[i]);
      if (next != NULL && next->node < order->graph->n_node && !order->met[next->node]) {
        order->met[next->node] = true;
        order->open[open_count++] = next->node;
      }
    }
  }
  return false;
}

static clrs_status fail_later(struct order *order, size_t index, const model_name *from,
                              clrs_error *error) {
  const Onnx__NodeProto *node = order->graph->node[from->node];
  CLRS_TRY(order_init(order, error));
  const bool cycle = depends(order, from->node, index);
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "its input \"%s\" is computed by node %u \"%s\" (%s), which %s",
                    clrs__show(from->text).text, from->node, clrs__show(node->name).text,
                    clrs__show(node->op_type).text,
                    cycle ? "needs this node's output: the graph has a cycle"
                          : "comes later: the nodes must be sorted topologically");
}

clrs_status onnx_order_fail(const onnx_graph *graph, size_t index, const char *name,
                            clrs_error *error) {
  struct order order = {.graph = graph->model->proto->graph, .values = &graph->values};
  const model_name *from = model_values_name(&graph->values, name);
  if (from == NULL || from->node >= order.graph->n_node)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "its input \"%s\" is no input of the graph, no initializer and no output "
                      "of any node",
                      clrs__show(name).text);
  clrs_status status = fail_later(&order, index, from, error);
  order_free(&order);
  return status;
}
