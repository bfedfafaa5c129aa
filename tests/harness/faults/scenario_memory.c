/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_memory.h"

#include "harness/bits.h"
#include "scenario_map.h"

clrs_status scenario_use_pool(const scenario *s, attempt *try, clrs_tensor *source) {
  clrs_tensor *before = NULL;
  if (!s->is_pooled)
    return CLRS_OK;
  const clrs_status status =
      clrs_enqueue_materialize(try->library, source, s->policy, &before, try->queue,
                               try->wait_count, try->wait_list, NULL, &try->error);
  clrs_tensor_release(before);
  return status;
}

clrs_status scenario_allocate(attempt *try, clrs_tensor *source) {
  const clrs_view *view = clrs_tensor_view(source);
  clrs_tensor *made = NULL;
  clrs_status status =
      clrs_tensor_allocate(try->library, view->dtype, &view->shape, &made, &try->error);
  if (status == CLRS_OK)
    status = clrs_enqueue_move(try->library, source, made, try->queue, try->wait_count,
                               try->wait_list, &try->event, &try->error);
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
  return clrs_enqueue_read(try->library, source, try->read, (bits + 7) / 8, try->queue,
                           try->wait_count, try->wait_list, &try->event, &try->error);
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
