"""Writes into existing arrays.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _context, _dtypes, _kinds, _maps, _moves, _operations
from ._errors import ArgumentError

if TYPE_CHECKING:
    from ._opencl import Event
    from ._types import Events, QueueLike


def broadcast(array, dims):
    """Returns the array as a view of these dims, as NumPy broadcasts."""
    if array.shape == tuple(dims):
        return array
    if array.ndim > len(dims) or any(have not in (1, want) for have, want in
                                     zip(array.shape[::-1], dims[::-1])):
        raise ArgumentError(f"shape {array.shape} does not broadcast to {tuple(dims)}")
    return array._chain("expand=" + ",".join(map(str, dims)))


def given_for(target, source, queue):
    """Returns the source as an Array of the target's shape and dtype."""
    return given_of(target, source, target.shape, queue)


def given_of(target, source, dims, queue):
    """Returns the source as an Array of these dims and of the target's dtype."""
    given = _kinds.Taken(source, queue).array
    _kinds.check_same_numbers(given, target)
    with _dtypes.byte_order_named(_kinds.dtype_of(target)):
        given = _operations.cast(given, target.dtype)
    return broadcast(given, dims)


def as_number(source):
    """Returns a Python number for a Python number or a NumPy scalar, else None."""
    if isinstance(source, (bool, int, float, complex)):
        return source
    is_scalar = hasattr(source, "item") and getattr(source, "shape", None) == ()
    return source.item() if is_scalar and not _kinds.is_array(source) else None


def copyto(destination: object, source: Any, *, queue: QueueLike = None, wait_for: Events = ()) -> Event:
    """Writes the source into the destination, a view of any layout: `destination[...] = source`.

    source: an array that NumPy would broadcast to the destination's shape. Other types are cast by
    NumPy's rules, in the same pass. Or a number. An integer that the destination's integers do not
    hold is an OverflowError. Source and destination must not share a byte. Returns the event.
    """
    queue = _context.as_queue(queue)
    target = _kinds.Taken(destination, queue).array
    number = as_number(source)
    if number is not None:
        with _dtypes.byte_order_named(_kinds.dtype_of(target)):
            element = _maps.scalar(number, target.dtype)
        return _moves.fill(target, element, _moves.queue_for(queue, target), wait_for)
    given = given_for(target, source, queue)
    return _moves.move(given, target, _moves.queue_for(queue, target, given), wait_for)


__all__ = ["copyto"]
