/*
 * .npz archives: of arrays that are stored, and through libzip of packed ones, where the program
 * was built with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/core.h>

/* Takes the array of that name, as in archive.h, out of its archive: *fd is a spool with a whole
 * .npy file, to be closed. A name means what NumPy takes it for: the member of that name, else the
 * one with .npy behind it, of several the last. Without a name it is the only array. Refused are
 * encrypted arrays, packed ones without libzip, and a name that several could be meant by. What
 * comes out is no more than the header of the array says that it has. Messages begin with the name.
 */
clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error);

/* Writes an archive with an array, not packed, as NumPy's savez does. */
typedef struct cli_npz_array {
  const char *path; /* of the archive, for messages */
  int archive;      /* the new file, empty */
  int array;        /* a .npy file */
  const char *name; /* of the array; NULL: arr_0, as NumPy has it */
  const char *kept; /* an archive whose arrays of other names are kept; or NULL */
} cli_npz_array;
clrs_status cli_npz_write(const cli_npz_array *made, clrs_error *error);

/* Can the arrays of that archive be kept, and how many bytes has it? */
clrs_status cli_npz_check_kept(const char *path, uint64_t *bytes, clrs_error *error);
