/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp, lstat, readlink and fchown */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#ifdef __APPLE__
#include <sys/acl.h>
#else
#include <sys/xattr.h>
#endif
#include <unistd.h>

#include "fail.h"
#include "system.h"

enum { MOST_LINKS = 40 }; /* Linux's own limit */

/* ---- bytes ---- */

ssize_t cli_read_some(int fd, const uint64_t *at, void *bytes, size_t size) {
  ssize_t got;
  do {
    got = at != NULL ? pread(fd, bytes, size, (off_t)*at) : read(fd, bytes, size);
  } while (got < 0 && errno == EINTR);
  return got;
}

ssize_t cli_write_some(int fd, const uint64_t *at, const void *bytes, size_t size) {
  ssize_t written;
  do {
    written = at != NULL ? pwrite(fd, bytes, size, (off_t)*at) : write(fd, bytes, size);
  } while (written < 0 && errno == EINTR);
  return written;
}

/* ---- looking and opening ---- */

static void note(const struct stat *info, int code, cli_file_info *found) {
  if (code == 0) {
    *found = (cli_file_info){.device = (uint64_t)info->st_dev,
                             .number = info->st_ino,
                             .size = (uint64_t)info->st_size,
                             .is_regular = S_ISREG(info->st_mode),
                             .mode = info->st_mode & 0777,
                             .user = info->st_uid,
                             .group = info->st_gid};
  }
}

int cli_file_look(const char *path, cli_file_info *info) {
  struct stat found;
  const int code = stat(path, &found);
  note(&found, code, info);
  return code;
}

int cli_file_look_opened(int fd, cli_file_info *info) {
  struct stat found;
  const int code = fstat(fd, &found);
  note(&found, code, info);
  return code;
}

/* O_NONBLOCK: opening a pipe must not wait for a writer only to be refused. */
int cli_file_open(const char *path, bool follows) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW));
}

FILE *cli_file_stream(const char *path) {
  return fopen(path, "rb");
}

/* ---- new files ---- */

int cli_file_create(char *name) {
  memcpy(name + strlen(name) - 6, "XXXXXX", 6); /* also after a failed call */
  return mkostemp(name, O_CLOEXEC);
}

/* The path by which linkat finds a file without a name. */
typedef struct descriptor_path {
  char text[32];
} descriptor_path;

static descriptor_path path_of(int fd) {
  descriptor_path path;
  snprintf(path.text, sizeof path.text, "/proc/self/fd/%d", fd);
  return path;
}

/* Returns -1 also if a missing /proc would not allow a name later. The umask removes bits from
 * 0666. */
int cli_file_create_nameless(const char *folder, bool is_private) {
#ifdef O_TMPFILE
  const int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, is_private ? 0600 : 0666);
  if (fd < 0 || access(path_of(fd).text, F_OK) == 0) {
    return fd;
  }
  close(fd);
#else
  (void)folder, (void)is_private;
#endif
  return -1;
}

/* linkat cannot replace an existing file. */
int cli_file_give_name(int fd, const char *name) {
  return linkat(AT_FDCWD, path_of(fd).text, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

int cli_file_link(const char *path, const char *name) {
  return linkat(AT_FDCWD, path, AT_FDCWD, name, 0);
}

int cli_file_rename(const char *path, const char *name) {
  return rename(path, name);
}

int cli_file_remove(const char *path) {
  return unlink(path);
}

bool cli_file_room(int fd, uint64_t *bytes) {
  struct statvfs info;
  if (fstatvfs(fd, &info) != 0 || info.f_frsize == 0) {
    return false;
  }
  *bytes = (uint64_t)info.f_bavail > UINT64_MAX / info.f_frsize
               ? UINT64_MAX
               : (uint64_t)info.f_bavail * info.f_frsize;
  return true;
}

/* ---- folders ---- */

size_t cli_folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

bool cli_folder_of_temporary(char *folder, size_t size) {
  const char *wish = getenv("TMPDIR");
  const int used = snprintf(folder, size, "%s/", wish != NULL && wish[0] != '\0' ? wish : "/tmp");
  return used >= 0 && (size_t)used < size;
}

/* ---- private folders ---- */

static bool is_own_folder(const struct stat *info) {
  return S_ISDIR(info->st_mode) && info->st_uid == geteuid();
}

void cli_folder_make(char *path) {
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

/* Finds the cache folder as the XDG Base Directory Specification says: a relative path is
 * ignored. */
clrs_status cli_folder_of_caches(char *base, size_t size, clrs_error *error) {
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
  cli_folder_make(base);
  return CLRS_OK;
}

bool cli_folder_is_own(const char *path) {
  struct stat info;
  return lstat(path, &info) == 0 && is_own_folder(&info) &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

void cli_folder_each(const char *path, cli_folder_visitor visitor, void *user_data) {
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return;
  }
  for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
    struct stat info;
    if (fstatat(dirfd(folder), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
      visitor(user_data, entry->d_name, info.st_mtime);
    }
  }
  closedir(folder);
}

/* ---- links ---- */

/* Returns the path that the link at `path` names, relative to the same folder as `path`, or NULL
 * with errno. */
static char *read_link(const char *path) {
  char names[PATH_MAX];
  const ssize_t size = readlink(path, names, sizeof names);
  if (size < 0 || (size_t)size == sizeof names) {
    errno = size < 0 ? errno : ENAMETOOLONG;
    return NULL;
  }
  const size_t folder = names[0] == '/' ? 0 : cli_folder_length(path);
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

/* /proc has links whose text is no path. For example, /dev/stdout may name a file that was removed.
 */
static bool leads_there(const char *path, const cli_file_info *there) {
  struct stat found;
  const bool is_there = lstat(path, &found) == 0;
  return is_there == (there != NULL) &&
         (!is_there || ((uint64_t)found.st_dev == there->device && found.st_ino == there->number));
}

char *cli_file_follow(const char *path, const cli_file_info *there) {
  char *found = follow(path);
  if (found != NULL && !leads_there(found, there)) {
    free(found);
    found = NULL;
    errno = ENOENT;
  }
  return found;
}

/* ---- owners and permissions ---- */

int cli_file_may_write(const char *path) {
  return access(path, W_OK);
}

int cli_file_set_mode(int fd, bool is_private) {
  mode_t mask = 0066;
  if (!is_private) {
    mask = umask(0);
    umask(mask);
  }
  return fchmod(fd, 0666 & ~mask);
}

bool cli_file_is_own(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Copies the access list. Returns whether the list is kept, or true if there is no list. If there
 * is a list, the group's bits of the mode limit everybody in the list, and not only the group. */
static bool keep_list(const char *path, int fd) {
#ifdef __APPLE__
  acl_t list = acl_get_file(path, ACL_TYPE_EXTENDED);
  if (list == NULL) {
    return errno == ENOENT || errno == EOPNOTSUPP;
  }
  const bool is_kept = acl_set_fd(fd, list) == 0;
  acl_free(list);
  return is_kept;
#else
  static const char name[] = "system.posix_acl_access";
  char list[4096];
  const ssize_t size = getxattr(path, name, list, sizeof list);
  if (size < 0) {
    return errno == ENODATA || errno == EOPNOTSUPP;
  }
  return fsetxattr(fd, name, list, (size_t)size, 0) == 0;
#endif
}

int cli_file_keep_mode(int fd, const char *path, const cli_file_info *of) {
  struct stat made;
  mode_t mode = (mode_t)of->mode;
  if (fstat(fd, &made) != 0) {
    return -1;
  }
  if (made.st_uid != of->user) {
    /* Only root can give files away. Otherwise the caller owns the file, as any new file. */
    (void)!fchown(fd, of->user, (gid_t)-1);
  }
  const bool keeps_group = made.st_gid == of->group || fchown(fd, (uid_t)-1, of->group) == 0;
  if (!keeps_group || !keep_list(path, fd)) {
    mode = (mode & ~(mode_t)070) | ((mode & 07) << 3 & mode);
  }
  return fchmod(fd, mode);
}
