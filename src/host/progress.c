/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, isatty, fileno */

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SHOWN_FROM ((uint64_t)128 << 20) /* bytes. Shorter transfers are not shown */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void cli_progress_start(cli_progress *progress, uint64_t total) {
  *progress = (cli_progress){.total = total,
                             .started = seconds(),
                             .is_shown = total >= SHOWN_FROM && isatty(fileno(stderr))};
}

void cli_progress_add(cli_progress *progress, uint64_t bytes) {
  progress->done += bytes;
  if (!progress->is_shown) {
    return;
  }
  const bool is_over = progress->done == progress->total;
  const double taken = seconds() - progress->started;
  const double rate = taken > 0 ? (double)progress->done / taken : 0;
  const double left = rate > 0 ? (double)(progress->total - progress->done) / rate : 0;
  fprintf(stderr, "\r%3u%% of %" PRIu64 " MiB, %.0f MiB/s, %.0f s left %s",
          (unsigned)(progress->done / (progress->total / 100)), progress->total >> 20,
          rate / (1 << 20), left, is_over ? "\n" : "");
}
