/* SPDX-License-Identifier: Apache-2.0 */
#include "whole.h"

#include <inttypes.h>
#include <stdlib.h>

#include "fail.h"
#include "result_parts.h"
#include "text.h"
#include "transfer.h"

typedef struct whole {
  cli_job *run;
  clrs_view dense; /* the elements in the buffer, in the file's order */
  cli_runs read, written;
  void *bytes; /* first the source, then the result */
  cl_mem buffer;
  clrs_tensor *source, *seen, *result;
} whole;

/* Finds the runs of both files. */
static clrs_status measure(whole *w, clrs_error *error) {
  const cli_job *run = w->run;
  const cli_assembled *made = &run->work.made;
  const uint64_t most = run->request->memory;
  clrs_view view, ignored;
  CLRS_TRY(clrs_view_dense(made->after.dtype, &made->result, &view, error));
  CLRS_TRY(cli_runs_of(&view, 0, &w->written, &ignored, error));
  CLRS_TRY(clrs_view_from_layout(&run->work.layout, &view, error));
  CLRS_TRY(cli_runs_of(&view, 0, &w->read, &w->dense, error));
  const uint64_t in = cli_runs_bytes(&w->read), out = cli_runs_bytes(&w->written);
  return most == 0 || (in <= most && out <= most - in)
             ? CLRS_OK
             : clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                          "'%s' and the operations after it take %" PRIu64 " and %" PRIu64
                          " bytes at once, more than --memory allows",
                          clrs__show(run->request->assembly.text).text, in, out);
}

static clrs_status upload(whole *w, const cli_host *host, size_t size, clrs_error *error) {
  cl_event event = NULL;
  CLRS_TRY(cli_host_buffer(host, size, &w->buffer, error));
  const cl_int code =
      clEnqueueWriteBuffer(host->queue, w->buffer, CL_TRUE, 0, size, w->bytes, 0, NULL, &event);
  return code == CL_SUCCESS ? cli_host_wait(event, "writing to the device", error)
                            : clrs__fail_opencl(error, code, "clEnqueueWriteBuffer");
}

static clrs_status read_source(whole *w, const cli_host *host, clrs_error *error) {
  const cli_run_file input = cli_source_elements(&w->run->source);
  const size_t size = (size_t)cli_runs_bytes(&w->read);
  clrs_layout layout;
  w->bytes = malloc(size + 1);
  if (w->bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  CLRS_TRY(cli_runs_read(&w->read, &input, w->bytes, error));
  CLRS_TRY(size > 0 ? upload(w, host, size, error) : cli_host_buffer(host, 1, &w->buffer, error));
  CLRS_TRY(clrs_view_layout(&w->dense, &layout, error));
  return clrs_tensor_wrap(host->clreshape, &(clrs_storage){.buffer = w->buffer}, &layout,
                          &w->source, error);
}

static clrs_status pad(whole *w, const cli_host *host, clrs_error *error) {
  const cli_request *request = w->run->request;
  const cli_assembly *assembly = &request->assembly;
  uint8_t element[CLI_MOST_UNIT];
  const clrs_padding padding = {.begins = assembly->before,
                                .element = element,
                                .mode = assembly->mode,
                                .ends = assembly->behind,
                                .chain = &assembly->after,
                                .rules = &assembly->rules};
  cl_event event = NULL;
  CLRS_TRY(cli_part_element(assembly, &w->run->work.made.type, element, error));
  CLRS_TRY(clrs_tensor_with_chain(w->source, &request->chain, &request->rules, &w->seen, error));
  CLRS_TRY(clrs_enqueue_pad(w->seen, &padding, NULL, &w->result, &(clrs_on){.queue = host->queue},
                            &event, error));
  return cli_host_wait(event, "moving the data", error);
}

static clrs_status write_result(whole *w, cli_host *host, clrs_error *error) {
  const cli_run_file output = cli_sink_elements(&w->run->sink);
  free(w->bytes);
  w->bytes = NULL;
  CLRS_TRY(cli_host_fetch(host, w->result, (size_t)cli_runs_bytes(&w->written), &w->bytes, error));
  return cli_runs_write(&w->written, &output, w->bytes, error);
}

static clrs_status move_whole(whole *w, clrs_error *error) {
  cli_job *run = w->run;
  CLRS_TRY(measure(w, error));
  CLRS_TRY(cli_job_begin_output(run, error));
  CLRS_TRY(read_source(w, &run->hosts[0], error));
  CLRS_TRY(pad(w, &run->hosts[0], error));
  CLRS_TRY(write_result(w, &run->hosts[0], error));
  CLRS_TRY(cli_source_finish(&run->source, error));
  cli_source_close(&run->source);
  return CLRS_OK;
}

clrs_status cli_job_move_whole(cli_job *run, clrs_error *error) {
  whole w = {.run = run};
  const clrs_status status = move_whole(&w, error);
  clrs_tensor_release(w.result);
  clrs_tensor_release(w.seen);
  clrs_tensor_release(w.source);
  if (w.buffer != NULL) {
    clReleaseMemObject(w.buffer);
  }
  free(w.bytes);
  return status;
}
