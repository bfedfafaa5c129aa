"""Lists, arrays and masks of the host as indices, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import random
import unittest

import numpy as np

import clreshape as cl
from hosts import counted
from own import QUEUE, ArrayCase, on_device


def drawn_list(draw, extent):
    shape = draw.choice([(3,), (2, 3), (1,), (2, 1)])
    listed = np.array([draw.randrange(-extent, extent) for _ in range(np.prod(shape))]).reshape(shape)
    return draw.choice([listed, listed.tolist(), listed.astype(np.int16)])


def drawn_mask(draw, dims):
    return np.array([draw.random() < .4 for _ in range(np.prod(dims))]).reshape(dims)


def drawn_index(draw, shape):
    """An index of all that NumPy takes, with lists that do not always broadcast."""
    parts, rest = [], list(shape)
    while rest and draw.random() < .9:
        kind, count = draw.choice(["None", "...", ":", "0", "list", "list", "list", "mask"]), 1
        if kind == "None":
            parts, count = [*parts, None], 0
        elif kind == "..." and not any(part is Ellipsis for part in parts):
            parts, count = [*parts, ...], draw.randint(0, len(rest))
        elif kind == "0":
            parts.append(draw.randrange(-rest[0], rest[0]))
        elif kind == "list":
            parts.append(drawn_list(draw, rest[0]))
        elif kind == "mask":
            count = draw.randint(1, len(rest))
            parts.append(drawn_mask(draw, rest[:count]))
        else:
            parts.append(slice(draw.choice([None, 0, 1, -2]), None, draw.choice([None, -1, 2])))
        rest = rest[count:]
    return parts[0] if len(parts) == 1 and draw.random() < .5 else tuple(parts)


def drawn_array(draw):
    shape = [draw.randint(1, 4) for _ in range(draw.randint(1, 4))]
    host = counted(*shape, dtype=np.int32)
    array = on_device(host)
    return (host.T, array.T) if draw.random() < .3 else (host, array)


class Read(ArrayCase):
    def test_random_indices_are_numpys(self):
        draw = random.Random("clreshape lists")
        for _ in range(250):
            host, array = drawn_array(draw)
            index = drawn_index(draw, host.shape)
            with self.subTest(shape=host.shape, index=index):
                try:
                    expected = host[index]
                except IndexError:
                    with self.assertRaises(IndexError):
                        array[index]
                    continue
                made = array[index]
                self.assertEqual(made.shape, expected.shape)
                if expected.size:
                    self.same(made, expected)

    def test_the_result_is_a_copy_of_one_launch(self):
        array = on_device(counted(5, 4))
        made = array[[4, 0, 4]]
        self.assertNotEqual(made.buffer, array.buffer)
        self.assertEqual(len(made.events), 1)

    def test_lazy_casts_and_packed_elements(self):
        host = np.arange(24, dtype=np.uint8).reshape(4, 6) % 16
        array = on_device(host)
        self.same(array.astype("float16")[[3, 0], ::2], host.astype(np.float16)[[3, 0], ::2])
        packed = array.astype("uint4").contiguous()
        self.same(packed[[3, 0, 0]].astype("uint8"), host[[3, 0, 0]])
        self.same(packed[:, host[0] > 2].astype("uint8"), host[:, host[0] > 2])

    def test_lists_that_are_empty(self):
        array, host = on_device(counted(3, 4)), counted(3, 4)
        for index in ([], np.zeros(3, bool), (slice(None), []), ([], [])):
            self.assertEqual(array[index].shape, host[index].shape)
        self.assertEqual(cl.empty((0, 3), "f32", QUEUE)[np.zeros(0, bool)].shape, (0, 3))

    def test_wrong_lists_are_refused(self):
        host = counted(3, 4)
        array = on_device(host)
        for index, words in (
                ([0, 3], "index 3 is out of range for dim 0 of 3"), ([-4], "index -4 is out of range"),
                ((slice(None), [9]), "index 9 is out of range for dim 1 of 4"),
                ([.5], "an array of float64 is no index"), (np.zeros(0), "an array of float64 is no index"),
                (np.ones(4, bool), r"a mask of shape \(4,\) is for dims \(3,\)"),
                (np.ones((3, 3), bool), r"a mask of shape \(3, 3\) is for dims \(3, 4\)"),
                (([0, 1], [0, 1, 2]), r"shapes \(2,\), \(3,\)"), ([[0], [0, 1]], "different lengths"),
                (([0], [0], [0]), "the index is for 3 dims, the array has 2"),
                ((..., [0], ...), "the index is for 1 dims, the array has 2"), (([0], "a"), "no index"),
                (([0], True), "no index"), (([0], 7), "index 7 is out of range for dim 1 of 4"),
                (["a"], "is no index")):
            with self.subTest(index=index):
                for use in (lambda: array[index], lambda: array.__setitem__(index, 1)):
                    with self.assertRaisesRegex(IndexError, words):
                        use()
        self.same(array, host)

    def test_the_device_has_no_masks_and_no_lists(self):
        host = counted(3, 4)
        array = on_device(host)
        for index in (on_device(host > 2), (0, on_device(np.ones(4, bool)))):
            with self.assertRaisesRegex(IndexError, r"mask on the device .*a\[mask\.get\(\)\]"):
                array[index]
            with self.assertRaisesRegex(IndexError, "mask on the device"):
                array[index] = 0
        with self.assertRaisesRegex(IndexError, r"take\(\) and index_copy\(\)"):
            array[on_device(np.array([0, 1]))]
        self.same(array[on_device(host > 2).get()], host[host > 2])

    def test_without_a_queue_it_is_said_what_to_give(self):
        kept = on_device(counted(4))
        array = cl.wrap(kept.buffer, 4, "f32")
        with self.assertRaisesRegex(ValueError, "queue="):
            array[[0, 1]]


class Written(ArrayCase):
    def test_random_indices_are_numpys(self):
        draw = random.Random("clreshape lists written")
        for _ in range(200):
            host, array = drawn_array(draw)
            index = drawn_index(draw, host.shape)
            try:
                dims = host[index].shape
            except IndexError:
                continue
            value = -1 - counted(*(draw.choice([dim, dim, 1]) for dim in dims[draw.randint(0, len(dims)):]),
                                 dtype=draw.choice([np.int32, np.float32]))
            is_number = draw.random() < .2
            with self.subTest(shape=host.shape, index=index, value=value.shape):
                array[index] = -500 if is_number else on_device(value)
                host[index] = -500 if is_number else value
                self.same(array, host)

    def test_of_equal_indices_the_last_counts(self):
        array, host = on_device(np.zeros(4, np.int32)), np.zeros(4, np.int32)
        array[[1, 2, 1, -3]] = on_device(np.array([1, 2, 3, 4], np.int32))
        host[[1, 2, 1, -3]] = [1, 2, 3, 4]
        self.same(array, host)
        array[np.array([True, False, True, False])] = 9
        host[[0, 2]] = 9
        self.same(array, host)

    def test_wrong_values_are_refused(self):
        array = on_device(np.zeros((3, 4), np.uint8))
        with self.assertRaisesRegex(ValueError, r"shape \(3,\) does not broadcast to \(2, 4\)"):
            array[[0, 1]] = on_device(counted(3))
        with self.assertRaisesRegex(OverflowError, "256 is out of range for uint8"):
            array[[0, 1]] = 256
        with self.assertRaisesRegex(TypeError, "to_device has NumPy arrays"):
            array[[0, 1]] = np.zeros(4)
        self.same(array, np.zeros((3, 4), np.uint8))


if __name__ == "__main__":
    unittest.main()
