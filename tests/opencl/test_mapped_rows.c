/*
 * Maps of rows that have special kernels. Long runs are read in several streams. Codes of 4 bits
 * with a scale for each block go through tables. Columns are transposed, planes become pixels, and
 * elements have gaps on either side. The host gives the reference, and no byte around the result
 * may change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/rng.h"
#include "harness/tensors.h"
#include "map_fixture.h"

/* A dense source and a destination, each from an element of the buffer on. */
typedef struct row_case {
  const char *chain;
  clrs_dtype from, to;
  size_t rank;
  int64_t dims[3];
  int64_t source_start, start;
} row_case;

/* Neighbours in the destination are `apart` elements from each other, and the rows have `room` for
 * more elements. */
typedef struct row_gaps {
  int64_t apart, room;
} row_gaps;

/* The map applied to the elements. */
typedef struct row_way {
  const char *chain;
  clrs_dtype from, to;
} row_way;

enum { MARGIN = 64 };

typedef struct row_bytes {
  row_gaps gaps;
  size_t source_bytes, bytes;
  unsigned char *source, *mapped, *expected, *got;
} row_bytes;

static size_t bytes_of(clrs_dtype dtype, int64_t elements) {
  return ((size_t)elements * clrs_dtype_bits(dtype) + 7) / 8;
}

/* Any codes, floats from -8 to 8. */
static void fill_source(const row_case *c, row_bytes *of) {
  test_rng rng = rng_start(7);
  for (size_t i = 0; i < of->source_bytes; i++) {
    of->source[i] = (unsigned char)rng_next(&rng);
  }
  for (size_t i = 0; c->from == CLRS_F32 && i < of->source_bytes / 4; i++) {
    const float value = (float)(uint32_t)rng_next(&rng) * 0x1p-28f - 8;
    memcpy(of->source + 4 * i, &value, sizeof value);
  }
  for (size_t i = 0; c->from == CLRS_F16 && i < of->source_bytes / 2; i++) {
    of->source[2 * i + 1] &= 0xcb; /* less than 8 */
  }
}

static clrs_mapped see(const row_case *c) {
  const clrs_view view = view_strided(c->from, (uint32_t)c->rank, c->dims, NULL, c->source_start);
  return mapped_after(&view, c->chain);
}

/* The position of element k, in rows of so many elements. */
static int64_t place_of(const row_case *c, row_gaps gaps, int64_t columns, int64_t k) {
  return c->start + (k + k / columns * gaps.room) * gaps.apart;
}

/* The expected contents of the destination's whole buffer. */
static void find_expected(const row_case *c, const clrs_mapped *mapped, int64_t count,
                          row_bytes *of) {
  const clrs_map_data data = {.source = {of->source, of->source_bytes}};
  const clrs_shape *shape = &mapped->views.source.shape;
  const size_t size = clrs_dtype_bits(c->to) / 8;
  CHECK_OK(clrs_map_apply(&mapped->map, &mapped->views, &data, of->mapped, bytes_of(c->to, count),
                          &error),
           error);
  memset(of->expected, 0xa5, of->bytes);
  for (int64_t k = 0; k < count; k++) {
    memcpy(of->expected + (size_t)place_of(c, of->gaps, shape->dims[shape->rank - 1], k) * size,
           of->mapped + (size_t)k * size, size);
  }
}

static clrs_layout destination_layout(const row_case *c, row_gaps gaps, const clrs_shape *shape) {
  clrs_layout layout;
  CHECK_OK(clrs_layout_init(c->to, shape, NULL, c->start, &layout, &error), error);
  int64_t step = gaps.apart;
  for (uint32_t i = shape->rank; i-- > 0;) {
    layout.strides[i] = step;
    step *= shape->dims[i] + (i + 1 == shape->rank ? gaps.room : 0);
  }
  return layout;
}

static clrs_tensor *wrap(clrs_context *library, cl_mem buffer, const clrs_layout *layout) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap(library, &(clrs_storage){.buffer = buffer}, layout, &tensor, &error),
           error);
  return tensor;
}

static void run_on(map_fixture *f, int which, const row_case *c, const clrs_mapped *mapped,
                   const row_bytes *of) {
  clrs_shape shape;
  clrs_layout layout;
  clrs_context *library = f->libraries[which];
  cl_mem from = device_buffer(&f->device, CL_MEM_READ_WRITE, of->source_bytes);
  cl_mem to = device_buffer(&f->device, CL_MEM_READ_WRITE, of->bytes);
  memset(of->got, 0xa5, of->bytes);
  device_write(&f->device, from, of->source_bytes, of->source);
  device_write(&f->device, to, of->bytes, of->got);
  CHECK_OK(clrs_shape_init(c->rank, c->dims, &shape, &error), error);
  CHECK_OK(clrs_layout_init(c->from, &shape, NULL, c->source_start, &layout, &error), error);
  clrs_tensor *source = wrap(library, from, &layout);
  layout = destination_layout(c, of->gaps, &mapped->views.source.shape);
  clrs_tensor *destination = wrap(library, to, &layout);
  CHECK_OK(clrs_enqueue_chain(source, c->chain, CLRS_COPY_ALWAYS, destination, NULL,
                              ON(f->device.queue), NULL, &error),
           error);
  device_read(&f->device, to, of->bytes, of->got);
  for (size_t i = 0; i < of->bytes; i++) {
    CHECK_SEEDED(of->got[i] == of->expected[i], (uint64_t)which,
                 "%s of [%d,%d,%d], from %d to %d: byte %zu is %02x, expected %02x", c->chain,
                 (int)c->dims[0], (int)c->dims[1], (int)c->dims[2], (int)c->source_start,
                 (int)c->start, i, of->got[i], of->expected[i]);
  }
  clrs_tensor_release(destination);
  clrs_tensor_release(source);
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
}

static int64_t source_count(const row_case *c) {
  int64_t count = 1;
  for (size_t i = 0; i < c->rank; i++) {
    count *= c->dims[i];
  }
  return count;
}

static void run_apart(map_fixture *f, const row_case *c, row_gaps gaps) {
  const clrs_mapped mapped = see(c);
  row_bytes of = {.gaps = gaps};
  int64_t count;
  const clrs_shape *shape = &mapped.views.source.shape;
  CHECK_OK(clrs_shape_count(shape, &count, &error), error);
  of.source_bytes = bytes_of(c->from, c->source_start + source_count(c));
  of.bytes = bytes_of(c->to, place_of(c, gaps, shape->dims[shape->rank - 1], count)) + MARGIN;
  of.source = malloc(of.source_bytes);
  of.mapped = malloc(bytes_of(c->to, count));
  of.expected = malloc(of.bytes);
  of.got = malloc(of.bytes);
  assert_true(of.source && of.mapped && of.expected && of.got);
  fill_source(c, &of);
  find_expected(c, &mapped, count, &of);
  for (int which = 0; which < 2; which++) {
    if (map_runs(which, map_number(c->chain))) {
      run_on(f, which, c, &mapped, &of);
    }
  }
  free(of.source);
  free(of.mapped);
  free(of.expected);
  free(of.got);
}

static void run(map_fixture *f, const row_case *c) {
  run_apart(f, c, (row_gaps){1, 0});
}

#define RUN_ALL(f, cases)                                                                          \
  for (size_t i = 0; i < sizeof(cases) / sizeof *(cases); i++) {                                   \
    run(f, &(cases)[i]);                                                                           \
  }

/* Parts of a long run at the run's end, in complete and in missing rows. */
TEST(long_runs_end_where_they_end) {
  static const row_case cases[] = {
      {"quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 1, {(1 << 18) + 4099}, 0, 0},
      {"quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 1, {1 << 18}, 3, 5},
      {"cast=f32 mean=1,2,3", CLRS_U8, CLRS_F32, 2, {90001, 3}, 1, 0},
      {"cast=u8", CLRS_I16, CLRS_U8, 1, {1 << 18}, 0, 64},
      {"quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 1, {(1 << 19) - 1}, 0, 0},
  };
  RUN_ALL(*state, cases)
}

/* Rows that begin anywhere in a line of the destination, and end before, at or behind the end of
 * the line. */
TEST(short_rows_end_within_a_line) {
  static const row_way ways[] = {{"cast=u8", CLRS_I16, CLRS_U8},
                                 {"cast=f16", CLRS_F32, CLRS_F16},
                                 {"cast=i32", CLRS_U8, CLRS_I32},
                                 {"cast=i64", CLRS_U8, CLRS_I64}};
  static const int64_t starts[] = {0, 1, 6, 17, 30, 47, 63};
  static const int64_t counts[] = {15, 16, 17, 20, 31, 33, 54, 63, 64, 65};
  for (size_t i = 0; i < 4 * 7 * 10; i++) {
    const row_case c = {ways[i % 4].chain,    ways[i % 4].from, ways[i % 4].to, 1,
                        {counts[i / 4 % 10]}, (int64_t)i % 2,   starts[i / 40]};
    run(*state, &c);
  }
}

/* Windows with rows and columns that are neighbours in the source. And the bits of a position in
 * the opposite order, with loops in a buffer. */
TEST(rows_overlap_or_are_many_loops) {
  static const row_case cases[] = {
      {"window=0,64,1 cast=i32", CLRS_U8, CLRS_I32, 1, {300}, 0, 0},
      {"reshape=2,2,2,2,2,2,2,2,2,2,2,2 permute=11,10,9,8,7,6,5,4,3,2,1,0 cast=i32",
       CLRS_U8,
       CLRS_I32,
       1,
       {4096},
       1,
       3},
  };
  RUN_ALL(*state, cases)
}

/* A scale for each block of columns, in order, with codes that may begin within a byte. */
TEST(blocks_of_four_bits) {
  static const char *const chains[] = {
      "dequantize=f16,0.1:0.2:3:0.02,1:2:3:4,1,64", "dequantize=f32,0.1:0.2:3:0.02,,1,64",
      "dequantize=f16,0.37,7", "dequantize=f32,0.1:0.2:0.3:4:5:6:7:8,,1,32"};
  static const clrs_dtype types[] = {CLRS_F16, CLRS_F32, CLRS_F16, CLRS_F32};
  static const clrs_dtype codes[] = {CLRS_U4, CLRS_I4};
  static const int64_t starts[][2] = {{0, 0}, {1, 0}, {0, 7}, {3, 32}, {2, 16}};
  for (size_t i = 0; i < 4 * 5; i++) {
    const size_t which = i % 4;
    const row_case c = {chains[which], codes[which % 2], types[which],    2,
                        {9, 256},      starts[i / 4][0], starts[i / 4][1]};
    run(*state, &c);
  }
}

TEST(columns_become_rows) {
  static const int64_t shapes[][2] = {{300, 40}, {129, 131}, {1000, 16}, {40, 15}, {33, 400}};
  static const row_way ways[] = {{"permute=1,0 cast=f16", CLRS_F32, CLRS_F16},
                                 {"permute=1,0 quantize=u8,0.02,128", CLRS_F32, CLRS_U8},
                                 {"permute=1,0 cast=f32 mean=1 std=3", CLRS_U8, CLRS_F32},
                                 {"permute=1,0 dequantize=f16,0.5,8", CLRS_U4, CLRS_F16},
                                 {"permute=1,0 cast=f32", CLRS_F64, CLRS_F32}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
      const row_case c = {ways[i].chain,  ways[i].from, ways[i].to, 2, {shapes[k][0], shapes[k][1]},
                          (int64_t)k % 2, (int64_t)k};
      run(*state, &c);
    }
  }
}

/* Packed codes become bytes in a tile: whole accesses, and single elements. */
TEST(packed_columns_become_rows) {
  static const row_case cases[] = {
      {"permute=1,0 dequantize=f16,0.5,8", CLRS_U4, CLRS_F16, 2, {144, 304}, 0, 0},
      {"permute=1,0 cast=f32", CLRS_I4, CLRS_F32, 2, {300, 128}, 16, 3},
      {"dequantize=f16,0.1:2:3:4,1:2:3:4,0,36 permute=1,0", CLRS_U4, CLRS_F16, 2, {144, 304}, 0, 0},
      {"dequantize=f16,0.1:3:5,,0,100 permute=1,0", CLRS_I4, CLRS_F16, 2, {300, 144}, 32, 1},
      {"dequantize=f32,0.1:0.2:3:4,,1,40 permute=1,0", CLRS_U4, CLRS_F32, 2, {144, 160}, 0, 0},
      {"permute=0,2,1 cast=f32", CLRS_U2, CLRS_F32, 3, {3, 144, 304}, 0, 0},
      {"permute=1,0 cast=f64", CLRS_F4E2M1, CLRS_F64, 2, {131, 160}, 0, 0}};
  RUN_ALL(*state, cases)
}

/* Planes that become pixels, of few colours and of many, whole and cropped. Also cropped rows of
 * several parts, where no part begins a line. */
TEST(planes_become_pixels) {
  static const row_case cases[] = {
      {"permute=1,2,0 cast=f16", CLRS_F32, CLRS_F16, 3, {3, 37, 53}, 0, 0},
      {"permute=1,2,0 quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 3, {3, 40, 64}, 1, 3},
      {"slice=:,2:,5:52 permute=1,2,0 cast=f32", CLRS_U8, CLRS_F32, 3, {3, 37, 61}, 3, 1},
      {"slice=:,:,1:16 permute=1,2,0 cast=f32", CLRS_U8, CLRS_F32, 3, {4, 90, 17}, 0, 0},
      {"permute=1,2,0 flip=2 cast=f16", CLRS_F32, CLRS_F16, 3, {2, 30, 41}, 0, 7},
      {"permute=1,2,0 cast=f32 mean=1,2,3 std=3,5,7", CLRS_U8, CLRS_F32, 3, {3, 50, 31}, 0, 0},
      {"permute=1,2,0 cast=f32", CLRS_F64, CLRS_F32, 3, {4, 20, 33}, 0, 0},
      {"permute=1,2,0 cast=f16", CLRS_F32, CLRS_F16, 3, {16, 9, 29}, 0, 1},
      {"permute=1,2,0 cast=f16", CLRS_F32, CLRS_F16, 3, {64, 9, 29}, 1, 0},
      {"permute=1,2,0 cast=f32", CLRS_U8, CLRS_F32, 3, {100, 3, 5}, 0, 0},
      {"slice=:,100:1200 cast=f16", CLRS_F32, CLRS_F16, 2, {11, 1300}, 0, 3},
      {"slice=1:,7:1032 quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 2, {7, 1200}, 5, 1},
      {"flip=2 permute=2,0,1 cast=f32", CLRS_U8, CLRS_F32, 3, {40, 50, 3}, 1, 0},
      {"slice=:,3:40 permute=0,2,1 flip=1 cast=f32", CLRS_U8, CLRS_F32, 3, {20, 40, 3}, 0, 0}};
  RUN_ALL(*state, cases)
}

/* Frames of 3 and 4 colours, each frame with separate numbers, into planes. */
TEST(pixels_become_planes) {
  static const row_case cases[] = {
      {"cast=f32 mean=1,2,3 permute=2,0,1", CLRS_U8, CLRS_F32, 3, {40, 52, 3}, 0, 0},
      {"permute=2,0,1 cast=f16", CLRS_F32, CLRS_F16, 3, {90, 64, 4}, 0, 0}};
  RUN_ALL(*state, cases)
}

/* ---- apart ---- */

/* Into every second element and further apart, from neighbours and from elements with gaps. */
TEST(elements_lie_apart) {
  static const row_way ways[] = {{"cast=u8", CLRS_I16, CLRS_U8},
                                 {"cast=f16", CLRS_F32, CLRS_F16},
                                 {"cast=i32", CLRS_U8, CLRS_I32},
                                 {"cast=i64", CLRS_U8, CLRS_I64},
                                 {"cast=u8", CLRS_U2, CLRS_U8}};
  static const char *const steps[] = {":", "::2", "::3", "::4", "::-1", "::-2"};
  static const int64_t counts[] = {33, 90, 2105};
  for (size_t i = 0; i < 5 * 6 * 3; i++) {
    char chain[64];
    const row_way *way = &ways[i % 5];
    snprintf(chain, sizeof chain, "slice=%s %s", steps[i / 5 % 6], way->chain);
    const row_case c = {chain,          way->from,     way->to, 1, {counts[i / 30]},
                        (int64_t)i % 2, (int64_t)i % 3};
    run_apart(*state, &c, (row_gaps){(int64_t)i % 4 + 1, 0});
  }
}

/* Pixels with room for more colours, as destination and as source. */
TEST(pixels_have_room) {
  static const struct {
    row_case c;
    row_gaps gaps;
  } rows[] = {
      {{"cast=i32", CLRS_U8, CLRS_I32, 3, {37, 53, 3}, 0, 0}, {1, 1}},
      {{"permute=1,2,0 cast=i32", CLRS_U8, CLRS_I32, 3, {3, 37, 53}, 1, 3}, {1, 1}},
      {{"permute=1,2,0 quantize=u8,0.02,128", CLRS_F32, CLRS_U8, 3, {3, 40, 64}, 0, 5}, {2, 2}},
      {{"permute=1,2,0 cast=f32 mean=1,2,3 std=3,5,7", CLRS_U8, CLRS_F32, 3, {3, 50, 31}, 0, 1},
       {1, 1}},
      {{"slice=:,:,:3 cast=i32", CLRS_U8, CLRS_I32, 3, {20, 41, 4}, 0, 1}, {1, 0}},
      {{"slice=:,1:,1:3 cast=i32", CLRS_U8, CLRS_I32, 3, {300, 6, 4}, 0, 0}, {1, 0}},
      {{"slice=:,:,::2 cast=f16", CLRS_F32, CLRS_F16, 3, {9, 41, 7}, 0, 0}, {1, 5}},
      {{"cast=f16", CLRS_F32, CLRS_F16, 3, {5, 8, 2}, 0, 0}, {1, 1}},
      {{"cast=i64", CLRS_U8, CLRS_I64, 2, {700, 5}, 1, 0}, {3, 4}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run_apart(*state, &rows[i].c, rows[i].gaps);
  }
}

/* Blocks of GGUF's Q4_0 are a scale of 16 bits and 16 bytes: the low halves of all bytes are
 * elements 0 to 15, and the high halves elements 16 to 31. Other blocks begin within a byte, or
 * have four places in a byte. */
TEST(places_of_bytes_come_one_by_one) {
  static const char *const blocks = "slice=:,4: reshape=70,16,2 permute=0,2,1 dequantize=f16,0.5,8";
  static const char *const places = "slice=:,8: reshape=40,2,20,4 permute=0,1,3,2 cast=u8";
  static const char *const reversed =
      "slice=:,8: reshape=40,2,20,4 permute=0,1,3,2 flip=0,1 cast=u8";
  const row_case cases[] = {{blocks, CLRS_U4, CLRS_F16, 2, {70, 36}, 0, 0},
                            {blocks, CLRS_U4, CLRS_F16, 2, {70, 36}, 1, 3},
                            {places, CLRS_U2, CLRS_U8, 2, {40, 168}, 0, 1},
                            {places, CLRS_U2, CLRS_U8, 2, {40, 168}, 3, 0},
                            {reversed, CLRS_U2, CLRS_U8, 2, {40, 168}, 1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    run_apart(*state, &cases[i], (row_gaps){(int64_t)i % 2 + 1, 0});
  }
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
