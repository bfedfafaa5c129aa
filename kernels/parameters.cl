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
  ulong numbers[NUMBERS];    /* of the map, as its way takes them */
  index_t first[STEP_COUNT]; /* of a parameter's numbers */
  index_t starts[OPERANDS];  /* elements from where the buffers are entered */
  CLRS_MAPPED_WORDS(DECLARE_WORD, MAPPED_DIVISOR)
  loop_axis_t axes[AXES];
} mapped_t;

/* A kernel takes these: the buffers, where in them, the words, and a buffer for each parameter that
 * is a tensor. */
#define OF_TENSOR_0(DO, n)
#define OF_TENSOR_1(DO, n)
#define OF_TENSOR_2(DO, n)
#define OF_TENSOR_3(DO, n) DO(n)
#define OF_TENSOR_JOINED(origin) OF_TENSOR_##origin
#define OF_TENSOR(origin) OF_TENSOR_JOINED(origin)
#define ADD_PARAMETER(n) , global const uchar *tensor_##n, ulong tensor_start_##n
#define TENSOR_PARAMETER(n) OF_TENSOR(ORIGIN_##n)(ADD_PARAMETER, n)
#define TAKE_TENSOR(n) tensors.t##n = tensor_##n + tensor_start_##n;
#define ENTER_TENSOR(n) OF_TENSOR(ORIGIN_##n)(TAKE_TENSOR, n)
#if TABLED || BATCHED
typedef global const mapped_t *mapped_ref;
#define WORDS_PARAMETER global const mapped_t *words
#define WORDS words
#else
typedef private const mapped_t *mapped_ref;
#define WORDS_PARAMETER const mapped_t words
#define WORDS (&words)
#endif

#define DECLARE_TENSOR(n) global const uchar *t##n;
typedef struct tensors_t {
  EACH_STEP(DECLARE_TENSOR)
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
    tensors_t tensors = {0};                                                                       \
    MAP_MEMORY(&ENTRY.words)                                                                       \
    move_##name((global const uchar *)ENTRY_BUFFER(source) + ENTRY_START(source),                  \
                (global uchar *)ENTRY_BUFFER(destination) + ENTRY_START(destination),              \
                &ENTRY.words, tensors);                                                            \
  }
#else
#define MAP_KERNEL(name)                                                                           \
  kernel MAP_ATTRIBUTES void name(global const uchar *source, ulong source_start,                  \
                                  global uchar *destination, ulong destination_start,              \
                                  WORDS_PARAMETER EACH_STEP(TENSOR_PARAMETER)) {                   \
    tensors_t tensors = {0};                                                                       \
    MAP_MEMORY(WORDS)                                                                              \
    EACH_STEP(ENTER_TENSOR)                                                                        \
    move_##name(source + source_start, destination + destination_start, WORDS, tensors);           \
  }
#endif

/* ---- parameters ---- */

/* A tensor's element as a step's parameter. */
#if WAY == CLRS_WAY_EXACT
#define PARAMETER_OF_NUMBER(number) (number)
INLINED parameter_t parameter_of_code(const step_t step, const element_t element, ulong code) {
  return takes_integers(step) ? (ulong)integer_of_code(element, code)
                              : nearest(step.type, value_of(element, code));
}
#else
#define PARAMETER_OF_NUMBER(number) AS_ARITH(number)
INLINED parameter_t parameter_of_code(const step_t step, const element_t element, ulong code) {
  const bool is_float = element.kind == CLRS_KIND_FLOAT;
  const bool is_whole = element.kind == CLRS_KIND_INTEGER && element.bits <= 32;
  if (takes_integers(step) || (is_whole && is_float_of_value(step.type))) {
    return (arith_t)integer_of_code(element, code);
  }
  if (is_float_of_value(step.type) && is_float && element.bits == VALUE_BITS) {
    return AS_ARITH(code);
  }
#if WAY != CLRS_WAY_INTEGERS
  if (is_float_of_value(step.type) && is_float && element.bits <= 16) {
    return FIRST(float_of_small(element, (codes_t)(code_t)code));
  }
#endif
  const clrs__number number = value_of(step.type, nearest(step.type, value_of(element, code)));
  return AS_ARITH(nearest(ELEMENT(VALUE), number));
}
#endif

/* Do lists lie among the arguments? An index that is not constant has compilers for GPUs copy all
 * arguments to private memory for every work-item (move.cl). */
#define HAS_LIST(n) || ORIGIN_##n == CLRS_ORIGIN_LIST
INLINED bool has_hidden_lists(void) {
  const bool are_arguments = !(TABLED || BATCHED || NATIVE_CODE);
  const bool has_lists = false EACH_STEP(HAS_LIST);
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
       ? parameter_of_code(STEP(n), ELEMENT(TYPE_##n),                                             \
                           load_code(ELEMENT(TYPE_##n), tensors.t##n, position))                   \
       : PARAMETER_OF_NUMBER(NUMBER_OF(n, position)))

/* Positions of one element in every operand. */
typedef struct places_t {
  index_t at[OPERANDS];
} places_t;

/* Those of the element at these positions. */
INLINED parameters_t parameters_at(mapped_ref move, const tensors_t tensors,
                                   const places_t places) {
  parameters_t p = no_parameters();
#define TAKE_PLACE(n)                                                                              \
  if (ORIGIN_##n != CLRS_ORIGIN_NONE) {                                                            \
    p.p##n = PARAMETER(n, ORIGIN_##n == CLRS_ORIGIN_NUMBER ? 0 : places.at[VIEW_##n]);             \
  }
  EACH_STEP(TAKE_PLACE)
  (void)move;
  (void)tensors;
  (void)places;
  return p;
}

#endif
