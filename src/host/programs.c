/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"

#include <stdlib.h>

#include "fail.h"
#include "output.h"
#include "program_cache.h"
#include "whole_file.h"

static clrs_status load(const cli_host *host, const char *path, clrs_error *error) {
  cli_contents file;
  CLRS_TRY(cli_read_whole(path, &file, error));
  const clrs_status status =
      clrs_context_import_programs(host->clreshape, file.bytes, file.size, error);
  free(file.bytes);
  return status == CLRS_OK ? CLRS_OK : cli_fail_prefix(error, "%s", path);
}

clrs_status cli_programs_begin(const cli_host *host, cli_programs *programs, clrs_error *error) {
  if (programs->file != NULL) {
    CLRS_TRY(cli_inputs_add(programs->inputs, programs->file, error));
    return load(host, programs->file, error);
  }
  if (!programs->no_cache) {
    CLRS_TRY(cli_program_cache_load(host, programs->inputs, error));
  }
  programs->known = clrs_context_program_count(host->clreshape);
  return CLRS_OK;
}

void cli_programs_end(const cli_host *host, const cli_programs *programs, clrs_status status) {
  if (programs->file != NULL || programs->no_cache) {
    return;
  }
  if (status == CLRS_BUILD_FAILURE) {
    cli_program_cache_remove(host);
  } else if (status == CLRS_OK) {
    clrs_error ignored;
    (void)!cli_program_cache_save(host, programs->known, &ignored);
  }
}

clrs_status cli_programs_keep(const cli_host *host, const cli_programs *programs,
                              clrs_error *error) {
  if (cli_program_cache_save(host, programs->known, error) == CLRS_OK) {
    return CLRS_OK;
  }
  const clrs_status status = cli_fail_prefix(error, "the programs are not kept");
  clrs__append(error, "; with -o FILE they are written there");
  return status;
}

static clrs_status write_blob(const char *path, const void *blob, size_t size, clrs_error *error) {
  cli_output output = CLI_OUTPUT_INIT;
  const cli_inputs none = {0};
  clrs_status status = cli_output_open(path, &none, &output, error);
  if (status == CLRS_OK) {
    status = cli_output_write(&output, blob, size, error);
  }
  if (status == CLRS_OK) {
    status = cli_output_commit(&output, 1, error);
  }
  cli_output_close(&output);
  return status;
}

clrs_status cli_programs_save(const cli_host *host, const char *path, clrs_error *error) {
  size_t size = 0;
  CLRS_TRY(clrs_context_export_programs(host->clreshape, NULL, 0, &size, error));
  void *blob = malloc(size);
  if (blob == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes of programs", size);
  }
  clrs_status status = clrs_context_export_programs(host->clreshape, blob, size, &size, error);
  if (status == CLRS_OK) {
    status = write_blob(path, blob, size, error);
  }
  free(blob);
  return status;
}
