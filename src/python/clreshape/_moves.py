"""What is enqueued: moves, fills and assemblies, each of which gives an event.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C

from . import _context, _library, _opencl, _structs, _tensor
from ._errors import ArgumentError

NEVER = _structs.value("clrs_copy_policy", "CLRS_COPY_NEVER")


def as_event(event):
    if isinstance(event, _opencl.Event):
        return event
    return _opencl.Event(_opencl.handle_of(event, "event"))


def queue_for(queue, *arrays):
    """The queue that was asked for, else that of the first array that has one."""
    queue = _context.as_queue(queue)
    for array in arrays:
        queue = queue or array.queue
    if queue is None:
        raise ArgumentError("there is no queue to enqueue the move on: give queue=")
    return queue


def byte_range(tensor):
    found = _structs.STRUCTS["clrs_byte_range"]()
    _library.call("tensor_bytes", tensor.handle, C.byref(found))
    return found


class Command:
    """A call of clrs_enqueue_NAME that reads the sources and writes the target."""

    def __init__(self, sources, target, queue, wait_for):
        self.sources, self.target, self.queue, self.wait_for = sources, target, queue, wait_for
        self.handles = _tensor.handles_of(source._tensor for source in sources)

    def _waits(self):
        """What the caller waits for, and what the arrays do."""
        own = (event for array in (*self.sources, self.target)
               for event in array._origin.waits(self.queue))
        return _opencl.WaitList([*self.wait_for, *own])

    def enqueue(self, name, *arguments):
        """With what comes behind the context and before the target; returns the event."""
        return self._enqueue(name, *arguments, self.target._tensor.handle)

    def fill(self, element):
        return self._enqueue("fill", self.target._tensor.handle, element)

    def _enqueue(self, name, *arguments):
        if self.target.readonly:
            raise ArgumentError(self.target._origin.readonly)
        waits, handle = self._waits(), C.c_void_p()
        _library.call(f"enqueue_{name}", self.target._tensor.context.handle, *arguments,
                      self.queue.int_ptr, len(waits.events), waits.array, C.byref(handle))
        event = _opencl.Event(handle.value, retain=False)
        for source in self.sources:
            source._origin.read_by(event, self.queue)
        self.target._origin.record(event)
        return event


def move(source, target, queue, wait_for):
    """The source's elements into a target of the same shape and dtype."""
    command = Command([source], target, queue, wait_for)
    return command.enqueue("move", source._tensor.handle)


def fill(target, element, queue, wait_for):
    """An element, as bytes, into each place of the target."""
    return Command([], target, queue, wait_for).fill(element)


def concatenate(sources, axis, target, queue, wait_for):
    command = Command(sources, target, queue, wait_for)
    return command.enqueue("concat", len(sources), command.handles, axis)


class Border:
    """Where sources begin in the target, and what is around them: an Array, or an element's bytes."""

    def __init__(self, begins=None, array=None, element=None):
        self.begins = None if begins is None else _structs.int64s(begins)
        self.array = array
        self.element = None if element is None else C.create_string_buffer(element)


def stack(sources, border, target, queue, wait_for):
    """The sources as the indices of the target's first dim."""
    reads = sources if border.array is None else [*sources, border.array]
    command = Command(reads, target, queue, wait_for)
    told = _structs.Stack(len(sources), C.cast(command.handles, C.c_void_p), border.begins,
                          None if border.array is None else border.array._tensor.handle,
                          C.cast(border.element, C.c_void_p) if border.element else None)
    return command.enqueue("stack", C.byref(told))


def refuse_copy(array):
    """Raises WouldCopyError, with the reason why no strided layout is the view."""
    plan = C.create_string_buffer(_structs.plan_size())
    _library.call("tensor_plan", array._tensor.context.handle, array._tensor.handle, None, NEVER,
                  plan)
