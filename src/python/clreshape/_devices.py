"""Devices by name, with a context for each device and a queue for each thread, for callers without
OpenCL objects.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import os
import re
import threading

from . import _library, _opencl
from ._errors import ArgumentError, OpenCLError

VARIABLE = "CLRESHAPE_DEVICE"
TYPE_GPU, TYPE_ALL = 1 << 2, 0xFFFFFFFF
DEVICE_TYPE = 0x1000
DEVICE_NOT_FOUND, PLATFORM_NOT_FOUND = -1, -1001

_lock = threading.Lock()
_contexts = {}
_process = []  # id of the process that has started OpenCL
_of_thread = threading.local()


def _handles(name, *first):
    """Returns the list of a clGet...IDs function, or an empty list."""
    count = C.c_uint32()
    try:
        _opencl.call(name, *first, C.c_uint32(0), None, C.byref(count))
    except OpenCLError as error:
        if error.opencl_code in (DEVICE_NOT_FOUND, PLATFORM_NOT_FOUND):
            return []
        raise
    handles = (C.c_void_p * count.value)()
    _opencl.call(name, *first, count, handles, None)
    return list(handles)


def _listed():
    """Returns {"P:D": device}, as `clreshape devices` lists devices."""
    found = {}
    for i, platform in enumerate(_handles("clGetPlatformIDs")):
        devices = _handles("clGetDeviceIDs", C.c_void_p(platform), C.c_uint64(TYPE_ALL))
        found.update({f"{i}:{j}": device for j, device in enumerate(devices)})
    return found


def _is_gpu(device):
    return _opencl._info("clGetDeviceInfo", device, DEVICE_TYPE, C.c_uint64()) & TYPE_GPU


def _device(name):
    devices = _listed()
    if not devices:
        raise OpenCLError("there is no OpenCL device", "CLRS_OPENCL_ERROR", DEVICE_NOT_FOUND)
    if name is None:
        return next(filter(_is_gpu, devices.values()), next(iter(devices.values())))
    if name not in devices:
        raise ArgumentError(f"there is no device {name!r}; there are {', '.join(devices)}, as "
                            "`clreshape devices` lists them")
    return devices[name]


def _created(name, *arguments):
    function, code = getattr(_opencl._loader(), name), C.c_int32()
    function.restype = C.c_void_p
    handle = function(*arguments, C.byref(code))
    if code.value != 0:
        raise OpenCLError(f"{name} failed with {code.value}", "CLRS_OPENCL_ERROR", code.value)
    return handle


def _context(name):
    """Returns (context, device). All threads share a context, so that kernels are built once."""
    with _lock:
        if _process and _process[0] != os.getpid():
            raise ArgumentError("this process was forked from one that had started OpenCL, whose "
                                "drivers do not work in it: start processes by spawn")
        if name not in _contexts:
            _process[:] = [os.getpid()]
            device = _device(name)
            context = _created("clCreateContext", None, C.c_uint32(1),
                               C.byref(C.c_void_p(device)), None, None)
            _contexts[name] = context, device
        return _contexts[name]


def name_of(name):
    """Checks a device's name, "P:D" or None, and returns the name. Any other name is an error."""
    if name is not None and not re.fullmatch(r"\d+:\d+", str(name)):
        raise ArgumentError(f"a device is P:D, as `clreshape devices` lists them, not {name!r}")
    return name


def queue_of(name=None):
    """Returns this thread's queue on the device `name`. The default is CLRESHAPE_DEVICE, else the
    first GPU, else the first device. The queue lives as long as the thread, and the context as long
    as the process."""
    _library.library()
    name = name_of(name or os.environ.get(VARIABLE) or None)
    context, device = _context(name)
    queues = _of_thread.__dict__.setdefault("queues", {})
    if name not in queues:
        handle = _created("clCreateCommandQueue", C.c_void_p(context), C.c_void_p(device),
                          C.c_uint64(0))
        queues[name] = _opencl.Queue(handle, retain=False)
    return queues[name]
