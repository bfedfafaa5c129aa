/*
 * Foreign text as displayed: every code point, and every byte sequence outside UTF-8, by the table
 * of well-formed sequences in the Unicode Standard (3-7). tests/cli/ test_messages.py shows the
 * text in the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "base/text.h"
#include "host/print.h"

/* ---- the oracle: ranges of bytes, as the Standard prints them ---- */

static const struct {
  size_t size;
  unsigned char low[4], high[4];
} well_formed[] = {
    {1, {0x00}, {0x7f}},
    {2, {0xc2, 0x80}, {0xdf, 0xbf}},
    {3, {0xe0, 0xa0, 0x80}, {0xe0, 0xbf, 0xbf}},
    {3, {0xe1, 0x80, 0x80}, {0xec, 0xbf, 0xbf}},
    {3, {0xed, 0x80, 0x80}, {0xed, 0x9f, 0xbf}},
    {3, {0xee, 0x80, 0x80}, {0xef, 0xbf, 0xbf}},
    {4, {0xf0, 0x90, 0x80, 0x80}, {0xf0, 0xbf, 0xbf, 0xbf}},
    {4, {0xf1, 0x80, 0x80, 0x80}, {0xf3, 0xbf, 0xbf, 0xbf}},
    {4, {0xf4, 0x80, 0x80, 0x80}, {0xf4, 0x8f, 0xbf, 0xbf}},
};

static size_t size_by_table(const unsigned char *bytes, size_t size) {
  for (size_t row = 0; row < sizeof well_formed / sizeof well_formed[0]; row++) {
    size_t same = 0;
    while (same < well_formed[row].size && same < size &&
           bytes[same] >= well_formed[row].low[same] && bytes[same] <= well_formed[row].high[same])
      same++;
    if (same == well_formed[row].size)
      return same;
  }
  return 0;
}

static void require_like_table(const unsigned char *bytes, size_t size) {
  const clrs__character got = clrs__character_read((const char *)bytes, size);
  const size_t expected = size_by_table(bytes, size);
  if (got.is_valid != (expected > 0) || got.size != (expected > 0 ? expected : 1))
    fail_msg("%02x %02x %02x %02x, of which %zu: %zu bytes, valid %d", bytes[0], bytes[1], bytes[2],
             bytes[3], size, got.size, got.is_valid);
}

/* All first three bytes, with a fourth at the borders, whole and cut. */
TEST(every_sequence_is_told_by_the_table) {
  static const unsigned char last[] = {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff};
  for (unsigned prefix = 0; prefix < 1u << 24; prefix++) {
    unsigned char bytes[4] = {(unsigned char)(prefix >> 16), (unsigned char)(prefix >> 8),
                              (unsigned char)prefix, 0};
    const size_t lasts = bytes[0] >= 0xf0 ? sizeof last : 1;
    for (size_t i = 0; i < lasts; i++) {
      bytes[3] = last[i];
      require_like_table(bytes, 4);
    }
    for (size_t size = 1; size < 4 && (prefix & 0xff) == 0x80; size++)
      require_like_table(bytes, size);
  }
}

TEST(names_are_shown_and_cut_whole) {
  static const struct {
    const char *name, *shown;
  } rows[] = {
      {"", ""},
      {"plain name", "plain name"},
      {"a\nb\rc\td", "a\\nb\\rc\\td"},
      {"\x01\x1b[0m\x7f", "\\x01\\x1b[0m\\x7f"},
      {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},
      {"\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6", "\\u202a\\u202e\\u2066"},
      {"\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80", "\xc3\xa4\xe4\xbd\xa0\xf0\x9f\x98\x80"},
      {"\xc3", "\\xc3"},
      {"\\x1b", "\\x1b"}, /* a backslash is not escaped, because a backslash does nothing */
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    assert_string_equal(clrs__show(rows[i].name).text, rows[i].shown);
  assert_string_equal(clrs__show(NULL).text, "");
  assert_string_equal(clrs__show_part("abc\n", 3).text, "abc");
}

TEST(a_cut_drops_only_what_is_incomplete) {
  static const struct {
    const char *text, *left;
  } rows[] = {
      {"", ""},
      {"a", "a"},
      {"a\xc3", "a"},
      {"a\xc3\xa4", "a\xc3\xa4"},
      {"a\xe4", "a"},
      {"a\xe4\xbd", "a"},
      {"a\xf0\x9f", "a"},
      {"a\xf0\x9f\x98", "a"},
      {"\xbd", "\xbd"},
      {"a\xff", "a\xff"},
      {"\xc3", ""},
      {"a\xe4\xbd\xa0", "a\xe4\xbd\xa0"},
      {"\x80\x80\x80\x80", "\x80\x80\x80\x80"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[16];
    strcpy(text, rows[i].text);
    clrs__drop_cut_character(text);
    assert_string_equal(text, rows[i].left);
  }
}

TEST(json_strings) {
  static const struct {
    const char *text, *json;
  } rows[] = {
      {"", "\"\""},
      {"\"\\/", "\"\\\"\\\\/\""},
      {"\n\x1b\x7f\xc2\x9b", "\"\\u000a\\u001b\\u007f\\u009b\""},
      {"\xc3\xa4\xf0\x9f\x98\x80", "\"\xc3\xa4\xf0\x9f\x98\x80\""},
      {"\xff\xc3(", "\"\\\\xff\\\\xc3(\""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char *printed = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&printed, &size);
    assert_non_null(memory);
    cli_print_string(memory, rows[i].text);
    assert_int_equal(fclose(memory), 0);
    assert_string_equal(printed, rows[i].json);
    free(printed);
  }
}

TESTS(NULL, NULL)
