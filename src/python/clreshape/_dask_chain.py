"""A chain of operations for Dask arrays: which of its operations are done together in each chunk, with
which cuts, and where Dask has to cut the array otherwise in between. Needs no Dask.

A Part begins with an array whose every dim may be cut. Each operation leaves some dims cut, at multiples
of a unit, and makes others whole. What takes some indices of a dim and leaves the others, as slice, flip
and roll do, is done by Dask where that dim is cut: an index of a cut axis knows nothing of the others.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import math
import re
from typing import NamedTuple

from . import _chunks, _dtypes, _library, _structs, _tensor

MOST_OPS, MOST_TEXT = 24, 640  # of a part: below CLRS_MAX_OPS and CLRS_CHAIN_TEXT, with room
NORMALIZING = ("mean", "std", "scale", "bias")


class Step(NamedTuple):
    """An operation, and what the library says is there behind it."""
    text: str
    dims: tuple
    dtype: _dtypes.DType

    @property
    def name(self):
        return self.text.partition("=")[0].strip()

    @property
    def values(self):
        return self.text.partition("=")[2].strip()

    def integers(self):
        """Those of a list; none of an empty one."""
        return [int(word) for word in self.values.split(",") if word.strip()]


def steps(text, dims, dtype):
    """The operations of a text; raises what the library says of it."""
    view, chain, mapped = _structs.View(), _structs.Chain(), _structs.STRUCTS["clrs_mapped"]()
    _library.call("chain_parse", text.encode(), C.byref(chain))
    _library.call("view_dense", dtype.number, C.byref(_structs.shape_of(dims)), C.byref(view))
    _library.call("mapped_init", C.byref(view), C.byref(mapped))
    found = []
    for i in range(chain.op_count):
        _library.call("chain_map_one", C.byref(chain), i, C.byref(_tensor.NUMPY_RULES),
                      C.byref(mapped))
        shape = mapped.views.source.shape
        found.append(Step(_library.function("chain_op_text")(C.byref(chain), i).decode(),
                          tuple(shape.dims[:shape.rank]),
                          _dtypes.numbered(mapped.dtype)))
    _library.call("mapped_check", C.byref(mapped))
    return found


class Cut(NamedTuple):
    """How a dim is cut: so many of its elements are an index of what so many of a source's dim are."""
    source: int
    source_unit: int = 1
    unit: int = 1


class Part:
    """Operations that are done together in each chunk of an array with these dims.

    text: pieces that spelled() puts together for a chunk. indexing: what Dask does to the source before,
    (dim, slice) or (dim, how far it rolls).
    """

    def __init__(self, dims):
        self.dims, self.text, self.indexing, self.source_dims = tuple(dims), (), (), tuple(dims)
        self.cuts = {dim: Cut(dim) for dim, extent in enumerate(dims) if extent > 1}

    def after(self, step):
        """The part with an operation more, or None if that is for a part of its own."""
        part = Part(())
        part.__dict__.update(self.__dict__)
        done = getattr(part, f"_{step.name}", None)
        if step.name in ("rearrange", "repeat") and "->" in step.values:
            done = part._einops
        if (done or part._any)(step) is False:
            return None
        part.dims = step.dims
        part._forget_single()
        return None if part._is_full() else part

    def plan(self):
        return _chunks.Cuts({cut.source: _chunks.Cut("", cut.source_unit, dim, cut.unit)
                             for dim, cut in self.cuts.items()}, self.dims)

    def fewest(self):
        """The fewest elements that a chunk can have, of the source and of the result."""
        units = {cut.source: cut.source_unit for cut in self.cuts.values()}
        return (math.prod(units.get(dim, extent) for dim, extent in enumerate(self.source_dims)),
                math.prod(self.cuts[dim].unit if dim in self.cuts else extent
                          for dim, extent in enumerate(self.dims)))

    def _is_full(self):
        return len(self.text) > MOST_OPS or sum(map(len, map(str, self.text))) > MOST_TEXT

    # ---- what the methods of operations are made of ----

    def _add(self, name, values):
        """An operation whose values are integers and, for what a chunk has of it, cuts."""
        self.text += ((name, tuple(values)),)

    def _keep(self, moved):
        """Of the dims that are cut those stay so that `moved` has, {dim before: dim behind}."""
        self.cuts = {moved[dim]: cut for dim, cut in self.cuts.items() if dim in moved}

    def _axis(self, axis):
        return axis % len(self.dims)

    def _but(self, *axes):
        """Every dim where it is, and these whole."""
        self._keep({dim: dim for dim in range(len(self.dims)) if dim not in axes})

    def _reshaped(self, dims):
        """Groups of dims that have as many elements on both sides: the outermost of each stays cut."""
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
        self._keep({dim: place for place, dim in enumerate(order)})
        self.dims = tuple(self.dims[dim] for dim in order)
        self._add("permute", order)

    def _indexed(self, slices):
        """A slice for each dim. Dask does those of cut dims, and then they have to be cut anywhere."""
        cut = {dim: self.cuts[dim] for dim in self.cuts if slices[dim] != slice(None)}
        if any((one.source_unit, one.unit) != (1, 1) for one in cut.values()):
            return False
        for dim, one in cut.items():
            self._index(one.source, slices[dim])
        rest = [slice(None) if dim in cut else given for dim, given in enumerate(slices)]
        if any(given != slice(None) for given in rest):
            self.text += (("slice=" + ",".join(map(_spelled_slice, rest)),),)
        self.dims = tuple(len(range(extent)[given]) for extent, given in zip(self.dims, slices))
        self._forget_single()  # before a reshape names them
        return True

    def _index(self, source, given):
        extent = len(range(self.source_dims[source])[given])
        self.indexing += ((source, given),)
        self.source_dims = (*self.source_dims[:source], extent, *self.source_dims[source + 1:])

    def _forget_single(self):
        """A dim of one index needs no cut."""
        self.cuts = {dim: cut for dim, cut in self.cuts.items() if self.dims[dim] > 1}

    # ---- the operations, by name ----

    def _any(self, step):
        """Maps: elements stay where they are. A list of numbers needs its axis whole."""
        words = step.values.split(",")
        if step.name in NORMALIZING:
            axes = [word.partition("=")[2] for word in words if "axis" in word]
            if len(words) - len(axes) > 1:
                self._but(self._axis(int(axes[0]) if axes else -1))
        elif step.name in ("quantize", "dequantize") and ":" in step.values:
            self._but(self._axis(int(words[3]) if len(words) > 3 and words[3].strip() else 1))
        self.text += ((step.text,),)

    def _reshape(self, step):
        self._reshaped(step.dims)

    _flatten = _reshape

    def _permute(self, step):
        """The order is the library's: behind the operation dims of 2 still have their own stride."""
        rank = len(self.dims)
        moved, _ = _chunks.steps_behind((2,) * rank, step.text)
        self._permuted([rank - stride.bit_length() for _, stride in moved])

    _move_axis = _swap_axes = _permute

    def _squeeze(self, step):
        self._reshaped(step.dims)

    def _unsqueeze(self, step):
        self._reshaped(step.dims)

    def _expand(self, step):
        more = len(step.dims) - len(self.dims)
        self._keep({dim: dim + more for dim in self.cuts})
        self._add("expand", [1 if dim in self.cuts else extent
                             for dim, extent in enumerate(step.dims)])

    def _tile(self, step):
        self._but(*(dim for dim, times in enumerate(step.integers()) if times != 1))
        self.text += ((step.text,),)

    def _repeat(self, step):
        axis, times = step.integers()
        axis = self._axis(axis)
        if axis in self.cuts:
            self.cuts = {**self.cuts, axis: self.cuts[axis]._replace(
                unit=self.cuts[axis].unit * times)}
        self.text += ((step.text,),)

    def _einops(self, step):
        """A reshape, a permute, new axes and another reshape."""
        pattern, *given = step.values.split(",")
        given = {name.strip(): int(length) for name, length in (one.split("=") for one in given)}
        left, right = pattern.split("->")
        count = len(self.dims) - len(_chunks._groups(left, []))
        hidden = [f"...{i}" for i in range(count)] if "..." in left else []
        right = re.sub(r"(?<!\w)(\d+)(?!\w)", lambda found: "1" if int(found[1]) == 1
                       else f"_{found.start()}_{found[1]}", right)
        given |= {name: int(name.split("_")[2]) for name in re.findall(r"_\d+_\d+", right)}
        groups = _chunks._groups(left, hidden)
        lengths = _chunks._lengths(groups, self.dims, given)
        axes = [name for group in groups for name in group]
        wanted = [name for group in _chunks._groups(right, hidden) for name in group]
        self._reshaped([lengths[name] for name in axes])
        self._permuted([axes.index(name) for name in wanted if name in axes])
        if len(wanted) > len(axes):
            self._reshaped([lengths[name] if name in axes else 1 for name in wanted])
            self._expand(Step("", tuple(lengths[name] for name in wanted), None))
            self.dims = tuple(lengths[name] for name in wanted)
        self._reshaped(step.dims)

    def _picked(self, text, dim):
        """The indices of a dim that an operation leaves, as a slice. The library says them of an array
        whose other dims have stride 0: "split=0,3,1" of 7 elements begins at 3 and has 3, 1 apart."""
        alone = [int(one == dim) for one in range(len(self.dims))]
        found, start = _chunks.steps_behind(self.dims, text, alone)
        count, step = next(((count, step) for count, step in found if count > 1 and step), (1, 1))
        if (start, count, step) == (0, self.dims[dim], 1):
            return slice(None)
        stop = start + count * step
        return slice(start, stop if stop >= 0 else None, step)

    def _slice(self, step):
        possible = self._indexed([self._picked(step.text, dim) for dim in range(len(self.dims))])
        if possible and self.dims != step.dims:
            self._reshaped(step.dims)
        return possible

    _split = _flip = _slice

    def _roll(self, step):
        axis, by = step.integers()
        cut = self.cuts.get(self._axis(axis))
        if cut is None:
            self.text += ((step.text,),)
        elif (cut.source_unit, cut.unit) != (1, 1):
            return False
        else:
            self.indexing += ((cut.source, by),)
        return True

    def _window(self, step):
        self._but(self._axis(step.integers()[0]))
        self.text += ((step.text,),)

    def _diagonal(self, step):
        axes = set(map(self._axis, step.integers()[1:]))
        left = [dim for dim in range(len(self.dims)) if dim not in axes]
        self._keep({dim: place for place, dim in enumerate(left)})
        self.text += ((step.text,),)

    def _channel_shuffle(self, step):
        self._but(self._axis([*step.integers(), 1][1]))
        self.text += ((step.text,),)

    def _depth_to_space(self, step):
        block = int(step.values.split(",")[0])
        self._but(1)
        self.cuts = {dim: cut if dim == 0 else cut._replace(unit=cut.unit * block)
                     for dim, cut in self.cuts.items()}
        self.text += ((step.text,),)

    def _space_to_depth(self, step):
        block = int(step.values.split(",")[0])
        self._but(1)
        for dim, cut in self.cuts.items():
            times = 1 if dim == 0 else block // math.gcd(cut.unit, block)
            self.cuts = {**self.cuts, dim: Cut(cut.source, cut.source_unit * times,
                                               cut.unit * times // (block if dim else 1))}
        self.text += ((step.text,),)

    def _batch_to_space(self, step):
        self._but(0, *(dim for dim, block in enumerate(step.integers()) if block != 1))
        self.text += ((step.text,),)

    _space_to_batch = _batch_to_space


def _spelled_slice(given):
    ends = ["" if end is None else str(end) for end in (given.start, given.stop, given.step)]
    return ":".join(ends)


def _groups(before, behind):
    """Dims of both sides in groups of as many elements, without those of 1: pairs of lists of dims."""
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
    """The text of a part for a chunk of that shape."""
    words = []
    for piece in pieces:
        if len(piece) == 1:
            words.append(piece[0])
        else:
            name, values = piece
            words.append(f"{name}=" + ",".join(
                str(shape[value.source] // value.source_unit * value.unit)
                if isinstance(value, Cut) else str(value) for value in values))
    return "; ".join(words)
