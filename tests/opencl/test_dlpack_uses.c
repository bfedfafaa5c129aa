/*
 * Uses of DLPack tensors, and outgoing tensors: read-only tensors, lifetimes, and the contents that
 * a consumer finds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lent.h"

#include "clreshape/clreshape.h"
#include "harness/works.h"

static clrs_tensor *take(lent *l, clrs_context *library) {
  clrs_tensor *tensor = NULL;
  CHECK_OK(lent_take(l, library, &tensor, &error), error);
  return tensor;
}

static clrs_tensor *viewed(clrs_tensor *tensor, const char *text) {
  clrs_view view = *clrs_tensor_view(tensor);
  const clrs_rules rules = {CLRS_NUMPY, CLRS_ZERO_IS_LITERAL};
  clrs_chain chain;
  clrs_tensor *result = NULL;
  CHECK_OK(clrs_chain_parse(text, &chain, &error), error);
  CHECK_OK(clrs_chain_apply(&chain, &rules, &view, &error), error);
  CHECK_OK(clrs_tensor_with_view(tensor, &view, &result, &error), error);
  return result;
}

/* ---- read-only ---- */

static void open_read_only(api *a, lent *l) {
  lent_init(l, true, a->destination);
  l->versioned.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
}

API_TEST(a_read_only_tensor_is_no_destination) {
  lent l;
  open_read_only(a, &l);
  clrs_tensor *source = api_transposed(a), *whole = take(&l, a->library);
  clrs_tensor *tensors[] = {viewed(whole, "reshape=6,4"), viewed(whole, "permute=1,0")};
  for (int i = 0; i < 2; i++) {
    const test_task task = {.destination = 0, .to = clrs_tensor_view(source), .element = a->bytes};
    const test_tasks tasks = {1, 1, &task};
    const clrs_slot slot = {.tensor = tensors[i]};
    clrs_work *sequence = NULL;
    clrs_plan plan;
    CHECK_FAILS(clrs_enqueue_move(source, tensors[i], ON(a->device.queue), NULL, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "read-only, as its DLPack producer says");
    CHECK_FAILS(clrs_enqueue_fill(tensors[i], a->bytes, ON(a->device.queue), NULL, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "as its DLPack producer says");
    CHECK_FAILS(clrs_tensor_plan(source, tensors[i], CLRS_COPY_ALWAYS, &plan, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_OK(test_work_of_tasks(a->library, &tasks, &sequence, &error), error);
    CHECK_FAILS(test_enqueue_slots(sequence, &slot, ON(a->device.queue), NULL, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "the buffer of slot 0 is read-only, as its DLPack producer says");
    clrs_work_release(sequence);
    clrs_tensor_release(tensors[i]);
  }
  api_expect_untouched(a);
  clrs_tensor_release(source);
  clrs_tensor_release(whole);
  assert_int_equal(l.deleted, 1);
}

/* Whatever flag the producer sets. */
API_TEST(a_read_only_buffer_is_no_destination) {
  lent l;
  lent_init(&l, true, a->in_host);
  lent_set(&l, (DLDataType){kDLFloat, 32, 1}, 2, LIST(6, 4), NULL);
  clrs_tensor *source = api_transposed(a), *target = take(&l, a->library);
  CHECK_FAILS(clrs_enqueue_move(source, target, ON(a->device.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "the destination's buffer is CL_MEM_READ_ONLY");
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

API_TEST(a_read_only_tensor_holds_no_flag) {
  lent l;
  open_read_only(a, &l);
  lent_set(&l, (DLDataType){kDLUInt, 32, 1}, 0, NULL, NULL);
  const clrs_layout rows = api_layout(CLRS_I32, 2, LIST(2, 4), NULL),
                    one = api_layout(CLRS_I32, 1, LIST(1), NULL);
  clrs_tensor *source = api_wrap(a->library, a->source, 0, &rows),
              *index = api_wrap(a->library, a->source, 512, &one),
              *target = api_wrap(a->library, a->destination, 1024, &rows);
  const clrs_indices indices = {.tensor = index, .flag = take(&l, a->library)};
  CHECK_FAILS(clrs_enqueue_scatter(source, &indices, target, ON(a->device.queue), NULL, &error),
              CLRS_INVALID_ARGUMENT, error);
  CHECK_SAYS(error, "the flag's buffer is read-only, as its DLPack producer says");
  clrs_tensor_release(indices.flag);
  clrs_tensor_release(source);
  clrs_tensor_release(index);
  clrs_tensor_release(target);
  api_expect_untouched(a);
  assert_int_equal(l.deleted, 1);
}

API_TEST(a_read_only_tensor_is_a_source) {
  lent l;
  lent_init(&l, true, a->source);
  l.versioned.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  lent_set(&l, (DLDataType){kDLFloat, 32, 1}, 2, LIST(6, 4), LIST(1, 6));
  clrs_tensor *source = take(&l, a->library), *target = api_target(a);
  CHECK_OK(clrs_enqueue_move(source, target, ON(a->device.queue), NULL, &error), error);
  CL_OK(clFinish(a->device.queue));
  api_expect_transposed(a);
  clrs_tensor_release(source);
  clrs_tensor_release(target);
}

/* ---- how long ---- */

API_TEST(it_comes_back_once_when_the_last_of_all_is_gone) {
  for (int form = 0; form < 2; form++) {
    lent l;
    lent_init(&l, form, a->source);
    lent_set(&l, (DLDataType){kDLFloat, 32, 1}, 2, LIST(6, 4), LIST(1, 6));
    clrs_tensor *tensor = take(&l, a->library), *target = api_target(a), *alias = NULL;
    clrs_work *batch = NULL;
    const test_moves moves = {.count = 1, .sources = &tensor, .destinations = &target};
    clrs_tensor *view = viewed(tensor, "flip=0");
    CHECK_OK(test_work_of_moves(a->library, &moves, &batch, &error), error);
    CHECK_OK(clrs_enqueue_chain(view, "flip=0", CLRS_COPY_NEVER, NULL, &alias, ON(a->device.queue),
                                NULL, &error),
             error);
    clrs_tensor_retain(tensor);
    clrs_tensor_release(tensor);
    clrs_tensor_release(tensor);
    clrs_tensor_release(view);
    assert_int_equal(l.deleted, 0);
    clrs_tensor_release(alias);
    assert_int_equal(l.deleted, 0);
    CHECK_OK(clrs_enqueue_work(batch, 0, NULL, ON(a->device.queue), NULL, &error), error);
    CL_OK(clFinish(a->device.queue));
    clrs_work_release(batch);
    assert_int_equal(l.deleted, 1);
    clrs_tensor_release(target);
    api_expect_transposed(a);
  }
}

/* The tensors of strings name the same bytes. */
API_TEST(strings_over_lent_bytes_keep_them) {
  lent l;
  lent_init(&l, true, a->source);
  lent_set(&l, (DLDataType){kDLComplex, 128, 1}, 1, LIST(4), NULL);
  clrs_tensor *numbers = take(&l, a->library), *strings = NULL, *told = NULL, *again = NULL;
  clrs_view view = *clrs_tensor_view(numbers);
  view.dtype = CLRS_STRING;
  CHECK_OK(clrs_tensor_with_view(numbers, &view, &strings, &error), error);
  CHECK_OK(clrs_tensor_with_characters(strings, 1, &a->source, &told, &error), error);
  CHECK_OK(clrs_tensor_with_characters(told, 1, &a->source, &again, &error), error);
  clrs_tensor_release(numbers);
  clrs_tensor_release(strings);
  clrs_tensor_release(told);
  assert_int_equal(l.deleted, 0);
  clrs_tensor_release(again);
  assert_int_equal(l.deleted, 1);
}

API_TEST(no_deleter_is_none) {
  for (int form = 0; form < 2; form++) {
    lent l;
    lent_init(&l, form, a->source);
    l.plain.deleter = NULL;
    l.versioned.deleter = NULL;
    clrs_tensor_release(take(&l, a->library));
    assert_int_equal(l.deleted, 0);
  }
}

/* ---- out ---- */

/* A consumer's view of either form. The deleter is not called. */
typedef struct seen {
  const DLTensor *tensor;
  DLManagedTensor *plain;
  DLManagedTensorVersioned *versioned;
} seen;

static clrs_status give(clrs_tensor *tensor, int form, seen *s, clrs_error *error) {
  *s = (seen){NULL};
  const clrs_status status = form ? clrs_tensor_to_dlpack_versioned(tensor, 3, &s->versioned, error)
                                  : clrs_tensor_to_dlpack(tensor, 3, &s->plain, error);
  if (status == CLRS_OK)
    s->tensor = form ? &s->versioned->dl_tensor : &s->plain->dl_tensor;
  return status;
}

static void finish(const seen *s) {
  if (s->plain)
    s->plain->deleter(s->plain);
  if (s->versioned)
    s->versioned->deleter(s->versioned);
}

/* Results of u16 [4, 6], dense from byte 20 on. */
static const struct result {
  const char *chain;
  int32_t rank;
  int64_t dims[4], strides[4];
  uint64_t byte_offset;
} results[] = {
    {"reshape=4,6", 2, {4, 6}, {6, 1}, 20},
    {"permute=1,0", 2, {6, 4}, {1, 6}, 20},
    {"flip=0 flip=1", 2, {4, 6}, {-6, -1}, 20 + 2 * 23},
    {"reshape=2,2,3,2 permute=2,0,3,1", 4, {3, 2, 2, 2}, {2, 12, 1, 6}, 20},
    {"slice=1:3,5:0:-2", 2, {2, 3}, {6, -2}, 20 + 2 * (6 + 5)},
    {"slice=2:3,1:2 reshape=", 0, {0}, {0}, 20 + 2 * 13},
    {"slice=2:3,1:2 expand=5,3", 2, {5, 3}, {0, 0}, 20 + 2 * 13},
};

API_TEST(a_consumer_finds_the_elements) {
  cl_mem part = api_sub_buffer(a->source, 0, 1024, 512);
  const clrs_layout layout = api_layout(CLRS_U16, 2, LIST(4, 6), NULL);
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    for (int form = 0; form < 4; form++) {
      const struct result *r = &results[i];
      cl_mem buffer = form / 2 ? part : a->source;
      clrs_tensor *tensor = api_wrap(a->library, buffer, 20, &layout);
      clrs_tensor *view = viewed(tensor, r->chain);
      const cl_uint references = device_references(buffer);
      seen s;
      clrs_tensor_release(tensor);
      CHECK_OK(give(view, form % 2, &s, &error), error);
      clrs_tensor_release(view);
      assert_ptr_equal(s.tensor->data, buffer);
      assert_int_equal(s.tensor->device.device_type, kDLOpenCL);
      assert_int_equal(s.tensor->device.device_id, 3);
      assert_int_equal(s.tensor->ndim, r->rank);
      assert_int_equal(s.tensor->dtype.code, kDLUInt);
      assert_int_equal(s.tensor->dtype.bits, 16);
      assert_int_equal(s.tensor->dtype.lanes, 1);
      assert_non_null(s.tensor->strides);
      assert_memory_equal(s.tensor->shape, r->dims, (size_t)r->rank * sizeof(int64_t));
      for (int d = 0; d < r->rank; d++) /* a dim of 1 may have any */
        assert_int_equal(s.tensor->strides[d], r->strides[d]);
      assert_int_equal(s.tensor->byte_offset, r->byte_offset);
      if (s.versioned) {
        assert_int_equal(s.versioned->version.major, 1);
        assert_int_equal(s.versioned->version.minor, 3);
        assert_int_equal(s.versioned->flags, 0);
      }
      assert_int_equal(device_references(buffer), references);
      finish(&s);
      assert_int_equal(device_references(buffer), references - 1);
    }
  CL_OK(clReleaseMemObject(part));
}

API_TEST(without_elements_there_is_no_data) {
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(0, 6), NULL);
  cl_mem buffers[] = {NULL, a->source};
  for (int i = 0; i < 4; i++) {
    clrs_tensor *tensor = api_wrap(a->library, buffers[i / 2], 8, &layout), *again = NULL;
    seen s;
    CHECK_OK(give(tensor, i % 2, &s, &error), error);
    assert_null(s.tensor->data);
    assert_memory_equal(s.tensor->shape, layout.dims, 2 * sizeof(int64_t));
    assert_non_null(s.tensor->strides);
    clrs_tensor_release(tensor);
    CHECK_OK(i % 2 ? clrs_tensor_from_dlpack_versioned(a->library, s.versioned, &again, &error)
                   : clrs_tensor_from_dlpack(a->library, s.plain, &again, &error),
             error);
    clrs_tensor_release(again);
  }
}

API_TEST(every_type_goes_out_or_is_refused) {
  size_t given = 0;
  for (int dtype = 0; dtype < CLRS_DTYPE_COUNT; dtype++) {
    const clrs_layout layout = api_layout((clrs_dtype)dtype, 1, LIST(16), NULL);
    clrs_tensor *tensor = api_wrap(a->library, a->source, 0, &layout);
    const lent_type *type = NULL;
    seen s;
    for (size_t i = 0; i < lent_type_count; i++)
      type = lent_types[i].dtype == (clrs_dtype)dtype ? &lent_types[i] : type;
    if (type) {
      CHECK_OK(give(tensor, dtype % 2, &s, &error), error);
      assert_int_equal(s.tensor->dtype.code, type->code);
      assert_int_equal(s.tensor->dtype.bits, type->bits);
      finish(&s);
      given++;
    } else {
      CHECK_FAILS(give(tensor, dtype % 2, &s, &error), CLRS_UNSUPPORTED, error);
      CHECK_SAYS(error, clrs_dtype_name((clrs_dtype)dtype, CLRS_TYPES_CLRESHAPE));
    }
    clrs_tensor_release(tensor);
  }
  assert_int_equal(given, lent_type_count);
}

static void refuse(clrs_tensor *tensor, int form, clrs_status status, const char *says) {
  seen s;
  CHECK_FAILS(give(tensor, form, &s, &error), status, error);
  CHECK_SAYS(error, says);
  assert_true(!s.plain && !s.versioned);
  clrs_tensor_release(tensor);
}

API_TEST(what_dlpack_cannot_say_is_refused) {
  const clrs_layout nibbles = api_layout(CLRS_U4, 1, LIST(9), NULL),
                    floats = api_layout(CLRS_F32, 1, LIST(9), NULL);
  for (int form = 0; form < 2; form++) {
    clrs_tensor *whole = api_transposed(a), *packed = api_wrap(a->library, a->source, 0, &nibbles);
    refuse(viewed(whole, "reshape=24"), form, CLRS_WOULD_COPY, "no strided layout is this view");
    refuse(viewed(packed, "slice=1:4"), form, CLRS_UNSUPPORTED, "at bit 4 of byte 0");
    refuse(viewed(packed, "flip=0 slice=1:4"), form, CLRS_UNSUPPORTED, "at bit 4 of byte 3");
    clrs_tensor_release(whole);
    clrs_tensor_release(packed);
    cl_mem hidden = device_buffer(&a->device, CL_MEM_WRITE_ONLY, API_BYTES);
    refuse(api_wrap(a->library, hidden, 0, &floats), form, CLRS_UNSUPPORTED, "CL_MEM_WRITE_ONLY");
    CL_OK(clReleaseMemObject(hidden));
  }
}

/* A read-only buffer, and a tensor lent as read-only, exported again. */
API_TEST(read_only_goes_out_as_a_flag) {
  const clrs_layout layout = api_layout(CLRS_F32, 2, LIST(4, 6), NULL);
  lent l;
  open_read_only(a, &l);
  clrs_tensor *tensors[] = {api_wrap(a->library, a->in_host, 0, &layout), take(&l, a->library)};
  const char *says[] = {"is CL_MEM_READ_ONLY, which only versioned",
                        "is read-only, as its DLPack producer says, which only versioned"};
  for (int i = 0; i < 2; i++) {
    seen s;
    CHECK_OK(give(tensors[i], 1, &s, &error), error);
    assert_int_equal(s.versioned->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    assert_ptr_equal(s.tensor->data, i ? a->destination : a->in_host);
    refuse(tensors[i], 0, CLRS_UNSUPPORTED, says[i]); /* and releases it */
    assert_int_equal(l.deleted, 0);
    finish(&s);
  }
  assert_int_equal(l.deleted, 1);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
