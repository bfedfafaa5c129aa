"""OpenCV's UMat: dense, on OpenCV's own queue, without events.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import math
import re

from . import _array, _context, _dtypes, _opencl, _tensor
from ._errors import KindError

DEPTHS = {"8U": "u8", "8S": "i8", "16U": "u16", "16S": "i16", "32U": "u32", "32S": "i32",
          "64U": "u64", "64S": "i64", "16F": "f16", "16BF": "bf16", "32F": "f32", "64F": "f64",
          "Bool": "bool"}
DEPTH_OF = {name: depth for depth, name in DEPTHS.items()}
CHANNELS = 4  # most channels of an image; more channels are another dim


def _cv2():
    import cv2
    return cv2


def _on_device(handle):
    """Checks a handle of OpenCV, which is 0 if OpenCV uses no device."""
    if not handle:
        raise KindError("the UMat is in the host's memory: OpenCV used no OpenCL device when it was "
                        "made (cv2.ocl.useOpenCL() says whether it does; the environment's "
                        "OPENCV_OPENCL_DEVICE names a device)")
    return handle


class UMatOrigin(_array.Origin):
    """OpenCV orders commands by an in-order queue. Commands on another queue wait for a marker on
    OpenCV's queue, and later commands on OpenCV's queue wait for those commands."""

    lends = True

    def __init__(self, owner, readonly=""):
        super().__init__(_opencl.Queue(_on_device(_cv2().UMat_queue())), owner, readonly)

    def waits(self, queue):
        return [] if queue == self.queue else [self.queue.marker()]

    def record(self, event):
        handle = _opencl.queue_of_event(event.int_ptr)
        if handle != self.queue.int_ptr:
            _opencl.Queue(handle).flush()
            self.queue.wait_for(event)

    def read_by(self, event, queue):
        """OpenCV reuses a buffer as soon as the UMat is gone."""
        if queue != self.queue:
            self.record(event)


def _described(umat):
    """Returns (dims, dtype) of a UMat. Python gets both only from this text of OpenCV."""
    text = _cv2().utils.dumpInputArray(umat)
    if "empty()=true" in text:
        raise KindError("the UMat is empty")
    found = re.search(r" dims\(-1\)=(\d+) size\(-1\)=(\S+x\S+|\[.*\]) "
                      r"type\(-1\)=CV_(\w+?)C\(?(\d+)", text)
    if not found or found[3] not in DEPTHS:
        raise KindError(f"a UMat that OpenCV describes as {text!r} is not known here")
    rank, channels = int(found[1]), int(found[4])
    sizes = [int(number) for number in re.findall(r"\d+", found[2])]
    dims = sizes if rank > 2 else sizes[::-1][2 - rank:]  # up to two dims: width x height
    dtype = _dtypes.numbered(_dtypes.NUMBERS[DEPTHS[found[3]]])
    return (*dims, channels) if channels > 1 else tuple(dims), dtype


def _new(dims, dtype):
    """Makes a UMat that NumPy would show with these dims."""
    cv2, depth = _cv2(), DEPTH_OF[_dtypes.NAMES[dtype.number]]
    channels = dims[2] if len(dims) == 3 and dims[2] <= CHANNELS else 1
    if len(dims) == 2 or channels > 1:
        return cv2.UMat(dims[0], dims[1], getattr(cv2, f"CV_{depth}C")(channels))
    import numpy  # Python can make a UMat of so many dims only from a NumPy array
    return cv2.UMat(numpy.empty(dims, dtype.dtype))


def _made(dims, dtype):
    """Makes a UMat, or raises KindError. The supported types depend on OpenCV's version."""
    try:
        made = _new(dims, dtype)
    except (AttributeError, KeyError, TypeError, _cv2().error):
        made = None
    if made is None or not math.prod(dims) or _described(made)[1] != dtype:
        raise KindError(f"OpenCV makes no UMat of {dtype.name} of shape {dims}")
    return made


def _wrap(umat, dims, dtype, access, readonly=""):
    origin = UMatOrigin(umat, readonly)
    place = _on_device(umat.handle(access)), umat.offset
    tensor = _tensor.wrap(_context.context_of_queue(origin.queue), place, dtype, dims)
    return _array.Array(tensor, origin)


class UMatKind:
    name = "umat"

    @staticmethod
    def matches(thing):
        return type(thing).__name__ == "UMat" and type(thing).__module__ == "cv2"

    @staticmethod
    def wrap(thing, queue):
        del queue
        cv2 = _cv2()
        dims, dtype = _described(thing)
        if thing.isContinuous():
            return _wrap(thing, dims, dtype, cv2.ACCESS_RW)
        # The UMat is a part of another UMat. OpenCV does not tell Python the distance of the rows.
        return _wrap(cv2.copyTo(thing, None), dims, dtype, cv2.ACCESS_READ,
                     "the destination is a part of another UMat, which cannot be written")

    @staticmethod
    def show(array, like, must):
        """Returns the owner if the array is the whole dense owner in the owner's shape, because a
        UMat cannot be made from a buffer. For a part of a UMat the owner is OpenCV's copy, which is
        no view."""
        del like
        owner = array._origin.owner
        if not UMatKind.matches(owner) or not array.is_contiguous or (must and array.readonly):
            return None
        return owner if _described(owner) == (array.shape, array.dtype) else None

    @staticmethod
    def new(like, dims, dtype, queue):
        del like, queue
        made = _made(dims, dtype)
        return _wrap(made, dims, dtype, _cv2().ACCESS_WRITE), lambda: made
