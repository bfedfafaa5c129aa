/*
 * Random gathers and scatters by indices on a device. Every byte of every buffer is compared, the
 * flag's too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "indexed_case.h"

enum { CASES = 150, MANY_CASES = 900 };

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

static void run_case(const fixture *f, uint64_t seed, bool scatters, indexed_tally *tally) {
  static indexed_case c;
  test_rng rng = rng_start(seed);
  clrs_context *library = f->libraries[seed % LIBRARIES];
  cl_event event = NULL;
  clrs_error error = {0};
  c = (indexed_case){.seed = seed, .scatters = scatters};
  indexed_case_draw(f, library, &rng, &c);
  indexed_case_expect(&c);
  const clrs_status status = (scatters ? clrs_enqueue_scatter : clrs_enqueue_gather)(
      library, c.from.seen, &c.given, c.to.seen, workshop_queue(f->shop, &rng), 0, NULL, &event,
      &error);
  CHECK_SEEDED(status == CLRS_OK, seed, "%s", error.message);
  device_finish_event(event);
  indexed_case_require(f, &c);
  count_case(&c, tally);
  indexed_case_free(&c);
}

static void run_cases(const fixture *f, uint64_t first, bool scatters) {
  static const int widths[] = {8, 16, 32, 64, 128};
  const int64_t cases = test_cases(CASES);
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
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) /* chance has its say where few are */
    assert_true(tally.widths[widths[i]] > drawn / (has_many ? 20 : 50));
  assert_true(tally.skipped > drawn / 10 && tally.clamped > drawn / 20 &&
              tally.from_end > drawn / 4 && tally.flagged > drawn / 10 &&
              tally.empty > drawn / 50 && tally.stacks > 0);
}

static void gathers_read_what_the_indices_name(void **state) {
  run_cases(*state, 310000, false);
}

static void scatters_write_what_the_indices_name_and_nothing_else(void **state) {
  run_cases(*state, 320000, true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gathers_read_what_the_indices_name),
      cmocka_unit_test(scatters_write_what_the_indices_name_and_nothing_else),
  };
  const int missing = device_missing();
  return missing ? missing : cmocka_run_group_tests(tests, fixture_open, fixture_close);
}
