/*
 * Runs: random views of a file's elements, read into packed memory, must equal the oracle's
 * positions, and nothing outside of the view's bounds is read. Written data arrives, and nothing
 * else changes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* fileno */
#include <unistd.h>

#include "harness/chain.h"
#include "harness/check.h"
#include "harness/tensors.h"
#include "runs.h"

enum { CASES = 3000, START = 48, MOST = 1 << 16 };

typedef struct fixture {
  FILE *file;
  uint32_t values[MOST], got[MOST], memory[4 * MOST];
  int64_t packed[MOST];
} fixture;

static int fixture_open(void **state) {
  fixture *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->file = tmpfile();
  assert_non_null(made->file);
  *state = made;
  return 0;
}

static int fixture_close(void **state) {
  fixture *made = *state;
  assert_int_equal(fclose(made->file), 0);
  free(made);
  return 0;
}

/* The file has these bytes from START on, and no more bytes. */
static void put_file(const fixture *with, size_t count) {
  const int fd = fileno(with->file);
  const size_t bytes = count * sizeof *with->values;
  assert_int_equal(ftruncate(fd, 0), 0);
  assert_int_equal(pwrite(fd, with->values, bytes, START), bytes);
}

/* A view of elements from 0 on. *highest is the last element. */
static bool draw(test_rng *rng, bool is_written, clrs_view *view, oracle *where, int64_t *highest) {
  const layout_wish wish = {4, 9, 600, 3, !is_written};
  const clrs_layout layout = layout_random(rng, CLRS_F32, &wish, rng_between(rng, 0, 5));
  int64_t lowest = 0;
  *where = oracle_from_layout(&layout);
  CHECK_OK(clrs_view_from_layout(&layout, view, &error), error);
  for (int64_t steps = is_written ? 0 : rng_between(rng, 0, 2); steps > 0; steps--) {
    const move step = move_random(rng, &where->shape, 2000);
    CHECK_OK(move_apply_view(&step, view, &error), error);
    move_apply_oracle(&step, where);
  }
  oracle_range(where, &lowest, highest);
  return where->count <= MOST && *highest < MOST;
}

static void find_packed(fixture *with, const clrs_view *packed, int64_t count) {
  const char *why = "";
  if (count > 0 && !view_positions(packed, with->packed, &why))
    fail_msg("%s", why);
}

static void read_case(fixture *with, uint64_t seed) {
  test_rng rng = rng_start(seed);
  clrs_view view, packed;
  cli_runs runs;
  clrs_bounds bounds;
  oracle where;
  int64_t highest = 0;
  if (draw(&rng, false, &view, &where, &highest)) {
    for (int64_t i = 0; i < MOST; i++)
      with->values[i] = (uint32_t)(i + 1);
    if (view.depth > 1) { /* documented: all that the lowest walk reaches */
      CHECK_OK(clrs_view_bounds(&view, &bounds, &error), error);
      highest = bounds.highest;
    }
    put_file(with, (size_t)highest + 1); /* a read behind the end fails */
    CHECK_OK(cli_runs_of(&view, rng_between(&rng, 0, 20), &runs, &packed, &error), error);
    CHECK_SEEDED(cli_runs_bytes(&runs) <= sizeof with->memory, seed, "more memory than there is");
    const cli_run_file file = {fileno(with->file), "a file", START, NULL};
    CHECK_OK(cli_runs_read(&runs, &file, with->memory, &error), error);
    find_packed(with, &packed, where.count);
    for (int64_t k = 0; k < where.count; k++)
      CHECK_SEEDED(with->memory[with->packed[k]] == (uint32_t)(where.positions[k] + 1), seed,
                   "element %lld", (long long)k);
  }
  oracle_free(&where);
}

TEST(what_a_view_shows_is_read) {
  const uint64_t first = test_seed(1);
  const int64_t cases = test_cases(CASES);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    read_case(*state, seed);
}

static void write_case(fixture *with, uint64_t seed) {
  test_rng rng = rng_start(seed);
  clrs_view view, packed;
  cli_runs runs;
  oracle where;
  int64_t highest = 0;
  if (draw(&rng, true, &view, &where, &highest)) {
    rng_fill(&rng, with->values, sizeof with->values);
    put_file(with, MOST);
    CHECK_OK(cli_runs_of(&view, 0, &runs, &packed, &error), error);
    CHECK_SEEDED(runs.count * runs.length == where.count, seed, "as many as there are elements");
    find_packed(with, &packed, where.count);
    for (int64_t k = 0; k < where.count; k++) {
      with->memory[with->packed[k]] = (uint32_t)k;
      with->values[where.positions[k]] = (uint32_t)k;
    }
    const cli_run_file file = {fileno(with->file), "a file", START, NULL};
    CHECK_OK(cli_runs_write(&runs, &file, with->memory, &error), error);
    assert_int_equal(pread(file.fd, with->got, sizeof with->got, START), sizeof with->got);
    CHECK_SEEDED(memcmp(with->got, with->values, sizeof with->got) == 0, seed, "the file differs");
  }
  oracle_free(&where);
}

TEST(what_is_written_arrives) {
  const uint64_t first = test_seed(1);
  const int64_t cases = test_cases(CASES / 4);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++)
    write_case(*state, seed);
}

static void expect_runs(const clrs_view *view, int64_t count, int64_t length) {
  clrs_view packed;
  cli_runs runs;
  CHECK_OK(cli_runs_of(view, 0, &runs, &packed, &error), error);
  assert_int_equal(runs.count, count);
  assert_int_equal(runs.length, length);
}

/* The header's examples, and windows, which share source elements. */
TEST(runs_are_long) {
  const int64_t rows[] = {2, 3}, columns[] = {3, 2}, windows[] = {3, 4, 10};
  const clrs_view part = view_strided(CLRS_F32, 2, rows, (const int64_t[]){1000, 1}, 7);
  const clrs_view turned = view_strided(CLRS_F32, 2, columns, (const int64_t[]){1, 1000}, 7);
  const clrs_view seen = view_strided(CLRS_F32, 3, windows, (const int64_t[]){100, 100, 1}, 0);
  expect_runs(&part, 2, 3);
  expect_runs(&turned, 2, 3);
  expect_runs(&seen, 6, 10);
}

/* The u4 or f6 at a position of bytes. */
static uint32_t code_at(const void *bytes, int64_t position, uint32_t bits) {
  const uint8_t *first = (const uint8_t *)bytes + position * bits / 8;
  return (uint32_t)(first[0] | first[1] << 8) >> (position * bits % 8) & ((1U << bits) - 1);
}

/* Grains of 2 u4 and of 4 f6, which are read separately if each grain is shown as a whole. */
TEST(elements_below_a_byte_are_read_in_grains) {
  fixture *with = *state;
  static const struct {
    clrs_dtype dtype;
    int64_t dims[2], strides[2], offset, count, length;
  } rows[] = {{CLRS_U4, {3, 6}, {40, 1}, 8, 3, 3},      {CLRS_U4, {6, 3}, {1, 40}, 8, 3, 3},
              {CLRS_U4, {3, 6}, {40, -1}, 13, 3, 3},    {CLRS_U4, {3, 6}, {40, 1}, 7, 1, 44},
              {CLRS_U4, {3, 5}, {40, 1}, 8, 1, 43},     {CLRS_U4, {3, 4}, {2, 1}, 0, 1, 4},
              {CLRS_U4, {3, 4}, {40, 3}, 0, 1, 45},     {CLRS_U4, {2, 3}, {0, 1}, 5, 1, 2},
              {CLRS_F6E2M3, {3, 8}, {40, 1}, 4, 3, 2},  {CLRS_F6E2M3, {3, 6}, {40, 1}, 4, 1, 22},
              {CLRS_F6E2M3, {2, 4}, {-40, 1}, 80, 2, 1}};
  rng_fill(&(test_rng){7}, with->values, 400);
  put_file(with, 100);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const uint32_t bits = clrs_dtype_bits(rows[i].dtype);
    const clrs_view view =
        view_strided(rows[i].dtype, 2, rows[i].dims, rows[i].strides, rows[i].offset);
    const cli_run_file file = {fileno(with->file), "a file", START, NULL};
    int64_t shown[64];
    const char *why = "";
    clrs_view packed;
    cli_runs runs;
    CHECK_OK(cli_runs_of(&view, 0, &runs, &packed, &error), error);
    assert_int_equal(runs.count, rows[i].count);
    assert_int_equal(runs.length, rows[i].length);
    CHECK_OK(cli_runs_read(&runs, &file, with->memory, &error), error);
    assert_true(view_positions(&view, shown, &why));
    find_packed(with, &packed, rows[i].dims[0] * rows[i].dims[1]);
    for (int64_t k = 0; k < rows[i].dims[0] * rows[i].dims[1]; k++)
      assert_int_equal(code_at(with->memory, with->packed[k], bits),
                       code_at(with->values, shown[k], bits));
  }
}

TEST(a_file_that_became_shorter_is_an_error) {
  fixture *with = *state;
  const clrs_view view = view_strided(CLRS_F32, 1, (const int64_t[]){10}, NULL, 0);
  const cli_run_file file = {fileno(with->file), "short.npy", START, NULL};
  clrs_view packed;
  cli_runs runs;
  put_file(with, 9);
  CHECK_OK(cli_runs_of(&view, 0, &runs, &packed, &error), error);
  CHECK_FAILS(cli_runs_read(&runs, &file, with->memory, &error), CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "short.npy: became shorter while it was read");
}

TESTS(fixture_open, fixture_close)
