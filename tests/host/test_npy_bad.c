/*
 * Input that the .npy parser refuses, and the sentences: malformed, truncated and false headers,
 * and any header with a changed byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "npy_image.h"

typedef struct bad_row {
  const char *name, *text;
  size_t data;
  clrs_status status;
  const char *says;
} bad_row;

#define DIMS_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"

#define STRUCTURE(list) "{'descr': " list ", 'fortran_order': False, 'shape': (2,), }\n"

static const bad_row bad_rows[] = {
    {"one_byte_short", HEAD("<f4", "False", "(2, 3)"), 23, CLRS_INVALID_ARGUMENT, "truncated"},
    {"lying_huge_shape", HEAD("<f4", "False", "(4611686018427387904,)"), 24, CLRS_INVALID_ARGUMENT,
     "4611686018427387904"},
    {"bytes_overflow_to_the_right_size", HEAD("<f8", "False", "(2305843009213693953,)"), 8,
     CLRS_INVALID_ARGUMENT, "truncated"},
    {"product_overflows", HEAD("<f4", "False", "(4294967296, 4294967296)"), 24, CLRS_OVERFLOW,
     "64 bits"},
    {"product_overflows_beside_a_zero", HEAD("<f4", "False", "(0, 4294967296, 4294967296)"), 0,
     CLRS_OVERFLOW, "64 bits"},
    {"dim_overflows", HEAD("<f4", "False", "(9223372036854775808,)"), 24, CLRS_OVERFLOW, "64 bits"},
    {"dim_of_forty_digits", HEAD("<f4", "False", "(1000000000000000000000000000000000000000,)"), 24,
     CLRS_OVERFLOW, "64 bits"},
    {"negative_dim", HEAD("<f4", "False", "(-1,)"), 4, CLRS_INVALID_ARGUMENT, "integers >= 0"},
    {"dim_is_a_float", HEAD("<f4", "False", "(2.0,)"), 8, CLRS_INVALID_ARGUMENT, "comma"},
    {"dim_is_true", HEAD("<f4", "False", "(True,)"), 4, CLRS_INVALID_ARGUMENT, "integers"},
    {"dim_with_underscore", HEAD("<f4", "False", "(1_0,)"), 40, CLRS_INVALID_ARGUMENT, "comma"},
    {"dim_with_leading_zero", HEAD("<f4", "False", "(010,)"), 40, CLRS_INVALID_ARGUMENT,
     "begins with 0"},
    {"rank_33", HEAD("<f4", "False", "(" DIMS_16 DIMS_16 "1)"), 4, CLRS_LIMIT_EXCEEDED, "32"},
    {"shape_is_a_list", HEAD("<f4", "False", "[2, 3]"), 24, CLRS_INVALID_ARGUMENT, "tuple"},
    {"shape_is_a_number", HEAD("<f4", "False", "6"), 24, CLRS_INVALID_ARGUMENT, "tuple"},
    {"shape_is_a_number_in_brackets", HEAD("<f4", "False", "(6)"), 24, CLRS_INVALID_ARGUMENT,
     "tuple"},
    {"shape_does_not_end", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3\n", 24,
     CLRS_INVALID_ARGUMENT, "comma"},
    {"shape_is_a_comma", HEAD("<f4", "False", "(,)"), 4, CLRS_INVALID_ARGUMENT, "integers"},
    {"shape_with_two_commas", HEAD("<f4", "False", "(2,,3)"), 24, CLRS_INVALID_ARGUMENT,
     "integers"},
    {"object", HEAD("|O", "False", "(2,)"), 16, CLRS_UNSUPPORTED, "|O"},
    {"object_in_a_structure", STRUCTURE("[('a', '<f4'), ('b', '|O')]"), 24, CLRS_UNSUPPORTED, "|O"},
    {"bytes_of_no_width", HEAD("|S", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "|S"},
    {"no_bytes", HEAD("|V0", "False", "(2,)"), 0, CLRS_UNSUPPORTED, "elements of 0 bytes"},
    {"too_many_bytes", HEAD("<U999999999", "False", "(0,)"), 0, CLRS_UNSUPPORTED, "3999999996"},
    {"bytes_of_ten_digits", HEAD("|S1000000000", "False", "(0,)"), 0, CLRS_UNSUPPORTED,
     "|S1000000000"},
    {"date_of_4_bytes", HEAD("<M4[ns]", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "<M4[ns]"},
    {"date_of_an_empty_unit", HEAD("<M8[]", "False", "(2,)"), 16, CLRS_UNSUPPORTED, "<M8[]"},
    {"date_without_an_end", HEAD("<M8[ns", "False", "(2,)"), 16, CLRS_UNSUPPORTED, "<M8[ns"},
    {"a_list_as_a_string", HEAD("[", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "'['"},
    {"structure_without_fields", STRUCTURE("[]"), 0, CLRS_UNSUPPORTED, "elements of 0 bytes"},
    {"structure_of_strings", STRUCTURE("['<f4']"), 8, CLRS_INVALID_ARGUMENT, "is not a tuple"},
    {"field_without_type", STRUCTURE("[('a')]"), 8, CLRS_INVALID_ARGUMENT, "lacks its type"},
    {"field_of_a_number", STRUCTURE("[('a', 4)]"), 8, CLRS_INVALID_ARGUMENT, "string"},
    {"field_of_a_shape_that_is_none", STRUCTURE("[('a', '<f4', 2)]"), 16, CLRS_INVALID_ARGUMENT,
     "the shape of a field is not a tuple"},
    {"field_of_too_much", STRUCTURE("[('a', '<f4', (2,), 1)]"), 16, CLRS_INVALID_ARGUMENT,
     "a field does not end"},
    {"field_without_an_end", STRUCTURE("[('a', '<f4']"), 8, CLRS_INVALID_ARGUMENT,
     "a field does not end"},
    {"fields_without_a_comma", STRUCTURE("[('a', '<f4') ('b', '<f4')]"), 16, CLRS_INVALID_ARGUMENT,
     "a comma or ']' is missing"},
    {"title_without_name", STRUCTURE("[(('a'), '<f4')]"), 8, CLRS_INVALID_ARGUMENT,
     "a title lacks its name"},
    {"three_names", STRUCTURE("[(('a', 'b', 'c'), '<f4')]"), 8, CLRS_INVALID_ARGUMENT,
     "a name does not end"},
    {"name_without_an_end", "{'descr': [('a", 8, CLRS_INVALID_ARGUMENT, "newline"},
    {"name_that_ends_in_a_backslash", "{'descr': [('a\\\n", 8, CLRS_INVALID_ARGUMENT,
     "a string does not end"},
    {"name_with_a_newline", "{'descr': [('a\nb', '<f4')]\n", 8, CLRS_INVALID_ARGUMENT,
     "control character"},
    {"structure_beyond_64_bits",
     STRUCTURE("[('a', [('b', '|V65536', (2147483647,))], (2147483647,))]"), 0, CLRS_OVERFLOW,
     "64 bits"},
    {"structures_17_deep",
     STRUCTURE(
         "[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',"
         "[('a',[('a',[('a','<f4')])])])])])])])])])])])])])])])])]"),
     8, CLRS_LIMIT_EXCEEDED, "16 deep"},
    {"type_of_two_orders", HEAD("<<f4", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "<<f4"},
    {"word_with_an_order", HEAD("<float32", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "<float32"},
    {"letter_with_a_width", HEAD("d8", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "d8"},
    {"only_an_order", HEAD("<", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "'<'"},
    {"long_of_two", HEAD("<f4", "False", "(2LL,)"), 8, CLRS_INVALID_ARGUMENT, "comma"},
    {"only_a_long", HEAD("<f4", "False", "(L,)"), 8, CLRS_INVALID_ARGUMENT, "integers"},
    {"type_of_no_known_width", HEAD("<f40", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "<f40"},
    {"empty_type", HEAD("", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "''"},
    {"very_long_type", HEAD("<f4aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "False", "(2,)"), 8,
     CLRS_UNSUPPORTED, "<f4aaaa"},
    {"type_is_a_number", "{'descr': 4, 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_INVALID_ARGUMENT, "string"},
    {"escaped_key", "{'de\\x73cr': '<f4', 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_UNSUPPORTED, "key"},
    {"order_is_a_number", HEAD("<f4", "0", "(2,)"), 8, CLRS_INVALID_ARGUMENT, "fortran_order"},
    {"order_in_lower_case", HEAD("<f4", "false", "(2,)"), 8, CLRS_INVALID_ARGUMENT,
     "fortran_order"},
    {"order_with_a_tail", HEAD("<f4", "Falsehood", "(2,)"), 8, CLRS_INVALID_ARGUMENT, "comma"},
    {"key_missing", "{'descr': '<f4', 'shape': (2,)}\n", 8, CLRS_INVALID_ARGUMENT, "all be there"},
    {"key_twice", "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_INVALID_ARGUMENT, "twice"},
    {"unknown_key", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}\n", 8,
     CLRS_INVALID_ARGUMENT, "'x'"},
    {"empty_dict", "{}\n", 0, CLRS_INVALID_ARGUMENT, "all be there"},
    {"not_a_dict", "['descr']\n", 0, CLRS_INVALID_ARGUMENT, "'{'"},
    {"dict_does_not_end", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,),\n", 8,
     CLRS_INVALID_ARGUMENT, "string"},
    {"key_does_not_end", "{'descr\n", 0, CLRS_INVALID_ARGUMENT, "does not end"},
    {"colon_missing", "{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_INVALID_ARGUMENT, "colon"},
    {"comma_missing", "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_INVALID_ARGUMENT, "comma"},
    {"two_commas", "{'descr': '<f4',, 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_INVALID_ARGUMENT, "string"},
    {"text_after_the_dict", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x\n", 8,
     CLRS_INVALID_ARGUMENT, "follows"},
    {"no_newline", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} ", 8,
     CLRS_INVALID_ARGUMENT, "newline"},
    {"empty_header", "", 8, CLRS_INVALID_ARGUMENT, "newline"},
    {"blank_header", "    \n", 8, CLRS_INVALID_ARGUMENT, "'{'"},
};

TEST(every_malformed_header_is_refused_with_its_rule) {
  static image file;
  for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
    const bad_row *row = &bad_rows[i];
    cli_npy_header header, untouched;
    memset(&header, 0x5a, sizeof header);
    untouched = header;
    build(&file, 1, row->text, row->data);
    print_message("  %s\n", row->name);
    CHECK_FAILS(parse(&file, &header, &error), row->status, error);
    CHECK_SAYS(error, row->says);
    assert_memory_equal(&header, &untouched, sizeof header);
  }
}

static void check_frame(const image *file, clrs_status status, const char *says) {
  cli_npy_header header;
  CHECK_FAILS(parse(file, &header, &error), status, error);
  CHECK_SAYS(error, says);
}

TEST(magic_version_and_length_are_checked) {
  static image file;
  build(&file, 1, HEAD("<f4", "False", "(2,)"), 8);
  file.bytes[0] = 'N';
  check_frame(&file, CLRS_INVALID_ARGUMENT, "not a .npy file");
  build(&file, 4, HEAD("<f4", "False", "(2,)"), 8);
  check_frame(&file, CLRS_UNSUPPORTED, "4.0");
  build(&file, 1, HEAD("<f4", "False", "(2,)"), 8);
  file.bytes[7] = 1;
  check_frame(&file, CLRS_UNSUPPORTED, "1.1");
  build(&file, 1, HEAD("<f4", "False", "(2,)"), 8);
  file.bytes[9] = 0x26; /* 9728 and something: within the limit, beyond the file */
  check_frame(&file, CLRS_INVALID_ARGUMENT, "truncated");
  file.bytes[9] = 0xff;
  check_frame(&file, CLRS_LIMIT_EXCEEDED, "10000");
  build(&file, 2, HEAD("<f4", "False", "(2,)"), 8);
  file.bytes[10] = file.bytes[11] = 0xff; /* 4 GiB */
  check_frame(&file, CLRS_LIMIT_EXCEEDED, "4294901");
}

TEST(an_empty_file_is_refused) {
  static image file;
  memset(&file, 0, sizeof file);
  check_frame(&file, CLRS_INVALID_ARGUMENT, "not a .npy file");
}

TEST(every_prefix_of_a_file_is_refused) {
  static image file;
  cli_npy_header header;
  for (int version = 1; version <= 3; version++) {
    build(&file, version, HEAD("<f4", "False", "(2, 3)"), 24);
    for (size_t whole = file.size; file.size > 0;) {
      file.file_size = --file.size;
      assert_true(file.size < whole);
      assert_int_not_equal(parse(&file, &header, &error), CLRS_OK);
    }
  }
}

/* For any changed byte, the parser either fails with a sentence or returns a header that describes
 * the file exactly. */
TEST(no_changed_byte_makes_it_lie) {
  static image file;
  size_t accepted = 0;
  build(&file, 1, HEAD("<f4", "False", "(2, 3)"), 24);
  for (size_t at = 0; at < file.size - 24; at++) {
    const unsigned char original = file.bytes[at];
    for (int value = 0; value < 256; value++) {
      cli_npy_header header;
      clrs_error error = {CLRS_OK, 0, ""};
      file.bytes[at] = (unsigned char)value;
      if (parse(&file, &header, &error) == CLRS_OK) {
        accepted++;
        assert_int_equal(header.data_offset + header.data_bytes + header.rest_bytes, file.size);
      } else {
        assert_true(error.message[0] != '\0');
      }
    }
    file.bytes[at] = original;
  }
  assert_true(accepted >= file.size - 24); /* the unchanged byte, each time */
}

TESTS(map_guarded, NULL)
