/*
 * Requests without effect, and destinations that must not change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_indexed.h"

scenario scenario_without_effect(const scenario *s) {
  scenario without = *s;
  const bool is_read_there = s->kind == REQUEST_DEVICE_PATTERN || scenario_is_indexed(s);
  without.kind = is_read_there ? REQUEST_DEVICE_PATTERN : REQUEST_WARM_UP;
  return without;
}

void scenario_reset(const scenario *s, const api *a) {
  unsigned char before[API_BYTES];
  const scenario without_effect = scenario_without_effect(s);
  scenario_expected(&without_effect, a, before);
  device_write(&a->device, a->destination, API_BYTES, before);
}

void scenario_verify_unwritten(const scenario *s, const attempt *try, bool may_be_written) {
  unsigned char got[API_BYTES], before[API_BYTES], after[API_BYTES];
  const scenario before_only = scenario_without_effect(s);
  scenario_expected(&before_only, try->a, before);
  scenario_expected(s, try->a, after);
  device_read(&try->a->device, try->a->destination, API_BYTES, got);
  for (size_t i = 0; i < API_BYTES; i++) /* bit by bit, because packed elements come in sequence */
    if (got[i] != before[i] &&
        !(may_be_written && ((got[i] ^ before[i]) & (got[i] ^ after[i])) == 0))
      fail_msg("%s: byte %zu of the destination is %u, was %u", s->name, i, got[i], before[i]);
}
