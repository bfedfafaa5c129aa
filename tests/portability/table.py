"""MATRIX.md out of the drivers' results.

SPDX-License-Identifier: Apache-2.0
"""

import re

HEAD = """# clreshape on other OpenCL drivers

Written by `sh tests/portability/matrix.sh [FOLDER [DRIVER...]]`. A part that was not run again keeps its
result, with the date and the revision of that run (`-dirty`: with changes that were not committed).
arm64 and s390x are emulated by qemu, and run the tests that need no OpenCL device. The columns:

- device tests: tests of the label `device` that passed. "gpu": tests that ran again with the kernels for
  GPUs. "chosen": only these tests ran again
- ONNX: cases of ONNX's own test data, the project's models and PyTorch's exports that are right in every
  bit, with the kernels for CPUs and with the kernels for GPUs
- chains: random chains of operations that are right in every bit, with both kinds of kernels
- first move: seconds of a first move in a process with empty caches, over each class, width of units and
  kind of kernels ("rows"): the worst, the median, and the number of moves over 2 s, the limit on a quiet
  machine. "Over an empty kernel" is the worst time less the time of an empty kernel just before. "quiet"
  says that the machine was idle, else the load stands there
- geometric mean of the speed relative to a copy, over the cases of `bench.tsv`
- defects of the driver: shown by programs without this library (`tests/portability/defects`)
"""
MOST = 20  # failures that are written out for a driver


def failures(result):
    """What makes the command fail."""
    if result.get("missing"):
        return [f"cannot be had: {result['missing']}"]
    found = []
    for part in ("tests", "gpu"):
        for name, why in result.get(part, {}).get("failed", {}).items():
            found.append(f"{name}{' (gpu)' if part == 'gpu' else ''}: {why}")
    for way, onnx in result.get("onnx", {}).items():
        found += [f"ONNX ({way}): {name}" for name in onnx["failed"]]
    if result.get("chains", {}).get("failed"):
        found.append(f"chains: {result['chains']['failed']}")
    bad = result.get("first", {}).get("failed", {})
    found += [f"first move: {name}: {why}" for name, why in bad.items()]
    for way, bench in result.get("bench", {}).items():
        found += [f"bench ({way}): {bench['failed']}"] if bench.get("failed") else []
    bad = result.get("compiles", {}).get("failed") or []
    found += [bad] if isinstance(bad, str) else [f"compiles: {name}" for name in bad]
    return found[:MOST] + ([f"and {len(found) - MOST} more"] if len(found) > MOST else [])


CHOSEN = " chosen"
EARLIER = ", earlier "


def counts(part, are_some=False):
    """are_some: only the tests of CLRS_MATRIX_TESTS were ever run."""
    if not part:
        return "not run"
    total = len(part["passed"]) + len(part["failed"])
    return f"{len(part['passed'])} of {total}" + (CHOSEN if are_some else "")


def onnx_of(result):
    if "onnx" not in result:
        return "not run"
    ways = result["onnx"]
    return ", ".join(f"{ways[way]['passed']} {way}" +
                     (f" ({len(ways[way]['failed'])} FAILED)" if ways[way]["failed"] else "")
                     for way in ways)


def chains_of(result):
    chains = result.get("chains")
    if not chains:
        return "not run"
    return chains["failed"] or f"{chains['count']:,} right"


def floor_of(first):
    """The time of an empty kernel, and the maximum time of a first move beyond that."""
    if not first.get("floor"):
        return ""
    if not first.get("left"):  # kept of a time when it was measured once for all classes
        return (f", {first['worst'][0] - first['floor']:.2f} s over an empty kernel's "
                f"{first['floor']:.2f}")
    text = f"; at most {first['left'][0]:.2f} s ({first['left'][1]}) over an empty kernel's"
    over = f", {len(first['left_over'])} by more than 2 s" if first["left_over"] else ""
    return f"{text} {first['floor']:.2f}{over}"


def first_of(result):
    first = result.get("first")
    if not first or not first["worst"]:
        return "not run" if not first else "none"
    text = f"{first['worst'][0]:.2f} s ({first['worst'][1]}){floor_of(first)}"
    text += f", median {first['median'][0]:.2f} s"
    text += f"; {len(first['over'])} over 2 s" if first["over"] else ""
    text += f"; CPU time at most {first['cpu'][0]:.2f} s" if first.get("cpu") else ""
    failed = f", {len(first['failed'])} FAILED" if first["failed"] else ""
    load = "quiet" if first.get("quietly") else f"load {first.get('load', 0):.0f}"
    return f"{text}; {first['rows']} rows{failed}, {load}"


def bench_of(result):
    ways = result.get("bench")
    if not ways:
        return "not run" if ways is None else "not measured"
    return ", ".join(f"{way} " + (f"{ways[way]['mean']:.2f}" if "mean" in ways[way] else
                                  ways[way]["failed"]) for way in ways)


PARTS = ("version", "defects", "tests", "gpu", "onnx", "chains", "first", "bench")
CORES = re.compile(r"(?:, )?\d+ cores$")


def times_of(cell):
    """The date and the revision of each part, as a cell of the table."""
    times = {}
    for group in cell.split("; "):
        parts, _, when = CORES.sub("", group).rpartition(": ")
        times.update({part: when for part in (parts.split(", ") if parts else PARTS) if when})
    return times


def all_times(times, before):
    """For tests that ran, and for kept results: `tests` includes tests that were not chosen now."""
    kept = {part: when for part, when in before.items() if part not in times}
    if "tests" in times:
        kept = {part: when for part, when in kept.items() if not part.endswith("tests")}
    elif "some tests" in times and "tests" in kept:
        kept["other tests"] = kept.pop("tests")
    return times | kept


def when_of(times, cores):
    """The date and the revision of each part, the oldest first, or a single entry if all are equal.
    """
    parts = {}
    for part, when in times.items():
        parts.setdefault(when, []).append(part)
    if len(parts) == 1:
        return f"{next(iter(parts))}, {cores} cores"
    return "; ".join(f"{', '.join(parts[when])}: {when}"
                     for when in sorted(parts)) + f"; {cores} cores"


def version_of(result):
    if "version" not in result:
        return "not run"
    version = result["version"]
    return version.get("failed") or f"{version['platform']}, {version['driver']}"


def row(result, before=None):
    """`before`: the date and the revision of each part in the table that is there."""
    name = result["name"]
    if result.get("missing"):
        return f"| {name} | CANNOT BE HAD: {result['missing']} | | | | | | | |"
    if not result.get("times"):
        return f"| {name} | not run | | | | | | | |"
    if "compiles" in result:
        done, when = result["compiles"], when_of(result["times"], result["cores"])
        bad = done["failed"]
        text = f"{done['count']} kernel variants compile"
        if done.get("extended"):
            text += f", {done['extended']} of them for a device with the extension that they need"
        text += f", {len(bad)} FAILED" if bad else ""
        return f"| {name} | {done['version']} | {text} | | | | | | {when} |"
    are_some = "some tests" in result["times"] and "tests" not in result["times"]
    tests = counts(result.get("tests"), are_some) + GPU + counts(result.get("gpu"))
    defects = (", ".join(result["defects"]) or "none") if "defects" in result else "not run"
    when = when_of(all_times(result["times"], before or {}), result["cores"])
    return (f"| {name} | {version_of(result)} | {tests} | {onnx_of(result)} | {chains_of(result)} | "
            f"{first_of(result)} | {bench_of(result)} | {defects} | {when} |")


OVER = "- first moves over 2 s: "
CASES = "- random cases of each device test: "
# How the lines begin that each part has below the table.
LINES = {"defects": ("- defect ",), "tests": ("- FAILED: test_", "- tolerated in ", "- left out: ",
                                          CASES),
         "onnx": ("- FAILED: ONNX",), "chains": ("- FAILED: chains",),
         "first": (OVER, "- FAILED: first move"), "bench": ("- FAILED: bench",)}


def kept_lines(result, before):
    """The entries of the parts that were not run here."""
    begins = tuple(begin for part, lines in LINES.items() if part not in result for begin in lines)
    return [line for line in before.splitlines() if begins and line.startswith(begins)]


def details(result, before=""):
    lines = [f"- FAILED: {failure}" for failure in failures(result)]
    lines += [f"- defect `{name}`: {said}" for name, said in result.get("defects", {}).items()]
    for part in ("tests", "gpu"):
        lines += [f"- tolerated in {line}" for line in result.get(part, {}).get("tolerated", [])]
        lines += [f"- left out: {name}: {why}"
                  for name, why in result.get(part, {}).get("left_out", {}).items()]
    over = result.get("first", {}).get("over", [])
    lines += [f"{OVER}{', '.join(over)}"] if 0 < len(over) <= MOST else []
    cases = result.get("tests", {}).get("cases")
    lines += [f"{CASES}{cases}"] if cases else []
    lines += kept_lines(result, before)
    return [f"\n## {result['name']}\n"] + lines if lines else []


def old_row(before, name):
    """The cells of a driver in the existing table, or none."""
    found = [line for line in before.splitlines() if line.startswith(f"| {name} |")]
    return found[0].strip("| ").split(" | ") if found else []


def old_details(before, name):
    _, heading, rest = before.partition(f"\n## {name}\n")
    return (heading + rest.partition("\n## ")[0]).rstrip("\n")


GPU = ", gpu "


def merged(now, was):
    """A cell, where parts that were not run here keep the old text."""
    if now == "not run":
        return was
    halves, old = now.split(GPU), was.split(GPU)
    if len(halves) != 2 or len(old) != 2:
        return now
    old[0] = old[0].rsplit(EARLIER, 1)[-1]
    if halves[0].endswith(CHOSEN):
        halves[0] += EARLIER + old[0]
    return GPU.join(o if n == "not run" else n for n, o in zip(halves, old))


def with_old(result, old):
    """Parts that were not run here keep the old table's text, with the old date."""
    cells = row(result, times_of(old[-1]) if old else None).strip("| ").split(" | ")
    if len(cells) == len(old):
        cells[:-1] = [merged(now, was) for now, was in zip(cells[:-1], old)]
    return f"| {' | '.join(cells)} |"


def markdown(results, before=""):
    """`before` is the existing table. Results are on the machine of the run, and entries without
    results on this machine stay."""
    lines = [HEAD, "| driver | version | device tests | ONNX | chains | first move, worst | "
             "geometric mean of copy | defects of the driver | date |",
             "|---|---|---|---|---|---|---|---|---|"]
    for result in results:
        old = old_row(before, result["name"])
        lines.append(with_old(result, old) if result.get("times") or not old
                     else f"| {' | '.join(old)} |")
    for result in results:
        if result.get("times"):
            lines += details(result, old_details(before, result["name"]))
        elif old := old_details(before, result["name"]):
            lines.append(old)
    return "\n".join(lines) + "\n"
