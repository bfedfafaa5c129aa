"""What is not run, and why: the lists of reasons beside this file, and how they are compared.

SPDX-License-Identifier: Apache-2.0
"""

import sys


def text_at(source, place):
    """The text at (line, column, last line, column after it), on one line."""
    first, begin, last, end = place
    lines = source[first - 1:last]
    lines[-1] = lines[-1][:end - 1]
    lines[0] = lines[0][begin - 1:]
    return " ".join(" ".join(lines).split())


def read_reasons(path):
    """Entries, each with the reason that stands above it."""
    entries, reason = {}, ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.startswith("#") or not line:
                reason = ""
            elif line.startswith("because "):
                reason = line
            elif not reason:
                sys.exit(f"{path}: no reason above: {line}")
            elif line in entries:
                sys.exit(f"{path}: twice: {line}")
            else:
                entries[line] = reason
    return entries


def compare(missed, reasons):
    """True if what is missing is what has a reason; what happens at times may have run, too."""
    surprises = missed - reasons.keys()
    needless = {entry for entry in reasons.keys() - missed
                if not reasons[entry].startswith("because at times ")}
    for entry in sorted(surprises):
        print(f"not run, and no reason is given: {entry}")
    for entry in sorted(needless):
        print(f"a reason is given, but it is run, or not there: {entry}")
    return not surprises and not needless
