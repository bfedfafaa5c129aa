/*
 * Chains with a pad on a device: one call gives the bytes of three calls, which apply the
 * operations in front, pad, and apply the operations behind. In both executions, also into a
 * destination that is no dense buffer. tests/chain/test_padded.c compares the pieces with
 * numpy.pad's rule.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/rng.h"
#include "map_fixture.h"
#include "tensor.h"

enum { BYTES = 1 << 14 };

typedef struct padded_case {
  clrs_dtype dtype;
  clrs_shape shape;
  const char *front, *pad, *behind;
  clrs_padding same; /* as `pad` */
} padded_case;

static const float minus_half = -0.5f;

static const padded_case cases[] = {
    {CLRS_F32,
     {1, {50}},
     "",
     "pad=5,mode=reflect",
     "window=0,8,3",
     {.begins = LIST(5), .ends = LIST(5), .mode = CLRS_PAD_REFLECT}},
    {CLRS_F32,
     {1, {50}},
     "",
     "pad=5,mode=wrap",
     "window=0,8,3 cast=f16",
     {.begins = LIST(5), .ends = LIST(5), .mode = CLRS_PAD_WRAP}},
    {CLRS_U8,
     {3, {9, 11, 3}},
     "",
     "pad=2:1,3,0,value=114",
     "permute=2,0,1",
     {.begins = LIST(2, 3, 0), .ends = LIST(1, 3, 0), .element = "\x72"}},
    {CLRS_U8,
     {3, {9, 11, 3}},
     "",
     "pad=2:1,3,0,value=114",
     "cast=f32 mean=1,2,3 std=58.4,57.1,57.4 permute=2,0,1 cast=f16",
     {.begins = LIST(2, 3, 0), .ends = LIST(1, 3, 0), .element = "\x72"}},
    {CLRS_U8,
     {3, {9, 11, 3}},
     "permute=2,0,1 cast=f32 scale=0.25",
     "pad=0,2,1,value=-0.5",
     "mean=1,2,3,axis=0 flip=1",
     {.begins = LIST(0, 2, 1), .ends = LIST(0, 2, 1), .element = &minus_half}},
    {CLRS_U8,
     {2, {12, 10}},
     "color=nv12,rgb,opencv",
     "pad=4,5,0,value=128",
     "cast=f32 std=255 permute=2,0,1",
     {.begins = LIST(4, 5, 0), .ends = LIST(4, 5, 0), .element = "\x80"}},
    {CLRS_U8,
     {2, {36, 40}},
     "color=nv12,rgb,opencv slice=3:,:-5 resize=7,16,opencv_linear",
     "pad=4:5,0,0,value=114",
     "permute=2,0,1 cast=f32 std=255",
     {.begins = LIST(4, 0, 0), .ends = LIST(5, 0, 0), .element = "\x72"}},
    {CLRS_I16,
     {4, {2, 3, 7, 6}},
     "",
     "pad=0,0,1,1",
     "window=2,3,1 window=3,3,1 rearrange=n c h w a b -> n (c a b) (h w)",
     {.begins = LIST(0, 0, 1, 1), .ends = LIST(0, 0, 1, 1), .element = "\0"}},
    {CLRS_I4,
     {2, {6, 14}},
     "",
     "pad=1,4,value=-3",
     "reshape=4,-1 repeat=0,2",
     {.begins = LIST(1, 4), .ends = LIST(1, 4), .element = "\x0d"}},
    {CLRS_U1,
     {2, {5, 16}},
     "",
     "pad=1,8,value=1",
     "flip=0",
     {.begins = LIST(1, 8), .ends = LIST(1, 8), .element = "\1"}},
    {CLRS_F64,
     {2, {5, 7}},
     "permute=1,0",
     "pad=2,mode=symmetric",
     "slice=1:,::-1 cast=i32",
     {.begins = LIST(2, 2), .ends = LIST(2, 2), .mode = CLRS_PAD_SYMMETRIC}},
    {CLRS_BF16,
     {2, {5, 7}},
     "",
     "pad=3,mode=edge",
     "bitcast=u16 permute=1,0",
     {.begins = LIST(3, 3), .ends = LIST(3, 3), .mode = CLRS_PAD_EDGE}},
    {CLRS_C64,
     {1, {3}},
     "",
     "pad=1",
     "reshape=5,1 expand=5,4",
     {.begins = LIST(1), .ends = LIST(1), .element = "\0\0\0\0\0\0\0"}},
    {CLRS_I32,
     {2, {0, 4}},
     "",
     "pad=1",
     "window=1,2,1",
     {.begins = LIST(1, 1), .ends = LIST(1, 1), .element = "\0\0\0"}},
    {CLRS_I32, {0, {0}}, "", "pad=7", "reshape=1,1", {.element = "\0\0\0"}},
};

static clrs_tensor *apply(map_fixture *f, clrs_tensor *source, const char *chain) {
  clrs_tensor *result = NULL;
  CHECK_OK(clrs_enqueue_chain(source, chain, CLRS_COPY_IF_NEEDED, NULL, &result,
                              ON(f->device.queue), NULL, &error),
           error);
  return result;
}

static size_t read_back(map_fixture *f, clrs_tensor *tensor, unsigned char *bytes) {
  int64_t count;
  CHECK_OK(clrs_shape_count(&tensor->view.shape, &count, &error), error);
  const size_t bits = (size_t)count * clrs_dtype_bits(tensor->view.dtype), size = (bits + 7) / 8;
  assert_true(size <= BYTES);
  CHECK_OK(clrs_enqueue_read(tensor, bytes, size, ON(f->device.queue), NULL, &error), error);
  CL_OK(clFinish(f->device.queue));
  if (bits % 8 != 0) {
    bytes[size - 1] &= (unsigned char)((1 << bits % 8) - 1);
  }
  return size;
}

static clrs_tensor *in_three_calls(map_fixture *f, clrs_tensor *source, const padded_case *c) {
  clrs_tensor *front = apply(f, source, c->front), *padded = NULL;
  CHECK_OK(clrs_enqueue_pad(front, &c->same, NULL, &padded, ON(f->device.queue), NULL, &error),
           error);
  clrs_tensor *behind = apply(f, padded, c->behind);
  clrs_tensor_release(front);
  clrs_tensor_release(padded);
  return behind;
}

static void require_equal(map_fixture *f, clrs_tensor *made, clrs_tensor *expected,
                          const char *text) {
  static unsigned char got[BYTES], wanted[BYTES];
  assert_true(clrs_shape_equal(&made->view.shape, &expected->view.shape));
  assert_int_equal(made->view.dtype, expected->view.dtype);
  const size_t size = read_back(f, made, got);
  read_back(f, expected, wanted);
  for (size_t i = 0; i < size; i++) {
    if (got[i] != wanted[i]) {
      fail_msg("'%s': byte %zu of %zu is %d and must be %d", text, i, size, got[i], wanted[i]);
    }
  }
}

/* Into a destination whose dims lie in reverse order. */
static clrs_tensor *into_reversed(map_fixture *f, clrs_context *library, clrs_tensor *source,
                                  const char *text, const clrs_tensor *like) {
  const clrs_shape *shape = &like->view.shape;
  int64_t order[CLRS_MAX_RANK];
  clrs_shape reversed = *shape;
  clrs_tensor *to = NULL, *seen = NULL;
  for (uint32_t d = 0; d < shape->rank; d++) {
    order[d] = (int64_t)(shape->rank - 1 - d);
    reversed.dims[d] = shape->dims[order[d]];
  }
  to = map_dense(library, f->destination, like->view.dtype, reversed.rank, reversed.dims);
  clrs_view view = to->view;
  CHECK_OK(clrs_view_permute(&view, shape->rank, order, &error), error);
  CHECK_OK(clrs_tensor_with_view(to, &view, &seen, &error), error);
  CHECK_OK(clrs_enqueue_chain(source, text, CLRS_COPY_ALWAYS, seen, NULL, ON(f->device.queue), NULL,
                              &error),
           error);
  clrs_tensor_release(to);
  return seen;
}

static void run_case(map_fixture *f, clrs_context *library, const padded_case *c,
                     bool is_reversed) {
  char text[512];
  clrs_tensor *source = map_dense(library, f->source, c->dtype, c->shape.rank, c->shape.dims);
  snprintf(text, sizeof text, "%s %s %s", c->front, c->pad, c->behind);
  clrs_tensor *made = apply(f, source, text), *expected = in_three_calls(f, source, c);
  require_equal(f, made, expected, text);
  if (is_reversed) {
    clrs_tensor *reversed = into_reversed(f, library, source, text, expected);
    require_equal(f, reversed, expected, text);
    clrs_tensor_release(reversed);
  }
  clrs_tensor_release(made);
  clrs_tensor_release(expected);
  clrs_tensor_release(source);
}

static void fill_source(map_fixture *f) {
  test_rng rng = rng_start(test_seed(7300));
  rng_fill(&rng, f->bytes, BYTES);
  device_write(&f->device, f->source, BYTES, f->bytes);
}

MAP_TEST(one_call_is_three) {
  fill_source(f);
  for (size_t i = 0; i < COUNT(cases); i++) {
    if (device_has_doubles(f->device.device) || cases[i].dtype != CLRS_F64) {
      run_case(f, f->libraries[i % 2], &cases[i], i % 4 == 0);
    }
  }
}

/* ---- refusals ---- */

static void refuse(map_fixture *f, const char *text, clrs_copy_policy policy, clrs_status expected,
                   const char *says) {
  const int64_t dims[] = {4, 6};
  clrs_tensor *source = map_dense(f->libraries[0], f->source, CLRS_U8, 2, dims), *result = NULL;
  CHECK_FAILS(
      clrs_enqueue_chain(source, text, policy, NULL, &result, ON(f->device.queue), NULL, &error),
      expected, error);
  CHECK_SAYS(error, says);
  assert_null(result);
  clrs_tensor_release(source);
}

MAP_TEST(a_pad_that_cannot_be_leaves_nothing) {
  refuse(f, "pad=1", CLRS_COPY_NEVER, CLRS_WOULD_COPY, "no view of the source shows a border");
  refuse(f, "pad=1", (clrs_copy_policy)9, CLRS_INVALID_ARGUMENT, "copy policy 9");
  refuse(f, "pad=1,value=256", CLRS_COPY_ALWAYS, CLRS_INVALID_ARGUMENT,
         "no element of type u8 is 256");
  refuse(f, "pad=1 cast=f32 pad=1", CLRS_COPY_ALWAYS, CLRS_UNSUPPORTED, "a chain pads once");
  refuse(f, "pad=9000,mode=wrap", CLRS_COPY_ALWAYS, CLRS_LIMIT_EXCEEDED, "over 8192 pieces");
}

MAP_TEST(a_destination_must_fit) {
  const int64_t dims[] = {4, 6}, less[] = {6, 7}, fit[] = {6, 8};
  clrs_tensor *source = map_dense(f->libraries[0], f->source, CLRS_U8, 2, dims);
  clrs_tensor *small = map_dense(f->libraries[0], f->destination, CLRS_U8, 2, less);
  clrs_tensor *other = map_dense(f->libraries[0], f->destination, CLRS_I8, 2, fit);
  CHECK_FAILS(clrs_enqueue_chain(source, "pad=1", CLRS_COPY_ALWAYS, small, NULL,
                                 ON(f->device.queue), NULL, &error),
              CLRS_COUNT_MISMATCH, error);
  CHECK_SAYS(error, "the chain makes [6,8] of u8 and the destination is [6,7] of u8");
  CHECK_FAILS(clrs_enqueue_chain(source, "pad=1", CLRS_COPY_ALWAYS, other, NULL,
                                 ON(f->device.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  clrs_tensor_release(source);
  clrs_tensor_release(small);
  clrs_tensor_release(other);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
