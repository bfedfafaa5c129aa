/*
 * The list of temporary files. The list is the program's only global state, because a signal
 * handler gets only a signal number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "temporary.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system.h"

static const char pattern[] = ".clreshape-XXXXXX";
static cli_temporary *first;

static void remove_all(void) {
  for (const cli_temporary *at = first; at != NULL; at = at->next) {
    (void)cli_file_remove(at->name);
  }
}

void cli_temporary_guard(void) {
  cli_signals_guard(remove_all);
}

/* ---- names ---- */

cli_temporary *cli_temporary_name(const char *path) {
  const size_t folder = cli_folder_length(path);
  cli_temporary *made = malloc(offsetof(cli_temporary, name) + folder + sizeof pattern);
  if (made == NULL) {
    return NULL;
  }
  made->next = NULL;
  memcpy(made->name, path, folder);
  memcpy(made->name + folder, pattern, sizeof pattern);
  return made;
}

int cli_temporary_create(cli_temporary *temporary) {
  const int fd = cli_file_create(temporary->name);
  if (fd >= 0) {
    cli_temporary_list(temporary);
  }
  return fd;
}

int cli_temporary_reserve(cli_temporary *temporary) {
  const int fd = cli_temporary_create(temporary);
  if (fd < 0) {
    return -1;
  }
  close(fd);
  (void)cli_file_remove(temporary->name);
  cli_temporary_unlist(temporary);
  return 0;
}

/* ---- the list ---- */

static cli_temporary **find(const cli_temporary *temporary) {
  cli_temporary **at = &first;
  while (*at != NULL && *at != temporary) {
    at = &(*at)->next;
  }
  return at;
}

void cli_temporary_list(cli_temporary *temporary) {
  temporary->next = first;
  first = temporary;
}

void cli_temporary_unlist(cli_temporary *temporary) {
  cli_temporary **at = find(temporary);
  if (*at != NULL) {
    *at = temporary->next;
  }
}

void cli_temporary_free(cli_temporary *temporary) {
  if (temporary != NULL && *find(temporary) != NULL) {
    (void)cli_file_remove(temporary->name);
    cli_temporary_unlist(temporary);
  }
  free(temporary);
}
