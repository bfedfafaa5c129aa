/*
 * Pictures of frames: resizing behind colours. The colours note the frame. The resizing finds the
 * picture's pixels in the frame, of which slices between the two may have taken a part.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "camera.h"
#include "op.h"

/* Takes dims [begin,end) as at most `room` axes, with the last in front. Returns the count, or
 * room + 1. Neighbours in memory are one axis. Example: dims [2,3,8,9] with the strides 216, 72, 9
 * and 1, taken up to the rows, are one axis of 6 with stride 72. */
uint32_t clrs__merge_dims(const clrs_layout *layout, uint32_t begin, uint32_t end, uint32_t room,
                          clrs_axis *axes);

/* Notes the frame of a mapped view of colours. `words` are those of color=, and `row` is the dim of
 * the frame's rows. Notes no place if the frame's dims do not lie within one another. */
void clrs__framed_note(const int64_t *words, const clrs_view *view, uint32_t row,
                       clrs_resample *noted);

/* Finds the picture whose elements are the colours of the mapped view. `row` is the dim of the
 * rows. */
clrs_status clrs__framed_find(const clrs_mapped *mapped, uint32_t row, clrs_resample *made,
                              clrs_error *error);
