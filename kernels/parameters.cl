/*
 * What a mapped kernel is told: its arguments, the words of a launch, and the parameters of an
 * element. convert.cl lists the build options.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_PARAMETERS_CL
#define CLRS_PARAMETERS_CL
#ifndef CLRS_EXACT_CL
#include "exact.cl"
#endif
#ifndef CLRS_FLOATS_CL
#include "floats.cl"
#endif
#ifndef CLRS_INTEGERS_CL
#include "integers.cl"
#endif

/* ---- the words of a launch ---- */

typedef struct loop_axis_t {
  index_t extent;
  divisor_t divisor;
  index_t strides[OPERANDS];
} loop_axis_t;

#define MAPPED_DIVISOR(name) divisor_t name##_divisor;
typedef struct mapped_t {
  ulong numbers[NUMBERS];                /* of the map, in the arithmetic type; integers of zeros */
  index_t first[CLRS_MAPPED_PARAMETERS]; /* of a parameter's numbers */
  index_t starts[OPERANDS];              /* elements from where the buffers are entered */
  CLRS_MAPPED_WORDS(DECLARE_WORD, MAPPED_DIVISOR)
  loop_axis_t axes[AXES];
} mapped_t;

/* A kernel takes these: the buffers, where in them, the words, and a buffer for each parameter that
 * is a tensor. */
#define TENSOR_PARAMETER(n) , global const uchar *tensor_##n, ulong tensor_start_##n
#if TABLED || BATCHED
typedef global const mapped_t *mapped_ref;
#define WORDS_PARAMETER global const mapped_t *words
#define WORDS words
#else
typedef private const mapped_t *mapped_ref;
#define WORDS_PARAMETER const mapped_t words
#define WORDS (&words)
#endif

#if defined(ORIGIN_0) && ORIGIN_0 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_0 TENSOR_PARAMETER(0)
#define TENSORS_0 tensors.t0 = tensor_0 + tensor_start_0;
#else
#define TENSOR_PARAMETER_0
#define TENSORS_0
#endif
#if defined(ORIGIN_1) && ORIGIN_1 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_1 TENSOR_PARAMETER(1)
#define TENSORS_1 tensors.t1 = tensor_1 + tensor_start_1;
#else
#define TENSOR_PARAMETER_1
#define TENSORS_1
#endif
#if defined(ORIGIN_2) && ORIGIN_2 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_2 TENSOR_PARAMETER(2)
#define TENSORS_2 tensors.t2 = tensor_2 + tensor_start_2;
#else
#define TENSOR_PARAMETER_2
#define TENSORS_2
#endif
#if defined(ORIGIN_3) && ORIGIN_3 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_3 TENSOR_PARAMETER(3)
#define TENSORS_3 tensors.t3 = tensor_3 + tensor_start_3;
#else
#define TENSOR_PARAMETER_3
#define TENSORS_3
#endif
#if defined(ORIGIN_4) && ORIGIN_4 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_4 TENSOR_PARAMETER(4)
#define TENSORS_4 tensors.t4 = tensor_4 + tensor_start_4;
#else
#define TENSOR_PARAMETER_4
#define TENSORS_4
#endif
#if defined(ORIGIN_5) && ORIGIN_5 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_5 TENSOR_PARAMETER(5)
#define TENSORS_5 tensors.t5 = tensor_5 + tensor_start_5;
#else
#define TENSOR_PARAMETER_5
#define TENSORS_5
#endif
#if defined(ORIGIN_6) && ORIGIN_6 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_6 TENSOR_PARAMETER(6)
#define TENSORS_6 tensors.t6 = tensor_6 + tensor_start_6;
#else
#define TENSOR_PARAMETER_6
#define TENSORS_6
#endif
#if defined(ORIGIN_7) && ORIGIN_7 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_7 TENSOR_PARAMETER(7)
#define TENSORS_7 tensors.t7 = tensor_7 + tensor_start_7;
#else
#define TENSOR_PARAMETER_7
#define TENSORS_7
#endif
#if defined(ORIGIN_8) && ORIGIN_8 == CLRS_ORIGIN_TENSOR
#define TENSOR_PARAMETER_8 TENSOR_PARAMETER(8)
#define TENSORS_8 tensors.t8 = tensor_8 + tensor_start_8;
#else
#define TENSOR_PARAMETER_8
#define TENSORS_8
#endif

typedef struct tensors_t {
  global const uchar *t0, *t1, *t2, *t3, *t4, *t5, *t6, *t7, *t8;
  local const ulong *numbers; /* of the map, for a work-group */
} tensors_t;

#ifndef GROUPED
#define GROUPED 0
#endif
/* A kernel for work-groups (map_group.cl) has a kernel's attributes and local memory of its own. */
#if GROUPED
#define MAP_ATTRIBUTES WHOLE_GROUP
#define MAP_MEMORY(words)                                                                          \
  local ulong numbers[NUMBERS];                                                                    \
  tensors.numbers = stage_numbers(words, numbers);
#else
#define MAP_ATTRIBUTES IN_LINES
#define MAP_MEMORY(words)
#endif

#if BATCHED /* of maps without tensors */
typedef struct mapped_entry_t {
  CLRS_ENTRY_WORDS(DECLARE_LONG, DECLARE_INT)
  mapped_t words;
} mapped_entry_t;

#define MAP_KERNEL(name)                                                                           \
  kernel MAP_ATTRIBUTES void name(TABLE_PARAMETERS(mapped_entry_t)) {                              \
    tensors_t tensors = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};                                            \
    MAP_MEMORY(&ENTRY.words)                                                                       \
    move_##name((global const uchar *)ENTRY_BUFFER(source) + ENTRY_START(source),                  \
                (global uchar *)ENTRY_BUFFER(destination) + ENTRY_START(destination),              \
                &ENTRY.words, tensors);                                                            \
  }
#else
#define MAP_KERNEL(name)                                                                           \
  kernel MAP_ATTRIBUTES void name(                                                                 \
      global const uchar *source, ulong source_start, global uchar *destination,                   \
      ulong destination_start,                                                                     \
      WORDS_PARAMETER TENSOR_PARAMETER_0 TENSOR_PARAMETER_1 TENSOR_PARAMETER_2 TENSOR_PARAMETER_3  \
          TENSOR_PARAMETER_4 TENSOR_PARAMETER_5 TENSOR_PARAMETER_6 TENSOR_PARAMETER_7              \
              TENSOR_PARAMETER_8) {                                                                \
    tensors_t tensors = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};                                            \
    MAP_MEMORY(WORDS)                                                                              \
    TENSORS_0 TENSORS_1 TENSORS_2 TENSORS_3 TENSORS_4 TENSORS_5 TENSORS_6 TENSORS_7 TENSORS_8      \
        move_##name(source + source_start, destination + destination_start, WORDS, tensors);       \
  }
#endif

/* ---- parameters ---- */

/* A tensor's element as a parameter. */
INLINED arith_t parameter_of_code(const element_t element, ulong code) {
#if ARITHMETIC_BITS == 64
  if (element.kind == CLRS_KIND_FLOAT && element.bits == 64) {
    return as_double(code);
  }
#elif ARITHMETIC_BITS == 32 && WAY != CLRS_WAY_INTEGERS
  if (element.kind == CLRS_KIND_INTEGER && element.bits <= 32) {
    return (float)integer_of_code(element, code);
  }
  if (element.kind == CLRS_KIND_FLOAT && element.bits <= 16) {
    return FIRST(float_of_small(element, (codes_t)(code_t)code));
  }
  if (element.bits == 32) {
    return as_float((uint)code);
  }
#endif
  return arithmetic_of(value_of(element, code));
}

/* Do lists lie among the arguments? An index that is not constant has compilers for GPUs copy all
 * arguments to private memory for every work-item (move.cl). */
#define HAS_LIST(n) || ORIGIN_##n == CLRS_ORIGIN_LIST
INLINED bool has_hidden_lists(void) {
  const bool are_arguments = !(TABLED || BATCHED || NATIVE_CODE);
#if ZERO_PLACE != 0
  const bool has_lists = ORIGIN_8 == CLRS_ORIGIN_LIST EACH_STEP(HAS_LIST);
#else
  const bool has_lists = false EACH_STEP(HAS_LIST);
#endif
  return are_arguments && has_lists;
}

/* Number `at` of the map, of a list. A work-group has copied the numbers where an index is free; a
 * work-item of its own looks at each number in turn. */
INLINED ulong number_of(mapped_ref move, const tensors_t tensors, index_t at) {
  (void)tensors;
  if (GROUPED && has_hidden_lists()) {
    return tensors.numbers[at];
  }
#if TABLED || BATCHED || NATIVE_CODE
  return move->numbers[at];
#else
  ulong number = 0;
#pragma unroll
  for (int k = 0; k < NUMBERS; k++) {
    number |= move->numbers[k] & -(ulong)(k == at); /* a choice would be one of addresses */
  }
  return number;
#endif
}

/* The place of a parameter that is one number: such parameters come first, in order (encode.c). Of
 * the steps mean (one number), scale (a list of 3), bias (one number) the places are 0, none and 1.
 */
#define COUNT_BEFORE(n) +(n < parameter && ORIGIN_##n == CLRS_ORIGIN_NUMBER)
INLINED int numbers_before(int parameter) {
  (void)parameter;
  return 0 EACH_STEP(COUNT_BEFORE);
}

#define NUMBER_OF(n, position)                                                                     \
  (ORIGIN_##n == CLRS_ORIGIN_LIST ? number_of(move, tensors, move->first[n] + (position))          \
                                  : move->numbers[numbers_before(n)])

/* Parameter n at this position of its view. */
#define PARAMETER(n, position)                                                                     \
  (ORIGIN_##n == CLRS_ORIGIN_TENSOR                                                                \
       ? parameter_of_code(ELEMENT(TYPE_##n),                                                      \
                           load_code(ELEMENT(TYPE_##n), tensors.t##n, position))                   \
       : AS_ARITH(NUMBER_OF(n, position)))
#define ZERO_PARAMETER(position)                                                                   \
  (ORIGIN_8 == CLRS_ORIGIN_TENSOR                                                                  \
       ? integer_of_code(ELEMENT(TYPE_8), load_code(ELEMENT(TYPE_8), tensors.t8, position))        \
       : (long)NUMBER_OF(8, position))

/* Positions of one element in every operand. */
typedef struct places_t {
  index_t at[OPERANDS];
} places_t;

/* Those of the element at these positions. */
INLINED parameters_t parameters_at(mapped_ref move, const tensors_t tensors,
                                   const places_t places) {
  parameters_t p = no_parameters();
#define TAKE_PLACE(n)                                                                              \
  p.p##n = PARAMETER(n, ORIGIN_##n == CLRS_ORIGIN_NUMBER ? 0 : places.at[VIEW_##n]);
  EACH_STEP(TAKE_PLACE)
#if ZERO_PLACE != 0
  p.zero = (zero_t)ZERO_PARAMETER(ORIGIN_8 == CLRS_ORIGIN_NUMBER ? 0 : places.at[VIEW_8]);
#endif
  (void)move;
  (void)tensors;
  (void)places;
  return p;
}

#endif
