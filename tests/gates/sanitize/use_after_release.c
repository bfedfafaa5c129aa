/*
 * Uses a view after the release, with the memory kept for the next tensor: AddressSanitizer must
 * report the use. `use_after_release none` keeps the reference, and must not be reported.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

int main(int count_of_words, char **words) {
  const bool releases_twice = !(count_of_words == 2 && strcmp(words[1], "none") == 0);
  const clrs_layout nothing = {CLRS_F32, 1, {0}, {1}, 0};
  const clrs_storage no_buffer = {NULL, 0};
  test_device device;
  clrs_tensor *tensor = NULL, *other = NULL;
  clrs_view view;
  device_open(&device);
  clrs_context *context = device_library(&device, NULL);
  CHECK_OK(clrs_tensor_wrap(context, &no_buffer, &nothing, &tensor, &error), error);
  CHECK_OK(clrs_view_from_layout(&nothing, &view, &error), error);
  CHECK_OK(clrs_tensor_with_view(tensor, &view, &other, &error), error);
  clrs_tensor_release(other);
  if (releases_twice)
    clrs_tensor_release(other);
  clrs_tensor_release(tensor);
  clrs_context_release(context);
  device_close(&device);
  return 0;
}
