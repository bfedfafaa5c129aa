/* SPDX-License-Identifier: Apache-2.0 */
#include "map_fixture.h"

void map_libraries_open(const test_device *device, clrs_context *libraries[2]) {
  for (int i = 0; i < 2; i++) {
    clrs_device_limits limits = CLRS_DEVICE_LIMITS_INIT;
    limits.execution = i == 0 ? CLRS_EXECUTION_CPU : CLRS_EXECUTION_GPU;
    libraries[i] = device_library(device, &limits);
  }
}

clrs_tensor *map_dense(clrs_context *library, cl_mem buffer, clrs_dtype dtype, size_t rank,
                       const int64_t *dims) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_dense(library, buffer, dtype, rank, dims, &tensor, &error), error);
  return tensor;
}

/* The host's result, in f->poison, and the size of the result. */
static size_t apply_on_host(map_fixture *f, const clrs_chain *chain, const clrs_view *view) {
  clrs_mapped mapped;
  int64_t count;
  const clrs_map_data data = {.source = {f->bytes, CASE_BYTES}};
  CHECK_OK(clrs_mapped_init(view, &mapped, &error), error);
  CHECK_OK(clrs_chain_map(chain, NULL, &mapped, &error), error);
  CHECK_OK(clrs_shape_count(&mapped.views.source.shape, &count, &error), error);
  CHECK_OK(clrs_map_apply(&mapped.map, &mapped.views, &data, f->poison, CASE_BYTES, &error), error);
  return (size_t)count * clrs_dtype_bits(mapped.dtype) / 8;
}

void map_expect_chain(map_fixture *f, int which, clrs_dtype from, const clrs_shape *shape,
                      const char *text) {
  clrs_chain chain;
  clrs_view view;
  clrs_tensor *made = NULL;
  cl_event event = NULL;
  clrs_tensor *source = map_dense(f->libraries[which], f->source, from, shape->rank, shape->dims);
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_view_dense(from, shape, &view, &error), error);
  const size_t size = apply_on_host(f, &chain, &view);
  CHECK_OK(clrs_tensor_with_chain(source, &chain, NULL, &made, &error), error);
  CHECK_OK(clrs_enqueue_read(made, f->got, size, ON(f->device.queue), &event, &error), error);
  device_finish_event(event);
  assert_memory_equal(f->got, f->poison, size);
  clrs_tensor_release(made);
  clrs_tensor_release(source);
}

bool map_runs(int which, uint64_t number) {
  return getenv("CLRS_TEST_BOTH") != NULL || number % 2 == (uint64_t)which;
}

static bool is_movement(const char *word) {
  static const char *const names[] = {"permute", "flip", "slice", "reshape", "window", "expand"};
  bool is_one = false;
  for (size_t i = 0; i < COUNT(names); i++) {
    is_one = is_one || strncmp(word, names[i], strlen(names[i])) == 0;
  }
  return is_one;
}

uint64_t map_number(const char *chain) {
  uint64_t sum = 0;
  while (*chain != '\0') {
    const size_t length = strcspn(chain, " ");
    for (size_t i = 0; i < length && !is_movement(chain); i++) {
      sum += (unsigned char)chain[i];
    }
    chain += length + strspn(chain + length, " ");
  }
  return sum;
}

void map_expect_chains(map_fixture *f, clrs_dtype from, const clrs_shape *shape, const char *text) {
  for (int which = 0; which < 2; which++) {
    if (map_runs(which, map_number(text))) {
      map_expect_chain(f, which, from, shape, text);
    }
  }
}

void map_expect_slot(map_fixture *f, const clrs_layout *layout, const char *text,
                     const clrs_shape *shape,
                     void (*expect)(const unsigned char *part, const unsigned char *made)) {
  clrs_context *library = f->libraries[0];
  clrs_tensor *slot = NULL, *mapped = NULL;
  clrs_tensor *to = map_dense(library, f->destination, CLRS_U8, shape->rank, shape->dims);
  clrs_work *work = NULL;
  clrs_chain chain;
  int64_t count;
  CHECK_OK(clrs_shape_count(shape, &count, &error), error);
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_tensor_slot(library, 0, layout, &slot, &error), error);
  CHECK_OK(clrs_tensor_with_chain(slot, &chain, NULL, &mapped, &error), error);
  CHECK_OK(clrs_work_create(library, &work, &error), error);
  CHECK_OK(clrs_work_move(work, mapped, to, &error), error);
  for (int64_t at = 0; at < 7 * 193; at += 193) {
    const clrs_slot slots[] = {{.storage = {.buffer = f->source}, .advance = at}};
    CHECK_OK(clrs_enqueue_work(work, 1, slots, ON(f->device.queue), NULL, &error), error);
    device_read(&f->device, f->destination, (size_t)count, f->got);
    expect(f->bytes + at, f->got);
  }
  clrs_work_release(work);
  clrs_tensor_release(to);
  clrs_tensor_release(mapped);
  clrs_tensor_release(slot);
}

int map_fixture_open(void **state) {
  map_fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  device_open(&f->device);
  map_libraries_open(&f->device, f->libraries);
  f->source = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->destination = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->parameters = device_buffer(&f->device, CL_MEM_READ_WRITE, CASE_BYTES);
  f->bytes = malloc(CASE_BYTES);
  f->poison = malloc(CASE_BYTES);
  f->got = malloc(CASE_BYTES);
  f->numbers = malloc(CASE_BYTES);
  assert_true(f->bytes && f->poison && f->got && f->numbers);
  *state = f;
  return 0;
}

int map_fixture_close(void **state) {
  map_fixture *f = *state;
  clrs_context_release(f->libraries[0]);
  clrs_context_release(f->libraries[1]);
  device_require_references(f->source, 1);
  device_require_references(f->destination, 1);
  device_require_references(f->parameters, 1);
  CL_OK(clReleaseMemObject(f->source));
  CL_OK(clReleaseMemObject(f->destination));
  CL_OK(clReleaseMemObject(f->parameters));
  device_close(&f->device);
  free(f->bytes);
  free(f->poison);
  free(f->got);
  free(f->numbers);
  free(f);
  return 0;
}
