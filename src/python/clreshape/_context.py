"""Contexts: one clrs_context for each pair of cl_context and device.

SPDX-License-Identifier: Apache-2.0
"""

import collections
import ctypes as C
import threading
import weakref

from . import _library, _opencl, _structs
from ._errors import ArgumentError

# A context holds the built kernels. A program that keeps no array between two calls should find the
# context again. A program that makes many cl_contexts should not keep all contexts.
KEPT = 8

_lock = threading.RLock()  # reentrant: the garbage collector may call in while the lock is held
_alive = weakref.WeakValueDictionary()
_recent = collections.OrderedDict()


class Context:
    """A clrs_context, which retains the cl_context."""

    __reduce_ex__ = _opencl.refuse_to_pickle

    def __init__(self, context, device):
        options = _structs.initial("clrs_context_options")
        options.context, options.device = context, device
        self.handle = C.c_void_p()
        self._release = _library.function("context_release")
        _library.call("context_create", C.byref(options), C.byref(self.handle))
        self.context, self.device = context, device

    def __del__(self):
        if getattr(self, "handle", None):
            self._release(self.handle)


def context_for(context, device):
    """Returns the context for two handles. While the context is alive, no other cl_context has the
    same handle."""
    key = (context, device)
    with _lock:
        found = _alive.get(key)
        if found is None:
            found = _alive.setdefault(key, Context(context, device))
        _recent[key] = found
        _recent.move_to_end(key)
        dropped = _recent.popitem(last=False) if len(_recent) > KEPT else None
    del dropped  # released outside the lock, because releasing may take a while
    return found


def release_contexts() -> None:
    """Forgets the OpenCL contexts that were used last, and the kernels that were built for the
    contexts.

    The package keeps the last 8 pairs of context and device, so that kernels are built once.
    Contexts that arrays still use stay alive.
    """
    with _lock:
        kept = list(_recent.values())
        _recent.clear()
    kept.clear()


def as_queue(queue):
    """Returns the caller's queue as a Queue, from a pyopencl.CommandQueue, a handle as an integer,
    or a Queue."""
    if queue is None or isinstance(queue, _opencl.Queue):
        return queue
    return _opencl.Queue(_opencl.handle_of(queue, "queue"))


def context_of_queue(queue):
    return context_for(queue.context, queue.device)


def context_of_buffer(buffer, index=0):
    """Returns the context for a buffer without a queue, on device `index` of the buffer's
    cl_context."""
    context = _opencl.context_of_buffer(buffer)
    devices = _opencl.devices_of_context(context)
    if not 0 <= index < len(devices):
        raise ArgumentError(f"the buffer's context has {len(devices)} devices, none with the index "
                            f"{index}")
    return context_for(context, devices[index])
