/* SPDX-License-Identifier: Apache-2.0 */
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "descriptor.h"
#include "fail.h"

#define MOST_BYTES INT32_MAX /* protobuf's limit on a message, and far more than programs need */

static clrs_status measure(int fd, const char *path, size_t *size, clrs_error *error) {
  cli_file_info info;
  if (cli_file_look_opened(fd, &info) != 0) {
    return cli_fail_file(error, path, errno);
  }
  if (!info.is_regular) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: not a regular file", path);
  }
  if (info.size > MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%s: %lld bytes; what is read as a whole has fewer than 2 GiB", path,
                      (long long)info.size);
  }
  *size = (size_t)info.size;
  return CLRS_OK;
}

/* Reads all bytes. Fails if the file shrinks meanwhile. */
static clrs_status read_fully(int fd, const char *path, void *bytes, size_t size,
                              clrs_error *error) {
  for (char *next = bytes; size > 0;) {
    const ssize_t got = cli_read_some(fd, NULL, next, size);
    if (got < 0) {
      return cli_fail_file(error, path, errno);
    }
    if (got == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: became shorter while it was read", path);
    }
    next += got;
    size -= (size_t)got;
  }
  return CLRS_OK;
}

clrs_status cli_read_opened(int fd, const char *path, cli_contents *file, clrs_error *error) {
  CLRS_TRY(measure(fd, path, &file->size, error));
  file->bytes = malloc(file->size + 1);
  if (file->bytes == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, file->size);
  }
  const clrs_status status = read_fully(fd, path, file->bytes, file->size, error);
  if (status != CLRS_OK) {
    free(file->bytes);
  }
  return status;
}

clrs_status cli_read_whole(const char *path, cli_contents *file, clrs_error *error) {
  const int fd = cli_file_open(path, true);
  if (fd < 0) {
    return cli_fail_file(error, path, errno);
  }
  const clrs_status status = cli_read_opened(fd, path, file, error);
  close(fd);
  return status;
}
