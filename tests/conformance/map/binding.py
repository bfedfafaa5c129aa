"""Maps of libclreshape through ctypes: arrays of codes in, arrays of codes out.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import os
import pathlib
import re

import numpy as np

I32, U32, I64, SIZE = C.c_int32, C.c_uint32, C.c_int64, C.c_size_t
HEADERS = pathlib.Path(__file__).parents[3] / "include" / "clreshape"
TEXT = "".join((HEADERS / f"{name}.h").read_text(encoding="utf-8")
               for name in ("core", "map"))
LIMIT = {name: int(value) for name, value in re.findall(r"#define CLRS_(\w+) (\d+)", TEXT)}


def enum(name):
    """The enumerators of a public enum, as {name without CLRS_: value}."""
    body = re.search(r"typedef enum %s \{(.*?)\} %s;" % (name, name), TEXT, re.S).group(1)
    body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
    return {found: value for value, found in enumerate(re.findall(r"CLRS_(\w+)", body))}


STATUS, DTYPE, DIALECT = enum("clrs_status"), enum("clrs_dtype"), enum("clrs_dialect")
ROUND = {name.removeprefix("ROUND_"): value for name, value in enum("clrs_rounding").items()}
OVERFLOW = {name.removeprefix("OVERFLOW_"): value for name, value in enum("clrs_overflow").items()}
STEP = {name.removeprefix("STEP_"): value for name, value in enum("clrs_step_kind").items()}
SPREAD = {name.removeprefix("SPREAD_"): value for name, value in enum("clrs_spread_kind").items()}
STATUS_NAMES = {value: name for name, value in STATUS.items()}


def struct(name, **fields):
    return type(name, (C.Structure,), {"_fields_": list(fields.items())})


Error = struct("Error", status=I32, opencl_code=I32, message=C.c_char * 1024)
Shape = struct("Shape", rank=U32, dims=I64 * LIMIT["MAX_RANK"])
Axis = struct("Axis", extent=I64, stride=I64)
Level = struct("Level", offset=I64, axis_count=U32)
View = struct("View", dtype=I32, depth=U32, shape=Shape, levels=Level * LIMIT["MAX_DEPTH"],
              axes=Axis * LIMIT["VIEW_AXES"])
Spread = struct("Spread", kind=I32, axis=I64, block=I64)
Parameter = struct("Parameter", count=U32, first=U32, spread=Spread, is_of_source=C.c_bool)
Step = struct("Step", kind=I32, parameter=Parameter, dtype=I32, rounding=I32, overflow=I32)
Map = struct("Map", source=I32, to=I32, reinterprets=C.c_bool, step_count=U32,
             steps=Step * LIMIT["MAP_STEPS"], number_count=U32,
             numbers=C.c_double * LIMIT["MAP_NUMBERS"])
Numbers = struct("Numbers", count=SIZE, values=C.POINTER(C.c_double), spread=Spread)
Tensors = struct("Tensors", steps=C.POINTER(View) * LIMIT["MAP_STEPS"])
Frame = struct("Frame", format=U32, result=U32, by=U32, axes=Axis * 3, pixel=I64, color=I64)
Resample = struct("Resample", by=I32, rows=I64, columns=I64, offset=I64, axes=Axis * 5, frame=Frame)
Views = struct("Views", source=View, count=U32, views=View * LIMIT["MAP_VIEWS"],
               of_step=U32 * LIMIT["MAP_STEPS"], resample=Resample)
Bytes = struct("Bytes", data=C.c_void_p, size=SIZE)
Data = struct("Data", source=Bytes, steps=Bytes * LIMIT["MAP_STEPS"])

_library = C.CDLL(os.environ["CLRESHAPE_LIBRARY"])
_library.clrs_dtype_bits.restype = U32


class Failure(Exception):
    """A call that failed: `status` and the message."""

    def __init__(self, error):
        super().__init__(f"{STATUS_NAMES[error.status]}: {error.message.decode()}")
        self.status = STATUS_NAMES[error.status]


def call(function, *arguments):
    """Calls clrs_FUNCTION with the error behind the arguments, and raises the error."""
    error = Error()
    if getattr(_library, "clrs_" + function)(*arguments, C.byref(error)) != 0:
        raise Failure(error)


def bits_of(dtype):
    return _library.clrs_dtype_bits(DTYPE[dtype])


def pack(codes, dtype):
    """Codes, an array of unsigned integers, as the bytes of a dense tensor."""
    bits = bits_of(dtype)
    if bits >= 8:
        return np.ascontiguousarray(codes.astype(f"u{bits // 8}")).view(np.uint8).ravel()
    order = "big" if dtype == "U1" else "little"
    each = np.unpackbits(codes.astype(np.uint8).ravel()[:, None], axis=1, bitorder="little")
    return np.packbits(each[:, :bits].ravel(), bitorder=order)


def unpack(data, dtype, count):
    bits = bits_of(dtype)
    if bits >= 8:
        return data.view(f"u{bits // 8}")[:count]
    order = "big" if dtype == "U1" else "little"
    each = np.unpackbits(data, bitorder=order)[:count * bits].reshape(count, bits)
    return np.packbits(each, axis=1, bitorder="little").ravel()


def numbers(values, kind="BROADCAST", axis=0, block=0):
    """A parameter with numbers in the map, or a tensor parameter if there are no numbers."""
    spread = Spread(SPREAD[kind], axis, block)
    if values is None:
        return Numbers(0, None, spread)
    values = np.atleast_1d(np.asarray(values, np.float64))
    return Numbers(values.size, (C.c_double * values.size)(*values), spread)


def make(function, *arguments):
    made = Map()
    call("map_" + function, *arguments, C.byref(made))
    return made


def cast(dialect, source, to):
    return make("cast", DIALECT[dialect], DTYPE[source], DTYPE[to])


def step(made, kind, dtype, parameter):
    call("map_step", C.byref(made), STEP[kind], DTYPE[dtype], C.byref(parameter))


def rounded(made, to, rounding, overflow):
    call("map_round", C.byref(made), DTYPE[to], ROUND[rounding], OVERFLOW[overflow])


def dense(dtype, shape):
    view = View()
    dims = Shape(len(shape), (I64 * LIMIT["MAX_RANK"])(*shape))
    call("view_dense", DTYPE[dtype], C.byref(dims), C.byref(view))
    return view


class Bound:
    """A map with the source and the tensors. `tensors` is {step: (dtype, codes)}."""

    def __init__(self, made, source, codes, to, tensors=None):
        self.made, self.to = made, to
        self.kept = [pack(codes, source)]
        self.data, self.views, views = Data(), Views(), Tensors()
        self.data.source = self._bytes(self.kept[0])
        for key, (dtype, values) in (tensors or {}).items():
            view = dense(dtype, values.shape)
            self.kept += [pack(values, dtype), view]
            self.data.steps[key] = self._bytes(self.kept[-2])
            views.steps[key] = C.pointer(view)
        call("map_bind", C.byref(made), C.byref(dense(source, codes.shape)), C.byref(views),
             C.byref(self.views))

    @staticmethod
    def _bytes(array):
        return Bytes(array.ctypes.data, array.nbytes)

    def move(self, chain):
        """Movement operations on the source and on every parameter."""
        for view in [self.views.source] + list(self.views.views[:self.views.count]):
            call("view_apply", C.byref(view), chain.encode())

    def apply(self):
        """The codes of the result, in the result's shape."""
        shape = self.views.source.shape
        dims = tuple(shape.dims[:shape.rank])
        count = int(np.prod(dims, dtype=np.int64))
        result = np.zeros((count * bits_of(self.to) + 7) // 8, np.uint8)
        call("map_apply", C.byref(self.made), C.byref(self.views), C.byref(self.data),
             C.c_void_p(result.ctypes.data), SIZE(result.nbytes))
        return unpack(result, self.to, count).reshape(dims)


def apply(made, source, codes, to, tensors=None):
    return Bound(made, source, codes, to, tensors).apply()
