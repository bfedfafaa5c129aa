"""ONNX Runtime with clreshape's provider against its CPU provider: test.py LIBRARY. Every element of
every output, bit for bit, and that the nodes that should be clreshape's are.

SPDX-License-Identifier: Apache-2.0
"""
import os
import sys
import tempfile
import threading

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

import models
from models import node, whole

ort.register_execution_provider_library("clreshape", os.path.abspath(sys.argv[1]))
devices = [device for device in ort.get_ep_devices() if device.ep_name == "clreshape"]
if not devices:
    ort.unregister_execution_provider_library("clreshape")
    print("skipped: the provider finds no OpenCL device")
    sys.exit(1 if os.environ.get("CLRS_REQUIRE_DEVICE") else 77)

ran = 0  # fused nodes


def session(model, with_ours, level):
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.log_severity_level = 3
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    if with_ours:
        options.add_provider_for_devices(devices, {})
    return ort.InferenceSession(model.SerializeToString(), options)


def taken_by_us(made):
    """Each fused node as the operators in it."""
    return [[each.op_type for each in part.get_nodes()]
            for part in made.get_provider_graph_assignment_info() if part.ep_name == "clreshape"]


def compare(what, model, many_feeds, level=ort.GraphOptimizationLevel.ORT_DISABLE_ALL):
    """Returns what clreshape has taken."""
    global ran
    ours, cpu = session(model, True, level), session(model, False, level)
    taken = taken_by_us(ours)
    for feeds in many_feeds:
        for got, wanted in zip(ours.run(None, feeds), cpu.run(None, feeds), strict=True):
            assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (what, got, wanted)
            same = got.tolist() == wanted.tolist() if got.dtype == object else \
                got.tobytes() == wanted.tobytes()
            assert same, f"{what}: {taken}: elements differ"
        ran += len(taken)
    return taken


def check(what, nodes, feeds, taken, more=(), opset=21, dynamic=True):
    """A row, of which clreshape takes those."""
    got = compare(what, models.row(nodes, feeds, opset, dynamic), [feeds, *more])
    assert got == taken, f"{what}: taken are {got} and not {taken}"


random = np.random.default_rng(16)
turn = node("Transpose", perm=[1, 0])


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def test_operators():
    """Each by itself, or with a Transpose where it is a view; shapes that are not known before."""
    x = {"x": floats(4, 6)}
    again = [{"x": floats(8, 1)}, {"x": floats(0, 5)}]
    for opset in (13, 21, 23):
        check("Transpose", [turn], x, [["Transpose"]], again, opset)
        check("Reshape", [turn, node("Reshape", whole(2, -1))], x, [["Transpose", "Reshape"]], again,
              opset)
    check("reversed", [node("Transpose")], {"x": floats(2, 3, 4)}, [["Transpose"]])
    check("Reshape, 0", [turn, node("Reshape", whole(1, 0, -1, 1))], {"x": floats(3, 4)},
          [["Transpose", "Reshape"]])
    check("allowzero", [turn, node("Reshape", whole(7, 0), allowzero=1)], {"x": floats(3, 0)},
          [["Transpose", "Reshape"]])
    check("a scalar", [node("Reshape", whole()), node("Cast", to=TensorProto.INT32)],
          {"x": floats(1, 1)}, [["Reshape", "Cast"]])
    check("Flatten", [node("Transpose", perm=[2, 0, 1]), node("Flatten", axis=-1)],
          {"x": floats(2, 3, 4)}, [["Transpose", "Flatten"]])
    twist = node("Transpose", perm=[1, 2, 0])
    for opset, squeeze in ((21, node("Squeeze", whole(0, -1))), (13, node("Squeeze")),
                           (11, node("Squeeze", axes=[0, 2]))):
        check("Squeeze", [twist, squeeze], {"x": floats(1, 1, 5)}, [["Transpose", "Squeeze"]],
              opset=opset)
    check("Unsqueeze", [turn, node("Unsqueeze", whole(0, -1))], x, [["Transpose", "Unsqueeze"]])
    check("Unsqueeze-11", [turn, node("Unsqueeze", axes=[1])], x, [["Transpose", "Unsqueeze"]],
          opset=11)
    check("Slice", [node("Slice", whole(-1, 1), whole(-99, 2**62), whole(-1, 0), whole(-2, 1))], x,
          [["Slice"]], again)
    check("Slice-9", [node("Slice", starts=[1], ends=[-1], axes=[1])], x, [["Slice"]], opset=9)
    check("Expand", [node("Expand", whole(3, 1, 6))], {"x": floats(4, 1)}, [["Expand"]])
    check("SpaceToDepth", [node("SpaceToDepth", blocksize=2)], {"x": floats(2, 3, 4, 6)},
          [["SpaceToDepth"]])
    for mode in ("DCR", "CRD"):
        check(mode, [node("DepthToSpace", blocksize=2, mode=mode)], {"x": floats(2, 8, 3, 5)},
              [["DepthToSpace"]])


def test_types():
    """Every pair of a Cast: what both hold, and for floats also what is rounded."""
    names = ["float32", "float16", "bool", "int8", "uint8", "int16", "uint16", "int32", "int64"]
    for source in names:
        x = random.integers(0, 2 if source == "bool" else 128, (7, 9)).astype(source)
        for target in names:
            check(f"{source} to {target}",
                  [turn, node("Cast", to=models.TYPES[np.dtype(target)]), turn], {"x": x},
                  [["Transpose", "Cast", "Transpose"]])
    with np.errstate(over="ignore"):
        hard = np.array([0., -0., np.inf, -np.inf, 65519., 65520., 1e-7, -6e-8, 5.96e-8, 1e-41,
                         2049., 2051., 1 / 3], np.float32)
    for target in (TensorProto.FLOAT16, TensorProto.BOOL):
        check("hard", [node("Cast", to=target)], {"x": hard}, [["Cast"]])
    # NumPy has no bf16: as its bits, read by way of f32. Rounding ends a pass.
    check("bf16", [node("Cast", to=TensorProto.BFLOAT16), node("Cast", to=TensorProto.FLOAT)],
          {"x": np.concatenate([hard, floats(500)])}, [["Cast", "Cast"]])


def test_quantization():
    """Ties, saturation, and the zero points at both ends; then a row that needs two passes."""
    x = {"x": np.concatenate([np.arange(-600, 600) / np.float32(2), [1e30, -1e30, np.inf, -0.]])
         .astype(np.float32).reshape(4, -1)}
    for dtype in (np.uint8, np.int8, np.uint16, np.int16):
        limits = np.iinfo(dtype)
        for scale in (1, .1, 3e-3):
            for zero in (0, limits.min, limits.max, 7):
                q = node("QuantizeLinear", np.float32(scale), np.array(zero, dtype))
                d = node("DequantizeLinear", np.float32(scale), np.array(zero, dtype))
                check("quantize", [turn, q], x, [["Transpose", "QuantizeLinear"]])
                check("both", [q, turn, d], x,
                      [["QuantizeLinear", "Transpose", "DequantizeLinear"]])
    check("no zero point", [node("QuantizeLinear", np.float32(.5))], x, [["QuantizeLinear"]])
    check("i32", [node("DequantizeLinear", np.float32(.1))],
          {"x": random.integers(-2**31, 2**31, (3, 5)).astype(np.int32)}, [["DequantizeLinear"]])


def test_rows():
    """Longer ones, and shapes that come as inputs or are computed when the model runs."""
    heads = [node("Reshape", whole(0, 0, 12, -1)), node("Transpose", perm=[0, 2, 1, 3]),
             node("Reshape", whole(-1, 128, 64)), node("Cast", to=TensorProto.FLOAT16)]
    check("heads", heads, {"x": floats(2, 128, 768)},
          [["Reshape", "Transpose", "Reshape", "Cast"]], [{"x": floats(1, 128, 768)}])
    check("two rows", [turn, node("Cast", to=TensorProto.INT32)] * 1 + [turn] * 9,
          {"x": floats(3, 4)}, [["Transpose", "Cast"] + ["Transpose"] * 6, ["Transpose"] * 3])
    # No common pieces: the Cast is a pass of its own.
    check("no one pass", [turn, node("Reshape", whole(7, -1)), node("Transpose", perm=[1, 0]),
                          node("Cast", to=TensorProto.INT32)], {"x": floats(14, 15)},
          [["Transpose", "Reshape", "Transpose", "Cast"]])
    check("a shape as input", [turn, node("Reshape", feeds=["shape"])],
          {"x": floats(4, 6), "shape": whole(3, -1)}, [["Transpose", "Reshape"]],
          [{"x": floats(5, 2), "shape": whole(0, 0)}])
    check("expanded by an input", [node("Expand", feeds=["shape"])],
          {"x": floats(3, 1), "shape": whole(3, 4)}, [["Expand"]])
    nodes = [helper.make_node("Transpose", ["x"], ["t"], "t", perm=[1, 0, 2]),
             helper.make_node("Shape", ["x"], ["shape"], "s"),
             helper.make_node("Gather", ["shape", "which"], ["picked"], "g"),
             helper.make_node("Reshape", ["t", "picked"], ["y"], "r")]
    model = models.finish(nodes, [helper.make_tensor_value_info("x", TensorProto.FLOAT, "abc")],
                          ["y"], [onnx.numpy_helper.from_array(whole(2, 0, 1), "which")], 21)
    assert compare("computed", model, [{"x": floats(2, 3, 4)}, {"x": floats(5, 1, 7)}]) == \
        [["Transpose", "Reshape"]]
    for _ in range(int(os.environ.get("CLRS_TEST_CASES", 80))):
        nodes, feeds = models.random_row(random)
        compare([each[0] for each in nodes], models.row(nodes, feeds), [feeds])


def test_left():
    """What stays with the CPU."""
    x = {"x": floats(4, 6)}
    check("views", [node("Reshape", whole(3, 8)), node("Unsqueeze", whole(0)),
                    node("Flatten", axis=2), node("Squeeze")], x, [])
    check("a list of scales", [node("QuantizeLinear", floats(6) ** 2 + 1, np.zeros(6, np.uint8))],
          x, [])
    check("doubles", [node("Cast", to=TensorProto.DOUBLE), turn], x, [["Transpose"]])
    check("a scale of 0", [node("QuantizeLinear", np.float32(0), np.uint8(0))], x, [])
    check("ends as inputs", [node("Slice", whole(0), feeds=["ends"])],
          {**x, "ends": whole(3)}, [])
    check("strings", [turn], {"x": np.array([["a", "bc"], ["", "d"]], object)}, [])
    check("others between", [turn, node("Relu"), node("Exp"), turn, node("Neg")], x,
          [["Transpose"], ["Transpose"]])
    nodes = [helper.make_node("Transpose", ["x"], ["t"], "t"),
             helper.make_node("Cast", ["t"], ["y"], "y", to=TensorProto.INT32),
             helper.make_node("Cast", ["t"], ["z"], "z", to=TensorProto.FLOAT16)]
    data = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["a", "b"])]
    for outputs in (["y", "z"], ["y", "z", "t"]):
        assert compare("branches", models.finish(nodes, data, outputs, [], 21), [x]) == \
            [["Transpose"], ["Cast"], ["Cast"]]
    assert compare("an output", models.finish(nodes[:2], data, ["t", "y"], [], 21), [x]) == \
        [["Transpose"], ["Cast"]]


def test_errors():
    """Statuses of ONNX Runtime's, in our words."""
    model = models.row([turn, node("Reshape", whole(4, -1))], {"x": floats(2, 3)})
    said = complaint(session(model, True, ort.GraphOptimizationLevel.ORT_ENABLE_ALL),
                     {"x": floats(2, 3)})
    assert "INVALID_ARGUMENT" in said and "clreshape: Reshape 'n1': " in said, said
    model = models.row([node("Expand", feeds=["shape"])], {"x": floats(3), "shape": whole(4)})
    made = session(model, True, ort.GraphOptimizationLevel.ORT_ENABLE_ALL)
    said = complaint(made, {"x": floats(3), "shape": whole(4)})
    assert "clreshape: Expand 'n0': " in said, said
    assert "at most 32" in complaint(made, {"x": floats(1), "shape": whole(*[1] * 33)})
    assert made.run(None, {"x": floats(3), "shape": whole(2, 3)})[0].shape == (2, 3)
    global ran
    ran += 4


def complaint(made, feeds):
    try:
        made.run(None, feeds)
    except Exception as error:  # pybind's classes of ONNX Runtime's codes
        return str(error)
    raise AssertionError("nothing was refused")


def test_threads():
    """Runs of one session at once."""
    global ran
    model = models.row([turn, node("Cast", to=TensorProto.INT32)], {"x": floats(2, 3)})
    made, wrong = session(model, True, ort.GraphOptimizationLevel.ORT_ENABLE_ALL), []

    def work(seed):
        numbers = np.random.default_rng(seed)
        for _ in range(25):
            x = numbers.integers(-99, 99, numbers.integers(1, 200, 2)).astype(np.float32)
            if not np.array_equal(made.run(None, {"x": x})[0], x.T.astype(np.int32)):
                wrong.append(x.shape)
    threads = [threading.Thread(target=work, args=[seed]) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ran += 100
    assert not wrong, wrong


def test_shufflenet():
    model = models.shufflenet(random)
    frames = [{"frame": random.integers(0, 256, (1, 224, 224, 3)).astype(np.uint8)}
              for _ in range(2)]
    for level in (ort.GraphOptimizationLevel.ORT_DISABLE_ALL,
                  ort.GraphOptimizationLevel.ORT_ENABLE_ALL):
        taken = compare("ShuffleNet", model, frames, level)
        print(level, taken)


def said_at_the_end():
    """What the provider counts."""
    with tempfile.TemporaryFile() as kept:
        stderr = os.dup(2)
        os.dup2(kept.fileno(), 2)
        ort.set_default_logger_severity(1)
        ort.unregister_execution_provider_library("clreshape")
        os.dup2(stderr, 2)
        kept.seek(0)
        return kept.read().decode()


for name, test in list(globals().items()):
    if name.startswith("test_"):
        print(name, flush=True)
        test()
print(ran, said_at_the_end())
