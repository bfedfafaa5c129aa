/*
 * Running a model and writing its outputs, all of them or none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fail.h"
#include "onnx_declared.h"
#include "onnx_node.h"
#include "onnx_write.h"

typedef struct outputs {
  size_t count;
  cli_output *files;
} outputs;

static clrs_status open_file(const char *folder, size_t index, cli_output *file,
                             clrs_error *error) {
  size_t size = strlen(folder) + 40;
  char *path = malloc(size);
  if (path == NULL)
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  snprintf(path, size, "%s/output_%zu.pb", folder, index);
  clrs_status status = cli_output_open(path, file, error);
  free(path);
  return status;
}

static clrs_status check_output(const onnx_graph *graph, size_t index, const model_value *value,
                                clrs_error *error) {
  const Onnx__ValueInfoProto *output = graph->model->proto->graph->output[index];
  clrs_error inner;
  const clrs_status status =
      onnx_declared_check(output->type, onnx_graph_dtype(value), onnx_graph_shape(value), &inner);
  if (status != CLRS_OK)
    return cli_fail(error, status, "output %zu \"%.100s\": %s", index, output->name, inner.message);
  return CLRS_OK;
}

static clrs_status write_output(onnx_graph *graph, const onnx_request *request, size_t index,
                                cli_output *file, clrs_error *error) {
  const char *name = graph->model->proto->graph->output[index]->name;
  model_value *value = name == NULL ? NULL : model_values_find(&graph->values, name);
  clrs_error inner;
  if (value == NULL)
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "output %zu of the graph, \"%.100s\", is computed by no node", index,
                    name ? name : "");
  CLI_TRY(check_output(graph, index, value, error));
  CLI_TRY(open_file(request->folder, index, file, error));
  clrs_status status = onnx_write(graph, index, value, file, &inner);
  if (status != CLRS_OK)
    return cli_fail(error, status, "output %zu \"%.100s\": %s", index, name, inner.message);
  return CLRS_OK;
}

static clrs_status write_all(onnx_graph *graph, const onnx_request *request, outputs *to,
                             clrs_error *error) {
  for (size_t i = 0; i < to->count; i++)
    CLI_TRY(write_output(graph, request, i, &to->files[i], error));
  for (size_t i = 0; i < to->count; i++)
    CLI_TRY(cli_output_commit(&to->files[i], error));
  return CLRS_OK;
}

static clrs_status write_outputs(onnx_graph *graph, const onnx_request *request,
                                 clrs_error *error) {
  outputs to = {graph->model->proto->graph->n_output, NULL};
  to.files = calloc(to.count, sizeof *to.files);
  if (to.files == NULL)
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  for (size_t i = 0; i < to.count; i++)
    to.files[i] = (cli_output)CLI_OUTPUT_INIT;
  clrs_status status = write_all(graph, request, &to, error);
  for (size_t i = 0; i < to.count; i++)
    cli_output_close(&to.files[i]);
  free(to.files);
  return status;
}

static clrs_status check_folder(const char *folder, clrs_error *error) {
  struct stat info;
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode))
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "%s: the output folder must exist", folder);
  return CLRS_OK;
}

static clrs_status run_model(cli_host *host, const cli_model *model, const onnx_request *request,
                             clrs_error *error) {
  onnx_graph graph;
  CLI_TRY(onnx_graph_open(host, model, request->input_count, request->inputs, &graph, error));
  graph.explain = request->explain;
  clrs_status status = onnx_node_run_all(&graph, error);
  if (status == CLRS_OK)
    status = write_outputs(&graph, request, error);
  if (status == CLRS_OK && request->explain != NULL)
    fprintf(request->explain, "launches: %zu\n", graph.launches);
  onnx_graph_close(&graph);
  return status;
}

clrs_status onnx_run(cli_host *host, const onnx_request *request, clrs_error *error) {
  cli_model model;
  CLI_TRY(check_folder(request->folder, error));
  CLI_TRY(cli_model_open(request->model, &model, error));
  clrs_status status = run_model(host, &model, request, error);
  cli_model_close(&model);
  return status;
}
