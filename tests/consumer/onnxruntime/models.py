"""Models for test.py: small models with a row of nodes each, random rows, and ShuffleNet.

SPDX-License-Identifier: Apache-2.0
"""
import math
import os
import tempfile

import numpy as np
import onnx
import onnx.version_converter
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization

TYPES = {np.dtype(key): value for key, value in {
    "float32": TensorProto.FLOAT, "float64": TensorProto.DOUBLE, "float16": TensorProto.FLOAT16,
    "bool": TensorProto.BOOL, "int8": TensorProto.INT8, "uint8": TensorProto.UINT8,
    "int16": TensorProto.INT16, "uint16": TensorProto.UINT16, "int32": TensorProto.INT32,
    "int64": TensorProto.INT64, "object": TensorProto.STRING}.items()}


def node(operator, *constants, feeds=(), **attributes):
    """A node of a row: after the data come constants, numpy arrays or None, and then graph inputs.
    """
    return operator, constants, feeds, attributes


def row(nodes, feeds, opset=21, dynamic=True):
    """A model of nodes in a row from feeds["x"] to "y". With dynamic, no dim of an input is known.
    """
    made, initializers, value = [], [], "x"
    for i, (operator, constants, inputs, attributes) in enumerate(nodes):
        names = [value]
        for k, constant in enumerate(constants):
            names.append("" if constant is None else f"c{i}_{k}")
            if constant is not None:
                initializers.append(numpy_helper.from_array(np.asarray(constant), names[-1]))
        value = "y" if i == len(nodes) - 1 else f"v{i}"
        made.append(helper.make_node(operator, names + list(inputs), [value], name=f"n{i}",
                                     **attributes))
    inputs = [helper.make_tensor_value_info(
        name, TYPES[array.dtype],
        [f"{name}{axis}" for axis in range(array.ndim)] if dynamic else array.shape)
        for name, array in feeds.items()]
    return finish(made, inputs, ["y"], initializers, opset)


def finish(nodes, inputs, outputs, initializers, opset):
    """Types and shapes of intermediate values are inferred."""
    graph = helper.make_graph(nodes, "row", inputs, [onnx.ValueInfoProto(name=name)
                                                     for name in outputs], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)],
                              ir_version=8 if opset < 21 else 10)
    return onnx.shape_inference.infer_shapes(model)


def whole(*values):
    return np.array(values, np.int64)


def factors(random, count, rank):
    """Dims with the product count."""
    dims = [1] * rank
    for prime in (2, 3, 5, 7):
        while count % prime == 0:
            dims[random.integers(rank)] *= prime
            count //= prime
    dims[0] *= count
    return dims


def random_step(random, shape, dtype):
    """A random operator for this input, the output, and whether the operator is a step of the data.
    """
    rank, count = len(shape), math.prod(shape)
    kind = random.integers(8)
    if kind == 0:
        axes = [int(axis) for axis in random.permutation(rank)]
        return node("Transpose", perm=axes), [shape[axis] for axis in axes], dtype
    if kind == 1:
        dims = factors(random, count, random.integers(1, 5))
        return node("Reshape", whole(*dims)), dims, dtype
    if kind == 2:
        axis, step = int(random.integers(rank)), int(random.choice([-2, -1, 1, 2]))
        dims = list(shape)
        dims[axis] = len(range(shape[axis])[::step])
        ends = np.iinfo(np.int64).max if step > 0 else np.iinfo(np.int64).min
        return node("Slice", whole(0 if step > 0 else -1), whole(ends), whole(axis - rank),
                    whole(step)), dims, dtype
    if kind == 3 and rank < 6:
        axis = int(random.integers(rank + 1))
        return node("Unsqueeze", whole(axis)), [*shape[:axis], 1, *shape[axis:]], dtype
    if kind == 4 and 1 in shape and count < 2000:
        dims = [3 if extent == 1 else extent for extent in shape]
        return node("Expand", whole(*dims)), dims, dtype
    if kind == 5 and dtype == np.float32:
        zero = random.choice([np.uint8(3), np.int8(-5)])
        return node("QuantizeLinear", np.float32(.4), zero), shape, zero.dtype
    if kind == 6 and dtype in (np.uint8, np.int8, np.int32):
        return node("DequantizeLinear", np.float32(.4), dtype.type(0)), shape, np.dtype(np.float32)
    to = np.dtype(random.choice(["float32", "float16", "int8", "int16", "int32", "int64", "bool"]))
    return node("Cast", to=TYPES[to]), shape, to


def random_row(random):
    """Up to 12 nodes, on numbers that every intermediate type holds."""
    shape = [int(extent) for extent in random.integers(1, 9, random.integers(1, 5))]
    dtype, nodes = np.dtype(random.choice(["float32", "uint8", "int32"])), []
    feeds = {"x": random.integers(0, 101, shape).astype(dtype)}
    for _ in range(random.integers(1, 13)):
        step, shape, dtype = random_step(random, shape, dtype)
        nodes.append(step)
    return nodes, feeds


def shufflenet(random):
    """ShuffleNet from the onnx package, which keeps only the shapes of the weights, so the weights
    are drawn. Nodes in front turn a camera's bytes into planes of f32."""
    model = onnx.load(os.path.join(os.path.dirname(onnx.__file__), "backend", "test", "data",
                                   "light", "light_shufflenet.onnx"))
    graph = model.graph
    shapes = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = [each for each in graph.node if each.op_type == "ConstantOfShape"]
    kept = [tensor for tensor in graph.initializer if not tensor.name.endswith("__SHAPE")]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    for each in weights:
        shape = shapes[each.input[0]]
        # Products of many small numbers. Variances are positive.
        numbers = random.standard_normal(shape) / max(1, math.prod(shape[1:])) ** .5
        numbers = 1 + .1 * np.abs(numbers) if len(shape) == 1 else numbers
        graph.node.remove(each)
        graph.initializer.append(numpy_helper.from_array(numbers.astype(np.float32),
                                                         each.output[0]))
    data = next(value for value in graph.input if value.name not in shapes)
    for i, (operator, attributes) in enumerate([("Transpose", {"perm": [0, 3, 1, 2]}),
                                                ("Cast", {"to": TensorProto.FLOAT})]):
        graph.node.insert(i, helper.make_node(
            operator, [("frame", "planes")[i]], [("planes", data.name)[i]], operator, **attributes))
    del graph.input[:]
    graph.input.append(helper.make_tensor_value_info("frame", TensorProto.UINT8, [1, 224, 224, 3]))
    # The input of the last node is an output too, because a softmax shows little of the input.
    graph.output.append(helper.make_tensor_value_info(graph.node[-1].input[0], TensorProto.FLOAT,
                                                      [1, 1000]))
    model.ir_version = 8
    return onnx.version_converter.convert_version(model, 13)


def quantized(model, frames):
    """With QuantizeLinear and DequantizeLinear around every operator, as in the output of ONNX
    Runtime's tool."""
    class Frames(quantization.CalibrationDataReader):
        left = list(frames)

        def get_next(self):
            return self.left.pop() if self.left else None
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("floats.onnx", "integers.onnx")]
        onnx.save(model, paths[0])
        quantization.quantize_static(*paths, Frames(),
                                     quant_format=quantization.QuantFormat.QDQ)
        return onnx.load(paths[1])
