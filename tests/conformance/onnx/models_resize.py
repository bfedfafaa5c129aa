"""Models of Resize and Upsample, and such models that must fail. The numbers are chosen so that
every sum is exact. tests/conformance/map/test_resize.py compares the sums with ONNX Runtime.

SPDX-License-Identifier: Apache-2.0
"""
import numpy as np

from models import add, bad, counting, hexadecimal, model, node, ok, tensor

PLANES = counting(2, 3, 4, 6, dtype=np.float32)
NEAREST = {"round_prefer_floor": lambda x: np.ceil(x - 0.5), "round_prefer_ceil": lambda x: np.floor(x + 0.5),
           "floor": np.floor, "ceil": np.ceil}
COORDINATES = {
    "half_pixel": lambda x, scale, extent, size: (x + 0.5) / scale - 0.5,
    "pytorch_half_pixel": lambda x, scale, extent, size: (x + 0.5) / scale - 0.5 if size > 1 else x,
    "asymmetric": lambda x, scale, extent, size: x / scale,
    "align_corners": lambda x, scale, extent, size: x * (extent - 1) / max(1, size - 1),
    "half_pixel_symmetric": lambda x, scale, extent, size: (
        extent / 2 * (1 - size / (scale * extent)) + (x + 0.5) / scale - 0.5)}


def along(data, axis, scale, size, coordinates, nearest):
    """One axis resized. Without a rounding, linear."""
    extent = data.shape[axis]
    if scale == 1:
        return data
    x = COORDINATES[coordinates](np.arange(size, dtype=np.float64), scale, extent, size)
    if nearest:
        return data.take(NEAREST[nearest](x).clip(0, extent - 1).astype(int), axis)
    x = x.clip(0, extent - 1)
    low = np.floor(x).astype(int)
    part = (x - low).reshape([-1 if dim == axis else 1 for dim in range(data.ndim)])
    return data.take(low, axis) * (1 - part) + data.take((low + 1).clip(0, extent - 1), axis) * part


def resized(data, scales, sizes, coordinates="half_pixel", nearest="round_prefer_floor"):
    made = data
    for axis, (scale, size) in enumerate(zip(scales, sizes)):
        made = along(made, axis, scale, size, coordinates, nearest)
    return made.astype(data.dtype)


def resize(data, opset, scales=None, sizes=None, op="Resize", before=(), behind=(), **attributes):
    """A model, and its initializers by name."""
    lists = {"scales": np.asarray(scales, np.float32)} if scales else {"sizes": np.asarray(sizes)}
    if op == "Upsample" and opset < 9:
        attributes["scales"], lists = list(map(float, scales)), {}
    if opset < 11:
        names = ["x", *lists]
    elif opset < 13:
        lists = {"roi": np.zeros(0, np.float32), "scales": np.zeros(0, np.float32), **lists}
        names = ["x", "roi", "scales", "sizes"][:3 if scales else 4]
    else:
        names = ["x", "", "scales"] if scales else ["x", "", "", "sizes"]
    names[0] = "in" if before else "x"
    nodes = [*before, node(op, names, ["out" if behind else "y"], **attributes), *behind]
    return nodes, lists, data, opset


def built(made, constants=None):
    nodes, lists, data, opset = made
    return model(nodes, [("x", data)], ["y"], opset,
                 [tensor(n, a) for n, a in {**lists, **(constants or {})}.items()]), [data]


def good(name, want, made, constants=None, **options):
    ok(f"resize_{name}", *built(made, constants), [want], **options)


def opsets():
    scales = [1, 1, 2, 0.5]
    for opset in (11, 12, 13, 18, 19, 28):
        good(f"opset_{opset}", resized(PLANES, scales, (2, 3, 8, 3)), resize(PLANES, opset, scales), launches=1)
        good(f"sizes_opset_{opset}", resized(PLANES, (1, 1, 1.5, 0.5), (2, 3, 6, 3)),
             resize(PLANES, opset, sizes=[2, 3, 6, 3]), launches=1)
        want = resized(PLANES, (1, 1, 2, 2), (2, 3, 8, 12), nearest=None)
        good(f"linear_opset_{opset}", want, resize(PLANES, opset, (1, 1, 2, 2), mode="linear"), launches=1)
    want = resized(PLANES, (1, 1, 2, 2), (2, 3, 8, 12), "asymmetric", None)
    simple = resized(resized(PLANES, (1, 1, 2, 1), (2, 3, 8, 6), "asymmetric", "floor"),
                     (1, 1, 1, 0.5), (2, 3, 8, 3), "asymmetric", "ceil")
    twice = resized(PLANES, (1, 1, 2, 2), (2, 3, 8, 12), "asymmetric", "floor")
    good("opset_10", simple, resize(PLANES, 10, scales))
    good("linear_opset_10", want, resize(PLANES, 10, (1, 1, 2, 2), mode="linear"))
    for opset in (7, 8, 9):
        good(f"upsample_{opset}", twice, resize(PLANES, opset, (1, 1, 2, 2), op="Upsample"))
        good(f"upsample_linear_{opset}", want, resize(PLANES, opset, (1, 1, 2, 2), op="Upsample", mode="linear"))


def modes():
    for coordinates in COORDINATES:
        for nearest in NEAREST:
            good(f"{coordinates}_{nearest}", resized(PLANES, (1, 1, 1.5, 0.5), (2, 3, 6, 3), coordinates, nearest),
                 resize(PLANES, 19, sizes=[2, 3, 6, 3], coordinate_transformation_mode=coordinates,
                        nearest_mode=nearest))
        scales, sizes = ((1, 1, 2, 2), (2, 3, 8, 12)) if coordinates != "align_corners" else (
            (1, 1, 1.75, 0.5), (2, 3, 7, 3))
        good(f"linear_{coordinates}", resized(PLANES, scales, sizes, coordinates, None),
             resize(PLANES, 19, scales, mode="linear", coordinate_transformation_mode=coordinates))
    for policy, scale, given, sizes in (("not_larger", 0.5, [2, 6], (2, 3)), ("not_smaller", 1.5, [6, 6], (6, 9))):
        good(policy, resized(PLANES, (1, 1, scale, scale), (2, 3, *sizes)),
             resize(PLANES, 18, sizes=given, axes=[2, 3], keep_aspect_ratio_policy=policy))


def shapes():
    pixels = counting(2, 4, 6, 3, dtype=np.float32)
    good("pixels", resized(pixels, (1, 2, 2, 1), (2, 8, 12, 3), nearest=None),
         resize(pixels, 18, (2, 2), axes=[2, 1], mode="linear"))
    good("rows_of_a_matrix", resized(PLANES[0, 0], (2, 1), (8, 6), nearest=None),
         resize(PLANES[0, 0], 13, (2, 1), mode="linear"))
    good("signals", resized(PLANES[0], (1, 1, 2), (3, 4, 12)), resize(PLANES[0], 13, (1, 1, 2)))
    good("to_the_same_size", PLANES, resize(PLANES, 13, sizes=PLANES.shape, mode="linear"))
    # ONNX Runtime copies such data. ONNX's reference computes with the scales.
    proto, _ = built(resize(PLANES, 13, (1, 1, 1.2, 1.1), mode="linear"))
    add("ok", "resize_by_no_element", proto, [tensor("", PLANES)], ["1", hexadecimal(tensor("y", PLANES))])
    for kind in (np.uint8, np.bool_, np.int64, np.float16, np.float64):
        data = PLANES.astype(kind)
        good(f"{np.dtype(kind)}", resized(data, (1, 1, 2, 2), (2, 3, 8, 12)), resize(data, 13, (1, 1, 2, 2)))


def passes():
    """What stands behind a resizing runs in the same pass."""
    behind = [node("Sub", ["out", "m"], ["a"]), node("Transpose", ["a"], ["y"], perm=[0, 2, 3, 1])]
    linear = resized(PLANES, (1, 1, 2, 2), (2, 3, 8, 12), nearest=None)
    mean = {"m": np.array([1, 2, 4], np.float32).reshape(3, 1, 1)}
    good("normalised", (linear - mean["m"]).transpose(0, 2, 3, 1),
         resize(PLANES, 13, (1, 1, 2, 2), mode="linear", behind=behind), mean, launches=1)
    good("of_computed_numbers", resized(PLANES - mean["m"], (1, 1, 2, 2), (2, 3, 8, 12)),
         resize(PLANES, 13, (1, 1, 2, 2), before=[node("Sub", ["x", "m"], ["in"])]), mean, launches=2)
    good("gathered", resized(PLANES, (1, 1, 2, 2), (2, 3, 8, 12))[:, [2, 0]],
         resize(PLANES, 13, (1, 1, 2, 2), behind=[node("Gather", ["out", "i"], ["y"], axis=1)]),
         {"i": np.array([2, 0])})
    shape = [node("Shape", ["x"], ["a"]), node("Slice", ["a", "b", "e"], ["c"]),
             node("Concat", ["c", "d"], ["s"], axis=0), node("Resize", ["x", "", "", "s"], ["y"])]
    constants = {"b": np.array([0]), "e": np.array([2]), "d": np.array([6, 3])}
    good("to_a_computed_size", resized(PLANES, (1, 1, 1.5, 0.5), (2, 3, 6, 3)), (shape, {}, PLANES, 13), constants)


def refused(name, words, *arguments, **attributes):
    proto, inputs = built(resize(*arguments, **attributes))
    bad(f"resize_{name}", proto, [tensor("", data) for data in inputs], words)


def wrong():
    twice = (1, 1, 2, 2)
    for name, value, words in (
            ("mode", "cubic", "mode is cubic; nearest and linear are executed"),
            ("antialias", 1, "antialias is 1; only 0 is executed"),
            ("exclude_outside", 1, "exclude_outside is 1; only 0 is executed"),
            ("coordinate_transformation_mode", "tf_crop_and_resize",
             "'tf_crop_and_resize' is no coordinate_transformation_mode"),
            ("coordinate_transformation_mode", "asymmetric,axis=0", "'asymmetric?axis??' is no"),
            ("nearest_mode", "away", "'away' is no nearest_mode; known are round_prefer_floor"),
            ("keep_aspect_ratio_policy", "any", "keep_aspect_ratio_policy is any; it must be")):
        sizes = {"sizes": [2, 3, 8, 12]} if name.startswith("keep") else {"scales": twice}
        refused(f"{name}_{value}", words, PLANES, 18, **sizes, **{name: value})
    refused("three_dims", "dimensions 1 and 3 are resized; only two neighbours", PLANES, 13, (1, 2, 2, 2))
    refused("one_dim", "its input has 1 dims; 2 or more are executed", PLANES[0, 0, 0], 13, (2,))
    refused("linear_bytes", "mode is linear, for dimensions 2 and 3 of 4 of uint8", PLANES.astype(np.uint8), 13,
            twice, mode="linear")
    refused("linear_signals", "mode is linear, for dimensions 1 and 2 of 3 of float", PLANES[0], 13, (1, 1, 2),
            mode="linear")
    refused("too_few_scales", "scales has 2 values; it must have 4", PLANES, 13, (2, 2))
    refused("scale_0", "dimension 2 of extent 4 is resized to 0, by a scale of 0", PLANES, 13, (1, 1, 0, 2))
    refused("size_below_0", "dimension 3 of extent 6 is resized to -1", PLANES, 13, sizes=[2, 3, 8, -1])
    refused("no_rows", "has no element to resize", PLANES[:, :, :0], 13, (1, 1, 1e30, 2))
    refused("no_rows_to_8", "dimension 2 of extent 0 is resized to 8", PLANES[:, :, :0], 13, sizes=[2, 3, 8, 12])
    refused("axis_4", "axis 4", PLANES, 18, (2, 2), axes=[2, 4])
    nodes, lists, data, opset = resize(PLANES, 13, twice)
    del nodes[0].input[1:]
    bad("resize_to_nothing", built((nodes, {}, data, opset))[0], [tensor("", data)], "there is neither")
    nodes[0].input.extend(["", "scales", "s"])
    lists["s"] = np.array([2, 3, 8, 12])
    bad("resize_by_both", built((nodes, lists, data, opset))[0], [tensor("", data)], "there are both")
    lists = {"scales": np.float64(twice)}
    bad("resize_by_doubles", built((resize(PLANES, 13, twice)[0], lists, data, opset))[0], [tensor("", data)],
        "scales is of double; it must be of float")


def make():
    for forms in (opsets, modes, shapes, passes, wrong):
        forms()
