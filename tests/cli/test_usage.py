# The command line as a whole: help, unknown words, exit codes, standard output that fails, and
# the refusal to run with more rights than the caller has. Needs no device.
#
# SPDX-License-Identifier: Apache-2.0
import os
import re
import shutil
import subprocess

from program import DONE, FAILED, NO_DEVICE, PROGRAM, USAGE, Case, call, main

COMMANDS = ("devices", "resolve", "run", "explain", "onnx", "warm", "bench")
NOWHERE = {"OCL_ICD_VENDORS": "/nonexistent"}


class Usage(Case):
    def test_help_lists_every_command_and_nothing_else(self):
        text = self.succeeds("--help")
        listed = [line.split()[0] for line in text.splitlines() if line.startswith("  ")]
        self.assertEqual(tuple(listed), COMMANDS)
        self.assertEqual(self.succeeds("-h"), text)

    def test_every_command_has_help(self):
        for command in COMMANDS:
            with self.subTest(command):
                self.assertIn(f"clreshape {command}", self.succeeds(command, "--help"))

    def test_help_names_nothing_that_is_not_there(self):
        for command in COMMANDS:
            text = self.succeeds(command, "--help")
            for listed in re.findall(r"--class C .*?\(([a-z_, ]+), \.\.\.\)", text, re.DOTALL):
                for name in listed.split(", "):
                    with self.subTest(command, name=name):
                        self.refused(FAILED, "none.npy", "explain", "none.npy", "--class", name)
            for named in re.findall(r"`clreshape (\w+)", text):
                self.assertIn(named, COMMANDS)

    def test_version(self):
        self.assertRegex(self.succeeds("--version"), r"^clreshape \d+\.\d+\.\d+\n$")

    def test_mistakes(self):
        self.refused(USAGE, "missing")
        self.refused(USAGE, "'reshape'", "reshape")
        self.refused(USAGE, "'benchmark'", "benchmark")
        self.refused(USAGE, "''", "")
        self.refused(USAGE, "--verbose", "devices", "--verbose")
        self.refused(USAGE, "'more'", "devices", "more")
        self.refused(USAGE, "input", "run")
        self.refused(USAGE, "output", "run", "in.npy")
        self.refused(USAGE, "input", "explain")
        self.refused(USAGE, "--json", "run", "in.npy", "out.npy", "--json")
        self.refused(USAGE, "--nonsense", "run", "in.npy", "out.npy", "--nonsense")
        self.refused(USAGE, "--device", "run", "in.npy", "out.npy", "--device")
        self.refused(USAGE, "'maybe'", "run", "in.npy", "out.npy", "--policy", "maybe")
        self.refused(USAGE, "'keras'", "run", "in.npy", "out.npy", "--dialect", "keras")
        self.refused(USAGE, "'rotate=1'", "run", "in.npy", "out.npy", "rotate=1")
        self.refused(USAGE, "'rotate=1'", "explain", "in.npy", "rotate=1")
        for device in ("0", "0:", ":0", "a:b", "0:0:0", "-1:0", "0:99999999", ""):
            self.refused(USAGE, f"'{device}'", "run", "in.npy", "out.npy", "--device", device)
        self.assertEqual(os.listdir("."), [])

    def test_full_standard_output_is_a_failure(self):
        with open("/dev/full", "w") as full:
            line = [PROGRAM, "resolve", "--input", "2", "--shape", "2"]
            result = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, FAILED)
        self.assertIn("standard output", result.stderr)

    def test_no_device_is_77(self):
        self.refused(NO_DEVICE, "no OpenCL device", "devices", environment=NOWHERE)
        self.refused(NO_DEVICE, "no OpenCL device", "devices", "--json", environment=NOWHERE)

    def test_elevated_rights_are_refused(self):
        if os.geteuid() != 0 or os.statvfs(".").f_flag & os.ST_NOSUID:
            self.skipTest("needs root and a file system that honours set-user-ID")
        os.chmod(".", 0o755)
        shutil.copy(PROGRAM, "elevated")
        os.chmod("elevated", 0o4755)
        result = subprocess.run([os.path.abspath("elevated"), "--version"], capture_output=True,
                                text=True, user=65534, group=65534, extra_groups=[])
        if "shared libraries" in result.stderr:
            self.skipTest("the library is in a folder that only root can read")
        self.assertEqual((result.returncode, result.stdout), (FAILED, ""))
        self.assertIn("set-user-ID", result.stderr)
        self.assertEqual(call("--version").returncode, DONE)


if __name__ == "__main__":
    main()
