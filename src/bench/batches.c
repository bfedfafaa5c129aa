/* SPDX-License-Identifier: Apache-2.0 */
#include "batches.h"

#include "fail.h"

clrs_status bench_move_view(const clrs_view *all, int64_t index, clrs_view *view,
                            clrs_error *error) {
  const clrs_slice one = {0, index, index + 1, 1};
  *view = *all;
  return clrs_view_slice(view, 1, &one, error);
}

static clrs_status open_part(clrs_tensor *whole, size_t index, clrs_tensor **part,
                             clrs_error *error) {
  clrs_view view;
  CLRS_TRY(bench_move_view(clrs_tensor_view(whole), (int64_t)index, &view, error));
  return clrs_tensor_with_view(whole, &view, part, error);
}

static clrs_status add_move(clrs_work *work, clrs_tensor *source, clrs_tensor *destination,
                            size_t index, clrs_error *error) {
  clrs_tensor *from = NULL, *to = NULL;
  clrs_status status = open_part(source, index, &from, error);
  if (status == CLRS_OK) {
    status = open_part(destination, index, &to, error);
  }
  if (status == CLRS_OK) {
    status = clrs_work_move(work, from, to, error);
  }
  clrs_tensor_release(from);
  clrs_tensor_release(to);
  return status;
}

static clrs_status add_moves(clrs_work *work, clrs_tensor *source, clrs_tensor *destination,
                             clrs_error *error) {
  const size_t count = (size_t)clrs_tensor_view(source)->shape.dims[0];
  for (size_t i = 0; i < count; i++) {
    CLRS_TRY(add_move(work, source, destination, i, error));
  }
  return clrs_work_prepare(work, error);
}

clrs_status bench_batch_create(clrs_context *context, clrs_tensor *source, clrs_tensor *destination,
                               clrs_work **batch, clrs_error *error) {
  CLRS_TRY(clrs_work_create(context, batch, error));
  const clrs_status status = add_moves(*batch, source, destination, error);
  if (status != CLRS_OK) {
    clrs_work_release(*batch);
    *batch = NULL;
  }
  return status;
}
