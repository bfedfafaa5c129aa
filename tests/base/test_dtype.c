/*
 * Element types: widths, and the names and numbers of the real packages (dtypes_of_packages.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "dtypes_of_packages.h"

enum { SYSTEMS = 4 };

/* The number in a type's name, or the number of its standard, independent of the library. */
static const struct {
  clrs_dtype dtype;
  uint32_t bits;
  const char *name;
} widths[] = {
    {CLRS_BITS1, 1, "bits1"},
    {CLRS_BITS2, 2, "bits2"},
    {CLRS_BITS4, 4, "bits4"},
    {CLRS_BITS8, 8, "bits8"},
    {CLRS_BITS16, 16, "bits16"},
    {CLRS_BITS32, 32, "bits32"},
    {CLRS_BITS64, 64, "bits64"},
    {CLRS_BITS128, 128, "bits128"},
    {CLRS_BOOL, 8, "bool"},
    {CLRS_I2, 2, "i2"},
    {CLRS_I4, 4, "i4"},
    {CLRS_I8, 8, "i8"},
    {CLRS_I16, 16, "i16"},
    {CLRS_I32, 32, "i32"},
    {CLRS_I64, 64, "i64"},
    {CLRS_U1, 1, "u1"},
    {CLRS_U2, 2, "u2"},
    {CLRS_U3, 3, "u3"},
    {CLRS_U4, 4, "u4"},
    {CLRS_U6, 6, "u6"},
    {CLRS_U8, 8, "u8"},
    {CLRS_U16, 16, "u16"},
    {CLRS_U32, 32, "u32"},
    {CLRS_U64, 64, "u64"},
    {CLRS_F16, 16, "f16"},
    {CLRS_BF16, 16, "bf16"},
    {CLRS_F32, 32, "f32"},
    {CLRS_F64, 64, "f64"},
    {CLRS_C64, 64, "c64"},
    {CLRS_C128, 128, "c128"},
    {CLRS_F8E4M3FN, 8, "f8e4m3fn"},
    {CLRS_F8E4M3FNUZ, 8, "f8e4m3fnuz"},
    {CLRS_F8E5M2, 8, "f8e5m2"},
    {CLRS_F8E5M2FNUZ, 8, "f8e5m2fnuz"},
    {CLRS_F8E8M0, 8, "f8e8m0"},
    {CLRS_F4E2M1, 4, "f4e2m1"},
    {CLRS_F4E3M0, 4, "f4e3m0"},
    {CLRS_NF4, 4, "nf4"},
    {CLRS_STRING, 128, "string"},
    {CLRS_F6E2M3, 6, "f6e2m3"},
    {CLRS_F6E3M2, 6, "f6e3m2"},
};

TEST(every_type_has_its_width_and_name) {
  assert_int_equal(COUNT(widths), CLRS_DTYPE_COUNT);
  for (size_t i = 0; i < COUNT(widths); i++) {
    assert_int_equal(widths[i].dtype, i); /* so that no type is missing */
    assert_int_equal(clrs_dtype_bits(widths[i].dtype), widths[i].bits);
    assert_string_equal(clrs_dtype_name(widths[i].dtype, CLRS_TYPES_CLRESHAPE), widths[i].name);
  }
}

/* Also proves that no system has the same name for two types. */
TEST(every_name_leads_back_to_its_type) {
  for (int system = 0; system < SYSTEMS; system++) {
    for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
      const char *name = clrs_dtype_name((clrs_dtype)dtype, (clrs_type_system)system);
      clrs_dtype found = CLRS_DTYPE_COUNT;
      if (name != NULL) {
        CHECK_OK(clrs_dtype_from_name(name, (clrs_type_system)system, &found, &error), error);
        assert_int_equal(found, dtype);
      }
    }
  }
}

static size_t names_in(clrs_type_system system) {
  size_t count = 0;
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    count += clrs_dtype_name((clrs_dtype)dtype, system) != NULL;
  }
  return count;
}

TEST(onnx_numbers_and_names_are_those_of_the_package) {
  for (size_t i = 0; i < COUNT(onnx_dtypes); i++) {
    clrs_dtype by_name = CLRS_DTYPE_COUNT, by_number = CLRS_DTYPE_COUNT;
    CHECK_OK(clrs_dtype_from_onnx(onnx_dtypes[i].number, &by_number, &error), error);
    CHECK_OK(clrs_dtype_from_name(onnx_dtypes[i].name, CLRS_TYPES_ONNX, &by_name, &error), error);
    assert_int_equal(by_number, by_name);
    assert_int_equal(clrs_dtype_to_onnx(by_number), onnx_dtypes[i].number);
  }
  assert_int_equal(names_in(CLRS_TYPES_ONNX), COUNT(onnx_dtypes));
}

TEST(openvino_names_and_widths_are_those_of_the_package) {
  for (size_t i = 0; i < COUNT(openvino_dtypes); i++) {
    clrs_dtype dtype = CLRS_DTYPE_COUNT;
    CHECK_OK(clrs_dtype_from_name(openvino_dtypes[i].name, CLRS_TYPES_OPENVINO, &dtype, &error),
             error);
    if (dtype != CLRS_STRING) { /* OpenVINO holds a C++ object there, the library a 16-byte view */
      assert_int_equal(clrs_dtype_bits(dtype), openvino_dtypes[i].number);
    }
  }
  assert_int_equal(names_in(CLRS_TYPES_OPENVINO), COUNT(openvino_dtypes));
}

TEST(onednn_names_are_those_of_the_package) {
  for (size_t i = 0; i < COUNT(onednn_dtypes); i++) {
    clrs_dtype dtype = CLRS_DTYPE_COUNT;
    CHECK_OK(clrs_dtype_from_name(onednn_dtypes[i].name, CLRS_TYPES_ONEDNN, &dtype, &error), error);
  }
  assert_int_equal(names_in(CLRS_TYPES_ONEDNN), COUNT(onednn_dtypes));
}

TEST(the_same_type_has_the_name_of_each_system) {
  static const struct {
    clrs_dtype dtype;
    const char *onnx, *openvino, *onednn;
  } rows[] = {
      {CLRS_F32, "float", "f32", "f32"},
      {CLRS_F64, "double", "f64", "f64"},
      {CLRS_F16, "float16", "f16", "f16"},
      {CLRS_BF16, "bfloat16", "bf16", "bf16"},
      {CLRS_BOOL, "bool", "boolean", "boolean"},
      {CLRS_I4, "int4", "i4", "s4"},
      {CLRS_U4, "uint4", "u4", "u4"},
      {CLRS_I8, "int8", "i8", "s8"},
      {CLRS_U8, "uint8", "u8", "u8"},
      {CLRS_I32, "int32", "i32", "s32"},
      {CLRS_I64, "int64", "i64", "s64"},
      {CLRS_F8E4M3FN, "float8e4m3fn", "f8e4m3", "f8_e4m3"},
      {CLRS_F8E5M2, "float8e5m2", "f8e5m2", "f8_e5m2"},
      {CLRS_F8E8M0, "float8e8m0", "f8e8m0", "e8m0"},
      {CLRS_F4E2M1, "float4e2m1", "f4e2m1", "f4_e2m1"},
      {CLRS_STRING, "string", "string", NULL},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    const char *onednn = clrs_dtype_name(rows[i].dtype, CLRS_TYPES_ONEDNN);
    assert_string_equal(clrs_dtype_name(rows[i].dtype, CLRS_TYPES_ONNX), rows[i].onnx);
    assert_string_equal(clrs_dtype_name(rows[i].dtype, CLRS_TYPES_OPENVINO), rows[i].openvino);
    assert_string_equal(onednn == NULL ? "none" : onednn,
                        rows[i].onednn == NULL ? "none" : rows[i].onednn);
  }
}

TEST(unknown_names_are_refused_by_name) {
  static const struct {
    const char *name;
    clrs_type_system system;
  } rows[] = {
      {"float32", CLRS_TYPES_ONNX}, {"float", CLRS_TYPES_OPENVINO},  {"s4", CLRS_TYPES_OPENVINO},
      {"i4", CLRS_TYPES_ONEDNN},    {"F32", CLRS_TYPES_CLRESHAPE},   {"f32 ", CLRS_TYPES_CLRESHAPE},
      {"f3", CLRS_TYPES_CLRESHAPE}, {"bits3", CLRS_TYPES_CLRESHAPE}, {"undefined", CLRS_TYPES_ONNX},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_dtype dtype = CLRS_NF4;
    CHECK_FAILS(clrs_dtype_from_name(rows[i].name, rows[i].system, &dtype, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, rows[i].name);
    assert_int_equal(dtype, CLRS_NF4);
  }
}

TEST(a_hostile_name_cannot_overrun_the_message) {
  static char name[5000];
  clrs_dtype dtype = CLRS_NF4;
  memset(name, 'x', sizeof name - 1);
  CHECK_FAILS(clrs_dtype_from_name("", CLRS_TYPES_ONNX, &dtype, &error), CLRS_INVALID_ARGUMENT,
              error);
  CHECK_FAILS(clrs_dtype_from_name(name, CLRS_TYPES_ONNX, &dtype, &error), CLRS_INVALID_ARGUMENT,
              error);
  assert_non_null(memchr(error.message, '\0', sizeof error.message));
  assert_int_equal(dtype, CLRS_NF4);
}

TEST(types_that_onnx_lacks_have_no_number) {
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    const bool named = clrs_dtype_name((clrs_dtype)dtype, CLRS_TYPES_ONNX) != NULL;
    assert_int_equal(clrs_dtype_to_onnx((clrs_dtype)dtype) != 0, named);
  }
}

TESTS(NULL, NULL)
