/*
 * The colours of a pixel are sums of products: a colour of the result is a sum over the planes of
 * the frame, each times a coefficient. The map starts with one plane as the source, and adds every
 * other plane as a term (CLRS_STEP_TERM). A plane is a view of the frame with the shape of the
 * result. The coefficients are a list along the last axis, the colours of the result.
 *
 * Example: NV12 of [6,4], which are 4 rows of Y and 2 rows of U and V in turn, becomes [4,4,3]. The
 * view of U has element [1,3] at row 4, column 2 of the frame, for each of the three colours.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "colors.h"

#include <inttypes.h>

#include "bind.h"
#include "check.h"
#include "dtype.h"
#include "framed.h"
#include "shape.h"
#include "view.h"

/* ---- formats ---- */

/* A chain's text for each plane of a format: Y, U and V, or R, G and B. The text of a plane of
 * chroma ends with the spread over the pixels that share an element. */
typedef struct texts {
  const char *planes[CLRS__PLANES];
} texts;

#define SQUARES "; repeat=... h w -> ... (h a) (w b), a=2, b=2"
#define TWICE "; repeat=... w -> ... (w b), b=2"
#define PAIRS(part) "rearrange=... h (w c) -> ... h w c, c=2; slice=...," #part SQUARES
#define PAIRED(part, byte)                                                                         \
  "slice=...," #byte "; rearrange=... (w c) -> ... w c, c=2; slice=...," #part TWICE
#define PLANAR(part) "slice=...," #part ",:,:" SQUARES

static const texts texts_of[] = {
    {{"", PAIRS(0), PAIRS(1)}},
    {{"", PAIRS(1), PAIRS(0)}},
    {{"", PLANAR(0), PLANAR(1)}},
    {{"", PLANAR(1), PLANAR(0)}},
    {{"slice=...,0", PAIRED(0, 1), PAIRED(1, 1)}},
    {{"slice=...,1", PAIRED(0, 0), PAIRED(1, 0)}},
    {{"slice=...,0", "slice=...,1", "slice=...,2"}},
    {{"slice=...,2", "slice=...,1", "slice=...,0"}},
};
_Static_assert(sizeof texts_of / sizeof *texts_of == CLRS__CAMERA_FORMATS,
               "in the order of camera.c");

typedef clrs__camera_format format;
typedef clrs__color_sum arithmetic;

static const char *const results[] = {"rgb", "bgr", "grey"};
static const char *const references[] = {"opencv", "openvino", "pillow"};
enum {
  PLANES = CLRS__PLANES,
  COLORS = CLRS__COLORS,
  MOST_DIMS = CLRS_MAX_RANK - 2 /* the spread makes two more */
};

static uint32_t tail_of(const format *of) {
  return of->kind == CLRS__PIXELS ? 3 : 2;
}

static clrs_status fail_frame(const format *of, const clrs_shape *frame, clrs_error *error) {
  const clrs__text dims = clrs__dims_text(frame->rank, frame->dims);
  if (frame->rank < tail_of(of)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no frame of %s, which has %u dims",
                      dims.text, of->name, tail_of(of));
  }
  if (of->kind == CLRS__PIXELS) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no frame of %s: [H,W,%" PRId64 "]%s",
                      dims.text, of->name, of->channels,
                      of->channels == 2 ? " with an even W" : "");
  }
  return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                    "%s is no frame of %s: [H*3/2,W] with an even H and an even W", dims.text,
                    of->name);
}

static bool is_frame(const format *of, const clrs_shape *frame) {
  const int64_t *end = frame->dims + frame->rank;
  if (frame->rank < tail_of(of)) {
    return false;
  }
  return of->kind == CLRS__PIXELS
             ? end[-1] == of->channels && (of->channels == 3 || end[-2] % 2 == 0)
             : end[-2] % 3 == 0 && end[-1] % 2 == 0;
}

/* Returns the shape of the pixels, or fails in the words of the format. */
static clrs_status find_pixels(const format *of, const clrs_shape *frame, clrs_shape *pixels,
                               clrs_error *error) {
  *pixels = *frame;
  if (!is_frame(of, frame)) {
    return fail_frame(of, frame, error);
  }
  if (of->kind == CLRS__PIXELS) {
    pixels->rank--;
  } else {
    pixels->dims[frame->rank - 2] -= frame->dims[frame->rank - 2] / 3;
  }
  return CLRS_OK;
}

/* ---- planes ---- */

/* Keeps the rows of luma or of chroma. Planar chroma [..,H/2,W] becomes [..,2,H/2,W/2]. */
static clrs_status take_rows(const format *of, bool is_chroma, const clrs_shape *pixels,
                             clrs_view *view, clrs_error *error) {
  const uint32_t row_axis = pixels->rank - 2;
  const int64_t rows = pixels->dims[row_axis], all = view->shape.dims[row_axis];
  const clrs_slice slice = {row_axis, is_chroma ? rows : 0, is_chroma ? all : rows, 1};
  CLRS_TRY(clrs_view_slice(view, 1, &slice, error));
  if (!is_chroma || !of->is_planar) {
    return CLRS_OK;
  }
  clrs_shape shape = *pixels; /* has room for a dim, because the result has a dim of colours more */
  shape.dims[shape.rank++] = pixels->dims[row_axis + 1] / 2;
  shape.dims[row_axis + 1] = rows / 2;
  shape.dims[row_axis] = 2;
  return clrs_view_reshape(view, &shape, error);
}

/* A frame, the shape of its pixels, and the shape of the result, which may have an axis of colours
 * behind. */
typedef struct picture {
  const format *of;
  const texts *by;
  const clrs_view *frame;
  clrs_shape pixels, result;
} picture;

/* Makes the view of a plane of the frame, with the shape of the result. Example: U of an NV12 frame
 * [6,4] to [4,4,3]: take_rows leaves the rows 4 and 5, [2,4]. The text of the plane takes every
 * second column, [2,2], and repeats each element in a square of 2 by 2, [4,4]. The expansion
 * repeats all elements for each colour, [4,4,3]. */
static clrs_status view_plane(const picture *shown, uint32_t plane, clrs_view *view,
                              clrs_error *error) {
  const format *of = shown->of;
  clrs__view_copy(view, shown->frame);
  if (of->kind == CLRS__CHROMA_ROWS) {
    CLRS_TRY(take_rows(of, plane > 0, &shown->pixels, view, error));
  }
  CLRS_TRY(clrs_view_apply(view, shown->by->planes[plane], error));
  if (shown->result.rank > shown->pixels.rank) {
    CLRS_TRY(clrs_view_apply(view, "unsqueeze=-1", error));
  }
  return clrs_view_expand(view, &shown->result, error);
}

/* ---- arithmetic ---- */

static const arithmetic *find_arithmetic(const int64_t *words) {
  return clrs__color_sum_of(words[0], words[1], words[2]);
}

/* The steps of a sum. A step has a number, a list along the colours, or nothing. */
typedef struct sum_steps {
  struct {
    clrs_step_kind kind;
    uint32_t count;
    double numbers[COLORS];
  } all[5 * PLANES];
  uint32_t count;
} sum_steps;

static void note(sum_steps *sum, clrs_step_kind kind, uint32_t count, double number) {
  sum->all[sum->count].kind = kind;
  sum->all[sum->count].count = count;
  sum->all[sum->count++].numbers[0] = number;
}

/* Notes a list along the colours, or one number for grey or for three equal numbers. */
static void note_list(sum_steps *sum, clrs_step_kind kind, const double rgb[COLORS],
                      int64_t result) {
  const bool is_one = result == CLRS__GREY || (rgb[0] == rgb[1] && rgb[1] == rgb[2]);
  note(sum, kind, is_one ? 1 : COLORS, rgb[0]);
  for (int i = 0; i < COLORS && !is_one; i++) {
    sum->all[sum->count - 1].numbers[i] = rgb[result == CLRS__BGR ? COLORS - 1 - i : i];
  }
}

static void note_plane(const arithmetic *by, uint32_t plane, int64_t result, sum_steps *sum) {
  if (plane > 0) {
    note(sum, CLRS_STEP_TERM, 0, 0);
  }
  if (by->offsets[plane] != 0) {
    note(sum, CLRS_STEP_SUBTRACT, 1, by->offsets[plane]);
  }
  if (plane == 0 && by->clamps) {
    note(sum, CLRS_STEP_AT_LEAST, 1, 0);
  }
  note_list(sum, CLRS_STEP_MULTIPLY, by->factors[plane], result);
  if (plane > 0) {
    note(sum, CLRS_STEP_ADD_TERM, 0, 0);
  }
}

static clrs_status make_map(const arithmetic *by, int64_t result, clrs_map *map,
                            clrs_error *error) {
  sum_steps sum = {.count = 0};
  for (uint32_t plane = 0; plane < PLANES; plane++) {
    note_plane(by, plane, result, &sum);
  }
  if (by->dtype == CLRS_I32) {
    note_list(&sum, CLRS_STEP_ADD, by->bias, result);
    note(&sum, CLRS_STEP_SHIFT_RIGHT, 1, by->shift);
  }
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, map, error));
  for (uint32_t i = 0; i < sum.count; i++) {
    const double *values = sum.all[i].numbers;
    const clrs_numbers list = {sum.all[i].count, values, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
    const clrs_numbers *numbers = list.count > 0 ? &list : &(clrs_numbers){0};
    CLRS_TRY(clrs_map_step(map, sum.all[i].kind, by->dtype, numbers, error));
    map->steps[map->step_count - 1].parameter.is_of_source = sum.all[i].kind == CLRS_STEP_TERM;
  }
  return clrs_map_round(map, CLRS_U8, CLRS_ROUND_EVEN, CLRS_OVERFLOW_SATURATE, error);
}

/* ---- the operation ---- */

/* Gives every step with a tensor or a list its view. */
static clrs_status bind_views(const picture *shown, clrs_mapped *made, clrs_error *error) {
  uint32_t plane = 0;
  for (uint32_t i = 0; i < made->map.step_count; i++) {
    const clrs_step *step = &made->map.steps[i];
    clrs_view view;
    if (step->kind == CLRS_STEP_TERM) {
      CLRS_TRY(view_plane(shown, ++plane, &view, error));
    } else if (step->parameter.count > 1) {
      clrs__view_make_dense(CLRS_F64, &(clrs_shape){1, {COLORS}}, &view);
      CLRS_TRY(clrs_view_expand(&view, &shown->result, error));
    } else {
      continue;
    }
    CLRS_TRY(clrs__map_views_keep(&made->views, &view, &made->views.of_step[i], error));
  }
  return CLRS_OK;
}

static clrs_status find_shapes(bool is_grey, picture *shown, clrs_error *error) {
  CLRS_TRY(find_pixels(shown->of, &shown->frame->shape, &shown->pixels, error));
  shown->result = shown->pixels;
  if (is_grey) {
    return CLRS_OK;
  }
  if (shown->pixels.rank > MOST_DIMS) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "pixels of more than %d dims", MOST_DIMS);
  }
  shown->result.dims[shown->result.rank++] = COLORS;
  return CLRS_OK;
}

/* Makes pixels of the planes. */
static clrs_status mix(const int64_t *words, const clrs_view *frame, clrs_mapped *made,
                       clrs_error *error) {
  picture shown = {
      .of = clrs__camera_format_at(words[0]), .by = &texts_of[words[0]], .frame = frame};
  clrs_view first;
  CLRS_TRY(find_shapes(words[1] == CLRS__GREY, &shown, error));
  CLRS_TRY(view_plane(&shown, 0, &first, error));
  CLRS_TRY(clrs_mapped_init(&first, made, error));
  CLRS_TRY(make_map(find_arithmetic(words), words[1], &made->map, error));
  CLRS_TRY(bind_views(&shown, made, error));
  made->dtype = made->map.to;
  clrs__framed_note(words, frame, shown.pixels.rank - 2, &made->views.resample);
  return clrs_mapped_check(made, error);
}

bool clrs__color_is_last(const clrs_mapped *mapped) {
  const clrs_frame *frame = &mapped->views.resample.frame;
  const int64_t words[] = {(int64_t)frame->format - 1, frame->result, frame->by};
  const arithmetic *by = find_arithmetic(words);
  clrs_map map;
  return mapped->views.resample.by == CLRS_RESAMPLE_NONE && mapped->dtype == CLRS_U8 &&
         by != NULL && make_map(by, words[1], &map, NULL) == CLRS_OK &&
         clrs__map_equal(&map, &mapped->map);
}

clrs_status clrs__color_mix(const clrs__op *op, clrs_mapped *mapped, clrs_error *error) {
  clrs_view frame;
  clrs_mapped made;
  if (!clrs_map_keeps_bits(&mapped->map)) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the elements are computed, to %s, and a colour is computed from several "
                      "elements of a frame; colours stand before other maps",
                      clrs__dtype_text(mapped->dtype));
  }
  clrs__view_copy(&frame, &mapped->views.source);
  frame.dtype = mapped->dtype;
  if (frame.dtype != CLRS_U8) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "a frame of %s; colours are of u8",
                      clrs__dtype_text(frame.dtype));
  }
  CLRS_TRY(mix(op->values, &frame, &made, error));
  *mapped = made;
  return CLRS_OK;
}

/* ---- parsing ---- */

static clrs_status parse_word(const char *what, const char *const *words, int count,
                              clrs__span *rest, int64_t *value, clrs_error *error) {
  return clrs__span_parse_word(clrs__span_next(rest, ','), what, words, count, value, error);
}

clrs_status clrs__color_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const char *names[CLRS__CAMERA_FORMATS];
  int64_t words[3];
  for (int i = 0; i < CLRS__CAMERA_FORMATS; i++) {
    names[i] = clrs__camera_format_at(i)->name;
  }
  CLRS_TRY(parse_word("format of frames", names, CLRS__CAMERA_FORMATS, &text, &words[0], error));
  CLRS_TRY(parse_word("format of pixels", results, CLRS__COLOR_RESULTS, &text, &words[1], error));
  CLRS_TRY(parse_word("reference", references, CLRS__COLOR_REFERENCES, &text, &words[2], error));
  if (find_arithmetic(words) == NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s to %s by %s is not offered; offered are frames to rgb or bgr by opencv "
                      "or openvino, and rgb or bgr to grey by opencv or pillow",
                      names[words[0]], results[words[1]], references[words[2]]);
  }
  return clrs__numbers_append(numbers, 3, words, error);
}
