/* SPDX-License-Identifier: Apache-2.0 */
#include "padded_parts.h"

#include <stdlib.h>

#include "dtype.h"
#include "mapping.h"
#include "padded_border.h"
#include "tensor_check.h"
#include "view.h"

typedef struct padding {
  clrs__padded padded;
  clrs_tensor *source;
} padding;

typedef struct parts {
  const padding *of;
  clrs__mosaic *mosaic;
} parts;

/* ---- pieces ---- */

static clrs_status add_value(void *context, const clrs_slice *slices, const uint8_t *element,
                             clrs_error *error) {
  const parts *to = context;
  clrs__mosaic_set_value(to->mosaic, element);
  return clrs__mosaic_add(to->mosaic, NULL, slices, error);
}

static clrs_status add_mapped(const parts *to, clrs_tensor *shown, const clrs_slice *slices,
                              clrs_error *error) {
  clrs_mapped maps;
  clrs_tensor *mapped = NULL;
  CLRS_TRY(clrs__padded_maps(&to->of->padded, slices, &maps, error));
  CLRS_TRY(clrs__tensor_with_maps_of(shown, &maps, &mapped, error));
  const clrs_status status = clrs__mosaic_add(to->mosaic, mapped, slices, error);
  clrs_tensor_release(mapped);
  return status;
}

static clrs_status add_source(const parts *to, const clrs__padded_piece *piece, clrs_error *error) {
  clrs_tensor *source = to->of->source;
  clrs_view seen;
  clrs_tensor *shown = NULL;
  CLRS_TRY(clrs__view_stack(&source->view, &piece->seen, &seen, error));
  CLRS_TRY(clrs__tensor_with_own_elements(source, &seen, &shown, error));
  const clrs_status status = add_mapped(to, shown, piece->slices, error);
  clrs_tensor_release(shown);
  return status;
}

static clrs_status add_piece(void *context, const clrs__padded_piece *piece, clrs_error *error) {
  const parts *to = context;
  return piece->is_border
             ? clrs__padded_border(&to->of->padded, piece->slices, add_value, context, error)
             : add_source(to, piece, error);
}

/* ---- the destination ---- */

static clrs_status add_pieces(clrs__mosaic *mosaic, const void *of, clrs_error *error) {
  const clrs__padded *padded = &((const padding *)of)->padded;
  size_t count = 0;
  CLRS_TRY(clrs__padded_each(padded, NULL, NULL, &count, error));
  clrs__mosaic_share_launches(mosaic, count);
  if (count > 0) {
    CLRS_TRY(clrs_view_reshape(&mosaic->region, &padded->axes, error));
  }
  return clrs__padded_each(padded, add_piece, &(parts){of, mosaic}, &count, error);
}

static clrs_status write_given(padding *p, const clrs__site *site, clrs_tensor *destination,
                               clrs_error *error) {
  const clrs_mapped *made = &p->padded.after;
  const clrs_shape *shape = &made->views.source.shape;
  CLRS_TRY(clrs__site_check_destination(site, destination, error));
  const clrs_view *to = &destination->view;
  if (!clrs_shape_equal(shape, &to->shape) || made->dtype != to->dtype) {
    return clrs__fail(error, made->dtype != to->dtype ? CLRS_INVALID_ARGUMENT : CLRS_COUNT_MISMATCH,
                      "the chain makes %s of %s and the destination is %s of %s",
                      clrs__dims_text(shape->rank, shape->dims).text, clrs__dtype_text(made->dtype),
                      clrs__dims_text(to->shape.rank, to->shape.dims).text,
                      clrs__dtype_text(to->dtype));
  }
  return clrs__mosaic_write(site, destination, add_pieces, p, error);
}

static clrs_status write_new(padding *p, const clrs__site *site, clrs_tensor **result,
                             clrs_error *error) {
  clrs_tensor *made = NULL;
  const clrs_mapped *after = &p->padded.after;
  clrs_view typed;
  clrs__view_copy(&typed, &p->source->view);
  typed.dtype = after->dtype;
  const clrs_tensor like = {.common = p->source->common, .view = typed};
  CLRS_TRY(clrs__tensor_allocate_like(&like, site->tail->queue, &after->views.source.shape, &made,
                                      error));
  return clrs__tensor_hand_over(made, clrs__mosaic_write(site, made, add_pieces, p, error), result);
}

clrs_status clrs__padded_parts_write(const clrs__padded_parts *of, clrs_tensor *destination,
                                     clrs_tensor **result, const clrs__site *site,
                                     clrs_error *error) {
  padding *p = calloc(1, sizeof *p);
  CLRS_TRY_MEMORY(p, error, "no memory for a pad");
  p->source = of->source;
  clrs_status status = clrs__padded_init(&of->ask, &of->source->view, &p->padded, error);
  if (status == CLRS_OK) {
    status = destination != NULL ? write_given(p, site, destination, error)
                                 : write_new(p, site, result, error);
  }
  free(p);
  return status;
}
