/* SPDX-License-Identifier: Apache-2.0 */
#include "fail.h"

#include <stdio.h>
#include <string.h>

#include "print.h"

clrs_status cli_fail_file(clrs_error *error, const char *path, int code) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", path, strerror(code));
}

clrs_status cli_fail_no_device(clrs_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  clrs__describe_list(error, CLRS_OPENCL_ERROR, format, values);
  va_end(values);
  if (error != NULL) {
    error->opencl_code = CLI_NO_DEVICE;
  }
  return CLRS_OPENCL_ERROR;
}

clrs_status cli_fail_prefix(clrs_error *error, const char *format, ...) {
  const clrs_error inner = *error;
  va_list values;
  va_start(values, format);
  clrs__describe_list(error, inner.status, format, values);
  va_end(values);
  clrs__append(error, ": %s", inner.message);
  error->opencl_code = inner.opencl_code;
  return inner.status;
}

static void print_sentence(const char *message) {
  fputs("clreshape: ", stderr);
  cli_print_escaped(stderr, message);
  fputc('\n', stderr);
}

static void print_list(const char *format, va_list values) {
  clrs_error error;
  clrs__describe_list(&error, CLRS_INVALID_ARGUMENT, format, values);
  print_sentence(error.message);
}

void cli_complain(const char *format, ...) {
  va_list values;
  va_start(values, format);
  print_list(format, values);
  va_end(values);
}

int cli_report(const clrs_error *error) {
  print_sentence(error->message);
  return error->status == CLRS_OPENCL_ERROR && error->opencl_code == CLI_NO_DEVICE
             ? CLI_EXIT_NO_DEVICE
             : CLI_EXIT_FAILED;
}

int cli_usage_error(const char *command, const char *format, ...) {
  va_list values;
  va_start(values, format);
  print_list(format, values);
  va_end(values);
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
