/* SPDX-License-Identifier: Apache-2.0 */
#include "archive.h"

#include <string.h>

static const char ending[] = ".npz";

bool cli_archive_find(const char *name, cli_archive_name *found) {
  const char *end = strstr(name, ".npz:");
  const size_t length = strlen(name), size = sizeof ending - 1;
  const bool is_whole = length > size && strcmp(name + length - size, ending) == 0;
  if (end == NULL && !is_whole) {
    return false;
  }
  const size_t path = end != NULL ? (size_t)(end - name) + size : length;
  if (path >= sizeof found->path) {
    return false;
  }
  memcpy(found->path, name, path);
  found->path[path] = '\0';
  found->member = end != NULL ? end + sizeof ".npz:" - 1 : NULL;
  return true;
}
