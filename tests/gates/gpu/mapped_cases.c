/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_cases.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clreshape/plan.h"
#include "dtype.h"
#include "encode.h"
#include "view.h"

enum { GUARD_BYTES = 128 }; /* in front of a mapped destination, and behind the destination */

typedef struct mapped_case {
  const char *name, *suite;
  clrs_mapped mapped;
  clrs_view stored;                             /* the source before the chain */
  clrs_view result, parameters[CLRS_MAP_STEPS]; /* rank 0: no tensor */
  bool is_gather;
  uint32_t axis;
  clrs_view seen, indices;
} mapped_case;

/* Steps of a SplitMix64 generator. */
static uint64_t draw(uint64_t *state) {
  uint64_t bits = *state += UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
  return bits ^ bits >> 31;
}

/* Random bits, but four of five f32 are numbers between -300 and 300. */
static void draw_elements(unsigned char *to, size_t bytes, clrs_dtype dtype, uint64_t state) {
  for (size_t i = 0; i < bytes; i++) {
    to[i] = (unsigned char)draw(&state);
  }
  for (size_t i = 0; dtype == CLRS_F32 && i < bytes / sizeof(float); i++) {
    const float number = (float)((double)draw(&state) * 0x1p-64 * 600 - 300);
    if (i % 5 != 0) {
      memcpy(to + i * sizeof number, &number, sizeof number);
    }
  }
}

static size_t bytes_of(const char *name, const clrs_view *view) {
  clrs_bounds bounds;
  clrs_error error;
  require(name, clrs_view_bounds(view, &bounds, &error), &error);
  return (size_t)(((uint64_t)bounds.highest + 1) * clrs_dtype_bits(view->dtype) + 7) / 8;
}

static unsigned char *allocate(const char *name, size_t bytes) {
  unsigned char *data = malloc(bytes);
  if (data == NULL) {
    fail(name, "no memory");
  }
  return data;
}

/* Random elements for the buffer of a view. The caller frees the data. */
static clrs_bytes draw_view(const char *name, const clrs_view *view, uint64_t seed) {
  const size_t bytes = bytes_of(name, view);
  unsigned char *data = allocate(name, bytes);
  draw_elements(data, bytes, view->dtype, seed);
  return (clrs_bytes){data, bytes};
}

/* Each block has a scale in a tensor of f16, and a zero point in a tensor of the source's type
 * unless the case has scales only. */
static void dequantize_by_tensors(const test_case *test, mapped_case *of) {
  const bool has_zeros = test->blocks != NULL;
  int64_t block[CLRS_MAX_RANK];
  read_numbers(has_zeros ? test->blocks : test->scales, block);
  const clrs_numbers numbers = {0, NULL, {CLRS_SPREAD_BLOCKS, block[0], block[1]}};
  clrs_shape shape = of->mapped.views.source.shape;
  clrs_view *zeros = &of->parameters[0], *scales = &of->parameters[has_zeros ? 1 : 0];
  clrs_map map;
  clrs_error error;
  shape.dims[block[0]] = (shape.dims[block[0]] + block[1] - 1) / block[1];
  require(of->name, clrs_view_dense(test->dtype, &shape, zeros, &error), &error);
  require(of->name, clrs_view_dense(CLRS_F16, &shape, scales, &error), &error);
  require(of->name,
          clrs_map_dequantize(test->dtype, CLRS_F16, &numbers, has_zeros ? &numbers : NULL, &map,
                              &error),
          &error);
  const clrs_map_tensors tensors = {.steps = {zeros, has_zeros ? scales : NULL}};
  require(of->name, clrs_mapped_then(&of->mapped, &map, &tensors, &error), &error);
}

/* The operations of a chain, separated by ';'. */
static void apply_chain(const test_case *test, mapped_case *of) {
  char text[CLRS_CHAIN_TEXT];
  clrs_chain chain;
  clrs_error error;
  snprintf(text, sizeof text, "%s", test->chain);
  for (char *at = text; (at = strchr(at, ';')) != NULL;) {
    *at = ' ';
  }
  require(of->name, clrs_chain_parse(text, &chain, &error), &error);
  require(of->name, clrs_chain_map(&chain, NULL, &of->mapped, &error), &error);
}

static void print_named(const char *name, const void *data, size_t bytes) {
  printf("\"%s\": ", name);
  print_bytes(data, bytes);
  printf(", ");
}

/* Gathers the elements that indices name among all mapped elements. Negative indices count from the
 * end. */
static void gather(const mapped_case *of, const int32_t *indices, const unsigned char *mapped,
                   unsigned char *to) {
  const clrs_shape *dims = &of->seen.shape;
  const int64_t extent = dims->dims[of->axis], middle = clrs__shape_count(&of->indices.shape);
  size_t row = clrs_dtype_bits(of->mapped.dtype) / 8, outer = 1;
  for (uint32_t i = 0; i < dims->rank; i++) {
    *(i < of->axis ? &outer : &row) *= i == of->axis ? 1 : (size_t)dims->dims[i];
  }
  for (size_t i = 0; i < outer * (size_t)middle; i++) {
    const int64_t index = indices[i % (size_t)middle];
    const int64_t place = index < 0 ? index + extent : index;
    memcpy(to + i * row, mapped + (i / (size_t)middle * (size_t)extent + (size_t)place) * row, row);
  }
}

/* Prints the indices, and gathers the elements in front of the destination's guard. */
static void gather_expected(const mapped_case *of, const clrs_map_data *data, unsigned char *to) {
  const size_t bytes = bytes_of(of->name, &of->seen);
  const size_t count = (size_t)clrs__shape_count(&of->indices.shape);
  const int64_t extent = of->seen.shape.dims[of->axis];
  unsigned char *mapped = allocate(of->name, bytes);
  int32_t *indices = (int32_t *)(void *)allocate(of->name, count * sizeof *indices);
  uint64_t state = 20;
  clrs_error error;
  for (size_t i = 0; i < count; i++) {
    indices[i] = (int32_t)((int64_t)(draw(&state) % (uint64_t)(2 * extent)) - extent);
  }
  require(of->name, clrs_map_apply(&of->mapped.map, &of->mapped.views, data, mapped, bytes, &error),
          &error);
  gather(of, indices, mapped, to);
  print_named("indices", indices, count * sizeof *indices);
  free(indices);
  free(mapped);
}

/* Prints the buffers before the launches, and the destination as clrs_map_apply fills it. */
static void print_data(const mapped_case *of) {
  const clrs_bytes source = draw_view(of->name, &of->stored, 1);
  clrs_map_data data = {.source = source};
  const size_t bytes = bytes_of(of->name, &of->result), all = bytes + 2 * (size_t)GUARD_BYTES;
  unsigned char *to = allocate(of->name, all);
  clrs_error error;
  draw_elements(to, all, CLRS_U8, 2);
  printf(", \"data\": {");
  print_named("source", source.data, source.size);
  print_named("destination", to, all);
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    if (of->parameters[i].shape.rank > 0) {
      char name[20];
      snprintf(name, sizeof name, "tensor%u", i);
      data.steps[i] = draw_view(of->name, &of->parameters[i], 3 + i);
      print_named(name, data.steps[i].data, data.steps[i].size);
    }
  }
  if (of->is_gather) {
    gather_expected(of, &data, to + GUARD_BYTES);
  } else {
    require(
        of->name,
        clrs_map_apply(&of->mapped.map, &of->mapped.views, &data, to + GUARD_BYTES, bytes, &error),
        &error);
  }
  printf("\"expected\": ");
  print_bytes(to, all);
  printf("}");
  free(to);
  free((void *)source.data);
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    free((void *)data.steps[i].data);
  }
}

static void add_indices(const test_case *test, mapped_case *of) {
  clrs_shape places;
  clrs_error error;
  places.rank = read_numbers(test->indices, places.dims);
  of->is_gather = true;
  of->axis = test->axis != NULL ? (uint32_t)strtoul(test->axis, NULL, 10) : 0;
  const clrs_shape shape = listed_shape(&of->seen.shape, &places, of->axis);
  require(of->name, clrs_view_dense(of->mapped.dtype, &shape, &of->result, &error), &error);
  require(of->name, clrs_view_dense(CLRS_I32, &places, &of->indices, &error), &error);
}

static void draw_case(const test_case *test, const clrs_view *view, mapped_case *of) {
  clrs_error error;
  *of = (mapped_case){.name = test->name, .suite = test->suite, .stored = *view};
  require(of->name, clrs_mapped_init(view, &of->mapped, &error), &error);
  if (test->blocks != NULL || test->scales != NULL) {
    dequantize_by_tensors(test, of);
  }
  if (test->chain != NULL) {
    apply_chain(test, of);
  }
  require(of->name,
          clrs_view_dense(of->mapped.dtype, &of->mapped.views.source.shape, &of->seen, &error),
          &error);
  of->result = of->seen;
  if (test->indices != NULL) {
    add_indices(test, of);
  }
}

static uint64_t bytes_in(const clrs_view *view) {
  return clrs__bytes_of(clrs__shape_count(&view->shape), clrs_dtype_bits(view->dtype));
}

/* A parameter that is the source itself, as of colours. */
static bool is_of_source(const mapped_case *of, uint32_t step) {
  return of->mapped.map.steps[step].parameter.is_of_source;
}

/* A gather reads the same share of the parameters as the share of all elements that the gather
 * writes. Resizing and colours read the whole source. */
static uint64_t bytes_read(const mapped_case *of) {
  bool reads_all = of->mapped.views.resample.by != CLRS_RESAMPLE_NONE;
  for (uint32_t i = 0; i < of->mapped.map.step_count; i++) {
    reads_all = reads_all || is_of_source(of, i);
  }
  if (reads_all) {
    return bytes_in(&of->stored);
  }
  const int64_t count = clrs__shape_count(&of->result.shape);
  uint64_t bytes = clrs__bytes_of(count, clrs_dtype_bits(of->mapped.map.from));
  for (uint32_t i = 0; i < CLRS_MAP_STEPS; i++) {
    if (of->parameters[i].shape.rank > 0) {
      bytes += bytes_in(&of->parameters[i]) * (uint64_t)count /
               (uint64_t)clrs__shape_count(&of->seen.shape);
    }
  }
  return bytes + (of->is_gather ? bytes_in(&of->indices) : 0);
}

/* Returns the words, with the taps of a resized picture behind the words. The caller frees. */
static clrs_bytes words_of(const mapped_case *of, const clrs__mapped_pass *pass,
                           const clrs__mapped_launch *launch) {
  const size_t bytes =
      launch->word_bytes + (launch->key.combine != 0 ? clrs__mapped_tap_bytes(pass) : 0);
  unsigned char *words = allocate(of->name, bytes);
  memcpy(words, &launch->words, launch->word_bytes);
  if (launch->key.combine != 0) {
    clrs__mapped_put_taps(pass, words + launch->word_bytes);
  }
  return (clrs_bytes){words, bytes};
}

/* Prints the arguments. Words in a buffer are printed behind the arguments. */
static void print_arguments(const mapped_case *of, const clrs__mapped_pass *pass,
                            const clrs__mapped_launch *launch, const clrs_bytes *words) {
  print_buffer("source", launch->starts[CLRS_FROM]);
  print_buffer("destination", launch->starts[CLRS_TO]);
  if (launch->key.is_tabled) {
    printf("\"words\"");
  } else {
    print_bytes(words->data, words->size);
  }
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR && is_of_source(of, i)) {
      printf(", \"source\", %" PRIu64, launch->tensor_starts[i]);
    } else if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      printf(", \"tensor%u\", %" PRIu64, i, launch->tensor_starts[i]);
    }
  }
  if (of->is_gather) {
    printf(", \"indices\", %" PRIu64 ", \"flag\", 0, 0", launch->index_start);
  }
}

static void print_mapped_launch(const mapped_case *of, const clrs__mapped_pass *pass,
                                const clrs__mapped_launch *launch, bool has_data) {
  const clrs_bytes words = words_of(of, pass, launch);
  const launch_facts facts = {.name = of->name,
                              .suite = of->suite,
                              .variant = clrs__mapped_variant(&launch->key, launch->index_bits),
                              .unit_bits = clrs_dtype_bits(of->mapped.dtype),
                              .bits = clrs_dtype_bits(of->mapped.dtype),
                              .read = bytes_read(of),
                              .written = bytes_in(&of->result),
                              .items = {launch->global[0], launch->global[1]},
                              .group = {launch->group[0], launch->group[1]},
                              .extent = of->is_gather ? of->seen.shape.dims[of->axis] : 0};
  begin_line(&facts);
  print_arguments(of, pass, launch, &words);
  printf("], \"words\": ");
  print_bytes(words.data, launch->key.is_tabled ? words.size : 0);
  free((void *)words.data);
  if (has_data) {
    print_data(of);
  }
  printf("}\n");
}

void plan_mapped_case(const test_case *test, const clrs_view *view,
                      const clrs_device_limits *limits) {
  static mapped_case of;
  static clrs__mapped_pass pass;
  static clrs__mapped_launch launch;
  clrs_error error;
  draw_case(test, view, &of);
  clrs__mapped_move move = {.map = &of.mapped.map,
                            .views = &of.mapped.views,
                            .seen = &of.seen,
                            .source = {&of.mapped.views.source, 0, 128},
                            .destination = {&of.result, GUARD_BYTES, 128},
                            .limits = limits};
  const clrs__indexed_move indices = {.operands = {[CLRS_LISTED] = {&of.result, GUARD_BYTES, 128},
                                                   [CLRS_NAMED] = {&of.seen, 0, 128},
                                                   [CLRS_INDEX] = {&of.indices, 0, 128}},
                                      .axis = of.axis,
                                      .rules = CLRS_INDEX_FROM_END,
                                      .limits = limits};
  const clrs__arithmetic device = {.has_doubles = true, .has_denormals = true, .divides = true};
  move.indices = of.is_gather ? &indices : NULL;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    move.parameters[i] = (clrs_operand){NULL, 0, 128};
  }
  require(of.name, clrs__mapped_plan(&move, &pass, &error), &error);
  for (uint32_t i = 0; i < pass.pieces.count; i++) {
    launch.at = i;
    launch.in_buffer = false;
    require(of.name, clrs__mapped_encode(&pass, &device, &launch, &error), &error);
    print_mapped_launch(&of, &pass, &launch, test->has_data);
  }
}
