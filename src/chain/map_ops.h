/*
 * Operations that map elements: the notation of their values, and the map of each operation.
 *
 * A chain's values hold numbers as the bits of doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

#define CLRS__MAP_OP(name)                                                                         \
  clrs_status clrs__##name##_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);    \
  clrs_status clrs__##name##_make(const clrs__op *op, clrs_dtype from, clrs_map *map,              \
                                  clrs_error *error);

CLRS__MAP_OP(cast)
clrs_status clrs__round_make(const clrs__op *op, clrs_dtype from, clrs_map *map, clrs_error *error);
CLRS__MAP_OP(bitcast)
clrs_status clrs__bitcast_apply(const clrs__op *op, clrs_view *view, clrs_error *error);
CLRS__MAP_OP(mean)
CLRS__MAP_OP(std)
CLRS__MAP_OP(scale)
CLRS__MAP_OP(bias)
CLRS__MAP_OP(sub)
CLRS__MAP_OP(div)
CLRS__MAP_OP(mul)
CLRS__MAP_OP(add)
CLRS__MAP_OP(min)
CLRS__MAP_OP(max)
CLRS__MAP_OP(shl)
CLRS__MAP_OP(shr)
CLRS__MAP_OP(clamp)
CLRS__MAP_OP(quantize)
CLRS__MAP_OP(dequantize)
