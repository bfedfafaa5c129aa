/*
 * The memory of a run: the limit, and the memory that ends with a node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/model_values.h"

static int ended;

TEST(values_take_no_more_memory_than_they_may) {
  onnx_arena arena = {.left = 1000};
  model_values values;
  model_value *value;
  CHECK_FAILS(model_values_init(100, &arena, &values, &error), CLRS_LIMIT_EXCEEDED, error);
  model_values_free(&values);
  CHECK_OK(model_values_init(2, &arena, &values, &error), error);
  model_values_declare(&values, "a", 0);
  model_values_declare(&values, "b", 0);
  model_values_sort(&values);
  CHECK_OK(model_values_add(&values, "a", &value, &error), error);
  const size_t left = arena.left;
  CHECK_FAILS(onnx_arena_charge(&arena, value, left + 1, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more memory than a model of its size may");
  CHECK_OK(onnx_arena_charge(&arena, value, left, &error), error);
  CHECK_FAILS(model_values_add(&values, "b", &value, &error), CLRS_LIMIT_EXCEEDED, error);
  assert_null(model_values_find(&values, "b"));
  model_values_drop_unread(&values, "a");
  CHECK_OK(model_values_add(&values, "b", &value, &error), error);
  model_values_free(&values);
  assert_int_equal(arena.left, 1000);
}

static void count_end(void *block) {
  ended += *(const char *)block;
}

TEST(what_is_not_kept_ends_with_the_node) {
  onnx_arena arena = {.left = 1000};
  char *blocks[5];
  ended = 0;
  for (int i = 0; i < 5; i++) {
    CHECK_OK(onnx_arena_take(&arena, 3, 7, &blocks[i], &error), error);
    for (int k = 0; k < 21; k++)
      assert_int_equal(blocks[i][k], 0);
    blocks[i][0] = (char)(1 << i);
    onnx_arena_at_end(blocks[i], count_end);
  }
  onnx_arena_keep(&arena, blocks[2]);
  onnx_arena_keep(&arena, blocks[0]);
  onnx_arena_free(&arena, blocks[4]);
  assert_int_equal(ended, 16);
  onnx_arena_end_node(&arena);
  assert_int_equal(ended, 16 + 8 + 2);
  const size_t left = arena.left;
  onnx_arena_free(&arena, blocks[0]);
  assert_int_equal(arena.left - left, 1000 - arena.left);
  onnx_arena_free(&arena, blocks[2]);
  assert_int_equal(ended, 31);
  assert_int_equal(arena.left, 1000);
  onnx_arena_free(&arena, NULL);
  onnx_arena_keep(&arena, NULL);
}

TEST(an_arena_gives_no_more_than_it_has) {
  onnx_arena arena = onnx_arena_of(1 << 20);
  char *block = NULL;
  CHECK_FAILS(onnx_arena_take(&arena, 1 << 20, 1, &block, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(onnx_arena_take(&arena, SIZE_MAX / 2, 4, &block, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_FAILS(onnx_arena_take(&arena, 1, SIZE_MAX, &block, &error), CLRS_LIMIT_EXCEEDED, error);
  assert_null(block);
  assert_int_equal(arena.left, 1 << 20);
  const uint64_t most = ONNX_WORK + (1 << 20) / ONNX_MEMORY_PER_ELEMENT;
  CHECK_OK(onnx_arena_work(&arena, most - 1, &error), error);
  CHECK_OK(onnx_arena_work(&arena, 1, &error), error);
  CHECK_FAILS(onnx_arena_work(&arena, 1, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "elements would be computed on the host");
}

TESTS(NULL, NULL)
