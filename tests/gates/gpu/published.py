"""Predictions of the model for a list of `clreshape bench`, such as published moves:

    published.py LIST_VARIANTS LAUNCHES FOLDER CASES.tsv [FILTER]
    published.py LIST_VARIANTS LAUNCHES FOLDER SEED,COUNT,MB [FILTER]
    published.py LIST_VARIANTS LAUNCHES FOLDER LIST.txt [FILTER]
    published.py LIST_VARIANTS LAUNCHES FOLDER builtin [FILTER]

The second form takes COUNT random cases (clreshape bench --random COUNT --seed SEED) that move MB
and more. The third form takes the maps and gathers of a list such as maps.txt, and the fourth form
the built-in cases of `clreshape bench`. Prints a line for each case, and geometric means by class,
by suite and over all. FOLDER/predictions.json keeps the predictions.

The tensors are large. Only a window of neighbouring groups of each launch runs, on bytes made from
addresses (`made_up`), and stands for all groups. In addition to report.py's model of a large
tensor, a launch and a copy take 2 us, and groups that do not fill all places still wait for each
other. Needs ptxas.

SPDX-License-Identifier: Apache-2.0
"""

import collections
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys

import numpy as np

import compiled
from model import COPY, UNITS, machine_per_ptx, mean, places, time_of, times_of
from traffic import ADDRESSES, Programs, pack_arguments, words_of
from warps import Launch

WINDOW_ITEMS, WINDOW_AT = 32768, 0.37
LAUNCH, SHORTEST_COPY = 2e-6, 1e-6
FEW_ROUNDS = 8  # with more, it does not matter how full the last one is


def pieces_of(launch, groups):
    """Number of pieces that each group moves: more than one if groups share pieces out."""
    if launch["kernel"] != "gpu_short":
        return np.ones(groups, np.int64)
    bits = int(re.search(r"INDEX_BITS=(\d+)", launch["options"]).group(1))
    count = int.from_bytes(bytes.fromhex(launch["arguments"][-1])[:bits // 8], "little")
    return (count - np.arange(groups) + groups - 1) // groups


def mixed(at):
    at = (at.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9e3779b97f4a7c15)
    return ((at ^ at >> np.uint64(31)) * np.uint64(0xd6e8feb86659fd93) >> np.uint64(32)).astype(np.int64)


def made_up(extent, words):
    """A function from addresses to bytes. An index is a place below `extent`, and the words of the
    launch are as given. An element of any other buffer, of whatever type, is an ordinary number of
    either sign: 1 to 4 of f16, 2^-7 to 2^8 of f32."""
    def load(at):
        if at.flat[0] >> 44 == ADDRESSES["words"] >> 44:
            return words[at - ADDRESSES["words"]]
        if at.flat[0] >> 44 == ADDRESSES["indices"] >> 44:
            places = (mixed(at[:, :1]) % extent).astype("<u8")
            return places.view(np.uint8)[:, :at.shape[1]]
        bits = mixed(at)
        return 0x3c + bits % 8 | bits >> 3 & 0x80
    return load


def run_window(kernel, launch):
    """The machine after some groups of the launch, the number of groups, and the share of all
    pieces that these groups move."""
    size = launch["group"][0]
    groups = [items // each for items, each in zip(launch["items"], launch["group"])]
    total = groups[0] * groups[1]
    count = max(1, min(total, WINDOW_ITEMS // size))
    window = int((total - count) * WINDOW_AT), count
    arguments = pack_arguments(kernel, launch, b"\0" * 16)
    pieces = pieces_of(launch, total)
    part = pieces[window[0]:window[0] + count].sum() / pieces.sum()
    return Launch(kernel, size, groups, arguments, made_up(launch["extent"], words_of(launch)), window).run(), total, part


def predict_launch(program, launch):
    """Seconds, and the main bound."""
    kernel, facts, factor = program
    machine, total, part = run_window(kernel, launch)
    size = launch["group"][0]
    times = {name: time / part for name, time in times_of(machine, facts, factor, size).items()}
    rounds = total / (UNITS * places(facts, size))
    if rounds < FEW_ROUNDS:
        times["latency"] *= math.ceil(rounds) / rounds
    return time_of(times) + LAUNCH, max(times, key=times.get)


class List:
    """The launches of a list of cases, and the inputs of the launches."""

    def __init__(self, list_program, launches_program, folder, path):
        self.programs = Programs(list_program, os.path.join(folder, "variants"))
        is_random = re.fullmatch(r"\d+,\d+,\d+", path) is not None
        words = (["--bench"] if path == "builtin" else ["--random", *path.split(",")] if is_random
                 else ["--large" if path.endswith(".txt") else "--bench", path])
        said = subprocess.run([launches_program, *words], check=True,
                              capture_output=True, text=True).stdout
        self.cases = collections.defaultdict(list)
        for line in said.splitlines():
            launch = json.loads(line)
            self.cases[launch["name"]].append(launch)
        self.built = {}

    def program(self, launch):
        """The kernel of the launch, the facts from ptxas, and machine instructions per PTX
        instruction."""
        variant = self.programs.variant(launch)
        if variant.name not in self.built:
            kernel = self.programs.kernel(variant)
            facts = compiled.compile_program(variant.base, "nvptx")
            self.built[variant.name] = kernel, facts, machine_per_ptx(variant, kernel)
        return self.built[variant.name]

    def predict(self, name):
        """The line of a case."""
        total, longest, launches = 0.0, (-1.0, "", None), self.cases[name]
        for launch in launches:
            time, bound = predict_launch(self.program(launch), launch)
            total += time
            longest = max(longest, (time, bound, launch), key=lambda each: each[0])
        moved = launches[0]["read"] + launches[0]["written"]
        return {"case": name, "suite": launches[0]["suite"],
                "type": f"{launches[0]['bits']:3} bits", "moved": moved, "class": longest[2]["kernel"], "unit": longest[2]["unit"],
                "fraction": (max(moved / COPY, SHORTEST_COPY) + LAUNCH) / total,
                "bound": longest[1]}


def means_by(rows, name_of):
    """Geometric means of the rows of each name."""
    by_name = collections.defaultdict(list)
    for row in rows:
        by_name[name_of(row)].append(row["fraction"])
    return ", ".join(f"{name} {mean(values):.2f} ({len(values)}, least {min(values):.2f})"
                     for name, values in sorted(by_name.items()))


def class_of(row):
    """Packed elements are a separate class."""
    return row["class"] if row["unit"] >= 8 else row["class"] + " (packed)"


def summary(rows):
    """Geometric means over all and by class."""
    everything = mean([row["fraction"] for row in rows])
    return (f"Geometric mean of {len(rows)} cases: {everything:.2f}.\n"
            f"By class: {means_by(rows, class_of)}.\n")


JOBS = {}


def predict_case(name):
    return JOBS["list"].predict(name)


def predictions(list_program, launches_program, folder, path, pattern=""):
    """A line for each case of the list that moves bytes."""
    if compiled.PTXAS is None:
        sys.exit("the prediction needs ptxas, of the CUDA toolkit")
    JOBS["list"] = jobs = List(list_program, launches_program, folder, path)
    names = [name for name in jobs.cases if pattern in name]
    for name in names:  # compiled once, by the process that others are copies of
        for launch in jobs.cases[name]:
            jobs.program(launch)
    workers = len(os.sched_getaffinity(0))
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        yield from pool.map(predict_case, names)


def main(list_program, launches_program, folder, path, pattern=""):
    rows = []
    for row in predictions(list_program, launches_program, folder, path, pattern):
        rows.append(row)
        print(f"{row['case']:32} {row['class']:10} {row['unit']:4} {row['fraction']:5.2f} "
              f"{row['bound']}", flush=True)
    with open(os.path.join(folder, "predictions.json"), "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=0)
    print(summary(rows), end="")
    print(f"By suite: {means_by(rows, lambda row: row['suite'])}.")
    print(f"By type: {means_by(rows, lambda row: row['type'])}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
