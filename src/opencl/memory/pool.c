/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

clrs_status clrs__pool_start(clrs__pool *pool, clrs_error *error) {
  return clrs__lock_start(&pool->lock)
             ? CLRS_OK
             : clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
}

/* ---- giving back ---- */

/* Takes the entry out of the list of idle memory. The later entries move up. */
static clrs__allocation *remove_idle(clrs__pool *pool, size_t at) {
  clrs__allocation *removed = pool->idle[at];
  pool->statistics.idle_bytes -= removed->bytes;
  pool->idle_count--;
  for (; at < pool->idle_count; at++) {
    pool->idle[at] = pool->idle[at + 1];
  }
  return removed;
}

/* Takes out the oldest idle memory beyond `bytes` and `count`. Returns a list, oldest first, or
 * NULL. Destroy the list only after the lock is free. */
static clrs__allocation *take_surplus(clrs__pool *pool, uint64_t bytes, size_t count) {
  clrs__allocation *first = NULL, **end = &first;
  while (pool->statistics.idle_bytes > bytes || pool->idle_count > count) {
    *end = remove_idle(pool, 0);
    end = &(*end)->next;
  }
  return first;
}

bool clrs__pool_trim(clrs__pool *pool, uint64_t bytes) {
  clrs__lock_take(&pool->lock);
  clrs__allocation *surplus = take_surplus(pool, bytes, CLRS__MOST_IDLE);
  clrs__lock_leave(&pool->lock);
  const bool trimmed = surplus != NULL;
  clrs__allocation_destroy_all(surplus);
  return trimmed;
}

void clrs__pool_destroy(clrs__pool *pool) {
  (void)clrs__pool_trim(pool, 0);
  clrs__lock_end(&pool->lock);
}

/* ---- handing out ---- */

static bool is_at_home(const clrs__allocation *allocation) {
  return allocation->is_ordered && allocation->others.count == 0;
}

/* Memory that was used only on its ordered home queue has no marker at first, because new commands
 * on that queue run after the old commands. When another queue asks for the memory, the home queue
 * gets a marker. The memory is free for other queues once the marker has ended. Awaited events
 * belong to commands elsewhere, so the home queue, too, must see these events end. */
static bool is_free_for(const clrs__pool *pool, clrs__allocation *idle, cl_command_queue queue) {
  if (is_at_home(idle) && idle->home == queue) {
    return clrs__allocation_reached(idle, idle->awaited);
  }
  if (idle->event_count == idle->awaited && !(pool->may_mark && clrs__allocation_mark(idle))) {
    return false;
  }
  return clrs__allocation_reached(idle, idle->event_count);
}

/* Up to an eighth of the request may be wasted. For a small request up to a page may be wasted. */
static bool fits(const clrs__allocation *idle, uint64_t bytes) {
  return idle->bytes >= bytes && idle->bytes - bytes <= bytes / 8 + 4096;
}

/* Finds the smallest free memory that fits. Among equal sizes the last released wins. */
static size_t find(clrs__pool *pool, cl_command_queue queue, uint64_t bytes) {
  size_t best = pool->idle_count;
  for (size_t i = pool->idle_count; i-- > 0;) {
    clrs__allocation *idle = pool->idle[i];
    if (fits(idle, bytes) && (best == pool->idle_count || idle->bytes < pool->idle[best]->bytes) &&
        is_free_for(pool, idle, queue)) {
      best = i;
    }
  }
  return best;
}

static void count_used(clrs__pool *pool, uint64_t bytes) {
  clrs_pool_statistics *statistics = &pool->statistics;
  statistics->used_bytes += bytes;
  const uint64_t all = statistics->used_bytes + statistics->idle_bytes;
  statistics->most_bytes = all > statistics->most_bytes ? all : statistics->most_bytes;
}

static clrs__allocation *take(clrs__pool *pool, cl_command_queue queue, uint64_t bytes) {
  const size_t at = find(pool, queue, bytes);
  if (at == pool->idle_count) {
    return NULL;
  }
  clrs__allocation *found = remove_idle(pool, at);
  pool->statistics.reused++;
  count_used(pool, found->bytes);
  return found;
}

static void take_back_count(clrs__pool *pool, uint64_t bytes) {
  clrs__lock_take(&pool->lock);
  pool->statistics.reused--;
  pool->statistics.used_bytes -= bytes;
  clrs__lock_leave(&pool->lock);
}

bool clrs__pool_take(clrs__pool *pool, cl_command_queue queue, uint64_t bytes,
                     clrs__allocation **taken) {
  clrs__lock_take(&pool->lock);
  clrs__allocation *found = take(pool, queue, bytes);
  clrs__lock_leave(&pool->lock);
  if (found == NULL) {
    return false;
  }
  if (clrs__allocation_move(found, queue, NULL) != CLRS_OK) {
    take_back_count(pool, found->bytes);
    clrs__allocation_destroy(found);
    return false;
  }
  *taken = found;
  return true;
}

void clrs__pool_count_new(clrs__pool *pool, uint64_t bytes) {
  clrs__lock_take(&pool->lock);
  pool->statistics.created++;
  count_used(pool, bytes);
  clrs__lock_leave(&pool->lock);
}

/* ---- keeping ---- */

/* Returns true if the library can know when other queues may use the memory. */
static bool is_followed(const clrs__pool *pool, clrs__allocation *allocation) {
  return is_at_home(allocation) || (pool->may_mark && clrs__allocation_mark(allocation));
}

void clrs__pool_keep(clrs__pool *pool, clrs__allocation *allocation) {
  const uint64_t bytes = allocation->bytes;
  const bool fits_in = bytes <= pool->limit && is_followed(pool, allocation);
  clrs__allocation *surplus = allocation;
  clrs__lock_take(&pool->lock);
  pool->statistics.used_bytes -= bytes;
  if (fits_in) {
    surplus = take_surplus(pool, pool->limit - bytes, CLRS__MOST_IDLE - 1);
    pool->idle[pool->idle_count++] = allocation;
    pool->statistics.idle_bytes += bytes;
  }
  clrs__lock_leave(&pool->lock);
  clrs__allocation_destroy_all(surplus);
}
