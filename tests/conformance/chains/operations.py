"""The movement operations: the effect of each operation on a NumPy array, as the standard defines
the effect, and the library's call for the operation. A chain is a list of (name, arguments).

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import math

import numpy as np

from clreshape import SIZE, Pattern, Shape, Slice, call, integers, shape_of

NUMPY = {}
LIBRARY = {}
NUMPY_DIALECT = 3


def numpy_does(function):
    NUMPY[function.__name__] = function
    return function


# ---- NumPy's side ----

@numpy_does
def reshape(array, *dims):
    return array.reshape(dims)


@numpy_does
def permute(array, *axes):
    return array.transpose(axes)


@numpy_does
def squeeze(array, *axes):
    return np.squeeze(array, axes or None)


@numpy_does
def unsqueeze(array, *axes):
    return np.expand_dims(array, axes)


@numpy_does
def flatten(array, axis):
    axis += array.ndim if axis < 0 else 0
    return array.reshape(math.prod(array.shape[:axis]), math.prod(array.shape[axis:]))


@numpy_does
def expand(array, *dims):
    return np.broadcast_to(array, np.broadcast_shapes(array.shape, dims))


@numpy_does
def slice(array, *slices):  # pylint: disable=redefined-builtin
    index = [np.s_[:]] * array.ndim
    for axis, start, end, step in slices:
        index[axis] = np.s_[start:end:step]
    return array[tuple(index)]


@numpy_does
def flip(array, *axes):
    return np.flip(array, axes)


@numpy_does
def split(array, axis, parts, which):
    part = -(-array.shape[axis] // parts)
    return np.split(array, [part * i for i in range(1, parts)], axis)[which]


@numpy_does
def depth_to_space(array, block, order):
    batch, channels, *space = array.shape
    spatial = len(space)
    depth = channels // block ** spatial
    if order == 1:  # depth first
        cut, depth_at, blocks_at = [batch, depth] + [block] * spatial + space, 1, 2
    else:
        cut, depth_at, blocks_at = [batch] + [block] * spatial + [depth] + space, 1 + spatial, 1
    axes = [0, depth_at]
    for dim in range(spatial):
        axes += [2 + spatial + dim, blocks_at + dim]
    return array.reshape(cut).transpose(axes).reshape(
        [batch, depth] + [extent * block for extent in space])


@numpy_does
def space_to_depth(array, block, order):
    batch, depth, *space = array.shape
    cut = [batch, depth]
    for extent in space:
        cut += [extent // block, block]
    blocks = list(range(3, len(cut), 2))
    channels = [1] + blocks if order == 1 else blocks + [1]
    return array.reshape(cut).transpose([0] + channels + list(range(2, len(cut), 2))).reshape(
        [batch, depth * block ** len(space)] + [extent // block for extent in space])


@numpy_does
def channel_shuffle(array, axis, groups):
    axis += array.ndim if axis < 0 else 0
    dims = array.shape
    cut = dims[:axis] + (groups, dims[axis] // groups) + dims[axis + 1:]
    return np.swapaxes(array.reshape(cut), axis, axis + 1).reshape(dims)


@numpy_does
def batch_to_space(array, blocks, begins, ends):
    batch, *space = array.shape
    for dim in range(len(blocks) - 1, 0, -1):  # the last block is the innermost of the batch
        batch //= blocks[dim]
    cut = array.reshape([*blocks[1:], batch, *space])
    rank = array.ndim
    order = [rank - 1]
    for dim in range(1, rank):
        order += [rank - 1 + dim, dim - 1]
    whole = cut.transpose(order).reshape(
        [batch] + [extent * block for extent, block in zip(space, blocks[1:])])
    return whole[tuple(np.s_[begin:extent - end]
                       for begin, end, extent in zip(begins, ends, whole.shape))]


@numpy_does
def space_to_batch(array, blocks):
    batch, *space = array.shape
    cut = [batch]
    for extent, block in zip(space, blocks[1:]):
        cut += [extent // block, block]
    order = [*range(2, len(cut), 2), 0, *range(1, len(cut), 2)]
    return array.reshape(cut).transpose(order).reshape(
        [batch * math.prod(blocks)] + [extent // block for extent, block in
                                       zip(space, blocks[1:])])


@numpy_does
def tile(array, *repeats):
    return np.tile(array, repeats) if repeats else array


@numpy_does
def repeat(array, axis, count):
    return np.repeat(array, count, axis)


@numpy_does
def window(array, axis, size, step):
    axis += array.ndim if axis < 0 else 0
    every = np.lib.stride_tricks.sliding_window_view(array, size, axis)
    return every[(np.s_[:],) * axis + (np.s_[::step],)]


@numpy_does
def diagonal(array, offset, first, second):
    return np.diagonal(array, offset, first, second)


@numpy_does
def move_axis(array, source, to):
    return np.moveaxis(array, source, to)


@numpy_does
def swap_axes(array, first, second):
    return np.swapaxes(array, first, second)


# ---- the library's side: the calls that are not simply a list of integers ----

def _of_list(name):
    def apply(view, *values):
        call("view_" + name, C.byref(view), SIZE(len(values)), integers(values))
    return apply


def _as_text(name):
    """The operation as the text of a chain. Without integers every operation but squeeze leaves the
    view unchanged."""
    def apply(view, *values):
        if values or name == "squeeze":
            numbers = "=" * bool(values) + ",".join(map(str, values))
            call("view_apply", C.byref(view), (name + numbers).encode())
    return apply


for _name in ("permute", "flip"):
    LIBRARY[_name] = _of_list(_name)
for _name in ("squeeze", "unsqueeze", "flatten", "split", "repeat", "diagonal", "move_axis",
              "swap_axes", "tile", "window"):
    LIBRARY[_name] = _as_text(_name)


def _reshape(view, *dims):
    if any(dim < 0 for dim in dims):
        pattern = Pattern()
        call("pattern_init", NUMPY_DIALECT, 0, SIZE(len(dims)), integers(dims), C.byref(pattern))
        shape = Shape()
        call("pattern_resolve", C.byref(pattern), C.byref(view.shape), C.byref(shape))
    else:
        shape = shape_of(dims)
    call("view_reshape", C.byref(view), C.byref(shape))


def _slice(view, *slices):
    """A start or end of None stands for the first or last position in the direction of the step.
    The standard clamps the large numbers."""
    rows = (Slice * max(len(slices), 1))()
    for row, (axis, start, end, step) in zip(rows, slices):
        low, high = (0, 2 ** 63 - 1) if step > 0 else (2 ** 63 - 1, -2 ** 63)
        row.axis, row.step = axis, step
        row.start = low if start is None else start
        row.end = high if end is None else end
    call("view_slice", C.byref(view), SIZE(len(slices)), rows)


def _blocks(name):
    return lambda view, block, order: _as_text(name)(view, block, ("DCR", "CRD")[order])


def _batch_to_space(view, blocks, begins, ends):
    _as_text("batch_to_space")(view, *blocks)
    ends = [view.shape.dims[i] - end for i, end in enumerate(ends)]
    _slice(view, *((i, *ends_of, 1) for i, ends_of in enumerate(zip(begins, ends))))


LIBRARY["reshape"] = _reshape
LIBRARY["slice"] = _slice
LIBRARY["expand"] = lambda view, *dims: call("view_expand", C.byref(view), C.byref(shape_of(dims)))
LIBRARY["channel_shuffle"] = lambda view, axis, groups: _as_text("channel_shuffle")(
    view, groups, axis)
LIBRARY["depth_to_space"] = _blocks("depth_to_space")
LIBRARY["space_to_depth"] = _blocks("space_to_depth")
LIBRARY["batch_to_space"] = _batch_to_space
LIBRARY["space_to_batch"] = lambda view, blocks: _as_text("space_to_batch")(view, *blocks)

assert sorted(LIBRARY) == sorted(NUMPY)


def apply_numpy(chain, array):
    for name, arguments in chain:
        array = NUMPY[name](array, *arguments)
    return array
