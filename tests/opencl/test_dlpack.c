/*
 * Incoming DLPack tensors: the places of elements, checked by moves, every type, and the single
 * call of the deleter at the right time. harness/negative has the refused tensors.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lent.h"

#include "clreshape/clreshape.h"
#include "harness/bits.h"
#include "harness/tensors.h"
#include "harness/works.h"

static const DLDataType f32 = {kDLFloat, 32, 1};

/* Moves the tensor into the destination, dense. Every byte must be as the positions say, or
 * poison. */
static void check_elements(api *a, clrs_tensor *tensor, const oracle *where, const bit_span *span) {
  unsigned char got[API_BYTES], expected[API_BYTES];
  const clrs_view *view = clrs_tensor_view(tensor);
  const clrs_layout dense = api_layout(view->dtype, where->shape.rank, where->shape.dims, NULL);
  cl_event event = NULL;
  api_poison(a);
  clrs_tensor *target = api_wrap(a->library, a->destination, 0, &dense);
  CHECK_OK(clrs_enqueue_move(tensor, target, ON(a->device.queue), &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(target);
  memcpy(expected, a->poison, API_BYTES);
  const bit_span to = bits_of(view->dtype, 0);
  oracle packed = oracle_from_layout(&dense);
  bits_move(span, a->bytes, where, &to, expected, &packed);
  oracle_free(&packed);
  device_read(&a->device, a->destination, API_BYTES, got);
  assert_memory_equal(got, expected, API_BYTES);
}

/* ---- where elements are ---- */

typedef struct place {
  const char *name;
  int32_t rank;
  int64_t dims[3], strides[3];
  bool has_strides;
  uint64_t byte_offset;
} place;

static const place places[] = {
    {"dense without strides", 2, {4, 6}, {0}, false, 0},
    {"dense with strides", 2, {4, 6}, {6, 1}, true, 0},
    {"an offset", 2, {4, 6}, {0}, false, 52},
    {"an odd offset", 2, {4, 6}, {0}, false, 53},
    {"transposed", 3, {6, 2, 4}, {1, 24, 6}, true, 8},
    {"with gaps", 2, {5, 7}, {40, 3}, true, 100},
    {"backwards", 2, {4, 6}, {-6, -1}, true, 92},
    {"one axis backwards", 2, {4, 6}, {6, -1}, true, 20},
    {"repeated", 2, {4, 6}, {0, 1}, true, 16},
    {"strides of dims of one are not looked at", 3, {1, 6, 1}, {1 << 30, 1, -77}, true, 0},
    {"a scalar", 0, {0}, {0}, false, 12},
    {"a scalar with strides", 0, {0}, {0}, true, 12},
    {"no elements", 3, {2, 0, 4}, {0}, false, 0},
    {"no elements with strides", 2, {0, 4}, {1000, 1000}, true, 4},
};

static void take_place(api *a, const place *p, bool is_versioned, bool is_null) {
  lent l;
  clrs_tensor *tensor = NULL;
  lent_init(&l, is_versioned, is_null ? NULL : a->source);
  lent_set(&l, f32, p->rank, p->dims, p->has_strides ? p->strides : NULL);
  lent_tensor(&l)->byte_offset = p->byte_offset;
  CHECK_OK(lent_take(&l, a->library, &tensor, &error), error);
  const clrs_layout layout =
      api_layout(CLRS_F32, (uint32_t)p->rank, p->dims, p->has_strides ? p->strides : NULL);
  oracle where = oracle_from_layout(&layout);
  const bit_span span = bits_of(CLRS_F32, p->byte_offset);
  assert_true(clrs_shape_equal(&clrs_tensor_view(tensor)->shape, &where.shape));
  check_elements(a, tensor, &where, &span);
  oracle_free(&where);
  assert_int_equal(l.deleted, 0);
  clrs_tensor_release(tensor);
  assert_int_equal(l.deleted, 1);
}

API_TEST(elements_are_where_dlpack_says) {
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    for (int form = 0; form < 2; form++) {
      take_place(*state, &places[i], form, false);
      if (strstr(places[i].name, "no elements"))
        take_place(*state, &places[i], form, true);
    }
}

/* Elements that lie across bytes are looked at and handed on only. */
static bool can_move(int bits) {
  return bits % 3 != 0;
}

API_TEST(random_strides) {
  const layout_wish wish = {4, 6, 120, 3, true};
  const uint64_t seed = test_seed(9100);
  for (int64_t i = 0; i < test_cases(60); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const size_t type = (size_t)rng_between(&rng, 0, (int64_t)lent_type_count - 1);
    const clrs_dtype dtype = lent_types[type].dtype;
    if (!can_move(lent_types[type].bits))
      continue;
    clrs_layout layout = layout_random(&rng, dtype, &wish, 0);
    const int64_t first = layout.offset; /* at the beginning of a byte */
    const uint64_t byte =
        (uint64_t)rng_between(&rng, 0, 50) + (uint64_t)(first * clrs_dtype_bits(dtype) + 7) / 8;
    layout.offset = 0;
    oracle where = oracle_from_layout(&layout);
    const bit_span span = bits_of(dtype, byte);
    int64_t lowest, highest;
    oracle_range(&where, &lowest, &highest);
    lent l;
    clrs_tensor *tensor = NULL;
    lent_init(&l, rng_percent(&rng, 50), a->source);
    lent_set(&l, (DLDataType){lent_types[type].code, lent_types[type].bits, 1},
             (int32_t)layout.rank, layout.dims, layout.strides);
    lent_tensor(&l)->byte_offset = byte;
    const bool fits = where.count == 0 || bits_end(&span, highest) <= API_BYTES;
    const clrs_status status = lent_take(&l, a->library, &tensor, &error);
    CHECK_SEEDED(status == (fits ? CLRS_OK : CLRS_OUT_OF_BOUNDS), seed + (uint64_t)i, "%s",
                 error.message);
    if (fits)
      check_elements(a, tensor, &where, &span);
    clrs_tensor_release(tensor);
    assert_int_equal(l.deleted, fits);
    oracle_free(&where);
  }
}

API_TEST(a_sub_buffer_counts_from_its_own_beginning) {
  lent l;
  clrs_tensor *tensor = NULL;
  cl_mem part = api_sub_buffer(a->source, 0, 1024, 256);
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(4, 6), NULL);
  const bit_span span = bits_of(CLRS_F32, 1024 + 8);
  oracle where = oracle_from_layout(&layout);
  lent_init(&l, true, part);
  lent_tensor(&l)->byte_offset = 8;
  CHECK_OK(lent_take(&l, a->library, &tensor, &error), error);
  CL_OK(clReleaseMemObject(part));
  check_elements(a, tensor, &where, &span);
  clrs_tensor_release(tensor);
  lent_tensor(&l)->data = part = api_sub_buffer(a->source, 0, 1024, 256);
  lent_tensor(&l)->byte_offset = 256 - 95;
  CHECK_FAILS(lent_take(&l, a->library, &tensor, &error), CLRS_OUT_OF_BOUNDS, error);
  CL_OK(clReleaseMemObject(part));
  assert_int_equal(l.deleted, 1);
  oracle_free(&where);
}

/* ---- types ---- */

static const lent_type *known(int code, int bits) {
  for (size_t i = 0; i < lent_type_count; i++)
    if (lent_types[i].code == code && lent_types[i].bits == bits)
      return &lent_types[i];
  return NULL;
}

API_TEST(every_type_is_known_or_refused) {
  size_t taken = 0;
  for (int code = 0; code < 256; code++)
    for (int bits = 0; bits < 256; bits++) {
      const lent_type *type = known(code, bits);
      lent l;
      clrs_tensor *tensor = NULL;
      lent_init(&l, code % 2, a->source);
      lent_set(&l, (DLDataType){(uint8_t)code, (uint8_t)bits, 1}, 1, LIST(40), NULL);
      const clrs_status status = lent_take(&l, a->library, &tensor, &error);
      assert_int_equal(status, type ? CLRS_OK : CLRS_UNSUPPORTED);
      if (type)
        assert_int_equal(clrs_tensor_view(tensor)->dtype, type->dtype);
      taken += type != NULL;
      clrs_tensor_release(tensor);
      assert_int_equal(l.deleted, type != NULL);
    }
  assert_int_equal(taken, lent_type_count);
}

/* The first bit of a byte is the lowest bit, as in DLPack's header. */
API_TEST(packed_elements_come_lowest_bit_first) {
  for (size_t i = 0; i < lent_type_count; i++) {
    if (!can_move(lent_types[i].bits))
      continue;
    const clrs_layout layout = api_layout(lent_types[i].dtype, 1, LIST(40), NULL);
    const bit_span span = {3, lent_types[i].bits, false};
    oracle where = oracle_from_layout(&layout);
    lent l;
    clrs_tensor *tensor = NULL;
    lent_init(&l, true, a->source);
    lent_set(&l, (DLDataType){lent_types[i].code, lent_types[i].bits, 1}, 1, LIST(40), NULL);
    lent_tensor(&l)->byte_offset = 3;
    CHECK_OK(lent_take(&l, a->library, &tensor, &error), error);
    check_elements(a, tensor, &where, &span);
    clrs_tensor_release(tensor);
    oracle_free(&where);
  }
}

API_TEST(flags_that_change_nothing) {
  const uint64_t flags[] = {DLPACK_FLAG_BITMASK_IS_COPIED,
                            DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED};
  for (int i = 0; i < 2; i++) {
    lent l;
    clrs_tensor *tensor = NULL;
    lent_init(&l, true, a->destination);
    l.versioned.flags = flags[i];
    l.versioned.version = (DLPackVersion){1, 77};
    lent_tensor(&l)->device.device_id = 9;
    CHECK_OK(lent_take(&l, a->library, &tensor, &error), error);
    CHECK_OK(clrs_enqueue_fill(tensor, a->bytes, ON(a->device.queue), NULL, &error), error);
    CL_OK(clFinish(a->device.queue));
    clrs_tensor_release(tensor);
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
