/*
 * DLPack import and export. The two managed structs differ only in the fields around the DLTensor,
 * so each direction is one function of a DLTensor and its flags.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "clreshape/clreshape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checked.h"
#include "dlpack_abi.h"
#include "dtype.h"
#include "tensor_check.h"

/* ---- types ---- */

/* DLDataTypeCode and bits. */
static const struct type_row {
  uint8_t code, bits;
  clrs_dtype dtype;
} type_rows[] = {
    {0, 2, CLRS_I2},      {0, 4, CLRS_I4},          {0, 8, CLRS_I8},
    {0, 16, CLRS_I16},    {0, 32, CLRS_I32},        {0, 64, CLRS_I64},
    {1, 1, CLRS_BITS1},   {1, 2, CLRS_U2},          {1, 3, CLRS_U3},
    {1, 4, CLRS_U4},      {1, 6, CLRS_U6},          {1, 8, CLRS_U8},
    {1, 16, CLRS_U16},    {1, 32, CLRS_U32},        {1, 64, CLRS_U64},
    {2, 16, CLRS_F16},    {2, 32, CLRS_F32},        {2, 64, CLRS_F64},
    {4, 16, CLRS_BF16},   {5, 64, CLRS_C64},        {5, 128, CLRS_C128},
    {6, 8, CLRS_BOOL},    {10, 8, CLRS_F8E4M3FN},   {11, 8, CLRS_F8E4M3FNUZ},
    {12, 8, CLRS_F8E5M2}, {13, 8, CLRS_F8E5M2FNUZ}, {14, 8, CLRS_F8E8M0},
    {15, 6, CLRS_F6E2M3}, {16, 6, CLRS_F6E3M2},     {17, 4, CLRS_F4E2M1},
};

enum { TYPE_ROWS = sizeof type_rows / sizeof type_rows[0] };

static clrs_status read_type(const clrs__dlpack_type *type, clrs_dtype *dtype, clrs_error *error) {
  for (size_t i = 0; i < TYPE_ROWS && type->lanes == 1; i++) {
    if (type_rows[i].code == type->code && type_rows[i].bits == type->bits) {
      *dtype = type_rows[i].dtype;
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_UNSUPPORTED,
                    "elements of DLPack's type code %u, %u bits and %u lanes; tensor.h has a table "
                    "of those that are known, all of 1 lane",
                    type->code, type->bits, type->lanes);
}

static clrs_status write_type(clrs_dtype dtype, clrs__dlpack_type *type, clrs_error *error) {
  for (size_t i = 0; i < TYPE_ROWS; i++) {
    if (type_rows[i].dtype == dtype) {
      *type = (clrs__dlpack_type){type_rows[i].code, type_rows[i].bits, 1};
      return CLRS_OK;
    }
  }
  return clrs__fail(error, CLRS_UNSUPPORTED, "DLPack has no type for %s", clrs__dtype_text(dtype));
}

/* ---- in ---- */

static clrs_status check_device(const clrs__dlpack_tensor *given, clrs_error *error) {
  return given->device_type == CLRS__DLPACK_OPENCL
             ? CLRS_OK
             : clrs__fail(error, CLRS_INVALID_ARGUMENT,
                          "the tensor is on DLPack's device type %d; it must be kDLOpenCL, %d",
                          (int)given->device_type, CLRS__DLPACK_OPENCL);
}

static clrs_status read_layout(const clrs__dlpack_tensor *given, clrs_layout *layout,
                               clrs_error *error) {
  clrs_dtype dtype = CLRS_BITS8;
  clrs_shape shape;
  if (given->ndim < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT,
                      "the tensor's ndim is %d; it must be at least 0", (int)given->ndim);
  }
  CLRS_TRY(read_type(&given->dtype, &dtype, error));
  CLRS_TRY(clrs_shape_init((size_t)given->ndim, given->shape, &shape, error));
  return clrs_layout_init(dtype, &shape, given->strides, 0, layout, error);
}

static clrs_status check_flags(const clrs__dlpack_tensor *given, uint64_t flags,
                               clrs_error *error) {
  const uint64_t known = CLRS__DLPACK_READ_ONLY | CLRS__DLPACK_IS_COPIED | CLRS__DLPACK_PADDED;
  if ((flags & ~known) != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the tensor has DLPack's flags 0x%" PRIx64 "; known are 0x%" PRIx64, flags,
                      known);
  }
  if ((flags & CLRS__DLPACK_PADDED) != 0 && given->dtype.bits % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the tensor's elements of %u bits are padded to whole bytes; they must be "
                      "packed",
                      given->dtype.bits);
  }
  return CLRS_OK;
}

static clrs_status take(clrs_context *context, const clrs__dlpack_tensor *given,
                        const clrs__lent *lent, clrs_tensor **tensor, clrs_error *error) {
  clrs__lent located = *lent;
  clrs_layout layout;
  CLRS_TRY(check_device(given, error));
  CLRS_TRY(read_layout(given, &layout, error));
  located.storage = (clrs_storage){(cl_mem)given->data, given->byte_offset};
  return clrs__tensor_of_lender(context, &located, &layout, tensor, error);
}

static void take_back(void *lent) {
  struct DLManagedTensor *managed = lent;
  if (managed->deleter != NULL) {
    managed->deleter(managed);
  }
}

static void take_back_versioned(void *lent) {
  struct DLManagedTensorVersioned *managed = lent;
  if (managed->deleter != NULL) {
    managed->deleter(managed);
  }
}

clrs_status clrs_tensor_from_dlpack(clrs_context *context, struct DLManagedTensor *managed,
                                    clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(managed, "managed", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  const clrs__lent lent = {.lender = {take_back, managed}};
  return take(context, &managed->tensor, &lent, tensor, error);
}

clrs_status clrs_tensor_from_dlpack_versioned(clrs_context *context,
                                              struct DLManagedTensorVersioned *managed,
                                              clrs_tensor **tensor, clrs_error *error) {
  CLRS_TRY(clrs__require(context, "context", error));
  CLRS_TRY(clrs__require(managed, "managed", error));
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  if (managed->major != CLRS__DLPACK_MAJOR) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the tensor is of DLPack %" PRIu32 ".%" PRIu32 "; known is version %d",
                      managed->major, managed->minor, CLRS__DLPACK_MAJOR);
  }
  CLRS_TRY(check_flags(&managed->tensor, managed->flags, error));
  const clrs__lent lent = {.is_read_only = (managed->flags & CLRS__DLPACK_READ_ONLY) != 0,
                           .lender = {take_back_versioned, managed}};
  return take(context, &managed->tensor, &lent, tensor, error);
}

/* ---- out ---- */

/* The data that a managed tensor needs until the deleter is called. Contains the lists that the
 * DLTensor points to. */
typedef struct exported {
  struct DLManagedTensor plain;
  struct DLManagedTensorVersioned versioned; /* only one of the two is used */
  clrs_tensor *tensor;                       /* retained */
  int64_t dims[CLRS_MAX_RANK], strides[CLRS_MAX_RANK];
} exported;

static void end_export(void *manager_ctx) {
  exported *out = manager_ctx;
  clrs_tensor_release(out->tensor);
  free(out);
}

static void delete_plain(struct DLManagedTensor *managed) {
  end_export(managed->manager_ctx);
}

static void delete_versioned(struct DLManagedTensorVersioned *managed) {
  end_export(managed->manager_ctx);
}

/* Writes the place of the first element. The tensor lies inside the buffer, so the offset fits. */
static clrs_status write_place(const clrs_tensor *tensor, const clrs_layout *layout,
                               clrs__dlpack_tensor *to, clrs_error *error) {
  const clrs__buffer *buffer = &tensor->common->buffer;
  const int64_t bits = clrs_dtype_bits(layout->dtype);
  if (tensor->view.depth == 0) { /* no elements */
    return CLRS_OK;
  }
  const int64_t base = clrs__exact_multiply((int64_t)clrs_tensor_storage(tensor).byte_offset, 8);
  const int64_t first = clrs__exact_multiply_add(base, layout->offset, bits);
  if (first % 8 != 0) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the first element begins at bit %" PRId64 " of byte %" PRId64
                      "; DLPack counts its offset in bytes",
                      first % 8, first / 8);
  }
  to->data = buffer->given;
  to->byte_offset = (uint64_t)first / 8 - buffer->begin;
  return CLRS_OK;
}

static clrs_status check_exported(const clrs_tensor *tensor, int32_t device_id, clrs_error *error) {
  CLRS_TRY(clrs__require(tensor, "tensor", error));
  CLRS_TRY(clrs__tensor_check_stored(tensor, tensor->common->context, "given", error));
  if (device_id < 0) {
    return clrs__fail(error, CLRS_INVALID_ARGUMENT, "device_id is %d; it must be at least 0",
                      (int)device_id);
  }
  if (!tensor->common->buffer.readable) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the tensor's buffer is CL_MEM_WRITE_ONLY, which DLPack cannot say");
  }
  return CLRS_OK;
}

/* Fills the DLTensor. The DLTensor points to the lists of *out. */
static clrs_status describe(exported *out, int32_t device_id, clrs__dlpack_tensor *to,
                            clrs_error *error) {
  clrs_layout layout;
  CLRS_TRY(write_type(out->tensor->view.dtype, &to->dtype, error));
  CLRS_TRY(clrs_view_layout(&out->tensor->view, &layout, error));
  CLRS_TRY(write_place(out->tensor, &layout, to, error));
  memcpy(out->dims, layout.dims, sizeof layout.dims);
  memcpy(out->strides, layout.strides, sizeof layout.strides);
  to->device_type = CLRS__DLPACK_OPENCL;
  to->device_id = device_id;
  to->ndim = (int32_t)layout.rank;
  to->shape = out->dims;
  to->strides = out->strides;
  return CLRS_OK;
}

/* Leaves the DLTensor empty. */
static clrs_status create_export(clrs_tensor *tensor, exported **out, clrs_error *error) {
  exported *created = calloc(1, sizeof *created);
  CLRS_TRY_MEMORY(created, error, "no memory for a managed tensor");
  clrs_tensor_retain(tensor);
  created->tensor = tensor;
  *out = created;
  return CLRS_OK;
}

clrs_status clrs_tensor_to_dlpack(clrs_tensor *tensor, int32_t device_id,
                                  struct DLManagedTensor **managed, clrs_error *error) {
  exported *out = NULL;
  CLRS_TRY(check_exported(tensor, device_id, error));
  CLRS_TRY(clrs__require(managed, "managed", error));
  if (!tensor->common->buffer.writable) {
    return clrs__fail(error, CLRS_UNSUPPORTED,
                      "the tensor's buffer is %s, which only versioned managed tensors can say",
                      clrs__read_only_text(&tensor->common->buffer));
  }
  CLRS_TRY(create_export(tensor, &out, error));
  const clrs_status status = describe(out, device_id, &out->plain.tensor, error);
  if (status != CLRS_OK) {
    end_export(out);
    return status;
  }
  out->plain.manager_ctx = out;
  out->plain.deleter = delete_plain;
  *managed = &out->plain;
  return CLRS_OK;
}

clrs_status clrs_tensor_to_dlpack_versioned(clrs_tensor *tensor, int32_t device_id,
                                            struct DLManagedTensorVersioned **managed,
                                            clrs_error *error) {
  exported *out = NULL;
  CLRS_TRY(check_exported(tensor, device_id, error));
  CLRS_TRY(clrs__require(managed, "managed", error));
  CLRS_TRY(create_export(tensor, &out, error));
  struct DLManagedTensorVersioned *versioned = &out->versioned;
  const clrs_status status = describe(out, device_id, &versioned->tensor, error);
  if (status != CLRS_OK) {
    end_export(out);
    return status;
  }
  versioned->major = CLRS__DLPACK_MAJOR;
  versioned->minor = CLRS__DLPACK_MINOR;
  versioned->flags = tensor->common->buffer.writable ? 0 : CLRS__DLPACK_READ_ONLY;
  versioned->manager_ctx = out;
  versioned->deleter = delete_versioned;
  *managed = versioned;
  return CLRS_OK;
}
