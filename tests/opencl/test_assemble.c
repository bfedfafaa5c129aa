/*
 * fill, pad and concat on a device: every element width, odd extents, parts that share bytes, any
 * layout on either side, queues in order and out of order. Every byte of the buffer is compared,
 * including the bytes around the destination.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "region.h"

enum { CASES = 600, MOST_PARTS = 5, MANY_PARTS = 12 };

typedef struct assembly_tally {
  int widths[129], unsupported, cases;
} assembly_tally;

/* Documented: packed elements that interleave with other elements in the bytes of a destination. */
static bool is_unsupported(clrs_status status, clrs_dtype dtype, assembly_tally *tally) {
  const bool is = status == CLRS_UNSUPPORTED && clrs_dtype_bits(dtype) < 8;
  tally->unsupported += is;
  tally->cases++;
  tally->widths[clrs_dtype_bits(dtype)]++;
  return is;
}

static void require_tally(const assembly_tally *tally) {
  static const int widths[] = {1, 2, 4, 8, 16, 32, 64, 128};
  for (size_t i = 0; i < sizeof widths / sizeof widths[0] && tally->cases >= CASES; i++)
    assert_true(tally->widths[widths[i]] > 0);
  print_message("  %d cases, %d not offered\n", tally->cases, tally->unsupported);
  assert_int_equal(tally->unsupported, 0);
}

static clrs_shape shape_random(test_rng *rng) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, 4)};
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_percent(rng, 3) ? 0 : rng_between(rng, 1, 7);
  return shape;
}

/* ---- fill ---- */

static void fill_case(const workshop *shop, uint64_t seed, assembly_tally *tally) {
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const clrs_shape shape = shape_random(&rng);
  const clrs_layout layout = region_layout(&rng, dtype_random(&rng), &shape, false);
  region made = region_random(shop, library, &rng, &layout);
  unsigned char element[16];
  cl_event event = NULL;
  rng_fill(&rng, element, sizeof element);
  const clrs_status status =
      clrs_enqueue_fill(made.tensor, element, ON(workshop_queue(shop, &rng)), &event, &error);
  if (!is_unsupported(status, layout.dtype, tally)) {
    CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
    device_finish_event(event);
    region_put_element(&made, element);
  }
  region_require(shop, &made, seed, "fill");
  region_free(&made);
}

TEST(fills_write_every_element_and_nothing_else) {
  assembly_tally tally = {{0}, 0, 0};
  const uint64_t first = test_seed(10000);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++)
    fill_case(*state, seed, &tally);
  require_tally(&tally);
}

/* ---- pad ---- */

static void pad_case(const workshop *shop, uint64_t seed, assembly_tally *tally) {
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const clrs_dtype dtype = dtype_random(&rng);
  const clrs_shape inner = shape_random(&rng);
  clrs_shape outer = inner;
  int64_t begins[CLRS_MAX_RANK] = {0};
  const bool no_begins = rng_percent(&rng, 20);
  for (uint32_t d = 0; d < inner.rank; d++) {
    begins[d] = no_begins || rng_percent(&rng, 40) ? 0 : rng_between(&rng, 1, 4);
    outer.dims[d] += begins[d] + (rng_percent(&rng, 40) ? 0 : rng_between(&rng, 1, 4));
  }
  const clrs_layout from = region_layout(&rng, dtype, &inner, true);
  const clrs_layout to = region_layout(&rng, dtype, &outer, false);
  region source = region_random(shop, library, &rng, &from);
  region made = region_random(shop, library, &rng, &to);
  unsigned char element[16];
  const clrs_padding padding = {.begins = no_begins ? NULL : begins, .element = element};
  cl_event event = NULL;
  rng_fill(&rng, element, sizeof element);
  const clrs_status status = clrs_enqueue_pad(source.tensor, &padding, made.tensor, NULL,
                                              ON(workshop_queue(shop, &rng)), &event, &error);
  if (!is_unsupported(status, dtype, tally)) {
    CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
    device_finish_event(event);
    region_put_element(&made, element);
    region_put(&made, &source, begins);
  }
  region_require(shop, &made, seed, "pad");
  region_require(shop, &source, seed, "pad's source");
  region_free(&source);
  region_free(&made);
}

TEST(pads_write_the_source_and_its_border) {
  assembly_tally tally = {{0}, 0, 0};
  const uint64_t first = test_seed(20000);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++)
    pad_case(*state, seed, &tally);
  require_tally(&tally);
}

/* ---- concat ---- */

typedef struct parts {
  size_t count;
  region regions[MANY_PARTS];
  clrs_tensor *tensors[MANY_PARTS];
} parts;

/* Parts with extents along `axis` that add up. *whole becomes the joined shape. */
static parts parts_random(const workshop *shop, clrs_context *library, test_rng *rng,
                          clrs_dtype dtype, uint32_t axis, clrs_shape *whole) {
  parts made = {.count =
                    (size_t)rng_between(rng, 1, rng_percent(rng, 30) ? MANY_PARTS : MOST_PARTS)};
  clrs_shape shape = *whole;
  whole->dims[axis] = 0;
  for (size_t i = 0; i < made.count; i++) {
    shape.dims[axis] = rng_percent(rng, 8) ? 0 : rng_between(rng, 1, 6);
    whole->dims[axis] += shape.dims[axis];
    const clrs_layout layout = region_layout(rng, dtype, &shape, true);
    made.regions[i] = region_random(shop, library, rng, &layout);
    made.tensors[i] = made.regions[i].tensor;
  }
  return made;
}

static void put_parts(region *made, const parts *from, uint32_t axis) {
  int64_t begins[CLRS_MAX_RANK] = {0};
  for (size_t i = 0; i < from->count; i++) {
    region_put(made, &from->regions[i], begins);
    begins[axis] += from->regions[i].layout.dims[axis];
  }
}

static void concat_case(const workshop *shop, uint64_t seed, assembly_tally *tally) {
  test_rng rng = rng_start(seed);
  clrs_context *library = shop->libraries[seed % 3];
  const clrs_dtype dtype = dtype_random(&rng);
  clrs_shape whole = shape_random(&rng);
  whole.rank += whole.rank == 0;
  const uint32_t axis = (uint32_t)rng_between(&rng, 0, (int64_t)whole.rank - 1);
  parts from = parts_random(shop, library, &rng, dtype, axis, &whole);
  const clrs_layout to = region_layout(&rng, dtype, &whole, false);
  region made = region_random(shop, library, &rng, &to);
  cl_event event = NULL;
  const clrs_status status = clrs_enqueue_concat(
      from.count, from.tensors, (int64_t)axis - (rng_percent(&rng, 50) ? (int64_t)whole.rank : 0),
      made.tensor, NULL, ON(workshop_queue(shop, &rng)), &event, &error);
  if (!is_unsupported(status, dtype, tally)) {
    CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
    device_finish_event(event);
    put_parts(&made, &from, axis);
  }
  region_require(shop, &made, seed, "concat");
  for (size_t i = 0; i < from.count; i++)
    region_free(&from.regions[i]);
  region_free(&made);
}

TEST(concats_write_each_source_into_its_part) {
  assembly_tally tally = {{0}, 0, 0};
  const uint64_t first = test_seed(30000);
  for (uint64_t seed = first; seed < first + (uint64_t)test_cases(CASES); seed++)
    concat_case(*state, seed, &tally);
  require_tally(&tally);
}

/* Five rows of 3 elements of 1, 2 and 4 bits: every byte but the last is shared by two parts, or
 * by three. On a queue out of order the parts must still not lose each other's bits. */
SHOP_TEST(packed_parts_that_share_bytes_keep_each_others_bits) {
  static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1, CLRS_U2, CLRS_I4};
  const clrs_shape row = {1, {3}}, whole = {1, {3 * MOST_PARTS}};
  for (uint64_t seed = 0; seed < 400; seed++) {
    test_rng rng = rng_start(40000 + seed);
    clrs_context *library = shop->libraries[seed % 3];
    clrs_layout layout;
    parts from = {.count = MOST_PARTS};
    cl_event event = NULL;
    CHECK_OK(
        clrs_layout_init(dtypes[seed % 4], &row, NULL, rng_between(&rng, 0, 5), &layout, &error),
        error);
    for (size_t i = 0; i < from.count; i++) {
      from.regions[i] = region_random(shop, library, &rng, &layout);
      from.tensors[i] = from.regions[i].tensor;
    }
    CHECK_OK(
        clrs_layout_init(dtypes[seed % 4], &whole, NULL, rng_between(&rng, 0, 5), &layout, &error),
        error);
    region made = region_random(shop, library, &rng, &layout);
    CHECK_OK(clrs_enqueue_concat(from.count, from.tensors, 0, made.tensor, NULL,
                                 ON(shop->unordered), &event, &error),
             error);
    device_finish_event(event);
    put_parts(&made, &from, 0);
    region_require(shop, &made, seed, "packed concat");
    for (size_t i = 0; i < from.count; i++)
      region_free(&from.regions[i]);
    region_free(&made);
  }
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
