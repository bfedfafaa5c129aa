/*
 * A second reading of which core class a move gets and how large its blocks are. The sizes are what
 * was measured best: tiles of one or two lines by a thousand rows, other blocks as large as a
 * first-level cache, 128 KiB for a work-item.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MODEL_BLOCKS_H
#define CLRS_TEST_MODEL_BLOCKS_H

#include "model_packed.h"

typedef struct block_model {
  clrs_class kernel_class;
  bool wants_packing; /* its runs are short */
  int64_t sides[2];   /* of the row and the column */
  clrs_nest nest;
  int64_t rows, columns, share;
} block_model;

static inline int64_t at_most(int64_t value, int64_t limit) {
  return value > limit ? limit : value;
}

static inline int64_t at_least(int64_t value, int64_t limit) {
  return value < limit ? limit : value;
}

/* Makes axis `row` the last but one. */
static inline void model_set_row(clrs_nest *nest, uint32_t row) {
  const uint32_t place = nest->axis_count - 2;
  const clrs_nest_axis axis = nest->axes[row];
  for (uint32_t i = row; i < place; i++)
    nest->axes[i] = nest->axes[i + 1];
  nest->axes[place] = axis;
}

/* The axis that steps least through the source, if less than the columns do; the inner one of
 * equals, and none that repeats. */
static inline void model_choose_row(clrs_nest *nest) {
  const uint32_t place = nest->axis_count - 2;
  uint32_t nearest = place;
  for (uint32_t i = 0; i < place; i++) {
    const int64_t step = llabs(nest->axes[i].source_stride);
    const int64_t least = llabs(nest->axes[nearest].source_stride);
    if (step > 0 && (nearest == place ? step < least : step <= least))
      nearest = i;
  }
  if (llabs(nest->axes[nearest].source_stride) < llabs(nest->axes[place + 1].source_stride))
    model_set_row(nest, nearest);
}

/* Blocks of fewer than 16 units: the longest axis is the better row. */
static inline void model_avoid_tiny(clrs_nest *nest) {
  const uint32_t place = nest->axis_count - 2;
  const int64_t fewest = 16 / nest->axes[place + 1].extent;
  uint32_t longest = place;
  for (uint32_t i = place; i-- > 0;)
    if (nest->axes[i].extent > nest->axes[place].extent &&
        nest->axes[i].extent >= nest->axes[longest].extent)
      longest = i;
  if (nest->axes[place].extent < fewest)
    model_set_row(nest, longest);
}

static inline bool model_zips(clrs_nest_axis row, clrs_nest_axis column) {
  return column.extent <= 4 && row.destination_stride == column.extent;
}

static inline bool model_unzips(clrs_nest_axis row, clrs_nest_axis column) {
  return row.extent <= 4 && column.source_stride == row.extent;
}

static inline clrs_class model_class(clrs_nest *nest, clrs_class required) {
  const uint32_t last = nest->axis_count - 1;
  const clrs_nest_axis column = nest->axes[last];
  const bool runs = column.source_stride == 1 && column.destination_stride == 1;
  if ((runs || column.extent == 1) &&
      (required == CLRS_CLASS_ANY || required == CLRS_CLASS_CPU_ROWS))
    return CLRS_CLASS_CPU_ROWS;
  model_choose_row(nest);
  const bool may_tile = column.destination_stride == 1;
  if (required == CLRS_CLASS_CPU_TILE && may_tile && nest->axes[last - 1].source_stride == 1)
    return CLRS_CLASS_CPU_TILE;
  model_avoid_tiny(nest);
  const clrs_nest_axis row = nest->axes[last - 1];
  return required == CLRS_CLASS_ANY && may_tile && row.source_stride == 1 && row.extent > 3 &&
                 column.extent > 3 && !model_zips(row, column) && !model_unzips(row, column)
             ? CLRS_CLASS_CPU_TILE
             : CLRS_CLASS_CPU_ANY;
}

/* Rows under a line, or under 224 bytes and not made of lines; tiles narrower than a vector;
 * strided runs under 512 bytes, or of steps that the kernel has no loop for. */
static inline bool model_short_runs(clrs_class kernel_class, const clrs_nest *nest, int64_t unit) {
  const clrs_nest_axis row = nest->axes[nest->axis_count - 2];
  const clrs_nest_axis column = nest->axes[nest->axis_count - 1];
  if (kernel_class == CLRS_CLASS_CPU_TILE)
    return (row.extent + 1) * unit <= 16 || column.extent < 8;
  if (kernel_class == CLRS_CLASS_CPU_ROWS)
    return column.extent * unit < 64 || (column.extent * unit < 224 && column.extent * unit % 64);
  if (model_zips(row, column))
    return row.extent < 512 / unit / column.extent;
  const bool simple =
      model_unzips(row, column) || column.source_stride == 0 || column.source_stride == -1;
  return !simple || (column.extent + 1) * unit <= 512;
}

/* A last block of fewer than 16 would go unit by unit: what there is, in one block fewer. */
static inline int64_t model_even_out(int64_t extent, int64_t block) {
  const int64_t rest = extent % block;
  if (rest == 0 || rest >= 16)
    return block;
  const int64_t blocks = extent / block;
  return extent / blocks + (extent % blocks != 0);
}

/* Equal parts of at most `most`, of which the last is no shorter than `least` if one of eight
 * numbers of parts gives that. */
static inline int64_t model_equal_part(int64_t extent, int64_t most, int64_t least) {
  const int64_t fewest = extent / most + (extent % most != 0);
  for (int64_t parts = fewest; parts < fewest + 8; parts++) {
    const int64_t part = extent / parts + (extent % parts != 0);
    if (extent % part == 0 || extent % part >= least)
      return part;
  }
  return extent / fewest + (extent % fewest != 0);
}

/* Rows of the destination that begin anywhere: a stage of 1280 lines, each run of the source an odd
 * number of them. */
static inline void model_size_staged(block_model *m, int64_t rows, int64_t columns, int64_t unit) {
  const int64_t line = 64 / unit;
  int64_t lines = 1280 / at_most(at_least(columns, line), at_most(512 / unit, 256));
  lines -= lines % 2 == 0;
  m->rows = model_equal_part(rows, lines * line, line / 4);
  int64_t pitch = m->rows / line + (m->rows % line != 0);
  pitch += pitch % 2 == 0;
  int64_t most = 1280 / pitch;
  if (columns > most)
    most -= most % line;
  m->columns = model_equal_part(columns, at_least(at_most(most, 512), line), line);
}

static inline bool model_writes_lines(const clrs_nest *nest, int64_t line) {
  if (nest->destination_offset % line != 0)
    return false;
  for (uint32_t i = 0; i + 1 < nest->axis_count; i++)
    if (nest->axes[i].destination_stride % line != 0)
      return false;
  return true;
}

static inline void model_size_tile(block_model *m, int64_t rows, int64_t columns, int64_t unit) {
  if (!model_writes_lines(&m->nest, 64 / unit)) {
    model_size_staged(m, rows, columns, unit);
    return;
  }
  m->rows = at_most(at_least(4096 / unit, 1024), rows);
  m->columns = at_most((unit < 4 ? 64 : 128) / unit, columns);
  const int64_t lines = 16384 / (m->rows * unit) / 64;
  m->columns = at_most(at_least(lines * 64, m->columns), columns);
  m->columns = model_even_out(columns, m->columns);
  m->rows = model_even_out(rows, m->rows);
}

/* Short rows of a tile, after which the source goes on within a page: the next axis goes inside the
 * blocks of columns. */
static inline void model_split_columns(block_model *m, int64_t unit, uint32_t most_axes) {
  clrs_nest *nest = &m->nest;
  const uint32_t last = nest->axis_count - 1;
  if (last < 2 || nest->axis_count >= most_axes)
    return;
  const clrs_nest_axis next = nest->axes[last - 2], row = nest->axes[last - 1];
  const clrs_nest_axis column = nest->axes[last];
  if (row.extent * unit >= 1024 || llabs(next.source_stride) * unit >= 4096 ||
      m->columns == column.extent || column.extent % m->columns != 0)
    return;
  nest->axes[last - 2] =
      (clrs_nest_axis){column.extent / m->columns, column.source_stride * m->columns,
                       column.destination_stride * m->columns};
  nest->axes[last - 1] = next;
  nest->axes[last] = row;
  nest->axes[last + 1] = column;
  nest->axes[last + 1].extent = m->columns;
  nest->axis_count++;
}

/* Rows of up to 256 bytes, each on a page of its own, that go on in the source along another axis:
 * of more than 40 of them as many go before the others as divide them, but no fewer than 8. */
static inline void model_split_rows(block_model *m, int64_t unit, uint32_t most_axes) {
  clrs_nest *nest = &m->nest;
  const uint32_t last = nest->axis_count - 1;
  int64_t part = 40;
  if (last < 2 || nest->axis_count >= most_axes)
    return;
  const clrs_nest_axis next = nest->axes[last - 2], row = nest->axes[last - 1];
  const clrs_nest_axis column = nest->axes[last];
  while (row.extent % part != 0)
    part--;
  if (row.extent <= 40 || part < 8 || column.extent * unit > 256 ||
      llabs(row.source_stride) * unit < 4096 || llabs(next.source_stride) * unit >= 4096)
    return;
  nest->axes[last - 2] =
      (clrs_nest_axis){row.extent / part, row.source_stride * part, row.destination_stride * part};
  nest->axes[last - 1] = next;
  nest->axes[last] = row;
  nest->axes[last].extent = m->rows = part;
  nest->axes[last + 1] = column;
  nest->axis_count++;
}

/* As many whole columns as 64 KiB hold, then as many rows; strided ones 32 KiB, beginning with the
 * rows of a line where these lie nearer in the source. */
static inline void model_size_block(block_model *m, clrs_nest_axis row, clrs_nest_axis column,
                                    int64_t unit) {
  if (m->kernel_class != CLRS_CLASS_CPU_ANY) {
    m->columns = at_most(65536 / unit, column.extent);
    m->rows = at_most(at_least(65536 / (m->columns * unit), 1), row.extent);
    return;
  }
  const bool near = llabs(row.source_stride) < llabs(column.source_stride);
  const int64_t first = at_most(near ? 64 / unit : 1, row.extent);
  m->columns = at_most(32768 / (first * unit), column.extent);
  m->rows = at_least(at_most(32768 / (m->columns * unit), row.extent), first);
}

static inline block_model model_blocks(const clrs_nest *canonical, uint32_t unit_bits,
                                       clrs_class general, clrs_class required,
                                       uint32_t most_axes) {
  const int64_t unit = unit_bits / 8;
  block_model m = {.kernel_class = general, .nest = *canonical};
  while (m.nest.axis_count < 2) {
    memmove(m.nest.axes + 1, m.nest.axes, m.nest.axis_count * sizeof m.nest.axes[0]);
    m.nest.axes[0] = (clrs_nest_axis){1, 0, 0};
    m.nest.axis_count++;
  }
  if (general == CLRS_CLASS_GPU_ANY) {
    m.kernel_class = model_class(&m.nest, required);
    m.wants_packing = model_short_runs(m.kernel_class, &m.nest, unit);
  }
  const uint32_t last = m.nest.axis_count - 1;
  model_sort_outer(&m.nest, last - 1);
  const clrs_nest_axis row = m.nest.axes[last - 1], column = m.nest.axes[last];
  m.sides[0] = row.extent;
  m.sides[1] = column.extent;
  if (m.kernel_class == CLRS_CLASS_CPU_TILE) {
    model_size_tile(&m, row.extent, column.extent, unit);
    model_split_columns(&m, unit, most_axes);
  } else {
    model_size_block(&m, row, column, unit);
  }
  if (m.kernel_class == CLRS_CLASS_CPU_ROWS)
    model_split_rows(&m, unit, most_axes);
  const int64_t row_blocks = (row.extent + m.rows - 1) / m.rows;
  const int64_t column_blocks = (column.extent + m.columns - 1) / m.columns;
  const int64_t blocks = nest_units(canonical, 0, canonical->axis_count) / row.extent /
                         column.extent * row_blocks * column_blocks;
  m.share = at_most(at_least(131072 / (m.rows * m.columns * unit), 1), blocks);
  return m;
}

#endif
