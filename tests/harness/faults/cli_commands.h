/*
 * Command lines of the program, the files they read, and what they must have made.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_CLI_COMMANDS_H
#define CLRS_TEST_CLI_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_FILE = 1 << 16 };

typedef struct contents {
  size_t size;
  unsigned char bytes[MOST_FILE];
} contents;

bool read_file(const char *path, contents *file);
bool write_file(const char *path, const void *bytes, size_t size);

typedef struct command {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *arguments[10];
  const char *outputs[4];             /* ends in NULL; none: standard output */
  bool (*is_right)(const char *path); /* of the first one, or of all */
  bool asks_device, asks_files, is_slow;
  bool has_old;      /* the outputs are there before, and stay if the command fails */
  const char *piped; /* what comes through standard input, if anything */
} command;

extern const command cli_commands[];
extern const size_t cli_command_count;

/* What the commands read, in the current folder; copies of it in its folder `kept`. Ends in NULL.
 */
extern const char *const cli_inputs[];
/* Where ONNX's own test data is. Before the current folder changes. */
bool cli_inputs_find(const char *data);
bool cli_inputs_write(void);

#endif
