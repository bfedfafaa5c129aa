/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* O_NOFOLLOW, fstatat */

#include "program_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "fail.h"
#include "temporary.h"
#include "text.h"
#include "whole_file.h"

static const char ending[] = ".programs";

/* A program of PoCL's has some 150 KB, one of Intel's runtime 50; `clreshape warm` makes 30 of
 * them. To take in 4 MiB costs every run 3 ms. A file that has become larger than this is not read,
 * and begun anew by the next run that builds. */
#define MOST_BYTES ((off_t)16 << 20)
enum { MOST_FILES = 16 }; /* the one that was not written for longest goes first */

typedef struct place {
  char folder[PATH_MAX - 64];
  char file[PATH_MAX];
} place;

/* ---- the folder ---- */

static bool is_own_folder(const struct stat *info) {
  return S_ISDIR(info->st_mode) && info->st_uid == geteuid();
}

/* What root made in another user's folder would be in that one's way. */
static void make_folder(char *path) {
  struct stat info;
  char *slash = strrchr(path, '/');
  *slash = '\0';
  const bool may_make =
      geteuid() != 0 || (stat(slash != path ? path : "/", &info) == 0 && is_own_folder(&info));
  *slash = '/';
  if (may_make) {
    (void)mkdir(path, 0700);
  }
}

/* As the XDG Base Directory Specification has it: a path that is not absolute counts as none. */
static clrs_status find_base(char *base, size_t size, clrs_error *error) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (cache != NULL && cache[0] == '/') {
    length = snprintf(base, size, "%s", cache);
  } else if (home != NULL && home[0] == '/') {
    length = snprintf(base, size, "%s/.cache", home);
  }
  if (length < 0 || (size_t)length >= size) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      length < 0 ? "neither XDG_CACHE_HOME nor HOME is an absolute path"
                                 : "the path in XDG_CACHE_HOME or HOME is too long");
  }
  make_folder(base);
  return CLRS_OK;
}

static clrs_status find_place(const cli_host *host, place *found, clrs_error *error) {
  char base[PATH_MAX - 128], name[CLRS_PROGRAMS_NAME_BYTES];
  struct stat info;
  CLRS_TRY(find_base(base, sizeof base, error));
  CLRS_TRY(clrs_context_programs_name(host->clreshape, name, error));
  snprintf(found->folder, sizeof found->folder, "%s/clreshape", base);
  snprintf(found->file, sizeof found->file, "%s/%s%s", found->folder, name, ending);
  make_folder(found->folder);
  if (lstat(found->folder, &info) != 0 || !is_own_folder(&info) ||
      (info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no folder of this user's alone",
                      clrs__show(found->folder).text);
  }
  return CLRS_OK;
}

/* ---- reading ---- */

static bool is_trusted(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && info.st_size <= MOST_BYTES;
}

clrs_status cli_program_cache_load(const cli_host *host, cli_inputs *inputs, clrs_error *error) {
  place found;
  cli_contents file;
  clrs_error ignored;
  /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
  const int fd = find_place(host, &found, &ignored) == CLRS_OK
                     ? open(found.file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                     : -1;
  if (fd < 0) {
    return CLRS_OK;
  }
  const clrs_status status = cli_inputs_add_opened(inputs, fd, found.file, error);
  if (status == CLRS_OK && is_trusted(fd) &&
      cli_read_opened(fd, found.file, &file, &ignored) == CLRS_OK) {
    (void)!clrs_context_import_programs(host->clreshape, file.bytes, file.size, &ignored);
    free(file.bytes);
  }
  close(fd);
  return status;
}

/* ---- writing ---- */

/* A link of that name is replaced, not followed. */
static clrs_status rename_to(cli_temporary *temporary, const char *path, clrs_error *error) {
  clrs_status status = CLRS_OK;
  cli_temporary_hold();
  if (rename(temporary->name, path) == 0) {
    cli_temporary_unlist(temporary);
  } else {
    status = cli_fail_file(error, path, errno);
  }
  cli_temporary_release();
  return status;
}

static clrs_status write_opened(int fd, cli_temporary *temporary, const char *path,
                                const unsigned char *bytes, size_t size, clrs_error *error) {
  clrs_status status = cli_write_all(fd, path, bytes, size, error);
  if (close(fd) != 0 && status == CLRS_OK) {
    status = cli_fail_file(error, path, errno);
  }
  return status == CLRS_OK ? rename_to(temporary, path, error) : status;
}

static clrs_status write_file(const char *path, const unsigned char *bytes, size_t size,
                              clrs_error *error) {
  cli_temporary *temporary = cli_temporary_name(path);
  if (temporary == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for the name of a file");
  }
  cli_temporary_hold();
  const int fd = cli_temporary_create(temporary);
  const clrs_status created = fd >= 0 ? CLRS_OK : cli_fail_file(error, path, errno);
  cli_temporary_release();
  const clrs_status status =
      created == CLRS_OK ? write_opened(fd, temporary, path, bytes, size, error) : created;
  cli_temporary_hold();
  cli_temporary_free(temporary);
  cli_temporary_release();
  return status;
}

/* ---- as many files as there may be ---- */

static bool is_file_of_ours(const char *name) {
  return strlen(name) == CLRS_PROGRAMS_NAME_BYTES - 1 + sizeof ending - 1 &&
         strspn(name, "0123456789abcdef") == CLRS_PROGRAMS_NAME_BYTES - 1 &&
         strcmp(name + CLRS_PROGRAMS_NAME_BYTES - 1, ending) == 0;
}

/* Each run adds one at most, so one is what has to go. */
static void remove_oldest(DIR *folder) {
  char oldest[NAME_MAX + 1] = "";
  time_t since = 0;
  size_t count = 0;
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    struct stat info;
    if (!is_file_of_ours(entry->d_name) ||
        fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    if (count++ == 0 || info.st_mtime < since) {
      since = info.st_mtime;
      snprintf(oldest, sizeof oldest, "%s", entry->d_name);
    }
  }
  if (count > MOST_FILES) {
    (void)unlinkat(dirfd(folder), oldest, 0);
  }
}

static void limit_files(const char *path) {
  DIR *folder = opendir(path);
  if (folder != NULL) {
    remove_oldest(folder);
    closedir(folder);
  }
}

/* *blob is to be freed, also after a failure. Drivers take as long to say how large it is as to
 * give it, so the first attempt has room for many programs. */
static clrs_status export_programs(const cli_host *host, unsigned char **blob, size_t *size,
                                   clrs_error *error) {
  clrs_status status = CLRS_OUT_OF_BOUNDS;
  size_t room = (size_t)8 << 20;
  *blob = NULL;
  for (int attempt = 0; attempt < 2 && status == CLRS_OUT_OF_BOUNDS; attempt++) {
    free(*blob);
    *blob = malloc(room);
    if (*blob == NULL) {
      return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes of programs", room);
    }
    status = clrs_context_export_programs(host->clreshape, *blob, room, size, error);
    room = *size;
  }
  return status;
}

clrs_status cli_program_cache_save(const cli_host *host, size_t known, clrs_error *error) {
  place found;
  size_t size = 0;
  unsigned char *blob = NULL;
  if (clrs_context_program_count(host->clreshape) <= known) {
    return CLRS_OK;
  }
  CLRS_TRY(find_place(host, &found, error));
  clrs_status status = export_programs(host, &blob, &size, error);
  if (status == CLRS_OK) {
    status = write_file(found.file, blob, size, error);
    limit_files(found.folder);
  }
  free(blob);
  return status;
}

void cli_program_cache_remove(const cli_host *host) {
  place found;
  clrs_error ignored;
  if (find_place(host, &found, &ignored) == CLRS_OK) {
    (void)unlink(found.file);
  }
}
