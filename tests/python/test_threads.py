"""The functions from many threads at once, on shared arrays, queues and contexts.

SPDX-License-Identifier: Apache-2.0
"""

import concurrent.futures
import gc
import unittest

import numpy as np
import pyopencl

import clreshape as cl
from hosts import counted
from peers import QUEUE, on_device

THREADS, ROUNDS = 8, 60
HOST = counted(4, 6, 10)


def all_at_once(work):
    with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work, number) for number in range(THREADS)]:
            done.result()


class Threads(unittest.TestCase):
    def test_one_array_and_one_queue(self):
        device = on_device(HOST)
        shared = cl.asarray(device)

        def work(number):
            for i in range(ROUNDS):
                view = shared[:, number % 3::3].transpose(2, 0, 1)
                np.testing.assert_array_equal(view.get(), HOST[:, number % 3::3].transpose(2, 0, 1))
                moved = cl.contiguous(cl.cast(device, "float16").T if i % 2 else device.T)
                self.assertEqual(moved.shape, (10, 6, 4))
        all_at_once(work)
        QUEUE.finish()
        gc.collect()
        self.assertEqual(device.base_data.reference_count, 2)  # its own, and that of shared

    def test_a_queue_for_each(self):
        def work(number):
            queue = pyopencl.CommandQueue(QUEUE.context)
            for _ in range(ROUNDS):
                device = on_device(HOST + number, queue)
                moved = cl.rearrange(device, "a (b c) d -> (d c) a b", c=2)
                expected = (HOST + number).reshape(4, 3, 2, 10).transpose(3, 2, 0, 1)
                np.testing.assert_array_equal(moved.get(), expected.reshape(20, 4, 3))
        all_at_once(work)

    def test_one_context_for_all(self):
        cl.release_contexts()
        gc.collect()
        found = []

        def work(_):
            device = on_device(HOST)
            found.append(cl.asarray(device)._tensor.context)
        all_at_once(work)
        self.assertEqual(len({id(context) for context in found}), 1)

    def test_exports_from_many_threads(self):
        device = on_device(HOST)
        shared = cl.asarray(device)

        def work(_):
            for _ in range(ROUNDS):
                again = cl.from_dlpack(shared.T, queue=QUEUE)
                np.testing.assert_array_equal(again.get(), HOST.T)
        all_at_once(work)
        del shared
        gc.collect()
        self.assertEqual((device.base_data.reference_count, cl._dlpack._exported), (1, {}))


if __name__ == "__main__":
    unittest.main()
