/*
 * Plans moves, maps and gathers as for a GPU and prints each launch as a line of JSON: program,
 * work-items, arguments.
 *
 * `launches --bench CASES.tsv` takes a list of `clreshape bench`. A case that is a view of the
 * source has no line.
 *
 * - dims=    of the source, and of the destination unless there is `shape`
 * - from=    the source's strides in elements, or dense without `from`
 * - at=      place of the source's first element
 * - shape=   the shape that the source is reshaped to
 * - to=      the destination's strides
 * - index=64 no 32-bit index arithmetic, as for tensors too large for 32 bits
 * - fill=1   one value into every element of dims, from, at, without another source
 * - groups=  most work-items of a group, as on a small GPU
 * - items=   most work-items of a launch, so that each moves as much as in a large tensor
 * - chain=   a map: operations with a ';' between them, into a dense destination
 * - blocks=  a map to f16: AXIS,SIZE of blocks, each with a scale (f16) and a zero point in tensors
 * - scales=  the same without zero points
 * - indices= a gather, with or without a map: dims of the i32 indices along axis 0
 * - axis=    the axis of the gather, instead of 0
 * - suite=   a word for the line
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "dtype.h"
#include "launch_line.h"
#include "mapped_cases.h"
#include "opencl/program/program.h"
#include "plan_indexed.h"
#include "table.h"
#include "work_size.h"

enum { LINE_BYTES = 500 };

static clrs_shape read_shape(const test_case *test, const char *text) {
  int64_t dims[CLRS_MAX_RANK];
  const uint32_t rank = read_numbers(text, dims);
  clrs_shape shape;
  clrs_error error;
  require(test->name, clrs_shape_init(rank, dims, &shape, &error), &error);
  return shape;
}

static test_case read_case(char *line, bool has_data) {
  test_case test = {.name = strtok(line, " \n"), .suite = "", .has_data = has_data};
  const char *dtype = strtok(NULL, " \n");
  clrs_error error;
  require(test.name, clrs_dtype_from_name(dtype, CLRS_TYPES_CLRESHAPE, &test.dtype, &error),
          &error);
  const struct {
    const char *key, **value;
  } keys[] = {{"dims=", &test.dims},     {"from=", &test.from},     {"at=", &test.at},
              {"shape=", &test.shape},   {"to=", &test.to},         {"index=", &test.index},
              {"fill=", &test.fill},     {"items=", &test.items},   {"chain=", &test.chain},
              {"blocks=", &test.blocks}, {"scales=", &test.scales}, {"indices=", &test.indices},
              {"axis=", &test.axis},     {"suite=", &test.suite},   {"groups=", &test.groups}};
  for (char *word = strtok(NULL, " \n"); word != NULL; word = strtok(NULL, " \n")) {
    size_t key = 0;
    while (key < sizeof keys / sizeof *keys &&
           strncmp(word, keys[key].key, strlen(keys[key].key)) != 0) {
      key++;
    }
    if (key == sizeof keys / sizeof *keys) {
      fail(test.name, word);
    }
    *keys[key].value = word + strlen(keys[key].key);
  }
  return test;
}

static clrs_view make_view(const test_case *test, const char *dims, const char *strides,
                           const char *offset) {
  int64_t numbers[CLRS_MAX_RANK];
  if (strides != NULL) {
    read_numbers(strides, numbers);
  }
  const clrs_shape shape = read_shape(test, dims);
  clrs_layout layout;
  clrs_view view;
  clrs_error error;
  require(test->name,
          clrs_layout_init(test->dtype, &shape, strides != NULL ? numbers : NULL,
                           offset != NULL ? strtoll(offset, NULL, 10) : 0, &layout, &error),
          &error);
  require(test->name, clrs_view_from_layout(&layout, &view, &error), &error);
  return view;
}

/* A GPU with groups of 1024 work-items, or of CLRS_GPU_GROUPS, and 48 KiB of local memory. */
static clrs_device_limits limits_of_gpu(void) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  const char *groups = getenv("CLRS_GPU_GROUPS");
  limits.max_group_items = groups != NULL ? (uint32_t)atoi(groups) : 1024;
  limits.local_bytes = 49152;
  return limits;
}

/* ---- moves ---- */

static void print_launch(const char *name, const char *suite, clrs_dtype dtype,
                         const clrs_device_limits *limits, const clrs_plan *plan,
                         const clrs__cut *cut) {
  const clrs__range range = clrs__cut_range(cut, limits);
  const uint64_t element[2] = {0, 0};
  clrs__arguments arguments;
  launch_facts facts = {.name = name,
                        .suite = suite,
                        .variant = clrs__cut_variant(cut),
                        .unit_bits = cut->unit_bits,
                        .bits = clrs_dtype_bits(dtype),
                        .read = plan->bytes_read,
                        .written = plan->bytes_written,
                        .items = {range.global[0], range.global[1]},
                        .group = {range.group[0], range.group[1]},
                        .extent = cut->from == CLRS__BY_INDEX ? cut->address.extent : 0};
  clrs__cut_encode(cut, &clrs__plan_data_in(plan)->stack, facts.variant.nest_axes, &arguments);
  if (range.loops) {
    clrs__variant_make_loop(&facts.variant);
  }
  begin_line(&facts);
  if (cut->from == CLRS__FROM_VALUE) {
    printf("\"value\", ");
  } else {
    print_buffer("source", arguments.source_start);
  }
  print_buffer("destination", arguments.destination_start);
  if (cut->from == CLRS__BY_INDEX) {
    print_buffer("indices", cut->address.index_start);
    print_buffer("flag", 0);
    print_bytes(element, sizeof element);
    printf(", ");
  }
  print_bytes(&arguments.move.as, arguments.move.bytes);
  printf("]}\n");
}

static void print_launches(const char *name, const char *suite, clrs_dtype dtype,
                           const clrs_device_limits *limits, const clrs_plan *plan) {
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    print_launch(name, suite, dtype, limits, plan, &clrs__plan_data_in(plan)->cuts[i]);
  }
}

static void plan_move_case(const test_case *test, const clrs_device_limits *limits) {
  static clrs_plan plan;
  clrs_error error;
  clrs_view view = make_view(test, test->dims, test->from, test->at);
  const clrs_operand first = {&view, 0, 128};
  if (test->fill != NULL) {
    require(test->name, clrs_plan_fill(&first, limits, &plan, &error), &error);
  } else {
    const char *dims = test->shape != NULL ? test->shape : test->dims;
    const clrs_shape shape = read_shape(test, dims);
    require(test->name, clrs_view_reshape(&view, &shape, &error), &error);
    const clrs_view to = make_view(test, dims, test->to, NULL);
    const clrs_move move = {first, {&to, 0, 128}, CLRS_COPY_ALWAYS};
    require(test->name, clrs_plan_move(&move, limits, &plan, &error), &error);
  }
  print_launches(test->name, test->suite, test->dtype, limits, &plan);
}

/* ---- gathers ---- */

static void plan_gather_case(const test_case *test, const clrs_device_limits *limits) {
  static clrs_plan plan;
  const uint32_t axis = test->axis != NULL ? (uint32_t)strtoul(test->axis, NULL, 10) : 0;
  const clrs_view named = make_view(test, test->dims, test->from, test->at);
  const clrs_shape places = read_shape(test, test->indices);
  const clrs_shape shape = listed_shape(&named.shape, &places, axis);
  clrs_view listed, indices;
  clrs_error error;
  require(test->name, clrs_view_dense(test->dtype, &shape, &listed, &error), &error);
  require(test->name, clrs_view_dense(CLRS_I32, &places, &indices, &error), &error);
  const clrs__indexed_move move = {.operands = {[CLRS_LISTED] = {&listed, 0, 128},
                                                [CLRS_NAMED] = {&named, 0, 128},
                                                [CLRS_INDEX] = {&indices, 0, 128}},
                                   .axis = axis,
                                   .rules = CLRS_INDEX_FROM_END,
                                   .limits = limits};
  require(test->name, clrs__plan_indexed(&move, &plan, &error), &error);
  plan.bytes_read += clrs__bytes_of(clrs__shape_count(&places), clrs_dtype_bits(CLRS_I32));
  print_launches(test->name, test->suite, test->dtype, limits, &plan);
}

/* ---- lists of cases ---- */

static void plan_case(const test_case *test) {
  clrs_device_limits limits = limits_of_gpu();
  limits.min_index_bits = test->index != NULL ? 64 : 32;
  limits.max_work_items =
      test->items != NULL ? strtoull(test->items, NULL, 10) : limits.max_work_items;
  limits.max_group_items =
      test->groups != NULL ? (uint32_t)atoi(test->groups) : limits.max_group_items;
  if (test->chain != NULL || test->blocks != NULL || test->scales != NULL) {
    const clrs_view view = make_view(test, test->dims, test->from, test->at);
    plan_mapped_case(test, &view, &limits);
  } else if (test->indices != NULL) {
    plan_gather_case(test, &limits);
  } else {
    plan_move_case(test, &limits);
  }
}

/* Plans a case that reads and writes so many bytes or more. */
static void plan_bench_case(const bench_case *given, uint64_t least_bytes) {
  static clrs_plan plan;
  const clrs_device_limits limits = limits_of_gpu();
  clrs_view view, to;
  clrs_layout layout;
  clrs_error error;
  require(given->id, bench_case_view(given, &view, &error), &error);
  if (!given->destination_given && clrs_view_layout(&view, &layout, NULL) == CLRS_OK &&
      clrs_layout_is_dense(&layout)) {
    return; /* the result lies there already */
  }
  require(given->id, clrs_view_from_layout(&given->destination, &to, &error), &error);
  const clrs_move move = {{&view, 0, 128}, {&to, 0, 128}, CLRS_COPY_ALWAYS};
  require(given->id, clrs_plan_move(&move, &limits, &plan, &error), &error);
  if (plan.bytes_read + plan.bytes_written >= least_bytes) {
    print_launches(given->id, given->suite, given->dtype, &limits, &plan);
  }
}

static void plan_bench_list(const char *path) {
  bench_list list;
  clrs_error error;
  require("list", bench_list_read(path, &list, &error), &error);
  for (size_t i = 0; i < list.count; i++) {
    plan_bench_case(&list.cases[i], 0);
  }
  bench_list_free(&list);
}

static void plan_random_list(const char *seed, const char *count, const char *least_mb) {
  const bench_draw draw = {strtoull(seed, NULL, 10), strtoull(count, NULL, 10), NULL};
  const uint64_t least_bytes = 1000000 * strtoull(least_mb, NULL, 10);
  bench_list list;
  clrs_error error;
  require("random", bench_list_draw(&draw, &list, &error), &error);
  for (size_t i = 0; i < list.count; i++) {
    if (!list.cases[i].is_batch) {
      plan_bench_case(&list.cases[i], least_bytes);
    }
  }
  bench_list_free(&list);
}

static void plan_list(const char *path, bool has_data) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fail(path, "cannot be read");
  }
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] != '#' && line[0] != '\n') {
      const test_case test = read_case(line, has_data);
      plan_case(&test);
    }
  }
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--bench") == 0) {
    plan_bench_list(NULL);
  } else if (argc == 2) {
    plan_list(argv[1], true);
  } else if (argc == 3 && strcmp(argv[1], "--large") == 0) {
    plan_list(argv[2], false);
  } else if (argc == 3 && strcmp(argv[1], "--bench") == 0) {
    plan_bench_list(argv[2]);
  } else if (argc == 5 && strcmp(argv[1], "--random") == 0) {
    plan_random_list(argv[2], argv[3], argv[4]);
  } else {
    fail("launches", "usage: launches [--large] LIST | --bench [LIST] | --random SEED COUNT MB");
  }
  return 0;
}
