# oneDNN's reorder on the CPU as a peer of casts and quantising, through the C interface, because
# oneDNN has no Python package. Numbers are the enumerators of dnnl_common_types.h and dnnl_types.h,
# version 3.
#
# SPDX-License-Identifier: Apache-2.0
import ctypes
import os
import sys

import numpy as np

CPU, DEFAULT_STREAM = 1, 1
F16, BF16, F32, S32, U8 = 1, 2, 3, 4, 6
FROM, TO, SCALES, ZERO_POINTS = 1, 17, 4096, 8192
NUMPY = {F16: np.float16, BF16: np.uint16, F32: np.float32, U8: np.uint8}


class Argument(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_int), ("memory", ctypes.c_void_p)]


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_int), ("minor", ctypes.c_int), ("patch", ctypes.c_int)]


def open_library():
    installed = os.path.join(sys.prefix, "lib", "libdnnl.so.3")
    return ctypes.CDLL(installed if os.path.exists(installed) else "libdnnl.so.3")


def version():
    function = open_library().dnnl_version
    function.restype = ctypes.POINTER(Version)
    found = function().contents
    return f"{found.major}.{found.minor}.{found.patch}"


class OneDnn:
    """Nothing is released: a peer lives as long as the process."""

    def __init__(self):
        self.dnnl = open_library()
        self.engine = self.make("dnnl_engine_create", CPU, ctypes.c_size_t(0))
        self.stream = self.make("dnnl_stream_create", self.engine, DEFAULT_STREAM)

    def call(self, name, *arguments):
        status = getattr(self.dnnl, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name}: status {status}")

    def make(self, name, *arguments):
        made = ctypes.c_void_p()
        self.call(name, ctypes.byref(made), *arguments)
        return made

    def memory(self, array, kind):
        shape = array.shape or (1,)
        dims = (ctypes.c_int64 * 12)(*shape)
        steps = (ctypes.c_int64 * 12)(*[step // array.itemsize for step in array.strides] or [1])
        described = self.make("dnnl_memory_desc_create_with_strides", len(shape), dims, kind, steps)
        return described, self.make("dnnl_memory_create", described, self.engine,
                                    ctypes.c_void_p(array.ctypes.data))

    def attributes(self, scaled):
        """A scale and a zero point for the side `scaled`."""
        attributes = self.make("dnnl_primitive_attr_create")
        self.call("dnnl_primitive_attr_set_scales_mask", attributes, scaled, 0)
        self.call("dnnl_primitive_attr_set_zero_points_mask", attributes, scaled, 0)
        return attributes

    def reorder(self, x, source, target, quantized=None):
        """A function that moves x, of the type `source`, into a new array of the type `target`.
        `quantized` is a side, the scale and the zero point."""
        result = np.empty(x.shape, NUMPY[target])
        (before, read), (after, written) = self.memory(x, source), self.memory(result, target)
        given = [(FROM, read), (TO, written)]
        attributes, kept = None, []
        if quantized is not None:
            side, scale, zero_point = quantized
            kept = [np.array([scale], np.float32), np.array([zero_point], np.int32)]
            attributes = self.attributes(side)
            given += [(SCALES | side, self.memory(kept[0], F32)[1]),
                      (ZERO_POINTS | side, self.memory(kept[1], S32)[1])]
        described = self.make("dnnl_reorder_primitive_desc_create", before, self.engine, after,
                              self.engine, attributes)
        primitive = self.make("dnnl_primitive_create", described)
        arguments = (Argument * len(given))(*[(side, memory.value) for side, memory in given])

        def run(_kept=(x, kept)):
            self.call("dnnl_primitive_execute", primitive, self.stream, len(given), arguments)
            self.call("dnnl_stream_wait", self.stream)
            return result
        return run


def open_onednn():
    """None if the library is not installed."""
    try:
        return OneDnn()
    except OSError:
        return None
