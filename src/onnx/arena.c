/*
 * Memory of a model. Each block has a head, which links the blocks that end with the node. A kept
 * block is in no list.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "arena.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

struct onnx_block {
  onnx_block *older, *newer;
  size_t size; /* charged bytes, including the head */
  void (*end)(void *block);
};

/* Bytes that an allocator adds to a block. */
enum { ALLOCATOR_BYTES = 16 };

_Static_assert(sizeof(onnx_block) % 16 == 0, "what follows a head is aligned for any type");

onnx_arena onnx_arena_of(size_t bytes) {
  const uint64_t elements = ONNX_WORK + bytes / ONNX_MEMORY_PER_ELEMENT;
  return (onnx_arena){.left = bytes, .most_work = elements, .work = elements};
}

clrs_status onnx_arena_work(onnx_arena *arena, uint64_t elements, clrs_error *error) {
  if (elements > arena->work) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "more than %" PRIu64
                      " elements would be computed on the host for this model, where a launch "
                      "counts as %d of them",
                      arena->most_work, ONNX_ELEMENTS_PER_LAUNCH);
  }
  arena->work -= elements;
  return CLRS_OK;
}

static clrs_status spend(onnx_arena *arena, size_t bytes, clrs_error *error) {
  if (bytes > arena->left) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "the values of the graph would take more memory than a model of its size "
                      "may");
  }
  arena->left -= bytes;
  return CLRS_OK;
}

static void link_block(onnx_arena *arena, onnx_block *block) {
  block->older = arena->passing;
  if (block->older != NULL) {
    block->older->newer = block;
  }
  arena->passing = block;
}

static void unlink_block(onnx_arena *arena, onnx_block *block) {
  if (block->newer != NULL) {
    block->newer->older = block->older;
  } else if (arena->passing == block) {
    arena->passing = block->older;
  }
  if (block->older != NULL) {
    block->older->newer = block->newer;
  }
  block->older = block->newer = NULL;
}

clrs_status onnx_arena_take(onnx_arena *arena, size_t count, size_t size, void *pointer,
                            clrs_error *error) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) ||
      __builtin_add_overflow(bytes, sizeof(onnx_block) + ALLOCATOR_BYTES, &bytes)) {
    bytes = SIZE_MAX;
  }
  CLRS_TRY(spend(arena, bytes, error));
  onnx_block *block = calloc(1, bytes - ALLOCATOR_BYTES);
  if (block == NULL) {
    arena->left += bytes;
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for %zu bytes", bytes);
  }
  block->size = bytes;
  link_block(arena, block);
  void *first = block + 1;
  memcpy(pointer, &first, sizeof first);
  return CLRS_OK;
}

static onnx_block *head_of(void *block) {
  return (onnx_block *)block - 1;
}

clrs_status onnx_arena_charge(onnx_arena *arena, void *block, size_t bytes, clrs_error *error) {
  CLRS_TRY(spend(arena, bytes, error));
  head_of(block)->size += bytes;
  return CLRS_OK;
}

void onnx_arena_at_end(void *block, void (*end)(void *block)) {
  head_of(block)->end = end;
}

void onnx_arena_keep(onnx_arena *arena, void *block) {
  if (block != NULL) {
    unlink_block(arena, head_of(block));
  }
}

static void end_block(onnx_arena *arena, onnx_block *block) {
  if (block->end != NULL) {
    block->end(block + 1);
  }
  arena->left += block->size;
  free(block);
}

void onnx_arena_free(onnx_arena *arena, void *block) {
  if (block != NULL) {
    unlink_block(arena, head_of(block));
    end_block(arena, head_of(block));
  }
}

void onnx_arena_end_node(onnx_arena *arena) {
  while (arena->passing != NULL) {
    onnx_block *newest = arena->passing;
    arena->passing = newest->older;
    end_block(arena, newest);
  }
}

static void release_held(void *block) {
  clrs_tensor_release(*(clrs_tensor **)block);
}

clrs_status onnx_arena_hold(onnx_arena *arena, clrs_tensor *tensor, clrs_error *error) {
  clrs_tensor **held;
  const clrs_status status = onnx_arena_take(arena, 1, sizeof *held, &held, error);
  if (status != CLRS_OK) {
    clrs_tensor_release(tensor);
    return status;
  }
  *held = tensor;
  onnx_arena_at_end(held, release_held);
  return CLRS_OK;
}
