"""Functions on arrays of any kind that give views or maps of elements.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import operator
import re
from typing import TYPE_CHECKING, Any, Optional, Protocol, Sequence, overload

from . import _assembly, _context, _dtypes, _kinds, _maps, _padded
from ._errors import ArgumentError, WouldCopyError

if TYPE_CHECKING:
    from ._array import Array
    from ._types import Axes, DTypeLike, Events, Given, Ints, Parameter, QueueLike


def _view(x, make, options, parameters=()):
    """Returns the result of an operation that is a view: `make` applies the operation to an Array.
    Options are (copy, out, queue, wait_for)."""
    copy, out, queue, wait_for = options
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    with _dtypes.byte_order_named(*map(_kinds.dtype_of, (x, *parameters))):
        made = make(taken.array)
    return _kinds.give(taken, made, (copy, out, queue, wait_for))


def _listed(values):
    return ",".join(str(operator.index(value)) for value in values)


def chain(x: Given, text: str, *, copy: Optional[bool] = None, out: Optional[Given] = None,
          queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """A chain of operations as text, in one pass at most.

    text: operations with values, applied left to right, such as "slice=:,::2 permute=1,0 cast=f32
    mean=127.5 std=58". include/clreshape/plan.h lists the operations. A chain with pad= gives a new
    array, also in one pass. Reshapes follow NumPy: -1 is
    inferred, and 0 is a dim of 0. Types have the names of clreshape.dtype.
    """
    text = _dtypes.named_in_chain(text)
    operations, at = _padded.place(text)
    if at is None:
        return _view(x, lambda array: array._chain(text), (copy, out, queue, wait_for))
    if copy is False:
        raise WouldCopyError(f"{operations[at]!r} pads, and no view shows a border; copy=False")
    return _padded.chain(x, (operations, at), out, queue, wait_for)


def reshape(x: Given, shape: Ints, *, copy: Optional[bool] = None, out: Optional[Given] = None,
            queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The same elements, row-major, in another shape, as numpy.reshape.

    shape: an integer or a tuple of integers, of which one may be -1. The number of elements stays.
    """
    try:
        dims = [operator.index(shape)]
    except TypeError:
        dims = shape
    return _view(x, lambda array: array._chain(f"reshape={_listed(dims)}"), (copy, out, queue, wait_for))


def transpose(x: Given, axes: Axes = None, *,
              copy: Optional[bool] = None, out: Optional[Given] = None,
              queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The dims in another order, as numpy.transpose: result dim i is dim axes[i] of x.

    axes: an axis for each dim. Negative axes count from the end. None reverses the dims.
    """
    listed = [axes] if hasattr(axes, "__index__") else axes

    def permuted(array):
        order = range(array.ndim)[::-1] if listed is None else listed
        return array._chain(f"permute={_listed(order)}") if array.ndim or listed else array
    return _view(x, permuted, (copy, out, queue, wait_for))


def _pattern(operation, pattern, lengths, options):
    """Returns the text of an einops operation. If an axis has the name of an option, the keyword is
    the axis's length."""
    if re.search(r"[;=,]", pattern):
        raise ArgumentError(f"the pattern {pattern!r} has a character that no pattern has")
    names = set(re.findall(r"\w+", pattern))
    lengths |= {name: options.pop(name) for name in list(options) if name in names}
    spelled = "".join(f", {name}={operator.index(length)}" for name, length in lengths.items())
    return f"{operation}={pattern}{spelled}"


def _einops(x, operation, pattern, lengths):
    options = {name: lengths.pop(name) for name in ("copy", "out", "queue", "wait_for")
               if name in lengths}
    text = _pattern(operation, pattern, lengths, options)
    if isinstance(x, (list, tuple)):
        x = _assembly.stack(x, queue=options.get("queue"), wait_for=options.pop("wait_for", ()))
    return chain(x, text, **options)


@overload
def rearrange(x: Sequence[Given], pattern: str, /, **lengths: Any) -> Given: ...
@overload
def rearrange(x: Given, pattern: str, /, **lengths: Any) -> Given: ...


def rearrange(x, pattern, /, **lengths):
    """einops.rearrange: `rearrange(x, "b t (h d) -> (b h) t d", h=12)`.

    pattern: in the notation of einops, with the same rules and refusals. lengths: lengths of axes
    that the shape does not tell. x may be a list of arrays of one shape, which are stacked first.
    Takes copy=, out=, queue= and wait_for= as all functions do, unless the pattern has an axis of
    that name.
    """
    return _einops(x, "rearrange", pattern, lengths)


@overload
def repeat(x: Sequence[Given], pattern: str, /, **lengths: Any) -> Given: ...
@overload
def repeat(x: Given, pattern: str, /, **lengths: Any) -> Given: ...


def repeat(x, pattern, /, **lengths):
    """einops.repeat: `repeat(x, "h w -> (h 2) (w n)", n=3)`. As rearrange, with new axes."""
    return _einops(x, "repeat", pattern, lengths)


def contiguous(x: Given, *, copy: Optional[bool] = None, out: Optional[Given] = None,
               queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The same shape, dense and row-major, as numpy.ascontiguousarray. A dense x is returned
    unchanged."""
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    if copy is None and not taken.array.is_contiguous:
        copy = True
    if copy is False and not taken.array.is_contiguous:
        raise WouldCopyError(f"an array of shape {taken.array.shape} is not dense, and copy=False",
                             "CLRS_WOULD_COPY")
    return _kinds.give(taken, taken.array, (copy, out, queue, wait_for))


def cast(x: Given, dtype: DTypeLike, *, rounding: Optional[str] = None,
         overflow: Optional[str] = None, copy: Optional[bool] = None, out: Optional[Given] = None,
         queue: QueueLike = None, wait_for: Events = ()) -> Given:
    """The elements as another type, by NumPy's rules.

    dtype: any spelling of clreshape.dtype. rounding: "even", "zero", "away", "down" or "up".
    overflow: "saturate", "wrap" (integers) or "ieee" (floats). By default NumPy's rules apply: a
    float becomes an integer by truncating and saturating, NaN becomes 0, and integers wrap. The
    shape stays.
    """
    target = _dtypes.dtype(dtype)

    def mapped(array):
        if array.dtype == target:
            return array
        return _maps.mapped(array, _maps.cast_map(array.dtype, target, rounding, overflow))
    return _view(x, mapped, (copy, out, queue, wait_for))


def _parameter(given, axis, queue, block=0):
    """Returns the parameter for numbers, or for an array of any kind."""
    if _kinds.is_array(given):
        given = _kinds.Taken(given, queue).array
    return _maps.Parameter(given, axis, block)


def normalize(x: Given, mean: Parameter, std: Parameter, *, axis: int = -1,
              dtype: Optional[DTypeLike] = None, copy: Optional[bool] = None,
              out: Optional[Given] = None, queue: QueueLike = None,
              wait_for: Events = ()) -> Given:
    """(x - mean) / std, each step rounded once in float32 (float64 if a type has 64 bits).

    mean, std: a number, a list with a number for each index of `axis`, in the elements' own units,
    or an array. An array of one dim lies along `axis`. Other arrays are broadcast as in NumPy.
    dtype: type of the result, rounded half to even and saturated. The default is x's type if x is a
    float, else float32. The shape stays.
    """
    queue = _context.as_queue(queue)

    def mapped(array):
        target = _float_of(array.dtype) if dtype is None else _dtypes.dtype(dtype)
        steps = [_parameter(mean, axis, queue), _parameter(std, axis, queue)]
        _maps.hold(steps, array, target, queue)
        return _maps.normalized(array, target, steps)
    return _view(x, mapped, (copy, out, queue, wait_for), (mean, std))


def _float_of(dtype):
    return dtype if "float" in dtype.name else _dtypes.dtype("float32")


def _quantized(x, name, target, parameters, options):
    scale, zero_point, axis, block = parameters
    queue = _context.as_queue(options[2])

    def mapped(array):
        given = [one if one is None else _parameter(one, axis, queue, block)
                 for one in (scale, zero_point)]
        steps = [one for one in given if one is not None]
        _maps.hold(steps, array, target, queue)
        return _maps.parameterized(array, name, target, given,
                                   steps[::-1] if name == "dequantize" else steps)
    return _view(x, mapped, options, (scale, zero_point))


def quantize(x: Given, scale: Parameter, zero_point: Parameter = None, *,
             dtype: DTypeLike = "uint8", axis: int = 1, block: int = 0,
             copy: Optional[bool] = None, out: Optional[Given] = None, queue: QueueLike = None,
             wait_for: Events = ()) -> Given:
    """ONNX QuantizeLinear: x / scale, half to even, plus the zero point, saturated to `dtype`.

    scale, zero_point: a number, a list or an array along `axis`. With `block`, an array of x's rank
    that has a number for each block of `block` neighbours along `axis`. The shape stays.
    """
    return _quantized(x, "quantize", _dtypes.dtype(dtype), (scale, zero_point, axis, block),
                      (copy, out, queue, wait_for))


def dequantize(x: Given, scale: Parameter, zero_point: Parameter = None, *,
               dtype: DTypeLike = "float32", axis: int = 1, block: int = 0,
               copy: Optional[bool] = None, out: Optional[Given] = None, queue: QueueLike = None,
               wait_for: Events = ()) -> Given:
    """ONNX DequantizeLinear: (x - zero_point) * scale, as `dtype`. Parameters as in quantize."""
    return _quantized(x, "dequantize", _dtypes.dtype(dtype), (scale, zero_point, axis, block),
                      (copy, out, queue, wait_for))


class Step(Protocol):
    """The arguments of add, subtract and the other steps."""

    def __call__(self, x: Given, p: Parameter, *, axis: int = -1, copy: Optional[bool] = None,
                 out: Optional[Given] = None, queue: QueueLike = None,
                 wait_for: Events = ()) -> Given: ...


def _step(kind: str, says: str) -> Step:
    def step(x: Given, p: Parameter, *, axis: int = -1, copy: Optional[bool] = None,
             out: Optional[Given] = None, queue: QueueLike = None,
             wait_for: Events = ()) -> Given:
        queue = _context.as_queue(queue)

        def mapped(array):
            parameter = _parameter(p, axis, queue)
            _maps.hold([parameter], array, array.dtype, queue)
            return _maps.stepped(array, kind, parameter)
        return _view(x, mapped, (copy, out, queue, wait_for), (p,))
    step.__doc__ = f"""{says}, rounded once, in x's own type: float16, bfloat16, float32, float64,
    or int32, modulo 2**32. Several of them are one pass, each rounded.

    p: a number; a list with one for each index of `axis`; or an array, of one dim along `axis`,
    else broadcast as NumPy does. The shape and the type stay.
    """
    return step


add, subtract = _step("ADD", "x + p"), _step("SUBTRACT", "x - p")
multiply, divide = _step("MULTIPLY", "x * p"), _step("DIVIDE", "x / p; not of int32")
maximum, minimum = _step("AT_LEAST", "x < p ? p : x"), _step("AT_MOST", "x > p ? p : x")
left_shift = _step("SHIFT_LEFT", "x * 2**p, of int32 alone, p from 0 to 31")
right_shift = _step("SHIFT_RIGHT", "x / 2**p rounded down, of int32 alone, p from 0 to 31")


def asarray(x: object, queue: QueueLike = None) -> Array:
    """Any kind of array as an Array over the same bytes. queue: for arrays without a queue."""
    return _kinds.Taken(x, _context.as_queue(queue)).array


__all__ = ["add", "asarray", "cast", "chain", "contiguous", "dequantize", "divide", "left_shift",
           "maximum", "minimum", "multiply", "normalize", "quantize", "rearrange", "repeat",
           "reshape", "right_shift", "subtract", "transpose"]
