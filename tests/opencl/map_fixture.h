/*
 * What the tests of mapped tensors share: a device, a library context for each way of execution,
 * and buffers with copies of them on the host.
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
  cl_mem source, destination, parameters;        /* of CASE_BYTES each */
  unsigned char *bytes, *poison, *got, *numbers; /* of CASE_BYTES each */
} map_fixture;

int map_fixture_open(void **state);
int map_fixture_close(void **state);

#endif
