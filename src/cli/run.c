/*
 * clreshape run: applies a chain of operations to a .npy file on a device.
 *
 * The result is cut into boxes. For each box, the needed elements are read, moved and written, so
 * that files and streams may be larger than any memory. All checks that need no device come before
 * a device is opened.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "count_parts.h"
#include "descriptor.h"
#include "each.h"
#include "fail.h"
#include "job.h"
#include "spool.h"
#include "text.h"
#include "whole.h"

static const char help[] =
    "usage: clreshape run IN.npy OUT.npy [--device P:D]... [--memory SIZE] [--dialect D]\n"
    "                     [--literal-zero] [--policy never|if-needed|always] [--class C]\n"
    "                     [--programs FILE] [--no-cache] [--explain]\n"
    "                     [--raw TYPE,DIM...] [--to FORMAT] OP...\n"
    "       clreshape run --each FOLDER IN.npy... [OPTION]... OP...\n"
    "\n"
    "Applies the operations left to right to IN.npy on an OpenCL device and writes the\n"
    "dense row-major result to OUT.npy. Both may be larger than any memory. `-` is standard\n"
    "input or output; where the order of a stream does not do, all of it goes through a\n"
    "temporary file. A.npz:name is an array of an archive, which keeps its other arrays if it\n"
    "is the output. The name may be left out: the only array, or arr_0 of a new archive.\n"
    "A.safetensors:name is a tensor of safetensors, in the same way. A.gguf:name is read only:\n"
    "numbers as they are, Q4_0 and Q8_0 as f32.\n"
    "Elements of any fixed width are moved, as they are. Images in PGM (P5) and PPM (P6) are\n"
    "[H,W] and [H,W,3] of u8 or u16.\n"
    "  --device P:D     as `clreshape devices` lists it; several share the work\n"
    "  --memory SIZE    of all buffers together, such as 512M or 2G: a larger tensor is moved\n"
    "                   in parts, of which only what they show is read\n"
    "  --dialect D      onnx (default), openvino, onednn or numpy: how reshape reads 0 and -1,\n"
    "                   and how cast rounds\n"
    "  --literal-zero   0 in reshape means 0 and does not copy the input's dim\n"
    "  --policy P       never: fail if the result is not a view of the input; if-needed\n"
    "                   (default): copy only then; always: copy\n"
    "  --class C        move with this kernel class (cpu_rows, gpu_tile, ...) or fail\n"
    "  --programs FILE  kernels that `clreshape warm -o FILE` built for the device\n"
    "  --no-cache       neither take kernels from clreshape's folder in $XDG_CACHE_HOME or\n"
    "                   ~/.cache nor keep there what is built\n"
    "  --explain        say on standard error what is done and why\n"
    "  --each FOLDER    the same for each input, to a file of that name in the folder, or, if\n"
    "                   FOLDER is A.npz, to an array of that name in the archive, which is\n"
    "                   written at the end. An input archive without the name of an array is\n"
    "                   all of its arrays\n"
    "  --raw TYPE,DIM.. what is read has no header: bare elements of that type and shape, row by\n"
    "                   row, such as f32,6,8,10 or bf16,4096, and nothing else\n"
    "  --to FORMAT      npy, pgm, ppm, or raw: bare elements, also of types that .npy files\n"
    "                   lack, such as bf16. Otherwise the ending of OUT says so (.pgm, .ppm)\n"
    "\n";

static const char operations[] =
    "Operations: reshape=0,-1  permute=0,2,1,3  squeeze=0,2 (or squeeze)  unsqueeze=0\n"
    "  flatten=1  expand=8,3,4  slice=1:,::-1,0:4:2  slice=1,...,-1  roll=1,3 (axis, by\n"
    "  how many)  flip=0  split=1,3,0 (axis, parts, which)  depth_to_space=2,DCR (or CRD)\n"
    "  space_to_depth=2  channel_shuffle=3\n"
    "  batch_to_space=1,2,2  space_to_batch=1,2,2  tile=2,1,3  repeat=1,4 (axis, count)\n"
    "  window=1,20,10 (axis, size, step)  diagonal=0,1,2 (offset, two axes)\n"
    "  move_axis=0,-1  swap_axes=1,2. `reshape=` with nothing after it makes a scalar.\n"
    "Maps of elements, in the same pass: cast=f32  cast=u8,even,saturate  bitcast=bf16\n"
    "  bitcast=i4 (the bytes of the last axis as other elements)\n"
    "  color=nv12,rgb,opencv (nv12 nv21 i420 yv12 yuyv uyvy to rgb or bgr; rgb, bgr to grey)\n"
    "  resize=480,640,opencv_linear_exact (`?`: others; both in front of maps)\n"
    "  round=i8 (to such numbers)  mean=1,2,3  std=1,2,3,axis=0  scale=2  bias=1\n"
    "  add=1  sub=1,2,3  mul=2  div=2  min=6  max=0  shr=4  clamp=0,6\n"
    "  quantize=u8,0.02,128 (type, scale, zero point)  dequantize=f16,0.02,128\n"
    "In einops' notation, as one argument: \"rearrange=b t (h d) -> (b h) t d, h=12\" and\n"
    "  \"repeat=h w -> (h a) (w b), a=2, b=2\", lengths behind commas.\n"
    "One operation may put the result together: concat=0,B.npy,C.npy (axis, files)\n"
    "  stack=0,B.npy (axis, files)  pad=1:1,0:2,value=-1 (before:behind of each dim; 0)\n"
    "  pad=1:1,0:2,mode=reflect (or edge, symmetric, wrap; pad=1 pads every dim, as numpy.pad).\n"
    "  Behind it, operations may move all elements, as permute, reshape, flip and roll do, and\n"
    "  map the elements. Behind pad also windows, slices and repeats, in memory at once.\n"
    "  For more, pipe the result into another `clreshape run -`.\n";

static void explain_boxes(const cli_job *run) {
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

/* Counts the launches and bytes of all parts. The first part is unchanged. */
static clrs_status explain_parts(cli_job *run, clrs_error *error) {
  return run->request->assembly.kind == CLI_NO_ASSEMBLY
             ? CLRS_OK
             : cli_work_count(run->request, &run->work, error);
}

/* ---- what is moved ---- */

/* Moves the source. If a pad repeats elements, each box of the pad is another part of the same
 * source. */
static clrs_status move_source(cli_job *run, clrs_error *error) {
  const cli_run_file input = cli_source_elements(&run->source);
  CLRS_TRY(cli_job_carry(run, &input, error));
  for (size_t box = 1; box < run->work.made.pad.box_count; box++) {
    CLRS_TRY(cli_work_take_box(run->request, box, &run->work, error));
    CLRS_TRY(cli_job_cut(run, false, error));
    CLRS_TRY(cli_job_carry(run, &input, error));
  }
  CLRS_TRY(cli_source_finish(&run->source, error));
  cli_source_close(&run->source);
  return CLRS_OK;
}

/* ---- what concat, stack and pad add ---- */

static clrs_status read_part(cli_job *run, const char *path, clrs_error *error) {
  cli_request plain = *run->request;
  const cli_npy_header *header = &run->source.file.header;
  CLRS_TRY(cli_source_open(path, plain.raw, &run->source, error));
  CLRS_TRY(cli_work_take_file(&plain, path, header, &run->work, error));
  return cli_job_cut(run, false, error);
}

static clrs_status add_files(cli_job *run, clrs_error *error) {
  const cli_assembly *assembly = &run->request->assembly;
  for (size_t i = 0; i < assembly->file_count; i++) {
    CLRS_TRY(read_part(run, assembly->files[i], error));
    CLRS_TRY(move_source(run, error));
  }
  const cli_assembled *made = &run->work.made;
  return assembly->file_count == 0 || made->next == made->shape.dims[made->axis]
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "'%s': a file became shorter meanwhile",
                          clrs__show(assembly->text).text);
}

/* Moves a slab of the border as a part: a file of one element, repeated everywhere. */
static clrs_status move_slab(cli_job *run, const cli_run_file *element, clrs_error *error) {
  CLRS_TRY(cli_job_cut(run, false, error));
  return cli_job_carry(run, element, error);
}

static clrs_status fill_slab(cli_job *run, const uint8_t *element, clrs_error *error) {
  const cli_run_file file = cli_sink_elements(&run->sink);
  cli_runs runs;
  clrs_view dense;
  CLRS_TRY(cli_runs_of(&run->work.part.place, 0, &runs, &dense, error));
  return cli_runs_fill(&runs, &file, element, error);
}

static clrs_status add_slabs(cli_job *run, const uint8_t *element, const cli_run_file *moved,
                             clrs_error *error) {
  for (uint32_t slab = 0; slab < 2 * run->work.made.shape.rank; slab++) {
    CLRS_TRY(cli_work_take_slab(run->request, slab, &run->work, error));
    CLRS_TRY(moved != NULL ? move_slab(run, moved, error) : fill_slab(run, element, error));
  }
  return CLRS_OK;
}

static clrs_status add_border(cli_job *run, const uint8_t *element, clrs_error *error) {
  const char *near = cli_is_standard_output(run->request->output) ? NULL : run->request->output;
  cli_run_file file = {.fd = -1, .path = "the value of the border"};
  if (!cli_assembly_has_border(&run->request->assembly)) {
    return CLRS_OK;
  }
  if (!cli_parts_border_moves(&run->work.made)) {
    return add_slabs(run, element, NULL, error);
  }
  CLRS_TRY(cli_spool_open(near, &file.fd, error));
  clrs_status status = cli_write_all(file.fd, file.path, element, CLI_MOST_UNIT, error);
  if (status == CLRS_OK) {
    status = add_slabs(run, element, &file, error);
  }
  close(file.fd);
  return status;
}

static clrs_status move_all(cli_job *run, clrs_error *error) {
  uint8_t element[CLI_MOST_UNIT];
  const cli_assembly *assembly = &run->request->assembly;
  if (run->work.made.is_whole) {
    return cli_job_move_whole(run, error);
  }
  CLRS_TRY(cli_part_element(assembly, &run->work.made.type, element, error));
  CLRS_TRY(cli_job_begin_output(run, error));
  CLRS_TRY(move_source(run, error));
  CLRS_TRY(add_files(run, error));
  return add_border(run, element, error);
}

/* ---- a run ---- */

static clrs_status check_class(const cli_job *run, clrs_error *error) {
  const char *required = run->request->required_class;
  return run->work.computes && required != NULL
             ? clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "--class %s, and the operations map elements, which has kernels of its "
                          "own",
                          required)
             : CLRS_OK;
}

/* Checks for options that the request cannot fulfil. */
static clrs_status check_wishes(const cli_job *run, clrs_error *error) {
  const cli_request *request = run->request;
  CLRS_TRY(check_class(run, error));
  if (request->assembly.kind != CLI_NO_ASSEMBLY && request->policy == CLRS_COPY_NEVER) {
    return clrs__fail(error, CLRS_WOULD_COPY,
                      "--policy never, and '%s' makes something that is no view of the input",
                      clrs__show(request->assembly.text).text);
  }
  return CLRS_OK;
}

/* Makes all checks that need no device. */
static clrs_status prepare(cli_job *run, clrs_error *error) {
  const cli_request *request = run->request;
  const cli_npy_header *header = &run->source.file.header;
  CLRS_TRY(cli_source_open(request->input, request->raw, &run->source, error));
  CLRS_TRY(cli_work_init(request, header, &run->work, error));
  CLRS_TRY(check_wishes(run, error));
  CLRS_TRY(cli_work_assemble(request, header, &run->work, error));
  return check_class(run, error);
}

/* Lists all inputs. A file behind standard input must not be replaced either. */
static clrs_status list_inputs(const cli_request *request, cli_job *run, clrs_error *error) {
  const cli_assembly *assembly = &request->assembly;
  if (request->each == NULL) {
    const char *first = cli_is_standard_input(request->input) ? "/dev/stdin" : request->input;
    CLRS_TRY(cli_inputs_add(&run->inputs, first, error));
  }
  for (size_t i = 0; i < request->input_count; i++) {
    CLRS_TRY(cli_inputs_add(&run->inputs, request->inputs[i], error));
  }
  for (size_t i = 0; i < assembly->file_count; i++) {
    CLRS_TRY(cli_inputs_add(&run->inputs, assembly->files[i], error));
  }
  return request->programs != NULL ? cli_inputs_add(&run->inputs, request->programs, error)
                                   : CLRS_OK;
}

static clrs_status run_job(cli_job *run, clrs_error *error) {
  const cli_request *request = run->request;
  bool is_spooled = false;
  CLRS_TRY(prepare(run, error));
  CLRS_TRY(run->work.made.is_whole ? CLRS_OK : cli_job_cut_between_ends(run, &is_spooled, error));
  CLRS_TRY(cli_sink_open(request->output, &run->inputs, &run->sink, error));
  if (request->explain) {
    CLRS_TRY(explain_parts(run, error));
    CLRS_TRY(cli_work_print(stderr, request, &run->work, error));
    explain_boxes(run);
  }
  if (is_spooled) {
    CLRS_TRY(cli_job_spool_ends(run, error));
  }
  CLRS_TRY(move_all(run, error));
  return cli_sink_finish(&run->sink, error);
}

/* With --each, an archive stays open for the next array. */
static clrs_status run_one(const cli_request *request, void *user_data, clrs_error *error) {
  cli_job *run = user_data;
  run->request = request;
  run->source = (cli_source)CLI_SOURCE_INIT;
  const clrs_status status = run_job(run, error);
  if (!run->sink.is_archive) {
    cli_sink_close(&run->sink);
  }
  cli_source_close(&run->source);
  return status;
}

/* Writes an archive, also with the results before a failure. */
static clrs_status end_output(cli_job *run, clrs_status status, clrs_error *error) {
  clrs_error other;
  const clrs_status ended = cli_sink_end(&run->sink, &other);
  cli_sink_close(&run->sink);
  if (status == CLRS_OK && ended != CLRS_OK) {
    *error = other;
  }
  return status == CLRS_OK ? ended : status;
}

static clrs_status run_request(const cli_request *request, clrs_error *error) {
  cli_job *run = calloc(1, sizeof *run);
  if (run == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  run->sink = (cli_sink)CLI_SINK_INIT;
  clrs_status status = list_inputs(request, run, error);
  if (status == CLRS_OK) {
    status = end_output(run, cli_request_each(request, run_one, run, error), error);
  }
  cli_job_close_hosts(run, status);
  cli_inputs_free(&run->inputs);
  free(run);
  return status;
}

int cli_run(int argc, char **argv) {
  return cli_request_do(argc, argv, help, operations, run_request);
}
