/* SPDX-License-Identifier: Apache-2.0 */
#include "self_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "cursor.h"
#include "examples.h"
#include "work_size.h"

typedef struct trial {
  clrs__commands commands;
  cl_command_queue queue;
  cl_mem source, destination;
  clrs__nest nest; /* the units to move */
  clrs__cut cut;
  clrs_view stack;
  uint32_t bytes;                        /* of a buffer */
  unsigned char *read, *expected, *made; /* the source, and the destination by host and device */
} trial;

/* ---- the case ---- */

/* Finds a cut that launches exactly this variant. */
static bool find_cut(const clrs_device_limits *limits, const clrs__variant *variant, trial *t) {
  bool found = false;
  for (int at = 0; !found && at < CLRS__TRIALS; at++) {
    clrs__encoded encoded;
    if (clrs__variant_trial(variant, limits, &t->stack, at, &t->nest, &t->cut)) {
      clrs__cut_limit_items(limits, &t->cut);
      clrs__encode(limits, &t->cut, &t->stack, false, &encoded);
      found = clrs__variant_equal(encoded.variant, *variant);
    }
  }
  return found;
}

/* Fills the source and the destination with different patterns. A fill writes the source's first
 * unit. */
static void draw_pattern(trial *t) {
  const uint32_t bits = t->cut.unit_bits;
  for (uint32_t i = 0; i < t->bytes; i++) {
    t->read[i] = (unsigned char)(i * 167 + i / 256 * 59 + 13);
    t->expected[i] = (unsigned char)(i * 29 + 128);
  }
  t->read[0] = bits < 8 ? 0xFF : t->read[0];
  for (size_t i = 0; i < sizeof t->commands.value.bytes; i++) {
    t->commands.value.bytes[i] = t->read[bits < 8 ? 0 : i % (bits / 8)];
  }
}

/* ---- by the host ---- */

static void move_unit(const trial *t, uint32_t from, uint32_t to) {
  const uint32_t bits = t->cut.unit_bits, source = from * bits, destination = to * bits;
  if (bits >= 8) {
    memcpy(t->expected + destination / 8, t->read + source / 8, bits / 8);
    return;
  }
  const uint32_t turn = t->cut.msb_first ? 8 - bits : 0, mask = (1u << bits) - 1;
  const uint32_t unit = t->read[source / 8] >> (source % 8 ^ turn) & mask;
  const uint32_t place = destination % 8 ^ turn;
  unsigned char *byte = &t->expected[destination / 8];
  *byte = (unsigned char)((*byte & ~(mask << place)) | unit << place);
}

/* `places` are the places of the stack's positions, or NULL. */
static void move_units(const trial *t, const int64_t *places) {
  const clrs__nest *nest = &t->nest;
  const int count = (int)clrs__nest_count(nest);
  for (int k = 0; k < count; k++) {
    int from = (int)nest->source_offset, to = (int)nest->destination_offset, rest = k;
    for (uint32_t i = nest->axis_count; i > 0; i--) {
      const clrs__nest_axis *axis = &nest->axes[i - 1];
      from += rest % (int)axis->extent * (int)axis->source_stride;
      to += rest % (int)axis->extent * (int)axis->destination_stride;
      rest /= (int)axis->extent;
    }
    move_unit(t, (uint32_t)(places != NULL ? places[from] : from), (uint32_t)to);
  }
}

static clrs_status move_on_host(const trial *t, clrs_error *error) {
  if (t->cut.from != CLRS__FROM_STACK) {
    move_units(t, NULL);
    return CLRS_OK;
  }
  int64_t *places = malloc(CLRS__TRIAL_UNITS * sizeof *places);
  CLRS_TRY_MEMORY(places, error, "no memory for a self-test");
  clrs__cursor cursor;
  clrs__cursor_start(&cursor, &t->stack);
  for (int i = 0; i < CLRS__TRIAL_UNITS; i++) {
    places[i] = clrs__cursor_next(&cursor);
  }
  move_units(t, places);
  free(places);
  return CLRS_OK;
}

/* ---- by the device ---- */

static clrs_status make_buffer(const trial *t, void *bytes, cl_mem *buffer, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  *buffer = clCreateBuffer(t->commands.context->opencl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           t->bytes, bytes, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

/* The wait comes first, because a driver's blocking read may succeed after a failed launch. */
static clrs_status launch(const trial *t, clrs_error *error) {
  cl_event event = NULL;
  const clrs__tail tail = {t->queue, 0, NULL, &event};
  CLRS_TRY(clrs__commands_enqueue(&t->commands, &tail, error));
  const cl_int code = clWaitForEvents(1, &event);
  clReleaseEvent(event);
  CLRS_TRY_OPENCL("clWaitForEvents", code, error);
  CLRS_TRY_OPENCL(
      "clEnqueueReadBuffer",
      clEnqueueReadBuffer(t->queue, t->destination, CL_TRUE, 0, t->bytes, t->made, 0, NULL, NULL),
      error);
  return CLRS_OK;
}

static clrs_status move_on_device(trial *t, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  CLRS_TRY(make_buffer(t, t->read, &t->source, error));
  CLRS_TRY(make_buffer(t, t->expected, &t->destination, error));
  t->queue =
      clCreateCommandQueue(t->commands.context->opencl, t->commands.context->device, 0, &code);
  CLRS_TRY_OPENCL("clCreateCommandQueue", code, error);
  CLRS_TRY(
      clrs__commands_add_cut(&t->commands, &t->cut, &t->stack, t->source, t->destination, error));
  return launch(t, error);
}

/* ---- the trial ---- */

static clrs_status run(trial *t, clrs_error *error) {
  t->bytes = CLRS__TRIAL_UNITS * t->cut.unit_bits / 8;
  t->read = malloc((size_t)3 * t->bytes);
  CLRS_TRY_MEMORY(t->read, error, "no memory for a self-test");
  t->expected = t->read + t->bytes;
  t->made = t->expected + t->bytes;
  draw_pattern(t);
  CLRS_TRY(move_on_device(t, error));
  return move_on_host(t, error);
}

static void leave(trial *t) {
  clrs__commands_destroy(&t->commands);
  if (t->source != NULL) {
    clReleaseMemObject(t->source);
  }
  if (t->destination != NULL) {
    clReleaseMemObject(t->destination);
  }
  if (t->queue != NULL) {
    clReleaseCommandQueue(t->queue);
  }
  free(t->read);
}

static size_t compare(const trial *t) {
  uint32_t at = 0;
  while (at < t->bytes && t->made[at] == t->expected[at]) {
    at++;
  }
  return at < t->bytes ? CLRS__WRONG + at : CLRS__PASSED;
}

/* Returns the outcome, and CLRS__UNTRIED if the trial could not be made. */
static size_t try_kernel(clrs_context *context, const clrs__variant *variant) {
  clrs_error error;
  trial t = {.commands = {.context = context, .is_trial = true}};
  const clrs_device_limits limits = clrs_context_limits(context);
  if (clrs__trial_stack(variant->level_axes > CLRS__FEW_LEVEL_AXES, &t.stack, &error) != CLRS_OK ||
      !find_cut(&limits, variant, &t)) {
    return CLRS__UNTRIED;
  }
  const size_t outcome = run(&t, &error) == CLRS_OK ? compare(&t) : CLRS__UNTRIED;
  leave(&t);
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

/* Returns true if the self-test can try kernels of this kind. */
static bool is_covered(const clrs__variant *variant) {
  return !clrs__variant_is_mapped(variant) && !clrs__variant_is_indexed(variant) &&
         !variant->is_batched;
}

/* A wrong kernel for groups gives up groups for the context. Plans then have kernels without. */
clrs_status clrs__self_test(clrs_context *context, const clrs__variant *variant,
                            const clrs__held_kernel *held, clrs_error *error) {
  if (!context->quirks.tests_kernels || !is_covered(variant)) {
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
    clrs__context_limit_groups(context, CLRS_GROUP_ITEMS / 2);
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
