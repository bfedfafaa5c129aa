# With little memory, a large tensor is moved in parts. A tensor that cannot be cut is refused with
# a sentence and 1. A buffer that does not fit must fail at creation, and must not end the process
# at the first use.
#
# SPDX-License-Identifier: Apache-2.0
import os
import resource

import numpy as np

from program import FAILED, Case, main, need_device

ADDRESS_SPACE = 2 << 30  # bytes that the process may reserve: enough for the driver
LARGE = 3 << 30          # bytes of a tensor
# A driver's threads have separate stacks and arenas, as many as processors.
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

    def test_of_a_large_input_what_is_shown_is_read(self):
        sparse("large.npy", LARGE)
        with open("large.npy", "r+b") as file:
            for row in range(0, LARGE // 1024, 1 << 16):
                file.seek(128 + row * 1024 + 5)
                file.write(bytes([row >> 16]))
        self.succeeds("run", "large.npy", "out.npy", "slice=::65536", "permute=1,0", **self.options)
        result = np.load("out.npy")
        self.assertEqual(result.shape, (1024, LARGE >> 26))
        np.testing.assert_array_equal(result[5], np.arange(LARGE >> 26))
        self.assertEqual(np.count_nonzero(result), np.count_nonzero(result[5]))

    def test_what_cannot_be_cut_is_refused(self):
        """The axes do not factor: 3 times 2^20 by 1024, transposed, are no 3 times 2^30."""
        sparse("large.npy", LARGE)
        operations = ("permute=1,0", "reshape=3,-1", "permute=1,0")
        # A driver may know the limit and allow no buffer of this size, or fail to make this buffer.
        self.refused(FAILED, f"{LARGE} bytes", "run", "large.npy", "out.npy", *operations,
                     **self.options)
        self.refused(FAILED, f"reads {LARGE} and writes {LARGE} bytes, and there is memory for 1024",
                     "run", "large.npy", "out.npy", "--memory", "4K", *operations)
        self.assertEqual(os.listdir(), ["large.npy"])


if __name__ == "__main__":
    need_device()
    main()
