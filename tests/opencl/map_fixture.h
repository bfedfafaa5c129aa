/*
 * Shared by the tests of mapped tensors: a device, a library context for each way of execution, and
 * buffers with host copies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MAP_FIXTURE_H
#define CLRS_TEST_MAP_FIXTURE_H

#include "harness/device.h"
#include "mapped_case.h"

typedef struct map_fixture {
  test_device device;
  clrs_context *libraries[2];                    /* CPU, GPU */
  cl_mem source, destination, parameters;        /* CASE_BYTES each */
  unsigned char *bytes, *poison, *got, *numbers; /* CASE_BYTES each */
} map_fixture;

/* A library context for each way of execution. The caller releases both. */
void map_libraries_open(const test_device *device, clrs_context *libraries[2]);

clrs_tensor *map_dense(clrs_context *library, cl_mem buffer, clrs_dtype dtype, size_t rank,
                       const int64_t *dims);

/* Does the execution `which` run what has this number? By default each program is built for one of
 * the two executions, with CLRS_TEST_BOTH=1 for both. */
bool map_runs(int which, uint64_t number);

/* A number of the chain's maps. Movement around the same maps does not change the number. */
uint64_t map_number(const char *chain);

/* map_expect_chain by the executions that run the chain's number. */
void map_expect_chains(map_fixture *f, clrs_dtype from, const clrs_shape *shape, const char *text);

/* Requires that the chain gives the host's result of elements that lie dense at the start of
 * f->source. f->bytes has the same elements. */
void map_expect_chain(map_fixture *f, int which, clrs_dtype from, const clrs_shape *shape,
                      const char *text);

/* Resizes or converts with a work whose source is a slot of that layout: each enqueue takes another
 * part of f->source, which holds f->bytes. The result is of u8. `expect` compares one result with
 * the bytes of the part. */
void map_expect_slot(map_fixture *f, const clrs_layout *layout, const char *text,
                     const clrs_shape *shape,
                     void (*expect)(const unsigned char *part, const unsigned char *made));

int map_fixture_open(void **state);
int map_fixture_close(void **state);
#define MAP_TEST(name) TEST_OF(map_fixture, f, name, NULL, NULL) /* in a group with both */

#endif
