/* SPDX-License-Identifier: Apache-2.0 */
#include "picture.h"

#include "status.h"

clrs_status cli_find_picture(const clrs_view *part, cli_runs *read, clrs_mapped *source,
                             clrs_error *error) {
  clrs_resample *picture = &source->views.resample;
  clrs_layout layout = {.dtype = part->dtype, .rank = 5, .offset = picture->offset};
  clrs_view view;
  clrs_bounds all;
  for (uint32_t i = 0; i < layout.rank; i++) {
    const bool is_of_frame = i >= 2 && picture->frame.format != 0;
    const clrs_axis *axis = is_of_frame ? &picture->frame.axes[i - 2] : &picture->axes[i];
    layout.dims[i] = axis->extent;
    layout.strides[i] = axis->stride;
  }
  CLRS_TRY(clrs_view_from_layout(&layout, &view, error));
  CLRS_TRY(clrs_view_bounds(&view, &all, error));
  *read = (cli_runs){.element_bytes = clrs_dtype_bits(part->dtype) / 8,
                     .first = all.lowest,
                     .length = all.highest - all.lowest + 1,
                     .count = 1};
  source->views.source = *part;
  picture->offset -= all.lowest;
  return CLRS_OK;
}
