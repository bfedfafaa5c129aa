/* SPDX-License-Identifier: Apache-2.0 */
#include "resize.h"

#include <inttypes.h>
#include <string.h>

#include "axis.h"
#include "colors.h"
#include "decimal.h"
#include "dtype.h"
#include "elements.h"
#include "framed.h"
#include "integers.h"
#include "resample.h"
#include "step_kind.h"
#include "view.h"

#define NO_AXIS INT64_MIN /* the two dims before the channels */

/* ---- parsing ---- */

/* The values of the operation, in order. */
enum { ROWS, COLUMNS, REFERENCE, AXIS, COORDINATES, NEAREST, SCALES, VALUES = SCALES + 2 };

/* Two scales, as the bits of doubles. */
static clrs_status parse_scales(clrs__span text, int64_t *values, clrs_error *error) {
  for (int i = 0; i < 2; i++) {
    double scale;
    CLRS_TRY(clrs__decimal_parse(clrs__span_next(&text, ':'), &scale, error));
    memcpy(&values[i], &scale, sizeof scale);
  }
  return text.text == NULL
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "'%s' behind the scales of rows and columns", clrs__span_show(text).text);
}

/* Parses what may follow the reference, in any order. The modes are attributes of ONNX's Resize. */
static clrs_status parse_option(clrs__span text, int64_t *values, clrs_error *error) {
  static const char coordinates[] = "coordinate_transformation_mode", nearest[] = "nearest_mode";
  const clrs__span name = clrs__span_cut(&text, '=');
  if (text.text != NULL && clrs__span_is(name, "axis")) {
    return clrs__integer_parse(text.text, text.length, &values[AXIS], error);
  }
  if (text.text != NULL && clrs__span_is(name, "scales")) {
    return parse_scales(text, &values[SCALES], error);
  }
  if (text.text != NULL && clrs__span_is(name, coordinates)) {
    return clrs__span_parse_word(text, coordinates, clrs__coordinates_names(), CLRS__COORDINATES,
                                 &values[COORDINATES], error);
  }
  if (text.text != NULL && clrs__span_is(name, nearest)) {
    return clrs__span_parse_word(text, nearest, clrs__nearest_names(), CLRS__NEAREST,
                                 &values[NEAREST], error);
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "'%s' behind the reference; it is axis=-3, the dim of the rows, or for ONNX's "
                    "references %s=, %s= or scales=",
                    clrs__span_show(name).text, coordinates, nearest);
}

clrs_status clrs__resize_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  int64_t values[VALUES] = {[AXIS] = NO_AXIS};
  for (int i = 0; i < 2; i++) {
    const clrs__span word = clrs__span_next(&text, ',');
    CLRS_TRY(clrs__integer_parse(word.text, word.length, &values[i], error));
  }
  CLRS_TRY(clrs__span_parse_word(clrs__span_next(&text, ','), "reference of resizing",
                                 clrs__resampling_names(), CLRS__RESAMPLINGS, &values[REFERENCE],
                                 error));
  while (text.text != NULL) {
    CLRS_TRY(parse_option(clrs__span_cut(&text, ','), values, error));
  }
  return clrs__numbers_append(numbers, VALUES, values, error);
}

/* ---- the picture ---- */

static clrs_status find_rows(int64_t axis, const clrs_shape *shape, uint32_t *row,
                             clrs_error *error) {
  if (shape->rank < 2) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no picture; rows and columns are 2 dims",
                      clrs__dims_text(shape->rank, shape->dims).text);
  }
  if (axis == NO_AXIS) {
    *row = shape->rank > 2 ? shape->rank - 3 : 0;
    return CLRS_OK;
  }
  CLRS_TRY(clrs__axis_normalize(axis, shape->rank, "axis", row, error));
  return *row + 1 < shape->rank
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "axis %" PRId64 " is the last; the dim of the columns is behind the rows",
                          axis);
}

static clrs_status take_picture(const clrs_layout *layout, uint32_t row, clrs_resample *made,
                                clrs_error *error) {
  clrs_axis before[2] = {{1, 0}, {1, 0}}, behind = {1, 0};
  if (clrs__merge_dims(layout, 0, row, 2, before) > 2 ||
      clrs__merge_dims(layout, row + 2, layout->rank, 1, &behind) > 1) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "a picture whose dims %s are not neighbours in memory; copy it first",
                      clrs__merge_dims(layout, 0, row, 2, before) > 2 ? "before the rows"
                                                                      : "behind the columns");
  }
  made->offset = layout->offset;
  made->axes[0] = before[1];
  made->axes[1] = before[0];
  for (uint32_t i = 0; i < 2; i++) {
    made->axes[CLRS__PICTURE_ROWS + i] =
        (clrs_axis){layout->dims[row + i], layout->strides[row + i]};
  }
  made->axes[4] = behind;
  return CLRS_OK;
}

static clrs_status find_elements(const clrs_view *view, uint32_t row, clrs_resample *made,
                                 clrs_error *error) {
  clrs_layout layout;
  clrs__reason reason;
  if (clrs__view_is_empty(view)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s has no element to resize",
                      clrs__dims_text(view->shape.rank, view->shape.dims).text);
  }
  if (clrs__view_find_layout(view, &layout, &reason)) {
    return take_picture(&layout, row, made, error);
  }
  return clrs__fail(error, CLRS_UNSUPPORTED, "a picture is strided: %s; copy it first",
                    clrs__reason_sentence(&reason).text);
}

/* ---- the operation ---- */

/* The elements of the mapped view, or the colours of its frame, are the picture. */
static clrs_status find_picture(const clrs_mapped *mapped, uint32_t row, clrs_resample *made,
                                clrs_error *error) {
  return clrs_map_keeps_bits(&mapped->map) ? find_elements(&mapped->views.source, row, made, error)
                                           : clrs__framed_find(mapped, row, made, error);
}

/* Resizes the elements of a mapped view, after a cast to `dtype`. */
static clrs_status resample(const clrs__op *op, const clrs_mapped *mapped, clrs_dtype dtype,
                            clrs_mapped *made, clrs_error *error) {
  clrs_resample picture = {.by = (clrs_resampling)(1 + op->values[REFERENCE]),
                           .coordinates = (uint32_t)op->values[COORDINATES],
                           .nearest = (uint32_t)op->values[NEAREST],
                           .rows = op->values[ROWS],
                           .columns = op->values[COLUMNS]};
  clrs_shape shape = mapped->views.source.shape;
  clrs_view numbers;
  uint32_t row;
  CLRS_TRY(clrs__resampling_check(picture.by, dtype, error));
  memcpy(picture.scales, &op->values[SCALES], sizeof picture.scales);
  CLRS_TRY(find_rows(op->values[AXIS], &shape, &row, error));
  CLRS_TRY(find_picture(mapped, row, &picture, error));
  shape.dims[row] = picture.rows;
  shape.dims[row + 1] = picture.columns;
  CLRS_TRY(clrs_view_dense(mapped->dtype, &shape, &numbers, error));
  CLRS_TRY(clrs_mapped_init(&numbers, made, error));
  made->map.steps[made->map.step_count++] =
      (clrs_step){.kind = CLRS_STEP_RESAMPLE,
                  .dtype = dtype,
                  .overflow = clrs__element_of(dtype).kind == CLRS__FLOAT ? CLRS_OVERFLOW_IEEE
                                                                          : CLRS_OVERFLOW_SATURATE};
  made->dtype = made->map.to = dtype;
  made->views.resample = picture;
  return clrs_mapped_check(made, error);
}

/* Takes back a cast, if the elements can be resized in its type. */
static void take_back_cast(clrs_mapped *mapped) {
  clrs_map *map = &mapped->map;
  const uint32_t last = map->step_count - 1;
  if (!map->reinterprets && map->step_count > 0 && map->steps[last].kind == CLRS_STEP_ROUND &&
      mapped->dtype == map->to && clrs__resampling_casts(clrs__type_before(map, last), map->to)) {
    map->to = mapped->dtype = clrs__type_before(map, last);
    map->step_count = last;
  }
}

clrs_status clrs__resize_mix(const clrs__op *op, clrs_mapped *mapped, clrs_error *error) {
  clrs_mapped before = *mapped, made;
  take_back_cast(&before);
  if (!clrs_map_keeps_bits(&before.map) && !clrs__color_is_last(&before)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the elements are computed, to %s, and resizing reads several elements of "
                      "the source; resizing stands before other maps than color and a cast to f32",
                      clrs__dtype_text(mapped->dtype));
  }
  CLRS_TRY(resample(op, &before, mapped->dtype, &made, error));
  *mapped = made;
  return CLRS_OK;
}
