/*
 * .npz archives. Stored arrays are always read. Packed arrays are read if the program was built
 * with libzip.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "archive.h"
#include "names.h"

/* Extracts the array `name` (see archive.h) from an archive. *fd is then a spool with a whole .npy
 * file, and the caller closes *fd.
 *
 * As in NumPy, the name of an array is the name of a member, with or without .npy at the end. If
 * several members have the name, the last member counts. A request without a name takes the only
 * array. Encrypted arrays, packed arrays without libzip, and requests without a name for several
 * arrays are refused. The spool gets exactly the bytes that the array's header claims. Messages
 * begin with the name. */
clrs_status cli_npz_extract(const char *name, int *fd, clrs_error *error);

/* Adds all arrays of the archive at `path`. */
clrs_status cli_npz_list(const char *path, cli_names *names, clrs_error *error);

/* Writes an archive with stored arrays, as NumPy's savez does. An array without a name is arr_0. */
clrs_status cli_npz_write(const cli_archive_made *made, clrs_error *error);

/* Checks that the arrays of that archive can be kept. *bytes is the size of the archive. */
clrs_status cli_npz_check_kept(const char *path, uint64_t *bytes, clrs_error *error);
