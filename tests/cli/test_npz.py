# `run` and .npz archives: NumPy reads the written archives, and the program reads NumPy's archives,
# if built with libzip. Without libzip the program says so.
#
# SPDX-License-Identifier: Apache-2.0
import io
import os
import resource
import signal
import struct
import subprocess
import time
import warnings
import zipfile

import numpy as np

from program import DONE, FAILED, PROGRAM, Case, call, main, need_device, shim
from test_outputs import SHIM
from test_streams import loaded, pipe, saved

ARRAY = np.arange(24, dtype="i4").reshape(2, 3, 4)


def has_libzip():
    np.savez_compressed("probe.npz", ARRAY)
    result = call("explain", "probe.npz")
    os.remove("probe.npz")
    return "without libzip" not in result.stderr


class Archives(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("tmp")
        self.spools = {"TMPDIR": os.path.abspath("tmp")}
        if not has_libzip():
            self.skipTest("the program was built without libzip")

    def only(self, path, name, want):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(archive.namelist(), [f"{name}.npy"])
            self.assertEqual(archive.infolist()[0].compress_type, zipfile.ZIP_STORED)
        with np.load(path) as arrays:
            np.testing.assert_array_equal(arrays[name], want)
            self.assertEqual(arrays[name].dtype, want.dtype)
        self.assertEqual(os.listdir("tmp"), [])

    def test_what_numpy_writes_is_read(self):
        other = np.asfortranarray(np.arange(600, dtype=">f8").reshape(20, 30))
        for save in (np.savez, np.savez_compressed):
            save("one.npz", ARRAY)
            save("two.npz", a=ARRAY, b=other)
            for name, want in (("one.npz", ARRAY.T), ("one.npz:arr_0", ARRAY.T),
                               ("two.npz:a", ARRAY.T), ("two.npz:b.npy", other.T)):
                with self.subTest(name, save=save.__name__):
                    axes = ",".join(map(str, reversed(range(want.ndim))))
                    self.succeeds("run", name, "out.npy", f"permute={axes}",
                                  environment=self.spools)
                    np.testing.assert_array_equal(np.load("out.npy"), want)
                    self.assertEqual(os.listdir("tmp"), [])

    def test_what_is_written_numpy_reads(self):
        np.save("in.npy", ARRAY)
        for output, name in (("out.npz", "arr_0"), ("out.npz:weights", "weights"),
                             ("./out.npz:größe.npy", "größe")):
            for memory in ("64", "1M"):
                with self.subTest(output, memory=memory):
                    self.succeeds("run", "in.npy", output, "permute=2,1,0", "--memory", memory,
                                  environment=self.spools)
                    self.only("out.npz", name, ARRAY.T)
                    os.remove("out.npz")
        for array in (np.zeros((0, 3), "f4"), np.array(5.0), np.zeros(3, [("a", "<f4"), ("b", "u1")])):
            np.save("in.npy", array)
            self.succeeds("run", "in.npy", "out.npz", environment=self.spools)
            self.only("out.npz", "arr_0", array)

    def test_between_archives_and_pipes(self):
        np.savez("in.npz", a=ARRAY, b=ARRAY + 100)
        self.succeeds("run", "in.npz:a", "out.npz:c", "concat=0,in.npz:b", environment=self.spools)
        self.only("out.npz", "c", np.concatenate([ARRAY, ARRAY + 100]))
        result = pipe(b"", "run", "out.npz", "-", "slice=-1", environment=self.spools)
        np.testing.assert_array_equal(loaded(result.stdout), ARRAY[-1] + 100)
        result = pipe(saved(ARRAY), "run", "-", "out.npz", environment=self.spools)
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.only("out.npz", "arr_0", ARRAY)
        self.assertIn("i32 [3,2,4]", self.succeeds("explain", "in.npz:a", "out.npz",
                                                   "permute=1,0,2", environment=self.spools))

    def refuses(self, says, name, *arguments):
        before = sorted(os.listdir("."))
        for line in (("run", name, "new.npy"), ("explain", name)):
            text = self.refused(FAILED, says, *line, *arguments, environment=self.spools)
            self.assertIn(name, text)
        self.assertEqual(sorted(os.listdir(".")), before)
        self.assertEqual(os.listdir("tmp"), [])

    def test_a_new_array_leaves_the_others_there(self):
        """In the same archive: stored, packed and streamed arrays, and a member that is not an
        array."""
        other = np.asfortranarray(np.arange(600, dtype=">f8").reshape(20, 30))
        np.save("in.npy", ARRAY)
        for save in (np.savez, np.savez_compressed):
            with self.subTest(save=save.__name__):
                save("o.npz", first=ARRAY + 1, second=other)
                with zipfile.ZipFile("o.npz", "a") as archive:
                    archive.writestr("readme.txt", "of three arrays", zipfile.ZIP_DEFLATED)
                want = {"first": ARRAY + 1, "second": other}
                for name, operation, made in (
                        ("third", "permute=1,0,2", ARRAY.transpose(1, 0, 2)),
                        ("first", "flip=0", ARRAY[::-1]), ("third", "flip=1", ARRAY[:, ::-1]),
                        ("größe", "flip=2", ARRAY[..., ::-1])):
                    self.succeeds("run", "in.npy", f"o.npz:{name}", operation,
                                  environment=self.spools)
                    want[name] = made
                    self.holds("o.npz", want, {"readme.txt": b"of three arrays"})
                os.remove("o.npz")

    def holds(self, path, arrays, others):
        with zipfile.ZipFile(path) as archive:
            self.assertIsNone(archive.testzip())
            self.assertEqual(sorted(archive.namelist()),
                             sorted([*(f"{name}.npy" for name in arrays), *others]))
            for name, content in others.items():
                self.assertEqual(archive.read(name), content)
        with np.load(path) as found:
            for name, want in arrays.items():
                np.testing.assert_array_equal(found[name], want)

    def test_without_a_name_the_archive_is_another(self):
        np.save("in.npy", ARRAY)
        np.savez("o.npz", a=ARRAY, b=ARRAY)
        self.succeeds("run", "in.npy", "o.npz", "flip=0", environment=self.spools)
        self.only("o.npz", "arr_0", ARRAY[::-1])

    def test_an_array_in_what_is_no_archive(self):
        np.save("in.npy", ARRAY)
        self.write(b"precious" * 10)
        self.refused(FAILED, "bad.npz: no ZIP archive, or a damaged one", "run", "in.npy",
                     "bad.npz:a", "flip=0", environment=self.spools)
        with open("bad.npz", "rb") as file:
            self.assertEqual(file.read(), b"precious" * 10)

    def test_an_archive_behind_other_bytes(self):
        """Like a self-extracting archive: the directory's offsets are relative to the end of the
        prefix."""
        np.savez("plain.npz", a=ARRAY, b=ARRAY + 1)
        np.save("in.npy", ARRAY)
        with open("plain.npz", "rb") as file:
            self.write(b"#!/bin/sh\n" * 50 + file.read())
        self.succeeds("run", "bad.npz:b", "out.npy", environment=self.spools)
        np.testing.assert_array_equal(np.load("out.npy"), ARRAY + 1)
        self.succeeds("run", "in.npy", "bad.npz:a", "flip=0", environment=self.spools)
        self.holds("bad.npz", {"a": ARRAY[::-1], "b": ARRAY + 1}, {})

    def test_names_mean_what_numpy_takes_them_for(self):
        """The member of that name, then the member with .npy appended. If several
        members have the name, the last member counts.
        """
        members = [("a", 1), ("a.npy", 2), ("b.npy", 3), ("a.npy.npy", 4), ("b.npy", 5),
                   ("folder/c.npy", 6)]
        for names in (members, members[1:], members[3:]):
            with warnings.catch_warnings(), zipfile.ZipFile("in.npz", "w") as archive:
                warnings.simplefilter("ignore")  # about the second b.npy
                for name, value in names:
                    archive.writestr(name, saved(np.full(3, value, "i4")))
                archive.writestr("readme.txt", "no array")
            with np.load("in.npz") as arrays:
                for name in ("a", "a.npy", "b", "b.npy", "a.npy.npy", "folder/c"):
                    want = arrays[name] if name in arrays else None
                    with self.subTest(name, members=len(names)):
                        if want is None:
                            self.refuses("there is no array of that name", f"in.npz:{name}")
                            continue
                        self.succeeds("run", f"in.npz:{name}", "out.npy",
                                      environment=self.spools)
                        np.testing.assert_array_equal(np.load("out.npy"), want)

    def test_a_readme_is_no_array(self):
        for names, says in ((("w.npy",), None), (("w.npy", "w.npy"), None),
                            (("v.npy", "w.npy"), "it has 2 arrays: v.npy, w.npy")):
            with warnings.catch_warnings(), zipfile.ZipFile("in.npz", "w") as archive:
                warnings.simplefilter("ignore")
                archive.writestr("readme.txt", "first")
                for at, name in enumerate(names):
                    archive.writestr(name, saved(ARRAY + at))
                archive.writestr("folder/", "")
            with self.subTest(names):
                if says is not None:
                    self.refuses(says, "in.npz")
                    continue
                self.succeeds("run", "in.npz", "out.npy", environment=self.spools)
                np.testing.assert_array_equal(np.load("out.npy"), ARRAY + len(names) - 1)

    def test_names_that_are_not_there(self):
        np.savez("two.npz", a=ARRAY, b=ARRAY)
        np.savez("none.npz")
        self.refuses("name one array, as in A.npz:name; it has 2 arrays: a.npy, b.npy", "two.npz")
        self.refuses("there is no array of that name; it has 2 arrays", "two.npz:c")
        self.refuses("there is no array of that name", "two.npz:")
        self.refused(FAILED, "there is no array of that name", "explain", "two.npz:" + "x" * 2000)
        self.refuses("it has 0 arrays", "none.npz")
        self.refuses("No such file", "missing.npz")
        os.mkfifo("pipe.npz")
        self.refuses("not a regular file", "pipe.npz")
        os.mkdir("folder.npz")
        self.refuses("not a regular file", "folder.npz")

    def damaged(self, change, save=np.savez_compressed):
        content = io.BytesIO()
        save(content, ARRAY)
        return change(bytearray(content.getvalue()))

    def write(self, content):
        with open("bad.npz", "wb") as file:
            file.write(content)

    def test_archives_that_are_damaged(self):
        self.check_damage(self.damaged(bytes), 7)
        self.check_damage(self.damaged(bytes, np.savez), 31)

    def check_damage(self, whole, step):
        for size in (0, 4, 30, len(whole) // 2, len(whole) - 1):
            self.write(whole[:size])
            self.refuses("bad.npz", "bad.npz")
        for at in range(3, len(whole), step):
            changed = bytearray(whole)
            changed[at] ^= 0x55
            self.write(changed)
            result = call("explain", "bad.npz", environment=self.spools)
            if result.returncode == DONE:
                result = call("run", "bad.npz", "new.npy", environment=self.spools)
            if result.returncode == DONE:  # a byte that says nothing of the array
                np.testing.assert_array_equal(np.load("new.npy"), ARRAY)
                os.remove("new.npy")
            else:
                self.check(result, FAILED)
            self.assertEqual(os.listdir("tmp"), [])
            self.assertEqual(sorted(os.listdir(".")), ["bad.npz", "tmp"])

    def test_members_that_are_no_arrays(self):
        for content, says in ((b"hello, world\n" * 10, "not a .npy file"), (b"", "not a .npy file"),
                              (saved(ARRAY)[:-1], "truncated")):
            with zipfile.ZipFile("bad.npz", "w") as archive:
                archive.writestr("arr_0.npy", content)
            self.refuses(says, "bad.npz")

    def test_bytes_behind_the_array_are_left(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            for more in (1, 100000):
                with zipfile.ZipFile("in.npz", "w", method) as archive:
                    archive.writestr("arr_0.npy", saved(ARRAY) + bytes(more))
                result = self.check(call("run", "in.npz", "out.npy", environment=self.spools), DONE)
                self.assertIn(f"in.npz: note: {more} bytes behind the array", result.stderr)
                np.testing.assert_array_equal(np.load("out.npy"), np.load("in.npz")["arr_0"])

    def test_a_size_that_is_a_lie_is_found_before_a_disk_is_full(self):
        """If a member unpacks to 64 MiB of zeros, only the bytes that the header claims are read.
        """
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (32 << 20, 32 << 20))
        with zipfile.ZipFile("bad.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            with archive.open("arr_0.npy", "w", force_zip64=True) as member:
                member.write(saved(ARRAY))
                for _ in range(64):
                    member.write(bytes(1 << 20))
        result = self.check(call("run", "bad.npz", "new.npy", environment=self.spools,
                                 preexec_fn=limit), DONE)
        self.assertIn(f"{64 << 20} bytes behind the array are not read", result.stderr)
        np.testing.assert_array_equal(np.load("new.npy"), ARRAY)
        os.remove("new.npy")
        with open("bad.npz", "rb") as file:
            content = bytearray(file.read())
        whole, at = (64 << 20) + len(saved(ARRAY)), content.index(b"PK\x01\x02")
        self.assertEqual(content[at + 24:at + 28], struct.pack("<I", whole))
        content[at + 24:at + 28] = struct.pack("<I", len(saved(ARRAY)))  # the directory's word
        self.write(content)
        self.refuses("bad.npz", "bad.npz")

    def test_encrypted_members(self):
        content = self.damaged(bytearray)
        content[6] |= 1
        content[content.index(b"PK\x01\x02") + 8] |= 1
        self.write(content)
        self.refuses("encrypted", "bad.npz")

    def test_no_archive_that_is_read_is_overwritten(self):
        np.savez("in.npz", a=ARRAY)
        with open("in.npz", "rb") as file:
            before = file.read()
        os.link("in.npz", "other.npz")
        for output in ("in.npz", "in.npz:a", "other.npz:b"):
            self.refused(FAILED, "the output is the input file", "run", "in.npz:a", output,
                         environment=self.spools)
        with open("in.npz", "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir("tmp"), [])

    def test_an_interrupt_leaves_nothing(self):
        content = saved(np.zeros((1024, 1024), "f4"))
        for variables in ({}, {"NO_TMPFILE": "1"}):
            environment = shim(SHIM, **variables, **self.spools)
            process = subprocess.Popen([PROGRAM, "run", "-", "out.npz", "permute=1,0"],
                                       stdin=subprocess.PIPE, env={**os.environ, **environment})
            process.stdin.write(content[:len(content) // 2])
            process.stdin.flush()
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(60), -signal.SIGTERM)
            process.stdin.close()
            self.assertEqual(sorted(os.listdir(".")), ["shim", "tmp"])
            self.assertEqual(os.listdir("tmp"), [])


class Without(Case):
    def test_it_reads_and_writes_what_is_stored(self):
        """Like a program without libzip, so that libzip never reads these files."""
        np.savez("in.npz", a=ARRAY)
        self.succeeds("run", "in.npz", "out.npz:b", "flip=0")
        with np.load("out.npz") as arrays:
            np.testing.assert_array_equal(arrays["b"], ARRAY[::-1])

    def test_it_says_so(self):
        if has_libzip():
            self.skipTest("the program was built with libzip")
        np.savez_compressed("in.npz", ARRAY)
        for line in (("run", "in.npz", "out.npy"), ("explain", "in.npz:arr_0"),
                     ("run", "in.npz", "out.npy", "concat=0,in.npz")):
            self.refused(FAILED, "this program was built without libzip", *line)
        self.assertEqual(sorted(os.listdir(".")), ["in.npz"])


if __name__ == "__main__":
    need_device()
    main()
