"""Types for the hints of the public functions. Only type checkers import this module.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

from typing import Any, Iterable, Optional, Protocol, Sequence, SupportsIndex, TypeVar, Union

import numpy
import numpy.typing

from ._dtypes import DType
from ._opencl import Event, Queue

# An array of any kind. The result has the kind of the argument.
Given = TypeVar("Given")


class HasHandle(Protocol):
    """An object of pyopencl: a queue, an event or a buffer."""

    @property
    def int_ptr(self) -> int: ...


QueueLike = Union[Queue, HasHandle, int, None]
EventLike = Union[Event, HasHandle, int]
Events = Iterable[EventLike]
BufferLike = Union[HasHandle, int]
DTypeLike = Union[DType, numpy.typing.DTypeLike]
HostArray = numpy.ndarray[Any, numpy.dtype[Any]]
Ints = Union[SupportsIndex, Sequence[SupportsIndex]]
Axes = Optional[Ints]
Number = Union[bool, int, float, complex]
# Parameters of maps: a number, a list of numbers, or an array of any kind.
Parameter = Any
