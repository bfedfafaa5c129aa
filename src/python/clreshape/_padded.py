"""Chains that pad: the operations in front, the pad, and the operations behind, in one pass.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C

from . import _assembly, _context, _dtypes, _kinds, _library, _maps, _moves, _structs, _tensor
from ._errors import UnsupportedError


def place(text):
    """Returns the texts of the operations, and the index of the first pad or None."""
    if "pad=" not in text:
        return (), None
    chain, operations = _tensor.parsed(text), []
    while said := _library.function("chain_op_text")(C.byref(chain), len(operations)):
        operations.append(said.decode())
    pads = [i for i, operation in enumerate(operations) if operation.startswith("pad=")]
    return operations, pads[0] if pads else None


def mapped(dims, dtype):
    """Returns a dense clrs_mapped with a map that keeps every bit."""
    view, made = _structs.View(), _structs.STRUCTS["clrs_mapped"]()
    _library.call("view_dense", dtype.number, C.byref(_structs.shape_of(dims)), C.byref(view))
    _library.call("mapped_init", C.byref(view), C.byref(made))
    return made


def seen(made):
    """Returns (dims, dtype) of a clrs_mapped."""
    shape = made.views.source.shape
    return tuple(shape.dims[:shape.rank]), _dtypes.numbered(made.dtype)


def measured(text, dims, dtype):
    """Returns (dims, dtype) of an array after the operations of a text."""
    made = mapped(dims, dtype)
    _library.call("chain_map", C.byref(_tensor.parsed(text)), C.byref(_tensor.NUMPY_RULES), C.byref(made))
    return seen(made)


def _number(text):
    number = float(text)
    return int(number) if number.is_integer() else number


def border(operation, array):
    """Returns a _moves.Border and the ends of an operation such as pad=1:2,0,mode=edge."""
    items = operation.removeprefix("pad=").split(",")
    options = dict(item.split("=") for item in items if "=" in item)
    pairs = [tuple(map(int, (item if ":" in item else f"{item}:{item}").split(":")))
             for item in items if "=" not in item]
    pairs = _assembly.pairs_of(pairs if len(pairs) > 1 else pairs[0], array.ndim)
    mode = _assembly.mode_of(options.get("mode", "constant"), array.shape, pairs)
    value = options.get("value")
    element = bytes(16) if value is None else _maps.scalar(_number(value), array.dtype)  # 0 of any type
    return pairs, _moves.Border([before for before, _ in pairs], element=element, mode=mode,
                                ends=[behind for _, behind in pairs])


def chain(x, found, out, queue, wait_for):
    """The array after a chain that place() found a pad in. The result is new."""
    operations, at = found
    if any(operation.startswith("pad=") for operation in operations[at + 1:]):
        raise UnsupportedError(f"{operations[at]!r} is followed by another pad; a chain pads once")
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    with _dtypes.byte_order_named(_kinds.dtype_of(x)):
        array = taken.array._chain(";".join(operations[:at]))
    pairs, around = border(operations[at], array)
    behind = ";".join(operations[at + 1:])
    dims = [extent + sum(pair) for extent, pair in zip(array.shape, pairs)]
    dims, dtype = measured(behind, dims, array.dtype)
    return _assembly.assembled(
        taken, [array], dims, (out, queue),
        lambda target, on: _moves.pad(array, around, target, on, wait_for, behind), dtype)
