/*
 * An output file that appears complete or not at all: it is written without a name, or under a
 * temporary one in the same folder, and takes its real name in one step.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_OUTPUT_H
#define CLRESHAPE_CLI_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <clreshape/core.h>

typedef struct cli_output {
  int fd;
  char *path;      /* what the file will be called: links in the caller's path are resolved */
  char *temporary; /* its name until then; empty while it has none */
} cli_output;

#define CLI_OUTPUT_INIT                                                                            \
  { -1, NULL, NULL }

/* Fails if `path` names a folder or anything else that is not a regular file, or if its folder
 * cannot be written. */
clrs_status cli_output_open(const char *path, cli_output *output, clrs_error *error);
clrs_status cli_output_write(cli_output *output, const void *bytes, size_t size, clrs_error *error);
/* Gives the file its name, replacing a file of that name. Ends in the state of CLI_OUTPUT_INIT,
 * also on failure. */
clrs_status cli_output_commit(cli_output *output, clrs_error *error);
/* Drops what was not committed. Allowed at any time after CLI_OUTPUT_INIT. */
void cli_output_close(cli_output *output);

#endif /* CLRESHAPE_CLI_OUTPUT_H */
