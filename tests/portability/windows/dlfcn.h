/* See posix.h. SPDX-License-Identifier: Apache-2.0 */
#pragma once

enum { RTLD_NOW, RTLD_NOLOAD };
#define RTLD_NEXT NULL
#define RTLD_DEFAULT NULL

/* The function of OpenCL.dll: tests ask for no other. */
void *dlsym(void *library, const char *name);
void *dlopen(const char *file, int flags);
