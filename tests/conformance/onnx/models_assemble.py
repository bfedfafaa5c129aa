"""Models of the operators that concatenate tensors or take tensors apart in blocks: Concat, Tile,
Pad, DepthToSpace, SpaceToDepth, Gather, ConstantOfShape. Every opset, with the numbers of launches.

SPDX-License-Identifier: Apache-2.0
"""
import ml_dtypes
import numpy as np
from onnx import TensorProto

from models import NEWEST, ROW, X, counting, model, node, ok, tensor, unary, with_lists
from models_graphs import all_bits

IMAGE = counting(1, 8, 2, 4)


def blocks(x, size, mode):
    """DepthToSpace as the standard writes it."""
    b, c, h, w = x.shape
    dcr = mode == "DCR"
    x = x.reshape(b, size, size, c // size**2, h, w) if dcr else x.reshape(
        b, c // size**2, size, size, h, w)
    x = x.transpose(0, 3, 4, 1, 5, 2) if dcr else x.transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(b, c // size**2, h * size, w * size)


def unblocks(x, size, mode):
    b, c, h, w = x.shape
    x = x.reshape(b, c, h // size, size, w // size, size)
    x = x.transpose(0, 3, 5, 1, 2, 4) if mode == "DCR" else x.transpose(0, 1, 3, 5, 2, 4)
    return x.reshape(b, c * size**2, h // size, w // size)


def concat(opset, arrays, axis, **options):
    names = [f"x{i}" for i in range(len(arrays))]
    attributes = {} if axis is None else {"axis": axis}
    proto = model([node("Concat", names, ["y"], **attributes)], list(zip(names, arrays)), ["y"],
                  opset)
    want = np.concatenate(arrays, 1 if axis is None else axis)
    return (proto, arrays, [want]), options


def every_opset():
    for opset in range(1, NEWEST + 1):
        parts = [X, X[:, :2] + 50, X[:, :1] + 90]
        case, options = concat(opset, parts, 1 if opset < 11 else -2, launches=3)
        ok(f"concat_opset_{opset}", *case, **options)
        mode = {} if opset < 11 or opset % 2 else {"mode": "CRD"}
        want = blocks(IMAGE, 2, mode.get("mode", "DCR"))
        ok(f"depth_to_space_opset_{opset}",
           *unary("DepthToSpace", opset, IMAGE, [want], blocksize=2, **mode), launches=1)
        want = unblocks(IMAGE, 2, "DCR")
        ok(f"space_to_depth_opset_{opset}",
           *unary("SpaceToDepth", opset, IMAGE, [want], blocksize=2), launches=1)
        if opset >= 6:
            case = with_lists("Tile", opset, X, [("repeats", [2, 1, 3])], [np.tile(X, (2, 1, 3))],
                              as_inputs=opset % 2 == 0)
            ok(f"tile_opset_{opset}", *case, launches=1)
        ok(f"gather_opset_{opset}", *with_lists("Gather", opset, X, [("indices", [2, 0])],
                                                [X[..., 2::-2]], axis=2), launches=1)
        ok(f"pad_opset_{opset}", *pad_case(opset))
        if opset >= 9:
            value = tensor("", np.array([7], np.int16))
            proto = model([node("ConstantOfShape", ["s"], ["y"], value=value)],
                          [("s", np.array([3, 2]))], ["y"], opset)
            ok(f"constant_of_shape_opset_{opset}", proto, [np.array([3, 2])],
               [np.full((3, 2), 7, np.int16)], launches=0)
    ok("space_to_depth_28_crd", *unary("SpaceToDepth", 28, IMAGE, [unblocks(IMAGE, 2, "CRD")],
                                       blocksize=2, mode="CRD"), launches=1)


def pad_case(opset):
    data = X.astype(np.float32)
    amounts = [0, 1, -1, 2, 0, 0]
    want = np.pad(data[:, :, 1:], ((0, 2), (1, 0), (0, 0)), constant_values=1.5)
    if opset < 11:
        name = "paddings" if opset < 2 else "pads"
        return unary("Pad", opset, data, [want], value=1.5, mode="constant", **{name: amounts})
    lists = [("pads", amounts), ("value", np.array(1.5, np.float32))]
    if opset >= 18:
        lists = [("pads", [1, -1, 0, 0, 0, 2]), lists[1], ("axes", [1, -1, 0])]
    return with_lists("Pad", opset, data, lists, [want])


def numpy_pad(data, widths, mode):
    """numpy.pad by indices. Before 1.25 NumPy's own wraps a long border in another way."""
    for axis, (before, behind) in enumerate(widths):
        extent = data.shape[axis]
        at = np.arange(-before, extent + behind)
        if mode == "edge" or (mode == "reflect" and extent == 1):
            at = at.clip(0, extent - 1)
        elif mode == "wrap":
            at = at % extent
        else:
            at = abs((at + extent - 1) % (2 * extent - 2) - (extent - 1))
        data = data.take(at, axis)
    return data


def pad_modes():
    doubles = X.astype(np.float64)
    ok("pad_2_doubles", *unary("Pad", 2, doubles, [np.pad(doubles, 1, constant_values=0.75)],
                               value=0.75, pads=[1] * 6))
    for opset in (1, 2, 10, 11, 13, 18, 19, 21, 23, 25):
        for mode in ("edge", "reflect") + (("wrap",) if opset >= 19 else ()):
            ok(f"pad_{mode}_opset_{opset}", *pad_mode_case(opset, mode, [1, -1, 0, 2, 0, 5]))
    data = X.astype(np.int16)
    for mode in ("edge", "reflect", "wrap"):
        ok(f"pad_{mode}_nothing", *with_lists("Pad", 19, X, [("pads", [0] * 6)], [X], mode=mode),
           launches=0)
        want = numpy_pad(data, [(1, 0), (0, 7), (4, 0)], mode)
        lists = [("pads", [4, 1, 0, 0, 0, 7]), ("", None), ("axes", [2, 0, -2])]
        ok(f"pad_{mode}_axes", *with_lists("Pad", 25, data, lists, [want], mode=mode))
        lists = [("pads", [1, 2]), ("value", np.array(7, np.int16)), ("axes", [-1])]
        want = numpy_pad(data, [(0, 0), (0, 0), (1, 2)], mode)
        ok(f"pad_{mode}_ignores_the_value", *with_lists("Pad", 19, data, lists, [want], mode=mode))
        for kind in (ml_dtypes.int4, ml_dtypes.uint2, np.bool_, np.complex128, object):
            some = all_bits(kind, 3, 5) if kind is not object else \
                np.array([["a", "bc", ""], ["defg", "h", "ij"]], object)
            want = numpy_pad(some, [(1, 1), (2, 3)], mode)
            ok(f"pad_{mode}_of_{np.dtype(kind).name}",
               *with_lists("Pad", 25, some, [("pads", [1, 2, 1, 3])], [want], mode=mode))


def pad_mode_case(opset, mode, amounts):
    data = X.astype(np.float32)
    cut = data[:, 1:]
    want = numpy_pad(cut, [(1, 2), (0, 0), (0, 5)], mode)
    if opset < 11:
        name = "paddings" if opset < 2 else "pads"
        return unary("Pad", opset, data, [want], mode=mode, **{name: amounts})
    return with_lists("Pad", opset, data, [("pads", amounts)], [want], mode=mode)


def concat_forms():
    ok("concat_1_default_axis", *concat(1, [X, X + 30], None)[0])
    ok("concat_one_input", *concat(13, [X], 2)[0], launches=0)
    ok("concat_with_an_empty_one", *concat(13, [X, X[:, :0], X + 30], 1)[0], launches=2)
    ok("concat_of_empty_ones", *concat(13, [X[:0], X[:0]], 0)[0], launches=0)
    for kind in (ml_dtypes.int4, ml_dtypes.uint2, np.bool_, np.complex128):
        data = [all_bits(kind, 3, n) for n in (5, 1, 3)]
        ok(f"concat_{np.dtype(kind).name}", *concat(25, data, 1)[0])
    views = [node("Transpose", ["x"], ["t"], perm=[2, 1, 0]), node("Slice", ["x", "b", "e"], ["s"]),
             node("Transpose", ["s"], ["u"], perm=[2, 1, 0]),
             node("Concat", ["t", "u", "t"], ["c"], axis=2), node("Flatten", ["c"], ["y"])]
    proto = model(views, [("x", X)], ["y"], 13, [tensor("b", np.array([1])),
                                                 tensor("e", np.array([2]))])
    want = np.concatenate([X.T, X[1:2].T, X.T], 2).reshape(4, -1)
    ok("concat_of_views_then_flatten", proto, [X], [want], launches=3)
    names = [f"p{i}" for i in range(40)]
    proto = model([node("Split", ["x", "n"], names, axis=0),
                   node("Concat", names[::-1], ["y"], axis=0)], [("x", counting(40, 3))], ["y"], 13,
                  [tensor("n", np.ones(40, np.int64))])
    ok("concat_of_forty_slices", proto, [counting(40, 3)], [counting(40, 3)[::-1]], launches=1)
    evenly_spaced()
    proto = model([node("Concat", ["x", "w"], ["y"], axis=0), node("Concat", ["y", "x"], ["z"],
                                                                   axis=0)],
                  [("x", X)], ["z", "y"], 13, [tensor("w", X + 70)])
    y = np.concatenate([X, X + 70])
    ok("concat_of_a_concat_and_a_constant", proto, [X], [np.concatenate([y, X]), y], launches=4)


def evenly_spaced():
    """Parts of one tensor that need no concat, and parts that only look so."""
    x = counting(6, 8)
    whole = {"x": x, "t": x.T}
    for name, source, axis, parts, launches in (
            ("patches", "x", 1, [(i, j, 2) for j in (0, 1) for i in (0, 1)], 1),
            ("patches_of_a_transpose", "t", 0, [(i, j, 2) for i in (0, 1) for j in (0, 1)], 1),
            ("backwards", "x", 0, [(3, 0, 1), (2, 0, 1), (1, 0, 1)], 1),
            ("the_same_twice", "x", 1, [(0, 0, 1), (0, 0, 1)], 1),
            ("nested_three_deep", "x", 0, [(i, j, 3) for i in (0, 1, 2) for j in (0, 2)], 1),
            ("uneven", "x", 0, [(0, 0, 2), (0, 1, 2), (1, 1, 2)], 3),
            ("almost_even", "x", 0, [(0, 0, 2), (0, 1, 2), (1, 0, 2), (1, 0, 2)], 4)):
        data = whole[source]
        slices = [(slice(i, i + 4 if step > 1 else i + 3, step),
                   slice(j, j + 4 if step > 1 else j + 3, step)) for i, j, step in parts]
        nodes, constants = [node("Transpose", ["x"], ["t"])], []
        for n, (i, j) in enumerate(slices):
            for suffix, values in (("b", [i.start, j.start]), ("e", [i.stop, j.stop]),
                                   ("s", [i.step, j.step])):
                constants.append(tensor(f"{suffix}{n}", np.array(values)))
            nodes.append(node("Slice", [source, f"b{n}", f"e{n}", "", f"s{n}"], [f"p{n}"]))
        names = [f"p{n}" for n in range(len(slices))]
        nodes.append(node("Concat", names, ["y"], axis=axis))
        ok(f"concat_{name}", model(nodes, [("x", x)], ["y"], 13, constants), [x],
           [np.concatenate([data[s] for s in slices], axis)], launches=launches)


def gather_forms():
    def gather(name, indices, want, launches, axis=0, opset=13, data=X):
        case = with_lists("Gather", opset, data, [("indices", np.array(indices))], [want],
                          axis=axis)
        ok(f"gather_{name}", *case, launches=launches)

    gather("scalar", 1, X[1], 0)
    gather("negative_scalar", -1, X[:, :, -1], 1, axis=-1)
    gather("scalar_of_int32", np.int32(2), X[:, 2], 1, axis=1)
    gather("backwards", [2, 1, 0], X[:, ::-1], 1, axis=1)
    gather("repeated", [1, 1, 1, 1], X[:, [1] * 4], 1, axis=1)
    gather("square", [[0, 1], [2, 3]], X[:, :, [[0, 1], [2, 3]]], 0, axis=2)
    gather("nothing", np.zeros((0,), np.int64), X[:0], 0)
    gather("two_runs", [0, 1, 3, 0], X[:, :, [0, 1, 3, 0]], 2, axis=2)
    gather("two_runs_in_a_square", [[0, 1], [3, 0]], X[:, :, [[0, 1], [3, 0]]], 2, axis=2)


def gather_by_indices():
    """Gathers with indices in too many runs for slices, and with indices that only the device
    has."""
    data, draw = counting(3, 9, 2, dtype=np.int8), np.random.default_rng(1)
    scattered = draw.integers(-9, 9, (20, 10)).astype(np.int32)
    row = data[0, :, 0]
    for opset in range(1, NEWEST + 1):
        case = with_lists("Gather", opset, row, [("indices", scattered)], [row[scattered]],
                          as_inputs=opset % 2 == 0)
        ok(f"gather_scattered_opset_{opset}", *case, launches=1)
    for axis, dtype in ((1, np.int64), (-2, np.int32)):
        indices = scattered.astype(dtype)
        case = with_lists("Gather", 13, data, [("i", indices)], [np.take(data, indices, axis)],
                          as_inputs=True, axis=axis)
        ok(f"gather_scattered_axis_{axis}", *case, launches=1)
    for array in (row.astype(np.float64), row.astype(bool), row.astype(ml_dtypes.bfloat16),
                  row * (1 + 2j), row.astype(str).astype(object)):
        case = with_lists("Gather", 13, array, [("i", scattered)], [array[scattered]])
        ok(f"gather_scattered_{array.dtype}", *case, launches=1)
    many = draw.integers(-9, 9, 5000).astype(np.int32)
    for name, is_input in (("input", True), ("constant", False)):
        ok(f"gather_many_of_{name}", *with_lists("Gather", 13, row, [("i", many)], [row[many]],
                                                 as_inputs=is_input), launches=1)
    gather_on_the_device(counting(9, 3), scattered, many.reshape(50, 100))


def gather_on_the_device(x, scattered, many):
    """Gathers whose indices are concatenated or cast on the device."""
    joined = [node("Concat", ["i", "j"], ["k"], axis=0), node("Gather", ["x", "k"], ["y"])]

    def case(name, nodes, feeds, want, launches, opset=13):
        proto = model(nodes, list(feeds.items()), ["y"], opset)
        ok(f"gather_{name}", proto, list(feeds.values()), [want], launches=launches)

    i, j = np.int64([[8, 0], [-1, 5]]), np.int64([[-9, 7]])
    both = {"i": i, "j": j}
    for opset in range(4, NEWEST + 1, 6):
        case(f"of_joined_opset_{opset}", joined, {"x": x, **both}, x[np.concatenate([i, j])], 3,
             opset)
    wild = np.int64([[9, 1], [-10, 2**62]])  # an error in ONNX, elements of 0 on the device
    want = x[np.concatenate([wild % 9, j])]
    want[[0, 1, 1], [0, 0, 1]] = 0
    case("of_wild_ones", joined, {"x": x, "i": wild, "j": j}, want, 3)
    case("of_no_rows", joined, {"x": x[:0], **both}, np.zeros((3, 2, 3), np.int16), 3)
    case("of_empty_rows", joined, {"x": x[:, :0], **both}, np.zeros((3, 2, 0), np.int16), 2)
    cast = [node("Cast", ["i"], ["k"], to=TensorProto.INT32), node("Gather", ["x", "k"], ["y"])]
    case("of_cast", cast, {"x": x, "i": np.float32([3, 8, -2])}, x[[3, 8, -2]], 2)
    mapped = [node("Cast", ["x"], ["f"], to=TensorProto.FLOAT), node("Gather", ["f", "i"], ["y"])]
    case("scattered_of_cast", mapped, {"x": x, "i": scattered}, x.astype(np.float32)[scattered], 1)
    scale, zero = np.float32([0.5, 0.25, 3]), np.uint8([1, 2, 3])
    weights = [node("DequantizeLinear", ["x", "s", "z"], ["f"], axis=1),
               node("Gather", ["f", "i"], ["y"])]
    codes = x.astype(np.uint8)
    case("scattered_of_weights", weights, {"x": codes, "s": scale, "z": zero, "i": scattered},
         ((codes.astype(np.float32) - zero) * scale)[scattered], 1)
    turned = [node("Transpose", ["x"], ["t"]), node("Transpose", ["i"], ["k"]),
              node("Gather", ["t", "k"], ["y"], axis=1)]
    case("many_of_views", turned, {"x": x[:, :2], "i": many}, x[:, :2].T[:, many.T], 1)
    packed = (x - 8).astype(ml_dtypes.int4)
    case("of_joined_int4", joined, {"x": packed, **both}, packed[np.concatenate([i, j])], None, 21)
    twice = [joined[0], node("Gather", ["x", "k"], ["a"]), node("Gather", ["z", "a"], ["y"])]
    case("of_gathered", twice, {"x": np.arange(9)[::-1].copy(), **both, "z": x},
         x[::-1][np.concatenate([i, j])], 4)


def other_forms():
    for data in (X.astype(np.float32), X.astype(np.float64)):
        lists = [("tiles", np.array(3, data.dtype)), ("axis", np.array(1, data.dtype))]
        ok(f"tile_1_{data.dtype}", *with_lists("Tile", 1, data, lists, [np.tile(data, (1, 3, 1))]))
    ok("tile_to_nothing", *with_lists("Tile", 13, X, [("repeats", [1, 0, 2])],
                                      [np.tile(X, (1, 0, 2))]))
    ok("tile_scalar", *with_lists("Tile", 13, np.int16(5), [("repeats", [])], [np.int16(5)]))
    wide = counting(1, 18, 2, 2)
    ok("depth_to_space_block_3", *unary("DepthToSpace", 13, wide, [blocks(wide, 3, "DCR")],
                                        blocksize=3))
    ok("depth_to_space_block_1", *unary("DepthToSpace", 13, wide, [wide], blocksize=1), launches=0)
    ok("pad_nothing", *with_lists("Pad", 13, X, [("pads", [0] * 6)], [X]), launches=0)
    ok("pad_only_cuts", *with_lists("Pad", 13, X, [("pads", [0, -1, 0, -1, 0, -2])],
                                    [X[:1, 1:, :2]]), launches=1)
    ok("pad_int4", *with_lists("Pad", 25, all_bits(ml_dtypes.int4, 3, 5),
                               [("pads", [0, 1, 1, 2]), ("value", np.array(-3, ml_dtypes.int4))],
                               [pad_int4()]))
    big = np.array([70, 70])
    value = tensor("", np.array([-3], np.int8))
    proto = model([node("ConstantOfShape", ["s"], ["y"], value=value)], [("s", big)], ["y"], 13)
    ok("constant_of_shape_on_the_device", proto, [big], [np.full((70, 70), -3, np.int8)],
       launches=1)
    proto = model([node("ConstantOfShape", ["s"], ["y"])], [("s", big[:0])], ["y"], 13)
    ok("constant_of_shape_scalar_zero", proto, [big[:0]], [np.float32(0)])
    ok("expand_tile_chain", *chain())


def pad_int4():
    data = all_bits(ml_dtypes.int4, 3, 5).astype(np.int8)
    return np.pad(data, ((0, 1), (1, 2)), constant_values=-3).astype(ml_dtypes.int4)


def chain():
    proto = model([node("Tile", ["x", "r"], ["1"]), node("Transpose", ["1"], ["2"]),
                   node("Expand", ["2", "e"], ["3"]), node("Reshape", ["3", "f"], ["y"])],
                  [("x", ROW)], ["y"], 13,
                  [tensor("r", np.array([1, 2, 1])), tensor("e", np.array([2, 1, 1, 1])),
                   tensor("f", np.array([-1]))])
    return proto, [ROW], [np.broadcast_to(np.tile(ROW, (1, 2, 1)).T, (2, 1, 6, 1)).reshape(-1)]


def make():
    for forms in (every_opset, pad_modes, concat_forms, gather_forms, gather_by_indices, other_forms):
        forms()
