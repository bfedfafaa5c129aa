/*
 * The reference for operations that cut dims into blocks or show elements more than once. The
 * reference works element by element, from the index formulas of the standards. See oracle.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ORACLE_MOVES_H
#define CLRS_TEST_ORACLE_MOVES_H

#include "oracle.h"

/* Axes are in [0, rank) and all arguments are valid: the tests see to that. */
void oracle_depth_to_space(oracle *tensor, int64_t block, bool depth_first);
void oracle_space_to_depth(oracle *tensor, int64_t block, bool depth_first);
void oracle_channel_shuffle(oracle *tensor, int64_t axis, int64_t groups);
void oracle_batch_to_space(oracle *tensor, const int64_t *blocks);
void oracle_space_to_batch(oracle *tensor, const int64_t *blocks);
void oracle_tile(oracle *tensor, const int64_t *repeats);
void oracle_repeat(oracle *tensor, int64_t axis, int64_t repeats);
void oracle_window(oracle *tensor, int64_t axis, int64_t size, int64_t step);
void oracle_diagonal(oracle *tensor, int64_t offset, int64_t first, int64_t second);
void oracle_move_axis(oracle *tensor, int64_t from, int64_t to);
void oracle_swap_axes(oracle *tensor, int64_t first, int64_t second);
/* In any mode but constant. */
void oracle_pad(oracle *tensor, clrs_pad_mode mode, const int64_t *begins, const int64_t *ends);

#endif
