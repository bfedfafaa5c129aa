# Peers that preprocess.py --peers times. Each peer computes the same maps of the same elements, on
# two threads.
#
#   python3 -m venv build/peers
#   build/peers/bin/pip install numpy onnx onnxruntime opencv-python-headless openvino \
#       torch onednn-cpu-gomp
#   PYTHONPATH=build/python build/peers/bin/python tests/bench/preprocess.py --peers
#
# Figures are milliseconds, medians. A missing peer, or a peer without the operation, has no figure.
#
# SPDX-License-Identifier: Apache-2.0
import importlib
import os
import statistics
import time

import numpy as np

import onednn

THREADS = 2
os.environ["OMP_NUM_THREADS"] = str(THREADS)
MEAN = np.array([123.675, 116.28, 103.53], np.float32)
STD = np.array([58.395, 57.12, 57.375], np.float32)
SCALE, ZERO_POINT = np.float32(0.02), np.uint8(128)


def installed(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


dnnl = onednn.open_onednn()
cv2, ort, onnx, torch, ov = map(installed, ("cv2", "onnxruntime", "onnx", "torch", "openvino"))


def onnx_session(nodes, dtype, shape, constants, target):
    """A function that runs these nodes, from `x` to `y`, where `y` has the type `target`."""
    from onnx import helper, numpy_helper
    kind = helper.np_dtype_to_tensor_dtype
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", kind(dtype), shape)],
        [helper.make_tensor_value_info("y", kind(np.dtype(target)), None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    options = ort.SessionOptions()
    options.intra_op_num_threads = THREADS
    session = ort.InferenceSession(model.SerializeToString(), options)
    return lambda x: session.run(None, {"x": x})[0]


def node(kind, *inputs, **attributes):
    from onnx import helper
    return helper.make_node(kind, list(inputs[:-1]), [inputs[-1]], **attributes)


# ---- frames to planes ----

def frames(x, target=np.float32):
    peers = {}
    if cv2 and target == np.float32:
        peers["OpenCV"] = opencv_frames(x)
    if ort and onnx:
        from onnx import helper
        to = helper.np_dtype_to_tensor_dtype(np.dtype(target))
        run = onnx_session([node("Cast", "x", "a", to=1), node("Sub", "a", "m", "b"),
                            node("Div", "b", "s", "c"), node("Cast", "c", "d", to=to),
                            node("Transpose", "d", "y", perm=[0, 3, 1, 2])],
                           x.dtype, x.shape, {"m": MEAN, "s": STD}, target)
        peers["ONNX Runtime"] = lambda: run(x)
    if torch:
        source, mean, std = map(torch.from_numpy, (x, MEAN, STD))
        kind = getattr(torch, np.dtype(target).name)
        peers["PyTorch"] = lambda: ((source.float() - mean) / std).to(kind).permute(
            0, 3, 1, 2).contiguous().numpy()
    if ov and target == np.float32:
        peers["OpenVINO"] = openvino_frames(x)
    return peers


def opencv_frames(x):
    cv2.setNumThreads(THREADS)
    given = cv2.dnn.Image2BlobParams()
    given.scalefactor = tuple(1 / STD.astype(float)) + (1,)
    given.mean = tuple(MEAN.astype(float)) + (0,)
    return lambda: cv2.dnn.blobFromImagesWithParams(list(x), given)


def nv12(x, target, size=None):
    """Every frame by OpenCV, and then as OpenCV and PyTorch normalise it."""
    if not cv2:
        return {}
    cv2.setNumThreads(THREADS)

    def colour(frame):
        pixels = cv2.cvtColor(frame, cv2.COLOR_YUV2RGB_NV12)
        return cv2.resize(pixels, size, interpolation=cv2.INTER_LINEAR) if size else pixels

    def colours():
        return np.stack([colour(frame) for frame in x])
    if target == np.uint8:
        return {"OpenCV": colours}
    peers = {"OpenCV": lambda: opencv_frames(colours())().astype(target)}
    if torch:
        mean, std = map(torch.from_numpy, (MEAN, STD))
        peers["OpenCV, PyTorch"] = lambda: ((torch.from_numpy(colours()).float() - mean) / std).to(
            torch.float16).permute(0, 3, 1, 2).contiguous().numpy()
    return peers


def openvino_steps(shape, dtype):
    """OpenVINO's preprocessing of a model that returns planes of this type."""
    from openvino import Layout, Model
    from openvino import opset13 as operations
    from openvino.preprocess import PrePostProcessor
    planes = operations.parameter(shape, dtype)
    steps = PrePostProcessor(Model([planes], [planes], "m"))
    steps.input().tensor().set_layout(Layout("NHWC"))
    steps.input().model().set_layout(Layout("NCHW"))
    return steps


def openvino_run(steps, x):
    from openvino import Tensor, compile_model
    request = compile_model(steps.build(), "CPU", {
        "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": THREADS}).create_infer_request()
    request.set_input_tensor(Tensor(x))

    def run():
        request.infer()
        return request.get_output_tensor().data
    return run


def openvino_frames(x):
    from openvino import Layout, Type
    count, height, width, _ = x.shape
    steps = openvino_steps([count, 3, height, width], np.float32)
    steps.input().tensor().set_element_type(Type.u8)
    steps.input().preprocess().convert_element_type(Type.f32).mean(MEAN.tolist()).scale(
        STD.tolist()).convert_layout(Layout("NCHW"))
    return openvino_run(steps, x)


# ---- a camera's frame of 1080p to a letterbox of 640 x 640, in halves ----

def opencv_camera(x):
    """Colours, resizing and border by OpenCV, the rest by PyTorch, into arrays that exist."""
    cv2.setNumThreads(THREADS)
    torch.set_num_threads(THREADS)
    pixels, small, boxed = (np.empty((rows, columns, 3), np.uint8)
                            for rows, columns in ((1080, 1920), (360, 640), (640, 640)))
    planes = torch.from_numpy(boxed).permute(2, 0, 1)
    floats, halves = (torch.empty((3, 640, 640), dtype=kind) for kind in (torch.float32, torch.float16))

    def run():
        cv2.cvtColor(x, cv2.COLOR_YUV2RGB_NV12, pixels)
        cv2.resize(pixels, (640, 360), small, interpolation=cv2.INTER_LINEAR)
        cv2.copyMakeBorder(small, 140, 140, 0, 0, cv2.BORDER_CONSTANT, boxed, (114,) * 3)
        floats.copy_(planes).div_(255)
        return halves.copy_(floats).numpy()
    return run


def openvino_camera(x):
    """All steps by OpenVINO, in the fastest order of four. The pad takes floats only."""
    from openvino import Layout, Type
    from openvino.preprocess import ColorFormat, PaddingMode, ResizeAlgorithm
    steps = openvino_steps([1, 3, 640, 640], np.float16)
    steps.input().tensor().set_element_type(Type.u8).set_color_format(
        ColorFormat.NV12_SINGLE_PLANE).set_spatial_static_shape(1080, 1920)
    steps.input().preprocess().convert_color(ColorFormat.RGB).convert_layout(Layout("NCHW")).resize(
        ResizeAlgorithm.RESIZE_LINEAR, 360, 640).convert_element_type(Type.f32).pad(
            [0, 0, 140, 0], [0, 0, 140, 0], 114.0, PaddingMode.CONSTANT).scale(255.0).convert_element_type(Type.f16)
    steps.output().tensor().set_element_type(Type.f16)
    return openvino_run(steps, x[None, ..., None])


# ---- casts and quantising ----

def cast(x, target, kinds):
    peers = {}
    if ort and onnx:
        from onnx import helper
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(target))
        run = onnx_session([node("Cast", "x", "y", to=kind)], x.dtype, x.shape, {}, target)
        peers["ONNX Runtime"] = lambda: run(x)
    if torch:
        of, to = torch.from_numpy(x), getattr(torch, np.dtype(target).name)
        peers["PyTorch"] = lambda: of.to(to).numpy()
    if dnnl:
        peers["oneDNN"] = dnnl.reorder(x, *kinds)
    return peers


def cast_to_bf16(x):
    peers = {}
    if torch:
        of = torch.from_numpy(x)
        peers["PyTorch"] = lambda: of.to(torch.bfloat16).view(torch.uint16).numpy()
    if dnnl:
        peers["oneDNN"] = dnnl.reorder(x, onednn.F32, onednn.BF16)
    return peers


def quantize(x):
    peers = {}
    if ort and onnx:
        run = onnx_session([node("QuantizeLinear", "x", "s", "z", "y")], x.dtype, x.shape,
                           {"s": SCALE, "z": ZERO_POINT}, np.uint8)
        peers["ONNX Runtime"] = lambda: run(x)
    if torch:
        of = torch.from_numpy(x)
        peers["PyTorch"] = lambda: torch.quantize_per_tensor(
            of, 0.02, 128, torch.quint8).int_repr().numpy()
    if dnnl:
        peers["oneDNN"] = dnnl.reorder(x, onednn.F32, onednn.U8, (onednn.TO, SCALE, 128))
    return peers


def dequantize(x):
    peers = {}
    if ort and onnx:
        run = onnx_session([node("DequantizeLinear", "x", "s", "z", "y")], x.dtype, x.shape,
                           {"s": SCALE, "z": ZERO_POINT}, np.float32)
        peers["ONNX Runtime"] = lambda: run(x)
    if torch:
        of = torch.from_numpy(x)
        peers["PyTorch"] = lambda: ((of.float() - 128) * float(SCALE)).numpy()
    if dnnl:
        peers["oneDNN"] = dnnl.reorder(x, onednn.U8, onednn.F32, (onednn.FROM, SCALE, 128))
    return peers


CASES = {"frames_f32": frames, "frames_f16": lambda x: frames(x, np.float16),
         "nv12_rgb": lambda x: nv12(x, np.uint8), "nv12_f16": lambda x: nv12(x, np.float16),
         "nv12_resized": lambda x: nv12(x, np.float16, (640, 640)),
         "f32_to_f16": lambda x: cast(x, np.float16, (onednn.F32, onednn.F16)),
         "f16_to_f32": lambda x: cast(x, np.float32, (onednn.F16, onednn.F32)),
         "f32_to_bf16": cast_to_bf16, "quantize_u8": quantize, "dequantize_u8": dequantize}


def measure(run, expected, repetitions=7):
    result = run()
    mark = ""
    if result.dtype != expected.dtype or not np.array_equal(result, expected):
        wrong = np.abs(result.astype(np.float64) - expected) / np.maximum(np.abs(expected), 1e-3)
        mark = f" ~{wrong.max():.1g}"
    taken = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        run()
        taken.append(time.perf_counter() - begin)
    return f"{statistics.median(taken) * 1e3:.1f}{mark}"


def times(name, x, numpy_way):
    """A cell of the table: the time of each peer that has the case."""
    if name not in CASES:
        return ""
    if torch:
        torch.set_num_threads(THREADS)
    peers = {"NumPy": lambda: np.ascontiguousarray(numpy_way(x)), **CASES[name](x)}
    expected = peers["NumPy"]()
    return ", ".join(f"{peer} {measure(run, expected)}" for peer, run in peers.items())
