/*
 * clreshape/work.h - many tasks at once, and kept work: a list of moves that is checked, planned
 * and told to the device once, and enqueued any number of times, also on other buffers and
 * positions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_WORK_H
#define CLRESHAPE_WORK_H

#include "indexed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- slots
 * A slot stands for bytes that each enqueue of a work names anew: the input of this frame, a cache
 * at the next position. A slot tensor shows a slot as any tensor shows a buffer. Views, chains and
 * maps apply to it. Only the tasks of a work take a slot tensor, and planning. Every other call is
 * refused with CLRS_INVALID_ARGUMENT, and clrs_tensor_storage has no buffer for it.
 *
 * Offset 0 of the layout is where the slot begins. No element lies before. All tensors of a slot
 * have elements of one width in a work. Strings are CLRS_UNSUPPORTED. `slot` is less than 1024.
 */
CLRS_CHECKED clrs_status clrs_tensor_slot(clrs_context *context, uint32_t slot,
                                          const clrs_layout *layout, clrs_tensor **tensor,
                                          clrs_error *error);

/* Where a slot is: `advance` elements behind the beginning of a storage, or behind the beginning of
 * a tensor's storage. Offset 0 of the slot's layouts is there. The position in a cache is such an
 * advance. The driver is asked about the buffer of a storage in each enqueue, some 0.25 us for a
 * slot on PoCL. A tensor has been asked about when it was made.
 *
 * A slot that is given by a tensor has the bytes of that tensor, those of clrs_tensor_bytes: a
 * cache of [4,16,8] has no position 16, whatever lies behind it in its buffer. A slot that is given
 * by a storage has the bytes of the buffer, or so many as `bytes` says. */
typedef struct clrs_slot {
  clrs_storage storage;
  clrs_tensor *tensor; /* of the same context; its dtype does not matter. NULL: storage */
  int64_t advance;     /* may be negative */
  uint64_t bytes;      /* of the storage, from its beginning on; 0: all of the buffer. Else 0 */
} clrs_slot;

/* -------------------------------------------------------------------------------------- work
 * A work is a list of tasks. A task waits for an earlier task that writes an element which the task
 * reads or writes, or reads an element which the task writes. Other tasks run in any order, or at
 * once. A scatter writes all that its destination shows. Flags are raised in any order. Of very
 * many tasks whose elements interleave some may wait without need.
 *
 * Tasks of up to 1 MiB that may run at once share a launch if they share a kernel variant and,
 * between them, at most 16 buffers. Tasks of a mapped source share a launch with others of the same
 * map, unless a parameter is a tensor. These are launched alone: gathers, scatters, and moves of
 * more than 8 loops or over more than 2^31 units. A launch reads some 200 bytes for each task, in
 * buffers that clCreateBuffer makes, not the context's allocator.
 *
 * A work keeps what it needs of the context, the tensors and the arguments. Adding checks the
 * arguments as the call of the same name does, clrs_enqueue_move for clrs_work_move. What takes a
 * plan to see is told by clrs_work_prepare, which names the task. A failed call adds nothing.
 * Reference-counted. One thread adds tasks. A prepared work takes no more tasks, and any number of
 * threads may enqueue it. Commands in flight finish unharmed when a work is released.
 */
typedef struct clrs_work clrs_work;

CLRS_CHECKED clrs_status clrs_work_create(clrs_context *context, clrs_work **work,
                                          clrs_error *error);
CLRS_API void clrs_work_retain(clrs_work *work);  /* NULL is allowed */
CLRS_API void clrs_work_release(clrs_work *work); /* NULL is allowed */

CLRS_CHECKED clrs_status clrs_work_move(clrs_work *work, clrs_tensor *source,
                                        clrs_tensor *destination, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_fill(clrs_work *work, clrs_tensor *destination,
                                        const void *element, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_gather(clrs_work *work, clrs_tensor *source,
                                          const clrs_indices *indices, clrs_tensor *destination,
                                          clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_scatter(clrs_work *work, clrs_tensor *source,
                                           const clrs_indices *indices, clrs_tensor *destination,
                                           clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_pad(clrs_work *work, clrs_tensor *source,
                                       const clrs_padding *padding, clrs_tensor *destination,
                                       clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_concat(clrs_work *work, size_t count,
                                          clrs_tensor *const *sources, int64_t axis,
                                          clrs_tensor *destination, clrs_error *error);
CLRS_CHECKED clrs_status clrs_work_stack(clrs_work *work, const clrs_stack *stack,
                                         clrs_tensor *destination, clrs_error *error);

/* Orders and plans the tasks, for slots that begin at a multiple of 16 bytes, and builds the
 * kernels. The first enqueue does so for a work that is not prepared. Blocks while kernels are
 * built. After a failure the work takes tasks as before. A prepared work stays as it is. */
CLRS_CHECKED clrs_status clrs_work_prepare(clrs_work *work, clrs_error *error);
/* Prepares the work, and runs one work-group of each launch on memory of the library's. The rest is
 * as in clrs_context_warm_up_plan. */
CLRS_CHECKED clrs_status clrs_work_warm_up(clrs_work *work, clrs_error *error);
/* How many launches a prepared work is, where slots begin at a multiple of 16 bytes. Else 0. */
CLRS_API size_t clrs_work_launches(const clrs_work *work);

/* Enqueues all tasks. slots[i] is slot i. A slot that no task uses, or only tasks without elements,
 * is not looked at. CLRS_INVALID_ARGUMENT if a task uses a slot of which there is none in the list.
 * CLRS_OUT_OF_BOUNDS names the slot of which a task would leave the slot's bytes. Different slots,
 * and slots and the other tensors of the work, must not share a byte if one of them is written
 * (CLRS_OVERLAP). They may interleave, as columns of a matrix do, which costs more to check in each
 * enqueue. Several tensors of one buffer may be one slot. Packed elements that lie in one byte for
 * some advance share it. Where a slot begins at another power of two below 16 bytes than ever
 * before, its tasks are planned for that once. The last 32 such plans are kept. An enqueue costs
 * little more on the host than its launches. The buffers of slots must live until the commands have
 * run. The rest is as in clrs_enqueue_move. */
CLRS_CHECKED clrs_status clrs_enqueue_work(clrs_work *work, size_t slot_count,
                                           const clrs_slot *slots, const clrs_on *on,
                                           cl_event *event, clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_WORK_H */
