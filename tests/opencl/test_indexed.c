/*
 * Random gathers and scatters by indices on a device, alone, in batches and in sequences. Every
 * byte of every buffer is compared, the flag's too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"
#include "indexed_case.h"

enum { CASES = 150, MANY_CASES = 900, BATCHES = 40, MOST_MOVES = 5 };

typedef struct indexed_tally {
  int widths[129], skipped, clamped, from_end, flagged, empty, stacks;
} indexed_tally;

static void count_case(const indexed_case *c, indexed_tally *tally) {
  const bool has_elements = c->before * c->middle * c->behind > 0;
  bool is_any_skipped = false;
  for (int64_t i = 0; i < c->middle; i++)
    is_any_skipped = is_any_skipped || c->places[i] < 0;
  tally->widths[clrs_dtype_bits(c->dtype)]++;
  tally->empty += !has_elements;
  tally->skipped += has_elements && is_any_skipped;
  tally->clamped += has_elements && c->given.outside == CLRS_OUTSIDE_CLAMPED && c->is_any_outside;
  tally->from_end += has_elements && c->given.from_end;
  tally->flagged += c->flag_words[1] == 0xa5a5a5a5u;
  tally->stacks += clrs_tensor_view(c->from.seen)->depth > 1;
}

static unsigned char *read_all(clrs_tensor *tensor, cl_command_queue queue, size_t size) {
  unsigned char *bytes = malloc(size + 1);
  cl_event event = NULL;
  assert_non_null(bytes);
  CHECK_OK(clrs_enqueue_read(tensor, bytes, size, ON(queue), &event, &error), error);
  device_finish_event(event);
  return bytes;
}

/* A result of the library's has the elements that the destination was given. */
static void require_result(const fixture *f, const indexed_case *c) {
  const cl_command_queue queue = f->shop->opencl.queue;
  const size_t bytes = clrs_dtype_bits(c->dtype) / 8;
  const size_t size = (size_t)(c->before * c->middle * c->behind) * bytes;
  clrs_tensor *result = NULL;
  CHECK_OK(clrs_enqueue_gather(c->from.seen, &c->given, NULL, &result, ON(queue), NULL, &error),
           error);
  const clrs_view *made = clrs_tensor_view(result), *given = clrs_tensor_view(c->to.seen);
  assert_true(clrs_shape_equal(&made->shape, &given->shape) && made->dtype == c->dtype);
  unsigned char *got = read_all(result, queue, size), *wanted = read_all(c->to.seen, queue, size);
  CHECK_SEEDED(memcmp(got, wanted, size) == 0, c->seed, "%s", "a result of its own");
  free(got);
  free(wanted);
  clrs_tensor_release(result);
}

static void run_case(const fixture *f, uint64_t seed, bool scatters, indexed_tally *tally) {
  static indexed_case c;
  test_rng rng = rng_start(seed);
  clrs_context *library = f->libraries[seed % LIBRARIES];
  cl_event event = NULL;
  clrs_error error = {0};
  c = (indexed_case){.seed = seed, .scatters = scatters};
  indexed_case_draw(f, library, &rng, &c);
  indexed_case_expect(&c);
  const clrs_status status = enqueue_indexed(scatters, c.from.seen, &c.given, c.to.seen,
                                             ON(workshop_queue(f->shop, &rng)), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
  device_finish_event(event);
  indexed_case_require(f, &c);
  if (!scatters && seed % 4 == 0)
    require_result(f, &c);
  count_case(&c, tally);
  indexed_case_free(&c);
}

static void run_cases(const fixture *f, uint64_t first, bool scatters) {
  static const int widths[] = {8, 16, 32, 64, 128};
  const int64_t cases = test_cases(CASES / 3);
  indexed_tally tally = {.skipped = 0};
  first = test_seed(first);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    run_case(f, seed, scatters, &tally);
  print_message(
      "  %lld cases: %d skip, %d clamp, %d count from the end, %d raise the flag, %d have "
      "no elements, %d come from stacks\n",
      (long long)cases, tally.skipped, tally.clamped, tally.from_end, tally.flagged, tally.empty,
      tally.stacks);
  if (cases < CASES)
    return;
  const bool has_many = cases >= MANY_CASES;
  const int drawn = has_many ? MANY_CASES : CASES;
  /* with few cases chance may miss a width */
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
    assert_true(tally.widths[widths[i]] > drawn / (has_many ? 20 : 50));
  assert_true(tally.skipped > drawn / 10 && tally.clamped > drawn / 20 &&
              tally.from_end > drawn / 4 && tally.flagged > drawn / 10 &&
              tally.empty > drawn / 50 && tally.stacks > 0);
}

TEST(gathers_read_what_the_indices_name) {
  run_cases(*state, 310000, false);
}

TEST(scatters_write_what_the_indices_name_and_nothing_else) {
  run_cases(*state, 320000, true);
}

/* ---- in batches ---- */

/* Some cases raise the flag of the first case. The flag value expected of this case is raised
 * there. */
static void share_flag(indexed_case *first, indexed_case *c) {
  c->given.flag = first->flag_tensor;
  indexed_case_expect(c);
  first->flag_words[1] |= c->flag_words[1] & 1;
  c->flag_words[1] &= ~1u;
}

static int draw_batch(const fixture *f, uint64_t seed, test_rng *rng, indexed_case *cases) {
  const int count = (int)rng_between(rng, 2, MOST_MOVES);
  for (int i = 0; i < count; i++) {
    indexed_case *c = &cases[i];
    *c = (indexed_case){.seed = seed, .scatters = rng_percent(rng, 50)};
    indexed_case_draw(f, f->libraries[seed % LIBRARIES], rng, c);
    if (i > 0 && rng_percent(rng, 50))
      share_flag(&cases[0], c);
    else
      indexed_case_expect(c);
  }
  return count;
}

static void enqueue_batch(const fixture *f, const indexed_case *cases, int count, test_rng *rng) {
  clrs_tensor *from[MOST_MOVES], *to[MOST_MOVES];
  const clrs_indices *gathers[MOST_MOVES], *scatters[MOST_MOVES];
  const test_moves moves = {(size_t)count, from, to, gathers, scatters};
  cl_event event = NULL;
  clrs_work *batch = NULL;
  clrs_error error = {0};
  for (int i = 0; i < count; i++) {
    from[i] = cases[i].from.seen;
    to[i] = cases[i].to.seen;
    gathers[i] = cases[i].scatters ? NULL : &cases[i].given;
    scatters[i] = cases[i].scatters ? &cases[i].given : NULL;
  }
  clrs_status status =
      test_work_of_moves(f->libraries[cases->seed % LIBRARIES], &moves, &batch, &error);
  for (int times = 0; status == CLRS_OK && times < 2; times++) {
    status = clrs_enqueue_work(batch, 0, NULL, ON(workshop_queue(f->shop, rng)), &event, &error);
    if (status == CLRS_OK)
      device_finish_event(event);
  }
  CHECK_SEEDED(status == CLRS_OK, cases->seed, "%s", error.message);
  clrs_work_release(batch);
}

/* ---- in sequences ---- */

static const side *side_of(const indexed_case *c, size_t slot) {
  return slot == 0 ? &c->from : slot == 1 ? &c->to : &c->index;
}

/* The side's elements, of which strings have no characters in a sequence. */
static clrs_view bits_of_side(const side *s) {
  clrs_view view = *clrs_tensor_view(s->seen);
  view.dtype = view.dtype == CLRS_STRING ? CLRS_C128 : view.dtype;
  return view;
}

/* Case i has slots 4 i to 4 i + 3: source, destination, indices, flag. */
static clrs_work *open_sequence(const fixture *f, const indexed_case *cases, int count) {
  test_task tasks[MOST_MOVES];
  clrs_indices given[MOST_MOVES];
  clrs_view from[MOST_MOVES], to[MOST_MOVES];
  clrs_work *sequence = NULL;
  for (int i = 0; i < count; i++) {
    const indexed_case *c = &cases[i];
    const uint32_t slot = 4 * (uint32_t)i;
    const bool is_shared = c->given.flag == cases[0].flag_tensor;
    given[i] = c->given;
    given[i].tensor = given[i].flag = NULL;
    from[i] = bits_of_side(&c->from);
    to[i] = bits_of_side(&c->to);
    tasks[i] =
        (test_task){.source = slot,
                    .destination = slot + 1,
                    .from = &from[i],
                    .to = &to[i],
                    .gather = c->scatters ? NULL : &given[i],
                    .scatter = c->scatters ? &given[i] : NULL,
                    .index = slot + 2,
                    .by = clrs_tensor_view(c->index.seen),
                    .flag = is_shared ? 3 : slot + 3,
                    .raises = c->given.flag != NULL ? clrs_tensor_view(c->given.flag) : NULL};
  }
  const test_tasks all = {4 * (uint32_t)count, (size_t)count, tasks};
  const clrs_status status =
      test_work_of_tasks(f->libraries[cases->seed % LIBRARIES], &all, &sequence, &error);
  CHECK_SEEDED(status == CLRS_OK, cases->seed, "%s", error.message);
  return sequence;
}

/* Into another buffer, that many bytes further. */
static void shift(const fixture *f, region *made, size_t by) {
  unsigned char *bytes = malloc(made->size + by);
  assert_non_null(bytes);
  memset(bytes, 0x77, by);
  memcpy(bytes + by, made->bytes, made->size);
  free(made->bytes);
  CL_OK(clReleaseMemObject(made->buffer));
  made->bytes = bytes;
  made->size += by;
  made->span.byte_offset += by;
  made->buffer = device_buffer(&f->shop->opencl, CL_MEM_READ_WRITE, made->size);
  device_write(&f->shop->opencl, made->buffer, made->size, made->bytes);
}

/* Moves everything again, with other bytes in the destination. The flag stays raised. */
static void move_elsewhere(const fixture *f, indexed_case *c, size_t by, test_rng *rng) {
  const cl_uint flag = c->flag_words[1];
  rng_fill(rng, c->to.made.bytes, c->to.made.size);
  shift(f, &c->from.made, by);
  shift(f, &c->to.made, by);
  shift(f, &c->index.made, (size_t)rng_between(rng, 0, 20));
  indexed_case_expect(c);
  c->flag_words[1] = flag;
}

static void enqueue_sequence(const fixture *f, clrs_work *sequence, const indexed_case *cases,
                             int count, test_rng *rng) {
  clrs_slot slots[4 * MOST_MOVES];
  cl_event event = NULL;
  for (size_t i = 0; i < 4 * (size_t)count; i++) {
    const region *made = &side_of(&cases[i / 4], i % 4)->made;
    slots[i] = i % 4 < 3 ? (clrs_slot){.storage = {made->buffer, made->span.byte_offset}}
                         : (clrs_slot){.storage = {cases[i / 4].flag, 4}, .advance = -1};
  }
  const clrs_status status =
      test_enqueue_slots(sequence, slots, ON(workshop_queue(f->shop, rng)), &event, &error);
  CHECK_SEEDED(status == CLRS_OK, cases->seed, "%s", error.message);
  device_finish_event(event);
}

/* Runs at the original place, and then at other places. */
static void run_sequence(const fixture *f, indexed_case *cases, int count, test_rng *rng) {
  clrs_work *sequence = open_sequence(f, cases, count);
  assert_true(clrs_work_warm_up(sequence, NULL) == CLRS_OK);
  for (int times = 0; times < 3; times++) {
    enqueue_sequence(f, sequence, cases, count, rng);
    for (int i = 0; i < count; i++) {
      indexed_case_require(f, &cases[i]);
      if (times < 2)
        move_elsewhere(f, &cases[i], times == 0 ? 32 : (size_t)rng_between(rng, 0, 20), rng);
    }
  }
  clrs_work_release(sequence);
}

/* ---- both ---- */

TEST(batches_and_sequences_do_what_their_tasks_do) {
  static indexed_case cases[MOST_MOVES];
  const fixture *f = *state;
  const uint64_t first = test_seed(330000), end = first + (uint64_t)test_cases(BATCHES);
  int moves = 0;
  cl_uint raised = 0;
  for (uint64_t seed = first; seed < end; seed++) {
    test_rng rng = rng_start(seed);
    const int count = draw_batch(f, seed, &rng, cases);
    if (seed % 2 == 0)
      enqueue_batch(f, cases, count, &rng);
    else
      run_sequence(f, cases, count, &rng);
    for (int i = 0; i < count; i++) {
      indexed_case_require(f, &cases[i]);
      raised += cases[i].flag_words[1] & 1;
      indexed_case_free(&cases[i]);
    }
    moves += count;
  }
  print_message("  %d moves, %u flags raised\n", moves, raised);
  assert_true(end - first < BATCHES || (moves > 2 * BATCHES && raised > BATCHES / 4));
}

TESTS_UNLESS(device_missing(), fixture_open, fixture_close)
