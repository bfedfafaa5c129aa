# Clreshape and peers, side by side. All peers measure a case in turn before the next case begins,
# on the same cores. Every element is compared.
#
#   python3 tests/bench/compare.py CASES.tsv | --random N --seed S
#           [--build build] [--output build/compare] [--filter TEXT]
#           [--peers numpy,torch,onnxruntime,onednn,clblast,hptt] [--threads 2]
#
# Random cases are the cases of `clreshape bench --random N --seed S`. Needs a build of clreshape
# (the program, the shared library) and a C compiler. Peers that are not installed are named and
# left out. On Debian 12:
#
#   apt-get install libclblast-dev
#   python3 -m venv build/peers
#   build/peers/bin/pip install numpy torch onnx onnxruntime onednn-devel-cpu-gomp
#   export CPATH=$PWD/build/peers/include LIBRARY_PATH=$PWD/build/peers/lib
#   export LD_LIBRARY_PATH=$LIBRARY_PATH
#   build/peers/bin/python tests/bench/compare.py CASES.tsv
#
# HPTT is in no distribution: build HPTT, and add HPTT's folders to CPATH and LIBRARY_PATH.
#
# Python peers run with the Python that runs this. The output folder gets compare.tsv (the columns
# of `clreshape bench --tsv` after the name of the peer), compare.svg, summary.txt and, as a
# Markdown table, summary.md. Both summaries are also printed. The copy is the copy of `clreshape
# bench` for the case, so all fractions have the same basis. clreshape and CLBlast run through
# OpenCL, from the enqueue to the end of the wait. All other peers call a function that returns when
# done.
#
# SPDX-License-Identifier: Apache-2.0
import argparse
import csv
import datetime
import json
import math
import os
import platform
import subprocess
import sys
import tempfile

import onednn
from alias import numpy_nanoseconds, our_nanoseconds
from compare_svg import draw

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PYTHON_PEERS = ("numpy", "torch", "onnxruntime")
# The library to link, and the function for the version.
C_PEERS = {"onednn": ("dnnl", onednn.version),
           "clblast": ("clblast", lambda: version_of_package("libclblast-dev")),
           "hptt": ("hptt", str)}
IN_CXX = {"hptt"}
US = "clreshape"
BOUND = {"alias", "unsupported"}


def say(*words):
    print(*words, file=sys.stderr, flush=True)


class PythonPeer:
    """Runs as long as this script, because the imports take seconds."""

    def __init__(self, name):
        modules = {"onnxruntime": "numpy, onnx, onnxruntime"}.get(name, f"numpy, {name}")
        self.version = subprocess.run(
            [sys.executable, "-c", f"import {modules}; print({name}.__version__)"], check=True,
            text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, f"peer_{name}.py"), "-"], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def measure(self, line, _):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:  # it died of an earlier case
            return []
        return self.process.stdout.readline().rstrip("\n").split("\t")

    def close(self):
        self.process.communicate()


class ProgramPeer:
    def __init__(self, command, version):
        self.command, self.version = command, version

    def measure(self, _, path):
        result = subprocess.run([*self.command, path], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        rows = [line.split("\t") for line in result.stdout.splitlines()
                if line and not line.startswith(("id\t", "#"))]
        return rows[0] if rows else []

    def close(self):
        pass


def version_of_package(package):
    try:
        return subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", package], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    except FileNotFoundError:
        return ""


def build_peer(name, build, folder):
    """With the folders of src that the build made archives of."""
    library, version = C_PEERS[name]
    program = os.path.join(folder, f"peer_{name}")
    command = ["cc", "-std=c11", "-O2", "-D_POSIX_C_SOURCE=200809L",
               "-DCL_TARGET_OPENCL_VERSION=120", f"-I{ROOT}/include", f"-I{ROOT}/src/host",
               f"-I{ROOT}/src/bench", f"-I{ROOT}/src/base", f"{HERE}/peer.c"]
    command += ([f"{HERE}/peer_{name}.cc", "-fopenmp", "-lstdc++"] if name in IN_CXX
                else [f"{HERE}/peer_{name}.c"])
    command += [f"-L{build}", f"-Wl,-rpath,{build}", "-lclrs_bench", "-lclrs_host", "-lclreshape",
                f"-l{library}", "-lOpenCL", "-lm", "-o", program]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return ProgramPeer([program], version())


def open_peers(names, build, folder):
    program = os.path.join(build, "clreshape")
    version = subprocess.run([program, "--version"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout.split()[-1]
    peers = {US: ProgramPeer([program, "bench", "--tsv"], version)}
    for name in names:
        try:
            peers[name] = (PythonPeer(name) if name in PYTHON_PEERS
                           else build_peer(name, build, folder))
        except subprocess.CalledProcessError:
            say(f"{name} is not installed; left out")
    return peers


def read_cases(path, part):
    """The lines with cases, as (id, suite, line)."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\r\n") for line in file]
    cases = [(line.split("\t")[0], line.split("\t")[1], line) for line in lines
             if "\t" in line and not line.startswith(("id\t", "#"))]
    return [case for case in cases if part in case[0] or part in case[1]]


def random_cases(program, count, seed, part):
    """The same, of the cases that the program draws."""
    drawn = subprocess.run([program, "bench", "--random", str(count), "--seed", str(seed), "--json",
                            "--repetitions", "1"], check=True, text=True, stdout=subprocess.PIPE)
    cases = [(case["id"], case["suite"], case["line"]) for case in json.loads(drawn.stdout)["cases"]
             if case["outcome"] not in BOUND]
    return [case for case in cases if part in case[0] or part in case[1]]


def measure_case(peers, line, folder):
    """{peer: row}. A row is a dictionary, and absent if the peer has no row."""
    path = os.path.join(folder, "case.tsv")
    with open(path, "w", encoding="utf-8") as file:
        file.write(line + "\n")
    columns = ("id class outcome launches bytes median_ms min_ms gbps copy_gbps fraction plan_ns "
               "verified").split()
    rows = {}
    for name, peer in peers.items():
        values = peer.measure(line, path)
        if len(values) == len(columns):
            rows[name] = dict(zip(columns, values))
    copy = float(rows[US]["copy_gbps"]) if US in rows else math.nan
    for row in rows.values():
        row["copy_gbps"] = f"{copy:.6g}"
        row["fraction"] = f"{float(row['gbps']) / copy:.6g}"
    return rows


def fraction_of(rows, name):
    """None if the peer did not move this case, or moved the case wrongly."""
    row = rows.get(name)
    if row is None or row["outcome"] in BOUND or row["verified"] != "yes":
        return None
    return float(row["fraction"])


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def summarise_peer(measured, suite, name):
    """A line on the peer in a suite (all for None), and clreshape against the peer."""
    pairs = [(fraction_of(rows, US), fraction_of(rows, name), case)
             for case, of, rows in measured if suite in (None, of)]
    theirs = [fraction for _, fraction, _ in pairs if fraction is not None]
    ratios = [(ours / fraction, case) for ours, fraction, case in pairs if ours and fraction]
    if not theirs:
        return f"  {name:<12} no case"
    text = (f"  {name:<12} {len(theirs):3} cases, geometric mean {geomean(theirs):6.3f} of the "
            f"copy, least {min(theirs):6.3f}")
    if name != US and ratios:
        least = min(ratios)
        ahead = sum(ratio < 1 for ratio, _ in ratios)
        text += (f"; clreshape is {geomean([ratio for ratio, _ in ratios]):.2f} times as fast, "
                 f"at least {least[0]:.2f} ({least[1]}), behind in {ahead}")
    return text


def measure_small(program):
    """Lines on the caller's cost of small operations: a reshape that moves nothing, here and in
    NumPy, and a thousand small moves."""
    ours = our_nanoseconds(program)
    lines = [f"alias by clrs_enqueue_reshape {ours['alias']:.0f} ns, by clrs_tensor_with_view "
             f"{ours['alias_of_view']:.0f} ns"]
    try:
        lines[0] += f"; NumPy's reshape call {numpy_nanoseconds():.0f} ns"
    except ImportError:
        pass
    batch = {name: ours[name] / ours["copy_of_batch"]
             for name in ("batch", "batch_at_once", "batch_one_by_one")}
    return lines + [f"1000 moves of 16 KiB: {batch['batch']:.2f} times one copy of as many bytes as "
                    f"a batch made before, {batch['batch_at_once']:.2f} in one call, "
                    f"{batch['batch_one_by_one']:.2f} one by one"]


def markdown_cell(measured, suite, name):
    """How many times as fast as the peer we are, and in how many of the cases that both move."""
    pairs = [(fraction_of(rows, US), fraction_of(rows, name))
             for _, of, rows in measured if suite in (None, of)]
    if name == US:
        ours = [fraction for fraction, _ in pairs if fraction]
        return f"{geomean(ours):.2f} ({len(ours)})" if ours else ""
    ratios = [ours / theirs for ours, theirs in pairs if ours and theirs]
    ahead = sum(ratio > 1 for ratio in ratios)
    return f"{geomean(ratios):.2f}x ({ahead}/{len(ratios)})" if ratios else ""


def markdown(measured, peers, first_line, small):
    """A table to be pasted: of the copy for us, and how many times as fast as each peer."""
    suites = list(dict.fromkeys(suite for _, suite, _ in measured))
    others = [name for name in peers if name != US]
    lines = ["| suite | clreshape, of the copy (cases) | "
             + " | ".join(f"against {name} (ahead in)" for name in others) + " |",
             "|---|---|" + "---|" * len(others)]
    for suite in [*suites, None] if len(suites) > 1 else suites:
        cells = [markdown_cell(measured, suite, name) for name in (US, *others)]
        lines.append("| " + " | ".join([suite or "all", *cells]) + " |")
    return lines + ["", f"Geometric means; {first_line}."] + [f"- {line}" for line in small]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def summarize(measured, peers):
    versions = ", ".join(f"{name} {peer.version}".strip() for name, peer in peers.items())
    lines = [f"{processor()}, {len(os.sched_getaffinity(0))} cores, {datetime.date.today()}, "
             f"{versions}"]
    suites = dict.fromkeys(suite for _, suite, _ in measured)
    for suite in [*suites, None] if len(suites) > 1 else suites:
        lines.append(suite or "all")
        lines += [summarise_peer(measured, suite, name) for name in peers]
    return lines


def write_rows(path, measured):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = None
        for _, _, rows in measured:
            for name, row in rows.items():
                if writer is None:
                    writer = csv.DictWriter(file, ["peer", *row], delimiter="\t",
                                            lineterminator="\n")
                    writer.writeheader()
                writer.writerow({"peer": name, **row})


def read_arguments():
    parser = argparse.ArgumentParser(description="clreshape and its peers, side by side")
    parser.add_argument("cases", metavar="CASES.tsv", nargs="?")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--output")
    parser.add_argument("--filter", default="")
    parser.add_argument("--peers", default=",".join((*PYTHON_PEERS, *C_PEERS)))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    if (given.cases is None) == (given.random == 0):
        parser.error("either CASES.tsv or --random N")
    unknown = set(given.peers.split(",")) - {*PYTHON_PEERS, *C_PEERS, ""}
    if unknown:
        parser.error(f"unknown peers: {', '.join(sorted(unknown))}")
    given.build = os.path.abspath(given.build)
    given.output = given.output or os.path.join(given.build, "compare")
    return given


def pin(threads):
    """This process and all child processes."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    os.environ.update(OMP_NUM_THREADS=str(threads), PEER_THREADS=str(threads),
                      POCL_MAX_PTHREAD_COUNT=str(threads), PYTHONDONTWRITEBYTECODE="1")


def measure_all(cases, peers, folder):
    measured = []
    for number, (name, suite, line) in enumerate(cases, 1):
        say(f"[{number} of {len(cases)}] {name}")
        rows = measure_case(peers, line, folder)
        for peer, row in rows.items():
            if row["verified"] != "yes" and row["outcome"] != "unsupported":
                say(f"  {peer}: WRONG RESULT")
        measured.append((name, suite, rows))
    return measured


def main():
    given = read_arguments()
    pin(given.threads)
    cases = (read_cases(given.cases, given.filter) if given.cases else
             random_cases(os.path.join(given.build, "clreshape"), given.random, given.seed,
                          given.filter))
    if not cases:
        sys.exit(f"no case has '{given.filter}' in its id or suite")
    os.makedirs(given.output, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        peers = open_peers([name for name in given.peers.split(",") if name], given.build, folder)
        measured = measure_all(cases, peers, folder)
        for peer in peers.values():
            peer.close()
    lines = summarize(measured, peers)
    small = measure_small(os.path.join(given.build, "clreshape"))
    table = markdown(measured, peers, lines[0], small)
    write_rows(os.path.join(given.output, "compare.tsv"), measured)
    with open(os.path.join(given.output, "summary.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines + small) + "\n")
    with open(os.path.join(given.output, "summary.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(table) + "\n")
    figures = [(name, suite, {peer: fraction_of(rows, peer) for peer in peers})
               for name, suite, rows in measured]
    draw(os.path.join(given.output, "compare.svg"), figures, list(peers), lines[0])
    print("\n".join(lines + small + [""] + table))


if __name__ == "__main__":
    main()
