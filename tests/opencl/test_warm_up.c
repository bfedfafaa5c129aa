/*
 * Warming up leaves nothing to compile: neither for the first move of each class and width, nor for
 * the moves of a process that starts with the programs exported by then. PoCL's cache is the
 * evidence, because each compiled function is a shared library there. warm_up.sh calls this program
 * twice, each time with an empty cache:
 *
 *   test_warm_up warm FILE few|all     warms up, moves, and exports to FILE.cpu and FILE.gpu
 *   test_warm_up start FILE few|all    imports these files, and moves
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/clreshape.h"
#include "compiled.h"
#include "harness/classes.h"
#include "harness/device.h"
#include "harness/works.h"

enum { ROWS = 60, COLUMNS = 70, BUFFER_BYTES = 2 * ROWS * COLUMNS * 16, MOST_BLOB = 1 << 24 };

static bool exports, is_short;
static const char *blob_file;

/* ---- moves ---- */

typedef struct kernel {
  clrs__class_number kernel_class;
  uint32_t unit_bits;
} kernel;

static const clrs_dtype dtypes[] = {
    [1] = CLRS_BITS1, [2] = CLRS_U2,   [4] = CLRS_U4,   [8] = CLRS_U8,
    [16] = CLRS_F16,  [32] = CLRS_F32, [64] = CLRS_F64, [128] = CLRS_C128};

static clrs_layout layout_of(kernel k, uint32_t rank, const int64_t *dims, const int64_t *strides) {
  clrs_shape shape;
  clrs_layout layout;
  CHECK_OK(clrs_shape_init(rank, dims, &shape, &error), error);
  CHECK_OK(clrs_layout_init(dtypes[k.unit_bits], &shape, strides, 0, &layout, &error), error);
  return layout;
}

/* Layouts of pitched rows, of short axes in reverse order, or a transpose, as the class
 * requires. */
static void choose_layouts(kernel k, clrs_layout *from, clrs_layout *to) {
  static const int64_t plane[] = {ROWS, COLUMNS}, turned[] = {1, ROWS}, odd[] = {59, 67},
                       pitched[] = {69, 1}, volume[] = {5, 3, 7, 6}, short_axes[] = {1, 210, 5, 35};
  if (k.kernel_class == CLRS__CLASS_CPU_ROWS) {
    *from = layout_of(k, 2, odd, pitched);
    *to = layout_of(k, 2, odd, NULL);
  } else if (k.kernel_class == CLRS__CLASS_GPU_SHORT) {
    *from = layout_of(k, 4, volume, short_axes);
    *to = layout_of(k, 4, volume, NULL);
  } else {
    *from = layout_of(k, 2, plane, turned);
    *to = layout_of(k, 2, plane, NULL);
  }
}

typedef struct world {
  test_device device;
  clrs_context *library;
  cl_mem source, destination, indices;
} world;

static void fill_once(const world *w, const clrs_layout *to) {
  static const unsigned char value[16] = {1, 2, 3};
  const clrs_storage storage = {w->destination, 0};
  clrs_tensor *tensor = NULL;
  cl_event event = NULL;
  CHECK_OK(clrs_tensor_wrap(w->library, &storage, to, &tensor, &error), error);
  CHECK_OK(clrs_enqueue_fill(tensor, value, ON(w->device.queue), &event, &error), error);
  device_finish_event(event);
  clrs_tensor_release(tensor);
}

static void move_once(const world *w, kernel k) {
  clrs_layout from, to;
  clrs_view views[2];
  clrs_plan plan;
  cl_event event = NULL;
  choose_layouts(k, &from, &to);
  if (k.kernel_class == CLRS__CLASS_FILL) {
    fill_once(w, &to);
    return;
  }
  clrs_device_limits limits = clrs_context_limits(w->library);
  limits.required_class = clrs_class_name(k.kernel_class);
  CHECK_OK(clrs_view_from_layout(&from, &views[0], &error), error);
  CHECK_OK(clrs_view_from_layout(&to, &views[1], &error), error);
  const clrs_move move = {{&views[0], 0, 128}, {&views[1], 0, 128}, CLRS_COPY_ALWAYS};
  CHECK_OK(clrs_plan_move(&move, &limits, &plan, &error), error);
  assert_string_equal(plan.launches[0].kernel_class, clrs_class_name(k.kernel_class));
  assert_int_equal(plan.launches[0].unit_bits, k.unit_bits);
  CHECK_OK(
      clrs_enqueue_plan(w->library, &plan,
                        &(clrs_plan_buffers){.source = w->source, .destination = w->destination},
                        ON(w->device.queue), &event, &error),
      error);
  device_finish_event(event);
}

/* ---- every kernel of an execution ---- */

static bool has_kernel(clrs_execution execution, kernel k) {
  const bool wide = execution == CLRS_EXECUTION_GPU;
  switch (k.kernel_class) {
  case CLRS__CLASS_SUBBYTE:
    return k.unit_bits < 8;
  case CLRS__CLASS_CPU_SUBBYTE:
    return !wide && k.unit_bits < 8;
  case CLRS__CLASS_COMPOSED:
    return k.unit_bits >= 8 || (!wide && k.unit_bits > 1);
  case CLRS__CLASS_FILL: /* elements are repeated to the widest unit */
    return k.unit_bits == 128;
  case CLRS__CLASS_GPU_ANY:
    return k.unit_bits >= 8;
  default:
    return k.unit_bits >= 8 &&
           strncmp(clrs_class_name(k.kernel_class), wide ? "gpu_" : "cpu_", 4) == 0;
  }
}

static void each_kernel(const world *w, void (*call)(const world *, kernel)) {
  const clrs_execution execution = clrs_context_limits(w->library).execution;
  size_t calls = 0;
  for (int c = CLRS__CLASS_ANY + 1; c < CLRS__CLASS_COUNT; c++)
    for (uint32_t bits = 1; bits <= 128; bits *= 2) {
      const kernel k = {(clrs__class_number)c, bits};
      const bool chosen = !is_short || bits == 4 || bits == 32 || c == CLRS__CLASS_FILL;
      if (has_kernel(execution, k) && chosen) {
        call(w, k);
        calls++;
      }
    }
  assert_in_range(calls, 6, 100);
}

static void warm_up(const world *w, kernel k) {
  CHECK_OK(clrs_context_warm_up(w->library, clrs_class_name(k.kernel_class), k.unit_bits, &error),
           error);
}

static void move_and_compile_nothing(const world *w, kernel k) {
  const size_t programs = clrs_context_program_count(w->library);
  compiled_at_launch = 0;
  move_once(w, k);
  print_message("%s of %u bits\n", clrs_class_name(k.kernel_class), k.unit_bits);
  assert_true(compiled_at_launch > 0);
  assert_int_equal(compiled(), compiled_at_launch);
  assert_int_equal(clrs_context_program_count(w->library), programs);
}

/* ---- requests that no class names ---- */

typedef struct requests {
  clrs_tensor *bytes, *mapped, *floats, *rows, *places;
  clrs_indices indices;
  clrs_work *sequence;
  clrs_plan plan; /* units of a width that a short run does not warm up by class */
} requests;

static clrs_tensor *tensor_in(const world *w, cl_mem buffer, clrs_dtype dtype, int64_t rows) {
  const int64_t dims[] = {rows, COLUMNS};
  const size_t rank = rows == 1 ? 1 : 2;
  clrs_tensor *tensor = NULL;
  CHECK_OK(
      clrs_tensor_wrap_dense(w->library, buffer, dtype, rank, &dims[2 - rank], &tensor, &error),
      error);
  return tensor;
}

/* A cast of the bytes of one slot into another, and of rows that indices name. */
static clrs_work *open_sequence(const world *w, const requests *r) {
  clrs_work *sequence = NULL;
  clrs_mapped mapped;
  clrs_chain cast;
  clrs_view to, rows;
  const clrs_indices gather = {.axis = 0};
  CHECK_OK(clrs_chain_parse("cast=i16", &cast, &error), error);
  CHECK_OK(clrs_mapped_init(clrs_tensor_view(r->bytes), &mapped, &error), error);
  CHECK_OK(clrs_chain_map(&cast, NULL, &mapped, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_I16, &clrs_tensor_view(r->bytes)->shape, &to, &error), error);
  CHECK_OK(clrs_view_dense(CLRS_I16, &clrs_tensor_view(r->rows)->shape, &rows, &error), error);
  const test_task tasks[] = {{.destination = 1, .mapped = &mapped, .to = &to},
                             {.destination = 2,
                              .mapped = &mapped,
                              .to = &rows,
                              .gather = &gather,
                              .index = 3,
                              .by = clrs_tensor_view(r->places)}};
  CHECK_OK(test_work_of_tasks(w->library, &(test_tasks){4, 2, tasks}, &sequence, &error), error);
  return sequence;
}

static void open_requests(const world *w, requests *r) {
  const kernel wide = {CLRS__CLASS_ANY, 64};
  clrs_device_limits limits = clrs_context_limits(w->library);
  clrs_layout from, to;
  clrs_view views[2];
  clrs_chain chain;
  r->bytes = tensor_in(w, w->source, CLRS_U8, ROWS);
  r->floats = tensor_in(w, w->source, CLRS_F32, ROWS);
  r->rows = tensor_in(w, w->destination, CLRS_F32, COLUMNS);
  r->places = tensor_in(w, w->indices, CLRS_I32, 1);
  r->indices = (clrs_indices){.tensor = r->places};
  CHECK_OK(clrs_chain_parse("permute=1,0 cast=f32", &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(r->bytes, &chain, NULL, &r->mapped, &error), error);
  r->sequence = open_sequence(w, r);
  choose_layouts(wide, &from, &to);
  CHECK_OK(clrs_view_from_layout(&from, &views[0], &error), error);
  CHECK_OK(clrs_view_from_layout(&to, &views[1], &error), error);
  const clrs_move move = {{&views[0], 0, 128}, {&views[1], 0, 128}, CLRS_COPY_ALWAYS};
  CHECK_OK(clrs_plan_move(&move, &limits, &r->plan, &error), error);
}

static void close_requests(requests *r) {
  clrs_tensor *const tensors[] = {r->bytes, r->mapped, r->floats, r->rows, r->places};
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors; i++)
    clrs_tensor_release(tensors[i]);
  clrs_work_release(r->sequence);
}

/* Leaves every byte of the caller unchanged. */
static void warm_requests(const world *w, const requests *r) {
  static unsigned char before[BUFFER_BYTES], after[BUFFER_BYTES];
  clrs_plan plan;
  memset(before, 0x5a, sizeof before);
  device_write(&w->device, w->destination, sizeof before, before);
  CHECK_OK(clrs_context_warm_up_plan(w->library, &r->plan, &error), error);
  CHECK_OK(clrs_tensor_plan(r->mapped, NULL, CLRS_COPY_ALWAYS, &plan, &error), error);
  CHECK_OK(clrs_context_warm_up_plan(w->library, &plan, &error), error);
  CHECK_OK(clrs_tensor_plan_gather(r->floats, &r->indices, r->rows, &plan, &error), error);
  CHECK_OK(clrs_context_warm_up_plan(w->library, &plan, &error), error);
  CHECK_OK(clrs_tensor_plan_scatter(r->rows, &r->indices, r->floats, &plan, &error), error);
  CHECK_OK(clrs_context_warm_up_plan(w->library, &plan, &error), error);
  CHECK_OK(clrs_work_warm_up(r->sequence, &error), error);
  device_read(&w->device, w->destination, sizeof after, after);
  assert_memory_equal(after, before, sizeof after);
}

#define COMPILES_NOTHING(call)                                                                     \
  do {                                                                                             \
    const size_t programs = clrs_context_program_count(w->library);                                \
    compiled_at_launch = 0;                                                                        \
    CHECK_OK(call, error);                                                                         \
    CL_OK(clFinish(w->device.queue));                                                              \
    assert_true(compiled_at_launch > 0);                                                           \
    assert_int_equal(compiled(), compiled_at_launch);                                              \
    assert_int_equal(clrs_context_program_count(w->library), programs);                            \
  } while (0)
#define ON_QUEUE ON(w->device.queue), NULL, &error

static void request_and_compile_nothing(const world *w, const requests *r) {
  const clrs_slot slots[] = {{.storage = {w->source, 0}},
                             {.storage = {w->destination, 0}},
                             {.storage = {w->destination, BUFFER_BYTES / 2}},
                             {.storage = {w->indices, 0}}};
  const clrs_indices *const gather = &r->indices;
  const test_moves moves = {
      .count = 1, .sources = &r->floats, .destinations = &r->rows, .gathers = &gather};
  clrs_context *library = w->library;
  clrs_tensor *result = NULL;
  COMPILES_NOTHING(clrs_enqueue_plan(
      library, &r->plan, &(clrs_plan_buffers){.source = w->source, .destination = w->destination},
      ON_QUEUE));
  COMPILES_NOTHING(clrs_enqueue_chain(r->mapped, "", CLRS_COPY_ALWAYS, NULL, &result, ON_QUEUE));
  COMPILES_NOTHING(clrs_enqueue_gather(r->floats, &r->indices, r->rows, NULL, ON_QUEUE));
  COMPILES_NOTHING(clrs_enqueue_scatter(r->rows, &r->indices, r->floats, ON_QUEUE));
  COMPILES_NOTHING(test_enqueue_moves(library, &moves, ON_QUEUE));
  COMPILES_NOTHING(test_enqueue_slots(r->sequence, slots, ON_QUEUE));
  clrs_tensor_release(result);
}

/* ---- blobs ---- */

static FILE *open_blob(const world *w, const char *mode) {
  char path[4096];
  const bool wide = clrs_context_limits(w->library).execution == CLRS_EXECUTION_GPU;
  snprintf(path, sizeof path, "%s.%s", blob_file, wide ? "gpu" : "cpu");
  FILE *file = fopen(path, mode);
  assert_non_null(file);
  return file;
}

static void export(const world *w) {
  size_t size = 0;
  unsigned char *bytes = malloc(MOST_BLOB);
  assert_non_null(bytes);
  CHECK_OK(clrs_context_export_programs(w->library, bytes, MOST_BLOB, &size, &error), error);
  FILE *file = open_blob(w, "wb");
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
  free(bytes);
}

static void import(const world *w) {
  unsigned char *bytes = malloc(MOST_BLOB);
  assert_non_null(bytes);
  FILE *file = open_blob(w, "rb");
  const size_t size = fread(bytes, 1, MOST_BLOB, file);
  assert_int_equal(fclose(file), 0);
  CHECK_OK(clrs_context_import_programs(w->library, bytes, size, &error), error);
  free(bytes);
}

/* ---- tests ---- */

static void nothing_is_left_to_compile(clrs_execution execution) {
  static const int32_t places[COLUMNS]; /* all name place 0 */
  world w = {.library = NULL};
  requests r;
  const bool has_requests = execution == CLRS_EXECUTION_CPU || !is_short;
  clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
  limits.execution = execution;
  device_open(&w.device);
  w.library = device_library(&w.device, &limits);
  w.source = device_buffer(&w.device, CL_MEM_READ_WRITE, BUFFER_BYTES);
  w.destination = device_buffer(&w.device, CL_MEM_READ_WRITE, BUFFER_BYTES);
  w.indices = device_buffer(&w.device, CL_MEM_READ_ONLY, sizeof places);
  device_write(&w.device, w.indices, sizeof places, places);
  if (!exports)
    import(&w);
  if (has_requests)
    open_requests(&w, &r);
  if (exports) {
    each_kernel(&w, warm_up);
    if (has_requests)
      warm_requests(&w, &r);
    export(&w);
  }
  each_kernel(&w, move_and_compile_nothing);
  if (has_requests) {
    request_and_compile_nothing(&w, &r);
    close_requests(&r);
  }
  clReleaseMemObject(w.indices);
  clReleaseMemObject(w.source);
  clReleaseMemObject(w.destination);
  clrs_context_release(w.library);
  device_close(&w.device);
}

TEST(core_kernels_are_ready) {
  nothing_is_left_to_compile(CLRS_EXECUTION_CPU);
}

TEST(wide_kernels_are_ready) {
  nothing_is_left_to_compile(CLRS_EXECUTION_GPU);
}

int main(int argc, char **argv) {
  if (argc != 4 || getenv("POCL_CACHE_DIR") == NULL) {
    fputs("usage: POCL_CACHE_DIR=EMPTY test_warm_up warm|start FILE few|all\n", stderr);
    return 2;
  }
  const int missing = device_missing();
  if (missing)
    return missing;
  exports = strcmp(argv[1], "warm") == 0;
  blob_file = argv[2];
  is_short = strcmp(argv[3], "few") == 0;
  return RUN_TESTS(NULL, NULL);
}
