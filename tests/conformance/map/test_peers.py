"""Maps on the device against peers that users compare with. OpenCV's blobs, letterboxed and planar,
ONNX Runtime's QuantizeLinear and DequantizeLinear, and NumPy's casts and arithmetic in several types
must agree bit for bit. OpenVINO's preprocessing must agree to 3e-7, because OpenVINO's compiler may
multiply by a reciprocal.

SPDX-License-Identifier: Apache-2.0
"""

import cv2
import numpy as np
import onnxruntime
import openvino
import PIL.Image
from onnx import TensorProto, helper, numpy_helper

from bench import TYPES, Bench, generator, numbers, require_equal


# ---- OpenCV ----

def picture(height, width):
    """Part of a wider image, so that rows have a pitch."""
    whole = generator.integers(0, 256, (height, width + int(generator.integers(0, 9)), 3), np.uint8)
    return whole[:, :width]


def opencv_planes(bench):
    """blobFromImages: (x - mean) * scale, swapped or not, images of one size."""
    for swaps in (False, True):
        images = [picture(31, 45) for _ in range(3)]
        mean, scale = generator.uniform(90, 130, 3).round(3), float(np.float32(1 / 57.7))
        blob = cv2.dnn.blobFromImages(images, scale, (45, 31), mean, swapRB=swaps)
        order = slice(None, None, -1 if swaps else 1)
        chain = f"cast=f32 mean={numbers(mean[order])} scale={scale!r} "
        chain += "slice=:,:,::-1 permute=2,0,1" if swaps else "permute=2,0,1"
        for image, expected in zip(images, blob):
            require_equal(bench.mapped(image, chain, np.float32, expected.shape), expected,
                          f"blobFromImages, swapRB {swaps}")


def letterboxed(images, params):
    return cv2.dnn.blobFromImagesWithParams([np.ascontiguousarray(i) for i in images], params)


def opencv_letterbox(bench):
    """blobFromImagesWithParams: pictures that fill the target in one direction, and so are not
    scaled. The border has one colour, and is normalised with the picture."""
    side = 48
    params = cv2.dnn.Image2BlobParams()
    params.size, params.paddingmode = (side, side), cv2.dnn.DNN_PMODE_LETTERBOX
    mean, scale = generator.uniform(90, 130, 3).round(3), generator.uniform(0.01, 0.02, 3).round(5)
    params.mean, params.scalefactor = (*mean, 0), (*scale, 1)
    params.borderValue = (114, 115, 116, 0)
    images = [picture(side, int(generator.integers(1, side + 1))) for _ in range(5)]
    images += [picture(int(generator.integers(1, side + 1)), side) for _ in range(5)]
    begins = [[0, (side - image.shape[0]) // 2, (side - image.shape[1]) // 2] for image in images]
    border = np.array([[[114, 115, 116]]], np.uint8)
    chain = f"cast=f32 mean={numbers(mean)} scale={numbers(scale)} permute=2,0,1"
    expected = letterboxed(images, params)
    require_equal(bench.stacked(images, begins, border, chain, expected.shape), expected,
                  "blobFromImagesWithParams, letterboxed")


# ---- colours ----

def all_colours():
    """A frame of NV12 with each of the 16,777,216 Y, U and V: U by the row, V and four Y by the
    column."""
    u, v, four = np.mgrid[:256, :256, :64].astype(np.uint8).reshape(3, 256, -1)
    luma = np.stack([4 * four, 4 * four + 1, 4 * four + 2, 4 * four + 3]).reshape(2, 2, 256, -1)
    rows = luma.transpose(2, 0, 3, 1).reshape(512, -1)
    return np.concatenate([rows, np.stack([u, v], -1).reshape(256, -1)])


def openvino_colours(frame, result):
    given = openvino.opset13.parameter([1, *frame.shape, 1], np.uint8)
    operation = getattr(openvino.opset8, f"nv12_to_{result}")(given)
    model = openvino.compile_model(openvino.Model([operation], [given]), "CPU")
    return model([frame[None, ..., None]])[0][0]


# OpenCV's conversions, and the end of the shape of a frame.
OPENCV_COLOURS = {"nv12": "YUV2{}_NV12", "nv21": "YUV2{}_NV21", "i420": "YUV2{}_I420",
                  "yv12": "YUV2{}_YV12", "yuyv": "YUV2{}_YUYV", "uyvy": "YUV2{}_UYVY"}


def opencv_colours(bench, form, result, shape):
    frame = generator.integers(0, 256, shape, np.uint8)
    expected = cv2.cvtColor(frame, getattr(cv2, "COLOR_" + OPENCV_COLOURS[form].format(result.upper())))
    chain = f"color={form},{result},opencv"
    require_equal(bench.mapped(frame, chain, np.uint8, expected.shape), expected, f"{chain} of {shape}")
    planes = np.ascontiguousarray(expected.transpose(2, 0, 1))
    require_equal(bench.mapped(frame, chain + " permute=2,0,1", np.uint8, planes.shape), planes,
                  f"{chain} of {shape}, in planes")
    normal = (planes.astype(np.float32) - np.float32(127.5)) / np.float32(58)
    require_equal(bench.mapped(frame, chain + " permute=2,0,1 cast=f32 mean=127.5 std=58 cast=f16",
                               np.float16, planes.shape),
                  normal.astype(np.float16), f"{chain} of {shape}, normalised")


def greys(bench):
    pixels = generator.integers(0, 256, (97, 131, 3), np.uint8)
    require_equal(bench.mapped(pixels, "color=rgb,grey,opencv", np.uint8, (97, 131)),
                  cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), "grey as OpenCV has it")
    require_equal(bench.mapped(pixels, "color=bgr,grey,opencv", np.uint8, (97, 131)),
                  cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), "grey of BGR")
    require_equal(bench.mapped(pixels, "color=rgb,grey,pillow", np.uint8, (97, 131)),
                  np.asarray(PIL.Image.fromarray(pixels).convert("L")), "grey as Pillow has it")


def colours(bench):
    frame = all_colours()
    rows, columns = frame.shape
    pixels = (rows // 3 * 2, columns, 3)
    require_equal(bench.mapped(frame, "color=nv12,rgb,opencv", np.uint8, pixels),
                  cv2.cvtColor(frame, cv2.COLOR_YUV2RGB_NV12), "every colour as OpenCV has it")
    require_equal(bench.mapped(frame, "color=nv12,rgb,openvino", np.uint8, pixels),
                  openvino_colours(frame, "rgb"), "every colour as OpenVINO has it")
    for form in OPENCV_COLOURS:
        for result in ("rgb", "bgr"):
            for height, width in ((2, 2), (4, 34), (38, 50), (54, 96)):
                is_packed = form in ("yuyv", "uyvy")
                shape = (height, width, 2) if is_packed else (height * 3 // 2, width)
                opencv_colours(bench, form, result, shape)
    greys(bench)


# ---- OpenVINO ----

def openvino_preprocess(bench):
    image = generator.integers(0, 256, (1, 37, 53, 3), np.uint8)
    mean, std = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
    given = openvino.opset13.parameter([1, 3, 37, 53], np.float32)
    model = openvino.Model([openvino.opset13.multiply(given, np.float32(1))], [given])
    steps = openvino.preprocess.PrePostProcessor(model)
    steps.input().tensor().set_element_type(openvino.Type.u8).set_layout(openvino.Layout("NHWC"))
    steps.input().model().set_layout(openvino.Layout("NCHW"))
    steps.input().preprocess().convert_element_type(openvino.Type.f32).mean(mean).scale(std)
    compiled = openvino.Core().compile_model(steps.build(), "CPU",
                                             {"INFERENCE_PRECISION_HINT": "f32"})
    expected = compiled([image])[0]
    got = bench.mapped(image, f"cast=f32 mean={numbers(mean)} std={numbers(std)} permute=0,3,1,2",
                       np.float32, expected.shape)
    off = np.abs(got - expected) / np.maximum(np.abs(expected), 1)
    print(f"  OpenVINO: {off.max():.2g} off at most")
    if not off.max() <= 3e-7:
        raise SystemExit(f"OpenVINO's preprocessing: off by {off.max()}")


# ---- ONNX Runtime ----

# The shape of x, the shape of the scales, ONNX's attributes, and the end of the chain's text.
GRAINS = {"tensor": ((6, 10, 7), (), {}, ""), "axis 1": ((6, 10, 7), (10,), {"axis": 1}, ",1"),
          "axis -1": ((6, 10, 7), (7,), {"axis": -1}, ",-1"),
          "blocks": ((23,), (5,), {"axis": 0, "block_size": 5}, ",0,5")}


def runtime(operator, inputs, **attributes):
    names = ["x", "scale", "zero"]
    made = helper.make_graph(
        [helper.make_node(operator, names, ["y"], **attributes)], "g",
        [helper.make_tensor_value_info("x", helper.np_dtype_to_tensor_dtype(inputs[0].dtype),
                                       inputs[0].shape)],
        [helper.make_tensor_value_info(
            "y", TensorProto.FLOAT if operator[0] == "D" else
            helper.np_dtype_to_tensor_dtype(inputs[2].dtype), None)],
        [numpy_helper.from_array(value, name) for name, value in zip(names[1:], inputs[1:])])
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    return session.run(None, {"x": inputs[0]})[0]


def listed(values):
    return ":".join(repr(value.item()) for value in np.atleast_1d(values))


def half_steps(dims, scale):
    """Numbers around zero. The quotient of half of the numbers is an integer and a half."""
    normal = generator.normal(0, 4, dims).astype(np.float32)
    ties = (generator.integers(-200, 200, dims) + np.float32(0.5)) * np.ravel(scale)[0]
    return np.where(generator.random(dims) < 0.5, normal, ties.astype(np.float32))


def runtime_quantizes(bench, kind, grain):
    dims, numbers_of, attributes, tail = GRAINS[grain]
    limits, name = np.iinfo(kind), TYPES[np.dtype(kind)].lower()
    scale = np.asarray(generator.uniform(0.01, 0.1, numbers_of), np.float32)
    zero = np.asarray(generator.integers(limits.min, limits.max + 1, numbers_of), kind)
    x = half_steps(dims, scale)
    rules = f"{listed(scale)},{listed(zero)}{tail}"
    require_equal(bench.mapped(x, f"quantize={name},{rules}", kind, dims),
                  runtime("QuantizeLinear", (x, scale, zero), **attributes),
                  f"QuantizeLinear to {name}, {grain}")
    codes = generator.integers(limits.min, limits.max + 1, dims).astype(kind)
    require_equal(bench.mapped(codes, f"dequantize=f32,{rules}", np.float32, dims),
                  runtime("DequantizeLinear", (codes, scale, zero), **attributes),
                  f"DequantizeLinear from {name}, {grain}")
    both = f"quantize={name},{rules} dequantize=f32,{rules}"
    require_equal(bench.mapped(x, both, np.float32, dims),
                  runtime("DequantizeLinear", (runtime("QuantizeLinear", (x, scale, zero), **attributes),
                                               scale, zero), **attributes),
                  f"both, of {name}, {grain}")


# ---- NumPy ----

def numpy_programs(bench):
    """Casts and arithmetic in several types, each step rounded once as NumPy rounds it."""
    x = generator.normal(0, 300, (5, 37, 3)).astype(np.float32)
    half = x.astype(np.float16)
    require_equal(bench.mapped(x, "cast=f16 cast=f32", np.float32, x.shape),
                  half.astype(np.float32), "a cast to half and back")
    mean, std = np.float32([123.675, 116.28, 103.53]), np.float32([58.395, 57.12, 57.375])
    expected = ((x.astype(np.float64) * (1 / 255)).astype(np.float32) - mean) / std
    chain = f"cast=f64 scale={1 / 255!r} cast=f32 mean={numbers(mean)} std={numbers(std)}"
    require_equal(bench.mapped(x, chain, np.float32, x.shape), expected,
                  "a scale in double, then mean and std in float")
    require_equal(bench.mapped(half, f"{chain} permute=2,0,1 cast=f16", np.float16, (3, 5, 37)),
                  (((half.astype(np.float64) * (1 / 255)).astype(np.float32) - mean) / std)
                  .transpose(2, 0, 1).astype(np.float16), "the same of halves, in planes")


def main():
    bench = Bench()
    print(f"OpenCV {cv2.__version__}, OpenVINO {openvino.__version__}, "
          f"ONNX Runtime {onnxruntime.__version__}")
    opencv_planes(bench)
    opencv_letterbox(bench)
    openvino_preprocess(bench)
    numpy_programs(bench)
    colours(bench)
    for kind in (np.uint8, np.int8, np.uint16, np.int16):
        for grain in GRAINS:
            runtime_quantizes(bench, kind, grain)
    print("  all as their peers")
    bench.library.close()


main()
