"""The OpenCL device of tests/conformance/chains, and buffers on it that are NumPy arrays of bytes here.

SPDX-License-Identifier: Apache-2.0
"""

import atexit
import ctypes as C
import os
import sys

import numpy as np

TYPE_ALL = 0xFFFFFFFF
READ_WRITE = 1
EVENT_STATUS = 0x11D3
PLATFORM_NAME = 0x0902
DEVICE_NOT_FOUND = -1
PLATFORM_NOT_FOUND = -1001  # of the loader

# A separate handle, so that calls from here do not pass through the shim.
_opencl = C.CDLL("libOpenCL.so.1")
for _name in ("clCreateContext", "clCreateCommandQueue", "clCreateBuffer"):
    getattr(_opencl, _name).restype = C.c_void_p


def check(code):
    if code != 0:
        raise RuntimeError(f"OpenCL says {code}")


def _first_device():
    count = C.c_uint32()
    platforms = (C.c_void_p * 16)()
    code = _opencl.clGetPlatformIDs(16, platforms, C.byref(count))
    if code == PLATFORM_NOT_FOUND:
        return None
    check(code)
    for platform in platforms[:count.value]:
        device = C.c_void_p()
        code = _opencl.clGetDeviceIDs(C.c_void_p(platform), C.c_uint64(TYPE_ALL), 1,
                                      C.byref(device), None)
        if code == 0:
            return device
        if code != DEVICE_NOT_FOUND:
            check(code)
        _check_not_pocl(C.c_void_p(platform))
    return None


def _check_not_pocl(platform):
    """PoCL has the CPU, unless PoCL could not start: then PoCL reports no device."""
    name = C.create_string_buffer(100)
    _opencl.clGetPlatformInfo(platform, PLATFORM_NAME, C.c_size_t(100), name, None)
    if name.value == b"Portable Computing Language" and "POCL_DEVICES" not in os.environ:
        raise RuntimeError("PoCL offers no device; its cache folder cannot be written, most "
                           "likely: set POCL_CACHE_DIR to one that can")


class Device:
    """The first device with one queue in order. Without a device the program ends like the tests.
    """

    def __init__(self):
        self.device = _first_device()
        if self.device is None:
            required = os.environ.get("CLRS_REQUIRE_DEVICE") == "1"
            print("no OpenCL device" + (", but one is required" if required else ": skipped"))
            sys.exit(1 if required else 77)
        code = C.c_int32()
        self.context = C.c_void_p(_opencl.clCreateContext(None, 1, C.byref(self.device), None,
                                                          None, C.byref(code)))
        check(code.value)
        self.queue = C.c_void_p(_opencl.clCreateCommandQueue(self.context, self.device,
                                                             C.c_uint64(0), C.byref(code)))
        check(code.value)
        atexit.register(self.close)

    def close(self):
        check(_opencl.clReleaseCommandQueue(self.queue))
        check(_opencl.clReleaseContext(self.context))

    def buffer(self, content):
        return Buffer(self, content)

    def read(self, handle, size):
        content = np.empty(size, np.uint8)
        if size:
            check(_opencl.clEnqueueReadBuffer(self.queue, C.c_void_p(handle), 1, C.c_size_t(0),
                                              C.c_size_t(size), content.ctypes, 0, None, None))
        return content

    def write(self, handle, content):
        check(_opencl.clEnqueueWriteBuffer(self.queue, C.c_void_p(handle), 1, C.c_size_t(0),
                                           C.c_size_t(content.size), content.ctypes, 0, None,
                                           None))

    def finish(self, event):
        """Waits, and requires that the command ran."""
        check(_opencl.clWaitForEvents(1, C.byref(event)))
        status = C.c_int32(99)
        check(_opencl.clGetEventInfo(event, EVENT_STATUS, C.c_size_t(4), C.byref(status), None))
        check(_opencl.clReleaseEvent(event))
        if status.value != 0:
            raise RuntimeError(f"the command ended as {status.value}")

    def size_of(self, handle):
        size = C.c_size_t()
        check(_opencl.clGetMemObjectInfo(C.c_void_p(handle), 0x1102, C.c_size_t(8), C.byref(size),
                                         None))
        return size.value

    def references(self, handle):
        count = C.c_uint32()
        check(_opencl.clGetMemObjectInfo(C.c_void_p(handle), 0x1105, C.c_size_t(4),
                                         C.byref(count), None))
        return count.value


class Buffer:
    """A cl_mem filled with bytes, released with the Python object."""

    def __init__(self, device, content):
        code = C.c_int32()
        self.device = device
        self.size = content.size
        self.handle = _opencl.clCreateBuffer(device.context, C.c_uint64(READ_WRITE),
                                             C.c_size_t(content.size), None, C.byref(code))
        check(code.value)
        device.write(self.handle, content)

    def __del__(self):
        check(_opencl.clReleaseMemObject(C.c_void_p(self.handle)))

    def read(self):
        return self.device.read(self.handle, self.size)
