/*
 * Reads the directory of an untrusted ZIP archive.
 *
 * Sizes and places have 64 bits (ZIP64). An archive may have bytes in front of the first member, as
 * a self-extracting program has. The reader checks every record against the bytes of the file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/plan.h>

typedef struct cli_zip_entry {
  const char *name; /* in the directory's bytes, without a terminating 0 */
  size_t name_bytes;
  uint64_t at;           /* where the member begins in the file */
  uint64_t packed, size; /* bytes of the content, packed as in the file and unpacked */
  uint32_t crc;
  uint16_t method; /* 0: the content is stored and not packed */
  uint16_t flags;
  const unsigned char *record; /* in the directory's bytes */
  size_t record_bytes;
} cli_zip_entry;

typedef struct cli_zip {
  int fd;
  const char *path;
  unsigned char *directory;
  size_t directory_bytes;
  uint64_t directory_at; /* in the file: every member ends before this byte */
  size_t count, capacity;
  cli_zip_entry *entries; /* in the order of the directory */
} cli_zip;

enum { CLI_ZIP_STORED = 0, CLI_ZIP_ENCRYPTED = 1 /* a flag */ };

/* Opens the archive and reads its directory. On failure nothing stays open. Messages begin with the
 * path, which must live as long as the archive. */
clrs_status cli_zip_open(const char *path, cli_zip *zip, clrs_error *error);
void cli_zip_close(cli_zip *zip);

/* Returns the last member of the name, as NumPy does, or NULL. */
const cli_zip_entry *cli_zip_find(const cli_zip *zip, const char *name);

/* Finds the first byte of the content in the file. The file is certain to have entry->packed bytes
 * of content there. */
clrs_status cli_zip_content(const cli_zip *zip, const cli_zip_entry *entry, uint64_t *at,
                            clrs_error *error);

/* Reads the record at the front of `size` bytes of a directory. The archive begins behind `before`
 * bytes of the file. Returns false if there is no whole record. */
bool cli_zip_parse(const unsigned char *bytes, size_t size, uint64_t before, cli_zip_entry *entry);

/* Reads and writes numbers in little-endian order, as archives have numbers. */
uint64_t cli_zip_number(const unsigned char *bytes, size_t size);
void cli_zip_put(unsigned char *bytes, size_t size, uint64_t value);

/* Returns the place of a number of 64 bits in a record, or NULL if the record has no such number.
 * The extra field has the numbers of the fields that are all ones in the fixed part, in this order.
 */
enum { CLI_ZIP_SIZE, CLI_ZIP_PACKED, CLI_ZIP_AT };
const unsigned char *cli_zip_wide(const unsigned char *record, size_t size, int field);
