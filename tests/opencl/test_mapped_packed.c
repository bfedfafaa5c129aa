/*
 * Maps to elements of less than a byte, where several pieces of one move, or a border around the
 * pieces, share a byte. Bits that become the bytes of a tile. And rows that begin at bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "harness/tensors.h"
#include "map_fixture.h"

/* Code k % 16 at position k of a [3,7], times a scale shared by blocks of 4 columns. The last block
 * of a row has 3 columns. */
static clrs_tensor *ragged_blocks(map_fixture *f, clrs_context *library) {
  const clrs_spread blocks = {.kind = CLRS_SPREAD_AXIS, .axis = 1, .block = 4};
  const double scales[2] = {0.5, 2};
  float numbers[21];
  clrs_map map;
  clrs_tensor *source = map_dense(library, f->source, CLRS_F32, 2, LIST(3, 7)), *mapped = NULL;
  for (int i = 0; i < 21; i++) {
    numbers[i] = (float)(i % 16) * (float)scales[i % 7 / 4];
  }
  device_write(&f->device, f->source, sizeof numbers, numbers);
  CHECK_OK(
      clrs_map_quantize(CLRS_F32, CLRS_U4, &(clrs_numbers){2, scales, blocks}, NULL, &map, &error),
      error);
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  clrs_tensor_release(source);
  return mapped;
}

static unsigned code_of(const unsigned char *bytes, int position) {
  return bytes[position / 2] >> position % 2 * 4 & 15u;
}

/* Pieces of rows that end within a byte, and a border of the destination's type around the
 * pieces. */
MAP_TEST(ragged_blocks_share_bytes) {
  const unsigned char border = 9;
  for (int which = 0; which < 2; which++) {
    clrs_context *library = f->libraries[which];
    clrs_tensor *mapped = ragged_blocks(f, library);
    clrs_tensor *dense = map_dense(library, f->destination, CLRS_U4, 2, LIST(3, 7));
    clrs_tensor *wide = map_dense(library, f->destination, CLRS_U4, 2, LIST(5, 9));
    clrs_tensor *raw = map_dense(library, f->destination, CLRS_F32, 2, LIST(5, 9));
    unsigned char got[23] = {0};
    device_write(&f->device, f->destination, sizeof got, got);
    CHECK_OK(clrs_enqueue_move(mapped, dense, ON(f->device.queue), NULL, &error), error);
    device_read(&f->device, f->destination, sizeof got, got);
    for (int i = 0; i < 22; i++) {
      assert_int_equal(code_of(got, i), i < 21 ? i % 16 : 0);
    }
    const clrs_padding padding = {.begins = LIST(1, 1), .element = &border};
    CHECK_OK(clrs_enqueue_pad(mapped, &padding, wide, NULL, ON(f->device.queue), NULL, &error),
             error);
    device_read(&f->device, f->destination, sizeof got, got);
    for (int i = 0; i < 45; i++) {
      const int row = i / 9 - 1, column = i % 9 - 1;
      const bool is_inside = row >= 0 && row < 3 && column >= 0 && column < 7;
      assert_int_equal(code_of(got, i), is_inside ? (row * 7 + column) % 16 : border);
    }
    CHECK_FAILS(clrs_enqueue_pad(mapped, &padding, raw, NULL, ON(f->device.queue), NULL, &error),
                CLRS_INVALID_ARGUMENT, error);
    CHECK_SAYS(error, "u4");
    clrs_tensor_release(raw);
    clrs_tensor_release(wide);
    clrs_tensor_release(dense);
    clrs_tensor_release(mapped);
  }
}

/* The first bit of a byte is the highest bit. */
MAP_TEST(bits_become_rows) {
  enum { ROWS = 128, COLUMNS = 160 };
  clrs_map map;
  unsigned char bits[ROWS * COLUMNS / 8], got[ROWS * COLUMNS];
  for (size_t i = 0; i < sizeof bits; i++) {
    bits[i] = (unsigned char)(i * 0x9e3779b9u >> 24);
  }
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U1, CLRS_U8, &map, &error), error);
  for (int which = 0; which < 2; which++) {
    clrs_context *library = f->libraries[which];
    clrs_tensor *source = map_dense(library, f->source, CLRS_U1, 2, LIST(ROWS, COLUMNS));
    clrs_tensor *to = map_dense(library, f->destination, CLRS_U8, 2, LIST(COLUMNS, ROWS));
    clrs_tensor *mapped = NULL, *turned = NULL;
    device_write(&f->device, f->source, sizeof bits, bits);
    CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
    clrs_view view = *clrs_tensor_view(mapped);
    CHECK_OK(clrs_view_apply(&view, "permute=1,0", &error), error);
    CHECK_OK(clrs_tensor_with_view(mapped, &view, &turned, &error), error);
    CHECK_OK(clrs_enqueue_move(turned, to, ON(f->device.queue), NULL, &error), error);
    device_read(&f->device, f->destination, sizeof got, got);
    for (int i = 0; i < ROWS * COLUMNS; i++) {
      const int at = i % ROWS * COLUMNS + i / ROWS;
      assert_int_equal(got[i], bits[at / 8] >> (7 - at % 8) & 1);
    }
    clrs_tensor_release(turned);
    clrs_tensor_release(mapped);
    clrs_tensor_release(to);
    clrs_tensor_release(source);
  }
}

/* ---- rows that begin at bytes ---- */

enum { BYTE_ROWS = 36, BYTE_COLUMNS = 229, BYTE_PITCH = 232 };

static unsigned packed_at(const unsigned char *bytes, int bits, int position) {
  const int slot = position % (8 / bits);
  /* the first bit of a byte is the highest bit */
  const int shift = bits == 1 ? 7 - slot : slot * bits;
  return bytes[position * bits / 8] >> shift & ((1u << bits) - 1u);
}

static clrs_tensor *viewed(clrs_tensor *whole, const char *chain) {
  clrs_view view = *clrs_tensor_view(whole);
  clrs_tensor *seen = NULL;
  CHECK_OK(clrs_view_apply(&view, chain, &error), error);
  CHECK_OK(clrs_tensor_with_view(whole, &view, &seen, &error), error);
  clrs_tensor_release(whole);
  return seen;
}

/* Bytes of the source become elements of `to`. Rows end within a byte, and the other bits of this
 * byte stay. */
static void pack_rows(map_fixture *f, clrs_context *library, clrs_dtype to, bool is_turned) {
  const int bits = (int)clrs_dtype_bits(to);
  clrs_map map;
  unsigned char codes[BYTE_ROWS * BYTE_COLUMNS], got[BYTE_ROWS * BYTE_PITCH];
  for (size_t i = 0; i < sizeof codes; i++) {
    codes[i] = (unsigned char)((i * 0x9e3779b9u >> 24) & ((1u << bits) - 1u));
  }
  memset(got, 0xa5, sizeof got);
  device_write(&f->device, f->source, sizeof codes, codes);
  device_write(&f->device, f->destination, sizeof got, got);
  CHECK_OK(clrs_map_cast(CLRS_NUMPY, CLRS_U8, to, &map, &error), error);
  clrs_tensor *source =
      is_turned ? viewed(map_dense(library, f->source, CLRS_U8, 2, LIST(BYTE_COLUMNS, BYTE_ROWS)),
                         "permute=1,0")
                : map_dense(library, f->source, CLRS_U8, 2, LIST(BYTE_ROWS, BYTE_COLUMNS));
  clrs_tensor *rows = viewed(map_dense(library, f->destination, to, 2, LIST(BYTE_ROWS, BYTE_PITCH)),
                             "slice=:,0:229");
  clrs_tensor *mapped = NULL;
  CHECK_OK(clrs_tensor_with_map(source, &map, NULL, &mapped, &error), error);
  CHECK_OK(clrs_enqueue_move(mapped, rows, ON(f->device.queue), NULL, &error), error);
  device_read(&f->device, f->destination, sizeof got, got);
  const unsigned char before[] = {0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5};
  for (int i = 0; i < BYTE_ROWS * BYTE_PITCH; i++) {
    const int row = i / BYTE_PITCH, column = i % BYTE_PITCH;
    const int from = is_turned ? column * BYTE_ROWS + row : row * BYTE_COLUMNS + column;
    assert_int_equal(packed_at(got, bits, i),
                     column < BYTE_COLUMNS ? codes[from] : packed_at(before, bits, i % 8));
  }
  clrs_tensor_release(mapped);
  clrs_tensor_release(rows);
  clrs_tensor_release(source);
}

MAP_TEST(rows_begin_at_bytes) {
  const clrs_dtype types[] = {CLRS_U4, CLRS_U2, CLRS_U1};
  for (int k = 0; k < 12; k++) {
    pack_rows(f, f->libraries[k % 2], types[k / 4], k / 2 % 2 != 0);
  }
}

TESTS_UNLESS(device_missing(), map_fixture_open, map_fixture_close)
