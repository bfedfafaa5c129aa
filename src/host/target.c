/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* lstat, readlink and fchown */

#include "target.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __APPLE__
#include <sys/acl.h>
#else
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include "fail.h"

enum { MOST_LINKS = 40 }; /* Linux's own limit */

/* ---- links ---- */

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Returns the path that the link at `path` names, relative to the same folder as `path`, or NULL
 * with errno. */
static char *read_link(const char *path) {
  char names[PATH_MAX];
  const ssize_t size = readlink(path, names, sizeof names);
  if (size < 0 || (size_t)size == sizeof names) {
    errno = size < 0 ? errno : ENAMETOOLONG;
    return NULL;
  }
  const size_t folder = names[0] == '/' ? 0 : folder_length(path);
  char *joined = malloc(folder + (size_t)size + 1);
  if (joined != NULL) {
    memcpy(joined, path, folder);
    memcpy(joined + folder, names, (size_t)size);
    joined[folder + (size_t)size] = '\0';
  }
  return joined;
}

/* Follows links from `path` and returns the last path, whether the file exists or not, or NULL with
 * errno. */
static char *follow(const char *path) {
  char *now = strdup(path);
  for (int links = 0; now != NULL; links++) {
    struct stat info;
    const bool there = lstat(now, &info) == 0;
    if (there ? !S_ISLNK(info.st_mode) : errno == ENOENT) {
      return now;
    }
    char *next = there && links < MOST_LINKS ? read_link(now) : NULL;
    const int code = links < MOST_LINKS ? errno : ELOOP;
    free(now);
    now = next;
    errno = code;
  }
  return NULL;
}

/* ---- what is there ---- */

static bool is_one_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static clrs_status check_replaceable(const char *path, const struct stat *info,
                                     const cli_inputs *inputs, clrs_error *error) {
  if (!S_ISREG(info->st_mode)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: exists and is not a regular file", path);
  }
  CLRS_TRY(cli_inputs_check(inputs, path, info, error));
  return access(path, W_OK) == 0 ? CLRS_OK /* rename would replace a read-only file */
                                 : cli_fail_file(error, path, errno);
}

/* Does target->path lead to the file that the system finds? /proc has links whose text is no path.
 * For example, /dev/stdout may name a file that was removed. */
static bool leads_there(const cli_target *target, const struct stat *info) {
  struct stat found;
  const bool there = lstat(target->path, &found) == 0;
  if (there != target->exists || (there && !is_one_file(&found, info))) {
    errno = ENOENT;
    return false;
  }
  return true;
}

static clrs_status find(const char *path, const cli_inputs *inputs, cli_target *target,
                        clrs_error *error) {
  struct stat info;
  target->exists = stat(path, &info) == 0;
  if (target->exists) {
    CLRS_TRY(check_replaceable(path, &info, inputs, error));
    target->mode = info.st_mode & 0777;
    target->user = info.st_uid;
    target->group = info.st_gid;
  } else if (errno != ENOENT) {
    return cli_fail_file(error, path, errno);
  }
  target->path = follow(path);
  if (target->path == NULL && errno == ENOMEM) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  return target->path != NULL && leads_there(target, &info) ? CLRS_OK
                                                            : cli_fail_file(error, path, errno);
}

clrs_status cli_target_find(const char *path, const cli_inputs *inputs, cli_target *target,
                            clrs_error *error) {
  memset(target, 0, sizeof *target);
  if (path[0] == '\0') {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the output path is empty");
  }
  clrs_status status = find(path, inputs, target, error);
  if (status != CLRS_OK) {
    cli_target_free(target);
  }
  return status;
}

void cli_target_free(cli_target *target) {
  free(target->path);
  memset(target, 0, sizeof *target);
}

/* ---- comparing, keeping ---- */

bool cli_target_folder(const cli_target *target, char *folder, size_t size) {
  const size_t length = folder_length(target->path);
  if (length >= size) {
    return false;
  }
  memcpy(folder, target->path, length);
  memcpy(folder + length, length > 0 ? "" : ".", length > 0 ? 1 : sizeof ".");
  return true;
}

static bool stat_folder(const cli_target *target, struct stat *info) {
  char folder[PATH_MAX];
  return cli_target_folder(target, folder, sizeof folder) && stat(folder, info) == 0;
}

/* Two hard links to one file are different targets, because each name is replaced separately. */
bool cli_target_is_same(const cli_target *a, const cli_target *b) {
  struct stat of_a, of_b;
  if (strcmp(a->path + folder_length(a->path), b->path + folder_length(b->path)) != 0) {
    return false;
  }
  return stat_folder(a, &of_a) && stat_folder(b, &of_b) && is_one_file(&of_a, &of_b);
}

/* Copies the access list. Returns whether the list is kept, or true if there is no list. If there
 * is a list, the group's bits of the mode limit everybody in the list, and not only the group. */
static bool keep_list(const cli_target *target, int fd) {
#ifdef __APPLE__
  acl_t list = acl_get_file(target->path, ACL_TYPE_EXTENDED);
  if (list == NULL) {
    return errno == ENOENT || errno == EOPNOTSUPP;
  }
  const bool is_kept = acl_set_fd(fd, list) == 0;
  acl_free(list);
  return is_kept;
#else
  static const char name[] = "system.posix_acl_access";
  char list[4096];
  const ssize_t size = getxattr(target->path, name, list, sizeof list);
  if (size < 0) {
    return errno == ENODATA || errno == EOPNOTSUPP;
  }
  return fsetxattr(fd, name, list, (size_t)size, 0) == 0;
#endif
}

int cli_target_keep_mode(const cli_target *target, int fd) {
  struct stat made;
  mode_t mode = target->mode;
  if (fstat(fd, &made) != 0) {
    return -1;
  }
  if (made.st_uid != target->user) {
    /* Only root can give files away. Otherwise the caller owns the file, as any new file. */
    (void)!fchown(fd, target->user, (gid_t)-1);
  }
  const bool keeps_group =
      made.st_gid == target->group || fchown(fd, (uid_t)-1, target->group) == 0;
  if (!keeps_group || !keep_list(target, fd)) {
    mode = (mode & ~(mode_t)070) | ((mode & 07) << 3 & mode);
  }
  return fchmod(fd, mode);
}
