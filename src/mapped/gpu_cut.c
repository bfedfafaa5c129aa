/*
 * Of a piece's loops those at the end become rows: loops that are one loop of the source and of the
 * destination, though several of the parameters. A nest of 128 rows, 16 blocks and 32 codes, where
 * each block has a scale, has 128 rows of 512.
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
  SHORTEST_ROW_BITS = 1024, /* of the destination that a group takes of a row, if it has as many */
  FEWEST_ACCESSES = 3,      /* of a row whose ends are not aligned */
  BUSY = 875,               /* per mille of a group: wide enough */
  BUSY_ENOUGH = 300
};

/* Neighbouring loops of a nest, the last of which is at `last`, as one. */
typedef struct joined {
  uint32_t last, count;
  int64_t extent;
} joined;

typedef struct cut {
  joined columns, rows;
  int64_t width, height; /* of a chunk: accesses and rows */
  int64_t busy;          /* per mille of a group's accesses */
} cut;

static uint32_t bits_of(uint8_t dtype) {
  return clrs_dtype_bits((clrs_dtype)dtype);
}

static int64_t access_of(const clrs__map_key *key) {
  const int from = (int)bits_of(key->from), to = (int)bits_of(key->to);
  return CLRS_MAPPED_ACCESS(from, to);
}

/* ---- loops that are one ---- */

static joined join_before(const clrs__nest *nest, uint32_t last) {
  const clrs__nest_axis *inner = &nest->axes[last];
  joined found = {last, 1, inner->extent};
  while (found.count <= last && found.count < CLRS__MOST_JOINED_AXES) {
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

/* ---- where accesses begin ---- */

/* Do all accesses of a side lie where its bytes are aligned, but for those along `columns`? */
static bool is_aligned(const clrs__mapped_share *at, uint32_t side, const joined *columns) {
  const clrs__mapped_pass *pass = at->pass;
  const clrs_operand *operand = side == CLRS_TO ? &pass->destination : &pass->source;
  const int64_t access = access_of(&pass->key);
  const uint32_t bits = bits_of(side == CLRS_TO ? pass->key.to : pass->key.from);
  const uint64_t bytes = (uint64_t)clrs__exact_multiply(access, bits) / 8;
  bool aligned = (operand->byte_offset | operand->alignment) % bytes == 0 &&
                 at->nest.offsets[side] % access == 0;
  for (uint32_t i = 0; i + columns->count <= columns->last; i++) {
    aligned = aligned && at->nest.axes[i].strides[side] % access == 0;
  }
  for (uint32_t i = 0; pass->key.entry_bits > 0 && i < pass->digit_count; i++) {
    aligned = aligned && pass->digits[i].strides[side] % access == 0;
  }
  return aligned;
}

static bool is_ragged(const clrs__mapped_share *at, const joined *columns) {
  return columns->extent % access_of(&at->pass->key) != 0 || !is_aligned(at, CLRS_TO, columns) ||
         !is_aligned(at, CLRS_FROM, columns);
}

/* Do neighbours of an access have parameters of their own? Not if the last loop of `columns`, in
 * which accesses then begin at a multiple of their length, changes none. */
static bool is_spread(const clrs__mapped_share *at, const joined *columns, bool ragged) {
  const clrs__nest *nest = &at->nest;
  bool last_changes = false, some_change = false;
  for (uint32_t k = CLRS_FIRST_VIEW; k < nest->operand_count; k++) {
    last_changes = last_changes || nest->axes[columns->last].strides[k] != 0;
    for (uint32_t i = 0; i < columns->count; i++) {
      some_change = some_change || nest->axes[columns->last - i].strides[k] != 0;
    }
  }
  const int64_t inner = nest->axes[columns->last].extent;
  return some_change && (last_changes || ragged || inner % access_of(&at->pass->key) != 0);
}

/* ---- chunks ---- */

/* Per mille of a chunk's steps that some part of an extent has. */
static int64_t part_in_use(int64_t extent, int64_t chunk) {
  const int64_t chunks = clrs__divide_up(extent, chunk);
  return chunks > 1000000
             ? 1000
             : clrs__exact_multiply(extent, 1000) / clrs__exact_multiply(chunks, chunk);
}

/* Tries the widths from the widest that is not half empty on. Of rows of 40 accesses 64 and 16 rows
 * are tried, 32 and 32, and so on, until few of a group's accesses are outside. */
static void try_rows(joined rows, int64_t in_row, int64_t shortest, cut *best) {
  int64_t width = (int64_t)CLRS_GROUP_ITEMS * CLRS_MAPPED_LOADS;
  const int64_t in_group = width;
  while (width / 2 >= in_row) {
    width /= 2;
  }
  for (; best->busy < BUSY; width /= 2) {
    const int64_t height = in_group / width;
    const int64_t busy =
        clrs__exact_multiply(part_in_use(rows.extent, height), part_in_use(in_row, width)) / 1000;
    if (busy > best->busy) {
      best->rows = rows;
      best->width = width;
      best->height = height;
      best->busy = busy;
    }
    if (width <= shortest || width == 1) {
      return;
    }
  }
}

/* A row of its own, or one of those that some loops before it number. */
static cut cut_rows(const clrs__mapped_share *at, joined columns, bool ragged) {
  const clrs__map_key *key = &at->pass->key;
  const int64_t access = access_of(key);
  const int64_t in_row = clrs__divide_up(columns.extent + (ragged ? access - 1 : 0), access);
  const int64_t shortest = SHORTEST_ROW_BITS / clrs__exact_multiply(access, bits_of(key->to));
  cut best = {.columns = columns};
  try_rows((joined){columns.last, 0, 1}, in_row, shortest, &best);
  for (uint32_t i = columns.last + 1 - columns.count; i > 0; i--) {
    try_rows(join_before(&at->nest, i - 1), in_row, shortest, &best);
  }
  return best;
}

/* ---- the order of a kernel ---- */

static void append(clrs__nest *to, const clrs__nest *from, joined part) {
  for (uint32_t i = 0; i < part.count; i++) {
    to->axes[to->axis_count++] = from->axes[part.last - i];
  }
}

static bool is_in(joined part, uint32_t i) {
  return i <= part.last && i + part.count > part.last;
}

/* The fastest first: columns, rows, all others. */
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

/* False if they are more than a launch may have. */
static bool count_chunks(clrs__mapped_share *at, const cut *chosen, bool ragged) {
  const int64_t access = access_of(&at->pass->key);
  const int64_t in_row =
      clrs__divide_up(chosen->columns.extent + (ragged ? access - 1 : 0), access);
  const int64_t row_chunks = clrs__divide_up(chosen->rows.extent, chosen->height);
  const int64_t column_chunks = clrs__divide_up(in_row, chosen->width);
  const int64_t of_rows = clrs__exact_multiply(chosen->columns.extent, chosen->rows.extent);
  const int64_t others = clrs__nest_count(&at->nest) / of_rows;
  int64_t work;
  if (!clrs__multiply(row_chunks, column_chunks, &work) || !clrs__multiply(work, others, &work) ||
      work > clrs__grid_items_allowed(&at->pass->limits) / CLRS_GROUP_ITEMS) {
    return false;
  }
  at->work = work;
  at->row_chunks = row_chunks;
  at->column_chunks = column_chunks;
  return true;
}

static bool has_groups(const clrs__mapped_share *at) {
  const clrs_device_limits *limits = &at->pass->limits;
  return limits->execution != CLRS_EXECUTION_CPU && !at->pass->key.is_unaligned &&
         limits->max_group_items >= CLRS_GROUP_ITEMS && at->nest.axis_count > 0;
}

/* Packed elements are written only where no byte is shared. */
static bool takes_rows(const clrs__mapped_share *at, const joined *columns, bool ragged) {
  const clrs__nest_axis *column = &at->nest.axes[columns->last];
  const int64_t access = access_of(&at->pass->key);
  return column->strides[CLRS_TO] == 1 && column->strides[CLRS_FROM] == 1 &&
         (!ragged || (bits_of(at->pass->key.to) >= 8 &&
                      columns->extent >= clrs__exact_multiply(FEWEST_ACCESSES, access)));
}

bool clrs__share_groups(clrs__mapped_share *at, clrs__map_key *key) {
  if (!has_groups(at)) {
    return false;
  }
  const joined columns = join_before(&at->nest, at->nest.axis_count - 1);
  const bool ragged = is_ragged(at, &columns);
  /* Each access to a row of its own, edges took as long as rows by elements. */
  const bool is_ragged_gather = ragged && at->pass->key.entry_bits > 0;
  if (is_ragged_gather || !takes_rows(at, &columns, ragged)) {
    return false;
  }
  const cut chosen = cut_rows(at, columns, ragged);
  if (chosen.busy < BUSY_ENOUGH || !count_chunks(at, &chosen, ragged)) {
    return false;
  }
  key->geometry = CLRS__MAPPED_GPU_ROWS;
  key->column_axes = (uint8_t)columns.count;
  key->row_axes = (uint8_t)(chosen.rows.count > 0 ? chosen.rows.count : 1);
  key->spread = is_spread(at, &columns, ragged);
  key->ragged = ragged;
  at->run = columns.extent;
  at->rows = chosen.rows.extent;
  at->chunk_rows = chosen.height;
  at->chunk_columns = clrs__exact_multiply(chosen.width, access_of(&at->pass->key));
  at->per_item = 1;
  order_axes(&at->nest, &chosen);
  return true;
}
