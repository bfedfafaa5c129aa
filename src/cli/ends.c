/* SPDX-License-Identifier: Apache-2.0 */
#include "ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "descriptor.h"
#include "fail.h"
#include "npz.h"
#include "safetensors.h"
#include "spool.h"
#include "text.h"
#include "zip_write.h"

static void close_spool(int *fd) {
  if (*fd >= 0) {
    close(*fd);
  }
  *fd = -1;
}

/* ---- where elements come from ---- */

clrs_status cli_source_open(const char *path, const cli_npy_header *raw, cli_source *source,
                            clrs_error *error) {
  CLRS_TRY(cli_npy_open_as(path, raw, &source->file, error));
  cli_npy_note(source->file.name, &source->file.header);
  return CLRS_OK;
}

clrs_status cli_source_spool(cli_source *source, const char *near, clrs_error *error) {
  const uint64_t size = source->file.header.data_bytes;
  if (!source->file.is_stream) {
    return CLRS_OK;
  }
  CLRS_TRY(cli_spool_open(near, &source->spool, error));
  const cli_spool_copy copy = {source->file.fd,    source->spool, source->file.name,
                               "a temporary file", size,          false};
  source->position = size;
  return cli_spool_run(&copy, error);
}

cli_run_file cli_source_elements(cli_source *source) {
  const cli_npy_file *file = &source->file;
  if (source->spool >= 0) {
    return (cli_run_file){source->spool, "a temporary file", 0, NULL};
  }
  return file->is_stream ? (cli_run_file){file->fd, file->name, 0, &source->position}
                         : (cli_run_file){file->fd, file->name, file->header.data_offset, NULL};
}

clrs_status cli_source_finish(cli_source *source, clrs_error *error) {
  const cli_npy_file *file = &source->file;
  const cli_run_file rest = {file->fd, file->name, 0, &source->position};
  if (!file->is_stream) {
    return CLRS_OK;
  }
  CLRS_TRY(cli_run_file_skip(&rest, file->header.data_bytes, error));
  return cli_npy_finish(file, error);
}

void cli_source_close(cli_source *source) {
  close_spool(&source->spool);
  cli_npy_close(&source->file);
}

/* ---- where they go ---- */

static const char standard_output[] = "standard output";

static clrs_status check_standard(const cli_inputs *inputs, clrs_error *error) {
  cli_file_info info;
  if (isatty(STDOUT_FILENO)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "standard output is a terminal; '-' writes a file to a pipe or with >");
  }
  return cli_file_look_opened(STDOUT_FILENO, &info) == 0 && info.is_regular
             ? cli_inputs_check(inputs, standard_output, &info, error)
             : CLRS_OK;
}

/* Checks the name of an array that will be written. Both kinds of archives have names in UTF-8. */
static clrs_status check_member(const cli_archive_name *archive, clrs_error *error) {
  const char *name = archive->member != NULL ? archive->member : "", *rule = NULL;
  if (archive->kind == CLI_SAFETENSORS && strcmp(name, "__metadata__") == 0) {
    rule = "the file's metadata has that name";
  }
  if (archive->kind == CLI_NPZ && strlen(name) + sizeof ".npy" > CLI_ZIP_MOST_NAME) {
    rule = "it is too long";
  }
  for (const char *next = name; *next != '\0';) {
    const clrs__character character = clrs__character_read(next, strlen(next));
    rule = character.is_valid ? rule : "it is not in UTF-8";
    next += character.size;
  }
  return rule == NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: no array can have the name '%s': %s",
                          archive->path, clrs__show(name).text, rule);
}

/* An archive that is open already takes one array more. */
static clrs_status open_archive(const cli_archive_name *archive, const cli_inputs *inputs,
                                cli_sink *sink, clrs_error *error) {
  sink->kind = archive->kind;
  sink->member = archive->member;
  CLRS_TRY(check_member(archive, error));
  if (sink->spool >= 0) {
    return CLRS_OK;
  }
  CLRS_TRY(cli_output_open(archive->path, inputs, &sink->output, error));
  if (sink->member != NULL && sink->output.target.exists) {
    CLRS_TRY((archive->kind == CLI_NPZ ? cli_npz_check_kept : cli_safetensors_check_kept)(
        sink->output.target.path, &sink->kept, error));
  }
  return cli_spool_open(sink->output.target.path, &sink->spool, error);
}

clrs_status cli_sink_open(const char *path, const cli_inputs *inputs, cli_sink *sink,
                          clrs_error *error) {
  cli_archive_name archive;
  sink->is_standard = cli_is_standard_output(path);
  sink->is_archive = cli_archive_find(path, &archive);
  if (sink->is_archive) {
    return open_archive(&archive, inputs, sink, error);
  }
  if (!sink->is_standard) {
    return cli_output_open(path, inputs, &sink->output, error);
  }
  return check_standard(inputs, error);
}

clrs_status cli_sink_spool(cli_sink *sink, clrs_error *error) {
  return sink->is_standard ? cli_spool_open(NULL, &sink->spool, error) : CLRS_OK;
}

clrs_status cli_sink_check(const cli_sink *sink, const cli_sink_content *content,
                           clrs_error *error) {
  const uint64_t bytes = content->header_bytes + content->data_bytes;
  return sink->is_standard
             ? CLRS_OK
             : cli_output_check_room(&sink->output, sink->at + bytes + sink->kept, error);
}

clrs_status cli_sink_begin(cli_sink *sink, const cli_sink_content *content, clrs_error *error) {
  cli_output to = sink->output;
  sink->swaps = content->swaps;
  sink->dtype = content->dtype;
  sink->shape = content->shape;
  if (content->swaps && sink->spool < 0) {
    CLRS_TRY(cli_spool_open(sink->is_standard ? NULL : to.target.path, &sink->spool, error));
  }
  sink->header_bytes = sink->position = content->header_bytes;
  sink->data_bytes = content->data_bytes;
  if (sink->is_standard) {
    to.fd = STDOUT_FILENO;
    to.target.path = (char *)(uintptr_t)standard_output;
  }
  if (sink->spool >= 0) {
    to.fd = sink->spool;
  }
  if (sink->is_archive && lseek(sink->spool, (off_t)sink->at, SEEK_SET) < 0) {
    return cli_fail_file(error, "a temporary file", errno);
  }
  return cli_output_write(&to, content->header, (size_t)content->header_bytes, error);
}

cli_run_file cli_sink_elements(cli_sink *sink) {
  if (sink->spool >= 0) {
    return (cli_run_file){sink->spool, "a temporary file", sink->at + sink->header_bytes, NULL};
  }
  return sink->is_standard
             ? (cli_run_file){STDOUT_FILENO, standard_output, sink->header_bytes, &sink->position}
             : (cli_run_file){sink->output.fd, sink->output.target.path, sink->header_bytes, NULL};
}

static clrs_status copy_out(const cli_sink *sink, clrs_error *error) {
  cli_spool_copy copy = {sink->spool,     STDOUT_FILENO,      "a temporary file",
                         standard_output, sink->header_bytes, false};
  if (!sink->is_standard) {
    copy.to = sink->output.fd;
    copy.to_path = sink->output.target.path;
  }
  if (lseek(sink->spool, 0, SEEK_SET) != 0) {
    return cli_fail_file(error, "a temporary file", errno);
  }
  CLRS_TRY(cli_spool_run(&copy, error));
  copy.size = sink->data_bytes;
  copy.swaps = sink->swaps;
  return cli_spool_run(&copy, error);
}

static clrs_status add_array(cli_sink *sink, clrs_error *error) {
  cli_archive_array added = {NULL, sink->at, sink->header_bytes + sink->data_bytes, sink->dtype,
                             sink->shape};
  cli_archive_array *grown = clrs__array_grow(sink->arrays, sink->array_count,
                                              &sink->array_capacity, sizeof *sink->arrays);
  sink->arrays = grown != NULL ? grown : sink->arrays;
  added.name = grown != NULL && sink->member != NULL ? strdup(sink->member) : NULL;
  if (grown == NULL || (sink->member != NULL && added.name == NULL)) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  sink->arrays[sink->array_count++] = added;
  sink->at += added.size;
  return CLRS_OK;
}

clrs_status cli_sink_finish(cli_sink *sink, clrs_error *error) {
  if (sink->is_archive) {
    return add_array(sink, error);
  }
  if (sink->spool >= 0) {
    CLRS_TRY(copy_out(sink, error));
  }
  return sink->is_standard ? CLRS_OK : cli_output_commit(&sink->output, 1, error);
}

clrs_status cli_sink_end(cli_sink *sink, clrs_error *error) {
  const char *path = sink->output.target.path;
  const cli_archive_made made = {
      path,        sink->output.fd, sink->spool, sink->kept > 0 ? path : NULL, sink->array_count,
      sink->arrays};
  if (sink->array_count == 0) {
    return CLRS_OK;
  }
  CLRS_TRY((sink->kind == CLI_NPZ ? cli_npz_write : cli_safetensors_write)(&made, error));
  return cli_output_commit(&sink->output, 1, error);
}

void cli_sink_close(cli_sink *sink) {
  close_spool(&sink->spool);
  cli_output_close(&sink->output);
  for (size_t i = 0; i < sink->array_count; i++) {
    free(sink->arrays[i].name);
  }
  free(sink->arrays);
  *sink = (cli_sink)CLI_SINK_INIT;
}
