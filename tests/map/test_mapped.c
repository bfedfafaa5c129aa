/*
 * Views and the maps collected on a view: the places of parameters, and when a bitcast needs no
 * pass.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bound.h"

#include "map/check.h"

static clrs_mapped mapped;

static const clrs_spread last = {CLRS_SPREAD_AXIS, -1, 0}, first = {CLRS_SPREAD_AXIS, 0, 0};

static void start(clrs_dtype dtype) {
  const clrs_view view = view_of(dtype, 2, LIST(2, 3));
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  assert_int_equal(mapped.dtype, dtype);
  assert_true(clrs_map_keeps_bits(&mapped.map));
}

static void then(const clrs_map *map, const clrs_map_tensors *tensors) {
  CHECK_OK(clrs_mapped_then(&mapped, map, tensors, &error), error);
}

static void move(const int64_t axes[2]) {
  CHECK_OK(clrs_view_permute(&mapped.views.source, 2, axes, &error), error);
  for (uint32_t i = 0; i < mapped.views.count; i++) {
    CHECK_OK(clrs_view_permute(&mapped.views.views[i], 2, axes, &error), error);
  }
}

/* (x - [1 2 3]) * tensor, transposed, + [10 20]. The list lies along the formerly last axis, which
 * is now the first. Tensors and lists of two maps, in the order of the steps. */
TEST(parameters_join_in_the_order_of_the_steps) {
  const float from[] = {0, 1, 2, 3, 4, 5}, factors[] = {2, 3};
  const clrs_view factor = view_of(CLRS_F32, 2, LIST(2, 1));
  clrs_map difference = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F32), product = difference,
           sum = difference;
  start(CLRS_F32);
  add_step(&difference, CLRS_STEP_SUBTRACT, 3, NUMBERS(1, 2, 3), last);
  add_step(&product, CLRS_STEP_MULTIPLY, 0, NULL, (clrs_spread){0});
  add_step(&sum, CLRS_STEP_ADD, 3, NUMBERS(10, 20, 30), first);
  then(&difference, NULL);
  then(&product, &(clrs_map_tensors){.steps = {&factor}});
  move(LIST(1, 0));
  then(&sum, NULL);
  assert_int_equal(mapped.views.count, 2); /* the two lists go along the same elements */
  const clrs_map_data data = {.source = {from, sizeof from},
                              .steps = {{NULL, 0}, {factors, sizeof factors}}};
  float to[6];
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, to, sizeof to, &error), error);
  const float expected[] = {8, 16, 18, 26, 28, 36};
  assert_memory_equal(to, expected, sizeof to);
}

/* The list of zero points moves to the step that replaces the zero points. */
TEST(a_zero_point_that_is_a_step_takes_its_view_along) {
  const uint8_t from[] = {10, 20, 30, 40, 50, 60};
  const clrs_numbers zeros = {3, NUMBERS(1, 2, 3), last}, two = {1, NUMBERS(2), {0}},
                     points = {2, NUMBERS(0, 100), first};
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_map map;
  int8_t to[6];
  start(CLRS_U8);
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &two, &zeros, &map, &error), error);
  then(&map, NULL);
  assert_int_equal(mapped.views.of_step[0], 0);
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_I8, &two, &points, &map, &error), error);
  then(&map, NULL);
  assert_int_equal(mapped.map.step_count, 4);
  assert_int_equal(mapped.views.of_step[0], 0);
  assert_int_equal(mapped.views.of_step[1], CLRS_MAP_SCALAR);
  assert_int_equal(mapped.views.of_step[3], 1);
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, to, sizeof to, &error), error);
  const int8_t expected[] = {9, 18, 27, 127, 127, 127};
  assert_memory_equal(to, expected, sizeof to);
}

TEST(a_bitcast_at_either_end_is_no_pass) {
  clrs_map to_bf16, to_f32, to_u32, to_i32, from_i32;
  CHECK_OK(clrs_map_bitcast(CLRS_U16, CLRS_BF16, &to_bf16, &error), error);
  CHECK_OK(clrs_map_bitcast(CLRS_F32, CLRS_U32, &to_u32, &error), error);
  CHECK_OK(clrs_map_bitcast(CLRS_U32, CLRS_I32, &to_i32, &error), error);
  to_f32 = cast_of(CLRS_ONNX, CLRS_BF16, CLRS_F32);
  from_i32 = cast_of(CLRS_ONNX, CLRS_I32, CLRS_F32);
  start(CLRS_U16);
  then(&to_bf16, NULL);
  assert_int_equal(mapped.views.source.dtype, CLRS_BF16);
  assert_true(clrs_map_keeps_bits(&mapped.map));
  then(&to_f32, NULL);
  then(&to_u32, NULL);
  then(&to_i32, NULL);
  assert_int_equal(mapped.map.from, CLRS_BF16);
  assert_int_equal(mapped.map.to, CLRS_F32);
  assert_int_equal(mapped.dtype, CLRS_I32);
  CHECK_FAILS(clrs_mapped_then(&mapped, &from_i32, NULL, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "a map from i32, which is bitcast from the f32 of another map");
  CHECK_FAILS(clrs_mapped_then(&mapped, &to_f32, NULL, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "a map from bf16 of what is i32");
}

/* u1 counts bits from the other end of a byte, so that the elements have to move. */
TEST(bits_in_other_places_are_a_pass) {
  clrs_map map;
  start(CLRS_U1);
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &map, &error), error);
  then(&map, NULL);
  assert_int_equal(mapped.views.source.dtype, CLRS_U1);
  assert_true(mapped.map.reinterprets);
  assert_int_equal(mapped.dtype, CLRS_BITS1);
}

/* The elements still have to move, whatever type follows. */
TEST(a_bitcast_behind_such_a_pass_renames_its_result) {
  clrs_map swap, same;
  start(CLRS_U1);
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &swap, &error), error);
  CHECK_OK(clrs_map_bitcast(CLRS_BITS1, CLRS_BITS1, &same, &error), error);
  then(&swap, NULL);
  then(&same, NULL);
  assert_int_equal(mapped.views.source.dtype, CLRS_U1);
  assert_int_equal(mapped.map.from, CLRS_U1);
  assert_int_equal(mapped.map.to, CLRS_BITS1);
  assert_int_equal(mapped.dtype, CLRS_BITS1);
}

/* ---- a mapped view behind another ---- */

static clrs_mapped mapped_of(const clrs_map *map) {
  const clrs_view view = view_of(map->from, 2, LIST(2, 3));
  clrs_mapped made;
  CHECK_OK(clrs_mapped_init(&view, &made, &error), error);
  CHECK_OK(clrs_mapped_then(&made, map, NULL, &error), error);
  return made;
}

TEST(a_mapped_view_that_ends_with_a_bitcast_ends_both) {
  const clrs_map cast = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F16);
  clrs_mapped after = mapped_of(&cast);
  clrs_map bits;
  CHECK_OK(clrs_map_bitcast(CLRS_F16, CLRS_U16, &bits, &error), error);
  CHECK_OK(clrs_mapped_then(&after, &bits, NULL, &error), error);
  start(CLRS_U32); /* read as f32, the first type of the second map */
  CHECK_OK(clrs_mapped_join(&mapped, &after, &error), error);
  assert_int_equal(mapped.views.source.dtype, CLRS_F32);
  assert_int_equal(mapped.map.from, CLRS_F32);
  assert_int_equal(mapped.map.to, CLRS_F16);
  assert_int_equal(mapped.dtype, CLRS_U16);
}

TEST(a_mapped_view_of_bits_in_other_places_is_a_pass) {
  clrs_map swap;
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &swap, &error), error);
  const clrs_mapped after = mapped_of(&swap);
  start(CLRS_U1);
  CHECK_OK(clrs_mapped_join(&mapped, &after, &error), error);
  assert_int_equal(mapped.views.source.dtype, CLRS_U1);
  assert_true(mapped.map.reinterprets);
  assert_int_equal(mapped.dtype, CLRS_BITS1);
}

/* Computed bits would have to be written to other places in the bytes. */
TEST(a_join_that_cannot_be_changes_nothing) {
  const clrs_map cast = cast_of(CLRS_NUMPY, CLRS_F32, CLRS_U1);
  const clrs_view bits = view_of(CLRS_BITS1, 2, LIST(2, 3));
  clrs_mapped after;
  CHECK_OK(clrs_mapped_init(&bits, &after, &error), error);
  start(CLRS_F32);
  then(&cast, NULL);
  const clrs_mapped before = mapped;
  CHECK_FAILS(clrs_mapped_join(&mapped, &after, &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "a bitcast from u1 to bits1, and a map from f32 to u1");
  assert_memory_equal(&mapped, &before, sizeof mapped);
}

/* As if a caller had edited the struct. */
TEST(a_zero_point_without_its_view_is_refused) {
  const clrs_numbers two = {1, NUMBERS(2), {0}}, zeros = {3, NUMBERS(1, 2, 3), last};
  clrs_map map;
  start(CLRS_U8);
  CHECK_OK(clrs_map_dequantize(CLRS_U8, CLRS_F32, &two, &zeros, &map, &error), error);
  then(&map, NULL);
  mapped.views.of_step[0] = 7;
  CHECK_OK(clrs_map_quantize(CLRS_F32, CLRS_I8, &two, &two, &map, &error), error);
  CHECK_FAILS(clrs_mapped_then(&mapped, &map, NULL, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "a parameter of 3 numbers has view 7; clrs_map_bind made 1");
}

/* Joins take the types of such a bitcast and no other field, on whichever side the bitcast is. */
TEST(a_bitcast_by_hand_joins_by_its_types) {
  clrs_map swap, back, joined, expected;
  memset(&swap, 0xEE, sizeof swap);
  swap.from = CLRS_U1, swap.to = CLRS_BITS1, swap.reinterprets = true;
  back = swap;
  back.from = CLRS_BITS1;
  start(CLRS_U1);
  then(&swap, NULL);
  CHECK_OK(clrs_map_bitcast(CLRS_U1, CLRS_BITS1, &expected, &error), error);
  assert_true(clrs__map_equal(&mapped.map, &expected));
  mapped.map = swap;
  then(&back, NULL);
  const clrs_mapped after = mapped_of(&swap);
  mapped.map = swap;
  start(CLRS_U1);
  CHECK_OK(clrs_mapped_join(&mapped, &after, &error), error);
  assert_true(clrs__map_equal(&mapped.map, &expected));
  CHECK_OK(clrs_map_then(&back, &back, &joined, &error), error);
  assert_int_equal(joined.step_count, 0);
}

/* ---- limits ---- */

TEST(more_ways_to_spread_than_there_can_be_are_refused) {
  clrs_map map = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F32);
  start(CLRS_F32);
  add_step(&map, CLRS_STEP_ADD, 2, NUMBERS(1, 2), first);
  add_step(&map, CLRS_STEP_ADD, 3, NUMBERS(1, 2, 3), last);
  then(&map, NULL);
  assert_int_equal(mapped.views.count, 2);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(clrs_view_slice(&mapped.views.source, 1, &(clrs_slice){i, 0, 1, 1}, &error), error);
    CHECK_OK(clrs_view_expand(&mapped.views.source, &(clrs_shape){2, {2, 3}}, &error), error);
  }
  for (uint32_t i = 0; i < 2; i++) { /* as if elements of other places were shown */
    CHECK_OK(clrs_view_flip(&mapped.views.views[i], 2, LIST(0, 1), &error), error);
  }
  then(&map, NULL);
  assert_int_equal(mapped.views.count, CLRS_MAP_VIEWS);
  const clrs_mapped before = mapped;
  clrs_map other = cast_of(CLRS_ONNX, CLRS_F32, CLRS_F32);
  add_step(&other, CLRS_STEP_ADD, 2, NUMBERS(1, 2), (clrs_spread){CLRS_SPREAD_AXIS, -1, 2});
  CHECK_FAILS(clrs_mapped_then(&mapped, &other, NULL, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "more than 4 different ways");
  assert_memory_equal(&mapped, &before, sizeof mapped);
}

TESTS(NULL, NULL)
