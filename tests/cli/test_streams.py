# `run` between pipes: "-" is standard input and output. Data in order is moved while it arrives, in
# bounded memory. Data out of order goes through a temporary file, which is removed.
#
# SPDX-License-Identifier: Apache-2.0
import io
import os
import pty
import random
import signal
import subprocess
import time

import numpy as np

from program import DONE, FAILED, NO_DEVICE, PROGRAM, Case, main, need_device, shim
from test_outputs import SHIM
from test_parts import MEMORY, draw

FIRST = int(os.environ.get("CLRS_TEST_SEED", "1"))
CASES = int(os.environ.get("CLRS_TEST_CASES", "3"))
NO_SPOOL = {"TMPDIR": "/nonexistent"}


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def loaded(content):
    file = io.BytesIO(content)
    array = np.load(file)
    assert file.read() == b""
    return array


def pipe(content, *arguments, environment=None, **options):
    return subprocess.run([PROGRAM, *arguments], input=content, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300,
                          env={**os.environ, **(environment or {})}, **options)


ARRAY = np.arange(6 * 8 * 10, dtype="i4").reshape(6, 8, 10)


class Streams(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("tmp")
        self.spools = {"TMPDIR": os.path.abspath("tmp")}

    def right(self, result, want):
        self.assertEqual(result.returncode, DONE, result.stderr)
        got = loaded(result.stdout)
        self.assertEqual(got.dtype, want.dtype)
        np.testing.assert_array_equal(got, want)

    def wrong(self, result, says):
        self.assertEqual(result.returncode, FAILED, result.stderr)
        text = result.stderr.decode()
        self.assertTrue(text.startswith("clreshape: ") and text.count("\n") == 1, text)
        self.assertIn(says, text)

    # ---- right results ----

    def test_random_chains_between_pipes_and_files(self):
        for seed in range(FIRST, FIRST + CASES):
            rng = random.Random(seed)
            shape = [rng.randint(1, 12) for _ in range(rng.randint(1, 4))]
            array = np.arange(np.prod(shape)).astype(rng.choice(("f4", "u1", "f8", "i2")))
            array = array.reshape(shape, order=rng.choice("CF"))
            said, want = draw(rng, array)
            np.save("in.npy", array)
            memory = ["--memory", rng.choice(MEMORY)]
            with self.subTest(seed=seed, shape=shape, said=said, memory=memory):
                if b"cannot be cut" in pipe(b"", "run", "in.npy", "-", *memory, *said).stderr:
                    memory = []
                self.right(pipe(b"", "run", "in.npy", "-", *memory, *said), want)
                self.right(pipe(saved(array), "run", "-", "-", *memory, *said,
                                environment=self.spools), want)
                self.assertEqual(pipe(saved(array), "run", "-", "out.npy", *memory,
                                      *said).returncode, DONE)
                np.testing.assert_array_equal(np.load("out.npy"), want)
            self.assertEqual(os.listdir("tmp"), [])
            self.assertEqual(sorted(os.listdir(".")), ["in.npy", "out.npy", "tmp"])

    def test_what_is_in_order_takes_no_temporary_file_and_little_memory(self):
        array = np.arange(64 * 128 * 64, dtype="f4").reshape(64, 128, 64)
        for said, want in ((["reshape=-1"], array.reshape(-1)),
                           (["permute=0,2,1"], array.transpose(0, 2, 1)),
                           (["slice=3:60:2,::2"], array[3:60:2, ::2]),
                           (["cast=f64", "scale=2"], array.astype("f8") * 2),
                           (["expand=64,128,64"], array)):
            with self.subTest(said):
                result = pipe(saved(array), "run", "-", "-", "--memory", "1M", "--explain", *said,
                              environment=NO_SPOOL)
                self.assertIn(b" parts, which read ", result.stderr)
                self.right(result, want)

    def test_structures_and_empty_arrays(self):
        for array in (np.zeros((0, 3), "f4"), np.arange(12, dtype="f4").view("S6"),
                      np.zeros(5, [("a", "<f4"), ("b", "u1")]), np.float64(3)):
            array = np.asarray(array)
            self.right(pipe(saved(array), "run", "-", "-", "unsqueeze=0"), array[None])

    def test_a_file_as_standard_input(self):
        np.save("in.npy", ARRAY)
        with open("in.npy", "rb") as file:
            result = subprocess.run([PROGRAM, "run", "-", "-", "permute=2,1,0"], stdin=file,
                                    stdout=subprocess.PIPE, env={**os.environ, **self.spools})
        np.testing.assert_array_equal(loaded(result.stdout), ARRAY.T)
        with open("two.npy", "wb") as file:
            file.write(b"before" + saved(ARRAY))
        with open("two.npy", "rb", buffering=0) as file:
            self.assertEqual(file.read(6), b"before")
            result = subprocess.run([PROGRAM, "run", "-", "-", "flip=0"], stdin=file,
                                    stdout=subprocess.PIPE, env={**os.environ, **self.spools})
        np.testing.assert_array_equal(loaded(result.stdout), ARRAY[::-1])

    def test_a_chain_of_programs(self):
        np.save("in.npy", ARRAY)
        line = f"{PROGRAM} run in.npy - permute=1,0,2 | {PROGRAM} run - - reshape=8,-1 | " \
               f"{PROGRAM} run - out.npy permute=1,0"
        subprocess.run(line, shell=True, check=True)
        np.testing.assert_array_equal(np.load("out.npy"),
                                      ARRAY.transpose(1, 0, 2).reshape(8, -1).T)

    def test_explain_reads_the_header_alone(self):
        result = pipe(saved(ARRAY), "explain", "-", "-", "permute=1,0,2")
        self.assertEqual(result.returncode, DONE, result.stderr)
        self.assertIn(b"output: i32 [8,6,10]", result.stdout)

    # ---- what is refused ----

    def test_what_comes_behind_the_array_is_left(self):
        for more in (b"\0", saved(ARRAY)):
            for op in ("reshape=-1", "permute=2,1,0", "slice=:1"):
                with self.subTest(op=op, more=len(more)):
                    result = pipe(saved(ARRAY) + more, "run", "-", "out.npy", op)
                    self.assertEqual(result.returncode, DONE, result.stderr)
                    self.assertIn(b"standard input: note: what comes behind the array is not read",
                                  result.stderr)
                    want = {"reshape=-1": ARRAY.reshape(-1), "slice=:1": ARRAY[:1],
                            "permute=2,1,0": ARRAY.transpose(2, 1, 0)}[op]
                    np.testing.assert_array_equal(np.load("out.npy"), want)

    def test_bad_streams(self):
        good = saved(ARRAY)
        rows = [("empty", b"", "standard input: not a .npy file"),
                ("text", b"hello, world\n" * 10, "standard input: not a .npy file"),
                ("half_a_header", good[:40], "standard input: truncated"),
                ("version_2_cut", b"\x93NUMPY\x02\x00\x10\x00", "standard input: truncated"),
                ("header_of_4_gib", b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + good[10:], "4294967295"),
                ("header_only", good[:128], "standard input: truncated"),
                ("one_byte_short", good[:-1], "standard input: truncated")]
        with open("out.npy", "wb") as file:
            file.write(b"precious")
        for name, content, says in rows:
            for op in ("reshape=-1", "permute=2,1,0", "slice=:1"):
                with self.subTest(name, op=op):
                    self.wrong(pipe(content, "run", "-", "out.npy", "--memory", "2K", op), says)
                    with open("out.npy", "rb") as file:
                        self.assertEqual(file.read(), b"precious")
                    self.assertEqual(sorted(os.listdir(".")), ["out.npy", "tmp"])

    def test_a_header_that_claims_more_than_any_disk(self):
        """The time must not depend on the claimed size."""
        header = saved(np.zeros(8, "u1"))[:128]
        for shape, op in (((1 << 56,), "reshape=-1"), ((1 << 28, 1 << 28), "permute=1,0"),
                          ((1 << 18, 1 << 20, 1 << 18), "permute=0,2,1")):
            claim = header.replace(b"(8,), }", f"{shape}, }}".encode())
            claim = claim[:-1].rstrip(b" ")[:127].ljust(127) + b"\n"
            self.assertEqual(len(claim), 128)
            self.wrong(pipe(claim + bytes(1000), "run", "-", "-", op, environment=self.spools),
                       "standard input: truncated")
            self.assertEqual(os.listdir("tmp"), [])

    def test_nothing_is_written_before_a_spooled_result_is_whole(self):
        result = pipe(saved(ARRAY)[:-1], "run", "-", "-", "--memory", "2K", "permute=2,1,0",
                      environment=self.spools)
        self.wrong(result, "truncated")
        self.assertEqual(result.stdout, b"")

    def test_a_temporary_folder_that_is_not_there(self):
        big = np.zeros((512, 512), "f4")
        self.wrong(pipe(saved(big), "run", "-", "-", "--memory", "16K", "permute=1,0",
                        environment=NO_SPOOL),
                   "a temporary file in /nonexistent/: No such file or directory")

    def test_without_a_device_nothing_is_written(self):
        for op in ("reshape=-1", "permute=2,1,0"):
            result = pipe(saved(ARRAY), "run", "-", "-", op,
                          environment={"OCL_ICD_VENDORS": "/nonexistent", **self.spools})
            self.assertEqual((result.returncode, result.stdout), (NO_DEVICE, b""), result.stderr)
            self.assertEqual(os.listdir("tmp"), [])

    def test_a_file_that_is_read_through_standard_input_is_not_replaced(self):
        np.save("in.npy", ARRAY)
        with open("in.npy", "rb") as file:
            result = subprocess.run([PROGRAM, "run", "-", "in.npy", "flip=0"], stdin=file,
                                    stderr=subprocess.PIPE)
        self.wrong(result, "the output is the input file")
        np.testing.assert_array_equal(np.load("in.npy"), ARRAY)

    def test_terminals(self):
        np.save("in.npy", ARRAY)
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        self.addCleanup(os.close, theirs)
        result = subprocess.run([PROGRAM, "run", "-", "out.npy"], stdin=theirs,
                                stderr=subprocess.PIPE)
        self.wrong(result, "standard input is a terminal")
        result = subprocess.run([PROGRAM, "run", "in.npy", "-"], stdout=theirs,
                                stderr=subprocess.PIPE)
        self.wrong(result, "standard output is a terminal")

    def test_output_that_cannot_be_written(self):
        np.save("in.npy", np.zeros((64, 64), "f4"))
        for op in ("reshape=-1", "permute=1,0"):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, "run", "in.npy", "-", "--memory", "2K", op],
                                        stdout=full, stderr=subprocess.PIPE,
                                        env={**os.environ, **self.spools})
            self.wrong(result, "standard output: No space left on device")
            reader, writer = os.pipe()
            os.close(reader)
            result = subprocess.run([PROGRAM, "run", "in.npy", "-", "--memory", "2K", op],
                                    stdout=writer, stderr=subprocess.PIPE, restore_signals=True,
                                    env={**os.environ, **self.spools})
            os.close(writer)
            self.assertEqual(result.returncode, -signal.SIGPIPE)
            self.assertEqual(os.listdir("tmp"), [])

    # ---- signals ----

    def test_an_interrupt_leaves_nothing(self):
        """While the program waits for the rest of the input, with or without nameless files."""
        content = saved(np.zeros((1024, 1024), "f4"))
        for variables in ({}, {"NO_TMPFILE": "1"}):
            for output, op in (("-", "permute=1,0"), ("out.npy", "permute=1,0"),
                               ("out.npy", "reshape=-1")):
                with self.subTest(variables, output=output, op=op):
                    self.interrupt(content, ["run", "-", output, "--memory", "64K", op],
                                   shim(SHIM, **variables, **self.spools))
                    self.assertEqual(os.listdir("tmp"), [])
                    self.assertEqual(sorted(os.listdir(".")), ["shim", "tmp"])

    def interrupt(self, content, arguments, environment):
        process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, env={**os.environ, **environment})
        process.stdin.write(content[:len(content) // 2])
        process.stdin.flush()  # more than a pipe holds: the program has begun to read
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), -signal.SIGINT)
        process.stdin.close()


if __name__ == "__main__":
    need_device()
    main()
