/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped_move.h"

#include <stdlib.h>

#include "dtype.h"
#include "overlap.h"
#include "tensor_check.h"
#include "view.h"

/* ---- checks ---- */

static clrs_status check_shape(const clrs_view *source, const clrs_view *destination,
                               clrs_error *error) {
  if (!clrs_shape_equal(&source->shape, &destination->shape)) {
    return clrs__fail(error, CLRS_COUNT_MISMATCH, "the source is %s and the destination %s",
                      clrs__dims_text(source->shape.rank, source->shape.dims).text,
                      clrs__dims_text(destination->shape.rank, destination->shape.dims).text);
  }
  if (source->dtype != destination->dtype) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is mapped to %s and the destination %s; a move converts only as "
                      "its source is mapped",
                      clrs__dtype_text(source->dtype), clrs__dtype_text(destination->dtype));
  }
  return CLRS_OK;
}

static clrs_status check_straddling(clrs_dtype dtype, clrs_error *error) {
  return clrs__dtype_straddles_bytes(dtype)
             ? clrs__fail(error, CLRS_UNSUPPORTED,
                          "%s elements lie across bytes; only views of them are offered",
                          clrs__dtype_text(dtype))
             : CLRS_OK;
}

/* A stack meets itself only if one of its walks does. */
static clrs_status check_destination(const clrs_tensor *destination, const clrs_view *part,
                                     clrs_error *error) {
  if (!clrs__tensor_buffer(destination)->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the destination's buffer is CL_MEM_READ_ONLY; a kernel may not write it");
  }
  for (uint32_t level = 0; level < part->depth; level++) {
    clrs__walk walk;
    clrs__view_level(part, level, &walk);
    if (clrs__walk_overlaps_itself(&walk)) {
      return clrs__fail(error, CLRS_OVERLAP,
                        "two elements of the destination %s lie at one position",
                        clrs__dims_text(part->shape.rank, part->shape.dims).text);
    }
  }
  return CLRS_OK;
}

/* What the map reads, whatever part of it. */
static clrs_status check_read(const clrs_tensor *tensor, const clrs_tensor *destination,
                              clrs_error *error) {
  if (tensor == NULL) {
    return CLRS_OK;
  }
  if (!clrs__tensor_buffer(tensor)->readable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the buffer of the source, or of a parameter, is CL_MEM_WRITE_ONLY; a kernel "
                      "may not read it");
  }
  return clrs__tensors_check_apart(tensor, destination, error);
}

static clrs_status check_all_read(const clrs__mapping *mapping, const clrs_tensor *destination,
                                  clrs_error *error) {
  CLRS_TRY(check_read(mapping->source, destination, error));
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    CLRS_TRY(check_read(mapping->tensors[i], destination, error));
  }
  return CLRS_OK;
}

/* ---- commands ---- */

static void add_buffer(clrs__command *command, cl_mem buffer, uint64_t start) {
  clrs__command_add_argument(command, sizeof buffer, &buffer);
  clrs__command_add_argument(command, sizeof start, &start);
}

/* The words, or a buffer of them, which the list holds. */
static clrs_status add_words(clrs__commands *commands, clrs__command *command,
                             clrs__mapped_launch *launch, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  if (!launch->key.is_tabled) {
    clrs__command_add_argument(command, launch->word_bytes, &launch->words);
    return CLRS_OK;
  }
  command->table = clCreateBuffer(clrs__context_opencl(commands->context),
                                  CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, launch->word_bytes,
                                  &launch->words, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  clrs__command_add_argument(command, sizeof command->table, &command->table);
  return CLRS_OK;
}

static clrs_status add_launch(clrs__commands *commands, const clrs__mapping *mapping,
                              clrs__mapped_launch *launch, cl_mem destination, clrs_error *error) {
  clrs__command *command = NULL;
  CLRS_TRY(clrs__commands_open(commands, clrs__mapped_variant(&launch->key, launch->index_bits),
                               &command, error));
  for (uint32_t i = 0; i < 2; i++) {
    command->global[i] = launch->global[i];
    command->group[i] = launch->group[i];
  }
  add_buffer(command, clrs__tensor_buffer(mapping->source)->root, launch->starts[CLRS_FROM]);
  add_buffer(command, destination, launch->starts[CLRS_TO]);
  CLRS_TRY(add_words(commands, command, launch, error));
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (launch->key.origins[i] == CLRS_ORIGIN_TENSOR) {
      add_buffer(command, clrs__tensor_buffer(mapping->tensors[i])->root, launch->tensor_starts[i]);
    }
  }
  return CLRS_OK;
}

/* Packed destinations share bytes, so one launch follows the other. */
static clrs_status add_launches(clrs__commands *commands, const clrs__mapping *mapping,
                                const clrs__mapped_pass *pass, cl_mem destination,
                                clrs_error *error) {
  clrs__mapped_launch *launch = malloc(sizeof *launch);
  if (launch == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a launch");
  }
  const bool is_packed = clrs_dtype_bits((clrs_dtype)pass->key.to) < 8;
  clrs_status status = CLRS_OK;
  for (uint32_t i = 0; status == CLRS_OK && i < pass->count; i++) {
    status = clrs__mapped_encode(pass, i, launch, error);
    if (status == CLRS_OK) {
      status = add_launch(commands, mapping, launch, destination, error);
    }
    if (status == CLRS_OK && i > 0 && is_packed) {
      commands->list[commands->count - 1].follows = true;
    }
  }
  free(launch);
  return status;
}

static clrs__mapped_move move_of(const clrs__mapping *mapping, const clrs_view *seen,
                                 const clrs_tensor *destination, const clrs_view *part,
                                 const clrs_device_limits *limits) {
  clrs__mapped_move move = {.map = &mapping->mapped.map,
                            .views = &mapping->mapped.views,
                            .seen = seen,
                            .source = clrs__tensor_operand(mapping->source),
                            .destination = clrs__tensor_operand(destination),
                            .limits = limits,
                            .arithmetic = mapping->arithmetic};
  move.destination.view = part;
  for (uint32_t i = 0; i < CLRS_MAPPED_PARAMETERS; i++) {
    if (mapping->tensors[i] != NULL) {
      move.parameters[i] = clrs__tensor_operand(mapping->tensors[i]);
    }
  }
  return move;
}

clrs_status clrs__commands_add_mapped(clrs__commands *commands, const clrs_tensor *source,
                                      const clrs_view *seen, const clrs_tensor *destination,
                                      const clrs_view *part, clrs_error *error) {
  const clrs__mapping *mapping = clrs__tensor_mapping(source);
  const clrs__mapped_move move =
      move_of(mapping, seen, destination, part, clrs__context_limits(commands->context));
  CLRS_TRY(check_shape(seen, part, error));
  if (clrs__view_is_empty(seen)) {
    return CLRS_OK;
  }
  CLRS_TRY(check_straddling(mapping->mapped.map.from, error));
  CLRS_TRY(check_straddling(mapping->mapped.map.to, error));
  CLRS_TRY(check_destination(destination, part, error));
  CLRS_TRY(check_all_read(mapping, destination, error));
  clrs__mapped_pass *pass = malloc(sizeof *pass);
  if (pass == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a mapped move");
  }
  clrs_status status = clrs__mapped_plan(&move, pass, error);
  if (status == CLRS_OK) {
    status = add_launches(commands, mapping, pass, clrs_tensor_storage(destination).buffer, error);
  }
  free(pass);
  return status;
}

clrs_status clrs__enqueue_mapped(clrs_context *context, const clrs_tensor *source,
                                 const clrs_view *seen, const clrs_tensor *destination,
                                 const clrs__tail *tail, clrs_error *error) {
  clrs__commands commands = {.context = context};
  clrs_status status = clrs__commands_add_mapped(&commands, source, seen, destination,
                                                 clrs_tensor_view(destination), error);
  if (status == CLRS_OK) {
    status = clrs__commands_enqueue(&commands, tail, error);
  }
  clrs__commands_destroy(&commands);
  return status;
}
