/*
 * The negative matrix of the functions with a device: the default arguments of a row, and the
 * conditions after a failed call.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

#include "harness/fault_layer.h"

/* ---- what is given ---- */

static void point_outputs(arguments *a) {
  static clrs_plan plan; /* undefined after a failure, so not compared */
  static char name[CLRS_PROGRAMS_NAME_BYTES];
  static size_t size; /* the size of a blob is written even if the buffer is too small */
  a->report_out = &a->made.report;
  a->context_out = &a->made.context;
  a->tensor_out = &a->made.tensor;
  a->result_out = &a->made.result;
  a->work_out = &a->made.work;
  a->pattern_out = &a->made.pattern;
  a->bytes_out = &a->made.bytes;
  a->event_out = &a->made.event;
  a->managed_out = &a->made.managed;
  a->managed__versioned_out = &a->made.versioned;
  a->count_out = &w.character_count;
  a->plan_out = &plan;
  a->size_out = &size;
  a->name_out = name;
}

static void point_inputs(arguments *a) {
  a->options = &a->one_options;
  a->storage = &a->one_storage;
  a->shared = &a->one_shared;
  a->layout = &a->one_layout;
  a->shape = &a->one_shape;
  a->view = &a->one_view;
  a->map = &a->one_map;
  a->tensors = &a->one_tensors;
  a->rules = &a->one_rules;
  a->pattern = &a->one_pattern;
  a->slots = a->given;
  a->mapped = &a->one_mapped;
  a->padding = &a->one_padding;
  a->stack = &a->one_stack;
  a->indices = &a->one_indices;
  a->managed = &a->one_managed;
  a->managed__versioned = &a->one_versioned;
  a->dims = a->one_list;
  a->sources = a->halves;
}

/* A move from [6, 4], transposed, to [6, 4], dense. */
static void set_values(arguments *a) {
  static const clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  a->one_options = options;
  a->one_options.context = w.device.context;
  a->one_options.device = w.device.device;
  a->one_storage = (clrs_storage){w.source, 0};
  a->one_shared = (clrs_shared_memory){w.shared, sizeof w.shared, 0};
  a->one_layout = (clrs_layout){CLRS_F32, 2, {4, 6}, {6, 1}, 0};
  a->one_shape = (clrs_shape){2, {4, 6}};
  a->one_view = *clrs_tensor_view(w.other_shape);
  a->one_map = world_map();
  a->one_tensors = (clrs_parameter_tensors){.steps = {NULL}};
  a->one_pattern = (clrs_pattern){CLRS_ONNX, CLRS_ZERO_COPIES, 2, {8, -1}};
  a->one_list[0] = 2;
  a->one_rules = (clrs_rules){CLRS_ONNX, CLRS_ZERO_COPIES};
  a->halves[0] = a->halves[1] = w.half;
  a->given[0] = (clrs_slot){.storage = {w.source, 0}};
  a->given[1] = (clrs_slot){.storage = {w.destination, 8}, .advance = 2};
  a->one_padding = (clrs_padding){.element = &w.poison};
  for (size_t i = 0; i < sizeof a->rows / sizeof *a->rows; i++)
    a->rows[i] = w.row;
  a->one_on = (clrs_on){.queue = w.device.queue};
  a->one_stack = (clrs_stack){6, a->rows, NULL, NULL, &w.poison};
  a->one_indices = (clrs_indices){.tensor = w.index, .element = &w.poison, .flag = w.flag};
}

static long alive_before;

static void reset(arguments *a) {
  alive_before = fault_layer_alive();
  w.deletions = 0;
  memset(a, MATRIX_POISON, sizeof *a);
  point_outputs(a);
  point_inputs(a);
  set_values(a);
  w.character_count = 0;
  a->context = w.library;
  a->device = w.device.device;
  a->kernel_class = "gpu_any";
  a->unit_bits = 32;
  a->blob = w.blob;
  a->size = w.blob_size;
  a->dtype = CLRS_F32;
  a->tensor = a->source = w.transposed;
  a->destination = w.target;
  a->plan_buffers = (clrs_plan_buffers){.source = w.source, .destination = w.destination};
  a->buffers__plan = &a->plan_buffers;
  a->policy = CLRS_COPY_ALWAYS;
  a->work = w.work;
  a->slot = 0;
  a->slot_count = 2;
  a->plan = &w.plan;
  a->element = &w.poison;
  a->memory = w.read;
  a->axis = 0;
  a->device_id = 0;
  a->queue = w.device.queue;
  a->on = &a->one_on;
  a->wait_count = 0;
  a->waits = NULL;
}

/* ---- what is found ---- */

static void settle(arguments *a) {
  if (matrix_was_made(a->made.event))
    device_finish_event(a->made.event);
  CL_OK(clFinish(w.device.queue));
  if (matrix_was_made(a->made.context))
    clrs_context_release(a->made.context);
  if (matrix_was_made(a->made.managed))
    a->made.managed->deleter(a->made.managed);
  if (matrix_was_made(a->made.versioned))
    a->made.versioned->deleter(a->made.versioned);
  if (matrix_was_made(a->made.tensor))
    clrs_tensor_release(a->made.tensor);
  if (matrix_was_made(a->made.result))
    clrs_tensor_release(a->made.result);
  if (matrix_was_made(a->made.work))
    clrs_work_release(a->made.work);
  device_write(&w.device, w.destination, WORLD_BYTES, w.poison);
}

/* Neither buffer is written, and no object is left over. */
static const char *harm(arguments *a) {
  unsigned char got[WORLD_BYTES];
  cl_mem const buffers[] = {w.source, w.destination};
  (void)a;
  CL_OK(clFinish(w.device.queue));
  for (size_t i = 0; i < 2; i++) {
    device_read(&w.device, buffers[i], WORLD_BYTES, got);
    if (memcmp(got, w.poison, WORLD_BYTES) != 0)
      return i == 0 ? "the source's bytes" : "the destination's bytes";
  }
  return w.deletions > 0                      ? "a refused tensor was given back"
         : fault_layer_alive() > alive_before ? "an object is left over"
                                              : NULL;
}

int main(int count, char **words) {
  const matrix_world world = {sizeof(arguments), reset,      harm,       settle,
                              device_missing,    world_open, world_close};
  return matrix_main(&world, count, words);
}
