/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_cache.h"

bool clrs__plan_cache_find(const clrs__plan_cache *cache, const clrs_move *move, clrs_plan *plan) {
  for (uint32_t i = 0; i < cache->count; i++) {
    const clrs__cached_plan *cached = &cache->plans[i];
    if (cached->byte_offset == move->source.byte_offset && cached->policy == move->policy &&
        cached->alignment == move->source.alignment &&
        clrs__view_equal(&cached->source, move->source.view)) {
      clrs__plan_copy(plan, &cached->plan);
      return true;
    }
  }
  return false;
}

void clrs__plan_cache_keep(clrs__plan_cache *cache, const clrs_move *move, const clrs_plan *plan) {
  clrs__cached_plan *cached = &cache->plans[cache->oldest];
  cached->source = *move->source.view;
  cached->byte_offset = move->source.byte_offset;
  cached->alignment = move->source.alignment;
  cached->policy = move->policy;
  clrs__plan_copy(&cached->plan, plan);
  cache->oldest = (cache->oldest + 1) % CLRS__CACHED_PLANS;
  cache->count += cache->count < CLRS__CACHED_PLANS;
}

void clrs__plan_cache_forget(clrs__plan_cache *cache) {
  cache->count = cache->oldest = 0;
}
