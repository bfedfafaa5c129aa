"""DLPack, in and out: with apache-tvm-ffi, and capsules by hand.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import gc
import operator
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

import ml_dtypes
import numpy as np
import pyopencl
import tvm_ffi

import clreshape as cl
from clreshape import _dlpack, _dtypes
from hosts import counted
from peers import QUEUE, on_device

HOST = counted(2, 3, 4)


class Producer:
    """An object that lends a tensor like a producer, and records the return."""

    lent = []  # a lent tensor lives until it comes back, and the deleter until the call has returned

    def __init__(self, buffer, dims, strides=None, flags=None, offset=0, device=4, index=0,
                 dtype=(2, 32, 1), major=1):
        self.given_back, self.asked = 0, None
        self.dims = (C.c_int64 * len(dims))(*dims)
        self.strides = (C.c_int64 * len(dims))(*strides) if strides else None
        tensor = _dlpack.DLTensor(
            buffer, _dlpack.Device(device, index), len(dims), _dlpack.Type(*dtype),
            C.cast(self.dims, C.POINTER(C.c_int64)),
            C.cast(self.strides, C.POINTER(C.c_int64)) if strides else None, offset)
        self.deleter = C.CFUNCTYPE(None, C.c_void_p)(self._take_back)
        deleter = C.cast(self.deleter, C.c_void_p)
        self.device = device
        if flags is None:
            self.name, self.managed = b"dltensor", _dlpack.Managed(tensor, None, deleter)
        else:
            self.name = b"dltensor_versioned"
            self.managed = _dlpack.Versioned(major, 0, None, deleter, flags, tensor)

    def _take_back(self, _):
        self.given_back += 1

    def __dlpack__(self, **options):
        if self.name == b"dltensor" and options:
            raise TypeError("older than DLPack 1.0")
        self.asked = options
        self.lent.append(self)
        return _dlpack._new_capsule(C.addressof(self.managed), self.name,
                                    _dlpack.callback("clreshape_end_capsule"))

    def __dlpack_device__(self):
        return self.device, 0


class In(unittest.TestCase):
    def setUp(self):
        self.device = on_device(HOST)
        self.buffer = self.device.base_data.int_ptr

    def test_both_capsules(self):
        for flags in (None, 0):
            for strides in (None, (1, 8, 2)):
                with self.subTest(flags=flags, strides=strides):
                    producer = Producer(self.buffer, HOST.shape, strides, flags)
                    array = cl.from_dlpack(producer, queue=QUEUE)
                    want = np.lib.stride_tricks.as_strided(
                        HOST, HOST.shape, [4 * n for n in strides]) if strides else HOST
                    np.testing.assert_array_equal(array.get(), want)
                    view = array[1:]
                    del array
                    gc.collect()
                    self.assertEqual(producer.given_back, 0)
                    del view
                    gc.collect()
                    self.assertEqual(producer.given_back, 1)

    def test_memory_is_given_back_when_its_moves_have_ended(self):
        for use in (lambda array, events: cl.contiguous(array.T, wait_for=events),
                    lambda array, events: cl.copyto(array, 1, wait_for=events)):
            producer = Producer(self.buffer, HOST.shape, flags=0)
            before = pyopencl.UserEvent(QUEUE.context)
            array = cl.from_dlpack(producer, queue=QUEUE)
            use(array, [before])
            timer = threading.Timer(0.2, self._complete, (before, producer))
            timer.start()
            del array
            gc.collect()
            self.assertEqual((producer.given_back, self.given_back_before), (1, 0))
            timer.join()

    def _complete(self, event, producer):
        self.given_back_before = producer.given_back
        event.set_status(pyopencl.command_execution_status.COMPLETE)

    def test_a_producer_and_a_capsule_as_indices(self):
        indices = on_device(np.int32([3, -1, 0]))
        dims, kind = indices.shape, (0, 32, 1)
        chosen = [Producer(indices.base_data.int_ptr, dims, flags=0, dtype=kind) for _ in "ab"]
        moved = cl.take(self.device, chosen[0].__dlpack__(), 2)
        np.testing.assert_array_equal(moved.get(), HOST[..., [3, -1, 0]])
        target = on_device(HOST * 0)
        cl.index_copy(target, chosen[1], moved, 2)
        np.testing.assert_array_equal(target.get(), HOST * [1, 0, 0, 1])
        gc.collect()
        self.assertEqual([producer.given_back for producer in chosen], [1, 1])

    def test_an_offset(self):
        array = cl.from_dlpack(Producer(self.buffer, (3, 4), flags=0, offset=48), queue=QUEUE)
        self.assertEqual(array.offset, 48)
        np.testing.assert_array_equal(array.get(), HOST[1])

    def test_a_read_only_tensor_is_no_destination(self):
        array = cl.from_dlpack(Producer(self.buffer, HOST.shape, flags=1), queue=QUEUE)
        self.assertTrue(array.readonly and array[0].readonly)
        with self.assertRaisesRegex(ValueError, "read-only"):
            cl.copyto(array[0], 1)
        with self.assertRaises(BufferError):
            array.__dlpack__()
        again = cl.from_dlpack(array, queue=QUEUE)
        self.assertTrue(again.readonly)

    def test_what_is_not_known_is_refused_and_given_back(self):
        cases = [({"device": 1}, TypeError), ({"dtype": (2, 32, 4)}, TypeError),
                 ({"dtype": (3, 64, 1)}, TypeError), ({"index": 7}, ValueError),
                 ({"flags": 0, "major": 2}, BufferError),
                 ({"flags": 4, "dtype": (0, 4, 1)}, TypeError),
                 ({"strides": (1000, 1, 1)}, cl.BoundsError), ({"offset": 4}, cl.BoundsError)]
        for options, error in cases:
            with self.subTest(options=options):
                producer = Producer(self.buffer, HOST.shape, **options)
                with self.assertRaises(error):
                    cl.from_dlpack(producer)
                gc.collect()
                self.assertEqual(producer.given_back, 1)

    def test_malformed_structs_are_refused_and_given_back(self):
        for flags in (None, 0):
            for field, value in (("ndim", 2**31 - 1), ("ndim", -1), ("ndim", -2**31), ("ndim", 33),
                                 ("shape", None), ("byte_offset", 2**64 - 1), ("ndim", 4096)):
                for queue in (None, QUEUE):
                    producer = Producer(self.buffer, HOST.shape, flags=flags)
                    setattr(producer.managed.tensor, field, value)
                    with self.subTest(flags=flags, field=field, value=value), \
                            self.assertRaises((ValueError, OverflowError)):
                        cl.from_dlpack(producer, queue=queue)
                    gc.collect()
                    self.assertEqual(producer.given_back, 1)
        with self.assertRaises(TypeError):
            cl.from_dlpack(Producer(self.buffer, HOST.shape, flags=1 << 40), queue=QUEUE)

    def test_a_refused_capsule_is_not_used_up(self):
        producer = Producer(self.buffer, (1000,), flags=0)
        capsule = producer.__dlpack__()
        for _ in range(2):
            with self.assertRaises(cl.BoundsError):
                cl.from_dlpack(capsule, queue=QUEUE)
        self.assertEqual(producer.given_back, 0)
        producer.dims[0] = 24
        np.testing.assert_array_equal(cl.from_dlpack(capsule, queue=QUEUE).get(), HOST.ravel())
        del capsule
        gc.collect()
        self.assertEqual(producer.given_back, 1)

    def test_a_capsule_is_taken_once(self):
        capsule = Producer(self.buffer, HOST.shape, flags=0).__dlpack__()
        kept = cl.from_dlpack(capsule)
        with self.assertRaisesRegex(ValueError, "taken already"):
            cl.from_dlpack(capsule)
        del kept

    def test_numpy_arrays_are_refused(self):
        with self.assertRaisesRegex(TypeError, "device type 1"):
            cl.from_dlpack(np.zeros(3))


class Out(unittest.TestCase):
    def setUp(self):
        self.device = on_device(HOST)
        self.references = lambda: self.device.base_data.reference_count

    def test_a_capsule_keeps_the_buffer_until_it_is_gone(self):
        for options in ({}, {"max_version": (1, 0)}):
            capsule = cl.asarray(self.device).__dlpack__(**options)
            self.assertEqual(self.references(), 2)
            self.assertEqual("versioned" in repr(capsule), bool(options))
            del capsule
            gc.collect()
            self.assertEqual(self.references(), 1)
        self.assertEqual(_dlpack._exported, {})

    def test_a_taken_capsule_keeps_it_until_the_consumer_is_done(self):
        capsule = cl.asarray(self.device).T.__dlpack__(max_version=(1, 0))
        array = cl.from_dlpack(capsule, queue=QUEUE)
        del capsule
        np.testing.assert_array_equal(array.get(), HOST.T)
        del array
        gc.collect()
        self.assertEqual((self.references(), _dlpack._exported), (1, {}))

    def test_packages_that_refuse_it_say_why_and_let_it_go(self):
        """NumPy drops the capsule, and a call drops the argument, while the error is pending."""
        def refused_by_numpy():
            np.from_dlpack(cl.asarray(self.device))

        def refused_by_a_call():
            operator.index(tvm_ffi.from_dlpack(cl.asarray(self.device)))
        for call, error in ((refused_by_numpy, (BufferError, RuntimeError)),
                            (refused_by_a_call, TypeError)):
            with self.assertRaises(error):
                call()
            gc.collect()
            self.assertEqual(self.references(), 1)

    def test_every_type_comes_back(self):
        for name in _dlpack.TYPE_OF:
            array = cl.empty((2, 8), _dtypes.numbered(_dtypes.NUMBERS[name]), QUEUE)
            again = cl.from_dlpack(array)
            self.assertEqual((again.dtype, again.shape), (array.dtype, array.shape))
        for name in ("bits16", "uint1"):
            with self.subTest(name=name), self.assertRaisesRegex(BufferError, "no type"):
                cl.empty(8, name, QUEUE).__dlpack__()

    def test_the_first_of_eight_bits_is_the_lowest(self):
        lent = cl.to_device(np.uint8([1]), QUEUE)  # a byte whose lowest bit is set
        given = Producer(lent.buffer, (8,), flags=0, dtype=(1, 1, 1))
        bits = cl.from_dlpack(given, queue=QUEUE)
        self.assertEqual(bits.dtype.name, "bits1")
        self.assertEqual([bits[i:i + 1].tobytes()[0] & 1 for i in range(8)], [1] + [0] * 7)
        self.assertEqual(_dlpack.TYPE_OF["bits1"], (1, 1))

    def test_the_arguments_of_the_protocol(self):
        array = cl.asarray(self.device)
        self.assertEqual(array.__dlpack_device__(), (4, 0))
        with self.assertRaises(BufferError):
            array.__dlpack__(dl_device=(1, 0))
        with self.assertRaises(BufferError):
            array.cast("f16").__dlpack__(copy=False)
        for given in (array, array.cast("f16"), array.T):
            copied = cl.from_dlpack(given.__dlpack__(copy=True, max_version=(1, 0)), queue=QUEUE)
            self.assertNotEqual(copied.buffer, self.device.base_data.int_ptr)
            np.testing.assert_array_equal(copied.get(), given.get())
        waited = []
        with mock.patch.object(_dlpack._opencl.Event, "wait", lambda event: waited.append(event)):
            moved = array.T.contiguous()
            moved.__dlpack__(stream=-1)
            self.assertEqual(waited, [])
            moved.__dlpack__()
            self.assertEqual(len(waited), 1)


class Kinds(unittest.TestCase):
    def test_capsules_give_capsules(self):
        for result in (cl.transpose(cl.asarray(on_device(HOST)).__dlpack__()),
                       cl.contiguous(cl.asarray(on_device(HOST)).T.__dlpack__(), queue=QUEUE)):
            self.assertEqual(type(result).__name__, "PyCapsule")
            array = cl.from_dlpack(result, queue=QUEUE)
            np.testing.assert_array_equal(array.get(), HOST.T)

    def test_lists_of_tensors_are_stacked_on_a_queue(self):
        device = on_device(HOST)
        lent = [cl.from_dlpack(Producer(device.base_data.int_ptr, HOST.shape, flags=0))] * 2
        joined = cl.rearrange(lent, "n a b c -> a b (n c)", queue=QUEUE)
        np.testing.assert_array_equal(joined.get(), np.concatenate([HOST, HOST], -1))

    def test_tensors_of_tvm(self):
        tensor = tvm_ffi.from_dlpack(cl.asarray(on_device(HOST)))
        self.assertEqual((tuple(tensor.shape), tuple(tensor.strides)), ((2, 3, 4), (12, 4, 1)))
        view = cl.rearrange(tensor, "a b c -> c a b")
        self.assertIs(type(view), type(tensor))
        self.assertEqual(tuple(view.strides), (1, 12, 4))
        moved = cl.normalize(view, 1, 2, dtype="float16", queue=QUEUE)
        self.assertIs(type(moved), type(tensor))
        expected = ((HOST.transpose(2, 0, 1) - 1) / 2).astype(np.float16)
        np.testing.assert_array_equal(cl.from_dlpack(moved, queue=QUEUE).get(), expected)
        with self.assertRaisesRegex(ValueError, "give queue="):
            cl.contiguous(view)
        cl.copyto(view, 5, queue=QUEUE)
        self.assertTrue((cl.from_dlpack(tensor, queue=QUEUE).get() == 5).all())

    def test_of_others_the_result_is_an_array(self):
        buffer = on_device(HOST)
        producer = Producer(buffer.base_data.int_ptr, HOST.shape, flags=0)
        result = cl.transpose(producer)
        self.assertIs(type(result), cl.Array)
        np.testing.assert_array_equal(result.get(queue=QUEUE), HOST.T)

    def test_bfloat16(self):
        host = HOST.astype(ml_dtypes.bfloat16)
        tensor = tvm_ffi.from_dlpack(cl.asarray(on_device(host)))
        self.assertEqual(str(tensor.dtype), "bfloat16")
        np.testing.assert_array_equal(cl.from_dlpack(cl.cast(tensor, "float32", queue=QUEUE),
                                                     queue=QUEUE).get(), HOST)


class Header(unittest.TestCase):
    def test_the_structs_are_those_of_dlpacks_header(self):
        include = next(pathlib.Path(tvm_ffi.__file__).parent.rglob("dlpack.h")).parents[1]
        names = {"DLTensor": (_dlpack.DLTensor, {"type": "device_type"}),
                 "DLManagedTensor": (_dlpack.Managed, {"tensor": "dl_tensor",
                                                       "context": "manager_ctx"}),
                 "DLManagedTensorVersioned": (_dlpack.Versioned, {
                     "major": "version.major", "minor": "version.minor",
                     "context": "manager_ctx", "tensor": "dl_tensor"})}
        claims = ["kDLOpenCL == 4", "kDLFloat8_e4m3fn == 10", "kDLFloat4_e2m1fn == 17",
                  "kDLBfloat == 4", "kDLBool == 6", "DLPACK_FLAG_BITMASK_READ_ONLY == 1",
                  "DLPACK_FLAG_BITMASK_IS_COPIED == 2",
                  f"DLPACK_MAJOR_VERSION == {_dlpack.VERSION[0]}"]
        for name, (made, other) in names.items():
            claims.append(f"sizeof({name}) == {C.sizeof(made)}")
            claims += [f"offsetof({name}, {other.get(field, field)}) == "
                       f"{getattr(made, field).offset}" for field, _ in made._fields_]
        lines = [f'_Static_assert({claim}, "{claim}");' for claim in claims]
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "claims.c")
            lines = ["#include <dlpack/dlpack.h>", "#include <stddef.h>", *lines, ""]
            source.write_text("\n".join(lines), "utf-8")
            said = subprocess.run(["cc", "-std=c11", "-I", include, "-fsyntax-only", source],
                                  stderr=subprocess.PIPE, text=True, check=False).stderr
        self.assertEqual(said, "")


if __name__ == "__main__":
    sys.exit(unittest.main())
