/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_memory.h"

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
