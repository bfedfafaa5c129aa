/*
 * Views that may be written: chains with rolls, and with repeats where a slice shows each element
 * once, against the positions of the elements, one at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <inttypes.h>

#include "harness/rng.h"
#include "harness/tensors.h"
#include "move/written.h"
#include "view/cursor.h"

enum { MOST = 6 * 6 * 6 * 4, TEXT = 400 };

static int compare(const void *a, const void *b) {
  const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
  return (one > other) - (one < other);
}

static bool repeats_a_position(const clrs_view *view) {
  static int64_t positions[MOST];
  clrs__cursor cursor;
  bool repeats = false;
  const int64_t count = clrs__shape_count(&view->shape);
  assert_true(count > 0 && count <= MOST);
  clrs__cursor_start(&cursor, view);
  for (int64_t i = 0; i < count; i++)
    positions[i] = clrs__cursor_next(&cursor);
  qsort(positions, (size_t)count, sizeof positions[0], compare);
  for (int64_t i = 1; i < count; i++)
    repeats = repeats || positions[i] == positions[i - 1];
  return repeats;
}

static const struct {
  const char *text;
  bool may_be_written;
} rows[] = {
    {"roll=0,1", true},
    {"roll=1,2 roll=2,3", true},
    {"roll=0,1 roll=1,2 roll=2,3", true},
    {"permute=2,0,1 roll=1,2 flip=1 reshape=20,6", true},
    {"roll=1,2 reshape=-1", true},
    {"tile=1,2,1 slice=:,3:8", true},
    {"tile=1,3,1 slice=:,1:12:3 slice=:,:2", true},
    {"tile=1,2,1 slice=:,3:9", false},
    {"roll=1,2 expand=2,4,5,6", false},
    {"roll=1,2 tile=1,1,2", false},
    {"roll=1,2 window=1,3,2", false},
};

TEST(rolls_are_written_and_repeats_are_not) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    clrs_view view = view_strided(CLRS_F32, 3, LIST(4, 5, 6), NULL, 7);
    CHECK_OK(clrs_view_apply(&view, rows[i].text, &error), error);
    assert_int_equal(repeats_a_position(&view), !rows[i].may_be_written);
    const clrs_status status = clrs__view_check_written(&view, &error);
    if (status != (rows[i].may_be_written ? CLRS_OK : CLRS_OVERLAP))
      fail_msg("%s gives %s", rows[i].text, clrs_status_name(status));
  }
}

/* Another operation of three dims. */
static void add_operation(test_rng *rng, char *text) {
  const size_t used = strlen(text);
  const int axis = (int)rng_between(rng, 0, 2), by = (int)rng_between(rng, 1, 5);
  static const char *const others[] = {
      "permute=1,2,0", "flip=1", "slice=:,1:", "tile=1,2,1", "slice=:,::2", "permute=0,2,1"};
  if (rng_percent(rng, 60))
    snprintf(text + used, TEXT - used, " roll=%d,%d", axis, by);
  else
    snprintf(text + used, TEXT - used, " %s", others[rng_between(rng, 0, 5)]);
}

/* Never a wrong yes, and seldom a wrong no. */
TEST(random_chains) {
  const uint64_t seed = test_seed(860000);
  const int64_t cases = test_cases(4000);
  int64_t written = 0, refused = 0, unknown = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = {seed + (uint64_t)i};
    char text[TEXT] = "";
    clrs_view view = view_strided(
        CLRS_U8, 3, LIST(rng_between(&rng, 2, 6), rng_between(&rng, 2, 6), rng_between(&rng, 2, 6)),
        NULL, 0);
    for (int64_t steps = rng_between(&rng, 1, 4); steps > 0; steps--)
      add_operation(&rng, text);
    if (clrs_view_apply(&view, text, &error) != CLRS_OK || clrs__shape_count(&view.shape) > MOST ||
        clrs__view_is_empty(&view))
      continue;
    const bool repeats = repeats_a_position(&view);
    const clrs_status status = clrs__view_check_written(&view, &error);
    CHECK_SEEDED(!repeats || status == CLRS_OVERLAP, seed + (uint64_t)i, "%s is written", text);
    written += status == CLRS_OK;
    refused += repeats;
    unknown += !repeats && status != CLRS_OK;
  }
  print_message("%" PRId64 " are written, %" PRId64 " repeat an element, %" PRId64
                " are refused without need\n",
                written, refused, unknown);
  assert_true(cases < 1000 || (written > cases / 4 && refused > cases / 10));
  assert_true(unknown * 20 <= cases);
}

TESTS(NULL, NULL)
