/*
 * Names of blocked layouts, letter by letter: the strides and blocks of each name, and names with
 * one wrong letter.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

typedef struct good_name {
  const char *name;
  clrs_shape shape;
  int64_t padded[3], strides[3];
  uint32_t block_count;
  clrs_block blocks[2];
} good_name;

/* Strides as in oneDNN: from block to block, and a dim of 0 counts as a dim of 1. */
static const good_name good[] = {
    {"a", {1, {7}}, {7}, {1}, 0, {{0, 0}}},
    {"ba", {2, {3, 5}}, {3, 5}, {1, 3}, 0, {{0, 0}}},
    {"abc", {3, {3, 0, 4}}, {3, 0, 4}, {4, 4, 1}, 0, {{0, 0}}},
    {"aB1b", {2, {3, 5}}, {3, 5}, {5, 1}, 1, {{1, 1}}},
    {"aB100000b", {2, {3, 5}}, {3, 100000}, {100000, 100000}, 1, {{1, 100000}}},
    {"BA4b2a", {2, {3, 5}}, {4, 8}, {8, 16}, 2, {{1, 4}, {0, 2}}},
    {"f_bs_bsv4", {2, {3, 5}}, {4, 5}, {4, 4}, 1, {{0, 4}}},
};

TEST(names_stand_for_strides_and_blocks) {
  for (size_t i = 0; i < COUNT(good); i++) {
    const good_name *row = &good[i];
    clrs_blocked_layout blocked;
    print_message("  \"%s\"\n", row->name);
    memset(&blocked, 0x5a, sizeof blocked);
    CHECK_OK(clrs_blocked_from_name(row->name, CLRS_F32, &row->shape, &blocked, &error), error);
    assert_true(clrs_shape_equal(&blocked.shape, &row->shape));
    for (uint32_t d = 0; d < row->shape.rank; d++) {
      assert_int_equal(blocked.padded_dims[d], row->padded[d]);
      assert_int_equal(blocked.outer_strides[d], row->strides[d]);
    }
    assert_int_equal(blocked.block_count, row->block_count);
    for (uint32_t b = 0; b <= row->block_count && b < 2; b++) { /* and nothing behind the blocks */
      assert_int_equal(blocked.blocks[b].dim, row->blocks[b].dim);
      assert_int_equal(blocked.blocks[b].size, row->blocks[b].size);
    }
  }
}

/* Each name would be valid for a shape of this rank if the wrong part were left out or accepted. */
static const struct {
  const char *name;
  uint32_t rank;
} bad[] = {
    {"nnhw", 1},         {"nnhw", 3},    {"nchw16x", 4},  {"qchw", 4},
    {"b_f_y_xB", 4},     {"b_f_yxx", 4}, {"aBCd1x", 4},   {"b_fs_yx_fv", 4},
    {"nChw1000000c", 4}, {"bfsv16", 2},  {"b_f_y_xx", 4}, {"b_f_y_x1", 4},
};

TEST(one_letter_too_many_is_refused) {
  for (size_t i = 0; i < COUNT(bad); i++) {
    const clrs_shape shape = {bad[i].rank, {2, 30, 4, 4}};
    clrs_blocked_layout blocked;
    print_message("  \"%s\"\n", bad[i].name);
    CHECK_FAILS(clrs_blocked_from_name(bad[i].name, CLRS_F32, &shape, &blocked, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "is not a layout name");
  }
}

TEST(twelve_blocks_are_taken_and_thirteen_are_not) {
  const clrs_shape shape = {4, {2, 30, 4, 4}};
  clrs_blocked_layout blocked;
  CHECK_OK(
      clrs_blocked_from_name("nChw2c1c1c1c1c1c1c1c1c1c1c1c", CLRS_F32, &shape, &blocked, &error),
      error);
  assert_int_equal(blocked.block_count, CLRS_MAX_BLOCKS);
  assert_int_equal(blocked.padded_dims[1], 30);
  CHECK_FAILS(
      clrs_blocked_from_name("nChw2c1c1c1c1c1c1c1c1c1c1c1c1c", CLRS_F32, &shape, &blocked, &error),
      CLRS_INVALID_ARGUMENT, error);
}

TESTS(NULL, NULL)
