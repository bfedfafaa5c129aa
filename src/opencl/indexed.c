/*
 * Gather and scatter by indices that lie on the device: what is asked of the tensors, whose indices
 * nobody has seen, and the one command that carries it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/indexed.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "dtype.h"
#include "index_encode.h"
#include "shape.h"
#include "tensor_check.h"
#include "view.h"
#include "warm_up.h"

/* What is asked for. A gather's source, or a scatter's destination, is the named side. */
typedef struct request {
  clrs_context *context;
  const clrs_tensor *source, *destination;
  const clrs_indices *indices;
  bool scatters;
  uint32_t axis;
  clrs_byte_range flag; /* where it is; the buffer is NULL if there is none */
} request;

static const clrs_tensor *named_of(const request *of) {
  return of->scatters ? of->destination : of->source;
}

static const clrs_tensor *listed_of(const request *of) {
  return of->scatters ? of->source : of->destination;
}

/* ---- one tensor ---- */

static clrs_status check_read(const clrs_tensor *tensor, const char *what, clrs_error *error) {
  return clrs__tensor_buffer(tensor)->readable || clrs__view_is_empty(clrs_tensor_view(tensor))
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the %s's buffer is CL_MEM_WRITE_ONLY; a kernel may not read it", what);
}

static clrs_status check_sides(const request *of, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check_stored(of->source, of->context, "source", error));
  CLRS_TRY(clrs__tensor_check_stored(of->destination, of->context, "destination", error));
  CLRS_TRY(clrs__tensor_check_written(of->destination, error));
  CLRS_TRY(check_read(of->source, "source", error));
  const clrs_dtype from = clrs_tensor_view(of->source)->dtype;
  const clrs_dtype to = clrs_tensor_view(of->destination)->dtype;
  if (from != to) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the source is %s and the destination %s; indices move elements of one type",
                      clrs__dtype_text(from), clrs__dtype_text(to));
  }
  if (clrs_dtype_bits(from) % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "%s elements share bytes, and indices move whole bytes; cast them before",
                      clrs__dtype_text(from));
  }
  return clrs__characters_check_shared(clrs__tensor_characters(of->source),
                                       clrs__tensor_characters(of->destination), error);
}

static clrs_status check_indices(const request *of, clrs_error *error) {
  const clrs_indices *indices = of->indices;
  CLRS_TRY(clrs__require(indices->tensor, "indices->tensor", error));
  CLRS_TRY(clrs__tensor_check_stored(indices->tensor, of->context, "index", error));
  CLRS_TRY(check_read(indices->tensor, "index tensor", error));
  const clrs_dtype dtype = clrs_tensor_view(indices->tensor)->dtype;
  if (dtype != CLRS_I32 && dtype != CLRS_I64) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the indices are %s; they must be i32 or i64",
                      clrs__dtype_text(dtype));
  }
  if (indices->outside != CLRS_OUTSIDE_SKIPPED && indices->outside != CLRS_OUTSIDE_CLAMPED) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "%d is no clrs_outside", (int)indices->outside);
  }
  return CLRS_OK;
}

static clrs_status check_flag(request *of, clrs_error *error) {
  const clrs_tensor *flag = of->indices->flag;
  CLRS_TRY(clrs__tensor_check_stored(flag, of->context, "flag", error));
  const clrs_view *view = clrs_tensor_view(flag);
  if (view->dtype != CLRS_U32 || clrs__shape_count(&view->shape) != 1) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "the flag is %s %s; it must be one u32",
                      clrs__dtype_text(view->dtype),
                      clrs__dims_text(view->shape.rank, view->shape.dims).text);
  }
  if (!clrs__tensor_buffer(flag)->writable) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the flag's buffer is %s; a kernel may not write it",
                      clrs__read_only_text(clrs__tensor_buffer(flag)));
  }
  CLRS_TRY(clrs_tensor_bytes(flag, &of->flag, error));
  if ((of->flag.offset | clrs__tensor_buffer(flag)->alignment) % sizeof(cl_uint) != 0) {
    return clrs__fail(
        error, CLRS_INVALID_ARGUMENT,
        "the flag lies at byte %zu of a buffer that is aligned to %u; it must be at a "
        "multiple of %zu bytes",
        of->flag.offset, clrs__tensor_buffer(flag)->alignment, sizeof(cl_uint));
  }
  return CLRS_OK;
}

/* ---- all of them ---- */

/* The named dims, but those of the indices in place of the axis. */
static clrs_status find_listed_dims(const request *of, clrs_shape *dims, clrs_error *error) {
  const clrs_shape *named = &clrs_tensor_view(named_of(of))->shape;
  const clrs_shape *indices = &clrs_tensor_view(of->indices->tensor)->shape;
  dims->rank = 0;
  if (named->rank - 1 + indices->rank > CLRS_MAX_RANK) {
    return clrs__fail(error, CLRS_LIMIT_EXCEEDED,
                      "indices of rank %u along one of %u dims lead to rank %u; the limit is %d",
                      indices->rank, named->rank, named->rank - 1 + indices->rank, CLRS_MAX_RANK);
  }
  for (uint32_t dim = 0; dim < named->rank; dim++) {
    if (dim != of->axis) {
      dims->dims[dims->rank++] = named->dims[dim];
      continue;
    }
    for (uint32_t i = 0; i < indices->rank; i++) {
      dims->dims[dims->rank++] = indices->dims[i];
    }
  }
  return CLRS_OK;
}

static clrs_status check_dims(const request *of, clrs_error *error) {
  const clrs_shape *given = &clrs_tensor_view(listed_of(of))->shape;
  const clrs_shape *named = &clrs_tensor_view(named_of(of))->shape;
  const clrs_shape *indices = &clrs_tensor_view(of->indices->tensor)->shape;
  clrs_shape dims;
  CLRS_TRY(find_listed_dims(of, &dims, error));
  return clrs_shape_equal(given, &dims)
             ? CLRS_OK
             : clrs__fail(error, CLRS_COUNT_MISMATCH,
                          "indices %s along dimension %u of the %s %s take a %s %s; it is %s",
                          clrs__dims_text(indices->rank, indices->dims).text, of->axis,
                          of->scatters ? "destination" : "source",
                          clrs__dims_text(named->rank, named->dims).text,
                          of->scatters ? "source" : "destination",
                          clrs__dims_text(dims.rank, dims.dims).text,
                          clrs__dims_text(given->rank, given->dims).text);
}

static clrs_status check_apart(const clrs_tensor *read, const char *what,
                               const clrs_tensor *written, const char *by, clrs_error *error) {
  const clrs_operand from = clrs__tensor_operand(read), to = clrs__tensor_operand(written);
  if (clrs__tensor_buffer(read)->root == clrs__tensor_buffer(written)->root &&
      clrs_operands_overlap(&from, &to)) {
    return clrs__fail(error, CLRS_OVERLAP,
                      "the %s and the %s share bytes of one buffer; both must be apart", what, by);
  }
  return CLRS_OK;
}

static clrs_status check_all_apart(const request *of, clrs_error *error) {
  const clrs_tensor *indices = of->indices->tensor, *flag = of->indices->flag;
  CLRS_TRY(check_apart(of->source, "source", of->destination, "destination", error));
  CLRS_TRY(check_apart(indices, "index tensor", of->destination, "destination", error));
  if (flag != NULL) {
    CLRS_TRY(check_apart(of->source, "source", flag, "flag", error));
    CLRS_TRY(check_apart(of->destination, "destination", flag, "flag", error));
    CLRS_TRY(check_apart(indices, "index tensor", flag, "flag", error));
  }
  return CLRS_OK;
}

static clrs_status check(request *of, clrs_error *error) {
  CLRS_TRY(check_sides(of, error));
  CLRS_TRY(clrs__require(of->indices, "indices", error));
  CLRS_TRY(check_indices(of, error));
  if (of->indices->flag != NULL) {
    CLRS_TRY(check_flag(of, error));
  }
  CLRS_TRY(clrs__axis_normalize(of->indices->axis, clrs_tensor_view(named_of(of))->shape.rank,
                                "indices->axis", &of->axis, error));
  CLRS_TRY(check_dims(of, error));
  return check_all_apart(of, error);
}

/* ---- the command ---- */

static clrs__indexed_move move_of(const request *of) {
  const clrs_indices *indices = of->indices;
  const uint32_t rules = (indices->from_end ? CLRS_INDEX_FROM_END : 0) |
                         (indices->outside == CLRS_OUTSIDE_CLAMPED ? CLRS_INDEX_CLAMPS : 0) |
                         (indices->flag != NULL ? CLRS_INDEX_HAS_FLAG : 0);
  return (clrs__indexed_move){.operands = {[CLRS_LISTED] = clrs__tensor_operand(listed_of(of)),
                                           [CLRS_NAMED] = clrs__tensor_operand(named_of(of)),
                                           [CLRS_INDEX] = clrs__tensor_operand(indices->tensor)},
                              .axis = of->axis,
                              .scatters = of->scatters,
                              .rules = rules,
                              .limits = clrs__context_limits(of->context)};
}

/* A kernel takes no buffer that is NULL: of a tensor without elements, or a flag that is not there,
 * it gets one that it does not touch either. */
static cl_mem buffer_or(const clrs_tensor *tensor, cl_mem otherwise) {
  const cl_mem root = tensor != NULL ? clrs__tensor_buffer(tensor)->root : NULL;
  return root != NULL ? root : otherwise;
}

/* In the order of INDEXED_PARAMETERS in kernels/indexed.cl. */
static clrs_status add_arguments(const request *of, clrs__commands *commands,
                                 clrs__command *command, clrs__indexed_launch *launch,
                                 clrs_error *error) {
  static const unsigned char zeros[16];
  const cl_mem written = buffer_or(of->destination, buffer_or(of->indices->flag, NULL));
  const clrs_dtype dtype = clrs_tensor_view(of->source)->dtype;
  const void *element = of->indices->element != NULL ? of->indices->element : zeros;
  const clrs__fill_value value = clrs__fill_value_of(dtype, of->scatters ? zeros : element);
  const uint32_t from = of->scatters ? CLRS_LISTED : CLRS_NAMED;
  const uint32_t to = of->scatters ? CLRS_NAMED : CLRS_LISTED;
  clrs__command_add_buffer(command, buffer_or(of->source, written), launch->starts[from],
                           launch->unit_bits);
  clrs__command_add_buffer(command, written, launch->starts[to], launch->unit_bits);
  clrs__command_add_buffer(command, clrs__tensor_buffer(of->indices->tensor)->root,
                           launch->starts[CLRS_INDEX], 8);
  clrs__command_add_buffer(command, of->flag.buffer != NULL ? of->flag.buffer : written,
                           of->flag.offset / sizeof(cl_uint), 8 * sizeof(cl_uint));
  clrs__command_add_argument(command, sizeof value, &value);
  return clrs__command_add_words(commands, command, launch->is_tabled, launch->word_bytes,
                                 launch->words, error);
}

/* At most: an index that is skipped writes nothing in a scatter. */
static uint64_t bytes_of(const clrs_tensor *tensor) {
  const clrs_view *view = clrs_tensor_view(tensor);
  return clrs__bytes_of(clrs__shape_count(&view->shape), clrs_dtype_bits(view->dtype));
}

static clrs_status add_command(const request *of, clrs__commands *commands,
                               clrs__indexed_launch *launch, clrs_error *error) {
  const clrs__indexed_move move = move_of(of);
  clrs__command *command; /* not NULL first: gcc's analyzer would believe that it stays so */
  CLRS_TRY(clrs__indexed_encode(&move, launch, error));
  CLRS_TRY(clrs__commands_open(
      commands,
      clrs__indexed_variant(&launch->key, launch->unit_bits, launch->index_bits, launch->loops),
      &command, error));
  command->bytes_written = bytes_of(listed_of(of));
  memcpy(command->global, launch->global, sizeof command->global);
  memcpy(command->group, launch->group, sizeof command->group);
  return add_arguments(of, commands, command, launch, error);
}

static uint64_t end_of(const request *of) {
  const clrs_tensor *const tensors[] = {of->source, of->destination, of->indices->tensor,
                                        of->indices->flag};
  uint64_t end = 0;
  for (size_t i = 0; i < sizeof tensors / sizeof *tensors && tensors[i] != NULL; i++) {
    const uint64_t one = clrs__tensor_end(tensors[i]);
    end = one > end ? one : end;
  }
  return end;
}

/* With NULL for a tail it is a warm-up. */
static clrs_status enqueue(const request *of, const clrs__tail *tail, clrs_error *error) {
  clrs__commands commands = {.context = of->context};
  clrs__indexed_launch *launch = malloc(sizeof *launch);
  if (launch == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a launch");
  }
  clrs_status status = add_command(of, &commands, launch, error);
  if (status == CLRS_OK) {
    status = tail != NULL ? clrs__commands_enqueue(&commands, tail, error)
                          : clrs__commands_warm_up(&commands, end_of(of), error);
  }
  clrs__commands_destroy(&commands);
  free(launch);
  return status;
}

/* Nothing is moved, and no index is looked at, where there are no elements to list; nor is one
 * where a scatter has no place to name and nobody asks whether it is out of range. */
static bool has_nothing_to_do(const request *of) {
  return clrs__view_is_empty(clrs_tensor_view(listed_of(of))) ||
         (of->scatters && of->indices->flag == NULL &&
          clrs__view_is_empty(clrs_tensor_view(of->destination)));
}

static clrs_status use_tensors(const request *of, cl_command_queue queue, clrs_error *error) {
  CLRS_TRY(clrs__tensor_use(of->source, queue, error));
  CLRS_TRY(clrs__tensor_use(of->destination, queue, error));
  CLRS_TRY(clrs__tensor_use(of->indices->tensor, queue, error));
  return of->indices->flag != NULL ? clrs__tensor_use(of->indices->flag, queue, error) : CLRS_OK;
}

static clrs_status enqueue_indexed(request *of, const clrs__tail *tail, clrs_error *error) {
  CLRS_TRY(clrs__tail_check(of->context, tail, error));
  CLRS_TRY(check(of, error));
  CLRS_TRY(use_tensors(of, tail->queue, error));
  return has_nothing_to_do(of) ? clrs__enqueue_marker(tail, error) : enqueue(of, tail, error);
}

clrs_status clrs_enqueue_gather(clrs_context *context, clrs_tensor *source,
                                const clrs_indices *indices, clrs_tensor *destination,
                                cl_command_queue queue, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event,
                                clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  request of = {
      .context = context, .source = source, .destination = destination, .indices = indices};
  return enqueue_indexed(&of, &tail, error);
}

clrs_status clrs_enqueue_scatter(clrs_context *context, clrs_tensor *source,
                                 const clrs_indices *indices, clrs_tensor *destination,
                                 cl_command_queue queue, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event,
                                 clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  request of = {.context = context,
                .source = source,
                .destination = destination,
                .indices = indices,
                .scatters = true};
  return enqueue_indexed(&of, &tail, error);
}

/* ---- warming up ---- */

static clrs_status warm_up(request *of, clrs_error *error) {
  CLRS_TRY(clrs__require(of->context, "context", error));
  CLRS_TRY(check(of, error));
  return has_nothing_to_do(of) ? CLRS_OK : enqueue(of, NULL, error);
}

clrs_status clrs_context_warm_up_gather(clrs_context *context, clrs_tensor *source,
                                        const clrs_indices *indices, clrs_tensor *destination,
                                        clrs_error *error) {
  request of = {
      .context = context, .source = source, .destination = destination, .indices = indices};
  return warm_up(&of, error);
}

clrs_status clrs_context_warm_up_scatter(clrs_context *context, clrs_tensor *source,
                                         const clrs_indices *indices, clrs_tensor *destination,
                                         clrs_error *error) {
  request of = {.context = context,
                .source = source,
                .destination = destination,
                .indices = indices,
                .scatters = true};
  return warm_up(&of, error);
}
