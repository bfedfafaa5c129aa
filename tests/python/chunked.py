"""Shared by the tests of clreshape.dask: random chunks, and the end of a script without a device.

SPDX-License-Identifier: Apache-2.0
"""

import os
import unittest

from clreshape import _devices


def random_chunks(generator, shape):
    """Sizes of chunks for each dim, drawn from all that there are."""
    chunks = []
    for extent in shape:
        ends = sorted(generator.sample(range(1, extent), generator.randrange(extent))
                      if extent > 1 else [])
        chunks.append(tuple(end - begin for begin, end in zip([0, *ends], [*ends, extent])))
    return tuple(chunks)


def main():
    if not _devices._listed():
        required = os.environ.get("CLRS_REQUIRE_DEVICE") == "1"
        print("no OpenCL device" + (", but one is required" if required else ": skipped"))
        return 1 if required else 77
    return unittest.main()
