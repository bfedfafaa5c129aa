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
  clrs_class required_class;
  bool explain, json, help;
  clrs_chain chain;      /* of the operations, one of each argument or more */
  cli_assembly assembly; /* what comes of it and of other files */
} cli_request;

/* Reads the command line. Anything but CLI_EXIT_DONE has been reported already. *request is to be
 * freed in any case. */
int cli_request_read(int argc, char **argv, cli_request *request);
void cli_request_free(cli_request *request);

/* Bytes, or with K, M, G or T behind them so many KiB and so on. */
clrs_status cli_size_parse(const char *text, uint64_t *bytes, clrs_error *error);

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error);
