/* SPDX-License-Identifier: Apache-2.0 */
#include "archive.h"

#include <string.h>

/* In the order of cli_archive_kind. */
static const char *const endings[] = {".npz", ".safetensors", ".gguf"};

enum { KINDS = sizeof endings / sizeof endings[0] };

/* Returns the length of the path of an archive with that ending, or 0. */
static size_t path_length(const char *name, const char *ending) {
  const size_t length = strlen(name), size = strlen(ending);
  for (const char *end = strstr(name, ending); end != NULL; end = strstr(end + 1, ending)) {
    if (end[size] == ':') {
      return (size_t)(end - name) + size;
    }
  }
  return length > size && strcmp(name + length - size, ending) == 0 ? length : 0;
}

bool cli_archive_find(const char *name, cli_archive_name *found) {
  size_t path = 0;
  for (int kind = 0; kind < KINDS; kind++) {
    const size_t length = path_length(name, endings[kind]);
    if (length > 0 && (path == 0 || length < path)) {
      path = length;
      found->kind = (cli_archive_kind)kind;
    }
  }
  if (path == 0 || path >= sizeof found->path) {
    return false;
  }
  memcpy(found->path, name, path);
  found->path[path] = '\0';
  found->member = name[path] == ':' ? name + path + 1 : NULL;
  return true;
}
