"""One chain on the device: planned, carried out, every byte compared with NumPy, and what the
library asked of OpenCL compared with what it promises.

SPDX-License-Identifier: Apache-2.0
"""

from collections import namedtuple

import numpy as np

import clreshape
import draw
import elements
import operations

Source = namedtuple("Source", "dtype dims strides offset base content")
Outcome = namedtuple("Outcome", "outcome launches depth could_alias")

MOST_PIECES = 4  # rectangles of one affine plan


def require(condition, text):
    if not condition:
        raise AssertionError(text)


def dense_strides(dims):
    strides, step = [], 1
    for extent in reversed(dims):
        strides.insert(0, step)
        step *= extent
    return strides


def strides_of_positions(array):
    """The strides that give exactly these positions, found by trying; None if there are none."""
    if array.size == 0:
        return [0] * array.ndim
    first = array[(0,) * array.ndim]
    strides = [0] * array.ndim
    for axis in range(array.ndim):
        if array.shape[axis] > 1:
            index = [0] * array.ndim
            index[axis] = 1
            strides[axis] = int(array[tuple(index)] - first)
    same = draw.positions(array.shape, strides, first)
    return strides if np.array_equal(same, array) else None


def layout_positions(layout):
    return draw.positions(layout.dims[:layout.rank], layout.strides[:layout.rank], layout.offset)


def lowest_at_zero(positions):
    return -int(positions.min()) if positions.size else 0


def make_source(random_bytes, dtype, dims, strides=None, base=0, floor=0):
    """A layout over a buffer of just its size, `floor` elements from `base`."""
    strides = dense_strides(dims) if strides is None else strides
    offset = floor + lowest_at_zero(draw.positions(dims, strides, 0))
    places = draw.positions(dims, strides, offset)
    size = elements.bytes_for(dtype, base, int(places.max()) if places.size else 0)
    return Source(dtype, dims, strides, offset, base, random_bytes(size))


def check_counts(counts, plan, launches, results):
    require(counts.launches == launches, f"{counts.launches} launches; the plan says {launches}")
    require(counts.transfers == 0, f"{counts.transfers} transfers beside the launches")
    require(counts.buffers == results, f"{counts.buffers} buffers were made for {results} results")
    require(launches <= 1 or (plan["outcome"] == "affine" and launches <= MOST_PIECES),
            f"{launches} launches of a plan that is {plan['outcome']}")


class Runner:
    """Carries out chains on one device."""

    def __init__(self, device):
        self.device = device
        self.library = clreshape.Library(device)

    def close(self):
        self.library.close()

    def apply(self, source, chain):
        """The chain on a view of the source, and on the positions of its elements."""
        layout = clreshape.layout_of(source.dtype, source.dims, source.strides, source.offset)
        buffer = self.device.buffer(source.content)
        tensor = self.library.wrap(buffer.handle, source.base, layout)
        places = draw.positions(source.dims, source.strides, source.offset)
        view = tensor.view
        for name, arguments in chain:
            operations.LIBRARY[name](view, *arguments)
            places = operations.NUMPY[name](places, *arguments)
            require(view.dims == places.shape,
                    f"after {name} the shape is {view.dims}; NumPy says {places.shape}")
        return buffer, tensor.with_view(view), places

    def materialize(self, source, chain, policy=clreshape.COPY_IF_NEEDED):
        """A result of the library's own making: the same bytes, or a dense copy."""
        buffer, tensor, places = self.apply(source, chain)
        could_alias = strides_of_positions(places) is not None
        plan = self.library.plan(tensor, None, policy)
        clreshape.counts_reset()
        result, event = self.library.materialize(tensor, policy)
        counts = clreshape.counts_read()
        self.device.finish(event)
        launches = plan["launches"]
        check_counts(counts, plan, launches, 1 if launches else 0)
        layout = clreshape.layout_of_view(result.view)
        require(layout is not None, "the result is not one layout")
        require(tuple(layout.dims[:layout.rank]) == places.shape, "the result has another shape")
        if places.size and launches == 0:
            require(policy != clreshape.COPY_ALWAYS, "no copy, although one was requested")
            self._check_alias(source, buffer, result, layout, places)
        elif places.size:
            require(policy == clreshape.COPY_ALWAYS or plan["outcome"] != "alias", "outcome")
            self._check_copy(source, result, layout, places)
        require(np.array_equal(buffer.read(), source.content), "the source was written")
        return Outcome(plan["outcome"], launches, tensor.view.depth, could_alias)

    @staticmethod
    def _check_alias(source, buffer, result, layout, places):
        storage = result.storage
        require(storage.buffer == buffer.handle, "an alias in another buffer")
        require(storage.byte_offset == source.base, "an alias from another start")
        require(np.array_equal(layout_positions(layout), places), "a false alias")

    def _check_copy(self, source, result, layout, places):
        storage = result.storage
        require(list(layout.strides[:layout.rank]) == dense_strides(places.shape) and
                layout.offset == 0 and storage.byte_offset == 0, "the copy is not dense")
        size = self.device.size_of(storage.buffer)
        wanted = elements.bytes_for(source.dtype, 0, places.size - 1)
        require(wanted <= size < wanted + 16, f"a result of {wanted} bytes got {size}")
        got = self.device.read(storage.buffer, wanted)
        last = np.zeros(wanted, np.uint8)  # bits behind the last packed element do not matter
        width = clreshape.dtype_bits(source.dtype)
        expected = elements.moved(source.dtype, source.content, source.base, places, last, 0,
                                  np.arange(places.size))
        if places.size * width % 8:
            got = elements.moved(source.dtype, got, 0, np.arange(places.size), last, 0,
                                 np.arange(places.size))
        self._compare(got, expected)

    def move(self, source, chain, target):
        """Into a layout of the caller's. target(shape) gives its strides, floor, base and the
        bytes that it is to be surrounded by."""
        _buffer, tensor, places = self.apply(source, chain)
        strides, floor, base, surround = target(places.shape)
        offset = floor + lowest_at_zero(draw.positions(places.shape, strides, 0))
        targets = draw.positions(places.shape, strides, offset)
        before = surround(elements.bytes_for(
            source.dtype, base, int(targets.max()) if targets.size else 0))
        into = self.device.buffer(before)
        layout = clreshape.layout_of(source.dtype, places.shape, strides, offset)
        destination = self.library.wrap(into.handle, base, layout)
        plan = self.library.plan(tensor, destination, clreshape.COPY_ALWAYS)
        clreshape.counts_reset()
        event = self.library.move(tensor, destination)
        counts = clreshape.counts_read()
        self.device.finish(event)
        check_counts(counts, plan, plan["launches"], 0)
        require(bool(places.size) == (plan["launches"] > 0), "launches without elements, or none")
        self._compare(into.read(), elements.moved(source.dtype, source.content, source.base,
                                                  places, before, base, targets))
        return Outcome(plan["outcome"], plan["launches"], tensor.view.depth, False)

    @staticmethod
    def _compare(got, expected):
        wrong = np.flatnonzero(got != expected)
        require(not wrong.size, f"{wrong.size} of {got.size} bytes are wrong, the first at "
                f"{wrong[0] if wrong.size else 0}")

    def compare_values(self, source, chain, expected):
        """The chain's values against an array made in another way; returns the outcome."""
        require(source.offset == 0 and source.base == 0, "a dense source was expected")
        whole = source.content.view(expected.dtype).reshape(source.dims)
        moved = operations.apply_numpy(chain, whole)
        require(moved.shape == expected.shape and np.array_equal(moved, expected),
                "the chain is not what it is meant to be")
        return self.materialize(source, chain)

