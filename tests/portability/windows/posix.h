/*
 * What device tests use of POSIX, as far as they use it, on Windows: it stands in front of a file.
 * Threads and clocks are mingw's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <direct.h>
#include <stdlib.h>

#define mkdir(folder, mode) _mkdir(folder)

int setenv(const char *name, const char *value, int over);
int unsetenv(const char *name);
