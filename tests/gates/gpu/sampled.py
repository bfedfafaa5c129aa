"""Compares the model's predictions for random moves, and for maps.txt, with sampled.txt:

    sampled.py LIST_VARIANTS LAUNCHES FOLDER [--write]

Each line `cases` of sampled.txt names a list for published.py. A fraction fails if the fraction is
below the line's limit. A fraction also fails if the fraction is so far above that the limit is
useless. --write saves today's fractions. Needs ptxas, and is skipped without ptxas.

SPDX-License-Identifier: Apache-2.0
"""

import os
import sys

import compiled
from published import means_by, predictions, summary

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "sampled.txt")
SKIPPED, SLACK, ROUNDING = 77, 1.2, 0.006


def read_table():
    """The lists, and the line of each case as words."""
    with open(TABLE, encoding="utf-8") as file:
        lines = [line.split() for line in file if line.strip() and line[0] != "#"]
    lists = [words[1] for words in lines if words[0] == "cases"]
    return lists, {words[0]: words[1:] for words in lines if words[0] != "cases"}


def predict_lists(list_program, launches_program, folder, lists):
    for number, path in enumerate(lists):
        path = os.path.join(HERE, path) if path.endswith(".txt") else path
        yield from predictions(list_program, launches_program, f"{folder}{number}", path)


def line_of(row):
    return f"{row['case']:16} {row['class']:10} {row['unit']:4} {row['fraction']:5.2f}"


def complaint(row, limits):
    """The violation of a case, or nothing."""
    if row["case"] not in limits:
        return "has no line"
    kernel, unit, least = limits[row["case"]]
    if (kernel, int(unit)) != (row["class"], row["unit"]):
        return f"is of {row['class']} {row['unit']}, but its line is that of {kernel} {unit}"
    if row["fraction"] < float(least) - ROUNDING:
        return f"is at {row['fraction']:.2f}, of which at least {least} is asked"
    if row["fraction"] > SLACK * float(least) + ROUNDING:
        return f"is at {row['fraction']:.2f}, much more than its {least}: raise it"
    return ""


def write_table(rows):
    with open(TABLE, encoding="utf-8") as file:
        head = [line for line in file if line.startswith(("#", "cases"))]
    with open(TABLE, "w", encoding="utf-8") as file:
        file.writelines(head)
        file.writelines(line_of(row) + "\n" for row in rows)


def main(list_program, launches_program, folder, *flags):
    if compiled.PTXAS is None:
        sys.exit(SKIPPED)
    lists, limits = read_table()
    rows, failed = [], False
    for row in predict_lists(list_program, launches_program, folder, lists):
        rows.append(row)
        print(line_of(row), flush=True)
        if said := complaint(row, limits):
            print(row["case"], said)
            failed = True
    print(summary(rows) + f"By suite: {means_by(rows, lambda row: row['suite'])}.")
    if flags:
        write_table(rows)
    elif unknown := limits.keys() - {row["case"] for row in rows}:
        print("lines of no case:", *sorted(unknown))
        failed = True
    sys.exit(failed and not flags)


if __name__ == "__main__":
    main(*sys.argv[1:])
