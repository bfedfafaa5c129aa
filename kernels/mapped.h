/*
 * What the host and the kernels agree on for a mapped move: what an element type is, where a
 * parameter comes from, and the words of a launch. It is plain preprocessor, valid C11 and valid
 * OpenCL C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAPPED_H
#define CLRS_MAPPED_H

/* Operands: the destination, the source, then the views of the parameters. */
#define CLRS_TO 0
#define CLRS_FROM 1
#define CLRS_FIRST_VIEW 2

/* An element type is eight numbers: what a code stands for, its bits, is it signed, is element 0 in
 * the high bits of a byte; of floats: exponent bits, mantissa bits, bias, specials as in numbers.h.
 */
#define CLRS_KIND_BOOL 1
#define CLRS_KIND_INTEGER 2
#define CLRS_KIND_FLOAT 3

/* Where a parameter comes from: one number, a list of the map's own, a tensor. */
#define CLRS_ORIGIN_NONE 0
#define CLRS_ORIGIN_NUMBER 1
#define CLRS_ORIGIN_LIST 2
#define CLRS_ORIGIN_TENSOR 3

/* Steps of a map's program, which have a parameter each, and how many of these are tensors. */
#define CLRS_MAPPED_STEPS 16
#define CLRS_MAPPED_TENSORS 8

/* As in clreshape/map.h, which a kernel does not see. */
#define CLRS_OP_SUBTRACT 0
#define CLRS_OP_ADD 1
#define CLRS_OP_MULTIPLY 2
#define CLRS_OP_DIVIDE 3
#define CLRS_OP_AT_LEAST 4
#define CLRS_OP_AT_MOST 5
#define CLRS_OP_ROUND 6
#define CLRS_OP_ROUND_AND_ADD 7
#define CLRS_OP_SHIFT_LEFT 8
#define CLRS_OP_SHIFT_RIGHT 9
#define CLRS_SATURATES 0
#define CLRS_WRAPS 1
#define CLRS_IEEE 2

/* The ways of an element through a map: integer operations of 64 bits as on the host, floats,
 * integer to integer, doubles. src/mapped/key.c says which maps may take which way. */
#define CLRS_WAY_EXACT 0
#define CLRS_WAY_FLOATS 1
#define CLRS_WAY_INTEGERS 2
#define CLRS_WAY_DOUBLES 3

/* How quotients of floats are made: there are none; as the device divides; the same, of integers
 * less or more numbers; in doubles, rounded once more. Or all steps of floats are made by integer
 * operations, on the exact way. Or by quotient.h, of floats. */
#define CLRS_DIVIDES_NOT 0
#define CLRS_DIVIDES 1
#define CLRS_DIVIDES_INTEGERS 2
#define CLRS_DIVIDES_WIDE 3
#define CLRS_DIVIDES_SOFTLY 4
#define CLRS_DIVIDES_FUSED 5

/* Elements of a row that are staged at a time. */
#define CLRS_MAPPED_STAGE 1024
#define CLRS_MAPPED_SHORTEST_RUN 16 /* as many elements as a vector has */

/* Planes that lie interleaved, such as the colours of pixels, are at most so many. */
#define CLRS_MAPPED_PLANES 4

/* Of rows that are neighbours in the source, a chunk has so many at most, and so many elements. */
#define CLRS_MAPPED_TURNED_ROWS 128
#define CLRS_MAPPED_TURNED 16384

/* On a GPU, neighbours that a work-item takes at once: 16 bytes of the wider side, but at most 16
 * elements, and whole bytes of the narrower side; how many such accesses an item has on their way.
 */
#define CLRS_MAPPED_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define CLRS_MAPPED_ACCESS(from_bits, to_bits)                                                     \
  CLRS_MAPPED_LARGER(128 / CLRS_MAPPED_LARGER(8, CLRS_MAPPED_LARGER(from_bits, to_bits)),          \
                     CLRS_MAPPED_LARGER(8 / (from_bits), 8 / (to_bits)))
#define CLRS_MAPPED_LOADS 4
#define CLRS_MAPPED_STEADY 2 /* of SPREAD, 0 to 2: map_group.cl */
#define CLRS_MAPPED_PIXEL_LOADS 2
#define CLRS_MAPPED_PIXEL_BITS 1024 /* of the pixels of an access, at most: registers */

/* Loops of a launch that are one loop of the source and the destination, at most. */
#define CLRS_MAPPED_JOINED 3

/* The words of a launch, after the map's numbers: each is an index_t. DIVISOR takes two. map_any
 * takes `count` elements; or bytes if the destination is packed, which hold `chunk_rows` rows of
 * `run` elements, `row_chunks` elements apart. */
#define CLRS_MAPPED_WORDS(WORD, DIVISOR)                                                           \
  WORD(count)           /* chunks, elements or bytes: what work-items share out */                 \
  WORD(chunks_per_item) /* neighbours that a work-item takes */                                    \
  WORD(axis_count)      /* of all */                                                               \
  WORD(run_axes)        /* the last of them, which make up a row of the destination */             \
  WORD(run)             /* elements of a row */                                                    \
  WORD(rows)            /* extent of the axis before these, of which a chunk has some steps */     \
  WORD(chunk_rows)                                                                                 \
  WORD(chunk_columns) /* and as much of the row */                                                 \
  WORD(period)        /* of the parameters along a row, where parts begin at it; else 0 */         \
  WORD(reach)         /* elements of a run that rows are parts of; 0: rows are whole */            \
  WORD(row_chunks)                                                                                 \
  WORD(column_chunks)                                                                              \
  DIVISOR(row_chunks)                                                                              \
  DIVISOR(column_chunks)

/* Behind the axes, if indices name places of operands: the extent of the axis that has these, and
 * rules as in shared.h. Then come the digits of a place, the fastest first, as axes. */
#define CLRS_MAPPED_INDEX_WORDS(WORD) WORD(extent) WORD(rules) WORD(digit_count)

#endif
