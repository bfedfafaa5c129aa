/*
 * Attention's heads, for users of transformers: [8,128,768] to [8 * 12,128,64], with your queue and
 * your buffer. The cost is one pass.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>

/* Splits the heads of f32 [8,128,768]: the result is [96,128,64]. Waits for the events of `on`. */
clrs_status split_heads(clrs_context *context, cl_mem hidden, const clrs_on *on,
                        clrs_tensor **heads, cl_event *done, clrs_error *error) {
  const int64_t dims[] = {8, 128, 768};
  clrs_tensor *input = NULL;
  clrs_status status = clrs_tensor_wrap_dense(context, hidden, CLRS_F32, 3, dims, &input, error);
  if (status == CLRS_OK) {
    status = clrs_enqueue_chain(input, "rearrange=b t (h d) -> (b h) t d, h=12",
                                CLRS_COPY_IF_NEEDED, NULL, heads, on, done, error);
  }
  clrs_tensor_release(input);
  return status;
}
