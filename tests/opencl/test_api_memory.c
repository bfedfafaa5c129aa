/*
 * Places of bytes: source and destination in the same buffer, sub-buffers, caller's allocators,
 * tensors without elements.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

static void move_expecting(api *a, clrs_tensor *source, clrs_tensor *destination,
                           clrs_status expected) {
  clrs_error error;
  cl_event event = NULL;
  if (expected != CLRS_OK) {
    CHECK_FAILS(clrs_enqueue_move(source, destination, ON(a->device.queue), &event, &error),
                expected, error);
    assert_null(event);
    return;
  }
  CHECK_OK(clrs_enqueue_move(source, destination, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
}

API_TEST(overlap_in_one_buffer_is_refused) {
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  const clrs_layout columns = api_layout(CLRS_F32, 2, LIST(6, 4), LIST(1, 6));
  static const uint64_t offsets[] = {0, 1, 4, 92, 95};
  for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
    clrs_tensor *source = api_wrap(a->library, a->destination, 0, &columns);
    clrs_tensor *target = api_wrap(a->library, a->destination, offsets[i], &rows);
    move_expecting(a, source, target, CLRS_OVERLAP);
    move_expecting(a, target, source, CLRS_OVERLAP);
    clrs_tensor_release(source);
    clrs_tensor_release(target);
  }
  api_expect_untouched(a);
}

API_TEST(neighbours_in_one_buffer_are_moved) {
  unsigned char got[API_BYTES];
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  clrs_tensor *source = api_wrap(a->library, a->destination, 0, &rows);
  clrs_tensor *target = api_wrap(a->library, a->destination, 96, &rows);
  move_expecting(a, source, target, CLRS_OK);
  memcpy(a->poison + 96, a->poison, 96);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, a->poison, API_BYTES);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

/* Columns 0-2 of rows of 8 become columns 5-7 of the same rows: bounds meet, bytes do not. */
API_TEST(interleaved_tensors_in_one_buffer_are_moved) {
  unsigned char got[API_BYTES];
  const clrs_layout columns = api_layout(CLRS_U16, 2, LIST(50, 3), LIST(8, 1));
  clrs_tensor *source = api_wrap(a->library, a->destination, 0, &columns);
  clrs_tensor *target = api_wrap(a->library, a->destination, 10, &columns);
  move_expecting(a, source, target, CLRS_OK);
  for (int row = 0; row < 50; row++)
    memcpy(a->poison + row * 16 + 10, a->poison + row * 16, 6);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, a->poison, API_BYTES);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

API_TEST(a_sub_buffer_is_resolved_to_its_root_and_keeps_its_bounds) {
  clrs_tensor *tensor = NULL;
  cl_mem sub = api_sub_buffer(a->destination, 0, 1024, 96);
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  clrs_tensor *target = api_wrap(a->library, sub, 0, &rows);
  assert_ptr_equal(clrs_tensor_storage(target).buffer, a->destination);
  assert_int_equal(clrs_tensor_storage(target).byte_offset, 1024);
  const clrs_storage one_further = {sub, 1};
  CHECK_FAILS(clrs_tensor_wrap(a->library, &one_further, &rows, &tensor, &error),
              CLRS_OUT_OF_BOUNDS, error);
  clrs_layout before = rows;
  before.offset = -1;
  const clrs_storage start = {sub, 0};
  CHECK_FAILS(clrs_tensor_wrap(a->library, &start, &before, &tensor, &error), CLRS_OUT_OF_BOUNDS,
              error);
  clrs_view wide = *clrs_tensor_view(target); /* a view may not leave the tensor either */
  const clrs_layout longer = api_layout(CLRS_F32, 1, LIST(25), NULL);
  CHECK_OK(clrs_view_from_layout(&longer, &wide, &error), error);
  CHECK_FAILS(clrs_tensor_with_view(target, &wide, &tensor, &error), CLRS_OUT_OF_BOUNDS, error);
  CL_OK(clReleaseMemObject(sub)); /* the tensor keeps the root */
  clrs_tensor *source = api_transposed(a);
  unsigned char got[API_BYTES];
  move_expecting(a, source, target, CLRS_OK);
  for (int i = 0; i < 24; i++)
    memcpy(a->poison + 1024 + i * 4, a->bytes + (i % 4 * 6 + i / 4) * 4, 4);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, a->poison, API_BYTES);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

API_TEST(overlap_is_seen_through_sub_buffers) {
  cl_mem left = api_sub_buffer(a->destination, 0, 0, 1024),
         right = api_sub_buffer(a->destination, 0, 512, 1024);
  const clrs_layout rows = api_layout(CLRS_F32, 2, LIST(6, 4), NULL);
  clrs_tensor *source = api_wrap(a->library, left, 512, &rows);
  clrs_tensor *target = api_wrap(a->library, right, 0, &rows);
  clrs_tensor *apart = api_wrap(a->library, right, 96, &rows);
  move_expecting(a, source, target, CLRS_OVERLAP);
  api_expect_untouched(a);
  move_expecting(a, source, apart, CLRS_OK);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
  clrs_tensor_release(apart);
  CL_OK(clReleaseMemObject(left));
  CL_OK(clReleaseMemObject(right));
}

API_TEST(no_elements_need_no_buffer_and_no_launch) {
  clrs_plan plan;
  const clrs_layout none = api_layout(CLRS_F32, 2, LIST(0, 4), NULL);
  const clrs_pattern turned = {CLRS_NUMPY, CLRS_ZERO_IS_LITERAL, 3, {4, 7, 0}};
  clrs_tensor *source = api_wrap(a->library, NULL, 0, &none), *made = NULL, *result = NULL;
  clrs_tensor *target = api_wrap(a->library, NULL, 0, &none);
  for (int policy = CLRS_COPY_NEVER; policy <= CLRS_COPY_ALWAYS; policy++) {
    cl_event event = NULL;
    CHECK_OK(clrs_enqueue_reshape(source, &turned, (clrs_copy_policy)policy, &result,
                                  ON(a->device.queue), &event, &error),
             error);
    device_finish_event(event);
    assert_null(clrs_tensor_storage(result).buffer);
    assert_int_equal(clrs_tensor_view(result)->shape.rank, 3);
    assert_int_equal(clrs_tensor_view(result)->shape.dims[1], 7);
    clrs_tensor_release(result);
  }
  move_expecting(a, source, target, CLRS_OK);
  CHECK_OK(clrs_tensor_plan(source, target, CLRS_COPY_ALWAYS, &plan, &error), error);
  assert_int_equal(plan.launch_count, 0);
  CHECK_OK(
      clrs_tensor_allocate(a->library, NULL, CLRS_F32, &(clrs_shape){2, {3, 0}}, &made, &error),
      error);
  assert_null(clrs_tensor_storage(made).buffer);
  assert_int_equal(clrs_context_program_count(a->library), 0);
  clrs_tensor_release(made);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

/* ---- allocators ---- */

typedef enum gift {
  GIVES_BUFFER,
  GIVES_SUB_BUFFER,
  GIVES_SMALL,
  GIVES_READ_ONLY,
  GIVES_FOREIGN,
  GIVES_NULL
} gift;

typedef struct allocator {
  gift mode;
  cl_context foreign;
  cl_mem pool; /* sub-buffers of it */
  cl_mem last;
  size_t calls, bytes;
} allocator;

static cl_int allocate(void *user_data, const clrs_memory_request *request, clrs_storage *storage) {
  allocator *self = user_data;
  const size_t bytes = request->bytes;
  const cl_buffer_region region = {1024, bytes};
  cl_int code = CL_SUCCESS;
  self->calls++;
  self->bytes = bytes;
  if (self->mode == GIVES_NULL)
    return CL_OUT_OF_RESOURCES;
  if (self->mode == GIVES_SUB_BUFFER)
    self->last = clCreateSubBuffer(self->pool, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  else
    self->last =
        clCreateBuffer(self->mode == GIVES_FOREIGN ? self->foreign : request->context,
                       self->mode == GIVES_READ_ONLY ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE,
                       self->mode == GIVES_SMALL ? bytes - 1 : bytes, NULL, &code);
  if (self->last) /* the test's own reference, to see the library drop the second reference */
    CL_OK(clRetainMemObject(self->last));
  storage->buffer = self->last;
  return code;
}

static clrs_context *library_with(const api *a, allocator *self) {
  clrs_error error;
  clrs_context *library = NULL;
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = a->device.context;
  options.device = a->device.device;
  options.allocator = (clrs_allocator){self, allocate, NULL};
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  return library;
}

static clrs_status copy_with(const api *a, clrs_context *library, clrs_tensor **result,
                             clrs_error *error) {
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(6, 4), LIST(1, 6));
  clrs_tensor *source = api_wrap(library, a->source, 0, &layout);
  *result = NULL;
  const clrs_status status = clrs_enqueue_chain(source, "", CLRS_COPY_ALWAYS, NULL, result,
                                                ON(a->device.queue), NULL, error);
  clrs_tensor_release(source);
  return status;
}

API_TEST(the_allocator_of_the_caller_is_used) {
  clrs_tensor *result;
  allocator self = {.mode = GIVES_BUFFER};
  clrs_context *library = library_with(a, &self);
  CHECK_OK(copy_with(a, library, &result, &error), error);
  assert_int_equal(self.calls, 1);
  assert_true(self.bytes >= 96);
  assert_ptr_equal(clrs_tensor_storage(result).buffer, self.last);
  CL_OK(clFinish(a->device.queue));
  clrs_tensor_release(result);
  clrs_context_release(library);
  device_require_references(self.last, 1);
  CL_OK(clReleaseMemObject(self.last));
}

/* Accepted or refused, nothing outside the sub-buffer may be written. */
API_TEST(a_sub_buffer_from_the_allocator_is_written_inside_only) {
  clrs_tensor *result;
  unsigned char got[API_BYTES];
  allocator self = {.mode = GIVES_SUB_BUFFER, .pool = a->destination};
  clrs_context *library = library_with(a, &self);
  if (copy_with(a, library, &result, &error) == CLRS_OK) {
    assert_int_equal(clrs_tensor_storage(result).byte_offset, 1024);
    for (int i = 0; i < 24; i++)
      memcpy(a->poison + 1024 + i * 4, a->bytes + (i % 4 * 6 + i / 4) * 4, 4);
  } else {
    assert_true(error.status == CLRS_INVALID_ARGUMENT && error.message[0]);
  }
  CL_OK(clFinish(a->device.queue));
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, a->poison, API_BYTES);
  clrs_tensor_release(result);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(self.last));
}

API_TEST(what_the_allocator_gives_is_checked) {
  static const gift modes[] = {GIVES_SMALL, GIVES_READ_ONLY, GIVES_FOREIGN};
  for (int i = 0; i < 3; i++) {
    clrs_tensor *result;
    allocator self = {.foreign = a->foreign.context};
    self.mode = modes[i];
    clrs_context *library = library_with(a, &self);
    const clrs_status status = copy_with(a, library, &result, &error);
    if (status == CLRS_OK || result != NULL || error.message[0] == '\0')
      fail_msg("mode %d: %s", (int)modes[i], clrs_status_name(status));
    CL_OK(clFinish(a->device.queue));
    clrs_context_release(library);
    device_require_references(self.last, 1);
    CL_OK(clReleaseMemObject(self.last));
  }
}

API_TEST(a_failure_of_the_allocator_is_reported) {
  clrs_tensor *result;
  allocator self = {.mode = GIVES_NULL};
  clrs_context *library = library_with(a, &self);
  CHECK_FAILS(copy_with(a, library, &result, &error), CLRS_OPENCL_ERROR, error);
  assert_int_equal(error.opencl_code, CL_OUT_OF_RESOURCES);
  assert_null(result);
  clrs_context_release(library);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
