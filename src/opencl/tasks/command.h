/*
 * Commands. A cut of a plan and the cut's buffers become a command once. A command holds the built
 * kernel, the arguments in the kernel's order, and the range. Everything that may fail without a
 * queue fails while the command is made. A command can be enqueued any number of times, alone or in
 * a list.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include "table.h"
#include "tail.h"
#include "variant.h"

/* ---- a cut as its kernel reads it ---- */

typedef struct clrs__encoded {
  clrs__variant variant;
  size_t global[2], group[2];
  uint64_t bytes_written;
  clrs__arguments arguments;
} clrs__encoded;

/* Encodes a cut. `stack` is read only if the cut walks along the stack. `in_table` is true for a
 * row of a batch's table. */
void clrs__encode(const clrs_device_limits *limits, const clrs__cut *cut, const clrs_view *stack,
                  bool in_table, clrs__encoded *encoded);

/* ---- commands ---- */

/* OpenCL's full profile guarantees 1024 bytes of kernel arguments, and no kernel here takes more.
 * If a device has fewer, at least 256, words of moves and maps are in buffers. A table has a value
 * if the table fills, each buffer, the starts of the buffers, and the table itself. A map has two
 * arguments more for each parameter, and the arguments of indices. */
enum { CLRS__MOST_ARGUMENTS = 5 + 2 * CLRS_MAPPED_TENSORS + 5 };
_Static_assert((int)CLRS__MOST_ARGUMENTS >= CLRS_BATCH_BUFFERS + 3, "of a table");

/* A buffer among the arguments, and the start of the kernel's elements in the buffer. */
typedef struct clrs__entrance {
  cl_mem buffer; /* or a mark until the buffer is known: src/opencl/tasks/recording.h */
  uint64_t start;
  uint32_t unit_bits;               /* bits of the units of `start` */
  uint32_t buffer_word, start_word; /* positions in `arguments` */
} clrs__entrance;

typedef struct clrs__command {
  clrs__held_kernel held; /* belongs to the context */
  clrs_launch launch;     /* launch, bytes_written and moves are for observers */
  uint64_t bytes_written;
  size_t moves;
  size_t awaited_from, awaited_to; /* range of the list's commands that this command waits for */
  cl_mem table; /* words that do not fit the arguments, owned by the list, or NULL */
  size_t global[2], group[2];
  uint32_t argument_count;
  size_t argument_sizes[CLRS__MOST_ARGUMENTS];
  uint64_t arguments[CLRS__ARGUMENT_BYTES /
                     sizeof(uint64_t)]; /* one after the other, each on a whole word */
  uint32_t entrance_count;
  clrs__entrance entrances[CLRS_BATCH_BUFFERS];
} clrs__command;

/* An element repeated to the widest unit. */
typedef struct clrs__fill_value {
  uint8_t bytes[16];
} clrs__fill_value;

/* The fill value of an element in host memory. A packed element lies in the low bits. */
clrs__fill_value clrs__fill_value_of(clrs_dtype dtype, const void *element);

/* The commands that one call enqueues. Commands of one stage run in any order, and after all
 * commands of the stage before. */
typedef struct clrs__commands {
  clrs_context *context;
  clrs__fill_value value;     /* value of fills */
  bool in_order;              /* each command is a stage */
  bool is_trial;              /* commands of a self-test: no self-test inside, no observer */
  size_t stage_before, stage; /* first command of the previous and of the current stage */
  size_t count, capacity;
  clrs__command *list;
} clrs__commands;

/* The work-items of a launch and of each group. */
typedef struct clrs__launch_range {
  const size_t *global, *group; /* two dimensions */
} clrs__launch_range;

/* Appends a command without arguments to the list. If the driver allows the kernel smaller groups
 * only, the groups shrink. A kernel that needs groups of one size lowers the context's limit and
 * fails with CLRS_UNSUPPORTED: clrs__context_plans_again. */
clrs_status clrs__commands_open(clrs__commands *commands, clrs__variant variant,
                                clrs__launch_range range, clrs__command **opened,
                                clrs_error *error);
/* Returns the position of the argument in `arguments`. */
uint32_t clrs__command_add_argument(clrs__command *command, size_t size, const void *value);
/* Adds the words of a kernel as an argument. With `in_table` the argument is a buffer with the
 * words, which the list then owns. */
clrs_status clrs__command_add_words(clrs__commands *commands, clrs__command *command, bool in_table,
                                    size_t size, void *words, clrs_error *error);
/* Adds two arguments: a buffer, and the start in units of `unit_bits` bits. */
void clrs__command_add_buffer(clrs__command *command, cl_mem buffer, uint64_t start,
                              uint32_t unit_bits);
/* Starts a stage: later commands wait for the commands since the last call. */
void clrs__commands_begin_stage(clrs__commands *commands);
/* Makes the last command wait for the command before it as well, because both write the same
 * bytes. */
void clrs__commands_follow(clrs__commands *commands);

/* Appends a command for a cut, without arguments. */
clrs_status clrs__commands_open_cut(clrs__commands *commands, const clrs__cut *cut,
                                    const clrs_view *stack, clrs__encoded *encoded,
                                    clrs__command **opened, clrs_error *error);
/* Adds one cut. A cut that fills has no source. */
clrs_status clrs__commands_add_cut(clrs__commands *commands, const clrs__cut *cut,
                                   const clrs_view *stack, cl_mem source, cl_mem destination,
                                   clrs_error *error);
/* Releases the objects that the commands hold. A list on the caller's stack needs nothing more. */
void clrs__commands_release(clrs__commands *commands);
/* Frees the list, too. */
void clrs__commands_destroy(clrs__commands *commands);

/* Enqueues all commands, or a marker if the list is empty. One event stands for all commands. */
clrs_status clrs__commands_enqueue(const clrs__commands *commands, const clrs__tail *tail,
                                   clrs_error *error);
/* Enqueues all commands and waits. */
clrs_status clrs__commands_run(const clrs__commands *commands, cl_command_queue queue,
                               clrs_error *error);
