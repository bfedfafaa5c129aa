/*
 * The reference that results are compared with: a tensor is a shape and, for every element in
 * row-major order, the position of that element in the storage. Every operation rewrites the list
 * one element at a time, straight from the wording of the standard. The oracle shares no stride
 * algebra with the library, and is slow on purpose.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_ORACLE_H
#define CLRS_TEST_ORACLE_H

#include "clreshape/plan.h"

typedef struct oracle {
  clrs_shape shape;
  int64_t count;
  int64_t *positions; /* owned; oracle_free */
} oracle;

/* offset + sum of index * stride: the definition of a layout. */
oracle oracle_from_layout(const clrs_layout *layout);
oracle oracle_copy(const oracle *from);
void oracle_free(oracle *tensor);
int64_t oracle_count(const clrs_shape *shape);

void oracle_reshape(oracle *tensor, const clrs_shape *shape);
/* Axes are in [0, rank) here. The tests convert negative axes. */
void oracle_permute(oracle *tensor, const int64_t *axes);
void oracle_squeeze(oracle *tensor, size_t count, const int64_t *axes);
void oracle_unsqueeze(oracle *tensor, size_t count, const int64_t *axes);
void oracle_flatten(oracle *tensor, int64_t axis);
void oracle_expand(oracle *tensor, const clrs_shape *shape);
void oracle_slice(oracle *tensor, size_t count, const clrs_slice *slices);
void oracle_flip(oracle *tensor, size_t count, const int64_t *axes);
void oracle_split(oracle *tensor, int64_t axis, int64_t parts, int64_t which);

/* Finds strides that give exactly these positions, by trial. Returns false if no strides do. Dims
 * of 1 get stride 0. */
bool oracle_strides(const oracle *tensor, int64_t *strides);
/* Does any position occur twice? */
bool oracle_has_duplicates(const oracle *tensor);
/* Lowest and highest position, both 0 without elements. */
void oracle_range(const oracle *tensor, int64_t *lowest, int64_t *highest);

#endif
