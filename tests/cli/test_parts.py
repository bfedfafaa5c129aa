# `run` in parts: with any memory limit, and on any number of devices, the file is the same.
#
# SPDX-License-Identifier: Apache-2.0
import io
import itertools
import os
import random
import subprocess

import numpy as np

from program import DONE, FAILED, PROGRAM, USAGE, Case, call, main, need_device, shim

# Writes down where files are read, and how many bytes.
SHIM = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pread64(int fd, void *bytes, size_t size, off64_t at) {
  FILE *log = fopen(getenv("LOG"), "a");
  fprintf(log, "%lld %zu\n", (long long)at, size);
  fclose(log);
  return ((ssize_t (*)(int, void *, size_t, off64_t))dlsym(RTLD_NEXT, "pread64"))(fd, bytes, size,
                                                                                  at);
}
"""

FIRST = int(os.environ.get("CLRS_TEST_SEED", "1"))
CASES = int(os.environ.get("CLRS_TEST_CASES", "6"))
PLATFORMS = int(os.environ.get("CLRS_TEST_PLATFORMS", "1"))  # at least
MEMORY = ("100", "300", "1K", "5K", "1M")


def draw_slice(rng, extent):
    start = rng.randint(0, extent // 2)
    end = rng.randint(start + 1, extent)
    step = rng.choice((1, 1, 1, 2, 3))
    if rng.random() < 0.2:
        return slice(None, None, -step)
    return slice(start, end, step)


def text_of(part):
    return ":".join("" if number is None else str(number)
                    for number in (part.start, part.stop, part.step))


def permute(rng, array):
    axes = rng.sample(range(array.ndim), array.ndim)
    return "permute=" + ",".join(map(str, axes)), array.transpose(axes)


def reshape(rng, array):
    divisors = [n for n in range(1, 40) if array.size % n == 0]
    first = rng.choice(divisors)
    return f"reshape={first},-1", array.reshape(first, -1)


def cut(rng, array):
    parts = tuple(draw_slice(rng, extent) for extent in array.shape)
    return "slice=" + ",".join(map(text_of, parts)), array[parts]


def index(rng, array):
    """Indices and slices of some dims before and behind an ellipsis."""
    if array.ndim > 6 or array.size == 0:
        return reshape(rng, array)
    count = rng.randint(0, array.ndim)
    before = rng.randint(0, count)
    dims = [*range(before), *range(array.ndim - count + before, array.ndim)]
    parts = [rng.randrange(-array.shape[dim], array.shape[dim]) if rng.random() < 0.3 else
             draw_slice(rng, array.shape[dim]) for dim in dims]
    said = [str(part) if isinstance(part, int) else text_of(part) for part in parts]
    said.insert(before, "...")
    parts.insert(before, ...)
    return "slice=" + ",".join(said), array[tuple(parts)]


def roll(rng, array):
    if array.ndim == 0:
        return reshape(rng, array)
    axis, shift = rng.randrange(-array.ndim, array.ndim), rng.randint(-20, 20)
    return f"roll={axis},{shift}", np.roll(array, shift, axis)


def expand(rng, array):
    shape = (rng.randint(2, 3), *array.shape)
    return "expand=" + ",".join(map(str, shape)), np.broadcast_to(array, shape)


def window(rng, array):
    axis = rng.randrange(array.ndim)
    if array.shape[axis] < 3 or array.ndim > 4:
        return permute(rng, array)
    seen = np.lib.stride_tricks.sliding_window_view(array, 3, axis=axis)
    seen = seen[tuple(slice(None, None, 2) if i == axis else slice(None)
                      for i in range(seen.ndim))]
    return f"window={axis},3,2", seen


def compute(rng, array):
    """A mean for each index of an axis, in float64, which holds all drawn values."""
    axis = rng.randrange(array.ndim)
    if array.shape[axis] > 20:
        return permute(rng, array)
    means = [rng.randint(0, 9) for _ in range(array.shape[axis])]
    shape = [-1 if i == axis else 1 for i in range(array.ndim)]
    said = f"cast=f64 mean={','.join(map(str, means))},axis={axis}"
    return said, array.astype("f8") - np.reshape(np.array(means, "f8"), shape)


def draw(rng, array):
    said = []
    for _ in range(rng.randint(1, 3)):
        step = rng.choice((permute, reshape, cut, index, roll, expand, window, compute))
        if step is compute and any("mean" in words for words in said):
            step = permute
        words, array = step(rng, array)
        said.append(words)
    return said, array


class Parts(Case):
    def test_any_memory_gives_the_same_file(self):
        in_parts = 0
        for seed in range(FIRST, FIRST + CASES):
            rng = random.Random(seed)
            shape = [rng.randint(1, 12) for _ in range(rng.randint(1, 4))]
            array = np.arange(np.prod(shape)).astype(rng.choice(("f4", "u1", "f8", "i2")))
            array = array.reshape(shape, order=rng.choice("CF"))
            np.save("in.npy", array)
            said, want = draw(rng, array)
            with self.subTest(seed=seed, shape=shape, said=said):
                in_parts += self.check_memory(rng.choice(MEMORY), said, want)
        if CASES >= 16:
            self.assertGreater(in_parts, CASES // 4)

    def check_memory(self, memory, said, want):
        """Was the tensor moved in parts? Input that cannot be cut may be refused, as the message
        says."""
        result = call("run", "in.npy", "out.npy", "--explain", "--memory", memory, *said)
        if result.returncode == FAILED:
            self.assertIn("a part that cannot be cut", result.stderr)
            self.assertEqual(os.listdir("."), ["in.npy"])
            self.check(call("run", "in.npy", "out.npy", *said), DONE)
        else:
            self.check(result, DONE)
        got = np.load("out.npy")
        self.assertEqual(got.dtype, want.dtype)
        np.testing.assert_array_equal(got, want)
        os.remove("out.npy")
        return " parts, which read " in result.stderr

    def test_rolls_are_cut(self):
        """A roll has a seam, where neighbours of the result are the two ends of the file."""
        array = np.arange(512 * 128, dtype="f4").reshape(512, 128)
        np.save("in.npy", array)
        for said, want in ((["roll=0,1"], np.roll(array, 1, 0)),
                           (["roll=0,-37"], np.roll(array, -37, 0)),
                           (["roll=1,5"], np.roll(array, 5, 1)),
                           (["roll=0,300", "roll=1,5"], np.roll(array, (300, 5), (0, 1))),
                           (["permute=1,0", "roll=0,3", "flip=1"],
                            np.roll(array.T, 3, 0)[:, ::-1]),
                           (["reshape=-1", "roll=0,-777"], np.roll(array.reshape(-1), -777))):
            for output in ("out.npy", "-"):
                with self.subTest(said, output=output):
                    result = subprocess.run([PROGRAM, "run", "in.npy", output, "--explain",
                                             "--memory", "64K", *said], capture_output=True)
                    self.assertEqual(result.returncode, DONE, result.stderr)
                    self.assertIn(b" parts, which read 16384 and write 16384 bytes", result.stderr)
                    got = io.BytesIO(result.stdout) if output == "-" else output
                    np.testing.assert_array_equal(np.load(got), want)

    def test_several_devices_share_the_parts(self):
        found = call("devices").stdout.splitlines()
        listed = [line.split()[0].rstrip("*") for line in found if line[:1].isdigit()]
        self.assertGreaterEqual(len({device.split(":")[0] for device in listed}), PLATFORMS)
        two = {}
        if len(listed) < 2:
            two, listed = {"POCL_DEVICES": "pthread basic"}, ["0:0", "0:1"]  # if that is PoCL
        array = np.arange(300 * 200, dtype="f4").reshape(300, 200)
        np.save("in.npy", array)
        for devices in itertools.product(listed, repeat=2):
            if call("run", "in.npy", "out.npy", "--device", listed[1], environment=two).returncode:
                self.skipTest("there is one device")
            options = [word for device in devices for word in ("--device", device)]
            self.succeeds("run", "in.npy", "out.npy", "permute=1,0", "--memory", "16K", *options,
                          environment=two)
            np.testing.assert_array_equal(np.load("out.npy"), array.T)

    def test_of_a_row_nothing_else_is_read(self):
        array = np.arange(4096 * 256, dtype="f4").reshape(4096, 256)
        np.save("in.npy", array)
        self.succeeds("run", "in.npy", "out.npy", "slice=7:8", environment=shim(SHIM, LOG="log"))
        np.testing.assert_array_equal(np.load("out.npy"), array[7:8])
        with open("log", encoding="ascii") as log:
            reads = [tuple(map(int, line.split())) for line in log]
        behind_the_header = [size for at, size in reads if at > 0]
        self.assertEqual(sum(behind_the_header), 256 * 4)

    def test_sizes_that_are_none(self):
        np.save("in.npy", np.zeros(3, "f4"))
        for size in ("", "0", "-1", "1.5G", "M", "12X", "1GG", "9" * 30, "8589934592G"):
            self.refused(USAGE, f"'{size}' is no size", "run", "in.npy", "out.npy", "--memory",
                         size)
        self.refused(USAGE, "more than 8 devices", "run", "in.npy", "out.npy",
                     *["--device", "0:0"] * 9)
        self.refused(FAILED, "a part that cannot be cut reads 4 and writes 4 bytes", "run",
                     "in.npy", "out.npy", "--memory", "3")


if __name__ == "__main__":
    need_device()
    main()
