/*
 * * Records of ZIP archives at the borders of 32 and 16 bits are read as they were written. The
 * reader stays within the bytes of damaged records.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "harness/check.h"
#include "host/crc.h"
#include "host/zip_write.h"

static const uint64_t borders[] = {0, 1, 0xfffffffe, 0xffffffff, 0x100000000, UINT64_C(1) << 60};
enum { BORDERS = sizeof borders / sizeof borders[0] };

TEST(the_sum_is_that_of_the_standard) {
  cli_crc crc;
  cli_crc_start(&crc);
  cli_crc_add(&crc, "1234", 4);
  cli_crc_add(&crc, "56789", 5);
  assert_int_equal(cli_crc_of(&crc), 0xcbf43926);
}

static void check_record(uint64_t at, uint64_t size) {
  unsigned char bytes[CLI_ZIP_MOST_RECORD];
  cli_zip_entry entry;
  const cli_zip_member member = {"größe.npy", at, size, 0x12345678};
  const size_t made = cli_zip_format_record(&member, bytes);
  assert_true(cli_zip_parse(bytes, made, 0, &entry));
  assert_int_equal(entry.at, at);
  assert_int_equal(entry.size, size);
  assert_int_equal(entry.packed, size);
  assert_int_equal(entry.crc, member.crc);
  assert_int_equal(entry.method, CLI_ZIP_STORED);
  assert_int_equal(entry.flags, 0x800); /* UTF-8 */
  assert_int_equal(entry.record_bytes, made);
  assert_int_equal(entry.name_bytes, strlen(member.name));
  assert_memory_equal(entry.name, member.name, entry.name_bytes);
  assert_int_equal(cli_zip_wide(bytes, made, CLI_ZIP_AT) != NULL, at >= 0xffffffff);
  for (size_t less = 0; less < made; less++)
    assert_false(cli_zip_parse(bytes, less, 0, &entry));
}

TEST(records_are_read_as_they_are_written) {
  for (size_t i = 0; i < BORDERS; i++)
    for (size_t j = 0; j < BORDERS; j++)
      check_record(borders[i], borders[j]);
}

TEST(a_place_beyond_64_bits_is_none) {
  unsigned char bytes[CLI_ZIP_MOST_RECORD];
  cli_zip_entry entry;
  const cli_zip_member member = {"a", UINT64_MAX - 5, 1, 0};
  const size_t made = cli_zip_format_record(&member, bytes);
  assert_true(cli_zip_parse(bytes, made, 5, &entry));
  assert_false(cli_zip_parse(bytes, made, 6, &entry));
}

TEST(headers_have_one_length_whatever_the_sum) {
  unsigned char first[CLI_ZIP_MOST_RECORD], second[CLI_ZIP_MOST_RECORD];
  for (size_t i = 0; i < BORDERS; i++) {
    const cli_zip_member zero = {"name", 7, borders[i], 0}, other = {"name", 7, borders[i], 99};
    const size_t size = cli_zip_format_header(&zero, first);
    assert_int_equal(size, cli_zip_format_header(&other, second));
    assert_int_equal(size, 30 + 4 + (borders[i] >= 0xffffffff ? 20 : 0));
    assert_memory_equal(first, second, 14);
    assert_memory_equal(first + 18, second + 18, size - 18);
  }
}

/* ---- whole archives ---- */

static clrs_status open_bytes(const unsigned char *bytes, size_t size, cli_zip *zip,
                              clrs_error *error) {
  static char path[64];
  const int fd = memfd_create("archive", 0);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, bytes, size), size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  const clrs_status status = cli_zip_open(path, zip, error);
  assert_int_equal(close(fd), 0);
  return status;
}

/* The end of an archive alone: the directory is missing, unless the directory is empty. */
TEST(ends_are_read_as_they_are_written) {
  const uint64_t counts[] = {0, 1, 0xfffe, 0xffff, 0x10000};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    for (size_t j = 0; j < BORDERS; j++) {
      unsigned char bytes[CLI_ZIP_END];
      cli_zip zip;
      const cli_zip_directory directory = {counts[i], borders[j], borders[j]};
      const size_t size = cli_zip_format_end(&directory, bytes);
      const bool wide = counts[i] > 0xfffe || borders[j] >= 0xffffffff;
      assert_int_equal(size, wide ? CLI_ZIP_END : 22);
      if (borders[j] != 0) {
        CHECK_FAILS(open_bytes(bytes, size, &zip, &error), CLRS_INVALID_ARGUMENT, error);
        CHECK_SAYS(error, "its directory is not there");
      } else {
        CHECK_OK(open_bytes(bytes, size, &zip, &error), error);
        assert_int_equal(zip.count, 0);
        cli_zip_close(&zip);
      }
    }
  }
}

/* Two members of four bytes each, with names of three. */
static size_t build(unsigned char *bytes) {
  const char *const names[] = {"a.x", "b.x"};
  cli_zip_member members[2];
  size_t used = 0;
  for (int i = 0; i < 2; i++) {
    members[i] = (cli_zip_member){names[i], used, 4, 0};
    used += cli_zip_format_header(&members[i], bytes + used);
    memcpy(bytes + used, "data", 4);
    used += 4;
  }
  cli_zip_directory directory = {2, used, 0};
  for (int i = 0; i < 2; i++)
    used += cli_zip_format_record(&members[i], bytes + used);
  directory.size = used - directory.at;
  return used + cli_zip_format_end(&directory, bytes + used);
}

/* All places lie within the file, also after a byte has changed. */
static void check_content(const cli_zip *zip) {
  for (size_t i = 0; i < zip->count; i++) {
    const cli_zip_entry *entry = &zip->entries[i];
    uint64_t at = 0;
    if (cli_zip_content(zip, entry, &at, &error) == CLRS_OK) {
      assert_true(at <= zip->directory_at);
      assert_true(entry->packed <= zip->directory_at - at);
    }
    assert_true(entry->record >= zip->directory);
    assert_true(entry->record + entry->record_bytes <= zip->directory + zip->directory_bytes);
  }
}

TEST(no_byte_leads_out_of_the_file) {
  static const unsigned char values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
  unsigned char bytes[4 * CLI_ZIP_MOST_RECORD];
  cli_zip zip;
  const size_t size = build(bytes);
  CHECK_OK(open_bytes(bytes, size, &zip, &error), error);
  assert_int_equal(zip.count, 2);
  assert_ptr_equal(cli_zip_find(&zip, "b.x"), &zip.entries[1]);
  assert_null(cli_zip_find(&zip, "b"));
  cli_zip_close(&zip);
  for (size_t at = 0; at < size; at++) {
    for (size_t i = 0; i < sizeof values; i++) {
      const unsigned char before = bytes[at];
      bytes[at] = values[i];
      if (open_bytes(bytes, size, &zip, &error) == CLRS_OK) {
        check_content(&zip);
        cli_zip_close(&zip);
      }
      bytes[at] = before;
    }
    if (open_bytes(bytes, at, &zip, &error) == CLRS_OK)
      fail_msg("the first %zu bytes are no archive", at);
  }
}

TESTS(NULL, NULL)
