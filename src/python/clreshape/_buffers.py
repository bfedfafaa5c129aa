"""Arrays over existing bytes: over a buffer of the caller, or over an array as another type.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Optional, Sequence, SupportsIndex

from . import _array, _context, _dtypes, _opencl, _tensor
from ._errors import ArgumentError, KindError

if TYPE_CHECKING:
    from ._types import BufferLike, DTypeLike, Ints, QueueLike


def _context_of(buffer, queue):
    if queue is not None:
        return _context.context_of_queue(queue)
    if len(_opencl.devices_of_context(_opencl.context_of_buffer(buffer))) != 1:
        raise ArgumentError("the buffer's context has several devices: give queue=")
    return _context.context_of_buffer(buffer)


def _in_elements(strides, dims, dtype):
    """Converts strides from bytes to elements."""
    if dtype.bits % 8:
        raise ArgumentError(f"strides count bytes, and elements of {dtype.name} have {dtype.bits} bits: wrap "
                            f"the bytes as uint8 with strides, and view({dtype.name!r}) of that")
    strides = [operator.index(stride) for stride in strides]
    if len(strides) != len(dims):
        raise ArgumentError(f"there are {len(strides)} strides for {len(dims)} dims")
    if any(stride % dtype.itemsize for stride in strides):
        raise ArgumentError(f"strides of {tuple(strides)} bytes are no multiples of the {dtype.itemsize} of "
                            "an element")
    return [stride // dtype.itemsize for stride in strides]


def wrap(buffer: BufferLike, shape: Ints, dtype: DTypeLike, *, offset: SupportsIndex = 0,
         strides: Optional[Sequence[SupportsIndex]] = None, queue: QueueLike = None) -> _array.Array:
    """An Array over a buffer of the caller, as numpy.ndarray(shape, dtype, buffer, offset, strides)
    is an array over memory of the host. No byte is moved, and the array keeps the buffer.

    buffer: a pyopencl.Buffer, or a cl_mem as an integer.
    offset: bytes from the start of the buffer to the first element.
    strides: bytes from one index of a dim to the next, as multiples of the element's bytes. Strides
    may be 0 or negative. None is dense and row-major. Elements below 8 bits are dense: `wrap(b, (4,
    8), "uint8", strides=(64, 1)).view("int4")` has rows with gaps.
    queue: the queue of moves of the array, unless the move names another queue.

    An array that exceeds the buffer is a BoundsError.
    """
    queue, kind = _context.as_queue(queue), _dtypes.dtype(dtype)
    handle, start = _opencl.handle_of(buffer, "buffer"), operator.index(offset)
    dims = _array.dims_of(shape)
    if start < 0:
        raise ArgumentError(f"the offset of {start} bytes is before the buffer")
    steps = None if strides is None else _in_elements(strides, dims, kind)
    tensor = _tensor.wrap(_context_of(handle, queue), (handle, start), kind, dims, steps)
    return _array.Array(tensor, _array.Origin(queue, owner=buffer))


# ---- the same bytes as another type

def viewed(array, dtype):
    """Implements Array.view."""
    if dtype is None or (new := _dtypes.dtype(dtype)) == array.dtype:
        return array._derived(array._tensor)
    if "string" in (new.name, array.dtype.name):
        raise KindError("the bits of strings are not those of other types")
    return array._chain(f"bitcast={_dtypes.NAMES[new.number]}")


__all__ = ["wrap"]
