/*
 * What the host and the kernels agree on for a gather or a scatter by indices: the operands, what
 * an index outside of the axis does, and the words of a launch. It is plain preprocessor, valid C11
 * and valid OpenCL C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_INDEXED_WORDS_H
#define CLRS_INDEXED_WORDS_H

/* Operands. One side is listed: its elements are counted through as they lie. Of the other side the
 * indices name the places along one axis. A gather reads the named side, a scatter writes it. */
#define CLRS_LISTED 0
#define CLRS_NAMED 1
#define CLRS_INDEX 2
#define CLRS_INDEXED_OPERANDS 3

/* Room for the loops of a launch, and for the axes that the named dim is made of. */
#define CLRS_INDEXED_LOOPS 12
#define CLRS_INDEXED_DIGITS 4

/* index_units: pieces of a work-item. */
#define CLRS_INDEXED_PIECES 4

/* Rules, added up: negative indices count from the end; indices outside are clamped, not skipped;
 * there is a flag to raise. */
#define CLRS_INDEX_FROM_END 1
#define CLRS_INDEX_CLAMPS 2
#define CLRS_INDEX_HAS_FLAG 4

/* The words of index_rows and index_units, each an index_t. DIVISOR takes two. Behind them come the
 * digits of a place, the fastest first, and the loops, the fastest first: the units of a run, which
 * are neighbours on both sides and share an index, then the rows of such runs. */
#define CLRS_INDEXED_WORDS(WORD, DIVISOR)                                                          \
  WORD(count)          /* chunks or pieces: what work-items share out */                           \
  WORD(count_per_item) /* neighbouring chunks that a work-item takes */                            \
  WORD(loop_count)                                                                                 \
  WORD(digit_count)                                                                                \
  WORD(extent) /* of the axis that indices name places of */                                       \
  WORD(rules)                                                                                      \
  WORD(chunk_rows)                                                                                 \
  WORD(chunk_columns) /* units of a run in one chunk */                                            \
  WORD(row_chunks)                                                                                 \
  WORD(column_chunks)                                                                              \
  DIVISOR(row_chunks)                                                                              \
  DIVISOR(column_chunks)
#define CLRS_INDEXED_LOOP_WORDS(WORD, DIVISOR)                                                     \
  WORD(extent) DIVISOR(extent) WORD(listed_stride) WORD(named_stride) WORD(index_stride)
#define CLRS_INDEXED_DIGIT_WORDS(WORD, DIVISOR) WORD(extent) DIVISOR(extent) WORD(stride)

/* The words of index_any, which lie in a buffer, then those of each operand: how many levels it
 * has, and room for so many, as shared.h has them, and their axes. */
#define CLRS_ANY_INDEXED_WORDS(WORD)                                                               \
  WORD(count)          /* elements */                                                              \
  WORD(count_per_item) /* neighbours that a work-item takes */                                     \
  WORD(parts)          /* units of an element */                                                   \
  WORD(step)           /* elements from place to place, as the named view counts them */           \
  WORD(extent)                                                                                     \
  WORD(rules)
#define CLRS_INDEXED_LEVELS 9
#define CLRS_INDEXED_AXES 99

#endif
