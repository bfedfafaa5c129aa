/*
 * Tensors in unified shared memory of each kind, at any offset, against plain loops, with unchanged
 * surroundings. Also refused memory, and each OpenCL call failing in turn.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "usm.h"

#include "harness/fault_layer.h"

enum { COUNT = 4096, ROWS = 40, COLUMNS = 50, POISON = 0xA5 };

typedef struct fixture {
  test_device device, foreign;
  clrs_context *library;
  bool is_drivers;
  uint32_t *memory[USM_KINDS], *into[USM_KINDS];
} fixture;

static const clrs_layout dense = {CLRS_U32, 2, {ROWS, COLUMNS}, {COLUMNS, 1}, 0};

static clrs_tensor *wrap(const fixture *f, void *pointer, uint64_t byte_offset,
                         const clrs_layout *layout) {
  const clrs_shared_memory where = {pointer, (size_t)2 * COUNT, byte_offset};
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap_usm(f->library, &where, layout, &tensor, &error), error);
  return tensor;
}

static void fill(const fixture *f, uint32_t *from, uint32_t *into) {
  uint32_t values[COUNT];
  for (uint32_t i = 0; i < COUNT; i++)
    values[i] = i;
  usm_copy(&f->device, from, values, sizeof values);
  memset(values, POISON, sizeof values);
  usm_copy(&f->device, into, values, sizeof values);
}

static void enqueue(const fixture *f, clrs_tensor *source, const char *chain, clrs_tensor *target) {
  cl_event event = NULL;
  CHECK_OK(clrs_enqueue_chain(source, chain, CLRS_COPY_ALWAYS, target, NULL, ON(f->device.queue),
                              &event, &error),
           error);
  device_finish_event(event);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

/* From element `first` of one memory to element `at` of the other, where bytes begin `odd` bytes
 * later. */
static void move(const fixture *f, usm_kind from, usm_kind into, uint32_t first, uint32_t at,
                 size_t odd) {
  unsigned char got[COUNT * 4];
  const clrs_layout columns = {CLRS_U32, 2, {ROWS, COLUMNS}, {1, ROWS}, 0};
  fill(f, f->memory[from], f->into[into]);
  enqueue(f, wrap(f, f->memory[from] + first, 0, &columns), "flip=0",
          wrap(f, f->into[into] + at, odd, &dense));
  usm_copy(&f->device, got, f->into[into], sizeof got);
  for (uint32_t byte = 0; byte < sizeof got; byte++) {
    const uint32_t position = byte - at * 4 - (uint32_t)odd, i = position / 4;
    const bool inside = byte >= at * 4 + odd && i < ROWS * COLUMNS;
    const uint32_t value = first + i % COLUMNS * ROWS + ROWS - 1 - i / COLUMNS;
    assert_int_equal(got[byte], inside ? value >> position % 4 * 8 & 0xFF : POISON);
  }
}

static void every_kind_moves_into_every_kind(void **state) {
  const fixture *f = *state;
  for (usm_kind from = 0; from < USM_KINDS; from++)
    for (usm_kind into = 0; into < USM_KINDS; into++)
      for (uint32_t at = 0; at < 40; at += 13)
        for (size_t odd = 0; odd < 5; odd += 3)
          move(f, from, into, at * 2, at, odd);
}

static void it_becomes_a_result_in_a_buffer_and_comes_back(void **state) {
  const fixture *f = *state;
  uint32_t got[COUNT];
  clrs_tensor *result = NULL;
  const char *chain = "cast=f32 scale=2 permute=1,0";
  const uint32_t scale = 2;
  for (usm_kind kind = 0; kind < USM_KINDS; kind++) {
    fill(f, f->memory[kind], f->into[kind]);
    clrs_tensor *source = wrap(f, f->memory[kind], 0, &dense);
    CHECK_OK(clrs_enqueue_chain(source, chain, CLRS_COPY_IF_NEEDED, NULL, &result,
                                ON(f->device.queue), NULL, &error),
             error);
    assert_int_equal(clrs_tensor_view(result)->dtype, CLRS_F32);
    clrs_tensor_release(source);
    enqueue(f, result, "cast=u32 permute=1,0", wrap(f, f->into[kind] + 3, 0, &dense));
    usm_copy(&f->device, got, f->into[kind], sizeof got);
    for (uint32_t i = 0; i < COUNT; i++)
      assert_int_equal(got[i],
                       i >= 3 && i < 3 + ROWS * COLUMNS ? scale * (i - 3) : 0x01010101u * POISON);
  }
}

static void a_tensor_without_elements_needs_no_byte(void **state) {
  const fixture *f = *state;
  const clrs_layout empty = {CLRS_U32, 1, {0}, {1}, 0};
  clrs_tensor_release(wrap(f, f->memory[0], 12, &empty));
}

static void refuse(const fixture *f, clrs_shared_memory where, const clrs_layout *layout,
                   clrs_status status, const char *words) {
  clrs_tensor *tensor = NULL;
  CHECK_FAILS(clrs_tensor_wrap_usm(f->library, &where, layout, &tensor, &error), status, error);
  assert_null(tensor);
  if (strstr(error.message, words) == NULL)
    fail_msg("'%s' lacks '%s'", error.message, words);
}

static void what_leaves_the_memory_is_refused(void **state) {
  const fixture *f = *state;
  unsigned char *memory = (unsigned char *)f->memory[USM_SHARED];
  const size_t size = (size_t)COUNT * 4;
  clrs_layout backwards = dense;
  backwards.strides[0] = -COLUMNS;
  refuse(f, (clrs_shared_memory){memory, size + 1, 0}, &dense, CLRS_OUT_OF_BOUNDS,
         "shared->bytes is 16385; from shared->pointer on the allocation has 16384");
  refuse(f, (clrs_shared_memory){memory + 4, size, 0}, &dense, CLRS_OUT_OF_BOUNDS,
         "the allocation has 16380");
  refuse(f, (clrs_shared_memory){memory, ROWS * COLUMNS * 4 - 1, 0}, &dense, CLRS_OUT_OF_BOUNDS,
         "of a buffer that has 0 to 7999");
  /* Inside of the allocation, but outside of the named range. */
  refuse(f, (clrs_shared_memory){memory + 64, ROWS * COLUMNS * 4 - 1, 0}, &dense,
         CLRS_OUT_OF_BOUNDS, "of a buffer that has 0 to 8063");
  refuse(f, (clrs_shared_memory){memory + 8000, 8000, 7799}, &backwards, CLRS_OUT_OF_BOUNDS,
         "shared->pointer is its byte 8000");
  clrs_tensor_release(wrap(f, memory + 8000, 7800, &backwards));
  refuse(f, (clrs_shared_memory){memory + 4, 8000, UINT64_MAX}, &dense, CLRS_OVERFLOW,
         "byte offset 18446744073709551615");
}

static void what_is_none_is_refused(void **state) {
  const fixture *f = *state;
  static uint32_t plain[COUNT];
  const clrs_shared_memory where = {f->memory[0], sizeof plain, 0};
  refuse(f, (clrs_shared_memory){plain, sizeof plain, 0}, &dense, CLRS_INVALID_ARGUMENT,
         "is no unified shared memory of context");
  clrs_context *other = device_library(&f->foreign, NULL);
  clrs_tensor *tensor = NULL;
  CHECK_FAILS(clrs_tensor_wrap_usm(other, &where, &dense, &tensor, &error), CLRS_INVALID_ARGUMENT,
              error);
  clrs_context_release(other);
  usm_lose_function(true);
  refuse(f, where, &dense, CLRS_UNSUPPORTED, "the device has no unified shared memory");
  usm_lose_function(false);
  usm_hide(true);
  refuse(f, where, &dense, CLRS_UNSUPPORTED, "(cl_intel_unified_shared_memory)");
  CHECK_FAILS(clrs_tensor_wrap_shared(f->library, &where, &dense, &tensor, &error),
              CLRS_UNSUPPORTED, error);
  CHECK_SAYS(error, "the device has no shared virtual memory (CL_DEVICE_SVM_CAPABILITIES)");
  assert_null(tensor);
  usm_hide(false);
}

/* There a buffer over the host's memory may be a copy. */
static void a_device_apart_has_its_own_memory_alone(void **state) {
  const fixture *f = *state;
  usm_set_apart(true);
  for (usm_kind kind = 0; kind < USM_KINDS; kind++)
    if (kind == USM_DEVICE)
      clrs_tensor_release(wrap(f, f->memory[kind], 0, &dense));
    else
      refuse(f, (clrs_shared_memory){f->memory[kind], 8000, 0}, &dense, CLRS_UNSUPPORTED,
             "is not of clDeviceMemAllocINTEL");
  usm_set_apart(false);
}

static void every_question_fails_once(void **state) {
  const fixture *f = *state;
  if (f->is_drivers)
    skip();
  for (int question = 1; question <= 3; question++) {
    usm_fail(question);
    refuse(f, (clrs_shared_memory){f->memory[0], 8000, 0}, &dense, CLRS_OPENCL_ERROR,
           "clGetMemAllocInfoINTEL failed");
  }
  usm_fail(4);
  clrs_tensor_release(wrap(f, f->memory[0], 0, &dense));
  usm_fail(0);
}

/* Until no call fails: each failure is an error, and nothing is left. */
static void every_call_fails_once(void **state) {
  const fixture *f = *state;
  const clrs_shared_memory where = {f->memory[USM_HOST], 8000, 0};
  fault_layer layer;
  clrs_status status = CLRS_OPENCL_ERROR;
  if (!fault_layer_find(&layer))
    skip();
  const long live = layer.balance().live;
  int nth = 0;
  while (status != CLRS_OK) {
    clrs_tensor *tensor = NULL;
    layer.arm(&(fault){++nth, CL_OUT_OF_RESOURCES, false, FAULT_BEFORE});
    status = clrs_tensor_wrap_usm(f->library, &where, &dense, &tensor, &error);
    const char *failed = layer.failed();
    layer.arm(NULL);
    if ((failed == NULL) != (status == CLRS_OK))
      fail_msg("call %d, %s: %s", nth, failed ? failed : "none", clrs_status_name(status));
    const bool is_lookup = failed && strstr(failed, "ExtensionFunction") != NULL;
    if (failed && status != (is_lookup ? CLRS_UNSUPPORTED : CLRS_OPENCL_ERROR))
      fail_msg("%s: %s", failed, error.message);
    clrs_tensor_release(tensor);
    assert_int_equal(layer.balance().live, live);
  }
  assert_true(nth > 8);
}

int main(void) {
  const int missing = device_missing();
  static fixture f;
  if (missing)
    return missing;
  device_open(&f.device);
  device_open(&f.foreign);
  f.is_drivers = usm_open(&f.device);
  print_message("unified shared memory: %s\n",
                f.is_drivers ? "the driver's" : "the device has none; a stand-in in host memory");
  f.library = device_library(&f.device, NULL);
  for (usm_kind kind = 0; kind < USM_KINDS; kind++) {
    f.memory[kind] = usm_allocate(&f.device, kind, COUNT * sizeof(uint32_t));
    f.into[kind] = usm_allocate(&f.device, kind, COUNT * sizeof(uint32_t));
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_prestate(every_kind_moves_into_every_kind, &f),
      cmocka_unit_test_prestate(it_becomes_a_result_in_a_buffer_and_comes_back, &f),
      cmocka_unit_test_prestate(a_tensor_without_elements_needs_no_byte, &f),
      cmocka_unit_test_prestate(what_leaves_the_memory_is_refused, &f),
      cmocka_unit_test_prestate(what_is_none_is_refused, &f),
      cmocka_unit_test_prestate(a_device_apart_has_its_own_memory_alone, &f),
      cmocka_unit_test_prestate(every_question_fails_once, &f),
      cmocka_unit_test_prestate(every_call_fails_once, &f),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  clrs_context_release(f.library);
  for (usm_kind kind = 0; kind < USM_KINDS; kind++) {
    usm_free(&f.device, f.memory[kind]);
    usm_free(&f.device, f.into[kind]);
  }
  usm_close(&f.device);
  device_close(&f.foreign);
  device_close(&f.device);
  return failed;
}
