# `resolve`: the table of worked differences between the dialects, and the rules, each in a test.
#
# Each row was derived from the sources of ONNX, OpenVINO and oneDNN, and from NumPy's
# documentation, never from this program's answers.
#
# SPDX-License-Identifier: Apache-2.0
import itertools

import numpy as np

from program import FAILED, USAGE, Case, main

COPY, LITERAL, ANY = (False,), (True,), (False, True)
DIALECTS = ("onnx", "openvino", "onednn", "numpy")
ERROR = None  # the request fails
SKIP = object()  # the dialect has no such mode
HUGE = str(2**32)

# input, pattern, zero modes, then the answer of each dialect
DIFFERENCES = [
    ("2,3,4", "4,2,3", ANY, "4,2,3", "4,2,3", "4,2,3", "4,2,3"),
    ("2,3,4", "2,0,1,-1", COPY, "2,3,1,4", "2,3,1,4", "2,3,1,4", SKIP),
    ("0,4", "0,-1", COPY, ERROR, "0,4", ERROR, SKIP),
    ("0,10", "0,1,-1", COPY, ERROR, "0,1,10", ERROR, SKIP),
    ("1,0", "-1,0", COPY, ERROR, "1,0", ERROR, SKIP),
    ("0,4", "0,-1", LITERAL, ERROR, "0,1", ERROR, ERROR),
    ("0,4", "-1,4", ANY, "0,4", "0,4", "0,4", "0,4"),
    ("0,4", "2,-1", ANY, "2,0", "2,0", "2,0", "2,0"),
    ("0,3,4", "3,4,0", LITERAL, "3,4,0", "3,4,0", "3,4,0", "3,4,0"),
    ("0,3,4", "3,4,0", COPY, ERROR, ERROR, ERROR, SKIP),
    ("2,5,5,24", "0,-1,4", COPY, "2,150,4", "2,150,4", "2,150,4", SKIP),
    ("2,5,5,0", "0,4", LITERAL, "0,4", "0,4", "0,4", "0,4"),
    ("3,1,1", "-1,0", COPY, "3,1", "3,1", "3,1", SKIP),
    ("2,3", "3,2,0", COPY, ERROR, ERROR, ERROR, SKIP),
    (f"{HUGE},{HUGE}", "-1", ANY, ERROR, ERROR, ERROR, ERROR),
    ("1,1,1", "", ANY, "", "", "", ""),
]

# Patterns that every dialect refuses, with words of the expected sentence.
REFUSED = [
    ("two_minus_ones", "2,3", "-1,-1", "-1"),
    ("does_not_divide", "2,3", "4,-1", "4"),
    ("counts_differ", "2,3,4", "5,5", "25"),
    ("product_wraps_to_the_right_count", "4", f"{2**62 + 1},4", "64 bits"),
    ("scalar_to_two", "", "2", "2"),
]

# Values that NumPy takes for -1, as the next test finds by asking NumPy.
BELOW_MINUS_ONE = [("2,3", "-2,3", "-2"), ("2,3", str(-2**63), str(-2**63))]

# input, pattern, answer, the same everywhere
ACCEPTED = [
    ("", "", ""), ("", "1", "1"), ("", "-1", "1"), ("1", "", ""), ("6", "2,3", "2,3"),
    ("2,3", "-1", "6"), ("2,3", "6,-1", "6,1"), (f"{2**31},2", f"2,{2**31}", f"2,{2**31}"),
    (f"{2**62}", "-1,2", f"{2**61},2"), (f"{2**63 - 1}", "1,-1", f"1,{2**63 - 1}"),
    (",".join(["1"] * 32), "1", "1"), ("1", ",".join(["1"] * 32), ",".join(["1"] * 32)),
]


def arguments(dialect, dims, pattern, literal):
    options = ["--dialect", dialect, "--input", dims, "--shape", pattern]
    return ["resolve", *options, *(["--literal-zero"] if literal else [])]


def text(values):
    return ",".join(map(str, values))


class Resolve(Case):
    def test_every_worked_difference(self):
        for dims, pattern, modes, *answers in DIFFERENCES:
            for dialect, answer in zip(DIALECTS, answers):
                for literal in modes:
                    with self.subTest(dims=dims, pattern=pattern, dialect=dialect, literal=literal):
                        line = arguments(dialect, dims, pattern, literal)
                        if answer is ERROR:
                            self.refused(FAILED, "", *line)
                        elif answer is not SKIP:
                            self.assertEqual(self.succeeds(*line), answer + "\n")

    def test_what_every_dialect_refuses(self):
        for name, dims, pattern, says in REFUSED:
            for dialect in DIALECTS:
                for literal in ANY:
                    with self.subTest(name, dialect=dialect, literal=literal):
                        self.refused(FAILED, says, *arguments(dialect, dims, pattern, literal))

    def test_below_minus_one(self):
        for dims, pattern, says in BELOW_MINUS_ONE:
            for dialect in ("onnx", "openvino", "onednn"):
                for literal in ANY:
                    with self.subTest(pattern, dialect=dialect, literal=literal):
                        self.refused(FAILED, says, *arguments(dialect, dims, pattern, literal))

    def test_numpy_dialect_answers_as_numpy_does(self):
        dims = (2, 0, 3), (2, 3), (1,), ()
        patterns = itertools.product((-2, -1, 0, 1, 3), repeat=2)
        for shape, pattern in itertools.product(dims, patterns):
            with self.subTest(shape=shape, pattern=pattern):
                line = arguments("numpy", text(shape), text(pattern), False)
                try:
                    expected = np.zeros(shape).reshape(pattern).shape
                except ValueError:
                    self.refused(FAILED, "", *line)
                else:
                    self.assertEqual(self.succeeds(*line), text(expected) + "\n")

    def test_what_every_dialect_answers(self):
        for dims, pattern, answer in ACCEPTED:
            for dialect in DIALECTS:
                with self.subTest(dims=dims, pattern=pattern, dialect=dialect):
                    line = arguments(dialect, dims, pattern, False)
                    self.assertEqual(self.succeeds(*line), answer + "\n")

    def test_dialect_is_onnx_unless_given(self):
        self.assertEqual(self.succeeds("resolve", "--input", "2,3,4", "--shape", "0,-1"), "2,12\n")

    def test_empty_lists_are_scalars(self):
        for line in (["--input", "", "--shape", ""], ["--input=", "--shape="],
                     ["--shape", "", "--input"], ["--input", "", "--shape"]):
            with self.subTest(line):
                self.assertEqual(self.succeeds("resolve", *line), "\n")

    def test_limits_are_failures_and_not_mistakes_in_the_line(self):
        many = ",".join(["1"] * 33)
        self.refused(FAILED, "32", *arguments("onnx", many, "1", False))
        self.refused(FAILED, "32", *arguments("onnx", "1", many, False))
        self.refused(FAILED, "64 bits", *arguments("onnx", "1", str(2**63), False))
        self.refused(FAILED, "-1", *arguments("onnx", "-1", "1", False))

    def test_mistakes_in_the_line(self):
        good = arguments("onnx", "2,3", "6", False)
        self.refused(USAGE, "'2x'", *arguments("onnx", "2x", "6", False))
        self.refused(USAGE, "--shape", *arguments("onnx", "2,3", "6,", False))
        self.refused(USAGE, "'keras'", *arguments("keras", "2,3", "6", False))
        self.refused(USAGE, "'extra'", *good, "extra")
        self.refused(USAGE, "--verbose", *good, "--verbose")
        self.refused(USAGE, "--dialect", *good, "--dialect")
        self.refused(USAGE, "--input and --shape", "resolve", "--input", "2")
        self.refused(USAGE, "--input and --shape", "resolve", "--shape", "2")


if __name__ == "__main__":
    main()
