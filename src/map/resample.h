/*
 * Pictures of another size: each element of the result is a sum over taps (taps.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "camera.h"
#include "taps.h"

/* The axes of a picture in clrs_resample. */
enum { CLRS__PICTURE_ROWS = 2, CLRS__PICTURE_COLUMNS = 3, CLRS__PICTURE_AXES = 5 };

clrs__tap_axis clrs__resample_axis(const clrs_resample *of, bool is_row);
/* Returns true if Pillow sums along the rows first, and rounds in between: if the rows shrink by
 * more than twice as many elements as the columns. So since Pillow 13. Before, the columns were
 * first. */
bool clrs__resample_sums_rows_first(const clrs_resample *of);
/* What a kernel reads behind the words: the taps of all rows and then of all columns of the result.
 * Behind these, for a frame, rows of four integers (kernels/resample.cl). */
size_t clrs__resample_table_bytes(const clrs_resample *of);
void clrs__resample_table(const clrs_resample *of, unsigned char *to);
/* The number of the row, of those, with the place of the picture's first row or column. */
int64_t clrs__resample_first_place(const clrs_resample *of, bool is_row);

/* The layout of the memory that the picture is made of: the picture, or the frame. */
void clrs__resample_layout(const clrs_resample *of, clrs_dtype dtype, clrs_layout *layout);
/* That memory as a view of the source. */
clrs_status clrs__resample_view(const clrs_resample *of, clrs_dtype dtype, clrs_view *view,
                                clrs_error *error);
/* Returns true if every pixel of the picture is a pixel of its frame, and every colour is one. */
bool clrs__resample_is_within_frame(const clrs_resample *of);
/* Checks everything that does not depend on memory. `shown` counts elements of the result, in the
 * type of the picture. The result is of type `to`. */
clrs_status clrs__resample_check(const clrs_resample *of, const clrs_view *shown, clrs_dtype to,
                                 clrs_error *error);
/* The host's reference: the code of element `number` of the result, which has type `to`. */
uint64_t clrs__resample_code(const clrs_resample *of, clrs_dtype from, clrs_dtype to,
                             const uint8_t *bytes, int64_t number);
