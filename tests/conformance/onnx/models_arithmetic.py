"""Models of the arithmetic on shapes that exporters leave behind.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
from onnx import TensorProto

from models import X, counting, model, node, ok, tensor

I64 = np.int64


def known(name, nodes, constants, expected, opset=17, inputs=(), launches=0):
    """Constants in, values known on the host out."""
    proto = model(nodes, list(inputs), [f"y{i}" for i in range(len(expected))], opset,
                  [tensor(n, v) for n, v in constants.items()])
    if len(expected) == 1:
        proto.graph.output[0].name = "y"
    ok(name, proto, [array for _, array in inputs], expected, launches=launches)


def binary(op, a, b, want, name=None, opset=17, **attributes):
    known(name or f"{op.lower()}_{np.asarray(a).dtype}_{opset}",
          [node(op, ["a", "b"], ["y"], **attributes)], {"a": np.asarray(a), "b": np.asarray(b)},
          [np.asarray(want)], opset)


def operators():
    a, b = np.array([[7, -7], [12, -12]]), np.array([2, -5])
    for opset in (7, 13, 14, 28):
        for kind in (I64, np.int32) + ((np.int8, np.int16) if opset >= 14 else ()):
            x, y = a.astype(kind), b.astype(kind)
            binary("Add", x, y, x + y, opset=opset)
            binary("Sub", x, y, x - y, opset=opset)
            binary("Mul", x, y, x * y, opset=opset)
            binary("Div", x, y, np.trunc(x / y).astype(kind), opset=opset)
    floats = np.array([1.5, -2.25, 1e30], np.float32), np.array([3, 7, 1e9], np.float32)
    for kind in (np.float32, np.float64):
        x, y = (v.astype(kind) for v in floats)
        for op, function in (("Add", np.add), ("Sub", np.subtract), ("Mul", np.multiply),
                             ("Div", np.divide)):
            binary(op, x, y, function(x, y))
    for opset in (10, 13, 28):
        binary("Mod", a, b, np.mod(a, b), f"mod_{opset}", opset)
        binary("Mod", a, b, np.fmod(a, b), f"fmod_{opset}", opset, fmod=1)
    lowest = np.array([-2**63, -2**63, 7])
    for fmod in (0, 1):
        binary("Mod", lowest, np.array([-1, 1, -1]), np.zeros(3, I64), f"mod_by_minus_one_{fmod}",
               fmod=fmod)
    for op, function in (("Equal", np.equal), ("Less", np.less), ("Greater", np.greater)):
        binary(op, a, np.array([7, -12]), function(a, np.array([7, -12])), opset=13)
    for op, function in (("LessOrEqual", np.less_equal), ("GreaterOrEqual", np.greater_equal)):
        binary(op, a, np.array([7, -12]), function(a, np.array([7, -12])), opset=16)
    t, f = np.array([True, False, True]), np.array([True])
    binary("And", t, f, t & f)
    binary("Or", t, ~f, t | ~f)
    binary("Add", np.uint64(2**62), np.uint64(2**62 - 1), np.uint64(2**63 - 1), "add_uint64")
    unary_operators()


def unary_operators():
    v = np.array([[3, -4], [0, 9]])
    known("neg_abs_not", [node("Neg", ["v"], ["y0"]), node("Abs", ["v"], ["y1"]),
                          node("Cast", ["v"], ["b"], to=TensorProto.BOOL),
                          node("Not", ["b"], ["y2"])], {"v": v}, [-v, abs(v), v == 0])
    f = np.array([1.5, -1.5, -0.0, 0.25, -0.25, 1e300, np.inf, 2.0])
    known("floor_ceil", [node("Floor", ["f"], ["y0"]), node("Ceil", ["f"], ["y1"])], {"f": f},
          [np.floor(f), np.ceil(f)])
    known("min_max_of_three", [node("Min", ["a", "b", "c"], ["y0"]),
                               node("Max", ["a", "b", "c"], ["y1"])],
          {"a": v, "b": np.array([1, 2]), "c": I64(0)},
          [np.minimum(np.minimum(v, [1, 2]), 0), np.maximum(np.maximum(v, [1, 2]), 0)])


def reals():
    """Operators that compare and fold floats, NaN included."""
    a = np.array([1.5, np.nan, -0.5, np.nan, 2], np.float32)
    b = np.array([2.5, 0.5, np.nan, np.nan, 2], np.float32)
    for kind in (np.float32, np.float64):
        x, y = a.astype(kind), b.astype(kind)
        for op, opset, function in (
                ("Equal", 13, np.equal), ("Less", 13, np.less), ("Greater", 13, np.greater),
                ("LessOrEqual", 16, np.less_equal), ("GreaterOrEqual", 16, np.greater_equal),
                ("Min", 13, np.minimum), ("Max", 13, np.maximum)):
            binary(op, x, y, function(x, y), f"{op.lower()}_of_{np.dtype(kind)}", opset)
    f = np.array([[1.1, 3], [0.7, -2]], np.float32)
    known("reduce_prod_of_floats", [node("ReduceProd", ["f"], ["y"], axes=[0], keepdims=0)],
          {"f": f}, [f.prod(0)], 13)
    known("reduce_prod_of_nothing", [node("ReduceProd", ["f"], ["y"], noop_with_empty_axes=1)],
          {"f": f}, [f], 18)


def legacy_broadcast():
    a, b = counting(2, 3, 4, dtype=I64), np.array([10, 20, 30])
    known("add_6_axis", [node("Add", ["a", "b"], ["y"], axis=1, broadcast=1)], {"a": a, "b": b},
          [a + b[:, None]], 6)
    known("mul_1_suffix", [node("Mul", ["a", "b"], ["y"], broadcast=1)],
          {"a": a, "b": np.arange(4)}, [a * np.arange(4)], 1)
    known("sub_6_equal_shapes", [node("Sub", ["a", "a"], ["y"])], {"a": a}, [a - a], 6)


def casts():
    v = np.array([0, 1, -3, 100])
    kinds = {TensorProto.FLOAT: np.float32, TensorProto.DOUBLE: np.float64,
             TensorProto.INT32: np.int32, TensorProto.INT8: np.int8, TensorProto.BOOL: np.bool_,
             TensorProto.INT64: I64}
    for opset in (6, 9, 13, 19, 24, 28):
        for to, kind in kinds.items():
            known(f"cast_{opset}_{np.dtype(kind)}", [node("Cast", ["v"], ["y"], to=to)], {"v": v},
                  [v.astype(kind)], opset)
    known("cast_1_by_name", [node("Cast", ["v"], ["y"], to="INT32")], {"v": v},
          [v.astype(np.int32)], 1)
    low_bits()
    f = np.array([1.9, -1.9, 0.0, np.nan, 3e9])
    known("cast_from_float", [node("Cast", ["f"], ["y0"], to=TensorProto.INT64),
                              node("Cast", ["g"], ["y1"], to=TensorProto.BOOL)],
          {"f": f[[0, 1, 2, 4]], "g": f}, [np.array([1, -1, 0, 3000000000]), f != 0])
    proto = model([node("Cast", ["x"], ["t"], to=TensorProto.INT16), node("Transpose", ["t"],
                                                                          ["y"])],
                  [("x", X)], ["y"], 13)
    ok("cast_of_data_to_its_own_type", proto, [X], [X.T], launches=1)


def low_bits():
    """The number of ONNX's own example: 200 as int16, which is -56 as int8."""
    kinds = {np.int8: TensorProto.INT8, np.uint8: TensorProto.UINT8, np.int16: TensorProto.INT16,
             np.uint16: TensorProto.UINT16, np.int32: TensorProto.INT32,
             np.uint32: TensorProto.UINT32, I64: TensorProto.INT64, np.uint64: TensorProto.UINT64}
    values = [0, 1, -1, 200, -129, 2**15, -2**31, 2**32 + 5, 2**63 - 1, -2**63]
    for kind in kinds:
        v = np.array([x % 2**64 for x in values], np.uint64).astype(kind)
        others = [k for k in kinds if k != kind]
        known(f"cast_low_bits_of_{np.dtype(kind)}",
              [node("Cast", ["v"], [f"y{i}"], to=kinds[k]) for i, k in enumerate(others)],
              {"v": v}, [v.astype(k) for k in others])
    known("cast_200_to_minus_56", [node("Cast", ["v"], ["y"], to=TensorProto.INT8)],
          {"v": np.array([200], np.int16)}, [np.array([-56], np.int8)])
    huge = np.array([0, 2**63, 2**64 - 1], np.uint64)
    known("cast_huge_uint64", [node("Cast", ["v"], ["y0"], to=TensorProto.DOUBLE),
                               node("Cast", ["v"], ["y1"], to=TensorProto.FLOAT),
                               node("Cast", ["v"], ["y2"], to=TensorProto.BOOL)],
          {"v": huge}, [huge.astype(np.float64), huge.astype(np.float32), huge != 0])


def makers():
    for name, numbers in (("up", (2, 11, 3)), ("down", (10, 4, -2)), ("none", (5, 5, 1)),
                          ("past", (0, -3, 1)), ("wide", (-2**62, 2**62, 2**61))):
        for kind in (I64, np.int32) if name != "wide" else (I64,):
            start, limit, delta = (kind(n) for n in numbers)
            known(f"range_{name}_{np.dtype(kind)}", [node("Range", ["s", "l", "d"], ["y"])],
                  {"s": start, "l": limit, "d": delta}, [np.array(range(*numbers), kind)], 11)
    known("range_float", [node("Range", ["s", "l", "d"], ["y"])],
          {"s": np.float32(1), "l": np.float32(2.6), "d": np.float32(0.5)},
          [np.array([1, 1.5, 2, 2.5], np.float32)], 27)
    c = np.array([[True], [False]])
    known("where", [node("Where", ["c", "a", "b"], ["y"])],
          {"c": c, "a": np.array([1, 2, 3]), "b": I64(-1)},
          [np.where(c, np.array([1, 2, 3]), -1)], 9)
    for opset in (1, 11, 13, 18):
        v = counting(2, 3, 2, dtype=I64)
        axes = {"axes": [0, 2]} if opset < 18 else {}
        inputs = ["v"] if opset < 18 else ["v", "a"]
        constants = {"v": v} if opset < 18 else {"v": v, "a": np.array([0, -1])}
        known(f"reduce_prod_{opset}", [node("ReduceProd", inputs, ["y0"], **axes),
                                       node("ReduceProd", inputs, ["y1"], keepdims=0, **axes),
                                       node("ReduceProd", ["v"], ["y2"], keepdims=0)], constants,
              [v.prod((0, 2), keepdims=True), v.prod((0, 2)), v.prod()], opset)


def shapes():
    for opset in (1, 13, 15, 25):
        slices = {} if opset < 15 else {"start": -2, "end": 10}
        want = X.shape if opset < 15 else X.shape[-2:]
        proto = model([node("Transpose", ["x"], ["t"], perm=[0, 1, 2]),
                       node("Shape", ["t"], ["y"], **slices), node("Size", ["t"], ["z"])],
                      [("x", X)], ["y", "z"], opset)
        ok(f"shape_and_size_{opset}", proto, [X], [np.array(want), I64(X.size)], launches=0)
    ok("movement_of_a_shape", *movement_of_a_shape(), launches=1)
    ok("known_chain", *known_chain(), launches=0)
    ok("known_stack", *known_stack(), launches=0)
    ok("expand_by_where", *expand_by_where(), launches=1)
    # The input is data, so the device concatenates the two runs of indices.
    ok("sizes_from_a_table", *sizes_from_a_table(), launches=1)
    ok("sizes_from_an_input", *sizes_from_an_input(), launches=3)


def known_chain():
    """Every kind of movement, of a constant."""
    value = counting(2, 4, 6, 3, dtype=np.float16)
    nodes = [node("Transpose", ["v"], ["1"], perm=[2, 0, 3, 1]), node("Reshape", ["1", "s"], ["2"]),
             node("Slice", ["2", "b", "e", "a", "d"], ["3"]), node("Tile", ["3", "r"], ["4"]),
             node("DepthToSpace", ["4"], ["5"], blocksize=2), node("Split", ["5"], ["6", "7"],
                                                                   axis=3),
             node("Concat", ["7", "6"], ["y"], axis=-2), node("Expand", ["7", "w"], ["z"])]
    proto = model(nodes, [], ["y", "z"], 13,
                  [tensor(n, np.asarray(v)) for n, v in
                   (("v", value), ("s", [1, 12, 2, 6]), ("b", [-1]), ("e", [-99]), ("a", [1]),
                    ("d", [-3]), ("r", [1, 2, 1, 2]), ("w", [3, 1, 1, 1, 1]))])
    x = np.tile(value.transpose(2, 0, 3, 1).reshape(1, 12, 2, 6)[:, ::-3], (1, 2, 1, 2))
    x = x.reshape(1, 2, 2, 2, 2, 12).transpose(0, 3, 4, 1, 5, 2).reshape(1, 2, 4, 24)
    six, seven = np.split(x, 2, 3)
    return proto, [], [np.concatenate([seven, six], -2), np.broadcast_to(seven, (3,) + seven.shape)]


def known_stack():
    """Transposes of a constant that have no common axes: 6x4, 8x3, 4x6."""
    value = counting(4, 6, dtype=np.int32)
    nodes = [node("Transpose", ["v"], ["1"]), node("Reshape", ["1", "a"], ["2"]),
             node("Transpose", ["2"], ["3"]), node("Reshape", ["3", "b"], ["4"]),
             node("Transpose", ["4"], ["y"]), node("Add", ["3", "one"], ["z"])]
    proto = model(nodes, [], ["y", "z"], 13,
                  [tensor("v", value), tensor("a", np.array([8, 3])),
                   tensor("b", np.array([4, 6])), tensor("one", np.int32(1))])
    three = value.T.reshape(8, 3).T
    return proto, [], [three.reshape(4, 6).T, three + np.int32(1)]


def movement_of_a_shape():
    """view(shape[0] * shape[1], -1) as old exporters write it, then a transpose."""
    nodes = [node("Shape", ["x"], ["s"]), node("Slice", ["s", "zero", "two"], ["a"]),
             node("ReduceProd", ["a"], ["p"]), node("Unsqueeze", ["p", "zero"], ["q"]),
             node("Squeeze", ["q", "zero"], ["r"]), node("Concat", ["r", "minus"], ["c"], axis=0),
             node("Reshape", ["c", "two"], ["d"]), node("Identity", ["d"], ["e"]),
             node("Reshape", ["x", "e"], ["t"]), node("Transpose", ["t"], ["y"])]
    proto = model(nodes, [("x", X)], ["y"], 13,
                  [tensor("zero", np.array([0])), tensor("two", np.array([2])),
                   tensor("minus", np.array([-1]))])
    return proto, [X], [X.reshape(6, 4).T]


def expand_by_where():
    """torch.expand(-1, 3, 5): the sizes that are -1 become 1 before Expand."""
    row = counting(2, 1, 5)
    nodes = [node("Shape", ["w"], ["n"]), node("ConstantOfShape", ["n"], ["ones"],
                                               value=tensor("", np.array([1]))),
             node("Mul", ["ones", "minus"], ["m"]), node("Equal", ["w", "m"], ["e"]),
             node("Where", ["e", "ones", "w"], ["s"]), node("Expand", ["x", "s"], ["y"])]
    proto = model(nodes, [("x", row)], ["y"], 13,
                  [tensor("w", np.array([-1, 3, 5])), tensor("minus", np.array(-1))])
    return proto, [row], [np.broadcast_to(row, (2, 3, 5))]


def sizes_from_an_input():
    sizes = np.array([3, 2, 2], np.int64)
    nodes = [node("Gather", ["n", "order"], ["g"]), node("Mul", ["g", "two"], ["m"]),
             node("Div", ["m", "two"], ["s"]), node("Transpose", ["x"], ["t"]),
             node("Reshape", ["t", "s"], ["y"])]
    data = counting(2, 6)
    proto = model(nodes, [("x", data), ("n", sizes)], ["y"], 13,
                  [tensor("order", np.array([1, 0, 2])), tensor("two", np.array(2))])
    return proto, [data, sizes], [data.T.reshape(2, 3, 2)]


def sizes_from_a_table():
    """Rows and columns of a constant of rank 2 are known."""
    constants = {"t": np.array([[1, 2, 5], [4, 3, 2]]), "one": np.array(1),
                 "columns": np.array([1, 0]), "flat": np.array([-1])}
    nodes = [node("Gather", ["t", "one"], ["r"], axis=0), node("Reshape", ["x", "r"], ["a"]),
             node("Transpose", ["a"], ["b"]), node("Gather", ["t", "columns"], ["c"], axis=1),
             node("Reshape", ["c", "flat"], ["d"]), node("Reshape", ["b", "d"], ["y"])]
    proto = model(nodes, [("x", X)], ["y"], 13, [tensor(n, v) for n, v in constants.items()])
    return proto, [X], [X.reshape(4, 3, 2).T.reshape(2, 1, 3, 4)]


def make():
    for forms in (operators, reals, legacy_broadcast, casts, makers, shapes):
        forms()
