"""NumPy's functions for views and for limits of values, on arrays of any kind.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Optional, SupportsIndex

from . import _context, _kinds
from ._assembly import axis_of
from ._errors import ArgumentError
from ._operations import _listed, _view, maximum, minimum

if TYPE_CHECKING:
    from ._types import Axes, Events, Given, Ints, Parameter, QueueLike


def _axes_of(axis, rank):
    """Returns one axis or several as a list of axes >= 0."""
    axes = [axis_of(one, rank) for one in (axis if isinstance(axis, (tuple, list)) else (axis,))]
    if len(set(axes)) < len(axes):
        raise ArgumentError(f"axis {axis} names a dim twice")
    return axes


def squeeze(x: Given, axis: Axes = None, *, copy: Optional[bool] = None, out: Optional[Given] = None,
            queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """Removes dims of 1, as numpy.squeeze: all such dims, or the dims of `axis`."""
    def squeezed(array):
        ones = [i for i, dim in enumerate(array.shape) if dim == 1]
        axes = ones if axis is None else _axes_of(axis, array.ndim)
        return array._chain(f"squeeze={_listed(axes)}") if axes else array
    return _view(x, squeezed, (copy, out, queue, wait_for))


def expand_dims(x: Given, axis: Ints, *, copy: Optional[bool] = None, out: Optional[Given] = None,
                queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """Adds dims of 1 at the axes `axis` of the result, as numpy.expand_dims."""
    count = len(axis) if isinstance(axis, (tuple, list)) else 1

    def expanded(array):
        axes = sorted(_axes_of(axis, array.ndim + count))
        return array._chain(f"unsqueeze={_listed(axes)}") if axes else array
    return _view(x, expanded, (copy, out, queue, wait_for))


def flip(x: Given, axis: Axes = None, *, copy: Optional[bool] = None, out: Optional[Given] = None,
         queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """Reverses along one axis, several axes, or all axes, as numpy.flip."""
    def flipped(array):
        axes = range(array.ndim) if axis is None else _axes_of(axis, array.ndim)
        return array._chain(" ".join(f"flip={one}" for one in axes)) if axes else array
    return _view(x, flipped, (copy, out, queue, wait_for))


def moveaxis(x: Given, source: Ints, destination: Ints, *, copy: Optional[bool] = None,
             out: Optional[Given] = None, queue: QueueLike = None,
             wait_for: Events = ()) -> Given:
    """Moves the axes `source` to the places `destination`, as numpy.moveaxis."""
    def moved(array):
        sources, places = _axes_of(source, array.ndim), _axes_of(destination, array.ndim)
        if len(sources) != len(places):
            raise ArgumentError(f"{len(sources)} axes are to be moved to {len(places)} places")
        order = [axis for axis in range(array.ndim) if axis not in sources]
        for place, axis in sorted(zip(places, sources)):
            order.insert(place, axis)
        return array._chain(f"permute={_listed(order)}") if order else array
    return _view(x, moved, (copy, out, queue, wait_for))


def swapaxes(x: Given, axis1: SupportsIndex, axis2: SupportsIndex, *,
             copy: Optional[bool] = None, out: Optional[Given] = None,
             queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """With two axes in each other's place, as numpy.swapaxes."""
    def swapped(array):
        axes = [axis_of(axis, array.ndim) for axis in (axis1, axis2)]
        return array._chain(f"swap_axes={_listed(axes)}")
    return _view(x, swapped, (copy, out, queue, wait_for))


def broadcast_to(x: Given, shape: Ints, *, copy: Optional[bool] = None, out: Optional[Given] = None,
                 queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """Repeats along new dims and dims of 1, as numpy.broadcast_to."""
    try:
        dims = (operator.index(shape),)
    except TypeError:
        dims = tuple(map(operator.index, shape))

    def broadcast(array):
        made = array._chain(f"expand={_listed(dims)}")
        if made.shape != dims:
            raise ArgumentError(f"an array of shape {array.shape} does not broadcast to {dims}")
        return made
    return _view(x, broadcast, (copy, out, queue, wait_for))


def _ends_of_parts(sections, extent):
    try:
        count = operator.index(sections)
    except TypeError:
        return [0, *map(operator.index, sections), extent]
    if count < 1 or extent % count:
        raise ArgumentError(f"{extent} indices make no {count} parts of one size")
    return list(range(0, extent + 1, extent // count)) if extent else [0] * (count + 1)


def split(x: Given, sections: Ints, axis: SupportsIndex = 0, *,
          copy: Optional[bool] = None, queue: QueueLike = None,
          wait_for: Events = ()) -> list[Given]:
    """A list of parts along an axis, as numpy.split.

    sections: the number of equal parts, or the indices at which all parts but the first begin.
    """
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    axis = axis_of(axis, taken.array.ndim)
    ends = _ends_of_parts(sections, taken.array.shape[axis])
    before = (slice(None),) * axis
    return [_kinds.give(taken, taken.array[(*before, slice(first, end))],
                       (copy, None, queue, wait_for)) for first, end in zip(ends, ends[1:])]


def clip(x: Given, a_min: Parameter = None, a_max: Parameter = None, *,
         copy: Optional[bool] = None, out: Optional[Given] = None,
         queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """Replaces values below a_min by a_min, and then values above a_max by a_max, as numpy.clip.
    NaN stays. None is no limit. Limits and types are as in maximum and minimum. Takes one pass at
    most."""
    def clipped(array):
        array = array if a_min is None else maximum(array, a_min, queue=queue)
        return array if a_max is None else minimum(array, a_max, queue=queue)
    limits = tuple(limit for limit in (a_min, a_max) if limit is not None)
    return _view(x, clipped, (copy, out, queue, wait_for), limits)


__all__ = ["broadcast_to", "clip", "expand_dims", "flip", "moveaxis", "split", "squeeze",
           "swapaxes"]
