/*
 * Memory of results that were released, for later ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "allocation.h"
#include "lock.h"

enum { CLRS__MOST_IDLE = 64 };

typedef struct clrs__pool {
  uint64_t limit; /* bytes that it keeps at most */
  bool may_mark;  /* may a marker stand for all commands of a queue without order? */
  /* Guards what follows, and the queues of every tensor's allocation. No memory is released under
   * it: the driver may then call a function of the caller's, who may call the library. */
  clrs__lock lock;
  clrs_pool_statistics statistics;
  size_t idle_count;
  clrs__allocation *idle[CLRS__MOST_IDLE]; /* what was released first stands first */
} clrs__pool;

clrs_status clrs__pool_start(clrs__pool *pool, clrs_error *error);
void clrs__pool_destroy(clrs__pool *pool);

/* Memory of so many bytes or a few more, which commands on the queue may use at once. */
bool clrs__pool_take(clrs__pool *pool, cl_command_queue queue, uint64_t bytes,
                     clrs__allocation **taken);
/* That there is one more, made for lack of such memory. */
void clrs__pool_count_new(clrs__pool *pool, uint64_t bytes);
/* Takes the memory over, or releases it if it does not fit. */
void clrs__pool_keep(clrs__pool *pool, clrs__allocation *allocation);
/* Until no more than so many bytes are idle. Was there anything to give back? */
bool clrs__pool_trim(clrs__pool *pool, uint64_t bytes);
