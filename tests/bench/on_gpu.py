"""Reports of on_gpu.sh. FOLDER has random_FAMILY.json and, for a list of cases, cases.json:

    on_gpu.py PEER FOLDER [DEVICE]
        torch or cutensor on the same cases, by the device's own times. DEVICE is PyTorch's name,
        by default cuda
    on_gpu.py summary FOLDER [PREDICTIONS.json]
        one page of all results
    on_gpu.py report FILE
        the file of `clreshape bench --report FILE`, beside the predictions of GPU.md

Ends with 77 without the peer, which needs PyTorch for that device.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import glob
import json
import os
import statistics
import sys
import time

from on_gpu_peers import PEERS, Absent

try:
    import peer as cases_of
    import torch
except ImportError:  # without PyTorch there are no peers
    torch = None

ABSENT = 77
PREDICTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "GPU.md")
TITLES = {"random": "Random cases", "cases": "The list of cases"}
HEAD = "case\tclass\tclreshape_ms\tpeer_ms\ttimes_as_fast"
PEER_NAMES = {"torch": "PyTorch", "cutensor": "cuTENSOR"}


def report_of(path):
    """None if the measurement did not end, as steps.txt tells."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (FileNotFoundError, json.JSONDecodeError):
        return None


def reports(folder):
    """{name: report}: the random families as a single report, and the list of cases."""
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


# ---- peers ----


def timed(device, move):
    """Seconds of a run: on a GPU by events on the stream, which is empty before."""
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


def tensors_of(case, kind, device):
    """The moved tensor of the case, as a view, and the destination."""
    sizes = [cases_of.extent(case.shape, case.strides, case.offset),
             cases_of.extent(case.result_dims, case.result_strides, case.result_offset)]
    source = torch.arange(sizes[0], device=device).remainder(251).to(kind)
    result = torch.full(sizes[1:], 252, dtype=torch.int64, device=device).to(kind)
    view = torch.as_strided(source, case.shape, case.strides, case.offset).permute(case.chain[0])
    return view, torch.as_strided(result, case.result_dims, case.result_strides,
                                  case.result_offset)


def move_of(mover, case, view, to):
    """For a batch, a function that makes the moves in sequence."""
    pairs = zip(view, to) if case.is_batch else [(view, to)]
    moves = [mover.mover(*pair) for pair in pairs]

    def run():
        for move in moves:
            move()
    return run


def peer_seconds(mover, case, device, cache):
    """The median, with as many tensors as reach twice the cache. None if the peer cannot do the
    case. No peer gets a chain that PyTorch would copy in between."""
    kind = mover.types.get(cases_of.WIDTHS.get(case.dtype))
    least = min(case.strides + case.result_strides, default=1)
    if kind is None or len(case.chain) > 1 or least < mover.least_stride:
        return None
    pairs = [tensors_of(case, kind, device)]
    bytes_of_pair = 2 * pairs[0][0].numel() * pairs[0][0].element_size()
    count = min(cases_of.MOST_SETS, 1 + 2 * cache // bytes_of_pair)
    pairs += [tensors_of(case, kind, device) for _ in range(count - 1)]
    moves = [move_of(mover, case, *pair) for pair in pairs]
    rounds = -(-cases_of.LEAST_REPETITIONS // count)
    for move in moves:
        timed(device, move)
    seconds = statistics.median(timed(device, move) for _ in range(rounds) for move in moves)
    if not all(torch.equal(view, to) for view, to in pairs):
        raise RuntimeError(f"{case.id} is moved wrongly")
    return seconds


def open_peer(name, device):
    if torch is None or (device == "cuda" and not torch.cuda.is_available()):
        raise Absent(f"no PyTorch for {device}")
    return PEERS[name](torch)


def run_peer(name, folder, device="cuda"):
    try:
        mover = open_peer(name, device)
    except Absent as reason:
        print(reason, file=sys.stderr)
        sys.exit(ABSENT)
    print(HEAD)
    failed = False
    for report in reports(folder).values():
        for row in moved_cases(report):
            try:
                seconds = peer_seconds(mover, cases_of.parse(row["line"]), device,
                                       report["device"]["cache_bytes"])
            except RuntimeError as reason:  # for example no memory: the next case may fit
                print(f"{row['id']}: {reason}", file=sys.stderr)
                failed = True
                continue
            if seconds is not None:
                print(row["id"], row["class"], f"{row['median_ms']:.6f}", f"{seconds * 1e3:.6f}",
                      f"{seconds * 1e3 / row['median_ms']:.3f}", sep="\t", flush=True)
    sys.exit(failed)


# ---- the page ----


def grouped(cases, key, predicted):
    """Rows of a table: the measured fractions of each group, and the predicted fractions, if
    predicted."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[case[key]].append(case)
    for name, of in sorted(groups.items()) + [("all", cases)]:
        fractions = [case["fraction"] for case in of]
        both = [(case["fraction"], predicted[case["id"]]) for case in of if case["id"] in predicted]
        row = [name, len(of), f"{statistics.geometric_mean(fractions):.2f}", f"{min(fractions):.2f}"]
        means = [f"{statistics.geometric_mean(side):.2f}" for side in zip(*both)]
        yield row + (means or [""] * 2 if predicted else [])


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
        more = ["of those predicted", "predicted"] if predicted else []
        for key in ("suite", "class"):
            yield from table([key, "cases", "of the copy", "least"] + more,
                             grouped(cases, key, predicted))


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


def of_waits(folder):
    took = {row["name"]: float(row["median_ns"]) * 1e-3 for row in rows_of(folder, "host_costs.tsv")}
    if not took:
        return
    yield "## Waits"
    yield ""
    yield (f"An empty kernel {took['empty_kernel']:.1f} us, a move of 16 KiB "
           f"{took['small_move']:.1f} us ({took['small_move'] / took['empty_kernel']:.2f} times)")
    yield ""


def of_peer(folder, name):
    ratios = [float(row["times_as_fast"]) for row in rows_of(folder, name + ".tsv")]
    if ratios:
        ahead = sum(ratio >= 1 for ratio in ratios)
        yield f"## Beside {PEER_NAMES[name]}"
        yield ""
        yield (f"{len(ratios)} cases: {statistics.geometric_mean(ratios):.2f} times as fast, least "
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
    print(*of_compiler(folder), *of_waits(folder), sep="\n")
    for name in PEERS:
        print(*of_peer(folder, name), sep="\n")


def predictions_of_page():
    """{case: fraction} for the built-in cases."""
    with open(PREDICTED, encoding="utf-8") as file:
        section = file.read().split("## The cases of `clreshape bench`")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("|")]
    head, *rows = [[cell.strip() for cell in row] for row in rows if "---" not in row[0]]
    return {row[0]: float(row[head.index("fraction")]) for row in rows}


def run_report(path):
    report = report_of(path)
    if report is None:
        sys.exit(f"{path} is no report of clreshape bench")
    page = predictions_of_page()
    predicted = {case["id"]: page[case["id"]] for case in report["cases"]
                 if case["suite"] == "builtin" and case["id"] in page}
    rows = [(case["id"], case["class"], f"{case['fraction']:.2f}", predicted.get(case["id"], ""))
            for case in moved_cases(report)]
    print(*of_report("cases", report, predicted),
          *table(("case", "class", "of the copy", "predicted for an H200"), rows), sep="\n")


if __name__ == "__main__":
    if sys.argv[1] == "summary":
        run_summary(*sys.argv[2:])
    elif sys.argv[1] == "report":
        run_report(*sys.argv[2:])
    else:
        run_peer(*sys.argv[1:])
