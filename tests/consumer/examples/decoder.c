/*
 * Kept work, for users of a decoder that appends keys and values to the cache of each layer at each
 * step: the moves of all layers are checked and planned once. A step costs one launch, some
 * microseconds on the host, and one pass over the new rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { LAYERS = 6, HEADS = 4, LENGTH = 32, CHANNELS = 64, STEPS = 20 };

/* Slot 2l is f16 [3,4,64], the query, key and value of layer l. Slot 2l + 1 is the cache of layer
 * l, f16 [2,4,32,64], at a position. */
static clrs_work *appends(const setup *s) {
  const int64_t length = LENGTH * CHANNELS;
  const clrs_layout fresh = {CLRS_F16, 3, {3, HEADS, CHANNELS}, {HEADS * CHANNELS, CHANNELS, 1}, 0};
  const clrs_layout place = {CLRS_F16, 3, {2, HEADS, CHANNELS}, {HEADS * length, length, 1}, 0};
  clrs_work *work = NULL;
  ok(clrs_work_create(s->library, &work, &error));
  for (uint32_t layer = 0; layer < LAYERS; layer++) {
    clrs_tensor *from = NULL, *to = NULL;
    ok(clrs_tensor_slot(s->library, 2 * layer, &fresh, &from, &error));
    ok(clrs_tensor_slot(s->library, 2 * layer + 1, &place, &to, &error));
    clrs_tensor *keys_and_values = view_of(from, "slice=1:");
    ok(clrs_work_move(work, keys_and_values, to, &error));
    clrs_tensor_release(from);
    clrs_tensor_release(keys_and_values);
    clrs_tensor_release(to);
  }
  ok(clrs_work_prepare(work, &error));
  return work;
}

static void append(const setup *s, clrs_work *work, const cl_mem *fresh, const cl_mem *caches,
                   int64_t position) {
  const clrs_on on = {s->queue, 0, NULL};
  clrs_slot slots[2 * LAYERS] = {0};
  for (int layer = 0; layer < LAYERS; layer++) {
    slots[2 * layer].storage.buffer = fresh[layer];
    slots[2 * layer + 1].storage.buffer = caches[layer];
    slots[2 * layer + 1].advance = position * CHANNELS; /* elements */
  }
  ok(clrs_enqueue_work(work, 2 * LAYERS, slots, &on, NULL, &error));
}

static uint16_t rows[3][HEADS][CHANNELS], cache[2][HEADS][LENGTH][CHANNELS];

/* The row of a key (0) or a value (1). All numbers differ within a row, and between rows. */
static uint16_t number(int layer, int step, int kind, int head, int channel) {
  return (uint16_t)(((((layer + 1) * STEPS + step) * 2 + kind) * HEADS + head) * CHANNELS +
                    channel);
}

static void write_rows(const setup *s, cl_mem fresh, int layer, int step) {
  for (int i = 0; i < 2 * HEADS * CHANNELS; i++) {
    const int kind = i / (HEADS * CHANNELS), head = i / CHANNELS % HEADS, channel = i % CHANNELS;
    rows[1 + kind][head][channel] = number(layer, step, kind, head, channel);
  }
  require(clEnqueueWriteBuffer(s->queue, fresh, CL_TRUE, 0, sizeof rows, rows, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueWriteBuffer");
}

static void compare(const setup *s, cl_mem buffer, int layer) {
  require(clEnqueueReadBuffer(s->queue, buffer, CL_TRUE, 0, sizeof cache, cache, 0, NULL, NULL) ==
              CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (int i = 0; i < 2 * HEADS * LENGTH * CHANNELS; i++) {
    const int channel = i % CHANNELS, step = i / CHANNELS % LENGTH;
    const int head = i / CHANNELS / LENGTH % HEADS, kind = i / CHANNELS / LENGTH / HEADS;
    const uint16_t expected = step < STEPS ? number(layer, step, kind, head, channel) : 0;
    require(cache[kind][head][step][channel] == expected, "every row is at its position");
  }
}

int main(void) {
  const setup s = set_up();
  cl_mem fresh[LAYERS], caches[LAYERS];
  clrs_work *work = appends(&s);
  require(clrs_work_launches(work) == 1, "one launch for all layers");
  for (int layer = 0; layer < LAYERS; layer++) {
    fresh[layer] = upload(&s, sizeof rows, rows);
    caches[layer] = upload(&s, sizeof cache, cache);
  }
  for (int step = 0; step < STEPS; step++) {
    for (int layer = 0; layer < LAYERS; layer++) {
      write_rows(&s, fresh[layer], layer, step);
    }
    append(&s, work, fresh, caches, step);
  }
  for (int layer = 0; layer < LAYERS; layer++) {
    compare(&s, caches[layer], layer);
    clReleaseMemObject(fresh[layer]);
    clReleaseMemObject(caches[layer]);
  }
  clrs_work_release(work);
  tear_down(&s);
  return 0;
}
