"""DLPack capsules that end while an error of Python's is pending, and otherwise.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import operator
import sys
import threading
import unittest
import weakref

from clreshape import _dlpack
from hosts import counted
from own import QUEUE, ArrayCase, on_device

VERSIONS = None, (1, 0)


class Capsules(ArrayCase):
    """An array is released with the capsule, and a pending error stays."""

    def setUp(self):
        self.array = on_device(counted(3, 4))
        self.kept = weakref.ref(self.array)

    def capsule(self, version):
        array, self.array = self.array, None
        return array.__dlpack__(max_version=version)

    def test_dropped_while_an_error_is_pending(self):
        for version in VERSIONS:
            self.setUp()
            with self.assertRaisesRegex(TypeError, "PyCapsule"):
                operator.index(self.capsule(version))
            self.assertIsNone(self.kept())

    def test_dropped_in_peace(self):
        for version in VERSIONS:
            self.setUp()
            capsule = self.capsule(version)
            self.assertIsNotNone(self.kept())
            del capsule
            self.assertIsNone(self.kept())

    def test_taken_and_ended_on_any_thread(self):
        for version in VERSIONS:
            self.setUp()
            taken = [_dlpack.from_dlpack(self.capsule(version), QUEUE)]
            self.assertIsNotNone(self.kept())
            self.same(taken[0], counted(3, 4))
            thread = threading.Thread(target=taken.clear)
            thread.start()
            thread.join()
            self.assertIsNone(self.kept())

    def test_nothing_is_kept_of_many(self):
        gc.collect()
        before = sys.getallocatedblocks()
        for number in range(200):
            self.setUp()
            try:
                operator.index(self.capsule(VERSIONS[number % 2]))
            except TypeError:
                pass
        gc.collect()
        self.assertLess(sys.getallocatedblocks() - before, 200)


if __name__ == "__main__":
    unittest.main()
