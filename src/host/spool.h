/*
 * A file without a name for what comes from a stream or goes to one, and has to be read or written
 * in another order. Nothing of it is left behind, whatever ends the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* In the folder of the file `near`, or, where that is NULL, in the one that TMPDIR names, else in
 * /tmp. *fd is to be closed. */
clrs_status cli_spool_open(const char *near, int *fd, clrs_error *error);

/* Copies `size` bytes from the next of `from` to the next of `to`. The paths are for messages; a
 * `from` that ends before is CLRS_INVALID_ARGUMENT. */
typedef struct cli_spool_copy {
  int from, to;
  const char *from_path, *to_path;
  uint64_t size;
} cli_spool_copy;
clrs_status cli_spool_run(const cli_spool_copy *copy, clrs_error *error);
