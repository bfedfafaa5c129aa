/*
 * Indices past 2^31 and 2^32, up to 5e9 and over, in every kernel, without the memory for such
 * buffers. The buffers are sparse. Only some groups run of a launch that moves billions of units,
 * which the microscope allows. The written units are found by the pages that exist.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* memfd_create, SEEK_DATA */

#include "harness/classes.h"
#include "harness/device.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/oracle.h"
#include "harness/rng.h"

enum { CLASSES = 32, LIBRARIES = 2 };

typedef void (*choose_fn)(size_t count, const size_t *groups);

typedef struct fixture {
  test_device device;
  clrs_context *libraries[LIBRARIES]; /* wide, core */
  choose_fn choose;
} fixture;

static int fixture_open(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  for (int i = 0; i < LIBRARIES; i++) {
    const clrs_device_limits limits = {.execution = i ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU,
                                       .min_index_bits = 32,
                                       .max_work_items = UINT64_C(1) << 30};
    f->libraries[i] = device_library(&f->device, &limits);
  }
  const char *driver = getenv("OCL_ICD_VENDORS");
  void *microscope = driver ? dlopen(driver, RTLD_NOW | RTLD_NOLOAD) : NULL;
  void *symbol = microscope ? dlsym(microscope, "clrs_microscope_choose") : NULL;
  if (symbol == NULL)
    fail_msg("the microscope is not loaded");
  memcpy(&f->choose, &symbol, sizeof symbol);
  *state = f;
  return 0;
}

static int fixture_close(void **state) {
  fixture *f = *state;
  for (int i = 0; i < LIBRARIES; i++)
    clrs_context_release(f->libraries[i]);
  device_close(&f->device);
  free(f);
  return 0;
}

/* ---- sparse buffers ---- */

typedef struct sparse {
  int file;
  size_t size;
  unsigned char *bytes;
  cl_mem buffer;
} sparse;

static sparse sparse_create(const fixture *f, size_t size) {
  sparse s = {.file = memfd_create("sparse", MFD_CLOEXEC), .size = size};
  cl_int code;
  assert_true(s.file >= 0);
  assert_int_equal(ftruncate(s.file, (off_t)size), 0);
  s.bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, s.file, 0);
  assert_true(s.bytes != MAP_FAILED);
  s.buffer = clCreateBuffer(f->device.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size,
                            s.bytes, &code);
  CL_OK(code);
  return s;
}

static void sparse_free(sparse *s) {
  CL_OK(clReleaseMemObject(s->buffer));
  assert_int_equal(munmap(s->bytes, s->size), 0);
  assert_int_equal(close(s->file), 0);
}

static clrs_tensor *wrap(clrs_context *library, const sparse *s, const clrs_layout *layout) {
  const clrs_storage storage = {s->buffer, 0};
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap(library, &storage, layout, &tensor, &error), error);
  return tensor;
}

/* ---- few elements, far apart ---- */

static const int64_t borders[] = {INT64_C(2147483647) - 65, INT64_C(2147483647) - 64,
                                  INT64_C(2147483647) - 63, INT64_C(2147483647),
                                  INT64_C(2147483648),      INT64_C(2147483649),
                                  INT64_C(4294967295),      INT64_C(4294967296),
                                  INT64_C(4294967297),      INT64_C(5000000000)};

typedef struct far_case {
  clrs_dtype dtype;
  bool transposes, far_source;
  int64_t border, rows, columns;
  int64_t before; /* elements of the second block before the border */
} far_case;

typedef struct tally {
  int64_t seen[CLASSES][2];
} tally;

/* Two blocks of rows and columns. The second block begins a little before the border. */
static clrs_layout far_layout(const far_case *c, bool far, bool turned) {
  const int64_t dense = c->rows * c->columns;
  clrs_layout layout = {.dtype = c->dtype, .rank = 3, .dims = {2, c->rows, c->columns}};
  layout.strides[0] = far ? c->border - c->before : dense;
  layout.strides[1] = turned ? 1 : c->columns;
  layout.strides[2] = turned ? c->rows : 1;
  return layout;
}

static size_t bytes_of(const clrs_layout *layout) {
  const int64_t last = layout->strides[0] + layout->dims[1] * layout->dims[2];
  return ((size_t)last * clrs_dtype_bits(layout->dtype) + 7) / 8;
}

static unsigned char value_of(int64_t k) {
  return (unsigned char)((uint64_t)(k + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 56 | 1);
}

/* Elements of 4 bits or of whole bytes. The low bits identify the element. */
static unsigned read_element(const clrs_layout *layout, const unsigned char *bytes, int64_t at) {
  const size_t width = clrs_dtype_bits(layout->dtype);
  return width == 4 ? (bytes[at / 2] >> (at % 2 * 4)) & 15u : bytes[(size_t)at * width / 8];
}

static void write_element(const clrs_layout *layout, unsigned char *bytes, int64_t at,
                          unsigned value) {
  const size_t width = clrs_dtype_bits(layout->dtype);
  unsigned char *to = &bytes[(size_t)at * width / 8];
  if (width == 4)
    *to = (unsigned char)((*to & (at % 2 ? 0x0Fu : 0xF0u)) | (value & 15u) << (at % 2 * 4));
  else
    memset(to, (int)value, width / 8);
}

static void count_classes(const clrs_plan *plan, tally *seen) {
  for (uint32_t i = 0; i < plan->launch_count; i++)
    seen->seen[class_named(plan->launches[i].kernel_class)][plan->launches[i].index_bits == 64]++;
}

static void run_far(const fixture *f, const far_case *c, tally *seen) {
  const clrs_layout from = far_layout(c, c->far_source, c->transposes);
  const clrs_layout to = far_layout(c, !c->far_source, false);
  sparse source = sparse_create(f, bytes_of(&from)), target = sparse_create(f, bytes_of(&to));
  oracle read = oracle_from_layout(&from), written = oracle_from_layout(&to);
  clrs_plan plan;
  for (int64_t k = 0; k < read.count; k++)
    write_element(&from, source.bytes, read.positions[k], value_of(k));
  for (int i = 0; i < LIBRARIES; i++) {
    clrs_tensor *a = wrap(f->libraries[i], &source, &from);
    clrs_tensor *b = wrap(f->libraries[i], &target, &to);
    for (int64_t k = 0; k < written.count; k++)
      write_element(&to, target.bytes, written.positions[k], ~(unsigned)value_of(k) & 255u);
    CHECK_OK(clrs_tensor_plan(a, b, CLRS_COPY_ALWAYS, &plan, &error), error);
    count_classes(&plan, seen);
    CHECK_OK(clrs_enqueue_move(a, b, ON(f->device.queue), NULL, &error), error);
    for (int64_t k = 0; k < written.count; k++) {
      const unsigned mask = clrs_dtype_bits(c->dtype) == 4 ? 15u : 255u;
      if (read_element(&to, target.bytes, written.positions[k]) != (value_of(k) & mask))
        fail_msg("%s, %s, %lld x %lld, %s far, border %lld - %lld: element %lld is wrong",
                 plan.launches[0].kernel_class, clrs_dtype_name(c->dtype, CLRS_TYPES_CLRESHAPE),
                 (long long)c->rows, (long long)c->columns,
                 c->far_source ? "source" : "destination", (long long)c->border,
                 (long long)c->before, (long long)k);
    }
    clrs_tensor_release(a);
    clrs_tensor_release(b);
  }
  oracle_free(&read);
  oracle_free(&written);
  sparse_free(&source);
  sparse_free(&target);
}

TEST(few_elements_lie_far_apart) {
  static const clrs_dtype dtypes[] = {CLRS_U4, CLRS_U8, CLRS_F16, CLRS_F32, CLRS_F64, CLRS_C128};
  static const int64_t shapes[][2] = {{33, 35}, {32, 64}, {70, 3}, {5, 64}};
  tally seen = {0};
  int64_t points = 0;
  for (size_t b = 0; b < sizeof borders / sizeof *borders; b++)
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; d++)
      for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int way = 0; way < 4; way++) {
          const int64_t count = shapes[s][0] * shapes[s][1];
          const int64_t befores[] = {0, count / 2 * 2, count / 4 * 2};
          const far_case c = {dtypes[d],          way & 1,      way & 2,
                              borders[b],         shapes[s][0], shapes[s][1],
                              befores[points % 3]};
          run_far(*state, &c, &seen);
          points++;
        }
  for (int k = 0; k < CLASSES; k++)
    if (seen.seen[k][0] + seen.seen[k][1])
      print_message("  %-10s %lld with 32-bit, %lld with 64-bit indices\n",
                    clrs_class_name((size_t)k), (long long)seen.seen[k][0],
                    (long long)seen.seen[k][1]);
  print_message("%lld points\n", (long long)points);
  assert_true(seen.seen[CLRS__CLASS_SUBBYTE][1] && seen.seen[CLRS__CLASS_CPU_ROWS][1] &&
              seen.seen[CLRS__CLASS_CPU_TILE][1] && seen.seen[CLRS__CLASS_CPU_ANY][1]);
}

/* ---- billions of elements, of which some groups are moved ---- */

enum { PERIOD = 61, GROUPS = 200 };
#define REPEATS INT64_C(82000000) /* PERIOD * REPEATS > 5e9 */

/* The byte that must lie at this position of the destination. */
typedef unsigned (*expected_fn)(const void *what, int64_t position);

typedef struct scan {
  int64_t found, above; /* units written, and units written past 2^32 */
  int64_t highest;
} scan;

static scan check_written(const sparse *target, expected_fn expected, const void *what,
                          const char *name) {
  scan result = {0, 0, -1};
  off_t at = 0;
  while ((at = lseek(target->file, at, SEEK_DATA)) >= 0) {
    const off_t end = lseek(target->file, at, SEEK_HOLE);
    for (; at < end; at++) {
      const unsigned got = target->bytes[at];
      if (got == 0)
        continue;
      if (got != expected(what, at))
        fail_msg("%s: byte %lld is %u, not %u", name, (long long)at, got, expected(what, at));
      result.found++;
      result.above += at >= INT64_C(4294967296);
      result.highest = at;
    }
  }
  return result;
}

static void choose_groups(const fixture *f, size_t *groups) {
  test_rng rng = rng_start(5);
  for (size_t i = 0; i < GROUPS; i++) /* both ends, and anywhere */
    groups[i] = i < 4 ? i : i < 8 ? SIZE_MAX - (i - 4) : (size_t)rng_between(&rng, 0, INT64_MAX);
  f->choose(GROUPS, groups);
}

static unsigned periodic(const void *what, int64_t position) {
  (void)what;
  return (unsigned)(position % PERIOD) + 1;
}

static unsigned constant(const void *what, int64_t position) {
  (void)position;
  return *(const unsigned char *)what;
}

/* Element k of the permuted source is k / REPEATS. The destination is transposed. */
enum { TURNED_COLUMNS = 61000, TURNED_ROWS = 82000 };

static unsigned turned(const void *what, int64_t position) {
  (void)what;
  const int64_t row = position % TURNED_ROWS, column = position / TURNED_ROWS;
  return (unsigned)((row * TURNED_COLUMNS + column) / REPEATS) + 1;
}

static clrs_tensor *periodic_source(clrs_context *library, sparse *source) {
  const clrs_layout layout = {
      .dtype = CLRS_U8, .rank = 2, .dims = {REPEATS, PERIOD}, .strides = {0, 1}};
  for (int i = 0; i < PERIOD; i++)
    source->bytes[i] = (unsigned char)(i + 1);
  return wrap(library, source, &layout);
}

static void require_far(scan seen, const char *name) {
  print_message("  %s: %lld units, %lld of them past 2^32, the last at %lld\n", name,
                (long long)seen.found, (long long)seen.above, (long long)seen.highest);
  assert_true(seen.above > 0 && seen.found > seen.above);
}

TEST(rows_of_billions) {
  const fixture *f = *state;
  const clrs_layout dense = {
      .dtype = CLRS_U8, .rank = 2, .dims = {REPEATS, PERIOD}, .strides = {PERIOD, 1}};
  size_t groups[GROUPS];
  for (int i = 0; i < LIBRARIES; i++) {
    sparse source = sparse_create(f, PERIOD), target = sparse_create(f, REPEATS * PERIOD);
    clrs_tensor *a = periodic_source(f->libraries[i], &source);
    clrs_tensor *b = wrap(f->libraries[i], &target, &dense);
    choose_groups(f, groups);
    CHECK_OK(clrs_enqueue_move(a, b, ON(f->device.queue), NULL, &error), error);
    f->choose(0, NULL);
    require_far(check_written(&target, periodic, NULL, "rows"), i ? "rows, core" : "rows, wide");
    clrs_tensor_release(a);
    clrs_tensor_release(b);
    sparse_free(&source);
    sparse_free(&target);
  }
}

TEST(fills_of_billions) {
  const fixture *f = *state;
  const clrs_dtype dtypes[] = {CLRS_U8, CLRS_U4};
  const unsigned char element = 0x77, byte = 0x77;
  size_t groups[GROUPS];
  for (int i = 0; i < 2 * LIBRARIES; i++) {
    const clrs_layout pitched = {.dtype = dtypes[i / LIBRARIES],
                                 .rank = 2,
                                 .dims = {REPEATS, 30 * (1 + i / LIBRARIES)},
                                 .strides = {PERIOD * (1 + i / LIBRARIES), 1}};
    sparse target = sparse_create(f, REPEATS * PERIOD);
    clrs_tensor *b = wrap(f->libraries[i % LIBRARIES], &target, &pitched);
    choose_groups(f, groups);
    CHECK_OK(clrs_enqueue_fill(b, &element, ON(f->device.queue), NULL, &error), error);
    f->choose(0, NULL);
    require_far(check_written(&target, constant, &byte, "fill"),
                i < LIBRARIES ? "fill" : "nibbles filled");
    clrs_tensor_release(b);
    sparse_free(&target);
  }
}

TEST(stacks_of_billions) {
  const fixture *f = *state;
  const clrs_shape reshaped = {2, {TURNED_ROWS, TURNED_COLUMNS}};
  const clrs_layout target_layout = {.dtype = CLRS_U8,
                                     .rank = 2,
                                     .dims = {TURNED_ROWS, TURNED_COLUMNS},
                                     .strides = {1, TURNED_ROWS}};
  const int64_t axes[] = {1, 0};
  size_t groups[GROUPS];
  for (int i = 0; i < LIBRARIES; i++) {
    sparse source = sparse_create(f, PERIOD), target = sparse_create(f, REPEATS * PERIOD);
    clrs_tensor *whole = periodic_source(f->libraries[i], &source), *a = NULL;
    clrs_tensor *b = wrap(f->libraries[i], &target, &target_layout);
    clrs_view view = *clrs_tensor_view(whole);
    CHECK_OK(clrs_view_permute(&view, 2, axes, &error), error);
    CHECK_OK(clrs_view_reshape(&view, &reshaped, &error), error);
    CHECK_OK(clrs_tensor_with_view(whole, &view, &a, &error), error);
    choose_groups(f, groups);
    CHECK_OK(clrs_enqueue_move(a, b, ON(f->device.queue), NULL, &error), error);
    f->choose(0, NULL);
    require_far(check_written(&target, turned, NULL, "composed"), "composed");
    clrs_tensor_release(whole);
    clrs_tensor_release(a);
    clrs_tensor_release(b);
    sparse_free(&source);
    sparse_free(&target);
  }
}

TESTS_UNLESS(device_missing(), fixture_open, fixture_close)
