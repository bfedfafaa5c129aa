/*
 * The pad of a chain: its text, and the element of its border.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "pad_op.h"

#include "harness/check.h"

TEST(a_pad_is_parsed_as_numpy_means_it) {
  static const char *const wrong[] = {"pad=",
                                      "pad=-1",
                                      "pad=1:",
                                      "pad=mode=edge",
                                      "pad=1,mode=none",
                                      "pad=1,value=x",
                                      "pad=1,mode=edge,value=2"};
  clrs_chain chain;
  for (size_t i = 0; i < COUNT(wrong); i++) {
    CHECK_FAILS(clrs_chain_parse(wrong[i], &chain, &error), CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, wrong[i]);
  }
}

TEST(a_pad_needs_room_for_its_numbers) {
  static char text[40000];
  clrs_chain chain;
  while (strlen(text) < sizeof text - 20) {
    strcat(text, "reshape=1,1,1,1,1,1 ");
  }
  CHECK_FAILS(clrs_chain_parse(strcat(text, "pad=1"), &chain, &error), CLRS_LIMIT_EXCEEDED, error);
}

TEST(no_view_shows_a_border) {
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U8, &(clrs_shape){1, {4}}, &view, &error), error);
  CHECK_FAILS(clrs_view_apply(&view, "pad=1", &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "no view shows a border");
}

TEST(the_border_has_the_type_of_the_elements) {
  uint8_t element[CLRS__PAD_ELEMENT];
  CHECK_OK(clrs__pad_element(255, CLRS_U8, element, &error), error);
  assert_int_equal(element[0], 255);
  CHECK_OK(clrs__pad_element(-2, CLRS_I4, element, &error), error);
  assert_int_equal(element[0], 14);
  CHECK_OK(clrs__pad_element(0, CLRS_C64, element, &error), error);
  CHECK_OK(clrs__pad_element(1, CLRS_U1, element, &error), error);
  assert_int_equal(element[0], 1);
  CHECK_FAILS(clrs__pad_element(256, CLRS_U8, element, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "no element of type u8 is 256");
  CHECK_FAILS(clrs__pad_element(0.5, CLRS_I32, element, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_FAILS(clrs__pad_element(1, CLRS_C64, element, &error), CLRS_UNSUPPORTED, error);
}

TESTS(NULL, NULL)
