"""Views of several rectangles, rolled or with the tail of a block, in all that reads or writes a view,
against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import unittest

import numpy as np

import clreshape as cl
from hosts import counted
from own import QUEUE, ArrayCase, on_device, takes_steps


def unblocked(blocks):
    """30 channels out of blocks of 16: [N, 2, W, 16] is [N, 30, W]."""
    return blocks.transpose(0, 1, 3, 2).reshape(len(blocks), 32, -1)[:, :30]


TAIL = "permute=0,1,3,2 reshape=4,32,6 slice=:,:30"
VIEWS = [((4, 30, 6), "roll=1,7 permute=1,0,2 roll=2,2",
          lambda a: np.roll(a, (7, 2), (1, 2)).swapaxes(0, 1)),
         ((4, 30, 6), "roll=0,1 roll=1,-7 roll=2,2", lambda a: np.roll(a, (1, -7, 2), (0, 1, 2))),
         ((4, 2, 6, 16), TAIL, unblocked),
         ((4, 2, 6, 16), f"{TAIL} roll=1,3", lambda a: np.roll(unblocked(a), 3, 1))]


class Rectangles(ArrayCase):
    def each(self, dtype=np.float32):
        """(array on the device, the view on the device, the same on the host) for each view. Data
        written to the view on the host is written to the host's array."""
        for dims, text, move in VIEWS:
            with self.subTest(text=text):
                host = counted(*dims, dtype=dtype)
                array = on_device(host)
                yield array, cl.chain(array, text), move(host)

    def written(self, enqueue, expected, dtype=np.float32):
        """Enqueues a write of `expected(view's shape)` and compares all of the array."""
        for (array, view, seen), (dims, _, move) in zip(self.each(dtype), VIEWS):
            places = move(np.arange(array.size).reshape(dims))
            host = counted(*dims, dtype=dtype)
            values = expected(seen)
            enqueue(view, values)
            host.reshape(-1)[places] = values
            self.same(array, host)

    def test_moves(self):
        for _, view, seen in self.each():
            self.same(view.copy(), seen)
            self.same(cl.concatenate([view, view], -1), np.concatenate([seen, seen], -1))
            self.same(cl.pad(view, (3, 2), mode="wrap"), np.pad(seen, (3, 2), mode="wrap"))

    @takes_steps
    def test_maps(self):
        for _, view, seen in self.each():
            mean = counted(seen.shape[-1])
            self.same(view.cast("float16").copy(), seen.astype("f2"))
            rolled = cl.chain(on_device(mean), "roll=0,2")
            self.same(view.normalize(rolled, 2.0).copy(), (seen - np.roll(mean, 2)) / 2)

    def test_gathers_and_scatters(self):
        index = np.int32([2, 0, 3, 1])
        for _, view, seen in self.each():
            rolled = cl.chain(on_device(index), "roll=0,1")
            self.same(cl.take(view, rolled), seen[np.roll(index, 1)])
        self.written(lambda view, values: cl.index_copy(view[:4], on_device(index), on_device(values[index])),
                     lambda seen: np.concatenate([seen[:4] + 1, seen[4:]]))

    def test_writes(self):
        self.written(lambda view, values: cl.copyto(view, on_device(values)), lambda seen: seen + 1)
        self.written(lambda view, values: cl.copyto(view, on_device(values.astype("i4"))),
                     lambda seen: seen + 2)
        self.written(lambda view, values: cl.copyto(view, 7), lambda seen: np.full_like(seen, 7))
        self.written(lambda view, values: cl.Batch([(view, on_device(values))]).enqueue(),
                     lambda seen: seen + 3)

    def test_a_repeated_element_is_not_written(self):
        view = cl.chain(cl.empty((4, 6), "float32", QUEUE), "roll=1,2 tile=1,2 slice=:,1:8")
        with self.assertRaisesRegex(ValueError, "at one position"):
            cl.copyto(view, 1.0)


if __name__ == "__main__":
    unittest.main()
