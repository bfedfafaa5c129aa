/*
 * Random chains of movement operations, carried out on the device: as an alias, as a new tensor
 * under each copy policy, and into a destination of any layout. Requires at most one launch, and
 * compares every element with the oracle. An alias is proved by a write through one tensor and a
 * read through the other, not by the library's report.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/classes.h"
#include "harness/device.h"

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/tensors.h"

enum { BUFFER = 1 << 20, MAX_STEPS = 8, MAX_COUNT = 2000, TEXT = 2000 };

static const clrs_dtype dtypes[] = {CLRS_BITS1, CLRS_U1,  CLRS_I2,  CLRS_U4,  CLRS_BOOL,
                                    CLRS_F16,   CLRS_F32, CLRS_F64, CLRS_C128};

typedef struct fixture {
  test_device device;
  clrs_context *library;
  cl_command_queue unordered;
  cl_mem source, destination;
  unsigned char *bytes, *expected, *got;
} fixture;

typedef struct chain_case {
  uint64_t seed;
  cl_command_queue queue; /* in order or not */
  clrs_tensor *source;    /* the whole chain, as a view of fixture.source */
  oracle expected;
  bit_span span; /* how elements lie in fixture.source */
  size_t size;   /* bytes that the layout touches there */
  char text[TEXT];
} chain_case;

typedef struct tally {
  int64_t aliases, affine, composed, empty, refused, moved, stacks, pieces, unsupported;
  int64_t by_class[CLRS__CLASS_COUNT][2]; /* into a given place, as required: core, wide */
} tally;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  f->unordered = device_queue(&f->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  f->library = device_library(&f->device, NULL);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, BUFFER);
  f->bytes = malloc(BUFFER);
  f->expected = malloc(BUFFER);
  f->got = malloc(BUFFER);
  assert_true(f->bytes && f->expected && f->got);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  clrs_context_release(f->library);
  CL_OK(clReleaseCommandQueue(f->unordered));
  device_require_references(f->source, 1);
  device_require_references(f->destination, 1);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  device_close(&f->device);
  free(f->bytes);
  free(f->expected);
  free(f->got);
  free(f);
  return 0;
}

static void refill(fixture *f, const chain_case *c, test_rng *rng) {
  rng_fill(rng, f->bytes, c->size);
  device_write(&f->device, f->source, c->size, f->bytes);
}

static void apply_chain(chain_case *c, test_rng *rng, clrs_view *view) {
  clrs_error error = {0};
  const int64_t steps = rng_between(rng, 0, MAX_STEPS);
  for (int64_t i = 0; i < steps; i++) {
    const move step = move_random(rng, &view->shape, MAX_COUNT);
    const size_t used = strlen(c->text);
    if (used + 1 < sizeof c->text) {
      c->text[used] = ' ';
      move_print(&step, c->text + used + 1, sizeof c->text - used - 1);
    }
    CHECK_SEEDED(move_apply_view(&step, view, &error) == CLRS_OK, c->seed, "%s: %s", c->text,
                 error.message);
    move_apply_oracle(&step, &c->expected);
  }
}

static void case_begin(fixture *f, chain_case *c, test_rng *rng) {
  const layout_wish wish = {5, 12, 300, 1, true};
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  const clrs_layout layout = layout_random(rng, dtype, &wish, rng_between(rng, 0, 20));
  clrs_tensor *whole = NULL;
  int64_t lowest, highest;
  c->span = bits_of(dtype, rng_percent(rng, 50) ? 0 : (uint64_t)rng_between(rng, 0, 20));
  c->expected = oracle_from_layout(&layout);
  c->queue = rng_percent(rng, 50) ? f->unordered : f->device.queue;
  oracle_range(&c->expected, &lowest, &highest);
  c->size = (size_t)bits_end(&c->span, highest);
  print_layout(&layout, c->text, sizeof c->text);
  const clrs_storage storage = {f->source, c->span.byte_offset};
  CHECK_OK(clrs_tensor_wrap(f->library, &storage, &layout, &whole, &error), error);
  clrs_view view = *clrs_tensor_view(whole);
  apply_chain(c, rng, &view);
  CHECK_OK(clrs_tensor_with_view(whole, &view, &c->source, &error), error);
  clrs_tensor_release(whole);
  refill(f, c, rng);
}

/* The elements of a result, densely packed by the oracle, against the bytes on the device. */
static void compare_dense(fixture *f, const chain_case *c, const clrs_tensor *result) {
  const clrs_storage storage = clrs_tensor_storage(result);
  const bit_span dense = {0, c->span.width, c->span.msb_first};
  if (c->expected.count == 0)
    return;
  const size_t size = (size_t)bits_end(&dense, c->expected.count - 1);
  memset(f->expected, 0, size);
  for (int64_t k = 0; k < c->expected.count; k++)
    bits_copy(&c->span, f->bytes, c->expected.positions[k], &dense, f->expected, k);
  assert_true(storage.buffer != NULL && storage.byte_offset == 0);
  device_read(&f->device, storage.buffer, size, f->got);
  const uint32_t tail = (uint32_t)((uint64_t)c->expected.count * c->span.width % 8);
  if (tail) /* bits after the last element are nobody's */
    f->got[size - 1] &= (unsigned char)(c->span.msb_first ? 0xFF00u >> tail : (1u << tail) - 1);
  for (size_t i = 0; i < size; i++)
    CHECK_SEEDED(f->got[i] == f->expected[i], c->seed, "%s: byte %zu is %02x, not %02x", c->text, i,
                 f->got[i], f->expected[i]);
}

static clrs_tensor *materialize(const chain_case *c, clrs_tensor *source, clrs_copy_policy policy,
                                clrs_status expected) {
  clrs_tensor *result = NULL;
  clrs_error error = {0};
  cl_event event = NULL;
  const clrs_status status =
      clrs_enqueue_chain(source, "", policy, NULL, &result, ON(c->queue), &event, &error);
  CHECK_SEEDED(status == expected, c->seed, "%s: %s %s", c->text, clrs_status_name(status),
               error.message);
  if (status != CLRS_OK) {
    assert_true(result == NULL && event == NULL && error.message[0]);
    return NULL;
  }
  device_finish_event(event);
  assert_true(clrs_shape_equal(&clrs_tensor_view(result)->shape, &c->expected.shape));
  assert_int_equal(clrs_tensor_view(result)->dtype, clrs_tensor_view(source)->dtype);
  return result;
}

/* Writes through the alias, where no two elements coincide, and reads the buffer itself. */
static void write_through(fixture *f, const chain_case *c, clrs_tensor *alias, test_rng *rng) {
  if (c->expected.count == 0 || oracle_has_duplicates(&c->expected))
    return;
  const clrs_view *view = clrs_tensor_view(alias);
  clrs_layout dense;
  clrs_tensor *news = NULL;
  const bit_span span = bits_of(view->dtype, 0);
  const size_t size = (size_t)bits_end(&span, c->expected.count - 1);
  CHECK_OK(clrs_layout_init(view->dtype, &view->shape, NULL, 0, &dense, &error), error);
  const clrs_storage storage = {f->destination, 0};
  CHECK_OK(clrs_tensor_wrap(f->library, &storage, &dense, &news, &error), error);
  rng_fill(rng, f->expected, size);
  device_write(&f->device, f->destination, size, f->expected);
  cl_event event = NULL;
  const clrs_status status = clrs_enqueue_move(news, alias, ON(c->queue), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s: %s", c->text, error.message);
  device_finish_event(event);
  for (int64_t k = 0; k < c->expected.count; k++)
    bits_copy(&span, f->expected, k, &c->span, f->bytes, c->expected.positions[k]);
  device_read(&f->device, f->source, c->size, f->got);
  CHECK_SEEDED(memcmp(f->got, f->bytes, c->size) == 0, c->seed, "not written through: %s", c->text);
  clrs_tensor_release(news);
}

/* Changes the source's bytes and requires the new bytes in the result. */
static void check_alias(fixture *f, const chain_case *c, clrs_tensor *alias, test_rng *rng) {
  assert_ptr_equal(clrs_tensor_storage(alias).buffer, f->source);
  assert_int_equal(clrs_tensor_storage(alias).byte_offset, c->span.byte_offset);
  clrs_layout layout;
  CHECK_OK(clrs_view_layout(clrs_tensor_view(alias), &layout, &error), error);
  CHECK_SEEDED(layout_matches(&layout, &c->expected), c->seed, "false alias: %s", c->text);
  refill(f, c, rng);
  clrs_tensor *copy = materialize(c, alias, CLRS_COPY_ALWAYS, CLRS_OK);
  compare_dense(f, c, copy);
  clrs_tensor_release(copy);
  write_through(f, c, alias, rng);
}

static void run_policies(fixture *f, const chain_case *c, test_rng *rng, tally *seen) {
  clrs_plan plan;
  clrs_layout layout;
  const bool is_layout = clrs_view_layout(clrs_tensor_view(c->source), &layout, NULL) == CLRS_OK;
  const bool empty = c->expected.count == 0;
  CHECK_OK(clrs_tensor_plan(c->source, NULL, CLRS_COPY_IF_NEEDED, &plan, &error), error);
  CHECK_SEEDED(!plan.launch_count == (empty || is_layout), c->seed, "%u launches: %s",
               plan.launch_count, c->text);
  if (plan.launch_count > 1) /* a few disjoint rectangles */
    CHECK_SEEDED(plan.outcome == CLRS_OUTCOME_AFFINE && plan.launch_count <= CLRS_MAX_LAUNCHES,
                 c->seed, "%u launches: %s", plan.launch_count, c->text);
  seen->pieces += plan.launch_count > 1;
  seen->aliases += plan.outcome == CLRS_OUTCOME_ALIAS;
  seen->affine += plan.outcome == CLRS_OUTCOME_AFFINE;
  seen->composed += plan.outcome == CLRS_OUTCOME_COMPOSED;
  seen->empty += plan.outcome == CLRS_OUTCOME_EMPTY;
  seen->stacks += clrs_tensor_view(c->source)->depth > 1;
  clrs_tensor *copy = materialize(c, c->source, CLRS_COPY_ALWAYS, CLRS_OK);
  compare_dense(f, c, copy);
  if (!empty)
    assert_ptr_not_equal(clrs_tensor_storage(copy).buffer, f->source);
  clrs_tensor_release(copy);
  clrs_tensor *never =
      materialize(c, c->source, CLRS_COPY_NEVER, is_layout ? CLRS_OK : CLRS_WOULD_COPY);
  seen->refused += !is_layout;
  clrs_tensor *needed = materialize(c, c->source, CLRS_COPY_IF_NEEDED, CLRS_OK);
  if (is_layout && !empty) {
    check_alias(f, c, never, rng);
    check_alias(f, c, needed, rng);
  } else {
    compare_dense(f, c, needed);
  }
  clrs_tensor_release(never);
  clrs_tensor_release(needed);
}

/* A destination of the chain's shape: a layout, or a layout that was transposed and reshaped twice,
 * which may be a stack of walks. */
static clrs_tensor *draw_destination(fixture *f, const chain_case *c, test_rng *rng,
                                     const bit_span *span, oracle *written) {
  const clrs_dtype dtype = clrs_tensor_view(c->source)->dtype;
  const bool turned = rng_percent(rng, 25) && c->expected.count > 0;
  const clrs_shape first =
      turned ? shape_random_of_count(rng, c->expected.count) : c->expected.shape;
  const clrs_layout layout =
      layout_random_of_shape(rng, dtype, &first, false, rng_between(rng, 0, 20));
  const clrs_storage storage = {f->destination, span->byte_offset};
  clrs_tensor *whole = NULL, *result = NULL;
  int64_t axes[CLRS_MAX_RANK];
  CHECK_OK(clrs_tensor_wrap(f->library, &storage, &layout, &whole, &error), error);
  *written = oracle_from_layout(&layout);
  clrs_view view = *clrs_tensor_view(whole);
  for (int turn = 0; turn < 2 && turned; turn++) {
    const clrs_shape next =
        turn == 0 ? shape_random_of_count(rng, c->expected.count) : c->expected.shape;
    rng_permutation(rng, view.shape.rank, axes);
    CHECK_OK(clrs_view_permute(&view, view.shape.rank, axes, &error), error);
    oracle_permute(written, axes);
    CHECK_OK(clrs_view_reshape(&view, &next, &error), error);
    oracle_reshape(written, &next);
  }
  CHECK_OK(clrs_tensor_with_view(whole, &view, &result, &error), error);
  clrs_tensor_release(whole);
  return result;
}

/* By a class and a way that are drawn, unless the class cannot: then as the library likes. */
static clrs_status enqueue_move(const fixture *f, const chain_case *c, test_rng *rng,
                                clrs_tensor *destination, cl_event *event, tally *seen) {
  clrs_device_limits limits = clrs_context_limits(f->library);
  clrs_plan plan;
  clrs_error error = {0};
  const bool wide = rng_percent(rng, 50);
  limits.execution = wide ? CLRS_EXECUTION_GPU : CLRS_EXECUTION_CPU;
  limits.required_class =
      clrs_class_name((size_t)rng_between(rng, CLRS__CLASS_ANY + 1, CLRS__CLASS_COUNT - 1));
  const clrs_move move = {
      .source = {clrs_tensor_view(c->source), clrs_tensor_storage(c->source).byte_offset, 128},
      .destination = {clrs_tensor_view(destination), clrs_tensor_storage(destination).byte_offset,
                      128}};
  clrs_status status = clrs_plan_move(&move, &limits, &plan, &error);
  if (status == CLRS_OK) {
    seen->by_class[class_named(limits.required_class)][wide] += plan.launch_count > 0;
    status = clrs_enqueue_plan(
        f->library, &plan, &(clrs_plan_buffers){.source = f->source, .destination = f->destination},
        ON(c->queue), event, &error);
  } else if (status == CLRS_UNSUPPORTED) {
    status = clrs_enqueue_move(c->source, destination, ON(c->queue), event, &error);
  }
  CHECK_SEEDED(status == CLRS_OK || status == CLRS_UNSUPPORTED, c->seed, "%s: %s", c->text,
               error.message);
  return status;
}

/* Moves the chain's elements into a random place, and compares all bytes of the destination. */
static void run_move(fixture *f, const chain_case *c, test_rng *rng, tally *seen) {
  cl_event event = NULL;
  int64_t lowest, highest;
  oracle written;
  const bit_span span =
      bits_of(clrs_tensor_view(c->source)->dtype, (uint64_t)rng_between(rng, 0, 20));
  clrs_tensor *destination = draw_destination(f, c, rng, &span, &written);
  oracle_range(&written, &lowest, &highest);
  const size_t size = (size_t)bits_end(&span, highest) + 16;
  if (size <= BUFFER) {
    rng_fill(rng, f->expected, size);
    device_write(&f->device, f->destination, size, f->expected);
    const clrs_status status = enqueue_move(f, c, rng, destination, &event, seen);
    if (status == CLRS_OK) {
      device_finish_event(event);
      bits_move(&c->span, f->bytes, &c->expected, &span, f->expected, &written);
    }
    device_read(&f->device, f->destination, size, f->got);
    CHECK_SEEDED(memcmp(f->got, f->expected, size) == 0, c->seed, "moved wrongly: %s", c->text);
    seen->moved += status == CLRS_OK;
    seen->unsupported += status == CLRS_UNSUPPORTED;
  }
  clrs_tensor_release(destination);
  oracle_free(&written);
}

static void check_classes(const tally *seen) {
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++) {
    const bool is_rare = c == CLRS__CLASS_FILL || c == CLRS__CLASS_CPU_SUBBYTE;
    const int64_t *by_way = seen->by_class[c];
    print_message("  %s: %lld cpu, %lld gpu\n", clrs_class_name((size_t)c), (long long)by_way[0],
                  (long long)by_way[1]);
    const bool is_local = c == CLRS__CLASS_GPU_TILE || c == CLRS__CLASS_GPU_SHORT;
    assert_true(is_rare || (by_way[1] > 0 && (by_way[0] > 0 || is_local)));
  }
}

TEST_IN(random_chains_take_at_most_one_pass, fixture_open, fixture_close) {
  fixture *f = *state;
  tally seen = {0};
  const uint64_t seed = test_seed(70000);
  const int64_t cases = test_cases(400);
  for (int64_t i = 0; i < cases; i++) {
    chain_case c = {.seed = seed + (uint64_t)i};
    test_rng rng = rng_start(c.seed);
    case_begin(f, &c, &rng);
    run_policies(f, &c, &rng, &seen);
    run_move(f, &c, &rng, &seen);
    clrs_tensor_release(c.source);
    oracle_free(&c.expected);
  }
  print_message("%lld chains: %lld aliases, %lld affine, %lld composed (%lld stacks), %lld empty; "
                "%lld in pieces; %lld into a given place, %lld refused\n",
                (long long)cases, (long long)seen.aliases, (long long)seen.affine,
                (long long)seen.composed, (long long)seen.stacks, (long long)seen.empty,
                (long long)seen.pieces, (long long)seen.moved, (long long)seen.unsupported);
  if (cases >= 6000) /* some classes are rare */
    check_classes(&seen);
  if (cases >= 1000) { /* every outcome must have been seen often */
    assert_true(seen.aliases * 10 > cases && seen.affine * 10 > cases);
    assert_true(seen.composed * 50 > cases && seen.moved * 10 > cases * 9);
    assert_true(seen.unsupported * 20 <= cases); /* stacks as destinations */
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
