/*
 * Opens, reads and writes file descriptors. A call that a signal interrupts is repeated.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <sys/types.h>

#include <clreshape/plan.h>

/* Opens a file without a name in the folder. `ways` is O_WRONLY or O_RDWR. Returns -1 with errno,
 * which is ENOTSUP if the system has no such files. */
int cli_open_nameless(const char *folder, int ways, mode_t mode);

/* Works as read and write, or as pread and pwrite at byte *at if `at` is not NULL. Returns the
 * number of bytes, 0 at the end of a file that is read, or -1 with errno. */
ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size);
ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size);

/* Writes the next `size` bytes of the file. `path` is for the message. */
clrs_status cli_write_all(int fd, const char *path, const void *bytes, size_t size,
                          clrs_error *error);
