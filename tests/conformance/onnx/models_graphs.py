"""Models of several nodes, and every element type in every data field.

SPDX-License-Identifier: Apache-2.0
"""
import ml_dtypes
import numpy as np
from onnx import TensorProto

from models import X, counting, model, node, ok, tensor, unary, with_lists

# ------------------------------------------------------------------------- whole graphs, versions

def chains():
    shape = node("Constant", [], ["s"], value_ints=[4, 6])
    proto = model([shape, node("Transpose", ["x"], ["t"], perm=[1, 0, 2]),
                   node("Reshape", ["t", "s"], ["r"]), node("Transpose", ["r"], ["y"])],
                  [("x", X)], ["y"], 13)
    ok("chain_transpose_reshape_transpose", proto, [X],
       [X.transpose(1, 0, 2).reshape(4, 6).T])
    x = counting(2, 4, 6, dtype=np.float32)
    proto = model([node("Reshape", ["x", "a"], ["1"]), node("Transpose", ["1"], ["2"],
                                                            perm=[0, 2, 1, 3]),
                   node("Reshape", ["2", "b"], ["y"])], [("x", x)], ["y"], 14,
                  [tensor("a", np.array([2, 4, 3, 2])), tensor("b", np.array([6, 4, 2]))])
    ok("chain_attention_head_split", proto, [x],
       [x.reshape(2, 4, 3, 2).transpose(0, 2, 1, 3).reshape(6, 4, 2)])
    proto = model([node("Transpose", ["x"], ["t"]), node("Flatten", ["t"], ["f"]),
                   node("Identity", ["x"], ["i"]), node("Split", ["t"], ["p", "q"], axis=0)],
                  [("x", X)], ["f", "q", "x", "i", "f"], 13)
    ok("branches_and_several_outputs", proto, [X],
       [X.T.reshape(4, 6), X.T[2:], X, X, X.T.reshape(4, 6)])
    computed_shapes()
    initializers()


def computed_shapes():
    s = np.array([9, 9, 4, 6, 9])
    proto = model([node("Slice", ["s", "b", "e"], ["c"]), node("Reshape", ["x", "c"], ["y"])],
                  [("x", X), ("s", s)], ["y"], 13,
                  [tensor("b", np.array([2])), tensor("e", np.array([4]))])
    ok("shape_computed_in_the_graph", proto, [X, s], [X.reshape(4, 6)])
    proto = model([node("Slice", ["s", "b", "e", "", "d"], ["c"]),
                   node("Reshape", ["x", "c"], ["y"])], [("x", X), ("s", s)], ["y", "c"], 13,
                  [tensor("b", np.array([3])), tensor("e", np.array([1])),
                   tensor("d", np.array([-1]))])
    ok("shape_computed_backwards", proto, [X, s], [X.reshape(6, 4), s[3:1:-1]])


def initializers():
    weights = counting(2, 3)
    proto = model([node("Transpose", ["w"], ["y"])], [("x", X), ("w", weights)], ["y", "x"], 7,
                  [tensor("w", weights)], ir_version=3)
    ok("ir_3_lists_initializers_as_inputs", proto, [X], [weights.T, X])
    proto = model([node("Identity", ["w"], ["y"])], [], ["y", "w"], 13, [tensor("w", weights)])
    ok("initializer_as_output", proto, [], [weights, weights])
    ok("no_node_at_all", model([], [("x", X)], ["x"], 13), [X], [X])
    proto = model([node("Reshape", ["x"], ["y"], shape=[-1])], [("x", X)], ["y"], 0, ir_version=2)
    ok("ir_2_means_opset_1", proto, [X], [X.reshape(-1)])
    proto = model([node("Reshape", ["x"], ["y"], shape=[-1])], [("x", X)], ["y"], 0, ir_version=1)
    proto.graph.node[0].attribute[0].ClearField("type")
    ok("ir_1_attribute_without_type", proto, [X], [X.reshape(-1)])
    proto = model([node("Flatten", ["x"], ["y"], domain="ai.onnx")], [("x", X)], ["y"], 13)
    proto.opset_import[0].domain = "ai.onnx"
    proto.opset_import.add(domain="com.example", version=99)
    ok("domain_spelled_out_and_another_unused", proto, [X], [X.reshape(2, 12)])


# ---------------------------------------------------------------------- element types, data fields

TYPES = [np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32,
         np.uint64, np.float16, ml_dtypes.bfloat16, np.float32, np.float64, np.complex64,
         np.complex128, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e4m3fnuz, ml_dtypes.float8_e5m2,
         ml_dtypes.float8_e5m2fnuz, ml_dtypes.float8_e8m0fnu, ml_dtypes.float4_e2m1fn,
         ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.int2, ml_dtypes.uint2]


def all_bits(kind, *shape):
    """Elements with varied bit patterns, NaNs of all kinds among them."""
    count = int(np.prod(shape))
    low = {ml_dtypes.int4: 16, ml_dtypes.uint4: 16, ml_dtypes.float4_e2m1fn: 16,
           ml_dtypes.int2: 4, ml_dtypes.uint2: 4, np.bool_: 2}.get(kind)
    random = np.random.default_rng(count)
    if low is None:
        return random.integers(0, 256, count * np.dtype(kind).itemsize,
                               dtype=np.uint8).view(kind).reshape(shape)
    codes = random.integers(0, low, count).astype(np.uint8)
    if kind in (ml_dtypes.int4, ml_dtypes.int2):  # one byte each, sign-extended
        codes = np.where(codes >= low // 2, codes.astype(int) - low, codes).astype(np.int8)
    return codes.view(kind).reshape(shape)


def typed_field(array):
    """The TensorProto with the data in its typed field instead of raw_data."""
    raw = tensor("", array)
    values = {"float": np.float32, "complex64": np.float32, "double": np.float64,
              "complex128": np.float64, "int64": np.int64, "uint64": np.uint64,
              "uint32": np.uint32}
    signed = {"int8": np.int8, "int16": np.int16, "int32": np.int32}
    name = TensorProto.DataType.Name(raw.data_type).lower()
    words = values.get(name) or signed.get(name) or (
        np.uint16 if name in ("uint16", "float16", "bfloat16") else np.uint8)
    data = np.frombuffer(raw.raw_data, words).tolist()
    proto = TensorProto(dims=raw.dims, data_type=raw.data_type)
    field = {"float": "float_data", "complex64": "float_data", "double": "double_data",
             "complex128": "double_data", "int64": "int64_data", "uint64": "uint64_data",
             "uint32": "uint64_data"}.get(name, "int32_data")
    getattr(proto, field).extend(data)
    return name, proto


def element_types():
    for kind in TYPES:
        data = all_bits(kind, 3, 5)
        by_field = data
        if np.dtype(kind) in (np.dtype(np.float32), np.dtype(np.complex64), np.float64):
            by_field = counting(3, 5, dtype=kind)  # Python floats quieten NaNs
        name, proto = typed_field(by_field)
        ok(f"type_{name}_raw", *unary("Transpose", 25, data, [data.T]))
        ok(f"type_{name}_field", *unary("Transpose", 25, by_field, [by_field.T]), files=[proto])
    for kind in (ml_dtypes.int4, ml_dtypes.uint2, np.bool_):
        data = all_bits(kind, 3, 5)
        name = np.dtype(kind).name
        lists = [("starts", [1]), ("ends", [3]), ("axes", [0])]
        ok(f"packed_{name}_slice", *with_lists("Slice", 25, data, lists, [data[1:]]))
        ok(f"packed_{name}_split", *unary("Split", 18, data, [data[:, :3], data[:, 3:]],
                                          ["a", "b"], axis=1, num_outputs=2))
        ok(f"packed_{name}_reshape", *with_lists("Reshape", 25, data, [("shape", [5, 3])],
                                                 [data.reshape(5, 3)]))


def empty_and_deep():
    for dims in ((0,), (0, 3), (2, 0, 3)):
        data = np.zeros(dims, np.float32)
        ok(f"empty_{'x'.join(map(str, dims))}", *unary("Transpose", 13, data, [data.T]))
    data = counting(*([1] * 29 + [2, 3, 2]))
    ok("rank_32", *unary("Transpose", 13, data, [data.T]))


def make():
    for family in (chains, element_types, empty_and_deep):
        family()
