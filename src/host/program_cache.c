/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* O_NOFOLLOW, fstatat */

#include "program_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "temporary.h"
#include "whole_file.h"

static const char ending[] = ".programs";

/* A program of PoCL's has some 150 KB, one of Intel's runtime 60. To take in 2 MiB costs every run
 * 3 ms. A file that has become larger is not read, and begun anew by the next run that builds. */
#define MOST_BYTES ((off_t)2 << 20)
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
static bool find_base(char *base, size_t size) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int length = -1;
  if (cache != NULL && cache[0] == '/') {
    length = snprintf(base, size, "%s", cache);
  } else if (home != NULL && home[0] == '/') {
    length = snprintf(base, size, "%s/.cache", home);
  }
  if (length < 0 || (size_t)length >= size) {
    return false;
  }
  make_folder(base);
  return true;
}

static bool find_place(const cli_host *host, place *found) {
  char base[PATH_MAX - 128], name[CLRS_PROGRAMS_NAME_BYTES];
  struct stat info;
  if (!find_base(base, sizeof base) ||
      clrs_context_programs_name(host->clreshape, name, NULL) != CLRS_OK) {
    return false;
  }
  snprintf(found->folder, sizeof found->folder, "%s/clreshape", base);
  snprintf(found->file, sizeof found->file, "%s/%s%s", found->folder, name, ending);
  make_folder(found->folder);
  return lstat(found->folder, &info) == 0 && is_own_folder(&info) &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

/* ---- reading ---- */

static bool is_trusted(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 && info.st_size <= MOST_BYTES;
}

void cli_program_cache_load(const cli_host *host) {
  place found;
  cli_contents file;
  clrs_error ignored;
  /* O_NONBLOCK: opening a FIFO must not wait for a writer. */
  const int fd = find_place(host, &found)
                     ? open(found.file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                     : -1;
  if (fd < 0) {
    return;
  }
  if (is_trusted(fd) && cli_read_opened(fd, found.file, &file, &ignored) == CLRS_OK) {
    (void)!clrs_context_import_programs(host->clreshape, file.bytes, file.size, &ignored);
    free(file.bytes);
  }
  close(fd);
}

/* ---- writing ---- */

/* A link of that name is replaced, not followed. */
static void rename_to(cli_temporary *temporary, const char *path) {
  cli_temporary_hold();
  if (rename(temporary->name, path) == 0) {
    cli_temporary_unlist(temporary);
  }
  cli_temporary_release();
}

static void write_file(const char *path, const unsigned char *bytes, size_t size) {
  cli_temporary *temporary = cli_temporary_name(path);
  if (temporary == NULL) {
    return;
  }
  cli_temporary_hold();
  const int fd = cli_temporary_create(temporary);
  cli_temporary_release();
  if (fd >= 0) {
    clrs_error ignored;
    const bool is_whole = cli_write_all(fd, path, bytes, size, &ignored) == CLRS_OK;
    if (close(fd) == 0 && is_whole) {
      rename_to(temporary, path);
    }
  }
  cli_temporary_hold();
  cli_temporary_free(temporary);
  cli_temporary_release();
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

/* NULL if it cannot be had. Drivers take as long to say how large it is as to give it, so the first
 * attempt has room for some programs. */
static unsigned char *export_programs(const cli_host *host, size_t *size) {
  clrs_status status = CLRS_OUT_OF_BOUNDS;
  clrs_error ignored;
  size_t room = (size_t)1 << 20;
  unsigned char *blob = NULL;
  for (int attempt = 0; attempt < 2 && status == CLRS_OUT_OF_BOUNDS; attempt++) {
    free(blob);
    blob = malloc(room);
    if (blob == NULL) {
      return NULL;
    }
    status = clrs_context_export_programs(host->clreshape, blob, room, size, &ignored);
    room = *size;
  }
  if (status != CLRS_OK) {
    free(blob);
  }
  return status == CLRS_OK ? blob : NULL;
}

void cli_program_cache_save(const cli_host *host, size_t known) {
  place found;
  size_t size = 0;
  if (clrs_context_program_count(host->clreshape) <= known || !find_place(host, &found)) {
    return;
  }
  unsigned char *blob = export_programs(host, &size);
  if (blob != NULL) {
    write_file(found.file, blob, size);
    limit_files(found.folder);
  }
  free(blob);
}

void cli_program_cache_remove(const cli_host *host) {
  place found;
  if (find_place(host, &found)) {
    (void)unlink(found.file);
  }
}
