"""Models that compute with elements and must fail, each with words of the error.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np
from onnx import TensorProto

from models import X, bad, counting, model, node, tensor

BYTES = counting(2, 3, dtype=np.uint8)
FLOATS = counting(2, 3, dtype=np.float32)


def fails(name, nodes, data, constants, message, opset=23):
    proto = model(nodes, [("x", data)], ["y"], opset,
                  [tensor(n, np.asarray(v)) for n, v in constants.items()])
    bad(name, proto, [tensor("", data)], message)


def scales():
    scale = np.float32(0.5)
    quantize = node("QuantizeLinear", ["x", "s"], ["y"])
    dequantize = node("DequantizeLinear", ["x", "s", "z"], ["y"])
    fails("dequantize_zero_of_other_type", [dequantize], BYTES, {"s": scale, "z": np.int8(1)},
          "its zero point is int8; it must be uint8, as what is quantized")
    fails("dequantize_zeros_for_one_scale", [dequantize], BYTES,
          {"s": scale, "z": np.ones(3, np.uint8)}, "its scale and its zero point have different")
    fails("dequantize_to_integers", [node("DequantizeLinear", ["x", "s"], ["y"],
                                          output_dtype=TensorProto.INT8)], BYTES, {"s": scale},
          "its result is int8, which is not executed there")
    fails("quantize_doubles", [quantize], FLOATS.astype(np.float64), {"s": scale},
          "its input is double, which is not executed there")
    fails("quantize_to_floats", [node("QuantizeLinear", ["x", "s"], ["y"],
                                      output_dtype=TensorProto.FLOAT16)], FLOATS, {"s": scale},
          "its result is float16, which is not executed there")
    fails("quantize_to_other_than_its_zero", [node("QuantizeLinear", ["x", "s", "z"], ["y"],
                                                   output_dtype=TensorProto.INT16)], FLOATS,
          {"s": scale, "z": np.uint8(1)}, "output_dtype is int16 and its zero point is uint8")
    for number, words in ((-1, "-1"), (2**31, "2147483648")):
        fails(f"quantize_to_no_type_{number}", [node("QuantizeLinear", ["x", "s"], ["y"],
                                                     output_dtype=number)], FLOATS, {"s": scale},
              f"output_dtype is {words}, which is no type")
    fails("quantize_by_a_table", [quantize], FLOATS, {"s": np.ones((2, 3), np.float32)},
          "its scale has 2 dims and its data 2; a scale is one number")


def types():
    for number in (-1, 2**31):
        fails(f"cast_to_no_type_{number}", [node("Cast", ["x"], ["y"], to=number)], X, {},
              f"to is {number}, which is no type")
    fails("pad_2_integers_with_a_value", [node("Pad", ["x"], ["y"], pads=[1, 1], value=1.5)],
          counting(4), {}, "value is 1.5, but for int16 only 0 is executed", 2)
    fails("tile_1_of_two_axes", [node("Tile", ["x", "t", "a"], ["y"])], FLOATS,
          {"t": np.ones(1, np.float32), "a": np.zeros(0, np.float32)},
          "tiles and axis must be one number each", 1)


def ranges():
    step = {"a": np.float32(0), "b": np.float32(1), "d": np.float32(0)}
    count = node("Range", ["a", "b", "d"], ["r"])
    fails("range_of_floats_without_step", [count, node("Identity", ["r"], ["y"])], X, step, "delta")
    whole = {"a": np.int64(-2**63), "b": np.int64(2**63 - 1), "d": np.int64(1)}
    fails("range_of_too_many", [count, node("Identity", ["r"], ["y"])], X, whole,
          "the range has more than 2^63-1 elements")


def parts():
    proto = model([node("Split", ["x", "s"], ["y", "z"], split=[1, 1])], [("x", X)], ["y", "z"], 1,
                  [tensor("s", np.ones(2, np.float32))])
    bad("split_1_both", proto, [tensor("", X)], "split is given as attribute and as input")
    proto = model([node("Split", ["x"], ["y", "z"], num_outputs=0)], [("x", X)], ["y", "z"], 18)
    bad("split_18_none", proto, [tensor("", X)], "num_outputs is 0")


def make():
    scales()
    types()
    ranges()
    parts()
