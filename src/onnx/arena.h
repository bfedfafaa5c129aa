/*
 * What a model may use while it runs: memory, where what a node takes ends with the node unless it
 * is kept; and work on the host. Both have limits, as each node may take little, but a file may
 * have very many nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <clreshape/clreshape.h>

typedef struct onnx_block onnx_block;

typedef struct onnx_arena {
  size_t left;              /* bytes that may still be taken */
  onnx_block *passing;      /* what ends with the node, the newest first */
  uint64_t most_work, work; /* in elements: in all, and what is left of them */
} onnx_arena;

#define ONNX_WORK (2U << 20)         /* elements, for any model */
#define ONNX_MEMORY_PER_ELEMENT 16U  /* and one more for so many bytes that may be taken */
#define ONNX_ELEMENTS_PER_LAUNCH 256 /* as many take the host about as long as a launch */

/* An arena of so many bytes, and the work that goes with them. */
onnx_arena onnx_arena_of(size_t bytes);

/* So many elements are about to be computed. */
clrs_status onnx_arena_work(onnx_arena *arena, uint64_t elements, clrs_error *error);

/* A block of `count` elements of `size` bytes, all zero, for *pointer, whatever pointer to data it
 * is. CLRS_LIMIT_EXCEEDED if it is more than is left. */
clrs_status onnx_arena_take(onnx_arena *arena, size_t count, size_t size, void *pointer,
                            clrs_error *error);
/* As many bytes more that the block stands for, until it goes: of what the library makes for it. */
clrs_status onnx_arena_charge(onnx_arena *arena, void *block, size_t bytes, clrs_error *error);
/* Calls `end` with the block when it goes. */
void onnx_arena_at_end(void *block, void (*end)(void *block));
/* The block outlives the node: now it goes only by onnx_arena_free. NULL is allowed. */
void onnx_arena_keep(onnx_arena *arena, void *block);
/* The block goes now. NULL is allowed. */
void onnx_arena_free(onnx_arena *arena, void *block);
/* The node has ended: all blocks go that were not kept. */
void onnx_arena_end_node(onnx_arena *arena);

/* Releases the tensor when the node ends; at once on failure. */
clrs_status onnx_arena_hold(onnx_arena *arena, clrs_tensor *tensor, clrs_error *error);
