/*
 * Maps that begin with the colours of a frame, of which two neighbours share the chroma, or with
 * the grey of pixels. A kernel makes all colours of the pixels at once: kernels/map_mix.cl on CPUs,
 * and kernels/map_gpu_colors.cl on GPUs, except grey. The other steps follow.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "launch_words.h"
#include "share.h"

/* Drops the steps of colours from the key of a launch, if the piece has the loops of the kernel,
 * and chooses the run. Without `keeps_floats`, colours of floats stay steps. */
void clrs__mix_take(bool keeps_floats, clrs__mapped_share *at, clrs__map_key *key);

/* Writes the numbers of the colours, for a GPU in the order of axis 0. */
void clrs__mix_put(const clrs__mapped_share *at, const clrs__map_key *key, clrs__launch_words *s);
