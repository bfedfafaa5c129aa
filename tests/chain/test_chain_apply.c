/*
 * Chains on views: each operation reaches the view function of the same name with the values in
 * order. Rules reach each reshape, and a failure leaves the view unchanged.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

static const clrs_shape small = {3, {2, 3, 4}};
static const clrs_shape image = {4, {4, 12, 2, 3}};

static clrs_status apply(const clrs_shape *shape, const char *text, const clrs_rules *rules,
                         clrs_view *view, clrs_error *error) {
  clrs_chain chain;
  CHECK_OK(clrs_view_dense(CLRS_F32, shape, view, error), *error);
  CHECK_OK(clrs_chain_parse(text, &chain, error), *error);
  return clrs_chain_apply(&chain, rules, view, error);
}

/* The input position of the view's element `index` in row-major order: the first element of the
 * view that starts there. */
static int64_t position(const clrs_view *view, int64_t index) {
  clrs_view rest = *view;
  clrs_shape flat = {1, {1}};
  clrs_layout layout;
  clrs_error error;
  CHECK_OK(clrs_shape_count(&view->shape, &flat.dims[0], &error), error);
  CHECK_OK(clrs_view_reshape(&rest, &flat, &error), error);
  CHECK_OK(clrs_view_slice(&rest, 1, &(clrs_slice){0, index, index + 1, 1}, &error), error);
  CHECK_OK(clrs_view_layout(&rest, &layout, &error), error);
  return layout.offset;
}

typedef struct effect_row {
  const char *text;
  clrs_shape shape;
  int64_t first, last; /* input positions of the result's first and last elements */
} effect_row;

static void check_effects(const clrs_shape *input, const effect_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    clrs_view view;
    clrs_error error;
    int64_t elements;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(apply(input, rows[i].text, NULL, &view, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &rows[i].shape));
    CHECK_OK(clrs_shape_count(&view.shape, &elements, &error), error);
    assert_int_equal(position(&view, 0), rows[i].first);
    assert_int_equal(position(&view, elements - 1), rows[i].last);
  }
}

TEST(every_operation_does_what_its_name_says) {
  static const effect_row rows[] = {
      {"", {3, {2, 3, 4}}, 0, 23},
      {"reshape=0,-1", {2, {2, 12}}, 0, 23},
      {"permute=2,0,1", {3, {4, 2, 3}}, 0, 23},
      {"unsqueeze=0,-1", {5, {1, 2, 3, 4, 1}}, 0, 23},
      {"unsqueeze=1 squeeze", {3, {2, 3, 4}}, 0, 23},
      {"unsqueeze=0,2 squeeze=2", {4, {1, 2, 3, 4}}, 0, 23},
      {"flatten=2", {2, {6, 4}}, 0, 23},
      {"flatten=-1", {2, {6, 4}}, 0, 23},
      {"expand=5,1,3,4", {4, {5, 2, 3, 4}}, 0, 23},
      {"slice=1:,::-1,0:4:2", {3, {1, 3, 2}}, 20, 14},
      {"slice=1:", {3, {1, 3, 4}}, 12, 23},
      {"slice=-2::-1", {3, {1, 3, 4}}, 0, 11},
      {"slice=1", {2, {3, 4}}, 12, 23},
      {"slice=-1,0", {1, {4}}, 12, 15},
      {"slice=1,2,-1", {0, {0}}, 23, 23},
      {"slice=...", {3, {2, 3, 4}}, 0, 23},
      {"slice=...,2", {2, {2, 3}}, 2, 22},
      {"slice=1,...,::-1", {2, {3, 4}}, 15, 20},
      {"slice=...,1:,-1,2", {1, {1}}, 22, 22},
      {"slice=1,:,...,2", {1, {3}}, 14, 22},
      {"roll=2,1", {3, {2, 3, 4}}, 3, 22},
      {"roll=-1,-1", {3, {2, 3, 4}}, 1, 20},
      {"roll=0,1", {3, {2, 3, 4}}, 12, 11},
      {"roll=1,-9223372036854775808", {3, {2, 3, 4}}, 8, 19},
      {"roll=1,3", {3, {2, 3, 4}}, 0, 23},
      {"roll=2,1 roll=1,2 roll=2,-1 roll=1,1", {3, {2, 3, 4}}, 0, 23},
      {"flip=0,2", {3, {2, 3, 4}}, 15, 8},
      {"split=1,3,2", {3, {2, 1, 4}}, 8, 23},
      {"split=2,3,1", {3, {2, 3, 2}}, 2, 23},
      {"slice=:1,:1,:1 reshape=", {0, {0}}, 0, 0},
      {"rearrange=(a x) b c -> a x b c , x = 2 , a=1", {4, {1, 2, 3, 4}}, 0, 23},
      {"rearrange=a ... c -> c ... a", {3, {4, 3, 2}}, 0, 23},
      {"rearrange=a ... -> (... a)", {1, {24}}, 0, 23},
      {"rearrange=a b c ... -> ... c (b a)", {2, {4, 6}}, 0, 23},
      {"rearrange=Z az A -> A az Z", {3, {4, 3, 2}}, 0, 23},
      {"reshape=24 rearrange=(x 1)->() x", {2, {1, 24}}, 0, 23},
      {"slice=:1,:1,:1 reshape= rearrange=->", {0, {0}}, 0, 0},
      {"repeat=a b c -> 2 a b (c new), new=3", {4, {2, 2, 3, 12}}, 0, 23},
      {"rearrange=a b c -> (c a) b", {2, {8, 3}}, 0, 23},
  };
  check_effects(&small, rows, COUNT(rows));
}

/* numpy.zeros((2,3,4))[-3::-1] has the shape (0,3,4). */
TEST(a_backward_slice_from_before_the_axis_is_empty) {
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U8, &small, &view, &error), error);
  CHECK_OK(clrs_view_apply(&view, "slice=-3::-1", &error), error);
  assert_true(clrs_shape_equal(&view.shape, &(clrs_shape){3, {0, 3, 4}}));
}

TEST(every_operation_on_blocks_does_what_its_name_says) {
  static const effect_row rows[] = {
      {"space_to_depth=1,CRD", {4, {4, 12, 2, 3}}, 0, 287},
      {"tile=1,1,1,2", {4, {4, 12, 2, 6}}, 0, 287},
      {"repeat=3,2", {4, {4, 12, 2, 6}}, 0, 287},
      {"window=3,2,1", {5, {4, 12, 2, 2, 2}}, 0, 287},
      {"diagonal=1,2,3", {3, {4, 12, 2}}, 1, 287},
  };
  check_effects(&image, rows, COUNT(rows));
}

/* The second element distinguishes orders with the same first and last elements. */
TEST(every_order_of_blocks_and_axes_is_its_own) {
  static const effect_row rows[] = {
      {"depth_to_space=2", {4, {4, 3, 4, 6}}, 18, 0},
      {"depth_to_space=2,CRD", {4, {4, 3, 4, 6}}, 6, 0},
      {"channel_shuffle=3 slice=:,1:", {4, {4, 11, 2, 3}}, 25, 0},
      {"channel_shuffle=2,0 slice=1:", {4, {3, 12, 2, 3}}, 145, 0},
      {"channel_shuffle=3,-1", {4, {4, 12, 2, 3}}, 1, 0},
      {"batch_to_space=1,1,2,2", {4, {1, 12, 4, 6}}, 72, 0},
      {"space_to_batch=1,3,2,1", {4, {24, 4, 1, 3}}, 1, 0},
      {"space_to_batch=1,1,1,3", {4, {12, 12, 2, 1}}, 3, 0},
      {"repeat=3,2", {4, {4, 12, 2, 6}}, 0, 0},
      {"window=3,2,1", {5, {4, 12, 2, 2, 2}}, 1, 0},
      {"diagonal=1,2,3", {3, {4, 12, 2}}, 5, 0},
      {"move_axis=0,-1", {4, {12, 2, 3, 4}}, 72, 0},
      {"swap_axes=1,3", {4, {4, 3, 2, 12}}, 6, 0},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view view;
    print_message("  %s\n", rows[i].text);
    CHECK_OK(apply(&image, rows[i].text, NULL, &view, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &rows[i].shape));
    assert_int_equal(position(&view, 1), rows[i].first);
  }
}

TEST(rules_reach_each_reshape) {
  static const clrs_rules onnx = {CLRS_ONNX, CLRS_ZERO_COPIES};
  static const clrs_rules literal = {CLRS_ONNX, CLRS_ZERO_IS_LITERAL};
  static const clrs_rules numpy = {CLRS_NUMPY, CLRS_ZERO_COPIES};
  const char *chain = "slice=:0 reshape=0,5 reshape=5,0";
  clrs_view view;
  CHECK_OK(apply(&small, chain, &literal, &view, &error), error);
  assert_true(clrs_shape_equal(&view.shape, &(clrs_shape){2, {5, 0}}));
  CHECK_OK(apply(&small, chain, &numpy, &view, &error), error);
  CHECK_FAILS(apply(&small, chain, &onnx, &view, &error), CLRS_COUNT_MISMATCH, error);
  CHECK_SAYS(error, "operation 3 (reshape=5,0) at column 22: ");
  CHECK_FAILS(apply(&small, chain, NULL, &view, &error), CLRS_COUNT_MISMATCH, error);
  CHECK_OK(apply(&small, "reshape=-7,12", &numpy, &view, &error), error);
  CHECK_FAILS(apply(&small, "reshape=-7,12", NULL, &view, &error), CLRS_INVALID_PATTERN, error);
}

typedef struct refused_row {
  const char *text;
  clrs_status status;
  const char *says;
} refused_row;

TEST(what_a_view_refuses_names_the_operation) {
  static const refused_row rows[] = {
      {"flip=0 reshape=5,5", CLRS_COUNT_MISMATCH, "operation 2 (reshape=5,5) at column 8: "},
      {"reshape=-1,-1", CLRS_INVALID_PATTERN, "operation 1 (reshape=-1,-1) at column 1: "},
      {"permute=0,0,1", CLRS_INVALID_ARGUMENT, "operation 1 (permute=0,0,1) at"},
      {"slice=::0", CLRS_INVALID_ARGUMENT, "operation 1 (slice=::0) at"},
      {"slice=5:0:0", CLRS_INVALID_ARGUMENT, "is 0; it must not be"},
      {"slice=2", CLRS_INVALID_ARGUMENT, "index 2 of axis 0, which has 2 elements"},
      {"slice=...,-5", CLRS_INVALID_ARGUMENT, "index -5 of axis 2, which has 4 elements"},
      {"slice=0,0,0,0", CLRS_INVALID_ARGUMENT, "there are 4 slices; the rank is 3"},
      {"slice=:,:,...,0,0", CLRS_INVALID_ARGUMENT, "there are 4 slices; the rank is 3"},
      {"roll=3,1", CLRS_INVALID_ARGUMENT, "3"},
      {"flip=3", CLRS_INVALID_ARGUMENT, "operation 1 (flip=3) at"},
      {"squeeze=0", CLRS_INVALID_ARGUMENT, "operation 1 (squeeze=0) at"},
      {"split=0,2,2", CLRS_INVALID_ARGUMENT, "operation 1 (split=0,2,2) at"},
      {"flatten=4", CLRS_INVALID_ARGUMENT, "operation 1 (flatten=4) at"},
      {"expand=5", CLRS_INVALID_ARGUMENT, "operation 1 (expand=5) at"},
      {"expand=-1", CLRS_INVALID_ARGUMENT, "operation 1 (expand=-1) at"},
      {"depth_to_space=5", CLRS_INVALID_ARGUMENT, "(depth_to_space=5)"},
      {"space_to_depth=0", CLRS_INVALID_ARGUMENT, "(space_to_depth=0)"},
      {"channel_shuffle=5", CLRS_INVALID_ARGUMENT, "(channel_shuffle=5)"},
      {"batch_to_space=1,2", CLRS_INVALID_ARGUMENT, "(batch_to_space=1,2)"},
      {"space_to_batch=2,1,1", CLRS_INVALID_ARGUMENT, "(space_to_batch=2,1,1)"},
      {"tile=1,2", CLRS_INVALID_ARGUMENT, "(tile=1,2)"},
      {"repeat=4,1", CLRS_INVALID_ARGUMENT, "(repeat=4,1)"},
      {"window=2,3,0", CLRS_INVALID_ARGUMENT, "(window=2,3,0)"},
      {"diagonal=0,1,1", CLRS_INVALID_ARGUMENT, "(diagonal=0,1,1)"},
      {"move_axis=4,0", CLRS_INVALID_ARGUMENT, "(move_axis=4,0)"},
      {"swap_axes=0,-5", CLRS_INVALID_ARGUMENT, "(swap_axes=0,-5)"},
      {"rearrange=a b -> b a", CLRS_COUNT_MISMATCH, "(rearrange=a b -> b a) at column 1: the left"},
  };
  clrs_view before = {0};
  CHECK_OK(clrs_view_dense(CLRS_F32, &small, &before, &error), error);
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_view view;
    memcpy(&view, &before, sizeof view);
    print_message("  %s\n", rows[i].text);
    CHECK_FAILS(clrs_view_apply(&view, rows[i].text, &error), rows[i].status, error);
    CHECK_SAYS(error, rows[i].says);
    assert_memory_equal(&view, &before, sizeof view);
  }
}

/* A roll slices the view twice, so element counts must fit. */
TEST(a_roll_of_too_many_elements_overflows) {
  const clrs_shape line = {1, {INT64_C(1) << 62}};
  clrs_view view = {0};
  CHECK_OK(clrs_view_dense(CLRS_U8, &line, &view, &error), error);
  const clrs_view before = view;
  CHECK_FAILS(clrs_view_apply(&view, "roll=0,1", &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "operation 1 (roll=0,1) at column 1: ");
  assert_memory_equal(&view, &before, sizeof view);
}

/* The caller never sees the operations before the failed operation. */
TEST(a_chain_is_applied_as_a_whole_or_not_at_all) {
  clrs_view view = {0}, before;
  clrs_chain chain;
  CHECK_OK(clrs_view_dense(CLRS_F32, &small, &view, &error), error);
  before = view;
  CHECK_OK(clrs_chain_parse("permute=2,1,0 reshape=2,12 flip=5", &chain, &error), error);
  CHECK_FAILS(clrs_chain_apply(&chain, NULL, &view, &error), CLRS_INVALID_ARGUMENT, error);
  assert_memory_equal(&view, &before, sizeof view);
  assert_int_equal(clrs_chain_apply(&chain, NULL, &view, NULL), CLRS_INVALID_ARGUMENT);
}

TEST(one_chain_fits_any_number_of_shapes) {
  static const clrs_shape shapes[] = {{3, {2, 3, 24}}, {3, {1, 128, 768}}, {3, {0, 3, 12}}};
  clrs_chain chain;
  CHECK_OK(clrs_chain_parse("rearrange=b t (h d) -> (b h) t d, h=12 flip=0", &chain, &error),
           error);
  for (size_t i = 0; i < COUNT(shapes); i++) {
    const int64_t *d = shapes[i].dims;
    const clrs_shape expected = {3, {d[0] * 12, d[1], d[2] / 12}};
    clrs_view view;
    CHECK_OK(clrs_view_dense(CLRS_F32, &shapes[i], &view, &error), error);
    CHECK_OK(clrs_chain_apply(&chain, NULL, &view, &error), error);
    assert_true(clrs_shape_equal(&view.shape, &expected));
  }
}

/* Step by step, for explanations of a chain. */
TEST(one_operation_at_a_time_is_the_same) {
  static const clrs_shape shapes[] = {{3, {3, 2, 4}}, {2, {3, 8}}, {3, {3, 2, 4}}, {3, {3, 2, 4}}};
  static const clrs_status layouts[] = {CLRS_OK, CLRS_WOULD_COPY, CLRS_OK, CLRS_OK};
  clrs_view view, whole;
  clrs_chain chain;
  clrs_layout layout, at_once;
  CHECK_OK(clrs_view_dense(CLRS_F32, &small, &view, &error), error);
  whole = view;
  CHECK_OK(clrs_chain_parse("permute=1,0,2 reshape=3,8 reshape=3,2,4 flip=0", &chain, &error),
           error);
  for (size_t i = 0; i < chain.op_count; i++) {
    CHECK_OK(clrs_view_apply(&view, clrs_chain_op_text(&chain, i), &error), error);
    assert_true(clrs_shape_equal(&view.shape, &shapes[i]));
    assert_int_equal(clrs_view_layout(&view, &layout, NULL), layouts[i]);
  }
  CHECK_OK(clrs_chain_apply(&chain, NULL, &whole, &error), error);
  CHECK_OK(clrs_view_layout(&whole, &at_once, &error), error);
  assert_int_equal(at_once.offset, layout.offset);
  assert_memory_equal(at_once.strides, layout.strides, 3 * sizeof(int64_t));
}

TESTS(NULL, NULL)
