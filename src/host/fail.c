/*
 * Error messages and exit codes of the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "escape.h"

static clrs_status fill(clrs_error *error, clrs_status status, const char *format, va_list values) {
  if (error == NULL) {
    return status;
  }
  error->status = status;
  error->opencl_code = 0;
  if ((size_t)vsnprintf(error->message, sizeof error->message, format, values) >=
      sizeof error->message) {
    cli_drop_cut_character(error->message);
  }
  return status;
}

clrs_status cli_fail(clrs_error *error, clrs_status status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  fill(error, status, format, values);
  va_end(values);
  return status;
}

clrs_status cli_fail_file(clrs_error *error, const char *path, int code) {
  return cli_fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", path, strerror(code));
}

clrs_status cli_fail_opencl(clrs_error *error, int32_t code, const char *call) {
  cli_fail(error, CLRS_OPENCL_ERROR, "%s failed with OpenCL error %d", call, (int)code);
  if (error != NULL) {
    error->opencl_code = code;
  }
  return CLRS_OPENCL_ERROR;
}

clrs_status cli_fail_no_device(clrs_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  fill(error, CLRS_OPENCL_ERROR, format, values);
  va_end(values);
  if (error != NULL) {
    error->opencl_code = CLI_NO_DEVICE;
  }
  return CLRS_OPENCL_ERROR;
}

clrs_status cli_fail_prefix(clrs_error *error, const char *format, ...) {
  clrs_error inner = *error;
  va_list values;
  va_start(values, format);
  fill(error, inner.status, format, values);
  va_end(values);
  error->opencl_code = inner.opencl_code;
  size_t used = strlen(error->message), room = sizeof error->message - used;
  if ((size_t)snprintf(error->message + used, room, ": %s", inner.message) >= room) {
    cli_drop_cut_character(error->message);
  }
  return inner.status;
}

static void print_sentence(const char *message) {
  fputs("clreshape: ", stderr);
  cli_print_escaped(stderr, message);
  fputc('\n', stderr);
}

void cli_complain(const char *format, ...) {
  clrs_error error;
  va_list values;
  va_start(values, format);
  fill(&error, CLRS_INVALID_ARGUMENT, format, values);
  va_end(values);
  print_sentence(error.message);
}

int cli_report(const clrs_error *error) {
  print_sentence(error->message);
  return error->status == CLRS_OPENCL_ERROR && error->opencl_code == CLI_NO_DEVICE
             ? CLI_EXIT_NO_DEVICE
             : CLI_EXIT_FAILED;
}

int cli_usage_error(const char *command, const char *format, ...) {
  clrs_error error;
  va_list values;
  va_start(values, format);
  fill(&error, CLRS_INVALID_ARGUMENT, format, values);
  va_end(values);
  print_sentence(error.message);
  fprintf(stderr, "Try: clreshape %s%s--help\n", command ? command : "", command ? " " : "");
  return CLI_EXIT_USAGE;
}

int cli_argument_error(const char *command, const clrs_error *error) {
  if (error->status != CLRS_INVALID_ARGUMENT) {
    return cli_report(error);
  }
  return cli_usage_error(command, "%s", error->message);
}

int cli_help(const char *text) {
  fputs(text, stdout);
  return CLI_EXIT_DONE;
}
