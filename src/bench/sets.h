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
  uint64_t copy_bytes;        /* bytes of each side of the yardstick */
  size_t count;
  bench_set sets[BENCH_MOST_SETS];
  unsigned char *expected; /* content of a destination after the move */
} bench_sets;

/* Makes the source and the destination of the first set, without content, which suffices for
 * planning. The caller must close the sets also after a failure. */
clrs_status bench_sets_open(const bench_setup *setup, const bench_case *given, bench_sets *sets,
                            clrs_error *error);
/* Makes tensors over the buffers of a set: the source in the order of the destination, and the
 * destination. The caller releases each tensor that is not NULL, also after a failure. */
clrs_status bench_sets_wrap(const bench_sets *sets, size_t index, clrs_tensor **source,
                            clrs_tensor **destination, clrs_error *error);
/* Makes the other buffers, and writes to every buffer. */
clrs_status bench_sets_fill(bench_sets *sets, uint64_t copy_bytes, clrs_error *error);
void bench_sets_close(bench_sets *sets);

/* Poisons the destinations of the first `count` sets, and waits for the end of poisoning. */
clrs_status bench_sets_poison(bench_sets *sets, size_t count, clrs_error *error);

/* Enqueues clEnqueueCopyBuffer between the yardstick's buffers of a set. */
clrs_status bench_sets_copy(const bench_sets *sets, size_t index, cl_command_queue queue,
                            cl_event *event, clrs_error *error);

/* Compares every byte. If a byte differs, `wrong` (160 bytes) describes the first. */
clrs_status bench_sets_check(bench_sets *sets, size_t index, char *wrong, clrs_error *error);
/* Compares the destination of the yardstick in the same way. */
clrs_status bench_sets_check_copy(bench_sets *sets, size_t index, char *wrong, clrs_error *error);
