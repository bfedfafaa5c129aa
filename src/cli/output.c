/*
 * Output files that appear complete or not at all.
 *
 * Where the file system can make a file without a name (O_TMPFILE), nothing is left behind even if
 * the program is killed while it writes; elsewhere a temporary name in the same folder is used.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */

#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

/* The pattern of temporary names, after the folder. */
static const char pattern[] = ".clreshape-XXXXXX";

/* An existing file is replaced where it really is, so that a link to it stays a link. NULL in
 * *resolved: no memory. */
static clrs_status resolve_path(const char *path, char **resolved, clrs_error *error) {
  struct stat info;
  if (path[0] == '\0') {
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "the output path is empty");
  }
  if (stat(path, &info) != 0) {
    if (errno != ENOENT) {
      return cli_fail_file(error, path, errno);
    }
    *resolved = strdup(path);
  } else if (!S_ISREG(info.st_mode)) {
    return cli_fail(error, CLRS_INVALID_ARGUMENT, "%s: exists and is not a regular file", path);
  } else if (access(path, W_OK) != 0) { /* replacing it would succeed all the same */
    return cli_fail_file(error, path, errno);
  } else {
    *resolved = realpath(path, NULL);
  }
  return CLRS_OK;
}

/* The folder of output->path with the temporary pattern behind it. */
static char *temporary_pattern(const char *path) {
  const char *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
  char *text = malloc(folder + sizeof pattern);
  if (text == NULL) {
    return NULL;
  }
  memcpy(text, path, folder);
  memcpy(text + folder, pattern, sizeof pattern);
  return text;
}

/* Through this path a file without a name can be given one. */
typedef struct descriptor_path {
  char text[32];
} descriptor_path;

static descriptor_path path_of(int fd) {
  descriptor_path path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", fd);
  return path;
}

/* -1 if the file system, or a missing /proc, does not allow it. */
static int open_nameless(const char *temporary) {
  char folder[4096];
  size_t length = strlen(temporary) - (sizeof pattern - 1);
  if (length >= sizeof folder) {
    return -1;
  }
  memcpy(folder, temporary, length);
  folder[length] = '\0';
  int fd = open(length ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0 || access(path_of(fd).text, F_OK) == 0) {
    return fd;
  }
  close(fd);
  return -1;
}

/* mkostemp makes files private; the output gets the mode that creat would have given it. */
static int open_named(char *temporary) {
  int fd = mkostemp(temporary, O_CLOEXEC);
  if (fd < 0) {
    return -1;
  }
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, 0666 & ~mask) == 0) {
    return fd;
  }
  close(fd);
  unlink(temporary);
  return -1;
}

clrs_status cli_output_open(const char *path, cli_output *output, clrs_error *error) {
  cli_output opened = CLI_OUTPUT_INIT;
  CLI_TRY(resolve_path(path, &opened.path, error));
  opened.temporary = opened.path ? temporary_pattern(opened.path) : NULL;
  if (opened.temporary == NULL) {
    cli_output_close(&opened);
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  opened.fd = open_nameless(opened.temporary);
  if (opened.fd >= 0) {
    opened.temporary[0] = '\0';
  } else {
    opened.fd = open_named(opened.temporary);
  }
  if (opened.fd < 0) {
    int code = errno;
    opened.temporary[0] = '\0';
    cli_output_close(&opened);
    return cli_fail_file(error, path, code);
  }
  *output = opened;
  return CLRS_OK;
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
      return cli_fail_file(error, output->path, errno);
    }
    next += written;
    size -= (size_t)written;
  }
  return CLRS_OK;
}

/* A nameless file needs a name that does not exist yet before it can replace one that does. */
static clrs_status name_file(cli_output *output, clrs_error *error) {
  char *temporary = temporary_pattern(output->path);
  if (temporary == NULL) {
    return cli_fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  int reserved = mkostemp(temporary, O_CLOEXEC);
  if (reserved >= 0) {
    close(reserved);
    unlink(temporary);
  }
  if (reserved < 0 ||
      linkat(AT_FDCWD, path_of(output->fd).text, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW) != 0) {
    int code = errno;
    free(temporary);
    return cli_fail_file(error, output->path, code);
  }
  free(output->temporary);
  output->temporary = temporary;
  return CLRS_OK;
}

static clrs_status finish(cli_output *output, clrs_error *error) {
  if (output->temporary[0] == '\0') {
    CLI_TRY(name_file(output, error));
  }
  int closed = close(output->fd);
  output->fd = -1;
  if (closed != 0 || rename(output->temporary, output->path) != 0) {
    return cli_fail_file(error, output->path, errno);
  }
  output->temporary[0] = '\0';
  return CLRS_OK;
}

clrs_status cli_output_commit(cli_output *output, clrs_error *error) {
  clrs_status status = finish(output, error);
  cli_output_close(output);
  return status;
}

void cli_output_close(cli_output *output) {
  if (output->fd >= 0) {
    close(output->fd);
  }
  if (output->temporary != NULL && output->temporary[0] != '\0') {
    unlink(output->temporary);
  }
  free(output->temporary);
  free(output->path);
  *output = (cli_output)CLI_OUTPUT_INIT;
}
