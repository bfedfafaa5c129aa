"""DLPack in C with apache-tvm-ffi: the C tests with the header of DLPack 1.3, and tensors of the
library that go through tvm_ffi and back.

    dlpack_peers.py ROOT COMPILER FLAG... -- FLAG...

The FLAGS are for the shim. Flags behind -- are added for the tests.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes as C
import gc
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import tvm_ffi

ROOT, COMPILER, *FLAGS = sys.argv[1:]
SHIM_FLAGS, TEST_FLAGS = FLAGS[:FLAGS.index("--")], FLAGS[FLAGS.index("--") + 1:]
HERE = pathlib.Path(ROOT, "tests/opencl")
HOST = np.arange(24, dtype=np.float32).reshape(4, 6)
NAMES = (b"dltensor", b"used_dltensor"), (b"dltensor_versioned", b"used_dltensor_versioned")
VERSION = (1, 3)


def compiled(folder, name, *arguments):
    """Compiles with the header of tvm_ffi, and returns the file's path."""
    include = next(pathlib.Path(tvm_ffi.__file__).parent.rglob("dlpack.h")).parents[1]
    result = pathlib.Path(folder, name)
    subprocess.run([COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror",
                    "-DCL_TARGET_OPENCL_VERSION=120", "-D_POSIX_C_SOURCE=200809L", "-isystem",
                    include, f"-I{ROOT}/include", "-o", result, *arguments, *SHIM_FLAGS], check=True)
    return result


def python_function(name, result, *arguments):
    return C.PYFUNCTYPE(result, *arguments)((name, C.pythonapi))


new_capsule = python_function("PyCapsule_New", C.py_object, C.c_void_p, C.c_char_p, C.c_void_p)
pointer_of = python_function("PyCapsule_GetPointer", C.c_void_p, C.py_object, C.c_char_p)
rename = python_function("PyCapsule_SetName", C.c_int, C.py_object, C.c_char_p)


class Headers(unittest.TestCase):
    def test_the_tests_in_c(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("test_dlpack", "test_dlpack_uses"):
                sources = [HERE / f"{part}.c" for part in (name, "api", "lent")]
                program = compiled(folder, name, *sources, f"-I{ROOT}/tests", *TEST_FLAGS)
                self.assertEqual(subprocess.run([program], check=False).returncode, 0, name)


class Exchange(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.shim = C.CDLL(str(compiled(cls.folder.name, "shim.so", HERE / "dlpack_shim.c", "-shared",
                                       "-fPIC")))
        cls.shim.shim_error.restype = C.c_char_p
        cls.shim.shim_lend.restype = C.c_void_p
        cls.shim.shim_lend.argtypes = C.c_char_p, C.c_bool
        cls.shim.shim_take.restype = C.c_bool
        cls.shim.shim_take.argtypes = C.c_void_p, C.c_bool, C.c_void_p
        cls.shim.shim_delete.argtypes = C.c_void_p, C.c_bool
        cls.shim.shim_delete.restype = cls.shim.shim_close.restype = None
        assert cls.shim.shim_open() == 0, cls.shim.shim_error()

    @classmethod
    def tearDownClass(cls):
        cls.shim.shim_close()
        cls.folder.cleanup()

    def tearDown(self):
        gc.collect()
        self.assertEqual(self.shim.shim_references(), 1)

    def lend(self, chain, is_versioned):
        managed = self.shim.shim_lend(chain.encode(), is_versioned)
        self.assertIsNotNone(managed, self.shim.shim_error())
        return managed

    def take(self, tensor, is_versioned):
        """The library's view of a tensor of tvm_ffi."""
        capsule = tensor.__dlpack__(max_version=VERSION) if is_versioned else tensor.__dlpack__()
        fresh, used = NAMES[is_versioned]
        managed = pointer_of(capsule, fresh)
        rename(capsule, used)
        found = np.full(tuple(tensor.shape), np.nan, np.float32)
        self.assertTrue(self.shim.shim_take(managed, is_versioned, found.ctypes.data),
                        self.shim.shim_error())
        return found

    def test_tensors_go_out_and_come_back(self):
        cases = [("reshape=4,6", HOST), ("permute=1,0", HOST.T), ("flip=0 flip=1", HOST[::-1, ::-1]),
                 ("slice=1:3,5:0:-2", HOST[1:3, 5:0:-2]), ("slice=2:3,1:5", HOST[2:3, 1:5]),
                 ("slice=2:3,1:2 reshape=", HOST[2, 1]), ("slice=1:1", HOST[1:1]),
                 ("reshape=2,2,3,2 permute=2,0,3,1",
                  HOST.reshape(2, 2, 3, 2).transpose(2, 0, 3, 1)),
                 ("slice=:,2:3 expand=4,5", np.broadcast_to(HOST[:, 2:3], (4, 5)))]
        for chain, want in cases:
            for forms in ((0, 0), (0, 1), (1, 0), (1, 1)):
                with self.subTest(chain=chain, forms=forms):
                    self.check(chain, want, *forms)

    def check(self, chain, want, out, back):
        tensor = tvm_ffi.from_dlpack(new_capsule(self.lend(chain, out), NAMES[out][0], None))
        self.assertEqual(tuple(tensor.shape), want.shape)
        self.assertEqual(str(tensor.dtype), "float32")
        self.assertEqual(tuple(tensor.__dlpack_device__()), (4, 0))
        if want.size:
            strides = tuple(stride // want.itemsize for stride in want.strides)
            for dim, got, wanted in zip(want.shape, tensor.strides, strides):
                self.assertTrue(dim == 1 or got == wanted, (tuple(tensor.strides), strides))
        self.assertEqual(self.shim.shim_references(), 2)
        for _ in range(2):
            np.testing.assert_array_equal(self.take(tensor, back), want)
        self.assertEqual(self.shim.shim_references(), 2)
        del tensor
        gc.collect()
        self.assertEqual(self.shim.shim_references(), 1)

    def test_what_nobody_takes_is_deleted_by_hand(self):
        for is_versioned in (False, True):
            managed = self.lend("permute=1,0", is_versioned)
            self.assertEqual(self.shim.shim_references(), 2)
            self.shim.shim_delete(managed, is_versioned)
            self.assertEqual(self.shim.shim_references(), 1)

    def test_tensors_of_the_host_are_refused_and_given_back(self):
        for is_versioned in (False, True):
            host = HOST.copy()
            references = sys.getrefcount(host)
            tensor = tvm_ffi.from_dlpack(host)
            with self.assertRaisesRegex(AssertionError, "device type 1; it must be kDLOpenCL, 4"):
                self.take(tensor, is_versioned)
            del tensor
            gc.collect()
            self.assertEqual(sys.getrefcount(host), references)


if __name__ == "__main__":
    os.environ.setdefault("POCL_SIGFPE_HANDLER", "0")
    sys.exit(unittest.main(argv=sys.argv[:1]))
