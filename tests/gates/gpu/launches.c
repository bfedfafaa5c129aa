/*
 * Plans the moves of a list as for a GPU and prints each launch as a line of JSON: which program,
 * how many work-items, which arguments.
 *
 * `launches --bench CASES.tsv` takes a list of `clreshape bench`; a case that is a view of its
 * source has no line. `launches LIST` takes lines NAME DTYPE KEY=VALUE...: dims=    of the source,
 * and of the destination unless there is `shape` from=    the source's strides, in elements; dense
 * without them at=      where the source's first element is shape=   what the source is reshaped to
 *   to=      the destination's strides
 *   index=64 no 32-bit index arithmetic, as in tensors that are too large for it
 *   fill=1   one value into every element of dims, from, at; there is no other source
 *   items=   work-items that a launch may have: each then moves as much as in a large tensor
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_list.h"
#include "opencl/program.h"
#include "plan.h"
#include "table.h"
#include "work_size.h"

enum { LINE_BYTES = 500 };

typedef struct test_case {
  const char *name, *dims, *from, *at, *shape, *to, *index, *fill, *items; /* NULL: not given */
  clrs_dtype dtype;
} test_case;

static void fail(const char *name, const char *why) {
  fprintf(stderr, "%s: %s\n", name, why);
  exit(1);
}

static void require(const char *name, clrs_status status, const clrs_error *error) {
  if (status != CLRS_OK) {
    fail(name, error->message);
  }
}

/* Numbers with commas between them; how many. */
static uint32_t read_numbers(const char *text, int64_t *numbers) {
  uint32_t count = 0;
  for (char *end; count < CLRS_MAX_RANK; text = end + 1) {
    numbers[count++] = strtoll(text, &end, 10);
    if (*end != ',') {
      return count;
    }
  }
  return count;
}

static clrs_shape read_shape(const test_case *test, const char *text) {
  int64_t dims[CLRS_MAX_RANK];
  const uint32_t rank = read_numbers(text, dims);
  clrs_shape shape;
  clrs_error error;
  require(test->name, clrs_shape_init(rank, dims, &shape, &error), &error);
  return shape;
}

static test_case read_case(char *line) {
  test_case test = {.name = strtok(line, " \n")};
  const char *dtype = strtok(NULL, " \n");
  clrs_error error;
  require(test.name, clrs_dtype_from_name(dtype, CLRS_TYPES_CLRESHAPE, &test.dtype, &error),
          &error);
  const struct {
    const char *key, **value;
  } keys[] = {{"dims=", &test.dims},   {"from=", &test.from},  {"at=", &test.at},
              {"shape=", &test.shape}, {"to=", &test.to},      {"index=", &test.index},
              {"fill=", &test.fill},   {"items=", &test.items}};
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

/* A GPU with groups of 1024 work-items and 48 KiB of local memory. */
static clrs_device_limits limits_of_gpu(void) {
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.max_group_items = 1024;
  limits.local_bytes = 49152;
  return limits;
}

static void print_launch(const char *name, clrs_dtype dtype, const clrs_device_limits *limits,
                         const clrs_plan *plan, const clrs__cut *cut) {
  const clrs__range range = clrs__cut_range(cut, limits);
  clrs__arguments arguments;
  char options[CLRS__OPTIONS_BYTES];
  clrs__variant variant = clrs__cut_variant(cut);
  clrs__cut_encode(cut, &clrs__plan_data_in(plan)->stack, variant.nest_axes, &arguments);
  if (range.loops) {
    clrs__variant_make_loop(&variant);
  }
  clrs__variant_options(variant, options, sizeof options);
  printf("{\"name\": \"%s\", \"kernel\": \"%s\", \"unit\": %u, \"options\": \"%s\", ", name,
         clrs_class_name(cut->kernel_class), cut->unit_bits, options);
  printf("\"fills\": %d, \"bits\": %u, \"read\": %" PRIu64 ", \"written\": %" PRIu64 ", ",
         cut->from == CLRS__FROM_VALUE, clrs_dtype_bits(dtype), plan->bytes_read,
         plan->bytes_written);
  printf("\"items\": [%" PRIu64 ", %" PRIu64 "], \"group\": [%" PRIu64 ", %" PRIu64 "], ",
         range.global[0], range.global[1], range.group[0], range.group[1]);
  printf("\"starts\": [%" PRIu64 ", %" PRIu64 "], \"move\": \"", arguments.source_start,
         arguments.destination_start);
  const unsigned char *bytes = (const unsigned char *)&arguments.move.as;
  for (size_t i = 0; i < arguments.move.bytes; i++) {
    printf("%02x", bytes[i]);
  }
  printf("\"}\n");
}

static void print_launches(const char *name, clrs_dtype dtype, const clrs_device_limits *limits,
                           const clrs_plan *plan) {
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    print_launch(name, dtype, limits, plan, &clrs__plan_data_in(plan)->cuts[i]);
  }
}

static void plan_case(const test_case *test) {
  static clrs_plan plan;
  clrs_device_limits limits = limits_of_gpu();
  limits.min_index_bits = test->index != NULL ? 64 : 32;
  limits.max_work_items =
      test->items != NULL ? strtoull(test->items, NULL, 10) : limits.max_work_items;
  clrs_error error;
  clrs_view view = make_view(test, test->dims, test->from, test->at);
  const clrs_operand first = {&view, 0, 128};
  if (test->fill != NULL) {
    require(test->name, clrs_plan_fill(&first, &limits, &plan, &error), &error);
  } else {
    const char *dims = test->shape != NULL ? test->shape : test->dims;
    const clrs_shape shape = read_shape(test, dims);
    require(test->name, clrs_view_reshape(&view, &shape, &error), &error);
    const clrs_view to = make_view(test, dims, test->to, NULL);
    const clrs_move move = {first, {&to, 0, 128}, CLRS_COPY_ALWAYS};
    require(test->name, clrs_plan_move(&move, &limits, &plan, &error), &error);
  }
  print_launches(test->name, test->dtype, &limits, &plan);
}

static void plan_bench_case(const bench_case *given) {
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
  print_launches(given->id, given->dtype, &limits, &plan);
}

static void plan_bench_list(const char *path) {
  bench_list list;
  clrs_error error;
  require(path, bench_list_read(path, &list, &error), &error);
  for (size_t i = 0; i < list.count; i++) {
    plan_bench_case(&list.cases[i]);
  }
  bench_list_free(&list);
}

static void plan_list(const char *path) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    fail(path, "cannot be read");
  }
  char line[LINE_BYTES];
  while (fgets(line, sizeof line, file) != NULL) {
    if (line[0] != '#' && line[0] != '\n') {
      const test_case test = read_case(line);
      plan_case(&test);
    }
  }
  fclose(file);
}

int main(int argc, char **argv) {
  if (argc == 2) {
    plan_list(argv[1]);
  } else if (argc == 3 && strcmp(argv[1], "--bench") == 0) {
    plan_bench_list(argv[2]);
  } else {
    fail("launches", "usage: launches LIST | --bench CASES.tsv");
  }
  return 0;
}
