/*
 * Models: the domain of ONNX's own operators.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include "onnx/model.h"

TEST(the_default_domain_has_two_names) {
  assert_true(onnx_model_is_default_domain(NULL));
  assert_true(onnx_model_is_default_domain(""));
  assert_true(onnx_model_is_default_domain("ai.onnx"));
  assert_false(onnx_model_is_default_domain("ai.onnx.ml"));
  assert_false(onnx_model_is_default_domain("com.microsoft"));
}

TESTS(NULL, NULL)
