/*
 * A tile of a transposed matrix in local memory. The tile is read along rows of the source, and
 * holds rows of the destination one below the other. gpu_tile.cl explains the transpose.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_GPU_TURN_CL
#define CLRS_GPU_TURN_CL
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif

#define TILE_ROWS CLRS_TILE_ROWS(UNIT_BITS, GROUP_ITEMS)
#define TILE_COLUMNS CLRS_TILE_COLUMNS(UNIT_BITS, GROUP_ITEMS)
#define WIDTH CLRS_VECTOR_UNITS(UNIT_BITS)
#define VECTORS (TILE_COLUMNS / WIDTH) /* vectors in a row of the tile */
#define VECTORS_PER_ITEM (TILE_ROWS * VECTORS / GROUP_ITEMS)

/* PACKED is the number of units of one row in a cell. CELLS is the number of cells in a vector. */
#if UNIT_BITS < 32
typedef uint cell_t;
#define PACKED (32 / UNIT_BITS)
#else
typedef UNIT cell_t;
#define PACKED 1
#endif
#define CELLS (WIDTH / PACKED)
typedef cell_t aliased_cell_t ALIASED;

/* The orders of the vectors of a row. Narrow tiles of bytes have 4 vectors in a row. */
#define TWISTS (VECTORS < 8 ? VECTORS - 1 : 7)

/* Returns the place of vector `column` of row `row` + `down` of the tile. `row` is a multiple of
 * WIDTH, and `down` is less than WIDTH. Each row has its vectors in a different order, chosen by
 * the low three bits of `row`, `down` and row / WIDTH. So there is no bank conflict among 8
 * neighbouring rows, among 8 rows that are WIDTH apart, or among 8 vectors of a row. */
INLINED int place_in_tile(int row, int down, int column) {
  const int twist = WIDTH > 1 ? row ^ (row / WIDTH) ^ down : row;
  return (row + down) * VECTORS + (column ^ (twist & TWISTS));
}

/* ---- reading vectors ---- */

/* Alternating even bytes, or odd bytes, of the words x and y. The other two macros do the same with
 * 16-bit units. */
#define EVEN_BYTES(x, y) (((x)&0x00ff00ffu) | (((y)&0x00ff00ffu) << 8))
#define ODD_BYTES(x, y) ((((x) >> 8) & 0x00ff00ffu) | ((y)&0xff00ff00u))
#define LOW_HALVES(x, y) (((x)&0xffffu) | ((y) << 16))
#define HIGH_HALVES(x, y) (((x) >> 16) | ((y)&0xffff0000u))

/* Transposes the vectors of PACKED runs to the cells of WIDTH rows. Words of bytes a0 a1 a2 a3,
 * b0.., c0.. and d0.. become a0 b0 c0 d0, a1 b1 c1 d1 and so on. The byte order of a word does not
 * matter, as both sides have the same order. */
INLINED void turn_vectors(const uint4 *vectors, cell_t *cells) {
#if UNIT_BITS >= 32
#pragma unroll
  for (int k = 0; k < WIDTH; k++) {
    cells[k] = ((const aliased_cell_t *)vectors)[k];
  }
#elif defined(__ENDIAN_LITTLE__)
#pragma unroll
  for (int k = 0; k < 4; k++) {
    const uint a = ((const aliased_uint_t *)&vectors[0])[k],
               b = ((const aliased_uint_t *)&vectors[1])[k];
#if UNIT_BITS == 16
    cells[2 * k] = LOW_HALVES(a, b);
    cells[2 * k + 1] = HIGH_HALVES(a, b);
#else
    const uint c = ((const aliased_uint_t *)&vectors[2])[k],
               d = ((const aliased_uint_t *)&vectors[3])[k];
    const uint even = EVEN_BYTES(a, b), odd = ODD_BYTES(a, b);
    const uint next_even = EVEN_BYTES(c, d), next_odd = ODD_BYTES(c, d);
    cells[4 * k] = LOW_HALVES(even, next_even);
    cells[4 * k + 1] = LOW_HALVES(odd, next_odd);
    cells[4 * k + 2] = HIGH_HALVES(even, next_even);
    cells[4 * k + 3] = HIGH_HALVES(odd, next_odd);
#endif
  }
#else
#pragma unroll
  for (int k = 0; k < WIDTH * PACKED; k++) {
    ((aliased_unit_t *)cells)[k] =
        ((const aliased_unit_t *)vectors)[k % PACKED * WIDTH + k / PACKED];
  }
#endif
}

/* Eight neighbouring items read 128 contiguous bytes of a run, or as many as a tile has. Other
 * items read other runs. */
#define READERS (TILE_ROWS < 8 * WIDTH ? TILE_ROWS / WIDTH : 8)
#define ROWS_AT_ONCE (READERS * WIDTH)
#define SQUARES (VECTORS_PER_ITEM / PACKED)

/* Loads the vector of a run from unit `at` on. */
#ifndef LOAD_VECTOR
#define LOAD_VECTOR(from, at) (*(global const uint4 *)((from) + (at)))
#endif

SHARING void read_vectors(global const UNIT *from, index_t stride, chunk_t chunk,
                          local uint4 *tile) {
  const int lane = (int)get_local_id(0) % READERS, first = (int)get_local_id(0) / READERS;
  uint4 vectors[VECTORS_PER_ITEM];
#pragma unroll
  for (int k = 0; k < VECTORS_PER_ITEM; k++) {
    const int square = k / PACKED * ROWS_AT_ONCE;
    const int row = lane * WIDTH + square % TILE_ROWS;
    const int column = (first + square / TILE_ROWS * (GROUP_ITEMS / READERS)) * PACKED + k % PACKED;
    if (row < chunk.rows && column < chunk.columns) {
      vectors[k] = LOAD_VECTOR(from, row + column * stride);
    }
  }
#pragma unroll
  for (int k = 0; k < SQUARES; k++) {
    const int row = lane * WIDTH + k * ROWS_AT_ONCE % TILE_ROWS;
    const int cell = first + k * ROWS_AT_ONCE / TILE_ROWS * (GROUP_ITEMS / READERS);
    if (row < chunk.rows && cell * PACKED < chunk.columns) { /* skips the wait for an empty cell */
      cell_t cells[WIDTH];
      turn_vectors(&vectors[k * PACKED], cells);
#pragma unroll
      for (int down = 0; down < WIDTH; down++) {
        const int place = place_in_tile(row, down, cell / CELLS);
        ((local aliased_cell_t *)&tile[place])[cell % CELLS] = cells[down];
      }
    }
  }
}

/* ---- reading units ---- */

/* Units that an item loads before it stores the first. */
#define UNITS_AT_ONCE (VECTORS_PER_ITEM * WIDTH < 16 ? VECTORS_PER_ITEM * WIDTH : 16)
#define ROUNDS (VECTORS_PER_ITEM * WIDTH / UNITS_AT_ONCE)

INLINED uint4 pack_vector(const UNIT *units) {
  uint4 vector;
#if UNIT_BITS < 32 && defined(__ENDIAN_LITTLE__)
#pragma unroll
  for (int k = 0; k < 4; k++) {
    uint word = 0;
#pragma unroll
    for (int i = 0; i < PACKED; i++) {
      word |= (uint)units[k * PACKED + i] << (i * UNIT_BITS);
    }
    ((aliased_uint_t *)&vector)[k] = word;
  }
#else
#pragma unroll
  for (int k = 0; k < WIDTH; k++) {
    ((aliased_unit_t *)&vector)[k] = units[k];
  }
#endif
  return vector;
}

/* Reads a tile unit by unit. Neighbouring items have neighbouring rows. Each item makes vectors of
 * its row, in which every unit comes from another run. */
SHARING void read_units(global const UNIT *from, index_t stride, chunk_t chunk, local uint4 *tile) {
  const int row = (int)get_local_id(0) % TILE_ROWS, first = (int)get_local_id(0) / TILE_ROWS;
  const int columns = row < chunk.rows ? (int)chunk.columns : 0;
  for (int round = 0; round < ROUNDS; round++) {
    UNIT units[UNITS_AT_ONCE];
    const int start = first + round * (UNITS_AT_ONCE / WIDTH) * (GROUP_ITEMS / TILE_ROWS);
#pragma unroll
    for (int k = 0; k < UNITS_AT_ONCE / WIDTH; k++) {
      const int column = (start + k * (GROUP_ITEMS / TILE_ROWS)) * WIDTH;
      global const UNIT *unit = from + row + column * stride;
#pragma unroll
      for (int i = 0; i < WIDTH; i++) {
        units[k * WIDTH + i] = column + i < columns ? *unit : 0;
        unit += stride;
      }
    }
#pragma unroll
    for (int k = 0; k < UNITS_AT_ONCE / WIDTH; k++) {
      const int column = start + k * (GROUP_ITEMS / TILE_ROWS);
      if (column * WIDTH < columns) {
        tile[place_in_tile(row / WIDTH * WIDTH, row % WIDTH, column)] =
            pack_vector(units + k * WIDTH);
      }
    }
  }
}

#endif
