/*
 * Constants that the host and the kernels share: sizes, and the words of a move. The file is plain
 * preprocessor, valid C11 and valid OpenCL C. Every program begins with this file, and src/class
 * includes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_SHARED_H
#define CLRS_SHARED_H

/* ---- sizes on a CPU ---- */

/* Bytes of a cache line, and the lanes of a line: the 16-byte parts inside which instructions
 * transpose units. */
#define CLRS_LINE_BYTES 64
#define CLRS_LANES_PER_LINE 4

/* cpu_tile: the most lines and columns of a staged chunk, and the columns that the squares read for
 * `staged` columns. With 16 units in a line: 4 columns or fewer read 4, 5 to 15 read 16, and more
 * columns read themselves. */
#define CLRS_STAGE_LINES 3200
#define CLRS_STAGE_COLUMNS 1024
#define CLRS_COLUMNS_READ(staged, line_units)                                                      \
  ((staged) <= (line_units) / CLRS_LANES_PER_LINE ? (line_units) / CLRS_LANES_PER_LINE             \
   : (staged) < (line_units)                      ? (line_units)                                   \
                                                  : (staged))

/* cpu_any and cpu_short: steps up to this many source units, forward or backward, have loops of
 * their own. */
#define CLRS_LONGEST_STEP 3

/* cpu_tile and cpu_short: bytes that are transposed before they are written. */
#define CLRS_TURNED_BYTES 16384

/* cpu_rows: the next chunk is prefetched if its rows have at most this many bytes. */
#define CLRS_FETCHED_ROW_BYTES 1024

/* cpu_short: SHORT_BYTES and SHORT_UNITS are the most bytes and units of a chunk of one row.
 * SHORT_UNITS is also the most rows, and SHORT_COLUMNS the most columns, of a transposed chunk. */
#define CLRS_SHORT_BYTES 8192
#define CLRS_SHORT_UNITS 2048
#define CLRS_SHORT_COLUMNS 448
#define CLRS_SHORT_RUNS_BYTES 32768 /* bytes of a chunk of runs */

/* cpu_subbyte: the most axes of a box, and the bytes of each stage. */
#define CLRS_BOX_AXES 6
#define CLRS_BOX_ROOM 65536

/* composed: units that are decoded together. This many units of any width are whole bytes. */
#define CLRS_DECODED_UNITS 256

/* composed: the most rows, and the most columns, of a lattice tile, and the lines of a tile's
 * stage. */
#define CLRS_LATTICE_LINES 512
#define CLRS_LATTICE_STAGE_LINES 1280

/* GPU classes and subbyte: bytes of a block. Runs that are contiguous on both sides are written in
 * blocks, at any alignment of the source. */
#define CLRS_BLOCK_BYTES 16

/* ---- sizes on a GPU, by the bits of a unit ---- */

/* Work-items of a group. On a device, or for a kernel, that allows fewer, groups are halved once or
 * twice. The first halving takes half of the columns of a tile, and the second half of the rows. A
 * volume loses half of its units each time. So a work-item has as much to do in every group. */
#define CLRS_GROUP_ITEMS 256
#define CLRS_MOST_HALVINGS 2

/* gpu_rows: units that a work-item loads before the first store. The aim is 32 bytes or more under
 * way, with at most 16 addresses to compute. */
#define CLRS_LOADS(unit_bits) ((unit_bits) == 8 ? 16 : (unit_bits) <= 32 ? 8 : 4)

/* gpu_rows: blocks of one work-item if rows are contiguous on both sides. */
#define CLRS_ROW_BLOCKS 4

/* gpu_tile: rows and columns of a tile of a group of `items`, and the units of a 16-byte vector. A
 * tile of a whole group has 16 KiB of local memory and runs of 128 bytes or more on both sides. */
#define CLRS_TILE_ROWS(unit_bits, items)                                                           \
  (((unit_bits) == 8 ? 128 : (unit_bits) <= 32 ? 64 : 32) / ((items) < 128 ? 2 : 1))
#define CLRS_TILE_COLUMNS(unit_bits, items)                                                        \
  (((unit_bits) <= 16 ? 128 : (unit_bits) <= 64 ? 64 : 32) / ((items) < 256 ? 2 : 1))
#define CLRS_VECTOR_BYTES 16
#define CLRS_VECTOR_UNITS(unit_bits) (8 * CLRS_VECTOR_BYTES / (unit_bits))

/* gpu_short: limits. VOLUME_UNITS is the most units of a volume of a group of `items`: 8 KiB of
 * local memory for a whole group, or 16 KiB for sub-byte units, which take a byte each. WIDE_BYTES
 * is the size of a wide access. The next three are the most accesses, wide accesses and blocks of a
 * work-item. TABLE_UNITS is the size of the table of places. */
#define CLRS_VOLUME_UNITS(unit_bits, items)                                                        \
  (((unit_bits) < 8 ? 16384 : 65536 / (unit_bits)) / (CLRS_GROUP_ITEMS / (items)))
#define CLRS_WIDE_BYTES(unit_bits) ((unit_bits) == 1 ? 4 : 16)
#define CLRS_MOST_ACCESSES(unit_bits) ((unit_bits) == 128 ? 2 : 4)
#define CLRS_MOST_WIDE_ACCESSES 2
#define CLRS_MOST_BLOCKS 3
#define CLRS_TABLE_UNITS 512

/* ---- the words of a move ----
 * A move_t consists of words of the type index_t. Only the macros below know the order of the
 * words. A kernel declares a struct with the macros, and the host stores a struct with the macros.
 * WORD gets the name of a word. DIVISOR gets the name of a number to divide by, which takes two
 * words in a kernel (divisor_t). */
#define CLRS_HEAD_WORDS(WORD)                                                                      \
  WORD(count) /* pieces that work-items share: units, bundles of units, lanes,                     \
                 chunks, boxes, volumes, tiles, or bytes */                                        \
  WORD(axis_count)                                                                                 \
  WORD(outer_axis_count) /* axes that number chunks, boxes, volumes, spans, or blocks of a         \
                            lattice. The other axes are the inner axes of a piece */               \
  WORD(chunks_per_item)  /* consecutive pieces that a work-item takes */

/* Words that only one class reads. The build option OWN_WORDS names the part that a program has:
 * bundle, filled, span, run, box, volume, or none.
 *
 * A bundle, of gpu_any, is a group of consecutive destination units that are written at once. Each
 * unit behind the last bundle is a piece by itself. In a gather or a scatter the units are units of
 * a row, and the pieces are parts of rows. */
#define CLRS_BUNDLE_WORDS(WORD) WORD(bundles) WORD(units_per_bundle)

/* fill, on a GPU: row_units is the number of units of the last axis if that axis is a row, else 0.
 * lanes_per_row is the number of 16-byte lanes that a row can touch. */
#define CLRS_FILLED_WORDS(WORD, DIVISOR) WORD(row_units) WORD(lanes_per_row) DIVISOR(row_divisor)

/* subbyte: a span is the range that the inner axes cover. span_units counts the units from the
 * first to the last, and blocks_per_span the blocks that a span can touch. */
#define CLRS_SPAN_WORDS(WORD, DIVISOR) WORD(span_units) WORD(blocks_per_span) DIVISOR(span_divisor)

/* cpu_short: units of a row of a chunk, and units of a run in that row. has_turned_rows is 1 if
 * consecutive rows are consecutive source units and are transposed, else 0. */
#define CLRS_RUN_WORDS(WORD) WORD(units_per_row) WORD(units_per_run) WORD(has_turned_rows)

/* cpu_short: the most rows of a chunk without transposed rows. This many bytes are a cache line. */
#define CLRS_SHORT_ROWS 64

/* An axis of a chunk: rows or columns. A chunk has chunk_extent steps of the axis. The axis
 * parts_axis of the move numbers the parts. It is -1 if a single chunk has the whole axis. The last
 * part may be smaller.
 *
 * The rows of cpu_short are several axes together, and so are the columns. In cpu_short the extents
 * count rows, and runs of a row.
 *
 * Example: 97 columns in chunks of 48 have extent 97 and chunk_extent 48. The parts axis has 3
 * steps, and the chunk of the last step has 1 column. */
#define CLRS_CHUNK_AXIS_WORDS(WORD)                                                                \
  WORD(extent) WORD(source_stride) WORD(destination_stride) WORD(chunk_extent) WORD(parts_axis)

/* The divisor is the extent, or the destination stride for axes by which a sub-byte unit is
 * found. */
#define CLRS_NEST_AXIS_WORDS(WORD, DIVISOR)                                                        \
  WORD(extent) WORD(source_stride) WORD(destination_stride) DIVISOR(divisor)

/* cpu_subbyte. A box has box_axis_count axes. first_run_axis is the first axis of a destination
 * run. image_axes has a bit for each axis in images of the source. Boxes cut the axes fast_cut and
 * slow_cut into parts. The parts of fast_cut are numbered by the last axis that numbers boxes, and
 * the parts of slow_cut by the axis before that. -1 means no axis. If a box is part of a run on
 * both sides and stays packed, is_copied is 1. */
#define CLRS_BOX_WORDS(WORD)                                                                       \
  WORD(box_axis_count)                                                                             \
  WORD(first_run_axis) WORD(image_axes) WORD(fast_cut) WORD(slow_cut) WORD(is_copied)

/* gpu_short: the accesses of each side, and the purpose of each axis. run_units counts the units of
 * a destination run from which blocks are cut. table_units counts the units of the table of places.
 * last_word_read is the last position from which words may be read.
 *
 * The last volume along the last axis that numbers volumes begins earlier than a whole step. The
 * volume's start moves back by fast_back_from units in the source and by fast_back_to in the
 * destination. The preceding volume has already written some steps of an axis in destination order.
 * The axis is in ragged_axes, and the number of steps in `written`. The slow_ words say the same
 * for the last axis but one. */
#define CLRS_VOLUME_WORDS(WORD)                                                                    \
  WORD(read_accesses)                                                                              \
  WORD(write_accesses)                                                                             \
  WORD(access_kinds)   /* kind of the reads plus 4 times the kind of the writes */                 \
  WORD(write_axis_end) /* [outer_axis_count, this): axes of a volume in destination order */       \
  WORD(read_axis_end)  /* [write_axis_end, this): axes in source order. The table's axes follow */ \
  WORD(swizzle_shift)  /* from the bits of a place to the bits of its vector in 128 bytes */       \
  WORD(run_units)                                                                                  \
  WORD(table_units)                                                                                \
  WORD(last_word_read)                                                                             \
  WORD(fast_back_from) WORD(fast_back_to) WORD(slow_back_from) WORD(slow_back_to)                  \
      WORD(ragged_axes) /* fast axis plus 64 times the slow axis */                                \
      WORD(written)     /* fast steps plus 65536 times the slow steps */
#define CLRS_NO_AXIS 63
#define CLRS_RUN_AXIS 62 /* steps are units of a run from which blocks are cut */

/* gpu_short: kinds of accesses. UNIT moves one unit, or a byte of several units. WORD moves a word.
 * WIDE moves 16 aligned bytes. BLOCK moves 16 bytes that may begin anywhere. */
#define CLRS_ACCESS_UNIT 0
#define CLRS_ACCESS_WORD 1
#define CLRS_ACCESS_WIDE 2
#define CLRS_ACCESS_BLOCK 3

#define CLRS_STACK_WORDS(WORD)                                                                     \
  WORD(rows_per_chunk)  /* steps of the first axis, 0 without rows */                              \
  WORD(rows_per_period) /* a divisor of the first axis' extent: no chunk crosses a multiple */     \
  WORD(lattice_run)     /* units, or 0 without a lattice */                                        \
  WORD(tile_rows)                                                                                  \
  WORD(tile_columns)                                                                               \
  WORD(first_position) /* position in the top walk */                                              \
  WORD(level_count)

#define CLRS_UNIT_STACK_WORDS(WORD) WORD(first_position) WORD(level_axis_count)

#define CLRS_LEVEL_WORDS(WORD) WORD(offset) WORD(axis_count)
#define CLRS_LEVEL_AXIS_WORDS(WORD, DIVISOR) WORD(extent) WORD(stride) DIVISOR(divisor)

/* ---- indices ----
 * Operands of a gather or a scatter. The elements of the listed side are visited in order. On the
 * named side, the indices give the places along an axis. A gather reads the named side, and a
 * scatter writes it. */
#define CLRS_LISTED 0
#define CLRS_NAMED 1
#define CLRS_INDEX 2
#define CLRS_INDEXED_OPERANDS 3

/* Rules, as bits of a sum:
 * - FROM_END: negative indices count from the end.
 * - CLAMPS: indices out of range are clamped instead of skipped.
 * - HAS_FLAG: the launch has a flag to raise.
 * - IS_LONG: an index has 64 bits instead of 32.
 * - IS_UNALIGNED: indices may begin at any byte. */
#define CLRS_INDEX_FROM_END 1
#define CLRS_INDEX_CLAMPS 2
#define CLRS_INDEX_HAS_FLAG 4
#define CLRS_INDEX_IS_LONG 8
#define CLRS_INDEX_IS_UNALIGNED 16

/* index_stride: each axis also has a stride among the indices. The dimension that the indices
 * address has an extent and consists of axes. An index is split into digits of these axes, fastest
 * axis first. INDEX_DIGITS is the room for digits. */
#define CLRS_INDEX_STRIDE_WORDS(WORD) WORD(index_stride)
#define CLRS_PLACE_WORDS(WORD) WORD(extent) WORD(rules) WORD(digit_count)
#define CLRS_INDEX_DIGITS 4

/* gpu_any: pieces of a work-item in a gather or a scatter. */
#define CLRS_NAMED_PIECES 4

/* The words of index_any, which lie in a buffer. Behind these, each operand has a number of levels,
 * room for INDEXED_LEVELS levels, and room for INDEXED_AXES axes. */
#define CLRS_ANY_INDEXED_WORDS(WORD)                                                               \
  WORD(count)          /* elements */                                                              \
  WORD(count_per_item) /* consecutive elements that a work-item takes */                           \
  WORD(parts)          /* units of an element */                                                   \
  WORD(step)           /* elements of the named view from place to place */                        \
  WORD(extent)                                                                                     \
  WORD(rules)
#define CLRS_INDEXED_LEVELS 9
#define CLRS_INDEXED_AXES 99

/* The parts of a move_t:
 * - own: the words that only one class reads.
 * - chunk: a row axis and a column axis.
 * - places: the axis that the indices of a gather or a scatter address, and the digits as axes of a
 *   level.
 * - axes: the axes of the nest, with room for more. With rows and columns: all other axes, then the
 *   axes that number chunks of rows and of columns.
 *   - GPU classes except gpu_short have the opposite order, fastest first. subbyte has the axes
 *     that number chunks fastest first.
 *   - Boxes: the axes that number boxes, the axes of a box with their steps in the nest, the same
 *     axes with their steps in the stages, and the axes of the nest. The last group is sorted by
 *     destination step, largest first.
 * - levels: the top level first.
 * - level_axes: in the order of the levels, the innermost axis first. Without `levels`, the last
 *   axis of each level has the divisor (offset of the level, -1). A level without axes then has one
 *   axis of extent 1. */
#define CLRS_PARTS_OF_UNITS(PART, OWN) PART(head) PART(OWN) PART(places) PART(axes)
#define CLRS_PARTS_OF_CHUNKS(PART, OWN) PART(head) PART(chunk) PART(OWN) PART(places) PART(axes)
#define CLRS_PARTS_OF_UNIT_STACK(PART, OWN)                                                        \
  PART(head) PART(OWN) PART(axes) PART(unit_stack) PART(level_axes)
#define CLRS_PARTS_OF_STACK(PART) PART(head) PART(axes) PART(stack) PART(levels) PART(level_axes)

#define CLRS_MAX_LEVELS 8

/* ---- batches ---- */

/* The entry of each move in a table, before the move's words. LONG has 64 bits, INT 32. */
#define CLRS_ENTRY_WORDS(LONG, INT)                                                                \
  LONG(source_start) LONG(destination_start) INT(source_buffer) INT(destination_buffer)

/* The most buffers of a table. A kernel has this many buffer parameters. */
#define CLRS_BATCH_BUFFERS 16

#endif
