"""What was run of the kernels: kernels.py LLVM_FOLDER PROFILE KERNELS REASONS LIMITS OBJECT...

Prints lines and branches of each kernel file, over all variants that were built of it: a line or a
way of a branch counts as run if it was in any of them. What was not must be in REASONS, and what is
there must not have been run; files that LIMITS names have a percentage instead. A condition that a variant decides when it is compiled is no branch of
that variant. With `-` for REASONS, only prints everything that was not run.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import subprocess
import sys

from reasons import compare, read_reasons, text_at


def export(tools, profile, program, *options):
    """What llvm-cov knows of one variant. All at once would keep one variant of each function."""
    command = [os.path.join(tools, "llvm-cov"), "export", "-instr-profile", profile, *options, program]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def add_lines(text, lines):
    """Adds to lines[file, line] whether it was run."""
    counts = {}
    for record in text.splitlines():
        if record.startswith("SF:"):
            name = os.path.basename(record[3:])
        elif record.startswith("DA:"):
            line, count = record[3:].split(",")[:2]
            key = name, int(line)
            counts[key] = int(count) > 0
            lines[key] = lines.get(key, False) or counts[key]
    return counts


def add_branches(text, was_run, branches):
    """Adds to branches[file, place] the ways that it went: a set of True and False."""
    for function in json.loads(text)["data"][0]["functions"]:
        for branch in function.get("branches", []):
            place, counts = tuple(branch[:4]), branch[4:6]
            key = os.path.basename(function["filenames"][branch[6]]), place
            decided = not any(counts) and was_run.get((key[0], place[0]))
            if not decided:
                branches.setdefault(key, set()).update(
                    way for way, count in zip((True, False), counts) if count)


def missed_of(sources, lines, branches):
    """FILE: WHAT: TEXT of everything that was not run, once each."""
    missed = {f"{name}: not run: {sources[name][line - 1].strip()}"
              for (name, line), run in lines.items() if not run}
    for (name, place), ways in branches.items():
        if not lines.get((name, place[0])):
            continue  # its line says so
        for way in {True, False} - ways:
            text = text_at(sources[name], place)
            missed.add(f"{name}: never {str(way).lower()}: {text}")
    return missed


def percent(some, whole):
    return 100 * some / whole if whole else 100


def show(name, lines, branches):
    """A row of the table; both are lists of what was run and what was not."""
    ways = [way in gone for gone in branches for way in (True, False)]
    print(f"{name:16} lines {sum(lines):5} of {len(lines):5} {percent(sum(lines), len(lines)):6.2f} %"
          f"   branches {sum(ways):5} of {len(ways):5} {percent(sum(ways), len(ways)):6.2f} %")


def table(sources, lines, branches, limits):
    """Prints the table; a list of the files below their limits."""
    below = []
    for name in sorted(sources):
        of_lines = [run for key, run in lines.items() if key[0] == name]
        ways = [way for key, way in branches.items() if key[0] == name]
        show(name, of_lines, ways)
        reached = (percent(sum(of_lines), len(of_lines)),
                   percent(sum(map(len, ways)), 2 * len(ways)))
        if any(part < least for part, least in zip(reached, limits.get(name, (0, 0)))):
            below.append(name)
    show("kernels", list(lines.values()), list(branches.values()))
    return below


def read_limits(path):
    """FILE LINES BRANCHES: the least percentages."""
    limits = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, *least = line.split()
                limits[name] = tuple(map(float, least))
    return limits


def main():
    tools, profile, folder, reasons, limits, *programs = sys.argv[1:]
    limits = read_limits(limits)
    lines, branches = {}, {}
    for program in programs:
        was_run = add_lines(export(tools, profile, program, "-format=lcov"), lines)
        add_branches(export(tools, profile, program), was_run, branches)
    sources = {}
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            sources[name] = file.read().splitlines()
    below = table(sources, lines, branches, limits)
    built = {key[0] for key in lines}
    if not all(name in built for name in sources if name.endswith(".cl")):
        sys.exit("a kernel file was not built")
    missed = {entry for entry in missed_of(sources, lines, branches)
              if entry.split(":")[0] not in limits}
    if reasons == "-":
        print(*sorted(missed), sep="\n")
        return
    if not compare(missed, read_reasons(reasons)) or below:
        sys.exit(f"below the limits: {' '.join(below)}" if below else 1)
    print(f"{len(missed)} more have reasons in {os.path.basename(reasons)}")


main()
