/*
 * The words of a move, as kernels/shared.h lists them. The host sets words by name. The macros of
 * kernels/shared.h define the order of the stored words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_CLASS_WORDS_H
#define CLRS_CLASS_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "address.h"
#include "clreshape/core.h"
#include "shared.h"

/* The number of axes with room in the words. OpenCL promises 1024 bytes for all arguments. In
 * 32-bit arithmetic, 31 axes of extent 2 suffice for every nest. */
enum {
  CLRS__NEST_AXES_32 = 31,
  CLRS__NEST_AXES_64 = 21,
  CLRS__INDEXED_NEST_AXES = 12,
  CLRS__STACKED_NEST_AXES_32 = 16,
  CLRS__STACKED_NEST_AXES_64 = 8,
  CLRS__SIMPLE_NEST_AXES = 2,
  CLRS__LEVEL_AXES_32 = 32,
  /* Enough for most moves. Compilers unroll the loops over a GPU's axes and over a stack's digits
   * as far as there is room. A kernel with room for 31 axes took PoCL 2.9 s to compile, with room
   * for 8 axes 1.7 s. */
  CLRS__FEW_NEST_AXES = 8,
  CLRS__FEW_LEVEL_AXES = 12,
  CLRS__LEVEL_AXES_64 = 14,
  CLRS__SIMPLE_LEVEL_AXES_64 = 21
};

#define CLRS__WORD(name) int64_t name;
typedef struct clrs__nest_axis_words {
  CLRS_NEST_AXIS_WORDS(CLRS__WORD, CLRS__WORD)
  CLRS_INDEX_STRIDE_WORDS(CLRS__WORD)
} clrs__nest_axis_words;
typedef struct clrs__chunk_axis_words {
  CLRS_CHUNK_AXIS_WORDS(CLRS__WORD)
  CLRS_INDEX_STRIDE_WORDS(CLRS__WORD)
} clrs__chunk_axis_words;

/* The words that one class alone reads, named as in kernels/shared.h. */
typedef enum clrs__own_words {
  CLRS__OWN_NONE,
  CLRS__OWN_BUNDLE,
  CLRS__OWN_FILLED,
  CLRS__OWN_SPAN,
  CLRS__OWN_RUN,
  CLRS__OWN_BOX,
  CLRS__OWN_VOLUME
} clrs__own_words;

/* The values of the words before they are stored. A divisor is the number itself. Only counted axes
 * have a value. Rows and columns have a value only in kernels of chunks. Own words have a value
 * only in their class. */
typedef struct clrs__words {
  int64_t source_start, destination_start; /* units from the start of each buffer, not words */
  CLRS_HEAD_WORDS(CLRS__WORD)
  CLRS_BUNDLE_WORDS(CLRS__WORD)
  CLRS_FILLED_WORDS(CLRS__WORD, CLRS__WORD)
  CLRS_SPAN_WORDS(CLRS__WORD, CLRS__WORD)
  CLRS_RUN_WORDS(CLRS__WORD)
  clrs__chunk_axis_words row, column;
  CLRS_BOX_WORDS(CLRS__WORD)
  CLRS_VOLUME_WORDS(CLRS__WORD)
  int64_t narrow_axes; /* axes from here on divide in 32 bits for any index. Not a word */
  clrs__nest_axis_words axes[CLRS__NEST_AXES_32];
  CLRS_STACK_WORDS(CLRS__WORD)
  int64_t level_axis_count;     /* in CLRS_UNIT_STACK_WORDS. CLRS_STACK_WORDS has the other word */
  const clrs_view *stack;       /* or NULL */
  const clrs__address *address; /* or NULL */
} clrs__words;
#undef CLRS__WORD

/* The kernels' struct that the words are stored for. */
typedef struct clrs__words_form {
  uint32_t index_bits;
  uint32_t nest_axes, level_axes; /* room */
  bool is_chunked;
  clrs__own_words own;
} clrs__words_form;

enum { CLRS__MAX_WORDS = 256 };

/* Words as a kernel reads them: `bytes` bytes of words of the index width. */
typedef struct clrs__stored_words {
  size_t bytes;
  union {
    int64_t words_64[CLRS__MAX_WORDS];
    int32_t words_32[CLRS__MAX_WORDS];
  } as;
} clrs__stored_words;

/* Axes of all levels of a stack, as kernels count them: at least one axis for each level. */
uint32_t clrs__count_level_axes(const clrs_view *stack);

void clrs__words_store(const clrs__words *words, clrs__words_form form, clrs__stored_words *stored);

#endif
