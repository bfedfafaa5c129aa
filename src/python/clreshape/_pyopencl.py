"""pyopencl arrays, with any strides, a queue of their own, and a list of events.

SPDX-License-Identifier: Apache-2.0
"""

from . import _array, _context, _dtypes, _tensor
from ._errors import ArgumentError, KindError


def _modules():
    import pyopencl
    import pyopencl.array
    return pyopencl, pyopencl.array


class PyopenclOrigin(_array.Origin):
    """The origin of a pyopencl array. `events` is the array's list, and `add_event` adds to the
    list."""

    def __init__(self, owner, queue):
        self.owner, self.readonly, self.queue = owner, "", queue

    @property
    def events(self):
        return self.owner.events

    def record(self, event):
        pyopencl, _ = _modules()
        self.owner.add_event(pyopencl.Event.from_int_ptr(event.int_ptr, retain=True))


def _place(array):
    """Returns (buffer, bytes from the buffer's start) of a pyopencl array."""
    if array.base_data is None:
        return None, 0
    handle = getattr(array.base_data, "int_ptr", None)
    if handle is None:
        raise KindError(f"the array's memory is a {type(array.base_data).__name__}; clreshape "
                        "takes buffers")
    return handle, array.offset


def _strides(array):
    size = array.dtype.itemsize
    if any(stride % size for stride in array.strides):
        raise ArgumentError(f"strides of {array.strides} bytes are no multiples of the {size} of "
                            "an element")
    return [stride // size for stride in array.strides]


def _own_queue(array, queue):
    """Returns the array's queue, or `queue` if both are the same."""
    if queue is not None and array.queue is not None and queue.int_ptr == array.queue.int_ptr:
        return queue
    return _context.as_queue(array.queue)


def _context_of(array, queue):
    if queue is not None:
        return _context.context_of_queue(queue)
    if array.context is None or len(array.context.devices) != 1:
        raise ArgumentError("the array has no queue: give queue=")
    return _context.context_for(array.context.int_ptr, array.context.devices[0].int_ptr)


def _numpy_dtype(dtype, like):
    """Returns the source's dtype if the elements are the same, so that structured types stay."""
    if like is not None and _dtypes.of_numpy(like.dtype) == dtype:
        return like.dtype
    return dtype.dtype


def _queue_object(queue, like):
    pyopencl, _ = _modules()
    if queue is None:
        return None
    if like is not None and like.queue is not None and like.queue.int_ptr == queue.int_ptr:
        return like.queue
    return pyopencl.CommandQueue.from_int_ptr(queue.int_ptr, retain=True)


def _data(array, owner):
    """Returns the buffer of an array. If the owner's object, which may be a pool's, has the handle,
    that object is returned."""
    data = getattr(owner, "base_data", None)
    if array.buffer is None or getattr(data, "int_ptr", None) == array.buffer:
        return data if array.buffer else None
    return _modules()[0].Buffer.from_int_ptr(array.buffer, retain=True)


class PyopenclKind:
    name = "pyopencl"

    @staticmethod
    def matches(thing):
        return any(one.__name__ == "Array" and one.__module__ == "pyopencl.array"
                   for one in type(thing).__mro__)

    @staticmethod
    def wrap(thing, queue):
        own = _own_queue(thing, queue)
        tensor = _tensor.wrap(_context_of(thing, queue or own), _place(thing),
                              _dtypes.of_numpy(thing.dtype), thing.shape, _strides(thing))
        return _array.Array(tensor, PyopenclOrigin(thing, own))

    @staticmethod
    def show(array, like, must):
        if array.strides is None or (array._origin.lends and not must):
            return None
        pyopencl, arrays = _modules()
        owner = array._origin.owner if like is None else like
        queue = _queue_object(array.queue, like)
        shown = arrays.Array(queue, array.shape, _numpy_dtype(array.dtype, like),
                             data=_data(array, owner), offset=array.offset, strides=array.strides,
                             events=getattr(owner, "events", None),
                             allocator=getattr(like, "allocator", None),
                             _context=None if queue else getattr(like, "context", None))
        if getattr(owner, "events", None) is None:
            for event in array.events:
                shown.add_event(pyopencl.Event.from_int_ptr(event.int_ptr, retain=True))
        return shown

    @staticmethod
    def new(like, dims, dtype, queue):
        _, arrays = _modules()
        made = arrays.Array(_queue_object(queue, like), dims, _numpy_dtype(dtype, like),
                            allocator=getattr(like, "allocator", None))
        return PyopenclKind.wrap(made, queue), lambda: made
