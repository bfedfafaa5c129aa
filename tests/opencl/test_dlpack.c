/*
 * Incoming DLPack tensors: the places of elements, checked by moves, every type, refused tensors,
 * and the single call of the deleter at the right time.
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

/* ---- what is refused ---- */

typedef void (*change)(lent *l);
#define CHANGE(name, statement)                                                                    \
  static void name(lent *l) {                                                                      \
    DLTensor *t = lent_tensor(l);                                                                  \
    (void)t;                                                                                       \
    statement;                                                                                     \
  }
CHANGE(on_the_host, t->device.device_type = kDLCPU)
CHANGE(on_cuda, t->device.device_type = kDLCUDA)
CHANGE(on_nothing, memset(&t->device, 0, sizeof t->device))
CHANGE(no_lanes, t->dtype.lanes = 0)
CHANGE(four_lanes, t->dtype.lanes = 4)
CHANGE(many_lanes, t->dtype.lanes = 65535)
CHANGE(handles, t->dtype = ((DLDataType){kDLOpaqueHandle, 64, 1}))
CHANGE(negative_rank, t->ndim = -1)
CHANGE(lowest_rank, t->ndim = INT32_MIN)
CHANGE(high_rank, t->ndim = CLRS_MAX_RANK + 1)
CHANGE(highest_rank, t->ndim = INT32_MAX)
CHANGE(no_shape, t->shape = NULL)
CHANGE(negative_dim, l->dims[1] = -6)
CHANGE(many_elements, l->dims[0] = l->dims[1] = INT64_MAX)
CHANGE(wide_strides, (t->strides = l->strides, l->strides[0] = INT64_MAX))
CHANGE(behind_the_end, t->byte_offset = API_BYTES - 95)
CHANGE(far_behind, t->byte_offset = UINT64_MAX)
CHANGE(before_the_start, (t->strides = l->strides, l->strides[0] = -6, l->strides[1] = 1))
CHANGE(no_data, t->data = NULL)
CHANGE(version_0, l->versioned.version.major = 0)
CHANGE(version_2, (l->versioned.version.major = 2, t->ndim = -5))
CHANGE(unknown_flag, l->versioned.flags = 8)
CHANGE(highest_flag, l->versioned.flags = 1ull << 63)
CHANGE(padded, (l->versioned.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
                t->dtype = (DLDataType){kDLInt, 4, 1}))
CHANGE(padded_sixes, (l->versioned.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
                      t->dtype = (DLDataType){kDLFloat6_e2m3fn, 6, 1}))

static const struct refusal {
  change change;
  clrs_status status;
  const char *says;
  bool is_versioned_only;
} refusals[] = {
    {on_the_host, CLRS_INVALID_ARGUMENT, "device type 1; it must be kDLOpenCL, 4", false},
    {on_cuda, CLRS_INVALID_ARGUMENT, "device type 2", false},
    {on_nothing, CLRS_INVALID_ARGUMENT, "device type 0", false},
    {no_lanes, CLRS_UNSUPPORTED, "type code 2, 32 bits and 0 lanes", false},
    {four_lanes, CLRS_UNSUPPORTED, "type code 2, 32 bits and 4 lanes", false},
    {many_lanes, CLRS_UNSUPPORTED, "65535 lanes", false},
    {handles, CLRS_UNSUPPORTED, "type code 3, 64 bits", false},
    {negative_rank, CLRS_INVALID_ARGUMENT, "ndim is -1; it must be at least 0", false},
    {lowest_rank, CLRS_INVALID_ARGUMENT, "ndim is -2147483648", false},
    {high_rank, CLRS_LIMIT_EXCEEDED, "rank 33", false},
    {highest_rank, CLRS_LIMIT_EXCEEDED, "rank 2147483647", false},
    {no_shape, CLRS_INVALID_ARGUMENT, "NULL", false},
    {negative_dim, CLRS_INVALID_ARGUMENT, "-6", false},
    {many_elements, CLRS_OVERFLOW, "64 bits", false},
    {wide_strides, CLRS_OVERFLOW, "stride 9223372036854775807", false},
    {behind_the_end, CLRS_OUT_OF_BOUNDS, "4001 to 4097", false},
    {far_behind, CLRS_OVERFLOW, "64 bits", false},
    {before_the_start, CLRS_OUT_OF_BOUNDS, "before the start", false},
    {no_data, CLRS_INVALID_ARGUMENT, "the buffer is NULL", false},
    {version_0, CLRS_UNSUPPORTED, "DLPack 0.0; known is version 1", true},
    {version_2, CLRS_UNSUPPORTED, "DLPack 2.0", true},
    {unknown_flag, CLRS_UNSUPPORTED, "flags 0x8; known are 0x7", true},
    {highest_flag, CLRS_UNSUPPORTED, "flags 0x8000000000000000", true},
    {padded, CLRS_UNSUPPORTED, "4 bits are padded to whole bytes", true},
    {padded_sixes, CLRS_UNSUPPORTED, "6 bits are padded", true},
};

API_TEST(what_is_wrong_is_refused_and_stays_the_callers) {
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++)
    for (int form = refusals[i].is_versioned_only; form < 2; form++) {
      lent l;
      clrs_tensor *tensor = (clrs_tensor *)a->poison;
      lent_init(&l, form, a->source);
      refusals[i].change(&l);
      CHECK_FAILS(lent_take(&l, a->library, &tensor, &error), refusals[i].status, error);
      CHECK_SAYS(error, refusals[i].says);
      assert_ptr_equal(tensor, a->poison);
      assert_int_equal(l.deleted, 0);
      device_require_references(a->source, 1);
    }
  lent l;
  clrs_tensor *tensor = NULL;
  lent_init(&l, true, a->source);
  CHECK_FAILS(lent_take(&l, a->foreign_library, &tensor, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "context");
  assert_int_equal(l.deleted, 0);
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
