/*
 * Layouts: the input that clrs_layout_init accepts, and the bounds of the positions that a layout
 * touches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "harness/tensors.h"
#include "view/layout.h"

TEST(no_strides_means_dense_row_major) {
  const clrs_shape shape = {3, {2, 3, 4}};
  clrs_layout layout;
  CHECK_OK(clrs_layout_init(CLRS_F32, &shape, NULL, 7, &layout, &error), error);
  assert_memory_equal(layout.strides, LIST(12, 4, 1), 3 * sizeof(int64_t));
  assert_memory_equal(layout.dims, shape.dims, 3 * sizeof(int64_t));
  assert_int_equal(layout.offset, 7);
  assert_int_equal(layout.dtype, CLRS_F32);
}

TEST(bounds_are_what_is_touched) {
  const uint64_t seed = test_seed(60000);
  const int64_t cases = test_cases(5000);
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const layout_wish wish = {6, 9, 300, 5, true};
    const clrs_layout layout = layout_random(&rng, CLRS_F32, &wish, rng_between(&rng, -99, 99));
    oracle tensor = oracle_from_layout(&layout);
    clrs_bounds bounds;
    int64_t lowest, highest;
    CHECK_OK(clrs__layout_bounds(&layout, &bounds, &error), error);
    oracle_range(&tensor, &lowest, &highest);
    CHECK_SEEDED(bounds.empty == (tensor.count == 0), seed + (uint64_t)i, "empty");
    CHECK_SEEDED(bounds.lowest == lowest && bounds.highest == highest, seed + (uint64_t)i,
                 "bounds");
    oracle_free(&tensor);
  }
}

TEST(positions_over_64_bits_are_an_overflow) {
  static const struct {
    const char *name;
    int64_t extent, stride, offset;
    clrs_status status;
  } rows[] = {
      {"last_fits", 3, INT64_MAX / 2, 1, CLRS_OK},
      {"last_does_not", 3, INT64_MAX / 2, 2, CLRS_OVERFLOW},
      {"product_does_not", 5, INT64_MAX / 2, 0, CLRS_OVERFLOW},
      {"lowest_fits", 2, INT64_MIN, 0, CLRS_OK},
      {"lowest_does_not", 2, INT64_MIN, -1, CLRS_OVERFLOW},
      {"negative_product_does_not", 3, INT64_MIN, 0, CLRS_OVERFLOW},
      {"one_element_needs_no_stride", 1, INT64_MIN, INT64_MIN, CLRS_OK},
      {"no_element_needs_no_stride", 0, INT64_MAX, INT64_MAX, CLRS_OK},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs_shape shape = {1, {rows[i].extent}};
    clrs_error error = {0};
    clrs_layout layout;
    const clrs_status status =
        clrs_layout_init(CLRS_U8, &shape, &rows[i].stride, rows[i].offset, &layout, &error);
    if (status != rows[i].status)
      fail_msg("%s: %s %s", rows[i].name, clrs_status_name(status), error.message);
  }
}

TEST(several_axes_overflow_together) {
  const clrs_shape shape = {2, {2, 2}};
  clrs_layout layout;
  CHECK_FAILS(clrs_layout_init(CLRS_U8, &shape, LIST(INT64_MAX - 1, 2), 0, &layout, &error),
              CLRS_OVERFLOW, error);
  CHECK_OK(clrs_layout_init(CLRS_U8, &shape, LIST(INT64_MAX - 1, 1), 0, &layout, &error), error);
}

typedef struct dense_row {
  const char *name;
  clrs_layout layout;
  bool is_dense;
} dense_row;

TEST(dense_is_row_major_without_gaps) {
  static const dense_row rows[] = {
      {"scalar", {.rank = 0}, true},
      {"rows", {.rank = 2, .dims = {3, 4}, .strides = {4, 1}}, true},
      {"somewhere", {.rank = 2, .dims = {3, 4}, .strides = {4, 1}, .offset = 77}, true},
      {"padded rows", {.rank = 2, .dims = {3, 4}, .strides = {5, 1}}, false},
      {"transposed", {.rank = 2, .dims = {3, 4}, .strides = {1, 3}}, false},
      {"reversed", {.rank = 1, .dims = {3}, .strides = {-1}}, false},
      {"broadcast", {.rank = 2, .dims = {3, 4}, .strides = {0, 1}}, false},
      {"every second", {.rank = 1, .dims = {3}, .strides = {2}}, false},
      {"ones have any stride", {.rank = 3, .dims = {1, 3, 1}, .strides = {-9, 1, 77}}, true},
      {"too many", {.rank = 2, .dims = {INT64_MAX, 2}, .strides = {2, 1}}, false},
      {"one element", {.rank = 1, .dims = {1}, .strides = {77}}, true},
      {"no element, outside", {.rank = 2, .dims = {0, 4}, .strides = {9, 9}}, true},
      {"no element, inside", {.rank = 2, .dims = {4, 0}, .strides = {9, 9}}, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    print_message("  %s\n", rows[i].name);
    assert_int_equal(clrs_layout_is_dense(&rows[i].layout), rows[i].is_dense);
  }
}

TESTS(NULL, NULL)
