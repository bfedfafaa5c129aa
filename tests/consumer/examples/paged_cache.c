/*
 * A paged cache of keys, for users who serve language models: a block table names the pages of a
 * sequence. Reading the sequence is one pass, a gather of pages. Adding the keys of new tokens is
 * one pass, a scatter of rows. The host never reads the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "setup.h"

enum { PAGES = 32, TOKENS = 16, HEADS = 4, CHANNELS = 64, ROW = HEADS * CHANNELS };
enum { USED = 5, NEW = 3 };

/* `cache` is f16 [32,16,4,64]: pages, tokens of a page, heads, channels. Copies the pages that
 * `table`, i32 [5], names to a new [4,80,64]. */
static clrs_tensor *sequence_of(const setup *s, clrs_tensor *cache, clrs_tensor *table) {
  const clrs_on on = {s->queue, 0, NULL};
  const clrs_indices pages = {.tensor = table, .axis = 1};
  clrs_tensor *keys = NULL, *heads = view_of(cache, "permute=2,0,1,3"); /* heads first */
  ok(clrs_enqueue_gather(heads, &pages, NULL, &keys, &on, NULL, &error));
  clrs_tensor_release(heads);
  clrs_tensor *sequence = view_of(keys, "reshape=4,80,64");
  clrs_tensor_release(keys);
  return sequence;
}

/* `fresh` is f16 [3,4,64]. Copies key i to the place slots[i] of the cache, page * 16 + token. */
static void add_keys(const setup *s, clrs_tensor *cache, clrs_tensor *slots, clrs_tensor *fresh) {
  const clrs_on on = {s->queue, 0, NULL};
  const clrs_indices places = {.tensor = slots};
  clrs_tensor *rows = view_of(cache, "reshape=512,4,64");
  ok(clrs_enqueue_scatter(fresh, &places, rows, &on, NULL, &error));
  clrs_tensor_release(rows);
}

static uint16_t cache[PAGES * TOKENS][HEADS][CHANNELS], fresh[NEW][HEADS][CHANNELS];
static uint16_t sequence[HEADS][USED * TOKENS][CHANNELS];
static int32_t table[USED] = {7, 30, 2, 19, 11},
               slots[NEW] = {11 * TOKENS + 13, 11 * TOKENS + 14, 11 * TOKENS + 15};

static clrs_tensor *wrapped(const setup *s, cl_mem buffer, clrs_dtype dtype, size_t rank,
                            const int64_t *dims) {
  clrs_tensor *tensor = NULL;
  ok(clrs_tensor_wrap_dense(s->library, buffer, dtype, rank, dims, &tensor, &error));
  clReleaseMemObject(buffer); /* the tensor retains the buffer */
  return tensor;
}

/* The host's cache gets the new keys, too. */
static void compare(void) {
  for (int i = 0; i < NEW; i++) {
    memcpy(cache[slots[i]], fresh[i], sizeof fresh[i]);
  }
  for (int t = 0; t < USED * TOKENS; t++) {
    for (int h = 0; h < HEADS; h++) {
      const uint16_t *expected = cache[table[t / TOKENS] * TOKENS + t % TOKENS][h];
      require(memcmp(sequence[h][t], expected, CHANNELS * 2) == 0, "every key is in its place");
    }
  }
}

int main(void) {
  const setup s = set_up();
  for (int i = 0; i < PAGES * TOKENS * ROW; i++) {
    (&cache[0][0][0])[i] = (uint16_t)i;
  }
  for (int i = 0; i < NEW * ROW; i++) {
    (&fresh[0][0][0])[i] = (uint16_t)(60000 - i);
  }
  clrs_tensor *tensors[] = {
      wrapped(&s, upload(&s, sizeof cache, cache), CLRS_F16, 4,
              (int64_t[]){PAGES, TOKENS, HEADS, CHANNELS}),
      wrapped(&s, upload(&s, sizeof table, table), CLRS_I32, 1, (int64_t[]){USED}),
      wrapped(&s, upload(&s, sizeof slots, slots), CLRS_I32, 1, (int64_t[]){NEW}),
      wrapped(&s, upload(&s, sizeof fresh, fresh), CLRS_F16, 3, (int64_t[]){NEW, HEADS, CHANNELS})};
  add_keys(&s, tensors[0], tensors[2], tensors[3]);
  read_back(&s, sequence_of(&s, tensors[0], tensors[1]), sizeof sequence, sequence);
  compare();
  for (int i = 0; i < 4; i++) {
    clrs_tensor_release(tensors[i]);
  }
  tear_down(&s);
  return 0;
}
