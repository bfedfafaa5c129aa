"""Writing into arrays that are there.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C

from . import (_context, _dtypes, _kinds, _library, _maps, _moves, _opencl, _operations, _structs,
               _tensor)
from ._errors import ArgumentError


def broadcast(array, dims):
    """The array as a view of these dims, as NumPy broadcasts."""
    if array.shape == tuple(dims):
        return array
    if array.ndim > len(dims) or any(have not in (1, want) for have, want in
                                     zip(array.shape[::-1], dims[::-1])):
        raise ArgumentError(f"shape {array.shape} does not broadcast to {tuple(dims)}")
    return array._chain("expand=" + ",".join(map(str, dims)))


def _given_for(target, source, queue):
    """The source as an Array of the target's shape and dtype."""
    given = _kinds.Taken(source, queue).array
    _kinds.check_same_numbers(given, target)
    with _dtypes.byte_order_named(_kinds.dtype_of(target)):
        given = _operations.cast(given, target.dtype)
    return broadcast(given, target.shape)


def _as_number(source):
    """A Python number, also of NumPy's scalars; None for anything else."""
    if isinstance(source, (bool, int, float, complex)):
        return source
    is_scalar = hasattr(source, "item") and getattr(source, "shape", None) == ()
    return source.item() if is_scalar and not _kinds.is_array(source) else None


def copyto(destination, source, *, queue=None, wait_for=()):
    """Writes the source into the destination, a view of any layout: `destination[...] = source`.

    source: an array that NumPy would broadcast to the destination's shape; other elements are cast
    by NumPy's rules, in the same pass. Or a number: an integer that the destination's integers do
    not hold is an OverflowError. The two must not share a byte. Returns the event.
    """
    queue = _context.as_queue(queue)
    target = _kinds.Taken(destination, queue).array
    number = _as_number(source)
    if number is not None:
        with _dtypes.byte_order_named(_kinds.dtype_of(target)):
            element = _maps.scalar(number, target.dtype)
        return _moves.fill(target, element, _moves.queue_for(queue, target), wait_for)
    given = _given_for(target, source, queue)
    return _moves.move(given, target, _moves.queue_for(queue, target, given), wait_for)


class Batch:
    """Many copies, as copyto makes them, in as few launches as their kernels allow: checked,
    planned and told to the device once, to be enqueued any number of times.

    pairs: (destination, source) of each; arrays only, no numbers. They are on one device, and no
    destination shares a byte with another or with a source. queue: where `enqueue` does it. Any
    number of threads may enqueue one; it keeps the arrays. launches: how many there are.
    """

    __reduce_ex__ = _opencl.refuse_to_pickle

    def __init__(self, pairs, *, queue=None):
        queue = _context.as_queue(queue)
        self._targets = [_kinds.Taken(destination, queue).array for destination, _ in pairs]
        self._sources = [_given_for(target, source, queue)
                         for target, (_, source) in zip(self._targets, pairs)]
        if not self._targets:
            raise ArgumentError("a batch has a pair at least")
        self.queue = _moves.queue_for(queue, *self._targets, *self._sources)
        for target in self._targets:
            _moves.check_writable(target)
        self._release = _library.function("batch_release")
        self._handle = self._create()
        self.launches = _library.function("batch_launches")(self._handle)

    def _create(self):
        sources, targets = (_tensor.handles_of(one._tensor for one in arrays)
                            for arrays in (self._sources, self._targets))
        moves = _structs.STRUCTS["clrs_batch_moves"](
            len(self._targets), C.cast(sources, C.c_void_p), C.cast(targets, C.c_void_p))
        handle = C.c_void_p()
        context = self._targets[0]._tensor.context
        _library.call("batch_create", context.handle, C.byref(moves), C.byref(handle))
        return handle

    def __del__(self):
        if getattr(self, "_handle", None):
            self._release(self._handle)

    def __len__(self):
        return len(self._targets)

    def enqueue(self, *, wait_for=()):
        """Makes the copies; returns the event."""
        return _moves.batch(self._sources, self._targets, self._handle, self.queue, wait_for)


__all__ = ["Batch", "copyto"]
