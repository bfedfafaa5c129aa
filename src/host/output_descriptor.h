/*
 * The path through which a file without a name can be given one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_CLI_OUTPUT_DESCRIPTOR_H
#define CLRESHAPE_CLI_OUTPUT_DESCRIPTOR_H

typedef struct cli_descriptor {
  char text[32];
} cli_descriptor;

cli_descriptor cli_descriptor_path(int fd);

#endif /* CLRESHAPE_CLI_OUTPUT_DESCRIPTOR_H */
