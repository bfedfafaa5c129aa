/*
 * Constant, in its forms: a tensor, or numbers as attributes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "onnx_ops.h"

/* Numbers of one attribute: a scalar if `rank` is 0, else a list. */
typedef struct numbers {
  clrs_dtype dtype;
  size_t rank, count;
  const void *values;
} numbers;

static clrs_status copy_numbers(const numbers *from, cli_dense *dense, clrs_error *error) {
  int64_t dims[1] = {(int64_t)from->count};
  size_t size = from->count * clrs_dtype_bits(from->dtype) / 8;
  CLI_TRY(clrs_shape_init(from->rank, dims, &dense->shape, error));
  dense->owned = malloc(size + 1);
  if (dense->owned == NULL)
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes", size);
  if (size > 0)
    memcpy(dense->owned, from->values, size);
  dense->dtype = from->dtype;
  dense->bytes = dense->owned;
  dense->size = size;
  return CLRS_OK;
}

static clrs_status read_attribute(const Onnx__AttributeProto *attribute, cli_dense *dense,
                                  clrs_error *error) {
  const char *name = attribute->name;
  numbers from;
  if (strcmp(name, "value") == 0)
    return cli_tensor_proto_decode(attribute->t, dense, error);
  if (strcmp(name, "value_int") == 0)
    from = (numbers){CLRS_I64, 0, 1, &attribute->i};
  else if (strcmp(name, "value_ints") == 0)
    from = (numbers){CLRS_I64, 1, attribute->n_ints, attribute->ints};
  else if (strcmp(name, "value_float") == 0)
    from = (numbers){CLRS_F32, 0, 1, &attribute->f};
  else if (strcmp(name, "value_floats") == 0)
    from = (numbers){CLRS_F32, 1, attribute->n_floats, attribute->floats};
  else
    return cli_fail(error, CLRS_UNSUPPORTED, "attribute %s is not read yet", name);
  return copy_numbers(&from, dense, error);
}

/* The bytes stay on the host until a node needs them on the device: most constants are shapes. */
clrs_status onnx_constant(const onnx_node *node, clrs_error *error) {
  model_value *value;
  if (node->proto->n_attribute != 1)
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "it has %zu values; exactly 1 must be given",
                    node->proto->n_attribute);
  CLI_TRY(model_values_add(&node->graph->values, node->proto->output[0], &value, error));
  CLI_TRY(read_attribute(node->proto->attribute[0], &value->dense, error));
  value->on_host = true;
  return CLRS_OK;
}
