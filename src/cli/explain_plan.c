/* SPDX-License-Identifier: Apache-2.0 */
#include "explain_plan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fail.h"
#include "host.h"
#include "print.h"
#include "text.h"

/* OpenCL promises that a buffer begins at a multiple of its largest type, a long16. */
enum { BUFFER_ALIGNMENT = 128 };

/* Explaining needs no device, so the plan is a CPU's unless the environment says otherwise; then it
 * is that of a usual GPU. */
static clrs_status decide(const cli_request *request, cli_work *work, clrs_error *error) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  CLRS_TRY(cli_execution_from_environment(&limits.execution, error));
  if (limits.execution == CLRS_EXECUTION_AUTO) {
    limits.execution = CLRS_EXECUTION_CPU;
  }
  limits.max_group_items = 256;
  limits.local_bytes = 32768;
  limits.required_class = request->required_class;
  clrs_move move = {.source = {&work->view, 0, BUFFER_ALIGNMENT},
                    .destination = {NULL, 0, BUFFER_ALIGNMENT},
                    .policy = request->policy};
  return clrs_plan_move(&move, &limits, &work->plan, error);
}

static clrs_status describe_step(const clrs_view *view, cli_step *step, clrs_error *error) {
  clrs_layout layout;
  const clrs_status status = clrs_view_layout(view, &layout, error);
  *step = (cli_step){view->shape, status == CLRS_OK};
  return status == CLRS_WOULD_COPY ? CLRS_OK : status;
}

clrs_status cli_work_init(const cli_request *request, const cli_npy_header *header, cli_work *work,
                          clrs_error *error) {
  CLRS_TRY(cli_npy_layout(header, &work->layout, error));
  CLRS_TRY(clrs_view_from_layout(&work->layout, &work->view, error));
  for (size_t i = 0; i < request->chain.op_count; i++) {
    CLRS_TRY(clrs_chain_apply_one(&request->chain, i, &request->rules, &work->view, error));
    CLRS_TRY(describe_step(&work->view, &work->steps[i], error));
  }
  return decide(request, work, error);
}

/* The plan in the library's words, in memory of its own. */
static clrs_status explain_plan(const clrs_plan *plan, bool json, char **text, clrs_error *error) {
  size_t (*explain)(const clrs_plan *, char *, size_t) =
      json ? clrs_plan_explain_json : clrs_plan_explain;
  size_t size = explain(plan, NULL, 0) + 1;
  *text = malloc(size);
  if (*text == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  explain(plan, *text, size);
  return CLRS_OK;
}

static const char *type_of(const cli_work *work) {
  return clrs_dtype_name(work->view.dtype, CLRS_TYPES_CLRESHAPE);
}

clrs_status cli_work_print(FILE *file, const cli_request *request, const cli_work *work,
                           clrs_error *error) {
  char *plan = NULL;
  CLRS_TRY(explain_plan(&work->plan, false, &plan, error));
  fprintf(file, "input: %s ", type_of(work));
  cli_print_list(file, work->layout.rank, work->layout.dims);
  fputs(" strides ", file);
  cli_print_list(file, work->layout.rank, work->layout.strides);
  for (size_t i = 0; i < request->chain.op_count; i++) {
    fprintf(file, "\n%5zu: ", i + 1);
    cli_print_escaped(file, clrs_chain_op_text(&request->chain, i));
    fputs(" -> ", file);
    cli_print_list(file, work->steps[i].shape.rank, work->steps[i].shape.dims);
    fputs(work->steps[i].is_view ? " a view" : " no view", file);
  }
  fprintf(file, "\noutput: %s ", type_of(work));
  cli_print_list(file, work->view.shape.rank, work->view.shape.dims);
  fprintf(file, "\nplan: %s\n", plan);
  free(plan);
  return CLRS_OK;
}

static void print_steps(FILE *file, const cli_request *request, const cli_work *work) {
  fputs("\"steps\":[", file);
  for (size_t i = 0; i < request->chain.op_count; i++) {
    fputs(i > 0 ? ",{\"op\":" : "{\"op\":", file);
    cli_print_string(file, clrs_chain_op_text(&request->chain, i));
    fputs(",\"dims\":", file);
    cli_print_list(file, work->steps[i].shape.rank, work->steps[i].shape.dims);
    fprintf(file, ",\"view\":%s}", work->steps[i].is_view ? "true" : "false");
  }
  fputs("],", file);
}

/* The library's object holds the decision; the fields of the request go in front of its own. */
clrs_status cli_work_print_json(FILE *file, const cli_request *request, const cli_work *work,
                                clrs_error *error) {
  char *plan = NULL;
  CLRS_TRY(explain_plan(&work->plan, true, &plan, error));
  fprintf(file, "{\"input\":{\"dtype\":\"%s\",\"dims\":", type_of(work));
  cli_print_list(file, work->layout.rank, work->layout.dims);
  fputs(",\"strides\":", file);
  cli_print_list(file, work->layout.rank, work->layout.strides);
  fputs("},", file);
  print_steps(file, request, work);
  fprintf(file, "\"output\":{\"dtype\":\"%s\",\"dims\":", type_of(work));
  cli_print_list(file, work->view.shape.rank, work->view.shape.dims);
  fprintf(file, "},%s\n", plan + 1);
  free(plan);
  return CLRS_OK;
}
