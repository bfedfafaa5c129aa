/*
 * String tensors: the character buffers that the tensors keep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

API_TEST(character_buffers_are_kept) {
  size_t count = 77;
  const clrs_layout strings = api_layout(CLRS_STRING, 1, LIST(3), NULL);
  clrs_tensor *tensor = api_wrap(a->library, a->source, 0, &strings), *result = NULL;
  clrs_tensor *numbers = api_transposed(a);
  const cl_mem buffers[] = {a->destination};
  assert_null(clrs_tensor_characters(numbers, &count));
  assert_int_equal(count, 0);
  CHECK_OK(clrs_tensor_with_characters(tensor, 1, buffers, &result, &error), error);
  clrs_tensor_release(tensor);
  device_require_references(a->destination, 2);
  assert_ptr_equal(clrs_tensor_characters(result, &count)[0], a->destination);
  assert_int_equal(count, 1);
  clrs_tensor_release(result);
  clrs_tensor_release(numbers);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
