/*
 * Command lines of the program, the input files, and the expected output files.
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
  const char *outputs[4];             /* ends in NULL, empty: standard output */
  bool (*is_right)(const char *path); /* checks the first output, or all outputs */
  bool asks_device, asks_files, is_slow;
  bool has_old;      /* the outputs are there before, and stay if the command fails */
  const char *piped; /* input through standard input, or NULL */
} command;

extern const command cli_commands[];
extern const size_t cli_command_count;

/* The input files in the current folder, ending in NULL. The folder `kept` has copies. Ends in
 * NULL. */
extern const char *const cli_inputs[];
/* Finds the folder of ONNX's test data. Before the current folder changes. */
bool cli_inputs_find(const char *data);
bool cli_inputs_write(void);

#endif
