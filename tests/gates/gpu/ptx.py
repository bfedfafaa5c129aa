"""Runs a kernel's PTX as a GPU would, 32 work-items of a group in lock-step, and keeps count.

All work-items of a launch run at once, and each register is an array over the work-items. In every
turn the lowest program counter of all work-items runs until the end of a block. A warp takes part
if one of the 32 work-items is there. Work-items therefore part at branches and meet again behind
branches. Barriers hold by construction: no work-item passes a barrier while another work-item is
before the barrier in the text. Memory is real: written data can be compared with expected data.

Registers hold 64 bits, and an instruction reads as many bits as the type says. No kernel calls
functions. Floating point is in floats.py. Any instruction not known here ends the run.

SPDX-License-Identifier: Apache-2.0
"""

import re

import numpy as np

WARP = 32
U64 = np.uint64
SOURCE, DESTINATION = 1 << 40, 1 << 46  # addresses of the buffers


class Unknown(Exception):
    """An operation that this interpreter does not know."""


def mask_of(bits):
    return U64((1 << bits) - 1)


def bits_of(type_name):
    return int(re.search(r"\d+$", type_name).group())


def signed(value, bits):
    """As int64, from the low bits."""
    shift = np.int64(64 - bits)
    return np.asarray(value, U64).astype(np.int64) << shift >> shift


def narrow(value, type_name):
    """The low bits, extended to 64 as the type says."""
    bits = bits_of(type_name)
    if type_name[0] == "s":
        return signed(value, bits).astype(U64)
    return np.asarray(value, U64) & mask_of(bits)


def high_product(a, b):
    """The upper 64 of the 128 bits of a * b, from products of halves."""
    low, half = U64(0xffffffff), U64(32)
    a0, a1, b0, b1 = a & low, a >> half, b & low, b >> half
    middle = a1 * b0 + (a0 * b0 >> half)
    other = a0 * b1 + (middle & low)
    return a1 * b1 + (middle >> half) + (other >> half)


# ---- the text ----

def words_in(list_of_them):
    """{a, b}"""
    return [word.strip() for word in list_of_them.strip("{}").split(",")]


class Instruction:
    """A line of the kernel, cut into words."""

    def __init__(self, text):
        self.text = text
        guard = re.match(r"@(!?)(%\w+)\s+(.*)", text)
        self.negated, self.guard = (guard.group(1) == "!", guard.group(2)) if guard else (0, None)
        words = (guard.group(3) if guard else text).split(None, 1)
        self.parts = words[0].split(".")
        self.base, self.type = self.parts[0], self.parts[-1]
        rest = words[1] if len(words) > 1 else ""
        self.operands = [word.strip() for word in re.findall(r"\{[^}]*\}|[^,{}]+", rest)
                         if word.strip()]
        self.space = next((part for part in self.parts
                           if part in ("param", "global", "shared", "local")), None)
        self.is_access = self.base in ("ld", "st")
        if self.is_access and self.space is None:
            raise Unknown(f"an access to memory of no known kind: {text}")
        self.width = 0
        if self.is_access:
            self.address = next(word for word in self.operands if word[0] == "[")
            other = next(word for word in self.operands if word[0] != "[")
            self.values = words_in(other)
            self.width = len(self.values) * bits_of(self.type) // 8


class Kernel:
    """The entry of that name: parameters, arrays, instructions and where labels lead."""

    def __init__(self, text, name):
        text = re.sub(r"//[^\n]*", "", text)
        found = re.search(rf"\.entry\s+{name}\s*\((.*?)\)(.*?)\{{(.*?)\n\}}", text, re.S)
        if found is None:
            raise Unknown(f"there is no kernel {name}")
        self.parameters, self.parameter_bytes = {}, 0
        for word in found.group(1).split(","):
            self.add_parameter(word)
        self.arrays = {}
        self.local_bytes = self.add_arrays("local", found.group(3))
        self.shared_bytes = self.add_arrays("shared", text)
        self.code, self.labels = [], {}
        for statement in found.group(3).split(";"):
            self.add_statement(" ".join(statement.split()))
        self.leaders = set(self.labels.values())
        self.leaders |= {i + 1 for i, each in enumerate(self.code) if each.base in ("bra", "ret")}
        self.is_barrier = np.array([each.base in ("bar", "barrier") for each in self.code] + [False])
        self.leaders |= set(np.flatnonzero(self.is_barrier).tolist())

    def add_parameter(self, word):
        array = re.search(r"\.align (\d+) \.b8 (\w+)\[(\d+)\]", word)
        if array:
            align, name, size = int(array.group(1)), array.group(2), int(array.group(3))
        else:
            align = size = bits_of(re.search(r"\.[bu]\d+", word).group()) // 8
            name = word.split()[-1]
        at = -(-self.parameter_bytes // align) * align
        self.parameters[name] = at, size
        self.parameter_bytes = at + size

    def add_arrays(self, space, text):
        end = 0
        for name, size in re.findall(rf"\.{space}\s+\.align\s+\d+\s+\.b8\s+(\S+)\[(\d+)\]", text):
            self.arrays[name] = end
            end += -(-int(size) // 16) * 16
        return end

    def add_statement(self, text):
        while label := re.match(r"(\$\w+): ?", text):
            self.labels[label.group(1)] = len(self.code)
            text = text[label.end():]
        if text and not text.startswith("."):
            self.code.append(Instruction(text))


# ---- what instructions do ----

def shift_left(a, by, bits):
    by &= mask_of(32)
    return np.where(by >= bits, U64(0), a << np.minimum(by, U64(63)))


def shift_right(a, by, bits, is_signed):
    by &= mask_of(32)
    if is_signed:
        return (signed(a, bits) >> np.minimum(by, U64(bits - 1)).astype(np.int64)).astype(U64)
    return np.where(by >= bits, U64(0), (a & mask_of(bits)) >> np.minimum(by, U64(63)))


def count_ones(a):
    total = np.zeros(np.shape(a), U64)
    for bit in range(64):
        total += a >> U64(bit) & U64(1)
    return total


def multiply(parts, bits, a, b):
    if "wide" in parts or "lo" in parts or bits == 32:
        product = a * b
        if "hi" not in parts:
            return product
        return signed(product, 64).astype(U64) >> U64(32)
    if parts[-1][0] == "s":
        raise Unknown("the upper half of a signed product")
    return high_product(a, b)


def extract(a, at, length, is_signed):
    field = a >> at & ((U64(1) << length) - U64(1))
    if not is_signed:
        return field
    return (field.astype(np.int64) << (64 - length.astype(np.int64))
            >> (64 - length.astype(np.int64))).astype(U64)


def funnel(low, high, by, is_left):
    both = (high & mask_of(32)) << U64(32) | low & mask_of(32)
    by = by & U64(31)
    return both << by >> U64(32) if is_left else both >> by


def insert(field, into, at, length):
    mask = ((U64(1) << length) - U64(1)) << at
    return into & ~mask | field << at & mask


def pick_bytes(low, high, order):
    """Each nibble of `order` names one of the eight bytes. The high bit, which would spread the
    sign of the byte, is not used."""
    both = (high & mask_of(32)) << U64(32) | low & mask_of(32)
    picks = [(both >> ((order >> U64(4 * k) & U64(7)) << U64(3)) & mask_of(8)) << U64(8 * k)
             for k in range(4)]
    return picks[0] | picks[1] | picks[2] | picks[3]


def pack(values, bits):
    """The first in the low bits."""
    each = bits // len(values)
    total = U64(0)
    for k, value in enumerate(values):
        total = total | (value & mask_of(each)) << U64(k * each)
    return total


def arithmetic(parts, a):
    """The value of an integer instruction with extended operands."""
    base, bits, is_signed = parts[0], bits_of(parts[-1]), parts[-1][0] == "s"
    simple = {"add": lambda: a[0] + a[1], "sub": lambda: a[0] - a[1],
              "and": lambda: a[0] & a[1], "or": lambda: a[0] | a[1], "xor": lambda: a[0] ^ a[1],
              "not": lambda: ~a[0], "neg": lambda: U64(0) - a[0], "mov": lambda: a[0],
              "mul": lambda: multiply(parts, bits, a[0], a[1]),
              "mad": lambda: multiply(parts, bits, a[0], a[1]) + a[2],
              "shl": lambda: shift_left(a[0], a[1], bits),
              "shr": lambda: shift_right(a[0], a[1], bits, is_signed),
              "popc": lambda: count_ones(a[0]),
              "bfi": lambda: insert(*a), "prmt": lambda: pick_bytes(*a),
              "bfe": lambda: extract(a[0], a[1], a[2], is_signed),
              "shf": lambda: funnel(a[0], a[1], a[2], "l" in parts)}
    if base in simple:
        return simple[base]()
    if base in ("min", "max"):
        x, y = (each.astype(np.int64) if is_signed else each for each in a)
        return (np.minimum if base == "min" else np.maximum)(x, y).astype(U64)
    if base in ("div", "rem") and not is_signed:
        return a[0] // a[1] if base == "div" else a[0] % a[1]
    raise Unknown(".".join(parts))


COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal,
           "gt": np.greater, "ge": np.greater_equal}
LOGIC = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}
