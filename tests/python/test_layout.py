"""The package's knowledge of the C headers, without a device: test_layout.py INCLUDE COMPILER

SPDX-License-Identifier: Apache-2.0
"""

import ctypes as C
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import clreshape as cl
from clreshape import _dtypes, _errors, _layout, _library, _structs

INCLUDE, COMPILER = sys.argv[1], sys.argv[2]
HEADERS = sorted(path for path in pathlib.Path(INCLUDE, "clreshape").glob("*.h")
                 if path.name != "onnx.h")  # of a library that the package does not load
PACKAGE = pathlib.Path(cl.__file__).parent


def run_python(code, **environment):
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout


class Layouts(unittest.TestCase):
    @staticmethod
    def _claims():
        """The ctypes layout of each struct, as claims that a C compiler checks."""
        for name, made in _structs.STRUCTS.items():
            yield f"sizeof({name}) == {C.sizeof(made)}"
            yield f"_Alignof({name}) == {C.alignment(made)}"
            for field, _ in made._fields_:
                where = getattr(made, field)
                yield f"offsetof({name}, {field}) == {where.offset}"
                yield f"sizeof((({name} *)0)->{field}) == {where.size}"
        for values in _layout.ENUMS.values():
            yield from (f"{name} == {value}" for name, value in values.items())

    def test_the_compiler_agrees_with_ctypes(self):
        claims = list(self._claims())
        self.assertGreater(len(claims), 400)
        self.assertEqual(self._compile(claims), "")

    def test_the_compiler_refuses_what_is_wrong(self):
        self.assertIn("assert", self._compile(["sizeof(clrs_shape) == 1"]))

    @staticmethod
    def _compile(claims):
        lines = [f'_Static_assert({claim}, "{claim}");' for claim in claims]
        headers = [f"#include <clreshape/{path.name}>" for path in HEADERS]
        text = "\n".join([*headers, "#include <stddef.h>", *lines, ""])
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "claims.c")
            source.write_text(text, "utf-8")
            return subprocess.run([COMPILER, "-std=c11", "-DCL_TARGET_OPENCL_VERSION=120", "-I",
                                   INCLUDE, "-fsyntax-only", source], stderr=subprocess.PIPE,
                                  text=True, check=False).stderr

    def test_every_struct_and_function_of_the_headers_is_there(self):
        text = "".join(path.read_text("utf-8") for path in HEADERS)
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        structs = set(re.findall(r"typedef struct (clrs_\w+) \{", text))
        self.assertEqual(structs, {*_layout.STRUCTS, *_layout.OPAQUE})
        functions = re.findall(r"^CLRS_(?:API|CHECKED) [^;(]*?\b(clrs_\w+)\(", text, re.M)
        self.assertEqual(set(functions), set(_layout.FUNCTIONS))
        self.assertGreater(len(functions), 90)

    def test_every_function_is_in_the_library(self):
        for name in _layout.FUNCTIONS:
            self.assertIsNotNone(_library.function(name[len("clrs_"):]))

    def test_a_struct_that_lies_otherwise_is_seen(self):
        size, alignment, fields = _layout.STRUCTS["clrs_shape"]
        moved = tuple((name, word, count, offset + 8) for name, word, count, offset in fields)
        with self.assertRaises(cl.LibraryError):
            _structs._check("clrs_shape", _structs.Shape, size, alignment, moved)


class Names(unittest.TestCase):
    def test_every_status_has_an_exception(self):
        self.assertEqual(set(_errors.BY_STATUS), set(_structs.enum("clrs_status")) - {"CLRS_OK"})
        for error in _errors.BY_STATUS.values():
            self.assertTrue(issubclass(error, cl.ClreshapeError))
            self.assertIn(error.__name__, cl.__all__)

    def test_element_types_have_the_librarys_names(self):
        name_of = _library.function("dtype_name")
        for name, number in _dtypes.NUMBERS.items():
            self.assertEqual(name_of(number, 0), name.encode())
            self.assertEqual(_dtypes.numbered(number).number, number)
            if name not in ("i2", "i4", "i8", "u1", "u2", "u4", "u8"):
                self.assertEqual(cl.dtype(name).number, number)

    def test_names_that_numpy_has_for_other_types_are_refused(self):
        for name in _dtypes.NUMBERS:
            try:
                numpys = np.dtype(name).name
            except TypeError:
                continue  # NumPy has no such name
            ours = _dtypes.numbered(_dtypes.NUMBERS[name]).name
            if ours == numpys or name == "f16":  # NumPy's is longdouble, on some platforms
                continue
            for use in (lambda: cl.dtype(name), lambda: cl.dtype("float32") == name):
                with self.assertRaisesRegex(TypeError, f"write '{ours}' or '{numpys}'"):
                    use()
            self.assertEqual(cl.dtype(np.dtype(name)).name, numpys)

    def test_element_types_have_numpys_names(self):
        for name, ours in (("float16", "f16"), ("uint16", "u16"), ("int64", "i64"), ("bool", "bool"),
                           ("bfloat16", "bf16"), ("float8_e5m2", "f8e5m2")):
            self.assertEqual(cl.dtype(name), ours)
            self.assertEqual(cl.dtype(ours).name, name)
        self.assertNotEqual(cl.dtype("f16"), "float32")
        self.assertEqual({cl.dtype("f16"): 1}[cl.dtype("float16")], 1)

    def test_an_unknown_type_is_refused(self):
        with self.assertRaisesRegex(TypeError, "float17"):
            cl.dtype("float17")

    def test_all_that_is_public_is_there_and_documented(self):
        for name in cl.__all__:
            self.assertTrue(getattr(cl, name).__doc__, name)


class Loading(unittest.TestCase):
    def test_an_import_loads_nothing(self):
        said = run_python("import clreshape, clreshape._library as l; print(l._loaded)")
        self.assertEqual(said, "[]\n")

    def test_the_librarys_version_is_the_packages(self):
        self.assertEqual(_library.function("version")(), _layout.VERSION[0] * 10000
                         + _layout.VERSION[1] * 100 + _layout.VERSION[2])

    def _without_library(self, code, **environment):
        """Runs code with a copy of the package that has no library in the folder."""
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "clreshape")
            copy.mkdir()
            for path in PACKAGE.glob("*.py"):
                (copy / path.name).write_bytes(path.read_bytes())
            prelude = ("import clreshape as cl, ctypes.util\n"
                       "ctypes.util.find_library = lambda name: None\n")
            return run_python(prelude + code, PYTHONPATH=folder, **environment)

    def test_a_missing_library_is_told_at_the_first_use(self):
        said = self._without_library("print('imported')\ncl.dtype('f32')", CLRESHAPE_LIBRARY="")
        self.assertTrue(said.startswith("imported\n"), said)
        self.assertIn("LibraryError: libclreshape is not there", said)

    def test_a_library_is_taken_from_where_the_environment_says(self):
        library = next(path for path in PACKAGE.iterdir() if path.stem == "libclreshape")
        said = self._without_library("print(cl.dtype('f32').bits)", CLRESHAPE_LIBRARY=str(library))
        self.assertEqual(said, "32\n")

    def test_another_version_is_refused(self):
        library = next(path for path in PACKAGE.iterdir() if path.stem == "libclreshape")
        said = self._without_library(
            "import clreshape._library as l\nl.VERSION = '9.9.9'\ncl.dtype('f32')",
            CLRESHAPE_LIBRARY=str(library))
        self.assertRegex(said, r"LibraryError: .* is version 0\.\d+\.\d+ of clreshape, the Python "
                               r"package is 9\.9\.9")

    def test_a_missing_opencl_loader_is_told(self):
        library = next(path for path in PACKAGE.iterdir() if path.stem == "libclreshape")
        with tempfile.NamedTemporaryFile(suffix=library.suffix) as other:
            other.write(library.read_bytes().replace(b"libOpenCL.so.1\0", b"libOpenCL.so.0\0"))
            other.flush()
            said = self._without_library("cl.dtype('f32')", CLRESHAPE_LIBRARY=other.name)
        self.assertIn("LibraryError: ", said)
        self.assertIn("the OpenCL loader is missing", said)

    def test_what_is_no_library_is_told(self):
        said = self._without_library("cl.dtype('f32')", CLRESHAPE_LIBRARY=cl.__file__)
        self.assertIn("cannot be loaded", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
