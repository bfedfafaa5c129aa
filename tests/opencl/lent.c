/*
 * A producer of DLPack tensors. See lent.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lent.h"

const lent_type lent_types[] = {
    {kDLInt, 2, CLRS_I2},
    {kDLInt, 4, CLRS_I4},
    {kDLInt, 8, CLRS_I8},
    {kDLInt, 16, CLRS_I16},
    {kDLInt, 32, CLRS_I32},
    {kDLInt, 64, CLRS_I64},
    {kDLUInt, 1, CLRS_BITS1},
    {kDLUInt, 2, CLRS_U2},
    {kDLUInt, 3, CLRS_U3},
    {kDLUInt, 4, CLRS_U4},
    {kDLUInt, 6, CLRS_U6},
    {kDLUInt, 8, CLRS_U8},
    {kDLUInt, 16, CLRS_U16},
    {kDLUInt, 32, CLRS_U32},
    {kDLUInt, 64, CLRS_U64},
    {kDLFloat, 16, CLRS_F16},
    {kDLFloat, 32, CLRS_F32},
    {kDLFloat, 64, CLRS_F64},
    {kDLBfloat, 16, CLRS_BF16},
    {kDLComplex, 64, CLRS_C64},
    {kDLComplex, 128, CLRS_C128},
    {kDLBool, 8, CLRS_BOOL},
    {kDLFloat8_e4m3fn, 8, CLRS_F8E4M3FN},
    {kDLFloat8_e4m3fnuz, 8, CLRS_F8E4M3FNUZ},
    {kDLFloat8_e5m2, 8, CLRS_F8E5M2},
    {kDLFloat8_e5m2fnuz, 8, CLRS_F8E5M2FNUZ},
    {kDLFloat8_e8m0fnu, 8, CLRS_F8E8M0},
    {kDLFloat6_e2m3fn, 6, CLRS_F6E2M3},
    {kDLFloat6_e3m2fn, 6, CLRS_F6E3M2},
    {kDLFloat4_e2m1fn, 4, CLRS_F4E2M1},
};
const size_t lent_type_count = sizeof lent_types / sizeof lent_types[0];

static void delete_plain(DLManagedTensor *self) {
  lent *l = self->manager_ctx;
  assert_ptr_equal(self, &l->plain);
  l->deleted++;
}

static void delete_versioned(DLManagedTensorVersioned *self) {
  lent *l = self->manager_ctx;
  assert_ptr_equal(self, &l->versioned);
  l->deleted++;
}

DLTensor *lent_tensor(lent *l) {
  return l->is_versioned ? &l->versioned.dl_tensor : &l->plain.dl_tensor;
}

void lent_init(lent *l, bool is_versioned, cl_mem buffer) {
  memset(l, 0, sizeof *l);
  l->is_versioned = is_versioned;
  l->plain.manager_ctx = l->versioned.manager_ctx = l;
  l->plain.deleter = delete_plain;
  l->versioned.deleter = delete_versioned;
  l->versioned.version = (DLPackVersion){1, 0};
  lent_tensor(l)->data = buffer;
  lent_tensor(l)->device = (DLDevice){kDLOpenCL, 0};
  lent_set(l, (DLDataType){kDLFloat, 32, 1}, 2, LIST(4, 6), NULL);
}

void lent_set(lent *l, DLDataType type, int32_t rank, const int64_t *dims, const int64_t *strides) {
  DLTensor *tensor = lent_tensor(l);
  tensor->dtype = type;
  tensor->ndim = rank;
  tensor->shape = rank > 0 ? l->dims : NULL;
  tensor->strides = strides ? l->strides : NULL;
  if (rank > 0)
    memcpy(l->dims, dims, (size_t)rank * sizeof *dims);
  if (rank > 0 && strides)
    memcpy(l->strides, strides, (size_t)rank * sizeof *strides);
}

clrs_status lent_take(lent *l, clrs_context *library, clrs_tensor **tensor, clrs_error *error) {
  return l->is_versioned ? clrs_tensor_from_dlpack_versioned(library, &l->versioned, tensor, error)
                         : clrs_tensor_from_dlpack(library, &l->plain, tensor, error);
}
