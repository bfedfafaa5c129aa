"""Boxes of images, cropped and resized into one batch.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import ctypes as C
import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence

from . import _assembly, _context, _dtypes, _kinds, _library, _maps, _moves, _padded
from ._errors import ArgumentError, IndexingError, KindError

if TYPE_CHECKING:
    from ._types import Events, Given, Number, QueueLike


def _images_of(images, queue):
    """Returns the first image's _kinds.Taken and the images as Arrays."""
    if not _kinds.is_array(images):
        taken, arrays = _assembly._taken_of(images, queue)
        taken = taken[0]
    else:
        taken = _kinds.Taken(images, queue)
        arrays = list(taken.array) if taken.array.ndim == 4 else [taken.array]
    if not arrays:
        raise ArgumentError("there is no image")
    for i, array in enumerate(arrays):
        if array.ndim not in (2, 3) or array.shape[2:] != arrays[0].shape[2:] or array.dtype != arrays[0].dtype:
            raise ArgumentError(f"image {i} is {array.dtype.name} of shape {array.shape}; images are [height,width] "
                                f"or [height,width,channels], as image 0: {arrays[0].dtype.name} of {arrays[0].shape}")
    return taken, arrays


def _numbers_of(boxes, queue, wait_for):
    """Returns the boxes as a NumPy array [count,5] of floats. Boxes on the device are read."""
    import numpy
    on_device = _kinds.is_array(boxes)
    found = _kinds.Taken(boxes, queue).array.get(queue, wait_for) if on_device else numpy.asarray(boxes)
    if found.shape == (0,):
        found = numpy.empty((0, 5))
    if found.ndim != 2 or found.shape[1] not in (4, 5):
        raise ArgumentError(f"boxes have shape {found.shape}; boxes are [count,4] of left, top, right, bottom, or "
                            "[count,5] with the index of the image in front")
    if found.dtype.kind not in "iuf":
        raise KindError(f"boxes are {found.dtype}; boxes are integers or floats")
    found = found.astype(numpy.float64)
    return found if found.shape[1] == 5 else numpy.insert(found, 0, 0, axis=1)


def _clipped(boxes, arrays):
    """Yields (image, top, bottom, left, right) of each box inside the box's image."""
    import numpy
    for i, (image, *box) in enumerate(boxes):
        if numpy.isnan(box).any():
            raise ArgumentError(f"box {i} is {box}, which is no place")
        if not (image in range(len(arrays))):
            raise IndexingError(f"box {i} is of image {image:g}; there are {len(arrays)} images")
        array = arrays[int(image)]
        rows, columns = array.shape[:2]
        left, top, right, bottom = map(int, numpy.rint(box).clip(0, [columns, rows, columns, rows]))
        if left >= right or top >= bottom:
            raise ArgumentError(f"box {i} is {box}, which has no pixel of image {int(image)} of {rows} rows and "
                                f"{columns} columns")
        yield array, top, bottom, left, right


def _fitted(height, width, size):
    """Returns the rows and columns of a box of this height and width in a letterbox."""
    scale = min(size[0] / height, size[1] / width)
    return max(1, round(height * scale)), max(1, round(width * scale))


class _Form:
    """The parameters that all boxes share."""

    def __init__(self, size, reference, is_letterbox, element, behind):
        self.size = tuple(map(operator.index, size))
        if len(self.size) != 2 or min(self.size) < 1:
            raise ArgumentError(f"size is rows and columns, at least 1 each: not {size!r}")
        if not str(reference).isidentifier():
            raise ArgumentError(f"reference is a name such as 'opencv_linear': not {reference!r}")
        self._reference, self._is_letterbox, self._element = reference, is_letterbox, element
        self._behind = _dtypes.named_in_chain(behind)

    def _resize(self, rows, columns, rank):
        return f"resize={rows},{columns},{self._reference},axis={-rank}"

    def of_result(self, array):
        """Returns (dims, dtype) of an index of the batch."""
        resized = _padded.measured(self._resize(*self.size, array.ndim), array.shape, array.dtype)
        return _padded.measured(self._behind, *resized)

    def add(self, work, box, target):
        """Adds the task that writes a box to an index of the batch."""
        array, top, bottom, left, right = box
        held = _fitted(bottom - top, right - left, self.size) if self._is_letterbox else self.size
        source = array._chain(f"slice={top}:{bottom},{left}:{right};{self._resize(*held, array.ndim)}")
        free = [wanted - filled for wanted, filled in zip(self.size, held)] + [0] * (array.ndim - 2)
        begins = [elements // 2 for elements in free]
        ends = [elements - begin for elements, begin in zip(free, begins)]
        around = _moves.Border(begins, element=self._element, ends=ends)
        _library.call("work_pad", work, source._tensor.handle, C.byref(around.padding(self._behind)),
                      target._tensor.handle)


def regions(images: Any, boxes: Any, size: Sequence[int], reference: str, *, letterbox: bool = False,
            border: Number = 0, behind: str = "", out: Optional[Given] = None, queue: QueueLike = None,
            wait_for: Events = ()) -> Any:
    """Boxes of images, each cropped and resized, in one batch: a new array of the first image's kind.
    Box i is index i of the batch. All boxes are checked and planned before the first is enqueued,
    and each box is a launch. The images are only read in the boxes.

    images: an image [height,width] or [height,width,channels], an array [count,height,width,
    channels], or a list of images of any heights and widths, which agree in dtype and channels.
    boxes: [count,4] of left, top, right and bottom, as the boxes "xyxy" of torchvision, for the
    first image. Or [count,5] with the index of the image in front, as in torchvision.ops.roi_align.
    A list, a NumPy array, or an array on the device, of integers or floats. Boxes on the device are
    read first, which blocks until the boxes are computed. Places count pixels, and the pixel at
    `right` or `bottom` is outside. Floats are rounded half to even, as in Pillow's Image.crop. The
    part of a box outside the image is cut off, as by torchvision.ops.clip_boxes_to_image. A box
    without a pixel of the image is an error.
    size: rows and columns. reference: the package and function that give the bits, such as
    "opencv_linear", as in the operation resize= of chains.
    letterbox: keep the proportions of each box, in the middle of the size, as LetterBox of
    Ultralytics. border: the number around a box in a letterbox, in the images' dtype.
    behind: operations on each index of the batch, border included, in the same pass. Example:
    "cast=float32 std=255 permute=2,0,1".
    """
    queue = _context.as_queue(queue)
    taken, arrays = _images_of(images, queue)
    wait_for = list(wait_for)
    form = _Form(size, reference, letterbox, _maps.scalar(border, arrays[0].dtype), behind)
    dims, dtype = form.of_result(arrays[0])
    found = list(_clipped(_numbers_of(boxes, queue, wait_for), arrays))

    def enqueue(target, on):
        def add(work):
            for i, box in enumerate(found):
                form.add(work, box, target._chain(f"slice={i}:{i + 1} squeeze=0"))
        work = _moves.prepared_work(target._tensor.context, add)
        try:
            _moves.work(arrays, [target], work, on, wait_for)
        finally:
            _library.function("work_release")(work)
    return _assembly.assembled(taken, arrays, (len(found), *dims), (out, queue), enqueue, dtype)


__all__ = ["regions"]
