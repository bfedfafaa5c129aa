/*
 * OpenCV's UMat to normalised planes, for users whose images come from OpenCV: an image, or a part
 * of an image, on OpenCV's own context and queue. The cost is one pass, without a copy to or from
 * OpenCV.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <clreshape/clreshape.hpp>
#include <opencv2/core/ocl.hpp>

clreshape::context opencv_context() {
  return {static_cast<cl_context>(cv::ocl::Context::getDefault().ptr()),
          static_cast<cl_device_id>(cv::ocl::Device::getDefault().ptr())};
}

/* The elements of a UMat of bytes or floats as a tensor [rows, columns, channels], in OpenCV's
 * buffer. If the UMat is a part of an image, array.step is the distance of the image's rows, and
 * array.offset is the first byte of the part. */
clreshape::tensor tensor_of(const clreshape::context &library, const cv::UMat &array,
                            cv::AccessFlag access) {
  CV_Assert(array.depth() == CV_8U || array.depth() == CV_32F);
  std::vector<int64_t> dims(array.size.p, array.size.p + array.dims), strides;
  for (int i = 0; i < array.dims; i++) {
    strides.push_back(static_cast<int64_t>(array.step[i] / array.elemSize1()));
  }
  if (array.channels() > 1) {
    dims.push_back(array.channels());
    strides.push_back(1);
  }
  clrs_shape shape;
  clrs_layout layout;
  clreshape::call(clrs_shape_init, dims.size(), dims.data(), &shape);
  clreshape::call(clrs_layout_init, array.depth() == CV_8U ? CLRS_U8 : CLRS_F32, &shape,
                  strides.data(), 0, &layout);
  return {library, {static_cast<cl_mem>(array.handle(access)), array.offset}, layout};
}

/* An image of blue, green and red to f32 planes of red, green and blue, normalised. The function
 * does not wait and needs no event, because OpenCV's queue runs all commands in order. */
void normalize_planes(const clreshape::context &library, const cv::UMat &image, cv::UMat &planes) {
  const int sizes[] = {3, image.rows, image.cols};
  planes.create(3, sizes, CV_32F);
  clreshape::move(tensor_of(library, image, cv::ACCESS_READ),
                  "cast=f32 mean=103.5,116.3,123.7 std=57.4,57.1,58.4 permute=2,0,1 flip=0",
                  tensor_of(library, planes, cv::ACCESS_WRITE),
                  {static_cast<cl_command_queue>(cv::ocl::Queue::getDefault().ptr())});
}
