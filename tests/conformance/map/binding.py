"""Maps of libclreshape through ctypes: arrays of codes in, arrays of codes out.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import os

import numpy as np

from clreshape import _layout, _structs


def enum(name, prefix="CLRS_"):
    """The enumerators of a public enum, as {name without the prefix: value}."""
    return {key.removeprefix(prefix): value for key, value in _layout.ENUMS[name].items()}


STATUS, DTYPE, DIALECT = enum("clrs_status"), enum("clrs_dtype"), enum("clrs_dialect")
ROUND, OVERFLOW = enum("clrs_rounding", "CLRS_ROUND_"), enum("clrs_overflow", "CLRS_OVERFLOW_")
STEP, SPREAD = enum("clrs_step_kind", "CLRS_STEP_"), enum("clrs_spread_kind", "CLRS_SPREAD_")
STATUS_NAMES = {value: name for name, value in STATUS.items()}

Error, Shape, View, Map, Bytes, Data, Views, Tensors, Numbers, Spread = (
    _structs.STRUCTS[f"clrs_{name}"] for name in (
        "error", "shape", "view", "map", "bytes", "map_data", "map_views", "map_tensors",
        "numbers", "spread"))

_library = C.CDLL(os.environ["CLRESHAPE_LIBRARY"])
_library.clrs_dtype_bits.restype = C.c_uint32


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
    dims = Shape(len(shape), (C.c_int64 * _layout.CONSTANTS["CLRS_MAX_RANK"])(*shape))
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
             C.c_void_p(result.ctypes.data), C.c_size_t(result.nbytes))
        return unpack(result, self.to, count).reshape(dims)


def apply(made, source, codes, to, tensors=None):
    return Bound(made, source, codes, to, tensors).apply()
