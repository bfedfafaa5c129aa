/*
 * How far a long transfer is: on a terminal, in one line that is written over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress {
  uint64_t total, done; /* bytes */
  double started;       /* seconds */
  bool is_shown;        /* standard error is a terminal, and there is enough to see */
} cli_progress;

void cli_progress_start(cli_progress *progress, uint64_t total);
void cli_progress_add(cli_progress *progress, uint64_t bytes);
