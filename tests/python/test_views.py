"""Views of the package's own arrays, and how long things live, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import contextlib
import copy
import gc
import io
import pickle
import random
import unittest
from unittest import mock

import numpy as np

import clreshape as cl
from clreshape import _context, _dlpack, _opencl, _tensor
from hosts import counted
from own import QUEUE, ArrayCase, on_device


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
        self.assertEqual(repr(view), "clreshape.Array(shape=(4, 2, 2), dtype='float32', "
                                     "strides=(4, 16, 48))")
        self.assertEqual(repr(view.astype("int8")), "clreshape.Array(shape=(4, 2, 2), "
                                                    "dtype='int8', computed when moved)")
        self.assertEqual(len(view), 4)

    def test_views_move_nothing_and_share_the_buffer(self):
        for view in (self.array.reshape(6, 4), self.array.T, self.array[..., None, ::-1],
                     self.array.rearrange("a b c -> b (a c)")):
            self.assertEqual(view.buffer, self.array.buffer)
            self.assertEqual(view.events, self.array.events)

    def test_views_with_numpys_names(self):
        host = counted(1, 2, 1, 6)
        array = on_device(host)
        for name, arguments in (("squeeze", ()), ("squeeze", (0,)), ("squeeze", ((2, -4),)),
                                ("expand_dims", (0,)), ("expand_dims", ((0, -1),)),
                                ("flip", ()), ("flip", (1,)), ("flip", ((1, -1),)),
                                ("moveaxis", (0, -1)), ("moveaxis", ((3, 1), (0, 1))),
                                ("swapaxes", (1, -1)), ("broadcast_to", ((4, 2, 3, 6),)),
                                ("broadcast_to", ((5, 1, 2, 1, 6),)), ("transpose", ())):
            with self.subTest(name=name, arguments=arguments):
                view = getattr(cl, name)(array, *arguments)
                self.same(view, getattr(np, name)(host, *arguments))
                self.assertEqual(view.buffer, array.buffer)
        for sections, axis in ((2, 1), (3, -1), ([1, 4], 3), ([2, 2, -1], 3), ((), 0), ([9], 3)):
            with self.subTest(sections=sections):
                parts, expected = cl.split(array, sections, axis), np.split(host, sections, axis)
                self.assertEqual([part.shape for part in parts], [one.shape for one in expected])
                for part, one in zip(parts, expected):
                    if one.size:
                        self.same(part, one)
        self.same(on_device(counted(4)).transpose(0), counted(4))
        self.same(array.squeeze().swapaxes(0, 1).ravel(), host.squeeze().T.ravel())
        self.assertEqual(array.ravel().buffer, array.buffer)
        self.assertNotEqual(array.flatten().buffer, array.buffer)
        self.same(array.flatten(), host.flatten())

    def test_wrong_axes_and_parts_are_refused(self):
        for call, words in ((lambda x: cl.squeeze(x, 3), "axis 3 is out of range"),
                            (lambda x: cl.squeeze(x, 1), "3"),
                            (lambda x: cl.flip(x, (0, -3)), "names a dim twice"),
                            (lambda x: cl.moveaxis(x, (0, 1), 2), "2 axes .* 1 places"),
                            (lambda x: cl.split(x, 2, 1), "3 indices make no 2 parts"),
                            (lambda x: cl.split(x, 0), "make no 0 parts"),
                            (lambda x: cl.broadcast_to(x, 4), "does not broadcast to"),
                            (lambda x: cl.broadcast_to(x, (2, 2, 4)), "")):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                call(self.array)

    def test_truth_and_equality_say_what_to_do(self):
        self.assertTrue(on_device(counted(1, 1) + 1))
        self.assertFalse(on_device(np.zeros((), np.int32)))
        with self.assertRaisesRegex(ValueError, "24 elements .*any"):
            bool(self.array)
        for compare in (lambda: self.array == self.array, lambda: self.array != 0):
            with self.assertRaisesRegex(TypeError, r"a\.get\(\)"):
                compare()
        self.assertEqual(len({self.array, self.array[:]}), 2)

    def test_indices_are_numpys(self):
        for index in (0, -1, (1, 2), (1, 2, 3), slice(None, None, -1), (..., 1), (None, 0),
                      (0, None, slice(1, None)), (slice(2, 0, -1), ..., None), (slice(0, 0),),
                      (..., slice(-3, None, 2)), (slice(None), 1, None, slice(None, None, -2)), ()):
            with self.subTest(index=index):
                self.same(self.array[index], self.host[index])

    def test_wrong_indices_are_refused(self):
        for index, words in ((2, "range for dim 0 of 2"), ((0, 0, 0, 0), "the array has 3"),
                             ("a", "no index"), ((..., 0, ...), "the array has 3"),
                             (1.5, "no index"), (-3, "range for dim 0 of 2"),
                             ((0, 1, 4), "range for dim 2 of 4")):
            for error in (ValueError, IndexError):  # as NumPy's, whose axes are both
                with self.subTest(index=index), self.assertRaisesRegex(error, words):
                    self.array[index]
            with self.assertRaises(IndexError):
                self.host[index]

    def test_random_slices_are_numpys(self):
        draw = random.Random("clreshape slices")
        ends = [None, *range(-9, 10), -2**63, 2**63 - 1, 2**63, -2**70, 2**70]
        for _ in range(300):
            host = counted(draw.choice([0, 1, 2, 7]), draw.choice([1, 3, 7]))
            array = on_device(host) if host.size else cl.empty(host.shape, "f32", QUEUE)
            index = tuple(draw.choice([slice(draw.choice(ends), draw.choice(ends),
                                             draw.choice([None, *(e for e in ends[1:] if e)])),
                                       None, ...][:3 if at == 0 else 2]) for at in range(2))
            with self.subTest(shape=host.shape, index=index):
                expected = host[index]
                self.assertEqual(array[index].shape, expected.shape)
                if expected.size:
                    self.same(array[index], expected)

    def test_writes_by_slices_are_numpys(self):
        for index in (slice(-9, None, -1), slice(-8, None, -2), slice(2**70, None, -3),
                      slice(-2**70, 2**70, 2**70), slice(None, -2**70, -1)):
            host = counted(7, 2)
            array = on_device(host)
            array[index] = 99
            host[index] = 99
            self.same(array, host)

    def test_a_bool_is_no_index(self):
        array = on_device(counted(2, 3))
        for index in (True, False, np.bool_(True), (0, False), (slice(None), True)):
            with self.assertRaisesRegex(IndexError, "no index"):
                array[index]
            with self.assertRaisesRegex(IndexError, "no index"):
                array[index] = 1
        self.same(array, counted(2, 3))
        for index in (slice("a", None), slice(1.5), slice(0, 2, "b")):
            with self.assertRaisesRegex(IndexError, "no bound of a slice"):
                array[index]
        for indices in (True, [True, False], np.array([True, False]), [0.5]):
            with self.assertRaisesRegex(IndexError, "no index"):
                cl.take(array, indices)

    def test_arrays_are_iterable(self):
        for row, expected in zip(self.array, self.host):
            self.same(row, expected)
        self.assertEqual(len(list(self.array[:, 0])), 2)
        self.assertEqual(list(self.array[:0]), [])
        with self.assertRaises(TypeError):
            iter(self.array[0, 0, 0])
        for element in (5, 5.5, 99):
            self.assertEqual(element in self.array, element in self.host)

    def test_numpy_makes_arrays_of_them(self):
        for view, expected in ((self.array.T, self.host.T), (self.array[0, 0, 0], self.host[0, 0, 0])):
            made = np.asarray(view)
            self.assertEqual(made.dtype, np.float32)
            np.testing.assert_array_equal(made, expected)
        np.testing.assert_array_equal(np.array(self.array, np.int16), self.host.astype(np.int16))
        with self.assertRaisesRegex(ValueError, "copy"):
            self.array.__array__(copy=False)
        packed = self.array.astype("uint4")
        for use in (np.asarray, cl.Array.get, lambda x: 3 in x):
            with self.assertRaisesRegex(TypeError, r"no type for uint4 .*cast\(\) .*tobytes\(\)"):
                use(packed)

    def test_the_order_of_iteration_and_what_ends_it(self):
        for array, host in ((self.array.T, self.host.T), (self.array[:, :0], self.host[:, :0])):
            self.assertEqual([row.shape for row in array], [row.shape for row in host])
            for row, expected in zip(reversed(array), reversed(host)):
                if expected.size:
                    self.same(row, expected)
        for wrong in (2, -3):
            for array in (self.array, self.host):
                with self.assertRaises(IndexError):
                    array[wrong]
        first, *_ = self.array
        self.same(first, self.host[0])

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


class Copies(ArrayCase):
    def test_copies_have_memory_of_their_own(self):
        host = counted(4, 5)
        array = on_device(host)
        for copied in (copy.copy(array.T), copy.deepcopy(array.T), copy.deepcopy([array.T])[0]):
            self.assertNotEqual(copied.buffer, array.buffer)
            self.same(copied, host.T)

    def test_what_has_handles_is_neither_pickled_nor_copied(self):
        array = on_device(counted(4))
        event = cl.copyto(array, 1)
        batch = cl.Batch([(cl.empty(4, "f32", QUEUE), array)])
        for thing in (array, event, QUEUE, batch, array._tensor, array._tensor.context):
            for use in (pickle.dumps, copy.copy, copy.deepcopy):
                if thing is array and use is not pickle.dumps:
                    continue
                with self.assertRaisesRegex(TypeError, "cannot be pickled or copied"):
                    use(thing)

    def test_what_was_never_made_ends_without_a_word(self):
        said, heard = io.StringIO(), []
        with contextlib.redirect_stderr(said), mock.patch("sys.unraisablehook", heard.append):
            for kind in (cl.Array, cl.Batch, cl.Event, cl.Queue, _tensor.Tensor, _context.Context,
                         _dlpack.Owner):
                kind.__new__(kind)
            gc.collect()
        self.assertEqual((said.getvalue(), heard), ("", []))


class Lifetimes(ArrayCase):
    def test_views_hold_the_buffer_and_let_it_go(self):
        array = on_device(counted(4, 5))
        handle = array.buffer
        view = array[1:].T
        # A single storage, any number of views.
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
