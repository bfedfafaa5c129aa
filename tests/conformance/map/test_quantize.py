"""QuantizeLinear and DequantizeLinear against ONNX's reference, bit for bit. The arithmetic of
steps against NumPy and ml_dtypes, in the orders of OpenCV, OpenVINO and torchvision. Moved maps
against moved results.

SPDX-License-Identifier: Apache-2.0
"""

import sys
import warnings

import numpy as np
import onnx
from onnx import helper
from onnx.reference import ReferenceEvaluator

import binding
import oracle

warnings.simplefilter("ignore")
TENSOR = onnx.TensorProto
ONNX_TYPES = {"U2": TENSOR.UINT2, "I2": TENSOR.INT2, "U4": TENSOR.UINT4, "I4": TENSOR.INT4,
              "U8": TENSOR.UINT8, "I8": TENSOR.INT8, "U16": TENSOR.UINT16, "I16": TENSOR.INT16,
              "F32": TENSOR.FLOAT, "F16": TENSOR.FLOAT16, "BF16": TENSOR.BFLOAT16,
              "F8E4M3FN": TENSOR.FLOAT8E4M3FN, "F8E4M3FNUZ": TENSOR.FLOAT8E4M3FNUZ,
              "F8E5M2": TENSOR.FLOAT8E5M2, "F8E5M2FNUZ": TENSOR.FLOAT8E5M2FNUZ,
              "F4E2M1": TENSOR.FLOAT4E2M1, "F6E2M3": TENSOR.FLOAT6E2M3,
              "F6E3M2": TENSOR.FLOAT6E3M2}
INTEGERS = [name for name in ONNX_TYPES if oracle.is_integer(name)]
NARROW = [name for name in ONNX_TYPES if name not in ("F32", "F16", "BF16")]
SHAPE = (6, 10, 7)
# Arrangements of scales: the shape of the scales, ONNX's attributes, and the library's spread. The
# last blocks are shorter.
GRAINS = {
    "tensor": ((), {}, ("BROADCAST", 0, 0)),
    "axis 1": ((10,), {"axis": 1}, ("AXIS", 1, 0)),
    "axis -1": ((7,), {"axis": -1}, ("AXIS", -1, 0)),
    "blocks of 5": ((6, 2, 7), {"axis": 1, "block_size": 5}, ("BLOCKS", 1, 5)),
    "blocks of 4": ((6, 3, 7), {"axis": 1, "block_size": 4}, ("BLOCKS", 1, 4)),
    "blocks of 3, last": ((6, 10, 3), {"axis": -1, "block_size": 3}, ("BLOCKS", -1, 3)),
}
generator = np.random.default_rng(15)


def reference(operator, inputs, to, **attributes):
    names = ["x", "scale", "zero"][:len(inputs)]
    kinds = [ONNX_TYPES[kind] for kind, _ in inputs]
    infos = [helper.make_tensor_value_info(n, k, None) for n, k in zip(names, kinds)]
    out = helper.make_tensor_value_info("y", ONNX_TYPES[to], None)
    node = helper.make_node(operator, names, ["y"], **attributes)
    model = helper.make_model(helper.make_graph([node], "g", infos, [out]),
                              opset_imports=[helper.make_opsetid("", 25)])
    values = dict(zip(names, (value for _, value in inputs)))
    return ReferenceEvaluator(model).run(None, values)[0]


def scales(shape, kind):
    return np.asarray(generator.uniform(0.01, 0.1, shape), np.float32).astype(oracle.TYPES[kind])


def zeros(shape, to):
    low, high = oracle.limits(to)
    return np.asarray(generator.integers(low // 2, high // 2 + 1, shape)).astype(oracle.TYPES[to])


def ties(scale, shape, kind):
    """Numbers, half of which are near the middle of two results."""
    whole = generator.integers(-300, 300, shape) + generator.choice([0, 0.5], shape)
    return (whole * generator.choice(scale.astype(np.float64).ravel(), shape)).astype(
        oracle.TYPES[kind])


def parameter(value, spread):
    """A parameter with numbers in the map if there are few, and otherwise a tensor."""
    if value.size <= 16 and value.ndim < 2:
        return binding.numbers(value.astype(np.float64), *spread), None
    return binding.numbers(None, *spread), value


def bind(function, source, to, arithmetic, scale, zero, spread, tensors_only):
    """The map, and the tensor parameters: {key: (dtype, codes)}."""
    given, tensors = [], {}
    zero_first = function == "dequantize" and zero is not None
    for key, value in ((int(zero_first), scale), (int(not zero_first), zero)):
        if value is None:
            given.append(None)
            continue
        kind = arithmetic if value is scale else (to if function == "quantize" else source)
        numbers, tensor = parameter(value, spread)
        if tensors_only or tensor is not None:
            numbers = binding.numbers(None, *spread)
            tensors[key] = (kind, oracle.codes(kind, value))
        given.append(binding.C.byref(numbers))
    made = binding.make(function, binding.DTYPE[source], binding.DTYPE[to], *given)
    return made, tensors


def check(what, got, want):
    wrong = np.count_nonzero(got != want)
    if wrong or got.shape != want.shape:
        i = tuple(np.argwhere(got != want)[0])
        print(f"FAIL {what}: {wrong} of {got.size}, at {i} {got[i]:#x}, not {want[i]:#x}")
    return int(wrong > 0)


def quantize(to, kind, grain, with_zero, tensors_only):
    shape, attributes, spread = GRAINS[grain]
    scale = scales(shape, kind)
    x = ties(scale, SHAPE, kind)
    zero = zeros(shape, to) if with_zero else None
    inputs = [(kind, x), (kind, scale)] + ([(to, zero)] if with_zero else [])
    extra = {} if with_zero else {"output_dtype": ONNX_TYPES[to]}
    want = oracle.codes(to, reference("QuantizeLinear", inputs, to, **attributes, **extra))
    made, tensors = bind("quantize", kind, to, kind, scale, zero, spread, tensors_only)
    made.steps[0].dtype = binding.DTYPE[kind]
    got = binding.apply(made, kind, oracle.codes(kind, x), to, tensors)
    return check(f"quantize {kind} to {to}, {grain}, zero {with_zero}", got, want)


def dequantize(source, kind, grain, with_zero, tensors_only):
    shape, attributes, spread = GRAINS[grain]
    scale = scales(shape, kind)
    width = max(oracle.BITS[source], 8)
    words = generator.integers(0, 1 << oracle.BITS[source], SHAPE).astype(f"u{width // 8}")
    x = oracle.array(source, words)
    zero = zeros(shape, source) if with_zero else None
    inputs = [(source, x), (kind, scale)] + ([(source, zero)] if with_zero else [])
    want = oracle.codes(kind, reference("DequantizeLinear", inputs, kind, **attributes))
    want = oracle.without_payload(source, kind, x, want)
    made, tensors = bind("dequantize", source, kind, kind, scale, zero, spread, tensors_only)
    got = binding.apply(made, source, words, kind, tensors)
    # NaN * scale has no sign in the library. In the reference the processor gives the sign.
    nan = np.isnan(x.astype(np.float32))
    want[nan] &= want.dtype.type((1 << oracle.BITS[kind] - 1) - 1)
    return check(f"dequantize {source} to {kind}, {grain}, zero {with_zero}", got, want)


def all_of_onnx():
    wrong = count = 0
    for grain in GRAINS:
        for kind in ("F32", "F16", "BF16"):
            for narrow in NARROW:
                for with_zero in (False, True) if narrow in INTEGERS else (False,):
                    for tensors_only in (False, True):
                        wrong += quantize(narrow, kind, grain, with_zero, tensors_only)
                        wrong += dequantize(narrow, kind, grain, with_zero, tensors_only)
                        count += 2
    print(f"{count} models of ONNX")
    return wrong


# ---- steps ----

OPERATIONS = {"SUBTRACT": np.subtract, "ADD": np.add, "MULTIPLY": np.multiply,
              "DIVIDE": np.divide, "AT_LEAST": lambda x, p: np.where(x < p, p, x),
              "AT_MOST": lambda x, p: np.where(x > p, p, x)}


def through(x, kind, steps, to=None):
    made = binding.cast("NUMPY", kind, kind)
    for name, value in steps:
        binding.step(made, name, kind, binding.numbers(value))
    if to is not None:
        binding.rounded(made, to, "EVEN", "SATURATE")
    return binding.apply(made, kind, oracle.codes(kind, x), to or kind)


def without_sign(kind, values):
    found = oracle.codes(kind, values).copy()
    nan = {"F16": 0x7e00, "BF16": 0x7fc0, "F32": 0x7fc00000, "F64": 0x7ff8000000000000}[kind]
    found[np.isnan(values)] = nan
    return found


def arithmetic():
    """Each operation on all numbers of 16 bits, and on borders of the wider types."""
    wrong = 0
    for kind in ("F16", "BF16", "F32", "F64"):
        x = oracle.array(kind, oracle.sources(kind))
        others = x[np.isfinite(x.astype(np.float64)) & (x != 0)]
        for name, operation in OPERATIONS.items():
            for p in generator.choice(others, 40):
                with np.errstate(all="ignore"):
                    want = without_sign(kind, operation(x, p).astype(x.dtype))
                got = through(x, kind, [(name, float(p))])
                wrong += check(f"{name} {kind} {p!r}", got, want)
    return wrong


def integers():
    """Chains of five steps of 32-bit integers, by numbers and tensors, as NumPy's int32 has them."""
    operations = {"SUBTRACT": np.subtract, "ADD": np.add, "MULTIPLY": np.multiply,
                  "AT_LEAST": np.maximum, "AT_MOST": np.minimum, "SHIFT_LEFT": np.left_shift,
                  "SHIFT_RIGHT": np.right_shift}
    wrong = 0
    for number in range(300):
        source = ("U8", "I16", "I32")[number % 3]
        x = generator.integers(*oracle.limits(source), (64, 4), endpoint=True).astype(
            oracle.TYPES[source])
        made, want, tensors = binding.cast("NUMPY", source, source), x.astype(np.int32), {}
        for step in range(5):
            name = str(generator.choice(list(operations)))
            most = 32 if name.startswith("SHIFT") else 1 << int(generator.integers(1, 32))
            p = generator.integers(0 if most == 32 else -most, most, 4).astype(np.int32)
            want = operations[name](want, p)
            is_tensor = bool(generator.integers(2))
            binding.step(made, name, "I32", binding.numbers(None if is_tensor else p))
            if is_tensor:
                tensors[step] = ("I32", oracle.codes("I32", p))
        got = binding.apply(made, source, oracle.codes(source, x), "I32", tensors)
        wrong += check(f"integers {number} of {source}", got, want.view(np.uint32))
    return wrong


def orders():
    """(x - mean) * scale as OpenCV, (x - mean) / deviation as OpenVINO, and torchvision's
    x * (1 / 255), - mean, / deviation: each step rounded to f32, none contracted."""
    bytes_ = np.arange(256, dtype=np.uint8)
    x = bytes_.astype(np.float32)
    wrong = differ = 0
    for mean, deviation in ((0.485, 0.229), (0.456, 0.224), (0.406, 0.225), (123.675, 58.395)):
        m, d, s = np.float32(mean), np.float32(deviation), np.float32(1 / 255)
        r = np.float32(1) / d
        lists = {"OpenCV": ([("SUBTRACT", m), ("MULTIPLY", r)], (x - m) * r),
                 "OpenVINO": ([("SUBTRACT", m), ("DIVIDE", d)], (x - m) / d),
                 "torchvision": ([("MULTIPLY", s), ("SUBTRACT", m), ("DIVIDE", d)],
                                 (x * s - m) / d)}
        for name, (steps, want) in lists.items():
            made = binding.cast("NUMPY", "U8", "F32")
            for kind, value in steps:
                binding.step(made, kind, "F32", binding.numbers(float(value)))
            got = binding.apply(made, "U8", bytes_, "F32")
            wrong += check(f"{name} {mean}", got, want.view(np.uint32))
        differ += np.count_nonzero(lists["OpenCV"][1] != lists["OpenVINO"][1])
    print(f"{differ} of 1024 numbers tell a product from a quotient")
    return wrong + (differ == 0)


def normalized():
    """HWC bytes to floats, mean and deviation along the last axis, and moved to CHW."""
    x = generator.integers(0, 256, (5, 6, 3)).astype(np.uint8)
    mean, deviation = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
    along = [binding.numbers(values, "AXIS", -1) for values in (mean, deviation)]
    made = binding.cast("NUMPY", "U8", "U8")
    for kind, one in zip(("SUBTRACT", "DIVIDE"), along):
        binding.step(made, kind, "F32", one)
    bound = binding.Bound(made, "U8", x, "F32")
    bound.move("permute=2,0,1 flip=0")
    want = (x.astype(np.float32) - np.float32(mean)) / np.float32(deviation)
    return check("normalize", bound.apply(), want.transpose(2, 0, 1)[::-1].view(np.uint32))


# ---- movement ----

CHAINS = ("permute=2,0,1", "flip=0,2", "reshape=-1", "reshape=7,-1 permute=1,0 reshape=10,42",
          "slice=1:5:2,::-1,2:6", "window=1,4,3", "tile=2,1,1 reshape=-1,35", "repeat=1,3",
          "rearrange=a (b c) d -> (d c) b a, c=5", "diagonal=0,0,2", "split=1,3,2",
          "expand=2,6,10,7 permute=3,0,2,1 reshape=60,14", "squeeze", "slice=0:0")


def moved():
    """A map and then a movement equals the movement of the map with all parameters."""
    wrong = 0
    x = generator.integers(0, 16, SHAPE).astype(np.uint8)
    scale, zero = scales((6, 3, 7), "F16"), zeros((10,), "U4")
    made = binding.make("dequantize", binding.DTYPE["U4"], binding.DTYPE["F32"],
                        binding.C.byref(binding.numbers(None, "BLOCKS", 1, 4)),
                        binding.C.byref(binding.numbers(zero.astype(float), "AXIS", 1)))
    binding.step(made, "ADD", "F32", binding.numbers([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]))
    tensors = {1: ("F16", oracle.codes("F16", scale))}
    plain = binding.apply(made, "U4", x, "F32", tensors)
    want = ((x.astype(np.float32) - zero.astype(np.float32)[:, None])
            * np.repeat(scale, 4, 1)[:, :10].astype(np.float32)
            + np.arange(7, dtype=np.float32) + np.float32(0.5))
    wrong += check("blocks, axis and broadcast", plain, want.view(np.uint32))
    for chain in CHAINS:
        bound = binding.Bound(made, "U4", x, "F32", tensors)
        bound.move(chain)
        same = binding.Bound(binding.cast("NUMPY", "F32", "F32"), "F32", plain, "F32")
        same.move(chain)
        wrong += check(chain, bound.apply(), same.apply())
    return wrong


if __name__ == "__main__":
    print(f"numpy {np.__version__}, onnx {onnx.__version__}")
    failures = all_of_onnx() + arithmetic() + integers() + orders() + normalized() + moved()
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)
