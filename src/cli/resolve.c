/*
 * clreshape resolve: prints the shape that a reshape pattern makes of an input shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "integers.h"
#include "print.h"
#include "request.h"

static const char help[] =
    "usage: clreshape resolve [--dialect onnx|openvino|onednn|numpy] --input DIMS --shape PATTERN\n"
    "                         [--literal-zero]\n"
    "\n"
    "Prints the dims that PATTERN makes of DIMS, as in: resolve --input 2,3,4 --shape 0,-1\n"
    "gives 2,12. An empty list is a scalar, and so is an empty line of output.\n"
    "  --dialect D      whose rules read the pattern; onnx if it is not given\n"
    "  --literal-zero   0 means 0 and does not copy the input's dim (ONNX allowzero=1,\n"
    "                   OpenVINO and oneDNN special_zero=false)\n";

typedef struct arguments {
  const char *dialect, *input, *shape;
  clrs_zero_mode zero_mode;
  bool help;
} arguments;

static const struct option options[] = {
    {"dialect", required_argument, NULL, 'd'}, {"input", required_argument, NULL, 'i'},
    {"shape", required_argument, NULL, 's'},   {"literal-zero", no_argument, NULL, 'z'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};

/* A list option without its value is an empty list, which is a scalar. */
static int take_empty(int missing, arguments *given, const char *text) {
  if (missing == 'i') {
    given->input = "";
  } else if (missing == 's') {
    given->shape = "";
  } else {
    return cli_usage_error("resolve", "%s is not an option of resolve or lacks its value", text);
  }
  return CLI_EXIT_DONE;
}

static int read_arguments(int argc, char **argv, arguments *given) {
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
    if (option == 'd') {
      given->dialect = optarg;
    } else if (option == 'i') {
      given->input = optarg;
    } else if (option == 's') {
      given->shape = optarg;
    } else if (option == 'z') {
      given->zero_mode = CLRS_ZERO_IS_LITERAL;
    } else if (option == 'h') {
      given->help = true;
    } else if (take_empty(option == ':' ? optopt : 0, given, argv[optind - 1]) != CLI_EXIT_DONE) {
      return CLI_EXIT_USAGE;
    }
  }
  if (optind < argc) {
    return cli_usage_error("resolve", "resolve takes only options: '%s'", argv[optind]);
  }
  return CLI_EXIT_DONE;
}

/* A parsed request. Errors up to here are mistakes in the command line. */
typedef struct request {
  clrs_dialect dialect;
  size_t rank, length;
  int64_t dims[CLRS_MAX_RANK], pattern[CLRS_MAX_RANK];
} request;

static clrs_status parse_request(const arguments *given, request *asked, clrs_error *error) {
  if (given->input == NULL || given->shape == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "resolve needs --input and --shape");
  }
  CLRS_TRY(cli_dialect_parse(given->dialect, &asked->dialect, error));
  if (clrs__integers_parse(given->input, strlen(given->input), &asked->rank, asked->dims, error) !=
      CLRS_OK) {
    return cli_fail_prefix(error, "--input");
  }
  if (clrs__integers_parse(given->shape, strlen(given->shape), &asked->length, asked->pattern,
                           error) != CLRS_OK) {
    return cli_fail_prefix(error, "--shape");
  }
  return CLRS_OK;
}

static clrs_status resolve(const request *asked, clrs_zero_mode zero_mode, clrs_shape *shape,
                           clrs_error *error) {
  clrs_shape input;
  clrs_pattern pattern;
  CLRS_TRY(clrs_shape_init(asked->rank, asked->dims, &input, error));
  CLRS_TRY(
      clrs_pattern_init(asked->dialect, zero_mode, asked->length, asked->pattern, &pattern, error));
  return clrs_pattern_resolve(&pattern, &input, shape, error);
}

int cli_resolve(int argc, char **argv) {
  arguments given = {"onnx", NULL, NULL, CLRS_ZERO_COPIES, false};
  request asked;
  clrs_shape shape;
  clrs_error error;
  if (read_arguments(argc, argv, &given) != CLI_EXIT_DONE) {
    return CLI_EXIT_USAGE;
  }
  if (given.help) {
    return cli_help(help);
  }
  if (parse_request(&given, &asked, &error) != CLRS_OK) {
    return cli_argument_error("resolve", &error);
  }
  if (resolve(&asked, given.zero_mode, &shape, &error) != CLRS_OK) {
    return cli_report(&error);
  }
  cli_print_values(stdout, shape.rank, shape.dims);
  putchar('\n');
  return CLI_EXIT_DONE;
}
