/*
 * Shared by the tests of the interface: a library context, a foreign context, and small tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_API_H
#define CLRS_TEST_API_H

#include "harness/device.h"

enum { API_BYTES = 4096 };

typedef struct api {
  test_device device, foreign; /* two cl_contexts on the same device */
  clrs_context *library, *foreign_library;
  cl_mem source, destination; /* API_BYTES each. source holds 0, 1, 2, ... as bytes modulo 251 */
  unsigned char bytes[API_BYTES], poison[API_BYTES];
  cl_mem in_host; /* read-only, over `bytes` */
} api;

int api_open(void **state);
/* Also requires that nobody kept a reference to a buffer, a queue or a context. */
int api_close(void **state);
#define API_TEST(name) TEST_OF(api, a, name, api_open, api_close)

clrs_layout api_layout(clrs_dtype dtype, uint32_t rank, const int64_t *dims,
                       const int64_t *strides);
/* A tensor over `buffer` from byte_offset on. */
clrs_tensor *api_wrap(clrs_context *library, cl_mem buffer, uint64_t byte_offset,
                      const clrs_layout *layout);
cl_mem api_sub_buffer(cl_mem parent, cl_mem_flags flags, size_t origin, size_t size);
/* F32 [4, 6] over the source, transposed to [6, 4], and the dense place in the destination. */
clrs_tensor *api_transposed(const api *a);
clrs_tensor *api_target(const api *a);
/* Fills the destination with poison. The second function requires that the poison is still
 * there. */
void api_poison(api *a);
void api_expect_untouched(api *a);
/* Requires that the destination begins with the transposed source, and else is poison. */
void api_expect_transposed(api *a);

#endif
