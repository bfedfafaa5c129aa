/*
 * The launches of a batch. A move joins the table of its variant; one that is large, or that must
 * go in a certain order, is launched alone, as it would be outside of a batch.
 *
 * The tables are buffers of their own, made for the call and released after it: OpenCL keeps them
 * until the launches that read them have ended.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "batch.h"

#include <stdlib.h>
#include <string.h>

#include "apart.h"

/* A move of more bytes gains nothing from company, and its work-items would keep others waiting. */
enum { MOST_BATCHED_BYTES = 1 << 20 };

/* PoCL compiles a kernel anew for a dimension of 65536 or more. */
enum { MOST_ENTRIES = 65535 };

/* What comes before move_t in entry_t of kernels/common.cl. */
typedef struct entry_head {
  uint64_t source_start, destination_start;
  uint32_t source_buffer, destination_buffer;
} entry_head;

/* One launch: the moves of a variant. */
typedef struct table {
  clrs__batch_dispatch dispatch;
  size_t entry_bytes, count, capacity; /* capacity in entries */
  unsigned char *entries;
} table;

typedef struct batch {
  clrs_context *context;
  const clrs_moves *moves;
  size_t table_count, table_capacity;
  table *tables;
  size_t alone_count, alone_launches;
  size_t *alone; /* numbers of moves; room for all */
} batch;

/* ---- planning ---- */

static bool can_be_batched(clrs_class kernel_class) {
  return kernel_class == CLRS_CLASS_GATHER || kernel_class == CLRS_CLASS_BITS ||
         kernel_class == CLRS_CLASS_COMPOSED || kernel_class == CLRS_CLASS_ROWS ||
         kernel_class == CLRS_CLASS_TILE || kernel_class == CLRS_CLASS_STRIDED ||
         kernel_class == CLRS_CLASS_NIBBLES;
}

/* In a batch a move has one row of the grid. */
static bool is_batchable(const batch *batch, const clrs_plan *plan) {
  bool fits = plan->bytes_written <= MOST_BATCHED_BYTES && !plan->launches_in_order;
  for (uint32_t i = 0; fits && i < plan->launch_count; i++) {
    fits = can_be_batched(plan->launches[i].kernel_class) &&
           clrs__context_range(batch->context, &plan->launches[i]).global[1] == 1;
  }
  return fits;
}

/* The number of a buffer in the table, which may be the next; false if there is no room for it. */
static bool number_buffer(table *table, cl_mem buffer, uint32_t *number) {
  clrs__batch_dispatch *dispatch = &table->dispatch;
  uint32_t at = 0;
  while (at < dispatch->buffer_count && dispatch->buffers[at] != buffer) {
    at++;
  }
  if (at == CLRS__BATCH_BUFFERS) {
    return false;
  }
  dispatch->buffers[at] = buffer;
  dispatch->buffer_count += at == dispatch->buffer_count;
  *number = at;
  return true;
}

/* Only the last table of a variant may have room. */
static table *find_table(const batch *batch, clrs__variant variant) {
  for (size_t i = batch->table_count; i-- > 0;) {
    if (clrs__variant_equal(batch->tables[i].dispatch.variant, variant)) {
      return &batch->tables[i];
    }
  }
  return NULL;
}

static clrs_status fail_memory(const batch *batch, clrs_error *error) {
  return clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a batch of %zu moves",
                    batch->moves->count);
}

static clrs_status open_table(batch *batch, clrs__variant variant, table **opened,
                              clrs_error *error) {
  if (batch->table_count == batch->table_capacity) {
    const size_t capacity = batch->table_capacity > 0 ? 2 * batch->table_capacity : 4;
    table *tables = realloc(batch->tables, capacity * sizeof *tables);
    if (tables == NULL) {
      return fail_memory(batch, error);
    }
    batch->tables = tables;
    batch->table_capacity = capacity;
  }
  *opened = &batch->tables[batch->table_count++];
  memset(*opened, 0, sizeof **opened);
  (*opened)->dispatch.variant = variant;
  return CLRS_OK;
}

static clrs_status make_room(const batch *batch, table *table, clrs_error *error) {
  if (table->count < table->capacity) {
    return CLRS_OK;
  }
  const size_t capacity = table->capacity > 0 ? 2 * table->capacity : 16;
  unsigned char *entries = realloc(table->entries, capacity * table->entry_bytes);
  if (entries == NULL) {
    return fail_memory(batch, error);
  }
  table->entries = entries;
  table->capacity = capacity;
  return CLRS_OK;
}

static clrs_status write_entry(const batch *batch, table *table, const entry_head *head,
                               const clrs__arguments *arguments, clrs_error *error) {
  const size_t bytes = sizeof *head + arguments->move_bytes;
  table->entry_bytes = (bytes + 7) / 8 * 8;
  CLRS_TRY(make_room(batch, table, error));
  unsigned char *entry = table->entries + table->count * table->entry_bytes;
  memcpy(entry, head, sizeof *head);
  memcpy(entry + sizeof *head, &arguments->move, arguments->move_bytes);
  memset(entry + bytes, 0, table->entry_bytes - bytes);
  table->count++;
  return CLRS_OK;
}

/* Both buffers, or neither. */
static bool number_buffers(table *table, const clrs__target *target, entry_head *head) {
  const uint32_t before = table->dispatch.buffer_count;
  if (number_buffer(table, target->source, &head->source_buffer) &&
      number_buffer(table, target->destination, &head->destination_buffer)) {
    return true;
  }
  table->dispatch.buffer_count = before;
  return false;
}

static clrs_status add_entry(batch *batch, const clrs__target *target, const clrs_launch *launch,
                             clrs_error *error) {
  const clrs__variant variant = clrs__batch_variant(launch);
  const clrs__range range = clrs__context_range(batch->context, launch);
  clrs__arguments arguments;
  entry_head head;
  table *table = find_table(batch, variant);
  if (table == NULL || table->count == MOST_ENTRIES || !number_buffers(table, target, &head)) {
    CLRS_TRY(open_table(batch, variant, &table, error));
    (void)number_buffers(table, target, &head); /* an empty table has room */
  }
  clrs__arguments_fill(launch, &target->plan->stack, variant.nest_axes, &arguments);
  head.source_start = arguments.source_start;
  head.destination_start = arguments.destination_start;
  CLRS_TRY(write_entry(batch, table, &head, &arguments, error));
  clrs__range *all = &table->dispatch.range;
  all->global[0] = range.global[0] > all->global[0] ? range.global[0] : all->global[0];
  all->global[1] = table->count;
  all->group[0] = range.group[0];
  all->group[1] = 1;
  return CLRS_OK;
}

static clrs_status plan_move(const batch *batch, size_t move, clrs_plan *plan, clrs__target *target,
                             clrs_error *error) {
  const clrs_tensor *source = batch->moves->sources[move];
  const clrs_tensor *destination = batch->moves->destinations[move];
  *target = (clrs__target){.plan = plan,
                           .source = clrs_tensor_storage(source).buffer,
                           .destination = clrs_tensor_storage(destination).buffer};
  const clrs_status status =
      clrs_tensor_plan(batch->context, source, destination, CLRS_COPY_ALWAYS, plan, error);
  if (status != CLRS_OK) {
    clrs__append(error, "; that is move %zu of %zu", move, batch->moves->count);
  }
  return status;
}

static clrs_status add_move(batch *batch, size_t move, clrs_error *error) {
  clrs_plan plan;
  clrs__target target;
  CLRS_TRY(plan_move(batch, move, &plan, &target, error));
  if (!is_batchable(batch, &plan)) {
    batch->alone[batch->alone_count++] = move;
    batch->alone_launches += plan.launch_count;
    return CLRS_OK;
  }
  for (uint32_t i = 0; i < plan.launch_count; i++) {
    CLRS_TRY(add_entry(batch, &target, &plan.launches[i], error));
  }
  return CLRS_OK;
}

static void close_batch(batch *batch) {
  for (size_t i = 0; i < batch->table_count; i++) {
    if (batch->tables[i].dispatch.table != NULL) {
      clReleaseMemObject(batch->tables[i].dispatch.table);
    }
    free(batch->tables[i].entries);
  }
  free(batch->tables);
  free(batch->alone);
}

/* To be closed also after a failure. */
static clrs_status open_batch(clrs_context *context, const clrs_moves *moves, batch *batch,
                              clrs_error *error) {
  memset(batch, 0, sizeof *batch);
  batch->context = context;
  batch->moves = moves;
  batch->alone = calloc(moves->count > 0 ? moves->count : 1, sizeof *batch->alone);
  if (batch->alone == NULL) {
    return fail_memory(batch, error);
  }
  for (size_t i = 0; i < moves->count; i++) {
    CLRS_TRY(add_move(batch, i, error));
  }
  return CLRS_OK;
}

/* ---- preparing: after this only an enqueue can fail ---- */

static clrs_status upload(const batch *batch, table *table, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  table->dispatch.table =
      clCreateBuffer(clrs__context_opencl(batch->context), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                     table->count * table->entry_bytes, table->entries, &code);
  CLRS_TRY_OPENCL("clCreateBuffer", code, error);
  return CLRS_OK;
}

static clrs_status prepare(batch *batch, clrs_error *error) {
  for (size_t i = 0; i < batch->table_count; i++) {
    CLRS_TRY(clrs__context_prepare(batch->context, batch->tables[i].dispatch.variant, error));
    CLRS_TRY(upload(batch, &batch->tables[i], error));
  }
  for (size_t i = 0; i < batch->alone_count; i++) {
    clrs_plan plan;
    clrs__target target;
    CLRS_TRY(plan_move(batch, batch->alone[i], &plan, &target, error));
    for (uint32_t k = 0; k < plan.launch_count; k++) {
      CLRS_TRY(
          clrs__context_prepare(batch->context, clrs__launch_variant(&plan.launches[k]), error));
    }
  }
  return CLRS_OK;
}

/* ---- submitting ---- */

static size_t command_count(const batch *batch) {
  return batch->table_count + batch->alone_count;
}

/* Tables first, then the moves that go alone. */
static clrs_status submit_command(const batch *batch, size_t index,
                                  const clrs__submission *submission, clrs_error *error) {
  if (index >= batch->table_count) {
    clrs_plan plan;
    clrs__target target;
    CLRS_TRY(plan_move(batch, batch->alone[index - batch->table_count], &plan, &target, error));
    return clrs__submit(submission, &target, error);
  }
  clrs__batch_dispatch dispatch = batch->tables[index].dispatch;
  cl_event event = NULL;
  dispatch.queue = submission->queue;
  dispatch.wait_count = submission->wait_count;
  dispatch.wait_list = submission->wait_list;
  CLRS_TRY(clrs__context_dispatch_batch(batch->context, &dispatch,
                                        submission->event != NULL ? &event : NULL, error));
  if (submission->event != NULL) {
    *submission->event = event;
  }
  return CLRS_OK;
}

/* Each waits for the wait list; a marker stands for them all. */
static clrs_status submit_commands(const batch *batch, const clrs__submission *outer,
                                   cl_event *events, clrs_error *error) {
  const size_t count = command_count(batch);
  for (size_t i = 0; i < count; i++) {
    clrs__submission one = *outer;
    one.event = outer->event != NULL ? &events[i] : NULL;
    const clrs_status status = submit_command(batch, i, &one, error);
    if (status != CLRS_OK) {
      if (i > 0) {
        clrs__append(error, "; %zu of %zu launches were enqueued before it and may write", i,
                     count);
      }
      return status;
    }
  }
  clrs__submission all = *outer;
  all.wait_count = (cl_uint)count;
  all.wait_list = events;
  return clrs__submit_marker(&all, error);
}

static clrs_status submit(const batch *batch, const clrs__submission *submission,
                          clrs_error *error) {
  const size_t count = command_count(batch);
  if (count == 0) {
    return clrs__submit_marker(submission, error);
  }
  if (count == 1) {
    return submit_command(batch, 0, submission, error);
  }
  cl_event *events = calloc(count, sizeof *events);
  if (events == NULL) {
    return fail_memory(batch, error);
  }
  const clrs_status status = submit_commands(batch, submission, events, error);
  clrs__context_hold_events(batch->context, count, events);
  free(events);
  return status;
}

clrs_status clrs__submit_batch(const clrs__submission *submission, const clrs_moves *moves,
                               clrs_error *error) {
  batch batch;
  clrs_status status = open_batch(submission->context, moves, &batch, error);
  if (status == CLRS_OK) {
    status = prepare(&batch, error);
  }
  if (status == CLRS_OK) {
    status = submit(&batch, submission, error);
  }
  close_batch(&batch);
  return status;
}

/* ---- the public calls ---- */

static clrs_status check_moves(clrs_context *context, const clrs_moves *moves, clrs_error *error) {
  CLRS_TRY(clrs__require(moves, "moves", error));
  if (moves->count > 0) {
    CLRS_TRY(clrs__require(moves->sources, "moves->sources", error));
    CLRS_TRY(clrs__require(moves->destinations, "moves->destinations", error));
  }
  for (size_t i = 0; i < moves->count; i++) {
    CLRS_TRY(clrs__tensor_check(moves->sources[i], context, "source", error));
    CLRS_TRY(clrs__tensor_check(moves->destinations[i], context, "destination", error));
  }
  return clrs__moves_check_apart(moves, error);
}

clrs_status clrs_enqueue_batch(clrs_context *context, const clrs_moves *moves,
                               cl_command_queue queue, cl_uint num_events_in_wait_list,
                               const cl_event *event_wait_list, cl_event *event,
                               clrs_error *error) {
  const clrs__submission submission = {context, queue, num_events_in_wait_list, event_wait_list,
                                       event};
  CLRS_TRY(clrs__submission_check(&submission, error));
  CLRS_TRY(check_moves(context, moves, error));
  return clrs__submit_batch(&submission, moves, error);
}

clrs_status clrs_batch_launches(clrs_context *context, const clrs_moves *moves, size_t *launches,
                                clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(launches, "launches", error));
  CLRS_TRY(check_moves(context, moves, error));
  batch batch;
  const clrs_status status = open_batch(context, moves, &batch, error);
  if (status == CLRS_OK) {
    *launches = batch.table_count + batch.alone_launches;
  }
  close_batch(&batch);
  return status;
}
