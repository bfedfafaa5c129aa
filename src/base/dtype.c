/* SPDX-License-Identifier: Apache-2.0 */
#include "dtype.h"

#include <string.h>

typedef struct dtype_row {
  uint32_t bits;
  const char *names[4]; /* by clrs_type_system */
  int32_t onnx_code;    /* TensorProto.DataType, or 0 */
} dtype_row;

/* Sources: onnx.proto TensorProto.DataType (opset 28); ov::element::Type (2025/26);
 * dnnl_data_type_t (oneDNN 3). */
static const dtype_row dtype_rows[CLRS_DTYPE_COUNT] = {
    [CLRS_BITS1] = {1, {"bits1", NULL, NULL, NULL}, 0},
    [CLRS_BITS2] = {2, {"bits2", NULL, NULL, NULL}, 0},
    [CLRS_BITS4] = {4, {"bits4", NULL, NULL, NULL}, 0},
    [CLRS_BITS8] = {8, {"bits8", NULL, NULL, NULL}, 0},
    [CLRS_BITS16] = {16, {"bits16", NULL, NULL, NULL}, 0},
    [CLRS_BITS32] = {32, {"bits32", NULL, NULL, NULL}, 0},
    [CLRS_BITS64] = {64, {"bits64", NULL, NULL, NULL}, 0},
    [CLRS_BITS128] = {128, {"bits128", NULL, NULL, NULL}, 0},
    [CLRS_BOOL] = {8, {"bool", "bool", "boolean", "boolean"}, 9},
    [CLRS_I2] = {2, {"i2", "int2", NULL, NULL}, 26},
    [CLRS_I4] = {4, {"i4", "int4", "i4", "s4"}, 22},
    [CLRS_I8] = {8, {"i8", "int8", "i8", "s8"}, 3},
    [CLRS_I16] = {16, {"i16", "int16", "i16", NULL}, 5},
    [CLRS_I32] = {32, {"i32", "int32", "i32", "s32"}, 6},
    [CLRS_I64] = {64, {"i64", "int64", "i64", "s64"}, 7},
    [CLRS_U1] = {1, {"u1", NULL, "u1", NULL}, 0},
    [CLRS_U2] = {2, {"u2", "uint2", "u2", NULL}, 25},
    [CLRS_U3] = {3, {"u3", NULL, "u3", NULL}, 0},
    [CLRS_U4] = {4, {"u4", "uint4", "u4", "u4"}, 21},
    [CLRS_U6] = {6, {"u6", NULL, "u6", NULL}, 0},
    [CLRS_U8] = {8, {"u8", "uint8", "u8", "u8"}, 2},
    [CLRS_U16] = {16, {"u16", "uint16", "u16", NULL}, 4},
    [CLRS_U32] = {32, {"u32", "uint32", "u32", NULL}, 12},
    [CLRS_U64] = {64, {"u64", "uint64", "u64", NULL}, 13},
    [CLRS_F16] = {16, {"f16", "float16", "f16", "f16"}, 10},
    [CLRS_BF16] = {16, {"bf16", "bfloat16", "bf16", "bf16"}, 16},
    [CLRS_F32] = {32, {"f32", "float", "f32", "f32"}, 1},
    [CLRS_F64] = {64, {"f64", "double", "f64", "f64"}, 11},
    [CLRS_C64] = {64, {"c64", "complex64", NULL, NULL}, 14},
    [CLRS_C128] = {128, {"c128", "complex128", NULL, NULL}, 15},
    [CLRS_F8E4M3FN] = {8, {"f8e4m3fn", "float8e4m3fn", "f8e4m3", "f8_e4m3"}, 17},
    [CLRS_F8E4M3FNUZ] = {8, {"f8e4m3fnuz", "float8e4m3fnuz", NULL, NULL}, 18},
    [CLRS_F8E5M2] = {8, {"f8e5m2", "float8e5m2", "f8e5m2", "f8_e5m2"}, 19},
    [CLRS_F8E5M2FNUZ] = {8, {"f8e5m2fnuz", "float8e5m2fnuz", NULL, NULL}, 20},
    [CLRS_F8E8M0] = {8, {"f8e8m0", "float8e8m0", "f8e8m0", "e8m0"}, 24},
    [CLRS_F4E2M1] = {4, {"f4e2m1", "float4e2m1", "f4e2m1", "f4_e2m1"}, 23},
    [CLRS_F4E3M0] = {4, {"f4e3m0", NULL, NULL, "f4_e3m0"}, 0},
    [CLRS_NF4] = {4, {"nf4", NULL, "nf4", NULL}, 0},
    [CLRS_STRING] = {128, {"string", "string", "string", NULL}, 8},
    [CLRS_F6E2M3] = {6, {"f6e2m3", "float6e2m3", NULL, NULL}, 27},
    [CLRS_F6E3M2] = {6, {"f6e3m2", "float6e3m2", NULL, NULL}, 28},
};

static const char *const system_names[] = {"clreshape", "ONNX", "OpenVINO", "oneDNN"};

static bool is_known_system(clrs_type_system system) {
  return (unsigned)system <= (unsigned)CLRS_TYPES_ONEDNN;
}

uint32_t clrs_dtype_bits(clrs_dtype dtype) {
  return clrs__dtype_is_known(dtype) ? dtype_rows[dtype].bits : 0;
}

const char *clrs_dtype_name(clrs_dtype dtype, clrs_type_system system) {
  if (!clrs__dtype_is_known(dtype) || !is_known_system(system)) {
    return NULL;
  }
  return dtype_rows[dtype].names[system];
}

clrs_status clrs_dtype_from_name(const char *name, clrs_type_system system, clrs_dtype *dtype,
                                 clrs_error *error) {
  CLRS_TRY(clrs__require(name, "name", error));
  CLRS_TRY(clrs__require(dtype, "dtype", error));
  if (!is_known_system(system)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "type system %d is unknown; clrs_type_system has 0 to %d", (int)system,
                      CLRS_TYPES_ONEDNN);
  }
  for (int row = 0; row < CLRS_DTYPE_COUNT; row++) {
    const char *known = clrs_dtype_name((clrs_dtype)row, system);
    if (known != NULL && strcmp(known, name) == 0) {
      *dtype = (clrs_dtype)row;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT, "\"%.60s\" is not an element type of %s", name,
                    system_names[system]);
}

clrs_status clrs_dtype_from_onnx(int32_t data_type, clrs_dtype *dtype, clrs_error *error) {
  CLRS_TRY(clrs__require(dtype, "dtype", error));
  for (int row = 0; row < CLRS_DTYPE_COUNT && data_type != 0; row++) {
    if (dtype_rows[row].onnx_code == data_type) {
      *dtype = (clrs_dtype)row;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "%d is not a TensorProto.DataType of opset 28 or earlier", (int)data_type);
}

int32_t clrs_dtype_to_onnx(clrs_dtype dtype) {
  return clrs__dtype_is_known(dtype) ? dtype_rows[dtype].onnx_code : 0;
}

bool clrs__dtype_is_msb_first(clrs_dtype dtype) {
  return dtype == CLRS_U1;
}

bool clrs__dtype_straddles_bytes(clrs_dtype dtype) {
  return dtype == CLRS_U3 || dtype == CLRS_U6 || dtype == CLRS_F6E2M3 || dtype == CLRS_F6E3M2;
}

clrs_status clrs__dtype_check_whole(clrs_dtype dtype, clrs_error *error) {
  return clrs__dtype_straddles_bytes(dtype)
             ? clrs__fail(error, CLRS_UNSUPPORTED,
                          "%s elements lie across bytes; only views of them are offered",
                          clrs__dtype_text(dtype))
             : CLRS_OK;
}

bool clrs__dtype_is_unsigned(clrs_dtype dtype) {
  return dtype >= CLRS_U1 && dtype <= CLRS_U64;
}

bool clrs__dtype_is_integer(clrs_dtype dtype) {
  return dtype >= CLRS_I2 && dtype <= CLRS_U64;
}

uint64_t clrs__bytes_of(int64_t count, uint32_t bits) {
  const uint64_t elements = (uint64_t)count;
  return elements / 8 * bits + (elements % 8 * bits + 7) / 8;
}
