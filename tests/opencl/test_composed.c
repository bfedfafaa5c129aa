/*
 * Composed moves at the borders of the kernels: nests with and without rows, and batches that end
 * early. Digits wrap after one step or many steps, at every level. Steps are forward, backward and
 * 0. Slices begin in the middle, and units are wider and narrower than an element. Source and
 * destination end or begin at a page that may not be touched.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/bits.h"
#include "harness/chain.h"
#include "harness/fence.h"
#include "harness/tensors.h"
#include "plan/plan.h"

enum { CASES = 90, LATTICES = 75, FIRST_SEED = 930000, FIRST_LATTICE = 940000 };
enum { PAGES = 512, LIBRARIES = 3, MOST_STEPS = 8, MOST_ELEMENTS = 60000, TEXT = 1000 };

/* A type of each width, the 1-bit type in the second bit order. Wider units come from kept runs. */
static const clrs_dtype dtypes[] = {CLRS_U1,  CLRS_I2,  CLRS_U4,  CLRS_U8,
                                    CLRS_F16, CLRS_F32, CLRS_C128};

typedef struct fixture {
  test_device device;
  clrs_context *libraries[LIBRARIES];
  fenced memory[2]; /* buffers of the source and of the destination */
  unsigned char *expected;
} fixture;

typedef struct chain_case {
  uint64_t seed;
  clrs_dtype dtype;
  clrs_shape whole;
  clrs_view view;
  oracle expected;
  char text[TEXT];
} chain_case;

typedef struct tally {
  int64_t composed, rows, no_rows, wider, packed, interleaved, stacks;
  int64_t lattices, in_bands, wide, with_runs, batched; /* of lattices */
} tally;

static int fixture_open(void **state) {
  const uint64_t plenty = UINT64_C(1) << 30;
  const clrs_device_limits limits[LIBRARIES] = {
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 32, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_CPU, .min_index_bits = 64, .max_work_items = plenty},
      {.execution = CLRS_EXECUTION_GPU, .min_index_bits = 32, .max_work_items = plenty}};
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  for (int i = 0; i < LIBRARIES; i++)
    f->libraries[i] = device_library(&f->device, &limits[i]);
  for (int i = 0; i < 2; i++)
    f->memory[i] = fence(PAGES);
  f->expected = malloc(f->memory[1].size);
  assert_non_null(f->expected);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  for (int i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  for (int i = 0; i < 2; i++)
    unfence(&f->memory[i]);
  device_close(&f->device);
  free(f->expected);
  free(f);
  return 0;
}

/* ---- chains ---- */

static void apply(chain_case *c, const move *step) {
  clrs_error error = {0};
  const size_t used = strlen(c->text);
  c->text[used] = ' ';
  move_print(step, c->text + used + 1, sizeof c->text - used - 1);
  CHECK_SEEDED(move_apply_view(step, &c->view, &error) == CLRS_OK, c->seed, "%s: %s", c->text,
               error.message);
  move_apply_oracle(step, &c->expected);
}

static int64_t pick(test_rng *rng, const int64_t *from, size_t count) {
  return from[rng_between(rng, 0, (int64_t)count - 1)];
}

/* A few dims, of long and short, round and odd extents. Sometimes the last dim is a run that
 * stays. */
static clrs_shape draw_whole(test_rng *rng, bool keeps_runs) {
  static const int64_t extents[] = {2,  3,  4,  5,   7,   8,   15,  16,  24,  30,
                                    36, 63, 96, 105, 128, 210, 255, 256, 257, 1024};
  static const int64_t runs[] = {2, 4, 6, 8, 16, 20};
  clrs_shape shape = {.rank = rng_percent(rng, 75) ? 2 : (uint32_t)rng_between(rng, 3, 4)};
  do {
    for (uint32_t d = 0; d < shape.rank; d++)
      shape.dims[d] = pick(rng, extents, sizeof extents / sizeof *extents);
  } while (oracle_count(&shape) > (keeps_runs ? 3000 : MOST_ELEMENTS / 2));
  if (keeps_runs)
    shape.dims[shape.rank++] = pick(rng, runs, sizeof runs / sizeof *runs);
  return shape;
}

/* Permutes all dims, or all except the last. */
static void permute(chain_case *c, test_rng *rng, bool keeps_runs) {
  move step = {.kind = MOVE_PERMUTE, .count = c->view.shape.rank};
  if (step.count == 0)
    return;
  const size_t moving = step.count - (keeps_runs ? 1 : 0);
  step.axes[step.count - 1] = (int64_t)step.count - 1;
  rng_permutation(rng, moving, step.axes);
  if (moving == 2 && rng_percent(rng, 80)) {
    step.axes[0] = 1;
    step.axes[1] = 0;
  }
  apply(c, &step);
}

/* Mostly two or three other dims of the same count. Sometimes the last dim stays. */
static void reshape(chain_case *c, test_rng *rng, bool keeps_runs) {
  const clrs_shape *from = &c->view.shape;
  move step = {.kind = MOVE_RESHAPE};
  const int64_t run = keeps_runs ? from->dims[from->rank - 1] : 1;
  const int64_t count = oracle_count(from) / run;
  const int64_t outer = rng_percent(rng, 50) ? 256 : 2; /* 256 units are a batch */
  for (int tries = 0; tries < 50; tries++) {
    step.shape = shape_random_of_count(rng, count);
    if (step.shape.rank == 2 && step.shape.dims[0] >= outer && step.shape.dims[1] > 1)
      break;
  }
  if (keeps_runs)
    step.shape.dims[step.shape.rank++] = run;
  apply(c, &step);
}

static void flip(chain_case *c, test_rng *rng) {
  if (c->view.shape.rank == 0)
    return;
  const move step = {
      .kind = MOVE_FLIP, .count = 1, .axes = {rng_between(rng, 0, c->view.shape.rank - 1)}};
  apply(c, &step);
}

/* From another place than the beginning, in steps of either sign. */
static void slice(chain_case *c, test_rng *rng) {
  for (uint32_t d = 0; d < c->view.shape.rank; d++) {
    const int64_t dim = c->view.shape.dims[d];
    if (dim < 4 || rng_percent(rng, 50))
      continue;
    move step = {.kind = MOVE_SLICE, .count = 1};
    const int64_t begin = rng_between(rng, 0, dim / 3), end = rng_between(rng, dim / 2, dim);
    step.slices[0] = rng_percent(rng, 70)
                         ? (clrs_slice){d, begin, end, rng_between(rng, 1, 3)}
                         : (clrs_slice){d, end - 1, begin, -rng_between(rng, 1, 2)};
    apply(c, &step);
  }
}

/* Repeats everything 2 to 5 times, in any place: an axis of stride 0. */
static void repeat(chain_case *c, test_rng *rng) {
  const uint32_t rank = c->view.shape.rank, at = (uint32_t)rng_between(rng, 0, rank);
  const int64_t times = rng_between(rng, 2, 5);
  if (oracle_count(&c->view.shape) * times > MOST_ELEMENTS || rank > 8)
    return;
  move unsqueeze = {.kind = MOVE_UNSQUEEZE, .count = 1, .axes = {at}};
  apply(c, &unsqueeze);
  move expand = {.kind = MOVE_EXPAND, .shape = c->view.shape};
  expand.shape.dims[at] = times;
  apply(c, &expand);
}

static void draw_chain(chain_case *c, test_rng *rng, bool keeps_runs) {
  const int turns = rng_percent(rng, 75) ? 1 : 2;
  if (!keeps_runs && rng_percent(rng, 30))
    slice(c, rng);
  for (int turn = 0; turn < turns; turn++) {
    permute(c, rng, keeps_runs);
    if (!keeps_runs && rng_percent(rng, 20))
      flip(c, rng);
    reshape(c, rng, keeps_runs);
    if (!keeps_runs && rng_percent(rng, 60)) /* whole shapes usually give a lattice */
      slice(c, rng);
    if (!keeps_runs && rng_percent(rng, 20))
      repeat(c, rng);
  }
  permute(c, rng, keeps_runs);
  if (!keeps_runs && rng_percent(rng, 40))
    flip(c, rng);
}

/* [a * p, b * q] transposed, read as [b * p, a * q] and transposed again: a lattice, with the steps
 * p and q and a residues. Steps alike and far apart, more and fewer runs than a tile has, at times
 * in batches and of more than an element. */
typedef struct lattice_dims {
  int64_t batch, a, b, p, q, run;
} lattice_dims;

static lattice_dims draw_lattice_dims(test_rng *rng) {
  static const int64_t runs[] = {2, 3, 5, 7, 9, 16, 21, 40, 70, 300, 1030};
  const int64_t run = rng_percent(rng, 40) ? pick(rng, runs, 11) : 1;
  lattice_dims d;
  do {
    const int64_t long_side = rng_between(rng, 2, rng_percent(rng, 50) ? 90 : 3000);
    const int64_t short_side = rng_between(rng, 2, rng_percent(rng, 50) ? 9 : 90);
    const bool turn = rng_percent(rng, 50);
    d = (lattice_dims){.batch = rng_percent(rng, 20) ? rng_between(rng, 2, 3) : 1,
                       .a = rng_between(rng, 1, rng_percent(rng, 50) ? 5 : 40),
                       .b = rng_between(rng, 1, rng_percent(rng, 50) ? 5 : 40),
                       .p = turn ? long_side : short_side,
                       .q = turn ? short_side : long_side,
                       .run = run};
  } while (d.batch * d.a * d.p * d.b * d.q * d.run > MOST_ELEMENTS);
  return d;
}

static clrs_shape lattice_shape(const lattice_dims *d, int64_t rows, int64_t columns) {
  clrs_shape shape = {.rank = 3, .dims = {d->batch, rows, columns}};
  if (d->run > 1)
    shape.dims[shape.rank++] = d->run;
  return shape;
}

static void draw_lattice_chain(chain_case *c, const lattice_dims *d) {
  const move turn = {.kind = MOVE_PERMUTE, .count = c->view.shape.rank, .axes = {0, 2, 1, 3}};
  const move reshape = {.kind = MOVE_RESHAPE, .shape = lattice_shape(d, d->b * d->p, d->a * d->q)};
  apply(c, &turn);
  apply(c, &reshape);
  apply(c, &turn);
}

/* ---- moves ---- */

/* A buffer of just the layout's bytes. */
static clrs_tensor *place(fixture *f, clrs_context *library, test_rng *rng, int side,
                          const clrs_layout *layout, size_t size, unsigned char **bytes) {
  clrs_error error;
  clrs_tensor *tensor = NULL;
  cl_mem buffer = fence_buffer(&f->device, &f->memory[side], rng_percent(rng, 70), size, bytes);
  const clrs_storage storage = {buffer, 0};
  rng_fill(rng, *bytes, size);
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  CL_OK(clReleaseMemObject(buffer)); /* the tensor retains the buffer */
  return tensor;
}

/* If a tile takes columns of several residues, the destination has fewer runs than the tile has
 * columns. */
static void count_lattice(const clrs__cut *cut, tally *seen) {
  const clrs__nest_axis *columns = &cut->nest.axes[cut->as.lattice.outer_axis_count];
  seen->lattices++;
  seen->wide += cut->as.lattice.columns > columns->extent;
  seen->in_bands += cut->as.lattice.rows > 1 && cut->as.lattice.columns <= columns->extent;
  seen->with_runs += cut->as.lattice.run > 1;
  seen->batched += cut->as.lattice.outer_axis_count > 0;
}

static void count_plan(const clrs_plan *plan, tally *seen) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  const clrs__cut *cut = &data->cuts[0];
  const bool decoded = cut->kind == CLRS__CUT_DECODED;
  seen->composed++;
  seen->rows += decoded && cut->as.decoded.rows > 0;
  seen->no_rows += decoded && cut->as.decoded.rows == 0;
  seen->packed += decoded && cut->unit_bits < 8;
  if (cut->kind == CLRS__CUT_LATTICE)
    count_lattice(cut, seen);
  seen->interleaved += cut->kernel_class == CLRS__CLASS_SUBBYTE;
  seen->wider += cut->unit_bits > clrs_dtype_bits(data->stack.dtype);
  seen->stacks += data->stack.depth > 1;
}

static void run_move(fixture *f, clrs_context *library, chain_case *c, test_rng *rng,
                     const clrs_layout *layouts, tally *seen) {
  const bit_span span = bits_of(c->dtype, 0);
  oracle written = oracle_from_layout(&layouts[1]);
  const oracle *tensors[2] = {&c->expected, &written};
  clrs_tensor *placed[2], *source = NULL;
  unsigned char *bytes[2];
  size_t sizes[2];
  clrs_error error = {0};
  cl_event event = NULL;
  clrs_plan plan;
  for (int side = 0; side < 2; side++) {
    int64_t lowest, highest;
    oracle_range(tensors[side], &lowest, &highest);
    sizes[side] = side == 0 ? (size_t)bits_end(&span, oracle_count(&c->whole) - 1)
                            : (size_t)bits_end(&span, highest);
    assert_true(sizes[side] <= f->memory[side].size);
    placed[side] = place(f, library, rng, side, &layouts[side], sizes[side], &bytes[side]);
  }
  CHECK_OK(clrs_tensor_with_view(placed[0], &c->view, &source, &error), error);
  CHECK_OK(clrs_tensor_plan(source, placed[1], CLRS_COPY_ALWAYS, &plan, &error), error);
  if (plan.outcome == CLRS_OUTCOME_COMPOSED)
    count_plan(&plan, seen);
  memcpy(f->expected, bytes[1], sizes[1]);
  bits_move(&span, bytes[0], &c->expected, &span, f->expected, &written);
  CHECK_OK(clrs_enqueue_move(source, placed[1], ON(f->device.queue), &event, &error), error);
  device_finish_event(event);
  const cl_mem buffer = clrs_tensor_storage(placed[1]).buffer;
  unsigned char *got = malloc(sizes[1]);
  assert_non_null(got);
  device_read(&f->device, buffer, sizes[1], got);
  for (size_t i = 0; i < sizes[1]; i++)
    CHECK_SEEDED(got[i] == f->expected[i], c->seed, "%s: byte %zu of %zu is %02x, not %02x",
                 c->text, i, sizes[1], got[i], f->expected[i]);
  free(got);
  clrs_tensor_release(source);
  clrs_tensor_release(placed[0]);
  clrs_tensor_release(placed[1]);
  oracle_free(&written);
}

/* In the first seeds two types where words have 64 bits. */
static clrs_dtype draw_dtype(const fixture *f, const clrs_context *library, uint64_t seed,
                             test_rng *rng) {
  const clrs_dtype dtype = dtypes[rng_between(rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  const bool is_first = seed - FIRST_SEED < CASES || seed - FIRST_LATTICE < LATTICES;
  return library == f->libraries[1] && is_first ? dtype_of_two(dtype) : dtype;
}

static void run_case(fixture *f, uint64_t seed, bool is_lattice, tally *seen) {
  chain_case c = {.seed = seed};
  clrs_error error;
  test_rng rng = rng_start(seed);
  clrs_context *library = f->libraries[rng_between(&rng, 0, LIBRARIES - 1)];
  clrs_layout layouts[2];
  c.dtype = draw_dtype(f, library, seed, &rng);
  const bool keeps_runs = rng_percent(&rng, 30);
  const lattice_dims dims = draw_lattice_dims(&rng);
  c.whole = is_lattice ? lattice_shape(&dims, dims.a * dims.p, dims.b * dims.q)
                       : draw_whole(&rng, keeps_runs);
  CHECK_OK(clrs_layout_init(c.dtype, &c.whole, NULL, 0, &layouts[0], &error), error);
  CHECK_OK(clrs_view_from_layout(&layouts[0], &c.view, &error), error);
  c.expected = oracle_from_layout(&layouts[0]);
  print_layout(&layouts[0], c.text, sizeof c.text);
  if (is_lattice)
    draw_lattice_chain(&c, &dims);
  else
    draw_chain(&c, &rng, keeps_runs);
  if (rng_percent(&rng, 70))
    CHECK_OK(clrs_layout_init(c.dtype, &c.view.shape, NULL, 0, &layouts[1], &error), error);
  else
    layouts[1] = layout_random_of_shape(&rng, c.dtype, &c.view.shape, false, 0);
  const bit_span span = bits_of(c.dtype, 0);
  const clrs_bounds bounds = bounds_of(&layouts[1]);

  if (bits_end(&span, bounds.highest) <= f->memory[1].size)
    run_move(f, library, &c, &rng, layouts, seen);
  oracle_free(&c.expected);
}

static tally run_cases(fixture *f, uint64_t first_seed, int64_t cases, bool is_lattice) {
  tally seen = {0};
  const uint64_t seed = test_seed(first_seed);
  for (int64_t i = 0; i < cases; i++)
    run_case(f, seed + (uint64_t)i, is_lattice, &seen);
  return seen;
}

TEST_IN(composed_moves_are_right_at_every_border, fixture_open, fixture_close) {
  const int64_t cases = test_cases(CASES);
  const tally seen = run_cases(*state, FIRST_SEED, cases, false);
  print_message("%lld moves: %lld composed, %lld with rows and %lld without, %lld packed by whole "
                "bytes and %lld not, %lld of wider units, %lld through more than one walk\n",
                (long long)cases, (long long)seen.composed, (long long)seen.rows,
                (long long)seen.no_rows, (long long)seen.packed, (long long)seen.interleaved,
                (long long)seen.wider, (long long)seen.stacks);
  if (cases >= 1000) {
    assert_true(seen.composed * 3 > cases);
    assert_true(seen.rows * 100 > cases && seen.no_rows * 20 > cases);
    assert_true(seen.packed * 50 > cases && seen.interleaved * 50 > cases);
    assert_true(seen.wider * 50 > cases && seen.stacks * 50 > cases);
  }
}

TEST_IN(lattices_are_right_at_every_border, fixture_open, fixture_close) {
  const int64_t cases = test_cases(LATTICES);
  const tally seen = run_cases(*state, FIRST_LATTICE, cases, true);
  print_message("%lld moves: %lld lattices, %lld in bands, %lld of several residues' columns, %lld "
                "with runs, %lld in batches\n",
                (long long)cases, (long long)seen.lattices, (long long)seen.in_bands,
                (long long)seen.wide, (long long)seen.with_runs, (long long)seen.batched);
  if (cases >= 500) {
    assert_true(seen.lattices * 5 > cases && seen.in_bands * 10 > cases);
    assert_true(seen.wide * 200 > cases && seen.with_runs * 20 > cases);
    assert_true(seen.batched * 50 > cases);
  }
}

TESTS_UNLESS(device_missing(), NULL, NULL)
