"""Gather and scatter: elements by the indices of an axis.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Optional, SupportsIndex

from . import _assembly, _context, _copies, _kinds, _maps, _moves
from ._errors import ArgumentError, IndexingError

if TYPE_CHECKING:
    from ._opencl import Event
    from ._types import Events, Given, Number, QueueLike

# The library's action for an index on the device that is out of range, by the caller's word.
TAKE_MODES = {"fill": "CLRS_OUTSIDE_SKIPPED", "clip": "CLRS_OUTSIDE_CLAMPED"}
COPY_MODES = {"drop": "CLRS_OUTSIDE_SKIPPED", "clip": "CLRS_OUTSIDE_CLAMPED"}


def _outside(modes, mode):
    if mode not in modes:
        raise ArgumentError(f"mode {mode!r} is none of {', '.join(sorted(modes))}, which there are "
                            "for indices on the device: they are known to the kernel only, and "
                            "flag= tells of one out of range")
    return modes[mode]


def _array_of(thing, queue):
    return None if thing is None else _kinds.Taken(thing, queue).array


def _result_dims(dims, axis, index_dims):
    return (*dims[:axis], *index_dims, *dims[axis + 1:])


# ---- indices on the host

def _listed(indices):
    """Returns (integers, shape) of a NumPy array, an integer, or a list of integers."""
    if hasattr(indices, "shape"):
        return indices.ravel().tolist(), tuple(indices.shape)
    try:
        operator.index(indices)
        return [indices], ()
    except TypeError:
        listed = list(indices)
        return listed, (len(listed),)


def _place(index, extent, mode):
    """Returns the place of an index, by NumPy's modes."""
    if isinstance(index, (bool, float)):
        raise IndexingError(f"{index!r} is no index: integers are")
    if mode == "clip" and extent:
        return min(max(operator.index(index), 0), extent - 1)
    return _assembly.axis_of(index, extent, "index")


def _runs(indices):
    """Returns runs of neighbouring indices as (first, behind the last). Example: 3, 4, 5, 9 gives
    (3, 6) and (9, 10)."""
    runs = []
    for index in indices:
        if runs and runs[-1][1] == index:
            runs[-1][1] += 1
        else:
            runs.append([index, index + 1])
    return runs


def _take_listed(array, listed, axis, mode):
    """Returns a function that enqueues the parts, one for each run of indices, into a target."""
    if mode not in (None, "raise", "clip"):
        raise ArgumentError(f"mode {mode!r} is neither 'raise' nor 'clip', which there are for "
                            "indices on the host")
    runs = _runs(_place(index, array.shape[axis], mode) for index in listed)
    before, flat = ":," * axis, _result_dims(array.shape, axis, (len(listed),))
    sources = [array._chain(f"slice={before}{start}:{stop}:") for start, stop in runs]

    def enqueue(target, queue, wait_for):
        target = target._chain("reshape=" + ",".join(map(str, flat)))
        _moves.concatenate(sources, axis, target, queue, wait_for)
    return enqueue


# ---- indices on the device

def _take_gathered(array, named):
    return lambda target, queue, wait_for: _moves.indexed("gather", array, named, target, queue,
                                                          wait_for)


def gather(array, indices, axis, queue, mode=None, fill_value=None, flag=None):
    """Prepares `take` by indices on the device. Returns the indices and the result's dims."""
    axis, named = _assembly.axis_of(axis, array.ndim), _array_of(indices, queue)
    element = None if fill_value is None else _maps.scalar(fill_value, array.dtype)
    outside = _outside(TAKE_MODES, "fill" if mode is None else mode)
    along = _moves.Indices(named, axis, outside, element, _array_of(flag, queue))
    return along, _result_dims(array.shape, axis, named.shape)


def scatter(target, source, indices, axis, queue, mode="drop", flag=None):
    """Prepares `index_copy`. Returns the source, broadcast to the indices, and the indices."""
    named, given = _array_of(indices, queue), _array_of(source, queue)
    axis = _assembly.axis_of(axis, target.ndim)
    _kinds.check_same_numbers(given, target)
    given = _copies.broadcast(given, _result_dims(target.shape, axis, named.shape))
    return given, _moves.Indices(named, axis, _outside(COPY_MODES, mode),
                                 flag=_array_of(flag, queue))


def take(x: Given, indices: Any, axis: SupportsIndex = 0, out: Optional[Given] = None, *,
         mode: Optional[str] = None, fill_value: Optional[Number] = None, flag: Any = None,
         queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The elements at the indices of an axis, as numpy.take, in a new array of x's kind, or in
    `out`. For x of shape (A, B, C), axis 1 and indices of shape (I, J), the result has shape (A, I,
    J, C), and element result[a, i, j, c] is x[a, indices[i, j], c].

    indices: an int32 or int64 array of any kind, shape and strides, on x's device, as for an
    embedding or a paged cache. The gather is one launch, and the host never reads an index. If x is
    a lazy cast, the launch computes only the elements that the indices name. Elements of x must
    have at least 8 bits. Or integers on the host: a number, a list, or a NumPy array. Each run of
    neighbours among integers on the host is a separate part of the move. Integers on the host suit
    some indices, not thousands.
    out: an array of the result's shape and x's dtype, of any strides, that shares no byte with the
    other arrays. `out` is returned.
    mode: the treatment of an index out of range. "clip" takes the first place for a negative index,
    else the last, as in NumPy. The default on the host is "raise". The default on the device is
    "fill", as in JAX, which writes `fill_value`. On the device "clip" equals "fill" if the axis has
    length 0. Negative indices count from the end, except in mode "clip".
    fill_value: a number, cast as in NumPy. None for elements whose bits are all 0.
    flag: a uint32 on the device. Bit 0 is set if an index on the device was out of range. No call
    clears the flag. The caller may then raise an error.
    """
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    array, read = taken.array, [taken.array]
    if _kinds.is_array(indices):
        along, dims = gather(array, indices, axis, queue, mode, fill_value, flag)
        read.append(along.array)
        fill = _take_gathered(array, along)
    else:
        if fill_value is not None or flag is not None:
            raise ArgumentError("fill_value= and flag= are for indices on the device")
        axis = _assembly.axis_of(axis, array.ndim)
        listed, shape = _listed(indices)
        fill = _take_listed(array, listed, axis, mode)
        dims = _result_dims(array.shape, axis, shape)
    return _assembly.assembled(taken, read, dims, (out, queue),
                               lambda target, on: fill(target, on, wait_for))


def index_copy(destination: object, indices: Any, source: Any, axis: SupportsIndex = 0, *,
               mode: str = "drop", flag: Any = None, queue: QueueLike = None,
               wait_for: Events = ()) -> Event:
    """Writes the source to the indices of an axis of the destination: the opposite of `take`.
    Equals PyTorch's Tensor.index_copy_, with indices of any shape and arguments in the order of
    numpy.put_along_axis. Example of use: new keys go to the slots of a cache. Returns the event.

    For a destination of shape (A, B, C), axis 1 and indices of shape (I, J), the source has shape
    (A, I, J, C). A source of another shape is broadcast to that shape as in NumPy. The call sets
    destination[a, indices[i, j], c] = source[a, i, j, c]. All other elements stay.

    indices: an int32 or int64 array of any kind, on the destination's device. If two indices are
    equal, either may win, and the winner may differ between the elements of a row.
    source: an array of the destination's dtype, or a lazy cast to this dtype. Example: new keys
    that are quantized in the same pass. The arrays may have any strides. No two arrays share a
    byte. Elements have at least 8 bits.
    mode: the treatment of an index out of range. "drop", as in JAX, writes nothing. "clip" takes
    the first place for a negative index, else the last. With "drop" negative indices count from the
    end.
    flag: as in take.
    """
    queue = _context.as_queue(queue)
    target = _array_of(destination, queue)
    given, along = scatter(target, source, indices, axis, queue, mode, flag)
    return _moves.indexed("scatter", given, along, target,
                          _moves.queue_for(queue, target, given, along.array), wait_for)


__all__ = ["index_copy", "take"]
