"""Models that compute with the elements of data: casts, steps and quantising, alone and between
movements, with the numbers of launches.

SPDX-License-Identifier: Apache-2.0
"""
import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

from models import X, add, counting, hexadecimal, model, node, ok, tensor

F32, F16, BF16 = np.float32, np.float16, ml_dtypes.bfloat16
IMAGE = (counting(2, 5, 7, 3, dtype=np.int64) * 37 % 256).astype(np.uint8)
MEAN = np.array([123.675, 116.28, 103.53], F32)
DEVIATION = np.array([58.395, 57.12, 57.375], F32)
KIND = {np.dtype(k): helper.np_dtype_to_tensor_dtype(np.dtype(k))
        for k in (F32, F16, BF16, np.float64, np.uint8, np.int8, np.uint16, np.int16, np.int32,
                  np.int64, np.uint32, np.bool_, ml_dtypes.int4, ml_dtypes.uint4,
                  ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)}


def to(kind):
    return KIND[np.dtype(kind)]


def case(name, nodes, data, constants, expected, opset=17, launches=1):
    """data: an array, input "x", or arrays by name."""
    inputs = data if isinstance(data, dict) else {"x": data}
    outputs = ["y"] if len(expected) == 1 else [f"y{i}" for i in range(len(expected))]
    proto = model(nodes, list(inputs.items()), outputs, opset,
                  [tensor(n, np.asarray(v)) for n, v in constants.items()])
    ok(name, proto, list(inputs.values()), expected, launches=launches)


def noise(*shape, dtype=F32, seed=1):
    return (np.random.default_rng(seed).standard_normal(shape) * 3).astype(dtype)


# ------------------------------------------------------------------------------ preprocessing

def preprocessing():
    """Preprocessing as exporters write the nodes: one pass, for any number of nodes."""
    cast, sub, div, turn = (node("Cast", ["x"], ["c"], to=to(F32)), node("Sub", ["c", "m"], ["d"]),
                            node("Div", ["d", "s"], ["e"]),
                            node("Transpose", ["e"], ["y"], perm=[0, 3, 1, 2]))
    want = ((IMAGE.astype(F32) - MEAN) / DEVIATION).transpose(0, 3, 1, 2)
    for opset in (7, 9, 13, 14, 19, 21, 24, 28):
        case(f"preprocess_{opset}", [cast, sub, div, turn], IMAGE, {"m": MEAN, "s": DEVIATION},
             [want], opset)
    tall = {"m": MEAN.reshape(1, 3, 1, 1), "s": DEVIATION.reshape(3, 1, 1)}
    turned = [node("Transpose", ["x"], ["t"], perm=[0, 3, 1, 2]),
              node("Cast", ["t"], ["c"], to=to(F32)), sub, node("Div", ["d", "s"], ["y"])]
    case("preprocess_turned_first", turned, IMAGE, tall, [want])
    case("preprocess_of_parameters_that_are_inputs", [cast, sub, div, turn],
         {"x": IMAGE, "m": MEAN, "s": DEVIATION}, {}, [want])
    scaled = [cast, node("Div", ["c", "w"], ["1"]), node("Slice", ["1", "b", "n", "a"], ["2"]),
              node("Sub", ["2", "m"], ["3"]), node("Div", ["3", "s"], ["4"]),
              node("Transpose", ["4"], ["5"], perm=[0, 3, 1, 2]),
              node("Cast", ["5"], ["6"], to=to(F16)), node("Reshape", ["6", "r"], ["y"])]
    mean, std = np.array([.485, .456, .406], F32), np.array([.229, .224, .225], F32)
    want = ((IMAGE.astype(F32) / F32(255))[:, 1:4] - mean) / std
    case("preprocess_scale_crop_half", scaled, IMAGE,
         {"w": F32(255), "b": [1], "n": [4], "a": [1], "m": mean, "s": std, "r": [2, 3, 21]},
         [want.transpose(0, 3, 1, 2).astype(F16).reshape(2, 3, 21)])


# -------------------------------------------------------------------------------------- casts

def casts():
    floats = np.array([[0, -0.0, 1.5, -2.5, 100.75], [np.inf, -1e-7, 65504, 3, -7]], F32)
    small = np.array([[0, 1, 2, 3, 7], [5, 6, 4, 2, 1]], F32)
    for opset in (6, 9, 13, 19, 21, 23, 24, 25, 28):
        for source, kind in ((floats, F16), (floats, np.float64), (small, np.uint8),
                             (small, np.bool_), (small, np.int64)):
            case(f"cast_data_{opset}_{np.dtype(kind)}", [node("Cast", ["x"], ["y"], to=to(kind))],
                 source, {}, [source.astype(kind)], opset)
    for kind in (np.uint8, np.int16, np.int64, np.bool_):
        case(f"cast_to_float_of_{np.dtype(kind)}", [node("Cast", ["x"], ["y"], to=to(F32))],
             small.astype(kind), {}, [small.astype(kind).astype(F32)])
    case("cast_data_1_by_name", [node("Cast", ["x"], ["y"], to="FLOAT16")], floats, {},
         [floats.astype(F16)], 1)
    large = counting(5000, dtype=np.int16)
    case("cast_of_many_constants", [node("Cast", ["k"], ["y"], to=to(F32))], {}, {"k": large},
         [large.astype(F32)])
    case("cast_to_half_of_a_constant", [node("Cast", ["k"], ["y"], to=to(F16))], {}, {"k": small},
         [small.astype(F16)])
    case("cast_twice", [node("Cast", ["x"], ["t"], to=to(F16)), node("Cast", ["t"], ["y"],
                                                                    to=to(F32))],
         floats, {}, [floats.astype(F16).astype(F32)], launches=1)
    case("cast_there_and_further", [node("Cast", ["x"], ["t"], to=to(F32)),
                                    node("Cast", ["t"], ["y"], to=to(F16))],
         small.astype(np.uint8), {}, [small.astype(F16)])
    case("cast_sizes_of_floats", [node("Cast", ["n"], ["s"], to=to(np.int64)),
                                  node("Reshape", ["x", "s"], ["y"])],
         {"x": X, "n": np.array([4, 6], F32)}, {}, [X.reshape(4, 6)])
    out_of_range()
    case("cast_like", [node("CastLike", ["x", "k"], ["y"])], floats, {"k": np.zeros(1, F16)},
         [floats.astype(F16)], 15)
    case("bit_cast", [node("BitCast", ["x"], ["y"], to=to(np.int32))], floats, {},
         [floats.view(np.int32)], 26, 0)
    case("bit_cast_of_the_mapped", [node("Neg", ["one"], ["m"]), node("Mul", ["x", "m"], ["t"]),
                                    node("BitCast", ["t"], ["y"], to=to(np.uint32))],
         floats, {"one": F32(1)}, [(floats * F32(-1)).view(np.uint32)], 26)


def out_of_range():
    """Casts of data and of constants follow one rule. ONNX leaves floats out of range undefined.
    The reference and ONNX Runtime also give the low bits, if the intermediate integer of 32 bits
    can hold the value."""
    wild = np.array([0, 127.5, 128, -128.9, -129, 255.9, 256, 300.7, -300.7, 32768, -70000.5, np.inf,
                     -np.inf, np.nan])
    whole = [0, 127, 128, -128, -129, 255, 256, 300, -300, 32768, -70000, 0, 0, 0]
    for kind in (np.int8, np.uint8, np.int16, np.uint16):
        want = np.array(whole).astype(kind)
        for source in (F32, np.float64):
            cast = [node("Cast", [v], [f"y{i}"], to=to(kind)) for i, v in enumerate("xk")]
            wilds = wild.astype(source)
            case(f"cast_out_of_range_{np.dtype(source)}_{np.dtype(kind)}", cast, wilds, {"k": wilds},
                 [want, want])
    far = np.array([3e9, -3e9, 1e10, 2.0**63, -2.0**63, 1e20])
    want = [np.array([int(v) % 2**32 for v in far], np.uint32).view(np.int32),
            np.array([int(v) % 2**64 for v in far], np.uint64).view(np.int64)]
    proto = model([node("Cast", [v], [v + str(k)], to=to(kind)) for v in "xk"
                   for k, kind in enumerate((np.int32, np.int64))], [("x", far)],
                  ["x0", "x1", "k0", "k1"], 17, [tensor("k", far)])
    add("ok", "cast_far_out_of_range", proto, [tensor("", far)],  # the reference: as processors do
        ["4"] + [hexadecimal(tensor(n, w)) for n, w in zip(("x0", "x1", "k0", "k1"), want + want)])


# -------------------------------------------------------------------------------------- steps

STEPS = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}


def steps():
    a, b = noise(2, 3, 4), noise(2, 3, 4, seed=2)
    for op, function in STEPS.items():
        low = op.lower()
        def forms(suffix, x, constants, want, op=op, low=low, **options):
            case(f"{low}_{suffix}", [node(op, ["x", "k"], ["y"])], x, constants, [want], **options)
        for kind in (F32, F16, np.float64, BF16):
            x, k = a.astype(kind), F32(1.7).astype(kind)
            forms(f"data_{np.dtype(kind)}", x, {"k": k}, function(x, k))
        for opset in (7, 13, 14, 28):
            forms(f"data_opset_{opset}", a, {"k": b[0]}, function(a, b[0]), opset=opset)
        forms("along_the_middle", a, {"k": b[0, :, :1]}, function(a, b[0, :, :1]))
        forms("grows", a[:1, :, 1:2], {"k": b}, function(a[:1, :, 1:2], b))
        forms("many_numbers", noise(3, 100), {"k": b[0, 0, 0] + np.arange(100, dtype=F32)},
              function(noise(3, 100), b[0, 0, 0] + np.arange(100, dtype=F32)))
        forms("two_inputs", {"x": a, "k": b}, {}, function(a, b))
        forms("second_input_larger", {"x": a[0], "k": b}, {}, function(a[0], b))
        case(f"{low}_constant_first", [node(op, ["k", "x"], ["y"])], a, {"k": b[0, 0]},
             [function(b[0, 0], a)])
        case(f"{low}_itself", [node(op, ["x", "x"], ["y"])], a, {}, [function(a, a)])
        case(f"{low}_of_two_mapped", [node("Cast", ["x"], ["c"], to=to(F32)),
                                      node("Cast", ["k"], ["d"], to=to(F32)),
                                      node(op, ["c", "d"], ["y"])],
             {"x": counting(2, 3), "k": counting(2, 3, dtype=np.uint8)}, {},
             [function(counting(2, 3, dtype=F32), counting(2, 3, dtype=F32))], launches=2)
    zero = np.array([1, 0, np.inf], F32)
    case("multiply_by_zero_and_infinity", [node("Mul", ["x", "k"], ["y"])], np.abs(noise(2, 3)),
         {"k": zero}, [np.abs(noise(2, 3)) * zero])
    case("divide_by_zero", [node("Div", ["x", "k"], ["y"])], noise(2, 3), {"k": F32(0)},
         [np.copysign(F32(np.inf), noise(2, 3))])
    chains()


def chains():
    """More steps than one map can hold, maps that are read twice, and mapped parts."""
    x = noise(3, 40)
    rows = noise(12, 40, seed=3)
    nodes = [node("Add" if i % 2 else "Mul", [f"t{i}" if i else "x", f"k{i}"],
                  [f"t{i + 1}" if i < 11 else "y"]) for i in range(12)]
    want = x
    for i, row in enumerate(rows):
        want = want + row if i % 2 else want * row
    case("twelve_steps", nodes, x, {f"k{i}": row for i, row in enumerate(rows)}, [want], launches=2)
    mul = node("Mul", ["x", "k"], ["m"])
    k = {"k": F32(0.3)}
    case("mapped_and_read_twice", [mul, node("Transpose", ["m"], ["y0"]), node("Add", ["m", "k"],
                                                                              ["y1"])],
         x, k, [(x * F32(0.3)).T, x * F32(0.3) + F32(0.3)], launches=2)
    case("concat_of_mapped", [mul, node("Add", ["x", "k"], ["n"]),
                              node("Concat", ["m", "n", "m"], ["y"], axis=1)],
         x, k, [np.concatenate([x * F32(0.3), x + F32(0.3), x * F32(0.3)], 1)], launches=3)
    case("pad_of_mapped", [mul, node("Pad", ["m", "p"], ["y"])], x, dict(k, p=[0, 1, 0, 2]),
         [np.pad(x * F32(0.3), ((0, 0), (1, 2)))], launches=3)
    case("split_and_gather_of_mapped", [mul, node("Split", ["m"], ["a", "b"], axis=1),
                                        node("Gather", ["b", "i"], ["y"], axis=1)],
         x, dict(k, i=[3, 1]), [(x * F32(0.3))[:, 20:][:, [3, 1]]])
    case("nothing_to_map", [node("Mul", ["x", "k"], ["y"])], x[:0], k, [x[:0]], launches=0)
    case("scalar_to_map", [node("Sub", ["k", "x"], ["y"])], np.array(3, F32), {"k": rows},
         [rows - F32(3)])
    case("concat_of_packed", [node("Cast", ["x"], ["m"], to=to(ml_dtypes.int4)),
                              node("Cast", ["x"], ["n"], to=to(ml_dtypes.int4)),
                              node("Concat", ["m", "n"], ["y"], axis=0)],
         noise(3, 5), {}, [np.concatenate([noise(3, 5).astype(ml_dtypes.int4)] * 2)], 21, None)


# ------------------------------------------------------------------------- views without common axes

def apart():
    """Views without common axes: no single pass can compute the maps, so the first result is
    stored."""
    x = noise(6, 4)
    row, column = noise(4, seed=2), noise(8, 1, seed=3)
    add, see = node("Add", ["x", "r"], ["a"]), node("Reshape", ["a", "s"], ["b"])
    seen = (x + row).reshape(8, 3)
    constants = {"r": row, "s": [8, 3]}
    case("apart_two_parameters", [add, see, node("Mul", ["b", "c"], ["y"])], x,
         dict(constants, c=column), [seen * column], launches=2)
    case("apart_two_inputs", [add, see, node("Mul", ["b", "c"], ["y"])],
         {"x": x, "r": noise(6, 1), "c": column}, {"s": [8, 3]},
         [(x + noise(6, 1)).reshape(8, 3) * column], launches=2)
    case("apart_source", [node("Transpose", ["x"], ["t"]), node("Reshape", ["t", "s"], ["b"]),
                          node("Mul", ["b", "c"], ["y"])], x.T, {"s": [8, 3], "c": column},
         [x.reshape(8, 3) * column], launches=2)
    wide, other = noise(30, 28), noise(21, 40, seed=4)
    stack = [node("Transpose", ["p"], ["t"]), node("Reshape", ["t", "s"], ["b"]),
             node("Transpose", ["b"], ["q"])]
    case("apart_parameter", [*stack, node("Sub", ["x", "q"], ["y"])],
         {"x": other, "p": wide.T}, {"s": [40, 21]}, [other - wide.reshape(40, 21).T], launches=2)
    case("apart_view", [node("Mul", ["x", "r"], ["p"]), *stack, node("Identity", ["q"], ["y"])],
         wide.T, {"r": noise(30), "s": [40, 21]},
         [(wide.T * noise(30)).T.reshape(40, 21).T], launches=2)
    case("apart_slice", [add, see, node("Slice", ["b", "one", "two", "one"], ["y"])], wide,
         {"r": noise(28), "s": [40, 21], "one": [1], "two": [14]},
         [(wide + noise(28)).reshape(40, 21)[:, 1:14]], launches=2)
    case("apart_split", [add, see, node("Split", ["b", "n"], ["y0", "y1"], axis=1)],
         x.reshape(3, 8), {"r": noise(8), "s": [4, 6], "n": [2, 4]},
         np.split((x.reshape(3, 8) + noise(8)).reshape(4, 6), [2], 1), launches=4)
    case("apart_gather", [add, see, node("Gather", ["b", "i"], ["y"], axis=1)], wide,
         {"r": noise(28), "s": [40, 21], "i": [0, 1, 2, 3, 5, 20]},
         [(wide + noise(28)).reshape(40, 21)[:, [0, 1, 2, 3, 5, 20]]], launches=None)
    case("apart_concat", [add, see, node("Concat", ["b", "z"], ["y"], axis=1)],
         {"x": x, "z": column}, constants, [np.concatenate([seen, column], 1)], launches=3)
    for mode in ("constant", "edge", "reflect"):
        case(f"apart_pad_{mode}", [add, see, node("Pad", ["b", "p"], ["y"], mode=mode)], x,
             dict(constants, p=[0, 1, 0, 1]), [np.pad(seen, ((0, 0), (1, 1)), mode)], launches=None)
    tall = noise(46, 4)  # the inside is led to its place, a box of the border is not
    case("apart_border", [add, see, node("Pad", ["b", "p"], ["y"], mode="reflect")], tall,
         {"r": row, "s": [8, 23], "p": [2, 0, 0, 0]},
         [np.pad((tall + row).reshape(8, 23), ((2, 0), (0, 0)), "reflect")], launches=None)


# --------------------------------------------------------------------------------------- Clip

def clips():
    x = noise(2, 6)
    for opset in (1, 6):
        case(f"clip_{opset}", [node("Clip", ["x"], ["y"], min=-1.5, max=2.0)], x, {},
             [np.clip(x, F32(-1.5), F32(2))], opset)
    case("clip_6_min", [node("Clip", ["x"], ["y"], min=-1.5)], x, {}, [np.maximum(x, F32(-1.5))], 6)
    case("clip_6_max", [node("Clip", ["x"], ["y"], max=2.0)], x, {}, [np.minimum(x, F32(2))], 6)
    for opset in (11, 12, 13, 28):
        both = {"l": F32(-1.5), "h": F32(2)}
        case(f"clip_{opset}", [node("Clip", ["x", "l", "h"], ["y"])], x, both,
             [np.clip(x, F32(-1.5), F32(2))], opset)
        case(f"clip_{opset}_max", [node("Clip", ["x", "", "h"], ["y"])], x, {"h": F32(2)},
             [np.minimum(x, F32(2))], opset)
    case("clip_without_bounds", [node("Clip", ["x"], ["y"])], x, {}, [x], launches=0)
    case("clip_turned_round", [node("Clip", ["x", "l", "h"], ["y"])], x,
         {"l": F32(2), "h": F32(-1)}, [np.full_like(x, -1)])
    case("clip_infinite", [node("Clip", ["x", "l", "h"], ["y"])], x,
         {"l": F32(-np.inf), "h": F32(np.inf)}, [x])
    for kind in (np.uint8, np.int16, np.int32, np.uint32):
        v = counting(3, 4, dtype=kind)
        case(f"clip_{np.dtype(kind)}", [node("Clip", ["x", "l", "h"], ["y"])], v,
             {"l": kind(3), "h": kind(9)}, [np.clip(v, kind(3), kind(9))])
    v = counting(3, 4, dtype=np.int64)
    case("clip_int64", [node("Clip", ["x", "l"], ["y"])], v, {"l": np.int64(3)},
         [np.maximum(v, 3)], launches=0)
    v = v.astype(np.uint64) << np.uint64(58)
    case("clip_uint64", [node("Clip", ["x", "l"], ["y"])], v[:, :1], {"l": v[1, 0]},
         [np.maximum(v[:, :1], v[1, 0])], launches=0)
    clips_by_computed_bounds(x)
    case("clip_of_sizes", [node("Shape", ["x"], ["s"]), node("Clip", ["s", "l", "h"], ["y"])], x,
         {"l": np.int64(3), "h": np.int64(5)}, [np.array([3, 5])], launches=0)


def clips_by_computed_bounds(x):
    """Data and a constant, clipped by inputs and by what nodes compute from inputs and sizes."""
    for kind in (F32, F16, np.float64):
        v, low, high = x.astype(kind), np.array(-1, kind), np.array(2, kind)
        clip = node("Clip", ["v", "l", "h"], ["y"])
        for name, of in (("data", {"v": v}), ("constant", {})):
            constants = {} if of else {"v": v}
            label = f"{np.dtype(kind)}_{name}"
            case(f"clip_by_inputs_{label}", [clip], dict(of, l=low, h=high), constants,
                 [np.clip(v, low, high)])
            case(f"clip_by_one_input_{label}", [clip], dict(of, h=high), dict(constants, l=low),
                 [np.clip(v, low, high)])
            half = [node("Mul", ["l", "f"], ["m"]), node("Clip", ["v", "m", "h"], ["y"])]
            case(f"clip_by_a_product_{label}", half, dict(of, l=low), dict(constants, f=kind(0.5),
                                                                       h=high),
                 [np.clip(v, low * kind(0.5), high)], launches=2)
            sized = [node("Size", ["r"], ["n"]), node("Cast", ["n"], ["c"], to=to(kind)),
                     node("Clip", ["v", "", "c"], ["y"])]
            case(f"clip_by_a_size_{label}", sized, dict(of, r=np.zeros(2, F32)), constants,
                 [np.minimum(v, kind(2))], launches=None)


def unsaturated():
    """A number beyond the range of an 8-bit float becomes infinity, or NaN in a format without
    infinity."""
    x = np.array([0.1, -3, 447, 480, 70000, -np.inf, np.nan], F32)
    for kind in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2):
        name = np.dtype(kind).name
        case(f"cast_unsaturated_{name}", [node("Cast", ["x"], ["y"], to=to(kind), saturate=0)], x,
             {}, [x.astype(kind)], 19)


# ---------------------------------------------------------------------------------- quantising

def spread(v, x, axis, block):
    """The scale, broadcast to the shape of the data."""
    v = np.asarray(v)
    if block:
        return np.repeat(v, block, axis).take(range(x.shape[axis]), axis)
    return v.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)]) if v.ndim else v


def quantized(x, scale, zero, kind, axis, block):
    info = np.iinfo(kind) if np.dtype(kind).kind in "iu" else ml_dtypes.iinfo(kind)
    whole = np.rint(x / spread(scale, x, axis, block)).astype(np.int64)
    whole = whole + spread(zero, x, axis, block).astype(np.int64)
    return np.clip(whole, info.min, info.max).astype(np.int32).astype(kind)


def pair(name, x, scale, zero, opset, axis=1, block=0, **options):
    """QuantizeLinear and DequantizeLinear, each alone."""
    kind = zero.dtype
    attributes = {} if opset < 13 else {"axis": axis}
    if block:
        attributes["block_size"] = block
    constants = {"s": scale, "z": zero}
    want = quantized(x, scale, zero, kind, axis, block)
    case(f"quantize_{name}", [node("QuantizeLinear", ["x", "s", "z"], ["y"], **attributes)], x,
         constants, [want], opset, **options)
    wide = spread(zero, x, axis, block).astype(np.int32)
    back = ((want.astype(np.int32) - wide).astype(F32) * spread(scale, x, axis, block).astype(F32))
    case(f"dequantize_{name}", [node("DequantizeLinear", ["x", "s", "z"], ["y"], **attributes)],
         want, constants, [back.astype(scale.dtype)], opset, **options)


def quantising():
    x = noise(3, 5, 4) * F32(20)
    for opset in (10, 13, 19, 21, 23, 24, 25, 28):
        pair(f"{opset}", x, F32(0.3), np.uint8(128), opset)
    axis = np.array([0.1, 0.25, 0.7, 1.3, 2], F32)
    for kind in (np.uint8, np.int8):
        pair(f"axis_{np.dtype(kind)}", x, axis, np.array([1, 2, 3, 4, 5], kind), 13)
        pair(f"axis_last_{np.dtype(kind)}", x, axis[:4], np.array([5, 6, 7, 8], kind), 13, axis=-1)
    many = (np.arange(100) + 1).astype(F32) / F32(64)
    pair("axis_many", noise(2, 100, 3), many, (np.arange(100) % 7).astype(np.uint8), 21)
    blocks = np.abs(noise(3, 3, 4, seed=5)) + F32(0.1)
    for kind in (np.int8, np.uint16):  # the shorter last block is a launch of its own
        pair(f"blocked_{np.dtype(kind)}", x, blocks, np.ones((3, 3, 4), kind), 21, block=2,
             launches=2)
    for kind in (ml_dtypes.int4, ml_dtypes.uint4):  # without a shorter last block
        pair(f"blocked_{np.dtype(kind)}", x[:, :4], blocks[:, :2], np.ones((3, 2, 4), kind), 21,
             block=2)
    pair("half", noise(2, 6, dtype=F16), F16(0.125), np.int8(3), 19)
    fused_quantising(x, axis)


def fused_quantising(x, axis):
    quantize = node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=1)
    dequantize = node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=1)
    zero = np.array([1, 2, 3, 4, 5], np.int8)
    whole = quantized(x, axis, zero, np.int8, 1, 0)
    back = (whole.astype(F32) - spread(zero, x, 1, 0).astype(F32)) * spread(axis, x, 1, 0)
    case("quantize_and_back", [quantize, dequantize], x, {"s": axis, "z": zero}, [back],
         launches=1)
    case("quantize_turned", [node("Transpose", ["x"], ["t"], perm=[2, 1, 0]),
                             node("QuantizeLinear", ["t", "s", "z"], ["q"], axis=1),
                             node("Reshape", ["q", "r"], ["y"])], x,
         {"s": axis, "z": zero, "r": [4, 15]}, [whole.transpose(2, 1, 0).reshape(4, 15)])
    case("dequantize_and_normalize", [node("DequantizeLinear", ["x", "s"], ["d"]),
                                      node("Sub", ["d", "m"], ["e"]),
                                      node("Transpose", ["e"], ["y"])],
         IMAGE[0], {"s": F32(0.01), "m": MEAN},
         [(IMAGE[0].astype(F32) * F32(0.01) - MEAN).T])
    case("quantize_without_zero", [node("QuantizeLinear", ["x", "s"], ["y"])], x, {"s": F32(0.3)},
         [quantized(x, F32(0.3), np.uint8(0), np.uint8, 1, 0)])
    case("quantize_output_dtype", [node("QuantizeLinear", ["x", "s"], ["y"],
                                        output_dtype=to(np.int16))], x, {"s": F32(0.3)},
         [quantized(x, F32(0.3), np.int16(0), np.int16, 1, 0)], 21)
    case("quantize_precision", [node("QuantizeLinear", ["x", "s"], ["y"], precision=to(F16))], x,
         {"s": F32(0.3)}, [quantized(x.astype(F16), F16(0.3), np.uint8(0), np.uint8, 1, 0)], 23)
    case("dequantize_output_dtype", [node("DequantizeLinear", ["x", "s"], ["y"],
                                          output_dtype=to(F16))], IMAGE, {"s": F32(0.3)},
         [(IMAGE.astype(F32) * F32(0.3)).astype(F16)], 23)
    case("quantize_by_tensors", [quantize, node("Identity", ["q"], ["y"])],
         {"x": x, "s": axis, "z": zero}, {}, [whole])


def make():
    for forms in (preprocessing, casts, steps, apart, clips, unsaturated, quantising):
        forms()
