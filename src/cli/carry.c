/* SPDX-License-Identifier: Apache-2.0 */
#include "carry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <clreshape/clreshape.h>

#include "box_parts.h"
#include "fail.h"
#include "inverse.h"
#include "progress.h"
#include "transfer.h"

/* The state that all movers share. */
typedef struct crew {
  const cli_carry *carry;
  _Atomic int64_t next; /* index of the next box that a mover takes */
  atomic_bool failed;
  pthread_mutex_t lock; /* guards the fields below */
  pthread_cond_t changed;
  int64_t turns[2]; /* index of the box that may now read from, or write to, a stream */
  cli_progress progress;
  clrs_status status;
  clrs_error error; /* error of the first failure */
} crew;

/* A prepared move, kept for boxes of the same form. */
typedef struct kept_move {
  clrs_work *work;
  clrs_mapped source; /* dense */
  clrs_view destination;
} kept_move;

typedef struct mover {
  crew *crew;
  cli_host *host;
  cl_command_queue queue;
  cl_mem source, destination;
  kept_move kept;
  int64_t index; /* of the box */
  pthread_t thread;
} mover;

/* ---- kept moves ---- */

static bool is_kept(const kept_move *kept, const cli_box *wanted) {
  const clrs_map_views *a = &kept->source.views, *b = &wanted->source.views;
  bool is = kept->work != NULL && cli_view_is_same(&a->source, &b->source) &&
            cli_view_is_same(&kept->destination, &wanted->destination);
  for (uint32_t i = 0; is && i < a->count; i++) {
    is = cli_view_is_same(&a->views[i], &b->views[i]);
  }
  return is;
}

/* Opens a tensor of a slot's bytes. Views of any elements are made from the tensor. */
static clrs_status open_slot(const mover *self, uint32_t slot, clrs_tensor **tensor,
                             clrs_error *error) {
  const clrs_layout nothing = {.dtype = CLRS_U8, .rank = 1};
  return clrs_tensor_slot(self->host->clreshape, slot, &nothing, tensor, error);
}

static clrs_status add_move(const mover *self, const cli_box *wanted, clrs_error *error) {
  clrs_tensor *slots[2] = {NULL, NULL}, *from = NULL, *to = NULL;
  clrs_status status = open_slot(self, 0, &slots[0], error);
  if (status == CLRS_OK) {
    status = open_slot(self, 1, &slots[1], error);
  }
  if (status == CLRS_OK) {
    status = clrs_tensor_with_mapped(slots[0], &wanted->source, &from, error);
  }
  if (status == CLRS_OK) {
    status = clrs_tensor_with_view(slots[1], &wanted->destination, &to, error);
  }
  if (status == CLRS_OK) {
    status = clrs_work_move(self->kept.work, from, to, error);
  }
  clrs_tensor *const all[] = {slots[0], slots[1], from, to};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    clrs_tensor_release(all[i]);
  }
  return status;
}

static clrs_status keep_move(mover *self, const cli_box *wanted, clrs_error *error) {
  kept_move *kept = &self->kept;
  if (is_kept(kept, wanted)) {
    return CLRS_OK;
  }
  clrs_work_release(kept->work);
  kept->work = NULL;
  CLRS_TRY(clrs_work_create(self->host->clreshape, &kept->work, error));
  CLRS_TRY(add_move(self, wanted, error));
  kept->source = wanted->source;
  kept->destination = wanted->destination;
  return CLRS_OK;
}

/* ---- moving one ---- */

static clrs_status map_buffer(const mover *self, cl_mem buffer, cl_map_flags how, uint64_t size,
                              void **memory, clrs_error *error) {
  cl_int code = CL_SUCCESS;
  cl_event mapped = NULL;
  *memory = clEnqueueMapBuffer(self->queue, buffer, CL_FALSE, how, 0, (size_t)size, 0, NULL,
                               &mapped, &code);
  return *memory != NULL ? cli_host_wait(mapped, "mapping a buffer", error)
                         : clrs__fail_opencl(error, code, "clEnqueueMapBuffer");
}

static clrs_status unmap_buffer(const mover *self, cl_mem buffer, void *memory, clrs_error *error) {
  cl_event unmapped = NULL;
  const cl_int code = clEnqueueUnmapMemObject(self->queue, buffer, memory, 0, NULL, &unmapped);
  return code == CL_SUCCESS ? cli_host_wait(unmapped, "unmapping a buffer", error)
                            : clrs__fail_opencl(error, code, "clEnqueueUnmapMemObject");
}

enum { READING, WRITING };

/* A transfer between a buffer and a file. */
typedef struct passage {
  int direction;
  cl_mem buffer;
  cl_map_flags how;
  const cli_runs *runs;
  const cli_run_file *file;
} passage;

/* Waits until all earlier boxes have passed, or until a box has failed. */
static clrs_status wait_for_turn(crew *all, int direction, int64_t index, clrs_error *error) {
  pthread_mutex_lock(&all->lock);
  while (all->turns[direction] != index && !atomic_load(&all->failed)) {
    pthread_cond_wait(&all->changed, &all->lock);
  }
  pthread_mutex_unlock(&all->lock);
  return atomic_load(&all->failed) /* the other mover's failure is reported */
             ? clrs__fail(error, CLRS_INVALID_ARGUMENT, "another part has failed")
             : CLRS_OK;
}

static void end_turn(crew *all, int direction) {
  pthread_mutex_lock(&all->lock);
  all->turns[direction]++;
  pthread_cond_broadcast(&all->changed);
  pthread_mutex_unlock(&all->lock);
}

static clrs_status pass_runs(const passage *of, void *memory, clrs_error *error) {
  return of->direction == READING ? cli_runs_read(of->runs, of->file, memory, error)
                                  : cli_runs_write(of->runs, of->file, memory, error);
}

static clrs_status pass_in_turn(const mover *self, const passage *of, void *memory,
                                clrs_error *error) {
  if (of->file->position == NULL) {
    return pass_runs(of, memory, error);
  }
  CLRS_TRY(wait_for_turn(self->crew, of->direction, self->index, error));
  CLRS_TRY(pass_runs(of, memory, error));
  end_turn(self->crew, of->direction);
  return CLRS_OK;
}

static clrs_status pass(const mover *self, const passage *of, clrs_error *error) {
  clrs_error unmapping;
  void *memory = NULL;
  CLRS_TRY(map_buffer(self, of->buffer, of->how, cli_runs_bytes(of->runs), &memory, error));
  const clrs_status status = pass_in_turn(self, of, memory, error);
  const clrs_status unmapped = unmap_buffer(self, of->buffer, memory, &unmapping);
  if (status == CLRS_OK && unmapped != CLRS_OK) {
    *error = unmapping;
  }
  return status != CLRS_OK ? status : unmapped;
}

static void show(crew *all, const cli_box *moved) {
  pthread_mutex_lock(&all->lock);
  cli_progress_add(&all->progress, cli_runs_bytes(&moved->written));
  pthread_mutex_unlock(&all->lock);
}

static clrs_status move_box(void *user_data, const cli_box *at, clrs_error *error) {
  mover *self = user_data;
  const cli_carry *carry = self->crew->carry;
  const passage in = {READING, self->source, CL_MAP_WRITE_INVALIDATE_REGION, &at->read,
                      &carry->input};
  const passage out = {WRITING, self->destination, CL_MAP_READ, &at->written, &carry->output};
  const clrs_slot slots[2] = {{.storage = {self->source, 0}}, {.storage = {self->destination, 0}}};
  cl_event moved = NULL;
  CLRS_TRY(keep_move(self, at, error));
  CLRS_TRY(pass(self, &in, error));
  CLRS_TRY(clrs_enqueue_work(self->kept.work, 2, slots, &(clrs_on){.queue = self->queue}, &moved,
                             error));
  CLRS_TRY(cli_host_wait(moved, "moving the data", error));
  CLRS_TRY(pass(self, &out, error));
  show(self->crew, at);
  return CLRS_OK;
}

/* ---- a mover ---- */

static clrs_status open_mover(mover *self, clrs_error *error) {
  const cli_boxes *boxes = self->crew->carry->boxes;
  cl_int code = CL_SUCCESS;
  self->queue = clCreateCommandQueue(self->host->context, self->host->device, 0, &code);
  if (self->queue == NULL) {
    return clrs__fail_opencl(error, code, "clCreateCommandQueue");
  }
  CLRS_TRY(cli_host_buffer(self->host, boxes->source_bytes, &self->source, error));
  return cli_host_buffer(self->host, boxes->destination_bytes, &self->destination, error);
}

static void close_mover(mover *self) {
  clrs_work_release(self->kept.work);
  if (self->source != NULL) {
    clReleaseMemObject(self->source);
  }
  if (self->destination != NULL) {
    clReleaseMemObject(self->destination);
  }
  if (self->queue != NULL) {
    clReleaseCommandQueue(self->queue);
  }
}

static clrs_status move_boxes(mover *self, cli_box *at, clrs_error *error) {
  crew *all = self->crew;
  const cli_box_visitor visitor = {at, move_box, self};
  while (!atomic_load(&all->failed)) {
    const int64_t index = atomic_fetch_add(&all->next, 1);
    if (index >= all->carry->boxes->count) {
      break;
    }
    self->index = index;
    CLRS_TRY(cli_boxes_each(all->carry->boxes, index, &visitor, error));
  }
  return CLRS_OK;
}

static clrs_status run_mover(mover *self, clrs_error *error) {
  cli_box *at = malloc(sizeof *at);
  if (at == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  clrs_status status = open_mover(self, error);
  if (status == CLRS_OK) {
    status = move_boxes(self, at, error);
  }
  free(at);
  close_mover(self);
  return status;
}

/* Start function of a thread. */
static void *move_on(void *of) {
  mover *self = of;
  crew *all = self->crew;
  clrs_error error;
  const clrs_status status = run_mover(self, &error);
  if (status != CLRS_OK) {
    pthread_mutex_lock(&all->lock);
    if (all->status == CLRS_OK) {
      all->status = status;
      all->error = error;
    }
    atomic_store(&all->failed, true);
    pthread_cond_broadcast(&all->changed);
    pthread_mutex_unlock(&all->lock);
  }
  return NULL;
}

/* ---- all of them ---- */

/* Runs all movers, the first in this thread. If a thread cannot be started, the other movers take
 * the boxes. */
static void run_movers(mover *movers, size_t count) {
  size_t started = 1;
  while (started < count &&
         pthread_create(&movers[started].thread, NULL, move_on, &movers[started]) == 0) {
    started++;
  }
  move_on(&movers[0]);
  for (size_t i = 1; i < started; i++) {
    pthread_join(movers[i].thread, NULL);
  }
}

/* Returns the number of movers. Each device has equally many, limited by the device with the fewest
 * queues. */
static size_t count_movers(const cli_carry *carry) {
  size_t of_each = CLI_MOVERS;
  for (size_t i = 0; i < carry->host_count; i++) {
    const cl_uint queues = carry->hosts[i].report.most_queues;
    of_each = queues != 0 && queues < of_each ? queues : of_each;
  }
  const size_t most = carry->host_count * of_each;
  return (uint64_t)carry->boxes->count < most ? (size_t)carry->boxes->count : most;
}

static clrs_status run_crew(crew *all, clrs_error *error) {
  const size_t count = count_movers(all->carry);
  /* NOLINTNEXTLINE(clang-analyzer-optin.portability.UnixAPI): of a host and a box at least */
  mover *movers = calloc(count, sizeof *movers);
  if (movers == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  for (size_t i = 0; i < count; i++) {
    movers[i].crew = all;
    movers[i].host = &all->carry->hosts[i % all->carry->host_count];
  }
  run_movers(movers, count);
  free(movers);
  if (all->status != CLRS_OK) {
    *error = all->error;
  }
  return all->status;
}

clrs_status cli_carry_out(const cli_carry *carry, clrs_error *error) {
  clrs_status status = CLRS_OK;
  crew *all = calloc(1, sizeof *all);
  if (all == NULL) {
    return clrs__fail(error, CLRS_OUT_OF_MEMORY, "out of memory");
  }
  all->carry = carry;
  all->changed = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  if (pthread_mutex_init(&all->lock, NULL) != 0) {
    status = clrs__fail(error, CLRS_OUT_OF_MEMORY, "no memory for a lock");
  } else {
    cli_progress_start(&all->progress, carry->bytes);
    status = carry->boxes->count > 0 ? run_crew(all, error) : CLRS_OK;
    pthread_mutex_destroy(&all->lock);
  }
  free(all);
  return status;
}
