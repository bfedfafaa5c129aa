/*
 * The .npy header parser and writer: what is read, what is refused and with which sentence, and
 * that no byte beyond the given ones is ever looked at.
 *
 * Every parse happens with the bytes ending at an unmapped page, so an over-read is a crash.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/npy.h"
#include "support/check.h"

enum { ROOM = 65536 };

/* A file in memory; the part given to the parser is `size` bytes of a file of `file_size`. */
typedef struct image {
  unsigned char bytes[ROOM];
  size_t size;
  uint64_t file_size;
} image;

static unsigned char *guarded; /* ROOM bytes, then a page that nobody may touch */

static int map_guarded(void **state) {
  (void)state;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  guarded = mmap(NULL, ROOM + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return guarded == MAP_FAILED || mprotect(guarded + ROOM, page, PROT_NONE) != 0;
}

static clrs_status parse(const image *file, cli_npy_header *header, clrs_error *error) {
  unsigned char *bytes = guarded + ROOM - file->size;
  memcpy(bytes, file->bytes, file->size);
  return cli_npy_parse(bytes, file->size, file->file_size, header, error);
}

/* A file of that version with that header text, as it is, and `data` bytes of 0. */
static void build(image *file, int version, const char *text, size_t data) {
  size_t length = strlen(text), begin = version == 1 ? 10 : 12;
  memset(file, 0, sizeof *file);
  memcpy(file->bytes, "\x93NUMPY", 6);
  file->bytes[6] = (unsigned char)version;
  for (size_t i = 8; i < begin; i++) {
    file->bytes[i] = (unsigned char)(length >> 8 * (i - 8));
  }
  memcpy(file->bytes + begin, text, length);
  file->size = begin + length + data;
  file->file_size = file->size;
}

#define HEAD(descr, order, shape)                                                                  \
  "{'descr': '" descr "', 'fortran_order': " order ", 'shape': " shape ", }   \n"

typedef struct good_row {
  const char *name;
  int version;
  const char *text;
  clrs_dtype dtype;
  uint32_t element_bytes;
  bool fortran_order;
  clrs_shape shape;
} good_row;

static const good_row good_rows[] = {
    {"version_1", 1, HEAD("<f4", "False", "(2, 3)"), CLRS_F32, 4, false, {2, {2, 3}}},
    {"version_2", 2, HEAD("<f4", "False", "(2, 3)"), CLRS_F32, 4, false, {2, {2, 3}}},
    {"version_3", 3, HEAD("<f4", "False", "(2, 3)"), CLRS_F32, 4, false, {2, {2, 3}}},
    {"fortran_order", 1, HEAD("<i2", "True", "(2, 3, 4)"), CLRS_I16, 2, true, {3, {2, 3, 4}}},
    {"scalar", 1, HEAD("<f8", "False", "()"), CLRS_F64, 8, false, {0, {0}}},
    {"one_dimension", 1, HEAD("<u2", "False", "(5,)"), CLRS_U16, 2, false, {1, {5}}},
    {"trailing_comma_in_shape",
     1,
     HEAD("<u2", "False", "(5, 2,)"),
     CLRS_U16,
     2,
     false,
     {2, {5, 2}}},
    {"no_spaces_at_all",
     1,
     "{'descr':'<f4','fortran_order':False,'shape':(2,3)}\n",
     CLRS_F32,
     4,
     false,
     {2, {2, 3}}},
    {"keys_in_another_order",
     1,
     "{'shape': (7,), 'fortran_order': True, 'descr': '<i8'}\n",
     CLRS_I64,
     8,
     true,
     {1, {7}}},
    {"double_quotes",
     1,
     "{\"descr\": \"|i1\", \"fortran_order\": False, \"shape\": (4,)}\n",
     CLRS_I8,
     1,
     false,
     {1, {4}}},
    {"zero_elements", 1, HEAD("<f4", "False", "(3, 0, 2)"), CLRS_F32, 4, false, {3, {3, 0, 2}}},
    {"bool", 1, HEAD("|b1", "False", "(3,)"), CLRS_BOOL, 1, false, {1, {3}}},
    {"int8", 1, HEAD("|i1", "False", "(3,)"), CLRS_I8, 1, false, {1, {3}}},
    {"int32", 1, HEAD("<i4", "False", "(3,)"), CLRS_I32, 4, false, {1, {3}}},
    {"uint8", 1, HEAD("|u1", "False", "(3,)"), CLRS_U8, 1, false, {1, {3}}},
    {"uint32", 1, HEAD("<u4", "False", "(3,)"), CLRS_U32, 4, false, {1, {3}}},
    {"uint64", 1, HEAD("<u8", "False", "(3,)"), CLRS_U64, 8, false, {1, {3}}},
    {"half", 1, HEAD("<f2", "False", "(3,)"), CLRS_F16, 2, false, {1, {3}}},
    {"complex64", 1, HEAD("<c8", "False", "(3,)"), CLRS_C64, 8, false, {1, {3}}},
    {"complex128", 1, HEAD("<c16", "False", "(3,)"), CLRS_C128, 16, false, {1, {3}}},
    {"long_double", 1, HEAD("<f16", "False", "(3,)"), CLRS_BITS128, 16, false, {1, {3}}},
};

static void check_good_row(const good_row *row) {
  static image file;
  cli_npy_header header;
  clrs_error error;
  size_t data = row->element_bytes;
  for (uint32_t i = 0; i < row->shape.rank; i++) {
    data *= (size_t)row->shape.dims[i];
  }
  build(&file, row->version, row->text, data);
  print_message("  %s\n", row->name);
  CHECK_OK(parse(&file, &header, &error), error);
  assert_int_equal(header.dtype, row->dtype);
  assert_int_equal(header.element_bytes, row->element_bytes);
  assert_int_equal(header.fortran_order, row->fortran_order);
  assert_int_equal(header.shape.rank, row->shape.rank);
  for (uint32_t i = 0; i < row->shape.rank; i++) {
    assert_int_equal(header.shape.dims[i], row->shape.dims[i]);
  }
  assert_int_equal(header.data_bytes, data);
  assert_int_equal(header.data_offset, file.size - data);
}

static void every_version_type_and_spelling_is_read(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof good_rows / sizeof good_rows[0]; i++) {
    check_good_row(&good_rows[i]);
  }
}

typedef struct bad_row {
  const char *name, *text;
  size_t data;
  clrs_status status;
  const char *says;
} bad_row;

#define DIMS_16 "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"

static const bad_row bad_rows[] = {
    {"one_byte_short", HEAD("<f4", "False", "(2, 3)"), 23, CLRS_INVALID_ARGUMENT, "truncated"},
    {"one_byte_long", HEAD("<f4", "False", "(2, 3)"), 25, CLRS_INVALID_ARGUMENT, "oversized"},
    {"one_element_long", HEAD("<f4", "False", "(2, 3)"), 28, CLRS_INVALID_ARGUMENT, "oversized"},
    {"bytes_for_no_elements", HEAD("<f4", "False", "(0,)"), 4, CLRS_INVALID_ARGUMENT, "oversized"},
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
    {"big_endian", HEAD(">f4", "False", "(2, 3)"), 24, CLRS_UNSUPPORTED, "big-endian"},
    {"object", HEAD("|O", "False", "(2,)"), 16, CLRS_UNSUPPORTED, "|O"},
    {"bytes", HEAD("|S4", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "|S4"},
    {"unicode", HEAD("<U4", "False", "(2,)"), 32, CLRS_UNSUPPORTED, "<U4"},
    {"void_such_as_bfloat16", HEAD("|V2", "False", "(2,)"), 4, CLRS_UNSUPPORTED, "|V2"},
    {"date", HEAD("<M8[ns]", "False", "(2,)"), 16, CLRS_UNSUPPORTED, "<M8[ns]"},
    {"complex_long_double", HEAD("<c32", "False", "(2,)"), 64, CLRS_UNSUPPORTED, "<c32"},
    {"wide_type_without_order", HEAD("|f4", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "|f4"},
    {"type_without_order", HEAD("f4", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "f4"},
    {"type_of_no_known_width", HEAD("<f40", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "<f40"},
    {"empty_type", HEAD("", "False", "(2,)"), 8, CLRS_UNSUPPORTED, "''"},
    {"structured", "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}\n", 8,
     CLRS_UNSUPPORTED, "structured"},
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

static void every_malformed_header_is_refused_with_its_rule(void **state) {
  static image file;
  (void)state;
  for (size_t i = 0; i < sizeof bad_rows / sizeof bad_rows[0]; i++) {
    const bad_row *row = &bad_rows[i];
    cli_npy_header header, untouched;
    clrs_error error;
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
  clrs_error error;
  CHECK_FAILS(parse(file, &header, &error), status, error);
  CHECK_SAYS(error, says);
}

static void magic_version_and_length_are_checked(void **state) {
  static image file;
  (void)state;
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

static void an_empty_file_is_refused(void **state) {
  static image file;
  (void)state;
  memset(&file, 0, sizeof file);
  check_frame(&file, CLRS_INVALID_ARGUMENT, "not a .npy file");
}

static void every_prefix_of_a_file_is_refused(void **state) {
  static image file;
  cli_npy_header header;
  clrs_error error;
  (void)state;
  for (int version = 1; version <= 3; version++) {
    build(&file, version, HEAD("<f4", "False", "(2, 3)"), 24);
    for (size_t whole = file.size; file.size > 0;) {
      file.file_size = --file.size;
      assert_true(file.size < whole);
      assert_int_not_equal(parse(&file, &header, &error), CLRS_OK);
    }
  }
}

/* Whatever one byte becomes, the parser either fails with a sentence or returns a header that
 * describes the file exactly. */
static void no_changed_byte_makes_it_lie(void **state) {
  static image file;
  size_t accepted = 0;
  (void)state;
  build(&file, 1, HEAD("<f4", "False", "(2, 3)"), 24);
  for (size_t at = 0; at < file.size - 24; at++) {
    const unsigned char original = file.bytes[at];
    for (int value = 0; value < 256; value++) {
      cli_npy_header header;
      clrs_error error = {CLRS_OK, 0, ""};
      file.bytes[at] = (unsigned char)value;
      if (parse(&file, &header, &error) == CLRS_OK) {
        accepted++;
        assert_int_equal(header.data_offset + header.data_bytes, file.size);
      } else {
        assert_true(error.message[0] != '\0');
      }
    }
    file.bytes[at] = original;
  }
  assert_true(accepted >= file.size - 24); /* the unchanged byte, each time */
}

static void longest_header_is_read_and_one_more_byte_is_not(void **state) {
  static image file;
  static char text[CLI_NPY_MAX_HEADER + 2];
  const char *dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  cli_npy_header header;
  clrs_error error;
  (void)state;
  for (size_t length = CLI_NPY_MAX_HEADER; length <= CLI_NPY_MAX_HEADER + 1; length++) {
    memset(text, ' ', length);
    memcpy(text, dict, strlen(dict));
    text[length - 1] = '\n';
    text[length] = '\0';
    build(&file, 1, text, 8);
    if (length == CLI_NPY_MAX_HEADER) {
      CHECK_OK(parse(&file, &header, &error), error);
    } else {
      CHECK_FAILS(parse(&file, &header, &error), CLRS_LIMIT_EXCEEDED, error);
      CHECK_SAYS(error, "10001");
    }
  }
}

static void orders_become_strides(void **state) {
  cli_npy_header header = {.descr = "<f4", .dtype = CLRS_F32, .element_bytes = 4};
  const int64_t row_major[] = {12, 4, 1}, column_major[] = {1, 2, 6};
  clrs_layout layout;
  clrs_error error;
  (void)state;
  header.shape = (clrs_shape){3, {2, 3, 4}};
  CHECK_OK(cli_npy_layout(&header, &layout, &error), error);
  assert_memory_equal(layout.strides, row_major, sizeof row_major);
  header.fortran_order = true;
  CHECK_OK(cli_npy_layout(&header, &layout, &error), error);
  assert_memory_equal(layout.strides, column_major, sizeof column_major);
  assert_int_equal(layout.rank, 3);
  assert_int_equal(layout.offset, 0);
  assert_int_equal(layout.dtype, CLRS_F32);
}

static void written_header_is_what_numpy_writes(void **state) {
  static const char begin[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  char text[CLI_NPY_WRITTEN];
  const clrs_shape shape = {2, {2, 3}};
  (void)state;
  size_t size = cli_npy_format("<f4", &shape, text);
  assert_int_equal(size, 128);
  assert_memory_equal(text, "\x93NUMPY\x01\x00\x76\x00", 10);
  assert_memory_equal(text + 10, begin, sizeof begin - 1);
  for (size_t i = 10 + sizeof begin - 1; i < 127; i++) {
    assert_int_equal(text[i], ' ');
  }
  assert_int_equal(text[127], '\n');
}

static void check_written(const clrs_shape *shape) {
  static image file;
  cli_npy_header header;
  clrs_error error;
  size_t size = cli_npy_format("<c16", shape, (char *)file.bytes);
  assert_int_equal(size % 64, 0);
  file.size = size;
  file.file_size = size;
  for (uint32_t i = 0; i < shape->rank; i++) {
    assert_int_equal(shape->dims[i], 0); /* no elements, so no data */
  }
  if (shape->rank == 0) {
    file.size = file.file_size = size + 16;
  }
  CHECK_OK(parse(&file, &header, &error), error);
  assert_true(clrs_shape_equal(&header.shape, shape));
  assert_string_equal(header.descr, "<c16");
  assert_false(header.fortran_order);
}

static void written_headers_are_read_back_at_every_rank(void **state) {
  clrs_shape shape = {0, {0}};
  (void)state;
  for (shape.rank = 0; shape.rank <= CLRS_MAX_RANK; shape.rank++) {
    check_written(&shape);
  }
}

static void longest_written_header_fits(void **state) {
  clrs_shape shape = {CLRS_MAX_RANK, {0}};
  char *text = malloc(CLI_NPY_WRITTEN);
  (void)state;
  assert_non_null(text);
  for (uint32_t i = 0; i < shape.rank; i++) {
    shape.dims[i] = INT64_MAX; /* more than any tensor has, as wide as a number gets */
  }
  size_t size = cli_npy_format("<c16", &shape, text);
  assert_true(size <= CLI_NPY_WRITTEN);
  assert_int_equal(size % 64, 0);
  assert_int_equal(text[size - 1], '\n');
  free(text);
}

static void opening_places_the_file_at_its_data(void **state) {
  static image file;
  char path[] = "test_npy_XXXXXX";
  cli_npy_file opened;
  clrs_error error;
  char byte = 0;
  (void)state;
  build(&file, 1, HEAD("|u1", "False", "(3,)"), 3);
  file.bytes[file.size - 3] = 77;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, file.bytes, file.size), file.size);
  assert_int_equal(close(fd), 0);
  CHECK_OK(cli_npy_open(path, &opened, &error), error);
  assert_int_equal(read(opened.fd, &byte, 1), 1);
  assert_int_equal(byte, 77);
  cli_npy_close(&opened);
  assert_int_equal(opened.fd, -1);
  assert_int_equal(unlink(path), 0);
  CHECK_FAILS(cli_npy_open(path, &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, path);
}

static void folders_and_pipes_are_not_opened(void **state) {
  const char *pipe_path = "test_npy_pipe";
  cli_npy_file opened;
  clrs_error error;
  (void)state;
  CHECK_FAILS(cli_npy_open(".", &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "not a regular file");
  unlink(pipe_path);
  assert_int_equal(mkfifo(pipe_path, 0600), 0);
  CHECK_FAILS(cli_npy_open(pipe_path, &opened, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "not a regular file");
  assert_int_equal(unlink(pipe_path), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_version_type_and_spelling_is_read),
      cmocka_unit_test(every_malformed_header_is_refused_with_its_rule),
      cmocka_unit_test(magic_version_and_length_are_checked),
      cmocka_unit_test(an_empty_file_is_refused),
      cmocka_unit_test(every_prefix_of_a_file_is_refused),
      cmocka_unit_test(no_changed_byte_makes_it_lie),
      cmocka_unit_test(longest_header_is_read_and_one_more_byte_is_not),
      cmocka_unit_test(orders_become_strides),
      cmocka_unit_test(written_header_is_what_numpy_writes),
      cmocka_unit_test(written_headers_are_read_back_at_every_rank),
      cmocka_unit_test(longest_written_header_fits),
      cmocka_unit_test(opening_places_the_file_at_its_data),
      cmocka_unit_test(folders_and_pipes_are_not_opened),
  };
  return cmocka_run_group_tests(tests, map_guarded, NULL);
}
