/*
 * The element types of onnx 1.23.2, openvino 2026.4.1 and oneDNN 2026.1.0.
 * Written by generate_dtypes.py.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DTYPES_OF_PACKAGES_H
#define CLRS_TEST_DTYPES_OF_PACKAGES_H

/* clang-format off */
typedef struct package_dtype {
  const char *name;
  int number;
} package_dtype;

/* TensorProto.DataType in lower case, and the number */
static const package_dtype onnx_dtypes[] = {
    {"float", 1},
    {"uint8", 2},
    {"int8", 3},
    {"uint16", 4},
    {"int16", 5},
    {"int32", 6},
    {"int64", 7},
    {"string", 8},
    {"bool", 9},
    {"float16", 10},
    {"double", 11},
    {"uint32", 12},
    {"uint64", 13},
    {"complex64", 14},
    {"complex128", 15},
    {"bfloat16", 16},
    {"float8e4m3fn", 17},
    {"float8e4m3fnuz", 18},
    {"float8e5m2", 19},
    {"float8e5m2fnuz", 20},
    {"uint4", 21},
    {"int4", 22},
    {"float4e2m1", 23},
    {"float8e8m0", 24},
    {"uint2", 25},
    {"int2", 26},
    {"float6e2m3", 27},
    {"float6e3m2", 28},
};

/* ov::element::Type, and the bits */
static const package_dtype openvino_dtypes[] = {
    {"bf16", 16},
    {"boolean", 8},
    {"f16", 16},
    {"f32", 32},
    {"f4e2m1", 4},
    {"f64", 64},
    {"f8e4m3", 8},
    {"f8e5m2", 8},
    {"f8e8m0", 8},
    {"i16", 16},
    {"i32", 32},
    {"i4", 4},
    {"i64", 64},
    {"i8", 8},
    {"nf4", 4},
    {"string", 256},
    {"u1", 1},
    {"u16", 16},
    {"u2", 2},
    {"u3", 3},
    {"u32", 32},
    {"u4", 4},
    {"u6", 6},
    {"u64", 64},
    {"u8", 8},
};

/* dnnl_data_type_t, and the number */
static const package_dtype onednn_dtypes[] = {
    {"f16", 1},
    {"bf16", 2},
    {"f32", 3},
    {"s32", 4},
    {"s8", 5},
    {"u8", 6},
    {"f64", 7},
    {"boolean", 8},
    {"f8_e5m2", 9},
    {"f8_e4m3", 10},
    {"s4", 11},
    {"u4", 12},
    {"e8m0", 13},
    {"f4_e2m1", 14},
    {"f4_e3m0", 15},
    {"s64", 16},
};

#endif
