/*
 * A camera's frame to normalised planes, for users of vision models, with your queue and your
 * buffer. The cost is one pass, in which the bytes become floats.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.h>

/* u8 [1080,1920,3] to a new f32 [3,1080,1920]: each colour minus the mean, divided by the
 * deviation. */
clrs_status normalize_frame(clrs_context *context, cl_mem pixels, const clrs_on *on,
                            clrs_tensor **planes, cl_event *done, clrs_error *error) {
  const int64_t dims[] = {1080, 1920, 3};
  clrs_tensor *frame = NULL;
  clrs_status status = clrs_tensor_wrap_dense(context, pixels, CLRS_U8, 3, dims, &frame, error);
  if (status == CLRS_OK) {
    status = clrs_enqueue_chain(frame,
                                "cast=f32 mean=123.7,116.3,103.5 std=58.4,57.1,57.4 permute=2,0,1",
                                CLRS_COPY_IF_NEEDED, NULL, planes, on, done, error);
  }
  clrs_tensor_release(frame);
  return status;
}
