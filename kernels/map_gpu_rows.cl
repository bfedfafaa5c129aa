/*
 * map_gpu_rows: rows that are contiguous on both sides, for GPUs. Codes go from the source to
 * registers, are converted, and go to the destination, without a stage.
 *
 * A chunk has a power of two of columns, so an item's accesses are found by shifts. A long row
 * keeps the whole group side by side, and short rows lie below each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_GROUP_CL
#include "map_group.cl"
#endif

#define LOADS CLRS_MAPPED_LOADS
#define TILE_VECTORS 1 /* not used */

/* An access: the places of the row, the first column, and the number of columns from there on. The
 * first column may lie before the row. is_skipped is true if the row's index is skipped. */
typedef struct access_t {
  places_t row;
  index_t column, left;
  bool is_skipped;
} access_t;

/* Elements from the last aligned access that begins at or before the row, to the row. Rows that
 * begin 6 bytes behind an aligned access of 16 bytes: 3 elements of 2 bytes. */
INLINED index_t elements_past(uint start, const places_t row) {
#if RAGGED
  const uint begins = start + (uint)BYTE_OF_ELEMENT(TO_BITS, row.at[CLRS_TO]);
  return (index_t)(begins % TO_BYTES / sizeof(TO_T));
#else
  return 0;
#endif
}

/* The k-th access of this item. There is no access if `left` is not positive. The accesses of a
 * chunk are numbered row by row, and an item takes every GROUP_ITEMS-th. Example: groups of 256
 * items, and chunks of 64 accesses by 16 rows. Access 1 of item 70 is number 326, which is access 6
 * of row 5. */
SHARING access_t find_access(mapped_ref move, const tensors_t tensors, const group_t *group, int k,
                             bool *is_any_outside) {
  const index_t last = move->chunk_columns / ACCESS - 1;
  const index_t number = (index_t)get_local_id(0) + k * GROUP_ITEMS;
  const index_t row = group->row + (number >> popcount(last));
  access_t access = {places_of_row(move, group, row), group->column + (number & last) * ACCESS, 0,
                     false};
  bool is_there = row < move->rows;
#if INDEXED
  access.is_skipped = is_there && !name_place(move, tensors, &access.row, is_any_outside);
  is_there = is_there && !(SCATTERS ? access.is_skipped : false);
#endif
  access.column -= elements_past(tensors.to_start, access.row);
  access.left = is_there ? move->run - access.column : 0;
  (void)tensors;
  (void)is_any_outside;
  return access;
}

/* Returns true if the access exists and lies inside its row. */
INLINED bool is_whole(const access_t access) {
  return RAGGED ? access.column >= 0 && access.left >= ACCESS : access.left > 0;
}

/* Loads the codes of a whole access. */
INLINED void load_codes(global const uchar *source, uint source_start, const access_t access,
                        uint *words) {
  const index_t at = access.row.at[CLRS_FROM] + access.column;
  const long byte = BYTE_OF_ELEMENT(FROM_BITS, at);
  const bool begins_byte = FROM_BITS >= 8 || ((uint)at * FROM_BITS) % 8 == 0;
  if (!RAGGED || ((source_start + (uint)byte) % FROM_BYTES == 0 && begins_byte)) {
    load_access(source + byte, words);
  } else {
    CLEAR_WORDS(words, FROM_WORDS)
    UNROLLED
    for (int k = 0; k < ACCESS; k++) {
      put_code(ELEMENT(FROM), words, k, load_code(ELEMENT(FROM), source, at + k));
    }
  }
}

SHARING void convert_codes(global uchar *destination, mapped_ref move, const tensors_t tensors,
                           const access_t access, const uint *codes) {
  uint words[TO_WORDS];
  const index_t to = access.row.at[CLRS_TO] + access.column;
  if (access.is_skipped) {
    CLEAR_WORDS(words, TO_WORDS)
    UNROLLED
    for (int i = 0; i < ACCESS; i++) {
      put_code(ELEMENT(TO), words, i, SKIPPED_CODE);
    }
  } else {
    convert_access(move, tensors, access.row, access.column, NOT_KNOWN, codes, (codes_at_t){0, 1},
                   words);
  }
  store_access(destination + BYTE_OF_ELEMENT(TO_BITS, to), words);
}

/* Converts the first or the last access of a row, element by element. */
SHARING void convert_part(global const uchar *source, global uchar *destination, mapped_ref move,
                          const tensors_t tensors, const access_t access) {
  const index_t first = max(access.column, (index_t)0);
  const index_t end = min(access.column + ACCESS, move->run);
#pragma unroll 1
  for (index_t column = first; column < end; column++) {
    if (access.is_skipped) {
      store_code(ELEMENT(TO), destination, access.row.at[CLRS_TO] + column, SKIPPED_CODE);
    } else {
      convert_element(destination, move, tensors, access.row, column,
                      (FROM_T)load_code(ELEMENT(FROM), source, access.row.at[CLRS_FROM] + column));
    }
  }
}

SHARING void move_map_gpu_rows(global const uchar *source, global uchar *destination,
                               mapped_ref move, const tensors_t tensors) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const group_t group = find_group(move, i);
    bool is_any_outside = false, unused = false;
    uint codes[LOADS][FROM_WORDS];
    access_t found[LOADS]; /* kept, because a gather would read an index again */
    UNROLLED
    for (int k = 0; k < LOADS; k++) {
      const access_t access = find_access(move, tensors, &group, k, &is_any_outside);
      if (is_whole(access) && !access.is_skipped) {
        load_codes(source, tensors.from_start, access, codes[k]);
      }
      found[k] = access;
    }
    UNROLLED
    for (int k = 0; k < LOADS; k++) {
      const access_t access = INDEXED ? found[k] : find_access(move, tensors, &group, k, &unused);
      if (is_whole(access)) {
        convert_codes(destination, move, tensors, access, codes[k]);
      }
    }
#if RAGGED
#pragma unroll 1
    for (int k = 0; k < LOADS; k++) {
      const access_t access = find_access(move, tensors, &group, k, &unused);
      if (access.left > 0 && !is_whole(access)) {
        convert_part(source, destination, move, tensors, access);
      }
    }
#endif
    end_indices(move, tensors, is_any_outside);
  }
}

MAP_KERNEL(map_gpu_rows)
