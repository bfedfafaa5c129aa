/*
 * Blocked layouts: the place of each element under OpenVINO's names, by formulas written out by
 * hand, and the errors for malformed names. oneDNN's names are compared with oneDNN
 * itself in tests/conformance/blocked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "harness/check.h"
#include "harness/tensors.h"

/* ---- OpenVINO's names ---- */

/* An index and the dims, both in the order of OpenVINO's shapes. */
typedef int64_t (*formula)(const int64_t *at, const int64_t *dims);

static int64_t blocks(int64_t extent, int64_t block) {
  return (extent + block - 1) / block;
}

static int64_t bfyx(const int64_t *at, const int64_t *dims) {
  return ((at[0] * dims[1] + at[1]) * dims[2] + at[2]) * dims[3] + at[3];
}

static int64_t byxf(const int64_t *at, const int64_t *dims) {
  return ((at[0] * dims[2] + at[2]) * dims[3] + at[3]) * dims[1] + at[1];
}

static int64_t yxfb(const int64_t *at, const int64_t *dims) {
  return ((at[2] * dims[3] + at[3]) * dims[1] + at[1]) * dims[0] + at[0];
}

static int64_t slices(const int64_t *at, const int64_t *dims, int64_t size) {
  const int64_t slice = at[0] * blocks(dims[1], size) + at[1] / size;
  return ((slice * dims[2] + at[2]) * dims[3] + at[3]) * size + at[1] % size;
}

static int64_t b_fs_yx_fsv4(const int64_t *at, const int64_t *dims) {
  return slices(at, dims, 4);
}

static int64_t b_fs_yx_fsv16(const int64_t *at, const int64_t *dims) {
  return slices(at, dims, 16);
}

static int64_t b_fs_yx_fsv32(const int64_t *at, const int64_t *dims) {
  return slices(at, dims, 32);
}

static int64_t b_fs_zyx_fsv16(const int64_t *at, const int64_t *dims) {
  const int64_t slice = at[0] * blocks(dims[1], 16) + at[1] / 16;
  const int64_t row = (slice * dims[2] + at[2]) * dims[3] + at[3];
  return (row * dims[4] + at[4]) * 16 + at[1] % 16;
}

/* `inner` and `outer` are the two halves of a pair of blocked dims 0 and 1, `last` innermost. */
static int64_t tiles(const int64_t *at, const int64_t *dims, int64_t rows, int64_t columns,
                     bool first_is_last) {
  const int64_t tile = at[0] / rows * blocks(dims[1], columns) + at[1] / columns;
  const int64_t inside = first_is_last ? at[1] % columns * rows + at[0] % rows
                                       : at[0] % rows * columns + at[1] % columns;
  return ((tile * dims[2] + at[2]) * dims[3] + at[3]) * rows * columns + inside;
}

static int64_t bs_fs_yx_bsv16_fsv16(const int64_t *at, const int64_t *dims) {
  return tiles(at, dims, 16, 16, false);
}

static int64_t bs_fs_yx_bsv32_fsv16(const int64_t *at, const int64_t *dims) {
  return tiles(at, dims, 32, 16, false);
}

static int64_t os_is_yx_isv16_osv16(const int64_t *at, const int64_t *dims) {
  return tiles(at, dims, 16, 16, true);
}

static int64_t os_iyx_osv16(const int64_t *at, const int64_t *dims) {
  const int64_t slice = at[0] / 16 * dims[1] + at[1];
  return ((slice * dims[2] + at[2]) * dims[3] + at[3]) * 16 + at[0] % 16;
}

static int64_t g_os_iyx_osv16(const int64_t *at, const int64_t *dims) {
  const int64_t slice = (at[0] * blocks(dims[1], 16) + at[1] / 16) * dims[2] + at[2];
  return ((slice * dims[3] + at[3]) * dims[4] + at[4]) * 16 + at[1] % 16;
}

typedef struct name_row {
  const char *name;
  formula where;
  clrs_shape shape;
  int64_t padded[5];
} name_row;

static const name_row names[] = {
    {"bfyx", bfyx, {4, {2, 5, 3, 4}}, {2, 5, 3, 4}},
    {"byxf", byxf, {4, {2, 5, 3, 4}}, {2, 5, 3, 4}},
    {"yxfb", yxfb, {4, {2, 5, 3, 4}}, {2, 5, 3, 4}},
    {"b_fs_yx_fsv4", b_fs_yx_fsv4, {4, {2, 7, 3, 4}}, {2, 8, 3, 4}},
    {"b_fs_yx_fsv16", b_fs_yx_fsv16, {4, {2, 30, 3, 5}}, {2, 32, 3, 5}},
    {"b_fs_yx_fsv32", b_fs_yx_fsv32, {4, {3, 40, 2, 2}}, {3, 64, 2, 2}},
    {"b_fs_zyx_fsv16", b_fs_zyx_fsv16, {5, {2, 17, 2, 3, 2}}, {2, 32, 2, 3, 2}},
    {"bs_fs_yx_bsv16_fsv16", bs_fs_yx_bsv16_fsv16, {4, {18, 20, 2, 3}}, {32, 32, 2, 3}},
    {"bs_fs_yx_bsv32_fsv16", bs_fs_yx_bsv32_fsv16, {4, {33, 5, 2, 3}}, {64, 16, 2, 3}},
    {"os_is_yx_isv16_osv16", os_is_yx_isv16_osv16, {4, {20, 18, 3, 3}}, {32, 32, 3, 3}},
    {"os_iyx_osv16", os_iyx_osv16, {4, {20, 3, 3, 3}}, {32, 3, 3, 3}},
    {"g_os_iyx_osv16", g_os_iyx_osv16, {5, {2, 20, 3, 2, 3}}, {2, 32, 3, 2, 3}},
};

static oracle by_formula(const name_row *row, const clrs_shape *shape) {
  oracle tensor = {.shape = *shape, .count = oracle_count(shape)};
  int64_t at[CLRS_MAX_RANK] = {0};
  tensor.positions = malloc((size_t)tensor.count * sizeof *tensor.positions);
  assert_non_null(tensor.positions);
  for (int64_t k = 0; k < tensor.count; k++) {
    tensor.positions[k] = row->where(at, row->padded);
    for (uint32_t d = shape->rank; d-- > 0 && ++at[d] == shape->dims[d];)
      at[d] = 0;
  }
  return tensor;
}

TEST(openvinos_names_put_each_element_in_its_place) {
  for (size_t i = 0; i < COUNT(names); i++) {
    clrs_shape padded = {.rank = names[i].shape.rank};
    clrs_blocked_layout blocked;
    clrs_view view;
    const char *why = "";
    print_message("  %s\n", names[i].name);
    memcpy(padded.dims, names[i].padded, sizeof names[i].padded);
    CHECK_OK(clrs_blocked_from_name(names[i].name, CLRS_F16, &names[i].shape, &blocked, &error),
             error);
    assert_memory_equal(blocked.padded_dims, padded.dims, padded.rank * sizeof padded.dims[0]);
    oracle expected = by_formula(&names[i], &names[i].shape);
    CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
    if (!view_matches(&view, &expected, &why))
      fail_msg("%s: %s", names[i].name, why);
    oracle_free(&expected);
    expected = by_formula(&names[i], &padded);
    blocked.shape = padded;
    CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
    if (!view_matches(&view, &expected, &why))
      fail_msg("%s, padded: %s", names[i].name, why);
    oracle_free(&expected);
  }
}

TEST(empty_tensors_have_blocked_layouts) {
  const clrs_shape shape = {4, {0, 30, 2, 2}};
  clrs_blocked_layout blocked;
  clrs_view view;
  CHECK_OK(clrs_blocked_from_name("nChw16c", CLRS_U4, &shape, &blocked, &error), error);
  CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
  assert_true(clrs_shape_equal(&view.shape, &shape));
  assert_int_equal(view.depth, 0);
}

/* ---- malformed names ---- */

typedef struct bad_name {
  const char *name;
  uint32_t rank;
} bad_name;

TEST(malformed_names_are_refused) {
  static const bad_name rows[] = {
      {"", 0},
      {"16c", 1},
      {"nChw", 4},
      {"nchw16c", 4},
      {"nChw0c", 4},
      {"nChwc", 4},
      {"nChw16", 4},
      {"nChw16C", 4},
      {"nChw16x", 4},
      {"nnhw", 4},
      {"nCcw16c", 4},
      {"nNhw16n", 4},
      {"nqhw", 4},
      {"abce", 4},
      {"Abcd16b", 4},
      {"nChw-16c", 4},
      {"nChw16c ", 4},
      {" nchw", 4},
      {"n chw", 4},
      {"nChw9999999c", 4},
      {"b_fs_yx", 4},
      {"b_f_yx_fsv16", 4},
      {"b_fs_yx_fsv", 4},
      {"b_fs_yx_fsv0", 4},
      {"b_fs_yx_", 4},
      {"_b_fs_yx", 4},
      {"b__fs_yx_fsv16", 4},
      {"b_fs_fs_yx_fsv16", 5},
      {"b_fs_yq_", 4},
      {"b_Fs_yx_fsv16", 4},
      {"b_fs_yx_fsv16x", 4},
      {"b_fs_yx_bsv16", 4},
      {"b_fs_yx_fsv16_bsv16", 4},
  };
  for (size_t i = 0; i < COUNT(rows); i++) {
    clrs_shape shape = {.rank = rows[i].rank, .dims = {2, 30, 4, 4, 4}};
    clrs_blocked_layout blocked, before;
    print_message("  \"%s\"\n", rows[i].name);
    memset(&blocked, 0x5a, sizeof blocked);
    before = blocked;
    CHECK_FAILS(clrs_blocked_from_name(rows[i].name, CLRS_F32, &shape, &blocked, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, rows[i].name);
    assert_memory_equal(&blocked, &before, sizeof blocked);
  }
}

/* ---- malformed descriptors ---- */

static clrs_blocked_layout well_formed(void) {
  return (clrs_blocked_layout){.dtype = CLRS_F32,
                               .shape = {3, {2, 30, 4}},
                               .padded_dims = {2, 32, 4},
                               .outer_strides = {128, 64, 16},
                               .block_count = 1,
                               .blocks = {{1, 16}}};
}

/* Without blocks there is room for the last dim that there can be. */
TEST(all_dims_without_blocks_are_a_plain_layout) {
  clrs_blocked_layout blocked = {.dtype = CLRS_U8, .shape = {.rank = CLRS_MAX_RANK}};
  clrs_view view;
  for (uint32_t dim = 0; dim < CLRS_MAX_RANK; dim++) {
    blocked.shape.dims[dim] = blocked.padded_dims[dim] = dim < 2 ? 3 : 1;
    blocked.outer_strides[dim] = dim == 1 ? 1 : 5;
  }
  CHECK_OK(clrs_blocked_view(&blocked, &view, &error), error);
  assert_true(clrs_shape_equal(&view.shape, &blocked.shape));
  assert_int_equal(view.levels[0].axis_count, 2);
  assert_int_equal(view.axes[0].stride, 5);
}

TEST(every_block_is_looked_at) {
  clrs_blocked_layout blocked = well_formed();
  clrs_view view;
  blocked.block_count = 2;
  blocked.blocks[1] = (clrs_block){0, -6};
  CHECK_FAILS(clrs_blocked_view(&blocked, &view, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "-6");
}

TESTS(NULL, NULL)
