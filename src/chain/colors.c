/*
 * The colours of a pixel are sums of products: a colour of the result is a sum over the planes of
 * the frame, each times a coefficient. The map starts with one plane as the source, and adds every
 * other plane as a term (CLRS_STEP_TERM). A plane is a view of the frame with the shape of the
 * result. The coefficients are a list along the last axis, the colours of the result.
 *
 * Example: NV12 of [6,4], which are 4 rows of Y and 2 rows of U and V in turn, becomes [4,4,3]. The
 * view of U has element [1,3] at row 4, column 2 of the frame, for each of the three colours.
 *
 * References, restated and compared with the packages for all 16,777,216 colours:
 * - opencv: cvtColor of OpenCV's host code. BT.601 with limited range, in 32-bit integers.
 * - openvino: NV12toRGB and I420toRGB of OpenVINO. Floats, each operation rounded.
 * - pillow: Image.convert("L").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "colors.h"

#include <inttypes.h>
#include <string.h>

#include "bind.h"
#include "dtype.h"
#include "shape.h"
#include "view.h"

enum { PLANES = 3, COLORS = 3 };

/* ---- formats ---- */

/* The end of a frame's shape, and a chain's text for each plane. Planes of chroma are spread over
 * the pixels that share an element. */
typedef enum frame_kind {
  PIXELS,     /* [..,H,W,C] */
  CHROMA_ROWS /* [..,H*3/2,W]: H rows of luma, and below H/2 rows of chroma */
} frame_kind;

typedef struct format {
  const char *name;
  frame_kind kind;
  int64_t channels;           /* C of PIXELS */
  bool is_planar;             /* the chroma is two planes, not pairs */
  const char *planes[PLANES]; /* Y, U and V; R, G and B */
  const char *spread;         /* of chroma */
} format;

#define PAIRS "rearrange=... h (w c) -> ... h w c, c=2; slice=...,"
#define PAIRED "rearrange=... (w c) p -> ... w c p, c=2; slice=...,"
#define SQUARES "repeat=... h w -> ... (h a) (w b), a=2, b=2"
#define TWICE "repeat=... w -> ... (w b), b=2"

static const format formats[] = {
    {"nv12", CHROMA_ROWS, 0, false, {"", PAIRS "0", PAIRS "1"}, SQUARES},
    {"nv21", CHROMA_ROWS, 0, false, {"", PAIRS "1", PAIRS "0"}, SQUARES},
    {"i420", CHROMA_ROWS, 0, true, {"", "slice=...,0,:,:", "slice=...,1,:,:"}, SQUARES},
    {"yv12", CHROMA_ROWS, 0, true, {"", "slice=...,1,:,:", "slice=...,0,:,:"}, SQUARES},
    {"yuyv", PIXELS, 2, false, {"slice=...,0", PAIRED "0,1", PAIRED "1,1"}, TWICE},
    {"uyvy", PIXELS, 2, false, {"slice=...,1", PAIRED "0,0", PAIRED "1,0"}, TWICE},
    {"rgb", PIXELS, 3, false, {"slice=...,0", "slice=...,1", "slice=...,2"}, ""},
    {"bgr", PIXELS, 3, false, {"slice=...,2", "slice=...,1", "slice=...,0"}, ""},
};
enum { FORMATS = sizeof formats / sizeof *formats, FIRST_OF_PIXELS = 6 };

static const char *const results[] = {"rgb", "bgr", "grey"};
enum { RGB, BGR, GREY, RESULTS };
static const char *const references[] = {"opencv", "openvino", "pillow"};
enum { OPENCV, OPENVINO, PILLOW, REFERENCES };

static uint32_t tail_of(const format *of) {
  return of->kind == PIXELS ? 3 : 2;
}

static clrs_status fail_frame(const format *of, const clrs_shape *frame, clrs_error *error) {
  const clrs__text dims = clrs__dims_text(frame->rank, frame->dims);
  if (frame->rank < tail_of(of)) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%s is no frame of %s, which has %u dims",
                      dims.text, of->name, tail_of(of));
  }
  if (of->kind == PIXELS) {
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
  return of->kind == PIXELS ? end[-1] == of->channels && (of->channels == 3 || end[-2] % 2 == 0)
                            : end[-2] % 3 == 0 && end[-1] % 2 == 0;
}

/* Returns the shape of the pixels, or fails in the words of the format. */
static clrs_status find_pixels(const format *of, const clrs_shape *frame, clrs_shape *pixels,
                               clrs_error *error) {
  *pixels = *frame;
  if (!is_frame(of, frame)) {
    return fail_frame(of, frame, error);
  }
  if (of->kind == PIXELS) {
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
  clrs_shape shape = *pixels;
  if (shape.rank == CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "a frame of %s with more than %d dims", of->name,
                      CLRS_MAX_RANK - 1);
  }
  shape.dims[shape.rank++] = pixels->dims[row_axis + 1] / 2;
  shape.dims[row_axis + 1] = rows / 2;
  shape.dims[row_axis] = 2;
  return clrs_view_reshape(view, &shape, error);
}

/* A frame, the shape of its pixels, and the shape of the result, which may have an axis of colours
 * behind. */
typedef struct picture {
  const format *of;
  const clrs_view *frame;
  clrs_shape pixels, result;
} picture;

/* Makes the view of a plane of the frame, with the shape of the result. Example: U of an NV12 frame
 * [6,4] to [4,4,3]: take_rows leaves the rows 4 and 5, [2,4]. The text of the plane takes every
 * second column, [2,2]. The spread repeats each element in a square of 2 by 2, [4,4], and the
 * expansion for each colour, [4,4,3]. */
static clrs_status view_plane(const picture *shown, uint32_t plane, clrs_view *view,
                              clrs_error *error) {
  const format *of = shown->of;
  const bool is_chroma = plane > 0;
  clrs__view_copy(view, shown->frame);
  if (of->kind == CHROMA_ROWS) {
    CLRS_TRY(take_rows(of, is_chroma, &shown->pixels, view, error));
  }
  CLRS_TRY(clrs_view_apply(view, of->planes[plane], error));
  if (is_chroma) {
    CLRS_TRY(clrs_view_apply(view, of->spread, error));
  }
  if (shown->result.rank > shown->pixels.rank) {
    CLRS_TRY(clrs_view_apply(view, "unsqueeze=-1", error));
  }
  return clrs_view_expand(view, &shown->result, error);
}

/* ---- arithmetic ---- */

/* A sum over the planes. Before a plane is multiplied, `offset` is subtracted. Plane 0 is also
 * brought to at least 0 if `clamps`. The end is a shift to the right, or a rounding of a float to
 * 0..255. */
typedef struct arithmetic {
  clrs_dtype dtype;
  bool clamps;
  double offsets[PLANES];
  double factors[PLANES][COLORS]; /* for R, G and B. Grey has a single number */
  double bias[COLORS];
  double shift;
} arithmetic;

#define HALF(bits) ((double)((int64_t)1 << ((bits)-1)))
/* The chroma is centred at 128. In integers modulo 2^32 the offset is a part of the bias. */
#define CENTRED(u, v) (HALF(20) - 128.0 * ((double)(u) + (double)(v)))
#define GREY_OF(r, g, b, bits)                                                                     \
  { CLRS_I32, false, {0}, {{r}, {g}, {b}}, {HALF(bits)}, bits }

static const arithmetic opencv = {
    CLRS_I32,
    true,
    {16, 0, 0},
    {{1220542, 1220542, 1220542}, {0, -409993, 2116026}, {1673527, -852492, 0}},
    {CENTRED(0, 1673527), CENTRED(-409993, -852492), CENTRED(2116026, 0)},
    20};
static const arithmetic openvino = {CLRS_F32,
                                    false,
                                    {16, 128, 128},
                                    {{1.164, 1.164, 1.164}, {0, -0.391, 2.018}, {1.596, -0.813, 0}},
                                    {0},
                                    0};
static const arithmetic grey_opencv = GREY_OF(9798, 19235, 3735, 15);
static const arithmetic grey_pillow = GREY_OF(19595, 38470, 7471, 16);

/* Returns NULL if there is no such reference. */
static const arithmetic *find_arithmetic(const int64_t *words) {
  const bool is_of_pixels = words[0] >= FIRST_OF_PIXELS, is_grey = words[1] == GREY;
  if (is_of_pixels) {
    return !is_grey || words[2] == OPENVINO ? NULL
           : words[2] == OPENCV             ? &grey_opencv
                                            : &grey_pillow;
  }
  return is_grey || words[2] == PILLOW ? NULL : words[2] == OPENCV ? &opencv : &openvino;
}

static clrs_status add_number(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype, double number,
                              clrs_error *error) {
  return clrs_map_step(map, kind, dtype, &(clrs_numbers){1, &number, {0}}, error);
}

/* Appends a list along the colours, or one number for grey or for three equal numbers. */
static clrs_status add_list(clrs_map *map, clrs_step_kind kind, clrs_dtype dtype,
                            const double rgb[COLORS], int64_t result, clrs_error *error) {
  const double bgr[COLORS] = {rgb[2], rgb[1], rgb[0]};
  const bool is_one = result == GREY || (rgb[0] == rgb[1] && rgb[1] == rgb[2]);
  const clrs_numbers numbers = {
      is_one ? 1 : COLORS, result == BGR ? bgr : rgb, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
  return clrs_map_step(map, kind, dtype, &numbers, error);
}

static clrs_status add_plane(const arithmetic *by, uint32_t plane, int64_t result, clrs_map *map,
                             clrs_error *error) {
  if (plane > 0) {
    CLRS_TRY(clrs_map_step(map, CLRS_STEP_TERM, by->dtype, &(clrs_numbers){0}, error));
    map->steps[map->step_count - 1].parameter.is_of_source = true;
  }
  if (by->offsets[plane] != 0) {
    CLRS_TRY(add_number(map, CLRS_STEP_SUBTRACT, by->dtype, by->offsets[plane], error));
  }
  if (plane == 0 && by->clamps) {
    CLRS_TRY(add_number(map, CLRS_STEP_AT_LEAST, by->dtype, 0, error));
  }
  CLRS_TRY(add_list(map, CLRS_STEP_MULTIPLY, by->dtype, by->factors[plane], result, error));
  return plane > 0 ? clrs_map_step(map, CLRS_STEP_ADD_TERM, by->dtype, NULL, error) : CLRS_OK;
}

static clrs_status make_map(const arithmetic *by, int64_t result, clrs_map *map,
                            clrs_error *error) {
  CLRS_TRY(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, map, error));
  for (uint32_t plane = 0; plane < PLANES; plane++) {
    CLRS_TRY(add_plane(by, plane, result, map, error));
  }
  if (by->dtype == CLRS_I32) {
    CLRS_TRY(add_list(map, CLRS_STEP_ADD, by->dtype, by->bias, result, error));
    CLRS_TRY(add_number(map, CLRS_STEP_SHIFT_RIGHT, by->dtype, by->shift, error));
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
      CLRS_TRY(clrs_view_dense(CLRS_F64, &(clrs_shape){1, {COLORS}}, &view, error));
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
  if (shown->result.rank == CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED, "pixels of more than %d dims", CLRS_MAX_RANK);
  }
  shown->result.dims[shown->result.rank++] = COLORS;
  return CLRS_OK;
}

/* Makes pixels of the planes. */
static clrs_status mix(const int64_t *words, const clrs_view *frame, clrs_mapped *made,
                       clrs_error *error) {
  picture shown = {.of = &formats[words[0]], .frame = frame};
  clrs_view first;
  CLRS_TRY(find_shapes(words[1] == GREY, &shown, error));
  CLRS_TRY(view_plane(&shown, 0, &first, error));
  CLRS_TRY(clrs_mapped_init(&first, made, error));
  CLRS_TRY(make_map(find_arithmetic(words), words[1], &made->map, error));
  CLRS_TRY(bind_views(&shown, made, error));
  made->dtype = made->map.to;
  return clrs_mapped_check(made, error);
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
  const clrs__span word = rest->text != NULL ? clrs__span_cut(rest, ',') : (clrs__span){"", 0};
  *value = clrs__span_find(word, words, count);
  if (*value >= 0) {
    return CLRS_OK;
  }
  clrs__describe(error, CLRS_INVALID_ARGUMENT, "'%s' is no %s; known are %s",
                 clrs__span_show(word).text, what, words[0]);
  for (int i = 1; i < count; i++) {
    clrs__append(error, ", %s", words[i]);
  }
  return CLRS_INVALID_ARGUMENT;
}

clrs_status clrs__color_parse(clrs__span text, clrs__numbers *numbers, clrs_error *error) {
  const char *names[FORMATS];
  int64_t words[3];
  for (int i = 0; i < FORMATS; i++) {
    names[i] = formats[i].name;
  }
  CLRS_TRY(parse_word("format of frames", names, FORMATS, &text, &words[0], error));
  CLRS_TRY(parse_word("format of pixels", results, RESULTS, &text, &words[1], error));
  CLRS_TRY(parse_word("reference", references, REFERENCES, &text, &words[2], error));
  if (find_arithmetic(words) == NULL) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s to %s by %s is not offered; offered are frames to rgb or bgr by opencv "
                      "or openvino, and rgb or bgr to grey by opencv or pillow",
                      names[words[0]], results[words[1]], references[words[2]]);
  }
  return clrs__numbers_append(numbers, 3, words, error);
}
