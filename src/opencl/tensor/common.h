/*
 * The part that tensors of the same bytes, or of one map, share. Also says how the bytes are given
 * back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "characters.h"
#include "context.h"
#include "key.h"

/* The owner of borrowed bytes. take_back is called once, after the last tensor of the bytes is
 * gone. */
typedef struct clrs__lender {
  void (*take_back)(void *lent); /* NULL if the bytes are not borrowed */
  void *lent;
} clrs__lender;

/* The map, and the views of the tensors that the map reads. A mapped tensor's own view is over the
 * numbers of the elements. The numbers run in row-major order over the shape of
 * mapped.views.source. */
typedef struct clrs__mapping {
  clrs_mapped mapped;
  clrs_tensor *source;                     /* retained */
  clrs_tensor *tensors[CLRS_MAPPED_STEPS]; /* retained, NULL for steps without a tensor */
} clrs__mapping;

/* Each tensor of the bytes counts one reference here. Making a view calls neither the driver nor
 * the context. */
typedef struct clrs__common {
  atomic_size_t references;
  clrs_context *context; /* retained */
  /* buffer.given is retained, except for an allocation. buffer.root is NULL only without
   * elements. */
  clrs__buffer buffer;
  uint64_t byte_offset;         /* byte of element 0, from the start of the root */
  clrs__allocation *allocation; /* set if the library allocated the buffer */
  clrs__lender lender;
  struct clrs__common *origin;  /* retained owner of the bytes, or NULL */
  clrs__characters *characters; /* for strings, retained, else NULL */
  clrs__mapping *mapping;       /* for a mapped tensor, which has no buffer, else NULL */
  /* A released tensor for reuse by the next view of these bytes. Allocating and freeing a tensor
   * takes longer than all other work of an alias. */
  _Atomic(clrs_tensor *) spare;
} clrs__common;

/* Checks that the view, which was checked before, lies within the mapped elements. */
clrs_status clrs__mapping_check_view(const clrs__mapping *mapping, const clrs_view *view,
                                     clrs_error *error);

/* Copies the draft and retains the objects in the draft. */
clrs_status clrs__common_create(const clrs__common *draft, clrs__common **result,
                                clrs_error *error);
void clrs__common_release(clrs__common *common);
/* Used if no tensor was made: the objects in the draft stay with their owner, and releasing gives
 * nothing back. */
void clrs__common_disown(clrs__common *common);

/* Returns the common part whose release gives the bytes back. */
clrs__common *clrs__common_origin(clrs__common *common);
/* Records that commands on this queue are about to use the bytes. */
clrs_status clrs__common_use(clrs__common *common, cl_command_queue queue, clrs_error *error);
/* Records that the commands of these events use the bytes. */
clrs_status clrs__common_use_until(clrs__common *common, cl_uint count, const cl_event *events,
                                   clrs_error *error);

/* Returns true for the last reference. A count of 1 is the caller's own reference, so no other
 * thread can change the count. The atomic decrement is then skipped. */
static inline bool clrs__drop_reference(atomic_size_t *references) {
  return atomic_load(references) == 1 || atomic_fetch_sub(references, 1) == 1;
}
