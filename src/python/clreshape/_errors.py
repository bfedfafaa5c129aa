"""Errors as exceptions with the library's message.

SPDX-License-Identifier: Apache-2.0
"""


from __future__ import annotations


class ClreshapeError(Exception):
    """A failed call. No command that writes was enqueued, unless the message says so.

    status: the name of the clrs_status, such as "CLRS_WOULD_COPY", or "" for errors of the package.
    opencl_code: OpenCL's error code, such as -5, or 0 for other errors.
    """

    def __init__(self, message: str, status: str = "", opencl_code: int = 0) -> None:
        super().__init__(message)
        self.status, self.opencl_code = status, opencl_code


class LibraryError(ClreshapeError, ImportError):
    """libclreshape, or the OpenCL loader that it needs, cannot be loaded."""


class ArgumentError(ClreshapeError, ValueError):
    """An axis, a shape, a pattern or a layout that breaks a rule."""


class IndexingError(ArgumentError, IndexError):
    """An index or an axis that is out of range, or an object that is no index."""


class BoundsError(ArgumentError):
    """A layout that exceeds the buffer."""


class OverlapError(ArgumentError):
    """Source and destination share bytes, or a destination has an element twice."""


class WouldCopyError(ArgumentError):
    """copy=False, and no strided layout describes the view."""


class KindError(ClreshapeError, TypeError):
    """An argument of a type that the package does not know, or that cannot hold a result."""


class NumberOverflowError(ClreshapeError, OverflowError):
    """A product or a sum does not fit in 64 bits."""


class UnsupportedError(ClreshapeError, NotImplementedError):
    """A valid request that is not supported. The message names the request."""


class HostMemoryError(ClreshapeError, MemoryError):
    """The host's memory is exhausted."""


class OpenCLError(ClreshapeError, RuntimeError):
    """An OpenCL call failed. `opencl_code` is the error code."""


class BuildError(OpenCLError):
    """A kernel did not build. The message ends with the driver's log."""


BY_STATUS = {
    "CLRS_INVALID_ARGUMENT": ArgumentError,
    "CLRS_INVALID_PATTERN": ArgumentError,
    "CLRS_COUNT_MISMATCH": ArgumentError,
    "CLRS_OVERFLOW": NumberOverflowError,
    "CLRS_LIMIT_EXCEEDED": ArgumentError,
    "CLRS_OUT_OF_BOUNDS": BoundsError,
    "CLRS_OVERLAP": OverlapError,
    "CLRS_WOULD_COPY": WouldCopyError,
    "CLRS_UNSUPPORTED": UnsupportedError,
    "CLRS_OUT_OF_MEMORY": HostMemoryError,
    "CLRS_OPENCL_ERROR": OpenCLError,
    "CLRS_BUILD_FAILURE": BuildError,
}

__all__ = ["ArgumentError", "BoundsError", "BuildError", "ClreshapeError", "HostMemoryError",
           "IndexingError", "KindError", "LibraryError", "NumberOverflowError", "OpenCLError",
           "OverlapError", "UnsupportedError", "WouldCopyError"]
