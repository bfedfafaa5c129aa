/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_command.h"

#include <stdlib.h>
#include <string.h>

#include "dtype.h"

enum { BYTE_BITS = 8 }; /* starts of maps and indices are in bytes */

/* A kernel argument is never NULL. In place of a tensor without elements, or a missing flag,
 * another buffer is passed. The kernel does not touch that buffer. */
static cl_mem buffer_or(cl_mem buffer, cl_mem otherwise) {
  return buffer != NULL ? buffer : otherwise;
}

static cl_mem written_of(const clrs_plan_buffers *buffers) {
  return buffer_or(buffers->destination, buffers->flag);
}

static void add_indices(clrs__command *command, const clrs__planned_indices *planned,
                        const clrs_plan_buffers *buffers, uint64_t start) {
  clrs__command_add_buffer(command, buffers->indices, start, BYTE_BITS);
  clrs__command_add_buffer(command, buffer_or(buffers->flag, written_of(buffers)),
                           planned->flag.begin / sizeof(cl_uint), 8 * sizeof(cl_uint));
}

/* ---- through a map ---- */

/* Adds the words of a launch, with the taps of a resized picture behind them. */
static clrs_status add_words(clrs__commands *commands, clrs__command *command,
                             const clrs__mapped_pass *pass, clrs__mapped_launch *launch,
                             clrs_error *error) {
  if (launch->key.combine == 0) {
    return clrs__command_add_words(commands, command, launch->key.is_tabled, launch->word_bytes,
                                   &launch->words, error);
  }
  const size_t taps = clrs__mapped_tap_bytes(pass), bytes = launch->word_bytes + taps;
  unsigned char *words = malloc(bytes);
  CLRS_TRY_MEMORY(words, error, "no memory for %zu bytes of weights of a resized picture", taps);
  memcpy(words, &launch->words, launch->word_bytes);
  clrs__mapped_put_taps(pass, words + launch->word_bytes);
  const clrs_status status = clrs__command_add_words(commands, command, true, bytes, words, error);
  free(words);
  return status;
}

static clrs_status add_mapped_launch(clrs__commands *commands, const clrs_plan_buffers *buffers,
                                     const clrs__mapped_pass *pass, clrs__mapped_launch *launch,
                                     clrs__command **made, clrs_error *error) {
  CLRS_TRY(clrs__commands_open(commands, clrs__mapped_variant(&launch->key, launch->index_bits),
                               (clrs__launch_range){launch->global, launch->group}, made, error));
  clrs__command *command = *made;
  command->bytes_written =
      clrs__bytes_of(launch->count, clrs_dtype_bits((clrs_dtype)launch->key.to));
  const cl_mem written = written_of(buffers);
  clrs__command_add_buffer(command, buffer_or(buffers->source, written), launch->starts[CLRS_FROM],
                           BYTE_BITS);
  clrs__command_add_buffer(command, written, launch->starts[CLRS_TO], BYTE_BITS);
  CLRS_TRY(add_words(commands, command, pass, launch, error));
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    /* The launch's key may lack steps of colours, but the kernel gets their planes. */
    if (pass->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      clrs__command_add_buffer(command, buffer_or(buffers->steps[i], written),
                               launch->tensor_starts[i], BYTE_BITS);
    }
  }
  return CLRS_OK;
}

/* In the order of MAP_KERNEL in kernels/parameters.cl. */
static clrs_status add_mapped(clrs__commands *commands, const clrs_plan *plan, uint32_t at,
                              const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  clrs__mapped_launch launch;
  clrs__command *command = NULL;
  launch.at = at;
  launch.in_buffer = commands->context->has_few_arguments;
  CLRS_TRY(clrs__mapped_encode(&data->mapped, &commands->context->arithmetic, &launch, error));
  CLRS_TRY(add_mapped_launch(commands, buffers, &data->mapped, &launch, &command, error));
  if (launch.key.is_indexed) {
    uint64_t element;
    memcpy(&element, data->indices.element, sizeof element);
    add_indices(command, &data->indices, buffers, launch.index_start);
    clrs__command_add_argument(command, sizeof element, &element);
  }
  return CLRS_OK;
}

/* ---- by indices ---- */

/* Adds the arguments in the order of MOVE_PARAMETERS in kernels/move.cl, without the words. */
static void add_indexed_arguments(clrs__command *command, const clrs_plan *plan,
                                  const clrs_plan_buffers *buffers, const uint64_t starts[3]) {
  const clrs__planned_indices *planned = &clrs__plan_data_in(plan)->indices;
  const clrs__fill_value value = clrs__fill_value_of(planned->dtype, planned->element);
  const uint32_t unit_bits = plan->launches[0].unit_bits;
  const cl_mem written = written_of(buffers);
  clrs__command_add_buffer(command, buffer_or(buffers->source, written), starts[0], unit_bits);
  clrs__command_add_buffer(command, written, starts[1], unit_bits);
  add_indices(command, planned, buffers, starts[2]);
  clrs__command_add_argument(command, sizeof value, &value);
}

static clrs_status add_indexed(clrs__commands *commands, const clrs_plan *plan,
                               const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__cut *cut = &clrs__plan_data_in(plan)->cuts[0];
  clrs__encoded encoded;
  clrs__command *command; /* not NULL first: gcc's analyzer would believe that it stays so */
  CLRS_TRY(clrs__commands_open_cut(commands, cut, NULL, &encoded, &command, error));
  clrs__arguments *arguments = &encoded.arguments;
  add_indexed_arguments(command, plan, buffers,
                        (uint64_t[]){arguments->source_start, arguments->destination_start,
                                     cut->address.index_start});
  return clrs__command_add_words(commands, command, clrs__context_buffers_words(commands->context),
                                 arguments->move.bytes, &arguments->move.as, error);
}

static clrs_status add_any_indexed(clrs__commands *commands, const clrs_plan *plan,
                                   const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__any_indexed *pass = &clrs__plan_data_in(plan)->indexed;
  const uint64_t *bytes = pass->byte_offsets, unit_bytes = pass->unit_bits / BYTE_BITS;
  const uint32_t from = pass->key.scatters ? CLRS_LISTED : CLRS_NAMED, to = 1 - from;
  clrs__any_indexed_launch launch;
  clrs__command *command;
  const clrs_device_limits limits = clrs_context_limits(commands->context);
  clrs__any_indexed_encode(pass, &limits, &launch);
  CLRS_TRY(clrs__commands_open(commands, clrs__any_indexed_variant(&pass->key, pass->unit_bits),
                               (clrs__launch_range){launch.global, launch.group}, &command, error));
  command->bytes_written = plan->bytes_written;
  add_indexed_arguments(
      command, plan, buffers,
      (uint64_t[]){bytes[from] / unit_bytes, bytes[to] / unit_bytes, bytes[CLRS_INDEX]});
  return clrs__command_add_words(commands, command, true, launch.word_bytes, launch.words, error);
}

/* ---- plans ---- */

static clrs_status add_launch(clrs__commands *commands, const clrs_plan *plan, uint32_t at,
                              const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  return plan->outcome == CLRS_OUTCOME_MAPPED ? add_mapped(commands, plan, at, buffers, error)
         : clrs__plan_is_any_indexed(plan)    ? add_any_indexed(commands, plan, buffers, error)
         : plan->outcome == CLRS_OUTCOME_INDEXED
             ? add_indexed(commands, plan, buffers, error)
             : clrs__commands_add_cut(commands, &data->cuts[at], &data->stack, buffers->source,
                                      buffers->destination, error);
}

clrs_status clrs__commands_add(clrs__commands *commands, const clrs_plan *plan,
                               const clrs_plan_buffers *buffers, clrs_error *error) {
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    CLRS_TRY(add_launch(commands, plan, i, buffers, error));
    if (clrs__plan_data_in(plan)->in_order && i > 0) {
      clrs__commands_follow(commands);
    }
  }
  return CLRS_OK;
}

clrs_status clrs__enqueue_planned(clrs_context *context, const clrs_plan *plan,
                                  const clrs_plan_buffers *buffers, const clrs__tail *tail,
                                  clrs_error *error) {
  clrs__command list[CLRS_MAX_LAUNCHES];
  clrs__commands commands = {.context = context, .capacity = CLRS_MAX_LAUNCHES, .list = list};
  clrs_status status = clrs__commands_add(&commands, plan, buffers, error);
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&commands, tail, error);
  }
  clrs__commands_release(&commands);
  return status;
}
