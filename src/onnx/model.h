/*
 * An ONNX model file, read and checked as far as that is possible without running it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_MODEL_H
#define CLRESHAPE_CLI_MODEL_H

#include <clreshape/core.h>

#include "onnx.pb-c.h"

#define MODEL_MAX_NODES 100000
#define MODEL_MAX_VALUES 1000000 /* inputs, initializers and outputs of nodes together */
#define MODEL_NEWEST_OPSET 28    /* the last opset whose movement operators were compared */

typedef struct cli_model {
  Onnx__ModelProto *proto; /* its graph is never NULL */
  int64_t opset;           /* of the default domain */
  size_t memory;           /* that its values may take while it runs */
} cli_model;

/* Messages begin with the path. */
clrs_status cli_model_open(const char *path, cli_model *model, clrs_error *error);
void cli_model_close(cli_model *model); /* an all-zero one is allowed */

/* "" and "ai.onnx" both name ONNX's own operators. `domain` may be NULL. */
bool cli_model_is_default_domain(const char *domain);

#endif /* CLRESHAPE_CLI_MODEL_H */
