"""Every cast, code by code, against NumPy, ml_dtypes and ONNX's tables (oracle.py). Every rounding
and overflow, against a search among all values of the target. The differences between the packages
and the oracle must be exactly the differences that DEVIATIONS lists.

SPDX-License-Identifier: Apache-2.0
"""

import sys
import warnings

import ml_dtypes as ml
import numpy as np

import binding
import oracle

warnings.simplefilter("ignore")
FLOATS = [name for name in oracle.TYPES if oracle.is_float(name)]


def compare(what, source, words, got, want):
    wrong = np.flatnonzero(got != want)
    for i in wrong[:3]:
        print(f"FAIL {what}: {words[i]:#x} = {oracle.array(source, words)[i]} gave {got[i]:#x}, "
              f"not {want[i]:#x}")
    return wrong.size


# ---- the casts of the dialects ----

def casts():
    wrong = count = refused = 0
    for source in oracle.TYPES:
        words = oracle.sources(source)
        for dialect in oracle.DIALECTS:
            for to in oracle.TYPES:
                try:
                    made = binding.cast(dialect, source, to)
                except binding.Failure:
                    refused += 1
                    continue
                want = oracle.cast(dialect, source, to, words)
                wrong += compare(f"{dialect} {source} to {to}", source, words,
                                 binding.apply(made, source, words, to), want)
                count += words.size
    # The ten types without a name in oneDNN, from and to each of the 25.
    if refused != 25 * 25 - 15 * 15:
        print(f"FAIL {refused} casts were refused")
        wrong += 1
    print(f"{count} numbers cast")
    return wrong


# ---- roundings and overflows ----

def by_search(to, words_values, rounding, saturates):
    """The nearest of all values of the format, found by bisection."""
    bits = oracle.BITS[to]
    ours = np.arange(1 << bits - 1, dtype=f"u{max(bits, 8) // 8}")
    values = oracle.array(to, ours).astype(np.float64)
    values = values[np.isfinite(values)]
    largest = values.size - 1
    grid = np.append(values, 2 * values[-1] - values[-2])  # one more, as if there were no limit
    size, negative = np.abs(words_values), np.signbit(words_values)
    low = np.clip(np.searchsorted(grid, size, "right") - 1, 0, largest)
    rest, gap = size - grid[low], grid[low + 1] - grid[low]
    tie, more = rest * 2 == gap, rest * 2 > gap
    away = {"EVEN": more | tie & (low % 2 == 1), "AWAY": more | tie, "ZERO": more & False,
            "DOWN": negative & (rest > 0), "UP": ~negative & (rest > 0)}[rounding]
    code = np.where((size >= grid[-1]) & (rounding in ("EVEN", "AWAY")), largest + 1, low + away)
    code = np.where((rounding == "DOWN") & negative | (rounding == "UP") & ~negative,
                    np.where(size > grid[largest], largest + 1, code), code)
    return finish(to, words_values, code, largest, saturates)


def finish(to, values, code, largest, saturates):
    """Overflow, infinity, NaN, and the sign."""
    bits = oracle.BITS[to]
    sign = np.signbit(values).astype(np.int64) << bits - 1
    no_negative_zero = to.endswith("FNUZ")
    special = {"F16": 0x7c00, "BF16": 0x7f80, "F8E5M2": 0x7c, "F8E4M3FN": 0x7f}.get(to)
    beyond = (code > largest) | np.isinf(values)
    if saturates or to in oracle.WITHOUT_NAN:
        code = np.where(beyond, largest, code)
    else:
        code = np.where(beyond, 0 if no_negative_zero else special, code)
        sign = np.where(beyond & no_negative_zero, 1 << bits - 1, sign)
    sign = np.where((code == 0) & ~beyond & no_negative_zero, 0, sign)
    nan = {"F16": 0x7e00, "BF16": 0x7fc0, "F8E5M2": 0x7e, "F8E4M3FN": 0x7f}.get(
        to, 1 << bits - 1 if no_negative_zero else largest)
    is_nan = np.isnan(values)
    sign = np.where(is_nan & (no_negative_zero | (to in oracle.WITHOUT_NAN)), 0, sign)
    return (np.where(is_nan, nan, code) | sign).astype(f"u{max(bits, 8) // 8}")


def mapped(source, words, to, rounding, overflow):
    made = binding.cast("NUMPY", source, to)
    made.steps[0].rounding = binding.ROUND[rounding]
    made.steps[0].overflow = binding.OVERFLOW[overflow]
    return binding.apply(made, source, words, to)


def roundings_of_floats():
    wrong = 0
    for source in ("F16", "BF16", "F32", "F64", "F8E5M2", "F8E4M3FN"):
        words = oracle.sources(source)
        values = oracle.array(source, words).astype(np.float64)
        for to in FLOATS:
            if oracle.BITS[to] > 16 or to in ("F8E8M0", source):
                continue
            for rounding in oracle.ROUNDINGS:
                for overflow in ("SATURATE", "IEEE"):
                    wrong += compare(f"{rounding} {overflow} {source} to {to}", source, words,
                                     mapped(source, words, to, rounding, overflow),
                                     by_search(to, values, rounding, overflow == "SATURATE"))
    return wrong


def wrapped(to, values, rounding):
    """Modulo 2^64 exactly, by Python's integers."""
    with np.errstate(all="ignore"):
        whole = oracle.ROUNDINGS[rounding](values)
    whole = np.where(np.isfinite(whole), whole, 0)
    mask = (1 << oracle.BITS[to]) - 1
    width = max(oracle.BITS[to], 8)
    return np.array([int(v) & mask for v in whole], f"u{width // 8}")


def roundings_of_integers():
    wrong = 0
    for source in ("F16", "BF16", "F32", "F64", "F8E4M3FN", "F6E2M3"):
        words = oracle.sources(source)
        values = oracle.array(source, words).astype(np.float64)
        for to in filter(oracle.is_integer, oracle.TYPES):
            width = max(oracle.BITS[to], 8)
            mask = np.uint64((1 << oracle.BITS[to]) - 1)
            for rounding in oracle.ROUNDINGS:
                want = oracle.float_to_integer(to, values, rounding) & mask
                wrong += compare(f"{rounding} {source} to {to}", source, words,
                                 mapped(source, words, to, rounding, "SATURATE"),
                                 want.astype(f"u{width // 8}"))
            some = words[::7]
            wrong += compare(f"wrap {source} to {to}", source, some,
                             mapped(source, some, to, "EVEN", "WRAP"),
                             wrapped(to, values[::7], "EVEN"))
    return wrong


# ---- the packages' own answers ----

# Differences between `values.astype` and a map, over all casts of NumPy, with the reasons.
DEVIATIONS = {
    "payload": "NumPy and ml_dtypes keep the payload of a NaN, and a signalling one",
    "no NaN": "float4 and float6: ml_dtypes makes a zero of NaN, ONNX the largest number",
    "range": "float to integer out of range, or NaN: undefined, and as the processor has it",
    "twice": "64- and 32-bit sources to narrow floats: ml_dtypes rounds to float32 first",
    "e8m0": "from and to other small floats ml_dtypes is wrong; the smallest for what is below",
}


def reason(source, to, values, i):
    value = values[i].astype(np.float64)
    if "F8E8M0" in (source, to):
        return "e8m0"
    if oracle.is_integer(to) and oracle.is_float(source):
        low, high = oracle.limits(to)
        return None if low <= np.trunc(value) < float(high + 1) else "range"
    if np.isnan(value):
        return "no NaN" if to in oracle.WITHOUT_NAN else "payload"
    return "twice" if oracle.BITS[source] >= 32 and oracle.BITS[to] <= 16 else None


def own_answer(source, to, values):
    try:
        return oracle.codes(to, values.astype(oracle.TYPES[to]))
    except TypeError:  # ml_dtypes has no way between its packed integers
        return oracle.codes(to, values.astype(np.int64).astype(oracle.TYPES[to]))


def packages():
    found, wrong = dict.fromkeys(DEVIATIONS, 0), 0
    for source in oracle.TYPES:
        words = oracle.sources(source)
        values = oracle.array(source, words)
        for to in oracle.TYPES:
            if to == source:
                continue
            got = binding.apply(binding.cast("NUMPY", source, to), source, words, to)
            for i in np.flatnonzero(got != own_answer(source, to, values)):
                why = reason(source, to, values, i)
                if why is None:
                    print(f"FAIL {source} to {to}: {values[i]} gave {got[i]:#x}, unlike NumPy")
                    wrong += 1
                else:
                    found[why] += 1
    for why, text in DEVIATIONS.items():
        print(f"{found[why]:8d} {text}")
        wrong += found[why] == 0  # not to be listed any longer
    return wrong


if __name__ == "__main__":
    print(f"numpy {np.__version__}, ml_dtypes {ml.__version__}")
    failures = casts() + roundings_of_floats() + roundings_of_integers() + packages()
    print(f"{failures} failed")
    sys.exit(1 if failures else 0)
