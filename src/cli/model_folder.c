/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_NOFOLLOW, openat */

#include "model_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fail.h"
#include "runs.h"
#include "text.h"

static void close_file(model_folder *of) {
  if (of->file >= 0) {
    close(of->file);
  }
  free(of->location);
  of->file = -1;
  of->location = NULL;
}

clrs_status model_folder_open(const char *model, model_folder *made, clrs_error *error) {
  const char *slash = strrchr(model, '/');
  char *path = slash != NULL ? strndup(model, (size_t)(slash - model) + 1) : strdup(".");
  *made = (model_folder){-1, -1, NULL, made->inputs};
  if (path == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  made->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int code = errno;
  free(path);
  return made->folder >= 0 ? CLRS_OK : cli_fail_file(error, model, code);
}

void model_folder_close(model_folder *made) {
  close_file(made);
  if (made->folder >= 0) {
    close(made->folder);
  }
  made->folder = -1;
}

/* ---- opening a location ---- */

static clrs_status fail_location(const char *location, const char *rule, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the location of its external_data is '%s': %s",
                    clrs__show(location).text, rule);
}

/* Returns the length of the name at the front of a path. */
static size_t name_length(const char *path) {
  return strcspn(path, "/");
}

static bool is_within(const char *location) {
  const char *next = location;
  for (bool is_more = true; is_more;) {
    const size_t length = name_length(next);
    const bool is_dots = (length == 1 || length == 2) && strspn(next, ".") >= length;
    if (length == 0 || length > NAME_MAX || is_dots) {
      return false;
    }
    is_more = next[length] == '/';
    next += length + 1;
  }
  return true;
}

/* Opens each name relative to the folder before. No name may be a link. Returns a descriptor or
 * -1. */
static int open_names(int folder, const char *location) {
  int at = folder;
  for (const char *next = location; at >= 0;) {
    char name[NAME_MAX + 1];
    const size_t length = name_length(next);
    const bool is_last = next[length] == '\0';
    memcpy(name, next, length);
    name[length] = '\0';
    const int opened =
        openat(at, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (is_last ? O_NONBLOCK : O_DIRECTORY));
    const int code = errno;
    if (at != folder) {
      close(at);
    }
    errno = code;
    at = opened;
    if (is_last) {
      break;
    }
    next += length + 1;
  }
  return at;
}

static clrs_status open_file(model_folder *of, const char *location, clrs_error *error) {
  close_file(of);
  if (!is_within(location)) {
    return fail_location(location, "it must be a path within the folder of the model, without '..'",
                         error);
  }
  of->location = strdup(location);
  if (of->location == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  of->file = open_names(of->folder, location);
  if (of->file < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the location of its external_data is '%s': %s (links are not followed)",
                      clrs__show(location).text, strerror(errno));
  }
  return cli_inputs_add_opened(of->inputs, of->file, location, error);
}

/* ---- reading ---- */

static clrs_status check_range(const model_folder *of, const clrs_onnx_external *at,
                               clrs_error *error) {
  struct stat info;
  if (fstat(of->file, &info) != 0) {
    return fail_location(at->location, strerror(errno), error);
  }
  if (!S_ISREG(info.st_mode)) {
    return fail_location(at->location, "not a regular file", error);
  }
  const uint64_t size = (uint64_t)info.st_size;
  return at->size <= size && at->offset <= size - at->size
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "its external_data is %" PRIu64 " bytes from byte %" PRIu64
                          " of '%s' on, which has %" PRIu64,
                          at->size, at->offset, clrs__show(at->location).text, size);
}

clrs_status model_folder_check(void *user_data, const clrs_onnx_external *at, clrs_error *error) {
  model_folder *of = user_data;
  if (of->location == NULL || strcmp(of->location, at->location) != 0) {
    CLRS_TRY(open_file(of, at->location, error));
  }
  return check_range(of, at, error);
}

clrs_status model_folder_read(void *user_data, const clrs_onnx_external *at, uint8_t *bytes,
                              clrs_error *error) {
  const model_folder *of = user_data;
  const cli_run_file file = {of->file, of->location, at->offset, NULL};
  const cli_runs all = {.element_bytes = 1, .length = (int64_t)at->size, .count = 1};
  return cli_runs_read(&all, &file, bytes, error);
}
