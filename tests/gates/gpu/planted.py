"""Kernels with figures that can be counted by hand. traffic.py first proves itself on these
kernels.

SPDX-License-Identifier: Apache-2.0
"""

import math
import os
import sys
import types

import numpy as np

import compiled
from floats import compare_floats, compute_floats
from ptx import DESTINATION, SOURCE, Instruction, Kernel, Unknown
from traffic import COLUMNS, complaints, figures
from warps import Launch

HEAD = "kernel void planted(global const uint *from, global uint *to) { size_t i = get_global_id(0);"
COUNT, ITEMS = 1024, 256

# Name: the kernel, and the figures that must be counted: read, write, banks.
KERNELS = {
    # 32 words of 4 bytes are 4 sectors.
    "copy": ("to[i] = from[i];", (1, 1, 0)),
    # The words lie in 5 sectors if the words begin one word late.
    "late": ("to[i] = from[i + 1];", (1.25, 1, 0)),
    # A sector for each word.
    "far": ("to[i * 8] = from[i * 8];", (8, 8, 0)),
    # All work-items read the same word: one sector for 128 wanted bytes.
    "same": ("to[i] = from[0];", (0.25, 1, 0)),
    # Half of the warp turns off: 2 sectors, of 16 words.
    "half": ("if (i % 32 < 16) to[i] = from[i];", (1, 1, 0)),
    # Both ways of a branch run, first one way and then the other.
    "both": ("if (i % 2) to[i] = from[i]; else to[i + 4096] = from[i] * i;", (None, 2, 0)),
    # 32 words of the same bank take 32 turns to store, and 1 turn to read in the other direction.
    "column": ("local uint t[256 * 4]; size_t k = i % 32; t[k * 32 + i / 32 % 8] = from[i];"
               "barrier(CLK_LOCAL_MEM_FENCE); to[i] = t[i % 256];", (1, 1, 16.5)),
    # A spare word per row: no two words conflict.
    "spare": ("local uint t[33 * 32]; size_t k = i % 32; t[k * 33 + i / 32 % 8] = from[i];"
              "barrier(CLK_LOCAL_MEM_FENCE); to[i] = t[i % 256];", (1, 1, 1)),
    # Vectors of 16 bytes go by 8 work-items.
    "vector": ("local uint4 t[256]; t[i % 256] = ((global const uint4 *)from)[i];"
               "barrier(CLK_LOCAL_MEM_FENCE); ((global uint4 *)to)[i] = t[i % 256];", (1, 1, 1)),
}


def run(folder, body):
    """Figures of a kernel, the words that the kernel read, and the words that the kernel wrote."""
    base = os.path.join(folder, "planted")
    with open(base + ".cl", "w", encoding="utf-8") as file:
        file.write(HEAD + body + "}\n")
    with open(base + ".options", "w", encoding="utf-8") as file:
        file.write("-cl-std=CL1.2\n")
    compiled.compile_program(base, "nvptx")
    with open(base + ".nvptx", encoding="utf-8") as file:
        kernel = Kernel(file.read(), "planted")
    source = np.arange(9 * COUNT, dtype="<u4").view(np.uint8).copy()
    destination = np.zeros(9 * COUNT * 4, np.uint8)
    arguments = SOURCE.to_bytes(8, "little") + DESTINATION.to_bytes(8, "little")
    launch = Launch(kernel, ITEMS, (COUNT // ITEMS, 1), arguments,
                    {SOURCE: source, DESTINATION: destination}).run()
    launch.totals["executed"] = int(launch.executed.sum())
    return figures(launch.totals, COUNT * 4), destination.view("<u4")


def prove_counts(folder):
    """Figures that can be counted by hand must match."""
    instructions = {}
    for name, (body, expected) in KERNELS.items():
        counted, written = run(folder, body)
        instructions[name] = counted["instructions"]
        for column, value in zip(COLUMNS, expected):
            if value is not None and abs(counted[column] - value) > 1e-9:
                sys.exit(f"planted {name}: {column} must be {value}, but {counted[column]} was counted")
        if name in ("copy", "vector") and not (written[:COUNT] == np.arange(COUNT)).all():
            sys.exit(f"planted {name} does not copy")
    if not instructions["both"] > instructions["copy"] < instructions["column"]:
        sys.exit(f"instructions are miscounted: {instructions}")


def prove_windows(folder):
    """Two groups of a launch, without bytes, must read and write at the places of the same two
    groups."""
    base = os.path.join(folder, "planted")
    with open(base + ".cl", "w", encoding="utf-8") as file:
        file.write(HEAD + KERNELS["copy"][0] + "}\n")
    compiled.compile_program(base, "nvptx")
    with open(base + ".nvptx", encoding="utf-8") as file:
        kernel = Kernel(file.read(), "planted")
    arguments = SOURCE.to_bytes(8, "little") + DESTINATION.to_bytes(8, "little")
    read = []
    launch = Launch(kernel, ITEMS, (COUNT // ITEMS, 1), arguments,
                    lambda at: read.append(at) or np.zeros(at.shape), (1, 2)).run()
    written = np.concatenate([at for _, at, _ in launch.touched["st"]])
    for buffer, at in (DESTINATION, written), (SOURCE, np.concatenate(read)[:, 0]):
        if at.tolist() != [buffer + 4 * i for i in range(ITEMS, 3 * ITEMS)]:
            sys.exit("a window reads or writes elsewhere than its groups")


# Meanings of instructions, in Python's integers. An operand is as wide as the type.
MEANINGS = {
    "mul.hi.u64": lambda a, b: a * b >> 64, "mul.hi.u32": lambda a, b: a * b >> 32,
    "mul.lo.s64": lambda a, b: a * b, "mul.wide.u32": lambda a, b: a * b,
    "mul.wide.s32": lambda a, b: signed(a, 32) * signed(b, 32),
    "mul.hi.s32": lambda a, b: signed(a, 32) * signed(b, 32) >> 32,
    "shr.u32": lambda a, b: a >> b % 40, "shr.s32": lambda a, b: signed(a, 32) >> b % 40,
    "shl.b64": lambda a, b: a << b % 70, "shr.s64": lambda a, b: signed(a, 64) >> b % 70,
    "min.s32": lambda a, b: min(signed(a, 32), signed(b, 32)), "max.u64": max,
    "sub.s16": lambda a, b: a - b, "popc.b64": lambda a, b: bin(a).count("1"),
    "rem.u32": lambda a, b: a % b,
    "bfe.u32": lambda a, b: a >> b % 20 & 0x1f, "bfe.s32": lambda a, b: signed(a >> b % 20, 5),
    "bfi.b32": lambda a, b: b & ~(0x1f << 7) | (a & 0x1f) << 7,
    "prmt.b32": lambda a, b: int.from_bytes(
        [(a | b << 32) >> 8 * k & 255 for k in (1, 7, 0, 4)], "little"),
    "shf.l.wrap.b32": lambda a, b: (a | b << 32) << 9 >> 32,
}
OTHERS = {"bfi.b32": [7, 5], "prmt.b32": [0x4071], "shf.l.wrap.b32": [9]}


def signed(value, bits):
    value %= 1 << bits
    return value - (value >> bits - 1 << bits)


def prove_arithmetic():
    """Each instruction in a machine of 32 work-items, on numbers with carries."""
    rng = np.random.default_rng(2)
    for name, meaning in MEANINGS.items():
        base, bits = name.split(".")[0], int(name[-2:])
        a, b = (rng.integers(0, 1 << 64, 32, np.uint64, False) >> np.uint64(64 - bits)
                for _ in range(2))
        machine = Launch(Kernel(".entry k(.param .u32 p)\n{ ret;\n}", "k"), 32, (1, 1), b"", {})
        by = b % np.uint64({"shl": 70, "shr": 70 if bits == 64 else 40, "bfe": 20}.get(base, 2**63))
        machine.registers = {"%a": a, "%b": b if base not in ("shl", "shr", "bfe") else by}
        more = [5] if base == "bfe" else OTHERS.get(name, [])
        words = ["%r", "%a", "%b", *map(str, more)]
        machine.compute(Instruction(f"{name} {', '.join(words)}"), np.ones(32, bool))
        width = 2 * bits if "wide" in name else bits
        expected = [meaning(int(x), int(y)) % (1 << width) for x, y in zip(a, b)]
        if machine.registers["%r"].tolist() != expected:
            sys.exit(f"{name} does not compute what it should")


# Zeros, denormals, neighbours of 1, numbers that overflow or lose bits, infinity, NaN.
FLOATS = [0.0, -0.0, 1e-45, -1e-39, 1.0, 1 + 2**-23, -3.0, 1 / 3, 300.7, 16777217.0, 3e38, -2e38,
          math.inf, -math.inf, math.nan]


@np.errstate(all="ignore")
def prove_floats():
    """Each operation of two floats must give the same as doubles that are rounded afterwards. An
    instruction without .rn must be refused."""
    a, b = (np.array(FLOATS, np.float32)[each.reshape(-1)].astype(float)
            for each in np.indices((len(FLOATS), len(FLOATS))))
    bits = [each.astype(np.float32).view(np.uint32).astype(np.uint64) for each in (a, b)]
    expected = {"add": a + b, "sub": a - b, "mul": a * b, "div": a / b}
    for base, numbers in expected.items():
        rounded = numbers.astype(np.float32)
        words = np.where(np.isnan(rounded), 0x7fffffff, rounded.view(np.uint32))
        if (compute_floats([base, "rn", "f32"], bits) != words).any():
            sys.exit(f"{base}.rn.f32 does not compute what it should")
        try:
            compute_floats([base, "f32"], bits)
        except Unknown:
            continue
        sys.exit(f"{base}.f32 is not refused")
    for name, holds in {"lt": a < b, "eq": a == b, "ne": (a < b) | (a > b), "neu": a != b,
                        "ltu": ~(a >= b), "geu": ~(a < b), "num": (a == a) & (b == b)}.items():
        if (compare_floats(name, *bits) != holds).any():
            sys.exit(f"setp.{name}.f32 does not compare as it should")
    codes = np.arange(1 << 16, dtype=np.uint64)
    halves = codes.astype(np.uint16).view(np.float16).astype(float)
    words = np.where(np.isnan(a), 0x7fff, a.astype(np.float16).view(np.uint16))
    if (compute_floats(["cvt", "rn", "f16", "f32"], bits[:1]) != words).any():
        sys.exit("cvt.rn.f16.f32 does not convert as it should")
    words = np.where(np.isnan(halves), 0x7fffffff, halves.astype(np.float32).view(np.uint32))
    if (compute_floats(["cvt", "f32", "f16"], [codes]) != words).any():
        sys.exit("cvt.f32.f16 does not convert as it should")
    whole = [0, 1, 2049, (1 << 24) + 1, (1 << 31) + 128, (1 << 32) - 1]
    for name, less in (("u32", 0), ("s32", 1 << 32)):
        numbers = [n - less if n >> 31 else n for n in whole]
        words = np.array(numbers, float).astype(np.float32).view(np.uint32)
        if (compute_floats(["cvt", "rn", "f32", name], [np.array(whole, np.uint64)]) != words).any():
            sys.exit(f"cvt.rn.f32.{name} does not convert as it should")
        words = np.array(numbers, float).astype(np.float16).view(np.uint16)
        if (compute_floats(["cvt", "rn", "f16", name], [np.array(whole, np.uint64)]) != words).any():
            sys.exit(f"cvt.rn.f16.{name} does not convert as it should")


def prove_faults(folder):
    """An operation that a machine would refuse must end a run."""
    for body in ("to[i + 16000] = from[i];",
                 "((global uint4 *)(to + 1))[i] = ((global const uint4 *)from)[i];"):
        try:
            run(folder, body)
        except Unknown:
            continue
        sys.exit(f"a bad kernel ran: {body}")


def prove_limits():
    """A figure over the limit or far below the limit, another class and a wrong result are
    reported."""
    limits = {"a": ("rows 8", dict(zip(COLUMNS, (1.0, 1.0, 0.0, 100.0))))}

    def told(label="rows 8", is_right=True, name="a", **changes):
        values = {**limits["a"][1], **changes}
        fake = types.SimpleNamespace(name=name, label=label, is_right=is_right, figures=values)
        return len(list(complaints(fake, limits)))
    assert told() == 0
    assert told(read=1.1) == told(write=1.1) == told(banks=0.1) == told(instructions=101) == 1
    assert told(read=0.7) == told(instructions=70) == 1
    assert told(label="tile 8") == told(is_right=False) == told(name="b") == 1


def prove(folder):
    os.makedirs(folder, exist_ok=True)
    prove_arithmetic()
    prove_floats()
    prove_counts(folder)
    prove_windows(folder)
    prove_faults(folder)
    prove_limits()
