/*
 * The negative matrix: DLPack.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runtime.h"

static void count_plain(struct DLManagedTensor *managed) {
  (void)managed;
  w.deletions++;
}

static void count_versioned(struct DLManagedTensorVersioned *managed) {
  (void)managed;
  w.deletions++;
}

/* f32 [4, 6] over the source. A refused tensor stays the caller's. */
static void lend(arguments *a) {
  a->one_list[0] = 4;
  a->one_list[1] = 6;
  a->one_list[2] = 6;
  a->one_list[3] = 1;
  a->one_managed = (struct DLManagedTensor){.tensor = {.data = w.source,
                                                       .device_type = 4,
                                                       .ndim = 2,
                                                       .dtype = {2, 32, 1},
                                                       .shape = a->one_list,
                                                       .strides = a->one_list + 2},
                                            .deleter = count_plain};
  a->one_versioned = (struct DLManagedTensorVersioned){
      .major = 1, .minor = 3, .deleter = count_versioned, .tensor = a->one_managed.tensor};
}

#define TENSOR_ROWS(given)                                                                         \
  NULL_OF(context, "context")                                                                      \
  ROW(context, w.foreign_library, CLRS_INVALID_ARGUMENT, "the clrs_context is of")                 \
  NULL_OF(given, "managed")                                                                        \
  ROW(given->tensor.data, NULL, CLRS_INVALID_ARGUMENT, "the buffer is NULL; only a tensor")        \
  ROW(given->tensor.data, w.foreign_buffer, CLRS_INVALID_ARGUMENT, "the clrs_context is of")       \
  ROW(given->tensor.data, w.small, CLRS_OUT_OF_BOUNDS, "touches bytes 0 to 96 of a buffer that")   \
  ROW(given->tensor.device_type, 0, CLRS_INVALID_ARGUMENT, "device type 0; it must be kDLOpenCL")  \
  ROW(given->tensor.device_type, 2, CLRS_INVALID_ARGUMENT, "device type 2; it must be kDLOpenCL")  \
  ROW(given->tensor.device_type, -1, CLRS_INVALID_ARGUMENT, "device type -1; it must be")          \
  TAKES(given->tensor.device_id, 7)                                                                \
  TAKES(given->tensor.device_id, -1)                                                               \
  ROW(given->tensor.ndim, -1, CLRS_INVALID_ARGUMENT, "ndim is -1; it must be at least 0")          \
  ROW(given->tensor.ndim, INT32_MIN, CLRS_INVALID_ARGUMENT, "ndim is -2147483648")                 \
  ROW(given->tensor.ndim, 33, CLRS_LIMIT_EXCEEDED, "rank 33 is over the limit of 32 dims")         \
  ROW(given->tensor.ndim, INT32_MAX, CLRS_LIMIT_EXCEEDED, "rank 2147483647 is over the limit")     \
  TAKES(given->tensor.ndim, 0)                                                                     \
  ROW(given->tensor.dtype.code, 3, CLRS_UNSUPPORTED, "type code 3, 32 bits and 1 lanes")           \
  ROW(given->tensor.dtype.code, 255, CLRS_UNSUPPORTED, "type code 255, 32 bits")                   \
  ROW(given->tensor.dtype.bits, 0, CLRS_UNSUPPORTED, "type code 2, 0 bits and 1 lanes")            \
  ROW(given->tensor.dtype.lanes, 0, CLRS_UNSUPPORTED, "32 bits and 0 lanes")                       \
  ROW(given->tensor.dtype.lanes, 4, CLRS_UNSUPPORTED, "32 bits and 4 lanes")                       \
  ROW(given->tensor.dtype.lanes, UINT16_MAX, CLRS_UNSUPPORTED, "32 bits and 65535 lanes")          \
  NULL_OF(given->tensor.shape, "dims")                                                             \
  ROW(one_list[0], -1, CLRS_INVALID_ARGUMENT, "dimension 0 of a shape is -1")                      \
  ROW(one_list[1], INT64_MAX, CLRS_OVERFLOW, "multiply to more than 64 bits")                      \
  TAKES(given->tensor.strides, NULL)                                                               \
  ROW(one_list[2], INT64_MAX, CLRS_OVERFLOW, "dimension 0 (extent 4, stride 9223372036854775807")  \
  ROW(one_list[2], -6, CLRS_OUT_OF_BOUNDS, "reaches element -18, before the start")                \
  TAKES(given->tensor.byte_offset, 1)                                                              \
  ROW(given->tensor.byte_offset, WORLD_BYTES, CLRS_OUT_OF_BOUNDS, "touches bytes 1024 to 1120")    \
  ROW(given->tensor.byte_offset, UINT64_MAX, CLRS_OVERFLOW, "from byte 18446744073709551615")      \
  NULL_OF(tensor_out, "tensor")

FUNCTION(clrs_tensor_from_dlpack, lend(a), a->context, a->managed,
         a->tensor_out){TENSOR_ROWS(managed)}

FUNCTION(clrs_tensor_from_dlpack_versioned, lend(a), a->context, a->managed__versioned,
         a->tensor_out) {
  TENSOR_ROWS(managed__versioned)
  ROW(managed__versioned->major, 0, CLRS_UNSUPPORTED, "DLPack 0.3; known is version 1");
  ROW(managed__versioned->major, 2, CLRS_UNSUPPORTED, "DLPack 2.3; known is version 1");
  TAKES(managed__versioned->minor, UINT32_MAX);
  TAKES(managed__versioned->flags, 7);
  ROW(managed__versioned->flags, 8, CLRS_UNSUPPORTED, "flags 0x8; known are 0x7");
  ROW(managed__versioned->flags, UINT64_MAX, CLRS_UNSUPPORTED, "flags 0xffffffffffffffff");
  ROW_IF(a->one_versioned.tensor.dtype.bits = 4, managed__versioned->flags, 4, CLRS_UNSUPPORTED,
         "of 4 bits are padded to whole bytes; they must be packed");
  ROW_IF((a->one_versioned.tensor.dtype.code = 15, a->one_versioned.tensor.dtype.bits = 6),
         managed__versioned->flags, 4, CLRS_UNSUPPORTED, "of 6 bits are padded to whole bytes");
}

#define EXPORT_ROWS(out)                                                                           \
  NULL_OF(tensor, "tensor")                                                                        \
  TAKES(tensor, w.nothing)                                                                         \
  ROW(tensor, w.mapped, CLRS_UNSUPPORTED, "the given tensor is mapped, from f32 to u8")            \
  ROW(tensor, w.strings, CLRS_UNSUPPORTED, "DLPack has no type for string")                        \
  ROW(tensor, w.of_write_only, CLRS_UNSUPPORTED, "CL_MEM_WRITE_ONLY, which DLPack cannot say")     \
  ROW(device_id, -1, CLRS_INVALID_ARGUMENT, "device_id is -1; it must be at least 0")              \
  ROW(device_id, INT32_MIN, CLRS_INVALID_ARGUMENT, "device_id is -2147483648")                     \
  TAKES(device_id, INT32_MAX)                                                                      \
  NULL_OF(out, "managed")

FUNCTION(clrs_tensor_to_dlpack, (void)0, a->tensor, a->device_id, a->managed_out) {
  EXPORT_ROWS(managed_out)
  ROW(tensor, w.into_read_only, CLRS_UNSUPPORTED, "CL_MEM_READ_ONLY, which only versioned");
}

FUNCTION(clrs_tensor_to_dlpack_versioned, (void)0, a->tensor, a->device_id,
         a->managed__versioned_out) {
  EXPORT_ROWS(managed__versioned_out)
  TAKES(tensor, w.into_read_only);
}
