"""Moves of the package's own arrays on the device, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import random
import unittest

import numpy as np

import clreshape as cl
from clreshape import _library
from hosts import counted
from own import QUEUE, ArrayCase, on_device, takes_steps


class Moves(ArrayCase):
    def test_random_chains(self):
        draw = random.Random("clreshape python")
        for _ in range(60):
            host = counted(*(draw.randint(1, 5) for _ in range(draw.randint(1, 4))),
                           dtype=draw.choice([np.uint8, np.float16, np.int32, np.float64]))
            array = on_device(host)
            for _ in range(draw.randint(1, 4)):
                host, array = self._step(draw, host, array)
            self.same(array, host)

    @staticmethod
    def _step(draw, host, array):
        kind = draw.randrange(4)
        if kind == 0:
            axes = draw.sample(range(host.ndim), host.ndim)
            return host.transpose(axes), cl.transpose(array, axes)
        if kind == 1 and host.ndim:
            index = tuple(slice(None, None, draw.choice([1, 2, -1])) for _ in host.shape)
            return host[index], array[index]
        if kind == 2:
            return host.reshape(-1, host.shape[-1] or 1), array.reshape(-1, host.shape[-1] or 1)
        return np.ascontiguousarray(host), array.contiguous()

    def test_contiguous_moves_only_what_is_not(self):
        array = on_device(counted(4, 5))
        self.assertIs(array.contiguous(), array)
        self.assertNotEqual(array.copy().buffer, array.buffer)
        self.assertNotEqual(array.T.contiguous().buffer, array.buffer)
        with self.assertRaisesRegex(ValueError, "not dense"):
            cl.contiguous(array.T, copy=False)

    def test_results_take_the_pools_memory(self):
        array = on_device(counted(40, 50))
        context = array._tensor.context.handle

        def reused():
            return _library.function("context_pool")(context).reused
        for make in (lambda: array.T.contiguous(), lambda: cl.concatenate([array, array]),
                     lambda: cl.stack([array.T]), lambda: cl.pad(array, 1),
                     lambda: cl.take(array, on_device(np.int32([3, 1])))):
            make()
            before = reused()
            view = make()[1:]
            self.assertEqual(reused(), before + 1)
            kept, others = view.get(), [make() for _ in range(3)]
            self.same(view, kept)
            del others

    def test_concatenate_and_stack(self):
        hosts = [counted(2, 3), counted(2, 3) + 50]
        arrays = [on_device(host) for host in hosts]
        for axis in (0, 1, -1, -2):
            self.same(cl.concatenate(arrays, axis), np.concatenate(hosts, axis))
        for axis in (0, 1, 2, -1):
            self.same(cl.stack(arrays, axis), np.stack(hosts, axis))
        self.same(cl.concatenate([arrays[0].T, arrays[1].T[::-1]]),
                  np.concatenate([hosts[0].T, hosts[1].T[::-1]]))
        self.same(cl.stack([array.cast("int16") for array in arrays]),
                  np.stack(hosts).astype(np.int16))

    def test_take(self):
        host = counted(4, 5, 3)
        array = on_device(host)
        for chosen, axis in (([2, 1, 0], 2), ([3, 0, 1, 1, -1], 0), ([], 1), (range(5), -2)):
            self.same(cl.take(array, chosen, axis), host.take(np.array(chosen, int), axis))
        with self.assertRaisesRegex(ValueError, "index 4 is out of range: there are 4"):
            cl.take(array, [4])

    def test_pad(self):
        host = counted(2, 3)
        array = on_device(host)
        for widths in (1, (1, 2), [(0, 2), (3, 0)], 0, [(1, 0), [0, 1]]):
            self.same(cl.pad(array, widths, -1), np.pad(host, widths, constant_values=-1))
        self.same(cl.pad(array.T.cast("int16"), 1), np.pad(host.T.astype(np.int16), 1))
        for widths in (-1, [(1, 2)], [(1, 1, 1)] * 2, (1, 2, 3)):
            with self.assertRaisesRegex(ValueError, "widths are"):
                cl.pad(array, widths)

    def test_pad_in_a_chain(self):
        sound = counted(1000)
        array = on_device(sound)
        frames = np.lib.stride_tricks.sliding_window_view(np.pad(sound, 200, "reflect"), 400)[::160]
        self.same(cl.chain(array, "pad=200,mode=reflect window=0,400,160"), frames)
        host = counted(6, 8).astype(np.uint8)
        image = on_device(host)
        padded = np.pad(host.T[:, 1:], ((1, 2), (0, 3)), constant_values=114)
        text = "permute=1,0 slice=:,1: pad=1:2,0:3,value=114 cast=float32 mean=1,2,3,4,5,6,7,8 permute=1,0"
        expected = (padded.astype(np.float32) - np.arange(1, 9, dtype=np.float32)).T
        self.same(cl.chain(image, text), expected)
        out = on_device(np.zeros(expected.shape, np.float32))
        self.same(cl.chain(image, text, out=out), expected)
        with self.assertRaisesRegex(cl.ClreshapeError, "out is uint8"):
            cl.chain(image, text, out=image)
        with self.assertRaisesRegex(cl.WouldCopyError, "no view shows a border"):
            cl.chain(image, "pad=1", copy=False)
        with self.assertRaisesRegex(cl.ClreshapeError, "pads once"):
            cl.chain(image, "pad=1 pad=1")
        with self.assertRaisesRegex(cl.ClreshapeError, "widths"):
            cl.chain(image, "pad=1,2,3")

    def test_pad_modes(self):
        host = counted(4, 5)
        array = on_device(host)
        for mode in ("edge", "reflect", "symmetric", "wrap", "constant"):
            for widths in (1, (1, 2), [(0, 2), (3, 0)], 0, [(3, 3), (4, 1)]):
                self.same(cl.pad(array, widths, mode=mode), np.pad(host, widths, mode))
            self.same(cl.pad(array[::-1, 1:].T, [(1, 3), (2, 0)], mode=mode),
                      np.pad(host[::-1, 1:].T, [(1, 3), (2, 0)], mode))
            self.same(cl.pad(array.cast("int16"), 1, mode=mode),
                      np.pad(host.astype(np.int16), 1, mode))
        self.same(cl.pad(array, (9, 7), mode="edge"), np.pad(host, (9, 7), "edge"))
        for mode in ("mean", None, "EDGE"):
            with self.assertRaisesRegex(ValueError, "is none of constant, edge, reflect, symm"):
                cl.pad(array, 1, mode=mode)
        with self.assertRaisesRegex(ValueError, "dim 0 has no elements for mode 'wrap'"):
            cl.pad(array[:0], 1, mode="wrap")

    def test_batches(self):
        hosts = [counted(3, 4) + i for i in range(20)]
        sources, targets = [on_device(h).T for h in hosts], [on_device(h.T * 0) for h in hosts]
        batch = cl.Batch(list(zip(targets, sources)))
        self.assertEqual((len(batch), batch.launches), (20, 3))  # 40 buffers, 16 to a launch
        for _ in range(2):
            event = batch.enqueue()
            for target, host in zip(targets, hosts):
                self.assertEqual(target.event, event)
                self.same(target, host.T)
            for target in targets:
                cl.copyto(target, 0)
        for pairs, words in (([], "a pair at least"), ([(targets[0], targets[0])], "byte"),
                             ([(targets[0], counted)], "no tensor")):
            with self.assertRaisesRegex((ValueError, TypeError), words):
                cl.Batch(pairs)

    def test_copies_of_a_batch_that_share_bytes_follow_each_other(self):
        row, first, second = on_device(np.zeros(8)), *(on_device(np.arange(6.) + i) for i in (1, 9))
        cl.Batch([(row[:6], first), (row[2:], second), (first, row[1:7])]).enqueue().wait()
        expected = np.array([1., 2, 9, 10, 11, 12, 13, 14])
        self.same(row, expected)
        self.same(first, expected[1:7])

    @takes_steps
    def test_arrays_of_any_size_in_a_frame(self):
        hosts, begins = [counted(2, 3), counted(1, 4) + 50], [(1, 0), (0, 1)]
        expected = np.full((2, 3, 5), 9, np.float32)
        expected[0, 1:3, :3], expected[1, :1, 1:] = hosts
        arrays = [on_device(host) for host in hosts]
        self.same(cl.stack(arrays, shape=(3, 5), begins=begins, border=9), expected)
        pixel = on_device(np.float32([9]))
        self.same(cl.stack(arrays, -1, shape=(3, 5), begins=begins, border=pixel),
                  expected.transpose(1, 2, 0))
        mapped = [cl.normalize(array, 1, 2) for array in [*arrays, on_device(np.float32(9))]]
        self.same(cl.stack(mapped[:2], shape=(3, 5), begins=begins, border=mapped[2]),
                  (expected - 1) / 2)
        for options, words in (({"shape": (3, 5), "begins": [(1, 0)], "border": 1}, "begins has 2"),
                               ({"shape": (3, 5), "begins": [(1, 0, 0), (0,)], "border": 1},
                                r"begins has \(1, 0, 0\); .* each of 2 dims"),
                               ({"shape": (3, 5), "begins": begins}, "border|element"),
                               ({"shape": (2, 2), "border": 1}, "does not fit")):
            with self.assertRaisesRegex(ValueError, words):
                cl.stack(arrays, **options)

    def test_wrong_assemblies_are_refused(self):
        a, b = on_device(counted(2, 3)), on_device(counted(2, 4))
        for call, words in ((lambda: cl.stack([a, b]), "different shapes"),
                            (lambda: cl.stack([a], 3), "out of range"),
                            (lambda: cl.concatenate([a, b]), r"\[2,4\]"),
                            (lambda: cl.concatenate([a, a[0]]), "dims"),
                            (lambda: cl.concatenate([]), "no array"),
                            (lambda: cl.concatenate([a, a.cast("i32")]), "i32")):
            with self.assertRaisesRegex(ValueError, words):
                call()

    def test_copyto_writes_views(self):
        host = counted(4, 6)
        array = on_device(host)
        event = cl.copyto(array[:, ::2], on_device(counted(3)))
        host[:, ::2] = counted(3)
        self.assertEqual(array.event, event)
        self.same(array, host)
        array[1:3, ::-1] = on_device(counted(2, 6, dtype=np.int16))
        host[1:3, ::-1] = counted(2, 6)
        self.same(array, host)

    def test_copyto_fills_with_numbers(self):
        for dtype, value in ((np.float32, 2.5), (np.int8, -3), (np.uint64, 2**64 - 1),
                             (np.bool_, True), (np.float16, 7), (np.complex64, 1 + 2j),
                             (np.int64, -2**63), (np.complex128, 3), (np.float32, np.float64(4))):
            host = np.zeros((3, 4), dtype)
            array = on_device(host)
            array[:, 1::2] = value
            host[:, 1::2] = value
            self.same(array, host)

    def test_mapped_destinations_are_refused(self):
        array = on_device(counted(4, 6))
        with self.assertRaisesRegex(NotImplementedError, "it has no bytes of its own"):
            cl.copyto(array.cast("i32"), 1)

    def test_packed_destinations_are_filled(self):
        array = cl.empty((3, 6), "int4", QUEUE)
        array[...] = 5
        array[:, ::2] = -3
        expected = np.full((3, 6), 5, np.int8)
        expected[:, ::2] = -3
        self.same(array.cast("int8"), expected)

    def test_numbers_that_no_element_holds_are_refused(self):
        array = on_device(counted(3))
        for number, error in ((2**64, OverflowError), (-2**63 - 1, OverflowError),
                              (1j, ValueError)):
            with self.assertRaises(error):
                cl.copyto(array, number)
        for dtype in (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64):
            held, array = np.iinfo(dtype), on_device(np.zeros(3, dtype))
            for number in (held.min, held.max):
                array[...] = int(number)
                self.same(array, np.full(3, number, dtype))
            for number in (int(held.min) - 1, int(held.max) + 1):
                for use in (lambda: cl.copyto(array, number), lambda: cl.pad(array, 1, number),
                            lambda: cl.stack([array], shape=(9,), border=number)):
                    with self.assertRaisesRegex(OverflowError, f"{number} "):
                        use()
        with self.assertRaisesRegex(OverflowError, "int4, which holds -8 to 7"):
            cl.empty(3, "int4", QUEUE)[...] = 8
        flags = on_device(np.zeros(3, bool))
        flags[...] = 300
        self.same(flags, np.ones(3, bool))

    def test_wrong_destinations_are_refused(self):
        array = on_device(counted(4, 6))
        for call, words in ((lambda: cl.copyto(array, array[::-1]), "byte"),
                            (lambda: cl.copyto(array, array[:3]), "broadcast"),
                            (lambda: cl.copyto(cl.repeat(array, "a b -> a b 2"), 1),
                             "at one position")):
            with self.assertRaisesRegex(ValueError, words):
                call()


if __name__ == "__main__":
    unittest.main()
