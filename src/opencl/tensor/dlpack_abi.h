/*
 * The structs of DLPack 1.3 with the layout of this library's compilers. The structs are an ABI: no
 * field has moved since DLPack 0.6 and 1.0. tests/opencl/test_dlpack.c compares the structs with
 * DLPack's own header.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#pragma once

#include <stddef.h>

#include "clreshape/clreshape.h"

enum { CLRS__DLPACK_MAJOR = 1, CLRS__DLPACK_MINOR = 3, CLRS__DLPACK_OPENCL = 4 };

/* Flags of a versioned tensor. */
enum { CLRS__DLPACK_READ_ONLY = 1, CLRS__DLPACK_IS_COPIED = 2, CLRS__DLPACK_PADDED = 4 };

typedef struct clrs__dlpack_type {
  uint8_t code, bits;
  uint16_t lanes;
} clrs__dlpack_type;

typedef struct clrs__dlpack_tensor {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  clrs__dlpack_type dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} clrs__dlpack_tensor;

struct DLManagedTensor {
  clrs__dlpack_tensor tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *managed);
};

struct DLManagedTensorVersioned {
  uint32_t major, minor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *managed);
  uint64_t flags;
  clrs__dlpack_tensor tensor;
};

#define CLRS__LIES_AT(type, field, of_64_bits)                                                     \
  _Static_assert(sizeof(void *) != 8 || offsetof(type, field) == (of_64_bits), #type)

_Static_assert(sizeof(clrs__dlpack_type) == 4, "DLDataType");
CLRS__LIES_AT(clrs__dlpack_tensor, device_type, 8);
CLRS__LIES_AT(clrs__dlpack_tensor, ndim, 16);
CLRS__LIES_AT(clrs__dlpack_tensor, dtype, 20);
CLRS__LIES_AT(clrs__dlpack_tensor, shape, 24);
CLRS__LIES_AT(clrs__dlpack_tensor, byte_offset, 40);
CLRS__LIES_AT(struct DLManagedTensor, manager_ctx, 48);
CLRS__LIES_AT(struct DLManagedTensor, deleter, 56);
CLRS__LIES_AT(struct DLManagedTensorVersioned, manager_ctx, 8);
CLRS__LIES_AT(struct DLManagedTensorVersioned, deleter, 16);
CLRS__LIES_AT(struct DLManagedTensorVersioned, flags, 24);
CLRS__LIES_AT(struct DLManagedTensorVersioned, tensor, 32);
_Static_assert(sizeof(void *) != 8 || sizeof(struct DLManagedTensor) == 64, "DLManagedTensor");
_Static_assert(sizeof(void *) != 8 || sizeof(struct DLManagedTensorVersioned) == 80,
               "DLManagedTensorVersioned");

#undef CLRS__LIES_AT
