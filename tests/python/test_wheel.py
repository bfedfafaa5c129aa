"""The wheel, made by the documented command: test_wheel.py CMAKE BUILD

pip installs the wheel into a separate environment, without a compiler, a network or NumPy, and the
test uses the package.

SPDX-License-Identifier: Apache-2.0
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

CMAKE, BUILD = sys.argv[1:]

USE = """
import clreshape as cl, sys
assert "numpy" not in sys.modules
print(cl.__version__, cl.dtype("float16").bits)
import pathlib
assert pathlib.Path(cl.__file__).is_relative_to(sys.prefix), cl.__file__
try:
    cl.reshape([1, 2], (2, 1))
except cl.KindError as error:
    print(type(error).__mro__[2].__name__, error)
"""


def made(target):
    said = subprocess.run([CMAKE, "--build", BUILD, "--target", target], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return pathlib.Path(next(line for line in said.splitlines()[::-1] if line.endswith(".whl")))


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wheel = made("wheel")

    def test_its_name_and_what_it_holds(self):
        self.assertRegex(self.wheel.name, r"^clreshape-\d+\.\d+\.\d+-py3-none-\w+\.whl$")
        with zipfile.ZipFile(self.wheel) as archive:
            names = archive.namelist()
            self.assertIsNone(archive.testzip())
        self.assertTrue(any(name.startswith("clreshape/libclreshape.") for name in names))
        self.assertLessEqual({"clreshape/_layout.py", "clreshape/py.typed"}, set(names))
        self.assertFalse([name for name in names if "OpenCL" in name or "__pycache__" in name])

    def test_it_is_the_same_bytes_twice(self):
        before = self.wheel.read_bytes()
        self.wheel.unlink()
        self.assertEqual(made("wheel").read_bytes(), before)

    def test_it_installs_and_works_without_compiler_network_or_numpy(self):
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=True)
            python = pathlib.Path(folder, "bin", "python")
            environment = {name: value for name, value in os.environ.items()
                           if name not in ("PYTHONPATH", "CLRESHAPE_LIBRARY")}
            environment |= {"PATH": str(python.parent), "PIP_NO_INDEX": "1", "CC": "false"}
            subprocess.run([python, "-m", "pip", "install", "--quiet", self.wheel], check=True,
                           env=environment)
            done = subprocess.run([python, "-m", "pip", "check"], check=False, env=environment)
            self.assertEqual(done.returncode, 0)
            said = subprocess.run([python, "-c", USE], check=True, env=environment, cwd=folder,
                                  stdout=subprocess.PIPE, text=True).stdout
            self.assertRegex(said, r"^\d+\.\d+\.\d+ 16\nTypeError a builtins.list is no tensor")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
