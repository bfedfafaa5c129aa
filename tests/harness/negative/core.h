/*
 * The parameters of the public functions without a device, and the rows that several functions
 * share. matrix.h says how to read rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_NEGATIVE_CORE_H
#define CLRS_TEST_NEGATIVE_CORE_H

#include "map/spread.h"
#include "matrix.h"
#include "move/overlap.h"
#include "rows.h"
#include "view/cells.h"
#include "view/ops.h"
#include "view/repeats.h"
#include "view/slice.h"

struct arguments {
  struct said say;
  /* in, named as in the headers */
  clrs_status status;
  clrs_dtype dtype;
  clrs_type_system system;
  clrs_dialect dialect;
  clrs_zero_mode zero_mode;
  clrs__block_order order;
  clrs_pad_mode mode;
  clrs_outcome outcome;
  int32_t data_type;
  const char *name, *text__chain;
  size_t number, rank, count, length, size, index, source_size, destination_size;
  uint32_t rank__axis;
  int64_t offset, axis, parts, which, block, groups, from, to, first, second, first_axis,
      second_axis, repeats;
  const int64_t *dims, *axes, *values, *strides, *repeats__list, *blocks;
  const int64_t *begins, *ends;
  size_t box;
  clrs_slice *slices;
  clrs__window *window;
  clrs_pad *pad;
  clrs_pattern_tensor *tensor;
  clrs_shape *shape, *input, *a__shape, *b__shape;
  clrs_pattern *pattern;
  clrs_layout *layout;
  clrs_chain *chain;
  clrs_rules *rules;
  const uint8_t *source;
  uint8_t *destination__host;
  clrs_view *view; /* also in place */
  clrs_blocked_layout *blocked;
  clrs_move *move;
  clrs_operand *destination, *a, *b;
  clrs_device_limits *limits;
  clrs_plan *plan;
  char *text;
  clrs_dtype from__dtype, to__dtype;
  clrs_map *map, *first__map, *second__map;
  clrs_mapped *mapped, *after;
  clrs_step_kind kind;
  clrs_rounding rounding;
  clrs_overflow overflow;
  clrs_numbers *numbers, *scale, *zero;
  clrs_spread *spread;
  clrs_view *source__view;
  clrs_map_tensors *tensors;
  clrs_map_views *views;
  clrs_map_data *data;
  /* out */
  clrs_dtype *dtype_out;
  int64_t *element_count_out;
  uint32_t *index_out;
  clrs_shape *shape_out;
  clrs_pattern *pattern_out;
  clrs_layout *layout_out;
  clrs_bounds *bounds_out;
  clrs_view *view_out;
  clrs_blocked_layout *blocked_out;
  clrs_chain *chain_out;
  clrs_plan *plan_out;
  clrs_map *map_out;
  clrs_map_views *views_out;
  clrs_mapped *mapped_out;
  clrs_pad *pad_out;
  /* targets of the pointers */
  clrs_shape one_shape, other_shape;
  clrs_pattern one_pattern;
  clrs_layout one_layout;
  clrs_view one_view, other_view, bad_view;
  clrs_blocked_layout one_blocked;
  clrs_move one_move;
  clrs_device_limits one_limits;
  clrs_slice one_slice[2];
  clrs__window one_window;
  clrs_pad one_pad;
  clrs_pattern_tensor one_tensor;
  clrs_chain one_chain;
  clrs_rules one_rules;
  clrs_map one_map, other_map;
  clrs_mapped one_mapped, other_mapped;
  clrs_numbers one_numbers, other_numbers;
  double two_values[2];
  clrs_spread one_spread;
  clrs_map_tensors one_tensors;
  clrs_map_views one_views;
  clrs_map_data one_data;
  uint8_t source_bytes[96]; /* of [4, 6] elements of f32 */
  int64_t one_list[4];
  struct {
    clrs_dtype dtype;
    int64_t element_count;
    uint32_t index;
    clrs_shape shape;
    clrs_pattern pattern;
    clrs_layout layout;
    clrs_bounds bounds;
    clrs_view view;
    clrs_blocked_layout blocked;
    clrs_chain chain;
    clrs_map map;
    clrs_map_views views;
    clrs_mapped mapped;
    clrs_pad pad;
    uint8_t bytes[96];
  } made;
};

/* A dense view of f32. */
clrs_view core_view(size_t rank, const int64_t *dims);

#define OPERAND_ROWS(view, byte_offset, alignment, name)                                           \
  ROW(view, &m->a->bad_view, CLRS_INVALID_ARGUMENT, FOREIGN_VIEW)                                  \
  ROW(byte_offset, UINT64_MAX, CLRS_OVERFLOW, "from byte 18446744073709551615")                    \
  ROW(byte_offset, UINT64_MAX - 15, CLRS_OVERFLOW, "does not fit in 64 bits")                      \
  ROW(alignment, 0, CLRS_INVALID_ARGUMENT, "the alignment of the " name " is 0 bytes")             \
  ROW(alignment, 3, CLRS_INVALID_ARGUMENT, "it must be a power of two")                            \
  ROW(alignment, 1 << 30 | 8, CLRS_INVALID_ARGUMENT,                                               \
      "it must be a power of two") /* as of slots */                                               \
  ROW(alignment, UINT32_MAX, CLRS_INVALID_ARGUMENT, "4294967295 bytes")

/* The rows of each header. */
#endif
