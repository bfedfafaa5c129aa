/*
 * Executing a node: which operator, whether it is well formed, and its inputs and outputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_node.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "fail.h"
#include "onnx_known.h"
#include "onnx_ops.h"
#include "onnx_order.h"
#include "text.h"

static const onnx_attribute_rule *find_rule(const onnx_operator *op, const char *name) {
  for (const onnx_attribute_rule *rule = op->attributes; rule->name != NULL; rule++) {
    if (strcmp(rule->name, name) == 0)
      return rule;
  }
  return NULL;
}

/* Before IR version 2 attributes had no type field. */
static clrs_status check_attribute(const onnx_node *node, const Onnx__AttributeProto *attribute,
                                   clrs_error *error) {
  const char *name = attribute->name ? attribute->name : "";
  const onnx_attribute_rule *rule = find_rule(node->op, name);
  if (rule == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute \"%s\" does not exist in opset %" PRId64, clrs__show(name).text,
                      node->graph->model->opset);
  if (attribute->ref_attr_name != NULL && attribute->ref_attr_name[0] != '\0')
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute %s refers to one of a function, but it is in no function", name);
  if (attribute->has_type && attribute->type != rule->type)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "attribute %s has AttributeType %d; it must be %d", name,
                      (int)attribute->type, (int)rule->type);
  if (onnx_node_attribute(node, name) != attribute)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "attribute %s is given twice", name);
  return CLRS_OK;
}

static bool is_given(char *const *names, size_t count, size_t index) {
  return index < count && names[index] != NULL && names[index][0] != '\0';
}

static clrs_status check_inputs(const onnx_node *node, clrs_error *error) {
  const Onnx__NodeProto *proto = node->proto;
  size_t given = proto->n_input;
  while (given > 0 && !is_given(proto->input, given, given - 1))
    given--;
  if (given < node->op->min_inputs || given > node->op->max_inputs)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "it has %zu inputs; opset %" PRId64 " allows %zu to %zu", given,
                      node->graph->model->opset, node->op->min_inputs, node->op->max_inputs);
  for (size_t i = 0; i < node->op->min_inputs; i++) {
    if (!is_given(proto->input, given, i))
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "input %zu is left out but is not optional",
                        i);
  }
  return CLRS_OK;
}

static clrs_status check_schema(const onnx_node *node, clrs_error *error) {
  const Onnx__NodeProto *proto = node->proto;
  CLRS_TRY(check_inputs(node, error));
  if (proto->n_output < 1 || (proto->n_output > 1 && !node->op->many_outputs))
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "it has %zu outputs; %s are allowed",
                      proto->n_output, node->op->many_outputs ? "1 or more" : "exactly 1");
  for (size_t i = 0; i < proto->n_attribute; i++)
    CLRS_TRY(check_attribute(node, proto->attribute[i], error));
  return CLRS_OK;
}

/* If, Loop and Scan have subgraphs. */
static clrs_status check_plain(const onnx_node *node, clrs_error *error) {
  for (size_t i = 0; i < node->proto->n_attribute; i++) {
    const Onnx__AttributeProto *attribute = node->proto->attribute[i];
    if (attribute->g != NULL || attribute->n_graphs > 0)
      return clrs__fail(error, CLRS_UNSUPPORTED,
                        "attribute \"%s\" is a graph; no graph within the graph is executed",
                        clrs__show(attribute->name).text);
  }
  return CLRS_OK;
}

static clrs_status run(onnx_node *node, clrs_error *error) {
  const char *op_type = node->proto->op_type ? node->proto->op_type : "";
  CLRS_TRY(check_plain(node, error));
  if (!cli_model_is_default_domain(node->proto->domain))
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "operators of domain \"%s\" and functions are not executed, only ONNX's own",
                      clrs__show(node->proto->domain).text);
  CLRS_TRY(onnx_operator_find(op_type, node->graph->model->opset, &node->op, error));
  CLRS_TRY(check_schema(node, error));
  return node->op->apply(node, error);
}

static clrs_status run_node(onnx_graph *graph, size_t index, clrs_error *error) {
  const Onnx__NodeProto *proto = graph->model->proto->graph->node[index];
  onnx_node node = {graph, proto, NULL, index};
  clrs_error inner;
  clrs_status status = run(&node, &inner);
  if (status == CLRS_OK)
    return CLRS_OK;
  clrs__describe(error, status, "node %zu \"%s\" (%s): %s", index, clrs__show(proto->name).text,
                 clrs__show(proto->op_type).text, inner.message);
  if (error != NULL)
    error->opencl_code = inner.opencl_code;
  return status;
}

/* What no later node reads is not kept. */
static void forget(const Onnx__NodeProto *node, model_values *values) {
  for (size_t i = 0; i < node->n_input; i++)
    model_values_read(values, node->input[i]);
  for (size_t i = 0; i < node->n_output; i++)
    model_values_drop_unread(values, node->output[i]);
}

clrs_status onnx_node_run_all(onnx_graph *graph, clrs_error *error) {
  const Onnx__GraphProto *proto = graph->model->proto->graph;
  for (size_t i = 0; i < proto->n_node; i++) {
    CLRS_TRY(run_node(graph, i, error));
    forget(proto->node[i], &graph->values);
  }
  return CLRS_OK;
}

const Onnx__AttributeProto *onnx_node_attribute(const onnx_node *node, const char *name) {
  for (size_t i = 0; i < node->proto->n_attribute; i++) {
    const Onnx__AttributeProto *attribute = node->proto->attribute[i];
    if (attribute->name != NULL && strcmp(attribute->name, name) == 0)
      return attribute;
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
  if (attribute == NULL)
    return strcmp(otherwise, word) == 0;
  return attribute->s.len == strlen(word) && memcmp(attribute->s.data, word, strlen(word)) == 0;
}

clrs_status onnx_node_input(const onnx_node *node, size_t index, model_value **value,
                            clrs_error *error) {
  *value = NULL;
  if (!is_given(node->proto->input, node->proto->n_input, index))
    return CLRS_OK;
  const char *name = node->proto->input[index];
  *value = model_values_find(&node->graph->values, name);
  return *value != NULL ? CLRS_OK : onnx_order_fail(node->graph, node->index, name, error);
}

clrs_status onnx_node_data(const onnx_node *node, model_value **data, clrs_view *view,
                           clrs_error *error) {
  CLRS_TRY(onnx_node_input(node, 0, data, error));
  return onnx_graph_view(node->graph, *data, view, error);
}

/* An output's new value, and the memory for what it will hold. */
static clrs_status add_value(const onnx_node *node, size_t index, size_t bytes, model_value **value,
                             clrs_error *error) {
  model_values *values = &node->graph->values;
  CLRS_TRY(model_values_add(values, node->proto->output[index], value, error));
  return model_values_charge(values, *value, bytes, error);
}

static clrs_status output_known(const onnx_node *node, size_t index, const cli_dense *data,
                                const clrs_view *view, clrs_error *error) {
  model_value *value;
  uint64_t size = 0;
  CLRS_TRY(cli_dense_size(view->dtype, &view->shape, &size, error));
  CLRS_TRY(add_value(node, index, (size_t)size, &value, error));
  value->on_host = value->known = true;
  return onnx_known_gather(&node->graph->effort, data, view, &value->dense, error);
}

clrs_status onnx_node_output(const onnx_node *node, size_t index, model_value *data,
                             const clrs_view *view, clrs_error *error) {
  model_value *value;
  clrs_tensor *tensor;
  if (node->op->many_outputs && !is_given(node->proto->output, node->proto->n_output, index))
    return CLRS_OK;
  if (data->known && onnx_known_fits(view->dtype, &view->shape))
    return output_known(node, index, &data->dense, view, error);
  CLRS_TRY(add_value(node, index, ONNX_TENSOR_BYTES, &value, error));
  CLRS_TRY(onnx_graph_tensor(node->graph, data, &tensor, error));
  return clrs_tensor_with_view(tensor, view, &value->tensor, error);
}

clrs_status onnx_node_give(const onnx_node *node, clrs_tensor *tensor, clrs_error *error) {
  model_value *value;
  clrs_status status = add_value(node, 0, ONNX_TENSOR_BYTES, &value, error);
  if (status != CLRS_OK)
    clrs_tensor_release(tensor);
  else
    value->tensor = tensor;
  return status;
}

clrs_status onnx_node_give_known(const onnx_node *node, cli_dense *dense, clrs_error *error) {
  model_value *value;
  clrs_status status = add_value(node, 0, dense->size, &value, error);
  if (status != CLRS_OK) {
    cli_dense_free(dense);
    return status;
  }
  value->dense = *dense;
  value->on_host = value->known = true;
  return CLRS_OK;
}
