#!/usr/bin/env python3
"""Keeps the table of RELIABILITY.md:
reliability.py PAGE             checks the page
reliability.py PAGE DATE LOG... writes the result of each row from LOGs, the output of ctest, and of ctest -N
reliability.py --test           shows that each fault is found

A row's command names tests, by -R or -L. ctest -N lists all tests. If all tests of a row have passed, the
result is the number of tests and the date, and STALE becomes OK. If a test failed, the result names the test,
and OK and STALE become FAILED. A row keeps the result if a test of the row neither failed nor passed. For -L the names of the tests have to hold the
label.

The page fails the check if a cell of the table has more than 20 words, if a status is unknown, and if a row
that is BELOW has no paragraph.

SPDX-License-Identifier: Apache-2.0
"""

import re
import sys

MOST_WORDS = 20
COLUMNS = ("#", "property", "goal", "figure", "command", "result", "status")
STATUSES = ("OK", "BELOW", "STALE", "FAILED")
TEST = re.compile(r"Test +#\d+: (\S+) \.*(?: +|\**)(Passed|Failed|Timeout|Exception|Skipped|Not Run)")
LISTED = re.compile(r"^ *Test +#\d+: (\S+)$", re.M)
NAMES = re.compile(r"t -[RL] (?:'([^']*)'|(\S+?)`)")


def cells(line):
    """The cells of a row, or None."""
    parts = re.split(r"(?<!\\) ?\| ?", line)[1:-1]
    return dict(zip(COLUMNS, parts)) if re.match(r"\| R\d", line) and len(parts) == len(COLUMNS) else None


def faults(text):
    rows = [row for row in map(cells, text.split("\n")) if row]
    for row in rows:
        for name, cell in row.items():
            words = re.sub(r"`[^`]*`", "x", cell).split()
            if len(words) > MOST_WORDS:
                yield f"{row['#']}: {name} has {len(words)} words"
        if row["status"] not in STATUSES:
            yield f"{row['#']}: the status is {row['status']}"
        if row["status"] == "BELOW" and not re.search(rf"^\*\*{row['#']}\.\*\*", text, re.M):
            yield f"{row['#']} is BELOW and has no paragraph"
    if not rows:
        yield "there is no row"


def updated(row, date, outcomes, listed):
    """The row with the outcomes of its tests."""
    found = NAMES.search(row["command"])
    if not found:
        return row
    names = re.compile((found[1] or found[2]).replace("\\|", "|"))
    ran = {name: how for name, how in outcomes.items() if names.search(name) and how not in ("Skipped", "Not Run")}
    failed = sorted(name for name, how in ran.items() if how != "Passed")
    if failed:
        status = row["status"] if row["status"] == "BELOW" else "FAILED"
        return {**row, "result": f"{date}: {' '.join(failed)} failed", "status": status}
    if not ran or any(names.search(name) and name not in ran for name in listed):
        return row
    status = "OK" if row["status"] in ("STALE", "FAILED") else row["status"]
    return {**row, "result": f"{date}, {len(ran)} passed", "status": status}


def written(text, date, logs):
    outcomes = {name: how for log in logs for name, how in TEST.findall(log)}
    listed = [name for log in logs for name in LISTED.findall(log)]
    if not listed:
        raise SystemExit("no LOG is of ctest -N")
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if cells(line):
            lines[i] = f"| {' | '.join(updated(cells(line), date, outcomes, listed).values())} |"
    return "\n".join(lines)


PLANTED = """| R1 | a | 0 | 0 | `t -R '^one$\\|two'` | 2020-01-01 | STALE |
| R2 | a | 0 | 1 | `t -L three` | 2020-01-01 | BELOW |
| R3 | a | 0 | 0 | `t -R four` | 2020-01-01 | OK |
| R4 | a | 0 | 0 | `t -R five` | 2020-01-01 | OK |
| R5 | a | 0 | 0 | `t -R six` | 2020-01-01 | STALE |

**R2.** Why."""
LIST = "  Test  #3: one\n  Test #12: old_two\n  Test #5: six\n  Test #6: six_long"
LOG = """1/4 Test   #3: one ......   Passed    0.02 sec
2/4 Test  #12: old_two ..   Passed    0.02 sec
3/4 Test   #1: three_a ..***Failed    0.02 sec
4/4 Test   #2: four .....***Skipped   0.02 sec
5/6 Test   #4: five .....***Failed    0.02 sec
6/6 Test   #5: six ......   Passed    0.02 sec"""
WRITTEN = """| R1 | a | 0 | 0 | `t -R '^one$\\|two'` | 2021-01-01, 2 passed | OK |
| R2 | a | 0 | 1 | `t -L three` | 2021-01-01: three_a failed | BELOW |
| R3 | a | 0 | 0 | `t -R four` | 2020-01-01 | OK |
| R4 | a | 0 | 0 | `t -R five` | 2021-01-01: five failed | FAILED |
| R5 | a | 0 | 0 | `t -R six` | 2020-01-01 | STALE |

**R2.** Why."""


def test():
    said = written(PLANTED, "2021-01-01", [LIST, LOG])
    assert said == WRITTEN, said
    assert not list(faults(PLANTED)), list(faults(PLANTED))
    for planted in (PLANTED.replace("**R2.**", "R2"), PLANTED.replace("| a |", f"| {'a ' * 21}|", 1),
                    PLANTED.replace("STALE", "FINE", 1), "a page"):
        assert len(list(faults(planted))) == 1, planted


def main():
    if sys.argv[1] == "--test":
        return test()
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    if len(sys.argv) == 2:
        return "\n".join(faults(text)) or None
    logs = [open(path, encoding="utf-8", errors="replace").read() for path in sys.argv[3:]]
    text = written(text, sys.argv[2], logs)  # may fail, and the page is then unchanged
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)
    return None


if __name__ == "__main__":
    sys.exit(main())
