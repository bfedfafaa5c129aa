"""Resized pictures on the device, by each reference, against the package that the reference stands
for: OpenCV, Pillow, ONNX Runtime and OpenVINO, bit for bit. test_torchvision.py asks PyTorch.

SPDX-License-Identifier: Apache-2.0
"""

import sys

import cv2
import numpy as np
import onnxruntime
import openvino
import PIL.Image
from onnx import TensorProto, helper

from bench import Bench, generator, numbers, require_equal


def by_opencv(name):
    def resize(picture, height, width):
        made = cv2.resize(picture, (width, height), interpolation=getattr(cv2, "INTER_" + name))
        return made.reshape(height, width, -1)
    return resize


def by_pillow(name):
    def resize(picture, height, width):
        planes = [PIL.Image.fromarray(np.ascontiguousarray(picture[..., channel]))
                  .resize((width, height), getattr(PIL.Image.Resampling, name))
                  for channel in range(picture.shape[2])]
        return np.stack([np.asarray(plane) for plane in planes], -1)
    return resize


def planes_of(picture):
    return np.ascontiguousarray(picture.transpose(2, 0, 1))[None]


def by_onnx(picture, height, width):
    planes = planes_of(picture)
    sizes = helper.make_tensor("sizes", TensorProto.INT64, [4], [*planes.shape[:2], height, width])
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear",
                            coordinate_transformation_mode="half_pixel")
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, planes.shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [sizes])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    made = onnxruntime.InferenceSession(model.SerializeToString()).run(None, {"x": planes})[0]
    return made[0].transpose(1, 2, 0)


def by_openvino(picture, height, width):
    planes = planes_of(picture)
    given = openvino.opset13.parameter(list(planes.shape), np.float32)
    operation = openvino.opset13.interpolate(
        given, np.array([height, width], np.int64), "linear_onnx", "sizes", [0, 0, 0, 0], [0, 0, 0, 0],
        "half_pixel", axes=np.array([2, 3], np.int64))
    model = openvino.Core().compile_model(openvino.Model([operation], [given]), "CPU",
                                          {"INFERENCE_PRECISION_HINT": "f32"})
    return model([planes])[0][0].transpose(1, 2, 0)


# The reference's name in a chain: its type, and the package.
REFERENCES = {
    "opencv_linear": (np.uint8, by_opencv("LINEAR")),
    "opencv_linear_exact": (np.uint8, by_opencv("LINEAR_EXACT")),
    "opencv_nearest": (np.uint8, by_opencv("NEAREST")),
    "pillow_bilinear": (np.uint8, by_pillow("BILINEAR")),
    "pillow_bicubic": (np.uint8, by_pillow("BICUBIC")),
    "onnx_linear": (np.float32, by_onnx),
    "openvino_linear": (np.float32, by_openvino),
}


def random_picture(dtype, height, width, channels):
    if dtype == np.uint8:
        return generator.integers(0, 256, (height, width, channels), np.uint8)
    return generator.normal(0, 100, (height, width, channels)).astype(np.float32)


def compare(bench, name, dtype, resize, sizes):
    from_height, from_width, height, width, channels = sizes
    picture = random_picture(dtype, from_height, from_width, channels)
    expected = resize(picture, height, width)
    chain = f"resize={height},{width},{name}"
    require_equal(bench.mapped(picture, chain, dtype, expected.shape), expected,
                  f"{chain} of {picture.shape}")
    planes = expected.transpose(2, 0, 1).astype(np.float32)
    normal = ((planes - np.float32(127.5)) / np.float32(58)).astype(np.float16)
    require_equal(bench.mapped(picture, f"{chain} permute=2,0,1 cast=f32 mean=127.5 std=58 cast=f16",
                               np.float16, normal.shape), normal, f"{chain} of {picture.shape}, normalised")


# A frame's words in a chain, and OpenCV's code.
FRAMES = {"nv12,rgb,opencv": "YUV2RGB_NV12", "nv21,bgr,opencv": "YUV2BGR_NV21", "i420,rgb,opencv": "YUV2RGB_I420",
          "yuyv,rgb,opencv": "YUV2RGB_YUYV", "uyvy,bgr,opencv": "YUV2BGR_UYVY", "bgr,grey,opencv": "BGR2GRAY"}


def compare_frame(bench, words, name, sizes):
    """cvtColor and then the package's resizing, with a part between that begins anywhere."""
    height, width, to_height, to_width = sizes
    channels = {"bgr": 3, "yuyv": 2, "uyvy": 2}.get(words.split(",")[0])
    shape = (height, width, channels) if channels else (height * 3 // 2, width)
    frame = generator.integers(0, 256, shape, np.uint8)
    pixels = cv2.cvtColor(frame, getattr(cv2, "COLOR_" + FRAMES[words])).reshape(height, width, -1)
    top, left = int(generator.integers(0, height)), int(generator.integers(0, width))
    expected = REFERENCES[name][1](np.ascontiguousarray(pixels[top:, left:]), to_height, to_width)
    axis, dims = (",axis=0", 2) if "grey" in words else ("", 3)
    chain = f"color={words} slice={top}:,{left}: resize={to_height},{to_width},{name}{axis}"
    made = bench.mapped(frame, chain, np.uint8, expected.shape[:dims])
    require_equal(made, expected, f"{chain} of {shape}")


def compare_frames(bench, count):
    names = [name for name, (dtype, _) in REFERENCES.items() if dtype == np.uint8]
    for k in range(count):
        sizes = (2 * generator.integers(1, 25, 2)).tolist() + generator.integers(1, 49, 2).tolist()
        compare_frame(bench, list(FRAMES)[k % len(FRAMES)], names[k % len(names)], sizes)
    compare_frame(bench, "nv12,rgb,opencv", "opencv_linear", (1080, 1920, 360, 640))
    print(f"  colours in front: {count} sizes, every bit")


def sizes_to_compare(count):
    """Random sizes to 48 by 48, some where a side is 1 or stays, and some that people have."""
    for k in range(count):
        sizes = generator.integers(1, 49, 4)
        if k % 7 == 0:
            sizes[k // 7 % 4] = 1
        if k % 5 == 0:
            sizes[k // 5 % 2 + 2] = sizes[k // 5 % 2]
        yield *sizes.tolist(), int(generator.choice([1, 3, 4]))
    yield 1080, 1920, 360, 640, 3
    yield 375, 500, 224, 299, 3
    yield 128, 96, 517, 801, 1


def main():
    cv2.ipp.setUseIPP(False)
    bench = Bench()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name, (dtype, resize) in REFERENCES.items():
        compared = 0
        for sizes in sizes_to_compare(count):
            compare(bench, name, dtype, resize, sizes)
            compared += 1
        print(f"  {name}: {compared} sizes, every bit")
    compare_frames(bench, count)
    bench.library.close()


main()
