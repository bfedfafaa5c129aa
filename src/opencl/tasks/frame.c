/* SPDX-License-Identifier: Apache-2.0 */
#include "frame.h"

#include <inttypes.h>

#include "checked.h"

const int64_t *clrs__frame_begins(const int64_t *begins) {
  static const int64_t zeros[CLRS_MAX_RANK];
  return begins != NULL ? begins : zeros;
}

clrs_status clrs__frame_check(const clrs_shape *outer, const clrs_shape *inner,
                              const int64_t *begins, clrs_error *error) {
  for (uint32_t dim = 0; dim < inner->rank; dim++) {
    int64_t end = 0;
    if (begins[dim] < 0 || !clrs__add(begins[dim], inner->dims[dim], &end) ||
        end > outer->dims[dim]) {
      return clrs__fail(error, CLRS_OUT_OF_BOUNDS,
                        "dimension %u of extent %" PRId64 " does not fit at %" PRId64
                        " in a destination of extent %" PRId64,
                        dim, inner->dims[dim], begins[dim], outer->dims[dim]);
    }
  }
  return CLRS_OK;
}

/* The range of one dim: the part in front, behind or inside, or the whole dim. */
static clrs_slice slice_of(const clrs__frame *frame, uint32_t dim) {
  const int64_t whole = frame->outer->dims[dim], begin = frame->begins[dim];
  const int64_t end = begin + frame->inner->dims[dim];
  const uint32_t at = frame->next / 2;
  return dim < at               ? (clrs_slice){dim, begin, end, 1}
         : dim > at             ? (clrs_slice){dim, 0, whole, 1}
         : frame->next % 2 == 0 ? (clrs_slice){dim, 0, begin, 1}
                                : (clrs_slice){dim, end, whole, 1};
}

bool clrs__frame_next(clrs__frame *frame) {
  const uint32_t rank = frame->inner->rank;
  bool is_border = false;
  while (!is_border && frame->next < 2 * rank) {
    const clrs_slice part = slice_of(frame, frame->next / 2);
    is_border = part.end > part.start;
    for (uint32_t dim = 0; is_border && dim < rank; dim++) {
      frame->slices[dim] = slice_of(frame, dim);
    }
    frame->next++;
  }
  for (uint32_t dim = 0; !is_border && dim < rank; dim++) {
    frame->slices[dim] = slice_of(frame, dim);
  }
  return is_border;
}
