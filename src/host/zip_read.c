/* SPDX-License-Identifier: Apache-2.0 */
#include "zip_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "descriptor.h"
#include "fail.h"

enum {
  RECORD_BYTES = 46,
  HEADER_BYTES = 30,
  END_BYTES = 22,
  WIDE_END_BYTES = 56, /* the end in ZIP64, in front of its locator */
  LOCATOR_BYTES = 20,
  MOST_TAIL = END_BYTES + UINT16_MAX + WIDE_END_BYTES + LOCATOR_BYTES
};

static clrs_status fail_damaged(const cli_zip *zip, const char *rule, clrs_error *error) {
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: no ZIP archive, or a damaged one: %s",
                    zip->path, rule);
}

/* ---- numbers ---- */

uint64_t cli_zip_number(const unsigned char *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t i = size; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

void cli_zip_put(unsigned char *bytes, size_t size, uint64_t value) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = (unsigned char)(value >> 8 * i & 0xff);
  }
}

static bool is_signature(const unsigned char *bytes, const char *signature) {
  return memcmp(bytes, signature, 4) == 0;
}

static clrs_status read_at(const cli_zip *zip, uint64_t at, unsigned char *bytes, size_t size,
                           clrs_error *error) {
  for (size_t done = 0; done < size;) {
    const uint64_t from = at + done;
    const ssize_t got = cli_read_some(zip->fd, &from, bytes + done, size - done);
    if (got < 0) {
      return cli_fail_file(error, zip->path, errno);
    }
    if (got == 0) {
      return fail_damaged(zip, "it ends within a record", error);
    }
    done += (size_t)got;
  }
  return CLRS_OK;
}

/* ---- a record of the directory ---- */

/* Returns the extra field of ZIP64 in a record and the size of the field. Returns NULL if there is
 * no such field. */
static const unsigned char *find_extra(const unsigned char *record, size_t *size) {
  const unsigned char *extra = record + RECORD_BYTES + cli_zip_number(record + 28, 2);
  size_t left = (size_t)cli_zip_number(record + 30, 2);
  while (left >= 4) {
    const size_t bytes = (size_t)cli_zip_number(extra + 2, 2);
    if (bytes > left - 4) {
      return NULL;
    }
    if (cli_zip_number(extra, 2) == 1) {
      *size = bytes;
      return extra + 4;
    }
    extra += 4 + bytes;
    left -= 4 + bytes;
  }
  return NULL;
}

static const size_t narrow[] = {24, 20, 42}; /* where a record has the same numbers in 32 bits */

const unsigned char *cli_zip_wide(const unsigned char *record, size_t size, int field) {
  size_t bytes = 0, before = 0;
  if ((unsigned)field >= sizeof narrow / sizeof narrow[0] || size < RECORD_BYTES ||
      cli_zip_number(record + narrow[field], 4) != UINT32_MAX) {
    return NULL;
  }
  for (int i = 0; i < field; i++) {
    before += cli_zip_number(record + narrow[i], 4) == UINT32_MAX ? 8 : 0;
  }
  const unsigned char *extra = find_extra(record, &bytes);
  return extra != NULL && before + 8 <= bytes ? extra + before : NULL;
}

/* Returns the number of 64 bits, or else the number of 32 bits, which may then be all ones. */
static uint64_t number_of(const unsigned char *record, size_t size, int field) {
  const unsigned char *wide = cli_zip_wide(record, size, field);
  return wide != NULL ? cli_zip_number(wide, 8) : cli_zip_number(record + narrow[field], 4);
}

bool cli_zip_parse(const unsigned char *bytes, size_t size, uint64_t before, cli_zip_entry *entry) {
  if (size < RECORD_BYTES || !is_signature(bytes, "PK\x01\x02")) {
    return false;
  }
  const size_t name = (size_t)cli_zip_number(bytes + 28, 2);
  const size_t whole = RECORD_BYTES + name + (size_t)cli_zip_number(bytes + 30, 2) +
                       (size_t)cli_zip_number(bytes + 32, 2);
  if (whole > size) {
    return false;
  }
  *entry = (cli_zip_entry){.name = (const char *)bytes + RECORD_BYTES,
                           .name_bytes = name,
                           .packed = number_of(bytes, whole, CLI_ZIP_PACKED),
                           .size = number_of(bytes, whole, CLI_ZIP_SIZE),
                           .crc = (uint32_t)cli_zip_number(bytes + 16, 4),
                           .method = (uint16_t)cli_zip_number(bytes + 10, 2),
                           .flags = (uint16_t)cli_zip_number(bytes + 8, 2),
                           .record = bytes,
                           .record_bytes = whole};
  return !__builtin_add_overflow(number_of(bytes, whole, CLI_ZIP_AT), before, &entry->at);
}

/* ---- the directory ---- */

/* The place of the directory, as the end record of the archive tells. */
typedef struct ending {
  uint64_t size, at; /* relative to the archive's first byte */
  uint64_t end;      /* in the file: where the directory ends */
} ending;

/* Takes the numbers of the ZIP64 end record, if there is one. The ZIP64 end record and the locator
 * lie right in front of the plain end record. */
static void widen(const unsigned char *tail, size_t at, ending *found) {
  if (at < WIDE_END_BYTES + LOCATOR_BYTES ||
      !is_signature(tail + at - LOCATOR_BYTES, "PK\x06\x07")) {
    return;
  }
  const unsigned char *wide = tail + at - LOCATOR_BYTES - WIDE_END_BYTES;
  if (is_signature(wide, "PK\x06\x06")) {
    found->size = cli_zip_number(wide + 40, 8);
    found->at = cli_zip_number(wide + 48, 8);
    found->end -= LOCATOR_BYTES + WIDE_END_BYTES;
  }
}

/* Finds the last end record that is complete, including the comment. */
static bool find_ending(const unsigned char *tail, size_t size, uint64_t tail_at, ending *found) {
  for (size_t at = size; at-- > 0;) {
    if (size - at < END_BYTES || !is_signature(tail + at, "PK\x05\x06") ||
        cli_zip_number(tail + at + 20, 2) > size - at - END_BYTES) {
      continue;
    }
    *found = (ending){cli_zip_number(tail + at + 12, 4), cli_zip_number(tail + at + 16, 4),
                      tail_at + at};
    widen(tail, at, found);
    return true;
  }
  return false;
}

static clrs_status find_directory(const cli_zip *zip, uint64_t size, ending *found,
                                  clrs_error *error) {
  const size_t bytes = size < MOST_TAIL ? (size_t)size : MOST_TAIL;
  unsigned char *tail = malloc(bytes + 1);
  if (tail == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status = read_at(zip, size - bytes, tail, bytes, error);
  if (status == CLRS_OK && !find_ending(tail, bytes, size - bytes, found)) {
    status = fail_damaged(zip, "it has no end record", error);
  }
  free(tail);
  return status;
}

static clrs_status add_entry(cli_zip *zip, const cli_zip_entry *entry, clrs_error *error) {
  cli_zip_entry *grown =
      clrs__array_grow(zip->entries, zip->count, &zip->capacity, sizeof *zip->entries);
  if (grown == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  zip->entries = grown;
  zip->entries[zip->count++] = *entry;
  return CLRS_OK;
}

static clrs_status read_records(cli_zip *zip, uint64_t before, clrs_error *error) {
  for (size_t at = 0; at < zip->directory_bytes;) {
    cli_zip_entry entry;
    if (!cli_zip_parse(zip->directory + at, zip->directory_bytes - at, before, &entry)) {
      return fail_damaged(zip, "its directory is none", error);
    }
    CLRS_TRY(add_entry(zip, &entry, error));
    at += entry.record_bytes;
  }
  return CLRS_OK;
}

/* Reads the directory, which ends where the end record begins. Bytes in front of the archive do not
 * matter. */
static clrs_status read_directory(cli_zip *zip, clrs_error *error) {
  cli_file_info info;
  ending found = {0};
  if (cli_file_look_opened(zip->fd, &info) != 0 || !info.is_regular) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: not a regular file", zip->path);
  }
  CLRS_TRY(find_directory(zip, info.size, &found, error));
  if (found.size > found.end || found.at > found.end - found.size || found.size > INT32_MAX) {
    return fail_damaged(zip, "its directory is not there", error);
  }
  zip->directory_at = found.end - found.size;
  zip->directory_bytes = (size_t)found.size;
  zip->directory = malloc(zip->directory_bytes + 1);
  if (zip->directory == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "%s: no memory for %zu bytes", zip->path,
                      zip->directory_bytes);
  }
  CLRS_TRY(read_at(zip, zip->directory_at, zip->directory, zip->directory_bytes, error));
  return read_records(zip, zip->directory_at - found.at, error);
}

clrs_status cli_zip_open(const char *path, cli_zip *zip, clrs_error *error) {
  *zip = (cli_zip){.fd = cli_file_open(path, true), .path = path};
  const clrs_status status =
      zip->fd >= 0 ? read_directory(zip, error) : cli_fail_file(error, path, errno);
  if (status != CLRS_OK) {
    cli_zip_close(zip);
  }
  return status;
}

void cli_zip_close(cli_zip *zip) {
  if (zip->fd >= 0) {
    close(zip->fd);
  }
  free(zip->directory);
  free(zip->entries);
  *zip = (cli_zip){.fd = -1};
}

const cli_zip_entry *cli_zip_find(const cli_zip *zip, const char *name) {
  const size_t bytes = strlen(name);
  for (size_t i = zip->count; i-- > 0;) {
    const cli_zip_entry *entry = &zip->entries[i];
    if (entry->name_bytes == bytes && memcmp(entry->name, name, bytes) == 0) {
      return entry;
    }
  }
  return NULL;
}

clrs_status cli_zip_content(const cli_zip *zip, const cli_zip_entry *entry, uint64_t *at,
                            clrs_error *error) {
  unsigned char header[HEADER_BYTES];
  if (entry->at > zip->directory_at || zip->directory_at - entry->at < HEADER_BYTES) {
    return fail_damaged(zip, "a member is not there", error);
  }
  CLRS_TRY(read_at(zip, entry->at, header, sizeof header, error));
  const uint64_t left = zip->directory_at - entry->at - HEADER_BYTES;
  const uint64_t names = cli_zip_number(header + 26, 2) + cli_zip_number(header + 28, 2);
  if (!is_signature(header, "PK\x03\x04") || names > left || entry->packed > left - names) {
    return fail_damaged(zip, "a member is not there", error);
  }
  *at = entry->at + HEADER_BYTES + names;
  return CLRS_OK;
}
