/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "fence.h"

#include <sys/mman.h>
#include <unistd.h>

fenced fence(size_t pages) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *all =
      mmap(NULL, (pages + 2) * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(all != MAP_FAILED);
  assert_int_equal(mprotect(all + page, pages * page, PROT_READ | PROT_WRITE), 0);
  return (fenced){all + page, pages * page};
}

void unfence(const fenced *memory) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  assert_int_equal(munmap(memory->begin - page, memory->size + 2 * page), 0);
}

cl_mem fence_buffer(const test_device *device, const fenced *memory, bool at_end, size_t size,
                    unsigned char **bytes) {
  cl_int code;
  *bytes = at_end ? memory->begin + memory->size - size : memory->begin;
  cl_mem buffer =
      clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, *bytes, &code);
  CL_OK(code);
  return buffer;
}

bool fence_place(const test_device *device, const fenced *memory, test_rng *rng,
                 fenced_tensor *tensor) {
  int64_t lowest, highest;
  tensor->span = bits_of(tensor->layout.dtype, 0);
  tensor->where = oracle_from_layout(&tensor->layout);
  oracle_range(&tensor->where, &lowest, &highest);
  tensor->size = (size_t)bits_end(&tensor->span, highest);
  tensor->buffer = NULL;
  if (tensor->size > memory->size)
    return false;
  const bool at_end = rng_percent(rng, 50);
  rng_fill(rng, memory->begin + (at_end ? memory->size - tensor->size : 0), tensor->size);
  tensor->buffer = fence_buffer(device, memory, at_end, tensor->size, &tensor->bytes);
  return true;
}

void fence_remove(fenced_tensor *tensor) {
  if (tensor->buffer)
    CL_OK(clReleaseMemObject(tensor->buffer));
  oracle_free(&tensor->where);
}
