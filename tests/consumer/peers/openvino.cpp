/*
 * OpenVINO's GPU plugin and clreshape on their host's context and queue: an image of bytes, or part
 * of one, to planes, which the plugin reads where they are. Nothing passes through host memory.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define OV_GPU_USE_OPENCL_HPP
#include <clreshape/clreshape.hpp>
#include <openvino/openvino.hpp>
#include <openvino/runtime/intel_gpu/ocl/ocl.hpp>

/* A dense tensor of floats as the plugin has it: a buffer, without an offset. */
ov::RemoteTensor remote_of(ov::intel_gpu::ocl::ClContext &plugin, const clreshape::tensor &tensor) {
  OPENVINO_ASSERT(tensor.dtype() == CLRS_F32 && tensor.storage().byte_offset == 0);
  const std::vector<int64_t> dims = tensor.dims();
  return plugin.create_tensor(ov::element::f32, ov::Shape(dims.begin(), dims.end()),
                              tensor.storage().buffer);
}

/* The model on the host's queue, between two tensors that live as long as the request. */
ov::InferRequest request_on(cl_command_queue queue, const std::shared_ptr<ov::Model> &model,
                            const clreshape::tensor &planes, const clreshape::tensor &result) {
  ov::Core core;
  ov::intel_gpu::ocl::ClContext plugin(core, queue);
  auto request = core.compile_model(model, plugin, ov::hint::inference_precision(ov::element::f32))
                     .create_infer_request();
  request.set_input_tensor(remote_of(plugin, planes));
  request.set_output_tensor(remote_of(plugin, result));
  return request;
}

/* Enqueues both and does not wait for them: the queue runs its commands in order. */
void infer(const clreshape::context &library, const clreshape::tensor &image,
           const clreshape::tensor &planes, ov::InferRequest &request, cl_command_queue queue) {
  clreshape::move(image, "cast=f32 mean=128,64,96 std=64,32,128 rearrange=h w c -> 1 c h w flip=1",
                  planes, {queue});
  request.wait(); /* for the image before: a request takes one at a time */
  request.start_async();
}
