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
#include "onnx_graph.h"
#include "output.h"
#include "print.h"

/* The data of one output on its way from the device to the file. */
typedef struct writing {
  cli_output *file;
  uint64_t left;        /* bytes */
  unsigned unused_bits; /* high bits of the last byte that belong to no element */
} writing;

static clrs_status write_chunk(void *user_data, void *bytes, size_t size, clrs_error *error) {
  writing *to = user_data;
  to->left -= size;
  if (to->left == 0 && size > 0)
    ((uint8_t *)bytes)[size - 1] &= (uint8_t)(0xff >> to->unused_bits);
  return cli_output_write(to->file, bytes, size, error);
}

static clrs_status write_data(cli_host *host, clrs_tensor *dense, cli_output *file,
                              clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(dense);
  uint64_t size = 0;
  int64_t count = 0;
  CLI_TRY(cli_dense_size(view->dtype, &view->shape, &size, error));
  CLI_TRY(clrs_shape_count(&view->shape, &count, error));
  uint64_t bits = (uint64_t)(count % 8) * clrs_dtype_bits(view->dtype);
  writing to = {file, size, (unsigned)((8 - bits % 8) % 8)};
  cli_stream stream = {write_chunk, &to, size};
  return size == 0 ? CLRS_OK : cli_host_download_stream(host, dense, &stream, error);
}

/* Everything before the data. Refuses what no file can hold before any memory is taken for it. */
static clrs_status write_header(const model_value *value, cli_output *file, clrs_error *error) {
  const clrs_view *view = clrs_tensor_view(value->tensor);
  cli_tensor_proto_header header;
  CLI_TRY(cli_tensor_proto_encode(view->dtype, &view->shape, value->name, &header, error));
  clrs_status status = cli_output_write(file, header.bytes, header.size, error);
  free(header.bytes);
  return status;
}

static void explain(FILE *to, size_t index, const model_value *value, const clrs_plan *plan) {
  char text[4096];
  const clrs_view *view = clrs_tensor_view(value->tensor);
  clrs_plan_explain(plan, text, sizeof text);
  fprintf(to, "output %zu ", index);
  cli_print_string(to, value->name);
  fprintf(to, ": %s ", clrs_dtype_name(view->dtype, CLRS_TYPES_ONNX));
  cli_print_list(to, view->shape.rank, view->shape.dims);
  fprintf(to, ": %s\n", text);
}

static clrs_status write_value(onnx_graph *graph, model_value *value, cli_output *file,
                               clrs_plan *plan, clrs_error *error) {
  clrs_tensor *tensor, *dense;
  CLI_TRY(onnx_graph_tensor(graph, value, &tensor, error));
  CLI_TRY(write_header(value, file, error));
  CLI_TRY(onnx_graph_materialize(graph, tensor, &dense, plan, error));
  clrs_status status = write_data(graph->host, dense, file, error);
  clrs_tensor_release(dense);
  return status;
}

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

static clrs_status write_output(onnx_graph *graph, const onnx_request *request, size_t index,
                                cli_output *file, clrs_error *error) {
  const char *name = graph->model->proto->graph->output[index]->name;
  model_value *value = name == NULL ? NULL : model_values_find(&graph->values, name);
  clrs_plan plan;
  clrs_error inner;
  if (value == NULL)
    return cli_fail(error, CLRS_INVALID_ARGUMENT,
                    "output %zu of the graph, \"%.100s\", is computed by no node", index,
                    name ? name : "");
  CLI_TRY(open_file(request->folder, index, file, error));
  clrs_status status = write_value(graph, value, file, &plan, &inner);
  if (status != CLRS_OK)
    return cli_fail(error, status, "output %zu \"%.100s\": %s", index, name, inner.message);
  if (request->explain != NULL)
    explain(request->explain, index, value, &plan);
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
  clrs_status status = onnx_graph_run(&graph, error);
  if (status == CLRS_OK)
    status = write_outputs(&graph, request, error);
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
