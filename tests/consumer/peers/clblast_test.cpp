/*
 * Runs clblast.cpp as its user would: clblast_test BATCH TOKENS HEADS CHANNELS reads Q, K and V
 * from standard input and writes the scores to standard output, both as f32; clblast_test.py
 * compares them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../checks.hpp"

#include <clblast_c.h>

clreshape::tensor heads_of(const clreshape::tensor &qkv, int heads, int part);
CLBlastStatusCode attention_scores(const clreshape::tensor &q, const clreshape::tensor &k,
                                   const clreshape::tensor &scores, cl_command_queue queue);

namespace {

cl_mem buffer_of(cl_context context, std::vector<float> &values) {
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 values.size() * sizeof(float), values.data(), nullptr);
  require(buffer != nullptr, "clCreateBuffer");
  return buffer;
}

void run(const clreshape::context &library, cl_command_queue queue, cl_mem qkv_buffer,
         cl_mem scores_buffer, const int *sizes) {
  const int64_t batch = sizes[0], tokens = sizes[1], heads = sizes[2], channels = sizes[3];
  const clreshape::tensor qkv(library, qkv_buffer, CLRS_F32, {batch, tokens, 3 * heads * channels});
  const clreshape::tensor scores(library, scores_buffer, CLRS_F32, {batch, heads, tokens, tokens});
  const clreshape::tensor q = heads_of(qkv, sizes[2], 0), k = heads_of(qkv, sizes[2], 1);
  require(q.dims() == std::vector<int64_t>{batch, heads, tokens, channels}, "the heads' shape");
  require(q.storage().buffer == qkv_buffer && k.storage().buffer == qkv_buffer,
          "the heads are views of the one buffer");
  require(attention_scores(q, k, scores, queue) == CLBlastSuccess, "CLBlastSgemmBatched");
}

} // namespace

int main(int argc, char **argv) {
  require(argc == 5, "clblast_test BATCH TOKENS HEADS CHANNELS");
  const int sizes[] = {std::atoi(argv[1]), std::atoi(argv[2]), std::atoi(argv[3]),
                       std::atoi(argv[4])};
  const size_t rows = static_cast<size_t>(sizes[0] * sizes[2] * sizes[1]);
  std::vector<float> values(3 * rows * static_cast<size_t>(sizes[3]));
  std::vector<float> got(rows * static_cast<size_t>(sizes[1]), -12345);
  require(std::fread(values.data(), sizeof(float), values.size(), stdin) == values.size(),
          "all of Q, K and V is read");
  cl_device_id device = find_device();
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  cl_mem qkv = buffer_of(context, values), scores = buffer_of(context, got);
  run(clreshape::context(context, device), queue, qkv, scores, sizes);
  require(clEnqueueReadBuffer(queue, scores, CL_TRUE, 0, got.size() * sizeof(float), got.data(), 0,
                              nullptr, nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  CLBlastClearCache();
  clReleaseMemObject(qkv);
  clReleaseMemObject(scores);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  require(std::fwrite(got.data(), sizeof(float), got.size(), stdout) == got.size(), "writing");
  return 0;
}
