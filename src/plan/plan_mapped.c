/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_mapped.h"

#include "checked.h"
#include "dtype.h"
#include "encode.h"
#include "plan.h"
#include "plan_indexed.h"
#include "resample.h"
#include "view.h"
#include "written.h"

/* ---- a pass ---- */

/* Kernels for groups have accesses of up to 16 bytes where the alignment of the buffers allows. */
static void rely_on_accesses(const clrs_operand *operand, clrs_footprint *footprint) {
  const uint64_t bytes = clrs__lowest_bit(operand->alignment | CLRS_VECTOR_BYTES);
  clrs__rely_on(8 * (uint32_t)bytes, footprint);
}

static clrs_status add_launches(clrs_plan *plan, clrs_error *error) {
  clrs__plan_data *data = clrs__plan_data_of(plan);
  const uint32_t bits = clrs_dtype_bits((clrs_dtype)data->mapped.key.to);
  clrs__mapped_launch launch;
  for (uint32_t i = 0; i < data->mapped.pieces.count; i++) {
    launch.at = i;
    launch.in_buffer = false;
    CLRS_TRY(clrs__mapped_describe(&data->mapped, &launch, error));
    data->geometry = i == 0 ? launch.key.geometry : data->geometry;
    data->halvings = i == 0 ? launch.key.halvings : data->halvings;
    plan->launches[plan->launch_count++] =
        (clrs_launch){clrs_class_name(CLRS__CLASS_ANY), bits, launch.index_bits};
    if (clrs__map_key_is_grouped(&launch.key)) {
      rely_on_accesses(&data->mapped.source, &plan->source);
      rely_on_accesses(&data->mapped.destination, &plan->destination);
    }
  }
  data->in_order = bits < 8 && data->mapped.pieces.count > 1;
  return CLRS_OK;
}

/* Kernels for whole elements read and write at the alignment of the types. */
static void rely_on_types(clrs_plan *plan) {
  clrs__mapped_pass *pass = &clrs__plan_data_of(plan)->mapped;
  const clrs__map_key *key = &pass->key;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    pass->read[i].alignment = 1;
  }
  if (key->is_indexed) {
    clrs__plan_rely_on_indices(pass->rules, plan);
  }
  if (key->is_unaligned) {
    return;
  }
  clrs__rely_on(clrs_dtype_bits(clrs__map_key_stored(key)), &plan->source);
  clrs__rely_on(clrs_dtype_bits((clrs_dtype)key->to), &plan->destination);
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    clrs__rely_on(clrs_dtype_bits((clrs_dtype)key->types[i]), &pass->read[i]);
  }
}

/* The most elements that are moved. Indices may be skipped, and may name an element more than
 * once. */
static int64_t count_moved(const clrs__mapped_move *move) {
  const clrs_view *listed =
      move->indices != NULL ? move->indices->operands[CLRS_LISTED].view : move->seen;
  return clrs__shape_count(&listed->shape);
}

/* The elements of the source that are read. A resized picture is read as a whole, like the frame of
 * a picture. */
static int64_t count_read(const clrs__mapped_move *move, int64_t moved) {
  int64_t count = 1;
  clrs_layout whole;
  if (!clrs__map_resamples(move->map)) {
    return moved;
  }
  clrs__resample_layout(&move->views->resample, move->map->from, &whole);
  for (uint32_t i = 0; i < CLRS__PICTURE_AXES; i++) {
    count = clrs__exact_multiply(count, whole.dims[i]);
  }
  return count;
}

clrs_status clrs__plan_mapped(const clrs__mapped_move *move, clrs_plan *plan, clrs_error *error) {
  const int64_t count = count_moved(move);
  CLRS_TRY(clrs__mapped_move_check(move, error));
  CLRS_TRY(clrs__view_check_written(move->destination.view, error));
  if (move->indices != NULL ? clrs__indexed_is_empty(move->indices) : count == 0) {
    clrs__plan_start(plan, CLRS_OUTCOME_EMPTY);
    return CLRS_OK;
  }
  clrs__plan_start(plan, CLRS_OUTCOME_MAPPED);
  clrs__plan_add_reason(plan, (clrs__reason){CLRS__REASON_MAPPED, {0, 0}});
  plan->bytes_read = clrs__bytes_of(count_read(move, count), clrs_dtype_bits(move->map->from));
  plan->bytes_written = clrs__bytes_of(count, clrs_dtype_bits(move->map->to));
  CLRS_TRY(clrs__plan_footprint(&move->source, "source", &plan->source, error));
  CLRS_TRY(clrs__plan_footprint(&move->destination, "destination", &plan->destination, error));
  CLRS_TRY(clrs__mapped_plan(move, &clrs__plan_data_of(plan)->mapped, error));
  if (move->indices != NULL) {
    clrs__plan_add_reason(plan, (clrs__reason){CLRS__REASON_INDEXED, {0, 0}});
    CLRS_TRY(clrs__plan_take_indices(move->indices, plan, error));
  }
  rely_on_types(plan);
  return add_launches(plan, error);
}

clrs_status clrs__plan_mapped_result(const clrs__mapped_move *move, clrs_copy_policy policy,
                                     clrs_plan *plan, clrs_error *error) {
  const clrs_view *seen = move->seen;
  clrs__mapped_move dense = *move;
  clrs_view whole;
  CLRS_TRY(clrs__policy_check(policy, error));
  if (policy == CLRS_COPY_NEVER && !clrs__view_is_empty(seen)) {
    return clrs__fail(error, CLRS_WOULD_COPY,
                      "the copy policy is never, but the tensor is mapped: its elements are "
                      "computed when it is moved");
  }
  clrs__view_make_dense(seen->dtype, &seen->shape, &whole);
  dense.destination = (clrs_operand){&whole, 0, CLRS__BUFFER_ALIGNMENT};
  CLRS_TRY(clrs__plan_mapped(&dense, plan, error));
  return clrs_layout_init(seen->dtype, &seen->shape, NULL, 0, &plan->result, error);
}

/* ---- without a device ---- */

/* Makes the move of all mapped elements. Parameters have the alignment of a buffer. */
static clrs__mapped_move move_of(const clrs_mapped *mapped, const clrs_move *move,
                                 const clrs_device_limits *limits) {
  clrs__mapped_move made = {.map = &mapped->map,
                            .views = &mapped->views,
                            .source = move->source,
                            .destination = move->destination,
                            .limits = limits};
  made.source.view = &mapped->views.source;
  for (uint32_t i = 0; i < CLRS_MAPPED_STEPS; i++) {
    made.parameters[i] = (clrs_operand){NULL, 0, CLRS__BUFFER_ALIGNMENT};
  }
  return made;
}

static clrs_status plan_computed(const clrs_mapped *mapped, const clrs_move *move,
                                 const clrs_device_limits *limits, clrs_plan *plan,
                                 clrs_error *error) {
  clrs__mapped_move made = move_of(mapped, move, limits);
  clrs_view seen, picture;
  if (clrs__map_resamples(&mapped->map)) {
    CLRS_TRY(clrs__resample_view(&mapped->views.resample, mapped->map.from, &picture, error));
    made.source.view = &picture;
  }
  clrs__view_make_dense(mapped->dtype, &mapped->views.source.shape, &seen);
  CLRS_TRY(clrs__operand_check(&made.source, "source", error));
  made.seen = &seen;
  if (move->destination.view == NULL) {
    return clrs__plan_mapped_result(&made, move->policy, plan, error);
  }
  CLRS_TRY(clrs__operand_check(&move->destination, "destination", error));
  return clrs__plan_mapped(&made, plan, error);
}

clrs_status clrs_plan_mapped(const clrs_mapped *mapped, const clrs_move *move,
                             const clrs_device_limits *limits, clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(move, "move", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  CLRS_TRY(clrs_mapped_check(mapped, error));
  CLRS_TRY(clrs__limits_check(limits, error));
  if (!clrs_map_keeps_bits(&mapped->map)) {
    return plan_computed(mapped, move, limits, plan, error);
  }
  clrs_view same = mapped->views.source;
  clrs_move kept = *move;
  same.dtype = mapped->dtype;
  kept.source.view = &same;
  return clrs_plan_move(&kept, limits, plan, error);
}
