/*
 * Shares a piece of a mapped move among the work-groups of a GPU.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "share.h"

/* Chooses a kernel for work-groups, and cuts the piece for it. Returns false, and changes nothing,
 * if no kernel of this kind takes the piece. */
bool clrs__share_groups(clrs__mapped_share *share, clrs__map_key *key);

/* Returns true if kernels for work-groups may take the piece. */
bool clrs__share_has_groups(const clrs__mapped_share *share);
