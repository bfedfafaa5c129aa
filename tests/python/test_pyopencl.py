"""Operations that pyopencl refuses for non-contiguous arrays work through clreshape.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import operator
import pathlib
import re
import unittest

import ml_dtypes
import numpy as np
import pyopencl
import pyopencl.array as arrays
import pyopencl.tools
from pyopencl import clmath

import clreshape as cl
from hosts import counted
from peers import QUEUE, host_of, on_device, same

HOST = counted(2, 3, 4, 5) + 1
# Views that pyopencl itself makes of an array, and NumPy's of the same name.
VIEWS = {"transposed": lambda a: a.transpose((0, 2, 1, 3)), "strided": lambda a: a[:, ::2],
         "reversed": lambda a: a[::-1], "inner": lambda a: a[:, 1:, 1:3, 2:]}

# Functions that pyopencl computes for dense arrays only: (pyopencl's function, NumPy's).
ELEMENTWISE = {
    "t + 1": lambda t: t + 1, "t + t": lambda t: t + t, "t - 2": lambda t: t - 2,
    "t * t": lambda t: t * t, "2 / t": lambda t: 2 / t, "-t": operator.neg, "abs(t)": abs,
    "t ** 2": lambda t: t ** 2, "t < 3": lambda t: t < 3, "t == t": lambda t: t == t}
FUNCTIONS = {
    "sum": (arrays.sum, np.sum), "max": (arrays.max, np.max), "min": (arrays.min, np.min),
    "minimum": (lambda t: arrays.minimum(t, t), lambda t: np.minimum(t, t)),
    "if_positive": (lambda t: arrays.if_positive(t, t, t), lambda t: t),
    "sqrt": (clmath.sqrt, np.sqrt), "real": (lambda t: t.real, lambda t: t.real),
    "conj": (lambda t: t.conj(), np.conj), "view": (lambda t: t.view(np.int32),
                                                     lambda t: t.copy().view(np.int32)),
    "ravel": (lambda t: t.ravel(), np.ravel), "squeeze": (lambda t: t.squeeze(), np.squeeze),
    "cumsum": (lambda t: arrays.cumsum(t.ravel()), lambda t: np.cumsum(t, dtype=np.float32))}


class Refused(unittest.TestCase):
    """For each view: pyopencl refuses, and clreshape computes the result."""

    def each(self):
        for view in VIEWS.values():
            yield view(on_device(HOST)), view(HOST)

    def test_get(self):
        for device, host in self.each():
            with self.assertRaises(AssertionError):
                device.get()
            np.testing.assert_array_equal(cl.contiguous(device).get(), host)
            np.testing.assert_array_equal(cl.asarray(device).get(), host)

    def test_copy(self):
        for device, host in self.each():
            with self.assertRaises(RuntimeError):
                device.copy()
            copied = cl.contiguous(device)
            same(copied, host)
            self.assertTrue(copied.flags.c_contiguous)

    def test_reshape(self):
        for device, host in self.each():
            with self.assertRaises(ValueError):
                device.reshape(-1)
            same(cl.reshape(device, -1), host.reshape(-1))
            same(cl.reshape(device, (host.shape[0], -1)), host.reshape(host.shape[0], -1))

    def test_astype(self):
        for device, host in self.each():
            with self.assertRaises((RuntimeError, ValueError)):
                device.astype(np.float16)
            for dtype in (np.float16, np.uint8, np.int64, ml_dtypes.bfloat16, np.float64):
                same(cl.cast(device, dtype), host.astype(dtype))

    def test_stack_and_concatenate(self):
        for device, host in self.each():
            for axis in range(-host.ndim, host.ndim):
                same(cl.concatenate([device, device], axis), np.concatenate([host, host], axis))
            for axis in range(-host.ndim - 1, host.ndim + 1):
                same(cl.stack([device, device], axis), np.stack([host, host], axis))
            with self.assertRaises(NotImplementedError):
                arrays.stack([device, device], axis=1)
            with self.assertRaises(NotImplementedError):
                arrays.concatenate([device, device], axis=1)

    def test_setitem(self):
        for view in VIEWS.values():
            device, host = on_device(HOST), HOST.copy()
            with self.assertRaises(NotImplementedError):
                view(device)[:] = 7
            cl.copyto(view(device), 7)
            view(host)[...] = 7
            same(device, host)
            value = counted(*view(host).shape)
            cl.copyto(view(device), on_device(value))
            view(host)[...] = value
            same(device, host)
            cl.copyto(view(device), view(on_device(HOST.astype(np.int16))))
            view(host)[...] = view(HOST)
            same(device, host)

    def test_fancy_indices(self):
        for device, host in self.each():
            with self.assertRaises((IndexError, RuntimeError)):
                device[[1, 0]]
            same(cl.take(device, [1, 0, 1, -1]), host.take([1, 0, 1, -1], 0))
            same(cl.take(device, np.array([1, 0]), axis=2), host.take([1, 0], 2))
            same(cl.take(device, [], axis=1), host.take(np.array([], int), 1))

    def test_elementwise(self):
        for name, call in ELEMENTWISE.items():
            for device, host in self.each():
                with self.assertRaises((NotImplementedError, RuntimeError), msg=name):
                    call(device)
                done = call(cl.contiguous(device)).get()
                np.testing.assert_allclose(done, call(host), rtol=1e-6)

    def test_functions(self):
        for name, (call, expected) in FUNCTIONS.items():
            for device, host in self.each():
                with self.subTest(function=name):
                    done = call(cl.contiguous(device)).get()
                    np.testing.assert_allclose(done, expected(host), rtol=1e-5)

    def test_in_place(self):
        for view in VIEWS.values():
            device, host = on_device(HOST), HOST.copy()
            part = view(device)
            cl.copyto(part, cl.contiguous(part) + 1)
            view(host)[...] += 1
            same(device, host)


class Kinds(unittest.TestCase):
    def test_views_share_the_array(self):
        device = on_device(HOST)
        view = cl.transpose(device, (3, 1, 0, 2))
        self.assertIs(view.base_data, device.base_data)
        self.assertIs(view.events, device.events)
        self.assertIs(view.queue, QUEUE)
        same(view, HOST.transpose(3, 1, 0, 2))
        same(cl.rearrange(view, "a b c d -> c b d a"), HOST)

    def test_a_result_has_its_event(self):
        device = on_device(HOST)
        before = pyopencl.UserEvent(QUEUE.context)
        moved = cl.contiguous(device.T, wait_for=[before])
        self.assertEqual(len(moved.events), 1)
        self.assertNotEqual(moved.events[0].command_execution_status, 0)
        before.set_status(pyopencl.command_execution_status.COMPLETE)
        moved.events[0].wait()
        same(moved, HOST.T)

    def test_indices_and_a_flag_are_waited_for(self):
        device, host = on_device(HOST), HOST.copy()
        for held in (0, 1):
            indices, flag = on_device(np.int64([-1, 0, 7])), on_device(np.uint32([0]))
            before = pyopencl.UserEvent(QUEUE.context)
            (indices, flag)[held].add_event(before)
            moved = cl.take(device, indices, 2, flag=flag)
            event = cl.index_copy(device, cl.asarray(indices), moved, 2, flag=flag)
            self.assertNotEqual(moved.events[-1].command_execution_status, 0)
            self.assertEqual(device.events[-1].int_ptr, event.int_ptr)
            before.set_status(pyopencl.command_execution_status.COMPLETE)
            expected = np.concatenate([host[:, :, [-1, 0]], host[:, :, :1] * 0], 2)
            same(moved, expected)
            same(device, host)
            same(flag, np.uint32([1]))
        with self.assertRaisesRegex(ValueError, "on the device"):
            cl.take(device, [0], flag=flag)

    def test_copy_says_whether_a_view_will_do(self):
        device = on_device(HOST)
        self.assertIs(cl.transpose(device, copy=None).base_data, device.base_data)
        self.assertIs(cl.transpose(device, copy=False).base_data, device.base_data)
        self.assertIsNot(cl.transpose(device, copy=True).base_data, device.base_data)
        with self.assertRaisesRegex(ValueError, "do not lie at one stride"):
            cl.reshape(device.T, -1, copy=False)
        with self.assertRaises(cl.WouldCopyError):
            cl.cast(device, "float16", copy=False)

    def test_another_queue(self):
        out_of_order = pyopencl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        other = pyopencl.CommandQueue(QUEUE.context, properties=out_of_order)
        device = on_device(HOST)
        for queue in (other, other.int_ptr):
            moved = cl.contiguous(device.T, queue=queue)
            self.assertEqual(moved.queue.int_ptr, other.int_ptr)
            same(moved, HOST.T)

    def test_arrays_without_a_queue(self):
        device = on_device(HOST).with_queue(None)
        same(cl.transpose(device).with_queue(QUEUE), HOST.T)
        with self.assertRaisesRegex(ValueError, "give queue="):
            cl.contiguous(device.T)
        same(cl.contiguous(device.T, queue=QUEUE), HOST.T)

    def test_allocators_are_used(self):
        pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(QUEUE))
        device = arrays.to_device(QUEUE, HOST, allocator=pool)
        moved = cl.contiguous(device.T)
        self.assertEqual(type(moved.base_data), type(device.base_data))
        self.assertIs(moved.allocator, pool)
        np.testing.assert_array_equal(moved.get(), HOST.T)

    def test_sub_buffers(self):
        whole = on_device(counted(64))
        part = arrays.Array(QUEUE, (4, 3), np.float32,
                            data=whole.base_data.get_sub_region(128, 128), offset=4)
        expected = counted(64)[33:45].reshape(4, 3)
        np.testing.assert_array_equal(cl.contiguous(part.T).get(), expected.T)
        same(cl.transpose(part), expected.T)

    def test_any_elements(self):
        pair = np.dtype([("x", np.float32), ("y", np.int32)])
        for dtype in (np.uint8, np.bool_, np.complex64, np.complex128, np.float64, pair,
                      ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.int4, ">f4"):
            host = (counted(3, 4).astype(dtype) if dtype is not pair
                    else counted(24, dtype=np.int32).view(pair).reshape(3, 4))
            same(cl.contiguous(on_device(host).T), host.T)
            same(cl.transpose(on_device(host)), host.T)

    def test_a_map_of_swapped_bytes_says_so(self):
        """Such elements move as bits, without a value."""
        swapped, numbers = on_device(HOST.astype(">f4")), on_device(HOST)
        row = on_device(HOST[0, 0, 0].astype(">f4"))
        for call in (lambda: cl.cast(swapped, "float16"), lambda: cl.normalize(swapped, 1, 2),
                     lambda: cl.quantize(swapped, 0.5), lambda: cl.dequantize(swapped, 0.5),
                     lambda: cl.chain(swapped, "cast=f16"), lambda: cl.chain(swapped, "flip=0 scale=2"),
                     lambda: cl.asarray(swapped).T.cast("float16"),
                     lambda: cl.normalize(numbers, row, 1), lambda: cl.quantize(numbers, row),
                     lambda: cl.copyto(swapped, numbers), lambda: cl.copyto(numbers, swapped),
                     lambda: cl.copyto(swapped, 7), lambda: cl.Batch([(swapped, numbers)]),
                     lambda: cl.copyto(on_device(HOST.astype(">i4")), swapped),
                     lambda: cl.concatenate([swapped, on_device(HOST.astype(">i4"))]),
                     lambda: cl.stack([swapped, on_device(HOST.astype(">i4"))]),
                     lambda: cl.stack([swapped], shape=HOST.shape, border=on_device(HOST.astype(">i4"))),
                     lambda: cl.take(swapped, on_device(np.int32([0])), out=on_device(HOST[:1].astype(">i4"))),
                     lambda: cl.index_copy(on_device(HOST.astype(">i4")), on_device(np.int32([0])),
                                           swapped[:1])):
            with self.assertRaisesRegex(TypeError, "elements of >f4 have another byte order than the "
                                                   "host's: .*'<f4'"):
                call()
        same(cl.chain(swapped, "bitcast=u32"), HOST.astype(">f4").view(np.uint32))
        cl.copyto(swapped, on_device((-HOST).astype(">f4")))
        same(swapped, (-HOST).astype(">f4"))
        for fits in ("mean=x", "reshape=7"):
            with self.assertRaisesRegex(ValueError, "operation 1"):
                cl.chain(swapped, fits)

    def test_arrays_without_elements(self):
        empty = arrays.Array(QUEUE, (0, 3), np.float32)
        same(cl.reshape(empty, (5, 0)), np.empty((5, 0), np.float32))
        same(cl.contiguous(empty.T, copy=True), np.empty((3, 0), np.float32))

    def test_svm_is_refused(self):
        array = on_device(HOST)
        array.base_data = object()
        with self.assertRaisesRegex(TypeError, "takes buffers"):
            cl.transpose(array)

    def test_to_and_from_arrays_of_the_package(self):
        device = on_device(HOST)
        mapped = cl.asarray(device).cast("float16").transpose(1, 0, 3, 2)
        same(mapped.to("pyopencl"), HOST.astype(np.float16).transpose(1, 0, 3, 2))
        same(cl.asarray(device)[:, 1].to("pyopencl"), HOST[:, 1])
        np.testing.assert_array_equal(mapped.to("numpy"),
                                      HOST.astype(np.float16).transpose(1, 0, 3, 2))
        with self.assertRaisesRegex(ValueError, "no kind 'torch'"):
            mapped.to("torch")

    def test_a_result_as_a_pyopencl_array_outlives_it(self):
        result = cl.asarray(on_device(HOST)).T.contiguous()
        view = result.to("pyopencl", copy=False)
        self.assertEqual(view.base_data.int_ptr, result.buffer)
        moved = result.to("pyopencl")
        del view, result
        others = [cl.asarray(on_device(HOST + 1)).T.contiguous() for _ in range(4)]
        same(moved, HOST.T)
        del others

    def test_a_results_memory_waits_for_commands_that_it_is_told(self):
        other = pyopencl.CommandQueue(QUEUE.context)
        device, read = cl.asarray(on_device(HOST)), np.empty(HOST.shape[::-1], np.float32)
        for is_told in (True, False):
            result, gate = device.T.contiguous(), pyopencl.UserEvent(QUEUE.context)
            buffer = pyopencl.Buffer.from_int_ptr(result.buffer)
            event = pyopencl.enqueue_copy(other, read, buffer, wait_for=[gate, *(
                pyopencl.Event.from_int_ptr(one.int_ptr) for one in result.events)], is_blocking=False)
            if is_told:
                result.add_event(event)
            del result
            again = device.T.contiguous()
            self.assertEqual(again.buffer == buffer.int_ptr, not is_told)
            gate.set_status(pyopencl.command_execution_status.COMPLETE)
            event.wait()
            np.testing.assert_array_equal(read, HOST.T)
            del again


class Readme(unittest.TestCase):
    def test_the_examples_do_what_they_say(self):
        root = pathlib.Path(__file__).parents[2]
        x, frames = counted(8, 16, 768), counted(2, 6, 8, 3, dtype=np.uint8)
        for path, at, result in ((root / "README.md", 0, "heads"),
                                 (root / "src" / "python" / "README.md", 1, "y")):
            examples = re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.S)
            names = {"clreshape": cl}
            exec("".join(examples[:at + 1]), names | {"hidden": on_device(x)})  # what a reader would type
            names |= {"hidden": on_device(x), "x": on_device(x), "frames": on_device(frames)}
            exec(examples[at], names)  # with numbers that tell elements apart
            expected = x.reshape(8, 16, 12, 64).transpose(0, 2, 1, 3).reshape(96, 16, 64)
            same(names[result], expected)
        self.assertEqual((names["z"].shape, names["z"].dtype), (frames.shape, np.float16))
        cleared = x.copy()
        cleared[:, ::2] = 0
        same(names["x"], cleared)


class Lifetimes(unittest.TestCase):
    def test_nothing_keeps_a_buffer(self):
        device = on_device(HOST)
        buffer = device.base_data
        for _ in range(50):
            cl.contiguous(cl.transpose(device))
            cl.copyto(device, 1)
            cl.concatenate([device, device]), cl.stack([device.T, device.T], 1)
            cl.asarray(device).cast("float16").contiguous()
            with self.assertRaises(ValueError):
                cl.reshape(device, (7, 7))
        QUEUE.finish()
        gc.collect()
        self.assertEqual(buffer.reference_count, 1)

    def test_a_result_outlives_its_source(self):
        def make():
            return cl.transpose(on_device(HOST)), cl.contiguous(on_device(HOST).T)
        for made in make():
            gc.collect()
            same(made, HOST.T)

    def test_an_array_of_the_package_keeps_the_buffer(self):
        device = on_device(HOST)
        kept = cl.asarray(device)
        del device
        gc.collect()
        np.testing.assert_array_equal(kept.get(), HOST)

    def test_out_is_an_array_of_any_kind(self):
        device, out = on_device(HOST), on_device(np.zeros((5, 4, 3, 2), np.float32))
        self.assertIs(cl.transpose(device, out=out), out)
        same(out, HOST.T)
        other = on_device(HOST * 0)[::-1]
        self.assertIs(cl.concatenate([device[:1], device[1:]], out=other), other)
        same(other, HOST)
        own = cl.empty(HOST.shape, "float16", device.queue)
        self.assertIs(cl.cast(device, "float16", out=own), own)
        np.testing.assert_array_equal(own.get(), HOST.astype(np.float16))

    def test_a_buffer_of_pyopencls_or_of_a_pool_is_wrapped(self):
        host = counted(64, dtype=np.int32)
        pool = pyopencl.tools.MemoryPool(pyopencl.tools.ImmediateAllocator(QUEUE))
        for buffer in (pyopencl.Buffer(QUEUE.context, pyopencl.mem_flags.READ_WRITE, host.nbytes),
                       pool.allocate(host.nbytes)):
            pyopencl.enqueue_copy(QUEUE, buffer, host)
            made = cl.wrap(buffer, (3, 5), "int16", offset=70, strides=(64, -2), queue=QUEUE)
            expected = np.ndarray((3, 5), np.int16, host, 70, (64, -2))
            del buffer
            gc.collect()
            np.testing.assert_array_equal(made.get(), expected)
            same(cl.contiguous(made.to("pyopencl", copy=False)), expected)
        with self.assertRaisesRegex(cl.BoundsError, "touches bytes"):
            cl.wrap(pyopencl.Buffer(QUEUE.context, 0, 16), 5, "float32")

    def test_contexts_are_not_collected(self):
        device = QUEUE.device
        for _ in range(20):
            context = pyopencl.Context([device])
            queue = pyopencl.CommandQueue(context)
            self.assertEqual(host_of(cl.transpose(on_device(HOST, queue))).shape, HOST.T.shape)
            del context, queue
        self.assertLessEqual(len(cl._context._recent), cl._context.KEPT)
        gc.collect()
        self.assertLessEqual(len(cl._context._alive), cl._context.KEPT)


if __name__ == "__main__":
    unittest.main()
