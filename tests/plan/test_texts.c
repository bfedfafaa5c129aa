/*
 * Names and sentences: every outcome, class and reason has a distinct text, an invalid number has a
 * text too, and long lists are cut at the end of the room.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/classes.h"

#include "base/status.h"
#include "clreshape/plan.h"
#include "view/shape.h"
#include "view/view.h"

TEST(every_outcome_and_class_has_its_name) {
  assert_string_equal(clrs_outcome_name(CLRS_OUTCOME_EMPTY), "empty");
  assert_string_equal(clrs_outcome_name(CLRS_OUTCOME_ALIAS), "alias");
  assert_string_equal(clrs_outcome_name(CLRS_OUTCOME_AFFINE), "affine");
  assert_string_equal(clrs_outcome_name(CLRS_OUTCOME_COMPOSED), "composed");
  assert_string_equal(clrs_outcome_name((clrs_outcome)9), "unknown");
  for (int i = 0; i < CLRS__CLASS_COUNT; i++)
    for (int k = 0; k < i; k++)
      assert_string_not_equal(clrs_class_name((size_t)i), clrs_class_name((size_t)k));
  assert_string_equal(clrs_class_name(CLRS__CLASS_GPU_ANY), "gpu_any");
  assert_null(clrs_class_name(CLRS__CLASS_COUNT));
  assert_null(clrs_class_name(SIZE_MAX));
}

TEST(every_reason_has_its_sentence) {
  static const struct {
    clrs__reason reason;
    const char *says;
  } rows[] = {
      {{CLRS__REASON_DIM_HAS_NO_STRIDE, {-1, 0}}, "the dims cut across the strides of the source"},
      {{CLRS__REASON_DIM_HAS_NO_STRIDE, {0, 7}},
       "the elements of dimension 0 (extent 7) do not lie at one stride"},
      {{CLRS__REASON_STACKED_WALKS, {3, 0}},
       "the operations do not factor into common axes: the view is a stack of 3 walks"},
      {{CLRS__REASON_DESTINATION_GIVEN, {0, 0}},
       "the caller gave a destination, so the bytes must move"},
      {{CLRS__REASON_COPY_REQUESTED, {0, 0}}, "the copy policy is always"},
      {{CLRS__REASON_AXES_DO_NOT_FACTOR, {6, 4}},
       "source and destination have no common axes: 6 and 4 do not divide each other"},
      {{CLRS__REASON_FEW_BYTES, {480, 2}},
       "480 bytes are too few for the 2 launches that the rectangles of the move would take"},
      {{CLRS__REASON_TOO_MANY_PIECES, {4, 0}},
       "cutting the axes where they do not factor takes more than 4 launches"},
      {{(clrs__reason_kind)77, {0, 0}}, "unknown reason 77"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    assert_string_equal(clrs__reason_sentence(&rows[i].reason).text, rows[i].says);
  }
}

/* The expected text, by definition: as many dims as leave room for "...]". */
static void expect_dims(uint32_t rank, const int64_t *dims, size_t room, char *expected) {
  size_t used = (size_t)sprintf(expected, "[");
  for (uint32_t i = 0; i < rank; i++) {
    char number[40];
    const size_t length =
        (size_t)snprintf(number, sizeof number, "%s%lld", i ? "," : "", (long long)dims[i]);
    if (used + length + 4 > room) {
      used += (size_t)sprintf(expected + used, "...");
      break;
    }
    used += (size_t)sprintf(expected + used, "%s", number);
  }
  (void)sprintf(expected + used, "]");
}

TEST(dims_are_cut_where_the_room_ends) {
  int64_t dims[CLRS_MAX_RANK];
  char expected[1000];
  for (int64_t last = 1; last < INT64_MAX / 10; last *= 10) {
    for (uint32_t rank = 0; rank <= CLRS_MAX_RANK; rank++) {
      for (uint32_t i = 0; i < rank; i++)
        dims[i] = i + 1 == rank ? last : i % 3 == 0 ? INT64_MIN : (int64_t)i;
      const clrs__text text = clrs__dims_text(rank, dims);
      expect_dims(rank, dims, sizeof text.text - 1, expected);
      assert_string_equal(text.text, expected);
      assert_true(strlen(text.text) < sizeof text.text);
    }
  }
}

TEST(an_axis_out_of_range_is_told_the_range) {
  uint32_t index = 77;
  CHECK_FAILS(clrs__axis_normalize(3, 3, "flip axis", &index, &error), CLRS_INVALID_ARGUMENT,
              error);
  assert_string_equal(error.message,
                      "flip axis 3 is out of range for rank 3; it must be in [-3, 2]");
  CHECK_FAILS(clrs__axis_normalize(-4, 3, "flip axis", &index, &error), CLRS_INVALID_ARGUMENT,
              error);
  assert_int_equal(index, 77);
  CHECK_OK(clrs__axis_normalize(-3, 3, "flip axis", &index, &error), error);
  assert_int_equal(index, 0);
  CHECK_OK(clrs__axis_normalize(2, 3, "flip axis", &index, &error), error);
  assert_int_equal(index, 2);
}

TEST(dense_strides_pass_over_dims_of_0) {
  const clrs_shape shape = {4, {5, 0, 3, 2}};
  clrs_layout layout;
  CHECK_OK(clrs_layout_init(CLRS_F32, &shape, NULL, 0, &layout, &error), error);
  assert_memory_equal(layout.strides, ((const int64_t[]){6, 6, 2, 1}), 4 * sizeof(int64_t));
}

TESTS(NULL, NULL)
