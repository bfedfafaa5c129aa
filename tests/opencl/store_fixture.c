/* SPDX-License-Identifier: Apache-2.0 */
#include "store_fixture.h"

#include "opencl/device/quirks.h"

clrs__program_target target_of(const test_device *device) {
  clrs__quirks quirks;
  CHECK_OK(clrs__quirks_of(device->device, &quirks, &error), error);
  return (clrs__program_target){.context = device->context,
                                .device = device->device,
                                .compile_path = quirks.compile_path,
                                .never_inlines = quirks.never_inlines,
                                .loses_static = quirks.loses_static,
                                .copies_words = quirks.copies_words,
                                .words_in_buffer = quirks.copies_words,
                                .processor = quirks.processor};
}

cl_kernel built_kernel(const clrs__kernel_store *store, clrs__variant variant) {
  for (size_t i = 0; i < store->count; i++)
    if (clrs__variant_equal(store->kernels[i].variant, variant))
      return store->kernels[i].kernel;
  return NULL;
}

clrs_status find_kernel(clrs__kernel_store *store, clrs__variant variant, cl_kernel *kernel,
                        clrs_error *error) {
  clrs__held_kernel held;
  const clrs_status status = clrs__kernel_store_find(store, variant, &held, error);
  *kernel = NULL;
  if (status == CLRS_OK) {
    clrs__held_kernel_give_back(&held);
    *kernel = held.kernel;
  }
  return status;
}

int store_device_open(void **state) {
  static test_device opened;
  device_open(&opened);
  *state = &opened;
  return 0;
}

int store_device_close(void **state) {
  device_close(*state);
  return 0;
}
