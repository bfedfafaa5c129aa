/*
 * Views, chains, plans and explanations are values, so nothing is allocated. The linker leads every
 * call of an allocating function through a counter, which is tested first.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/check.h"

#include <stdlib.h>

#include "clreshape/plan.h"
#include "view/ops.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

static volatile int allocations; /* a compiler knows that malloc does not change this variable */

void *__wrap_malloc(size_t size) {
  allocations++;
  return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  allocations++;
  return __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  allocations++;
  return __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  allocations++;
  return __real_aligned_alloc(alignment, size);
}

char *__wrap_strdup(const char *text) {
  allocations++;
  return __real_strdup(text);
}

/* A compiler may drop an allocation that nobody looks at. */
static void *volatile kept;

static void release_kept(void) {
  free(kept);
  kept = NULL;
}

TEST(the_counter_counts) {
  allocations = 0;
  kept = malloc(10);
  assert_int_equal(allocations, 1);
  kept = realloc(kept, 2000);
  assert_int_equal(allocations, 2);
  release_kept();
  kept = calloc(3, 5);
  assert_int_equal(allocations, 3);
  release_kept();
  kept = aligned_alloc(64, 128);
  assert_int_equal(allocations, 4);
  release_kept();
  kept = strdup("counted");
  assert_int_equal(allocations, 5);
  release_kept();
  assert_int_equal(allocations, 5);
}

#define SHAPE(...)                                                                                 \
  (&(clrs_shape){sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), {__VA_ARGS__}})
#define AXES(...)                                                                                  \
  sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), (int64_t[]) {                                \
    __VA_ARGS__                                                                                    \
  }

typedef void (*chain_fn)(clrs_view *view);

/* A window partition, then heads: eight operations that give a single affine pass. */
static void windows_with_heads(clrs_view *view) {
  clrs_error error;
  const clrs_slice tokens = {2, 48, 0, -1};
  CHECK_OK(clrs_view_dense(CLRS_F16, SHAPE(8, 56, 56, 96), view, &error), error);
  CHECK_OK(clrs_view_reshape(view, SHAPE(8, 8, 7, 8, 7, 96), &error), error);
  CHECK_OK(clrs_view_permute(view, AXES(0, 1, 3, 2, 4, 5), &error), error);
  CHECK_OK(clrs_view_reshape(view, SHAPE(512, 49, 96), &error), error);
  CHECK_OK(clrs_view_reshape(view, SHAPE(512, 49, 3, 32), &error), error);
  CHECK_OK(clrs_view_permute(view, AXES(0, 2, 1, 3), &error), error);
  CHECK_OK(clrs_view_slice(view, 1, &tokens, &error), error);
  CHECK_OK(clrs__view_unsqueeze(view, AXES(2), &error), error);
  CHECK_OK(clrs_view_expand(view, SHAPE(512, 3, 2, 48, 32), &error), error);
}

/* Eight more operations with axes that do not factor: a stack. */
static void axes_that_do_not_factor(clrs_view *view) {
  clrs_error error;
  const clrs_slice inner = {1, 2, 90, 2};
  CHECK_OK(clrs_view_dense(CLRS_U4, SHAPE(96, 80), view, &error), error);
  CHECK_OK(clrs_view_permute(view, AXES(1, 0), &error), error);
  CHECK_OK(clrs_view_reshape(view, SHAPE(60, 128), &error), error);
  CHECK_OK(clrs_view_permute(view, AXES(1, 0), &error), error);
  CHECK_OK(clrs_view_reshape(view, SHAPE(64, 120), &error), error);
  CHECK_OK(clrs_view_slice(view, 1, &inner, &error), error);
  CHECK_OK(clrs_view_flip(view, AXES(0), &error), error);
  CHECK_OK(clrs__view_flatten(view, 0, &error), error);
  CHECK_OK(clrs__view_squeeze(view, AXES(0), &error), error);
}

/* The same two as text. */
static void windows_with_heads_as_text(clrs_view *view) {
  clrs_error error;
  CHECK_OK(clrs_view_dense(CLRS_F16, SHAPE(8, 56, 56, 96), view, &error), error);
  CHECK_OK(clrs_view_apply(view,
                           "rearrange=b (y h) (x w) (heads d) -> (b y x) heads (h w) d, "
                           "h=7, w=7, heads=3 slice=:,:,48:0:-1 unsqueeze=2 "
                           "expand=512,3,2,48,32",
                           &error),
           error);
}

static void axes_that_do_not_factor_as_text(clrs_view *view) {
  clrs_error error;
  CHECK_OK(clrs_view_dense(CLRS_U4, SHAPE(96, 80), view, &error), error);
  CHECK_OK(clrs_view_apply(view,
                           "permute=1,0 reshape=60,128 permute=1,0 reshape=64,120 "
                           "slice=:,2:90:2 flip=0 flatten=0 squeeze=0",
                           &error),
           error);
}

static clrs_outcome plan_and_explain(chain_fn chain, clrs_execution execution) {
  static clrs_view view;
  static clrs_plan plan;
  char text[4096];
  clrs_error error;
  const clrs_device_limits limits = {
      .execution = execution, .min_index_bits = 32, .max_work_items = 1 << 20};
  chain(&view);
  const clrs_move move = {.source = {.view = &view, .alignment = 128},
                          .destination = {.alignment = 128},
                          .policy = CLRS_COPY_ALWAYS};
  CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
  assert_true(clrs_plan_explain(&plan, text, sizeof text) > 0);
  assert_true(clrs_plan_explain_json(&plan, text, sizeof text) > 0);
  return plan.outcome;
}

TEST(a_planned_chain_allocates_nothing) {
  allocations = 0;
  for (int execution = CLRS_EXECUTION_AUTO; execution <= CLRS_EXECUTION_GPU; execution++) {
    const clrs_execution how = (clrs_execution)execution;
    assert_int_equal(plan_and_explain(windows_with_heads, how), CLRS_OUTCOME_AFFINE);
    assert_int_equal(plan_and_explain(axes_that_do_not_factor, how), CLRS_OUTCOME_COMPOSED);
    assert_int_equal(plan_and_explain(windows_with_heads_as_text, how), CLRS_OUTCOME_AFFINE);
    assert_int_equal(plan_and_explain(axes_that_do_not_factor_as_text, how), CLRS_OUTCOME_COMPOSED);
  }
  assert_int_equal(allocations, 0);
}

/* Resolves a pattern, also a pattern that is refused with a sentence. */
TEST(a_resolved_pattern_allocates_nothing) {
  clrs_pattern pattern;
  clrs_shape shape;
  clrs_chain chain;
  allocations = 0;
  CHECK_OK(clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, AXES(0, -1, 12), &pattern, &error),
           error);
  CHECK_OK(clrs_pattern_resolve(&pattern, SHAPE(8, 24, 5), &shape, &error), error);
  CHECK_FAILS(clrs_pattern_resolve(&pattern, SHAPE(8, 5, 5), &shape, &error), CLRS_INVALID_PATTERN,
              error);
  CHECK_FAILS(clrs_chain_parse("rearrange=a b -> a", &chain, &error), CLRS_INVALID_ARGUMENT, error);
  assert_int_equal(allocations, 0);
}

TESTS(NULL, NULL)
