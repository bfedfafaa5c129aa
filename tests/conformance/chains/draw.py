"""Random operations, layouts and element types for tests/conformance/chains.

SPDX-License-Identifier: Apache-2.0
"""

import math

import numpy as np

from clreshape import DTYPES, dtype_bits
from operations import NUMPY
import placement

MOST_ELEMENTS = 4000
MOST_DIMS = 11

# u3 and u6 straddle bytes. Gathers of u3 and u6 are documented as unsupported.
MOVABLE = [name for name in DTYPES if dtype_bits(name) not in (3, 6)]


def factorisation(rng, count):
    """Dims of that product, in random order, with dims of 1 in between."""
    if count == 0:
        dims = [rng.randint(1, 5) for _ in range(rng.randint(0, 3))] + [0]
    else:
        dims, prime = [], 2
        while count > 1:
            while count % prime:
                prime += 1 if prime * prime <= count else count - prime
            if dims and rng.random() < 0.4:
                dims[rng.randrange(len(dims))] *= prime
            else:
                dims.append(prime)
            count //= prime
        dims += [1] * rng.choice((0, 0, 0, 1, 2))
    rng.shuffle(dims)
    return dims


def axis_of(rng, rank):
    """An axis, counted from either end."""
    return rng.randrange(-rank, rank)


def divisor(rng, number):
    return rng.choice([d for d in range(1, number + 1) if number % d == 0]) if number else 2


def _reshape(rng, dims):
    new = factorisation(rng, math.prod(dims))
    if new and 0 not in new and rng.random() < 0.3:
        new[rng.randrange(len(new))] = -1
    return new


def _permute(rng, dims):
    axes = rng.sample(range(len(dims)), len(dims))
    return [axis - len(dims) for axis in axes] if rng.random() < 0.2 else axes


def _squeeze(rng, dims):
    ones = [axis for axis, extent in enumerate(dims) if extent == 1]
    return rng.sample(ones, rng.randint(0, len(ones)))


def _unsqueeze(rng, dims):
    count = rng.randint(1, 3)
    return rng.sample(range(len(dims) + count), count)


def _flatten(rng, dims):
    return [rng.randint(-len(dims), len(dims))]


def _expand(rng, dims):
    keep = rng.randint(0, len(dims))
    new = [rng.randint(1, 4) if extent == 1 else rng.choice((extent, 1)) for extent in
           dims[len(dims) - keep:]]
    return [rng.randint(1, 3)] * rng.choice((0, 0, 1)) + new if keep == len(dims) else new


def _slice(rng, dims):
    rows = []
    for axis in rng.sample(range(len(dims)), rng.randint(1, len(dims))):
        extent, step = dims[axis], rng.choice((1, 1, 1, 2, 3, -1, -2))
        low = rng.choice((None, rng.randint(0, max(extent - 1, 0))))
        high = rng.choice((None, rng.randint(0, extent + 2)))
        start, end = (low, high) if step > 0 else (high, low)
        if start is not None and rng.random() < 0.2 and extent:
            start -= extent if start < extent else 0
        rows.append((axis - rng.choice((0, len(dims))), start, end, step))
    return rows


def _flip(rng, dims):
    return rng.sample(range(len(dims)), rng.randint(1, len(dims)))


def _split(rng, dims):
    axis = axis_of(rng, len(dims))
    part = rng.randint(1, max(dims[axis], 1))
    parts = max(-(-dims[axis] // part), 1)
    if parts > 1 and -(-dims[axis] // parts) * (parts - 1) >= dims[axis]:
        return None
    return [axis, parts, rng.randrange(parts)]


def _depth_to_space(rng, dims):
    if len(dims) < 3 or len(dims) > 5:
        return None
    blocks = [b for b in (1, 2, 3) if dims[1] % b ** (len(dims) - 2) == 0]
    return [rng.choice(blocks[-2:]), rng.randint(0, 1)]


def _space_to_depth(rng, dims):
    if len(dims) < 3 or len(dims) > 5:
        return None
    return [divisor(rng, math.gcd(*dims[2:])), rng.randint(0, 1)]


def _channel_shuffle(rng, dims):
    axis = axis_of(rng, len(dims))
    return [axis, divisor(rng, dims[axis])]


def _batch_to_space(rng, dims):
    if not 2 <= len(dims) <= 5 or dims[0] == 0:
        return None
    blocks, left = [1] * len(dims), dims[0]
    for dim in range(1, len(dims)):
        blocks[dim] = divisor(rng, left)
        left //= blocks[dim]
    begins, ends = [0] * len(dims), [0] * len(dims)
    for dim in range(1, len(dims)):
        extent = dims[dim] * blocks[dim]
        begins[dim] = rng.choice((0, 0, rng.randint(0, extent // 3)))
        ends[dim] = rng.choice((0, 0, rng.randint(0, extent // 3)))
    return [blocks, begins, ends]


def _space_to_batch(rng, dims):
    if not 2 <= len(dims) <= 5:
        return None
    return [[1] + [divisor(rng, extent) for extent in dims[1:]]]


def _tile(rng, dims):
    return [rng.choice((1, 1, 2, 3)) for _ in dims]


def _repeat(rng, dims):
    return [axis_of(rng, len(dims)), rng.randint(1, 4)]


def _window(rng, dims):
    axis = axis_of(rng, len(dims))
    if dims[axis] == 0:
        return None
    return [axis, rng.randint(1, dims[axis]), rng.randint(1, 3)]


def _diagonal(rng, dims):
    if len(dims) < 2:
        return None
    first, second = rng.sample(range(len(dims)), 2)
    return [rng.randint(-2, 2), first - rng.choice((0, len(dims))), second]


def _two_axes(rng, dims):
    return [axis_of(rng, len(dims)), axis_of(rng, len(dims))]


RULES = {
    "reshape": _reshape, "permute": _permute, "squeeze": _squeeze, "unsqueeze": _unsqueeze,
    "flatten": _flatten, "expand": _expand, "slice": _slice, "flip": _flip, "split": _split,
    "depth_to_space": _depth_to_space, "space_to_depth": _space_to_depth,
    "channel_shuffle": _channel_shuffle, "batch_to_space": _batch_to_space,
    "space_to_batch": _space_to_batch, "tile": _tile, "repeat": _repeat, "window": _window,
    "diagonal": _diagonal, "move_axis": _two_axes, "swap_axes": _two_axes,
}
assert sorted(RULES) == sorted(NUMPY)
NEED_NO_DIMS = ("reshape", "permute", "squeeze", "unsqueeze", "flatten", "expand", "tile")


def operation(rng, array):
    """A random operation on the array, and the result."""
    while True:
        name = rng.choice(list(RULES))
        if not array.ndim and name not in NEED_NO_DIMS:
            continue
        arguments = RULES[name](rng, list(array.shape))
        if arguments is None or (name == "tile" and
                                 array.size * math.prod(arguments) > MOST_ELEMENTS):
            continue
        result = NUMPY[name](array, *arguments)
        dies = result.size == 0 and array.size > 0
        if result.size <= MOST_ELEMENTS and result.ndim <= MOST_DIMS and not (
                dies and rng.random() < 0.95):
            return (name, arguments), result


def chain(rng, array, length):
    steps = []
    for _ in range(length):
        step, array = operation(rng, array)
        steps.append(step)
    return steps, array


def dims_of_source(rng):
    dims = []
    while len(dims) < 5 and rng.random() < 0.85:
        dims.append(rng.choice((1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 12)))
    while math.prod(dims) > 1000:
        dims.pop()
    if dims and rng.random() < 0.02:
        dims[rng.randrange(len(dims))] = 0
    return dims


def strides_apart(rng, dims):
    """Strides under which no two elements coincide: permuted, padded, reversed."""
    order = list(range(len(dims)))
    if rng.random() < 0.5:
        rng.shuffle(order)
    strides, step = [0] * len(dims), 1 if rng.random() < 0.8 else rng.randint(2, 3)
    padded = rng.random() < 0.4
    for axis in reversed(order):
        strides[axis] = step
        step *= max(dims[axis], 1)
        step += rng.randint(1, 5) if padded and rng.random() < 0.4 else 0
    if rng.random() < 0.3:
        strides = [-stride if rng.random() < 0.5 else stride for stride in strides]
    return strides


def strides_of_source(rng, dims):
    strides = strides_apart(rng, dims)
    if rng.random() < 0.15:  # a broadcast, or elements that coincide
        strides = [rng.choice((0, stride, rng.randint(-6, 6))) for stride in strides]
    return strides


def placement_of(rng, dims, is_source):
    """Anywhere from a plain to a blocked layout. A destination has no two elements in the same
    place."""
    floor = rng.choice((0, 0, rng.randint(1, 30)))
    rows = [row for row in placement.BLOCKED_NAMES if len(row.order) == len(dims)]
    if rows and rng.random() < 0.25:
        return placement.Blocked(rng.choice(rows), dims)
    if is_source:
        return placement.Strided(dims, strides_of_source(rng, dims), floor)
    if rng.random() < 0.1:  # dims that interleave in ways that are not nested
        wild = placement.Strided(dims, [rng.randint(1, 30) for _ in dims], floor)
        if np.unique(wild.places).size == wild.places.size:
            return wild
    return placement.Strided(dims, strides_apart(rng, dims), floor)
