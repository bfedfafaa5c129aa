/*
 * Writing output files under no name or a temporary one.
 *
 * Where the file system can make a file without a name (O_TMPFILE), nothing is left behind even if
 * the program is killed while it writes; elsewhere a temporary name in the same folder is used,
 * which signals remove.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* O_TMPFILE */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "output_commit.h"

/* -1 if the file system, or a missing /proc, does not allow it. */
static int open_nameless(const cli_target *target) {
  char folder[PATH_MAX];
  if (!cli_target_folder(target, folder, sizeof folder)) {
    return -1;
  }
  /* The umask takes from 0666. What replaces a file begins as the caller's alone. */
  const mode_t mode = target->exists ? 0600 : 0666;
  int fd = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (fd < 0 || access(cli_descriptor_path(fd).text, F_OK) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

static int open_named(cli_output *output) {
  cli_temporary_hold();
  int fd = cli_temporary_create(output->temporary);
  cli_temporary_release();
  output->is_named = fd >= 0;
  return fd;
}

/* The mode that creat would have given it. Only a private file, of mkostemp, needs it. */
static int set_new_mode(const cli_output *output) {
  if (!output->is_named) {
    return 0;
  }
  mode_t mask = umask(0);
  umask(mask);
  return fchmod(output->fd, 0666 & ~mask);
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
  const int set = output->target.exists ? cli_target_keep_mode(&output->target, output->fd)
                                        : set_new_mode(output);
  return set == 0 ? CLRS_OK : cli_fail_file(error, path, errno);
}

clrs_status cli_output_open(const char *path, const cli_inputs *inputs, cli_output *output,
                            clrs_error *error) {
  cli_output opened = CLI_OUTPUT_INIT;
  CLRS_TRY(cli_target_find(path, inputs, &opened.target, error));
  clrs_status status = open_file(path, &opened, error);
  if (status == CLRS_OK) {
    *output = opened;
  } else {
    cli_output_close(&opened);
  }
  return status;
}

clrs_status cli_output_write(cli_output *output, const void *bytes, size_t size,
                             clrs_error *error) {
  const char *next = bytes;
  while (size > 0) {
    ssize_t written = write(output->fd, next, size);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return cli_fail_file(error, output->target.path, errno);
    }
    next += written;
    size -= (size_t)written;
  }
  return CLRS_OK;
}

void cli_output_close(cli_output *output) {
  if (output->fd >= 0) {
    close(output->fd);
  }
  cli_temporary_hold();
  cli_temporary_free(output->temporary);
  cli_temporary_free(output->old);
  cli_temporary_release();
  cli_target_free(&output->target);
  *output = (cli_output)CLI_OUTPUT_INIT;
}
