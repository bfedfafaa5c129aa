"""The functions of the package, on arrays of any kind. See clreshape.__doc__ for what they share.

SPDX-License-Identifier: Apache-2.0
"""

import operator
import re

from . import _array, _context, _dtypes, _kinds, _maps, _moves
from ._errors import ArgumentError, KindError


def _view(x, make, copy, queue, wait_for):
    """The result of an operation that is a view: `make` makes an Array of one."""
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    return _kinds.give(taken, make(taken.array), copy, queue, wait_for)


def _listed(values):
    return ",".join(str(operator.index(value)) for value in values)


def chain(x, text, *, copy=None, queue=None, wait_for=()):
    """A chain of operations as text, in one pass at most.

    text: operations and their values, applied left to right, such as
    "slice=:,::2 permute=1,0 cast=f32 mean=127.5 std=58"; include/clreshape/chain.h lists them.
    Reshapes follow NumPy: -1 infers, 0 is a dim of 0.
    """
    return _view(x, lambda array: array._chain(text), copy, queue, wait_for)


def reshape(x, shape, *, copy=None, queue=None, wait_for=()):
    """The same elements, row-major, in another shape, as numpy.reshape.

    shape: an integer or a tuple of them; one may be -1. The number of elements stays.
    """
    try:
        dims = [operator.index(shape)]
    except TypeError:
        dims = shape
    return _view(x, lambda array: array._chain(f"reshape={_listed(dims)}"), copy, queue, wait_for)


def transpose(x, axes=None, *, copy=None, queue=None, wait_for=()):
    """The dims in another order, as numpy.transpose: result dim i is dim axes[i] of x.

    axes: one for each dim, negative ones count from the end; None reverses them.
    """
    def permuted(array):
        order = range(array.ndim)[::-1] if axes is None else axes
        return array._chain(f"permute={_listed(order)}") if array.ndim or axes else array
    return _view(x, permuted, copy, queue, wait_for)


def _pattern(operation, pattern, lengths, options):
    """The text of an einops operation. An axis may have the name of an option: then it is one."""
    if re.search(r"[;=,]", pattern):
        raise ArgumentError(f"the pattern {pattern!r} has a character that no pattern has")
    names = set(re.findall(r"\w+", pattern))
    lengths |= {name: options.pop(name) for name in list(options) if name in names}
    spelled = "".join(f", {name}={operator.index(length)}" for name, length in lengths.items())
    return f"{operation}={pattern}{spelled}"


def _einops(x, operation, pattern, lengths):
    options = {name: lengths.pop(name) for name in ("copy", "queue", "wait_for") if name in lengths}
    text = _pattern(operation, pattern, lengths, options)
    return chain(x, text, **options)


def rearrange(x, pattern, /, **lengths):
    """einops.rearrange: `rearrange(x, "b t (h d) -> (b h) t d", h=12)`.

    pattern: in the notation of einops, with its rules and refusals. lengths: of the axes that the
    shape does not tell. x may be a list of arrays of one shape, which are stacked first. Takes
    copy=, queue= and wait_for= as all functions do, unless the pattern has an axis of that name.
    """
    if isinstance(x, (list, tuple)):
        x = stack(x)
    return _einops(x, "rearrange", pattern, lengths)


def repeat(x, pattern, /, **lengths):
    """einops.repeat: `repeat(x, "h w -> (h 2) (w n)", n=3)`. As rearrange, with new axes."""
    return _einops(x, "repeat", pattern, lengths)


def contiguous(x, *, copy=None, queue=None, wait_for=()):
    """The same shape, dense and row-major, as numpy.ascontiguousarray: x itself if it is so."""
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    if copy is None and not taken.array.is_contiguous:
        copy = True
    if copy is False and not taken.array.is_contiguous:
        raise ArgumentError(f"an array of shape {taken.array.shape} is not dense, and copy=False")
    return _kinds.give(taken, taken.array, copy, queue, wait_for)


def cast(x, dtype, *, rounding=None, overflow=None, copy=None, queue=None, wait_for=()):
    """The elements as another type, by NumPy's rules.

    dtype: as clreshape.dtype takes it. rounding: "even", "zero", "away", "down" or "up"; overflow:
    "saturate", "wrap" (integers) or "ieee" (floats), where NumPy's rule is not the one wanted: a
    float becomes an integer truncated and saturated, NaN 0; integers wrap. The shape stays.
    """
    target = _dtypes.dtype(dtype)

    def mapped(array):
        if array.dtype == target:
            return array
        return _maps.mapped(array, _maps.cast_map(array.dtype, target, rounding, overflow))
    return _view(x, mapped, copy, queue, wait_for)


def _parameter(given, axis, queue, block=0):
    """Numbers, or an array of any kind."""
    if given is not None and _kinds.is_array(given):
        given = _kinds.Taken(given, queue).array
    return None if given is None else _maps.Parameter(given, axis, block)


def normalize(x, mean, std, *, axis=-1, dtype=None, copy=None, queue=None, wait_for=()):
    """(x - mean) / std, each step rounded once in float32 (float64 if a type has 64 bits).

    mean, std: a number; a list with one for each index of `axis`, in the elements' own units; or an
    array, of one dim along `axis`, else broadcast as NumPy does. dtype: of the result, to which it
    is rounded half to even and saturated; x's own if that is a float, else float32. The shape stays.
    """
    queue = _context.as_queue(queue)

    def mapped(array):
        target = _float_of(array.dtype) if dtype is None else _dtypes.dtype(dtype)
        steps = [_parameter(mean, axis, queue), _parameter(std, axis, queue)]
        _maps.hold(steps, array, target, queue)
        return _maps.parameterized(array, "normalize", target, steps)
    return _view(x, mapped, copy, queue, wait_for)


def _float_of(dtype):
    return dtype if "float" in dtype.name else _dtypes.dtype("float32")


def _quantized(x, name, target, parameters, options):
    scale, zero_point, axis, block = parameters
    copy, queue, wait_for = options
    queue = _context.as_queue(queue)

    def mapped(array):
        steps = [_parameter(scale, axis, queue, block)]
        zero = _parameter(zero_point, axis, queue, block)
        _maps.hold(steps + ([zero] if zero else []), array, target, queue)
        return _maps.parameterized(array, name, target, steps, zero, with_zero=True)
    return _view(x, mapped, copy, queue, wait_for)


def quantize(x, scale, zero_point=None, *, dtype="uint8", axis=1, block=0, copy=None, queue=None,
             wait_for=()):
    """ONNX QuantizeLinear: x / scale, half to even, plus the zero point, saturated to `dtype`.

    scale, zero_point: a number, a list or an array along `axis`; with `block`, an array of x's rank
    with a number for each block of so many neighbours along `axis`. The shape stays.
    """
    return _quantized(x, "quantize", _dtypes.dtype(dtype), (scale, zero_point, axis, block),
                      (copy, queue, wait_for))


def dequantize(x, scale, zero_point=None, *, dtype="float32", axis=1, block=0, copy=None,
               queue=None, wait_for=()):
    """ONNX DequantizeLinear: (x - zero_point) * scale, as `dtype`. Parameters as quantize has them."""
    return _quantized(x, "dequantize", _dtypes.dtype(dtype), (scale, zero_point, axis, block),
                      (copy, queue, wait_for))


def _all_taken(arrays, queue):
    taken = [_kinds.Taken(one, queue) for one in arrays]
    if not taken:
        raise ArgumentError("there is no array to put together")
    return taken


def _axis_of(axis, rank, what="axis"):
    if not -rank <= operator.index(axis) < rank:
        raise ArgumentError(f"{what} {axis} is out of range: there are {rank}")
    return operator.index(axis) % rank


def _assembled(first, dims, queue, wait_for, enqueue):
    """A new object of the first argument's kind, filled by `enqueue`."""
    target, result = first.kind.new(first.thing, tuple(dims), first.array.dtype, queue)
    enqueue(target, queue, wait_for)
    return result()


def concatenate(arrays, axis=0, *, queue=None, wait_for=()):
    """The arrays after one another along an axis, as numpy.concatenate, in a new one of the first
    one's kind. Their dtypes are equal, and their shapes but for that axis."""
    queue = _context.as_queue(queue)
    taken = _all_taken(arrays, queue)
    sources = [one.array for one in taken]
    queue, dims = _moves.queue_for(queue, *sources), list(sources[0].shape)
    axis = _axis_of(axis, len(dims))
    if any(source.ndim != len(dims) for source in sources):
        raise ArgumentError(f"the arrays have {[source.ndim for source in sources]} dims")
    dims[axis] = sum(source.shape[axis] for source in sources)
    return _assembled(taken[0], dims, queue, wait_for, lambda target, queue, wait_for:
                      _moves.concatenate(sources, axis, target, queue, wait_for))


def stack(arrays, axis=0, *, shape=None, begins=None, border=None, queue=None, wait_for=()):
    """The arrays as the indices of a new axis, as numpy.stack, in a new one of the first one's kind.
    Their dtypes are equal, and so are their shapes, unless `shape` says where they go.

    shape: of an index of the result, into which arrays of any sizes are put, such as images into a
    letterbox; None for that of the arrays. begins: for each array, where it begins there, a tuple with
    a place for each dim; None for all 0. border: what is around them: a number, or an array that
    NumPy would broadcast to `shape`, such as a pixel, of the arrays' dtype.
    """
    queue = _context.as_queue(queue)
    taken = _all_taken(arrays, queue)
    sources = [one.array for one in taken]
    shapes = {source.shape for source in sources}
    if shape is None and len(shapes) > 1:
        raise ArgumentError(f"the arrays have different shapes, and shape= is not given: {sorted(shapes)}")
    dims = list(sources[0].shape if shape is None else shape)
    axis = _axis_of(axis, len(dims) + 1)
    around = _border(sources, dims, begins, border, queue)
    dims.insert(axis, len(sources))
    return _assembled(taken[0], dims, _moves.queue_for(queue, *sources), wait_for,
                      lambda target, queue, wait_for: _moves.stack(
                          sources, around, target._chain(f"move_axis={axis},0"), queue, wait_for))


def _border(sources, dims, begins, border, queue):
    """What stack puts around the sources, in an index of these dims."""
    places = None
    if begins is not None:
        places = [operator.index(place) for begin in begins for place in begin]
        if len(places) != len(sources) * len(dims):
            raise ArgumentError(f"begins has {len(places)} places; {len(sources)} arrays of "
                                f"{len(dims)} dims have {len(sources) * len(dims)}")
    if border is None:
        return _moves.Border(places)
    if _kinds.is_array(border):
        return _moves.Border(places, _kinds.Taken(border, queue).array)
    return _moves.Border(places, element=_maps.scalar(border, sources[0].dtype))


def _runs(indices):
    """Neighbouring indices as (first, behind the last)."""
    runs = []
    for index in indices:
        if runs and runs[-1][1] == index:
            runs[-1][1] += 1
        else:
            runs.append([index, index + 1])
    return runs


def take(x, indices, axis=0, *, queue=None, wait_for=()):
    """The indices of an axis in any order, as numpy.take, in a new array of x's kind.

    indices: a list of integers on the host; negative ones count from the end. It costs a part of the
    assembly for each run of neighbours, so this is for some, not for thousands.
    """
    queue = _context.as_queue(queue)
    taken = _kinds.Taken(x, queue)
    array = taken.array
    axis = _axis_of(axis, array.ndim)
    chosen = [_axis_of(index, array.shape[axis], "index") for index in indices]
    before = ":," * axis
    sources = [array._chain(f"slice={before}{start}:{stop}:") for start, stop in _runs(chosen)]
    dims = (*array.shape[:axis], len(chosen), *array.shape[axis + 1:])
    return _assembled(taken, dims, _moves.queue_for(queue, array), wait_for,
                      lambda target, queue, wait_for:
                      _moves.concatenate(sources, axis, target, queue, wait_for))


def copyto(destination, source, *, queue=None, wait_for=()):
    """Writes the source into the destination, a view of any layout: `destination[...] = source`.

    source: an array that NumPy would broadcast to the destination's shape; other elements are cast
    by NumPy's rules, in the same pass. Or a number. The two must not share a byte. Returns the event.
    """
    queue = _context.as_queue(queue)
    target = _kinds.Taken(destination, queue).array
    if isinstance(source, (bool, int, float, complex)) or _is_numpy_scalar(source):
        source = source.item() if hasattr(source, "item") else source
        element = _maps.scalar(source, target.dtype)
        return _moves.fill(target, element, _moves.queue_for(queue, target), wait_for)
    given = cast(_kinds.Taken(source, queue).array, target.dtype)
    if given.shape != target.shape:
        given = _broadcast(given, target.shape)
    return _moves.move(given, target, _moves.queue_for(queue, target, given), wait_for)


def _is_numpy_scalar(thing):
    return hasattr(thing, "item") and getattr(thing, "shape", None) == () and hasattr(thing, "tobytes")


def _broadcast(array, dims):
    if array.ndim > len(dims) or any(have not in (1, want) for have, want in
                                     zip(array.shape[::-1], dims[::-1])):
        raise ArgumentError(f"shape {array.shape} does not broadcast to {tuple(dims)}")
    return array._chain(f"expand={_listed(dims)}")


def asarray(x, queue=None):
    """Any kind of array as an Array over the same bytes. queue: for arrays that have none."""
    return _kinds.Taken(x, _context.as_queue(queue)).array


__all__ = ["asarray", "cast", "chain", "concatenate", "contiguous", "copyto", "dequantize",
           "normalize", "quantize", "rearrange", "repeat", "reshape", "stack", "take", "transpose"]
