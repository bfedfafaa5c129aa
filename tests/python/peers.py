"""Shared by the tests with pyopencl: a queue, arrays and the comparison with NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import os
import sys

import numpy as np
import pyopencl
import pyopencl.array as arrays


def _context():
    """On the first device. Without a device the program ends like the tests."""
    try:
        platforms = pyopencl.get_platforms()
    except pyopencl.Error:
        platforms = []
    devices = [device for platform in platforms for device in platform.get_devices()]
    if devices:
        return pyopencl.Context(devices[:1])
    required = os.environ.get("CLRS_REQUIRE_DEVICE") == "1"
    print("no OpenCL device" + (", but one is required" if required else ": skipped"))
    sys.exit(1 if required else 77)


# Kept here, because with some drivers a queue does not keep the context.
CONTEXT = _context()
QUEUE = pyopencl.CommandQueue(CONTEXT)


def on_device(host, queue=QUEUE):
    """A dense pyopencl array of the same elements, with as many bytes as in NumPy."""
    return arrays.to_device(queue, np.array(host, order="C"))


def host_of(array):
    """The elements of a pyopencl array of any strides, without clreshape: the bytes, viewed by
    NumPy with strides and offset."""
    if not array.size:
        return np.empty(array.shape, array.dtype)
    content = np.empty(array.base_data.size, np.uint8)
    pyopencl.enqueue_copy(array.queue, content, array.base_data, wait_for=array.events)
    return np.ndarray(array.shape, array.dtype, content, array.offset, array.strides)


def same(array, expected):
    """A pyopencl array is a NumPy array: kind, shape, type and every element."""
    expected = np.asarray(expected)
    assert type(array) is arrays.Array, type(array)
    assert (array.shape, array.dtype) == (expected.shape, expected.dtype), (
        array.shape, array.dtype, expected.shape, expected.dtype)
    np.testing.assert_array_equal(host_of(array), expected)
