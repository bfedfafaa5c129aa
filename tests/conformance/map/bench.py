"""A device and arrays on the device, for scripts that compare maps with a peer's results for the
same array.

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parents[1] / "chains"))
import clreshape as lib  # noqa: E402
import device as opencl  # noqa: E402

TYPES = {np.dtype(np.uint8): "U8", np.dtype(np.int8): "I8", np.dtype(np.uint16): "U16",
         np.dtype(np.int16): "I16", np.dtype(np.float16): "F16",
         np.dtype(np.float32): "F32"}
generator = np.random.default_rng(20)


class Bench:
    """A device, and functions that copy arrays to the device and back."""

    def __init__(self):
        self.device = opencl.Device()
        self.library = lib.Library(self.device)

    def tensor(self, array):
        """The array as stored in memory, and the object that keeps the memory alive."""
        root = array if array.base is None else array.base
        offset = (array.__array_interface__["data"][0] - root.__array_interface__["data"][0])
        buffer = self.device.buffer(np.ascontiguousarray(root).reshape(-1).view(np.uint8))
        layout = lib.layout_of(TYPES[array.dtype], array.shape,
                               [stride // array.itemsize for stride in array.strides])
        return self.library.wrap(buffer.handle, offset, layout), buffer

    def result(self, dtype, dims):
        poison = np.full(int(np.prod(dims)) * np.dtype(dtype).itemsize, 0xA5, np.uint8)
        buffer = self.device.buffer(poison)
        return self.library.wrap(buffer.handle, 0, lib.layout_of(TYPES[np.dtype(dtype)], dims)), buffer

    def mapped(self, array, chain, dtype, dims):
        source, kept = self.tensor(array)
        to, buffer = self.result(dtype, dims)
        self.device.finish(self.library.move(source.with_chain(chain), to))
        del kept
        return buffer.read().view(dtype).reshape(dims)

    def stacked(self, arrays, begins, border, chain, dims):
        tensors = [self.tensor(array) for array in arrays]
        behind = self.tensor(border)
        to, buffer = self.result(np.float32, dims)
        event = self.library.stack([tensor.with_chain(chain) for tensor, _ in tensors], begins,
                                   behind[0].with_chain(chain), to)
        self.device.finish(event)
        return buffer.read().view(np.float32).reshape(dims)


def sizes_of_all_pairs(most=48):
    """Rows and columns, before and after. Every pair of sizes up to `most` occurs along the rows and
    along the columns: first the same pair along both, and then another pair along the columns."""
    pairs = np.array([(of, to) for of in range(1, most + 1) for to in range(1, most + 1)])
    for columns in (pairs, generator.permutation(pairs)):
        yield from np.stack([pairs, columns], -1).reshape(-1, 4).tolist()


def numbers(values):
    return ",".join(repr(float(value)) for value in values)


def require_equal(got, expected, what):
    expected = np.ascontiguousarray(expected)
    if got.tobytes() != expected.tobytes():
        wrong = np.argwhere(got != expected)
        raise SystemExit(f"{what}: {len(wrong)} of {got.size} differ, the first at {wrong[:1]}: "
                         f"{got[tuple(wrong[0])]!r}, expected {expected[tuple(wrong[0])]!r}")
