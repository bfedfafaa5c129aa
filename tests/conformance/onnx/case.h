/*
 * One case of a conformance test: a model, the input files, and the expected output files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ONNX_CASE_H
#define CLRS_TEST_ONNX_CASE_H

#include "host/host.h"

enum { CASE_MAX_FILES = 40, CASE_PATH = 512, CASE_ANY = -1 };

typedef struct case_files {
  char model[CASE_PATH];
  int launches; /* expected launches, or CASE_ANY for any number */
  size_t input_count, output_count;
  char inputs[CASE_MAX_FILES][CASE_PATH];
  char expected[CASE_MAX_FILES][CASE_PATH];
} case_files;

/* Runs the model through the onnx command's code into `folder`. Compares the type, dims and bytes
 * of every output with the expected file. protobuf-c reads both files, without code of the program.
 * If the program did not write a file, the comparison finds an older file with other contents. The
 * number of launches is read from --explain. */
clrs_status case_run(cli_host *host, const case_files *files, const char *folder,
                     clrs_error *error);

/* Runs a model that must fail: the error must contain `text` and the folder's files must be
 * unchanged. */
clrs_status case_run_bad(cli_host *host, const case_files *files, const char *folder,
                         const char *text, clrs_error *error);

/* As case_run_bad, but the model may also run. Only a crash is wrong, or an output file that is
 * neither unchanged nor complete. */
clrs_status case_run_damaged(cli_host *host, const case_files *files, const char *folder, bool *ran,
                             clrs_error *error);

/* Returns true if the error says that the device has no doubles for the f64 steps of a map. */
bool case_is_refused(const cli_host *host, const clrs_error *error);

/* Whole files. Reading fails if the file is missing. The caller frees *bytes. */
clrs_status case_write_file(const char *path, const void *bytes, size_t size, clrs_error *error);
clrs_status case_read_file(const char *path, uint8_t **bytes, size_t *size, clrs_error *error);

#endif
