/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* open, pread and their like */

#include "npy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"

/* As much of the beginning as a header can take. */
static clrs_status read_prefix(int fd, unsigned char *bytes, size_t *size, clrs_error *error) {
  *size = 0;
  while (*size < CLI_NPY_MAX_PREFIX) {
    ssize_t got = pread(fd, bytes + *size, CLI_NPY_MAX_PREFIX - *size, (off_t)*size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot be read (errno %d)", errno);
    }
    if (got == 0) {
      break;
    }
    *size += (size_t)got;
  }
  return CLRS_OK;
}

static clrs_status read_header(int fd, cli_npy_header *header, clrs_error *error) {
  unsigned char bytes[CLI_NPY_MAX_PREFIX];
  struct stat info;
  size_t size;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "not a regular file");
  }
  CLRS_TRY(read_prefix(fd, bytes, &size, error));
  CLRS_TRY(cli_npy_parse(bytes, size, (uint64_t)info.st_size, header, error));
  if (lseek(fd, (off_t)header->data_offset, SEEK_SET) < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "cannot be read (errno %d)", errno);
  }
  return CLRS_OK;
}

clrs_status cli_npy_open(const char *path, cli_npy_file *file, clrs_error *error) {
  clrs_error inner;
  cli_npy_file opened;
  /* O_NONBLOCK: opening a pipe must not wait for a writer only to be refused. */
  opened.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened.fd < 0) {
    return cli_fail_file(error, path, errno);
  }
  clrs_status status = read_header(opened.fd, &opened.header, &inner);
  if (status != CLRS_OK) {
    cli_npy_close(&opened);
    return clrs__fail(error, status, "%s: %s", path, inner.message);
  }
  *file = opened;
  return CLRS_OK;
}

void cli_npy_close(cli_npy_file *file) {
  if (file->fd >= 0) {
    close(file->fd);
  }
  file->fd = -1;
}
