/*
 * clreshape: reshape and movement operations on OpenCL devices, from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include <clreshape/plan.h>

#include "commands.h"
#include "fail.h"
#include "system.h"
#include "temporary.h"

typedef struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *summary;
} command;

static const command commands[] = {
    {"devices", cli_devices, "list the OpenCL devices"},
    {"resolve", cli_resolve, "print the shape that a reshape pattern makes of a shape"},
    {"run", cli_run, "apply operations to a .npy file on a device"},
    {"explain", cli_explain, "say what run would do, and why"},
#ifdef CLRS_WITH_ONNX
    {"onnx", cli_onnx, "execute an ONNX model of movement operators"},
#endif
    {"warm", cli_warm, "build kernels before they are needed, and keep them"},
    {"bench", cli_bench, "measure moves against a plain copy"},
};

static int print_help(void) {
  puts("usage: clreshape COMMAND ...\n");
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    printf("  %-9s %s\n", commands[i].name, commands[i].summary);
  }
  puts("\n`clreshape COMMAND --help` describes one. Exit codes: 0 done, 1 the request failed,\n"
       "2 wrong usage, 77 no OpenCL device.");
  return CLI_EXIT_DONE;
}

static int print_version(void) {
  printf("clreshape %d.%d.%d\n", CLRS_VERSION_MAJOR, CLRS_VERSION_MINOR, CLRS_VERSION_PATCH);
  return CLI_EXIT_DONE;
}

static int dispatch(int argc, char **argv) {
  if (argc < 2) {
    return cli_usage_error(NULL, "a command is missing");
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    return print_help();
  }
  if (strcmp(argv[1], "--version") == 0) {
    return print_version();
  }
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(argv[1], commands[i].name) == 0) {
      return commands[i].run(argc - 1, argv + 1);
    }
  }
  return cli_usage_error(NULL, "unknown command '%s'", argv[1]);
}

/* The OpenCL loader and drivers load code that the environment names. If the program had more
 * rights than the caller, the caller could use those rights. */
static int refuse_elevated_rights(void) {
  fputs("clreshape: will not run set-user-ID, set-group-ID or with file capabilities\n", stderr);
  return CLI_EXIT_FAILED;
}

int main(int argc, char **argv) {
  if (!cli_system_begin(&argc, &argv)) {
    return refuse_elevated_rights();
  }
  cli_temporary_guard(); /* before any driver installs handlers, which then call ours */
  int code = dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("clreshape: standard output cannot be written\n", stderr);
    return code == CLI_EXIT_DONE ? CLI_EXIT_FAILED : code;
  }
  return code;
}
