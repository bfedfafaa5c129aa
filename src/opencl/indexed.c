/*
 * The calls for gather and scatter by indices that lie on the device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/indexed.h"

#include "tensor_move.h"

typedef clrs__tensor_move move;

clrs_status clrs_enqueue_gather(clrs_context *context, clrs_tensor *source,
                                const clrs_indices *indices, clrs_tensor *destination,
                                cl_command_queue queue, cl_uint num_events_in_wait_list,
                                const cl_event *event_wait_list, cl_event *event,
                                clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(clrs__require(indices, "indices", error));
  return clrs__tensor_move_enqueue(&(move){context, source, destination, indices, NULL}, &tail,
                                   error);
}

clrs_status clrs_enqueue_scatter(clrs_context *context, clrs_tensor *source,
                                 const clrs_indices *indices, clrs_tensor *destination,
                                 cl_command_queue queue, cl_uint num_events_in_wait_list,
                                 const cl_event *event_wait_list, cl_event *event,
                                 clrs_error *error) {
  const clrs__tail tail = {queue, num_events_in_wait_list, event_wait_list, event};
  CLRS_TRY(clrs__require(indices, "indices", error));
  return clrs__tensor_move_enqueue(&(move){context, source, destination, NULL, indices}, &tail,
                                   error);
}

clrs_status clrs_context_warm_up_gather(clrs_context *context, clrs_tensor *source,
                                        const clrs_indices *indices, clrs_tensor *destination,
                                        clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs_tensor_plan_gather(context, source, indices, destination, &plan, error));
  return clrs_context_warm_up_plan(context, &plan, error);
}

clrs_status clrs_context_warm_up_scatter(clrs_context *context, clrs_tensor *source,
                                         const clrs_indices *indices, clrs_tensor *destination,
                                         clrs_error *error) {
  clrs_plan plan;
  CLRS_TRY(clrs_tensor_plan_scatter(context, source, indices, destination, &plan, error));
  return clrs_context_warm_up_plan(context, &plan, error);
}

clrs_status clrs_tensor_plan_gather(clrs_context *context, const clrs_tensor *source,
                                    const clrs_indices *indices, const clrs_tensor *destination,
                                    clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(indices, "indices", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  return clrs__tensor_move_plan(&(move){context, source, destination, indices, NULL}, plan, error);
}

clrs_status clrs_tensor_plan_scatter(clrs_context *context, const clrs_tensor *source,
                                     const clrs_indices *indices, const clrs_tensor *destination,
                                     clrs_plan *plan, clrs_error *error) {
  CLRS_TRY(clrs__require(indices, "indices", error));
  CLRS_TRY(clrs__require(plan, "plan", error));
  return clrs__tensor_move_plan(&(move){context, source, destination, NULL, indices}, plan, error);
}
