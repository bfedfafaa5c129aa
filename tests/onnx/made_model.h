/*
 * Models and tensors for tests, as protobuf-c's bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_MADE_MODEL_H
#define CLRS_TEST_MADE_MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { BYTES = 4096 };

typedef struct bytes {
  uint8_t data[BYTES];
  size_t size;
} bytes;

/* Inputs and outputs are letters, a letter for each name. A capital has an initializer, the list
 * 6. */
typedef struct node_row {
  const char *op, *inputs, *outputs;
} node_row;

/* At most 4 nodes, and 4 names of a kind. The tensors' types and dims are not declared. The axis of
 * a Concat is 0. */
void make_model(size_t count, const node_row *rows, const char *inputs, const char *outputs,
                bytes *to);
void make_tensor(int32_t type, size_t rank, const int64_t *dims, const void *raw, size_t size,
                 bytes *to);
/* [2,3] of int32, 0 to 5. */
void make_matrix(bytes *to);
/* [1] of int64. */
void make_list(int64_t value, bytes *to);

#endif
