/*
 * Error messages and exit codes of the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "print.h"
#include "text.h"

/* The sentence of a format and its values, as an error. */
static clrs_error sentence_of(const char *format, va_list values) {
  clrs_error error;
  char text[sizeof error.message];
  if ((size_t)vsnprintf(text, sizeof text, format, values) >= sizeof text) {
    clrs__drop_cut_character(text);
  }
  clrs__describe(&error, CLRS_INVALID_ARGUMENT, "%s", text);
  return error;
}

clrs_status cli_fail_file(clrs_error *error, const char *path, int code) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: %s", path, strerror(code));
}

clrs_status cli_fail_opencl(clrs_error *error, int32_t code, const char *call) {
  clrs__describe(error, CLRS_OPENCL_ERROR, "%s failed with OpenCL error %d", call, (int)code);
  if (error != NULL) {
    error->opencl_code = code;
  }
  return CLRS_OPENCL_ERROR;
}

clrs_status cli_fail_no_device(clrs_error *error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const clrs_error said = sentence_of(format, values);
  va_end(values);
  clrs__describe(error, CLRS_OPENCL_ERROR, "%s", said.message);
  if (error != NULL) {
    error->opencl_code = CLI_NO_DEVICE;
  }
  return CLRS_OPENCL_ERROR;
}

clrs_status cli_fail_prefix(clrs_error *error, const char *format, ...) {
  const clrs_error inner = *error;
  va_list values;
  va_start(values, format);
  *error = sentence_of(format, values);
  va_end(values);
  clrs__append(error, ": %s", inner.message);
  error->status = inner.status;
  error->opencl_code = inner.opencl_code;
  return inner.status;
}

static void print_sentence(const char *message) {
  fputs("clreshape: ", stderr);
  cli_print_escaped(stderr, message);
  fputc('\n', stderr);
}

void cli_complain(const char *format, ...) {
  va_list values;
  va_start(values, format);
  print_sentence(sentence_of(format, values).message);
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
  print_sentence(sentence_of(format, values).message);
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
