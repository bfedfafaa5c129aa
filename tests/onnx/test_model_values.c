/*
 * Values of a graph by name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/model_values.h"

enum { MEMORY = 1 << 30 };

TEST(a_hundred_thousand_values_are_found_by_name) {
  enum { COUNT = 100000 };
  static char names[COUNT][8];
  static model_value *added[COUNT];
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  CHECK_OK(model_values_init(COUNT, &arena, &values, &error), error);
  for (size_t i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "v%zu", i * 7919 % COUNT);
    model_values_declare(&values, names[i], (uint32_t)i);
  }
  model_values_sort(&values);
  for (size_t i = 0; i < COUNT; i++) {
    assert_null(model_values_find(&values, names[i]));
    assert_int_equal(model_values_name(&values, names[i])->node, i);
    CHECK_OK(model_values_add(&values, names[i], &added[i], &error), error);
  }
  for (size_t i = 0; i < COUNT; i++)
    assert_ptr_equal(model_values_find(&values, names[i]), added[i]);
  assert_null(model_values_find(&values, "v100000"));
  assert_null(model_values_find(&values, NULL));
  model_values_free(&values);
}

TEST(a_name_is_given_once_and_never_empty) {
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  model_value *value;
  CHECK_OK(model_values_init(4, &arena, &values, &error), error);
  model_values_declare(&values, "a", 1);
  model_values_declare(&values, "a", 0);
  model_values_declare(&values, "", 0);
  model_values_declare(&values, NULL, 0);
  model_values_sort(&values);
  assert_int_equal(values.count, 1);
  assert_int_equal(model_values_name(&values, "a")->node, 0);
  CHECK_OK(model_values_add(&values, "a", &value, &error), error);
  CHECK_FAILS(model_values_add(&values, "a", &value, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "\"a\" is defined twice");
  CHECK_FAILS(model_values_add(&values, "b", &value, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "\"b\" is not declared");
  CHECK_FAILS(model_values_add(&values, "", &value, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(model_values_add(&values, NULL, &value, &error), CLRS_INVALID_ARGUMENT, error);
  model_values_free(&values);
  model_values_free(&values);
}

/* A name stays taken after the value has gone. */
TEST(a_value_goes_with_its_last_reader) {
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  model_value *value;
  CHECK_OK(model_values_init(2, &arena, &values, &error), error);
  model_values_declare(&values, "a", 0);
  model_values_declare(&values, "b", 1);
  model_values_sort(&values);
  model_values_expect(&values, "a");
  model_values_expect(&values, "a");
  model_values_expect(&values, "nobody");
  const size_t memory = arena.left;
  CHECK_OK(model_values_add(&values, "a", &value, &error), error);
  CHECK_OK(onnx_arena_charge(&arena, value, 1000, &error), error);
  assert_true(arena.left < memory - 1000);
  model_values_drop_unread(&values, "a");
  model_values_read(&values, "a");
  assert_ptr_equal(model_values_find(&values, "a"), value);
  model_values_read(&values, "a");
  assert_null(model_values_find(&values, "a"));
  assert_int_equal(arena.left, memory);
  CHECK_FAILS(model_values_add(&values, "a", &value, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_OK(model_values_add(&values, "b", &value, &error), error);
  model_values_drop_unread(&values, "b");
  assert_null(model_values_find(&values, "b"));
  model_values_free(&values);
}

TESTS(NULL, NULL)
