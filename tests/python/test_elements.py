"""Element types, and maps of elements on the device, against NumPy.

SPDX-License-Identifier: Apache-2.0
"""

import unittest

import numpy as np

import clreshape as cl
from clreshape import _tensor
from hosts import counted
from own import QUEUE, ArrayCase, on_device, takes_steps


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

    def test_colours(self):
        host = np.random.default_rng(3).integers(0, 256, (12, 16), np.uint8)
        grey = cl.chain(on_device(host[None].repeat(3, 0).transpose(1, 2, 0)), "color=rgb,grey,opencv")
        self.same(grey, host)
        array = on_device(host)
        pixels = cl.chain(array, "color=nv12,rgb,opencv")
        self.assertEqual(pixels.shape, (8, 16, 3))
        self.assertTrue(pixels.is_mapped)
        y, v = (int(host[3, 5]), int(host[9, 5]) - 128)
        red = (max(y - 16, 0) * 1220542 + (1 << 19) + 1673527 * v) >> 20
        self.assertEqual(pixels.get()[3, 5, 0], min(max(red, 0), 255))

    def test_resizing(self):
        host = np.random.default_rng(4).integers(0, 256, (12, 16, 3), np.uint8)
        half = cl.chain(on_device(host), "resize=6,8,opencv_linear_exact")
        self.assertEqual(half.shape, (6, 8, 3))
        self.assertTrue(half.is_mapped)
        sums = host.reshape(6, 2, 8, 2, 3).astype(np.int32).sum((1, 3))
        self.same(half, ((sums + 2) >> 2).astype(np.uint8))

    def test_resized_colours(self):
        """A letterbox of a camera's frame, in one chain and in two."""
        frame = on_device(np.random.default_rng(5).integers(0, 256, (36, 40), np.uint8))
        behind = "resize=12,20,opencv_linear pad=4,0,0,value=114 permute=2,0,1"
        pixels = on_device(cl.chain(frame, "color=nv12,rgb,opencv").get())
        self.same(cl.chain(frame, f"color=nv12,rgb,opencv {behind}"), cl.chain(pixels, behind).get())

    @takes_steps
    def test_clip(self):
        host = np.array([[-3, 0.5, 9], [np.nan, 2, -0.0]], np.float32)
        array = on_device(host)
        for low, high in ((0, 2), (None, 1), (-1, None), (3, 1)):
            with self.subTest(low=low, high=high):
                self.same(array.clip(low, high), np.clip(host, low, high))
                self.assertTrue(cl.clip(array, low, high).is_mapped)
        self.same(cl.clip(array, None, None), host)

    @takes_steps
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

    @takes_steps
    def test_lists_longer_than_a_map_become_tensors(self):
        host = counted(2, 100)
        mean, std = counted(100) / 3, counted(100) + 1
        self.same(cl.normalize(on_device(host), list(mean), list(std)), (host - mean) / std)

    @takes_steps
    def test_quantize_and_back(self):
        host = counted(2, 3)
        coded = cl.quantize(on_device(host), 0.5, 3, dtype="int8")
        self.same(coded, (host * 2 + 3).astype(np.int8))
        self.same(cl.dequantize(coded.contiguous(), 0.5, 3), host)
        self.same(cl.quantize(on_device(host), [0.5, 1, 2], axis=1),
                  np.rint(host / np.float32([0.5, 1, 2])).astype(np.uint8))

    @takes_steps
    def test_steps_with_numbers_lists_and_tensors(self):
        host = counted(4, 5, 3, dtype=np.float32)
        factors, table = np.float32([0.1, 0.2, 0.3]), counted(4, 1, 3, dtype=np.float32) + 1
        array = on_device(host)
        self.same(cl.add(cl.multiply(array, on_device(factors)), [1, 2, 3]),
                  host * factors + np.float32([1, 2, 3]))
        self.same(cl.divide(cl.subtract(array, 7), on_device(table)), (host - 7) / table)
        self.same(cl.minimum(cl.maximum(array, [1, 2, 3, 4, 5], axis=1), 9),
                  np.clip(host, counted(5, 1, dtype=np.float32) + 1, 9))
        long = counted(100, dtype=np.float32)
        self.same(cl.add(on_device(host[:1, :1, :1] * long), list(long)),
                  host[:1, :1, :1] * long + long)

    def test_integers_of_32_bits_are_numpys(self):
        host = counted(4, 5, 3, dtype=np.uint8)
        factors = np.int32([1673527, -852492, 2116026])
        words, planes = host.astype(np.int32) - 128, on_device(counted(4, 5, 1, dtype=np.uint8))
        expected = (words * factors + 1220542 * counted(4, 5, 1, dtype=np.int32) + (1 << 19)) >> 20
        array = cl.multiply(cl.subtract(cl.cast(on_device(host), "int32"), 128), on_device(factors))
        luma = cl.multiply(planes.cast("int32"), 1220542).contiguous()
        got = cl.right_shift(cl.add(cl.add(array, luma), 1 << 19), 20)
        self.assertTrue(got.is_mapped)
        self.same(got, expected)
        self.same(cl.left_shift(on_device(words), [1, 2, 31]), words << np.int32([1, 2, 31]))
        many = np.arange(-50, 50, dtype=np.int32) * 40000000
        self.same(cl.multiply(on_device(many), many.tolist()), many * many)
        for call, says in ((lambda: cl.divide(on_device(words), 2), "no division"),
                           (lambda: cl.add(on_device(words), 0.5), "0.5, which is no number of i32"),
                           (lambda: cl.right_shift(on_device(words), 32), "no shift of 0 to 31"),
                           (lambda: cl.add(on_device(host), 1), "steps in u8"),
                           (lambda: cl.left_shift(on_device(host.astype("f4")), 1), "only i32 is")):
            with self.assertRaisesRegex(cl.ArgumentError, says):
                call()

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

    def test_what_is_no_array_of_numbers_is_not_uploaded(self):
        for host, words in (
                (None, "Python objects"), ([object()], "Python objects"), ([2**70], "Python objects"),
                (np.zeros(2, "O,i4"), "Python objects"), (on_device(counted(2)), "on a device"),
                ("ab", "'?bits64'? takes its bytes"), (b"ab", "'?bits16'? takes"),
                (np.array(["2026-11-27"], "M8[s]"), "datetime64.*'bits64' takes its bytes"),
                (np.zeros(2, "i4,u2,u2"), "'bits64' takes its bytes"),
                (np.zeros(2, ">f4"), r"byte order.*astype\('<f4'\)")):
            with self.subTest(host=host), self.assertRaisesRegex(TypeError, words):
                on_device(host)
        with self.assertRaisesRegex(TypeError, "Python objects"):
            cl.to_device(None, QUEUE, "bits64")
        with self.assertRaisesRegex(TypeError, "byte order"):
            cl.dtype(np.dtype(">i8"))

    def test_bytes_of_other_elements_are_moved_when_asked_for(self):
        for host in (np.array(["2026-11-27", "NaT"], "M8[s]"), np.array(["ab", "c"]),
                     np.array([(1, 2, 3), (4, 5, 6)], "i4,u2,u2"), np.array([1, 2], ">f8")):
            array = cl.to_device(host, QUEUE, "bits64")
            np.testing.assert_array_equal(array[::-1].get().view(host.dtype), host[::-1])
        self.same(on_device(np.zeros(2, "V4")), np.zeros(2, "V4"))

    def test_bits_behind_the_last_element_are_0(self):
        codes = on_device(np.full(12, 255, np.uint8))
        for name, bits in (("int4", 4), ("bits1", 1), ("uint2", 2), ("u3", 3), ("f6e2m3", 6),
                           ("uint1", 1)):
            tensor = _tensor.wrap(codes._tensor.context, (codes.buffer, 0), cl.dtype(name), (15,))
            array = cl.Array(tensor, codes._origin)
            for count in range(1, 9):
                got, used = array[:count].tobytes(), count * bits
                first = int.from_bytes(got, "big") >> -used % 8 if name == "uint1" else int.from_bytes(
                    got, "little")
                self.assertEqual((len(got), first), ((used + 7) // 8, (1 << used) - 1))
                if name == "uint1":
                    self.assertEqual(int.from_bytes(got, "big") % (1 << -used % 8), 0)

    def test_names_of_numpys_in_chains(self):
        host = np.array([[-3, 0.7, 260], [5, -0.0, 1]], np.float32)
        array = on_device(host)
        for text, expected in (
                ("cast=float16 permute=1,0", host.astype("f2").T), ("cast=f2;flip=0", host.astype("f2")[::-1]),
                ("flip=0 cast=f8", host[::-1].astype("f8")), ("bitcast=uint32", host.view("u4")),
                ("cast=int8,even,saturate", np.clip(np.rint(host), -128, 127).astype("i1")),
                ("cast=i1,even,saturate", np.clip(np.rint(host), -128, 127).astype("i1")),
                ("cast=bfloat16 cast=f4", np.float32([[-3, 0.69921875, 260], [5, -0.0, 1]])),
                ("cast=b1", host != 0), ("cast=f16", host.astype("f2")),
                ("repeat=a b -> a b cast, cast=2 cast=f64", np.stack([host, host], -1).astype("f8"))):
            with self.subTest(text=text):
                seen = cl.chain(array, text)
                self.assertEqual((seen.dtype.dtype, seen.shape), (expected.dtype, expected.shape))
                if len(text.split()) > 1:  # each map is a program, which a name alone does not need
                    self.same(seen, expected)
        for name in ("f2", "f4", "f8", "c8", "c16", "i1", "b1"):
            self.assertEqual(cl.dtype(name).dtype, np.dtype(name))

    def test_names_that_numpy_has_for_other_types_are_refused_in_chains(self):
        array = on_device(counted(4))
        for name in ("i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            for text in (f"cast={name}", f"flip=0 cast={name},even", f"flip=0;bitcast={name}",
                         f"round={name} flip=0", f"quantize={name},0.5", f"cast=f2 dequantize={name},1"):
                with self.subTest(text=text), self.assertRaisesRegex(
                        TypeError, f"'{name}' is u?int. to the library and u?int.* to NumPy: write"):
                    cl.chain(array, text)
        with self.assertRaisesRegex(ValueError, "nothing"):
            cl.chain(array, "cast=nothing")

    def test_what_rounds_twice_is_one_pass(self):
        host = np.linspace(-3, 60000, 41, dtype="f4")
        self.same(on_device(host).cast("float16").cast("float32"), host.astype("f2").astype("f4"))

    def test_wrong_maps_are_refused(self):
        array = on_device(counted(2, 3))
        for call, words in ((lambda: cl.cast(array, "uint8", rounding="odd"), "'odd' is none of"),
                            (lambda: cl.normalize(array, [1, 2], 1), "2"),
                            (lambda: cl.normalize(array, 0, 0), "0"),
                            (lambda: cl.normalize(array, [], 1), "number"),
                            (lambda: cl.normalize(array, np.ones((2, 1)), 1), "2 dims.*to_device"),
                            (lambda: cl.normalize(array, 0, np.ones((1, 3))), "2 dims.*to_device"),
                            (lambda: cl.dequantize(array, np.ones((1, 3))), "2 dims.*to_device"),
                            (lambda: cl.normalize(array, [[1], [2]], 1), "a list of numbers"),
                            (lambda: cl.normalize(array, 0, None), "a list of numbers"),
                            (lambda: cl.quantize(array, object()), "a list of numbers"),
                            (lambda: cl.normalize(array, 10**400, 1), "a list of numbers")):
            with self.assertRaisesRegex(ValueError, words):
                call()


if __name__ == "__main__":
    unittest.main()
