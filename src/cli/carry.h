/*
 * Carries out a large move box by box: each box is read from a file, moved on a device, and written
 * to another file. Two movers for each device share the boxes, so that one mover reads or writes
 * while the device moves the box of the other mover. Streams are read and written in the order of
 * the boxes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "boxes.h"
#include "host.h"

typedef struct cli_carry {
  const cli_boxes *boxes;
  cli_run_file input, output; /* starting at the first elements */
  uint64_t bytes;             /* of the result */
  size_t host_count;
  cli_host *hosts;
} cli_carry;

/* Moves all boxes. Returns when all boxes have been written, or when a box has failed and no
 * command is still running. */
clrs_status cli_carry_out(const cli_carry *carry, clrs_error *error);

enum { CLI_MOVERS = 2 }; /* for each device */
