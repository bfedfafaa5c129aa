"""Measures the executed part of a program: coverage.py LLVM_FOLDER PROFILE ROOT LIMITS MISSED
OBJECT...

LIMITS has lines FOLDER LINES BRANCHES, the least percentages. Prints lines and branches of each
file and folder below the top folders of these folders. Fails if a folder is below its percentages,
was not built, or is not named. A line, or a way of a branch, counts as run if it was in any of the
OBJECTs. Each condition of an && or || is a branch. A condition in a macro is a branch of each place
that uses the macro. A macro that EACH_OF_16 of steps.cl repeats for each step counts once. A
condition that the compiler decides is not counted. MISSED gets FILE:LINE:
WHAT: TEXT for each line or branch that was not run. With CLRS_COVERAGE_SINCE=REV, a git revision,
prints the missed lines among the lines changed since.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import subprocess
import sys

EXPANSION = 1


class Coverage:
    """Coverage of the files below these folders of the root, from llvm-cov."""

    def __init__(self, root, tops):
        self.root, self.tops = os.path.join(os.path.realpath(root), ""), tops
        self.sources = {}  # the lines of a file
        self.lines = {}  # (file, line): was run
        self.branches = {}  # (file, place of use, where in a macro): the ways that it went

    def name(self, path):
        path = os.path.realpath(path)
        name = path[len(self.root):]
        return name if path.startswith(self.root) and name.split("/")[0] in self.tops else None

    def add(self, tools, profile, program):
        """One object at a time: for several objects, llvm-cov would keep one variant of each
        function."""
        command = [os.path.join(tools, "llvm-cov"), "export", "-instr-profile", profile, program]
        say = {"check": True, "capture_output": True, "text": True}
        was_run = self.add_lines(subprocess.run([*command, "-format=lcov"], **say).stdout)
        for function in json.loads(subprocess.run(command, **say).stdout)["data"][0]["functions"]:
            self.add_function(function, was_run)

    def add_lines(self, text):
        name, was_run = None, {}
        for record in text.splitlines():
            if record.startswith("SF:"):
                name = self.name(record[3:])
            elif record.startswith("DA:") and name:
                line, count = record[3:].split(",")[:2]
                key = name, int(line)
                was_run[key] = int(count) > 0
                self.lines[key] = self.lines.get(key, False) or was_run[key]
        return was_run

    def add_function(self, function, was_run):
        files, uses = function["filenames"], {}
        for region in function["regions"]:
            if region[7] == EXPANSION:
                uses[region[6]] = region[5], tuple(region[:4])
        for branch in function.get("branches", []):
            file, place, counts = branch[6], tuple(branch[:4]), branch[4:6]
            inner = os.path.basename(files[file]), place
            if inner[0] == "try_faults.h":  # the question whether a call must fail
                continue
            while file in uses:
                file, place = uses[file]
            name = self.name(files[file])
            if name and self.text(name, place).startswith("#define EACH_OF_"):
                name, place = self.name(files[branch[6]]), inner[1]
            if name and (any(counts) or not was_run.get((name, place[0]))):
                self.branches.setdefault((name, place, inner), set()).update(
                    way for way, count in zip((True, False), counts) if count)

    def text(self, name, place):
        """The line of a place."""
        if name not in self.sources:
            with open(self.root + name, encoding="utf-8") as file:
                self.sources[name] = file.read().splitlines()
        return self.sources[name][place[0] - 1]

    def missed(self):
        """(file, line, missed part)"""
        for (name, line), run in self.lines.items():
            if not run:
                yield name, line, f"not run: {self.text(name, (line,)).strip()}"
        for (name, place, (_, inner)), ways in self.branches.items():
            line, begin, last, end = place
            if self.lines.get((name, line), True):  # else its line says so
                in_macro = inner != place
                text = self.text(name, place)
                text = text[begin - 1:] if in_macro or line != last else text[begin - 1:end - 1]
                for way in {True, False} - ways:
                    yield name, line, f"never {str(way).lower()}: {text}"

    def table(self):
        """For each file and folder: lines run, lines, branch ways run, ways."""
        rows = {}
        for (name, _), run in self.lines.items():
            for part in (name, folder(name)):
                row = rows.setdefault(part, [0, 0, 0, 0])
                row[:2] = row[0] + run, row[1] + 1
        for (name, *_), ways in self.branches.items():
            for part in (name, folder(name)):
                row = rows[part]
                row[2:] = row[2] + len(ways), row[3] + 2
        return rows


def folder(name):
    """The folder of a file. For a file in a room, such as src/opencl/device, the parent folder."""
    return "/".join(os.path.dirname(name).split("/")[:2])


def percent(some, whole):
    return 100 * some / whole if whole else 100


def read_limits(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and not line.startswith("#")]
    return {name: [float(number) for number in least] for name, *least in lines}


def below(rows, limits):
    """Prints the table, and returns the folders that violate the limits."""
    for name in sorted(rows, key=lambda name: ("." not in name, name)):
        run, lines, gone, ways = rows[name]
        print(f"{name:34} lines {run:5} of {lines:5} {percent(run, lines):6.2f} %   "
              f"branches {gone:5} of {ways:5} {percent(gone, ways):6.2f} %")
    for name, least in limits.items():
        run, lines, gone, ways = rows.get(name, (0, 1, 0, 1))
        if percent(run, lines) < least[0] or percent(gone, ways) < least[1]:
            yield "{}: at least {:g} and {:g} % are to be run".format(name, *least)
    yield from (f"{name}: the limits do not name it"
                for name in rows if "." not in name and name not in limits)


def changed(root, revision):
    """The lines, (file, number), that differ from the revision."""
    diff = subprocess.run(["git", "-C", root, "diff", "-U0", "--no-prefix", "--relative", revision],
                          check=True, capture_output=True, text=True).stdout
    name = None
    for line in diff.splitlines():
        if line.startswith("+++ "):
            name = line[4:]
        found = re.match(r"@@ \S+ \+(\d+)(?:,(\d+))? @@", line)
        if found:
            first = int(found[1])
            yield from ((name, first + k) for k in range(int(found[2] or 1)))


def main():
    tools, profile, root, limits, to, *programs = sys.argv[1:]
    limits = read_limits(limits)
    coverage = Coverage(root, {name.split("/")[0] for name in limits})
    for program in programs:
        coverage.add(tools, profile, program)
    missed = sorted(set(coverage.missed()))
    with open(to, "w", encoding="utf-8") as file:
        file.writelines(f"{name}:{line}: {what}\n" for name, line, what in missed)
    revision = os.environ.get("CLRS_COVERAGE_SINCE")
    if revision:
        lines = set(changed(root, revision))
        print(f"of the lines that were changed since {revision}:")
        print(*(f"  {name}:{line}: {what}" for name, line, what in missed if (name, line) in lines),
              sep="\n")
    failed = list(below(coverage.table(), limits))
    print(*failed, f"what was not run: {to}", sep="\n")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
