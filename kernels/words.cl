/*
 * The words of a launch as a kernel reads them, and the compiler options that all kernels need.
 *
 * A nest arrives by value, so a new shape compiles nothing and needs no device memory. Positions
 * count units relative to the starts, which are separate 64-bit arguments. The host chooses 32-bit
 * words when all other numbers fit.
 *
 * Build options:
 * - INDEX_BITS: 32 or 64.
 * - UNIT, UNIT_BITS: the type of a unit and its bits.
 * - NEST_AXES, LEVEL_AXES: room for axes. If LEVEL_AXES > 0, the source is a stack of walks.
 * - CHUNKED: each work-item moves a chunk of rows and columns.
 * - BOXED: each work-item moves a box of many axes.
 * - OWN_WORDS: the words of shared.h that only this class reads.
 * - BATCHED: the launch carries out many moves, read from a table in device memory.
 * - LOOPS: see FOR_EACH.
 * - WIDE_SOURCE, WIDE_DESTINATION: see gpu_tile.cl.
 * - MSB_FIRST: the first sub-byte unit of a byte is in the high bits.
 * - INDEXED: an index names the place of an element, for a gather, or with SCATTERS for a scatter
 *   (indices.cl and address.cl).
 * - NATIVE_CODE: the compiler makes the device's machine code with clang. Vectors of any length and
 *   clang's builtins may be used.
 * - WORDS_IN_BUFFER: the words of a move are in a buffer and not among the arguments. The devices
 *   that need this are in src/opencl/device/quirks.c.
 *
 * The defaults let each file compile on its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_WORDS_CL
#define CLRS_WORDS_CL
#ifndef CLRS_SHARED_H
#include "shared.h"
#endif

#ifndef INDEX_BITS
#define INDEX_BITS 32
#endif
#ifndef UNIT
#define UNIT uint
#endif
#ifndef UNIT_BITS
#define UNIT_BITS 32
#endif
#ifndef NEST_AXES
#define NEST_AXES 16
#endif
#ifndef LEVEL_AXES
#define LEVEL_AXES 0
#endif
#ifndef CHUNKED
#define CHUNKED 0
#endif
#ifndef BOXED
#define BOXED 0
#endif
#ifndef OWN_WORDS
#define OWN_WORDS none
#endif
#ifndef BATCHED
#define BATCHED 0
#endif
#ifndef MSB_FIRST
#define MSB_FIRST 0
#endif
#ifndef LOOPS
#define LOOPS 0
#endif
#ifndef INDEXED
#define INDEXED 0
#endif
#ifndef SCATTERS
#define SCATTERS 0
#endif
#ifndef NATIVE_CODE
#define NATIVE_CODE 0
#endif
#ifndef WORDS_IN_BUFFER
#define WORDS_IN_BUFFER 0
#endif

#if INDEX_BITS == 32
typedef int index_t;
typedef uint count_t;
#else
typedef long index_t;
typedef ulong count_t;
#endif

/* The compiler decides whether to inline a HELPER. An INLINED function is always inlined, except in
 * native code. Native code always inlines only the steps of a map along rows, and every SHARING
 * function, which is given local memory. PoCL 3.1 to 7.1 moves the local memory of a kernel, and a
 * function that is not inlined still reads the old place (tests/portability/defects/local_apart.c).
 */
#ifndef HELPER /* src/opencl/device/quirks.c redefines these for some devices */
#define HELPER static __attribute__((unused))
#endif
#ifdef INLINED
#define SHARING INLINED
#else
#define SHARING HELPER __attribute__((always_inline))
#if NATIVE_CODE && (!defined(WAY) || defined(GROUPED))
#define INLINED HELPER
#else
#define INLINED SHARING
#endif
#endif

/* A function that native code compiles once instead of at every call. This saves a second of
 * compile time for cpu_subbyte, and half of the compile time for a map of frames. */
#if NATIVE_CODE
#define APART __attribute__((noinline))
#else
#define APART HELPER
#endif

/* The body of a kernel without local memory. Native code keeps the body apart, because PoCL
 * compiles the kernel itself three times. Work-item ids are arguments of a body, because PoCL
 * inlines every function that asks for work-item ids. */
#if NATIVE_CODE
#define BODY APART
#else
#define BODY INLINED
#endif

/* Types for memory that holds another type. C lets a compiler assume that two types mean two places
 * (C99, 6.5 §7). Intel's compiler dropped the first of two stores for this reason. Accesses through
 * these types are safe from that assumption: ANY_BYTES is for structs that may begin at any byte,
 * ALIASED for aligned types. */
#define ALIASED __attribute__((may_alias))
#define ANY_BYTES __attribute__((packed, may_alias))
typedef UNIT aliased_unit_t ALIASED;
typedef ushort aliased_ushort_t ALIASED;
typedef uint aliased_uint_t ALIASED;
typedef uint2 aliased_uint2_t ALIASED;
typedef uint4 aliased_uint4_t ALIASED;

/* Division by a number known to the host: n / d == (mul_hi(n, magic) + n) >> shift. This holds for
 * all n with one bit less than index_t (Granlund and Montgomery, PLDI 1994, figure 4.1). */
typedef struct divisor_t {
  index_t magic, shift;
} divisor_t;

/* The words of shared.h, as structs. */
#define DECLARE_WORD(name) index_t name;
#define DECLARE_DIVISOR(name) divisor_t name;
#if INDEXED
#define INDEX_STRIDE CLRS_INDEX_STRIDE_WORDS(DECLARE_WORD)
#else
#define INDEX_STRIDE
#endif
typedef struct nest_axis_t {
  CLRS_NEST_AXIS_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
  INDEX_STRIDE
} nest_axis_t;
typedef struct chunk_axis_t {
  CLRS_CHUNK_AXIS_WORDS(DECLARE_WORD)
  INDEX_STRIDE
} chunk_axis_t;
typedef struct level_t {
  CLRS_LEVEL_WORDS(DECLARE_WORD)
} level_t;
typedef struct level_axis_t {
  CLRS_LEVEL_AXIS_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
} level_axis_t;

#define DECLARE_head CLRS_HEAD_WORDS(DECLARE_WORD)
#define DECLARE_none
#define DECLARE_bundle CLRS_BUNDLE_WORDS(DECLARE_WORD)
#define DECLARE_filled CLRS_FILLED_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
#define DECLARE_span CLRS_SPAN_WORDS(DECLARE_WORD, DECLARE_DIVISOR)
#define DECLARE_run CLRS_RUN_WORDS(DECLARE_WORD)
#define DECLARE_chunk chunk_axis_t row, column;
#define DECLARE_box CLRS_BOX_WORDS(DECLARE_WORD)
#define DECLARE_volume CLRS_VOLUME_WORDS(DECLARE_WORD)
#if INDEXED
#define DECLARE_places                                                                             \
  CLRS_PLACE_WORDS(DECLARE_WORD)                                                                   \
  level_axis_t digits[CLRS_INDEX_DIGITS];
#else
#define DECLARE_places
#endif
#define DECLARE_axes nest_axis_t axes[NEST_AXES];
#define DECLARE_unit_stack CLRS_UNIT_STACK_WORDS(DECLARE_WORD)
#define DECLARE_stack CLRS_STACK_WORDS(DECLARE_WORD)
#define DECLARE_levels level_t levels[CLRS_MAX_LEVELS];
#define DECLARE_level_axes level_axis_t level_axes[LEVEL_AXES];
#define DECLARE(part) DECLARE_##part
typedef struct move_t {
#if LEVEL_AXES > 0 && CHUNKED
  CLRS_PARTS_OF_STACK(DECLARE)
#elif LEVEL_AXES > 0
  CLRS_PARTS_OF_UNIT_STACK(DECLARE, OWN_WORDS)
#elif CHUNKED && !BOXED
  CLRS_PARTS_OF_CHUNKS(DECLARE, OWN_WORDS)
#else
  CLRS_PARTS_OF_UNITS(DECLARE, OWN_WORDS)
#endif
} move_t;

/* The location of a move's words: among the kernel's arguments, in a buffer, or in the table of a
 * batch. */
#if BATCHED || WORDS_IN_BUFFER
typedef global const move_t *move_ref;
#else
typedef private const move_t *move_ref;
#endif

#endif
