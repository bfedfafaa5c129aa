/*
 * Ways that only unusual numbers take: products and sums that leave 64 bits late, views with more
 * axes or walks than a stack has room for, names with too many parts. Each must be refused, or
 * answered on the safe side, and never wrap around.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "expect.h"

#include "base/dtype.h"
#include "clreshape/core.h"
#include "move/overlap.h"
#include "plan/plan.h"

#define FAR (INT64_C(1) << 62)

static clrs_view dense_of(clrs_dtype dtype, uint32_t rank, const int64_t *dims) {
  clrs_error error;
  clrs_view view;
  const clrs_shape shape = shape_of(rank, dims);
  CHECK_OK(clrs_view_dense(dtype, &shape, &view, &error), error);
  return view;
}

static void reshape(clrs_view *view, uint32_t rank, const int64_t *dims) {
  clrs_error error;
  const clrs_shape shape = shape_of(rank, dims);
  CHECK_OK(clrs_view_reshape(view, &shape, &error), error);
}

static void reverse_dims(clrs_view *view) {
  clrs_error error;
  int64_t order[CLRS_MAX_RANK];
  for (uint32_t i = 0; i < view->shape.rank; i++)
    order[i] = view->shape.rank - 1 - i;
  CHECK_OK(clrs_view_permute(view, view->shape.rank, order, &error), error);
}

/* ---- blocked layouts ---- */

static void blocked_fails(const char *name, uint32_t rank, const int64_t *dims, clrs_status status,
                          const char *says) {
  clrs_error error;
  clrs_blocked_layout blocked;
  const clrs_shape shape = shape_of(rank, dims);
  CHECK_FAILS(clrs_blocked_from_name(name, CLRS_F32, &shape, &blocked, &error), status, error);
  CHECK_SAYS(error, says);
}

TEST(blocks_that_multiply_too_far_are_refused) {
  blocked_fails("A999999a999999a999999a999999a", 1, LIST(1), CLRS_OVERFLOW, "blocks");
  blocked_fails("ABCD999999a999999b999999c999999d", 4, LIST(0, 0, 0, 0), CLRS_OVERFLOW, "blocks");
  blocked_fails("abC999999c", 3, LIST(INT64_C(1) << 31, INT64_C(1) << 31, 1), CLRS_OVERFLOW,
                "strides");
  const clrs_blocked_layout blocked = {
      .dtype = CLRS_F32,
      .shape = {.rank = 3},
      .outer_strides = {1, 1, 1},
      .block_count = 3,
      .blocks = {{0, INT64_C(1) << 40}, {1, INT64_C(1) << 40}, {2, INT64_C(1) << 40}}};
  clrs_view view;
  CHECK_FAILS(clrs_blocked_view(&blocked, &view, &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "blocks");
}

TEST(names_of_too_many_parts_are_refused) {
  char name[128] = "";
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  for (int i = 0; i <= CLRS_MAX_RANK; i++)
    snprintf(name + 3 * i, sizeof name - (size_t)(3 * i), "%cs_", letters[i]);
  blocked_fails(name, 1, LIST(1), CLRS_INVALID_ARGUMENT, "each dim once");
  strcpy(name, "A");
  for (int i = 0; i <= CLRS_MAX_BLOCKS; i++)
    strcat(name, "2a");
  blocked_fails(name, 1, LIST(1), CLRS_INVALID_ARGUMENT, "each dim once");
}

TEST(parts_of_names_that_mean_nothing_are_refused) {
  static const char *const names[] = {"b_fs_fsx16", "b_f1",     "b_F",
                                      "b_yy",       "b_fs_fsv", "b_fs_fsv9z"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    blocked_fails(names[i], 2, LIST(1, 1), CLRS_INVALID_ARGUMENT, "each dim once");
}

/* ---- small pieces ---- */

TEST(only_unsigned_integers_are_unsigned) {
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    const char *name = clrs_dtype_name((clrs_dtype)dtype, CLRS_TYPES_CLRESHAPE);
    assert_int_equal(clrs__dtype_is_unsigned((clrs_dtype)dtype), name[0] == 'u');
  }
}

TEST(a_scalar_pattern_beyond_a_dim_is_refused) {
  clrs_pattern pattern;
  const uint64_t value = UINT64_MAX;
  const clrs_pattern_tensor tensor = {CLRS_U64, 0, NULL, &value};
  CHECK_FAILS(clrs_pattern_read(CLRS_OPENVINO, CLRS_ZERO_COPIES, &tensor, &pattern, &error),
              CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "18446744073709551615");
}

/* ---- overlap: what cannot be told counts as overlap ---- */

TEST(bits_that_are_too_many_to_compare_overlap) {
  const clrs_view many = dense_of(CLRS_BITS1, 1, LIST(3 * (FAR / 2)));
  const clrs_view most = dense_of(CLRS_BITS1, 1, LIST(INT64_MAX - 7));
  const clrs_view one = dense_of(CLRS_BITS1, 1, LIST(1));
  const clrs_operand a = {&many, 0, 1}, b = {&many, 1, 1}, c = {&most, 0, 1}, d = {&one, 0, 1};
  assert_true(clrs__operands_overlap(&a, &b));
  assert_true(clrs__operands_overlap(&c, &d));
}

/* ---- views ---- */

TEST(a_walk_that_counts_too_far_is_refused) {
  clrs_bounds bounds;
  clrs_view view = dense_of(CLRS_U8, 1, LIST(4));
  view.levels[0].axis_count = 2;
  view.axes[0] = view.axes[1] = (clrs_axis){INT64_C(1) << 40, 0};
  CHECK_FAILS(clrs_view_bounds(&view, &bounds, &error), CLRS_INVALID_ARGUMENT, error);
}

TEST(a_window_that_counts_too_far_is_refused) {
  clrs_view view = dense_of(CLRS_BITS1, 1, LIST(FAR));
  const clrs__window window = {0, FAR / 2, 1};
  CHECK_FAILS(clrs__view_window(&view, &window, &error), CLRS_OVERFLOW, error);
}

/* Both axes step from the lowest position to beyond 0, so that the sum of the strides does not
 * fit. */
TEST(a_diagonal_whose_step_does_not_fit_is_refused) {
  clrs_view view = view_strided(CLRS_U8, 2, LIST(2, 2), LIST(INT64_MAX, INT64_MAX), INT64_MIN);
  CHECK_FAILS(clrs__view_diagonal(&view, 0, 0, 1, &error), CLRS_OVERFLOW, error);
  CHECK_SAYS(error, "diagonal");
  CHECK_OK(clrs__view_diagonal(&view, 1, 0, 1, &error), error); /* takes no step */
  assert_int_equal(view.shape.dims[0], 1);
  assert_int_equal(view_position_at(&view, 0), -1);
}

static void cut_off_ends(clrs_view *view, int64_t count) {
  clrs_error error;
  const clrs_slice slice = {0, 1, 1 + count, 1};
  CHECK_OK(clrs_view_slice(view, 1, &slice, &error), error);
}

/* A stack of four walks, three with an axis for each bit of the count. Each walk begins at 1, so no
 * axis stays within an axis of the walk below. Few axes are left for another walk. */
static clrs_view crowded(void) {
  clrs_view view = dense_of(CLRS_U8, 1, LIST(INT64_C(1) << 32));
  const int64_t flat[] = {INT64_C(1) << 32, INT64_C(1) << 31, INT64_C(1) << 30};
  for (int i = 0; i < 3; i++) {
    int64_t twos[CLRS_MAX_RANK];
    for (int k = 0; k < 32; k++)
      twos[k] = 2;
    reshape(&view, (uint32_t)(32 - i), twos);
    reverse_dims(&view);
    reshape(&view, 1, &flat[i]);
    cut_off_ends(&view, flat[i] / 2);
  }
  assert_int_equal(view.depth, 4);
  return view;
}

/* `call` uses `view` and `error`. */
#define HAS_NO_ROOM(rank, dims, call)                                                              \
  do {                                                                                             \
    clrs_error error;                                                                              \
    clrs_view view = crowded();                                                                    \
    reshape(&view, rank, dims);                                                                    \
    const clrs_view before = view;                                                                 \
    CHECK_FAILS((call), CLRS_LIMIT_EXCEEDED, error);                                               \
    CHECK_SAYS(error, "axes");                                                                     \
    assert_memory_equal(&before, &view, offsetof(clrs_view, axes));                                \
  } while (0)

TEST(a_stack_without_room_takes_no_more_axes) {
  const int64_t *eights = LIST(8, 8, 8, 8, 8, 8, 8, 8, 8, 4);
  const clrs_shape wide = shape_of(10, LIST(512, 2, 512, 2, 512, 2, 2, 2, 2, 2));
  static const clrs_slice halves[] = {{0, 0, 4, 1}, {1, 0, 4, 1}, {2, 0, 4, 1},
                                      {3, 0, 4, 1}, {4, 0, 4, 1}, {5, 0, 4, 1}};
  HAS_NO_ROOM(10, eights, clrs_view_permute(&view, 10, LIST(9, 8, 7, 6, 5, 4, 3, 2, 1, 0), &error));
  HAS_NO_ROOM(10, eights, clrs_view_flip(&view, 5, LIST(0, 2, 4, 6, 8), &error));
  HAS_NO_ROOM(10, eights, clrs__view_tile(&view, 10, LIST(2, 2, 2, 2, 2, 2, 2, 2, 2, 2), &error));
  HAS_NO_ROOM(10, eights, clrs_view_slice(&view, 6, halves, &error));
  HAS_NO_ROOM(10, LIST(512, 1, 512, 1, 512, 1, 1, 1, 2, 2), clrs_view_expand(&view, &wide, &error));
  const int64_t *picture = LIST(8, 512, 512, 256);
  HAS_NO_ROOM(4, picture, clrs__view_space_to_batch(&view, 4, LIST(1, 2, 2, 2), &error));
  HAS_NO_ROOM(4, picture, clrs__view_batch_to_space(&view, 4, LIST(1, 2, 2, 2), &error));
  HAS_NO_ROOM(4, picture, clrs__view_depth_to_space(&view, 2, CLRS__BLOCKS_FIRST, &error));
}

/* As many walks as a stack has, the top walk with two axes that are out of order. */
static clrs_view deep(void) {
  clrs_view view = dense_of(CLRS_U8, 1, LIST(1 << 16));
  for (int64_t count = 1 << 16;; count /= 2) {
    reshape(&view, 2, LIST(16, count / 16));
    reverse_dims(&view);
    reshape(&view, 1, &count);
    if (view.depth == CLRS_MAX_DEPTH)
      return view;
    cut_off_ends(&view, count / 2);
  }
}

TEST(a_stack_that_is_full_takes_no_more_walks) {
  clrs_view view = deep();
  const clrs_view before = view;
  const int64_t count = view.shape.dims[0];
  const clrs_slice slice = {0, 1, count - 1, 1};
  const clrs__window window = {0, 3, 1};
  CHECK_FAILS(clrs_view_slice(&view, 1, &slice, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(clrs__view_window(&view, &window, &error), CLRS_LIMIT_EXCEEDED, error);
  assert_memory_equal(&before, &view, offsetof(clrs_view, axes));
  reshape(&view, 2, LIST(count / 2, 2));
  CHECK_FAILS(clrs__view_diagonal(&view, 0, 0, 1, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(clrs__view_diagonal(&view, 0, 1, 0, &error), CLRS_LIMIT_EXCEEDED, error);
}

/* ---- plans ---- */

static clrs_status plan_composed(const clrs_view *source, clrs_error *error) {
  clrs_plan plan;
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.required_class = "composed";
  const clrs_move move = {.source = {source, 1, 1}, .policy = CLRS_COPY_ALWAYS};
  return clrs_plan_move(&move, &limits, &plan, error);
}

/* A square of 4 by 4, transposed, and repeated 2^58 times, as a single row. */
static clrs_view repeated_squares(void) {
  clrs_error error;
  clrs_view view = dense_of(CLRS_C128, 1, LIST(16));
  reshape(&view, 2, LIST(4, 4));
  reverse_dims(&view);
  reshape(&view, 3, LIST(1, 4, 4));
  const clrs_shape repeated = shape_of(3, LIST(INT64_C(1) << 58, 4, 4));
  CHECK_OK(clrs_view_expand(&view, &repeated, &error), error);
  reshape(&view, 1, LIST(FAR));
  return view;
}

/* Elements of 16 bytes that begin at byte 1 are moved by the byte: positions that count repeated
 * elements, of which there may be very many, are then 16 times as far. */
TEST(positions_of_repeats_that_do_not_fit_are_refused) {
  clrs_view view = repeated_squares();
  const clrs_slice far_apart = {0, 0, FAR, (INT64_C(1) << 58) + 3};
  CHECK_OK(clrs_view_slice(&view, 1, &far_apart, &error), error);
  assert_int_equal(view.shape.dims[0], 16);
  reshape(&view, 2, LIST(4, 4));
  reverse_dims(&view);
  assert_int_equal(view.depth, 2);
  CHECK_FAILS(plan_composed(&view, &error), CLRS_OVERFLOW, error);
  reshape(&view, 1, LIST(16));
  cut_off_ends(&view, 8);
  assert_int_equal(view.depth, 3);
  CHECK_FAILS(plan_composed(&view, &error), CLRS_OVERFLOW, error);
}

/* Only the first position is too far. */
TEST(a_start_among_repeats_that_does_not_fit_is_refused) {
  clrs_view view = repeated_squares();
  const clrs_slice late = {0, FAR / 2, FAR / 2 + 15, 3};
  CHECK_OK(clrs_view_slice(&view, 1, &late, &error), error);
  assert_int_equal(view.depth, 2);
  CHECK_FAILS(plan_composed(&view, &error), CLRS_OVERFLOW, error);
}

/* Moved by the byte, each walk takes an additional axis. */
TEST(a_crowded_stack_of_wider_units_is_refused) {
  clrs_view view = crowded();
  view.dtype = CLRS_F32;
  CHECK_FAILS(plan_composed(&view, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "stack of 96");
}

/* Every second element of columns of 31: each column begins with the other remainder. */
TEST(a_fill_of_too_many_pieces_is_refused) {
  clrs_plan plan;
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  clrs_view view = dense_of(CLRS_F32, 2, LIST(31, 31));
  reverse_dims(&view);
  reshape(&view, 1, LIST(961));
  const clrs_slice every_second = {0, 0, 961, 2};
  CHECK_OK(clrs_view_slice(&view, 1, &every_second, &error), error);
  const clrs_operand operand = {&view, 0, 4};
  CHECK_FAILS(clrs_plan_fill(&operand, &limits, &plan, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "cannot be filled");
}

TESTS(NULL, NULL)
