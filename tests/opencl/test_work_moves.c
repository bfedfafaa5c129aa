/*
 * Batches: many moves as few launches. Every byte of every buffer is compared with the same moves
 * done one at a time by the oracle. The same moves one at a time on the device leave the same
 * bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/chain.h"
#include "harness/opencl_counts.h"
#include "harness/works.h"
#include "region.h"

enum { POOLS = 24, POOL_BYTES = 1 << 16, MOST_MOVES = 1000, CASES = 36 };

/* Each width is a variant that must be compiled. test_move_random tries all widths. */
static const clrs_dtype dtypes[] = {CLRS_I4, CLRS_U8, CLRS_F32, CLRS_I64};

/* A buffer that many tensors lie in. Destinations, and sources beside destinations, get separate
 * bytes. Other sources lie anywhere in the first pools. */
typedef struct pool {
  cl_mem buffer;
  unsigned char before[POOL_BYTES], after[POOL_BYTES];
  uint64_t taken;
} pool;

typedef struct job {
  pool *from, *to;
  bit_span from_span, to_span;
  oracle read, written;
} job;

typedef struct batch_case {
  const workshop *shop;
  clrs_context *library;
  uint64_t seed;
  test_rng rng;
  size_t source_pools, pools, count;
  pool *pool;
  job jobs[MOST_MOVES];
  clrs_tensor *sources[MOST_MOVES], *destinations[MOST_MOVES];
} batch_case;

typedef struct batch_tally {
  int64_t moves, launches, empty, views, beside, interleaved;
} batch_tally;

/* ---- drawing ---- */

static clrs_shape draw_shape(test_rng *rng, int64_t most) {
  clrs_shape shape = {.rank = (uint32_t)rng_between(rng, 0, 4)};
  for (uint32_t d = 0; d < shape.rank; d++) {
    shape.dims[d] = rng_percent(rng, 1) ? 0 : rng_between(rng, 1, most < 9 ? most : 9);
    most /= shape.dims[d] ? shape.dims[d] : 1;
  }
  if (shape.rank > 0 && rng_percent(rng, 30))
    shape.dims[0] *= rng_between(rng, 1, most < 1 ? 1 : most);
  return shape;
}

/* Bytes that the layout needs, from byte_offset 0 on. */
static uint64_t bytes_of(const clrs_layout *layout) {
  const bit_span span = bits_of(layout->dtype, 0);
  oracle where = oracle_from_layout(layout);
  int64_t lowest = 0, highest = 0;
  oracle_range(&where, &lowest, &highest);
  oracle_free(&where);
  return bits_end(&span, highest);
}

/* Takes separate room at some byte offset. Returns false if the pool is full. */
static bool take_room(pool *pool, test_rng *rng, uint64_t bytes, uint64_t *offset) {
  *offset = pool->taken + (rng_percent(rng, 60) ? (16 - pool->taken % 16) % 16
                                                : (uint64_t)rng_between(rng, 0, 3));
  if (*offset + bytes > POOL_BYTES)
    return false;
  pool->taken = *offset + bytes;
  return true;
}

static clrs_tensor *wrap(const batch_case *c, const pool *pool, uint64_t offset,
                         const clrs_layout *layout) {
  const clrs_storage storage = {pool->buffer, offset};
  clrs_tensor *tensor = NULL;
  CHECK_OK(clrs_tensor_wrap(c->library, &storage, layout, &tensor, &error), error);
  return tensor;
}

static pool *draw_destination_pool(batch_case *c) {
  return &c->pool[rng_between(&c->rng, (int64_t)c->source_pools, (int64_t)c->pools - 1)];
}

/* A view of a layout anywhere in a source pool, or in separate room beside the destinations. False
 * if there is no room. */
static bool draw_source(batch_case *c, job *job, clrs_dtype dtype, batch_tally *tally) {
  const clrs_shape shape = draw_shape(&c->rng, rng_percent(&c->rng, 3) ? 4000 : 300);
  const clrs_layout layout =
      layout_random_of_shape(&c->rng, dtype, &shape, true, rng_between(&c->rng, 0, 9));
  const uint64_t bytes = bytes_of(&layout);
  const bool beside = rng_percent(&c->rng, 20);
  uint64_t offset = 0;
  job->from = beside ? draw_destination_pool(c)
                     : &c->pool[rng_between(&c->rng, 0, (int64_t)c->source_pools - 1)];
  if (bytes > POOL_BYTES / 2 || (beside && !take_room(job->from, &c->rng, bytes, &offset)))
    return false;
  if (!beside)
    offset = (uint64_t)rng_between(&c->rng, 0, (int64_t)(POOL_BYTES - bytes) / 16) * 16 +
             (uint64_t)rng_between(&c->rng, 0, rng_percent(&c->rng, 30) ? 15 : 0);
  if (offset + bytes > POOL_BYTES)
    return false;
  job->from_span = bits_of(dtype, offset);
  job->read = oracle_from_layout(&layout);
  clrs_tensor *whole = wrap(c, job->from, offset, &layout), *viewed = NULL;
  clrs_view view = *clrs_tensor_view(whole);
  for (int64_t steps = rng_between(&c->rng, 0, 3); steps > 0; steps--) {
    const move step = move_random(&c->rng, &job->read.shape, 600);
    CHECK_OK(move_apply_view(&step, &view, &error), error);
    move_apply_oracle(&step, &job->read);
    tally->views++;
  }
  CHECK_OK(clrs_tensor_with_view(whole, &view, &viewed, &error), error);
  clrs_tensor_release(whole);
  c->sources[c->count] = viewed;
  tally->beside += beside;
  return true;
}

static bool draw_destination(batch_case *c, job *job, clrs_dtype dtype) {
  const clrs_layout layout =
      layout_random_of_shape(&c->rng, dtype, &job->read.shape, false, rng_between(&c->rng, 0, 5));
  uint64_t offset = 0;
  job->to = draw_destination_pool(c);
  if (!take_room(job->to, &c->rng, bytes_of(&layout), &offset))
    return false;
  job->to_span = bits_of(dtype, offset);
  job->written = oracle_from_layout(&layout);
  c->destinations[c->count] = wrap(c, job->to, offset, &layout);
  return true;
}

static void draw_move(batch_case *c, batch_tally *tally) {
  const clrs_dtype dtype = dtypes[rng_between(&c->rng, 0, sizeof dtypes / sizeof dtypes[0] - 1)];
  job *job = &c->jobs[c->count];
  if (!draw_source(c, job, dtype, tally))
    return;
  if (!draw_destination(c, job, dtype)) {
    clrs_tensor_release(c->sources[c->count]);
    oracle_free(&job->read);
    return;
  }
  tally->empty += job->read.count == 0;
  c->count++;
}

/* Columns of a single byte matrix: the destinations of several moves interleave. */
static void draw_columns(batch_case *c, batch_tally *tally) {
  const int64_t columns = rng_between(&c->rng, 2, 9), width = rng_between(&c->rng, 1, 5);
  const clrs_shape shape = {2, {rng_between(&c->rng, 2, 9), width}};
  const int64_t strides[] = {columns * width, 1}, source_strides[] = {width, 1};
  uint64_t offset = 0;
  pool *to = draw_destination_pool(c);
  if (c->count + (size_t)columns > MOST_MOVES ||
      !take_room(to, &c->rng, (uint64_t)(shape.dims[0] * columns * width), &offset))
    return;
  for (int64_t column = 0; column < columns; column++) {
    job *job = &c->jobs[c->count];
    clrs_layout from, into;
    const uint64_t begin = (uint64_t)rng_between(&c->rng, 0, 999);
    CHECK_OK(clrs_layout_init(CLRS_U8, &shape, source_strides, 0, &from, &error), error);
    CHECK_OK(clrs_layout_init(CLRS_U8, &shape, strides, column * width, &into, &error), error);
    *job = (struct job){.from = &c->pool[0],
                        .to = to,
                        .from_span = bits_of(CLRS_U8, begin),
                        .to_span = bits_of(CLRS_U8, offset),
                        .read = oracle_from_layout(&from),
                        .written = oracle_from_layout(&into)};
    c->sources[c->count] = wrap(c, job->from, begin, &from);
    c->destinations[c->count] = wrap(c, job->to, offset, &into);
    c->count++;
    tally->interleaved++;
  }
}

static void case_draw(batch_case *c, batch_tally *tally) {
  const bool many_buffers = rng_percent(&c->rng, 25);
  const int64_t wanted = rng_percent(&c->rng, 10) ? MOST_MOVES : rng_between(&c->rng, 1, 60);
  c->source_pools = (size_t)rng_between(&c->rng, 1, many_buffers ? POOLS / 2 : 3);
  c->pools = c->source_pools + (size_t)rng_between(&c->rng, 1, many_buffers ? POOLS / 2 : 3);
  for (size_t i = 0; i < c->pools; i++) {
    c->pool[i].taken = 0;
    rng_fill(&c->rng, c->pool[i].before, POOL_BYTES);
  }
  for (int64_t i = 0; i < wanted && c->count < MOST_MOVES; i++)
    if (rng_percent(&c->rng, 5))
      draw_columns(c, tally);
    else
      draw_move(c, tally);
}

/* ---- running ---- */

static void write_pools(const batch_case *c) {
  for (size_t i = 0; i < c->pools; i++)
    device_write(&c->shop->opencl, c->pool[i].buffer, POOL_BYTES, c->pool[i].before);
}

static void require_pools(const batch_case *c, const char *what) {
  static unsigned char got[POOL_BYTES];
  for (size_t i = 0; i < c->pools; i++) {
    device_read(&c->shop->opencl, c->pool[i].buffer, POOL_BYTES, got);
    for (size_t at = 0; at < POOL_BYTES; at++)
      CHECK_SEEDED(got[at] == c->pool[i].after[at], c->seed,
                   "%s of %zu moves: byte %zu of pool %zu is %02x, not %02x", what, c->count, at, i,
                   got[at], c->pool[i].after[at]);
  }
}

static void expect(batch_case *c) {
  for (size_t i = 0; i < c->pools; i++)
    memcpy(c->pool[i].after, c->pool[i].before, POOL_BYTES);
  for (size_t i = 0; i < c->count; i++) {
    job *job = &c->jobs[i];
    bits_move(&job->from_span, job->from->before, &job->read, &job->to_span, job->to->after,
              &job->written);
  }
}

static void run_batch(batch_case *c, batch_tally *tally) {
  const test_moves moves = {
      .count = c->count, .sources = c->sources, .destinations = c->destinations};
  cl_command_queue queue = workshop_queue(c->shop, &c->rng);
  cl_event event = NULL;
  clrs_work *batch = NULL;
  write_pools(c);
  CHECK_OK(test_work_of_moves(c->library, &moves, &batch, &error), error);
  const size_t promised = clrs_work_launches(batch);
  const long before = opencl_counted().launches;
  const bool asks = queue == c->shop->unordered || rng_percent(&c->rng, 50);
  const clrs_status status =
      rng_percent(&c->rng, 50)
          ? clrs_enqueue_work(batch, 0, NULL, ON(queue), asks ? &event : NULL, &error)
          : test_enqueue_moves(c->library, &moves, ON(queue), asks ? &event : NULL, &error);
  clrs_work_release(batch);
  CHECK_SEEDED(status == CLRS_OK, c->seed, "%s", error.message);
  const long launches = opencl_counted().launches - before;
  CHECK_SEEDED((size_t)launches == promised, c->seed, "%ld launches, promised were %zu", launches,
               promised);
  if (asks)
    device_finish_event(event);
  require_pools(c, "the batch");
  tally->moves += (int64_t)c->count;
  tally->launches += launches;
}

static void run_one_by_one(batch_case *c) {
  write_pools(c);
  for (size_t i = 0; i < c->count; i++)
    CHECK_OK(clrs_enqueue_move(c->sources[i], c->destinations[i], ON(c->shop->opencl.queue), NULL,
                               &error),
             error);
  require_pools(c, "one by one");
}

static void case_close(batch_case *c) {
  for (size_t i = 0; i < c->count; i++) {
    clrs_tensor_release(c->sources[i]);
    clrs_tensor_release(c->destinations[i]);
    oracle_free(&c->jobs[i].read);
    oracle_free(&c->jobs[i].written);
  }
}

SHOP_TEST(random_batches_do_what_their_moves_do) {
  const uint64_t first = test_seed(50000);
  const int64_t cases = test_cases(CASES / 3);
  batch_tally tally = {0};
  pool *pools = calloc(POOLS, sizeof *pools);
  batch_case *c = calloc(1, sizeof *c);
  assert_true(pools && c);
  for (size_t i = 0; i < POOLS; i++)
    pools[i].buffer = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, POOL_BYTES);
  for (uint64_t seed = first; seed < first + (uint64_t)cases; seed++) {
    *c = (batch_case){.shop = shop,
                      .library = shop->libraries[seed % 3],
                      .seed = seed,
                      .rng = rng_start(seed),
                      .pool = pools};
    case_draw(c, &tally);
    expect(c);
    run_batch(c, &tally);
    if (seed % 4 == 0)
      run_one_by_one(c);
    case_close(c);
  }
  for (size_t i = 0; i < POOLS; i++)
    CL_OK(clReleaseMemObject(pools[i].buffer));
  print_message("%lld batches of %lld moves (%lld empty, %lld beside destinations, %lld "
                "interleaved, %lld operations) in %lld launches\n",
                (long long)cases, (long long)tally.moves, (long long)tally.empty,
                (long long)tally.beside, (long long)tally.interleaved, (long long)tally.views,
                (long long)tally.launches);
  if (cases >= CASES) { /* the cases must cover the claimed variety */
    assert_true(tally.empty > 0 && tally.beside * 20 > tally.moves && tally.views > tally.moves);
    assert_true(tally.interleaved * 50 > tally.moves);
  }
  free(c);
  free(pools);
}

/* ---- how many launches ---- */

/* `count` transposes of [rows, columns] f32 that follow each other in two buffers. */
static void transposes(const workshop *shop, clrs_context *library, size_t count, int64_t rows,
                       int64_t columns, long most_launches) {
  const size_t elements = (size_t)(rows * columns), bytes = count * elements * sizeof(float);
  const clrs_shape shape = {2, {columns, rows}};
  const int64_t transposed[] = {1, columns};
  clrs_tensor **sources = calloc(count, sizeof *sources);
  clrs_tensor **destinations = calloc(count, sizeof *destinations);
  float *values = malloc(bytes), *got = malloc(bytes);
  assert_true(sources && destinations && values && got);
  for (size_t i = 0; i < count * elements; i++)
    values[i] = (float)(i % 65521);
  cl_mem from = device_buffer(&shop->opencl, CL_MEM_READ_ONLY, bytes);
  cl_mem to = device_buffer(&shop->opencl, CL_MEM_READ_WRITE, bytes);
  device_write(&shop->opencl, from, bytes, values);
  device_write(&shop->opencl, to, bytes, values);
  for (size_t i = 0; i < count; i++) {
    clrs_layout source, destination;
    const clrs_storage at[] = {{from, i * elements * 4}, {to, i * elements * 4}};
    CHECK_OK(clrs_layout_init(CLRS_F32, &shape, transposed, 0, &source, &error), error);
    CHECK_OK(clrs_layout_init(CLRS_F32, &shape, NULL, 0, &destination, &error), error);
    CHECK_OK(clrs_tensor_wrap(library, &at[0], &source, &sources[i], &error), error);
    CHECK_OK(clrs_tensor_wrap(library, &at[1], &destination, &destinations[i], &error), error);
  }
  const test_moves moves = {.count = count, .sources = sources, .destinations = destinations};
  const long before = opencl_counted().launches;
  cl_event event = NULL;
  CHECK_OK(test_enqueue_moves(library, &moves, ON(shop->opencl.queue), &event, &error), error);
  const long launches = opencl_counted().launches - before;
  const long most = device_shares_launches(shop->opencl.device) ? most_launches : (long)count;
  if (launches > most)
    fail_msg("%ld launches for %zu moves; at most %ld are needed", launches, count, most);
  device_finish_event(event);
  device_read(&shop->opencl, to, bytes, got);
  for (size_t i = 0; i < count * elements; i++) {
    const size_t k = i % elements, row = k % (size_t)rows, column = k / (size_t)rows;
    assert_true(got[i] == values[i - k + row * (size_t)columns + column]);
  }
  for (size_t i = 0; i < count; i++) {
    clrs_tensor_release(sources[i]);
    clrs_tensor_release(destinations[i]);
  }
  CL_OK(clReleaseMemObject(from));
  CL_OK(clReleaseMemObject(to));
  free(sources);
  free(destinations);
  free(values);
  free(got);
}

SHOP_TEST(a_thousand_alike_are_one_launch) {
  const long before = opencl_counted().launches;
  for (size_t i = 0; i < 3; i++) {
    transposes(shop, shop->libraries[i], 1000, 64, 64, 1);
    transposes(shop, shop->libraries[i], 300, 7, 5, 1);
    transposes(shop, shop->libraries[i], 2, 900, 900, 2); /* large moves go alone */
    transposes(shop, shop->libraries[i], 1, 3, 3, 1);
  }
  transposes(shop, shop->libraries[0], 66000, 1, 2, 2); /* a grid has at most 65535 rows */
  assert_true(opencl_counted().launches > before);      /* the counter counts */
}

TESTS_UNLESS(device_missing(), workshop_open, workshop_close)
