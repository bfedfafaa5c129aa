/*
 * How the program fails: errors with a sentence, and the exit code that each becomes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

enum cli_exit {
  CLI_EXIT_DONE = 0,
  CLI_EXIT_FAILED = 1,    /* the request failed; no output file was written or changed */
  CLI_EXIT_USAGE = 2,     /* the command line itself is wrong */
  CLI_EXIT_NO_DEVICE = 77 /* there is no OpenCL device: what test drivers take for "skipped" */
};

/* Files that cannot be read or written are CLRS_INVALID_ARGUMENT: the library has no status for
 * what it never does. */

/* "path: what errno says". */
clrs_status cli_fail_file(clrs_error *error, const char *path, int code);

/* As clrs__fail with CLRS_OPENCL_ERROR: there is no device, which is nobody's failure. cli_report
 * knows it by CLI_NO_DEVICE, a code that no OpenCL call returns, in opencl_code: a call that fails
 * for want of a device that was there a moment ago is a failure. */
#define CLI_NO_DEVICE INT32_MIN
clrs_status cli_fail_no_device(clrs_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts "prefix: " before the message of *error and returns its status. */
clrs_status cli_fail_prefix(clrs_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints "clreshape: " and the sentence on standard error. This and what follows are the only ways
 * there for a message: whatever name or path it quotes, it is one line and controls no terminal. */
void cli_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same for the message of an error; the exit code that belongs to it. */
int cli_report(const clrs_error *error);

/* Prints the sentence and where to find help on standard error; CLI_EXIT_USAGE. `command` may be
 * NULL for the program itself. */
int cli_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For an argument that did not parse: CLRS_INVALID_ARGUMENT is a mistake in the command line, a
 * value beyond a limit (well formed, but too much) is a request that fails. */
int cli_argument_error(const char *command, const clrs_error *error);

/* Prints a command's help; CLI_EXIT_DONE. */
int cli_help(const char *text);
