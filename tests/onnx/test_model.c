/*
 * What a model is read with: the wire check, the table of operators, named values, and memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "onnx/message.h"
#include "onnx/model.h"
#include "onnx/model_values.h"
#include "onnx/operators.h"

/* ------------------------------------------------------------------------------------- wire */

typedef struct wire_row {
  const char *name;
  clrs_status status;
  const char *text; /* of the error */
  uint8_t bytes[16];
  size_t size;
} wire_row;

/* As a TensorProto: 1 dims, 2 data_type, 3 segment (a message), 9 raw_data. */
static const wire_row wire_rows[] = {
    {"nothing", CLRS_OK, "", {0}, 0},
    {"a number", CLRS_OK, "", {0x10, 0x01}, 2},
    {"an unknown field", CLRS_OK, "", {0xf8, 0x07, 0x01}, 3},
    {"bytes", CLRS_OK, "", {0x4a, 0x02, 0xff, 0xff}, 4},
    {"a number of 10 bytes",
     CLRS_OK,
     "",
     {0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
     11},
    {"64 and 32 bits", CLRS_OK, "", {0x79, 1, 2, 3, 4, 5, 6, 7, 8, 0x7d, 1, 2, 3, 4}, 14},
    {"a message", CLRS_OK, "", {0x1a, 0x02, 0x08, 0x05}, 4},
    {"tag cut off", CLRS_INVALID_ARGUMENT, "byte 1: a number is cut off", {0x90}, 1},
    {"number cut off", CLRS_INVALID_ARGUMENT, "byte 2: a number is cut off", {0x10, 0x80}, 2},
    {"number over 64 bits",
     CLRS_INVALID_ARGUMENT,
     "64 bits",
     {0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
     11},
    {"number over 10 bytes",
     CLRS_INVALID_ARGUMENT,
     "64 bits",
     {0x10, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
     12},
    {"field 0", CLRS_INVALID_ARGUMENT, "field number", {0x00, 0x01}, 2},
    {"a group", CLRS_INVALID_ARGUMENT, "wire type", {0x13, 0x14}, 2},
    {"64 bits cut off", CLRS_INVALID_ARGUMENT, "longer than", {0x79, 1, 2, 3}, 4},
    {"bytes cut off", CLRS_INVALID_ARGUMENT, "longer than", {0x4a, 0x03, 1, 2}, 4},
    {"length of 2^63",
     CLRS_INVALID_ARGUMENT,
     "longer than",
     {0x4a, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
     11},
    {"message longer than its parent", CLRS_INVALID_ARGUMENT, "longer than", {0x1a, 0x09, 8, 1}, 4},
    {"field longer than its message",
     CLRS_INVALID_ARGUMENT,
     "cut off",
     {0x1a, 0x01, 0x08, 0x05},
     4},
    {"message twice", CLRS_INVALID_ARGUMENT, "twice", {0x1a, 0x00, 0x1a, 0x00}, 4},
};

static void wire_rules_by_name(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof wire_rows / sizeof wire_rows[0]; i++) {
    const wire_row *row = &wire_rows[i];
    clrs_error error = {0};
    clrs_status status =
        onnx_wire_check(&onnx__tensor_proto__descriptor, row->bytes, row->size, &error);
    if (status != row->status || strstr(error.message, row->text) == NULL)
      fail_msg("%s: %s \"%s\"", row->name, clrs_status_name(status), error.message);
  }
}

/* Puts a message of `size` bytes at the end of `end` into field `tag`; the new begin. */
static uint8_t *wrap(uint8_t *begin, const uint8_t *end, uint8_t tag) {
  size_t size = (size_t)(end - begin);
  *--begin = (uint8_t)(size >> 14);
  *--begin = (uint8_t)(size >> 7 | 0x80);
  *--begin = (uint8_t)(size | 0x80);
  *--begin = tag;
  return begin;
}

/* TypeProto.sequence_type.elem_type, again and again. */
static clrs_status check_nesting(size_t levels, clrs_error *error) {
  enum { LARGEST = 1 << 20 };
  uint8_t *bytes = malloc(LARGEST), *begin = bytes + LARGEST;
  assert_non_null(bytes);
  for (size_t i = 0; i < levels; i++)
    begin = wrap(begin, bytes + LARGEST, i % 2 == 0 ? 0x0a : 0x22);
  const ProtobufCMessageDescriptor *type =
      levels % 2 == 0 ? &onnx__type_proto__descriptor : &onnx__type_proto__sequence__descriptor;
  clrs_status status = onnx_wire_check(type, begin, (size_t)(bytes + LARGEST - begin), error);
  free(bytes);
  return status;
}

static void nesting_is_limited(void **state) {
  (void)state;
  clrs_error error;
  CHECK_OK(check_nesting(ONNX_WIRE_MAX_DEPTH - 1, &error), error);
  CHECK_FAILS(check_nesting(ONNX_WIRE_MAX_DEPTH, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "64 deep");
  CHECK_FAILS(check_nesting(100000, &error), CLRS_INVALID_ARGUMENT, error);
}

static void the_number_of_messages_is_limited(void **state) {
  (void)state;
  size_t size = 2 * ((size_t)ONNX_WIRE_MAX_MESSAGES + 1);
  uint8_t *bytes = malloc(size);
  clrs_error error;
  assert_non_null(bytes);
  for (size_t i = 0; i < size; i += 2)
    bytes[i] = 0x0a, bytes[i + 1] = 0; /* GraphProto.node, empty */
  const ProtobufCMessageDescriptor *type = &onnx__graph_proto__descriptor;
  CHECK_OK(onnx_wire_check(type, bytes, size - 4, &error), error);
  CHECK_FAILS(onnx_wire_check(type, bytes, size, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "2000000 messages");
  free(bytes);
}

/* -------------------------------------------------------------------------------- operators */

typedef struct version_row {
  const char *name;
  int64_t opset, since; /* since 0: the operator does not exist in that opset */
} version_row;

static const version_row version_rows[] = {
    {"Reshape", 1, 1},    {"Reshape", 4, 1},    {"Reshape", 5, 5},     {"Reshape", 13, 5},
    {"Reshape", 14, 14},  {"Reshape", 25, 14},  {"Squeeze", 10, 1},    {"Squeeze", 11, 11},
    {"Squeeze", 12, 11},  {"Squeeze", 13, 13},  {"Unsqueeze", 12, 11}, {"Unsqueeze", 13, 13},
    {"Flatten", 10, 1},   {"Flatten", 11, 11},  {"Expand", 7, 0},      {"Expand", 8, 8},
    {"Slice", 9, 1},      {"Slice", 10, 10},    {"Split", 1, 1},       {"Split", 2, 2},
    {"Split", 12, 2},     {"Split", 13, 13},    {"Split", 17, 13},     {"Split", 18, 18},
    {"Identity", 1, 1},   {"Constant", 10, 1},  {"Constant", 11, 11},  {"Constant", 12, 12},
    {"Transpose", 28, 1}, {"Constant", 28, 12}, {"Flatten", 28, 11},   {"Slice", 28, 10},
};

static void each_opset_has_its_form_of_an_operator(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof version_rows / sizeof version_rows[0]; i++) {
    const version_row *row = &version_rows[i];
    const onnx_operator *op;
    clrs_error error;
    clrs_status status = onnx_operator_find(row->name, row->opset, &op, &error);
    if (row->since == 0 ? status == CLRS_OK : status != CLRS_OK || op->since != row->since)
      fail_msg("%s in opset %d", row->name, (int)row->opset);
  }
}

static void unknown_operators_are_unsupported(void **state) {
  (void)state;
  const onnx_operator *op;
  clrs_error error;
  CHECK_FAILS(onnx_operator_find("Conv", 13, &op, &error), CLRS_UNSUPPORTED, error);
  CHECK_FAILS(onnx_operator_find("", 13, &op, &error), CLRS_UNSUPPORTED, error);
  CHECK_FAILS(onnx_operator_find("reshape", 13, &op, &error), CLRS_UNSUPPORTED, error);
}

/* ----------------------------------------------------------------------------------- values */

enum { MEMORY = 1 << 30 };

static void a_hundred_thousand_values_are_found_by_name(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  static char names[COUNT][8];
  static model_value *added[COUNT];
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  clrs_error error;
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

static void a_name_is_given_once_and_never_empty(void **state) {
  (void)state;
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  model_value *value;
  clrs_error error;
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

/* A name stays taken when its value has gone. */
static void a_value_goes_with_its_last_reader(void **state) {
  (void)state;
  onnx_arena arena = {.left = MEMORY};
  model_values values;
  model_value *value;
  clrs_error error;
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

static void values_take_no_more_memory_than_they_may(void **state) {
  (void)state;
  onnx_arena arena = {.left = 1000};
  model_values values;
  model_value *value;
  clrs_error error;
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

/* ------------------------------------------------------------------------------------ arena */

static int ended;

static void count_end(void *block) {
  ended += *(const char *)block;
}

static void what_is_not_kept_ends_with_the_node(void **state) {
  (void)state;
  onnx_arena arena = {.left = 1000};
  char *blocks[5];
  clrs_error error;
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

static void an_arena_gives_no_more_than_it_has(void **state) {
  (void)state;
  onnx_arena arena = onnx_arena_of(1 << 20);
  char *block = NULL;
  clrs_error error;
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

static void the_default_domain_has_two_names(void **state) {
  (void)state;
  assert_true(onnx_model_is_default_domain(NULL));
  assert_true(onnx_model_is_default_domain(""));
  assert_true(onnx_model_is_default_domain("ai.onnx"));
  assert_false(onnx_model_is_default_domain("ai.onnx.ml"));
  assert_false(onnx_model_is_default_domain("com.microsoft"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wire_rules_by_name),
      cmocka_unit_test(nesting_is_limited),
      cmocka_unit_test(the_number_of_messages_is_limited),
      cmocka_unit_test(each_opset_has_its_form_of_an_operator),
      cmocka_unit_test(unknown_operators_are_unsupported),
      cmocka_unit_test(a_hundred_thousand_values_are_found_by_name),
      cmocka_unit_test(a_name_is_given_once_and_never_empty),
      cmocka_unit_test(a_value_goes_with_its_last_reader),
      cmocka_unit_test(values_take_no_more_memory_than_they_may),
      cmocka_unit_test(what_is_not_kept_ends_with_the_node),
      cmocka_unit_test(an_arena_gives_no_more_than_it_has),
      cmocka_unit_test(the_default_domain_has_two_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
