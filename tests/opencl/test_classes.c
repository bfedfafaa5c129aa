/*
 * Every kernel class at its borders, on both ways of execution: extents of 1 to 130 and around the
 * edges of tiles, odd pitches, offsets of any alignment, one-line tails, both index widths. Source
 * and destination end, or begin, at an inaccessible page, so a read or a write of a byte outside
 * kills this program. All bytes of the destination are compared with the oracle. The requested
 * class must really have moved the tensor.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/device.h"

#include "harness/bits.h"
#include "harness/fence.h"
#include "harness/tensors.h"

enum { PAGES = 384, WAYS = 4, CASES = 12, FIRST_SEED = 900000 };

/* The kind of move that a class is tested on. */
typedef enum family {
  ROWS,
  TRANSPOSED,
  LONG_TILES,
  WHOLE_BYTES, /* transposed, to rows of whole bytes */
  ANY_STRIDES,
  SHORT_AXES
} family;

typedef struct subject {
  clrs__class_number kernel_class;
  bool is_packed;
  size_t family_count;
  family families[5];
  bool wide_only;
} subject;

static const subject subjects[] = {
    {CLRS__CLASS_GPU_ANY, false, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_COMPOSED, false, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_SUBBYTE, true, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_CPU_SUBBYTE,
     true,
     5,
     {ROWS, TRANSPOSED, LONG_TILES, ANY_STRIDES, SHORT_AXES},
     false},
    {CLRS__CLASS_CPU_ROWS, false, 1, {ROWS}, false},
    {CLRS__CLASS_CPU_TILE, false, 1, {TRANSPOSED}, false},
    {CLRS__CLASS_CPU_ANY, false, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_CPU_SHORT, false, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_GPU_ROWS, false, 3, {ROWS, TRANSPOSED, ANY_STRIDES}, false},
    {CLRS__CLASS_GPU_TILE, false, 1, {TRANSPOSED}, true},
    {CLRS__CLASS_GPU_SHORT, false, 3, {SHORT_AXES, TRANSPOSED, ANY_STRIDES}, true},
    {CLRS__CLASS_GPU_SHORT, true, 1, {WHOLE_BYTES}, true},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/* 8 to 128 bits. The packed classes have separate tests. */
static const clrs_dtype whole_dtypes[] = {CLRS_U8, CLRS_F16, CLRS_F32, CLRS_F64, CLRS_C128};
static const clrs_dtype packed_dtypes[] = {CLRS_I4, CLRS_U2, CLRS_BITS1, CLRS_U1};

/* A library context for each index width, because all plans share kernels, whatever the required
 * width. */
typedef struct fixture {
  test_device device;
  fenced memory[2];
  clrs_context *libraries[2];
} fixture;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  assert_non_null(f);
  device_open(&f->device);
  f->memory[0] = fence(PAGES);
  f->memory[1] = fence(PAGES);
  f->libraries[0] = device_library(&f->device, &limits);
  limits.min_index_bits = 64;
  limits.max_work_items = 1000; /* each moves several */
  f->libraries[1] = device_library(&f->device, &limits);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  clrs_context_release(f->libraries[0]);
  clrs_context_release(f->libraries[1]);
  device_close(&f->device);
  unfence(&f->memory[0]);
  unfence(&f->memory[1]);
  free(f);
  return 0;
}

/* Limits of a way: CPU or GPU, 32 or 64 bits. */
static clrs_device_limits limits_of(const fixture *f, const subject *subject, int way) {
  clrs_device_limits limits = clrs_context_limits(f->libraries[way % 2]);
  limits.required_class = clrs_class_name(subject->kernel_class);
  limits.execution = way < 2 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
  return limits;
}

/* ---- what is moved ---- */

static int64_t draw_extent(test_rng *rng) {
  static const int64_t edges[] = {1, 2, 3, 4, 8, 16, 32, 64, 128};
  const int64_t edge = edges[rng_between(rng, 0, sizeof edges / sizeof edges[0] - 1)];
  const int64_t near = edge + rng_between(rng, -1, 2);
  return rng_percent(rng, 50) ? rng_between(rng, 1, 130) : near < 1 ? 1 : near;
}

/* Mostly two dims, some with a batch dim around, some long and thin. */
static clrs_shape draw_shape(test_rng *rng, family family) {
  clrs_shape shape = {.rank = 3, .dims = {1, draw_extent(rng), draw_extent(rng)}};
  if (rng_percent(rng, 15)) {
    const int thin = rng_percent(rng, 50) ? 1 : 2;
    shape.dims[thin] = rng_between(rng, 1, 5);
    shape.dims[3 - thin] = rng_between(rng, 900, 2300);
  } else if (rng_percent(rng, 30)) {
    shape.dims[0] = rng_between(rng, 2, 4);
    shape.dims[1] = (shape.dims[1] + 1) / 2;
  }
  for (int d = 1; d < 3 && family == LONG_TILES; d++) { /* more lines, and some with whole bytes */
    shape.dims[d] = rng_between(rng, 1, rng_percent(rng, 50) ? 1300 : 300);
    shape.dims[d] += rng_percent(rng, 30) ? -shape.dims[d] & 7 : 0;
  }
  return shape;
}

/* Pitches: dense, odd, or multiples of 16. */
static int64_t draw_pitch(test_rng *rng, int64_t extent) {
  int64_t pitch = extent;
  if (rng_percent(rng, 50))
    pitch += rng_between(rng, 0, 9);
  else if (rng_percent(rng, 50))
    pitch = (pitch + 15) / 16 * 16;
  return pitch;
}

/* The axis `fastest` is contiguous, the other axis is pitched, and the batch is outside. */
static clrs_layout pitched(test_rng *rng, clrs_dtype dtype, const clrs_shape *shape, int fastest) {
  clrs_layout layout = {.dtype = dtype, .rank = 3};
  memcpy(layout.dims, shape->dims, sizeof layout.dims);
  layout.strides[fastest] = 1;
  layout.strides[3 - fastest] = draw_pitch(rng, shape->dims[fastest]);
  layout.strides[0] = draw_pitch(rng, shape->dims[3 - fastest]) * layout.strides[3 - fastest];
  layout.strides[0] += rng_percent(rng, 30) ? rng_between(rng, 0, 3) : 0;
  layout.offset = rng_percent(rng, 50) ? 0 : rng_between(rng, 0, 4) * 2;
  layout.offset += rng_percent(rng, 30) ? 1 : 0;
  return layout;
}

/* Up to nine axes of 1 to 7, in another order on either side, sometimes with a long axis. */
static void draw_short_axes(test_rng *rng, clrs_dtype dtype, fenced_tensor *from,
                            fenced_tensor *to) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 2, 9)};
  const int64_t most = shape.rank > 6 ? 3 : 7;
  for (uint32_t d = 0; d < shape.rank; d++)
    shape.dims[d] = rng_between(rng, 1, most);
  if (rng_percent(rng, 40) && shape.rank < 5)
    shape.dims[rng_between(rng, 0, shape.rank - 1)] = draw_extent(rng);
  from->layout = layout_random_of_shape(rng, dtype, &shape, rng_percent(rng, 20), 0);
  to->layout = layout_random_of_shape(rng, dtype, &shape, false, rng_between(rng, 0, 3));
}

static int64_t whole_bytes(int64_t units) {
  return (units + 7) / 8 * 8;
}

/* From anywhere, a part of a byte too. */
static void draw_whole_bytes(test_rng *rng, clrs_dtype dtype, fenced_tensor *from,
                             fenced_tensor *to) {
  clrs_shape shape = draw_shape(rng, WHOLE_BYTES);
  shape.dims[2] = whole_bytes(shape.dims[2]);
  if (rng_percent(rng, 50)) /* whole accesses of the source too */
    shape.dims[1] = whole_bytes(shape.dims[1]);
  to->layout = pitched(rng, dtype, &shape, 2);
  from->layout = pitched(rng, dtype, &shape, 1);
  to->layout.strides[1] = whole_bytes(to->layout.strides[1]);
  to->layout.strides[0] = shape.dims[1] * to->layout.strides[1] + 8 * rng_between(rng, 0, 2);
  to->layout.offset = 8 * rng_between(rng, 0, 3);
}

static void draw_layouts(test_rng *rng, const subject *subject, clrs_dtype dtype,
                         fenced_tensor *from, fenced_tensor *to) {
  const family family = subject->families[rng_between(rng, 0, (int64_t)subject->family_count - 1)];
  if (family == SHORT_AXES) {
    draw_short_axes(rng, dtype, from, to);
    return;
  }
  if (family == WHOLE_BYTES) {
    draw_whole_bytes(rng, dtype, from, to);
    return;
  }
  const clrs_shape shape = draw_shape(rng, family);
  to->layout = pitched(rng, dtype, &shape, 2);
  from->layout = pitched(rng, dtype, &shape, family == ROWS ? 2 : 1);
  if (family == ANY_STRIDES) { /* backwards and repeated axes too */
    from->layout = layout_random_of_shape(rng, dtype, &shape, true, rng_between(rng, 0, 5));
  }
}

/* ---- moving it ---- */

/* The operand over the host's memory. */
static clrs_operand operand_of(const fenced_tensor *s, clrs_view *view) {
  uint32_t alignment = 128;
  CHECK_OK(clrs_view_from_layout(&s->layout, view, &error), error);
  while ((uintptr_t)s->bytes % alignment != 0)
    alignment /= 2;
  return (clrs_operand){view, 0, alignment};
}

/* False if the class is not eligible. */
static bool plan_case(const clrs_device_limits *limits, const fenced_tensor *from,
                      const fenced_tensor *to, clrs_plan *plan, uint64_t seed) {
  clrs_view views[2];
  clrs_error error = {0};
  const clrs_move move = {operand_of(from, &views[0]), operand_of(to, &views[1]), CLRS_COPY_ALWAYS};
  const clrs_status status = clrs_plan_move(&move, limits, plan, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_UNSUPPORTED, seed, "%s", error.message);
  for (uint32_t i = 0; status == CLRS_OK && i < plan->launch_count; i++)
    CHECK_SEEDED(strcmp(plan->launches[i].kernel_class, limits->required_class) == 0, seed,
                 "launch %u is %s, not %s", i, plan->launches[i].kernel_class,
                 limits->required_class);
  return status == CLRS_OK;
}

enum { GROUP_ITEMS = 256 }; /* work-items of a group */

/* False if the driver allows the kernel smaller groups than the plan needs. */
static bool enqueue(const fixture *f, int way, const clrs_plan *plan,
                    const clrs_plan_buffers *buffers, cl_event *event) {
  clrs_context *library = f->libraries[way % 2];
  clrs_error error = {0};
  const clrs_status status =
      clrs_enqueue_plan(library, plan, buffers, ON(f->device.queue), event, &error);
  if (status == CLRS_UNSUPPORTED && clrs_context_limits(library).max_group_items < GROUP_ITEMS)
    return false;
  check_status(status, CLRS_OK, &error, "clrs_enqueue_plan", __FILE__, __LINE__);
  return true;
}

static bool move_and_compare(const fixture *f, int way, const clrs_plan *plan,
                             const fenced_tensor *from, const fenced_tensor *to, uint64_t seed) {
  const clrs_plan_buffers buffers = {.source = from->buffer, .destination = to->buffer};
  cl_event event = NULL;
  unsigned char *expected = malloc(to->size), *got = malloc(to->size);
  assert_true(expected && got);
  device_read(&f->device, to->buffer, to->size, expected);
  bits_move(&from->span, from->bytes, &from->where, &to->span, expected, &to->where);
  const bool is_moved = enqueue(f, way, plan, &buffers, &event);
  if (is_moved)
    device_finish_event(event);
  device_read(&f->device, to->buffer, to->size, got);
  size_t at = 0;
  while (is_moved && at < to->size && got[at] == expected[at])
    at++;
  char text[600];
  print_layout(&from->layout, text, 280);
  strcat(text, " -> ");
  print_layout(&to->layout, text + strlen(text), 280);
  CHECK_SEEDED(!is_moved || at == to->size, seed, "byte %zu of %zu is wrong: %s", at, to->size,
               text);
  free(expected);
  free(got);
  return is_moved;
}

static clrs_dtype draw_dtype(test_rng *rng, const subject *subject, int way, uint64_t seed) {
  const clrs_dtype dtype = subject->is_packed ? packed_dtypes[rng_between(rng, 0, 3)]
                                              : whole_dtypes[rng_between(rng, 0, 4)];
  const bool has_wide_words = way % 2 == 1;
  return has_wide_words && seed - FIRST_SEED < CASES ? dtype_of_two(dtype) : dtype;
}

/* The widths of units that a class moved, a bit each. */
typedef struct tally {
  int64_t moved;
  uint32_t widths;
} tally;

static void run_case(const fixture *f, const subject *subject, int way, uint64_t seed,
                     tally *seen) {
  const clrs_device_limits limits = limits_of(f, subject, way);
  test_rng rng = rng_start(seed);
  fenced_tensor from = {.size = 0}, to = {.size = 0};
  clrs_plan plan;
  draw_layouts(&rng, subject, draw_dtype(&rng, subject, way, seed), &from, &to);
  const bool fits = fence_place(&f->device, &f->memory[0], &rng, &from);
  if (fence_place(&f->device, &f->memory[1], &rng, &to) && fits &&
      plan_case(&limits, &from, &to, &plan, seed)) {
    const bool is_moved = move_and_compare(f, way, &plan, &from, &to, seed);
    seen->moved += is_moved;
    seen->widths |= is_moved ? plan.launches[0].unit_bits : 0;
  }
  fence_remove(&from);
  fence_remove(&to);
}

static uint32_t widths_of(const subject *subject) {
  if (subject->is_packed && subject->kernel_class == CLRS__CLASS_GPU_SHORT)
    return 1 | 2 | 4;
  switch (subject->kernel_class) {
  case CLRS__CLASS_SUBBYTE:
  case CLRS__CLASS_CPU_SUBBYTE:
    return 1 | 2 | 4;
  case CLRS__CLASS_CPU_TILE:
    return 8 | 16 | 32 | 64;
  default:
    return 8 | 16 | 32 | 64 | 128;
  }
}

TEST_IN(every_class_moves_exactly_what_it_should, fixture_open, fixture_close) {
  const fixture *f = *state;
  const uint64_t seed = test_seed(FIRST_SEED);
  const int64_t cases = test_cases(CASES);
  for (int s = 0; s < SUBJECTS; s++)
    for (int way = subjects[s].wide_only ? 2 : 0; way < WAYS; way++) {
      tally seen = {0, 0};
      for (int64_t i = 0; i < cases; i++)
        run_case(f, &subjects[s], way, seed + (uint64_t)i, &seen);
      print_message("%-10s %s execution, %d-bit index: %lld of %lld moves\n",
                    clrs_class_name(subjects[s].kernel_class), way < 2 ? "cpu" : "gpu",
                    way % 2 ? 64 : 32, (long long)seen.moved, (long long)cases);
      if (cases >= 100) {
        const uint32_t widths = widths_of(&subjects[s]);
        assert_true(seen.moved * 2 > cases);
        assert_int_equal(seen.widths & widths, widths);
      }
    }
}

/* Classes that this file does not know would never be tested. */
TEST(every_class_is_a_subject) {
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    bool known = c == CLRS__CLASS_FILL; /* a fill moves nothing, see test_assemble */
    for (int s = 0; s < SUBJECTS; s++)
      known = known || subjects[s].kernel_class == (clrs__class_number)c;
    if (!known)
      fail_msg("class %s is not tested", clrs_class_name((size_t)c));
  }
}

/* Local memory is for GPU execution only. */
TEST_IN(core_execution_uses_no_local_memory, fixture_open, fixture_close) {
  enum { MOST_LOCAL = 20480 }; /* bytes of the class that needs most */
  const fixture *f = *state;
  if (clrs_context_limits(f->libraries[0]).local_bytes < MOST_LOCAL)
    skip();
  for (int s = 0; s < SUBJECTS; s++) {
    if (!subjects[s].wide_only)
      continue;
    clrs_plan plan;
    clrs_view view;
    const clrs_shape shape = {2, {64, 64}};
    const int64_t strides[] = {1, 64};
    clrs_layout layout;
    CHECK_OK(clrs_layout_init(CLRS_F32, &shape, strides, 0, &layout, &error), error);
    CHECK_OK(clrs_view_from_layout(&layout, &view, &error), error);
    const clrs_move move = {{&view, 0, 128}, {NULL, 0, 1}, CLRS_COPY_ALWAYS};
    const clrs_device_limits core = limits_of(f, &subjects[s], 0);
    const clrs_device_limits wide = limits_of(f, &subjects[s], 2);
    CHECK_FAILS(clrs_plan_move(&move, &core, &plan, &error), CLRS_UNSUPPORTED, error);
    CHECK_SAYS(error, "GPU execution");
    CHECK_OK(clrs_plan_move(&move, &wide, &plan, &error), error);
    clrs_device_limits poor = wide;
    poor.local_bytes = 1024;
    CHECK_FAILS(clrs_plan_move(&move, &poor, &plan, &error), CLRS_UNSUPPORTED, error);
    poor.required_class = NULL; /* then something else does it */
    CHECK_OK(clrs_plan_move(&move, &poor, &plan, &error), error);
    poor.max_group_items = 63;
    CHECK_OK(clrs_plan_move(&move, &poor, &plan, &error), error);
    assert_string_equal(plan.launches[0].kernel_class, "gpu_any");
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
