# The program's cache of kernels: a second run compiles nothing. With any fault of the cache, the
# run must behave as without a cache.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shutil
import stat
import unittest

import numpy as np

import onnx_files
from program import DONE, FAILED, USAGE, Case, call, main, need_device, shim

# Writes a letter for each program: s if made from source, b if made from a binary. BINARY is the
# result of making a program from a binary, BUILD the result of building that program.
COUNTS = r"""
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void note(const char *letter) {
  int fd = open(getenv("NOTES"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0 || write(fd, letter, 1) != 1)
    abort();
  close(fd);
}

static void *of_binary;

void *clCreateProgramWithSource(void *context, unsigned count, const char **texts,
                                const size_t *lengths, int *code) {
  void *(*next)(void *, unsigned, const char **, const size_t *, int *) =
      dlsym(RTLD_NEXT, "clCreateProgramWithSource");
  note("s");
  return next(context, count, texts, lengths, code);
}

void *clCreateProgramWithBinary(void *context, unsigned count, void *devices, const size_t *lengths,
                                const unsigned char **binaries, int *statuses, int *code) {
  void *(*next)(void *, unsigned, void *, const size_t *, const unsigned char **, int *, int *) =
      dlsym(RTLD_NEXT, "clCreateProgramWithBinary");
  note("b");
  if (getenv("BINARY")) {
    *code = atoi(getenv("BINARY"));
    return NULL;
  }
  return of_binary = next(context, count, devices, lengths, binaries, statuses, code);
}

int clBuildProgram(void *program, unsigned count, void *devices, const char *options, void *notify,
                   void *data) {
  int (*next)(void *, unsigned, void *, const char *, void *, void *) =
      dlsym(RTLD_NEXT, "clBuildProgram");
  const int code = next(program, count, devices, options, notify, data);
  return getenv("BUILD") && program == of_binary ? atoi(getenv("BUILD")) : code;
}
"""

# No file of kernels gets its name.
NO_RENAME = r"""
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
int rename(const char *from, const char *to) {
  int (*next)(const char *, const char *) = dlsym(RTLD_NEXT, "rename");
  errno = ENOSPC;
  return strstr(to, ".programs") ? -1 : next(from, to);
}
"""

# A processor that can do something else.
PROCESSOR = r"""
#include <dlfcn.h>
#include <sys/auxv.h>
unsigned long getauxval(unsigned long type) {
  unsigned long (*next)(unsigned long) = dlsym(RTLD_NEXT, "getauxval");
  return next(type) ^ (type == AT_HWCAP2 ? 1ul << 30 : 0);
}
"""

ONE = ("--class", "cpu_tile", "--bits", "32")
TRANSPOSE = ("run", "in.npy", "out.npy", "permute=1,0")
HALVES = ("run", "in.npy", "half.npy", "cast=f16")


class Cache(Case):
    def setUp(self):
        super().setUp()
        self.source = np.arange(40 * 56, dtype=np.float32).reshape(40, 56)
        np.save("in.npy", self.source)
        self.counts = shim(COUNTS)
        os.mkdir("home")
        self.folder = os.path.join("home", "clreshape")

    def made(self, *arguments, **variables):
        """The letters of a run that succeeds, whose cache is in the folder home."""
        notes = os.path.abspath("notes")
        open(notes, "w").close()
        environment = {**self.counts, "NOTES": notes, "XDG_CACHE_HOME": os.path.abspath("home"),
                       **variables}
        if arguments[0] == "run" and os.path.exists(arguments[2]):
            os.remove(arguments[2])
        self.succeeds(*arguments, environment=environment)
        if arguments == TRANSPOSE:
            np.testing.assert_array_equal(np.load("out.npy"), self.source.T)
        with open(notes, encoding="ascii") as file:
            return file.read()

    def file(self):
        """The only file in the folder."""
        names = os.listdir(self.folder)
        self.assertEqual(len(names), 1, names)
        self.assertRegex(names[0], r"^[0-9a-f]{16}\.programs$")
        return os.path.join(self.folder, names[0])

    def serves(self, *arguments):
        """From now on the cache has all that the run needs."""
        self.assertEqual(set(self.made(*(arguments or TRANSPOSE))), {"b"})

    # ---- what it is for ----

    def test_a_second_run_compiles_nothing(self):
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertEqual(self.made(*TRANSPOSE), "b")

    def test_the_compiler_says_nothing(self):
        """PoCL counts its compiler's warnings. A processor without AVX-512 has some."""
        environment = {"POCL_CACHE_DIR": os.path.abspath("home"), "XDG_CACHE_HOME": os.path.abspath("home")}
        self.assertEqual(self.check(call(*HALVES, environment=environment), DONE).stderr, "")

    def test_what_was_not_needed_before_is_added(self):
        self.made(*TRANSPOSE)
        self.assertIn("s", self.made(*HALVES))
        np.testing.assert_array_equal(np.load("half.npy"), self.source.astype(np.float16))
        self.serves(*HALVES)
        self.serves(*TRANSPOSE)
        self.file()

    def test_nothing_new_writes_nothing(self):
        self.made(*TRANSPOSE)
        before = os.stat(self.file())
        self.made(*TRANSPOSE)
        after = os.stat(self.file())
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_onnx_has_the_same_file(self):
        values = np.arange(6 * 7 * 9, dtype=np.float32).reshape(6, 7, 9)
        onnx_files.write("model.onnx", onnx_files.model(
            [onnx_files.node("Transpose", ["x"], ["y"])], ["x"], ["y"], (6, 7, 9), made=(9, 7, 6)))
        np.save("x.npy", values)
        self.assertIn("s", self.made("onnx", "model.onnx", "x.npy", "--npy"))
        os.remove("output_0.npy")
        self.serves("onnx", "model.onnx", "x.npy", "--npy")
        np.testing.assert_array_equal(np.load("output_0.npy"), values.T)
        self.file()

    def test_warm_fills_it(self):
        self.assertEqual(set(self.made("warm")), {"s"})
        np.save("bytes.npy", np.arange(30, dtype=np.uint8).reshape(2, 3, 5))
        self.serves()
        self.serves("run", "in.npy", "out.npy", "slice=::2,1:")
        self.serves("run", "bytes.npy", "out.npy", "permute=2,0,1")
        self.serves("run", "bytes.npy", "out.npy", "flip=2")
        self.file()

    def test_warm_adds_what_is_missing(self):
        self.made(*HALVES)
        self.assertIn("s", self.made("warm", *ONE))
        before = os.stat(self.file()).st_ino
        self.assertEqual(set(self.made("warm", *ONE)), {"b"})
        self.assertEqual(os.stat(self.file()).st_ino, before)
        self.serves()
        self.serves(*HALVES)

    def test_warm_says_that_it_could_not(self):
        os.mkdir(self.folder, 0o755)
        for variables, words in (
                ({"XDG_CACHE_HOME": os.path.abspath("home")}, "home/clreshape is no folder of"),
                ({"XDG_CACHE_HOME": "", "HOME": "relative"}, "is an absolute path"),
                ({"XDG_CACHE_HOME": "/" + "x" * 5000}, "too long"),
                ({**shim(NO_RENAME), "XDG_CACHE_HOME": os.path.abspath("second")},
                 "No space left on device")):
            with self.subTest(words):
                said = self.refused(FAILED, words, "warm", *ONE, environment=variables)
                self.assertIn("clreshape: the programs are not kept: ", said)
                self.assertTrue(said.endswith("; with -o FILE they are written there\n"), said)
        self.assertEqual(os.listdir("second/clreshape"), [])

    def test_another_processor_of_that_name(self):
        """Two machines that share a home folder."""
        there = {**shim(PROCESSOR), "XDG_CACHE_HOME": os.path.abspath("home")}
        self.succeeds(*TRANSPOSE, environment=there)
        theirs = self.file()
        self.counts = shim(COUNTS)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertEqual(len(os.listdir(self.folder)), 2)
        self.serves()
        os.remove(theirs)
        shutil.copy(self.file(), theirs) # as if the names were the same
        said = self.refused(FAILED, "processor", *TRANSPOSE, "--programs", theirs,
                            environment={**there, **shim(PROCESSOR)})
        self.assertIn("this context needs them for", said)

    def test_without_it(self):
        self.assertEqual(self.made(*TRANSPOSE, "--no-cache"), "s")
        self.succeeds("warm", "-o", "kernels", *ONE)
        self.made(*TRANSPOSE, "--programs", "kernels")
        self.assertEqual(os.listdir("home"), [])
        self.made(*TRANSPOSE)
        self.assertEqual(self.made(*TRANSPOSE, "--no-cache"), "s")
        self.refused(USAGE, "--no-cache", "warm", "--no-cache")

    def test_where_it_is(self):
        """As in the XDG Base Directory Specification."""
        home = {"HOME": os.path.abspath("other")}
        os.mkdir("other")
        for cache in ("", "relative"):
            with self.subTest(cache):
                variables = {**home, "XDG_CACHE_HOME": cache}
                self.assertEqual(self.made(*TRANSPOSE, **variables), "s")
                self.assertEqual(os.listdir("other"), [".cache"])
                self.assertEqual(self.made(*TRANSPOSE, **variables), "b")
                shutil.rmtree("other/.cache")
        self.assertEqual(os.listdir("home"), [])
        self.assertFalse(os.path.exists("relative"))

    # ---- safely ----

    def test_nobody_else_may_look_or_write(self):
        os.rmdir("home")
        self.addCleanup(os.umask, os.umask(0))
        self.made(*TRANSPOSE)
        for path, mode in (("home", 0o700), (self.folder, 0o700), (self.file(), 0o600)):
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), mode, path)

    def test_a_folder_that_others_may_use_is_not_used(self):
        self.made(*TRANSPOSE)
        for mode in (0o755, 0o770, 0o701):
            os.chmod(self.folder, mode)
            self.assertEqual(self.made(*TRANSPOSE), "s")
        os.chmod(self.folder, 0o700)
        self.serves()

    def test_a_file_that_others_may_write_is_replaced(self):
        self.made(*TRANSPOSE)
        for mode in (0o620, 0o602):
            os.chmod(self.file(), mode)
            self.assertEqual(self.made(*TRANSPOSE), "s")
            self.assertEqual(stat.S_IMODE(os.stat(self.file()).st_mode), 0o600)
            self.serves()

    @unittest.skipUnless(os.geteuid() == 0, "only root gives files away")
    def test_what_others_own_is_not_used(self):
        self.made(*TRANSPOSE)
        os.chown(self.file(), 1, -1)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertEqual(os.stat(self.file()).st_uid, 0)
        os.chown(self.folder, 1, -1)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        os.chown(self.folder, 0, -1)
        self.serves()
        shutil.rmtree(self.folder)
        os.chown("home", 1, -1) # nothing is put in another user's way
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertEqual(os.listdir("home"), [])

    def test_links_are_not_followed(self):
        self.made(*TRANSPOSE)
        path = self.file()
        shutil.move(path, "elsewhere")
        with open("elsewhere", "rb") as file:
            before = file.read()
        os.symlink(os.path.abspath("elsewhere"), path)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertTrue(stat.S_ISREG(os.lstat(self.file()).st_mode))
        with open("elsewhere", "rb") as file:
            self.assertEqual(file.read(), before)
        self.serves()
        shutil.move(self.folder, "moved")
        os.symlink(os.path.abspath("moved"), self.folder)
        self.assertEqual(self.made(*TRANSPOSE), "s")

    def test_what_is_no_file_does_not_stop_it(self):
        self.made(*TRANSPOSE)
        path = self.file()
        os.remove(path)
        os.mkfifo(path)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.serves()
        os.remove(path)
        os.mkdir(path)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertEqual(os.listdir(self.folder), [os.path.basename(path)])

    def test_a_damaged_file_is_replaced(self):
        self.made(*TRANSPOSE)
        path = self.file()
        with open(path, "rb") as file:
            good = file.read()
        flipped = bytearray(good)
        flipped[len(good) // 2] ^= 1
        for bad in (b"", b"text", good[:-1], good + b"x", bytes(flipped), bytes(len(good))):
            with open(path, "wb") as file:
                file.write(bad)
            self.assertEqual(self.made(*TRANSPOSE), "s")
            self.serves()

    # ---- never in the way ----

    def test_no_place_for_it_is_no_error(self):
        for variables in ({"XDG_CACHE_HOME": "/dev/null/none"}, {"XDG_CACHE_HOME": "/proc"},
                          {"XDG_CACHE_HOME": "/" + "x" * 5000},
                          {"XDG_CACHE_HOME": "", "HOME": ""},
                          {"XDG_CACHE_HOME": "", "HOME": "/dev/null"}):
            with self.subTest(variables):
                self.assertEqual(self.made(*TRANSPOSE, **variables), "s")
        self.assertEqual(sorted(os.listdir()), ["home", "in.npy", "notes", "out.npy", "shim"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_for_reading_is_no_error(self):
        self.made(*TRANSPOSE)
        os.chmod(self.folder, 0o500)
        self.serves()
        self.assertIn("s", self.made(*HALVES))
        os.chmod(self.folder, 0o700)

    def test_a_file_that_cannot_be_named_leaves_nothing(self):
        self.succeeds(*TRANSPOSE, environment={**shim(NO_RENAME),
                                               "XDG_CACHE_HOME": os.path.abspath("home")})
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_binary_that_the_driver_refuses(self):
        self.made(*TRANSPOSE)
        self.assertEqual(self.made(*TRANSPOSE, BINARY="-42"), "bs")
        self.serves()

    def test_a_binary_that_does_not_build_is_forgotten(self):
        self.made(*TRANSPOSE)
        environment = {**self.counts, "NOTES": os.path.abspath("notes"), "BUILD": "-11",
                       "XDG_CACHE_HOME": os.path.abspath("home")}
        self.refused(FAILED, "build", *TRANSPOSE, environment=environment)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.serves()

    # ---- limits ----

    def test_a_large_file_is_begun_anew(self):
        self.made(*TRANSPOSE)
        size = os.stat(self.file()).st_size
        with open(self.file(), "ab") as file:
            file.truncate((16 << 20) + 1)
        self.assertEqual(self.made(*TRANSPOSE), "s")
        self.assertLess(os.stat(self.file()).st_size, 2 * size)

    def test_the_oldest_of_many_files_goes(self):
        os.mkdir(self.folder, 0o700)
        names = [f"{i:016x}.programs" for i in range(16)]
        for i, name in enumerate(names + ["notes.programs"]):
            path = os.path.join(self.folder, name)
            open(path, "w").close()
            os.utime(path, (1000 + (i + 5) % 17, 1000 + (i + 5) % 17))
        self.made(*TRANSPOSE)
        left = os.listdir(self.folder)
        self.assertEqual(len(left), 17)
        self.assertIn("notes.programs", left)
        self.assertEqual([name for name in names if name not in left], [names[12]])
        self.assertEqual(sum(bool(re.match(r"[0-9a-f]{16}\.programs$", name)) for name in left), 16)


if __name__ == "__main__":
    need_device()
    main()
