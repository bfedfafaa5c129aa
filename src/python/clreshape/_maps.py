"""Maps of elements: casts, normalising, quantising, with numbers or tensors as parameters.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import operator
import struct

from . import _array, _dtypes, _library, _moves, _opencl, _structs
from ._errors import ArgumentError, NumberOverflowError

HELD = _structs.STRUCTS["clrs_map"].numbers.size // C.sizeof(C.c_double)


def _enumerator(name, prefix, word):
    """Returns the value of an enumerator by the last word in lower case, such as "even"."""
    known = {key[len(prefix):].lower(): number for key, number in _structs.enum(name).items()}
    if word not in known:
        raise ArgumentError(f"{word!r} is none of {', '.join(sorted(known))}")
    return known[word]


class Parameter:
    """A map's parameter: numbers, or a tensor, spread along an axis, in blocks, or as NumPy
    broadcasts."""

    def __init__(self, given, axis, block=0):
        self.array = given if isinstance(given, _array.Array) else None
        self.values = () if self.array is not None else _numbers(given)
        rank = self.array.ndim if self.array is not None else 1
        word = "BLOCKS" if block else "AXIS" if rank == 1 and axis is not None else "BROADCAST"
        self.spread = _structs.Spread(_structs.value("clrs_spread_kind", f"CLRS_SPREAD_{word}"),
                                      0 if axis is None else axis, block)

    def numbers(self):
        """Returns the clrs_numbers, which is empty for a tensor."""
        self._kept = (C.c_double * len(self.values))(*self.values) if self.values else None
        return _structs.Numbers(len(self.values), self._kept, self.spread)

    def upload(self, queue, code, name):
        """Moves the numbers to a tensor, for more numbers than a map holds."""
        self.array = _array.empty((len(self.values),), name, queue)
        values = map(int, self.values) if code == "i" else self.values
        content = struct.pack(f"{len(self.values)}{code}", *values)
        _opencl.write(queue.int_ptr, _moves.byte_range(self.array._tensor),
                      C.cast(content, C.c_void_p).value)
        self.values = ()


def _numbers(given):
    if getattr(given, "ndim", 0) > 1:
        raise ArgumentError(f"a parameter of {given.ndim} dims is an array on the device: to_device() "
                            "makes one of a NumPy array")
    try:
        listed = list(given)
    except TypeError:
        listed = [given]
    try:
        values = tuple(map(float, listed))
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError("a parameter is a number, a list of numbers, or an array on the device: "
                            f"not {given!r}") from None
    if not values:
        raise ArgumentError("a parameter needs a number at least")
    return values


def cast_map(source, target, rounding, overflow):
    made = _structs.Map()
    _library.call("map_cast", _structs.value("clrs_dialect", "CLRS_NUMPY"), source.number,
                  target.number, C.byref(made))
    if rounding is not None:
        made.steps[0].rounding = _enumerator("clrs_rounding", "CLRS_ROUND_", rounding)
    if overflow is not None:
        made.steps[0].overflow = _enumerator("clrs_overflow", "CLRS_OVERFLOW_", overflow)
    return made


class JoinedOrigin(_array.Origin):
    """The origin of an array that is computed from several arrays."""

    def __init__(self, origins):
        super().__init__(origins[0].queue, owner=origins)
        self._origins, self._own = origins, []

    @property
    def events(self):
        return [event for origin in self._origins for event in origin.events] + self._own

    @events.setter
    def events(self, _):
        """Ignored, because the events are the events of all origins and of `record`."""

    def waits(self, queue):
        return [event for origin in self._origins for event in origin.waits(queue)] + self._own

    def record(self, event):
        self._own.append(event)

    def read_by(self, event, queue):
        for origin in self._origins:
            origin.read_by(event, queue)


def mapped(array, made):
    """Applies a map without tensors among the parameters."""
    return array._derived(array._tensor.with_map(made))


def parameterized(array, name, target, given, steps):
    """Applies clrs_map_NAME with the parameters `given`. `steps` has the parameters in the order of
    the map's steps."""
    made = _structs.Map()
    numbers = [parameter and C.byref(parameter.numbers()) for parameter in given]
    _library.call(f"map_{name}", array.dtype.number, target.number, *numbers, C.byref(made))
    return _with_tensors(array, made, steps)


def _append(made, kind, number, parameter):
    _library.call("map_step", C.byref(made), _structs.value("clrs_step_kind", f"CLRS_STEP_{kind}"),
                  number, C.byref(parameter.numbers()))


def stepped(array, kind, parameter):
    """Applies one step in the array's type."""
    made = cast_map(array.dtype, array.dtype, None, None)
    _append(made, kind, array.dtype.number, parameter)
    return _with_tensors(array, made, [parameter])


def normalizing(source, target, steps):
    """Returns the map (x - mean) / std in float32, or in float64 if a type has 64 bits. The map then
    rounds half to even and saturates to `target`, as clrs_map_quantize does."""
    made = cast_map(source, source, None, None)
    arithmetic = _dtypes.NUMBERS["f64" if 64 in (source.bits, target.bits) else "f32"]
    for kind, parameter in zip(("SUBTRACT", "DIVIDE"), steps):
        _append(made, kind, arithmetic, parameter)
    overflow = "IEEE" if "float" in target.name and target.bits > 8 else "SATURATE"
    _library.call("map_round", C.byref(made), target.number, _structs.value("clrs_rounding", "CLRS_ROUND_EVEN"),
                  _structs.value("clrs_overflow", f"CLRS_OVERFLOW_{overflow}"))
    return made


def normalized(array, target, steps):
    """Applies `normalizing`. The parameters may be arrays."""
    return _with_tensors(array, normalizing(array.dtype, target, steps), steps)


def _with_tensors(array, made, steps):
    told = _structs.ParameterTensors()
    arrays = [array]
    for index, parameter in enumerate(steps):
        if parameter.array is not None:
            told.steps[index] = parameter.array._tensor.handle.value
            arrays.append(parameter.array)
    tensor = array._tensor.with_map(made, told)
    if len(arrays) == 1:
        return array._derived(tensor)
    return _array.Array(tensor, JoinedOrigin([one._origin for one in arrays]))


def hold(parameters, array, target, queue):
    """Moves the longest lists of numbers to tensors until the map holds the rest."""
    # The numbers are rounded to the map's arithmetic anyway: doubles if a type has 64 bits.
    code, name = ("d", "f64") if 64 in (array.dtype.bits, target.bits) else ("f", "f32")
    if array.dtype == target == "int32" and all(one.is_integer() for parameter in parameters
                                                for one in parameter.values):
        code, name = "i", "i32"
    for parameter in sorted(parameters, key=lambda one: -len(one.values)):
        if sum(len(one.values) for one in parameters) > HELD:
            parameter.upload(_moves.queue_for(queue, array), code, name)


def _widest(value):
    """Returns (type, bytes) of a Python number in a type that loses nothing."""
    if isinstance(value, bool):
        return "bool", struct.pack("?", value)
    if isinstance(value, float):
        return "f64", struct.pack("d", value)
    value = operator.index(value)
    if not -(1 << 63) <= value < 1 << 64:
        raise NumberOverflowError(f"{value} does not fit in 64 bits")
    return ("i64", struct.pack("q", value)) if value < 1 << 63 else ("u64", struct.pack("Q", value))


def _check_range(value, target):
    """Raises NumberOverflowError if an integer type does not hold an integer, as in NumPy 2."""
    kind = target.name.rstrip("0123456789")
    if isinstance(value, float) or kind not in ("int", "uint"):
        return
    lowest, count = (-1 << target.bits - 1 if kind == "int" else 0), 1 << target.bits
    if not lowest <= value < lowest + count:
        raise NumberOverflowError(f"{value} is out of range for {target.name}, which holds {lowest} "
                                  f"to {lowest + count - 1}")


def scalar(value, target):
    """Returns the bytes of one element, converted from a Python number as in an assignment of
    NumPy."""
    if target.name.startswith("complex"):
        value = complex(value)
        return struct.pack("2f" if target.bits == 64 else "2d", value.real, value.imag)
    if isinstance(value, complex):
        raise ArgumentError(f"{value!r} is no element of {target.name}")
    _check_range(value, target)
    name, content = _widest(value)
    return _apply(cast_map(_dtypes.dtype(name), target, None, None), name, content)


def _apply(made, name, content):
    """Applies a map to one element on the host."""
    view, views = _structs.View(), _structs.MapViews()
    _library.call("view_dense", _dtypes.NUMBERS[name], C.byref(_structs.shape_of(())),
                  C.byref(view))
    _library.call("map_bind", C.byref(made), C.byref(view), None, C.byref(views))
    data, result = _structs.MapData(), C.create_string_buffer(16)
    data.source = _structs.Bytes(C.cast(content, C.c_void_p), len(content))
    _library.call("map_apply", C.byref(made), C.byref(views), C.byref(data), result, 16)
    return result.raw
