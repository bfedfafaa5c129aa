/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_move.h"

#include <stdlib.h>

#include "dtype.h"
#include "plan_mapped.h"
#include "tensor_check.h"
#include "view.h"

/* ---- checks ---- */

/* What the map reads, whatever part of it. */
static clrs_status check_read(const clrs_tensor *tensor, const clrs_tensor *destination,
                              clrs_error *error) {
  if (!clrs__tensor_buffer(tensor)->readable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer of the source, or of a parameter, is CL_MEM_WRITE_ONLY; a kernel "
                      "may not read it");
  }
  return clrs__tensors_check_apart(tensor, destination, error);
}

static clrs_status check_all_read(const clrs_tensor *source, const clrs_tensor *destination,
                                  clrs_error *error) {
  const clrs__reads reads = clrs__tensor_reads(source);
  for (size_t i = 0; i < reads.count; i++) {
    CLRS_TRY(check_read(reads.tensors[i], destination, error));
  }
  return CLRS_OK;
}

/* ---- commands ---- */

enum { BYTE_BITS = 8 }; /* starts of maps count bytes */

/* Where launches go. */
typedef struct sink {
  clrs__commands *commands;
  clrs__tables *tables; /* or NULL */
  const clrs__mapped_buffers *buffers;
} sink;

static clrs_status add_launch(const sink *to, clrs__mapped_launch *launch, uint64_t bytes_written,
                              clrs_error *error) {
  clrs__command *command = NULL;
  CLRS_TRY(clrs__commands_open(to->commands, clrs__mapped_variant(&launch->key, launch->index_bits),
                               &command, error));
  command->bytes_written = bytes_written;
  for (uint32_t i = 0; i < 2; i++) {
    command->global[i] = launch->global[i];
    command->group[i] = launch->group[i];
  }
  clrs__command_add_buffer(command, to->buffers->source, launch->starts[CLRS_FROM], BYTE_BITS);
  clrs__command_add_buffer(command, to->buffers->destination, launch->starts[CLRS_TO], BYTE_BITS);
  CLRS_TRY(clrs__command_add_words(to->commands, command, launch->key.is_tabled, launch->word_bytes,
                                   &launch->words, error));
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (launch->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      clrs__command_add_buffer(command, to->buffers->parameters[i], launch->tensor_starts[i],
                               BYTE_BITS);
    }
  }
  return CLRS_OK;
}

/* Has the launch few bytes, no tensor for a parameter and no words of its own in a buffer? One row
 * of the grid must do: work-items of map_any take several elements if there are too few of them. */
static bool gains_from_company(const clrs__mapped_pass *pass, const clrs__mapped_launch *launch) {
  const int64_t bits = clrs_dtype_bits((clrs_dtype)launch->key.to);
  const bool fits_row = launch->global[1] == 1 || launch->key.geometry == CLRS__MAPPED_ANY;
  bool gains =
      fits_row && !launch->key.is_tabled && pass->pieces.count == 1 &&
      clrs__nest_count(&pass->pieces.nests[0]) <= (int64_t)CLRS__TABLE_MOST_BYTES * 8 / bits;
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    gains = gains && launch->key.origins[i] != CLRS_ORIGIN_TENSOR;
  }
  return gains;
}

static clrs_status add_row(const sink *to, const clrs__mapped_launch *launch,
                           uint64_t bytes_written, clrs_error *error) {
  clrs__table_row row = {
      .variant = clrs__mapped_variant(&launch->key, launch->index_bits),
      .source = to->buffers->source,
      .destination = to->buffers->destination,
      .source_start = launch->starts[CLRS_FROM],
      .destination_start = launch->starts[CLRS_TO],
      .bytes_written = bytes_written,
      .items = launch->global[0],
      .group = launch->group[0],
      .words = &launch->words,
      .word_bytes = launch->word_bytes,
  };
  row.variant.is_batched = true;
  return clrs__tables_add_row(to->tables, &row, error);
}

/* Packed destinations share bytes, so one launch follows the other. */
static clrs_status add_piece(const sink *to, const clrs__mapped_pass *pass, uint32_t at,
                             clrs__mapped_launch *launch, clrs_error *error) {
  const uint64_t bytes = clrs__bytes_of(clrs__nest_count(&pass->pieces.nests[at]),
                                        clrs_dtype_bits((clrs_dtype)pass->key.to));
  CLRS_TRY(clrs__mapped_encode(pass, at, launch, error));
  if (to->tables != NULL && gains_from_company(pass, launch)) {
    return add_row(to, launch, bytes, error);
  }
  CLRS_TRY(add_launch(to, launch, bytes, error));
  if (at > 0 && clrs_dtype_bits((clrs_dtype)pass->key.to) < 8) {
    clrs__commands_follow(to->commands);
  }
  return CLRS_OK;
}

static clrs_status add_pieces(const sink *to, const clrs__mapped_pass *pass, clrs_error *error) {
  clrs__mapped_launch *launch = malloc(sizeof *launch);
  if (launch == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a launch");
  }
  clrs_status status = CLRS_OK;
  for (uint32_t i = 0; status == CLRS_OK && i < pass->pieces.count; i++) {
    status = add_piece(to, pass, i, launch, error);
  }
  free(launch);
  return status;
}

clrs_status clrs__commands_add_pass(clrs__commands *commands, clrs__tables *tables,
                                    const clrs__mapped_move *move,
                                    const clrs__mapped_buffers *buffers, clrs_error *error) {
  const sink to = {commands, tables, buffers};
  clrs__mapped_pass *pass = malloc(sizeof *pass);
  if (pass == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a mapped move");
  }
  clrs_status status = clrs__mapped_plan(move, pass, error);
  if (status == CLRS_OK) {
    status = add_pieces(&to, pass, error);
  }
  free(pass);
  return status;
}

/* ---- of tensors ---- */

static clrs__mapped_move move_of(const clrs_tensor *source, const clrs_view *seen,
                                 const clrs_operand *destination) {
  const clrs__mapping *mapping = clrs__tensor_mapping(source);
  clrs__mapped_move move = {.map = &mapping->mapped.map,
                            .views = &mapping->mapped.views,
                            .seen = seen,
                            .source = clrs__tensor_operand(mapping->source),
                            .destination = *destination,
                            .limits = clrs__context_limits(clrs__tensor_context(source)),
                            .arithmetic = mapping->arithmetic};
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (mapping->tensors[i] != NULL) {
      move.parameters[i] = clrs__tensor_operand(mapping->tensors[i]);
    }
  }
  return move;
}

static clrs__mapped_buffers buffers_of(const clrs__mapped_part *moved) {
  const clrs__mapping *mapping = clrs__tensor_mapping(moved->source);
  clrs__mapped_buffers buffers = {.source = clrs__tensor_buffer(mapping->source)->root,
                                  .destination = clrs__tensor_buffer(moved->destination)->root};
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (mapping->tensors[i] != NULL) {
      buffers.parameters[i] = clrs__tensor_buffer(mapping->tensors[i])->root;
    }
  }
  return buffers;
}

clrs_status clrs__commands_add_mapped(clrs__commands *commands, clrs__tables *tables,
                                      const clrs__mapped_part *moved, clrs_error *error) {
  clrs_operand destination = clrs__tensor_operand(moved->destination);
  destination.view = moved->part;
  const clrs__mapped_move move = move_of(moved->source, moved->seen, &destination);
  CLRS_TRY(clrs__mapped_move_check(&move, error));
  if (clrs__view_is_empty(moved->seen)) {
    return CLRS_OK;
  }
  CLRS_TRY(clrs__tensor_check_written(moved->destination, error));
  CLRS_TRY(check_all_read(moved->source, moved->destination, error));
  const clrs__mapped_buffers buffers = buffers_of(moved);
  return clrs__commands_add_pass(commands, tables, &move, &buffers, error);
}

clrs_status clrs__enqueue_mapped(clrs_context *context, const clrs_tensor *source,
                                 const clrs_view *seen, const clrs_tensor *destination,
                                 const clrs__tail *tail, clrs_error *error) {
  const clrs__mapped_part moved = {source, seen, destination, clrs_tensor_view(destination)};
  clrs__commands commands = {.context = context};
  clrs_status status = clrs__commands_add_mapped(&commands, NULL, &moved, error);
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&commands, tail, error);
  }
  clrs__commands_destroy(&commands);
  return status;
}

/* ---- plans ---- */

clrs_status clrs__tensor_plan_mapped(const clrs_tensor *source, const clrs_tensor *destination,
                                     clrs_copy_policy policy, clrs_plan *plan, clrs_error *error) {
  const clrs_operand to =
      destination != NULL ? clrs__tensor_operand(destination) : (clrs_operand){.view = NULL};
  const clrs__mapped_move move = move_of(source, clrs_tensor_view(source), &to);
  if (destination == NULL) {
    return clrs__plan_mapped_result(&move, policy, plan, error);
  }
  CLRS_TRY(clrs__plan_mapped(&move, plan, error));
  CLRS_TRY(clrs__tensor_check_written(destination, error));
  return check_all_read(source, destination, error);
}
