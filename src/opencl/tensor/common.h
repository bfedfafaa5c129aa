/*
 * What the tensors of the same bytes, or of one map, share, and how the bytes are given back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "characters.h"
#include "context.h"
#include "key.h"

/* Who lent the bytes, and is told once when the last tensor of them is gone. */
typedef struct clrs__lender {
  void (*take_back)(void *lent); /* NULL: nobody lent them */
  void *lent;
} clrs__lender;

/* The map, and the views of what it reads. A mapped tensor's own view is one of elements that are
 * nowhere: of their numbers in the shape of mapped.views.source, row-major. */
typedef struct clrs__mapping {
  clrs_mapped mapped;
  clrs_tensor *source;                     /* retained */
  clrs_tensor *tensors[CLRS_MAPPED_STEPS]; /* retained; NULL where none is */
} clrs__mapping;

/* A view of a tensor counts one reference here, and asks neither the driver nor the context. */
typedef struct clrs__common {
  atomic_size_t references;
  clrs_context *context; /* retained */
  clrs__buffer
      buffer; /* retained as given, but for an allocation's; root == NULL only without elements */
  uint64_t byte_offset;         /* of element 0 from the start of the root */
  clrs__allocation *allocation; /* what the library got for it; else NULL */
  clrs__lender lender;
  struct clrs__common *origin;  /* retained: of other tensors, whose bytes these are; else NULL */
  clrs__characters *characters; /* of strings, retained; else NULL */
  clrs__mapping *mapping;       /* of a mapped tensor, which has no buffer; else NULL */
  /* One that was released, for the next view of these bytes: the memory of a tensor takes longer to
   * get and to give back than all the rest of an alias. */
  _Atomic(clrs_tensor *) spare;
} clrs__common;

/* The view, which was checked, is one of the mapped elements. */
clrs_status clrs__mapping_check_view(const clrs__mapping *mapping, const clrs_view *view,
                                     clrs_error *error);

/* A copy of the draft that retains what the draft names. */
clrs_status clrs__common_create(const clrs__common *draft, clrs__common **result,
                                clrs_error *error);
void clrs__common_release(clrs__common *common);
/* What the draft gave stays its owner's, because no tensor was made: releasing gives nothing back.
 */
void clrs__common_disown(clrs__common *common);

/* Whose release gives the bytes back. */
clrs__common *clrs__common_origin(clrs__common *common);
/* Commands on this queue are about to use the bytes. */
clrs_status clrs__common_use(clrs__common *common, cl_command_queue queue, clrs_error *error);
/* The commands of these events use the bytes. */
clrs_status clrs__common_use_until(clrs__common *common, cl_uint count, const cl_event *events,
                                   clrs_error *error);

/* True if this was the last one. A count of 1 is the caller's own reference, so no other thread can
 * change the count: the atomic decrement is skipped. */
static inline bool clrs__drop_reference(atomic_size_t *references) {
  return atomic_load(references) == 1 || atomic_fetch_sub(references, 1) == 1;
}
