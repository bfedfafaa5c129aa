/* SPDX-License-Identifier: Apache-2.0 */
#include "preprocess_cases.h"

#include "fail.h"

#define NORMALIZE "cast=f32 mean=123.675,116.28,103.53 std=58.395,57.12,57.375 "
#define FRAMES                                                                                     \
  4, {                                                                                             \
    8, 1080, 1920, 3                                                                               \
  }
#define PLANES                                                                                     \
  4, {                                                                                             \
    8, 3, 1080, 1920                                                                               \
  }
#define PLANE                                                                                      \
  3, {                                                                                             \
    8, 1080, 1920                                                                                  \
  }
#define Q4_0                                                                                       \
  3, {                                                                                             \
    12288 * 128, 2, 16                                                                             \
  }
#define CHANNELS                                                                                   \
  4, {                                                                                             \
    8, 64, 128, 256                                                                                \
  }
#define WIDE                                                                                       \
  2, {                                                                                             \
    6144, 4096                                                                                     \
  }
#define MATRIX                                                                                     \
  2, {                                                                                             \
    12288, 4096                                                                                    \
  }

static const preprocess_case cases[] = {
    {"frames_f32", "8 frames of 1080p, u8, normalised, as planes of f32", CLRS_U8, FRAMES,
     .chain = NORMALIZE "permute=0,3,1,2"},
    {"frames_f16", "the same, as planes of f16", CLRS_U8, FRAMES,
     .chain = NORMALIZE "permute=0,3,1,2 cast=f16"},
    {"frames_swapped", "the same in f32, channels swapped, the middle 1024 x 1024", CLRS_U8, FRAMES,
     .chain = "slice=:,28:1052,448:1472 flip=3 " NORMALIZE "permute=0,3,1,2"},
    {"frames_in_place", "the same in f32, not as planes", CLRS_U8, FRAMES, .chain = NORMALIZE},
    {"frames_cropped", "in f32, not as planes, the middle 1024 x 1024", CLRS_U8, FRAMES,
     .chain = "slice=:,28:1052,448:1472 " NORMALIZE},
    {"planes_to_frames", "8 x 3 planes of f32 to frames of u8, clamped", CLRS_F32, PLANES,
     .chain = "clamp=0,255 cast=u8,even permute=0,2,3,1"},
    {"channels_last", "8 x 64 planes of f32 to pixels of f16", CLRS_F32, CHANNELS,
     .chain = "permute=0,2,3,1 cast=f16"},
    {"f32_to_f16", "cast", CLRS_F32, MATRIX, .chain = "cast=f16"},
    {"f16_to_f32", "cast", CLRS_F16, MATRIX, .chain = "cast=f32"},
    {"f32_to_bf16", "cast", CLRS_F32, MATRIX, .chain = "cast=bf16"},
    {"f32_to_f8e4m3fn", "cast", CLRS_F32, MATRIX, .chain = "cast=f8e4m3fn"},
    {"f64_to_f32", "cast", CLRS_F64, WIDE, .chain = "cast=f32"},
    {"i64_to_f32", "cast", CLRS_I64, WIDE, .chain = "cast=f32"},
    {"i32_to_bf16", "cast", CLRS_I32, MATRIX, .chain = "cast=bf16"},
    {"i16_to_f64", "cast", CLRS_I16, WIDE, .chain = "cast=f64"},
    {"mean_std_f64", "f64, normalised", CLRS_F64, WIDE, .chain = "mean=0.5 std=3"},
    {"clamp_f32", "f32, clamped to -1 .. 1", CLRS_F32, MATRIX, .chain = "clamp=-1,1"},
    {"mean_scale_f32", "f32 less a mean, by a scale", CLRS_F32, MATRIX,
     .chain = "mean=0.5 scale=2"},
    {"quantize_u8", "f32, one scale", CLRS_F32, MATRIX, .chain = "quantize=u8,0.02,128"},
    {"dequantize_u8", "to f32, one scale", CLRS_U8, MATRIX, .chain = "dequantize=f32,0.02,128"},
    {"transposed_f16", "f32, transposed", CLRS_F32, MATRIX, .chain = "permute=1,0 cast=f16"},
    {"transposed_u8", "f32, transposed, quantized", CLRS_F32, MATRIX,
     .chain = "permute=1,0 quantize=u8,0.02,128"},
    {"dequantize_u4", "to f16, a scale for each block of 32", CLRS_U4, MATRIX,
     .scales = SCALES_OF_BLOCKS, .to = CLRS_F16},
    {"q4_0_f16", "GGUF's blocks of a scale and 16 bytes, to f16", CLRS_U4, Q4_0,
     .scales = SCALES_OF_Q4_0, .to = CLRS_F16},
    {"q4_0_f32", "the same to f32", CLRS_U4, Q4_0, .scales = SCALES_OF_Q4_0, .to = CLRS_F32},
    {"into_plane", "planes of f32 to one of 3 channels of u8", CLRS_F32, PLANE,
     .chain = "clamp=0,255 cast=u8,even", .apart = 3},
    {"into_plane_scaled", "the same, quantized with a scale for each column", CLRS_F32, PLANE,
     .scales = SCALES_OF_COLUMNS, .to = CLRS_U8, .apart = 3},
    {"into_plane_f32", "planes of u8 to one of 3 channels of f32", CLRS_U8, PLANE,
     .chain = "cast=f32", .apart = 3},
    {"out_of_plane", "one of 3 channels of u8 to planes of f16", CLRS_U8, FRAMES,
     .chain = "slice=:,:,:,1:2 cast=f16"},
    {"into_room", "8 x 3 planes of f32 to frames of u8 with room for alpha", CLRS_F32, PLANES,
     .chain = "clamp=0,255 cast=u8,even permute=0,2,3,1", .room = 1},
};

size_t preprocess_case_count(void) {
  return sizeof cases / sizeof *cases;
}

const preprocess_case *preprocess_case_at(size_t at) {
  return &cases[at];
}

/* ---- where elements lie ---- */

enum {
  BLOCK = 32,
  Q4_0_CODES = 2 * PREPROCESS_Q4_0_BYTES,
  Q4_0_HALVES = PREPROCESS_Q4_0_BYTES / 2
};

/* A block of Q4_0 is 36 codes of 4 bits. The first four are the scale. Then come element 0, element
 * 16, element 1, element 17 and so on. */
clrs_status preprocess_source_layout(const preprocess_case *given, clrs_layout *layout,
                                     clrs_error *error) {
  clrs_shape shape;
  if (given->scales == SCALES_OF_Q4_0) {
    *layout = (clrs_layout){CLRS_U4, 3, {given->dims[0], 2, 16}, {Q4_0_CODES, 1, 2}, 4};
    return CLRS_OK;
  }
  CLRS_TRY(clrs_shape_init(given->rank, given->dims, &shape, error));
  return clrs_layout_init(given->from, &shape, NULL, 0, layout, error);
}

clrs_layout preprocess_scale_layout(const preprocess_case *given) {
  const int64_t columns = given->dims[given->rank - 1];
  if (given->scales == SCALES_OF_Q4_0) {
    return (clrs_layout){CLRS_F16, 1, {given->dims[0]}, {Q4_0_HALVES}, 0};
  }
  if (given->scales == SCALES_OF_BLOCKS) {
    return (clrs_layout){CLRS_F32, 2, {given->dims[0], columns / BLOCK}, {columns / BLOCK, 1}, 0};
  }
  return (clrs_layout){CLRS_F32, 1, {columns}, {1}, 0};
}

clrs_layout preprocess_result_layout(const preprocess_case *given, clrs_dtype dtype,
                                     const clrs_shape *shape) {
  clrs_layout layout = {.dtype = dtype, .rank = shape->rank};
  int64_t step = given->apart > 0 ? given->apart : 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    layout.dims[i] = shape->dims[i];
    layout.strides[i] = step;
    step *= shape->dims[i] + (i + 1 == shape->rank ? given->room : 0);
  }
  return layout;
}

/* ---- maps ---- */

static clrs_status map_with_scales(const preprocess_case *given, clrs_map *map, clrs_error *error) {
  const double eight = 8;
  const clrs_numbers zero = {1, &eight, {0}};
  clrs_numbers scale = {0, NULL, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
  if (given->scales == SCALES_OF_COLUMNS) {
    return clrs_map_quantize(given->from, given->to, &scale, NULL, map, error);
  }
  if (given->scales == SCALES_OF_BLOCKS) {
    scale.spread = (clrs_spread){CLRS_SPREAD_BLOCKS, 1, BLOCK};
    return clrs_map_dequantize(given->from, given->to, &scale, NULL, map, error);
  }
  scale.spread.axis = 0;
  return clrs_map_dequantize(given->from, given->to, &scale, &zero, map, error);
}

static clrs_status bind_scales(const preprocess_case *given, const clrs_view *source,
                               clrs_mapped *mapped, clrs_error *error) {
  const clrs_layout layout = preprocess_scale_layout(given);
  clrs_view scales;
  CLRS_TRY(map_with_scales(given, &mapped->map, error));
  CLRS_TRY(clrs_view_from_layout(&layout, &scales, error));
  mapped->dtype = given->to;
  return clrs_map_bind(&mapped->map, source, &(clrs_map_tensors){.steps = {&scales, &scales}},
                       &mapped->views, error);
}

clrs_status preprocess_bind(const preprocess_case *given, clrs_mapped *mapped, clrs_error *error) {
  clrs_layout layout;
  clrs_view view;
  clrs_chain chain;
  CLRS_TRY(preprocess_source_layout(given, &layout, error));
  CLRS_TRY(clrs_view_from_layout(&layout, &view, error));
  if (given->scales != SCALES_OF_CHAIN) {
    return bind_scales(given, &view, mapped, error);
  }
  CLRS_TRY(clrs_chain_parse(given->chain, &chain, error));
  CLRS_TRY(clrs_mapped_init(&view, mapped, error));
  return clrs_chain_map(&chain, NULL, mapped, error);
}
