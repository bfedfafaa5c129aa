#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks the real packages every question of the exhaustive resolver test and writes answers.txt.

    python3 -m venv packages
    packages/bin/pip install numpy onnx onnxruntime openvino onednn onednn-devel
    packages/bin/python generate.py > answers.txt

The script needs x86-64 Linux and about three minutes on two cores. The tests need no package: the
tests read answers.txt. The first lines of answers.txt name the versions of the packages.

The questions combine 85 inputs, of rank 0 to 3 with dims 0 to 3, with 2801 patterns, of length 0 to
4 with values -2 to 4, and with both zero modes. Each system gets 476,170 questions. Both lists are
in the order of itertools.product, by rank.

The form of answers.txt, for readers:
  answers T T T*n ...     85 answers, one per input. `*n` repeats an answer n times
  patterns N,N,... P P P  the patterns with these columns. A column N is the number of a line of
                          answers, counted from 1, or 0 for 85 refusals. The columns are the systems
                          onnx, onnxruntime, openvino, onednn, numpy. Each system has a column with
                          zeros that copy, and then a column with literal zeros
A pattern without a line is refused by all systems.
A pattern is one character per value, with n for -1 and m for -2, and () if empty.
An answer is `.` for a refusal. Otherwise the answer has one character in base 36 for each dim of
the result with a pattern value of 0 or less, or `=` without such dims. All other dims equal the
pattern values, and the script stops if a system ever disagrees.
"""

import importlib.metadata
import itertools
import os
import subprocess
import sys
from multiprocessing.pool import ThreadPool

import oracle_onednn

INPUTS = [dims for rank in range(4) for dims in itertools.product(range(4), repeat=rank)]
PATTERNS = [p for length in range(5) for p in itertools.product(range(-2, 5), repeat=length)]
SYSTEMS = ["onnx", "onnxruntime", "openvino", "onednn", "numpy"]
PACKAGES = ["numpy", "onnx", "onnxruntime", "openvino", "onednn"]
BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
SPELLING = {-2: "m", -1: "n", **{value: str(value) for value in range(5)}}
REFUSED = f".*{len(INPUTS)}"


def oracle(system):
    if system == "onednn":
        return oracle_onednn.OneDnn().answer
    import oracles

    if system == "onnxruntime":
        return oracles.OnnxRuntime().answer
    return {
        "numpy": oracles.numpy_answer,
        "onnx": oracles.onnx_reference_answer,
        "openvino": oracles.openvino_answer,
    }[system]


def spell_answer(pattern, dims):
    if dims is None:
        return "."
    if len(dims) != len(pattern) or any(p > 0 and p != d for p, d in zip(pattern, dims)):
        raise SystemExit(f"{pattern} gave {dims}: this does not fit the form of the table")
    return "".join(BASE36[d] for p, d in zip(pattern, dims) if p <= 0) or "="


def spell_pattern(pattern):
    return "".join(SPELLING[value] for value in pattern) or "()"


def run_length(answers):
    runs = ((answer, len(list(run))) for answer, run in itertools.groupby(answers))
    return " ".join(answer if count == 1 else f"{answer}*{count}" for answer, count in runs)


def print_both_modes(system):
    answer = oracle(system)
    for literal in (False, True):
        for pattern in PATTERNS:
            column = [spell_answer(pattern, answer(dims, pattern, literal)) for dims in INPUTS]
            print(run_length(column))


def ask_in_a_process(system):
    """Asks in a separate process, because the shared libraries of these packages conflict."""
    environment = oracle_onednn.environment() if system == "onednn" else os.environ
    command = [sys.executable, __file__, system]
    said = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    lines = said.stdout.splitlines()
    return [lines[: len(PATTERNS)], lines[len(PATTERNS) :]]


def print_table(columns):
    """columns: a list for each system and mode, with the answers to every pattern."""
    numbers, groups = {REFUSED: 0}, {}
    for pattern, answers in zip(PATTERNS, zip(*columns)):
        group = ",".join(str(numbers.setdefault(one, len(numbers))) for one in answers)
        groups.setdefault(group, []).append(spell_pattern(pattern))
    groups.pop(",".join("0" * len(columns)))
    for answers in list(numbers)[1:]:
        print("answers " + answers)
    for group, patterns in groups.items():
        print("patterns", group, *patterns)


def main():
    if len(sys.argv) == 2:
        print_both_modes(sys.argv[1])
        return
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    print("# What real packages make of reshape patterns. Written by generate.py, which says how")
    print(f"# to read it. {versions}")
    with ThreadPool(2) as pool:
        print_table([mode for both in pool.map(ask_in_a_process, SYSTEMS, 1) for mode in both])


if __name__ == "__main__":
    main()
