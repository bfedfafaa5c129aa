/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "preprocess_cases.h"
#include "transfer.h"

enum { REPETITIONS = 15 };

typedef struct trial {
  const bench_setup *setup;
  const preprocess_case *given;
  preprocess_row *row;
  clrs_layout layout; /* of the result */
  size_t source_bytes, scale_bytes, expected_bytes, result_bytes;
  unsigned char *source, *scales, *expected, *got;
  cl_mem source_buffer, scale_buffer, result_buffer, copy_from, copy_to;
  clrs_tensor *seen, *result, *from, *to;
} trial;

/* ---- what goes in ---- */

static uint32_t scattered(size_t i) {
  uint64_t value = ((uint64_t)i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ (value >> 31)) * UINT64_C(0xd6e8feb86659fd93);
  return (uint32_t)(value >> 32);
}

/* Any codes of integers; of floats numbers from -8 to 8, and no denormals. */
static void fill_source(trial *run) {
  const clrs_dtype from = run->given->from;
  const bool is_q4_0 = run->given->scales == SCALES_OF_Q4_0;
  if (from == CLRS_F32) {
    for (size_t i = 0; i < run->source_bytes / 4; i++) {
      const float value = (float)scattered(i) * 0x1p-28f - 8;
      memcpy(run->source + 4 * i, &value, 4);
    }
  } else if (from == CLRS_F16) {
    for (size_t i = 0; i < run->source_bytes / 2; i++) {
      const uint32_t any = scattered(i);
      const uint16_t code = (uint16_t)((any & 0x83ff) | (5 + (any >> 16) % 13) << 10);
      memcpy(run->source + 2 * i, &code, 2);
    }
  } else {
    for (size_t i = 0; i < run->source_bytes; i++) {
      run->source[i] = (unsigned char)scattered(i);
    }
  }
  for (size_t i = 0; is_q4_0 && i < run->source_bytes; i += PREPROCESS_Q4_0_BYTES) {
    run->source[i + 1] = (unsigned char)(0x20 + scattered(i) % 16); /* a scale from 2^-7 to 2^-3 */
  }
  for (size_t i = 0; i < run->scale_bytes / 4; i++) {
    const float scale = (float)(1 + scattered(i) % 1000) / 1000;
    memcpy(run->scales + 4 * i, &scale, 4);
  }
}

/* ---- the map, and what must come out ---- */

static bool has_scales(const trial *run) {
  return run->given->scales == SCALES_OF_BLOCKS || run->given->scales == SCALES_OF_COLUMNS;
}

/* Bytes from the first element of a layout to its last one. */
static clrs_status bytes_of(const clrs_layout *layout, size_t *bytes, clrs_error *error) {
  clrs_bounds bounds;
  CLRS_TRY(clrs_layout_bounds(layout, &bounds, error));
  *bytes = ((size_t)(bounds.highest + 1) * clrs_dtype_bits(layout->dtype) + 7) / 8;
  return CLRS_OK;
}

static clrs_status allocate(trial *run, const clrs_mapped *mapped, clrs_error *error) {
  const clrs_layout scales = preprocess_scale_layout(run->given);
  clrs_layout source;
  int64_t count;
  CLRS_TRY(preprocess_source_layout(run->given, &source, error));
  CLRS_TRY(clrs_shape_count(&mapped->views.source.shape, &count, error));
  run->layout = preprocess_result_layout(run->given, mapped->dtype, &mapped->views.source.shape);
  run->expected_bytes = (size_t)count * clrs_dtype_bits(mapped->dtype) / 8;
  CLRS_TRY(bytes_of(&source, &run->source_bytes, error));
  CLRS_TRY(bytes_of(&run->layout, &run->result_bytes, error));
  CLRS_TRY(bytes_of(&scales, &run->scale_bytes, error));
  run->source = malloc(run->source_bytes);
  run->scales = malloc(run->scale_bytes);
  run->expected = malloc(run->expected_bytes);
  run->got = malloc(run->result_bytes);
  return run->source != NULL && run->scales != NULL && run->expected != NULL && run->got != NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
}

static clrs_status expect(trial *run, const clrs_mapped *mapped, clrs_error *error) {
  const bool is_q4_0 = run->given->scales == SCALES_OF_Q4_0;
  const clrs_bytes scales = {is_q4_0 ? run->source : run->scales,
                             is_q4_0 ? run->source_bytes : run->scale_bytes};
  const clrs_map_data data = {.source = {run->source, run->source_bytes}, /* behind a zero point */
                              .steps = {scales, scales}};
  /* What is read: of a crop, not all of the source. */
  run->row->bytes = run->expected_bytes + run->expected_bytes * clrs_dtype_bits(run->given->from) /
                                              clrs_dtype_bits(mapped->dtype);
  run->row->bytes = is_q4_0 ? run->expected_bytes + run->source_bytes : run->row->bytes;
  run->row->bytes += has_scales(run) ? run->scale_bytes : 0;
  return clrs_map_apply(&mapped->map, &mapped->views, &data, run->expected, run->expected_bytes,
                        error);
}

/* ---- the device ---- */

/* A buffer that has been written before, so that no page is new. */
static clrs_status new_buffer(const trial *run, size_t bytes, cl_mem *buffer, clrs_error *error) {
  CLRS_TRY(cli_host_buffer(&run->setup->host, bytes, buffer, error));
  return bench_poison(run->setup, *buffer, bytes, error);
}

static clrs_status wrap_layout(const trial *run, cl_mem buffer, const clrs_layout *layout,
                               clrs_tensor **tensor, clrs_error *error) {
  return clrs_tensor_wrap(run->setup->host.clreshape, &(clrs_storage){.buffer = buffer}, layout,
                          tensor, error);
}

static clrs_status see(trial *run, clrs_tensor *source, clrs_error *error) {
  if (run->given->chain != NULL) {
    clrs_chain chain;
    CLRS_TRY(clrs_chain_parse(run->given->chain, &chain, error));
    return clrs_tensor_with_chain(source, &chain, NULL, &run->seen, error);
  }
  const clrs_layout layout = preprocess_scale_layout(run->given);
  clrs_mapped mapped;
  clrs_tensor *scales = NULL;
  CLRS_TRY(preprocess_bind(run->given, &mapped, error));
  CLRS_TRY(wrap_layout(run, has_scales(run) ? run->scale_buffer : run->source_buffer, &layout,
                       &scales, error));
  const clrs_parameter_tensors tensors = {.steps = {scales, scales}};
  const clrs_status status = clrs_tensor_with_map(source, &mapped.map, &tensors, &run->seen, error);
  clrs_tensor_release(scales);
  return status;
}

static clrs_status wrap(trial *run, clrs_error *error) {
  const clrs_layout half = {
      CLRS_BITS8, 1, {(int64_t)((run->row->bytes / 2 + 63) / 64 * 64)}, {1}, 0};
  clrs_layout layout;
  clrs_tensor *source = NULL;
  CLRS_TRY(preprocess_source_layout(run->given, &layout, error));
  CLRS_TRY(wrap_layout(run, run->source_buffer, &layout, &source, error));
  const clrs_status status = see(run, source, error);
  clrs_tensor_release(source);
  CLRS_TRY(status);
  CLRS_TRY(wrap_layout(run, run->result_buffer, &run->layout, &run->result, error));
  CLRS_TRY(new_buffer(run, (size_t)half.dims[0], &run->copy_from, error));
  CLRS_TRY(new_buffer(run, (size_t)half.dims[0], &run->copy_to, error));
  CLRS_TRY(wrap_layout(run, run->copy_from, &half, &run->from, error));
  return wrap_layout(run, run->copy_to, &half, &run->to, error);
}

static clrs_status make_buffers(trial *run, clrs_error *error) {
  CLRS_TRY(new_buffer(run, run->source_bytes, &run->source_buffer, error));
  CLRS_TRY(new_buffer(run, run->scale_bytes, &run->scale_buffer, error));
  CLRS_TRY(new_buffer(run, run->result_bytes, &run->result_buffer, error));
  CLRS_TRY(bench_write(run->setup, run->source_buffer, run->source, run->source_bytes, error));
  return bench_write(run->setup, run->scale_buffer, run->scales, run->scale_bytes, error);
}

/* ---- running ---- */

static clrs_status start(const trial *run, int kind, cl_event *event, clrs_error *error) {
  const cl_command_queue queue = run->setup->queue;
  clrs_context *context = run->setup->host.clreshape;
  if (kind == BENCH_COPY_BUFFER) {
    const cl_int code = clEnqueueCopyBuffer(queue, run->copy_from, run->copy_to, 0, 0,
                                            (size_t)(run->row->bytes / 2), 0, NULL, event);
    return code == CL_SUCCESS ? CLRS_OK : clrs__fail_opencl(error, code, "clEnqueueCopyBuffer");
  }
  return kind == BENCH_MOVE
             ? clrs_enqueue_move(context, run->seen, run->result, queue, 0, NULL, event, error)
             : clrs_enqueue_move(context, run->from, run->to, queue, 0, NULL, event, error);
}

static clrs_status time_one(const trial *run, int kind, double *seconds, clrs_error *error) {
  cl_event event = NULL;
  const double begin = bench_now();
  CLRS_TRY(start(run, kind, &event, error));
  clWaitForEvents(1, &event); /* how it ended, cli_host_wait asks */
  *seconds = bench_now() - begin;
  return cli_host_wait(event, "a measured command", error);
}

/* Elements of a result lie at one distance, but for the room behind each row. */
static clrs_status check(trial *run, clrs_error *error) {
  const clrs_layout *layout = &run->layout;
  const size_t size = clrs_dtype_bits(layout->dtype) / 8, last = layout->rank - 1;
  const size_t columns = (size_t)layout->dims[last], step = (size_t)layout->strides[last] * size;
  const cl_int code = clEnqueueReadBuffer(run->setup->queue, run->result_buffer, CL_TRUE, 0,
                                          run->result_bytes, run->got, 0, NULL, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  for (size_t i = 0; i < run->expected_bytes; i++) {
    const size_t element = i / size, row = element / columns;
    const size_t at = (element + row * (size_t)run->given->room) * step + i % size;
    if (run->got[at] != run->expected[i]) {
      return clrs__fail(error, CLRS_OPENCL_ERROR, "%s: byte %zu is %02x and must be %02x",
                        run->given->name, at, run->got[at], run->expected[i]);
    }
  }
  return CLRS_OK;
}

/* In an order that changes, so that none always profits from what came before. The result of the
 * first move is compared, and that of the timed ones. */
static clrs_status run_all(trial *run, clrs_error *error) {
  double taken[BENCH_KINDS][REPETITIONS];
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    CLRS_TRY(time_one(run, kind, &taken[kind][0], error)); /* builds what has to be built */
  }
  CLRS_TRY(check(run, error));
  CLRS_TRY(bench_poison(run->setup, run->result_buffer, run->result_bytes, error));
  for (int i = 0; i < REPETITIONS; i++) {
    for (int k = 0; k < BENCH_KINDS; k++) {
      const int kind = (i + k) % BENCH_KINDS;
      CLRS_TRY(time_one(run, kind, &taken[kind][i], error));
    }
  }
  CLRS_TRY(check(run, error));
  for (int kind = 0; kind < BENCH_KINDS; kind++) {
    run->row->total[kind] = bench_spread_of(REPETITIONS, taken[kind]);
  }
  return CLRS_OK;
}

static clrs_status measure(trial *run, clrs_error *error) {
  clrs_mapped mapped;
  CLRS_TRY(preprocess_bind(run->given, &mapped, error));
  CLRS_TRY(allocate(run, &mapped, error));
  fill_source(run);
  CLRS_TRY(expect(run, &mapped, error));
  CLRS_TRY(make_buffers(run, error));
  CLRS_TRY(wrap(run, error));
  return run_all(run, error);
}

static void close_trial(trial *run) {
  clFinish(run->setup->queue); /* after a failure a command may still use the buffers */
  clrs_tensor_release(run->seen);
  clrs_tensor_release(run->result);
  clrs_tensor_release(run->from);
  clrs_tensor_release(run->to);
  bench_release(run->source_buffer);
  bench_release(run->scale_buffer);
  bench_release(run->result_buffer);
  bench_release(run->copy_from);
  bench_release(run->copy_to);
  free(run->source);
  free(run->scales);
  free(run->expected);
  free(run->got);
}

clrs_status bench_preprocess(bench_setup *setup, enum bench_format format, clrs_error *error) {
  bool is_first = true;
  for (size_t i = 0; i < preprocess_case_count(); i++) {
    const preprocess_case *given = preprocess_case_at(i);
    preprocess_row row = {.given = given};
    trial run = {.setup = setup, .given = given, .row = &row};
    if (setup->filter != NULL && strstr(given->name, setup->filter) == NULL) {
      continue;
    }
    const clrs_status status = measure(&run, error);
    close_trial(&run);
    CLRS_TRY(status);
    if (is_first) {
      preprocess_print_begin(&setup->device, format);
    }
    preprocess_print_row(&row, format, is_first);
    is_first = false;
  }
  if (is_first) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "no case has '%s' in its name; it must be one "
                      "of those that --preprocess prints without --filter",
                      setup->filter);
  }
  preprocess_print_end(format);
  return CLRS_OK;
}
