/*
 * Running a kernel: every work-item in turn, or, where a kernel has barriers, the items of a group
 * as fibres that take turns from barrier to barrier.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { MOST_NUMBERS = 6, STACK_BYTES = 1 << 18 };

_Thread_local work_item microscope_item;

/* ---- calling ----
 *
 * By the System V convention of x86-64 the first six words go in registers, and a 16-byte vector
 * goes in a vector register. Structures by value and all further words go onto the stack, in order.
 * One call therefore fits every kernel with words, at most one vector, and structures of more than
 * 16 bytes as arguments. A kernel ignores surplus arguments. */

typedef uint32_t vector __attribute__((vector_size(16)));
typedef struct stacked {
  uint64_t words[MAX_ARGUMENT_BYTES / 8];
} stacked;
typedef void (*any_kernel)(vector, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                           stacked);

typedef struct call {
  any_kernel entry;
  vector value;
  uint64_t numbers[MOST_NUMBERS];
  stacked rest;
  unsigned char *local[MAX_ARGUMENTS]; /* owned */
} call;

static void enter(const call *c) {
  c->entry(c->value, c->numbers[0], c->numbers[1], c->numbers[2], c->numbers[3], c->numbers[4],
           c->numbers[5], c->rest);
}

static uint64_t word_of(const argument *given, call *c, size_t index) {
  uint64_t word = 0;
  if (given->is_local) {
    c->local[index] = malloc(given->size);
    return (uint64_t)(uintptr_t)c->local[index];
  }
  if (given->buffer != NULL) {
    return (uint64_t)(uintptr_t)given->buffer->bytes;
  }
  memcpy(&word, given->bytes, given->size);
  return word;
}

static bool prepare(const struct _cl_kernel *kernel, call *c) {
  size_t numbers = 0, stacked_words = 0;
  memset(c, 0, sizeof *c);
  memcpy(&c->entry, &kernel->entry, sizeof c->entry);
  for (size_t i = 0; i < MAX_ARGUMENTS && kernel->arguments[i].is_set; i++) {
    const argument *given = &kernel->arguments[i];
    const bool is_word = given->is_local || given->size <= 8;
    const size_t words = is_word ? 1 : (given->size + 7) / 8;
    if (!is_word && given->size == sizeof c->value) {
      memcpy(&c->value, given->bytes, sizeof c->value);
    } else if (is_word && numbers < MOST_NUMBERS) {
      c->numbers[numbers++] = word_of(given, c, i);
    } else if (words > MAX_ARGUMENT_BYTES / 8 - stacked_words) {
      return false;
    } else if (is_word) {
      c->rest.words[stacked_words++] = word_of(given, c, i);
    } else {
      memcpy(&c->rest.words[stacked_words], given->bytes, given->size);
      stacked_words += words;
    }
  }
  return true;
}

/* ---- groups with barriers ---- */

typedef struct fibre {
  ucontext_t context;
  work_item item;
  bool done, waits;
} fibre;

static _Thread_local ucontext_t scheduler;
static _Thread_local fibre *running;
static _Thread_local const call *fibre_call;

static void fibre_start(void) {
  enter(fibre_call);
  running->done = true;
}

void microscope_barrier(void) {
  if (running == NULL) {
    (void)fprintf(stderr, "microscope: a barrier where the source shows none\n");
    abort();
  }
  running->waits = true;
  (void)swapcontext(&running->context, &scheduler);
}

/* Runs from barrier to barrier. Returns true when all items are done. */
static bool advance_group(fibre *fibres, size_t count) {
  size_t done = 0;
  for (size_t i = 0; i < count; i++) {
    running = &fibres[i];
    running->waits = false;
    microscope_item = running->item;
    (void)swapcontext(&scheduler, &running->context);
    done += running->done ? 1 : 0;
  }
  running = NULL;
  if (done != 0 && done != count) {
    (void)fprintf(stderr, "microscope: %zu of %zu work-items of a group miss a barrier\n", done,
                  count);
    abort();
  }
  return done == count;
}

static void run_group_of_fibres(const call *c, const work_item *items, size_t count) {
  unsigned char *stacks = mmap(NULL, count * STACK_BYTES, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  fibre *fibres = calloc(count, sizeof *fibres);
  if (stacks == MAP_FAILED || fibres == NULL) {
    abort();
  }
  for (size_t i = 0; i < count; i++) {
    (void)getcontext(&fibres[i].context);
    fibres[i].context.uc_stack.ss_sp = stacks + i * STACK_BYTES;
    fibres[i].context.uc_stack.ss_size = STACK_BYTES;
    fibres[i].context.uc_link = &scheduler;
    fibres[i].item = items[i];
    makecontext(&fibres[i].context, fibre_start, 0);
  }
  fibre_call = c;
  while (!advance_group(fibres, count)) {
  }
  free(fibres);
  (void)munmap(stacks, count * STACK_BYTES);
}

/* ---- all groups ---- */

static void locate(const work_range *range, size_t group, size_t within, work_item *item) {
  for (int d = 0; d < 3; d++) {
    const size_t groups = range->global[d] / range->local[d];
    item->group[d] = group % groups;
    item->local[d] = within % range->local[d];
    item->global[d] = range->offset[d] + item->group[d] * range->local[d] + item->local[d];
    group /= groups;
    within /= range->local[d];
  }
  item->range = range;
}

static size_t size_of(const size_t *extents) {
  return extents[0] * extents[1] * extents[2];
}

typedef struct launch {
  call call;
  const work_range *range;
  bool has_barriers;
  race_watch *watch;
} launch;

/* Work-items that must run together: a single item, or a group with barriers. */
typedef struct unit {
  const launch *launch;
  work_item *items;
  size_t count;
} unit;

static void run_unit(void *what) {
  const unit *u = what;
  if (u->count > 1) {
    run_group_of_fibres(&u->launch->call, u->items, u->count);
  } else {
    microscope_item = *u->items;
    enter(&u->launch->call);
  }
}

static void run_group(const launch *l, size_t group) {
  const size_t items = size_of(l->range->local), together = l->has_barriers ? items : 1;
  unit u = {l, calloc(together, sizeof *u.items), together};
  if (u.items == NULL) {
    abort();
  }
  for (size_t first = 0; first < items; first += together) {
    for (size_t i = 0; i < together; i++) {
      locate(l->range, group, first + i, &u.items[i]);
    }
    races_run(l->watch, group * items + first, run_unit, &u);
  }
  free(u.items);
}

/* ---- a few groups of a huge launch ---- */

static size_t chosen_count;
static const size_t *chosen_groups;

void clrs_microscope_choose(size_t count, const size_t *groups) {
  chosen_count = count;
  chosen_groups = groups;
}

/* Counted from the end where the number is in the upper half. */
static size_t choose(size_t wish, size_t groups) {
  return wish > SIZE_MAX / 2 ? groups - 1 - (SIZE_MAX - wish) % groups : wish % groups;
}

cl_int microscope_run(cl_kernel kernel, const work_range *range) {
  launch l = {.range = range};
  const size_t groups = size_of(range->global) / size_of(range->local);
  if (!prepare(kernel, &l.call)) {
    return CL_INVALID_KERNEL_ARGS;
  }
  l.has_barriers = strstr(kernel->program->source, "barrier(") != NULL;
  l.watch = races_start(kernel, size_of(range->global));
  const size_t count = chosen_groups != NULL ? chosen_count : groups;
  for (size_t i = 0; i < count; i++) {
    run_group(&l, chosen_groups != NULL ? choose(chosen_groups[i], groups) : i);
  }
  races_end(l.watch);
  for (size_t i = 0; i < MAX_ARGUMENTS; i++) {
    free(l.call.local[i]);
  }
  return CL_SUCCESS;
}
