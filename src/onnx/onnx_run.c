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
#include "output_commit.h"
#include "text.h"

typedef struct outputs {
  size_t count;
  cli_output *files;
} outputs;

/* A link may lead one output to the place of another, which would then be lost. */
static clrs_status check_apart(const cli_output *files, size_t index, clrs_error *error) {
  for (size_t i = 0; i < index; i++)
    if (cli_target_is_same(&files[i].target, &files[index].target))
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "%s: the file of output %zu and of output %zu", files[index].target.path, i,
                        index);
  return CLRS_OK;
}

static clrs_status open_file(const onnx_request *request, size_t index, cli_output *files,
                             clrs_error *error) {
  const cli_inputs inputs = {request->model, request->input_count, request->inputs};
  size_t size = strlen(request->folder) + 40;
  char *path = malloc(size);
  if (path == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  snprintf(path, size, "%s/output_%zu.pb", request->folder, index);
  clrs_status status = cli_output_open(path, &inputs, &files[index], error);
  free(path);
  return status == CLRS_OK ? check_apart(files, index, error) : status;
}

static clrs_status check_output(const onnx_graph *graph, size_t index, const model_value *value,
                                clrs_error *error) {
  const Onnx__ValueInfoProto *output = graph->model->proto->graph->output[index];
  clrs_error inner;
  const clrs_status status =
      onnx_declared_check(output->type, onnx_graph_dtype(value), onnx_graph_shape(value), &inner);
  if (status != CLRS_OK)
    return clrs__fail(error, status, "output %zu \"%s\": %s", index, clrs__show(output->name).text,
                      inner.message);
  return CLRS_OK;
}

static clrs_status write_output(onnx_graph *graph, const onnx_request *request, size_t index,
                                cli_output *files, clrs_error *error) {
  const char *name = graph->model->proto->graph->output[index]->name;
  model_value *value = name == NULL ? NULL : model_values_find(&graph->values, name);
  clrs_error inner;
  if (value == NULL)
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "output %zu of the graph, \"%s\", is computed by no node", index,
                      clrs__show(name).text);
  CLRS_TRY(check_output(graph, index, value, error));
  CLRS_TRY(open_file(request, index, files, error));
  clrs_status status = onnx_write(graph, index, value, &files[index], &inner);
  if (status != CLRS_OK)
    return clrs__fail(error, status, "output %zu \"%s\": %s", index, clrs__show(name).text,
                      inner.message);
  return CLRS_OK;
}

static clrs_status write_all(onnx_graph *graph, const onnx_request *request, outputs *to,
                             clrs_error *error) {
  for (size_t i = 0; i < to->count; i++)
    CLRS_TRY(write_output(graph, request, i, to->files, error));
  return cli_output_commit(to->files, to->count, error);
}

static clrs_status write_outputs(onnx_graph *graph, const onnx_request *request,
                                 clrs_error *error) {
  outputs to = {graph->model->proto->graph->n_output, NULL};
  to.files = calloc(to.count, sizeof *to.files);
  if (to.files == NULL)
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
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
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: the output folder must exist", folder);
  return CLRS_OK;
}

static clrs_status run_model(cli_host *host, const cli_model *model, const onnx_request *request,
                             clrs_error *error) {
  onnx_graph graph;
  CLRS_TRY(onnx_graph_open(host, model, request->input_count, request->inputs, &graph, error));
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
  CLRS_TRY(check_folder(request->folder, error));
  CLRS_TRY(cli_model_open(request->model, &model, error));
  clrs_status status = run_model(host, &model, request, error);
  cli_model_close(&model);
  return status;
}
