"""Models of one node: every operator in every opset and every form, and corner cases.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np

from models import (NEWEST, ROW, X, attribute_list, counting, ints, model, node, ok, tensor,
                    unary, with_lists)

# ------------------------------------------------------------------- every operator, every opset

def reshape_case(opset):
    if opset < 5:
        proto, arrays, want = unary("Reshape", opset, X, [X.reshape(2, 6, 2)], shape=[0, -1, 2])
        proto.graph.node[0].attribute.append(ints("consumed_inputs", [0]))
        return proto, arrays, want
    attributes = {"allowzero": opset % 2} if opset >= 14 else {}
    pattern = [2, -1, 2] if attributes.get("allowzero") else [0, -1, 2]
    return with_lists("Reshape", opset, X, [("shape", pattern)], [X.reshape(2, 6, 2)],
                      as_inputs=opset % 3 == 0, **attributes)


def axes_case(op, opset, data, axes, expected):
    if opset < 13:
        return unary(op, opset, data, expected, axes=axes)
    return with_lists(op, opset, data, [("axes", axes)], expected, as_inputs=opset % 2 == 0)


def slice_case(opset):
    if opset < 10:
        return unary("Slice", opset, X, [X[:, 1:3, 0:3]], axes=[1, 2], starts=[-2, 0],
                     ends=[1000, -1])
    kind = np.int32 if opset % 2 else np.int64
    lists = [("starts", [-1, 3]), ("ends", [-1000, 0]), ("axes", [1, 2]), ("steps", [-1, -2])]
    lists = [(name, np.array(values, kind)) for name, values in lists]
    return with_lists("Slice", opset, X, lists, [X[:, ::-1, 3:0:-2]], as_inputs=opset % 3 == 0)


def split_case(opset):
    data = counting(2, 5)
    outputs = ["a", "b"]
    parts = [data[:, :2], data[:, 2:]]
    if opset < 13:
        if opset == 1:
            data = data.astype(np.float32)
            parts = [p.astype(np.float32) for p in parts]
        return unary("Split", opset, data, parts, outputs, axis=1, split=[2, 3])
    if opset >= 18 and opset % 2:
        return unary("Split", opset, data, [data[:, :3], data[:, 3:]], outputs, axis=-1,
                     num_outputs=2)
    return with_lists("Split", opset, data, [("split", [2, 3])], parts, outputs, axis=1)


def constant_case(opset):
    value = counting(3, 2)
    proto = model([node("Constant", [], ["c"], value=tensor("", value)),
                   node("Transpose", ["c"], ["y"])], [], ["y"], opset)
    return proto, [], [value.T]


EVERY = {
    "reshape": (1, reshape_case),
    "transpose": (1, lambda v: unary("Transpose", v, X, [X.transpose(2, 0, 1)], perm=[2, 0, 1])),
    "squeeze": (1, lambda v: axes_case("Squeeze", v, ROW, [0] if v < 11 else [-1],
                                       [ROW[0] if v < 11 else ROW[..., 0]])),
    "unsqueeze": (1, lambda v: axes_case("Unsqueeze", v, X, [0, 2] if v < 11 else [-1, 1],
                                         [X[None, :, None] if v < 11 else X[:, None, ..., None]])),
    "flatten": (1, lambda v: unary("Flatten", v, X, [X.reshape(6, 4)],
                                   axis=2 if v < 11 else -1)),
    "expand": (8, lambda v: with_lists("Expand", v, ROW, [("shape", [2, 1, 2])],
                                       [np.broadcast_to(ROW, (2, 3, 2))])),
    "slice": (1, slice_case),
    "split": (1, split_case),
    "identity": (1, lambda v: unary("Identity", v, X, [X])),
    "constant": (1, constant_case),
}


def every_opset():
    for op, (first, make) in EVERY.items():
        for opset in range(first, NEWEST + 1):
            ok(f"{op}_opset_{opset}", *make(opset))


# ------------------------------------------------------------------------- forms and corner cases

def reshape_forms():
    empty = np.zeros((0, 3, 4), np.float32)
    ok("reshape_1_empty_shape_is_scalar", *attribute_list("Reshape", 1, counting(1, 1), "shape",
                                                          [], np.int16(1)))
    for opset in (5, 13, 25):
        ok(f"reshape_{opset}_to_scalar",
           *with_lists("Reshape", opset, counting(1, 1), [("shape", [])], [np.int16(1)]))
    ok("reshape_14_allowzero_keeps_zero",
       *with_lists("Reshape", 14, empty, [("shape", [3, 4, 0])], [empty.reshape(3, 4, 0)],
                   allowzero=1))
    ok("reshape_14_infers_zero",
       *with_lists("Reshape", 14, empty, [("shape", [-1, 4])], [empty.reshape(0, 4)]))


def squeeze_forms():
    ones = counting(1, 2, 1)
    for opset in (1, 11, 13, 25):
        ok(f"squeeze_{opset}_without_axes", *unary("Squeeze", opset, ones, [ones.reshape(2)]))
    for opset in (1, 11):
        ok(f"squeeze_{opset}_empty_axes_names_all",
           *attribute_list("Squeeze", opset, ones, "axes", [], ones.reshape(2)))
    ok("squeeze_13_empty_axes_names_none",
       *with_lists("Squeeze", 13, ones, [("axes", [])], [ones]))
    ok("squeeze_13_axes_left_out", *with_lists("Squeeze", 13, ones, [("axes", None)],
                                               [ones.reshape(2)]))
    ok("unsqueeze_13_scalar", *with_lists("Unsqueeze", 13, np.float64(7), [("axes", [1, 0])],
                                          [np.full((1, 1), 7.0)]))


def other_forms():
    for axis, dims in ((0, (1, 24)), (1, (2, 12)), (3, (24, 1))):
        ok(f"flatten_9_axis_{axis}", *unary("Flatten", 9, X, [X.reshape(dims)], axis=axis))
    ok("flatten_11_axis_minus_rank", *unary("Flatten", 11, X, [X.reshape(1, 24)], axis=-3))
    ok("flatten_13_scalar", *unary("Flatten", 13, np.float32(5), [np.full((1, 1), 5, np.float32)],
                                   axis=0))
    ok("transpose_default_reverses", *unary("Transpose", 1, X, [X.transpose()]))
    ok("transpose_scalar", *unary("Transpose", 13, np.int32(3), [np.int32(3)]))
    ok("expand_widens_the_shape",
       *with_lists("Expand", 13, ROW, [("shape", [2, 1, 3])], [np.broadcast_to(ROW, (2, 3, 3))]))
    ok("expand_to_zero", *with_lists("Expand", 8, ROW, [("shape", [0, 3, 1])],
                                     [np.zeros((0, 3, 1), np.int16)]))
    ok("expand_scalar", *with_lists("Expand", 13, np.uint8(9), [("shape", [3])],
                                    [np.full(3, 9, np.uint8)]))


def slice_forms():
    big = 2**63 - 1
    ok("slice_1_default_axes", *unary("Slice", 1, X, [X[1:, :2]], starts=[1, 0], ends=[2, -1]))
    ok("slice_1_empty_result", *unary("Slice", 1, X, [X[:, 2:2]], axes=[1], starts=[2], ends=[1]))
    ok("slice_1_no_axis", *slice_of_nothing())
    lists = [("starts", [big]), ("ends", [-big - 1]), ("axes", [2]), ("steps", [-3])]
    ok("slice_10_reverse_past_both_ends", *with_lists("Slice", 10, X, lists, [X[:, :, ::-3]]))
    lists = [("starts", [0]), ("ends", [big]), ("axes", None), ("steps", [2])]
    ok("slice_11_axes_left_out", *with_lists("Slice", 11, X, lists, [X[::2]]))
    lists = [("starts", [1]), ("ends", [3]), ("axes", [-2])]
    ok("slice_13_without_steps", *with_lists("Slice", 13, X, lists, [X[:, 1:3]]))
    lists = [("starts", [0]), ("ends", [big]), ("axes", [0]), ("steps", [big])]
    ok("slice_13_huge_step", *with_lists("Slice", 13, X, lists, [X[:1]]))


def slice_of_nothing():
    proto, arrays, want = attribute_list("Slice", 1, X, "starts", [], X)
    proto.graph.node[0].attribute.append(ints("ends", []))
    return proto, arrays, want


def split_forms():
    line = counting(6)
    for opset in (1, 2, 11, 13):
        data = line.astype(np.float32) if opset == 1 else line
        ok(f"split_{opset}_equal_parts",
           *unary("Split", opset, data, list(np.split(data, 3)), ["a", "b", "c"]))
    for kind in (np.float32, np.float64):
        data = line.astype(kind)
        ok(f"split_1_sizes_as_{np.dtype(kind).name}",
           *with_lists("Split", 1, data, [("split", np.array([1, 5], kind))],
                       [data[:1], data[1:]], ["a", "b"]))
    ok("split_2_zero_size", *unary("Split", 2, line, [line[:0], line], ["a", "b"], split=[0, 6]))
    ok("split_18_last_is_smaller",
       *unary("Split", 18, counting(7), [counting(7)[:3], counting(7)[3:6], counting(7)[6:]],
              ["a", "b", "c"], num_outputs=3))
    ok("split_18_one_output", *unary("Split", 18, line, [line], ["a"], num_outputs=1))
    proto = model([node("Split", ["x"], ["", "b", ""])], [("x", line)], ["b"], 13)
    ok("split_13_outputs_left_out", proto, [line], [line[2:4]])
    many = counting(40)
    names = [f"o{i}" for i in range(40)]
    proto = model([node("Split", ["x", "s"], names)], [("x", many)], ["o39", "o7"], 13,
                  [tensor("s", np.ones(40, np.int64))])
    ok("split_13_forty_parts", proto, [many], [many[39:], many[7:8]])


def constant_forms():
    forms = {"value_int": (7, np.int64(7)), "value_ints": ([3, 1, 2], np.array([3, 1, 2])),
             "value_float": (0.5, np.float32(0.5)),
             "value_floats": ([1.5, -2], np.array([1.5, -2], np.float32))}
    for opset in (12, 13, 19, 21, 23, 24, 25):
        for name, (value, want) in forms.items():
            if opset in (12, 25) or name == "value_int":
                proto = model([node("Constant", [], ["y"], **{name: value})], [], ["y"], opset)
                ok(f"constant_{opset}_{name}", proto, [], [want])
    proto = model([node("Constant", [], ["y"])], [], ["y"], 13)
    proto.graph.node[0].attribute.append(ints("value_ints", []))
    ok("constant_13_empty_value_ints", proto, [], [np.zeros(0, np.int64)])


def make():
    every_opset()
    for forms in (reshape_forms, squeeze_forms, other_forms, slice_forms, split_forms,
                  constant_forms):
        forms()
