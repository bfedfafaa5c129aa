/* See posix.h. SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <stddef.h>

enum { PROT_NONE, PROT_READ, PROT_WRITE, MAP_PRIVATE = 0, MAP_ANONYMOUS = 0, _SC_PAGESIZE = 0 };
#define MAP_FAILED NULL

void *mmap(void *at, size_t size, int protection, int flags, int file, long offset);
int mprotect(void *at, size_t size, int protection);
int munmap(void *at, size_t size);
long sysconf(int what);
