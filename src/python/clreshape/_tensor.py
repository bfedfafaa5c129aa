"""A clrs_tensor: a view of a buffer, which the library holds.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C

from . import _dtypes, _library, _opencl, _structs
from ._errors import ArgumentError, WouldCopyError

NUMPY_RULES = _structs.Rules(_structs.value("clrs_dialect", "CLRS_NUMPY"),
                             _structs.value("clrs_zero_mode", "CLRS_ZERO_IS_LITERAL"))


def parsed(text):
    """Returns the clrs_chain of a text."""
    chain = _structs.Chain()
    if "\0" in text:
        raise ArgumentError(f"{text!r} holds a zero byte")
    _library.call("chain_parse", text.encode(), C.byref(chain))
    return chain


class Tensor:
    """An immutable clrs_tensor, released with the Python object."""

    __slots__ = ("context", "handle", "_release", "_layout")

    __reduce_ex__ = _opencl.refuse_to_pickle

    def __init__(self, context, handle):
        self._release = _library.function("tensor_release")
        self.handle, self.context, self._layout = handle, context, None

    def __del__(self):
        if getattr(self, "handle", None):
            self._release(self.handle)

    @property
    def view(self):
        """The struct itself, which lives as long as the tensor."""
        return _library.function("tensor_view")(self.handle).contents

    @property
    def dims(self):
        shape = self.view.shape
        return tuple(shape.dims[:shape.rank])

    @property
    def dtype(self):
        return _dtypes.numbered(self.view.dtype)

    @property
    def storage(self):
        """(buffer, bytes from the buffer's start to element 0 of the storage)."""
        storage = _library.function("tensor_storage")(self.handle)
        return storage.buffer, storage.byte_offset

    @property
    def is_mapped(self):
        """Are the elements computed when the tensor is moved?"""
        return _library.function("tensor_is_mapped")(self.handle)

    def _struct(self):
        """Returns the clrs_layout of the tensor, or None if no strided layout exists."""
        if self._layout is None:
            self._layout = _structs.Layout()
            try:
                _library.call("view_layout", C.byref(self.view), C.byref(self._layout))
            except WouldCopyError:
                self._layout = False
        return None if self.is_mapped else self._layout or None

    def layout(self):
        """Returns (strides, offset) of the strided layout, in elements, or None."""
        layout = self._struct()
        return layout and (tuple(layout.strides[:layout.rank]), layout.offset)

    def is_dense(self):
        """Are the elements dense and row-major, from any offset on?"""
        layout = self._struct()
        return layout is not None and _library.function("layout_is_dense")(C.byref(layout))

    def _made(self, name, *arguments):
        result = C.c_void_p()
        _library.call(name, self.handle, *arguments, C.byref(result))
        return Tensor(self.context, result)

    def with_chain(self, text):
        """Returns the tensor after the operations of a text, under NumPy's rules."""
        return self._made("tensor_with_chain", C.byref(parsed(text)), C.byref(NUMPY_RULES))

    def with_map(self, made, parameters=None):
        """Returns the tensor through a map. `parameters` is a clrs_parameter_tensors, or None."""
        return self._made("tensor_with_map", C.byref(made),
                          C.byref(parameters) if parameters is not None else None)


def _layout(dtype, dims, strides):
    layout = _structs.Layout()
    _library.call("layout_init", dtype.number, C.byref(_structs.shape_of(dims)),
                  None if strides is None else _structs.int64s(strides), 0, C.byref(layout))
    return layout


def wrap(context, place, dtype, dims, strides=None):
    """Returns a view of a caller's buffer. `place` is (buffer, bytes from the start). Strides are
    in elements, None for dense and row-major."""
    result = C.c_void_p()
    _library.call("tensor_wrap", context.handle, C.byref(_structs.Storage(*place)),
                  C.byref(_layout(dtype, dims, strides)), C.byref(result))
    return Tensor(context, result)


def from_dlpack(context, managed, is_versioned):
    """Returns a view of the memory of a managed tensor of DLPack. On failure the caller still owns
    the managed tensor."""
    result = C.c_void_p()
    name = "tensor_from_dlpack_versioned" if is_versioned else "tensor_from_dlpack"
    _library.call(name, context.handle, C.addressof(managed), C.byref(result))
    return Tensor(context, result)


def allocate(context, dtype, dims, queue=None):
    """Returns a new dense tensor, whose bytes are undefined. With a queue the memory is from the
    library's pool, which takes the memory back when the last tensor of the memory is gone."""
    result = C.c_void_p()
    _library.call("tensor_allocate", context.handle, queue.int_ptr if queue else None,
                  dtype.number, C.byref(_structs.shape_of(dims)), C.byref(result))
    return Tensor(context, result)


def handles_of(tensors):
    return _structs.handles(tensor.handle.value for tensor in tensors)
