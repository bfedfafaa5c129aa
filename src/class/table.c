/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include <string.h>

#include "classes.h"
#include "grid.h"

#define ROW(number, name) [CLRS__CLASS_##number] = &clrs__##name,
const clrs__class *const clrs__classes[CLRS__CLASS_COUNT] = {CLRS__EACH_CLASS(ROW)};

const clrs__class *clrs__class_of(clrs__class_number kernel_class) {
  return (unsigned)kernel_class < CLRS__CLASS_COUNT ? clrs__classes[kernel_class] : NULL;
}

const char *clrs_class_name(size_t number) {
  return number >= CLRS__CLASS_COUNT ? NULL : number == 0 ? "any" : clrs__classes[number]->name;
}

clrs__class_number clrs__class_named(const char *name) {
  clrs__class_number number = CLRS__CLASS_ANY;
  while (name != NULL && number < CLRS__CLASS_COUNT && strcmp(name, clrs_class_name(number)) != 0) {
    number++;
  }
  return number;
}

bool clrs__class_ask(clrs__class_number kernel_class, const clrs__job *job, bool is_required,
                     clrs__cut *cut) {
  const clrs__class *asked = clrs__classes[kernel_class];
  const uint32_t halvings = asked->takes_groups ? clrs__group_halvings(job->limits) : 0;
  if ((asked->unit_widths & job->unit_bits) == 0 || (asked->from & job->from) == 0 ||
      (asked->takes_groups && (halvings > CLRS_MOST_HALVINGS || job->nest.axis_count == 0))) {
    return false;
  }
  clrs__cut_start(job, cut);
  cut->kernel_class = kernel_class;
  cut->halvings = halvings;
  return asked->fit(job, is_required, cut);
}

static void encode_stack(const clrs__cut *cut, const clrs_view *stack, clrs__words *words) {
  words->stack = stack;
  words->rows_per_chunk = words->rows_per_period = 0;
  words->lattice_run = words->tile_rows = words->tile_columns = 0;
  if (cut->kind == CLRS__CUT_DECODED) {
    words->rows_per_chunk = cut->as.decoded.rows;
    words->rows_per_period = cut->as.decoded.period;
  } else if (cut->kind == CLRS__CUT_LATTICE) {
    words->lattice_run = cut->as.lattice.run;
    words->tile_rows = cut->as.lattice.rows;
    words->tile_columns = cut->as.lattice.columns;
  }
  words->first_position = cut->nest.source_offset;
  words->level_count = stack->depth;
  words->level_axis_count = clrs__count_level_axes(stack);
  words->source_start = stack->levels[0].offset;
}

void clrs__cut_encode(const clrs__cut *cut, const clrs_view *stack, uint32_t nest_room,
                      clrs__arguments *arguments) {
  const clrs__words_form form = {cut->index_bits, nest_room, clrs__cut_level_room(cut),
                                 clrs__cut_is_chunked(cut), clrs__classes[cut->kernel_class]->own};
  clrs__words words;
  clrs__classes[cut->kernel_class]->encode(cut, &words);
  words.stack = NULL;
  if (cut->from == CLRS__FROM_STACK) {
    encode_stack(cut, stack, &words);
  }
  arguments->source_start = (uint64_t)words.source_start;
  arguments->destination_start = (uint64_t)words.destination_start;
  clrs__words_store(&words, form, &arguments->move);
}

bool clrs__cut_is_chunked(const clrs__cut *cut) {
  return cut->kind == CLRS__CUT_CHUNKS || cut->kind == CLRS__CUT_SHORT ||
         cut->kind == CLRS__CUT_DECODED || cut->kind == CLRS__CUT_LATTICE ||
         cut->kind == CLRS__CUT_BOXES;
}

bool clrs__cut_may_loop(const clrs__cut *cut) {
  return cut->kind == CLRS__CUT_UNITS ||
         (clrs__classes[cut->kernel_class]->takes_groups && cut->kind != CLRS__CUT_VOLUMES);
}
