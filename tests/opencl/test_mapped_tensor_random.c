/*
 * Mapped tensors on the device: whatever clrs_map_apply gives on the host, bit by bit, for random
 * maps, layouts, parameters and movement operations before and after the map, by both ways of
 * execution, into destinations around which nothing may change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"

enum { BUFFER = 1 << 18, MAX_COUNT = 1500, MOST_AFTER = 4 };

static const clrs_dtype types[] = {
    CLRS_BOOL,   CLRS_I8,       CLRS_U8,         CLRS_I16,    CLRS_U16,        CLRS_I32,
    CLRS_U32,    CLRS_I64,      CLRS_U64,        CLRS_F16,    CLRS_BF16,       CLRS_F32,
    CLRS_F64,    CLRS_U1,       CLRS_I2,         CLRS_U2,     CLRS_I4,         CLRS_U4,
    CLRS_F4E2M1, CLRS_F8E4M3FN, CLRS_F8E4M3FNUZ, CLRS_F8E5M2, CLRS_F8E5M2FNUZ, CLRS_F8E8M0};
enum { TYPES = sizeof types / sizeof *types };

typedef struct fixture {
  test_device device;
  clrs_context *libraries[2]; /* CPU, GPU */
  cl_mem source, destination, parameters;
  unsigned char *bytes, *poison, *got, *numbers;
} fixture;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  for (int i = 0; i < 2; i++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    f->libraries[i] = device_library(&f->device, &limits);
  }
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->parameters = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->bytes = malloc(BUFFER);
  f->poison = malloc(BUFFER);
  f->got = malloc(BUFFER);
  f->numbers = malloc(BUFFER);
  assert_true(f->bytes && f->poison && f->got && f->numbers);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  clrs_context_release(f->libraries[0]);
  clrs_context_release(f->libraries[1]);
  device_require_references(f->source, 1);
  device_require_references(f->destination, 1);
  device_require_references(f->parameters, 1);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  CL_OK(clReleaseMemObject(f->parameters));
  device_close(&f->device);
  free(f->bytes);
  free(f->poison);
  free(f->got);
  free(f->numbers);
  free(f);
  return 0;
}

/* ---- a case ---- */

typedef struct map_case {
  uint64_t seed;
  test_rng rng;
  clrs_map map;
  clrs_layout layout; /* of the source */
  uint64_t source_offset;
  uint64_t parameter_offset; /* of the next tensor */
  clrs_layout tensors[CLRS_MAP_STEPS + 1];
  uint64_t tensor_offsets[CLRS_MAP_STEPS + 1];
  bool is_tensor[CLRS_MAP_STEPS + 1];
} map_case;

static bool is_packed(clrs_dtype dtype) {
  return clrs_dtype_bits(dtype) < 8;
}

/* A byte offset such as a caller may have. */
static uint64_t random_offset(test_rng *rng, clrs_dtype dtype) {
  const uint32_t bits = clrs_dtype_bits(dtype);
  return rng_percent(rng, 15) ? (uint64_t)rng_between(rng, 0, 40)
                              : (uint64_t)rng_between(rng, 0, 8) * (bits < 8 ? 1 : bits / 8);
}

static bool is_integer(clrs_dtype dtype) {
  return (dtype >= CLRS_I8 && dtype <= CLRS_U64) || dtype == CLRS_U1 || dtype == CLRS_I2 ||
         dtype == CLRS_U2 || dtype == CLRS_I4 || dtype == CLRS_U4;
}

/* A spread for the shape, and how many numbers it takes. */
static clrs_spread random_spread(test_rng *rng, const clrs_shape *shape, int64_t *count) {
  clrs_spread spread = {0};
  *count = 1;
  if (shape->rank == 0 || rng_percent(rng, 30)) {
    return spread;
  }
  spread.kind = CLRS_SPREAD_AXIS;
  spread.axis = rng_between(rng, 0, shape->rank - 1);
  const int64_t extent = shape->dims[spread.axis];
  if (rng_percent(rng, 40) && extent > 2) {
    spread.block = rng_between(rng, 2, extent);
    *count = (extent + spread.block - 1) / spread.block;
  } else {
    *count = extent;
  }
  return spread;
}

static double random_number(test_rng *rng, bool is_integral, double lowest, double highest) {
  const double scale = is_integral ? 1 : 16;
  return (double)rng_between(rng, (int64_t)(lowest * scale), (int64_t)(highest * scale)) / scale;
}

static clrs_dtype random_parameter_type(test_rng *rng, bool is_zero) {
  for (;;) {
    const clrs_dtype dtype = types[rng_between(rng, 0, TYPES - 1)];
    if (dtype != CLRS_BOOL && dtype != CLRS_F8E8M0 &&
        (!is_zero || (is_integer(dtype) && clrs_dtype_bits(dtype) <= 32))) {
      return dtype;
    }
  }
}

/* A dense tensor of the spread's numbers, any bits. */
static void draw_tensor(fixture *f, map_case *c, uint32_t at, int64_t count) {
  clrs_error error;
  clrs_shape shape;
  const clrs_dtype dtype = random_parameter_type(&c->rng, at == CLRS_MAP_STEPS);
  CHECK_OK(clrs_shape_init(1, &count, &shape, &error), error);
  c->tensors[at] = layout_random_of_shape(&c->rng, dtype, &shape, false, 0);
  c->tensor_offsets[at] = c->parameter_offset + random_offset(&c->rng, dtype);
  c->parameter_offset += BUFFER / 16;
  c->is_tensor[at] = true;
  (void)f;
}

static bool draw_parameter(fixture *f, map_case *c, uint32_t at, clrs_numbers *numbers,
                           double *values, double lowest, double highest) {
  int64_t count;
  const clrs_shape shape = {.rank = c->layout.rank};
  clrs_shape whole = shape;
  memcpy(whole.dims, c->layout.dims, sizeof whole.dims);
  numbers->spread = random_spread(&c->rng, &whole, &count);
  if (rng_percent(&c->rng, 35) || count > 16) {
    draw_tensor(f, c, at, count);
    *numbers = (clrs_numbers){0, NULL, numbers->spread};
    return true;
  }
  for (int64_t i = 0; i < count; i++) {
    values[i] = random_number(&c->rng, at == CLRS_MAP_STEPS, lowest, highest);
    if (values[i] == 0 && at != CLRS_MAP_STEPS) {
      values[i] = 0.5;
    }
  }
  numbers->count = (size_t)count;
  numbers->values = values;
  return true;
}

/* Any rules that the type has, and up to some steps. */
static bool draw_map(fixture *f, map_case *c, clrs_dtype from, clrs_dtype to) {
  static const clrs_dtype arithmetics[] = {CLRS_F32, CLRS_F32, CLRS_F32,
                                           CLRS_F64, CLRS_F16, CLRS_BF16};
  clrs_error error;
  double values[16];
  clrs_numbers numbers;
  const int64_t steps = rng_percent(&c->rng, 40) ? 0 : rng_between(&c->rng, 1, 3);
  if (clrs_map_cast(CLRS_NUMPY, from, to, &c->map, &error) != CLRS_OK) {
    return false;
  }
  c->map.arithmetic = arithmetics[rng_between(&c->rng, 0, 5)];
  c->map.rounding = (clrs_rounding)rng_between(&c->rng, 0, 4);
  c->map.overflow = rng_percent(&c->rng, 50)            ? CLRS_OVERFLOW_SATURATE
                    : is_integer(to) || to == CLRS_BOOL ? CLRS_OVERFLOW_WRAP
                                                        : CLRS_OVERFLOW_IEEE;
  if (to == CLRS_BOOL) {
    c->map.overflow = CLRS_OVERFLOW_SATURATE;
  }
  for (int64_t i = 0; i < steps; i++) {
    draw_parameter(f, c, (uint32_t)i, &numbers, values, -20, 100);
    CHECK_OK(clrs_map_step(&c->map, (clrs_step_kind)rng_between(&c->rng, 0, 5), &numbers, &error),
             error);
  }
  const bool may_subtract = is_integer(from) && clrs_dtype_bits(from) <= 32;
  const bool may_add = is_integer(to) && clrs_dtype_bits(to) <= 32;
  if ((may_subtract || may_add) && rng_percent(&c->rng, 30)) {
    c->map.zero_place = may_add && (!may_subtract || rng_percent(&c->rng, 50))
                            ? CLRS_ZERO_ADDED
                            : CLRS_ZERO_SUBTRACTED;
    draw_parameter(f, c, CLRS_MAP_STEPS, &numbers, values, 0, 0);
    c->map.zero = (clrs_parameter){(uint32_t)numbers.count, c->map.number_count, numbers.spread};
    for (size_t i = 0; i < numbers.count; i++) {
      const clrs_dtype of = c->map.zero_place == CLRS_ZERO_ADDED ? to : from;
      const int64_t most = of == CLRS_I2 || of == CLRS_U1 ? 1 : clrs_dtype_bits(of) < 8 ? 3 : 100;
      c->map.numbers[c->map.number_count++] = (double)rng_between(&c->rng, 0, most);
    }
  }
  return clrs_map_check(&c->map, &error) == CLRS_OK;
}

/* ---- what the host says ---- */

static clrs_view view_of_layout(const clrs_layout *layout) {
  clrs_error error;
  clrs_view view;
  CHECK_OK(clrs_view_from_layout(layout, &view, &error), error);
  return view;
}

/* All mapped elements, dense. */
static unsigned char *apply_on_host(const fixture *f, const map_case *c, const clrs_view *source) {
  clrs_error error;
  clrs_view views[CLRS_MAP_STEPS + 1];
  clrs_map_tensors tensors = {.zero = NULL};
  clrs_map_views bound;
  clrs_map_data data = {.source = {f->bytes + c->source_offset, BUFFER - c->source_offset}};
  for (uint32_t i = 0; i <= CLRS_MAP_STEPS; i++) {
    if (c->is_tensor[i]) {
      views[i] = view_of_layout(&c->tensors[i]);
      *(i == CLRS_MAP_STEPS ? &tensors.zero : &tensors.steps[i]) = &views[i];
      *(i == CLRS_MAP_STEPS ? &data.zero : &data.steps[i]) =
          (clrs_bytes){f->numbers + c->tensor_offsets[i], BUFFER - c->tensor_offsets[i]};
    }
  }
  unsigned char *mapped = calloc(1, BUFFER);
  assert_non_null(mapped);
  CHECK_OK(clrs_map_bind(&c->map, source, &tensors, &bound, &error), error);
  CHECK_OK(clrs_map_apply(&c->map, &bound, &data, mapped, BUFFER, &error), error);
  return mapped;
}

/* ---- the tensors ---- */

static clrs_tensor *wrap(clrs_context *library, cl_mem buffer, uint64_t offset,
                         const clrs_layout *layout) {
  clrs_error error;
  clrs_tensor *tensor = NULL;
  const clrs_storage storage = {buffer, offset};
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  return tensor;
}

static clrs_tensor *map_tensor(const fixture *f, const map_case *c, clrs_context *library,
                               clrs_tensor *source) {
  clrs_error error;
  clrs_parameter_tensors tensors = {.zero = NULL};
  clrs_tensor *mapped = NULL;
  for (uint32_t i = 0; i <= CLRS_MAP_STEPS; i++) {
    if (c->is_tensor[i]) {
      *(i == CLRS_MAP_STEPS ? &tensors.zero : &tensors.steps[i]) =
          wrap(library, f->parameters, c->tensor_offsets[i], &c->tensors[i]);
    }
  }
  CHECK_OK(clrs_tensor_with_map(source, &c->map, &tensors, &mapped, &error), error);
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    clrs_tensor_release(tensors.steps[i]);
  }
  clrs_tensor_release(tensors.zero);
  return mapped;
}

static void draw_bytes(fixture *f, map_case *c) {
  rng_fill(&c->rng, f->bytes, BUFFER);
  rng_fill(&c->rng, f->numbers, BUFFER);
  rng_fill(&c->rng, f->poison, BUFFER);
  if (c->map.from == CLRS_F32 || c->map.from == CLRS_F64) { /* most numbers are of some size */
    const bool is_double = c->map.from == CLRS_F64;
    const size_t width = is_double ? 8 : 4;
    for (size_t i = c->source_offset; i + width <= BUFFER; i += width) {
      const double value =
          random_number(&c->rng, false, -700, 700) * (rng_percent(&c->rng, 20) ? 1000 : 1);
      const float narrow = (float)value;
      if (rng_percent(&c->rng, 70)) {
        memcpy(f->bytes + i, is_double ? (const void *)&value : (const void *)&narrow, width);
      }
    }
  }
  device_write(&f->device, f->source, BUFFER, f->bytes);
  device_write(&f->device, f->parameters, BUFFER, f->numbers);
}

/* ---- one case by one execution ---- */

typedef struct tally {
  int64_t moved, refused;
} tally;

/* The destination's element k holds element at[k] of the mapped ones; all else is as it was. */
static void expect(fixture *f, const map_case *c, const unsigned char *mapped, const oracle *from,
                   const clrs_layout *layout, uint64_t offset) {
  const bit_span span = bits_of(c->map.to, 0), to_span = bits_of(c->map.to, offset);
  oracle to = oracle_from_layout(layout);
  bits_move(&span, mapped, from, &to_span, f->poison, &to);
  oracle_free(&to);
  device_read(&f->device, f->destination, BUFFER, f->got);
  for (size_t i = 0; i < BUFFER; i++) {
    CHECK_SEEDED(f->got[i] == f->poison[i], c->seed,
                 "byte %zu is %02x, expected %02x: %s to %s, rounding %d, overflow %d, arithmetic "
                 "%s, %u steps, zero %d; destination at %zu",
                 i, f->got[i], f->poison[i], clrs_dtype_name(c->map.from, CLRS_TYPES_CLRESHAPE),
                 clrs_dtype_name(c->map.to, CLRS_TYPES_CLRESHAPE), (int)c->map.rounding,
                 (int)c->map.overflow, clrs_dtype_name(c->map.arithmetic, CLRS_TYPES_CLRESHAPE),
                 c->map.step_count, (int)c->map.zero_place, (size_t)offset);
  }
}

static bool move_seen(fixture *f, map_case *c, clrs_context *library, clrs_tensor *seen,
                      const unsigned char *mapped, const oracle *from) {
  clrs_error error;
  const clrs_shape *shape = &clrs_tensor_view(seen)->shape;
  clrs_layout layout;
  if (is_packed(c->map.to)) {
    CHECK_OK(clrs_layout_init(c->map.to, shape, NULL, rng_between(&c->rng, 0, 5), &layout, &error),
             error);
  } else {
    layout = layout_random_of_shape(&c->rng, c->map.to, shape, false, rng_between(&c->rng, 0, 9));
  }
  const uint64_t offset = random_offset(&c->rng, c->map.to);
  clrs_bounds bounds;
  CHECK_OK(clrs_layout_bounds(&layout, &bounds, &error), error);
  if (!bounds.empty && (uint64_t)(bounds.highest + 9) * clrs_dtype_bits(c->map.to) / 8 > BUFFER) {
    return false;
  }
  clrs_tensor *destination = wrap(library, f->destination, offset, &layout);
  device_write(&f->device, f->destination, BUFFER, f->poison);
  const clrs_status status =
      clrs_enqueue_move(library, seen, destination, f->device.queue, 0, NULL, NULL, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_UNSUPPORTED, c->seed, "%s", error.message);
  if (status == CLRS_OK) {
    expect(f, c, mapped, from, &layout, offset);
  }
  clrs_tensor_release(destination);
  return status == CLRS_OK;
}

/* Movement operations after the map, on the device's tensor and on the oracle. */
static clrs_tensor *move_after(map_case *c, clrs_tensor *mapped, oracle *from) {
  clrs_error error;
  clrs_view view = *clrs_tensor_view(mapped);
  clrs_tensor *seen = NULL;
  const int64_t steps = rng_between(&c->rng, 0, MOST_AFTER);
  for (int64_t i = 0; i < steps && from->count > 0; i++) {
    const move step = move_random(&c->rng, &view.shape, MAX_COUNT);
    if (move_apply_view(&step, &view, &error) != CLRS_OK) {
      break;
    }
    move_apply_oracle(&step, from);
  }
  CHECK_OK(clrs_tensor_with_view(mapped, &view, &seen, &error), error);
  return seen;
}

static void run_execution(fixture *f, map_case c, int which, const clrs_view *source_view,
                          const unsigned char *mapped, tally *t) {
  clrs_error error;
  clrs_context *library = f->libraries[which];
  clrs_tensor *whole = wrap(library, f->source, c.source_offset, &c.layout), *source = NULL;
  CHECK_OK(clrs_tensor_with_view(whole, source_view, &source, &error), error);
  clrs_tensor *made = map_tensor(f, &c, library, source);
  clrs_tensor_release(source);
  clrs_tensor_release(whole);
  clrs_layout dense;
  CHECK_OK(clrs_layout_init(c.map.to, &source_view->shape, NULL, 0, &dense, &error), error);
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

/* The source's layout, and up to two movement operations before the map. */
static bool draw_source(map_case *c, clrs_dtype from, clrs_view *view) {
  clrs_error error;
  const layout_wish wish = {.max_rank = 4,
                            .max_dim = 24,
                            .max_count = MAX_COUNT,
                            .zero_percent = 2,
                            .allow_repeats = true};
  c->layout = layout_random(&c->rng, from, &wish, rng_between(&c->rng, 0, 5));
  c->source_offset = random_offset(&c->rng, from);
  *view = view_of_layout(&c->layout);
  clrs_bounds bounds;
  CHECK_OK(clrs_layout_bounds(&c->layout, &bounds, &error), error);
  return bounds.empty || (uint64_t)(bounds.highest + 9) * clrs_dtype_bits(from) / 8 < BUFFER - 64;
}

static void run_case(fixture *f, uint64_t seed, clrs_dtype from, clrs_dtype to, tally *t) {
  map_case c = {.seed = seed, .rng = rng_start(seed)};
  clrs_view view;
  if (from == to || !draw_source(&c, from, &view) || !draw_map(f, &c, from, to)) {
    return;
  }
  draw_bytes(f, &c);
  unsigned char *mapped = apply_on_host(f, &c, &view);
  run_execution(f, c, 0, &view, mapped, t);
  run_execution(f, c, 1, &view, mapped, t);
  free(mapped);
}

static void any_map_is_the_hosts(void **state) {
  fixture *f = *state;
  const uint64_t base = test_seed(1);
  const int64_t cases = test_cases(12);
  tally t = {0};
  for (int64_t i = 0; i < cases; i++) {
    test_rng rng = rng_start(base + (uint64_t)i);
    const clrs_dtype from = types[rng_between(&rng, 0, TYPES - 1)];
    const clrs_dtype to = types[rng_between(&rng, 0, TYPES - 1)];
    run_case(f, base + (uint64_t)i, from, to, &t);
  }
  print_message("%lld moved, %lld refused\n", (long long)t.moved, (long long)t.refused);
  assert_true(cases < 12 || t.moved > 2 * t.refused);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_map_is_the_hosts),
  };
  const int missing = device_missing();
  return missing != 0 ? missing : cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
