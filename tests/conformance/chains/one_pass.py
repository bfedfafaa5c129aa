"""A chain on the device: planned, carried out, with every byte compared with NumPy, and with the
OpenCL calls compared with the library's promises.

SPDX-License-Identifier: Apache-2.0
"""

from collections import namedtuple

import numpy as np

import clreshape
import elements
import operations
import placement

Source = namedtuple("Source", "dtype placement base content")
Outcome = namedtuple("Outcome", "outcome launches depth could_alias")

MOST_PIECES = 8  # rectangles of one affine plan


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
    """The strides that give exactly these positions, found by trial, or None."""
    if array.size == 0:
        return [0] * array.ndim
    first = array[(0,) * array.ndim]
    strides = [0] * array.ndim
    for axis in range(array.ndim):
        if array.shape[axis] > 1:
            index = [0] * array.ndim
            index[axis] = 1
            strides[axis] = int(array[tuple(index)] - first)
    same = placement.strided(array.shape, strides, first)
    return strides if np.array_equal(same, array) else None


def layout_positions(layout):
    return placement.strided(layout.dims[:layout.rank], layout.strides[:layout.rank],
                             layout.offset)


def make_source(random_bytes, dtype, where, base=0):
    """A tensor in a buffer of exactly the same size."""
    return Source(dtype, where, base,
                  random_bytes(elements.bytes_for(dtype, base, where.highest)))


def dense_source(dtype, array):
    where = placement.Strided(array.shape, dense_strides(array.shape))
    return Source(dtype, where, 0, np.frombuffer(array.tobytes(), np.uint8))


def check_counts(counts, plan, launches, results):
    require(counts.launches == launches, f"{counts.launches} launches; the plan says {launches}")
    require(counts.transfers == 0, f"{counts.transfers} transfers beside the launches")
    require(counts.buffers == results, f"{counts.buffers} buffers were made for {results} results")
    # More than one launch only for disjoint rectangles: of an affine plan, or of a blocked
    # destination.
    may_be_cut = plan["outcome"] == "affine" or results == 0
    require(launches <= 1 or (may_be_cut and launches <= MOST_PIECES),
            f"{launches} launches of a plan that is {plan['outcome']}")


class Runner:
    """Carries out chains on one device, with a variation of the library's limits."""

    def __init__(self, device, variation=0):
        self.device = device
        self.clrs = clreshape.Library(device, variation)

    def close(self):
        self.clrs.close()

    def apply(self, source, chain):
        """The chain on a view of the source, and on the positions of the elements."""
        buffer = self.device.buffer(source.content)
        tensor = source.placement.wrap(self.clrs, buffer.handle, source.base, source.dtype)
        places = source.placement.places
        view = tensor.view
        for name, arguments in chain:
            operations.LIBRARY[name](view, *arguments)
            places = operations.NUMPY[name](places, *arguments)
            require(view.dims == places.shape,
                    f"after {name} the shape is {view.dims}; NumPy says {places.shape}")
        return buffer, tensor.with_view(view), places

    def materialize(self, source, chain, policy=clreshape.COPY_IF_NEEDED):
        """A result that the library makes: an alias of the same bytes, or a dense copy."""
        buffer, tensor, places = self.apply(source, chain)
        could_alias = strides_of_positions(places) is not None
        plan = self.clrs.plan(tensor, None, policy)
        clreshape.counts_reset()
        result, event = self.clrs.materialize(tensor, policy)
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
        """Moves into a layout of the caller's. target(shape) gives the placement, the base, and the
    function that makes the earlier bytes of the buffer."""
        _buffer, tensor, places = self.apply(source, chain)
        where, base, surround = target(places.shape)
        before = surround(elements.bytes_for(source.dtype, base, where.highest))
        into = self.device.buffer(before)
        destination = where.wrap(self.clrs, into.handle, base, source.dtype)
        plan = self.clrs.plan(tensor, destination, clreshape.COPY_ALWAYS)
        clreshape.counts_reset()
        event = self.clrs.move(tensor, destination)
        counts = clreshape.counts_read()
        self.device.finish(event)
        check_counts(counts, plan, plan["launches"], 0)
        require(bool(places.size) == (plan["launches"] > 0), "launches without elements, or none")
        self._compare(into.read(), elements.moved(source.dtype, source.content, source.base,
                                                  places, before, base, where.places))
        return Outcome(plan["outcome"], plan["launches"], tensor.view.depth, False)

    @staticmethod
    def _compare(got, expected):
        wrong = np.flatnonzero(got != expected)
        require(not wrong.size, f"{wrong.size} of {got.size} bytes are wrong, the first at "
                f"{wrong[0] if wrong.size else 0}")

    def compare_values(self, source, chain, expected):
        """Compares the chain's values with an array made in another way, and returns the outcome.
        """
        whole = source.content.view(expected.dtype).reshape(source.placement.dims)
        moved = operations.apply_numpy(chain, whole)
        require(moved.shape == expected.shape and np.array_equal(moved, expected),
                "the chain is not what it is meant to be")
        return self.materialize(source, chain)

