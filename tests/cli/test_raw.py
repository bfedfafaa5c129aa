# `run` on bare elements, in and out, against NumPy's fromfile and tofile: files, pipes, types that
# .npy files lack, and files that do not hold what --raw says.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os
import subprocess

import numpy as np

from program import DONE, FAILED, PROGRAM, USAGE, Case, main, need_device

ARRAY = np.arange(6 * 8 * 10, dtype="f4").reshape(6, 8, 10)
SAID = ("--raw", "f32,6,8,10")
TYPES = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2",
         "u32": "u4", "u64": "u8", "f16": "f2", "f32": "f4", "f64": "f8", "c64": "c8", "c128": "c16"}


def pipe(content, *arguments):
    return subprocess.run([PROGRAM, *arguments], input=content, capture_output=True, timeout=300)


class Raw(Case):
    def setUp(self):
        super().setUp()
        ARRAY.tofile("in.raw")

    def says(self, result, words):
        self.assertEqual(result.returncode, FAILED, result.stderr)
        self.assertIn(words, result.stderr.decode())

    # ---- right results ----

    def test_every_type_of_numpy(self):
        for name, numpy in TYPES.items():
            with self.subTest(name):
                array = np.arange(24).astype(numpy).reshape(2, 3, 4)
                array.tofile("typed.raw")
                self.succeeds("run", "--raw", f"{name},2,3,4", "typed.raw", "out.npy", "permute=2,0,1")
                got = np.load("out.npy")
                self.assertEqual(got.dtype, array.dtype)
                np.testing.assert_array_equal(got, array.transpose(2, 0, 1))
        self.succeeds("run", "--to", "raw", "out.npy", "out.raw", "permute=1,2,0")
        self.assertEqual(open("out.raw", "rb").read(), array.tobytes())

    def test_types_that_npy_files_lack(self):
        array = ARRAY % 200  # integers that bf16 holds
        array.tofile("in.raw")
        bits = (array.view("u4") >> 16).astype("u2")
        self.succeeds("run", *SAID, "--to", "raw", "in.raw", "out.bf16", "cast=bf16")
        np.testing.assert_array_equal(np.fromfile("out.bf16", "u2"), bits.ravel())
        said = ("--raw", "bf16,6,8,10")
        self.succeeds("run", *said, "out.bf16", "back.npy", "flip=0", "cast=f32")
        np.testing.assert_array_equal(np.load("back.npy"), array[::-1])
        self.succeeds("run", *said, "out.bf16", "padded.npy", "pad=1,value=3", "cast=f32")
        np.testing.assert_array_equal(np.load("padded.npy"), np.pad(
            array, 1, constant_values=3))
        self.refused(FAILED, "a .npy file has no type for bf16; of whole bytes, bitcast=u8", "run",
                     *said, "out.bf16", "new.npy", "flip=0")
        self.succeeds("run", *said, "out.bf16", "bits.npy", "bitcast=u16")
        np.testing.assert_array_equal(np.load("bits.npy"), bits)

    def test_pipes(self):
        want = ARRAY.transpose(2, 1, 0).tobytes()
        for name in ("-", "/dev/stdin"):
            for said, content in ((SAID, ARRAY.tobytes()), (SAID + ("--memory", "1K"), ARRAY.tobytes())):
                with self.subTest(name, said=said):
                    for out in ("-", "/dev/stdout"):
                        result = pipe(content, "run", *said, "--to", "raw", name, out, "permute=2,1,0")
                        self.assertEqual((result.returncode, result.stdout), (DONE, want), result.stderr)
                    self.assertEqual(pipe(content, "run", *said, name, "out.npy", "flip=0").returncode, DONE)
                    np.testing.assert_array_equal(np.load("out.npy"), ARRAY[::-1])

    def test_parts_are_bare_too(self):
        (ARRAY + 1000).tofile("more.raw")
        self.succeeds("run", *SAID, "--to", "raw", "in.raw", "out.raw", "stack=1,more.raw", "permute=1,0,3,2")
        self.assertEqual(open("out.raw", "rb").read(),
                         np.stack((ARRAY, ARRAY + 1000), 1).transpose(1, 0, 3, 2).tobytes())

    def test_no_elements_and_no_dims(self):
        open("empty.raw", "wb").close()
        self.succeeds("run", "--raw", "f32,3,0,2", "--to", "raw", "empty.raw", "out.raw", "permute=2,1,0")
        self.assertEqual(os.path.getsize("out.raw"), 0)
        np.array(7, "u2").tofile("one.raw")
        self.succeeds("run", "--raw", "u16", "one.raw", "out.npy", "expand=2,3")
        np.testing.assert_array_equal(np.load("out.npy"), np.full((2, 3), 7, "u2"))

    def test_a_name_of_an_archive_is_a_plain_file(self):
        ARRAY.tofile("in.npz")
        self.succeeds("run", *SAID, "in.npz", "out.npy")
        np.testing.assert_array_equal(np.load("out.npy"), ARRAY)

    def test_explain_takes_the_same_line(self):
        line = (*SAID, "--to", "raw", "in.raw", "out.raw", "permute=2,1,0", "cast=bf16")
        said = json.loads(self.succeeds("explain", "--json", *line))
        self.assertEqual(said["input"], {"dtype": "f32", "dims": [6, 8, 10], "strides": [80, 10, 1]})
        self.assertEqual(said["output"], {"dtype": "bf16", "dims": [10, 8, 6]})
        self.assertEqual(os.listdir("."), ["in.raw"])

    # ---- refusals ----

    def test_short_and_long_files(self):
        for size in (0, 1, 1916, 1919, 1921, 1924, 4000):
            with self.subTest(size):
                content = (ARRAY.tobytes() * 3)[:size]
                with open("bad.raw", "wb") as file:
                    file.write(content)
                for command in ("run", "explain"):
                    self.refused(FAILED, f"bad.raw: it holds {size} bytes, and the type and shape of "
                                 "--raw need 1920", command, *SAID, "bad.raw", "out.npy", "flip=0")
                words = "ends before its data does" if size < 1920 else "goes on behind the 1920 bytes"
                for said in (("out.npy", "flip=0"), ("out.npy", "permute=2,1,0")):
                    self.says(pipe(content, "run", *SAID, "-", *said), words)
                self.assertEqual(sorted(os.listdir(".")), ["bad.raw", "in.raw"])

    def test_words_of_the_option(self):
        for said, words, code in (
                ("f33,2", "--raw f33,2: ", USAGE), ("", "--raw : ", USAGE),
                ("f32,2,x", "--raw f32,2,x: ", USAGE), ("f32,-1", "--raw f32,-1: ", USAGE),
                ("x" * 99 + ",2", "--raw xxx", USAGE), ("i4,2", "are not whole bytes", FAILED),
                ("string,2", "are not whole bytes", FAILED),
                ("u8,4294967296,4294967296", "64 bits", FAILED),
                ("f64,4611686018427387904", "its bytes do not fit in 64 bits", FAILED),
                ("u8" + ",1" * 33, "32", FAILED)):
            with self.subTest(said):
                self.refused(code, words, "run", "--raw", said, "in.raw", "out.npy")
        self.refused(USAGE, "'out.npz:x' is an archive", "run", "--to", "raw", *SAID, "in.raw", "out.npz:x")
        self.refused(FAILED, "input", "run", "--to", "raw", *SAID, "in.raw", "./in.raw", "flip=0")
        self.refused(USAGE, "only the input may be '-'", "run", *SAID, "in.raw", "out.npy", "stack=0,/dev/stdin")
        self.assertEqual(os.listdir("."), ["in.raw"])


if __name__ == "__main__":
    need_device()
    main()
