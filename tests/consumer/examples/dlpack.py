"""pyopencl's arrays in another package and back by DLPack, for users whose packages do not know each
other's arrays. The heads are one pass. Each hand-over is a view of the same buffer.

SPDX-License-Identifier: Apache-2.0
"""

import pathlib
import sys

import numpy as np
import tvm_ffi

import clreshape as cl

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
from peers import QUEUE, on_device  # a pyopencl queue, and pyopencl.array.to_device


def heads_for_tvm(hidden):
    """pyopencl array [8,128,768] to a tensor [96,128,64] of tvm_ffi."""
    heads = cl.rearrange(cl.asarray(hidden), "b t (h d) -> (b h) t d", h=12)
    return tvm_ffi.from_dlpack(cl.contiguous(heads))  # DLPack has no events, so the export waits


def back(tensor, queue):
    """A tensor of another package as a pyopencl array. The caller keeps the tensor."""
    return cl.from_dlpack(tensor, queue=queue).to("pyopencl", copy=False)


host = np.arange(8 * 128 * 768, dtype=np.float32).reshape(8, 128, 768)
given = heads_for_tvm(on_device(host))
array = back(given, QUEUE)
expected = host.reshape(8, 128, 12, 64).transpose(0, 2, 1, 3).reshape(96, 128, 64)
np.testing.assert_array_equal(array.get(), expected)
assert tuple(given.shape) == array.shape == (96, 128, 64)
print("every element is where it belongs")
