/*
 * Measures one case.
 *
 * Method. A case is a move into a separate destination, or an alias if the case allows one. The
 * yardstick is the faster of clEnqueueCopyBuffer and the library's own move between two dense
 * buffers. The yardstick reads and writes as many bytes as the case, from 4 KiB on rounded up to a
 * multiple of 64. The move and both copies run in turn, in changing order, in buffers that have
 * been written before. Buffers come in sets that are used in rotation. The sets reach twice the
 * device's last cache, and there are at most 51 sets. Small cases and their yardsticks therefore
 * stay in a cache.
 *
 * A batch is created beforehand for each set of buffers, and is then enqueued. The launches and the
 * wait are timed. The time to create a batch is reported in place of the time to plan.
 *
 * Before the runs of a round every destination is poisoned. Afterwards each destination is compared
 * to the last byte, including the bytes between and behind its elements.
 *
 * Times run from before the enqueue to after the wait, on the host's clock, as a caller waits. The
 * device's own times, from profiling, are reported as well (in JSON), and so is the first run,
 * which builds missing programs. GB/s and fractions come from the medians of the host's times. A
 * GPU's queue runs beside the host, so for a GPU both come from the device's times of the move and
 * of the yardstick.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "case.h"
#include "setup.h"
#include "stats.h"

/* The three commands that run in turn. */
enum { BENCH_MOVE, BENCH_COPY_BUFFER, BENCH_COPY_KERNEL, BENCH_KINDS };

typedef struct bench_result {
  bool filtered;       /* did not run, because the filter excludes the case */
  char class_name[24]; /* first launch's class, or "none" */
  const char *outcome;
  uint32_t launches;
  uint64_t bytes_read, bytes_written;
  uint64_t copy_bytes; /* read plus written by the yardstick */
  size_t buffer_sets, repetitions;
  double first, plan;              /* seconds */
  bench_spread total[BENCH_KINDS]; /* seconds, enqueue to finish */
  bench_spread device[BENCH_KINDS];
  bool has_device_time; /* false for an alias and for several launches */
  bool is_by_device;    /* GB/s and fractions come from the device's times */
  bool verified;
  char wrong[160];        /* the place of a wrong result */
  char explanation[1024]; /* of the plan */
} bench_result;

/* Measures a case. Sets result->filtered also on failure. */
clrs_status bench_measure(bench_setup *setup, const bench_case *given, bench_result *result,
                          clrs_error *error);
