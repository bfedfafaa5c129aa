/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE */

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fail.h"

int cli_open_nameless(const char *folder, int ways, mode_t mode) {
#ifdef O_TMPFILE
  return open(folder, O_TMPFILE | O_CLOEXEC | ways, mode);
#else
  (void)folder, (void)ways, (void)mode;
  errno = ENOTSUP;
  return -1;
#endif
}

ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size) {
  ssize_t got;
  do {
    got = at != NULL ? pread(fd, bytes, size, (off_t)*at) : read(fd, bytes, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size) {
  ssize_t written;
  do {
    written = at != NULL ? pwrite(fd, bytes, size, (off_t)*at) : write(fd, bytes, size);
  } while (written < 0 && errno == EINTR);
  return written;
}

clrs_status cli_write_all(int fd, const char *path, const void *bytes, size_t size,
                          clrs_error *error) {
  for (const char *next = bytes; size > 0;) {
    const ssize_t written = cli_write_some(fd, NULL, next, size);
    if (written < 0) {
      return cli_fail_file(error, path, errno);
    }
    next += written;
    size -= (size_t)written;
  }
  return CLRS_OK;
}
