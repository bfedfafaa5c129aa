"""New arrays that are put together from parts.

SPDX-License-Identifier: Apache-2.0
"""

import operator

from . import _context, _kinds, _maps, _moves, _structs
from ._errors import ArgumentError, IndexingError


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


def assembled(taken, dims, queue, enqueue):
    """A new object of the argument's kind, filled by `enqueue`."""
    target, result = taken.kind.new(taken.thing, tuple(dims), taken.array.dtype, queue)
    enqueue(target)
    return result()


def concatenate(arrays, axis=0, *, queue=None, wait_for=()):
    """The arrays after one another along an axis, as numpy.concatenate, in a new one of the first
    one's kind. Their dtypes are equal, and their shapes but for that axis."""
    queue = _context.as_queue(queue)
    taken, sources = _taken_of(arrays, queue)
    dims = list(sources[0].shape)
    axis = axis_of(axis, len(dims))
    if any(source.ndim != len(dims) for source in sources):
        raise ArgumentError(f"the arrays have {[source.ndim for source in sources]} dims")
    dims[axis] = sum(source.shape[axis] for source in sources)
    queue = _moves.queue_for(queue, *sources)
    return assembled(taken[0], dims, queue, lambda target: _moves.concatenate(
        sources, axis, target, queue, wait_for))


def _border(sources, dims, begins, border, queue):
    """What stack puts around the sources, in an index of these dims."""
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


def stack(arrays, axis=0, *, shape=None, begins=None, border=None, queue=None, wait_for=()):
    """The arrays as the indices of a new axis, as numpy.stack, in a new one of the first one's
    kind. Their dtypes are equal, and so are their shapes, unless `shape` says where they go.

    shape: of an index of the result, into which arrays of any sizes are put, such as images into a
    letterbox; None for that of the arrays. begins: for each array, where it begins there, a tuple
    with a place for each dim; None for all 0. border: what is around them: a number, or an array
    that NumPy would broadcast to `shape`, such as a pixel, of the arrays' dtype.
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
    queue = _moves.queue_for(queue, *sources)
    return assembled(taken[0], dims, queue, lambda target: _moves.stack(
        sources, around, target._chain(f"move_axis={axis},0"), queue, wait_for))


def _pairs(widths, rank):
    """(before, behind) of each dim, from one number, one pair or a list of pairs."""
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


def _mode_of(mode, shape, pairs):
    modes = {name.removeprefix("CLRS_PAD_").lower(): number
             for name, number in _structs.enum("clrs_pad_mode").items()}
    if mode not in modes:
        raise ArgumentError(f"mode {mode!r} is none of {', '.join(modes)}")
    for axis, (extent, pair) in enumerate(zip(shape, pairs)):
        if mode != "constant" and extent == 0 and max(pair) > 0:
            raise ArgumentError(f"dim {axis} has no elements for mode {mode!r} to repeat")
    return modes[mode]


def pad(x, widths, value=0, *, mode="constant", queue=None, wait_for=()):
    """x with a border, as numpy.pad(x, widths, mode), in a new array of x's kind.

    widths: elements before and behind: a number for all, a pair for each dim, or a list of one pair
    for each dim. mode: "constant", of one value, or of x's own elements: "edge", "reflect",
    "symmetric" or "wrap". value: a number, cast as NumPy does, of mode "constant" alone.
    """
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    array, pairs = taken.array, _pairs(widths, taken.array.ndim)
    number = _mode_of(mode, array.shape, pairs)
    dims = [extent + sum(pair) for extent, pair in zip(array.shape, pairs)]
    element, queue = _maps.scalar(value, array.dtype), _moves.queue_for(queue, array)
    border = _moves.Border([before for before, _ in pairs], element=element, mode=number)
    return assembled(taken, dims, queue, lambda target: _moves.pad(
        array, border, target, queue, wait_for))


__all__ = ["concatenate", "pad", "stack"]
