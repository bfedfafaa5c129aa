"""Finds libclreshape, loads the library at the first use, and calls the library.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import os
import pathlib
import sys
import threading

from . import _errors, _layout, _structs

VERSION = ".".join(map(str, _layout.VERSION))
FILE_NAMES = {"darwin": "libclreshape.dylib", "win32": "clreshape.dll"}
STATUS_NAMES = {number: name for name, number in _layout.ENUMS["clrs_status"].items()}

_lock = threading.RLock()
_functions = {}
_loaded = []


def _candidates():
    """Yields the library's possible places: beside this file, CLRESHAPE_LIBRARY, and the system's
    folders."""
    beside = pathlib.Path(__file__).with_name(FILE_NAMES.get(sys.platform, "libclreshape.so"))
    if beside.exists():
        yield str(beside)
    if os.environ.get("CLRESHAPE_LIBRARY"):
        yield os.environ["CLRESHAPE_LIBRARY"]
    import ctypes.util  # slow to load, and rarely needed
    found = ctypes.util.find_library("clreshape")
    if found:
        yield found


def _check_version(library, path):
    version = getattr(library, "clrs_version", None)
    number = _structs.declare(version, "clrs_version")() if version else 0
    loaded = f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    if loaded != VERSION:
        raise _errors.LibraryError(
            f"{path} is version {loaded} of clreshape, the Python package is {VERSION}")


def _load():
    path = next(_candidates(), None)
    if path is None:
        raise _errors.LibraryError("libclreshape is not there: neither in the package nor where "
                                   "the system looks; CLRESHAPE_LIBRARY may name its file")
    try:
        library = C.CDLL(path)
    except OSError as error:
        hint = ("; the OpenCL loader is missing (Debian: ocl-icd-libopencl1)"
                if "OpenCL" in str(error) else "")
        raise _errors.LibraryError(f"{path} cannot be loaded: {error}{hint}") from error
    _check_version(library, path)
    return library


def library():
    """Returns the loaded library, which also has the OpenCL loader's functions."""
    if not _loaded:
        with _lock:
            if not _loaded:
                _loaded.append(_load())
    return _loaded[0]


def function(name):
    """Returns the function clrs_NAME with the prototype set."""
    found = _functions.get(name)
    if found is None:
        full = f"clrs_{name}"
        found = _functions[name] = _structs.declare(getattr(library(), full), full)
    return found


def call(name, *arguments):
    """Calls clrs_NAME with an added error argument. Raises an exception if the call fails."""
    error = _structs.Error()
    if function(name)(*arguments, C.byref(error)) != 0:
        status = STATUS_NAMES[error.status]
        raise _errors.BY_STATUS[status](error.message.decode("utf-8", "replace"), status,
                                        error.opencl_code)
