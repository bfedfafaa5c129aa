/*
 * Reads and writes file descriptors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "system.h"

/* Writes the next `size` bytes of the file. `path` is for the message. */
clrs_status cli_write_all(int fd, const char *path, const void *bytes, size_t size,
                          clrs_error *error);
