/*
 * What `run` and `explain` are asked to do: their common arguments.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "assembled.h"

enum { CLI_MOST_DEVICES = 8 };

typedef struct cli_request {
  const char *command; /* "run" or "explain" */
  const char *input;
  const char *output;                    /* NULL if explain got none */
  const char *devices[CLI_MOST_DEVICES]; /* NULL: the default one */
  size_t device_count;                   /* at least 1 */
  uint64_t memory;                       /* bytes; 0 if nobody says */
  const char *programs;                  /* of a file; or NULL */
  bool no_cache;                         /* of programs */
  clrs_rules rules;
  clrs_copy_policy policy;
  const char *required_class;
  bool explain, json, help;
  clrs_chain chain;      /* of the operations, one of each argument or more */
  cli_assembly assembly; /* what comes of it and of other files */
} cli_request;

typedef clrs_status (*cli_request_fn)(const cli_request *request, clrs_error *error);

/* Reads the command line and does what it asks, or prints the help; the exit code. */
int cli_request_do(int argc, char **argv, const char *help, cli_request_fn what);

/* Bytes, or with K, M, G or T behind them so many KiB and so on. */
clrs_status cli_size_parse(const char *text, uint64_t *bytes, clrs_error *error);

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error);
