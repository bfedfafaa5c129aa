/* SPDX-License-Identifier: Apache-2.0 */
#include "posix.h"

#include <stdio.h>
#include <windows.h>

#include "dlfcn.h"
#include "sys/mman.h"

int setenv(const char *name, const char *value, int over) {
  char text[1000];
  (void)over;
  (void)snprintf(text, sizeof text, "%s=%s", name, value);
  return _putenv(text);
}

int unsetenv(const char *name) {
  return setenv(name, "", 1);
}

void *dlsym(void *library, const char *name) {
  (void)library;
  return (void *)GetProcAddress(LoadLibraryA("OpenCL.dll"), name);
}

void *dlopen(const char *file, int flags) {
  (void)file, (void)flags;
  return NULL;
}

void *mmap(void *at, size_t size, int protection, int flags, int file, long offset) {
  (void)at, (void)protection, (void)flags, (void)file, (void)offset;
  return VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
}

int mprotect(void *at, size_t size, int protection) {
  DWORD before;
  return VirtualProtect(at, size, protection == PROT_NONE ? PAGE_NOACCESS : PAGE_READWRITE, &before)
             ? 0
             : -1;
}

int munmap(void *at, size_t size) {
  (void)size;
  return VirtualFree(at, 0, MEM_RELEASE) ? 0 : -1;
}

long sysconf(int what) {
  SYSTEM_INFO info;
  (void)what;
  GetSystemInfo(&info);
  return (long)info.dwPageSize;
}
