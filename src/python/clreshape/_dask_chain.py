"""Splits a chain of operations for Dask arrays into parts. A part is done in one pass over each
chunk. Dask rechunks between parts. Needs no Dask.

A Part begins with an array in which every dim may be cut. Each operation leaves some dims cut, at
multiples of a unit, and makes other dims whole. The library tells which dims (see _chunks). Dask
slices and rolls cut dims, because a chunk does not know the other chunks.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import math
import types
from typing import NamedTuple, Optional

from . import _chunks, _dtypes, _errors, _library, _padded, _structs, _tensor


class Step(NamedTuple):
    """An operation, and the dims and the element type after the operation, from the library. whole:
    the dims along which the numbers of a map change, or None for a movement."""
    text: str
    dims: tuple
    dtype: _dtypes.DType
    whole: Optional[set]


def _do(chain, number, mapped):
    """Applies an operation. Returns (dims, dtype) after the operation."""
    _library.call("chain_map_one", C.byref(chain), number, C.byref(_tensor.NUMPY_RULES), C.byref(mapped))
    return _padded.seen(mapped)


def _text(chain, number):
    """Returns the text of an operation, or "" behind the last."""
    return (_library.function("chain_op_text")(C.byref(chain), number) or b"").decode()


def _padding(text, dims, dtype):
    """Returns the step of a pad. The padded dims are whole."""
    array = types.SimpleNamespace(ndim=len(dims), shape=dims, dtype=dtype)
    pairs, _ = _padded.border(text, array)
    return Step(text, tuple(extent + sum(pair) for extent, pair in zip(dims, pairs)), dtype,
                {dim for dim, pair in enumerate(pairs) if any(pair)})


def _whole(chain, number, dims, dtype):
    """Returns the dims along which the numbers of a map change, or which a resize or a color mixes,
    or the last dim for a bitcast to another width, or None for a movement."""
    mapped = _padded.mapped(dims, dtype)
    before = bytes(mapped.map), mapped.dtype
    behind, _ = _do(chain, number, mapped)
    if before == (bytes(mapped.map), mapped.dtype):
        return None
    if mapped.views.resample.by:  # the rows and columns of any picture become equally many
        wider, _ = _do(chain, number, _padded.mapped([extent + 1 for extent in dims], dtype))
        return {dim for dim, extent in enumerate(wider) if extent == behind[dim]}
    if _text(chain, number).startswith("color="):  # a frame has two dims, and pixels have three
        return set(range(len(dims) - (2 if len(behind) > len(dims) else 3), len(dims)))
    if math.prod(behind) != math.prod(dims):
        return {len(dims) - 1}
    return set().union(*map(_chunks.changing, mapped.views.views[:mapped.views.count]))


def steps(text, dims, dtype):
    """Returns the steps of a text. Raises the library's error for a wrong text."""
    chain, mapped, found = _structs.Chain(), _padded.mapped(dims, dtype), []
    _library.call("chain_parse", text.encode(), C.byref(chain))
    while said := _text(chain, len(found)):
        if said.startswith("pad="):
            found.append(_padding(said, dims, dtype))
            mapped = _padded.mapped(found[-1].dims, dtype)
        else:
            behind = _do(chain, len(found), mapped)
            whole = None if 0 in dims else _whole(chain, len(found), dims, dtype)
            found.append(Step(said, *behind, whole))
        dims, dtype = found[-1].dims, found[-1].dtype
    _library.call("mapped_check", C.byref(mapped))
    return found


class Cut(NamedTuple):
    """How a dim is cut: `unit` elements of the dim come from `source_unit` elements of dim `source`
    of the source."""
    source: int
    source_unit: int = 1
    unit: int = 1

    @property
    def anywhere(self):
        return (self.source_unit, self.unit) == (1, 1)


class Part:
    """Operations of one pass over each chunk of an array with these dims.

    text: pieces, from which spelled() makes the text for a chunk. indexing: the slices, as (dim,
    slice), and the rolls, as (dim, distance), that Dask applies to the source first. cuts: {dim
    after the operations: Cut}.
    """

    def __init__(self, dims, whole=()):
        self.dims, self.text, self.indexing, self.source_dims = tuple(dims), (), (), tuple(dims)
        self.cuts = {dim: Cut(dim) for dim, extent in enumerate(dims) if extent > 1 and dim not in whole}

    def after(self, step):
        """Returns the part with another operation, or None if the operation needs a separate
        part."""
        if not self._may_stand_before(step.text):
            return None
        part = Part(())
        part.__dict__.update(self.__dict__)
        if step.whole is not None:
            part._keep({dim: dim for dim in part.cuts if dim not in step.whole})
            part.text += (step.text,)
        elif not part._moved(step):
            return None
        part.dims = step.dims
        part._forget_single()
        return None if part._is_full() else part

    def _may_stand_before(self, text):
        """Pads, colours and pictures begin a part, but a picture may be of colours. A pad also ends
        its part."""
        name = text.partition("=")[0]
        before = {piece.partition("=")[0] if isinstance(piece, str) else piece[0] for piece in self.text}
        return "pad" not in before and (name not in ("pad", "color", "resize") or
                                        before <= ({"color", "slice"} if name == "resize" else set()))

    def units(self):
        """Returns {cut dim of the source: unit of the cut}. All other dims are whole."""
        return {cut.source: cut.source_unit for cut in self.cuts.values()}

    def source_chunks(self, chunks):
        """Returns the chunks of each dim, with cuts moved to multiples of the units."""
        units = self.units()
        return tuple(_chunks.snapped(sizes, units[dim]) if dim in units else (sum(sizes),)
                     for dim, sizes in enumerate(chunks))

    def fewest(self):
        """Returns the fewest elements that a chunk can have, in the source and in the result."""
        units = self.units()
        return (math.prod(units.get(dim, extent) for dim, extent in enumerate(self.source_dims)),
                math.prod(self.cuts[dim].unit if dim in self.cuts else extent
                          for dim, extent in enumerate(self.dims)))

    def _is_full(self):
        """Is the text too long for a chain? The text of a chunk is never longer than the text of
        the whole."""
        try:
            _library.call("chain_parse", spelled(self.text, self.source_dims).encode(),
                          C.byref(_structs.Chain()))
        except _errors.ClreshapeError as error:
            if error.status != "CLRS_LIMIT_EXCEEDED":
                raise
            return True
        return False

    def _add(self, name, values):
        """Adds an operation whose values are integers, or Cuts for values that depend on the
        chunk."""
        if name == "reshape" and self.text and self.text[-1][0] == name:
            self.text = self.text[:-1]
        self.text += ((name, tuple(values)),)

    def _keep(self, moved):
        """Keeps the cut dims that `moved` contains, {dim before: dim after}."""
        self.cuts = {moved[dim]: cut for dim, cut in self.cuts.items() if dim in moved}

    def _reshaped(self, dims):
        """Reshapes to `dims`. Dims are grouped so that both sides have equally many elements, and
        the outermost dim of each group stays cut. Example: (6, 4) to (3, 2, 4) has two groups. If
        dim 0 is cut, dim 0 stays cut at multiples of 2, because 2 indices become one index of the
        new dim 0."""
        if self.dims == tuple(dims):
            return
        cuts = {}
        for before, behind in _groups(self.dims, dims):
            if not before or not behind or before[0] not in self.cuts:
                continue
            inner = math.prod(self.dims[dim] for dim in before[1:])
            target_inner = math.prod(dims[dim] for dim in behind[1:])
            cut = self.cuts[before[0]]
            times = target_inner // math.gcd(cut.unit * inner, target_inner)
            cuts[behind[0]] = Cut(cut.source, cut.source_unit * times,
                                  cut.unit * times * inner // target_inner)
        self.cuts, self.dims = cuts, tuple(dims)
        self._add("reshape", [cuts.get(dim, extent) for dim, extent in enumerate(dims)])

    def _permuted(self, order):
        if order != sorted(order):
            self._keep({dim: place for place, dim in enumerate(order)})
            self.dims = tuple(self.dims[dim] for dim in order)
            self._add("permute", order)

    def _expanded(self, dims):
        if self.dims != tuple(dims):
            self._add("expand", [1 if dim in self.cuts else extent for dim, extent in enumerate(dims)])
            self.dims = tuple(dims)

    def _indexed(self, slices):
        """Applies a slice for each dim. Dask applies slices of cut dims, and then the dims must be
        cut at any index. Returns False if that is not so."""
        cut = {dim: self.cuts[dim] for dim in self.cuts if slices[dim] != slice(None)}
        if not all(one.anywhere for one in cut.values()):
            return False
        for dim, one in cut.items():
            self._index(one.source, slices[dim])
        rest = [slice(None) if dim in cut else given for dim, given in enumerate(slices)]
        if any(given != slice(None) for given in rest):
            self.text += ("slice=" + ",".join(map(_spelled_slice, rest)),)
        self.dims = tuple(len(range(extent)[given]) for extent, given in zip(self.dims, slices))
        self._forget_single()  # before a reshape names the dims
        return True

    def _index(self, source, given):
        extent = len(range(self.source_dims[source])[given])
        self.indexing += ((source, given),)
        self.source_dims = (*self.source_dims[:source], extent, *self.source_dims[source + 1:])

    def _forget_single(self):
        """Forgets the cuts of dims of one index."""
        self.cuts = {dim: cut for dim, cut in self.cuts.items() if self.dims[dim] > 1}

    def _moved(self, step):
        """Adds a movement. Returns False if the part cannot take the movement."""
        found = _chunks.pieces(self.dims, step.text)
        rolled = _chunks.rolled(self.dims, step.text) if found is None and step.dims == self.dims else None
        if rolled:
            return self._rolled(step, *rolled)
        if found is None:
            self._keep(_chunks.kept(self.dims, step.text))
            self.text += (step.text,)
            return True
        slices, axes = found
        if not self._indexed(slices):
            return False
        self._spread(axes)
        self._reshaped(step.dims)
        return True

    def _rolled(self, step, axis, by):
        """Adds a roll. Dask rolls a cut axis."""
        cut = self.cuts.get(axis)
        if cut is None:
            self.text += (step.text,)
        elif cut.anywhere:
            self.indexing += ((cut.source, by),)
        return cut is None or cut.anywhere

    def _spread(self, axes):
        """Splits dims into axes, reorders the axes, and adds axes that repeat."""
        split = sorted((axis for axis in axes if axis.dim is not None),
                       key=lambda axis: (axis.dim, -axis.step))
        self._reshaped([axis.extent for axis in split])
        self._permuted([split.index(axis) for axis in axes if axis.dim is not None])
        self._reshaped([1 if axis.dim is None else axis.extent for axis in axes])
        self._expanded([axis.extent for axis in axes])


def _spelled_slice(given):
    ends = ["" if end is None else str(end) for end in (given.start, given.stop, given.step)]
    return ":".join(ends)


def _groups(before, behind):
    """Yields groups of dims with equally many elements on both sides, as pairs of lists of dims,
    without dims of 1. Example: (2, 3, 4) and (6, 1, 4) give ([0, 1], [0]) and ([2], [2])."""
    sides = [[dim for dim, extent in enumerate(dims) if extent != 1] for dims in (before, behind)]
    left, right = sides
    while left or right:
        groups, counts = ([], []), [1, 1]
        while counts[0] != counts[1] or not groups[0]:
            side = 0 if counts[0] <= counts[1] else 1
            dim = sides[side].pop(0)
            groups[side].append(dim)
            counts[side] *= (before, behind)[side][dim]
        yield groups


def spelled(pieces, shape):
    """Returns the text of a part for a chunk of that shape."""
    words = []
    for piece in pieces:
        if isinstance(piece, str):
            words.append(piece)
        else:
            name, values = piece
            words.append(f"{name}=" + ",".join(
                str(shape[value.source] // value.source_unit * value.unit)
                if isinstance(value, Cut) else str(value) for value in values))
    return "; ".join(words)
