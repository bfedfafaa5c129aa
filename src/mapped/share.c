/* SPDX-License-Identifier: Apache-2.0 */
#include "share.h"

#include "checked.h"
#include "elements.h"
#include "nest.h"
#include "resample.h"
#include "shared.h"

enum {
  CHUNK_ELEMENTS = 8192, /* elements of both sides in a first-level cache, measured on PoCL */
  PICTURE_ROWS = 32,     /* rows of a resized picture, which share sums */
  SHORTEST_ROW = 64,     /* elements of such a row */
  KEPT_ROWS = 16,        /* rows that share one stage of constant parameters, measured on PoCL */
  ITEM_ELEMENTS = 65536, /* elements of a CPU's work-item, if there are enough */
  STREAMS = 4,           /* streams that a core reads at once, measured on PoCL */
  STREAM_ELEMENTS = ITEM_ELEMENTS / STREAMS,
  STREAM_BYTES = 2048, /* bytes of a stream, before the next stream's turn */
  STREAMED_ITEMS = 4,  /* fewest items that are worth streams */
  TURNED_COLUMNS = 16, /* columns that are transposed at once */
  TURNED_BITS = 2048   /* bits of a source run in a tile's chunk: four lines */
};

/* ---- runs ---- */

void clrs__split_loop(clrs__nest *nest, uint32_t at, int64_t steps) {
  clrs__insert_axis(nest, at);
  clrs__nest_axis *outer = &nest->axes[at], *inner = &nest->axes[at + 1];
  outer->extent = clrs__divide_up(inner->extent, steps);
  inner->extent = steps;
  for (uint32_t i = 0; i < nest->operand_count; i++) {
    outer->strides[i] = clrs__exact_multiply(inner->strides[i], steps);
  }
}

/* Returns true if the run so far is a single loop of columns, long enough for a transpose, and the
 * rows along `next` are neighbours in the source. Both loops together must fill a stage. Example:
 * planar to 64-channel pixels, where each pixel is a row. */
static bool is_turned(const clrs__mapped_share *at, const clrs__nest_axis *next) {
  const clrs__nest_axis *last = &at->nest.axes[at->nest.axis_count - 1];
  return at->run_axes == 1 && last->extent >= TURNED_COLUMNS &&
         last->extent >= CLRS_MAPPED_STAGE / next->extent && next->strides[CLRS_FROM] == 1 &&
         clrs__magnitude(last->strides[CLRS_FROM]) > 1;
}

/* Returns true if each step of the loop has a different index. */
static bool has_indices_along(const clrs__mapped_share *at, const clrs__nest_axis *loop) {
  return at->pass->key.is_indexed && loop->strides[at->nest.operand_count - 1] != 0;
}

/* Returns true if each row is one of the colours that the kernel makes. */
static bool are_mixed_planes(const clrs__mapped_share *at) {
  return at->colors != 0 && at->run_axes == 2;
}

/* Returns the colours of a row's pixel that is resized or mixed, or 0. */
static int64_t colors_of(const clrs__mapped_share *at) {
  const bool is_mixed = at->colors != 0 && !are_mixed_planes(at);
  return is_mixed                     ? CLRS_COLORS
         : at->pass->key.combine == 0 ? 0
                                      : at->pass->picture.axes[CLRS__PICTURE_AXES - 1].extent;
}

/* Returns the elements of a row of a resized picture, or 0. Short rows do not count. */
static int64_t picture_row(const clrs__mapped_share *at) {
  const int64_t row = clrs__exact_multiply(at->pass->picture.columns, colors_of(at));
  return row < SHORTEST_ROW ? 0 : row;
}

/* Returns true if the loop leads from row to row of a resized picture. */
static bool leaves_row(const clrs__mapped_share *at, const clrs__nest_axis *loop) {
  const int64_t row = picture_row(at);
  return row > 0 && clrs__magnitude(loop->strides[CLRS_FROM]) >= (uint64_t)row;
}

/* Extends the run over the last loops, as far as these form a single run of the destination. A run
 * has at least one loop. Elements of a run share an index, or a row of a resized picture. */
static void extend_run(clrs__mapped_share *at) {
  const clrs__nest *nest = &at->nest;
  const clrs__nest_axis *last = &nest->axes[nest->axis_count - 1], *next = last;
  at->run = last->extent;
  for (at->run_axes = 1; at->run < CLRS_MAPPED_STAGE && at->run_axes < nest->axis_count;
       at->run_axes++) {
    next--;
    if (has_indices_along(at, next) || leaves_row(at, next) ||
        next->strides[CLRS_TO] != clrs__exact_multiply(at->run, last->strides[CLRS_TO]) ||
        is_turned(at, next)) {
      break;
    }
    at->run = clrs__exact_multiply(at->run, next->extent);
  }
}

/* Splits a loop that goes on from row to row of a resized picture. A chunk then has the same
 * columns of many rows, and a row takes over sums of the row before. */
static void split_picture(clrs__mapped_share *at) {
  const int64_t row = picture_row(at);
  for (uint32_t i = 0; i < at->nest.axis_count && row > 0; i++) {
    const clrs__nest_axis *loop = &at->nest.axes[i];
    const int64_t step = (int64_t)clrs__magnitude(loop->strides[CLRS_FROM]);
    const int64_t steps = step > 0 && row % step == 0 ? row / step : loop->extent;
    if (loop->extent > steps && steps > 1 && loop->extent % steps == 0) {
      clrs__split_loop(&at->nest, i, steps);
      return;
    }
  }
}

/* Makes the last loop that fills a vector the run, and moves the loops behind it to the front. The
 * elements of such a run have a stride. Example: 2000 pixels of 3 colours with room for 4 are 2000
 * runs of 3 neighbours, or 3 runs of 2000 elements with stride 4. On PoCL an element of a run of 3
 * took 20 times as long. */
static void take_longer_loop(clrs__mapped_share *at) {
  clrs__nest *nest = &at->nest;
  uint32_t longer = nest->axis_count;
  while (longer > 0 && nest->axes[longer - 1].extent < CLRS_MAPPED_SHORTEST_RUN) {
    longer--;
  }
  for (uint32_t after = nest->axis_count - longer; longer > 0 && after > 0; after--) {
    clrs__move_axis(nest, nest->axis_count - 1, 0);
  }
}

/* Makes a run of each colour of the pixels, if the colours of a pixel share the source's element.
 * The parameters of a row then change as the source does. Example: NV12 to RGB has the loops of W /
 * 2, 2 and 3 elements, and becomes three times a run of H * W elements with stride 3. */
static bool take_colors_apart(clrs__mapped_share *at) {
  clrs__nest *nest = &at->nest;
  const uint32_t last = nest->axis_count - 1;
  const bool repeats = last > 0 && nest->axes[last].strides[CLRS_FROM] == 0 &&
                       nest->axes[last].extent <= CLRS_MAPPED_PLANES && !at->pass->key.is_indexed;
  if (repeats) {
    clrs__move_axis(nest, last, 0);
    extend_run(at);
    clrs__move_axis(nest, 0, at->run < CLRS_MAPPED_SHORTEST_RUN ? last : last - at->run_axes);
  }
  return repeats && at->run >= CLRS_MAPPED_SHORTEST_RUN;
}

static void find_run(clrs__mapped_share *at) {
  if (at->colors != 0) {
    return;
  }
  if (at->nest.axis_count == 0) {
    clrs__insert_axis(&at->nest, 0);
  }
  split_picture(at);
  if (take_colors_apart(at)) {
    return;
  }
  extend_run(at);
  if (at->run < CLRS_MAPPED_SHORTEST_RUN && !at->pass->key.is_indexed) {
    take_longer_loop(at);
    extend_run(at);
  }
}

/* ---- streams ---- */

/* Returns the fewest elements of the destination that are whole pieces of `bits` bits and whole
 * parts of `part` elements. Example: whole_pieces(at, 8, 3) for 4-bit elements is 6, which are 3
 * whole bytes. */
static int64_t whole_pieces(const clrs__mapped_share *at, int64_t bits, int64_t part) {
  const int64_t element = clrs_dtype_bits((clrs_dtype)at->pass->key.to);
  const int64_t piece = bits > element ? bits / element : 1;
  return clrs__exact_multiply(part, piece / clrs__common_divisor(part, piece));
}

static int64_t whole_lines(const clrs__mapped_share *at, int64_t part) {
  return whole_pieces(at, (int64_t)8 * CLRS_LINE_BYTES, part);
}

static int64_t whole_bytes(const clrs__mapped_share *at, int64_t part) {
  return whole_pieces(at, 8, part);
}

/* Returns true if the run's elements are neighbours in the source and have at least as many bits as
 * in the destination. One sequential read stream does not saturate memory here, but several streams
 * do. */
static bool is_read_in_streams(const clrs__mapped_share *at) {
  const clrs__map_key *key = &at->pass->key;
  bool is_direct = clrs_dtype_bits((clrs_dtype)key->from) >= 8;
  for (uint32_t i = 0; i < at->run_axes; i++) {
    const clrs__nest_axis *loop = &at->nest.axes[at->nest.axis_count - 1 - i];
    is_direct = is_direct && loop->strides[CLRS_FROM] == loop->strides[CLRS_TO];
  }
  return is_direct && at->nest.axes[at->nest.axis_count - 1].strides[CLRS_TO] == 1 &&
         clrs_dtype_bits((clrs_dtype)key->from) >= clrs_dtype_bits((clrs_dtype)key->to);
}

/* Cuts a run without other loops into rows. The last rows may be shorter or missing. Example: 3
 * million neighbours are rows of 16384 in 46 groups of four. The fourth row of the last group has
 * 1728. */
static void cut_run(clrs__mapped_share *at) {
  const int64_t inner = at->run / at->nest.axes[0].extent, step = whole_lines(at, inner);
  const int64_t row = STREAM_ELEMENTS / step * step;
  if (row == 0 || at->run / STREAMED_ITEMS < STREAMS * row) {
    return;
  }
  clrs__split_loop(&at->nest, 0, row / inner);
  clrs__split_loop(&at->nest, 0, STREAMS);
  at->reach = at->run;
  at->run = row;
}

/* ---- rows ---- */

/* Returns the loop with the smallest step in the source. Rows that are nearer to each other than
 * the elements of a row read the same lines. */
static uint32_t nearest_loop(const clrs__nest *nest, uint32_t end) {
  uint32_t nearest = end - 1;
  for (uint32_t i = 0; i < end; i++) {
    const uint64_t stride = clrs__magnitude(nest->axes[i].strides[CLRS_FROM]);
    const uint64_t least = clrs__magnitude(nest->axes[nearest].strides[CLRS_FROM]);
    nearest = stride > 0 && (stride < least || least == 0) ? i : nearest;
  }
  return nearest;
}

/* Returns the period of the parameters along a run, in elements, or 0 if the period exceeds `room`.
 * Example: in a run over loops of 10, 4 and 3 elements, a parameter that changes along the loop of
 * 4 alone repeats after 4 * 3 = 12 elements. */
static int64_t period_of(const clrs__mapped_share *at, int64_t room) {
  int64_t period = 1, inner = 1;
  for (uint32_t i = 0; i < at->run_axes; i++) {
    const clrs__nest_axis *loop = &at->nest.axes[at->nest.axis_count - 1 - i];
    inner = clrs__exact_multiply(inner, loop->extent);
    for (uint32_t k = CLRS_FIRST_VIEW; k < at->nest.operand_count; k++) {
      period = loop->strides[k] != 0 && (at->mixes >> k & 1) == 0 ? inner : period;
    }
  }
  return whole_bytes(at, period) <= room ? period : 0;
}

/* Returns the elements of a row that are staged at once, at most `room`: whole periods or pixels,
 * and also whole lines of the destination if both fit. The parts of a longer row have about equal
 * lengths. Example: 1100 elements with room for 1024 and lines of 32 are 576 and 524. */
static int64_t columns_staged(const clrs__mapped_share *at, int64_t room) {
  const int64_t colors = clrs__clamp(colors_of(at), 1, CLRS_MAPPED_PLANES);
  const int64_t period = at->period > 1 ? at->period : colors;
  const int64_t both = whole_lines(at, period);
  const int64_t step = both <= room ? both : whole_bytes(at, period);
  const int64_t most = room / step * step;
  const int64_t parts = clrs__divide_up(at->run, most);
  const int64_t even =
      clrs__exact_multiply(clrs__divide_up(clrs__divide_up(at->run, parts), step), step);
  return even < most ? even : most;
}

/* Returns true if no parameter changes from row to row, and some parameter changes along a row. */
static bool keeps_parameters(const clrs__mapped_share *at) {
  const clrs__nest *nest = &at->nest;
  const uint32_t row = nest->axis_count - at->run_axes - 1;
  bool all_stay = true, some_change = false;
  for (uint32_t k = CLRS_FIRST_VIEW; k < nest->operand_count; k++) {
    all_stay = all_stay && nest->axes[row].strides[k] == 0;
    for (uint32_t i = row + 1; i < nest->axis_count; i++) {
      some_change = some_change || nest->axes[i].strides[k] != 0;
    }
  }
  return all_stay && some_change;
}

/* Returns the geometry. Rows are a tile if they are neighbours in the source, and are not the
 * planes of pixels. A piece with a single row has no step. */
static clrs__mapped_geometry geometry_of(const clrs__mapped_share *at) {
  const uint32_t row = at->nest.axis_count - at->run_axes - 1;
  const clrs__nest_axis *rows = &at->nest.axes[row];
  const int64_t step = rows->strides[CLRS_FROM];
  const int64_t column_step = at->nest.axes[at->nest.axis_count - 1].strides[CLRS_FROM];
  const bool are_planes = rows->extent <= CLRS_MAPPED_PLANES && column_step == rows->extent;
  return step == 1 && clrs__magnitude(column_step) > 1 && !are_planes ? CLRS__MAPPED_TILE
                                                                      : CLRS__MAPPED_ROWS;
}

/* Returns the most rows of a tile's chunk: four lines of each source run, and more if columns are
 * few. For f32, twice as many rows by half as many columns took 1.2 times as long. */
static int64_t most_turned_rows(const clrs__mapped_share *at) {
  const int64_t lines = TURNED_BITS / clrs_dtype_bits((clrs_dtype)at->pass->key.from);
  const int64_t room = CLRS_MAPPED_TURNED / (at->run < 1 ? 1 : at->run);
  return clrs__clamp(room < lines ? lines : room, 1, CLRS_MAPPED_TURNED_ROWS);
}

/* Chooses the rows of a chunk and the elements of a row. */
static void shape_chunks(clrs__mapped_share *at, int64_t rows, bool is_turned) {
  const uint32_t row = at->nest.axis_count - at->run_axes - 1;
  const int64_t row_step = at->nest.axes[row].strides[CLRS_FROM];
  const uint64_t column_step =
      clrs__magnitude(at->nest.axes[at->nest.axis_count - 1].strides[CLRS_FROM]);
  const bool is_streamed = at->reach > 0;
  const bool is_nearer = row_step != 0 && clrs__magnitude(row_step) < column_step;
  const int64_t together = clrs__clamp(rows, 1, most_turned_rows(at));
  const int64_t most_columns =
      is_turned     ? CLRS_MAPPED_TURNED / together
      : is_streamed ? 8 * STREAM_BYTES / clrs_dtype_bits((clrs_dtype)at->pass->key.from)
                    : CLRS_MAPPED_STAGE;
  const int64_t room = clrs__clamp(most_columns, 1, CLRS_MAPPED_STAGE);
  at->period = period_of(at, room);
  at->chunk_columns = clrs__clamp(at->run, 1, columns_staged(at, room));
  int64_t most = CHUNK_ELEMENTS / at->chunk_columns;
  if (is_turned) {
    most = together;
  } else if (picture_row(at) > 0) {
    most = PICTURE_ROWS;
  } else if (keeps_parameters(at)) {
    most = most < KEPT_ROWS ? KEPT_ROWS : most;
  } else if (!is_nearer && !is_streamed && at->run >= CLRS_MAPPED_STAGE && at->colors == 0) {
    most = 1;
  }
  at->chunk_rows = clrs__clamp(most, 1, rows);
}

/* Cuts chunks. The loop of rows is moved directly before the run's loops. */
static clrs__mapped_geometry cut_chunks(clrs__mapped_share *at) {
  clrs__nest *nest = &at->nest;
  if (nest->axis_count == at->run_axes) {
    clrs__insert_axis(nest, 0);
  }
  const uint32_t row = nest->axis_count - at->run_axes - 1;
  if (!are_mixed_planes(at)) {
    clrs__move_axis(nest, nearest_loop(nest, row + 1), row);
  }
  at->rows = nest->axes[row].extent;
  const clrs__mapped_geometry geometry =
      at->pass->key.is_indexed || at->pass->key.combine != 0 || at->mixes != 0 ? CLRS__MAPPED_ROWS
                                                                               : geometry_of(at);
  shape_chunks(at, at->rows, geometry == CLRS__MAPPED_TILE);
  at->row_chunks = clrs__divide_up(at->rows, at->chunk_rows);
  at->column_chunks = clrs__divide_up(at->run, at->chunk_columns);
  return geometry;
}

clrs__mapped_geometry clrs__share_rows(clrs__mapped_share *at) {
  find_run(at);
  const bool is_indexed = at->pass->key.is_indexed;
  const bool is_read_in_place = !is_indexed && at->pass->key.combine == 0;
  if (at->nest.axis_count == at->run_axes && is_read_in_place && is_read_in_streams(at)) {
    cut_run(at);
  }
  const clrs__mapped_geometry geometry = cut_chunks(at);
  at->work = clrs__exact_multiply(at->row_chunks, at->column_chunks);
  for (uint32_t i = 0; i + at->run_axes + 1 < at->nest.axis_count; i++) {
    at->work = clrs__exact_multiply(at->work, at->nest.axes[i].extent);
  }
  const int64_t item = picture_row(at) > 0 ? PICTURE_ROWS * CLRS_MAPPED_STAGE : ITEM_ELEMENTS;
  at->per_item = clrs__clamp(item / (at->chunk_rows * at->chunk_columns), 1, at->work);
  return geometry;
}

/* ---- elements ---- */

void clrs__share_reverse(clrs__mapped_share *at) {
  for (uint32_t i = 0; i < at->nest.axis_count / 2; i++) {
    const uint32_t other = at->nest.axis_count - 1 - i;
    const clrs__nest_axis loop = at->nest.axes[i];
    at->nest.axes[i] = at->nest.axes[other];
    at->nest.axes[other] = loop;
  }
}

/* A work-item takes one element, or one byte of packed elements. The kernel reads rows of packed
 * elements from the words for rows of chunks: chunk_rows has the rows, row_chunks the pitch.
 * Example: 4 rows of 96 elements of 4 bits with a pitch of 100 reach 3 * 100 + 96 = 396 elements,
 * and are 198 bytes, of which 6 lie in gaps. */
void clrs__share_elements(clrs__mapped_share *at) {
  const int64_t bits = clrs_dtype_bits((clrs_dtype)at->pass->key.to);
  const int64_t count = clrs__nest_count(&at->nest);
  clrs__packed_rows packed = {.run = count, .rows = 1, .pitch = count};
  at->column_chunks = at->chunk_columns = 1;
  at->per_item = 1;
  at->work = count;
  if (bits < 8) { /* pass.c has checked that these rows exist */
    clrs__packed_rows_of(&at->nest, &packed);
    const int64_t reach = clrs__exact_multiply(packed.rows - 1, packed.pitch) + packed.run;
    at->work = clrs__divide_up(at->starts[CLRS_TO] + reach, 8 / bits);
  }
  at->run = packed.run;
  at->rows = 1;
  at->chunk_rows = packed.rows;
  at->row_chunks = packed.pitch;
  clrs__share_reverse(at);
}
