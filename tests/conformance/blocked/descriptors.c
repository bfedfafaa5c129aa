/*
 * oneDNN's blocked memory descriptors. See descriptors.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "descriptors.h"

const descriptor_row descriptor_rows[] = {
    {"nChw8c", dnnl_nChw8c, 4, {2, 30, 3, 5}},
    {"nChw16c", dnnl_nChw16c, 4, {2, 30, 4, 4}},
    {"nChw16c", dnnl_nChw16c, 4, {3, 48, 2, 7}},
    {"nCw16c", dnnl_nCw16c, 3, {2, 17, 9}},
    {"nCdhw8c", dnnl_nCdhw8c, 5, {2, 9, 2, 3, 4}},
    {"nCdhw16c", dnnl_nCdhw16c, 5, {1, 33, 2, 3, 2}},
    {"NChw16n16c", dnnl_NChw16n16c, 4, {19, 21, 2, 3}},
    {"NChw16n16c", dnnl_NChw16n16c, 4, {32, 16, 3, 2}},
    {"OIhw16i16o", dnnl_OIhw16i16o, 4, {20, 18, 3, 3}},
    {"OIhw16o16i", dnnl_OIhw16o16i, 4, {20, 33, 3, 1}},
    {"OIhw8i8o", dnnl_OIhw8i8o, 4, {12, 20, 3, 3}},
    {"OIhw4i16o4i", dnnl_OIhw4i16o4i, 4, {17, 19, 2, 3}},
    {"OIhw8i16o2i", dnnl_OIhw8i16o2i, 4, {30, 14, 1, 3}},
    {"Ohwi16o", dnnl_Ohwi16o, 4, {21, 3, 3, 5}},
    {"gOIhw16i16o", dnnl_gOIhw16i16o, 5, {2, 18, 17, 2, 2}},
    {"Goihw16g", dnnl_Goihw16g, 5, {18, 1, 1, 3, 3}},
    {"aBcd16b", dnnl_aBcd16b, 4, {3, 25, 2, 2}},
    {"aBcd8b", dnnl_aBcd8b, 4, {3, 24, 2, 2}},
    {"ABcd16b16a", dnnl_ABcd16b16a, 4, {18, 20, 2, 3}},
    {"ABcd4a4b", dnnl_ABcd4a4b, 4, {7, 6, 5, 3}},
    {"ABcd8b16a2b", dnnl_ABcd8b16a2b, 4, {15, 31, 2, 2}},
    {"aBCde2b8c8b2c", dnnl_aBCde2b8c8b2c, 5, {2, 19, 17, 2, 2}},
    {"acdb", dnnl_acdb, 4, {2, 5, 3, 4}},
    {"nhwc", dnnl_nhwc, 4, {2, 5, 3, 4}},
    {"hwio", dnnl_hwio, 4, {4, 5, 3, 2}},
};
const size_t descriptor_count = sizeof descriptor_rows / sizeof descriptor_rows[0];

dnnl_memory_desc_t descriptor_of(const descriptor_row *row, dnnl_data_type_t type) {
  dnnl_memory_desc_t descriptor;
  DNNL_OK(dnnl_memory_desc_init_by_tag(&descriptor, row->rank, row->dims, type, row->tag));
  assert_int_equal(descriptor.format_kind, dnnl_blocked);
  return descriptor;
}

clrs_shape descriptor_shape(const dnnl_memory_desc_t *descriptor) {
  clrs_shape shape = {.rank = (uint32_t)descriptor->ndims};
  for (int d = 0; d < descriptor->ndims; d++)
    shape.dims[d] = descriptor->dims[d];
  return shape;
}

clrs_blocked_layout descriptor_as_blocked(const dnnl_memory_desc_t *descriptor, clrs_dtype dtype) {
  const dnnl_blocking_desc_t *blocking = &descriptor->format_desc.blocking;
  clrs_blocked_layout blocked = {.dtype = dtype,
                                 .shape = descriptor_shape(descriptor),
                                 .block_count = (uint32_t)blocking->inner_nblks,
                                 .offset = descriptor->offset0};
  for (int d = 0; d < descriptor->ndims; d++) {
    blocked.padded_dims[d] = descriptor->padded_dims[d];
    blocked.outer_strides[d] = blocking->strides[d];
  }
  for (int i = 0; i < blocking->inner_nblks; i++)
    blocked.blocks[i] = (clrs_block){(uint32_t)blocking->inner_idxs[i], blocking->inner_blks[i]};
  return blocked;
}

int64_t descriptor_position(const dnnl_memory_desc_t *descriptor, const int64_t *index) {
  const dnnl_blocking_desc_t *blocking = &descriptor->format_desc.blocking;
  int64_t outer[DNNL_MAX_NDIMS];
  int64_t position = descriptor->offset0, inside = 1;
  for (int d = 0; d < descriptor->ndims; d++)
    outer[d] = index[d] + descriptor->padded_offsets[d];
  for (int i = blocking->inner_nblks; i-- > 0;) { /* the last block is the innermost */
    int64_t *at = &outer[blocking->inner_idxs[i]];
    position += *at % blocking->inner_blks[i] * inside;
    *at /= blocking->inner_blks[i];
    inside *= blocking->inner_blks[i];
  }
  for (int d = 0; d < descriptor->ndims; d++)
    position += outer[d] * blocking->strides[d];
  return position;
}

int64_t product_of(int rank, const dnnl_dims_t dims) {
  int64_t product = 1;
  for (int d = 0; d < rank; d++)
    product *= dims[d];
  return product;
}

int64_t *descriptor_positions(const dnnl_memory_desc_t *descriptor, const dnnl_dims_t dims) {
  const int64_t count = product_of(descriptor->ndims, dims);
  int64_t *positions = malloc((size_t)count * sizeof *positions);
  int64_t index[DNNL_MAX_NDIMS] = {0};
  assert_non_null(positions);
  for (int64_t k = 0; k < count; k++) {
    positions[k] = descriptor_position(descriptor, index);
    for (int d = descriptor->ndims; d-- > 0 && ++index[d] == dims[d];)
      index[d] = 0;
  }
  return positions;
}
