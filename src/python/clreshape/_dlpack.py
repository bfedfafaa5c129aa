"""DLPack import and export: capsules, and producers of capsules, of the device type kDLOpenCL.

The tensor's pointer is the cl_mem, and byte_offset leads to the first element.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes as C
import functools
import pathlib
import sys
import weakref
from typing import TYPE_CHECKING, Any

from . import _array, _context, _dtypes, _library, _opencl, _tensor
from ._errors import ArgumentError, KindError, OpenCLError, UnsupportedError

if TYPE_CHECKING:
    from ._types import QueueLike

OPENCL = 4  # kDLOpenCL
VERSION = (1, 3)
READ_ONLY, IS_COPIED = 1, 2
CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "complex": 5, "bool": 6}
SPECIAL = {(10, 8): "f8e4m3fn", (11, 8): "f8e4m3fnuz", (12, 8): "f8e5m2", (13, 8): "f8e5m2fnuz",
           (14, 8): "f8e8m0", (15, 6): "f6e2m3", (16, 6): "f6e3m2", (17, 4): "f4e2m1",
           (4, 16): "bf16", (6, 8): "bool", (5, 64): "c64", (5, 128): "c128", (1, 1): "bits1"}
# DLPack's first bit is the lowest of a byte, as for bits1. The first bit of u1 is the highest.
TYPES = {(code, int(name[1:])): name for letter, code in (("i", 0), ("u", 1), ("f", 2))
         for name in _dtypes.NUMBERS if name[0] == letter and name[1:].isdigit()} | SPECIAL
TYPE_OF = {name: key for key, name in TYPES.items()}


class Device(C.Structure):
    _fields_ = [("type", C.c_int32), ("index", C.c_int32)]


class Type(C.Structure):
    _fields_ = [("code", C.c_uint8), ("bits", C.c_uint8), ("lanes", C.c_uint16)]


class DLTensor(C.Structure):
    _fields_ = [("data", C.c_void_p), ("device", Device), ("ndim", C.c_int32), ("dtype", Type),
                ("shape", C.POINTER(C.c_int64)), ("strides", C.POINTER(C.c_int64)),
                ("byte_offset", C.c_uint64)]


class Managed(C.Structure):
    _fields_ = [("tensor", DLTensor), ("context", C.c_void_p), ("deleter", C.c_void_p)]


class Versioned(C.Structure):
    _fields_ = [("major", C.c_uint32), ("minor", C.c_uint32), ("context", C.c_void_p),
                ("deleter", C.c_void_p), ("flags", C.c_uint64), ("tensor", DLTensor)]


# Capsules keep pointers to names, so the names below stay alive. Each name has a struct, and the
# name of a used capsule.
FORMS = {b"dltensor": (Managed, b"used_dltensor"),
         b"dltensor_versioned": (Versioned, b"used_dltensor_versioned")}


def _python(name, result, *arguments):
    return C.PYFUNCTYPE(result, *arguments)((name, C.pythonapi))


_new_capsule = _python("PyCapsule_New", C.py_object, C.c_void_p, C.c_char_p, C.c_void_p)
_is_capsule = _python("PyCapsule_IsValid", C.c_int, C.py_object, C.c_char_p)
_pointer = _python("PyCapsule_GetPointer", C.c_void_p, C.py_object, C.c_char_p)
_rename = _python("PyCapsule_SetName", C.c_int, C.py_object, C.c_char_p)
_retain = _python("Py_IncRef", None, C.py_object)

# ---- out

# Structs that consumers hold, by address.
_exported = weakref.WeakValueDictionary()


@functools.lru_cache(maxsize=None)
def callback(name):
    """The address of a function of callbacks.c."""
    library = C.PyDLL(str(pathlib.Path(__file__).with_name("_callbacks.so")))
    return C.cast(getattr(library, name), C.c_void_p).value


def device_of(array):
    context = array._tensor.context
    return OPENCL, _opencl.devices_of_context(context.context).index(context.device)


def _describe(array, tensor):
    """Fills a DLTensor. Returns the arrays that the DLTensor points to."""
    name = _dtypes.NAMES[array.dtype.number]
    if name not in TYPE_OF:
        raise BufferError(f"DLPack has no type for {array.dtype.name}")
    strides, offset = array._tensor.layout()
    bits = offset * array.dtype.bits
    if bits % 8:
        raise BufferError("the first element begins within a byte")
    lists = (C.c_int64 * array.ndim)(*array.shape), (C.c_int64 * array.ndim)(*strides)
    buffer, start = array._tensor.storage
    tensor.data, tensor.byte_offset = buffer, start + bits // 8
    tensor.device = Device(*device_of(array))
    tensor.ndim, tensor.dtype = array.ndim, Type(*TYPE_OF[name], 1)
    tensor.shape, tensor.strides = (C.cast(one, C.POINTER(C.c_int64)) for one in lists)
    return lists


def capsule_of(array, versioned, flags=0):
    """Returns a capsule that keeps the array until the consumer is done."""
    name = b"dltensor_versioned" if versioned else b"dltensor"
    if array.readonly and not versioned:
        raise BufferError("the array is read-only, which only versioned capsules can say")
    managed = FORMS[name][0]()
    kept = managed, array, _describe(array, managed.tensor)
    managed.context = id(kept)
    managed.deleter = callback("clreshape_end_versioned" if versioned else "clreshape_end")
    if versioned:
        managed.major, managed.minor = VERSION
        managed.flags = flags | (READ_ONLY if array.readonly else 0)
    capsule = _new_capsule(C.addressof(managed), name, callback("clreshape_end_capsule"))
    _exported[C.addressof(managed)] = managed
    _retain(kept)  # until the deleter is called
    return capsule


def export(array, stream, max_version, dl_device, copy):
    """Implements Array.__dlpack__. DLPack has no events, so the function waits for the array's
    events, unless stream is -1."""
    if dl_device is not None and tuple(dl_device) != device_of(array):
        raise BufferError(f"the array is on device {device_of(array)}, not {tuple(dl_device)}")
    given = array
    if copy or array._tensor.layout() is None:
        if copy is False:
            raise BufferError("no strided layout is the view, and copy=False")
        given = array.contiguous(copy=True)
    if stream != -1:
        for event in given._origin.waits(None):
            _opencl.Event(event.int_ptr).wait()
    versioned = max_version is not None and max_version[0] >= 1
    return capsule_of(given, versioned, IS_COPIED if given is not array else 0)


# ---- in

class Owner:
    """A tensor that the library made of a producer's tensor. The last reference gives the memory
    back. This object holds a reference until all commands that use the bytes have ended."""

    _handle, uses = None, ()
    __reduce_ex__ = _opencl.refuse_to_pickle

    def __init__(self, tensor):
        self.uses, self._handle, self._release = [], tensor.handle, tensor._release
        _library.function("tensor_retain")(self._handle)

    def __del__(self):
        for event in self.uses:
            try:
                event.wait()
            except OpenCLError:
                pass  # the command failed, and so has ended
        if self._handle:
            self._release(self._handle)


class LentOrigin(_array.Origin):
    """The origin of memory that a producer may reuse once the memory is given back."""

    lends = True

    def record(self, event):
        super().record(event)
        self.read_by(event, None)

    def read_by(self, event, queue):
        _array.add_event(self.owner.uses, event)


def _take(capsule):
    """Returns (name, struct) of a capsule, and marks the capsule as used, so that no other thread
    takes the tensor."""
    for name, (form, used) in FORMS.items():
        if _is_capsule(capsule, name):
            managed = form.from_address(_pointer(capsule, name))
            _rename(capsule, used)
            return name, managed
    raise ArgumentError("the capsule holds no DLPack tensor, or one that was taken already")


def _context_for(managed, queue):
    """Returns the context for an unchecked struct. Reads only fields that the library reads
    first."""
    if isinstance(managed, Versioned) and managed.major != VERSION[0]:
        raise BufferError(f"DLPack {managed.major}.{managed.minor} is not known here")
    tensor = managed.tensor
    if tensor.device.type != OPENCL:
        raise KindError(f"the tensor is on DLPack's device type {tensor.device.type}; OpenCL is "
                        f"{OPENCL}")
    if queue is not None:
        return _context.context_of_queue(queue)
    if not tensor.data:
        raise ArgumentError("a tensor without elements tells no OpenCL context: give queue=")
    return _context.context_of_buffer(tensor.data, tensor.device.index)


def from_capsule(capsule, queue=None):
    """Returns an array over the tensor of a capsule. The capsule is used up unless an error is
    raised."""
    queue = _context.as_queue(queue)
    name, managed = _take(capsule)
    try:
        context = _context_for(managed, queue)
        tensor = _tensor.from_dlpack(context, managed, isinstance(managed, Versioned))
    except BaseException as error:
        _rename(capsule, name)  # the capsule stays the giver's
        if isinstance(error, UnsupportedError):
            raise KindError(str(error), error.status) from None
        raise
    is_readonly = getattr(managed, "flags", 0) & READ_ONLY
    readonly = "the destination is read-only, as its producer says" if is_readonly else ""
    return _array.Array(tensor, LentOrigin(queue, Owner(tensor), readonly))


def from_dlpack(producer: Any, queue: QueueLike = None) -> _array.Array:
    """An array over the tensor of a DLPack producer or capsule, without moving a byte.

    producer: has __dlpack__ and __dlpack_device__, of device type kDLOpenCL (4). A producer may
    also be a capsule, versioned or not, which is used up. queue: the queue of moves of the array,
    unless the move names another queue. The memory is given back when the array and all views are
    gone. Giving back waits for the moves that use the memory.
    """
    if CapsuleKind.matches(producer):
        return from_capsule(producer, queue)
    try:
        capsule = producer.__dlpack__(max_version=VERSION)
    except TypeError:  # a producer older than DLPack 1.0
        capsule = producer.__dlpack__()
    return from_capsule(capsule, queue)


class CapsuleKind:
    name = "dlpack"

    @staticmethod
    def matches(thing):
        return type(thing).__name__ == "PyCapsule"

    @staticmethod
    def wrap(thing, queue):
        return from_capsule(thing, queue)

    @staticmethod
    def show(array, like, must):
        del like, must
        return None if array._tensor.layout() is None else array.__dlpack__(max_version=VERSION)

    @staticmethod
    def new(like, dims, dtype, queue):
        del like
        made = _array.empty(dims, dtype, queue)
        return made, lambda: made.__dlpack__(max_version=VERSION)


class ProducerKind:
    """Objects of other packages. The package's from_dlpack makes the result. Without from_dlpack
    the result is an Array."""

    name = ""  # no name, because the kind of the result depends on the argument

    @staticmethod
    def matches(thing):
        device = getattr(thing, "__dlpack_device__", None)
        return device is not None and hasattr(thing, "__dlpack__") and device()[0] == OPENCL

    @staticmethod
    def wrap(thing, queue):
        return from_dlpack(thing, queue)

    @staticmethod
    def _to_package(array, like):
        package = sys.modules.get(type(like).__module__.partition(".")[0])
        convert = getattr(package, "from_dlpack", None)
        return convert(array) if convert else array

    @staticmethod
    def show(array, like, must):
        del must
        if array._tensor.layout() is None:
            return None
        return ProducerKind._to_package(array, like)

    @staticmethod
    def new(like, dims, dtype, queue):
        made = _array.empty(dims, dtype, queue)
        return made, lambda: ProducerKind._to_package(made, like)
