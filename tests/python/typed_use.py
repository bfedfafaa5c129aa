"""Uses of the package for type checkers: checked by lint_types, and never run.

A line with `type: ignore` is wrong. A type checker that accepts the line reports the unneeded
comment.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any, List, Optional, Tuple, assert_type

import numpy as np

import clreshape as cl


class TheirArray:
    """An object of a kind that the package accepts, such as pyopencl's."""


def functions(x: TheirArray, own: cl.Array, queue: cl.Queue, event: cl.Event) -> None:
    assert_type(cl.reshape(x, (2, -1)), TheirArray)
    assert_type(cl.reshape(own, 6, out=own, queue=queue, wait_for=[event]), cl.Array)
    assert_type(cl.transpose(x), TheirArray)
    assert_type(cl.rearrange(x, "a b -> b a"), TheirArray)
    assert_type(cl.rearrange([x, x], "n a -> a n"), TheirArray)
    assert_type(cl.repeat(own, "a -> a n", n=3), cl.Array)
    assert_type(cl.chain(x, "flip=0", copy=True), TheirArray)
    assert_type(cl.contiguous(x), TheirArray)
    assert_type(cl.cast(x, "float16", rounding="even"), TheirArray)
    assert_type(cl.cast(x, np.float32), TheirArray)
    assert_type(cl.normalize(x, [1, 2], own, axis=0, dtype=np.dtype("f2")), TheirArray)
    assert_type(cl.quantize(x, 0.5), TheirArray)
    assert_type(cl.dequantize(x, 0.5, 3, dtype=cl.dtype("float32")), TheirArray)
    assert_type(cl.add(own, 3, axis=0, out=own), cl.Array)
    assert_type(cl.clip(own, 0, None), cl.Array)
    assert_type(cl.squeeze(x, (0, 1)), TheirArray)
    assert_type(cl.expand_dims(x, 0), TheirArray)
    assert_type(cl.flip(x), TheirArray)
    assert_type(cl.moveaxis(x, 0, -1), TheirArray)
    assert_type(cl.swapaxes(x, 0, 1), TheirArray)
    assert_type(cl.broadcast_to(x, [2, 3]), TheirArray)
    assert_type(cl.split(x, 2), List[TheirArray])
    assert_type(cl.concatenate([x, x]), TheirArray)
    assert_type(cl.stack([x, x], shape=(2, 3), begins=[(0, 0), (1, 1)], border=0), TheirArray)
    assert_type(cl.pad(x, ((0, 1), (2, 2)), 7, mode="constant"), TheirArray)
    assert_type(cl.regions([x], own, (2, 3), "opencv_linear", letterbox=True), Any)
    assert_type(cl.take(x, [0, 1], axis=1, mode="clip"), TheirArray)
    assert_type(cl.index_copy(x, own, own), cl.Event)
    assert_type(cl.copyto(x, 3), cl.Event)
    assert_type(cl.asarray(x, queue), cl.Array)
    assert_type(cl.from_dlpack(x), cl.Array)
    assert_type(cl.to_device(np.zeros(3), queue.int_ptr, "bits64"), cl.Array)
    assert_type(cl.empty((2, 3), "int4", queue), cl.Array)
    assert_type(cl.wrap(7, (2, 3), "f4", offset=4, strides=(32, 4), queue=queue), cl.Array)
    assert_type(cl.Batch([(x, own), (x, own, {"take": own})]).enqueue(wait_for=[event]), cl.Event)
    cl.release_contexts()


def methods(a: cl.Array, host: "np.ndarray[Any, np.dtype[Any]]") -> None:
    assert_type(a.shape, Tuple[int, ...])
    assert_type(a.dtype, cl.DType)
    assert_type(a.dtype.dtype, "np.dtype[Any]")
    assert_type((a.dtype.name, a.dtype.bits, a.dtype.itemsize), Tuple[str, int, int])
    assert_type(a.strides, Optional[Tuple[int, ...]])
    assert_type((a.ndim, a.size, a.nbytes, len(a)), Tuple[int, int, int, int])
    assert_type((a.offset, a.buffer), Tuple[Optional[int], Optional[int]])
    assert_type((a.queue, a.event), Tuple[Optional[cl.Queue], Optional[cl.Event]])
    assert_type(a.events, Tuple[cl.Event, ...])
    assert_type((a.readonly, a.is_mapped, a.is_contiguous, 3 in a), Tuple[bool, bool, bool, bool])
    assert_type(a[0, ..., None, ::2, [1, 2]], cl.Array)
    assert_type([row for row in a], List[cl.Array])
    a[1:] = 3
    a.add_event(a.events[0])
    for made in (a.T, a.reshape(2, -1), a.transpose((1, 0), out=a), a.rearrange("a b -> b a"), a.cast("f2"),
                 a.astype(np.int8), a.view("int4"), a.view(), a.squeeze(0), a.swapaxes(0, 1), a.clip(0, 1),
                 a.ravel(), a.flatten(), a.normalize(0, 1), a.contiguous(), a.copy(queue=7)):
        assert_type(made, cl.Array)
    assert_type(a.tobytes(), bytes)
    assert_type(a.get(out=host), "np.ndarray[Any, np.dtype[Any]]")
    assert_type(a.to("pyopencl"), Any)
    assert_type(np.asarray(a), "np.ndarray[Any, np.dtype[Any]]")


def errors() -> int:
    try:
        cl.reshape(cl.empty(3, "f4", 7), 4)
    except (cl.WouldCopyError, cl.BoundsError, cl.OverlapError, cl.KindError) as error:
        assert_type(error.status, str)
        return error.opencl_code
    return 0


def wrong(x: TheirArray, a: cl.Array) -> None:
    cl.reshape(x, "2")  # type: ignore[arg-type]
    cl.transpose(x, copy="yes")  # type: ignore[arg-type]
    cl.cast(x)  # type: ignore[call-arg]
    cl.flip(x, axes=0)  # type: ignore[call-arg]
    cl.concatenate(x)  # type: ignore[arg-type]
    cl.wrap(x, 3, "f4")  # type: ignore[arg-type]
    cl.empty(3, "f4")  # type: ignore[call-arg]
    cl.nothing(x)  # type: ignore[attr-defined]
    a.shape = 3  # type: ignore[assignment]
    a.ndim = 3  # type: ignore[misc]
    a.get(out=[1])  # type: ignore[arg-type]
    a.view(dtype="f4", offset=3)  # type: ignore[call-arg]
