"""Many copies that are enqueued repeatedly.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes as C
from typing import TYPE_CHECKING, Any, Sequence

from . import _context, _copies, _indexed, _kinds, _library, _moves, _opencl
from ._errors import ArgumentError

if TYPE_CHECKING:
    from ._opencl import Event, Queue
    from ._types import Events, QueueLike


class Batch:
    """Many copies in as few launches as the kernels allow. The copies are checked, planned and sent
    to the device once, and enqueued any number of times.

    pairs: (destination, source) of each copy, as for copyto, with arrays only, no numbers. Or
    (destination, source, words), where words is a dict with the indices on the device as "take" or
    as "index_copy", and with the keywords of that function. A copy by indices is a launch of its
    own. All arrays are on one device. A copy waits for earlier copies that share a byte with the
    copy, if either writes the byte. Copies may share a flag. queue: the queue of `enqueue`. Any
    number of threads may enqueue a batch. A batch keeps the arrays. launches: the number of
    launches.
    """

    __reduce_ex__ = _opencl.refuse_to_pickle

    launches: int
    queue: Queue

    def __init__(self, pairs: Sequence[tuple[Any, ...]], *, queue: QueueLike = None) -> None:
        queue = _context.as_queue(queue)
        moves = [_move(queue, *pair) for pair in pairs]
        if not moves:
            raise ArgumentError("a batch has a pair at least")
        self._count = len(moves)
        named = [indices for *_, indices in moves if indices is not None]
        self._sources = [source for _, source, *_ in moves] + [one.array for one in named]
        self._targets = ([target for target, *_ in moves] +
                         [one.flag for one in named if one.flag is not None])
        self.queue = _moves.queue_for(queue, *self._targets, *self._sources)
        for target in self._targets:
            _moves.check_writable(target)
        self._release = _library.function("work_release")
        self._handle = _moves.prepared_work(self._targets[0]._tensor.context,
                                            lambda handle: [_add(handle, *move) for move in moves])
        self.launches = _library.function("work_launches")(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._release(self._handle)

    def __len__(self) -> int:
        return self._count

    def enqueue(self, *, wait_for: Events = ()) -> Event:
        """Enqueues the copies. Returns the event."""
        return _moves.work(self._sources, self._targets, self._handle, self.queue, wait_for)


def _add(work, target, source, name, indices):
    call = {None: "work_move", "take": "work_gather", "index_copy": "work_scatter"}[name]
    named = [] if indices is None else [C.byref(indices.struct)]
    _library.call(call, work, source._tensor.handle, *named, target._tensor.handle)


def _move(queue, destination, source, words=None):
    """Returns (target, source, name, indices). The last two are None for a plain copy."""
    target = _kinds.Taken(destination, queue).array
    if words is None:
        return target, _copies.given_for(target, source, queue), None, None
    names = [name for name in ("take", "index_copy") if name in words]
    if len(names) != 1:
        raise ArgumentError("the words of a copy by indices have either 'take' or 'index_copy'")
    rules = {word: words[word] for word in words if word not in (*names, "axis")}
    named = words[names[0]], words.get("axis", 0), queue
    if names == ["take"]:
        array = _kinds.Taken(source, queue).array
        indices, dims = _indexed.gather(array, *named, **rules)
        _kinds.check_out(target, array, dims)
        return target, array, "take", indices
    given, indices = _indexed.scatter(target, source, *named, **rules)
    return target, given, "index_copy", indices


__all__ = ["Batch"]
