/*
 * Regions of pictures in one batch, for users of a detector whose boxes lie on the device: each box
 * becomes the input of the next network, resized in a letterbox and normalised. The cost is one
 * pass over the boxes, with a launch for each box and for the borders.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { PICTURES = 2, BOXES = 3, SIZE = 64, COLORS = 3, BORDER = 114, MOST = 96 * 128 * COLORS };

/* The pixels of a box, and the place of the resized box in an index of the batch. */
typedef struct region {
  int picture, left, top, rows, columns;
  int above, before, held_rows, held_columns;
} region;

/* A box is the picture, left, top, right and bottom. */
static region fit(const float *box) {
  const int left = (int)box[1], top = (int)box[2], right = (int)box[3], bottom = (int)box[4];
  region r = {(int)box[0], left, top, bottom - top, right - left, 0, 0, 0, 0};
  const int longer = r.rows > r.columns ? r.rows : r.columns;
  r.held_rows = (r.rows * SIZE + longer / 2) / longer;
  r.held_columns = (r.columns * SIZE + longer / 2) / longer;
  r.above = (SIZE - r.held_rows) / 2;
  r.before = (SIZE - r.held_columns) / 2;
  return r;
}

/* Adds the task that writes index i of the batch, f32 [3,3,64,64]. */
static void add_region(clrs_work *work, clrs_tensor *picture, const region *r, clrs_tensor *batch,
                       int i) {
  const unsigned char border = BORDER;
  const int64_t begins[] = {r->above, r->before, 0};
  const int64_t ends[] = {SIZE - r->held_rows - r->above, SIZE - r->held_columns - r->before, 0};
  char crop[128], index[32];
  clrs_chain behind;
  snprintf(crop, sizeof crop, "slice=%d:%d,%d:%d resize=%d,%d,opencv_nearest", r->top,
           r->top + r->rows, r->left, r->left + r->columns, r->held_rows, r->held_columns);
  snprintf(index, sizeof index, "slice=%d:%d squeeze=0", i, i + 1);
  clrs_tensor *from = view_of(picture, crop), *to = view_of(batch, index);
  ok(clrs_chain_parse("permute=2,0,1 cast=f32 std=255", &behind, &error));
  const clrs_padding letterbox = {
      .begins = begins, .element = &border, .ends = ends, .chain = &behind};
  ok(clrs_work_pad(work, from, &letterbox, to, &error));
  clrs_tensor_release(from);
  clrs_tensor_release(to);
}

/* Reads the boxes, and writes the batch. */
static void enqueue_regions(const setup *s, clrs_tensor *const *pictures, cl_mem boxes,
                            clrs_tensor *batch) {
  const clrs_on on = {s->queue, 0, NULL};
  float found[BOXES][5];
  clrs_work *work = NULL;
  require(clEnqueueReadBuffer(s->queue, boxes, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
  ok(clrs_work_create(s->library, &work, &error));
  for (int i = 0; i < BOXES; i++) {
    const region r = fit(found[i]);
    add_region(work, pictures[r.picture], &r, batch, i);
  }
  ok(clrs_enqueue_work(work, 0, NULL, &on, NULL, &error));
  clrs_work_release(work);
}

static const int64_t dims[PICTURES][3] = {{96, 128, COLORS}, {80, 60, COLORS}};
static unsigned char bytes[PICTURES][MOST];
static float planes[BOXES][COLORS][SIZE][SIZE];

/* The nearest pixel of element n of the result is floor(n * length / held). */
static void check_pixel(const region *r, int i, int row, int column) {
  const int y = row - r->above, x = column - r->before;
  const bool is_held = y >= 0 && y < r->held_rows && x >= 0 && x < r->held_columns;
  const int64_t at = (r->top + y * r->rows / r->held_rows) * dims[r->picture][1] + r->left +
                     x * r->columns / r->held_columns;
  for (int color = 0; color < COLORS; color++) {
    const int byte = is_held ? bytes[r->picture][at * COLORS + color] : BORDER;
    const volatile float expected = (float)byte / 255.0f;
    require(planes[i][color][row][column] == expected, "every pixel is the nearest or border");
  }
}

int main(void) {
  static float boxes[BOXES][5] = {{0, 10, 20, 90, 60}, {1, 8, 0, 48, 80}, {0, 96, 80, 128, 96}};
  const int64_t batch_dims[] = {BOXES, COLORS, SIZE, SIZE};
  const setup s = set_up();
  clrs_tensor *pictures[PICTURES] = {NULL}, *batch = NULL;
  cl_mem buffers[PICTURES + 2];
  for (unsigned i = 0; i < PICTURES * MOST; i++) {
    bytes[i / MOST][i % MOST] = (unsigned char)(i * 2654435761u >> 21);
  }
  for (int i = 0; i < PICTURES; i++) {
    buffers[i] = upload(&s, sizeof bytes[i], bytes[i]);
    ok(clrs_tensor_wrap_dense(s.library, buffers[i], CLRS_U8, 3, dims[i], &pictures[i], &error));
  }
  buffers[PICTURES] = upload(&s, sizeof boxes, boxes);
  buffers[PICTURES + 1] = upload(&s, sizeof planes, planes);
  ok(clrs_tensor_wrap_dense(s.library, buffers[PICTURES + 1], CLRS_F32, 4, batch_dims, &batch,
                            &error));
  enqueue_regions(&s, pictures, buffers[PICTURES], batch);
  read_back(&s, batch, sizeof planes, planes);
  for (int i = 0; i < BOXES * SIZE * SIZE; i++) {
    const region r = fit(boxes[i / SIZE / SIZE]);
    check_pixel(&r, i / SIZE / SIZE, i / SIZE % SIZE, i % SIZE);
  }
  for (int i = 0; i < PICTURES + 2; i++) {
    clReleaseMemObject(buffers[i]);
  }
  clrs_tensor_release(pictures[0]);
  clrs_tensor_release(pictures[1]);
  tear_down(&s);
  return 0;
}
