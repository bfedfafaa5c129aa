"""ONNX Runtime with clreshape's provider against the CPU provider: test.py LIBRARY. Compares every
element of every output, bit for bit, and checks which nodes clreshape takes. Every element of every
output, bit for bit, and that the nodes that should be clreshape's are.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import os
import re
import sys
import tempfile
import threading

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

import models
from models import node, whole

LIBRARY = os.path.abspath(sys.argv[1])
LITERAL = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
OPTIMIZED = ort.GraphOptimizationLevel.ORT_ENABLE_ALL
random = np.random.default_rng(16)
turn = node("Transpose", perm=[1, 0])
devices = []


class Passes:
    """Counts of a test: fused nodes that have run, nodes with an additional pass, and whether each
    node took a pass."""
    runs, more, exact = 0, 0, False


def session(model, with_ours, level):
    options = ort.SessionOptions()
    options.graph_optimization_level = level
    options.log_severity_level = 3
    options.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    if with_ours:
        options.add_provider_for_devices(devices, {})
    return ort.InferenceSession(model.SerializeToString(), options)


def taken_by_us(made):
    """The operators in each fused node."""
    return [[each.op_type for each in part.get_nodes()]
            for part in made.get_provider_graph_assignment_info() if part.ep_name == "clreshape"]


def compare(what, model, many_feeds, level=LITERAL):
    """Returns the operators that clreshape has taken."""
    ours, cpu = session(model, True, level), session(model, False, level)
    taken = taken_by_us(ours)
    for feeds in many_feeds:
        for got, wanted in zip(ours.run(None, feeds), cpu.run(None, feeds), strict=True):
            assert (got.dtype, got.shape) == (wanted.dtype, wanted.shape), (what, got, wanted)
            same = got.tolist() == wanted.tolist() if got.dtype == object else \
                got.tobytes() == wanted.tobytes()
            assert same, f"{what}: {taken}: elements differ"
        Passes.runs += len(taken)
    return taken


def check(what, nodes, feeds, taken, more=(), opset=21, dynamic=True):
    """A row, where clreshape takes the given nodes."""
    got = compare(what, models.row(nodes, feeds, opset, dynamic), [feeds, *more])
    assert got == taken, f"{what}: taken are {got} and not {taken}"


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def test_operators():
    """Each operator alone, or with a Transpose if the operator is a view, with shapes unknown
    before the run."""
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
    """Every pair of a Cast: values that both types hold, and for floats also rounded values."""
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
    # NumPy has no bf16, so bf16 is read as bits, by way of f32. Rounding ends a pass.
    check("bf16", [node("Cast", to=TensorProto.BFLOAT16), node("Cast", to=TensorProto.FLOAT)],
          {"x": np.concatenate([hard, floats(500)])}, [["Cast", "Cast"]])
    Passes.more += 1


def test_quantization():
    """Ties, saturation, and the zero points at both ends. Then a row that needs two passes."""
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
                Passes.more += 1
    check("no zero point", [node("QuantizeLinear", np.float32(.5))], x, [["QuantizeLinear"]])
    check("i32", [node("DequantizeLinear", np.float32(.1))],
          {"x": random.integers(-2**31, 2**31, (3, 5)).astype(np.int32)}, [["DequantizeLinear"]])


def test_rows():
    """Longer rows, and shapes that are inputs or are computed at run time."""
    heads = [node("Reshape", whole(0, 0, 12, -1)), node("Transpose", perm=[0, 2, 1, 3]),
             node("Reshape", whole(-1, 128, 64)), node("Cast", to=TensorProto.FLOAT16)]
    check("heads", heads, {"x": floats(2, 128, 768)},
          [["Reshape", "Transpose", "Reshape", "Cast"]], [{"x": floats(1, 128, 768)}])
    check("two rows", [turn, node("Cast", to=TensorProto.INT32)] * 1 + [turn] * 9,
          {"x": floats(3, 4)}, [["Transpose", "Cast"] + ["Transpose"] * 6, ["Transpose"] * 3])
    # No common pieces: the Cast is a separate pass.
    check("no one pass", [turn, node("Reshape", whole(7, -1)), node("Transpose", perm=[1, 0]),
                          node("Cast", to=TensorProto.INT32)], {"x": floats(14, 15)},
          [["Transpose", "Reshape", "Transpose", "Cast"]])
    Passes.more += 1
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


def test_random():
    for _ in range(int(os.environ.get("CLRS_TEST_CASES", 80))):
        nodes, feeds = models.random_row(random)
        compare([each[0] for each in nodes], models.row(nodes, feeds), [feeds])
    Passes.more = None


def test_branches():
    """Nodes in the branches of an If, on values from the outer graph."""
    made = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
    bodies = {
        "then_branch": [helper.make_node("Transpose", ["t"], ["u"], "u", perm=[1, 0]),
                        helper.make_node("Reshape", ["u", "dims"], ["y"], "r")],
        "else_branch": [helper.make_node("Cast", ["t"], ["i"], "i", to=TensorProto.INT32),
                        helper.make_node("Cast", ["i"], ["y"], "c", to=TensorProto.FLOAT)]}
    nodes = [helper.make_node("Transpose", ["x"], ["t"], "t", perm=[1, 0]),
             helper.make_node("If", ["which"], ["y"], "if",
                              **{key: helper.make_graph(body, key, [], made)
                                 for key, body in bodies.items()})]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["a", "b"]),
              helper.make_tensor_value_info("which", TensorProto.BOOL, [])]
    model = models.finish(nodes, inputs, ["y"],
                          [onnx.numpy_helper.from_array(whole(4, -1), "dims")], 21)
    taken = compare("branches", model, [{"x": 9 * floats(6, 4), "which": np.array(value)}
                                        for value in (True, False)])
    assert sorted(taken) == [["Cast", "Cast"], ["Transpose"], ["Transpose", "Reshape"]], taken
    Passes.runs -= 2  # one branch of the two runs
    Passes.more += 1


def test_left():
    """Nodes that stay with the CPU."""
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
    # The output of a node is the next node's shape, and not the data, or both.
    nodes = [helper.make_node("Slice", ["s"], ["shape"], "s", starts=[1], ends=[3]),
             helper.make_node("Reshape", ["x", "shape"], ["y"], "r"),
             helper.make_node("Transpose", ["y"], ["z"], "t", perm=[1, 0])]
    data.append(helper.make_tensor_value_info("s", TensorProto.INT64, ["c"]))
    for inputs, feeds in ((data, {**x, "s": whole(1, 3, 8)}), (data[1:], {"s": whole(1, 2, 1)})):
        taken = compare("a shape", models.finish(nodes, inputs, ["z"], [], 9), [feeds])
        assert sorted(taken) == [["Reshape", "Transpose"], ["Slice"]], taken
        nodes[1].input[0] = "shape"


def test_errors():
    """Statuses of ONNX Runtime's, in our words."""
    model = models.row([turn, node("Reshape", whole(4, -1))], {"x": floats(2, 3)})
    said = complaint(session(model, True, OPTIMIZED),
                     {"x": floats(2, 3)})
    assert "INVALID_ARGUMENT" in said and "clreshape: Reshape 'n1': " in said, said
    model = models.row([node("Expand", feeds=["shape"])], {"x": floats(3), "shape": whole(4)})
    made = session(model, True, OPTIMIZED)
    said = complaint(made, {"x": floats(3), "shape": whole(4)})
    assert "clreshape: Expand 'n0': " in said, said
    assert "at most 32" in complaint(made, {"x": floats(1), "shape": whole(*[1] * 33)})
    assert made.run(None, {"x": floats(3), "shape": whole(2, 3)})[0].shape == (2, 3)
    Passes.runs += 4


def complaint(made, feeds):
    try:
        made.run(None, feeds)
    except Exception as error:  # pybind's classes of ONNX Runtime's codes
        return str(error)
    raise AssertionError("nothing was refused")


def test_threads():
    """Concurrent runs of a session."""
    model = models.row([turn, node("Cast", to=TensorProto.INT32)], {"x": floats(2, 3)})
    made, wrong = session(model, True, OPTIMIZED), []

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
    Passes.runs += 100
    assert not wrong, wrong


def test_shufflenet():
    """A real model: the conversion of the camera's bytes to planes and each of the 16 channel
    shuffles are a pass each. Then quantized: each rounding node behind another ends a pass."""
    model = models.shufflenet(random)
    frames = [{"frame": random.integers(0, 256, (1, 224, 224, 3)).astype(np.uint8)}
              for _ in range(2)]
    first, second = [session(model, False, LITERAL).run(None, frame)[1] for frame in frames]
    assert np.isfinite(first).all() and np.unique(first).size > 900 and (first != second).any()
    shuffles = [["Transpose", "Cast"]] + [["Reshape", "Transpose", "Reshape"]] * 16
    for level in (LITERAL, OPTIMIZED):
        assert compare("ShuffleNet", model, frames, level) == shuffles
    Passes.exact = Passes.runs == 4 * 17
    assert Passes.exact


def test_quantized_shufflenet():
    """Literally, or the CPU makes integer operators of the nodes, which round differently."""
    frames = [{"frame": random.integers(0, 256, (1, 224, 224, 3)).astype(np.uint8)}
              for _ in range(2)]
    model = models.quantized(models.shufflenet(random), frames)
    taken = collections.Counter(sum(compare("quantized", model, frames), []))
    constants = {tensor.name for tensor in model.graph.initializer}
    wanted = collections.Counter(each.op_type for each in model.graph.node
                                 if each.input[0] not in constants)
    for operator in ("Transpose", "Reshape", "Cast", "QuantizeLinear"):
        assert taken[operator] == wanted[operator] > 0, (operator, taken, wanted)
    # ONNX Runtime duplicates the node for each consumer.
    assert taken["DequantizeLinear"] >= wanted["DequantizeLinear"] > 100, (taken, wanted)
    Passes.more = None


def said_by(work):
    """The messages of ONNX Runtime's default logger."""
    with tempfile.TemporaryFile() as kept:
        stderr = os.dup(2)
        os.dup2(kept.fileno(), 2)
        ort.set_default_logger_severity(1)
        work()
        ort.set_default_logger_severity(2)
        os.dup2(stderr, 2)
        os.close(stderr)
        kept.seek(0)
        return kept.read().decode()


def run(name, test):
    """With the provider's library loaded anew, so that the counts belong to this test."""
    ort.register_execution_provider_library("clreshape", LIBRARY)
    devices[:] = [each for each in ort.get_ep_devices() if each.ep_name == "clreshape"]
    Passes.runs, Passes.more, Passes.exact = 0, 0, False
    if devices:
        test()
    devices_were = len(devices)
    devices.clear()
    said = said_by(lambda: ort.unregister_execution_provider_library("clreshape"))
    if devices_were == 0:
        print("skipped: the provider finds no OpenCL device")
        sys.exit(1 if os.environ.get("CLRS_REQUIRE_DEVICE") else 77)
    runs, launches = map(int, re.search(r"(\d+) runs of fused nodes, (\d+) launches", said).groups())
    print(f"{name}: {runs} runs of fused nodes, {launches} launches", flush=True)
    assert runs == Passes.runs, Passes.runs
    # Fewer where there is no element, or the result is a view of the data after all.
    assert Passes.more is None or 0 < launches <= runs + Passes.more, Passes.more
    assert not Passes.exact or launches == runs


for key, value in list(globals().items()):
    if key.startswith("test_"):
        run(key, value)
