/*
 * The inputs of a mapped kernel: the arguments, the words of a launch, and the parameters of an
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

/* The second of the eight numbers of an element type. */
#define SECOND_OF(kind, bits, is_signed, is_msb_first, exponent, mantissa, bias, specials) bits
#define BITS_OF(numbers) SECOND_OF(numbers)
#define FROM_BITS BITS_OF(FROM)
#define TO_BITS BITS_OF(TO)

/* ---- indices ----
 * The indices of a gather or a scatter are the last operand. A gather's indices name places of the
 * source and of the parameters' views. A scatter's indices name places of the destination. */
#if INDEXED
#ifndef CLRS_INDICES_CL
#include "indices.cl"
#endif
#endif
#ifndef RESAMPLES
#define RESAMPLES 0
#endif
#ifndef MIXES
#define MIXES 0
#endif
#define VIEWS_END (OPERANDS - INDEXED)
#define IS_VIEW(operand) ((MIXES >> (operand)&1) == 0) /* not of the colours alone */

/* ---- the words of a launch ---- */

typedef struct loop_axis_t {
  index_t extent;
  divisor_t divisor;
  index_t strides[OPERANDS];
} loop_axis_t;

#define MAPPED_DIVISOR(name) divisor_t name##_divisor;
typedef struct mapped_t {
  ulong numbers[NUMBERS];    /* numbers of the map, in the form of its way */
  index_t first[STEP_COUNT]; /* first number of each parameter */
  index_t starts[OPERANDS];  /* elements from the start in each buffer */
  CLRS_MAPPED_WORDS(DECLARE_WORD, MAPPED_DIVISOR)
  loop_axis_t axes[AXES];
#if INDEXED
  CLRS_MAPPED_INDEX_WORDS(DECLARE_WORD)
  loop_axis_t digits[CLRS_INDEX_DIGITS];
#endif
#if RESAMPLES
  CLRS_MAPPED_PICTURE_WORDS(DECLARE_WORD, MAPPED_DIVISOR)
#elif MIXES
  CLRS_MAPPED_MIX_WORDS(DECLARE_WORD)
  index_t colors[CLRS_COLORS][3];
#endif
} mapped_t;

/* The arguments of a kernel: the buffers, their starts, the words, and a buffer for each parameter
 * tensor. Then the indices, the flag, and the element that a gather writes for a skipped index. The
 * planes of chroma come before other tensors. */
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

#if INDEXED
#define INDEX_PARAMETERS                                                                           \
  , global const uchar *indices, ulong index_start, global uint *flag, ulong flag_start,           \
      ulong element
#define ENTER_INDICES                                                                              \
  tensors.indices = indices + index_start;                                                         \
  tensors.flag = flag + flag_start;                                                                \
  tensors.element = (TO_T)element;
#else
#define INDEX_PARAMETERS
#define ENTER_INDICES
#endif

#if MIXES
#define MIX_PARAMETERS , global const uchar *u, ulong u_start, global const uchar *v, ulong v_start
#define ENTER_MIX                                                                                  \
  tensors.u = u + u_start;                                                                         \
  tensors.v = v + v_start;
#else
#define MIX_PARAMETERS
#define ENTER_MIX
#endif

#define DECLARE_TENSOR(n) global const uchar *t##n;
typedef struct tensors_t {
  EACH_STEP(DECLARE_TENSOR)
  local const ulong *numbers; /* copy of the map's numbers for a work-group */
  local uint4 *tile;          /* 16 KiB for kernels that transpose */
  uint from_start, to_start;  /* low bits of the starts in both buffers, for work-groups */
#if INDEXED
  global const uchar *indices;
  global uint *flag;
  TO_T element;
#elif MIXES
  global const uchar *u, *v;
#endif
} tensors_t;

#ifndef GROUPED
#define GROUPED 0
#endif
/* A kernel for work-groups (map_group.cl) has a kernel's attributes and local memory of its own. */
#if GROUPED
#define MAP_ATTRIBUTES WHOLE_GROUP
#define MAP_GROUP(words, source_start, destination_start)                                          \
  local ulong numbers[NUMBERS];                                                                    \
  local uint4 tile[TILE_VECTORS];                                                                  \
  tensors.numbers = stage_numbers(words, numbers);                                                 \
  tensors.tile = tile;                                                                             \
  tensors.from_start = (uint)(source_start);                                                       \
  tensors.to_start = (uint)(destination_start);
#define MAP_WORK
#else
#define MAP_WORK find_work(),
#define MAP_ATTRIBUTES IN_LINES
#define MAP_GROUP(words, source_start, destination_start)
#endif

#if BATCHED /* batches are of maps without tensors */
typedef struct mapped_entry_t {
  CLRS_ENTRY_WORDS(DECLARE_LONG, DECLARE_INT)
  mapped_t words;
} mapped_entry_t;

#define MAP_KERNEL(name)                                                                           \
  kernel MAP_ATTRIBUTES void name(TABLE_PARAMETERS(mapped_entry_t)) {                              \
    tensors_t tensors = {0};                                                                       \
    MAP_GROUP(&ENTRY.words, ENTRY_START(source), ENTRY_START(destination))                         \
    move_##name(MAP_WORK(global const uchar *) ENTRY_BUFFER(source) + ENTRY_START(source),         \
                (global uchar *)ENTRY_BUFFER(destination) + ENTRY_START(destination),              \
                &ENTRY.words, tensors);                                                            \
  }
#else
#define MAP_KERNEL(name)                                                                           \
  kernel MAP_ATTRIBUTES void name(global const uchar *source, ulong source_start,                  \
                                  global uchar *destination, ulong destination_start,              \
                                  WORDS_PARAMETER MIX_PARAMETERS EACH_STEP(TENSOR_PARAMETER)       \
                                      INDEX_PARAMETERS) {                                          \
    tensors_t tensors = {0};                                                                       \
    MAP_GROUP(WORDS, source_start, destination_start)                                              \
    ENTER_MIX                                                                                      \
    EACH_STEP(ENTER_TENSOR)                                                                        \
    ENTER_INDICES                                                                                  \
    move_##name(MAP_WORK source + source_start, destination + destination_start, WORDS, tensors);  \
  }
#endif

/* ---- parameters ---- */

/* Returns a tensor's element as a parameter of a step. */
#if WAY == CLRS_WAY_EXACT
#define PARAMETER_OF_NUMBER(number) (number)
INLINED parameter_t parameter_of_code(const step_t step, const element_t element, ulong code) {
  return takes_integers(step) || computes_integers(step)
             ? (ulong)integer_of_code(element, code)
             : nearest(step.type, value_of(element, code));
}
#else
#define PARAMETER_OF_NUMBER(number) AS_ARITH(number)
INLINED parameter_t parameter_of_code(const step_t step, const element_t element, ulong code) {
  const bool is_float = element.kind == CLRS_KIND_FLOAT;
  const bool is_whole = element.kind == CLRS_KIND_INTEGER && element.bits <= 32;
  if (computes_integers(step)) {
    return ONE_OF_INT(integer_of_code(element, code));
  }
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

/* Returns true if lists are among the arguments. An index that is not constant makes compilers for
 * GPUs copy all arguments to private memory for every work-item (move.cl). */
#define HAS_LIST(n) || ORIGIN_##n == CLRS_ORIGIN_LIST
INLINED bool has_hidden_lists(void) {
  const bool are_arguments = !(TABLED || BATCHED || NATIVE_CODE);
  const bool has_lists = false EACH_STEP(HAS_LIST);
  return are_arguments && has_lists;
}

/* Returns number `at` of the map's lists. A work-group has copied the numbers to local memory,
 * which allows any index. A single work-item compares `at` with each number's index in turn. */
SHARING ulong number_of(mapped_ref move, const tensors_t tensors, index_t at) {
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
    number |= move->numbers[k] & -(ulong)(k == at); /* a conditional selects addresses */
  }
  return number;
#endif
}

/* Returns the place of a parameter that is one number. These parameters come first, in order
 * (encode.c). Example: the steps mean (one number), scale (a list of 3), bias (one number) have the
 * places 0, none and 1. */
#define COUNT_BEFORE(n) +(n < parameter && ORIGIN_##n == CLRS_ORIGIN_NUMBER)
INLINED int numbers_before(int parameter) {
  (void)parameter;
  return 0 EACH_STEP(COUNT_BEFORE);
}

#define NUMBER_OF(n, position)                                                                     \
  (ORIGIN_##n == CLRS_ORIGIN_LIST ? number_of(move, tensors, move->first[n] + (position))          \
                                  : move->numbers[numbers_before(n)])

/* Parameter n at this position of the parameter's view. */
#define PARAMETER(n, position)                                                                     \
  (ORIGIN_##n == CLRS_ORIGIN_TENSOR                                                                \
       ? parameter_of_code(STEP(n), ELEMENT(TYPE_##n),                                             \
                           load_code(ELEMENT(TYPE_##n), tensors.t##n, position))                   \
       : PARAMETER_OF_NUMBER(NUMBER_OF(n, position)))

/* The positions of one element in every operand. */
typedef struct places_t {
  index_t at[OPERANDS];
} places_t;

/* The positions of the first element. */
INLINED places_t first_places(mapped_ref move) {
  places_t places;
  UNROLLED
  for (int operand = 0; operand < OPERANDS; operand++) {
    places.at[operand] = move->starts[operand];
  }
  return places;
}

#if INDEXED
/* Moves the named operands from place 0 to the place that the element's index names. Returns false
 * if the index is skipped. Example: axis 1 of [4,6] has digits of extents 3 and 2 and strides 8 and
 * 1. Place 5 is 1 step of 1 and 2 steps of 8, so the element is 17 elements on. */
SHARING bool name_place(mapped_ref move, const tensors_t tensors, places_t *places,
                        bool *is_any_outside) {
  const sum_t index = load_index(tensors.indices, places->at[OPERANDS - 1], move->rules);
  bool is_outside;
  count_t rest;
  const bool is_named = find_place(index, rules_of(move->extent, move->rules), &rest, &is_outside);
  *is_any_outside |= is_outside;
  EACH_AXIS(k, 0, CLRS_INDEX_DIGITS, move->digit_count) {
    const index_t digit = take_digit(&rest, move->digits[k].extent, move->digits[k].divisor);
#pragma unroll
    for (int operand = 0; operand < VIEWS_END; operand++) {
      places->at[operand] += digit * move->digits[k].strides[operand];
    }
  }
  return is_named;
}

SHARING void end_indices(mapped_ref move, const tensors_t tensors, bool is_any_outside) {
  if (is_any_outside) {
    raise_flag(tensors.flag, move->rules);
  }
}
#define SKIPPED_CODE tensors.element
#else
#define name_place(move, tensors, places, is_any_outside) true
#define end_indices(move, tensors, is_any_outside) (void)(is_any_outside)
#define SKIPPED_CODE 0
#endif

/* The parameters of the element at these positions. */
SHARING parameters_t parameters_at(mapped_ref move, const tensors_t tensors,
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
