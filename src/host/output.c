/*
 * Writes output files without a name or under a temporary name.
 *
 * If the file system supports files without a name (O_TMPFILE), nothing is left behind even if the
 * program is killed while writing. Otherwise a temporary name in the same folder is used, and
 * signals remove the temporary file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* strdup */

#include "output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "descriptor.h"
#include "fail.h"

/* Returns -1 if the file system does not allow files without a name. A replacement begins as
 * readable by the caller only. */
static int open_nameless(const cli_target *target) {
  char folder[CLI_PATH_BYTES];
  return cli_target_folder(target, folder, sizeof folder)
             ? cli_file_create_nameless(folder, target->exists)
             : -1;
}

static int open_named(cli_output *output) {
  cli_signals_hold();
  int fd = cli_temporary_create(output->temporary);
  cli_signals_release();
  output->is_named = fd >= 0;
  return fd;
}

/* Sets the mode that creat would have set. Only files with a temporary name need this, because
 * they begin as private files. */
static int set_new_mode(const cli_output *output) {
  return output->is_named ? cli_file_set_mode(output->fd, false) : 0;
}

static clrs_status open_file(const char *path, cli_output *output, clrs_error *error) {
  output->temporary = cli_temporary_name(output->target.path);
  if (output->temporary == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  output->fd = open_nameless(&output->target);
  if (output->fd < 0) {
    output->fd = open_named(output);
  }
  if (output->fd < 0) {
    return cli_fail_file(error, path, errno);
  }
  const int set = output->target.exists
                      ? cli_file_keep_mode(output->fd, output->target.path, &output->target.info)
                      : set_new_mode(output);
  return set == 0 ? CLRS_OK : cli_fail_file(error, path, errno);
}

static clrs_status end_open(cli_output *opened, clrs_status status, cli_output *output) {
  if (status == CLRS_OK) {
    *output = *opened;
  } else {
    cli_output_close(opened);
  }
  return status;
}

clrs_status cli_output_open(const char *path, const cli_inputs *inputs, cli_output *output,
                            clrs_error *error) {
  cli_output opened = CLI_OUTPUT_INIT;
  opened.inputs = inputs;
  CLRS_TRY(cli_target_find(path, inputs, &opened.target, error));
  return end_open(&opened, open_file(path, &opened, error), output);
}

clrs_status cli_output_open_private(const char *path, cli_output *output, clrs_error *error) {
  static const cli_inputs none;
  cli_output opened = CLI_OUTPUT_INIT;
  opened.inputs = &none;
  opened.target.path = strdup(path);
  CLRS_TRY_MEMORY(opened.target.path, error, "out of memory");
  clrs_status status = open_file(path, &opened, error);
  if (status == CLRS_OK && cli_file_set_mode(opened.fd, true) != 0) {
    status = cli_fail_file(error, path, errno);
  }
  return end_open(&opened, status, output);
}

clrs_status cli_output_write(const cli_output *output, const void *bytes, size_t size,
                             clrs_error *error) {
  return cli_write_all(output->fd, output->target.path, bytes, size, error);
}

clrs_status cli_output_check_room(const cli_output *output, uint64_t size, clrs_error *error) {
  uint64_t room = 0;
  if (cli_file_room(output->fd, &room) && size > room) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "%s: needs %" PRIu64 " bytes, and its file system has %" PRIu64 " left",
                      output->target.path, size, room);
  }
  return CLRS_OK; /* writing will tell */
}

void cli_output_close(cli_output *output) {
  if (output->fd >= 0) {
    close(output->fd);
  }
  cli_signals_hold();
  cli_temporary_free(output->temporary);
  cli_temporary_free(output->old);
  cli_signals_release();
  cli_target_free(&output->target);
  *output = (cli_output)CLI_OUTPUT_INIT;
}

/* ---- giving files their names: all of them or none ----
 * First every file gets a temporary name, so that only renames can still fail. Then each file that
 * will be replaced gets a second name. Then the new files are renamed one after the other. If a
 * rename fails, the renames before are undone: replaced files are put back, new files are removed.
 * A single file needs none of these steps, because one rename replaces or fails. */

/* Gives the file a temporary name and closes the file. Only a file with a name can replace another
 * file. */
static clrs_status prepare(cli_output *output, clrs_error *error) {
  cli_file_info info;
  if (cli_file_look(output->target.path, &info) == 0) {
    CLRS_TRY(cli_inputs_check(output->inputs, output->target.path, &info, error));
  }
  if (!output->is_named) {
    if (cli_temporary_reserve(output->temporary) != 0 ||
        cli_file_give_name(output->fd, output->temporary->name) != 0) {
      return cli_fail_file(error, output->target.path, errno);
    }
    cli_temporary_list(output->temporary);
    output->is_named = true;
  }
  const int closed = close(output->fd);
  output->fd = -1;
  return closed == 0 ? CLRS_OK : cli_fail_file(error, output->target.path, errno);
}

/* Gives the file that will be replaced a second name. If the file system has no hard links, the
 * file is renamed, and has only the second name during the commit. */
static clrs_status put_aside(cli_output *output, clrs_error *error) {
  const char *path = output->target.path;
  cli_file_info info;
  if (cli_file_look(path, &info) != 0 && errno == ENOENT) {
    return CLRS_OK; /* nothing is there */
  }
  output->old = cli_temporary_name(path);
  if (output->old == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  if (cli_temporary_reserve(output->old) == 0 && cli_file_link(path, output->old->name) == 0) {
    return CLRS_OK;
  }
  output->is_moved = cli_file_rename(path, output->old->name) == 0;
  if (!output->is_moved) {
    const int code = errno;
    cli_temporary_free(output->old);
    output->old = NULL;
    return cli_fail_file(error, path, code);
  }
  return CLRS_OK;
}

static clrs_status place(cli_output *output, clrs_error *error) {
  if (cli_file_rename(output->temporary->name, output->target.path) != 0) {
    return cli_fail_file(error, output->target.path, errno);
  }
  cli_temporary_unlist(output->temporary);
  output->is_placed = true;
  return CLRS_OK;
}

/* Undoes the commit of one file. *error says why the commit failed. If the old file cannot be put
 * back, *error says that as well. */
static void take_back(cli_output *output, clrs_error *error) {
  if (output->is_placed && output->old == NULL) {
    (void)cli_file_remove(output->target.path);
  }
  if (output->old == NULL || (!output->is_placed && !output->is_moved)) {
    return;
  }
  if (cli_file_rename(output->old->name, output->target.path) == 0) {
    output->is_moved = output->is_placed = false;
    return;
  }
  const clrs_error why = *error;
  clrs__describe(error, why.status, "%s; what %s was before cannot be put back and is now %s",
                 why.message, output->target.path, output->old->name);
}

static clrs_status prepare_all(cli_output *outputs, size_t count, clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(prepare(&outputs[i], error));
  }
  for (size_t i = 0; i < count && count > 1; i++) {
    CLRS_TRY(put_aside(&outputs[i], error));
  }
  return CLRS_OK;
}

static clrs_status place_all(cli_output *outputs, size_t count, clrs_error *error) {
  CLRS_TRY(prepare_all(outputs, count, error));
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(place(&outputs[i], error));
  }
  return CLRS_OK;
}

/* Restores the old files after a failure. An old file is listed for removal if the file has another
 * name as well, or after success. */
static void settle(cli_output *outputs, size_t count, clrs_status status, clrs_error *error) {
  for (size_t i = 0; i < count; i++) {
    if (status != CLRS_OK) {
      take_back(&outputs[i], error);
    }
    const bool is_elsewhere = status == CLRS_OK || !(outputs[i].is_placed || outputs[i].is_moved);
    if (outputs[i].old != NULL && is_elsewhere) {
      cli_temporary_list(outputs[i].old);
    }
  }
}

clrs_status cli_output_commit(cli_output *outputs, size_t count, clrs_error *error) {
  clrs_error inner;
  cli_signals_hold(); /* a signal waits until the files are there, or are not */
  clrs_status status = place_all(outputs, count, &inner);
  settle(outputs, count, status, &inner);
  cli_signals_release();
  for (size_t i = 0; i < count; i++) {
    cli_output_close(&outputs[i]);
  }
  return status == CLRS_OK ? CLRS_OK : clrs__fail(error, status, "%s", inner.message);
}
