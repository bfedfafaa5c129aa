/*
 * The table of the classes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_TABLE_H
#define CLRS_CLASS_TABLE_H

#include "class.h"

/* By number. NULL for CLRS__CLASS_ANY. */
extern const clrs__class *const clrs__classes[CLRS__CLASS_COUNT];
/* NULL for CLRS__CLASS_ANY and for numbers of no class. */
const clrs__class *clrs__class_of(clrs__class_number kernel_class);
/* CLRS__CLASS_ANY for "any" and for NULL, CLRS__CLASS_COUNT for what is no name. */
clrs__class_number clrs__class_named(const char *name);

/* Asks a class of the table. False, and *cut undefined, if it cannot do the job or keeps quiet. */
bool clrs__class_ask(clrs__class_number kernel_class, const clrs__job *job, bool is_required,
                     clrs__cut *cut);

/* The arguments of a kernel: the start of the units in both buffers, and the words of the move. */
typedef struct clrs__arguments {
  uint64_t source_start, destination_start;
  clrs__stored_words move;
} clrs__arguments;

/* Encodes a cut with room for `nest_room` axes. `stack` is read only if the cut follows a stack. */
void clrs__cut_encode(const clrs__cut *cut, const clrs_view *stack, uint32_t nest_room,
                      clrs__arguments *arguments);

/* Returns true if work-items move chunks, row by row in lines or by groups. The kernel's CHUNKED
 * option has the same value. */
bool clrs__cut_is_chunked(const clrs__cut *cut);

/* Returns true if the kernel loops over pieces only when necessary (LOOPS): all classes of GPUs
 * except subbyte and gpu_short. */
bool clrs__cut_may_loop(const clrs__cut *cut);

#endif
