"""Helpers for all modules of this folder: models, tensors, and new cases.

SPDX-License-Identifier: Apache-2.0
"""
import ml_dtypes
import numpy as np
from onnx import AttributeProto, ModelProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

NEWEST = 28
STRING = TensorProto.STRING
CASES = {}
CHECKED = [0]


def tensor(name, array, **changes):
    proto = numpy_helper.from_array(np.asarray(array), name)
    for key, value in changes.items():
        setattr(proto, key, value)
    return proto


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs, outputs, **attributes)


def ints(name, values):
    """A list attribute, which may be empty."""
    attribute = AttributeProto(name=name, type=AttributeProto.INTS)
    attribute.ints.extend(values)
    return attribute


def model(nodes, inputs, outputs, opset, initializers=(), ir_version=8):
    """inputs: names with arrays. The model declares only the type and the rank of an input."""
    proto = ModelProto(ir_version=ir_version)
    if opset:
        proto.opset_import.add(domain="", version=opset)
    proto.graph.name = "g"
    proto.graph.node.extend(nodes)
    for name, array in inputs:
        dtype = np.asarray(array).dtype
        kind = STRING if dtype == object else helper.np_dtype_to_tensor_dtype(dtype)
        dims = [None] * np.asarray(array).ndim
        proto.graph.input.append(helper.make_tensor_value_info(name, kind, dims))
    for name in outputs:
        proto.graph.output.add(name=name)
    proto.graph.initializer.extend(initializers)
    return proto


def hexadecimal(proto):
    data = proto if isinstance(proto, bytes) else proto.SerializeToString(deterministic=True)
    return data.hex() or "-"


def add(kind, name, proto, inputs, rest):
    assert name not in CASES, name
    fields = [kind, name, hexadecimal(proto), str(len(inputs))]
    CASES[name] = "\t".join(fields + [hexadecimal(i) for i in inputs] + rest)


def same(a, b):
    if b.dtype == object or b.dtype.kind in "SU":
        return a.shape == b.shape and a.astype(str).tolist() == b.astype(str).tolist()
    if b.dtype in (ml_dtypes.int4, ml_dtypes.int2):  # unused bits of a byte differ
        a, b = a.astype(np.int8), b.astype(np.int8)
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def confirm(proto, feeds, expected):
    """If the reference can run the model, the reference must agree with NumPy."""
    try:
        got = ReferenceEvaluator(proto).run(None, feeds)
    except Exception:  # old forms, and types that the reference cannot represent
        return
    for have, want in zip(got, expected):
        assert same(np.asarray(have), want), (proto, have, want)
    CHECKED[0] += 1


def ok(name, proto, inputs, expected, files=None, launches=None):
    """inputs: the arrays of the model's inputs. files: other TensorProtos for the inputs, or
    None."""
    names = [value.name for value in proto.graph.input]
    names = [n for n in names if n not in {i.name for i in proto.graph.initializer}]
    expected = [np.ascontiguousarray(e).reshape(np.shape(e)) for e in expected]
    confirm(proto, dict(zip(names, inputs)), expected)
    files = files or [tensor("", array) for array in inputs]
    outputs = [hexadecimal(tensor(v.name, e)) for v, e in zip(proto.graph.output, expected)]
    assert len(outputs) == len(proto.graph.output) == len(expected)
    kind = "ok" if launches is None else f"ok:{launches}"
    add(kind, name, proto, files, [str(len(outputs))] + outputs)


def bad(name, proto, inputs, message):
    add("bad", name, proto, inputs, [message])


def counting(*shape, dtype=np.int16):
    return np.arange(1, 1 + int(np.prod(shape)), dtype=np.int64).astype(dtype).reshape(shape)


X = counting(2, 3, 4)
ROW = counting(1, 3, 1)


def unary(op, opset, data, expected, outputs=("y",), **attributes):
    proto = model([node(op, ["x"], list(outputs), **attributes)], [("x", data)], outputs, opset)
    return proto, [data], expected


def with_lists(op, opset, data, lists, expected, outputs=("y",), as_inputs=False, **attributes):
    """lists: (name, values) of the inputs after the data. A value of None omits the input."""
    dtype = np.int64
    names = ["x"] + [n if v is not None else "" for n, v in lists]
    arrays = [(n, np.asarray(v, v.dtype if isinstance(v, np.ndarray) else dtype))
              for n, v in lists if v is not None]
    inputs = [("x", data)] + (arrays if as_inputs else [])
    constants = [] if as_inputs else [tensor(n, a) for n, a in arrays]
    proto = model([node(op, names, list(outputs), **attributes)], inputs, outputs, opset, constants)
    return proto, [array for _, array in inputs], expected


def attribute_list(op, opset, data, name, values, *expected):
    proto = model([node(op, ["x"], ["y"])], [("x", data)], ["y"], opset)
    proto.graph.node[0].attribute.append(ints(name, values))
    return proto, [data], list(expected)
