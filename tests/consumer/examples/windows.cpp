/*
 * Windows of sound in C++, for users of speech models: windows of 400 samples begin every 160
 * samples and overlap. The windows are a view, and the cast to f32 is the one pass. A failed call
 * throws clreshape::error with the message.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "../checks.hpp"

namespace {

/* i16 [samples] to a new f32 [windows,400], from -1 to 1. */
clreshape::tensor windows_of(const clreshape::context &library, cl_mem sound, int64_t samples,
                             cl_command_queue queue, clreshape::event *done) {
  const clreshape::tensor whole(library, sound, CLRS_I16, {samples});
  return clreshape::enqueue(whole, "window=0,400,160 cast=f32 div=32768", {queue},
                            CLRS_COPY_IF_NEEDED, done);
}

void compare(const std::vector<int16_t> &samples, const std::vector<float> &windows) {
  for (size_t i = 0; i < windows.size(); i++) {
    require(windows[i] == static_cast<float>(samples[i / 400 * 160 + i % 400]) / 32768,
            "every sample is in its windows");
  }
}

} // namespace

int main() {
  std::vector<int16_t> samples(16000);
  for (size_t i = 0; i < samples.size(); i++) {
    samples[i] = static_cast<int16_t>(i * 2654435761U >> 15);
  }
  const cl_device_id device = find_device();
  const cl_context opencl = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  const cl_command_queue queue = clCreateCommandQueue(opencl, device, 0, nullptr);
  const cl_mem sound = clCreateBuffer(opencl, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                      samples.size() * 2, samples.data(), nullptr);
  {
    const clreshape::context library(opencl, device);
    clreshape::event done, read;
    const clreshape::tensor windows = windows_of(library, sound, 16000, queue, &done);
    require(windows.dims() == std::vector<int64_t>{98, 400}, "98 windows");
    std::vector<float> values(98 * 400);
    read = clreshape::read(windows, values, {queue, {done.get()}});
    const cl_event end = read.get();
    require(clWaitForEvents(1, &end) == CL_SUCCESS, "the windows can be read");
    compare(samples, values);
  }
  clReleaseMemObject(sound);
  clReleaseCommandQueue(queue);
  clReleaseContext(opencl);
  std::puts("every sample is where it belongs");
  return 0;
}
