/*
 * Files with names that must not outlive the program, whatever ends it, unless they are kept.
 *
 * A signal that ends the program removes them first: see cli_temporary_guard. What cannot be caught
 * (SIGKILL, a power failure) leaves them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

typedef struct cli_temporary {
  struct cli_temporary *next; /* in the list of those that exist */
  char name[];
} cli_temporary;

/* Has the signals that end programs remove all temporary files first. A signal that is ignored
 * already, as SIGHUP is under nohup, stays ignored. The program ends by the signal all the same.
 * For main: a process has one set of signal handlers. */
void cli_temporary_guard(void);

/* Between these two, signals wait: what is done there is done whole. Not nested, and brief. */
void cli_temporary_hold(void);
void cli_temporary_release(void);

/* A name in the folder of `path` for a file that does not exist yet. NULL: no memory. */
cli_temporary *cli_temporary_name(const char *path);

/* All that follows between hold and release. */

/* Makes the file, private and empty; its descriptor, or -1 with errno. Only then is the name what
 * it will be. */
int cli_temporary_create(cli_temporary *temporary);
/* Makes sure of a name that no file has, for a link or a renamed file. -1 with errno. */
int cli_temporary_reserve(cli_temporary *temporary);
/* The file of that name is there and is to be removed, or has another name now. */
void cli_temporary_list(cli_temporary *temporary);
void cli_temporary_unlist(cli_temporary *temporary);

/* Removes the file if it is listed, and frees. NULL is allowed. */
void cli_temporary_free(cli_temporary *temporary);
