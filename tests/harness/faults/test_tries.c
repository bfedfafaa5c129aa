/*
 * Every call that the library tries fails, where the library passes a failure on by CLRS_TRY: the
 * first time and the last time that a request comes by. A callee that fails has no effect, so the
 * call is left out. Then the caller gets a failure without a result, nothing is left, and the same
 * request succeeds with the right bytes. A failure that the library overcomes must not change the
 * bytes. Needs a build with
 * -DCLRS_TRY_FAULTS=ON.
 *
 *   test_tries [cold]   cold: a new context for each failure
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/fault_layer.h"
#include "host_faults.h"
#include "scenario.h"
#include "tries.h"

enum { MOST_FAILURES = 12 }; /* for each site, in all requests */

static fault_layer layer;
static bool is_cold;
static int failure_count;

/* ---- requests ---- */

/* A chain over the first elements of the source, into a new tensor. */
typedef struct chain_request {
  clrs_dtype dtype;
  clrs_shape shape;
  const char *text;
} chain_request;

static const chain_request chains[] = {
    {CLRS_U8,
     {2, {12, 8}},
     "color=nv12,rgb,opencv resize=4,6,opencv_linear pad=1,0,0,value=114 "
     "permute=2,0,1 cast=f32 std=255 cast=f16"},
    {CLRS_U8, {2, {12, 8}}, "color=i420,bgr,openvino permute=2,0,1"},
    {CLRS_U8, {3, {4, 6, 2}}, "color=yuyv,rgb,opencv cast=f32 mean=1,2,3 std=4,5,6"},
    {CLRS_U8, {3, {4, 6, 3}}, "color=rgb,grey,pillow resize=7,5,pillow_bicubic"},
    {CLRS_U8, {3, {9, 7, 3}}, "resize=4,5,pillow_bilinear cast=f32 std=255 permute=2,0,1"},
    {CLRS_U8, {3, {9, 7, 3}}, "resize=4,5,opencv_linear_exact flip=-1 slice=1:3"},
    {CLRS_F32, {2, {6, 8}}, "unsqueeze=-1 resize=3,11,torch_bilinear mul=2 squeeze=-1"},
    {CLRS_F32, {2, {6, 8}}, "pad=1,2,mode=reflect window=0,3,2 cast=f16"},
    {CLRS_I16, {2, {6, 8}}, "pad=0,1,value=-7 cast=f32 sub=-160 div=400 clamp=0,1"},
    {CLRS_F32, {2, {6, 8}}, "mul=16 round=i32 add=113 max=0 min=255 sub=113 mul=0.0625"},
    {CLRS_F32, {3, {4, 6, 2}}, "rearrange=a (b c) d -> d c a b,b=2"},
    {CLRS_F32, {3, {4, 6, 2}}, "quantize=u8,0.5,3 permute=1,0,2"},
};

typedef struct request {
  const scenario *s;          /* or NULL */
  const chain_request *chain; /* or NULL */
  unsigned char expected[API_BYTES];
  size_t size;
} request;

static clrs_status run_chain(const chain_request *c, attempt *try) {
  const clrs_layout layout = api_layout(c->dtype, c->shape.rank, c->shape.dims, NULL);
  const clrs_storage storage = {try->a->source, 0};
  const scenario plain = {.execution = CLRS_EXECUTION_AUTO};
  clrs_tensor *source = NULL;
  clrs_status status = try->library ? CLRS_OK : scenario_library(&plain, try, &try->library);
  status =
      status ? status : clrs_tensor_wrap(try->library, &storage, &layout, &source, &try->error);
  status = status ? status
                  : clrs_enqueue_chain(source, c->text, CLRS_COPY_ALWAYS, NULL, &try->result,
                                       &(clrs_on){try->queue, 0, NULL}, &try->event, &try->error);
  clrs_tensor_release(source);
  return status;
}

static clrs_status run(const request *r, attempt *try) {
  return r->s != NULL ? scenario_run(r->s, try) : run_chain(r->chain, try);
}

static size_t read_result(const attempt *try, unsigned char *bytes) {
  const clrs_view *view = clrs_tensor_view(try->result);
  int64_t count;
  CHECK_OK(clrs_shape_count(&view->shape, &count, &error), error);
  const size_t size = (size_t)count * clrs_dtype_bits(view->dtype) / 8;
  assert_in_range(size, 1, API_BYTES);
  const clrs_storage storage = clrs_tensor_storage(try->result);
  device_read(&try->a->device, storage.buffer, size, bytes);
  return size;
}

static void verify(const request *r, const attempt *try) {
  unsigned char got[API_BYTES];
  if (r->s != NULL) {
    scenario_verify(r->s, try);
    return;
  }
  assert_int_equal(read_result(try, got), r->size);
  assert_memory_equal(got, r->expected, r->size);
}

/* ---- one failure ---- */

static void start(const api *a, const request *r, clrs_context *library, attempt *try) {
  clrs_context_retain(library);
  *try = (attempt){.a = a, .library = library, .queue = a->device.queue};
  if (r->s != NULL)
    scenario_reset(r->s, a);
}

static void succeed(const request *r, attempt *try) {
  if (try->event != NULL) {
    CL_OK(clWaitForEvents(1, &try->event));
    verify(r, try);
  }
  attempt_drop(try);
}

static void end(attempt *try) {
  clrs_context_trim_pool(try->library, 0);
  clrs_context_release(try->library);
  CL_OK(clFinish(try->queue));
}

/* Returns false if objects or blocks are left. */
static bool fail_once(const api *a, const request *r, clrs_context *library, size_t at, int nth) {
  const fault_balance before = layer.balance();
  const long blocks = host_faults_live();
  attempt try;
  start(a, r, library, &try);
  tries_arm(at, nth);
  clrs_status status = run(r, &try);
  const bool has_failed = tries_disarm();
  if (status != CLRS_OK) {
    if (!has_failed || status != CLRS_OUT_OF_MEMORY || try.event || try.result)
      fail_msg("%s: %s", clrs_status_name(status), try.error.message);
    CL_OK(clFinish(try.queue));
    if (r->s != NULL)
      scenario_verify_unwritten(r->s, &try, true);
    CHECK_OK(run(r, &try), try.error);
  }
  succeed(r, &try);
  end(&try);
  const fault_balance after = layer.balance();
  return memcmp(&before, &after, sizeof before) == 0 && blocks == host_faults_live();
}

/* The failure under test, for the message of an assertion. */
static const char *tested = NULL;
static const try_site *failing;
static int failing_call;

/* Another way around a failure can leave a kernel in the context. Only once. */
static void fail_call(const api *a, const request *r, clrs_context *library, size_t at, int nth) {
  tested = r->s != NULL ? r->s->name : r->chain->text;
  failing = &try_sites[at];
  failing_call = nth;
  if (!fail_once(a, r, library, at, nth) && !fail_once(a, r, library, at, nth))
    fail_msg("objects or blocks are left");
  tested = NULL;
  failure_count++;
}

/* The calls of each site in a request that succeeds. */
static void count_calls(const api *a, request *r, clrs_context *library, int *calls) {
  attempt try;
  start(a, r, library, &try);
  tries_arm(0, 0);
  CHECK_OK(run(r, &try), try.error);
  (void)tries_disarm();
  for (size_t i = 0; i < try_site_count; i++)
    calls[i] = try_sites[i].calls;
  if (r->chain != NULL) {
    CL_OK(clWaitForEvents(1, &try.event));
    r->size = read_result(&try, r->expected);
  }
  succeed(r, &try);
  end(&try);
}

static clrs_context *warm_library(const api *a, const request *r) {
  attempt try;
  start(a, r, NULL, &try);
  for (int i = 0; i < 2; i++) {
    CHECK_OK(run(r, &try), try.error);
    attempt_drop(&try);
  }
  CL_OK(clFinish(try.queue));
  clrs_context_trim_pool(try.library, 0);
  return try.library;
}

static void fail_tries(const api *a, request *r) {
  static int calls[MOST_SITES];
  clrs_context *library = is_cold ? NULL : warm_library(a, r);
  memset(calls, 0, sizeof calls);
  count_calls(a, r, library, calls);
  for (size_t i = 0; i < try_site_count; i++) {
    if (calls[i] == 0 || try_sites[i].failures >= MOST_FAILURES)
      continue;
    fail_call(a, r, library, i, 1);
    if (calls[i] > 1)
      fail_call(a, r, library, i, calls[i]);
    try_sites[i].failures++;
  }
  clrs_context_release(library);
}

static int say_and_close(void **state) {
  if (tested != NULL)
    print_message("%s: call %d of %s, %s:%d, fails\n", tested, failing_call, failing->place.call,
                  failing->place.file, failing->place.line);
  return api_close(state);
}

TEST_OF(api, a, every_try_fails, api_open, say_and_close) {
  static request r;
  for (size_t i = 0; i < scenario_count; i++) {
    r = (request){.s = &scenarios[i]};
    if (r.s->kind != REQUEST_BLOB) /* which requires the status of a damaged blob */
      fail_tries(a, &r);
  }
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    r = (request){.chain = &chains[i]};
    fail_tries(a, &r);
  }
  assert_true(failure_count > 1000);
  print_message("%d failures of %zu calls\n", failure_count, try_site_count);
}

int main(int argc, char **argv) {
  is_cold = argc > 1 && strcmp(argv[1], "cold") == 0;
  const int missing = device_and_layer_missing(&layer);
  return missing ? missing : RUN_TESTS(NULL, NULL);
}
