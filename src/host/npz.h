/*
 * .npz archives: of arrays that are stored, and through libzip of packed ones, where the program
 * was built with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

/* Takes the array of that name, as in archive.h, out of its archive: *fd is a spool with a whole
 * .npy file, to be closed. As in NumPy, a name is a member's name, or else a member's name
 * without the .npy at the end. The last of several members of one name counts. A request without a
 * name takes the only array. Encrypted arrays are refused, packed arrays without libzip, and a
 * request without a name if there are several arrays. The spool gets the bytes that the array's
 * header claims, and no more. Messages begin with the name. */
clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error);

/* Writes an archive with an array, not packed, as NumPy's savez does. */
typedef struct cli_npz_array {
  const char *path; /* the archive's, for messages */
  int archive;      /* the new file, empty */
  int array;        /* a .npy file */
  const char *name; /* the array's, or NULL for NumPy's arr_0 */
  const char *kept; /* NULL, or the archive whose arrays of other names are copied */
} cli_npz_array;
clrs_status cli_npz_write(const cli_npz_array *made, clrs_error *error);

/* Can the arrays of that archive be kept, and how many bytes has it? */
clrs_status cli_npz_check_kept(const char *path, uint64_t *bytes, clrs_error *error);
