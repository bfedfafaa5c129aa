/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "preprocess_report.h"
#include "transfer.h"

#define NORMALIZE "cast=f32 mean=123.675,116.28,103.53 std=58.395,57.12,57.375 "
#define FRAMES                                                                                     \
  4, {                                                                                             \
    8, 1080, 1920, 3                                                                               \
  }
#define PLANES                                                                                     \
  4, {                                                                                             \
    8, 3, 1080, 1920                                                                               \
  }
#define CHANNELS                                                                                   \
  4, {                                                                                             \
    8, 64, 128, 256                                                                                \
  }
#define MATRIX                                                                                     \
  2, {                                                                                             \
    12288, 4096                                                                                    \
  }
#define WIDE                                                                                       \
  2, {                                                                                             \
    6144, 4096                                                                                     \
  }

static const preprocess_case cases[] = {
    {"frames_f32", "8 frames of 1080p, u8, normalised, as planes of f32", CLRS_U8, FRAMES,
     NORMALIZE "permute=0,3,1,2"},
    {"frames_f16", "the same, as planes of f16", CLRS_U8, FRAMES,
     NORMALIZE "permute=0,3,1,2 cast=f16"},
    {"frames_swapped", "the same in f32, channels swapped, the middle 1024 x 1024", CLRS_U8, FRAMES,
     "slice=:,28:1052,448:1472 flip=3 " NORMALIZE "permute=0,3,1,2"},
    {"frames_in_place", "the same in f32, not as planes", CLRS_U8, FRAMES, NORMALIZE},
    {"frames_cropped", "in f32, not as planes, the middle 1024 x 1024", CLRS_U8, FRAMES,
     "slice=:,28:1052,448:1472 " NORMALIZE},
    {"planes_to_frames", "8 x 3 planes of f32 to frames of u8, clamped", CLRS_F32, PLANES,
     "clamp=0,255 cast=u8,even permute=0,2,3,1"},
    {"channels_last", "8 x 64 planes of f32 to pixels of f16", CLRS_F32, CHANNELS,
     "permute=0,2,3,1 cast=f16"},
    {"f32_to_f16", "cast", CLRS_F32, MATRIX, "cast=f16"},
    {"f16_to_f32", "cast", CLRS_F16, MATRIX, "cast=f32"},
    {"f32_to_bf16", "cast", CLRS_F32, MATRIX, "cast=bf16"},
    {"f32_to_f8e4m3fn", "cast", CLRS_F32, MATRIX, "cast=f8e4m3fn"},
    {"f64_to_f32", "cast", CLRS_F64, WIDE, "cast=f32"},
    {"i64_to_f32", "cast", CLRS_I64, WIDE, "cast=f32"},
    {"i32_to_bf16", "cast", CLRS_I32, MATRIX, "cast=bf16"},
    {"i16_to_f64", "cast", CLRS_I16, WIDE, "cast=f64"},
    {"mean_std_f64", "f64, normalised", CLRS_F64, WIDE, "mean=0.5 std=3"},
    {"clamp_f32", "f32, clamped to -1 .. 1", CLRS_F32, MATRIX, "clamp=-1,1"},
    {"mean_scale_f32", "f32 less a mean, by a scale", CLRS_F32, MATRIX, "mean=0.5 scale=2"},
    {"quantize_u8", "f32, one scale", CLRS_F32, MATRIX, "quantize=u8,0.02,128"},
    {"dequantize_u8", "to f32, one scale", CLRS_U8, MATRIX, "dequantize=f32,0.02,128"},
    {"transposed_f16", "f32, transposed", CLRS_F32, MATRIX, "permute=1,0 cast=f16"},
    {"transposed_u8", "f32, transposed, quantized", CLRS_F32, MATRIX,
     "permute=1,0 quantize=u8,0.02,128"},
    {"dequantize_u4", "to f16, a scale for each block of 32", CLRS_U4, MATRIX, NULL},
};
enum { CASES = sizeof cases / sizeof *cases, REPETITIONS = 15, BLOCK = 32 };

typedef struct trial {
  const bench_setup *setup;
  const preprocess_case *given;
  preprocess_row *row;
  size_t source_bytes, scale_bytes, result_bytes;
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
  if (from == CLRS_F32) {
    for (size_t i = 0; i < run->source_bytes / 4; i++) {
      const float value = (float)scattered(i) * 0x1p-28f - 8;
      memcpy(run->source + 4 * i, &value, 4);
    }
  } else if (from == CLRS_F64) {
    for (size_t i = 0; i < run->source_bytes / 8; i++) {
      const double value = scattered(i) * 0x1p-28 - 8;
      memcpy(run->source + 8 * i, &value, 8);
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
  for (size_t i = 0; i < run->scale_bytes / 4; i++) {
    const float scale = (float)(1 + scattered(i) % 1000) / 1000;
    memcpy(run->scales + 4 * i, &scale, 4);
  }
}

/* ---- the map, and what must come out ---- */

static clrs_status bind_blocks(const clrs_view *source, clrs_mapped *mapped, clrs_error *error) {
  const preprocess_case *given = &cases[CASES - 1];
  const clrs_numbers scale = {0, NULL, {CLRS_SPREAD_BLOCKS, 1, BLOCK}};
  const clrs_shape shape = {.rank = 2, .dims = {given->dims[0], given->dims[1] / BLOCK}};
  clrs_view scales;
  CLRS_TRY(clrs_map_dequantize(given->from, CLRS_F16, &scale, NULL, &mapped->map, error));
  CLRS_TRY(clrs_view_dense(CLRS_F32, &shape, &scales, error));
  CLRS_TRY(clrs_map_bind(&mapped->map, source, &(clrs_map_tensors){.steps = {&scales}},
                         &mapped->views, error));
  mapped->dtype = CLRS_F16;
  return CLRS_OK;
}

static clrs_status bind(const preprocess_case *given, clrs_mapped *mapped, clrs_error *error) {
  clrs_shape shape;
  clrs_view view;
  CLRS_TRY(clrs_shape_init(given->rank, given->dims, &shape, error));
  CLRS_TRY(clrs_view_dense(given->from, &shape, &view, error));
  if (given->chain == NULL) {
    return bind_blocks(&view, mapped, error);
  }
  clrs_chain chain;
  CLRS_TRY(clrs_chain_parse(given->chain, &chain, error));
  CLRS_TRY(clrs_mapped_init(&view, mapped, error));
  return clrs_chain_map(&chain, NULL, mapped, error);
}

static clrs_status allocate(trial *run, const clrs_mapped *mapped, clrs_error *error) {
  int64_t from = 1, to = 0;
  for (uint32_t i = 0; i < run->given->rank; i++) {
    from *= run->given->dims[i];
  }
  CLRS_TRY(clrs_shape_count(&mapped->views.source.shape, &to, error));
  run->source_bytes = (size_t)from * clrs_dtype_bits(run->given->from) / 8;
  run->result_bytes = (size_t)to * clrs_dtype_bits(mapped->dtype) / 8;
  run->scale_bytes = (size_t)from / BLOCK * sizeof(float);
  run->source = malloc(run->source_bytes);
  run->scales = malloc(run->scale_bytes + 1); /* there may be none */
  run->expected = malloc(run->result_bytes);
  run->got = malloc(run->result_bytes);
  return run->source != NULL && run->scales != NULL && run->expected != NULL && run->got != NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
}

static clrs_status expect(trial *run, const clrs_mapped *mapped, clrs_error *error) {
  const clrs_map_data data = {.source = {run->source, run->source_bytes},
                              .steps = {{run->scales, run->scale_bytes}}};
  /* What is read: of a crop, not all of the source. */
  run->row->bytes = run->result_bytes + run->result_bytes * clrs_dtype_bits(run->given->from) /
                                            clrs_dtype_bits(mapped->dtype);
  run->row->bytes += run->given->chain == NULL ? run->scale_bytes : 0;
  return clrs_map_apply(&mapped->map, &mapped->views, &data, run->expected, run->result_bytes,
                        error);
}

/* ---- the device ---- */

/* A buffer that has been written before, so that no page is new. */
static clrs_status new_buffer(const trial *run, size_t bytes, cl_mem *buffer, clrs_error *error) {
  CLRS_TRY(cli_host_buffer(&run->setup->host, bytes, buffer, error));
  return bench_poison(run->setup, *buffer, bytes, error);
}

static clrs_status see(trial *run, clrs_tensor *source, clrs_error *error) {
  if (run->given->chain != NULL) {
    clrs_chain chain;
    CLRS_TRY(clrs_chain_parse(run->given->chain, &chain, error));
    return clrs_tensor_with_chain(source, &chain, NULL, &run->seen, error);
  }
  const int64_t dims[2] = {run->given->dims[0], run->given->dims[1] / BLOCK};
  clrs_mapped mapped;
  clrs_tensor *scales = NULL;
  CLRS_TRY(bind(run->given, &mapped, error));
  CLRS_TRY(clrs_tensor_wrap_dense(run->setup->host.clreshape, run->scale_buffer, CLRS_F32, 2, dims,
                                  &scales, error));
  const clrs_parameter_tensors tensors = {.steps = {scales}};
  const clrs_status status = clrs_tensor_with_map(source, &mapped.map, &tensors, &run->seen, error);
  clrs_tensor_release(scales);
  return status;
}

static clrs_status wrap(trial *run, clrs_error *error) {
  clrs_context *context = run->setup->host.clreshape;
  const int64_t half = (int64_t)((run->row->bytes / 2 + 63) / 64 * 64);
  clrs_tensor *source = NULL;
  CLRS_TRY(clrs_tensor_wrap_dense(context, run->source_buffer, run->given->from, run->given->rank,
                                  run->given->dims, &source, error));
  const clrs_status status = see(run, source, error);
  clrs_tensor_release(source);
  CLRS_TRY(status);
  const clrs_view *view = clrs_tensor_view(run->seen);
  CLRS_TRY(clrs_tensor_wrap_dense(context, run->result_buffer, view->dtype, view->shape.rank,
                                  view->shape.dims, &run->result, error));
  CLRS_TRY(new_buffer(run, (size_t)half, &run->copy_from, error));
  CLRS_TRY(new_buffer(run, (size_t)half, &run->copy_to, error));
  CLRS_TRY(
      clrs_tensor_wrap_dense(context, run->copy_from, CLRS_BITS8, 1, &half, &run->from, error));
  return clrs_tensor_wrap_dense(context, run->copy_to, CLRS_BITS8, 1, &half, &run->to, error);
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

static clrs_status check(trial *run, clrs_error *error) {
  const cl_int code = clEnqueueReadBuffer(run->setup->queue, run->result_buffer, CL_TRUE, 0,
                                          run->result_bytes, run->got, 0, NULL, NULL);
  if (code != CL_SUCCESS) {
    return clrs__fail_opencl(error, code, "clEnqueueReadBuffer");
  }
  for (size_t i = 0; i < run->result_bytes; i++) {
    if (run->got[i] != run->expected[i]) {
      return clrs__fail(error, CLRS_OPENCL_ERROR, "%s: byte %zu is %02x and must be %02x",
                        run->given->name, i, run->got[i], run->expected[i]);
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
  CLRS_TRY(bind(run->given, &mapped, error));
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
  for (size_t i = 0; i < CASES; i++) {
    preprocess_row row = {.given = &cases[i]};
    trial run = {.setup = setup, .given = &cases[i], .row = &row};
    if (setup->filter != NULL && strstr(cases[i].name, setup->filter) == NULL) {
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
