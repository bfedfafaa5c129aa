/*
 * A producer of DLPack tensors as in DLPack's header: the lent tensor, and the number of returns.
 * Debian's header is of 0.6. The additions of 1.0 are declared here as documented in 1.3. The same
 * tests are also compiled with a header of 1.3 (dlpack_peers.py).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CLRS_TEST_LENT_H
#define CLRS_TEST_LENT_H

#include <dlpack/dlpack.h>

#ifndef DLPACK_MAJOR_VERSION
typedef struct {
  uint32_t major, minor;
} DLPackVersion;
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned *self);
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;
#define DLPACK_FLAG_BITMASK_READ_ONLY (1UL << 0UL)
#define DLPACK_FLAG_BITMASK_IS_COPIED (1UL << 1UL)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED (1UL << 2UL)
enum {
  kDLBool = 6,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz,
  kDLFloat8_e5m2,
  kDLFloat8_e5m2fnuz,
  kDLFloat8_e8m0fnu,
  kDLFloat6_e2m3fn,
  kDLFloat6_e3m2fn,
  kDLFloat4_e2m1fn
};
#endif

#include "api.h"
#include "clreshape/clreshape.h"

/* The two structs have the same content. One of the two is lent. */
typedef struct lent {
  bool is_versioned;
  int64_t dims[CLRS_MAX_RANK + 1], strides[CLRS_MAX_RANK + 1];
  DLManagedTensor plain;
  DLManagedTensorVersioned versioned;
  int deleted; /* how often */
} lent;

/* f32 [4, 6] over the whole buffer, dense with strides of NULL, which the caller then changes. Must
 * not move while lent. */
void lent_init(lent *l, bool is_versioned, cl_mem buffer);
DLTensor *lent_tensor(lent *l);
/* strides: NULL stays NULL. */
void lent_set(lent *l, DLDataType type, int32_t rank, const int64_t *dims, const int64_t *strides);
clrs_status lent_take(lent *l, clrs_context *library, clrs_tensor **tensor, clrs_error *error);
/* The library types as DLPack types, by DLPack's documentation. */
typedef struct lent_type {
  uint8_t code, bits;
  clrs_dtype dtype;
} lent_type;
extern const lent_type lent_types[];
extern const size_t lent_type_count;

#endif
