/*
 * Named files that are removed when the program ends, unless the program keeps the files.
 *
 * A signal that ends the program removes the files first: see cli_temporary_guard. SIGKILL and a
 * power failure cannot be caught and leave the files.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

typedef struct cli_temporary {
  struct cli_temporary *next; /* in the list of existing files */
  char name[];
} cli_temporary;

/* Removes all temporary files before a signal ends the program: see cli_signals_guard. For main
 * only. */
void cli_temporary_guard(void);

/* Returns a name in the folder of `path` for a new file, or NULL if there is no memory. */
cli_temporary *cli_temporary_name(const char *path);

/* Call the functions below only between cli_signals_hold and cli_signals_release. */

/* Creates the file, private and empty, and completes the name. Returns the descriptor, or -1 with
 * errno. */
int cli_temporary_create(cli_temporary *temporary);
/* Chooses a name that no file has, for a link or a renamed file. Returns -1 with errno on
 * failure. */
int cli_temporary_reserve(cli_temporary *temporary);
/* Adds an existing file to the files that will be removed, or takes off a file that got another
 * name. */
void cli_temporary_list(cli_temporary *temporary);
void cli_temporary_unlist(cli_temporary *temporary);

/* Removes the file if the file is listed, and frees `temporary`. NULL is allowed. */
void cli_temporary_free(cli_temporary *temporary);
