"""Elements of any width in arrays of bytes: the reference for the effect of a move on a buffer.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from clreshape import dtype_bits


def _order(dtype):
    return "big" if dtype == "U1" else "little"


def bytes_for(dtype, base, highest):
    """From the start of the buffer to the end of the element at `highest`."""
    return base + -(-(highest + 1) * dtype_bits(dtype) // 8)


def moved(dtype, source, source_base, sources, target, target_base, targets):
    """`target` after the element at each of `targets` became the one at the same place of
    `sources`. Positions count elements from the bases, which count bytes."""
    width = dtype_bits(dtype)
    sources, targets = sources.reshape(-1), targets.reshape(-1)
    if width >= 8:
        lanes = np.arange(width // 8)
        result = target.copy()
        result[target_base + targets[:, None] * len(lanes) + lanes] = source[
            source_base + sources[:, None] * len(lanes) + lanes]
        return result
    lanes = np.arange(width)
    from_bits = np.unpackbits(source, bitorder=_order(dtype))
    bits = np.unpackbits(target, bitorder=_order(dtype))
    bits[target_base * 8 + targets[:, None] * width + lanes] = from_bits[
        source_base * 8 + sources[:, None] * width + lanes]
    return np.packbits(bits, bitorder=_order(dtype))
