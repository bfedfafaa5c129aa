"""Chains, einops patterns and assemblies that Hypothesis draws, against NumPy and einops.

CLRS_PYTHON_EXAMPLES is how many examples each property is tried with (200).

SPDX-License-Identifier: Apache-2.0
"""

import os
import unittest

import einops
import hypothesis
import hypothesis.strategies as st
import numpy as np

import clreshape as cl
from hosts import counted
from peers import host_of, on_device, same

hypothesis.settings.register_profile(
    "clreshape", max_examples=int(os.environ.get("CLRS_PYTHON_EXAMPLES", "200")), deadline=None,
    derandomize=True, suppress_health_check=list(hypothesis.HealthCheck))
hypothesis.settings.load_profile("clreshape")

DTYPES = st.sampled_from([np.uint8, np.int16, np.float16, np.float32, np.int64, np.complex128])
MOST = 4000  # elements


@st.composite
def tensors(draw, least_rank=0):
    dims = draw(st.lists(st.integers(0, 7), min_size=least_rank, max_size=5))
    hypothesis.assume(np.prod(dims) <= MOST)
    return counted(*dims, dtype=draw(DTYPES))


@st.composite
def shapes_of(draw, size):
    """A shape of so many elements."""
    dims, left = [], size
    while left > 1 and len(dims) < 6:
        factor = draw(st.sampled_from([n for n in range(1, left + 1) if left % n == 0]))
        dims.append(factor)
        left //= factor
    dims.append(left)
    return draw(st.permutations(dims)) if draw(st.booleans()) else dims


@st.composite
def indices(draw, shape):
    """A basic index of NumPy's."""
    index = []
    for extent in shape:
        kind = draw(st.integers(0, 5))
        if kind == 0 and extent:
            index.append(draw(st.integers(-extent, extent - 1)))
        elif kind == 1:
            index.append(None)
            index.append(slice(None))
        else:
            bound = st.none() | st.integers(-extent - 2, extent + 2)
            step = draw(st.none() | st.integers(-3, 3).filter(bool))
            index.append(slice(draw(bound), draw(bound), step))
    cut = draw(st.integers(0, len(index)))
    return tuple(index[:cut]) + ((...,) if draw(st.booleans()) else ())


def step(data, host):
    """An operation: (NumPy's, clreshape's)."""
    kind = data.draw(st.sampled_from(["transpose", "index", "reshape", "contiguous", "repeat"]))
    if kind == "transpose":
        axes = data.draw(st.permutations(range(host.ndim)))
        return lambda a: a.transpose(axes), lambda a: cl.transpose(a, axes)
    if kind == "index":
        index = data.draw(indices(host.shape))
        return lambda a: a[index], lambda a: cl.asarray(a)[index]
    if kind == "reshape":
        dims = data.draw(shapes_of(host.size) if host.size else st.just((0, 3)))
        return lambda a: a.reshape(dims), lambda a: cl.reshape(a, dims)
    if kind == "repeat" and host.ndim and host.size <= MOST:
        return lambda a: a.repeat(2, -1), lambda a: cl.repeat(a, "... a -> ... (a 2)")
    return lambda a: np.array(a, order="C"), cl.contiguous


class Chains(unittest.TestCase):
    @hypothesis.given(tensors(), st.data())
    def test_lazy_arrays(self, host, data):
        """Any chain on an Array, moved once at the end."""
        array = cl.asarray(on_device(host))
        for _ in range(data.draw(st.integers(1, 6))):
            theirs, ours = step(data, host)
            host, array = theirs(host), ours(array)
            self.assertEqual(array.shape, host.shape)
        try:
            got = array.get()
        except cl.UnsupportedError as error:  # stacks deeper than a kernel takes; never wrong
            hypothesis.event(str(error))
            return
        np.testing.assert_array_equal(got, host)

    @hypothesis.given(tensors(), st.data())
    def test_pyopencl_arrays(self, host, data):
        """Each step gives a pyopencl array: a view of the same bytes whenever NumPy has a view."""
        array = on_device(host)
        for _ in range(data.draw(st.integers(1, 4))):
            dims = data.draw(shapes_of(host.size) if host.size else st.just((0, 3)))
            axes = data.draw(st.permutations(range(host.ndim)))
            host, array = host.transpose(axes), cl.transpose(array, axes)
            moved = cl.reshape(array, dims)
            if np.shares_memory(host, host.reshape(dims)):
                self.assertIs(moved.base_data, array.base_data)
                same(cl.reshape(array, dims, copy=False), host.reshape(dims))
            host, array = host.reshape(dims), moved
            same(array, host)
        same(cl.contiguous(array), host)

    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_writing_into_views(self, host, data):
        """copyto into the part of a destination that indices and transposes select. The rest is
        unchanged."""
        host = host.copy()
        device = on_device(host)
        index = data.draw(indices(host.shape))
        view, ours = host[index], cl.asarray(device)[index]
        axes = data.draw(st.permutations(range(view.ndim)))
        value = (counted(*(view.shape[axis] for axis in axes)) % 100).astype(host.dtype)
        if isinstance(view, np.ndarray):
            view.transpose(axes)[...] = value
        else:
            host[index] = value
        cl.copyto(cl.transpose(ours, axes), on_device(value))
        same(device, host)


@st.composite
def patterns(draw, with_new_axes):
    """(pattern, lengths, dims) that einops takes."""
    names = draw(st.permutations("abcdefgh"))[:draw(st.integers(1, 5))]
    extents = {name: draw(st.integers(1, 4)) for name in names}
    new = {"n": 2, "m": 3} if with_new_axes else {}

    def grouped(axes):
        groups = []
        for axis in axes:
            if groups and draw(st.booleans()):
                groups[-1].append(axis)
            else:
                groups.append([axis])
        return groups

    def spelled(groups):
        return " ".join(f"({' '.join(group)})" if len(group) > 1 else group[0] for group in groups)

    left, right = grouped(names), grouped(draw(st.permutations([*names, *new])))
    dims = [int(np.prod([extents[name] for name in group])) for group in left]
    lengths = {name: extents[name] for group in left for name in group[1:]} | new
    return f"{spelled(left)} -> {spelled(right)}", lengths, dims


class Einops(unittest.TestCase):
    @hypothesis.given(patterns(False), DTYPES)
    def test_rearrange(self, drawn, dtype):
        pattern, lengths, dims = drawn
        host = counted(*dims, dtype=dtype)
        same(cl.rearrange(on_device(host), pattern, **lengths),
             einops.rearrange(host, pattern, **lengths))

    @hypothesis.given(patterns(True), DTYPES)
    def test_repeat(self, drawn, dtype):
        pattern, lengths, dims = drawn
        host = counted(*dims, dtype=dtype)
        same(cl.contiguous(cl.repeat(on_device(host), pattern, **lengths)),
             einops.repeat(host, pattern, **lengths))

    @hypothesis.given(patterns(False), st.data())
    def test_broken_patterns_are_refused_by_both(self, drawn, data):
        pattern, lengths, dims = drawn
        at = data.draw(st.integers(0, len(pattern)))
        broken = pattern[:at] + data.draw(st.sampled_from(list("()a1. ->;=,x"))) + pattern[at:]
        host = counted(*dims)
        try:
            expected = einops.rearrange(host, broken, **lengths)
        except Exception:  # einops raises its own error, and others by accident
            with self.assertRaises(cl.ClreshapeError):
                cl.rearrange(on_device(host), broken, **lengths)
        else:
            same(cl.rearrange(on_device(host), broken, **lengths), expected)


class Assemblies(unittest.TestCase):
    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_concatenate_and_stack(self, host, data):
        axes = data.draw(st.permutations(range(host.ndim)))
        hosts = [host.transpose(axes), host.transpose(axes)[::-1],
                 np.array(host.transpose(axes), order="C")]
        arrays = [cl.transpose(on_device(host), axes) for _ in hosts]
        arrays[1] = cl.asarray(arrays[1])[::-1].to("pyopencl")
        axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
        same(cl.concatenate(arrays, axis), np.concatenate(hosts, axis))
        axis = data.draw(st.integers(-host.ndim - 1, host.ndim))
        same(cl.stack(arrays, axis), np.stack(hosts, axis))

    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_take(self, host, data):
        axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
        extent = host.shape[axis]
        hypothesis.assume(extent)
        chosen = data.draw(st.lists(st.integers(-extent, extent - 1), max_size=8))
        same(cl.take(on_device(host), chosen, axis), host.take(np.array(chosen, int), axis))
        self.assertEqual(host_of(on_device(host)).shape, host.shape)


WILD = st.sampled_from([-2**63, -2**32 - 1, -2**31, 2**31 - 1, 2**31, 2**32, 2**63 - 1])


@st.composite
def index_arrays(draw, extent, wild):
    """Indices of any rank, in a view of any strides: (NumPy's, pyopencl's)."""
    dims = draw(st.lists(st.integers(0, 4), max_size=3))
    dtype = draw(st.sampled_from([np.int32, np.int64]))
    inside = st.integers(-extent, extent - 1) if extent else st.nothing()
    number = inside | st.integers(-extent - 2, extent + 1) | WILD if wild else inside
    number = number.filter(lambda value: np.iinfo(dtype).min <= value <= np.iinfo(dtype).max)
    size = int(np.prod(dims))
    hypothesis.assume(not size or wild or extent)
    values = draw(st.lists(number, min_size=size, max_size=size)) if size else []
    host = np.array(values, dtype).reshape(dims)
    wide = np.full([2 * dim for dim in dims], 99, dtype)
    every_other = (slice(None, None, -2),) * len(dims)
    wide[every_other] = host
    axes = draw(st.permutations(range(len(dims))))
    if draw(st.booleans()):
        return host.transpose(axes), cl.transpose(on_device(host), axes)
    return host.transpose(axes), cl.transpose(cl.asarray(on_device(wide))[every_other], axes)


def known_places(host, indices, axis):
    """(place among the indices, place along the axis) of the indices in range."""
    extent = host.shape[axis]
    return [(place, int(indices[place]) % extent) for place in np.ndindex(*indices.shape)
            if -extent <= indices[place] < extent]


class Indexed(unittest.TestCase):
    """By indices on the device."""

    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_take(self, host, data):
        axes = data.draw(st.permutations(range(host.ndim)))
        device, host = cl.transpose(on_device(host), axes), host.transpose(axes)
        axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
        indices, chosen = data.draw(index_arrays(host.shape[axis], False))
        hypothesis.assume(host.ndim + indices.ndim <= 8)
        same(cl.take(device, chosen, axis), np.take(host, indices, axis))
        out = on_device(np.full(np.take(host, indices, axis).shape, 1, host.dtype))
        self.assertIs(cl.take(device, chosen, axis, out), out)
        same(out, np.take(host, indices, axis))

    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_take_of_wild_indices(self, host, data):
        axis = data.draw(st.integers(0, host.ndim - 1))
        indices, chosen = data.draw(index_arrays(host.shape[axis], True))
        fill, flag = data.draw(st.integers(0, 100)), on_device(np.uint32([0]))
        known = known_places(host, indices, axis)
        before = (slice(None),) * axis
        expected = np.full((*host.shape[:axis], *indices.shape, *host.shape[axis + 1:]), fill,
                           host.dtype)
        for place, index in known:
            expected[(*before, *place)] = host[(*before, index)]
        same(cl.take(on_device(host), chosen, axis, fill_value=fill, flag=flag), expected)
        same(flag, np.uint32([expected.size > 0 and len(known) < indices.size]))
        if host.shape[axis]:
            same(cl.take(on_device(host), chosen, axis, mode="clip"),
                 np.take(host, indices, axis, mode="clip"))

    @hypothesis.given(tensors(least_rank=1), st.data())
    def test_index_copy(self, host, data):
        """For equal indices, the winner is not defined. Here all rows of equal indices are alike.
        """
        axes = data.draw(st.permutations(range(host.ndim)))
        device = on_device(host)
        view, ours = host.transpose(axes), cl.transpose(device, axes)
        axis = data.draw(st.integers(0, host.ndim - 1))
        indices, chosen = data.draw(index_arrays(view.shape[axis], True))
        before = (slice(None),) * axis
        source = np.full((*view.shape[:axis], *indices.shape, *view.shape[axis + 1:]), 99,
                         host.dtype)
        for place, index in known_places(view, indices, axis):
            source[(*before, *place)] = view[(*before, index)] + host.dtype.type(1)
        expected = view.copy()
        for place, index in known_places(view, indices, axis):
            expected[(*before, index)] = source[(*before, *place)]
        cl.index_copy(ours, chosen, on_device(source), axis)
        same(device, expected.transpose(np.argsort(axes)))


if __name__ == "__main__":
    unittest.main()
