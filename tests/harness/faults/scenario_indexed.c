/*
 * Gather and scatter as requests. See scenario_indexed.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_indexed.h"

#include "harness/bits.h"
#include "harness/works.h"
#include "scenario_map.h"

bool scenario_is_indexed(const scenario *s) {
  return s->kind == REQUEST_GATHER || s->kind == REQUEST_SCATTER;
}

/* A batch of this alone. */
static clrs_status enqueue_batch(const scenario *s, attempt *try, clrs_tensor *source,
                                 const clrs_indices *indices, clrs_tensor *target) {
  const test_moves moves = {.count = 1,
                            .sources = &source,
                            .destinations = &target,
                            .gathers = s->kind == REQUEST_GATHER ? &indices : NULL,
                            .scatters = s->kind == REQUEST_SCATTER ? &indices : NULL};
  clrs_work *batch = NULL;
  clrs_status status = test_work_of_moves(try->library, &moves, &batch, &try->error);
  status = status ? status
                  : clrs_enqueue_work(batch, 0, NULL,
                                      &(clrs_on){try->queue, try->wait_count, try->wait_list},
                                      &try->event, &try->error);
  clrs_work_release(batch);
  return status;
}

/* A sequence of this alone. */
static clrs_status enqueue_sequence(const scenario *s, attempt *try, clrs_tensor *source,
                                    const clrs_indices *indices, clrs_tensor *target) {
  const clrs_slot slots[3] = {{.tensor = source}, {.tensor = target}, {.tensor = indices->tensor}};
  clrs_indices rules = *indices;
  const test_task task = {.source = 0,
                          .destination = 1,
                          .from = clrs_tensor_view(source),
                          .to = clrs_tensor_view(target),
                          .gather = s->kind == REQUEST_GATHER ? &rules : NULL,
                          .scatter = s->kind == REQUEST_SCATTER ? &rules : NULL,
                          .index = 2,
                          .by = clrs_tensor_view(indices->tensor)};
  clrs_work *made = NULL;
  rules.tensor = NULL;
  clrs_status status =
      test_work_of_tasks(try->library, &(test_tasks){3, 1, &task}, &made, &try->error);
  status = status ? status
                  : test_enqueue_slots(made, slots,
                                       &(clrs_on){try->queue, try->wait_count, try->wait_list},
                                       &try->event, &try->error);
  clrs_work_release(made);
  return status;
}

clrs_status scenario_index(const scenario *s, attempt *try, clrs_tensor *source,
                           clrs_tensor *target) {
  const clrs_storage storage = {try->a->destination, PATTERN_AT};
  const clrs_layout layout = api_layout(CLRS_I64, 1, LIST((int64_t)s->pattern.length), NULL);
  clrs_indices indices = {.from_end = true};
  const clrs_on on = {try->queue, try->wait_count, try->wait_list};
  clrs_status status =
      clrs_tensor_wrap(try->library, &storage, &layout, &indices.tensor, &try->error);
  if (status == CLRS_OK && s->way != BY_CALL)
    status =
        (s->way == IN_BATCH ? enqueue_batch : enqueue_sequence)(s, try, source, &indices, target);
  else if (status == CLRS_OK)
    status =
        s->kind == REQUEST_GATHER
            ? clrs_enqueue_gather(source, &indices, target, NULL, &on, &try->event, &try->error)
            : clrs_enqueue_scatter(source, &indices, target, &on, &try->event, &try->error);
  clrs_tensor_release(indices.tensor);
  return status;
}

void scenario_put_rows(const scenario *s, const api *a, const oracle *source,
                       const clrs_layout *target, unsigned char *bytes) {
  const int64_t row = source->count / source->shape.dims[0];
  const bit_span span = bits_of(s->dtype, 0);
  unsigned char from[API_BYTES];
  oracle where = oracle_from_layout(target);
  scenario_bytes(s, a, source, from);
  for (int64_t k = 0; k < (int64_t)s->pattern.length * row; k++) {
    const int64_t named = s->pattern.values[k / row] * row + k % row;
    const bool gathers = s->kind == REQUEST_GATHER;
    bits_copy(&span, from, source->positions[gathers ? named : k], &span, bytes,
              where.positions[gathers ? k : named]);
  }
  oracle_free(&where);
}
