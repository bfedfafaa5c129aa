/*
 * Maps with a rounding between their steps give the results of ONNX Runtime 1.32, PyTorch 2.15 and
 * NumPy 2.4 for the same numbers. test_then.c has every pair of maps. On a device
 * tests/opencl/test_mapped_tensor_random.c has random maps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

#include <math.h>

static const clrs_spread last_axis = {CLRS_SPREAD_AXIS, -1, 0};

/* Elements of a [n,4] through the map. */
static void apply(const clrs_map *map, int64_t count, const void *source, size_t size, float *to) {
  static clrs_map_views views;
  const clrs_view view = view_of(map->from, 2, (const int64_t[]){count / 4, 4});
  const clrs_map_data data = {.source = {source, size}};
  CHECK_OK(clrs_map_bind(map, &view, NULL, &views, &error), error);
  CHECK_OK(clrs_map_apply(map, &views, &data, to, (size_t)count * sizeof *to, &error), error);
}

static clrs_map joined(const clrs_map *first, const clrs_map *second) {
  clrs_map both;
  CHECK_OK(clrs_map_then(first, second, &both, &error), error);
  return both;
}

static void check_codes(const float *found, const uint32_t *expected, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t code;
    memcpy(&code, found + i, sizeof code);
    assert_int_equal(code, expected[i]);
  }
}

static const double scales[] = {0.05F, 0.037F, 1.5, 0.0079F}, zeros[] = {3, 0, -17, 100};

/* QuantizeLinear and DequantizeLinear of a graph, with a scale and a zero point for each channel.
 */
TEST(fake_quantisation_is_one_map) {
  const float source[] = {0.5F,   0.0555F, -1.0F,   3.1F,      -0.05F, 25.0F, 0.125F, 1e30F,
                          0.075F, -0.0F,   -300.0F, -INFINITY, 0.025F, -7.4F, 2.25F,  0.3951F};
  const uint32_t expected[] = {0x3f000000, 0x3d978d50, 0xbfc00000, 0x3e5a6b50,
                               0xbd4ccccd, 0x40965e35, 0x00000000, 0x3e5a6b50,
                               0x3dcccccd, 0x00000000, 0xc3268000, 0xbfe68db8,
                               0x00000000, 0xc0978d50, 0x40400000, 0x3e5a6b50};
  const clrs_numbers scale = {4, scales, last_axis}, zero = {4, zeros, last_axis};
  clrs_map first, second;
  float found[16];
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_I8, &scale, &zero, &first, &error), error);
  CHECK_OK(clrs_map_dequantize(CLRS_I8, CLRS_F32, &scale, &zero, &second, &error), error);
  const clrs_map both = joined(&first, &second);
  apply(&both, 16, source, sizeof source, found);
  check_codes(found, expected, 16);
}

/* torch.fake_quantize_per_channel_affine multiplies by 1 / scale and adds the zero point in a
 * single fused operation. Doubles hold the product and the sum, which are rounded to a float once.
 * That float is rounded to an integer. 1.5 + 3 becomes 4 so. */
TEST(fake_quantisation_may_multiply) {
  const float source[] = {0.5F,   0.0555F, -1.0F,   3.1F,  -0.05F, 25.0F, 0.125F, -0.004F,
                          0.075F, -0.0F,   -300.0F, -3.0F, 0.025F, -7.4F, 2.25F,  0.3951F};
  const uint32_t expected[] = {0x3f000000, 0x3d978d50, 0xbfc00000, 0x3e5a6b50,
                               0xbd4ccccd, 0x40965e35, 0x00000000, 0xbc016f00,
                               0x3d4ccccd, 0x00000000, 0xc3268000, 0xbfe68db8,
                               0x3d4ccccd, 0xc0978d50, 0x3fc00000, 0x3e5a6b50};
  const double inverses[] = {1.0F / 0.05F, 1.0F / 0.037F, 1.0F / 1.5F, 1.0F / 0.0079F};
  const clrs_numbers scale = {4, scales, last_axis}, zero = {4, zeros, last_axis};
  clrs_map first = cast_of(CLRS_NUMPY, CLRS_F32, CLRS_F32),
           second = cast_of(CLRS_ONEDNN, CLRS_F32, CLRS_I8); /* half to even, saturated */
  float found[16];
  CHECK_OK(clrs_map_step(&first, CLRS_STEP_MULTIPLY, CLRS_F64,
                         &(clrs_numbers){4, inverses, last_axis}, &error),
           error);
  CHECK_OK(clrs_map_step(&first, CLRS_STEP_ADD, CLRS_F64, &zero, &error), error);
  CHECK_OK(clrs_map_round(&first, CLRS_F32, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &error), error);
  first = joined(&first, &second);
  CHECK_OK(clrs_map_dequantize(CLRS_I8, CLRS_F32, &scale, &zero, &second, &error), error);
  const clrs_map both = joined(&first, &second);
  apply(&both, 16, source, sizeof source, found);
  check_codes(found, expected, 16);
}

/* numpy.float16 and back: too large values become infinity, and small values become 0 with the same
 * sign. */
TEST(a_double_cast_is_one_map) {
  const float source[] = {1.0009765F, 65519.9F, 65520.0F, -1e-8F,
                          6.1e-5F,    INFINITY, 0.1F,     -2049.0F};
  const uint32_t expected[] = {0x3f802000, 0x477fe000, 0x7f800000, 0x80000000,
                               0x387fc000, 0x7f800000, 0x3dccc000, 0xc5000000};
  const clrs_map there = cast_of(CLRS_NUMPY, CLRS_F32, CLRS_F16),
                 back = cast_of(CLRS_NUMPY, CLRS_F16, CLRS_F32), both = joined(&there, &back);
  float found[8];
  apply(&both, 8, source, sizeof source, found);
  check_codes(found, expected, 8);
}

/* Neither floats alone nor doubles alone give these results. */
TEST(each_step_computes_in_its_own_type) {
  const double source[] = {57655.591, 59310.362, 23698.948, 51820.388};
  const uint32_t expected[] = {0x3fdca804, 0x40004a77, 0xbe49f732, 0x3f94da5c};
  const double means[] = {0.485, 0.456, 0.406, 0.5}, deviations[] = {0.229, 0.224, 0.225, 0.25};
  clrs_map scaled = cast_of(CLRS_NUMPY, CLRS_F64, CLRS_F64),
           normal = cast_of(CLRS_NUMPY, CLRS_F64, CLRS_F32);
  float found[4];
  CHECK_OK(clrs_map_step(&scaled, CLRS_STEP_MULTIPLY, CLRS_F64,
                         &(clrs_numbers){1, NUMBERS(1.0 / 65535), {0}}, &error),
           error);
  scaled = joined(&scaled, &normal);
  normal = cast_of(CLRS_NUMPY, CLRS_F32, CLRS_F32);
  add_step(&normal, CLRS_STEP_SUBTRACT, 4, means, last_axis);
  add_step(&normal, CLRS_STEP_DIVIDE, 4, deviations, last_axis);
  const clrs_map all = joined(&scaled, &normal);
  assert_int_equal(all.step_count, 3);
  apply(&all, 4, source, sizeof source, found);
  check_codes(found, expected, 4);
}

TESTS(NULL, NULL)
