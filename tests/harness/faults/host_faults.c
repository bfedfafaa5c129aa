/*
 * The wrappers. See host_faults.h. `__real_x` is the original `x`.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* O_TMPFILE */

#include "host_faults.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static host_fault armed;
static int seen;
static const char *failed_call;

void host_faults_arm(host_fault fault) {
  armed = fault;
  seen = 0;
  if (fault.kind != HOST_NONE)
    failed_call = NULL;
}

const char *host_faults_failed(void) {
  return failed_call;
}

static bool is_due(const char *call) {
  seen++;
  if (seen != armed.nth && !(armed.sticky && seen > armed.nth))
    return false;
  if (!failed_call)
    failed_call = call;
  return true;
}

static bool memory_fails(const char *call) {
  const bool fails = armed.kind == HOST_NO_MEMORY && is_due(call);
  if (fails)
    errno = ENOMEM;
  return fails;
}

static bool file_fails(const char *call) {
  const bool fails = (armed.kind == HOST_IO_ERROR || armed.kind == HOST_NO_SPACE) && is_due(call);
  if (fails)
    errno = armed.kind == HOST_IO_ERROR ? EIO : ENOSPC;
  return fails;
}

/* ---- memory ---- */

enum { MOST_BLOCKS = 1 << 16 };
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER; /* a driver's thread may free too */
static uintptr_t blocks[MOST_BLOCKS]; /* open addressing, 1 marks a removed block */
static long live;

static void *note(void *block) {
  size_t at = ((uintptr_t)block >> 4) % MOST_BLOCKS;
  if (!block)
    return block;
  pthread_mutex_lock(&guard);
  while (blocks[at] > 1)
    at = (at + 1) % MOST_BLOCKS;
  blocks[at] = (uintptr_t)block;
  live++;
  pthread_mutex_unlock(&guard);
  return block;
}

static void forget(const void *block) {
  size_t at = ((uintptr_t)block >> 4) % MOST_BLOCKS;
  if (!block)
    return;
  pthread_mutex_lock(&guard);
  while (blocks[at] && blocks[at] != (uintptr_t)block)
    at = (at + 1) % MOST_BLOCKS;
  if (blocks[at]) {
    blocks[at] = 1;
    live--;
  }
  pthread_mutex_unlock(&guard);
}

long host_faults_live(void) {
  pthread_mutex_lock(&guard);
  const long count = live;
  pthread_mutex_unlock(&guard);
  return count;
}

/* A name with two underscores is the linker's, not ours. */
#define WRAPPED(type, name, ...)                                                                   \
  type __real_##name(__VA_ARGS__);                                                                 \
  type __wrap_##name(__VA_ARGS__);                                                                 \
  type __wrap_##name(__VA_ARGS__)

WRAPPED(void *, malloc, size_t size) {
  return memory_fails("malloc") ? NULL : note(__real_malloc(size));
}

WRAPPED(void *, calloc, size_t count, size_t size) {
  return memory_fails("calloc") ? NULL : note(__real_calloc(count, size));
}

WRAPPED(void *, realloc, void *old, size_t size) {
  if (memory_fails("realloc"))
    return NULL;
  forget(old);
  return note(__real_realloc(old, size));
}

WRAPPED(char *, strdup, const char *text) {
  if (memory_fails("strdup"))
    return NULL;
  char *copy = note(__real_malloc(strlen(text) + 1));
  return copy ? strcpy(copy, text) : NULL;
}

WRAPPED(void, free, void *block) {
  forget(block);
  __real_free(block);
}

WRAPPED(int, pthread_mutex_init, pthread_mutex_t *lock, const pthread_mutexattr_t *attributes) {
  return memory_fails("pthread_mutex_init") ? ENOMEM : __real_pthread_mutex_init(lock, attributes);
}

WRAPPED(char *, realpath, const char *path, char *to) {
  return memory_fails("realpath") || file_fails("realpath") ? NULL : __real_realpath(path, to);
}

/* ---- files ---- */

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const bool makes = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  const mode_t mode = makes ? va_arg(more, mode_t) : 0;
  va_end(more);
  return file_fails("open") ? -1 : __real_open64(path, flags, mode);
}

int __real_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...);
int __wrap_openat64(int folder, const char *path, int flags, ...) { /* nobody makes a file so */
  return file_fails("openat") ? -1 : __real_openat64(folder, path, flags);
}

/* Returns the number of bytes that a read or a write of `size` bytes may process: all, half, or -1
 * for a failure. */
static ssize_t allowed(const char *call, size_t size) {
  if (file_fails(call))
    return -1;
  if (armed.kind == HOST_INTERRUPTED && is_due(call)) {
    errno = EINTR;
    return -1;
  }
  if (armed.kind == HOST_SHORT && size > 1 && is_due(call))
    return (ssize_t)(size / 2);
  return (ssize_t)size;
}

WRAPPED(ssize_t, read, int fd, void *to, size_t size) {
  const ssize_t now = allowed("read", size);
  return now < 0 ? -1 : __real_read(fd, to, (size_t)now);
}

WRAPPED(ssize_t, write, int fd, const void *from, size_t size) {
  const ssize_t now = allowed("write", size);
  return now < 0 ? -1 : __real_write(fd, from, (size_t)now);
}

WRAPPED(ssize_t, pread64, int fd, void *to, size_t size, off64_t offset) {
  const ssize_t now = allowed("pread", size);
  return now < 0 ? -1 : __real_pread64(fd, to, (size_t)now, offset);
}

WRAPPED(ssize_t, pwrite64, int fd, const void *from, size_t size, off64_t offset) {
  const ssize_t now = allowed("pwrite", size);
  return now < 0 ? -1 : __real_pwrite64(fd, from, (size_t)now, offset);
}

WRAPPED(off64_t, lseek64, int fd, off64_t offset, int from) {
  return file_fails("lseek") ? -1 : __real_lseek64(fd, offset, from);
}

WRAPPED(int, stat64, const char *path, struct stat64 *info) {
  return file_fails("stat") ? -1 : __real_stat64(path, info);
}

WRAPPED(int, lstat64, const char *path, struct stat64 *info) {
  return file_fails("lstat") ? -1 : __real_lstat64(path, info);
}

WRAPPED(ssize_t, readlink, const char *path, char *to, size_t size) {
  return file_fails("readlink") ? -1 : __real_readlink(path, to, size);
}

WRAPPED(int, fstat64, int fd, struct stat64 *info) {
  return file_fails("fstat") ? -1 : __real_fstat64(fd, info);
}

WRAPPED(int, access, const char *path, int mode) {
  return file_fails("access") ? -1 : __real_access(path, mode);
}

WRAPPED(int, fchmod, int fd, mode_t mode) {
  return file_fails("fchmod") ? -1 : __real_fchmod(fd, mode);
}

WRAPPED(int, mkostemp64, char *pattern, int flags) {
  return file_fails("mkostemp") ? -1 : __real_mkostemp64(pattern, flags);
}

WRAPPED(int, linkat, int from, const char *old, int to, const char *made, int flags) {
  return file_fails("linkat") ? -1 : __real_linkat(from, old, to, made, flags);
}

WRAPPED(int, rename, const char *old, const char *made) {
  return file_fails("rename") ? -1 : __real_rename(old, made);
}

/* A descriptor is gone, whatever close says. */
WRAPPED(int, close, int fd) {
  const bool fails = file_fails("close");
  const int saved = errno;
  const int closed = __real_close(fd);
  errno = fails ? saved : errno;
  return fails ? -1 : closed;
}

WRAPPED(FILE *, fopen64, const char *path, const char *mode) {
  return file_fails("fopen") || memory_fails("fopen") ? NULL : __real_fopen64(path, mode);
}

WRAPPED(size_t, fread, void *to, size_t size, size_t count, FILE *file) {
  if (!file_fails("fread"))
    return __real_fread(to, size, count, file);
  /* the stream detects the closed descriptor and sets the error flag */
  (void)__real_close(fileno(file));
  return __real_fread(to, size, count, file);
}

WRAPPED(int, fclose, FILE *file) {
  const bool fails = file_fails("fclose");
  const int closed = __real_fclose(file);
  return fails ? EOF : closed;
}
