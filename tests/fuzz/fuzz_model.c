/*
 * Any bytes as an ONNX model: reading and checking it, and decoding what it holds.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model.h"
#include "cli/tensor_proto.h"
#include "fuzz.h"

static void decode_initializers(const Onnx__GraphProto *graph) {
  cli_strings strings = {0};
  for (size_t i = 0; i < graph->n_initializer; i++) {
    cli_dense tensor;
    clrs_error error;
    if (cli_tensor_proto_decode(graph->initializer[i], &strings, &tensor, &error) == CLRS_OK) {
      cli_dense_free(&tensor);
    }
  }
  cli_strings_free(&strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cli_model model;
  clrs_error error;
  const char *path = fuzz_file(data, size);
  fuzz_memory_begin(size);
  if (cli_model_open(path, &model, &error) == CLRS_OK) {
    REQUIRE(model.proto != NULL && model.proto->graph != NULL);
    REQUIRE(model.proto->graph->n_node <= MODEL_MAX_NODES);
    decode_initializers(model.proto->graph);
    cli_model_close(&model);
  } else {
    REQUIRE(error.message[0] != '\0');
  }
  fuzz_memory_end();
  return 0;
}
