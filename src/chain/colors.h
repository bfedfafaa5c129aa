/*
 * Colours as an operation of chains: frames of a camera, or pixels, to pixels of another kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "op.h"

/* from,to,reference */
clrs_status clrs__color_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error);

/* The last dims of the view are a frame: see the formats in colors.c. Each element of the result is
 * computed from several elements of the frame. These are parameters of the map's steps, and are
 * marked as elements of the source. CLRS_UNSUPPORTED if the elements are already computed. */
clrs_status clrs__color_mix(const clrs__op *op, clrs_mapped *mapped, clrs_error *error);

/* Returns true if the map of the mapped view is that of the colours of its frame, and no other. */
bool clrs__color_is_last(const clrs_mapped *mapped);
