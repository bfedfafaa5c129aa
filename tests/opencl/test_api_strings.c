/*
 * String tensors: the character buffers that the tensors keep, and refused input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#define REFUSED(call, status) CHECK_FAILS((call), (status), error)
#define NULL_REFUSED(call)                                                                         \
  do {                                                                                             \
    REFUSED(call, CLRS_INVALID_ARGUMENT);                                                          \
    CHECK_SAYS(error, "NULL");                                                                     \
  } while (0)

API_TEST(character_buffers_are_checked_and_kept) {
  size_t count = 77;
  const clrs_layout strings = api_layout(CLRS_STRING, 1, LIST(3), NULL);
  clrs_tensor *tensor = api_wrap(a->library, a->source, 0, &strings), *result = NULL;
  clrs_tensor *numbers = api_transposed(a);
  const cl_mem buffers[] = {a->destination}, hole[] = {NULL};
  NULL_REFUSED(clrs_tensor_with_characters(NULL, 1, buffers, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, NULL, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, hole, &result, &error));
  NULL_REFUSED(clrs_tensor_with_characters(tensor, 1, buffers, NULL, &error));
  REFUSED(clrs_tensor_with_characters(numbers, 1, buffers, &result, &error), CLRS_INVALID_ARGUMENT);
  cl_mem foreign = device_buffer(&a->foreign, CL_MEM_READ_WRITE, 64);
  REFUSED(clrs_tensor_with_characters(tensor, 1, &foreign, &result, &error), CLRS_INVALID_ARGUMENT);
  CL_OK(clReleaseMemObject(foreign));
  assert_null(result);
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

API_TEST(more_character_buffers_than_an_index_has_are_refused) {
  clrs_tensor *result = NULL;
  const clrs_layout layout = api_layout(CLRS_STRING, 1, LIST(4), NULL);
  clrs_tensor *strings = api_wrap(a->library, a->source, 0, &layout);
  const size_t counts[] = {(size_t)INT32_MAX + 2, SIZE_MAX};
  for (int i = 0; i < 2; i++)
    CHECK_FAILS(clrs_tensor_with_characters(strings, counts[i], &a->source, &result, &error),
                CLRS_LIMIT_EXCEEDED, error);
  assert_null(result);
  clrs_tensor_release(strings);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
