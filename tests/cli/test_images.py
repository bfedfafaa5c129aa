# `run` on PGM and PPM images, against NumPy and, where installed, Pillow: 8 and 16 bits, files and
# pipes, headers as netpbm allows them, and headers that are refused.
#
# SPDX-License-Identifier: Apache-2.0
import io
import os
import subprocess

import numpy as np

from program import DONE, FAILED, PROGRAM, USAGE, Case, call, main, need_device

try:
    from PIL import Image
except ImportError:
    Image = None

GREY = np.arange(5 * 7, dtype="u1").reshape(5, 7)
COLOR = np.arange(5 * 7 * 3, dtype="u1").reshape(5, 7, 3)
WIDE = (np.arange(5 * 7 * 3) * 611).astype("u2").reshape(5, 7, 3)


def image(array, header="P{kind}\n{width} {height}\n{largest}\n"):
    kind = 6 if array.ndim == 3 else 5
    height, width = array.shape[:2]
    header = header.format(kind=kind, width=width, height=height,
                           largest=65535 if array.itemsize == 2 else 255)
    return header.encode() + array.astype(array.dtype.newbyteorder(">")).tobytes()


def pipe(content, *arguments):
    return subprocess.run([PROGRAM, *arguments], input=content, capture_output=True, timeout=300)


# name, bytes, words in the sentence
BAD = [
    ("bitmap", b"P4\n8 1\n\0", "kind P4; P5 (PGM) and P6 (PPM)"),
    ("text", b"P3\n1 1\n255\n1 2 3\n", "kind P3"),
    ("pam", b"P7\nWIDTH 1\n", "kind P7"),
    ("magic", b"P5", "ends within the image's header"),
    ("half", b"P5\n7 5", "ends within the image's header"),
    ("no_space", b"P57 5\n255\n", "its width is no number"),
    ("no_width", b"P5\nx 5\n255\n", "its width is no number"),
    ("negative", b"P5\n7 -5\n255\n", "its height is no number"),
    ("long", b"P5\n1234567890 5\n255\n", "its width is no number of 1 to 9 digits"),
    ("fraction", b"P5\n7 5.0\n255\n", "its largest value is no number"),
    ("no_end", b"P5\n7 5\n255x" + bytes(35), "no space follows its largest value"),
    ("comment_end", b"P5\n7 5\n255#\n" + bytes(35), "no space follows its largest value"),
    ("no_pixels", b"P5\n7 0\n255\n", "its height is 0; an image has pixels"),
    ("largest_0", b"P5\n7 5\n0\n" + bytes(35), "its largest value is 0; 1 to 65535"),
    ("largest_65536", b"P5\n7 5\n65536\n" + bytes(70), "its largest value is 65536"),
    ("comment", b"P5\n#" + b"x" * 20000, "more than 10,000 bytes"),
    ("short", image(COLOR)[:-1], "truncated: the image needs 105 bytes, the file holds 104"),
    ("short_wide", image(WIDE)[:-1], "truncated: the image needs 210 bytes, the file holds 209"),
    ("huge", b"P6\n999999999 999999999\n65535\n", "truncated: the image needs 5999999988000000006"),
]


class Images(Case):
    def write(self, path, content):
        with open(path, "wb") as file:
            file.write(content)

    def content(self, path):
        with open(path, "rb") as file:
            return file.read()

    # ---- right results ----

    def test_images_to_arrays_and_back(self):
        for array in (GREY, COLOR, WIDE, WIDE[..., 0]):
            ending = "ppm" if array.ndim == 3 else "pgm"
            with self.subTest(shape=array.shape, dtype=array.dtype):
                self.write("in.pnm", image(array))
                self.succeeds("run", "in.pnm", "out.npy", "flip=0")
                got = np.load("out.npy")
                self.assertEqual(got.dtype, array.dtype)
                np.testing.assert_array_equal(got, array[::-1])
                self.succeeds("run", "out.npy", f"out.{ending}", "flip=0")
                self.assertEqual(self.content(f"out.{ending}"), image(array))
                if Image is not None and array.dtype == "u1":
                    np.testing.assert_array_equal(np.asarray(Image.open(f"out.{ending}")), array)

    def test_pipes(self):
        for array in (COLOR, WIDE):
            for operation, want in (("flip=0", array[::-1]), ("permute=1,0,2", array.swapaxes(0, 1))):
                with self.subTest(dtype=array.dtype, operation=operation):
                    result = pipe(image(array), "run", "--to", "ppm", "-", "-", operation)
                    self.assertEqual((result.returncode, result.stdout), (DONE, image(want)),
                                     result.stderr)
                    result = pipe(image(array), "run", "-", "-", operation)
                    np.testing.assert_array_equal(np.load(io.BytesIO(result.stdout)), want)

    def test_a_pipeline_from_an_image(self):
        self.write("in.ppm", image(WIDE))
        self.succeeds("run", "in.ppm", "out.npy", "cast=f32", "div=65535", "permute=2,0,1")
        want = (WIDE.astype("f4") / np.float32(65535)).transpose(2, 0, 1)
        np.testing.assert_array_equal(np.load("out.npy"), want)

    def test_parts(self):
        for array in (GREY, WIDE[..., 0]):
            self.write("a.pgm", image(array))
            self.write("b.pgm", image(array[::-1]))
            self.succeeds("run", "a.pgm", "out.pgm", "concat=1,b.pgm,a.pgm")
            self.assertEqual(self.content("out.pgm"), image(np.hstack((array, array[::-1], array))))

    def test_headers_as_netpbm_allows_them(self):
        for header in ("P{kind} {width} {height} {largest} ", "P{kind}\t{width}\r\n{height}\v\f{largest}\t",
                       "P{kind}\n# a # b\n#\n{width}# of 7\n {height}\n# last\n{largest}\n",
                       "P{kind}#\r{width} 005 {largest}\n"):
            with self.subTest(header):
                self.write("in.pnm", image(COLOR, header))
                self.succeeds("run", "in.pnm", "out.ppm")
                self.assertEqual(self.content("out.ppm"), image(COLOR))
                self.assertEqual(pipe(image(COLOR, header), "run", "-", "--to", "ppm", "-").stdout,
                                 image(COLOR))

    def test_other_largest_values_are_said(self):
        for largest, array in ((100, GREY), (1023, WIDE[..., 0] & 1023)):
            self.write("in.pgm", image(array, "P5 {width} {height} " f"{largest}\n"))
            result = self.check(call("run", "in.pgm", "out.npy"), DONE)
            self.assertIn(f"in.pgm: note: its largest value is {largest}, and elements are not scaled",
                          result.stderr)
            np.testing.assert_array_equal(np.load("out.npy"), array)
        self.write("two.pgm", image(GREY) * 2)
        self.assertIn("two.pgm: note: 46 bytes behind", self.check(call("explain", "two.pgm"), DONE).stderr)
        for array in (GREY, WIDE):
            self.assertIn(b"standard input: note: what comes behind the array is not read",
                          pipe(image(array) * 2, "run", "-", "out.npy").stderr)

    def test_a_dim_of_one_channel(self):
        np.save("in.npy", GREY[..., None])
        self.succeeds("run", "in.npy", "out.pgm")
        self.assertEqual(self.content("out.pgm"), image(GREY))

    # ---- refusals ----

    def test_bad_images(self):
        for name, content, says in BAD:
            with self.subTest(name):
                self.write("bad.ppm", content)
                for command in (("run", "bad.ppm", "out.npy"), ("explain", "bad.ppm")):
                    self.assertIn("bad.ppm: ", self.refused(FAILED, says, *command, "flip=0"))
                self.assertEqual(os.listdir("."), ["bad.ppm"])

    def test_every_shorter_pipe_is_refused(self):
        whole = image(WIDE[..., 0])
        for size in range(2, len(whole), 5):
            result = pipe(whole[:size], "run", "-", "out.npy")
            self.assertEqual(result.returncode, FAILED, result.stderr)
            self.assertIn(b"truncated", result.stderr)
        self.assertEqual(os.listdir("."), [])

    def test_what_no_image_holds(self):
        np.save("in.npy", COLOR)
        for out, operation, says in (
                ("x.ppm", "cast=f32", "the result is f32 of 3 dims; a .ppm file holds [H,W,3] of u8 or u16"),
                ("x.ppm", "permute=2,0,1", "a .ppm file holds [H,W,3]"),
                ("x.pgm", "flip=0", "a .pgm file holds [H,W] or [H,W,1]"),
                ("x.ppm", "slice=:0", "an image has pixels"),
                ("x.ppm", "bitcast=i8", "the result is i8")):
            with self.subTest(out, operation=operation):
                self.refused(FAILED, says, "run", "in.npy", out, operation)
        self.refused(USAGE, "known are npy, raw, pgm and ppm", "run", "in.npy", "x", "--to", "jpeg")
        self.refused(FAILED, "input", "run", "in.npy", "in.npy", "--to", "ppm")
        self.assertEqual(os.listdir("."), ["in.npy"])


if __name__ == "__main__":
    need_device()
    main()
