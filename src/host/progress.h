/*
 * Shows the progress of a long transfer on a terminal, in one line that is overwritten.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
  uint64_t total, done; /* bytes */
  double started;       /* seconds */
  bool is_shown;        /* standard error is a terminal, and the transfer is long */
} cli_progress;

void cli_progress_start(cli_progress *progress, uint64_t total);
void cli_progress_add(cli_progress *progress, uint64_t bytes);
