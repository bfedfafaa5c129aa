/*
 * Cuts a piece for the work-groups of a GPU. The last loops of the piece become rows. These loops
 * are one loop of the source and of the destination, but may be several loops of the parameters.
 * Example: a nest of 128 rows, 16 blocks and 32 codes, with a scale for each block, has 128 rows of
 * 512.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu_cut.h"

#include "checked.h"
#include "dtype.h"
#include "elements.h"
#include "grid.h"
#include "shared.h"

enum {
  SHORTEST_ROW_BITS = 1024, /* fewest destination bits of a row that a group takes */
  FEWEST_ACCESSES = 3,      /* accesses of a row with unaligned ends */
  BUSY = 875,               /* per mille of a group that is in use: wide enough */
  BUSY_ENOUGH = 300,
  TILE_BUSY_ENOUGH = 375,
  NUMBER_BYTES = 8
};

/* Neighbouring loops of a nest as one loop. The last of these is loop `last`. */
typedef struct joined {
  uint32_t last, count;
  int64_t extent;
} joined;

typedef struct cut {
  joined columns, rows;
  int64_t access;              /* elements */
  int64_t items;               /* of a group */
  int64_t width, height;       /* elements and rows of a chunk */
  int64_t column_chunks, busy; /* busy: per mille of a group's accesses in use */
  bool ragged, wide_source;
} cut;

static int bits_of(uint8_t dtype) {
  return (int)clrs_dtype_bits((clrs_dtype)dtype);
}

/* ---- loops that are one ---- */

/* Joins loop `last` with the loops before, as far as source and destination continue without a gap.
 * Example: loops of 16 and 32 whose strides are 32 and 1 on both sides join to an extent of 512. */
static joined join_before(const clrs__nest *nest, uint32_t last) {
  const clrs__nest_axis *inner = &nest->axes[last];
  joined found = {last, 1, inner->extent};
  while (found.count <= last && found.count < CLRS_MAPPED_JOINED) {
    const clrs__nest_axis *next = &nest->axes[last - found.count];
    if (next->strides[CLRS_TO] != clrs__exact_multiply(inner->strides[CLRS_TO], found.extent) ||
        next->strides[CLRS_FROM] != clrs__exact_multiply(inner->strides[CLRS_FROM], found.extent)) {
      break;
    }
    found.extent = clrs__exact_multiply(found.extent, next->extent);
    found.count++;
  }
  return found;
}

static bool is_in(joined part, uint32_t i) {
  return i <= part.last && i + part.count > part.last;
}

/* ---- where accesses begin ---- */

/* Returns true if the runs of a side along these loops consist of whole, aligned accesses of
 * `access` elements. */
static bool is_made_of(const clrs__mapped_share *at, uint32_t side, joined run, int64_t access) {
  const clrs__mapped_pass *pass = at->pass;
  const clrs_operand *operand = side == CLRS_TO ? &pass->destination : &pass->source;
  const int bits = bits_of(side == CLRS_TO ? pass->key.to : pass->key.from);
  const uint64_t bytes = (uint64_t)clrs__exact_multiply(access, bits) / 8;
  bool aligned = (operand->byte_offset | operand->alignment) % bytes == 0 &&
                 at->nest.offsets[side] % access == 0 && run.extent % access == 0;
  for (uint32_t i = 0; i < at->nest.axis_count; i++) {
    aligned = aligned && (is_in(run, i) || at->nest.axes[i].strides[side] % access == 0);
  }
  for (uint32_t i = 0; pass->key.is_indexed && i < pass->digit_count; i++) {
    aligned = aligned && pass->digits[i].strides[side] % access == 0;
  }
  return aligned;
}

/* Returns true if neighbours in an access may have different parameters. The neighbours have equal
 * parameters if the last loop of the columns changes none, and if each access lies within one round
 * of that loop. */
static bool is_spread(const clrs__mapped_share *at, const cut *chosen) {
  const clrs__nest *nest = &at->nest;
  const joined columns = chosen->columns;
  bool last_changes = false, some_change = false;
  for (uint32_t k = CLRS_FIRST_VIEW; k < nest->operand_count; k++) {
    last_changes = last_changes || nest->axes[columns.last].strides[k] != 0;
    for (uint32_t i = 0; i < columns.count; i++) {
      some_change = some_change || nest->axes[columns.last - i].strides[k] != 0;
    }
  }
  const int64_t inner = nest->axes[columns.last].extent;
  return some_change && (last_changes || chosen->ragged || inner % chosen->access != 0);
}

/* Returns true if all rows of an item in a tile have the same parameters. */
static bool has_steady_rows(const clrs__mapped_share *at, const cut *chosen) {
  const clrs__nest_axis *inner = &at->nest.axes[chosen->rows.last];
  const int64_t accesses = clrs__exact_multiply(chosen->height, chosen->width) / chosen->access;
  bool steady = !chosen->ragged && inner->extent % clrs__divide_up(accesses, chosen->items) == 0;
  for (uint32_t k = CLRS_FIRST_VIEW; k < at->nest.operand_count; k++) {
    steady = steady && inner->strides[k] == 0;
  }
  return steady;
}

/* ---- rows ---- */

static int64_t both_in_use(int64_t rows, int64_t height, int64_t columns, int64_t width) {
  return clrs__exact_multiply(clrs__chunks_in_use(rows, height),
                              clrs__chunks_in_use(columns, width)) /
         1000;
}

/* Tries the widths, from the widest width that is at least half full. For rows of 40 accesses the
 * tries are 64 accesses by 16 rows, 32 by 32, and so on, until few accesses of a group are
 * outside. */
static void try_rows(joined rows, int64_t in_row, int64_t shortest, cut *best) {
  const int64_t in_group = clrs__exact_multiply(best->items, CLRS_MAPPED_LOADS);
  int64_t width = in_group;
  while (width / 2 >= in_row) {
    width /= 2;
  }
  for (; best->busy < BUSY; width /= 2) {
    const int64_t busy = both_in_use(rows.extent, in_group / width, in_row, width);
    if (busy > best->busy) {
      best->rows = rows;
      best->width = clrs__exact_multiply(width, best->access);
      best->height = in_group / width;
      best->column_chunks = clrs__divide_up(in_row, width);
      best->busy = busy;
    }
    if (width <= shortest || width == 1) {
      return;
    }
  }
}

/* Returns true if rows can be cut. Packed elements are written only if no byte is shared. Rows that
 * begin anywhere need buffers that begin with an access. */
static bool takes_rows(const clrs__mapped_share *at, const cut *made) {
  const clrs__nest_axis *column = &at->nest.axes[made->columns.last];
  const clrs__mapped_pass *pass = at->pass;
  return column->strides[CLRS_TO] == 1 && column->strides[CLRS_FROM] == 1 &&
         (!made->ragged ||
          (bits_of(pass->key.to) >= 8 && pass->source.alignment >= CLRS_VECTOR_BYTES &&
           pass->destination.alignment >= CLRS_VECTOR_BYTES &&
           made->columns.extent >= clrs__exact_multiply(FEWEST_ACCESSES, made->access)));
}

/* Cuts rows: a single row, or the rows along loops before the columns. */
static bool cut_rows(const clrs__mapped_share *at, clrs__map_key *key, cut *made) {
  const joined columns = join_before(&at->nest, at->nest.axis_count - 1);
  key->geometry = CLRS__MAPPED_GPU_ROWS;
  const int64_t access = clrs__map_access(key);
  *made = (cut){.columns = columns, .access = access, .items = clrs__map_group(key)};
  made->ragged =
      !is_made_of(at, CLRS_TO, columns, access) || !is_made_of(at, CLRS_FROM, columns, access);
  if (!takes_rows(at, made)) {
    return false;
  }
  const int64_t outside = made->ragged ? access - 1 : 0;
  const int64_t in_row = clrs__divide_up(columns.extent + outside, access);
  const int64_t shortest = SHORTEST_ROW_BITS / clrs__exact_multiply(access, bits_of(key->to));
  try_rows((joined){columns.last, 0, 1}, in_row, shortest, made);
  for (uint32_t i = columns.last + 1 - columns.count; i > 0; i--) {
    try_rows(join_before(&at->nest, i - 1), in_row, shortest, made);
  }
  return made->busy >= BUSY_ENOUGH;
}

/* ---- tiles ---- */

/* Finds loops before the columns along which the source is contiguous. */
static bool find_turned_rows(const clrs__nest *nest, joined columns, joined *rows) {
  for (uint32_t i = columns.last + 1 - columns.count; i > 0; i--) {
    if (nest->axes[i - 1].strides[CLRS_FROM] == 1) {
      *rows = join_before(nest, i - 1);
      return true;
    }
  }
  return false;
}

/* Sets the size of a tile. The numbers of the map lie in local memory too. */
static bool choose_size(const clrs__mapped_share *at, int bits, clrs__map_key *key, cut *made) {
  const uint64_t numbers = (uint64_t)NUMBER_BYTES * clrs__map_key_numbers(key);
  uint32_t halvings = key->halvings;
  if (!clrs__halve_groups(&at->pass->limits, numbers, &halvings)) {
    return false;
  }
  key->halvings = (uint8_t)halvings;
  made->items = clrs__map_group(key);
  made->height = CLRS_TILE_ROWS(bits, made->items);
  made->width = CLRS_TILE_COLUMNS(bits, made->items);
  return true;
}

/* Cuts tiles. Packed elements become bytes in a tile. */
static bool cut_tile(const clrs__mapped_share *at, clrs__map_key *key, cut *made) {
  const joined columns = join_before(&at->nest, at->nest.axis_count - 1);
  const bool is_packed = bits_of(key->from) < 8;
  const int from = is_packed ? 8 : bits_of(key->from), to = bits_of(key->to);
  key->geometry = CLRS__MAPPED_GPU_TILE;
  *made = (cut){.columns = columns, .access = clrs__map_access(key)};
  if (to < 8 || at->nest.axes[columns.last].strides[CLRS_TO] != 1 ||
      !find_turned_rows(&at->nest, columns, &made->rows) || !choose_size(at, from, key, made)) {
    return false;
  }
  made->column_chunks = clrs__divide_up(columns.extent, made->width);
  made->ragged = !is_made_of(at, CLRS_TO, columns, made->access);
  made->wide_source = is_made_of(at, CLRS_FROM, made->rows, CLRS_VECTOR_UNITS(from));
  return (made->wide_source || !is_packed) &&
         both_in_use(made->rows.extent, made->height, columns.extent, made->width) >=
             TILE_BUSY_ENOUGH;
}

/* ---- pixels ---- */

static int64_t pixel_bits(const clrs__map_key *key, const cut *made) {
  return clrs__exact_multiply(clrs__exact_multiply(made->rows.extent, made->access),
                              bits_of(key->from));
}

/* Returns true if the pixels of an access have at most CLRS_MAPPED_PIXEL_BITS bits, and all
 * accesses begin at words of the source. Example: accesses of 4 pixels of 3 bytes are 12 bytes, 3
 * words. */
static bool begins_words(const clrs__mapped_share *at, const cut *made) {
  const clrs_operand *source = &at->pass->source;
  const int64_t bits = bits_of(at->pass->key.from), in_word = bits < 32 ? 32 / bits : 1;
  const int64_t pixels = clrs__exact_multiply(made->rows.extent, made->access);
  const bool are_few = pixel_bits(&at->pass->key, made) <= CLRS_MAPPED_PIXEL_BITS;
  bool begins = are_few && (source->byte_offset | source->alignment) % 4 == 0 &&
                at->nest.offsets[CLRS_FROM] % in_word == 0 && pixels % in_word == 0;
  for (uint32_t i = 0; i < at->nest.axis_count; i++) {
    begins = begins && (is_in(made->columns, i) || is_in(made->rows, i) ||
                        at->nest.axes[i].strides[CLRS_FROM] % in_word == 0);
  }
  return begins;
}

/* Cuts pixels. Rows are the colours of pixels, which are neighbours in the source. */
static bool cut_pixels(const clrs__mapped_share *at, clrs__map_key *key, cut *made) {
  const clrs__nest *nest = &at->nest;
  const joined columns = join_before(nest, nest->axis_count - 1);
  key->geometry = CLRS__MAPPED_GPU_PIXELS;
  *made = (cut){.columns = columns, .access = clrs__map_access(key), .items = clrs__map_group(key)};
  if (bits_of(key->from) < 8 || bits_of(key->to) < 8 ||
      nest->axes[columns.last].strides[CLRS_TO] != 1 ||
      !find_turned_rows(nest, columns, &made->rows) || made->rows.extent > CLRS_MAPPED_PLANES ||
      nest->axes[columns.last].strides[CLRS_FROM] != made->rows.extent) {
    return false;
  }
  made->height = made->rows.extent;
  const int64_t loads = CLRS_MAPPED_PIXEL_LOADS(pixel_bits(key, made));
  made->width = clrs__exact_multiply(clrs__exact_multiply(made->items, loads), made->access);
  made->column_chunks = clrs__divide_up(columns.extent, made->width);
  key->pixels = (uint8_t)made->rows.extent;
  return is_made_of(at, CLRS_TO, columns, made->access) && begins_words(at, made) &&
         clrs__chunks_in_use(columns.extent, made->width) >= BUSY_ENOUGH;
}

/* ---- the order of a kernel ---- */

static void append(clrs__nest *to, const clrs__nest *from, joined part) {
  for (uint32_t i = 0; i < part.count; i++) {
    to->axes[to->axis_count++] = from->axes[part.last - i];
  }
}

/* Orders the axes, the fastest first: columns, rows, all others. */
static void order_axes(clrs__nest *nest, const cut *chosen) {
  const clrs__nest from = *nest;
  nest->axis_count = 0;
  append(nest, &from, chosen->columns);
  append(nest, &from, chosen->rows);
  if (chosen->rows.count == 0) {
    nest->axes[nest->axis_count++] = (clrs__nest_axis){.extent = 1};
  }
  for (uint32_t i = from.axis_count; i > 0; i--) {
    if (!is_in(chosen->columns, i - 1) && !is_in(chosen->rows, i - 1)) {
      nest->axes[nest->axis_count++] = from.axes[i - 1];
    }
  }
}

/* Takes the cut. Returns false if there are more chunks than a launch may have. Example: 128 rows
 * of 512 columns, and 3 steps of other loops, in chunks of 16 rows and 256 columns are 8 * 2 * 3
 * chunks, a work-group each. */
static bool take_cut(clrs__mapped_share *at, const cut *chosen) {
  const int64_t row_chunks = clrs__divide_up(chosen->rows.extent, chosen->height);
  const int64_t of_rows = clrs__exact_multiply(chosen->columns.extent, chosen->rows.extent);
  const int64_t others = clrs__nest_count(&at->nest) / of_rows;
  int64_t work;
  if (!clrs__multiply(row_chunks, chosen->column_chunks, &work) ||
      !clrs__multiply(work, others, &work) ||
      work > clrs__grid_items_allowed(&at->pass->limits) / chosen->items) {
    return false;
  }
  at->work = work;
  at->per_item = 1;
  at->row_chunks = row_chunks;
  at->column_chunks = chosen->column_chunks;
  at->run = chosen->columns.extent;
  at->rows = chosen->rows.extent;
  at->chunk_rows = chosen->height;
  at->chunk_columns = chosen->width;
  order_axes(&at->nest, chosen);
  return true;
}

bool clrs__share_has_groups(const clrs__mapped_share *at) {
  const clrs_device_limits *limits = &at->pass->limits;
  return limits->execution != CLRS_EXECUTION_CPU && !at->pass->key.is_unaligned &&
         clrs__group_halvings(limits) <= CLRS_MOST_HALVINGS && at->nest.axis_count > 0;
}

bool clrs__share_groups(clrs__mapped_share *at, clrs__map_key *key) {
  clrs__map_key made = *key;
  made.halvings = (uint8_t)clrs__group_halvings(&at->pass->limits);
  cut chosen;
  const bool gathers = at->pass->key.is_indexed;
  if (at->pass->key.combine != 0 || !clrs__share_has_groups(at) ||
      (!cut_rows(at, &made, &chosen) &&
       (gathers || (!cut_pixels(at, &made, &chosen) && !cut_tile(at, &made, &chosen))))) {
    return false;
  }
  if (gathers && chosen.ragged) { /* the edges of gathered rows took as long as the rows */
    return false;
  }
  made.column_axes = (uint8_t)chosen.columns.count;
  made.row_axes = (uint8_t)(chosen.rows.count > 0 ? chosen.rows.count : 1);
  const bool is_steady = made.geometry == CLRS__MAPPED_GPU_TILE && has_steady_rows(at, &chosen);
  made.spread = !is_spread(at, &chosen) ? 0 : is_steady ? CLRS_MAPPED_STEADY : 1;
  made.ragged = chosen.ragged;
  made.wide_source = chosen.wide_source;
  made.pixels = made.geometry == CLRS__MAPPED_GPU_PIXELS ? made.pixels : 0;
  if (!take_cut(at, &chosen)) {
    return false;
  }
  *key = made;
  return true;
}
