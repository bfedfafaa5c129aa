/*
 * Buffers over host pointers (CL_MEM_USE_HOST_PTR), which may begin at any byte, as may the rows in
 * the buffers. Moves, fills, gathers, casts and works of rows give the same bytes in all buffers,
 * by each way of execution. Every second buffer begins at a multiple of 16 bytes, so that its rows
 * are moved in blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/works.h"
#include "region.h"

enum { ROWS = 7, MOST_COLUMNS = 150, BYTES = 4096, MOST_SHIFT = 31 };

/* Rows in a buffer. The buffer begins `shift` bytes behind a multiple of 128. */
typedef struct rows {
  _Alignas(128) unsigned char memory[BYTES + MOST_SHIFT];
  unsigned char *bytes;
  cl_mem buffer;
  clrs_layout layout;
  bit_span span;
  clrs_tensor *tensor;
} rows;

static int64_t place(const rows *of, int64_t row, int64_t column) {
  return of->layout.offset + row * of->layout.strides[0] + column;
}

static void rows_open(const workshop *shop, clrs_context *library, test_rng *rng, clrs_dtype dtype,
                      int64_t columns, rows *made) {
  const uint32_t width = clrs_dtype_bits(dtype), unit = width < 8 ? 1 : width / 8;
  const int64_t shift = rng_percent(rng, 50) ? 16 * rng_between(rng, 0, 1)
                                             : rng_between(rng, 0, MOST_SHIFT / unit) * unit;
  const uint64_t byte = (uint64_t)(rng_between(rng, 0, 20) * unit);
  cl_int code;
  rng_fill(rng, made->memory, sizeof made->memory);
  made->bytes = made->memory + shift;
  made->buffer = clCreateBuffer(shop->opencl.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                BYTES, made->bytes, &code);
  CL_OK(code);
  made->layout = (clrs_layout){
      dtype, 2, {ROWS, columns}, {columns + rng_between(rng, 0, 9), 1}, rng_between(rng, 0, 9)};
  made->span = bits_of(dtype, byte);
  const clrs_storage storage = {made->buffer, byte};
  CHECK_OK(clrs_tensor_wrap(library, &storage, &made->layout, &made->tensor, &error), error);
}

static void rows_close(rows *old) {
  clrs_tensor_release(old->tensor);
  CL_OK(clReleaseMemObject(old->buffer));
}

/* ---- what is enqueued, with the same done to `want` on the host ---- */

typedef struct both {
  const workshop *shop;
  clrs_context *library;
  rows from, to;
  unsigned char want[BYTES];
} both;

static void copy_row(both *c, int64_t from_row, int64_t to_row) {
  for (int64_t i = 0; i < c->to.layout.dims[1]; i++)
    bits_copy(&c->from.span, c->from.bytes, place(&c->from, from_row, i), &c->to.span, c->want,
              place(&c->to, to_row, i));
}

static void move_rows(both *c) {
  for (int64_t row = 0; row < ROWS; row++)
    copy_row(c, row, row);
  CHECK_OK(clrs_enqueue_move(c->from.tensor, c->to.tensor, ON(c->shop->opencl.queue), NULL, &error),
           error);
}

static void fill_rows(both *c) {
  const unsigned char element[2] = {0x5A, 0xC3};
  const bit_span one = {0, c->to.span.width, false};
  for (int64_t i = 0; i < ROWS * c->to.layout.dims[1]; i++)
    bits_copy(&one, element, 0, &c->to.span, c->want, place(&c->to, i % ROWS, i / ROWS));
  CHECK_OK(clrs_enqueue_fill(c->to.tensor, element, ON(c->shop->opencl.queue), NULL, &error),
           error);
}

static void gather_rows(both *c) {
  const int32_t places[ROWS] = {6, 0, 3, 3, 5, 1, 2};
  clrs_indices indices = {.axis = 0};
  cl_mem list = device_buffer(&c->shop->opencl, CL_MEM_READ_ONLY, sizeof places);
  device_write(&c->shop->opencl, list, sizeof places, places);
  CHECK_OK(
      clrs_tensor_wrap_dense(c->library, list, CLRS_I32, 1, LIST(ROWS), &indices.tensor, &error),
      error);
  for (int64_t row = 0; row < ROWS; row++)
    copy_row(c, places[row], row);
  CHECK_OK(clrs_enqueue_gather(c->from.tensor, &indices, c->to.tensor, NULL,
                               ON(c->shop->opencl.queue), NULL, &error),
           error);
  CL_OK(clFinish(c->shop->opencl.queue));
  clrs_tensor_release(indices.tensor);
  CL_OK(clReleaseMemObject(list));
}

/* Bytes become numbers of 16 bits. */
static void cast_rows(both *c) {
  clrs_tensor *mapped = NULL;
  clrs_chain chain;
  memset(&chain, 0, sizeof chain);
  CHECK_OK(clrs_chain_parse("cast=u16", &chain, &error), error);
  CHECK_OK(clrs_tensor_with_chain(c->from.tensor, &chain, NULL, &mapped, &error), error);
  for (int64_t i = 0; i < ROWS * c->to.layout.dims[1]; i++) {
    const int64_t row = i % ROWS, column = i / ROWS;
    const uint16_t wide =
        c->from.bytes[(int64_t)c->from.span.byte_offset + place(&c->from, row, column)];
    memcpy(c->want + c->to.span.byte_offset + 2 * place(&c->to, row, column), &wide, sizeof wide);
  }
  CHECK_OK(clrs_enqueue_move(mapped, c->to.tensor, ON(c->shop->opencl.queue), NULL, &error), error);
  clrs_tensor_release(mapped);
}

/* The offsets of the layouts become advances of the slots. */
static void work_rows(both *c) {
  clrs_work *work = NULL;
  clrs_slot slots[2];
  clrs_view views[2];
  const rows *sides[2] = {&c->from, &c->to};
  for (int i = 0; i < 2; i++) {
    const clrs_layout *layout = &sides[i]->layout;
    slots[i] = (clrs_slot){.storage = {sides[i]->buffer, sides[i]->span.byte_offset},
                           .advance = layout->offset};
    views[i] = view_strided(layout->dtype, 2, layout->dims, layout->strides, 0);
  }
  const test_task task = {.destination = 1, .from = &views[0], .to = &views[1]};
  CHECK_OK(test_work_of_tasks(c->library, &(test_tasks){2, 1, &task}, &work, &error), error);
  for (int64_t row = 0; row < ROWS; row++)
    copy_row(c, row, row);
  CHECK_OK(test_enqueue_slots(work, slots, ON(c->shop->opencl.queue), NULL, &error), error);
  clrs_work_release(work);
}

/* ---- all of it ---- */

static const struct {
  clrs_dtype from, to;
  void (*run)(both *c);
} kinds[] = {{CLRS_U8, CLRS_U8, move_rows},   {CLRS_U16, CLRS_U16, move_rows},
             {CLRS_I4, CLRS_I4, move_rows},   {CLRS_U8, CLRS_U8, fill_rows},
             {CLRS_U16, CLRS_U16, fill_rows}, {CLRS_I4, CLRS_I4, fill_rows},
             {CLRS_U8, CLRS_U8, gather_rows}, {CLRS_U8, CLRS_U16, cast_rows},
             {CLRS_U8, CLRS_U8, work_rows},   {CLRS_I4, CLRS_I4, work_rows}};

SHOP_TEST(rows_begin_anywhere_in_buffers_that_begin_anywhere) {
  const uint64_t seed = test_seed(640000);
  for (int64_t i = 0; i < test_cases(600); i++) {
    test_rng rng = rng_start(seed + (uint64_t)i);
    const size_t kind = (size_t)i % COUNT(kinds);
    const int64_t columns = rng_between(&rng, 1, MOST_COLUMNS);
    static both c;
    unsigned char got[BYTES];
    c.shop = shop;
    c.library = shop->libraries[rng_between(&rng, 1, 2)];
    rows_open(shop, c.library, &rng, kinds[kind].from, columns, &c.from);
    rows_open(shop, c.library, &rng, kinds[kind].to, columns, &c.to);
    device_read(&shop->opencl, c.to.buffer, BYTES, c.want);
    kinds[kind].run(&c);
    device_read(&shop->opencl, c.to.buffer, BYTES, got);
    CHECK_SEEDED(memcmp(got, c.want, BYTES) == 0, seed + (uint64_t)i, "kind %zu", kind);
    rows_close(&c.from);
    rows_close(&c.to);
  }
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
