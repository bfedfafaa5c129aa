# `run` and bad files: refusals, with the name of the file in the sentence. In every case nothing is
# written, changed or left behind.
#
# SPDX-License-Identifier: Apache-2.0
import ctypes
import io
import os
import resource
import stat

import numpy as np

from program import DONE, FAILED, Case, call, main, need_device


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


GOOD = saved(np.arange(24, dtype="f4").reshape(2, 3, 4))

# name, bytes of the file, words in the sentence
BAD_INPUTS = [
    ("empty", b"", "not a .npy file"),
    ("text", b"hello, world\n" * 10, "not a .npy file"),
    ("zip", b"PK\x03\x04" + bytes(200), "not a .npy file"),
    ("magic_only", GOOD[:6], "not a .npy file"),
    ("half_a_header", GOOD[:40], "truncated"),
    ("header_only", GOOD[:128], "truncated"),
    ("one_byte_short", GOOD[:-1], "truncated"),
    ("claims_more", GOOD.replace(b"(2, 3, 4)", b"(2, 3, 5)"), "truncated"),
    ("claims_an_exabyte", GOOD.replace(b"(2, 3, 4), }" + b" " * 17, b"(1152921504606846976,), }    "),
     "1152921504606846976"),
    ("wraps_around", GOOD.replace(b"(2, 3, 4), }" + b" " * 23,
                                  b"(4294967296, 4294967296, 6), }     "), "64 bits"),
    ("negative", GOOD.replace(b"(2, 3, 4)", b"(2,-3, 4)"), "integers >= 0"),
    ("header_of_4_gib", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + GOOD[10:], "4294967295"),
    ("version_9", b"\x93NUMPY\x09\x00" + GOOD[8:], "9.0"),
    ("object_fields", saved(np.zeros(2, [("a", "f4"), ("b", "O")])), "|O"),
    ("objects", saved(np.array([None, {}], dtype=object)), "|O"),
]


def obey_permissions():
    """Root may write anywhere, so a program started after this call loses that right."""
    drop_from_bounding_set, dac_override = 24, 1  # PR_CAPBSET_DROP, CAP_DAC_OVERRIDE
    if os.geteuid() == 0 and ctypes.CDLL(None).prctl(drop_from_bounding_set, dac_override) != 0:
        raise PermissionError("a root without CAP_SETPCAP cannot give up its rights to files")


class Files(Case):
    def setUp(self):
        super().setUp()
        self.write("in.npy", GOOD)

    def write(self, path, content):
        with open(path, "wb") as file:
            file.write(content)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def unchanged(self, *names):
        self.assertEqual(sorted(os.listdir(".")), sorted(["in.npy", *names]))
        self.assertEqual(self.read("in.npy"), GOOD)

    def test_bad_inputs(self):
        for name, content, says in BAD_INPUTS:
            with self.subTest(name):
                self.assertNotEqual(content, GOOD)
                self.write("bad.npy", content)
                for command in (("run", "bad.npy", "out.npy"), ("explain", "bad.npy")):
                    text = self.refused(FAILED, says, *command, "reshape=-1")
                    self.assertIn("bad.npy: ", text)
                self.assertEqual(sorted(os.listdir(".")), ["bad.npy", "in.npy"])

    def test_every_shorter_file_is_refused(self):
        for size in range(0, len(GOOD), 7):
            self.write("bad.npy", GOOD[:size])
            self.refused(FAILED, "bad.npy", "explain", "bad.npy")

    def test_inputs_that_are_no_files(self):
        os.mkdir("folder")
        os.mkfifo("pipe")
        for path, says in (("folder", "regular"), ("pipe", "regular"), ("/dev/zero", "regular"),
                           ("missing.npy", "No such file"), ("", "No such file")):
            with self.subTest(path):
                self.refused(FAILED, says, "run", path, "out.npy")
        self.unchanged("folder", "pipe")

    def test_bytes_behind_the_array_are_left_as_numpy_leaves_them(self):
        for name, content, rest in (("one", GOOD + b"\0", 1), ("twice", GOOD + GOOD, len(GOOD)),
                                    ("less", GOOD.replace(b"(2, 3, 4)", b"(2, 3, 3)"), 24),
                                    ("none", GOOD.replace(b"(2, 3, 4)", b"(2, 0, 3)"), 96)):
            with self.subTest(name):
                self.write("more.npy", content)
                for line in (("run", "more.npy", "out.npy", "flip=0"), ("explain", "more.npy")):
                    result = self.check(call(*line), DONE)
                    self.assertIn(f"more.npy: note: {rest} bytes behind the array are not read",
                                  result.stderr)
                np.testing.assert_array_equal(np.load("out.npy"), np.load("more.npy")[::-1])

    def test_output_is_the_input_by_any_name(self):
        os.symlink("in.npy", "symbolic.npy")
        os.link("in.npy", "hard.npy")
        os.symlink("symbolic.npy", "chain.npy")
        names = ("in.npy", "./in.npy", os.path.abspath("in.npy"), "symbolic.npy", "hard.npy",
                 "chain.npy")
        for name in names:
            with self.subTest(name):
                self.refused(FAILED, "input", "run", "in.npy", name, "permute=2,1,0")
        self.unchanged("symbolic.npy", "hard.npy", "chain.npy")

    def test_outputs_that_cannot_be_written(self):
        os.mkdir("folder")
        os.mkfifo("pipe")
        for path, says in (("folder", "regular"), ("pipe", "regular"), ("/dev/null", "regular"),
                           ("", "empty"), ("missing/out.npy", "No such file"),
                           ("in.npy/out.npy", "Not a directory"), ("folder/", "regular"),
                           ("new/", "directory"), ("x" * 300, "name too long")):
            with self.subTest(path):
                self.refused(FAILED, says, "run", "in.npy", path)
        self.unchanged("folder", "pipe")
        self.assertEqual(os.listdir("folder"), [])

    def test_paths_without_permission(self):
        os.mkdir("folder")
        self.write("old.npy", b"precious")
        os.chmod("folder", 0o555)
        os.chmod("old.npy", 0o444)
        self.addCleanup(os.chmod, os.getcwd(), 0o755)
        for path, mode in (("folder/out.npy", 0o755), ("old.npy", 0o755), ("out.npy", 0o555)):
            with self.subTest(path):
                os.chmod(".", mode)
                self.refused(FAILED, f"{path}: Permission denied", "run", "in.npy", path,
                             preexec_fn=obey_permissions)
        self.assertEqual(self.read("old.npy"), b"precious")
        self.assertEqual(os.listdir("folder"), [])
        self.unchanged("folder", "old.npy")

    def test_failing_operations_leave_an_old_output_alone(self):
        self.write("out.npy", b"precious")
        for operation in ("reshape=-1,-1", "reshape=5", "permute=0,0,1", "permute=0,1",
                          "slice=::0", "flip=3", "squeeze=0", "expand=5,5,5", "split=0,2,2",
                          "flatten=4", "unsqueeze=0,0", "reshape=0,0,0,0", "reshape=-2",
                          f"reshape={2**62 + 1},4"):
            with self.subTest(operation):
                self.refused(FAILED, f"operation 1 ({operation})", "run", "in.npy", "out.npy",
                             operation)
        self.assertEqual(self.read("out.npy"), b"precious")
        self.unchanged("out.npy")

    def test_write_that_fails_midway(self):
        """Simulates a full disk after 2 MiB of 4. OpenCL itself writes less."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (2 << 20, 2 << 20))
        self.write("out.npy", b"precious")
        np.save("large.npy", np.zeros((1024, 1024), "f4"))
        result = call("run", "large.npy", "out.npy", "permute=1,0", preexec_fn=limit,
                      restore_signals=False)  # Python ignores SIGXFSZ, and so does its child
        self.check(result, FAILED)
        self.assertIn("out.npy: File too large", result.stderr)
        self.assertEqual(self.read("out.npy"), b"precious")
        self.unchanged("out.npy", "large.npy")

    def test_old_output_is_replaced_and_links_to_it_stay(self):
        os.mkdir("folder")
        self.write("folder/real.npy", b"old and much longer than nothing" * 100)
        os.symlink("folder/real.npy", "link.npy")
        self.succeeds("run", "in.npy", "link.npy", "reshape=24")
        self.assertTrue(os.path.islink("link.npy"))
        self.assertEqual(np.load("folder/real.npy").shape, (24,))
        self.assertEqual(os.listdir("folder"), ["real.npy"])
        self.unchanged("folder", "link.npy")

    def test_output_has_the_mode_that_the_umask_gives(self):
        old = os.umask(0o027)
        try:
            self.succeeds("run", "in.npy", "out.npy")
        finally:
            os.umask(old)
        self.assertEqual(stat.S_IMODE(os.stat("out.npy").st_mode), 0o640)

    def test_expansion_beyond_any_memory(self):
        self.refused(FAILED, "", "run", "in.npy", "out.npy", f"expand={2**50},2,3,4",
                     "--policy", "always")
        self.unchanged()

    def test_result_of_the_program_can_be_its_input(self):
        self.succeeds("run", "in.npy", "out.npy", "permute=2,0,1")
        self.succeeds("run", "out.npy", "back.npy", "permute=1,2,0")
        self.assertEqual(np.load("back.npy").tobytes(), np.load("in.npy").tobytes())


if __name__ == "__main__":
    need_device()
    main()
