/*
 * Headers of .npy files: every version, type and spelling that is read, and headers that are
 * written. test_npy_bad.c has the refusals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "npy_image.h"

typedef struct good_row {
  const char *name;
  int version;
  const char *text;
  clrs_dtype dtype;
  uint32_t element_bytes;
  bool fortran_order;
  clrs_shape shape;
} good_row;

#define STRUCTURE(list) "{'descr': " list ", 'fortran_order': False, 'shape': (2,), }\n"

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
    {"long_double_of_12", 1, HEAD("<f12", "False", "(3,)"), CLRS_BITS32, 12, false, {1, {3}}},
    {"complex_long_double", 1, HEAD("<c32", "False", "(2,)"), CLRS_BITS128, 32, false, {1, {2}}},
    {"order_of_no_meaning", 1, HEAD("|f4", "False", "(3,)"), CLRS_F32, 4, false, {1, {3}}},
    {"order_of_the_machine", 1, HEAD("=f4", "False", "(3,)"), CLRS_F32, 4, false, {1, {3}}},
    {"without_an_order", 1, HEAD("f4", "False", "(3,)"), CLRS_F32, 4, false, {1, {3}}},
    {"letter", 1, HEAD("?", "False", "(3,)"), CLRS_BOOL, 1, false, {1, {3}}},
    {"letter_with_an_order", 1, HEAD(">l", "False", "(3,)"), CLRS_BITS64, 8, false, {1, {3}}},
    {"word", 1, HEAD("float32", "False", "(3,)"), CLRS_F32, 4, false, {1, {3}}},
    {"byte_with_an_order", 1, HEAD(">u1", "False", "(3,)"), CLRS_U8, 1, false, {1, {3}}},
    {"python_2", 1, HEAD("<f4", "False", "(2L, 3 L)"), CLRS_F32, 4, false, {2, {2, 3}}},
    {"big_endian", 1, HEAD(">f4", "True", "(2, 3)"), CLRS_BITS32, 4, true, {2, {2, 3}}},
    {"bytes", 1, HEAD("|S4", "False", "(2,)"), CLRS_BITS32, 4, false, {1, {2}}},
    {"bytes_of_no_power_of_two", 1, HEAD("|S5", "False", "(2,)"), CLRS_BITS8, 5, false, {1, {2}}},
    {"unicode", 1, HEAD("<U3", "False", "(2,)"), CLRS_BITS32, 12, false, {1, {2}}},
    {"void_such_as_bfloat16", 1, HEAD("|V2", "False", "(2,)"), CLRS_BITS16, 2, false, {1, {2}}},
    {"void_as_ml_dtypes_writes_it",
     1,
     HEAD("<V2", "False", "(2,)"),
     CLRS_BITS16,
     2,
     false,
     {1, {2}}},
    {"date", 1, HEAD("<M8[ns]", "False", "(2,)"), CLRS_BITS64, 8, false, {1, {2}}},
    {"span_of_25_seconds", 1, HEAD(">m8[25s]", "False", "(2,)"), CLRS_BITS64, 8, false, {1, {2}}},
    {"date_without_a_unit", 1, HEAD("<M8", "False", "(2,)"), CLRS_BITS64, 8, false, {1, {2}}},
    {"structure",
     1,
     STRUCTURE("[('a', '<f4'), ('b', '|u1', (2, 3)), ('', '|V2')]"),
     CLRS_BITS32,
     12,
     false,
     {1, {2}}},
    {"structure_with_titles",
     1,
     STRUCTURE("[(('t)[', 'a\\'b'), '>i2'), (\"it's\", '<U1',), ]"),
     CLRS_BITS16,
     6,
     false,
     {1, {2}}},
    {"structure_in_another",
     1,
     STRUCTURE("[('x', [('y', '<f8'), ('z', [('w', '|S3')], (2,))], (3,)), ('v', '|b1')]"),
     CLRS_BITS8,
     43,
     false,
     {1, {2}}},
};

static void check_good_row(const good_row *row) {
  static image file;
  cli_npy_header header;
  size_t data = row->element_bytes;
  for (uint32_t i = 0; i < row->shape.rank; i++) {
    data *= (size_t)row->shape.dims[i];
  }
  build(&file, row->version, row->text, data);
  print_message("  %s\n", row->name);
  CHECK_OK(parse(&file, &header, &error), error);
  assert_int_equal(header.type.dtype, row->dtype);
  assert_int_equal(header.type.element_bytes, row->element_bytes);
  assert_int_equal(header.type.units, row->element_bytes / (clrs_dtype_bits(row->dtype) / 8));
  assert_int_equal(header.fortran_order, row->fortran_order);
  assert_int_equal(header.shape.rank, row->shape.rank);
  for (uint32_t i = 0; i < row->shape.rank; i++) {
    assert_int_equal(header.shape.dims[i], row->shape.dims[i]);
  }
  assert_int_equal(header.data_bytes, data);
  assert_int_equal(header.data_offset, file.size - data);
}

TEST(every_version_type_and_spelling_is_read) {
  for (size_t i = 0; i < sizeof good_rows / sizeof good_rows[0]; i++) {
    check_good_row(&good_rows[i]);
  }
}

TEST(longest_header_is_read_and_one_more_byte_is_not) {
  static image file;
  static char text[CLI_NPY_MAX_HEADER + 2];
  const char *dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  cli_npy_header header;
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

TEST(written_header_is_what_numpy_writes) {
  static const char begin[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  char text[CLI_NPY_WRITTEN];
  const clrs_shape shape = {2, {2, 3}};
  const cli_npy_type type = {.descr = "<f4"};
  size_t size = cli_npy_format(&type, &shape, text);
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
  const cli_npy_type type = {.descr = "<c16"};
  size_t size = cli_npy_format(&type, shape, (char *)file.bytes);
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
  assert_string_equal(header.type.descr, "<c16");
  assert_false(header.fortran_order);
}

TEST(written_headers_are_read_back_at_every_rank) {
  clrs_shape shape = {0, {0}};
  for (shape.rank = 0; shape.rank <= CLRS_MAX_RANK; shape.rank++) {
    check_written(&shape);
  }
}

TEST(longest_written_header_fits) {
  static cli_npy_type type = {.is_utf8 = true};
  clrs_shape shape = {CLRS_MAX_RANK, {0}};
  char *text = malloc(CLI_NPY_WRITTEN);
  assert_non_null(text);
  memset(type.descr, 'x', CLI_NPY_MOST_DESCR);
  for (uint32_t i = 0; i < shape.rank; i++) {
    shape.dims[i] = INT64_MAX; /* more than any tensor has, as wide as a number gets */
  }
  size_t size = cli_npy_format(&type, &shape, text);
  assert_true(size <= CLI_NPY_WRITTEN && size <= 12 + CLI_NPY_MAX_HEADER);
  assert_int_equal(size % 64, 0);
  assert_int_equal(text[size - 1], '\n');
  free(text);
}

TESTS(map_guarded, NULL)
