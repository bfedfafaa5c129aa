/*
 * Any bytes as a TensorProto. An accepted tensor has exactly the bytes that the shape needs. A
 * written tensor is read back the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "fuzz.h"
#include "onnx/message.h"
#include "onnx/tensor_proto.h"

static void check_written(const onnx_dense *tensor) {
  uint8_t header[1024];
  size_t size = 0;
  clrs_error error;
  if (clrs_onnx_tensor_header(tensor->dtype, &tensor->shape, "x", header, sizeof header, &size,
                              &error) != CLRS_OK) {
    return; /* a type that ONNX lacks */
  }
  uint8_t *bytes = malloc(size + tensor->size + 1);
  REQUIRE(bytes != NULL);
  memcpy(bytes, header, size);
  if (tensor->size > 0) {
    memcpy(bytes + size, tensor->bytes, tensor->size);
  }
  Onnx__TensorProto *proto = onnx__tensor_proto__unpack(NULL, size + tensor->size, bytes);
  onnx_arena arena = {.left = SIZE_MAX};
  onnx_strings strings = {0};
  onnx_dense again;
  REQUIRE(proto != NULL);
  REQUIRE(tensor_proto_decode(proto, &arena, &strings, &again, &error) == CLRS_OK);
  REQUIRE(again.dtype == tensor->dtype && again.size == tensor->size);
  REQUIRE(clrs_shape_equal(&again.shape, &tensor->shape));
  REQUIRE(again.size == 0 || memcmp(again.bytes, tensor->bytes, again.size) == 0);
  onnx_arena_end_node(&arena);
  onnx__tensor_proto__free_unpacked(proto, NULL);
  free(bytes);
}

static void check_decoded(const Onnx__TensorProto *proto) {
  onnx_arena arena = {.left = SIZE_MAX};
  onnx_strings strings = {0};
  onnx_dense tensor;
  clrs_error error;
  uint64_t size = 0;
  const clrs_status status = tensor_proto_decode(proto, &arena, &strings, &tensor, &error);
  if (status == CLRS_OK) {
    REQUIRE(onnx_dense_size(tensor.dtype, &tensor.shape, &size, &error) == CLRS_OK);
    REQUIRE(size == tensor.size && (tensor.size == 0 || tensor.bytes != NULL));
    if (tensor.dtype != CLRS_STRING) {
      check_written(&tensor);
    }
  } else {
    REQUIRE(error.status == status && error.message[0] != '\0');
  }
  onnx_arena_end_node(&arena);
  onnx_strings_free(&strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ProtobufCMessage *message = NULL;
  clrs_error error;
  fuzz_memory_begin(4 * size); /* the message, and bytes and message again in the rewriting */
  if (onnx_message_read(&onnx__tensor_proto__descriptor, data, size, &message, NULL, &error) ==
      CLRS_OK) {
    check_decoded((const Onnx__TensorProto *)message);
    protobuf_c_message_free_unpacked(message, NULL);
  } else {
    REQUIRE(error.message[0] != '\0');
  }
  fuzz_memory_end();
  return 0;
}
