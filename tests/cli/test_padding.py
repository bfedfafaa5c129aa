# `run` with pad in the modes that repeat the input's elements, and with maps after pad, concat and
# stack, against NumPy, in any boxes.
#
# SPDX-License-Identifier: Apache-2.0
import os
import random

import numpy as np

from program import DONE, FAILED, USAGE, Case, call, main, need_device
from test_parts import MEMORY, draw
from test_streams import loaded, pipe, saved

FIRST = int(os.environ.get("CLRS_TEST_SEED", "1"))
CASES = int(os.environ.get("CLRS_TEST_CASES", "2"))
MODES = ("edge", "reflect", "symmetric", "wrap")
FEW_PROGRAMS = 100  # seeds up to this number draw few kinds of maps


def padded(array, widths, mode):
    """numpy.pad by definition. Before 1.25 NumPy's pad wraps differently if the border is longer
    than the dim."""
    for axis, (before, behind) in enumerate(widths):
        extent, places = array.shape[axis], []
        for at in range(-before, array.shape[axis] + behind):
            while not 0 <= at < extent:
                if mode == "edge" or (mode == "reflect" and extent == 1):
                    at = 0 if at < 0 else extent - 1
                elif mode == "wrap":
                    at += extent if at < 0 else -extent
                elif mode == "reflect":
                    at = -at if at < 0 else 2 * extent - 2 - at
                else:
                    at = -1 - at if at < 0 else 2 * extent - 1 - at
            places.append(at)
        array = array.take(np.array(places, int), axis)
    return array


def draw_pad(rng, first):
    mode = rng.choice(MODES)
    widths = []
    for extent in first.shape:
        most = 0 if extent == 0 else rng.choice((2, extent, 3 * extent + 1))
        widths.append((rng.randint(0, most), rng.randint(0, most)))
    said = ",".join(f"{before}:{behind}" for before, behind in widths)
    text = rng.choice((f"pad={said},mode={mode}", f"pad=mode={mode},{said}"))
    return text, padded(first, widths, mode)


def draw_maps(rng, whole, seed):
    """Maps and movements of whole numbers, and NumPy's equivalents. All results are exact."""
    said, made = ["cast=f32"], whole.astype(np.float32)
    names = rng.sample(("mean", "scale", "std", "clamp"), rng.randint(1, 3))
    for name in ("scale", "clamp")[:seed % 2 + 1] if seed <= FEW_PROGRAMS else names:
        if made.ndim > 1 and rng.random() < 0.7:
            order = rng.sample(range(made.ndim), made.ndim)
            said.append(f"permute={','.join(map(str, order))}")
            made = made.transpose(order)
        if rng.random() < 0.5:
            axis = rng.randrange(made.ndim)
            said.append(f"flip={axis}")
            made = np.flip(made, axis)
        axis = rng.randrange(made.ndim)
        extent = made.shape[axis]
        if name == "clamp":
            said.append("clamp=3,60")
            made = made.clip(3, 60)
            continue
        along = extent > 1 and extent < 20 and rng.random() < 0.8
        numbers = [rng.choice((0.5, 2, 4, 8)) for _ in range(extent if along else 1)]
        shape = [1] * made.ndim
        shape[axis] = len(numbers)
        by = np.array(numbers, np.float32).reshape(shape)
        said.append(f"{name}={','.join(map(str, numbers))}" + (f",axis={axis}" if along else ""))
        made = made - by if name == "mean" else made * by if name == "scale" else made / by
    return said, made


class Padding(Case):
    def same(self, path, want):
        got = np.load(path)
        self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape))
        self.assertEqual(got.tobytes(), np.ascontiguousarray(want).tobytes())

    def run_in_parts(self, rng, *operations):
        """Input that cannot be cut may be refused, as the message says."""
        result = call("run", "in.npy", "out.npy", "--memory", rng.choice(MEMORY), *operations)
        if result.returncode == FAILED:
            self.assertRegex(result.stderr, "a part that cannot be cut|are no neighbours")
            self.assertNotIn("out.npy", os.listdir("."))
            result = call("run", "in.npy", "out.npy", *operations)
        if result.returncode == FAILED:
            self.assertRegex(result.stderr, "are no neighbours|common axes|different ways")
            return False
        self.check(result, DONE)
        return True

    def test_random_pads(self):
        for seed in range(FIRST, FIRST + 2 * CASES):
            rng = random.Random(seed)
            shape = [rng.randint(1, 9) for _ in range(rng.randint(1, 4))]
            array = np.arange(np.prod(shape)).astype(rng.choice(("f4", "u1", "f8", "i2")))
            np.save("in.npy", array.reshape(shape, order=rng.choice("CF")))
            said, first = draw(rng, np.load("in.npy"))
            if first.ndim == 0:
                continue
            text, want = draw_pad(rng, first)
            with self.subTest(seed=seed, shape=shape, said=said, text=text):
                self.assertTrue(self.run_in_parts(rng, *said, text))
                self.same("out.npy", want)
                os.remove("out.npy")

    def test_random_maps_after_parts(self):
        ran = 0
        for seed in range(FIRST, FIRST + 2 * CASES):
            rng = random.Random(seed + 1000)
            shape = [rng.randint(1, 7) for _ in range(rng.randint(1, 3))]
            first = np.arange(np.prod(shape)).astype("u1").reshape(shape)
            np.save("in.npy", first)
            kind = rng.choice(("mode", "value", "concat", "stack"))
            if kind == "mode":
                text, whole = draw_pad(rng, first)
            elif kind == "value":
                text, whole = "pad=2:1,value=9", np.pad(first, (2, 1), constant_values=9)
            else:
                np.save("b.npy", first + 1)
                text = f"{kind}=0,b.npy"
                whole = (np.stack if kind == "stack" else np.concatenate)([first, first + 1])
            after, want = draw_maps(rng, whole, seed)
            with self.subTest(seed=seed, shape=shape, text=text, after=after):
                if self.run_in_parts(rng, text, *after):
                    ran += 1
                    self.same("out.npy", want)
                    os.remove("out.npy")
        self.assertGreater(ran, CASES)

    def test_letterbox_in_one_run(self):
        frame = np.random.default_rng(3).integers(0, 256, (9, 16, 3), np.uint8)
        np.save("in.npy", frame)
        mean, std = np.float32([123.675, 116.28, 103.53]), np.float32([58.395, 57.12, 57.375])
        steps = ("cast=f32", "mean=123.675,116.28,103.53", "std=58.395,57.12,57.375",
                 "permute=2,0,1", "unsqueeze=0")
        for pad, whole in (("pad=4:3,0,0,value=114", np.pad(frame, ((4, 3), (0, 0), (0, 0)),
                                                        constant_values=114)),
                           ("pad=4:3,0,0,mode=reflect", np.pad(frame, ((4, 3), (0, 0), (0, 0)),
                                                           mode="reflect"))):
            want = ((whole.astype(np.float32) - mean) / std).transpose(2, 0, 1)[None]
            self.succeeds("run", "in.npy", "out.npy", pad, *steps)
            self.same("out.npy", want)
            self.same("out.npy", loaded(pipe(saved(frame), "run", "-", "-", pad, *steps).stdout))

    def test_maps_on_both_sides(self):
        frame = np.arange(24, dtype="u1").reshape(4, 6)
        np.save("in.npy", frame)
        half = frame.astype("f4") - np.arange(6, dtype="f4")
        want = np.pad(half, ((1, 1), (2, 2)), constant_values=7) / np.float32(4)
        self.succeeds("run", "in.npy", "out.npy", "cast=f32", "mean=0,1,2,3,4,5", "pad=1,2,value=7",
                      "std=4", "permute=1,0")
        self.same("out.npy", want.T)
        want = np.pad(half, ((1, 1), (2, 2)), mode="wrap").astype("f2")
        self.succeeds("run", "in.npy", "out.npy", "cast=f32", "mean=0,1,2,3,4,5",
                      "pad=1,2,mode=wrap", "cast=f16")
        self.same("out.npy", want)
        self.succeeds("run", "in.npy", "out.npy", "pad=1,mode=edge", "bitcast=i8")
        self.same("out.npy", np.pad(frame, 1, mode="edge").view("i1"))

    def test_windows_behind_a_pad(self):
        sound = np.arange(1000, dtype="f4")
        np.save("in.npy", sound)
        frames = np.lib.stride_tricks.sliding_window_view(np.pad(sound, 200, "reflect"), 400)[::160]
        steps = ("pad=200,mode=reflect", "window=0,400,160")
        self.succeeds("run", "in.npy", "out.npy", *steps)
        self.same("out.npy", frames)
        self.same("out.npy", loaded(pipe(saved(sound), "run", "-", "-", *steps).stdout))
        image = np.asfortranarray(np.arange(48, dtype="u1").reshape(6, 8))
        np.save("in.npy", image)
        whole = np.pad(image[:, 1:].astype("f4"), 1, constant_values=-0.5) - np.arange(9, dtype="f4")
        want = np.lib.stride_tricks.sliding_window_view(whole, 3, 0).transpose(2, 0, 1).astype("f2")
        steps = ("slice=:,1:", "cast=f32", "pad=1,value=-0.5", "mean=0,1,2,3,4,5,6,7,8", "window=0,3,1",
                 "permute=2,0,1", "cast=f16")
        self.succeeds("run", "in.npy", "out.npy", *steps)
        self.same("out.npy", want)
        self.assertIn("7: cast=f16 -> f16 [3,6,9]\noutput: f16 [3,6,9]\nparts: all at once",
                      self.succeeds("explain", "in.npy", *steps))
        self.refused(FAILED, "take 48 and 324 bytes at once, more than --memory", "run", "in.npy",
                     "new.npy", "--memory", "100", *steps)
        self.refused(FAILED, "behind a pad", "run", "in.npy", "new.npy", "pad=1", "tile=2,1",
                     "roll=0,1")
        np.save("none.npy", np.zeros((0, 4), "u1"))
        self.succeeds("run", "none.npy", "out.npy", "pad=1,value=3", "tile=2,1")
        self.same("out.npy", np.full((4, 6), 3, "u1"))

    def test_what_is_refused(self):
        np.save("in.npy", np.zeros((3, 4), "u1"))
        np.save("none.npy", np.zeros((0, 4), "u1"))
        np.save("names.npy", np.zeros((3, 4), "S3"))
        for text, says in (("pad=1,mode=mirror", "'mirror' is no mode; known are constant, edge, ref"),
                           ("pad=1,mode=", "'' is no mode"),
                           ("pad=1,mode=edge,value=1", "only mode constant has a value"),
                           ("pad=-1,mode=edge", "the width -1 is negative; slice takes elements"),
                           ("pad=1,value=1,mode=edge", "only mode constant has a value")):
            self.refused(USAGE, says, "run", "in.npy", "out.npy", text)
        self.refused(FAILED, "dimension 0 has no elements, and wrap padding repeats those", "run",
                     "none.npy", "out.npy", "pad=1,mode=wrap")
        self.refused(FAILED, "'pad=9223372036854775807,mode=edge': padded dimension 0 does not fit",
                     "run", "in.npy", "out.npy", "pad=9223372036854775807,mode=edge")
        self.refused(FAILED, "'bitcast=u8' after 'pad=1': elements of type |S3 are moved",
                     "run", "names.npy", "out.npy", "pad=1", "bitcast=u8")
        self.refused(FAILED, "what follows 'pad=1': a map from u16, which is bitcast", "run", "in.npy",
                     "out.npy", "cast=f16", "scale=3", "pad=1", "bitcast=u16", "cast=u8")
        self.refused(FAILED, "--class cpu_rows, and the operations map", "run", "in.npy",
                     "out.npy", "--class", "cpu_rows", "pad=1", "cast=f32")
        self.assertNotIn("out.npy", os.listdir("."))

    def test_explained(self):
        np.save("in.npy", np.zeros((9, 11, 3), "u1"))
        text = self.succeeds("explain", "in.npy", "pad=2:1,3:4,0,mode=reflect", "cast=f32",
                             "mean=1,2,3", "permute=2,0,1")
        self.assertIn("    1: pad=2:1,3:4,0,mode=reflect -> [12,18,3]\n"
                      "    2: cast=f32 -> f32 [12,18,3]\n    3: mean=1,2,3 -> [12,18,3]\n"
                      "    4: permute=2,0,1 -> [3,12,18]\noutput: f32 [3,12,18]\n"
                      "map: u8 -> f32: - (1 2 3) in f32\n", text)


if __name__ == "__main__":
    need_device()
    main()
