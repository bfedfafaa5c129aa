/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fail.h"
#include "output.h"
#include "text.h"
#include "whole_file.h"

static const char ending[] = ".programs";

/* A program of PoCL has about 150 KB, a program of Intel's runtime 50 KB. `clreshape warm` makes 30
 * programs. Reading 4 MiB takes 3 ms in every run. A larger file than MOST_BYTES is not read, and
 * the next run that builds starts a new file. */
#define MOST_BYTES ((uint64_t)16 << 20)
enum { MOST_FILES = 16 }; /* the file that was written longest ago is removed first */

typedef struct place {
  char folder[CLI_PATH_BYTES - 64];
  char file[CLI_PATH_BYTES];
} place;

/* ---- the cache's folder ---- */

static clrs_status find_place(const cli_host *host, place *found, clrs_error *error) {
  char base[CLI_PATH_BYTES - 128], name[CLRS_PROGRAMS_NAME_BYTES];
  CLRS_TRY(cli_folder_of_caches(base, sizeof base, error));
  CLRS_TRY(clrs_context_programs_name(host->clreshape, name, error));
  snprintf(found->folder, sizeof found->folder, "%s/clreshape", base);
  snprintf(found->file, sizeof found->file, "%s/%s%s", found->folder, name, ending);
  cli_folder_make(found->folder);
  if (!cli_folder_is_own(found->folder)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no folder of this user's alone",
                      clrs__show(found->folder).text);
  }
  return CLRS_OK;
}

/* ---- reading ---- */

static clrs_status import(const cli_host *host, const cli_contents *file, clrs_error *error) {
  const clrs_status status =
      clrs_context_import_programs(host->clreshape, file->bytes, file->size, error);
  free(file->bytes);
  return status;
}

static clrs_status load_file(const cli_host *host, const cli_programs *programs,
                             clrs_error *error) {
  cli_contents file;
  CLRS_TRY(cli_inputs_add(programs->inputs, programs->file, error));
  CLRS_TRY(cli_read_whole(programs->file, &file, error));
  return import(host, &file, error) == CLRS_OK ? CLRS_OK
                                               : cli_fail_prefix(error, "%s", programs->file);
}

static bool is_trusted(int fd) {
  cli_file_info info;
  return cli_file_look_opened(fd, &info) == 0 && info.is_regular && info.size <= MOST_BYTES &&
         cli_file_is_own(fd);
}

static clrs_status load_cache(const cli_host *host, cli_inputs *inputs, clrs_error *error) {
  place found;
  cli_contents file;
  clrs_error ignored;
  const int fd =
      find_place(host, &found, &ignored) == CLRS_OK ? cli_file_open(found.file, false) : -1;
  if (fd < 0) {
    return CLRS_OK;
  }
  const clrs_status status = cli_inputs_add_opened(inputs, fd, found.file, error);
  if (status == CLRS_OK && is_trusted(fd) &&
      cli_read_opened(fd, found.file, &file, &ignored) == CLRS_OK) {
    (void)!import(host, &file, &ignored);
  }
  close(fd);
  return status;
}

clrs_status cli_programs_begin(const cli_host *host, cli_programs *programs, clrs_error *error) {
  if (programs->file != NULL) {
    return load_file(host, programs, error);
  }
  if (!programs->no_cache) {
    CLRS_TRY(load_cache(host, programs->inputs, error));
  }
  programs->known = clrs_context_program_count(host->clreshape);
  return CLRS_OK;
}

/* ---- as many files as there may be ---- */

static bool is_file_of_ours(const char *name) {
  return strlen(name) == CLRS_PROGRAMS_NAME_BYTES - 1 + sizeof ending - 1 &&
         strspn(name, "0123456789abcdef") == CLRS_PROGRAMS_NAME_BYTES - 1 &&
         strcmp(name + CLRS_PROGRAMS_NAME_BYTES - 1, ending) == 0;
}

typedef struct oldest {
  size_t count;
  int64_t written;
  char name[CLRS_PROGRAMS_NAME_BYTES + sizeof ending];
} oldest;

static void compare(void *user_data, const char *name, int64_t written) {
  oldest *found = user_data;
  if (is_file_of_ours(name) && (found->count++ == 0 || written < found->written)) {
    found->written = written;
    snprintf(found->name, sizeof found->name, "%s", name);
  }
}

/* Removes the oldest file if there are too many. Each run adds at most one file, so removing one is
 * enough. */
static void limit_files(place *of) {
  oldest found = {0};
  cli_folder_each(of->folder, compare, &found);
  if (found.count > MOST_FILES) {
    snprintf(of->file, sizeof of->file, "%s/%s", of->folder, found.name);
    (void)cli_file_remove(of->file);
  }
}

/* ---- writing ---- */

/* Exports the programs to *blob, which the caller frees, also after a failure. Drivers need as long
 * to tell the size as to give the programs, so the first attempt has room for many programs. */
static clrs_status export_programs(const cli_host *host, unsigned char **blob, size_t *size,
                                   clrs_error *error) {
  clrs_status status = CLRS_OUT_OF_BOUNDS;
  size_t room = (size_t)8 << 20;
  *blob = NULL;
  for (int attempt = 0; attempt < 2 && status == CLRS_OUT_OF_BOUNDS; attempt++) {
    free(*blob);
    *blob = malloc(room);
    if (*blob == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes of programs", room);
    }
    status = clrs_context_export_programs(host->clreshape, *blob, room, size, error);
    room = *size;
  }
  return status;
}

/* Writes the programs to the output. The output is closed in any case. */
static clrs_status export_to(const cli_host *host, cli_output *output, clrs_error *error) {
  unsigned char *blob = NULL;
  size_t size = 0;
  clrs_status status = export_programs(host, &blob, &size, error);
  if (status == CLRS_OK) {
    status = cli_output_write(output, blob, size, error);
  }
  if (status == CLRS_OK) {
    status = cli_output_commit(output, 1, error);
  }
  cli_output_close(output);
  free(blob);
  return status;
}

static clrs_status save_file(const cli_host *host, const char *path, clrs_error *error) {
  static const cli_inputs none;
  cli_output output = CLI_OUTPUT_INIT;
  CLRS_TRY(cli_output_open(path, &none, &output, error));
  return export_to(host, &output, error);
}

/* Writes the cache's file if there are more programs than `known`. */
static clrs_status save_cache(const cli_host *host, size_t known, clrs_error *error) {
  cli_output output = CLI_OUTPUT_INIT;
  place found;
  if (clrs_context_program_count(host->clreshape) <= known) {
    return CLRS_OK;
  }
  CLRS_TRY(find_place(host, &found, error));
  CLRS_TRY(cli_output_open_private(found.file, &output, error));
  const clrs_status status = export_to(host, &output, error);
  limit_files(&found);
  return status;
}

void cli_programs_end(const cli_host *host, const cli_programs *programs, clrs_status status) {
  place found;
  clrs_error ignored;
  if (programs->file != NULL || programs->no_cache) {
    return;
  }
  if (status == CLRS_OK) {
    (void)!save_cache(host, programs->known, &ignored);
  } else if (status == CLRS_BUILD_FAILURE && find_place(host, &found, &ignored) == CLRS_OK) {
    (void)cli_file_remove(found.file);
  }
}

clrs_status cli_programs_keep(const cli_host *host, const cli_programs *programs, const char *file,
                              clrs_error *error) {
  if (file != NULL) {
    return save_file(host, file, error);
  }
  if (save_cache(host, programs->known, error) == CLRS_OK) {
    return CLRS_OK;
  }
  const clrs_status status = cli_fail_prefix(error, "the programs are not kept");
  clrs__append(error, "; with -o FILE they are written there");
  return status;
}
