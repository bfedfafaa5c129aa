/*
 * Chains that map: a single pass gives the same bits as the operations in sequence, with all
 * elements written in between. Also the operations that a view accepts of such chains.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"
#include "harness/rng.h"
#include "map/check.h"

enum { MOST_COUNT = 600, BYTES = MOST_COUNT * 8 };

/* Elements that lie dense. */
typedef struct dense {
  clrs_dtype dtype;
  clrs_shape shape;
  uint8_t bytes[BYTES];
} dense;

static clrs_status map_dense(const dense *from, const char *text, clrs_mapped *mapped) {
  clrs_chain chain;
  clrs_view view;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_view_dense(from->dtype, &from->shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, mapped, &error), error);
  return clrs_chain_map(&chain, NULL, mapped, &error);
}

static int64_t count_of(const clrs_shape *shape) {
  int64_t count;
  CHECK_OK(clrs_shape_count(shape, &count, &error), error);
  return count;
}

static void carry_out(const clrs_mapped *mapped, const dense *from, dense *to) {
  const clrs_map_data data = {.source = {from->bytes, BYTES}};
  memset(to, 0, sizeof *to);
  to->dtype = mapped->dtype;
  to->shape = mapped->views.source.shape;
  CHECK_OK(clrs_map_apply(&mapped->map, &mapped->views, &data, to->bytes, BYTES, &error), error);
}

static bool are_equal(const dense *a, const dense *b) {
  return a->dtype == b->dtype && clrs_shape_equal(&a->shape, &b->shape) &&
         memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* ---- random chains ---- */

static const char *const moves[] = {"flip=0",
                                    "permute=2,0,1",
                                    "permute=1,0",
                                    "reshape=-1,4",
                                    "reshape=3,-1",
                                    "reshape=2,3,-1",
                                    "squeeze",
                                    "unsqueeze=0",
                                    "slice=:,1:",
                                    "slice=::-1",
                                    "repeat=1,2",
                                    "swap_axes=0,-1",
                                    "rearrange=a b -> b a",
                                    "rearrange=a b c -> (c a) b",
                                    "rearrange=(a b) c -> b c a, a=2",
                                    "window=0,2,1",
                                    "split=-1,2,0",
                                    "reshape=-1"};

static const char *const maps[] = {"cast=f32",
                                   "cast=f32",
                                   "mean=0.5",
                                   "std=3",
                                   "scale=0.1,axis=0",
                                   "bias=1,2,3,axis=0",
                                   "mean=1,2,3,4",
                                   "std=1,2,3,axis=1",
                                   "scale=0.5,0.25",
                                   "clamp=0,100",
                                   "round=i4",
                                   "round=f16,up",
                                   "mul=2",
                                   "max=1,2,3,axis=1",
                                   "cast=f16",
                                   "cast=f64",
                                   "quantize=u8,0.5:0.25:2,1:2:3",
                                   "quantize=i8,0.7,5",
                                   "dequantize=f32,0.5,3",
                                   "dequantize=f32,0.5:0.1,3:4,0,2",
                                   "cast=u8,even",
                                   "bitcast=i8",
                                   "bitcast=u8",
                                   "bitcast=u16",
                                   "bitcast=f32",
                                   "bitcast=u4",
                                   "cast=i16"};

static void fill(test_rng *rng, dense *made) {
  static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_I8, CLRS_F32, CLRS_F16, CLRS_U16};
  made->dtype = dtypes[rng_next(rng) % COUNT(dtypes)];
  made->shape = (clrs_shape){3, {2, 3, 4}};
  memset(made->bytes, 0, sizeof made->bytes);
  rng_fill(rng, made->bytes, 24 * (size_t)clrs_dtype_bits(made->dtype) / 8);
}

static bool append(test_rng *rng, char *text, size_t size, dense *at, int *map_count) {
  static dense next;
  const bool is_map = rng_percent(rng, 50);
  const char *op = is_map ? maps[rng_next(rng) % COUNT(maps)] : moves[rng_next(rng) % COUNT(moves)];
  clrs_mapped mapped;
  if (map_dense(at, op, &mapped) != CLRS_OK || count_of(&mapped.views.source.shape) > MOST_COUNT) {
    return false;
  }
  carry_out(&mapped, at, &next);
  *at = next;
  *map_count += is_map;
  const size_t used = strlen(text);
  snprintf(text + used, size - used, "%s;", op);
  return true;
}

TEST(at_once_is_one_after_the_other) {
  static dense source, stepwise, whole;
  const uint64_t seed = test_seed(15);
  const int64_t cases = test_cases(20000);
  int64_t compared = 0, widened = 0, cut = 0;
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    char text[CLRS_CHAIN_TEXT] = "";
    int map_count = 0;
    clrs_mapped mapped;
    fill(&rng, &source);
    stepwise = source;
    for (int64_t tries = rng_between(&rng, 1, 20); tries > 0; tries--) {
      append(&rng, text, sizeof text, &stepwise, &map_count);
    }
    const clrs_status status = map_dense(&source, text, &mapped);
    if (status != CLRS_OK) {
      const bool is_cut = status == CLRS_WOULD_COPY && strstr(error.message, " (bitcast=") != NULL;
      CHECK_SEEDED(is_cut || status == CLRS_UNSUPPORTED || status == CLRS_LIMIT_EXCEEDED,
                   seed + (uint64_t)i, "%s: %s", text, error.message);
      cut += is_cut;
      continue;
    }
    carry_out(&mapped, &source, &whole);
    CHECK_SEEDED(are_equal(&whole, &stepwise), seed + (uint64_t)i, "%s", text);
    compared += map_count > 1;
    widened += strstr(text, "bitcast=f32") != NULL && source.dtype != CLRS_F32;
  }
  print_message("  %d chains of several maps, %d with a bitcast to f32, %d that one would cut\n",
                (int)compared, (int)widened, (int)cut);
  assert_true(cases < 1000 || (compared > cases / 10 && widened > cases / 100));
}

/* ---- by hand ---- */

/* A frame of two pixels, in planes, normalised and quantised. */
TEST(a_frame_is_prepared_in_one_pass) {
  const uint8_t from[] = {10, 20, 30, 40, 50, 60};
  const clrs_shape shape = {3, {1, 2, 3}};
  const clrs_map_data data = {.source = {from, sizeof from}};
  clrs_chain chain;
  clrs_view view;
  clrs_mapped mapped;
  float planes[6];
  CHECK_OK(clrs_chain_parse("cast=f32 mean=1,2,3 permute=2,0,1 std=2,4,8,axis=0 reshape=3,2",
                            &chain, &error),
           error);
  CHECK_OK(clrs_view_dense(CLRS_U8, &shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  CHECK_OK(clrs_chain_map(&chain, NULL, &mapped, &error), error);
  assert_int_equal(mapped.dtype, CLRS_F32);
  assert_true(clrs_shape_equal(&mapped.views.source.shape, &(clrs_shape){2, {3, 2}}));
  assert_int_equal(mapped.map.step_count, 2);
  assert_int_equal(mapped.views.count, 1); /* both go along the channels, wherever these are */
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, planes, sizeof planes, &error), error);
  const float expected[] = {4.5F, 19.5F, 4.5F, 12, 3.375F, 7.125F};
  assert_memory_equal(planes, expected, sizeof planes);
}

TEST(one_by_one_is_the_same) {
  const clrs_shape shape = {2, {2, 3}};
  const clrs_rules rules = {CLRS_ONEDNN, CLRS_ZERO_COPIES};
  clrs_chain chain;
  clrs_view view;
  clrs_mapped steps, whole;
  CHECK_OK(clrs_chain_parse("cast=f32 scale=1,2,3 permute=1,0 cast=u8", &chain, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_F16, &shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &steps, &error), error);
  whole = steps;
  for (size_t i = 0; i < chain.op_count; i++) {
    CHECK_OK(clrs_chain_map_one(&chain, i, &rules, &steps, &error), error);
  }
  CHECK_OK(clrs_chain_map(&chain, &rules, &whole, &error), error);
  assert_true(clrs__map_equal(&steps.map, &whole.map));
  assert_int_equal(whole.map.steps[whole.map.step_count - 1].rounding,
                   CLRS_ROUND_EVEN); /* oneDNN's */
  assert_true(clrs_shape_equal(&steps.views.views[0].shape, &(clrs_shape){2, {3, 2}}));
}

TEST(a_failure_changes_nothing) {
  const clrs_shape shape = {2, {2, 3}};
  clrs_chain chain;
  clrs_view view;
  clrs_mapped mapped;
  CHECK_OK(clrs_chain_parse("cast=f32 scale=1,2,3 permute=1,0 reshape=5", &chain, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_F16, &shape, &view, &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  const clrs_mapped before = mapped;
  CHECK_FAILS(clrs_chain_map(&chain, NULL, &mapped, &error), CLRS_COUNT_MISMATCH, error);
  CHECK_SAYS(error, "operation 4 (reshape=5) at column 34");
  assert_memory_equal(&mapped, &before, sizeof mapped);
}

/* A single number at every place stays one walk under any movement. A list gets another walk each
 * time that reversed rows are cut in another place. */
TEST(a_parameter_that_cannot_follow_is_named) {
  static const char turns[] = "reshape=7,5 flip=1 reshape=5,7 flip=1;"
                              "reshape=7,5 flip=1 reshape=5,7 flip=1;"
                              "reshape=7,5 flip=1 reshape=5,7 flip=1;"
                              "reshape=7,5 flip=1 reshape=5,7 flip=1;";
  const clrs_shape one = {1, {1}};
  char text[CLRS_CHAIN_TEXT];
  clrs_chain chain;
  clrs_view view;
  clrs_mapped mapped;
  CHECK_OK(clrs_view_dense(CLRS_F32, &one, &view, &error), error);
  CHECK_OK(clrs_view_apply(&view, "expand=35 reshape=5,7", &error), error);
  CHECK_OK(clrs_mapped_init(&view, &mapped, &error), error);
  const clrs_mapped before = mapped;
  snprintf(text, sizeof text, "mean=1,2,3,4,5,6,7 %s", turns);
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_FAILS(clrs_chain_map(&chain, NULL, &mapped, &error), CLRS_LIMIT_EXCEEDED, error);
  CHECK_SAYS(error, "(flip=1) at column ");
  CHECK_SAYS(error, "the view needs a stack of more than 8 walks");
  assert_memory_equal(&mapped, &before, sizeof mapped);
  CHECK_OK(clrs_view_apply(&view, turns, &error), error);
  assert_int_equal(view.depth, 1);
}

/* ---- views ---- */

TEST(a_view_takes_maps_that_keep_its_bits) {
  const clrs_shape shape = {2, {2, 3}};
  clrs_view view;
  CHECK_OK(clrs_view_dense(CLRS_U16, &shape, &view, &error), error);
  CHECK_OK(clrs_view_apply(&view, "permute=1,0 bitcast=bf16 cast=bf16 flip=0", &error), error);
  assert_int_equal(view.dtype, CLRS_BF16);
  CHECK_OK(clrs_view_apply(&view, "bitcast=i16 cast=u16", &error), error); /* it wraps */
  assert_int_equal(view.dtype, CLRS_U16);
  const clrs_view before = view;
  CHECK_FAILS(clrs_view_apply(&view, "flip=1 cast=f32", &error), CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error,
             "operation 2 (cast=f32) at column 8: elements of u16 would be computed, to f32");
  CHECK_FAILS(clrs_view_apply(&view, "bitcast=f16 scale=1", &error), CLRS_UNSUPPORTED, error);
  CHECK_FAILS(clrs_view_apply(&view, "flip=1 scale=1", &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "operation 2 (scale=1) at column 8: scale computes in the elements' own type");
  assert_memory_equal(&view, &before, sizeof view);
}

TESTS(NULL, NULL)
