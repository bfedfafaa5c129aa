/*
 * clreshape run: applies a chain of operations to a .npy file on a device.
 *
 * The data passes through one small host buffer on either way; the device holds the source and, if
 * bytes have to move, one destination. All that can fail without a device is tried before one is
 * opened.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "commands.h"
#include "explain_plan.h"
#include "fail.h"
#include "host.h"
#include "npy.h"
#include "output.h"
#include "transfer.h"
#include "whole_file.h"

static const char help[] =
    "usage: clreshape run IN.npy OUT.npy [--device P:D] [--dialect D] [--literal-zero]\n"
    "                     [--policy never|if-needed|always] [--class C] [--explain] OP...\n"
    "\n"
    "Applies the operations left to right to IN.npy on an OpenCL device and writes the\n"
    "dense row-major result to OUT.npy.\n"
    "  --device P:D     as `clreshape devices` lists it\n"
    "  --dialect D      onnx (default), openvino, onednn or numpy: how reshape reads 0 and -1,\n"
    "                   and how cast rounds\n"
    "  --literal-zero   0 in reshape means 0 and does not copy the input's dim\n"
    "  --policy P       never: fail if the result is not a view of the input; if-needed\n"
    "                   (default): copy only then; always: copy\n"
    "  --class C        move with this kernel class (rows, tile, gather, ...) or fail\n"
    "  --explain        say on standard error what is done and why\n"
    "\n"
    "Operations: reshape=0,-1  permute=0,2,1,3  squeeze=0,2 (or squeeze)  unsqueeze=0\n"
    "  flatten=1  expand=8,3,4  slice=1:,::-1,0:4:2  flip=0  split=1,3,0 (axis, parts,\n"
    "  which)  depth_to_space=2,DCR (or CRD)  space_to_depth=2  channel_shuffle=3\n"
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
  cli_host host;
} job;

static clrs_status read_input(void *user_data, void *bytes, size_t size, clrs_error *error) {
  const job *run = user_data;
  return cli_read_fully(run->input.fd, run->request->input, bytes, size, error);
}

static clrs_status write_output(void *user_data, void *bytes, size_t size, clrs_error *error) {
  job *run = user_data;
  return cli_output_write(&run->output, bytes, size, error);
}

static clrs_status materialize(job *run, clrs_tensor *source, clrs_copy_policy policy,
                               clrs_tensor **result, clrs_error *error) {
  cl_event event = NULL;
  clrs_tensor *made = NULL;
  CLRS_TRY(clrs_enqueue_materialize(run->host.clreshape, source, policy, &made, run->host.queue, 0,
                                    NULL, &event, error));
  clrs_status status = cli_host_wait(event, "moving the data", error);
  if (status == CLRS_OK) {
    *result = made;
  } else {
    clrs_tensor_release(made);
  }
  return status;
}

/* An alias may have any strides, a file has not: if needed, a pass puts it in order for the file.
 * Takes over the reference to the view in *tensor. */
static clrs_status make_dense(job *run, clrs_tensor **tensor, clrs_error *error) {
  clrs_tensor *result = NULL;
  clrs_status status = materialize(run, *tensor, run->request->policy, &result, error);
  if (status == CLRS_OK && !cli_host_is_dense(result)) {
    clrs_tensor *alias = result;
    result = NULL;
    if (run->request->explain) {
      fputs("note: the alias is not dense; one more pass puts it in order for the file\n", stderr);
    }
    status = materialize(run, alias, CLRS_COPY_ALWAYS, &result, error);
    clrs_tensor_release(alias);
  }
  clrs_tensor_release(*tensor);
  *tensor = result;
  return status;
}

/* The input on the device, seen as the operations make it look. */
static clrs_status upload(job *run, clrs_tensor **viewed, clrs_error *error) {
  cli_stream source = {read_input, run, run->input.header.data_bytes};
  clrs_tensor *tensor = NULL;
  CLRS_TRY(cli_host_upload_stream(&run->host, &run->work.layout, &source, &tensor, error));
  const cli_request *request = run->request;
  clrs_status status =
      clrs_tensor_with_chain(tensor, &request->chain, &request->rules, viewed, error);
  clrs_tensor_release(tensor);
  return status;
}

static clrs_status download(job *run, clrs_tensor *result, clrs_error *error) {
  char header[CLI_NPY_WRITTEN];
  int64_t count = 0;
  CLRS_TRY(clrs_shape_count(&run->work.view.shape, &count, error));
  size_t header_size = cli_npy_format(run->descr, &run->work.view.shape, header);
  CLRS_TRY(cli_output_write(&run->output, header, header_size, error));
  cli_stream destination = {write_output, run,
                            (uint64_t)count * (clrs_dtype_bits(run->work.mapped.dtype) / 8)};
  return cli_host_download_stream(&run->host, result, &destination, error);
}

static clrs_status move_data(job *run, clrs_error *error) {
  clrs_tensor *tensor = NULL;
  CLRS_TRY(cli_host_open(run->request->device, &run->host, error));
  CLRS_TRY(cli_host_require_class(&run->host, run->request->required_class, error));
  CLRS_TRY(upload(run, &tensor, error));
  clrs_status status = make_dense(run, &tensor, error);
  if (status == CLRS_OK) {
    status = download(run, tensor, error);
  }
  clrs_tensor_release(tensor);
  return status;
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
  CLRS_TRY(cli_output_open(request->output, &inputs, &run->output, error));
  if (request->explain) {
    CLRS_TRY(cli_work_print(stderr, request, &run->work, error));
  }
  CLRS_TRY(move_data(run, error));
  return cli_output_commit(&run->output, 1, error);
}

static clrs_status run_request(const cli_request *request, clrs_error *error) {
  job run = {.request = request, .input = {.fd = -1}, .output = CLI_OUTPUT_INIT};
  clrs_status status = run_job(&run, error);
  cli_host_close(&run.host);
  cli_output_close(&run.output);
  cli_npy_close(&run.input);
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
