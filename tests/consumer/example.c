/*
 * Attention's head split, [8, 128, 768] to [8 * 12, 128, 64], with your queue and your buffer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>

/* `hidden` is complete when `ready` is. False on failure; *error then says what and why. */
bool split_heads(const clrs_context_options *options, cl_command_queue queue, cl_mem hidden,
                 cl_event ready, float *result, clrs_error *error) {
  const int64_t dims[] = {8, 128, 768}, split[] = {0, 0, 12, 64}, merged[] = {-1, 128, 64};
  const int64_t head_before_token[] = {0, 2, 1, 3};
  const clrs_storage storage = {hidden, 0};
  clrs_shape shape;
  clrs_layout layout;
  clrs_view view;
  clrs_pattern to_heads, to_result;
  clrs_context *context = NULL; /* keep one for all your calls */
  clrs_tensor *input = NULL, *permuted = NULL, *heads = NULL;
  clrs_byte_range bytes = {NULL, 0, 0};
  cl_event done = NULL;

  bool ok = !clrs_context_create(options, &context, error) &&
            !clrs_shape_init(3, dims, &shape, error) &&
            !clrs_layout_init(CLRS_F32, &shape, NULL, 0, &layout, error) &&
            !clrs_tensor_wrap(context, &storage, &layout, &input, error) &&
            /* Views cost nothing: no byte has moved after these. */
            !clrs_view_from_layout(&layout, &view, error) &&
            !clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 4, split, &to_heads, error) &&
            !clrs_view_reshape_pattern(&view, &to_heads, error) &&
            !clrs_view_permute(&view, 4, head_before_token, error) &&
            !clrs_tensor_with_view(input, &view, &permuted, error) &&
            /* One pass, after `ready`. A plain reshape of `input` would be none. */
            !clrs_pattern_init(CLRS_ONNX, CLRS_ZERO_COPIES, 3, merged, &to_result, error) &&
            !clrs_enqueue_reshape(context, permuted, &to_result, CLRS_COPY_IF_NEEDED, &heads, queue,
                                  1, &ready, &done, error) &&
            /* An allocator may give a part of a buffer: the result need not begin at byte 0. */
            !clrs_tensor_bytes(heads, &bytes, error);
  ok = ok && clWaitForEvents(1, &done) == CL_SUCCESS &&
       clEnqueueReadBuffer(queue, bytes.buffer, CL_TRUE, bytes.offset, bytes.size, result, 0, NULL,
                           NULL) == CL_SUCCESS;

  if (done != NULL) {
    clReleaseEvent(done);
  }
  clrs_tensor_release(heads);
  clrs_tensor_release(permuted);
  clrs_tensor_release(input);
  clrs_context_release(context);
  return ok;
}
