"""Gather and scatter by indices on the device, of the package's own arrays, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import random
import unittest

import numpy as np

import clreshape as cl
from hosts import counted
from own import QUEUE, ArrayCase, on_device, takes_steps

WILD = [-2**31, 2**31 - 1, -7, 6]  # of an axis of 5
WILDEST = [-2**63, 2**63 - 1, 2**32, -2**32 - 1]


def taken(host, indices, axis, fill):
    """The result of take's mode "fill": element by element, in plain Python."""
    axis %= host.ndim
    dims = (*host.shape[:axis], *indices.shape, *host.shape[axis + 1:])
    result = np.full(dims, fill, host.dtype)
    for place in np.ndindex(*indices.shape):
        index = int(indices[place])
        if -host.shape[axis] <= index < host.shape[axis]:
            before = (slice(None),) * axis
            result[(*before, *place)] = host[(*before, index)]
    return result


class Take(ArrayCase):
    def test_shapes_and_negative_indices_are_numpys(self):
        draw = random.Random("clreshape take")
        for _ in range(40):
            host = counted(*(draw.randint(1, 6) for _ in range(draw.randint(1, 4))),
                           dtype=draw.choice([np.uint8, np.float16, np.int32, np.complex128]))
            axis = draw.randrange(-host.ndim, host.ndim)
            extent = host.shape[axis]
            dims = [draw.randint(0, 4) for _ in range(draw.randint(0, 3))]
            values = [draw.randrange(-extent, extent) for _ in range(np.prod(dims, dtype=int))]
            indices = np.array(values, draw.choice([np.int32, np.int64])).reshape(dims)
            self.same(cl.take(on_device(host), on_device(indices), axis),
                      np.take(host, indices, axis))

    def test_views_on_all_sides(self):
        host, indices = counted(4, 5, 6), np.int32([[0, 9, -1], [9, 2, 9], [3, 9, 1]])
        view, chosen = on_device(host)[::-1, :, 1::2].T, on_device(indices)[::2, ::-2].T
        expected = np.take(host[::-1, :, 1::2].T, indices[::2, ::-2].T, 2)
        self.same(cl.take(view, chosen, 2), expected)
        frame = np.full((*expected.shape[::-1], 2), -1, np.float32)
        out = on_device(frame)
        given = out[..., 1].T
        self.assertIs(cl.take(view, chosen, -1, given), given)
        frame[..., 1] = expected.T
        self.same(out, frame)

    def test_wild_indices(self):
        host = counted(3, 5, 2) + 1
        for values, dtype in ((WILD + [0, -1], np.int32), (WILD + WILDEST + [4, -5], np.int64)):
            indices = np.array(values, dtype)
            array, chosen = on_device(host), on_device(indices)
            self.same(cl.take(array, chosen, 1), taken(host, indices, 1, 0))
            self.same(cl.take(array, chosen, 1, fill_value=-2.5), taken(host, indices, 1, -2.5))
            self.same(cl.take(array, chosen, 1, fill_value=float("nan")),
                      taken(host, indices, 1, np.nan))
            self.same(cl.take(array, chosen, 1, mode="clip"),
                      np.take(host, indices, 1, mode="clip"))

    def test_the_flag_tells(self):
        array, flag = on_device(counted(5)), on_device(np.uint32([4]))
        for mode, values, raised in (("fill", [0, 4, -5], 4), ("clip", [0, 4], 4),
                                     ("clip", [-1], 5), ("fill", [5], 5), (None, [0], 5)):
            if raised == 4:
                flag[...] = 4
            cl.take(array, on_device(np.int32(values)), mode=mode, flag=flag)
            self.same(flag, np.uint32([raised]))

    def test_nothing_to_take(self):
        host = counted(4, 5)
        for dims in ((0,), (2, 0)):
            self.same(cl.take(on_device(host), on_device(np.zeros(dims, np.int32)), 1),
                      np.take(host, np.zeros(dims, int), 1))
        empty = cl.empty((3, 0, 2), "float32", QUEUE)
        for mode in ("fill", "clip"):
            self.same(cl.take(empty, on_device(np.int32([0, 1])), 1, mode=mode, fill_value=7),
                      np.full((3, 2, 2), 7, np.float32))
        self.same(cl.take(on_device(host)[:, :0], on_device(np.int32([0, 1]))),
                  np.zeros((2, 0), np.float32))

    def test_elements_that_are_no_numbers(self):
        host = np.arange(12, dtype=np.uint16).view("V2").reshape(3, 4)
        indices = np.int64([3, 0])
        self.same(cl.take(on_device(host), on_device(indices), 1), np.take(host, indices, 1))

    def test_indices_of_a_kernel_in_front(self):
        """The indices are computed on the device, and no host has seen the values."""
        host = counted(7, 3)
        chosen = cl.cast(on_device(np.float32([6, 0, -3])), "int32").contiguous()
        self.same(cl.take(on_device(host), chosen), host[[6, 0, -3]])

    def test_lazy_casts_are_computed_on_their_way(self):
        host, indices = counted(6, 5), np.int32([[5, 0], [-1, 9]])
        for axis in (0, 1):
            self.same(cl.take(on_device(host).cast("int16").T, on_device(indices), axis, fill_value=7),
                      taken(host.astype(np.int16).T, indices, axis, 7))

    @takes_steps
    def test_rows_that_are_dequantized_by_scales_of_their_own(self):
        codes, scales = counted(6, 40, dtype=np.uint8), np.float32([1, 2, 4, 8, 16, 0.5])
        weights = cl.dequantize(on_device(codes), on_device(scales), 3, axis=0)
        indices = np.int64([4, 4, 0, -1])
        expected = (codes.astype(np.float32) - 3) * scales[:, None]
        self.same(cl.take(weights, on_device(indices)), expected[indices])

    def test_wrong_uses_are_refused(self):
        array, chosen = on_device(counted(4, 5)), on_device(np.int32([1, 2]))
        out = on_device(counted(2, 5))
        for call, error, words in (
                (lambda: cl.take(array, on_device(np.float32([1]))), ValueError,
                 "indices are f32; they must be i32 or i64"),
                (lambda: cl.take(array, on_device(np.uint32([1]))), ValueError, "u32"),
                (lambda: cl.take(array, chosen, 2), ValueError, "axis 2 is out of range"),
                (lambda: cl.take(array[0, 0], chosen), ValueError, "axis 0 is out of range"),
                (lambda: cl.take(array, chosen, mode="raise"), ValueError, "none of clip, fill"),
                (lambda: cl.take(array, chosen, mode="wrap"), ValueError, "none of clip, fill"),
                (lambda: cl.take(array, chosen, 1, out), ValueError, r"result .* \(4, 2\)"),
                (lambda: cl.take(array, chosen, out=out.cast("int32")), ValueError, "out is int32"),
                (lambda: cl.take(array, chosen, out=array[2:]), ValueError, "byte"),
                (lambda: cl.take(array, chosen, flag=on_device(np.int32([0]))), ValueError, "u32"),
                (lambda: cl.take(array, chosen, fill_value=1j), ValueError, "no element"),
                (lambda: cl.take(array, chosen.cast("int64")), NotImplementedError, ""),
                (lambda: cl.take(array.cast("int4").contiguous(), chosen), NotImplementedError,
                 "share bytes"),
                (lambda: cl.take(array, chosen, flag=3), TypeError, "no tensor")):
            with self.assertRaisesRegex(error, words):
                call()
        self.same(out, counted(2, 5))


class TakeListed(ArrayCase):
    def test_indices_of_any_shape(self):
        host = counted(4, 5, 3)
        array = on_device(host)
        for indices, axis in ((np.array([[4, -1, 0], [1, 2, 2]]), 1), (2, 0), (-1, -1),
                              (np.int64(1), 1), (np.zeros((2, 0), int), 2), ((1, 0), 0)):
            self.same(cl.take(array, indices, axis), np.take(host, np.array(indices), axis))
        self.same(cl.take(array, [-1, 7, 2], 2, mode="clip"),
                  np.take(host, [-1, 7, 2], 2, mode="clip"))
        out = on_device(counted(5, 2) * 0)
        cl.take(array[..., 0], [3, 1], 0, out.T)
        self.same(out, host[[3, 1], :, 0].T)

    def test_wrong_uses_are_refused(self):
        array = on_device(counted(4, 5))
        for call, words in ((lambda: cl.take(array, [4]), "index 4 is out of range: there are 4"),
                            (lambda: cl.take(array, [0], mode="fill"), "'fill' is neither"),
                            (lambda: cl.take(array, [0], fill_value=1), "on the device"),
                            (lambda: cl.take(array[:0], [0], mode="clip"), "out of range")):
            with self.assertRaisesRegex(ValueError, words):
                call()


class IndexCopy(ArrayCase):
    def test_it_is_numpys_assignment(self):
        draw = random.Random("clreshape index_copy")
        for _ in range(40):
            host = counted(*(draw.randint(1, 6) for _ in range(draw.randint(1, 4))),
                           dtype=draw.choice([np.uint8, np.float16, np.int32, np.complex128]))
            axis = draw.randrange(host.ndim)
            extent = host.shape[axis]
            chosen = draw.sample(range(extent), draw.randint(0, extent))
            indices = np.array([index - draw.choice([0, extent]) for index in chosen],
                               draw.choice([np.int32, np.int64]))
            indices = indices.reshape(draw.choice([(-1,), (1, -1), (len(chosen), 1)]))
            before = (slice(None),) * axis
            source = (host[(*before, indices)] + 1).astype(host.dtype)
            array = on_device(host)
            event = cl.index_copy(array, on_device(indices), on_device(source), axis)
            host[(*before, indices)] = source
            self.assertEqual(array.event, event)
            self.same(array, host)

    def test_views_and_broadcasts(self):
        host = counted(6, 5, 4)
        array, rows = on_device(host), counted(3, 1, 1) + 900
        indices = np.int32([[5, 9, -3], [1, 9, 0]])
        cl.index_copy(array[::-1, 1:4, ::2].T, on_device(indices)[:, ::2], on_device(rows), -1)
        host[::-1, 1:4, ::2].T[:, :, indices[:, ::2]] = rows
        self.same(array, host)

    def test_wild_indices_write_nothing(self):
        host = counted(5, 3)
        for values, dtype in ((WILD + [3, -5], np.int32), (WILD + WILDEST + [4], np.int64)):
            indices = np.array(values, dtype)
            source = -1 - counted(len(values), 3)
            array, flag, expected = on_device(host), on_device(np.uint32([0])), host.copy()
            cl.index_copy(array, on_device(indices), on_device(source), flag=flag)
            for index, row in zip(values, source):
                if -5 <= index < 5:
                    expected[index] = row
            self.same(array, expected)
            self.same(flag, np.uint32([1]))

    @takes_steps
    def test_rows_that_are_quantized_on_their_way(self):
        host, scales = counted(3, 20), np.float32([0.5, 1, 2])
        cache = np.full((5, 20), 9, np.uint8)
        device = on_device(cache)
        cl.index_copy(device, on_device(np.int32([4, 0, 2])),
                      cl.quantize(on_device(host), on_device(scales), axis=0))
        cache[[4, 0, 2]] = np.clip(np.rint(host / scales[:, None]), 0, 255)
        self.same(device, cache)

    def test_clipped_indices(self):
        host, source = counted(5, 3), -1 - counted(3, 3)
        array = on_device(host)
        cl.index_copy(array, on_device(np.int64([-2, 2, 2**40])), on_device(source), mode="clip")
        host[[0, 2, 4]] = source
        self.same(array, host)

    def test_the_way_back(self):
        host = counted(3, 8, 2)
        order = np.random.default_rng(3).permutation(8).astype(np.int32)
        result, chosen = on_device(host * 0), on_device(order)
        cl.index_copy(result, chosen, cl.take(on_device(host), chosen, 1), 1)
        self.same(result, host)

    def test_wrong_uses_are_refused(self):
        host = counted(4, 5)
        array, chosen, rows = on_device(host), on_device(np.int32([1, 2])), on_device(counted(2, 5))
        for call, error, words in (
                (lambda: cl.index_copy(array, on_device(np.int16([1, 2])), rows), ValueError,
                 "i16"),
                (lambda: cl.index_copy(array, [1, 2], rows), TypeError, "list is no tensor"),
                (lambda: cl.index_copy(array, chosen, 1), TypeError, "no tensor"),
                (lambda: cl.index_copy(array, chosen, rows, 1), ValueError, "broadcast"),
                (lambda: cl.index_copy(array, chosen, rows, -3), ValueError, "axis -3"),
                (lambda: cl.index_copy(array, chosen, rows, mode="fill"), ValueError,
                 "none of clip, drop"),
                (lambda: cl.index_copy(array, chosen, on_device(np.zeros((2, 5), np.int32))),
                 ValueError, "i32 and the destination f32"),
                (lambda: cl.index_copy(array, chosen, array[:2]), ValueError, "byte"),
                (lambda: cl.index_copy(array.cast("int32"), chosen, rows), NotImplementedError,
                 "")):
            with self.assertRaisesRegex(error, words):
                call()
        self.same(array, host)


class InBatches(ArrayCase):
    def test_a_batch_takes_and_copies_by_indices(self):
        table, cache, rows = counted(5, 6), counted(4, 3) * 0, counted(3, 2) + 50
        chosen, places = np.int32([4, -1, 9]), np.int64([1, 3])
        flag, out = on_device(np.uint32([0])), on_device(np.zeros((3, 6), np.float32))
        clipped, held = on_device(np.zeros((5, 3), np.float32)), on_device(cache)
        copied = on_device(table * 0)
        batch = cl.Batch([
            (out, on_device(table), {"take": on_device(chosen), "fill_value": 7, "flag": flag}),
            (clipped, on_device(table), {"take": on_device(chosen), "axis": -1, "mode": "clip"}),
            (held, on_device(rows).T, {"index_copy": on_device(places), "flag": flag}),
            (copied, on_device(table))])
        self.assertEqual((len(batch), batch.launches), (4, 4))
        cache[places] = rows.T
        for _ in range(2):
            event = batch.enqueue()
            for target in (out, clipped, held, flag):
                self.assertEqual(target.event, event)
            self.same(out, taken(table, chosen, 0, 7))
            self.same(clipped, np.take(table, chosen, 1, mode="clip"))
            self.same(held, cache)
            self.same(copied, table)
            self.same(flag, np.uint32([1]))
            for target in (out, clipped, held, flag, copied):
                cl.copyto(target, 0)

    def test_what_a_batch_refuses(self):
        table, out = on_device(counted(5, 6)), on_device(np.zeros((2, 6), np.float32))
        chosen = on_device(np.int32([4, 0]))
        for words, says in (({}, "either 'take' or 'index_copy'"), ({"axis": 1}, "either 'take' o"),
                            ({"take": chosen, "index_copy": chosen}, "either 'take' or 'index_c"),
                            ({"take": chosen, "axis": 2}, "axis 2 is out"),
                            ({"take": chosen, "mode": "wrap"}, "mode 'wrap' is none of"),
                            ({"take": chosen, "mode": "drop"}, "mode 'drop' is none of"),
                            ({"take": chosen, "dim": 0}, "keyword argument 'dim'"),
                            ({"take": [4, 0]}, "no tensor"), ({"take": chosen, "axis": 1}, "out is"),
                            ({"index_copy": chosen}, "broadcast")):
            with self.assertRaisesRegex((ValueError, TypeError, IndexError), says):
                cl.Batch([(out, table, words)])

    def test_indices_that_a_copy_before_writes(self):
        table, out = on_device(counted(5, 6)), on_device(np.zeros((2, 6), np.float32))
        chosen = on_device(np.int32([4, 0]))
        cl.Batch([(chosen, on_device(np.int32([1, 2]))),
                  (out, table, {"take": chosen})]).enqueue().wait()
        self.same(out, counted(5, 6)[[1, 2]])


if __name__ == "__main__":
    unittest.main()
