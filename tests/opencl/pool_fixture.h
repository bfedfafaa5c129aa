/*
 * Three queues, the last without order, sources of known elements, and gates that hold a queue up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_POOL_FIXTURE_H
#define CLRS_TEST_POOL_FIXTURE_H

#include "harness/device.h"

#include "harness/check.h"

enum {
  QUEUES = 3,
  COUNT = 1024, /* 32-bit elements of the largest result */
  SOURCES = 8,
  MOST_SINKS = 160
};

typedef struct pools {
  test_device device;
  cl_command_queue queues[QUEUES];
  clrs_context *library;
  cl_mem sources[SOURCES], sink;
  uint32_t elements[SOURCES][COUNT];
} pools;

/* cmocka's. */
int open_pools(void **state);
int close_pools(void **state);
#define POOL_TEST(name) TEST_OF(const pools, p, name, open_pools, close_pools)

clrs_context *library_with(const pools *p, const clrs_allocator *allocator, int64_t bytes);

/* The first elements of a source, backwards, which no view of the library's is without a move. */
clrs_tensor *make_on(const pools *p, clrs_context *library, int source, int64_t count,
                     cl_command_queue queue, cl_event *event);
/* Allocates 32-bit elements, for work on the queue. */
clrs_tensor *allocate_on(clrs_context *library, int64_t count, cl_command_queue queue);
cl_mem buffer_of(const clrs_tensor *tensor);

/* Commands enqueued from now on wait until the gate opens. The gate is NULL then. */
cl_event close_gate(const pools *p, int queue);
void open_gate(cl_event *gate);

#endif
