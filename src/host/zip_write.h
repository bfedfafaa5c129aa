/*
 * A ZIP archive of one member that is stored, and of the members that another archive has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "zip_read.h"

typedef struct cli_zip_made {
  const char *path; /* the archive's, for messages */
  int archive;      /* the new file, empty */
  const char *name; /* the member's */
  int content;      /* a file: the member's bytes */
  const char *kept; /* NULL, or the archive whose other members are copied */
} cli_zip_made;

clrs_status cli_zip_write(const cli_zip_made *made, clrs_error *error);

/* ---- records ---- */

/* The facts in the header of a member, in front of the content, and in its record, in the
 * directory. ZIP64's extra field has the numbers of more than 32 bits. */
typedef struct cli_zip_member {
  const char *name;
  uint64_t at, size;
  uint32_t crc;
} cli_zip_member;

enum { CLI_ZIP_MOST_NAME = 1000, CLI_ZIP_MOST_RECORD = 46 + CLI_ZIP_MOST_NAME + 28 };

/* Both functions return the length. The length of a header does not depend on the sum. */
size_t cli_zip_format_header(const cli_zip_member *member,
                             unsigned char bytes[CLI_ZIP_MOST_RECORD]);
size_t cli_zip_format_record(const cli_zip_member *member,
                             unsigned char bytes[CLI_ZIP_MOST_RECORD]);

/* The end of an archive. */
enum { CLI_ZIP_END = 56 + 20 + 22 };
typedef struct cli_zip_directory {
  uint64_t count, at, size;
} cli_zip_directory;
size_t cli_zip_format_end(const cli_zip_directory *directory, unsigned char bytes[CLI_ZIP_END]);
