/*
 * A tensor in an image of MNN's OpenCL backend and back, for users who fill the inputs of such a
 * network or read the outputs themselves: N * H rows of C / 4 * W pixels, and each pixel has four
 * channels. The cost of each way is one pass if the device makes images over buffers
 * (cl_khr_image2d_from_buffer), and otherwise one pass and one copy.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { CHANNELS = 32, HEIGHT = 20, WIDTH = 23, PIXELS = CHANNELS / 4 * WIDTH };

/* An image, and a buffer with rows of `pitch` pixels that is the image's memory if `is_shared`. */
typedef struct picture {
  cl_mem buffer, image;
  clrs_tensor *rows; /* the pixels in the buffer, f32 [20, 184 * 4] */
  bool is_shared;
} picture;

static picture make_picture(const setup *s, size_t pitch, bool is_shared) {
  const clrs_layout layout = {CLRS_F32, 2, {HEIGHT, PIXELS * 4}, {(int64_t)pitch * 4, 1}, 0};
  const clrs_storage storage = {
      clCreateBuffer(s->opencl, CL_MEM_READ_WRITE, pitch * 16 * HEIGHT, NULL, NULL), 0};
  const cl_image_format format = {CL_RGBA, CL_FLOAT};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = PIXELS,
                              .image_height = HEIGHT,
                              .image_row_pitch = is_shared ? pitch * 16 : 0,
                              .buffer = is_shared ? storage.buffer : NULL};
  picture made = {storage.buffer, NULL, NULL, is_shared};
  ok(clrs_tensor_wrap(s->library, &storage, &layout, &made.rows, &error));
  made.image = clCreateImage(s->opencl, CL_MEM_READ_WRITE, &format, &desc, NULL, NULL);
  require(made.image != NULL, "clCreateImage");
  return made;
}

static const size_t origin[] = {0, 0, 0}, region[] = {PIXELS, HEIGHT, 1};

/* f32 [1,32,20,23] to the image. */
static void to_image(const setup *s, clrs_tensor *nchw, const picture *to) {
  const clrs_on on = {s->queue, 0, NULL};
  ok(clrs_enqueue_chain(nchw, "rearrange=n (c k) h w -> (n h) (c w k), k=4", CLRS_COPY_IF_NEEDED,
                        to->rows, NULL, &on, NULL, &error));
  require(to->is_shared || clEnqueueCopyBufferToImage(s->queue, to->buffer, to->image, 0, origin,
                                                      region, 0, NULL, NULL) == CL_SUCCESS,
          "clEnqueueCopyBufferToImage");
}

/* The image to a new f32 [1,32,20,23]. */
static clrs_tensor *from_image(const setup *s, const picture *from) {
  const clrs_on on = {s->queue, 0, NULL};
  clrs_tensor *nchw = NULL;
  require(from->is_shared || clEnqueueCopyImageToBuffer(s->queue, from->image, from->buffer, origin,
                                                        region, 0, 0, NULL, NULL) == CL_SUCCESS,
          "clEnqueueCopyImageToBuffer");
  ok(clrs_enqueue_chain(from->rows, "rearrange=(n h) (c w k) -> n (c k) h w, n=1, w=23, k=4",
                        CLRS_COPY_IF_NEEDED, NULL, &nchw, &on, NULL, &error));
  return nchw;
}

static void release_picture(const picture *made) {
  clrs_tensor_release(made->rows);
  clReleaseMemObject(made->image);
  clReleaseMemObject(made->buffer);
}

static float nchw[CHANNELS][HEIGHT][WIDTH], image_read[HEIGHT][CHANNELS / 4][WIDTH][4];
static float back[CHANNELS][HEIGHT][WIDTH];

static void compare(const setup *s, cl_mem image) {
  require(clEnqueueReadImage(s->queue, image, CL_TRUE, origin, region, 0, 0, image_read, 0, NULL,
                             NULL) == CL_SUCCESS,
          "clEnqueueReadImage");
  for (int c = 0; c < CHANNELS; c++) {
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
      const int h = i / WIDTH, w = i % WIDTH;
      require(image_read[h][c / 4][w][c % 4] == nchw[c][h][w], "every element is in its pixel");
    }
  }
}

/* The number of pixels that the length of a row must be a multiple of, and whether an image may lie
 * over a buffer. */
static size_t alignment_of(cl_device_id device, bool *is_shared) {
  static char extensions[16384];
  cl_uint pixels = 0;
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
  *is_shared = strstr(extensions, "cl_khr_image2d_from_buffer") != NULL &&
               clGetDeviceInfo(device, 0x104A /* CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR */,
                               sizeof pixels, &pixels, NULL) == CL_SUCCESS;
  return *is_shared && pixels > 0 ? pixels : 1;
}

int main(void) {
  const setup s = set_up();
  const int64_t dims[] = {1, CHANNELS, HEIGHT, WIDTH};
  cl_bool has_images = CL_FALSE;
  bool is_shared;
  const size_t alignment = alignment_of(s.device, &is_shared);
  clGetDeviceInfo(s.device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL);
  for (int i = 0; i < CHANNELS * HEIGHT * WIDTH; i++) {
    (&nchw[0][0][0])[i] = (float)i;
  }
  cl_mem buffer = upload(&s, sizeof nchw, nchw);
  clrs_tensor *tensor = NULL;
  ok(clrs_tensor_wrap_dense(s.library, buffer, CLRS_F32, 4, dims, &tensor, &error));
  if (has_images) {
    const picture made =
        make_picture(&s, (PIXELS + alignment - 1) / alignment * alignment, is_shared);
    to_image(&s, tensor, &made);
    compare(&s, made.image);
    read_back(&s, from_image(&s, &made), sizeof back, back);
    require(memcmp(back, nchw, sizeof back) == 0, "every pixel is in its element");
    release_picture(&made);
  }
  clrs_tensor_release(tensor);
  clReleaseMemObject(buffer);
  tear_down(&s);
  return 0;
}
