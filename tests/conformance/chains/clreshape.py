"""libclreshape through ctypes: as much of its public interface as tests/conformance/chains needs.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import json
import os
import re

I32, U32, I64, U64, SIZE = C.c_int32, C.c_uint32, C.c_int64, C.c_uint64, C.c_size_t

HEADERS = os.environ["CLRESHAPE_HEADERS"]


def _header(name):
    with open(os.path.join(HEADERS, "clreshape", name), encoding="utf-8") as file:
        return file.read()


_CORE_H = _header("core.h")
LIMITS = {name: int(value) for name, value in
          re.findall(r"#define CLRS_(\w+) (\d+)", _CORE_H)}


def _enum(name):
    """The enumerators of a public enum, as {name without CLRS_: value}."""
    body = re.search(r"typedef enum %s \{(.*?)\} %s;" % (name, name), _CORE_H, re.S).group(1)
    names = re.findall(r"CLRS_(\w+)", re.sub(r"/\*.*?\*/", "", body, flags=re.S))
    return {name: value for value, name in enumerate(names)}


STATUS = _enum("clrs_status")
DTYPES = _enum("clrs_dtype")
DTYPES.pop("DTYPE_COUNT")
STATUS_NAMES = {value: name for name, value in STATUS.items()}
COPY_NEVER, COPY_IF_NEEDED, COPY_ALWAYS = 0, 1, 2
MAX_RANK = LIMITS["MAX_RANK"]


class Shape(C.Structure):
    _fields_ = [("rank", U32), ("dims", I64 * MAX_RANK)]


class Layout(C.Structure):
    _fields_ = [("dtype", I32), ("rank", U32), ("dims", I64 * MAX_RANK),
                ("strides", I64 * MAX_RANK), ("offset", I64)]


class Axis(C.Structure):
    _fields_ = [("extent", I64), ("stride", I64)]


class Level(C.Structure):
    _fields_ = [("offset", I64), ("axis_count", U32)]


class View(C.Structure):
    _fields_ = [("dtype", I32), ("depth", U32), ("shape", Shape),
                ("levels", Level * LIMITS["MAX_DEPTH"]), ("axes", Axis * LIMITS["VIEW_AXES"])]

    @property
    def dims(self):
        return tuple(self.shape.dims[:self.shape.rank])

    def copy(self):
        return View.from_buffer_copy(self)


class Pattern(C.Structure):
    _fields_ = [("dialect", I32), ("zero_mode", I32), ("length", U32), ("values", I64 * MAX_RANK)]


class Slice(C.Structure):
    _fields_ = [("axis", I64), ("start", I64), ("end", I64), ("step", I64)]


class Block(C.Structure):
    _fields_ = [("dim", U32), ("size", I64)]


class Blocked(C.Structure):
    _fields_ = [("dtype", I32), ("shape", Shape), ("padded_dims", I64 * MAX_RANK),
                ("outer_strides", I64 * MAX_RANK), ("block_count", U32),
                ("blocks", Block * LIMITS["MAX_BLOCKS"]), ("offset", I64)]


class Error(C.Structure):
    _fields_ = [("status", I32), ("opencl_code", I32), ("message", C.c_char * 1024)]


class Storage(C.Structure):
    _fields_ = [("buffer", C.c_void_p), ("byte_offset", U64)]


class Padding(C.Structure):
    """A mode of 0 is constant."""
    _fields_ = [("begins", C.POINTER(I64)), ("element", C.c_char_p), ("mode", I32),
                ("ends", C.POINTER(I64)), ("chain", C.c_void_p), ("rules", C.c_void_p)]


class Stack(C.Structure):
    _fields_ = [("count", SIZE), ("sources", C.POINTER(C.c_void_p)), ("begins", C.POINTER(I64)),
                ("border", C.c_void_p), ("element", C.c_char_p)]


class On(C.Structure):
    """A queue, and nothing to wait for."""
    _fields_ = [("queue", C.c_void_p), ("wait_count", U32), ("waits", C.c_void_p)]


class Counts(C.Structure):
    """Counts of the library's OpenCL calls (support/opencl_counts.h)."""
    _fields_ = [("launches", I64), ("transfers", I64), ("from_source", I64), ("from_binary", I64),
                ("buffers", I64), ("buffer_bytes", U64),
                ("event_questions", I64)]


# The shim first and globally visible, so that the library's calls to OpenCL pass through the shim.
_shim = C.CDLL(os.environ["CLRESHAPE_SHIM"], mode=C.RTLD_GLOBAL)
_library = C.CDLL(os.environ["CLRESHAPE_LIBRARY"])
_shim.chains_size_of.restype = SIZE
for _type in [made for made in C.Structure.__subclasses__() if made.__module__ == __name__]:
    _expected = _shim.chains_size_of(_type.__name__.lower().encode())
    if C.sizeof(_type) != _expected:
        raise SystemExit(f"{_type.__name__} has {C.sizeof(_type)} bytes here, but {_expected} in C")
PLAN_BYTES = _shim.chains_size_of(b"plan")
CHAIN_BYTES = _shim.chains_size_of(b"chain")

_library.clrs_dtype_bits.restype = U32
_library.clrs_tensor_view.restype = C.POINTER(View)
_library.clrs_tensor_storage.restype = Storage
_library.clrs_plan_explain_json.restype = SIZE
for _name in ("clrs_tensor_release", "clrs_context_release"):
    getattr(_library, _name).restype = None


class Failure(Exception):
    def __init__(self, function, error):
        super().__init__(f"{function}: {STATUS_NAMES[error.status]}: {error.message.decode()}")
        self.status = STATUS_NAMES[error.status]
        self.message = error.message.decode()


def call(function, *arguments):
    """Calls clrs_<function> with an added error argument, and raises the error."""
    error = Error()
    status = getattr(_library, "clrs_" + function)(*arguments, C.byref(error))
    if status != 0:
        if status != error.status or not error.message:
            raise AssertionError(f"{function} gave {status}; its error says {error.status} "
                                 f"{error.message!r}")
        raise Failure(function, error)


def integers(values):
    return (I64 * max(len(values), 1))(*values)


def shape_of(dims):
    return Shape(len(dims), (I64 * MAX_RANK)(*dims))


def layout_of(dtype, dims, strides=None, offset=0):
    layout = Layout()
    call("layout_init", DTYPES[dtype], C.byref(shape_of(dims)),
         None if strides is None else integers(strides), I64(offset), C.byref(layout))
    return layout


def view_of_blocked_name(name, dtype, dims):
    blocked, view = Blocked(), View()
    call("blocked_from_name", name.encode(), DTYPES[dtype], C.byref(shape_of(dims)),
         C.byref(blocked))
    call("blocked_view", C.byref(blocked), C.byref(view))
    return view


def layout_of_view(view):
    """The layout that equals the view, or None."""
    layout = Layout()
    try:
        call("view_layout", C.byref(view), C.byref(layout))
    except Failure as failure:
        if failure.status != "WOULD_COPY":
            raise
        return None
    return layout


def dtype_bits(dtype):
    return _library.clrs_dtype_bits(DTYPES[dtype])


def counts_reset():
    _shim.chains_reset()


def counts_read():
    counts = Counts()
    _shim.chains_read(C.byref(counts))
    return counts


def explain(plan):
    text = C.create_string_buffer(65536)
    length = _library.clrs_plan_explain_json(plan, text, SIZE(len(text)))
    assert length < len(text)
    return json.loads(text.value)


class Tensor:
    """A clrs_tensor, released with the Python object."""

    def __init__(self, handle):
        self.handle = handle

    def __del__(self):
        _library.clrs_tensor_release(self.handle)

    @property
    def view(self):
        return _library.clrs_tensor_view(self.handle).contents.copy()

    @property
    def storage(self):
        return _library.clrs_tensor_storage(self.handle)

    def with_view(self, view):
        result = C.c_void_p()
        call("tensor_with_view", self.handle, C.byref(view), C.byref(result))
        return Tensor(result)


    def with_chain(self, text):
        chain, result = C.create_string_buffer(CHAIN_BYTES), C.c_void_p()
        call("chain_parse", text.encode(), chain)
        call("tensor_with_chain", self.handle, chain, None, C.byref(result))
        return Tensor(result)


class Library:
    """A clrs_context on a device, and the enqueuing functions."""

    def __init__(self, device, variation=0):
        self.queue = device.queue
        self.handle = C.c_void_p()
        error = Error()
        if _shim.chains_context(device.context, device.device, variation,
                                C.byref(self.handle), C.byref(error)) != 0:
            raise Failure("context_create", error)

    def close(self):
        _library.clrs_context_release(self.handle)

    def wrap(self, buffer, byte_offset, layout):
        tensor = C.c_void_p()
        call("tensor_wrap", self.handle, C.byref(Storage(buffer, byte_offset)), C.byref(layout),
             C.byref(tensor))
        return Tensor(tensor)

    def plan(self, source, destination, policy):
        plan = C.create_string_buffer(PLAN_BYTES)
        call("tensor_plan", source.handle,
             destination.handle if destination else None, policy, plan)
        return explain(plan)

    def materialize(self, source, policy):
        result, event = C.c_void_p(), C.c_void_p()
        call("enqueue_chain", source.handle, b"", policy, None, C.byref(result),
             C.byref(On(self.queue)), C.byref(event))
        return Tensor(result), event

    def move(self, source, destination):
        event = C.c_void_p()
        call("enqueue_move", source.handle, destination.handle, C.byref(On(self.queue)),
             C.byref(event))
        return event

    def pad(self, source, destination, begins, element):
        """`element` is the bytes of a single element."""
        event, padding = C.c_void_p(), Padding(integers(begins), element)
        call("enqueue_pad", source.handle, C.byref(padding), destination.handle, None,
             C.byref(On(self.queue)), C.byref(event))
        return event

    def stack(self, sources, begins, border, destination):
        """`begins` has a list for each source, and `border` is a tensor."""
        handles = (C.c_void_p * len(sources))(*(source.handle.value for source in sources))
        event = C.c_void_p()
        stack = Stack(len(sources), handles, integers([at for begin in begins for at in begin]),
                      border.handle, None)
        call("enqueue_stack", C.byref(stack), destination.handle, C.byref(On(self.queue)),
             C.byref(event))
        return event
