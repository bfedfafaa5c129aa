/*
 * Commands. A cut of a plan and the buffers that it is for become a command once: its kernel,
 * built; its arguments, in the kernel's order; its range. Whatever may fail without a queue fails
 * then. A command is enqueued any number of times, alone or in a list.
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

/* `stack` is read only if the cut follows it. `in_table`: for a row of a batch's table. */
void clrs__encode(const clrs_device_limits *limits, const clrs__cut *cut, const clrs_view *stack,
                  bool in_table, clrs__encoded *encoded);

/* ---- commands ---- */

/* OpenCL promises a kernel 1024 bytes of arguments, and no kernel here takes more. A table's has
 * a value if it fills, each of its buffers, their starts, and the table; a map's two for each
 * parameter, too, and those of indices. */
enum { CLRS__MOST_ARGUMENTS = 5 + 2 * CLRS_MAPPED_TENSORS + 5 };
_Static_assert((int)CLRS__MOST_ARGUMENTS >= CLRS_BATCH_BUFFERS + 3, "of a table");

/* A buffer among the arguments, and where the kernel enters it. */
typedef struct clrs__entrance {
  cl_mem buffer; /* or what stands for it until it is known: src/opencl/tasks/recording.h */
  uint64_t start;
  uint32_t unit_bits;               /* of the units that the start counts */
  uint32_t buffer_word, start_word; /* where both lie in the arguments */
} clrs__entrance;

typedef struct clrs__command {
  clrs__held_kernel held; /* the context's */
  clrs_launch launch;     /* for an observer, and so are bytes and moves */
  uint64_t bytes_written;
  size_t moves;
  size_t awaited_from, awaited_to; /* the commands of the list that it waits for */
  cl_mem table; /* of words that no arguments have room for, the list's; else NULL */
  size_t global[2], group[2];
  uint32_t argument_count;
  size_t argument_sizes[CLRS__MOST_ARGUMENTS];
  uint64_t arguments[1024 / sizeof(uint64_t)]; /* one after the other, each on a whole word */
  uint32_t entrance_count;
  clrs__entrance entrances[CLRS_BATCH_BUFFERS];
} clrs__command;

/* An element repeated to the widest unit. */
typedef struct clrs__fill_value {
  uint8_t bytes[16];
} clrs__fill_value;

/* An element in host memory, packed types in its low bits. */
clrs__fill_value clrs__fill_value_of(clrs_dtype dtype, const void *element);

/* What one call enqueues. Commands of a stage run in any order, and after those of the stage before
 * it. */
typedef struct clrs__commands {
  clrs_context *context;
  clrs__fill_value value;     /* of plans that fill */
  bool in_order;              /* each command is a stage */
  size_t stage_before, stage; /* the first command of the stage before this one, and of this one */
  size_t count, capacity;
  clrs__command *list;
} clrs__commands;

/* The next command of a list, empty; it counts from now on. */
clrs_status clrs__commands_open(clrs__commands *commands, clrs__variant variant,
                                clrs__command **opened, clrs_error *error);
/* Gives the word where the argument lies. */
uint32_t clrs__command_add_argument(clrs__command *command, size_t size, const void *value);
/* The words of a kernel, or, `in_table`, a buffer of them, which the list then holds. */
clrs_status clrs__command_add_words(clrs__commands *commands, clrs__command *command, bool in_table,
                                    size_t size, void *words, clrs_error *error);
/* Two arguments: a buffer, and the start in units of so many bits. */
void clrs__command_add_buffer(clrs__command *command, cl_mem buffer, uint64_t start,
                              uint32_t unit_bits);
/* What is opened from now on waits for what was opened since the last call. */
void clrs__commands_begin_stage(clrs__commands *commands);
/* The last command also waits for the one before it: they share bytes. */
void clrs__commands_follow(clrs__commands *commands);

/* The next command of a list, for a cut: all but its arguments. */
clrs_status clrs__commands_open_cut(clrs__commands *commands, const clrs__cut *cut,
                                    const clrs_view *stack, clrs__encoded *encoded,
                                    clrs__command **opened, clrs_error *error);
/* Adds one cut. A cut that fills has no source. */
clrs_status clrs__commands_add_cut(clrs__commands *commands, const clrs__cut *cut,
                                   const clrs_view *stack, cl_mem source, cl_mem destination,
                                   clrs_error *error);
/* Releases what the commands hold: all that there is to do for a list on the caller's stack. */
void clrs__commands_release(clrs__commands *commands);
/* Frees the list, too. */
void clrs__commands_destroy(clrs__commands *commands);

/* Enqueues them all, or a marker if there are none. One event stands for all. */
clrs_status clrs__commands_enqueue(const clrs__commands *commands, const clrs__tail *tail,
                                   clrs_error *error);
