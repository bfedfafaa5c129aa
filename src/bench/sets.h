/*
 * The buffers of one benchmark case: sets that are used in rotation, poisoned and compared.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"
#include "setup.h"

enum { BENCH_MOST_SETS = 51 };

typedef struct bench_set {
  cl_mem source, destination, copy_source, copy_destination;
} bench_set;

typedef struct bench_sets {
  const bench_setup *setup;
  const bench_case *given;
  uint64_t source_bytes;
  uint64_t destination_bytes; /* with guard bytes behind the last element */
  uint64_t copy_bytes;        /* of each side of the yardstick */
  size_t count;
  bench_set sets[BENCH_MOST_SETS];
  unsigned char *expected; /* what a destination holds after the move */
} bench_sets;

/* Makes the source and the destination of the first set, without content: enough to plan with. To
 * be closed also after a failure. */
clrs_status bench_sets_open(const bench_setup *setup, const bench_case *given, bench_sets *sets,
                            clrs_error *error);
/* Tensors over the buffers of one set: the source as the destination sees it, and the destination.
 * Each is NULL or to be released, also after a failure. */
clrs_status bench_sets_wrap(const bench_sets *sets, size_t index, clrs_tensor **source,
                            clrs_tensor **destination, clrs_error *error);
/* Makes the rest, and writes to every buffer. */
clrs_status bench_sets_fill(bench_sets *sets, uint64_t copy_bytes, clrs_error *error);
void bench_sets_close(bench_sets *sets);

/* The destinations of the first `count` sets; returns when they are poisoned. */
clrs_status bench_sets_poison(bench_sets *sets, size_t count, clrs_error *error);

/* Enqueues clEnqueueCopyBuffer between the yardstick's buffers of one set. */
clrs_status bench_sets_copy(const bench_sets *sets, size_t index, cl_command_queue queue,
                            cl_event *event, clrs_error *error);

/* Compares every byte; if one differs, `wrong` (of 160 bytes) says which. */
clrs_status bench_sets_check(bench_sets *sets, size_t index, char *wrong, clrs_error *error);
/* The same for the destination of the yardstick. */
clrs_status bench_sets_check_copy(bench_sets *sets, size_t index, char *wrong, clrs_error *error);
