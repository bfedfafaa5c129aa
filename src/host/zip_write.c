/*
 * Writing archives: the members that are kept, then the new members, then the directory.
 *
 * A kept member is copied with all bytes up to the next member. So a data descriptor behind the
 * content needs no reading. Only the place in the member's record changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "zip_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crc.h"
#include "descriptor.h"
#include "fail.h"

enum { CHUNK_BYTES = 1 << 16, NARROW_MOST = 0xfffe, UTF8 = 0x800, DATE = 0x21 /* 1980-01-01 */ };

/* ---- records ---- */

static bool is_wide(uint64_t value) {
  return value >= UINT32_MAX;
}

static uint64_t narrowed(uint64_t value) {
  return is_wide(value) ? UINT32_MAX : value;
}

static bool is_ascii(const char *name) {
  while (*name != '\0' && (unsigned char)*name < 0x80) {
    name++;
  }
  return *name == '\0';
}

/* Writes the 26 bytes, from the version on, that a header and a record have in common. */
static void put_common(const cli_zip_member *member, bool wide, unsigned char *bytes) {
  memset(bytes, 0, 26);
  cli_zip_put(bytes, 2, wide ? 45 : 20);
  cli_zip_put(bytes + 2, 2, is_ascii(member->name) ? 0 : UTF8);
  cli_zip_put(bytes + 8, 2, DATE);
  cli_zip_put(bytes + 10, 4, member->crc);
  cli_zip_put(bytes + 14, 4, narrowed(member->size));
  cli_zip_put(bytes + 18, 4, narrowed(member->size));
  cli_zip_put(bytes + 22, 2, strlen(member->name));
}

/* Writes the name, and then the extra field with the numbers of 64 bits. Returns the length. */
static size_t put_name(const cli_zip_member *member, bool with_place, unsigned char *bytes) {
  const size_t name = strlen(member->name);
  unsigned char *extra = bytes + name, *next = extra + 4;
  memcpy(bytes, member->name, name);
  if (is_wide(member->size)) {
    cli_zip_put(next, 8, member->size);
    cli_zip_put(next + 8, 8, member->size);
    next += 16;
  }
  if (with_place && is_wide(member->at)) {
    cli_zip_put(next, 8, member->at);
    next += 8;
  }
  if (next == extra + 4) {
    return name;
  }
  cli_zip_put(extra, 2, 1);
  cli_zip_put(extra + 2, 2, (uint64_t)(next - extra) - 4);
  return (size_t)(next - bytes);
}

size_t cli_zip_format_header(const cli_zip_member *member,
                             unsigned char bytes[CLI_ZIP_MOST_RECORD]) {
  memcpy(bytes, "PK\x03\x04", 4);
  put_common(member, is_wide(member->size), bytes + 4);
  const size_t names = put_name(member, false, bytes + 30);
  cli_zip_put(bytes + 28, 2, names - strlen(member->name));
  return 30 + names;
}

size_t cli_zip_format_record(const cli_zip_member *member,
                             unsigned char bytes[CLI_ZIP_MOST_RECORD]) {
  const bool wide = is_wide(member->size) || is_wide(member->at);
  memset(bytes, 0, 46);
  memcpy(bytes, "PK\x01\x02", 4);
  cli_zip_put(bytes + 4, 2, 3 << 8 | (wide ? 45 : 20)); /* made on Unix, where files have modes */
  put_common(member, wide, bytes + 6);
  const size_t names = put_name(member, true, bytes + 46);
  cli_zip_put(bytes + 30, 2, names - strlen(member->name));
  cli_zip_put(bytes + 38, 4, (uint64_t)0100644 << 16); /* a regular file that all may read */
  cli_zip_put(bytes + 42, 4, narrowed(member->at));
  return 46 + names;
}

static size_t put_wide_end(const cli_zip_directory *directory, unsigned char *bytes) {
  const uint64_t at = directory->at + directory->size;
  memset(bytes, 0, 76);
  memcpy(bytes, "PK\x06\x06", 4);
  cli_zip_put(bytes + 4, 8, 44); /* bytes behind this number */
  cli_zip_put(bytes + 12, 2, 3 << 8 | 45);
  cli_zip_put(bytes + 14, 2, 45);
  cli_zip_put(bytes + 24, 8, directory->count);
  cli_zip_put(bytes + 32, 8, directory->count);
  cli_zip_put(bytes + 40, 8, directory->size);
  cli_zip_put(bytes + 48, 8, directory->at);
  memcpy(bytes + 56, "PK\x06\x07", 4);
  cli_zip_put(bytes + 64, 8, at);
  cli_zip_put(bytes + 72, 4, 1); /* number of disks */
  return 76;
}

size_t cli_zip_format_end(const cli_zip_directory *directory, unsigned char bytes[CLI_ZIP_END]) {
  const bool many = directory->count > NARROW_MOST;
  const uint64_t count = many ? UINT16_MAX : directory->count;
  size_t used = 0;
  if (many || is_wide(directory->at) || is_wide(directory->size)) {
    used = put_wide_end(directory, bytes);
  }
  unsigned char *end = bytes + used;
  memset(end, 0, 22);
  memcpy(end, "PK\x05\x06", 4);
  cli_zip_put(end + 8, 2, count);
  cli_zip_put(end + 10, 2, count);
  cli_zip_put(end + 12, 4, narrowed(directory->size));
  cli_zip_put(end + 16, 4, narrowed(directory->at));
  return used + 22;
}

/* ---- copying ---- */

/* The state of writing an archive. */
typedef struct writing {
  const cli_archive_made *made;
  cli_zip_member *members; /* the new members */
  uint64_t at;             /* where the next byte goes */
  unsigned char *chunk;
  cli_crc crc; /* the sum of the copied bytes */
} writing;

static clrs_status put(writing *to, const unsigned char *bytes, size_t size, clrs_error *error) {
  to->at += size;
  return cli_write_all(to->made->file, to->made->path, bytes, size, error);
}

/* Bytes of a file. */
typedef struct range {
  int fd;
  const char *path;
  uint64_t at, size;
} range;

static clrs_status copy(writing *to, const range *from, clrs_error *error) {
  for (uint64_t done = 0; done < from->size;) {
    const uint64_t left = from->size - done, at = from->at + done;
    const ssize_t got =
        cli_read_some(from->fd, &at, to->chunk, left < CHUNK_BYTES ? (size_t)left : CHUNK_BYTES);
    if (got < 0) {
      return cli_fail_file(error, from->path, errno);
    }
    if (got == 0) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: became shorter while it was read",
                        from->path);
    }
    cli_crc_add(&to->crc, to->chunk, (size_t)got);
    CLRS_TRY(put(to, to->chunk, (size_t)got, error));
    done += (uint64_t)got;
  }
  return CLRS_OK;
}

/* ---- what is kept ---- */

static int compare_places(const void *a, const void *b) {
  const cli_zip_entry *first = a, *second = b;
  return first->at < second->at ? -1 : first->at > second->at;
}

static bool is_replaced(const writing *to, const cli_zip_entry *entry) {
  bool is = false;
  for (size_t i = 0; i < to->made->count && !is; i++) {
    const char *name = to->members[i].name;
    is = entry->name_bytes == strlen(name) && memcmp(entry->name, name, entry->name_bytes) == 0;
  }
  return is;
}

/* Writes the member's new place to the record. The place is in the fixed part or in the extra
 * field. The field stays wide enough, because members move only towards the front. */
static void move_record(const cli_zip_entry *entry, uint64_t at) {
  unsigned char *record = (unsigned char *)(uintptr_t)entry->record; /* in our directory */
  const unsigned char *wide = cli_zip_wide(record, entry->record_bytes, CLI_ZIP_AT);
  if (wide != NULL) {
    cli_zip_put(record + (wide - record), 8, at);
  } else {
    cli_zip_put(record + 42, 4, at);
  }
}

/* A member ends where the next member in the file begins. */
static clrs_status keep_members(writing *to, cli_zip *old, clrs_error *error) {
  uint64_t content = 0;
  if (old->count > 1) {
    qsort(old->entries, old->count, sizeof *old->entries, compare_places);
  }
  for (size_t i = 0; i < old->count; i++) {
    const cli_zip_entry *entry = &old->entries[i];
    const uint64_t end = i + 1 < old->count ? old->entries[i + 1].at : old->directory_at;
    if (is_replaced(to, entry)) {
      continue;
    }
    CLRS_TRY(cli_zip_content(old, entry, &content, error));
    if (content > end || entry->packed > end - content) {
      return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s: damaged: two of its members overlap",
                        old->path);
    }
    const range all = {old->fd, old->path, entry->at, end - entry->at};
    move_record(entry, to->at);
    CLRS_TRY(copy(to, &all, error));
  }
  return CLRS_OK;
}

static clrs_status keep_records(writing *to, const cli_zip *old, uint64_t *count,
                                clrs_error *error) {
  for (size_t i = 0; i < old->count; i++) {
    const cli_zip_entry *entry = &old->entries[i];
    if (!is_replaced(to, entry)) {
      CLRS_TRY(put(to, entry->record, entry->record_bytes, error));
      (*count)++;
    }
  }
  return CLRS_OK;
}

/* ---- the new members ---- */

static clrs_status put_back(const writing *to, uint64_t at, const unsigned char *bytes, size_t size,
                            clrs_error *error) {
  for (size_t done = 0; done < size;) {
    const uint64_t there = at + done;
    const ssize_t written = cli_write_some(to->made->file, &there, bytes + done, size - done);
    if (written < 0) {
      return cli_fail_file(error, to->made->path, errno);
    }
    done += (size_t)written;
  }
  return CLRS_OK;
}

/* Adds a new member. The checksum is known only after the content is copied, so the header is
 * written twice. */
static clrs_status add_member(writing *to, size_t index, clrs_error *error) {
  unsigned char header[CLI_ZIP_MOST_RECORD];
  cli_zip_member *member = &to->members[index];
  const uint64_t from = to->made->arrays[index].at;
  const range all = {to->made->elements, "a temporary file", from, member->size};
  member->at = to->at;
  member->crc = 0;
  const size_t size = cli_zip_format_header(member, header);
  CLRS_TRY(put(to, header, size, error));
  cli_crc_start(&to->crc);
  CLRS_TRY(copy(to, &all, error));
  member->crc = cli_crc_of(&to->crc);
  cli_zip_format_header(member, header);
  return put_back(to, member->at, header, size, error);
}

static clrs_status write_all(writing *to, cli_zip *old, clrs_error *error) {
  unsigned char bytes[CLI_ZIP_MOST_RECORD];
  const size_t count = to->made->count;
  CLRS_TRY(keep_members(to, old, error));
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(add_member(to, i, error));
  }
  cli_zip_directory directory = {count, to->at, 0};
  CLRS_TRY(keep_records(to, old, &directory.count, error));
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(put(to, bytes, cli_zip_format_record(&to->members[i], bytes), error));
  }
  directory.size = to->at - directory.at;
  return put(to, bytes, cli_zip_format_end(&directory, bytes), error);
}

clrs_status cli_zip_write(const cli_archive_made *made, cli_zip_member *members,
                          clrs_error *error) {
  cli_zip old = {.fd = -1};
  writing *to = malloc(sizeof *to);
  unsigned char *chunk = malloc(CHUNK_BYTES);
  clrs_status status = to != NULL && chunk != NULL
                           ? CLRS_OK
                           : clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  if (status == CLRS_OK && made->kept != NULL) {
    status = cli_zip_open(made->kept, &old, error);
  }
  if (status == CLRS_OK) {
    *to = (writing){.made = made, .members = members, .chunk = chunk};
    cli_crc_start(&to->crc);
    status = write_all(to, &old, error);
    cli_zip_close(&old);
  }
  free(chunk);
  free(to);
  return status;
}
