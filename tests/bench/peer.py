# Shared by the peers written in Python: reading cases, buffers in rotation, timing, and the
# comparison of every element with an answer from plain index arithmetic.
#
# A peer takes a case file, or - to read cases from standard input as cases arrive. The peer prints
# a row for each case, with the columns of `clreshape bench --tsv`. copy_gbps and fraction are nan,
# for compare.py to fill in. A case that a peer cannot do has the outcome `unsupported`.
#
# SPDX-License-Identifier: Apache-2.0
import dataclasses
import os
import statistics
import sys
import time

import numpy as np

THREADS = int(os.environ.get("PEER_THREADS", "2"))
LEAST_REPETITIONS, MOST_SETS = 7, 51
ROTATION = int(os.environ.get("PEER_ROTATION_BYTES", str(600 << 20)))
WIDTHS = {"f32": 32, "i32": 32, "u32": 32, "f16": 16, "bf16": 16, "i16": 16, "u16": 16, "u8": 8,
          "i8": 8, "f64": 64, "i64": 64, "u64": 64, "c64": 64}
UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
CHUNK = 1 << 22  # elements of an answer that are computed at a time


class Unsupported(Exception):
    pass


@dataclasses.dataclass
class Case:
    id: str
    dtype: str
    shape: list
    strides: list  # of the source, elements
    offset: int
    chain: list    # permutation, dims, permutation, ...; dims as pairs: of 8, the first 3 are kept
    is_batch: bool  # each index of the first dim is a move of its own
    result_dims: list
    result_strides: list
    result_offset: int

    @property
    def is_dense(self):
        return (self.strides == dense(self.shape) and self.offset == 0 and
                self.result_strides == dense(self.result_dims) and self.result_offset == 0)

    @property
    def keeps_all(self):
        return all(dim == kept for dims in self.chain[1::2] for dim, kept in dims)


def dense(dims):
    strides, stride = [], 1
    for dim in reversed(dims):
        strides.append(stride)
        stride *= dim
    return strides[::-1]


def parse_strides(text, dims):
    if text == "C":
        return dense(dims), 0
    text, _, offset = text.partition("@")
    strides = [int(value) for value in text.split(",")]
    lowest = sum(min(0, (dim - 1) * stride) for dim, stride in zip(dims, strides))
    return strides, int(offset) if offset else -lowest


def parse_dims(text):
    """"8x4:3" as [(8, 8), (4, 3)]."""
    pairs = [dim.partition(":") for dim in text.split("x")]
    return [(int(dim), int(kept or dim)) for dim, _, kept in pairs]


def parse(line):
    """A case, or None for a line without a case."""
    fields = line.rstrip("\r\n").split("\t")
    if line.strip() == "" or line.startswith("#") or fields[0] == "id":
        return None
    name, _, dtype, shape, strides, perm, result_strides = fields[:7]
    is_batch = "*" in shape
    shape = [int(dim) for dim in shape.replace("*", "x").split("x")]
    strides, offset = parse_strides(strides, shape)
    chain = [parse_dims(part) if place % 2 == 1 else [int(axis) for axis in part.split(",")]
             for place, part in enumerate(perm.split("/"))]
    dims = [kept for _, kept in chain[-2]] if len(chain) > 1 else shape
    result_dims = [dims[axis] for axis in chain[-1]]
    result_strides, result_offset = parse_strides(result_strides, result_dims)
    return Case(name, dtype, shape, strides, offset, chain, is_batch, result_dims, result_strides,
                result_offset)


def extent(dims, strides, offset):
    """Number of elements up to the highest touched element."""
    return offset + 1 + sum(max(0, (dim - 1) * stride) for dim, stride in zip(dims, strides))


def positions(case, index):
    """The source positions of the results with these numbers, counted row-major."""
    dims, levels = case.shape, []
    strides, offset = case.strides, case.offset
    for place, part in enumerate(case.chain):
        if place % 2 == 1:
            dims, strides, offset = [kept for _, kept in part], dense([dim for dim, _ in part]), 0
            continue
        levels.append(([dims[axis] for axis in part], [strides[axis] for axis in part], offset))
    for dims, strides, offset in reversed(levels):
        at = np.full(index.shape, offset, np.int64)
        for dim, stride in zip(reversed(dims), reversed(strides)):
            at += index % dim * stride
            index = index // dim
        index = at
    return index


def moves_of(case, source, destination, permute):
    """Pairs (view, destination) of arrays or tensors that a peer copies: the pairs of a batch, or a
    single pair."""
    view = source
    for place, part in enumerate(case.chain):
        if place % 2 == 0:
            view = permute(view, part)
        else:
            view = view.reshape([dim for dim, _ in part])[tuple(slice(kept) for _, kept in part)]
    return list(zip(view, destination)) if case.is_batch else [(view, destination)]


def answer(case, source):
    count = int(np.prod(case.result_dims, dtype=np.int64))
    result = np.empty(count, source.dtype)
    for begin in range(0, count, CHUNK):
        index = np.arange(begin, min(begin + CHUNK, count), dtype=np.int64)
        result[begin:begin + len(index)] = source[positions(case, index)]
    return result.reshape(case.result_dims)


def strided(flat, dims, strides, offset):
    steps = [stride * flat.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(flat[offset:], dims, steps)


class Buffers:
    """The source and destination arrays of a case, as unsigned integers."""

    def __init__(self, case):
        if case.dtype not in WIDTHS:
            raise Unsupported(f"no element type {case.dtype}")
        self.case, unsigned = case, UNSIGNED[WIDTHS[case.dtype]]
        source = np.frombuffer(np.random.default_rng(1).bytes(
            extent(case.shape, case.strides, case.offset) * unsigned().itemsize), unsigned)
        size = extent(case.result_dims, case.result_strides, case.result_offset)
        bytes_of_set = (len(source) + size) * source.itemsize
        count = max(1, min(MOST_SETS, -(-ROTATION // bytes_of_set)))
        self.sources = [source.copy() for _ in range(count)]
        self.destinations = [np.full(size, 0xa5, unsigned) for _ in range(count)]
        self.expected = answer(case, source)

    def source(self, i):
        return strided(self.sources[i], self.case.shape, self.case.strides, self.case.offset)

    def destination(self, i):
        return strided(self.destinations[i], self.case.result_dims, self.case.result_strides,
                       self.case.result_offset)

    def is_right(self, i):
        return np.array_equal(self.destination(i), self.expected)


def measure(case, prepare):
    """`prepare(case, buffers)` gives a list of functions, a function for each set of buffers, and
    the seconds of planning. A function moves the source of the set to the destination."""
    buffers = Buffers(case)
    functions, plan = prepare(case, buffers)
    functions[0]()
    count = len(functions)
    seconds, right = [], True
    while len(seconds) < max(LEAST_REPETITIONS, count):
        for destination in buffers.destinations:
            destination.fill(0xa5)
        for function in functions:
            begin = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - begin)
        right = right and all(buffers.is_right(i) for i in range(count))
    return seconds, plan, right, 2 * buffers.expected.nbytes


def print_row(name, case, prepare):
    try:
        seconds, plan, right, moved = measure(case, prepare)
    except (Unsupported, MemoryError) as reason:
        print(f"# {case.id}: {name}: {reason}", file=sys.stderr)
        row = [case.id, name, "unsupported", 0, 0] + ["nan"] * 5 + [0, "no"]
    else:
        median = statistics.median(seconds)
        row = [case.id, name, "copy", 1, moved, f"{median * 1e3:.6f}",
               f"{min(seconds) * 1e3:.6f}", f"{moved / median * 1e-9:.6g}", "nan", "nan",
               round(plan * 1e9), "yes" if right else "no"]
    print(*row, sep="\t", flush=True)


def main(name, prepare):
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} CASES.tsv|-")
    with (sys.stdin if sys.argv[1] == "-" else open(sys.argv[1], encoding="utf-8")) as lines:
        for line in iter(lines.readline, ""):
            case = parse(line)
            if case is not None:
                print_row(name, case, prepare)
