/*
 * clreshape onnx: runs a model made of movement operators on TensorProto files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "fail.h"
#include "onnx_run.h"
#include "programs.h"
#include "request.h"

static const char help[] =
    "usage: clreshape onnx MODEL.onnx [INPUT...] [-o FOLDER] [--npy] [--device P:D] [--explain]\n"
    "                      [--programs FILE] [--no-cache]\n"
    "\n"
    "Runs a model of Reshape, Transpose, Squeeze, Unsqueeze, Flatten, Expand, Slice, Split,\n"
    "Concat, Tile, Gather, Pad, DepthToSpace, SpaceToDepth, Resize (nearest, linear), Upsample\n"
    "and Identity on the device. Each INPUT is a TensorProto file, a .npy file or an array of an\n"
    "archive, A.npz:name, in the order of the model's inputs that are no initializers. Writes\n"
    "output_0.pb, output_1.pb, ...\n"
    "Cast, CastLike, BitCast, QuantizeLinear, DequantizeLinear, Clip, and Add, Sub, Mul and Div "
    "of\n"
    "floating-point data are done to the elements in the same pass as the movement.\n"
    "Shape, Size, Range, Cast, arithmetic, comparisons, Where and ReduceProd are computed on the\n"
    "host, for integers and constants of at most 4096 elements.\n"
    "A warning on standard error names an output whose declared shape is not the computed one.\n"
    "  -o FOLDER      where to; it must exist; the current folder if it is not given\n"
    "  --npy          write output_0.npy, output_1.npy, ... of the types that NumPy has\n"
    "  --external-data SIZE  read at most so much, such as 512M, of data that the model has in\n"
    "                 other files of its folder (4G); 0 for models that nobody trusts: none\n"
    "  --device P:D   which device, as `clreshape devices` lists them\n"
    "  --programs FILE  kernels that `clreshape warm -o FILE` built for the device\n"
    "  --no-cache     neither take kernels from clreshape's folder in $XDG_CACHE_HOME or\n"
    "                 ~/.cache nor keep there what is built\n"
    "  --explain      on standard error: what was moved and how, and the launches in all\n";

typedef struct arguments {
  const char *device, *external;
  cli_programs programs;
  onnx_request request;
  bool help;
} arguments;

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"npy", no_argument, NULL, 'n'},
                                        {"external-data", required_argument, NULL, 'x'},
                                        {"device", required_argument, NULL, 'd'},
                                        {"programs", required_argument, NULL, 'P'},
                                        {"no-cache", no_argument, NULL, 'N'},
                                        {"explain", no_argument, NULL, 'e'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};

static int check_arguments(arguments *given) {
  clrs_error error;
  if (given->help)
    return CLI_EXIT_DONE;
  if (given->request.model == NULL)
    return cli_usage_error("onnx", "onnx needs a model");
  if (given->device != NULL && cli_host_check_device_text(given->device, &error) != CLRS_OK)
    return cli_usage_error("onnx", "%s", error.message);
  if (given->external != NULL && strcmp(given->external, "0") == 0)
    given->request.external = 0;
  else if (given->external != NULL &&
           cli_size_parse(given->external, &given->request.external, &error) != CLRS_OK)
    return cli_usage_error("onnx", "%s", error.message);
  return CLI_EXIT_DONE;
}

/* getopt_long moves the files behind the options in argv. */
static int read_arguments(int argc, char **argv, arguments *given) {
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, "o:h", options, NULL)) != -1;) {
    if (option == 'o')
      given->request.folder = optarg;
    else if (option == 'd')
      given->device = optarg;
    else if (option == 'P')
      given->programs.file = optarg;
    else if (option == 'N')
      given->programs.no_cache = true;
    else if (option == 'x')
      given->external = optarg;
    else if (option == 'n')
      given->request.writes_npy = true;
    else if (option == 'e')
      given->request.explain = stderr;
    else if (option == 'h')
      given->help = true;
    else
      return cli_usage_error("onnx", "%s is not an option of onnx or lacks its value",
                             argv[optind - 1]);
  }
  if (optind < argc) {
    given->request.model = argv[optind];
    given->request.inputs = argv + optind + 1;
    given->request.input_count = (size_t)(argc - optind - 1);
  }
  return check_arguments(given);
}

int cli_onnx(int argc, char **argv) {
  cli_inputs files = {0};
  arguments given = {.programs.inputs = &files,
                     .request = {.folder = ".", .external = (uint64_t)4 << 30, .files = &files}};
  cli_host host;
  clrs_error error;
  if (read_arguments(argc, argv, &given) != CLI_EXIT_DONE)
    return CLI_EXIT_USAGE;
  if (given.help)
    return fputs(help, stdout), CLI_EXIT_DONE;
  if (cli_host_open(given.device, &host, &error) != CLRS_OK)
    return cli_report(&error);
  clrs_status status = cli_programs_begin(&host, &given.programs, &error);
  if (status == CLRS_OK) {
    status = onnx_run(&host, &given.request, &error);
    cli_programs_end(&host, &given.programs, status);
  }
  cli_inputs_free(&files);
  cli_host_close(&host);
  return status == CLRS_OK ? CLI_EXIT_DONE : cli_report(&error);
}
