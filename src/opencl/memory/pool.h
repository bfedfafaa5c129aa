/*
 * A pool of memory of released results, for later results.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "allocation.h"
#include "lock.h"

enum { CLRS__MOST_IDLE = 64 };

typedef struct clrs__pool {
  uint64_t limit; /* most bytes that the pool keeps */
  bool may_mark;  /* may a marker stand for all commands of a queue without order? */
  /* Guards all fields below, and the queues of every tensor's allocation. No memory is released
   * under the lock, because the driver may then run a callback of the caller's, and the callback
   * may call the library. */
  clrs__lock lock;
  clrs_pool_statistics statistics;
  size_t idle_count;
  clrs__allocation *idle[CLRS__MOST_IDLE]; /* in order of release, the oldest first */
} clrs__pool;

clrs_status clrs__pool_start(clrs__pool *pool, clrs_error *error);
void clrs__pool_destroy(clrs__pool *pool);

/* Takes memory of `bytes` bytes, or a few more, which commands on the queue may use at once.
 * Returns false if no idle memory fits. */
bool clrs__pool_take(clrs__pool *pool, cl_command_queue queue, uint64_t bytes,
                     clrs__allocation **taken);
/* Counts newly allocated memory in the statistics. */
void clrs__pool_count_new(clrs__pool *pool, uint64_t bytes);
/* Takes over the memory, or releases the memory if the pool has no room. */
void clrs__pool_keep(clrs__pool *pool, clrs__allocation *allocation);
/* Releases memory until at most `bytes` bytes are idle. Returns true if anything was released. */
bool clrs__pool_trim(clrs__pool *pool, uint64_t bytes);
