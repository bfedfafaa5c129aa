/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* access, mkdir */

#include "pocl_cache.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_pocl_is(cl_platform_id platform) {
  char name[80] = "";
  return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strcmp(name, "Portable Computing Language") == 0;
}

/* Finds the cache folder by PoCL's rules. Returns false if the path is too long. */
static bool find_folder(char folder[PATH_MAX]) {
  const char *given = getenv("POCL_CACHE_DIR"), *cache = getenv("XDG_CACHE_HOME");
  const char *home = getenv("HOME");
  int length = 0;
  if (given != NULL) {
    length = snprintf(folder, PATH_MAX, "%s", given);
  } else if (cache != NULL && cache[0] != '\0') {
    length = snprintf(folder, PATH_MAX, "%s/pocl/kcache", cache);
  } else if (home != NULL) {
    length = snprintf(folder, PATH_MAX, "%s/.cache/pocl/kcache", home);
  } else {
    length = snprintf(folder, PATH_MAX, "/tmp/pocl/kcache");
  }
  return length > 0 && length < PATH_MAX;
}

/* Makes the folder and missing folders above. Returns the first error, or 0. */
static int make_folders(char *folder) {
  for (char *slash = folder; slash != NULL;) {
    slash = strchr(slash + 1, '/');
    if (slash != NULL) {
      *slash = '\0';
    }
    const int code = mkdir(folder, 0700) == 0 || errno == EEXIST ? 0 : errno;
    if (slash != NULL) {
      *slash = '/';
    }
    if (code != 0) {
      return code;
    }
  }
  return 0;
}

/* Checks that the folder can be written. Folders above an existing folder are not checked, because
 * the upper folders may be read-only. */
static int try_folder(char *folder) {
  struct stat info;
  const int code = stat(folder, &info) == 0 ? 0 : make_folders(folder);
  if (code != 0) {
    return code;
  }
  if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode)) {
    return ENOTDIR;
  }
  return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

bool cli_pocl_cache_works(char *sentence, size_t size) {
  char folder[PATH_MAX];
  const int code = find_folder(folder) ? try_folder(folder) : ENAMETOOLONG;
  if (code != 0) {
    (void)snprintf(sentence, size,
                   "PoCL cannot write its cache folder %.400s: %s; set POCL_CACHE_DIR to a folder "
                   "that can be written",
                   folder, strerror(code));
  }
  return code == 0;
}

/* An empty entry in PATH is the current folder, as in execvp. */
static bool has_linker(const char *folder, size_t length) {
  char file[PATH_MAX];
  const int used =
      snprintf(file, sizeof file, "%.*s%sld", (int)length, folder, length > 0 ? "/" : "");
  return used > 0 && (size_t)used < sizeof file && access(file, X_OK) == 0;
}

bool cli_pocl_finds_linker(void) {
  const char *folder = getenv("PATH");
  bool found = false;
  while (folder != NULL && !found) {
    const size_t length = strcspn(folder, ":");
    found = length < PATH_MAX && has_linker(folder, length);
    folder = folder[length] == ':' ? folder + length + 1 : NULL;
  }
  return found;
}
