/*
 * Random moves between random layouts, on the device, against the oracle. The whole destination
 * buffer is compared, twice, with different initial bytes. An element that was not written, or a
 * written bit outside the destination, shows in one of the two runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/device.h"

#include "harness/bits.h"
#include "harness/tensors.h"

enum { BUFFER = 1 << 20, LIBRARIES = 5, FEW_PROGRAMS = 10000 };

/* A type of each width, and the second bit order. */
static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_U2,  CLRS_I4,   CLRS_F8E5M2,
                                    CLRS_BF16,  CLRS_F32, CLRS_I64, CLRS_C128, CLRS_STRING};

typedef struct fixture {
  test_device device;
  clrs_context *libraries[LIBRARIES];
  cl_mem source, destination;
  unsigned char *source_bytes, *expected, *got;
} fixture;

typedef struct tally {
  int64_t moved, refused, conservative, empty, broadcast, unsupported;
  int64_t by_class[CLRS__CLASS_COUNT][2]; /* moved as required: core, wide */
} tally;

typedef struct move_case {
  uint64_t seed;
  clrs_context *library;
  clrs__class_number required; /* CLRS__CLASS_ANY: as the library chooses */
  bool wide;                   /* the way of a required class */
  bool is_of_two;              /* see dtype_of_two: aligned, too, so that no unit gets narrower */
  clrs_layout source, destination;
  bit_span from, to;
  oracle read, written;
  size_t source_size, destination_size; /* bytes of the buffers that are used */
  char text[600];
} move_case;

static int fixture_open(void **state) {
  const uint64_t plenty = UINT64_C(1) << 30;
  const clrs_device_limits limits[LIBRARIES] = {
      {.execution = CLRS_EXECUTION_AUTO, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 64, .max_work_items = 7},
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 32, .max_work_items = 1},
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 64, .max_work_items = plenty}};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  for (int i = 0; i < LIBRARIES; i++)
    f->libraries[i] = device_library(&f->device, &limits[i]);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->source_bytes = malloc(BUFFER);
  f->expected = malloc(BUFFER);
  f->got = malloc(BUFFER);
  assert_true(f->source_bytes && f->expected && f->got);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  for (int i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  device_close(&f->device);
  free(f->source_bytes);
  free(f->expected);
  free(f->got);
  free(f);
  return 0;
}

/* Mostly small shapes, some with a long last dim and a tail of 1 to 64 after any vector width. */
static clrs_shape draw_shape(test_rng *rng) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, 6)};
  int64_t left = rng_percent(rng, 85) ? 512 : 4096;
  for (uint32_t d = 0; d < shape.rank; d++) {
    const int64_t limit = left < 9 ? left : 9;
    shape.dims[d] = rng_percent(rng, 1) ? 0 : rng_between(rng, 1, limit);
    left /= shape.dims[d] ? shape.dims[d] : 1;
  }
  if (shape.rank > 0 && rng_percent(rng, 35)) {
    const uint32_t d = shape.rank - 1;
    left *= shape.dims[d] ? shape.dims[d] : 1;
    shape.dims[d] = rng_between(rng, 1, left < 1 ? 1 : left < 193 ? left : 193);
  }
  return shape;
}

static size_t buffer_needed(const bit_span *span, const oracle *tensor) {
  int64_t lowest, highest;
  oracle_range(tensor, &lowest, &highest);
  return (size_t)bits_end(span, highest);
}

static clrs_dtype draw_dtype(const move_case *c, test_rng *rng) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  return c->is_of_two ? dtype_of_two(dtype) : dtype;
}

static uint64_t draw_byte_offset(const move_case *c, test_rng *rng) {
  const uint64_t offset = rng_percent(rng, 40) ? 0 : (uint64_t)rng_between(rng, 0, 37);
  return c->is_of_two ? offset / 4 * 4 : offset;
}

static bool case_draw(move_case *c, test_rng *rng) {
  const clrs_dtype dtype = draw_dtype(c, rng);
  const clrs_shape shape = draw_shape(rng);
  const bool overlapping = rng_percent(rng, 8);
  c->source = layout_random_of_shape(rng, dtype, &shape, true, rng_between(rng, 0, 40));
  c->destination =
      shape.rank < 4 && rng_percent(rng, 15)
          ? layout_wild_of_shape(rng, dtype, &shape, rng_between(rng, 0, 40))
          : layout_random_of_shape(rng, dtype, &shape, overlapping, rng_between(rng, 0, 40));
  c->from = bits_of(dtype, draw_byte_offset(c, rng));
  c->to = bits_of(dtype, draw_byte_offset(c, rng));
  c->read = oracle_from_layout(&c->source);
  c->written = oracle_from_layout(&c->destination);
  c->source_size = buffer_needed(&c->from, &c->read) + 16;
  c->destination_size = buffer_needed(&c->to, &c->written) + 16;
  print_layout(&c->source, c->text, 280);
  strcat(c->text, " -> ");
  print_layout(&c->destination, c->text + strlen(c->text), 280);
  return c->source_size <= BUFFER && c->destination_size <= BUFFER;
}

static clrs_tensor *wrap(const move_case *c, cl_mem buffer, const clrs_layout *layout,
                         const bit_span *span) {
  const clrs_storage storage = {buffer, span->byte_offset};
  clrs_tensor *tensor = NULL;
  clrs_error error = {0};
  const clrs_status status = clrs_tensor_wrap(c->library, &storage, layout, &tensor, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "wrap %s: %s", c->text, error.message);
  return tensor;
}

static void compare(const fixture *f, const move_case *c) {
  for (size_t i = 0; i < c->destination_size; i++)
    CHECK_SEEDED(f->got[i] == f->expected[i], c->seed,
                 "%s, byte offsets %llu and %llu: byte %zu is %02x, not %02x", c->text,
                 (unsigned long long)c->from.byte_offset, (unsigned long long)c->to.byte_offset, i,
                 f->got[i], f->expected[i]);
}

/* By a plan for the class and the way that the case requires. */
static clrs_status enqueue_required(const fixture *f, const move_case *c, cl_event *event,
                                    clrs_error *error) {
  clrs_device_limits limits = clrs_context_limits(c->library);
  clrs_view views[2];
  clrs_plan plan;
  limits.required_class = clrs_class_name(c->required);
  limits.execution = c->wide ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
  CHECK_OK(clrs_view_from_layout(&c->source, &views[0], error), *error);
  CHECK_OK(clrs_view_from_layout(&c->destination, &views[1], error), *error);
  const clrs_move move = {.source = {&views[0], c->from.byte_offset, 128},
                          .destination = {&views[1], c->to.byte_offset, 128}};
  const clrs_status status = clrs_plan_move(&move, &limits, &plan, error);
  if (status != CLRS_OK)
    return status;
  for (uint32_t i = 0; i < plan.launch_count; i++)
    CHECK_SEEDED(class_named(plan.launches[i].kernel_class) == c->required, c->seed,
                 "%s instead of %s: %s", plan.launches[i].kernel_class,
                 clrs_class_name(c->required), c->text);
  return clrs_enqueue_plan(c->library, &plan,
                           &(clrs_plan_buffers){.source = f->source, .destination = f->destination},
                           ON(f->device.queue), event, error);
}

static clrs_status enqueue(const fixture *f, const move_case *c, cl_event *event,
                           clrs_error *error) {
  if (c->required != CLRS__CLASS_ANY)
    return enqueue_required(f, c, event, error);
  clrs_tensor *source = wrap(c, f->source, &c->source, &c->from);
  clrs_tensor *destination = wrap(c, f->destination, &c->destination, &c->to);
  const clrs_status status =
      clrs_enqueue_move(source, destination, ON(f->device.queue), event, error);
  clrs_tensor_release(source);
  clrs_tensor_release(destination);
  return status;
}

/* Poisons the destination, moves, and compares the whole buffer. */
static clrs_status move_once(fixture *f, const move_case *c, test_rng *rng, unsigned flip) {
  clrs_error error = {0};
  cl_event event = NULL;
  const bool may_refuse = c->to.width < 8 || c->required != CLRS__CLASS_ANY;
  for (size_t i = 0; i < c->destination_size; i++)
    f->expected[i] = (unsigned char)((i * 37 + 11) ^ flip);
  device_write(&f->device, f->destination, c->destination_size, f->expected);
  const bool with_event = rng_percent(rng, 30);
  const clrs_status status = enqueue(f, c, with_event ? &event : NULL, &error);
  if (status == CLRS_OK && with_event)
    device_finish_event(event);
  if (status == CLRS_OK)
    bits_move(&c->from, f->source_bytes, &c->read, &c->to, f->expected, &c->written);
  else
    CHECK_SEEDED(status == CLRS_OVERLAP || (status == CLRS_UNSUPPORTED && may_refuse), c->seed,
                 "%s: %s", c->text, error.message);
  device_read(&f->device, f->destination, c->destination_size, f->got);
  compare(f, c);
  return status;
}

/* If the required class cannot do the move, the library chooses. */
static clrs_status move_first(fixture *f, move_case *c, test_rng *rng) {
  const clrs_status status = move_once(f, c, rng, 0);
  if (status != CLRS_UNSUPPORTED || c->required == CLRS__CLASS_ANY)
    return status;
  c->required = CLRS__CLASS_ANY;
  return move_once(f, c, rng, 0);
}

static void case_run(fixture *f, move_case *c, test_rng *rng, tally *seen) {
  const bool collides = oracle_has_duplicates(&c->written);
  rng_fill(rng, f->source_bytes, c->source_size);
  device_write(&f->device, f->source, c->source_size, f->source_bytes);
  const clrs_status first = move_first(f, c, rng);
  CHECK_SEEDED(!collides || first == CLRS_OVERLAP, c->seed, "two elements in one place: %s",
               c->text);
  seen->empty += c->read.count == 0;
  seen->refused += first == CLRS_OVERLAP;
  seen->unsupported += first == CLRS_UNSUPPORTED;
  seen->conservative += first == CLRS_OVERLAP && !collides;
  if (first != CLRS_OK)
    return;
  assert_int_equal(move_once(f, c, rng, 0xFF), CLRS_OK);
  seen->moved++;
  seen->by_class[c->required][c->wide] += c->read.count > 0;
  seen->broadcast += oracle_has_duplicates(&c->read);
}

/* Two fifths as a library chooses by itself, two fifths through any library, the rest by a class
 * that is drawn too. Filling is not a move. A tile, for which few moves are fit, takes the place of
 * filling. The first seeds have all types only where the library chooses by itself. */
static void draw_way(const fixture *f, move_case *c, test_rng *rng) {
  const int64_t library = rng_percent(rng, 40) ? 0 : rng_between(rng, 1, LIBRARIES - 1);
  c->library = f->libraries[library];
  if (rng_percent(rng, 40)) {
    c->required = (clrs__class_number)rng_between(rng, CLRS__CLASS_ANY + 1, CLRS__CLASS_COUNT - 1);
    c->required = c->required == CLRS__CLASS_FILL ? CLRS__CLASS_CPU_TILE : c->required;
    c->wide = rng_percent(rng, 50);
  }
  const bool is_free = library == 0 && c->required == CLRS__CLASS_ANY;
  c->is_of_two = !is_free && c->seed <= FEW_PROGRAMS;
}

static void check_classes(const tally *seen) {
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    if (c == CLRS__CLASS_FILL)
      continue;
    print_message("  %s: %lld cpu, %lld gpu\n", clrs_class_name((size_t)c),
                  (long long)seen->by_class[c][0], (long long)seen->by_class[c][1]);
    assert_true(seen->by_class[c][1] >= 3);
    const bool is_local = c == CLRS__CLASS_GPU_TILE || c == CLRS__CLASS_GPU_SHORT;
    assert_true(seen->by_class[c][0] >= (is_local ? 0 : 3));
  }
}

TEST_IN(random_moves_write_exactly_the_destination, fixture_open, fixture_close) {
  fixture *f = *state;
  tally seen = {0};
  const uint64_t seed = test_seed(1);
  const int64_t cases = test_cases(4000);
  for (int64_t i = 0; i < cases; i++) {
    move_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    draw_way(f, &c, &rng);
    if (case_draw(&c, &rng))
      case_run(f, &c, &rng, &seen);
    oracle_free(&c.read);
    oracle_free(&c.written);
  }
  print_message("%lld cases: %lld moved (%lld from a broadcast), %lld empty, %lld refused, "
                "%lld of these without need, %lld packed and interleaved\n",
                (long long)cases, (long long)seen.moved, (long long)seen.broadcast,
                (long long)seen.empty, (long long)seen.refused, (long long)seen.conservative,
                (long long)seen.unsupported);
  for (int i = 0; i < LIBRARIES; i++)
    print_message("  programs of library %d: %zu\n", i,
                  clrs_context_program_count(f->libraries[i]));
  if (cases >= 1000) { /* the cases must cover the claimed variety */
    check_classes(&seen);
    assert_true(seen.moved * 10 > cases * 9);
    assert_true(seen.broadcast * 50 > cases);
    assert_true(seen.refused * 100 > cases);
    assert_true(seen.conservative * 1000 <= cases);
    assert_int_equal(seen.unsupported, 0);
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
