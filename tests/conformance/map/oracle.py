"""The results of casts by NumPy, ml_dtypes and ONNX's tables, without the library.

NumPy and ml_dtypes convert if the package's answer is the answer of the specification. Otherwise a
function of this file converts, and the comment of the function gives the reason. test_casts.py
counts these cases.

SPDX-License-Identifier: Apache-2.0
"""

import ml_dtypes as ml
import numpy as np

TYPES = {
    "BOOL": np.bool_, "I2": ml.int2, "I4": ml.int4, "I8": np.int8, "I16": np.int16,
    "I32": np.int32, "I64": np.int64, "U2": ml.uint2, "U4": ml.uint4, "U8": np.uint8,
    "U16": np.uint16, "U32": np.uint32, "U64": np.uint64, "F16": np.float16, "BF16": ml.bfloat16,
    "F32": np.float32, "F64": np.float64, "F8E4M3FN": ml.float8_e4m3fn,
    "F8E4M3FNUZ": ml.float8_e4m3fnuz, "F8E5M2": ml.float8_e5m2, "F8E5M2FNUZ": ml.float8_e5m2fnuz,
    "F8E8M0": ml.float8_e8m0fnu, "F4E2M1": ml.float4_e2m1fn, "F6E2M3": ml.float6_e2m3fn,
    "F6E3M2": ml.float6_e3m2fn,
}
BITS = {name: int(name[1]) if name[1] in "246" and name[:3] not in ("I32", "I64", "U32", "U64")
        and name[1:] not in ("16", "64") and len(name) != 3 else 8 * np.dtype(kind).itemsize
        for name, kind in TYPES.items()}
WITHOUT_NAN = ("F4E2M1", "F6E2M3", "F6E3M2")
DIALECTS = ("NUMPY", "ONNX", "ONEDNN")


def is_integer(name):
    return name[0] in "IU"


def is_float(name):
    return name[0] == "F" or name == "BF16"


# ---- codes and arrays ----

def array(name, codes):
    """Codes as an array of the type."""
    if is_integer(name) and BITS[name] < 8:
        shift = 8 - BITS[name]
        wide = (codes.astype(np.uint8) << shift).astype(np.uint8)
        wide = wide.view(np.int8) if name[0] == "I" else wide
        return (wide >> shift).astype(TYPES[name])
    return codes.view(TYPES[name])


def codes(name, values):
    width = max(BITS[name], 8)
    found = np.ascontiguousarray(values).view(f"u{width // 8}")
    return found & found.dtype.type((1 << BITS[name]) - 1)


# ---- floats ----

def odd(values, narrow):
    """Rounds values to odd: truncates to a narrower type, and sets the last bit if the value was
    not exact. Rounding the result once more, to at least two bits fewer, then equals rounding the
    value once."""
    with np.errstate(all="ignore"):
        near = values.astype(narrow)
        back = near.astype(values.dtype) if values.dtype.kind == "f" else near
    bits = near.view(f"u{near.dtype.itemsize}").copy()
    if values.dtype.kind == "f":
        too_far = np.abs(back) > np.abs(values)
        inexact = (back != values) & ~np.isnan(values)
    else:
        exact = [int(v) for v in near]
        order = np.array([abs(e) > abs(int(v)) for e, v in zip(exact, values)])
        too_far, inexact = order, np.array([e != int(v) for e, v in zip(exact, values)])
    bits[too_far] -= 1
    bits[inexact] |= 1
    return bits.view(narrow)


def as_float32(name, values):
    """The values for a second rounding: exact, or rounded to odd. ml_dtypes itself passes 64-bit
    integers and doubles through float32, rounded to nearest, and so rounds twice."""
    if name in ("I64", "U64", "I32", "U32"):
        values = odd(values, np.float64)
        name = "F64"
    if name == "F64":
        return odd(values, np.float32)
    return values.astype(np.float32)


def e8m0(values, saturates, rounds_up):
    """Casts by ONNX's table. ml_dtypes gives NaN for 0, the smallest number for all values below
    the smallest, and wrong numbers for source types other than float32 and bfloat16."""
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(values.astype(np.float64))
        exponent = exponent - 1 + (mantissa > 0.5 if rounds_up else mantissa >= 0.75)
    low, high = exponent < -127, exponent > 127
    smallest, largest = (0, 254) if saturates else (255, 255)
    found = np.clip(exponent + 127, 0, 254)
    found = np.where(low | (values == 0), smallest, np.where(high, largest, found))
    found = np.where(values == np.inf, largest, found)
    return np.where(np.isnan(values) | (values < 0), 255, found).astype(np.uint8)


def to_float(dialect, source, to, values):
    if to == "F8E8M0":
        wide = as_float64(source, values)
        return e8m0(wide, dialect != "NUMPY", dialect == "ONNX")
    if to in ("F16", "F32", "F64") and source != "F8E8M0" and not is_packed(source):
        found = values.astype(TYPES[to])  # NumPy's own, rounded once
    elif to in ("F32", "F64"):
        found = as_float32(source, values).astype(TYPES[to])
    else:
        found = as_float32(source, values)
        if dialect != "NUMPY" and BITS[to] <= 8:  # onnx.numpy_helper.saturate_cast
            info = ml.finfo(TYPES[to])
            found = np.clip(found, np.float32(info.min), np.float32(info.max))
        found = found.astype(TYPES[to])
    found = codes(to, found)
    return without_payload(source, to, values, found)


def is_packed(name):
    return BITS[name] < 8


def as_float64(name, values):
    if name in ("I64", "U64"):
        return odd(values, np.float64)
    return values.astype(np.float32).astype(np.float64) if name != "F64" and BITS[name] <= 16 \
        else values.astype(np.float64)


def without_payload(source, to, values, found):
    """Removes the payload of NaN. NumPy keeps the payload, also of a signalling NaN. For a format
    without NaN ml_dtypes gives 0, and ONNX says for float4 that NaN becomes the largest number."""
    if not is_float(source):
        return found
    nan = np.isnan(values.astype(np.float64))
    if to in WITHOUT_NAN:
        found[nan] = (1 << (BITS[to] - 1)) - 1
    elif to in ("F32", "F64", "F16"):
        quiet = {"F16": 0x7e00, "F32": 0x7fc00000, "F64": 0x7ff8000000000000}[to]
        sign = 1 << (BITS[to] - 1)
        found[nan] = found[nan] & found.dtype.type(sign) | found.dtype.type(quiet)
    return found


# ---- integers ----

def limits(to):
    bits = BITS[to]
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if to[0] == "I" else (0, (1 << bits) - 1)


ROUNDINGS = {
    "ZERO": np.trunc, "EVEN": np.rint, "DOWN": np.floor, "UP": np.ceil,
    "AWAY": lambda x: np.trunc(x) + np.sign(x) * (np.abs(x - np.trunc(x)) >= 0.5),
}


def wrapped(whole):
    """A whole float modulo 2^64, and 0 for infinity and NaN. Every step is exact."""
    below = np.fmod(np.where(np.isfinite(whole), np.abs(whole), 0), 2.0**64).astype(np.uint64)
    return np.where(whole < 0, np.uint64(0) - below, below)


def float_to_integer(to, values, rounding, wraps=False):
    """ONNX and NumPy leave a value out of range undefined, and NumPy answers as the processor does.
    Here such a value keeps its low bits if the cast wraps, as in ONNX's own test data. Else the
    result is the nearest end of the range, and 0 for NaN."""
    low, high = limits(to)
    with np.errstate(all="ignore"):
        whole = ROUNDINGS[rounding](values.astype(np.float64))
        if wraps:
            return wrapped(whole)
        inside = (whole >= low) & (whole < float(high + 1))
        kind = np.int64 if to[0] == "I" else np.uint64
        found = np.where(inside, whole, 0).astype(kind)
    found[whole < low] = kind(low)
    found[whole >= float(high + 1)] = kind(high)
    return found.view(np.uint64)


def integer_to_integer(to, values, saturates):
    wide = values.astype(np.int64) if values.dtype != np.uint64 else values
    if saturates:
        low, high = limits(to)
        unsigned = wide.dtype == np.uint64
        low, high = max(low, 0 if unsigned else low), high
        top = np.iinfo(wide.dtype).max
        wide = np.clip(wide, wide.dtype.type(low), wide.dtype.type(min(high, top)))
    return wide.view(np.uint64)


def cast(dialect, source, to, source_codes):
    """The codes that the cast of a dialect gives."""
    values = array(source, source_codes)
    if source == to:
        return source_codes
    if to == "BOOL":
        return (values.astype(np.float64) != 0 if is_float(source) else values.astype(bool)
                ).astype(np.uint8)
    if is_float(to):
        return to_float(dialect, source, to, values)
    if is_float(source):
        found = float_to_integer(to, values, "EVEN" if dialect == "ONEDNN" else "ZERO",
                                 dialect == "ONNX")
    else:
        found = integer_to_integer(to, values, dialect == "ONEDNN")
    width = max(BITS[to], 8)
    mask = np.uint64((1 << BITS[to]) - 1)
    return (found & mask).astype(f"u{width // 8}")


# ---- sources ----

def random_words(count):
    """xorshift64, as test_casts.c has it."""
    word, found = 88172645463325252, []
    for _ in range(count):
        word ^= word << 13 & 0xFFFFFFFFFFFFFFFF
        word ^= word >> 7
        word ^= word << 17 & 0xFFFFFFFFFFFFFFFF
        found.append(word)
    return found


def mantissas(bits):
    """Around each bit, from below and above."""
    return [m & (1 << bits) - 1 for k in range(bits + 1)
            for m in (1 << k, (1 << k) - 1, (1 << k) + 1, 3 << k)]


def float_words(exponent_bits, mantissa_bits):
    """Each exponent near the exponents of narrower types, with all of these mantissas, of both
    signs."""
    middle = (1 << exponent_bits - 1) - 1
    top = (1 << exponent_bits) - 1
    exponents = [e for e in range(top + 1) if abs(e - middle) <= 160 or e < 3 or e > top - 3]
    values = [e << mantissa_bits | m for e in exponents for m in mantissas(mantissa_bits)]
    return [sign << exponent_bits + mantissa_bits | v for v in values for sign in (0, 1)]


def integer_words(bits):
    near = [(m << k) + d for k in range(bits) for m in (1, 3, 5) for d in (-2, -1, 0, 1, 2)]
    return [sign * v & (1 << bits) - 1 for v in near for sign in (1, -1)]


def sources(name):
    """All codes of a type of up to 16 bits. For wider types the codes near a border and 20,000
    random codes."""
    bits = BITS[name]
    if name == "BOOL":
        return np.arange(2, dtype=np.uint8)
    if bits <= 16:
        return np.arange(1 << bits, dtype="u2" if bits > 8 else "u1")
    words = {"F32": lambda: float_words(8, 23), "F64": lambda: float_words(11, 52)}.get(
        name, lambda: integer_words(bits))()
    words += [word & (1 << bits) - 1 for word in random_words(20000)]
    return np.array(words, f"u{bits // 8}")
