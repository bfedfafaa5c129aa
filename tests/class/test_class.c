/*
 * The parts that all classes share: the start of a cut, the number of axes in the words, and the
 * words of pieces. The expected numbers are written down.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/axes.h"
#include "harness/check.h"

#include "class/class.h"

enum { ANY = 0x5a }; /* bytes of memory that a function has to set */

/* ---- alignment ---- */

TEST(units_are_aligned_like_the_less_aligned_buffer) {
  static const struct {
    uint32_t source, destination, bits;
  } rows[] = {{1, 128, 8}, {2, 128, 16}, {128, 4, 32}, {8, 8, 64}, {16, 128, 128}, {128, 128, 128}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs__job job = {.source_alignment = rows[i].source,
                           .destination_alignment = rows[i].destination};
    assert_int_equal(clrs__job_aligned_bits(&job), rows[i].bits);
  }
}

/* Blocks are read in words of 32 bits. A unit may be wider than a word. */
TEST(blocks_are_taken_if_both_buffers_are_aligned) {
  static const struct {
    uint32_t source, destination, unit_bits;
    bool takes;
    uint32_t aligned_bits;
  } rows[] = {{4, 16, 8, true, 32},    {2, 16, 8, false, 8},    {4, 8, 8, false, 8},
              {2, 8, 8, false, 8},     {128, 128, 1, true, 32}, {128, 128, 32, true, 32},
              {128, 128, 64, true, 64}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const clrs__job job = {.source_alignment = rows[i].source,
                           .destination_alignment = rows[i].destination};
    clrs__cut cut = {.aligned_bits = rows[i].unit_bits, .wide_destination = !rows[i].takes};
    assert_int_equal(clrs__cut_take_blocks(&job, &cut), rows[i].takes);
    assert_int_equal(cut.wide_destination, rows[i].takes);
    assert_int_equal(cut.aligned_bits, rows[i].aligned_bits);
  }
}

/* ---- the start of a cut ---- */

static clrs__job make_job(const clrs_view *stack) {
  const clrs__job job = {
      .unit_bits = 16,
      .index_bits = 64,
      .from = stack != NULL ? CLRS__FROM_STACK : CLRS__BY_INDEX,
      .msb_first = true,
      .stack = stack,
      .address = {.key = {true, true}, .rules = 5, .extent = 77, .digits = {{7, 9}}},
      .nest = nest_of_axes(AXES({3, 5, 7}, {4, 1, 1}))};
  return job;
}

static void require_start(const clrs__job *job, const clrs__cut *cut, uint32_t level_axes) {
  static const unsigned char none[sizeof cut->as];
  assert_int_equal(cut->unit_bits, 16);
  assert_int_equal(cut->aligned_bits, 16);
  assert_int_equal(cut->index_bits, 64);
  assert_int_equal(cut->from, job->from);
  assert_int_equal(cut->level_axes, level_axes);
  assert_true(cut->msb_first);
  assert_memory_equal(&cut->address, &job->address, sizeof cut->address);
  assert_int_equal(cut->share, 0);
  assert_false(cut->wide_source || cut->wide_destination || cut->loops);
  assert_memory_equal(&cut->as, none, sizeof none);
  assert_int_equal(cut->nest.axis_count, 2);
  assert_memory_equal(cut->nest.axes, job->nest.axes, 2 * sizeof job->nest.axes[0]);
}

TEST(a_cut_starts_with_the_job_and_is_copied_whole) {
  const clrs_view stack = {.depth = 2, .levels = {{0, 3}, {0, 2}}};
  for (int is_stacked = 0; is_stacked < 2; is_stacked++) {
    const clrs__job job = make_job(is_stacked ? &stack : NULL);
    clrs__cut cut, copy;
    memset(&cut, ANY, sizeof cut);
    memset(&copy, ANY, sizeof copy);
    cut.msb_first = copy.msb_first = false;
    clrs__cut_start(&job, &cut);
    require_start(&job, &cut, is_stacked ? 5 : 0);
    clrs__cut_copy(&copy, &cut);
    require_start(&job, &copy, is_stacked ? 5 : 0);
  }
}

/* ---- the number of axes ---- */

/* A box has the axes of the nest twice, a number of parts for each axis that boxes cut, and the
 * axes of the stage. */
TEST(words_have_room_for_parts) {
  clrs__cut cut = {.kind = CLRS__CUT_UNITS, .nest.axis_count = 5};
  assert_int_equal(clrs__cut_axis_count(&cut), 5);
  static const struct {
    int32_t fast, slow;
    uint32_t count;
  } boxes[] = {{-1, -1, 13}, {0, -1, 14}, {2, -1, 14}, {1, 0, 15}, {0, 1, 15}};
  for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
    cut.kind = CLRS__CUT_BOXES;
    cut.as.boxes.axis_count = 3;
    cut.as.boxes.fast_cut = boxes[i].fast;
    cut.as.boxes.slow_cut = boxes[i].slow;
    assert_int_equal(clrs__cut_axis_count(&cut), boxes[i].count);
  }
  for (int64_t parts = 0; parts < 4; parts++) {
    cut.kind = CLRS__CUT_SHORT;
    cut.as.short_axes.rows = cut.as.short_axes.columns = 8;
    cut.as.short_axes.row_extent = 8 + parts % 2;
    cut.as.short_axes.column_extent = 8 + parts / 2;
    assert_int_equal(clrs__cut_axis_count(&cut), 5 + parts % 2 + parts / 2);
  }
  cut.kind = CLRS__CUT_VOLUMES;
  cut.as.volumes.more_axes = 4;
  assert_int_equal(clrs__cut_axis_count(&cut), 9);
}

/* ---- words ---- */

static clrs__cut make_cut(clrs__cut_kind kind, size_t count, const test_axis *axes) {
  clrs__cut cut = {.kind = kind, .work = 1234, .nest = nest_of_axes(count, axes)};
  cut.nest.source_offset = 11;
  cut.nest.destination_offset = 13;
  for (uint32_t i = 0; i < cut.nest.axis_count; i++)
    cut.nest.axes[i].strides[CLRS_INDEX] = 100 + i;
  return cut;
}

static void require_axis(const clrs__nest_axis_words *axis, int64_t extent, int64_t source,
                         int64_t destination, int64_t index) {
  assert_int_equal(axis->extent, extent);
  assert_int_equal(axis->divisor, extent);
  assert_int_equal(axis->source_stride, source);
  assert_int_equal(axis->destination_stride, destination);
  assert_int_equal(axis->index_stride, index);
}

TEST(the_head_has_starts_and_shares_and_no_inner_axes) {
  for (int64_t share = 0; share < 3; share++) {
    for (int is_indexed = 0; is_indexed < 2; is_indexed++) {
      clrs__words words;
      clrs__cut cut = make_cut(CLRS__CUT_UNITS, AXES({3, 5, 7}, {4, 1, 1}));
      cut.share = share;
      cut.address.key.is_indexed = (uint8_t)is_indexed;
      memset(&words, ANY, sizeof words);
      clrs__encode_axes(&cut, &cut.nest, &words);
      assert_int_equal(words.source_start, 11);
      assert_int_equal(words.destination_start, 13);
      assert_int_equal(words.count, 1234);
      assert_int_equal(words.axis_count, 2);
      assert_int_equal(words.outer_axis_count, 0);
      assert_int_equal(words.narrow_axes, 2);
      assert_int_equal(words.chunks_per_item, share == 2 ? 2 : 1);
      assert_ptr_equal(words.address, is_indexed ? &cut.address : NULL);
      require_axis(&words.axes[0], 3, 5, 7, is_indexed ? 100 : 0);
      require_axis(&words.axes[1], 4, 1, 1, is_indexed ? 101 : 0);
      assert_memory_equal(&words.axes[2].extent, "ZZZZZZZZ", 8); /* not an axis */
    }
  }
}

/* Kernels for GPUs count the first axis fastest. */
TEST(units_have_their_axes_in_reverse) {
  for (uint32_t count = 0; count <= 4; count++) {
    clrs__words words;
    clrs__cut cut = make_cut(CLRS__CUT_UNITS, AXES({2, 9, 8}, {3, 7, 6}, {4, 5, 4}, {5, 3, 2}));
    cut.nest.axis_count = count;
    clrs__encode_pieces(&cut, &words);
    assert_int_equal(words.axis_count, count);
    for (uint32_t i = 0; i < count; i++)
      require_axis(&words.axes[count - 1 - i], 2 + i, 9 - 2 * i, 8 - 2 * i, 0);
  }
}

static void require_chunk(const clrs__chunk_axis_words *axis, int64_t extent, int64_t source,
                          int64_t destination, int64_t chunk, int64_t parts_axis, int64_t index) {
  assert_int_equal(axis->extent, extent);
  assert_int_equal(axis->source_stride, source);
  assert_int_equal(axis->destination_stride, destination);
  assert_int_equal(axis->chunk_extent, chunk);
  assert_int_equal(axis->parts_axis, parts_axis);
  assert_int_equal(axis->index_stride, index);
}

/* 97 steps in chunks of 48 are 3 chunks, and 50 steps are one chunk of 64. The only chunk along an
 * axis needs no step, which might not fit in 64 bits. */
TEST(chunks_are_numbered_by_axes_of_their_own) {
  for (int in_groups = 0; in_groups < 2; in_groups++) {
    clrs__words words;
    const clrs__cut cut_of =
        make_cut(CLRS__CUT_CHUNKS, AXES({6, 900, 900}, {97, 2, 3}, {50, INT64_MAX / 50, 1}));
    clrs__cut cut = cut_of;
    cut.address.key.is_indexed = true;
    cut.as.chunks.extents[0] = 48;
    cut.as.chunks.extents[1] = 64;
    assert_int_equal(clrs__chunk_parts(&cut, 0), 3);
    assert_int_equal(clrs__chunk_parts(&cut, 1), 1);
    memset(&words, ANY, sizeof words);
    (in_groups ? clrs__encode_group_pieces : clrs__encode_pieces)(&cut, &words);
    assert_int_equal(words.axis_count, 3);
    require_axis(&words.axes[in_groups ? 2 : 0], 6, 900, 900, 100);
    require_axis(&words.axes[1], 3, 96, 144, 101 * 48);
    require_axis(&words.axes[in_groups ? 0 : 2], 1, 0, 0, 0);
    require_chunk(&words.row, 97, 2, 3, 48, 1, 101);
    require_chunk(&words.column, 50, INT64_MAX / 50, 1, 64, in_groups ? 0 : 2, 102);
  }
}

/* Blocks of a row may begin before the row, so there may be more chunks than the columns fill. */
TEST(a_cut_may_say_how_many_chunks_are_side_by_side) {
  clrs__words words;
  clrs__cut cut = make_cut(CLRS__CUT_CHUNKS, AXES({97, 2, 3}, {64, 1, 1}));
  cut.as.chunks.extents[0] = 48;
  cut.as.chunks.extents[1] = 32;
  cut.as.chunks.column_parts = 1;
  assert_int_equal(clrs__chunk_parts(&cut, 0), 3);
  assert_int_equal(clrs__chunk_parts(&cut, 1), 1);
  cut.as.chunks.column_parts = 2;
  assert_int_equal(clrs__chunk_parts(&cut, 1), 2);
  clrs__encode_pieces(&cut, &words);
  require_axis(&words.axes[0], 3, 96, 144, 0);
  require_axis(&words.axes[1], 2, 32, 32, 0);
}

TESTS(NULL, NULL)
