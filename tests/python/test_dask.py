"""clreshape.dask on a local cluster of two workers, against NumPy and einops: random chunks, and a
store larger than the workers' memory.

SPDX-License-Identifier: Apache-2.0
"""

import os
import pickle
import random
import subprocess
import sys
import tempfile
import unittest

import dask
import dask.array as da
import einops
import numpy as np
import zarr
from dask.distributed import Client, LocalCluster

import clreshape as cl
import clreshape.dask
from clreshape import _devices
from chunked import main, random_chunks
from hosts import counted

SEED, ROUNDS = 20261123, 40
MEMORY = 512 << 20  # limit of a worker, and more than half goes to Dask, Zarr and PoCL's compiler
PATTERNS = [  # with a shape and lengths
    ("b t (h d) -> (b h) t d", (5, 7, 12), {"h": 3}),
    ("(a b) c -> a (b c)", (12, 5), {"b": 4}),
    ("(a b) c -> (b a) c", (12, 5), {"a": 3}),
    ("a (b c) -> (a b) c", (5, 12), {"c": 4}),
    ("a b c -> c b a", (4, 5, 6), {}),
    ("a ... -> ... a", (4, 5, 6), {}),
    ("a ... -> (... a)", (4, 5, 6), {}),
    ("... (a b) -> b ... a", (4, 5, 6), {"a": 2}),
    ("a ... c -> c (a ...)", (4, 5, 3, 6), {}),
    ("a 1 b -> 1 b () a", (6, 1, 7), {}),
    ("(one a) b -> a (one b)", (6, 7), {"one": 1}),
    ("n (h p) (w q) c -> n (h w) (p q c)", (3, 4, 6, 2), {"p": 2, "q": 3}),
    ("b (device d) -> device b d", (4, 6), {"device": 3}),
    ("a \u2026 -> \u2026 a", (4, 5), {}), ("(a \u2026) b -> \u2026 (b a)", (12, 5), {"a": 3}),
    ("a b -> (a b)", (0, 7), {}), ("(a b) c -> a c b", (0, 7), {"b": 3}), ("a -> a 1", (1,), {})]
DTYPES = [np.float32, np.uint8, np.int64, np.complex128, ">i4", "M8[s]", "i4,u2,u2"]


class DaskCase(unittest.TestCase):
    memory = 0  # no limit

    @classmethod
    def setUpClass(cls):
        cls.cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                   host="127.0.0.1", dashboard_address=None, memory_limit=cls.memory)
        cls.client = Client(cls.cluster)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.cluster.close()

    def same(self, array, expected):
        self.assertEqual((array.shape, array.dtype), (expected.shape, expected.dtype))
        got = array.compute()
        self.assertEqual((got.shape, got.dtype), (expected.shape, expected.dtype))
        np.testing.assert_array_equal(got, expected)


class Small(DaskCase):
    def test_patterns_of_random_chunks(self):
        generator = random.Random(SEED)
        for number in range(ROUNDS):
            pattern, shape, lengths = PATTERNS[number % len(PATTERNS)]
            dtype = np.dtype(generator.choice(DTYPES))
            host = counted(*shape, dtype=np.uint8).astype(dtype)
            chunks = random_chunks(generator, shape)
            with self.subTest(pattern=pattern, chunks=chunks, dtype=dtype):
                array = clreshape.dask.rearrange(da.from_array(host, chunks), pattern, **lengths)
                self.same(array, einops.rearrange(host, pattern, **lengths))

    def test_transposes_of_random_chunks(self):
        generator = random.Random(SEED + 1)
        for axes in (None, (2, 0, 1), (0, -1, 1), (1, 0, 2)):
            host = counted(4, 5, 6)
            array = da.from_array(host, random_chunks(generator, host.shape))
            result = clreshape.dask.transpose(array, axes)
            self.same(result, host.transpose(axes))
            self.assertEqual(result.chunks, tuple(array.chunks[i] for i in axes or (2, 1, 0)))
        self.same(clreshape.dask.transpose(da.from_array(np.float32(3))), np.array(3, np.float32))

    def test_frames_to_planes(self):
        generator = random.Random(SEED + 2)
        host = np.random.default_rng(SEED).integers(0, 256, (3, 8, 10, 3), np.uint8)
        mean, std = np.float32([123.7, 116.3, 103.5]), np.float32([58.4, 57.1, 57.4])
        expected = ((host - mean) / std).astype(np.float16)
        for _ in range(3):
            array = da.from_array(host, random_chunks(generator, host.shape))
            planes = clreshape.dask.normalize(array, mean, std, dtype="float16",
                                              pattern="n h w c -> n c h w")
            self.same(planes, expected.transpose(0, 3, 1, 2))
            self.same(clreshape.dask.normalize(array, mean, std, dtype="float16"), expected)
            scaled = clreshape.dask.normalize(array, 0, 255)
            self.assertEqual(scaled.chunks, array.chunks)
            self.same(scaled, host / np.float32(255))

    def test_casts(self):
        host = counted(6, 7)
        array = da.from_array(host - 0.5, (4, 3))
        self.same(clreshape.dask.cast(array, "int16"), (host - 0.5).astype(np.int16))
        self.same(clreshape.dask.cast(array, "int32", rounding="down", pattern="(a b) c -> c a b",
                                      a=2),
                  np.floor(host - 0.5).astype(np.int32).reshape(2, 3, 7).transpose(2, 0, 1))

    def test_a_device_by_name(self):
        array = da.from_array(counted(4, 6), 3)
        self.same(clreshape.dask.transpose(array, device="0:0"), counted(4, 6).T)
        with self.assertRaisesRegex(ValueError, "there is no device '99:0'"):
            clreshape.dask.transpose(array, device="99:0").compute()


class Chunks(unittest.TestCase):
    """The metadata for Dask, without a worker."""

    def test_dims_stay_cut_where_they_can(self):
        array = da.zeros((8, 6, 12), chunks=(3, 2, 5))
        for pattern, lengths, chunks in (
                ("b t (h d) -> (b h) t d", {"h": 3}, ((9, 9, 6), (2, 2, 2), (4,))),
                ("(a b) t d -> a t (b d)", {"b": 2}, ((2, 1, 1), (2, 2, 2), (24,))),
                ("b t d -> (t b) d", {}, ((16, 16, 16), (5, 5, 2))),
                ("a b c -> (a b c)", {}, ((216, 216, 144),))):
            with self.subTest(pattern=pattern):
                result = clreshape.dask.rearrange(array, pattern, **lengths)
                self.assertEqual(result.chunks, chunks)

    def test_chunks_do_not_outgrow_dasks_size(self):
        array = da.zeros((64, 1 << 20), np.uint8, chunks=(64, 1 << 14))
        with dask.config.set({"array.chunk-size": "4MiB"}):
            result = clreshape.dask.rearrange(array, "a b -> (a b)")
        self.assertLessEqual(result.chunksize[0], 4 << 20)

    def test_what_is_wrong_is_said_at_the_call(self):
        array = da.zeros((4, 6), chunks=2)
        mask = da.from_array(np.arange(9), 3)
        for error, words, call in (
                (TypeError, "no dask.array", lambda: clreshape.dask.rearrange([1], "a -> a")),
                (ValueError, "", lambda: clreshape.dask.rearrange(array, "a b -> a")),
                (ValueError, "", lambda: clreshape.dask.rearrange(array, "(a b) c -> a b c", a=3)),
                (ValueError, "unknown sizes", lambda: clreshape.dask.transpose(mask[mask > 3])),
                (ValueError, "axis 2", lambda: clreshape.dask.transpose(array, (0, 2))),
                (ValueError, "of one for each of the 6",
                 lambda: clreshape.dask.normalize(array, [1, 2], 1)),
                (ValueError, "no pattern", lambda: clreshape.dask.cast(array, "f16", h=2)),
                (ValueError, "P:D", lambda: clreshape.dask.transpose(array, device="gpu")),
                (TypeError, "Python objects",
                 lambda: clreshape.dask.transpose(array.astype(object)))):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()

    def test_a_fork_is_refused(self):
        code = """if True:
            import os
            from clreshape import _devices
            _devices.queue_of()
            child = os.fork()
            if child:
                os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            try:
                _devices.queue_of()
            except ValueError as error:
                os._exit(3 if "spawn" in str(error) else 4)
            os._exit(5)
        """
        done = subprocess.run([sys.executable, "-c", code], check=False)
        self.assertEqual(done.returncode, 3)

    def test_tasks_are_pickled_without_handles(self):
        array = clreshape.dask.normalize(da.zeros((4, 6), chunks=2), 1, 2)
        again = pickle.loads(pickle.dumps(array))
        self.assertEqual((again.chunks, again.name), (array.chunks, array.name))


class Large(DaskCase):
    memory = MEMORY

    def test_a_store_larger_than_the_workers_memory(self):
        count, shape = 1040, (512, 683, 3)  # 1 MiB each
        mean, std = [123.7, 116.3, 103.5], [58.4, 57.1, 57.4]
        with tempfile.TemporaryDirectory() as folder:
            source = zarr.create_array(f"{folder}/frames", shape=(count, *shape), dtype="u1",
                                       chunks=(4, *shape))
            # Compresses well, so that no disk is busy for long.
            h, w, c = np.ogrid[tuple(slice(extent) for extent in shape)]
            frame = (7 * h + 3 * w + 50 * c).astype(np.uint8)
            for begin in range(0, count, 4):
                source[begin:begin + 4] = [frame + np.uint8((begin + i) % 256) for i in range(4)]
            self.assertGreater(source.nbytes, 2 * MEMORY)
            frames = da.from_zarr(f"{folder}/frames")
            planes = clreshape.dask.normalize(frames, mean, std, dtype="float16",
                                              pattern="n h w c -> n c h w")
            planes.to_zarr(f"{folder}/planes")
            self._check(zarr.open_array(f"{folder}/planes"), frame, mean, std)

    def _check(self, planes, frame, mean, std):
        # A byte has 256 values, and so a channel has 256 results.
        values = np.arange(256, dtype=np.float32)
        tables = [((values - np.float32(m)) / np.float32(s)).astype(np.float16)
                  for m, s in zip(mean, std)]
        for begin in range(0, planes.shape[0], 4):
            part = planes[begin:begin + 4]
            for i, channel in np.ndindex(4, 3):
                expected = tables[channel][frame[..., channel] + np.uint8((begin + i) % 256)]
                self.assertTrue((part[i, channel] == expected).all(), (begin + i, channel))


if __name__ == "__main__":
    sys.exit(main())
