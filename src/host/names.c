/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <string.h>

#include "array.h"
#include "status.h"

clrs_status cli_names_add(cli_names *names, const char *path, const char *member, size_t size,
                          clrs_error *error) {
  const size_t length = strlen(path), rest = member != NULL ? size + 1 : 0;
  char **grown = clrs__array_grow(names->list, names->count, &names->capacity, sizeof *names->list);
  char *name = grown != NULL ? malloc(length + rest + 1) : NULL;
  names->list = grown != NULL ? grown : names->list;
  if (member != NULL && memchr(member, '\0', size) != NULL) {
    free(name);
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: the name of an array has a byte 0", path);
  }
  CLRS_TRY_MEMORY(name, error, "out of memory");
  memcpy(name, path, length);
  if (member != NULL) {
    name[length] = ':';
    memcpy(name + length + 1, member, size);
  }
  name[length + rest] = '\0';
  names->list[names->count++] = name;
  return CLRS_OK;
}

void cli_names_free(cli_names *names) {
  for (size_t i = 0; i < names->count; i++) {
    free(names->list[i]);
  }
  free(names->list);
  *names = (cli_names){0};
}
