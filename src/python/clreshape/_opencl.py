"""The few OpenCL calls that the package itself makes, through the loader that the library uses.

Handles are integers here. Other packages may bring another loader. An OpenCL object knows the
driver, so a handle is valid in all loaders.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes as C
import sys

from . import _library
from ._errors import ArgumentError, KindError, OpenCLError

MEM_CONTEXT, MEM_REFERENCES = 0x1106, 0x1105
QUEUE_CONTEXT, QUEUE_DEVICE = 0x1090, 0x1091
CONTEXT_DEVICES = 0x1081
EVENT_QUEUE, EVENT_STATUS = 0x11D0, 0x11D3
CODES = {-4: "CL_MEM_OBJECT_ALLOCATION_FAILURE", -5: "CL_OUT_OF_RESOURCES",
         -6: "CL_OUT_OF_HOST_MEMORY", -14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
         -34: "CL_INVALID_CONTEXT", -36: "CL_INVALID_COMMAND_QUEUE", -38: "CL_INVALID_MEM_OBJECT",
         -57: "CL_INVALID_EVENT_WAIT_LIST", -58: "CL_INVALID_EVENT"}

_functions = {}


def _loader():
    """Returns the library with OpenCL's functions. libclreshape exposes the functions of the loader
    that libclreshape is linked to, except on Windows."""
    if sys.platform == "win32":
        return C.CDLL("OpenCL.dll")
    return _library.library()


def _function(name):
    found = _functions.get(name)
    if found is None:
        found = _functions[name] = getattr(_loader(), name)
        found.restype = C.c_int32
    return found


def call(name, *arguments):
    """Calls an OpenCL function that returns a code."""
    code = _function(name)(*arguments)
    if code != 0:
        raise OpenCLError(f"{name} failed with {CODES.get(code, code)}", "CLRS_OPENCL_ERROR", code)


def _info(name, handle, question, result):
    """Returns a plain value from clGet*Info."""
    call(name, C.c_void_p(handle), C.c_uint32(question), C.c_size_t(C.sizeof(result)),
         C.byref(result), None)
    return result.value


def context_of_buffer(buffer):
    return _info("clGetMemObjectInfo", buffer, MEM_CONTEXT, C.c_void_p())


def references_of_buffer(buffer):
    return _info("clGetMemObjectInfo", buffer, MEM_REFERENCES, C.c_uint32())


def context_of_queue(queue):
    return _info("clGetCommandQueueInfo", queue, QUEUE_CONTEXT, C.c_void_p())


def device_of_queue(queue):
    return _info("clGetCommandQueueInfo", queue, QUEUE_DEVICE, C.c_void_p())


def queue_of_event(event):
    """Returns the handle of the event's queue, or None for a user event."""
    return _info("clGetEventInfo", event, EVENT_QUEUE, C.c_void_p())


def devices_of_context(context):
    size = C.c_size_t()
    call("clGetContextInfo", C.c_void_p(context), C.c_uint32(CONTEXT_DEVICES), C.c_size_t(0), None,
         C.byref(size))
    devices = (C.c_void_p * (size.value // C.sizeof(C.c_void_p)))()
    call("clGetContextInfo", C.c_void_p(context), C.c_uint32(CONTEXT_DEVICES), size, devices, None)
    return list(devices)


def write(queue, place, address):
    """Writes host memory to the bytes of a clrs_byte_range. Blocks."""
    call("clEnqueueWriteBuffer", C.c_void_p(queue), C.c_void_p(place.buffer), C.c_uint32(1),
         C.c_size_t(place.offset), C.c_size_t(place.size), C.c_void_p(address), C.c_uint32(0), None,
         None)


def refuse_to_pickle(self, protocol):
    """The __reduce_ex__ of objects with handles. A copy would release the handles twice."""
    del protocol
    raise KindError(f"a {type(self).__name__} cannot be pickled or copied: it has handles of "
                    "OpenCL's, which are of one process (pickle an array's get())")


class Object:
    """A reference to an OpenCL object, released with the Python object. `int_ptr` is the handle, as
    in pyopencl."""

    _name = ""  # as in clRetain..., clRelease...
    __reduce_ex__ = refuse_to_pickle

    int_ptr: int

    def __init__(self, handle: int, retain: bool = True) -> None:
        self.int_ptr = 0
        self._release = _function(f"clRelease{self._name}")
        self._release.argtypes = [C.c_void_p]
        if retain:
            call(f"clRetain{self._name}", C.c_void_p(handle))
        self.int_ptr = handle

    def __del__(self):
        if getattr(self, "int_ptr", 0):
            self._release(self.int_ptr)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.int_ptr == self.int_ptr

    def __hash__(self) -> int:
        return hash(self.int_ptr)


class Event(Object):
    """A cl_event. `int_ptr` is the handle, as `pyopencl.Event.from_int_ptr` takes handles."""

    _name = "Event"

    def wait(self) -> None:
        """Blocks until the command has ended. Raises OpenCLError if the command failed."""
        call("clWaitForEvents", C.c_uint32(1), C.byref(C.c_void_p(self.int_ptr)))

    @property
    def is_complete(self) -> bool:
        return _info("clGetEventInfo", self.int_ptr, EVENT_STATUS, C.c_int32()) == 0


class Queue(Object):
    """A cl_command_queue of the caller, with the context and device, all as integers."""

    _name = "CommandQueue"

    context: int
    device: int

    def __init__(self, handle: int, retain: bool = True) -> None:
        super().__init__(handle, retain)
        self.context, self.device = context_of_queue(handle), device_of_queue(handle)

    def flush(self) -> None:
        call("clFlush", C.c_void_p(self.int_ptr))

    def marker(self) -> Event:
        """Returns an event that ends when all commands enqueued so far have ended."""
        event = C.c_void_p()
        call("clEnqueueMarkerWithWaitList", C.c_void_p(self.int_ptr), C.c_uint32(0), None,
             C.byref(event))
        self.flush()
        return Event(event.value, retain=False)

    def wait_for(self, event: Event) -> None:
        """Makes later commands of this queue wait for the event."""
        call("clEnqueueBarrierWithWaitList", C.c_void_p(self.int_ptr), C.c_uint32(1),
             C.byref(C.c_void_p(event.int_ptr)), None)


def handle_of(thing, what):
    """Returns the integer of a handle, of an object of this package, or of an object of
    pyopencl."""
    handle = getattr(thing, "int_ptr", thing)
    if isinstance(handle, int) and not isinstance(handle, bool) and handle:
        return handle
    raise ArgumentError(f"{what} must be an OpenCL handle, or an object with one in int_ptr, "
                        f"not {thing!r}")


class WaitList:
    """Events of any kind, kept alive while a call reads the list."""

    def __init__(self, events):
        self.events = list(events)
        handles = [handle_of(event, "an event of wait_for") for event in self.events]
        self.array = (C.c_void_p * len(handles))(*handles) if handles else None

    @property
    def address(self):
        return self.array and C.cast(self.array, C.c_void_p)
