/*
 * NV12 to I420, for users of a video decoder whose encoder or network takes planes: the rows lose
 * their padding, and the pairs of U and V become two planes. The cost is one pass of two launches,
 * in which each byte is read and written once. Colours are not converted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { WIDTH = 1920, HEIGHT = 1080, PITCH = 2048, ROWS = HEIGHT * 3 / 2 };

/* u8 [1620,2048], rows of Y and then rows of U, V, U, V..., to a new u8 [1620,1920]: Y, U, V. */
static clrs_tensor *to_i420(const setup *s, cl_mem nv12) {
  const int64_t dims[] = {ROWS, PITCH};
  const clrs_on on = {s->queue, 0, NULL};
  clrs_tensor *frame = NULL, *parts[2], *i420 = NULL;
  ok(clrs_tensor_wrap_dense(s->library, nv12, CLRS_U8, 2, dims, &frame, &error));
  parts[0] = view_of(frame, "slice=:1080,:1920");
  parts[1] = view_of(frame, "slice=1080:,:1920 reshape=540,960,2 permute=2,0,1 reshape=540,1920");
  ok(clrs_enqueue_concat(2, parts, 0, NULL, &i420, &on, NULL, &error));
  clrs_tensor_release(frame);
  clrs_tensor_release(parts[0]);
  clrs_tensor_release(parts[1]);
  return i420;
}

static unsigned char nv12[ROWS * PITCH], i420[ROWS * WIDTH];

/* The place of a byte of I420 in NV12. */
static int source_of(int at) {
  const int luma = WIDTH * HEIGHT, plane = luma / 4;
  if (at < luma) {
    return at / WIDTH * PITCH + at % WIDTH;
  }
  const int colour = (at - luma) / plane, pixel = (at - luma) % plane;
  return (HEIGHT + pixel / (WIDTH / 2)) * PITCH + pixel % (WIDTH / 2) * 2 + colour;
}

int main(void) {
  const setup s = set_up();
  for (unsigned i = 0; i < sizeof nv12; i++) {
    nv12[i] = (unsigned char)(i * 2654435761u >> 21);
  }
  cl_mem buffer = upload(&s, sizeof nv12, nv12);
  read_back(&s, to_i420(&s, buffer), sizeof i420, i420);
  for (int i = 0; i < ROWS * WIDTH; i++) {
    require(i420[i] == nv12[source_of(i)], "every byte is where it belongs");
  }
  clReleaseMemObject(buffer);
  tear_down(&s);
  return 0;
}
