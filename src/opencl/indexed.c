/*
 * Gather and scatter by indices that lie on the device: what is asked of the tensors, whose indices
 * nobody has seen, and the one command that carries it out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/indexed.h"

#include "dtype.h"
#include "mapped_move.h"
#include "plan_command.h"
#include "plan_indexed.h"
#include "shape.h"
#include "tensor_check.h"
#include "view.h"

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

static clrs_status check_source(const request *of, clrs_error *error) {
  CLRS_TRY(clrs__tensor_check(of->source, of->context, "source", error));
  return clrs__tensor_mapping(of->source) != NULL
             ? clrs__mapping_check_read(of->source, NULL, error)
             : check_read(of->source, "source", error);
}

static clrs_status check_sides(const request *of, clrs_error *error) {
  CLRS_TRY(check_source(of, error));
  CLRS_TRY(clrs__tensor_check_stored(of->destination, of->context, "destination", error));
  CLRS_TRY(clrs__tensor_check_written(of->destination, error));
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

/* Of a mapped tensor, what its map reads. */
static clrs_status check_source_apart(const request *of, const clrs_tensor *written, const char *by,
                                      clrs_error *error) {
  const clrs__reads reads = clrs__tensor_reads(of->source);
  for (size_t i = 0; i < reads.count; i++) {
    CLRS_TRY(check_apart(reads.tensors[i], "source", written, by, error));
  }
  return CLRS_OK;
}

static clrs_status check_all_apart(const request *of, clrs_error *error) {
  const clrs_tensor *indices = of->indices->tensor, *flag = of->indices->flag;
  CLRS_TRY(check_source_apart(of, of->destination, "destination", error));
  CLRS_TRY(check_apart(indices, "index tensor", of->destination, "destination", error));
  if (flag != NULL) {
    CLRS_TRY(check_source_apart(of, flag, "flag", error));
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

/* ---- plans ---- */

static clrs__indexed_move move_of(const request *of) {
  const clrs_indices *indices = of->indices;
  const uint32_t rules = (indices->from_end ? CLRS_INDEX_FROM_END : 0) |
                         (indices->outside == CLRS_OUTSIDE_CLAMPED ? CLRS_INDEX_CLAMPS : 0) |
                         (indices->flag != NULL ? CLRS_INDEX_HAS_FLAG : 0);
  clrs__indexed_move move = {.operands = {[CLRS_LISTED] = clrs__tensor_operand(listed_of(of)),
                                          [CLRS_NAMED] = clrs__tensor_operand(named_of(of)),
                                          [CLRS_INDEX] = clrs__tensor_operand(indices->tensor)},
                             .axis = of->axis,
                             .scatters = of->scatters,
                             .rules = rules,
                             .element = indices->element,
                             .limits = clrs__context_limits(of->context)};
  if (indices->flag != NULL) {
    move.flag = clrs__tensor_operand(indices->flag);
  }
  return move;
}

static clrs_plan_buffers buffers_of(const request *of) {
  clrs_plan_buffers buffers = clrs__plan_buffers_of(of->source, of->destination);
  buffers.indices = clrs_tensor_storage(of->indices->tensor).buffer;
  buffers.flag = clrs_tensor_storage(of->indices->flag).buffer;
  return buffers;
}

static clrs_status make_plan(request *of, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(of->context, "context", error));
  CLRS_TRY(check(of, error));
  const clrs__indexed_move move = move_of(of);
  return clrs__tensor_mapping(of->source) != NULL
             ? clrs__plan_mapping_indexed(of->source, &move, plan, error)
             : clrs__plan_indexed(&move, plan, error);
}

static clrs_status use_tensors(const request *of, cl_command_queue queue, clrs_error *error) {
  CLRS_TRY(clrs__tensor_use(of->source, queue, error));
  CLRS_TRY(clrs__tensor_use(of->destination, queue, error));
  CLRS_TRY(clrs__tensor_use(of->indices->tensor, queue, error));
  return of->indices->flag != NULL ? clrs__tensor_use(of->indices->flag, queue, error) : CLRS_OK;
}

static clrs_status enqueue_indexed(request *of, const clrs__tail *tail, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs__tail_check(of->context, tail, error));
  CLRS_TRY(make_plan(of, &plan, error));
  CLRS_TRY(use_tensors(of, tail->queue, error));
  const clrs_plan_buffers buffers = buffers_of(of);
  return clrs__enqueue_planned(of->context, &plan, &buffers, tail, error);
}

static clrs_status warm_up(request *of, clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(make_plan(of, &plan, error));
  return clrs_context_warm_up_plan(of->context, &plan, error);
}

static clrs_status plan_given(request *of, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(plan, "plan", error));
  return make_plan(of, plan, error);
}

/* ---- calls ---- */

static request gathering(clrs_context *context, const clrs_tensor *source,
                         const clrs_indices *indices, const clrs_tensor *destination) {
  return (request){
      .context = context, .source = source, .destination = destination, .indices = indices};
}

static request scattering(clrs_context *context, const clrs_tensor *source,
                          const clrs_indices *indices, const clrs_tensor *destination) {
  request of = gathering(context, source, indices, destination);
  of.scatters = true;
  return of;
}

clrs_status clrs_enqueue_gather(clrs_context *context, clrs_tensor *source,
                                const clrs_indices *indices, clrs_tensor *destination,
                                cl_command_queue queue, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event,
                                clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  request of = gathering(context, source, indices, destination);
  return enqueue_indexed(&of, &tail, error);
}

clrs_status clrs_enqueue_scatter(clrs_context *context, clrs_tensor *source,
                                 const clrs_indices *indices, clrs_tensor *destination,
                                 cl_command_queue queue, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event,
                                 clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  request of = scattering(context, source, indices, destination);
  return enqueue_indexed(&of, &tail, error);
}

clrs_status clrs_context_warm_up_gather(clrs_context *context, clrs_tensor *source,
                                        const clrs_indices *indices, clrs_tensor *destination,
                                        clrs_error *error) {
  request of = gathering(context, source, indices, destination);
  return warm_up(&of, error);
}

clrs_status clrs_context_warm_up_scatter(clrs_context *context, clrs_tensor *source,
                                         const clrs_indices *indices, clrs_tensor *destination,
                                         clrs_error *error) {
  request of = scattering(context, source, indices, destination);
  return warm_up(&of, error);
}

clrs_status clrs_tensor_plan_gather(clrs_context *context, const clrs_tensor *source,
                                    const clrs_indices *indices, const clrs_tensor *destination,
                                    clrs_plan *plan, clrs_error *error) {
  request of = gathering(context, source, indices, destination);
  return plan_given(&of, plan, error);
}

clrs_status clrs_tensor_plan_scatter(clrs_context *context, const clrs_tensor *source,
                                     const clrs_indices *indices, const clrs_tensor *destination,
                                     clrs_plan *plan, clrs_error *error) {
  request of = scattering(context, source, indices, destination);
  return plan_given(&of, plan, error);
}
