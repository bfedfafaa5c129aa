/*
 * Random cases: the reader accepts each case. Each case has a promised size and a destination
 * without elements written twice. The cases depend on the seed alone, and each family draws the
 * kind in the family's name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "harness/check.h"

#include "bench/case_list.h"
#include "bench/image.h"

static const char *const names[] = {"transposes", "small-axes", "images",    "attention", "patches",
                                    "windows",    "blocked",    "broadcast", "slices",    "packed",
                                    "composed",   "parts",      "matrices",  "batches"};
enum { FAMILIES = sizeof names / sizeof *names, CASES = 1000 };

static bench_list list_of(uint64_t seed, size_t count, const char *family) {
  const bench_draw draw = {seed, count, family};
  bench_list list;
  const clrs_status status = bench_list_draw(&draw, &list, &error);
  if (status != CLRS_OK) {
    fail_msg("seed %llu: %s", (unsigned long long)seed, error.message);
  }
  assert_int_equal(list.count, count);
  return list;
}

static char *text_of(uint64_t seed, const char *family) {
  const bench_draw draw = {seed, 50, family};
  char *text = NULL;
  size_t size = 0;
  FILE *memory = open_memstream(&text, &size);
  assert_non_null(memory);
  bench_families_write(memory, &draw);
  assert_int_equal(fclose(memory), 0);
  return text;
}

/* Whole tensors are drawn of 16 KiB to 256 MiB. The moved part may be less (a slice, windows of an
 * image with sides divided by up to 7) or a little more (channels rounded up to blocks). With
 * pitches either side takes more room. */
static void check_size(const bench_case *given) {
  uint64_t source = 0, destination = 0;
  assert_int_equal(bench_storage_bytes(&given->source, &source, &error), CLRS_OK);
  assert_int_equal(bench_storage_bytes(&given->destination, &destination, &error), CLRS_OK);
  const uint64_t least = strcmp(given->suite, "windows") == 0 ? (16 << 10) / (7 * 7) : 512;
  assert_in_range(destination, least, (uint64_t)2 << 30);
  assert_in_range(source, 1, (uint64_t)2 << 30);
}

/* Sorted by stride, each step of a destination exceeds the reach of all smaller steps. */
static void check_destination(const bench_case *given) {
  const clrs_layout *to = &given->destination;
  int64_t reach = 0;
  for (uint32_t done = 0; done < to->rank; done++) {
    uint32_t next = to->rank;
    for (uint32_t i = 0; i < to->rank; i++) {
      const bool is_larger = done == 0 || to->strides[i] > reach || to->dims[i] == 1;
      if (is_larger && (next == to->rank || to->strides[i] < to->strides[next])) {
        next = i;
      }
    }
    if (next == to->rank) {
      break;
    }
    assert_true(to->dims[next] == 1 || to->strides[next] > reach);
    reach += (to->dims[next] - 1) * to->strides[next];
  }
}

TEST(every_case_is_one_that_can_run) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    bench_list list = list_of(seed, CASES, NULL);
    for (size_t i = 0; i < list.count; i++) {
      assert_string_equal(list.cases[i].suite, names[i % FAMILIES]);
      check_size(&list.cases[i]);
      check_destination(&list.cases[i]);
    }
    bench_list_free(&list);
  }
}

TEST(the_seed_decides) {
  for (size_t i = 0; i < FAMILIES; i++) {
    char *once = text_of(7, names[i]), *again = text_of(7, names[i]), *other = text_of(8, names[i]);
    assert_string_equal(once, again);
    assert_string_not_equal(once, other);
    free(once);
    free(again);
    free(other);
  }
}

/* A line of a report is a line of the file. */
TEST(a_line_is_the_case_itself) {
  bench_list list = list_of(3, CASES, NULL);
  for (size_t i = 0; i < list.count; i++) {
    char line[1000];
    bench_case again;
    const size_t length = strcspn(list.cases[i].line, "\n");
    assert_true(length < sizeof line);
    memcpy(line, list.cases[i].line, length);
    line[length] = '\0';
    assert_int_equal(bench_case_parse(line, &again, &error), CLRS_OK);
    assert_string_equal(again.id, list.cases[i].id);
    assert_memory_equal(&again.destination, &list.cases[i].destination, sizeof again.destination);
  }
  bench_list_free(&list);
}

/* How many of a family's cases are so. */
static size_t count_if(const char *family, bool (*is_so)(const bench_case *given)) {
  size_t count = 0;
  bench_list list = list_of(11, CASES, family);
  for (size_t i = 0; i < list.count; i++) {
    count += is_so(&list.cases[i]);
  }
  bench_list_free(&list);
  return count;
}

static bool has_negative(const bench_case *given) {
  bool negative = false;
  for (uint32_t i = 0; i < given->source.rank; i++) {
    negative = negative || given->source.strides[i] < 0;
  }
  return negative;
}

static bool has_zero(const bench_case *given) {
  bool zero = false;
  for (uint32_t i = 0; i < given->source.rank; i++) {
    zero = zero || given->source.strides[i] == 0;
  }
  return zero;
}

static bool is_packed(const bench_case *given) {
  return clrs_dtype_bits(given->dtype) < 8;
}

static bool has_tail(const bench_case *given) {
  const bench_stage *last = &given->stages[given->stage_count - 1];
  return memcmp(last->dims, last->kept, last->rank * sizeof *last->dims) != 0;
}

static bool has_chain(const bench_case *given) {
  return given->stage_count > 1;
}

static bool has_many_axes(const bench_case *given) {
  return given->source.rank >= 4;
}

/* Several windows share elements, and a part leaves room for other parts. */
static bool is_larger_than_source(const bench_case *given) {
  uint64_t source = 0, destination = 0;
  assert_int_equal(bench_storage_bytes(&given->source, &source, &error), CLRS_OK);
  assert_int_equal(bench_storage_bytes(&given->destination, &destination, &error), CLRS_OK);
  return source < destination;
}

static bool has_small_moves(const bench_case *given) {
  int64_t bits = clrs_dtype_bits(given->dtype);
  for (uint32_t i = 1; i < given->source.rank; i++) {
    bits *= given->source.dims[i];
  }
  return given->is_batch && given->source.dims[0] >= 2 && bits <= (int64_t)8 * (128 << 10);
}

static bool has_small_matrices(const bench_case *given) {
  return given->source.dims[1] * given->source.dims[2] <= 32 * 32;
}

TEST(families_are_what_they_are_called) {
  assert_int_equal(count_if("packed", is_packed), CASES);
  assert_int_equal(count_if("transposes", is_packed), 0);
  assert_int_equal(count_if("broadcast", has_zero), CASES);
  assert_int_equal(count_if("composed", has_chain), CASES);
  assert_int_equal(count_if("small-axes", has_many_axes), CASES);
  assert_in_range(count_if("slices", has_negative), CASES / 10, CASES);
  assert_in_range(count_if("images", has_negative), CASES / 20, CASES / 2);
  assert_in_range(count_if("blocked", has_tail), CASES / 10, CASES / 2);
  assert_in_range(count_if("windows", is_larger_than_source), CASES / 2, CASES);
  assert_int_equal(count_if("matrices", has_small_matrices), CASES);
  assert_in_range(count_if("matrices", has_negative), CASES / 4, CASES / 2);
  assert_int_equal(count_if("batches", has_small_moves), CASES);
  assert_in_range(count_if("parts", is_larger_than_source), CASES / 2, CASES);
}

TEST(an_unknown_family_is_an_error) {
  assert_int_equal(bench_family_check("transposes", &error), CLRS_OK);
  assert_int_equal(bench_family_check("transpose", &error), CLRS_INVALID_ARGUMENT);
  assert_non_null(strstr(error.message, "'transpose'"));
  for (size_t i = 0; i < FAMILIES; i++) {
    assert_non_null(strstr(error.message, names[i]));
  }
}

TESTS(NULL, NULL)
