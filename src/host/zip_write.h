/*
 * Writes a ZIP archive with stored members and with the members of another archive.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "archive.h"
#include "zip_read.h"

/* The facts that a member's header (in front of the content) and record (in the directory) hold.
 * Numbers of more than 32 bits go to the extra field of ZIP64. */
typedef struct cli_zip_member {
  const char *name;
  uint64_t at, size;
  uint32_t crc;
} cli_zip_member;

/* `members` has a member for each array, with the name and the size. All other fields are set. */
clrs_status cli_zip_write(const cli_archive_made *made, cli_zip_member *members, clrs_error *error);

/* ---- records ---- */

enum { CLI_ZIP_MOST_NAME = 1000, CLI_ZIP_MOST_RECORD = 46 + CLI_ZIP_MOST_NAME + 28 };

/* Both functions return the length. The length of a header does not depend on the checksum. */
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
