"""array[index] with lists, arrays or masks of the host in the index: one gather, or one scatter.

The indexed axes become one axis of a view, so that one list of integers names the elements.

SPDX-License-Identifier: Apache-2.0
"""

from . import _array, _copies, _indexed, _indexing, _kinds, _moves
from ._errors import IndexingError


def _parts(index):
    return index if isinstance(index, tuple) else (index,)


def _is_list(part):
    return isinstance(part, (list, tuple)) or getattr(part, "shape", ()) != ()


def has_lists(index):
    return any(_is_list(part) for part in _parts(index))


def _refuse_device(part):
    if _kinds.Taken(part).array.dtype in ("bool", "uint1"):
        raise IndexingError("a mask on the device has to be read before the result has a shape: a[mask.get()] "
                            "takes a mask of the host")
    raise IndexingError("an array on the device is no index, as one out of range could not be an error: take() "
                        "and index_copy() take such arrays")


def _host_array(part):
    """Returns a list or an array of the host as a NumPy array of integers or bools."""
    import numpy
    if _kinds.is_array(part):
        _refuse_device(part)
    try:
        found = numpy.asarray(part)
    except ValueError:
        raise IndexingError(f"{part!r} is no index: its lists have different lengths") from None
    if isinstance(part, (list, tuple)) and not found.size:
        found = found.astype(numpy.int64)
    if found.dtype.kind not in "iub":
        raise IndexingError(f"an array of {found.dtype} is no index: arrays of integers and of bools are")
    return found


class _Lists:
    """An index in two parts: a basic index, which is a view, and lists along axes of that view."""

    def __init__(self, index, shape):
        parts = [_host_array(part) if _is_list(part) else part for part in _parts(index)]
        self.shape, self.basic, self.axes, self.lists = shape, [], [], []
        self._dim = self._rank = self._kept = 0
        self._places = []  # (place of a list or an integer among the parts, kept axes before)
        dots = sum(self._span(part) for part in parts)
        if dots > len(shape) or sum(part is Ellipsis for part in parts) > 1:
            raise IndexingError(f"the index is for {dots} dims, the array has {len(shape)}")
        for place, part in enumerate(parts):
            self._add(place, part, len(shape) - dots)
        first, last = self._places[0], self._places[-1]
        together = last[0] - first[0] == len(self._places) - 1
        self.place = first[1] if together else 0

    @staticmethod
    def _span(part):
        if part is None or part is Ellipsis:
            return 0
        return part.ndim if getattr(getattr(part, "dtype", None), "kind", "") == "b" and part.ndim else 1

    def _add(self, place, part, rest):
        """Adds a part. An ellipsis stands for `rest` dims."""
        if hasattr(part, "nonzero") and part.ndim:
            self._places.append((place, self._kept))
            for one in self._integers(part):
                self._add_list(one)
        elif part is None or part is Ellipsis or isinstance(part, slice):
            count = rest if part is Ellipsis else 1
            self.basic += [slice(None)] * count if part is Ellipsis else [part]
            self._dim += 0 if part is None else count
            self._kept, self._rank = self._kept + count, self._rank + count
        else:
            self._places.append((place, self._kept))
            self.basic.append(part)
            self._dim += 1

    def _integers(self, part):
        """Returns a mask as lists of integers, one for each dim of the mask."""
        if part.dtype.kind != "b":
            return [part]
        dims = self.shape[self._dim:self._dim + part.ndim]
        if part.shape != dims:
            raise IndexingError(f"a mask of shape {part.shape} is for dims {dims} of the array")
        return part.nonzero()

    def _add_list(self, integers):
        extent = self.shape[self._dim]
        wrong = integers[(integers < -extent) | (integers >= extent)]
        if wrong.size:
            raise IndexingError(f"index {wrong.flat[0]} is out of range for dim {self._dim} of {extent}")
        self.basic.append(slice(None))
        self.axes.append(self._rank)
        self.lists.append(integers % extent if extent else integers)
        self._dim, self._rank = self._dim + 1, self._rank + 1

    def flat(self, view):
        """Returns the indices along the axis that `merged` makes. Example: axes of 4 and 5 with
        lists [1, 3] and [2, 0] give [7, 15]."""
        import numpy
        try:
            lists = numpy.broadcast_arrays(*self.lists)
        except ValueError:
            shapes = ", ".join(str(one.shape) for one in self.lists)
            raise IndexingError(f"lists of shapes {shapes} are not of one shape, nor broadcast to one") from None
        found = numpy.zeros(lists[0].shape, numpy.int64)
        for axis, one in zip(self.axes, lists):
            found = found * view.shape[axis] + one
        return found

    def merged(self, view):
        """Returns the view with the listed axes merged into one axis, at the place that the lists'
        dims have in the result."""
        others = [axis for axis in range(view.ndim) if axis not in self.axes]
        order = [*others[:self.place], *self.axes, *others[self.place:]]
        dims = [view.shape[axis] for axis in order]
        behind = dims[self.place + len(self.axes):]
        count = 1
        for axis in self.axes:
            count *= view.shape[axis]
        dims = [*dims[:self.place], count, *behind]
        return view.transpose(order).reshape(dims)


def _apart(array, index):
    """Returns (view, indices along the merged axis, axis)."""
    lists = _Lists(index, array.shape)
    view = array._chain(_indexing.chain_of_index(tuple(lists.basic), array.shape))
    return lists.merged(view), lists.flat(view), lists.place


def _on_device(indices, extent, queue):
    return _array.to_device(indices.astype("int32" if extent < 2**31 else "int64"), queue)


def picked(array, index):
    """Returns a new array of the indexed elements."""
    view, indices, axis = _apart(array, index)
    queue = _moves.queue_for(None, array)
    dims = (*view.shape[:axis], *indices.shape, *view.shape[axis + 1:])
    if 0 in dims:
        return _array.result(dims, array.dtype, queue)
    if array.dtype.bits >= 8:
        indices = _on_device(indices, view.shape[axis], queue)
    return _indexed.take(view, indices, axis)


def _last_of_each(indices):
    """Returns the places in the flat indices to keep. If indices are equal, only the last is kept,
    because NumPy writes in order."""
    import numpy
    _, places = numpy.unique(indices.ravel()[::-1], return_index=True)
    return numpy.sort(indices.size - 1 - places)


def _source(value, dims, target, queue):
    """Returns the value to write as an Array of these dims and of the target's type."""
    number = _copies.as_number(value)
    if number is None:
        return _copies.given_of(target, value, dims, queue)
    source = _array.result((), target.dtype, queue)
    _copies.copyto(source, number)
    return _copies.broadcast(source, dims)


def put(array, index, value):
    """Sets array[index] = value. If two indices are equal, the last counts."""
    view, indices, axis = _apart(array, index)
    queue = _moves.queue_for(None, array)
    dims = (*view.shape[:axis], *indices.shape, *view.shape[axis + 1:])
    source = _source(value, dims, array, queue)
    if 0 in dims:
        return
    source = source.reshape((*view.shape[:axis], -1, *view.shape[axis + 1:]))
    kept, flat = _last_of_each(indices), indices.ravel()
    if len(kept) < flat.size:
        source, flat = _indexed.take(source, _on_device(kept, flat.size, queue), axis), flat[kept]
    _indexed.index_copy(view, _on_device(flat, view.shape[axis], queue), source, axis)
