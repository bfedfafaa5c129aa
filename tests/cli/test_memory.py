# When memory is short, the program says so and ends with 1: a buffer that does not fit is an error
# when it is made, not the end of the process when it is first used.
#
# SPDX-License-Identifier: Apache-2.0
import os
import resource

import numpy as np

from program import FAILED, Case, main, need_device

ADDRESS_SPACE = 2 << 30  # bytes that the process may reserve: enough for the driver
LARGE = 4 << 30          # bytes of a tensor
# A driver's threads have stacks and arenas of their own, as many as there are processors.
FEW_THREADS = {"POCL_MAX_PTHREAD_COUNT": "2", "MALLOC_ARENA_MAX": "2"}


def limit():
    """In the process that becomes the program."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, resource.RLIM_INFINITY))


def sparse(name, count):
    """A file of `count` bytes as elements that takes next to no room on the disk."""
    np.lib.format.open_memmap(name, mode="w+", dtype=np.uint8, shape=(count // 1024, 1024)).flush()


class Memory(Case):
    def setUp(self):
        super().setUp()
        if "ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ:
            self.skipTest("a sanitizer reserves more address space than there is memory")
        self.options = {"environment": FEW_THREADS, "preexec_fn": limit}

    def test_a_small_tensor_fits(self):
        sparse("small.npy", 1 << 20)
        self.succeeds("run", "small.npy", "out.npy", "permute=1,0", **self.options)
        self.assertEqual(np.load("out.npy").shape, (1024, 1024))

    def test_a_large_input_is_refused(self):
        sparse("large.npy", LARGE)
        self.refused(FAILED, f"clCreateBuffer of {LARGE} bytes failed", "run", "large.npy",
                     "out.npy", "permute=1,0", **self.options)
        self.assertEqual(os.listdir(), ["large.npy"])

    def test_a_large_result_is_refused(self):
        sparse("small.npy", 1 << 20)
        self.refused(FAILED, f"it was asked for a buffer of {LARGE} bytes", "run", "small.npy",
                     "out.npy", f"tile={LARGE >> 20},1", **self.options)
        self.assertEqual(os.listdir(), ["small.npy"])


if __name__ == "__main__":
    need_device()
    main()
