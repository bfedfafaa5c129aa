/*
 * Random lives of results on three queues, some held up by a gate, against a shadow copy. A result
 * that gets bytes too early overwrites data that a command behind a gate has yet to read. If the
 * library reports fewer supported queues (clrs_device_report.most_queues), only that many queues
 * are used.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/rng.h"
#include "pool_fixture.h"

enum { MOST_LIVE = 12, STEPS = 240 };

typedef struct life {
  clrs_tensor *tensor;
  int source, home;
  int64_t count;
  cl_event made;
} life;

typedef struct sink {
  int source;
  int64_t count;
} sink;

typedef struct model {
  const pools *p;
  int queue_count;
  test_rng rng;
  int live, sunk;
  life lives[MOST_LIVE];
  sink sinks[MOST_SINKS];
  cl_event gates[QUEUES];
} model;

static void begin_life(model *m) {
  static const int64_t counts[] = {COUNT, COUNT, COUNT - 3, 100};
  if (m->live == MOST_LIVE)
    return;
  life *born = &m->lives[m->live++];
  born->source = (int)rng_between(&m->rng, 0, SOURCES - 1);
  born->home = (int)rng_between(&m->rng, 0, m->queue_count - 1);
  born->count = counts[rng_between(&m->rng, 0, 3)];
  born->tensor = make_on(m->p, m->p->library, born->source, born->count, m->p->queues[born->home],
                         &born->made);
}

static void end_life(model *m) {
  if (m->live == 0)
    return;
  life *ended = &m->lives[rng_between(&m->rng, 0, m->live - 1)];
  clrs_tensor_release(ended->tensor);
  CL_OK(clReleaseEvent(ended->made));
  *ended = m->lives[--m->live];
}

/* By a command of the caller's, which the library has to be told of on a queue that is not home. */
static void copy_to_sink(const model *m, const life *of, int queue) {
  const size_t bytes = sizeof(uint32_t) * (size_t)of->count;
  clrs_byte_range range;
  CHECK_OK(clrs_tensor_bytes(of->tensor, &range, &error), error);
  if (queue != of->home)
    CHECK_OK(clrs_tensor_use_on(of->tensor, m->p->queues[queue], &error), error);
  CL_OK(clEnqueueCopyBuffer(m->p->queues[queue], range.buffer, m->p->sink, range.offset,
                            sizeof(uint32_t) * COUNT * (size_t)m->sunk, bytes, 1, &of->made, NULL));
}

static void move_to_sink(const model *m, const life *of, int queue) {
  const clrs_storage storage = {m->p->sink, sizeof(uint32_t) * COUNT * (uint64_t)m->sunk};
  const clrs_shape shape = {1, {of->count}};
  clrs_layout layout;
  clrs_tensor *target = NULL;
  CHECK_OK(clrs_layout_init(CLRS_U32, &shape, NULL, 0, &layout, &error), error);
  CHECK_OK(clrs_tensor_wrap(m->p->library, &storage, &layout, &target, &error), error);
  CHECK_OK(clrs_enqueue_move(of->tensor, target, &(clrs_on){m->p->queues[queue], 1, &of->made},
                             NULL, &error),
           error);
  clrs_tensor_release(target);
}

static void use_life(model *m) {
  if (m->live == 0 || m->sunk == MOST_SINKS)
    return;
  const life *used = &m->lives[rng_between(&m->rng, 0, m->live - 1)];
  const int queue = (int)rng_between(&m->rng, 0, m->queue_count - 1);
  if (rng_percent(&m->rng, 50))
    copy_to_sink(m, used, queue);
  else
    move_to_sink(m, used, queue);
  m->sinks[m->sunk++] = (sink){used->source, used->count};
}

static void turn_gate(model *m) {
  const int queue = (int)rng_between(&m->rng, 0, m->queue_count - 1);
  if (m->gates[queue])
    open_gate(&m->gates[queue]);
  else
    m->gates[queue] = close_gate(m->p, queue);
}

static void take_step(model *m) {
  const int64_t choice = rng_between(&m->rng, 0, 99);
  if (choice < 35)
    begin_life(m);
  else if (choice < 60)
    use_life(m);
  else if (choice < 92)
    end_life(m);
  else
    turn_gate(m);
}

static void finish_lives(model *m) {
  while (m->live > 0)
    end_life(m);
  for (int i = 0; i < QUEUES; i++)
    open_gate(&m->gates[i]);
  for (int i = 0; i < QUEUES; i++)
    CL_OK(clFinish(m->p->queues[i]));
}

static void compare_sinks(const model *m, uint64_t seed) {
  uint32_t got[COUNT];
  for (int i = 0; i < m->sunk; i++) {
    const sink *expected = &m->sinks[i];
    CL_OK(clEnqueueReadBuffer(m->p->queues[0], m->p->sink, CL_TRUE, sizeof got * (size_t)i,
                              sizeof got, got, 0, NULL, NULL));
    for (int64_t k = 0; k < expected->count; k++)
      if (got[k] != m->p->elements[expected->source][expected->count - 1 - k])
        fail_msg("seed %llu: element %lld of use %d is %u, of source %u", (unsigned long long)seed,
                 (long long)k, i, got[k], got[k] / 100000);
  }
}

static int count_queues(const pools *p) {
  clrs_device_report report;
  CHECK_OK(clrs_device_describe(p->device.device, &report, &error), error);
  return report.most_queues == 0 || report.most_queues > QUEUES ? QUEUES : (int)report.most_queues;
}

static void run_model(const pools *p, uint64_t seed) {
  static model m;
  m = (model){.p = p, .queue_count = count_queues(p), .rng = rng_start(seed)};
  for (int i = 0; i < STEPS; i++)
    take_step(&m);
  finish_lives(&m);
  compare_sinks(&m, seed);
}

POOL_TEST(bytes_are_given_to_nobody_too_early) {
  const uint64_t seed = test_seed(516);
  for (int64_t i = 0; i < test_cases(40); i++)
    run_model(p, seed + (uint64_t)i);
  const clrs_pool_statistics statistics = clrs_context_pool(p->library);
  assert_int_equal(statistics.used_bytes, 0);
  assert_true(statistics.reused > 0 && statistics.created > 0);
  assert_true(statistics.most_bytes >= statistics.idle_bytes);
}

TESTS_UNLESS(device_missing(), NULL, NULL)
