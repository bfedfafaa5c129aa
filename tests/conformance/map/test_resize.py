"""Resized pictures on the device, by each reference, against the package that the reference stands
for: OpenCV, Pillow, ONNX Runtime and OpenVINO, bit for bit. test_torchvision.py asks PyTorch.

The weights along an axis depend on the size of the axis before and after, and on nothing else. So all
pairs of sizes along each axis prove the weights of every picture of such sizes. The sum over both
axes has no weights besides. Equal pairs, other pairs, and random sizes and channels prove the sum.

SPDX-License-Identifier: Apache-2.0
"""

import functools
import sys

import cv2
import numpy as np
import onnxruntime
import openvino
import PIL.Image
from onnx import TensorProto, helper

from bench import Bench, generator, require_equal, sizes_of_all_pairs


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


@functools.cache
def onnx_session(kind, given, attributes):
    """A model for pictures of any size. `given` is the second input, the scales or the sizes."""
    node = helper.make_node("Resize", ["x", "", *(["scales"] if given == "scales" else ["", "sizes"])], ["y"],
                            axes=[2, 3], **dict(attributes))
    second = TensorProto.FLOAT if given == "scales" else TensorProto.INT64
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", kind, [1, None, None, None]),
                                            helper.make_tensor_value_info(given, second, [2])],
                              [helper.make_tensor_value_info("y", kind, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10)
    return onnxruntime.InferenceSession(model.SerializeToString())


def run_onnx(picture, given, values, **attributes):
    planes = planes_of(picture)
    kind = helper.np_dtype_to_tensor_dtype(planes.dtype)
    session = onnx_session(kind, given, tuple(attributes.items()))
    return session.run(None, {"x": planes, given: values})[0][0].transpose(1, 2, 0)


def by_onnx(**attributes):
    return lambda picture, height, width: run_onnx(picture, "sizes", np.array([height, width]), **attributes)


def onnx_modes():
    """The reference with the attributes, by mode, coordinates and rounding."""
    for coordinates in ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric",
                        "tf_half_pixel_for_nn"):
        given = {"coordinate_transformation_mode": coordinates}
        yield f"onnx_linear,coordinate_transformation_mode={coordinates}", {"mode": "linear", **given}
        for nearest in ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"):
            yield (f"onnx_nearest,nearest_mode={nearest},coordinate_transformation_mode={coordinates}",
                   {"mode": "nearest", "nearest_mode": nearest, **given})


@functools.cache
def openvino_model():
    picture, sizes = (openvino.opset13.parameter(shape, dtype)
                      for shape, dtype in (([1, -1, -1, -1], np.float32), ([2], np.int64)))
    operation = openvino.opset13.interpolate(picture, sizes, "linear_onnx", "sizes", [0, 0, 0, 0], [0, 0, 0, 0],
                                             "half_pixel", axes=np.array([2, 3], np.int64))
    return openvino.Core().compile_model(openvino.Model([operation], [picture, sizes]), "CPU",
                                         {"INFERENCE_PRECISION_HINT": "f32"})


def by_openvino(picture, height, width):
    return openvino_model()([planes_of(picture), np.array([height, width])])[0][0].transpose(1, 2, 0)


# The reference's name in a chain: its type, and the package.
REFERENCES = {
    "opencv_linear": (np.uint8, by_opencv("LINEAR")),
    "opencv_linear_exact": (np.uint8, by_opencv("LINEAR_EXACT")),
    "opencv_nearest": (np.uint8, by_opencv("NEAREST")),
    "pillow_bilinear": (np.uint8, by_pillow("BILINEAR")),
    "pillow_bicubic": (np.uint8, by_pillow("BICUBIC")),
    "onnx_linear": (np.float32, by_onnx(mode="linear")),
    "onnx_nearest": (np.uint8, by_onnx(mode="nearest")),
    **{name: (np.float32 if "linear" in name else np.uint8, by_onnx(**attributes))
       for name, attributes in onnx_modes()},
    "openvino_linear": (np.float32, by_openvino),
}


def random_picture(dtype, height, width, channels):
    if dtype == np.uint8:
        return generator.integers(0, 256, (height, width, channels), np.uint8)
    return generator.normal(0, 100, (height, width, channels)).astype(np.float32)


def compare(bench, name, dtype, resize, sizes, is_normalised=True):
    from_height, from_width, height, width, channels = sizes
    picture = random_picture(dtype, from_height, from_width, channels)
    expected = resize(picture, height, width)
    chain = f"resize={height},{width},{name}"
    require_equal(bench.mapped(picture, chain, dtype, expected.shape), expected,
                  f"{chain} of {picture.shape}")
    if not is_normalised:
        return
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


def compare_scales(bench, count):
    """Scales of ONNX that are no quotient of the sizes."""
    for name, attributes in onnx_modes():
        for _ in range(count // 8):
            sides, scales = generator.integers(4, 49, 2), generator.uniform(0.3, 3, 2).astype(np.float32).tolist()
            height, width = (sides.astype(np.float32) * np.float32(scales)).astype(int).tolist()
            picture = random_picture(np.float32, *sides.tolist(), 3)
            expected = run_onnx(picture, "scales", np.float32(scales), **attributes)
            chain = f"resize={height},{width},{name},scales={scales[0]:.9g}:{scales[1]:.9g}"
            if (height, width) != tuple(sides):  # ONNX Runtime copies such a picture
                require_equal(bench.mapped(picture, chain, np.float32, expected.shape), expected,
                              f"{chain} of {picture.shape}")


def main():
    cv2.ipp.setUseIPP(False)
    bench = Bench()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for name, (dtype, resize) in REFERENCES.items():
        compared = 0
        for sizes in sizes_to_compare(count if "," not in name else count // 8):
            compare(bench, name, dtype, resize, sizes)
            compared += 1
        for k, sizes in enumerate(sizes_of_all_pairs()):
            compare(bench, name, dtype, resize, (*sizes, (1, 3, 4)[k % 3]), False)
            compared += 1
        print(f"  {name}: {compared} sizes, every bit", flush=True)
    compare_frames(bench, count)
    compare_scales(bench, count)
    bench.library.close()


main()
