/*
 * TensorProto: decodes every data field, refuses false claims, and writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/tensor_proto.h"

/* A TensorProto on the stack. The data belongs to the caller. */
static Onnx__TensorProto make(int32_t data_type, size_t rank, int64_t *dims) {
  Onnx__TensorProto proto = ONNX__TENSOR_PROTO__INIT;
  proto.has_data_type = 1;
  proto.data_type = data_type;
  proto.n_dims = rank;
  proto.dims = dims;
  return proto;
}

static void check_decodes(const Onnx__TensorProto *proto, clrs_dtype dtype, const void *bytes,
                          size_t size) {
  onnx_arena arena = {.left = SIZE_MAX};
  onnx_dense tensor;
  onnx_strings strings = {0};
  CHECK_OK(tensor_proto_decode(proto, &arena, &strings, &tensor, &error), error);
  assert_int_equal(tensor.dtype, dtype);
  assert_int_equal(tensor.size, size);
  assert_int_equal(tensor.shape.rank, proto->n_dims);
  if (size > 0)
    assert_memory_equal(tensor.bytes, bytes, size);
  onnx_arena_end_node(&arena);
  assert_int_equal(arena.left, SIZE_MAX);
}

static void check_refused(const Onnx__TensorProto *proto, clrs_status status, const char *text) {
  onnx_arena arena = {.left = SIZE_MAX};
  onnx_dense tensor;
  onnx_strings strings = {0};
  CHECK_FAILS(tensor_proto_decode(proto, &arena, &strings, &tensor, &error), status, error);
  CHECK_SAYS(error, text);
  assert_true(tensor_proto_decode(proto, &arena, &strings, &tensor, NULL) == status);
  onnx_arena_end_node(&arena);
  assert_int_equal(arena.left, SIZE_MAX);
}

TEST(wide_fields_are_taken_as_they_are) {
  int64_t two[] = {2};
  float floats[] = {1.5F, -0.0F, 3, 4};
  double doubles[] = {1e300, -2, 3, 4};
  int64_t longs[] = {INT64_MIN, INT64_MAX};
  uint64_t unsigned_longs[] = {0, UINT64_MAX};
  int32_t ints[] = {INT32_MIN, INT32_MAX};
  Onnx__TensorProto proto = make(1, 1, two);
  proto.n_float_data = 2, proto.float_data = floats;
  check_decodes(&proto, CLRS_F32, floats, 8);
  proto.data_type = 14, proto.n_float_data = 4;
  check_decodes(&proto, CLRS_C64, floats, 16);
  proto = make(11, 1, two);
  proto.n_double_data = 2, proto.double_data = doubles;
  check_decodes(&proto, CLRS_F64, doubles, 16);
  proto.data_type = 15, proto.n_double_data = 4;
  check_decodes(&proto, CLRS_C128, doubles, 32);
  proto = make(7, 1, two);
  proto.n_int64_data = 2, proto.int64_data = longs;
  check_decodes(&proto, CLRS_I64, longs, 16);
  proto = make(13, 1, two);
  proto.n_uint64_data = 2, proto.uint64_data = unsigned_longs;
  check_decodes(&proto, CLRS_U64, unsigned_longs, 16);
  proto = make(6, 1, two);
  proto.n_int32_data = 2, proto.int32_data = ints;
  check_decodes(&proto, CLRS_I32, ints, 8);
}

/* Three values in a narrower type: the result, or that the values do not fit. */
typedef struct narrow_row {
  const char *name;
  int32_t data_type;
  clrs_dtype dtype;
  int32_t values[3];
  uint8_t bytes[6];
  size_t size;
} narrow_row;

static const narrow_row narrow_rows[] = {
    {"bool", 9, CLRS_BOOL, {0, 1, 1}, {0, 1, 1}, 3},
    {"int8", 3, CLRS_I8, {-128, -1, 127}, {0x80, 0xff, 0x7f}, 3},
    {"uint8", 2, CLRS_U8, {0, 128, 255}, {0, 128, 255}, 3},
    {"int16", 5, CLRS_I16, {-32768, -2, 32767}, {0, 0x80, 0xfe, 0xff, 0xff, 0x7f}, 6},
    {"uint16", 4, CLRS_U16, {0, 258, 65535}, {0, 0, 2, 1, 0xff, 0xff}, 6},
    {"float16 bits", 10, CLRS_F16, {0, 0x3c00, 0xfe01}, {0, 0, 0, 0x3c, 1, 0xfe}, 6},
    {"bfloat16 bits", 16, CLRS_BF16, {0x3f80, -32768, 1}, {0x80, 0x3f, 0, 0x80, 1, 0}, 6},
    {"float8e4m3fn bits", 17, CLRS_F8E4M3FN, {0x7f, 0x80, -1}, {0x7f, 0x80, 0xff}, 3},
    {"float8e5m2fnuz bits", 20, CLRS_F8E5M2FNUZ, {1, 2, 255}, {1, 2, 255}, 3},
    {"float8e8m0 bits", 24, CLRS_F8E8M0, {0, 127, 255}, {0, 127, 255}, 3},
};

TEST(narrow_types_come_from_int32_data) {
  int64_t three[] = {3};
  for (size_t i = 0; i < sizeof narrow_rows / sizeof narrow_rows[0]; i++) {
    narrow_row row = narrow_rows[i];
    Onnx__TensorProto proto = make(row.data_type, 1, three);
    proto.n_int32_data = 3, proto.int32_data = row.values;
    check_decodes(&proto, row.dtype, row.bytes, row.size);
  }
}

TEST(packed_types_hold_a_byte_per_value) {
  int64_t five[] = {5};
  int32_t bytes_of_4[] = {0x21, 0x43, 0x05}, bytes_of_2[] = {0xe4, 0x02};
  const uint8_t fours[] = {0x21, 0x43, 0x05}, twos[] = {0xe4, 0x02};
  const int32_t types_of_4[] = {21, 22, 23}, types_of_2[] = {25, 26};
  const clrs_dtype dtypes_of_4[] = {CLRS_U4, CLRS_I4, CLRS_F4E2M1},
                   dtypes_of_2[] = {CLRS_U2, CLRS_I2};
  for (size_t i = 0; i < 3; i++) {
    Onnx__TensorProto proto = make(types_of_4[i], 1, five);
    proto.n_int32_data = 3, proto.int32_data = bytes_of_4;
    check_decodes(&proto, dtypes_of_4[i], fours, 3);
    proto.n_int32_data = 5;
    check_refused(&proto, CLRS_INVALID_ARGUMENT, "int32_data has 5 values");
  }
  for (size_t i = 0; i < 2; i++) {
    Onnx__TensorProto proto = make(types_of_2[i], 1, five);
    proto.n_int32_data = 2, proto.int32_data = bytes_of_2;
    check_decodes(&proto, dtypes_of_2[i], twos, 2);
  }
}

TEST(uint32_comes_from_uint64_data) {
  int64_t two[] = {2};
  uint64_t values[] = {1, UINT32_MAX};
  const uint32_t expected[] = {1, UINT32_MAX};
  Onnx__TensorProto proto = make(12, 1, two);
  proto.n_uint64_data = 2, proto.uint64_data = values;
  check_decodes(&proto, CLRS_U32, expected, 8);
  values[1]++;
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "4294967296");
}

TEST(raw_data_must_have_the_exact_length) {
  uint8_t bytes[32] = {1, 2, 3};
  int64_t dims[] = {2, 3};
  Onnx__TensorProto proto = make(5, 2, dims);
  proto.has_raw_data = 1;
  proto.raw_data.data = bytes;
  for (size_t size = 0; size <= sizeof bytes; size++) {
    proto.raw_data.len = size;
    if (size == 12)
      check_decodes(&proto, CLRS_I16, bytes, 12);
    else
      check_refused(&proto, CLRS_INVALID_ARGUMENT, "raw_data has");
  }
}

TEST(scalars_and_empty_tensors) {
  uint8_t bytes[8] = {7};
  int64_t dims[] = {3, 0};
  Onnx__TensorProto proto = make(11, 0, NULL);
  proto.has_raw_data = 1;
  proto.raw_data = (ProtobufCBinaryData){8, bytes};
  check_decodes(&proto, CLRS_F64, bytes, 8);
  proto = make(11, 2, dims);
  check_decodes(&proto, CLRS_F64, NULL, 0);
  proto.has_raw_data = 1;
  check_decodes(&proto, CLRS_F64, NULL, 0);
}

TEST(what_is_not_there_is_refused) {
  int64_t two[] = {2};
  Onnx__TensorProto proto = make(1, 1, two);
  check_refused(NULL, CLRS_INVALID_ARGUMENT, "missing");
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "float_data has 0 values");
  proto.has_data_location = 1;
  proto.data_location = ONNX__TENSOR_PROTO__DATA_LOCATION__EXTERNAL;
  check_refused(&proto, CLRS_UNSUPPORTED, "external_data");
  Onnx__StringStringEntryProto entry = ONNX__STRING_STRING_ENTRY_PROTO__INIT, *entries = &entry;
  proto = make(1, 1, two);
  proto.n_external_data = 1, proto.external_data = &entries;
  check_refused(&proto, CLRS_UNSUPPORTED, "external_data");
  Onnx__TensorProto__Segment segment = ONNX__TENSOR_PROTO__SEGMENT__INIT;
  proto = make(1, 1, two);
  proto.segment = &segment;
  check_refused(&proto, CLRS_UNSUPPORTED, "segment");
  proto = make(8, 1, two);
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "string_data has 0 values; its dims need 2");
  proto.has_raw_data = 1, proto.raw_data.len = 32, proto.raw_data.data = (uint8_t *)&entry;
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "in string_data");
}

TEST(types_that_do_not_exist_are_refused) {
  int64_t two[] = {2};
  Onnx__TensorProto proto = make(0, 1, two);
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "no data_type");
  proto.has_data_type = 0;
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "no data_type");
  const int32_t numbers[] = {-1, 99, 1000, INT32_MAX, INT32_MIN};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    char text[16];
    proto = make(numbers[i], 1, two);
    snprintf(text, sizeof text, "%d", (int)numbers[i]);
    check_refused(&proto, CLRS_INVALID_ARGUMENT, text);
  }
}

TEST(dims_are_checked_before_anything_is_sized) {
  int64_t negative[] = {2, -1}, huge[] = {(int64_t)1 << 40, (int64_t)1 << 40};
  int64_t many_bits[] = {(int64_t)1 << 62}, deep[33];
  for (size_t i = 0; i < 33; i++)
    deep[i] = 1;
  Onnx__TensorProto proto = make(1, 2, negative);
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "-1");
  proto = make(1, 2, huge);
  check_refused(&proto, CLRS_OVERFLOW, "64");
  proto = make(15, 1, many_bits);
  check_refused(&proto, CLRS_OVERFLOW, "2^64 bits");
  proto = make(1, 33, deep);
  check_refused(&proto, CLRS_LIMIT_EXCEEDED, "33");
}

TEST(two_data_fields_or_the_wrong_one_are_refused) {
  int64_t one[] = {1};
  float value = 1;
  uint8_t bytes[4] = {0};
  int32_t number = 1;
  Onnx__TensorProto proto = make(1, 1, one);
  proto.n_float_data = 1, proto.float_data = &value;
  proto.has_raw_data = 1;
  proto.raw_data = (ProtobufCBinaryData){4, bytes};
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "both float_data and raw_data");
  proto = make(1, 1, one);
  proto.n_int32_data = 1, proto.int32_data = &number;
  check_refused(&proto, CLRS_INVALID_ARGUMENT, "it has int32_data, but elements of type float");
}

/* Header and data together must be a TensorProto to protobuf-c. */
static void check_written(clrs_dtype dtype, size_t rank, const int64_t *dims, size_t data_size) {
  size_t size = 0;
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_onnx_tensor_header(dtype, &shape, "result", NULL, 0, &size, &error), error);
  uint8_t *file = malloc(size + data_size + 1);
  assert_non_null(file);
  CHECK_FAILS(clrs_onnx_tensor_header(dtype, &shape, "result", file, size - 1, &size, &error),
              CLRS_OUT_OF_BOUNDS, error);
  CHECK_OK(clrs_onnx_tensor_header(dtype, &shape, "result", file, size, &size, &error), error);
  for (size_t i = 0; i < data_size; i++)
    file[size + i] = (uint8_t)(i * 7 + 1);
  Onnx__TensorProto *proto = onnx__tensor_proto__unpack(NULL, size + data_size, file);
  assert_non_null(proto);
  assert_int_equal(proto->data_type, clrs_dtype_to_onnx(dtype));
  assert_string_equal(proto->name, "result");
  assert_int_equal(proto->n_dims, rank);
  for (size_t i = 0; i < rank; i++)
    assert_true(proto->dims[i] == dims[i]);
  assert_true(proto->has_raw_data);
  assert_int_equal(proto->raw_data.len, data_size);
  if (data_size > 0)
    assert_memory_equal(proto->raw_data.data, file + size, data_size);
  onnx__tensor_proto__free_unpacked(proto, NULL);
  free(file);
}

TEST(what_is_written_can_be_parsed) {
  const int64_t dims[] = {3, 5}, empty[] = {4, 0}, large[] = {(int64_t)1 << 20};
  check_written(CLRS_F32, 2, dims, 60);
  check_written(CLRS_I4, 2, dims, 8);
  check_written(CLRS_BOOL, 0, NULL, 1);
  check_written(CLRS_C128, 2, empty, 0);
  check_written(CLRS_U16, 1, large, (size_t)2 << 20);
}

TEST(two_gibibytes_are_too_much_for_a_file) {
  const int64_t most[] = {INT32_MAX - 64}, more[] = {INT32_MAX};
  size_t size = 0;
  clrs_shape shape;
  CHECK_OK(clrs_shape_init(1, most, &shape, &error), error);
  CHECK_OK(clrs_onnx_tensor_header(CLRS_U8, &shape, "x", NULL, 0, &size, &error), error);
  CHECK_OK(clrs_shape_init(1, more, &shape, &error), error);
  CHECK_FAILS(clrs_onnx_tensor_header(CLRS_U8, &shape, "x", NULL, 0, &size, &error),
              CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "2147483647");
}

TESTS(NULL, NULL)
