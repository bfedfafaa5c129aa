"""Peers of on_gpu.py on a GPU. Each peer has `types`, a torch type for each supported width, and
the smallest accepted stride, `least_stride`. `mover(view, to)` gives a function that copies one
torch tensor into another tensor of the same shape.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import importlib.util
import os


class Absent(Exception):
    pass


class Torch:
    least_stride = 0

    def __init__(self, torch):
        self.types = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}

    def mover(self, view, to):
        return lambda: to.copy_(view)


def cutensor_library():
    """From the package cutensor-cu12 or -cu13, or from the loader's path."""
    spec = importlib.util.find_spec("cutensor")
    folders = list(spec.submodule_search_locations or []) if spec else []
    paths = [os.path.join(folder, "lib", "libcutensor.so.2") for folder in folders]
    for path in [path for path in paths if os.path.exists(path)] + ["libcutensor.so.2"]:
        try:
            return ctypes.CDLL(path)
        except OSError as reason:
            why = reason
    raise Absent(why)


class CuTensor:
    """cuTENSOR 2 by the C interface: https://docs.nvidia.com/cuda/cutensor/latest/api/."""

    least_stride = 1
    IDENTITY, DEFAULT_ALGORITHM, NO_JIT = 1, -1, 0
    ALIGNED = 128
    REALS = {16: (2, "32F", ctypes.c_float), 32: (0, "32F", ctypes.c_float),
             64: (1, "64F", ctypes.c_double)}  # cudaDataType_t, what computes, the type of alpha

    def __init__(self, torch):
        self.torch, self.library = torch, cutensor_library()
        self.types = {16: torch.float16, 32: torch.float32, 64: torch.float64}
        self.handle, self.preference = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("Create", ctypes.byref(self.handle))
        self.call("CreatePlanPreference", self.handle, ctypes.byref(self.preference),
                  self.DEFAULT_ALGORITHM, self.NO_JIT)

    def call(self, name, *arguments):
        status = getattr(self.library, "cutensor" + name)(*arguments)
        if status != 0:
            raise RuntimeError(f"cutensor{name}: status {status}")

    def describe(self, tensor, real):
        descriptor, rank = ctypes.c_void_p(), tensor.dim()
        numbers = ctypes.c_int64 * rank
        is_aligned = tensor.data_ptr() % self.ALIGNED == 0
        self.call("CreateTensorDescriptor", self.handle, ctypes.byref(descriptor),
                  ctypes.c_uint32(rank), numbers(*tensor.shape), numbers(*tensor.stride()), real,
                  ctypes.c_uint32(self.ALIGNED if is_aligned else tensor.element_size()))
        return descriptor

    def mover(self, view, to):
        real, computes, alpha_type = self.REALS[view.element_size() * 8]
        modes = (ctypes.c_int32 * view.dim())(*range(view.dim()))
        operation, plan, alpha = ctypes.c_void_p(), ctypes.c_void_p(), alpha_type(1)
        self.call("CreatePermutation", self.handle, ctypes.byref(operation),
                  self.describe(view, real), modes, self.IDENTITY, self.describe(to, real), modes,
                  ctypes.c_void_p.in_dll(self.library, "CUTENSOR_COMPUTE_DESC_" + computes))
        self.call("CreatePlan", self.handle, ctypes.byref(plan), operation, self.preference,
                  ctypes.c_uint64(0))
        stream = self.torch.cuda.current_stream().cuda_stream if view.is_cuda else None
        pointers = [ctypes.c_void_p(tensor.data_ptr()) for tensor in (view, to)]
        return lambda: self.call("Permute", self.handle, plan, ctypes.byref(alpha), *pointers,
                                 ctypes.c_void_p(stream))


PEERS = {"torch": Torch, "cutensor": CuTensor}
