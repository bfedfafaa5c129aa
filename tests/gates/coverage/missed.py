"""What was not run of a program or library: missed.py LLVM_FOLDER PROFILE ROOT OBJECT [REASONS]

Prints FILE: FUNCTION: WHAT: TEXT for each run of lines that was not run, and for each branch that
never went one way, of the files below ROOT. Each condition of an && or || is a branch; one that is
in a macro is named by the macro's use. Texts, not line numbers, so that lists of them outlive edits.
What occurs several times in a function says so. A condition that the compiler decides is no branch.
With REASONS, a list of such lines, prints only what is not in it or should not be, and then fails.

SPDX-License-Identifier: Apache-2.0
"""

import collections
import json
import os
import subprocess
import sys

from reasons import compare, read_reasons, text_at

EXPANSION = 1


def with_arguments(source, place):
    """The place of a macro's name, lengthened to the parenthesis that ends its arguments."""
    line, column = place[2:]
    text = "\n".join([source[line - 1][column - 1:], *source[line:]])
    if not text.startswith("("):
        return place
    depth = 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        line, column = (line + 1, 1) if letter == "\n" else (line, column + 1)
        if depth == 0:
            break
    return *place[:2], line, column


class Coverage:
    """All that llvm-cov knows, by file below the root."""

    def __init__(self, root):
        self.root = os.path.join(root, "")
        self.sources = {}  # file: its lines
        self.lines = {}  # (file, line): was run
        self.functions = {}  # file: {(first line, last line): name}
        self.branches = {}  # (file, function, place of use, place): set of True and False

    def short(self, path):
        """The name below the root, or None."""
        path = os.path.realpath(path)
        if not path.startswith(self.root):
            return None
        name = path[len(self.root):]
        if name not in self.sources:
            with open(path, encoding="utf-8") as file:
                self.sources[name] = file.read().splitlines()
        return name

    def add_lines(self, text):
        name = None
        for record in text.splitlines():
            if record.startswith("SF:"):
                name = self.short(record[3:])
            elif record.startswith("DA:") and name:
                line, count = record[3:].split(",")[:2]
                key = name, int(line)
                self.lines[key] = self.lines.get(key, False) or int(count) > 0

    def add_function(self, function):
        files, uses = function["filenames"], {}
        name = self.short(files[function["regions"][0][5]])
        if not name:
            return
        title = function["name"].split(":")[-1]
        first = function["regions"][0]
        self.functions.setdefault(name, {})[first[0], first[2]] = title
        for region in function["regions"]:
            if region[7] == EXPANSION:
                uses[region[6]] = region[5], tuple(region[:4])
        for branch in function.get("branches", []):
            file, place = branch[6], tuple(branch[:4])
            inner = os.path.basename(files[file]), place
            while file in uses:
                file, place = uses[file]
            if file != branch[6]:
                place = with_arguments(self.sources[name], place)
            self.add_branch((name, title, place, inner), branch[4:6])

    def add_branch(self, key, counts):
        decided = not any(counts) and self.lines.get((key[0], key[2][0]))
        if not decided:
            self.branches.setdefault(key, set()).update(
                way for way, count in zip((True, False), counts) if count)

    def function_at(self, name, line):
        for (first, last), title in self.functions.get(name, {}).items():
            if first <= line <= last:
                return title
        return "?"

    def missed_lines(self):
        """Runs of lines, each as one text."""
        missed = sorted(key for key, run in self.lines.items() if not run)
        while missed:
            name, first = missed.pop(0)
            last = first
            while missed and missed[0] == (name, last + 1):
                last = missed.pop(0)[1]
            text = " ".join(" ".join(self.sources[name][first - 1:last]).split())
            yield f"{name}: {self.function_at(name, first)}: not run: {text}"

    def missed_branches(self):
        for (name, title, place, _), ways in self.branches.items():
            if self.lines.get((name, place[0]), True):  # else its line says so
                for way in {True, False} - ways:
                    text = text_at(self.sources[name], place)
                    yield f"{name}: {title}: never {str(way).lower()}: {text}"

    def missed(self):
        counts = collections.Counter(self.missed_lines())
        counts.update(self.missed_branches())
        return {text if count == 1 else f"{text} ({count} times)" for text, count in counts.items()}


def export(tools, profile, program, *options):
    command = [os.path.join(tools, "llvm-cov"), "export", "-instr-profile", profile, *options, program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    tools, profile, root, program, *reasons = sys.argv[1:]
    coverage = Coverage(os.path.realpath(root))
    coverage.add_lines(export(tools, profile, program, "-format=lcov"))
    for function in json.loads(export(tools, profile, program))["data"][0]["functions"]:
        coverage.add_function(function)
    if not coverage.lines or not coverage.branches:
        sys.exit(f"{program}: nothing was counted below {root}")
    missed = coverage.missed()
    if not reasons:
        print(*sorted(missed), sep="\n")
    elif not compare(missed, read_reasons(reasons[0])):
        sys.exit(1)
    else:
        print(f"{len(missed)} more have reasons in {os.path.basename(reasons[0])}")


main()
