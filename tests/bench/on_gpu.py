"""Of on_gpu.sh, whose FOLDER has random_FAMILY.json and, of a list of cases, cases.json:

    on_gpu.py torch FOLDER [DEVICE]              PyTorch on the same cases, by the device's own times
    on_gpu.py summary FOLDER [PREDICTIONS.json]  one page of all that was measured

Ends with 77 where there is no PyTorch, or none for that device (cuda).

SPDX-License-Identifier: Apache-2.0
"""
import collections
import glob
import json
import math
import os
import statistics
import sys
import time

ABSENT = 77
LEAST_REPETITIONS, MOST_SETS = 7, 51
TITLES = {"random": "Random cases", "cases": "The list of cases"}
HEAD = "case\tclass\tclreshape_ms\ttorch_ms\ttimes_as_fast"


def report_of(path):
    """None where it was not measured to its end; steps.txt tells."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def reports(folder):
    """{name: report}: the random families as one, and the list of cases."""
    families = sorted(glob.glob(os.path.join(folder, "random_*.json")))
    of_families = [report for report in map(report_of, families) if report]
    found = {}
    if of_families:
        found["random"] = {"device": of_families[0]["device"]}
        for key in ("cases", "failed"):
            found["random"][key] = [each for report in of_families for each in report[key]]
    cases = report_of(os.path.join(folder, "cases.json"))
    return {**found, "cases": cases} if cases else found


def moved_cases(report):
    return [case for case in report["cases"] if case["verified"] and case["fraction"]]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


# ---- PyTorch ----


def timed(torch, device, move):
    """Seconds of one run: on a GPU by events on its stream, which is empty before."""
    if device != "cuda":
        begin = time.perf_counter()
        move()
        return time.perf_counter() - begin
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    move()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e-3


def moves_of(torch, peer, case, device, cache):
    """Functions, each with buffers of its own: as many as reach twice the cache."""
    types = {8: torch.uint8, 16: torch.int16, 32: torch.int32, 64: torch.int64}
    width = peer.WIDTHS.get(case.dtype)
    if width is None or min(case.strides + case.result_strides, default=0) < 0:
        return []
    sizes = [peer.extent(case.shape, case.strides, case.offset),
             peer.extent(case.result_dims, case.result_strides, case.result_offset)]
    count = min(MOST_SETS, 1 + 2 * cache // (sum(sizes) * width // 8))
    made = []
    for _ in range(count):
        flat = [torch.zeros(size, dtype=types[width], device=device) for size in sizes]
        view = torch.as_strided(flat[0], case.shape, case.strides, case.offset)
        for place, part in enumerate(case.chain):
            view = view.reshape(part) if place % 2 == 1 else view.permute(part)
        to = torch.as_strided(flat[1], case.result_dims, case.result_strides, case.result_offset)
        made.append(lambda to=to, view=view: to.copy_(view))
    return made


def torch_seconds(torch, peer, case, device, cache):
    """None for what PyTorch cannot do. A chain that it must copy in between is not asked of it."""
    if len(case.chain) > 1:
        return None
    moves = moves_of(torch, peer, case, device, cache)
    if not moves:
        return None
    for move in moves:
        move()
    if device == "cuda":
        torch.cuda.synchronize()
    rounds = -(-LEAST_REPETITIONS // len(moves))
    return statistics.median(timed(torch, device, move) for _ in range(rounds) for move in moves)


def run_torch(folder, device="cuda"):
    try:
        import torch
        import peer
    except ImportError as missing:
        print(missing, file=sys.stderr)
        sys.exit(ABSENT)
    if device == "cuda" and not torch.cuda.is_available():
        print("this PyTorch has no GPU", file=sys.stderr)
        sys.exit(ABSENT)
    print(HEAD)
    for report in reports(folder).values():
        for row in moved_cases(report):
            seconds = torch_seconds(torch, peer, peer.parse(row["line"]), device,
                                    report["device"]["cache_bytes"])
            if seconds:
                print(row["id"], row["class"], f"{row['median_ms']:.6f}", f"{seconds * 1e3:.6f}",
                      f"{seconds * 1e3 / row['median_ms']:.3f}", sep="\t", flush=True)


# ---- the page ----


def grouped(cases, key, predicted):
    """Rows of a table: the measured fractions of each group, and the predicted ones of the cases
    that have such."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case[key]].append(case)
    for name, of in sorted(groups.items()) + [("all", cases)]:
        fractions = [case["fraction"] for case in of]
        both = [(case["fraction"], predicted[case["id"]]) for case in of if case["id"] in predicted]
        row = [name, len(of), f"{geomean(fractions):.2f}", f"{min(fractions):.2f}"]
        if predicted:
            row += [f"{geomean(side):.2f}" if both else "" for side in (zip(*both) if both
                                                                        else ((), ()))]
        yield row


def table(head, rows):
    yield "| " + " | ".join(head) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"
    yield ""


def of_report(name, report, predicted):
    cases = moved_cases(report)
    wrong = [case["id"] for case in report["cases"] if not case["verified"]]
    device = report["device"]
    times = " and ".join(sorted({case["times"] for case in cases}))
    yield f"## {TITLES[name]}: {device['name']}, {device['driver']}, by times of the {times}"
    yield ""
    yield (f"{len(report['cases'])} cases, {len(cases)} moved bytes, {len(report['failed'])} "
           f"failed, {len(wrong)} wrong" + (": " + ", ".join(wrong) if wrong else ""))
    yield ""
    if cases:
        head = ["", "cases", "of the copy", "least"]
        for key in ("suite", "class"):
            more = ["of those predicted", "predicted"] if predicted else []
            yield from table([key] + head[1:] + more, grouped(cases, key, predicted))


def rows_of(folder, name):
    try:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
    except FileNotFoundError:
        return []
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def of_compiler(folder):
    rows = rows_of(folder, "compiler.tsv")
    if not rows:
        return
    with_private = [row for row in rows if int(row["private_bytes"]) > 0]
    registers = [int(row["registers"]) for row in rows if row["registers"]]
    yield "## The driver's compiler"
    yield ""
    yield (f"{len(rows)} programs; at most {max(registers) if registers else '?'} registers; "
           f"{len(with_private)} with private memory, of at most "
           f"{max((int(row['private_bytes']) for row in rows), default=0)} bytes; at most "
           f"{max(float(row['seconds']) for row in rows):.2f} s to build")
    yield ""


def of_latency(folder):
    report = report_of(os.path.join(folder, "latency.json"))
    if not report:
        return
    took = {row["name"]: row["median_ns"] * 1e-3 for row in report["latency"]}
    yield "## Waits"
    yield ""
    yield (f"An empty kernel {took['empty_kernel']:.1f} us, a move of 16 KiB "
           f"{took['small_move']:.1f} us ({took['small_move'] / took['empty_kernel']:.2f} times)")
    yield ""


def of_torch(folder):
    ratios = [float(row["times_as_fast"]) for row in rows_of(folder, "torch.tsv")]
    if ratios:
        ahead = sum(ratio >= 1 for ratio in ratios)
        yield "## Beside PyTorch"
        yield ""
        yield (f"{len(ratios)} cases: {geomean(ratios):.2f} times as fast, least "
               f"{min(ratios):.2f}, at or ahead in {ahead}")
        yield ""


def run_summary(folder, predictions=None):
    predicted = {}
    if predictions:
        with open(predictions, encoding="utf-8") as file:
            predicted = {row["case"]: row["fraction"] for row in json.load(file)}
    with open(os.path.join(folder, "steps.txt"), encoding="utf-8") as file:
        print("# On a GPU", "", *("- " + line.rstrip("\n") for line in file), "", sep="\n")
    for name, report in reports(folder).items():
        print(*of_report(name, report, predicted if name == "cases" else {}), sep="\n")
    print(*of_compiler(folder), *of_latency(folder), *of_torch(folder), sep="\n")


if __name__ == "__main__":
    {"torch": run_torch, "summary": run_summary}[sys.argv[1]](*sys.argv[2:])
