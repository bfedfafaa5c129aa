/*
 * Measuring one case.
 *
 * Method. A case is a move into a destination of its own (or an alias, where the case allows one).
 * Its yardstick is the faster of clEnqueueCopyBuffer and the library's own move from one dense
 * buffer to another, with as many bytes read plus written (from 4 KiB on rounded up to a multiple
 * of 64). All three run in turn, in changing order, in buffers that have been written before.
 * Buffers come in sets that are used in rotation: as many as reach twice the device's last cache,
 * at most 51. Small cases therefore stay in a cache, and so does their yardstick.
 *
 * A batch is made before, for each set of buffers, and enqueued: its launches and the wait are
 * timed. What making one takes stands where other cases have the time to plan.
 *
 * Before the runs of a round every destination is poisoned, after it each is compared with what it
 * must hold, to the last byte, with the bytes between and behind its elements.
 *
 * Times are from before the enqueue to after the wait, on the host's clock: what a caller waits.
 * The device's own times, by profiling, are reported beside them (in JSON), and so is the first
 * run, which builds what has not been built. GB/s and fractions come from the medians of the host's
 * times. A GPU's queue runs beside the host: there they come from the device's own times, of the
 * move and of the yardstick.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"
#include "setup.h"
#include "stats.h"

/* The three that run in turn. */
enum { BENCH_MOVE, BENCH_COPY_BUFFER, BENCH_COPY_KERNEL, BENCH_KINDS };

typedef struct bench_result {
  bool filtered;       /* the filter does not want it: it did not run */
  char class_name[24]; /* of the first launch; "none" without one */
  const char *outcome;
  uint32_t launches;
  uint64_t bytes_read, bytes_written;
  uint64_t copy_bytes; /* read plus written by the yardstick */
  size_t buffer_sets, repetitions;
  double first, plan;              /* seconds */
  bench_spread total[BENCH_KINDS]; /* seconds, enqueue to finish */
  bench_spread device[BENCH_KINDS];
  bool has_device_time; /* not for an alias, nor for several launches */
  bool is_by_device;    /* GB/s and fractions are of the device's times */
  bool verified;
  char wrong[160];        /* where the result is wrong, if it is */
  char explanation[1024]; /* of the plan */
} bench_result;

/* Whether it fails or not, result->filtered is set. */
clrs_status bench_measure(bench_setup *setup, const bench_case *given, bench_result *result,
                          clrs_error *error);
