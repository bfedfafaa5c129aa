"""Models that must fail: order and cycles, control flow, and the operators that put tensors together
or compute.

SPDX-License-Identifier: Apache-2.0
"""
import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

from models import X, bad, counting, model, node, tensor

BIG = 2**63 - 1


def fails(name, message, nodes, constants=None, opset=17, data=X):
    proto = model(nodes, [("x", data)], ["y"], opset,
                  [tensor(n, np.asarray(v)) for n, v in (constants or {}).items()])
    bad(name, proto, [tensor("", data)], message)


def order():
    a = node("Identity", ["b"], ["a"], name="first")
    b = node("Identity", ["a"], ["b"], name="second")
    y = node("Identity", ["x"], ["y"])
    fails("cycle_of_two", 'node 0 "first" (Identity): its input "b" is computed by node 1 "second" '
          '(Identity), which needs this node\'s output: the graph has a cycle', [a, b, y])
    c = node("Identity", ["x"], ["c"], name="late")
    fails("not_sorted", 'node 0 "early" (Identity): its input "c" is computed by node 1 "late" '
          '(Identity), which comes later', [node("Identity", ["c"], ["y"], name="early"), c])
    ring = [node("Identity", [f"v{(i + 1) % 50}"], [f"v{i}"]) for i in range(50)]
    fails("cycle_of_fifty", "the graph has a cycle", ring + [y])
    body = helper.make_graph([node("Identity", ["x"], ["o"])], "body", [],
                             [helper.make_tensor_value_info("o", TensorProto.INT16, None)])
    fails("if", '_branch" is a graph; no graph within',
          [node("If", ["x"], ["y"], name="choice", then_branch=body, else_branch=body)])
    fails("loop", 'node 0 "" (Loop): attribute "body" is a graph',
          [node("Loop", ["x", "x"], ["y"], body=body)])
    proto = model([node("Flatten", ["x"], ["y"])], [("x", X)], ["y"], 17)
    proto.functions.add(name="Flatten", domain="")
    bad("function_of_onnx", proto, [tensor("", X)], 'its function "Flatten" redefines an operator')


    proto = model([node("Fold", ["x"], ["y"], domain="mine", name="n")], [("x", X)], ["y"], 17)
    proto.functions.add(name="Fold", domain="mine")
    bad("function", proto, [tensor("", X)],
        'node 0 "n" (Fold): operators of domain "mine" and functions are not executed')


def assembly():
    float_x = {"f": X.astype(np.float32), "r": counting(2, 3), "w": counting(2, 2, 5)}

    def concat(name, message, inputs, opset=17, **attributes):
        fails(f"concat_{name}", message, [node("Concat", inputs, ["y"], **attributes)], float_x,
              opset)

    concat("of_two_types", "input 1 is float and input 0 int16; all must be of one type",
           ["x", "f"], axis=0)
    concat("of_two_ranks", "input 1 has 2 dims and input 0 3", ["x", "r"], axis=0)
    concat("of_other_dims", "dimension 1 of input 1 is 2 and of input 0 3", ["x", "w"], axis=2)
    concat("axis_past_the_rank", "axis 3 is out of range", ["x", "x"], axis=3)
    concat("without_axis", "attribute axis is missing", ["x", "x"])
    concat("negative_axis_in_4", "axis -1 is negative", ["x", "x"], opset=4, axis=-1)
    concat("input_left_out", "input 1 is left out", ["x", "", "x"], axis=0)
    concat("of_nothing", "it has 0 inputs", [], axis=0)
    image = counting(1, 8, 2, 2)
    for name, size, message in (("0", 0, "0"), ("negative", -2, "-2"), ("3", 3, "does not divide dimension")):
        fails(f"depth_to_space_block_of_{name}", message,
              [node("DepthToSpace", ["x"], ["y"], blocksize=size)], data=image)
        fails(f"space_to_depth_block_of_{name}", message,
              [node("SpaceToDepth", ["x"], ["y"], blocksize=size)], data=image)
    fails("depth_to_space_rank_3", "it must have 4", [node("DepthToSpace", ["x"], ["y"],
                                                           blocksize=2)])
    fails("depth_to_space_mode", "mode is neither", [node("DepthToSpace", ["x"], ["y"], blocksize=2,
                                                          mode="DRC")], data=image)
    fails("depth_to_space_without_block", "blocksize is missing", [node("DepthToSpace", ["x"],
                                                                        ["y"])], data=image)
    fails("space_to_depth_mode_in_13", 'attribute "mode"',
          [node("SpaceToDepth", ["x"], ["y"], blocksize=2, mode="CRD")], data=image)
    tiles_and_pads()


def tiles_and_pads():
    tile = [node("Tile", ["x", "r"], ["y"])]
    fails("tile_short", "Tile", tile, {"r": [2, 2]})
    fails("tile_negative", "-1", tile, {"r": [1, -1, 1]})
    fails("tile_overflow", "64", tile, {"r": [2**40, 2**40, 1]})
    pad = [node("Pad", ["x", "p"], ["y"])]
    fails("pad_short", "pads has 5 values; it must have 6", pad, {"p": [0] * 5})
    fails("pad_away", "pads take more away than dimension 1 of extent 3", pad,
          {"p": [0, -2, 0, 0, -2, 0]})
    fails("pad_far_away", "pads take more away", pad, {"p": [-BIG - 1, 0, 0, 0, 0, 0]})
    fails("pad_overflow", "64", pad, {"p": [BIG, 0, 0, BIG, 0, 0]})
    fails("pad_mirror", "mode is not one of", [node("Pad", ["x", "p"], ["y"], mode="mirror")],
          {"p": [0] * 6})
    fails("pad_wrap_18", "from opset 19 on wrap", [node("Pad", ["x", "p"], ["y"], mode="wrap")],
          {"p": [0] * 6}, opset=18)
    fails("pad_empty", "has no elements, and edge padding",
          [node("Pad", ["x", "c"], ["e"]), node("Pad", ["e", "p"], ["y"], mode="edge")],
          {"c": [0, 0, 0, 0, 0, -4], "p": [0, 0, 1, 0, 0, 0]})
    fails("pad_many_boxes", "edge padding of 9 dims or more puts together over 8192 boxes",
          [node("Pad", ["x", "p"], ["y"], mode="edge")], {"p": [1] * 18}, data=counting(*[2] * 9))
    value = [node("Pad", ["x", "p", "v"], ["y"])]
    fails("pad_value_type", "it must be 1 of int16", value, {"p": [1] * 6, "v": np.float32(1)})
    fails("pad_two_values", "is 2 of int16", value, {"p": [1] * 6, "v": counting(2)})
    axes = [node("Pad", ["x", "p", "", "a"], ["y"])]
    fails("pad_axis", "axis 3 is out of range", axes, {"p": [1, 1], "a": [3]}, opset=18)
    fails("pad_axis_twice", "axes names dimension 2 twice", axes,
          {"p": [1, 1, 1, 1], "a": [2, -1]}, opset=18)
    gather = [node("Gather", ["x", "i"], ["y"])]
    fails("gather_past_the_end", "index 1 is 2; dimension 0 has extent 2", gather, {"i": [0, 2]})
    fails("gather_before_the_start", "index 0 is -3", gather, {"i": [-3]})
    fails("gather_of_floats", "its indices are float", gather, {"i": np.float32([0])})
    scattered = np.random.default_rng(1).permutation(200)
    rows = counting(200)
    fails("gather_scattered_int4", "more than 64 evenly spaced runs", gather, {"i": scattered},
          data=(rows % 16 - 8).astype(ml_dtypes.int4), opset=21)
    fails("gather_scattered_past_the_end", "index 200 is 200; dimension 0 has extent 200", gather,
          {"i": [*scattered, 200]}, data=rows)
    fails("gather_many_before_the_start", "index 5000 is -201; dimension 0 has extent 200", gather,
          {"i": np.int32([0, 3] * 2500 + [-201, 1])}, data=rows)


def arithmetic():
    two = {"a": [BIG, 1], "b": [1, 0], "i": np.int32([2**31 - 1]), "one": np.int32([1])}
    for op, values, message in (
            ("Add", ("a", "b"), f"{BIG} + 1 does not fit in 64 bits"),
            ("Mul", ("a", "a"), f"{BIG} * {BIG} does not fit in 64 bits"),
            ("Div", ("a", "b"), "1 is divided by 0"), ("Mod", ("a", "b"), "1 is divided by 0"),
            ("Add", ("i", "one"), "value 0 would be 2147483648, which is no int32"),
            ("Add", ("a", "i"), "its operands are int64 and int32"),
            ("And", ("f", "f"), "it is not for floating-point"),
            ("Add", ("f", "x"), "its operands are float and int16"),
            ("Add", ("x", "f"), "its operands are int16 and float"),
            ("Add", ("a", "c"), "cannot be 2 and 3")):
        constants = dict(two, f=np.float32([1]), c=[1, 2, 3])
        fails(f"{op.lower()}_{'_'.join(values)}", message,
              [node(op, list(values), ["y"])], {n: v for n, v in constants.items()})
    fails("div_min_by_minus_one", "does not fit", [node("Div", ["a", "b"], ["y"])],
          {"a": [-BIG - 1], "b": [-1]})
    fails("neg_min", "does not fit", [node("Neg", ["a"], ["y"])], {"a": [-BIG - 1]})
    fails("add_too_many", "more than the 4096 elements", [node("Add", ["a", "a"], ["y"])],
          {"a": np.arange(5000).astype(np.int8)})
    fails("add_broadcast_too_many", "at most 4096", [node("Add", ["a", "b"], ["y"])],
          {"a": np.arange(100), "b": np.arange(100).reshape(100, 1)})
    fails("add_uint64_past_int64", "at most 2^63-1", [node("Add", ["a", "a"], ["y"])],
          {"a": np.uint64([2**63])})
    fails("add_6_without_broadcast", "broadcast is 0", [node("Add", ["a", "b"], ["y"])],
          {"a": [[1, 2]], "b": [1]}, opset=6)
    conversions()


def conversions():
    fails("neg_of_data", "is floating-point data", [node("Neg", ["x"], ["y"])],
          data=X.astype(np.float32))
    fails("cast_to_string", "to is string", [node("Cast", ["a"], ["y"], to=TensorProto.STRING)],
          {"a": [1]})
    fails("cast_to_nothing", "99", [node("Cast", ["a"], ["y"], to=99)], {"a": [1]})
    ranges = [node("Range", ["a", "b", "c"], ["y"])]
    fails("range_delta_0", "delta is 0", ranges, {"a": 0, "b": 1, "c": 0})
    fails("range_too_long", "at most 4096", ranges, {"a": 0, "b": BIG, "c": 1})
    fails("range_of_vectors", "it must have 1", ranges, {"a": [0, 1], "b": 1, "c": 1})
    fails("range_of_two_types", "input 1 is int32", ranges, {"a": 0, "b": np.int32(1), "c": 1})
    fails("range_endless", "no finite number", ranges, {"a": 0.0, "b": np.inf, "c": 1.0})
    where = [node("Where", ["c", "a", "b"], ["y"])]
    fails("where_types", "bool, int64 and int32", where, {"c": [True], "a": [1],
                                                          "b": np.int32([1])})
    fails("where_condition", "int64, int64 and int64", where, {"c": [1], "a": [1], "b": [1]})
    fails("reduce_prod_overflow", "does not fit", [node("ReduceProd", ["a"], ["y"])],
          {"a": [BIG, 2]})
    fails("reduce_prod_axis", "axis 1 is out of range", [node("ReduceProd", ["a"], ["y"],
                                                              axes=[1])], {"a": [1, 2]})
    fails("constant_of_shape_two_values", "has 2 elements",
          [node("ConstantOfShape", ["a"], ["y"], value=tensor("", [1, 2]))], {"a": [1]})
    fails("constant_of_shape_negative", "-1", [node("ConstantOfShape", ["a"], ["y"])], {"a": [-1]})
    fails("constant_of_shape_too_large", "2 GiB", [node("ConstantOfShape", ["a"], ["y"])],
          {"a": [2**40]})


def maps():
    data = X.astype(np.float32)
    to, one = TensorProto, {"s": np.float32(1)}
    for name, message, op, inputs, attributes, opset in (
            ("cast_saturate_2", "saturate is 2; it must be 0 or 1", "Cast", 1,
             {"to": to.FLOAT16, "saturate": 2}, 19),
            ("cast_round_mode", "round_mode is none of up, down and nearest", "Cast", 1,
             {"to": to.FLOAT8E8M0, "round_mode": "even"}, 24),
            ("cast_round_mode_too_early", '"round_mode" does not exist in opset 19', "Cast", 1,
             {"to": to.FLOAT16, "round_mode": "up"}, 19),
            ("cast_to_complex", "have no value that a map reads", "Cast", 1, {"to": to.COMPLEX64}, 19),
            ("bit_cast_of_another_width", "the widths must be equal", "BitCast", 1,
             {"to": to.INT64}, 26),
            ("quantize_to_int32", "its result is int32, which is not executed there",
             "QuantizeLinear", 2, {"output_dtype": to.INT32}, 21),
            ("quantize_precision_double", "its precision is double", "QuantizeLinear", 2,
             {"precision": to.DOUBLE}, 23),
            ("quantize_block_of_a_scalar", "with block_size they must have as many",
             "QuantizeLinear", 2, {"block_size": 2}, 21),
            ("quantize_negative_block", "block_size is -1", "QuantizeLinear", 2,
             {"block_size": -1}, 21),
            ("dequantize_floats", "its input is float", "DequantizeLinear", 2, {}, 21)):
        fails(name, message, [node(op, ["x", "s"][:inputs], ["y"], **attributes)], one, opset, data)
    quantize = [node("QuantizeLinear", ["x", "s", "z"], ["y"])]
    for name, message, constants, opset in (
            ("scale_integer", "its scale is int32", {"s": np.int32(1), "z": np.uint8(1)}, 23),
            ("axis_10", "since opset 13 a list", {"s": np.ones(3, np.float32),
                                                  "z": np.ones(3, np.uint8)}, 10),
            ("axis_extent", "3", {"s": np.ones(5, np.float32), "z": np.ones(5, np.uint8)}, 13),
            ("shapes", "different shapes", {"s": np.float32(1), "z": np.ones(3, np.uint8)}, 13)):
        fails(f"quantize_{name}", message, quantize, constants, opset, data)
    clip = [node("Clip", ["x", "s", "z"], ["y"])]
    fails("clip_by_many", 'input "min" is 2 of float; it must be 1 of float', clip,
          {"s": np.float32([1, 2]), "z": np.float32(3)}, data=data)
    fails("clip_by_another_type", 'input "max" is 1 of int64', clip,
          {"s": np.float32(1), "z": 3}, data=data)


def make():
    for family in (order, assembly, arithmetic, maps):
        family()
