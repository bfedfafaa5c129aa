/*
 * Mapped tensors on the device: frames that become planes, requests that build no program,
 * assembly, batches. test_mapped_tensor_random.c has the random maps. test_mapped_tensor_bad.c has
 * wrong input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "map_fixture.h"

#include <stdlib.h>

#include "harness/tensors.h"
#include "harness/works.h"

/* ---- by hand ---- */

static clrs_map normalizing(size_t count, const double *mean, const double *deviation) {
  clrs_error error;
  clrs_map map;
  const clrs_spread along = {.kind = CLRS_SPREAD_AXIS, .axis = -1};
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_U8, &map, &error), error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_SUBTRACT, CLRS_F32, &(clrs_numbers){count, mean, along},
                         &error),
           error);
  CHECK_OK(clrs_map_step(&map, CLRS_STEP_DIVIDE, CLRS_F32, &(clrs_numbers){count, deviation, along},
                         &error),
           error);
  CHECK_OK(clrs_map_round(&map, CLRS_F32, CLRS_ROUND_EVEN, CLRS_OVERFLOW_IEEE, &error), error);
  return map;
}

static const double means[32] = {123.675, 116.28, 103.53, 1, 2, 3, 4, 5};
static const double deviations[32] = {58.395, 57.12, 57.375, 2, 3, 5, 7, 9, 1, 1, 1, 1, 1, 1, 1, 1,
                                      1,      1,     1,      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

/* Pixels of `channels` bytes become planes, by either execution. */
static void normalize_planes(map_fixture *f, int which, int64_t pixels, size_t channels) {
  clrs_error error;
  clrs_context *library = f->libraries[which];
  const clrs_map map = normalizing(channels, means, deviations);
  const int64_t count = (int64_t)channels;
  clrs_tensor *source = map_dense(library, f->source, CLRS_U8, 2, LIST(pixels, count));
  clrs_tensor *mapped = NULL;
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  clrs_tensor *planes = map_dense(library, f->destination, CLRS_F32, 2, LIST(count, pixels));
  memset(f->poison, 0xa5, CASE_BYTES);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
  CHECK_OK(clrs_enqueue_chain(mapped, "permute=1,0", CLRS_COPY_ALWAYS, planes, NULL,
                              ON(f->device.queue), NULL, &error),
           error);
  device_read(&f->device, f->destination, CASE_BYTES, f->got);
  for (int64_t i = 0; i < count * pixels; i++) {
    const int64_t channel = i / pixels, pixel = i % pixels;
    const float from = (float)f->bytes[pixel * count + channel];
    const float less = from - (float)means[channel];
    const float expected = less / (float)deviations[channel];
    assert_memory_equal(f->got + 4 * i, &expected, sizeof expected);
  }
  assert_memory_equal(f->got + 4 * count * pixels, f->poison,
                      CASE_BYTES - 4 * (size_t)(count * pixels));
  clrs_tensor_release(planes);
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
}

/* More numbers than arguments have room for lie in a buffer. */
MAP_TEST(pixels_become_planes) {
  test_rng rng = rng_start(7);
  rng_fill(&rng, f->bytes, CASE_BYTES);
  for (int which = 0; which < 2; which++) {
    normalize_planes(f, which, 1500, 3);
    normalize_planes(f, which, 100, 32);
  }
}

/* On a CPU few colours in long planes, many, and planes of some pixels have a kernel each. On a GPU
 * pixels of 3 and of 4 colours have a kernel each, and all other pixels share another kernel. All
 * shapes of a kind share the kernel. */
MAP_TEST(a_new_shape_or_mean_builds_nothing) {
  static const struct {
    int64_t pixels;
    size_t channels;
  } kinds[2][4][3] = {{{{1500, 3}, {1100, 4}, {2500, 2}},
                       {{2500, 5}, {1300, 8}, {1025, 7}},
                       {{7, 4}, {9, 3}, {100, 5}},
                       {{1501, 3}, {1103, 4}, {2503, 2}}},
                      {{{1500, 3}, {1100, 3}, {2500, 3}},
                       {{1500, 4}, {1100, 4}, {2500, 4}},
                       {{2500, 5}, {1300, 8}, {1025, 7}},
                       {{7, 4}, {9, 3}, {100, 5}}}};
  for (int which = 0; which < 2; which++) {
    for (int kind = 0; kind < 4; kind++) {
      normalize_planes(f, which, kinds[which][kind][0].pixels, kinds[which][kind][0].channels);
      const size_t programs = clrs_context_program_count(f->libraries[which]);
      for (int i = 1; i < 3; i++) {
        normalize_planes(f, which, kinds[which][kind][i].pixels, kinds[which][kind][i].channels);
        assert_int_equal(clrs_context_program_count(f->libraries[which]), programs);
      }
    }
  }
}

/* Doubles 1, 2 and so on as integers, behind the first of a line, where nothing else is written. */
static void convert_row(map_fixture *f, clrs_context *library, clrs_dtype to, int64_t count) {
  clrs_error error;
  clrs_map map;
  clrs_layout layout;
  const size_t width = clrs_dtype_bits(to) / 8;
  const clrs_shape shape = {.rank = 1, .dims = {count}};
  clrs_tensor *source = map_dense(library, f->source, CLRS_F64, 1, &count), *mapped, *row;
  CHECK_OK(clrs_layout_init(to, &shape, NULL, 1, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &(clrs_storage){f->destination, 0}, &layout, &row, &error),
           error);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F64, to, &map, &error), error);
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  memset(f->poison, 0, CASE_BYTES);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
  CHECK_OK(clrs_enqueue_move(mapped, row, ON(f->device.queue), NULL, &error), error);
  for (int64_t i = 1; i <= count; i++) {
    f->poison[(size_t)i * width] = (unsigned char)i;
  }
  device_read(&f->device, f->destination, CASE_BYTES, f->got);
  assert_memory_equal(f->got, f->poison, CASE_BYTES);
  clrs_tensor_release(row);
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
}

/* Less than a line is written in overlapping parts. Intel's compiler dropped a part while the parts
 * had a separate type. */
MAP_TEST(a_row_of_any_length_is_whole) {
  double numbers[40];
  for (int i = 0; i < 40; i++) {
    numbers[i] = i + 1;
  }
  device_write(&f->device, f->source, sizeof numbers, numbers);
  for (int which = 0; which < 2; which++) {
    for (int64_t count = 1; count <= 40; count++) {
      if (map_runs(which, 0)) {
        convert_row(f, f->libraries[which], CLRS_I16, count);
      }
      if (map_runs(which, 1)) {
        convert_row(f, f->libraries[which], CLRS_I32, count);
      }
    }
  }
}

/* Two mapped sources beside each other, and a mapped source in a border. */
MAP_TEST(concat_and_pad_take_mapped_sources) {
  clrs_context *library = f->libraries[0];
  const clrs_map map = normalizing(1, (const double[]){1}, (const double[]){2});
  clrs_tensor *source = map_dense(library, f->source, CLRS_U8, 2, LIST(2, 3)), *mapped = NULL;
  clrs_tensor *wide = map_dense(library, f->destination, CLRS_F32, 2, LIST(2, 6));
  const float border = -1;
  float got[12];
  memcpy(f->bytes, (const unsigned char[]){1, 3, 5, 7, 9, 11}, 6);
  device_write(&f->device, f->source, 6, f->bytes);
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  CHECK_OK(clrs_enqueue_concat(2, (clrs_tensor *[]){mapped, mapped}, 1, wide, NULL,
                               ON(f->device.queue), NULL, &error),
           error);
  device_read(&f->device, f->destination, sizeof got, got);
  const float beside[12] = {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5};
  assert_memory_equal(got, beside, sizeof got);
  const clrs_padding around = {.begins = LIST(0, 2), .element = &border};
  CHECK_OK(clrs_enqueue_pad(mapped, &around, wide, NULL, ON(f->device.queue), NULL, &error), error);
  device_read(&f->device, f->destination, sizeof got, got);
  const float padded[12] = {-1, -1, 0, 1, 2, -1, -1, -1, 3, 4, 5, -1};
  assert_memory_equal(got, padded, sizeof got);
  clrs_tensor_release(wide);
  clrs_tensor_release(mapped);
  clrs_tensor_release(source);
}

MAP_TEST(a_map_that_keeps_bits_is_an_alias) {
  clrs_context *library = f->libraries[0];
  clrs_map map;
  clrs_tensor *source = map_dense(library, f->source, CLRS_F32, 1, LIST(8)), *renamed = NULL;
  CHECK_OK(clrs_map_bitcast(CLRS_F32, CLRS_U32, &map, &error), error);
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &renamed, &error), error);
  assert_int_equal(clrs_tensor_view(renamed)->dtype, CLRS_U32);
  assert_ptr_equal(clrs_tensor_storage(renamed).buffer, f->source);
  clrs_tensor_release(renamed);
  clrs_tensor_release(source);
}

/* Frames of 2 x 3: a map, movement operations, and a second map with a list, a tensor and a zero
 * point. A bitcast then changes the type. */
MAP_TEST(a_map_of_a_mapped_tensor_is_one_pass) {
  clrs_context *library = f->libraries[0];
  clrs_map normalize = normalizing(3, (const double[]){1, 2, 3}, (const double[]){2, 4, 8}), scale,
           bits;
  const clrs_numbers tensor = {0, NULL, {.kind = CLRS_SPREAD_AXIS, .axis = -1}};
  const float factors[2] = {10, 100};
  clrs_tensor *source = map_dense(library, f->source, CLRS_U8, 2, LIST(2, 3)), *first, *turned,
              *second, *last;
  clrs_tensor *by = map_dense(library, f->parameters, CLRS_F32, 1, LIST(2));
  clrs_tensor *destination = map_dense(library, f->destination, CLRS_U32, 2, LIST(3, 2));
  device_write(&f->device, f->source, 6, (const unsigned char[]){1, 2, 3, 5, 10, 19});
  device_write(&f->device, f->parameters, sizeof factors, factors);
  CHECK_OK(clrs_tensor_with_map(source, &normalize, NULL, &first, &error), error);
  clrs_view view = *clrs_tensor_view(first);
  CHECK_OK(clrs_view_apply(&view, "permute=1,0", &error), error);
  CHECK_OK(clrs_tensor_with_view(first, &view, &turned, &error), error);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_F32, CLRS_F32, &scale, &error), error);
  CHECK_OK(clrs_map_step(&scale, CLRS_STEP_MULTIPLY, CLRS_F32, &tensor, &error), error);
  CHECK_OK(clrs_tensor_with_map(turned, &scale, &(clrs_parameter_tensors){{by}}, &second, &error),
           error);
  CHECK_OK(clrs_map_bitcast(CLRS_F32, CLRS_U32, &bits, &error), error);
  CHECK_OK(clrs_tensor_with_map(second, &bits, NULL, &last, &error), error);
  CHECK_OK(clrs_enqueue_move(last, destination, ON(f->device.queue), NULL, &error), error);
  const float expected[6] = {0, 200, 0, 200, 0, 200};
  float got[6];
  device_read(&f->device, f->destination, sizeof got, got);
  assert_memory_equal(got, expected, sizeof got);
  clrs_tensor *const all[] = {source, first, turned, second, last, by, destination};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    clrs_tensor_release(all[i]);
  }
}

/* (x - 7) * 0.5, divided by 0.25, and 3 added, or 100. The first zero point, a number, becomes a
 * step in front of the steps with tensor parameters. The second zero point is a tensor. */
MAP_TEST(tensors_stay_with_their_steps) {
  clrs_context *library = f->libraries[0];
  const double seven = 7;
  const clrs_numbers one = {1, &seven, {0}};
  const clrs_numbers tensor = {0, NULL, {.kind = CLRS_SPREAD_AXIS, .axis = 0}};
  const float scales[] = {0.5f, 0.5f, 0.25f, 0.25f};
  clrs_map first, second;
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &tensor, &one, &first, &error), error);
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_U8, &tensor, &tensor, &second, &error), error);
  device_write(&f->device, f->source, 4, (const unsigned char[]){10, 9, 3, 100});
  device_write(&f->device, f->parameters, sizeof scales, scales);
  clrs_tensor *bytes = map_dense(library, f->source, CLRS_U8, 1, LIST(4));
  clrs_tensor *floats = map_dense(library, f->parameters, CLRS_F32, 1, LIST(4));
  clrs_tensor *result = map_dense(library, f->destination, CLRS_U8, 1, LIST(2));
  clrs_tensor *source, *zeros, *halves, *quarters, *middle, *last, *doubled;
  clrs_chain twice;
  cl_event event = NULL;
  clrs_view view = view_strided(CLRS_U8, 1, LIST(2), NULL, 0);
  CHECK_OK(clrs_tensor_with_view(bytes, &view, &source, &error), error);
  view = view_strided(CLRS_U8, 1, LIST(2), NULL, 2);
  CHECK_OK(clrs_tensor_with_view(bytes, &view, &zeros, &error), error);
  view = view_strided(CLRS_F32, 1, LIST(2), NULL, 0);
  CHECK_OK(clrs_tensor_with_view(floats, &view, &halves, &error), error);
  view = view_strided(CLRS_F32, 1, LIST(2), NULL, 2);
  CHECK_OK(clrs_tensor_with_view(floats, &view, &quarters, &error), error);
  const clrs_parameter_tensors of_first = {.steps = {NULL, halves}};
  const clrs_parameter_tensors of_second = {.steps = {quarters, zeros}};
  CHECK_OK(clrs_tensor_with_map(source, &first, &of_first, &middle, &error), error);
  CHECK_OK(clrs_tensor_with_map(middle, &second, &of_second, &last, &error), error);
  CHECK_OK(clrs_enqueue_move(last, result, ON(f->device.queue), NULL, &error), error);
  unsigned char got[2];
  device_read(&f->device, f->destination, sizeof got, got);
  assert_int_equal(got[0], 2 * (10 - 7) + 3);
  assert_int_equal(got[1], 2 * (9 - 7) + 100);
  float read[2];
  CHECK_OK(clrs_chain_parse("mul=2", &twice, &error), error);
  CHECK_OK(clrs_tensor_with_chain(middle, &twice, NULL, &doubled, &error), error);
  CHECK_OK(clrs_enqueue_read(doubled, read, sizeof read, ON(f->device.queue), &event, &error),
           error);
  device_finish_event(event);
  assert_true(read[0] == 10 - 7 && read[1] == 9 - 7);
  clrs_tensor *const all[] = {bytes,  floats,   result, source, zeros,
                              halves, quarters, middle, last,   doubled};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    clrs_tensor_release(all[i]);
  }
}

/* ---- in company ---- */

/* numbers of floats, where MANY is more than a row may write */
enum { FEW = 100, MANY = (1 << 20) / 4 + 1 };

/* u8 as f32, from an element of the buffers on. */
static void cast_part(clrs_context *library, cl_mem from, cl_mem to, int64_t first, int64_t count,
                      clrs_tensor **source, clrs_tensor **destination) {
  const clrs_layout bytes = {CLRS_U8, 1, {count}, {1}, first};
  const clrs_layout floats = {CLRS_F32, 1, {count}, {1}, first};
  clrs_tensor *plain = NULL;
  clrs_map cast;
  clrs_error error;
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, CLRS_F32, &cast, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &(clrs_storage){from, 0}, &bytes, &plain, &error), error);
  CHECK_OK(clrs_tensor_with_map(plain, &cast, NULL, source, &error), error);
  CHECK_OK(clrs_tensor_wrap(library, &(clrs_storage){to, 0}, &floats, destination, &error), error);
  clrs_tensor_release(plain);
}

/* Two small moves of a batch are one launch, and two large moves are two launches. */
MAP_TEST(large_mapped_moves_go_alone) {
  static const int64_t counts[] = {FEW, FEW, MANY, MANY};
  enum { MOVES = 4, ALL = 2 * (FEW + MANY) };
  clrs_tensor *sources[MOVES], *destinations[MOVES];
  const test_moves moves = {.count = MOVES, .sources = sources, .destinations = destinations};
  unsigned char *bytes = malloc(ALL);
  float *got = malloc(ALL * sizeof *got);
  clrs_work *batch = NULL;
  assert_true(bytes && got);
  for (int i = 0; i < ALL; i++)
    bytes[i] = (unsigned char)(i * 7 % 251);
  cl_mem from = device_buffer(&f->device, CL_MEM_READ_WRITE, ALL);
  cl_mem to = device_buffer(&f->device, CL_MEM_READ_WRITE, ALL * sizeof *got);
  device_write(&f->device, from, ALL, bytes);
  for (int64_t i = 0, first = 0; i < MOVES; first += counts[i++])
    cast_part(f->libraries[0], from, to, first, counts[i], &sources[i], &destinations[i]);
  CHECK_OK(test_work_of_moves(f->libraries[0], &moves, &batch, &error), error);
  assert_int_equal(clrs_work_launches(batch), device_shares_launches(f->device.device) ? 3 : MOVES);
  CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(f->device.queue), NULL, &error), error);
  device_read(&f->device, to, ALL * sizeof *got, got);
  for (int i = 0; i < ALL; i++)
    assert_true(got[i] == (float)bytes[i]);
  clrs_work_release(batch);
  for (int i = 0; i < MOVES; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(destinations[i]);
  }
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
  free(bytes);
  free(got);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
