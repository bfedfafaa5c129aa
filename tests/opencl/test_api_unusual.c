/*
 * Rare situations: an environment that chooses the execution of moves, limits of groups, requests
 * for missing kernels, and allocators that return strange buffers. Also contexts of two devices,
 * and batches with moves that interleave in every way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"
#include "harness/works.h"

#include <stdlib.h>

static clrs_context_options options_of(const test_device *device) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  /* without a pool: a result in recycled bytes could be right without a move */
  options.pool_bytes = 0;
  options.context = device->context;
  options.device = device->device;
  return options;
}

/* ---- contexts ---- */

/* The library reads only the options. A caller that heeds an environment sets the options. */
API_TEST(the_options_choose_the_execution) {
  clrs_context_options options = options_of(&a->device);
  cl_device_type type = 0;
  clrs_device_report report;
  CL_OK(clGetDeviceInfo(a->device.device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  const clrs_execution usual = type & CL_DEVICE_TYPE_CPU ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  const struct {
    clrs_execution asked, chosen;
  } rows[] = {{CLRS_EXECUTION_AUTO, usual},
              {CLRS_EXECUTION_CPU, CLRS_EXECUTION_CPU},
              {CLRS_EXECUTION_GPU, CLRS_EXECUTION_GPU}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clrs_context *context = NULL;
    options.limits.execution = rows[i].asked;
    CHECK_OK(clrs_context_create(&options, &context, &error), error);
    assert_int_equal(clrs_context_limits(context).execution, rows[i].chosen);
    clrs_context_release(context);
  }
  CHECK_OK(clrs_device_describe(a->device.device, &report, &error), error);
  assert_int_equal(report.execution, usual);
}

API_TEST(smaller_limits_of_groups_are_kept) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.max_group_items = 4;
  limits.local_bytes = 1000;
  clrs_context *small = device_library(&a->device, &limits);
  assert_int_equal(clrs_context_limits(small).max_group_items, 4);
  assert_int_equal(clrs_context_limits(small).local_bytes, 1000);
  limits.max_group_items = UINT32_MAX;
  limits.local_bytes = UINT64_MAX;
  clrs_context *large = device_library(&a->device, &limits);
  const clrs_device_limits of_device = clrs_context_limits(a->library);
  assert_int_equal(clrs_context_limits(large).max_group_items, of_device.max_group_items);
  assert_int_equal(clrs_context_limits(large).local_bytes, of_device.local_bytes);
  clrs_context_release(small);
  clrs_context_release(large);
}

API_TEST(kernels_that_do_not_exist_are_not_built) {
  static const struct {
    const char *kernel_class;
    uint32_t bits;
  } rows[] = {{"any", 32},     {"no_rows", 32}, {"", 32},        {"gpu_any", 0},   {"gpu_any", 1},
              {"gpu_any", 2},  {"gpu_any", 4},  {"cpu_rows", 4}, {"gpu_any", 24},  {"subbyte", 8},
              {"subbyte", 16}, {"subbyte", 32}, {"subbyte", 64}, {"subbyte", 128}, {"subbyte", 3},
              {"cpu_tile", 4}, {"fill", 256},   {"composed", 12}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK_FAILS(clrs_context_warm_up(a->library, rows[i].kernel_class, rows[i].bits, &error),
                CLRS_INVALID_ARGUMENT, error);
  assert_int_equal(clrs_context_program_count(a->library), 0);
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = CLRS_EXECUTION_GPU;
  clrs_context *wide = device_library(&a->device, &limits);
  CHECK_OK(clrs_context_warm_up(wide, "composed", 32, &error), error);
  const clrs_status status = clrs_context_warm_up(wide, "gpu_short", 16, &error);
  const uint32_t groups = clrs_context_limits(wide).max_group_items; /* as the driver allows */
  const bool is_refused = groups < 64;
  assert_int_equal(status, is_refused ? CLRS_UNSUPPORTED : CLRS_OK);
  CHECK_FAILS(clrs_context_warm_up(wide, "composed", 4, &error), CLRS_INVALID_ARGUMENT, error);
  assert_int_equal(clrs_context_program_count(wide), is_refused ? 2
                                                     : groups < 256
                                                         ? 4   /* one is refused */
                                                         : 3); /* gpu_short moves units or blocks */
  clrs_context_release(wide);
  limits.execution = CLRS_EXECUTION_CPU;
  clrs_context *core = device_library(&a->device, &limits);
  CHECK_OK(clrs_context_warm_up(core, "composed", 4, &error), error);
  CHECK_OK(clrs_context_warm_up(core, "cpu_tile", 32, &error), error);
  assert_int_equal(clrs_context_program_count(core), 2);
  clrs_context_release(core);
}

/* ---- allocators ---- */

typedef struct allocator {
  bool gives_buffer;
  cl_int code;
  void *memory; /* the memory behind the buffer, or NULL */
} allocator;

static cl_int allocate(void *user_data, const clrs_memory_request *request, clrs_storage *storage) {
  const allocator *self = user_data;
  cl_int made = CL_SUCCESS;
  if (self->gives_buffer)
    storage->buffer =
        clCreateBuffer(request->context,
                       CL_MEM_READ_WRITE | (cl_mem_flags)(self->memory ? CL_MEM_USE_HOST_PTR : 0),
                       request->bytes, self->memory, &made);
  CL_OK(made);
  return self->code;
}

static clrs_context *library_with(const api *a, allocator *self) {
  clrs_context_options options = options_of(&a->device);
  clrs_context *library = NULL;
  clrs_error error;
  options.allocator = (clrs_allocator){self, allocate, NULL};
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  return library;
}

API_TEST(an_allocator_that_contradicts_itself_has_failed) {
  allocator rows[] = {{false, CL_OUT_OF_RESOURCES, NULL}, {false, CL_SUCCESS, NULL}};
  const cl_int codes[] = {CL_OUT_OF_RESOURCES, CL_MEM_OBJECT_ALLOCATION_FAILURE};
  for (int i = 0; i < 2; i++) {
    clrs_tensor *tensor = NULL;
    clrs_context *library = library_with(a, &rows[i]);
    CHECK_FAILS(
        clrs_tensor_allocate(library, NULL, CLRS_F32, &(clrs_shape){1, {4}}, &tensor, &error),
        CLRS_OPENCL_ERROR, error);
    assert_int_equal(error.opencl_code, codes[i]);
    assert_null(tensor);
    clrs_context_release(library);
  }
}

/* From a buffer, then from a less aligned buffer, into less aligned memory: a plan for one
 * alignment must not be used for the other. */
API_TEST(less_aligned_buffers_get_their_own_plans) {
  enum { BYTES = 96, SHIFT = 4 };
  _Alignas(128) unsigned char into[BYTES + 128], from[BYTES + 128];
  allocator self = {true, CL_SUCCESS, into + SHIFT};
  clrs_context *library = library_with(a, &self);
  cl_int code;
  memcpy(from + SHIFT, a->bytes, BYTES);
  cl_mem shifted = clCreateBuffer(a->device.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES,
                                  from + SHIFT, &code);
  CL_OK(code);
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(6, 4), LIST(4, 1));
  cl_mem sources[] = {a->source, shifted, a->source};
  for (int i = 0; i < 3; i++) {
    clrs_tensor *source = api_wrap(library, sources[i], 0, &layout), *result = NULL;
    unsigned char got[BYTES];
    CHECK_OK(clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, &result, ON(a->device.queue),
                                NULL, &error),
             error);
    device_read(&a->device, clrs_tensor_storage(result).buffer, BYTES, got);
    assert_memory_equal(got, a->bytes, BYTES);
    clrs_tensor_release(source);
    clrs_tensor_release(result);
    CL_OK(clFinish(a->device.queue));
    memset(into, 0, sizeof into);
  }
  CL_OK(clReleaseMemObject(shifted));
  clrs_context_release(library);
}

/* ---- sub-buffers ---- */

API_TEST(positions_before_and_far_behind_a_sub_buffer_are_refused) {
  clrs_tensor *tensor = NULL;
  cl_mem sub = api_sub_buffer(a->source, 0, 1024, 1024);
  const clrs_layout backwards = api_layout(CLRS_U8, 1, LIST(2), LIST(-1));
  const clrs_storage begin = {sub, 0}, far = {sub, UINT64_MAX};
  CHECK_FAILS(clrs_tensor_wrap(a->library, &begin, &backwards, &tensor, &error), CLRS_OUT_OF_BOUNDS,
              error);
  CHECK_FAILS(clrs_tensor_wrap(a->library, &far, &backwards, &tensor, &error), CLRS_OVERFLOW,
              error);
  assert_null(tensor);
  CL_OK(clReleaseMemObject(sub));
}

API_TEST(a_plan_moves_between_parts_of_one_buffer_either_way) {
  clrs_plan plan;
  cl_mem parts[] = {api_sub_buffer(a->destination, 0, 0, 128),
                    api_sub_buffer(a->destination, 0, 128, 128)};
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  CHECK_OK(clrs_tensor_plan(source, target, CLRS_COPY_ALWAYS, &plan, &error), error);
  for (int to = 0; to < 2; to++) {
    unsigned char got[API_BYTES];
    api_poison(a);
    CHECK_OK(
        clrs_enqueue_plan(a->library, &plan,
                          &(clrs_plan_buffers){.source = parts[1 - to], .destination = parts[to]},
                          ON(a->device.queue), NULL, &error),
        error);
    device_read(&a->device, a->destination, API_BYTES, got);
    unsigned char expected[API_BYTES];
    memcpy(expected, a->poison, API_BYTES);
    for (int i = 0; i < 24; i++)
      memcpy(expected + 128 * to + 4 * i, a->poison + 128 * (1 - to) + (i % 4 * 6 + i / 4) * 4, 4);
    assert_memory_equal(got, expected, API_BYTES);
  }
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  CL_OK(clReleaseMemObject(parts[0]));
  CL_OK(clReleaseMemObject(parts[1]));
}

/* ---- two devices ---- */

API_TEST(a_context_of_two_devices_serves_the_second) {
  cl_platform_id platform;
  cl_device_id devices[2];
  cl_uint count = 0;
  cl_int code;
  size_t size = 0;
  clrs_context *library = NULL;
  clrs_tensor *tensor = NULL, *result = NULL;
  CL_OK(clGetPlatformIDs(1, &platform, NULL));
  CL_OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
  if (count < 2) {
    print_message("only one device: cannot be tried here\n");
    skip();
  }
  cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
  CL_OK(code);
  cl_command_queue first = clCreateCommandQueue(context, devices[0], 0, &code);
  CL_OK(code);
  cl_command_queue second = clCreateCommandQueue(context, devices[1], 0, &code);
  CL_OK(code);
  test_device device = {.device = devices[0], .context = context};
  clrs_context_options options = options_of(&device);
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  clrs_context_release(library);
  options.device = devices[1];
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  CHECK_OK(clrs_tensor_allocate(library, NULL, CLRS_F32, &(clrs_shape){1, {4}}, &tensor, &error),
           error);
  CHECK_FAILS(
      clrs_enqueue_chain(tensor, "", CLRS_COPY_ALWAYS, NULL, &result, ON(first), NULL, &error),
      CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "device");
  CHECK_OK(
      clrs_enqueue_chain(tensor, "", CLRS_COPY_ALWAYS, NULL, &result, ON(second), NULL, &error),
      error);
  CL_OK(clFinish(second));
  /* PoCL gives no binary of a program that was built only for the second device. */
  const clrs_status exported = clrs_context_export_programs(library, NULL, 0, &size, &error);
  assert_true(exported == CLRS_OK ? size > 0 : exported == CLRS_UNSUPPORTED);
  clrs_tensor_release(tensor);
  clrs_tensor_release(result);
  clrs_context_release(library);
  CL_OK(clReleaseCommandQueue(first));
  CL_OK(clReleaseCommandQueue(second));
  CL_OK(clReleaseContext(context));
}

/* ---- batches ---- */

typedef struct part {
  int64_t rows, columns, row_stride, stride;
  uint64_t byte_offset;
} part;

/* Moves, of bytes, into the destination. */
static clrs_status move_parts(const api *a, size_t count, const part *parts, clrs_error *error) {
  clrs_tensor **sources = calloc(2 * count, sizeof(clrs_tensor *)), **targets = sources + count;
  assert_non_null(sources);
  for (size_t i = 0; i < count; i++) {
    const int64_t *dims = LIST(parts[i].rows, parts[i].columns);
    const clrs_layout from = api_layout(CLRS_U8, 2, dims, NULL);
    const clrs_layout to = api_layout(CLRS_U8, 2, dims, LIST(parts[i].row_stride, parts[i].stride));
    sources[i] = api_wrap(a->library, a->source, 0, &from);
    targets[i] = api_wrap(a->library, a->destination, parts[i].byte_offset, &to);
  }
  const test_moves moves = {.count = count, .sources = sources, .destinations = targets};
  const clrs_status status =
      test_enqueue_moves(a->library, &moves, ON(a->device.queue), NULL, error);
  CL_OK(clFinish(a->device.queue));
  for (size_t i = 0; i < 2 * count; i++)
    clrs_tensor_release(sources[i]);
  free(sources);
  return status;
}

/* The expected destination of the moves in sequence, even if moves share a byte. */
static void expect_parts(api *a, size_t count, const part *parts) {
  clrs_error error;
  static unsigned char expected[API_BYTES], got[API_BYTES];
  memcpy(expected, a->poison, API_BYTES);
  device_write(&a->device, a->destination, API_BYTES, a->poison);
  CHECK_OK(move_parts(a, count, parts, &error), error);
  for (size_t i = 0; i < count; i++)
    for (int64_t k = 0; k < parts[i].rows * parts[i].columns; k++)
      expected[(int64_t)parts[i].byte_offset + k / parts[i].columns * parts[i].row_stride +
               k % parts[i].columns * parts[i].stride] = a->bytes[k];
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}

/* Even bytes at steps of 4, odd bytes at steps of 6: no common step separates the two moves. */
API_TEST(moves_of_different_steps_are_told_apart) {
  const part apart[] = {{1, 30, 1, 4, 0}, {1, 20, 1, 6, 1}};
  const part meeting[] = {{1, 30, 1, 4, 0}, {1, 20, 1, 6, 2}};
  expect_parts(*state, 2, meeting);
  expect_parts(*state, 2, apart);
}

/* Column 5, and from the next row on columns 0 to 5. */
API_TEST(columns_that_meet_around_the_end_of_a_row_are_found) {
  const part parts[] = {{8, 1, 16, 1, 5}, {7, 6, 16, 1, 16}};
  expect_parts(*state, 2, parts);
}

/* Columns of a single matrix: every move meets every other, and the comparison of all pairs must
 * still end. */
API_TEST(interleaved_moves_of_any_number_are_ordered) {
  enum { COLUMNS = 2000, OTHERS = 210 };
  static part parts[COLUMNS];
  for (int i = 0; i < COLUMNS; i++)
    parts[i] = (part){2, 1, COLUMNS, 1, (uint64_t)i};
  expect_parts(*state, COLUMNS, parts);
  for (int i = 0; i < OTHERS; i++) /* steps that all differ */
    parts[i] = (part){2, 1, COLUMNS - 2 * i, 1, (uint64_t)i};
  expect_parts(*state, OTHERS, parts);
}

API_TEST(a_retained_batch_outlives_a_release) {
  clrs_work *batch = NULL;
  clrs_tensor *source = api_transposed(a), *target = api_target(a);
  const test_moves moves = {.count = 1, .sources = &source, .destinations = &target};
  CHECK_OK(test_work_of_moves(a->library, &moves, &batch, &error), error);
  clrs_work_retain(NULL);
  clrs_work_retain(batch);
  clrs_work_release(batch);
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(a->device.queue), NULL, &error), error);
  CL_OK(clFinish(a->device.queue));
  api_expect_transposed(a);
  clrs_work_release(batch);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
