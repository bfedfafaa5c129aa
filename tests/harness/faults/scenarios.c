/*
 * The table of requests. Together the requests reach every class of kernel, every outcome and every
 * call that goes to a device. Most requests share two types and few kernels: other tests have the
 * types, and each kernel is compiled for this test alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#define ROWS(...) .shape = {2, {6, 4}}, .strides = {__VA_ARGS__}
#define TRANSPOSED ROWS(1, 6)
#define DENSE(rank, ...) .shape = {rank, {__VA_ARGS__}}
#define RESHAPED(rank, ...)                                                                        \
  {                                                                                                \
    .kind = MOVE_RESHAPE, .shape = { rank, {__VA_ARGS__} }                                         \
  }
#define PERMUTED(count_, ...)                                                                      \
  {                                                                                                \
    .kind = MOVE_PERMUTE, .count = count_, .axes = { __VA_ARGS__ }                                 \
  }
#define FLIPPED(axis_)                                                                             \
  {                                                                                                \
    .kind = MOVE_FLIP, .count = 1, .axes = { axis_ }                                               \
  }
#define EXPANDED(rank, ...)                                                                        \
  {                                                                                                \
    .kind = MOVE_EXPAND, .shape = { rank, {__VA_ARGS__} }                                          \
  }
#define SLICED(axis_, start_, end_)                                                                \
  {                                                                                                \
    .kind = MOVE_SLICE, .count = 1, .slices = { {axis_, start_, end_, 1} }                         \
  }
#define STEPS(count_, ...) .step_count = count_, .steps = {__VA_ARGS__}
#define ALWAYS .policy = CLRS_COPY_ALWAYS
#define NEVER .policy = CLRS_COPY_NEVER
#define IF_NEEDED .policy = CLRS_COPY_IF_NEEDED
#define WIDE .execution = CLRS_EXECUTION_GPU
#define CORE .execution = CLRS_EXECUTION_CPU
#define TO(length, ...) .pattern = {CLRS_ONNX, CLRS_ZERO_COPIES, length, {__VA_ARGS__}}
#define MAPPED .is_mapped = true
#define REFLECTED .mode = CLRS_PAD_REFLECT
#define WARM(class_) REQUEST_WARM_UP, CLRS_F32, DENSE(1, 4), .warmed = class_

/* clang-format off */
const scenario scenarios[] = {
    {"move_gather", REQUEST_MOVE, CLRS_F32, TRANSPOSED, WIDE},
    {"move_rows", REQUEST_MOVE, CLRS_F32, ROWS(5, 1), CORE},
    {"move_tile", REQUEST_MOVE, CLRS_U8, DENSE(2, 40, 24), STEPS(1, PERMUTED(2, 1, 0)), CORE},
    {"move_strided", REQUEST_MOVE, CLRS_F32, ROWS(9, 2), CORE},
    {"move_bits", REQUEST_MOVE, CLRS_BITS1, DENSE(2, 9, 13), STEPS(1, PERMUTED(2, 1, 0))},
    {"move_bits_msb_first", REQUEST_MOVE, CLRS_U1, DENSE(2, 9, 13), STEPS(1, PERMUTED(2, 1, 0))},
    {"move_nibbles", REQUEST_MOVE, CLRS_I4, DENSE(2, 16, 32), STEPS(1, PERMUTED(2, 1, 0)), CORE},
    {"move_widest", REQUEST_MOVE, CLRS_C128, TRANSPOSED},
    {"move_broadcast", REQUEST_MOVE, CLRS_F32, DENSE(2, 1, 6), STEPS(1, EXPANDED(2, 5, 6))},
    {"move_backwards", REQUEST_MOVE, CLRS_F32, DENSE(2, 4, 6), STEPS(2, FLIPPED(0), FLIPPED(1))},
    {"move_from_the_host", REQUEST_MOVE, CLRS_F32, TRANSPOSED, .is_from_host = true},
    {"move_behind_an_event", REQUEST_MOVE, CLRS_F32, TRANSPOSED, .is_behind = true},
    {"move_pieces", REQUEST_MOVE, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), SLICED(0, 1, 7))},
    {"move_composed", REQUEST_MOVE, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), PERMUTED(2, 1, 0))},
    {"move_composed_bits", REQUEST_MOVE, CLRS_U4, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), PERMUTED(2, 1, 0))},
    {"move_empty", REQUEST_MOVE, CLRS_F32, DENSE(2, 0, 4)},
    {"move_one_element", REQUEST_MOVE, CLRS_F32, DENSE(1, 1)},
    {"copy", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, ALWAYS},
    {"copy_pooled", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, ALWAYS, .is_pooled = true},
    {"copy_if_needed", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, STEPS(1, RESHAPED(1, 24)), IF_NEEDED},
    {"copy_pieces", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), SLICED(0, 1, 7)), IF_NEEDED},
    {"copy_composed", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), PERMUTED(2, 1, 0)), IF_NEEDED},
    {"copy_empty", REQUEST_MATERIALIZE, CLRS_F32, DENSE(2, 0, 4), ALWAYS},
    {"alias", REQUEST_MATERIALIZE, CLRS_F32, TRANSPOSED, NEVER},
    {"alias_backwards", REQUEST_MATERIALIZE, CLRS_U8, DENSE(2, 4, 6), STEPS(1, FLIPPED(1)), NEVER},
    {"reshape_to_alias", REQUEST_RESHAPE, CLRS_F32, DENSE(2, 6, 4), IF_NEEDED, TO(2, 3, -1)},
    {"reshape_to_copy", REQUEST_RESHAPE, CLRS_F32, TRANSPOSED, IF_NEEDED, TO(1, -1)},
    {"reshape_always", REQUEST_RESHAPE, CLRS_F32, DENSE(2, 6, 4), ALWAYS, TO(2, 0, 4)},
    {"chain_to_alias", REQUEST_CHAIN, CLRS_F32, DENSE(2, 6, 4), IF_NEEDED, TO(2, 3, -1)},
    {"chain_to_copy", REQUEST_CHAIN, CLRS_F32, TRANSPOSED, IF_NEEDED, TO(1, -1)},
    {"chain_into", REQUEST_CHAIN_INTO, CLRS_F32, TRANSPOSED},
    {"plan", REQUEST_PLAN, CLRS_F32, TRANSPOSED},
    {"plan_pieces", REQUEST_PLAN, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), SLICED(0, 1, 7))},
    {"plan_empty", REQUEST_PLAN, CLRS_F32, DENSE(2, 0, 4)},
    {"fill", REQUEST_FILL, CLRS_F32, ROWS(7, 1)},
    {"fill_bits", REQUEST_FILL, CLRS_U4, DENSE(2, 5, 7)},
    {"pad", REQUEST_PAD, CLRS_F32, TRANSPOSED},
    {"pad_bits", REQUEST_PAD, CLRS_U4, DENSE(2, 3, 5)},
    {"pad_reflect", REQUEST_PAD, CLRS_F32, TRANSPOSED, REFLECTED},
    {"pad_chain", REQUEST_PAD, CLRS_F32, TRANSPOSED, .has_chain = true},
    {"pad_reflect_chain", REQUEST_PAD, CLRS_F32, TRANSPOSED, REFLECTED, .has_chain = true},
    {"pad_reflect_bits", REQUEST_PAD, CLRS_U4, DENSE(2, 3, 5), REFLECTED},
    {"concat", REQUEST_CONCAT, CLRS_F32, TRANSPOSED},
    {"concat_many", REQUEST_CONCAT, CLRS_F32, TRANSPOSED, .copies = 9},
    {"concat_bits", REQUEST_CONCAT, CLRS_U4, DENSE(2, 3, 5)},
    {"stack", REQUEST_STACK, CLRS_F32, TRANSPOSED, .copies = 3},
    {"stack_bits", REQUEST_STACK, CLRS_U4, DENSE(2, 3, 5)},
    {"moves", REQUEST_MOVES, CLRS_F32, TRANSPOSED},
    {"moves_composed", REQUEST_MOVES, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), PERMUTED(2, 1, 0))},
    {"moves_pieces_bits", REQUEST_MOVES, CLRS_U4, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), SLICED(0, 1, 7))},
    {"batch", REQUEST_BATCH, CLRS_F32, TRANSPOSED},
    {"sequence", REQUEST_SEQUENCE, CLRS_F32, TRANSPOSED},
    {"sequence_reflect", REQUEST_SEQUENCE, CLRS_F32, TRANSPOSED, REFLECTED},
    {"read", REQUEST_READ, CLRS_F32, DENSE(2, 6, 4)},
    {"read_copy", REQUEST_READ, CLRS_F32, TRANSPOSED},
    {"read_mapped", REQUEST_READ, CLRS_U8, DENSE(2, 6, 4), MAPPED},
    {"read_bits", REQUEST_READ, CLRS_BITS1, DENSE(2, 9, 13), STEPS(1, PERMUTED(2, 1, 0))},
    {"gather", REQUEST_GATHER, CLRS_F32, TRANSPOSED, CORE, TO(5, 3, 0, 0, 5, 1)},
    {"gather_wide", REQUEST_GATHER, CLRS_F16, DENSE(2, 6, 40), WIDE, TO(3, 4, 4, 2)},
    {"gather_stacks", REQUEST_GATHER, CLRS_F32, TRANSPOSED, STEPS(2, RESHAPED(2, 8, 3), PERMUTED(2, 1, 0)), TO(2, 2, 0)},
    {"scatter", REQUEST_SCATTER, CLRS_F32, TRANSPOSED, TO(6, 3, 0, 4, 5, 1, 2)},
    {"gather_batch", REQUEST_GATHER, CLRS_F32, TRANSPOSED, TO(5, 3, 0, 0, 5, 1), .way = IN_BATCH},
    {"scatter_batch", REQUEST_SCATTER, CLRS_F32, TRANSPOSED, TO(6, 3, 0, 4, 5, 1, 2), .way = IN_BATCH},
    {"gather_sequence", REQUEST_GATHER, CLRS_F32, TRANSPOSED, TO(5, 3, 0, 0, 5, 1), .way = IN_SEQUENCE},
    {"scatter_sequence", REQUEST_SCATTER, CLRS_F32, TRANSPOSED, TO(6, 3, 0, 4, 5, 1, 2), .way = IN_SEQUENCE},
    {"move_group_rows", REQUEST_MOVE, CLRS_F32, DENSE(2, 2, 400), WIDE},
    {"move_local_tile", REQUEST_MOVE, CLRS_U16, DENSE(2, 32, 40), STEPS(1, PERMUTED(2, 1, 0)), WIDE},
    {"mapped", REQUEST_MOVE, CLRS_U8, TRANSPOSED, MAPPED, CORE},
    {"mapped_table", REQUEST_MOVE, CLRS_U8, DENSE(2, 3, 20), STEPS(1, FLIPPED(1)), MAPPED},
    {"mapped_pieces", REQUEST_MOVE, CLRS_U8, TRANSPOSED, STEPS(2, RESHAPED(1, 24), SLICED(0, 1, 22)), MAPPED},
    {"mapped_copy", REQUEST_MATERIALIZE, CLRS_U8, TRANSPOSED, MAPPED, IF_NEEDED, WIDE},
    {"mapped_chain", REQUEST_CHAIN, CLRS_U8, TRANSPOSED, MAPPED, IF_NEEDED, TO(1, -1)},
    {"mapped_pad", REQUEST_PAD, CLRS_U8, TRANSPOSED, MAPPED},
    {"mapped_pad_reflect", REQUEST_PAD, CLRS_U8, TRANSPOSED, MAPPED, REFLECTED},
    {"mapped_concat", REQUEST_CONCAT, CLRS_U8, DENSE(2, 3, 20), MAPPED, .copies = 9},
    {"mapped_stack", REQUEST_STACK, CLRS_U8, TRANSPOSED, MAPPED},
    {"mapped_moves", REQUEST_MOVES, CLRS_U8, DENSE(2, 3, 20), MAPPED, WIDE},
    {"mapped_batch", REQUEST_BATCH, CLRS_U8, TRANSPOSED, MAPPED},
    {"mapped_sequence", REQUEST_SEQUENCE, CLRS_U8, TRANSPOSED, MAPPED},
    {"strings", REQUEST_STRINGS, CLRS_STRING, TRANSPOSED, ALWAYS},
    {"strings_alias", REQUEST_STRINGS, CLRS_STRING, TRANSPOSED, NEVER},
    {"pattern_on_the_device", REQUEST_DEVICE_PATTERN, CLRS_F32, TRANSPOSED, IF_NEEDED, TO(2, 3, -1)},
    {"dlpack", REQUEST_DLPACK, CLRS_F32, TRANSPOSED},
    {"allocate", REQUEST_ALLOCATE, CLRS_F32, TRANSPOSED},
    {"allocate_empty", REQUEST_ALLOCATE, CLRS_F32, DENSE(2, 0, 4)},
    {"warm_up_gather", WARM("gpu_any")},
    {"warm_up_composed", WARM("composed")},
    {"warm_up_fill", WARM("fill")},
    {"blob", REQUEST_BLOB, CLRS_F32, DENSE(1, 4), .warmed = "gpu_any"},
};
/* clang-format on */
const size_t scenario_count = sizeof scenarios / sizeof scenarios[0];
