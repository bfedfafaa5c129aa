/*
 * oneDNN's blocked memory descriptors: the tried descriptors, the place of an element, and the
 * library's description of the same blocks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_DESCRIPTORS_H
#define CLRS_TEST_DESCRIPTORS_H

#include <dnnl.h>

#include "harness/check.h"

typedef struct descriptor_row {
  const char *name; /* the library's spelling */
  dnnl_format_tag_t tag;
  int rank;
  dnnl_dims_t dims;
} descriptor_row;

extern const descriptor_row descriptor_rows[];
extern const size_t descriptor_count;

#define DNNL_OK(call) assert_int_equal((call), dnnl_success)

/* oneDNN's descriptor, by tag. */
dnnl_memory_desc_t descriptor_of(const descriptor_row *row, dnnl_data_type_t type);
/* Field by field. */
clrs_blocked_layout descriptor_as_blocked(const dnnl_memory_desc_t *descriptor, clrs_dtype dtype);
clrs_shape descriptor_shape(const dnnl_memory_desc_t *descriptor);

/* The position of element `index` (which may lie in the padding), by oneDNN's definition of the
 * format. */
int64_t descriptor_position(const dnnl_memory_desc_t *descriptor, const int64_t *index);
/* The positions of all elements of `dims`, row-major. The caller frees the array. */
int64_t *descriptor_positions(const dnnl_memory_desc_t *descriptor, const dnnl_dims_t dims);
int64_t product_of(int rank, const dnnl_dims_t dims);

#endif
