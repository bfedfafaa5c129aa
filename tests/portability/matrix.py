#!/usr/bin/env python3
"""Runs the tests on OpenCL drivers and writes MATRIX.md: matrix.py BUILD FOLDER [DRIVER...].

matrix.sh calls this script. FOLDER/results has a file for each driver. MATRIX.md is made from all
files.

SPDX-License-Identifier: Apache-2.0
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

import on_driver
import other
import parts
import table

HERE = pathlib.Path(__file__).resolve().parent


def listed():
    """Name, kind and number of random cases, in the order of drivers.txt."""
    rows = [line.split() for line in (HERE / "drivers.txt").read_text().splitlines()]
    return {row[0]: (row[1], int(row[2])) for row in rows if row and row[0] != "#"}


def git(*words):
    return subprocess.run(["git", *words], cwd=HERE, text=True, capture_output=True,
                          check=False).stdout.strip()


def revision():
    """The commit, marked dirty if anything differs from the commit except the table, which each
    driver writes."""
    differs = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":!MATRIX.md")
    return (git("describe", "--always") or "unknown") + ("-dirty" if differs else "")


def set_up(name, folder):
    """None, or the reason that the driver is unavailable."""
    done = subprocess.run(["sh", HERE / "setup.sh", name, folder], text=True,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode == 0:
        return None
    said = done.stderr.strip().splitlines() or ["setup.sh failed"]
    return re.sub(r"\w+://\S+", "(an address)", said[-1])


def keep(path, **what):
    """Adds to a driver's results. Another process may write another part of the same results."""
    result = json.loads(path.read_text()) if path.exists() else {}
    result.update(what)
    path.write_text(json.dumps(result, indent=1))
    return result


def keep_part(path, part, found):
    """With the date and the revision of the part, or of some tests of the part. A part of tests no
    longer goes on where an earlier run was ended."""
    when = f"{datetime.date.today().isoformat()}, {revision()}"
    ran = f"some {part}" if part == "tests" and "CLRS_MATRIX_TESTS" in os.environ else part
    times = json.loads(path.read_text()).get("times", {})
    if ran == "tests":
        times.pop("some tests", None)
    return keep(path, **{part: found, f"{part} so far": None}, times={**times, ran: when})


def run_driver(name, kind, cases, build, folder):
    path = folder / "results" / f"{name}.json"
    result = keep(path, name=name, kind=kind, cores=os.cpu_count(), missing=set_up(name, folder))
    wanted = os.environ.get("CLRS_MATRIX_PARTS", "").split() or parts.of(kind)
    if not result["missing"]:
        made = other.Other if kind == "other" else on_driver.OnDriver
        driver = made(name, result, cases, build, folder)
        driver.revision, driver.keep = revision(), lambda **what: keep(path, **what)
        for part in parts.of(kind):
            if part in wanted:
                print(f"---- {name}: {part}", flush=True)
                result = keep_part(path, part, parts.RUN[part](driver))
    return result


def main(build, folder, names):
    drivers = listed()
    for name in names:
        if name not in drivers:
            sys.exit(f"drivers.txt has no driver {name}; it has {' '.join(drivers)}")
    (folder / "results").mkdir(parents=True, exist_ok=True)
    good = True
    for name in names or drivers:
        result = run_driver(name, *drivers[name], build, folder)
        failures = table.failures(result)
        good = good and not failures
        print(f"---- {name}: {'; '.join(failures) or 'all well'}", flush=True)
    results = []
    for name in drivers:
        path = folder / "results" / f"{name}.json"
        results.append(json.loads(path.read_text()) if path.exists() else {"name": name})
    shown = HERE / "MATRIX.md"
    shown.write_text(table.markdown(results, shown.read_text() if shown.exists() else ""))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(),
                  sys.argv[3:]))
