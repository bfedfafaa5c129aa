# Shared by the tests of the program: running the program and judging the result.
#
# CLRESHAPE_PROGRAM names the program. Without an OpenCL device the tests that need a device end
# with 77, or fail if CLRS_REQUIRE_DEVICE=1.
#
# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["CLRESHAPE_PROGRAM"]
DONE, FAILED, USAGE, NO_DEVICE = 0, 1, 2, 77

# A test of kernels that tests of the library have as well. NAME_long has the test.
in_long = unittest.skipUnless(os.environ.get("CLRS_TEST_LONG") == "1", "set CLRS_TEST_LONG=1")

# No result may come from an earlier run, so the program has no kernel cache unless a test gives a
# cache. PoCL's cache stays in place.
os.environ.setdefault("POCL_CACHE_DIR", os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "pocl", "kcache"))
os.environ["XDG_CACHE_HOME"] = "/dev/null/none"


def call(*arguments, environment=None, **options):
    """Runs the program. The result has returncode, stdout and stderr as text."""
    return subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300,
        env={**os.environ, **(environment or {})}, **options)


class Case(unittest.TestCase):
    """A test in a separate folder, which becomes the current folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def check(self, result, code):
        self.assertEqual(result.returncode, code,
                         f"{result.args}\nstdout: {result.stdout}\nstderr: {result.stderr}")
        return result

    def succeeds(self, *arguments, **options):
        return self.check(call(*arguments, **options), DONE).stdout

    def refused(self, code, says, *arguments, **options):
        """Requires the exit code, an empty stdout, and a single sentence with those words."""
        result = self.check(call(*arguments, **options), code)
        self.assertEqual(result.stdout, "")
        self.assertTrue(result.stderr.startswith("clreshape: "), result.stderr)
        self.assertIn(says, result.stderr)
        return result.stderr


def shim(source, **variables):
    """The environment of a program that calls the functions of this C source instead of library
    functions. The source is compiled into the folder `shim` of the current folder."""
    os.makedirs("shim", exist_ok=True)
    with open("shim/shim.c", "w") as file:
        file.write("#define _GNU_SOURCE\n" + source)
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", "shim/shim.so", "shim/shim.c", "-ldl"],
                   check=True)
    return {"LD_PRELOAD": os.path.abspath("shim/shim.so"),  # which a sanitizer must accept
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
            **variables}


def need_device():
    """Ends the script if no device exists and no device is required, or if the device fails."""
    result = call("devices")
    if result.returncode == NO_DEVICE and os.environ.get("CLRS_REQUIRE_DEVICE") != "1":
        print(result.stderr)
        sys.exit(NO_DEVICE)
    if result.returncode != DONE:
        print(result.stderr)
        sys.exit(FAILED)


def main():
    unittest.main(verbosity=2)
