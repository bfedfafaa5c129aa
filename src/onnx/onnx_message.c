/*
 * Parsing a message within a budget of memory: protobuf-c makes up to 100 bytes of 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "onnx_message.h"

#include <stdlib.h>

#include "onnx.h"
#include "onnx_wire.h"
#include "status.h"

typedef struct budget {
  size_t left;
  bool spent;
} budget;

static size_t memory_for(size_t size) {
  const size_t free_bytes = 1U << 20;
  const size_t over = size > free_bytes ? size - free_bytes : 0;
  return ONNX_MEMORY + over * ONNX_MEMORY_PER_BYTE;
}

/* What is freed on the way does not come back: it is little, and a block does not know its size. */
static void *budget_take(void *data, size_t size) {
  budget *from = data;
  const size_t with_head = size + 16;
  if (with_head > from->left) {
    from->spent = true;
    return NULL;
  }
  from->left -= with_head;
  return malloc(size);
}

static void budget_free(void *data, void *block) {
  (void)data;
  free(block);
}

static clrs_status parse(const ProtobufCMessageDescriptor *type, const void *bytes, size_t size,
                         ProtobufCMessage **message, budget *memory, clrs_error *error) {
  const size_t allowed = memory->left;
  ProtobufCAllocator allocator = {budget_take, budget_free, memory};
  if (size > ONNX_MOST_BYTES) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "%zu bytes; a protobuf message has fewer than 2 GiB", size);
  }
  CLRS_TRY(onnx_wire_check(type, bytes, size, error));
  *message = protobuf_c_message_unpack(type, &allocator, size, bytes);
  if (*message == NULL && memory->spent) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "so many fields in %zu bytes would take more than %zu bytes of memory", size,
                      allowed);
  }
  if (*message == NULL) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "a field has the wrong wire type or memory ran out");
  }
  return CLRS_OK;
}

clrs_status onnx_message_read(const ProtobufCMessageDescriptor *type, const void *bytes,
                              size_t size, ProtobufCMessage **message, size_t *left,
                              clrs_error *error) {
  budget memory = {memory_for(size), false};
  clrs_error inner;
  const clrs_status status = parse(type, bytes, size, message, &memory, &inner);
  if (status != CLRS_OK) {
    return clrs__fail(error, status, "not a %s: %s", type->short_name, inner.message);
  }
  if (left != NULL) {
    *left = memory.left + size; /* which the caller is about to free */
  }
  return CLRS_OK;
}
