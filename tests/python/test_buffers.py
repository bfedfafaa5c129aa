"""Arrays over a buffer of the caller's, and as another type, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import gc
import math
import random
import types
import unittest

import numpy as np

import clreshape as cl
from clreshape import _opencl
from hosts import counted
from own import QUEUE, ArrayCase, on_device

TYPES = ("int8", "uint8", "bool", "int16", "float16", "uint32", "float32", "int64", "complex64",
         "complex128")


class Wrapped(ArrayCase):
    def setUp(self):
        self.host = np.frombuffer(random.Random("wrap").randbytes(256), np.uint8)
        self.bytes = on_device(self.host)

    def test_it_is_numpys_ndarray(self):
        for shape, dtype, offset, strides in (
                (64, "float32", 0, None), ((4, 8), "int16", 6, None), ((), "float64", 8, None),
                ((3, 5), "uint16", 2, (32, 4)), ((3, 5), "uint16", 80, (-32, 2)), ((4, 3), "int8", 1, (0, 1)),
                ((2, 2), "int32", 1, (12, 4)), ((0, 3), "int32", 0, None), ((2,), "int32", 252, (0,)),
                ((3,), "int64", 64, (-32,))):
            with self.subTest(shape=shape, dtype=dtype, offset=offset, strides=strides):
                made = cl.wrap(self.bytes.buffer, shape, dtype, offset=offset, strides=strides, queue=QUEUE)
                expected = np.ndarray(shape, dtype, self.host, offset, strides)
                self.same(made, expected)
                if expected.size:
                    self.assertEqual(made.offset, offset)
                    self.assertEqual(made.strides, expected.strides)

    def test_random_layouts_are_numpys(self):
        draw = random.Random("clreshape wrap")
        for _ in range(150):
            dtype = np.dtype(draw.choice(TYPES))
            dims = tuple(draw.randint(1, 4) for _ in range(draw.randint(0, 3)))
            strides = tuple(dtype.itemsize * draw.randint(-3, 3) for _ in dims)
            ends = [stride * (dim - 1) for stride, dim in zip(strides, dims)]
            offset = draw.randint(-4, 260)
            arguments = dims, dtype, offset, strides
            first = offset + sum(min(end, 0) for end in ends)
            last = offset + sum(max(end, 0) for end in ends) + dtype.itemsize
            with self.subTest(arguments=arguments):
                if first < 0 or last > 256:
                    with self.assertRaises(ValueError):
                        cl.wrap(self.bytes.buffer, dims, dtype, offset=offset, strides=strides)
                    continue
                made = cl.wrap(self.bytes.buffer, dims, dtype, offset=offset, strides=strides, queue=QUEUE)
                self.same(made, np.ndarray(dims, dtype, self.host, offset, strides))

    def test_it_keeps_the_buffer_and_what_owns_it(self):
        owner = types.SimpleNamespace(int_ptr=self.bytes.buffer)
        handle, before = self.bytes.buffer, _opencl.references_of_buffer(self.bytes.buffer)
        made = cl.wrap(owner, (4, 8), "uint8")
        self.assertGreater(_opencl.references_of_buffer(handle), before)
        self.assertIs(made.T._origin.owner, owner)
        self.assertIsNone(made.queue)
        with self.assertRaisesRegex(ValueError, "queue="):
            made.get()
        self.assertEqual(made.tobytes(queue=QUEUE), self.host[:32].tobytes())
        del made
        gc.collect()
        self.assertEqual(_opencl.references_of_buffer(handle), before)

    def test_it_is_a_destination(self):
        made = cl.wrap(self.bytes.buffer, (4, 4), "int32", offset=16, strides=(32, 4), queue=QUEUE)
        made[...] = 7
        host = self.host.copy()
        np.ndarray((4, 4), "int32", host, 16, (32, 4))[...] = 7
        made.events[-1].wait()
        self.same(self.bytes, host)

    def test_wrong_layouts_are_refused(self):
        buffer = self.bytes.buffer
        for arguments, words, error in (
                (((65,), "float32"), "257|touches bytes", cl.BoundsError),
                (((4,), "float32", -4), "before the buffer", ValueError),
                (((4,), "float32", 0, (-4,)), "touches bytes|negative|before", ValueError),
                (((4,), "float32", 0, (6,)), "no multiples of the 4", ValueError),
                (((4, 2), "float32", 0, (4,)), "1 strides for 2 dims", ValueError),
                (((4, 2), "int4", 0, (1, 1)), r"view\('int4'\)", ValueError),
                (((4,), "i4"), "write 'int4' or 'int32'", TypeError),
                (((-4,), "int32"), "-4", ValueError), (((1.5,), "int32"), "integer", TypeError)):
            shape, dtype, offset, strides = (*arguments, 0, None)[:4] if len(arguments) < 4 else arguments
            with self.subTest(arguments=arguments), self.assertRaisesRegex(error, words):
                cl.wrap(buffer, shape, dtype, offset=offset, strides=strides)
        for thing in (0, None, self.host, True):
            with self.assertRaisesRegex(ValueError, "buffer must be an OpenCL handle"):
                cl.wrap(thing, 4, "uint8")


def stored(array, root):
    """Are the strides and the first position of a NumPy view of the root multiples of the element
    size?"""
    strides = [stride for stride, dim in zip(array.strides, array.shape) if dim != 1]
    return not any(number % array.itemsize for number in (array.ctypes.data - root.ctypes.data, *strides))


class Viewed(ArrayCase):
    def test_other_widths_are_numpys(self):
        host = counted(3, 4, 8, dtype=np.int32)
        array = on_device(host)
        for dtype in TYPES:
            for make in (lambda x: x, lambda x: x[1:, ::2], lambda x: x[..., 4:], lambda x: x[::-1],
                         lambda x: x.transpose(1, 0, 2), lambda x: x[:0], lambda x: x[0, 0]):
                with self.subTest(dtype=dtype):
                    made = make(array).view(dtype)
                    self.same(made, make(host).view(dtype))
                    self.assertEqual(made.buffer, array.buffer)

    def test_random_views_are_numpys(self):
        draw = random.Random("clreshape view")
        outcomes = {True: 0, False: 0}
        for _ in range(400):
            root = host = np.frombuffer(draw.randbytes(720), draw.choice(TYPES[:8])).reshape(
                draw.choice([(-1,), (3, -1), (5, 3, -1), (-1, 1)]))
            array, dtype = on_device(host), draw.choice(TYPES)
            index = tuple(slice(draw.choice([None, 1, 2]), draw.choice([None, -1, 0]),
                                draw.choice([None, 1, 2, -1])) for _ in host.shape[:-1])
            index += draw.choice([(), (slice(1, 9),), (slice(4, 12),), (slice(None, None, 2),), (slice(2, 2),)])
            host, array = host[index], array[index]
            if draw.random() < .2:
                host, array = host.T, array.T
            with self.subTest(index=index, source=host.dtype, shape=host.shape, dtype=dtype):
                try:
                    expected = host.view(dtype)
                except ValueError:
                    with self.assertRaises(ValueError):
                        array.view(dtype)
                    continue
                is_stored = not expected.size or stored(expected, root)
                outcomes[is_stored] += 1
                if not is_stored:
                    with self.assertRaisesRegex(ValueError, "no multiple of the"):
                        array.view(dtype)
                elif expected.size:
                    self.same(array.view(dtype), expected)
                else:
                    self.assertEqual(array.view(dtype).shape, expected.shape)
        self.assertGreater(min(outcomes.values()), 5, outcomes)

    def test_the_same_width_is_any_layout_and_any_map(self):
        host = counted(4, 6)
        array = on_device(host)
        self.same(array.T.view(np.int32), host.T.view(np.int32))
        self.same(array[:, ::-2].view("uint32"), host[:, ::-2].view(np.uint32))
        self.same(array[0, 0].view("uint32"), host[0, 0].view(np.uint32))
        self.same(array.astype("float16").view("uint16"), host.astype(np.float16).view(np.uint16))
        self.same(array.view(), host)
        self.assertIsNot(array.view(), array)
        self.assertEqual(array.T.view().strides, array.T.strides)

    def test_bytes_become_packed_elements_and_back(self):
        host = np.frombuffer(random.Random("int4").randbytes(48), np.uint8).reshape(3, 16)
        array = on_device(host)
        packed = array.view("uint4")
        self.assertEqual((packed.shape, packed.dtype), ((3, 32), "uint4"))
        low_first = np.stack([host & 15, host >> 4], -1).reshape(3, 32)
        self.same(packed.astype("uint8"), low_first)
        self.same(packed[1:, ::-1].astype("uint8"), low_first[1:, ::-1])
        signed = (low_first ^ 8).astype(np.int8) - 8
        self.same(array.view("int4").astype("int8"), signed)
        self.same(array.view("uint1").astype("uint8"), np.unpackbits(host, -1))
        self.same(array.view("bits1").view("uint8"), host)
        self.same(packed.view("uint8"), host)
        self.same(packed.view("float32"), host.view(np.float32))
        self.same(packed[:, 8:24].view("uint16"), host[:, 4:12].view(np.uint16))
        self.same(packed.view("uint2").view("uint4").view("uint8"), host)
        sixes = array.reshape(4, 12).view("float6_e2m3fn")
        self.assertEqual(sixes.shape, (4, 16))
        self.same(sixes.view("uint8"), host.reshape(4, 12))
        rows = cl.wrap(array.buffer, (3, 4), "uint8", strides=(16, 1), queue=QUEUE).view("uint4")
        self.same(rows.astype("uint8"), low_first[:, :8])
        rows[...] = on_device(np.zeros((3, 8), np.uint8)).astype("uint4").contiguous()
        cleared = host.copy()
        cleared[:, :4] = 0
        self.same(array, cleared)

    def test_what_is_no_view_is_refused(self):
        array = on_device(counted(4, 6))
        bytes_ = on_device(counted(4, 6, dtype=np.uint8))
        for call, words in (
                (lambda: array[0, 0].view("uint8"), r"without dims .*reshape to \[1\]"),
                (lambda: array.T.view("uint8"), "last axis is not dense.*copy it first"),
                (lambda: array[:, ::-1].view("int64"), "last axis is not dense"),
                (lambda: array[:, :5].view("int64"), "last axis of 5 elements of f32 is no multiple of the 64 bits of i64"),
                (lambda: bytes_[:, :5].view("float6_e2m3fn"), "last axis of 5 elements of u8 is no multiple of the 6 bits of f6"),
                (lambda: array.T.reshape(8, 3).view("uint8"), "last axis is not dense"),
                (lambda: array.astype("float16").view("uint8"), "computed, to f16, and have no bytes .*copy them first"),
                (lambda: bytes_[0, 1:5].view("int32"), "offset of 1 elements of u8 is no multiple of the 32 bits .*copy it first"),
                (lambda: bytes_[:, :4].view("int32"), "stride of 6 elements of u8 is no multiple of the 32"),
                (lambda: bytes_.view("uint4").view("uint1"), "different ends; u8 between"),
                (lambda: bytes_.view("uint1").view("int4"), "different ends")):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                call()
        for wrong in ("i4", "nothing", object):
            with self.assertRaises(TypeError):
                array.view(wrong)
        self.assertEqual(math.prod(array.shape), 24)


if __name__ == "__main__":
    unittest.main()
