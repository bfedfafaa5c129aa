/*
 * Views that were edited by hand, which every operation on views refuses.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "expect.h"

/* A stack of two walks: [4,6] transposed, read as [8,3], transposed again. */
static clrs_view stacked_view(void) {
  clrs_error error;
  const clrs_shape first = shape_of(2, LIST(4, 6)), second = shape_of(2, LIST(8, 3));
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_F32, &first, &view, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  CHECK_OK(clrs_view_reshape(&view, &second, &error), error);
  CHECK_OK(clrs_view_permute(&view, 2, LIST(1, 0), &error), error);
  assert_int_equal(view.depth, 2);
  return view;
}

static void expect_refused(const clrs_view *view, const char *what) {
  clrs_error error;
  clrs_view next = *view;
  clrs_plan plan;
  const clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const clrs_move move = {.source = {view, 0, 4}, .policy = CLRS_COPY_ALWAYS};
  if (clrs_view_flip(&next, 1, LIST(0), &error) != CLRS_INVALID_ARGUMENT ||
      clrs_plan_move(&move, &limits, &plan, &error) != CLRS_INVALID_ARGUMENT)
    fail_msg("%s was taken", what);
  CHECK_SAYS(error, "not made by this library");
}

/* Views are open structs. For any edited view, nothing outside of the view's bounds is read. */
TEST(views_edited_by_hand_are_refused) {
  const clrs_view sound = stacked_view();
#define EDITED(edit)                                                                               \
  do {                                                                                             \
    clrs_view view = sound;                                                                        \
    view.edit;                                                                                     \
    expect_refused(&view, #edit);                                                                  \
  } while (0)
  EDITED(shape.dims[0] = 4);
  EDITED(shape.dims[0] = 2);
  EDITED(shape.dims[0] = 0);
  EDITED(depth = 0);
  EDITED(depth = CLRS_MAX_DEPTH + 1);
  EDITED(levels[0].axis_count = CLRS_VIEW_AXES + 1);
  EDITED(levels[0].axis_count = UINT32_MAX);
  EDITED(levels[1].axis_count = CLRS_VIEW_AXES - 1);
  EDITED(levels[1].offset = 1);
  EDITED(levels[1].offset = -1);
  EDITED(levels[1].offset = INT64_MAX);
  EDITED(axes[0].extent = 3);
  EDITED(axes[0].extent = 0);
  EDITED(axes[1].extent = -4);
  EDITED(axes[1].stride = INT64_MAX);
  EDITED(axes[2].stride = 4);
  EDITED(axes[2].stride = -1);
#undef EDITED
}

TESTS(NULL, NULL)
