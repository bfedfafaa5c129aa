"""Shared by the tests of the package's arrays: a queue, and the comparison with NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import functools
import pathlib
import sys
import unittest

import numpy as np

import clreshape as cl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "conformance" / "chains"))
from device import Device

DEVICE = Device()
QUEUE = cl.Queue(DEVICE.queue.value)


def on_device(host):
    return cl.to_device(host, QUEUE)


def takes_steps(test):
    """Skipped on a device that refuses steps of maps in f64, for lack of doubles."""
    @functools.wraps(test)
    def run(self):
        try:
            test(self)
        except cl.UnsupportedError as error:
            if "has no cl_khr_fp64" not in str(error):
                raise
            self.skipTest(str(error))
    return run


class ArrayCase(unittest.TestCase):
    def same(self, array, expected):
        expected = np.asarray(expected)
        got = array.get()
        self.assertEqual((array.shape, got.dtype), (expected.shape, expected.dtype))
        with np.errstate(invalid="ignore"):  # random bits are NaN at times
            np.testing.assert_array_equal(got, expected)
