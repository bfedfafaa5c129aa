/* SPDX-License-Identifier: Apache-2.0 */
#include "pool_fixture.h"

#include <stdlib.h>

clrs_context *library_with(const pools *p, const clrs_allocator *allocator, int64_t bytes) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  clrs_context *library = NULL;
  clrs_error error;
  options.context = p->device.context;
  options.device = p->device.device;
  options.pool_bytes = bytes;
  if (allocator)
    options.allocator = *allocator;
  CHECK_OK(clrs_context_create(&options, &library, &error), error);
  return library;
}

int open_pools(void **state) {
  pools *p = calloc(1, sizeof *p);
  assert_non_null(p);
  device_open(&p->device);
  for (int i = 0; i < QUEUES; i++)
    p->queues[i] =
        device_queue(&p->device, i == QUEUES - 1 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
  for (int i = 0; i < SOURCES; i++) {
    for (int k = 0; k < COUNT; k++)
      p->elements[i][k] = (uint32_t)(i * 100000 + k);
    p->sources[i] = device_buffer(&p->device, CL_MEM_READ_WRITE, sizeof p->elements[i]);
    device_write(&p->device, p->sources[i], sizeof p->elements[i], p->elements[i]);
  }
  p->sink = device_buffer(&p->device, CL_MEM_READ_WRITE, sizeof(uint32_t) * COUNT * MOST_SINKS);
  p->library = library_with(p, NULL, CLRS_POOL_AUTO);
  *state = p;
  return 0;
}

int close_pools(void **state) {
  pools *p = *state;
  clrs_context_release(p->library);
  for (int i = 0; i < QUEUES; i++) {
    CL_OK(clFinish(p->queues[i]));
    CL_OK(clReleaseCommandQueue(p->queues[i]));
  }
  for (int i = 0; i < SOURCES; i++)
    CL_OK(clReleaseMemObject(p->sources[i]));
  CL_OK(clReleaseMemObject(p->sink));
  device_close(&p->device);
  free(p);
  return 0;
}

/* ---- results ---- */

clrs_tensor *make_on(const pools *p, clrs_context *library, int source, int64_t count,
                     cl_command_queue queue, cl_event *event) {
  clrs_tensor *whole = NULL, *result = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_wrap_dense(library, p->sources[source], CLRS_U32, 1, &count, &whole, &error),
           error);
  CHECK_OK(clrs_enqueue_chain(whole, "flip=0", CLRS_COPY_ALWAYS, NULL, &result, ON(queue), event,
                              &error),
           error);
  clrs_tensor_release(whole);
  return result;
}

clrs_tensor *allocate_on(clrs_context *library, int64_t count, cl_command_queue queue) {
  const clrs_shape shape = {1, {count}};
  clrs_tensor *tensor = NULL;
  clrs_error error;
  CHECK_OK(clrs_tensor_allocate(library, queue, CLRS_U32, &shape, &tensor, &error), error);
  return tensor;
}

cl_mem buffer_of(const clrs_tensor *tensor) {
  return clrs_tensor_storage(tensor).buffer;
}

/* ---- gates ---- */

cl_event close_gate(const pools *p, int queue) {
  cl_int code;
  cl_event gate = clCreateUserEvent(p->device.context, &code);
  CL_OK(code);
  CL_OK(clEnqueueBarrierWithWaitList(p->queues[queue], 1, &gate, NULL));
  device_flush(&p->device, p->queues[queue]);
  return gate;
}

void open_gate(cl_event *gate) {
  if (*gate) {
    CL_OK(clSetUserEventStatus(*gate, CL_COMPLETE));
    CL_OK(clReleaseEvent(*gate));
  }
  *gate = NULL;
}
