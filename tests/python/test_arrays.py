"""The package's own arrays on the device, against NumPy. Needs no package but NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import pathlib
import random
import sys
import unittest

import numpy as np

import clreshape as cl
from clreshape import _opencl

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "conformance" / "chains"))
from device import Device

DEVICE = Device()
QUEUE = cl.Queue(DEVICE.queue.value)


def counted(*shape, dtype=np.float32):
    return np.arange(int(np.prod(shape, dtype=np.int64)), dtype=dtype).reshape(shape)


def on_device(host):
    return cl.to_device(host, QUEUE)


class ArrayCase(unittest.TestCase):
    def same(self, array, expected):
        expected = np.asarray(expected)
        got = array.get()
        self.assertEqual((array.shape, got.dtype), (expected.shape, expected.dtype))
        np.testing.assert_array_equal(got, expected)


class Views(ArrayCase):
    def setUp(self):
        self.host = counted(2, 3, 4)
        self.array = on_device(self.host)

    def test_what_an_array_says_of_itself(self):
        view = self.array[:, 1:].transpose()
        expected = self.host[:, 1:].T
        self.assertEqual((view.shape, view.strides, view.ndim, view.size, view.nbytes),
                         (expected.shape, expected.strides, 3, 16, 64))
        self.assertEqual((view.offset, view.buffer, view.queue), (16, self.array.buffer, QUEUE))
        self.assertEqual((view.is_contiguous, self.array.is_contiguous), (False, True))
        self.assertEqual(repr(view), "clreshape.Array(shape=(4, 2, 2), dtype='float32')")
        self.assertEqual(len(view), 4)

    def test_views_move_nothing_and_share_the_buffer(self):
        for view in (self.array.reshape(6, 4), self.array.T, self.array[..., None, ::-1],
                     self.array.rearrange("a b c -> b (a c)")):
            self.assertEqual(view.buffer, self.array.buffer)
            self.assertEqual(view.events, self.array.events)

    def test_indices_are_numpys(self):
        for index in (0, -1, (1, 2), (1, 2, 3), slice(None, None, -1), (..., 1), (None, 0),
                      (0, None, slice(1, None)), (slice(2, 0, -1), ..., None), (slice(0, 0),),
                      (..., slice(-3, None, 2)), (slice(None), 1, None, slice(None, None, -2)), ()):
            with self.subTest(index=index):
                self.same(self.array[index], self.host[index])

    def test_wrong_indices_are_refused(self):
        for index, words in ((2, "range for dim 0 of 2"), ((0, 0, 0, 0), "the array has 3"),
                             ("a", "no index"), ((..., 0, ...), "the array has 3"),
                             (1.5, "no index")):
            with self.subTest(index=index), self.assertRaisesRegex(ValueError, words):
                self.array[index]

    def test_chains_of_views_are_one_pass(self):
        view = self.array.reshape(4, 6).T.reshape(3, 8)[::-1, 1::2]
        expected = self.host.reshape(4, 6).T.reshape(3, 8)[::-1, 1::2]
        self.same(view, expected)
        self.same(cl.chain(self.array, "permute=2,0,1 reshape=8,3 flip=1"),
                  self.host.transpose(2, 0, 1).reshape(8, 3)[:, ::-1])

    def test_a_reshape_infers_as_numpy_does(self):
        self.same(self.array.reshape(-1), self.host.ravel())
        self.same(cl.reshape(self.array, (2, -1)), self.host.reshape(2, -1))
        self.same(cl.reshape(on_device(counted(0, 3)), (0, 5)), np.zeros((0, 5), np.float32))
        self.same(cl.reshape(on_device(counted(1)), ()), np.float32(0))

    def test_einops_patterns(self):
        self.same(cl.rearrange(self.array, "a b (c d) -> (d a) b c", d=2),
                  self.host.reshape(2, 3, 2, 2).transpose(3, 0, 1, 2).reshape(4, 3, 2))
        self.same(cl.repeat(self.array, "a b c -> a b (c n)", n=2), self.host.repeat(2, -1))
        self.same(cl.repeat(self.array, "a b c -> a b c copy", copy=2),
                  np.stack([self.host] * 2, -1))
        self.same(cl.rearrange([self.array, self.array], "n a b c -> a b (n c)"),
                  np.concatenate([self.host] * 2, -1))

    def test_a_view_of_strides_that_no_layout_has_is_moved_when_asked(self):
        stacked = self.array.T.reshape(6, 4)
        self.assertIsNone(stacked.strides)
        self.same(stacked.contiguous(), self.host.T.reshape(6, 4))
        with self.assertRaisesRegex(cl.WouldCopyError, "cut across the strides"):
            cl.reshape(self.array.T, (6, 4), copy=False)


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
                             ([(targets[0], counted)], "no tensor"),
                             ([(targets[0], sources[0])] * 2, "byte")):
            with self.assertRaisesRegex((ValueError, TypeError), words):
                cl.Batch(pairs)

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

    def test_wrong_destinations_are_refused(self):
        array = on_device(counted(4, 6))
        for call, words in ((lambda: cl.copyto(array, array[::-1]), "byte"),
                            (lambda: cl.copyto(array, array[:3]), "broadcast"),
                            (lambda: cl.copyto(cl.repeat(array, "a b -> a b 2"), 1),
                             "at one position")):
            with self.assertRaisesRegex(ValueError, words):
                call()


class Elements(ArrayCase):
    def test_casts_are_lazy_and_numpys(self):
        host = np.array([[1.5, -2.5, 300], [0, 1e10, -1]], np.float64)
        array = on_device(host)
        mapped = cl.cast(array, "float32")
        self.assertTrue(mapped.is_mapped)
        self.assertIsNone(mapped.buffer)
        self.same(mapped, host.astype(np.float32))
        self.same(mapped.T[::-1], host.astype(np.float32).T[::-1])
        self.same(cl.cast(array, "uint8", rounding="even", overflow="saturate"),
                  np.array([[2, 0, 255], [0, 255, 0]], np.uint8))
        self.same(cl.cast(on_device(counted(3, dtype=np.int32) + 255), "uint8"),
                  np.array([255, 0, 1], np.uint8))

    def test_normalize(self):
        host = counted(4, 5, 3, dtype=np.uint8)
        mean, std = np.float32([1, 2, 3.5]), np.float32([3, 5, 7])
        expected = (host.astype(np.float32) - mean) / std
        array = on_device(host)
        self.same(cl.normalize(array, mean, std), expected)
        self.same(cl.normalize(array, on_device(mean), list(std)), expected)
        self.same(cl.normalize(array.transpose(2, 0, 1), mean, std, axis=0, dtype="float16"),
                  expected.transpose(2, 0, 1).astype(np.float16))
        self.same(cl.normalize(array, 1, 2), (host.astype(np.float32) - 1) / 2)

    def test_lists_longer_than_a_map_become_tensors(self):
        host = counted(2, 100)
        mean, std = counted(100) / 3, counted(100) + 1
        self.same(cl.normalize(on_device(host), list(mean), list(std)), (host - mean) / std)

    def test_quantize_and_back(self):
        host = counted(2, 3)
        coded = cl.quantize(on_device(host), 0.5, 3, dtype="int8")
        self.same(coded, (host * 2 + 3).astype(np.int8))
        self.same(cl.dequantize(coded.contiguous(), 0.5, 3), host)
        self.same(cl.quantize(on_device(host), [0.5, 1, 2], axis=1),
                  np.rint(host / np.float32([0.5, 1, 2])).astype(np.uint8))

    def test_packed_types(self):
        array = cl.cast(on_device(counted(3, 4, dtype=np.int8) - 6), "int4").contiguous()
        self.assertEqual((array.dtype, array.nbytes, array.dtype.bits), ("int4", 6, 4))
        self.same(array.cast("int8"), (counted(3, 4, dtype=np.int8) + 2) % 16 - 8)
        with self.assertRaisesRegex(TypeError, "4 bits"):
            array.get()
        self.assertIsNone(array.strides)
        self.assertEqual(array.tobytes()[1:], array[0, 2:].tobytes() + array[1:].tobytes())
        codes = np.frombuffer(array.reshape(-1)[1:].tobytes(), np.uint8)
        nibbles = np.stack([codes & 15, codes >> 4], -1).ravel()[:11]
        np.testing.assert_array_equal(nibbles, (np.arange(1, 12) - 6) % 16)

    def test_what_element_types_say_of_themselves(self):
        self.assertEqual(repr(cl.dtype("f16")), "clreshape.dtype('float16')")
        self.assertEqual(np.dtype(cl.dtype("bits16")), np.dtype("V2"))
        self.assertEqual(np.empty(3, cl.dtype("f16")).dtype, np.float16)
        for use in (lambda: cl.dtype("int4").itemsize, lambda: cl.dtype("nf4").dtype,
                    lambda: on_device(np.zeros(2, "V3"))):
            with self.assertRaises(cl.KindError):
                use()

    def test_codes_of_a_type_that_numpy_lacks(self):
        array = cl.to_device(np.uint16([0x3F80, 0x4000]), QUEUE, "bfloat16")
        self.same(array.cast("float32"), np.float32([1, 2]))
        with self.assertRaisesRegex(ValueError, "not 16 bits, as bfloat16"):
            cl.to_device(np.float32([1]), QUEUE, "bfloat16")

    def test_what_rounds_twice_is_refused(self):
        with self.assertRaises(NotImplementedError):
            on_device(counted(3)).cast("float16").cast("float32")

    def test_wrong_maps_are_refused(self):
        array = on_device(counted(2, 3))
        for call, words in ((lambda: cl.cast(array, "u8", rounding="odd"), "'odd' is none of"),
                            (lambda: cl.normalize(array, [1, 2], 1), "2"),
                            (lambda: cl.normalize(array, 0, 0), "0"),
                            (lambda: cl.normalize(array, [], 1), "number")):
            with self.assertRaisesRegex(ValueError, words):
                call()


class Lifetimes(ArrayCase):
    def test_views_hold_the_buffer_and_let_it_go(self):
        array = on_device(counted(4, 5))
        handle = array.buffer
        view = array[1:].T
        # One storage, any number of views.
        self.assertEqual(_opencl.references_of_buffer(handle), 1)
        del array
        self.same(view, counted(4, 5)[1:].T)
        keeper = cl.asarray(view)
        self.assertIs(keeper, view)

    def test_contexts_are_made_once_and_can_be_forgotten(self):
        array = on_device(counted(3))
        same = cl.empty(3, "f32", QUEUE)
        self.assertIs(array._tensor.context, same._tensor.context)
        cl.release_contexts()
        self.assertIs(cl.empty(3, "f32", QUEUE)._tensor.context, same._tensor.context)
        del array, same
        cl.release_contexts()
        gc.collect()
        self.assertEqual(len(cl._context._alive), 0)

    def test_events_of_the_caller_are_waited_for(self):
        array = on_device(counted(4))
        event = cl.copyto(array, 3)
        copy = cl.contiguous(array, copy=True, wait_for=[event, event.int_ptr])
        self.same(copy, np.full(4, 3, np.float32))
        view = cl.reshape(array, (2, 2), wait_for=[copy.event])
        self.assertIn(copy.event, view.events)
        event.wait()
        self.assertTrue(event.is_complete)
        for _ in range(100):
            cl.copyto(array, 1)
        self.assertLessEqual(len(array.events), 101)

    def test_wrong_handles_are_refused(self):
        array = on_device(counted(4))
        for call, words in ((lambda: cl.contiguous(array, copy=True, wait_for=["x"]), "wait_for"),
                            (lambda: cl.contiguous(array, queue="x", copy=True), "queue"),
                            (lambda: cl.contiguous(array, copy=3), "copy is None")):
            with self.assertRaisesRegex(ValueError, words):
                call()
        with self.assertRaisesRegex(TypeError, "no length"):
            len(array[0])
        with self.assertRaisesRegex(ValueError, "at most 32 dims"):
            cl.empty([1] * 40, "f32", QUEUE)
        for thing in (None, 3, [1], np.zeros(3)):
            with self.assertRaisesRegex(TypeError, "no tensor in an OpenCL buffer"):
                cl.reshape(thing, 3)

    def test_errors_have_the_librarys_sentence(self):
        array = on_device(counted(4, 6))
        for call, words in (
                (lambda: array.reshape(5, -1), "does not divide 24 elements"),
                (lambda: array.transpose(0, 2), "permute=0,2"),
                (lambda: array.rearrange("a b -> b c"), "rearrange"),
                (lambda: array.rearrange("a b; flip=0 -> b a"), "character that no pattern has"),
                (lambda: cl.chain(array, "permutate=1,0"), "permutate"),
                (lambda: cl.chain(array, "flip=0\0"), "zero byte"),
                (lambda: array.reshape([1] * 40), "more than 32 values")):
            with self.assertRaisesRegex(cl.ClreshapeError, words) as caught:
                call()
            self.assertIsInstance(caught.exception, ValueError)


if __name__ == "__main__":
    unittest.main()
