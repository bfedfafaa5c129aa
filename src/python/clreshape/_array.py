"""The package's own array: a view of a buffer, or of mapped elements of a buffer.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes as C
import math
import operator
import threading
from typing import TYPE_CHECKING, Any, Iterator, Optional, SupportsIndex

from . import _context, _dtypes, _indexing, _library, _moves, _opencl, _tensor
from ._errors import ArgumentError, KindError

if TYPE_CHECKING:
    from ._dtypes import DType
    from ._opencl import Event, Queue
    from ._types import (Axes, DTypeLike, EventLike, Events, HostArray, Ints, Parameter, QueueLike)

EVENTS_KEPT = 16

_lock = threading.RLock()  # reentrant: the garbage collector may call in while the lock is held


def add_event(events, event):
    """Adds an event to a list of events. Complete events are removed now and then."""
    with _lock:
        if len(events) >= EVENTS_KEPT:
            events[:] = [old for old in events if not old.is_complete]
        events.append(event)


class Origin:
    """The state that all views of a buffer share: the owner of the bytes, the queue, and the events
    after which the bytes may be read. `readonly` is the reason why the bytes may not be written, or
    ""."""

    lends = False  # may other code reuse the bytes when the owner is gone?

    def __init__(self, queue=None, owner=None, readonly=""):
        self.queue, self.owner, self.readonly = queue, owner, readonly
        self.events = []

    def waits(self, queue):
        """Returns the events for which a command on this queue waits."""
        del queue
        return self.events

    def record(self, event):
        """Adds the event of a command that writes the bytes."""
        add_event(self.events, event)

    def read_by(self, event, queue):
        """Notes that a command on this queue reads the bytes until the event ends."""

    def used_by(self, event):
        """Notes that a command of the caller uses the bytes until the event ends."""


class PooledOrigin(Origin):
    """The origin of memory from the pool, which reuses the bytes when the last array of the bytes
    is gone. The library knows the queues of its own commands. used_by adds queues of the caller."""

    lends = True

    def __init__(self, queue, tensor):
        super().__init__(queue)
        self._told, self._tensor = {queue.int_ptr}, tensor

    def used_by(self, event):
        handle = _opencl.queue_of_event(event.int_ptr)
        if handle and handle not in self._told:
            _library.call("tensor_use_on", self._tensor.handle, handle)
            self._told.add(handle)


class Array:
    """A tensor in an OpenCL buffer. Operations are views: an operation takes some microseconds on
    the host and touches no byte, casts and normalising included. `contiguous`, `copy`, `to`, `get`
    and `copyto` move the elements, in one pass.

    shape: dims, as Python integers. dtype: a `clreshape.DType`.
    strides: bytes from one index of a dim to the next, or None for packed elements and for views
    that no strided layout describes.
    offset: bytes from the start of the buffer to the first element, or None if no strided layout
    describes the view.
    buffer: the cl_mem as an integer, or None without elements. queue: a `Queue`, or None.
    events: the events after which the elements may be read. All views of a buffer share the events.

    Immutable, except for the bytes and the events. Any number of threads may use one array.
    """

    __slots__ = ("_tensor", "_origin", "shape", "dtype", "__weakref__")

    shape: tuple[int, ...]
    dtype: DType

    def __init__(self, tensor: _tensor.Tensor, origin: Origin) -> None:
        self._tensor, self._origin = tensor, origin
        self.shape, self.dtype = tensor.dims, tensor.dtype

    def _derived(self, tensor):
        return Array(tensor, self._origin)

    def _chain(self, text):
        return self._derived(self._tensor.with_chain(text))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return (self.size * self.dtype.bits + 7) // 8

    @property
    def queue(self) -> Optional[Queue]:
        return self._origin.queue

    @property
    def readonly(self) -> bool:
        return bool(self._origin.readonly)

    @property
    def is_mapped(self) -> bool:
        """Are the elements computed when the elements are moved?"""
        return self._tensor.is_mapped

    @property
    def is_contiguous(self) -> bool:
        """Are the elements dense and row-major?"""
        return self._tensor.is_dense()

    @property
    def T(self) -> Array:
        return self.transpose()

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._origin.events)

    @property
    def event(self) -> Optional[Event]:
        """The last event, or None."""
        return self.events[-1] if self._origin.events else None

    def add_event(self, event: EventLike) -> None:
        """Adds an event for which every later read through this package waits. The memory of a
        result is not reused before the event has ended."""
        event = _moves.as_event(event)
        self._origin.used_by(event)
        self._origin.record(event)

    @property
    def buffer(self) -> Optional[int]:
        return None if self.is_mapped else self._tensor.storage[0]

    @property
    def strides(self) -> Optional[tuple[int, ...]]:
        layout = self._tensor.layout()
        if layout is None or self.dtype.bits % 8:
            return None
        return tuple(stride * self.dtype.itemsize for stride in layout[0])

    @property
    def offset(self) -> Optional[int]:
        layout = self._tensor.layout()
        return layout and self._tensor.storage[1] + layout[1] * self.dtype.bits // 8

    def __len__(self) -> int:
        if not self.shape:
            raise KindError("an array without dims has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, element: object) -> bool:
        """NumPy's answer, from a copy of the elements on the host."""
        return bool(element in self.get())

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> HostArray:
        """A copy on the host, which numpy.asarray takes."""
        if copy is False:
            raise ArgumentError("the elements are on a device: a NumPy array of them is a copy")
        host = self.get()
        return host if dtype is None else host.astype(dtype, copy=False)

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Array:
        del memo
        return self.copy()

    __reduce_ex__ = _opencl.refuse_to_pickle

    def __repr__(self) -> str:
        lies = "computed when moved" if self.is_mapped else f"strides={self.strides}"
        return f"clreshape.Array(shape={self.shape}, dtype={self.dtype.name!r}, {lies})"

    def __bool__(self) -> bool:
        """The truth value of the only element, as in NumPy. Blocks."""
        if self.size != 1:
            raise ArgumentError(f"an array of {self.size} elements is neither true nor false: "
                                "a.get().any() and a.get().all() are")
        return bool(self.get().item())

    def __eq__(self, other: object) -> Any:
        """Refused, because comparing would have to move the elements."""
        raise KindError("== does not compare elements on a device: a.get() == b.get() does, "
                        "and `a is b` compares objects")

    __ne__ = __eq__
    __hash__ = object.__hash__

    # ---- views, with the functions' options copy, out, queue and wait_for

    def reshape(self, *shape: Any, **options: Any) -> Array:
        """As clreshape.reshape. The dims may also be separate arguments."""
        return _operations.reshape(self, shape[0] if len(shape) == 1 else shape, **options)

    def transpose(self, *axes: Any, **options: Any) -> Array:
        """As clreshape.transpose. The axes may also be separate arguments."""
        return _operations.transpose(self, axes[0] if len(axes) == 1 else axes or None, **options)

    def rearrange(self, pattern: str, **lengths: Any) -> Array:
        """As clreshape.rearrange."""
        return _operations.rearrange(self, pattern, **lengths)

    def cast(self, dtype: DTypeLike, **rules: Any) -> Array:
        """As clreshape.cast. Nothing is computed yet."""
        return _operations.cast(self, dtype, **rules)

    astype = cast

    def view(self, dtype: Optional[DTypeLike] = None) -> Array:
        """The same bytes as elements of another type, as numpy.ndarray.view. If the widths differ,
        the last axis must be dense, and gets more or fewer elements. Example: bytes become packed
        int4, and back."""
        return _buffers.viewed(self, dtype)

    def squeeze(self, axis: Axes = None, **options: Any) -> Array:
        """As clreshape.squeeze."""
        return _numpy_names.squeeze(self, axis, **options)

    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex, **options: Any) -> Array:
        """As clreshape.swapaxes."""
        return _numpy_names.swapaxes(self, axis1, axis2, **options)

    def clip(self, min: Parameter = None, max: Parameter = None, **options: Any) -> Array:
        """As clreshape.clip. Nothing is computed yet."""
        return _numpy_names.clip(self, min, max, **options)

    def ravel(self, **options: Any) -> Array:
        """All elements in one dim, as a view."""
        return self.reshape(-1, **options)

    def flatten(self, **options: Any) -> Array:
        """All elements in one dim, as a copy."""
        return self.ravel().copy(**options)

    def normalize(self, mean: Parameter, std: Parameter, **rules: Any) -> Array:
        """As clreshape.normalize. Nothing is computed yet."""
        return _operations.normalize(self, mean, std, **rules)

    def __getitem__(self, index: Any) -> Array:
        if _listed_indices.has_lists(index):
            return _listed_indices.picked(self, index)
        return self._chain(_indexing.chain_of_index(index, self.shape))

    def __setitem__(self, index: Any, value: Any) -> None:
        if _listed_indices.has_lists(index):
            _listed_indices.put(self, index, value)
        else:
            _copies.copyto(self[index], value)

    # ---- moves

    def contiguous(self, **options: Any) -> Array:
        """As clreshape.contiguous."""
        return _operations.contiguous(self, **options)

    def copy(self, **options: Any) -> Array:
        """A new dense array of the same elements."""
        return self.contiguous(copy=True, **options)

    def to(self, kind: str, **options: Any) -> Any:
        """The array as another kind: "pyopencl", "umat", "dlpack" (a capsule) or "numpy".

        Options are copy, queue and wait_for. Memory of OpenCV, of a DLPack producer or of the pool
        is moved to become a pyopencl array. With copy=False the result is a view, and the caller
        must keep the owner.
        """
        return _kinds.convert(self, kind, **options)

    def tobytes(self, queue: QueueLike = None, wait_for: Events = ()) -> bytes:
        """The elements, dense and row-major, as Python bytes. Blocks. Unused bits of the last byte
        are 0."""
        content = (C.c_uint8 * self.nbytes)()
        _moves.read(self, C.addressof(content), queue, wait_for)
        used = self.size * self.dtype.bits % 8
        if used:  # u1 fills a byte from the highest bit on, other types from the lowest
            content[-1] &= 0x100 - (1 << 8 - used) if self.dtype == "uint1" else (1 << used) - 1
        return bytes(content)

    def get(self, queue: QueueLike = None, wait_for: Events = (), *,
            out: Optional[HostArray] = None) -> HostArray:
        """The elements as a NumPy array: a new array, or `out`, which must have the same shape and
        dtype and be dense and row-major. Blocks."""
        import numpy
        host = numpy.empty(self.shape, self.dtype.dtype) if out is None else out
        if out is not None:
            _check_host(out, self)
        _moves.read(self, host.ctypes.data, queue, wait_for)
        return host

    # ---- the protocol of DLPack

    def __dlpack__(self, stream: Any = None, max_version: Optional[tuple[int, int]] = None,
                   dl_device: Optional[tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        return _dlpack.export(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return _dlpack.device_of(self)


def _check_host(out, array):
    """Raises ArgumentError unless the array's elements can be read into this NumPy array."""
    wanted = array.dtype.dtype
    if getattr(out, "dtype", None) != wanted or out.shape != array.shape:
        raise ArgumentError(f"out is {_said(out)}; the result is {array.dtype.name} of shape {array.shape}")
    if not (out.flags.c_contiguous and out.flags.writeable):
        raise ArgumentError("out is read-only, or not dense and row-major, as what is read to must be")


def _said(thing):
    shape = getattr(thing, "shape", None)
    return f"a {type(thing).__name__}" if shape is None else f"{thing.dtype} of shape {shape}"


def dims_of(shape):
    """An integer or a tuple of integers as a tuple."""
    return tuple(map(operator.index, (shape,) if hasattr(shape, "__index__") else shape))


def empty(shape: Ints, dtype: DTypeLike, queue: QueueLike) -> Array:
    """A new array on the queue's device. The bytes are undefined.

    shape: an integer or a tuple of integers. dtype: any spelling of `clreshape.dtype`.
    """
    queue = _context.as_queue(queue)
    tensor = _tensor.allocate(_context.context_of_queue(queue), _dtypes.dtype(dtype), dims_of(shape))
    return Array(tensor, Origin(queue))


def result(dims, dtype, queue):
    """As empty, for the result of a command on the queue, in memory of the library's pool."""
    tensor = _tensor.allocate(_context.context_of_queue(queue), dtype, dims, queue)
    return Array(tensor, PooledOrigin(queue, tensor))


def to_device(host: Any, queue: QueueLike, dtype: Optional[DTypeLike] = None) -> Array:
    """A new array with the elements of a NumPy array, in the same shape. Blocks.

    dtype: the element type, of the same width, if NumPy's type is not the element type: "bfloat16"
    for uint16 codes, or "bits64" for the bytes of dates, records and text. Without dtype= dates,
    records, text and numbers of another byte order are refused. Python objects are always refused.
    """
    import numpy
    if _kinds.is_array(host):
        raise KindError(f"to_device takes arrays of the host; this {type(host).__name__} is on a "
                        "device, and asarray() gives an Array of it")
    host = numpy.asarray(host, order="C")
    if host.dtype.hasobject:
        raise KindError(f"elements of {host.dtype} are Python objects, which cannot be moved")
    kind = _dtypes.known(host.dtype) if dtype is None else _dtypes.dtype(dtype)
    if kind.bits != 8 * host.itemsize:
        raise ArgumentError(f"elements of {host.dtype} have not {kind.bits} bits, as {kind.name}")
    array = empty(host.shape, kind, queue)
    if host.size:
        _opencl.write(array.queue.int_ptr, _moves.byte_range(array._tensor), host.ctypes.data)
    return array


from . import _buffers, _copies, _dlpack, _kinds, _listed_indices, _numpy_names, _operations  # Array and these modules need each other
