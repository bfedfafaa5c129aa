/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_command.h"

#include <string.h>

#include "dtype.h"

/* ---- through a map ---- */

enum { BYTE_BITS = 8 }; /* starts of maps count bytes */

bool clrs__map_key_has_tensors(const clrs__map_key *key) {
  bool has = false;
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    has = has || key->origins[i] == CLRS_ORIGIN_TENSOR;
  }
  return has;
}

static clrs_status add_mapped_launch(clrs__commands *commands, const clrs_plan_buffers *buffers,
                                     clrs__mapped_launch *launch, clrs_error *error) {
  clrs__command *command = NULL;
  CLRS_TRY(clrs__commands_open(commands, clrs__mapped_variant(&launch->key, launch->index_bits),
                               &command, error));
  command->bytes_written =
      clrs__bytes_of(launch->count, clrs_dtype_bits((clrs_dtype)launch->key.to));
  memcpy(command->global, launch->global, sizeof command->global);
  memcpy(command->group, launch->group, sizeof command->group);
  clrs__command_add_buffer(command, buffers->source, launch->starts[CLRS_FROM], BYTE_BITS);
  clrs__command_add_buffer(command, buffers->destination, launch->starts[CLRS_TO], BYTE_BITS);
  CLRS_TRY(clrs__command_add_words(commands, command, launch->key.is_tabled, launch->word_bytes,
                                   &launch->words, error));
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (launch->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      clrs__command_add_buffer(command, clrs__parameter_buffer(buffers, i),
                               launch->tensor_starts[i], BYTE_BITS);
    }
  }
  return CLRS_OK;
}

static clrs_status add_mapped(clrs__commands *commands, const clrs__mapped_pass *pass, uint32_t at,
                              const clrs_plan_buffers *buffers, clrs_error *error) {
  clrs__mapped_launch launch;
  launch.at = at;
  CLRS_TRY(clrs__mapped_encode(pass, &commands->context->arithmetic, &launch, error));
  return add_mapped_launch(commands, buffers, &launch, error);
}

/* ---- plans ---- */

clrs_status clrs__commands_add(clrs__commands *commands, const clrs_plan *plan,
                               const clrs_plan_buffers *buffers, clrs_error *error) {
  const clrs__plan_data *data = clrs__plan_data_in(plan);
  for (uint32_t i = 0; i < plan->launch_count; i++) {
    if (plan->outcome == CLRS_OUTCOME_MAPPED) {
      CLRS_TRY(add_mapped(commands, &data->mapped, i, buffers, error));
    } else {
      CLRS_TRY(clrs__commands_add_cut(commands, &data->cuts[i], &data->stack, buffers->source,
                                      buffers->destination, error));
    }
    if (data->in_order && i > 0) {
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
