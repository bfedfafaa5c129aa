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

/* cpu_any and cpu_short: units that step by so many in the source, forward or backward, have a loop
 * of their own. */
#define CLRS_LONGEST_STEP 3

/* cpu_tile and cpu_short: bytes that are turned before they are written. */
#define CLRS_TURNED_BYTES 16384

/* cpu_rows: rows up to this long are fetched a chunk ahead. */
#define CLRS_FETCHED_ROW_BYTES 1024

/* cpu_short: the most bytes and units of a chunk of one row, and units of either side of a chunk
 * that is turned, of which fewer are columns. */
#define CLRS_SHORT_BYTES 8192
#define CLRS_SHORT_UNITS 2048
#define CLRS_SHORT_COLUMNS 448
#define CLRS_SHORT_RUNS_BYTES 32768 /* of a chunk of runs */

/* cpu_subbyte: axes of a box, and bytes of each of its stages. */
#define CLRS_BOX_AXES 6
#define CLRS_BOX_ROOM 65536

/* composed: units that are decoded together; whole bytes of them, whatever the unit. */
#define CLRS_DECODED_UNITS 256

/* composed: the most rows and the most columns of a tile of a lattice, and the lines of its stage.
 */
#define CLRS_LATTICE_LINES 512
#define CLRS_LATTICE_STAGE_LINES 1280

/* Runs that both sides have, wherever in a word they begin, are written in such blocks: on a GPU, and
 * by subbyte. */
#define CLRS_BLOCK_BYTES 16

/* ---- sizes on a GPU, by the bits of a unit ---- */

#define CLRS_GROUP_ITEMS 256

/* gpu_rows: units of one work-item, 32 bytes or more on their way, but no more than 16 addresses to
 * compute. */
#define CLRS_LOADS(unit_bits) ((unit_bits) == 8 ? 16 : (unit_bits) <= 32 ? 8 : 4)

/* gpu_rows: blocks of one work-item, where rows are contiguous on both sides. */
#define CLRS_ROW_BLOCKS 4

/* gpu_tile: rows and columns of a tile, 16 KiB of local memory, with runs of 128 bytes or
 * more on both sides; units of a vector of 16 bytes. */
#define CLRS_TILE_ROWS(unit_bits) ((unit_bits) == 8 ? 128 : (unit_bits) <= 32 ? 64 : 32)
#define CLRS_TILE_COLUMNS(unit_bits) ((unit_bits) <= 16 ? 128 : (unit_bits) <= 64 ? 64 : 32)
#define CLRS_VECTOR_BYTES 16
#define CLRS_VECTOR_UNITS(unit_bits) (8 * CLRS_VECTOR_BYTES / (unit_bits))

/* gpu_short: the most units of a volume, 8 KiB of local memory; of units under a byte, which have a
 * byte of it each, 16 KiB. The bytes of a wide access; accesses of a work-item at most, and wide
 * ones; units of the table of places. */
#define CLRS_VOLUME_UNITS(unit_bits) ((unit_bits) < 8 ? 16384 : 65536 / (unit_bits))
#define CLRS_WIDE_BYTES(unit_bits) ((unit_bits) == 1 ? 4 : 16)
#define CLRS_MOST_ACCESSES(unit_bits) ((unit_bits) == 128 ? 2 : 4)
#define CLRS_MOST_WIDE_ACCESSES 2
#define CLRS_MOST_BLOCKS 3
#define CLRS_TABLE_UNITS 512

/* ---- the words of a move ----
 * A move_t is words of one width, index_t. The macros below are the only place that knows their
 * order: a kernel declares its struct with them, the host writes its own struct out with them. WORD
 * gets the name of a word; DIVISOR that of a number to divide by, which takes two words in a kernel
 * (divisor_t). */
#define CLRS_HEAD_WORDS(WORD)                                                                      \
  WORD(count)             /* pieces that work-items share out: units, bundles of units, lanes,     \
                             chunks, boxes, volumes, tiles, or bytes */                            \
  WORD(axis_count)                                                                                 \
  WORD(outer_axis_count)  /* axes that number chunks, boxes, volumes, spans, or blocks of a        \
                             lattice, one of which the others, the inner axes, make up */          \
  WORD(chunks_per_item)   /* neighbouring pieces that a work-item takes */

/* Words that one class alone reads. The build option OWN_WORDS names the part that its programs
 * have: bundle, filled, span, run, box, volume, or none.
 *
 * gpu_any: a bundle is some units that follow each other in the destination, and are written at
 * once. The units behind the last bundle are pieces of their own. Of a gather or a scatter the units
 * are those of a row, and the pieces are parts of rows. */
#define CLRS_BUNDLE_WORDS(WORD) WORD(bundles) WORD(units_per_bundle)

/* fill, on a GPU: units of the last axis if it is a row, else 0; lanes of 16 bytes that a row can
 * touch. */
#define CLRS_FILLED_WORDS(WORD, DIVISOR) WORD(row_units) WORD(lanes_per_row) DIVISOR(row_divisor)

/* subbyte: a span is what the inner axes reach, in units from the first to the last and in blocks
 * that they can touch. */
#define CLRS_SPAN_WORDS(WORD, DIVISOR) WORD(span_units) WORD(blocks_per_span) DIVISOR(span_divisor)

/* cpu_short: units of a row of a chunk, and of a run in that row; 1 if rows follow each other in the
 * source unit by unit, and are turned, or 0. */
#define CLRS_RUN_WORDS(WORD) WORD(units_per_row) WORD(units_per_run) WORD(has_turned_rows)

/* cpu_short: the most rows of a chunk that are not turned: a line of bytes. */
#define CLRS_SHORT_ROWS 64

/* One of the two axes of a chunk; how much of the axis a chunk has; and which of the move's axes
 * numbers such parts, the last of which may be smaller, or -1 if one chunk has all of the axis. The
 * rows of cpu_short are several axes together, and so are its columns: there the extents count rows,
 * and runs of a row. 97 columns in chunks of 48 are the extent 97, the chunk_extent 48, and an axis
 * of 3 steps, in the last of which a chunk has 1. */
#define CLRS_CHUNK_AXIS_WORDS(WORD)                                                                \
  WORD(extent) WORD(source_stride) WORD(destination_stride) WORD(chunk_extent) WORD(parts_axis)

/* The divisor is the extent; of axes to find a unit of less than a byte by: the destination
 * stride. */
#define CLRS_NEST_AXIS_WORDS(WORD, DIVISOR)                                                        \
  WORD(extent) WORD(source_stride) WORD(destination_stride) DIVISOR(divisor)

/* cpu_subbyte. box_axis_count is the number of axes of a box. first_run_axis is the first axis that
 * is a run of the destination. image_axes has a bit for each axis in images of the source. Boxes cut
 * the axes fast_cut and slow_cut, which the last axis that numbers boxes and the axis before that
 * number. -1 stands for no such axis. is_copied says that a box is part of a run of both sides, and
 * stays packed. */
#define CLRS_BOX_WORDS(WORD)                                                                       \
  WORD(box_axis_count) WORD(first_run_axis) WORD(image_axes) WORD(fast_cut) WORD(slow_cut)         \
  WORD(is_copied)

/* gpu_short: accesses of a side, and which axes are for what. Units of a run of the destination,
 * which blocks are cut out of, and of the table of places; the last position that words may be read
 * from. The last volume along the last axis that numbers volumes begins earlier, by so much in the
 * source and in the destination, and of an axis in the destination's order so many steps are written
 * already; the same of the last axis but one. */
#define CLRS_VOLUME_WORDS(WORD)                                                                    \
  WORD(read_accesses)                                                                              \
  WORD(write_accesses)                                                                             \
  WORD(access_kinds)   /* of reads, and 4 times that of writes */                                  \
  WORD(write_axis_end) /* [outer_axis_count, this): of a volume, as the destination orders them */ \
  WORD(read_axis_end)  /* [write_axis_end, this): as the source orders them; then the table's */   \
  WORD(swizzle_shift)  /* from the bits of a place to those of its vector in 128 bytes */          \
  WORD(run_units) WORD(table_units) WORD(last_word_read)                                           \
  WORD(fast_back_from) WORD(fast_back_to) WORD(slow_back_from) WORD(slow_back_to)                  \
  WORD(ragged_axes) /* the two axes; that of the slow one is times 64 */                           \
  WORD(written)     /* the two numbers of steps; that of the slow one is times 65536 */
#define CLRS_NO_AXIS 63
#define CLRS_RUN_AXIS 62 /* steps are units of a run that blocks are cut out of */

/* gpu_short: an access is of a unit, or a byte of several ones, of a word, of 16 bytes, or of 16
 * bytes that begin anywhere. */
#define CLRS_ACCESS_UNIT 0
#define CLRS_ACCESS_WORD 1
#define CLRS_ACCESS_WIDE 2
#define CLRS_ACCESS_BLOCK 3

#define CLRS_STACK_WORDS(WORD)                                                                     \
  WORD(rows_per_chunk)  /* steps of the first axis; 0: no rows */                                  \
  WORD(rows_per_period) /* a divisor of that axis' extent: chunks do not cross its multiples */    \
  WORD(lattice_run)     /* units; 0: no lattice, whose tiles have these rows and columns */        \
  WORD(tile_rows)                                                                                  \
  WORD(tile_columns)                                                                               \
  WORD(first_position) /* in the top walk */                                                       \
  WORD(level_count)

#define CLRS_UNIT_STACK_WORDS(WORD) WORD(first_position) WORD(level_axis_count)

#define CLRS_LEVEL_WORDS(WORD) WORD(offset) WORD(axis_count)
#define CLRS_LEVEL_AXIS_WORDS(WORD, DIVISOR) WORD(extent) WORD(stride) DIVISOR(divisor)

/* ---- indices ----
 * Operands of a gather or a scatter. One side is listed: its elements are counted through as they
 * lie. Of the other side the indices name the places along one axis. A gather reads the named side,
 * a scatter writes it. */
#define CLRS_LISTED 0
#define CLRS_NAMED 1
#define CLRS_INDEX 2
#define CLRS_INDEXED_OPERANDS 3

/* Rules, added up: negative indices count from the end; indices outside are clamped, not skipped;
 * there is a flag to raise; an index has 64 bits, not 32; indices may begin at any byte. */
#define CLRS_INDEX_FROM_END 1
#define CLRS_INDEX_CLAMPS 2
#define CLRS_INDEX_HAS_FLAG 4
#define CLRS_INDEX_IS_LONG 8
#define CLRS_INDEX_IS_UNALIGNED 16

/* Each axis also steps among the indices. The dim whose places indices name has an extent and is
 * made of axes, by which an index is taken apart: digits, the fastest first, with room for some. */
#define CLRS_INDEX_STRIDE_WORDS(WORD) WORD(index_stride)
#define CLRS_PLACE_WORDS(WORD) WORD(extent) WORD(rules) WORD(digit_count)
#define CLRS_INDEX_DIGITS 4

/* gpu_any: pieces of a work-item. */
#define CLRS_NAMED_PIECES 4

/* The words of index_any, which lie in a buffer, then those of each operand: how many levels it
 * has, and room for so many, and their axes. */
#define CLRS_ANY_INDEXED_WORDS(WORD)                                                               \
  WORD(count)          /* elements */                                                              \
  WORD(count_per_item) /* neighbours that a work-item takes */                                     \
  WORD(parts)          /* units of an element */                                                   \
  WORD(step)           /* elements from place to place, as the named view counts them */           \
  WORD(extent)                                                                                     \
  WORD(rules)
#define CLRS_INDEXED_LEVELS 9
#define CLRS_INDEXED_AXES 99

/* The parts of a move_t.
 * own: the words that one class alone reads.
 * chunk: a row axis and a column axis.
 * places: of a gather or a scatter, the axis with the places, and the digits as axes of a level.
 * axes: of the nest, with room for more; where there are rows and columns all others, then the
 *   chunks of both. For a GPU, but of gpu_short, in the other order: the fastest first; of subbyte
 *   those that number chunks.
 *   Of boxes those that number them, those of a box as in the nest, the same as in its stages, and
 *   the nest's by their steps in the destination, the largest first.
 * levels: the top first.
 * level_axes: in the order of the levels, the innermost axis first. Where there are no levels, the
 *   last axis of each has the divisor (offset of the level, -1), and one of no axes has one of
 *   extent 1. */
#define CLRS_PARTS_OF_UNITS(PART, OWN) PART(head) PART(OWN) PART(places) PART(axes)
#define CLRS_PARTS_OF_CHUNKS(PART, OWN) PART(head) PART(chunk) PART(OWN) PART(places) PART(axes)
#define CLRS_PARTS_OF_UNIT_STACK(PART, OWN)                                                        \
  PART(head) PART(OWN) PART(axes) PART(unit_stack) PART(level_axes)
#define CLRS_PARTS_OF_STACK(PART) PART(head) PART(axes) PART(stack) PART(levels) PART(level_axes)

#define CLRS_MAX_LEVELS 8

/* ---- batches ---- */

/* Before the words of each move in a table: LONG has 64 bits, INT 32. */
#define CLRS_ENTRY_WORDS(LONG, INT)                                                                \
  LONG(source_start) LONG(destination_start) INT(source_buffer) INT(destination_buffer)

/* Buffers that a table numbers: as many as a kernel has parameters for. */
#define CLRS_BATCH_BUFFERS 16

#endif
