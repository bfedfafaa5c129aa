/*
 * The host's reference: results by hand, memory at the borders, and refused input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

static clrs_error the_error;
static clrs_map_views views;

static const clrs_spread along_1 = {CLRS_SPREAD_AXIS, 1, 0}, everywhere = {0};

/* Binds and applies. The data beyond the source belongs to the tensors. */
static clrs_status apply(const clrs_map *map, const clrs_view *source,
                         const clrs_map_tensors *tensors, const clrs_map_data *data, void *to,
                         size_t size) {
  CHECK_OK(clrs_map_bind(map, source, tensors, &views, &the_error), the_error);
  return clrs_map_apply(map, &views, data, to, size, &the_error);
}

TEST(steps_are_taken_in_order) {
  const uint8_t from[] = {0, 10, 20, 30, 40, 50};
  const clrs_view source = view_of(CLRS_U8, 2, LIST(2, 3));
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  float to[6];
  add_step(&map, CLRS_STEP_SUBTRACT, 3, NUMBERS(1, 2, 3), along_1);
  add_step(&map, CLRS_STEP_MULTIPLY, 1, NUMBERS(2), everywhere);
  add_step(&map, CLRS_STEP_ADD, 1, NUMBERS(0.5), everywhere);
  add_step(&map, CLRS_STEP_DIVIDE, 3, NUMBERS(1, 2, 4), along_1);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const float expected[] = {-1.5F, 8.25F, 8.625F, 58.5F, 38.25F, 23.625F};
  assert_memory_equal(to, expected, sizeof to);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_LEAST, CLRS_F32, &(clrs_numbers){1, (double[]){0}, {0}},
                         &the_error),
           the_error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_AT_MOST, CLRS_F32, &(clrs_numbers){1, (double[]){40}, {0}},
                         &the_error),
           the_error);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const float clamped[] = {0, 8.25F, 8.625F, 40, 38.25F, 23.625F};
  assert_memory_equal(to, clamped, sizeof to);
}

/* 2^24 + 3 is between two floats, and the even float is above. The step's number is rounded too. */
TEST(elements_are_rounded_to_the_arithmetic_type) {
  const int32_t from[] = {16777219, 0};
  const clrs_view source = view_of(CLRS_I32, 1, LIST(2));
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_I32, CLRS_I32);
  double to[2];
  add_step(&map, CLRS_STEP_ADD, 2, NUMBERS(0, 16777219), everywhere);
  CHECK_OK(clrs_map_round(&map, CLRS_F64, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &the_error),
           the_error);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  assert_true(to[0] == 16777220 && to[1] == 16777220);
  map.steps[0].dtype = CLRS_F64;
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  assert_true(to[0] == 16777219 && to[1] == 16777219);
}

/* (x - zero) * scale of u4, blocks of two along the last axis, tensors in f16 and u4. */
TEST(parameters_may_be_tensors) {
  const uint8_t from[] = {0x10, 0x32, 0x54, 0x76}, zeros[] = {0x21, 0x43};
  const uint16_t scales[] = {0x3c00, 0x4000, 0x3800, 0x4400}; /* 1, 2, 0.5, 4 */
  const clrs_view source = view_of(CLRS_U4, 2, LIST(2, 4)),
                  scale = view_of(CLRS_F16, 2, LIST(2, 2)), zero = view_of(CLRS_U4, 2, LIST(2, 2));
  const clrs_map_tensors tensors = {.steps = {&zero, &scale}};
  const clrs_map_data data = {{from, 4}, {{zeros, 2}, {scales, sizeof scales}}};
  const clrs_numbers blocks = {0, NULL, {CLRS_SPREAD_BLOCKS, 1, 2}};
  clrs_map map;
  float to[8];
  CHECK_OK(clrs_map_dequantize(CLRS_U4, CLRS_F32, &blocks, &blocks, &map, &the_error), the_error);
  assert_int_equal(apply(&map, &source, &tensors, &data, to, sizeof to), CLRS_OK);
  const float expected[] = {-1, 0, 0, 2, 0.5F, 1, 8, 12};
  assert_memory_equal(to, expected, sizeof to);
}

TEST(zero_points_are_added_as_integers) {
  const float from[] = {0.5F, 1.5F, -300, 1e30F, -1e30F, 0.0F / 0.0F, 1.0F / 0.0F, 126.5F};
  const clrs_view source = view_of(CLRS_F32, 1, LIST(8));
  const clrs_map_data data = {.source = {from, sizeof from}};
  const double one = 1, zero = 3;
  clrs_map map;
  int8_t to[8];
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_I8, &(clrs_numbers){1, &one, {0}},
                             &(clrs_numbers){1, &zero, {0}}, &map, &the_error),
           the_error);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const int8_t expected[] = {3, 5, -128, 127, -128, 3, 127, 127};
  assert_memory_equal(to, expected, sizeof to);
  map.steps[1].overflow = CLRS_OVERFLOW_WRAP;
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const int8_t wrapped[] = {3, 5, -41, 3, 3, 3, 3, -127}; /* 1e30 is a multiple of 2^8 */
  assert_memory_equal(to, wrapped, sizeof to);
}

/* Beyond the precision of a double: 2^63 - 1, and sums that a float would round. */
TEST(wide_integers_never_become_floats) {
  const int64_t from[] = {INT64_MAX, INT64_MIN, 16777217, -1};
  const clrs_view source = view_of(CLRS_I64, 1, LIST(4));
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map = cast_of(CLRS_ONEDNN, CLRS_I64, CLRS_I64);
  uint64_t to[4];
  uint32_t narrow[4];
  map = cast_of(CLRS_NUMPY, CLRS_I64, CLRS_U64);
  map.steps[0].overflow = CLRS_OVERFLOW_SATURATE;
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const uint64_t expected[] = {INT64_MAX, 0, 16777217, 0};
  assert_memory_equal(to, expected, sizeof to);
  map = cast_of(CLRS_ONNX, CLRS_I64, CLRS_U32);
  assert_int_equal(apply(&map, &source, NULL, &data, narrow, sizeof narrow), CLRS_OK);
  const uint32_t low[] = {UINT32_MAX, 0, 16777217, UINT32_MAX};
  assert_memory_equal(narrow, low, sizeof low);
}

/* Any view of the source. The result is dense. */
TEST(the_views_may_be_moved_together) {
  const uint8_t from[] = {0, 1, 2, 3, 4, 5};
  const clrs_view source = view_of(CLRS_U8, 2, LIST(2, 3));
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_U8);
  uint8_t to[4];
  add_step(&map, CLRS_STEP_ADD, 3, NUMBERS(10, 20, 30), along_1);
  add_round(&map, CLRS_U8);
  CHECK_OK(clrs_map_bind(&map, &source, NULL, &views, &the_error), the_error);
  CHECK_OK(clrs_view_apply(&views.source, "permute=1,0 slice=::-2", &the_error), the_error);
  CHECK_FAILS(clrs_map_apply(&map, &views, &data, to, sizeof to, &the_error), CLRS_COUNT_MISMATCH,
              the_error);
  CHECK_SAYS(the_error, "the view of parameter 0 is [2,3] and the source [2,2]");
  CHECK_OK(clrs_view_apply(&views.views[0], "permute=1,0 slice=::-2", &the_error), the_error);
  CHECK_OK(clrs_map_apply(&map, &views, &data, to, sizeof to, &the_error), the_error);
  const uint8_t expected[] = {32, 35, 10, 13};
  assert_memory_equal(to, expected, sizeof to);
}

/* ---- bits ---- */

TEST(copies_keep_every_bit) {
  const uint32_t signalling[] = {0x7f800001, 0xffffffff, 0x80000000};
  uint32_t to[3];
  clrs_view source = view_of(CLRS_F32, 1, LIST(3));
  clrs_map_data data = {.source = {signalling, sizeof signalling}};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F32);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  assert_memory_equal(to, signalling, sizeof to);
  const uint64_t complex[] = {1, 2, 3, 4};
  uint64_t copied[4];
  source = view_of(CLRS_C128, 1, LIST(2));
  data.source = (clrs_bytes){complex, sizeof complex};
  map = cast_of(CLRS_NUMPY, CLRS_C128, CLRS_C128);
  CHECK_OK(clrs_map_bind(&map, &source, NULL, &views, &the_error), the_error);
  CHECK_OK(clrs_view_apply(&views.source, "flip=0", &the_error), the_error);
  CHECK_OK(clrs_map_apply(&map, &views, &data, copied, sizeof copied, &the_error), the_error);
  const uint64_t flipped[] = {3, 4, 1, 2};
  assert_memory_equal(copied, flipped, sizeof copied);
}

/* OpenVINO's u1 begins at the high bit, ONNX's types begin at the low bit. The rest of a byte is
 * unchanged. */
TEST(packed_elements_are_read_and_written) {
  const uint8_t from[] = {0xb0, 0xff};
  const clrs_view source = view_of(CLRS_U1, 1, LIST(5));
  const clrs_map_data data = {.source = {from, 1}};
  uint8_t to[] = {0xff, 0xff, 0xff, 0xff};
  clrs_map map = cast_of(CLRS_NUMPY, CLRS_U1, CLRS_U4);
  assert_int_equal(apply(&map, &source, NULL, &data, to, 3), CLRS_OK);
  const uint8_t nibbles[] = {0x01, 0x11, 0xf0, 0xff}; /* 1 0 1 1 0 */
  assert_memory_equal(to, nibbles, sizeof to);
  memset(to, 0xff, sizeof to);
  map = cast_of(CLRS_NUMPY, CLRS_U1, CLRS_F6E2M3);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  const uint8_t sixths[] = {0x08, 0x80, 0x20, 0xc0}; /* 8 0 8 8 0, six bits each */
  assert_memory_equal(to, sixths, sizeof to);
  memset(to, 0, sizeof to);
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &map, &the_error), the_error);
  assert_int_equal(apply(&map, &source, NULL, &data, to, 1), CLRS_OK);
  assert_int_equal(to[0], 0x0d);
}

/* As in map.h: of a map that reinterprets elements only the types are read. */
TEST(a_bitcast_by_hand_has_any_other_fields) {
  const uint16_t from[] = {1, 2, 3};
  const clrs_view source = view_of(CLRS_U16, 1, LIST(3));
  const clrs_map_data data = {.source = {from, sizeof from}};
  uint16_t to[3] = {0};
  clrs_map map;
  memset(&map, 0xEE, sizeof map);
  map.from = CLRS_U16, map.to = CLRS_F16, map.reinterprets = true;
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OK);
  assert_memory_equal(to, from, sizeof to);
}

/* ---- memory ---- */

TEST(memory_ends_where_it_ends) {
  const uint16_t from[] = {1, 2, 3};
  const clrs_view source = view_of(CLRS_U16, 1, LIST(3)), list = view_of(CLRS_F32, 1, LIST(3));
  const float factors[] = {1, 2, 3};
  const clrs_map_tensors tensors = {.steps = {&list}};
  clrs_map_data data = {.source = {from, 6}, .steps = {{factors, 12}}};
  uint8_t to[2], before[2] = {0xee, 0xee};
  memcpy(to, before, sizeof to);
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U16, CLRS_U16);
  add_step(&map, CLRS_STEP_MULTIPLY, 0, NULL, everywhere);
  add_round(&map, CLRS_U4);
  data.source.size = 5;
  assert_int_equal(apply(&map, &source, &tensors, &data, to, 2), CLRS_OUT_OF_BOUNDS);
  CHECK_SAYS(the_error, "the source has 5 bytes; element number 2, of 16 bits, is beyond them");
  data.source = (clrs_bytes){NULL, 6};
  assert_int_equal(apply(&map, &source, &tensors, &data, to, 2), CLRS_INVALID_ARGUMENT);
  data.source = (clrs_bytes){from, 6}, data.steps[0].size = 11;
  assert_int_equal(apply(&map, &source, &tensors, &data, to, 2), CLRS_OUT_OF_BOUNDS);
  CHECK_SAYS(the_error, "the memory of a parameter has 11 bytes; element number 2, of 32 bits");
  data.steps[0].size = 12;
  assert_int_equal(apply(&map, &source, &tensors, &data, to, 1), CLRS_OUT_OF_BOUNDS);
  CHECK_SAYS(the_error, "the destination has 1 bytes; element number 2, of 4 bits");
  assert_int_equal(apply(&map, &source, &tensors, &data, NULL, 2), CLRS_INVALID_ARGUMENT);
  assert_memory_equal(to, before, sizeof to);
  assert_int_equal(apply(&map, &source, &tensors, &data, to, 2), CLRS_OK);
  const uint8_t expected[] = {0x41, 0xe9};
  assert_memory_equal(to, expected, sizeof to);
}

TEST(views_below_their_memory_are_refused) {
  const uint8_t from[] = {1, 2};
  const clrs_shape shape = {.rank = 1, .dims = {2}};
  const clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  const clrs_map_data data = {.source = {from, 2}};
  clrs_layout layout;
  clrs_view source;
  float to[2];
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, LIST(-1), 0, &layout, &the_error), the_error);
  CHECK_OK(clrs_view_from_layout(&layout, &source, &the_error), the_error);
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_OUT_OF_BOUNDS);
  CHECK_SAYS(the_error, "the source: the view reads element -1");
}

TEST(nothing_is_read_where_there_are_no_elements) {
  const clrs_view source = view_of(CLRS_U8, 2, LIST(0, 3));
  const clrs_map_data data = {.source = {NULL, 0}};
  clrs_map map = cast_of(CLRS_ONNX, CLRS_U8, CLRS_F32);
  add_step(&map, CLRS_STEP_ADD, 3, NUMBERS(1, 2, 3), along_1);
  assert_int_equal(apply(&map, &source, NULL, &data, NULL, 0), CLRS_OK);
}

TEST(elements_across_bytes_are_read_for_float6_alone) {
  const uint8_t from[3] = {0};
  const clrs_view source = view_of(CLRS_U6, 1, LIST(4));
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map = cast_of(CLRS_NUMPY, CLRS_U6, CLRS_U6);
  uint8_t to[4];
  assert_int_equal(apply(&map, &source, NULL, &data, to, sizeof to), CLRS_UNSUPPORTED);
  CHECK_SAYS(the_error, "u6 elements lie across bytes");
  const clrs_view sixths = view_of(CLRS_F6E3M2, 1, LIST(4));
  CHECK_OK(clrs_map_bitcast(CLRS_F6E3M2, CLRS_U6, &map, &the_error), the_error);
  assert_int_equal(apply(&map, &sixths, NULL, &data, to, sizeof to), CLRS_UNSUPPORTED);
  const clrs_view two = view_of(CLRS_F6E3M2, 1, LIST(2)); /* the second element ends in byte 1 */
  map = cast_of(CLRS_ONNX, CLRS_F6E3M2, CLRS_F6E2M3);
  assert_int_equal(apply(&map, &two, NULL, &data, to, 1), CLRS_OUT_OF_BOUNDS);
  assert_int_equal(apply(&map, &two, NULL, &data, to, 2), CLRS_OK);
  map = cast_of(CLRS_ONNX, CLRS_F6E3M2, CLRS_U8);
  assert_int_equal(apply(&map, &sixths, NULL, &data, to, sizeof to), CLRS_OK);
}

TESTS(NULL, NULL)
