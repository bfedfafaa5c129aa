/*
 * Errors with a message, and the exit code of each error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "status.h"

enum cli_exit {
  CLI_EXIT_DONE = 0,
  CLI_EXIT_FAILED = 1,    /* the request failed. No output file was written or changed */
  CLI_EXIT_USAGE = 2,     /* the command line itself is wrong */
  CLI_EXIT_NO_DEVICE = 77 /* there is no OpenCL device. Test drivers read 77 as "skipped" */
};

/* Files that cannot be read or written are CLRS_INVALID_ARGUMENT, because the library itself uses
 * no files and has no status for files. */

/* Fails with "path: " and the text of errno value `code`. */
clrs_status cli_fail_file(clrs_error *error, const char *path, int code);

/* Fails with CLRS_OPENCL_ERROR because there is no device. opencl_code is then CLI_NO_DEVICE, a
 * code that no OpenCL call returns, by which cli_report chooses the exit code. A call that fails
 * because a device has just disappeared is an ordinary failure. */
#define CLI_NO_DEVICE INT32_MIN
clrs_status cli_fail_no_device(clrs_error *error, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);

/* Puts "prefix: " before the message of *error. Returns the status of *error. */
clrs_status cli_fail_prefix(clrs_error *error, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);

/* Prints "clreshape: " and the message on standard error. All messages go through this function and
 * the functions below. Names and paths are escaped, so that a message is one line and cannot
 * control a terminal. */
void cli_complain(const char *format, ...) CLRS_PRINTF_LIKE(1, 2);

/* Prints the message of an error in the same way. Returns the exit code of the error. */
int cli_report(const clrs_error *error);

/* Prints the message and a hint to --help on standard error. Returns CLI_EXIT_USAGE. `command` may
 * be NULL for the program itself. */
int cli_usage_error(const char *command, const char *format, ...) CLRS_PRINTF_LIKE(2, 3);

/* Reports an argument that did not parse. CLRS_INVALID_ARGUMENT is a mistake in the command line. A
 * well-formed value beyond a limit is a failed request. */
int cli_argument_error(const char *command, const clrs_error *error);

/* Prints a command's help. Returns CLI_EXIT_DONE. */
int cli_help(const char *text);
