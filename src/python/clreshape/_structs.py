"""The C structs, enums and prototypes for ctypes, made from _layout.py.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C

from . import _layout
from ._errors import ArgumentError, LibraryError

PLAIN = {"int": C.c_int, "int32_t": C.c_int32, "int64_t": C.c_int64, "uint16_t": C.c_uint16,
         "uint32_t": C.c_uint32, "uint64_t": C.c_uint64, "size_t": C.c_size_t,
         "double": C.c_double, "bool": C.c_bool, "char": C.c_char, "void": None,
         "char*": C.c_char_p, "void*": C.c_void_p}

STRUCTS = {}


def ctype(word):
    """Returns the ctypes type of a word of _layout.py."""
    if word in PLAIN:
        return PLAIN[word]
    if word.endswith("*"):
        return C.POINTER(ctype(word[:-1]))
    return STRUCTS[word]


def _check(name, made, size, alignment, fields):
    """Raises LibraryError unless ctypes' layout of the fields equals the compiler's layout."""
    offsets = {field: offset for field, _, _, offset in fields}
    found = {field: getattr(made, field).offset for field in offsets}
    if (C.sizeof(made), C.alignment(made), found) != (size, alignment, offsets):
        raise LibraryError(f"{name} does not lie in memory as this package was built for")


def _define_structs():
    for name, (size, alignment, fields) in _layout.STRUCTS.items():
        types = [(field, ctype(word) * count if count else ctype(word))
                 for field, word, count, _ in fields]
        made = type(name, (C.Structure,), {"_fields_": types})
        _check(name, made, size, alignment, fields)
        STRUCTS[name] = made


_define_structs()
Error, Shape, Layout, View = (STRUCTS[f"clrs_{name}"] for name in
                              ("error", "shape", "layout", "view"))
Storage, Rules, Map = (STRUCTS[f"clrs_{name}"] for name in ("storage", "rules", "map"))
Chain = C.c_uint64 * (_layout.OPAQUE["clrs_chain"] // 8)
Numbers, Spread, Stack = (STRUCTS[f"clrs_{name}"] for name in ("numbers", "spread", "stack"))
ParameterTensors, ContextOptions = (STRUCTS[f"clrs_{name}"] for name in
                                    ("parameter_tensors", "context_options"))
MapViews, MapData, Bytes = (STRUCTS[f"clrs_{name}"] for name in ("map_views", "map_data", "bytes"))
MAX_RANK = _layout.CONSTANTS["CLRS_MAX_RANK"]
MAP_STEPS = _layout.CONSTANTS["CLRS_MAP_STEPS"]


def enum(name):
    """Returns {enumerator: value} of a public enum."""
    return _layout.ENUMS[name]


def value(name, enumerator):
    return _layout.ENUMS[name][enumerator]


def int64s(values):
    """Returns an array for the library, with at least one element."""
    values = tuple(values)
    return (C.c_int64 * max(len(values), 1))(*values)


def handles(values):
    values = tuple(values)
    return (C.c_void_p * max(len(values), 1))(*values)


def shape_of(dims):
    if len(dims) > MAX_RANK:
        raise ArgumentError(f"a tensor has at most {MAX_RANK} dims, not {len(dims)}")
    return Shape(len(dims), tuple(dims))


def initial(name):
    """Returns a struct with the values of CLRS_*_INIT."""
    return STRUCTS[name].from_buffer_copy(_layout.INITIAL[name])


def declare(function, name):
    """Sets the prototype of a function of the library."""
    result, arguments = _layout.FUNCTIONS[name]
    function.restype = ctype(result)
    function.argtypes = [ctype(word) for word in arguments]
    return function


def plan_size():
    return _layout.OPAQUE["clrs_plan"]
