/*
 * A file without a name, for bytes of a stream that are read or written in another order. Nothing
 * is left behind, however the program ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* Opens a spool in the folder of the file `near`. If `near` is NULL, the folder is TMPDIR, or else
 * /tmp. The caller closes *fd. */
clrs_status cli_spool_open(const char *near, int *fd, clrs_error *error);

/* Copies the next `size` bytes of `from` to `to`. The paths are for messages. Returns
 * CLRS_INVALID_ARGUMENT if `from` ends earlier. */
typedef struct cli_spool_copy {
  int from, to;
  const char *from_path, *to_path;
  uint64_t size;
  bool swaps; /* exchange the bytes of each element of 16 bits? The size is then even */
} cli_spool_copy;
clrs_status cli_spool_run(const cli_spool_copy *copy, clrs_error *error);
