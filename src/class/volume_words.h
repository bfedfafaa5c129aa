/*
 * The axes of a volume as gpu_short.cl lists them: in the order of the destination, in that of the
 * source, and those of the table of places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_VOLUME_WORDS_H
#define CLRS_CLASS_VOLUME_WORDS_H

#include "class.h"

/* The axes of the volume in the order of the source, the nearest steps last, with bytes of local
 * memory for destination strides. */
void clrs__volume_reads(const clrs__cut *cut, clrs__nest *reads);

/* Units of the table for reads of so many units each, which the last axes can be made of. */
int64_t clrs__volume_table_units(const clrs__nest *reads, int64_t width);

/* Axes of the words. */
uint32_t clrs__volume_axis_count(const clrs__cut *cut);

/* For encode. */
void clrs__encode_volume(const clrs__cut *cut, clrs__words *words);

#endif
