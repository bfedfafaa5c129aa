/*
 * The common arguments of `run` and `explain`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "assembled.h"
#include "formats.h"

enum { CLI_MOST_DEVICES = 8 };

typedef struct cli_request {
  const char *command; /* "run" or "explain" */
  const char *input;
  const char *output;                    /* NULL if explain has no output */
  const char *devices[CLI_MOST_DEVICES]; /* NULL: the default device */
  size_t device_count;                   /* at least 1 */
  uint64_t memory;                       /* bytes; 0 if not given */
  const char *programs;                  /* file of programs, or NULL */
  bool no_cache;                         /* use no cache of programs */
  clrs_rules rules;
  clrs_copy_policy policy;
  const char *required_class;
  const char *each; /* folder or archive of the results of --each, or NULL */
  char **inputs;    /* inputs of --each */
  size_t input_count;
  const cli_npy_header *raw; /* the header that --raw describes, or NULL */
  cli_npy_header raw_header; /* memory of `raw` */
  const cli_format *format;  /* of the output */
  bool explain, json, help;
  char **texts; /* arguments of the operations, cut around the assembly */
  size_t text_count;
  char *copies;          /* memory of `texts` */
  clrs_chain chain;      /* operations before the assembly */
  cli_assembly assembly; /* the assembly and the operations after */
} cli_request;

typedef clrs_status (*cli_request_fn)(const cli_request *request, clrs_error *error);

/* Reads the command line, then calls `what` or prints the help, in two parts. Returns the exit
 * code. */
int cli_request_do(int argc, char **argv, const char *help, const char *more, cli_request_fn what);

/* Parses a size in bytes. The suffixes K, M, G and T multiply by 2^10, 2^20, 2^30 and 2^40. */
clrs_status cli_size_parse(const char *text, uint64_t *bytes, clrs_error *error);

clrs_status cli_dialect_parse(const char *name, clrs_dialect *dialect, clrs_error *error);
