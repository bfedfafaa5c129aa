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


def check_writable(array):
    if array.readonly:
        raise ArgumentError(array._origin.readonly)


def byte_range(tensor):
    found = _structs.STRUCTS["clrs_byte_range"]()
    _library.call("tensor_bytes", tensor.handle, C.byref(found))
    return found


def _enqueue(name, queue, wait_for, reads, *arguments):
    """Calls clrs_enqueue_NAME with the events that the arrays of `reads` wait for besides."""
    waits = _opencl.WaitList([*wait_for, *(event for array in reads
                                           for event in array._origin.waits(queue))])
    event = C.c_void_p()
    _library.call(f"enqueue_{name}", *arguments, queue.int_ptr, len(waits.events), waits.array,
                  C.byref(event))
    return _opencl.Event(event.value, retain=False)


def _finish(target, event):
    target._origin.record(event)
    return event


def move(source, target, queue, wait_for):
    """The source's elements into a target of the same shape and dtype."""
    check_writable(target)
    return _finish(target, _enqueue("move", queue, wait_for, (source, target),
                                    target._tensor.context.handle, source._tensor.handle,
                                    target._tensor.handle))


def fill(target, element, queue, wait_for):
    """An element, as bytes, into each place of the target."""
    check_writable(target)
    return _finish(target, _enqueue("fill", queue, wait_for, (target,),
                                    target._tensor.context.handle, target._tensor.handle, element))


def concatenate(sources, axis, target, queue, wait_for):
    check_writable(target)
    handles = _tensor.handles_of(source._tensor for source in sources)
    return _finish(target, _enqueue("concat", queue, wait_for, (*sources, target),
                                    target._tensor.context.handle, len(sources), handles, axis,
                                    target._tensor.handle))


def stack(sources, target, queue, wait_for):
    """The sources as the indices of the target's first dim."""
    check_writable(target)
    handles = _tensor.handles_of(source._tensor for source in sources)
    told = _structs.Stack(len(sources), C.cast(handles, C.c_void_p), None, None, None)
    return _finish(target, _enqueue("stack", queue, wait_for, (*sources, target),
                                    target._tensor.context.handle, C.byref(told),
                                    target._tensor.handle))


def refuse_copy(array):
    """Raises WouldCopyError, with the reason why no strided layout is the view."""
    plan = C.create_string_buffer(_structs.plan_size())
    _library.call("tensor_plan", array._tensor.context.handle, array._tensor.handle, None, NEVER,
                  plan)
