/*
 * clreshape explain: prints what `run` would do, without a device and without the data.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "commands.h"
#include "count_parts.h"
#include "each.h"
#include "explain_plan.h"
#include "fail.h"
#include "npy.h"
#include "print.h"

static const char help[] =
    "usage: clreshape explain IN.npy [OUT.npy] [--dialect D] [--literal-zero]\n"
    "                         [--policy never|if-needed|always] [--class C] [--json]\n"
    "                         [--raw TYPE,DIM...] [--to FORMAT] OP...\n"
    "\n"
    "Prints what `clreshape run` would do with the same arguments: the shape after each\n"
    "operation, whether it is still a view, and what has to be moved and why. Of concat,\n"
    "stack and pad also the launches and bytes of all parts together. Only the\n"
    "header of IN.npy is read (of an array in an archive all, to a temporary file), nothing\n"
    "is written, and no OpenCL device is needed.\n"
    "`clreshape run --help` describes the operations.\n";

static clrs_status explain_one(const cli_request *request, void *user_data, clrs_error *error) {
  (void)user_data;
  cli_npy_file input;
  cli_work work;
  CLRS_TRY(cli_npy_open_as(request->input, request->raw, &input, error));
  cli_npy_note(input.name, &input.header);
  if (request->each != NULL && !request->json) {
    cli_print_escaped(stdout, request->input);
    puts(":");
  }
  clrs_status status = cli_work_init(request, &input.header, &work, error);
  if (status == CLRS_OK && request->assembly.kind != CLI_NO_ASSEMBLY) {
    status = cli_work_assemble(request, &input.header, &work, error);
    if (status == CLRS_OK) {
      status = cli_work_count(request, &work, error);
    }
  }
  cli_npy_close(&input);
  if (status != CLRS_OK) {
    return status;
  }
  return (request->json ? cli_work_print_json : cli_work_print)(stdout, request, &work, error);
}

static clrs_status explain(const cli_request *request, clrs_error *error) {
  return cli_request_each(request, explain_one, NULL, error);
}

int cli_explain(int argc, char **argv) {
  return cli_request_do(argc, argv, help, "", explain);
}
