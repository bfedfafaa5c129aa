/* SPDX-License-Identifier: Apache-2.0 */
#include "scenario_sequence.h"

#include "harness/works.h"
#include "scenario_map.h"

clrs_status scenario_sequence(const scenario *s, attempt *try, clrs_tensor *source,
                              clrs_tensor *target) {
  const clrs_slot slots[2] = {{.storage = clrs_tensor_storage(source)}, {.tensor = target}};
  const clrs_view *from = clrs_tensor_view(source);
  const bool pads = s->mode != CLRS_PAD_CONSTANT;
  clrs_view first = *clrs_tensor_view(target), second = first;
  clrs_mapped mapped;
  const test_task tasks[2] = {{.source = 0,
                               .destination = 1,
                               .from = s->is_mapped ? NULL : from,
                               .mapped = s->is_mapped ? &mapped : NULL,
                               .to = &first,
                               .begins = pads ? LIST(1, 1) : NULL,
                               .mode = s->mode},
                              {.source = 1, .destination = 1, .from = &first, .to = &second}};
  clrs_work *made = NULL;
  clrs_status status = clrs_view_apply(&first, "split=0,2,0", &try->error);
  status = status ? status : clrs_view_apply(&second, "split=0,2,1", &try->error);
  if (s->is_mapped)
    status = status ? status : scenario_mapped_view(try, from, &mapped);
  status = status
               ? status
               : test_work_of_tasks(try->library, &(test_tasks){2, 2, tasks}, &made, &try->error);
  status = status ? status
                  : test_enqueue_slots(made, slots,
                                       &(clrs_on){try->queue, try->wait_count, try->wait_list},
                                       &try->event, &try->error);
  clrs_work_release(made);
  return status;
}
