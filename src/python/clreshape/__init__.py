"""Reshape, and the movement operations around it, for tensors in OpenCL buffers.

    import clreshape as cl
    y = cl.rearrange(x, "b t (h d) -> (b h) t d", h=12)   # x, and so y, a pyopencl array
    z = cl.normalize(frames, mean=[124, 116, 104], std=[58, 57, 57], dtype="float16")

All functions take a `pyopencl.array.Array`, a `cv2.UMat`, a DLPack capsule or producer of the
device type kDLOpenCL, or an `Array` of this package. The result has the same kind. All functions
have four options:

copy: None moves the elements if no view is possible, True always moves, False raises
    WouldCopyError instead of moving. A pyopencl array can be a view of any strides. A UMat is
    always dense. No operation moves an Array, because an Array is a view of anything, casts
    included.
out: an array of any kind, of the result's shape and dtype, of any strides, that shares no byte
    with the other arrays. The elements are moved there, and the result is `out`.
queue: the queue of the move: a pyopencl.CommandQueue, or a handle as an integer. The default is
    the array's own queue. Nothing blocks, except `get`, `tobytes`, DLPack exports, and a kernel's
    first build.
wait_for: events (of pyopencl, of this package, or handles) for which the move waits, besides the
    events of the arrays. The result's event is in `events` of the result, if the kind has events.

Shapes count elements, from the outermost dim. Strides and offsets are in bytes. Errors are
ClreshapeError, and also ValueError, TypeError and so on, with the library's message.

SPDX-License-Identifier: Apache-2.0
"""

from . import _array, _assembly, _context, _copies, _dlpack, _dtypes, _errors, _library, _opencl
from . import _batch, _buffers, _indexed, _numpy_names, _operations, _regions
from ._array import Array, empty, to_device
from ._assembly import *  # its __all__
from ._batch import Batch
from ._buffers import *  # its __all__
from ._context import release_contexts
from ._copies import *  # its __all__
from ._dlpack import from_dlpack
from ._dtypes import DType, dtype
from ._errors import *  # its __all__
from ._indexed import *  # its __all__
from ._library import VERSION as __version__
from ._opencl import Event, Queue
from ._numpy_names import *  # its __all__
from ._operations import *  # its __all__
from ._regions import *  # its __all__

# A list and additions of modules' lists, a form that type checkers read.
__all__ = ["Array", "Batch", "DType", "Event", "Queue", "dtype", "empty", "from_dlpack",
           "release_contexts", "to_device"]
__all__ += _assembly.__all__
__all__ += _buffers.__all__
__all__ += _copies.__all__
__all__ += _errors.__all__
__all__ += _indexed.__all__
__all__ += _numpy_names.__all__
__all__ += _operations.__all__
__all__ += _regions.__all__
