/*
 * Bytes from and to file descriptors. A call that a signal interrupts is made again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <sys/types.h>

#include <clreshape/plan.h>

/* As read and write, or, where `at` is not NULL, as pread and pwrite at that byte of the file.
 * Gives the number of bytes that were read or written, 0 at the end of what is read, -1 with errno.
 */
ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size);
ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size);

/* The next `size` bytes of the file; `path` is for the message. */
clrs_status cli_write_all(int fd, const char *path, const void *bytes, size_t size,
                          clrs_error *error);
