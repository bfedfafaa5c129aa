/*
 * Guard pages. See fault_layer_guard.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "fault_layer_guard.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Value of uninitialized memory and of the guard bytes. */
enum { POISON = 0xA7 };

/* Pages with the buffer inside, and an inaccessible page on either side. */
typedef struct fence {
  unsigned char *pages;
  size_t page_bytes, page; /* bytes of the pages in between, bytes of a page */
  unsigned char *buffer;
  size_t size;
} fence;

static atomic_long canaries;

long guard_canaries(void) {
  return canaries;
}

static bool fence_put_up(size_t size, bool at_end, fence *made) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t bytes = (size + page - 1) / page * page;
  unsigned char *all = mmap(NULL, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED)
    return false;
  if (mprotect(all + page, bytes, PROT_READ | PROT_WRITE) != 0)
    abort();
  memset(all + page, POISON, bytes);
  *made = (fence){all + page, bytes, page, all + page + (at_end ? bytes - size : 0), size};
  return true;
}

static void fence_take_down(const fence *old) {
  (void)munmap(old->pages - old->page, old->page_bytes + 2 * old->page);
}

static void CL_CALLBACK buffer_died(cl_mem buffer, void *user_data) {
  fence *const old = user_data;
  (void)buffer;
  for (unsigned char *at = old->pages; at < old->pages + old->page_bytes; at++) {
    if (at == old->buffer)
      at += old->size;
    if (at < old->pages + old->page_bytes && *at != POISON) {
      canaries++;
      break;
    }
  }
  fence_take_down(old);
  free(old);
}

static cl_mem create_fenced(const cl_icd_dispatch *next, cl_context context, cl_mem_flags flags,
                            const void *host, fence *around, cl_int *code) {
  if (flags & CL_MEM_COPY_HOST_PTR)
    memcpy(around->buffer, host, around->size);
  const cl_mem_flags moved = CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR;
  cl_mem made = next->clCreateBuffer(context, (flags & ~moved) | CL_MEM_USE_HOST_PTR, around->size,
                                     around->buffer, code);
  if (made && next->clSetMemObjectDestructorCallback(made, buffer_died, around) != CL_SUCCESS)
    abort();
  return made;
}

cl_mem guard_create_buffer(const cl_icd_dispatch *next, cl_context context, cl_mem_flags flags,
                           size_t size, void *host, cl_int *code) {
  const char *where = getenv("GUARD");
  const bool at_end = where && strcmp(where, "end") == 0;
  const bool wanted = at_end || (where && strcmp(where, "begin") == 0);
  if (where && !wanted)
    abort(); /* better than no guard */
  fence *around =
      wanted && size > 0 && !(flags & CL_MEM_USE_HOST_PTR) ? malloc(sizeof *around) : NULL;
  if (!around || !fence_put_up(size, at_end, around)) { /* too large is the driver's to refuse */
    free(around);
    return next->clCreateBuffer(context, flags, size, host, code);
  }
  cl_mem made = create_fenced(next, context, flags, host, around, code);
  if (!made) {
    fence_take_down(around);
    free(around);
  }
  return made;
}
