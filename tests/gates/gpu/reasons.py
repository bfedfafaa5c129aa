"""Lists of known shortfalls, each entry below the reason.

SPDX-License-Identifier: Apache-2.0
"""

import sys


def read_reasons(path):
    """Entries, each with the reason above the entry."""
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
