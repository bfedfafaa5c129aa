/*
 * Moves and fills of every class between buffers that hold exactly the tensor, or that are parts of
 * a larger buffer, which is compared as a whole. Any device runs this test. Under the microscope,
 * on Oclgrind or between guard pages the test also finds a byte that is read or written next to a
 * buffer. Each case runs twice: over noise, and over the opposite of every expected bit. No element
 * can then be right by chance, and every written byte changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/device.h"

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"

enum { LIBRARIES = 5, HALVED = 2, CLASSES = 32, TEXT = 1500, MOST_BYTES = 1 << 18 };
enum { CASES = 300, FIRST_SEED = 700000, FEW_PROGRAMS = 1000 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_U2,   CLRS_I4,   CLRS_U4,
                                    CLRS_U8,    CLRS_U8,  CLRS_BF16, CLRS_F16,  CLRS_F32,
                                    CLRS_I32,   CLRS_F64, CLRS_I64,  CLRS_C128, CLRS_STRING};

typedef struct fixture {
  test_device device;
  clrs_context *libraries[LIBRARIES + HALVED];
  size_t alignment; /* alignment of the origin of a part */
} fixture;

/* A tensor and the buffer of the tensor. */
typedef struct side {
  clrs_layout layout;
  bit_span span; /* in the buffer */
  oracle tensor;
  size_t size, origin; /* size of the buffer, byte offset in the parent */
  size_t parent_size;
  cl_mem parent, buffer;
  unsigned char *bytes; /* bytes of the whole parent */
} side;

typedef struct exact_case {
  uint64_t seed;
  clrs_context *library;
  bool fills;
  side from, to;
  clrs_tensor *source, *destination;
  unsigned char element[16];
  char text[TEXT];
} exact_case;

/* Launches seen, by class, log2 of the unit and index width. */
typedef struct tally {
  int64_t seen[CLASSES][8][2], moved, filled, composed, parts, refused, empty;
} tally;

static int fixture_open(void **state) {
  const uint64_t plenty = UINT64_C(1) << 30;
  const clrs_execution gpu = CLRS_EXECUTION_GPU, cpu = CLRS_EXECUTION_CPU;
  const clrs_device_limits limits[LIBRARIES + HALVED] = {
      {.execution = gpu, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = gpu, .min_index_bits = 64, .max_work_items = plenty},
      {.execution = gpu, .min_index_bits = 32, .max_work_items = 7},
      {.execution = cpu, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = cpu, .min_index_bits = 64, .max_work_items = plenty},
      {.execution = gpu, .min_index_bits = 32, .max_work_items = plenty, .max_group_items = 128},
      {.execution = gpu, .min_index_bits = 32, .max_work_items = plenty, .max_group_items = 64}};
  fixture *f = calloc(1, sizeof *f);
  cl_uint bits = 0;
  assert_non_null(f);
  device_open(&f->device);
  CL_OK(clGetDeviceInfo(f->device.device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL));
  f->alignment = bits / 8;
  for (int i = 0; i < LIBRARIES + HALVED; i++)
    f->libraries[i] = device_library(&f->device, &limits[i]);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  for (int i = 0; i < LIBRARIES + HALVED; i++)
    clrs_context_release(f->libraries[i]);
  device_close(&f->device);
  free(f);
  return 0;
}

/* ---- what is moved ---- */

/* Extents at and around the sizes that kernels treat apart: squares, lines, blocks. */
static int64_t draw_extent(test_rng *rng) {
  static const int64_t edges[] = {2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 64, 65, 80, 96, 128};
  return rng_percent(rng, 40) ? rng_between(rng, 1, 70)
                              : edges[rng_between(rng, 0, sizeof edges / sizeof *edges - 1)];
}

/* Large enough for core execution to share a move among work-items, or, with 4-bit elements, to
 * take whole lines of both sides. */
static void draw_large(test_rng *rng, clrs_dtype dtype, clrs_shape *shape) {
  if (clrs_dtype_bits(dtype) == 32) {
    *shape = (clrs_shape){3, {1, rng_between(rng, 200, 240), rng_between(rng, 180, 230)}};
  } else if (clrs_dtype_bits(dtype) == 4) {
    *shape = (clrs_shape){3, {1, 2 * rng_between(rng, 62, 90), 2 * rng_between(rng, 62, 90)}};
  }
}

/* The moves that the fast classes are for: transposes, rows that keep their order, planes. */
static void draw_regular(exact_case *c, test_rng *rng, clrs_dtype dtype) {
  static const uint32_t orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
  clrs_shape shape = {3, {rng_between(rng, 1, 3), draw_extent(rng), draw_extent(rng)}};
  if (rng_percent(rng, 20))
    draw_large(rng, dtype, &shape);
  c->from.layout = layout_nested(rng, dtype, &shape, orders[rng_between(rng, 0, 4)]);
  c->to.layout = layout_nested(rng, dtype, &shape, orders[rng_percent(rng, 50) ? 0 : 1]);
}

static void draw_any(exact_case *c, test_rng *rng, clrs_dtype dtype) {
  const layout_wish wish = {5, 70, 1500, 1, true};
  c->from.layout = layout_random(rng, dtype, &wish, 0);
  clrs_shape shape = {.rank = c->from.layout.rank};
  memcpy(shape.dims, c->from.layout.dims, sizeof shape.dims);
  c->to.layout = rng_percent(rng, 20) && shape.rank < 4
                     ? layout_wild_of_shape(rng, dtype, &shape, 0)
                     : layout_random_of_shape(rng, dtype, &shape, rng_percent(rng, 3), 0);
}

/* Returns false if the tensor is too large. */
static bool place(const fixture *f, side *s, test_rng *rng) {
  int64_t lowest, highest;
  cl_int code = CL_SUCCESS;
  const uint64_t offset = rng_percent(rng, 70) ? 0 : (uint64_t)rng_between(rng, 0, 19);
  s->span = bits_of(s->layout.dtype, offset);
  oracle_range(&s->tensor, &lowest, &highest);
  s->size = (size_t)bits_end(&s->span, highest);
  if (s->size > MOST_BYTES)
    return false;
  const bool part = rng_percent(rng, 25);
  s->origin = part ? f->alignment * (size_t)rng_between(rng, 0, 2) : 0;
  s->parent_size = s->origin + s->size + (part ? (size_t)rng_between(rng, 0, 200) : 0);
  s->parent = device_buffer(&f->device, CL_MEM_READ_WRITE, s->parent_size);
  s->buffer = s->parent;
  if (part) {
    const cl_buffer_region region = {s->origin, s->size};
    s->buffer = clCreateSubBuffer(s->parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    CL_OK(code);
  }
  s->bytes = malloc(s->parent_size);
  assert_non_null(s->bytes);
  return true;
}

static void unplace(side *s) {
  if (s->buffer && s->buffer != s->parent)
    CL_OK(clReleaseMemObject(s->buffer));
  if (s->parent)
    CL_OK(clReleaseMemObject(s->parent));
  oracle_free(&s->tensor);
  free(s->bytes);
}

static clrs_tensor *wrap(const exact_case *c, const side *s) {
  const clrs_storage storage = {s->buffer, s->span.byte_offset};
  clrs_tensor *tensor = NULL;
  clrs_error error = {0};
  const clrs_status status = clrs_tensor_wrap(c->library, &storage, &s->layout, &tensor, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s", c->text, error.message);
  return tensor;
}

/* Draws any operation, or alternates permutations and reshapes, which soon leave no common axes. */
static move draw_step(test_rng *rng, const clrs_shape *shape, bool regular, int64_t left) {
  if (regular)
    return move_random(rng, shape, 600);
  move step = {.kind = left % 2 ? MOVE_RESHAPE : MOVE_PERMUTE, .count = shape->rank};
  rng_permutation(rng, step.count, step.axes);
  step.shape = shape_random_of_count(rng, oracle_count(shape));
  return step;
}

/* Applies random operations to the source's layout. The destination is any layout of the resulting
 * shape. */
static void draw_chain(exact_case *c, test_rng *rng, clrs_view *view) {
  clrs_error error = {0};
  CHECK_OK(clrs_view_from_layout(&c->from.layout, view, &error), error);
  const bool regular = rng_percent(rng, 40);
  for (int64_t steps = rng_between(rng, 2, 6); steps > 0; steps--) {
    const move step = draw_step(rng, &view->shape, regular, steps);
    const size_t used = strlen(c->text);
    (void)snprintf(c->text + used, TEXT - used, " ");
    move_print(&step, c->text + used + 1, TEXT - used - 1);
    CHECK_OK(move_apply_view(&step, view, &error), error);
    move_apply_oracle(&step, &c->from.tensor);
  }
  c->to.layout = layout_random_of_shape(rng, c->from.layout.dtype, &view->shape, false, 0);
}

/* In the first seeds two types where words have 64 bits, and where groups are halved. */
static clrs_dtype draw_dtype(const fixture *f, const exact_case *c, test_rng *rng) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof *dtypes - 1)];
  const bool is_wide = c->library == f->libraries[1] || c->library == f->libraries[4];
  const bool is_halved =
      c->library == f->libraries[LIBRARIES] || c->library == f->libraries[LIBRARIES + 1];
  return (is_wide || is_halved) && c->seed - FIRST_SEED < FEW_PROGRAMS ? dtype_of_two(dtype)
                                                                       : dtype;
}

static bool case_draw(const fixture *f, exact_case *c, test_rng *rng) {
  const bool chain = rng_percent(rng, 25);
  clrs_error error = {0};
  clrs_view view;
  c->fills = !chain && rng_percent(rng, 20);
  const uint64_t number = (uint64_t)rng_between(rng, 0, LIBRARIES - 1);
  const bool is_halved = number == 0 && c->seed % 2 == 0;
  c->library = f->libraries[is_halved ? LIBRARIES + c->seed / 2 % HALVED : number];
  const clrs_dtype dtype = draw_dtype(f, c, rng);
  if (!chain && rng_percent(rng, 70))
    draw_regular(c, rng, dtype);
  else
    draw_any(c, rng, dtype);
  c->from.tensor = oracle_from_layout(&c->from.layout);
  print_layout(&c->from.layout, c->text, 400);
  const bool placed = place(f, &c->from, rng);
  if (placed && chain)
    draw_chain(c, rng, &view);
  (void)strcat(c->text, " -> ");
  print_layout(&c->to.layout, c->text + strlen(c->text), TEXT - strlen(c->text));
  c->to.tensor = oracle_from_layout(&c->to.layout);
  if (!placed || !place(f, &c->to, rng))
    return false;
  c->source = wrap(c, &c->from);
  c->destination = wrap(c, &c->to);
  if (chain) {
    clrs_tensor *whole = c->source;
    CHECK_OK(clrs_tensor_with_view(whole, &view, &c->source, &error), error);
    clrs_tensor_release(whole);
  }
  return true;
}

/* ---- one run ---- */

static clrs_status enqueue(const fixture *f, const exact_case *c, clrs_error *error) {
  cl_event event = NULL;
  const clrs_status status =
      c->fills ? clrs_enqueue_fill(c->destination, c->element, ON(f->device.queue), &event, error)
               : clrs_enqueue_move(c->source, c->destination, ON(f->device.queue), &event, error);
  if (status == CLRS_OK)
    device_finish_event(event);
  return status;
}

/* Computes the expected contents of the whole parent. */
static void expect(const exact_case *c) {
  const bit_span inside = c->to.span, element = {0, inside.width, inside.msb_first};
  unsigned char *to = c->to.bytes + c->to.origin;
  unsigned char value[16];
  if (!c->fills) {
    bits_move(&c->from.span, c->from.bytes + c->from.origin, &c->from.tensor, &inside, to,
              &c->to.tensor);
    return;
  }
  memcpy(value, c->element, sizeof value);
  if (inside.msb_first) /* given in the low bits, kept in the high bits */
    value[0] = (unsigned char)(value[0] << (8 - inside.width));
  for (int64_t k = 0; k < c->to.tensor.count; k++)
    bits_copy(&element, value, 0, &inside, to, c->to.tensor.positions[k]);
}

static void compare(const fixture *f, const exact_case *c, const side *s, const char *which) {
  unsigned char *got = malloc(s->parent_size);
  assert_non_null(got);
  device_read(&f->device, s->parent, s->parent_size, got);
  for (size_t i = 0; i < s->parent_size; i++)
    CHECK_SEEDED(got[i] == s->bytes[i], c->seed,
                 "%s, byte offsets %llu and %llu: byte %zu of the %s is %02x, not %02x", c->text,
                 (unsigned long long)c->from.span.byte_offset,
                 (unsigned long long)c->to.span.byte_offset, i, which, got[i], s->bytes[i]);
  free(got);
}

static clrs_status run_over(const fixture *f, exact_case *c) {
  clrs_error error = {0};
  device_write(&f->device, c->to.parent, c->to.parent_size, c->to.bytes);
  const clrs_status status = enqueue(f, c, &error);
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_OVERLAP, c->seed, "%s: %s", c->text,
               error.message);
  if (status == CLRS_OK)
    expect(c);
  compare(f, c, &c->to, "destination");
  compare(f, c, &c->from, "source");
  return status;
}

static void count_launches(const exact_case *c, tally *seen) {
  const clrs_view *view = clrs_tensor_view(c->destination);
  clrs_plan plan;
  if (c->fills) {
    const clrs_operand target = {view, c->to.span.byte_offset, 128};
    const clrs_device_limits limits = clrs_context_limits(c->library);
    CHECK_OK(clrs_plan_fill(&target, &limits, &plan, &error), error);
  } else {
    CHECK_OK(clrs_tensor_plan(c->source, c->destination, CLRS_COPY_ALWAYS, &plan, &error), error);
  }
  for (uint32_t i = 0; i < plan.launch_count; i++) {
    const clrs_launch *launch = &plan.launches[i];
    int unit = 0;
    while (1u << unit < launch->unit_bits)
      unit++;
    seen->seen[class_named(launch->kernel_class)][unit][launch->index_bits == 64]++;
  }
  seen->composed += plan.outcome == CLRS_OUTCOME_COMPOSED;
  seen->empty += plan.outcome == CLRS_OUTCOME_EMPTY;
}

static void case_run(const fixture *f, exact_case *c, test_rng *rng, tally *seen) {
  rng_fill(rng, c->from.bytes, c->from.parent_size);
  rng_fill(rng, c->to.bytes, c->to.parent_size);
  rng_fill(rng, c->element, sizeof c->element);
  device_write(&f->device, c->from.parent, c->from.parent_size, c->from.bytes);
  if (run_over(f, c) != CLRS_OK) {
    CHECK_SEEDED(c->fills || oracle_has_duplicates(&c->to.tensor), c->seed, "refused: %s", c->text);
    seen->refused++;
    return;
  }
  for (size_t i = 0; i < c->to.parent_size; i++)
    c->to.bytes[i] = (unsigned char)~c->to.bytes[i];
  assert_int_equal(run_over(f, c), CLRS_OK);
  count_launches(c, seen);
  seen->filled += c->fills;
  seen->moved += !c->fills;
  seen->parts += c->from.buffer != c->from.parent || c->to.buffer != c->to.parent;
}

/* ---- all ---- */

static int64_t count_of(const tally *seen, clrs__class_number kernel_class) {
  int64_t count = 0;
  for (int unit = 0; unit < 8; unit++)
    count += seen->seen[kernel_class][unit][0] + seen->seen[kernel_class][unit][1];
  return count;
}

static void print_classes(const tally *seen) {
  for (int k = 0; k < CLASSES; k++) {
    if (count_of(seen, (clrs__class_number)k) == 0)
      continue;
    print_message("  %-9s", clrs_class_name((size_t)k));
    for (int unit = 0; unit < 8; unit++)
      if (seen->seen[k][unit][0] + seen->seen[k][unit][1])
        print_message(" %d:%lld/%lld", 1 << unit, (long long)seen->seen[k][unit][0],
                      (long long)seen->seen[k][unit][1]);
    print_message("\n");
  }
}

/* The cases must be what they claim to be: every class except the classes with work-groups, in both
 * index widths. */
static void require_variety(const tally *seen, int64_t cases) {
  for (int k = CLRS__CLASS_ANY + 1; k < CLRS__CLASS_COUNT; k++)
    for (int wide = 0; wide < 2; wide++) {
      if (k == CLRS__CLASS_GPU_ROWS || k == CLRS__CLASS_GPU_TILE || k == CLRS__CLASS_GPU_SHORT)
        continue;
      int64_t count = 0;
      for (int unit = 0; unit < 8; unit++)
        count += seen->seen[k][unit][wide];
      if (count == 0)
        fail_msg("no launch of class %s with %d-bit indices", clrs_class_name((size_t)k),
                 wide ? 64 : 32);
    }
  assert_true(seen->parts * 5 > cases && seen->composed * 50 > cases && seen->filled * 20 > cases);
}

TEST_IN(moves_stay_in_their_buffers, fixture_open, fixture_close) {
  const fixture *f = *state;
  tally seen = {0};
  const uint64_t seed = test_seed(FIRST_SEED);
  const int64_t cases = test_cases(CASES);
  for (int64_t i = 0; i < cases; i++) {
    exact_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    if (case_draw(f, &c, &rng))
      case_run(f, &c, &rng, &seen);
    clrs_tensor_release(c.source);
    clrs_tensor_release(c.destination);
    unplace(&c.from);
    unplace(&c.to);
  }
  print_message("%lld cases: %lld moved (%lld composed), %lld filled, %lld in parts of a buffer, "
                "%lld refused, %lld empty; launches by unit, with 32-/64-bit indices:\n",
                (long long)cases, (long long)seen.moved, (long long)seen.composed,
                (long long)seen.filled, (long long)seen.parts, (long long)seen.refused,
                (long long)seen.empty);
  print_classes(&seen);
  if (cases >= 1000)
    require_variety(&seen, cases);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
