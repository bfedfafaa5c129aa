/*
 * Giving output files their names: all of them or none.
 *
 * First every file gets a temporary name, so that nothing is left to fail but renames. What a file
 * will replace is given a second name; then the files are renamed one after the other. If one
 * cannot be, those before it are undone: what they replaced goes back, what was new is removed.
 * A single file needs none of this: one rename replaces or fails.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* linkat */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "fail.h"
#include "output.h"
#include "output_commit.h"

cli_descriptor cli_descriptor_path(int fd) {
  cli_descriptor path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", fd);
  return path;
}

static int link_to(const char *path, cli_temporary *name, int flags) {
  return cli_temporary_reserve(name) == 0 ? linkat(AT_FDCWD, path, AT_FDCWD, name->name, flags)
                                          : -1;
}

/* A nameless file needs a name that does not exist yet before it can replace one that does. */
static clrs_status prepare(cli_output *output, clrs_error *error) {
  if (!output->is_named) {
    if (link_to(cli_descriptor_path(output->fd).text, output->temporary, AT_SYMLINK_FOLLOW) != 0) {
      return cli_fail_file(error, output->target.path, errno);
    }
    cli_temporary_list(output->temporary);
    output->is_named = true;
  }
  const int closed = close(output->fd);
  output->fd = -1;
  return closed == 0 ? CLRS_OK : cli_fail_file(error, output->target.path, errno);
}

/* Gives what is there now a second name. Where the file system has no hard links, that becomes its
 * only one for as long as the commit takes. */
static clrs_status put_aside(cli_output *output, clrs_error *error) {
  const char *path = output->target.path;
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    return CLRS_OK; /* nothing is there */
  }
  output->old = cli_temporary_name(path);
  if (output->old == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  if (link_to(path, output->old, 0) == 0) {
    return CLRS_OK;
  }
  output->is_moved = rename(path, output->old->name) == 0;
  if (!output->is_moved) {
    const int code = errno;
    cli_temporary_free(output->old);
    output->old = NULL;
    return cli_fail_file(error, path, code);
  }
  return CLRS_OK;
}

static clrs_status place(cli_output *output, clrs_error *error) {
  if (rename(output->temporary->name, output->target.path) != 0) {
    return cli_fail_file(error, output->target.path, errno);
  }
  cli_temporary_unlist(output->temporary);
  output->is_placed = true;
  return CLRS_OK;
}

/* *error says why the commit failed, and then also if a file could not be put back. */
static void take_back(cli_output *output, clrs_error *error) {
  if (output->is_placed && output->old == NULL) {
    unlink(output->target.path);
  }
  if (output->old == NULL || (!output->is_placed && !output->is_moved)) {
    return;
  }
  if (rename(output->old->name, output->target.path) == 0) {
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

/* The old files are removed with the outputs' own names, except for one that is nowhere else. */
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
  cli_temporary_hold(); /* a signal waits until the files are there, or are not */
  clrs_status status = place_all(outputs, count, &inner);
  settle(outputs, count, status, &inner);
  cli_temporary_release();
  for (size_t i = 0; i < count; i++) {
    cli_output_close(&outputs[i]);
  }
  return status == CLRS_OK ? CLRS_OK : clrs__fail(error, status, "%s", inner.message);
}
