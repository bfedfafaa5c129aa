/*
 * The microscope's buffers: exactly as large as asked, so that the address sanitizer sees the first
 * byte before and after each.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "objects.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_ALIGNMENT = 128 }; /* alignment of a long16, as on every OpenCL device */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cl_mem alive;

static void enlist(cl_mem mem) {
  pthread_mutex_lock(&lock);
  mem->next = alive;
  alive = mem;
  pthread_mutex_unlock(&lock);
}

static void delist(cl_mem mem) {
  pthread_mutex_lock(&lock);
  cl_mem *link = &alive;
  while (*link != mem) {
    link = &(*link)->next;
  }
  *link = mem->next;
  pthread_mutex_unlock(&lock);
}

bool memory_is_buffer(const void *candidate) {
  pthread_mutex_lock(&lock);
  const struct _cl_mem *mem = alive;
  while (mem != NULL && mem != candidate) {
    mem = mem->next;
  }
  pthread_mutex_unlock(&lock);
  return mem != NULL;
}

static bool allocate(cl_mem mem, void *host) {
  if ((mem->flags & CL_MEM_USE_HOST_PTR) != 0) {
    mem->host = host;
    mem->bytes = host;
    return host != NULL;
  }
  void *bytes = NULL;
  if (posix_memalign(&bytes, BUFFER_ALIGNMENT, mem->size) != 0) {
    return false;
  }
  mem->bytes = bytes;
  if ((mem->flags & CL_MEM_COPY_HOST_PTR) != 0) {
    memcpy(bytes, host, mem->size);
  } else {
    memset(bytes, 0xA5, mem->size);
  }
  return true;
}

static cl_mem finish_creation(cl_mem mem, cl_int reason, cl_int *code) {
  if (code != NULL) {
    *code = mem != NULL ? CL_SUCCESS : reason;
  }
  return mem;
}

cl_mem CL_API_CALL my_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                     void *host, cl_int *code) {
  if (size == 0) {
    return finish_creation(NULL, CL_INVALID_BUFFER_SIZE, code);
  }
  cl_mem created = object_create(sizeof *created);
  if (created == NULL) {
    return finish_creation(NULL, CL_OUT_OF_HOST_MEMORY, code);
  }
  created->context = context;
  created->flags = flags;
  created->size = size;
  if (!allocate(created, host)) {
    free(created);
    return finish_creation(NULL, CL_MEM_OBJECT_ALLOCATION_FAILURE, code);
  }
  my_clRetainContext(context);
  enlist(created);
  return finish_creation(created, CL_SUCCESS, code);
}

cl_mem CL_API_CALL my_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
                                        cl_buffer_create_type type, const void *region,
                                        cl_int *code) {
  const cl_buffer_region *part = region;
  if (type != CL_BUFFER_CREATE_TYPE_REGION || part->size == 0 || part->origin > parent->size ||
      part->size > parent->size - part->origin || parent->parent != NULL) {
    return finish_creation(NULL, CL_INVALID_VALUE, code);
  }
  if (part->origin % BUFFER_ALIGNMENT != 0) {
    return finish_creation(NULL, CL_MISALIGNED_SUB_BUFFER_OFFSET, code);
  }
  cl_mem created = object_create(sizeof *created);
  if (created != NULL) {
    created->context = parent->context;
    created->parent = parent;
    created->flags = flags != 0 ? flags : parent->flags;
    created->size = part->size;
    created->offset = part->origin;
    created->bytes = parent->bytes + part->origin;
    my_clRetainMemObject(parent);
    my_clRetainContext(parent->context);
    enlist(created);
  }
  return finish_creation(created, CL_OUT_OF_HOST_MEMORY, code);
}

cl_int CL_API_CALL my_clRetainMemObject(cl_mem mem) {
  atomic_fetch_add(&mem->head.references, 1);
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clReleaseMemObject(cl_mem mem) {
  if (!object_drop(mem)) {
    return CL_SUCCESS;
  }
  delist(mem);
  if (mem->parent != NULL) {
    my_clReleaseMemObject(mem->parent);
  } else if (mem->host == NULL) {
    free(mem->bytes);
  }
  my_clReleaseContext(mem->context);
  free(mem);
  return CL_SUCCESS;
}

cl_int CL_API_CALL my_clGetMemObjectInfo(cl_mem mem, cl_mem_info name, size_t room, void *value,
                                         size_t *size) {
  const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;
  const cl_uint references = atomic_load(&mem->head.references), maps = 0;
  switch (name) {
  case CL_MEM_TYPE:
    return object_tell(room, value, size, &type, sizeof type);
  case CL_MEM_FLAGS:
    return object_tell(room, value, size, &mem->flags, sizeof mem->flags);
  case CL_MEM_SIZE:
    return object_tell(room, value, size, &mem->size, sizeof mem->size);
  case CL_MEM_OFFSET:
    return object_tell(room, value, size, &mem->offset, sizeof mem->offset);
  case CL_MEM_HOST_PTR:
    return object_tell(room, value, size, &mem->host, sizeof mem->host);
  case CL_MEM_CONTEXT:
    return object_tell(room, value, size, &mem->context, sizeof mem->context);
  case CL_MEM_ASSOCIATED_MEMOBJECT:
    return object_tell(room, value, size, &mem->parent, sizeof mem->parent);
  case CL_MEM_REFERENCE_COUNT:
    return object_tell(room, value, size, &references, sizeof references);
  case CL_MEM_MAP_COUNT:
    return object_tell(room, value, size, &maps, sizeof maps);
  default:
    return CL_INVALID_VALUE;
  }
}

/* ---- transfers ---- */

static bool is_inside(cl_mem mem, size_t offset, size_t size) {
  return size > 0 && offset <= mem->size && size <= mem->size - offset;
}

cl_int CL_API_CALL my_clEnqueueReadBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                          size_t offset, size_t size, void *to, cl_uint count,
                                          const cl_event *waits, cl_event *event) {
  (void)blocking, (void)count, (void)waits;
  if (!is_inside(mem, offset, size)) {
    return CL_INVALID_VALUE;
  }
  memcpy(to, mem->bytes + offset, size);
  return object_complete(queue, CL_COMMAND_READ_BUFFER, event);
}

cl_int CL_API_CALL my_clEnqueueWriteBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                           size_t offset, size_t size, const void *from,
                                           cl_uint count, const cl_event *waits, cl_event *event) {
  (void)blocking, (void)count, (void)waits;
  if (!is_inside(mem, offset, size)) {
    return CL_INVALID_VALUE;
  }
  memcpy(mem->bytes + offset, from, size);
  return object_complete(queue, CL_COMMAND_WRITE_BUFFER, event);
}

cl_int CL_API_CALL my_clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to,
                                          size_t from_offset, size_t to_offset, size_t size,
                                          cl_uint count, const cl_event *waits, cl_event *event) {
  (void)count, (void)waits;
  if (!is_inside(from, from_offset, size) || !is_inside(to, to_offset, size)) {
    return CL_INVALID_VALUE;
  }
  memcpy(to->bytes + to_offset, from->bytes + from_offset, size);
  return object_complete(queue, CL_COMMAND_COPY_BUFFER, event);
}

cl_int CL_API_CALL my_clEnqueueFillBuffer(cl_command_queue queue, cl_mem mem, const void *pattern,
                                          size_t pattern_size, size_t offset, size_t size,
                                          cl_uint count, const cl_event *waits, cl_event *event) {
  (void)count, (void)waits;
  if (!is_inside(mem, offset, size) || pattern_size == 0 || size % pattern_size != 0) {
    return CL_INVALID_VALUE;
  }
  for (size_t at = 0; at < size; at += pattern_size) {
    memcpy(mem->bytes + offset + at, pattern, pattern_size);
  }
  return object_complete(queue, CL_COMMAND_FILL_BUFFER, event);
}

void *CL_API_CALL my_clEnqueueMapBuffer(cl_command_queue queue, cl_mem mem, cl_bool blocking,
                                        cl_map_flags flags, size_t offset, size_t size,
                                        cl_uint count, const cl_event *waits, cl_event *event,
                                        cl_int *code) {
  (void)blocking, (void)flags, (void)count, (void)waits;
  const cl_int status = is_inside(mem, offset, size)
                            ? object_complete(queue, CL_COMMAND_MAP_BUFFER, event)
                            : CL_INVALID_VALUE;
  if (code != NULL) {
    *code = status;
  }
  return status == CL_SUCCESS ? mem->bytes + offset : NULL;
}

cl_int CL_API_CALL my_clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *mapped,
                                              cl_uint count, const cl_event *waits,
                                              cl_event *event) {
  (void)mem, (void)mapped, (void)count, (void)waits;
  return object_complete(queue, CL_COMMAND_UNMAP_MEM_OBJECT, event);
}
