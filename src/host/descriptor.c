/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptor.h"

#include <errno.h>

#include "fail.h"

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
