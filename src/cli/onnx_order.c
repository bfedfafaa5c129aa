/*
 * Looking for the node that computes a value, and for a way back from it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_order.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

/* Names of values, sorted, and the nodes that compute them. */
typedef struct producer {
  const char *name;
  size_t node;
} producer;

typedef struct order {
  const Onnx__GraphProto *graph;
  size_t count;
  producer *producers;
  size_t *open; /* nodes still to be followed; each is entered once */
  bool *met;
} order;

static int compare(const void *a, const void *b) {
  return strcmp(((const producer *)a)->name, ((const producer *)b)->name);
}

static const producer *find(const order *order, const char *name) {
  const producer key = {name, 0};
  return name == NULL ? NULL : bsearch(&key, order->producers, order->count, sizeof key, compare);
}

static bool order_init(const Onnx__GraphProto *graph, order *order) {
  size_t outputs = 0;
  for (size_t i = 0; i < graph->n_node; i++)
    outputs += graph->node[i]->n_output;
  order->graph = graph;
  order->producers = calloc(outputs + 1, sizeof *order->producers);
  order->open = calloc(graph->n_node + 1, sizeof *order->open);
  order->met = calloc(graph->n_node + 1, sizeof *order->met);
  if (order->producers == NULL || order->open == NULL || order->met == NULL)
    return false;
  for (size_t i = 0; i < graph->n_node; i++) {
    for (size_t k = 0; k < graph->node[i]->n_output; k++) {
      if (graph->node[i]->output[k] != NULL)
        order->producers[order->count++] = (producer){graph->node[i]->output[k], i};
    }
  }
  qsort(order->producers, order->count, sizeof *order->producers, compare);
  return true;
}

static void order_free(order *order) {
  free(order->producers);
  free(order->open);
  free(order->met);
}

/* Does `from` depend on `to`, however indirectly? */
static bool depends(order *order, size_t from, size_t to) {
  size_t open_count = 1;
  order->open[0] = from;
  order->met[from] = true;
  while (open_count > 0) {
    const size_t at = order->open[--open_count];
    if (at == to)
      return true;
    for (size_t i = 0; i < order->graph->node[at]->n_input; i++) {
      const producer *next = find(order, order->graph->node[at]->input[i]);
      if (next != NULL && !order->met[next->node]) {
        order->met[next->node] = true;
        order->open[open_count++] = next->node;
      }
    }
  }
  return false;
}

static clrs_status fail_later(order *order, size_t index, const producer *from, clrs_error *error) {
  const Onnx__NodeProto *node = order->graph->node[from->node];
  const bool cycle = depends(order, from->node, index);
  return cli_fail(error, CLRS_INVALID_ARGUMENT,
                  "its input \"%.100s\" is computed by node %zu \"%.100s\" (%.100s), which %s",
                  from->name, from->node, node->name ? node->name : "",
                  node->op_type ? node->op_type : "",
                  cycle ? "needs this node's output: the graph has a cycle"
                        : "comes later: the nodes must be sorted topologically");
}

clrs_status onnx_order_fail(const Onnx__GraphProto *graph, size_t index, const char *name,
                            clrs_error *error) {
  order order = {0};
  clrs_status status;
  const producer *from = NULL;
  bool ready = order_init(graph, &order);
  if (ready)
    from = find(&order, name);
  if (!ready)
    status = cli_fail(error, CLRS_OUT_OF_MEMORY, "no memory to look for \"%.100s\"", name);
  else if (from != NULL)
    status = fail_later(&order, index, from, error);
  else
    status = cli_fail(error, CLRS_INVALID_ARGUMENT,
                      "its input \"%.100s\" is no input of the graph, no initializer and no output "
                      "of any node",
                      name);
  order_free(&order);
  return status;
}
