/*
 * The plans that a context made last, for moves without a destination of the caller's. A request
 * that equals an earlier request is not planned again. Keys are compared whole.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "plan.h"

enum { CLRS__CACHED_PLANS = 16 };

typedef struct clrs__cached_plan {
  clrs_view source;
  uint64_t byte_offset;
  uint32_t alignment;
  clrs_copy_policy policy;
  clrs_plan plan;
} clrs__cached_plan;

typedef struct clrs__plan_cache {
  uint32_t count, oldest;
  clrs__cached_plan plans[CLRS__CACHED_PLANS];
} clrs__plan_cache;

/* Returns false if the cache has no plan for this move. */
bool clrs__plan_cache_find(const clrs__plan_cache *cache, const clrs_move *move, clrs_plan *plan);
/* Replaces the oldest plan if the cache is full. */
void clrs__plan_cache_keep(clrs__plan_cache *cache, const clrs_move *move, const clrs_plan *plan);
/* Empties the cache. */
void clrs__plan_cache_forget(clrs__plan_cache *cache);
