/*
 * clreshape run: applies a chain of operations to a .npy file on a device.
 *
 * The result is cut into boxes; of each the elements that it shows are read, moved and written, so
 * that files may be larger than any memory. All that can fail without a device is tried before one
 * is opened.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "carry.h"
#include "commands.h"
#include "explain_plan.h"
#include "fail.h"
#include "npy.h"
#include "output.h"

static const char help[] =
    "usage: clreshape run IN.npy OUT.npy [--device P:D]... [--memory SIZE] [--dialect D]\n"
    "                     [--literal-zero] [--policy never|if-needed|always] [--class C]\n"
    "                     [--explain] OP...\n"
    "\n"
    "Applies the operations left to right to IN.npy on an OpenCL device and writes the\n"
    "dense row-major result to OUT.npy. Both may be larger than any memory.\n"
    "  --device P:D     as `clreshape devices` lists it; several share the work\n"
    "  --memory SIZE    of all buffers together, such as 512M or 2G: a larger tensor is moved\n"
    "                   in parts, of which only what they show is read\n"
    "  --dialect D      onnx (default), openvino, onednn or numpy: how reshape reads 0 and -1,\n"
    "                   and how cast rounds\n"
    "  --literal-zero   0 in reshape means 0 and does not copy the input's dim\n"
    "  --policy P       never: fail if the result is not a view of the input; if-needed\n"
    "                   (default): copy only then; always: copy\n"
    "  --class C        move with this kernel class (rows, tile, gather, ...) or fail\n"
    "  --explain        say on standard error what is done and why\n"
    "\n"
    "Operations: reshape=0,-1  permute=0,2,1,3  squeeze=0,2 (or squeeze)  unsqueeze=0\n"
    "  flatten=1  expand=8,3,4  slice=1:,::-1,0:4:2  slice=1,...,-1  roll=1,3 (axis, by\n"
    "  how many)  flip=0  split=1,3,0 (axis, parts, which)  depth_to_space=2,DCR (or CRD)\n"
    "  space_to_depth=2  channel_shuffle=3\n"
    "  batch_to_space=1,2,2  space_to_batch=1,2,2  tile=2,1,3  repeat=1,4 (axis, count)\n"
    "  window=1,20,10 (axis, size, step)  diagonal=0,1,2 (offset, two axes)\n"
    "  move_axis=0,-1  swap_axes=1,2. `reshape=` with nothing after it makes a scalar.\n"
    "Maps of elements, in the same pass: cast=f32  cast=u8,even,saturate  bitcast=bf16\n"
    "  mean=1,2,3  std=1,2,3,axis=0  scale=2  bias=1  clamp=0,6\n"
    "  quantize=u8,0.02,128 (type, scale, zero point)  dequantize=f16,0.02,128\n"
    "In einops' notation, as one argument: \"rearrange=b t (h d) -> (b h) t d, h=12\" and\n"
    "  \"repeat=h w -> (h a) (w b), a=2, b=2\", lengths behind commas.\n";

typedef struct job {
  const cli_request *request;
  cli_npy_file input;
  char descr[8]; /* of the output */
  cli_output output;
  cli_work work;
  cli_boxes boxes;
  cli_host hosts[CLI_MOST_DEVICES];
  size_t host_count;
} job;

/* ---- how the result is cut ---- */

/* Of a box on either side, if nobody says. A transpose of 1 GiB took 3.0 s in boxes of 2 to 16 MiB,
 * 2.4 s in those of 32 MiB and more, whose runs are longer; cp took 1.2 to 1.7 s. */
#define BOX_BYTES ((uint64_t)64 << 20)

static clrs_status cut(job *run, uint64_t most_bytes, clrs_error *error) {
  return cli_boxes_choose(&run->work.mapped, most_bytes, &run->boxes, error);
}

/* What cannot be cut takes what there is. */
static clrs_status cut_freely(job *run, clrs_error *error) {
  const clrs_status status = cut(run, BOX_BYTES, error);
  return status == CLRS_LIMIT_EXCEEDED ? cut(run, UINT64_MAX, error) : status;
}

/* Two buffers for each mover, and one mover for a single box. */
static clrs_status cut_result(job *run, clrs_error *error) {
  const cli_request *request = run->request;
  const uint64_t buffers = 2 * CLI_MOVERS * request->device_count;
  if (request->memory == 0) {
    return cut_freely(run, error);
  }
  if (cut(run, request->memory / 2, error) == CLRS_OK && run->boxes.count == 1) {
    return CLRS_OK;
  }
  return cut(run, request->memory / buffers, error);
}

static void explain_boxes(const job *run) {
  const cli_work *work = &run->work;
  clrs_layout layout;
  if (work->plan.outcome == CLRS_OUTCOME_ALIAS &&
      clrs_view_layout(&work->view, &layout, NULL) == CLRS_OK && !clrs_layout_is_dense(&layout)) {
    fputs("note: the alias is not dense; one more pass puts it in order for the file\n", stderr);
  }
  if (run->boxes.count > 1) {
    fprintf(stderr, "in %" PRId64 " parts, which read %" PRIu64 " and write %" PRIu64 " bytes\n",
            run->boxes.count, run->boxes.source_bytes, run->boxes.destination_bytes);
  }
}

/* ---- moving it ---- */

static clrs_status open_hosts(job *run, clrs_error *error) {
  const cli_request *request = run->request;
  for (size_t i = 0; i < request->device_count; i++) {
    CLRS_TRY(cli_host_open(request->devices[i], &run->hosts[i], error));
    run->host_count++;
    CLRS_TRY(cli_host_require_class(&run->hosts[i], request->required_class, error));
  }
  return CLRS_OK;
}

static void close_hosts(job *run) {
  for (size_t i = 0; i < run->host_count; i++) {
    cli_host_close(&run->hosts[i]);
  }
}

static clrs_status move_data(job *run, clrs_error *error) {
  const cli_request *request = run->request;
  char header[CLI_NPY_WRITTEN];
  const clrs_shape *shape = &run->work.view.shape;
  const size_t header_size = cli_npy_format(run->descr, shape, header);
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(shape, &count, error));
  const uint64_t size = (uint64_t)count * (clrs_dtype_bits(run->work.mapped.dtype) / 8);
  CLRS_TRY(cli_output_check_room(&run->output, header_size + size, error));
  CLRS_TRY(cli_output_write(&run->output, header, header_size, error));
  CLRS_TRY(open_hosts(run, error));
  const cli_carry carry = {
      .boxes = &run->boxes,
      .input = {run->input.fd, request->input, run->input.header.data_offset},
      .output = {run->output.fd, run->output.target.path, header_size},
      .bytes = size,
      .host_count = run->host_count,
      .hosts = run->hosts,
  };
  return cli_carry_out(&carry, error);
}

/* A type that stays keeps its name: several of NumPy's may be one of ours. */
static clrs_status name_output(job *run, clrs_error *error) {
  const cli_work *work = &run->work;
  if (work->computes && run->request->required_class != CLRS_CLASS_ANY) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "--class %s, and the operations map elements, which has kernels of its own",
                      clrs_class_name(run->request->required_class));
  }
  if (work->mapped.dtype == work->layout.dtype) {
    memcpy(run->descr, run->input.header.descr, sizeof run->descr);
    return CLRS_OK;
  }
  return cli_npy_descr(work->mapped.dtype, run->descr, error);
}

static clrs_status run_job(job *run, clrs_error *error) {
  const cli_request *request = run->request;
  const cli_inputs inputs = {.first = request->input};
  CLRS_TRY(cli_npy_open(request->input, &run->input, error));
  CLRS_TRY(cli_work_init(request, &run->input.header, &run->work, error));
  CLRS_TRY(name_output(run, error));
  CLRS_TRY(cut_result(run, error));
  CLRS_TRY(cli_output_open(request->output, &inputs, &run->output, error));
  if (request->explain) {
    CLRS_TRY(cli_work_print(stderr, request, &run->work, error));
    explain_boxes(run);
  }
  CLRS_TRY(move_data(run, error));
  return cli_output_commit(&run->output, 1, error);
}

static clrs_status run_request(const cli_request *request, clrs_error *error) {
  job *run = calloc(1, sizeof *run);
  if (run == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  run->request = request;
  run->input.fd = -1;
  run->output = (cli_output)CLI_OUTPUT_INIT;
  const clrs_status status = run_job(run, error);
  close_hosts(run);
  cli_output_close(&run->output);
  cli_npy_close(&run->input);
  free(run);
  return status;
}

int cli_run(int argc, char **argv) {
  cli_request request;
  clrs_error error;
  int code = cli_request_read(argc, argv, &request);
  if (code == CLI_EXIT_DONE && request.help) {
    code = cli_help(help);
  } else if (code == CLI_EXIT_DONE && run_request(&request, &error) != CLRS_OK) {
    code = cli_report(&error);
  }
  return code;
}
