/* SPDX-License-Identifier: Apache-2.0 */
#include "node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "axis.h"
#include "fold.h"
#include "operators.h"
#include "status.h"
#include "text.h"

static const onnx_attribute_rule *find_rule(const onnx_operator *op, const char *name) {
  for (const onnx_attribute_rule *rule = op->attributes; rule->name != NULL; rule++) {
    if (strcmp(rule->name, name) == 0) {
      return rule;
    }
  }
  return NULL;
}

/* Checks an attribute against the schema. The type is checked only if present, because attributes
 * had no type field before IR version 2. */
static clrs_status check_attribute(const onnx_node *node, const Onnx__AttributeProto *attribute,
                                   clrs_error *error) {
  const char *name = attribute->name ? attribute->name : "";
  const onnx_attribute_rule *rule = find_rule(node->op, name);
  if (rule == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute \"%s\" does not exist in opset %" PRId64, clrs__show(name).text,
                      node->graph->model->opset);
  }
  if (attribute->ref_attr_name != NULL && attribute->ref_attr_name[0] != '\0') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute %s refers to one of a function, but it is in no function", name);
  }
  if (attribute->has_type && attribute->type != rule->type) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute %s has AttributeType %d; it must be %d", name,
                      (int)attribute->type, (int)rule->type);
  }
  if (onnx_node_attribute(node, name) != attribute) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute %s is given twice", name);
  }
  return CLRS_OK;
}

static bool is_given(char *const *names, size_t count, size_t index) {
  return index < count && names[index] != NULL && names[index][0] != '\0';
}

static clrs_status left_out(size_t index, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "input %zu is left out but is not optional",
                    index);
}

static clrs_status check_inputs(const onnx_node *node, clrs_error *error) {
  const Onnx__NodeProto *proto = node->proto;
  size_t given = proto->n_input;
  while (given > 0 && !is_given(proto->input, given, given - 1)) {
    given--;
  }
  if (given < node->op->min_inputs || given > node->op->max_inputs) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it has %zu inputs; opset %" PRId64 " allows %zu to %zu", given,
                      node->graph->model->opset, node->op->min_inputs, node->op->max_inputs);
  }
  for (size_t i = 0; i < node->op->min_inputs; i++) {
    if (!is_given(proto->input, given, i)) {
      return left_out(i, error);
    }
  }
  return CLRS_OK;
}

static clrs_status check_schema(const onnx_node *node, clrs_error *error) {
  const Onnx__NodeProto *proto = node->proto;
  CLRS_TRY(check_inputs(node, error));
  if (proto->n_output < 1 || (proto->n_output > 1 && !node->op->many_outputs)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %zu outputs; %s are allowed",
                      proto->n_output, node->op->many_outputs ? "1 or more" : "exactly 1");
  }
  for (size_t i = 0; i < proto->n_attribute; i++) {
    CLRS_TRY(check_attribute(node, proto->attribute[i], error));
  }
  return CLRS_OK;
}

/* Refuses nodes with subgraphs, such as If, Loop and Scan. */
static clrs_status check_plain(const onnx_node *node, clrs_error *error) {
  for (size_t i = 0; i < node->proto->n_attribute; i++) {
    const Onnx__AttributeProto *attribute = node->proto->attribute[i];
    if (attribute->g != NULL || attribute->n_graphs > 0) {
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "attribute \"%s\" is a graph; no graph within the graph is executed",
                        clrs__show(attribute->name).text);
    }
  }
  return CLRS_OK;
}

static clrs_status run(onnx_node *node, clrs_error *error) {
  const char *op_type = node->proto->op_type ? node->proto->op_type : "";
  CLRS_TRY(check_plain(node, error));
  if (!onnx_model_is_default_domain(node->proto->domain)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "operators of domain \"%s\" and functions are not executed, only ONNX's own",
                      clrs__show(node->proto->domain).text);
  }
  CLRS_TRY(onnx_operator_find(op_type, node->graph->model->opset, &node->op, error));
  CLRS_TRY(check_schema(node, error));
  return node->op->view != NULL ? onnx_node_change(node, node->op->view, error)
                                : node->op->apply(node, error);
}

static clrs_status run_node(clrs_onnx_graph *graph, size_t index, clrs_error *error) {
  const Onnx__NodeProto *proto = graph->model->proto->graph->node[index];
  onnx_node node = {graph, proto, NULL, index};
  clrs_error inner;
  clrs_status status = CLRS_OK;
  graph->given_outputs = 0;
  do {
    graph->runs_again = false;
    status = run(&node, &inner);
    onnx_arena_end_node(&graph->arena);
  } while (graph->runs_again);
  if (status == CLRS_OK) {
    return CLRS_OK;
  }
  (void)clrs__fail(error, status, "node %zu \"%s\" (%s): %s", index, clrs__show(proto->name).text,
                   clrs__show(proto->op_type).text, inner.message);
  if (error != NULL) {
    error->opencl_code = inner.opencl_code;
  }
  return status;
}

/* Counts the node's inputs as read, and frees values that no later node reads. */
static void forget(const Onnx__NodeProto *node, model_values *values) {
  for (size_t i = 0; i < node->n_input; i++) {
    model_values_read(values, node->input[i]);
  }
  for (size_t i = 0; i < node->n_output; i++) {
    model_values_drop_unread(values, node->output[i]);
  }
}

clrs_status clrs_onnx_graph_enqueue(clrs_onnx_graph *graph, cl_event *event, clrs_error *error) {
  CLRS_TRY(clrs__require(graph, "graph", error));
  CLRS_TRY(clrs__require(event, "event", error));
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  if (graph->has_run) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the graph has run; open another to run again");
  }
  if (graph->bound_count != graph->input_count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%zu of the graph's %zu inputs are bound",
                      graph->bound_count, graph->input_count);
  }
  if (graph->wanted != NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the bytes that the graph wants are not given");
  }
  graph->has_run = true;
  for (; graph->next_node < proto->n_node; graph->next_node++) {
    const clrs_status status = run_node(graph, graph->next_node, error);
    if (graph->wanted != NULL) {
      graph->has_run = false;
      break;
    }
    CLRS_TRY(status);
    forget(proto->node[graph->next_node], &graph->values);
  }
  return onnx_device_event(&graph->device, event, error);
}

/* ---- why an input is not there: nodes must come after those that they depend on ---- */

/* Does node `from` depend on node `to`, directly or indirectly? `open` is a stack with room for
 * each node, and `met` marks nodes that were pushed. */
static bool depends(const clrs_onnx_graph *graph, size_t from, size_t to, size_t *open, bool *met) {
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

/* Fails with the message for node `index`, whose input `name` no earlier node gave. The input is
 * computed by no node, by a later node, or by a node that needs node `index` itself. */
static clrs_status fail_order(clrs_onnx_graph *graph, size_t index, const char *name,
                              clrs_error *error) {
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

/* ---- what operators ask ---- */

const Onnx__AttributeProto *onnx_node_attribute(const onnx_node *node, const char *name) {
  for (size_t i = 0; i < node->proto->n_attribute; i++) {
    const Onnx__AttributeProto *attribute = node->proto->attribute[i];
    if (attribute->name != NULL && strcmp(attribute->name, name) == 0) {
      return attribute;
    }
  }
  return NULL;
}

int64_t onnx_node_int(const onnx_node *node, const char *name, int64_t otherwise) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
  return attribute == NULL ? otherwise : attribute->i;
}

bool onnx_node_says(const onnx_node *node, const char *name, const char *otherwise,
                    const char *word) {
  const Onnx__AttributeProto *attribute = onnx_node_attribute(node, name);
  if (attribute == NULL) {
    return strcmp(otherwise, word) == 0;
  }
  return attribute->s.len == strlen(word) && memcmp(attribute->s.data, word, strlen(word)) == 0;
}

clrs_status onnx_node_input(const onnx_node *node, size_t index, model_value **value,
                            clrs_error *error) {
  *value = NULL;
  if (!is_given(node->proto->input, node->proto->n_input, index)) {
    return CLRS_OK;
  }
  const char *name = node->proto->input[index];
  *value = model_values_find(&node->graph->values, name);
  return *value != NULL ? CLRS_OK : fail_order(node->graph, node->index, name, error);
}

clrs_status onnx_node_need(const onnx_node *node, size_t index, model_value **value,
                           clrs_error *error) {
  CLRS_TRY(onnx_node_input(node, index, value, error));
  return *value != NULL ? CLRS_OK : left_out(index, error);
}

clrs_status onnx_node_data(const onnx_node *node, model_value **data, clrs_view *view,
                           clrs_error *error) {
  CLRS_TRY(onnx_node_need(node, 0, data, error));
  return onnx_graph_view(node->graph, *data, view, error);
}

static clrs_status add_tensor(const onnx_node *node, size_t index, model_value **value,
                              clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  CLRS_TRY(model_values_add(&graph->values, node->proto->output[index], value, error));
  return onnx_arena_charge(&graph->arena, *value, ONNX_TENSOR_BYTES, error);
}

static clrs_status give_known(const onnx_node *node, size_t index, const onnx_dense *dense,
                              clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  model_value *value;
  CLRS_TRY(model_values_add(&graph->values, node->proto->output[index], &value, error));
  onnx_arena_keep(&graph->arena, dense->owned);
  value->dense = *dense;
  value->on_host = value->known = true;
  return CLRS_OK;
}

clrs_status onnx_node_look(const onnx_node *node, model_value *data, const clrs_view *view,
                           clrs_tensor **seen, clrs_error *error) {
  clrs_onnx_graph *graph = node->graph;
  const clrs_onnx_moved moved = onnx_node_moved(node);
  clrs_tensor *tensor;
  CLRS_TRY(onnx_graph_tensor(graph, data, &tensor, error));
  CLRS_TRY(clrs_tensor_with_view(tensor, view, seen, error));
  CLRS_TRY(onnx_arena_hold(&graph->arena, *seen, error));
  const clrs_status status = onnx_check_pass(*seen, error);
  if (status != CLRS_UNSUPPORTED) {
    return status;
  }
  CLRS_TRY(onnx_graph_store(graph, data, &moved, &tensor, error));
  graph->runs_again = true;
  return clrs__fail(error, CLRS_UNSUPPORTED, "its input has to be seen as it is stored");
}

clrs_status onnx_node_output(const onnx_node *node, size_t index, model_value *data,
                             const clrs_view *view, clrs_error *error) {
  model_value *value;
  clrs_tensor *tensor;
  onnx_dense dense;
  if (index < node->graph->given_outputs ||
      (node->op->many_outputs && !is_given(node->proto->output, node->proto->n_output, index))) {
    return CLRS_OK;
  }
  if (data->known && onnx_known_fits(view->dtype, &view->shape)) {
    CLRS_TRY(onnx_known_gather(&node->graph->arena, &data->dense, view, &dense, error));
    return give_known(node, index, &dense, error);
  }
  CLRS_TRY(onnx_node_look(node, data, view, &tensor, error));
  CLRS_TRY(add_tensor(node, index, &value, error));
  clrs_tensor_retain(tensor);
  value->tensor = tensor;
  value->input = data->input;
  node->graph->given_outputs = index + 1;
  return CLRS_OK;
}

clrs_status onnx_node_give(const onnx_node *node, clrs_tensor *tensor, clrs_error *error) {
  model_value *value;
  CLRS_TRY(add_tensor(node, 0, &value, error));
  if (clrs_tensor_is_mapped(tensor)) {
    CLRS_TRY(onnx_arena_charge(&node->graph->arena, value, sizeof(clrs_mapped), error));
  }
  clrs_tensor_retain(tensor);
  value->tensor = tensor;
  return CLRS_OK;
}

clrs_status onnx_node_give_known(const onnx_node *node, const onnx_dense *dense,
                                 clrs_error *error) {
  return give_known(node, 0, dense, error);
}

clrs_status onnx_node_change(const onnx_node *node, onnx_view_fn change, clrs_error *error) {
  model_value *data;
  clrs_view view;
  CLRS_TRY(onnx_node_data(node, &data, &view, error));
  if (change != NULL) {
    CLRS_TRY(change(node, &view, error));
  }
  return onnx_node_output(node, 0, data, &view, error);
}

clrs_onnx_moved onnx_node_moved(const onnx_node *node) {
  const char *name = node->proto->name;
  return (clrs_onnx_moved){
      .index = node->index, .name = name != NULL ? name : "", .op = node->proto->op_type};
}

clrs_status onnx_node_check_sign(const onnx_node *node, int64_t axis, clrs_error *error) {
  return axis >= 0 || !node->op->positive_axes
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "axis %" PRId64 " is negative, which opset %" PRId64 " does not allow",
                          axis, node->graph->model->opset);
}

clrs_status onnx_node_axis(const onnx_node *node, int64_t axis, uint32_t rank, uint32_t *dim,
                           clrs_error *error) {
  CLRS_TRY(onnx_node_check_sign(node, axis, error));
  return clrs__axis_normalize(axis, rank, "axis", dim, error);
}
