"""Every public function and method declares the types of the parameters and of the result.

SPDX-License-Identifier: Apache-2.0
"""

import ast
import inspect
import pathlib
import typing
import unittest

import clreshape as cl

PACKAGE = pathlib.Path(cl.__file__).parent
# Python fixes the parameters and results of these methods.
PYTHONS = {"__del__", "__slots__", "__reduce_ex__", "__weakref__", "__ne__"}


def overloads_of(function):
    """The overloads of a function, which declare the types. Python tells overloads apart from 3.11
    on."""
    return getattr(typing, "get_overloads", lambda _: [])(function) or [function]


def missing(function):
    """The parts of a function without a type."""
    for form in overloads_of(function):
        signature = inspect.signature(form)
        if signature.return_annotation is signature.empty:
            yield "the result"
        for name, parameter in signature.parameters.items():
            if parameter.annotation is parameter.empty and name != "self":
                yield name


def methods_of(kind):
    for name, member in vars(kind).items():
        member = member.fget if isinstance(member, property) else member
        if inspect.isfunction(member) and name not in PYTHONS and (name[:1] != "_" or name[:2] == "__"):
            yield f"{kind.__name__}.{name}", member


class Typed(unittest.TestCase):
    def test_functions_and_methods(self):
        things = [(name, getattr(cl, name)) for name in cl.__all__]
        functions = [(name, thing) for name, thing in things if inspect.isfunction(thing)]
        kinds = {base for _, thing in things if isinstance(thing, type) for base in thing.__mro__
                 if base.__module__.startswith("clreshape.")}
        functions += [method for kind in kinds for method in methods_of(kind)]
        self.assertGreater(len(functions), 80)
        for name, function in functions:
            if hasattr(typing, "get_overloads") or name not in ("rearrange", "repeat"):
                with self.subTest(name=name):
                    self.assertEqual(list(missing(function)), [])

    def test_functions_for_dask(self):
        tree = ast.parse((PACKAGE / "dask.py").read_text("utf-8"))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
        self.assertEqual(sorted(node.name for node in functions),
                         ["cast", "chain", "normalize", "rearrange", "transpose"])
        for node in functions:
            known = node.args
            for one in [*known.posonlyargs, *known.args, *known.kwonlyargs, known.kwarg]:
                self.assertTrue(one is None or one.annotation, f"{node.name}: {one and one.arg}")
            self.assertTrue(node.returns, node.name)

    def test_checkers_are_told_so(self):
        self.assertTrue((PACKAGE / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
