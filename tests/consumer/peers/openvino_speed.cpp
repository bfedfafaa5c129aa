/*
 * OpenVINO's own preprocessing beside clreshape's: bytes [1, rows, columns, 3] to normalised f32
 * planes, on one queue, from one buffer into another. Medians of rounds in which each has its turn,
 * with a copy that reads and writes as many bytes.
 *
 * It runs on a CPU, and OpenVINO's kernels are made for GPUs. So are clreshape's of the second
 * line; those of the third are what clreshape takes on a CPU. Figures for GPUs these are not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define OV_GPU_USE_OPENCL_HPP
#include <algorithm>
#include <chrono>
#include <clreshape/clreshape.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <openvino/openvino.hpp>
#include <openvino/opsets/opset8.hpp>
#include <openvino/runtime/intel_gpu/ocl/ocl.hpp>

namespace {

constexpr int64_t rows = 1080, columns = 1920, channels = 3;
constexpr size_t count = rows * columns * channels, rounds = 31;

void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
  }
}

struct bench {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  cl_mem image = nullptr, planes = nullptr, spare = nullptr; /* spare: as large as planes */
};

bench open_bench() {
  bench b;
  cl_platform_id platform = nullptr;
  require(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS &&
              clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &b.device, nullptr) == CL_SUCCESS,
          "the layer shows a GPU");
  b.context = clCreateContext(nullptr, 1, &b.device, nullptr, nullptr, nullptr);
  b.queue = clCreateCommandQueue(b.context, b.device, 0, nullptr);
  std::vector<unsigned char> pixels(count);
  for (size_t i = 0; i < count; i++) {
    pixels[i] = static_cast<unsigned char>(i * 2654435761U >> 21);
  }
  b.image = clCreateBuffer(b.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, count,
                           pixels.data(), nullptr);
  b.planes = clCreateBuffer(b.context, CL_MEM_READ_WRITE, 4 * count, nullptr, nullptr);
  b.spare = clCreateBuffer(b.context, CL_MEM_READ_WRITE, 4 * count, nullptr, nullptr);
  require(b.image != nullptr && b.planes != nullptr && b.spare != nullptr, "buffers");
  return b;
}

std::vector<float> planes_of(const bench &b) {
  std::vector<float> planes(count);
  require(clEnqueueReadBuffer(b.queue, b.planes, CL_TRUE, 0, 4 * count, planes.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  return planes;
}

ov::InferRequest openvino(const bench &b) {
  const ov::Shape nchw{1, channels, rows, columns}, nhwc{1, rows, columns, channels};
  const auto input = std::make_shared<ov::opset8::Parameter>(ov::element::f32, nchw);
  auto model = std::make_shared<ov::Model>(ov::OutputVector{input}, ov::ParameterVector{input});
  ov::preprocess::PrePostProcessor before(model);
  before.input().tensor().set_element_type(ov::element::u8).set_layout("NHWC");
  before.input().model().set_layout("NCHW");
  before.input()
      .preprocess()
      .convert_element_type(ov::element::f32)
      .mean({123.675F, 116.28F, 103.53F})
      .scale({58.395F, 57.12F, 57.375F});
  ov::Core core;
  ov::intel_gpu::ocl::ClContext plugin(core, b.queue);
  ov::CompiledModel compiled =
      core.compile_model(before.build(), plugin, ov::hint::inference_precision(ov::element::f32));
  ov::InferRequest request = compiled.create_infer_request();
  request.set_input_tensor(plugin.create_tensor(ov::element::u8, nhwc, b.image));
  request.set_output_tensor(plugin.create_tensor(ov::element::f32, nchw, b.planes));
  return request;
}

clreshape::context library_of(const bench &b, clrs_execution execution) {
  clrs_context_options options = CLRS_CONTEXT_OPTIONS_INIT;
  options.context = b.context;
  options.device = b.device;
  options.limits.execution = execution;
  return clreshape::context(options);
}

std::function<void()> clreshape_on(const bench &b, clrs_execution execution) {
  const clreshape::context library = library_of(b, execution);
  const clreshape::tensor image(library, b.image, CLRS_U8, {1, rows, columns, channels});
  const clreshape::tensor planes(library, b.planes, CLRS_F32, {1, channels, rows, columns});
  return [=] {
    clreshape::move(image,
                    "cast=f32 mean=123.675,116.28,103.53 std=58.395,57.12,57.375 "
                    "permute=0,3,1,2",
                    planes, {b.queue});
  };
}

struct way {
  const char *name;
  std::function<void()> enqueue;
  std::vector<double> milliseconds;
};

double timed(const bench &b, const std::function<void()> &enqueue) {
  const auto begin = std::chrono::steady_clock::now();
  enqueue();
  require(clFinish(b.queue) == CL_SUCCESS, "clFinish");
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
      .count();
}

float difference(const std::vector<float> &a, const std::vector<float> &b) {
  float most = 0;
  for (size_t i = 0; i < count; i++) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

/* All but the copy, which is last, have the same result. */
void compare(const bench &b, const std::vector<way> &ways) {
  const float poison = -12345;
  std::vector<float> first;
  for (size_t i = 0; i + 1 < ways.size(); i++) {
    clEnqueueFillBuffer(b.queue, b.planes, &poison, sizeof poison, 0, 4 * count, 0, nullptr,
                        nullptr);
    timed(b, ways[i].enqueue);
    const std::vector<float> got = planes_of(b);
    first = i == 0 ? got : first;
    require(difference(got, first) < 1e-6F, "the results are the same");
  }
}

void measure(const bench &b, std::vector<way> &ways) {
  for (size_t i = 0; i < rounds; i++) {
    for (way &w : ways) {
      w.milliseconds.push_back(timed(b, w.enqueue));
    }
  }
  for (way &w : ways) {
    std::nth_element(w.milliseconds.begin(), w.milliseconds.begin() + rounds / 2,
                     w.milliseconds.end());
    std::printf("%-24s %7.2f ms\n", w.name, w.milliseconds[rounds / 2]);
  }
}

} // namespace

int main() {
  const bench b = open_bench();
  ov::InferRequest request = openvino(b);
  const auto infer = [&] {
    request.wait();
    request.start_async();
  };
  const auto copy = [&] { /* reads and writes 5 * count bytes, as the others do */
                          clEnqueueCopyBuffer(b.queue, b.spare, b.planes, 0, 0, 5 * count / 2, 0,
                                              nullptr, nullptr);
  };
  std::vector<way> ways = {{"OpenVINO", infer, {}},
                           {"clreshape, GPU kernels", clreshape_on(b, CLRS_EXECUTION_GPU), {}},
                           {"clreshape, CPU kernels", clreshape_on(b, CLRS_EXECUTION_CPU), {}},
                           {"a copy", copy, {}}};
  compare(b, ways);
  measure(b, ways);
  return 0;
}
