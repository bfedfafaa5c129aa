/*
 * Runs openvino.cpp as its user would, on whole images and on a part of one, and compares every
 * element with OpenVINO's CPU plugin, whose input a plain loop makes. Pixels, means, deviations and
 * weights are such that every sum is exact in whatever order it is added up: both must be equal.
 *
 * All of it is enqueued before the image is there, so whoever waits in between waits for ever; and
 * the layer counts what is carried between host and device.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define OV_GPU_USE_OPENCL_HPP
#include <clreshape/clreshape.hpp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <openvino/openvino.hpp>
#include <openvino/opsets/opset8.hpp>
#include <openvino/runtime/intel_gpu/ocl/ocl.hpp>

ov::InferRequest request_on(cl_command_queue queue, const std::shared_ptr<ov::Model> &model,
                            const clreshape::tensor &planes, const clreshape::tensor &result);
void infer(const clreshape::context &library, const clreshape::tensor &image,
           const clreshape::tensor &planes, ov::InferRequest &request, cl_command_queue queue);

namespace {

constexpr int64_t rows = 61, columns = 83, channels = 3, kinds = 5;
constexpr float means[] = {128, 64, 96}, deviations[] = {64, 32, 128};

using bytes = std::vector<unsigned char>;
using floats = std::vector<float>;

void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "failed: %s\n", what);
    std::exit(1);
  }
}

/* A 3x3 convolution with small whole weights, then what is above 0: every pixel of every channel
 * counts, and so does where it is. */
std::shared_ptr<ov::Model> model_of() {
  using namespace ov::opset8;
  const ov::Shape input{1, channels, rows, columns}, shape{kinds, channels, 3, 3};
  floats weights(ov::shape_size(shape));
  for (size_t i = 0; i < weights.size(); i++) {
    weights[i] = static_cast<float>(i * 37 % 11) - 5;
  }
  const auto planes = std::make_shared<Parameter>(ov::element::f32, input);
  const auto filtered = std::make_shared<Convolution>(
      planes, Constant::create(ov::element::f32, shape, weights), ov::Strides{1, 1},
      ov::CoordinateDiff{1, 1}, ov::CoordinateDiff{1, 1}, ov::Strides{1, 1});
  return std::make_shared<ov::Model>(ov::OutputVector{std::make_shared<Relu>(filtered)},
                                     ov::ParameterVector{planes});
}

/* ---- what is wanted ---- */

/* The pixels of a part that begins at `first`, in an image that is `pitch` pixels wide. */
floats planes_of(const bytes &image, size_t first, size_t pitch) {
  floats planes;
  for (size_t plane = 0; plane < channels; plane++) {
    const size_t channel = channels - 1 - plane;
    for (size_t row = 0; row < rows; row++) {
      for (size_t column = 0; column < columns; column++) {
        const float value = image[(first + row * pitch + column) * channels + channel];
        planes.push_back((value - means[channel]) / deviations[channel]);
      }
    }
  }
  return planes;
}

floats on_the_cpu(const std::shared_ptr<ov::Model> &model, floats &planes) {
  ov::InferRequest request =
      ov::Core()
          .compile_model(model, "CPU", ov::hint::inference_precision(ov::element::f32))
          .create_infer_request();
  request.set_input_tensor({ov::element::f32, {1, channels, rows, columns}, planes.data()});
  request.infer();
  const ov::Tensor result = request.get_output_tensor();
  return {result.data<float>(), result.data<float>() + result.get_size()};
}

/* ---- what is there ---- */

struct host {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr, uploads = nullptr;
};

host open_host() {
  host opened;
  cl_platform_id platform = nullptr;
  require(clGetPlatformIDs(1, &platform, nullptr) == CL_SUCCESS &&
              clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &opened.device, nullptr) ==
                  CL_SUCCESS,
          "the layer shows a GPU");
  opened.context = clCreateContext(nullptr, 1, &opened.device, nullptr, nullptr, nullptr);
  opened.queue = clCreateCommandQueue(opened.context, opened.device, 0, nullptr);
  opened.uploads = clCreateCommandQueue(opened.context, opened.device, 0, nullptr);
  require(opened.queue != nullptr && opened.uploads != nullptr, "clCreateCommandQueue");
  return opened;
}

void close_host(const host &opened) {
  clReleaseCommandQueue(opened.uploads);
  clReleaseCommandQueue(opened.queue);
  clReleaseContext(opened.context);
}

unsigned transfers() {
  void *layer = dlopen(std::getenv("OPENCL_LAYERS"), RTLD_LAZY | RTLD_NOLOAD);
  require(layer != nullptr, "the layer is loaded");
  const auto count = reinterpret_cast<unsigned (*)()>(dlsym(layer, "openvino_layer_transfers"));
  require(count != nullptr, "the layer counts");
  const unsigned counted = count();
  dlclose(layer);
  return counted;
}

clreshape::tensor floats_on(const clreshape::context &library, const std::vector<int64_t> &dims) {
  clrs_shape shape;
  clrs_tensor *made = nullptr;
  clreshape::call(clrs_shape_init, dims.size(), dims.data(), &shape);
  clreshape::call(clrs_tensor_allocate, library.get(), nullptr, CLRS_F32, &shape, &made);
  return clreshape::tensor(made);
}

struct pipeline {
  host opencl;
  clreshape::context library;
  clreshape::tensor planes, result;
  ov::InferRequest request;
};

/* What is enqueued on the pipeline's queue from now on runs when the image has been written, and
 * that happens after the event is set. */
cl_event hold(const pipeline &line, cl_mem image, const bytes &pixels) {
  cl_event gate = clCreateUserEvent(line.opencl.context, nullptr), written = nullptr;
  require(gate != nullptr &&
              clEnqueueWriteBuffer(line.opencl.uploads, image, CL_FALSE, 0, pixels.size(),
                                   pixels.data(), 1, &gate, &written) == CL_SUCCESS &&
              clEnqueueBarrierWithWaitList(line.opencl.queue, 1, &written, nullptr) == CL_SUCCESS &&
              clFlush(line.opencl.uploads) == CL_SUCCESS,
          "an image that is written later");
  clReleaseEvent(written);
  return gate;
}

floats infer_on(pipeline &line, const clreshape::tensor &image, const bytes &pixels) {
  const float poison = -12345;
  floats got(static_cast<size_t>(kinds * rows * columns));
  clreshape::fill(line.planes, &poison, {line.opencl.queue});
  clreshape::fill(line.result, &poison, {line.opencl.queue});
  const unsigned before = transfers();
  cl_event gate = hold(line, image.storage().buffer, pixels);
  infer(line.library, image, line.planes, line.request, line.opencl.queue);
  clreshape::read(line.result, got, {line.opencl.queue});
  require(clSetUserEventStatus(gate, CL_COMPLETE) == CL_SUCCESS &&
              clFinish(line.opencl.queue) == CL_SUCCESS,
          "the commands run");
  clReleaseEvent(gate);
  line.request.wait();
  require(transfers() == before + 2, "the image and the result are all that is carried");
  return got;
}

/* ---- the two compared ---- */

void compare(const floats &got, const floats &wanted) {
  size_t wrong = 0, positive = 0;
  for (size_t i = 0; i < wanted.size(); i++) {
    wrong += got[i] != wanted[i];
    positive += wanted[i] > 0;
  }
  require(got.size() == wanted.size() && positive > wanted.size() / 4, "there is a result");
  if (wrong != 0) {
    std::fprintf(stderr, "failed: %zu of %zu elements differ\n", wrong, wanted.size());
    std::exit(1);
  }
}

/* An image of `height` rows of `width` pixels, of which the part that begins at [top, left] is what
 * the network sees. */
struct frame {
  int64_t height, width, top, left;
};

void check(pipeline &line, const std::shared_ptr<ov::Model> &model, const frame &f, size_t seed) {
  bytes pixels(static_cast<size_t>(f.height * f.width * channels));
  for (size_t i = 0; i < pixels.size(); i++) {
    pixels[i] = static_cast<unsigned char>((i + seed) * 2654435761U >> 21);
  }
  cl_mem buffer =
      clCreateBuffer(line.opencl.context, CL_MEM_READ_WRITE, pixels.size(), nullptr, nullptr);
  const clreshape::tensor whole(line.library, buffer, CLRS_U8, {f.height, f.width, channels});
  const std::string part = "slice=" + std::to_string(f.top) + ":" + std::to_string(f.top + rows) +
                           "," + std::to_string(f.left) + ":" + std::to_string(f.left + columns);
  const floats got = infer_on(line, whole.apply(part), pixels);
  floats planes = planes_of(pixels, static_cast<size_t>(f.top * f.width + f.left),
                            static_cast<size_t>(f.width));
  compare(got, on_the_cpu(model, planes));
  clReleaseMemObject(buffer);
}

void run(const host &opened) {
  const clreshape::context library(opened.context, opened.device);
  const std::shared_ptr<ov::Model> model = model_of();
  pipeline line{opened,
                library,
                floats_on(library, {1, channels, rows, columns}),
                floats_on(library, {1, kinds, rows, columns}),
                {}};
  line.request = request_on(opened.queue, model, line.planes, line.result);
  auto input = line.request.get_input_tensor().as<ov::intel_gpu::ocl::ClBufferTensor>();
  require(input.get() == line.planes.storage().buffer, "the plugin reads clreshape's buffer");
  check(line, model, {rows, columns, 0, 0}, 1);
  check(line, model, {rows, columns, 0, 0}, 2);
  check(line, model, {rows + 9, columns + 7, 4, 5}, 3);
}

} // namespace

int main() {
  const host opened = open_host();
  run(opened);
  close_host(opened);
  std::printf("OpenVINO %s: as its CPU plugin has it\n", ov::get_openvino_version().buildNumber);
  return 0;
}
