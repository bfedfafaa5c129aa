# `run` on a large tensor: all data arrives, a terminal shows progress, and memory is limited to
# some parts of the tensor (on a CPU device, device memory belongs to the program).
#
# CLRS_TEST_LARGE_MIB changes the size. The default suits every test run.
#
# SPDX-License-Identifier: Apache-2.0
import os
import pty
import signal
import subprocess

import numpy as np

from program import PROGRAM, Case, main, need_device

MIB = int(os.environ.get("CLRS_TEST_LARGE_MIB", "256"))
PARTS = 256  # MiB in transfer at a time
SLACK = 64   # MiB more, beside the memory of a tiny run


def peak_mib(*arguments):
    """Runs the program, and returns the peak of resident memory."""
    process = subprocess.Popen([PROGRAM, *arguments], stderr=subprocess.PIPE)
    errors = process.stderr.read()
    process.stderr.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0 and errors == b"", errors
    return usage.ru_maxrss / 1024


def written(process):
    """Bytes written so far to any file, or the total after the end."""
    try:
        with open(f"/proc/{process.pid}/io") as file:
            return int(next(line for line in file if line.startswith("wchar")).split()[1])
    except OSError:
        return MIB << 20


def kill_while_writing():
    """The exit code: the signal's code, or 0 if the program was faster."""
    process = subprocess.Popen([PROGRAM, "run", "in.npy", "out.npy", "permute=1,0"])
    while process.poll() is None and written(process) < 16 << 20:
        pass
    process.kill()
    return process.wait()


def can_be_nameless():
    try:
        os.close(os.open(".", os.O_TMPFILE | os.O_WRONLY))
        return True
    except OSError:
        return False


class Large(Case):
    def setUp(self):
        super().setUp()
        self.rows, self.columns = MIB * 256, 1024
        array = np.lib.format.open_memmap("in.npy", "w+", "f4", (self.rows, self.columns))
        counted = array.view("u4")
        step = 1 << 12
        for row in range(0, self.rows, step):
            end = min(row + step, self.rows)
            counted[row:end] = np.arange(row * self.columns, end * self.columns,
                                         dtype="u4").reshape(-1, self.columns)
        array.flush()

    def check_transposed(self):
        result = np.load("out.npy", mmap_mode="r").view("u4")
        self.assertEqual(result.shape, (self.columns, self.rows))
        first = np.arange(0, self.rows * self.columns, self.columns, dtype="u4")
        for column in range(self.columns):
            self.assertTrue(np.array_equal(result[column], first + np.uint32(column)), column)

    def test_memory_is_that_of_some_parts(self):
        np.save("tiny.npy", np.zeros((4, 4), "f4"))
        tiny = peak_mib("run", "tiny.npy", "out.npy", "permute=1,0", "--policy", "always")
        copied = peak_mib("run", "in.npy", "out.npy", "permute=1,0", "--policy", "always")
        self.assertLess(copied, PARTS + tiny + SLACK)
        self.check_transposed()
        viewed = peak_mib("run", "in.npy", "out.npy", "reshape=-1")
        self.assertLess(viewed, PARTS + tiny + SLACK)
        self.assertEqual(np.load("out.npy", mmap_mode="r").shape, (self.rows * self.columns,))

    def test_progress_on_a_terminal(self):
        terminal, end = pty.openpty()
        process = subprocess.Popen([PROGRAM, "run", "in.npy", "out.npy", "permute=1,0"], stderr=end)
        os.close(end)
        seen = b""
        try:
            while chunk := os.read(terminal, 4096):
                seen += chunk
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(terminal)
        self.assertEqual(process.wait(), 0, seen)
        for words in (b"100%", f" 50% of {MIB} MiB, ".encode(), b" MiB/s, ", b" s left"):
            self.assertIn(words, seen)
        self.check_transposed()

    def test_killed_while_it_writes(self):
        """Nothing is left, not even a temporary file."""
        if not can_be_nameless():
            self.skipTest("the file system has no files without a name")
        for _ in range(5):  # the kill may come too late on a busy machine
            if kill_while_writing() == -signal.SIGKILL:
                break
            os.remove("out.npy")
        else:
            self.fail("the program was always faster")
        self.assertEqual(os.listdir("."), ["in.npy"])


if __name__ == "__main__":
    need_device()
    main()
