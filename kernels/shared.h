/*
 * What the host and the kernels agree on, written once: sizes, and the words of a move. It is plain
 * preprocessor, valid C11 and valid OpenCL C: src/class includes it, and it is the first source of
 * every program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SHARED_H
#define CLRS_SHARED_H

/* ---- sizes on a CPU ---- */

/* What a cache moves, and the parts of it that instructions turn by themselves. */
#define CLRS_LINE_BYTES 64
#define CLRS_LANES_PER_LINE 4

/* cpu_tile: the lines of a chunk that is staged, and the most columns of it; columns that its
 * squares read where so many are staged. */
#define CLRS_STAGE_LINES 3200
#define CLRS_STAGE_COLUMNS 1024
#define CLRS_COLUMNS_READ(staged, line_units)                                                      \
  ((staged) <= (line_units) / CLRS_LANES_PER_LINE ? (line_units) / CLRS_LANES_PER_LINE             \
   : (staged) < (line_units)                      ? (line_units)                                   \
                                                  : (staged))

/* cpu_tile and cpu_short: bytes that are turned before they are written. */
#define CLRS_TURNED_BYTES 16384

/* cpu_short: the most bytes and units of a chunk of one row, and units of either side of a chunk
 * that is turned, of which fewer are columns. */
#define CLRS_SHORT_BYTES 8192
#define CLRS_SHORT_UNITS 2048
#define CLRS_SHORT_COLUMNS 448

/* composed: units that are decoded together; whole bytes of them, whatever the unit. */
#define CLRS_DECODED_UNITS 256

/* composed: the most rows and the most columns of a tile of a lattice, and the lines of its stage.
 */
#define CLRS_LATTICE_LINES 512
#define CLRS_LATTICE_STAGE_LINES 1280

/* ---- sizes on a GPU, by the bits of a unit ---- */

#define CLRS_GROUP_ITEMS 256

/* gpu_rows: units of one work-item, 32 bytes or more on their way, but no more than 16 addresses to
 * compute. */
#define CLRS_LOADS(unit_bits) ((unit_bits) == 8 ? 16 : (unit_bits) <= 32 ? 8 : 4)

/* gpu_tile: units on a side of the tile, 8 or 16 KiB of local memory; units of a vector. */
#define CLRS_TILE_SIDE(unit_bits) ((unit_bits) == 8 ? 128 : (unit_bits) <= 32 ? 64 : 32)
#define CLRS_TILE_WIDTH(unit_bits) ((unit_bits) <= 32 ? 4 : (unit_bits) == 64 ? 2 : 1)

/* gpu_short: the most units of a volume: at most 16 KiB, and 16 units for each work-item. One unit
 * in 33 of local memory stays empty. */
#define CLRS_VOLUME_UNITS(unit_bits) ((unit_bits) == 128 ? 1024 : (unit_bits) == 64 ? 2048 : 4096)
#define CLRS_VOLUME_ROOM(units) ((units) + (units) / 32)

/* ---- the words of a move ----
 * A move_t is words of one width, index_t. The macros below are the only place that knows their
 * order: a kernel declares its struct with them, the host writes its own struct out with them. WORD
 * gets the name of a word; DIVISOR that of a number to divide by, which takes two words in a kernel
 * (divisor_t). */
#define CLRS_HEAD_WORDS(WORD, DIVISOR)                                                             \
  WORD(count) /* what work-items share out: units, chunks, volumes, or bytes */                    \
  WORD(axis_count)                                                                                 \
  WORD(outer_axis_count) /* that number chunks, where the others, the inner axes, make one; a      \
                            lattice: that number its blocks */                                     \
  WORD(inner_units)      /* of all inner axes; cpu_short: in a row; subbyte: their span; a         \
                            lattice: in a run. composed: 0 where there is no lattice */            \
  WORD(bytes_per_chunk)  /* subbyte: that the inner axes can touch */                              \
  DIVISOR(chunk_divisor) /* by bytes_per_chunk */                                                  \
  WORD(chunks_per_item)

/* One of the two axes of a chunk, and how much of it a chunk has. */
#define CLRS_CHUNK_AXIS_WORDS(WORD)                                                                \
  WORD(extent) WORD(source_stride) WORD(destination_stride) WORD(chunk_extent)

/* The divisor is the extent; subbyte: of inner axes the destination stride. */
#define CLRS_NEST_AXIS_WORDS(WORD, DIVISOR)                                                        \
  WORD(extent) WORD(source_stride) WORD(destination_stride) DIVISOR(divisor)

#define CLRS_STACK_WORDS(WORD)                                                                     \
  WORD(                                                                                            \
      rows_per_chunk) /* steps of the first axis; 0: the nest has no rows; a lattice: of a tile */ \
  WORD(rows_per_period) /* a divisor of that axis' extent: chunks do not cross its multiples; a    \
                           lattice: columns of a tile */                                           \
  WORD(first_position)  /* in the top walk */                                                      \
  WORD(level_count)

#define CLRS_LEVEL_WORDS(WORD) WORD(offset) WORD(axis_count)
#define CLRS_LEVEL_AXIS_WORDS(WORD, DIVISOR) WORD(extent) WORD(stride) DIVISOR(divisor)

/* The parts of a move_t. chunk: a row axis and a column axis. axes: of the nest, with room for
 * more; where there are rows and columns all others, then the chunks of both. levels: the top
 * first. level_axes: in the order of the levels, the innermost axis first. */
#define CLRS_PARTS_OF_UNITS(PART) PART(head) PART(axes)
#define CLRS_PARTS_OF_CHUNKS(PART) PART(head) PART(chunk) PART(axes)
#define CLRS_PARTS_OF_STACK(PART) PART(head) PART(axes) PART(stack) PART(levels) PART(level_axes)

#define CLRS_MAX_LEVELS 8

/* ---- batches ---- */

/* Before the words of each move in a table: LONG has 64 bits, INT 32. */
#define CLRS_ENTRY_WORDS(LONG, INT)                                                                \
  LONG(source_start) LONG(destination_start) INT(source_buffer) INT(destination_buffer)

/* Buffers that a table numbers: as many as a kernel has parameters for. */
#define CLRS_BATCH_BUFFERS 16

#endif
