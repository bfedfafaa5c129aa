/*
 * .npz archives, through libzip where the program was built with it. Elsewhere both functions fail
 * with a sentence that says so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* Takes the array of that name, as in archive.h, out of its archive: *fd is a spool with a whole
 * .npy file, to be closed. Refused are encrypted arrays, and a name that several could be meant by.
 * What comes out is no more than the header of the array says that it has. Messages begin with the
 * name. */
clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error);

/* Writes an archive of one array, not compressed, as NumPy's savez does. */
typedef struct cli_npz_array {
  const char *path; /* of the archive, for messages */
  int archive;      /* the new file, empty */
  int array;        /* a .npy file */
  const char *name; /* of the array; NULL: arr_0, as NumPy has it */
} cli_npz_array;
clrs_status cli_npz_write(const cli_npz_array *made, clrs_error *error);

/* Can this program do either? `path` is for the message. */
clrs_status cli_npz_check(const char *path, clrs_error *error);
