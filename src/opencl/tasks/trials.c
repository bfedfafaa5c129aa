/* SPDX-License-Identifier: Apache-2.0 */
#include "self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch_tables.h"
#include "trial_maps.h"

/* The launch of a trial: the call and its objects. A batch moves the source to two destinations. */
typedef struct launched {
  clrs__commands commands;
  clrs__tables tables;
  cl_command_queue queue;
  cl_mem source, indices, destinations[2], steps[CLRS_MAP_STEPS];
  clrs__trial *of;
} launched;

/* ---- by the device ---- */

static clrs_status make_buffer(const launched *l, size_t size, void *bytes, cl_mem *buffer,
                               clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *buffer = clCreateBuffer(l->commands.context->opencl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           size, bytes, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

static clrs_status make_buffers(launched *l, clrs_error *error) {
  clrs__trial *t = l->of;
  CLRS_TRY(make_buffer(l, t->source_bytes, t->source, &l->source, error));
  for (int i = 0; i < 2; i++) {
    CLRS_TRY(make_buffer(l, t->destination_bytes, t->destination, &l->destinations[i], error));
  }
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    if (t->has_steps[i]) {
      CLRS_TRY(make_buffer(l, sizeof t->steps[i], t->steps[i], &l->steps[i], error));
    }
  }
  return t->index_bytes > 0 ? make_buffer(l, t->index_bytes, t->indices, &l->indices, error)
                            : CLRS_OK;
}

static clrs_status read_back(const launched *l, uint32_t count, clrs_error *error) {
  const clrs__trial *t = l->of;
  for (uint32_t i = 0; i < count; i++) {
    CLRS_TRY_OPENCL("clEnqueueReadBuffer",
                    clEnqueueReadBuffer(l->queue, l->destinations[i], CL_TRUE, 0,
                                        t->destination_bytes,
                                        t->made + (size_t)i * t->destination_bytes, 0, NULL, NULL),
                    error);
  }
  return CLRS_OK;
}

/* The wait comes first, because a driver's blocking read may succeed after a failed launch. */
static clrs_status launch(const launched *l, uint32_t count, clrs_error *error) {
  CLRS_TRY(clrs__commands_run(&l->commands, l->queue, error));
  return read_back(l, count, error);
}

static clrs_status add(launched *l, uint32_t count, bool is_batched, clrs_error *error) {
  clrs_plan_buffers buffers = {.source = l->source, .indices = l->indices};
  memcpy(buffers.steps, l->steps, sizeof buffers.steps);
  for (uint32_t i = 0; i < count; i++) {
    buffers.destination = l->destinations[i];
    CLRS_TRY(is_batched ? clrs__tables_add(&l->tables, &l->commands, &l->of->plan, &buffers, error)
                        : clrs__commands_add(&l->commands, &l->of->plan, &buffers, error));
  }
  return clrs__tables_close(&l->tables, &l->commands, error);
}

static clrs_status launch_on_device(launched *l, uint32_t count, bool is_batched,
                                    clrs_error *error) {
  cl_int code = CL_SUCCESS;
  l->queue =
      clCreateCommandQueue(l->commands.context->opencl, l->commands.context->device, 0, &code);
  CLRS_TRY_OPENCL("clCreateCommandQueue", code, error);
  CLRS_TRY(make_buffers(l, error));
  CLRS_TRY(add(l, count, is_batched, error));
  return launch(l, count, error);
}

static void release(cl_mem buffer) {
  if (buffer != NULL) {
    clReleaseMemObject(buffer);
  }
}

static void leave(launched *l) {
  clrs__commands_destroy(&l->commands);
  clrs__tables_destroy(&l->tables);
  release(l->source);
  release(l->indices);
  release(l->destinations[0]);
  release(l->destinations[1]);
  for (int i = 0; i < CLRS_MAP_STEPS; i++) {
    release(l->steps[i]);
  }
  if (l->queue != NULL) {
    clReleaseCommandQueue(l->queue);
  }
}

/* ---- the trial ---- */

static size_t compare(const clrs__trial *t, uint32_t count) {
  uint32_t at = 0;
  while (at < count * t->destination_bytes &&
         t->made[at] == t->expected[at % t->destination_bytes]) {
    at++;
  }
  return at < count * t->destination_bytes ? CLRS__WRONG + at % t->destination_bytes : CLRS__PASSED;
}

static clrs_status make(const clrs_context *context, const clrs__variant *variant, clrs__trial *t,
                        clrs_error *error) {
  const clrs_device_limits limits = clrs_context_limits(context);
  return clrs__variant_is_mapped(variant)    ? clrs__trial_make_map(context, variant, t, error)
         : clrs__variant_is_indexed(variant) ? clrs__trial_make_named(&limits, variant, t, error)
                                             : clrs__trial_make_move(&limits, variant, t, error);
}

static size_t try_made(clrs_context *context, const clrs__variant *variant, clrs__trial *t) {
  const uint32_t count = variant->is_batched ? 2 : 1;
  launched l = {.commands = {.context = context, .value = t->value, .is_trial = true}, .of = t};
  clrs_error error;
  const size_t outcome = launch_on_device(&l, count, variant->is_batched, &error) == CLRS_OK
                             ? compare(t, count)
                             : CLRS__UNTRIED;
  leave(&l);
  return outcome;
}

/* Returns the outcome, and CLRS__UNTRIED if the trial could not be made. */
static size_t try_kernel(clrs_context *context, const clrs__variant *variant) {
  clrs_error error;
  clrs__trial *t = calloc(1, sizeof *t);
  const size_t outcome = t != NULL && make(context, variant, t, &error) == CLRS_OK
                             ? try_made(context, variant, t)
                             : CLRS__UNTRIED;
  if (t != NULL) {
    free(t->memory);
  }
  free(t);
  return outcome;
}

static void describe(const clrs_context *context, const clrs__variant *variant, size_t outcome,
                     char *sentence, size_t size) {
  char device[80] = "?", driver[80] = "?";
  (void)clrs__device_text(context->device, CL_DEVICE_NAME, device, sizeof device, NULL);
  (void)clrs__device_text(context->device, CL_DRIVER_VERSION, driver, sizeof driver, NULL);
  snprintf(sentence, size,
           "kernel %s for %u-bit units failed its self-test: byte %zu is wrong with driver %s of "
           "device %s",
           clrs__variant_name(variant), variant->unit_bits, outcome - CLRS__WRONG, driver, device);
}

/* A wrong kernel for groups gives up groups for the context. Plans then have kernels without. */
clrs_status clrs__self_test(clrs_context *context, const clrs__variant *variant,
                            const clrs__held_kernel *held, clrs_error *error) {
  if (!context->quirks.tests_kernels) {
    return CLRS_OK;
  }
  size_t outcome = atomic_load(&held->use->trial);
  if (outcome == CLRS__UNTRIED) {
    outcome = try_kernel(context, variant);
    atomic_store(&held->use->trial, outcome);
  }
  if (outcome < CLRS__WRONG) {
    return CLRS_OK;
  }
  clrs_self_test found;
  const bool has_other =
      clrs__variant_takes_groups(variant) && context->limits.required_class == NULL;
  if (has_other) {
    clrs__context_limit_groups(context, (CLRS_GROUP_ITEMS >> CLRS_MOST_HALVINGS) - 1);
  }
  describe(context, variant, outcome, found.sentence, sizeof found.sentence);
  return clrs__fail(error, CLRS_UNSUPPORTED, "%s; %s", found.sentence,
                    has_other ? "a plan for the context's limits, as they are now, has another "
                                "kernel"
                              : "the kernel is not used");
}

clrs_self_test clrs_context_self_test(clrs_context *context) {
  clrs_self_test found = {0};
  if (context == NULL) {
    return found;
  }
  const clrs__kernel_store *store = &context->kernels;
  found.is_on = context->quirks.tests_kernels;
  clrs__lock_take(&context->lock);
  for (size_t i = 0; i < store->count; i++) {
    const size_t outcome = atomic_load(&store->uses[i].trial);
    found.passed += outcome == CLRS__PASSED;
    found.untested += outcome == CLRS__UNTRIED;
    found.wrong += outcome >= CLRS__WRONG;
    if (outcome >= CLRS__WRONG && found.wrong == 1) {
      describe(context, &store->kernels[i].variant, outcome, found.sentence, sizeof found.sentence);
    }
  }
  clrs__lock_leave(&context->lock);
  return found;
}
