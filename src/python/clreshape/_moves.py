"""Enqueues moves, fills and assemblies. Each gives an event.

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
    """Returns the given queue, or the queue of the first array that has a queue."""
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


def check_writable(array):
    if array.readonly:
        raise ArgumentError(array._origin.readonly)


def _enqueue(name, sources, targets, queue, wait_for, *arguments):
    """Calls clrs_enqueue_NAME, waiting for the caller's events and the arrays' events. Records the
    event in the arrays, and returns the event."""
    arrays = (*sources, *targets)
    own = (event for array in arrays for event in array._origin.waits(queue))
    waits, handle = _opencl.WaitList([*wait_for, *own]), C.c_void_p()
    on = _structs.STRUCTS["clrs_on"](queue.int_ptr, len(waits.events), waits.address)
    _library.call(f"enqueue_{name}", *arguments, C.byref(on), C.byref(handle))
    event = _opencl.Event(handle.value, retain=False)
    for source in sources:
        source._origin.read_by(event, queue)
    for target in targets:
        target._origin.record(event)
    return event


def _write_all(name, sources, targets, queue, wait_for, *arguments):
    """As _enqueue, but checks that the targets may be written."""
    for target in targets:
        check_writable(target)
    return _enqueue(name, sources, targets, queue, wait_for, *arguments)


def _write(name, sources, target, queue, wait_for, *arguments):
    return _write_all(name, sources, [target], queue, wait_for, *arguments)


def move(source, target, queue, wait_for):
    """Moves the source's elements into a target of the same shape and dtype."""
    return _write("move", [source], target, queue, wait_for, source._tensor.handle,
                  target._tensor.handle)


def read(source, address, queue, wait_for):
    """Reads the source's elements, dense and row-major, into source.nbytes bytes of host memory.
    Blocks."""
    if source.nbytes:
        _enqueue("read", [source], [], queue_for(queue, source), wait_for,
                 source._tensor.handle, address, source.nbytes).wait()


def fill(target, element, queue, wait_for):
    """Writes an element, given as bytes, to each place of the target."""
    return _write("fill", [], target, queue, wait_for, target._tensor.handle, element)


def concatenate(sources, axis, target, queue, wait_for):
    handles = _tensor.handles_of(source._tensor for source in sources)
    return _write("concat", sources, target, queue, wait_for, len(sources), handles, axis,
                  target._tensor.handle, None)


def prepared_work(context, add):
    """Returns the handle of a new prepared clrs_work with the tasks that add(handle) adds."""
    handle = C.c_void_p()
    _library.call("work_create", context.handle, C.byref(handle))
    try:
        add(handle)
        _library.call("work_prepare", handle)
    except Exception:
        _library.function("work_release")(handle)
        raise
    return handle


def work(sources, targets, handle, queue, wait_for):
    return _enqueue("work", sources, targets, queue, wait_for, handle, 0, None)


class Border:
    """The begins of sources in the target, and the border: an Array, the bytes of an element, or,
    for a pad, the number of a mode."""

    def __init__(self, begins=None, array=None, element=None, mode=0, ends=None):
        self.begins = None if begins is None else _structs.int64s(begins)
        self.ends = None if ends is None else _structs.int64s(ends)
        self.array, self.mode = array, mode
        self._element = None if element is None else C.create_string_buffer(element)

    @property
    def address(self):
        return self._element and C.cast(self._element, C.c_void_p)

    def padding(self, behind):
        """Returns the clrs_padding of a pad, which this border keeps valid. `behind` is the text of
        operations on the padded elements, or None."""
        chain = self._chain = None if behind is None else _tensor.parsed(behind)
        return _structs.STRUCTS["clrs_padding"](
            self.begins, self.address, self.mode, self.ends, chain and C.addressof(chain),
            chain and C.pointer(_tensor.NUMPY_RULES))


def stack(sources, border, target, queue, wait_for):
    """Moves the sources to the indices of the target's first dim."""
    handles = _tensor.handles_of(source._tensor for source in sources)
    around = [] if border.array is None else [border.array]
    told = _structs.Stack(len(sources), C.cast(handles, C.c_void_p), border.begins,
                          around[0]._tensor.handle if around else None, border.address)
    return _write("stack", [*sources, *around], target, queue, wait_for, C.byref(told),
                  target._tensor.handle)


def pad(source, border, target, queue, wait_for, behind=None):
    """Moves the source into the target, and fills the border with an element, or with the source's
    own elements. `behind` is the text of operations on the padded elements."""
    return _write("pad", [source], target, queue, wait_for, source._tensor.handle,
                  C.byref(border.padding(behind)), target._tensor.handle, None)


class Indices:
    """An Array of indices along an axis, and the treatment of indices out of range. `outside` is
    the name of a clrs_outside. `element` is bytes or None. `flag` is an Array or None."""

    def __init__(self, array, axis, outside, element=None, flag=None):
        self.array, self.flag = array, flag
        self._element = None if element is None else C.create_string_buffer(element)
        is_clamped = outside == "CLRS_OUTSIDE_CLAMPED"  # NumPy's "clip" maps -1 to 0
        self.struct = _structs.STRUCTS["clrs_indices"](
            array._tensor.handle, axis, not is_clamped, _structs.value("clrs_outside", outside),
            self._element and C.cast(self._element, C.c_void_p),
            None if flag is None else flag._tensor.handle)


def indexed(name, source, indices, target, queue, wait_for):
    """Calls clrs_enqueue_gather or clrs_enqueue_scatter."""
    targets = [target] if indices.flag is None else [target, indices.flag]
    no_result = [None] if name == "gather" else []
    return _write_all(name, [source, indices.array], targets, queue, wait_for,
                      source._tensor.handle, C.byref(indices.struct), target._tensor.handle,
                      *no_result)


def refuse_copy(array):
    """Raises WouldCopyError, with the reason why no strided layout describes the view."""
    plan = C.create_string_buffer(_structs.plan_size())
    _library.call("tensor_plan", array._tensor.handle, None, NEVER, plan)
