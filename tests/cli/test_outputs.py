# Output files: never an input of the same command, with the permissions of the replaced file, all
# or none, and nothing left behind by a signal. Also on file systems without nameless files
# (O_TMPFILE) or without hard links.
#
# SPDX-License-Identifier: Apache-2.0
import os
import resource
import signal
import stat
import struct
import subprocess
import time

import numpy as np

from onnx_files import model, node, read_elements, tensor, write
from program import DONE, FAILED, PROGRAM, Case, call, main, need_device, shim

# Variables: NO_TMPFILE, NO_LINK. FAIL_RENAME=n and SIGNAL_RENAME=n act on the n-th rename of an
# output. SIGNAL_WRITE=number sends that signal at a write to an output. LOG=path logs the
# permissions of outputs when opened and at each write.
SHIM = r"""
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void note(const char *what, unsigned mode) {
  FILE *log = getenv("LOG") ? fopen(getenv("LOG"), "a") : NULL;
  if (log) {
    fprintf(log, "%s %o\n", what, mode);
    fclose(log);
  }
}

static void interrupt(const char *number) {
  if (number)
    kill(getpid(), atoi(number));
}

static int opens(const char *name, const char *path, int flags, mode_t mode) {
  const int is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (is_nameless && getenv("NO_TMPFILE")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  int fd = ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
  struct stat info;
  if (is_nameless && fd >= 0 && fstat(fd, &info) == 0)
    note("open", info.st_mode & 07777);
  return fd;
}

int open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opens("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = va_arg(more, mode_t);
  va_end(more);
  return opens("open64", path, flags, mode);
}

static void note_write(int fd) {
  char link[40], path[4096] = "", here[4096] = "";
  struct stat info;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (getcwd(here, sizeof here) && readlink(link, path, sizeof path - 1) > 0 &&
      strncmp(path, here, strlen(here)) == 0 && fstat(fd, &info) == 0)
    note("write", info.st_mode & 07777), interrupt(getenv("SIGNAL_WRITE"));
}

ssize_t write(int fd, const void *bytes, size_t size) {
  note_write(fd);
  return ((ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write"))(fd, bytes, size);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  note_write(fd);
  return ((ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64"))(
      fd, bytes, size, at);
}

int linkat(int from, const char *old, int to, const char *made, int flags) {
  if (getenv("NO_LINK")) {
    errno = EPERM;
    return -1;
  }
  return ((int (*)(int, const char *, int, const char *, int))dlsym(RTLD_NEXT, "linkat"))(
      from, old, to, made, flags);
}

int rename(const char *old, const char *made) {
  static int outputs;
  const char *fail = getenv("FAIL_RENAME"), *ends = getenv("SIGNAL_RENAME");
  outputs += strstr(made, "output_") && strstr(old, ".clreshape-");
  if (strstr(made, "output_") && fail && outputs == atoi(fail)) {
    outputs++; /* once */
    errno = EACCES;
    return -1;
  }
  if (strstr(made, "output_") && ends && outputs == atoi(ends))
    interrupt("2");
  return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(old, made);
}
"""

VALUES = np.arange(6, dtype="f4").reshape(2, 3)


def content_of(path):
    with open(path, "rb") as file:
        return file.read()


def mode_of(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class Outputs(Case):
    def setUp(self):
        super().setUp()
        os.mkdir("out")
        np.save("in.npy", VALUES)
        write("model.onnx", model([node("Identity", ["x"], ["a"]), node("Identity", ["x"], ["b"])],
                                  ["x"], ["a", "b"], VALUES.shape))
        write("x.pb", tensor(VALUES))

    def run_onnx(self, **variables):
        environment = shim(SHIM, **variables) if variables else None
        return call("onnx", "model.onnx", "x.pb", "-o", "out", environment=environment)

    def is_right(self, *paths):
        for path in paths:
            np.testing.assert_array_equal(read_elements(path, VALUES.size), VALUES.reshape(-1))

    # ---- inputs ----

    def test_no_command_overwrites_what_it_reads(self):
        commands = {"in.npy": ("run", "in.npy", "{}", "permute=1,0"),
                    "model.onnx": ("onnx", "model.onnx", "x.pb", "-o", "out"),
                    "x.pb": ("onnx", "model.onnx", "x.pb", "-o", "out"),
                    "second.npy": ("run", "in.npy", "{}", "concat=0,second.npy"),
                    "run.bin": ("run", "in.npy", "{}", "--programs", "run.bin", "permute=1,0"),
                    "onnx.bin": ("onnx", "model.onnx", "x.pb", "-o", "out", "--programs",
                                 "onnx.bin")}
        np.save("second.npy", VALUES)
        self.succeeds("warm", "-o", "run.bin", "--class", "cpu_rows", "--bits", "32")
        write("onnx.bin", content_of("run.bin"))
        for name, arguments in commands.items():
            before = content_of(name)
            for make in (os.symlink, os.link):
                with self.subTest(name, by=make.__name__):
                    other = "out/output_1.pb"
                    make(os.path.abspath(name), other)
                    text = self.refused(FAILED, "input", *(a.format(other) for a in arguments))
                    self.assertIn(other, text)
                    self.assertEqual(content_of(name), before)
                    self.assertEqual(os.listdir("out"), ["output_1.pb"])
                    os.remove(other)

    def test_no_command_overwrites_what_it_reads_by_its_own_name(self):
        for name in ("model.onnx", "x.pb"):
            os.rename(name, "out/output_0.pb")
            files = {"model.onnx": "model.onnx", "x.pb": "x.pb", name: "out/output_0.pb"}
            before = content_of("out/output_0.pb")
            self.refused(FAILED, "input", "onnx", files["model.onnx"], files["x.pb"], "-o", "out")
            self.assertEqual(content_of("out/output_0.pb"), before)
            os.rename("out/output_0.pb", name)

    def test_an_output_that_becomes_an_input_later(self):
        """The kept programs are read behind the opening of the output."""
        cache = {"XDG_CACHE_HOME": os.path.abspath("cache")}
        self.succeeds("run", "in.npy", "out.npy", "permute=1,0", environment=cache)
        name = os.path.join("cache/clreshape", os.listdir("cache/clreshape")[0])
        before = content_of(name)
        self.refused(FAILED, "the output is the input file", "run", "in.npy", name, "permute=1,0",
                     environment=cache)
        self.assertEqual(content_of(name), before)

    def test_standard_output_is_an_input(self):
        before = content_of("in.npy")
        with open("in.npy", "rb+") as file:
            result = subprocess.run([PROGRAM, "run", "in.npy", "-", "permute=1,0"], stdout=file,
                                    stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, FAILED)
        self.assertIn("standard output: the output is the input file in.npy", result.stderr)
        self.assertEqual(content_of("in.npy"), before)

    def test_two_outputs_that_are_one_file(self):
        for there in (False, True):
            os.symlink("../out/output_0.pb", "out/output_1.pb")
            if there:
                write("out/output_0.pb", b"old")
            text = self.check(self.run_onnx(), FAILED).stderr
            self.assertIn("output 0 and of output 1", text)
            self.assertEqual(os.path.exists("out/output_0.pb"), there)
            os.remove("out/output_1.pb")

    # ---- links and permissions ----

    def test_a_dangling_link_is_followed(self):
        os.mkdir("far")
        os.symlink("../far/real.npy", "out/near.npy")
        os.symlink(os.path.abspath("out/near.npy"), "link.npy")
        for variables in ({}, {"NO_TMPFILE": "1"}):
            self.succeeds("run", "in.npy", "link.npy", "permute=1,0",
                          environment=shim(SHIM, **variables))
            np.testing.assert_array_equal(np.load("far/real.npy"), VALUES.T)
            self.assertTrue(os.path.islink("link.npy") and os.path.islink("out/near.npy"))
            self.assertEqual(os.listdir("far"), ["real.npy"])
            self.assertEqual(os.listdir("out"), ["near.npy"])
            os.remove("far/real.npy")

    def test_a_dangling_link_that_leads_nowhere(self):
        os.symlink("missing/real.npy", "link.npy")
        os.symlink("circle.npy", "circle.npy")
        self.refused(FAILED, "link.npy: No such file", "run", "in.npy", "link.npy")
        self.refused(FAILED, "circle.npy: Too many levels", "run", "in.npy", "circle.npy")
        self.assertTrue(os.path.islink("link.npy") and os.path.islink("circle.npy"))

    def test_a_descriptor_of_a_file_that_was_removed(self):
        """The system's link to the file is text that is no path: "gone.npy (deleted)"."""
        with open("gone.npy", "wb") as gone:
            os.remove("gone.npy")
            before = sorted(os.listdir("."))
            self.refused(FAILED, "No such file", "run", "in.npy", f"/proc/self/fd/{gone.fileno()}",
                         pass_fds=[gone.fileno()])
        self.assertEqual(sorted(os.listdir(".")), before)

    def test_what_is_replaced_leaves_its_mode_before_the_first_byte(self):
        for mode in (0o600, 0o640, 0o666, 0o644, 0o620):
            for variables in ({}, {"NO_TMPFILE": "1"}):
                with self.subTest(oct(mode), **variables):
                    write("out.npy", b"old")
                    os.chmod("out.npy", mode)
                    environment = shim(SHIM, LOG=os.path.abspath("log"), **variables)
                    self.succeeds("run", "in.npy", "out.npy", environment=environment)
                    self.assertEqual(mode_of("out.npy"), mode)
                    log = [line.split() for line in content_of("log").decode().splitlines()]
                    self.assertGreater(len([what for what, _ in log if what == "write"]), 1)
                    for what, seen in log:
                        if what == "write":
                            self.assertEqual(int(seen, 8), mode)
                        self.assertEqual(int(seen, 8) & ~mode & 0o777, 0)
                    os.remove("log")

    def test_onnx_keeps_the_mode(self):
        write("out/output_1.pb", b"old")
        os.chmod("out/output_1.pb", 0o600)
        self.check(self.run_onnx(), DONE)
        self.is_right("out/output_1.pb")
        self.assertEqual(mode_of("out/output_1.pb"), 0o600)

    def test_owner_and_group_are_kept_or_nobody_gets_more(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, who may give files away")
        write("out.npy", b"old")
        os.chmod("out.npy", 0o640)
        os.chown("out.npy", 1234, 4321)
        self.succeeds("run", "in.npy", "out.npy")
        info = os.stat("out.npy")
        self.assertEqual((info.st_uid, info.st_gid, mode_of("out.npy")), (1234, 4321, 0o640))
        refuses = "int fchown(int fd, unsigned u, unsigned g) { return -1; }"
        self.succeeds("run", "in.npy", "out.npy", environment=shim(refuses))
        self.assertEqual((os.stat("out.npy").st_gid, mode_of("out.npy")), (os.getegid(), 0o600))

    def test_an_access_list_is_kept_or_nobody_gets_more(self):
        """rw for the owner and for user 1234, nothing for the group: the mode says 0660."""
        everyone = 0xFFFFFFFF
        entries = ((1, 6, everyone), (2, 6, 1234), (4, 0, everyone), (16, 6, everyone),
                   (32, 0, everyone))
        acl = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
        write("out.npy", b"old")
        try:
            os.setxattr("out.npy", "system.posix_acl_access", acl)
        except OSError as error:
            self.skipTest(f"a file system without access lists: {error}")
        self.assertEqual(mode_of("out.npy"), 0o660)
        for variables in ({}, {"NO_TMPFILE": "1"}):
            self.succeeds("run", "in.npy", "out.npy", environment=shim(SHIM, **variables))
            self.assertEqual(os.getxattr("out.npy", "system.posix_acl_access"), acl)
        refuses = "int fsetxattr(void) { return -1; }"
        self.succeeds("run", "in.npy", "out.npy", environment=shim(refuses))
        self.assertEqual((os.listxattr("out.npy"), mode_of("out.npy")), ([], 0o600))

    # ---- all or none ----

    def test_outputs_appear_together_or_not_at_all(self):
        for variables in ({}, {"NO_TMPFILE": "1"}, {"NO_TMPFILE": "1", "NO_LINK": "1"}):
            for nth in ("1", "2"):
                for old in ((), ("output_0.pb",), ("output_1.pb",), ("output_0.pb", "output_1.pb")):
                    with self.subTest(nth=nth, old=old, **variables):
                        for name in old:
                            write("out/" + name, b"old " + name.encode())
                        result = self.check(self.run_onnx(FAIL_RENAME=nth, **variables), FAILED)
                        self.assertRegex(result.stderr, r"output_\d\.pb: Permission denied\n$")
                        self.assertEqual(sorted(os.listdir("out")), list(old))
                        for name in old:
                            self.assertEqual(content_of("out/" + name), b"old " + name.encode())
                        self.check(self.run_onnx(**variables), DONE)
                        self.is_right("out/output_0.pb", "out/output_1.pb")
                        self.assertEqual(len(os.listdir("out")), 2)
                        for name in os.listdir("out"):
                            os.remove("out/" + name)

    # ---- signals ----

    def begin_run(self):
        """A program that opens a device and then waits for input after the header. The output file
        exists, and nothing is written yet."""
        environment = {**os.environ, **shim(SHIM, NO_TMPFILE="1")}
        running = subprocess.Popen([PROGRAM, "run", "-", "out/out.npy", "permute=1,0"],
                                   env=environment, stdin=subprocess.PIPE)
        self.addCleanup(running.stdin.close)
        running.stdin.write(content_of("in.npy")[:-VALUES.nbytes])
        running.stdin.flush()
        for _ in range(6000):
            if os.listdir("out") or running.poll() is not None:
                break
            time.sleep(0.01)
        self.assertRegex(os.listdir("out")[0], r"^\.clreshape-")
        return running

    def test_a_signal_leaves_no_file_and_shows_in_the_status(self):
        """While the driver works, and perhaps the compiler, which installs signal handlers."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                running = self.begin_run()
                running.send_signal(number)
                self.assertEqual(running.wait(60), -number)
                self.assertEqual(os.listdir("out"), [])

    def test_a_signal_at_a_write_leaves_no_file(self):
        """LLVM's handlers, once there, let the first SIGQUIT pass. A view needs no compiler, but
        PoCL calls LLVM for a handler unless told not to."""
        def no_core():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        go_on = {signal.SIGKILL, signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU,
                 signal.SIGCONT, signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
        own = ":".join(f"handle_{name}=0" for name in ("segv", "sigbus", "sigfpe", "sigill",
                                                       "sigtrap"))  # a sanitizer's own handlers
        numbers = {number for number in signal.valid_signals() - go_on if number < 32}
        for number in sorted(numbers | {signal.SIGRTMIN, signal.SIGRTMAX}):
            with self.subTest(number):
                write("out/old.npy", b"precious")
                environment = shim(SHIM, NO_TMPFILE="1", SIGNAL_WRITE=str(int(number)),
                                   POCL_SIGFPE_HANDLER="0")
                for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
                    environment[name] = f"{environment.get(name, os.environ.get(name, ''))}:{own}"
                result = call("run", "in.npy", "out/old.npy", "reshape=-1", preexec_fn=no_core,
                              environment=environment)
                self.assertEqual(result.returncode, -number)
                self.assertEqual(os.listdir("out"), ["old.npy"])
                self.assertEqual(content_of("out/old.npy"), b"precious")

    def test_a_signal_that_was_ignored_stays_ignored(self):
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):
            def ignore(which=number):
                signal.signal(which, signal.SIG_IGN)
            with self.subTest(number.name):
                environment = shim(SHIM, NO_TMPFILE="1", SIGNAL_WRITE=str(int(number)))
                self.succeeds("run", "in.npy", "out/out.npy", "reshape=-1", preexec_fn=ignore,
                              restore_signals=False, environment=environment)
                np.testing.assert_array_equal(np.load("out/out.npy"), VALUES.reshape(-1))
                self.assertEqual(os.listdir("out"), ["out.npy"])
                os.remove("out/out.npy")

    def test_a_signal_between_two_outputs_waits_for_both(self):
        for old in (False, True):
            for nth in ("1", "2"):
                if old:
                    write("out/output_0.pb", b"old")
                result = self.run_onnx(NO_TMPFILE="1", SIGNAL_RENAME=nth)
                self.assertEqual(result.returncode, -signal.SIGINT)
                self.assertEqual(sorted(os.listdir("out")), ["output_0.pb", "output_1.pb"])
                self.is_right("out/output_0.pb", "out/output_1.pb")
                for name in os.listdir("out"):
                    os.remove("out/" + name)


if __name__ == "__main__":
    need_device()
    main()
