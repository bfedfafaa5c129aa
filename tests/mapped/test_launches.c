/*
 * Launches of mapped moves, without a device: the program of each launch, and the division of the
 * rows. tests/opencl shows that launches give the right bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/tensors.h"

#include "mapped/encode.h"
#include "mapped/share.h"
#include "shared.h"

static clrs_error the_error;
static clrs_map map;
static clrs_map_views views;
static clrs_view seen, to;
static clrs_mapped mapped;
static clrs__mapped_pass pass;
static clrs_device_limits limits;
static const clrs__arithmetic whole_device = {.has_doubles = true,
                                              .has_denormals = true,
                                              .divides = true},
                              flushing = {.has_doubles = true, .divides = true};

/* A view after a chain, into a dense destination, on a CPU that can do all. */
static clrs__mapped_move move_of(const clrs_view *source, const char *text) {
  limits = (clrs_device_limits)CLRS_DEVICE_LIMITS_INIT;
  limits.execution = CLRS_EXECUTION_CPU;
  limits.max_group_items = CLRS_GROUP_ITEMS;
  limits.local_bytes = 32768;
  mapped = mapped_after(source, text);
  CHECK_OK(clrs_view_dense(mapped.dtype, &mapped.views.source.shape, &seen, &the_error), the_error);
  to = seen;
  return (clrs__mapped_move){.map = &mapped.map,
                             .views = &mapped.views,
                             .seen = &seen,
                             .source = {&mapped.views.source, 0, 128},
                             .destination = {&to, 0, 128},
                             .limits = &limits};
}

/* The same with a tensor of the source's last dim added. */
static clrs__mapped_move move_by_tensor(const clrs_view *source, const char *cast,
                                        const clrs_operand *tensor) {
  const clrs_map_tensors tensors = {.steps = {tensor->view}};
  clrs__mapped_move move = move_of(source, cast);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, source->dtype, source->dtype, &map, &the_error), the_error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_ADD, CLRS_F32, &(clrs_numbers){0, NULL, {0}}, &the_error),
           the_error);
  map.steps[map.step_count++] = mapped.map.steps[0];
  map.to = mapped.map.to;
  CHECK_OK(clrs_map_bind(&map, source, &tensors, &views, &the_error), the_error);
  move.map = &map;
  move.views = &views;
  move.parameters[0] = *tensor;
  return move;
}

/* ---- which program ---- */

TEST(a_device_without_denormals_computes_with_integers) {
  static clrs__mapped_launch launch;
  const clrs_view source = view_strided(CLRS_F32, 1, LIST(5), NULL, 0);
  const clrs__mapped_move move = move_of(&source, "scale=2");
  CHECK_OK(clrs__mapped_plan(&move, &pass, &the_error), the_error);
  launch.at = 0;
  launch.in_buffer = false;
  CHECK_OK(clrs__mapped_encode(&pass, &whole_device, &launch, &the_error), the_error);
  CHECK_OK(clrs__mapped_encode(&pass, &flushing, &launch, &the_error), the_error);
  assert_int_equal(launch.key.division, CLRS_DIVIDES_SOFTLY);
  assert_int_equal(launch.key.way, CLRS_WAY_EXACT);
}

/* A single operand that begins within an element is enough. Operands of bytes never do. */
TEST(a_parameter_may_be_what_is_unaligned) {
  static const struct {
    clrs_dtype dtype;
    uint64_t byte_offset;
    bool is_unaligned;
  } rows[] = {{CLRS_F32, 8, false}, {CLRS_F32, 6, true}, {CLRS_F16, 6, false}, {CLRS_U8, 5, false}};
  const clrs_view source = view_strided(CLRS_F32, 1, LIST(5), NULL, 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view numbers = view_strided(rows[i].dtype, 1, LIST(5), NULL, 0);
    const clrs_operand tensor = {&numbers, rows[i].byte_offset, 128};
    const clrs__mapped_move move = move_by_tensor(&source, "cast=u8", &tensor);
    CHECK_OK(clrs__mapped_plan(&move, &pass, &the_error), the_error);
    assert_int_equal(pass.key.is_unaligned, rows[i].is_unaligned);
  }
}

/* Bits of the position in the opposite order: a loop for each bit, and a loop for rows. There is
 * room for 10, or for 6 if positions have 64 bits. */
TEST(more_loops_than_arguments_hold_lie_in_a_buffer) {
  static const struct {
    uint32_t bits, least;
    bool is_tabled;
  } rows[] = {{5, 32, false}, {9, 32, false}, {10, 32, true}, {5, 64, false}, {6, 64, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static clrs__mapped_launch launch;
    int64_t dims[CLRS_MAX_RANK], strides[CLRS_MAX_RANK];
    for (uint32_t k = 0; k < rows[i].bits; k++) {
      dims[k] = 2;
      strides[k] = INT64_C(1) << k;
    }
    const clrs_view source = view_strided(CLRS_U8, rows[i].bits, dims, strides, 0);
    const clrs__mapped_move move = move_of(&source, "cast=f32");
    limits.min_index_bits = rows[i].least;
    CHECK_OK(clrs__mapped_plan(&move, &pass, &the_error), the_error);
    launch.at = 0;
    launch.in_buffer = false;
    CHECK_OK(clrs__mapped_encode(&pass, &whole_device, &launch, &the_error), the_error);
    assert_int_equal(launch.index_bits, rows[i].least);
    assert_int_equal(launch.key.is_tabled, rows[i].is_tabled);
  }
}

/* ---- pieces ---- */

/* The destination is two rectangles, and the source, of which rows are seen turned round, as many
 * walks as a view has. */
TEST(a_full_stack_has_no_pieces) {
  const clrs_view dense = view_strided(CLRS_F32, 2, LIST(7, 5), NULL, 0);
  clrs_view source = view_strided(CLRS_F32, 2, LIST(5, 7), LIST(10, 1), 0);
  clrs_view blocks = view_strided(CLRS_F32, 3, LIST(2, 7, 4), NULL, 0);
  CHECK_OK(clrs_view_apply(&source,
                           "reshape=7,5 flip=1 reshape=5,7 flip=1;reshape=7,5 flip=1 "
                           "reshape=5,7 flip=1;reshape=7,5 flip=1 reshape=5,7 flip=1",
                           &the_error),
           the_error);
  CHECK_OK(clrs_view_apply(&blocks, "permute=1,0,2 reshape=7,8 slice=:,:5", &the_error), the_error);
  clrs__mapped_move move = move_of(&dense, "scale=2");
  to = blocks;
  CHECK_OK(clrs__mapped_plan(&move, &pass, &the_error), the_error);
  assert_int_equal(pass.pieces.count, 2);
  move = move_of(&source, "scale=2");
  CHECK_OK(clrs_view_apply(&seen, "reshape=7,5 flip=1", &the_error), the_error);
  to = blocks;
  assert_int_equal(source.depth, CLRS_MAX_DEPTH - 1);
  CHECK_FAILS(clrs__mapped_plan(&move, &pass, &the_error), CLRS_UNSUPPORTED, the_error);
  CHECK_SAYS(the_error, "takes more than 8 launches");
}

/* ---- rows ---- */

static clrs__mapped_share share(const clrs__mapped_move *move, clrs__mapped_geometry expected) {
  CHECK_OK(clrs__mapped_plan(move, &pass, &the_error), the_error);
  assert_int_equal(pass.pieces.count, 1);
  clrs__mapped_share made = {.pass = &pass, .nest = pass.pieces.nests[0]};
  assert_int_equal(clrs__share_rows(&made), expected);
  return made;
}

static clrs__mapped_share share_after(const clrs_view *source, const char *text,
                                      clrs__mapped_geometry expected) {
  const clrs__mapped_move move = move_of(source, text);
  return share(&move, expected);
}

/* Rows with separate numbers, smaller than a stage: a stream reads whole rows and whole lines of 64
 * bytes. With rows of 256 this is a row. A row of 257 is more than a stream reads. */
TEST(streams_take_whole_rows_and_lines) {
  static const struct {
    int64_t columns;
    bool has_streams;
  } rows[] = {{256, true}, {257, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int64_t columns = rows[i].columns, count = 3000 * columns;
    const clrs_view source = view_strided(CLRS_F32, 2, LIST(3000, columns), NULL, 0);
    const clrs_view numbers = view_strided(CLRS_F32, 1, &columns, NULL, 0);
    const clrs_operand tensor = {&numbers, 0, 128};
    const clrs__mapped_move move = move_by_tensor(&source, "cast=u8", &tensor);
    const clrs__mapped_share made = share(&move, CLRS__MAPPED_ROWS);
    assert_int_equal(made.reach, rows[i].has_streams ? count : 0);
    assert_true(made.run % columns == 0 && made.run > 0);
    assert_int_equal(made.run == count, !rows[i].has_streams);
  }
}

/* The colours of pixels become planes row by row, in order and the other way round: squares would
 * be empty for the most part. */
TEST(planes_of_pixels_are_no_tile) {
  const clrs_view pixels = view_strided(CLRS_U8, 2, LIST(2000, 3), NULL, 0);
  share_after(&pixels, "permute=1,0 cast=f32", CLRS__MAPPED_ROWS);
  share_after(&pixels, "flip=1 permute=1,0 cast=f32", CLRS__MAPPED_ROWS);
  share_after(&pixels, "slice=:,::2 permute=1,0 cast=f32", CLRS__MAPPED_ROWS);
}

/* Columns with neighbours that are also neighbours in the source are no tile. Neither are rows of
 * the same repeated number. */
TEST(only_columns_that_are_apart_are_turned) {
  const clrs_view matrix = view_strided(CLRS_U8, 2, LIST(64, 100), NULL, 0);
  const clrs_view line = view_strided(CLRS_U8, 1, LIST(300), NULL, 0);
  assert_int_equal(share_after(&matrix, "permute=1,0 cast=f32", CLRS__MAPPED_TILE).run_axes, 1);
  assert_int_equal(share_after(&line, "window=0,64,1 cast=f32", CLRS__MAPPED_ROWS).run_axes, 2);
  assert_int_equal(
      share_after(&line, "repeat=0,64 reshape=300,64 cast=f32", CLRS__MAPPED_ROWS).run_axes, 2);
}

/* Pixels with room for another colour are runs of a single colour, with elements apart. Rows that
 * fill a vector stay runs. Elements at the same distance are a single run. */
TEST(short_runs_give_way_to_longer_ones) {
  static const struct {
    int64_t dims[2], strides[2], run;
    clrs__mapped_geometry geometry;
  } rows[] = {{{2000, 3}, {4, 1}, 2000, CLRS__MAPPED_ROWS},
              {{2000, 15}, {16, 1}, 2000, CLRS__MAPPED_ROWS},
              {{2000, 16}, {17, 1}, 16, CLRS__MAPPED_TILE},
              {{15, 3}, {4, 1}, 3, CLRS__MAPPED_TILE},
              {{40, 3}, {6, 2}, 120, CLRS__MAPPED_ROWS}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const int64_t turned[2] = {1, rows[i].dims[0]};
    const clrs_view planes = view_strided(CLRS_U8, 2, rows[i].dims, turned, 0);
    clrs__mapped_move move = move_of(&planes, "cast=f32");
    to = view_strided(CLRS_F32, 2, rows[i].dims, rows[i].strides, 0);
    assert_int_equal(share(&move, rows[i].geometry).run, rows[i].run);
  }
}

/* ---- work-groups ---- */

static clrs__map_key key_on_gpu(const clrs__mapped_move *move) {
  static clrs__mapped_launch launch; /* the first one */
  limits.execution = CLRS_EXECUTION_GPU;
  CHECK_OK(clrs__mapped_plan(move, &pass, &the_error), the_error);
  CHECK_OK(clrs__mapped_encode(&pass, &whole_device, &launch, &the_error), the_error);
  return launch.key;
}

/* Rows of codes of 4 bits are whole accesses of 8 codes, or begin anywhere, or are too short. Into
 * bytes that rows share only an element at a time goes. */
/* The three colours of an NV12 pixel share an element of luma: a run is one colour of all 8 * 64
 * pixels. */
TEST(colours_of_a_pixel_are_taken_apart) {
  const clrs_view frame = view_strided(CLRS_U8, 2, LIST(12, 64), NULL, 0);
  const clrs__mapped_move move = move_of(&frame, "color=nv12,rgb,opencv");
  const clrs__mapped_share made = share(&move, CLRS__MAPPED_ROWS);
  assert_int_equal(made.run, 8 * 64);
  assert_int_equal(made.nest.axes[made.nest.axis_count - 1].strides[CLRS_TO], 3);
}

TEST(rows_of_a_gpu_are_whole_or_ragged) {
  static const struct {
    const char *chain;
    clrs_dtype from;
    int64_t columns;
    int geometry;
    bool ragged;
  } rows[] = {{"cast=f32 cast=f16", CLRS_U4, 256, CLRS__MAPPED_GPU_ROWS, false},
              {"slice=:,1: cast=f16", CLRS_F32, 257, CLRS__MAPPED_GPU_ROWS, true},
              {"slice=:,1: cast=f16", CLRS_F32, 12, CLRS__MAPPED_ANY, false},
              {"slice=:,8:136 quantize=u4,1,0", CLRS_F32, 144, CLRS__MAPPED_GPU_ROWS, false},
              {"slice=:,:133 quantize=u4,1,0", CLRS_F32, 144, CLRS__MAPPED_ANY, false},
              {"permute=1,0 cast=f16", CLRS_U4, 145, CLRS__MAPPED_ANY, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view source = view_strided(rows[i].from, 2, LIST(300, rows[i].columns), NULL, 0);
    const clrs__mapped_move move = move_of(&source, rows[i].chain);
    const clrs__map_key key = key_on_gpu(&move);
    assert_int_equal(key.geometry, rows[i].geometry);
    assert_int_equal(key.ragged, rows[i].ragged);
    assert_int_equal(clrs__map_key_is_grouped(&key), key.geometry != CLRS__MAPPED_ANY);
  }
}

/* Colours with separate numbers are neighbours with different numbers. Blocks of 32 share a number,
 * but an unaligned access also covers elements of the next block. */
TEST(neighbours_share_a_number_or_not) {
  static const struct {
    const char *chain;
    int64_t columns;
    bool spread;
  } rows[] = {{"cast=f32 mean=1,2,3", 3, true},
              {"dequantize=f16,0.1:0.2:0.3:0.4,,1,32", 128, false},
              {"dequantize=f16,0.1:0.2:0.3:0.4,,1,32 slice=:,:127", 128, true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const clrs_view source = view_strided(CLRS_U8, 2, LIST(3000, rows[i].columns), NULL, 0);
    const clrs__mapped_move move = move_of(&source, rows[i].chain);
    const clrs__map_key key = key_on_gpu(&move);
    assert_int_equal(key.geometry, CLRS__MAPPED_GPU_ROWS);
    assert_int_equal(key.spread, rows[i].spread);
  }
}

/* 300 columns of f16 are no vectors of 16 bytes, nor are 301 rows of f32. */
TEST(turned_matrices_are_tiles) {
  static const struct {
    int64_t rows, columns;
    int geometry;
    bool ragged, wide_source;
  } cases[] = {{304, 144, CLRS__MAPPED_GPU_TILE, false, true},
               {300, 144, CLRS__MAPPED_GPU_TILE, true, true},
               {304, 301, CLRS__MAPPED_GPU_TILE, false, false},
               {304, 7, CLRS__MAPPED_ANY, false, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t dims[] = {cases[i].rows, cases[i].columns};
    const clrs_view source = view_strided(CLRS_F32, 2, dims, NULL, 0);
    const clrs__mapped_move move = move_of(&source, "permute=1,0 cast=f16");
    const clrs__map_key key = key_on_gpu(&move);
    assert_int_equal(key.geometry, cases[i].geometry);
    assert_int_equal(key.ragged, cases[i].ragged);
    assert_int_equal(key.wide_source, cases[i].wide_source);
    limits.local_bytes = 4096;
    assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_ANY);
  }
}

/* Rows of 16 codes that begin at a byte. All rows of a work-item share numbers, unless elements are
 * moved one at a time. */
TEST(packed_matrices_are_tiles) {
  static const struct {
    const char *chain;
    clrs_dtype from;
    int64_t rows, columns;
    int geometry, spread;
  } cases[] = {
      {"permute=1,0 cast=f16", CLRS_U4, 144, 304, CLRS__MAPPED_GPU_TILE, 0},
      {"permute=1,0 cast=f32", CLRS_U2, 300, 304, CLRS__MAPPED_GPU_TILE, 0},
      {"permute=1,0 cast=f16", CLRS_U4, 144, 312, CLRS__MAPPED_ANY, 0},
      {"slice=:,8: permute=1,0 cast=f16", CLRS_U4, 144, 312, CLRS__MAPPED_ANY, 0},
      {"dequantize=f16,1:2:3:4,,0,36 permute=1,0", CLRS_U4, 144, 304, CLRS__MAPPED_GPU_TILE, 2},
      {"dequantize=f16,1:2:3,,0,100 permute=1,0", CLRS_U4, 300, 304, CLRS__MAPPED_GPU_TILE, 1},
      {"dequantize=f16,1:2:3:4,,1,80 permute=1,0", CLRS_U4, 144, 304, CLRS__MAPPED_GPU_TILE, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t dims[] = {cases[i].rows, cases[i].columns};
    const clrs_view source = view_strided(cases[i].from, 2, dims, NULL, 0);
    const clrs__mapped_move move = move_of(&source, cases[i].chain);
    const clrs__map_key key = key_on_gpu(&move);
    assert_int_equal(key.geometry, cases[i].geometry);
    assert_int_equal(key.spread, cases[i].spread);
  }
}

/* Whole accesses of planes, of pixels where the colours fill the room, and of pixels that begin at
 * words. */
TEST(pixels_become_planes) {
  static const struct {
    const char *chain;
    int64_t columns, colours;
    int geometry;
  } cases[] = {{"permute=1,0 cast=f32", 2000, 3, CLRS__MAPPED_GPU_PIXELS},
               {"permute=1,0 cast=f16", 2000, 4, CLRS__MAPPED_GPU_PIXELS},
               {"permute=1,0 cast=f64", 2000, 3, CLRS__MAPPED_ANY},
               {"permute=1,0 cast=f32", 2001, 3, CLRS__MAPPED_ANY},
               {"slice=1:1997 permute=1,0 cast=f32", 2000, 3, CLRS__MAPPED_ANY},
               {"slice=:,:3 permute=1,0 cast=f32", 2000, 4, CLRS__MAPPED_ANY},
               {"permute=1,0 cast=f32", 400, 3, CLRS__MAPPED_ANY}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t dims[] = {cases[i].columns, cases[i].colours};
    const clrs_view source = view_strided(CLRS_U8, 2, dims, NULL, 0);
    const clrs__mapped_move move = move_of(&source, cases[i].chain);
    const clrs__map_key key = key_on_gpu(&move);
    assert_int_equal(key.geometry, cases[i].geometry);
    assert_int_equal(key.pixels, key.geometry == CLRS__MAPPED_ANY ? 0 : cases[i].colours);
  }
}

/* Groups of 64 work-items or more, single elements at aligned addresses, and no more groups than
 * allowed. */
TEST(other_gpus_take_an_element_at_a_time) {
  const clrs_view source = view_strided(CLRS_F32, 1, LIST(100000), NULL, 0);
  clrs__mapped_move move = move_of(&source, "cast=f16");
  assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_GPU_ROWS);
  move.source.byte_offset = 2;
  assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_ANY);
  move.source.byte_offset = 0;
  limits.max_group_items = 63;
  assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_ANY);
  limits.max_group_items = 256;
  limits.max_work_items = 24 * 256;
  assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_ANY);
  limits.max_work_items = 25 * 256;
  assert_int_equal(key_on_gpu(&move).geometry, CLRS__MAPPED_GPU_ROWS);
}

TESTS(NULL, NULL)
