/*
 * The table of operators: the form in an opset, and missing operators.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/operators.h"

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
    {"Resize", 9, 0},     {"Resize", 10, 10},   {"Resize", 17, 11},    {"Resize", 28, 18},
    {"Upsample", 6, 0},   {"Upsample", 8, 7},   {"Upsample", 9, 9},
};

TEST(each_opset_has_its_form_of_an_operator) {
  for (size_t i = 0; i < sizeof version_rows / sizeof version_rows[0]; i++) {
    const version_row *row = &version_rows[i];
    const onnx_operator *op;
    clrs_status status = onnx_operator_find(row->name, row->opset, &op, &error);
    if (row->since == 0 ? status == CLRS_OK : status != CLRS_OK || op->since != row->since)
      fail_msg("%s in opset %d", row->name, (int)row->opset);
  }
}

TEST(unknown_operators_are_unsupported) {
  const onnx_operator *op;
  CHECK_FAILS(onnx_operator_find("Conv", 13, &op, &error), CLRS_UNSUPPORTED, error);
  CHECK_FAILS(onnx_operator_find("", 13, &op, &error), CLRS_UNSUPPORTED, error);
  CHECK_FAILS(onnx_operator_find("reshape", 13, &op, &error), CLRS_UNSUPPORTED, error);
}

TESTS(NULL, NULL)
