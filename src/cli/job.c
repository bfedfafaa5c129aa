/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include "carry.h"
#include "checked.h"
#include "fail.h"

/* ---- how the result is cut ---- */

/* Most bytes on each side of a box, unless --memory is given. A transpose of 1 GiB took 3.0 s in
 * boxes of 2 to 16 MiB, and 2.4 s in boxes of 32 MiB and more, whose runs are longer. cp took 1.2
 * to 1.7 s. */
#define BOX_BYTES ((uint64_t)64 << 20)

/* A stream may cost this many times as much as a spool. A spool writes and reads all bytes once
 * more. */
#define STREAM_COST 3.0

static clrs_status cut(cli_job *run, uint64_t most_bytes, bool in_order, clrs_error *error) {
  const cli_boxes_wish wish = {most_bytes, in_order};
  return cli_boxes_choose(&run->work.seen, &run->work.part.place, &wish, &run->boxes, error);
}

/* Cuts without a memory limit. A part that cannot be cut, and is written along one walk, becomes a
 * single box of any size. */
static clrs_status cut_freely(cli_job *run, bool in_order, clrs_error *error) {
  const clrs_status status = cut(run, BOX_BYTES, in_order, error);
  const bool may_be_whole = run->work.part.place.depth <= 1;
  return status == CLRS_LIMIT_EXCEEDED && may_be_whole ? cut(run, UINT64_MAX, in_order, error)
                                                       : status;
}

/* Cuts the part. Each mover has two buffers, and a single box needs only one mover. */
clrs_status cli_job_cut(cli_job *run, bool in_order, clrs_error *error) {
  const cli_request *request = run->request;
  const uint64_t buffers = request->device_count * CLI_MOVERS * 2;
  if (request->memory == 0) {
    return cut_freely(run, in_order, error);
  }
  if (cut(run, request->memory / 2, in_order, error) == CLRS_OK && run->boxes.count == 1) {
    return CLRS_OK;
  }
  return cut(run, request->memory / buffers, in_order, error);
}

/* ---- streams ---- */

/* Cuts boxes in the result's order, if a stream can be read and written in that order. An end that
 * is no stream allows any order. */
static clrs_status cut_for_streams(cli_job *run, bool *is_cut, clrs_error *error) {
  const double cost = run->boxes.cost;
  clrs_error ignored;
  *is_cut = false;
  if (cli_job_cut(run, true, &ignored) != CLRS_OK || run->boxes.cost > STREAM_COST * cost) {
    return CLRS_OK;
  }
  *is_cut = true;
  return run->source.file.is_stream ? cli_boxes_read_on(&run->boxes, is_cut, error) : CLRS_OK;
}

clrs_status cli_job_cut_between_ends(cli_job *run, bool *is_spooled, clrs_error *error) {
  bool is_cut = false;
  *is_spooled = run->source.file.is_stream || cli_is_standard_output(run->request->output);
  CLRS_TRY(cli_job_cut(run, false, error));
  if (!*is_spooled) {
    return CLRS_OK;
  }
  if (run->request->assembly.kind == CLI_NO_ASSEMBLY) {
    CLRS_TRY(cut_for_streams(run, &is_cut, error));
    *is_spooled = !is_cut;
  }
  return is_cut ? CLRS_OK : cli_job_cut(run, false, error);
}

clrs_status cli_job_spool_ends(cli_job *run, clrs_error *error) {
  const cli_sink *sink = &run->sink;
  CLRS_TRY(
      cli_source_spool(&run->source, sink->is_standard ? NULL : sink->output.target.path, error));
  return cli_sink_spool(&run->sink, error);
}

/* ---- moving it ---- */

static clrs_status open_hosts(cli_job *run, clrs_error *error) {
  const cli_request *request = run->request;
  for (size_t i = run->host_count; i < request->device_count; i++) {
    CLRS_TRY(cli_host_open(request->devices[i], &run->hosts[i], error));
    run->host_count++;
    CLRS_TRY(cli_host_require_class(&run->hosts[i], request->required_class, error));
    run->programs[i] = (cli_programs){request->programs, request->no_cache, &run->inputs, 0};
    CLRS_TRY(cli_programs_begin(&run->hosts[i], &run->programs[i], error));
  }
  return CLRS_OK;
}

void cli_job_close_hosts(cli_job *run, clrs_status status) {
  for (size_t i = 0; i < run->host_count; i++) {
    cli_programs_end(&run->hosts[i], &run->programs[i], status);
    cli_host_close(&run->hosts[i]);
  }
}

/* Finds the header and the byte count of the result. Fails if the byte count does not fit in 64
 * bits. */
static clrs_status find_content(const cli_job *run, cli_sink_content *content, clrs_error *error) {
  const cli_assembled *made = &run->work.made;
  const cli_format *format = run->request->format;
  int64_t count = 0, bytes = 0;
  CLRS_TRY(clrs_shape_count(&made->result, &count, error));
  if (!clrs__multiply(count, made->result_type.element_bytes, &bytes)) {
    return clrs__fail(error, CLRS_OVERFLOW, "the bytes of the result do not fit in 64 bits");
  }
  content->header_bytes = format->format != NULL
                              ? format->format(&made->result_type, &made->result, content->header)
                              : 0;
  content->dtype = made->result_type.dtype;
  content->shape = made->result;
  content->swaps = format->has_high_first && made->result_type.element_bytes == 2;
  content->data_bytes = (uint64_t)bytes;
  return CLRS_OK;
}

clrs_status cli_job_begin_output(cli_job *run, clrs_error *error) {
  cli_sink_content content;
  CLRS_TRY(find_content(run, &content, error));
  CLRS_TRY(cli_sink_check(&run->sink, &content, error));
  CLRS_TRY(open_hosts(run, error));
  return cli_sink_begin(&run->sink, &content, error);
}

clrs_status cli_job_carry(cli_job *run, const cli_run_file *input, clrs_error *error) {
  const clrs_view *place = &run->work.part.place;
  int64_t units = 0;
  CLRS_TRY(clrs_shape_count(&place->shape, &units, error));
  const cli_carry carry = {
      .boxes = &run->boxes,
      .input = *input,
      .output = cli_sink_elements(&run->sink),
      .bytes = (uint64_t)clrs__exact_multiply(units, clrs_dtype_bits(place->dtype) / 8),
      .host_count = run->host_count,
      .hosts = run->hosts,
  };
  return cli_carry_out(&carry, error);
}
