/*
 * Fill, pad and concat at random: every type, any destination layout, ordered and unordered queues.
 * The whole destination buffer is compared. Parts of a packed destination may share a byte, and
 * must not lose each other's bits.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "device.h"

#include <stdlib.h>

#include "bits.h"
#include "tensors.h"

enum { BUFFER = 1 << 18, MAX_PARTS = 4 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_I2,  CLRS_U4,  CLRS_BOOL,
                                    CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};

typedef struct fixture {
  test_device device;
  clrs_context *library;
  cl_command_queue unordered;
  cl_mem source, destination;
  unsigned char *bytes, *expected, *got;
} fixture;

typedef struct place {
  clrs_layout layout;
  bit_span span;
  oracle tensor;
  clrs_tensor *wrapped;
} place;

typedef struct assembly_case {
  uint64_t seed;
  cl_command_queue queue;
  place to;
  size_t size; /* of the destination buffer that is compared */
  char text[600];
} assembly_case;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  test_rng rng = rng_start(7);
  assert_non_null(f);
  device_open(&f->device);
  f->library = device_library(&f->device, NULL);
  f->unordered = device_queue(&f->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->bytes = malloc(BUFFER);
  f->expected = malloc(BUFFER);
  f->got = malloc(BUFFER);
  assert_true(f->bytes && f->expected && f->got);
  rng_fill(&rng, f->bytes, BUFFER);
  device_write(&f->device, f->source, BUFFER, f->bytes);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  clrs_context_release(f->library);
  CL_OK(clReleaseCommandQueue(f->unordered));
  assert_int_equal(device_references(f->source), 1);
  assert_int_equal(device_references(f->destination), 1);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  device_close(&f->device);
  free(f->bytes);
  free(f->expected);
  free(f->got);
  free(f);
  return 0;
}

static place place_of(const fixture *f, cl_mem buffer, const clrs_layout *layout,
                      uint64_t byte_offset) {
  place p = {.layout = *layout, .span = bits_of(layout->dtype, byte_offset)};
  const clrs_storage storage = {buffer, byte_offset};
  clrs_error error;
  p.tensor = oracle_from_layout(layout);
  CHECK_OK(clrs_tensor_wrap(f->library, &storage, layout, &p.wrapped, &error), error);
  return p;
}

static void place_free(place *p) {
  clrs_tensor_release(p->wrapped);
  oracle_free(&p->tensor);
}

static void case_begin(fixture *f, assembly_case *c, test_rng *rng) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  const layout_wish wish = {4, 11, 400, 1, false};
  int64_t lowest, highest;
  clrs_layout layout;
  do
    layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 20));
  while (layout.rank == 0);
  c->to = place_of(f, f->destination, &layout, (uint64_t)rng_between(rng, 0, 20));
  c->queue = rng_percent(rng, 50) ? f->unordered : f->device.queue;
  oracle_range(&c->to.tensor, &lowest, &highest);
  c->size = (size_t)bits_end(&c->to.span, highest) + 16;
  print_layout(&layout, c->text, sizeof c->text);
  rng_fill(rng, f->expected, c->size);
  device_write(&f->device, f->destination, c->size, f->expected);
}

static void case_end(fixture *f, assembly_case *c, clrs_status status, const clrs_error *error,
                     cl_event event) {
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s", c->text, error->message);
  device_finish_event(event);
  device_read(&f->device, f->destination, c->size, f->got);
  for (size_t i = 0; i < c->size; i++)
    CHECK_SEEDED(f->got[i] == f->expected[i], c->seed, "%s: byte %zu is %02x, not %02x", c->text, i,
                 f->got[i], f->expected[i]);
  place_free(&c->to);
}

/* Expects one value in every element; packed values lie in the low bits of `element`. */
static void expect_fill(fixture *f, const assembly_case *c, const unsigned char *element) {
  const bit_span one = {0, c->to.span.width, false};
  const bit_span from = {0, one.width, c->to.span.msb_first};
  unsigned char value[16];
  memcpy(value, element, sizeof value);
  if (from.msb_first) /* the low bit moves to where an MSB-first element 0 is read */
    value[0] = (unsigned char)((element[0] & 1) << 7);
  for (int64_t k = 0; k < c->to.tensor.count; k++)
    bits_copy(&from, value, 0, &c->to.span, f->expected, c->to.tensor.positions[k]);
}

static void fill_writes_every_element(void **state) {
  fixture *f = *state;
  const uint64_t seed = test_seed(510000);
  const int64_t cases = test_cases(2000);
  for (int64_t i = 0; i < cases; i++) {
    assembly_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    unsigned char element[16];
    clrs_error error = {0};
    cl_event event = NULL;
    case_begin(f, &c, &rng);
    rng_fill(&rng, element, sizeof element);
    expect_fill(f, &c, element);
    const clrs_status status =
        clrs_enqueue_fill(f->library, c.to.wrapped, element, c.queue, 0, NULL, &event, &error);
    memset(element, 0, sizeof element); /* it was read before the call returned */
    case_end(f, &c, status, &error, event);
  }
}

/* A random part of the destination's index space. */
static void draw_part(test_rng *rng, const clrs_shape *whole, clrs_shape *part, clrs_slice *slices,
                      int64_t *begins) {
  part->rank = whole->rank;
  for (uint32_t d = 0; d < whole->rank; d++) {
    const bool all = rng_percent(rng, 40);
    begins[d] = all ? 0 : rng_between(rng, 0, whole->dims[d]);
    part->dims[d] = all ? whole->dims[d] : rng_between(rng, 0, whole->dims[d] - begins[d]);
    if (part->dims[d] == 0 && whole->dims[d] > begins[d] && rng_percent(rng, 90))
      part->dims[d] = 1;
    slices[d] = (clrs_slice){d, begins[d], begins[d] + part->dims[d], 1};
  }
}

static void expect_part(fixture *f, const assembly_case *c, const place *from,
                        const clrs_slice *slices) {
  oracle part = oracle_copy(&c->to.tensor);
  oracle_slice(&part, part.shape.rank, slices);
  bits_move(&from->span, f->bytes, &from->tensor, &c->to.span, f->expected, &part);
  oracle_free(&part);
}

static void pad_surrounds_the_source(void **state) {
  fixture *f = *state;
  const uint64_t seed = test_seed(520000);
  const int64_t cases = test_cases(3000);
  for (int64_t i = 0; i < cases; i++) {
    assembly_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    unsigned char element[16];
    clrs_slice slices[CLRS_MAX_RANK];
    int64_t begins[CLRS_MAX_RANK];
    clrs_shape part;
    clrs_error error = {0};
    cl_event event = NULL;
    case_begin(f, &c, &rng);
    rng_fill(&rng, element, sizeof element);
    draw_part(&rng, &c.to.tensor.shape, &part, slices, begins);
    const clrs_layout layout = layout_random_of_shape(&rng, c.to.layout.dtype, &part, true, 0);
    place from = place_of(f, f->source, &layout, (uint64_t)rng_between(&rng, 0, 20));
    expect_fill(f, &c, element);
    expect_part(f, &c, &from, slices);
    const clrs_padding padding = {begins, element};
    const clrs_status status = clrs_enqueue_pad(f->library, from.wrapped, c.to.wrapped, &padding,
                                                c.queue, 0, NULL, &event, &error);
    place_free(&from);
    case_end(f, &c, status, &error, event);
  }
}

/* Cuts the destination along one axis and gives each part a source. */
static size_t draw_sources(fixture *f, const assembly_case *c, test_rng *rng, int64_t axis,
                           place *from) {
  const int64_t dim = c->to.layout.dims[axis];
  const size_t count = (size_t)rng_between(rng, 1, MAX_PARTS);
  int64_t begin = 0;
  for (size_t i = 0; i < count; i++) {
    const int64_t size = i + 1 == count ? dim - begin : rng_between(rng, 0, dim - begin);
    const clrs_slice slice = {axis, begin, begin + size, 1};
    clrs_shape shape = c->to.tensor.shape;
    shape.dims[axis] = size;
    const clrs_layout layout = layout_random_of_shape(rng, c->to.layout.dtype, &shape, true, 0);
    from[i] = place_of(f, f->source, &layout, (uint64_t)rng_between(rng, 0, 20));
    oracle part = oracle_copy(&c->to.tensor);
    oracle_slice(&part, 1, &slice);
    bits_move(&from[i].span, f->bytes, &from[i].tensor, &c->to.span, f->expected, &part);
    oracle_free(&part);
    begin += size;
  }
  return count;
}

static void concat_puts_parts_side_by_side(void **state) {
  fixture *f = *state;
  const uint64_t seed = test_seed(530000);
  const int64_t cases = test_cases(3000);
  for (int64_t i = 0; i < cases; i++) {
    assembly_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    place from[MAX_PARTS];
    clrs_tensor *tensors[MAX_PARTS];
    clrs_error error = {0};
    cl_event event = NULL;
    case_begin(f, &c, &rng);
    const int64_t rank = c.to.layout.rank, axis = rng_between(&rng, 0, rank - 1);
    const size_t count = draw_sources(f, &c, &rng, axis, from);
    for (size_t s = 0; s < count; s++)
      tensors[s] = from[s].wrapped;
    const clrs_sources sources = {count, tensors};
    const clrs_status status =
        clrs_enqueue_concat(f->library, &sources, rng_percent(&rng, 30) ? axis - rank : axis,
                            c.to.wrapped, c.queue, 0, NULL, &event, &error);
    for (size_t s = 0; s < count; s++)
      place_free(&from[s]);
    case_end(f, &c, status, &error, event);
  }
}

int main(void) {
  const int missing = device_missing();
  if (missing)
    return missing;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(fill_writes_every_element, fixture_open, fixture_close),
      cmocka_unit_test_setup_teardown(pad_surrounds_the_source, fixture_open, fixture_close),
      cmocka_unit_test_setup_teardown(concat_puts_parts_side_by_side, fixture_open, fixture_close),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
