/*
 * Constants that the host and the kernels share for a mapped move: element types, the origin of a
 * parameter, and the words of a launch. The file is plain preprocessor, valid C11 and valid OpenCL
 * C.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAPPED_H
#define CLRS_MAPPED_H

/* Operands: the destination, the source, then the views of the parameters. */
#define CLRS_TO 0
#define CLRS_FROM 1
#define CLRS_FIRST_VIEW 2

/* An element type is eight numbers: the kind of its codes, the bits, whether the type is signed,
 * and whether element 0 is in the high bits of a byte. For floats also: exponent bits, mantissa
 * bits, bias, and specials as in numbers.h. */
#define CLRS_KIND_BOOL 1
#define CLRS_KIND_INTEGER 2
#define CLRS_KIND_FLOAT 3

/* Origins of a parameter: one number, a list in the map, a tensor. */
#define CLRS_ORIGIN_NONE 0
#define CLRS_ORIGIN_NUMBER 1
#define CLRS_ORIGIN_LIST 2
#define CLRS_ORIGIN_TENSOR 3

/* The most steps of a map's program, and the most tensors among the steps' parameters. Each step
 * has one parameter. */
#define CLRS_MAPPED_STEPS 16
#define CLRS_MAPPED_TENSORS 8

/* The values of clreshape/map.h, which a kernel does not include. */
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
#define CLRS_OP_TERM 10
#define CLRS_OP_ADD_TERM 11
#define CLRS_OP_RESAMPLE 12
#define CLRS_SATURATES 0
#define CLRS_WRAPS 1
#define CLRS_IEEE 2

/* The ways to compute a map: exact (64-bit integer operations as on the host), floats, integer to
 * integer, doubles. src/mapped/key.c says which maps may take which way. */
#define CLRS_WAY_EXACT 0
#define CLRS_WAY_FLOATS 1
#define CLRS_WAY_INTEGERS 2
#define CLRS_WAY_DOUBLES 3

/* How float quotients are computed:
 * - DIVIDES_NOT: the map has no quotients.
 * - DIVIDES: as the device divides.
 * - DIVIDES_INTEGERS: as the device divides. The dividends are integers, with a number added or
 *   subtracted.
 * - DIVIDES_WIDE: in doubles, rounded once more.
 * - DIVIDES_SOFTLY: all float steps use integer operations, on the exact way.
 * - DIVIDES_FUSED: by quotient.h, in floats with fma. */
#define CLRS_DIVIDES_NOT 0
#define CLRS_DIVIDES 1
#define CLRS_DIVIDES_INTEGERS 2
#define CLRS_DIVIDES_WIDE 3
#define CLRS_DIVIDES_SOFTLY 4
#define CLRS_DIVIDES_FUSED 5

/* The sums over the taps of a resampled element: the nearest element alone, or a formula of
 * kernels/resample.cl. */
#define CLRS_COMBINE_NEAREST 1
#define CLRS_COMBINE_OPENCV 2
#define CLRS_COMBINE_EXACT 3
#define CLRS_COMBINE_PILLOW 4
#define CLRS_COMBINE_TORCH 5
#define CLRS_COMBINE_ONNX 6
#define CLRS_COMBINE_OPENVINO 7

/* The arithmetic of colours, if the elements of the picture are colours of a frame, or the kernel
 * mixes colours. Grey is only mixed. */
#define CLRS_COLORS_INTEGERS 1
#define CLRS_COLORS_FLOATS 2
#define CLRS_COLORS_GREY 3

/* Elements of a row that are staged at once. */
#define CLRS_MAPPED_STAGE 1024
#define CLRS_MAPPED_SHORTEST_RUN 16 /* elements of a vector */

/* The most interleaved planes, such as the colours of pixels. */
#define CLRS_MAPPED_PLANES 4

/* The most rows, and the most elements, of a chunk whose rows are neighbours in the source. */
#define CLRS_MAPPED_TURNED_ROWS 128
#define CLRS_MAPPED_TURNED 16384

/* On a GPU: consecutive elements of one access. An access has 16 bytes of the wider side, but at
 * most 16 elements, and whole bytes of the narrower side. MAPPED_LOADS is the number of accesses
 * that an item loads before its first store. */
#define CLRS_MAPPED_LARGER(a, b) ((a) > (b) ? (a) : (b))
#define CLRS_MAPPED_ACCESS(from_bits, to_bits)                                                     \
  CLRS_MAPPED_LARGER(128 / CLRS_MAPPED_LARGER(8, CLRS_MAPPED_LARGER(from_bits, to_bits)),          \
                     CLRS_MAPPED_LARGER(8 / (from_bits), 8 / (to_bits)))
#define CLRS_MAPPED_LOADS 4
#define CLRS_MAPPED_STEADY 2 /* value of SPREAD, 0 to 2: map_group.cl */

/* The most bits of an access' pixels, and the accesses that an item loads before its first store.
 * Registers limit both. */
#define CLRS_MAPPED_PIXEL_BITS 1024
#define CLRS_MAPPED_PIXEL_LOADS(bits) ((bits) < CLRS_MAPPED_PIXEL_BITS ? 2 : 1)

/* The pixels of a frame whose colours an item mixes: 16 bytes of a plane, or 8 pixels. */
#define CLRS_MAPPED_COLORED_PIXELS(to_bits) ((to_bits) < 16 ? 8 : 128 / (to_bits))
/* The neighbours in a row of a resized picture that an item makes. */
#define CLRS_MAPPED_PICTURE_PIXELS(to_bits) ((to_bits) < 16 ? 4 : (to_bits) < 32 ? 2 : 1)

/* The most loops of a launch that are one loop of the source and the destination. */
#define CLRS_MAPPED_JOINED 3

/* The words of a launch, after the map's numbers. Each word is an index_t, and DIVISOR takes two
 * words. map_any takes `count` elements. If the destination is packed, map_any takes `count` bytes,
 * which hold `chunk_rows` rows of `run` elements, `row_chunks` elements apart. */
#define CLRS_MAPPED_WORDS(WORD, DIVISOR)                                                           \
  WORD(count)           /* chunks, elements or bytes, shared by the work-items */                  \
  WORD(chunks_per_item) /* consecutive pieces that a work-item takes */                            \
  WORD(axis_count)      /* number of axes */                                                       \
  WORD(run_axes)        /* the last axes, which make up a row of the destination */                \
  WORD(run)             /* elements of a row */                                                    \
  WORD(rows)            /* extent of the axis before the run axes */                               \
  WORD(chunk_rows)                                                                                 \
  WORD(chunk_columns) /* elements of a row that a chunk has */                                     \
  WORD(period)        /* period of the parameters along a row if parts begin at it, else 0 */      \
  WORD(reach)         /* elements of the run that is cut into rows, 0 if rows are whole */         \
  WORD(row_chunks)                                                                                 \
  WORD(column_chunks)                                                                              \
  DIVISOR(row_chunks)                                                                              \
  DIVISOR(column_chunks)

/* The words behind the axes if the source is a resized picture: its sizes, the most taps of a row's
 * and of a column's element, and the strides of the picture's axes. Extents count the result. */
#define CLRS_MAPPED_PICTURE_WORDS(WORD, DIVISOR)                                                   \
  WORD(inner)                                                                                      \
  DIVISOR(inner)                                                                                   \
  WORD(picture_columns)                                                                            \
  DIVISOR(picture_columns)                                                                         \
  WORD(picture_rows)                                                                               \
  DIVISOR(picture_rows)                                                                            \
  WORD(outer)                                                                                      \
  DIVISOR(outer)                                                                                   \
  WORD(inner_stride)                                                                               \
  WORD(column_stride)                                                                              \
  WORD(row_stride)                                                                                 \
  WORD(outer_stride)                                                                               \
  WORD(outermost_stride)                                                                           \
  WORD(row_taps)                                                                                   \
  WORD(column_taps)                                                                                \
  WORD(sums_rows_first)

/* The words behind the axes if the kernel mixes colours. The numbers of each colour follow: the
 * factors of U and V, and the bias. In floats, the words are codes of floats. The offsets of U and
 * V then stand in the places of the least luma and of the shift. */
#define CLRS_MAPPED_MIX_WORDS(WORD)                                                                \
  WORD(luma_offset) WORD(least_luma) WORD(luma_factor) WORD(color_shift)
#define CLRS_COLORS 3

/* The operands of colours that a kernel mixes. For grey, operands 2 and 3 are the second and the
 * third colour. */
#define CLRS_OF_U 2
#define CLRS_OF_COLORS 3
#define CLRS_OF_V 4

/* The words behind the axes if indices address an operand: the extent of the indexed axis, and
 * rules as in shared.h. The digits of a place follow as axes, the fastest first. */
#define CLRS_MAPPED_INDEX_WORDS(WORD) WORD(extent) WORD(rules) WORD(digit_count)

#endif
