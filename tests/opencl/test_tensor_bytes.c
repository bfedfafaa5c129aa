/*
 * clrs_tensor_bytes against explicit positions: of strided views, packed types and stacks, over
 * roots and sub-buffers. Also the data of a read of the range.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "api.h"

#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/rng.h"
#include "harness/tensors.h"

enum { BYTES = 1 << 17, FIRST = 1 << 14, MAX_COUNT = 300 };

static const clrs_dtype dtypes[] = {CLRS_U8, CLRS_F16, CLRS_F32,  CLRS_C128,
                                    CLRS_I4, CLRS_U1,  CLRS_BITS2};

typedef struct board {
  test_device device;
  clrs_context *library;
  cl_mem root, part; /* part: of root, from FIRST on */
  unsigned char bytes[BYTES];
} board;

typedef struct tally {
  int64_t empty, stacked, exact_stacks, in_parts;
} tally;

static int board_open(void **state) {
  board *b = calloc(1, sizeof *b);
  test_rng rng = rng_start(1);
  assert_non_null(b);
  device_open(&b->device);
  b->library = device_library(&b->device, NULL);
  b->root = device_buffer(&b->device, CL_MEM_READ_WRITE, BYTES);
  b->part = api_sub_buffer(b->root, 0, FIRST, BYTES - FIRST);
  rng_fill(&rng, b->bytes, BYTES);
  device_write(&b->device, b->root, BYTES, b->bytes);
  *state = b;
  return 0;
}

static int board_close(void **state) {
  board *b = *state;
  clrs_context_release(b->library);
  CL_OK(clReleaseMemObject(b->part));
  device_require_references(b->root, 1);
  CL_OK(clReleaseMemObject(b->root));
  device_close(&b->device);
  free(b);
  return 0;
}

/* A tensor somewhere in the buffer, and the positions of the elements. */
typedef struct subject {
  clrs_tensor *tensor;
  oracle expected;
  bit_span span; /* from the start of the root */
  bool is_in_part;
} subject;

static void subject_open(board *b, test_rng *rng, subject *s) {
  clrs_error error;
  clrs_tensor *whole = NULL;
  const layout_wish wish = {4, 9, 150, 3, true};
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, 6)];
  const clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 60));
  s->is_in_part = rng_percent(rng, 50);
  const clrs_storage storage = {s->is_in_part ? b->part : b->root,
                                (uint64_t)rng_between(rng, 0, 900)};
  CHECK_OK(clrs_tensor_wrap(b->library, &storage, &layout, &whole, &error), error);
  s->expected = oracle_from_layout(&layout);
  s->span = bits_of(dtype, storage.byte_offset + (s->is_in_part ? FIRST : 0));
  clrs_view view = *clrs_tensor_view(whole);
  for (int64_t left = rng_between(rng, 0, 9); left > 0 && view.depth == 1; left--) {
    const move step = move_random(rng, &view.shape, MAX_COUNT);
    if (move_apply_view(&step, &view, &error) == CLRS_OK)
      move_apply_oracle(&step, &s->expected);
  }
  CHECK_OK(clrs_tensor_with_view(whole, &view, &s->tensor, &error), error);
  clrs_tensor_release(whole);
}

static void subject_close(subject *s) {
  clrs_tensor_release(s->tensor);
  oracle_free(&s->expected);
}

/* A single walk: from the first byte of the lowest element to the last byte of the highest element.
 * A stack: at least these bytes, and within the buffer. */
static void check_range(const subject *s, const clrs_byte_range *range, tally *tally,
                        uint64_t seed) {
  int64_t lowest, highest;
  oracle_range(&s->expected, &lowest, &highest);
  const uint64_t begin = s->span.byte_offset + (uint64_t)lowest * s->span.width / 8;
  const uint64_t end = bits_end(&s->span, highest);
  const bool is_exact = range->offset == begin && range->offset + range->size == end;
  const bool is_stack = clrs_tensor_view(s->tensor)->depth > 1;
  CHECK_SEEDED(is_exact ||
                   (is_stack && range->offset <= begin && end - range->offset <= range->size),
               seed, "bytes %zu to %zu; the elements have %llu to %llu", range->offset,
               range->offset + range->size, (unsigned long long)begin, (unsigned long long)end);
  CHECK_SEEDED(range->offset >= (s->is_in_part ? FIRST : 0) && range->offset + range->size <= BYTES,
               seed, "it leaves its buffer");
  tally->stacked += is_stack;
  tally->exact_stacks += is_stack && is_exact;
}

/* The range as the caller reads the range. Each element is at the place that the function's comment
 * describes. */
static void check_elements(const board *b, const subject *s, const clrs_byte_range *range,
                           uint64_t seed) {
  static unsigned char got[BYTES], element[16], wanted[16];
  const clrs_storage storage = clrs_tensor_storage(s->tensor);
  CL_OK(clEnqueueReadBuffer(b->device.queue, range->buffer, CL_TRUE, range->offset, range->size,
                            got, 0, NULL, NULL));
  const bit_span none = {0, s->span.width, s->span.msb_first};
  for (int64_t k = 0; k < s->expected.count; k++) {
    const int64_t first = ((int64_t)storage.byte_offset - (int64_t)range->offset) * 8 +
                          s->expected.positions[k] * s->span.width;
    memset(element, 0, sizeof element);
    memset(wanted, 0, sizeof wanted);
    assert_true(first >= 0);
    bits_copy(&none, got, first / s->span.width, &none, element, 0);
    bits_copy(&s->span, b->bytes, s->expected.positions[k], &none, wanted, 0);
    CHECK_SEEDED(memcmp(element, wanted, sizeof element) == 0, seed, "element %lld", (long long)k);
  }
}

#define FIXTURE_TEST(name) TEST_OF(board, b, name, board_open, board_close)

FIXTURE_TEST(random_views_lie_where_it_says) {
  tally tally = {0};
  const uint64_t seed = test_seed(830000);
  const int64_t cases = test_cases(3000);
  for (int64_t i = 0; i < cases; i++) {
    subject s;
    clrs_byte_range range = {NULL, 7, 7};
    test_rng rng = rng_start(seed + (uint64_t)i);
    subject_open(b, &rng, &s);
    CHECK_OK(clrs_tensor_bytes(s.tensor, &range, &error), error);
    assert_ptr_equal(range.buffer, b->root);
    tally.in_parts += s.is_in_part;
    if (s.expected.count == 0) {
      assert_true(range.offset == 0 && range.size == 0);
      tally.empty++;
    } else {
      check_range(&s, &range, &tally, seed + (uint64_t)i);
      check_elements(b, &s, &range, seed + (uint64_t)i);
    }
    subject_close(&s);
  }
  print_message("%lld views, %lld in a sub-buffer, %lld empty; of %lld stacks the range of %lld is "
                "exact\n",
                (long long)cases, (long long)tally.in_parts, (long long)tally.empty,
                (long long)tally.stacked, (long long)tally.exact_stacks);
  if (cases >= 1000)
    assert_true(tally.empty > 20 && tally.stacked * 30 > cases && tally.exact_stacks > 0);
}

FIXTURE_TEST(a_tensor_without_a_buffer_has_no_bytes) {
  clrs_tensor *empty = NULL;
  clrs_byte_range range = {b->root, 7, 7};
  const clrs_shape shape = {2, {3, 0}};
  CHECK_OK(clrs_tensor_allocate(b->library, NULL, CLRS_F32, &shape, &empty, &error), error);
  CHECK_OK(clrs_tensor_bytes(empty, &range, &error), error);
  assert_true(range.buffer == NULL && range.offset == 0 && range.size == 0);
  clrs_tensor_release(empty);
}

/* Seven nibbles backwards from nibble 9 on: 3 to 9, in bytes 1 to 4. The first of these bytes holds
 * a foreign nibble. */
FIXTURE_TEST(packed_elements_share_their_first_byte) {
  clrs_tensor *tensor = NULL;
  clrs_byte_range range;
  const clrs_layout layout = {CLRS_U4, 1, {7}, {-1}, 9};
  const clrs_storage storage = {b->part, 10};
  CHECK_OK(clrs_tensor_wrap(b->library, &storage, &layout, &tensor, &error), error);
  CHECK_OK(clrs_tensor_bytes(tensor, &range, &error), error);
  assert_int_equal(range.offset, FIRST + 10 + 1);
  assert_int_equal(range.size, 4);
  clrs_tensor_release(tensor);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
