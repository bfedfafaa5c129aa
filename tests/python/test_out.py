"""out= of every function and method that makes a result: the same checks, the same elements as without.

SPDX-License-Identifier: Apache-2.0
"""

import random
import unittest

import numpy as np

import clreshape as cl
from hosts import counted
from own import QUEUE, ArrayCase, on_device, takes_steps

HOST = counted(2, 3, 4)
INDICES = np.array([2, 0, -1], np.int32)

# Each makes a result of an array of HOST.
CALLS = {
    "chain": lambda x, **o: cl.chain(x, "permute=1,0,2 cast=f16", **o),
    "reshape": lambda x, **o: cl.reshape(x, (4, 6), **o),
    "transpose": lambda x, **o: cl.transpose(x, (2, 0, 1), **o),
    "rearrange": lambda x, **o: cl.rearrange(x, "a b (c d) -> (d a) b c", d=2, **o),
    "rearrange of a list": lambda x, **o: cl.rearrange([x, x], "n a b c -> a b (n c)", **o),
    "repeat": lambda x, **o: cl.repeat(x, "a b c -> a b (c n)", n=2, **o),
    "contiguous": lambda x, **o: cl.contiguous(x, **o),
    "cast": lambda x, **o: cl.cast(x, "int16", **o),
    "normalize": lambda x, **o: cl.normalize(x, 3, 2, **o),
    "quantize": lambda x, **o: cl.quantize(x, .5, 3, **o),
    "dequantize": lambda x, **o: cl.dequantize(cl.cast(x, "uint8"), .5, 3, **o),
    "squeeze": lambda x, **o: cl.squeeze(x[:, :1], **o),
    "expand_dims": lambda x, **o: cl.expand_dims(x, (0, 2), **o),
    "flip": lambda x, **o: cl.flip(x, **o),
    "moveaxis": lambda x, **o: cl.moveaxis(x, 0, -1, **o),
    "swapaxes": lambda x, **o: cl.swapaxes(x, 0, 1, **o),
    "broadcast_to": lambda x, **o: cl.broadcast_to(x, (2, 2, 3, 4), **o),
    "concatenate": lambda x, **o: cl.concatenate([x, x[:1]], **o),
    "stack": lambda x, **o: cl.stack([x, x], -1, **o),
    "stack with a border": lambda x, **o: cl.stack([x, x[:1]], shape=(3, 3, 5), border=7, **o),
    "pad": lambda x, **o: cl.pad(x, 1, 9, **o),
    "pad of a mode": lambda x, **o: cl.pad(x, 1, mode="reflect", **o),
    "regions": lambda x, **o: cl.regions(x, [[0, 0, 2, 2], [1, 1, 3, 2]], (2, 2), "torch_nearest", **o),
    "take": lambda x, **o: cl.take(x, [1, 0, 1], 1, **o),
    "take by a number": lambda x, **o: cl.take(x, 1, 1, **o),
    "take on the device": lambda x, **o: cl.take(x, on_device(INDICES), 1, **o),
    "a.reshape": lambda x, **o: x.reshape(6, 4, **o),
    "a.transpose": lambda x, **o: x.transpose(2, 0, 1, **o),
    "a.rearrange": lambda x, **o: x.rearrange("a b c -> (c b a)", **o),
    "a.cast": lambda x, **o: x.cast("float16", **o),
    "a.astype": lambda x, **o: x.astype("uint8", **o),
    "a.normalize": lambda x, **o: x.normalize(1, 2, dtype="float16", **o),
    "a.squeeze": lambda x, **o: x[:1].squeeze(0, **o),
    "a.swapaxes": lambda x, **o: x.swapaxes(0, -1, **o),
    "a.ravel": lambda x, **o: x.ravel(**o),
    "a.flatten": lambda x, **o: x.flatten(**o),
    "a.contiguous": lambda x, **o: x.T.contiguous(**o),
    "a.copy": lambda x, **o: x.T.copy(**o)}
STEPS = {
    name: lambda x, name=name, **o: getattr(cl, name)(x, 3, **o)
    for name in ("add", "subtract", "multiply", "divide", "minimum", "maximum")}
STEPS |= {name: lambda x, name=name, **o: getattr(cl, name)(x.astype("int32"), 3, **o)
          for name in ("left_shift", "right_shift")}
STEPS |= {"clip": lambda x, **o: cl.clip(x, 3, 7, **o), "a.clip": lambda x, **o: x.clip(3, **o)}
NO_OUT = {"asarray", "copyto", "from_dlpack", "index_copy", "split", "to_device", "empty", "wrap", "dtype",
          "release_contexts"}


class Out(ArrayCase):
    def setUp(self):
        self.array = on_device(HOST)

    def into(self, call, made):
        """The call's output in an array of any strides, between unchanged bytes."""
        gaps = np.full([2 * extent + 1 for extent in made.shape], 77, made.dtype)
        room = on_device(gaps)
        inside = (slice(1, None, 2),) * made.ndim
        out = room[inside][..., ::-1] if made.ndim else room
        self.assertIs(call(self.array, out=out), out)
        self.same(out, made)
        if made.ndim:
            gaps[inside] = made[..., ::-1]
            self.same(room, gaps)

    def refused(self, call, made):
        """The same errors of every function."""
        wrong = cl.empty((*made.shape, 1), made.dtype, QUEUE)
        with self.assertRaisesRegex(cl.ArgumentError, r"^out is \w+ of shape .*; the result is \w+ of shape"):
            call(self.array, out=wrong)
        wrong = cl.empty(made.shape, "bits128", QUEUE)
        with self.assertRaisesRegex(cl.ArgumentError, "^out is bits128 of shape .*; the result is"):
            call(self.array, out=wrong)
        with self.assertRaisesRegex(TypeError, "no tensor in an OpenCL buffer"):
            call(self.array, out=made)
        whole = cl.broadcast_to(cl.empty((), made.dtype, QUEUE), made.shape)
        with self.assertRaises(cl.OverlapError):
            call(self.array, out=whole)

    def each(self, calls):
        for name, call in calls.items():
            with self.subTest(name=name):
                made = call(self.array).get()
                self.into(call, made)
                self.refused(call, made)

    def test_every_function(self):
        self.each(CALLS)

    @takes_steps
    def test_steps(self):
        self.each(STEPS)

    def test_nothing_is_left_out(self):
        tried = {name.split()[0] for name in {**CALLS, **STEPS}}
        functions = {name for name in cl.__all__ if not isinstance(getattr(cl, name), type)}
        self.assertEqual(functions - tried, NO_OUT)

    def test_it_is_a_move(self):
        out = cl.empty((4, 3, 2), "float32", QUEUE)
        with self.assertRaisesRegex(ValueError, "copy=False"):
            cl.transpose(self.array, out=out, copy=False)
        self.assertIs(cl.transpose(self.array, out=out, copy=True), out)
        self.assertEqual(len(out.events), 1)
        before = cl.copyto(self.array, 5)
        cl.transpose(self.array, out=out, wait_for=[before])
        self.same(out, np.full((4, 3, 2), 5, np.float32))

    def test_what_cannot_be_written_is_refused(self):
        lazy = self.array.astype("float16")
        with self.assertRaises(cl.ClreshapeError):
            cl.cast(self.array, "float16", out=lazy)
        with self.assertRaises(cl.OverlapError):
            cl.flip(self.array, out=self.array)

    def test_random_views_into_random_views(self):
        draw = random.Random("clreshape out")
        for _ in range(60):
            shape = [draw.randint(1, 5) for _ in range(draw.randint(1, 3))]
            host, order = counted(*shape, dtype=np.int16), draw.sample(range(len(shape)), len(shape))
            dtype = draw.choice(["int16", "float32", "uint8"])
            expected = host.transpose(order).astype(dtype)
            room = np.zeros([2 * dim for dim in expected.shape], dtype)
            index = tuple(draw.choice([slice(0, dim), slice(dim, None), slice(None, None, 2),
                                       slice(None, None, -2)]) for dim in expected.shape)
            array = on_device(room)
            with self.subTest(shape=shape, order=order, dtype=dtype, index=index):
                cl.cast(on_device(host).transpose(order), dtype, out=array[index])
                room[index] = expected
                self.same(array, room)


class Got(ArrayCase):
    def test_get_reads_into_an_array_of_the_host(self):
        array, host = on_device(HOST), np.empty((4, 3, 2), np.float32)
        self.assertIs(array.T.get(out=host), host)
        np.testing.assert_array_equal(host, HOST.T)
        for out, words in ((np.empty((4, 3), np.float32), r"out is float32 of shape \(4, 3\); the result"),
                           (np.empty((4, 3, 2), np.int32), "out is int32 of shape"),
                           ([1], "out is a list"), (np.empty((2, 3, 4), np.float32).T, "row-major"),
                           (np.broadcast_to(np.float32(0), (4, 3, 2)), "read-only")):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                array.T.get(out=out)


if __name__ == "__main__":
    unittest.main()
