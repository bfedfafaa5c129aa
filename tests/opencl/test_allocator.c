/*
 * Allocators of the caller's that take memory back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <pthread.h>
#include <time.h>

#include "harness/driver_defects.h"
#include "harness/fault_layer.h"
#include "pool_fixture.h"

/* A single buffer for all requests: each request gets the part behind the previous part. */
typedef struct arena {
  cl_mem buffer;
  uint64_t used;
  int given, taken;
  cl_command_queue queue; /* queue of the last request */
  cl_uint event_count;    /* events of the last release */
  cl_event event;         /* its first, retained */
  cl_event command;       /* a command that uses the memory, or NULL */
  cl_int command_status;  /* when the memory came back */
} arena;

static cl_int give(void *user_data, const clrs_memory_request *request, clrs_storage *storage) {
  arena *self = user_data;
  *storage = (clrs_storage){self->buffer, self->used};
  self->used += (request->bytes + request->alignment - 1) / request->alignment * request->alignment;
  self->queue = request->queue;
  self->given++;
  return CL_SUCCESS;
}

static void take_back(void *user_data, const clrs_storage *storage, cl_uint event_count,
                      const cl_event *events) {
  arena *self = user_data;
  assert_ptr_equal(storage->buffer, self->buffer);
  self->taken++;
  self->event_count = event_count;
  self->event = event_count > 0 ? events[0] : NULL;
  if (self->event)
    CL_OK(clRetainEvent(self->event));
  if (self->command)
    self->command_status = device_event_status(self->command);
}

POOL_TEST(an_allocator_is_told_when_its_memory_is_free) {
  arena self = {.buffer = device_buffer(&p->device, CL_MEM_READ_WRITE, 1 << 16), .used = 192};
  const clrs_allocator allocator = {&self, give, take_back};
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  cl_event gate = close_gate(p, 0);
  clrs_tensor *result = make_on(p, library, 1, COUNT, p->queues[0], NULL);
  assert_ptr_equal(self.queue, p->queues[0]);
  assert_int_equal(clrs_tensor_storage(result).byte_offset, 192);
  clrs_tensor_release(result);
  assert_int_equal(self.taken, 1);
  assert_int_equal(self.event_count, 1);
  assert_true(device_event_status(self.event) > CL_COMPLETE);
  open_gate(&gate);
  CL_OK(clWaitForEvents(1, &self.event));
  CL_OK(clReleaseEvent(self.event));
  uint32_t got[COUNT];
  CL_OK(
      clEnqueueReadBuffer(p->queues[0], self.buffer, CL_TRUE, 192, sizeof got, got, 0, NULL, NULL));
  for (int k = 0; k < COUNT; k++)
    assert_int_equal(got[k], p->elements[1][COUNT - 1 - k]);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(self.buffer));
}

POOL_TEST(an_allocator_hears_of_every_queue) {
  arena self = {.buffer = device_buffer(&p->device, CL_MEM_READ_WRITE, 1 << 16)};
  const clrs_allocator allocator = {&self, give, take_back};
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  const clrs_shape shape = {1, {4}};
  clrs_tensor *tensor = NULL;
  for (int used = 0; used <= QUEUES; used++) {
    CHECK_OK(clrs_tensor_allocate(library, NULL, CLRS_U32, &shape, &tensor, &error), error);
    assert_null(self.queue);
    for (int i = 0; i < used; i++)
      CHECK_OK(clrs_tensor_use_on(tensor, p->queues[i], &error), error);
    clrs_tensor_release(tensor);
    assert_int_equal(self.taken, used + 1);
    assert_int_equal(self.event_count, used);
    if (self.event)
      CL_OK(clReleaseEvent(self.event));
  }
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(self.buffer));
}

/* A release with events passes the pending events on. */
POOL_TEST(an_allocator_hears_of_events) {
  arena self = {.buffer = device_buffer(&p->device, CL_MEM_READ_WRITE, 1 << 16)};
  const clrs_allocator allocator = {&self, give, take_back};
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  const clrs_shape shape = {1, {4}};
  clrs_tensor *tensor = NULL;
  cl_event gates[2] = {close_gate(p, 0), close_gate(p, 1)}, pending = gates[1];
  CHECK_OK(clrs_tensor_allocate(library, NULL, CLRS_U32, &shape, &tensor, &error), error);
  CHECK_OK(clrs_tensor_use_on(tensor, p->queues[2], &error), error);
  clrs_tensor_retain(tensor);
  CHECK_OK(clrs_tensor_release_after(tensor, 2, gates, &error), error);
  assert_int_equal(self.taken, 0);
  open_gate(&gates[0]);
  CHECK_OK(clrs_tensor_release_after(tensor, 0, NULL, &error), error);
  assert_int_equal(self.taken, 1);
  assert_int_equal(self.event_count, 2); /* the second gate, and a marker */
  assert_ptr_equal(self.event, pending);
  CL_OK(clReleaseEvent(self.event));
  open_gate(&gates[1]);
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(self.buffer));
}

/* Opens the gate while another thread waits for the commands behind the gate. */
static void *open_later(void *gate) {
  const struct timespec pause = {0, 20000000};
  (void)nanosleep(&pause, NULL);
  open_gate(gate);
  return NULL;
}

/* A result of the first queue, or memory without a queue that the first queue uses. */
static clrs_tensor *make_used(const pools *p, clrs_context *library, arena *self, bool is_result) {
  const clrs_shape shape = {1, {COUNT}};
  const uint32_t zero = 0;
  clrs_tensor *tensor = NULL;
  clrs_error error;
  if (is_result)
    return make_on(p, library, 1, COUNT, p->queues[0], &self->command);
  CHECK_OK(clrs_tensor_allocate(library, NULL, CLRS_U32, &shape, &tensor, &error), error);
  CHECK_OK(clrs_tensor_use_on(tensor, p->queues[0], &error), error);
  CL_OK(clEnqueueFillBuffer(p->queues[0], buffer_of(tensor), &zero, sizeof zero,
                            clrs_tensor_storage(tensor).byte_offset, COUNT * sizeof zero, 0, NULL,
                            &self->command));
  return tensor;
}

/* Releases memory that two queues use, behind a gate, while the driver refuses the n-th marker. */
static void release_without_marker(const pools *p, clrs_context *library, arena *self, int nth,
                                   bool is_result) {
  const fault refused = {nth, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE};
  fault_layer layer;
  pthread_t thread;
  clrs_error error;
  assert_true(fault_layer_find(&layer));
  cl_event gate = close_gate(p, 0);
  clrs_tensor *used = make_used(p, library, self, is_result);
  CHECK_OK(clrs_tensor_use_on(used, p->queues[1], &error), error);
  assert_int_equal(pthread_create(&thread, NULL, open_later, &gate), 0);
  layer.arm(&refused);
  clrs_tensor_release(used);
  assert_string_equal(layer.failed(), "clEnqueueMarkerWithWaitList");
  layer.arm(NULL);
  assert_int_equal(pthread_join(thread, NULL), 0);
  CL_OK(clReleaseEvent(self->command));
  self->command = NULL;
}

/* The memory comes back without events, so all queues have finished with the memory. If a wait is
 * for events that only the caller can set, a thread must not wait for another thread's events. */
POOL_TEST(a_driver_that_refuses_a_marker_is_waited_for) {
  arena self = {.buffer = device_buffer(&p->device, CL_MEM_READ_WRITE, 1 << 16)};
  const clrs_allocator allocator = {&self, give, take_back};
  fault_layer layer;
  if (!fault_layer_find(&layer) || driver_has_defect(p->device.device, DEFECT_FLUSH_WAITS)) {
    CL_OK(clReleaseMemObject(self.buffer));
    skip();
  }
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  clrs_tensor_release(make_on(p, library, 1, COUNT, p->queues[0], NULL)); /* which builds */
  CL_OK(clReleaseEvent(self.event));
  for (int i = 0; i < 4; i++) {
    release_without_marker(p, library, &self, 1 + i / 2, i % 2 == 0);
    assert_int_equal(self.taken, 2 + i);
    assert_int_equal(self.event_count, 0);
    assert_int_equal(self.command_status, CL_COMPLETE);
  }
  clrs_context_release(library);
  CL_OK(clReleaseMemObject(self.buffer));
}

/* Memory that turns out too small goes back, and nothing is made. */
POOL_TEST(memory_that_cannot_be_used_goes_back) {
  arena self = {.buffer = device_buffer(&p->device, CL_MEM_READ_WRITE, 8)};
  const clrs_allocator allocator = {&self, give, take_back};
  clrs_context *library = library_with(p, &allocator, CLRS_POOL_AUTO);
  clrs_tensor *tensor = NULL;
  CHECK_FAILS(clrs_tensor_allocate(library, NULL, CLRS_U32, &(clrs_shape){1, {4}}, &tensor, &error),
              CLRS_OUT_OF_BOUNDS, error);
  assert_null(tensor);
  assert_int_equal(self.taken, 1);
  clrs_context_release(library);
  device_require_references(self.buffer, 1);
  CL_OK(clReleaseMemObject(self.buffer));
}

TESTS_UNLESS(device_missing(), NULL, NULL)
