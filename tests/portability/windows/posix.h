/*
 * The POSIX functions of device tests on Windows, as far as the tests use the functions. The build
 * puts this header in front of a source file. Threads and clocks are mingw's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <direct.h>
#include <stdlib.h>

#define mkdir(folder, mode) _mkdir(folder)

int setenv(const char *name, const char *value, int over);
int unsetenv(const char *name);
