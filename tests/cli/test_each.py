# `run --each`: several inputs in one call, each to a result of its own, in a folder or an archive.
#
# SPDX-License-Identifier: Apache-2.0
import json
import os

import numpy as np

from program import FAILED, USAGE, Case, call, main, need_device, shim

ARRAYS = {"a": np.arange(24, dtype="f4").reshape(4, 6), "b.1": np.arange(10, dtype="u1").reshape(2, 5),
          "c": np.arange(8, dtype="i8").reshape(4, 2)}


class Each(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("in")
        os.mkdir("out")
        for name, array in ARRAYS.items():
            np.save(f"in/{name}.npy", array)
        self.files = [f"in/{name}.npy" for name in ARRAYS]

    def right(self, names=ARRAYS):
        self.assertEqual(sorted(os.listdir("out")), sorted(f"{name}.npy" for name in names))
        for name in names:
            np.testing.assert_array_equal(np.load(f"out/{name}.npy"), ARRAYS[name].T)

    def test_each_input_has_a_result(self):
        self.succeeds("run", "--each", "out", *self.files, "permute=1,0")
        self.right()
        self.succeeds("run", *self.files, "permute=1,0", "flip=0", "flip=0", "--each", "out/")
        self.right()

    def test_formats(self):
        self.succeeds("run", "--each", "out", "--to", "raw", *self.files, "cast=f32")
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(np.fromfile(f"out/{name}.raw", "f4"), array.ravel())
        self.succeeds("run", "--each", "in", "--raw", "f32,24", "--to", "pgm", "out/a.raw", "cast=u8",
                      "reshape=4,6")
        with open("in/a.pgm", "rb") as file:
            self.assertEqual(file.read(), b"P5\n6 4\n255\n" + bytes(range(24)))

    def test_an_archive_gets_arrays(self):
        np.savez("out.npz", kept=np.arange(3), a=np.arange(2))
        self.succeeds("run", "--each", "out.npz", *self.files, "permute=1,0")
        with np.load("out.npz") as archive:
            self.assertEqual(sorted(archive), ["a", "b.1", "c", "kept"])
            np.testing.assert_array_equal(archive["kept"], np.arange(3))
            for name, array in ARRAYS.items():
                np.testing.assert_array_equal(archive[name], array.T)
        self.succeeds("run", "--each", "out", "out.npz:a", "out.npz:b.1", "out.npz:c", "flip=0", "flip=0")
        self.right()

    def test_an_archive_is_written_once(self):
        environment = shim(r"""
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int rename(const char *from, const char *to) {
  if (strncmp(to, "out.", 4) == 0)
    fputs("written\n", stderr);
  return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
}
""")
        for kind in ("npz", "safetensors"):
            if kind == "safetensors" and "without jansson" in call("explain", "none.safetensors").stderr:
                continue
            result = call("run", "--each", f"out.{kind}", *self.files, "flip=0", environment=environment)
            self.assertEqual((result.returncode, result.stderr), (0, "written\n"))
            for name, array in ARRAYS.items():
                self.succeeds("run", f"out.{kind}:{name}", "out.npy")
                np.testing.assert_array_equal(np.load("out.npy"), array[::-1])

    def test_an_archive_keeps_what_is_whole(self):
        with open("in/b.1.npy", "wb") as file:
            file.write(b"nothing")
        self.refused(FAILED, "in/b.1.npy: not a .npy file", "run", "--each", "out.npz", *self.files, "flip=0")
        with np.load("out.npz") as archive:
            self.assertEqual([*archive], ["a"])

    def test_an_assembly_is_made_of_each(self):
        np.save("more.npy", np.ones((1, 6), "f4"))
        self.succeeds("run", "--each", "out", "in/a.npy", "concat=0,more.npy")
        np.testing.assert_array_equal(np.load("out/a.npy"),
                                      np.concatenate((ARRAYS["a"], np.ones((1, 6), "f4"))))

    def test_a_file_named_as_an_operation(self):
        np.save("squeeze", ARRAYS["a"])
        os.rename("squeeze.npy", "squeeze")
        self.succeeds("run", "--each", "out", "./squeeze", "permute=1,0")
        np.testing.assert_array_equal(np.load("out/squeeze.npy"), ARRAYS["a"].T)

    def test_the_device_is_opened_once(self):
        environment = shim(r"""
#include <dlfcn.h>
#include <stdio.h>
void *clCreateContext(const void *a, unsigned b, const void *c, void *d, void *e, int *f) {
  fputs("context\n", stderr);
  return ((void *(*)(const void *, unsigned, const void *, void *, void *, int *))dlsym(
      RTLD_NEXT, "clCreateContext"))(a, b, c, d, e, f);
}
""")
        result = call("run", "--each", "out", *self.files, "permute=1,0", environment=environment)
        self.assertEqual((result.returncode, result.stderr.count("context")), (0, 1), result.stderr)
        self.right()

    def test_all_arrays_of_an_archive(self):
        np.savez("in.npz", **ARRAYS)
        self.succeeds("run", "--each", "out", "in.npz", "permute=1,0")
        self.right()
        self.succeeds("run", "--each", "all.npz", "in.npz", "permute=1,0")
        with np.load("all.npz") as archive:
            self.assertEqual(sorted(archive), sorted(ARRAYS))
        np.savez("bad.npz", **{"../escaped": np.arange(3), "deep/x": np.arange(2)})
        self.refused(FAILED, "the name of bad.npz:../escaped leads to another folder", "run", "--each", "out",
                     "bad.npz", "flip=0")
        self.succeeds("run", "--each", "all.npz", "bad.npz", "flip=0")
        with np.load("all.npz") as archive:
            np.testing.assert_array_equal(archive["deep/x"], [1, 0])
        self.refused(FAILED, "results of in.npz:a and in/a.npy would have one name", "run", "--each", "out",
                     "in.npz", "in/a.npy")
        self.assertFalse(os.path.exists("escaped.npy"))
        with open("bad.npz", "rb") as file:
            content = file.read()
        with open("bad.npz", "wb") as file:
            file.write(content.replace(b"deep/x", b"dee\0/x"))
        self.refused(FAILED, "bad.npz: the name of an array has a byte 0", "run", "--each", "all.npz", "bad.npz")

    def test_archives_of_one_name(self):
        np.savez("in.npz", c=ARRAYS["c"])
        np.savez("in/a.npz", a=ARRAYS["a"])
        np.savez("in/in.npz", **{"b.1": ARRAYS["b.1"]})
        self.succeeds("run", "--each", "out", "in.npz", "in/in.npz", "in/a.npy", "permute=1,0")
        self.right()
        self.refused(FAILED, "results of in/a.npz:a and in/a.npy would have one name", "run", "--each", "out",
                     "in/a.npz", "in/a.npy")

    def test_explain(self):
        text = self.succeeds("explain", "--each", "out", *self.files, "permute=1,0")
        self.assertEqual([line for line in text.splitlines() if line.endswith("npy:")],
                         [f"{file}:" for file in self.files])
        lines = self.succeeds("explain", "--json", "--each", "out", *self.files, "permute=1,0").splitlines()
        self.assertEqual([json.loads(line)["output"]["dims"] for line in lines], [[6, 4], [5, 2], [2, 4]])
        self.assertEqual(os.listdir("out"), [])

    # ---- refusals ----

    def test_a_failure_keeps_what_is_whole(self):
        with open("in/b.1.npy", "wb") as file:
            file.write(b"nothing")
        self.refused(FAILED, "in/b.1.npy: not a .npy file", "run", "--each", "out", *self.files, "permute=1,0")
        self.right(["a"])
        np.save("in/b.1.npy", np.arange(5))
        self.assertIn("clreshape: in/b.1.npy: ", self.refused(
            FAILED, "permute=1,0", "run", "--each", "out", *self.files[1:], "permute=1,0"))
        self.right(["a"])

    def test_no_input_is_replaced(self):
        for folder in ("in", "in/", "./in"):
            self.refused(FAILED, "the output is the input file", "run", "--each", folder, *self.files, "flip=0")
        os.link("in/c.npy", "out/a.npy")  # an input of a later result
        self.refused(FAILED, "the output is the input file in/c.npy", "run", "--each", "out", *self.files,
                     "flip=0")
        for name, array in ARRAYS.items():
            np.testing.assert_array_equal(np.load(f"in/{name}.npy"), array)

    def test_words(self):
        os.mkdir("other")
        np.save("other/a.npy", ARRAYS["a"])
        run = ("run", "--each", "out")
        self.refused(USAGE, "run --each needs input files", *run, "flip=0")
        for folder in ("", "out.npz:name"):
            self.refused(USAGE, f"--each '{folder}': it names a folder or an archive", "run", "--each", folder,
                         "in/a.npy")
        self.refused(USAGE, "results of in/a.npy and other/a.npy would have one name", *run, "in/a.npy",
                     "in/c.npy", "other/a.npy")
        for name in ("-", "/dev/stdin", "", "in/"):
            self.refused(USAGE, f"its inputs are files, and '{name}' is none", *run, "in/a.npy", name)
        self.refused(FAILED, "rotate=1: No such file", *run, "rotate=1", "flip=0")
        self.refused(USAGE, "'in/c.npy'", *run, "in/a.npy", "flip=0", "in/c.npy")
        self.refused(FAILED, "xxxx", *run, "x" * 5000 + ".npy")
        self.refused(FAILED, "No such file", "run", "--each", "missing", "in/a.npy")
        self.refused(USAGE, "is an archive", "run", "--each", "out.npz", "--to", "raw", "in/a.npy")
        self.assertEqual(os.listdir("out"), [])


if __name__ == "__main__":
    need_device()
    main()
