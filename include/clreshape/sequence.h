/*
 * clreshape/sequence.h - kept work: a list of moves that is checked, planned and told to the device
 * once, and aimed at other buffers and positions each time it is enqueued.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRESHAPE_SEQUENCE_H
#define CLRESHAPE_SEQUENCE_H

#include "indexed.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------- sequences
 * What a program does again and again with the same shapes: append to the caches of a decoder, swap
 * the axes of a layer's activations, put a frame into its batch. Its tasks name their buffers by
 * numbers, the slots; each clrs_enqueue_sequence says which bytes every slot is this time. Tasks
 * that may run at once and share a kernel are one launch, as in clrs_enqueue_moves, and an enqueue
 * costs little more on the host than its launches.
 *
 * A task waits for an earlier task that writes an element which the task reads or writes, or reads
 * an element which the task writes. Other tasks run in any order, or at once. A scatter writes all
 * that its destination shows. Flags are raised in any order. Only what tasks do with one slot gives
 * an order: different slots must not share a byte if one of the slots is written (CLRS_OVERLAP,
 * when a sequence is enqueued). Slots may interleave, as columns of a matrix do, which costs more
 * to check in each enqueue. Several tensors of one buffer may be one slot, with views that begin
 * elsewhere. Packed elements that lie in one byte for some advance share it.
 *
 * Reference-counted and immutable; any number of threads may enqueue one. It retains its context
 * and no buffer: those of an enqueue must live until its commands have run.
 */
typedef struct clrs_sequence clrs_sequence;

/* A move, a fill, a pad, a gather or a scatter. The views count from where their slot begins: no
 * element lies before, and all views of a slot have elements of one width. A view of strings is
 * CLRS_UNSUPPORTED.
 *
 *   from or mapped            a move, as clrs_enqueue_move does it
 *   element                   a fill with one element, as clrs_enqueue_fill
 *   both                      the source at `begins`, around it the element, as clrs_enqueue_pad
 *   from or mapped, a mode    the source at `begins`, around it its own elements, as
 *                             clrs_enqueue_pad
 *   from or mapped, gather    a gather, as clrs_enqueue_gather, by the indices that `by` shows. The
 *                             tensors of clrs_indices are NULL. With `raises` there is a flag
 *   from or mapped, scatter   the same, as clrs_enqueue_scatter
 *
 * Everything is copied. */
typedef struct clrs_task {
  uint32_t source, destination; /* slots; a fill has no source */
  const clrs_view *from;        /* of the source's slot; or NULL */
  const clrs_mapped *mapped;    /* or this: what clrs_chain_map makes of a view. Its map's
                                 * parameters are numbers; a tensor is CLRS_UNSUPPORTED */
  const clrs_view *to;          /* of the destination's slot */
  const void *element;          /* packed types in its low bits; or NULL */
  const int64_t *begins;        /* one for each dim; NULL for all 0 */
  clrs_pad_mode mode;           /* of a pad without an element; else CLRS_PAD_CONSTANT, 0 */
  const clrs_indices *gather;   /* by indices; or NULL */
  const clrs_indices *scatter;  /* or this */
  uint32_t index, flag;         /* slots */
  const clrs_view *by;          /* of the index's slot */
  const clrs_view *raises;      /* of the flag's slot, at a multiple of 4 bytes; or NULL */
} clrs_task;

typedef struct clrs_tasks {
  uint32_t slot_count; /* at most 1024; some may be used by no task */
  size_t count;
  const clrs_task *tasks;
} clrs_tasks;

/* Checks all tasks, plans them for slots that begin at a multiple of 16 bytes, and builds what
 * kernels that takes. Of sequences with very many tasks that interleave, some may be ordered
 * without need. The error says which task it is about. Blocks while kernels are built. */
CLRS_CHECKED clrs_status clrs_sequence_create(clrs_context *context, const clrs_tasks *tasks,
                                              clrs_sequence **sequence, clrs_error *error);
CLRS_API void clrs_sequence_retain(clrs_sequence *sequence);  /* NULL is allowed */
CLRS_API void clrs_sequence_release(clrs_sequence *sequence); /* NULL is allowed */
/* How many launches it is where slots begin at a multiple of 16 bytes. 0 for NULL. */
CLRS_API size_t clrs_sequence_launches(const clrs_sequence *sequence);

/* Runs one work-group of each launch for slots at multiples of 16 bytes, on memory of the
 * library's. The rest is as in clrs_context_warm_up_plan. */
CLRS_CHECKED clrs_status clrs_sequence_warm_up(clrs_sequence *sequence, clrs_error *error);

/* Where a slot is: `advance` elements behind the beginning of a storage, or behind the beginning of
 * a tensor's storage. Offset 0 of the slot's views is there. The position in a cache is such an
 * advance. The driver is asked about the buffer of a storage in each enqueue, some 0.25 us for a
 * slot on PoCL; a tensor has been asked about when it was made.
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

/* Enqueues all tasks; slots[i] is slot i, and one that no task uses, or only tasks without
 * elements, is not looked at. CLRS_OUT_OF_BOUNDS names the slot of which a task would leave the
 * slot's bytes. Where a slot begins at another power of two below 16 bytes than ever
 * before, its tasks are planned for that once; the last 32 such plans are kept. The rest is as in
 * clrs_enqueue_move. */
CLRS_CHECKED clrs_status clrs_enqueue_sequence(clrs_sequence *sequence, const clrs_slot *slots,
                                               const clrs_on *on, cl_event *event,
                                               clrs_error *error);

#ifdef __cplusplus
}
#endif

#endif /* CLRESHAPE_SEQUENCE_H */
