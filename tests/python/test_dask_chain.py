"""clreshape.dask.chain: random chains of random chunks against NumPy, in one pass or with Dask
rechunking in between, and refused input.

SPDX-License-Identifier: Apache-2.0
"""

import random
import sys
import unittest

import dask
import dask.array as da
import einops
import numpy as np

import clreshape.dask
from chunked import main, random_chunks
from hosts import counted

SEED, CHAINS = 20261124, 300


# ---- operations: a random one for a host array is its text and what NumPy makes of it, or None ----

def dims_of(generator, count):
    """A random shape of so many elements."""
    dims = []
    while count > 1 and len(dims) < 4:
        divisors = [d for d in range(1, count + 1) if count % d == 0]
        dims.append(generator.choice(divisors))
        count //= dims[-1]
    return dims + [count]


def listed(values):
    return ",".join(map(str, values))


def reshape(g, a):
    dims = dims_of(g, a.size)
    given = list(dims)
    if g.random() < 0.5:
        given[g.randrange(len(given))] = -1
    return f"reshape={listed(given)}", a.reshape(dims)


def permute(g, a):
    order = g.sample(range(a.ndim), a.ndim)
    return f"permute={listed(order)}", a.transpose(order)


def move_axis(g, a):
    b, e = g.randrange(-a.ndim, a.ndim), g.randrange(-a.ndim, a.ndim)
    return f"move_axis={b},{e}", np.moveaxis(a, b, e)


def swap_axes(g, a):
    b, e = g.randrange(a.ndim), g.randrange(-a.ndim, a.ndim)
    return f"swap_axes={b},{e}", np.swapaxes(a, b, e)


def squeeze(g, a):
    return "squeeze;", a.squeeze()


def unsqueeze(g, a):
    axis = g.randrange(-a.ndim - 1, a.ndim + 1)
    return (f"unsqueeze={axis}", np.expand_dims(a, axis)) if a.ndim < 6 else None


def flatten(g, a):
    axis = g.randrange(a.ndim)
    return f"flatten={axis}", a.reshape(int(np.prod(a.shape[:axis])), -1)


def expand(g, a):
    dims = [g.choice((2, 3)) if extent == 1 else extent for extent in a.shape]
    more = [2] if a.ndim < 5 and g.random() < 0.3 else []
    return f"expand={listed(more + dims)}", np.broadcast_to(a, more + dims)


def tile(g, a):
    times = [g.choice((1, 1, 1, 2)) for _ in a.shape]
    return f"tile={listed(times)}", np.tile(a, times)


def repeat(g, a):
    axis = g.randrange(-a.ndim, a.ndim)
    return f"repeat={axis},2", a.repeat(2, axis)


def slices(g, a):
    words = [g.choice((":", ":", "1:", "::2", "::-1", ":-1", "-1", "0", "-3::-2", "0:1",
                       "-99:99", f"{2**70}::-{2**70}"))
             for _ in a.shape]
    index = tuple(int(w) if ":" not in w else slice(*(int(p) if p else None for p in w.split(":")))
                  for w in words)
    result = a[index]
    return (f"slice={listed(words)}", np.asarray(result, a.dtype)) if result.size else None


def leading_slice(g, a):
    return (f"slice=...,{-1}", a[..., -1]) if a.ndim > 1 else None


def flip(g, a):
    axes = g.sample(range(a.ndim), g.randrange(1, a.ndim + 1))
    return f"flip={listed(axes)}", np.flip(a, axes)


def roll(g, a):
    axis, by = g.randrange(-a.ndim, a.ndim), g.randrange(-5, 6)
    return f"roll={axis},{by}", np.roll(a, by, axis)


def split(g, a):
    """As in ONNX's Split-18: ceil(extent / parts) each, and a smaller last part."""
    axis = g.randrange(a.ndim)
    extent = a.shape[axis]
    parts = g.choice([n for n in range(1, extent + 1) if -(-extent // n) * (n - 1) < extent])
    which, size = g.randrange(parts), -(-extent // parts)
    return f"split={axis},{parts},{which}", np.split(a, range(size, extent, size), axis)[which]


def window(g, a):
    axis = g.randrange(a.ndim)
    size, step = g.randrange(1, a.shape[axis] + 1), g.randrange(1, 4)
    view = np.lib.stride_tricks.sliding_window_view(a, size, axis)
    return (f"window={axis},{size},{step}",
            view[(slice(None),) * axis + (slice(None, None, step),)]) if a.ndim < 6 else None


def diagonal(g, a):
    if a.ndim < 2:
        return None
    b, e = g.sample(range(a.ndim), 2)
    return f"diagonal=0,{b},{e}", np.diagonal(a, 0, b, e)


def pad(g, a):
    widths = [(g.randrange(3), g.randrange(3)) if g.random() < 0.4 else (0, 0) for _ in range(a.ndim)]
    mode = g.choice(("edge", "wrap", "symmetric"))
    words = ",".join(f"{before}:{behind}" for before, behind in widths)
    return (f"pad={words},mode={mode};", np.pad(a, widths, mode)) if a.ndim > 1 else None


def channel_shuffle(g, a):
    if a.ndim < 2:
        return None
    axis = g.randrange(a.ndim)
    groups = g.choice([d for d in range(1, a.shape[axis] + 1) if a.shape[axis] % d == 0])
    before, extent, behind = a.shape[:axis], a.shape[axis], a.shape[axis + 1:]
    moved = a.reshape(*before, groups, extent // groups, *behind).swapaxes(axis, axis + 1)
    return f"channel_shuffle={groups},{axis}", moved.reshape(a.shape)


def depth_to_space(g, a):
    if a.ndim != 4 or a.shape[1] % 4:
        return None
    word, pattern = g.choice((("DCR", "n (p q c) h w -> n c (h p) (w q)"),
                              ("CRD", "n (c p q) h w -> n c (h p) (w q)")))
    return f"depth_to_space=2,{word}", einops.rearrange(a, pattern, p=2, q=2)


def space_to_depth(g, a):
    if a.ndim != 4 or a.shape[2] % 2 or a.shape[3] % 2:
        return None
    return ("space_to_depth=2",
            einops.rearrange(a, "n c (h p) (w q) -> n (p q c) h w", p=2, q=2))


def space_to_batch(g, a):
    if a.ndim != 3 or a.shape[1] % 2:
        return None
    return "space_to_batch=1,2,1", einops.rearrange(a, "n (h b) w -> (b n) h w", b=2)


def batch_to_space(g, a):
    if a.ndim != 3 or a.shape[0] % 2:
        return None
    return "batch_to_space=1,1,2", einops.rearrange(a, "(b n) h w -> n h (w b)", b=2)


def rearrange(g, a):
    if a.ndim < 2 or a.ndim > 4:
        return None
    names = [f"a{i}" for i in range(a.ndim)]
    cut = g.randrange(a.ndim)
    inner = g.choice([d for d in range(1, a.shape[cut] + 1) if a.shape[cut] % d == 0])
    left = " ".join(f"(o {name})" if i == cut else name for i, name in enumerate(names))
    axes = g.sample([*names, "o"], a.ndim + 1)
    right = f"({axes[0]} {axes[1]}) {' '.join(axes[2:])}" if g.random() < 0.7 else f"{axes[0]} 1 " + \
        " ".join(axes[1:])
    lengths = {f"a{cut}": inner}
    return (f"rearrange={left} -> {right}, a{cut}={inner};",
            einops.rearrange(a, f"{left} -> {right}", **lengths))


def einops_repeat(g, a):
    if not 1 <= a.ndim <= 4:
        return None
    pattern = g.choice(("a ... -> (a r) ...", "a ... -> r a ...", "a ... -> a 2 ... 1"))
    pattern = pattern if a.ndim > 1 or "(" in pattern else "a ... -> r ... a"
    if "r" in pattern.split("->")[1]:
        return f"repeat={pattern}, r=3;", einops.repeat(a, pattern, r=3)
    return f"repeat={pattern};", einops.repeat(a, pattern)


MOVES = (reshape, reshape, permute, move_axis, swap_axes, squeeze, unsqueeze, flatten, expand, tile, repeat,
         slices, slices, leading_slice, flip, roll, split, window, diagonal, pad, channel_shuffle,
         depth_to_space, space_to_depth, space_to_batch, batch_to_space, rearrange, rearrange, einops_repeat)


def random_chain(generator, host, count):
    """The text of some operations, and NumPy's result for the array."""
    words = []
    while len(words) < count:
        made = generator.choice(MOVES)(generator, host) if host.ndim else unsqueeze(generator, host)
        if made is not None and made[1].size <= 4000:
            words.append(made[0])
            host = made[1]
    return " ".join(words), host


class Chains(unittest.TestCase):
    def same(self, array, expected):
        self.assertEqual((array.shape, array.dtype), (expected.shape, expected.dtype))
        got = array.compute(scheduler="synchronous")
        self.assertEqual((got.shape, got.dtype), (expected.shape, expected.dtype))
        np.testing.assert_array_equal(got, expected)

    def test_random_chains(self):
        generator = random.Random(SEED)
        refused = 0
        for number in range(CHAINS):
            shape = generator.choice(((4, 6, 8), (12, 10), (2, 8, 4, 6), (30,), (3, 1, 20), (6, 4, 2, 2, 3)))
            dtype = np.dtype(generator.choice(["f4", "u1", "i8", "c16", ">i4", "M8[s]"]))
            host = counted(*shape, dtype=np.uint8).astype(dtype)
            chunks = random_chunks(generator, shape)
            text, expected = random_chain(generator, host, generator.randrange(1, 7))
            size = generator.choice(("128MiB", "400B", "3kB"))
            with self.subTest(number=number, shape=shape, chunks=chunks, text=text, size=size), \
                    dask.config.set({"array.chunk-size": size}):
                try:
                    array = clreshape.dask.chain(da.from_array(host, chunks), text)
                except ValueError as error:
                    self.assertIn("cannot be done chunk by chunk", str(error))
                    self.assertNotEqual(size, "128MiB")
                    refused += 1
                    continue
                self.same(array, expected)
        self.assertLess(refused, CHAINS // 2)

    def test_chunks_are_as_large_as_they_may_be(self):
        array = da.from_array(counted(64, 32, 16), (8, 8, 8))
        for text, chunks in (
                ("permute=2,0,1", ((8,) * 2, (8,) * 8, (8,) * 4)),
                ("reshape=2048,16", ((256,) * 8, (8, 8))),
                ("reshape=64,4,8,16 permute=0,2,1,3", ((8,) * 8, (8,), (1,) * 4, (8, 8))),
                ("repeat=0,2 flip=1", ((16,) * 8, (8,) * 4, (8, 8))),
                ("window=1,4,2", ((8,) * 8, (15,), (8, 8), (4,))),
                ("window=1,4,4", ((8,) * 8, (2,) * 4, (8, 8), (4,))),
                ("slice=:,::2,3 unsqueeze=0", ((1,), (8,) * 8, (4,) * 4)),
                ("tile=1,2,1", ((8,) * 8, (64,), (8, 8))),
                ("diagonal=0,0,2", ((8,) * 4, (16,))),
                ("space_to_batch=1,4,1", ((256,), (2,) * 4, (8, 8))),
                ("channel_shuffle=4,0 roll=1,3", ((64,), (3, 8, 8, 8, 5), (8, 8)))):
            with self.subTest(text=text):
                self.assertEqual(clreshape.dask.chain(array, text).chunks, chunks)

    def test_a_dim_of_one_may_become_more(self):
        host = counted(3, 4, 2, 6)
        expected = einops.repeat(host, "n c (h p) (w q) -> n (p q c) (h 2) w", p=2, q=2)
        array = da.from_array(host, (1, 2, 1, 3))
        self.same(clreshape.dask.chain(array, "space_to_depth=2 expand=3,16,2,3"), expected)

    def test_rechunks_where_no_dim_stays_cut(self):
        host = counted(64, 48)
        array = da.from_array(host, (16, 16))
        with dask.config.set({"array.chunk-size": "4kB"}):
            flat = clreshape.dask.chain(array, "permute=1,0 reshape=-1")
        self.assertGreater(flat.npartitions, 1)
        self.assertLessEqual(flat.chunksize[0] * 4, 4096)
        self.same(flat, host.T.reshape(-1))

    def test_maps(self):
        host = counted(6, 8, 3, dtype=np.uint8)
        array = da.from_array(host, (4, 3, 2))
        mean, std = np.float32([1, 2, 3]), np.float32([2, 4, 8])
        self.same(clreshape.dask.chain(array, "cast=f32 mean=1,2,3 std=2,4,8 permute=2,0,1 cast=f16"),
                  ((host - mean) / std).astype(np.float16).transpose(2, 0, 1))
        self.same(clreshape.dask.chain(array, "cast=f32 bias=1,2,3,4,5,6,axis=0 clamp=3,40"),
                  np.clip(host + np.arange(1, 7, dtype=np.float32)[:, None, None], 3, 40))
        self.same(clreshape.dask.chain(array, "cast=f32 quantize=uint8,0.5:1:2,0:1:2,2"), np.clip(np.rint(
            host / np.float32([0.5, 1, 2])) + [0, 1, 2], 0, 255).astype(np.uint8))
        self.same(clreshape.dask.chain(array, "bitcast=int8 slice=1:"), host.view(np.int8)[1:])
        planes = clreshape.dask.chain(array, "cast=f32 mean=7")
        self.assertEqual(planes.chunks, array.chunks)

    def by_library(self, host, text):  # as one chunk
        return clreshape.dask.chain(da.from_array(host, -1), text).compute(scheduler="synchronous")

    def test_pictures_and_frames(self):
        pixels, frames = counted(6, 10, 14, 3, dtype=np.uint8), counted(4, 12, 8, dtype=np.uint8)
        for host, text in (
                (pixels, "resize=5,9,opencv_linear"), (pixels, "resize=20,14,pillow_bicubic flip=0"),
                (pixels, "slice=::2,1: resize=9,14,torch_nearest permute=0,3,1,2 cast=f2"),
                (pixels, "resize=3,30,onnx_nearest,axis=0,nearest_mode=ceil reshape=90,42"),
                (pixels, "color=bgr,grey,opencv cast=f4 mean=3"), (frames, "color=nv12,rgb,opencv"),
                (frames, "color=i420,bgr,openvino slice=:,:,2: resize=7,5,opencv_linear cast=f4 std=2"),
                (pixels[..., :2], "color=yuyv,rgb,opencv permute=3,0,1,2")):
            array = da.from_array(host, random_chunks(random.Random(SEED), host.shape))
            with self.subTest(text=text):
                self.same(clreshape.dask.chain(array, text), self.by_library(host, text))
        array = da.from_array(pixels, (2, 5, 7, 3))
        self.assertEqual(clreshape.dask.chain(array, "resize=4,5,opencv_linear cast=f2").chunks,
                         ((2, 2, 2), (4,), (5,), (3,)))

    def test_pads(self):
        host = counted(6, 8, 3)
        array = da.from_array(host, (4, 3, 2))
        padded = clreshape.dask.chain(array, "pad=0,2:1,0,value=7 scale=2")
        self.same(padded, np.pad(host * 2, ((0, 0), (2, 1), (0, 0)), constant_values=14))
        self.assertEqual(padded.chunks, ((4, 2), (11,), (2, 1)))
        for mode in ("edge", "reflect", "symmetric", "wrap"):
            with self.subTest(mode=mode):
                self.same(clreshape.dask.chain(array, f"slice=1: permute=1,0,2 pad=3,mode={mode} pad=1 flip=1"),
                          np.flip(np.pad(np.pad(host[1:].transpose(1, 0, 2), 3, mode), 1), 1))
        self.same(clreshape.dask.chain(da.from_array(host, 4), "pad=2 resize=5,5,torch_bilinear"),
                  self.by_library(np.pad(host, 2), "resize=5,5,torch_bilinear"))

    def test_bitcasts_to_other_widths(self):
        host = counted(6, 8, 4, dtype=np.uint8)
        array = da.from_array(host, (4, 3, 2))
        signed = (np.stack([host & 15, host >> 4], -1).reshape(6, 8, 8) ^ 8).astype(np.int8) - 8
        for text, expected in (
                ("bitcast=float32 slice=1:", host.view("f4")[1:]),
                ("bitcast=uint16 permute=1,0,2 flip=0", host.view("u2").transpose(1, 0, 2)[::-1]),
                ("slice=::2,1: bitcast=int4 cast=int8", signed[::2, 1:]),
                ("bitcast=uint16 bitcast=uint8 cast=f2", host.astype("f2")),
                ("bitcast=int4 reshape=48,-1 slice=:,1: cast=f4", signed.reshape(48, -1)[:, 1:].astype("f4"))):
            with self.subTest(text=text):
                self.same(clreshape.dask.chain(array, text), expected)
        self.assertEqual(clreshape.dask.chain(array, "bitcast=float32").chunks, ((4, 2), (3, 3, 2), (1,)))
        for text, words in (("permute=2,0,1 bitcast=uint16", "the last axis is not dense"),
                            ("bitcast=float64", "4 elements of u8 is no multiple of the 64 bits")):
            with self.assertRaisesRegex(ValueError, words):
                clreshape.dask.chain(array, text)

    def test_empty_and_scalar(self):
        array = da.from_array(counted(4, 6), 2)
        self.same(clreshape.dask.chain(array, "slice=2:2 cast=f16"), np.empty((0, 6), np.float16))
        self.same(clreshape.dask.chain(array, "slice=-9::-1 unsqueeze=0"), np.empty((1, 0, 6), np.float32))
        self.same(clreshape.dask.chain(array, "slice=1,2"), np.array(counted(4, 6)[1, 2]))
        self.same(clreshape.dask.chain(array, ""), counted(4, 6))
        self.same(clreshape.dask.chain(da.from_array(np.float32(3)), "reshape=1,1 tile=2,3"),
                  np.full((2, 3), 3, np.float32))

    def test_parts_of_a_split_are_the_librarys(self):
        host = counted(7, 2)
        for chunks in (7, 2, 1):
            array = da.from_array(host, (chunks, 2))
            for which, rows in enumerate((slice(0, 3), slice(3, 6), slice(6, 7))):
                self.same(clreshape.dask.chain(array, f"split=0,3,{which}"), host[rows])

    def test_a_chain_of_as_many_operations_as_there_may_be(self):
        generator = random.Random(SEED + 1)
        host, words = counted(4, 6, 8), []
        expected = host
        while len(words) < 32:
            order = generator.sample(range(3), 3)
            words.append(f"permute={listed(order)}")
            expected = expected.transpose(order)
        self.same(clreshape.dask.chain(da.from_array(host, (2, 3, 3)), " ".join(words)), expected)

    def test_what_is_wrong_is_said_at_the_call(self):
        array = da.from_array(counted(64, 64), 8)
        with dask.config.set({"array.chunk-size": "1kB"}):
            for words, text in (("'diagonal=0,0,1' cannot be done chunk by chunk", "diagonal=0,0,1"),
                                ("cannot be done chunk by chunk.*1000 bytes", "permute=1,0 tile=2,2"),
                                ("", "reshape=5,5"), ("unknown operation", "turn=1"),
                                ("'resize=.*cannot be done chunk by chunk", "resize=99,5,torch_nearest,axis=0"),
                                ("'pad=70' cannot be done chunk by chunk", "pad=70"),
                                ("resizing stands before other maps", "mean=1 resize=4,5,torch_nearest"),
                                ("", "mean=1 cast=f64 cast=uint8 mean=2"), ("write 'int8' or 'int64'", "cast=i8")):
                with self.subTest(text=text), self.assertRaisesRegex(
                        (ValueError, TypeError, NotImplementedError), words):
                    clreshape.dask.chain(array.astype("f4"), text)
        with self.assertRaisesRegex(TypeError, "no dask.array"):
            clreshape.dask.chain([1], "flip=0")
        swapped = array.astype(">f4")
        for call in (lambda: clreshape.dask.chain(swapped, "cast=f16"),
                     lambda: clreshape.dask.cast(swapped, "float16"),
                     lambda: clreshape.dask.normalize(swapped, 1, 2)):
            with self.assertRaisesRegex(TypeError, "elements of >f4 have another byte order"):
                call()


if __name__ == "__main__":
    sys.exit(main())
