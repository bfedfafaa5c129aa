/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_memory.h"

#include "dlpack_abi.h"
#include "harness/bits.h"
#include "scenario_map.h"

/* The caller must delete memory that was not taken over. */
static clrs_status lend_plain(attempt *try, clrs_tensor *source, clrs_tensor **again) {
  struct DLManagedTensor *managed = NULL;
  clrs_status status = clrs_tensor_to_dlpack(source, 0, &managed, &try->error);
  if (status != CLRS_OK)
    return status;
  status = clrs_tensor_from_dlpack(try->library, managed, again, &try->error);
  if (status != CLRS_OK)
    managed->deleter(managed);
  return status;
}

static clrs_status lend_versioned(attempt *try, clrs_tensor *source, clrs_tensor **again) {
  struct DLManagedTensorVersioned *managed = NULL;
  clrs_status status = clrs_tensor_to_dlpack_versioned(source, 0, &managed, &try->error);
  if (status != CLRS_OK)
    return status;
  status = clrs_tensor_from_dlpack_versioned(try->library, managed, again, &try->error);
  if (status != CLRS_OK)
    managed->deleter(managed);
  return status;
}

clrs_status scenario_lend(attempt *try, clrs_tensor *source, clrs_tensor *target) {
  clrs_tensor *plain = NULL, *versioned = NULL;
  clrs_status status = lend_plain(try, source, &plain);
  if (status == CLRS_OK)
    status = lend_versioned(try, plain, &versioned);
  clrs_tensor_release(plain);
  if (status == CLRS_OK)
    status = clrs_enqueue_move(versioned, target,
                               &(clrs_on){try->queue, try->wait_count, try->wait_list}, &try->event,
                               &try->error);
  clrs_tensor_release(versioned);
  return status;
}

clrs_status scenario_use_pool(const scenario *s, attempt *try, clrs_tensor *source) {
  clrs_tensor *before = NULL;
  if (!s->is_pooled)
    return CLRS_OK;
  const clrs_status status = clrs_enqueue_chain(
      source, "", s->policy, NULL, &before, &(clrs_on){try->queue, try->wait_count, try->wait_list},
      NULL, &try->error);
  if (status != CLRS_OK)
    return status;
  const clrs_status released =
      clrs_tensor_release_after(before, try->wait_count, try->wait_list, &try->error);
  if (released != CLRS_OK)
    clrs_tensor_release(before);
  return released;
}

clrs_status scenario_allocate(attempt *try, clrs_tensor *source) {
  const clrs_view *view = clrs_tensor_view(source);
  clrs_tensor *made = NULL;
  clrs_status status =
      clrs_tensor_allocate(try->library, NULL, view->dtype, &view->shape, &made, &try->error);
  if (status == CLRS_OK)
    status =
        clrs_enqueue_move(source, made, &(clrs_on){try->queue, try->wait_count, try->wait_list},
                          &try->event, &try->error);
  if (status == CLRS_OK)
    try->result = made;
  else
    clrs_tensor_release(made);
  return status;
}

clrs_status scenario_read(attempt *try, clrs_tensor *source) {
  const clrs_view *view = clrs_tensor_view(source);
  size_t bits = clrs_dtype_bits(view->dtype);
  for (uint32_t i = 0; i < view->shape.rank; i++)
    bits *= (size_t)view->shape.dims[i];
  memset(try->read, 0xA5, sizeof try->read);
  return clrs_enqueue_read(source, try->read, (bits + 7) / 8,
                           &(clrs_on){try->queue, try->wait_count, try->wait_list}, &try->event,
                           &try->error);
}

void scenario_verify_read(const scenario *s, const attempt *try, const oracle *source) {
  unsigned char from[API_BYTES], found[API_BYTES] = {0}, expected[API_BYTES] = {0};
  const bit_span span = bits_of(s->dtype, 0);
  scenario_bytes(s, try->a, source, from);
  for (int64_t k = 0; k < source->count; k++) {
    bits_copy(&span, try->read, k, &span, found, k);
    bits_copy(&span, from, source->positions[k], &span, expected, k);
  }
  assert_memory_equal(found, expected, API_BYTES);
}
