/*
 * Moves into and out of blocked layouts on the device, against oneDNN's reorder: every byte, the
 * zeros in the padding included.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "descriptors.h"
#include "harness/device.h"
#include "harness/rng.h"

typedef struct type_row {
  dnnl_data_type_t onednn;
  clrs_dtype dtype;
  size_t bytes;
} type_row;

static const type_row types[] = {
    {dnnl_f32, CLRS_F32, 4}, {dnnl_s32, CLRS_I32, 4}, {dnnl_bf16, CLRS_BF16, 2},
    {dnnl_s8, CLRS_I8, 1},   {dnnl_u8, CLRS_U8, 1},
};

typedef struct bench {
  test_device opencl;
  clrs_context *library;
  dnnl_engine_t engine;
  dnnl_stream_t stream;
} bench;

static int bench_open(void **state) {
  static bench open;
  device_open(&open.opencl);
  open.library = device_library(&open.opencl, NULL);
  DNNL_OK(dnnl_engine_create(&open.engine, dnnl_cpu, 0));
  DNNL_OK(dnnl_stream_create(&open.stream, open.engine, dnnl_stream_default_flags));
  *state = &open;
  return 0;
}

static int bench_close(void **state) {
  bench *open = *state;
  DNNL_OK(dnnl_stream_destroy(open->stream));
  DNNL_OK(dnnl_engine_destroy(open->engine));
  clrs_context_release(open->library);
  device_close(&open->opencl);
  return 0;
}

/* oneDNN's reorder. Returns false if the CPU engine has no reorder for these types and formats. */
static bool onednn_reorder(const bench *open, const dnnl_memory_desc_t *from, void *source,
                           const dnnl_memory_desc_t *to, void *destination) {
  dnnl_primitive_desc_t description;
  dnnl_primitive_t reorder;
  dnnl_exec_arg_t arguments[2] = {{DNNL_ARG_FROM, NULL}, {DNNL_ARG_TO, NULL}};
  if (dnnl_reorder_primitive_desc_create(&description, from, open->engine, to, open->engine,
                                         NULL) != dnnl_success)
    return false;
  DNNL_OK(dnnl_primitive_create(&reorder, description));
  DNNL_OK(dnnl_memory_create(&arguments[0].memory, from, open->engine, source));
  DNNL_OK(dnnl_memory_create(&arguments[1].memory, to, open->engine, destination));
  DNNL_OK(dnnl_primitive_execute(reorder, open->stream, 2, arguments));
  DNNL_OK(dnnl_stream_wait(open->stream));
  DNNL_OK(dnnl_memory_destroy(arguments[0].memory));
  DNNL_OK(dnnl_memory_destroy(arguments[1].memory));
  DNNL_OK(dnnl_primitive_destroy(reorder));
  DNNL_OK(dnnl_primitive_desc_destroy(description));
  return true;
}

/* Values that no conversion changes, because oneDNN may pass bf16 through f32. */
static void fill_values(test_rng *rng, const type_row *type, int64_t count, void *values) {
  rng_fill(rng, values, (size_t)count * type->bytes);
  for (int64_t k = 0; k < count; k++) {
    if (type->onednn == dnnl_f32)
      ((float *)values)[k] = (float)rng_between(rng, -1000000, 1000000);
    if (type->onednn == dnnl_bf16)
      ((uint16_t *)values)[k] = (uint16_t)((((uint16_t *)values)[k] & 0x8fff) | 0x3000);
  }
}

/* The plain tensor and oneDNN's blocked copy, and the device's results from both. */
typedef struct reorder {
  dnnl_memory_desc_t plain, blocked;
  size_t plain_size, blocked_size;
  unsigned char *values, *theirs, *ours;
} reorder;

static reorder reorder_create(const descriptor_row *row, const type_row *type, test_rng *rng) {
  reorder work = {.blocked = descriptor_of(row, type->onednn)};
  static const dnnl_format_tag_t plain[] = {dnnl_a, dnnl_ab, dnnl_abc, dnnl_abcd, dnnl_abcde};
  DNNL_OK(dnnl_memory_desc_init_by_tag(&work.plain, row->rank, row->dims, type->onednn,
                                       plain[row->rank - 1]));
  work.plain_size = dnnl_memory_desc_get_size(&work.plain);
  work.blocked_size = dnnl_memory_desc_get_size(&work.blocked);
  work.values = malloc(work.plain_size);
  work.theirs = malloc(work.blocked_size);
  work.ours = malloc(work.blocked_size + work.plain_size);
  assert_true(work.values && work.theirs && work.ours);
  fill_values(rng, type, product_of(row->rank, row->dims), work.values);
  memset(work.theirs, 0xcd, work.blocked_size);
  return work;
}

static void reorder_free(reorder *work) {
  free(work->values);
  free(work->theirs);
  free(work->ours);
}

static clrs_tensor *wrap_dense(const bench *open, cl_mem buffer, clrs_dtype dtype,
                               const clrs_shape *shape) {
  const clrs_storage storage = {buffer, 0};
  clrs_layout layout;
  clrs_tensor *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_layout_init(dtype, shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(open->library, &storage, &layout, &tensor, &error), error);
  return tensor;
}

static clrs_tensor *wrap_view(const bench *open, cl_mem buffer, const clrs_view *view,
                              int64_t count) {
  const clrs_shape flat = {1, {count}};
  clrs_tensor *whole = wrap_dense(open, buffer, view->dtype, &flat), *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_with_view(whole, view, &tensor, &error), error);
  clrs_tensor_release(whole);
  return tensor;
}

/* Plain into blocks, with zeros in the padding. */
static void check_into_blocks(const bench *open, const reorder *work,
                              const clrs_blocked_layout *blocked, const type_row *type) {
  static const unsigned char zero[16] = {0};
  const clrs_padding padding = {.element = zero};
  const cl_mem from = device_buffer(&open->opencl, CL_MEM_READ_ONLY, work->plain_size);
  const cl_mem to = device_buffer(&open->opencl, CL_MEM_READ_WRITE, work->blocked_size);
  cl_event event = NULL;
  clrs_view view;
  clrs_error error;
  device_write(&open->opencl, from, work->plain_size, work->values);
  memset(work->ours, 0xab, work->blocked_size);
  device_write(&open->opencl, to, work->blocked_size, work->ours);
  clrs_blocked_layout padded = *blocked;
  memcpy(padded.shape.dims, padded.padded_dims, sizeof padded.padded_dims);
  CHECK_OK(clrs_blocked_view(&padded, &view, &error), error);
  clrs_tensor *source = wrap_dense(open, from, type->dtype, &blocked->shape);
  clrs_tensor *destination =
      wrap_view(open, to, &view, (int64_t)(work->blocked_size / type->bytes));
  CHECK_OK(
      clrs_enqueue_pad(source, &padding, destination, NULL, ON(open->opencl.queue), &event, &error),
      error);
  device_finish_event(event);
  device_read(&open->opencl, to, work->blocked_size, work->ours);
  assert_memory_equal(work->ours, work->theirs, work->blocked_size);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
}

/* Blocks, with rubbish in the padding, into plain, with at most a few launches and no more
 * memory. */
static void check_out_of_blocks(const bench *open, const reorder *work,
                                const clrs_blocked_layout *blocked, const type_row *type) {
  const cl_mem from = device_buffer(&open->opencl, CL_MEM_READ_ONLY, work->blocked_size);
  cl_event event = NULL;
  clrs_tensor *result = NULL;
  clrs_view view;
  clrs_plan plan;
  clrs_error error;
  int64_t *positions = descriptor_positions(&work->blocked, work->blocked.dims);
  memset(work->ours, 0xab, work->blocked_size);
  for (size_t k = 0; k < work->plain_size / type->bytes; k++)
    memcpy(work->ours + (size_t)positions[k] * type->bytes,
           work->theirs + (size_t)positions[k] * type->bytes, type->bytes);
  device_write(&open->opencl, from, work->blocked_size, work->ours);
  free(positions);
  CHECK_OK(clrs_blocked_view(blocked, &view, &error), error);
  clrs_tensor *source = wrap_view(open, from, &view, (int64_t)(work->blocked_size / type->bytes));
  CHECK_OK(clrs_tensor_plan(source, NULL, CLRS_COPY_ALWAYS, &plan, &error), error);
  assert_true(plan.launch_count == 1 ||
              (plan.outcome == CLRS_OUTCOME_AFFINE && plan.launch_count <= 4));
  CHECK_OK(clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &result, ON(open->opencl.queue),
                              &event, &error),
           error);
  device_finish_event(event);
  device_read(&open->opencl, clrs_tensor_storage(result).buffer, work->plain_size, work->ours);
  assert_memory_equal(work->ours, work->values, work->plain_size);
  clrs_tensor_release(source);
  clrs_tensor_release(result);
  CL_OK(clReleaseMemObject(from));
}

/* False if oneDNN has no reorder to compare with. */
static bool check_reorder(const bench *open, const descriptor_row *row, const type_row *type,
                          test_rng *rng) {
  reorder work = reorder_create(row, type, rng);
  const clrs_blocked_layout blocked = descriptor_as_blocked(&work.blocked, type->dtype);
  const bool compared = onednn_reorder(open, &work.plain, work.values, &work.blocked, work.theirs);
  if (compared) {
    check_into_blocks(open, &work, &blocked, type);
    check_out_of_blocks(open, &work, &blocked, type);
  }
  reorder_free(&work);
  return compared;
}

TEST(moves_are_onednns_reorders) {
  const bench *open = *state;
  test_rng rng = rng_start(test_seed(77));
  for (size_t i = 0; i < descriptor_count; i++) {
    print_message("  %-14s", descriptor_rows[i].name);
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
      const bool compared = check_reorder(open, &descriptor_rows[i], &types[t], &rng);
      print_message(" %s%s", clrs_dtype_name(types[t].dtype, CLRS_TYPES_ONEDNN),
                    compared ? "" : ":none");
      if (types[t].onednn == dnnl_f32)
        assert_true(compared);
    }
    print_message("\n");
  }
}

TESTS_UNLESS(device_missing(), bench_open, bench_close)
