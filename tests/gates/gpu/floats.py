"""Instructions of floats for warps.py, from the bits of registers to bits.

Denormals are kept, and a computed NaN has the bits that PTX promises. An instruction without .rn is
unknown on purpose: ptxas may fuse such a product with a sum and round only once.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from ptx import COMPARE, U64, Unknown, mask_of, narrow

NAN = U64(0x7fffffff)
ROUNDED = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide}


def float_of(bits):
    return (np.asarray(bits, U64) & mask_of(32)).astype(np.uint32).view(np.float32)


def bits_of_float(number):
    number = np.asarray(number, np.float32)
    return np.where(np.isnan(number), NAN, number.view(np.uint32).astype(U64))


def bits_of_half(number):
    half = number.astype(np.float16)
    return np.where(np.isnan(half), NAN >> U64(16), half.view(np.uint16).astype(U64))


def number_of(bits, type_name):
    if type_name == "f16":
        return (bits & mask_of(16)).astype(np.uint16).view(np.float16)
    number = float_of(bits) if type_name == "f32" else narrow(bits, type_name)
    return number.astype(np.int64) if type_name[0] == "s" else number


def is_of_floats(parts):
    """Returns True if the instruction computes with floats or compares floats."""
    return ("f32" in parts[1:] or "f16" in parts[1:]) and parts[0] not in ("mov", "selp")


def compute_floats(parts, values):
    with np.errstate(all="ignore"):
        if parts[0] in ROUNDED and parts[1:] == ["rn", "f32"]:
            return bits_of_float(ROUNDED[parts[0]](*map(float_of, values)))
        if parts[0] == "cvt" and (parts[1] == "rn" or parts[1:] == ["f32", "f16"]):
            bits_of = bits_of_half if parts[-2] == "f16" else bits_of_float
            return bits_of(number_of(values[0], parts[-1]))
    raise Unknown(".".join(parts))


def compare_floats(how, a, b):
    """A comparison with a NaN is false, and true if the name ends with a u (unordered)."""
    a, b = float_of(a), float_of(b)
    is_nan = np.isnan(a) | np.isnan(b)
    if how in ("nan", "num"):
        return is_nan if how == "nan" else ~is_nan
    holds = COMPARE[how[:2]](a, b)
    return holds | is_nan if how[2:] == "u" else holds & ~is_nan
