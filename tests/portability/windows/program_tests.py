"""The program for Windows, under Wine: tests of files by Windows' means, and the program's own tests
of files and streams that ask nothing of POSIX. CLRESHAPE_PROGRAM is a script that starts Wine. Wine
does not tell the volume of a standard stream, so no test replaces the file behind standard input.

SPDX-License-Identifier: Apache-2.0
"""
import os
import pathlib
import subprocess
import sys
import time
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "cli"))
from program import FAILED, NO_DEVICE, PROGRAM, Case, need_device

WINE = pathlib.Path("/usr/lib/wine")
NAMES = """
test_usage.Usage.test_version
test_run.Run.test_every_dtype_as_it_is_bit_by_bit
test_bench_cases.Cases.test_bad_files
test_files.Files.test_bad_inputs
test_files.Files.test_bytes_behind_the_array_are_left_as_numpy_leaves_them
test_files.Files.test_failing_operations_leave_an_old_output_alone
test_files.Files.test_expansion_beyond_any_memory
test_files.Files.test_result_of_the_program_can_be_its_input
test_streams.Streams.test_a_file_as_standard_input
test_streams.Streams.test_bad_streams
test_streams.Streams.test_explain_reads_the_header_alone
test_streams.Streams.test_nothing_is_written_before_a_spooled_result_is_whole
test_streams.Streams.test_structures_and_empty_arrays
test_streams.Streams.test_what_comes_behind_the_array_is_left
test_streams.Streams.test_a_chain_of_programs
""".split()


class Windows(Case):
    def setUp(self):
        super().setUp()
        self.array = np.arange(24, dtype="f4").reshape(4, 6)
        np.save("in.npy", self.array)

    def content_of(self, path):
        return pathlib.Path(path).read_bytes()

    def test_an_output_is_no_input_by_any_name(self):
        os.link("in.npy", "hard.npy")
        before = self.content_of("in.npy")
        for name in ("in.npy", ".\\in.npy", os.path.abspath("in.npy"), "hard.npy"):
            with self.subTest(name):
                self.refused(FAILED, "input", "run", "in.npy", name, "permute=1,0")
        self.assertEqual(self.content_of("in.npy"), before)
        self.assertEqual(sorted(os.listdir()), ["hard.npy", "in.npy"])

    def test_outputs_that_cannot_be_written(self):
        os.mkdir("folder")
        for path, says in (("folder", "regular"), ("NUL", "regular"), ("", "empty"),
                           ("missing/out.npy", "No such file"), ("missing\\out.npy", "No such file")):
            with self.subTest(path):
                self.refused(FAILED, says, "run", "in.npy", path)
        pathlib.Path("old.npy").write_bytes(b"precious")
        os.chmod("old.npy", 0o444)
        self.refused(FAILED, "old.npy: Permission denied", "run", "in.npy", "old.npy")
        self.assertEqual(self.content_of("old.npy"), b"precious")
        self.assertEqual(sorted(os.listdir()), ["folder", "in.npy", "old.npy"])

    def test_an_old_output_is_replaced(self):
        pathlib.Path("out.npy").write_bytes(b"old and much longer than nothing" * 100)
        os.link("out.npy", "other.npy")
        self.succeeds("run", "in.npy", "out.npy", "permute=1,0")
        np.testing.assert_array_equal(np.load("out.npy"), self.array.T)
        self.assertTrue(self.content_of("other.npy").startswith(b"old"))
        self.assertEqual(sorted(os.listdir()), ["in.npy", "other.npy", "out.npy"])

    def test_names_that_are_not_ascii(self):
        for name in ("Größe.npy", "形.npy", "folder\\é.npy"):
            os.makedirs("folder", exist_ok=True)
            self.succeeds("run", "in.npy", name, "permute=1,0")
            np.testing.assert_array_equal(np.load(name.replace("\\", "/")), self.array.T)
            self.succeeds("run", name, "back.npy", "permute=1,0")
            np.testing.assert_array_equal(np.load("back.npy"), self.array)
            self.refused(FAILED, f"{name}: the output is the input", "run", name, name)

    def test_long_paths(self):
        """A path of 128 characters has 376 bytes in UTF-8. Windows takes 259 characters."""
        folder = "形" * 60
        os.mkdir(folder)
        for name in (f"{folder}/{folder}.npz:x", f"{folder}\\{folder}.npy"):
            self.succeeds("run", "in.npy", name, "permute=1,0")
            self.succeeds("run", name, "back.npy", "permute=1,0")
            np.testing.assert_array_equal(np.load("back.npy"), self.array)
        self.assertEqual(sorted(os.listdir(folder)), [f"{folder}.npy", f"{folder}.npz"])

    def test_arrays_of_an_archive(self):
        np.savez("a.npz", x=self.array, y=self.array * 2)
        self.succeeds("run", "a.npz:y", "a2.npz:z", "permute=1,0")
        self.succeeds("run", "in.npy", "a2.npz:w", "flip=0")
        with np.load("a2.npz") as made:
            np.testing.assert_array_equal(made["z"], self.array.T * 2)
            np.testing.assert_array_equal(made["w"], self.array[::-1])
        self.assertEqual(sorted(os.listdir()), ["a.npz", "a2.npz", "in.npy"])

    def test_large_files_in_parts(self):
        """Two threads read and write one file at places of their own."""
        large = np.arange(1 << 18, dtype="u4").reshape(512, 512)
        np.save("large.npy", large)
        for said, want in ((["permute=1,0"], large.T), (["slice=3:500:2,::3"], large[3:500:2, ::3])):
            self.succeeds("run", "large.npy", "out.npy", "--memory", "128K", *said)
            np.testing.assert_array_equal(np.load("out.npy"), want)

    def test_a_program_that_is_killed_leaves_nothing(self):
        """The program waits for input behind the header. The new file has a name already, and is
        marked as deleted. "Z:out.npy" is in the current folder of drive Z."""
        pathlib.Path("out.npy").write_bytes(b"precious")
        with subprocess.Popen([PROGRAM, "run", "-", "Z:out.npy", "permute=1,0"],
                              stdin=subprocess.PIPE) as running:
            running.stdin.write(self.content_of("in.npy")[:-self.array.nbytes])
            running.stdin.flush()
            self.wait_until(lambda: len(os.listdir()) == 3 or running.poll() is not None)
            self.assertEqual(len(os.listdir()), 3)
            running.kill()
        self.wait_until(lambda: len(os.listdir()) == 2)
        self.assertEqual(sorted(os.listdir()), ["in.npy", "out.npy"])
        self.assertEqual(self.content_of("out.npy"), b"precious")

    def wait_until(self, holds):
        end = time.monotonic() + 300
        while not holds() and time.monotonic() < end:
            time.sleep(0.01)

    def test_built_programs_are_kept(self):
        def kept():
            return list(pathlib.Path(os.environ["WINEPREFIX"]).glob(
                "drive_c/users/*/AppData/Local/clreshape/*.programs"))
        for file in kept():
            file.unlink()
        self.succeeds("run", "in.npy", "out.npy", "permute=1,0", "--policy", "always")
        self.assertEqual(len(kept()), 1)


if __name__ == "__main__":
    if not WINE.exists():
        print("there is no Wine (Debian: wine64)")
        sys.exit(NO_DEVICE)
    os.makedirs(os.environ["WINEPREFIX"], exist_ok=True)
    subprocess.run([WINE / "wineserver64", "-p60"], check=False)  # else each start boots Wine
    need_device()
    unittest.main(None, argv=[sys.argv[0], "-v",
                              *(sys.argv[1:] or ["program_tests.Windows", *NAMES])])
