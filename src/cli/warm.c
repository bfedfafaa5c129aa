/*
 * clreshape warm: builds kernels in advance, and saves the programs to the user's cache or a file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "integers.h"
#include "programs.h"
#include "text.h"

static const char help[] =
    "usage: clreshape warm [-o FILE] [--device P:D] [--class C]... [--bits N]...\n"
    "\n"
    "Builds the device's kernels before a move needs them, runs each once, and leaves them in\n"
    "the user's cache, as `run` does: a later `run` or `onnx` compiles nothing but kernels of\n"
    "maps, of batches, and of positions of 64 bits. With -o they are written to FILE and the\n"
    "cache is left alone, for `run --programs FILE` and `onnx --programs FILE` on the same\n"
    "device, processor, driver and version of clreshape. What the file holds is code that the\n"
    "driver runs: take one only from where you would take a program.\n"
    "  -o FILE        where to, instead of $XDG_CACHE_HOME/clreshape or ~/.cache/clreshape\n"
    "  --device P:D   as `clreshape devices` lists it\n"
    "  --class C      of this kernel class (cpu_rows, cpu_tile, ...); all that this device's\n"
    "                 execution has if none is given\n"
    "  --bits N       for units of 1, 2, 4, 8, 16, 32, 64 or 128 bits; 8 to 128 if none is given\n";

enum { MOST_WIDTH = 128 };

typedef struct arguments {
  const char *device, *output;
  uint64_t classes; /* a bit for each */
  uint32_t widths;  /* a sum of them */
  bool help;
} arguments;

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'}, {"device", required_argument, NULL, 'd'},
    {"class", required_argument, NULL, 'c'},  {"bits", required_argument, NULL, 'b'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};

/* ---- arguments ---- */

static clrs_status add_class(const char *name, arguments *given, clrs_error *error) {
  const char *kernel_class;
  size_t number = 0;
  CLRS_TRY(cli_class_parse(name, &kernel_class, error));
  if (kernel_class == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "--class any is no class; leave it out for all");
  }
  while (clrs_class_name(number) != kernel_class) {
    number++;
  }
  given->classes |= UINT64_C(1) << number;
  return CLRS_OK;
}

static clrs_status add_width(const char *text, arguments *given, clrs_error *error) {
  int64_t width = 0;
  if (clrs__integer_parse(text, strlen(text), &width, NULL) != CLRS_OK || width < 1 ||
      width > MOST_WIDTH || (width & (width - 1)) != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "--bits is '%s'; units have 1, 2, 4, 8, 16, 32, 64 or 128 bits",
                      clrs__show(text).text);
  }
  given->widths |= (uint32_t)width;
  return CLRS_OK;
}

static clrs_status read_option(int option, arguments *given, clrs_error *error) {
  switch (option) {
  case 'o':
    given->output = optarg;
    return CLRS_OK;
  case 'd':
    given->device = optarg;
    return cli_host_check_device_text(optarg, error);
  case 'c':
    return add_class(optarg, given, error);
  default:
    return add_width(optarg, given, error);
  }
}

static int read_arguments(int argc, char **argv, arguments *given) {
  clrs_error error;
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) {
    if (option == 'h') {
      given->help = true;
      return CLI_EXIT_DONE;
    }
    if (option == '?') {
      return cli_usage_error("warm", "%s is not an option of warm or lacks its value",
                             argv[optind - 1]);
    }
    if (read_option(option, given, &error) != CLRS_OK) {
      return cli_argument_error("warm", &error);
    }
  }
  return optind == argc ? CLI_EXIT_DONE
                        : cli_usage_error("warm", "warm takes no argument: '%s'", argv[optind]);
}

/* ---- building ---- */

/* The classes of the other execution are never taken here. */
static bool is_of_device(const char *kernel_class, const cli_host *host) {
  const clrs_execution execution = clrs_context_limits(host->clreshape).execution;
  const char *other = execution == CLRS_EXECUTION_CPU ? "gpu_" : "cpu_";
  return strncmp(kernel_class, other, strlen(other)) != 0;
}

/* Two failures are ignored for a class that was not asked for by name. The class may have no kernel
 * for such units, or the driver may allow only smaller work-groups than the kernel needs. */
static clrs_status warm_up(const cli_host *host, const char *kernel_class, uint32_t width,
                           bool is_asked, clrs_error *error) {
  const clrs_status status = clrs_context_warm_up(host->clreshape, kernel_class, width, error);
  const bool is_left = status == CLRS_INVALID_ARGUMENT || status == CLRS_UNSUPPORTED;
  return is_left && !is_asked ? CLRS_OK : status;
}

static clrs_status warm_class(const cli_host *host, const arguments *given,
                              const char *kernel_class, clrs_error *error) {
  const bool is_asked = given->classes != 0 && given->widths != 0;
  const uint32_t widths = given->widths != 0 ? given->widths : 8 | 16 | 32 | 64 | 128;
  for (uint32_t width = 1; width <= MOST_WIDTH; width *= 2) {
    if ((widths & width) != 0) {
      CLRS_TRY(warm_up(host, kernel_class, width, is_asked, error));
    }
  }
  return CLRS_OK;
}

static clrs_status warm_all(const cli_host *host, const arguments *given, clrs_error *error) {
  for (size_t i = 1; clrs_class_name(i) != NULL; i++) {
    const bool is_asked = (given->classes >> i & 1) != 0;
    if (is_asked || (given->classes == 0 && is_of_device(clrs_class_name(i), host))) {
      CLRS_TRY(warm_class(host, given, clrs_class_name(i), error));
    }
  }
  return CLRS_OK;
}

static clrs_status warm(const cli_host *host, const arguments *given, clrs_error *error) {
  cli_inputs inputs = {0};
  cli_programs programs = {.no_cache = given->output != NULL, .inputs = &inputs};
  clrs_status status = cli_programs_begin(host, &programs, error);
  cli_inputs_free(&inputs); /* empty: nothing is read if a file is written */
  CLRS_TRY(status);
  status = warm_all(host, given, error);
  if (status != CLRS_OK) {
    cli_programs_end(host, &programs, status);
    return status;
  }
  CLRS_TRY(cli_programs_keep(host, &programs, given->output, error));
  printf("%zu programs\n", clrs_context_program_count(host->clreshape));
  return CLRS_OK;
}

int cli_warm(int argc, char **argv) {
  arguments given = {NULL, NULL, 0, 0, false};
  cli_host host;
  clrs_error error;
  const int code = read_arguments(argc, argv, &given);
  if (code != CLI_EXIT_DONE) {
    return code;
  }
  if (given.help) {
    return cli_help(help);
  }
  if (cli_host_open(given.device, &host, &error) != CLRS_OK) {
    return cli_report(&error);
  }
  const clrs_status status = warm(&host, &given, &error);
  cli_host_close(&host);
  return status == CLRS_OK ? CLI_EXIT_DONE : cli_report(&error);
}
