/*
 * NV12 to the input of a network, for users of a camera or of a video decoder: rows with padding
 * become RGB as OpenCV converts colours, then normalised planes. The cost is one pass.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { WIDTH = 1920, HEIGHT = 1080, PITCH = 2048, ROWS = HEIGHT * 3 / 2, COLORS = 3 };

/* u8 [1620,2048], rows of Y and then rows of U, V, U, V..., to a new f32 [3,1080,1920]. */
static clrs_tensor *to_planes(const setup *s, cl_mem nv12) {
  const int64_t dims[] = {ROWS, PITCH};
  const clrs_on on = {s->queue, 0, NULL};
  clrs_tensor *frame = NULL, *planes = NULL;
  ok(clrs_tensor_wrap_dense(s->library, nv12, CLRS_U8, 2, dims, &frame, &error));
  ok(clrs_enqueue_chain(frame,
                        "slice=:,:1920 color=nv12,rgb,opencv permute=2,0,1 "
                        "cast=f32 mean=123.675,116.28,103.53,axis=0 std=58.395,57.12,57.375,axis=0",
                        CLRS_COPY_IF_NEEDED, NULL, &planes, &on, NULL, &error));
  clrs_tensor_release(frame);
  return planes;
}

static unsigned char nv12[ROWS * PITCH];
static float planes[COLORS][HEIGHT][WIDTH];

/* The colours of a pixel by OpenCV's formula: BT.601 with limited range, in 20-bit fractions. */
static int color_of(int y, int u, int v, int color) {
  const int sums[COLORS] = {1673527 * v, -852492 * v - 409993 * u, 2116026 * u};
  const int sum = (y < 16 ? 0 : y - 16) * 1220542 + sums[color] + (1 << 19);
  return sum < 0 ? 0 : sum >> 20 > 255 ? 255 : sum >> 20;
}

static void check_pixel(int row, int column) {
  static const float mean[] = {123.675f, 116.28f, 103.53f}, std[] = {58.395f, 57.12f, 57.375f};
  const unsigned char *pair = nv12 + (HEIGHT + row / 2) * PITCH + column / 2 * 2;
  for (int color = 0; color < COLORS; color++) {
    const int byte = color_of(nv12[row * PITCH + column], pair[0] - 128, pair[1] - 128, color);
    const volatile float centred = (float)byte - mean[color], expected = centred / std[color];
    require(planes[color][row][column] == expected, "every element is OpenCV's, normalised");
  }
}

int main(void) {
  const setup s = set_up();
  for (unsigned i = 0; i < sizeof nv12; i++) {
    nv12[i] = (unsigned char)(i * 2654435761u >> 21);
  }
  cl_mem buffer = upload(&s, sizeof nv12, nv12);
  read_back(&s, to_planes(&s, buffer), sizeof planes, planes);
  for (int pixel = 0; pixel < HEIGHT * WIDTH; pixel++) {
    check_pixel(pixel / WIDTH, pixel % WIDTH);
  }
  clReleaseMemObject(buffer);
  tear_down(&s);
  return 0;
}
