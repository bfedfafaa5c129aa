/*
 * map_gpu_tile: the source is contiguous along the rows axis of a chunk, and the destination along
 * the columns axis. For GPUs. Codes are transposed in local memory and then converted, 16 bytes of
 * the destination at a time. If RAGGED is set, rows are not a multiple of 16 bytes, and codes are
 * converted singly.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ACCESS
#define ACCESS 4
#endif
#ifndef CLRS_MAP_GROUP_CL
#include "map_group.cl"
#endif
#ifndef CLRS_GPU_TURN_CL
#include "gpu_turn.cl"
#endif
#ifndef WIDE_SOURCE
#define WIDE_SOURCE 1
#endif

#define ACCESSES (TILE_COLUMNS / ACCESS) /* accesses of a row of the tile */
#define TILE_VECTORS (TILE_ROWS * VECTORS)
#define ACCESSES_PER_ITEM CLRS_MAPPED_LARGER(TILE_ROWS *ACCESSES / GROUP_ITEMS, 1)

/* Loads the codes of an access, which are some vectors of a row of the tile, or a part of one
 * vector. */
SHARING void take_up(local const uint4 *tile, int row, int access, uint *words) {
  const int vector = access * ACCESS / WIDTH;
  local const uint4 *from = &tile[place_in_tile(row / WIDTH * WIDTH, row % WIDTH, vector)];
#if FROM_BYTES == 2
  words[0] = (uint)((local const aliased_ushort_t *)from)[access % 8] << UNUSED_BITS(2);
#elif FROM_BYTES == 4
  words[0] = ((local const aliased_uint_t *)from)[access % 4];
#elif FROM_BYTES == 8
  const uint2 two = ((local const aliased_uint2_t *)from)[access % 2];
  words[0] = two.x;
  words[1] = two.y;
#else
  (void)from;
  UNROLLED
  for (int i = 0; i < FROM_WORDS; i += 4) {
    put_four(tile[place_in_tile(row / WIDTH * WIDTH, row % WIDTH, vector + i / 4)], words + i);
  }
#endif
}

SHARING void drain_accesses(local const uint4 *tile, global uchar *destination, mapped_ref move,
                            const tensors_t tensors, const group_t *group, const chunk_t chunk) {
  const int access = (int)get_local_id(0) % ACCESSES;
  const int first = (int)get_local_id(0) / ACCESSES * ACCESSES_PER_ITEM;
  const index_t column = group->column + access * ACCESS;
  parameters_t known[ACCESS];
  if (SPREAD == CLRS_MAPPED_STEADY && first < chunk.rows && access * ACCESS < chunk.columns) {
    const places_t places = places_of_row(move, group, group->row + first);
    UNROLLED
    for (int k = 0; k < ACCESS; k++) {
      /* Field by field: rusticl 25.0 loses a struct that becomes an element of an array. */
      const parameters_t p = parameters_in(move, tensors, places, column + k);
#define KEEP_PARAMETER(n) known[k].p##n = p.p##n;
      EACH_STEP(KEEP_PARAMETER)
      known[k].is_tame = false;
    }
  }
  UNROLLED_BY_4
  for (int k = 0; k < ACCESSES_PER_ITEM; k++) {
    const int row = first + k;
    if (row < chunk.rows && access * ACCESS < chunk.columns) {
      uint codes[FROM_WORDS], words[TO_WORDS];
      const places_t places = places_of_row(move, group, group->row + row);
      take_up(tile, row, access, codes);
      convert_access(move, tensors, places, column, known, codes, (codes_at_t){0, 1}, words);
      store_access(destination + BYTE_OF_ELEMENT(TO_BITS, places.at[CLRS_TO] + column), words);
    }
  }
}

/* Writes a tile element by element. Neighbouring items write neighbouring elements. */
SHARING void drain_elements(local const uint4 *tile, global uchar *destination, mapped_ref move,
                            const tensors_t tensors, const group_t *group, const chunk_t chunk) {
  const int column = (int)get_local_id(0) % TILE_COLUMNS;
  const int rows = column < chunk.columns ? (int)chunk.rows : 0;
#pragma unroll 1
  for (int row = (int)get_local_id(0) / TILE_COLUMNS; row < rows;
       row += GROUP_ITEMS / TILE_COLUMNS) {
    const int place = place_in_tile(row / WIDTH * WIDTH, row % WIDTH, column / WIDTH);
    const FROM_T code = ((local const aliased_unit_t *)&tile[place])[column % WIDTH];
    convert_element(destination, move, tensors, places_of_row(move, group, group->row + row),
                    group->column + column, code);
  }
}

SHARING void move_map_gpu_tile(global const uchar *source, global uchar *destination,
                               mapped_ref move, const tensors_t tensors) {
  FOR_EACH(i, first_group(), group_step(), move->count) {
    const group_t group = find_group(move, i);
    const index_t stride = move->axes[0].strides[CLRS_FROM];
    const index_t start = group.places.at[CLRS_FROM] + group.row + group.column * stride;
    global const UNIT *from = (global const UNIT *)(source + BYTE_OF_ELEMENT(FROM_BITS, start));
    const chunk_t chunk = {.rows = min(move->chunk_rows, move->rows - group.row),
                           .columns = min(move->chunk_columns, move->run - group.column)};
    if (WIDE_SOURCE) {
      read_vectors(from, stride, chunk, tensors.tile);
    } else {
      read_units(from, stride, chunk, tensors.tile);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (RAGGED) {
      drain_elements(tensors.tile, destination, move, tensors, &group, chunk);
    } else {
      drain_accesses(tensors.tile, destination, move, tensors, &group, chunk);
    }
    END_CHUNK();
  }
}

MAP_KERNEL(map_gpu_tile)
