"""Which chunks of an array a pattern can be applied to one by one, and what comes out of them.

An axis of the pattern may be cut where it is the outermost of its dim on both sides: a run of its
indices is then a run of the dim's. All other axes are whole in each chunk. Needs no Dask.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import itertools
import math
import re
from typing import NamedTuple

from . import _dtypes, _library, _structs, _tensor


def behind(dims, text, strides=None):
    """The clrs_view of an array of these dims behind a chain. A chain that does not fit is the library's
    error. strides: in elements, None for a dense array."""
    layout, view, chain = _structs.Layout(), _structs.View(), _structs.Chain()
    _library.call("layout_init", _dtypes.NUMBERS["bits8"], C.byref(_structs.shape_of(dims)),
                  None if strides is None else _structs.int64s(strides), 0, C.byref(layout))
    _library.call("view_from_layout", C.byref(layout), C.byref(view))
    _library.call("chain_parse", text.encode(), C.byref(chain))
    _library.call("chain_apply", C.byref(chain), C.byref(_tensor.NUMPY_RULES), C.byref(view))
    return view


def steps_behind(dims, text, strides=None):
    """([(extent, stride) of each dim], offset) behind a chain, where that is a strided layout."""
    layout = _structs.Layout()
    _library.call("view_layout", C.byref(behind(dims, text, strides)), C.byref(layout))
    return list(zip(layout.dims[:layout.rank], layout.strides[:layout.rank])), layout.offset


def plain(pattern):
    """The pattern with a plain name for the axis U+2026, which einops takes and no length= can name."""
    longest = max(map(len, re.findall(r"\w+", pattern)), default=0)
    return pattern.replace("\u2026", "x" * (longest + 1))


def _groups(side, hidden):
    """The axes of each dim of one side. `hidden` names those of the ellipsis; a 1 has no axis."""
    groups, inside = [], False
    for word in re.findall(r"[()]|[^\s()]+", side):
        names = [] if word == "1" else hidden if word == "..." else [word]
        if word == "(":
            groups.append([])
        elif inside and word != ")":
            groups[-1] += names
        elif word == "...":
            groups += [[name] for name in names]
        elif word != ")":
            groups.append(list(names))
        inside = word == "(" or inside and word != ")"
    return groups


def _lengths(groups, dims, given):
    """The length of each axis; the pattern is known to fit."""
    lengths = dict(given)
    for group, extent in zip(groups, dims):
        unknown = [name for name in group if name not in lengths]
        known = math.prod(lengths[name] for name in group if name in lengths)
        lengths.update((name, extent // known if known else 0) for name in unknown)
    return lengths


class Cut(NamedTuple):
    """A dim that may be cut: its axis, how many of its elements an index of the axis has, and the
    same for the dim that the axis is in behind the pattern."""
    axis: str
    unit: int
    target: int
    target_unit: int


class Cuts:
    """cuts: {dim of the source: Cut}; all others are whole. shape: of the result."""

    def __init__(self, cuts, shape):
        self.cuts, self.shape = cuts, list(shape)

    def source_chunks(self, chunks):
        """The chunks of each dim, moved to where the work can be done."""
        return tuple(_snapped(sizes, self.cuts[dim].unit) if dim in self.cuts else (sum(sizes),)
                     for dim, sizes in enumerate(chunks))

    def target_chunks(self, chunks):
        """{dim that is cut: the chunks of the dim that its axis goes to}."""
        return {dim: tuple(size // cut.unit * cut.target_unit for size in chunks[dim])
                for dim, cut in self.cuts.items()}


class Plan(Cuts):
    """A pattern for arrays of these dims.

    whole: dims that shall not be cut, whatever the pattern says. cuts: {dim: Cut}.
    lengths: of the axes that are whole; each chunk is rearranged with them.
    """

    def __init__(self, pattern, dims, given, whole=()):
        left, right = pattern.split("->")
        count = len(dims) - len(_groups(left, []))
        hidden = [f"...{i}" for i in range(count)] if "..." in left else []
        left, right = _groups(left, hidden), _groups(right, hidden)
        lengths = _lengths(left, dims, given)
        # An axis of length 1 is in nobody's way.
        self._left, self._right = ([[name for name in group if lengths[name] != 1]
                                    for group in side] for side in (left, right))
        super().__init__({dim: cut for dim, cut in self._cuts(lengths) if dim not in whole},
                         [math.prod(lengths[name] for name in group) for group in self._right])
        cut = {one.axis for one in self.cuts.values()}
        self.lengths = {name: length for name, length in lengths.items()
                        if name not in cut and name not in hidden}

    def _cuts(self, lengths):
        outermost = {group[0]: dim for dim, group in enumerate(self._right) if group}
        for dim, group in enumerate(self._left):
            if not group or group[0] not in outermost:
                continue
            target = outermost[group[0]]
            unit, target_unit = (math.prod(lengths[name] for name in axes[1:])
                                 for axes in (group, self._right[target]))
            if unit and target_unit:
                yield dim, Cut(group[0], unit, target, target_unit)


def _snapped(sizes, unit):
    """Sizes whose sums are the nearest multiples of a unit, none of them 0 but for an empty dim."""
    ends = {(end + unit // 2) // unit * unit for end in itertools.accumulate(sizes)} - {0}
    ends = sorted(ends | {sum(sizes)})
    return tuple(end - begin for begin, end in zip([0, *ends], ends))
