/*
 * The device of a benchmark, and the settings of all its cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "device_features.h"
#include "host.h"

typedef struct bench_setup {
  cli_host host;
  cl_command_queue queue; /* in order, with profiling */
  cli_device_facts device;
  bool is_gpu;
  size_t repetitions;         /* 0: as many as there are sets of buffers, but at least 7 */
  const char *required_class; /* for the moves, not for the yardstick */
  const char *filter;         /* NULL: all. Otherwise a part of the id, the suite or the class */
} bench_setup;

/* Opens a device, which is named as for cli_host_open. On failure there is nothing to close. */
clrs_status bench_setup_open(const char *device, bench_setup *setup, clrs_error *error);
void bench_setup_close(bench_setup *setup);
