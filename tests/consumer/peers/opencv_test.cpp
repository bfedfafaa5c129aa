/*
 * Runs ../examples/umat.cpp as its user would, on a whole image and on a part of one, and compares
 * every element with a plain loop.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../checks.hpp"

#include <opencv2/core.hpp>
#include <opencv2/core/ocl.hpp>

clreshape::context opencv_context();
clreshape::tensor tensor_of(const clreshape::context &library, const cv::UMat &array,
                            cv::AccessFlag access);
void normalize_planes(const clreshape::context &library, const cv::UMat &image, cv::UMat &planes);

namespace {

constexpr float means[] = {103.5F, 116.3F, 123.7F}, deviations[] = {57.4F, 57.1F, 58.4F};
constexpr float poison = -12345;

void compare(const cv::Mat &image, const cv::UMat &planes) {
  cv::Mat got;
  planes.copyTo(got);
  require(got.dims == 3 && got.size[0] == 3 && got.size[1] == image.rows &&
              got.size[2] == image.cols && got.type() == CV_32F,
          "three planes of floats");
  for (int plane = 0; plane < 3; plane++) {
    const int channel = 2 - plane;
    for (int row = 0; row < image.rows; row++) {
      for (int column = 0; column < image.cols; column++) {
        const float difference =
            static_cast<float>(image.ptr(row, column)[channel]) - means[channel];
        require(got.at<float>(plane, row, column) == difference / deviations[channel],
                "every element is where it belongs");
      }
    }
  }
}

/* Into the second image of a batch of two, of which the first stays as it was. */
void check(const clreshape::context &library, const cv::Mat &host, const cv::UMat &image) {
  const int batch_sizes[] = {2, 3, image.rows, image.cols};
  cv::UMat batch(4, batch_sizes, CV_32F);
  batch.setTo(poison);
  const cv::Range first[] = {{0, 1}, cv::Range::all(), cv::Range::all(), cv::Range::all()};
  const cv::Range second[] = {{1, 2}, cv::Range::all(), cv::Range::all(), cv::Range::all()};
  cv::UMat planes = batch(second).reshape(1, 3, batch_sizes + 1);
  normalize_planes(library, image, planes);
  require(planes.handle(cv::ACCESS_READ) == batch.handle(cv::ACCESS_READ),
          "the planes are written where they were");
  compare(host, planes);
  cv::Mat other;
  batch(first).copyTo(other);
  require(cv::countNonZero(other.reshape(1, 1) != poison) == 0, "the other image is left alone");
  const clrs_storage storage = tensor_of(library, image, cv::ACCESS_READ).storage();
  require(storage.buffer == image.handle(cv::ACCESS_READ) && storage.byte_offset == image.offset,
          "the pixels are read where they are");
  cv::Mat after;
  image.copyTo(after);
  require(cv::norm(after, host, cv::NORM_INF) == 0, "the image is as it was");
}

} // namespace

int main() {
  if (!cv::ocl::haveOpenCL() || cv::ocl::Device::getDefault().ptr() == nullptr) {
    const char *required = std::getenv("CLRS_REQUIRE_DEVICE");
    std::puts("skipped: OpenCV finds no OpenCL device (OPENCV_OPENCL_DEVICE says which it takes)");
    return required != nullptr && std::strcmp(required, "1") == 0 ? 1 : 77;
  }
  cv::ocl::setUseOpenCL(true);
  cv::Mat host(241, 322, CV_8UC3);
  for (size_t i = 0; i < host.total() * 3; i++) {
    host.data[i] = static_cast<unsigned char>(i * 2654435761U >> 21);
  }
  cv::UMat image;
  host.copyTo(image);
  const clreshape::context library = opencv_context();
  check(library, host, image);
  const cv::Rect part(17, 5, 203, 101);
  require(!image(part).isContinuous() && image(part).offset != 0, "a part has a pitch");
  check(library, host(part), image(part));
  std::printf("OpenCV %s: as expected\n", CV_VERSION);
  return 0;
}
