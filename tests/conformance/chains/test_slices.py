"""slice=START:END:STEP in chains against Python's own slices: every start, end and step around a
small axis, and numbers that do not fit in 64 bits.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import itertools

import clreshape

HUGE = 10**20
BOUNDS = (None, *range(-8, 9), -HUGE, HUGE)
STEPS = (None, 1, 2, 3, -1, -2, -3, HUGE, -HUGE)


def positions(text, extent):
    """The rest of an axis after the chain, as the positions of the elements."""
    chain = C.create_string_buffer(clreshape.CHAIN_BYTES)
    clreshape.call("chain_parse", text.encode(), chain)
    layout, view = clreshape.layout_of("I32", [extent]), clreshape.View()
    clreshape.call("view_from_layout", C.byref(layout), C.byref(view))
    clreshape.call("chain_apply", chain, 0, C.byref(view))
    count = view.dims[0]
    if count == 0:
        return []
    layout = clreshape.layout_of_view(view)
    return [layout.offset + i * layout.strides[0] for i in range(count)]


def main():
    cases = 0
    for extent, start, end, step in itertools.product((0, 1, 2, 5, 7), BOUNDS, BOUNDS, STEPS):
        text = "slice=" + ":".join("" if v is None else str(v) for v in (start, end, step))
        expected = list(range(extent))[start:end:step]
        found = positions(text, extent)
        if found != expected:
            raise SystemExit(f"{text} of {extent} elements: {found}, Python has {expected}")
        cases += 1
    print(f"{cases} slices as Python has them")


if __name__ == "__main__":
    main()
