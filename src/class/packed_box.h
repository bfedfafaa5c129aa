/*
 * Kinds of boxes whose units stay packed. As clrs__box_choose: false if there is no such box.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_PACKED_BOX_H
#define CLRS_CLASS_PACKED_BOX_H

#include "box.h"

/* Images, and runs of the last axis of the nest, which no image has. */
bool clrs__box_choose_unzipped(clrs__box *b);
/* A run that takes units of a few rows of the source in turn. */
bool clrs__box_choose_zipped(clrs__box *b);

#endif
