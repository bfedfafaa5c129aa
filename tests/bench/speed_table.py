#!/usr/bin/env python3
"""Writes a machine's table of SPEED.md from a report of `clreshape bench --json`:
speed_table.py PAGE NAME REPORT.json   replaces the table behind the line <!-- NAME --> of PAGE
speed_table.py --test                  shows what is written

The table has the mean and the least share of a copy's speed for each suite, the fastest suite first, and for
all cases. A report with a wrong or a failed case is refused.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
import sys


def table(report):
    """Two suites in each line."""
    suites = sorted(report["suites"], key=lambda suite: -suite["geomean_fraction"])
    rows = [*suites, {**report, "name": "all"}]
    half = (len(rows) + 1) // 2
    texts = [f"{row['name']} | {row['geomean_fraction']:.2f} | {row['min_fraction']:.2f}" for row in rows]
    texts += ["| |"] * (2 * half - len(rows))
    lines = [f"| {left} | | {right} |" for left, right in zip(texts[:half], texts[half:])]
    return ["| family | mean | least | | family | mean | least |", "|---|---|---|---|---|---|---|", *lines]


def heading(report):
    device = report["device"]
    return (f"clreshape {report['clreshape']}, {report['date']}, {device['platform']} {device['driver']}: "
            f"{len(report['cases'])} cases, all right.")


def written(page, name, report):
    if report["failed"] or not all(case["verified"] for case in report["cases"]):
        raise SystemExit("the report has cases that are wrong or failed")
    text = "\n".join(["", heading(report), "", *table(report), "", ""])
    page, count = re.subn(rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)",
                          lambda found: found[1] + text + found[2], page, flags=re.S)
    if count != 1:
        raise SystemExit(f"the page has no table <!-- {name} --> ... <!-- end -->")
    return page


def test():
    suites = [("slow", 0.5, 0.25), ("fast", 0.9, 0.8)]
    report = {"clreshape": "1.2.3", "date": "2020-01-01", "device": {"platform": "P", "driver": "4"},
              "cases": [{"verified": True}] * 5, "failed": [], "geomean_fraction": 0.67, "min_fraction": 0.25,
              "suites": [{"name": name, "geomean_fraction": mean, "min_fraction": least}
                         for name, mean, least in suites]}
    page = "a\n\n<!-- z -->\nold\n<!-- end -->\n\nb\n"
    assert written(page, "z", report) == """a

<!-- z -->

clreshape 1.2.3, 2020-01-01, P 4: 5 cases, all right.

| family | mean | least | | family | mean | least |
|---|---|---|---|---|---|---|
| fast | 0.90 | 0.80 | | all | 0.67 | 0.25 |
| slow | 0.50 | 0.25 | | | | |

<!-- end -->

b
""", written(page, "z", report)
    for wrong in ({**report, "failed": [1]}, {**report, "cases": [{"verified": False}]}):
        try:
            written(page, "z", wrong)
        except SystemExit:
            continue
        raise AssertionError("a wrong case is not seen")


def main():
    if sys.argv[1] == "--test":
        return test()
    path, name, report = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        page = file.read()
    with open(report, encoding="utf-8") as file:
        page = written(page, name, json.load(file))
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)
    return None


if __name__ == "__main__":
    sys.exit(main())
