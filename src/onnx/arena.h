/*
 * Limits on memory and host work of a running model. Memory of a node is freed at the node's end
 * unless the memory is kept. Both limits cover the whole model, because each node may need little,
 * but a file may have very many nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

typedef struct onnx_block onnx_block;

typedef struct onnx_arena {
  size_t left;              /* bytes still available */
  onnx_block *passing;      /* blocks that end with the node, the newest first */
  uint64_t most_work, work; /* elements: in total, and still allowed */
} onnx_arena;

#define ONNX_WORK (2U << 20)         /* elements that any model may compute */
#define ONNX_MEMORY_PER_ELEMENT 16U  /* bytes of memory that allow one more element */
#define ONNX_ELEMENTS_PER_LAUNCH 256 /* elements that take the host about as long as a launch */

/* Returns an arena of `bytes` bytes, and the host work that belongs to that size. */
onnx_arena onnx_arena_of(size_t bytes);

/* Charges for computing `elements` elements. Fails if the limit is exceeded. */
clrs_status onnx_arena_work(onnx_arena *arena, uint64_t elements, clrs_error *error);

/* Allocates a block of `count` elements of `size` bytes, all zero. `pointer` points to a pointer of
 * any data type. Returns CLRS_LIMIT_EXCEEDED if fewer bytes are available. */
clrs_status onnx_arena_take(onnx_arena *arena, size_t count, size_t size, void *pointer,
                            clrs_error *error);
/* Charges `bytes` more bytes to the block, until the block is freed: for memory that the library
 * allocates on behalf of the block. */
clrs_status onnx_arena_charge(onnx_arena *arena, void *block, size_t bytes, clrs_error *error);
/* Calls `end` when the block is freed. */
void onnx_arena_at_end(void *block, void (*end)(void *block));
/* Keeps the block beyond the node. Only onnx_arena_free then frees the block. NULL is allowed. */
void onnx_arena_keep(onnx_arena *arena, void *block);
/* Frees the block. NULL is allowed. */
void onnx_arena_free(onnx_arena *arena, void *block);
/* Frees all blocks that were not kept, at the end of a node. */
void onnx_arena_end_node(onnx_arena *arena);

/* Releases the tensor when the node ends, or at once on failure. */
clrs_status onnx_arena_hold(onnx_arena *arena, clrs_tensor *tensor, clrs_error *error);
