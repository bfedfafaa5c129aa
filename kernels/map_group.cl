/*
 * The frame of the map kernels for GPUs. A work-group takes a chunk of rows and columns. A
 * work-item takes neighbours of a row, one access at a time: 16 bytes of the wider side.
 *
 * The first COLUMN_AXES axes make up a row, and the next ROW_AXES axes number the rows of a chunk.
 * Each of the two groups is one loop of the source and of the destination, and may be several loops
 * of the parameters.
 *
 * SPREAD > 0 means that neighbours have different parameters. SPREAD is CLRS_MAPPED_STEADY if all
 * rows of a work-item have the same parameters. CODE_BITS is the width of a code in the words that
 * are converted: packed codes in a tile are bytes. RAGGED means that accesses are aligned in the
 * destination, so that the first and the last access of a row may be partly outside. Without RAGGED
 * all accesses are whole on both sides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_MAP_GROUP_CL
#define CLRS_MAP_GROUP_CL
#ifndef GROUPED
#define GROUPED 1
#endif
#ifndef ACCESS
#define ACCESS 4
#endif
#ifndef COLUMN_AXES
#define COLUMN_AXES 1
#define ROW_AXES 1
#define SPREAD 0
#define RAGGED 1
#define CODE_BITS 8
#endif
#ifndef CLRS_PARAMETERS_CL
#include "parameters.cl"
#endif
#ifndef CLRS_WORK_GROUP_CL
#include "work_group.cl"
#endif

#define FROM_BYTES (ACCESS * CODE_BITS / 8)
#define TO_BYTES (ACCESS * TO_BITS / 8)
#define FROM_WORDS ((FROM_BYTES + 3) / 4)
#define TO_WORDS ((TO_BYTES + 3) / 4)

/* ---- numbers of lists ---- */

SHARING local const ulong *stage_numbers(mapped_ref move, local ulong *numbers) {
  if (has_hidden_lists()) {
    if (get_local_id(0) == 0) {
      UNROLLED
      for (int k = 0; k < NUMBERS; k++) {
        numbers[k] = move->numbers[k];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return numbers;
}

/* For loops with independent iterations: unrolled far enough that compilers overlap the
 * iterations. */
#if NATIVE_CODE
#define UNROLLED_BY_4 UNROLLED
#else
#define UNROLLED_BY_4 _Pragma("unroll 4")
#endif

/* ---- codes in words ---- */

/* The shift, in a word, of `bits` bits that begin `at` bits behind the start of an access. For
 * example, 8 bits at bit 40 have shift 8 on a little-endian device and 16 on a big-endian
 * device. */
#ifdef __ENDIAN_LITTLE__
#define PLACE_IN_WORD(bits, at) ((at) % 32)
#define UNUSED_BITS(bytes) 0
#else
#define PLACE_IN_WORD(bits, at) (32 - (bits) - (at) % 32)
#define UNUSED_BITS(bytes) (32 - 8 * (bytes))
#endif

/* The shift of code k. Packed codes keep their order within a byte. */
INLINED int shift_of_code(const element_t element, int k) {
  const int at = k * element.bits;
  return element.bits < 8 ? PLACE_IN_WORD(8, at / 8 * 8) +
                                (int)packed_shift(element, (uint)k % (8 / (uint)element.bits))
                          : PLACE_IN_WORD(element.bits, at);
}

INLINED ulong code_in(const element_t element, const uint *words, int k) {
  if (element.bits == 64) {
    return as_ulong((uint2)(words[2 * k], words[2 * k + 1]));
  }
  return words[k * element.bits / 32] >> shift_of_code(element, k) & (uint)clrs__ones(element.bits);
}

/* Puts code k into words that are 0 at its place. */
INLINED void put_code(const element_t element, uint *words, int k, ulong code) {
  if (element.bits == 64) {
    words[2 * k] = as_uint2(code).x;
    words[2 * k + 1] = as_uint2(code).y;
  } else {
    words[k * element.bits / 32] |= (uint)code << shift_of_code(element, k);
  }
}

#define CLEAR_WORDS(words, count)                                                                  \
  UNROLLED                                                                                         \
  for (int word = 0; word < (count); word++) {                                                     \
    (words)[word] = 0;                                                                             \
  }

/* The byte that holds an element. A position may be negative. */
#define BYTE_OF_ELEMENT(bits, at)                                                                  \
  ((bits) < 8 ? (long)((at) >> ((bits) == 4 ? 1 : (bits) == 2 ? 2 : 3)) : (long)(at) * ((bits) / 8))

INLINED void put_four(const uint4 four, uint *words) {
  words[0] = four.x;
  words[1] = four.y;
  words[2] = four.z;
  words[3] = four.w;
}

INLINED void load_access(global const uchar *from, uint *words) {
#if FROM_BYTES == 1
  words[0] = (uint)*from << UNUSED_BITS(1);
#elif FROM_BYTES == 2
  words[0] = (uint) * (global const aliased_ushort_t *)from << UNUSED_BITS(2);
#elif FROM_BYTES == 4
  words[0] = *(global const aliased_uint_t *)from;
#elif FROM_BYTES == 8
  const uint2 two = *(global const aliased_uint2_t *)from;
  words[0] = two.x;
  words[1] = two.y;
#else
  UNROLLED
  for (int i = 0; i < FROM_WORDS; i += 4) {
    put_four(((global const aliased_uint4_t *)from)[i / 4], words + i);
  }
#endif
}

INLINED void store_access(global uchar *to, const uint *words) {
#if TO_BYTES == 1
  *to = (uchar)(words[0] >> UNUSED_BITS(1));
#elif TO_BYTES == 2
  *(global aliased_ushort_t *)to = (ushort)(words[0] >> UNUSED_BITS(2));
#elif TO_BYTES == 4
  *(global aliased_uint_t *)to = words[0];
#elif TO_BYTES == 8
  *(global aliased_uint2_t *)to = (uint2)(words[0], words[1]);
#else
  UNROLLED
  for (int i = 0; i < TO_WORDS; i += 4) {
    ((global aliased_uint4_t *)to)[i / 4] =
        (uint4)(words[i], words[i + 1], words[i + 2], words[i + 3]);
  }
#endif
}

#if CODE_BITS > FROM_BITS
/* Unpacks 16 packed codes to bytes. */
INLINED uint4 unpacked_codes(global const uchar *from) {
  const element_t byte_code = {.bits = 8};
  uint packed[2], bytes[4];
#if FROM_BITS == 4
  packed[0] = ((global const aliased_uint_t *)from)[0];
  packed[1] = ((global const aliased_uint_t *)from)[1];
#elif FROM_BITS == 2
  packed[0] = *(global const aliased_uint_t *)from;
#else
  packed[0] = (uint) * (global const aliased_ushort_t *)from << UNUSED_BITS(2);
#endif
  CLEAR_WORDS(bytes, 4)
  UNROLLED
  for (int k = 0; k < 16; k++) {
    put_code(byte_code, bytes, k, code_in(ELEMENT(FROM), packed, k));
  }
  return (uint4)(bytes[0], bytes[1], bytes[2], bytes[3]);
}
#define LOAD_VECTOR(from, at) unpacked_codes((from) + BYTE_OF_ELEMENT(FROM_BITS, at))
#endif

/* ---- chunks ---- */

/* Adds `steps` steps along the axes [first, first + count), which make up one loop, the fastest
 * axis first. The operands before `operand` stay. Loops have constant ends, because compilers
 * unroll before they inline. */
INLINED void add_steps(mapped_ref move, int first, int count, index_t steps, int operand,
                       places_t *places) {
  count_t rest = (count_t)steps;
  UNROLLED
  for (int k = 0; k < CLRS_MAPPED_JOINED; k++) {
    if (k < count) {
      const index_t digit = k + 1 < count ? take_digit(&rest, move->axes[first + k].extent,
                                                       move->axes[first + k].divisor)
                                          : (index_t)rest;
      UNROLLED
      for (int i = 0; i < OPERANDS; i++) {
        places->at[i] += i < operand ? 0 : digit * move->axes[first + k].strides[i];
      }
    }
  }
}

/* The places of row 0 and column 0 of the chunk's axes in each operand, and the chunk's first row
 * and column. */
typedef struct group_t {
  places_t places;
  index_t row, column;
} group_t;

INLINED group_t find_group(mapped_ref move, count_t i) {
  count_t rest = i;
  group_t group;
  group.column =
      take_digit(&rest, move->column_chunks, move->column_chunks_divisor) * move->chunk_columns;
  group.row = take_digit(&rest, move->row_chunks, move->row_chunks_divisor) * move->chunk_rows;
  group.places = first_places(move);
  UNROLLED
  for (int k = COLUMN_AXES + ROW_AXES; k < AXES; k++) {
    if (k < move->axis_count) {
      const index_t digit = take_digit(&rest, move->axes[k].extent, move->axes[k].divisor);
      UNROLLED
      for (int operand = 0; operand < OPERANDS; operand++) {
        group.places.at[operand] += digit * move->axes[k].strides[operand];
      }
    }
  }
  return group;
}

/* The places of column 0 of a row. */
INLINED places_t places_of_row(mapped_ref move, const group_t *group, index_t row) {
  places_t places = group->places;
  add_steps(move, COLUMN_AXES, ROW_AXES, row, 0, &places);
  return places;
}

/* ---- conversion ---- */

/* The parameters of the element at a column of the row at these places. */
SHARING parameters_t parameters_in(mapped_ref move, const tensors_t tensors, places_t places,
                                   index_t column) {
  add_steps(move, 0, COLUMN_AXES, column, CLRS_FIRST_VIEW, &places);
  return parameters_at(move, tensors, places);
}

/* The codes of an access among the codes of some words: the first code, and the step to the
 * next. */
typedef struct codes_at_t {
  int first, step;
} codes_at_t;

/* Converts the access from this column on. `known` holds the parameters of each element if all rows
 * of the work-item share them, else NOT_KNOWN. */
#define NOT_KNOWN ((const parameters_t *)0)
SHARING void convert_access(mapped_ref move, const tensors_t tensors, const places_t places,
                            index_t column, const parameters_t *known, const uint *from,
                            const codes_at_t at, uint *to) {
  parameters_t p = no_parameters();
  element_t code = ELEMENT(FROM);
  code.bits = CODE_BITS;
  CLEAR_WORDS(to, TO_WORDS)
  UNROLLED
  for (int k = 0; k < ACCESS; k++) {
    if (SPREAD == CLRS_MAPPED_STEADY) {
      p = known[k];
    } else if (SPREAD > 0 || k == 0) {
      p = parameters_in(move, tensors, places, column + k);
    }
    put_code(ELEMENT(TO), to, k,
             (TO_T)CONVERT((FROM_T)code_in(code, from, at.first + k * at.step), p));
  }
}

/* Converts one code and stores the result at this column. */
SHARING void convert_element(global uchar *destination, mapped_ref move, const tensors_t tensors,
                             const places_t places, index_t column, FROM_T code) {
  const parameters_t p = parameters_in(move, tensors, places, column);
  store_code(ELEMENT(TO), destination, places.at[CLRS_TO] + column, (TO_T)CONVERT(code, p));
}

#endif
