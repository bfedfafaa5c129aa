/*
 * Carrying out a large move: box after box is read from one file, moved on a device, and written to
 * another. Two movers for each device share the boxes, so that one reads or writes while the
 * other's box moves. Of a stream they read, or write, in the order of the boxes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "boxes.h"
#include "host.h"

typedef struct cli_carry {
  const cli_boxes *boxes;
  cli_run_file input, output; /* at their first elements */
  uint64_t bytes;             /* of the result */
  size_t host_count;
  cli_host *hosts;
} cli_carry;

/* Returns when all boxes have been written, or one has failed and no command goes on. */
clrs_status cli_carry_out(const cli_carry *carry, clrs_error *error);

enum { CLI_MOVERS = 2 }; /* for each device */
