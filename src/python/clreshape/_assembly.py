"""New arrays that are assembled from parts.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence, SupportsIndex

from . import _context, _kinds, _maps, _moves, _structs
from ._errors import ArgumentError, IndexingError

if TYPE_CHECKING:
    from ._types import Events, Given, Number, QueueLike


def _taken_of(arrays, queue):
    taken = [_kinds.Taken(one, queue) for one in arrays]
    if not taken:
        raise ArgumentError("there is no array to put together")
    for one in taken[1:]:
        _kinds.check_same_numbers(taken[0].array, one.array)
    return taken, [one.array for one in taken]


def axis_of(axis, rank, what="axis"):
    if not -rank <= operator.index(axis) < rank:
        raise IndexingError(f"{what} {axis} is out of range: there are {rank}")
    return operator.index(axis) % rank


def assembled(taken, read, dims, options, enqueue, dtype=None):
    """Returns a new object of the argument's kind, or `out`, filled by `enqueue` on a queue.
    Options are (out, queue). `read` lists the arrays that are read. The dtype is the argument's
    unless given."""
    out, queue = options
    target = _kinds.out_of(out, queue)
    if target is not None:
        _kinds.check_out(target, taken.array, dims, dtype)
        enqueue(target, _moves.queue_for(queue, *read, target))
        return out
    queue = _moves.queue_for(queue, *read)
    target, result = taken.kind.new(taken.thing, tuple(dims), dtype or taken.array.dtype, queue)
    enqueue(target, queue)
    return result()


def concatenate(arrays: Sequence[Given], axis: SupportsIndex = 0, *, out: Optional[Given] = None,
                queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The arrays joined along an axis, as numpy.concatenate, in a new array of the first array's
    kind. All dtypes must be equal, and all dims but `axis`."""
    queue = _context.as_queue(queue)
    taken, sources = _taken_of(arrays, queue)
    dims = list(sources[0].shape)
    axis = axis_of(axis, len(dims))
    if any(source.ndim != len(dims) for source in sources):
        raise ArgumentError(f"the arrays have {[source.ndim for source in sources]} dims")
    dims[axis] = sum(source.shape[axis] for source in sources)
    return assembled(taken[0], sources, dims, (out, queue), lambda target, on: _moves.concatenate(
        sources, axis, target, on, wait_for))


def _border(sources, dims, begins, border, queue):
    """Returns the border around the sources in an index of these dims."""
    places = None
    if begins is not None:
        begins = [tuple(begin) for begin in begins]
        places = [operator.index(place) for begin in begins for place in begin]
        if len(places) != len(sources) * len(dims):
            raise ArgumentError(f"begins has {len(places)} places; {len(sources)} arrays of "
                                f"{len(dims)} dims have {len(sources) * len(dims)}")
        wrong = next((begin for begin in begins if len(begin) != len(dims)), None)
        if wrong is not None:
            raise ArgumentError(f"begins has {wrong}; there is one place for each of {len(dims)} dims")
    if border is None:
        return _moves.Border(places)
    if _kinds.is_array(border):
        border = _kinds.Taken(border, queue).array
        _kinds.check_same_numbers(sources[0], border)
        return _moves.Border(places, border)
    return _moves.Border(places, element=_maps.scalar(border, sources[0].dtype))


def stack(arrays: Sequence[Given], axis: SupportsIndex = 0, *, shape: Optional[Sequence[int]] = None,
          begins: Optional[Sequence[Sequence[int]]] = None, border: Any = None,
          out: Optional[Given] = None, queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The arrays as the indices of a new axis, as numpy.stack, in a new array of the first array's
    kind. All dtypes must be equal, and all shapes, unless `shape` is given.

    shape: shape of an index of the result, into which arrays of any sizes are put, such as images
    into a letterbox. None for the shape of the arrays. begins: where each array begins there, a
    tuple with a place for each dim. None for all 0. border: the elements around the arrays: a
    number, or an array of the arrays' dtype that NumPy would broadcast to `shape`, such as a pixel.
    """
    queue = _context.as_queue(queue)
    taken, sources = _taken_of(arrays, queue)
    shapes = {source.shape for source in sources}
    if shape is None and len(shapes) > 1:
        raise ArgumentError("the arrays have different shapes, and shape= is not given: "
                            f"{sorted(shapes)}")
    dims = list(sources[0].shape if shape is None else shape)
    axis = axis_of(axis, len(dims) + 1)
    around = _border(sources, dims, begins, border, queue)
    dims.insert(axis, len(sources))
    return assembled(taken[0], sources, dims, (out, queue), lambda target, on: _moves.stack(
        sources, around, target._chain(f"move_axis={axis},0"), on, wait_for))


def pairs_of(widths, rank):
    """Returns (before, behind) of each dim, from one number, one pair or a list of pairs."""
    try:
        pairs = [(operator.index(widths),) * 2] * rank
    except TypeError:
        pairs = [tuple(pair) for pair in (widths if _is_nested(widths) else [widths] * rank)]
    if len(pairs) != rank or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ArgumentError(f"widths are a number, a pair, or a pair for each of {rank} dims, none "
                            f"negative: not {widths!r}")
    return pairs


def _is_nested(widths):
    return any(hasattr(width, "__len__") for width in widths)


def mode_of(mode, shape, pairs):
    modes = {name.removeprefix("CLRS_PAD_").lower(): number
             for name, number in _structs.enum("clrs_pad_mode").items()}
    if mode not in modes:
        raise ArgumentError(f"mode {mode!r} is none of {', '.join(modes)}")
    for axis, (extent, pair) in enumerate(zip(shape, pairs)):
        if mode != "constant" and extent == 0 and max(pair) > 0:
            raise ArgumentError(f"dim {axis} has no elements for mode {mode!r} to repeat")
    return modes[mode]


def pad(x: Given, widths: Any, value: Number = 0, *, mode: str = "constant",
        out: Optional[Given] = None, queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """x with a border, as numpy.pad(x, widths, mode). The result is a new array of x's kind.

    widths: elements before and behind: a number for all, a pair for each dim, or a list of one pair
    for each dim.
    mode: "constant" for a border of one value, or "edge", "reflect", "symmetric" or "wrap" for a
    border of x's own elements.
    value: a number, cast as in NumPy, for mode "constant" only.
    """
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    array, pairs = taken.array, pairs_of(widths, taken.array.ndim)
    number = mode_of(mode, array.shape, pairs)
    dims = [extent + sum(pair) for extent, pair in zip(array.shape, pairs)]
    element = _maps.scalar(value, array.dtype)
    border = _moves.Border([before for before, _ in pairs], element=element, mode=number)
    return assembled(taken, [array], dims, (out, queue), lambda target, on: _moves.pad(
        array, border, target, on, wait_for))


__all__ = ["concatenate", "pad", "stack"]
