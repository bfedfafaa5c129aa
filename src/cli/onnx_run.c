/* SPDX-License-Identifier: Apache-2.0 */
#include "onnx_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <clreshape/onnx.h>

#include "fail.h"
#include "model_folder.h"
#include "onnx_npy.h"
#include "onnx_write.h"
#include "print.h"
#include "text.h"
#include "transfer.h"
#include "whole_file.h"

typedef struct outputs {
  size_t count;
  cli_output *files;
} outputs;

/* Checks that output `index` has another file than the outputs before. Links may lead two outputs
 * to the same file. */
static clrs_status check_apart(const cli_output *files, size_t index, clrs_error *error) {
  for (size_t i = 0; i < index; i++) {
    if (cli_target_is_same(&files[i].target, &files[index].target)) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                        "%s: the file of output %zu and of output %zu", files[index].target.path, i,
                        index);
    }
  }
  return CLRS_OK;
}

static clrs_status open_file(const onnx_request *request, size_t index, cli_output *files,
                             clrs_error *error) {
  size_t size = strlen(request->folder) + 40;
  char *path = malloc(size);
  if (path == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  snprintf(path, size, "%s/output_%zu.%s", request->folder, index,
           request->writes_npy ? "npy" : "pb");
  clrs_status status = cli_output_open(path, request->files, &files[index], error);
  free(path);
  return status == CLRS_OK ? check_apart(files, index, error) : status;
}

/* ---- --explain ---- */

static void explain_view(FILE *to, clrs_dtype dtype, const clrs_shape *shape) {
  fprintf(to, "%s ", clrs_dtype_name(dtype, CLRS_TYPES_ONNX));
  cli_print_list(to, shape->rank, shape->dims);
  fputs(": ", to);
}

/* Prints "output 0 \"name\": ", or "node 3 \"name\" (Concat): " for a node. */
static void explain_what(FILE *to, const clrs_onnx_moved *moved) {
  fprintf(to, "%s %zu ", moved->op != NULL ? "node" : "output", moved->index);
  cli_print_string(to, moved->name);
  if (moved->op != NULL) {
    fprintf(to, " (%s)", moved->op);
  }
  fputs(": ", to);
}

static void explain(void *user_data, const clrs_onnx_moved *moved) {
  char text[4096];
  FILE *to = user_data;
  explain_what(to, moved);
  if (moved->view == NULL) {
    fprintf(to, "%u launch%s to fill the border\n", moved->launches,
            moved->launches == 1 ? "" : "es");
    return;
  }
  explain_view(to, moved->view->dtype, &moved->view->shape);
  if (moved->plan == NULL) {
    fputs("1 launch to gather by indices\n", to);
    return;
  }
  clrs_plan_explain(moved->plan, text, sizeof text);
  fprintf(to, "%s\n", text);
}

static void explain_known(FILE *to, size_t index, const clrs_onnx_output *output) {
  const clrs_onnx_moved known = {.index = index, .name = output->name};
  explain_what(to, &known);
  explain_view(to, output->dtype, &output->shape);
  fputs("known on the host\n", to);
}

/* ---- outputs ---- */

static clrs_status write_output(cli_host *host, clrs_onnx_graph *graph, const onnx_request *request,
                                size_t index, cli_output *files, clrs_error *error) {
  clrs_onnx_output output;
  CLRS_TRY(clrs_onnx_graph_output(graph, index, &output, error));
  if (output.stale.status != CLRS_OK) {
    cli_complain("warning: output %zu \"%s\": %s", index, clrs__show(output.name).text,
                 output.stale.message);
  }
  CLRS_TRY(open_file(request, index, files, error));
  if (output.is_known && request->explain != NULL) {
    explain_known(request->explain, index, &output);
  }
  const onnx_writing what = {index, &output, request->writes_npy};
  const clrs_status status = onnx_write(host, graph, &what, &files[index], error);
  return status == CLRS_OK
             ? CLRS_OK
             : cli_fail_prefix(error, "output %zu \"%s\"", index, clrs__show(output.name).text);
}

static clrs_status write_all(cli_host *host, clrs_onnx_graph *graph, const onnx_request *request,
                             outputs *to, clrs_error *error) {
  for (size_t i = 0; i < to->count; i++) {
    CLRS_TRY(write_output(host, graph, request, i, to->files, error));
  }
  return cli_output_commit(to->files, to->count, error);
}

static clrs_status write_outputs(cli_host *host, clrs_onnx_graph *graph,
                                 const onnx_request *request, clrs_error *error) {
  outputs to = {clrs_onnx_graph_output_count(graph), NULL};
  to.files = calloc(to.count, sizeof *to.files);
  if (to.files == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < to.count; i++) {
    to.files[i] = (cli_output)CLI_OUTPUT_INIT;
  }
  const clrs_status status = write_all(host, graph, request, &to, error);
  for (size_t i = 0; i < to.count; i++) {
    cli_output_close(&to.files[i]);
  }
  free(to.files);
  return status;
}

static clrs_status check_folder(const char *folder, clrs_error *error) {
  struct stat info;
  if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: the output folder must exist", folder);
  }
  return CLRS_OK;
}

/* ---- the model and its inputs ---- */

static clrs_status load_model(const char *path, clrs_onnx_model **model, clrs_error *error) {
  cli_contents file;
  CLRS_TRY(cli_read_whole(path, &file, error));
  const clrs_status status = clrs_onnx_model_load(file.bytes, file.size, model, error);
  free(file.bytes);
  return status == CLRS_OK ? CLRS_OK : cli_fail_prefix(error, "%s", path);
}

static clrs_status bind_file(clrs_onnx_graph *graph, const char *path, clrs_error *error) {
  cli_contents file = {NULL, 0};
  clrs_error inner;
  CLRS_TRY(onnx_is_npy(path) ? onnx_read_npy(path, &file, error)
                             : cli_read_whole(path, &file, error));
  const clrs_status status = clrs_onnx_graph_bind(graph, file.bytes, file.size, &inner);
  free(file.bytes);
  return status == CLRS_OK ? CLRS_OK : clrs__fail(error, status, "%s, for %s", path, inner.message);
}

static clrs_status bind_files(clrs_onnx_graph *graph, const onnx_request *request,
                              clrs_error *error) {
  const size_t wanted = clrs_onnx_graph_input_count(graph);
  if (wanted != request->input_count) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the model has %zu inputs that are no initializers, but %zu input files are "
                      "given",
                      wanted, request->input_count);
  }
  for (size_t i = 0; i < wanted; i++) {
    CLRS_TRY(bind_file(graph, request->inputs[i], error));
  }
  return CLRS_OK;
}

/* Runs the nodes. Whenever the graph wants the values of a tensor, the values are read from the
 * device and given to the graph. */
static clrs_status run_nodes(cli_host *host, clrs_onnx_graph *graph, clrs_error *error) {
  clrs_tensor *wanted;
  do {
    cl_event event;
    size_t size;
    void *bytes;
    CLRS_TRY(clrs_onnx_graph_enqueue(graph, &event, error));
    CLRS_TRY(cli_host_wait(event, "running the model", error));
    wanted = clrs_onnx_graph_wanted(graph, &size);
    if (wanted != NULL) {
      CLRS_TRY(cli_host_fetch(host, wanted, size, &bytes, error));
      const clrs_status status = clrs_onnx_graph_give(graph, bytes, size, error);
      free(bytes);
      CLRS_TRY(status);
    }
  } while (wanted != NULL);
  return CLRS_OK;
}

static clrs_status run_graph(cli_host *host, clrs_onnx_graph *graph, const onnx_request *request,
                             clrs_error *error) {
  CLRS_TRY(bind_files(graph, request, error));
  CLRS_TRY(run_nodes(host, graph, error));
  CLRS_TRY(write_outputs(host, graph, request, error));
  if (request->explain != NULL) {
    fprintf(request->explain, "launches: %zu\n", clrs_onnx_graph_launches(graph));
  }
  return CLRS_OK;
}

/* Reads external data. With a limit of 0 no file is opened, and a model that needs external data is
 * refused. */
static clrs_status read_external(const onnx_request *request, clrs_onnx_model *model,
                                 clrs_error *error) {
  model_folder folder = {.inputs = request->files};
  const clrs_onnx_external_reader reader = {model_folder_check, model_folder_read, &folder,
                                            request->external};
  if (request->external == 0) {
    return CLRS_OK;
  }
  clrs_status status = model_folder_open(request->model, &folder, error);
  if (status == CLRS_OK && clrs_onnx_model_read_external(model, &reader, error) != CLRS_OK) {
    status = cli_fail_prefix(error, "%s", request->model);
  }
  model_folder_close(&folder);
  return status;
}

static clrs_status run_model(cli_host *host, const clrs_onnx_model *model,
                             const onnx_request *request, clrs_error *error) {
  const clrs_onnx_observer observer = {request->explain != NULL ? explain : NULL, request->explain};
  clrs_onnx_graph *graph;
  CLRS_TRY(clrs_onnx_graph_open(model, host->clreshape, host->queue, &observer, &graph, error));
  const clrs_status status = run_graph(host, graph, request, error);
  clrs_onnx_graph_close(graph);
  return status;
}

static clrs_status list_files(const onnx_request *request, clrs_error *error) {
  CLRS_TRY(cli_inputs_add(request->files, request->model, error));
  for (size_t i = 0; i < request->input_count; i++) {
    CLRS_TRY(cli_inputs_add(request->files, request->inputs[i], error));
  }
  return CLRS_OK;
}

clrs_status onnx_run(cli_host *host, const onnx_request *request, clrs_error *error) {
  clrs_onnx_model *model;
  CLRS_TRY(check_folder(request->folder, error));
  CLRS_TRY(list_files(request, error));
  CLRS_TRY(load_model(request->model, &model, error));
  clrs_status status = read_external(request, model, error);
  if (status == CLRS_OK) {
    status = run_model(host, model, request, error);
  }
  clrs_onnx_model_free(model);
  return status;
}
