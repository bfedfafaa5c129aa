/*
 * Maps as text: the map of each operation, under each dialect, and the refusals, when the text is
 * parsed or when the type of the elements is known.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

static clrs_mapped mapped;

static clrs_status map_text(const char *text, clrs_dialect dialect, clrs_dtype from) {
  const clrs_rules rules = {dialect, CLRS_ZERO_COPIES};
  const clrs_shape shape = {3, {2, 3, 4}};
  clrs_view view;
  clrs_chain chain;
  CHECK_OK(clrs_view_dense(from, &shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  return clrs_chain_map(&chain, &rules, &mapped, &error);
}

typedef struct row {
  const char *text;
  clrs_dialect dialect;
  clrs_dtype from;
  const char *words; /* words of clrs_map_explain */
} row;

static const row rows[] = {
    {"cast=f32", CLRS_ONNX, CLRS_U8, "u8 -> f32"},
    {"cast=f16", CLRS_ONNX, CLRS_F32, "f32 -> f16: half to even, infinity beyond"},
    {"cast=u8", CLRS_ONNX, CLRS_F32, "f32 -> u8: truncated, wrapped"},
    {"cast=u8", CLRS_OPENVINO, CLRS_F32, "f32 -> u8: truncated, saturated"},
    {"cast=u8", CLRS_ONEDNN, CLRS_F32, "f32 -> u8: half to even, saturated"},
    {"cast=u8", CLRS_NUMPY, CLRS_I32, "i32 -> u8: truncated, wrapped"},
    {"cast=u8,even", CLRS_ONNX, CLRS_F32, "f32 -> u8: half to even, wrapped"},
    {"cast=u8,even,saturate", CLRS_NUMPY, CLRS_I32, "i32 -> u8: half to even, saturated"},
    {"cast=u8,saturate,down", CLRS_ONNX, CLRS_F32, "f32 -> u8: down, saturated"},
    {"cast=i8,wrap,away", CLRS_ONNX, CLRS_F32, "f32 -> i8: half away from zero, wrapped"},
    {"cast=f16,saturate,zero", CLRS_ONNX, CLRS_F32, "f32 -> f16: truncated, saturated"},
    {"cast=f8e4m3fn", CLRS_ONNX, CLRS_F32, "f32 -> f8e4m3fn: half to even, saturated"},
    {"cast=f8e4m3fn,ieee,up", CLRS_ONNX, CLRS_F32, "f32 -> f8e4m3fn: up, infinity beyond"},
    {"cast=bool", CLRS_ONNX, CLRS_F32, "f32 -> bool: is it not 0?"},
    {"round=i8", CLRS_ONNX, CLRS_F32, "f32 -> f32: i8 half to even, saturated"},
    {"round=i8,zero,wrap", CLRS_ONNX, CLRS_F32, "f32 -> f32: i8 truncated, wrapped"},
    {"round=i8,down,wrap", CLRS_ONNX, CLRS_F32, "f32 -> f32: i8 down, wrapped"},
    {"round=i8,wrap", CLRS_NUMPY, CLRS_F32, "f32 -> f32: i8 half to even, wrapped"},
    {"round=bf16", CLRS_ONNX, CLRS_F32, "f32 -> f32: bf16 half to even, infinity beyond"},
    {"round=f32", CLRS_ONNX, CLRS_F32, "f32 -> f32: every bit is kept"},
    {"round=f32", CLRS_ONNX, CLRS_F16, "f16 -> f16: half to even, infinity beyond"},
    {"sub=1 div=2 mul=3 add=1,2,3,4", CLRS_ONNX, CLRS_F32,
     "f32 -> f32: - 1 / 2 * 3 + (1 2 3 4) in f32"},
    {"cast=i32 sub=16 max=0 mul=3 shl=2 shr=1,2,3,4 cast=u8,saturate", CLRS_ONNX, CLRS_U8,
     "u8 -> u8: - 16 at least 0 * 3 << 2 >> (1 2 3 4) in i32, truncated, saturated"},
    {"max=0 min=6,axis=0", CLRS_ONNX, CLRS_F32, "f32 -> f32: at least 0 at most 6 in f32"},
    {"cast=c64", CLRS_ONNX, CLRS_C64, "c64 -> c64: every bit is kept"},
    {"mean=0.5", CLRS_ONNX, CLRS_F32, "f32 -> f32: - 0.5 in f32"},
    {"std=1,2,3,4", CLRS_ONNX, CLRS_F16, "f16 -> f16: / (1 2 3 4) in f16"},
    {"scale=-2e-1,1,2,axis=-2", CLRS_ONNX, CLRS_BF16, "bf16 -> bf16: * (-0.2 1 2) in bf16"},
    {"bias=+1,2,axis=0", CLRS_ONNX, CLRS_F64, "f64 -> f64: + (1 2) in f64"},
    {"bias=2,axis=1", CLRS_ONNX, CLRS_F64, "f64 -> f64: + 2 in f64"},
    {"clamp=0,6", CLRS_ONNX, CLRS_F32, "f32 -> f32: at least 0 at most 6 in f32"},
    {"clamp=-inf,0.5", CLRS_ONNX, CLRS_F32, "f32 -> f32: at least -inf at most 0.5 in f32"},
    {"clamp=0,inf", CLRS_ONNX, CLRS_F32, "f32 -> f32: at least 0 at most inf in f32"},
    {"quantize=u8,0.02,128", CLRS_ONNX, CLRS_F32,
     "f32 -> u8: / 0.02 in f32, half to even, saturated, + zero point 128"},
    {"reshape=24 quantize=u8,0.5", CLRS_ONNX, CLRS_F32,
     "f32 -> u8: / 0.5 in f32, half to even, saturated"},
    {"quantize=i8,1:2:3", CLRS_ONNX, CLRS_F16, "f16 -> i8: / (1 2 3) in f32, half to even, satura"},
    {"quantize=i8,1:2,,2,2", CLRS_ONNX, CLRS_F64, "f64 -> i8: / (1 2) in f64, half to even, satu"},
    {"quantize=i4,1:2:3:4:5:6,1:2:3:4:5:6,0,1 reshape=6,4", CLRS_ONNX, CLRS_F32, NULL},
    {"quantize=f8e5m2,0.5", CLRS_ONNX, CLRS_F32, "f32 -> f8e5m2: / 0.5 in f32, half to even, sat"},
    {"dequantize=f16,0.1:0.2,3:4,-1,2", CLRS_ONNX, CLRS_U4,
     "u4 -> f16: - zero point (3 4), * (0.1 0.2) in f32, half to even, infinity beyond"},
    {"cast=f32 mean=1,2,3,4 std=2 cast=f16", CLRS_ONNX, CLRS_U8,
     "u8 -> f16: - (1 2 3 4) / 2 in f32, half to even, infinity beyond"},
    {"dequantize=f32,2,1 quantize=i8,3,4", CLRS_ONNX, CLRS_U8,
     "u8 -> i8: - zero point 1, * 2 / 3 in f32, half to even, saturated, + zero point 4"},
    {"quantize=i8,0.5,3 dequantize=f32,0.5,3", CLRS_ONNX, CLRS_F32,
     "f32 -> f32: / 0.5 in f32, i8 half to even, saturated, + zero point 3, - zero point 3, * 0.5 "
     "in "
     "f32"},
    {"cast=f16 cast=f32", CLRS_ONNX, CLRS_F32, "f32 -> f32: f16 half to even, infinity beyond"},
    {"scale=3 cast=f32 mean=2 std=4", CLRS_ONNX, CLRS_F64,
     "f64 -> f32: * 3 in f64, - 2 / 4 in f32"},
    {"bitcast=bf16 cast=f32 scale=2 cast=bf16 bitcast=u16", CLRS_NUMPY, CLRS_U16,
     "bf16 -> bf16: * 2 in f32, half to even, infinity beyond"},
    {"bitcast=f16", CLRS_ONNX, CLRS_U16, "f16 -> f16: every bit is kept"},
    {"bitcast=bits1", CLRS_ONNX, CLRS_U1, "u1 -> bits1: every bit is kept"},
    {"slice=:,:,:2 permute=1,0,2 reshape=12,1 bitcast=u4", CLRS_ONNX, CLRS_U8,
     "u4 -> u4: every bit is kept"},
    {"reshape=2,12 slice=:,:10 bitcast=u64", CLRS_ONNX, CLRS_F32, "u64 -> u64: every bit is kept"},
    {"reshape=2,12 slice=:,:6 reshape=3,4 bitcast=f64", CLRS_ONNX, CLRS_F32,
     "f64 -> f64: every bit is kept"},
};

TEST(each_text_is_its_map) {
  for (size_t i = 0; i < COUNT(rows); i++) {
    char words[200];
    print_message("  %s\n", rows[i].text);
    if (rows[i].words == NULL) {
      CHECK_FAILS(map_text(rows[i].text, rows[i].dialect, rows[i].from), CLRS_COUNT_MISMATCH,
                  error);
      continue;
    }
    CHECK_OK(map_text(rows[i].text, rows[i].dialect, rows[i].from), error);
    clrs_map_explain(&mapped.map, words, sizeof words);
    if (strncmp(words, rows[i].words, strlen(rows[i].words)) != 0) {
      print_error("'%s' is '%s'\n", rows[i].text, words);
      fail();
    }
  }
}

typedef struct refused_row {
  const char *text;
  clrs_dialect dialect;
  clrs_dtype from;
  clrs_status status;
  const char *says;
} refused_row;

static const refused_row unfit[] = {
    {"cast=u1", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "ONNX has no element type u1"},
    {"cast=i16", CLRS_ONEDNN, CLRS_F32, CLRS_INVALID_ARGUMENT, "oneDNN has no element type i16"},
    {"round=c64", CLRS_ONNX, CLRS_F32, CLRS_UNSUPPORTED, "elements of c64 have no value"},
    {"add=1", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT, "add computes in the elements' own type"},
    {"cast=c64", CLRS_ONNX, CLRS_F32, CLRS_UNSUPPORTED, "elements of c64 have no value"},
    {"cast=f32,wrap", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT, "f32 does not wrap"},
    {"cast=u8,ieee", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "u8 has no infinity"},
    {"flip=1 bitcast=f64", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT,
     "operation 2 (bitcast=f64) at column 8: the last axis of 4 elements of u8 is no multiple of "
     "the 64 bits of f64"},
    {"flip=2 bitcast=f32", CLRS_ONNX, CLRS_U8, CLRS_WOULD_COPY, "the last axis is not dense"},
    {"slice=:,:,1:3 bitcast=u16", CLRS_ONNX, CLRS_U8, CLRS_WOULD_COPY,
     "an offset of 1 elements of u8 is no multiple of the 16 bits of u16; copy it first"},
    {"reshape=4,6 slice=:,:4 bitcast=u32", CLRS_ONNX, CLRS_U8, CLRS_WOULD_COPY,
     "a stride of 6 elements of u8 is no multiple of the 32 bits of u32"},
    {"slice=0,0,0 bitcast=u8", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "reshape to [1]"},
    {"scale=2 bitcast=u8", CLRS_ONNX, CLRS_F32, CLRS_WOULD_COPY,
     "the elements are computed, to f32, and have no bytes of another width until"},
    {"bitcast=u1", CLRS_ONNX, CLRS_U4, CLRS_INVALID_ARGUMENT, "lie at different ends; u8 between"},
    {"bitcast=u8", CLRS_ONNX, CLRS_STRING, CLRS_INVALID_ARGUMENT, "the bits of strings"},
    {"flip=0 mean=1", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT,
     "operation 2 (mean=1) at column 8: mean computes in the elements' own type, which is u8; a c"},
    {"shr=2", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "(shift right) in f32; only i32 is"},
    {"div=2", CLRS_ONNX, CLRS_I32, CLRS_INVALID_ARGUMENT, "in i32, which has no division; shift"},
    {"add=0.5", CLRS_ONNX, CLRS_I32, CLRS_INVALID_ARGUMENT, "0.5, which is no number of i32"},
    {"clamp=0,1", CLRS_ONNX, CLRS_BOOL, CLRS_INVALID_ARGUMENT, "which is bool; a cast to f16, bf1"},
    {"scale=1", CLRS_ONNX, CLRS_F8E5M2, CLRS_INVALID_ARGUMENT, "which is f8e5m2"},
    {"std=1e-50", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "1e-50, which is 0 in f32"},
    {"mean=1e39", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "1e+39, which is not finite in f3"},
    {"scale=70000", CLRS_ONNX, CLRS_F16, CLRS_INVALID_ARGUMENT, "70000, which is not finite in f"},
    {"mean=1,2,3", CLRS_ONNX, CLRS_F32, CLRS_COUNT_MISMATCH,
     "dimension 2 of the source is 4, and the parameter has 3 numbers"},
    {"mean=1,2,axis=3", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "3 is out of range for rank 3"},
    {"mean=1,axis=3", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "3 is out of range for rank 3"},
    {"scale=1,axis=-9223372036854775808", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT,
     "is out of range for rank 3"},
    {"quantize=u8,0.5,,3", CLRS_ONNX, CLRS_F32, CLRS_INVALID_ARGUMENT, "3 is out of range for ra"},
    {"reshape=24 dequantize=f32,0.5,0,1", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT,
     "1 is out of range for rank 1"},
    {"quantize=u8,1:2,,0,3", CLRS_ONNX, CLRS_F32, CLRS_COUNT_MISMATCH, "in blocks of 3"},
    {"dequantize=f32,1,300", CLRS_ONNX, CLRS_U8, CLRS_INVALID_ARGUMENT,
     "the zero point 300 is no number of u8"},
    {"dequantize=f32,1,3", CLRS_ONNX, CLRS_F16, CLRS_INVALID_ARGUMENT, "a zero point of f16"},
    {"clamp=0,1 clamp=0,1 clamp=0,1 clamp=0,1 clamp=0,1 clamp=0,1 clamp=0,1 clamp=0,1", CLRS_ONNX,
     CLRS_F32, CLRS_LIMIT_EXCEEDED,
     "operation 8 (clamp=0,1) at column 71: 16 steps; a map has at most 16"},
    {"cast=f32 bitcast=u32 cast=f32", CLRS_ONNX, CLRS_U8, CLRS_UNSUPPORTED,
     "a map from u32, which is bitcast from the f32 of another map"},
    {"bitcast=bits1 cast=f32", CLRS_NUMPY, CLRS_U1, CLRS_UNSUPPORTED, "elements of bits1 have"},
};

TEST(what_the_elements_do_not_fit_is_refused) {
  for (size_t i = 0; i < COUNT(unfit); i++) {
    print_message("  %s\n", unfit[i].text);
    CHECK_FAILS(map_text(unfit[i].text, unfit[i].dialect, unfit[i].from), unfit[i].status, error);
    CHECK_SAYS(error, unfit[i].says);
  }
}

static const struct {
  const char *text;
  clrs_status status;
  const char *says;
} unread[] = {
    {"cast", CLRS_INVALID_ARGUMENT, "cast needs '=' and values, as in cast=f32"},
    {"cast=", CLRS_INVALID_ARGUMENT, "'' is no element type"},
    {"cast=float", CLRS_INVALID_ARGUMENT, "'float' is no element type, such as f32"},
    {"cast=F32", CLRS_INVALID_ARGUMENT, "'F32' is no element type"},
    {"cast=f32f32f32f32f32f32f32f32f32", CLRS_INVALID_ARGUMENT, "f32f32' is no element type"},
    {"cast=f32,", CLRS_INVALID_ARGUMENT, "'' is no rounding, which is even, zero, away, down or u"},
    {"cast=f32,Even", CLRS_INVALID_ARGUMENT, "'Even' is no rounding"},
    {"cast=u8,even,up", CLRS_INVALID_ARGUMENT, "'up' is a second rounding"},
    {"cast=u8,wrap,even,wrap", CLRS_INVALID_ARGUMENT, "'wrap' is a second overflow"},
    {"bitcast=f32,even", CLRS_INVALID_ARGUMENT, "'f32,even' is no element type"},
    {"mean=", CLRS_INVALID_ARGUMENT, "'' is not a decimal number"},
    {"mean=1,", CLRS_INVALID_ARGUMENT, "'' is not a decimal number"},
    {"mean=1,x", CLRS_INVALID_ARGUMENT, "'x' is not a decimal number"},
    {"mean=nan", CLRS_INVALID_ARGUMENT, "'nan' is not a decimal number"},
    {"mean=inf", CLRS_INVALID_ARGUMENT, "'inf' is not a decimal number"},
    {"mean=1e999", CLRS_OVERFLOW, "'1e999' is beyond the numbers of a double"},
    {"mean=axis=1", CLRS_INVALID_ARGUMENT, "mean does not take 1 values; write mean=0.5"},
    {"mean=axis=1,1", CLRS_INVALID_ARGUMENT, "'axis=1' is not a decimal number"},
    {"mean=1,axis=", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
    {"mean=1,axis=1.5", CLRS_INVALID_ARGUMENT, "'1.5' is not a decimal integer"},
    {"mean=1 axis=1", CLRS_INVALID_ARGUMENT, "unknown operation 'axis=1'"},
    {"flip=0 std=2,0", CLRS_INVALID_ARGUMENT,
     "operation 2 (std=2,0) at column 8: step 0 (divide) has the number 0, which is 0 in f64"},
    {"std=1e-400", CLRS_INVALID_ARGUMENT, "nothing is divided by 0"},
    {"clamp=1", CLRS_INVALID_ARGUMENT, "clamp does not take 1 values; write clamp=0,6"},
    {"clamp=1,2,3", CLRS_INVALID_ARGUMENT, "clamp does not take 3 values"},
    {"clamp=2,1", CLRS_INVALID_ARGUMENT, "clamp from 2 to 1"},
    {"clamp=nan,1", CLRS_INVALID_ARGUMENT, "'nan' is not a decimal number"},
    {"clamp=0,infinity", CLRS_INVALID_ARGUMENT, "'infinity' is not a decimal number"},
    {"quantize=u8", CLRS_INVALID_ARGUMENT, "'u8' has a type, and no scale"},
    {"quantize=u8,", CLRS_INVALID_ARGUMENT, "'' is not a decimal number"},
    {"quantize=float,1", CLRS_INVALID_ARGUMENT, "'float' is no element type"},
    {"quantize=u8,1,x", CLRS_INVALID_ARGUMENT, "'x' is not a decimal number"},
    {"quantize=u8,1,0,1,x", CLRS_INVALID_ARGUMENT, "'x' is not a decimal integer"},
    {"quantize=u8,0,1", CLRS_INVALID_ARGUMENT, "nothing is divided by 0"},
    {"quantize=u8,1:nan", CLRS_INVALID_ARGUMENT, "'nan' is not a decimal number"},
    {"quantize=u8,1,256", CLRS_INVALID_ARGUMENT, "the zero point 256 is no number of u8"},
    {"quantize=i8,1,0:0.5", CLRS_INVALID_ARGUMENT, "the zero point 0.5 is no number of i8"},
    {"quantize=f16,1,0", CLRS_INVALID_ARGUMENT, "a zero point of f16; only integers"},
    {"quantize=c64,1", CLRS_UNSUPPORTED, "elements of c64 have no value"},
    {"quantize=u8,1,0,", CLRS_INVALID_ARGUMENT, "'' is not a decimal integer"},
    {"quantize=u8,1,0,1,-2", CLRS_INVALID_ARGUMENT, "a block of -2 elements"},
    {"quantize=u8,1,0,1,2,3", CLRS_INVALID_ARGUMENT, "'3' stands behind the block"},
    {"dequantize=f32,x", CLRS_INVALID_ARGUMENT, "'x' is not a decimal number"},
    {"dequantize=f32,0", CLRS_INVALID_ARGUMENT, "scale 0 is 0, which is 0 in f32"},
    {"dequantize=f32,1,0.5", CLRS_INVALID_ARGUMENT, "the zero point 0.5 is no number of i32"},
    {"dequantize=f32,1,4294967296", CLRS_INVALID_ARGUMENT, "the zero point 4294967296 is no num"},
};

TEST(what_no_elements_could_make_right_is_no_chain) {
  for (size_t i = 0; i < COUNT(unread); i++) {
    clrs_chain chain;
    print_message("  %s\n", unread[i].text);
    CHECK_FAILS(clrs_chain_parse(unread[i].text, &chain, &error), unread[i].status, error);
    CHECK_SAYS(error, unread[i].says);
  }
}

/* `count` numbers of 1. */
static void append_ones(char *text, int count, const char *separator) {
  for (int i = 0; i < count; i++) {
    strcat(text, i > 0 ? separator : "");
    strcat(text, "1");
  }
}

TEST(lists_have_the_limit_of_a_map) {
  static const char *const lists[][2] = {
      {"mean=", ","}, {"quantize=u8,", ":"}, {"quantize=u8,1,", ":"}, {"dequantize=f32,1,", ":"}};
  for (size_t i = 0; i < COUNT(lists); i++) {
    char text[400];
    clrs_chain chain;
    strcpy(text, lists[i][0]);
    append_ones(text, CLRS_MAP_NUMBERS - (i > 1), lists[i][1]); /* with the one scale */
    CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
    strcpy(text, lists[i][0]);
    append_ones(text, CLRS_MAP_NUMBERS + 1, lists[i][1]);
    CHECK_FAILS(clrs_chain_parse(text, &chain, &error), CLRS_LIMIT_EXCEEDED, error);
    CHECK_SAYS(error, "65 numbers; a map holds at most 64");
  }
}

/* A list of 63 takes 64 values. When all values are taken nothing fits that needs a value, and of a
 * quantizing only the type fits if a single value is left. */
TEST(what_the_chain_has_no_room_for_is_refused) {
  static const struct {
    int last;
    const char *then;
  } full[] = {{63, " mean=1"}, {62, " quantize=u8,1"}, {62, " mean=1"}};
  for (size_t i = 0; i < COUNT(full); i++) {
    char text[CLRS_CHAIN_TEXT] = "";
    clrs_chain chain;
    for (int k = 0; k < 4; k++) {
      strcat(text, k > 0 ? " mean=" : "mean=");
      append_ones(text, k < 3 ? 63 : full[i].last, ",");
    }
    CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
    strcat(text, full[i].then);
    CHECK_FAILS(clrs_chain_parse(text, &chain, &error), CLRS_LIMIT_EXCEEDED, error);
    CHECK_SAYS(error, "operation 5");
    CHECK_SAYS(error, "256");
  }
}

TESTS(NULL, NULL)
