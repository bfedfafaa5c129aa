"""Places of a tensor's elements in the buffer, for strided and blocked layouts. Each layout is
given as the library describes the layout, and as a NumPy array of positions made from the
definition.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections import namedtuple

import numpy as np

import clreshape

BlockedName = namedtuple("BlockedName", "name order blocks")

# The order of the outer dims, outermost first, and the blocks (dim, size), the last innermost.
BLOCKED_NAMES = (
    BlockedName("nCw16c", (0, 1, 2), ((1, 16),)),
    BlockedName("nCw8c", (0, 1, 2), ((1, 8),)),
    BlockedName("nChw8c", (0, 1, 2, 3), ((1, 8),)),
    BlockedName("b_fs_yx_fsv16", (0, 1, 2, 3), ((1, 16),)),
    BlockedName("b_fs_yx_fsv4", (0, 1, 2, 3), ((1, 4),)),
    BlockedName("bs_fs_yx_bsv16_fsv16", (0, 1, 2, 3), ((0, 16), (1, 16))),
    BlockedName("OIhw4i16o4i", (0, 1, 2, 3), ((1, 4), (0, 16), (1, 4))),
    BlockedName("os_is_yx_isv16_osv16", (0, 1, 2, 3), ((1, 16), (0, 16))),
    BlockedName("ABcd4a4b", (0, 1, 2, 3), ((0, 4), (1, 4))),
    BlockedName("Ohwi16o", (0, 2, 3, 1), ((0, 16),)),
    BlockedName("nCdhw8c", (0, 1, 2, 3, 4), ((1, 8),)),
    BlockedName("gOIhw16i16o", (0, 1, 2, 3, 4), ((2, 16), (1, 16))),
    BlockedName("nhwc", (0, 2, 3, 1), ()),
)


def strided(dims, strides, offset):
    """Positions, straight from the definition of a layout."""
    result = np.full(dims, offset, np.int64)
    for axis, (extent, stride) in enumerate(zip(dims, strides)):
        index = np.arange(extent, dtype=np.int64) * stride
        result += index.reshape([-1 if a == axis else 1 for a in range(len(dims))])
    return result


class Strided:
    """A layout with the lowest element at number `floor`."""

    def __init__(self, dims, strides, floor=0):
        self.dims, self.strides = tuple(dims), tuple(strides)
        lowest = strided(dims, strides, 0)
        self.offset = floor - (int(lowest.min()) if lowest.size else 0)
        self.places = strided(dims, strides, self.offset)
        self.highest = int(self.places.max()) if self.places.size else 0

    def wrap(self, library, handle, base, dtype):
        layout = clreshape.layout_of(dtype, self.dims, self.strides, self.offset)
        return library.wrap(handle, base, layout)

    def __str__(self):
        return f"{list(self.dims)} strides {list(self.strides)} offset {self.offset}"


class Blocked:
    """A blocked layout with the least padding, from the start."""

    def __init__(self, row, dims):
        self.dims, self.name = tuple(dims), row.name
        outer = list(np.indices(dims, np.int64))
        extents = list(dims)
        self.places, inside = np.zeros(dims, np.int64), 1
        for dim, size in reversed(row.blocks):
            self.places += outer[dim] % size * inside
            outer[dim] //= size
            inside *= size
        for dim in range(len(dims)):
            extents[dim] = -(-extents[dim] // math.prod(
                size for at, size in row.blocks if at == dim))
        for dim in reversed(row.order):
            self.places += outer[dim] * inside
            inside *= extents[dim]
        self.count = inside
        self.highest = max(inside - 1, 0)

    def wrap(self, library, handle, base, dtype):
        """A view of all elements of the buffer, the padding included."""
        whole = library.wrap(handle, base, clreshape.layout_of(dtype, [self.count]))
        return whole.with_view(clreshape.view_of_blocked_name(self.name, dtype, self.dims))

    def __str__(self):
        return f"{list(self.dims)} {self.name}"
