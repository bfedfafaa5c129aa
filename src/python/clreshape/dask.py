"""Operations on Dask arrays. Dask rechunks, schedules and spills. Each chunk is moved on the
worker's device.

    import clreshape.dask
    planes = clreshape.dask.normalize(frames, mean, std, dtype="float16",
                                      pattern="n h w c -> n c h w")

A chunk is a NumPy array. A task writes the chunk to the device, moves the chunk in one pass, even
if a call asks for several operations, and reads the result. The device buffers, of the sizes of the
chunk and of the result, are then freed. Nothing is computed before Dask computes. Shapes, patterns
and types are checked at the call. Errors of a device are raised by `compute`.

device: "P:D", as `clreshape devices` lists devices. The default is CLRESHAPE_DEVICE in the
environment of the task, else the first GPU there, else the first device. A process has a context
for each device, and a queue for each thread. Workers that are processes are spawned, as by Dask,
because OpenCL does not work after a fork.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import dataclasses
import math
import re
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import dask
import dask.array
import dask.utils
import numpy

from . import (_array, _assembly, _dask_chain, _devices, _dtypes, _maps, _operations, _padded)
from ._errors import ArgumentError, KindError

if TYPE_CHECKING:
    from ._types import DTypeLike

Numbers = Union[float, Sequence[float]]
__all__ = ["cast", "chain", "normalize", "rearrange", "transpose"]


@dataclasses.dataclass(frozen=True)
class _Work:
    """The work on each chunk. Workers get the object pickled, so the object holds no handle."""
    map: Optional[str]  # "cast" or "normalize", with the arguments and options below
    arguments: tuple
    options: tuple
    text: tuple  # text of the chain behind the map, in pieces for _dask_chain.spelled
    source: numpy.dtype
    dtype: numpy.dtype  # type of the result
    device: Optional[str]


def _moved(block, work):
    """Moves a chunk on this worker's device. If several dims become one, Dask gives nested lists of
    one chunk."""
    while isinstance(block, (list, tuple)):
        block, = block
    # Rechunking leaves elements in the byte order of the host.
    block = numpy.asarray(block, work.source)
    kind = _dtypes.of_numpy(work.source)
    array = _array.to_device(block, _devices.queue_of(work.device), kind)
    if work.map:
        array = getattr(_operations, work.map)(array, *work.arguments, **dict(work.options))
    text = _dask_chain.spelled(work.text, block.shape)
    found = _padded.place(text)
    made = array._chain(text) if found[1] is None else _padded.chain(array, found, None, None, ())
    host = made.get()
    # Elements without a type of the library were moved as bits.
    return host if host.dtype == work.dtype else host.view(work.dtype)


def _check_array(x):
    if not isinstance(x, dask.array.Array):
        raise KindError(f"a {type(x).__module__}.{type(x).__name__} is no dask.array.Array")
    if math.isnan(sum(x.shape)):
        raise ArgumentError("the array has chunks of unknown sizes: x.compute_chunk_sizes() has "
                            "them computed")
    if x.dtype.hasobject:
        raise KindError("elements that are Python objects cannot be moved")


def _rechunked(x, part):
    """Rechunks x for the part. If whole dims make chunks larger than x's chunks and than Dask's
    array.chunk-size, the other dims are cut further."""
    chunks, units, limit = part.source_chunks(x.chunks), part.units(), _limit(x)
    if math.prod(map(max, chunks)) * x.dtype.itemsize > limit and units:
        wanted = ["auto" if dim in units else -1 for dim in range(x.ndim)]
        chunks = part.source_chunks(dask.array.core.normalize_chunks(
            wanted, x.shape, limit, x.dtype, previous_chunks=x.chunks))
    return x.rechunk(chunks)


def _applied(x, part, work):
    """Returns a Dask array of the work's results on all chunks."""
    x = _rechunked(x, part)
    index = [part.cuts[dim].source if dim in part.cuts else x.ndim + dim for dim in range(len(part.dims))]
    new = {x.ndim + dim: extent for dim, extent in enumerate(part.dims) if dim not in part.cuts}
    chunks = {cut.source: tuple(size // cut.source_unit * cut.unit for size in x.chunks[cut.source])
              for cut in part.cuts.values()}
    return dask.array.blockwise(
        _moved, index, x, range(x.ndim), new_axes=new, adjust_chunks=chunks,
        align_arrays=False, token="clreshape", work=work, dtype=work.dtype,
        meta=numpy.empty((0,) * len(index), work.dtype))


def _empty(dims, dtype):
    return dask.array.empty(dims, dtype=dtype, chunks=-1)


def _patterned(x, pattern, lengths, step, whole=()):
    """Applies a step (map, arguments, options, dtype, device) to x, and then a pattern."""
    *step, dtype, device = step
    if pattern is None and lengths:
        raise ArgumentError(f"lengths of {', '.join(lengths)}, but no pattern")
    text = "" if pattern is None else _operations._pattern("rearrange", pattern, dict(lengths), {})
    part, device = _dask_chain.Part(x.shape, whole), _devices.name_of(device)
    for move in _dask_chain.steps(text, x.shape, _dtypes.of_numpy(x.dtype)):
        if 0 in move.dims:
            return _empty(move.dims, dtype)
        part = part.after(move)
    return _applied(x, part, _Work(*step, part.text, x.dtype, dtype, device))


def _limit(x):
    """Returns the largest size of a chunk in bytes: Dask's array.chunk-size, or the size of x's
    chunks."""
    return max(dask.utils.parse_bytes(dask.config.get("array.chunk-size")),
               math.prod(x.chunksize) * x.dtype.itemsize)


def _done(x, part, dtype, device):
    """Returns x after a part of a chain."""
    for dim, given in part.indexing:
        if isinstance(given, slice):
            x = x[(slice(None),) * dim + (given,)]
        else:
            x = dask.array.roll(x, given, dim).astype(x.dtype)  # may lose the byte order
    if not part.text:
        return x
    return _applied(x, part, _Work(None, (), (), part.text, x.dtype, dtype, device))


def _fits(part, x, kind, limit):
    source, result = part.fewest()
    return max(source * x.dtype.itemsize, result * kind.bits // 8) <= limit


def _numpy_dtype(x, source, found):
    """Returns the NumPy type of elements of the library's type `found`: x's type if the type has
    not changed."""
    return x.dtype if found == source else found.dtype


def chain(x: dask.array.Array, text: str, *, device: Optional[str] = None) -> dask.array.Array:
    """A chain of operations as text, as clreshape.chain: "slice=:,::2 permute=1,0 cast=f32".

    As many operations as possible are done together, in one pass for each chunk. A dim stays cut as
    in `rearrange`. If whole dims would make a chunk larger than Dask's array.chunk-size and than
    the chunks of x, Dask rechunks in between. An operation that still needs larger chunks is
    refused. A resize or a color mixes dims, which become whole, as padded dims do. If a dim is cut, Dask takes slices of the dim, and flips and rolls the dim.
    """
    _check_array(x)
    source, text = _dtypes.of_numpy(x.dtype), _dtypes.named_in_chain(text)
    with _dtypes.byte_order_named(x.dtype):
        steps = _dask_chain.steps(text, x.shape, source)
    device = _devices.name_of(device)
    if steps and 0 in steps[-1].dims:
        return _empty(steps[-1].dims, _numpy_dtype(x, source, steps[-1].dtype))
    part, kind, limit = _dask_chain.Part(x.shape), source, _limit(x)
    for step in steps:
        longer = part.after(step)
        if (longer is None or not _fits(longer, x, step.dtype, limit)) and (part.text or part.indexing):
            x = _done(x, part, _numpy_dtype(x, source, kind), device)
            source = _dtypes.of_numpy(x.dtype)
            part = _dask_chain.Part(x.shape)
            longer = part.after(step)
        if longer is None or not _fits(longer, x, step.dtype, limit):
            raise ArgumentError(f"{step.text!r} cannot be done chunk by chunk: of dims {x.shape} it needs "
                                f"so many whole that a chunk has more than the {limit} bytes that Dask's "
                                "array.chunk-size and the chunks of the array allow")
        part, kind = longer, step.dtype
    return _done(x, part, _numpy_dtype(x, source, kind), device)


def rearrange(x: dask.array.Array, pattern: str, /, **lengths: Any) -> dask.array.Array:
    """einops.rearrange of a Dask array: `rearrange(x, "b t (h d) -> (b h) t d", h=12)`.

    A dim stays cut if the dim's outermost axis is also the outermost axis of a dim of the result.
    The cuts are at multiples of the elements behind that axis. All other dims become whole. If
    whole dims would make chunks larger than Dask's array.chunk-size, the dims that stay cut are cut
    further. Takes device= as all functions do, unless the pattern has an axis of that name.
    """
    _check_array(x)
    is_axis = "device" in re.findall(r"\w+", pattern)
    device = None if is_axis else lengths.pop("device", None)
    return _patterned(x, pattern, lengths, (None, (), (), x.dtype, device))


def transpose(x: dask.array.Array, axes: Optional[Sequence[int]] = None, *,
              device: Optional[str] = None) -> dask.array.Array:
    """The dims in another order, as numpy.transpose. The chunks move with the dims."""
    _check_array(x)
    order = range(x.ndim)[::-1] if axes is None else axes
    order = [_assembly.axis_of(axis, x.ndim) for axis in order]
    before, behind = (" ".join(f"a{dim}" for dim in dims) for dims in (range(x.ndim), order))
    return rearrange(x, f"{before} -> {behind}", device=device)


def cast(x: dask.array.Array, dtype: DTypeLike, *, rounding: Optional[str] = None,
         overflow: Optional[str] = None, pattern: Optional[str] = None,
         device: Optional[str] = None, **lengths: Any) -> dask.array.Array:
    """As clreshape.cast, and then as `rearrange` if there is a pattern, in one pass."""
    _check_array(x)
    target = _dtypes.dtype(dtype)
    with _dtypes.byte_order_named(x.dtype):
        _maps.cast_map(_dtypes.of_numpy(x.dtype), target, rounding, overflow)
    options = (("rounding", rounding), ("overflow", overflow))
    return _patterned(x, pattern, lengths, ("cast", (target.name,), options, target.dtype, device))


def _numbers(given, extent):
    """Returns a tuple of one number, or of a number for each index of an axis."""
    try:
        values = _maps._numbers(given)
    except (TypeError, ValueError):
        values = ()
    if len(values) not in (1, extent):
        raise ArgumentError(f"mean and std are a number, or a list of one for each of the {extent} "
                            f"indices of the axis: not {given!r}")
    return values


def normalize(x: dask.array.Array, mean: Numbers, std: Numbers, *, axis: int = -1,
              dtype: Optional[DTypeLike] = None, pattern: Optional[str] = None,
              device: Optional[str] = None, **lengths: Any) -> dask.array.Array:
    """As clreshape.normalize, and then as `rearrange` if there is a pattern, in one pass.

    mean, std: a number, or a list with a number for each index of `axis`, a dim of x. With a list
    the dim is whole in each chunk. The pattern names x's dims.
    """
    _check_array(x)
    source = _dtypes.of_numpy(x.dtype)
    target = _operations._float_of(source) if dtype is None else _dtypes.dtype(dtype)
    one = _maps.Parameter(1, axis)
    with _dtypes.byte_order_named(x.dtype):
        _maps.normalizing(source, target, (one, one))
    axis = _assembly.axis_of(axis, x.ndim) if x.ndim else None
    extent = 1 if axis is None else x.shape[axis]
    parameters = tuple(_numbers(given, extent) for given in (mean, std))
    whole = () if max(map(len, parameters)) == 1 else (axis,)
    options = (("axis", axis), ("dtype", target.name))
    step = ("normalize", parameters, options, target.dtype, device)
    return _patterned(x, pattern, lengths, step, whole)
