"""How an operation moves the indices of each dim, according to the library. Needs no Dask.

The strides of the view after the operation tell, so no operation is named here.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import itertools
import math
from typing import NamedTuple, Optional

from . import _dtypes, _library, _structs, _tensor


class Axis(NamedTuple):
    """An axis of a walk: `extent` indices of a dim, `step` apart. An axis without a dim repeats
    elements."""
    dim: Optional[int]
    step: int
    extent: int


def behind(dims, text, strides):
    """Returns the clrs_view of an array of these dims and strides, in elements, after a chain.
    Raises the library's error if the chain does not fit."""
    layout, view, chain = _structs.Layout(), _structs.View(), _structs.Chain()
    _library.call("layout_init", _dtypes.NUMBERS["bits8"], C.byref(_structs.shape_of(dims)),
                  _structs.int64s(strides), 0, C.byref(layout))
    _library.call("view_from_layout", C.byref(layout), C.byref(view))
    _library.call("chain_parse", text.encode(), C.byref(chain))
    _library.call("chain_apply", C.byref(chain), C.byref(_tensor.NUMPY_RULES), C.byref(view))
    return view


def _walk(view):
    """Returns [(extent, stride)] of the topmost walk of a view with elements."""
    counts = [view.levels[level].axis_count for level in range(view.depth)]
    return [(axis.extent, axis.stride) for axis in view.axes[sum(counts[:-1]):sum(counts)]]


def _ranges(extents):
    """Yields (elements of one index, elements of all indices) for each extent of a row-major shape.
    Example: (3, 4) gives (4, 12) and (1, 4)."""
    inner = math.prod(extents)
    for extent in extents:
        yield inner // extent, inner
        inner //= extent


def changing(view):
    """Returns the dims of a view along which the topmost walk has a stride. Example: a walk of (4,
    stride 1) and (6, stride 0) with a shape of (2, 2, 6) has a stride along dims 0 and 1."""
    walk, shape = _walk(view), view.shape
    moving = [ends for ends, (_, stride) in zip(_ranges([extent for extent, _ in walk]), walk) if stride]
    return {dim for dim, (inner, outer) in enumerate(_ranges(shape.dims[:shape.rank]))
            if any(max(inner, one) < min(outer, other) for one, other in moving)}


def kept(dims, text):
    """Returns {dim: dim after the operation} of the dims that stay as before and depend on no other
    dim.

    Each dim in turn has stride 1, and all other dims have stride 0. A dim stays if the dim is an
    axis of stride 1 that is a whole dim after the operation, and no other dim has a stride there.
    Example: after "diagonal=0,0,1" both dims 0 and 1 have a stride in the last dim, so only the
    other dims stay.
    """
    views = [behind(dims, text, [int(one == dim) for one in range(len(dims))]) for dim in range(len(dims))]
    changed = [changing(view) for view in views]
    found = {}
    for dim, view in enumerate(views):
        alone = view.depth == 1 and [one for one in _walk(view) if one[1]] == [(dims[dim], 1)]
        if alone and view.levels[0].offset == 0 and len(changed[dim]) == 1:
            target, = changed[dim]
            if view.shape.dims[target] == dims[dim] and sum(target in one for one in changed) == 1:
                found[dim] = target
    return found


def _slice_of(start, extent, axes):
    """Returns the slice of a dim that the axes of a walk show, or None if the axes show no slice.
    Several axes must show the whole dim. Example: a dim of 6 after "rearrange=(a b) -> b a, a=2"
    has steps 1 and 3."""
    if len(axes) > 1:
        inner = 1
        for axis in sorted(axes, key=lambda axis: axis.step):
            if axis.step != inner:
                return None
            inner *= axis.extent
        return slice(None) if (start, inner) == (0, extent) else None
    count, step = (axes[0].extent, axes[0].step) if axes else (1, 1)
    stop = start + count * step
    whole = (start, count, step) == (0, extent, 1)
    return slice(None) if whole else slice(start, stop if stop >= 0 else None, step)


def pieces(dims, text):
    """Returns (a slice for each dim, the axes of the slices in order after the operation), or None
    if the view is no strided layout of such axes.

    The array's strides have gaps as large as the dims, so that the stride of an axis tells the dim,
    and axes of two dims never join. Example: dims (4, 6) have strides (12, 1). After "slice=::2
    permute=1,0" the axes are (6, stride 1) and (2, stride 24).
    """
    strides = [math.prod(2 * extent for extent in dims[dim + 1:] if extent > 1) for dim in range(len(dims))]
    view = behind(dims, text, strides)
    if view.depth != 1:
        return None
    axes, slices, offset = [], [], view.levels[0].offset
    for extent, stride in _walk(view):
        dim = next((dim for dim, one in enumerate(strides) if one <= abs(stride)), None)
        if stride and stride % strides[dim]:
            return None
        axes.append(Axis(dim, stride // strides[dim] if stride else 0, extent))
    for dim, extent in enumerate(dims):
        start, offset = divmod(offset, strides[dim])
        slices.append(_slice_of(start, extent, [axis for axis in axes if axis.dim == dim]))
    return None if None in slices or len(axes) > _structs.MAX_RANK else (slices, axes)


def rolled(dims, text):
    """Returns (dim, distance towards the end) for an operation that rolls one dim, or None.

    The first element tells where the dim begins. The parts before and behind the last index of the
    dim must be two slices of the dim. Example: after "roll=0,1" a dim of 4 begins at 3, and is 3:4
    and then 0:3.
    """
    if 0 in dims:
        return None
    first = pieces(dims, f"{text}; slice=" + ",".join(["0:1"] * len(dims)))
    begins = [] if first is None else [one.start or 0 for one in first[0]]
    moved = [dim for dim, begin in enumerate(begins) if begin]
    if len(moved) != 1:
        return None
    dim, = moved
    extent, begin = dims[dim], begins[dim]
    by, leading = extent - begin, ":," * dim
    same = all(pieces(dims, f"{text}; slice={leading}{here}:{here + there[1] - there[0]}") ==
               pieces(dims, f"slice={leading}{there[0]}:{there[1]}")
               for here, there in ((0, (begin, extent)), (by, (0, begin))))
    return (dim, by) if same else None


def snapped(sizes, unit):
    """Returns sizes whose partial sums are rounded to the nearest multiples of a unit. No size is
    0, except for an empty dim. Example: sizes 3, 3, 4 and unit 2 give 4, 2, 4."""
    ends = {(end + unit // 2) // unit * unit for end in itertools.accumulate(sizes)} - {0}
    ends = sorted(ends | {sum(sizes)})
    return tuple(end - begin for begin, end in zip([0, *ends], ends))
