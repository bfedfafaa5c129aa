/*
 * Mapped tensors on the device, bit by bit against clrs_map_apply on the host. Draws random maps,
 * layouts, parameters and movement operations before and after the map, by both ways of execution,
 * into destinations with an unchanged surrounding.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "map_fixture.h"

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/opencl_counts.h"
#include "harness/tensors.h"
#include "harness/works.h"
#include "mapped_tensors.h"

enum { MOST_AFTER = 4, PLACES_PER_CASE = 50, FEW_PROGRAMS = 1000 /* seeds below draw few maps */ };

/* ---- one case by one execution ---- */

typedef struct tally {
  int64_t moved, refused, unfit; /* unfit: refused on this device */
} tally;

/* The destination's element k holds mapped element at[k]. All other bytes are unchanged. */
static void expect(map_fixture *f, const map_case *c, const unsigned char *mapped,
                   const oracle *from, const clrs_layout *layout, uint64_t offset) {
  const bit_span span = bits_of(c->map.to, 0), to_span = bits_of(c->map.to, offset);
  oracle to = oracle_from_layout(layout);
  bits_move(&span, mapped, from, &to_span, f->poison, &to);
  oracle_free(&to);
  device_read(&f->device, f->destination, CASE_BYTES, f->got);
  for (size_t i = 0; i < CASE_BYTES; i++) {
    CHECK_SEEDED(f->got[i] == f->poison[i], c->seed,
                 "byte %zu is %02x, expected %02x: %s to %s, %u steps; destination at %zu", i,
                 f->got[i], f->poison[i], clrs_dtype_name(c->map.from, CLRS_TYPES_CLRESHAPE),
                 clrs_dtype_name(c->map.to, CLRS_TYPES_CLRESHAPE), c->map.step_count,
                 (size_t)offset);
  }
}

/* Enqueues in a separate call, with as many launches as the plan has, or as a batch. */
static clrs_status enqueue(map_fixture *f, map_case *c, clrs_context *library, clrs_tensor *seen,
                           clrs_tensor *destination, clrs_error *error) {
  const test_moves moves = {.count = 1, .sources = &seen, .destinations = &destination};
  const int64_t before = opencl_counted().launches;
  const size_t tried_before = clrs_context_self_test(library).passed;
  clrs_plan plan;
  if (rng_percent(&c->rng, 50))
    return test_enqueue_moves(library, &moves, ON(f->device.queue), NULL, error);
  const clrs_status planned = clrs_tensor_plan(seen, destination, CLRS_COPY_ALWAYS, &plan, NULL);
  const clrs_status status = clrs_enqueue_move(seen, destination, ON(f->device.queue), NULL, error);
  assert_int_equal(planned, status);
  const size_t tried = clrs_context_self_test(library).passed - tried_before; /* a launch each */
  if (status == CLRS_OK)
    assert_int_equal(opencl_counted().launches - before, plan.launch_count + tried);
  return status;
}

/* Packed elements in order, sometimes in rows with gaps between the rows. */
static clrs_layout packed_layout(map_case *c, const clrs_shape *shape) {
  clrs_layout layout;
  int64_t strides[CLRS_MAX_RANK], pitch = 1;
  const int64_t gap = rng_percent(&c->rng, 30) ? rng_between(&c->rng, 1, 9) : 0;
  for (uint32_t k = shape->rank; k-- > 0;) {
    strides[k] = pitch;
    pitch = pitch * shape->dims[k] + (k + 1 == shape->rank ? gap : 0);
  }
  CHECK_OK(clrs_layout_init(c->map.to, shape, gap > 0 ? strides : NULL, rng_between(&c->rng, 0, 5),
                            &layout, &error),
           error);
  return layout;
}

static bool move_seen(map_fixture *f, map_case *c, clrs_context *library, clrs_tensor *seen,
                      const unsigned char *mapped, const oracle *from) {
  const clrs_shape *shape = &clrs_tensor_view(seen)->shape;
  clrs_layout layout;
  if (clrs_dtype_bits(c->map.to) < 8) {
    layout = packed_layout(c, shape);
  } else {
    layout = layout_random_of_shape(&c->rng, c->map.to, shape, false, rng_between(&c->rng, 0, 9));
  }
  const uint64_t offset = map_case_offset(&c->rng, c->map.to);
  if (!map_case_fits(&layout)) {
    return false;
  }
  clrs_tensor *destination = map_wrap(library, f->destination, offset, &layout);
  device_write(&f->device, f->destination, CASE_BYTES, f->poison);
  const clrs_status status = enqueue(f, c, library, seen, destination, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_UNSUPPORTED, c->seed, "%s", error.message);
  if (status == CLRS_OK) {
    expect(f, c, mapped, from, &layout, offset);
  }
  clrs_tensor_release(destination);
  return status == CLRS_OK;
}

/* Movement operations after the map, on the device's tensor and on the oracle. */
static clrs_tensor *move_after(map_case *c, clrs_tensor *mapped, oracle *from) {
  clrs_view view = *clrs_tensor_view(mapped);
  clrs_tensor *seen = NULL;
  const int64_t steps = rng_between(&c->rng, 0, MOST_AFTER);
  for (int64_t i = 0; i < steps && from->count > 0; i++) {
    const move step = move_random(&c->rng, &view.shape, CASE_COUNT);
    if (move_apply_view(&step, &view, &error) != CLRS_OK) {
      break;
    }
    move_apply_oracle(&step, from);
  }
  CHECK_OK(clrs_tensor_with_view(mapped, &view, &seen, &error), error);
  return seen;
}

static void run_execution(map_fixture *f, map_case c, int which, const unsigned char *mapped,
                          tally *t) {
  clrs_context *library = f->libraries[which];
  clrs_tensor *whole = map_wrap(library, f->source, c.source_offset, &c.source), *source = NULL;
  CHECK_OK(clrs_tensor_with_view(whole, &c.seen, &source, &error), error);
  clrs_tensor *made = map_case_tensor(f, &c, library, source);
  clrs_tensor_release(source);
  clrs_tensor_release(whole);
  if (made == NULL) {
    t->unfit++;
    return;
  }
  clrs_layout dense;
  CHECK_OK(clrs_layout_init(c.map.to, &c.seen.shape, NULL, 0, &dense, &error), error);
  oracle from = oracle_from_layout(&dense);
  clrs_tensor *seen = move_after(&c, made, &from);
  clrs_tensor_release(made);
  if (move_seen(f, &c, library, seen, mapped, &from)) {
    t->moved++;
  } else {
    t->refused++;
  }
  clrs_tensor_release(seen);
  oracle_free(&from);
}

static void run_case(map_fixture *f, map_case *c, tally *t) {
  map_case_bytes(c, f->bytes, f->numbers);
  rng_fill(&c->rng, f->poison, CASE_BYTES);
  device_write(&f->device, f->source, CASE_BYTES, f->bytes);
  device_write(&f->device, f->parameters, CASE_BYTES, f->numbers);
  unsigned char *mapped = map_case_apply(f, c);
  for (int which = 0; which < 2; which++) {
    if (map_runs(which, c->seed)) {
      run_execution(f, *c, which, mapped, t);
    }
  }
  free(mapped);
}

MAP_TEST(any_map_is_the_hosts) {
  const uint64_t base = test_seed(1);
  const int64_t cases = test_cases(4);
  tally t = {0};
  for (int64_t i = 0; i < cases; i++) {
    map_case c;
    if (map_case_draw(base + (uint64_t)i, &c)) {
      run_case(f, &c, &t);
    }
  }
  print_message("%lld moved, %lld refused\n", (long long)t.moved, (long long)t.refused);
  assert_true(cases < 4 || t.unfit > 0 || t.moved > 2 * t.refused);
}

/* Few maps, so that few programs are built, from and to many places. */
MAP_TEST(few_maps_move_from_anywhere_to_anywhere) {
  static const struct {
    clrs_dtype from, to;
  } casts[] = {{CLRS_I16, CLRS_U8}, {CLRS_F32, CLRS_F16}, {CLRS_U2, CLRS_U8},
               {CLRS_I8, CLRS_U4},  {CLRS_U8, CLRS_F32},  {CLRS_I32, CLRS_U64}};
  const uint64_t base = test_seed(1);
  const int64_t cases = PLACES_PER_CASE * test_cases(8);
  const uint64_t kinds = base < FEW_PROGRAMS ? 4 : sizeof casts / sizeof *casts;
  tally t = {0};
  for (uint64_t seed = base; seed < base + (uint64_t)cases; seed++) {
    map_case c;
    if (map_case_draw_cast(seed, casts[seed % kinds].from, casts[seed % kinds].to, &c)) {
      run_case(f, &c, &t);
    }
  }
  print_message("%lld moved, %lld refused\n", (long long)t.moved, (long long)t.refused);
  assert_true(cases < 8 || t.moved > 2 * t.refused);
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
