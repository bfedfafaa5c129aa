/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"

#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "dtype.h"
#include "self_test.h"
#include "work_size.h"

/* ---- making commands ---- */

/* Repeats the element to the width of the widest unit. A packed element is first repeated within
 * its byte. */
clrs__fill_value clrs__fill_value_of(clrs_dtype dtype, const void *element) {
  const uint32_t bits = clrs_dtype_bits(dtype);
  const size_t bytes = bits < 8 ? 1 : bits / 8;
  clrs__fill_value value;
  uint8_t packed = 0;
  memcpy(&packed, element, 1);
  packed = (uint8_t)(packed & ((1u << (bits < 8 ? bits : 8)) - 1));
  for (uint32_t filled = bits; filled < 8; filled += bits) {
    packed = (uint8_t)(packed | packed << bits);
  }
  for (size_t i = 0; i < sizeof value.bytes; i++) {
    value.bytes[i] = bits < 8 ? packed : ((const uint8_t *)element)[i % bytes];
  }
  return value;
}

void clrs__encode(const clrs_device_limits *limits, const clrs__cut *cut, const clrs_view *stack,
                  bool in_table, clrs__encoded *encoded) {
  const clrs__range range = clrs__cut_range(cut, limits);
  encoded->variant = in_table ? clrs__batch_variant(cut) : clrs__cut_variant(cut);
  if (range.loops) {
    clrs__variant_make_loop(&encoded->variant);
  }
  encoded->bytes_written = clrs__bytes_of(clrs__nest_count(&cut->nest), cut->unit_bits);
  clrs__cut_encode(cut, stack, encoded->variant.nest_axes, &encoded->arguments);
  for (uint32_t i = 0; i < 2; i++) {
    encoded->global[i] = (size_t)range.global[i];
    encoded->group[i] = (size_t)range.group[i];
  }
}

/* Fits *items, the size of a group and a power of two, to the kernel. */
static clrs_status fit_group(clrs_context *context, const clrs__variant *variant,
                             const clrs__held_kernel *held, size_t *items, clrs_error *error) {
  if (*items > held->most_items && clrs__variant_takes_groups(variant)) {
    clrs__context_limit_groups(context, held->most_items);
    atomic_store(&held->use->trial, CLRS__UNUSED);
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "kernel %s needs work-groups of %zu items, and the driver allows %zu; a plan "
                      "for the context's limits, as they are now, has another kernel",
                      clrs__variant_name(variant), *items, held->most_items);
  }
  while (*items > held->most_items && *items > 1) {
    *items /= 2;
  }
  return CLRS_OK;
}

/* Finds the kernel. *items shrinks to a size that the driver allows. A plan that needs no groups of
 * that kernel may take the place of a kernel that does not fit or is wrong. */
static clrs_status find_kernel(const clrs__commands *commands, clrs__variant variant, size_t *items,
                               clrs__held_kernel *held, clrs_error *error) {
  clrs_context *context = commands->context;
  CLRS_TRY(clrs__context_kernel(context, variant, held, error));
  clrs_status status = fit_group(context, &variant, held, items, error);
  if (status == CLRS_OK && !commands->is_trial) {
    status = clrs__self_test(context, &variant, held, error);
  }
  if (status != CLRS_OK) {
    clrs__held_kernel_give_back(held);
  }
  return status;
}

clrs_status clrs__commands_open(clrs__commands *commands, clrs__variant variant,
                                clrs__launch_range range, clrs__command **opened,
                                clrs_error *error) {
  clrs__held_kernel held;
  size_t items = range.group[0];
  CLRS_TRY(find_kernel(commands, variant, &items, &held, error));
  clrs__command *list =
      clrs__array_grow(commands->list, commands->count, &commands->capacity, sizeof *list);
  if (list == NULL) {
    clrs__held_kernel_give_back(&held);
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for another command");
  }
  commands->list = list;
  clrs__command *command = &list[commands->count];
  if (commands->in_order) {
    clrs__commands_begin_stage(commands);
  }
  command->held = held;
  command->launch =
      (clrs_launch){clrs_class_name(variant.kernel_class), variant.unit_bits, variant.index_bits};
  command->moves = 1;
  memcpy(command->global, range.global, sizeof command->global);
  command->group[0] = items;
  command->group[1] = range.group[1];
  command->awaited_from = commands->stage_before;
  command->awaited_to = commands->stage;
  command->argument_count = command->entrance_count = 0;
  command->table = NULL;
  commands->count++;
  *opened = command;
  return CLRS_OK;
}

/* Does nothing if the current stage is empty. Otherwise later commands would wait for nothing. */
void clrs__commands_begin_stage(clrs__commands *commands) {
  if (commands->count > commands->stage) {
    commands->stage_before = commands->stage;
    commands->stage = commands->count;
  }
}

/* The awaited command itself waits for the earlier stage, so waiting for that command is enough. */
void clrs__commands_follow(clrs__commands *commands) {
  clrs__command *last = &commands->list[commands->count - 1];
  last->awaited_from = commands->count - 2;
  last->awaited_to = commands->count - 1;
}

/* The number of words in front of the next argument. Each argument starts on a whole word, because
 * drivers may read an argument in place. */
static uint32_t words_before(const clrs__command *command) {
  uint32_t words = 0;
  for (uint32_t i = 0; i < command->argument_count; i++) {
    words += (uint32_t)(command->argument_sizes[i] + 7) / 8;
  }
  return words;
}

uint32_t clrs__command_add_argument(clrs__command *command, size_t size, const void *value) {
  const uint32_t word = words_before(command);
  memcpy(&command->arguments[word], value, size);
  command->argument_sizes[command->argument_count++] = size;
  return word;
}

void clrs__command_add_buffer(clrs__command *command, cl_mem buffer, uint64_t start,
                              uint32_t unit_bits) {
  clrs__entrance *entrance = &command->entrances[command->entrance_count++];
  *entrance = (clrs__entrance){.buffer = buffer, .start = start, .unit_bits = unit_bits};
  entrance->buffer_word = clrs__command_add_argument(command, sizeof buffer, &buffer);
  entrance->start_word = clrs__command_add_argument(command, sizeof start, &start);
}

clrs_status clrs__command_add_words(clrs__commands *commands, clrs__command *command, bool in_table,
                                    size_t size, void *words, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  if (!in_table) {
    clrs__command_add_argument(command, size, words);
    return CLRS_OK;
  }
  command->table = clCreateBuffer(commands->context->opencl,
                                  CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, words, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  clrs__command_add_argument(command, sizeof command->table, &command->table);
  return CLRS_OK;
}

/* Adds the arguments in the order of the kernels: source, destination, words. */
static clrs_status add_arguments(clrs__commands *commands, clrs__command *command,
                                 clrs__encoded *encoded, cl_mem source, cl_mem destination,
                                 clrs_error *error) {
  clrs__arguments *arguments = &encoded->arguments;
  const uint32_t unit_bits = encoded->variant.unit_bits;
  if (source != NULL) {
    clrs__command_add_buffer(command, source, arguments->source_start, unit_bits);
  }
  clrs__command_add_buffer(command, destination, arguments->destination_start, unit_bits);
  return clrs__command_add_words(commands, command, clrs__context_buffers_words(commands->context),
                                 arguments->move.bytes, &arguments->move.as, error);
}

clrs_status clrs__commands_open_cut(clrs__commands *commands, const clrs__cut *cut,
                                    const clrs_view *stack, clrs__encoded *encoded,
                                    clrs__command **opened, clrs_error *error) {
  const clrs_device_limits limits = clrs_context_limits(commands->context);
  clrs__encode(&limits, cut, stack, false, encoded);
  const clrs__launch_range range = {encoded->global, encoded->group};
  CLRS_TRY(clrs__commands_open(commands, encoded->variant, range, opened, error));
  (*opened)->bytes_written = encoded->bytes_written;
  return CLRS_OK;
}

clrs_status clrs__commands_add_cut(clrs__commands *commands, const clrs__cut *cut,
                                   const clrs_view *stack, cl_mem source, cl_mem destination,
                                   clrs_error *error) {
  const bool fills = cut->from == CLRS__FROM_VALUE;
  clrs__encoded encoded;
  clrs__command *command; /* not NULL first: gcc's analyzer would believe that it stays so */
  CLRS_TRY(clrs__commands_open_cut(commands, cut, stack, &encoded, &command, error));
  if (fills) {
    clrs__command_add_argument(command, sizeof commands->value, &commands->value);
  }
  return add_arguments(commands, command, &encoded, fills ? NULL : source, destination, error);
}

void clrs__commands_release(clrs__commands *commands) {
  for (size_t i = 0; i < commands->count; i++) {
    clrs__held_kernel_give_back(&commands->list[i].held);
    if (commands->list[i].table != NULL) {
      clReleaseMemObject(commands->list[i].table);
    }
  }
}

void clrs__commands_destroy(clrs__commands *commands) {
  clrs__commands_release(commands);
  free(commands->list);
}

/* ---- enqueuing them ---- */

static clrs_status set_arguments(const clrs__command *command, clrs_error *error) {
  const uint64_t *value = command->arguments;
  for (cl_uint i = 0; i < command->argument_count; i++) {
    const size_t size = command->argument_sizes[i];
    CLRS_TRY_OPENCL("clSetKernelArg", clSetKernelArg(command->held.kernel, i, size, value), error);
    value += (size + 7) / 8;
  }
  return CLRS_OK;
}

static clrs_status set_and_enqueue(const clrs__command *command, const clrs__tail *tail,
                                   cl_event *event, clrs_error *error) {
  CLRS_TRY(set_arguments(command, error));
  CLRS_TRY_OPENCL("clEnqueueNDRangeKernel",
                  clEnqueueNDRangeKernel(tail->queue, command->held.kernel, 2, NULL,
                                         command->global, command->group, tail->wait_count,
                                         tail->wait_list, event),
                  error);
  return CLRS_OK;
}

/* The event belongs to the tail, or to the observer's call alone. */
static void tell_observer(const clrs__commands *commands, size_t number, const clrs__tail *tail,
                          cl_event event) {
  const clrs_observer *observer = &commands->context->observer;
  const clrs__command *command = &commands->list[number];
  const clrs_launched launched = {.launch = command->launch,
                                  .queue = tail->queue,
                                  .event = event,
                                  .bytes_written = command->bytes_written,
                                  .moves = command->moves,
                                  .number = number,
                                  .count = commands->count};
  observer->observe(observer->user_data, &launched);
  if (tail->event == NULL) {
    clReleaseEvent(event);
  }
}

/* Arguments are set and the kernel is enqueued under the lock, because kernel objects are
 * shared. */
static clrs_status enqueue_one(const clrs__commands *commands, size_t number,
                               const clrs__tail *tail, clrs_error *error) {
  clrs_context *context = commands->context;
  const bool is_observed = context->observer.observe != NULL && !commands->is_trial;
  cl_event event = NULL, *asked = tail->event != NULL || is_observed ? &event : NULL;
  clrs__lock_take(&context->lock);
  const clrs_status status = set_and_enqueue(&commands->list[number], tail, asked, error);
  clrs__lock_leave(&context->lock);
  if (status == CLRS_OK && tail->event != NULL) {
    *tail->event = event;
  }
  if (status == CLRS_OK && is_observed) {
    tell_observer(commands, number, tail, event);
  }
  return status;
}

/* Returns true if each command waits for the command before it. */
static bool all_follow(const clrs__commands *commands) {
  size_t at = 1;
  while (at < commands->count && commands->list[at].awaited_to == at) {
    at++;
  }
  return at == commands->count;
}

/* Gives one event for all commands. If each command waits for the command before it, the last
 * command's event is the call's event. That event is taken out of the held events. */
static clrs_status enqueue_end(const clrs__commands *commands, const clrs__tail *tail,
                               const cl_event *events, size_t *done, clrs_error *error) {
  if (all_follow(commands)) {
    if (tail->event != NULL) {
      *tail->event = events[--*done];
    }
    return CLRS_OK;
  }
  clrs__tail all = *tail;
  bool last_only;
  CLRS_TRY(clrs__quirks_mark_last_only(&commands->context->quirks, tail->queue, &last_only, error));
  all.wait_count = last_only ? 1 : (cl_uint)*done;
  all.wait_list = last_only ? &events[*done - 1] : events;
  return clrs__enqueue_marker(&all, error);
}

static clrs_status enqueue_each(const clrs__commands *commands, const clrs__tail *tail,
                                cl_event *events, size_t *done, clrs_error *error) {
  for (; *done < commands->count; ++*done) {
    const clrs__command *command = &commands->list[*done];
    clrs__tail one = *tail;
    one.event = &events[*done];
    if (command->awaited_to > command->awaited_from) {
      one.wait_count = (cl_uint)(command->awaited_to - command->awaited_from);
      one.wait_list = &events[command->awaited_from];
    }
    CLRS_TRY(enqueue_one(commands, *done, &one, error));
  }
  return enqueue_end(commands, tail, events, done, error);
}

clrs_status clrs__commands_enqueue(const clrs__commands *commands, const clrs__tail *tail,
                                   clrs_error *error) {
  const size_t count = commands->count;
  if (count == 0) {
    return clrs__enqueue_marker(tail, error);
  }
  if (count == 1) {
    return enqueue_one(commands, 0, tail, error);
  }
  cl_event *events = calloc(count, sizeof *events);
  CLRS_TRY_MEMORY(events, error, "no memory for %zu events", count);
  size_t done = 0;
  const clrs_status status = enqueue_each(commands, tail, events, &done, error);
  if (status != CLRS_OK && done > 0) {
    clrs__append(error, "; %zu of %zu launches were enqueued before it and may write", done, count);
  }
  clrs__context_hold_events(commands->context, done, events);
  free(events);
  return status;
}

clrs_status clrs__commands_run(const clrs__commands *commands, cl_command_queue queue,
                               clrs_error *error) {
  cl_event event = NULL;
  const clrs__tail tail = {queue, 0, NULL, &event};
  CLRS_TRY(clrs__commands_enqueue(commands, &tail, error));
  const cl_int code = clWaitForEvents(1, &event);
  clReleaseEvent(event);
  CLRS_TRY_OPENCL("clWaitForEvents", code, error);
  return CLRS_OK;
}
